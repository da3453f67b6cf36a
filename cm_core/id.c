// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * The connection id: creation, references, destroy, removal.
 *
 * Owns: struct cm_id. Lock order and holders: see id.h.
 *
 * Destroy, and why it is bounded: the DESTROY row takes back the timer, the
 * queue entries and a queued runner, each without waiting, and drops their
 * references. What is left are handlers that run now, and short sections on
 * other CPUs that found the id before; the last of them completes the wait.
 * Nothing that waits for the peer, the MAD layer, a completion or an address
 * holds a reference.
 */
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/wait_bit.h>

#include "apply.h"
#include "event.h"
#include "id.h"
#include "listen.h"
#include "lookup.h"
#include "probe_hook.h"
#include "timewait.h"

#define CM_HELD_LONG	(10 * HZ)

/**
 * cm_id_alloc - make an id that nobody can find yet
 * @ibdev: its device
 * @dev: the CM's view of it, or NULL; a reference of its own is taken
 * @handler: whom its events are for
 * @context: the consumer's
 * @gfp: how to allocate
 *
 * Context: as @gfp says; where references are tracked, it may sleep.
 * Return: the id in state NONE with one reference, the later owner's; NULL for
 * want of memory.
 */
struct cm_id *cm_id_alloc(struct ib_device *ibdev, struct cm_device *dev,
			  ib_cm_handler handler, void *context, gfp_t gfp)
{
	struct cm_id *id = kzalloc(sizeof(*id), gfp);

	if (!id)
		return NULL;

	id->pub.device = ibdev;
	id->pub.cm_handler = handler;
	id->pub.context = context;
	id->pub.remote_cm_qpn = 1;
	cm_holds_init(&id->holds);
	refcount_set(&id->refs, 1);
	cm_hold_take(&id->holds, &id->owner, CM_REF_OWNER);
	spin_lock_init(&id->lock);
	INIT_LIST_HEAD(&id->dev_node);
	cm_request_init(id);
	cm_events_init(id);
	if (cm_local_reserve(id, gfp)) {
		cm_hold_drop(&id->holds, &id->owner, CM_REF_OWNER);
		cm_holds_exit(&id->holds);
		kfree(id);
		return NULL;
	}
	if (dev) {
		cm_device_hold(dev);
		id->dev = dev;
	}
	cm_probe_live(1, 0);
	return id;
}

/**
 * cm_id_publish - look-ups and removal find the id from now on
 * @id: in its first state
 *
 * Context: any. A device that is being removed does not get new ids: the id
 * then has none.
 * Return: true if it has its device.
 */
bool cm_id_publish(struct cm_id *id)
{
	struct cm_device *dev = id->dev;
	unsigned long flags;
	bool gone = false;

	if (dev) {
		/*
		 * Both at once: removal finds the id in the list, a message by its
		 * number, and either may end it, which takes it out of both.
		 */
		spin_lock_irqsave(&dev->ids_lock, flags);
		gone = dev->gone;
		if (!gone) {
			list_add_tail(&id->dev_node, &dev->ids);
			cm_local_publish(id);
		}
		spin_unlock_irqrestore(&dev->ids_lock, flags);
	} else {
		cm_local_publish(id);
	}
	if (gone) {
		id->dev = NULL;
		cm_device_put(dev);
	}
	return id->dev;
}

/* Under the id's lock: see id.h. */
void cm_id_forget(struct cm_id *id)
{
	struct cm_device *dev = id->dev;
	unsigned long flags;

	cm_local_remove(id);
	if (!dev)
		return;
	spin_lock_irqsave(&dev->ids_lock, flags);
	list_del_init(&id->dev_node);
	spin_unlock_irqrestore(&dev->ids_lock, flags);
}

/* The memory itself outlives those who look it up and get no reference (litmus: local-id-freed). */
static void cm_id_free(struct cm_id *id)
{
	cm_av_clear(&id->av);
	if (id->alt)
		cm_av_clear(id->alt);
	kfree(id->alt);
	kfree(id->data);
	if (id->listener)
		kfree_rcu(id->listener, rcu);
	if (id->dev)
		cm_device_put(id->dev);
	cm_holds_exit(&id->holds);
	cm_probe_live(-1, 0);
	kfree_rcu(id, rcu);
}

/**
 * cm_id_abandon - undo cm_id_alloc()
 * @id: never published
 *
 * Context: any.
 */
void cm_id_abandon(struct cm_id *id)
{
	cm_local_remove(id);
	cm_hold_drop(&id->holds, &id->owner, CM_REF_OWNER);
	cm_id_free(id);
}

