// SPDX-License-Identifier: GPL-2.0-only
/*
 * Paths that are out of the ordinary, and what else few messages have: OPA's
 * LIDs, an alternate path on RoCE, routes that differ by direction, an HCA that
 * does not name the network header, a P_Key that is gone, reasons in words.
 *
 * Owns: these cases. OPA: a GID may have a LID in it, under the OUI 00:06:6a.
 */
#include <rdma/ib_mad.h>

#include <trace/events/printk.h>

#include "msg.h"

#define OPA_OUI		0x00066a0000000000ULL
#define OPA_LID		0x12c001	/* more than 16 bits, as only OPA has them */

static const struct loop_config plain = { .layer = IB_LINK_LAYER_INFINIBAND };

static u8 *path_mad(struct kunit *test)
{
	u8 *mad = kunit_kzalloc(test, MAD_BYTES, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, mad);
	return mad;
}

static void opa_gid(u8 *raw, u64 prefix, u32 lid)
{
	union ib_gid gid = {
		.global.subnet_prefix = cpu_to_be64(prefix),
		.global.interface_id = cpu_to_be64(OPA_OUI | lid),
	};

	memcpy(raw, gid.raw, sizeof(gid));
}

/* LIDs of up to 16 bits stand in their fields; with a longer one they are in the GIDs, and the fields are 0. */
MSG_CASE(send_req_opa)
{
	struct rig *rig = rig_create_with(test, &plain);
	struct loop_packet peer = {};
	struct sa_path_rec path, twin;
	struct ib_cm_req_param param;
	u8 *mad = path_mad(test);
	struct rig_id *id;
	u8 gid[16];
	int i;

	loop_station_address(rig->peer, &peer);
	for (i = 0; i < 2; i++) {
		u32 slid = i ? OPA_LID : rig->here.slid;

		id = rig_id_create(rig);
		rig_attempt(id);
		rig_req_param(id, &param, &path, &twin);
		path.rec_type = SA_PATH_REC_TYPE_OPA;
		path.opa.slid = cpu_to_be32(slid);
		path.opa.dlid = cpu_to_be32(peer.slid);
		KUNIT_ASSERT_EQ(test, ib_send_cm_req(id->cm, &param), 0);
		KUNIT_ASSERT_TRUE(test, rig_peer_recv(rig, ATTR_REQ, mad, RIG_WAIT_MS));
		KUNIT_EXPECT_EQ(test, mad_get(mad, "primary_local_port_lid"), i ? 0 : slid);
		KUNIT_EXPECT_EQ(test, mad_get(mad, "primary_remote_port_lid"), i ? 0 : peer.slid);
		if (!i) {
			KUNIT_EXPECT_MEMEQ(test, mad_bytes(mad, "primary_local_port_gid"),
					   rig->here.sgid.raw, 16);
			KUNIT_EXPECT_MEMEQ(test, mad_bytes(mad, "primary_remote_port_gid"),
					   peer.sgid.raw, 16);
			continue;
		}
		opa_gid(gid, be64_to_cpu(rig->here.sgid.global.subnet_prefix), slid);
		KUNIT_EXPECT_MEMEQ(test, mad_bytes(mad, "primary_local_port_gid"), gid, 16);
		opa_gid(gid, be64_to_cpu(peer.sgid.global.subnet_prefix), peer.slid);
		KUNIT_EXPECT_MEMEQ(test, mad_bytes(mad, "primary_remote_port_gid"), gid, 16);
	}
}

