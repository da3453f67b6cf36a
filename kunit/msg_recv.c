// SPDX-License-Identifier: GPL-2.0-only
/*
 * What arrives: every field of every message that a peer can send, and what the
 * consumer is told of it.
 *
 * Owns: the walk over all rows of fields.c; tells_*(), what the standard and
 * <rdma/ib_cm.h> make of a message, for the consumer and for its queue pair; what
 * must not be taken.
 *
 * A row is walked unless the table of exceptions says otherwise: the values of
 * msg_walk(), all else as it was. Rows that an event does not show must change
 * nothing in it; reserved ones are only ever all ones.
 */
#include <rdma/ib_cache.h>

#include "msg.h"

#define RECV_SERVICE	0x4a5b6c7d8e9fa0b1ULL

/**
 * struct recv - messages of one kind, one after the other
 * @rig: of the test
 * @id: to which the message goes; of a REQ or SIDR_REQ: the listener
 * @mad: the message
 * @event: what the consumer was told
 * @at: the id that was told it
 * @peer: of the station
 * @second: GID of the device's second port
 */
struct recv {
	struct rig *rig;
	struct rig_id *id;
	u8 mad[MAD_BYTES];
	const struct rig_event *event;
	struct rig_id *at;
	struct loop_packet peer;
	union ib_gid second;
};

#define TELLS(_what, _event, _mad) \
	KUNIT_EXPECT_EQ_MSG(test, (u64)(_event), (u64)(_mad), "%s: %s", what, _what)

static bool told_bytes(struct kunit *test, const u8 *told, const u8 *sent, size_t len,
		       const char *name, const char *what)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (told[i] == sent[i])
			continue;
		KUNIT_FAIL(test, "%s: byte %zu of %s is %#x, must be %#x", what, i, name, told[i],
			   sent[i]);
		return false;
	}
	return true;
}

static void tells_data(struct kunit *test, struct recv *r, const char *what)
{
	const struct field *field = field_find(mad_attr(r->mad), "private_data");

	KUNIT_EXPECT_TRUE_MSG(test, r->event->has_data, "%s", what);
	told_bytes(test, r->event->data, mad_bytes(r->mad, "private_data"), field->width / 8,
		   "private data", what);
}

static u8 life_time(u64 ack_timeout)
{
	return ack_timeout ? ack_timeout - 1 : 0;
}

/* A path of a REQ or LAP is the peer's; to the consumer it is told from its own end. */
static void tells_path(struct kunit *test, struct recv *r, bool alternate,
		       const struct sa_path_rec *path, const char *what)
{
	u8 *mad = r->mad;

	told_bytes(test, path->dgid.raw, msg_path_gid(mad, alternate, "local_port_gid"), 16,
		   "path's dgid", what);
	told_bytes(test, path->sgid.raw, msg_path_gid(mad, alternate, "remote_port_gid"), 16,
		   "path's sgid", what);
	TELLS("flow label", be32_to_cpu(path->flow_label),
	      msg_get_path(mad, alternate, "flow_label"));
	TELLS("traffic class", path->traffic_class, msg_get_path(mad, alternate, "traffic_class"));
	TELLS("reversible", path->reversible, 1);
	TELLS("SL", path->sl, msg_get_path(mad, alternate, "sl"));
	TELLS("MTU selector", path->mtu_selector, IB_SA_EQ);
	TELLS("rate selector", path->rate_selector, IB_SA_EQ);
	TELLS("rate", path->rate, msg_get_path(mad, alternate, "packet_rate"));
	TELLS("packet life time selector", path->packet_life_time_selector, IB_SA_EQ);
	TELLS("packet life time", path->packet_life_time,
	      life_time(msg_get_path(mad, alternate, "local_ack_timeout")));
	if (r->rig->layer == IB_LINK_LAYER_INFINIBAND) {
		TELLS("path type", path->rec_type, SA_PATH_REC_TYPE_IB);
		TELLS("slid", be16_to_cpu(path->ib.slid),
		      msg_get_path(mad, alternate, "remote_port_lid"));
	} else {
		TELLS("path type", path->rec_type, SA_PATH_REC_TYPE_ROCE_V2);
	}
	/* The primary's way back is that of the REQ itself. */
	if (alternate) {
		TELLS("hop limit", path->hop_limit, msg_get_path(mad, true, "hop_limit"));
		if (r->rig->layer == IB_LINK_LAYER_INFINIBAND)
			TELLS("dlid", be16_to_cpu(path->ib.dlid),
			      msg_get_path(mad, true, "local_port_lid"));
	} else if (r->rig->layer == IB_LINK_LAYER_INFINIBAND) {
		TELLS("dlid", be16_to_cpu(path->ib.dlid), r->peer.slid);
	}
}

/**
 * struct qp_told - what the queue pair is to be told, as ib_cm_init_qp_attr() does
 * @type: of the queue pair at this end
 * @mtu: of the path
 * @qpn: the peer's
 * @sq_psn: where we begin to send
 * @max_rd_atomic: what we may start
 * @max_dest_rd_atomic: what the peer may start
 * @retry: of what we send
 * @rnr_retry: the same
 * @timeout: local ACK time-out of what we send
 * @pkey_index: in the port's table
 * @alternate: the message has an alternate path
 */
struct qp_told {
	enum ib_qp_type type;
	u64 mtu, qpn, sq_psn, max_rd_atomic, max_dest_rd_atomic, retry, rnr_retry, timeout,
		pkey_index;
	bool alternate;
};

static void tells_qp(struct kunit *test, struct recv *r, const struct qp_told *told,
		     struct ib_qp_attr *attr, const char *what)
{
	bool starts = told->type == IB_QPT_RC || told->type == IB_QPT_XRC_INI;
	bool answers = told->type == IB_QPT_RC || told->type == IB_QPT_XRC_TGT;
	int mask;

	attr->qp_state = IB_QPS_INIT;
	TELLS("INIT", ib_cm_init_qp_attr(r->at->cm, attr, &mask), 0);
	TELLS("INIT mask", mask, IB_QP_STATE | IB_QP_ACCESS_FLAGS | IB_QP_PKEY_INDEX | IB_QP_PORT);
	TELLS("remote access", attr->qp_access_flags, IB_ACCESS_REMOTE_WRITE |
	      (told->max_dest_rd_atomic ? IB_ACCESS_REMOTE_READ | IB_ACCESS_REMOTE_ATOMIC : 0));
	TELLS("P_Key index", attr->pkey_index, told->pkey_index);
	TELLS("port", attr->port_num, 1);

