/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * loop_hca, the inside: what the files share.
 *
 *	main.c		module init and exit, parameters, the list of devices
 *	spec.c		a device in words
 *	device.c	a device and its ports: create, remove, what ib_core asks about them
 *	objects.c	protection domains, address handles, CQs, QPs, memory regions
 *	queue.c		the data path of QP1: send, receive, complete
 *	later.c		what does not happen at once: delayed datagrams, late completions
 *	wire.c		who has which address; the way from one to the other
 *	station.c	peers without a device
 *	fault.c		rules, and whether one strikes; the time that a slow answer takes
 *	netdev.c	the network device of a RoCE port
 *	debugfs.c	the knobs as files
 *
 * A datagram's way is post_send -> fault -> wire -> receive queue -> CQ, in the
 * caller's context; only the knobs make it wait.
 *
 * Lock order: loop_port.lock -> loop_cq.lock. Two ports' locks are never held
 * together, and none is held while a completion handler runs.
 */
#ifndef LOOP_LOCAL_H
#define LOOP_LOCAL_H

#include <linux/list.h>
#include <linux/netdevice.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "loop.h"

/* Both are far more than a send queue of ib_mad holds. */
#define LOOP_MAX_WR		8192
/* Datagrams of one port that are on their way; more are lost. */
#define LOOP_MAX_LATE		4096
/* Datagrams that wait for a station's owner; more are lost. */
#define LOOP_MAX_WAITING	32768
#define LOOP_GIDS		32
#define LOOP_QP1		1
#define LOOP_NO_VLAN		0xffff

struct loop_draft;

/**
 * struct loop_end - somebody on the wire
 * @layer: which of the two wires
 * @lid: base, host order; 0 on RoCE
 * @lmc: mask control
 * @deliver: takes a datagram; any context; the result of loop_station_send()
 */
struct loop_end {
	enum rdma_link_layer layer;
	u16 lid;
	u8 lmc;
	int (*deliver)(struct loop_end *end, const struct loop_packet *packet);
};

/* A GID by which an end is found (RoCE). */
struct loop_gid {
	struct hlist_node node;
	struct rcu_head rcu;
	union ib_gid gid;
	struct loop_end *end;
};

/* A rule at work. */
struct loop_knob {
	struct loop_rule rule;
	u32 sets;	/* which rule this is */
	u32 matched;
	u32 hits;
};

/* @credit goes down when the completion is taken. */
struct loop_cqe {
	struct ib_wc wc;
	atomic_t *credit;
};

struct loop_cq {
	struct ib_cq ibcq;
	spinlock_t lock;	/* guards all below but calls */
	struct loop_cqe *ring;
	u32 size;
	u32 head;
	u32 count;
	bool armed;
	bool solicited_only;
	atomic_t calls;		/* calls of the handler that run or are about to */
};

struct loop_pd {
	struct ib_pd ibpd;
};

struct loop_ah {
	struct ib_ah ibah;
	struct rdma_ah_attr attr;	/* without the GID reference */
	struct loop_packet to;		/* addresses and GRH only */
};

struct loop_recv {
	u64 wr_id;
	u64 addr;
	u32 length;
};

struct loop_qp {
	struct ib_qp ibqp;
	struct loop_port *port;
	/* guarded by the port's lock */
	enum ib_qp_state state;
	bool parting;		/* it is being destroyed */
	u32 qkey;
	struct ib_qp_cap cap;
	bool signal_all;
	struct loop_recv *rq;
	u32 rq_size;
	u32 rq_head;
	u32 rq_count;
};

struct loop_port {
	struct loop_end end;
	struct loop_device *dev;
	u32 num;
	u64 guid;
	u8 mac[ETH_ALEN];
	struct net_device *ndev;

	spinlock_t lock;		/* guards all below but the two atomics and the work */
	enum ib_port_state state;
	u32 caps;
	u16 pkeys[LOOP_MAX_PKEYS];
	u32 pkey_count;
	u32 pkey_violations;
	u32 overruns;			/* datagrams for which there was no receive */
	u32 lost_late;			/* datagrams lost because too many were on their way */
	struct loop_qp *gsi;
	struct loop_knob knobs[LOOP_FAULTS];
	struct list_head parcels;	/* delayed datagrams, by due time */
	u32 parcel_count;
	struct loop_parcel *held;	/* waits to be overtaken */
	struct list_head receipts;	/* completions to come, by due time; the withheld last */

	atomic_t sq_used;		/* posted, and the completion not yet taken from the CQ */
	atomic_t rq_unpolled;		/* arrived, and the completion not yet taken from the CQ */
	struct delayed_work later;
};