/* On an OPA port, LIDs are read out of such GIDs; the consumer sees a GID that the port has. */
MSG_CASE(recv_req_opa)
{
	const struct loop_config config = { .layer = IB_LINK_LAYER_INFINIBAND, .opa = true };
	struct rig *rig = rig_create_with(test, &config);
	struct rig_id *listener = rig_listen(rig, RIG_SERVICE), *id;
	struct loop_packet *packet = kunit_kzalloc(test, sizeof(*packet), GFP_KERNEL);
	const struct rig_event *event;
	const u64 prefix = be64_to_cpu(rig->here.sgid.global.subnet_prefix);
	u8 *mad = path_mad(test);

	KUNIT_ASSERT_NOT_NULL(test, packet);
	/* Any connection there goes by OPA's kind of address handle. */
	KUNIT_EXPECT_NOT_NULL(test, rig_bring(rig, CM_ID_ESTABLISHED, true));

	rig_make_req(rig, RIG_SERVICE, mad);
	rig_peer_packet(rig, mad, packet);
	opa_gid(mad_bytes_w(packet->mad, "primary_local_port_gid"), prefix, packet->slid);
	opa_gid(mad_bytes_w(packet->mad, "primary_remote_port_gid"), prefix, rig->here.slid);
	mad_set(packet->mad, "primary_local_port_lid", 0);
	mad_set(packet->mad, "primary_remote_port_lid", 0);
	packet->grh = true;
	packet->hop_limit = 1;
	KUNIT_ASSERT_EQ(test, loop_station_send(rig->peer, packet), 0);
	id = rig_accepted(listener);
	KUNIT_ASSERT_NOT_NULL_MSG(test, id, "the REQ is not delivered");
	event = rig_event(id, RIG_WAIT_MS);
	KUNIT_ASSERT_NOT_NULL(test, event);
	KUNIT_EXPECT_EQ(test, (int)event->primary.rec_type, (int)SA_PATH_REC_TYPE_OPA);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(event->primary.opa.dlid), packet->slid);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(event->primary.opa.slid), rig->here.slid);
	KUNIT_EXPECT_MEMEQ(test, event->primary.sgid.raw, rig->here.sgid.raw, 16);
}

/* A LAP that names OPA's GIDs: none of them is the port's, so the path is not ours. */
MSG_CASE(recv_lap_opa)
{
	const struct loop_config config = { .layer = IB_LINK_LAYER_INFINIBAND, .opa = true };
	struct rig *rig = rig_create_with(test, &config);
	struct rig_id *id = rig_bring(rig, CM_ID_ESTABLISHED, true);
	long foreign = rig_counter(rig, "rx_foreign");
	u8 *mad = path_mad(test);

	KUNIT_ASSERT_NOT_NULL(test, id);
	rig_make(id, ATTR_LAP, mad);
	opa_gid(mad_bytes_w(mad, "alternate_local_port_gid"), 0xfe80000000000000ULL, OPA_LID);
	opa_gid(mad_bytes_w(mad, "alternate_remote_port_gid"), 0xfe80000000000000ULL, OPA_LID + 1);
	rig_peer_send(rig, mad);
	rig_settle(rig);
	KUNIT_EXPECT_EQ(test, rig_counter(rig, "rx_foreign") - foreign, 1);
	KUNIT_EXPECT_EQ(test, rig_state(id), CM_ID_ESTABLISHED);
}

/* The two directions of a path may have been found out separately: data goes to the LID of the outbound one. */
MSG_CASE(send_req_outbound)
{
	struct rig *rig = rig_create_with(test, &plain);
	struct rig_id *id = rig_id_create(rig);
	struct sa_path_rec path, twin, outbound;
	struct ib_qp_attr attr = { .qp_state = IB_QPS_RTR };
	struct ib_cm_req_param param;
	u8 *mad = path_mad(test);
	int mask;

	rig_attempt(id);
	rig_req_param(id, &param, &path, &twin);
	outbound = path;
	outbound.ib.dlid = cpu_to_be16(0x4d2f);
	param.primary_path_outbound = &outbound;
	KUNIT_ASSERT_EQ(test, ib_send_cm_req(id->cm, &param), 0);
	KUNIT_ASSERT_TRUE_MSG(test, rig_peer_recv(rig, ATTR_REQ, NULL, RIG_WAIT_MS),
			      "the CM's own messages go elsewhere");
	rig_make(id, ATTR_REP, mad);
	rig_peer_send(rig, mad);
	KUNIT_ASSERT_TRUE(test, rig_reaches(id, CM_ID_REP_RCVD));
	KUNIT_ASSERT_EQ(test, ib_cm_init_qp_attr(id->cm, &attr, &mask), 0);
	KUNIT_EXPECT_EQ(test, rdma_ah_get_dlid(&attr.ah_attr), 0x4d2f);
}

