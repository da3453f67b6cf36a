// SPDX-License-Identifier: GPL-2.0-only
/*
 * What goes wrong while a connection is made. The numbers are those of the
 * field's faults; the sentence above each case is what is right.
 *
 * Owns: nothing.
 */
#include <linux/delay.h>
#include <linux/random.h>

#include "wire.h"

static struct rig *quick_rig(struct kunit *test, enum rdma_link_layer layer)
{
	return wire_rig(test, layer, WIRE_QUICK);
}

static struct rig *slow_rig(struct kunit *test, enum rdma_link_layer layer)
{
	return wire_rig(test, layer, WIRE_SLOW);
}

/* A consumer that says yes to everything at once. */
static int willing(struct rig_id *id, const struct rig_event *event)
{
	WRITE_ONCE(id->hook, willing);
	wire_agree(id, event);
	return 0;
}

/*
 * 4: a DREQ comes instead of the RTU
 */
struct in_state {
	const char *desc;
	unsigned int state;
	bool active;
};

static const struct in_state waits_for_rtu[] = {
	{ .desc = "REP_SENT", .state = CM_ID_REP_SENT },
	{ .desc = "MRA_REP_RCVD", .state = CM_ID_MRA_REP_RCVD },
};

WIRE_GEN(fault_04_dreq_instead_of_rtu, waits_for_rtu);

/* The REP is not repeated any more, the DREQ is answered with its own TID, destroy is prompt. */
void fault_04_dreq_instead_of_rtu(struct kunit *test)
{
	const struct in_state *in = test->param_value;
	struct rig *rig = quick_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = rig_bring(rig, in->state, false);
	u8 mad[MAD_BYTES];

	KUNIT_ASSERT_NOT_NULL(test, id);
	wire_answer(id, ATTR_DREQ);
	wire_event(id, IB_CM_DREQ_RECEIVED);
	KUNIT_EXPECT_EQ(test, id->cm->state, IB_CM_DREQ_RCVD);
	rig_flush(rig);
	wire_drain(rig);
	KUNIT_EXPECT_EQ(test, wire_count(rig, 0, WIRE_QUIET_MS), 0);
	KUNIT_ASSERT_EQ(test, ib_send_cm_drep(id->cm, NULL, 0), 0);
	wire_expect(rig, ATTR_DREP, mad);
	KUNIT_EXPECT_EQ(test, mad_get(mad, F_MAD_TID), rig->tid);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "remote_comm_id"), id->peer_id);
	wire_destroy(id);
	KUNIT_EXPECT_EQ(test, wire_count(rig, 0, WIRE_QUIET_MS), 0);
}

/*
 * 5: nobody waits for another one's consumer, or another one's peer
 */

/* While a handler of one id sleeps, others are connected, disconnected and resolved. */
void fault_05_handler_sleeps(struct kunit *test)
{
	struct rig *rig = slow_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *sleeper = rig_bring(rig, CM_ID_REP_SENT, false), *id;
	struct wire_gate *gate;

	KUNIT_ASSERT_NOT_NULL(test, sleeper);
	gate = wire_gate(test, sleeper, 1);
	wire_answer(sleeper, ATTR_RTU);
	KUNIT_ASSERT_TRUE(test, wire_gate_entered(gate, 1));
	id = rig_bring(rig, CM_ID_TIMEWAIT, true);
	KUNIT_EXPECT_NOT_NULL(test, id);
	id = rig_bring(rig, CM_ID_TIMEWAIT, false);
	KUNIT_EXPECT_NOT_NULL(test, id);
	wire_event(id, IB_CM_TIMEWAIT_EXIT);
	id = rig_bring(rig, CM_ID_SIDR_REQ_RCVD, false);
	KUNIT_EXPECT_NOT_NULL(test, id);
	KUNIT_EXPECT_EQ(test, READ_ONCE(sleeper->running), 1);
	wire_gate_open(gate);
	wire_event(sleeper, IB_CM_RTU_RECEIVED);
}

/* While a listener's handler sleeps over one REQ, it gets the next one, and so does another listener. */
void fault_05_listener_handler_sleeps(struct kunit *test)
{
	struct rig *rig = slow_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *listener = rig_listen(rig, RIG_SERVICE);
	struct rig_id *other = rig_listen(rig, RIG_SERVICE + 1);
	struct wire_gate *gate = wire_gate(test, listener, 1);
	struct rig_id *id, *sleeper;
	u8 mad[MAD_BYTES];

	rig_make_req(rig, RIG_SERVICE, mad);
	sleeper = wire_accept(rig, listener, mad);
	KUNIT_ASSERT_TRUE(test, wire_gate_entered(gate, 1));
	id = wire_connect_passive(rig, listener);
	KUNIT_EXPECT_EQ(test, id->cm->state, IB_CM_ESTABLISHED);
	rig_make_req(rig, RIG_SERVICE + 1, mad);
	id = wire_accept(rig, other, mad);
	KUNIT_EXPECT_EQ(test, rig_send_rep(id), 0);
	wire_expect(rig, ATTR_REP, mad);
	KUNIT_EXPECT_EQ(test, READ_ONCE(sleeper->running), 1);
	wire_gate_open(gate);
}

struct unresolvable {
	const char *desc;
	enum loop_fault fault;
	u32 arg;
};

static const struct unresolvable unresolvable[] = {
	{ .desc = "its address handle takes 3 s", .fault = LOOP_AH_SLOW, .arg = 3000 },
	{ .desc = "its address handle cannot be made", .fault = LOOP_AH_FAIL },
};

WIRE_GEN(fault_05_unresolvable_peer, unresolvable);

/* A REQ of a peer that cannot be resolved delays no other peer's REQ. */
void fault_05_unresolvable_peer(struct kunit *test)
{
	const struct unresolvable *how = test->param_value;
	struct rig *rig = slow_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct loop_station *good, *bad = wire_station(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *listener = rig_listen(rig, RIG_SERVICE), *id;
	u8 first[MAD_BYTES], second[MAD_BYTES];
	ktime_t begin;

	good = wire_peer(rig, bad);
	rig_make_req(rig, RIG_SERVICE, first);
	wire_fault(rig, how->fault, 0, 1, how->arg);
	rig_peer_send(rig, first);
	wire_peer(rig, good);
	KUNIT_EXPECT_TRUE(test, rig_until(loop_fault_hits(rig->dev, 1, how->fault) == 1));
	begin = ktime_get();
	rig_make_req(rig, RIG_SERVICE, second);
	id = wire_accept(rig, listener, second);
	/* The first one may have come after all: its answer will need the handle, not its event. */
	if (how->fault == LOOP_AH_FAIL && id->peer_id == mad_get(first, "local_comm_id"))
		id = rig_accepted(listener);
	KUNIT_ASSERT_NOT_NULL(test, id);
	KUNIT_EXPECT_EQ(test, id->peer_id, mad_get(second, "local_comm_id"));
	KUNIT_EXPECT_EQ(test, rig_send_rep(id), 0);
	wire_expect(rig, ATTR_REP, second);
	KUNIT_EXPECT_LT(test, ktime_ms_delta(ktime_get(), begin), WIRE_PROMPT_MS);
	loop_faults_clear(rig->dev);
}

/*
 * 6: many expire at once
 */
static void many_ids(struct kunit *test, struct rig *rig, struct rig_id **ids, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		ids[i] = rig_id_create(rig);
		KUNIT_ASSERT_EQ(test, rig_send_req(ids[i]), 0);
	}
}

/* Each of them gets one REQ_ERROR and is IDLE; a connection that is made meanwhile is not disturbed. */
void fault_06_req_black_hole(struct kunit *test)
{
	struct rig *rig = slow_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct loop_station *peer, *hole = wire_station(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id **ids = kunit_kcalloc(test, wire_many, sizeof(*ids), GFP_KERNEL);
	const struct rig_event *event;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, ids);
	KUNIT_ASSERT_TRUE(test, rig_param(test, "window", 65536));
	KUNIT_ASSERT_TRUE(test, rig_param(test, "send_budget", 1024));
	peer = wire_peer(rig, hole);
	rig->response_time = 17;
	rig->retries = 1;
	many_ids(test, rig, ids, wire_many);
	wire_peer(rig, peer);
	rig->response_time = WIRE_SLOW;
	rig->retries = 3;
	KUNIT_EXPECT_NOT_NULL(test, rig_bring(rig, CM_ID_DREQ_RCVD, true));
	KUNIT_EXPECT_NOT_NULL(test, rig_bring(rig, CM_ID_DREQ_RCVD, false));
	for (i = 0; i < wire_many; i++) {
		event = rig_event(ids[i], RIG_WAIT_MS);
		KUNIT_ASSERT_NOT_NULL_MSG(test, event, "id %u of %u", i, wire_many);
		KUNIT_ASSERT_EQ(test, event->type, IB_CM_REQ_ERROR);
	}
	for (i = 0; i < wire_many; i++) {
		wire_quiet(ids[i], 0);
		KUNIT_EXPECT_EQ(test, ids[i]->cm->state, IB_CM_IDLE);
	}
}

/*
 * 7: address handles take time
 */
#define SLOW_AHS	32
#define SLOW_AH_MS	100

static void connect_job(void *arg)
{
	struct rig_id *id = arg;
	struct wire_req *req = id->hook_data;

	req->param.private_data_len = wire_req_send(req, id) ? 1 : 0;
}

/* Threads that connect to as many peers wait for their handles at the same time, not one after the other. */
void fault_07_create_ah_slow(struct kunit *test)
{
	struct rig *rig = slow_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct wire_job *jobs = kunit_kcalloc(test, SLOW_AHS, sizeof(*jobs), GFP_KERNEL);
	struct wire_req *reqs = kunit_kcalloc(test, SLOW_AHS, sizeof(*reqs), GFP_KERNEL);
	struct loop_station *stations[SLOW_AHS], *peer = rig->peer;
	struct loop_packet packet;
	ktime_t begin;
	s64 ms;
	int i;

	KUNIT_ASSERT_NOT_NULL(test, jobs);
	KUNIT_ASSERT_NOT_NULL(test, reqs);
	for (i = 0; i < SLOW_AHS; i++) {
		struct rig_id *id = rig_id_create(rig);

		stations[i] = wire_station(test, IB_LINK_LAYER_INFINIBAND);
		wire_peer(rig, stations[i]);
		wire_req_init(&reqs[i], id);
		id->hook_data = &reqs[i];
		jobs[i].arg = id;
	}
	wire_peer(rig, peer);
	wire_fault(rig, LOOP_AH_SLOW, 0, 0, SLOW_AH_MS);
	begin = ktime_get();
	for (i = 0; i < SLOW_AHS; i++)
		wire_start(test, &jobs[i], connect_job, jobs[i].arg);
	for (i = 0; i < SLOW_AHS; i++)
		KUNIT_EXPECT_TRUE(test, wire_recv(stations[i], ATTR_REQ, &packet, RIG_WAIT_MS));
	ms = ktime_ms_delta(ktime_get(), begin);
	for (i = 0; i < SLOW_AHS; i++) {
		KUNIT_ASSERT_TRUE(test, wire_join(&jobs[i], 2 * RIG_WAIT_MS));
		KUNIT_EXPECT_EQ(test, reqs[i].param.private_data_len, 0);
	}
	KUNIT_EXPECT_EQ(test, loop_fault_hits(rig->dev, 1, LOOP_AH_SLOW), SLOW_AHS);
	KUNIT_EXPECT_LT(test, ms, SLOW_AHS * SLOW_AH_MS / 2);
	loop_faults_clear(rig->dev);
}