	attr->qp_state = IB_QPS_RTR;
	TELLS("RTR", ib_cm_init_qp_attr(r->at->cm, attr, &mask), 0);
	TELLS("RTR mask", mask,
	      IB_QP_STATE | IB_QP_AV | IB_QP_PATH_MTU | IB_QP_DEST_QPN | IB_QP_RQ_PSN |
		      (answers ? IB_QP_MAX_DEST_RD_ATOMIC | IB_QP_MIN_RNR_TIMER : 0) |
		      (told->alternate ? IB_QP_ALT_PATH : 0));
	TELLS("path MTU", attr->path_mtu, told->mtu);
	TELLS("destination QPN", attr->dest_qp_num, told->qpn);
	if (answers)
		TELLS("the peer's reads and atomics", attr->max_dest_rd_atomic,
		      told->max_dest_rd_atomic);

	attr->qp_state = IB_QPS_RTS;
	TELLS("RTS", ib_cm_init_qp_attr(r->at->cm, attr, &mask), 0);
	TELLS("RTS mask", mask,
	      IB_QP_STATE | IB_QP_SQ_PSN |
		      (starts ? IB_QP_RETRY_CNT | IB_QP_RNR_RETRY | IB_QP_MAX_QP_RD_ATOMIC : 0) |
		      (starts || answers ? IB_QP_TIMEOUT : 0) |
		      (told->alternate ? IB_QP_PATH_MIG_STATE : 0));
	TELLS("send PSN", attr->sq_psn, told->sq_psn);
	if (starts) {
		TELLS("retry count", attr->retry_cnt, told->retry);
		TELLS("RNR retry count", attr->rnr_retry, told->rnr_retry);
		TELLS("our reads and atomics", attr->max_rd_atomic, told->max_rd_atomic);
	}
	/* 0 in a message means: none; it is no time. */
	if ((starts || answers) && told->timeout)
		TELLS("local ACK time-out", attr->timeout, told->timeout);
}

static u64 pkey_index(u16 pkey)
{
	unsigned int i;

	for (i = 0; i < MSG_PKEYS; i++)
		if (msg_pkeys[i] == pkey)
			break;
	return i;
}

static void tells_req_qp(struct kunit *test, struct recv *r, const char *what)
{
	u8 *mad = r->mad;
	struct qp_told told = {
		.type = r->event->raw.param.req_rcvd.qp_type,
		.mtu = mad_get(mad, "path_packet_payload_mtu"),
		.qpn = mad_get(mad, "local_qpn"),
		.sq_psn = mad_get(mad, "starting_psn"),
		.max_rd_atomic = mad_get(mad, "responder_resources"),
		.max_dest_rd_atomic = mad_get(mad, "initiator_depth"),
		.retry = mad_get(mad, "retry_count"),
		.rnr_retry = mad_get(mad, "rnr_retry_count"),
		.timeout = mad_get(mad, "primary_local_ack_timeout"),
		.pkey_index = pkey_index(mad_get(mad, "partition_key")),
		.alternate = r->event->has_alternate,
	};
	struct ib_qp_attr *attr = kunit_kzalloc(test, sizeof(*attr), GFP_KERNEL);
	u64 lid = mad_get(mad, "primary_local_port_lid");

	KUNIT_ASSERT_NOT_NULL(test, attr);
	tells_qp(test, r, &told, attr, what);
	TELLS("SL of the queue pair", rdma_ah_get_sl(&attr->ah_attr), mad_get(mad, "primary_sl"));
	TELLS("rate of the queue pair", rdma_ah_get_static_rate(&attr->ah_attr),
	      mad_get(mad, "primary_packet_rate"));
	if (r->rig->layer == IB_LINK_LAYER_INFINIBAND && lid && lid != 0xffff)
		TELLS("LID of the queue pair", rdma_ah_get_dlid(&attr->ah_attr), lid);
	if (told.alternate) {
		TELLS("alternate port", attr->alt_port_num, 2);
		TELLS("alternate P_Key index", attr->alt_pkey_index, told.pkey_index);
		TELLS("alternate LID", rdma_ah_get_dlid(&attr->alt_ah_attr),
		      mad_get(mad, "alternate_local_port_lid"));
		TELLS("alternate SL", rdma_ah_get_sl(&attr->alt_ah_attr),
		      mad_get(mad, "alternate_sl"));
		TELLS("alternate rate", rdma_ah_get_static_rate(&attr->alt_ah_attr),
		      mad_get(mad, "alternate_packet_rate"));
		if (mad_get(mad, "alternate_local_ack_timeout"))
			TELLS("alternate local ACK time-out", attr->alt_timeout,
			      mad_get(mad, "alternate_local_ack_timeout"));
	}
	kunit_kfree(test, attr);
}

static void tells_rep_qp(struct kunit *test, struct recv *r, const char *what)
{
	u8 *mad = r->mad;
	struct ib_cm_req_param param;
	struct sa_path_rec path, twin;
	struct qp_told told = {
		.type = r->rig->qp_type,
		.qpn = r->event->raw.param.rep_rcvd.remote_qpn,
		.sq_psn = mad_get(mad, "starting_psn"),
		.max_rd_atomic = mad_get(mad, "responder_resources"),
		.max_dest_rd_atomic = mad_get(mad, "initiator_depth"),
		.rnr_retry = mad_get(mad, "rnr_retry_count"),
	};
	struct ib_qp_attr *attr = kunit_kzalloc(test, sizeof(*attr), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, attr);
	/* What our REQ said */
	rig_req_param(r->id, &param, &path, &twin);
	told.mtu = path.mtu;
	told.retry = param.retry_count;
	/* 12.7.34: it is the peer's CA that takes its time to acknowledge. */
	told.timeout = msg_ack_timeout(path.packet_life_time, mad_get(mad, "target_ack_delay"));
	tells_qp(test, r, &told, attr, what);
	TELLS("receive PSN", attr->rq_psn, param.starting_psn);
	kunit_kfree(test, attr);
}

