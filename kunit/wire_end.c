// SPDX-License-Identifier: GPL-2.0-only
/*
 * What goes wrong when a connection, an id, a listener or a device ends. The
 * numbers are those of the field's faults; the sentence above each case is what
 * is right.
 *
 * Owns: nothing.
 */
#include <linux/delay.h>

#include "wire.h"

static struct rig *quick_rig(struct kunit *test)
{
	return wire_rig(test, IB_LINK_LAYER_INFINIBAND, WIRE_QUICK);
}

static struct rig *slow_rig(struct kunit *test)
{
	return wire_rig(test, IB_LINK_LAYER_INFINIBAND, WIRE_SLOW);
}

struct in_state {
	const char *desc;
	unsigned int state;
	bool active;
};

static struct rig_id *bring(struct rig *rig, const struct in_state *in)
{
	struct rig_id *id = rig_bring(rig, in->state, in->active);

	KUNIT_ASSERT_NOT_NULL(rig->test, id);
	return id;
}

static const struct in_state all_states[] = {
	{ .desc = "IDLE", .state = CM_ID_IDLE, .active = true },
	{ .desc = "LISTEN", .state = CM_ID_LISTEN },
	{ .desc = "REQ_SENT", .state = CM_ID_REQ_SENT, .active = true },
	{ .desc = "MRA_REQ_RCVD", .state = CM_ID_MRA_REQ_RCVD, .active = true },
	{ .desc = "REP_RCVD", .state = CM_ID_REP_RCVD, .active = true },
	{ .desc = "MRA_REP_SENT", .state = CM_ID_MRA_REP_SENT, .active = true },
	{ .desc = "REQ_RCVD", .state = CM_ID_REQ_RCVD },
	{ .desc = "MRA_REQ_SENT", .state = CM_ID_MRA_REQ_SENT },
	{ .desc = "REP_SENT", .state = CM_ID_REP_SENT },
	{ .desc = "MRA_REP_RCVD", .state = CM_ID_MRA_REP_RCVD },
	{ .desc = "ESTABLISHED, active", .state = CM_ID_ESTABLISHED, .active = true },
	{ .desc = "ESTABLISHED, passive", .state = CM_ID_ESTABLISHED },
	{ .desc = "ESTABLISHED, LAP received", .state = CM_ID_EST_LAP_RCVD },
	{ .desc = "ESTABLISHED, MRA of the LAP sent", .state = CM_ID_EST_MRA_LAP_SENT },
	{ .desc = "DREQ_SENT, active", .state = CM_ID_DREQ_SENT, .active = true },
	{ .desc = "DREQ_SENT, passive", .state = CM_ID_DREQ_SENT },
	{ .desc = "DREQ_RCVD, active", .state = CM_ID_DREQ_RCVD, .active = true },
	{ .desc = "DREQ_RCVD, passive", .state = CM_ID_DREQ_RCVD },
	{ .desc = "TIMEWAIT, active", .state = CM_ID_TIMEWAIT, .active = true },
	{ .desc = "TIMEWAIT, passive", .state = CM_ID_TIMEWAIT },
	{ .desc = "SIDR_REQ_SENT", .state = CM_ID_SIDR_REQ_SENT, .active = true },
	{ .desc = "SIDR_REQ_RCVD", .state = CM_ID_SIDR_REQ_RCVD },
};

WIRE_GEN(fault_01_withheld, all_states);
WIRE_GEN(fault_20_removal, all_states);

static const struct in_state called_states[] = {
	{ .desc = "IDLE", .state = CM_ID_IDLE, .active = true },
	{ .desc = "REQ_SENT", .state = CM_ID_REQ_SENT, .active = true },
	{ .desc = "REP_RCVD", .state = CM_ID_REP_RCVD, .active = true },
	{ .desc = "REQ_RCVD", .state = CM_ID_REQ_RCVD },
	{ .desc = "REP_SENT", .state = CM_ID_REP_SENT },
	{ .desc = "ESTABLISHED", .state = CM_ID_ESTABLISHED },
	{ .desc = "ESTABLISHED, LAP received", .state = CM_ID_EST_LAP_RCVD },
	{ .desc = "DREQ_RCVD", .state = CM_ID_DREQ_RCVD },
	{ .desc = "TIMEWAIT", .state = CM_ID_TIMEWAIT, .active = true },
	{ .desc = "SIDR_REQ_RCVD", .state = CM_ID_SIDR_REQ_RCVD },
};

WIRE_GEN(fault_20_removal_and_calls, called_states);

/* Timewait that outlasts the test's steps. */
static void long_timewait(struct rig *rig)
{
	rig->ack_time = WIRE_SLOW;
	rig->life_time = WIRE_SLOW - 1;
}

/*
 * 1: sends that do not complete
 */

/* States on whose way nothing is sent. */
static bool silent(unsigned int state)
{
	return state == CM_ID_IDLE || state == CM_ID_LISTEN || state == CM_ID_REQ_RCVD ||
	       state == CM_ID_MRA_REQ_SENT || state == CM_ID_SIDR_REQ_RCVD;
}

/*
 * No send of an id's whole life has completed: destroy does not wait for them, and nothing of the id is touched when
 * they do.
 */
void fault_01_withheld(struct kunit *test)
{
	const struct in_state *in = test->param_value;
	struct rig *rig = slow_rig(test);
	struct rig_id *id;

	long_timewait(rig);
	wire_fault(rig, LOOP_SEND_NEVER, 0, 0, 0);
	id = bring(rig, in);
	if (!silent(in->state))
		KUNIT_EXPECT_GE(test, loop_fault_hits(rig->dev, 1, LOOP_SEND_NEVER), 1);
	wire_destroy(id);
	loop_faults_clear(rig->dev);
	loop_hca_release(rig->dev);
	rig_settle(rig);
	wire_quiet(id, 20);
}

struct many {
	struct rig_id **ids;
	unsigned int n;
};

static void destroy_job(void *arg)
{
	struct many *many = arg;
	unsigned int i;

	for (i = 0; i < many->n; i++)
		rig_id_destroy(many->ids[i]);
}

/* Nor do many at once, from four threads. */
void fault_01_withheld_many(struct kunit *test)
{
	unsigned int n = wire_many / 4, i;
	struct wire_job jobs[4];
	struct many many[4];
	struct rig *rig = slow_rig(test);
	struct rig_id **ids = kunit_kcalloc(test, 4 * n, sizeof(*ids), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, ids);
	wire_fault(rig, LOOP_SEND_NEVER, 0, 0, 0);
	for (i = 0; i < 4 * n; i++) {
		ids[i] = rig_id_create(rig);
		KUNIT_ASSERT_EQ(test, i % 2 ? rig_send_req(ids[i]) : rig_send_sidr_req(ids[i]), 0);
	}
	for (i = 0; i < 4; i++) {
		many[i].ids = ids + i * n;
		many[i].n = n;
		wire_start(test, &jobs[i], destroy_job, &many[i]);
	}
	for (i = 0; i < 4; i++)
		KUNIT_ASSERT_TRUE(test, wire_join(&jobs[i], WIRE_PROMPT_MS + 4 * n * 20));
	KUNIT_EXPECT_GE(test, loop_fault_hits(rig->dev, 1, LOOP_SEND_NEVER), min(4 * n, 8));
	loop_faults_clear(rig->dev);
	loop_hca_release(rig->dev);
	rig_settle(rig);
	for (i = 0; i < 4 * n; i++)
		wire_quiet(ids[i], 0);
}

/* A send fails, and then the link is down for good: destroy is as prompt. */
void fault_01_link_down_after_error(struct kunit *test)
{
	struct rig *rig = quick_rig(test);
	struct rig_id *ids[3];
	unsigned int i;

	ids[0] = rig_bring(rig, CM_ID_REQ_SENT, true);
	ids[1] = rig_bring(rig, CM_ID_REP_SENT, false);
	ids[2] = rig_bring(rig, CM_ID_ESTABLISHED, true);
	for (i = 0; i < 3; i++)
		KUNIT_ASSERT_NOT_NULL(test, ids[i]);
	wire_fault(rig, LOOP_SEND_ERROR, 0, 1, 0);
	KUNIT_EXPECT_TRUE(test, rig_until(loop_fault_hits(rig->dev, 1, LOOP_SEND_ERROR)));
	wire_fault(rig, LOOP_SEND_NEVER, 0, 0, 0);
	loop_hca_port_state(rig->dev, 1, IB_PORT_DOWN);
	for (i = 0; i < 3; i++)
		wire_destroy(ids[i]);
	loop_hca_port_state(rig->dev, 1, IB_PORT_ACTIVE);
}

/* While the way back to a requester is being resolved, the listener can be destroyed; the request is nobody's then. */
void fault_01_address_resolves(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct rig_id *listener = rig_listen(rig, RIG_SERVICE);
	u8 mad[MAD_BYTES];

	wire_peer(rig, wire_station(test, IB_LINK_LAYER_INFINIBAND));
	wire_fault(rig, LOOP_AH_SLOW, 0, 1, 4 * RIG_WAIT_MS);
	rig_make_req(rig, RIG_SERVICE, mad);
	rig_peer_send(rig, mad);
	KUNIT_ASSERT_TRUE(test, rig_until(loop_fault_hits(rig->dev, 1, LOOP_AH_SLOW)));
	wire_destroy(listener);
	wire_quiet(listener, 0);
	loop_faults_clear(rig->dev);
	wire_expect(rig, ATTR_REJ, mad);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "reason"), IB_CM_REJ_INVALID_SERVICE_ID);
}

/*
 * 2: messages that expect no answer
 */
struct answer {
	const char *desc;
	u16 attr;
};

static const struct answer answers[] = {
	{ .desc = "RTU", .attr = ATTR_RTU },
	{ .desc = "DREP", .attr = ATTR_DREP },
	{ .desc = "REJ", .attr = ATTR_REJ },
	{ .desc = "MRA", .attr = ATTR_MRA },
	{ .desc = "SIDR_REP", .attr = ATTR_SIDR_REP },
};

WIRE_GEN(fault_02_answer_withheld, answers);

/* One that has left and does not complete is no reason to wait. */
void fault_02_answer_withheld(struct kunit *test)
{
	const struct answer *answer = test->param_value;
	struct rig *rig = slow_rig(test);
	struct rig_id *id = NULL;
	u8 mad[MAD_BYTES];

	long_timewait(rig);
	wire_fault(rig, LOOP_SEND_NEVER, answer->attr, 0, 0);
	switch (answer->attr) {
	case ATTR_RTU:
		id = rig_bring(rig, CM_ID_ESTABLISHED, true);
		break;
	case ATTR_DREP:
		id = rig_bring(rig, CM_ID_TIMEWAIT, false);
		break;
	case ATTR_REJ:
		id = rig_bring(rig, CM_ID_IDLE, false);
		break;
	case ATTR_MRA:
		id = rig_bring(rig, CM_ID_MRA_REQ_SENT, false);
		KUNIT_ASSERT_NOT_NULL(test, id);
		wire_answer(id, ATTR_REQ);
		wire_expect(rig, ATTR_MRA, mad);
		break;
	case ATTR_SIDR_REP:
		id = rig_bring(rig, CM_ID_SIDR_REQ_RCVD, false);
		KUNIT_ASSERT_NOT_NULL(test, id);
		KUNIT_ASSERT_EQ(test, rig_send_sidr_rep(id), 0);
		wire_expect(rig, ATTR_SIDR_REP, mad);
		break;
	}
	KUNIT_ASSERT_NOT_NULL(test, id);
	KUNIT_EXPECT_EQ(test, loop_fault_hits(rig->dev, 1, LOOP_SEND_NEVER), 1);
	wire_destroy(id);
}