/**
 * cm_id_create - make an id for a consumer
 * @ibdev: its device; one that does not speak CM gives an id that no call gets anywhere with
 * @handler: whom its events are for
 * @context: the consumer's
 *
 * Context: may sleep.
 * Return: the id in IDLE, or ERR_PTR(-ENOMEM).
 */
struct cm_id *cm_id_create(struct ib_device *ibdev, ib_cm_handler handler, void *context)
{
	struct cm_device *dev = cm_device_get(ibdev);
	struct cm_act act = { .list = CM_ACT_DIRECT, .event = CM_ID_ON_CREATE };
	struct cm_id *id = cm_id_alloc(ibdev, dev, handler, context, GFP_KERNEL);
	struct cm_hold hold = {};

	if (dev)
		cm_device_put(dev);
	if (!id)
		return ERR_PTR(-ENOMEM);

	act.id = id;
	cm_id_get(id, CM_REF_LOOKUP, &hold);
	cm_act_run(&act);
	cm_id_publish(id);
	cm_id_put(id, CM_REF_LOOKUP, &hold);
	return id;
}

/**
 * cm_id_get - one more reference
 * @id: the caller has one, or the id's lock with a holder in view
 * @why: whose it is
 * @hold: its receipt; lies with the holder
 *
 * Context: any.
 */
void cm_id_get(struct cm_id *id, enum cm_ref why, struct cm_hold *hold)
{
	refcount_inc(&id->refs);
	cm_hold_take(&id->holds, hold, why);
}

/**
 * cm_id_get_live - a reference, unless the last is gone
 * @id: found under RCU
 * @why: whose it is
 * @hold: its receipt
 *
 * Context: any; inside an RCU read-side section.
 * Return: true if there is a reference now.
 */
bool cm_id_get_live(struct cm_id *id, enum cm_ref why, struct cm_hold *hold)
{
	if (!refcount_inc_not_zero(&id->refs))
		return false;
	cm_hold_take(&id->holds, hold, why);
	return true;
}

/**
 * cm_id_put - one reference less
 * @id: may be gone on return
 * @why: whose it was
 * @hold: the receipt that cm_id_get() gave
 *
 * The last one completes the destroyer's wait; without one (the handler
 * destroyed it, or the CM itself) it frees the id.
 *
 * Context: any.
 */
void cm_id_put(struct cm_id *id, enum cm_ref why, struct cm_hold *hold)
{
	struct completion *gone;

	cm_hold_drop(&id->holds, hold, why);
	if (!refcount_dec_and_test(&id->refs))
		return;
	/* Written before its writer dropped a reference (litmus: last-put-finds-destroyer) */
	gone = id->gone;
	/* From here on it is the destroyer's, to free (litmus: last-put-completes-free) */
	if (gone)
		complete(gone);
	else
		cm_id_free(id);
}

/**
 * cm_id_holders - who holds the id, by the facts
 * @id: the id
 *
 * Context: the id's lock is held.
 * Return: CM_ID_HOLD_* of the exact holders.
 */
u32 cm_id_holders(const struct cm_id *id)
{
	u8 links = id->rec ? id->rec->links : 0;
	u32 seen = 0;

	if (id->owned)
		seen |= CM_ID_HOLD_OWNER;
	if (id->req.active)
		seen |= CM_ID_HOLD_REQUEST;
	if (links & CM_LINK_PEER)
		seen |= CM_ID_HOLD_PEER;
	if (links & CM_LINK_QPN)
		seen |= CM_ID_HOLD_QPN;
	if (links & CM_LINK_SIDR)
		seen |= CM_ID_HOLD_SIDR;
	if (id->listener && !id->listener->closed)
		seen |= CM_ID_HOLD_ENTRY;
	if (id->rec)
		seen |= CM_ID_HOLD_RECORD;
	return seen;
}

/**
 * cm_holders_violated - the holders are not what the state declares
 * @id: the id
 * @seen: what is there
 *
 * Context: any; the id's lock is held. Warns once in the module's life.
 */
void cm_holders_violated(const struct cm_id *id, u32 seen)
{
	if (id->av.port)
		cm_stat_count(id->av.port, CM_COUNT_HOLDERS);
	if (cm_probe_told(id, seen))
		return;
	WARN_ONCE(1, "ib_cm: id %08x in %s: holders %#x instead of %#x, %u references, %u events\n",
		  be32_to_cpu(id->pub.local_id), cm_id_state_names[id->state], seen,
		  cm_id_want[id->state], refcount_read(&id->refs), id->ev.count);
}

/*
 * Until the last reference is gone. A handler may take its time; where the kernel
 * tracks references, whoever looks for a leak is told once who holds this one.
 */
