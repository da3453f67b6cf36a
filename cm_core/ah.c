// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * The shared address handles of a port.
 *
 * Owns: struct cm_ah, struct cm_ah_port.
 *
 * Lock order: cm_ah_port.lock is a leaf, taken in process context with
 * interrupts on only, because the rhashtable of 6.1 bears nothing else.
 * rdma_create_ah() and rdma_destroy_ah() are called outside of it.
 *
 * References to a handle: one of the table while it is in there, one of each
 * datagram. The handle's ib_ah holds the GID entry. A handle that is off the
 * table dies with its last datagram, in the reaper, wherever that put happens.
 * Each handle counts in cm_ah_port.users from before it is made until after it
 * is destroyed, which is what cm_ah_port_exit() waits for.
 */
#include <linux/jiffies.h>
#include <linux/rhashtable.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "params.h"
#include "port.h"
#include "probe_hook.h"

#define CM_AH_IDLE	(30 * HZ)	/* an idle handle lives on for so long */
#define CM_AH_PERIOD	(10 * HZ)	/* between two looks at all of them */
#define CM_AH_EVICT	64		/* how many are looked at to make room for one */
#define CM_AH_FLOWS	4		/* RoCE: flow labels that are told apart */

/* All that tells one handle from another. Zeroed first, no padding. */
struct cm_ah_key {
	union ib_gid dgid;
	u64 sgid_attr;		/* by address: the entry cannot be reused while a handle has it */
	u32 flow_label;
	u32 dlid;
	u8 dmac[ETH_ALEN];
	u8 type;
	u8 flags;
	u8 sl;
	u8 static_rate;
	u8 sgid_index;
	u8 hop_limit;
	u8 traffic_class;
	u8 path_bits;
	u8 make_grd;
	u8 pad;
};

static_assert(sizeof(struct cm_ah_key) == 16 + 8 + 4 + 4 + ETH_ALEN + 10);

struct cm_ah {
	struct rhash_head node;
	struct cm_ah_key key;
	struct cm_port *port;
	struct ib_ah *ah;
	refcount_t refs;
	int gen;
	unsigned long used;	/* jiffies of the last find or put */
	bool seen;		/* used since eviction last looked; racy, a hint */
	struct list_head all;	/* in cm_ah_port.all; empty: not in the table */
	union {
		struct llist_node dead;
		struct rcu_head rcu;
	};
};

static const struct rhashtable_params cm_ah_params = {
	.head_offset = offsetof(struct cm_ah, node),
	.key_offset = offsetof(struct cm_ah, key),
	.key_len = sizeof(struct cm_ah_key),
	.automatic_shrinking = true,
};

static struct workqueue_struct *cm_ah_wq;

/*
 * On RoCE a flow label chooses one of the fabric's equal ways (v2: by the UDP source
 * port) and means nothing else, and consumers draw one per connection: with all of
 * them told apart no handle would ever be shared.
 */
static u32 cm_ah_flow_label(const struct rdma_ah_attr *attr)
{
	if (attr->type == RDMA_AH_ATTR_TYPE_ROCE)
		return attr->grh.flow_label % CM_AH_FLOWS;
	return attr->grh.flow_label;
}

static void cm_ah_key_of(struct cm_ah_key *key, const struct rdma_ah_attr *attr)
{
	memset(key, 0, sizeof(*key));
	key->type = attr->type;
	key->sl = attr->sl;
	key->static_rate = attr->static_rate;
	key->flags = attr->ah_flags;
	if (attr->ah_flags & IB_AH_GRH) {
		key->dgid = attr->grh.dgid;
		key->sgid_attr = (uintptr_t)attr->grh.sgid_attr;
		key->flow_label = cm_ah_flow_label(attr);
		key->sgid_index = attr->grh.sgid_index;
		key->hop_limit = attr->grh.hop_limit;
		key->traffic_class = attr->grh.traffic_class;
	}
	switch (attr->type) {
	case RDMA_AH_ATTR_TYPE_IB:
		key->dlid = attr->ib.dlid;
		key->path_bits = attr->ib.src_path_bits;
		break;
	case RDMA_AH_ATTR_TYPE_OPA:
		key->dlid = attr->opa.dlid;
		key->path_bits = attr->opa.src_path_bits;
		key->make_grd = attr->opa.make_grd;
		break;
	case RDMA_AH_ATTR_TYPE_ROCE:
		memcpy(key->dmac, attr->roce.dmac, ETH_ALEN);
		break;
	default:
		break;
	}
}