/*
 * 3: destroy of a connection
 */
struct parting {
	const char *desc;
	enum rdma_link_layer layer;
	bool active;
	enum loop_fault fault;
	bool faulty;
	unsigned int arrive;
};

static const struct parting partings[] = {
	{ .desc = "active", .layer = IB_LINK_LAYER_INFINIBAND, .active = true, .arrive = 1 },
	{ .desc = "passive", .layer = IB_LINK_LAYER_INFINIBAND, .arrive = 1 },
	{ .desc = "RoCE, active", .layer = IB_LINK_LAYER_ETHERNET, .active = true, .arrive = 1 },
	{ .desc = "RoCE, passive", .layer = IB_LINK_LAYER_ETHERNET, .arrive = 1 },
	{ .desc = "the send does not complete", .layer = IB_LINK_LAYER_INFINIBAND, .active = true,
	  .faulty = true, .fault = LOOP_SEND_NEVER, .arrive = 1 },
	{ .desc = "it is lost", .layer = IB_LINK_LAYER_INFINIBAND, .active = true,
	  .faulty = true, .fault = LOOP_DROP },
	{ .desc = "the send fails", .layer = IB_LINK_LAYER_INFINIBAND,
	  .faulty = true, .fault = LOOP_SEND_ERROR },
};

WIRE_GEN(fault_03_one_dreq, partings);

/* One DREQ leaves, with the connection's numbers; nobody waits for its answer, and it is not repeated. */
void fault_03_one_dreq(struct kunit *test)
{
	const struct parting *how = test->param_value;
	struct rig *rig = wire_rig(test, how->layer, WIRE_QUICK);
	struct rig_id *id = rig_bring(rig, CM_ID_ESTABLISHED, how->active);
	unsigned int dreqs = 0;
	u8 mad[MAD_BYTES];

	KUNIT_ASSERT_NOT_NULL(test, id);
	rig_settle(rig);
	wire_drain(rig);
	wire_tap(rig, ATTR_DREQ);
	if (how->faulty)
		wire_fault(rig, how->fault, ATTR_DREQ, 0, 0);
	wire_destroy(id);
	while (rig_peer_recv(rig, 0, mad, WIRE_QUIET_MS)) {
		KUNIT_EXPECT_EQ(test, mad_attr(mad), ATTR_DREQ);
		KUNIT_EXPECT_EQ(test, mad_get(mad, "local_comm_id"), id->local_id);
		KUNIT_EXPECT_EQ(test, mad_get(mad, "remote_comm_id"), id->peer_id);
		KUNIT_EXPECT_EQ(test, mad_get(mad, "remote_qpn_eecn"), id->peer_qpn);
		dreqs++;
	}
	KUNIT_EXPECT_EQ(test, dreqs, how->arrive);
	if (how->faulty)
		KUNIT_EXPECT_EQ(test, loop_fault_hits(rig->dev, 1, how->fault), 1);
	wire_quiet(id, 0);
}

/* It is not lost when as many datagrams as may be posted have not completed: it leaves when its turn comes. */
void fault_03_dreq_over_budget(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct rig_id *ids[3];
	unsigned int i, dreqs = 0, mask = 0;
	u8 mad[MAD_BYTES];

	for (i = 0; i < 3; i++) {
		ids[i] = rig_bring(rig, CM_ID_ESTABLISHED, i % 2);
		KUNIT_ASSERT_NOT_NULL(test, ids[i]);
	}
	rig_settle(rig);
	KUNIT_ASSERT_TRUE(test, rig_param(test, "send_budget", 8));
	wire_fault(rig, LOOP_SEND_NEVER, 0, 0, 0);
	for (i = 0; i < 16; i++)
		KUNIT_ASSERT_EQ(test, rig_send_req(rig_id_create(rig)), 0);
	for (i = 0; i < 3; i++)
		wire_destroy(ids[i]);
	KUNIT_EXPECT_EQ(test, wire_count(rig, ATTR_DREQ, 100), 0);
	loop_faults_clear(rig->dev);
	loop_hca_release(rig->dev);
	while (rig_peer_recv(rig, ATTR_DREQ, mad, WIRE_QUIET_MS)) {
		dreqs++;
		for (i = 0; i < 3; i++)
			if (mad_get(mad, "local_comm_id") == ids[i]->local_id)
				mask |= 1 << i;
	}
	KUNIT_EXPECT_EQ(test, dreqs, 3);
	KUNIT_EXPECT_EQ(test, mask, 7);
}

/*
 * 11: DREPs are lost, DREQs cross
 */
static void expect_drep(struct rig_id *id, u64 tid, const u8 *data)
{
	struct kunit *test = id->rig->test;
	u8 mad[MAD_BYTES];

	wire_expect(id->rig, ATTR_DREP, mad);
	KUNIT_EXPECT_EQ(test, mad_get(mad, F_MAD_TID), tid);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "local_comm_id"), id->local_id);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "remote_comm_id"), id->peer_id);
	if (data)
		KUNIT_EXPECT_MEMEQ(test, mad_bytes(mad, "private_data"), data,
				   IB_CM_DREP_PRIVATE_DATA_SIZE);
}

static struct rig_id *answered_dreq(struct rig *rig, u8 *data)
{
	struct rig_id *id;

	long_timewait(rig);
	id = rig_bring(rig, CM_ID_DREQ_RCVD, false);
	KUNIT_ASSERT_NOT_NULL(rig->test, id);
	memset(data, 0x5a, IB_CM_DREP_PRIVATE_DATA_SIZE);
	data[0] = 1;
	KUNIT_ASSERT_EQ(rig->test, ib_send_cm_drep(id->cm, data, IB_CM_DREP_PRIVATE_DATA_SIZE), 0);
	expect_drep(id, rig->tid, data);
	return id;
}

/* rig_make() gives each DREQ a TID of its own, as a new attempt to disconnect has. */
static void dreqs_again(struct rig_id *id, const u8 *data)
{
	unsigned int i;

	for (i = 0; i < 3; i++) {
		wire_answer(id, ATTR_DREQ);
		expect_drep(id, id->rig->tid, data);
	}
	KUNIT_EXPECT_EQ(id->rig->test, wire_count(id->rig, 0, 50), 0);
	wire_quiet(id, 0);
}

/* Each repeated DREQ gets the same DREP, private data and all, with its own TID, and is no event. */
void fault_11_drep_lost(struct kunit *test)
{
	u8 data[IB_CM_DREP_PRIVATE_DATA_SIZE];
	struct rig_id *id = answered_dreq(slow_rig(test), data);

	dreqs_again(id, data);
	KUNIT_EXPECT_EQ(test, id->cm->state, IB_CM_TIMEWAIT);
}

/* The same after the id is gone. */
void fault_11_drep_lost_id_destroyed(struct kunit *test)
{
	u8 data[IB_CM_DREP_PRIVATE_DATA_SIZE];
	struct rig_id *id = answered_dreq(slow_rig(test), data);

	wire_destroy(id);
	dreqs_again(id, data);
}

/*
 * When timewait is over, and even when the id is IDLE again, a DREQ still gets a DREP: its sender must come to an end.
 */
void fault_11_drep_lost_timewait_over(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct rig_id *id = rig_bring(rig, CM_ID_TIMEWAIT, false);

	KUNIT_ASSERT_NOT_NULL(test, id);
	wire_event(id, IB_CM_TIMEWAIT_EXIT);
	wire_reaches(id, CM_ID_IDLE);
	dreqs_again(id, NULL);
	wire_destroy(id);
	dreqs_again(id, NULL);
}

/* A DREQ for a connection that nobody has ever had gets a DREP with its ids and TID. */
void fault_11_dreq_unknown(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	u8 mad[MAD_BYTES];

	mad_init(mad, ATTR_DREQ, 0xfeed);
	mad_set(mad, "local_comm_id", 0x101);
	mad_set(mad, "remote_comm_id", 0x202);
	mad_set(mad, "remote_qpn_eecn", 0x303);
	rig_peer_send(rig, mad);
	wire_expect(rig, ATTR_DREP, mad);
	KUNIT_EXPECT_EQ(test, mad_get(mad, F_MAD_TID), 0xfeed);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "local_comm_id"), 0x202);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "remote_comm_id"), 0x101);
	KUNIT_EXPECT_EQ(test, wire_count(rig, 0, 50), 0);
}

/* The peer's DREQ in answer to ours ends the repetitions of ours; with the DREPs both are done. */
void fault_11_crossing_dreqs(struct kunit *test)
{
	struct rig *rig = quick_rig(test);
	struct rig_id *id;

	rig->ack_time = 17;
	rig->life_time = 16;
	id = rig_bring(rig, CM_ID_DREQ_SENT, true);
	KUNIT_ASSERT_NOT_NULL(test, id);
	wire_answer(id, ATTR_DREQ);
	wire_event(id, IB_CM_DREQ_RECEIVED);
	rig_flush(rig);
	wire_drain(rig);
	KUNIT_EXPECT_EQ(test, wire_count(rig, 0, WIRE_QUIET_MS), 0);
	KUNIT_ASSERT_EQ(test, ib_send_cm_drep(id->cm, NULL, 0), 0);
	expect_drep(id, rig->tid, NULL);
	wire_answer(id, ATTR_DREP);
	wire_event(id, IB_CM_TIMEWAIT_EXIT);
	wire_quiet(id, 50);
	KUNIT_EXPECT_EQ(test, wire_count(rig, 0, 0), 0);
}

static int agree(struct rig_id *id, const struct rig_event *event)
{
	wire_agree(id, event);
	return 0;
}

struct crossing {
	const char *desc;
	enum rdma_link_layer layer;
	bool lost;
};

static const struct crossing crossings[] = {
	{ .desc = "InfiniBand", .layer = IB_LINK_LAYER_INFINIBAND },
	{ .desc = "RoCE", .layer = IB_LINK_LAYER_ETHERNET },
	{ .desc = "one of the DREQs is lost", .layer = IB_LINK_LAYER_INFINIBAND, .lost = true },
};

WIRE_GEN(fault_11_crossing_dreqs_two_ends, crossings);

static void until_timewait_exit(struct rig_id *id)
{
	const struct rig_event *event;

	do {
		event = rig_event(id, RIG_WAIT_MS);
		KUNIT_ASSERT_NOT_NULL(id->rig->test, event);
		KUNIT_EXPECT_NE(id->rig->test, event->type, IB_CM_DREQ_ERROR);
	} while (event->type != IB_CM_TIMEWAIT_EXIT);
	wire_quiet(id, 20);
}

/*
 * Both ends disconnect at once: both end with one TIMEWAIT_EXIT and without an error; no DREQ is sent twice, unless
 * the wait was too short.
 */
