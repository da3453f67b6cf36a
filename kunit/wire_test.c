// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite ib_cm_wire: whole exchanges over the loopback wire.
 *
 * Owns: the table of cases, and the plain ones: a connection and its end on
 * every kind of path, each message lost, doubled or late once. The rest is in
 * wire_setup.c and wire_end.c.
 */
#include <linux/delay.h>
#include <linux/module.h>

#include "wire.h"

unsigned int wire_many = 200;
module_param_named(many, wire_many, uint, 0444);
MODULE_PARM_DESC(many, "ids, connections or datagrams of the tests about many of them");

static void pattern(u8 *data, unsigned int len, u8 seed)
{
	unsigned int i;

	for (i = 0; i < len; i++)
		data[i] = seed + 7 * i;
}

/*
 * Paths. a and b are devices; a asks.
 */
struct layout {
	const char *desc;
	enum rdma_link_layer layer;
	u8 lmc;
	u8 slid_bits, dlid_bits;	/* of a's path */
	u8 hop_limit;			/* more than 1: the path is routed */
	u16 pkeys[4];
	u16 pkey;			/* of a's path */
};

static const struct layout layouts[] = {
	{ .desc = "InfiniBand", .layer = IB_LINK_LAYER_INFINIBAND, .pkey = 0xffff },
	{ .desc = "InfiniBand, GRH within the subnet", .layer = IB_LINK_LAYER_INFINIBAND,
	  .hop_limit = 1, .pkey = 0xffff },
	{ .desc = "InfiniBand, routed", .layer = IB_LINK_LAYER_INFINIBAND, .hop_limit = 64,
	  .pkey = 0xffff },
	{ .desc = "InfiniBand, LMC 3, path bits 5 and 2", .layer = IB_LINK_LAYER_INFINIBAND,
	  .lmc = 3, .slid_bits = 5, .dlid_bits = 2, .pkey = 0xffff },
	{ .desc = "InfiniBand, third of three P_Keys", .layer = IB_LINK_LAYER_INFINIBAND,
	  .pkeys = { 0xffff, 0x8001, 0x8002 }, .pkey = 0x8002 },
	{ .desc = "InfiniBand, LMC 7, routed, second P_Key", .layer = IB_LINK_LAYER_INFINIBAND,
	  .lmc = 7, .slid_bits = 127, .dlid_bits = 64, .hop_limit = 64, .pkeys = { 0xffff, 0x8001 },
	  .pkey = 0x8001 },
	{ .desc = "RoCE", .layer = IB_LINK_LAYER_ETHERNET, .pkey = 0xffff },
};

KUNIT_ARRAY_PARAM_DESC(layouts, layouts, desc);

static void layout_rigs(struct kunit *test, const struct layout *layout, struct rig **a,
			struct rig **b)
{
	struct loop_config config = { .layer = layout->layer, .lmc = layout->lmc };
	struct rig *rigs[2];

	memcpy(config.pkeys, layout->pkeys, sizeof(layout->pkeys));
	wire_rigs(test, &config, rigs, 2);
	*a = rigs[0];
	*b = rigs[1];
}

static void layout_path(const struct layout *layout, struct rig *a, struct rig *b,
			struct sa_path_rec *path)
{
	wire_path(a, b, path);
	path->pkey = htons(layout->pkey);
	if (layout->layer != IB_LINK_LAYER_INFINIBAND)
		return;
	path->ib.slid = htons(ntohs(path->ib.slid) + layout->slid_bits);
	path->ib.dlid = htons(ntohs(path->ib.dlid) + layout->dlid_bits);
	path->hop_limit = layout->hop_limit;
}

static void expect_lids(struct kunit *test, const struct layout *layout,
			const struct sa_path_rec *theirs,
			const struct sa_path_rec *ours)
{
	/* A routed REQ has no LIDs of use: what is known is where it came from, and its own path bits. */
	u16 mask = layout->hop_limit > 1 ? (1 << layout->lmc) - 1 : 0xffff;
	u16 slid = ntohs(theirs->ib.slid), dlid = ntohs(theirs->ib.dlid);

	KUNIT_EXPECT_EQ(test, slid & mask, ntohs(ours->ib.dlid) & mask);
	KUNIT_EXPECT_EQ(test, dlid, ntohs(ours->ib.slid));
}

