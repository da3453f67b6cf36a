/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The trace points. Read by trace.h and by the tracing machinery; other files
 * include trace.h.
 *
 * System, event names, fields and their order are the stock module's, because
 * scripts depend on them. Ours: icm_transition, icm_holders. What goes wrong is
 * mostly raised in trace_odd.c. icm_handler_err, which stock has for an event that
 * its dispatcher does not know, tells of a consumer's handler that said no.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM ib_cma

#if !defined(CM_TRACE_POINTS_H) || defined(TRACE_HEADER_MULTI_READ)
#define CM_TRACE_POINTS_H

#include <linux/tracepoint.h>
#include <rdma/ib_cm.h>
#include <trace/misc/rdma.h>

#include "generated/cm_model.h"
#include "generated/cm_trace_enums.h"

/* Names of public values, without their common IB_CM_: op(name), sep between two */
#define CM_EACH_PUBLIC_STATE(op, sep)						\
	op(IDLE) sep op(LISTEN) sep op(REQ_SENT) sep op(REQ_RCVD) sep		\
	op(MRA_REQ_SENT) sep op(MRA_REQ_RCVD) sep op(REP_SENT) sep		\
	op(REP_RCVD) sep op(MRA_REP_SENT) sep op(MRA_REP_RCVD) sep		\
	op(ESTABLISHED) sep op(DREQ_SENT) sep op(DREQ_RCVD) sep op(TIMEWAIT) sep \
	op(SIDR_REQ_SENT) sep op(SIDR_REQ_RCVD)

#define CM_EACH_PUBLIC_LAP(op, sep)						\
	op(LAP_UNINIT) sep op(LAP_IDLE) sep op(LAP_SENT) sep op(LAP_RCVD) sep	\
	op(MRA_LAP_SENT) sep op(MRA_LAP_RCVD)

#define CM_EACH_REASON(op, sep)							\
	op(REJ_NO_QP) sep op(REJ_NO_EEC) sep op(REJ_NO_RESOURCES) sep \
	op(REJ_TIMEOUT) sep op(REJ_UNSUPPORTED) sep \
	op(REJ_INVALID_COMM_ID) sep op(REJ_INVALID_COMM_INSTANCE) sep \
	op(REJ_INVALID_SERVICE_ID) sep \
	op(REJ_INVALID_TRANSPORT_TYPE) sep op(REJ_STALE_CONN) sep \
	op(REJ_RDC_NOT_EXIST) sep op(REJ_INVALID_GID) sep \
	op(REJ_INVALID_LID) sep op(REJ_INVALID_SL) sep \
	op(REJ_INVALID_TRAFFIC_CLASS) sep \
	op(REJ_INVALID_HOP_LIMIT) sep op(REJ_INVALID_PACKET_RATE) sep \
	op(REJ_INVALID_ALT_GID) sep op(REJ_INVALID_ALT_LID) sep \
	op(REJ_INVALID_ALT_SL) sep \
	op(REJ_INVALID_ALT_TRAFFIC_CLASS) sep \
	op(REJ_INVALID_ALT_HOP_LIMIT) sep \
	op(REJ_INVALID_ALT_PACKET_RATE) sep \
	op(REJ_PORT_CM_REDIRECT) sep op(REJ_PORT_REDIRECT) sep \
	op(REJ_INVALID_MTU) sep \
	op(REJ_INSUFFICIENT_RESP_RESOURCES) sep \
	op(REJ_CONSUMER_DEFINED) sep op(REJ_INVALID_RNR_RETRY) sep \
	op(REJ_DUPLICATE_LOCAL_COMM_ID) sep \
	op(REJ_INVALID_CLASS_VERSION) sep \
	op(REJ_INVALID_FLOW_LABEL) sep \
	op(REJ_INVALID_ALT_FLOW_LABEL) sep \
	op(REJ_VENDOR_OPTION_NOT_SUPPORTED)

/* Values for the tools that read raw traces */
#define CM_VALUE(name)		TRACE_DEFINE_ENUM(IB_CM_##name);
#define CM_NOTHING
CM_EACH_PUBLIC_STATE(CM_VALUE, CM_NOTHING)
CM_EACH_PUBLIC_LAP(CM_VALUE, CM_NOTHING)
CM_EACH_REASON(CM_VALUE, CM_NOTHING)
CM_ID_STATE_ENUMS
CM_ID_EVENT_ENUMS
#undef CM_NOTHING
#undef CM_VALUE

#ifndef CM_SHOW_STATE
#define CM_COMMA		,
#define CM_PAIR(name)		{ IB_CM_##name, #name }
#define CM_SHOW_STATE(v)	__print_symbolic(v, CM_EACH_PUBLIC_STATE(CM_PAIR, CM_COMMA))
#define CM_SHOW_LAP(v)		__print_symbolic(v, CM_EACH_PUBLIC_LAP(CM_PAIR, CM_COMMA))
#define CM_SHOW_REASON(v)	__print_symbolic(v, CM_EACH_REASON(CM_PAIR, CM_COMMA))

