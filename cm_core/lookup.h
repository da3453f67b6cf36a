/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Finding things by what a message carries.
 *
 * Owns: the table of local comm ids (xarray), of (peer, remote comm id), of
 * (peer, remote QPN) and of SIDR requests (rhashtables of struct cm_rec).
 *
 * An id is reserved first and published last; a look-up is RCU plus
 * get-unless-zero and hands out a LOOKUP reference. Records are found and read
 * under the RCU read lock only; nothing here sleeps. Insertion happens in
 * process context before any lock of an id is taken; removal in any
 * context, which takes effect at once and leaves the tables when it can.
 */
#ifndef CM_LOOKUP_H
#define CM_LOOKUP_H

#include <linux/types.h>
#include <rdma/ib_mad.h>

#include "timewait.h"

struct cm_id;
struct cm_port;

/* Local comm ids: random, never 0, not reused at once. */
int cm_local_reserve(struct cm_id *id, gfp_t gfp);	/* fills id->pub.local_id */
void cm_local_publish(struct cm_id *id);
void cm_local_remove(struct cm_id *id);
/* The record takes over the reserved number. Never allocates. */
void cm_local_hand_over(struct cm_id *id, struct cm_rec *rec);
void cm_local_remove_rec(struct cm_rec *rec);
/* LOOKUP reference, or NULL */
struct cm_id *cm_local_get(__be32 local_id, struct cm_hold *hold);
struct cm_rec *cm_local_rec(__be32 local_id);		/* an orphan; under RCU */
/* The first published id from *index on, with a LOOKUP reference, or NULL; *index: its place */
struct cm_id *cm_local_next(unsigned long *index, struct cm_hold *hold);

/* The peer as a message tells: guid 0: GRH's source GID, else the source LID. */
void cm_peer_of(struct cm_peer *peer, __be64 guid, const struct cm_port *port,
		const struct ib_mad_recv_wc *wc);

enum cm_claim {
	CM_CLAIMED,		/* rec is in the tables */
	CM_CLAIM_REPEATED,	/* the same request has an id (or an orphan) already */
	CM_CLAIM_STALE,		/* the peer lost a connection that we still have */
	CM_CLAIM_NOMEM,		/* could not be inserted: treat as a lost datagram */
};

/*
 * Atomic insert-or-find of rec's key(s), by rec->links: PEER|QPN or SIDR. When
 * not CLAIMED, nothing of rec is in a table, and *local_id names the id that
 * has the key (0: an orphan, or an id that has no number yet). A record in
 * timewait loses its key to a request with another TID: it leaves the table,
 * its links stay as they are. Process context, interrupts on.
 */
enum cm_claim cm_claim(struct cm_rec *rec, __be32 *local_id);
/* The same question without a claim: rec may be on the stack. */
enum cm_claim cm_claim_ask(const struct cm_rec *rec, __be32 *local_id);
/* (peer, comm id, TID) to local comm id, for REJs that carry no id of ours; 0: none. */
__be32 cm_find_peer(const struct cm_peer *peer, __be32 remote_id, __be64 tid);
/* The record that has rec's comm id or, for a SIDR_REQ, request id; or NULL. Under RCU. */
struct cm_rec *cm_find_twin(const struct cm_rec *rec, enum cm_msg_kind kind);
/* It leaves the tables, for good. Interrupts are on, no id has it. */
void cm_unlink_rec(struct cm_rec *rec);

int cm_lookup_init(void);
void cm_lookup_exit(void);

#endif /* CM_LOOKUP_H */
