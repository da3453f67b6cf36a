// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite ib_cm_msg: every field of every message at its place, at the level of
 * the exported calls, the events and the wire.
 *
 * Owns: the list of cases, the helpers of msg.h, and the cases about the table
 * of fields itself. What is right is said by fields.c and by IBTA volume 1,
 * chapter 12.
 */
#include <linux/ctype.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/prandom.h>
#include <rdma/ib_mad.h>
#include <rdma/ibta_vol1_c12.h>

#include "msg.h"

const u16 msg_pkeys[MSG_PKEYS] = {
	0xffff, 0x8001, 0x8002, 0x8004, 0x8008, 0x8010, 0x8020, 0x8040,
	0x8080, 0x8100, 0x8200, 0x8400, 0x8800, 0x9000, 0xa000, 0xc000,
};

/* One per link layer for the suite: to make a device takes longer than most cases. */
static struct rig *msg_rigs[2];

static void msg_rig_done(void *rig)
{
	rig_clear(rig);
}

struct rig *msg_rig(struct kunit *test, enum rdma_link_layer layer)
{
	struct loop_config config = {
		.layer = layer,
		.ports = 2,
		.lid = layer == IB_LINK_LAYER_INFINIBAND ? 0x1b2d : 0,
		.node_guid = 0x8192a3b4c5d6e7f1ULL,
	};
	struct rig **rig = &msg_rigs[layer == IB_LINK_LAYER_ETHERNET];

	memcpy(config.pkeys, msg_pkeys, sizeof(config.pkeys));
	if (!*rig) {
		*rig = rig_open(test, &config);
		/* The peers' numbers begin alike: they must not be the same CA's. */
		(*rig)->peer_guid = RIG_PEER_GUID + layer;
	}
	(*rig)->test = test;
	(*rig)->qp_type = IB_QPT_RC;
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, msg_rig_done, *rig), 0);
	return *rig;
}

static void msg_rigs_close(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(msg_rigs); i++) {
		rig_close(msg_rigs[i], test);
		msg_rigs[i] = NULL;
	}
}

/* The last case. */
static void nothing_left(struct kunit *test)
{
	msg_rigs_close(test);
}

/* Our comm ids count in their highest byte (ids_counted_under_a_secret): of the others no bit is to be 0 by chance. */
static int msg_suite_init(struct kunit_suite *suite)
{
	cm_probe_next_local(0x00ffffff);
	return 0;
}

static void msg_suite_exit(struct kunit_suite *suite)
{
	msg_rigs_close(NULL);
}

const char *msg_layer(enum rdma_link_layer layer)
{
	return layer == IB_LINK_LAYER_ETHERNET ? "RoCE" : "InfiniBand";
}

static bool same_field(struct kunit *test, const struct field *field, const u8 *got, const u8 *want,
		       const char *what)
{
	const char *name = mad_name(mad_attr(want));
	u32 first = field_start(field) / 8;
	u32 i;

	if (field->width <= 64) {
		u64 g = field_read(field, got), w = field_read(field, want);

		if (g == w)
			return true;
		KUNIT_FAIL(test, "%s: %s.%s is %#llx, must be %#llx", what, name, field->name, g,
			   w);
		return false;
	}
	for (i = 0; i < field->width / 8; i++)
		if (got[first + i] != want[first + i])
			break;
	if (i == field->width / 8)
		return true;
	KUNIT_FAIL(test, "%s: byte %u of %s.%s is %#x, must be %#x", what, i, name, field->name,
		   got[first + i], want[first + i]);
	return false;
}

bool msg_same(struct kunit *test, const u8 *got, const u8 *want, const char *what)
{
	const struct field *field;
	bool same = true;

	for (field = fields; field->name; field++)
		if (!field->attr || field->attr == mad_attr(want))
			same &= same_field(test, field, got, want, what);
	return same;
}

bool msg_walk(unsigned int n, unsigned int width, u64 *value)
{
	if (width <= 5) {
		*value = n;
		return n < 1u << width;
	}
	if (n == 0)
		*value = 0;
	else if (n == 1)
		*value = GENMASK_ULL(width - 1, 0);
	else
		*value = n < width + 2 ? BIT_ULL(n - 2) : 0;
	return n < width + 2;
}