void fault_11_crossing_dreqs_two_ends(struct kunit *test)
{
	const struct crossing *how = test->param_value;
	const struct loop_config config = { .layer = how->layer };
	struct wire_pair pair;
	struct rig *rigs[2];
	int i;

	wire_rigs(test, &config, rigs, 2);
	wire_connect_pair(rigs[0], rigs[1], rig_listen(rigs[1], RIG_SERVICE), &pair);
	pair.a->hook = agree;
	pair.b->hook = agree;
	for (i = 0; i < 2; i++) {
		wire_tap(rigs[i], ATTR_DREQ);
		wire_fault(rigs[i], LOOP_DELAY, ATTR_DREQ, 0, 100);
	}
	if (how->lost)
		wire_fault(rigs[0], LOOP_DROP, ATTR_DREQ, 1, 0);
	KUNIT_ASSERT_EQ(test, ib_send_cm_dreq(pair.a->cm, NULL, 0), 0);
	KUNIT_ASSERT_EQ(test, ib_send_cm_dreq(pair.b->cm, NULL, 0), 0);
	until_timewait_exit(pair.a);
	until_timewait_exit(pair.b);
	for (i = 0; i < 2; i++) {
		KUNIT_EXPECT_EQ(test, wire_tapped(rigs[i]), 1);
		if (!how->lost)
			KUNIT_EXPECT_EQ(test, loop_fault_hits(rigs[i]->dev, 1, LOOP_DELAY), 1);
	}
}

/*
 * 12: the DREQ is never answered
 */
static const struct in_state connected[] = {
	{ .desc = "active", .state = CM_ID_ESTABLISHED, .active = true },
	{ .desc = "passive", .state = CM_ID_ESTABLISHED },
};

WIRE_GEN(fault_12_dreq_unanswered, connected);

/* DREQ_ERROR, then TIMEWAIT_EXIT, once each; as many copies as the REQ allows. */
void fault_12_dreq_unanswered(struct kunit *test)
{
	struct rig *rig = quick_rig(test);
	struct rig_id *id;

	rig->retries = 3;
	id = bring(rig, test->param_value);
	wire_tap(rig, ATTR_DREQ);
	KUNIT_ASSERT_EQ(test, ib_send_cm_dreq(id->cm, NULL, 0), 0);
	wire_event(id, IB_CM_DREQ_ERROR);
	wire_event(id, IB_CM_TIMEWAIT_EXIT);
	wire_quiet(id, WIRE_QUIET_MS);
	KUNIT_EXPECT_EQ(test, wire_tapped(rig), 4);
	KUNIT_EXPECT_EQ(test, id->cm->state, IB_CM_IDLE);
}

/*
 * 16: no memory
 */
#define WIRE_ALLOCATIONS	100	/* more than a call makes */

/*
 * Whichever allocation of ib_send_cm_req() fails, the call says -ENOMEM and the id is IDLE and can be used, or the call
 * succeeds and a copy of the REQ leaves. Nothing is leaked; the device can be removed.
 */
void fault_16_alloc_req_send(struct kunit *test)
{
#ifdef CONFIG_FAULT_INJECTION
	struct rig *rig = quick_rig(test);
	DECLARE_BITMAP(failed, WIRE_ALLOCATIONS) = {};
	unsigned int n, left, round;
	u8 mad[MAD_BYTES];
	int ret;

	if (!rig_failslab(test))
		kunit_skip(test, "failslab is not there, or spares allocations that may sleep");
	for (round = 0; round < RIG_SHORT_ROUNDS && bitmap_weight(failed, WIRE_ALLOCATIONS) < 2; round++) {
		for (n = 1, left = 0; n < WIRE_ALLOCATIONS && !left; n++) {
			struct rig_id *id = rig_id_create(rig);

			/* Its own handles, so that they are made. */
			wire_peer(rig, wire_station(test, IB_LINK_LAYER_INFINIBAND));
			rig_fail_here(n);
			ret = rig_send_req(id);
			left = rig_fail_here(0);
			if (ret) {
				__set_bit(n, failed);
				KUNIT_EXPECT_EQ_MSG(test, ret, -ENOMEM, "allocation %u", n);
				KUNIT_EXPECT_EQ(test, id->cm->state, IB_CM_IDLE);
				KUNIT_EXPECT_EQ_MSG(test, rig_send_req(id), 0,
						    "after allocation %u failed", n);
			}
			wire_expect(rig, ATTR_REQ, mad);
			wire_destroy(id);
		}
		KUNIT_EXPECT_GT(test, left, 0);
	}
	KUNIT_EXPECT_GT(test, bitmap_weight(failed, WIRE_ALLOCATIONS), 1);
	kunit_info(test, "%u allocations, %u of them fail the call", n - 2,
		   bitmap_weight(failed, WIRE_ALLOCATIONS));
	rig_settle(rig);
	rig_unplug(rig);
#else
	kunit_skip(test, "the kernel has no fault injection");
#endif
}

/* Whichever allocation on the way of a REQ to its listener fails, it is a lost REQ: its repetition is served, once. */
void fault_16_alloc_req_receive(struct kunit *test)
{
#ifdef CONFIG_FAULT_INJECTION
	struct rig *rig = slow_rig(test);
	struct rig_id *listener = rig_listen(rig, RIG_SERVICE), *id;
	struct wire_gate *gate = wire_gate(test, listener, 0);
	/* A kernel that tracks references allocates for each. */
	const unsigned int most = IS_ENABLED(CONFIG_REF_TRACKER) ? 64 : 24;
	unsigned int n, lost = 0;
	u8 req[MAD_BYTES];
	int i, before;

	if (!rig_failslab(test))
		kunit_skip(test, "failslab is not there, or spares allocations that may sleep");
	for (n = 1; n <= most; n++) {
		wire_peer(rig, wire_station(test, IB_LINK_LAYER_INFINIBAND));
		rig_make_req(rig, RIG_SERVICE, req);
		before = atomic_read(&gate->entered);
		rig_fail_workers(n);
		rig_peer_send(rig, req);
		msleep(30);
		rig_fail_workers(0);
		for (i = 0; i < 5 && atomic_read(&gate->entered) == before; i++) {
			rig_settle(rig);
			if (atomic_read(&gate->entered) != before)
				break;
			lost++;
			rig_peer_send(rig, req);
		}
		id = rig_accepted(listener);
		KUNIT_ASSERT_NOT_NULL_MSG(test, id, "allocation %u", n);
		wire_event(id, IB_CM_REQ_RECEIVED);
		KUNIT_EXPECT_EQ(test, rig_send_rep(id), 0);
		wire_expect(rig, ATTR_REP, req);
		rig_settle(rig);
		KUNIT_EXPECT_EQ(test, atomic_read(&gate->entered), before + 1);
		wire_destroy(id);
	}
	KUNIT_EXPECT_GT(test, lost, 0);
	kunit_info(test, "%u REQs lost", lost);
	rig_unplug(rig);
#else
	kunit_skip(test, "the kernel has no fault injection");
#endif
}

/*
 * 17: reject and destroy in each state
 */

struct rejecting {
	const char *desc;
	unsigned int state;
	bool active;
	int ret;
	u8 rejected;
	unsigned int after;
};

static const struct rejecting rejections[] = {
	{ .desc = "IDLE", .state = CM_ID_IDLE, .active = true, .ret = -EINVAL },
	{ .desc = "LISTEN", .state = CM_ID_LISTEN, .ret = -EINVAL },
	{ .desc = "REQ_SENT", .state = CM_ID_REQ_SENT, .active = true, .rejected = REJ_OF_NOTHING,
	  .after = CM_ID_IDLE },
	{ .desc = "MRA_REQ_RCVD", .state = CM_ID_MRA_REQ_RCVD, .active = true,
	  .rejected = REJ_OF_NOTHING, .after = CM_ID_IDLE },
	{ .desc = "REQ_RCVD", .state = CM_ID_REQ_RCVD, .rejected = REJ_OF_REQ,
	  .after = CM_ID_IDLE },
	{ .desc = "MRA_REQ_SENT", .state = CM_ID_MRA_REQ_SENT, .rejected = REJ_OF_REQ,
	  .after = CM_ID_IDLE },
	{ .desc = "REP_RCVD", .state = CM_ID_REP_RCVD, .active = true, .rejected = REJ_OF_REP,
	  .after = CM_ID_IDLE },
	{ .desc = "MRA_REP_SENT", .state = CM_ID_MRA_REP_SENT, .active = true,
	  .rejected = REJ_OF_REP, .after = CM_ID_IDLE },
	{ .desc = "REP_SENT", .state = CM_ID_REP_SENT, .rejected = REJ_OF_NOTHING,
	  .after = CM_ID_TIMEWAIT },
	{ .desc = "MRA_REP_RCVD", .state = CM_ID_MRA_REP_RCVD, .rejected = REJ_OF_NOTHING,
	  .after = CM_ID_TIMEWAIT },
	{ .desc = "ESTABLISHED", .state = CM_ID_ESTABLISHED, .ret = -EINVAL },
	{ .desc = "DREQ_SENT", .state = CM_ID_DREQ_SENT, .ret = -EINVAL },
	{ .desc = "DREQ_RCVD", .state = CM_ID_DREQ_RCVD, .ret = -EINVAL },
	{ .desc = "TIMEWAIT", .state = CM_ID_TIMEWAIT, .ret = -EINVAL },
	{ .desc = "SIDR_REQ_SENT", .state = CM_ID_SIDR_REQ_SENT, .active = true, .ret = -EINVAL },
	{ .desc = "SIDR_REQ_RCVD", .state = CM_ID_SIDR_REQ_RCVD, .ret = -EINVAL },
};

WIRE_GEN(fault_17_reject, rejections);

/*
 * ib_send_cm_rej(): one REJ that says what was rejected, as the state was before the call; nothing is repeated after
 * it.
 */
void fault_17_reject(struct kunit *test)
{
	const struct rejecting *how = test->param_value;
	struct rig *rig = quick_rig(test);
	u8 ari[4] = { 9, 8, 7, 6 }, data[3] = { 1, 2, 3 }, mad[MAD_BYTES];
	struct rig_id *id;

	long_timewait(rig);
	if (how->ret)
		rig->response_time = WIRE_SLOW;	/* nothing changes but by the call */
	rig->life_time = WIRE_ACK - 1;
	id = rig_bring(rig, how->state, how->active);
	KUNIT_ASSERT_NOT_NULL(test, id);
	if (how->active && how->state != CM_ID_IDLE)
		rig_peer_waiting(rig);
	wire_drain(rig);
	KUNIT_EXPECT_EQ(test, ib_send_cm_rej(id->cm, IB_CM_REJ_INVALID_MTU, ari, sizeof(ari), data,
					     sizeof(data)),
			how->ret);
	if (how->ret) {
		KUNIT_EXPECT_EQ(test, rig_state(id), how->state);
		KUNIT_EXPECT_EQ(test, wire_count(rig, 0, 50), 0);
		return;
	}
	KUNIT_EXPECT_EQ(test, rig_state(id), how->after);
	wire_expect(rig, ATTR_REJ, mad);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "message_rejected"), how->rejected);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "reason"), IB_CM_REJ_INVALID_MTU);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "remote_comm_id"),
			how->state == CM_ID_REQ_SENT ? 0 : id->peer_id);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "rejected_info_length"), sizeof(ari));
	KUNIT_EXPECT_MEMEQ(test, mad_bytes(mad, "ari"), ari, sizeof(ari));
	KUNIT_EXPECT_MEMEQ(test, mad_bytes(mad, "private_data"), data, sizeof(data));
	KUNIT_EXPECT_EQ(test, mad_get(mad, F_MAD_TID), id->tid);
	KUNIT_EXPECT_EQ(test, wire_count(rig, 0, WIRE_QUIET_MS), 0);
	if (how->after == CM_ID_IDLE)
		wire_quiet(id, 0);
}

