// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Outgoing messages.
 *
 * Owns: posting, completions, the send budget and the request window of a port,
 * the outstanding request of an id with its timer and repetitions.
 *
 * Locks: cm_id.lock -> cm_tx_port.lock, both irq-safe. Neither is held when a
 * datagram is posted or an address handle made.
 *
 * References: the request itself holds REQUEST; its pending timer holds TIMER,
 * its place in .due or .fresh PLACE. Who takes the timer or the node away
 * has that reference: cm_req_end() passes it to act->puts, the timer's callback
 * gives it to the node, the worker that pops the node drops it. A callback that
 * already runs when its timer is deleted or renewed finds that out under the
 * id's lock and drops its own. Posted and deferred datagrams hold no id; a
 * deferred one holds the device, and its AV the GID.
 *
 * Neither a port's worker nor its timers wait for an address handle: a datagram
 * that needs one is a work item of its own.
 */
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/wait_bit.h>
#include <rdma/ib_cache.h>

#include "ah.h"
#include "apply.h"
#include "id.h"
#include "lookup.h"
#include "params.h"
#include "tx.h"

#define CM_TX_DEFERRED	1024	/* datagrams of a port that may wait */
#define CM_TX_PARTING	65536	/* the same, of DREQs and REJs: an id that is gone repeats nothing */
#define CM_TX_AGAIN_MS	100	/* a time-out that its id had no room for */

/* A datagram that waits for the budget (node) or for an address handle (work). */
struct cm_deferred {
	struct list_head node;
	struct work_struct work;
	struct cm_out out;
};

static struct workqueue_struct *cm_tx_wq;	/* the ports' workers */
static struct workqueue_struct *cm_tx_ah_wq;	/* datagrams whose address handle is made */

/* ---- the two limits of a port ---- */

static bool cm_tx_take(atomic_t *taken, unsigned int limit)
{
	int n = atomic_read(taken);

	do {
		if (n >= (int)limit)
			return false;
	} while (!atomic_try_cmpxchg(taken, &n, n + 1));
	return true;
}

static void cm_tx_kick(struct cm_tx_port *tx)
{
	unsigned long flags;

	spin_lock_irqsave(&tx->lock, flags);
	if (!tx->stopped)
		queue_work(cm_tx_wq, &tx->work);
	spin_unlock_irqrestore(&tx->lock, flags);
}

/*
 * A place is given back before it is looked whether somebody waits; who waits
 * is in the list before it looks for a place: one of the two sees the other
 * (litmus: tx-place-freed).
 */
static void cm_tx_budget_put(struct cm_tx_port *tx)
{
	atomic_dec(&tx->posted);
	smp_mb__after_atomic(); /* pairs with cm_tx_budget_free() */
	if (READ_ONCE(tx->nwaiting))
		cm_tx_kick(tx);
}

static bool cm_tx_budget_free(const struct cm_tx_port *tx)
{
	smp_mb(); /* pairs with cm_tx_budget_put() */
	return atomic_read(&tx->posted) < (int)READ_ONCE(cm_send_budget);
}

static bool cm_tx_window_take(struct cm_tx_port *tx)
{
	return cm_tx_take(&tx->window, READ_ONCE(cm_window));
}

static void cm_tx_window_put(struct cm_tx_port *tx)
{
	atomic_dec(&tx->window);
	smp_mb__after_atomic(); /* pairs with cm_tx_window_free() */
	if (!list_empty(&tx->fresh))
		cm_tx_kick(tx);
}

static bool cm_tx_window_free(const struct cm_tx_port *tx)
{
	smp_mb(); /* pairs with cm_tx_window_put() */
	return atomic_read(&tx->window) < (int)READ_ONCE(cm_window);
}

/* ---- what became of a copy of a request ---- */

enum cm_tx_fate {
	CM_TX_DONE,		/* the HCA has sent it */
	CM_TX_LOST,		/* it never was sent: as if the fabric had lost it */
	CM_TX_FAILED,		/* it cannot be sent, or completed with an error */
};

static noinline_for_stack void cm_tx_send_error(struct cm_id *id, u32 gen,
						enum ib_wc_status status)
{
	struct cm_act act = {
		.id = id,
		.list = CM_DECIDE_SEND_ERROR,
		.status = status,
		.gen = gen,
	};

	/* No room for an event is fine: the timer is still there. */
	cm_act_run(&act);
}