/*
 * REQ, REP, RTU, DREQ, DREP: three datagrams of the asker, two of the asked;
 * each side has each event once and the other's private data; paths of the REQ
 * event are seen from the listener; both ids are IDLE at the end.
 */
static void connect_and_disconnect(struct kunit *test)
{
	const struct layout *layout = test->param_value;
	const struct rig_event *event;
	struct ib_cm_rep_param rep;
	struct rig_id *listener;
	struct wire_pair pair;
	struct wire_req req;
	struct rig *a, *b;
	u8 data[224];

	layout_rigs(test, layout, &a, &b);
	wire_tap(a, 0);
	wire_tap(b, 0);
	listener = rig_listen(b, RIG_SERVICE);
	pair.a = rig_id_create(a);
	wire_req_init(&req, pair.a);
	layout_path(layout, a, b, &req.path);
	pattern(data, sizeof(data), 1);
	req.param.private_data = data;
	req.param.private_data_len = IB_CM_REQ_PRIVATE_DATA_SIZE;
	KUNIT_ASSERT_EQ(test, wire_req_send(&req, pair.a), 0);

	pair.b = rig_accepted(listener);
	KUNIT_ASSERT_NOT_NULL(test, pair.b);
	event = wire_event(pair.b, IB_CM_REQ_RECEIVED);
	KUNIT_EXPECT_MEMEQ(test, event->data, data, IB_CM_REQ_PRIVATE_DATA_SIZE);
	KUNIT_EXPECT_EQ(test, event->raw.param.req_rcvd.remote_qpn, req.param.qp_num);
	KUNIT_EXPECT_EQ(test, event->raw.param.req_rcvd.port, 1);
	KUNIT_EXPECT_MEMEQ(test, &event->primary.sgid, &req.path.dgid, sizeof(union ib_gid));
	KUNIT_EXPECT_MEMEQ(test, &event->primary.dgid, &req.path.sgid, sizeof(union ib_gid));
	KUNIT_EXPECT_EQ(test, ntohs(event->primary.pkey), layout->pkey);
	if (layout->layer == IB_LINK_LAYER_INFINIBAND)
		expect_lids(test, layout, &event->primary, &req.path);

	rig_rep_param(pair.b, &rep);
	pattern(data, sizeof(data), 2);
	rep.private_data = data;
	rep.private_data_len = IB_CM_REP_PRIVATE_DATA_SIZE;
	KUNIT_ASSERT_EQ(test, ib_send_cm_rep(pair.b->cm, &rep), 0);
	event = wire_event(pair.a, IB_CM_REP_RECEIVED);
	KUNIT_EXPECT_MEMEQ(test, event->data, data, IB_CM_REP_PRIVATE_DATA_SIZE);
	KUNIT_EXPECT_EQ(test, event->raw.param.rep_rcvd.remote_qpn, rep.qp_num);

	pattern(data, sizeof(data), 3);
	KUNIT_ASSERT_EQ(test, ib_send_cm_rtu(pair.a->cm, data, IB_CM_RTU_PRIVATE_DATA_SIZE), 0);
	event = wire_event(pair.b, IB_CM_RTU_RECEIVED);
	KUNIT_EXPECT_MEMEQ(test, event->data, data, IB_CM_RTU_PRIVATE_DATA_SIZE);
	KUNIT_EXPECT_EQ(test, pair.a->cm->state, IB_CM_ESTABLISHED);
	KUNIT_EXPECT_EQ(test, pair.b->cm->state, IB_CM_ESTABLISHED);

	pattern(data, sizeof(data), 4);
	KUNIT_ASSERT_EQ(test, ib_send_cm_dreq(pair.a->cm, data, IB_CM_DREQ_PRIVATE_DATA_SIZE), 0);
	event = wire_event(pair.b, IB_CM_DREQ_RECEIVED);
	KUNIT_EXPECT_MEMEQ(test, event->data, data, IB_CM_DREQ_PRIVATE_DATA_SIZE);
	pattern(data, sizeof(data), 5);
	KUNIT_ASSERT_EQ(test, ib_send_cm_drep(pair.b->cm, data, IB_CM_DREP_PRIVATE_DATA_SIZE), 0);
	event = wire_event(pair.a, IB_CM_DREP_RECEIVED);
	KUNIT_EXPECT_MEMEQ(test, event->data, data, IB_CM_DREP_PRIVATE_DATA_SIZE);
	wire_event(pair.a, IB_CM_TIMEWAIT_EXIT);
	wire_event(pair.b, IB_CM_TIMEWAIT_EXIT);
	wire_quiet(pair.a, 20);
	wire_quiet(pair.b, 20);
	KUNIT_EXPECT_EQ(test, pair.a->cm->state, IB_CM_IDLE);
	KUNIT_EXPECT_EQ(test, pair.b->cm->state, IB_CM_IDLE);
	KUNIT_EXPECT_EQ(test, wire_tapped(a), 3);
	KUNIT_EXPECT_EQ(test, wire_tapped(b), 2);
}