/* The path has a GRH, the answer has none: its LID tells whose it is. */
MSG_CASE(recv_rep_without_grh)
{
	struct rig *rig = rig_create_with(test, &plain);
	struct rig_id *id = rig_id_create(rig);
	struct sa_path_rec path, twin;
	struct ib_cm_req_param param;
	struct loop_packet *packet = kunit_kzalloc(test, sizeof(*packet), GFP_KERNEL);
	long source = rig_counter(rig, "rx_source");
	u8 *mad = path_mad(test);

	KUNIT_ASSERT_NOT_NULL(test, packet);
	rig_attempt(id);
	rig_req_param(id, &param, &path, &twin);
	path.hop_limit = 64;
	KUNIT_ASSERT_EQ(test, ib_send_cm_req(id->cm, &param), 0);
	rig_make(id, ATTR_REP, mad);
	rig_peer_packet(rig, mad, packet);
	KUNIT_ASSERT_FALSE(test, packet->grh);
	KUNIT_ASSERT_EQ(test, loop_station_send(rig->peer, packet), 0);
	KUNIT_EXPECT_TRUE(test, rig_reaches(id, CM_ID_REP_RCVD));
	KUNIT_EXPECT_EQ(test, rig_counter(rig, "rx_source"), source);
}

/* RoCE knows no path migration: a REQ that names an alternate path is told that there is no such GID (12.6.7.2: 18). */
MSG_CASE(recv_req_alternate_roce)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_ETHERNET);
	struct rig_id *listener = rig_listen(rig, RIG_SERVICE);
	u8 *req = path_mad(test), *rej = path_mad(test);

	rig->alternate = true;
	rig_make_req(rig, RIG_SERVICE, req);
	rig_peer_send(rig, req);
	KUNIT_ASSERT_TRUE(test, rig_peer_recv(rig, ATTR_REJ, rej, RIG_WAIT_MS));
	KUNIT_EXPECT_EQ(test, mad_get(rej, "reason"), IB_CM_REJ_INVALID_ALT_GID);
	KUNIT_EXPECT_EQ(test, mad_get(rej, "remote_comm_id"), mad_get(req, "local_comm_id"));
	rig_settle(rig);
	KUNIT_EXPECT_EQ(test, listener->delivered, 0);
}

/* An HCA that does not say what network header there is: the peer's GID is found in the header all the same. */
MSG_CASE(recv_no_header_type)
{
	const struct loop_config config = { .layer = IB_LINK_LAYER_ETHERNET, .no_header_type = true };
	struct rig *rig = rig_create_with(test, &config);
	struct rig_id *id = rig_bring(rig, CM_ID_ESTABLISHED, true);
	struct loop_station *other = loop_station_create(config.layer, 0);
	struct loop_packet *packet = kunit_kzalloc(test, sizeof(*packet), GFP_KERNEL);
	long foreign;
	u8 *mad = path_mad(test);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, other);
	KUNIT_EXPECT_NOT_NULL(test, packet);
	KUNIT_EXPECT_NOT_NULL(test, id);
	if (id && packet) {
		/* Another host's is told from it. */
		foreign = rig_counter(rig, "rx_foreign");
		rig_make(id, ATTR_DREQ, mad);
		rig_peer_packet(rig, mad, packet);
		loop_station_address(other, packet);
		KUNIT_EXPECT_EQ(test, loop_station_send(other, packet), 0);
		rig_flush(rig);
		KUNIT_EXPECT_TRUE(test, rig_until(rig_counter(rig, "rx_foreign") > foreign));
		KUNIT_EXPECT_EQ(test, rig_state(id), CM_ID_ESTABLISHED);
		rig_peer_send(rig, mad);
		KUNIT_EXPECT_TRUE(test, rig_reaches(id, CM_ID_DREQ_RCVD));
	}
	loop_station_destroy(other);
}

static DECLARE_COMPLETION(path_gate);

static int path_wait(struct rig_id *id, const struct rig_event *event)
{
	wait_for_completion_timeout(&path_gate, msecs_to_jiffies(4 * RIG_WAIT_MS));
	return 0;
}