static void cm_tx_settle(__be32 local_id, u32 gen, enum cm_tx_fate fate,
			 enum ib_wc_status status)
{
	struct cm_hold hold = {};
	struct cm_id *id = cm_local_get(local_id, &hold);
	unsigned long flags;
	bool current_one;

	if (!id)
		return;
	spin_lock_irqsave(&id->lock, flags);
	current_one = cm_req_current(id, gen);
	if (current_one && fate == CM_TX_DONE)
		cm_req_completed(id, true);
	else if (current_one)
		id->req.uncompleted = false;	/* an error is counted by the row's verb */
	spin_unlock_irqrestore(&id->lock, flags);

	if (current_one && fate == CM_TX_FAILED)
		cm_tx_send_error(id, gen, status);
	cm_id_put(id, CM_REF_LOOKUP, &hold);
}

/* Nobody is there to be told of a failure by a return value. */
static void cm_tx_settle_late(const struct cm_out *out, int err)
{
	if (!err || !out->request)
		return;
	/* -ENODEV: removal tells the id more than a failed send would. */
	if (err == -ENOMEM || err == -ENODEV)
		cm_tx_settle(out->local_id, out->gen, CM_TX_LOST, IB_WC_SUCCESS);
	else
		cm_tx_settle(out->local_id, out->gen, CM_TX_FAILED, IB_WC_GENERAL_ERR);
}

/* ---- posting ---- */

/* What a completion needs to find its id; 0: it needs none. */
static void *cm_tx_ticket(const struct cm_out *out)
{
	BUILD_BUG_ON(sizeof(void *) < sizeof(u64));

	if (!out->request)
		return NULL;
	return (void *)((unsigned long)(__force u32)out->local_id << 32 | out->gen);
}

/* The agent is used under RCU; once there is a send buffer, that one holds it. */
static int cm_tx_hand_over(struct cm_port *port, struct cm_out *out, struct cm_ah *ah)
{
	struct ib_mad_send_buf *buf;
	struct ib_mad_agent *agent;
	u16 pkey_index = out->pkey_index;
	int err;

	rcu_read_lock();
	agent = rcu_dereference(port->agent);
	err = -ENODEV;
	if (!agent)
		goto out;

	if (pkey_index == CM_PKEY_LOOKUP) {
		err = ib_find_cached_pkey(agent->device, agent->port_num, out->av.pkey,
					  &pkey_index);
		if (err)
			goto out;
	}

	buf = ib_create_send_mad(agent, out->remote_qpn ?: 1, pkey_index, 0,
				 IB_MGMT_MAD_HDR, IB_MGMT_MAD_DATA,
				 GFP_ATOMIC | __GFP_NOWARN, IB_MGMT_BASE_VERSION);
	err = PTR_ERR_OR_ZERO(buf);
	if (err)
		goto out;

	memcpy(buf->mad, out->image, CM_MAD_SIZE);
	buf->ah = cm_ah_ib(ah);
	buf->timeout_ms = 0;	/* repetition is ours; it is also what flow control lets pass */
	buf->retries = 0;
	buf->context[0] = cm_tx_ticket(out);
	buf->context[1] = ah;
	err = ib_post_send_mad(buf, NULL);
	if (err)
		ib_free_send_mad(buf);
out:
	rcu_read_unlock();
	return err;
}

/*
 * One attempt. -EAGAIN: an address handle has to be made, which may_sleep does
 * not allow; -EBUSY: the budget is used up.
 */
static int cm_tx_try(struct cm_port *port, struct cm_out *out, bool may_sleep)
{
	struct cm_tx_port *tx = &port->tx;
	struct cm_ah *ah;
	int err;

	if (!rcu_access_pointer(port->agent))
		return -ENODEV;

	ah = cm_ah_find(port, &out->av.attr);
	if (!ah && !may_sleep)
		return -EAGAIN;
	if (!ah)
		ah = cm_ah_get(port, &out->av.attr);
	if (IS_ERR(ah)) {
		err = PTR_ERR(ah);
		/* Those two mean something else here. */
		return err == -EAGAIN || err == -EBUSY ? -ENOMEM : err;
	}

	cm_stall_posting(port);
	if (!cm_tx_take(&tx->posted, READ_ONCE(cm_send_budget))) {
		cm_ah_put(ah);
		return -EBUSY;
	}

	/* Counted first: the completion may be quicker than we are. */
	err = cm_tx_hand_over(port, out, ah);
	if (err) {
		cm_ah_put(ah);
		cm_tx_budget_put(tx);
		return err == -EAGAIN || err == -EBUSY ? -ENOMEM : err;
	}
	cm_stat(port, CM_STAT_TX, out->kind);
	if (out->retry)
		cm_stat(port, CM_STAT_TX_RETRIES, out->kind);
	return 0;
}

