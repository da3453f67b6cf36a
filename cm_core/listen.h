/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Listeners and their shares.
 *
 * Owns: struct cm_listener, the table of a device's listeners, the machine "share".
 *
 * The table is a fixed hash under RCU, because ib_cm_listen() may be called
 * with interrupts off, which an rhashtable of older kernels does not bear.
 * Shares are a count under cm_listeners.lock, not references.
 *
 * Lock order: cm_listeners.lock -> id.lock; cm_listener.lock is a leaf.
 * A listener object lives as long as its id, plus a grace period; the requests
 * that wait in its queue hold an EVENT reference of their own ids and none of it.
 */
#ifndef CM_LISTEN_H
#define CM_LISTEN_H

#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <rdma/ib_cm.h>

struct cm_act;
struct cm_device;
struct cm_hold;
struct cm_id;
struct task_struct;

#define CM_LISTEN_BITS 8

struct cm_listeners {
	spinlock_t lock;
	struct hlist_head hash[1 << CM_LISTEN_BITS];
};

/**
 * struct cm_listener - a service id that is listened on
 * @node: in cm_listeners.hash
 * @service_id: network order
 * @id: the id; good while the listener is in the table
 * @state: CM_SHARE_*, under cm_listeners.lock
 * @shares: callers that own it, under cm_listeners.lock
 * @lock: guards the rest
 * @queue: claimed requests that wait for their turn, by cm_id.req.node
 * @given: those whose turn has come and not begun, by the same
 * @calls: handlers that run on its behalf
 * @queued: how many wait in @queue
 * @running: turns that are given out
 * @closed: nothing is queued any more
 * @rcu: frees it
 */
struct cm_listener {
	struct hlist_node node;
	__be64 service_id;
	struct cm_id *id;
	u8 state;
	unsigned int shares;
	spinlock_t lock;
	struct list_head queue;
	struct list_head given;
	struct list_head calls;
	unsigned int queued;
	unsigned int running;
	bool closed;
	struct rcu_head rcu;
};

/**
 * struct cm_listener_call - a handler that runs on a listener's behalf
 * @node: in cm_listener.calls
 * @task: who runs it
 */
struct cm_listener_call {
	struct list_head node;
	const struct task_struct *task;
};

struct cm_listener *cm_listener_alloc(gfp_t gfp);
void cm_listeners_init(struct cm_listeners *listeners);

/* Receive path: is there one? Returns its id with a LOOKUP reference, or NULL. */
struct cm_id *cm_listener_get(struct cm_device *dev, __be64 service_id, struct cm_hold *hold);
/* Is there room in its backlog? (receive path, counts only) */
bool cm_listener_has_room(struct cm_id *lid);

enum cm_turn {
	CM_TURN_NOW,		/* the handler may run: the turn is the caller's */
	CM_TURN_LATER,		/* queued; the queue has the runner's reference */
	CM_TURN_NEVER,		/* the listener is gone */
};

/* A claimed request asks for a turn of lid's handler; the caller holds a reference to lid. */
enum cm_turn cm_listener_enter(struct cm_id *lid, struct cm_id *id);
/* A turn that came later begins. */
void cm_listener_begin(struct cm_id *lid, struct cm_id *id);
/* Its handler is called by this task. */
void cm_listener_call(struct cm_id *lid, struct cm_listener_call *call);
/* It has returned: gives the turn back, or to the next in the queue. call: NULL if it was not called. */
void cm_listener_leave(struct cm_id *lid, struct cm_listener_call *call);
/* Does this task run a handler on behalf of the id, which may be a listener? */
bool cm_listener_calls_us(struct cm_id *id);

int cm_listen_exclusive(struct cm_id *id, __be64 service_id);
struct cm_id *cm_listen_shared(struct ib_device *ibdev, ib_cm_handler handler, __be64 service_id);
/* Destroy: drops a share. true: others remain, nothing else to do. false: the last, or no listener. */
bool cm_listen_drop(struct cm_id *id);
/* Device removal: nobody finds it any more; its shares are still to be dropped. */
void cm_listen_retract(struct cm_id *id);
/* Verbs, under the id's lock. */
void cm_listen_detach(struct cm_act *act);
/* POST: REQs that waited get their REJ. */
void cm_listen_reject_queued(struct cm_listener *listener);

#endif /* CM_LISTEN_H */
