// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * What is left of a connection once it is over.
 *
 * Owns: struct cm_rec from its making to its freeing, the expiry queues of a
 * port, the kept answers, the state of the machine "tw".
 *
 * Locks: cm_id.lock -> cm_tw_port.lock -> the xarray's lock. cm_tw_port.lock is
 * irq-safe; an id is told of its expiry without it.
 *
 * References: a record holds its port's device until its grace period is over.
 * A record of an id is freed by what happens to the id, an orphan by its expiry
 * or by the removal of its port; the state, under cm_tw_port.lock, says which
 * of them comes first, and only that one sees CM_DO_TW_FREE.
 *
 * A record whose id is being told of its expiry is past its time: if the id
 * goes before it takes note, there is nothing to keep.
 */
#include <linux/slab.h>

#include "apply.h"
#include "id.h"
#include "lookup.h"
#include "msg.h"
#include "probe_hook.h"
#include "reply.h"
#include "timewait.h"
#include "trace.h"

#define CM_TW_BATCH	16	/* records that expire in one hold of the lock */
#define CM_TW_AGAIN	15	/* 128 ms, for an id that had no room for the event */
#define CM_TW_SIDR	20	/* 4.1 s, in which a SIDR_REQ may still be repeated */

/* What a row's verbs leave to do once the port's lock is dropped. */
#define CM_TW_LATER_TELL	0x01
#define CM_TW_LATER_FREE_ID	0x02
#define CM_TW_LATER_FREE	0x04
#define CM_TW_LATER_ANSWER	0x08

static struct workqueue_struct *cm_tw_wq;
static LLIST_HEAD(cm_tw_dead);

/* ---- the queues of a port; cm_tw_port.lock is held ---- */

static void cm_tw_arm(struct cm_tw_port *tw, u32 when)
{
	long delay = (s32)(when - (u32)jiffies);

	if (tw->armed && (s32)(when - tw->next) >= 0)
		return;
	tw->armed = true;
	tw->next = when;
	mod_delayed_work(cm_tw_wq, &tw->work, max(delay, 1L));
}

static void cm_tw_queue(struct cm_rec *rec)
{
	struct cm_tw_port *tw = &rec->port->tw;

	if (tw->stopped || !list_empty(&rec->expiry))
		return;
	/* A tick more, so that no part of the current one is counted. */
	rec->expires = (u32)jiffies + msecs_to_jiffies(cm_time_ms(rec->timeout)) + 1;
	list_add_tail(&rec->expiry, &tw->queue[rec->timeout]);
	tw->count++;
	cm_tw_arm(tw, rec->expires);
}

static void cm_tw_unqueue(struct cm_rec *rec)
{
	if (list_empty(&rec->expiry))
		return;
	list_del_init(&rec->expiry);
	rec->port->tw.count--;
}

/* ---- the machine ---- */

static unsigned int cm_tw_do(struct cm_rec *rec, u8 verb, struct cm_id *id)
{
	switch (verb) {
	case CM_DO_TW_QUEUE:
		cm_tw_queue(rec);
		return 0;
	case CM_DO_TW_UNQUEUE:
		cm_tw_unqueue(rec);
		return 0;
	case CM_DO_TW_HAND_OVER:
		cm_local_hand_over(id, rec);
		return 0;
	case CM_DO_TW_TELL_ID:
		return CM_TW_LATER_TELL;
	case CM_DO_TW_FREE_ID:
		return CM_TW_LATER_FREE_ID;
	case CM_DO_TW_ANSWER:
		return CM_TW_LATER_ANSWER;
	case CM_DO_TW_FREE:
		WRITE_ONCE(rec->links, 0);
		if (rec->answer && (rec->tables & CM_LINK_SIDR))
			rec->port->tw.answers--;
		return CM_TW_LATER_FREE;
	default:
		return 0;	/* the id's pointer is the caller's to set: TW_BIND, TW_UNBIND */
	}
}

/*
 * Applies the row of an event; the only writer of a record's state. Returns what
 * is to be done after the lock.
 * id: who hands its number over, or NULL.
 */