static void tells_req(struct kunit *test, struct recv *r, const char *what)
{
	const struct ib_cm_req_event_param *p = &r->event->raw.param.req_rcvd;
	const u8 *mad = r->mad;

	TELLS("listener", p->listen_id == r->id->cm, true);
	TELLS("port", p->port, 1);
	TELLS("P_Key of the datagram", p->bth_pkey, 0xffff);
	TELLS("remote CA GUID", be64_to_cpu(p->remote_ca_guid), mad_get(mad, "local_ca_guid"));
	TELLS("remote Q_Key", p->remote_qkey, mad_get(mad, "local_qkey"));
	TELLS("remote QPN", p->remote_qpn, mad_get(mad, "local_qpn"));
	TELLS("QP type", p->qp_type, mad_get(mad, "transport_service_type") == 0 ? IB_QPT_RC :
	      mad_get(mad, "transport_service_type") == 1 ? IB_QPT_UC : IB_QPT_XRC_TGT);
	TELLS("starting PSN", p->starting_psn, mad_get(mad, "starting_psn"));
	/* What the peer can answer is what we may start, and the other way round. */
	TELLS("initiator depth", p->initiator_depth, mad_get(mad, "responder_resources"));
	TELLS("responder resources", p->responder_resources, mad_get(mad, "initiator_depth"));
	TELLS("local CM response time-out", p->local_cm_response_timeout,
	      mad_get(mad, "remote_cm_response_timeout"));
	TELLS("remote CM response time-out", p->remote_cm_response_timeout,
	      mad_get(mad, "local_cm_response_timeout"));
	TELLS("flow control", p->flow_control, mad_get(mad, "end_to_end_flow_control"));
	TELLS("retry count", p->retry_count, mad_get(mad, "retry_count"));
	TELLS("RNR retry count", p->rnr_retry_count, mad_get(mad, "rnr_retry_count"));
	TELLS("SRQ", p->srq, mad_get(mad, "srq"));
	TELLS("vendor id", p->ece.vendor_id, mad_get(mad, "vendor_id"));
	TELLS("connection options", p->ece.attr_mod, mad_get(mad, F_MAD_MODIFIER));
	TELLS("a GID attribute, which RoCE needs",
	      !!p->ppath_sgid_attr || r->rig->layer == IB_LINK_LAYER_INFINIBAND, true);

	TELLS("service id", be64_to_cpu(r->at->cm->service_id), mad_get(mad, "service_id"));
	TELLS("remote comm id", be32_to_cpu(r->at->cm->remote_id), mad_get(mad, "local_comm_id"));

	tells_path(test, r, false, &r->event->primary, what);
	TELLS("primary MTU", r->event->primary.mtu, mad_get(mad, "path_packet_payload_mtu"));
	TELLS("primary P_Key", be16_to_cpu(r->event->primary.pkey), mad_get(mad, "partition_key"));
	TELLS("primary service id", be64_to_cpu(r->event->primary.service_id),
	      mad_get(mad, "service_id"));
	TELLS("alternate path", r->event->has_alternate,
	      mad_get(mad, "alternate_local_port_lid") != 0);
	if (r->event->has_alternate) {
		tells_path(test, r, true, &r->event->alternate, what);
		TELLS("alternate MTU", r->event->alternate.mtu,
		      mad_get(mad, "path_packet_payload_mtu"));
		TELLS("alternate P_Key", be16_to_cpu(r->event->alternate.pkey),
		      mad_get(mad, "partition_key"));
		TELLS("alternate service id", be64_to_cpu(r->event->alternate.service_id),
		      mad_get(mad, "service_id"));
	}
	tells_req_qp(test, r, what);
	tells_data(test, r, what);
}

static void tells_rep(struct kunit *test, struct recv *r, const char *what)
{
	const struct ib_cm_rep_event_param *p = &r->event->raw.param.rep_rcvd;
	const u8 *mad = r->mad;
	bool xrc = r->rig->qp_type == IB_QPT_XRC_INI;

	TELLS("remote CA GUID", be64_to_cpu(p->remote_ca_guid), mad_get(mad, "local_ca_guid"));
	TELLS("remote Q_Key", p->remote_qkey, mad_get(mad, "local_qkey"));
	TELLS("remote QPN", p->remote_qpn, mad_get(mad, xrc ? "local_eecn" : "local_qpn"));
	TELLS("starting PSN", p->starting_psn, mad_get(mad, "starting_psn"));
	TELLS("initiator depth", p->initiator_depth, mad_get(mad, "responder_resources"));
	TELLS("responder resources", p->responder_resources, mad_get(mad, "initiator_depth"));
	TELLS("target ACK delay", p->target_ack_delay, mad_get(mad, "target_ack_delay"));
	TELLS("failover", p->failover_accepted, mad_get(mad, "failover_accepted"));
	TELLS("flow control", p->flow_control, mad_get(mad, "end_to_end_flow_control"));
	TELLS("RNR retry count", p->rnr_retry_count, mad_get(mad, "rnr_retry_count"));
	TELLS("SRQ", p->srq, mad_get(mad, "srq"));
	TELLS("vendor id", p->ece.vendor_id, mad_get(mad, "vendor_id_high") << 16 |
	      mad_get(mad, "vendor_id_middle") << 8 | mad_get(mad, "vendor_id_low"));
	TELLS("connection options", p->ece.attr_mod, mad_get(mad, F_MAD_MODIFIER));
	TELLS("remote comm id", be32_to_cpu(r->at->cm->remote_id), mad_get(mad, "local_comm_id"));
	tells_rep_qp(test, r, what);
	tells_data(test, r, what);
}

static void tells_mra(struct kunit *test, struct recv *r, const char *what)
{
	TELLS("service time-out", r->event->raw.param.mra_rcvd.service_timeout,
	      mad_get(r->mad, "service_timeout"));
	tells_data(test, r, what);
}

static void tells_rej(struct kunit *test, struct recv *r, const char *what)
{
	const struct ib_cm_rej_event_param *p = &r->event->raw.param.rej_rcvd;
	u64 len = mad_get(r->mad, "rejected_info_length");

	TELLS("reason", p->reason, mad_get(r->mad, "reason"));
	/* Never beyond the field, whatever the peer says. */
	TELLS("length of the ARI", p->ari_length, min(len, 72ULL));
	TELLS("ARI", !!p->ari, true);
	told_bytes(test, r->event->info, mad_bytes(r->mad, "ari"), p->ari_length, "ARI", what);
	tells_data(test, r, what);
}

static void tells_sidr_req(struct kunit *test, struct recv *r, const char *what)
{
	const struct ib_cm_sidr_req_event_param *p = &r->event->raw.param.sidr_req_rcvd;

	TELLS("listener", p->listen_id == r->id->cm, true);
	TELLS("service id", be64_to_cpu(p->service_id), mad_get(r->mad, "service_id"));
	TELLS("P_Key", p->pkey, mad_get(r->mad, "partition_key"));
	TELLS("P_Key of the datagram", p->bth_pkey, 0xffff);
	TELLS("port", p->port, 1);
	TELLS("a GID attribute, which RoCE needs",
	      !!p->sgid_attr || r->rig->layer == IB_LINK_LAYER_INFINIBAND, true);
	TELLS("request id", be32_to_cpu(r->at->cm->remote_id), mad_get(r->mad, "request_id"));
	tells_data(test, r, what);
}

static void tells_sidr_rep(struct kunit *test, struct recv *r, const char *what)
{
	const struct ib_cm_sidr_rep_event_param *p = &r->event->raw.param.sidr_rep_rcvd;
	u64 len = mad_get(r->mad, "additional_information_length");

	TELLS("status", p->status, mad_get(r->mad, "status"));
	TELLS("Q_Key", p->qkey, mad_get(r->mad, "qkey"));
	TELLS("QPN", p->qpn, mad_get(r->mad, "qpn"));
	TELLS("length of the information", p->info_len, min(len, 72ULL));
	TELLS("information", !!p->info, true);
	told_bytes(test, r->event->info, mad_bytes(r->mad, "additional_information"), p->info_len,
		   "information", what);
	TELLS("a GID attribute, which RoCE needs",
	      !!p->sgid_attr || r->rig->layer == IB_LINK_LAYER_INFINIBAND, true);
	tells_data(test, r, what);
}