void msg_pattern(u8 *bytes, size_t len, u8 seed)
{
	size_t i;

	for (i = 0; i < len; i++)
		bytes[i] = (seed + i * 7) % 255 + 1;
}

void msg_init(u8 *mad, enum cm_attr attr, u64 tid, u32 local_comm_id, u32 remote_comm_id)
{
	mad_init(mad, attr, tid);
	mad_set(mad, "local_comm_id", local_comm_id);
	mad_set(mad, "remote_comm_id", remote_comm_id);
}

static const char *path_name(char *buffer, size_t size, bool alternate, const char *name)
{
	snprintf(buffer, size, "%s_%s", alternate ? "alternate" : "primary", name);
	return buffer;
}

void msg_set_path(u8 *mad, bool alternate, const char *name, u64 value)
{
	char full[40];

	mad_set(mad, path_name(full, sizeof(full), alternate, name), value);
}

u64 msg_get_path(const u8 *mad, bool alternate, const char *name)
{
	char full[40];

	return mad_get(mad, path_name(full, sizeof(full), alternate, name));
}

u8 *msg_path_gid(u8 *mad, bool alternate, const char *name)
{
	char full[40];

	return mad_bytes_w(mad, path_name(full, sizeof(full), alternate, name));
}

u8 msg_ack_timeout(u8 packet_life_time, u8 ca_ack_delay)
{
	u64 sum = (2ULL << min_t(u8, packet_life_time, 40)) + (1ULL << ca_ack_delay);
	u8 time = ilog2(sum);

	if (sum >= (1ULL << time) + (1ULL << time) / 2)
		time++;
	return min_t(u8, time, 31);
}

u64 msg_received(struct rig *rig, enum cm_attr attr)
{
	char path[100], name[16];
	u64 value;
	int i;

	snprintf(name, sizeof(name), "%s", mad_name(attr));
	for (i = 0; name[i]; i++)
		name[i] = tolower(name[i]);
	snprintf(path, sizeof(path), "/sys/class/infiniband/%s/ports/1/cm_rx_msgs/%s",
		 dev_name(&rig->dev->dev), name);
	KUNIT_ASSERT_EQ_MSG(rig->test, kstrtou64(strim(rig_read(rig->test, path)), 10, &value), 0,
			    "%s", path);
	return value;
}

/* The table itself */

static void layout_covers(struct kunit *test)
{
	const struct field *field, *other;
	u16 attr = 0;
	u32 end = 0;
	int messages = 0;

	for (field = fields; field->name; field++) {
		if (field->attr != attr) {
			KUNIT_EXPECT_EQ_MSG(test, end, 8 * (attr ? MAD_BYTES : MAD_HEADER), "%s",
					    mad_name(attr));
			attr = field->attr;
			end = 8 * MAD_HEADER;
			messages++;
		}
		KUNIT_EXPECT_EQ_MSG(test, field_start(field), end, "%s.%s", mad_name(attr),
				    field->name);
		end += field->width;
		for (other = fields; other != field; other++)
			if (!other->attr || other->attr == attr)
				KUNIT_EXPECT_STRNEQ_MSG(test, other->name, field->name, "%s",
							mad_name(attr));
	}
	KUNIT_EXPECT_EQ(test, end, 8 * MAD_BYTES);
	KUNIT_EXPECT_EQ(test, messages, 11);
}

static void layout_reads_back(struct kunit *test)
{
	u8 *mad = kunit_kzalloc(test, MAD_BYTES, GFP_KERNEL);
	const struct field *field, *other;
	unsigned int n;
	u64 value, rest;

	KUNIT_ASSERT_NOT_NULL(test, mad);
	for (field = fields; field->name; field++) {
		if (field->width > 64)
			continue;
		for (n = 0; msg_walk(n, field->width, &value); n++) {
			memset(mad, n & 1 ? 0xff : 0, MAD_BYTES);
			field_write(field, mad, value);
			KUNIT_EXPECT_EQ_MSG(test, field_read(field, mad), value, "%s.%s",
					    mad_name(field->attr), field->name);
			for (other = fields; other->name; other++) {
				if (other == field || other->attr != field->attr ||
				    other->width > 64)
					continue;
				rest = n & 1 ? GENMASK_ULL(other->width - 1, 0) : 0;
				KUNIT_EXPECT_EQ_MSG(test, field_read(other, mad), rest, "%s.%s",
						    other->name, field->name);
			}
		}
	}
}

