// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Trace points for what goes wrong: refused calls, stray messages, failed sends.
 *
 * Owns: which point tells of which row. No locks, no references: an act's id is
 * its caller's, and locked where cm_trace_odd() is called.
 *
 * What a point means depends on event and verdict, never on a state: those are
 * the model's. Repetitions, and what is dropped for want of room, have counters.
 */
#include "apply.h"
#include "msg.h"
#include "trace.h"

typedef void (*cm_odd_fn)(const struct cm_act *act);

static const struct ib_mad *cm_odd_mad(const struct cm_act *act)
{
	return (const struct ib_mad *)act->wc->recv_buf.mad;
}

/* The comm ids of a message, in host order: its sender's, and whom it is for. */
static u32 cm_odd_from(const struct ib_mad *in)
{
	return be32_to_cpu(cm_msg_local_comm_id(in));
}

static u32 cm_odd_to(const struct ib_mad *in)
{
	return be32_to_cpu(cm_msg_remote_comm_id(in));
}

/* Points that show the id */
#define CM_ODD_ID(point)						\
	static void cm_odd_##point(const struct cm_act *act)		\
	{								\
		trace_icm_##point(&act->id->pub);			\
	}

CM_ODD_ID(send_dup_req)
CM_ODD_ID(send_dup_rep)
CM_ODD_ID(dreq_skipped)
CM_ODD_ID(send_cm_rtu_err)
CM_ODD_ID(send_drep_err)
CM_ODD_ID(send_unknown_rej_err)
CM_ODD_ID(qp_init_err)
CM_ODD_ID(qp_rtr_err)
CM_ODD_ID(qp_rts_err)
CM_ODD_ID(dreq_unknown_err)
CM_ODD_ID(rej_unknown_err)
CM_ODD_ID(mra_unknown_err)
#ifdef CM_HAVE_PREPARE_MRA
CM_ODD_ID(prepare_mra_unknown_err)
#define cm_odd_mra_refused cm_odd_prepare_mra_unknown_err
#else
CM_ODD_ID(send_mra_unknown_err)
#define cm_odd_mra_refused cm_odd_send_mra_unknown_err
#endif

static void cm_odd_send_rep_err(const struct cm_act *act)
{
	trace_icm_send_rep_err(act->id->pub.local_id, act->id->pub.state);
}

/* That a connection is established already is news to nobody. */
static void cm_odd_establish_err(const struct cm_act *act)
{
	if (act->row->error != EISCONN)
		trace_icm_establish_err(&act->id->pub);
}

/* A request that nobody listens for has no id, unless its listener left later. */
static void cm_odd_no_listener_err(const struct cm_act *act)
{
	const struct ib_mad *in = cm_odd_mad(act);
	const struct ib_cm_id nobody = {
		.service_id = cm_msg_service_id(in),
		.state = act->kind == CM_MSG_REQ ? IB_CM_REQ_RCVD : IB_CM_SIDR_REQ_RCVD,
		.remote_id = cm_msg_local_comm_id(in),
	};

	trace_icm_no_listener_err(act->id ? &act->id->pub : &nobody);
}

static void cm_odd_staleconn_err(const struct cm_act *act)
{
	const struct ib_mad *in = cm_odd_mad(act);

	trace_icm_staleconn_err(cm_odd_from(in), cm_odd_to(in));
}

static void cm_odd_no_id(const struct cm_act *act)
{
	cm_trace_no_id(act->kind, cm_odd_mad(act));
}

static void cm_odd_rep_unknown_err(const struct cm_act *act)
{
	const struct ib_mad *in = cm_odd_mad(act);

	trace_icm_rep_unknown_err(cm_odd_from(in), cm_odd_to(in), act->id->pub.state);
}

static void cm_odd_mad_send_err(const struct cm_act *act)
{
	trace_icm_mad_send_err(act->id->pub.state, act->status);
}

