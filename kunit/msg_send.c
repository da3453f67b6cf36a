// SPDX-License-Identifier: GPL-2.0-only
/*
 * What leaves: each parameter of each exported call, and each message that is
 * sent without being asked for, compared with a whole message made by fields.c.
 *
 * Owns: struct sent, one message on its way; want_*(), the standard's encoding of
 * the calls' parameters; the walk over every parameter.
 *
 * A walk begins anew for every value: a fresh id, brought into the state in which
 * the call is made. Since whole messages are compared, each case is also one about
 * spilling into neighbours, reserved bits, and tails that must be zero.
 */
#include <rdma/ib_cache.h>

#include "msg.h"

#define SENT_SERVICE	0x4a5b6c7d8e9fa0b1ULL

/**
 * struct sent - a message to be sent by a call
 * @path: primary, of REQ and SIDR_REQ
 * @twin: alternate
 * @inbound: where the primary path comes back, of a routed one
 * @len: of @data, as private data
 * @info_len: of @info, as ARI or additional information
 * @reason: of a REJ
 * @service_id: what the peer asks for, or is asked for
 * @peer_tid: of the peer's request; 0: as the rig has it
 * @peer_comm_id: the peer's; 0: as the rig has it
 * @peer_qpn: the peer's; 0: as the rig has it
 * @no_data: the call gets NULL, and @len
 */
struct sent {
	struct rig *rig;
	struct rig_id *id;
	struct sa_path_rec path, twin, inbound;
	struct ib_cm_req_param req;
	struct ib_cm_rep_param rep;
	struct ib_cm_sidr_req_param sidr_req;
	struct ib_cm_sidr_rep_param sidr_rep;
	u8 len, info_len;
	u32 reason;
	__be64 service_id;
	u64 peer_tid;
	u32 peer_comm_id, peer_qpn;
	bool no_data;
	u8 data[256], info[256];
	u8 got[MAD_BYTES], want[MAD_BYTES];
};

static const void *sent_data(struct sent *s)
{
	return s->no_data ? NULL : s->data;
}

/* Bringing an id to where the call is made */

static void prepare_idle(struct sent *s)
{
	s->id = rig_id_create(s->rig);
	s->id->service_id = be64_to_cpu(s->service_id);
}

static void sent_took(struct sent *s, enum ib_cm_event_type type)
{
	const struct rig_event *event = rig_event(s->id, RIG_WAIT_MS);

	KUNIT_ASSERT_NOT_NULL(s->rig->test, event);
	KUNIT_ASSERT_EQ(s->rig->test, event->type, type);
}

static void prepare_req_rcvd(struct sent *s)
{
	u64 service_id = be64_to_cpu(s->service_id);
	struct rig_id *listener = rig_listen(s->rig, service_id);
	u8 mad[MAD_BYTES];

	rig_make_req(s->rig, service_id, mad);
	if (s->peer_tid)
		mad_set(mad, F_MAD_TID, s->peer_tid);
	if (s->peer_comm_id)
		mad_set(mad, "local_comm_id", s->peer_comm_id);
	if (s->peer_qpn)
		mad_set(mad, "local_qpn", s->peer_qpn);
	rig_peer_send(s->rig, mad);
	s->id = rig_accepted(listener);
	KUNIT_ASSERT_NOT_NULL(s->rig->test, s->id);
	sent_took(s, IB_CM_REQ_RECEIVED);
}

static void prepare_sidr_req_rcvd(struct sent *s)
{
	u64 service_id = be64_to_cpu(s->service_id);
	struct rig_id *listener = rig_listen(s->rig, service_id);
	u8 mad[MAD_BYTES];

	rig_make_sidr_req(s->rig, service_id, mad);
	if (s->peer_tid)
		mad_set(mad, F_MAD_TID, s->peer_tid);
	if (s->peer_comm_id)
		mad_set(mad, "request_id", s->peer_comm_id);
	rig_peer_send(s->rig, mad);
	s->id = rig_accepted(listener);
	KUNIT_ASSERT_NOT_NULL(s->rig->test, s->id);
	sent_took(s, IB_CM_SIDR_REQ_RECEIVED);
}

static void prepare_rep_rcvd(struct sent *s)
{
	u8 mad[MAD_BYTES];

	prepare_idle(s);
	KUNIT_ASSERT_EQ(s->rig->test, rig_send_req(s->id), 0);
	if (s->peer_comm_id)
		s->id->peer_id = s->peer_comm_id;
	if (s->peer_qpn)
		s->id->peer_qpn = s->peer_qpn;
	rig_make(s->id, ATTR_REP, mad);
	rig_peer_send(s->rig, mad);
	sent_took(s, IB_CM_REP_RECEIVED);
}

static void prepare_established(struct sent *s)
{
	u8 mad[MAD_BYTES];

	prepare_req_rcvd(s);
	KUNIT_ASSERT_EQ(s->rig->test, rig_send_rep(s->id), 0);
	KUNIT_ASSERT_TRUE(s->rig->test, rig_peer_recv(s->rig, ATTR_REP, NULL, RIG_WAIT_MS));
	rig_make(s->id, ATTR_RTU, mad);
	rig_peer_send(s->rig, mad);
	sent_took(s, IB_CM_RTU_RECEIVED);
}

static void prepare_dreq_rcvd(struct sent *s)
{
	u8 mad[MAD_BYTES];

	prepare_established(s);
	rig_make(s->id, ATTR_DREQ, mad);
	if (s->peer_tid)
		mad_set(mad, F_MAD_TID, s->peer_tid);
	s->peer_tid = mad_get(mad, F_MAD_TID);
	rig_peer_send(s->rig, mad);
	sent_took(s, IB_CM_DREQ_RECEIVED);
}

/* The calls */

static int call_req(struct sent *s)
{
	s->req.primary_path = &s->path;
	s->req.service_id = s->service_id;
	s->req.private_data = sent_data(s);
	s->req.private_data_len = s->len;
	return ib_send_cm_req(s->id->cm, &s->req);
}

static int call_rep(struct sent *s)
{
	s->rep.private_data = sent_data(s);
	s->rep.private_data_len = s->len;
	return ib_send_cm_rep(s->id->cm, &s->rep);
}

static int call_rtu(struct sent *s)
{
	return ib_send_cm_rtu(s->id->cm, sent_data(s), s->len);
}

static int call_rej(struct sent *s)
{
	return ib_send_cm_rej(s->id->cm, s->reason, s->no_data ? NULL : s->info, s->info_len,
			      sent_data(s), s->len);
}

static int call_dreq(struct sent *s)
{
	return ib_send_cm_dreq(s->id->cm, sent_data(s), s->len);
}

static int call_drep(struct sent *s)
{
	return ib_send_cm_drep(s->id->cm, sent_data(s), s->len);
}

static int call_sidr_req(struct sent *s)
{
	s->sidr_req.path = &s->path;
	s->sidr_req.service_id = s->service_id;
	s->sidr_req.private_data = sent_data(s);
	s->sidr_req.private_data_len = s->len;
	return ib_send_cm_sidr_req(s->id->cm, &s->sidr_req);
}

static int call_sidr_rep(struct sent *s)
{
	s->sidr_rep.private_data = sent_data(s);
	s->sidr_rep.private_data_len = s->len;
	s->sidr_rep.info = s->no_data ? NULL : s->info;
	s->sidr_rep.info_length = s->info_len;
	return ib_send_cm_sidr_rep(s->id->cm, &s->sidr_rep);
}

/* What the standard makes of the parameters */

static u32 local_comm_id(struct sent *s)
{
	return be32_to_cpu(s->id->cm->local_id);
}