/*
 * 8: two hosts call each other
 */
#define WINDOW	16

struct caller {
	struct rig *from, *to;
	struct rig_id **ids;
	struct wire_req *reqs;
	unsigned int n;
	int error;
};

static void caller_init(struct kunit *test, struct caller *caller, struct rig *from, struct rig *to,
			unsigned int n)
{
	unsigned int i;

	caller->from = from;
	caller->to = to;
	caller->n = n;
	caller->error = 0;
	caller->ids = kunit_kcalloc(test, n, sizeof(*caller->ids), GFP_KERNEL);
	caller->reqs = kunit_kcalloc(test, n, sizeof(*caller->reqs), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, caller->ids);
	KUNIT_ASSERT_NOT_NULL(test, caller->reqs);
	for (i = 0; i < n; i++) {
		caller->ids[i] = rig_id_create(from);
		caller->ids[i]->hook = willing;
		wire_req_init(&caller->reqs[i], caller->ids[i]);
		wire_path(from, to, &caller->reqs[i].path);
	}
}

static void caller_job(void *arg)
{
	struct caller *caller = arg;
	unsigned int i;

	for (i = 0; i < caller->n && !caller->error; i++)
		caller->error = wire_req_send(&caller->reqs[i], caller->ids[i]);
}

static bool all_public(struct caller *caller, enum ib_cm_state state)
{
	unsigned int i;

	for (i = 0; i < caller->n; i++)
		if (READ_ONCE(caller->ids[i]->cm->state) != state)
			return false;
	return true;
}

static bool slowly(struct caller *caller, enum ib_cm_state state, unsigned int waits)
{
	while (waits--)
		if (rig_until(all_public(caller, state)))
			return true;
	return false;
}

/* All connect: nobody repeats anything, since REPs and RTUs do not queue behind the REQs that wait for their turn. */
void fault_08_two_hosts_post_windows(struct kunit *test)
{
	const struct loop_config config = { .layer = IB_LINK_LAYER_INFINIBAND };
	struct caller callers[2];
	struct wire_job jobs[2];
	struct rig *rigs[2];
	int i;

	wire_rigs(test, &config, rigs, 2);
	KUNIT_ASSERT_TRUE(test, rig_param(test, "window", WINDOW));
	for (i = 0; i < 2; i++) {
		rigs[i]->response_time = 22;	/* 17 s: no repetition for want of speed */
		rig_listen(rigs[i], RIG_SERVICE)->hook = willing;
		caller_init(test, &callers[i], rigs[i], rigs[!i], 4 * WINDOW);
		wire_tap(rigs[i], 0);
	}
	for (i = 0; i < 2; i++)
		wire_start(test, &jobs[i], caller_job, &callers[i]);
	for (i = 0; i < 2; i++) {
		KUNIT_ASSERT_TRUE(test, wire_join(&jobs[i], 4 * RIG_WAIT_MS));
		KUNIT_EXPECT_EQ(test, callers[i].error, 0);
	}
	for (i = 0; i < 2; i++)
		KUNIT_EXPECT_TRUE(test, slowly(&callers[i], IB_CM_ESTABLISHED, 3));
	rig_settle(rigs[0]);
	/* REQ and RTU of its own calls, REP of the other's. */
	for (i = 0; i < 2; i++)
		KUNIT_EXPECT_EQ(test, wire_tapped(rigs[i]), 3 * 4 * WINDOW);
}

/*
 * 9: MRA
 */
struct long_mra {
	const char *desc;
	unsigned int state;
	u8 service_timeout;
};

static const struct long_mra long_mras[] = {
	{ .desc = "REQ_SENT, 24: 68.7 s", .state = CM_ID_REQ_SENT, .service_timeout = 24 },
	{ .desc = "REQ_SENT, 31: 2.4 h", .state = CM_ID_REQ_SENT, .service_timeout = 31 },
	{ .desc = "REP_SENT, 24: 68.7 s", .state = CM_ID_REP_SENT, .service_timeout = 24 },
	{ .desc = "REP_SENT, 31: 2.4 h", .state = CM_ID_REP_SENT, .service_timeout = 31 },
};

WIRE_GEN(fault_09_mra_long, long_mras);

/* The wait that the MRA meets is stretched, by no more than 2^21 (8.6 s): the peer may be gone. */
void fault_09_mra_long(struct kunit *test)
{
	const struct long_mra *mra = test->param_value;
	struct rig *rig = quick_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = rig_bring(rig, mra->state, mra->state == CM_ID_REQ_SENT);
	const struct rig_event *event;
	struct cm_probe_view view;
	u8 mad[MAD_BYTES];

	KUNIT_ASSERT_NOT_NULL(test, id);
	rig_make(id, ATTR_MRA, mad);
	mad_set(mad, "service_timeout", mra->service_timeout);
	rig_peer_send(rig, mad);
	event = wire_event(id, IB_CM_MRA_RECEIVED);
	KUNIT_EXPECT_EQ(test, event->raw.param.mra_rcvd.service_timeout, mra->service_timeout);
	cm_probe_view(id->cm, &view);
	KUNIT_EXPECT_TRUE(test, view.armed);
	KUNIT_EXPECT_GT(test, view.wait_ms, 7000);
	KUNIT_EXPECT_LT(test, view.wait_ms, 8800);
}

static const struct in_state stretched[] = {
	{ .desc = "REQ_SENT", .state = CM_ID_REQ_SENT, .active = true },
	{ .desc = "REP_SENT", .state = CM_ID_REP_SENT },
};

WIRE_GEN(fault_09_mra_stretches_once, stretched);

/* After the stretched wait the copies follow at the pace of before. */
void fault_09_mra_stretches_once(struct kunit *test)
{
	const struct in_state *in = test->param_value;
	struct rig *rig = quick_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = rig_bring(rig, in->state, in->active);
	u16 attr = in->active ? ATTR_REQ : ATTR_REP;
	ktime_t begin, last;
	u8 mad[MAD_BYTES];
	s64 ms;
	int i;

	KUNIT_ASSERT_NOT_NULL(test, id);
	rig_make(id, ATTR_MRA, mad);
	mad_set(mad, "service_timeout", 17);		/* 537 ms */
	begin = ktime_get();
	rig_peer_send(rig, mad);
	wire_event(id, IB_CM_MRA_RECEIVED);
	wire_drain(rig);
	wire_expect(rig, attr, mad);
	last = ktime_get();
	ms = ktime_ms_delta(last, begin);
	KUNIT_EXPECT_GE(test, ms, 500);
	for (i = 0; i < 3; i++) {
		wire_expect(rig, attr, mad);
		ms = ktime_ms_delta(ktime_get(), last);
		KUNIT_EXPECT_LT(test, ms, 400);
		last = ktime_get();
	}
}

/*
 * 10: slow consumers
 */
static int slowly_willing(struct rig_id *id, const struct rig_event *event)
{
	WRITE_ONCE(id->hook, slowly_willing);
	if (event->type == IB_CM_REQ_RECEIVED || event->type == IB_CM_DREQ_RECEIVED)
		msleep(100);
	wire_agree(id, event);
	return 0;
}

/*
 * Handlers that take 100 ms, behind a receive queue that overflows, with the time-outs that rdma_cm asks for: at most
 * 6 MADs for each connection and its end, where 5 are the ideal.
 */
void fault_10_slow_consumers(struct kunit *test)
{
	const struct loop_config config = { .layer = IB_LINK_LAYER_INFINIBAND, .recv_depth = 64 };
	struct caller caller;
	struct rig *rigs[2];
	unsigned int i, all;

	wire_rigs(test, &config, rigs, 2);
	rigs[0]->response_time = 20;
	rigs[0]->retries = 15;
	rig_listen(rigs[1], RIG_SERVICE)->hook = slowly_willing;
	caller_init(test, &caller, rigs[0], rigs[1], wire_many);
	wire_tap(rigs[0], 0);
	wire_tap(rigs[1], 0);
	caller_job(&caller);
	KUNIT_ASSERT_EQ(test, caller.error, 0);
	KUNIT_ASSERT_TRUE(test, slowly(&caller, IB_CM_ESTABLISHED, 4));
	for (i = 0; i < caller.n; i++)
		KUNIT_ASSERT_EQ(test, ib_send_cm_dreq(caller.ids[i]->cm, NULL, 0), 0);
	KUNIT_ASSERT_TRUE(test, slowly(&caller, IB_CM_IDLE, 4));
	rig_settle(rigs[1]);
	all = wire_tapped(rigs[0]) + wire_tapped(rigs[1]);
	kunit_info(test, "%u connections, %u MADs", caller.n, all);
	KUNIT_EXPECT_GE(test, all, 5 * caller.n);
	KUNIT_EXPECT_LE(test, all, 6 * caller.n);
}

/*
 * 13: the peer was rebooted
 */
struct rebooted {
	const char *desc;
	bool active;		/* the old connection was of our asking */
	bool answers;		/* the DREQ on the old one */
};

static const struct rebooted rebooted[] = {
	{ .desc = "it asked for the old one, and knows nothing of it" },
	{ .desc = "it asked for the old one, and answers the DREQ", .answers = true },
	{ .desc = "we asked for the old one, it knows nothing of it", .active = true },
	{ .desc = "we asked for the old one, it answers the DREQ", .active = true,
	  .answers = true },
};

WIRE_GEN(fault_13_peer_rebooted, rebooted);

