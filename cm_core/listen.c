// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Listeners, their shares, and the turns that claimed requests take.
 *
 * Owns: struct cm_listener, the table of a device's listeners, the machine
 * "share" (its state is written in cm_share_apply() only).
 *
 * Lock order and lifetimes: see listen.h. Destroy of a share returns early while
 * others remain; the last share's destroy waits as every destroy does, for the
 * turns are LISTENER references to the listener's id.
 */
#include <linux/hash.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "apply.h"
#include "event.h"
#include "listen.h"
#include "params.h"
#include "port.h"
#include "probe_hook.h"
#include "verbs.h"

/* Service ids that we assign: IB_CM_ASSIGN_SERVICE_ID and up */
static atomic64_t cm_assigned = ATOMIC64_INIT(0);

/**
 * cm_listeners_init - an empty table
 * @listeners: of a new device
 *
 * Context: any.
 */
void cm_listeners_init(struct cm_listeners *listeners)
{
	unsigned int i;

	spin_lock_init(&listeners->lock);
	for (i = 0; i < ARRAY_SIZE(listeners->hash); i++)
		INIT_HLIST_HEAD(&listeners->hash[i]);
}

static struct hlist_head *cm_listener_chain(struct cm_listeners *listeners, __be64 service_id)
{
	return &listeners->hash[hash_64((__force u64)service_id, CM_LISTEN_BITS)];
}

/* Under RCU or the table's lock. */
static struct cm_listener *cm_listener_find(struct cm_listeners *listeners, __be64 service_id)
{
	struct cm_listener *listener;

	hlist_for_each_entry_rcu(listener, cm_listener_chain(listeners, service_id), node,
				 lockdep_is_held(&listeners->lock))
		if (listener->service_id == service_id)
			return listener;
	return NULL;
}

/**
 * cm_listener_alloc - a listener without an id
 * @gfp: how to allocate
 *
 * Context: as @gfp says.
 * Return: the listener, or NULL.
 */
struct cm_listener *cm_listener_alloc(gfp_t gfp)
{
	struct cm_listener *listener = kzalloc(sizeof(*listener), gfp);

	if (!listener)
		return NULL;
	listener->state = CM_SHARE_FREE;
	spin_lock_init(&listener->lock);
	INIT_LIST_HEAD(&listener->queue);
	INIT_LIST_HEAD(&listener->given);
	INIT_LIST_HEAD(&listener->calls);
	return listener;
}

/**
 * cm_listener_get - who listens on a service id?
 * @dev: the device
 * @service_id: network order
 * @hold: the receipt of the reference
 *
 * Context: any.
 * Return: the listener's id with a LOOKUP reference, or NULL.
 */
struct cm_id *cm_listener_get(struct cm_device *dev, __be64 service_id, struct cm_hold *hold)
{
	struct cm_listener *listener;
	struct cm_id *id = NULL;

	rcu_read_lock();
	listener = cm_listener_find(&dev->listeners, service_id);
	/* Both outlive the section, whether or not they listen still (litmus: listener-freed) */
	if (listener)
		id = READ_ONCE(listener->id);
	if (id && !cm_id_get_live(id, CM_REF_LOOKUP, hold))
		id = NULL;
	rcu_read_unlock();
	return id;
}

/* ---- shares ---- */

/* The only writer of a share's state. Under the table's lock. */
static const struct cm_row *cm_share_apply(struct cm_listeners *listeners,
					   struct cm_listener *listener, u8 event)
{
	const struct cm_row *row = cm_share_row(event, listener->state);
	unsigned int i;

	cm_probe_cell(CM_MACHINE_SHARE, event, listener->state);
	for (i = 0; i < CM_ROW_LOCKED && row->locked[i]; i++) {
		switch (row->locked[i]) {
		case CM_DO_SHARE_PUBLISH:
			listener->shares = 1;
			/* All else of it is set (litmus: listener-published) */
			hlist_add_head_rcu(&listener->node,
					   cm_listener_chain(listeners, listener->service_id));
			break;
		case CM_DO_SHARE_ADD:
			listener->shares++;
			break;
		case CM_DO_SHARE_DROP:
			listener->shares--;
			break;
		case CM_DO_SHARE_RETRACT:
			hlist_del_rcu(&listener->node);
			break;
		}
	}
	if (row->next != CM_STAY)
		listener->state = row->next;
	return row;
}