static void want_data(struct sent *s)
{
	if (!s->no_data)
		memcpy(mad_bytes_w(s->want, "private_data"), s->data, s->len);
}

static void want_path(struct sent *s, bool alternate, const struct sa_path_rec *path)
{
	bool local = path->hop_limit <= 1;
	u16 ours = be16_to_cpu(IB_LID_PERMISSIVE), peers = ours;

	if (local) {
		ours = be16_to_cpu(path->ib.slid);
		peers = be16_to_cpu(path->ib.dlid);
	} else if (!alternate && s->req.primary_path_inbound) {
		ours = be16_to_cpu(s->inbound.ib.dlid);
	}
	msg_set_path(s->want, alternate, "local_port_lid", ours);
	msg_set_path(s->want, alternate, "remote_port_lid", peers);
	memcpy(msg_path_gid(s->want, alternate, "local_port_gid"), &path->sgid, sizeof(path->sgid));
	memcpy(msg_path_gid(s->want, alternate, "remote_port_gid"), &path->dgid,
	       sizeof(path->dgid));
	msg_set_path(s->want, alternate, "flow_label", be32_to_cpu(path->flow_label));
	msg_set_path(s->want, alternate, "packet_rate", path->rate);
	msg_set_path(s->want, alternate, "traffic_class", path->traffic_class);
	msg_set_path(s->want, alternate, "hop_limit", path->hop_limit);
	msg_set_path(s->want, alternate, "sl", path->sl);
	msg_set_path(s->want, alternate, "subnet_local", local);
	msg_set_path(s->want, alternate, "local_ack_timeout",
		     msg_ack_timeout(path->packet_life_time,
				     s->rig->dev->attrs.local_ca_ack_delay));
	/* RoCE has no LIDs: what stands there is not looked at. */
	if (s->rig->layer == IB_LINK_LAYER_ETHERNET) {
		msg_set_path(s->want, alternate, "local_port_lid",
			     msg_get_path(s->got, alternate, "local_port_lid"));
		msg_set_path(s->want, alternate, "remote_port_lid",
			     msg_get_path(s->got, alternate, "remote_port_lid"));
	}
}

static void want_req(struct sent *s)
{
	const struct ib_cm_req_param *p = &s->req;
	bool xrc = p->qp_type == IB_QPT_XRC_INI;
	u8 *want = s->want;

	/* The TID is ours to choose. */
	mad_init(want, ATTR_REQ, mad_get(s->got, F_MAD_TID));
	mad_set(want, F_MAD_MODIFIER, p->ece.attr_mod);
	mad_set(want, "local_comm_id", local_comm_id(s));
	mad_set(want, "vendor_id", p->ece.vendor_id);
	mad_set(want, "service_id", be64_to_cpu(s->service_id));
	mad_set(want, "local_ca_guid", be64_to_cpu(s->rig->dev->node_guid));
	mad_set(want, "local_qpn", p->qp_num);
	mad_set(want, "initiator_depth", p->initiator_depth);
	mad_set(want, "remote_cm_response_timeout", p->remote_cm_response_timeout);
	mad_set(want, "transport_service_type", p->qp_type == IB_QPT_UC ? 1 : xrc ? 3 : 0);
	mad_set(want, "extended_transport_type", xrc ? 1 : 0);
	mad_set(want, "end_to_end_flow_control", p->flow_control);
	mad_set(want, "starting_psn", p->starting_psn);
	mad_set(want, "local_cm_response_timeout", p->local_cm_response_timeout);
	mad_set(want, "partition_key", be16_to_cpu(s->path.pkey));
	mad_set(want, "path_packet_payload_mtu", s->path.mtu);
	mad_set(want, "max_cm_retries", p->max_cm_retries);
	/* Annex A14: an XRC initiator answers nothing, and is sent nothing to. */
	if (!xrc) {
		mad_set(want, "responder_resources", p->responder_resources);
		mad_set(want, "retry_count", p->retry_count);
		mad_set(want, "rnr_retry_count", p->rnr_retry_count);
		mad_set(want, "srq", p->srq);
	}
	want_path(s, false, &s->path);
	if (p->alternate_path)
		want_path(s, true, p->alternate_path);
	want_data(s);
}

static void want_rep(struct sent *s)
{
	const struct ib_cm_rep_param *p = &s->rep;
	bool xrc = s->rig->qp_type == IB_QPT_XRC_TGT;
	u8 *want = s->want;

	msg_init(want, ATTR_REP, s->id->tid, local_comm_id(s), s->id->peer_id);
	mad_set(want, F_MAD_MODIFIER, p->ece.attr_mod);
	mad_set(want, xrc ? "local_eecn" : "local_qpn", p->qp_num);
	mad_set(want, "vendor_id_high", p->ece.vendor_id >> 16);
	mad_set(want, "vendor_id_middle", p->ece.vendor_id >> 8);
	mad_set(want, "starting_psn", p->starting_psn);
	mad_set(want, "vendor_id_low", p->ece.vendor_id);
	mad_set(want, "responder_resources", p->responder_resources);
	mad_set(want, "target_ack_delay", s->rig->dev->attrs.local_ca_ack_delay);
	mad_set(want, "failover_accepted", p->failover_accepted);
	mad_set(want, "rnr_retry_count", p->rnr_retry_count);
	mad_set(want, "local_ca_guid", be64_to_cpu(s->rig->dev->node_guid));
	/* Annex A14: an XRC target is no initiator, and always receives from a shared queue. */
	if (!xrc) {
		mad_set(want, "initiator_depth", p->initiator_depth);
		mad_set(want, "end_to_end_flow_control", p->flow_control);
	}
	mad_set(want, "srq", xrc ? 1 : p->srq);
	want_data(s);
}

static void want_rtu(struct sent *s)
{
	msg_init(s->want, ATTR_RTU, s->id->tid, local_comm_id(s), s->id->peer_id);
	want_data(s);
}

/* Of a REQ: the peer need not know a comm id of ours, but may. */
static void want_rej(struct sent *s)
{
	msg_init(s->want, ATTR_REJ, s->id->tid, 0, s->id->peer_id);
	if (mad_get(s->got, "local_comm_id"))
		mad_set(s->want, "local_comm_id", s->id->local_id);
	mad_set(s->want, "reason", s->reason);
	if (s->info_len && !s->no_data) {
		mad_set(s->want, "rejected_info_length", s->info_len);
		memcpy(mad_bytes_w(s->want, "ari"), s->info, s->info_len);
	}
	want_data(s);
}

static void want_dreq(struct sent *s)
{
	/* A transaction of its own. */
	msg_init(s->want, ATTR_DREQ, mad_get(s->got, F_MAD_TID), local_comm_id(s), s->id->peer_id);
	mad_set(s->want, "remote_qpn_eecn", s->id->peer_qpn);
	want_data(s);
}

static void want_drep(struct sent *s)
{
	msg_init(s->want, ATTR_DREP, s->peer_tid, local_comm_id(s), s->id->peer_id);
	want_data(s);
}

static void want_sidr_req(struct sent *s)
{
	mad_init(s->want, ATTR_SIDR_REQ, mad_get(s->got, F_MAD_TID));
	mad_set(s->want, "request_id", local_comm_id(s));
	mad_set(s->want, "partition_key", be16_to_cpu(s->path.pkey));
	mad_set(s->want, "service_id", be64_to_cpu(s->service_id));
	want_data(s);
}