static unsigned int cm_tw_apply(struct cm_rec *rec, u8 event, struct cm_id *id)
{
	const struct cm_row *row = cm_tw_row(event, rec->state);
	unsigned int later = 0;
	unsigned int i;

	lockdep_assert_held(&rec->port->tw.lock);
	cm_probe_cell(CM_MACHINE_TW, event, rec->state);

	for (i = 0; i < CM_ROW_LOCKED && row->locked[i] != CM_DO_NOTHING; i++)
		later |= cm_tw_do(rec, row->locked[i], id);
	for (i = 0; i < CM_ROW_POST && row->post[i] != CM_DO_NOTHING; i++)
		later |= cm_tw_do(rec, row->post[i], id);
	if (row->next != CM_STAY)
		WRITE_ONCE(rec->state, row->next);
	return later;
}

/* ---- making and freeing ---- */

/**
 * cm_rec_alloc() - makes a record
 * @port: whose queues it will wait in; its device is held
 * @gfp: for the memory
 *
 * Context: As @gfp says.
 * Return: The record, nobody's, without keys; or NULL.
 */
struct cm_rec *cm_rec_alloc(struct cm_port *port, gfp_t gfp)
{
	struct cm_rec *rec = kzalloc(sizeof(*rec), gfp);

	if (!rec)
		return NULL;
	INIT_LIST_HEAD(&rec->expiry);
	rec->port = port;
	cm_device_hold(port->dev);
	cm_probe_live(0, 1);
	return rec;
}

static void cm_rec_free(struct rcu_head *rcu)
{
	struct cm_rec *rec = container_of(rcu, struct cm_rec, rcu);
	struct cm_device *dev = rec->port->dev;

	kfree(rec->answer);
	kfree(rec);
	cm_probe_live(0, -1);
	cm_device_put(dev);
}

/* Interrupts are on. */
static void cm_rec_bury(struct cm_rec *rec)
{
	cm_unlink_rec(rec);
	call_rcu(&rec->rcu, cm_rec_free);
}

static void cm_tw_reap(struct work_struct *work)
{
	struct llist_node *dead = llist_del_all(&cm_tw_dead);
	struct cm_rec *rec, *next;

	llist_for_each_entry_safe(rec, next, dead, dead) {
		cm_rec_bury(rec);
		cond_resched();
	}
}

static DECLARE_WORK(cm_tw_reaper, cm_tw_reap);

/**
 * cm_rec_dispose() - out of every table and queue, freed after a grace period
 * @rec: nobody's any more; NULL is fine
 *
 * Context: Any, also under the lock of an id.
 */
void cm_rec_dispose(struct cm_rec *rec)
{
	struct cm_tw_port *tw;
	unsigned long flags;

	if (!rec)
		return;

	/* Free already: prepared and not used, or what the machine has let go. */
	if (READ_ONCE(rec->state) != CM_TW_FREE) {
		tw = &rec->port->tw;
		spin_lock_irqsave(&tw->lock, flags);
		cm_tw_apply(rec, CM_TW_ON_RELEASE, NULL);
		cm_tw_unqueue(rec);
		spin_unlock_irqrestore(&tw->lock, flags);
	}

	WRITE_ONCE(rec->links, 0);
	if (!irqs_disabled())
		cm_rec_bury(rec);
	else if (llist_add(&rec->dead, &cm_tw_dead))
		queue_work(cm_tw_wq, &cm_tw_reaper);
}

/* After the lock: what the verbs of an orphan's end have left. */
static void cm_tw_finish(struct cm_rec *rec, unsigned int later)
{
	if (later & CM_TW_LATER_FREE_ID)
		cm_local_remove_rec(rec);
	if (later & CM_TW_LATER_FREE)
		cm_rec_dispose(rec);
}

static struct cm_answer *cm_answer_alloc(const void *data, u16 len)
{
	struct cm_answer *answer = kmalloc(struct_size(answer, data, len),
					   GFP_ATOMIC | __GFP_NOWARN);

