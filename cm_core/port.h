/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Devices, their ports and the MAD agents on them; hot-unplug.
 *
 * Owns: struct cm_device and struct cm_port, the ib_client, the event handler
 * that tells address handles about changed GIDs.
 *
 * Lifetime: a cm_device is counted. The client's data, every id created on the
 * device, every timewait record, deferred datagram and reply hold one each. The
 * ib_device pointer in it is good until removal has finished; only code that
 * holds a read-side section of cm_port_agent() or runs inside add/remove, and
 * callers of the API (who must not outlive their device), may follow it.
 *
 * The agent pointer: read and used inside one RCU read-side section together
 * with the creation of the send buffer; an unfreed buffer holds the agent.
 * Removal clears the pointer, waits for a grace period, then unregisters.
 */
#ifndef CM_PORT_H
#define CM_PORT_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <rdma/ib_mad.h>
#include <rdma/ib_verbs.h>

#include "ah.h"
#include "listen.h"
#include "reply.h"
#include "stall.h"
#include "stats.h"
#include "timewait.h"
#include "tx.h"

struct attribute_group;
struct cm_device;
struct dentry;

/**
 * struct cm_port - one port that speaks CM
 * @dev: the device; a port lives as long as it
 * @num: port number, from 1
 * @agent: the MAD agent of class CM, or NULL once removal has begun
 * @retired: the agent between its withdrawal and the end of its unregistration
 * @counts_grh: the length of a datagram includes the place of its GRH
 * @resolving: claimed requests whose way back is not known yet; bounded by the backlog
 * @tx: budget, window and queues of outgoing datagrams (tx.c)
 * @ah: the shared address handles (ah.c)
 * @tw: timewait records of the port (timewait.c)
 * @stall: whether its sends are completed (stall.c)
 * @reply: answers without an id (reply.c)
 * @stats: counters
 */
struct cm_port {
	struct cm_device *dev;
	u32 num;
	struct ib_mad_agent __rcu *agent;
	struct ib_mad_agent *retired;
	bool counts_grh;
	atomic_t resolving;
	struct cm_tx_port tx;
	struct cm_ah_port ah;
	struct cm_tw_port tw;
	struct cm_stall_port stall;
	struct cm_reply_port reply;
	struct cm_stats stats;
};

/**
 * struct cm_device - one device, as the CM sees it
 * @ref: counted references
 * @ibdev: the RDMA core's device
 * @guid: its node GUID, network order, by value: readable after removal
 * @ack_delay: its local CA ACK delay (4.096 us x 2^n)
 * @gone: removal has begun: no new id, listener or send. Set under @ids_lock, so
 *	that whoever adds to @ids either is seen by removal or sees it
 * @ids_lock: guards @ids; irq-safe
 * @gone_ids: ids that removal has told, under @ids_lock
 * @runners: event runners of its ids, queued or running; removal waits for 0
 * @ids: the live ids created on the device, by cm_id.dev_node
 * @listeners: the device's listeners (listen.c)
 * @event_handler: tells ah.c of GID, LID and port changes
 * @node: in the list of devices of port.c, for netdevice events
 * @debugfs: its folder, or NULL
 * @rcu: frees it
 * @nports: number of entries of @port
 * @port: NULL where a port does not speak CM; [0] is port 1
 */
struct cm_device {
	struct kref ref;
	struct ib_device *ibdev;
	__be64 guid;
	u8 ack_delay;
	bool gone;
	spinlock_t ids_lock;
	struct list_head ids;
	struct list_head gone_ids;
	atomic_t runners;
	struct cm_listeners listeners;
	struct ib_event_handler event_handler;
	struct list_head node;
	struct dentry *debugfs;
	struct rcu_head rcu;
	u32 nports;
	struct cm_port *port[];
};

struct cm_device *cm_device_get(struct ib_device *ibdev);	/* by client data; NULL: none */
void cm_device_hold(struct cm_device *dev);
void cm_device_put(struct cm_device *dev);			/* any context */
/* Calls do_one for every device that is there. May not sleep. */
void cm_device_for_each(void (*do_one)(struct cm_device *dev, void *context), void *context);
struct cm_port *cm_device_port(struct cm_device *dev, u32 num);	/* NULL: none */

int cm_port_init(void);		/* registers the ib_client */
void cm_port_exit(void);

/* debugfs.c: what operators and tests may look at. Nothing fails for want of it. */
void cm_debugfs_add(struct cm_device *dev);
void cm_debugfs_del(struct cm_device *dev);	/* waits for readers */
void cm_debugfs_init(void);
void cm_debugfs_exit(void);

/* Exported by ib_core, which declares them in a header of its own only */
int ib_port_register_client_groups(struct ib_device *ibdev, u32 port_num,
				   const struct attribute_group **groups);
void ib_port_unregister_client_groups(struct ib_device *ibdev, u32 port_num,
				      const struct attribute_group **groups);

#endif /* CM_PORT_H */