static void want_sidr_rep(struct sent *s)
{
	const struct ib_cm_sidr_rep_param *p = &s->sidr_rep;

	mad_init(s->want, ATTR_SIDR_REP, s->id->tid);
	mad_set(s->want, F_MAD_MODIFIER, p->ece.attr_mod);
	mad_set(s->want, "request_id", s->id->peer_id);
	mad_set(s->want, "status", p->status);
	mad_set(s->want, "vendor_id_high", p->ece.vendor_id >> 8);
	mad_set(s->want, "qpn", p->qp_num);
	mad_set(s->want, "vendor_id_low", p->ece.vendor_id);
	mad_set(s->want, "service_id", be64_to_cpu(s->service_id));
	mad_set(s->want, "qkey", p->qkey);
	if (s->info_len && !s->no_data) {
		mad_set(s->want, "additional_information_length", s->info_len);
		memcpy(mad_bytes_w(s->want, "additional_information"), s->info, s->info_len);
	}
	want_data(s);
}

static const struct sender {
	u16 attr;
	void (*prepare)(struct sent *s);
	int (*call)(struct sent *s);
	void (*want)(struct sent *s);
} senders[] = {
	{ ATTR_REQ,	 prepare_idle,		call_req,	want_req },
	{ ATTR_REP,	 prepare_req_rcvd,	call_rep,	want_rep },
	{ ATTR_RTU,	 prepare_rep_rcvd,	call_rtu,	want_rtu },
	{ ATTR_REJ,	 prepare_req_rcvd,	call_rej,	want_rej },
	{ ATTR_DREQ,	 prepare_established,	call_dreq,	want_dreq },
	{ ATTR_DREP,	 prepare_dreq_rcvd,	call_drep,	want_drep },
	{ ATTR_SIDR_REQ, prepare_idle,		call_sidr_req,	want_sidr_req },
	{ ATTR_SIDR_REP, prepare_sidr_req_rcvd,	call_sidr_rep,	want_sidr_rep },
};

static const struct sender *sender_of(struct kunit *test, u16 attr)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(senders); i++)
		if (senders[i].attr == attr)
			return &senders[i];
	KUNIT_FAIL_AND_ABORT(test, "no call sends %s", mad_name(attr));
	return NULL;
}

/* Parameters no two of which are alike, so that one cannot pass for another. */
static void sent_defaults(struct sent *s, struct rig *rig)
{
	memset(s, 0, sizeof(*s));
	s->rig = rig;
	s->service_id = cpu_to_be64(SENT_SERVICE);
	s->reason = IB_CM_REJ_CONSUMER_DEFINED;
	msg_pattern(s->data, sizeof(s->data), 3);
	msg_pattern(s->info, sizeof(s->info), 131);

	rig_path(rig, &s->path);
	s->path.sl = 6;
	s->path.traffic_class = 0x5a;
	s->path.flow_label = cpu_to_be32(0x6789a);
	s->path.rate = IB_RATE_56_GBPS;
	s->path.mtu = IB_MTU_1024;
	s->path.packet_life_time = 13;
	s->twin = s->path;
	s->twin.sl = 9;
	s->twin.traffic_class = 0xa6;
	s->twin.flow_label = cpu_to_be32(0xb4c3d);
	s->twin.rate = IB_RATE_14_GBPS;
	s->twin.packet_life_time = 17;
	if (rig->layer == IB_LINK_LAYER_INFINIBAND) {
		KUNIT_ASSERT_EQ(rig->test, rdma_query_gid(rig->dev, 2, 0, &s->twin.sgid), 0);
		msg_pattern(s->twin.dgid.raw, sizeof(s->twin.dgid), 60);
		s->twin.ib.slid = cpu_to_be16(0x2c4e);
		s->twin.ib.dlid = cpu_to_be16(0x3a51);
		s->req.alternate_path = &s->twin;
	}

	s->req.qp_type = IB_QPT_RC;
	s->req.qp_num = 0x31f2c5;
	s->req.starting_psn = 0x76b819;
	s->req.responder_resources = 0x2b;
	s->req.initiator_depth = 0x95;
	s->req.remote_cm_response_timeout = 20;
	s->req.local_cm_response_timeout = 19;
	s->req.retry_count = 5;
	s->req.rnr_retry_count = 6;
	s->req.max_cm_retries = 9;

	s->rep.qp_num = 0x52e4a7;
	s->rep.starting_psn = 0xc1938d;
	s->rep.responder_resources = 0x3d;
	s->rep.initiator_depth = 0xa9;
	s->rep.rnr_retry_count = 5;

	s->sidr_req.timeout_ms = 4000;
	s->sidr_req.max_cm_retries = 3;
	s->sidr_rep.qp_num = 0x81f36d;
	s->sidr_rep.qkey = 0x9c27e45b;
}

/* Make the call and compare. What is left of it is taken down by the caller. */
static bool sent_check(struct sent *s, const struct sender *sender, const char *what)
{
	struct kunit *test = s->rig->test;

	sender->prepare(s);
	KUNIT_ASSERT_EQ_MSG(test, sender->call(s), 0, "%s", what);
	KUNIT_ASSERT_TRUE_MSG(test, rig_peer_recv(s->rig, sender->attr, s->got, RIG_WAIT_MS), "%s",
			      what);
	sender->want(s);
	return msg_same(test, s->got, s->want, what);
}

/* Rates, MTUs and statuses are numbers of a list */
static const u64 mtus[] = { IB_MTU_256, IB_MTU_512, IB_MTU_1024, IB_MTU_2048, IB_MTU_4096 };
static const u64 rates[] = {
	IB_RATE_2_5_GBPS, IB_RATE_10_GBPS, IB_RATE_30_GBPS,  IB_RATE_5_GBPS,
	IB_RATE_20_GBPS,  IB_RATE_40_GBPS, IB_RATE_60_GBPS,  IB_RATE_80_GBPS,
	IB_RATE_120_GBPS, IB_RATE_14_GBPS, IB_RATE_100_GBPS, IB_RATE_800_GBPS,
};
static const u64 statuses[] = {
	IB_SIDR_SUCCESS, IB_SIDR_UNSUPPORTED, IB_SIDR_REJECT, IB_SIDR_NO_QP, IB_SIDR_REDIRECT,
	IB_SIDR_UNSUPPORTED_VERSION,
};

/**
 * struct knob - a parameter that is to reach a field
 * @what: the sentence
 * @attr: of the message
 * @layers: where it is tried
 * @at: offset in struct sent
 * @size: bytes there
 * @be: big endian there
 * @bits: walked: 0, all ones, each bit alone
 * @values: instead of a walk
 * @count: of @values
 * @no_zero: 0 stands for something else
 * @clamped: of a value beyond: the field that must hold its own largest then
 */
struct knob {
	const char *what;
	u16 attr;
	u8 layers;
	u16 at;
	u8 size;
	bool be;
	u8 bits;
	const u64 *values;
	u8 count;
	bool no_zero;
	const char *clamped;
};