static void tells_lap(struct kunit *test, struct recv *r, const char *what)
{
	tells_path(test, r, true, &r->event->alternate, what);
	/* Of the connection: a LAP has neither. */
	TELLS("MTU", r->event->alternate.mtu, IB_MTU_2048);
	TELLS("P_Key", be16_to_cpu(r->event->alternate.pkey), 0xffff);
	tells_data(test, r, what);
}

static const struct receiver {
	u16 attr;
	unsigned int state;	/* of the id to which it goes */
	bool active;
	enum ib_cm_event_type event;
	void (*tells)(struct kunit *test, struct recv *r, const char *what);
} receivers[] = {
	{ ATTR_REQ,	 CM_ID_LISTEN,		false, IB_CM_REQ_RECEIVED,	tells_req },
	{ ATTR_MRA,	 CM_ID_REQ_SENT,	true,  IB_CM_MRA_RECEIVED,	tells_mra },
	{ ATTR_REJ,	 CM_ID_REQ_SENT,	true,  IB_CM_REJ_RECEIVED,	tells_rej },
	{ ATTR_REP,	 CM_ID_REQ_SENT,	true,  IB_CM_REP_RECEIVED,	tells_rep },
	{ ATTR_RTU,	 CM_ID_REP_SENT,	false, IB_CM_RTU_RECEIVED,	tells_data },
	{ ATTR_DREQ,	 CM_ID_ESTABLISHED,	true,  IB_CM_DREQ_RECEIVED,	tells_data },
	{ ATTR_DREP,	 CM_ID_DREQ_SENT,	false, IB_CM_DREP_RECEIVED,	tells_data },
	{ ATTR_SIDR_REQ, CM_ID_LISTEN,		false, IB_CM_SIDR_REQ_RECEIVED,	tells_sidr_req },
	{ ATTR_SIDR_REP, CM_ID_SIDR_REQ_SENT,	true,  IB_CM_SIDR_REP_RECEIVED,	tells_sidr_rep },
	{ ATTR_LAP,	 CM_ID_ESTABLISHED,	false, IB_CM_LAP_RECEIVED,	tells_lap },
};

static const struct receiver *receiver_of(struct kunit *test, u16 attr)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(receivers); i++)
		if (receivers[i].attr == attr)
			return &receivers[i];
	KUNIT_FAIL_AND_ABORT(test, "nobody is told of %s", mad_name(attr));
	return NULL;
}

static bool is_request(u16 attr)
{
	return attr == ATTR_REQ || attr == ATTR_SIDR_REQ;
}

static struct recv *recv_alloc(struct kunit *test, enum rdma_link_layer layer)
{
	struct recv *r = kunit_kzalloc(test, sizeof(*r), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, r);
	r->rig = msg_rig(test, layer);
	loop_station_address(r->rig->peer, &r->peer);
	KUNIT_ASSERT_EQ(test, rdma_query_gid(r->rig->dev, 2, 0, &r->second), 0);
	return r;
}

/* What a peer's path can hold, and no value twice. */
static void recv_path(struct recv *r, bool alternate)
{
	u8 *mad = r->mad;

	msg_set_path(mad, alternate, "flow_label", alternate ? 0xb4c3d : 0x6789a);
	msg_set_path(mad, alternate, "packet_rate", alternate ? 33 : 26);
	msg_set_path(mad, alternate, "traffic_class", alternate ? 0xa6 : 0x5b);
	msg_set_path(mad, alternate, "sl", alternate ? 9 : 6);
	msg_set_path(mad, alternate, "local_ack_timeout", alternate ? 17 : 14);
	if (!alternate)
		return;
	msg_set_path(mad, true, "subnet_local", 1);
	msg_set_path(mad, true, "local_port_lid", 0x2c4e);
	msg_set_path(mad, true, "remote_port_lid", 0x3a51);
	msg_pattern(msg_path_gid(mad, true, "local_port_gid"), 16, 60);
	memcpy(msg_path_gid(mad, true, "remote_port_gid"), &r->second, 16);
}

/* A fresh id where one is needed, and the message that it awaits. */
static void recv_prepare(struct recv *r, const struct receiver *receiver)
{
	struct kunit *test = r->rig->test;
	u8 *mad = r->mad;

	if (is_request(receiver->attr)) {
		if (!r->id)
			r->id = rig_listen(r->rig, RECV_SERVICE);
		if (receiver->attr == ATTR_REQ)
			rig_make_req(r->rig, RECV_SERVICE, mad);
		else
			rig_make_sidr_req(r->rig, RECV_SERVICE, mad);
	} else {
		r->id = rig_bring(r->rig, receiver->state, receiver->active);
		KUNIT_ASSERT_NOT_NULL(test, r->id);
		rig_make(r->id, receiver->attr, mad);
	}
	msg_pattern(mad_bytes_w(mad, "private_data"),
		    field_find(receiver->attr, "private_data")->width / 8, 3);

	switch (receiver->attr) {
	case ATTR_REQ:
		mad_set(mad, "responder_resources", 0x2b);
		mad_set(mad, "initiator_depth", 0x95);
		mad_set(mad, "remote_cm_response_timeout", 19);
		mad_set(mad, "local_cm_response_timeout", 21);
		recv_path(r, false);
		if (r->rig->layer == IB_LINK_LAYER_INFINIBAND)
			recv_path(r, true);
		break;
	case ATTR_REP:
		mad_set(mad, "responder_resources", 0x3d);
		mad_set(mad, "initiator_depth", 0xa9);
		break;
	case ATTR_REJ:
		mad_set(mad, "rejected_info_length", 72);
		msg_pattern(mad_bytes_w(mad, "ari"), 72, 131);
		break;
	case ATTR_SIDR_REP:
		mad_set(mad, "additional_information_length", 72);
		msg_pattern(mad_bytes_w(mad, "additional_information"), 72, 131);
		break;
	case ATTR_LAP:
		recv_path(r, true);
		break;
	default:
		break;
	}
}

/* The event that the message causes; NULL: none. */
static void recv_take(struct recv *r, const struct receiver *receiver, unsigned int timeout_ms)
{
	r->at = r->id;
	r->event = NULL;
	if (is_request(receiver->attr))
		r->at = rig_accepted(r->id);
	if (r->at)
		r->event = rig_event(r->at, timeout_ms);
}