struct loop_device {
	struct ib_device ibdev;
	struct list_head entry;		/* in loop_devices; guarded by loop_devices_lock */
	struct loop_config config;
	int number;			/* of its name */
	u64 guid;			/* of which those of the ports are made */
	struct loop_port *ports;	/* from index 0, which is port 1 */
	atomic_t handles;
	atomic_t next_qpn;
	struct dentry *debugfs;
	struct loop_draft *drafts;	/* debugfs.c's */
};

/* A datagram that is on its way. */
struct loop_parcel {
	struct list_head entry;
	unsigned long due;
	unsigned int copies;
	struct loop_packet packet;
};

static inline struct loop_device *to_loop(struct ib_device *ibdev)
{
	return container_of(ibdev, struct loop_device, ibdev);
}

static inline struct loop_port *loop_port(struct ib_device *ibdev, u32 port)
{
	return &to_loop(ibdev)->ports[port - 1];
}

static inline bool loop_port_valid(struct ib_device *ibdev, u32 port)
{
	return port >= 1 && port <= ibdev->phys_port_cnt;
}

/* main.c */
extern struct workqueue_struct *loop_wq;
int loop_create_all(const char *specs);
int loop_remove_named(const char *name);
void loop_devices_add(struct loop_device *dev);
bool loop_devices_del(struct loop_device *dev);

/* spec.c */
int loop_spec_parse(char *words, struct loop_config *config);

/* objects.c */
extern const struct ib_device_ops loop_object_ops;

/* queue.c */
int loop_post_send(struct ib_qp *ibqp, const struct ib_send_wr *wr, const struct ib_send_wr **bad);
int loop_post_recv(struct ib_qp *ibqp, const struct ib_recv_wr *wr, const struct ib_recv_wr **bad);
int loop_poll_cq(struct ib_cq *ibcq, int num, struct ib_wc *wc);
int loop_req_notify_cq(struct ib_cq *ibcq, enum ib_cq_notify_flags flags);
int loop_port_deliver(struct loop_end *end, const struct loop_packet *packet);
void loop_qp_flush(struct loop_qp *qp, bool receives);
int loop_cq_init(struct loop_cq *cq, u32 size);
void loop_cq_part(struct ib_cq *ibcq, const struct ib_qp *ibqp);
void loop_cq_fini(struct loop_cq *cq);
struct loop_cq *loop_cq_push(struct ib_cq *ibcq, const struct ib_wc *wc, bool solicited,
			     atomic_t *credit);
void loop_cq_notify(struct loop_cq *cq);

/* later.c */
void loop_later_init(struct loop_port *port);
void loop_later_fini(struct loop_port *port);
void loop_later_packet(struct loop_port *port, const struct loop_packet *packet,
		       unsigned int copies, u32 ms);
bool loop_later_hold(struct loop_port *port, const struct loop_packet *packet, unsigned int copies);
struct loop_parcel *loop_later_overtaken(struct loop_port *port);
bool loop_later_complete(struct loop_qp *qp, const struct ib_wc *wc, u32 ms, bool never);
void loop_later_release(struct loop_port *port, bool all);
bool loop_later_flush_one(struct loop_port *port, struct loop_qp *qp);

/* wire.c */
int loop_wire_attach(struct loop_end *end);
void loop_wire_detach(struct loop_end *end);
struct loop_gid *loop_wire_add_gid(struct loop_end *end, const union ib_gid *gid);
void loop_wire_del_gid(struct loop_gid *entry);
int loop_wire_send(enum rdma_link_layer layer, const struct loop_packet *packet);
u32 loop_wire_serial(void);
void loop_wire_exit(void);
void loop_mac_to_gid(const u8 *mac, union ib_gid *gid);

/* fault.c */
void loop_faults_stop(struct loop_device *dev);
void loop_dawdle(struct loop_port *port, enum loop_fault fault, bool sleepable);
bool loop_strike(struct loop_port *port, enum loop_fault fault, const struct loop_packet *packet,
		 u32 *arg);
const char *loop_fault_name(enum loop_fault fault);

/* netdev.c */
int loop_netdev_create(struct loop_port *port, const char *name);
void loop_netdev_destroy(struct loop_port *port);

/* debugfs.c */
void loop_debugfs_init(void);
void loop_debugfs_close(void);
void loop_debugfs_exit(void);
void loop_debugfs_add(struct loop_device *dev);
void loop_debugfs_del(struct loop_device *dev);

#endif /* LOOP_LOCAL_H */