/* Events that a point tells of if the row has this verdict */
static const struct {
	u8 verdict;
	cm_odd_fn trace;
} cm_odd_events[CM_ID_EVENTS] = {
	[CM_ID_ON_CALL_REP]		= { CM_INVALID, cm_odd_send_rep_err },
	[CM_ID_ON_CALL_RTU]		= { CM_INVALID, cm_odd_send_cm_rtu_err },
	[CM_ID_ON_CALL_DREQ]		= { CM_INVALID, cm_odd_dreq_skipped },
	[CM_ID_ON_CALL_DREP]		= { CM_INVALID, cm_odd_send_drep_err },
	[CM_ID_ON_CALL_REJ]		= { CM_INVALID, cm_odd_send_unknown_rej_err },
	[CM_ID_ON_CALL_MRA]		= { CM_INVALID, cm_odd_mra_refused },
	[CM_ID_ON_CALL_MRA_DELAYED]	= { CM_INVALID, cm_odd_mra_refused },
	[CM_ID_ON_CALL_QP_INIT]		= { CM_INVALID, cm_odd_qp_init_err },
	[CM_ID_ON_CALL_QP_RTR]		= { CM_INVALID, cm_odd_qp_rtr_err },
	[CM_ID_ON_CALL_QP_RTS]		= { CM_INVALID, cm_odd_qp_rts_err },
	[CM_ID_ON_CALL_COMM_EST]	= { CM_INVALID, cm_odd_establish_err },

	[CM_ID_ON_REQ_REPEATED]		= { CM_RESEND, cm_odd_send_dup_req },
	[CM_ID_ON_REP_REPEATED]		= { CM_RESEND, cm_odd_send_dup_rep },

	[CM_ID_ON_REQ_STALE]		= { CM_REJECT, cm_odd_staleconn_err },
	[CM_ID_ON_REP_STALE]		= { CM_REJECT, cm_odd_staleconn_err },
	[CM_ID_ON_REQ_NO_LISTENER]	= { CM_REJECT, cm_odd_no_listener_err },
	[CM_ID_ON_SIDR_REQ_NO_LISTENER]	= { CM_REJECT, cm_odd_no_listener_err },
	[CM_ID_ON_LISTENER_GONE]	= { CM_REJECT, cm_odd_no_listener_err },
	[CM_ID_ON_REP_UNKNOWN]		= { CM_REJECT, cm_odd_no_id },
	[CM_ID_ON_DREQ_UNKNOWN]		= { CM_REJECT, cm_odd_no_id },

	[CM_ID_ON_SEND_LOST]		= { CM_HANDLE, cm_odd_mad_send_err },
	[CM_ID_ON_SEND_FAILED]		= { CM_HANDLE, cm_odd_mad_send_err },
};

/* Messages that an id ignores because it does not expect them, or not from there */
static const cm_odd_fn cm_odd_strays[CM_MSG_KINDS] = {
	[CM_MSG_MRA]	= cm_odd_mra_unknown_err,
	[CM_MSG_REJ]	= cm_odd_rej_unknown_err,
	[CM_MSG_REP]	= cm_odd_rep_unknown_err,
	[CM_MSG_DREQ]	= cm_odd_dreq_unknown_err,
};

static bool cm_odd_stray(const struct cm_act *act)
{
	const struct cm_row *row = act->row;

	return row->verdict == CM_IGNORE && row->why != CM_WHY_DUPLICATE &&
	       row->why != CM_WHY_BUSY && act->wc && act->id;
}

/**
 * cm_trace_odd - trace a row that is not the ordinary course of a connection
 * @act: its row is decided, not yet applied: id and message are as they met
 *
 * Context: any; act->id's lock is held, if there is an id.
 */
void cm_trace_odd(const struct cm_act *act)
{
	cm_odd_fn trace = NULL;

	if (cm_odd_events[act->event].verdict == act->row->verdict)
		trace = cm_odd_events[act->event].trace;
	else if (cm_odd_stray(act))
		trace = cm_odd_strays[act->kind];
	if (trace)
		trace(act);
}

/**
 * cm_trace_no_id - trace a message whose comm id nobody has
 * @kind: of the message
 * @in: the message
 *
 * Context: any.
 */
void cm_trace_no_id(enum cm_msg_kind kind, const struct ib_mad *in)
{
	if (kind == CM_MSG_DREQ)
		trace_icm_no_priv_err(cm_odd_from(in), cm_odd_to(in));
	else if (kind == CM_MSG_REP)
		trace_icm_remote_no_priv_err(cm_odd_to(in));
}

/**
 * cm_trace_reply - trace an answer that is made from a message alone
 * @kind: of the answer
 * @in: the message
 *
 * Context: any.
 */
void cm_trace_reply(enum cm_msg_kind kind, const struct ib_mad *in)
{
	if (kind == CM_MSG_REJ)
		trace_icm_issue_rej(cm_odd_from(in), cm_odd_to(in));
	else if (kind == CM_MSG_DREP)
		trace_icm_issue_drep(cm_odd_from(in), cm_odd_to(in));
}