/* An id that is IDLE again connects again: a new attempt, a new peer, the same events. */
static void connect_again(struct kunit *test)
{
	const struct loop_config config = { .layer = IB_LINK_LAYER_INFINIBAND };
	struct rig_id *listeners[2], *id, *peer;
	struct wire_req req;
	struct rig *rigs[3];
	int i;

	wire_rigs(test, &config, rigs, 3);
	id = rig_id_create(rigs[0]);
	listeners[0] = rig_listen(rigs[1], RIG_SERVICE);
	listeners[1] = rig_listen(rigs[2], RIG_SERVICE);
	for (i = 0; i < 4; i++) {
		wire_req_init(&req, id);
		wire_path(rigs[0], rigs[1 + i % 2], &req.path);
		KUNIT_ASSERT_EQ(test, wire_req_send(&req, id), 0);
		peer = rig_accepted(listeners[i % 2]);
		KUNIT_ASSERT_NOT_NULL(test, peer);
		wire_event(peer, IB_CM_REQ_RECEIVED);
		KUNIT_ASSERT_EQ(test, rig_send_rep(peer), 0);
		wire_event(id, IB_CM_REP_RECEIVED);
		KUNIT_ASSERT_EQ(test, ib_send_cm_rtu(id->cm, NULL, 0), 0);
		wire_event(peer, IB_CM_RTU_RECEIVED);
		KUNIT_ASSERT_EQ(test, ib_send_cm_dreq(id->cm, NULL, 0), 0);
		wire_event(peer, IB_CM_DREQ_RECEIVED);
		KUNIT_ASSERT_EQ(test, ib_send_cm_drep(peer->cm, NULL, 0), 0);
		wire_event(id, IB_CM_DREP_RECEIVED);
		wire_event(id, IB_CM_TIMEWAIT_EXIT);
		KUNIT_EXPECT_EQ(test, id->cm->state, IB_CM_IDLE);
		wire_destroy(peer);
	}
}

