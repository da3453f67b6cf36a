// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Delivery: an id's ring of events, its runner, the consumer's handler.
 *
 * Owns: struct cm_events, the two work queues.
 *
 * A claimed request (REQ_NEW, SIDR_NEW) passes through the same runner: first it
 * resolves the way back, on a queue of its own, so that an unresolvable peer
 * delays nobody; then it asks the listener for a turn; then its datagram is the
 * id's first event, for the listener's handler.
 *
 * Lock order: id.lock is a leaf here. References: ev.runner stands for one
 * EVENT reference of the id, and one of dev->runners; ev.turn for a LISTENER
 * reference of the listener.
 */
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/wait_bit.h>
#include <linux/workqueue.h>

#include "ah.h"
#include "apply.h"
#include "event.h"
#include "id.h"
#include "listen.h"
#include "lookup.h"
#include "msg.h"
#include "path.h"
#include "probe_hook.h"
#include "trace.h"

static struct workqueue_struct *cm_event_wq;
static struct workqueue_struct *cm_resolve_wq;

/* Private data and reject information of events that no datagram stands behind */
static u8 cm_nothing[CM_MAD_SIZE];

static void cm_event_work(struct work_struct *work);

/**
 * cm_events_init - an empty ring
 * @id: new
 *
 * Context: any.
 */
void cm_events_init(struct cm_id *id)
{
	INIT_WORK(&id->ev.work, cm_event_work);
}

/* Where the datagram of a claimed request came in. */
static struct cm_port *cm_claimed_port(const struct cm_id *id)
{
	return cm_device_port(id->dev, id->ev.port);
}

/**
 * cm_event_room - is there a slot for an event of that rank?
 * @id: the id
 * @rank: who asks
 *
 * A datagram can be dropped, its sender repeats it; a timer can be postponed;
 * removal can do neither. So each leaves slots to the next.
 *
 * Context: the id's lock is held.
 * Return: true if cm_event_queue() may be called.
 */
bool cm_event_room(const struct cm_id *id, enum cm_event_rank rank)
{
	return id->ev.count + (CM_EVENT_REMOVAL - rank) < CM_EVENT_RING;
}

/* The runner's references: taken with ev.runner. */
static void cm_runner_begin(struct cm_id *id)
{
	id->ev.runner = true;
	atomic_inc(&id->dev->runners);
	cm_id_get(id, CM_REF_EVENT, &id->ev.hold);
}

static void cm_runner_put(struct cm_id *id, struct cm_device *dev, struct cm_hold *hold)
{
	cm_device_hold(dev);
	cm_id_put(id, CM_REF_EVENT, hold);
	if (atomic_dec_and_test(&dev->runners))
		wake_up_var(&dev->runners);
	cm_device_put(dev);
}

/* Of an id whose next runner cannot begin yet. */
static void cm_runner_end(struct cm_id *id)
{
	cm_runner_put(id, id->dev, &id->ev.hold);
}

static void cm_slot_fill(struct cm_id *id, enum ib_cm_event_type type,
			 struct ib_mad_recv_wc *wc, u8 aux)
{
	struct cm_events *ev = &id->ev;
	unsigned int slot = (ev->head + ev->count) % CM_EVENT_RING;

	ev->wc[slot] = wc;
	ev->type[slot] = type;
	ev->aux[slot] = aux;
	ev->count++;
}

/**
 * cm_event_queue - an event for the consumer
 * @act: what happened; asks for a runner in act->kick
 * @type: the event
 * @with_wc: it is made from act->wc, which it takes
 * @aux: send status, or the reason of a REJ that no datagram stands behind
 *
 * Context: the id's lock is held, cm_event_room() was asked.
 */
void cm_event_queue(struct cm_act *act, enum ib_cm_event_type type, bool with_wc, u8 aux)
{
	struct cm_id *id = act->id;

	if (id->ev.count == CM_EVENT_RING) {
		cm_holders_violated(id, cm_id_holders(id));
		return;
	}
	cm_slot_fill(id, type, with_wc ? act->wc : NULL, aux);
	if (with_wc)
		act->wc = NULL;
	if (!id->ev.runner) {
		cm_runner_begin(id);
		act->kick = true;
	}
}