/*
 * A REQ with the CA GUID and QPN of an ESTABLISHED connection and a new comm id: REJ 10 on it, a DREQ on
 * the old one, whose consumer sees it end; the same REQ is accepted afterwards.
 */
void fault_13_peer_rebooted(struct kunit *test)
{
	const struct rebooted *how = test->param_value;
	struct rig *rig = quick_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *listener = rig_listen(rig, RIG_SERVICE), *old, *id;
	bool rejected = false, ended = false;
	u8 req[MAD_BYTES], mad[MAD_BYTES];
	int i;

	rig->retries = 3;
	old = how->active ? wire_connect_active(rig) : wire_connect_passive(rig, listener);
	rig_make_req(rig, RIG_SERVICE, req);
	mad_set(req, "local_qpn", old->peer_qpn);
	rig_peer_send(rig, req);
	for (i = 0; i < 2; i++) {
		KUNIT_ASSERT_TRUE(test, rig_peer_recv(rig, 0, mad, RIG_WAIT_MS));
		if (mad_attr(mad) == ATTR_REJ) {
			rejected = true;
			KUNIT_EXPECT_EQ(test, mad_get(mad, "reason"), IB_CM_REJ_STALE_CONN);
			KUNIT_EXPECT_EQ(test, mad_get(mad, "remote_comm_id"),
					mad_get(req, "local_comm_id"));
			KUNIT_EXPECT_EQ(test, mad_get(mad, "message_rejected"), 0);
			KUNIT_EXPECT_EQ(test, mad_get(mad, F_MAD_TID), mad_get(req, F_MAD_TID));
		} else if (mad_attr(mad) == ATTR_DREQ) {
			ended = true;
			KUNIT_EXPECT_EQ(test, mad_get(mad, "remote_comm_id"), old->peer_id);
			KUNIT_EXPECT_EQ(test, mad_get(mad, "local_comm_id"), old->local_id);
			KUNIT_EXPECT_EQ(test, mad_get(mad, "remote_qpn_eecn"), old->peer_qpn);
			old->dreq_tid = mad_get(mad, F_MAD_TID);
		}
	}
	KUNIT_EXPECT_TRUE(test, rejected);
	KUNIT_EXPECT_TRUE(test, ended);
	if (how->answers) {
		wire_answer(old, ATTR_DREP);
		wire_event(old, IB_CM_DREP_RECEIVED);
	} else {
		wire_event(old, IB_CM_DREQ_ERROR);
	}
	wire_event(old, IB_CM_TIMEWAIT_EXIT);
	id = wire_accept(rig, listener, req);
	KUNIT_EXPECT_EQ(test, rig_send_rep(id), 0);
	wire_expect(rig, ATTR_REP, mad);
	wire_answer(id, ATTR_RTU);
	wire_event(id, IB_CM_RTU_RECEIVED);
	wire_quiet(old, 0);
}

/*
 * 14: the same comm id
 */
struct again {
	const char *desc;
	unsigned int state;
	bool active;
	bool other_qpn;
	bool other_comm_id;
	bool parting;		/* a new request may be served */
};

static const struct again again[] = {
	{ .desc = "REQ_RCVD, same QPN", .state = CM_ID_REQ_RCVD },
	{ .desc = "REQ_RCVD, other QPN", .state = CM_ID_REQ_RCVD, .other_qpn = true },
	{ .desc = "MRA_REQ_SENT, same QPN", .state = CM_ID_MRA_REQ_SENT },
	{ .desc = "MRA_REQ_SENT, other QPN", .state = CM_ID_MRA_REQ_SENT, .other_qpn = true },
	{ .desc = "REP_SENT, same QPN", .state = CM_ID_REP_SENT },
	{ .desc = "REP_SENT, other QPN", .state = CM_ID_REP_SENT, .other_qpn = true },
	{ .desc = "MRA_REP_RCVD, same QPN", .state = CM_ID_MRA_REP_RCVD },
	{ .desc = "MRA_REP_RCVD, other QPN", .state = CM_ID_MRA_REP_RCVD, .other_qpn = true },
	{ .desc = "ESTABLISHED, same QPN", .state = CM_ID_ESTABLISHED },
	{ .desc = "ESTABLISHED, other QPN", .state = CM_ID_ESTABLISHED, .other_qpn = true },
	{ .desc = "DREQ_SENT, same QPN", .state = CM_ID_DREQ_SENT, .parting = true },
	{ .desc = "DREQ_SENT, other QPN", .state = CM_ID_DREQ_SENT, .other_qpn = true,
	  .parting = true },
	{ .desc = "DREQ_RCVD, same QPN", .state = CM_ID_DREQ_RCVD, .parting = true },
	{ .desc = "DREQ_RCVD, other QPN", .state = CM_ID_DREQ_RCVD, .other_qpn = true,
	  .parting = true },
	{ .desc = "TIMEWAIT, same QPN", .state = CM_ID_TIMEWAIT, .parting = true },
	{ .desc = "TIMEWAIT, other QPN", .state = CM_ID_TIMEWAIT, .other_qpn = true,
	  .parting = true },
};

WIRE_GEN(fault_14_comm_id_again, again);

/*
 * A REQ with the comm id of an old one and another TID is stale and gets REJ 10; where the old one is parting
 * it may be served. It is never swallowed.
 */
void fault_14_comm_id_again(struct kunit *test)
{
	const struct again *how = test->param_value;
	struct rig *rig = slow_rig(test, IB_LINK_LAYER_INFINIBAND);
	bool dreq = how->state != CM_ID_ESTABLISHED, served, rejected = false;
	u8 req[MAD_BYTES], mad[MAD_BYTES];
	struct rig_id *old, *listener;
	unsigned int before;

	rig->ack_time = 18;	/* it is still in timewait when the REQ comes */
	old = rig_bring(rig, how->state, false);
	KUNIT_ASSERT_NOT_NULL(test, old);
	listener = old->listener;
	before = atomic_read(&wire_gate(test, listener, 0)->entered);
	memcpy(req, old->request, MAD_BYTES);
	mad_set(req, F_MAD_TID, ++rig->tid);
	if (how->other_qpn)
		mad_set(req, "local_qpn", rig->peer_qpn++);
	wire_drain(rig);
	rig_peer_send(rig, req);
	rig_settle(rig);
	while (!rejected && rig_peer_recv(rig, 0, mad, rejected && dreq ? 0 : WIRE_QUIET_MS)) {
		if (mad_attr(mad) == ATTR_DREQ)
			dreq = true;
		if (mad_attr(mad) != ATTR_REJ)
			continue;
		rejected = true;
		KUNIT_EXPECT_EQ(test, mad_get(mad, "reason"), IB_CM_REJ_STALE_CONN);
		KUNIT_EXPECT_EQ(test, mad_get(mad, "remote_comm_id"),
				mad_get(req, "local_comm_id"));
	}
	if (!dreq && rig_peer_recv(rig, ATTR_DREQ, mad, RIG_WAIT_MS))
		dreq = true;
	served = atomic_read(&((struct wire_gate *)listener->hook_data)->entered) > before;
	KUNIT_EXPECT_TRUE(test, dreq);
	if (how->parting)
		KUNIT_EXPECT_TRUE(test, rejected || served);
	else
		KUNIT_EXPECT_TRUE(test, rejected && !served);
}

static const struct again repetitions[] = {
	{ .desc = "REQ_RCVD", .state = CM_ID_REQ_RCVD },
	{ .desc = "MRA_REQ_SENT", .state = CM_ID_MRA_REQ_SENT },
	{ .desc = "REP_SENT", .state = CM_ID_REP_SENT },
	{ .desc = "ESTABLISHED", .state = CM_ID_ESTABLISHED },
	{ .desc = "DREQ_RCVD", .state = CM_ID_DREQ_RCVD },
	{ .desc = "TIMEWAIT", .state = CM_ID_TIMEWAIT },
	{ .desc = "REQ_RCVD, comm id changed by a proxy", .state = CM_ID_REQ_RCVD,
	  .other_comm_id = true },
	{ .desc = "ESTABLISHED, comm id changed by a proxy", .state = CM_ID_ESTABLISHED,
	  .other_comm_id = true },
};

WIRE_GEN(fault_14_repetition, repetitions);

/* A REQ with the comm id and the TID of before is a repetition: no REJ, no event, the old one stays what it is. */
void fault_14_repetition(struct kunit *test)
{
	const struct again *how = test->param_value;
	struct rig *rig = slow_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct wire_gate *gate;
	u8 req[MAD_BYTES];
	struct rig_id *id;

	rig->ack_time = 18;
	id = rig_bring(rig, how->state, false);
	KUNIT_ASSERT_NOT_NULL(test, id);
	gate = wire_gate(test, id->listener, 0);
	memcpy(req, id->request, MAD_BYTES);
	if (how->other_comm_id)
		mad_set(req, "local_comm_id", rig->peer_comm_id++);
	wire_drain(rig);
	rig_peer_send(rig, req);
	rig_settle(rig);
	KUNIT_EXPECT_EQ(test, rig_state(id), how->state);
	KUNIT_EXPECT_EQ(test, wire_count(rig, ATTR_REJ, WIRE_QUIET_MS), 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&gate->entered), 0);
}

/* Comm id, QPN and TID of a connection, but another CA GUID: another peer, and a connection of its own. */
void fault_14_other_peer(struct kunit *test)
{
	struct rig *rig = slow_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *old = rig_bring(rig, CM_ID_ESTABLISHED, false), *id;
	u8 req[MAD_BYTES], mad[MAD_BYTES];

	KUNIT_ASSERT_NOT_NULL(test, old);
	memcpy(req, old->request, MAD_BYTES);
	mad_set(req, "local_ca_guid", rig->peer_guid + 1);
	id = wire_accept(rig, old->listener, req);
	KUNIT_ASSERT_EQ(test, rig_send_rep(id), 0);
	wire_expect(rig, ATTR_REP, mad);
	wire_answer(id, ATTR_RTU);
	wire_event(id, IB_CM_RTU_RECEIVED);
	wire_quiet(old, 0);
	KUNIT_EXPECT_EQ(test, old->cm->state, IB_CM_ESTABLISHED);
}

/*
 * 15: no CA GUID
 */
struct no_guid {
	const char *desc;
	enum rdma_link_layer layer;
	bool grh;
};

static const struct no_guid no_guids[] = {
	{ .desc = "told apart by LID", .layer = IB_LINK_LAYER_INFINIBAND },
	{ .desc = "told apart by GID, InfiniBand", .layer = IB_LINK_LAYER_INFINIBAND, .grh = true },
	{ .desc = "told apart by GID, RoCE", .layer = IB_LINK_LAYER_ETHERNET },
};