/* SIDR: the asked has one event with the service id, the asker one with what was answered. Both are IDLE then. */
static void resolve_service(struct kunit *test)
{
	const struct layout *layout = test->param_value;
	struct ib_cm_sidr_rep_param rep = { .qp_num = 0x4321, .qkey = 0x87654321,
					    .status = IB_SIDR_SUCCESS };
	const struct rig_event *event;
	struct rig_id *id, *asked, *listener;
	struct sa_path_rec path;
	struct rig *a, *b;
	u8 data[224];

	layout_rigs(test, layout, &a, &b);
	wire_tap(a, 0);
	wire_tap(b, 0);
	listener = rig_listen(b, RIG_SERVICE);
	id = rig_id_create(a);
	layout_path(layout, a, b, &path);
	pattern(data, sizeof(data), 6);
	KUNIT_ASSERT_EQ(test, wire_sidr_send(id, &path, data, IB_CM_SIDR_REQ_PRIVATE_DATA_SIZE), 0);
	asked = rig_accepted(listener);
	KUNIT_ASSERT_NOT_NULL(test, asked);
	event = wire_event(asked, IB_CM_SIDR_REQ_RECEIVED);
	KUNIT_EXPECT_EQ(test, be64_to_cpu(event->raw.param.sidr_req_rcvd.service_id), RIG_SERVICE);
	KUNIT_EXPECT_EQ(test, event->raw.param.sidr_req_rcvd.pkey, layout->pkey);
	KUNIT_EXPECT_EQ(test, event->raw.param.sidr_req_rcvd.bth_pkey, layout->pkey);
	KUNIT_EXPECT_MEMEQ(test, event->data, data, IB_CM_SIDR_REQ_PRIVATE_DATA_SIZE);
	pattern(data, sizeof(data), 7);
	rep.private_data = data;
	rep.private_data_len = IB_CM_SIDR_REP_PRIVATE_DATA_SIZE;
	KUNIT_ASSERT_EQ(test, ib_send_cm_sidr_rep(asked->cm, &rep), 0);
	event = wire_event(id, IB_CM_SIDR_REP_RECEIVED);
	KUNIT_EXPECT_EQ(test, event->raw.param.sidr_rep_rcvd.status, IB_SIDR_SUCCESS);
	KUNIT_EXPECT_EQ(test, event->raw.param.sidr_rep_rcvd.qpn, 0x4321);
	KUNIT_EXPECT_EQ(test, event->raw.param.sidr_rep_rcvd.qkey, 0x87654321);
	KUNIT_EXPECT_MEMEQ(test, event->data, data, IB_CM_SIDR_REP_PRIVATE_DATA_SIZE);
	wire_quiet(id, 20);
	wire_quiet(asked, 20);
	KUNIT_EXPECT_EQ(test, id->cm->state, IB_CM_IDLE);
	KUNIT_EXPECT_EQ(test, asked->cm->state, IB_CM_IDLE);
	KUNIT_EXPECT_EQ(test, wire_tapped(a), 1);
	KUNIT_EXPECT_EQ(test, wire_tapped(b), 1);
}

/*
 * One message, and what befalls it.
 */
struct message {
	const char *desc;
	u16 attr;
	bool asked_sends;	/* it is b that sends it */
};

static const struct message messages[] = {
	{ .desc = "REQ", .attr = ATTR_REQ },
	{ .desc = "REP", .attr = ATTR_REP, .asked_sends = true },
	{ .desc = "RTU", .attr = ATTR_RTU },
	{ .desc = "DREQ", .attr = ATTR_DREQ },
	{ .desc = "DREP", .attr = ATTR_DREP, .asked_sends = true },
	{ .desc = "MRA", .attr = ATTR_MRA, .asked_sends = true },
	{ .desc = "REJ", .attr = ATTR_REJ, .asked_sends = true },
	{ .desc = "SIDR_REQ", .attr = ATTR_SIDR_REQ },
	{ .desc = "SIDR_REP", .attr = ATTR_SIDR_REP, .asked_sends = true },
};

KUNIT_ARRAY_PARAM_DESC(messages, messages, desc);

/* An asker whose REQ came twice may be told that its peer is at work. */
static const struct rig_event *event_but_mra(struct rig_id *id, enum ib_cm_event_type type)
{
	const struct rig_event *event;

	do
		event = rig_event(id, RIG_WAIT_MS);
	while (event && event->type == IB_CM_MRA_RECEIVED && type != IB_CM_MRA_RECEIVED);
	KUNIT_ASSERT_NOT_NULL_MSG(id->rig->test, event, "no event instead of %d", type);
	KUNIT_ASSERT_EQ(id->rig->test, event->type, type);
	return event;
}

static void exchange_rejected(struct kunit *test, struct rig *a, struct rig *b,
			      struct rig_id *listener, bool again)
{
	const struct rig_event *event;
	struct wire_pair pair;