	if (answer) {
		answer->len = len;
		memcpy(answer->data, data, len);
	}
	return answer;
}

/* ---- verbs of the id machine; the id's lock is held ---- */

/* The id has a record no more; it goes with the act, after the lock. */
static void cm_tw_part(struct cm_act *act)
{
	struct cm_rec *rec = act->id->rec;

	act->id->rec = NULL;
	if (act->dead_rec)
		cm_rec_dispose(rec);
	else
		act->dead_rec = rec;
}

/* On the passive side it is the peer's word, which must not keep a record for hours. */
static u8 cm_tw_duration(const struct cm_id *id)
{
	return min_t(u8, id->av.timeout, id->active ? 31 : CM_PEER_TIMEOUT_MAX);
}

/**
 * cm_tw_reserve() - an id takes a record
 * @id: has it, and its own number and attempt, already
 *
 * Context: Any; the id's lock is held.
 */
void cm_tw_reserve(struct cm_id *id)
{
	struct cm_rec *rec = id->rec;
	struct cm_tw_port *tw = &rec->port->tw;
	unsigned long flags;

	spin_lock_irqsave(&tw->lock, flags);
	WRITE_ONCE(rec->local_id, id->pub.local_id);
	rec->gen = id->gen;
	cm_tw_apply(rec, CM_TW_ON_RESERVE, NULL);
	spin_unlock_irqrestore(&tw->lock, flags);
}

/**
 * cm_tw_start() - the id enters TIMEWAIT (12.9.8.4)
 * @id: its record stays its own and is queued for packet life time and ACK delay
 *
 * Context: Any; the id's lock is held.
 */
void cm_tw_start(struct cm_id *id)
{
	struct cm_rec *rec = id->rec;
	struct cm_tw_port *tw;
	unsigned long flags;

	if (WARN_ON_ONCE(!rec))
		return;

	tw = &rec->port->tw;
	spin_lock_irqsave(&tw->lock, flags);
	rec->timeout = cm_tw_duration(id);
	cm_tw_apply(rec, CM_TW_ON_START, NULL);
	spin_unlock_irqrestore(&tw->lock, flags);
}

/**
 * cm_tw_orphan() - the id goes; its record lives on by itself
 * @act: what happens to the id, whose local comm id goes to the record
 *
 * A record that is past its time, or whose port is going, lives on no longer,
 * and does not take the local comm id over: the row's DISOWN frees it.
 *
 * Context: Any; the id's lock is held.
 */
void cm_tw_orphan(struct cm_act *act)
{
	struct cm_id *id = act->id;
	struct cm_rec *rec = id->rec;
	struct cm_answer *answer = NULL;
	struct cm_tw_port *tw;
	unsigned long flags;
	unsigned int later;
	bool in_timewait;

	if (!rec)
		return;

	/* What an id in TIMEWAIT has to repeat is the DREP's private data. */
	in_timewait = READ_ONCE(rec->state) != CM_TW_RESERVED;
	if (in_timewait && id->data && id->data_len && id->data_kind == CM_MSG_DREP)
		answer = cm_answer_alloc(id->data, id->data_len);

	tw = &rec->port->tw;
	spin_lock_irqsave(&tw->lock, flags);
	rec->local_qpn = id->local_qpn;
	rec->answer = answer;
	if (!in_timewait)
		rec->timeout = cm_tw_duration(id);
	later = cm_tw_apply(rec, tw->stopped ? CM_TW_ON_RELEASE : CM_TW_ON_ORPHAN, id);
	spin_unlock_irqrestore(&tw->lock, flags);

	if (later & CM_TW_LATER_FREE)
		cm_tw_part(act);
	id->rec = NULL;
}

/**
 * cm_tw_release() - the id's record goes, with the act
 * @act: what happens to the id
 *
 * Context: Any; the id's lock is held.
 */
void cm_tw_release(struct cm_act *act)
{
	struct cm_rec *rec = act->id->rec;
	struct cm_tw_port *tw;
	unsigned long flags;

	if (!rec)
		return;

	tw = &rec->port->tw;
	spin_lock_irqsave(&tw->lock, flags);
	cm_tw_apply(rec, CM_TW_ON_RELEASE, NULL);
	spin_unlock_irqrestore(&tw->lock, flags);
	cm_tw_part(act);
}