struct destroying {
	const char *desc;
	unsigned int state;
	bool active;
	u16 attr;		/* of what leaves; 0: nothing */
	u16 reason;
	u8 rejected;
};

static const struct destroying destructions[] = {
	{ .desc = "IDLE", .state = CM_ID_IDLE, .active = true },
	{ .desc = "LISTEN", .state = CM_ID_LISTEN },
	{ .desc = "REQ_SENT", .state = CM_ID_REQ_SENT, .active = true, .attr = ATTR_REJ,
	  .reason = IB_CM_REJ_TIMEOUT, .rejected = REJ_OF_NOTHING },
	{ .desc = "MRA_REQ_RCVD", .state = CM_ID_MRA_REQ_RCVD, .active = true, .attr = ATTR_REJ,
	  .reason = IB_CM_REJ_TIMEOUT, .rejected = REJ_OF_NOTHING },
	{ .desc = "REQ_RCVD", .state = CM_ID_REQ_RCVD, .attr = ATTR_REJ,
	  .reason = IB_CM_REJ_CONSUMER_DEFINED, .rejected = REJ_OF_REQ },
	{ .desc = "MRA_REQ_SENT", .state = CM_ID_MRA_REQ_SENT, .attr = ATTR_REJ,
	  .reason = IB_CM_REJ_CONSUMER_DEFINED, .rejected = REJ_OF_REQ },
	{ .desc = "REP_RCVD", .state = CM_ID_REP_RCVD, .active = true, .attr = ATTR_REJ,
	  .reason = IB_CM_REJ_CONSUMER_DEFINED, .rejected = REJ_OF_REP },
	{ .desc = "MRA_REP_SENT", .state = CM_ID_MRA_REP_SENT, .active = true, .attr = ATTR_REJ,
	  .reason = IB_CM_REJ_CONSUMER_DEFINED, .rejected = REJ_OF_REP },
	{ .desc = "REP_SENT", .state = CM_ID_REP_SENT, .attr = ATTR_REJ,
	  .reason = IB_CM_REJ_CONSUMER_DEFINED, .rejected = REJ_OF_NOTHING },
	{ .desc = "MRA_REP_RCVD", .state = CM_ID_MRA_REP_RCVD, .attr = ATTR_REJ,
	  .reason = IB_CM_REJ_CONSUMER_DEFINED, .rejected = REJ_OF_NOTHING },
	{ .desc = "ESTABLISHED, active", .state = CM_ID_ESTABLISHED, .active = true,
	  .attr = ATTR_DREQ },
	{ .desc = "ESTABLISHED, passive", .state = CM_ID_ESTABLISHED, .attr = ATTR_DREQ },
	{ .desc = "DREQ_SENT", .state = CM_ID_DREQ_SENT },
	{ .desc = "DREQ_RCVD", .state = CM_ID_DREQ_RCVD, .attr = ATTR_DREP },
	{ .desc = "TIMEWAIT", .state = CM_ID_TIMEWAIT },
	{ .desc = "SIDR_REQ_SENT", .state = CM_ID_SIDR_REQ_SENT, .active = true },
	{ .desc = "SIDR_REQ_RCVD", .state = CM_ID_SIDR_REQ_RCVD, .attr = ATTR_SIDR_REP },
};

WIRE_GEN(fault_17_destroy, destructions);

/* At most one parting message, which says what the state was; nothing follows it. */
void fault_17_destroy(struct kunit *test)
{
	const struct destroying *how = test->param_value;
	struct rig *rig = quick_rig(test);
	struct rig_id *id = rig_bring(rig, how->state, how->active);
	u8 mad[MAD_BYTES];

	KUNIT_ASSERT_NOT_NULL(test, id);
	rig_peer_waiting(rig);
	wire_destroy(id);
	/* A copy that left just before. */
	if (how->state == CM_ID_DREQ_SENT || how->state == CM_ID_SIDR_REQ_SENT) {
		rig_settle(rig);
		wire_drain(rig);
	}
	if (how->attr)
		wire_expect(rig, how->attr, mad);
	KUNIT_EXPECT_EQ(test, wire_count(rig, 0, WIRE_QUIET_MS), 0);
	wire_quiet(id, 0);
	if (how->attr == ATTR_REJ) {
		KUNIT_EXPECT_EQ(test, mad_get(mad, "reason"), how->reason);
		KUNIT_EXPECT_EQ(test, mad_get(mad, "message_rejected"), how->rejected);
		KUNIT_EXPECT_EQ(test, mad_get(mad, F_MAD_TID), id->tid);
		KUNIT_EXPECT_EQ(test, mad_get(mad, "remote_comm_id"),
				how->state == CM_ID_REQ_SENT ? 0 : id->peer_id);
	} else if (how->attr == ATTR_SIDR_REP) {
		KUNIT_EXPECT_EQ(test, mad_get(mad, "status"), IB_SIDR_REJECT);
		KUNIT_EXPECT_EQ(test, mad_get(mad, "request_id"), id->peer_id);
		KUNIT_EXPECT_EQ(test, mad_get(mad, F_MAD_TID), id->tid);
	} else if (how->attr) {
		KUNIT_EXPECT_EQ(test, mad_get(mad, "local_comm_id"), id->local_id);
		KUNIT_EXPECT_EQ(test, mad_get(mad, "remote_comm_id"), id->peer_id);
	}
}

static const struct rejecting rejected[] = {
	{ .desc = "REQ_SENT", .state = CM_ID_REQ_SENT, .active = true, .after = CM_ID_IDLE },
	{ .desc = "MRA_REQ_RCVD", .state = CM_ID_MRA_REQ_RCVD, .active = true,
	  .after = CM_ID_IDLE },
	{ .desc = "REQ_RCVD", .state = CM_ID_REQ_RCVD, .after = CM_ID_IDLE },
	{ .desc = "MRA_REQ_SENT", .state = CM_ID_MRA_REQ_SENT, .after = CM_ID_IDLE },
	{ .desc = "REP_SENT", .state = CM_ID_REP_SENT, .after = CM_ID_IDLE },
	{ .desc = "MRA_REP_RCVD", .state = CM_ID_MRA_REP_RCVD, .after = CM_ID_IDLE },
	{ .desc = "REP_RCVD", .state = CM_ID_REP_RCVD, .active = true, .after = CM_ID_TIMEWAIT },
	{ .desc = "MRA_REP_SENT", .state = CM_ID_MRA_REP_SENT, .active = true,
	  .after = CM_ID_TIMEWAIT },
	{ .desc = "ESTABLISHED", .state = CM_ID_ESTABLISHED, .after = CM_ID_TIMEWAIT },
	{ .desc = "DREQ_SENT", .state = CM_ID_DREQ_SENT, .after = CM_ID_TIMEWAIT },
};

WIRE_GEN(fault_17_rejected, rejected);

/*
 * The peer's REJ is one event with its reason; what was being repeated is not any more; timewait ends with its own
 * event.
 */
void fault_17_rejected(struct kunit *test)
{
	const struct rejecting *how = test->param_value;
	struct rig *rig = quick_rig(test);
	struct rig_id *id = rig_bring(rig, how->state, how->active);

	KUNIT_ASSERT_NOT_NULL(test, id);
	wire_answer_rej(id, IB_CM_REJ_NO_RESOURCES, how->active ? REJ_OF_REQ : REJ_OF_REP);
	KUNIT_EXPECT_EQ(test, wire_event(id, IB_CM_REJ_RECEIVED)->raw.param.rej_rcvd.reason,
			IB_CM_REJ_NO_RESOURCES);
	rig_settle(rig);
	wire_drain(rig);
	KUNIT_EXPECT_EQ(test, wire_count(rig, 0, WIRE_QUIET_MS), 0);
	if (how->after == CM_ID_TIMEWAIT)
		wire_event(id, IB_CM_TIMEWAIT_EXIT);
	wire_quiet(id, 0);
	KUNIT_EXPECT_EQ(test, id->cm->state, IB_CM_IDLE);
}

/*
 * 18: a LAP is pending
 */
enum lap_end { BY_DREQ_IN, BY_DREQ_OUT, BY_REJ_IN, BY_DESTROY, BY_REMOVAL };

struct lap_case {
	const char *desc;
	unsigned int state;
	enum lap_end end;
};

static const struct lap_case lap_cases[] = {
	{ .desc = "DREQ comes", .state = CM_ID_EST_LAP_RCVD, .end = BY_DREQ_IN },
	{ .desc = "DREQ comes, MRA sent", .state = CM_ID_EST_MRA_LAP_SENT, .end = BY_DREQ_IN },
	{ .desc = "DREQ is sent", .state = CM_ID_EST_LAP_RCVD, .end = BY_DREQ_OUT },
	{ .desc = "DREQ is sent, MRA sent", .state = CM_ID_EST_MRA_LAP_SENT, .end = BY_DREQ_OUT },
	{ .desc = "REJ comes", .state = CM_ID_EST_LAP_RCVD, .end = BY_REJ_IN },
	{ .desc = "REJ comes, MRA sent", .state = CM_ID_EST_MRA_LAP_SENT, .end = BY_REJ_IN },
	{ .desc = "destroy", .state = CM_ID_EST_LAP_RCVD, .end = BY_DESTROY },
	{ .desc = "destroy, MRA sent", .state = CM_ID_EST_MRA_LAP_SENT, .end = BY_DESTROY },
	{ .desc = "removal", .state = CM_ID_EST_LAP_RCVD, .end = BY_REMOVAL },
	{ .desc = "removal, MRA sent", .state = CM_ID_EST_MRA_LAP_SENT, .end = BY_REMOVAL },
};

WIRE_GEN(fault_18_lap_pending, lap_cases);

/*
 * The LAP is over with its connection: no state of it is left, no answer to it leaves, and the connection ends as any
 * other.
 */
void fault_18_lap_pending(struct kunit *test)
{
	const struct lap_case *how = test->param_value;
	struct rig *rig = slow_rig(test);
	struct rig_id *id = rig_bring(rig, how->state, false);
	u8 mad[MAD_BYTES];

	KUNIT_ASSERT_NOT_NULL(test, id);
	switch (how->end) {
	case BY_DREQ_IN:
		wire_answer(id, ATTR_DREQ);
		wire_event(id, IB_CM_DREQ_RECEIVED);
		break;
	case BY_DREQ_OUT:
		KUNIT_ASSERT_EQ(test, ib_send_cm_dreq(id->cm, NULL, 0), 0);
		break;
	case BY_REJ_IN:
		wire_answer_rej(id, IB_CM_REJ_CONSUMER_DEFINED, REJ_OF_NOTHING);
		wire_event(id, IB_CM_REJ_RECEIVED);
		break;
	case BY_DESTROY:
		wire_destroy(id);
		wire_expect(rig, ATTR_DREQ, mad);
		KUNIT_EXPECT_EQ(test, wire_count(rig, 0, 50), 0);
		return;
	case BY_REMOVAL:
		rig_unplug(rig);
		break;
	}
	KUNIT_EXPECT_TRUE(test, id->cm->lap_state == IB_CM_LAP_UNINIT ||
			  id->cm->lap_state == IB_CM_LAP_IDLE);
	KUNIT_EXPECT_LT(test, ib_prepare_cm_mra(id->cm), 0);
	switch (how->end) {
	case BY_DREQ_IN:
		KUNIT_EXPECT_EQ(test, ib_send_cm_drep(id->cm, NULL, 0), 0);
		wire_expect(rig, ATTR_DREP, mad);
		break;
	case BY_DREQ_OUT:
		wire_expect(rig, ATTR_DREQ, mad);
		id->dreq_tid = mad_get(mad, F_MAD_TID);
		wire_answer(id, ATTR_DREP);
		wire_event(id, IB_CM_DREP_RECEIVED);
		break;
	default:
		break;
	}
	wire_event(id, IB_CM_TIMEWAIT_EXIT);
	wire_quiet(id, 20);
	KUNIT_EXPECT_EQ(test, wire_count(rig, 0, 0), 0);
}