/**
 * cm_event_queue_first - the datagram of a claimed request is the first event
 * @id: its runner is running
 * @type: REQ or SIDR_REQ received
 *
 * Context: the id's lock is held.
 */
void cm_event_queue_first(struct cm_id *id, enum ib_cm_event_type type)
{
	id->ev.claimed = false;
	cm_slot_fill(id, type, id->ev.wc[0], 0);
}

/**
 * cm_event_discard - nothing of what is queued will be delivered
 * @act: takes the datagrams
 *
 * The datagram of a claimed request stays with its runner.
 *
 * Context: the id's lock is held.
 */
void cm_event_discard(struct cm_act *act)
{
	struct cm_events *ev = &act->id->ev;

	while (ev->count) {
		if (ev->wc[ev->head])
			act->dead_wc[act->ndead_wc++] = ev->wc[ev->head];
		ev->head = (ev->head + 1) % CM_EVENT_RING;
		ev->count--;
	}
}

/**
 * cm_event_kick - queue the runner that cm_event_queue() asked for
 * @id: the id
 *
 * Destroy takes a queued runner back after it has disowned the id, and would
 * miss one that is queued later: so that one ends here.
 *
 * Context: any.
 */
void cm_event_kick(struct cm_id *id)
{
	unsigned long flags;
	bool wanted;

	spin_lock_irqsave(&id->lock, flags);
	wanted = id->owned;
	if (wanted)
		queue_work(cm_event_wq, &id->ev.work);
	spin_unlock_irqrestore(&id->lock, flags);
	if (!wanted)
		cm_runner_end(id);
}

/**
 * cm_event_cancel - take back a queued runner
 * @id: being destroyed: nothing queues one any more
 *
 * Context: any; the caller has a reference besides the runner's.
 */
void cm_event_cancel(struct cm_id *id)
{
	if (cancel_work(&id->ev.work))
		cm_runner_end(id);
}

/**
 * cm_event_start - a request was claimed: publish, resolve and deliver it
 * @id: in REQ_NEW or SIDR_NEW, of the receive path alone so far
 * @port: where it came in
 * @wc: its datagram; taken if the result is true
 *
 * The runner begins first: a removal that finds the id waits for it.
 *
 * Context: any.
 * Return: false if the device is leaving: the id has none then, and no runner.
 */
bool cm_event_start(struct cm_id *id, struct cm_port *port, struct ib_mad_recv_wc *wc)
{
	unsigned long flags;

	spin_lock_irqsave(&id->lock, flags);
	id->ev.claimed = true;
	id->ev.port = port->num;
	id->ev.wc[0] = wc;
	cm_runner_begin(id);
	spin_unlock_irqrestore(&id->lock, flags);
	atomic_inc(&port->resolving);

	if (cm_id_publish(id)) {
		queue_work(cm_resolve_wq, &id->ev.work);
		return true;
	}
	atomic_dec(&port->resolving);
	id->ev.runner = false;
	cm_runner_put(id, port->dev, &id->ev.hold);
	return false;
}

/**
 * cm_event_turn - the listener gives a claimed request its turn
 * @id: it waited in the listener's queue
 * @listener: the listener; its LISTENER reference comes with the turn
 *
 * Context: any; the listener's lock is held.
 */
void cm_event_turn(struct cm_id *id, struct cm_id *listener)
{
	id->ev.turn = listener;
	queue_work(cm_event_wq, &id->ev.work);
}

/**
 * cm_event_take_back - the listener takes a turn back
 * @id: whose turn it was
 *
 * Context: any; the listener's lock is held.
 * Return: true: its runner will not run, and is the caller's to end; false: it has begun.
 */
bool cm_event_take_back(struct cm_id *id)
{
	if (!cancel_work(&id->ev.work))
		return false;
	id->ev.turn = NULL;
	return true;
}

/**
 * cm_event_refuse - a claimed request will not be delivered
 * @id: the runner's reference is the caller's to end
 * @event: why: LISTENER_GONE, UNREACHABLE, UNREACHABLE_ALT; DESTROY: without an answer
 *
 * Context: process.
 */
void cm_event_refuse(struct cm_id *id, u8 event)
{
	struct cm_act act = {
		.id = id,
		.list = CM_ACT_DIRECT,
		.event = event,
		.port = cm_claimed_port(id),
		.wc = id->ev.wc[0],
	};

	id->ev.wc[0] = NULL;
	cm_act_run(&act);
	cm_runner_end(id);
}