static void cm_tx_count_failure(struct cm_port *port, int err)
{
	if (err && err != -ENODEV)
		cm_stat_count(port, err == -ENOMEM ? CM_COUNT_TX_NOMEM : CM_COUNT_TX_ERRORS);
}

/* ---- deferred datagrams ---- */

/* The datagram is done, one way or the other. */
static void cm_tx_deferred_end(struct cm_port *port, struct cm_deferred *d, int err)
{
	struct cm_tx_port *tx = &port->tx;
	unsigned long flags;

	cm_tx_count_failure(port, err);
	cm_tx_settle_late(&d->out, err);
	cm_av_clear(&d->out.av);
	kfree(d);
	spin_lock_irqsave(&tx->lock, flags);
	tx->ndeferred--;
	spin_unlock_irqrestore(&tx->lock, flags);
}

/* Lets the datagram wait for what it lacks. False: the port is going. */
static bool cm_tx_wait_for(struct cm_port *port, struct cm_deferred *d, int lack)
{
	struct cm_tx_port *tx = &port->tx;
	unsigned long flags;
	bool stopped;

	spin_lock_irqsave(&tx->lock, flags);
	stopped = tx->stopped;
	if (stopped) {
		/* nothing waits any more */
	} else if (lack == -EAGAIN) {
		atomic_inc(&tx->resolving);
		queue_work(cm_tx_ah_wq, &d->work);
	} else {
		list_add_tail(&d->node, &tx->deferred);
		WRITE_ONCE(tx->nwaiting, tx->nwaiting + 1);
	}
	spin_unlock_irqrestore(&tx->lock, flags);

	if (!stopped && lack == -EBUSY && cm_tx_budget_free(tx))
		cm_tx_kick(tx);
	return !stopped;
}

static struct cm_deferred *cm_tx_deferred_pop(struct cm_tx_port *tx)
{
	struct cm_deferred *d;
	unsigned long flags;

	spin_lock_irqsave(&tx->lock, flags);
	d = list_first_entry_or_null(&tx->deferred, struct cm_deferred, node);
	if (d) {
		list_del(&d->node);
		WRITE_ONCE(tx->nwaiting, tx->nwaiting - 1);
	}
	spin_unlock_irqrestore(&tx->lock, flags);
	return d;
}

/* The work item of a datagram that needs an address handle. */
static void cm_tx_resolve(struct work_struct *work)
{
	struct cm_deferred *d = container_of(work, struct cm_deferred, work);
	struct cm_port *port = d->out.av.port;
	struct cm_device *dev = port->dev;
	int err = cm_tx_try(port, &d->out, true);

	if (err == -EBUSY && cm_tx_wait_for(port, d, err))
		dev = NULL;
	else
		cm_tx_deferred_end(port, d, err == -EBUSY ? -ENODEV : err);
	/* The waiter may end, and with it its hold on the port, at once. */
	if (atomic_dec_and_test(&port->tx.resolving))
		wake_up_var(&port->tx.resolving);
	if (dev)
		cm_device_put(dev);
}

/* How many may wait when a datagram of that kind comes. Parting messages are as many as ids were. */
static unsigned int cm_tx_may_wait(const struct cm_out *out)
{
	return out->kind == CM_MSG_DREQ || out->kind == CM_MSG_REJ ? CM_TX_PARTING : CM_TX_DEFERRED;
}