#define KNOB(_attr, _layers, _member, _bits, _what, ...) \
	{ .what = #_attr ": " _what, .attr = ATTR_##_attr, .layers = MSG_##_layers, .bits = _bits, \
	  .at = offsetof(struct sent, _member), .size = sizeof_field(struct sent, _member), \
	  ##__VA_ARGS__ }
#define KNOB_LIST(_attr, _layers, _member, _values, _what) \
	KNOB(_attr, _layers, _member, 0, _what, .values = _values, .count = ARRAY_SIZE(_values))

static const struct knob knobs[] = {
	KNOB(REQ, BOTH, service_id, 64, "the service id is the call's", .be = true),
	KNOB(REQ, BOTH, req.qp_num, 24, "the local QPN is the call's"),
	KNOB(REQ, BOTH, req.starting_psn, 24, "the starting PSN is the call's"),
	KNOB(REQ, IB, req.responder_resources, 8,
	     "the responder resources are the call's, not the initiator depth"),
	KNOB(REQ, IB, req.initiator_depth, 8,
	     "the initiator depth is the call's, not the responder resources"),
	KNOB(REQ, IB, req.remote_cm_response_timeout, 5,
	     "the peer's CM response time-out is the call's"),
	KNOB(REQ, IB, req.local_cm_response_timeout, 5, "our CM response time-out is the call's"),
	KNOB(REQ, IB, req.flow_control, 1, "end-to-end flow control is the call's"),
	KNOB(REQ, IB, req.retry_count, 3, "the retry count is the call's"),
	KNOB(REQ, IB, req.rnr_retry_count, 3, "the RNR retry count is the call's"),
	KNOB(REQ, IB, req.max_cm_retries, 4, "the maximum of CM retries is the call's"),
	KNOB(REQ, IB, req.srq, 1, "the SRQ bit is the call's"),
	KNOB(REQ, IB, req.ece.vendor_id, 24, "the vendor id is the call's"),
	KNOB(REQ, BOTH, req.ece.attr_mod, 32,
	     "the attribute modifier carries the connection options"),
	KNOB(REQ, IB, path.pkey, 15, "the P_Key is the primary path's", .be = true),
	KNOB_LIST(REQ, BOTH, path.mtu, mtus, "the MTU is the primary path's"),
	KNOB(REQ, IB, path.dgid.global.subnet_prefix, 64,
	     "the primary remote GID is the path's, upper half", .be = true),
	KNOB(REQ, IB, path.dgid.global.interface_id, 64,
	     "the primary remote GID is the path's, lower half", .be = true),
	KNOB(REQ, BOTH, path.flow_label, 20, "the primary flow label is the path's", .be = true),
	KNOB_LIST(REQ, BOTH, path.rate, rates, "the primary packet rate is the path's"),
	KNOB(REQ, BOTH, path.traffic_class, 8, "the primary traffic class is the path's"),
	KNOB(REQ, BOTH, path.hop_limit, 8,
	     "the primary hop limit is the path's; over 1 it leaves the subnet",
	     .no_zero = true),
	KNOB(REQ, IB, path.sl, 4, "the primary SL is the path's"),
	KNOB(REQ, IB, twin.ib.slid, 16, "the alternate local LID is the path's", .be = true),
	KNOB(REQ, IB, twin.ib.dlid, 14,
	     "the alternate remote LID is the path's", .be = true, .no_zero = true),
	KNOB(REQ, IB, twin.dgid.global.subnet_prefix, 64,
	     "the alternate remote GID is the path's, upper half",
	     .be = true),
	KNOB(REQ, IB, twin.dgid.global.interface_id, 64,
	     "the alternate remote GID is the path's, lower half",
	     .be = true),
	KNOB(REQ, IB, twin.flow_label, 20, "the alternate flow label is the path's", .be = true),
	KNOB_LIST(REQ, IB, twin.rate, rates, "the alternate packet rate is the path's"),
	KNOB(REQ, IB, twin.traffic_class, 8, "the alternate traffic class is the path's"),
	KNOB(REQ, IB, twin.hop_limit, 8,
	     "the alternate hop limit is the path's; over 1 it leaves the subnet"),
	KNOB(REQ, IB, twin.sl, 4, "the alternate SL is the path's"),

	KNOB(REP, BOTH, rep.qp_num, 24, "the local QPN is the call's"),
	KNOB(REP, IB, rep.starting_psn, 24, "the starting PSN is the call's"),
	KNOB(REP, IB, rep.responder_resources, 8,
	     "the responder resources are the call's, not the initiator depth"),
	KNOB(REP, IB, rep.initiator_depth, 8,
	     "the initiator depth is the call's, not the responder resources"),
	KNOB(REP, IB, rep.failover_accepted, 2, "what became of the alternate path is the call's"),
	KNOB(REP, IB, rep.flow_control, 1, "end-to-end flow control is the call's"),
	KNOB(REP, IB, rep.rnr_retry_count, 3, "the RNR retry count is the call's"),
	KNOB(REP, IB, rep.srq, 1, "the SRQ bit is the call's"),
	KNOB(REP, IB, rep.ece.vendor_id, 24, "the vendor id is the call's, in three pieces"),
	KNOB(REP, BOTH, rep.ece.attr_mod, 32,
	     "the attribute modifier carries the connection options"),
	KNOB(REP, IB, peer_comm_id, 32, "the remote comm id is the REQ's", .no_zero = true),
	KNOB(REP, IB, peer_tid, 64, "the TID is the REQ's", .no_zero = true),

	KNOB(RTU, BOTH, peer_comm_id, 32, "the remote comm id is the REP's", .no_zero = true),

	KNOB(REJ, BOTH, reason, 16, "the reason is the call's"),
	KNOB(REJ, IB, peer_comm_id, 32, "the remote comm id is the REQ's", .no_zero = true),
	KNOB(REJ, IB, peer_tid, 64, "the TID is the REQ's", .no_zero = true),

	KNOB(DREQ, BOTH, peer_qpn, 24, "the remote QPN is the peer's", .no_zero = true),
	KNOB(DREQ, IB, peer_comm_id, 32, "the remote comm id is the peer's", .no_zero = true),

	KNOB(DREP, BOTH, peer_tid, 64, "the TID is the DREQ's", .no_zero = true),
	KNOB(DREP, IB, peer_comm_id, 32, "the remote comm id is the peer's", .no_zero = true),

	KNOB(SIDR_REQ, BOTH, service_id, 64, "the service id is the call's", .be = true),
	KNOB(SIDR_REQ, IB, path.pkey, 15, "the P_Key is the path's", .be = true),

	KNOB(SIDR_REP, BOTH, sidr_rep.qp_num, 24, "the QPN is the call's"),
	KNOB(SIDR_REP, IB, sidr_rep.qkey, 32, "the Q_Key is the call's"),
	KNOB_LIST(SIDR_REP, IB, sidr_rep.status, statuses, "the status is the call's"),
	KNOB(SIDR_REP, IB, sidr_rep.ece.vendor_id, 24,
	     "the vendor id is the call's, in two pieces"),
	KNOB(SIDR_REP, IB, sidr_rep.ece.attr_mod, 32,
	     "the attribute modifier carries the connection options"),
	KNOB(SIDR_REP, BOTH, peer_comm_id, 32, "the request id is the SIDR_REQ's", .no_zero = true),
	KNOB(SIDR_REP, IB, peer_tid, 64, "the TID is the SIDR_REQ's", .no_zero = true),
	KNOB(SIDR_REP, IB, service_id, 64,
	     "the service id is the SIDR_REQ's", .be = true, .no_zero = true),
};

static void knob_turn(struct sent *s, const struct knob *knob, u64 value)
{
	void *at = (void *)s + knob->at;

	switch (knob->size) {
	case 1:
		*(u8 *)at = value;
		break;
	case 2:
		if (knob->be)
			*(__be16 *)at = cpu_to_be16(value);
		else
			*(u16 *)at = value;
		break;
	case 4:
		if (knob->be)
			*(__be32 *)at = cpu_to_be32(value);
		else
			*(u32 *)at = value;
		break;
	default:
		if (knob->be)
			*(__be64 *)at = cpu_to_be64(value);
		else
			*(u64 *)at = value;
	}
}

static bool knob_value(const struct knob *knob, unsigned int n, u64 *value)
{
	if (!knob->values)
		return msg_walk(n, knob->bits, value);
	if (n < knob->count)
		*value = knob->values[n];
	return n < knob->count;
}

static struct sent *sent_alloc(struct kunit *test)
{
	struct sent *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, s);
	return s;
}