/*
 * 19: paths of another device
 */

/* A LAP whose path begins at another device is refused: no event, no LAP pending; the other device can go. */
void fault_19_lap_of_other_device(struct kunit *test)
{
	const struct loop_config config = { .layer = IB_LINK_LAYER_INFINIBAND };
	struct loop_packet other = {};
	struct rig *rigs[2];
	struct rig_id *id;
	u8 mad[MAD_BYTES];

	wire_rigs(test, &config, rigs, 2);
	id = wire_connect_active(rigs[0]);
	loop_hca_address(rigs[1]->dev, 1, &other);
	rig_make(id, ATTR_LAP, mad);
	mad_set(mad, "alternate_remote_port_lid", other.slid);
	memcpy(mad_bytes_w(mad, "alternate_remote_port_gid"), &other.sgid, 16);
	rig_peer_send(rigs[0], mad);
	rig_settle(rigs[0]);
	wire_quiet(id, 50);
	KUNIT_EXPECT_EQ(test, id->cm->lap_state, IB_CM_LAP_UNINIT);
	rig_unplug(rigs[1]);
	/* Its own device's path is welcome. */
	wire_answer(id, ATTR_LAP);
	wire_event(id, IB_CM_LAP_RECEIVED);
}

/* A REQ along a path of another device, primary or alternate, is refused; the id is as it was. */
void fault_19_req_of_other_device(struct kunit *test)
{
	const struct loop_config config = { .layer = IB_LINK_LAYER_INFINIBAND };
	struct wire_req req;
	struct rig *rigs[2];
	struct rig_id *id;

	wire_rigs(test, &config, rigs, 2);
	id = rig_id_create(rigs[0]);
	wire_req_init(&req, id);
	rig_path(rigs[1], &req.path);
	KUNIT_EXPECT_EQ(test, wire_req_send(&req, id), -EINVAL);
	wire_req_init(&req, id);
	rig_path(rigs[1], &req.twin);
	req.param.alternate_path = &req.twin;
	KUNIT_EXPECT_EQ(test, wire_req_send(&req, id), -EINVAL);
	KUNIT_EXPECT_EQ(test, id->cm->state, IB_CM_IDLE);
	KUNIT_EXPECT_EQ(test, wire_count(rigs[0], 0, 50), 0);
	KUNIT_EXPECT_EQ(test, wire_count(rigs[1], 0, 0), 0);
	rig_unplug(rigs[1]);
	wire_req_init(&req, id);
	KUNIT_EXPECT_EQ(test, wire_req_send(&req, id), 0);
}

#define MIGRATING	8

struct migration {
	struct rig_id *ids[MIGRATING];
	unsigned long done;
	int last;
	bool stop;
};

static void migrate_job(void *arg)
{
	struct migration *m = arg;
	unsigned int i;

	while (!READ_ONCE(m->stop)) {
		for (i = 0; i < MIGRATING; i++) {
			m->last = ib_cm_notify(m->ids[i]->cm, IB_EVENT_PATH_MIG);
			m->done += !m->last;
		}
		cond_resched();
	}
}

/*
 * Paths migrate while the device is removed: removal returns, the notification is refused from then on, each id has
 * ended once.
 */
void fault_19_migration_races_removal(struct kunit *test)
{
	static struct migration m;
	struct rig *rig = slow_rig(test);
	struct wire_job job;
	unsigned int i;

	memset(&m, 0, sizeof(m));
	rig->alternate = true;
	for (i = 0; i < MIGRATING; i++) {
		m.ids[i] = rig_bring(rig, CM_ID_ESTABLISHED, i % 2);
		KUNIT_ASSERT_NOT_NULL(test, m.ids[i]);
	}
	wire_start(test, &job, migrate_job, &m);
	msleep(20);
	rig_unplug(rig);
	WRITE_ONCE(m.stop, true);
	KUNIT_ASSERT_TRUE(test, wire_join(&job, RIG_WAIT_MS));
	KUNIT_EXPECT_GT(test, m.done, 0);
	for (i = 0; i < MIGRATING; i++) {
		int ret = ib_cm_notify(m.ids[i]->cm, IB_EVENT_PATH_MIG);

		KUNIT_EXPECT_TRUE(test, ret == -ENODEV || ret == -EINVAL);
		wire_event(m.ids[i], IB_CM_TIMEWAIT_EXIT);
		wire_quiet(m.ids[i], 0);
	}
}

/*
 * 20: removal
 */
static void expect_refusals(struct rig_id *id)
{
	struct kunit *test = id->rig->test;
	struct ib_cm_sidr_rep_param sidr_rep = { .status = IB_SIDR_SUCCESS };
	struct ib_qp_attr attr = { .qp_state = IB_QPS_INIT };
	struct ib_cm_rep_param rep;
	int ret[10], mask;
	unsigned int i;

	rig_rep_param(id, &rep);
	ret[0] = ib_send_cm_rep(id->cm, &rep);
	ret[1] = ib_send_cm_rtu(id->cm, NULL, 0);
	ret[2] = ib_send_cm_dreq(id->cm, NULL, 0);
	ret[3] = ib_send_cm_drep(id->cm, NULL, 0);
	ret[4] = ib_send_cm_rej(id->cm, IB_CM_REJ_CONSUMER_DEFINED, NULL, 0, NULL, 0);
	ret[5] = ib_prepare_cm_mra(id->cm);
	ret[6] = ib_cm_notify(id->cm, IB_EVENT_COMM_EST);
	ret[7] = ib_cm_notify(id->cm, IB_EVENT_PATH_MIG);
	ret[8] = ib_cm_init_qp_attr(id->cm, &attr, &mask);
	ret[9] = ib_send_cm_sidr_rep(id->cm, &sidr_rep);
	for (i = 0; i < ARRAY_SIZE(ret); i++)
		KUNIT_EXPECT_TRUE_MSG(test, ret[i] == -ENODEV || ret[i] == -EINVAL, "call %u: %d",
				      i, ret[i]);
}

static enum ib_cm_event_type last_event(unsigned int state)
{
	switch (state) {
	case CM_ID_REQ_SENT:
	case CM_ID_MRA_REQ_RCVD:
		return IB_CM_REQ_ERROR;
	case CM_ID_REQ_RCVD:
	case CM_ID_MRA_REQ_SENT:
	case CM_ID_REP_RCVD:
	case CM_ID_MRA_REP_SENT:
		return IB_CM_REJ_RECEIVED;
	case CM_ID_REP_SENT:
	case CM_ID_MRA_REP_RCVD:
		return IB_CM_REP_ERROR;
	case CM_ID_SIDR_REQ_SENT:
	case CM_ID_SIDR_REQ_RCVD:
		return IB_CM_SIDR_REQ_ERROR;
	default:
		return IB_CM_TIMEWAIT_EXIT;
	}
}

static void expect_nothing_left(struct kunit *test)
{
	struct cm_probe_totals totals;

	cm_probe_totals(&totals);
	KUNIT_EXPECT_EQ(test, totals.timewait, 0);
	KUNIT_EXPECT_EQ(test, totals.posted, 0);
	KUNIT_EXPECT_EQ(test, totals.queued, 0);
}

/*
 * Removal returns; the attempt has ended by then with one event that fits; each later call is refused; timewait is
 * over.
 */
void fault_20_removal(struct kunit *test)
{
	const struct in_state *in = test->param_value;
	struct rig *rig = slow_rig(test);
	const struct rig_event *event;
	struct rig_id *id;

	long_timewait(rig);
	id = bring(rig, in);
	rig_unplug(rig);
	if (in->state != CM_ID_IDLE && in->state != CM_ID_LISTEN) {
		event = rig_event(id, 0);
		KUNIT_EXPECT_NOT_NULL(test, event);
		if (event)
			KUNIT_EXPECT_EQ(test, event->type, last_event(in->state));
	}
	wire_quiet(id, 20);
	expect_refusals(id);
	expect_nothing_left(test);
	wire_destroy(id);
}

struct hammer {
	struct rig_id *id;
	unsigned int which;
	unsigned long calls;
	bool *stop;
};

/* Four kinds of callers. Each may end the attempt before removal does. */
static void hammer_job(void *arg)
{
	struct hammer *h = arg;
	struct ib_cm_id *cm = h->id->cm;
	struct ib_qp_attr attr;
	struct ib_cm_rep_param rep;
	int mask;

	rig_rep_param(h->id, &rep);
	while (!READ_ONCE(*h->stop)) {
		switch (h->which) {
		case 0:
			attr.qp_state = h->calls % 2 ? IB_QPS_INIT : IB_QPS_RTS;
			ib_cm_init_qp_attr(cm, &attr, &mask);
			ib_cm_notify(cm, IB_EVENT_COMM_EST);
			break;
		case 1:
			ib_prepare_cm_mra(cm);
			ib_send_cm_rtu(cm, NULL, 0);
			break;
		case 2:
			ib_send_cm_rep(cm, &rep);
			ib_send_cm_dreq(cm, NULL, 0);
			break;
		default:
			ib_send_cm_drep(cm, NULL, 0);
			if (h->calls % 64 == 63)
				ib_send_cm_rej(cm, IB_CM_REJ_NO_RESOURCES, NULL, 0, NULL, 0);
			break;
		}
		h->calls++;
		usleep_range(20, 100);
	}
}

/* The same while four threads call: at most one event that ends the attempt, since a call may end it. */
void fault_20_removal_and_calls(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct hammer hammers[4];
	struct wire_job jobs[4];
	const struct rig_event *event;
	unsigned int i, terminal = 0;
	bool stop = false;
	struct rig_id *id;

	long_timewait(rig);
	id = bring(rig, test->param_value);
	for (i = 0; i < 4; i++) {
		hammers[i] = (struct hammer){ .id = id, .which = i, .stop = &stop };
		wire_start(test, &jobs[i], hammer_job, &hammers[i]);
	}
	usleep_range(5000, 6000);
	rig_unplug(rig);
	WRITE_ONCE(stop, true);
	for (i = 0; i < 4; i++)
		KUNIT_ASSERT_TRUE(test, wire_join(&jobs[i], RIG_WAIT_MS));
	while ((event = rig_event(id, 0)))
		terminal += rig_is_last(event->type);
	KUNIT_EXPECT_LE(test, terminal, 1);
	expect_refusals(id);
	expect_nothing_left(test);
	wire_destroy(id);
	wire_quiet(id, 0);
}

static void unplug_job(void *rig)
{
	rig_unplug(rig);
}

