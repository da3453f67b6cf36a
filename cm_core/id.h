/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The connection id.
 *
 * Owns: struct cm_id: creation, references, synchronous destroy.
 *
 * Locks: cm_id.lock, irq-safe, guards every field below it. Order:
 * cm_listeners.lock -> cm_id.lock -> { cm_tx_port.lock, cm_tw_port.lock,
 * cm_device.ids_lock } -> the xarray's lock. Nothing sleeps, allocates or calls
 * out under it.
 *
 * References: OWNER (creation to destroy), REQUEST (an outstanding request),
 * EVENT (a queued or running runner), LISTENER (a delivery that runs a handler
 * on the listener's behalf), LOOKUP (whoever found it), TIMER (a request's timer
 * or its callback), PLACE (a place in a port's queue). Each has a receipt, struct
 * cm_hold, that lies with its holder. The last put completes the destroyer's wait,
 * or frees the id if nobody waits. Memory goes after a grace period.
 */
#ifndef CM_ID_H
#define CM_ID_H

#include <linux/completion.h>
#include <linux/ktime.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <rdma/ib_cm.h>

#include "event.h"
#include "fsm.h"
#include "hold.h"
#include "path.h"
#include "port.h"
#include "tx.h"

struct cm_id {
	struct ib_cm_id pub;		/* what consumers see; state mirrored by apply.c */
	refcount_t refs;
	struct cm_holds holds;		/* by whom, where the kernel can track it */
	struct cm_hold owner;		/* OWNER's; with owned, or of the receive path before OWN */
	spinlock_t lock;
	struct completion *gone;	/* the destroyer's; set before its reference is dropped */
	struct cm_device *dev;		/* counted; NULL: a device without CM */
	struct list_head dev_node;	/* in cm_device.ids */

	u8 state;			/* CM_ID_*: written by apply.c only */
	bool owned : 1;			/* the OWNER holder */
	bool told : 1;			/* an MRA of ours told the peer our comm id */
	bool active : 1;		/* we sent the REQ or SIDR_REQ of this attempt */
	u8 qp_type;			/* enum ib_qp_type */
	u8 path_mtu;
	u8 retry_count;
	u8 rnr_retry_count;
	u8 initiator_depth;
	u8 responder_resources;
	u8 target_ack_delay;
	u8 max_retries;			/* of our requests */
	u8 service_timeout;		/* of the consumer's MRA, 4.096 us x 2^n */
	u8 remote_timeout;		/* remote CM response time-out of the REQ, 4.096 us x 2^n */
	u8 data_len;
	u8 data_kind;			/* enum cm_msg_kind: whose private data it is */
	u16 gen;			/* counts attempts; a record carries it */
	u32 since;			/* cm_now() when it came into its state; apply.c */
	u32 asked;			/* the same of its last request; tx.c */
	u32 timeout_ms;			/* how long one of our requests waits */
	u32 local_qpn;			/* host order, 24 bits */
	u32 remote_qpn;
	u32 sq_psn;
	u32 rq_psn;
	u32 qkey;
	__be64 tid;			/* of the REQ or SIDR_REQ of this attempt */
	union {
		__be64 drep_tid;	/* of the DREQ to be answered */
		__be64 lap_tid;		/* of the LAP to be answered; a DREQ ends it */
	};
	struct rdma_ucm_ece ece;

	struct cm_av av;
	struct cm_av *alt;		/* alternate path, or NULL */
	struct cm_rec *rec;		/* keys and timewait reservation */
	struct cm_listener *listener;	/* in LISTEN */
	u8 *data;			/* private data to repeat: RTU's or DREP's */
	struct cm_request req;
	struct cm_events ev;
	struct rcu_head rcu;
};

/* For what is shown: the time in steps of 2^24 ns (17 ms), which comes round in 2.2 years. */
static inline u32 cm_now(void)
{
	return ktime_get_coarse_boottime_ns() >> 24;
}

static inline u64 cm_ms_since(u32 then)
{
	return ((u64)(u32)(cm_now() - then) << 24) / NSEC_PER_MSEC;
}

static inline struct cm_id *to_cm_id(struct ib_cm_id *pub)
{
	return container_of(pub, struct cm_id, pub);
}

/* Reserved, not published: nobody can find it. GFP as given. */
struct cm_id *cm_id_alloc(struct ib_device *ibdev, struct cm_device *dev,
			  ib_cm_handler handler, void *context, gfp_t gfp);
bool cm_id_publish(struct cm_id *id);	/* false: its device is leaving */
/* Undoes cm_id_alloc() for an id that was never published. */
void cm_id_abandon(struct cm_id *id);

void cm_id_get(struct cm_id *id, enum cm_ref why, struct cm_hold *hold);
/* Under RCU: not zero. */
bool cm_id_get_live(struct cm_id *id, enum cm_ref why, struct cm_hold *hold);
void cm_id_put(struct cm_id *id, enum cm_ref why, struct cm_hold *hold);

/* ib_create_cm_id(): allocated, published, owned. May sleep. ERR_PTR on failure. */
struct cm_id *cm_id_create(struct ib_device *ibdev, ib_cm_handler handler, void *context);
/* Synchronous, bounded; see Documentation. err: 0, or what the handler returned. */
void cm_id_destroy(struct cm_id *id);
/* Destroy: look-ups, the device's list and removal know it no more. Under the id's lock. */
void cm_id_forget(struct cm_id *id);
/* Device removal: every id of the device gets its last event; its addresses are gone on return. Sleeps. */
void cm_id_remove_all(struct cm_device *dev);
/* Counts, and warns once for the module's life: a defect of ours. */
void cm_holders_violated(const struct cm_id *id, u32 seen);
/* CM_ID_HOLD_* that are there, read from the facts. Under the id's lock. */
u32 cm_id_holders(const struct cm_id *id);

#endif /* CM_ID_H */
