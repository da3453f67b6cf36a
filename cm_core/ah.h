/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The shared address handles of a port.
 *
 * Owns: struct cm_ah, struct cm_ah_port, ageing.
 * Handles are keyed by their attributes, counted, bounded in number and aged:
 * ids hold attributes, each posted datagram holds one reference. A handle is
 * made and destroyed in process context only, outside every lock.
 */
#ifndef CM_AH_H
#define CM_AH_H

#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/refcount.h>
#include <linux/rhashtable-types.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <rdma/ib_verbs.h>

struct cm_port;

struct cm_ah;

/**
 * struct cm_ah_port - the handles of a port
 * @table: handles by their attributes; each has one reference for being here
 * @lock: guards insertion and removal, @all, @count. Process context only
 * @all: the handles in @table, the one to look at first for ageing in front
 * @count: their number
 * @gen: counts invalidations; a handle of an older generation is stale
 * @stopped: no handle is made any more; written under @lock
 * @users: handles that exist, makers at work, and one until cm_ah_port_exit()
 * @gone: @users is 0
 * @age: drops what is idle or stale
 * @dead: handles to destroy
 * @reap: destroys them
 */
struct cm_ah_port {
	struct rhashtable table;
	spinlock_t lock;
	struct list_head all;
	unsigned int count;
	atomic_t gen;
	bool stopped;
	refcount_t users;
	struct completion gone;
	struct delayed_work age;
	struct llist_head dead;
	struct work_struct reap;
};

/*
 * Finds a ready handle. Any context. NULL: there is none yet.
 */
struct cm_ah *cm_ah_find(struct cm_port *port, const struct rdma_ah_attr *attr);
/*
 * Finds or makes one. May sleep. Returns ERR_PTR on failure, -ENODEV once the
 * port is being removed.
 */
struct cm_ah *cm_ah_get(struct cm_port *port, const struct rdma_ah_attr *attr);
/* Drops one reference. Any context: the last put of a stale handle is left to a worker. */
void cm_ah_put(struct cm_ah *ah);
struct ib_ah *cm_ah_ib(const struct cm_ah *ah);

int cm_ah_port_init(struct cm_port *port);
/* Ends the table: no handle is made any more, idle ones go now, used ones with their last put. */
void cm_ah_port_stop(struct cm_port *port);
/*
 * Waits until every handle of the port is gone, and frees the table. A grace
 * period has passed since cm_ah_port_stop(). Not after a failed cm_ah_port_init().
 */
void cm_ah_port_exit(struct cm_port *port);
/* A GID, the port or a bond changed: idle handles are dropped, used ones made anew when next asked for. Any context. */
void cm_ah_port_invalidate(struct cm_port *port);

int cm_ah_init(void);
void cm_ah_exit(void);

#endif /* CM_AH_H */