/* The service id that a caller gets for the one that it names; 0: it may not name that one. */
static __be64 cm_assign_service(__be64 wanted)
{
	u64 base = be64_to_cpu(IB_CM_ASSIGN_SERVICE_ID);

	if (wanted == IB_CM_ASSIGN_SERVICE_ID)
		return cpu_to_be64(base + (u32)atomic64_inc_return(&cm_assigned));
	if ((wanted & IB_SERVICE_ID_AGN_MASK) == IB_CM_ASSIGN_SERVICE_ID)
		return 0;
	return wanted;
}

/* What a listen needs is made before the table is locked, as for any call. NULL: no memory. */
static struct cm_listener *cm_listener_prepare(struct cm_id *id, bool may_sleep)
{
	struct cm_act act = { .id = id, .may_sleep = may_sleep };

	return cm_act_prepare(&act, CM_ID_ON_CALL_LISTEN) ? NULL : act.listener;
}

/*
 * Puts a new listener of id into the table. Under the table's lock. Takes the listener.
 * event: of the machine "share"; facts: of the machine "id".
 */
static int cm_listener_open(struct cm_id *id, struct cm_listener *listener, __be64 service_id,
			    u8 event, u64 facts)
{
	struct cm_act act = {
		.id = id,
		.list = CM_DECIDE_CALL_LISTEN,
		.facts = facts,
		.listener = listener,
	};
	struct cm_hold hold = {};
	int err;

	listener->id = id;
	listener->service_id = service_id;
	cm_id_get(id, CM_REF_LOOKUP, &hold);
	err = cm_act_run(&act);
	cm_id_put(id, CM_REF_LOOKUP, &hold);
	if (!err)
		cm_share_apply(&id->dev->listeners, id->listener, event);
	return err;
}

/**
 * cm_listen_exclusive - ib_cm_listen()
 * @id: the caller's
 * @wanted: service id, network order
 *
 * Context: any.
 * Return: 0; -EINVAL in a wrong state or for a service id of the assigned range;
 * -EBUSY if somebody listens on it; -ENODEV, -ENOMEM.
 */
int cm_listen_exclusive(struct cm_id *id, __be64 wanted)
{
	struct cm_listener *listener, *other;
	struct cm_listeners *listeners;
	__be64 service_id;
	unsigned long flags;
	u64 facts = 0;
	u8 event;
	int err;

	if (!id->dev)
		return -ENODEV;
	service_id = cm_assign_service(wanted);
	if (wanted && !service_id)
		return -EINVAL;
	listener = cm_listener_prepare(id, false);
	if (!listener)
		return -ENOMEM;

	listeners = &id->dev->listeners;
	spin_lock_irqsave(&listeners->lock, flags);
	other = cm_listener_find(listeners, service_id);
	event = cm_decide(CM_DECIDE_SHARE, CM_FACT_EXCLUSIVE);
	if (other && cm_share_apply(listeners, other, event)->verdict == CM_INVALID)
		facts |= CM_FACT_SERVICE_TAKEN;
	err = cm_listener_open(id, listener, service_id, event, facts);
	if (!err)
		id->pub.service_id = service_id;
	spin_unlock_irqrestore(&listeners->lock, flags);
	return err;
}

/* One more share of a listener, if the caller may have it. Under the table's lock. */
static int cm_listener_share(struct cm_listeners *listeners, struct cm_listener *listener,
			     ib_cm_handler handler)
{
	const struct ib_cm_id *pub = &listener->id->pub;
	const struct cm_row *row;
	u64 facts = 0;

	if (pub->cm_handler == handler && !pub->context)
		facts |= CM_FACT_SAME_OWNER;
	row = cm_share_apply(listeners, listener, cm_decide(CM_DECIDE_SHARE, facts));
	return row->verdict == CM_INVALID ? -row->error : 0;
}

/**
 * cm_listen_shared - ib_cm_insert_listen()
 * @ibdev: the device
 * @handler: the caller's
 * @wanted: service id, network order
 *
 * Context: may sleep.
 * Return: the id, new or shared; ERR_PTR(-EINVAL) if the listener there is has
 * another handler or a context; -ENODEV, -ENOMEM.
 */
struct cm_id *cm_listen_shared(struct ib_device *ibdev, ib_cm_handler handler, __be64 wanted)
{
	struct cm_listener *listener, *other;
	struct cm_listeners *listeners;
	struct cm_id *id, *found;
	__be64 service_id;
	int err;