/* Takes the AV on success. lack: what the datagram waits for. */
static int cm_tx_defer(struct cm_port *port, struct cm_out *out, int lack)
{
	struct cm_tx_port *tx = &port->tx;
	struct cm_deferred *d;
	unsigned long flags;
	bool full;

	/* The timer will send it again: then as well as now. */
	if (lack == -EBUSY && out->retry)
		goto drop;

	spin_lock_irqsave(&tx->lock, flags);
	full = tx->ndeferred >= cm_tx_may_wait(out);
	if (!full)
		tx->ndeferred++;
	spin_unlock_irqrestore(&tx->lock, flags);
	if (full)
		goto drop;

	d = kmalloc(sizeof(*d), GFP_ATOMIC | __GFP_NOWARN);
	if (!d) {
		cm_stat_count(port, CM_COUNT_TX_NOMEM);
		goto undo;
	}
	memcpy(&d->out, out, sizeof(*out));
	INIT_WORK(&d->work, cm_tx_resolve);
	cm_device_hold(port->dev);
	if (cm_tx_wait_for(port, d, lack)) {
		memset(&out->av, 0, sizeof(out->av));
		return 0;
	}
	kfree(d);
	cm_device_put(port->dev);
	spin_lock_irqsave(&tx->lock, flags);
	tx->ndeferred--;
	spin_unlock_irqrestore(&tx->lock, flags);
	return -ENODEV;

undo:
	spin_lock_irqsave(&tx->lock, flags);
	tx->ndeferred--;
	spin_unlock_irqrestore(&tx->lock, flags);
	return -ENOMEM;
drop:
	cm_stat_count(port, CM_COUNT_TX_DROPPED);
	return -ENOMEM;
}

/* Posts or defers; consumes the AV; tells nobody. */
static int cm_tx_deliver(struct cm_out *out, bool may_sleep)
{
	struct cm_port *port = out->av.port;
	int err;

	/* Who waits for the budget is not overtaken. */
	if (READ_ONCE(port->tx.nwaiting))
		err = -EBUSY;
	else
		err = cm_tx_try(port, out, may_sleep);

	if (err == -EAGAIN || err == -EBUSY)
		err = cm_tx_defer(port, out, err);
	else
		cm_tx_count_failure(port, err);
	cm_av_clear(&out->av);
	return err;
}

/**
 * cm_tx_post() - sends a datagram, now or as soon as it can be sent
 * @out: the datagram; its AV is consumed. An empty AV: there is nothing to send
 * @may_sleep: an address handle may be made here
 *
 * Context: Any, without locks of ours; process context if @may_sleep.
 * Return: 0; -ENOMEM: lost, as the fabric might have lost it; else it cannot be
 * sent. A request that is not sent counts as completed, so that its timer sends it.
 */
int cm_tx_post(struct cm_out *out, bool may_sleep)
{
	int err;

	if (!out->av.port)
		return 0;
	err = cm_tx_deliver(out, may_sleep);
	if (err && out->request)
		cm_tx_settle(out->local_id, out->gen, CM_TX_LOST, IB_WC_SUCCESS);
	return err;
}

/**
 * cm_tx_send_handler() - the MAD layer is done with a datagram
 * @agent: its context is the port
 * @wc: the completion
 *
 * Context: Process context. The MAD layer holds the agent, and thereby the port.
 */
void cm_tx_send_handler(struct ib_mad_agent *agent, struct ib_mad_send_wc *wc)
{
	struct cm_port *port = agent->context;
	struct ib_mad_send_buf *buf = wc->send_buf;
	unsigned long ticket = (unsigned long)buf->context[0];
	struct cm_ah *ah = buf->context[1];
	enum ib_wc_status status = wc->status;
	enum cm_tx_fate fate;

	ib_free_send_mad(buf);
	cm_ah_put(ah);
	cm_stall_completed(port);
	cm_tx_budget_put(&port->tx);

	switch (status) {
	case IB_WC_SUCCESS:
		fate = CM_TX_DONE;
		break;
	case IB_WC_WR_FLUSH_ERR:
		fate = CM_TX_LOST;	/* QP 1 is being reset or goes away */
		break;
	default:
		fate = CM_TX_FAILED;
		cm_stat_count(port, CM_COUNT_TX_ERRORS);
	}
	if (ticket)
		cm_tx_settle((__force __be32)(u32)(ticket >> 32), (u32)ticket, fate, status);
}

/* ---- requests; the id's lock is held ---- */

static struct cm_tx_port *cm_req_tx(const struct cm_id *id)
{
	return &cm_device_port(id->dev, id->req.port)->tx;
}

/*
 * The reference of a timer that was not pending. There is another one if its
 * callback waits for the id's lock, which will see that it is too late: a timer's
 * callback runs again only when it has returned, so there is one such at most.
 */
static struct cm_hold *cm_req_timer_hold(struct cm_request *req)
{
	if (cm_hold_taken(&req->timed))
		cm_hold_pass(&req->timed, &req->late, CM_REF_TIMER);
	return &req->timed;
}