WIRE_GEN(fault_15_zero_guid_req, no_guids);

static void send_as(struct rig *rig, struct loop_station *station, bool grh, const u8 *mad)
{
	struct loop_station *peer = wire_peer(rig, station);
	struct loop_packet packet;

	rig_peer_packet(rig, mad, &packet);
	wire_peer(rig, peer);
	if (grh) {
		packet.grh = true;
		packet.hop_limit = 64;
	}
	KUNIT_EXPECT_EQ(rig->test, loop_station_send(station, &packet), 0);
}

/* Two peers without a CA GUID, with the same comm id, QPN and TID, are two peers: both are served to the end. */
void fault_15_zero_guid_req(struct kunit *test)
{
	const struct no_guid *how = test->param_value;
	struct rig *rig = slow_rig(test, how->layer);
	struct rig_id *listener = rig_listen(rig, RIG_SERVICE), *ids[2];
	struct loop_station *peer = rig->peer, *stations[2];
	struct loop_packet packet;
	u8 req[MAD_BYTES];
	int i;

	rig->peer_guid = 0;
	for (i = 0; i < 2; i++) {
		stations[i] = wire_station(test, how->layer);
		wire_peer(rig, stations[i]);
		rig_make_req(rig, RIG_SERVICE, req);
		wire_peer(rig, peer);
		mad_set(req, "local_comm_id", 0x4711);
		mad_set(req, "local_qpn", 0x815);
		mad_set(req, F_MAD_TID, 0x1234567);
		if (how->grh)
			mad_set(req, "primary_hop_limit", 64);
		send_as(rig, stations[i], how->grh, req);
		ids[i] = rig_accepted(listener);
		KUNIT_ASSERT_NOT_NULL_MSG(test, ids[i], "peer %d has no event", i);
		wire_event(ids[i], IB_CM_REQ_RECEIVED);
		ids[i]->tid = 0x1234567;
		ids[i]->peer_id = 0x4711;
		ids[i]->peer_qpn = 0x815;
	}
	for (i = 0; i < 2; i++) {
		KUNIT_ASSERT_EQ(test, rig_send_rep(ids[i]), 0);
		KUNIT_ASSERT_TRUE(test, wire_recv(stations[i], ATTR_REP, &packet, RIG_WAIT_MS));
		KUNIT_EXPECT_EQ(test, mad_get(packet.mad, "local_comm_id"), ids[i]->local_id);
		rig_make(ids[i], ATTR_RTU, req);
		send_as(rig, stations[i], how->grh, req);
		wire_event(ids[i], IB_CM_RTU_RECEIVED);
	}
	for (i = 0; i < 2; i++) {
		wire_quiet(ids[i], 0);
		KUNIT_EXPECT_EQ(test, ids[i]->cm->state, IB_CM_ESTABLISHED);
	}
}

static const struct no_guid no_guids_rep[] = {
	{ .desc = "told apart by LID", .layer = IB_LINK_LAYER_INFINIBAND },
	{ .desc = "told apart by GID, RoCE", .layer = IB_LINK_LAYER_ETHERNET },
};

WIRE_GEN(fault_15_zero_guid_rep, no_guids_rep);

/* The same for two peers that answer. */
void fault_15_zero_guid_rep(struct kunit *test)
{
	const struct no_guid *how = test->param_value;
	struct rig *rig = slow_rig(test, how->layer);
	struct loop_station *peer = rig->peer;
	struct rig_id *ids[2];
	u8 mad[MAD_BYTES];
	int i;

	rig->peer_guid = 0;
	for (i = 0; i < 2; i++) {
		wire_peer(rig, wire_station(test, how->layer));
		ids[i] = rig_bring(rig, CM_ID_REQ_SENT, true);
		KUNIT_ASSERT_NOT_NULL(test, ids[i]);
		ids[i]->peer_id = 0x4711;
		ids[i]->peer_qpn = 0x815;
		rig_make(ids[i], ATTR_REP, mad);
		rig_peer_send(rig, mad);
		wire_event(ids[i], IB_CM_REP_RECEIVED);
		KUNIT_EXPECT_EQ(test, ib_send_cm_rtu(ids[i]->cm, NULL, 0), 0);
		wire_expect(rig, ATTR_RTU, mad);
	}
	wire_peer(rig, peer);
	for (i = 0; i < 2; i++) {
		wire_quiet(ids[i], 0);
		KUNIT_EXPECT_EQ(test, ids[i]->cm->state, IB_CM_ESTABLISHED);
	}
}

/*
 * 21: REJ "timeout"
 */
static const struct in_state rejected_by_guid[] = {
	{ .desc = "REQ_RCVD", .state = CM_ID_REQ_RCVD },
	{ .desc = "MRA_REQ_SENT", .state = CM_ID_MRA_REQ_SENT },
	{ .desc = "REP_SENT, the REP was lost", .state = CM_ID_REP_SENT },
};

WIRE_GEN(fault_21_rej_timeout_by_guid, rejected_by_guid);

static void rej_by_guid(struct rig_id *id, u8 *mad)
{
	int i;

	rig_make(id, ATTR_REJ, mad);
	mad_set(mad, "remote_comm_id", 0);
	mad_set(mad, "message_rejected", 2);
	mad_set(mad, "reason", IB_CM_REJ_TIMEOUT);
	mad_set(mad, "rejected_info_length", 8);
	for (i = 0; i < 8; i++)
		mad_bytes_w(mad, "ari")[i] = id->rig->peer_guid >> (56 - 8 * i);
}

/* A REJ of a requester that never learnt our comm id is matched by its own and its CA GUID. */
void fault_21_rej_timeout_by_guid(struct kunit *test)
{
	const struct in_state *in = test->param_value;
	struct rig *rig = slow_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = rig_bring(rig, in->state, false);
	const struct rig_event *event;
	u8 mad[MAD_BYTES];

	KUNIT_ASSERT_NOT_NULL(test, id);
	rej_by_guid(id, mad);
	rig_peer_send(rig, mad);
	event = wire_event(id, IB_CM_REJ_RECEIVED);
	KUNIT_EXPECT_EQ(test, event->raw.param.rej_rcvd.reason, IB_CM_REJ_TIMEOUT);
	KUNIT_EXPECT_EQ(test, event->raw.param.rej_rcvd.ari_length, 8);
	KUNIT_EXPECT_EQ(test, id->cm->state, IB_CM_IDLE);
	KUNIT_EXPECT_EQ(test, wire_count(rig, 0, WIRE_QUIET_MS), 0);
}

/* The CA GUID of another peer is no match: nothing happens. */
void fault_21_rej_timeout_other_guid(struct kunit *test)
{
	struct rig *rig = slow_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = rig_bring(rig, CM_ID_REQ_RCVD, false);
	u8 mad[MAD_BYTES];

	KUNIT_ASSERT_NOT_NULL(test, id);
	rej_by_guid(id, mad);
	mad_bytes_w(mad, "ari")[7] ^= 1;
	rig_peer_send(rig, mad);
	rig_settle(rig);
	wire_quiet(id, 50);
	KUNIT_EXPECT_EQ(test, id->cm->state, IB_CM_REQ_RCVD);
	KUNIT_EXPECT_EQ(test, rig_send_rep(id), 0);
	wire_expect(rig, ATTR_REP, mad);
}

/* A requester uses its comm id again: the late REJ of its earlier attempt, whose TID it has, does not end this one. */
void fault_21_rej_timeout_earlier_attempt(struct kunit *test)
{
	struct rig *rig = slow_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = rig_bring(rig, CM_ID_REQ_RCVD, false);
	u8 mad[MAD_BYTES];

	KUNIT_ASSERT_NOT_NULL(test, id);
	rej_by_guid(id, mad);
	mad_set(mad, F_MAD_TID, mad_get(mad, F_MAD_TID) - 1);
	rig_peer_send(rig, mad);
	rig_settle(rig);
	wire_quiet(id, 50);
	KUNIT_EXPECT_EQ(test, id->cm->state, IB_CM_REQ_RCVD);
	KUNIT_EXPECT_EQ(test, rig_send_rep(id), 0);
	wire_expect(rig, ATTR_REP, mad);
}

/* The same once our MRA has told the requester our comm id, and it names it. */
void fault_21_rej_timeout_after_mra_sent(struct kunit *test)
{
	struct rig *rig = slow_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = rig_bring(rig, CM_ID_MRA_REQ_SENT, false);
	const struct rig_event *event;
	u8 mad[MAD_BYTES];

	KUNIT_ASSERT_NOT_NULL(test, id);
	wire_answer(id, ATTR_REQ);
	wire_expect(rig, ATTR_MRA, mad);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "local_comm_id"), id->local_id);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "remote_comm_id"), id->peer_id);
	rej_by_guid(id, mad);
	mad_set(mad, "remote_comm_id", id->local_id);
	rig_peer_send(rig, mad);
	event = wire_event(id, IB_CM_REJ_RECEIVED);
	KUNIT_EXPECT_EQ(test, event->raw.param.rej_rcvd.reason, IB_CM_REJ_TIMEOUT);
	KUNIT_EXPECT_EQ(test, id->cm->state, IB_CM_IDLE);
}

static void expect_parting_rej(struct rig_id *id, u32 remote_comm_id)
{
	struct kunit *test = id->rig->test;
	struct rig *rig = id->rig;
	u8 mad[MAD_BYTES];

	wire_expect(rig, ATTR_REJ, mad);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "reason"), IB_CM_REJ_TIMEOUT);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "local_comm_id"), id->local_id);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "remote_comm_id"), remote_comm_id);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "rejected_info_length"), 8);
	KUNIT_EXPECT_MEMEQ(test, mad_bytes(mad, "ari"), &rig->dev->node_guid, 8);
	KUNIT_EXPECT_EQ(test, mad_get(mad, F_MAD_TID), id->tid);
}

/* Our own REJ "timeout" names the peer's comm id if an MRA told it, 0 if not, and our CA GUID in both. */
void fault_21_rej_timeout_after_mra_received(struct kunit *test)
{
	struct rig *rig = slow_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = rig_bring(rig, CM_ID_REQ_SENT, true);

	KUNIT_ASSERT_NOT_NULL(test, id);
	wire_destroy(id);
	expect_parting_rej(id, 0);
	id = rig_bring(rig, CM_ID_MRA_REQ_RCVD, true);
	KUNIT_ASSERT_NOT_NULL(test, id);
	wire_destroy(id);
	expect_parting_rej(id, id->peer_id);
}