/* Removal waits for the handler that runs, and for nothing else; a device that comes afterwards is served as before. */
void fault_20_removal_waits_for_handler(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct rig_id *listener = rig_listen(rig, RIG_SERVICE), *id;
	struct wire_gate *gate = wire_gate(test, listener, 1);
	struct wire_job job;
	u8 mad[MAD_BYTES];

	wire_fault(rig, LOOP_SEND_NEVER, 0, 0, 0);
	KUNIT_ASSERT_EQ(test, rig_send_req(rig_id_create(rig)), 0);
	rig_make_req(rig, RIG_SERVICE, mad);
	id = wire_accept(rig, listener, mad);
	KUNIT_ASSERT_TRUE(test, wire_gate_entered(gate, 1));
	wire_start(test, &job, unplug_job, rig);
	KUNIT_EXPECT_FALSE(test, wire_join(&job, 100));
	wire_gate_open(gate);
	KUNIT_ASSERT_TRUE(test, wire_join(&job, 2 * WIRE_PROMPT_MS));
	wire_event(id, IB_CM_REJ_RECEIVED);
	expect_refusals(id);
	wire_destroy(id);
	wire_destroy(listener);
	rig_plug(rig);
	KUNIT_EXPECT_NOT_NULL(test, rig_bring(rig, CM_ID_TIMEWAIT, true));
	KUNIT_EXPECT_NOT_NULL(test, rig_bring(rig, CM_ID_TIMEWAIT, false));
}

/*
 * 23: requests wait for a listener that goes
 */
#define TURNS	4
#define WAITING	16

/* Those that wait get REJ, each one; destroy waits for the handlers that run, and for nothing else. */
void fault_23_listener_destroyed(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct rig_id *listener = rig_listen(rig, RIG_SERVICE), *id;
	struct wire_gate *gate = wire_gate(test, listener, TURNS);
	u32 first = 0, seen = 0;
	struct wire_job job;
	struct many many = { .ids = &listener, .n = 1 };
	u8 mad[MAD_BYTES];
	unsigned int i;

	KUNIT_ASSERT_TRUE(test, rig_param(test, "listen_handlers", TURNS));
	for (i = 0; i < TURNS + WAITING; i++) {
		rig_make_req(rig, RIG_SERVICE, mad);
		rig_peer_send(rig, mad);
		if (i == TURNS - 1)
			KUNIT_ASSERT_TRUE(test, wire_gate_entered(gate, TURNS));
		if (i == TURNS)
			first = mad_get(mad, "local_comm_id");
	}
	rig_flush(rig);
	msleep(200);
	KUNIT_EXPECT_EQ(test, atomic_read(&gate->entered), TURNS);
	wire_start(test, &job, destroy_job, &many);
	for (i = 0; i < WAITING; i++) {
		wire_expect(rig, ATTR_REJ, mad);
		KUNIT_EXPECT_EQ(test, mad_get(mad, "reason"), IB_CM_REJ_INVALID_SERVICE_ID);
		KUNIT_EXPECT_EQ(test, mad_get(mad, "message_rejected"), REJ_OF_REQ);
		if (mad_get(mad, "remote_comm_id") - first < WAITING)
			seen |= 1u << (mad_get(mad, "remote_comm_id") - first);
	}
	KUNIT_EXPECT_EQ(test, seen, (1u << WAITING) - 1);
	KUNIT_EXPECT_FALSE(test, wire_join(&job, 100));
	wire_gate_open(gate);
	KUNIT_ASSERT_TRUE(test, wire_join(&job, WIRE_PROMPT_MS));
	KUNIT_EXPECT_EQ(test, atomic_read(&gate->entered), TURNS);
	KUNIT_EXPECT_EQ(test, wire_count(rig, 0, 50), 0);
	/* Those that the consumer has are its own. */
	for (i = 0; i < TURNS; i++) {
		id = rig_accepted(listener);
		KUNIT_ASSERT_NOT_NULL(test, id);
		KUNIT_EXPECT_EQ(test, rig_send_rep(id), 0);
		wire_expect(rig, ATTR_REP, mad);
	}
}

/* SIDR_REQs that wait get status 1. */
void fault_23_listener_of_sidr_destroyed(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct rig_id *listener = rig_listen(rig, RIG_SERVICE);
	struct wire_gate *gate = wire_gate(test, listener, 1);
	struct many many = { .ids = &listener, .n = 1 };
	struct wire_job job;
	u8 mad[MAD_BYTES];
	unsigned int i;

	KUNIT_ASSERT_TRUE(test, rig_param(test, "listen_handlers", 1));
	for (i = 0; i < 1 + WAITING; i++) {
		rig_make_sidr_req(rig, RIG_SERVICE, mad);
		rig_peer_send(rig, mad);
		if (!i)
			KUNIT_ASSERT_TRUE(test, wire_gate_entered(gate, 1));
	}
	rig_flush(rig);
	msleep(100);
	wire_start(test, &job, destroy_job, &many);
	for (i = 0; i < WAITING; i++) {
		wire_expect(rig, ATTR_SIDR_REP, mad);
		KUNIT_EXPECT_EQ(test, mad_get(mad, "status"), IB_SIDR_UNSUPPORTED);
	}
	wire_gate_open(gate);
	KUNIT_ASSERT_TRUE(test, wire_join(&job, WIRE_PROMPT_MS));
	KUNIT_EXPECT_EQ(test, atomic_read(&gate->entered), 1);
	KUNIT_EXPECT_EQ(test, wire_count(rig, 0, 50), 0);
}

/*
 * 25: lengths of private data
 */
struct sized {
	const char *desc;
	u16 attr;
	unsigned int state;	/* in which it is sent */
	bool active;
	u8 most;
};

static const struct sized sized[] = {
	{ .desc = "REQ", .attr = ATTR_REQ, .state = CM_ID_IDLE, .active = true, .most = 92 },
	{ .desc = "REP", .attr = ATTR_REP, .state = CM_ID_REQ_RCVD, .most = 196 },
	{ .desc = "RTU", .attr = ATTR_RTU, .state = CM_ID_REP_RCVD, .active = true, .most = 224 },
	{ .desc = "REJ", .attr = ATTR_REJ, .state = CM_ID_REQ_RCVD, .most = 148 },
	{ .desc = "DREQ", .attr = ATTR_DREQ, .state = CM_ID_ESTABLISHED, .most = 220 },
	{ .desc = "DREP", .attr = ATTR_DREP, .state = CM_ID_DREQ_RCVD, .most = 224 },
	{ .desc = "SIDR_REQ", .attr = ATTR_SIDR_REQ, .state = CM_ID_IDLE, .active = true,
	  .most = 216 },
	{ .desc = "SIDR_REP", .attr = ATTR_SIDR_REP, .state = CM_ID_SIDR_REQ_RCVD, .most = 136 },
};

WIRE_GEN(fault_25_private_data, sized);

static int send_sized(struct rig_id *id, u16 attr, const u8 *data, u8 len)
{
	struct ib_cm_sidr_rep_param sidr = { .status = IB_SIDR_SUCCESS, .private_data = data,
					     .private_data_len = len };
	struct sa_path_rec path;
	struct ib_cm_rep_param rep;
	struct wire_req req;

	switch (attr) {
	case ATTR_REQ:
		wire_req_init(&req, id);
		req.param.private_data = data;
		req.param.private_data_len = len;
		return wire_req_send(&req, id);
	case ATTR_REP:
		rig_rep_param(id, &rep);
		rep.qp_num = id->rig->qpn++;
		rep.private_data = data;
		rep.private_data_len = len;
		return ib_send_cm_rep(id->cm, &rep);
	case ATTR_RTU:
		return ib_send_cm_rtu(id->cm, data, len);
	case ATTR_REJ:
		return ib_send_cm_rej(id->cm, IB_CM_REJ_CONSUMER_DEFINED, NULL, 0, data, len);
	case ATTR_DREQ:
		return ib_send_cm_dreq(id->cm, data, len);
	case ATTR_DREP:
		return ib_send_cm_drep(id->cm, data, len);
	case ATTR_SIDR_REQ:
		rig_path(id->rig, &path);
		return wire_sidr_send(id, &path, data, len);
	default:
		return ib_send_cm_sidr_rep(id->cm, &sidr);
	}
}

/* From so many bytes into a field to the end of the MAD. */
static bool zero_after(const u8 *mad, const char *field, unsigned int used)
{
	const u8 *from = mad_bytes(mad, field) + used;

	return from >= mad + MAD_BYTES || !memchr_inv(from, 0, mad + MAD_BYTES - from);
}

/*
 * Up to the most that the message has room for: sent as it is, and zeros after it to the end of the MAD. More: -EINVAL,
 * nothing is sent, the state stays. No data but a length: zeros, or -EINVAL.
 */
void fault_25_private_data(struct kunit *test)
{
	const struct sized *s = test->param_value;
	const unsigned int lengths[] = { 0, 1, s->most - 1, s->most, s->most + 1, 255 };
	struct rig *rig = slow_rig(test);
	struct rig_id *id;
	u8 data[256], mad[MAD_BYTES];
	unsigned int i;
	int ret;

	memset(data, 0xa5, sizeof(data));
	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		id = rig_bring(rig, s->state, s->active);
		KUNIT_ASSERT_NOT_NULL(test, id);
		ret = send_sized(id, s->attr, data, lengths[i]);
		if (lengths[i] > s->most) {
			KUNIT_EXPECT_EQ_MSG(test, ret, -EINVAL, "%u bytes", lengths[i]);
			KUNIT_EXPECT_EQ(test, rig_state(id), s->state);
			KUNIT_EXPECT_EQ(test, wire_count(rig, 0, 20), 0);
		} else {
			KUNIT_ASSERT_EQ_MSG(test, ret, 0, "%u bytes", lengths[i]);
			wire_expect(rig, s->attr, mad);
			KUNIT_EXPECT_MEMEQ(test, mad_bytes(mad, "private_data"), data, lengths[i]);
			KUNIT_EXPECT_TRUE_MSG(test, zero_after(mad, "private_data", lengths[i]),
					      "%u bytes", lengths[i]);
		}
		wire_destroy(id);
		rig_settle(rig);
		wire_drain(rig);
	}
	id = rig_bring(rig, s->state, s->active);
	KUNIT_ASSERT_NOT_NULL(test, id);
	ret = send_sized(id, s->attr, NULL, s->most);
	if (ret) {
		KUNIT_EXPECT_EQ(test, ret, -EINVAL);
		return;
	}
	wire_expect(rig, s->attr, mad);
	KUNIT_EXPECT_TRUE(test, zero_after(mad, "private_data", 0));
}

/* ARI and SIDR information: 72 bytes at most, zeros after what there is. */
void fault_25_information(struct kunit *test)
{
	static const u8 lengths[] = { 0, 1, 71, 72, 73, 255 };
	struct ib_cm_sidr_rep_param sidr = { .status = IB_SIDR_SUCCESS };
	struct rig *rig = slow_rig(test);
	struct rig_id *id;
	u8 info[256], mad[MAD_BYTES];
	unsigned int i;
	int ret;

	memset(info, 0x3c, sizeof(info));
	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		id = rig_bring(rig, CM_ID_REQ_RCVD, false);
		KUNIT_ASSERT_NOT_NULL(test, id);
		ret = ib_send_cm_rej(id->cm, IB_CM_REJ_CONSUMER_DEFINED, info, lengths[i], NULL, 0);
		KUNIT_EXPECT_EQ_MSG(test, ret, lengths[i] > 72 ? -EINVAL : 0, "%u bytes",
				    lengths[i]);
		if (!ret) {
			wire_expect(rig, ATTR_REJ, mad);
			KUNIT_EXPECT_EQ(test, mad_get(mad, "rejected_info_length"), lengths[i]);
			KUNIT_EXPECT_MEMEQ(test, mad_bytes(mad, "ari"), info, lengths[i]);
			KUNIT_EXPECT_TRUE(test, zero_after(mad, "ari", lengths[i]));
		}
		wire_destroy(id);

		id = rig_bring(rig, CM_ID_SIDR_REQ_RCVD, false);
		KUNIT_ASSERT_NOT_NULL(test, id);
		wire_drain(rig);
		sidr.info = info;
		sidr.info_length = lengths[i];
		ret = ib_send_cm_sidr_rep(id->cm, &sidr);
		KUNIT_EXPECT_EQ_MSG(test, ret, lengths[i] > 72 ? -EINVAL : 0, "%u bytes",
				    lengths[i]);
		if (!ret) {
			wire_expect(rig, ATTR_SIDR_REP, mad);
			KUNIT_EXPECT_EQ(test, mad_get(mad, "additional_information_length"),
					lengths[i]);
			KUNIT_EXPECT_MEMEQ(test, mad_bytes(mad, "additional_information"), info,
					   lengths[i]);
			KUNIT_EXPECT_TRUE(test, zero_after(mad, "additional_information",
							   lengths[i]));
		}
		wire_destroy(id);
		rig_settle(rig);
		wire_drain(rig);
	}
}