static void cm_req_arm(struct cm_id *id, unsigned long ms)
{
	/* The callback takes the id's lock first, so it cannot outrun the reference. */
	if (!mod_timer(&id->req.timer, jiffies + msecs_to_jiffies(ms)))
		cm_id_get(id, CM_REF_TIMER, cm_req_timer_hold(&id->req));
}

/* True: the node was in a queue, and its reference is the caller's now. */
static bool cm_req_unlist(struct cm_id *id)
{
	struct cm_request *req = &id->req;
	struct cm_tx_port *tx;
	bool was;

	if (!req->listed)
		return false;
	req->listed = false;
	tx = cm_req_tx(id);
	spin_lock(&tx->lock);
	was = !list_empty(&req->node);
	list_del_init(&req->node);
	spin_unlock(&tx->lock);
	return was;
}

/* Of a request that may be due already: then the reference of the node becomes the timer's. */
static void cm_req_rearm(struct cm_id *id, unsigned long ms)
{
	struct cm_request *req = &id->req;

	if (mod_timer(&req->timer, jiffies + msecs_to_jiffies(ms)))
		return;
	if (cm_req_unlist(id))
		cm_hold_pass(&req->placed, cm_req_timer_hold(req), CM_REF_TIMER);
	else
		cm_id_get(id, CM_REF_TIMER, cm_req_timer_hold(req));
}

static void cm_req_leave_window(struct cm_id *id)
{
	if (!id->req.windowed)
		return;
	id->req.windowed = false;
	cm_tx_window_put(cm_req_tx(id));
}

/* Answers, and DREQs, never queue behind fresh requests. */
static bool cm_req_is_fresh(enum cm_msg_kind kind)
{
	return kind == CM_MSG_REQ || kind == CM_MSG_SIDR_REQ;
}

/* Queues the request if the window is full. */
static bool cm_req_must_wait(struct cm_id *id)
{
	struct cm_request *req = &id->req;
	struct cm_tx_port *tx = cm_req_tx(id);
	bool stopped;

	if (list_empty(&tx->fresh) && cm_tx_window_take(tx)) {
		req->windowed = true;
		return false;
	}

	spin_lock(&tx->lock);
	stopped = tx->stopped;
	if (!stopped) {
		cm_id_get(id, CM_REF_PLACE, &req->placed);
		list_add_tail(&req->node, &tx->fresh);
	}
	spin_unlock(&tx->lock);
	if (stopped)
		return false;

	req->listed = true;
	req->queued = true;
	if (cm_tx_window_free(tx))
		cm_tx_kick(tx);
	return true;
}

static void cm_req_address(struct cm_out *out, const struct cm_id *id, bool retry)
{
	out->kind = id->req.kind;
	out->retry = retry;
	out->request = true;
	out->local_id = id->pub.local_id;
	out->gen = id->req.gen;
	out->pkey_index = CM_PKEY_LOOKUP;
	out->remote_qpn = id->pub.remote_cm_qpn;
}

/* The next copy of the request. */
static void cm_req_copy(struct cm_out *out, const struct cm_id *id, bool retry)
{
	cm_av_copy(&out->av, &id->av);
	cm_req_address(out, id, retry);
	if (id->req.image)
		memcpy(out->image, id->req.image, CM_MAD_SIZE);
	else
		cm_msg_dreq(out->image, id, NULL, 0);
}

/**
 * cm_req_begin() - an id sends a request and waits for its answer
 * @act: its out has the first copy and the address; empty on return if it has to wait
 * @kind: the message
 * @image: what to repeat, owned by the request from now on; NULL: a DREQ without private data
 * @retries: how often to repeat it
 * @wait_ms: how long to wait after each sending, in ms
 *
 * Context: Any; the id's lock is held.
 */
void cm_req_begin(struct cm_act *act, enum cm_msg_kind kind, u8 *image, u8 retries, u32 wait_ms)
{
	struct cm_id *id = act->id;
	struct cm_request *req = &id->req;

	cm_req_end(act);

	cm_id_get(id, CM_REF_REQUEST, &req->hold);
	req->active = true;
	req->image = image;
	req->kind = kind;
	req->gen++;
	id->asked = cm_now();
	req->sends_left = retries;
	req->wait_ms = max(wait_ms, 1u);
	req->errors = 0;
	req->port = act->out.av.port->num;
	cm_req_address(&act->out, id, false);

	if (image && cm_req_is_fresh(kind) && cm_req_must_wait(id)) {
		cm_av_clear(&act->out.av);
		return;
	}
	req->uncompleted = true;
	cm_req_arm(id, req->wait_ms);
}