static void path_gate_open(void *unused)
{
	complete_all(&path_gate);
}

static atomic_t path_said;

/* Whatever the CM or the lookup of a P_Key has to say. */
static void path_console(void *unused, const char *text, size_t len)
{
	if (strnstr(text, "ib_cm", len) || strnstr(text, "key", len) || strnstr(text, "Key", len))
		atomic_inc(&path_said);
}

/*
 * The P_Key that a request came with goes out of the table before it is delivered: the event says 0, which none is; the
 * kernel log says nothing, for whoever sends requests has no place there.
 */
MSG_CASE(recv_pkey_gone)
{
	const struct loop_config config = { .layer = IB_LINK_LAYER_INFINIBAND,
					    .pkeys = { 0xffff, 0x8001 } };
	const u16 one = 0xffff;
	struct rig *rig = rig_create_with(test, &config);
	struct rig_id *listener = rig_listen(rig, RIG_SERVICE), *id;
	struct loop_packet *packet = kunit_kzalloc(test, sizeof(*packet), GFP_KERNEL);
	const struct rig_event *event;
	u8 *mad = path_mad(test);
	int i;

	KUNIT_ASSERT_NOT_NULL(test, packet);
	KUNIT_ASSERT_TRUE(test, rig_param(test, "listen_handlers", 1));
	reinit_completion(&path_gate);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, path_gate_open, NULL), 0);
	listener->hook = path_wait;
	for (i = 0; i < 2; i++) {
		rig_make_req(rig, RIG_SERVICE, mad);
		mad_set(mad, "partition_key", 0x8001);
		rig_peer_packet(rig, mad, packet);
		packet->pkey = 0x8001;
		KUNIT_ASSERT_EQ(test, loop_station_send(rig->peer, packet), 0);
		if (!i)
			KUNIT_ASSERT_NOT_NULL(test, rig_accepted(listener));
	}
	rig_flush(rig);
	KUNIT_ASSERT_TRUE(test, rig_until(!rig_counter(rig, "resolving")));
	loop_hca_pkeys(rig->dev, 1, &one, 1);
	atomic_set(&path_said, 0);
	KUNIT_ASSERT_EQ(test, register_trace_console(path_console, NULL), 0);
	path_gate_open(NULL);
	id = rig_accepted(listener);
	event = id ? rig_event(id, RIG_WAIT_MS) : NULL;
	unregister_trace_console(path_console, NULL);
	tracepoint_synchronize_unregister();
	KUNIT_EXPECT_EQ(test, atomic_read(&path_said), 0);
	KUNIT_ASSERT_NOT_NULL(test, id);
	KUNIT_ASSERT_NOT_NULL(test, event);
	KUNIT_EXPECT_EQ(test, event->raw.param.req_rcvd.bth_pkey, 0);
}

/* Queue pairs of an HCA that can flush are let do so, if they answer reads. */
MSG_CASE(qp_attr_flush)
{
	struct rig *rig = rig_create_with(test, &plain);
	struct ib_qp_attr attr = { .qp_state = IB_QPS_INIT };
	const int flush = IB_ACCESS_FLUSH_GLOBAL | IB_ACCESS_FLUSH_PERSISTENT;
	struct rig_id *id = rig_bring(rig, CM_ID_REQ_SENT, true);
	int mask;

	KUNIT_ASSERT_NOT_NULL(test, id);
	KUNIT_ASSERT_EQ(test, ib_cm_init_qp_attr(id->cm, &attr, &mask), 0);
	KUNIT_EXPECT_EQ(test, attr.qp_access_flags & flush, 0);
	rig->dev->attrs.device_cap_flags |= IB_DEVICE_FLUSH_GLOBAL;
	KUNIT_ASSERT_EQ(test, ib_cm_init_qp_attr(id->cm, &attr, &mask), 0);
	KUNIT_EXPECT_EQ(test, attr.qp_access_flags & flush, flush);
	rig->dev->attrs.device_cap_flags &= ~(u64)IB_DEVICE_FLUSH_GLOBAL;
}