/* The two comm ids, which nearly every event starts with; @cm_id serves eBPF scripts */
#define CM_FIELDS_IDS		__field(u32, local_id) __field(u32, remote_id)
#define CM_FIELDS_ID		__field(const void *, cm_id) CM_FIELDS_IDS
#define CM_TAKE_ID(from)						\
	({								\
		__entry->cm_id = (from);				\
		__entry->local_id = be32_to_cpu((from)->local_id);	\
		__entry->remote_id = be32_to_cpu((from)->remote_id);	\
	})
#define CM_FMT_IDS		"local_id=%u remote_id=%u"
#define CM_SHOW_IDS		__entry->local_id, __entry->remote_id
#endif

/* An id, as it is */
DECLARE_EVENT_CLASS(icm_id_class,
	TP_PROTO(const struct ib_cm_id *cm_id),
	TP_ARGS(cm_id),
	TP_STRUCT__entry(
		CM_FIELDS_ID
		__field(unsigned long, state)
		__field(unsigned long, lap_state)
	),
	TP_fast_assign(
		CM_TAKE_ID(cm_id);
		__entry->state = cm_id->state;
		__entry->lap_state = cm_id->lap_state;
	),
	TP_printk(CM_FMT_IDS " state=%s lap_state=%s", CM_SHOW_IDS,
		  CM_SHOW_STATE(__entry->state), CM_SHOW_LAP(__entry->lap_state))
);

#define CM_ID_POINT(name)						\
	DEFINE_EVENT(icm_id_class, icm_##name,				\
		     TP_PROTO(const struct ib_cm_id *cm_id), TP_ARGS(cm_id))

/* What is sent */
CM_ID_POINT(send_req);
CM_ID_POINT(send_mra);
CM_ID_POINT(send_rep);
CM_ID_POINT(send_rtu);
CM_ID_POINT(send_dreq);
CM_ID_POINT(send_drep);
CM_ID_POINT(send_sidr_req);
CM_ID_POINT(send_sidr_rep);
CM_ID_POINT(send_dup_req);	/* the answer to a repeated REQ */
CM_ID_POINT(send_dup_rep);	/* the answer to a repeated REP */
CM_ID_POINT(dreq_skipped);	/* a disconnect without DREQ: there is none to send */

/* Calls that the state forbids */
CM_ID_POINT(send_cm_rtu_err);
CM_ID_POINT(send_drep_err);
CM_ID_POINT(send_unknown_rej_err);
#ifdef CM_HAVE_PREPARE_MRA
CM_ID_POINT(prepare_mra_unknown_err);
#else
CM_ID_POINT(send_mra_unknown_err);
#endif
CM_ID_POINT(establish_err);
CM_ID_POINT(qp_init_err);
CM_ID_POINT(qp_rtr_err);
CM_ID_POINT(qp_rts_err);

/* Messages that nobody expected */
CM_ID_POINT(no_listener_err);
CM_ID_POINT(dreq_unknown_err);
CM_ID_POINT(rej_unknown_err);
CM_ID_POINT(mra_unknown_err);

TRACE_EVENT(icm_send_rej,
	TP_PROTO(const struct ib_cm_id *cm_id, enum ib_cm_rej_reason reason),
	TP_ARGS(cm_id, reason),
	TP_STRUCT__entry(
		CM_FIELDS_ID
		__field(unsigned long, state)
		__field(unsigned long, reason)
	),
	TP_fast_assign(
		CM_TAKE_ID(cm_id);
		__entry->state = cm_id->state;
		__entry->reason = reason;
	),
	TP_printk(CM_FMT_IDS " state=%s reason=%s", CM_SHOW_IDS,
		  CM_SHOW_STATE(__entry->state), CM_SHOW_REASON(__entry->reason))
);

/* Comm ids of a message, without an id of ours; host order */
DECLARE_EVENT_CLASS(icm_local_class,
	TP_PROTO(unsigned int local_id, unsigned int remote_id),
	TP_ARGS(local_id, remote_id),
	TP_STRUCT__entry(CM_FIELDS_IDS),
	TP_fast_assign(
		__entry->local_id = local_id;
		__entry->remote_id = remote_id;
	),
	TP_printk(CM_FMT_IDS, CM_SHOW_IDS)
);

#define CM_PAIR_POINT(name)						\
	DEFINE_EVENT(icm_local_class, icm_##name,			\
		     TP_PROTO(unsigned int local_id, unsigned int remote_id), \
		     TP_ARGS(local_id, remote_id))

CM_PAIR_POINT(issue_rej);
CM_PAIR_POINT(issue_drep);
CM_PAIR_POINT(staleconn_err);
CM_PAIR_POINT(no_priv_err);