/* The kernel's <rdma/ibta_vol1_c12.h>, from which messages may be built, has the same idea of each field. */
#define AGREES(_attr, _struct, _macro, _name) \
do { \
	u64 value = IBA_GET(CM_##_attr##_##_macro, (struct _struct *)mad); \
	mad[16] = 0; \
	mad[17] = ATTR_##_attr; \
	KUNIT_EXPECT_EQ_MSG(test, value, mad_get(mad, _name), #_attr "." #_macro); \
} while (0)
#define AGREES_BYTES(_attr, _struct, _macro, _name) \
do { \
	u8 *bytes = (u8 *)IBA_GET_MEM_PTR(CM_##_attr##_##_macro, (struct _struct *)mad); \
	mad[16] = 0; \
	mad[17] = ATTR_##_attr; \
	KUNIT_EXPECT_PTR_EQ_MSG(test, bytes, mad_bytes_w(mad, _name), #_attr "." #_macro); \
} while (0)

#define REQ_AGREES(_macro, _name) AGREES(REQ, cm_req_msg, _macro, _name)
#define REP_AGREES(_macro, _name) AGREES(REP, cm_rep_msg, _macro, _name)
#define LAP_AGREES(_macro, _name) AGREES(LAP, cm_lap_msg, _macro, _name)

static void agree_req(struct kunit *test, u8 *mad)
{
	REQ_AGREES(LOCAL_COMM_ID, "local_comm_id");
	REQ_AGREES(SERVICE_ID, "service_id");
	REQ_AGREES(LOCAL_CA_GUID, "local_ca_guid");
	REQ_AGREES(LOCAL_Q_KEY, "local_qkey");
	REQ_AGREES(LOCAL_QPN, "local_qpn");
	REQ_AGREES(RESPONDER_RESOURCES, "responder_resources");
	REQ_AGREES(LOCAL_EECN, "local_eecn");
	REQ_AGREES(INITIATOR_DEPTH, "initiator_depth");
	REQ_AGREES(REMOTE_EECN, "remote_eecn");
	REQ_AGREES(REMOTE_CM_RESPONSE_TIMEOUT, "remote_cm_response_timeout");
	REQ_AGREES(TRANSPORT_SERVICE_TYPE, "transport_service_type");
	REQ_AGREES(END_TO_END_FLOW_CONTROL, "end_to_end_flow_control");
	REQ_AGREES(STARTING_PSN, "starting_psn");
	REQ_AGREES(LOCAL_CM_RESPONSE_TIMEOUT, "local_cm_response_timeout");
	REQ_AGREES(RETRY_COUNT, "retry_count");
	REQ_AGREES(PARTITION_KEY, "partition_key");
	REQ_AGREES(PATH_PACKET_PAYLOAD_MTU, "path_packet_payload_mtu");
	REQ_AGREES(RDC_EXISTS, "rdc_exists");
	REQ_AGREES(RNR_RETRY_COUNT, "rnr_retry_count");
	REQ_AGREES(MAX_CM_RETRIES, "max_cm_retries");
	REQ_AGREES(SRQ, "srq");
	REQ_AGREES(EXTENDED_TRANSPORT_TYPE, "extended_transport_type");
	REQ_AGREES(PRIMARY_LOCAL_PORT_LID, "primary_local_port_lid");
	REQ_AGREES(PRIMARY_REMOTE_PORT_LID, "primary_remote_port_lid");
	REQ_AGREES(PRIMARY_FLOW_LABEL, "primary_flow_label");
	REQ_AGREES(PRIMARY_PACKET_RATE, "primary_packet_rate");
	REQ_AGREES(PRIMARY_TRAFFIC_CLASS, "primary_traffic_class");
	REQ_AGREES(PRIMARY_HOP_LIMIT, "primary_hop_limit");
	REQ_AGREES(PRIMARY_SL, "primary_sl");
	REQ_AGREES(PRIMARY_SUBNET_LOCAL, "primary_subnet_local");
	REQ_AGREES(PRIMARY_LOCAL_ACK_TIMEOUT, "primary_local_ack_timeout");
	REQ_AGREES(ALTERNATE_LOCAL_PORT_LID, "alternate_local_port_lid");
	REQ_AGREES(ALTERNATE_REMOTE_PORT_LID, "alternate_remote_port_lid");
	REQ_AGREES(ALTERNATE_FLOW_LABEL, "alternate_flow_label");
	REQ_AGREES(ALTERNATE_PACKET_RATE, "alternate_packet_rate");
	REQ_AGREES(ALTERNATE_TRAFFIC_CLASS, "alternate_traffic_class");
	REQ_AGREES(ALTERNATE_HOP_LIMIT, "alternate_hop_limit");
	REQ_AGREES(ALTERNATE_SL, "alternate_sl");
	REQ_AGREES(ALTERNATE_SUBNET_LOCAL, "alternate_subnet_local");
	REQ_AGREES(ALTERNATE_LOCAL_ACK_TIMEOUT, "alternate_local_ack_timeout");
	REQ_AGREES(SAP_SUPPORTED, "sap_supported");
	REQ_AGREES(VENDOR_ID, "vendor_id");
	AGREES_BYTES(REQ, cm_req_msg, PRIMARY_LOCAL_PORT_GID, "primary_local_port_gid");
	AGREES_BYTES(REQ, cm_req_msg, PRIMARY_REMOTE_PORT_GID, "primary_remote_port_gid");
	AGREES_BYTES(REQ, cm_req_msg, ALTERNATE_LOCAL_PORT_GID, "alternate_local_port_gid");
	AGREES_BYTES(REQ, cm_req_msg, ALTERNATE_REMOTE_PORT_GID, "alternate_remote_port_gid");
	AGREES_BYTES(REQ, cm_req_msg, PRIVATE_DATA, "private_data");
}

static void agree_connection(struct kunit *test, u8 *mad)
{
	AGREES(MRA, cm_mra_msg, LOCAL_COMM_ID, "local_comm_id");
	AGREES(MRA, cm_mra_msg, REMOTE_COMM_ID, "remote_comm_id");
	AGREES(MRA, cm_mra_msg, MESSAGE_MRAED, "message_mraed");
	AGREES(MRA, cm_mra_msg, SERVICE_TIMEOUT, "service_timeout");
	AGREES_BYTES(MRA, cm_mra_msg, PRIVATE_DATA, "private_data");
	AGREES(REJ, cm_rej_msg, LOCAL_COMM_ID, "local_comm_id");
	AGREES(REJ, cm_rej_msg, REMOTE_COMM_ID, "remote_comm_id");
	AGREES(REJ, cm_rej_msg, MESSAGE_REJECTED, "message_rejected");
	AGREES(REJ, cm_rej_msg, REJECTED_INFO_LENGTH, "rejected_info_length");
	AGREES(REJ, cm_rej_msg, REASON, "reason");
	AGREES_BYTES(REJ, cm_rej_msg, ARI, "ari");
	AGREES_BYTES(REJ, cm_rej_msg, PRIVATE_DATA, "private_data");
	REP_AGREES(LOCAL_COMM_ID, "local_comm_id");
	REP_AGREES(REMOTE_COMM_ID, "remote_comm_id");
	REP_AGREES(LOCAL_Q_KEY, "local_qkey");
	REP_AGREES(LOCAL_QPN, "local_qpn");
	REP_AGREES(VENDOR_ID_H, "vendor_id_high");
	REP_AGREES(LOCAL_EE_CONTEXT_NUMBER, "local_eecn");
	REP_AGREES(VENDOR_ID_M, "vendor_id_middle");
	REP_AGREES(STARTING_PSN, "starting_psn");
	REP_AGREES(VENDOR_ID_L, "vendor_id_low");
	REP_AGREES(RESPONDER_RESOURCES, "responder_resources");
	REP_AGREES(INITIATOR_DEPTH, "initiator_depth");
	REP_AGREES(TARGET_ACK_DELAY, "target_ack_delay");
	REP_AGREES(FAILOVER_ACCEPTED, "failover_accepted");
	REP_AGREES(END_TO_END_FLOW_CONTROL, "end_to_end_flow_control");
	REP_AGREES(RNR_RETRY_COUNT, "rnr_retry_count");
	REP_AGREES(SRQ, "srq");
	REP_AGREES(LOCAL_CA_GUID, "local_ca_guid");
	AGREES_BYTES(REP, cm_rep_msg, PRIVATE_DATA, "private_data");
	AGREES(RTU, cm_rtu_msg, LOCAL_COMM_ID, "local_comm_id");
	AGREES(RTU, cm_rtu_msg, REMOTE_COMM_ID, "remote_comm_id");
	AGREES_BYTES(RTU, cm_rtu_msg, PRIVATE_DATA, "private_data");
	AGREES(DREQ, cm_dreq_msg, LOCAL_COMM_ID, "local_comm_id");
	AGREES(DREQ, cm_dreq_msg, REMOTE_COMM_ID, "remote_comm_id");
	AGREES(DREQ, cm_dreq_msg, REMOTE_QPN_EECN, "remote_qpn_eecn");
	AGREES_BYTES(DREQ, cm_dreq_msg, PRIVATE_DATA, "private_data");
	AGREES(DREP, cm_drep_msg, LOCAL_COMM_ID, "local_comm_id");
	AGREES(DREP, cm_drep_msg, REMOTE_COMM_ID, "remote_comm_id");
	AGREES_BYTES(DREP, cm_drep_msg, PRIVATE_DATA, "private_data");
}

static void agree_rest(struct kunit *test, u8 *mad)
{
	LAP_AGREES(LOCAL_COMM_ID, "local_comm_id");
	LAP_AGREES(REMOTE_COMM_ID, "remote_comm_id");
	LAP_AGREES(REMOTE_QPN_EECN, "remote_qpn_eecn");
	LAP_AGREES(REMOTE_CM_RESPONSE_TIMEOUT, "remote_cm_response_timeout");
	LAP_AGREES(ALTERNATE_LOCAL_PORT_LID, "alternate_local_port_lid");
	LAP_AGREES(ALTERNATE_REMOTE_PORT_LID, "alternate_remote_port_lid");
	LAP_AGREES(ALTERNATE_FLOW_LABEL, "alternate_flow_label");
	LAP_AGREES(ALTERNATE_TRAFFIC_CLASS, "alternate_traffic_class");
	LAP_AGREES(ALTERNATE_HOP_LIMIT, "alternate_hop_limit");
	LAP_AGREES(ALTERNATE_PACKET_RATE, "alternate_packet_rate");
	LAP_AGREES(ALTERNATE_SL, "alternate_sl");
	LAP_AGREES(ALTERNATE_SUBNET_LOCAL, "alternate_subnet_local");
	LAP_AGREES(ALTERNATE_LOCAL_ACK_TIMEOUT, "alternate_local_ack_timeout");
	AGREES_BYTES(LAP, cm_lap_msg, ALTERNATE_LOCAL_PORT_GID, "alternate_local_port_gid");
	AGREES_BYTES(LAP, cm_lap_msg, ALTERNATE_REMOTE_PORT_GID, "alternate_remote_port_gid");
	AGREES_BYTES(LAP, cm_lap_msg, PRIVATE_DATA, "private_data");
	AGREES(APR, cm_apr_msg, LOCAL_COMM_ID, "local_comm_id");
	AGREES(APR, cm_apr_msg, REMOTE_COMM_ID, "remote_comm_id");
	AGREES(APR, cm_apr_msg, ADDITIONAL_INFORMATION_LENGTH, "additional_information_length");
	AGREES(APR, cm_apr_msg, AR_STATUS, "ap_status");
	AGREES_BYTES(APR, cm_apr_msg, ADDITIONAL_INFORMATION, "additional_information");
	AGREES_BYTES(APR, cm_apr_msg, PRIVATE_DATA, "private_data");
	AGREES(SIDR_REQ, cm_sidr_req_msg, REQUESTID, "request_id");
	AGREES(SIDR_REQ, cm_sidr_req_msg, PARTITION_KEY, "partition_key");
	AGREES(SIDR_REQ, cm_sidr_req_msg, SERVICEID, "service_id");
	AGREES_BYTES(SIDR_REQ, cm_sidr_req_msg, PRIVATE_DATA, "private_data");
	AGREES(SIDR_REP, cm_sidr_rep_msg, REQUESTID, "request_id");
	AGREES(SIDR_REP, cm_sidr_rep_msg, STATUS, "status");
	AGREES(SIDR_REP, cm_sidr_rep_msg, ADDITIONAL_INFORMATION_LENGTH,
	       "additional_information_length");
	AGREES(SIDR_REP, cm_sidr_rep_msg, VENDOR_ID_H, "vendor_id_high");
	AGREES(SIDR_REP, cm_sidr_rep_msg, QPN, "qpn");
	AGREES(SIDR_REP, cm_sidr_rep_msg, VENDOR_ID_L, "vendor_id_low");
	AGREES(SIDR_REP, cm_sidr_rep_msg, SERVICEID, "service_id");
	AGREES(SIDR_REP, cm_sidr_rep_msg, Q_KEY, "qkey");
	AGREES_BYTES(SIDR_REP, cm_sidr_rep_msg, ADDITIONAL_INFORMATION, "additional_information");
	AGREES_BYTES(SIDR_REP, cm_sidr_rep_msg, PRIVATE_DATA, "private_data");
}

static void layout_agrees_with_kernel(struct kunit *test)
{
	u8 *mad = kunit_kzalloc(test, MAD_BYTES, GFP_KERNEL);
	struct rnd_state random;
	int i;

	KUNIT_ASSERT_NOT_NULL(test, mad);
	prandom_seed_state(&random, 7);
	for (i = 0; i < 100; i++) {
		prandom_bytes_state(&random, mad, MAD_BYTES);
		agree_req(test, mad);
		agree_connection(test, mad);
		agree_rest(test, mad);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(layout_covers),
	KUNIT_CASE(layout_reads_back),
	KUNIT_CASE(layout_agrees_with_kernel),
	KUNIT_CASE_PARAM(send_parameter, send_parameter_gen),
	KUNIT_CASE_PARAM(send_beyond, send_beyond_gen),
	KUNIT_CASE_PARAM(send_length, send_length_gen),
	KUNIT_CASE_PARAM(send_info_length, send_info_length_gen),
	KUNIT_CASE_PARAM(send_ack_timeout, send_ack_timeout_gen),
	KUNIT_CASE(send_req_transport),
	KUNIT_CASE(send_req_no_alternate),
	KUNIT_CASE(send_req_routed),
	KUNIT_CASE(send_rep_xrc),
	KUNIT_CASE_PARAM(send_rej, send_rej_gen),
	KUNIT_CASE_PARAM(send_mra, send_mra_gen),
	KUNIT_CASE(send_mra_as_long_as_the_peer_waits),
	KUNIT_CASE_PARAM(send_unasked, send_unasked_gen),
	KUNIT_CASE_PARAM_ATTR(recv_field, recv_field_gen, { .speed = KUNIT_SPEED_SLOW }),
	KUNIT_CASE(recv_req_service_id),
	KUNIT_CASE_PARAM(recv_req_transport, recv_req_transport_gen),
	KUNIT_CASE(recv_req_no_alternate),
	KUNIT_CASE(recv_req_routed),
	KUNIT_CASE(recv_rep_xrc),
	KUNIT_CASE_PARAM(recv_req_refused, recv_req_refused_gen),
	KUNIT_CASE_PARAM(recv_short, recv_short_gen),
	KUNIT_CASE_PARAM(recv_header, recv_header_gen),
	KUNIT_CASE(recv_attribute),
	KUNIT_CASE(recv_apr),
	KUNIT_CASE(recv_lap_roce),
	KUNIT_CASE(recv_lap_foreign),
	KUNIT_CASE(send_req_opa),
	KUNIT_CASE(send_req_outbound),
	KUNIT_CASE(recv_req_opa),
	KUNIT_CASE(recv_lap_opa),
	KUNIT_CASE(recv_rep_without_grh),
	KUNIT_CASE(recv_req_alternate_roce),
	KUNIT_CASE(recv_no_header_type),
	KUNIT_CASE(recv_pkey_gone),
	KUNIT_CASE(recv_other_class),
	KUNIT_CASE(qp_attr_flush),
	KUNIT_CASE(reason_words),
	KUNIT_CASE(recv_req_at_another_port),
	KUNIT_CASE(nothing_left),
	{ }
};

static struct kunit_suite suite = {
	.name = "ib_cm_msg",
	.suite_init = msg_suite_init,
	.suite_exit = msg_suite_exit,
	.init = rig_case,
	.test_cases = cases,
};
kunit_test_suite(suite);

MODULE_DESCRIPTION("Tests of ib_cm's messages, field by field");
MODULE_LICENSE("GPL");