/* An MRA of our own has no private data to show. */
void fault_25_mra_tail(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct rig_id *id = rig_bring(rig, CM_ID_MRA_REQ_SENT, false);
	u8 mad[MAD_BYTES];

	KUNIT_ASSERT_NOT_NULL(test, id);
	wire_answer(id, ATTR_REQ);
	wire_expect(rig, ATTR_MRA, mad);
	KUNIT_EXPECT_TRUE(test, zero_after(mad, "private_data", 0));
}

/*
 * 26: SIDR, and XRC
 */
static const struct crossing sidr_layers[] = {
	{ .desc = "RoCE", .layer = IB_LINK_LAYER_ETHERNET },
	{ .desc = "InfiniBand", .layer = IB_LINK_LAYER_INFINIBAND },
};

WIRE_GEN(fault_26_same_request_id, sidr_layers);

/* Two peers that chose the same request id, and the same TID, are both served. */
void fault_26_same_request_id(struct kunit *test)
{
	const struct crossing *how = test->param_value;
	struct rig *rig = wire_rig(test, how->layer, WIRE_SLOW);
	struct rig_id *listener = rig_listen(rig, RIG_SERVICE), *ids[2];
	struct loop_station *peer = rig->peer, *stations[2];
	struct loop_packet packet;
	u8 mad[MAD_BYTES];
	int i;

	rig_make_sidr_req(rig, RIG_SERVICE, mad);
	for (i = 0; i < 2; i++) {
		stations[i] = wire_station(test, how->layer);
		wire_peer(rig, stations[i]);
		rig_peer_send(rig, mad);
		wire_peer(rig, peer);
		ids[i] = rig_accepted(listener);
		KUNIT_ASSERT_NOT_NULL_MSG(test, ids[i], "peer %d has no event", i);
	}
	for (i = 0; i < 2; i++) {
		KUNIT_EXPECT_EQ(test, rig_send_sidr_rep(ids[i]), 0);
		KUNIT_ASSERT_TRUE(test, wire_recv(stations[i], ATTR_SIDR_REP, &packet,
						  RIG_WAIT_MS));
		KUNIT_EXPECT_EQ(test, mad_get(packet.mad, "status"), IB_SIDR_SUCCESS);
		KUNIT_EXPECT_EQ(test, mad_get(packet.mad, "request_id"),
				mad_get(mad, "request_id"));
		KUNIT_EXPECT_EQ(test, wire_count_at(stations[i], 0, 20), 0);
	}
}

/* Repetitions while the consumer thinks are one event, and no answer. */
void fault_26_repeated_while_pending(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct rig_id *id = rig_bring(rig, CM_ID_SIDR_REQ_RCVD, false);
	struct wire_gate *gate;
	int i;

	KUNIT_ASSERT_NOT_NULL(test, id);
	gate = wire_gate(test, id->listener, 0);
	for (i = 0; i < 3; i++)
		wire_answer(id, ATTR_SIDR_REQ);
	rig_settle(rig);
	KUNIT_EXPECT_EQ(test, atomic_read(&gate->entered), 0);
	KUNIT_EXPECT_EQ(test, wire_count(rig, 0, 50), 0);
	KUNIT_EXPECT_EQ(test, rig_send_sidr_rep(id), 0);
	KUNIT_EXPECT_EQ(test, wire_count(rig, ATTR_SIDR_REP, 100), 1);
}

/* A repetition after the answer is no event: it gets the same answer, or none. */
void fault_26_repeated_after_reply(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct rig_id *id = rig_bring(rig, CM_ID_SIDR_REQ_RCVD, false);
	u8 first[MAD_BYTES], mad[MAD_BYTES];
	struct wire_gate *gate;
	int i;

	KUNIT_ASSERT_NOT_NULL(test, id);
	gate = wire_gate(test, id->listener, 0);
	wire_drain(rig);
	KUNIT_EXPECT_EQ(test, rig_send_sidr_rep(id), 0);
	wire_expect(rig, ATTR_SIDR_REP, first);
	for (i = 0; i < 4; i++) {
		/* Twice while the id is there, twice without it. */
		if (i == 2)
			wire_destroy(id);
		rig_make(id, ATTR_SIDR_REQ, mad);
		rig_peer_send(rig, mad);
		rig_settle(rig);
		if (rig_peer_recv(rig, 0, mad, 50))
			KUNIT_EXPECT_MEMEQ(test, mad, first, MAD_BYTES);
		KUNIT_EXPECT_EQ(test, wire_count(rig, 0, 0), 0);
	}
	KUNIT_EXPECT_EQ(test, atomic_read(&gate->entered), 0);
}

/* Status 1 at once. */
void fault_26_unknown_service(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	u8 req[MAD_BYTES], mad[MAD_BYTES];

	rig_make_sidr_req(rig, RIG_SERVICE, req);
	rig_peer_send(rig, req);
	wire_expect(rig, ATTR_SIDR_REP, mad);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "status"), IB_SIDR_UNSUPPORTED);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "request_id"), mad_get(req, "request_id"));
	KUNIT_EXPECT_EQ(test, mad_get(mad, F_MAD_TID), mad_get(req, F_MAD_TID));
	KUNIT_EXPECT_EQ(test, wire_count(rig, 0, 20), 0);
}

/* An XRC target shares its queue pair: its destroy sends no DREQ, while the initiator's does. */
void fault_26_xrc_target_is_silent(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct rig_id *id;
	u8 mad[MAD_BYTES];

	rig->qp_type = IB_QPT_XRC_TGT;
	id = rig_bring(rig, CM_ID_ESTABLISHED, false);
	KUNIT_ASSERT_NOT_NULL(test, id);
	wire_destroy(id);
	KUNIT_EXPECT_EQ(test, wire_count(rig, 0, 100), 0);
	rig->qp_type = IB_QPT_XRC_INI;
	id = rig_bring(rig, CM_ID_ESTABLISHED, true);
	KUNIT_ASSERT_NOT_NULL(test, id);
	wire_destroy(id);
	wire_expect(rig, ATTR_DREQ, mad);
}

/*
 * 28: timewait
 */
/* Records outlive their ids, and are gone with their device, promptly. */
void fault_28_timewait_and_removal(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct rig_id *listener = rig_listen(rig, RIG_SERVICE), *id;
	struct cm_probe_totals totals;
	u8 mad[MAD_BYTES];
	unsigned int i;
	ktime_t begin;

	long_timewait(rig);
	rig->ack_time = 31;
	listener->hook = agree;
	for (i = 0; i < wire_many; i++) {
		rig_make_req(rig, RIG_SERVICE, mad);
		rig_peer_send(rig, mad);
		id = rig_accepted(listener);
		KUNIT_ASSERT_NOT_NULL(test, id);
		wire_reaches(id, CM_ID_REP_SENT);
		rig_id_destroy(id);
		wire_drain(rig);
	}
	cm_probe_totals(&totals);
	KUNIT_EXPECT_EQ(test, totals.timewait, wire_many);
	KUNIT_EXPECT_EQ(test, totals.ids, 1);
	begin = ktime_get();
	rig_unplug(rig);
	KUNIT_EXPECT_LT(test, ktime_ms_delta(ktime_get(), begin), WIRE_PROMPT_MS);
	expect_nothing_left(test);
}

/*
 * 29: listeners
 */
static int refuse(struct ib_cm_id *cm, const struct ib_cm_event *event)
{
	return -ECONNREFUSED;
}

static int refuse_otherwise(struct ib_cm_id *cm, const struct ib_cm_event *event)
{
	return -EPERM;
}

static void expect_service(struct rig *rig, bool there)
{
	u8 mad[MAD_BYTES];

	rig_make_req(rig, RIG_SERVICE, mad);
	rig_peer_send(rig, mad);
	wire_expect(rig, ATTR_REJ, mad);
	KUNIT_EXPECT_EQ(rig->test, mad_get(mad, "reason"),
			there ? IB_CM_REJ_CONSUMER_DEFINED : IB_CM_REJ_INVALID_SERVICE_ID);
}

/* The same handler and service: the same id, served until its last share is destroyed. */
void fault_29_same_handler(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct ib_cm_id *shares[3];
	int i;

	for (i = 0; i < 3; i++) {
		shares[i] = ib_cm_insert_listen(rig->dev, refuse, cpu_to_be64(RIG_SERVICE));
		KUNIT_ASSERT_NOT_ERR_OR_NULL(test, shares[i]);
		KUNIT_EXPECT_PTR_EQ(test, shares[i], shares[0]);
	}
	for (i = 2; i >= 0; i--) {
		expect_service(rig, true);
		ib_destroy_cm_id(shares[i]);
	}
	expect_service(rig, false);
	shares[0] = ib_cm_insert_listen(rig->dev, refuse, cpu_to_be64(RIG_SERVICE));
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, shares[0]);
	expect_service(rig, true);
	ib_destroy_cm_id(shares[0]);
}

/* Another handler, or an id of one's own: -EINVAL or -EBUSY, and nothing is left of the attempt. */
void fault_29_other_handler(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct cm_probe_totals before, after;
	struct rig_id *own = rig_id_create(rig), *other;
	struct ib_cm_id *share, *wrong;
	int i;

	share = ib_cm_insert_listen(rig->dev, refuse, cpu_to_be64(RIG_SERVICE));
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, share);
	cm_probe_totals(&before);
	for (i = 0; i < 3; i++) {
		wrong = ib_cm_insert_listen(rig->dev, refuse_otherwise, cpu_to_be64(RIG_SERVICE));
		KUNIT_EXPECT_TRUE(test, IS_ERR(wrong) &&
				  (PTR_ERR(wrong) == -EINVAL || PTR_ERR(wrong) == -EBUSY));
		KUNIT_EXPECT_EQ(test, ib_cm_listen(own->cm, cpu_to_be64(RIG_SERVICE)), -EBUSY);
	}
	cm_probe_totals(&after);
	KUNIT_EXPECT_EQ(test, after.ids, before.ids);
	KUNIT_EXPECT_EQ(test, after.listeners, before.listeners);
	expect_service(rig, true);
	ib_destroy_cm_id(share);

	/* The one that was refused takes over. */
	KUNIT_ASSERT_EQ(test, ib_cm_listen(own->cm, cpu_to_be64(RIG_SERVICE)), 0);
	wrong = ib_cm_insert_listen(rig->dev, refuse, cpu_to_be64(RIG_SERVICE));
	KUNIT_EXPECT_TRUE(test, IS_ERR(wrong) &&
			  (PTR_ERR(wrong) == -EINVAL || PTR_ERR(wrong) == -EBUSY));
	other = rig_id_create(rig);
	KUNIT_EXPECT_EQ(test, ib_cm_listen(other->cm, cpu_to_be64(RIG_SERVICE)), -EBUSY);
	/* Destroyed in the other order. */
	wire_destroy(other);
	wire_destroy(own);
	expect_service(rig, false);
}

