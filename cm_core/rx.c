// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Incoming messages: length, version, counters, then the id that it is for.
 *
 * Owns: the receive handler. It runs in process context and does not sleep:
 * what has to be resolved is resolved by a runner (event.c) or with the reply
 * (reply.c). A message is consumed by exactly one cm_act_run(), or freed here.
 *
 * References: a LOOKUP reference to the id from its look-up to the end of its
 * act.
 */
#include <linux/slab.h>

#include "apply.h"
#include "event.h"
#include "id.h"
#include "listen.h"
#include "lookup.h"
#include "msg.h"
#include "params.h"
#include "path.h"
#include "port.h"
#include "probe_hook.h"
#include "rx.h"
#include "timewait.h"
#include "trace.h"
#include "verbs.h"

#define CM_RX_GFP	(GFP_NOWAIT | __GFP_NOWARN)

static const struct ib_mad *cm_rx_mad(const struct ib_mad_recv_wc *wc)
{
	return (const struct ib_mad *)wc->recv_buf.mad;
}

/* ---- messages of a connection ---- */

/* The local comm id that a message is for. A REJ "time-out" of a peer that never got an answer names the CA instead. */
static __be32 cm_rx_target(const struct cm_port *port, const struct ib_mad_recv_wc *wc,
			   enum cm_msg_kind kind)
{
	const struct ib_mad *in = cm_rx_mad(wc);
	__be32 local_id = cm_msg_remote_comm_id(in);
	struct cm_peer peer;
	__be64 guid;

	if (local_id || kind != CM_MSG_REJ)
		return local_id;
	guid = cm_rej_ca_guid(in);
	cm_peer_of(&peer, guid, port, wc);
	return cm_find_peer(&peer, cm_msg_local_comm_id(in), in->mad_hdr.tid);
}

/* The record that a REQ, REP or SIDR_REQ would have: its keys and TID. */
static void cm_rx_keys(struct cm_rec *rec, const struct cm_port *port,
		       const struct ib_mad_recv_wc *wc, enum cm_msg_kind kind, u32 qpn)
{
	const struct ib_mad *in = cm_rx_mad(wc);
	struct cm_peer peer;

	cm_peer_of(&peer, cm_msg_ca_guid(in), port, wc);
	rec->peer_a = peer.a;
	rec->peer_b = peer.b;
	rec->peer_kind = peer.kind;
	rec->remote_id = cm_msg_local_comm_id(in);
	rec->remote_qpn = qpn;
	rec->tid = in->mad_hdr.tid;
	rec->links = kind == CM_MSG_SIDR_REQ ? CM_LINK_SIDR : CM_LINK_PEER | CM_LINK_QPN;
}

static u64 cm_claim_fact(enum cm_claim claim)
{
	switch (claim) {
	case CM_CLAIMED:
		return CM_FACT_CLAIMED;
	case CM_CLAIM_REPEATED:
		return CM_FACT_CLAIM_REPEATED;
	case CM_CLAIM_STALE:
		return CM_FACT_CLAIM_STALE;
	default:
		return 0;
	}
}

/* The id that the keys of a stale request belong to learns that its peer has restarted. */
static void cm_rx_restarted(struct cm_port *port, __be32 local_id)
{
	struct cm_hold hold = {};
	struct cm_act act = {
		.id = cm_local_get(local_id, &hold),
		.list = CM_DECIDE_STALE,
	};

	if (!act.id)
		return;
	cm_act_run(&act);
	cm_id_put(act.id, CM_REF_LOOKUP, &hold);
}

/* The keys of a REP that the id waits for are claimed before its lock is taken. */
static void cm_rx_claim_rep(struct cm_act *act, __be32 *stale)
{
	struct cm_id *id = act->id;
	struct cm_rec *rec = cm_rec_alloc(act->port, CM_RX_GFP);
	enum cm_claim claim;
	__be32 owner;

	act->facts |= CM_FACT_TRIED;
	if (!rec)
		return;
	cm_rx_keys(rec, act->port, act->wc, CM_MSG_REP, cm_rep_qpn(cm_rx_mad(act->wc), id->qp_type));
	rec->local_id = id->pub.local_id;
	claim = cm_claim(rec, &owner);
	act->facts |= cm_claim_fact(claim);
	act->rec = rec;
	if (claim == CM_CLAIM_REPEATED || claim == CM_CLAIM_NOMEM)
		trace_icm_insert_failed_err(be32_to_cpu(rec->local_id));
	if (claim == CM_CLAIM_STALE)
		*stale = owner;
}

/* Does the id wait for a REP with this TID? Read without its lock: the table has the last word. */
static bool cm_rx_awaits_rep(const struct cm_id *id, const struct ib_mad *in)
{
	return READ_ONCE(id->req.kind) == CM_MSG_REQ && id->req.active && id->tid == in->mad_hdr.tid;
}