static void cm_id_wait(struct cm_id *id, struct completion *gone)
{
	if (cm_holds_tracked()) {
		if (wait_for_completion_timeout(gone, CM_HELD_LONG))
			return;
		pr_notice("ib_cm: destroy of id %08x has waited for 10 s; it is held by:\n",
			  be32_to_cpu(id->pub.local_id));
		cm_holds_print(&id->holds);
	}
	wait_for_completion(gone);
}

/**
 * cm_id_destroy - destroy an id, and wait for its handlers
 * @id: owned by the caller
 *
 * From inside the id's own handler it does not wait: the id goes when the
 * handler returns. The same holds for a listener and a handler that runs on its
 * behalf; others of them may then run on.
 *
 * Context: may sleep, as long as a handler of the id runs; for the last share
 * of a listener, as long as one runs on its behalf.
 */
void cm_id_destroy(struct cm_id *id)
{
	DECLARE_COMPLETION_ONSTACK(gone);
	struct cm_act act = { .id = id, .list = CM_DECIDE_DESTROY };
	bool inside, behalf, owned;
	struct cm_port *port;
	struct cm_hold hold = {};

	if (cm_listen_drop(id))
		return;
	behalf = cm_listener_calls_us(id);

	spin_lock_irq(&id->lock);
	owned = id->owned && !id->gone;
	inside = behalf || id->ev.task == current;
	port = id->av.port;
	if (owned && !inside)
		id->gone = &gone;
	if (owned)
		cm_id_get(id, CM_REF_LOOKUP, &hold);
	spin_unlock_irq(&id->lock);

	if (!owned) {
		pr_warn_ratelimited("ib_cm: id %08x is destroyed twice\n",
				    be32_to_cpu(id->pub.local_id));
		return;
	}
	if (behalf)
		pr_warn_once("ib_cm: listener %08x is destroyed by a handler that runs on its behalf, which cannot be waited for\n",
			     be32_to_cpu(id->pub.local_id));
	else if (inside)
		pr_warn_once("ib_cm: id %08x is destroyed by its own handler, which should return non-zero instead\n",
			     be32_to_cpu(id->pub.local_id));

	cm_act_run(&act);
	if (port)
		cm_stall_destroyed(port, act.from);
	cm_id_put(id, CM_REF_LOOKUP, &hold);
	if (inside)
		return;
	cm_id_wait(id, &gone);
	cm_id_free(id);
}

/* The addresses of an id that is over: the device that they belong to is leaving. */
static void cm_id_drop_addresses(struct cm_id *id)
{
	struct cm_av av, *alt;

	spin_lock_irq(&id->lock);
	av = id->av;
	memset(&id->av, 0, sizeof(id->av));
	alt = id->alt;
	id->alt = NULL;
	spin_unlock_irq(&id->lock);

	cm_av_clear(&av);
	if (alt)
		cm_av_clear(alt);
	kfree(alt);
}

/* The first id of a list of dev's, moved to another, with a LOOKUP reference; NULL: none is left. */
static struct cm_id *cm_id_next(struct cm_device *dev, struct list_head *from,
				struct list_head *to, struct cm_hold *hold)
{
	struct cm_id *id, *found = NULL;

	spin_lock_irq(&dev->ids_lock);
	while (!found && !list_empty(from)) {
		id = list_first_entry(from, struct cm_id, dev_node);
		list_move_tail(&id->dev_node, to);
		/* An id leaves the list under this lock before its owner's reference goes */
		if (cm_id_get_live(id, CM_REF_LOOKUP, hold))
			found = id;
	}
	spin_unlock_irq(&dev->ids_lock);
	return found;
}

/**
 * cm_id_remove_all - the device is being removed
 * @dev: marked as gone: it gets no new ids
 *
 * Every id gets its last event; when that, and whatever handler ran before it,
 * is through, the ids let go of their addresses.
 *
 * Context: sleeps, as long as a handler of an id of the device runs.
 */
void cm_id_remove_all(struct cm_device *dev)
{
	struct cm_hold hold = {};
	struct cm_id *id;

	while ((id = cm_id_next(dev, &dev->ids, &dev->gone_ids, &hold))) {
		struct cm_act act = {
			.id = id,
			.list = CM_ACT_DIRECT,
			.event = CM_ID_ON_REMOVED,
			.may_sleep = true,
		};

		cm_act_run(&act);
		/* What began to listen before is in the table by now; nothing begins after. */
		cm_listen_retract(id);
		cm_id_put(id, CM_REF_LOOKUP, &hold);
		cond_resched();
	}

	wait_var_event(&dev->runners, !atomic_read(&dev->runners));

	while ((id = cm_id_next(dev, &dev->gone_ids, &dev->ids, &hold))) {
		cm_id_drop_addresses(id);
		cm_id_put(id, CM_REF_LOOKUP, &hold);
		cond_resched();
	}
}