/**
 * cm_tw_keep_answer() - a SIDR request was answered; keeps the answer for its repetitions
 * @act: has the SIDR_REP in its out
 *
 * The requester repeats a request whose answer was lost (12.11.1): without the
 * answer, the consumer would be asked twice. At most CM_TW_ANSWERS are kept;
 * what has no place is forgotten.
 *
 * Context: Any; the id's lock is held.
 */
void cm_tw_keep_answer(struct cm_act *act)
{
	struct cm_rec *rec = act->id->rec;
	struct cm_answer *answer;
	struct cm_tw_port *tw;
	unsigned long flags;
	bool keep;

	if (!rec)
		return;

	answer = cm_answer_alloc(act->out.image, CM_MAD_SIZE);
	tw = &rec->port->tw;
	spin_lock_irqsave(&tw->lock, flags);
	keep = answer && !tw->stopped && tw->answers < CM_TW_ANSWERS;
	if (keep) {
		tw->answers++;
		rec->answer = answer;
		rec->timeout = CM_TW_SIDR;
		cm_tw_apply(rec, CM_TW_ON_ANSWERED, NULL);
	}
	spin_unlock_irqrestore(&tw->lock, flags);

	if (keep) {
		act->id->rec = NULL;
	} else {
		kfree(answer);
		cm_tw_release(act);
	}
}

/* ---- messages for orphans ---- */

/* Is a DREQ about the connection that the record is left of? */
static bool cm_tw_is_dreq_of(const struct cm_rec *rec, const struct ib_mad *in)
{
	return cm_msg_local_comm_id(in) == rec->remote_id &&
	       cm_dreq_qpn(in) == rec->local_qpn;
}

/**
 * cm_tw_message() - a message for a local comm id that no id has
 * @local_id: the comm id
 * @port: where it came in
 * @wc: the datagram; consumed if the result is true
 *
 * A repeated DREQ gets the DREP again, with the DREP's private data (12.9.8.4).
 *
 * Context: Any.
 * Return: true: there was an orphan and the message is dealt with.
 */
bool cm_tw_message(__be32 local_id, struct cm_port *port, struct ib_mad_recv_wc *wc)
{
	const struct ib_mad *in = (const void *)wc->recv_buf.mad;
	u8 image[CM_MAD_SIZE] __aligned(8);
	const struct cm_answer *answer;
	unsigned int later = 0;
	enum cm_msg_kind kind;
	struct cm_rec *rec;
	unsigned long flags;
	bool ours;
	u8 event;

	rcu_read_lock();
	rec = cm_local_rec(local_id);
	if (!rec || !cm_msg_known(in, &kind)) {
		rcu_read_unlock();
		return false;
	}
	event = kind == CM_MSG_DREQ ? CM_TW_ON_DREQ : CM_TW_ON_OTHER;
	ours = kind != CM_MSG_DREQ || cm_tw_is_dreq_of(rec, in);
	if (ours) {
		spin_lock_irqsave(&rec->port->tw.lock, flags);
		if (rec->state == CM_TW_ORPHAN)
			later = cm_tw_apply(rec, event, NULL);
		spin_unlock_irqrestore(&rec->port->tw.lock, flags);
	}
	if (later & CM_TW_LATER_ANSWER) {
		answer = rec->answer;
		cm_msg_reply_drep(image, in, answer ? answer->data : NULL,
				  answer ? answer->len : 0);
	}
	rcu_read_unlock();

	cm_trace_no_id(kind, in);
	if (later & CM_TW_LATER_ANSWER) {
		cm_stat(port, CM_STAT_RX_DUPLICATES, CM_MSG_DREQ);
		cm_reply(port, wc, CM_MSG_DREP, image);
	} else {
		cm_stat_count(port, ours ? CM_COUNT_RX_LATE : CM_COUNT_RX_FOREIGN);
		ib_free_recv_mad(wc);
	}
	return true;
}