static bool recv_told(struct recv *r, const struct receiver *receiver, const char *what)
{
	struct kunit *test = r->rig->test;

	rig_peer_send(r->rig, r->mad);
	recv_take(r, receiver, RIG_WAIT_MS);
	KUNIT_EXPECT_NOT_NULL_MSG(test, r->event, "%s: the consumer is not told", what);
	if (!r->event)
		return false;
	KUNIT_EXPECT_EQ_MSG(test, r->event->type, receiver->event, "%s", what);
	if (r->event->type != receiver->event)
		return false;
	receiver->tells(test, r, what);
	return true;
}

static unsigned int recv_ids(struct recv *r)
{
	struct rig_id *id;
	unsigned int count = 0;

	spin_lock(&r->rig->lock);
	list_for_each_entry(id, &r->rig->ids, node)
		count++;
	spin_unlock(&r->rig->lock);
	return count;
}

/* Nobody is told of the message. */
static void recv_untold(struct recv *r, const struct receiver *receiver, const char *what)
{
	struct kunit *test = r->rig->test;
	unsigned int ids = recv_ids(r);

	rig_peer_send(r->rig, r->mad);
	rig_settle(r->rig);
	KUNIT_EXPECT_NULL_MSG(test, rig_event(r->id, 0), "%s: the consumer is told", what);
	KUNIT_EXPECT_EQ_MSG(test, recv_ids(r), ids, "%s: the consumer gets an id", what);
}

/* The walk */

enum way {
	WALK,		/* taken, and told as it is */
	KEEP,		/* has cases of its own */
	LIST,		/* as WALK, these values */
	DROP,		/* not taken with any other value than the right one */
};

static const u64 mtus[] = { IB_MTU_256, IB_MTU_512, IB_MTU_1024, IB_MTU_2048, IB_MTU_4096 };
static const u64 pkeys[] = {
	0xffff, 0x8001, 0x8002, 0x8004, 0x8008, 0x8010, 0x8020, 0x8040,
	0x8080, 0x8100, 0x8200, 0x8400, 0x8800, 0x9000, 0xa000, 0xc000,
};

/* attr 0: of the header; a row for a message comes before one for all. */
static const struct exception {
	u16 attr;
	const char *name;
	enum way way;
	const u64 *values;
	unsigned int count;
} exceptions[] = {
	/* recv_header() */
	{ 0, F_MAD_BASE_VERSION, KEEP },
	{ 0, F_MAD_CLASS, KEEP },
	{ 0, F_MAD_CLASS_VERSION, KEEP },
	{ 0, F_MAD_RESPONSE, KEEP },
	{ 0, F_MAD_METHOD, KEEP },
	{ 0, F_MAD_ATTRIBUTE, KEEP },
	/* While the peer's comm id is unknown, the TID says which attempt is meant. */
	{ ATTR_MRA, F_MAD_TID, DROP },
	{ ATTR_REJ, F_MAD_TID, DROP },
	{ ATTR_REP, F_MAD_TID, DROP },
	{ ATTR_SIDR_REP, F_MAD_TID, DROP },

	/* recv_req_service_id(), recv_req_transport(), recv_req_refused() */
	{ ATTR_REQ, "service_id", KEEP },
	{ ATTR_REQ, "transport_service_type", KEEP },
	{ ATTR_REQ, "extended_transport_type", KEEP },
	{ ATTR_REQ, "primary_remote_port_gid", KEEP },
	{ ATTR_REQ, "alternate_remote_port_gid", KEEP },
	/* recv_req_routed() */
	{ ATTR_REQ, "primary_subnet_local", KEEP },
	{ ATTR_REQ, "partition_key", LIST, pkeys, ARRAY_SIZE(pkeys) },
	{ ATTR_REQ, "path_packet_payload_mtu", LIST, mtus, ARRAY_SIZE(mtus) },

	{ ATTR_MRA, "remote_comm_id", DROP },
	{ ATTR_MRA, "message_mraed", DROP },
	{ ATTR_REJ, "remote_comm_id", DROP },
	{ ATTR_REP, "remote_comm_id", DROP },
	{ ATTR_RTU, "local_comm_id", DROP },
	{ ATTR_RTU, "remote_comm_id", DROP },
	{ ATTR_DREQ, "local_comm_id", DROP },
	{ ATTR_DREQ, "remote_comm_id", DROP },
	{ ATTR_DREQ, "remote_qpn_eecn", DROP },
	{ ATTR_DREP, "local_comm_id", DROP },
	{ ATTR_DREP, "remote_comm_id", DROP },
	{ ATTR_SIDR_REQ, "service_id", KEEP },
	{ ATTR_SIDR_REP, "request_id", DROP },
	{ ATTR_LAP, "local_comm_id", DROP },
	{ ATTR_LAP, "remote_comm_id", DROP },
	{ ATTR_LAP, "remote_qpn_eecn", DROP },
	/* recv_lap_foreign() */
	{ ATTR_LAP, "alternate_remote_port_gid", KEEP },
};

static const struct exception *exception_of(u16 attr, const struct field *field)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(exceptions); i++)
		if ((exceptions[i].attr == attr || !exceptions[i].attr) &&
		    !strcmp(exceptions[i].name, field->name))
			return &exceptions[i];
	return NULL;
}

static enum way way_of(u16 attr, const struct field *field)
{
	const struct exception *e = exception_of(attr, field);

	return e ? e->way : WALK;
}

/* Where 0 says that there is none. */
static bool zero_is_none(const struct field *field)
{
	return !strcmp(field->name, "local_comm_id") || !strcmp(field->name, "request_id") ||
	       !strcmp(field->name, "alternate_local_port_lid");
}

/* Nth message of a walk: the base message with another value in the field. False past the last. */
static bool recv_value(struct recv *r, const struct field *field, u16 attr, unsigned int n,
		       u64 *value)
{
	const struct exception *e = exception_of(attr, field);
	u8 *bytes = r->mad + field_start(field) / 8;

	if (field_reserved(field)) {
		*value = GENMASK_ULL(field->width - 1, 0);
		return !n;
	}
	if (field->width > 64) {
		if (!n)
			msg_pattern(bytes, field->width / 8, 17);
		else
			memset(bytes, n == 1 ? 0xff : 0, field->width / 8);
		*value = n;
		return n < 3;
	}
	if (e && e->way == LIST) {
		if (n >= e->count)
			return false;
		*value = e->values[n];
	} else if (!msg_walk(n, field->width, value)) {
		return false;
	}
	return true;
}

/**
 * struct walk - one row for one message on one link layer
 * @attr: the message
 * @field: the row; the header's are everybody's
 * @layer: where
 */
struct walk {
	u16 attr;
	const struct field *field;
	enum rdma_link_layer layer;
};

/*
 * On RoCE there are no LIDs, and a peer's address must be one that resolves. Of an
 * answer the layer changes only how it gets here.
 */