struct forged {
	const char *desc;
	enum rdma_link_layer layer;
	s32 local, remote;	/* added to what is right */
	bool elsewhere;		/* from another station */
};

static const struct forged forgeries[] = {
	{ .desc = "the peer's comm id is wrong", .layer = IB_LINK_LAYER_INFINIBAND, .local = 1 },
	{ .desc = "ours is wrong", .layer = IB_LINK_LAYER_INFINIBAND, .remote = 1 },
	{ .desc = "RoCE, the source is another GID", .layer = IB_LINK_LAYER_ETHERNET,
	  .elsewhere = true },
};

WIRE_GEN(fault_21_rej_forged, forgeries);

/* A REJ that does not fit an ESTABLISHED id in every respect is ignored. */
void fault_21_rej_forged(struct kunit *test)
{
	const struct forged *how = test->param_value;
	struct rig *rig = slow_rig(test, how->layer);
	struct rig_id *id = wire_connect_active(rig);
	struct loop_station *other = wire_station(test, how->layer);
	u8 mad[MAD_BYTES];
	u16 reason;

	for (reason = IB_CM_REJ_TIMEOUT; reason <= IB_CM_REJ_CONSUMER_DEFINED; reason += 6) {
		rig_make(id, ATTR_REJ, mad);
		mad_set(mad, "local_comm_id", id->peer_id + how->local);
		mad_set(mad, "remote_comm_id", id->local_id + how->remote);
		mad_set(mad, "message_rejected", 2);
		mad_set(mad, "reason", reason);
		send_as(rig, how->elsewhere ? other : rig->peer, false, mad);
	}
	rig_settle(rig);
	wire_quiet(id, 50);
	KUNIT_EXPECT_EQ(test, id->cm->state, IB_CM_ESTABLISHED);
	KUNIT_EXPECT_EQ(test, wire_count(rig, 0, 50), 0);
	/* One that fits does end it. */
	wire_answer_rej(id, IB_CM_REJ_CONSUMER_DEFINED, 2);
	wire_event(id, IB_CM_REJ_RECEIVED);
}

/*
 * 22: a REP that nobody waits for
 */
static void expect_rep_rejected(struct rig *rig, u32 ours, u32 peers, u64 tid)
{
	struct kunit *test = rig->test;
	u8 mad[MAD_BYTES];

	wire_expect(rig, ATTR_REJ, mad);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "reason"), IB_CM_REJ_INVALID_COMM_ID);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "message_rejected"), 1);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "local_comm_id"), ours);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "remote_comm_id"), peers);
	KUNIT_EXPECT_EQ(test, mad_get(mad, F_MAD_TID), tid);
	KUNIT_EXPECT_EQ(test, wire_count(rig, 0, 50), 0);
}

/* It gets REJ 6 of the REP, with both comm ids as the REP has them, so that its sender need not repeat it. */
void fault_22_rep_unknown(struct kunit *test)
{
	struct rig *rig = slow_rig(test, IB_LINK_LAYER_INFINIBAND);
	u8 mad[MAD_BYTES];

	mad_init(mad, ATTR_REP, 0xabcdef);
	mad_set(mad, "local_comm_id", 0x51);
	mad_set(mad, "remote_comm_id", 0xdead);
	mad_set(mad, "local_ca_guid", rig->peer_guid);
	mad_set(mad, "local_qpn", 0x52);
	rig_peer_send(rig, mad);
	expect_rep_rejected(rig, 0xdead, 0x51, 0xabcdef);
}

/* So does the REP to an attempt that was given up, or whose id is gone. */
void fault_22_rep_of_destroyed_id(struct kunit *test)
{
	struct rig *rig = slow_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = rig_bring(rig, CM_ID_REQ_SENT, true);
	u8 mad[MAD_BYTES], rej[MAD_BYTES];

	KUNIT_ASSERT_NOT_NULL(test, id);
	rig_make(id, ATTR_REP, mad);
	wire_destroy(id);
	wire_expect(rig, ATTR_REJ, rej);
	rig_peer_send(rig, mad);
	expect_rep_rejected(rig, id->local_id, id->peer_id, id->tid);

	id = rig_bring(rig, CM_ID_REQ_SENT, true);
	KUNIT_ASSERT_NOT_NULL(test, id);
	rig_make(id, ATTR_REP, mad);
	KUNIT_EXPECT_EQ(test, ib_send_cm_rej(id->cm, IB_CM_REJ_TIMEOUT, NULL, 0, NULL, 0), 0);
	wire_expect(rig, ATTR_REJ, rej);
	rig_peer_send(rig, mad);
	expect_rep_rejected(rig, id->local_id, id->peer_id, id->tid);
}

/*
 * 24: RTUs are lost
 */

/*
 * IB_EVENT_COMM_EST stands for the RTU: ESTABLISHED, one event, no more REPs; the RTU that comes late is nothing new.
 */
void fault_24_rtu_lost_notify(struct kunit *test)
{
	struct rig *rig = quick_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = rig_bring(rig, CM_ID_REP_SENT, false);
	u8 mad[MAD_BYTES];

	KUNIT_ASSERT_NOT_NULL(test, id);
	/* The second copy: the first was taken on the way. */
	wire_expect(rig, ATTR_REP, mad);
	KUNIT_EXPECT_EQ(test, ib_cm_notify(id->cm, IB_EVENT_COMM_EST), 0);
	wire_event(id, IB_CM_USER_ESTABLISHED);
	KUNIT_EXPECT_EQ(test, id->cm->state, IB_CM_ESTABLISHED);
	KUNIT_EXPECT_EQ(test, ib_cm_notify(id->cm, IB_EVENT_COMM_EST), -EISCONN);
	rig_settle(rig);
	wire_drain(rig);
	wire_answer(id, ATTR_RTU);
	wire_quiet(id, WIRE_QUIET_MS);
	KUNIT_EXPECT_EQ(test, wire_count(rig, 0, 0), 0);
}

/* Without it: as many copies as the REQ allows, then one REP_ERROR, IDLE, and no copy more. */
void fault_24_rtu_lost_silent(struct kunit *test)
{
	struct rig *rig = quick_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id, *listener = rig_listen(rig, RIG_SERVICE);
	unsigned int reps = 0;
	u8 mad[MAD_BYTES];

	rig->retries = 3;
	/* 0.5 s: a copy that the device has not sent by then is not repeated, and a busy machine needs longer than WIRE_QUICK. */
	rig->response_time = 17;
	rig_make_req(rig, RIG_SERVICE, mad);
	id = wire_accept(rig, listener, mad);
	KUNIT_ASSERT_EQ(test, rig_send_rep(id), 0);
	wire_event(id, IB_CM_REP_ERROR);
	KUNIT_EXPECT_EQ(test, id->cm->state, IB_CM_IDLE);
	while (rig_peer_recv(rig, 0, mad, WIRE_QUIET_MS))
		reps += mad_attr(mad) == ATTR_REP;
	KUNIT_EXPECT_EQ(test, reps, 4);
	wire_quiet(id, 0);
}

static void rep_again(struct kunit *test, unsigned int state)
{
	struct rig *rig = slow_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = rig_bring(rig, state, true);
	u8 mad[MAD_BYTES];
	int i;

	KUNIT_ASSERT_NOT_NULL(test, id);
	for (i = 0; i < 3; i++) {
		wire_answer(id, ATTR_REP);
		wire_expect(rig, ATTR_RTU, mad);
		KUNIT_EXPECT_EQ(test, mad_get(mad, "local_comm_id"), id->local_id);
		KUNIT_EXPECT_EQ(test, mad_get(mad, "remote_comm_id"), id->peer_id);
		KUNIT_EXPECT_EQ(test, mad_get(mad, F_MAD_TID), id->tid);
	}
	KUNIT_EXPECT_EQ(test, wire_count(rig, 0, 50), 0);
	wire_quiet(id, 0);
	KUNIT_EXPECT_EQ(test, rig_state(id), state);
}

/* Each repeated REP is answered by an RTU, and is no event. */
void fault_24_rep_again_established(struct kunit *test)
{
	rep_again(test, CM_ID_ESTABLISHED);
}

/* It is the same RTU, down to the consumer's data. */
void fault_24_rep_again_with_data(struct kunit *test)
{
	struct rig *rig = slow_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = rig_bring(rig, CM_ID_REP_RCVD, true);
	static const char data[] = "what the RTU said";
	u8 mad[MAD_BYTES];
	int i;

	KUNIT_ASSERT_NOT_NULL(test, id);
	KUNIT_ASSERT_EQ(test, ib_send_cm_rtu(id->cm, data, sizeof(data)), 0);
	for (i = 0; i < 3; i++) {
		wire_expect(rig, ATTR_RTU, mad);
		KUNIT_EXPECT_MEMEQ(test, mad_bytes(mad, "private_data"), data, sizeof(data));
		wire_answer(id, ATTR_REP);
	}
}

/* Also when we have begun to disconnect. */
void fault_24_rep_again_dreq_sent(struct kunit *test)
{
	rep_again(test, CM_ID_DREQ_SENT);
}

/* Between two devices: an RTU for each REP; one REP_ERROR; the other side learns that it has no peer. */
void fault_24_all_rtus_lost_two_ends(struct kunit *test)
{
	const struct loop_config config = { .layer = IB_LINK_LAYER_INFINIBAND };
	struct wire_pair pair;
	struct rig *rigs[2];

	wire_rigs(test, &config, rigs, 2);
	rigs[0]->response_time = WIRE_QUICK + 1;
	rigs[0]->retries = 3;
	wire_fault(rigs[0], LOOP_DROP, ATTR_RTU, 0, 0);
	wire_tap(rigs[1], ATTR_REP);
	wire_call_pair(rigs[0], rigs[1], rig_listen(rigs[1], RIG_SERVICE), &pair);
	KUNIT_ASSERT_EQ(test, rig_send_rep(pair.b), 0);
	wire_event(pair.a, IB_CM_REP_RECEIVED);
	KUNIT_ASSERT_EQ(test, ib_send_cm_rtu(pair.a->cm, NULL, 0), 0);
	wire_event(pair.b, IB_CM_REP_ERROR);
	rig_settle(rigs[0]);
	KUNIT_EXPECT_EQ(test, wire_tapped(rigs[1]), 4);
	KUNIT_EXPECT_EQ(test, loop_fault_hits(rigs[0]->dev, 1, LOOP_DROP), 4);
	wire_event(pair.a, IB_CM_REJ_RECEIVED);
	wire_event(pair.a, IB_CM_TIMEWAIT_EXIT);
	wire_quiet(pair.b, 0);
}