	wire_call_pair(a, b, listener, &pair);
	KUNIT_ASSERT_EQ(test, wire_reject(pair.b), 0);
	if (again) {
		/* Nothing is left of the REQ that was rejected: its repetition is a new one. */
		struct rig_id *second = rig_accepted(listener);

		KUNIT_ASSERT_NOT_NULL(test, second);
		wire_event(second, IB_CM_REQ_RECEIVED);
		KUNIT_ASSERT_EQ(test, wire_reject(second), 0);
	}
	event = event_but_mra(pair.a, IB_CM_REJ_RECEIVED);
	KUNIT_EXPECT_EQ(test, event->raw.param.rej_rcvd.reason, IB_CM_REJ_CONSUMER_DEFINED);
	KUNIT_EXPECT_EQ(test, pair.a->cm->state, IB_CM_IDLE);
	wire_quiet(pair.a, 200);
}

static void exchange_resolved(struct kunit *test, struct rig *a, struct rig *b,
			      struct rig_id *listener)
{
	struct rig_id *id = rig_id_create(a), *asked;
	struct sa_path_rec path;

	wire_path(a, b, &path);
	KUNIT_ASSERT_EQ(test, wire_sidr_send(id, &path, NULL, 0), 0);
	asked = rig_accepted(listener);
	KUNIT_ASSERT_NOT_NULL(test, asked);
	wire_event(asked, IB_CM_SIDR_REQ_RECEIVED);
	KUNIT_ASSERT_EQ(test, rig_send_sidr_rep(asked), 0);
	wire_event(id, IB_CM_SIDR_REP_RECEIVED);
	wire_quiet(id, 200);
	wire_quiet(asked, 0);
	wire_quiet(listener, 0);
}

static void exchange_connected(struct kunit *test, struct rig *a, struct rig *b,
			       struct rig_id *listener, bool mra)
{
	struct wire_pair pair;

	wire_call_pair(a, b, listener, &pair);
	if (mra) {
		KUNIT_ASSERT_EQ(test, ib_prepare_cm_mra(pair.b->cm), 0);
		wire_event(pair.a, IB_CM_MRA_RECEIVED);
	}
	KUNIT_ASSERT_EQ(test, rig_send_rep(pair.b), 0);
	event_but_mra(pair.a, IB_CM_REP_RECEIVED);
	KUNIT_ASSERT_EQ(test, ib_send_cm_rtu(pair.a->cm, NULL, 0), 0);
	wire_event(pair.b, IB_CM_RTU_RECEIVED);
	KUNIT_ASSERT_EQ(test, ib_send_cm_dreq(pair.a->cm, NULL, 0), 0);
	wire_event(pair.b, IB_CM_DREQ_RECEIVED);
	KUNIT_ASSERT_EQ(test, ib_send_cm_drep(pair.b->cm, NULL, 0), 0);
	wire_event(pair.a, IB_CM_DREP_RECEIVED);
	wire_event(pair.a, IB_CM_TIMEWAIT_EXIT);
	wire_event(pair.b, IB_CM_TIMEWAIT_EXIT);
	wire_quiet(pair.a, 200);
	wire_quiet(pair.b, 0);
	wire_quiet(listener, 0);
	KUNIT_EXPECT_EQ(test, pair.a->cm->state, IB_CM_IDLE);
	KUNIT_EXPECT_EQ(test, pair.b->cm->state, IB_CM_IDLE);
}

static void exchange(struct kunit *test, enum loop_fault fault, u32 times, u32 arg)
{
	const struct message *message = test->param_value;
	const struct loop_config config = { .layer = IB_LINK_LAYER_INFINIBAND };
	struct rig *rigs[2], *a, *b, *sender;
	struct rig_id *listener;

	wire_rigs(test, &config, rigs, 2);
	a = rigs[0];
	b = rigs[1];
	sender = message->asked_sends ? b : a;
	wire_times(a, WIRE_QUICK + 1);
	wire_times(b, WIRE_QUICK + 1);
	a->life_time = 12;	/* 17 ms: in timewait there is time for another event */
	listener = rig_listen(b, RIG_SERVICE);
	wire_fault(sender, fault, message->attr, times, arg);
	switch (message->attr) {
	case ATTR_REJ:
		exchange_rejected(test, a, b, listener,
				  fault == LOOP_DROP || fault == LOOP_SEND_ERROR);
		break;
	case ATTR_SIDR_REQ:
	case ATTR_SIDR_REP:
		exchange_resolved(test, a, b, listener);
		break;
	default:
		exchange_connected(test, a, b, listener, message->attr == ATTR_MRA);
	}
	/* It did happen. */
	KUNIT_EXPECT_GE(test, loop_fault_hits(sender->dev, 1, fault), 1);
}