static void cm_ah_users_put(struct cm_ah_port *ahp)
{
	if (refcount_dec_and_test(&ahp->users))
		complete(&ahp->gone);
}

static bool cm_ah_stale(const struct cm_ah *ah)
{
	return ah->gen != atomic_read(&ah->port->ah.gen);
}

static void cm_ah_touch(struct cm_ah *ah)
{
	unsigned long now = jiffies;

	/* Written by every sender: leave the cache line alone where it says it already */
	if (READ_ONCE(ah->used) != now)
		WRITE_ONCE(ah->used, now);
	if (!READ_ONCE(ah->seen))
		WRITE_ONCE(ah->seen, true);
}

/* Nobody refers to ah any more. Process context, no lock held. */
static void cm_ah_destroy(struct cm_ah *ah)
{
	struct cm_ah_port *ahp = &ah->port->ah;

	rdma_destroy_ah(ah->ah, RDMA_DESTROY_AH_SLEEPABLE);
	kfree_rcu(ah, rcu);
	cm_ah_users_put(ahp);
}

static void cm_ah_reap(struct work_struct *work)
{
	struct cm_ah_port *ahp = container_of(work, struct cm_ah_port, reap);
	struct cm_ah *ah, *next;

	llist_for_each_entry_safe(ah, next, llist_del_all(&ahp->dead), dead) {
		cm_ah_destroy(ah);
		cond_resched();
	}
}

/* Takes ah off the table; the table's reference is the caller's now. Under the lock. */
static void cm_ah_unlink(struct cm_ah_port *ahp, struct cm_ah *ah)
{
	lockdep_assert_held(&ahp->lock);
	rhashtable_remove_fast(&ahp->table, &ah->node, cm_ah_params);
	list_del_init(&ah->all);
	ahp->count--;
}

/*
 * Makes room for one more by taking away the first handle that is idle and was
 * not used since this walk last passed it. Under the lock.
 */
static struct cm_ah *cm_ah_evict(struct cm_ah_port *ahp)
{
	struct cm_ah *ah;
	int i;

	for (i = 0; i < CM_AH_EVICT && !list_empty(&ahp->all); i++) {
		ah = list_first_entry(&ahp->all, struct cm_ah, all);
		if (refcount_read(&ah->refs) == 1 && !READ_ONCE(ah->seen)) {
			cm_ah_unlink(ahp, ah);
			return ah;
		}
		WRITE_ONCE(ah->seen, false);
		list_move_tail(&ah->all, &ahp->all);
	}
	return NULL;
}

/*
 * Offers a new handle to the table. Returns the handle to use, with a reference
 * of the caller's: an equal one may have been quicker. Where there is no room,
 * the new one stays unshared and goes with its last put.
 */
static struct cm_ah *cm_ah_insert(struct cm_ah_port *ahp, struct cm_ah *new)
{
	struct cm_ah *old, *evicted = NULL, *stale = NULL;

	spin_lock(&ahp->lock);
	if (ahp->stopped)
		goto unlock;

	old = rhashtable_lookup_fast(&ahp->table, &new->key, cm_ah_params);
	if (old && cm_ah_stale(old)) {
		cm_ah_unlink(ahp, old);
		stale = old;
		old = NULL;
	}
	if (old) {
		refcount_inc(&old->refs);
		spin_unlock(&ahp->lock);
		cm_ah_touch(old);
		cm_ah_put(new);
		return old;
	}

	if (ahp->count >= READ_ONCE(cm_ah_limit)) {
		evicted = cm_ah_evict(ahp);
		if (!evicted)
			goto unlock;
	}
	refcount_inc(&new->refs);
	if (rhashtable_insert_fast(&ahp->table, &new->node, cm_ah_params)) {
		refcount_dec(&new->refs);
		goto unlock;
	}
	list_add_tail(&new->all, &ahp->all);
	if (!ahp->count++)
		queue_delayed_work(cm_ah_wq, &ahp->age, CM_AH_PERIOD);
unlock:
	spin_unlock(&ahp->lock);
	if (stale)
		cm_ah_put(stale);
	if (evicted)
		cm_ah_put(evicted);
	return new;
}

/* The protection domain to make a handle on, good while the caller counts in users. */
static struct ib_pd *cm_ah_pd(struct cm_port *port)
{
	struct ib_mad_agent *agent;
	struct ib_pd *pd = NULL;

	rcu_read_lock();
	agent = rcu_dereference(port->agent);
	if (agent)
		pd = agent->qp->pd;
	rcu_read_unlock();
	return pd;
}