/*
 * 27: fields that are too small for what is asked
 */

/*
 * Whatever the peer's REQ says of times, the REP is timed, and not for hours: 2^21 (8.6 s) each for the answer and the
 * path.
 */
void fault_27_time_fields_from_peer(struct kunit *test)
{
	struct rig *rig = slow_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id, *listener = rig_listen(rig, RIG_SERVICE);
	struct cm_probe_view view;
	u8 mad[MAD_BYTES];
	unsigned int time;

	for (time = 0; time < 32; time++) {
		rig->response_time = time;
		rig->ack_time = time;
		rig_make_req(rig, RIG_SERVICE, mad);
		id = wire_accept(rig, listener, mad);
		KUNIT_EXPECT_EQ(test, rig_send_rep(id), 0);
		wire_expect(rig, ATTR_REP, mad);
		cm_probe_view(id->cm, &view);
		if (time >= WIRE_SLOW) {
			KUNIT_EXPECT_EQ_MSG(test, view.state, CM_ID_REP_SENT, "time %u", time);
			KUNIT_EXPECT_GT_MSG(test, view.wait_ms, 3000, "time %u", time);
		}
		if (view.state == CM_ID_REP_SENT && view.armed)
			KUNIT_EXPECT_LT_MSG(test, view.wait_ms, 2 * 8600, "time %u", time);
		wire_answer(id, ATTR_RTU);
		wire_destroy(id);
		wire_drain(rig);
	}
	/* The records are the peer's word as well: they must not stay for hours. */
	rig_unplug(rig);
}

static void expect_field(struct kunit *test, const u8 *mad, const char *name, u64 asked, u64 most)
{
	KUNIT_EXPECT_EQ_MSG(test, mad_get(mad, name), min(asked, most), "%s, asked for %llu", name,
			    asked);
}

struct wide {
	const char *desc;
	u32 value;
};

/*
 * The call fails, or the field has what was asked, at most its largest value; its neighbours have what they were
 * given.
 */
static void expect_req(struct rig_id *id, struct wire_req *req)
{
	const struct ib_cm_req_param *param = &req->param;
	struct rig *rig = id->rig;
	struct kunit *test = rig->test;
	u8 mad[MAD_BYTES];
	int ret;

	ret = wire_req_send(req, id);
	if (ret) {
		KUNIT_EXPECT_EQ(test, ret, -EINVAL);
		KUNIT_EXPECT_EQ(test, id->cm->state, IB_CM_IDLE);
		return;
	}
	wire_expect(rig, ATTR_REQ, mad);
	expect_field(test, mad, "remote_cm_response_timeout", param->remote_cm_response_timeout,
		     31);
	expect_field(test, mad, "transport_service_type", 0, 3);
	expect_field(test, mad, "end_to_end_flow_control", 1, 1);
	expect_field(test, mad, "local_cm_response_timeout", param->local_cm_response_timeout, 31);
	expect_field(test, mad, "retry_count", param->retry_count, 7);
	expect_field(test, mad, "rnr_retry_count", param->rnr_retry_count, 7);
	expect_field(test, mad, "path_packet_payload_mtu", IB_MTU_2048, 15);
	expect_field(test, mad, "rdc_exists", 0, 1);
	expect_field(test, mad, "max_cm_retries", param->max_cm_retries, 15);
	expect_field(test, mad, "srq", param->srq ? 1 : 0, 1);
	expect_field(test, mad, "extended_transport_type", 0, 7);
	expect_field(test, mad, "responder_resources", param->responder_resources, 255);
	expect_field(test, mad, "local_eecn", 0, 0xffffff);
	expect_field(test, mad, "starting_psn", 0x123456, 0xffffff);
	/* Destroyed and waited for: the next one must not meet its REJ. */
	wire_destroy(id);
	wire_expect(rig, ATTR_REJ, mad);
}

void fault_27_time_fields_from_api(struct kunit *test)
{
	struct rig *rig = slow_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct cm_probe_view view;
	unsigned int time;

	for (time = 0; time < 256; time += time < 33 ? 1 : 31) {
		struct rig_id *id = rig_id_create(rig);
		struct wire_req req;

		wire_req_init(&req, id);
		req.param.starting_psn = 0x123456;
		req.param.remote_cm_response_timeout = time;
		req.param.local_cm_response_timeout = time;
		expect_req(id, &req);
		if (id->cm) {
			cm_probe_view(id->cm, &view);
			KUNIT_EXPECT_EQ(test, view.state, CM_ID_IDLE);
		}
	}
}

void fault_27_retry_counts(struct kunit *test)
{
	static const u8 counts[] = { 0, 6, 7, 8, 9, 14, 15, 16, 17, 127, 128, 255 };
	struct rig *rig = slow_rig(test, IB_LINK_LAYER_INFINIBAND);
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(counts); i++) {
		for (j = 0; j < 4; j++) {
			struct rig_id *id = rig_id_create(rig);
			struct wire_req req;

			wire_req_init(&req, id);
			req.param.starting_psn = 0x123456;
			if (j == 0)
				req.param.retry_count = counts[i];
			else if (j == 1)
				req.param.rnr_retry_count = counts[i];
			else if (j == 2)
				req.param.max_cm_retries = counts[i];
			else
				req.param.srq = counts[i];
			expect_req(id, &req);
		}
	}
}

/* The number of copies is that of the field: 8 to 255 asked for, 16 sent. */
void fault_27_max_cm_retries_counts(struct kunit *test)
{
	struct rig *rig = slow_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = rig_id_create(rig);
	struct wire_req req;
	unsigned int reqs = 0;
	u8 mad[MAD_BYTES];

	wire_req_init(&req, id);
	req.param.remote_cm_response_timeout = 15;	/* 134 ms, in which each copy has to be completed */
	req.param.max_cm_retries = 255;
	KUNIT_ASSERT_EQ(test, wire_req_send(&req, id), 0);
	wire_event(id, IB_CM_REQ_ERROR);
	while (rig_peer_recv(rig, 0, mad, WIRE_QUIET_MS))
		reqs += mad_attr(mad) == ATTR_REQ;
	KUNIT_EXPECT_EQ(test, reqs, 16);
}

static const struct wide qpns[] = {
	{ .desc = "0xffffff", .value = 0xffffff },
	{ .desc = "0x1000000", .value = 0x1000000 },
	{ .desc = "0x1000001", .value = 0x1000001 },
	{ .desc = "0xffffffff", .value = 0xffffffff },
};

WIRE_GEN(fault_27_qpn_over_24_bits, qpns);

/* A number of more than 24 bits does not reach the byte beside it: that of a QPN, or of a PSN. */
void fault_27_qpn_over_24_bits(struct kunit *test)
{
	const struct wide *wide = test->param_value;
	struct rig *rig = slow_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct ib_cm_sidr_rep_param sidr = { .qp_num = wide->value, .qkey = 0x11112222,
					     .status = IB_SIDR_SUCCESS };
	struct ib_cm_rep_param rep;
	struct rig_id *id = rig_id_create(rig);
	struct wire_req req;
	u8 mad[MAD_BYTES];
	int ret;

	wire_req_init(&req, id);
	req.param.qp_num = wide->value;
	req.param.starting_psn = wide->value;
	ret = wire_req_send(&req, id);
	if (!ret) {
		wire_expect(rig, ATTR_REQ, mad);
		expect_field(test, mad, "responder_resources", req.param.responder_resources, 255);
		expect_field(test, mad, "local_qkey", 0, U32_MAX);
		expect_field(test, mad, "local_cm_response_timeout", WIRE_SLOW, 31);
		expect_field(test, mad, "end_to_end_flow_control", 1, 1);
		wire_destroy(id);
		wire_expect(rig, ATTR_REJ, mad);
	} else {
		KUNIT_EXPECT_EQ(test, ret, -EINVAL);
	}

	id = rig_bring(rig, CM_ID_REQ_RCVD, false);
	KUNIT_ASSERT_NOT_NULL(test, id);
	rig_rep_param(id, &rep);
	rep.qp_num = wide->value;
	rep.starting_psn = wide->value;
	ret = ib_send_cm_rep(id->cm, &rep);
	if (!ret) {
		wire_expect(rig, ATTR_REP, mad);
		expect_field(test, mad, "vendor_id_high", 0, 255);
		expect_field(test, mad, "vendor_id_middle", 0, 255);
		expect_field(test, mad, "vendor_id_low", 0, 255);
		expect_field(test, mad, "local_qkey", 0, U32_MAX);
	} else {
		KUNIT_EXPECT_EQ(test, ret, -EINVAL);
		KUNIT_EXPECT_EQ(test, id->cm->state, IB_CM_REQ_RCVD);
	}

	id = rig_bring(rig, CM_ID_SIDR_REQ_RCVD, false);
	KUNIT_ASSERT_NOT_NULL(test, id);
	wire_drain(rig);
	ret = ib_send_cm_sidr_rep(id->cm, &sidr);
	if (!ret) {
		wire_expect(rig, ATTR_SIDR_REP, mad);
		expect_field(test, mad, "vendor_id_high", 0, 0xffff);
		expect_field(test, mad, "vendor_id_low", 0, 255);
		expect_field(test, mad, "qkey", 0x11112222, U32_MAX);
	} else {
		KUNIT_EXPECT_EQ(test, ret, -EINVAL);
	}
}

/*
 * 30: the listener is full
 */

/* -ENOMEM of the handler is silence: the peer repeats its REQ, which is then a new one. */
void fault_30_handler_nomem(struct kunit *test)
{
	struct rig *rig = slow_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *listener = rig_listen(rig, RIG_SERVICE), *id;
	u8 req[MAD_BYTES], mad[MAD_BYTES];
	int i;

	rig_make_req(rig, RIG_SERVICE, req);
	WRITE_ONCE(listener->answer, -ENOMEM);
	for (i = 0; i < 3; i++) {
		wire_accept(rig, listener, req);
		rig_settle(rig);
		KUNIT_EXPECT_EQ(test, wire_count(rig, 0, 100), 0);
	}
	WRITE_ONCE(listener->answer, 0);
	id = wire_accept(rig, listener, req);
	KUNIT_EXPECT_EQ(test, rig_send_rep(id), 0);
	wire_expect(rig, ATTR_REP, mad);
	wire_answer(id, ATTR_RTU);
	wire_event(id, IB_CM_RTU_RECEIVED);
}