static void cm_rx_connection(struct cm_port *port, struct ib_mad_recv_wc *wc,
			     enum cm_msg_kind kind)
{
	static const u8 list[CM_MSG_KINDS] = {
		[CM_MSG_MRA] = CM_DECIDE_MRA,
		[CM_MSG_REJ] = CM_DECIDE_REJ,
		[CM_MSG_REP] = CM_DECIDE_REP,
		[CM_MSG_RTU] = CM_DECIDE_RTU,
		[CM_MSG_DREQ] = CM_DECIDE_DREQ,
		[CM_MSG_DREP] = CM_DECIDE_DREP,
		[CM_MSG_SIDR_REP] = CM_DECIDE_SIDR_REP,
		[CM_MSG_LAP] = CM_DECIDE_LAP,
		[CM_MSG_APR] = CM_DECIDE_APR,
	};
	__be32 local_id = cm_rx_target(port, wc, kind), stale = 0;
	struct cm_hold hold = {};
	struct cm_act act = {
		.id = cm_local_get(local_id, &hold) ?: cm_probe_looked_up(local_id, &hold),
		.list = list[kind],
		.kind = kind,
		.port = port,
		.wc = wc,
	};

	if (!act.id) {
		if (!cm_tw_message(local_id, port, wc))
			cm_act_run(&act);
		return;
	}

	if (kind == CM_MSG_REP && cm_rx_awaits_rep(act.id, cm_rx_mad(wc)))
		cm_rx_claim_rep(&act, &stale);
	if (kind == CM_MSG_LAP && !rdma_cap_eth_ah(port->dev->ibdev, port->num) &&
	    !cm_act_prepare(&act, CM_ID_ON_LAP))
		act.facts |= CM_FACT_LAP_PATH;
	cm_act_run(&act);
	cm_id_put(act.id, CM_REF_LOOKUP, &hold);
	if (stale)
		cm_rx_restarted(port, stale);
}

/* ---- new requests ---- */

/* A REQ or SIDR_REQ on its way through the checks. */
struct cm_rx_request {
	struct cm_port *port;
	struct ib_mad_recv_wc *wc;
	enum cm_msg_kind kind;
	u8 list;
	u32 qpn;
	u64 facts;
	__be32 owner;		/* who has its keys */
	struct cm_id *listener;	/* LOOKUP reference */
	struct cm_rec *rec;
};

/* Its keys are known: to whom does it go instead? */
static void cm_rx_twin(struct cm_rx_request *req, const struct cm_rec *keys, enum cm_claim claim)
{
	struct cm_act act = {
		.list = req->list,
		.kind = req->kind,
		.port = req->port,
		.wc = req->wc,
		.facts = req->facts | cm_claim_fact(claim),
	};
	struct cm_hold hold = {};

	if (claim == CM_CLAIM_REPEATED) {
		act.id = cm_local_get(req->owner, &hold);
		if (!act.id && cm_tw_repeated(keys, req->port, req->kind, req->wc))
			return;
	}
	cm_act_run(&act);
	if (act.id)
		cm_id_put(act.id, CM_REF_LOOKUP, &hold);
	if (claim == CM_CLAIM_STALE)
		cm_rx_restarted(req->port, req->owner);
}

/* Nobody has its keys and somebody listens: it gets an id, if its keys can be claimed. */
static void cm_rx_claim(struct cm_rx_request *req)
{
	struct cm_device *dev = req->port->dev;
	struct cm_act act = {
		.list = req->list,
		.kind = req->kind,
		.port = req->port,
		.wc = req->wc,
		.facts = req->facts,
	};
	struct cm_hold hold = {};
	enum cm_claim claim;
	struct cm_id *id;

	req->rec = cm_rec_alloc(req->port, CM_RX_GFP);
	id = cm_id_alloc(dev->ibdev, dev, NULL, NULL, CM_RX_GFP);
	if (!id || !req->rec)
		goto lost;

	cm_rx_keys(req->rec, req->port, req->wc, req->kind, req->qpn);
	req->rec->local_id = id->pub.local_id;
	claim = cm_claim(req->rec, &req->owner);
	if (claim == CM_CLAIM_REPEATED || claim == CM_CLAIM_STALE) {
		cm_rx_twin(req, req->rec, claim);
		cm_id_abandon(id);
		cm_rec_dispose(req->rec);
		return;
	}
	if (claim != CM_CLAIMED)
		goto lost;

	act.id = id;
	act.rec = req->rec;
	act.facts |= CM_FACT_CLAIMED;
	cm_id_get(id, CM_REF_LOOKUP, &hold);
	cm_act_run(&act);
	cm_id_put(id, CM_REF_LOOKUP, &hold);
	return;

lost:
	if (id)
		cm_id_abandon(id);
	act.rec = req->rec;
	cm_act_run(&act);
}

/* Peers that cannot be reached must not fill the memory while that is found out. */
static bool cm_rx_may_resolve(const struct cm_port *port)
{
	return atomic_read(&port->resolving) < (int)READ_ONCE(cm_backlog);
}