	service_id = cm_assign_service(wanted);
	if (wanted && !service_id)
		return ERR_PTR(-EINVAL);
	id = cm_id_create(ibdev, handler, NULL);
	if (IS_ERR(id))
		return id;
	listener = cm_listener_prepare(id, true);
	if (!id->dev || !listener) {
		err = id->dev ? -ENOMEM : -ENODEV;
		kfree(listener);
		cm_id_destroy(id);
		return ERR_PTR(err);
	}

	found = id;
	listeners = &id->dev->listeners;
	spin_lock_irq(&listeners->lock);
	other = cm_listener_find(listeners, service_id);
	if (other) {
		err = cm_listener_share(listeners, other, handler);
		found = other->id;
	} else {
		err = cm_listener_open(id, listener, service_id,
				       cm_decide(CM_DECIDE_SHARE, CM_FACT_SAME_OWNER), 0);
		listener = NULL;
		if (!err)
			id->pub.service_id = service_id;
	}
	spin_unlock_irq(&listeners->lock);

	kfree(listener);
	if (err || found != id)
		cm_id_destroy(id);
	return err ? ERR_PTR(err) : found;
}

/**
 * cm_listen_drop - destroy begins: of a listener, it drops a share
 * @id: the caller's
 *
 * Context: any.
 * Return: true if others remain, and destroy is done.
 */
bool cm_listen_drop(struct cm_id *id)
{
	struct cm_listener *listener = READ_ONCE(id->listener);
	struct cm_listeners *listeners;
	unsigned long flags;
	u64 facts = 0;
	bool last;

	if (!listener)
		return false;

	listeners = &id->dev->listeners;
	spin_lock_irqsave(&listeners->lock, flags);
	last = listener->shares <= 1;
	if (listener->shares) {
		if (last)
			facts |= CM_FACT_LAST_SHARE;
		if (listener->shares == 2)
			facts |= CM_FACT_LAST_BUT_ONE;
		cm_share_apply(listeners, listener, cm_decide(CM_DECIDE_UNSHARE, facts));
	}
	spin_unlock_irqrestore(&listeners->lock, flags);
	return !last;
}

/**
 * cm_listen_retract - the device goes: nobody finds the listener any more
 * @id: any id; without a listener nothing happens
 *
 * Context: any.
 */
void cm_listen_retract(struct cm_id *id)
{
	struct cm_listener *listener = READ_ONCE(id->listener);
	struct cm_listeners *listeners = &id->dev->listeners;
	unsigned long flags;

	if (!listener)
		return;
	spin_lock_irqsave(&listeners->lock, flags);
	cm_share_apply(listeners, listener, CM_SHARE_ON_REMOVED);
	spin_unlock_irqrestore(&listeners->lock, flags);
}

/* ---- turns ---- */

/**
 * cm_listener_has_room - is there room in the backlog?
 * @lid: the listener's id; the caller has a reference
 *
 * Context: any.
 * Return: true if a request more may wait.
 */
bool cm_listener_has_room(struct cm_id *lid)
{
	struct cm_listener *listener = READ_ONCE(lid->listener);

	return listener && READ_ONCE(listener->queued) < READ_ONCE(cm_backlog);
}

/**
 * cm_listener_enter - a claimed request asks for a turn
 * @lid: the listener's id; the caller has a reference
 * @id: the request, resolved
 *
 * Context: any.
 * Return: enum cm_turn.
 */
enum cm_turn cm_listener_enter(struct cm_id *lid, struct cm_id *id)
{
	struct cm_listener *listener = READ_ONCE(lid->listener);
	enum cm_turn turn = CM_TURN_NEVER;
	unsigned long flags;

	if (!listener)
		return turn;
	spin_lock_irqsave(&listener->lock, flags);
	if (listener->closed) {
		turn = CM_TURN_NEVER;
	} else if (listener->running < READ_ONCE(cm_listen_handlers)) {
		listener->running++;
		turn = CM_TURN_NOW;
	} else {
		list_add_tail(&id->req.node, &listener->queue);
		listener->queued++;
		turn = CM_TURN_LATER;
	}
	spin_unlock_irqrestore(&listener->lock, flags);
	return turn;
}

static struct cm_id *cm_listener_pop(struct cm_listener *listener)
{
	struct cm_id *id = list_first_entry_or_null(&listener->queue, struct cm_id, req.node);