static struct cm_ah *cm_ah_make(struct cm_port *port, const struct rdma_ah_attr *attr)
{
	struct rdma_ah_attr copy;
	struct cm_ah *ah;
	unsigned int noio;
	struct ib_pd *pd;
	int err;

	pd = cm_ah_pd(port);
	if (!pd)
		return ERR_PTR(-ENODEV);

	/* A consumer may sit in the way of write-back */
	noio = memalloc_noio_save();
	ah = kzalloc(sizeof(*ah), GFP_KERNEL);
	if (!ah) {
		err = -ENOMEM;
		goto out;
	}
	ah->port = port;
	ah->gen = atomic_read(&port->ah.gen);
	ah->used = jiffies;
	ah->seen = true;
	refcount_set(&ah->refs, 1);
	INIT_LIST_HEAD(&ah->all);
	cm_ah_key_of(&ah->key, attr);

	/* The verbs layer writes to the attributes that it is given */
	rdma_copy_ah_attr(&copy, attr);
	if (attr->ah_flags & IB_AH_GRH)
		copy.grh.flow_label = ah->key.flow_label;
	ah->ah = rdma_create_ah(pd, &copy, RDMA_CREATE_AH_SLEEPABLE);
	rdma_destroy_ah_attr(&copy);
	err = PTR_ERR_OR_ZERO(ah->ah);
	if (err)
		kfree(ah);
out:
	memalloc_noio_restore(noio);
	return err ? ERR_PTR(err) : ah;
}

/**
 * cm_ah_find - find a ready handle
 * @port: the port to send from
 * @attr: attributes of the handle
 *
 * Context: any.
 * Return: the handle with a reference of the caller's; NULL if there is none yet.
 */
struct cm_ah *cm_ah_find(struct cm_port *port, const struct rdma_ah_attr *attr)
{
	struct cm_ah_port *ahp = &port->ah;
	struct cm_ah_key key;
	struct cm_ah *ah;

	cm_ah_key_of(&key, attr);
	rcu_read_lock();
	/* The table outlives the flag by a grace period */
	if (READ_ONCE(ahp->stopped))
		ah = NULL;
	else
		ah = rhashtable_lookup(&ahp->table, &key, cm_ah_params);
	if (ah && (cm_ah_stale(ah) || !refcount_inc_not_zero(&ah->refs)))
		ah = NULL;
	rcu_read_unlock();
	if (ah)
		cm_ah_touch(ah);
	return ah;
}

/**
 * cm_ah_get - find or make a handle
 * @port: the port to send from
 * @attr: attributes of the handle; the caller keeps its reference to the GID entry
 *
 * Context: process; may sleep.
 * Return: the handle with a reference of the caller's; ERR_PTR: -ENODEV once the
 * port is being removed, -ENOMEM, or what the driver says.
 */
struct cm_ah *cm_ah_get(struct cm_port *port, const struct rdma_ah_attr *attr)
{
	struct cm_ah_port *ahp = &port->ah;
	struct cm_ah *ah;

	might_sleep();
	ah = cm_ah_find(port, attr);
	if (ah)
		return ah;
	if (READ_ONCE(ahp->stopped) || !refcount_inc_not_zero(&ahp->users))
		return ERR_PTR(-ENODEV);
	ah = cm_ah_make(port, attr);
	if (IS_ERR(ah)) {
		cm_ah_users_put(ahp);
		return ah;
	}
	return cm_ah_insert(ahp, ah);
}

/**
 * cm_ah_put - drop a reference
 * @ah: the handle
 *
 * Context: any; the handle is destroyed elsewhere.
 */
void cm_ah_put(struct cm_ah *ah)
{
	struct cm_ah_port *ahp = &ah->port->ah;

	cm_ah_touch(ah);
	if (!refcount_dec_and_test(&ah->refs))
		return;
	/* A reaper that runs already may be done with ah before the next line is */
	refcount_inc(&ahp->users);
	if (llist_add(&ah->dead, &ahp->dead))
		queue_work(cm_ah_wq, &ahp->reap);
	cm_ah_users_put(ahp);
}

/**
 * cm_ah_ib - the verbs layer's handle
 * @ah: the handle
 *
 * Context: any.
 * Return: it; good while the caller has a reference to @ah.
 */
struct ib_ah *cm_ah_ib(const struct cm_ah *ah)
{
	return ah->ah;
}