/* One lost datagram delays the exchange by one wait; every event comes, once. */
static void message_lost(struct kunit *test)
{
	exchange(test, LOOP_DROP, 1, 0);
}

/* A datagram that comes twice is answered twice at most, and delivered once. */
static void message_doubled(struct kunit *test)
{
	exchange(test, LOOP_DUPLICATE, 0, 0);
}

/* Each copy of one message comes late, by less than a wait. */
static void message_late(struct kunit *test)
{
	exchange(test, LOOP_DELAY, 0, 50);
}

/* A send that fails on the wire is a loss like any other: it is repeated. */
static void message_send_error(struct kunit *test)
{
	exchange(test, LOOP_SEND_ERROR, 1, 0);
}

/*
 * The RTU overtaken by the DREQ: the DREQ ends the wait for the RTU (the sender of a DREQ has been
 * ESTABLISHED), the RTU that comes after it changes nothing.
 */
static void rtu_after_dreq(struct kunit *test)
{
	const struct loop_config config = { .layer = IB_LINK_LAYER_INFINIBAND };
	struct rig *rigs[2], *a, *b;
	struct rig_id *listener;
	struct wire_pair pair;

	wire_rigs(test, &config, rigs, 2);
	a = rigs[0];
	b = rigs[1];
	listener = rig_listen(b, RIG_SERVICE);
	wire_tap(b, ATTR_REP);
	wire_fault(a, LOOP_DELAY, ATTR_RTU, 0, 100);
	wire_call_pair(a, b, listener, &pair);
	KUNIT_ASSERT_EQ(test, rig_send_rep(pair.b), 0);
	wire_event(pair.a, IB_CM_REP_RECEIVED);
	KUNIT_ASSERT_EQ(test, ib_send_cm_rtu(pair.a->cm, NULL, 0), 0);
	KUNIT_ASSERT_EQ(test, ib_send_cm_dreq(pair.a->cm, NULL, 0), 0);
	wire_event(pair.b, IB_CM_DREQ_RECEIVED);
	msleep(200);
	wire_quiet(pair.b, 0);
	KUNIT_EXPECT_EQ(test, pair.b->cm->state, IB_CM_DREQ_RCVD);
	KUNIT_ASSERT_EQ(test, ib_send_cm_drep(pair.b->cm, NULL, 0), 0);
	wire_event(pair.a, IB_CM_DREP_RECEIVED);
	wire_event(pair.a, IB_CM_TIMEWAIT_EXIT);
	wire_event(pair.b, IB_CM_TIMEWAIT_EXIT);
	KUNIT_EXPECT_EQ(test, loop_fault_hits(a->dev, 1, LOOP_DELAY), 1);
	KUNIT_EXPECT_EQ(test, wire_tapped(b), 1);
}

/* Two datagrams of one port change places: whatever pair it is, the exchange ends as without it. */
static void message_reordered(struct kunit *test)
{
	exchange(test, LOOP_REORDER, 0, 0);
}

#define WIRE_PARAM(name)	KUNIT_CASE_PARAM(name, name##_gen)