/**
 * cm_tw_repeated() - a request that a record without an id has seen before
 * @rec: the request's own record, whose claim was answered CM_CLAIM_REPEATED
 * @port: where it came in
 * @kind: CM_MSG_REQ or CM_MSG_SIDR_REQ
 * @wc: the datagram; consumed if the result is true
 *
 * A SIDR_REQ gets the kept answer. A REQ whose connection is over gets none:
 * its requester has the DREQ.
 *
 * Context: Any.
 * Return: true: it is dealt with; false: there is no such record any more.
 */
bool cm_tw_repeated(const struct cm_rec *rec, struct cm_port *port, enum cm_msg_kind kind,
		    struct ib_mad_recv_wc *wc)
{
	u8 image[CM_MAD_SIZE] __aligned(8);
	unsigned int later = 0;
	struct cm_rec *twin;
	unsigned long flags;
	bool orphan;

	rcu_read_lock();
	twin = cm_find_twin(rec, kind);
	if (!twin || twin->tid != rec->tid) {
		rcu_read_unlock();
		return false;
	}
	spin_lock_irqsave(&twin->port->tw.lock, flags);
	orphan = twin->state == CM_TW_ORPHAN;
	if (orphan)
		later = cm_tw_apply(twin, CM_TW_ON_REPEATED, NULL);
	spin_unlock_irqrestore(&twin->port->tw.lock, flags);
	if (!orphan) {
		rcu_read_unlock();
		return false;
	}
	if (kind != CM_MSG_SIDR_REQ || !twin->answer || twin->answer->len != CM_MAD_SIZE)
		later = 0;
	if (later & CM_TW_LATER_ANSWER)
		memcpy(image, twin->answer->data, CM_MAD_SIZE);
	rcu_read_unlock();

	cm_stat(port, CM_STAT_RX_DUPLICATES, kind);
	if (later & CM_TW_LATER_ANSWER)
		cm_reply(port, wc, CM_MSG_SIDR_REP, image);
	else
		ib_free_recv_mad(wc);
	return true;
}

/* ---- expiry ---- */

/* A record that expired, and how to find its id: the record itself is not to be touched. */
struct cm_tw_due {
	struct cm_rec *rec;
	__be32 local_id;
	u16 gen;
	u8 later;
};

/* The id has no room for another event: once more, later. */
static void cm_tw_postpone(struct cm_id *id, const struct cm_tw_due *due)
{
	struct cm_rec *rec = due->rec;
	unsigned long flags;

	spin_lock_irqsave(&id->lock, flags);
	if (id->rec == rec && rec->gen == due->gen) {
		struct cm_tw_port *tw = &rec->port->tw;

		spin_lock(&tw->lock);
		if (rec->state == CM_TW_EXPIRING) {
			rec->timeout = CM_TW_AGAIN;
			cm_tw_apply(rec, CM_TW_ON_POSTPONED, NULL);
		}
		spin_unlock(&tw->lock);
	}
	spin_unlock_irqrestore(&id->lock, flags);
}

static noinline_for_stack void cm_tw_tell(const struct cm_tw_due *due)
{
	struct cm_act act = {
		.list = CM_DECIDE_TW_EXPIRY,
		.expired = due->rec,
		.gen = due->gen,
	};
	struct cm_hold hold = {};

	act.id = cm_local_get(due->local_id, &hold);
	if (!act.id)
		return;
	if (cm_act_run(&act) == -EAGAIN)
		cm_tw_postpone(act.id, due);
	cm_id_put(act.id, CM_REF_LOOKUP, &hold);
}

/*
 * Takes up to CM_TW_BATCH records whose time is over. With fewer, all that are
 * left wait, and the work is armed for the first of them.
 */