	if (id) {
		list_del_init(&id->req.node);
		listener->queued--;
	}
	return id;
}

/**
 * cm_listener_call - the turn's handler is about to be called
 * @lid: the listener's id; the turn's reference
 * @call: the caller's until cm_listener_leave()
 *
 * Context: process.
 */
void cm_listener_call(struct cm_id *lid, struct cm_listener_call *call)
{
	struct cm_listener *listener = lid->listener;

	call->task = current;
	spin_lock_irq(&listener->lock);
	list_add(&call->node, &listener->calls);
	spin_unlock_irq(&listener->lock);
}

/**
 * cm_listener_calls_us - are we in a handler that runs on a listener's behalf?
 * @id: any id; without a listener there is no such handler
 *
 * Context: any.
 * Return: true if the current task runs one.
 */
bool cm_listener_calls_us(struct cm_id *id)
{
	struct cm_listener *listener = READ_ONCE(id->listener);
	struct cm_listener_call *call;
	unsigned long flags;
	bool found = false;

	if (!listener)
		return false;
	spin_lock_irqsave(&listener->lock, flags);
	list_for_each_entry(call, &listener->calls, node)
		found |= call->task == current;
	spin_unlock_irqrestore(&listener->lock, flags);
	return found;
}

/**
 * cm_listener_leave - a turn is over: the next in the queue has it
 * @lid: the listener's id; the caller has a reference
 * @call: what cm_listener_call() was given; NULL: no handler was called
 *
 * Context: process.
 */
void cm_listener_leave(struct cm_id *lid, struct cm_listener_call *call)
{
	struct cm_listener *listener = lid->listener;
	struct cm_id *next = NULL;
	unsigned long flags;

	spin_lock_irqsave(&listener->lock, flags);
	if (call)
		list_del(&call->node);
	/* Closed: who waits gets a REJ, not a turn */
	if (!listener->closed && listener->running <= READ_ONCE(cm_listen_handlers))
		next = cm_listener_pop(listener);
	if (next) {
		list_add_tail(&next->req.node, &listener->given);
		cm_id_get(lid, CM_REF_LISTENER, &next->ev.turn_hold);
		cm_event_turn(next, lid);
	} else {
		listener->running--;
	}
	spin_unlock_irqrestore(&listener->lock, flags);
}

/**
 * cm_listener_begin - a turn that came later begins
 * @lid: the listener's id; the turn's reference
 * @id: the request
 *
 * Context: any.
 */
void cm_listener_begin(struct cm_id *lid, struct cm_id *id)
{
	struct cm_listener *listener = lid->listener;
	unsigned long flags;

	spin_lock_irqsave(&listener->lock, flags);
	list_del_init(&id->req.node);
	spin_unlock_irqrestore(&listener->lock, flags);
}

/*
 * Takes back a turn whose runner still waits for a worker: strangers' handlers
 * may hold all of them. Under the listener's lock; its reference is the caller's.
 */
static struct cm_id *cm_listener_take_back(struct cm_listener *listener)
{
	struct cm_id *id;

	while ((id = list_first_entry_or_null(&listener->given, struct cm_id, req.node))) {
		list_del_init(&id->req.node);
		if (cm_event_take_back(id)) {
			listener->running--;
			return id;
		}
	}
	return NULL;
}

/**
 * cm_listen_detach - the listener closes
 * @act: destroy or removal of its id
 *
 * Context: the id's lock is held.
 */
void cm_listen_detach(struct cm_act *act)
{
	struct cm_listener *listener = act->id->listener;
	unsigned long flags;

	spin_lock_irqsave(&listener->lock, flags);
	listener->closed = true;
	spin_unlock_irqrestore(&listener->lock, flags);
	act->dead_listener = listener;
}

/**
 * cm_listen_reject_queued - requests that wait for a turn get none
 * @listener: closed; its id is held
 *
 * Context: process.
 */
void cm_listen_reject_queued(struct cm_listener *listener)
{
	struct cm_id *id, *back;

	do {
		back = NULL;
		spin_lock_irq(&listener->lock);
		id = cm_listener_pop(listener);
		if (!id)
			id = back = cm_listener_take_back(listener);
		spin_unlock_irq(&listener->lock);
		if (back)
			cm_id_put(listener->id, CM_REF_LISTENER, &back->ev.turn_hold);
		if (id)
			cm_event_refuse(id, CM_ID_ON_LISTENER_GONE);
	} while (id);
}