/* Drops from the table what is stale, and what nobody used for a while; everything once stopped. */
static void cm_ah_age(struct work_struct *work)
{
	struct cm_ah_port *ahp = container_of(to_delayed_work(work), struct cm_ah_port, age);
	struct cm_ah *ah, *next;
	LIST_HEAD(drop);
	bool more;

	spin_lock(&ahp->lock);
	list_for_each_entry_safe(ah, next, &ahp->all, all) {
		if (!ahp->stopped && !cm_ah_stale(ah) &&
		    (refcount_read(&ah->refs) > 1 ||
		     time_before(jiffies, READ_ONCE(ah->used) + CM_AH_IDLE)))
			continue;
		cm_ah_unlink(ahp, ah);
		list_add(&ah->all, &drop);
	}
	more = ahp->count;
	if (more)
		queue_delayed_work(cm_ah_wq, &ahp->age, CM_AH_PERIOD);
	spin_unlock(&ahp->lock);

	list_for_each_entry_safe(ah, next, &drop, all) {
		list_del_init(&ah->all);
		cm_ah_put(ah);
	}
}

#ifdef CM_DEBUG
/**
 * cm_ah_port_age - let handles look as if they were older; for tests
 * @port: the port
 * @seconds: so much longer ago was each used
 * @look: look for idle ones now
 *
 * Context: process.
 */
void cm_ah_port_age(struct cm_port *port, unsigned int seconds, bool look)
{
	struct cm_ah_port *ahp = &port->ah;
	struct cm_ah *ah;

	spin_lock(&ahp->lock);
	list_for_each_entry(ah, &ahp->all, all)
		WRITE_ONCE(ah->used, ah->used - seconds * HZ);
	if (look && !ahp->stopped)
		mod_delayed_work(cm_ah_wq, &ahp->age, 0);
	spin_unlock(&ahp->lock);
}
#endif

/**
 * cm_ah_port_invalidate - what handles were made of has changed
 * @port: the port
 *
 * Handles made before this call are not handed out any more. Idle ones go at
 * once, so that they do not hold a GID that is being removed; the others with
 * the completion of their last datagram.
 *
 * Context: any.
 */
void cm_ah_port_invalidate(struct cm_port *port)
{
	atomic_inc(&port->ah.gen);
	if (!READ_ONCE(port->ah.stopped))
		mod_delayed_work(cm_ah_wq, &port->ah.age, 0);
}

/**
 * cm_ah_port_init - make the table of a port
 * @port: the port, zeroed
 *
 * Context: process; may sleep.
 * Return: 0 or a negative errno.
 */
int cm_ah_port_init(struct cm_port *port)
{
	struct cm_ah_port *ahp = &port->ah;

	spin_lock_init(&ahp->lock);
	INIT_LIST_HEAD(&ahp->all);
	refcount_set(&ahp->users, 1);
	init_completion(&ahp->gone);
	init_llist_head(&ahp->dead);
	INIT_DELAYED_WORK(&ahp->age, cm_ah_age);
	INIT_WORK(&ahp->reap, cm_ah_reap);
	return rhashtable_init(&ahp->table, &cm_ah_params);
}

/**
 * cm_ah_port_stop - end the table of a port
 * @port: the port; no event can invalidate its handles any more
 *
 * Context: process; may sleep.
 */
void cm_ah_port_stop(struct cm_port *port)
{
	struct cm_ah_port *ahp = &port->ah;

	spin_lock(&ahp->lock);
	WRITE_ONCE(ahp->stopped, true);
	spin_unlock(&ahp->lock);
	cancel_delayed_work_sync(&ahp->age);
	cm_ah_age(&ahp->age.work);
}

/**
 * cm_ah_port_exit - wait for the last handle of a port
 * @port: the port, stopped at least a grace period ago; all its datagrams are
 *	completed, or will be
 *
 * Context: process; sleeps until every datagram of the port is completed.
 */
void cm_ah_port_exit(struct cm_port *port)
{
	struct cm_ah_port *ahp = &port->ah;

	cm_ah_users_put(ahp);
	wait_for_completion(&ahp->gone);
	cancel_work_sync(&ahp->reap);
	rhashtable_destroy(&ahp->table);
}

/**
 * cm_ah_init - prepare the module's part
 *
 * Context: process; may sleep.
 * Return: 0 or -ENOMEM.
 */
int cm_ah_init(void)
{
	cm_ah_wq = alloc_workqueue("ib_cm_ah", WQ_UNBOUND | WQ_MEM_RECLAIM, 0);
	return cm_ah_wq ? 0 : -ENOMEM;
}

/**
 * cm_ah_exit - undo cm_ah_init()
 *
 * Context: process; may sleep. Every port is gone.
 */
void cm_ah_exit(void)
{
	destroy_workqueue(cm_ah_wq);
}
