/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Connection records: the keys that a peer's messages are recognised by, and
 * what is left of a connection once it is over.
 *
 * Owns: struct cm_rec, the expiry queues of a port, the machine "tw".
 *
 * A record is made when a peer first shows up (REQ, REP, SIDR_REQ), or with a
 * REQ that we send, and belongs to one id: its timewait reservation. It points
 * at nobody; it names its id by local comm id and generation, so that it may
 * outlive the id: then it is an orphan, which reserves the local comm id,
 * answers repeated DREQs and recognises repeated REQs until it expires.
 *
 * Locks: cm_tw_port.lock (irq-safe, inside it only the lock of the local ids)
 * guards the queues, @state, @expires, @timeout. The id's lock guards @links
 * while the record belongs to an id; nobody but the owner writes them.
 * Freed after a grace period, and so is its hold on the device: look-ups hold
 * the RCU read lock only and may follow @port and @answer.
 */
#ifndef CM_TIMEWAIT_H
#define CM_TIMEWAIT_H

#include <linux/list.h>
#include <linux/llist.h>
#include <linux/rcupdate.h>
#include <linux/rhashtable-types.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <rdma/ib_mad.h>

#include "stats.h"

struct cm_act;
struct cm_id;
struct cm_out;
struct cm_port;

/* Who the peer is: its CA GUID; where that is 0, its port GID or LID */
enum cm_peer_kind { CM_PEER_GUID, CM_PEER_GID, CM_PEER_LID };

struct cm_peer {
	u64 a, b;		/* host order, as read; compared only */
	u8 kind;
};

/* What a repeated request is answered with: DREP private data, or a whole SIDR_REP */
struct cm_answer {
	u16 len;
	u8 data[];
};

/* Links of a record, and what table they stand for */
#define CM_LINK_PEER	0x01	/* (peer, remote comm id) */
#define CM_LINK_QPN	0x02	/* (peer, remote QPN): considered connected */
#define CM_LINK_SIDR	0x04	/* (peer, request id) */

struct cm_rec {
	struct rhash_head by_id;
	struct rhash_head by_qpn;
	u64 peer_a, peer_b;
	__be32 remote_id;	/* the peer's comm id, or the SIDR request id */
	__be32 local_id;	/* ours */
	__be64 tid;		/* of the REQ (SIDR_REQ) that the peer sent, or that we sent */
	u32 remote_qpn : 24;
	u32 peer_kind : 4;
	u32 tables : 4;		/* CM_LINK_*: tables that it may be in; cm_claim() */
	u32 local_qpn : 24;
	u32 timeout : 8;	/* 4.096 us x 2^n: which queue */
	u32 expires;		/* jiffies, low 32 bits */
	u16 gen;		/* of the id's attempt */
	u8 links;		/* CM_LINK_*, logical: the tables may lag behind */
	u8 state;		/* CM_TW_* */
	union {
		struct list_head expiry;	/* in cm_tw_port.queue[timeout] */
		struct llist_node dead;		/* disposed of with interrupts off */
		struct rcu_head rcu;		/* once off every list */
	};
	struct cm_answer *answer;
	struct cm_port *port;	/* holds the port's device */
};

static_assert(sizeof(struct cm_rec) <= 96);

/**
 * struct cm_tw_port - the timewait records of a port
 * @lock: guards all of it
 * @queue: by duration, so that each is in order of expiry
 * @work: expires what is due, in batches
 * @count: records in @queue
 * @answers: SIDR answers kept, at most CM_TW_ANSWERS
 * @next: when @work is due, jiffies, low 32 bits
 * @armed: @next is valid
 * @stopped: the port is going away: nothing is queued any more
 */
struct cm_tw_port {
	spinlock_t lock;
	struct list_head queue[32];
	struct delayed_work work;
	unsigned int count;
	unsigned int answers;
	u32 next;
	bool armed;
	bool stopped;
};

#define CM_TW_ANSWERS	1024

struct cm_rec *cm_rec_alloc(struct cm_port *port, gfp_t gfp);	/* holds the device */
/* Out of every table and queue, freed after a grace period. Any context; NULL is fine. */
void cm_rec_dispose(struct cm_rec *rec);

/* Under the id's lock: what the verbs of the id machine call. */
void cm_tw_reserve(struct cm_id *id);		/* takes id->rec: its number and attempt */
void cm_tw_start(struct cm_id *id);		/* enters TIMEWAIT; the record stays the id's */
void cm_tw_orphan(struct cm_act *act);		/* the id goes; its record lives on by itself */
void cm_tw_release(struct cm_act *act);		/* the record goes: to act->dead_rec */
/* A SIDR request was answered: keeps the answer for its repetitions, for some seconds. */
void cm_tw_keep_answer(struct cm_act *act);

/*
 * A message for an orphan, found under RCU. Returns true if it was dealt with
 * (DREQ: out holds the DREP to send, as a reply; others: counted).
 */
bool cm_tw_message(__be32 local_id, struct cm_port *port, struct ib_mad_recv_wc *wc);
/*
 * cm_claim(rec) found a repetition without an id: answers a SIDR_REQ from the
 * record that has the key, counts a REQ. Returns true if it was dealt with and wc consumed.
 */
bool cm_tw_repeated(const struct cm_rec *rec, struct cm_port *port, enum cm_msg_kind kind,
		    struct ib_mad_recv_wc *wc);

void cm_tw_port_init(struct cm_port *port);
/* Device removal: orphans go at once, records of ids are taken off the queues. May sleep. */
void cm_tw_port_stop(struct cm_port *port);

int cm_tw_init(void);
void cm_tw_exit(void);		/* after the last port: waits for deferred frees */

#endif /* CM_TIMEWAIT_H */