/* ---- the runner ---- */

struct cm_delivery {
	struct ib_cm_event event;
	struct sa_path_rec primary;
	struct sa_path_rec alternate;
	struct cm_av av;
	const struct ib_gid_attr *sgid_attr;	/* of av */
};

/*
 * The address that the event is made from must outlive the handler, whatever
 * happens to the id's own meanwhile.
 */
static void cm_hold_address(struct cm_id *id, struct cm_delivery *d)
{
	spin_lock_irq(&id->lock);
	if (id->av.port)
		cm_av_copy(&d->av, &id->av);
	spin_unlock_irq(&id->lock);
	if (d->av.attr.ah_flags & IB_AH_GRH)
		d->sgid_attr = d->av.attr.grh.sgid_attr;
}

/* An event that no datagram stands behind. */
static void cm_event_from_nothing(struct ib_cm_event *event, u8 aux)
{
	switch (event->event) {
	case IB_CM_REJ_RECEIVED:
		event->param.rej_rcvd.reason = aux;
		event->param.rej_rcvd.ari = cm_nothing;
		event->private_data = cm_nothing;
		break;
	case IB_CM_REQ_ERROR:
	case IB_CM_REP_ERROR:
	case IB_CM_DREQ_ERROR:
	case IB_CM_SIDR_REQ_ERROR:
		event->param.send_status = aux;
		break;
	default:
		break;
	}
}

static void cm_event_paths(struct cm_id *id, struct cm_delivery *d, struct ib_mad_recv_wc *wc)
{
	struct ib_cm_req_event_param *req = &d->event.param.req_rcvd;
	struct cm_port *port = cm_claimed_port(id);

	cm_paths_from_req(&d->primary, &d->alternate, port, wc, &d->av);
	cm_path_for_consumer(&d->primary, port);
	req->primary_path = &d->primary;
	if (cm_req_has_alternate(wc)) {
		cm_path_for_consumer(&d->alternate, port);
		req->alternate_path = &d->alternate;
	}
	req->listen_id = &id->ev.turn->pub;
	req->ppath_sgid_attr = d->sgid_attr;
}

static void cm_event_build(struct cm_id *id, struct cm_delivery *d, u8 type,
			   struct ib_mad_recv_wc *wc, u8 aux)
{
	memset(d, 0, sizeof(*d));
	d->event.event = type;
	if (!wc) {
		cm_event_from_nothing(&d->event, aux);
		return;
	}

	cm_hold_address(id, d);
	cm_event_from_msg(&d->event, id, wc);
	d->event.event = type;
	switch (type) {
	case IB_CM_REQ_RECEIVED:
		cm_event_paths(id, d, wc);
		break;
	case IB_CM_SIDR_REQ_RECEIVED:
		d->event.param.sidr_req_rcvd.listen_id = &id->ev.turn->pub;
		d->event.param.sidr_req_rcvd.sgid_attr = d->sgid_attr;
		break;
	case IB_CM_SIDR_REP_RECEIVED:
		d->event.param.sidr_rep_rcvd.sgid_attr = d->sgid_attr;
		break;
	case IB_CM_LAP_RECEIVED:
		cm_path_from_lap(&d->alternate, id, wc);
		d->event.param.lap_rcvd.alternate_path = &d->alternate;
		break;
	default:
		break;
	}
}

/* The handler said no: the id is destroyed, as if by its owner, who keeps nothing. */
static void cm_handler_refused(struct cm_id *id, u8 type, int ret)
{
	struct cm_act act = {
		.id = id,
		.list = CM_DECIDE_HANDLER,
		.facts = ret == -ENOMEM ? CM_FACT_NOMEM : 0,
	};

	trace_icm_handler_err(type);
	/* It may listen by now: the table of listeners must not outlive it. */
	cm_listen_drop(id);
	cm_act_run(&act);
}

/* Takes the oldest event off the ring. false: there is none, the runner has ended, and hold is its. */
static bool cm_event_next(struct cm_id *id, struct ib_mad_recv_wc **wc, u8 *type, u8 *aux,
			  struct cm_hold *hold)
{
	struct cm_events *ev = &id->ev;
	bool some;

