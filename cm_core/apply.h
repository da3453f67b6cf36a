/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Applying a row.
 *
 * Owns: struct cm_act, the critical section, the only assignment to a state.
 */
#ifndef CM_APPLY_H
#define CM_APPLY_H

#include <rdma/ib_cm.h>

#include "id.h"
#include "tx.h"

/* A reference that a row releases. At most OWNER's, REQUEST's, the timer's and a place's. */
struct cm_put {
	struct cm_hold hold;
	u8 why;
};

#define CM_ACT_PUTS	4

/**
 * struct cm_act - one thing that happens to an id: a call, a message, a timer
 * @id: whom it happens to; NULL: nobody (state NONE). A reference is held by the caller
 * @list: CM_DECIDE_* to ask for the event, or CM_ACT_DIRECT: @event is given
 * @event: the event, once decided
 * @from: the state it met
 * @row: the row that was applied
 * @facts: CM_FACT_*; the caller may set those that only it can know
 * @port: where a message came in
 * @wc: the message; consumed: NULL once an event or a reply owns it
 * @kind: of the message
 * @status: of a send that failed
 * @gen: of the request that a timer or a completion speaks of, or of the attempt of @expired
 * @expired: the record whose timewait is over; compared with id->rec, not followed
 * @rej: what a REJ is to say
 * @data: private data of a call
 * @len: its length
 * @call: the call's parameter structure
 * @attr: ib_cm_init_qp_attr(): what to fill
 * @attr_mask: the same
 * @sync: a caller waits for the result: a refused first copy fails its call
 * @may_sleep: POST may make an address handle
 * PREP products; what is left of them is freed after the lock:
 * @rec: a record (for a message: with its keys claimed)
 * @image: memory for a request's image
 * @copy: of @data
 * @av: an AV resolved before the lock
 * @alt: the alternate one
 * @listener: for LISTEN
 * Filled under the lock, used after it:
 * @out: the message to send; av.port NULL: none
 * @kick: a runner has to be queued
 * @puts: references to drop, by cm_later_put()
 * @nputs: their number
 * @dead_rec: a record to dispose of
 * @dead_image: request image to free
 * @dead_data: private data to free
 * @dead_listener: a listener whose queue has to be rejected
 * @dead_wc: datagrams to free
 * @dead_av: AVs to clear
 */
struct cm_act {
	struct cm_id *id;
	u8 list;
	u8 event;
	u8 from;
	u8 kind;
	const struct cm_row *row;
	u64 facts;
	struct cm_port *port;
	struct ib_mad_recv_wc *wc;
	enum ib_wc_status status;
	u32 gen;
	const struct cm_rec *expired;
	struct cm_rej_args rej;
	const void *data;
	const void *call;
	struct ib_qp_attr *attr;
	int *attr_mask;
	u8 len;
	u8 service_timeout;
	bool sync;
	bool may_sleep;
	bool kick;
	u8 nputs;
	struct cm_put puts[CM_ACT_PUTS];

	struct cm_rec *rec;
	u8 *image;
	u8 *copy;
	struct cm_av av;
	struct cm_av *alt;
	struct cm_listener *listener;

	struct cm_rec *dead_rec;
	u8 *dead_image;
	u8 *dead_data;
	struct cm_listener *dead_listener;
	struct ib_mad_recv_wc *dead_wc[CM_EVENT_RING];
	u8 ndead_wc;
	struct cm_av dead_av;
	struct cm_av *dead_alt;
	struct cm_out out;
};

#define CM_ACT_DIRECT	0xff

/*
 * Look-up is the caller's; this is the rest: lock, collect facts, decide,
 * apply, assert, unlock, POST, clean up. Returns 0, or the negative errno of the row.
 */
int cm_act_run(struct cm_act *act);
/* The row releases a reference: PUT drops it. Under the id's lock. */
static inline void cm_later_put(struct cm_act *act, enum cm_ref why, struct cm_hold *hold)
{
	struct cm_put *put = &act->puts[act->nputs++];

	put->why = why;
	cm_hold_pass(hold, &put->hold, why);
}

/* Under the id's lock. */
bool cm_act_assert(const struct cm_act *act);

#endif /* CM_APPLY_H */
