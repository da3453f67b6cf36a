// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * What an occurrence amounts to: facts in, the name of an event out.
 *
 * Owns: the collection of facts. The decision lists that weigh them are the
 * model's. Reads the id under its lock; writes nothing but counters.
 */
#include "apply.h"
#include "classify.h"
#include "params.h"

static u64 cm_fact(bool holds, u64 fact)
{
	return holds ? fact : 0;
}

/*
 * Where a message came from. RoCE: the source GID must be of the id's paths. On
 * InfiniBand LMC, routers and permissive LIDs change the source legally: a
 * mismatch is counted, and insisted on only if the operator asks for it.
 */
static bool cm_source_ok(const struct cm_act *act)
{
	const struct cm_id *id = act->id;

	if (!id->av.port || cm_source_matches(id, act->wc))
		return true;
	if (rdma_cap_eth_ah(act->port->dev->ibdev, act->port->num))
		return false;
	cm_stat_count(act->port, CM_COUNT_RX_SOURCE);
	return !READ_ONCE(cm_strict_source);
}

/* Of a message that names an id: does it belong to the exchange that the id is in? */
static u64 cm_message_facts(const struct cm_act *act)
{
	const struct cm_id *id = act->id;
	const struct ib_mad *in = (const struct ib_mad *)act->wc->recv_buf.mad;
	bool peer = id->rec && id->rec->links & CM_LINK_PEER;
	u64 facts = CM_FACT_KNOWN;

	facts |= cm_fact(id->active, CM_FACT_ACTIVE);
	facts |= cm_fact(peer, CM_FACT_PEER_KNOWN);
	facts |= cm_fact(peer && cm_msg_local_comm_id(in) == id->pub.remote_id, CM_FACT_IDS_MATCH);
	facts |= cm_fact(in->mad_hdr.tid == id->tid, CM_FACT_TID_MATCH);
	facts |= cm_fact(cm_source_ok(act), CM_FACT_SOURCE_OK);
	facts |= cm_fact(cm_event_room(id, CM_EVENT_MESSAGE), CM_FACT_ROOM);

	switch (act->kind) {
	case CM_MSG_DREQ:
	case CM_MSG_LAP:
		facts |= cm_fact(cm_dreq_qpn(in) == id->local_qpn, CM_FACT_QPN_MATCH);
		break;
	case CM_MSG_MRA:
		facts |= cm_fact(cm_msg_about(in) == CM_ABOUT_REQ, CM_FACT_ABOUT_REQ);
		facts |= cm_fact(cm_msg_about(in) == CM_ABOUT_REP, CM_FACT_ABOUT_REP);
		break;
	case CM_MSG_REJ:
		facts |= cm_fact(cm_rej_reason(in) == IB_CM_REJ_STALE_CONN, CM_FACT_REASON_STALE);
		break;
	default:
		break;
	}
	return facts;
}

static u64 cm_request_facts(const struct cm_act *act)
{
	const struct cm_id *id = act->id;

	return cm_fact(cm_req_current(id, act->gen), CM_FACT_CURRENT) |
	       cm_fact(id->req.sends_left, CM_FACT_SENDS_LEFT) |
	       cm_fact(cm_req_errors_left(id), CM_FACT_ERRORS_LEFT) |
	       cm_fact(cm_event_room(id, CM_EVENT_TIMER), CM_FACT_ROOM);
}

/**
 * cm_classify - name the event
 * @act: what happened; act->facts has what only its caller can know
 *
 * Context: act->id's lock is held, if there is an id.
 * Return: CM_ID_ON_*
 */
u8 cm_classify(struct cm_act *act)
{
	const struct cm_id *id = act->id;
	u64 facts = act->facts;

	switch (act->list) {
	case CM_ACT_DIRECT:
		return act->event;
	case CM_DECIDE_TIMEOUT:
		facts |= cm_request_facts(act);
		if (!cm_req_due(id, act->gen))
			facts &= ~(u64)CM_FACT_CURRENT;
		break;
	case CM_DECIDE_SEND_ERROR:
	case CM_DECIDE_REFUSED:
		facts |= cm_request_facts(act);
		break;
	case CM_DECIDE_TW_EXPIRY:
		facts |= cm_fact(id->rec && id->rec == act->expired && id->rec->gen == act->gen,
				 CM_FACT_CURRENT);
		facts |= cm_fact(cm_event_room(id, CM_EVENT_TIMER), CM_FACT_ROOM);
		break;
	case CM_DECIDE_CALL_COMM_EST:
		facts |= cm_fact(cm_event_room(id, CM_EVENT_TIMER), CM_FACT_ROOM);
		break;
	case CM_DECIDE_CALL_PATH_MIG:
		facts |= cm_fact(id->alt, CM_FACT_HAS_ALTERNATE);
		break;
	case CM_DECIDE_DESTROY:
	case CM_DECIDE_HANDLER:
		facts |= cm_fact(id->qp_type == IB_QPT_XRC_TGT, CM_FACT_XRC_TARGET);
		break;
	case CM_DECIDE_REQ:
	case CM_DECIDE_SIDR_REQ:
		break;
	case CM_DECIDE_STALE:
		facts |= cm_fact(id, CM_FACT_KNOWN);
		break;
	default:
		if (id && act->wc)
			facts |= cm_message_facts(act);
		break;
	}
	return cm_decide(act->list, facts);
}