	spin_lock_irq(&id->lock);
	some = ev->count;
	if (some) {
		*wc = ev->wc[ev->head];
		*type = ev->type[ev->head];
		*aux = ev->aux[ev->head];
		ev->head = (ev->head + 1) % CM_EVENT_RING;
		ev->count--;
		ev->task = current;
	} else {
		ev->runner = false;
		cm_hold_pass(&ev->hold, hold, CM_REF_EVENT);
	}
	spin_unlock_irq(&id->lock);
	return some;
}

static void cm_event_end_turn(struct cm_id *id, struct cm_listener_call *call)
{
	struct cm_id *listener = id->ev.turn;

	if (!listener)
		return;
	id->ev.turn = NULL;
	cm_listener_leave(listener, call);
	cm_id_put(listener, CM_REF_LISTENER, &id->ev.turn_hold);
}

static void cm_event_deliver(struct cm_id *id)
{
	struct cm_listener_call call;
	struct ib_mad_recv_wc *wc;
	struct cm_hold hold = {};
	struct cm_delivery d;
	u8 type, aux;
	int ret;

	while (cm_event_next(id, &wc, &type, &aux, &hold)) {
		cm_event_build(id, &d, type, wc, aux);
		if (id->ev.turn)
			cm_listener_call(id->ev.turn, &call);
		ret = READ_ONCE(id->pub.cm_handler)(&id->pub, &d.event);
		cm_av_clear(&d.av);
		if (wc)
			ib_free_recv_mad(wc);
		if (ret)
			cm_handler_refused(id, type, ret);

		spin_lock_irq(&id->lock);
		id->ev.task = NULL;
		spin_unlock_irq(&id->lock);
		cm_event_end_turn(id, &call);
	}
	cm_runner_put(id, id->dev, &hold);
}

/* Want of memory is not the peer's fault: it gets no answer, and tries again. */
static u8 cm_unresolved(struct cm_port *port, int err, u8 event)
{
	if (err != -ENOMEM)
		return event;
	cm_stat_count(port, CM_COUNT_RX_NOMEM);
	return CM_ID_ON_DESTROY;
}

/*
 * The way back, and the paths that the REQ names. A handle for the way back is
 * made at once, so that answers from atomic context find it.
 */
static u8 cm_resolve_req(struct cm_id *id, struct cm_port *port, struct ib_mad_recv_wc *wc,
			 struct cm_av *av, struct cm_av **alt)
{
	struct sa_path_rec primary, alternate;
	struct cm_av back = {};
	u16 lid;
	int err;

	err = cm_av_from_wc(&back, port, wc);
	if (err)
		return cm_unresolved(port, err, CM_ID_ON_UNREACHABLE);
	cm_paths_from_req(&primary, &alternate, port, wc, &back);
	err = cm_av_from_path(av, id->dev, &primary,
			      back.attr.ah_flags & IB_AH_GRH ? back.attr.grh.sgid_attr : NULL);
	cm_av_clear(&back);
	if (err)
		return cm_unresolved(port, err, CM_ID_ON_UNREACHABLE);
	lid = cm_req_datapath_lid(port, wc);
	if (lid)
		av->dlid_datapath = lid;
	if (!cm_req_has_alternate(wc))
		return CM_ID_ON_HAND_OVER;

	*alt = kzalloc(sizeof(**alt), GFP_NOIO);
	err = *alt ? cm_av_from_path(*alt, id->dev, &alternate, NULL) : -ENOMEM;
	return err ? cm_unresolved(port, err, CM_ID_ON_UNREACHABLE_ALT) : CM_ID_ON_HAND_OVER;
}

static u8 cm_resolve(struct cm_id *id)
{
	struct ib_mad_recv_wc *wc = id->ev.wc[0];
	struct cm_port *port = cm_claimed_port(id);
	struct cm_av *alt = NULL, av = {};
	enum cm_msg_kind kind;
	struct cm_ah *ah;
	u8 event;

	/* The removal that waits for us has ended the id, or will */
	if (READ_ONCE(id->dev->gone))
		return CM_ID_ON_DESTROY;
	if (cm_msg_known((const struct ib_mad *)wc->recv_buf.mad, &kind) && kind == CM_MSG_REQ)
		event = cm_resolve_req(id, port, wc, &av, &alt);
	else
		event = cm_av_from_wc(&av, port, wc) ? CM_ID_ON_UNREACHABLE : CM_ID_ON_HAND_OVER;

	if (event == CM_ID_ON_HAND_OVER) {
		ah = cm_ah_get(av.port, &av.attr);
		if (!IS_ERR(ah))
			cm_ah_put(ah);
		spin_lock_irq(&id->lock);
		swap(id->av, av);
		swap(id->alt, alt);
		spin_unlock_irq(&id->lock);
		id->ev.resolved = true;
	}
	cm_av_clear(&av);
	if (alt)
		cm_av_clear(alt);
	kfree(alt);
	return event;
}