/**
 * cm_req_end() - the request is answered, cancelled or given up
 * @act: gets the references and the image. Without a request nothing happens
 *
 * Context: Any; the id's lock is held.
 */
void cm_req_end(struct cm_act *act)
{
	struct cm_id *id = act->id;
	struct cm_request *req = &id->req;

	if (!req->active)
		return;
	req->active = false;
	cm_later_put(act, CM_REF_REQUEST, &req->hold);
	if (timer_delete(&req->timer))
		cm_later_put(act, CM_REF_TIMER, &req->timed);
	if (cm_req_unlist(id))
		cm_later_put(act, CM_REF_PLACE, &req->placed);
	cm_req_leave_window(id);
	req->queued = false;
	req->uncompleted = false;
	req->sends_left = 0;

	if (!act->dead_image)
		act->dead_image = req->image;
	else
		kfree(req->image);
	req->image = NULL;
}

/**
 * cm_req_repeat() - the answer is overdue and there are repetitions left
 * @act: its out gets the copy to send, unless the HCA has not completed the previous one
 *
 * A request that has timed out once leaves the window: its peer may be dead,
 * and delays no other's.
 *
 * Context: Any; the id's lock is held.
 */
void cm_req_repeat(struct cm_act *act)
{
	struct cm_id *id = act->id;
	struct cm_request *req = &id->req;

	if (!req->active || req->queued)
		return;
	if (req->sends_left)
		req->sends_left--;
	cm_req_leave_window(id);
	cm_req_rearm(id, req->wait_ms);
	if (req->uncompleted)
		return;
	req->uncompleted = true;
	cm_req_copy(&act->out, id, true);
}

/**
 * cm_req_again() - the peer shows that it has not got the request
 * @act: its out gets a copy to send, unless the HCA has not completed the previous one
 *
 * The timer and what it may spend stay as they are: a peer that asks more often
 * is answered more often, and does not make us give up earlier.
 *
 * Context: Any; the id's lock is held.
 */
void cm_req_again(struct cm_act *act)
{
	struct cm_request *req = &act->id->req;

	if (!req->active || req->queued || req->uncompleted)
		return;
	req->uncompleted = true;
	cm_req_copy(&act->out, act->id, false);
}

/**
 * cm_req_stretch() - the peer asks for more time (MRA, 12.6.6)
 * @id: whose request
 * @ms: this one wait lasts until so many ms from now
 *
 * The peer has the request, so it leaves the window.
 *
 * Context: Any; the id's lock is held.
 */
void cm_req_stretch(struct cm_id *id, u32 ms)
{
	struct cm_request *req = &id->req;

	if (!req->active || req->queued)
		return;
	cm_req_leave_window(id);
	cm_req_rearm(id, ms);
}

/**
 * cm_req_completed() - the HCA is done with a copy of the request
 * @id: whose request; the caller has compared the generation
 * @ok: it was sent
 *
 * Context: Any; the id's lock is held.
 */
void cm_req_completed(struct cm_id *id, bool ok)
{
	struct cm_request *req = &id->req;

	req->uncompleted = false;
	if (ok)
		req->errors = 0;
	else if (req->errors < U8_MAX)
		req->errors++;
}

/**
 * cm_req_current() - is a request the outstanding one?
 * @id: whose request
 * @gen: the request that a completion or a timer speaks of
 *
 * Context: Any; the id's lock is held.
 * Return: Whether it is.
 */
bool cm_req_current(const struct cm_id *id, u32 gen)
{
	return id->req.active && id->req.gen == gen;
}

/**
 * cm_req_due() - is the answer to a request overdue?
 * @id: whose request
 * @gen: the request whose timer has fired
 *
 * Context: Any; the id's lock is held.
 * Return: False if the wait was ended, renewed or stretched since the timer fired.
 */
bool cm_req_due(const struct cm_id *id, u32 gen)
{
	return cm_req_current(id, gen) && !id->req.queued && !timer_pending(&id->req.timer);
}

/**
 * cm_req_errors_left() - may sending be tried again after one more error?
 * @id: whose request; the error is not counted yet
 *
 * Context: Any; the id's lock is held.
 * Return: False if it is the CM_SEND_ERRORSth in a row.
 */
bool cm_req_errors_left(const struct cm_id *id)
{
	return id->req.errors + 1 < CM_SEND_ERRORS;
}