static struct kunit_case wire_cases[] = {
	KUNIT_CASE_PARAM(connect_and_disconnect, layouts_gen_params),
	KUNIT_CASE(connect_again),
	KUNIT_CASE_PARAM(resolve_service, layouts_gen_params),
	KUNIT_CASE_PARAM(message_lost, messages_gen_params),
	KUNIT_CASE_PARAM(message_doubled, messages_gen_params),
	KUNIT_CASE_PARAM(message_late, messages_gen_params),
	KUNIT_CASE_PARAM(message_send_error, messages_gen_params),
	KUNIT_CASE_PARAM(message_reordered, messages_gen_params),
	KUNIT_CASE(rtu_after_dreq),
	WIRE_PARAM(fault_04_dreq_instead_of_rtu),
	KUNIT_CASE(fault_05_handler_sleeps),
	KUNIT_CASE(fault_05_listener_handler_sleeps),
	WIRE_PARAM(fault_05_unresolvable_peer),
	KUNIT_CASE(fault_06_req_black_hole),
	KUNIT_CASE(fault_07_create_ah_slow),
	KUNIT_CASE(fault_08_two_hosts_post_windows),
	WIRE_PARAM(fault_09_mra_long),
	WIRE_PARAM(fault_09_mra_stretches_once),
	KUNIT_CASE(fault_10_slow_consumers),
	WIRE_PARAM(fault_13_peer_rebooted),
	WIRE_PARAM(fault_14_comm_id_again),
	WIRE_PARAM(fault_14_repetition),
	KUNIT_CASE(fault_14_other_peer),
	WIRE_PARAM(fault_15_zero_guid_req),
	WIRE_PARAM(fault_15_zero_guid_rep),
	WIRE_PARAM(fault_21_rej_timeout_by_guid),
	KUNIT_CASE(fault_21_rej_timeout_other_guid),
	KUNIT_CASE(fault_21_rej_timeout_earlier_attempt),
	KUNIT_CASE(fault_21_rej_timeout_after_mra_sent),
	KUNIT_CASE(fault_21_rej_timeout_after_mra_received),
	WIRE_PARAM(fault_21_rej_forged),
	KUNIT_CASE(fault_22_rep_unknown),
	KUNIT_CASE(fault_22_rep_of_destroyed_id),
	KUNIT_CASE(fault_24_rtu_lost_notify),
	KUNIT_CASE_SLOW(fault_24_rtu_lost_silent),
	KUNIT_CASE(fault_24_rep_again_established),
	KUNIT_CASE(fault_24_rep_again_with_data),
	KUNIT_CASE(fault_24_rep_again_dreq_sent),
	KUNIT_CASE(fault_24_all_rtus_lost_two_ends),
	KUNIT_CASE(fault_27_time_fields_from_peer),
	KUNIT_CASE(fault_27_time_fields_from_api),
	KUNIT_CASE(fault_27_retry_counts),
	KUNIT_CASE(fault_27_max_cm_retries_counts),
	WIRE_PARAM(fault_27_qpn_over_24_bits),
	KUNIT_CASE(fault_30_handler_nomem),
	KUNIT_CASE(fault_30_handler_refuses),
	KUNIT_CASE(fault_31_rej_while_req_in_handler),
	KUNIT_CASE(fault_31_rej_before_handler),
	WIRE_PARAM(fault_33_pkey),
	KUNIT_CASE(fault_33_pkey_index_moves),
	WIRE_PARAM(fault_34_event_port),
	WIRE_PARAM(fault_34_sidr_event_port),
	WIRE_PARAM(fault_35_flood),
	WIRE_PARAM(fault_01_withheld),
	KUNIT_CASE(fault_01_withheld_many),
	KUNIT_CASE(fault_01_link_down_after_error),
	KUNIT_CASE(fault_01_address_resolves),
	WIRE_PARAM(fault_02_answer_withheld),
	WIRE_PARAM(fault_03_one_dreq),
	KUNIT_CASE(fault_03_dreq_over_budget),
	KUNIT_CASE(fault_11_drep_lost),
	KUNIT_CASE(fault_11_drep_lost_id_destroyed),
	KUNIT_CASE(fault_11_drep_lost_timewait_over),
	KUNIT_CASE(fault_11_dreq_unknown),
	KUNIT_CASE(fault_11_crossing_dreqs),
	WIRE_PARAM(fault_11_crossing_dreqs_two_ends),
	WIRE_PARAM(fault_11_drep_has_tid_of_dreq),
	WIRE_PARAM(fault_12_dreq_unanswered),
	KUNIT_CASE(fault_16_alloc_req_send),
	KUNIT_CASE(fault_16_alloc_req_receive),
	WIRE_PARAM(fault_17_reject),
	WIRE_PARAM(fault_17_destroy),
	WIRE_PARAM(fault_17_rejected),
	WIRE_PARAM(fault_18_lap_pending),
	KUNIT_CASE(fault_19_lap_of_other_device),
	KUNIT_CASE(fault_19_req_of_other_device),
	KUNIT_CASE(fault_19_migration_races_removal),
	WIRE_PARAM(fault_20_removal),
	WIRE_PARAM(fault_20_removal_and_calls),
	KUNIT_CASE(fault_20_removal_waits_for_handler),
	KUNIT_CASE(fault_23_listener_destroyed),
	KUNIT_CASE(fault_23_listener_of_sidr_destroyed),
	WIRE_PARAM(fault_25_private_data),
	KUNIT_CASE(fault_25_information),
	KUNIT_CASE(fault_25_mra_tail),
	WIRE_PARAM(fault_26_same_request_id),
	KUNIT_CASE(fault_26_repeated_while_pending),
	KUNIT_CASE(fault_26_repeated_after_reply),
	KUNIT_CASE(fault_26_unknown_service),
	KUNIT_CASE(fault_26_xrc_target_is_silent),
	KUNIT_CASE(fault_28_timewait_and_removal),
	KUNIT_CASE(fault_29_same_handler),
	KUNIT_CASE(fault_29_other_handler),
	KUNIT_CASE(fault_29_early_exit),
	KUNIT_CASE(fault_29_many_shares),
	KUNIT_CASE(fault_29_shares_come_and_go),
	KUNIT_CASE(fault_32_destroy_between_events),
	WIRE_PARAM(fault_32_destroy_drops_what_waits),
	WIRE_PARAM(rows_answer_refused),
	KUNIT_CASE(rows_refused_too_late),
	KUNIT_CASE(rows_listen_nomem),
	KUNIT_CASE(rows_needs_no_memory),
	KUNIT_CASE(rows_rep_unsent),
	KUNIT_CASE(rows_sidr_req_unsent),
	KUNIT_CASE(rows_wrong_state_and_bad_path),
	KUNIT_CASE(rows_assigned_services_differ),
	KUNIT_CASE(rows_qp_attr_pkey_gone),
	KUNIT_CASE(rows_qp_attr_alternate_pkey_gone),
	KUNIT_CASE(rows_flow_label),
	KUNIT_CASE(rows_dreq_tid),
	KUNIT_CASE(rows_req_without_a_path),
	KUNIT_CASE(rows_gids_given_back_active),
	KUNIT_CASE(rows_gids_given_back_roce),
	KUNIT_CASE(rows_gids_given_back_passive),
	KUNIT_CASE(rows_gids_given_back_by_what_waits),
	KUNIT_CASE(rows_alternate_ack_time),
	KUNIT_CASE(rows_migrated),
	KUNIT_CASE(rows_qp_attr_of_a_lap),
	KUNIT_CASE(rows_qp_attr_of_an_empty_lap),
	KUNIT_CASE(rows_peer_times_are_capped),
	KUNIT_CASE(rows_tx_retries),
	KUNIT_CASE(rows_source_of_another),
	KUNIT_CASE(rows_bad_alternate_path),
	KUNIT_CASE(rows_backlog_while_resolving),
	KUNIT_CASE(rows_rej_names_what_an_mra_told),
	KUNIT_CASE(rows_reply_rate),
	KUNIT_CASE(rows_replies_in_preparation),
	KUNIT_CASE(rows_events_that_wait),
	KUNIT_CASE(rows_stale_rep_ends_the_old),
	KUNIT_CASE(rows_sidr_request_id_again),
	KUNIT_CASE(rows_mra_of_what_was_not_sent),
	KUNIT_CASE(rows_timewait_yields),
	KUNIT_CASE(rows_private_data_lengths),
	KUNIT_CASE(rows_rep_in_no_partition),
	{}
};

static void wire_exit(struct kunit_suite *suite)
{
	wire_keep_no_more();
}

static struct kunit_suite wire_suite = {
	.name = "ib_cm_wire",
	.init = rig_case,
	.suite_exit = wire_exit,
	.test_cases = wire_cases,
};
kunit_test_suites(&wire_suite);

MODULE_DESCRIPTION("KUnit: exchanges of the InfiniBand CM over a loopback wire");
MODULE_LICENSE("GPL");