static bool walk_ib_only(const struct walk *walk)
{
	const char *name = walk->field->name;

	if (walk->attr == ATTR_LAP || field_reserved(walk->field))
		return true;
	if (!is_request(walk->attr))
		return strcmp(name, "private_data") && strcmp(name, F_MAD_TID);
	return !strncmp(name, "alternate", 9) || strstr(name, "_lid") || strstr(name, "_gid") ||
	       !strcmp(name, "partition_key");
}

/* The next row to walk; an attr of 0 is where it begins. */
static bool walk_next(struct walk *walk)
{
	static const u16 attrs[] = {
		ATTR_REQ, ATTR_MRA, ATTR_REJ, ATTR_REP, ATTR_RTU, ATTR_DREQ, ATTR_DREP,
		ATTR_SIDR_REQ, ATTR_SIDR_REP, ATTR_LAP,
	};
	unsigned int i = 0;

	if (walk->attr && walk->layer == IB_LINK_LAYER_INFINIBAND && !walk_ib_only(walk)) {
		walk->layer = IB_LINK_LAYER_ETHERNET;
		return true;
	}
	walk->layer = IB_LINK_LAYER_INFINIBAND;
	while (walk->attr && attrs[i] != walk->attr)
		i++;
	walk->attr = attrs[i];
	for (;;) {
		walk->field = walk->field ? walk->field + 1 : fields;
		if (!walk->field->name) {
			if (++i == ARRAY_SIZE(attrs))
				return false;
			walk->attr = attrs[i];
			walk->field = fields;
		}
		if ((!walk->field->attr || walk->field->attr == walk->attr) &&
		    way_of(walk->attr, walk->field) != KEEP)
			return true;
	}
}

const void *recv_field_gen(struct kunit *test, const void *prev, char *desc)
{
	static struct walk walk;
	const char *outcome;

	if (!prev)
		memset(&walk, 0, sizeof(walk));
	if (!walk_next(&walk))
		return NULL;
	switch (way_of(walk.attr, walk.field)) {
	case DROP:
		outcome = "any other value than the right one is not taken";
		break;
	default:
		outcome = field_reserved(walk.field) ? "no value makes a difference" :
			  "each value is taken, and told where the event has it";
	}
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s.%s: %s (%s)", mad_name(walk.attr),
		 walk.field->name, outcome, msg_layer(walk.layer));
	return &walk;
}

static void recv_walk(struct recv *r, const struct receiver *receiver, const struct field *field)
{
	unsigned int n;
	char what[80];
	u64 value;

	for (n = 0;; n++) {
		recv_prepare(r, receiver);
		if (!recv_value(r, field, receiver->attr, n, &value))
			break;
		if (!value && zero_is_none(field))
			continue;
		if (field->width <= 64)
			field_write(field, r->mad, value);
		snprintf(what, sizeof(what), "%s.%s, value %#llx", mad_name(receiver->attr),
			 field->name, value);
		if (!recv_told(r, receiver, what))
			break;
		/* A listener serves them all. */
		if (is_request(receiver->attr)) {
			rig_id_destroy(r->at);
			continue;
		}
		rig_clear(r->rig);
		r->id = NULL;
	}
}

static void recv_drop(struct recv *r, const struct receiver *receiver, const struct field *field)
{
	unsigned int n;
	char what[100];
	u64 right, value;

	recv_prepare(r, receiver);
	right = field_read(field, r->mad);
	/* None given, all bits wrong, and each alone. */
	for (n = 0; msg_walk(n, field->width, &value); n++) {
		value = n ? right ^ value : 0;
		if (value == right)
			continue;
		field_write(field, r->mad, value);
		snprintf(what, sizeof(what), "%s.%s, %#llx instead of %#llx",
			 mad_name(receiver->attr), field->name, value, right);
		recv_untold(r, receiver, what);
	}
	field_write(field, r->mad, right);
	snprintf(what, sizeof(what), "%s.%s, at last the right one", mad_name(receiver->attr),
		 field->name);
	recv_told(r, receiver, what);
}

MSG_CASE(recv_field)
{
	const struct walk *walk = test->param_value;
	struct recv *r = recv_alloc(test, walk->layer);
	const struct receiver *receiver = receiver_of(test, walk->attr);

	if (way_of(walk->attr, walk->field) == DROP)
		recv_drop(r, receiver, walk->field);
	else
		recv_walk(r, receiver, walk->field);
}

/* REQ: what decides about more than one field, or about the listener */

MSG_CASE(recv_req_service_id)
{
	struct recv *r = recv_alloc(test, IB_LINK_LAYER_INFINIBAND);
	static const u16 attrs[] = { ATTR_REQ, ATTR_SIDR_REQ };
	unsigned int n, i;
	char what[60];
	u64 value;

	for (i = 0; i < ARRAY_SIZE(attrs); i++) {
		const struct receiver *receiver = receiver_of(test, attrs[i]);

		for (n = 1; msg_walk(n, 64, &value); n++) {
			/* To a listener this one means: any. */
			if (value == be64_to_cpu(IB_CM_ASSIGN_SERVICE_ID))
				continue;
			r->id = rig_listen(r->rig, value);
			recv_prepare(r, receiver);
			mad_set(r->mad, "service_id", value);
			snprintf(what, sizeof(what), "%s.service_id %#llx", mad_name(attrs[i]),
				 value);
			recv_told(r, receiver, what);
			rig_clear(r->rig);
		}
	}
}

static const struct transport_case {
	const char *what;
	u8 type, extended;
	bool taken;
} transports[] = {
	{ "REQ: service type 0 is RC", 0, 0, true },
	{ "REQ: service type 1 is UC", 1, 0, true },
	{ "REQ: service type 2, RD, is not served", 2, 0, false },
	{ "REQ: service type 3, extended type 1, is XRC", 3, 1, true },
	{ "REQ: service type 3, extended type 0, is not served", 3, 0, false },
	{ "REQ: service type 3, extended type 2, is not served", 3, 2, false },
	{ "REQ: service type 3, extended type 4, is not served", 3, 4, false },
	{ "REQ: service type 3, extended type 7, is not served", 3, 7, false },
};

static void recv_rejected(struct recv *r, const struct receiver *receiver, u8 about, u16 reason,
			  const char *what)
{
	struct kunit *test = r->rig->test;
	u8 rej[MAD_BYTES];

	recv_untold(r, receiver, what);
	KUNIT_ASSERT_TRUE_MSG(test, rig_peer_recv(r->rig, ATTR_REJ, rej, RIG_WAIT_MS), "%s: no REJ",
			      what);
	KUNIT_EXPECT_EQ(test, mad_get(rej, F_MAD_TID), mad_get(r->mad, F_MAD_TID));
	KUNIT_EXPECT_EQ(test, mad_get(rej, "remote_comm_id"), mad_get(r->mad, "local_comm_id"));
	KUNIT_EXPECT_EQ(test, mad_get(rej, "message_rejected"), about);
	KUNIT_EXPECT_EQ(test, mad_get(rej, "reason"), reason);
}