MSG_CASE(send_parameter)
{
	const struct msg_param *param = test->param_value;
	const struct knob *knob = param->row;
	const struct sender *sender = sender_of(test, knob->attr);
	struct rig *rig = msg_rig(test, param->layer);
	struct sent *s = sent_alloc(test);
	bool pkey = knob->at == offsetof(struct sent, path.pkey);
	unsigned int n;
	char what[140];
	u64 value;

	for (n = 0; knob_value(knob, n, &value); n++) {
		/* Only full members are in the table. */
		if (pkey)
			value |= 0x8000;
		if ((knob->no_zero && !value) || (pkey && value == 0x8000))
			continue;
		/* To a listener this one means: any. */
		if (knob->attr == ATTR_SIDR_REP && value == be64_to_cpu(IB_CM_ASSIGN_SERVICE_ID))
			continue;
		sent_defaults(s, rig);
		knob_turn(s, knob, value);
		s->twin.pkey = s->path.pkey;
		s->twin.mtu = s->path.mtu;
		snprintf(what, sizeof(what), "%s, value %#llx", knob->what, value);
		if (!sent_check(s, sender, what))
			break;
		rig_clear(rig);
	}
}
MSG_GEN_LAYERS(send_parameter, knobs);

/*
 * More than a field can hold: refused or cut, times and counts refused or the most
 * that the field can hold (field fault 27); never a bit of it anywhere else.
 */
#define OVER(_attr, _member, _bits, _what, ...) \
	KNOB(_attr, IB, _member, _bits, _what, ##__VA_ARGS__)

static const struct knob overs[] = {
	OVER(REQ, req.qp_num, 32, "a QPN of more than 24 bits does not spill"),
	OVER(REQ, req.starting_psn, 32, "a PSN of more than 24 bits does not spill"),
	OVER(REQ, req.remote_cm_response_timeout, 8,
	     "a CM response time-out over 31 does not spill (remote)",
	     .clamped = "remote_cm_response_timeout"),
	OVER(REQ, req.local_cm_response_timeout, 8,
	     "a CM response time-out over 31 does not spill (local)",
	     .clamped = "local_cm_response_timeout"),
	OVER(REQ, req.flow_control, 8, "flow control over 1 does not spill"),
	OVER(REQ, req.retry_count, 8, "a retry count over 7 does not spill",
	     .clamped = "retry_count"),
	OVER(REQ, req.rnr_retry_count, 8, "an RNR retry count over 7 does not spill",
	     .clamped = "rnr_retry_count"),
	OVER(REQ, req.max_cm_retries, 8, "CM retries over 15 do not spill",
	     .clamped = "max_cm_retries"),
	OVER(REQ, req.srq, 8, "SRQ over 1 does not spill"),
	OVER(REQ, req.ece.vendor_id, 32, "a vendor id of more than 24 bits does not spill"),
	OVER(REQ, path.flow_label, 32,
	     "a flow label of more than 20 bits does not spill", .be = true),
	OVER(REQ, path.rate, 8, "a packet rate over 63 does not spill"),
	OVER(REQ, path.sl, 8, "an SL over 15 does not spill"),
	OVER(REQ, twin.flow_label, 32,
	     "an alternate flow label of more than 20 bits does not spill", .be = true),
	OVER(REQ, twin.rate, 8, "an alternate packet rate over 63 does not spill"),
	OVER(REQ, twin.sl, 8, "an alternate SL over 15 does not spill"),
	OVER(REP, rep.qp_num, 32, "a QPN of more than 24 bits does not spill"),
	OVER(REP, rep.starting_psn, 32, "a PSN of more than 24 bits does not spill"),
	OVER(REP, rep.failover_accepted, 8, "failover over 3 does not spill"),
	OVER(REP, rep.flow_control, 8, "flow control over 1 does not spill"),
	OVER(REP, rep.rnr_retry_count, 8, "an RNR retry count over 7 does not spill",
	     .clamped = "rnr_retry_count"),
	OVER(REP, rep.srq, 8, "SRQ over 1 does not spill"),
	OVER(REP, rep.ece.vendor_id, 32, "a vendor id of more than 24 bits does not spill"),
	OVER(REJ, reason, 32, "a reason of more than 16 bits does not spill"),
	OVER(SIDR_REP, sidr_rep.qp_num, 32, "a QPN of more than 24 bits does not spill"),
	OVER(SIDR_REP, sidr_rep.status, 32, "a status of more than 8 bits does not spill"),
	OVER(SIDR_REP, sidr_rep.ece.vendor_id, 32,
	     "a vendor id of more than 24 bits does not spill"),
};

/* Fields in which two messages differ; a vendor id in pieces is one. */
static unsigned int differences(struct kunit *test, const u8 *got, const u8 *base)
{
	unsigned int count = 0;
	const struct field *field;
	bool vendor = false;

	for (field = fields; field->name; field++) {
		if (field->attr && field->attr != mad_attr(base))
			continue;
		if (field->width > 64) {
			count += memcmp(got + field_start(field) / 8, base + field_start(field) / 8,
					field->width / 8) != 0;
			continue;
		}
		if (field_read(field, got) == field_read(field, base))
			continue;
		KUNIT_EXPECT_FALSE_MSG(test, field_reserved(field), "%s", field->name);
		if (!strncmp(field->name, "vendor_id", 9) && vendor)
			continue;
		vendor |= !strncmp(field->name, "vendor_id", 9);
		count++;
	}
	return count;
}

static void over_once(struct sent *s, const struct sender *sender, const struct knob *knob,
		      u64 value)
{
	struct kunit *test = s->rig->test;
	int err;

	sender->prepare(s);
	err = sender->call(s);
	if (err) {
		KUNIT_EXPECT_EQ_MSG(test, err, -EINVAL, "%s, value %#llx", knob->what, value);
		rig_settle(s->rig);
		KUNIT_EXPECT_FALSE_MSG(test, rig_peer_recv(s->rig, sender->attr, NULL, 0),
				       "refused, and sent all the same: value %#llx", value);
		return;
	}
	KUNIT_ASSERT_TRUE(test, rig_peer_recv(s->rig, sender->attr, s->got, RIG_WAIT_MS));
	sender->want(s);
	if (knob->clamped)
		mad_set(s->want, knob->clamped,
			min(value, GENMASK_ULL(field_find(knob->attr, knob->clamped)->width - 1, 0)));
	/* The parameter's own field may differ, no other. */
	KUNIT_EXPECT_LE_MSG(test, differences(test, s->got, s->want), knob->clamped ? 0 : 1,
			    "%s, value %#llx", knob->what, value);
}

MSG_CASE(send_beyond)
{
	const struct knob *knob = test->param_value;
	const struct sender *sender = sender_of(test, knob->attr);
	struct rig *rig = msg_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct sent *s = sent_alloc(test);
	unsigned int n;
	u64 value;

	for (n = 1; msg_walk(n, knob->bits, &value); n++) {
		sent_defaults(s, rig);
		knob_turn(s, knob, value);
		over_once(s, sender, knob, value);
		rig_clear(rig);
	}
}
MSG_GEN(send_beyond, overs);

/* Lengths */

static const struct length_case {
	const char *what;
	u16 attr;
	u8 max;
} lengths[] = {
	{ "REQ: up to 92 bytes of private data, the rest zero", ATTR_REQ, 92 },
	{ "REP: up to 196 bytes of private data, the rest zero", ATTR_REP, 196 },
	{ "RTU: up to 224 bytes of private data, the rest zero", ATTR_RTU, 224 },
	{ "REJ: up to 148 bytes of private data, the rest zero", ATTR_REJ, 148 },
	{ "DREQ: up to 220 bytes of private data, the rest zero", ATTR_DREQ, 220 },
	{ "DREP: up to 224 bytes of private data, the rest zero", ATTR_DREP, 224 },
	{ "SIDR_REQ: up to 216 bytes of private data, the rest zero", ATTR_SIDR_REQ, 216 },
	{ "SIDR_REP: up to 136 bytes of private data, the rest zero", ATTR_SIDR_REP, 136 },
};

/* A call that must be refused leaves the id as it was: the same call within bounds succeeds. */
static void sent_refused(struct sent *s, const struct sender *sender, u8 *len, unsigned int max,
			 unsigned int too_long)
{
	struct kunit *test = s->rig->test;
	u8 was = *len;

	sender->prepare(s);
	*len = too_long;
	KUNIT_EXPECT_EQ_MSG(test, sender->call(s), -EINVAL, "%s with %u bytes",
			    mad_name(sender->attr), too_long);
	rig_settle(s->rig);
	KUNIT_EXPECT_FALSE(test, rig_peer_recv(s->rig, sender->attr, NULL, 0));
	*len = max;
	KUNIT_ASSERT_EQ(test, sender->call(s), 0);
	KUNIT_ASSERT_TRUE(test, rig_peer_recv(s->rig, sender->attr, s->got, RIG_WAIT_MS));
	sender->want(s);
	msg_same(test, s->got, s->want, "after a refusal");
	*len = was;
	rig_clear(s->rig);
}

static void sent_lengths(struct kunit *test, u16 attr, size_t len_at, unsigned int max)
{
	/* The longest first: what a buffer held before must not show. */
	const u8 lens[] = { max, 0, max, 1, max, max - 1, 2, max / 2, 0 };
	const struct sender *sender = sender_of(test, attr);
	struct rig *rig = msg_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct sent *s = sent_alloc(test);
	u8 *len = (u8 *)s + len_at;
	char what[80];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		sent_defaults(s, rig);
		*len = lens[i];
		snprintf(what, sizeof(what), "%s with %u bytes", mad_name(attr), lens[i]);
		sent_check(s, sender, what);
		rig_clear(rig);
	}
	for (i = 0; i < 2; i++) {
		sent_defaults(s, rig);
		s->no_data = true;
		*len = i ? max : 1;
		snprintf(what, sizeof(what), "%s with NULL and a length of %u", mad_name(attr),
			 *len);
		sent_check(s, sender, what);
		rig_clear(rig);
	}
	sent_defaults(s, rig);
	sent_refused(s, sender, len, max, max + 1);
	sent_defaults(s, rig);
	sent_refused(s, sender, len, max, 255);
}