/* Any other value is one REJ 28. */
void fault_30_handler_refuses(struct kunit *test)
{
	static const int answers[] = { -EINVAL, -EBUSY, -1, 1 };
	struct rig *rig = slow_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *listener = rig_listen(rig, RIG_SERVICE);
	u8 req[MAD_BYTES], mad[MAD_BYTES];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(answers); i++) {
		WRITE_ONCE(listener->answer, answers[i]);
		rig_make_req(rig, RIG_SERVICE, req);
		wire_accept(rig, listener, req);
		wire_expect(rig, ATTR_REJ, mad);
		KUNIT_EXPECT_EQ(test, mad_get(mad, "reason"), IB_CM_REJ_CONSUMER_DEFINED);
		KUNIT_EXPECT_EQ(test, mad_get(mad, "message_rejected"), 0);
		KUNIT_EXPECT_EQ(test, mad_get(mad, "remote_comm_id"),
				mad_get(req, "local_comm_id"));
		KUNIT_EXPECT_EQ(test, mad_get(mad, F_MAD_TID), mad_get(req, F_MAD_TID));
		KUNIT_EXPECT_EQ(test, wire_count(rig, 0, 50), 0);
	}
}

/*
 * 31: the peer gives up while its REQ waits for the consumer
 */

/* Calls get a defined error, then the consumer learns why: REJ, timeout. */
void fault_31_rej_while_req_in_handler(struct kunit *test)
{
	struct rig *rig = slow_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *listener = rig_listen(rig, RIG_SERVICE), *id;
	struct wire_gate *gate = wire_gate(test, listener, 1);
	struct ib_qp_attr attr = { .qp_state = IB_QPS_RTR };
	const struct rig_event *event;
	u8 mad[MAD_BYTES];
	int mask;

	rig_make_req(rig, RIG_SERVICE, mad);
	id = wire_accept(rig, listener, mad);
	KUNIT_ASSERT_TRUE(test, wire_gate_entered(gate, 1));
	rej_by_guid(id, mad);
	rig_peer_send(rig, mad);
	rig_flush(rig);
	KUNIT_ASSERT_TRUE(test, rig_until(rig_state(id) == CM_ID_IDLE));
	KUNIT_EXPECT_EQ(test, ib_cm_init_qp_attr(id->cm, &attr, &mask), -EINVAL);
	KUNIT_EXPECT_EQ(test, rig_send_rep(id), -EINVAL);
	KUNIT_EXPECT_EQ(test, wire_reject(id), -EINVAL);
	wire_quiet(id, 50);
	wire_gate_open(gate);
	event = wire_event(id, IB_CM_REJ_RECEIVED);
	KUNIT_EXPECT_EQ(test, event->raw.param.rej_rcvd.reason, IB_CM_REJ_TIMEOUT);
	wire_quiet(id, 50);
	KUNIT_EXPECT_EQ(test, wire_count(rig, 0, 50), 0);
}

/*
 * While the REQ waits behind another one for its listener: the consumer never hears of it, or it hears of the REQ
 * and then of its end. The peer gets no answer to a request that is over.
 */
void fault_31_rej_before_handler(struct kunit *test)
{
	struct rig *rig = slow_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *listener = rig_listen(rig, RIG_SERVICE), *first, *id;
	struct wire_gate *gate = wire_gate(test, listener, 1);
	u8 req[MAD_BYTES], mad[MAD_BYTES];

	KUNIT_ASSERT_TRUE(test, rig_param(test, "listen_handlers", 1));
	rig_make_req(rig, RIG_SERVICE, req);
	first = wire_accept(rig, listener, req);
	KUNIT_ASSERT_TRUE(test, wire_gate_entered(gate, 1));
	rig_make_req(rig, RIG_SERVICE, req);
	rig_peer_send(rig, req);
	rig_flush(rig);
	msleep(50);
	KUNIT_EXPECT_EQ(test, atomic_read(&gate->entered), 1);
	rej_by_guid(first, mad);
	mad_set(mad, F_MAD_TID, mad_get(req, F_MAD_TID));
	mad_set(mad, "local_comm_id", mad_get(req, "local_comm_id"));
	rig_peer_send(rig, mad);
	rig_flush(rig);
	wire_gate_open(gate);
	rig_settle(rig);
	if (atomic_read(&gate->entered) > 1) {
		id = rig_accepted(listener);
		KUNIT_ASSERT_NOT_NULL(test, id);
		wire_event(id, IB_CM_REQ_RECEIVED);
		KUNIT_EXPECT_EQ(test, wire_event(id, IB_CM_REJ_RECEIVED)->raw.param.rej_rcvd.reason,
				IB_CM_REJ_TIMEOUT);
		KUNIT_EXPECT_EQ(test, rig_send_rep(id), -EINVAL);
	}
	KUNIT_EXPECT_EQ(test, wire_count(rig, 0, 100), 0);
}

/*
 * 33: P_Keys
 */
struct membership {
	const char *desc;
	u16 table, path;
};

static const struct membership memberships[] = {
	{ .desc = "table full, path full", .table = 0x8001, .path = 0x8001 },
	{ .desc = "table full, path limited", .table = 0x8001, .path = 0x0001 },
	{ .desc = "table limited, path full", .table = 0x0001, .path = 0x8001 },
	{ .desc = "table limited, path limited", .table = 0x0001, .path = 0x0001 },
};

WIRE_GEN(fault_33_pkey, memberships);

/*
 * The REQ leaves with the port's own key of the path's partition, and says what the path says; the REP does the same.
 */
void fault_33_pkey(struct kunit *test)
{
	const struct membership *m = test->param_value;
	const struct loop_config config = { .layer = IB_LINK_LAYER_INFINIBAND,
					    .pkeys = { 0xffff, 0x8002, m->table } };
	struct rig *rig = rig_create_with(test, &config);
	struct rig_id *id = rig_id_create(rig), *listener = rig_listen(rig, RIG_SERVICE);
	struct loop_packet packet;
	struct wire_req req;
	u8 mad[MAD_BYTES];

	wire_req_init(&req, id);
	req.path.pkey = cpu_to_be16(m->path);
	KUNIT_ASSERT_EQ(test, wire_req_send(&req, id), 0);
	KUNIT_ASSERT_TRUE(test, wire_recv(rig->peer, ATTR_REQ, &packet, RIG_WAIT_MS));
	KUNIT_EXPECT_EQ(test, packet.pkey, m->table);
	KUNIT_EXPECT_EQ(test, mad_get(packet.mad, "partition_key"), m->path);

	rig_make_req(rig, RIG_SERVICE, mad);
	mad_set(mad, "partition_key", m->path);
	rig_peer_packet(rig, mad, &packet);
	packet.pkey = m->table | 0x8000;
	KUNIT_ASSERT_EQ(test, loop_station_send(rig->peer, &packet), 0);
	id = rig_accepted(listener);
	KUNIT_ASSERT_NOT_NULL(test, id);
	wire_event(id, IB_CM_REQ_RECEIVED);
	KUNIT_ASSERT_EQ(test, rig_send_rep(id), 0);
	KUNIT_ASSERT_TRUE(test, wire_recv(rig->peer, ATTR_REP, &packet, RIG_WAIT_MS));
	KUNIT_EXPECT_EQ(test, packet.pkey, m->table);
}

/* A key that moved in the table since the last message is found where it is now. */
void fault_33_pkey_index_moves(struct kunit *test)
{
	static const u16 moved[] = { 0x8003, 0x8002, 0xffff, 0x8001 };
	const struct loop_config config = {
		.layer = IB_LINK_LAYER_INFINIBAND,
		.pkeys = { 0xffff, 0x8001, 0x8002, 0x8003 },
	};
	struct rig *rig = rig_create_with(test, &config);
	struct rig_id *ours = rig_id_create(rig), *theirs, *listener = rig_listen(rig, RIG_SERVICE);
	struct loop_packet packet;
	struct wire_req req;
	u8 mad[MAD_BYTES];

	wire_times(rig, WIRE_QUICK);
	wire_req_init(&req, ours);
	req.path.pkey = cpu_to_be16(0x8001);
	KUNIT_ASSERT_EQ(test, wire_req_send(&req, ours), 0);
	KUNIT_ASSERT_TRUE(test, wire_recv(rig->peer, ATTR_REQ, &packet, RIG_WAIT_MS));
	KUNIT_EXPECT_EQ(test, packet.pkey, 0x8001);
	ours->tid = mad_get(packet.mad, F_MAD_TID);
	rig_make_req(rig, RIG_SERVICE, mad);
	mad_set(mad, "partition_key", 0x8001);
	rig_peer_packet(rig, mad, &packet);
	packet.pkey = 0x8001;
	KUNIT_ASSERT_EQ(test, loop_station_send(rig->peer, &packet), 0);
	theirs = rig_accepted(listener);
	KUNIT_ASSERT_NOT_NULL(test, theirs);
	wire_event(theirs, IB_CM_REQ_RECEIVED);

	loop_hca_pkeys(rig->dev, 1, moved, ARRAY_SIZE(moved));
	wire_drain(rig);
	/* The repetition of the REQ, the REP, the RTU, the DREQ. */
	KUNIT_ASSERT_TRUE(test, wire_recv(rig->peer, ATTR_REQ, &packet, RIG_WAIT_MS));
	KUNIT_ASSERT_TRUE(test, wire_recv(rig->peer, ATTR_REQ, &packet, RIG_WAIT_MS));
	KUNIT_EXPECT_EQ(test, packet.pkey, 0x8001);
	KUNIT_ASSERT_EQ(test, rig_send_rep(theirs), 0);
	KUNIT_ASSERT_TRUE(test, wire_recv(rig->peer, ATTR_REP, &packet, RIG_WAIT_MS));
	KUNIT_EXPECT_EQ(test, packet.pkey, 0x8001);
	wire_answer(ours, ATTR_REP);
	wire_event(ours, IB_CM_REP_RECEIVED);
	KUNIT_ASSERT_EQ(test, ib_send_cm_rtu(ours->cm, NULL, 0), 0);
	KUNIT_ASSERT_TRUE(test, wire_recv(rig->peer, ATTR_RTU, &packet, RIG_WAIT_MS));
	KUNIT_EXPECT_EQ(test, packet.pkey, 0x8001);
	KUNIT_ASSERT_EQ(test, ib_send_cm_dreq(ours->cm, NULL, 0), 0);
	KUNIT_ASSERT_TRUE(test, wire_recv(rig->peer, ATTR_DREQ, &packet, RIG_WAIT_MS));
	KUNIT_EXPECT_EQ(test, packet.pkey, 0x8001);
}