DECLARE_EVENT_CLASS(icm_remote_class,
	TP_PROTO(u32 remote_id),
	TP_ARGS(remote_id),
	TP_STRUCT__entry(__field(u32, remote_id)),
	TP_fast_assign(__entry->remote_id = remote_id;),
	TP_printk("remote_id=%u", __entry->remote_id)
);

#define CM_REMOTE_POINT(name)						\
	DEFINE_EVENT(icm_remote_class, icm_##name, TP_PROTO(u32 remote_id), TP_ARGS(remote_id))

CM_REMOTE_POINT(remote_no_priv_err);
CM_REMOTE_POINT(insert_failed_err);

TRACE_EVENT(icm_send_rep_err,
	TP_PROTO(__be32 local_id, enum ib_cm_state state),
	TP_ARGS(local_id, state),
	TP_STRUCT__entry(__field(u32, local_id) __field(unsigned long, state)),
	TP_fast_assign(
		__entry->local_id = be32_to_cpu(local_id);
		__entry->state = state;
	),
	TP_printk("local_id=%u state=%s", __entry->local_id, CM_SHOW_STATE(__entry->state))
);

TRACE_EVENT(icm_rep_unknown_err,
	TP_PROTO(unsigned int local_id, unsigned int remote_id, enum ib_cm_state state),
	TP_ARGS(local_id, remote_id, state),
	TP_STRUCT__entry(CM_FIELDS_IDS __field(unsigned long, state)),
	TP_fast_assign(
		__entry->state = state;
		__entry->remote_id = remote_id;
		__entry->local_id = local_id;
	),
	TP_printk(CM_FMT_IDS " state=%s", CM_SHOW_IDS, CM_SHOW_STATE(__entry->state))
);

TRACE_EVENT(icm_handler_err,
	TP_PROTO(enum ib_cm_event_type event),
	TP_ARGS(event),
	TP_STRUCT__entry(__field(unsigned long, event)),
	TP_fast_assign(__entry->event = event;),
	TP_printk("unhandled event=%s", rdma_show_ib_cm_event(__entry->event))
);

TRACE_EVENT(icm_mad_send_err,
	TP_PROTO(enum ib_cm_state state, enum ib_wc_status wc_status),
	TP_ARGS(state, wc_status),
	TP_STRUCT__entry(__field(unsigned long, state) __field(unsigned long, wc_status)),
	TP_fast_assign(
		__entry->wc_status = wc_status;
		__entry->state = state;
	),
	TP_printk("state=%s completion status=%s", CM_SHOW_STATE(__entry->state),
		  rdma_show_wc_status(__entry->wc_status))
);

/* Every row that was applied to an id; @row counts in the order of the generated table */
TRACE_EVENT(icm_transition,
	TP_PROTO(const struct ib_cm_id *cm_id, u8 event, u8 from, u8 to, unsigned int row),
	TP_ARGS(cm_id, event, from, to, row),
	TP_STRUCT__entry(
		CM_FIELDS_ID
		__field(u8, event)
		__field(u8, from)
		__field(u8, to)
		__field(u16, row)
	),
	TP_fast_assign(
		CM_TAKE_ID(cm_id);
		__entry->event = event;
		__entry->from = from;
		__entry->to = to;
		__entry->row = row;
	),
	TP_printk(CM_FMT_IDS " event=%s from=%s to=%s row=%u", CM_SHOW_IDS,
		  __print_symbolic(__entry->event, CM_ID_EVENT_SYMBOLS),
		  __print_symbolic(__entry->from, CM_ID_STATE_SYMBOLS),
		  __print_symbolic(__entry->to, CM_ID_STATE_SYMBOLS), __entry->row)
);

/* An id whose holders are not those that its state declares: bits of CM_ID_HOLD_* */
TRACE_EVENT(icm_holders,
	TP_PROTO(const struct ib_cm_id *cm_id, u8 state, u32 want, u32 seen, unsigned int refs),
	TP_ARGS(cm_id, state, want, seen, refs),
	TP_STRUCT__entry(
		CM_FIELDS_ID
		__field(u8, state)
		__field(u32, want)
		__field(u32, seen)
		__field(unsigned int, refs)
	),
	TP_fast_assign(
		CM_TAKE_ID(cm_id);
		__entry->state = state;
		__entry->want = want;
		__entry->seen = seen;
		__entry->refs = refs;
	),
	TP_printk(CM_FMT_IDS " state=%s want=0x%x seen=0x%x refs=%u", CM_SHOW_IDS,
		  __print_symbolic(__entry->state, CM_ID_STATE_SYMBOLS),
		  __entry->want, __entry->seen, __entry->refs)
);

#endif /* CM_TRACE_POINTS_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace_points

#include <trace/define_trace.h>