MSG_CASE(send_length)
{
	const struct length_case *c = test->param_value;

	sent_lengths(test, c->attr, offsetof(struct sent, len), c->max);
}
MSG_GEN(send_length, lengths);

static const struct length_case info_lengths[] = {
	{ "REJ: up to 72 bytes of additional information, and their length", ATTR_REJ, 72 },
	{ "SIDR_REP: up to 72 bytes of additional information, and their length",
	  ATTR_SIDR_REP, 72 },
};

MSG_CASE(send_info_length)
{
	const struct length_case *c = test->param_value;

	sent_lengths(test, c->attr, offsetof(struct sent, info_len), c->max);
}
MSG_GEN(send_info_length, info_lengths);

/* Local ACK time-outs */

static const struct ack_case {
	const char *what;
	bool alternate;
} acks[] = {
	{ "REQ: every packet life time of the primary path makes a local ACK time-out", false },
	{ "REQ: every packet life time of the alternate path makes a local ACK time-out", true },
};

MSG_CASE(send_ack_timeout)
{
	const struct ack_case *c = test->param_value;
	struct rig *rig = msg_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct sent *s = sent_alloc(test);
	unsigned int life;
	char what[40];

	for (life = 0; life < 64; life++) {
		sent_defaults(s, rig);
		*(c->alternate ? &s->twin.packet_life_time : &s->path.packet_life_time) = life;
		snprintf(what, sizeof(what), "packet life time %u", life);
		sent_check(s, sender_of(test, ATTR_REQ), what);
		rig_clear(rig);
	}
}
MSG_GEN(send_ack_timeout, acks);

/* What decides about more than one field */

MSG_CASE(send_req_transport)
{
	static const enum ib_qp_type types[] = { IB_QPT_RC, IB_QPT_UC, IB_QPT_XRC_INI };
	static const enum ib_qp_type wrong[] = { IB_QPT_UD, IB_QPT_XRC_TGT, IB_QPT_RAW_PACKET,
						 IB_QPT_SMI };
	struct rig *rig = msg_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct sent *s = sent_alloc(test);
	char what[40];
	int i;

	for (i = 0; i < ARRAY_SIZE(types); i++) {
		sent_defaults(s, rig);
		s->req.qp_type = types[i];
		s->req.srq = 1;
		s->req.flow_control = 1;
		snprintf(what, sizeof(what), "QP type %d", types[i]);
		sent_check(s, sender_of(test, ATTR_REQ), what);
		rig_clear(rig);
	}
	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		sent_defaults(s, rig);
		prepare_idle(s);
		s->req.qp_type = wrong[i];
		KUNIT_EXPECT_EQ_MSG(test, call_req(s), -EINVAL, "QP type %d", wrong[i]);
	}
}

MSG_CASE(send_req_no_alternate)
{
	struct rig *rig = msg_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct sent *s = sent_alloc(test);

	sent_defaults(s, rig);
	s->req.alternate_path = NULL;
	sent_check(s, sender_of(test, ATTR_REQ), "no alternate path: all of it is zero");
	rig_clear(rig);

	/* 12.7.11 to 12.7.21: one MTU and one P_Key for both paths */
	sent_defaults(s, rig);
	prepare_idle(s);
	s->twin.mtu = IB_MTU_4096;
	KUNIT_EXPECT_EQ(test, call_req(s), -EINVAL);
	s->twin.mtu = s->path.mtu;
	s->twin.pkey = cpu_to_be16(0x8001);
	KUNIT_EXPECT_EQ(test, call_req(s), -EINVAL);
}

MSG_CASE(send_req_routed)
{
	struct rig *rig = msg_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct sent *s = sent_alloc(test);

	sent_defaults(s, rig);
	s->path.hop_limit = 64;
	s->inbound = s->path;
	s->inbound.ib.dlid = cpu_to_be16(0x4d2e);
	s->req.primary_path_inbound = &s->inbound;
	sent_check(s, sender_of(test, ATTR_REQ), "a routed path with a known way back");
	rig_clear(rig);

	sent_defaults(s, rig);
	s->path.hop_limit = 64;
	s->twin.hop_limit = 64;
	sent_check(s, sender_of(test, ATTR_REQ), "routed paths: the LIDs are permissive");
}

MSG_CASE(send_rep_xrc)
{
	struct rig *rig = msg_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct sent *s = sent_alloc(test);
	unsigned int n;
	char what[40];
	u64 value;

	rig->qp_type = IB_QPT_XRC_TGT;
	for (n = 1; msg_walk(n, 24, &value); n++) {
		sent_defaults(s, rig);
		s->rep.qp_num = value;
		s->rep.flow_control = 1;
		s->rep.srq = 0;
		snprintf(what, sizeof(what), "XRC target %#llx", value);
		sent_check(s, sender_of(test, ATTR_REP), what);
		rig_clear(rig);
	}
}

/* REJ and MRA name the message they are about: 0 REQ, 1 REP, 2 another (12.6.6, 12.6.7) */

