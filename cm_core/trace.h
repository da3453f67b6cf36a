/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Tracing, as the rest of the module uses it. Not for api.c: what this file
 * makes visible changes the symbol versions of its exports.
 *
 * Owns: nothing; no trace point takes a lock or a reference. Whoever traces an
 * id has a reference to it.
 */
#ifndef CM_TRACE_H
#define CM_TRACE_H

#include "fsm.h"
#include "id.h"
#include "stats.h"
#include "trace_points.h"

struct cm_act;
struct ib_mad;

/* Every row that was applied, under the id's lock. from: the state before. */
static inline void cm_trace_transition(const struct cm_id *id, u8 event, u8 from,
				       const struct cm_row *row)
{
	trace_icm_transition(&id->pub, event, from, id->state, row - cm_id_rows);
}

/* A violated assertion, under the id's lock. */
static inline void cm_trace_holders(const struct cm_id *id, u32 want, u32 seen)
{
	trace_icm_holders(&id->pub, id->state, want, seen, refcount_read(&id->refs));
}

/* A message of an id is about to be posted for the first time. REJ has a reason: trace_icm_send_rej(). */
static inline void cm_trace_send(const struct cm_id *id, enum cm_msg_kind kind)
{
	switch (kind) {
	case CM_MSG_REQ:
		trace_icm_send_req(&id->pub);
		break;
	case CM_MSG_MRA:
		trace_icm_send_mra(&id->pub);
		break;
	case CM_MSG_REP:
		trace_icm_send_rep(&id->pub);
		break;
	case CM_MSG_RTU:
		trace_icm_send_rtu(&id->pub);
		break;
	case CM_MSG_DREQ:
		trace_icm_send_dreq(&id->pub);
		break;
	case CM_MSG_DREP:
		trace_icm_send_drep(&id->pub);
		break;
	case CM_MSG_SIDR_REQ:
		trace_icm_send_sidr_req(&id->pub);
		break;
	case CM_MSG_SIDR_REP:
		trace_icm_send_sidr_rep(&id->pub);
		break;
	default:
		break;
	}
}

/* Refused calls, stray messages, failed sends; under the id's lock, before the row is applied. */
void cm_trace_odd(const struct cm_act *act);
/* A message for a comm id that nobody has. */
void cm_trace_no_id(enum cm_msg_kind kind, const struct ib_mad *in);
/* An answer that is made from a message alone. */
void cm_trace_reply(enum cm_msg_kind kind, const struct ib_mad *in);

#endif /* CM_TRACE_H */