static unsigned int cm_tw_collect(struct cm_tw_port *tw, struct cm_tw_due *due)
{
	unsigned int n = 0;
	unsigned int i;

	spin_lock_irq(&tw->lock);
	tw->armed = false;
	for (i = 0; i < ARRAY_SIZE(tw->queue); i++) {
		struct cm_rec *rec;

		while (n < CM_TW_BATCH &&
		       (rec = list_first_entry_or_null(&tw->queue[i], struct cm_rec, expiry)) &&
		       (s32)((u32)jiffies - rec->expires) >= 0) {
			cm_tw_unqueue(rec);
			due[n++] = (struct cm_tw_due) {
				.rec = rec,
				.local_id = rec->local_id,
				.gen = rec->gen,
				.later = cm_tw_apply(rec, CM_TW_ON_EXPIRED, NULL),
			};
		}
	}
	for (i = 0; n < CM_TW_BATCH && !tw->stopped && i < ARRAY_SIZE(tw->queue); i++) {
		const struct cm_rec *rec;

		rec = list_first_entry_or_null(&tw->queue[i], struct cm_rec, expiry);
		if (rec)
			cm_tw_arm(tw, rec->expires);
	}
	spin_unlock_irq(&tw->lock);
	return n;
}

static void cm_tw_expire(struct work_struct *work)
{
	struct cm_tw_port *tw = container_of(to_delayed_work(work), struct cm_tw_port, work);
	struct cm_tw_due due[CM_TW_BATCH];
	unsigned int i, n;

	do {
		n = cm_tw_collect(tw, due);
		for (i = 0; i < n; i++) {
			if (due[i].later & CM_TW_LATER_TELL)
				cm_tw_tell(&due[i]);
			else
				cm_tw_finish(due[i].rec, due[i].later);
		}
		cond_resched();
	} while (n == CM_TW_BATCH);
}

/* ---- ports and the module ---- */

/**
 * cm_tw_port_init() - makes the queues of a port
 * @port: the port
 *
 * Context: Any.
 */
void cm_tw_port_init(struct cm_port *port)
{
	struct cm_tw_port *tw = &port->tw;
	unsigned int i;

	spin_lock_init(&tw->lock);
	for (i = 0; i < ARRAY_SIZE(tw->queue); i++)
		INIT_LIST_HEAD(&tw->queue[i]);
	INIT_DELAYED_WORK(&tw->work, cm_tw_expire);
	tw->count = 0;
	tw->answers = 0;
	tw->armed = false;
	tw->stopped = false;
}

/**
 * cm_tw_port_stop() - the port goes: orphans go at once, records of ids leave the queues
 * @port: the port
 *
 * Context: Process context, may sleep.
 */
void cm_tw_port_stop(struct cm_port *port)
{
	struct cm_tw_port *tw = &port->tw;
	unsigned int i;

	spin_lock_irq(&tw->lock);
	tw->stopped = true;
	spin_unlock_irq(&tw->lock);
	cancel_delayed_work_sync(&tw->work);

	for (i = 0; i < ARRAY_SIZE(tw->queue); i++) {
		struct cm_rec *rec;
		unsigned int later;

		do {
			later = 0;
			spin_lock_irq(&tw->lock);
			rec = list_first_entry_or_null(&tw->queue[i], struct cm_rec, expiry);
			if (rec) {
				cm_tw_unqueue(rec);
				later = cm_tw_apply(rec, CM_TW_ON_REMOVED, NULL);
			}
			spin_unlock_irq(&tw->lock);
			if (later)
				cm_tw_finish(rec, later);
			cond_resched();
		} while (rec);
	}
}

/**
 * cm_tw_init() - makes the queue that expiry runs on
 *
 * Context: Process context, may sleep.
 * Return: 0 or a negative errno.
 */
int cm_tw_init(void)
{
	cm_tw_wq = alloc_workqueue("ib_cm_timewait", WQ_UNBOUND | WQ_MEM_RECLAIM, WQ_MAX_ACTIVE);
	return cm_tw_wq ? 0 : -ENOMEM;
}

/**
 * cm_tw_exit() - waits until every record is freed
 *
 * Context: Process context, may sleep; after the last port.
 */
void cm_tw_exit(void)
{
	destroy_workqueue(cm_tw_wq);
	rcu_barrier();
}