static const struct about_case {
	const char *what;
	unsigned int state;
	bool active;
	u8 about;
	enum cm_attr repeat;	/* what the peer says again */
} rejs[] = {
	{ "REJ: in REQ_RCVD of the REQ", CM_ID_REQ_RCVD, false, 0 },
	{ "REJ: in MRA_REQ_SENT of the REQ", CM_ID_MRA_REQ_SENT, false, 0 },
	{ "REJ: in REP_RCVD of the REP", CM_ID_REP_RCVD, true, 1 },
	{ "REJ: in MRA_REP_SENT of the REP", CM_ID_MRA_REP_SENT, true, 1 },
	{ "REJ: in REP_SENT of no message", CM_ID_REP_SENT, false, 2 },
	{ "REJ: in MRA_REP_RCVD of no message", CM_ID_MRA_REP_RCVD, false, 2 },
	{ "REJ: in REQ_SENT of no message", CM_ID_REQ_SENT, true, 2 },
	{ "REJ: in MRA_REQ_RCVD of no message", CM_ID_MRA_REQ_RCVD, true, 2 },
};

MSG_CASE(send_rej)
{
	const struct about_case *c = test->param_value;
	struct rig *rig = msg_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct sent *s = sent_alloc(test);

	sent_defaults(s, rig);
	s->info_len = 8;
	s->len = 9;
	s->reason = 0x7ab1;
	s->id = rig_bring(rig, c->state, c->active);
	KUNIT_ASSERT_NOT_NULL(test, s->id);
	KUNIT_ASSERT_EQ(test, call_rej(s), 0);
	KUNIT_ASSERT_TRUE(test, rig_peer_recv(rig, ATTR_REJ, s->got, RIG_WAIT_MS));
	want_rej(s);
	mad_set(s->want, "message_rejected", c->about);
	/* Only of a REQ may our comm id be left out; only of a REQ can the peer's be unknown. */
	if (c->about)
		mad_set(s->want, "local_comm_id", s->id->local_id);
	if (c->state == CM_ID_REQ_SENT)
		mad_set(s->want, "remote_comm_id", 0);
	msg_same(test, s->got, s->want, c->what);
}
MSG_GEN(send_rej, rejs);

static const struct about_case mras[] = {
	{ "MRA: of a repeated REQ, our own accord", CM_ID_REQ_RCVD, false, 0, ATTR_REQ },
	{ "MRA: of a repeated REQ, prepared", CM_ID_MRA_REQ_SENT, false, 0, ATTR_REQ },
	{ "MRA: of a repeated REP, prepared", CM_ID_MRA_REP_SENT, true, 1, ATTR_REP },
	{ "MRA: of a repeated LAP, prepared", CM_ID_EST_MRA_LAP_SENT, true, 2, ATTR_LAP },
	{ "MRA: of a repeated LAP, prepared, passive side",
	  CM_ID_EST_MRA_LAP_SENT, false, 2, ATTR_LAP },
};

MSG_CASE(send_mra)
{
	const struct about_case *c = test->param_value;
	struct rig *rig = msg_rig(test, IB_LINK_LAYER_INFINIBAND);
	u8 got[MAD_BYTES], want[MAD_BYTES], mad[MAD_BYTES];
	struct rig_id *id = rig_bring(rig, c->state, c->active);
	u64 time, tid = rig->tid;

	KUNIT_ASSERT_NOT_NULL(test, id);
	rig_make(id, c->repeat, mad);
	if (c->repeat == ATTR_LAP)
		mad_set(mad, F_MAD_TID, tid);
	rig_peer_send(rig, mad);
	KUNIT_ASSERT_TRUE(test, rig_peer_recv(rig, ATTR_MRA, got, RIG_WAIT_MS));
	msg_init(want, ATTR_MRA, mad_get(mad, F_MAD_TID), id->local_id, id->peer_id);
	mad_set(want, "message_mraed", c->about);
	/* At least as long as the peer waits, which is 2^20. */
	time = mad_get(got, "service_timeout");
	KUNIT_EXPECT_GE(test, time, 20);
	if (c->state == CM_ID_REQ_RCVD)
		KUNIT_EXPECT_LE(test, time, 21);
	mad_set(want, "service_timeout", time);
	msg_same(test, got, want, c->what);
}
MSG_GEN(send_mra, mras);

/* Of our own accord, we ask for as long as the peer says that it waits; for no more than 2^21 (8.6 s). */
MSG_CASE(send_mra_as_long_as_the_peer_waits)
{
	struct rig *rig = msg_rig(test, IB_LINK_LAYER_INFINIBAND);
	static const u8 times[] = { 17, 19, 20, 21 };
	u8 usual = rig->response_time;
	u8 mad[MAD_BYTES];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(times); i++) {
		struct rig_id *id;

		rig->response_time = times[i];
		id = rig_bring(rig, CM_ID_REQ_RCVD, false);
		rig->response_time = usual;
		KUNIT_ASSERT_NOT_NULL(test, id);
		rig_make(id, ATTR_REQ, mad);
		rig_peer_send(rig, mad);
		KUNIT_ASSERT_TRUE(test, rig_peer_recv(rig, ATTR_MRA, mad, RIG_WAIT_MS));
		KUNIT_EXPECT_GE(test, mad_get(mad, "service_timeout"), times[i]);
		KUNIT_EXPECT_LE(test, mad_get(mad, "service_timeout"), 21);
	}
}

/* Messages that no call asks for */

static void unasked_no_service(struct kunit *test, struct rig *rig, u8 *want)
{
	u8 mad[MAD_BYTES];

	rig_make_req(rig, 0x7766554433221100ULL, mad);
	rig_peer_send(rig, mad);
	msg_init(want, ATTR_REJ, mad_get(mad, F_MAD_TID), 0, mad_get(mad, "local_comm_id"));
	mad_set(want, "reason", IB_CM_REJ_INVALID_SERVICE_ID);
}

static void unasked_no_sidr(struct kunit *test, struct rig *rig, u8 *want)
{
	u8 mad[MAD_BYTES];

	rig_make_sidr_req(rig, 0x7766554433221100ULL, mad);
	rig_peer_send(rig, mad);
	mad_init(want, ATTR_SIDR_REP, mad_get(mad, F_MAD_TID));
	mad_set(want, "request_id", mad_get(mad, "request_id"));
	mad_set(want, "status", IB_SIDR_UNSUPPORTED);
	mad_set(want, "service_id", 0x7766554433221100ULL);
}

static void unasked_unknown_rep(struct kunit *test, struct rig *rig, u8 *want)
{
	u8 mad[MAD_BYTES];

	msg_init(mad, ATTR_REP, 0x123456789abcdefULL, 0x31323334, 0x41424344);
	mad_set(mad, "local_qpn", 0x51);
	rig_peer_send(rig, mad);
	msg_init(want, ATTR_REJ, 0x123456789abcdefULL, 0x41424344, 0x31323334);
	mad_set(want, "message_rejected", 1);
	mad_set(want, "reason", IB_CM_REJ_INVALID_COMM_ID);
}

static void unasked_unknown_dreq(struct kunit *test, struct rig *rig, u8 *want)
{
	u8 mad[MAD_BYTES];

	msg_init(mad, ATTR_DREQ, 0x1f2e3d4c5b6a798ULL, 0x31323334, 0x41424344);
	mad_set(mad, "remote_qpn_eecn", 0x51);
	msg_pattern(mad_bytes_w(mad, "private_data"), 220, 1);
	rig_peer_send(rig, mad);
	msg_init(want, ATTR_DREP, 0x1f2e3d4c5b6a798ULL, 0x41424344, 0x31323334);
}