/* Duplicate check, listener look-up, backlog check, in that order: a repetition costs no memory. */
static void cm_rx_request(struct cm_rx_request *req)
{
	__be64 service_id = cm_msg_service_id(cm_rx_mad(req->wc));
	struct cm_hold hold = {};
	struct cm_rec keys = {};
	enum cm_claim claim;

	cm_rx_keys(&keys, req->port, req->wc, req->kind, req->qpn);
	claim = cm_claim_ask(&keys, &req->owner);
	if (claim != CM_CLAIMED) {
		cm_rx_twin(req, &keys, claim);
		return;
	}

	req->listener = cm_listener_get(req->port->dev, service_id, &hold);
	if (req->listener) {
		req->facts |= CM_FACT_SERVICE_KNOWN;
		if (cm_rx_may_resolve(req->port) && cm_listener_has_room(req->listener))
			req->facts |= CM_FACT_BACKLOG_ROOM;
		else
			cm_stat_count(req->port, CM_COUNT_RX_BACKLOG);
		cm_id_put(req->listener, CM_REF_LOOKUP, &hold);
	}
	if (req->facts & CM_FACT_BACKLOG_ROOM) {
		cm_rx_claim(req);
	} else {
		struct cm_act act = {
			.list = req->list,
			.kind = req->kind,
			.port = req->port,
			.wc = req->wc,
			.facts = req->facts,
		};

		cm_act_run(&act);
	}
}

static void cm_rx_req(struct cm_port *port, struct ib_mad_recv_wc *wc)
{
	const struct ib_mad *in = cm_rx_mad(wc);
	struct cm_rx_request req = {
		.port = port,
		.wc = wc,
		.kind = CM_MSG_REQ,
		.list = CM_DECIDE_REQ,
		.qpn = cm_req_qpn(in),
	};

	if (cm_req_qp_type(in) == IB_QPT_MAX) {
		struct cm_act act = {
			.list = CM_DECIDE_REQ,
			.kind = CM_MSG_REQ,
			.port = port,
			.wc = wc,
		};

		cm_act_run(&act);
		return;
	}
	req.facts = CM_FACT_SUPPORTED;
	cm_rx_request(&req);
}

static void cm_rx_sidr_req(struct cm_port *port, struct ib_mad_recv_wc *wc)
{
	struct cm_rx_request req = {
		.port = port,
		.wc = wc,
		.kind = CM_MSG_SIDR_REQ,
		.list = CM_DECIDE_SIDR_REQ,
	};

	cm_rx_request(&req);
}

/* ---- the door ---- */

/*
 * The MAD layer says of every datagram that it fills its buffer, whose tail may be
 * an earlier one's. The HCA's word counts the place of the GRH as well; some drivers
 * do not, and a driver is held to it once it was seen to do so.
 */
static bool cm_rx_whole(struct cm_port *port, const struct ib_mad_recv_wc *wc)
{
	u32 len = wc->wc->byte_len;

	if (len >= CM_MAD_SIZE + sizeof(struct ib_grh)) {
		if (!READ_ONCE(port->counts_grh))
			WRITE_ONCE(port->counts_grh, true);
		return true;
	}
	return len == CM_MAD_SIZE && !READ_ONCE(port->counts_grh);
}

/* A datagram that is no CM message moves a counter and is forgotten. */
static bool cm_rx_sane(struct cm_port *port, const struct ib_mad_recv_wc *wc,
		       enum cm_msg_kind *kind)
{
	const struct ib_mad_hdr *hdr = &wc->recv_buf.mad->mad_hdr;

	if (wc->mad_len < CM_MAD_SIZE || !cm_rx_whole(port, wc) ||
	    (wc->mad_len > CM_MAD_SIZE && hdr->base_version == IB_MGMT_BASE_VERSION &&
	     !rdma_cap_opa_mad(port->dev->ibdev, port->num))) {
		cm_stat_count(port, CM_COUNT_RX_LENGTH);
		return false;
	}
	if (hdr->base_version != IB_MGMT_BASE_VERSION || hdr->class_version != CM_CLASS_VERSION) {
		cm_stat_count(port, CM_COUNT_RX_VERSION);
		return false;
	}
	if (hdr->method != IB_MGMT_METHOD_SEND || !cm_msg_known(cm_rx_mad(wc), kind)) {
		cm_stat_count(port, CM_COUNT_RX_ATTR);
		return false;
	}
	return true;
}

/**
 * cm_rx_handler - a datagram came in
 * @agent: the port's
 * @send_buf: not used: no send of ours waits for a response in the MAD layer
 * @wc: the datagram, consumed
 *
 * Context: process; does not sleep.
 */
void cm_rx_handler(struct ib_mad_agent *agent, struct ib_mad_send_buf *send_buf,
		   struct ib_mad_recv_wc *wc)
{
	struct cm_port *port = agent->context;
	enum cm_msg_kind kind;

	if (!cm_rx_sane(port, wc, &kind)) {
		ib_free_recv_mad(wc);
		return;
	}
	cm_stat(port, CM_STAT_RX, kind);

	switch (kind) {
	case CM_MSG_REQ:
		cm_rx_req(port, wc);
		break;
	case CM_MSG_SIDR_REQ:
		cm_rx_sidr_req(port, wc);
		break;
	default:
		cm_rx_connection(port, wc, kind);
		break;
	}
}