/* Asks for a turn. true: it is ours, or the request is over; false: somebody else will run us, or has ended us. */
static bool cm_take_turn(struct cm_id *id)
{
	struct cm_hold hold = {};
	struct cm_id *listener = cm_listener_get(id->dev, id->pub.service_id, &hold);
	enum cm_turn turn = CM_TURN_NEVER;

	if (listener)
		turn = cm_listener_enter(listener, id);
	switch (turn) {
	case CM_TURN_NOW:
		cm_id_get(listener, CM_REF_LISTENER, &id->ev.turn_hold);
		id->ev.turn = listener;
		break;
	case CM_TURN_NEVER:
		cm_event_refuse(id, CM_ID_ON_LISTENER_GONE);
		break;
	case CM_TURN_LATER:
		break;
	}
	if (listener)
		cm_id_put(listener, CM_REF_LOOKUP, &hold);
	return turn == CM_TURN_NOW;
}

/* The turn has come: the request becomes the consumer's. */
static void cm_hand_over(struct cm_id *id)
{
	struct cm_act act = {
		.id = id,
		.list = CM_ACT_DIRECT,
		.event = CM_ID_ON_HAND_OVER,
	};

	id->pub.cm_handler = id->ev.turn->pub.cm_handler;
	id->pub.context = id->ev.turn->pub.context;
	cm_act_run(&act);
	if (act.row->verdict == CM_HANDLE) {
		cm_event_deliver(id);
		return;
	}

	ib_free_recv_mad(id->ev.wc[0]);
	cm_event_end_turn(id, NULL);
	cm_runner_end(id);
}

static void cm_event_work(struct work_struct *work)
{
	struct cm_id *id = container_of(work, struct cm_id, ev.work);
	u8 event;

	if (!id->ev.claimed) {
		cm_event_deliver(id);
		return;
	}
	if (!id->ev.resolved) {
		event = cm_resolve(id);
		atomic_dec(&cm_claimed_port(id)->resolving);
		if (event != CM_ID_ON_HAND_OVER) {
			cm_event_refuse(id, event);
			return;
		}
	}
	if (id->ev.turn)
		cm_listener_begin(id->ev.turn, id);
	else if (!cm_take_turn(id))
		return;
	cm_hand_over(id);
}

/**
 * cm_event_init - make the queues
 *
 * Unbound, and as parallel as they get: a handler that sleeps must not delay
 * another id's. Without WQ_MEM_RECLAIM, for a rescuer would run one handler
 * after the other whenever a worker is slow to appear.
 *
 * Return: 0 or -ENOMEM.
 */
int cm_event_init(void)
{
	cm_event_wq = alloc_workqueue("ib_cm_event", WQ_UNBOUND, WQ_UNBOUND_MAX_ACTIVE);
	if (!cm_event_wq)
		return -ENOMEM;
	cm_resolve_wq = alloc_workqueue("ib_cm_resolve", WQ_UNBOUND, WQ_UNBOUND_MAX_ACTIVE);
	if (!cm_resolve_wq) {
		destroy_workqueue(cm_event_wq);
		return -ENOMEM;
	}
	return 0;
}

/**
 * cm_event_exit - the queues go
 *
 * Context: sleeps; no id is left.
 */
void cm_event_exit(void)
{
	destroy_workqueue(cm_resolve_wq);
	destroy_workqueue(cm_event_wq);
}

#ifdef CM_DEBUG
/**
 * cm_event_workers - let so many handlers run at once
 * @n: of all ids together; 0: as many as they get
 *
 * Context: process; may sleep.
 */
void cm_event_workers(unsigned int n)
{
	workqueue_set_max_active(cm_event_wq, n ? n : WQ_UNBOUND_MAX_ACTIVE);
}
#endif