/* ---- time-outs ---- */

/* The answer is overdue. The timer's reference is ours: it goes to the queue, or is dropped. */
static void cm_req_overdue(struct timer_list *timer)
{
	struct cm_id *id = timer_container_of(id, timer, req.timer);
	struct cm_request *req = &id->req;
	struct cm_hold hold = {};
	struct cm_tx_port *tx;
	unsigned long flags;
	bool queued = false;

	spin_lock_irqsave(&id->lock, flags);
	cm_hold_pass(cm_hold_taken(&req->late) ? &req->late : &req->timed, &hold, CM_REF_TIMER);
	if (cm_req_due(id, req->gen)) {
		tx = cm_req_tx(id);
		spin_lock(&tx->lock);
		if (!tx->stopped && list_empty(&req->node)) {
			cm_hold_pass(&hold, &req->placed, CM_REF_PLACE);
			list_add_tail(&req->node, &tx->due);
			queue_work(cm_tx_wq, &tx->work);
			req->listed = true;
			queued = true;
		}
		spin_unlock(&tx->lock);
	}
	spin_unlock_irqrestore(&id->lock, flags);
	if (!queued)
		cm_id_put(id, CM_REF_TIMER, &hold);
}

/*
 * The node's reference goes to the caller. A node in a queue is that of the
 * current request, for ending one takes it out: so gen is the right one.
 */
static struct cm_id *cm_tx_pop(struct cm_tx_port *tx, struct list_head *queue, u32 *gen,
			       struct cm_hold *hold)
{
	struct cm_id *id;
	unsigned long flags;

	spin_lock_irqsave(&tx->lock, flags);
	id = list_first_entry_or_null(queue, struct cm_id, req.node);
	if (id) {
		*gen = id->req.gen;
		cm_hold_pass(&id->req.placed, hold, CM_REF_PLACE);
		list_del_init(&id->req.node);
	}
	spin_unlock_irqrestore(&tx->lock, flags);
	return id;
}

static noinline_for_stack void cm_tx_time_out(struct cm_id *id, u32 gen)
{
	struct cm_act act = {
		.id = id,
		.list = CM_DECIDE_TIMEOUT,
		.gen = gen,
	};
	unsigned long flags;

	if (cm_act_run(&act) != -EAGAIN)
		return;
	/* The consumer has not taken what is queued for it: the event waits with the timer. */
	spin_lock_irqsave(&id->lock, flags);
	if (cm_req_due(id, gen))
		cm_req_arm(id, CM_TX_AGAIN_MS);
	spin_unlock_irqrestore(&id->lock, flags);
}

/* Sends the first copy of a request that has waited. False: the request is over. */
static noinline_for_stack bool cm_tx_launch(struct cm_id *id, u32 gen)
{
	struct cm_request *req = &id->req;
	struct cm_out out = {};
	unsigned long flags;
	int err;

	spin_lock_irqsave(&id->lock, flags);
	if (!cm_req_current(id, gen) || !req->queued) {
		spin_unlock_irqrestore(&id->lock, flags);
		return false;
	}
	req->queued = false;
	req->listed = false;
	req->windowed = true;
	req->uncompleted = true;
	cm_req_copy(&out, id, false);
	cm_req_arm(id, req->wait_ms);
	spin_unlock_irqrestore(&id->lock, flags);

	err = cm_tx_deliver(&out, false);
	cm_tx_settle_late(&out, err);
	return true;
}

static void cm_tx_serve_due(struct cm_tx_port *tx)
{
	struct cm_hold hold = {};
	struct cm_id *id;
	u32 gen;

	while ((id = cm_tx_pop(tx, &tx->due, &gen, &hold))) {
		cm_tx_time_out(id, gen);
		cm_id_put(id, CM_REF_PLACE, &hold);
		cond_resched();
	}
}

static void cm_tx_serve_deferred(struct cm_port *port)
{
	struct cm_tx_port *tx = &port->tx;
	struct cm_deferred *d;

	while (cm_tx_budget_free(tx) && (d = cm_tx_deferred_pop(tx))) {
		struct cm_device *dev = port->dev;
		int err = cm_tx_try(port, &d->out, false);

		if ((err == -EAGAIN || err == -EBUSY) && !cm_tx_wait_for(port, d, err))
			err = -ENODEV;
		if (err != -EAGAIN && err != -EBUSY) {
			cm_tx_deferred_end(port, d, err);
			cm_device_put(dev);
		}
		cond_resched();
	}
}