/*
 * 34: what the event says of the arriving message
 */
struct arrival {
	const char *desc;
	enum rdma_link_layer layer;
	u8 port;
};

static const struct arrival arrivals[] = {
	{ .desc = "InfiniBand, port 2", .layer = IB_LINK_LAYER_INFINIBAND, .port = 2 },
	{ .desc = "RoCE, port 3", .layer = IB_LINK_LAYER_ETHERNET, .port = 3 },
};

WIRE_GEN(fault_34_event_port, arrivals);
WIRE_GEN(fault_34_sidr_event_port, arrivals);

struct seen {
	u32 port;
	union ib_gid gid;
	bool attr;
};

/* An event's GID entry is there while its handler runs. */
static int see_address(struct rig_id *id, const struct rig_event *event)
{
	struct seen *seen = id->listener->hook_data;
	const struct ib_gid_attr *attr;

	attr = event->type == IB_CM_REQ_RECEIVED ? event->raw.param.req_rcvd.ppath_sgid_attr :
						   event->raw.param.sidr_req_rcvd.sgid_attr;
	seen->attr = attr;
	if (attr) {
		seen->port = attr->port_num;
		seen->gid = attr->gid;
	}
	return 0;
}

static struct rig *ports_rig(struct kunit *test, enum rdma_link_layer layer)
{
	const struct loop_config config = { .layer = layer, .ports = 3,
					    .pkeys = { 0xffff, 0x8001 } };
	struct rig *rig = rig_create_with(test, &config);

	wire_times(rig, WIRE_SLOW);
	return rig;
}

static u16 arrival_pkey(const struct arrival *how)
{
	return how->layer == IB_LINK_LAYER_INFINIBAND ? 0x8001 : 0xffff;
}

/* The request arrives at that port, with that P_Key. Returns the id that its listener's handler got. */
static struct rig_id *arrive(struct rig *rig, const struct arrival *how, const u8 *mad,
			     const struct loop_packet *to, struct seen *seen,
			     struct rig_id *listener)
{
	struct kunit *test = rig->test;
	struct loop_packet packet;
	struct rig_id *id;

	listener->hook = see_address;
	listener->hook_data = seen;
	rig_peer_packet(rig, mad, &packet);
	packet.dlid = to->slid;
	packet.dgid = to->sgid;
	packet.pkey = arrival_pkey(how);
	KUNIT_ASSERT_EQ(test, loop_station_send(rig->peer, &packet), 0);
	id = rig_accepted(listener);
	KUNIT_ASSERT_NOT_NULL(test, id);
	return id;
}

static void expect_seen(struct kunit *test, const struct arrival *how, const struct seen *seen,
			const struct loop_packet *to)
{
	if (how->layer != IB_LINK_LAYER_ETHERNET)
		return;
	KUNIT_ASSERT_TRUE(test, seen->attr);
	KUNIT_EXPECT_EQ(test, seen->port, how->port);
	KUNIT_EXPECT_MEMEQ(test, &seen->gid, &to->sgid, 16);
}

/* `port`, `bth_pkey`, the GID entry and the primary path are those that the REQ came by. */
void fault_34_event_port(struct kunit *test)
{
	const struct arrival *how = test->param_value;
	static struct seen seen;
	struct rig *rig = ports_rig(test, how->layer);
	struct rig_id *listener = rig_listen(rig, RIG_SERVICE), *id;
	u16 pkey = arrival_pkey(how);
	const struct rig_event *event;
	struct loop_packet packet, to = {};
	u8 mad[MAD_BYTES];

	loop_hca_address(rig->dev, how->port, &to);
	rig_make_req(rig, RIG_SERVICE, mad);
	mad_set(mad, "partition_key", pkey);
	memcpy(mad_bytes_w(mad, "primary_remote_port_gid"), &to.sgid, 16);
	if (how->layer == IB_LINK_LAYER_INFINIBAND)
		mad_set(mad, "primary_remote_port_lid", to.slid);
	id = arrive(rig, how, mad, &to, &seen, listener);
	event = wire_event(id, IB_CM_REQ_RECEIVED);
	wire_reaches(id, CM_ID_REQ_RCVD);
	KUNIT_EXPECT_EQ(test, event->raw.param.req_rcvd.port, how->port);
	KUNIT_EXPECT_EQ(test, event->raw.param.req_rcvd.bth_pkey, pkey);
	KUNIT_EXPECT_MEMEQ(test, &event->primary.sgid, &to.sgid, 16);
	expect_seen(test, how, &seen, &to);
	/* The answer leaves by that port as well. */
	KUNIT_ASSERT_EQ(test, rig_send_rep(id), 0);
	KUNIT_ASSERT_TRUE(test, wire_recv(rig->peer, ATTR_REP, &packet, RIG_WAIT_MS));
	KUNIT_EXPECT_EQ(test, packet.pkey, pkey);
	if (how->layer == IB_LINK_LAYER_INFINIBAND)
		KUNIT_EXPECT_EQ(test, packet.slid, to.slid);
	else
		KUNIT_EXPECT_MEMEQ(test, &packet.sgid, &to.sgid, 16);
}

/* The same of a SIDR_REQ. */
void fault_34_sidr_event_port(struct kunit *test)
{
	const struct arrival *how = test->param_value;
	static struct seen seen;
	struct rig *rig = ports_rig(test, how->layer);
	struct rig_id *listener = rig_listen(rig, RIG_SERVICE), *id;
	u16 pkey = arrival_pkey(how);
	const struct ib_cm_sidr_req_event_param *param;
	struct loop_packet to = {};
	u8 mad[MAD_BYTES];

	loop_hca_address(rig->dev, how->port, &to);
	rig_make_sidr_req(rig, RIG_SERVICE, mad);
	mad_set(mad, "partition_key", pkey);
	id = arrive(rig, how, mad, &to, &seen, listener);
	param = &wire_event(id, IB_CM_SIDR_REQ_RECEIVED)->raw.param.sidr_req_rcvd;
	wire_reaches(id, CM_ID_SIDR_REQ_RCVD);
	KUNIT_EXPECT_EQ(test, param->port, how->port);
	KUNIT_EXPECT_EQ(test, param->bth_pkey, pkey);
	KUNIT_EXPECT_EQ(test, param->pkey, pkey);
	expect_seen(test, how, &seen, &to);
}

/*
 * 35: a flood of guessed comm ids
 */
struct guess {
	const char *desc;
	u16 attr;
	u16 answer;	/* what an unknown one may get; 0: nothing */
};

static const struct guess guesses[] = {
	{ .desc = "REP", .attr = ATTR_REP, .answer = ATTR_REJ },
	{ .desc = "RTU", .attr = ATTR_RTU },
	{ .desc = "DREQ", .attr = ATTR_DREQ, .answer = ATTR_DREP },
	{ .desc = "DREP", .attr = ATTR_DREP },
	{ .desc = "REJ", .attr = ATTR_REJ },
	{ .desc = "MRA", .attr = ATTR_MRA },
	{ .desc = "LAP", .attr = ATTR_LAP },
	{ .desc = "APR", .attr = ATTR_APR },
	{ .desc = "SIDR_REP", .attr = ATTR_SIDR_REP },
};

WIRE_GEN(fault_35_flood, guesses);

struct creator {
	struct ib_device *dev;
	atomic_t events;
	unsigned int created;
	bool stop;
};

static int count_event(struct ib_cm_id *cm, const struct ib_cm_event *event)
{
	struct creator *creator = cm->context;

	atomic_inc(&creator->events);
	return 0;
}

static void create_ids(void *arg)
{
	struct creator *creator = arg;

	while (!READ_ONCE(creator->stop)) {
		struct ib_cm_id *cm = ib_create_cm_id(creator->dev, count_event, creator);

		if (IS_ERR(cm))
			break;
		WRITE_ONCE(creator->created, creator->created + 1);
		ib_destroy_cm_id(cm);
		cond_resched();
	}
}

/*
 * Messages with guessed ids reach nobody: neither ids that come and go, nor a connection whose comm id is right but
 * not the peer's; at most one answer each goes out. The connection ends as if nothing had been.
 */
void fault_35_flood(struct kunit *test)
{
	const struct guess *guess = test->param_value;
	struct rig *rig = slow_rig(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = wire_connect_active(rig);
	struct creator creator = { .dev = rig->dev };
	unsigned int answers = 0, others = 0, i;
	const char *local, *remote;
	struct wire_job job;
	u8 mad[MAD_BYTES];

	local = guess->attr == ATTR_SIDR_REP ? "request_id" : "local_comm_id";
	remote = guess->attr == ATTR_SIDR_REP ? "request_id" : "remote_comm_id";
	wire_start(test, &job, create_ids, &creator);
	/* The flood is to meet ids that come and go: on a busy machine their thread is late. */
	KUNIT_ASSERT_TRUE(test, rig_until(READ_ONCE(creator.created)));
	for (i = 0; i < wire_many; i++) {
		rig_make(id, guess->attr, mad);
		mad_set(mad, F_MAD_TID, get_random_u64());
		mad_set(mad, local, get_random_u32() | 1u << 31);
		/* Every fourth has our id's own number. */
		if (guess->attr == ATTR_SIDR_REP || i % 4)
			mad_set(mad, remote, get_random_u32());
		rig_peer_send(rig, mad);
		if (i % 16 == 15)
			rig_flush(rig);
	}
	rig_settle(rig);
	WRITE_ONCE(creator.stop, true);
	KUNIT_ASSERT_TRUE(test, wire_join(&job, RIG_WAIT_MS));
	KUNIT_EXPECT_GT(test, creator.created, 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&creator.events), 0);
	wire_quiet(id, 0);
	KUNIT_EXPECT_EQ(test, rig_state(id), CM_ID_ESTABLISHED);
	while (rig_peer_recv(rig, 0, mad, 50)) {
		if (guess->answer && mad_attr(mad) == guess->answer)
			answers++;
		else
			others++;
	}
	KUNIT_EXPECT_LE(test, answers, wire_many);
	KUNIT_EXPECT_EQ(test, others, 0);
	wire_answer(id, ATTR_DREQ);
	wire_event(id, IB_CM_DREQ_RECEIVED);
	KUNIT_EXPECT_EQ(test, ib_send_cm_drep(id->cm, NULL, 0), 0);
	wire_expect(rig, ATTR_DREP, mad);
}