/* A request comes to one port and asks for a path from another: its P_Key is that of the port where it came in. */
MSG_CASE(recv_req_at_another_port)
{
	const struct loop_config config = { .layer = IB_LINK_LAYER_INFINIBAND, .ports = 2,
					    .pkeys = { 0xffff, 0x8001 } };
	const u16 others[] = { 0xffff, 0x8002 };
	struct rig *rig = rig_create_with(test, &config);
	struct rig_id *listener = rig_listen(rig, RIG_SERVICE), *id;
	struct loop_packet *packet = kunit_kzalloc(test, sizeof(*packet), GFP_KERNEL);
	struct loop_packet there = {};
	const struct rig_event *event;
	u8 *mad = path_mad(test);

	KUNIT_ASSERT_NOT_NULL(test, packet);
	loop_hca_pkeys(rig->dev, 2, others, ARRAY_SIZE(others));
	loop_hca_address(rig->dev, 2, &there);
	rig_make_req(rig, RIG_SERVICE, mad);
	mad_set(mad, "primary_remote_port_lid", there.slid);
	memcpy(mad_bytes_w(mad, "primary_remote_port_gid"), there.sgid.raw, sizeof(there.sgid.raw));
	rig_peer_packet(rig, mad, packet);
	packet->pkey = 0x8001;
	KUNIT_ASSERT_EQ(test, loop_station_send(rig->peer, packet), 0);
	id = rig_accepted(listener);
	KUNIT_ASSERT_NOT_NULL(test, id);
	event = rig_event(id, RIG_WAIT_MS);
	KUNIT_ASSERT_NOT_NULL(test, event);
	KUNIT_EXPECT_EQ(test, event->raw.param.req_rcvd.port, 2);
	KUNIT_EXPECT_EQ(test, event->raw.param.req_rcvd.bth_pkey, 0x8001);
}

/* ib_mad hands a response of any class to whom its TID names: what is not of our class and version is not ours. */
MSG_CASE(recv_other_class)
{
	struct rig *rig = rig_create_with(test, &plain);
	struct rig_id *id = rig_bring(rig, CM_ID_REQ_SENT, true);
	long version;
	u8 *mad = path_mad(test);

	KUNIT_ASSERT_NOT_NULL(test, id);
	version = rig_counter(rig, "rx_version");
	rig_make(id, ATTR_REP, mad);
	mad_set(mad, F_MAD_CLASS, IB_MGMT_CLASS_SUBN_ADM);
	mad_set(mad, F_MAD_CLASS_VERSION, 3);
	mad_set(mad, F_MAD_RESPONSE, 1);
	/* As the first part of an answer to a table: RMPP, active, first and last */
	mad[24] = 1;
	mad[25] = 1;
	mad[26] = 7;
	rig_peer_send(rig, mad);
	rig_settle(rig);
	KUNIT_EXPECT_EQ(test, rig_counter(rig, "rx_version") - version, 1);
	KUNIT_EXPECT_EQ(test, rig_state(id), CM_ID_REQ_SENT);
	KUNIT_EXPECT_FALSE(test, rig_peer_recv(rig, 0, NULL, 0));
}

/* What consumers print of a REJ: as stock says it. */
MSG_CASE(reason_words)
{
	static const struct {
		int reason;
		const char *words;
	} words[] = {
		{ IB_CM_REJ_NO_QP, "no QP" },
		{ IB_CM_REJ_TIMEOUT, "timeout" },
		{ IB_CM_REJ_INVALID_SERVICE_ID, "invalid service ID" },
		{ IB_CM_REJ_STALE_CONN, "stale conn" },
		{ IB_CM_REJ_CONSUMER_DEFINED, "consumer defined" },
		{ IB_CM_REJ_DUPLICATE_LOCAL_COMM_ID, "duplicate local comm ID" },
		{ IB_CM_REJ_VENDOR_OPTION_NOT_SUPPORTED, "vendor option is not supported" },
		{ 0, "unrecognized reason" },
		{ IB_CM_REJ_VENDOR_OPTION_NOT_SUPPORTED + 1, "unrecognized reason" },
		{ -1, "unrecognized reason" },
		{ INT_MAX, "unrecognized reason" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		KUNIT_EXPECT_STREQ(test, ibcm_reject_msg(words[i].reason), words[i].words);
}