static int refuse_at_gate(struct ib_cm_id *cm, const struct ib_cm_event *event)
{
	wire_gate_hook(NULL, NULL);
	return -ECONNREFUSED;
}

static void destroy_cm_job(void *cm)
{
	ib_destroy_cm_id(cm);
}

/* While a handler runs, all destroys but the last return at once; the last one waits for it. */
void fault_29_early_exit(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct rig_id *unused = rig_id_create(rig);
	struct ib_cm_id *share = NULL;
	struct wire_gate *gate;
	struct wire_job jobs[3];
	u8 mad[MAD_BYTES];
	int i;

	gate = wire_gate(test, unused, 1);
	for (i = 0; i < 3; i++) {
		share = ib_cm_insert_listen(rig->dev, refuse_at_gate, cpu_to_be64(RIG_SERVICE));
		KUNIT_ASSERT_NOT_ERR_OR_NULL(test, share);
	}
	rig_make_req(rig, RIG_SERVICE, mad);
	rig_peer_send(rig, mad);
	KUNIT_EXPECT_TRUE(test, wire_gate_entered(gate, 1));
	for (i = 0; i < 2; i++) {
		wire_start(test, &jobs[i], destroy_cm_job, share);
		KUNIT_EXPECT_TRUE(test, wire_join(&jobs[i], WIRE_PROMPT_MS));
	}
	wire_start(test, &jobs[2], destroy_cm_job, share);
	KUNIT_EXPECT_FALSE(test, wire_join(&jobs[2], 100));
	wire_gate_open(gate);
	KUNIT_ASSERT_TRUE(test, wire_join(&jobs[2], WIRE_PROMPT_MS));
}

#define SHARERS		8

struct sharer {
	struct ib_device *dev;
	struct ib_cm_id *cm;
	unsigned int shares, strange;
	bool destroy;
};

static void share_job(void *arg)
{
	struct sharer *s = arg;
	unsigned int i;

	for (i = 0; i < s->shares; i++) {
		struct ib_cm_id *cm;

		if (s->destroy) {
			ib_destroy_cm_id(s->cm);
			continue;
		}
		cm = ib_cm_insert_listen(s->dev, refuse, cpu_to_be64(RIG_SERVICE));
		if (IS_ERR(cm) || (s->cm && cm != s->cm))
			s->strange++;
		else
			s->cm = cm;
	}
}

/* 1,000 shares of eight threads are one id, which is there as long as one of them. */
void fault_29_many_shares(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct sharer sharers[SHARERS];
	struct wire_job jobs[SHARERS];
	int i, round;

	for (i = 0; i < SHARERS; i++)
		sharers[i] = (struct sharer){ .dev = rig->dev, .shares = 125 };
	for (round = 0; round < 2; round++) {
		for (i = 0; i < SHARERS; i++) {
			sharers[i].destroy = round;
			/* One is kept. */
			if (round && !i)
				sharers[i].shares--;
			wire_start(test, &jobs[i], share_job, &sharers[i]);
		}
		for (i = 0; i < SHARERS; i++)
			KUNIT_ASSERT_TRUE(test, wire_join(&jobs[i], 4 * RIG_WAIT_MS));
		for (i = 0; i < SHARERS; i++) {
			KUNIT_ASSERT_EQ(test, sharers[i].strange, 0);
			KUNIT_ASSERT_PTR_EQ(test, sharers[i].cm, sharers[0].cm);
		}
		expect_service(rig, true);
	}
	ib_destroy_cm_id(sharers[0].cm);
	expect_service(rig, false);
}

static void share_and_destroy_job(void *arg)
{
	struct sharer *s = arg;
	unsigned int i;

	for (i = 0; i < s->shares; i++) {
		struct ib_cm_id *cm = ib_cm_insert_listen(s->dev, refuse, cpu_to_be64(RIG_SERVICE));

		if (IS_ERR(cm))
			s->strange++;
		else
			ib_destroy_cm_id(cm);
	}
}

/* Shares that come while the last one goes: nobody is refused, nothing is left. */
void fault_29_shares_come_and_go(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct sharer sharers[SHARERS];
	struct wire_job jobs[SHARERS];
	struct cm_probe_totals totals;
	int i;

	for (i = 0; i < SHARERS; i++) {
		sharers[i] = (struct sharer){ .dev = rig->dev, .shares = 125 };
		wire_start(test, &jobs[i], share_and_destroy_job, &sharers[i]);
	}
	for (i = 0; i < SHARERS; i++) {
		KUNIT_ASSERT_TRUE(test, wire_join(&jobs[i], 4 * RIG_WAIT_MS));
		KUNIT_EXPECT_EQ(test, sharers[i].strange, 0);
	}
	cm_probe_totals(&totals);
	KUNIT_EXPECT_EQ(test, totals.ids, 0);
	KUNIT_EXPECT_EQ(test, totals.listeners, 0);
	expect_service(rig, false);
}

/* States in which a DREQ begins the end of a connection. */
static const struct in_state dreq_states[] = {
	{ .desc = "REP_SENT", .state = CM_ID_REP_SENT },
	{ .desc = "MRA_REP_RCVD", .state = CM_ID_MRA_REP_RCVD },
	{ .desc = "REP_RCVD", .state = CM_ID_REP_RCVD, .active = true },
	{ .desc = "MRA_REP_SENT", .state = CM_ID_MRA_REP_SENT, .active = true },
	{ .desc = "ESTABLISHED, active", .state = CM_ID_ESTABLISHED, .active = true },
	{ .desc = "ESTABLISHED, passive", .state = CM_ID_ESTABLISHED },
	{ .desc = "ESTABLISHED, LAP received", .state = CM_ID_EST_LAP_RCVD },
};

WIRE_GEN(fault_11_drep_has_tid_of_dreq, dreq_states);

/* The DREP is the response to that very DREQ: it has its TID. */
void fault_11_drep_has_tid_of_dreq(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct rig_id *id = bring(rig, test->param_value);
	u8 mad[MAD_BYTES];

	rig_make(id, ATTR_DREQ, mad);
	mad_set(mad, F_MAD_TID, 0x12345678abcdULL);
	rig_peer_send(rig, mad);
	wire_event(id, IB_CM_DREQ_RECEIVED);
	KUNIT_ASSERT_EQ(test, ib_send_cm_drep(id->cm, NULL, 0), 0);
	wire_expect(rig, ATTR_DREP, mad);
	KUNIT_EXPECT_EQ(test, mad_get(mad, F_MAD_TID), 0x12345678abcdULL);
}

/*
 * 32: destroy between two events
 */

/* What a consumer can have come to whose handler still has an event of its last attempt, the end of which waits. */
static const struct in_state waiting_states[] = {
	{ .desc = "IDLE", .state = CM_ID_IDLE },
	{ .desc = "LISTEN", .state = CM_ID_LISTEN },
	{ .desc = "REQ_SENT", .state = CM_ID_REQ_SENT },
	{ .desc = "MRA_REQ_RCVD", .state = CM_ID_MRA_REQ_RCVD },
	{ .desc = "REP_RCVD", .state = CM_ID_REP_RCVD },
	{ .desc = "MRA_REP_SENT", .state = CM_ID_MRA_REP_SENT },
	{ .desc = "ESTABLISHED", .state = CM_ID_ESTABLISHED },
	{ .desc = "DREQ_SENT", .state = CM_ID_DREQ_SENT },
	{ .desc = "DREQ_RCVD", .state = CM_ID_DREQ_RCVD },
	{ .desc = "TIMEWAIT", .state = CM_ID_TIMEWAIT },
	{ .desc = "TIMEWAIT_STALE", .state = CM_ID_TIMEWAIT_STALE },
	{ .desc = "SIDR_REQ_SENT", .state = CM_ID_SIDR_REQ_SENT },
};

WIRE_GEN(fault_32_destroy_drops_what_waits, waiting_states);

/* What waits is never delivered, whatever state the id is in. */
void fault_32_destroy_drops_what_waits(struct kunit *test)
{
	const struct in_state *in = test->param_value;
	struct rig *rig = slow_rig(test);
	struct rig_id *id = rig_bring(rig, CM_ID_REQ_SENT, true);
	struct many many = { .ids = &id, .n = 1 };
	struct cm_probe_view view;
	struct wire_gate *gate;
	struct wire_job job;

	KUNIT_ASSERT_NOT_NULL(test, id);
	long_timewait(rig);
	gate = wire_gate(test, id, 1);
	wire_answer(id, ATTR_MRA);
	KUNIT_ASSERT_TRUE(test, wire_gate_entered(gate, 1));
	wire_answer_rej(id, IB_CM_REJ_CONSUMER_DEFINED, REJ_OF_REQ);
	KUNIT_ASSERT_TRUE(test, rig_until(rig_state(id) == CM_ID_IDLE));
	KUNIT_ASSERT_TRUE(test, rig_bring_on(id, in->state, true, true));
	cm_probe_view(id->cm, &view);
	KUNIT_EXPECT_GE(test, view.events, 1);
	wire_start(test, &job, destroy_job, &many);
	KUNIT_EXPECT_FALSE(test, wire_join(&job, 50));
	wire_gate_open(gate);
	KUNIT_ASSERT_TRUE(test, wire_join(&job, WIRE_PROMPT_MS));
	KUNIT_EXPECT_EQ(test, atomic_read(&gate->entered), 1);
}

/* The second event is never delivered; destroy returns when the first one's handler has, and not before. */
void fault_32_destroy_between_events(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct rig_id *id = rig_bring(rig, CM_ID_REP_SENT, false);
	struct wire_gate *gate;
	struct cm_probe_view view;
	struct many many = { .ids = &id, .n = 1 };
	struct wire_job job;
	u8 mad[MAD_BYTES];

	KUNIT_ASSERT_NOT_NULL(test, id);
	gate = wire_gate(test, id, 1);
	wire_answer(id, ATTR_RTU);
	KUNIT_ASSERT_TRUE(test, wire_gate_entered(gate, 1));
	wire_event(id, IB_CM_RTU_RECEIVED);
	wire_answer(id, ATTR_DREQ);
	KUNIT_ASSERT_TRUE(test, rig_until(rig_state(id) == CM_ID_DREQ_RCVD));
	cm_probe_view(id->cm, &view);
	KUNIT_EXPECT_EQ(test, view.events, 1);
	wire_start(test, &job, destroy_job, &many);
	KUNIT_EXPECT_FALSE(test, wire_join(&job, 100));
	wire_gate_open(gate);
	KUNIT_ASSERT_TRUE(test, wire_join(&job, WIRE_PROMPT_MS));
	KUNIT_EXPECT_EQ(test, READ_ONCE(id->running), 0);
	wire_quiet(id, 50);
	KUNIT_EXPECT_EQ(test, atomic_read(&gate->entered), 1);
	wire_expect(rig, ATTR_DREP, mad);
}