static void unasked_timeout(struct kunit *test, struct rig *rig, u8 *want)
{
	struct rig_id *id = rig_bring(rig, CM_ID_REQ_SENT, true);

	KUNIT_ASSERT_NOT_NULL(test, id);
	rig_id_destroy(id);
	msg_init(want, ATTR_REJ, id->tid, id->local_id, 0);
	mad_set(want, "message_rejected", 2);
	mad_set(want, "rejected_info_length", 8);
	mad_set(want, "reason", IB_CM_REJ_TIMEOUT);
	memcpy(mad_bytes_w(want, "ari"), &rig->dev->node_guid, 8);
}

static void unasked_timeout_mra(struct kunit *test, struct rig *rig, u8 *want)
{
	struct rig_id *id = rig_bring(rig, CM_ID_MRA_REQ_RCVD, true);

	KUNIT_ASSERT_NOT_NULL(test, id);
	rig_id_destroy(id);
	msg_init(want, ATTR_REJ, id->tid, id->local_id, id->peer_id);
	mad_set(want, "message_rejected", 2);
	mad_set(want, "rejected_info_length", 8);
	mad_set(want, "reason", IB_CM_REJ_TIMEOUT);
	memcpy(mad_bytes_w(want, "ari"), &rig->dev->node_guid, 8);
}

static void unasked_rej_req(struct kunit *test, struct rig *rig, u8 *want)
{
	struct rig_id *id = rig_bring(rig, CM_ID_REQ_RCVD, false);

	KUNIT_ASSERT_NOT_NULL(test, id);
	rig_id_destroy(id);
	msg_init(want, ATTR_REJ, id->tid, 0, id->peer_id);
	mad_set(want, "reason", IB_CM_REJ_CONSUMER_DEFINED);
}

static void unasked_rej_rep(struct kunit *test, struct rig *rig, u8 *want)
{
	struct rig_id *id = rig_bring(rig, CM_ID_REP_RCVD, true);

	KUNIT_ASSERT_NOT_NULL(test, id);
	rig_id_destroy(id);
	msg_init(want, ATTR_REJ, id->tid, id->local_id, id->peer_id);
	mad_set(want, "message_rejected", 1);
	mad_set(want, "reason", IB_CM_REJ_CONSUMER_DEFINED);
}

static void unasked_dreq(struct kunit *test, struct rig *rig, u8 *want)
{
	struct rig_id *id = rig_bring(rig, CM_ID_ESTABLISHED, false);

	KUNIT_ASSERT_NOT_NULL(test, id);
	rig_id_destroy(id);
	msg_init(want, ATTR_DREQ, 0, id->local_id, id->peer_id);
	mad_set(want, "remote_qpn_eecn", id->peer_qpn);
}

static void unasked_drep(struct kunit *test, struct rig *rig, u8 *want)
{
	struct rig_id *id = rig_bring(rig, CM_ID_ESTABLISHED, false);
	u8 mad[MAD_BYTES];

	KUNIT_ASSERT_NOT_NULL(test, id);
	rig_make(id, ATTR_DREQ, mad);
	rig_peer_send(rig, mad);
	KUNIT_ASSERT_NOT_NULL(test, rig_event(id, RIG_WAIT_MS));
	rig_id_destroy(id);
	msg_init(want, ATTR_DREP, mad_get(mad, F_MAD_TID), id->local_id, id->peer_id);
}

static void unasked_sidr_reject(struct kunit *test, struct rig *rig, u8 *want)
{
	struct rig_id *id = rig_bring(rig, CM_ID_SIDR_REQ_RCVD, false);

	KUNIT_ASSERT_NOT_NULL(test, id);
	rig_id_destroy(id);
	mad_init(want, ATTR_SIDR_REP, id->tid);
	mad_set(want, "request_id", id->peer_id);
	mad_set(want, "status", IB_SIDR_REJECT);
	mad_set(want, "service_id", id->service_id);
}

static void unasked_rtu(struct kunit *test, struct rig *rig, u8 *want)
{
	struct rig_id *id = rig_bring(rig, CM_ID_REP_RCVD, true);
	u8 mad[MAD_BYTES], data[224];

	KUNIT_ASSERT_NOT_NULL(test, id);
	msg_pattern(data, sizeof(data), 77);
	KUNIT_ASSERT_EQ(test, ib_send_cm_rtu(id->cm, data, sizeof(data)), 0);
	KUNIT_ASSERT_TRUE(test, rig_peer_recv(rig, ATTR_RTU, NULL, RIG_WAIT_MS));
	rig_make(id, ATTR_REP, mad);
	rig_peer_send(rig, mad);
	msg_init(want, ATTR_RTU, id->tid, id->local_id, id->peer_id);
	memcpy(mad_bytes_w(want, "private_data"), data, sizeof(data));
}

static void unasked_drep_again(struct kunit *test, struct rig *rig, u8 *want)
{
	struct rig_id *id = rig_bring(rig, CM_ID_DREQ_RCVD, false);
	u8 mad[MAD_BYTES], data[224];

	KUNIT_ASSERT_NOT_NULL(test, id);
	msg_pattern(data, sizeof(data), 99);
	KUNIT_ASSERT_EQ(test, ib_send_cm_drep(id->cm, data, sizeof(data)), 0);
	KUNIT_ASSERT_TRUE(test, rig_peer_recv(rig, ATTR_DREP, NULL, RIG_WAIT_MS));
	rig_make(id, ATTR_DREQ, mad);
	rig_peer_send(rig, mad);
	msg_init(want, ATTR_DREP, mad_get(mad, F_MAD_TID), id->local_id, id->peer_id);
	memcpy(mad_bytes_w(want, "private_data"), data, sizeof(data));
}

static const struct unasked_case {
	const char *what;
	void (*cause)(struct kunit *test, struct rig *rig, u8 *want);
	u8 layers;
} unaskeds[] = {
	{ "REJ 8 of a REQ for a service that nobody has", unasked_no_service, MSG_BOTH },
	{ "REJ 6 of a REP for a comm id that nobody has", unasked_unknown_rep, MSG_BOTH },
	{ "REJ 4 with the CA GUID, an unanswered REQ is destroyed", unasked_timeout, MSG_BOTH },
	{ "REJ 4 with the peer's comm id, an MRA came before", unasked_timeout_mra, MSG_IB },
	{ "REJ 28 of a REQ, the consumer destroys it", unasked_rej_req, MSG_IB },
	{ "REJ 28 of a REP, the consumer destroys the id", unasked_rej_rep, MSG_IB },
	{ "SIDR_REP of status 1 for a service that nobody has", unasked_no_sidr, MSG_BOTH },
	{ "SIDR_REP of status 2, the consumer destroys the question", unasked_sidr_reject, MSG_IB },
	{ "DREQ, an established id is destroyed", unasked_dreq, MSG_IB },
	{ "DREP, the consumer destroys instead of answering", unasked_drep, MSG_IB },
	{ "DREP of a DREQ for a comm id that nobody has", unasked_unknown_dreq, MSG_BOTH },
	{ "DREP again with its data, for a repeated DREQ", unasked_drep_again, MSG_IB },
	{ "RTU again with its data, for a repeated REP", unasked_rtu, MSG_IB },
};

MSG_CASE(send_unasked)
{
	const struct msg_param *param = test->param_value;
	const struct unasked_case *c = param->row;
	struct rig *rig = msg_rig(test, param->layer);
	u8 got[MAD_BYTES], want[MAD_BYTES];

	c->cause(test, rig, want);
	KUNIT_ASSERT_TRUE_MSG(test, rig_peer_recv(rig, mad_attr(want), got, RIG_WAIT_MS), "%s",
			      c->what);
	/* Nobody but us has a say in a DREQ's TID. */
	if (mad_attr(want) == ATTR_DREQ)
		mad_set(want, F_MAD_TID, mad_get(got, F_MAD_TID));
	msg_same(test, got, want, c->what);
}
MSG_GEN_LAYERS(send_unasked, unaskeds);