MSG_CASE(recv_req_transport)
{
	const struct transport_case *c = test->param_value;
	const struct receiver *receiver = receiver_of(test, ATTR_REQ);
	struct recv *r = recv_alloc(test, IB_LINK_LAYER_INFINIBAND);

	recv_prepare(r, receiver);
	mad_set(r->mad, "transport_service_type", c->type);
	mad_set(r->mad, "extended_transport_type", c->extended);
	if (c->taken)
		recv_told(r, receiver, c->what);
	else
		recv_rejected(r, receiver, 0, IB_CM_REJ_INVALID_TRANSPORT_TYPE, c->what);
}
MSG_GEN(recv_req_transport, transports);

MSG_CASE(recv_req_no_alternate)
{
	const struct receiver *receiver = receiver_of(test, ATTR_REQ);
	struct recv *r = recv_alloc(test, IB_LINK_LAYER_INFINIBAND);
	const struct field *field;

	recv_prepare(r, receiver);
	for (field = fields; field->name; field++) {
		if (field->attr != ATTR_REQ || strncmp(field->name, "alternate_", 10))
			continue;
		memset(r->mad + field_start(field) / 8, 0, DIV_ROUND_UP(field->width, 8));
	}
	recv_told(r, receiver, "REQ without an alternate path");
}

MSG_CASE(recv_req_routed)
{
	const struct receiver *receiver = receiver_of(test, ATTR_REQ);
	struct recv *r = recv_alloc(test, IB_LINK_LAYER_INFINIBAND);
	const struct rig_event *event;

	/* Of another subnet, its LIDs given: as it says. */
	recv_prepare(r, receiver);
	mad_set(r->mad, "primary_subnet_local", 0);
	recv_told(r, receiver, "REQ from another subnet");
	rig_clear(r->rig);
	r->id = NULL;

	/* Its LIDs permissive: those of the datagram, ours among them not told. */
	recv_prepare(r, receiver);
	mad_set(r->mad, "primary_subnet_local", 0);
	mad_set(r->mad, "primary_local_port_lid", 0xffff);
	mad_set(r->mad, "primary_remote_port_lid", 0xffff);
	rig_peer_send(r->rig, r->mad);
	recv_take(r, receiver, RIG_WAIT_MS);
	KUNIT_ASSERT_NOT_NULL(test, r->event);
	event = r->event;
	KUNIT_EXPECT_EQ(test, be16_to_cpu(event->primary.ib.dlid), r->peer.slid);
	KUNIT_EXPECT_NE(test, be16_to_cpu(event->primary.ib.slid), 0xffff);
	KUNIT_EXPECT_EQ(test, event->primary.sl, r->peer.sl);
}

MSG_CASE(recv_rep_xrc)
{
	const struct receiver *receiver = receiver_of(test, ATTR_REP);
	struct recv *r = recv_alloc(test, IB_LINK_LAYER_INFINIBAND);
	unsigned int n;
	char what[60];
	u64 value;

	r->rig->qp_type = IB_QPT_XRC_INI;
	for (n = 1; msg_walk(n, 24, &value); n++) {
		recv_prepare(r, receiver);
		mad_set(r->mad, "local_qpn", 0x3c3c3c);
		mad_set(r->mad, "local_eecn", value);
		snprintf(what, sizeof(what), "REP of an XRC target %#llx", value);
		recv_told(r, receiver, what);
		rig_clear(r->rig);
	}
}

/* A path that does not end here is refused, and the reason says which (12.6.7.2) */
static const struct refused_case {
	const char *what;
	const char *gid;
	u16 reason;
} refuseds[] = {
	{ "REQ: the primary remote GID is not ours: REJ 12", "primary_remote_port_gid",
	  IB_CM_REJ_INVALID_GID },
	{ "REQ: the alternate remote GID is not ours: REJ 18", "alternate_remote_port_gid",
	  IB_CM_REJ_INVALID_ALT_GID },
};

MSG_CASE(recv_req_refused)
{
	const struct refused_case *c = test->param_value;
	const struct receiver *receiver = receiver_of(test, ATTR_REQ);
	struct recv *r = recv_alloc(test, IB_LINK_LAYER_INFINIBAND);
	unsigned int bit;

	/* Each byte counts. */
	for (bit = 0; bit < 128; bit += 8) {
		recv_prepare(r, receiver);
		mad_bytes_w(r->mad, c->gid)[bit / 8] ^= 0x10;
		recv_rejected(r, receiver, 0, c->reason, c->what);
	}
	recv_prepare(r, receiver);
	recv_told(r, receiver, "REQ with all GIDs right");
}
MSG_GEN(recv_req_refused, refuseds);

/* What is no message of the CM */

static const struct short_case {
	const char *what;
	u16 attr;
	u8 layers;
} shorts[] = {
	{ "REQ: cut anywhere it is not taken", ATTR_REQ, MSG_BOTH },
	{ "MRA: cut anywhere it is not taken", ATTR_MRA, MSG_BOTH },
	{ "REJ: cut anywhere it is not taken", ATTR_REJ, MSG_BOTH },
	{ "REP: cut anywhere it is not taken", ATTR_REP, MSG_BOTH },
	{ "RTU: cut anywhere it is not taken", ATTR_RTU, MSG_BOTH },
	{ "DREQ: cut anywhere it is not taken", ATTR_DREQ, MSG_BOTH },
	{ "DREP: cut anywhere it is not taken", ATTR_DREP, MSG_BOTH },
	{ "SIDR_REQ: cut anywhere it is not taken", ATTR_SIDR_REQ, MSG_BOTH },
	{ "SIDR_REP: cut anywhere it is not taken", ATTR_SIDR_REP, MSG_BOTH },
	{ "LAP: cut anywhere it is not taken", ATTR_LAP, MSG_IB },
};

static void recv_cut(struct recv *r, const struct receiver *receiver, unsigned int len)
{
	struct kunit *test = r->rig->test;
	struct loop_packet *packet = kunit_kzalloc(test, sizeof(*packet), GFP_KERNEL);
	unsigned int ids = recv_ids(r);
	u64 taken = msg_received(r->rig, receiver->attr);

	KUNIT_ASSERT_NOT_NULL(test, packet);
	rig_peer_packet(r->rig, r->mad, packet);
	packet->len = len;
	KUNIT_EXPECT_EQ(test, loop_station_send(r->rig->peer, packet), 0);
	rig_settle(r->rig);
	KUNIT_EXPECT_NULL_MSG(test, rig_event(r->id, 0), "%u bytes", len);
	KUNIT_EXPECT_EQ_MSG(test, recv_ids(r), ids, "%u bytes", len);
	KUNIT_EXPECT_EQ_MSG(test, rig_peer_waiting(r->rig), 0, "an answer to %u bytes", len);
	KUNIT_EXPECT_EQ_MSG(test, msg_received(r->rig, receiver->attr), taken, "%u bytes", len);
	kunit_kfree(test, packet);
}