static void cm_tx_serve_fresh(struct cm_tx_port *tx)
{
	struct cm_hold hold = {};
	struct cm_id *id;
	u32 gen;

	while (!list_empty(&tx->fresh) && cm_tx_window_take(tx)) {
		id = cm_tx_pop(tx, &tx->fresh, &gen, &hold);
		if (!id || !cm_tx_launch(id, gen))
			cm_tx_window_put(tx);
		if (id)
			cm_id_put(id, CM_REF_PLACE, &hold);
		cond_resched();
	}
}

static void cm_tx_work(struct work_struct *work)
{
	struct cm_port *port = container_of(work, struct cm_port, tx.work);

	cm_tx_serve_due(&port->tx);
	cm_tx_serve_deferred(port);
	cm_tx_serve_fresh(&port->tx);
}

/* ---- ids, ports and the module ---- */

/**
 * cm_request_init() - prepares the request of a new id
 * @id: not published
 *
 * Context: Any.
 */
void cm_request_init(struct cm_id *id)
{
	timer_setup(&id->req.timer, cm_req_overdue, 0);
	INIT_LIST_HEAD(&id->req.node);
}

/**
 * cm_tx_port_init() - prepares a port for sending
 * @port: the port
 *
 * Context: Any.
 */
void cm_tx_port_init(struct cm_port *port)
{
	struct cm_tx_port *tx = &port->tx;

	atomic_set(&tx->posted, 0);
	atomic_set(&tx->window, 0);
	atomic_set(&tx->resolving, 0);
	spin_lock_init(&tx->lock);
	INIT_LIST_HEAD(&tx->due);
	INIT_LIST_HEAD(&tx->fresh);
	INIT_LIST_HEAD(&tx->deferred);
	tx->nwaiting = 0;
	tx->ndeferred = 0;
	INIT_WORK(&tx->work, cm_tx_work);
	tx->stopped = false;
}

static void cm_tx_forget(struct cm_tx_port *tx, struct list_head *queue)
{
	struct cm_hold hold = {};
	struct cm_id *id;
	u32 gen;

	while ((id = cm_tx_pop(tx, queue, &gen, &hold))) {
		cm_id_put(id, CM_REF_PLACE, &hold);
		cond_resched();
	}
}

/**
 * cm_tx_port_stop() - drops what waits to be sent; nothing waits any more
 * @port: the port
 *
 * A request whose place in a queue is dropped stays outstanding: what the
 * removal does to its id ends it. When this returns, no AV of a deferred
 * datagram holds a GID, and no address handle is being made for one.
 *
 * Context: Process context, may sleep.
 */
void cm_tx_port_stop(struct cm_port *port)
{
	struct cm_tx_port *tx = &port->tx;
	struct cm_device *dev = port->dev;
	struct cm_deferred *d;

	spin_lock_irq(&tx->lock);
	tx->stopped = true;
	spin_unlock_irq(&tx->lock);
	cancel_work_sync(&tx->work);

	cm_tx_forget(tx, &tx->due);
	cm_tx_forget(tx, &tx->fresh);
	while ((d = cm_tx_deferred_pop(tx))) {
		cm_tx_deferred_end(port, d, -ENODEV);
		cm_device_put(dev);
	}
	wait_var_event(&tx->resolving, !atomic_read(&tx->resolving));
}

/**
 * cm_tx_init() - makes the queues that sending runs on
 *
 * Context: Process context, may sleep.
 * Return: 0 or a negative errno.
 */
int cm_tx_init(void)
{
	cm_tx_wq = alloc_workqueue("ib_cm_tx", WQ_UNBOUND | WQ_MEM_RECLAIM, WQ_MAX_ACTIVE);
	if (!cm_tx_wq)
		return -ENOMEM;
	cm_tx_ah_wq = alloc_workqueue("ib_cm_tx_ah", WQ_UNBOUND | WQ_MEM_RECLAIM, WQ_MAX_ACTIVE);
	if (!cm_tx_ah_wq) {
		destroy_workqueue(cm_tx_wq);
		return -ENOMEM;
	}
	return 0;
}

/**
 * cm_tx_exit() - frees the queues
 *
 * Context: Process context, may sleep; after the last port.
 */
void cm_tx_exit(void)
{
	destroy_workqueue(cm_tx_ah_wq);
	destroy_workqueue(cm_tx_wq);
}