MSG_CASE(recv_short)
{
	static const u16 lens[] = {
		1, 2, 8, 16, 17, 18, 20, 23, 24, 25, 28, 32, 36, 60, 64, 100, 128, 200, 217, 254,
		255,
	};
	const struct msg_param *param = test->param_value;
	const struct short_case *c = param->row;
	struct recv *r = recv_alloc(test, param->layer);
	const struct receiver *receiver = receiver_of(test, c->attr);
	unsigned int i;
	u64 taken;

	/* The first datagrams that this port gets: nothing is known of its driver. */
	recv_prepare(r, receiver);
	for (i = 0; i < ARRAY_SIZE(lens); i++)
		recv_cut(r, receiver, lens[i]);
	taken = msg_received(r->rig, c->attr);
	recv_told(r, receiver, "the whole message");
	KUNIT_EXPECT_EQ(test, msg_received(r->rig, c->attr), taken + 1);
	rig_clear(r->rig);
	r->id = NULL;

	/* Later ones: buffers have been used. 216 bytes and the place of a GRH are 256. */
	recv_prepare(r, receiver);
	for (i = 0; i < ARRAY_SIZE(lens); i++)
		recv_cut(r, receiver, lens[i]);
	recv_cut(r, receiver, 216);
	recv_told(r, receiver, "the whole message, later");
}
MSG_GEN_LAYERS(recv_short, shorts);

static const struct header_case {
	const char *what;
	const char *name;
	u8 right;
	u8 bits;
} headers[] = {
	{ "another base version is not taken", F_MAD_BASE_VERSION, 1, 8 },
	{ "another management class is not taken", F_MAD_CLASS, 7, 8 },
	{ "another class version is not taken", F_MAD_CLASS_VERSION, 2, 8 },
	{ "a response is not taken", F_MAD_RESPONSE, 0, 1 },
	{ "another method than Send is not taken", F_MAD_METHOD, 3, 7 },
};

MSG_CASE(recv_header)
{
	static const u16 attrs[] = { ATTR_REQ, ATTR_REP, ATTR_REJ, ATTR_SIDR_REQ, ATTR_DREQ };
	const struct header_case *c = test->param_value;
	struct recv *r = recv_alloc(test, IB_LINK_LAYER_INFINIBAND);
	unsigned int i, n;
	char what[80];
	u64 value;

	for (i = 0; i < ARRAY_SIZE(attrs); i++) {
		const struct receiver *receiver = receiver_of(test, attrs[i]);

		recv_prepare(r, receiver);
		for (n = 0; msg_walk(n, c->bits, &value); n++) {
			if (value == c->right)
				continue;
			mad_set(r->mad, c->name, value);
			snprintf(what, sizeof(what), "%s with %s %#llx", mad_name(attrs[i]),
				 c->name, value);
			recv_untold(r, receiver, what);
		}
		mad_set(r->mad, c->name, c->right);
		recv_told(r, receiver, mad_name(attrs[i]));
		rig_clear(r->rig);
		r->id = NULL;
	}
}
MSG_GEN(recv_header, headers);

MSG_CASE(recv_attribute)
{
	static const u16 unknown[] = {
		0, 1, 2, 3, 0x0f, 0x1b, 0x1c, 0x1f, 0x20, 0x30, 0x50, 0x90, 0x110, 0x1010, 0x8010,
		0xff10, 0xffff,
	};
	const struct receiver *receiver = receiver_of(test, ATTR_REQ);
	struct recv *r = recv_alloc(test, IB_LINK_LAYER_INFINIBAND);
	unsigned int i;
	char what[40];

	recv_prepare(r, receiver);
	for (i = 0; i < ARRAY_SIZE(unknown); i++) {
		mad_set(r->mad, F_MAD_ATTRIBUTE, unknown[i]);
		snprintf(what, sizeof(what), "attribute %#x", unknown[i]);
		recv_untold(r, receiver, what);
		KUNIT_EXPECT_EQ_MSG(test, rig_peer_waiting(r->rig), 0, "an answer to %s", what);
	}
	mad_set(r->mad, F_MAD_ATTRIBUTE, ATTR_REQ);
	recv_told(r, receiver, "the attribute of a REQ");
}

/* No call sends a LAP: whatever an APR says, none is awaited. */
MSG_CASE(recv_apr)
{
	struct recv *r = recv_alloc(test, IB_LINK_LAYER_INFINIBAND);
	const struct field *field;
	unsigned int n;
	u64 value;

	r->id = rig_bring(r->rig, CM_ID_ESTABLISHED, true);
	KUNIT_ASSERT_NOT_NULL(test, r->id);
	rig_make(r->id, ATTR_APR, r->mad);
	for (field = fields; field->name; field++) {
		if (field->attr != ATTR_APR || field->width > 64)
			continue;
		for (n = 0; msg_walk(n, field->width, &value); n++) {
			u64 was = field_read(field, r->mad);

			field_write(field, r->mad, value);
			rig_peer_send(r->rig, r->mad);
			field_write(field, r->mad, was);
		}
		rig_settle(r->rig);
		KUNIT_EXPECT_NULL_MSG(test, rig_event(r->id, 0), "APR.%s", field->name);
		KUNIT_EXPECT_EQ_MSG(test, rig_state(r->id), CM_ID_ESTABLISHED, "APR.%s",
				    field->name);
	}
}

/* Alternate paths are InfiniBand's. */
MSG_CASE(recv_lap_roce)
{
	struct recv *r = recv_alloc(test, IB_LINK_LAYER_ETHERNET);

	r->id = rig_bring(r->rig, CM_ID_ESTABLISHED, false);
	KUNIT_ASSERT_NOT_NULL(test, r->id);
	rig_make(r->id, ATTR_LAP, r->mad);
	recv_untold(r, receiver_of(test, ATTR_LAP), "LAP on RoCE");
	KUNIT_EXPECT_EQ(test, rig_state(r->id), CM_ID_ESTABLISHED);
}

/* A path that does not start from the connection's device cannot be loaded (field fault 19). */
MSG_CASE(recv_lap_foreign)
{
	const struct receiver *receiver = receiver_of(test, ATTR_LAP);
	struct recv *r = recv_alloc(test, IB_LINK_LAYER_INFINIBAND);
	unsigned int i;

	recv_prepare(r, receiver);
	for (i = 0; i < 16; i++) {
		u8 *gid = mad_bytes_w(r->mad, "alternate_remote_port_gid");

		gid[i] ^= 0x10;
		recv_untold(r, receiver, "LAP to a GID that is not ours");
		KUNIT_EXPECT_EQ(test, rig_state(r->id), CM_ID_ESTABLISHED);
		gid[i] ^= 0x10;
	}
	recv_told(r, receiver, "LAP to our second port");
}
