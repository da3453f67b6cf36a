// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite ib_cm_wire: differences from stock that no field fault is about. Each is
 * a row of Documentation/differences.rst, which says what stock does instead.
 */
#include <linux/fault-inject.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <rdma/ib_cache.h>

#include "wire.h"

#define ROWS_CAPPED_MS	8590	/* 4.096 us x 2^21 */
#define ROWS_LATE_MS	1500	/* for a test that looks late, on a busy machine */

static struct rig *slow_rig(struct kunit *test)
{
	return wire_rig(test, IB_LINK_LAYER_INFINIBAND, WIRE_SLOW);
}

static struct rig_id *bring(struct rig *rig, unsigned int state, bool active)
{
	struct rig_id *id = rig_bring(rig, state, active);

	KUNIT_ASSERT_NOT_NULL_MSG(rig->test, id, "state %u is out of reach", state);
	rig_settle(rig);
	wire_drain(rig);
	return id;
}

/* ---- answers that the MAD layer or the device does not take ---- */

struct refused {
	const char *desc;
	unsigned int state, after;
	enum cm_attr attr;
	bool active;
};

static const struct refused refusals[] = {
	{ "DREP", CM_ID_DREQ_RCVD, CM_ID_TIMEWAIT, ATTR_DREP },
	{ "REJ of a REQ", CM_ID_REQ_RCVD, CM_ID_IDLE, ATTR_REJ },
	{ "REJ of a REP", CM_ID_REP_RCVD, CM_ID_IDLE, ATTR_REJ, true },
	{ "SIDR_REP", CM_ID_SIDR_REQ_RCVD, CM_ID_IDLE, ATTR_SIDR_REP },
};
WIRE_GEN(rows_answer_refused, refusals);

/* The call succeeds and the state changes: a lost datagram, and one more in tx_errors. */
void rows_answer_refused(struct kunit *test)
{
	const struct refused *how = test->param_value;
	struct rig *rig = slow_rig(test);
	struct rig_id *id;
	long errors;
	int ret;

	rig->life_time = 20;
	rig->ack_time = 20;
	id = bring(rig, how->state, how->active);
	errors = rig_look_number(rig, "counters", "tx_errors");
	wire_fault(rig, LOOP_SEND_REFUSED, how->attr, 1, 0);
	if (how->attr == ATTR_DREP)
		ret = ib_send_cm_drep(id->cm, NULL, 0);
	else if (how->attr == ATTR_REJ)
		ret = wire_reject(id);
	else
		ret = rig_send_sidr_rep(id);
	KUNIT_EXPECT_EQ(test, ret, 0);
	wire_reaches(id, how->after);
	KUNIT_EXPECT_TRUE(test, rig_until(loop_fault_hits(rig->dev, 1, LOOP_SEND_REFUSED) == 1));
	KUNIT_EXPECT_TRUE(test, rig_until(rig_look_number(rig, "counters", "tx_errors") == errors + 1));
	KUNIT_EXPECT_EQ(test, wire_count(rig, how->attr, 50), 0);
}

/* A call fails, or its attempt ends with an event: never both. Here its time is over before the MAD layer is asked. */
void rows_refused_too_late(struct kunit *test)
{
	struct rig *rig = wire_rig(test, IB_LINK_LAYER_INFINIBAND, 12);
	struct rig_id *id = rig_id_create(rig);
	const struct rig_event *event;

	rig->life_time = 8;
	rig->retries = 0;
	/* There is no handle for this peer, and it is long in coming. */
	wire_peer(rig, wire_station(test, IB_LINK_LAYER_INFINIBAND));
	wire_fault(rig, LOOP_AH_SLOW, 0, 1, 1000);
	wire_fault(rig, LOOP_SEND_REFUSED, ATTR_REQ, 0, 0);
	KUNIT_EXPECT_EQ(test, rig_send_req(id), 0);
	event = wire_event(id, IB_CM_REQ_ERROR);
	KUNIT_EXPECT_NOT_NULL(test, event);
	KUNIT_EXPECT_TRUE(test, rig_until(loop_fault_hits(rig->dev, 1, LOOP_SEND_REFUSED) == 1));
	wire_quiet(id, 50);
	KUNIT_EXPECT_EQ(test, rig_state(id), CM_ID_IDLE);

	/* In time it fails, and nothing is told. */
	rig->response_time = WIRE_SLOW;
	KUNIT_EXPECT_EQ(test, rig_send_req(id), -EIO);
	wire_quiet(id, 50);
	KUNIT_EXPECT_EQ(test, rig_state(id), CM_ID_IDLE);
}

/* ---- want of memory ---- */

#ifdef CONFIG_FAULT_INJECTION
static bool rows_can_fail(struct kunit *test)
{
	return !rig_shell("cd /sys/kernel/debug/failslab && echo N >ignore-gfp-wait && echo 0 >verbose") &&
	       rig_failslab(test);
}
#endif

/* ib_cm_listen() needs memory: without it the id stays idle, and can be used. */
void rows_listen_nomem(struct kunit *test)
{
#ifdef CONFIG_FAULT_INJECTION
	struct rig *rig = slow_rig(test);
	unsigned int n, left, round, failed = 0;
	int ret;

	if (!rows_can_fail(test))
		kunit_skip(test, "failslab is not there, or spares allocations that may sleep");
	for (round = 0; round < RIG_SHORT_ROUNDS && !failed; round++) {
		for (n = 1, left = 0; n < 50 && !left; n++) {
			struct rig_id *id = bring(rig, CM_ID_IDLE, false);

			rig_fail_here(n);
			ret = ib_cm_listen(id->cm, cpu_to_be64(RIG_SERVICE));
			left = rig_fail_here(0);
			if (ret) {
				failed++;
				KUNIT_EXPECT_EQ_MSG(test, ret, -ENOMEM, "allocation %u", n);
				KUNIT_EXPECT_EQ(test, id->cm->state, IB_CM_IDLE);
				KUNIT_EXPECT_EQ(test, ib_cm_listen(id->cm, cpu_to_be64(RIG_SERVICE)), 0);
			}
			KUNIT_EXPECT_EQ(test, id->cm->state, IB_CM_LISTEN);
			wire_destroy(id);
		}
		KUNIT_EXPECT_GT(test, left, 0);
	}
	KUNIT_EXPECT_GE(test, failed, 1);
#else
	kunit_skip(test, "the kernel has no fault injection");
#endif
}

/* A DREQ without private data, and COMM_EST, need no memory: whichever allocation fails, they succeed. */
void rows_needs_no_memory(struct kunit *test)
{
#ifdef CONFIG_FAULT_INJECTION
	struct rig *rig = slow_rig(test);
	unsigned int n;

	if (!rows_can_fail(test))
		kunit_skip(test, "failslab is not there, or spares allocations that may sleep");
	for (n = 1; n <= 8; n++) {
		struct rig_id *dreq = bring(rig, CM_ID_ESTABLISHED, true);
		struct rig_id *est = bring(rig, CM_ID_REP_SENT, false);
		int ret;

		rig_fail_here(n);
		ret = ib_send_cm_dreq(dreq->cm, NULL, 0);
		rig_fail_here(0);
		KUNIT_EXPECT_EQ_MSG(test, ret, 0, "DREQ, allocation %u", n);
		KUNIT_EXPECT_EQ(test, rig_state(dreq), CM_ID_DREQ_SENT);

		rig_fail_here(n);
		ret = ib_cm_notify(est->cm, IB_EVENT_COMM_EST);
		rig_fail_here(0);
		KUNIT_EXPECT_EQ_MSG(test, ret, 0, "COMM_EST, allocation %u", n);
		wire_event(est, IB_CM_USER_ESTABLISHED);
		wire_destroy(dreq);
		wire_destroy(est);
	}
#else
	kunit_skip(test, "the kernel has no fault injection");
#endif
}

/* Whichever allocation fails: the call says so and changes nothing, or the datagram counts as lost and its timer repeats it. */
static void rows_unsent(struct kunit *test, enum cm_attr attr, unsigned int before,
			int (*call)(struct rig_id *id))
{
	struct rig *rig = wire_rig(test, IB_LINK_LAYER_INFINIBAND, 17);
	unsigned int nth, left, round, lost = 0;
	u8 mad[MAD_BYTES];

	if (!rig_failslab(test))
		kunit_skip(test, "failslab is not there, or spares allocations that may sleep");
	rig->retries = 15;
	for (round = 0; round < RIG_SHORT_ROUNDS && !lost; round++) {
		for (nth = 1, left = 0; nth < 64 && left < 2; nth++) {
			struct rig_id *id = bring(rig, before, attr != ATTR_REP);
			long nomem = rig_counter(rig, "tx_nomem");
			int err;

			rig_fail_here(nth);
			err = call(id);
			left = rig_fail_here(0);
			if (err) {
				KUNIT_EXPECT_EQ(test, err, -ENOMEM);
				KUNIT_EXPECT_EQ_MSG(test, rig_state(id), before, "allocation %u", nth);
				KUNIT_EXPECT_EQ(test, call(id), 0);
			} else {
				lost += rig_counter(rig, "tx_nomem") > nomem;
			}
			wire_expect(rig, attr, mad);
			wire_destroy(id);
			rig_settle(rig);
			wire_drain(rig);
		}
	}
	KUNIT_EXPECT_GE(test, lost, 1);
}

void rows_rep_unsent(struct kunit *test)
{
	rows_unsent(test, ATTR_REP, CM_ID_REQ_RCVD, rig_send_rep);
}

void rows_sidr_req_unsent(struct kunit *test)
{
	rows_unsent(test, ATTR_SIDR_REQ, CM_ID_IDLE, rig_send_sidr_req);
}

/* ---- calls ---- */

/* A wrong state comes before a path that cannot be resolved. */
void rows_wrong_state_and_bad_path(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct rig_id *idle = bring(rig, CM_ID_IDLE, true);
	struct rig_id *busy = bring(rig, CM_ID_ESTABLISHED, true);
	struct sa_path_rec path;
	int ret;

	rig_path(rig, &path);
	/* A partition that the port is not in. */
	path.pkey = cpu_to_be16(0x8123);
	ret = wire_sidr_send(idle, &path, NULL, 0);
	KUNIT_EXPECT_LT(test, ret, 0);
	KUNIT_EXPECT_NE_MSG(test, ret, -EINVAL, "the path's error cannot be told from the state's");
	KUNIT_EXPECT_EQ(test, wire_sidr_send(busy, &path, NULL, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, rig_state(busy), CM_ID_ESTABLISHED);
}

#define ROWS_THREADS	4
#define ROWS_LISTENS	200

struct rows_listener {
	struct rig *rig;
	struct ib_cm_id *ids[ROWS_LISTENS];
	u64 services[ROWS_LISTENS];
	int err;
};

static int rows_no_event(struct ib_cm_id *cm, const struct ib_cm_event *event)
{
	return 0;
}

static void rows_listen(void *arg)
{
	struct rows_listener *l = arg;
	unsigned int i;

	for (i = 0; i < ROWS_LISTENS; i++) {
		l->ids[i] = ib_create_cm_id(l->rig->dev, rows_no_event, NULL);
		if (IS_ERR(l->ids[i])) {
			l->err = PTR_ERR(l->ids[i]);
			l->ids[i] = NULL;
			return;
		}
		l->err = l->err ? : ib_cm_listen(l->ids[i], IB_CM_ASSIGN_SERVICE_ID);
		l->services[i] = be64_to_cpu(l->ids[i]->service_id);
	}
}

static int rows_by_value(const void *a, const void *b)
{
	return *(const u64 *)a < *(const u64 *)b ? -1 : *(const u64 *)a > *(const u64 *)b;
}

/* Service ids that the CM assigns are different, also when four threads ask at once. */
void rows_assigned_services_differ(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct rows_listener *l = kunit_kcalloc(test, ROWS_THREADS, sizeof(*l), GFP_KERNEL);
	u64 *all = kunit_kcalloc(test, ROWS_THREADS * ROWS_LISTENS, sizeof(*all), GFP_KERNEL);
	struct wire_job jobs[ROWS_THREADS];
	unsigned int i, j, same = 0;

	KUNIT_ASSERT_NOT_NULL(test, l);
	KUNIT_ASSERT_NOT_NULL(test, all);
	for (i = 0; i < ROWS_THREADS; i++) {
		l[i].rig = rig;
		wire_start(test, &jobs[i], rows_listen, &l[i]);
	}
	for (i = 0; i < ROWS_THREADS; i++) {
		KUNIT_EXPECT_TRUE(test, wire_join(&jobs[i], 10 * RIG_WAIT_MS));
		KUNIT_EXPECT_EQ(test, l[i].err, 0);
		memcpy(all + i * ROWS_LISTENS, l[i].services, sizeof(l[i].services));
	}
	sort(all, ROWS_THREADS * ROWS_LISTENS, sizeof(*all), rows_by_value, NULL);
	for (i = 1; i < ROWS_THREADS * ROWS_LISTENS; i++)
		same += all[i] == all[i - 1];
	KUNIT_EXPECT_EQ_MSG(test, same, 0, "service ids that two have");
	for (i = 0; i < ROWS_THREADS; i++)
		for (j = 0; j < ROWS_LISTENS; j++)
			if (l[i].ids[j])
				ib_destroy_cm_id(l[i].ids[j]);
}

static const u16 rows_two_pkeys[] = { 0xffff, 0x8007 }, rows_one_pkey[] = { 0xffff };

/* An attempt in the partition whose P_Key is the second one. */
static struct rig_id *rows_second_partition(struct kunit *test, bool alternate)
{
	const struct loop_config config = {
		.layer = IB_LINK_LAYER_INFINIBAND,
		.pkeys = { 0xffff, 0x8007 },
	};
	struct rig *rig = rig_create_with(test, &config);
	struct rig_id *id = rig_id_create(rig);
	struct sa_path_rec path, twin;
	struct ib_cm_req_param param;

	rig->alternate = alternate;
	rig_attempt(id);
	rig_req_param(id, &param, &path, &twin);
	path.pkey = cpu_to_be16(0x8007);
	twin.pkey = cpu_to_be16(0x8007);
	KUNIT_ASSERT_EQ(test, ib_send_cm_req(id->cm, &param), 0);
	wire_expect(rig, ATTR_REQ, NULL);
	return id;
}

/* The attributes of this transition, and which of them are there to be set. */
static int rows_qp_attr(struct rig_id *id, enum ib_qp_state state, struct ib_qp_attr *attr)
{
	int mask = 0;

	*attr = (struct ib_qp_attr){ .qp_state = state };
	KUNIT_EXPECT_EQ(id->rig->test, ib_cm_init_qp_attr(id->cm, attr, &mask), 0);
	return mask;
}

/* The P_Key leaves the table and comes back: without it this attribute is not set, but the other one is. */
static void rows_pkey_leaves(struct rig_id *id, enum ib_qp_state state, int bit, int other)
{
	struct ib_device *dev = id->rig->dev;
	struct kunit *test = id->rig->test;
	struct ib_qp_attr attr;
	int mask;

	mask = rows_qp_attr(id, state, &attr);
	KUNIT_EXPECT_EQ(test, mask & bit, bit);
	KUNIT_EXPECT_EQ(test, bit == IB_QP_ALT_PATH ? attr.alt_pkey_index : attr.pkey_index, 1);

	loop_hca_pkeys(dev, 1, rows_one_pkey, ARRAY_SIZE(rows_one_pkey));
	mask = rows_qp_attr(id, state, &attr);
	KUNIT_EXPECT_EQ(test, mask & bit, 0);
	KUNIT_EXPECT_EQ(test, mask & other, other);

	loop_hca_pkeys(dev, 1, rows_two_pkeys, ARRAY_SIZE(rows_two_pkeys));
	mask = rows_qp_attr(id, state, &attr);
	KUNIT_EXPECT_EQ(test, mask & bit, bit);
}

/* A queue pair does not get another partition's index. */
void rows_qp_attr_pkey_gone(struct kunit *test)
{
	struct rig_id *id = rows_second_partition(test, false);

	rows_pkey_leaves(id, IB_QPS_INIT, IB_QP_PKEY_INDEX, IB_QP_PORT);
}

/* Likewise the alternate path's: one that migrates stays in its partition. */
void rows_qp_attr_alternate_pkey_gone(struct kunit *test)
{
	struct rig_id *id = rows_second_partition(test, true);

	wire_answer(id, ATTR_REP);
	wire_reaches(id, CM_ID_REP_RCVD);
	rows_pkey_leaves(id, IB_QPS_RTR, IB_QP_ALT_PATH, IB_QP_AV);
}

/* RoCE: the CM's own messages have the flow label modulo 4, the queue pair the path's. */
void rows_flow_label(struct kunit *test)
{
	struct rig *rig = wire_rig(test, IB_LINK_LAYER_ETHERNET, WIRE_SLOW);
	struct rig_id *id = rig_id_create(rig);
	struct loop_station *peer = wire_station(test, IB_LINK_LAYER_ETHERNET);
	struct ib_qp_attr attr = { .qp_state = IB_QPS_RTR };
	struct loop_packet packet;
	struct wire_req req;
	u8 mad[MAD_BYTES];
	int mask = 0;

	wire_peer(rig, peer);
	wire_req_init(&req, id);
	req.path.flow_label = cpu_to_be32(0x12345 + 2);
	KUNIT_ASSERT_EQ(test, wire_req_send(&req, id), 0);
	KUNIT_ASSERT_TRUE(test, wire_recv(peer, ATTR_REQ, &packet, RIG_WAIT_MS));
	KUNIT_EXPECT_EQ(test, packet.flow_label, (0x12345 + 2) % 4);
	KUNIT_EXPECT_EQ(test, mad_get(packet.mad, "primary_flow_label"), 0x12345 + 2);

	id->tid = mad_get(packet.mad, F_MAD_TID);
	id->local_id = be32_to_cpu(id->cm->local_id);
	rig_make(id, ATTR_REP, mad);
	rig_peer_send(rig, mad);
	wire_reaches(id, CM_ID_REP_RCVD);
	KUNIT_EXPECT_EQ(test, ib_cm_init_qp_attr(id->cm, &attr, &mask), 0);
	KUNIT_EXPECT_EQ(test, rdma_ah_read_grh(&attr.ah_attr)->flow_label, 0x12345 + 2);
}

/* ---- alternate paths ---- */

/* A connection whose REQ had an alternate path to that station. */
static struct rig_id *rows_with_alternate(struct rig *rig, struct loop_station *other, u8 life_time,
					  u8 target_delay)
{
	struct kunit *test = rig->test;
	struct rig_id *id = rig_id_create(rig);
	struct loop_packet there = {};
	struct ib_cm_req_param param;
	struct sa_path_rec path, twin;
	u8 mad[MAD_BYTES];

	rig->alternate = true;
	rig_attempt(id);
	rig_req_param(id, &param, &path, &twin);
	loop_station_address(other, &there);
	sa_path_set_dlid(&twin, there.slid);
	twin.packet_life_time = life_time;
	KUNIT_ASSERT_EQ(test, ib_send_cm_req(id->cm, &param), 0);
	wire_expect(rig, ATTR_REQ, NULL);
	rig_make(id, ATTR_REP, mad);
	mad_set(mad, "target_ack_delay", target_delay);
	rig_peer_send(rig, mad);
	wire_reaches(id, CM_ID_REP_RCVD);
	return id;
}

/*
 * 12.7.34, as stock reckons it: where the peer's delay is the longer one it counts, and one more if twice the path's
 * life time adds to it. Each path has its own.
 */
void rows_alternate_ack_time(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct loop_station *other = wire_station(test, IB_LINK_LAYER_INFINIBAND);
	struct ib_qp_attr attr;
	struct rig_id *id;
	int mask;

	rig->life_time = 14;
	id = rows_with_alternate(rig, other, 18, 20);
	mask = rows_qp_attr(id, IB_QPS_RTR, &attr);
	KUNIT_EXPECT_TRUE(test, mask & IB_QP_ALT_PATH);
	KUNIT_EXPECT_EQ(test, attr.alt_timeout, 21);
	mask = rows_qp_attr(id, IB_QPS_RTS, &attr);
	KUNIT_EXPECT_TRUE(test, mask & IB_QP_TIMEOUT);
	KUNIT_EXPECT_EQ(test, attr.timeout, 20);
}

/* The queue pair has migrated (10.3.5): from then on we speak over what was the alternate path. */
void rows_migrated(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct loop_station *other = wire_station(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = rows_with_alternate(rig, other, 14, 15);
	struct loop_packet packet;

	KUNIT_ASSERT_EQ(test, ib_send_cm_rtu(id->cm, NULL, 0), 0);
	wire_expect(rig, ATTR_RTU, NULL);
	KUNIT_ASSERT_EQ(test, ib_cm_notify(id->cm, IB_EVENT_PATH_MIG), 0);
	KUNIT_ASSERT_EQ(test, ib_send_cm_dreq(id->cm, NULL, 0), 0);
	KUNIT_EXPECT_TRUE(test, wire_recv(other, ATTR_DREQ, &packet, RIG_WAIT_MS));
	KUNIT_EXPECT_FALSE(test, rig_peer_recv(rig, ATTR_DREQ, NULL, 0));
}

/* A path that the peer offers is loaded into a queue pair that sends already: nothing else of it is set. */
void rows_qp_attr_of_a_lap(struct kunit *test)
{
	struct rig_id *id = bring(slow_rig(test), CM_ID_EST_LAP_RCVD, false);
	struct ib_qp_attr attr;

	KUNIT_EXPECT_EQ(test, rows_qp_attr(id, IB_QPS_RTS, &attr),
			IB_QP_ALT_PATH | IB_QP_PATH_MIG_STATE);
	KUNIT_EXPECT_EQ(test, (int)attr.path_mig_state, (int)IB_MIG_REARM);
}

/* One without a LID is none: a queue pair must not be given an empty address. */
void rows_qp_attr_of_an_empty_lap(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct rig_id *id = bring(rig, CM_ID_ESTABLISHED, false);
	struct ib_qp_attr attr;
	u8 mad[MAD_BYTES];

	rig_make(id, ATTR_LAP, mad);
	mad_set(mad, "alternate_local_port_lid", 0);
	rig_peer_send(rig, mad);
	wire_event(id, IB_CM_LAP_RECEIVED);
	wire_reaches(id, CM_ID_EST_LAP_RCVD);
	KUNIT_EXPECT_EQ(test, rows_qp_attr(id, IB_QPS_RTS, &attr), IB_QP_PATH_MIG_STATE);
}

/*
 * An address with a GRH holds one of the port's GIDs. Whoever ends, and however: when the device has gone, ib_core warns
 * of each GID that is still held.
 */

/* A request whose paths have a GRH. */
static int rows_req_grh(struct rig_id *id)
{
	struct ib_cm_req_param param;
	struct sa_path_rec path, twin;

	rig_attempt(id);
	rig_req_param(id, &param, &path, &twin);
	path.hop_limit = 64;
	twin.hop_limit = 64;
	return ib_send_cm_req(id->cm, &param);
}

static void rows_give_back(struct kunit *test, struct rig *rig)
{
	struct rig_id *id = rig_id_create(rig);
	u8 mad[MAD_BYTES];

	/* One call too many, an attempt after another, an end in the middle */
	KUNIT_EXPECT_EQ(test, rows_req_grh(id), 0);
	KUNIT_EXPECT_EQ(test, rows_req_grh(id), -EINVAL);
	wire_expect(rig, ATTR_REQ, NULL);
	rig_make(id, ATTR_REJ, mad);
	rig_peer_send(rig, mad);
	wire_event(id, IB_CM_REJ_RECEIVED);
	KUNIT_EXPECT_EQ(test, rows_req_grh(id), 0);
	wire_expect(rig, ATTR_REQ, NULL);
	wire_destroy(id);
	wire_drain(rig);

	/* A request that is repeated, until it is given up */
	rig->life_time = 8;
	rig->response_time = 12;
	rig->retries = 2;
	id = rig_id_create(rig);
	KUNIT_EXPECT_EQ(test, rows_req_grh(id), 0);
	wire_event(id, IB_CM_REQ_ERROR);

	/* One that is left to the removal */
	rig->response_time = 20;
	id = rig_id_create(rig);
	KUNIT_EXPECT_EQ(test, rows_req_grh(id), 0);
	rig_unplug(rig);
	wire_event(id, IB_CM_REQ_ERROR);
}

void rows_gids_given_back_active(struct kunit *test)
{
	struct rig *rig = slow_rig(test);

	rig->alternate = true;
	rows_give_back(test, rig);
}

void rows_gids_given_back_roce(struct kunit *test)
{
	rows_give_back(test, wire_rig(test, IB_LINK_LAYER_ETHERNET, WIRE_SLOW));
}

/* The peer's REQ, with a GRH and an alternate path that has one; there: where that one leads to us, or NULL. */
static void rows_peer_req_grh(struct rig *rig, const union ib_gid *there)
{
	struct loop_packet *packet = kunit_kzalloc(rig->test, sizeof(*packet), GFP_KERNEL);
	struct loop_packet from = {};
	u8 mad[MAD_BYTES];

	KUNIT_ASSERT_NOT_NULL(rig->test, packet);
	rig->alternate = true;
	rig_make_req(rig, RIG_SERVICE, mad);
	mad_set(mad, "alternate_hop_limit", 64);
	if (there)
		memcpy(mad_bytes_w(mad, "alternate_remote_port_gid"), there, sizeof(*there));
	rig_peer_packet(rig, mad, packet);
	loop_station_address(rig->peer, &from);
	packet->sgid = from.sgid;
	packet->grh = true;
	packet->hop_limit = 64;
	KUNIT_ASSERT_EQ(rig->test, loop_station_send(rig->peer, packet), 0);
}

void rows_gids_given_back_passive(struct kunit *test)
{
	static const union ib_gid nowhere = { .raw = { 0xfe, 0x80, [15] = 0x99 } };
	struct rig *rig = slow_rig(test);
	struct rig_id *listener = rig_listen(rig, RIG_SERVICE), *id;
	u8 mad[MAD_BYTES];

	rows_peer_req_grh(rig, NULL);
	id = rig_accepted(listener);
	KUNIT_ASSERT_NOT_NULL(test, id);
	KUNIT_EXPECT_TRUE(test, id->events[0].has_alternate);
	wire_destroy(id);
	wire_expect(rig, ATTR_REJ, NULL);

	/* Refused: the primary path was found, the alternate one is not ours */
	rows_peer_req_grh(rig, &nowhere);
	wire_expect(rig, ATTR_REJ, mad);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "reason"), IB_CM_REJ_INVALID_ALT_GID);

	/* A LAP takes the place of the alternate path */
	rows_peer_req_grh(rig, NULL);
	id = rig_accepted(listener);
	KUNIT_ASSERT_NOT_NULL(test, id);
	wire_event(id, IB_CM_REQ_RECEIVED);
	KUNIT_ASSERT_TRUE(test, rig_bring_on(id, CM_ID_ESTABLISHED, false, false));
	rig_make(id, ATTR_LAP, mad);
	mad_set(mad, "alternate_hop_limit", 64);
	rig_peer_send(rig, mad);
	wire_event(id, IB_CM_LAP_RECEIVED);
	wire_destroy(id);

	/* Left to the removal */
	rows_peer_req_grh(rig, NULL);
	id = rig_accepted(listener);
	KUNIT_ASSERT_NOT_NULL(test, id);
	rig_settle(rig);
	rig_unplug(rig);
}

/* What waits to be sent holds the GID until it has been sent. */
void rows_gids_given_back_by_what_waits(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	unsigned int i;

	KUNIT_ASSERT_TRUE(test, rig_param(test, "send_budget", 8));
	wire_fault(rig, LOOP_SEND_NEVER, 0, 0, 0);
	for (i = 0; i < 12; i++)
		KUNIT_ASSERT_EQ(test, rows_req_grh(rig_id_create(rig)), 0);
	KUNIT_EXPECT_EQ(test, rig_counter(rig, "deferred"), 4);
	loop_faults_clear(rig->dev);
	loop_hca_release(rig->dev);
	KUNIT_EXPECT_TRUE(test, rig_until(!rig_counter(rig, "deferred")));
	for (i = 0; i < 12; i++)
		wire_expect(rig, ATTR_REQ, NULL);
}

/* ---- requests ---- */

/* No path, or one of another link layer: the call says so, and nothing leaves. */
void rows_req_without_a_path(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct rig_id *id = rig_id_create(rig);
	struct ib_cm_req_param param;
	struct sa_path_rec path, twin;

	rig_attempt(id);
	rig_req_param(id, &param, &path, &twin);
	param.primary_path = NULL;
	KUNIT_EXPECT_EQ(test, ib_send_cm_req(id->cm, &param), -EINVAL);
	rig_req_param(id, &param, &path, &twin);
	path.rec_type = SA_PATH_REC_TYPE_ROCE_V1;
	KUNIT_EXPECT_EQ(test, ib_send_cm_req(id->cm, &param), -EINVAL);
	/* Also where the caller says which GID of ours it begins at */
	param.ppath_sgid_attr = rdma_get_gid_attr(rig->dev, 1, 0);
	KUNIT_ASSERT_FALSE(test, IS_ERR(param.ppath_sgid_attr));
	KUNIT_EXPECT_EQ(test, ib_send_cm_req(id->cm, &param), -EINVAL);
	rdma_put_gid_attr(param.ppath_sgid_attr);
	KUNIT_EXPECT_EQ(test, rig_state(id), CM_ID_IDLE);
	KUNIT_EXPECT_FALSE(test, rig_peer_recv(rig, 0, NULL, 0));
}

/* As stock takes it: too much private data is refused; where there is none its length says nothing. */
void rows_private_data_lengths(struct kunit *test)
{
	static const u8 data[256];
	struct rig *rig = slow_rig(test);
	struct rig_id *id = rig_id_create(rig);
	struct ib_cm_req_param param;
	struct sa_path_rec path, twin;
	u8 mad[MAD_BYTES];

	rig_attempt(id);
	rig_req_param(id, &param, &path, &twin);
	param.private_data = data;
	param.private_data_len = IB_CM_REQ_PRIVATE_DATA_SIZE + 1;
	KUNIT_EXPECT_EQ(test, ib_send_cm_req(id->cm, &param), -EINVAL);
	param.private_data = NULL;
	KUNIT_ASSERT_EQ(test, ib_send_cm_req(id->cm, &param), 0);
	wire_expect(rig, ATTR_REQ, NULL);
	rig_make(id, ATTR_REP, mad);
	rig_peer_send(rig, mad);
	wire_reaches(id, CM_ID_REP_RCVD);
	KUNIT_EXPECT_EQ(test, ib_send_cm_rtu(id->cm, data, IB_CM_RTU_PRIVATE_DATA_SIZE + 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, ib_send_cm_rtu(id->cm, NULL, 255), 0);
	wire_expect(rig, ATTR_RTU, NULL);

	/* What one call too many was given is forgotten, and what was kept of one before */
	KUNIT_EXPECT_EQ(test, ib_send_cm_rtu(id->cm, data, 10), -EINVAL);
	rig_make(id, ATTR_DREQ, mad);
	rig_peer_send(rig, mad);
	wire_reaches(id, CM_ID_DREQ_RCVD);
	KUNIT_EXPECT_EQ(test, ib_send_cm_drep(id->cm, data, 10), 0);
	wire_expect(rig, ATTR_DREP, NULL);

	id = bring(rig, CM_ID_REP_RCVD, true);
	KUNIT_EXPECT_EQ(test, ib_send_cm_rtu(id->cm, data, 5), 0);
	rig_make(id, ATTR_DREQ, mad);
	rig_peer_send(rig, mad);
	wire_reaches(id, CM_ID_DREQ_RCVD);
	KUNIT_EXPECT_EQ(test, ib_send_cm_drep(id->cm, data, 10), 0);
}

/* The P_Key of a request has left the table when it is answered: the call says so, and nothing leaves. */
void rows_rep_in_no_partition(struct kunit *test)
{
	const struct loop_config config = {
		.layer = IB_LINK_LAYER_INFINIBAND,
		.pkeys = { 0xffff, 0x8007 },
	};
	struct rig *rig = rig_create_with(test, &config);
	struct rig_id *listener = rig_listen(rig, RIG_SERVICE), *id;
	struct loop_packet *packet = kunit_kzalloc(test, sizeof(*packet), GFP_KERNEL);
	u8 mad[MAD_BYTES];

	KUNIT_ASSERT_NOT_NULL(test, packet);
	rig_make_req(rig, RIG_SERVICE, mad);
	mad_set(mad, "partition_key", 0x8007);
	rig_peer_packet(rig, mad, packet);
	packet->pkey = 0x8007;
	KUNIT_ASSERT_EQ(test, loop_station_send(rig->peer, packet), 0);
	id = rig_accepted(listener);
	KUNIT_ASSERT_NOT_NULL(test, id);
	rig_settle(rig);
	loop_hca_pkeys(rig->dev, 1, rows_one_pkey, ARRAY_SIZE(rows_one_pkey));
	KUNIT_EXPECT_LT(test, rig_send_rep(id), 0);
	KUNIT_EXPECT_EQ(test, rig_state(id), CM_ID_REQ_RCVD);
	KUNIT_EXPECT_FALSE(test, rig_peer_recv(rig, ATTR_REP, NULL, 50));
	/* It has given its place in the send queue back. */
	KUNIT_EXPECT_EQ(test, rig_counter(rig, "posted"), 0);
}

/* A DREQ is a transaction of its own: its TID is that of the connection's REQ plus one. */
void rows_dreq_tid(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct rig_id *id = rig_id_create(rig);
	u8 req[MAD_BYTES], mad[MAD_BYTES];

	KUNIT_ASSERT_EQ(test, rig_send_req(id), 0);
	wire_expect(rig, ATTR_REQ, req);
	wire_answer(id, ATTR_REP);
	wire_event(id, IB_CM_REP_RECEIVED);
	KUNIT_ASSERT_EQ(test, ib_send_cm_rtu(id->cm, NULL, 0), 0);
	KUNIT_ASSERT_EQ(test, ib_send_cm_dreq(id->cm, NULL, 0), 0);
	wire_expect(rig, ATTR_DREQ, mad);
	KUNIT_EXPECT_EQ(test, mad_get(mad, F_MAD_TID), mad_get(req, F_MAD_TID) + 1);
}

static void rows_capped(struct kunit *test, u32 ms)
{
	KUNIT_EXPECT_LE(test, ms, ROWS_CAPPED_MS + 20);
	KUNIT_EXPECT_GE(test, ms + ROWS_LATE_MS, ROWS_CAPPED_MS);
}

/* What the peer's REQ says of times binds the passive side for 8.6 s at most: its DREQ, its timewait. */
void rows_peer_times_are_capped(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct cm_probe_view view;
	struct rig_id *id;

	rig->response_time = 31;
	rig->ack_time = 31;
	id = bring(rig, CM_ID_ESTABLISHED, false);
	KUNIT_ASSERT_EQ(test, ib_send_cm_dreq(id->cm, NULL, 0), 0);
	cm_probe_view(id->cm, &view);
	KUNIT_EXPECT_TRUE(test, view.armed);
	rows_capped(test, view.wait_ms);

	wire_answer(id, ATTR_DREP);
	wire_reaches(id, CM_ID_TIMEWAIT);
	cm_probe_view(id->cm, &view);
	KUNIT_EXPECT_TRUE(test, view.timewait);
	rows_capped(test, view.timewait_ms);
}

static u64 rows_sysfs(struct rig *rig, const char *group, const char *message)
{
	char path[100];
	u64 value = 0;

	snprintf(path, sizeof(path), "/sys/class/infiniband/%s/ports/1/%s/%s",
		 dev_name(&rig->dev->dev), group, message);
	KUNIT_EXPECT_EQ(rig->test, kstrtou64(strim(rig_look(rig->test, path)), 10, &value), 0);
	return value;
}

/* cm_tx_retries are repetitions by the timer; an answer that is given again is none. */
void rows_tx_retries(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct rig_id *id = bring(rig, CM_ID_ESTABLISHED, true), *slow;
	u64 reqs = rows_sysfs(rig, "cm_tx_retries", "req");
	u64 rtus = rows_sysfs(rig, "cm_tx_retries", "rtu");
	u64 sent = rows_sysfs(rig, "cm_tx_msgs", "rtu");
	u8 mad[MAD_BYTES];

	wire_answer(id, ATTR_REP);
	wire_expect(rig, ATTR_RTU, mad);
	KUNIT_EXPECT_EQ(test, rows_sysfs(rig, "cm_tx_msgs", "rtu"), sent + 1);
	KUNIT_EXPECT_EQ(test, rows_sysfs(rig, "cm_tx_retries", "rtu"), rtus);

	rig->response_time = WIRE_QUICK;
	slow = rig_id_create(rig);
	KUNIT_ASSERT_EQ(test, rig_send_req(slow), 0);
	wire_expect(rig, ATTR_REQ, mad);
	KUNIT_EXPECT_GE(test, rows_sysfs(rig, "cm_tx_retries", "req"), reqs);
	wire_expect(rig, ATTR_REQ, mad);
	KUNIT_EXPECT_TRUE(test, rig_until(rows_sysfs(rig, "cm_tx_retries", "req") > reqs));
}

/* ---- what arrives ---- */

/* InfiniBand: a source that is not the id's path is counted; with strict_source it is dropped, too. */
void rows_source_of_another(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct loop_station *other = wire_station(test, IB_LINK_LAYER_INFINIBAND), *peer;
	struct rig_id *id = bring(rig, CM_ID_REP_SENT, false);
	long source = rig_look_number(rig, "counters", "rx_source");
	long foreign = rig_look_number(rig, "counters", "rx_foreign");

	peer = wire_peer(rig, other);
	rig_param(test, "strict_source", 1);
	wire_answer(id, ATTR_RTU);
	KUNIT_EXPECT_TRUE(test, rig_until(rig_look_number(rig, "counters", "rx_source") == source + 1));
	KUNIT_EXPECT_EQ(test, rig_look_number(rig, "counters", "rx_foreign"), foreign + 1);
	KUNIT_EXPECT_EQ(test, rig_state(id), CM_ID_REP_SENT);

	rig_param(test, "strict_source", 0);
	wire_answer(id, ATTR_RTU);
	wire_event(id, IB_CM_RTU_RECEIVED);
	KUNIT_EXPECT_EQ(test, rig_look_number(rig, "counters", "rx_source"), source + 2);
	KUNIT_EXPECT_EQ(test, rig_look_number(rig, "counters", "rx_foreign"), foreign + 1);

	/* From where it should come nothing is counted. */
	wire_peer(rig, peer);
	wire_answer(id, ATTR_DREQ);
	wire_event(id, IB_CM_DREQ_RECEIVED);
	KUNIT_EXPECT_EQ(test, rig_look_number(rig, "counters", "rx_source"), source + 2);
}

/* REJ 18 names a GID that the port has. */
void rows_bad_alternate_path(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct rig_id *listener = rig_listen(rig, RIG_SERVICE);
	struct loop_packet here = {};
	u8 mad[MAD_BYTES], ari[IB_CM_REJ_ARI_LENGTH];

	rig->alternate = true;
	rig_make_req(rig, RIG_SERVICE, mad);
	/* As in a REQ for another port: the GID is nobody's. */
	memset(mad + MAD_HEADER + 116, 0x5a, 16);
	rig_peer_send(rig, mad);
	wire_expect(rig, ATTR_REJ, mad);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "reason"), 18);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "rejected_info_length"), 16);
	memcpy(ari, mad + MAD_HEADER + 12, sizeof(ari));
	loop_hca_address(rig->dev, 1, &here);
	KUNIT_EXPECT_MEMEQ(test, ari, here.sgid.raw, 16);
	wire_quiet(listener, 50);
}

/* While backlog requests are being resolved, one more is dropped; when it is repeated, it is served. */
void rows_backlog_while_resolving(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct rig_id *listener = rig_listen(rig, RIG_SERVICE), *id;
	long dropped = rig_look_number(rig, "counters", "rx_backlog");
	u8 first[MAD_BYTES], second[MAD_BYTES];

	rig_param(test, "backlog", 1);
	wire_peer(rig, wire_station(test, IB_LINK_LAYER_INFINIBAND));
	wire_fault(rig, LOOP_AH_SLOW, 0, 1, 4 * RIG_WAIT_MS);
	rig_make_req(rig, RIG_SERVICE, first);
	rig_make_req(rig, RIG_SERVICE, second);
	rig_peer_send(rig, first);
	KUNIT_ASSERT_TRUE(test, rig_until(loop_fault_hits(rig->dev, 1, LOOP_AH_SLOW) == 1));
	rig_peer_send(rig, second);
	KUNIT_EXPECT_TRUE(test, rig_until(rig_look_number(rig, "counters", "rx_backlog") == dropped + 1));

	loop_faults_clear(rig->dev);
	id = rig_accepted(listener);
	KUNIT_ASSERT_NOT_NULL(test, id);
	KUNIT_EXPECT_EQ(test, id->peer_id, mad_get(first, "local_comm_id"));
	KUNIT_EXPECT_TRUE(test, rig_until(!rig_look_number(rig, "now", "resolving")));
	rig_peer_send(rig, second);
	id = rig_accepted(listener);
	KUNIT_ASSERT_NOT_NULL(test, id);
	KUNIT_EXPECT_EQ(test, id->peer_id, mad_get(second, "local_comm_id"));
}

/* A REJ of a REQ names our comm id if an MRA has told the peer of it, and only then. */
void rows_rej_names_what_an_mra_told(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct rig_id *told = bring(rig, CM_ID_REQ_RCVD, false);
	struct rig_id *untold = bring(rig, CM_ID_REQ_RCVD, false);
	u8 mad[MAD_BYTES];

	rig_make(told, ATTR_REQ, mad);
	rig_peer_send(rig, mad);
	wire_expect(rig, ATTR_MRA, mad);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "local_comm_id"), be32_to_cpu(told->cm->local_id));
	KUNIT_EXPECT_EQ(test, wire_reject(told), 0);
	wire_expect(rig, ATTR_REJ, mad);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "local_comm_id"), be32_to_cpu(told->cm->local_id));

	KUNIT_EXPECT_EQ(test, wire_reject(untold), 0);
	wire_expect(rig, ATTR_REJ, mad);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "remote_comm_id"), untold->peer_id);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "local_comm_id"), 0);
}

#define ROWS_FLOOD	600
#define ROWS_BURST	256	/* at once; the rate refills it */

/* Answers that no id stands behind are rationed, and each is sent or counted. */
void rows_reply_rate(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct rig_id *id = bring(rig, CM_ID_ESTABLISHED, true);
	long dropped = rig_look_number(rig, "counters", "reply_dropped");
	ktime_t begin = ktime_get();
	unsigned int answers, seconds, i;
	u8 mad[MAD_BYTES];

	rig_param(test, "reply_rate", 10);
	rig_make(id, ATTR_DREQ, mad);
	for (i = 0; i < ROWS_FLOOD; i++) {
		mad_set(mad, "remote_comm_id", 0x7f000000 + i);
		mad_set(mad, F_MAD_TID, 0x9000 + i);
		rig_peer_send(rig, mad);
		if (i % 16 == 15)
			rig_settle(rig);
	}
	rig_settle(rig);
	answers = wire_count(rig, ATTR_DREP, WIRE_QUIET_MS);
	seconds = ktime_to_ms(ktime_sub(ktime_get(), begin)) / 1000 + 1;
	KUNIT_EXPECT_GE(test, answers, 1);
	KUNIT_EXPECT_LE(test, answers, ROWS_BURST + 10 * (seconds + 1));
	KUNIT_EXPECT_EQ(test, answers + rig_look_number(rig, "counters", "reply_dropped") - dropped,
			ROWS_FLOOD);
	kunit_info(test, "%u answers in %u s", answers, seconds);
}

#define ROWS_PREPARED	128

/* While so many replies wait for their way, one more is dropped and counted; asked again later, it is given. */
void rows_replies_in_preparation(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct rig_id *id = bring(rig, CM_ID_ESTABLISHED, true);
	long dropped = rig_counter(rig, "reply_dropped");
	unsigned int i;
	u8 mad[MAD_BYTES];

	/* To a peer that no handle is there for, and it is long in coming. */
	wire_peer(rig, wire_station(test, IB_LINK_LAYER_INFINIBAND));
	wire_fault(rig, LOOP_AH_SLOW, 0, 0, 4 * RIG_WAIT_MS);
	rig_make(id, ATTR_DREQ, mad);
	for (i = 0; i <= ROWS_PREPARED; i++) {
		mad_set(mad, "remote_comm_id", 0x7f000000 + i);
		mad_set(mad, F_MAD_TID, 0x9000 + i);
		rig_peer_send(rig, mad);
		if (i % 16 == 15)
			rig_flush(rig);
	}
	KUNIT_EXPECT_TRUE(test, rig_until(rig_counter(rig, "reply_dropped") == dropped + 1));
	loop_faults_clear(rig->dev);
	for (i = 0; i < ROWS_PREPARED; i++)
		if (!rig_peer_recv(rig, ATTR_DREP, NULL, RIG_WAIT_MS))
			break;
	KUNIT_EXPECT_EQ(test, i, ROWS_PREPARED);
	KUNIT_EXPECT_EQ(test, wire_count(rig, ATTR_DREP, 50), 0);
	rig_peer_send(rig, mad);
	wire_expect(rig, ATTR_DREP, mad);
	KUNIT_EXPECT_EQ(test, rig_counter(rig, "reply_dropped"), dropped + 1);
}

#define ROWS_WAITING	6

/* So many datagrams wait for a consumer that is in its handler; the next is counted and lost, until it comes again. */
void rows_events_that_wait(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct rig_id *id = bring(rig, CM_ID_REQ_SENT, true);
	struct wire_gate *gate = wire_gate(test, id, 1);
	long lost = rig_counter(rig, "rx_nomem");
	int i;

	/* Attempt after attempt is refused. */
	for (i = 0; i <= ROWS_WAITING; i++) {
		wire_answer_rej(id, IB_CM_REJ_CONSUMER_DEFINED, REJ_OF_REQ);
		if (!i)
			KUNIT_ASSERT_TRUE(test, wire_gate_entered(gate, 1));
		KUNIT_ASSERT_TRUE(test, rig_until(rig_state(id) == CM_ID_IDLE));
		KUNIT_ASSERT_EQ(test, rig_send_req(id), 0);
		wire_expect(rig, ATTR_REQ, NULL);
	}
	KUNIT_EXPECT_EQ(test, rig_counter(rig, "rx_nomem"), lost);
	wire_answer_rej(id, IB_CM_REJ_CONSUMER_DEFINED, REJ_OF_REQ);
	KUNIT_EXPECT_TRUE(test, rig_until(rig_counter(rig, "rx_nomem") == lost + 1));
	KUNIT_EXPECT_EQ(test, rig_state(id), CM_ID_REQ_SENT);

	wire_gate_open(gate);
	for (i = 0; i <= ROWS_WAITING; i++)
		wire_event(id, IB_CM_REJ_RECEIVED);
	wire_answer_rej(id, IB_CM_REJ_CONSUMER_DEFINED, REJ_OF_REQ);
	wire_event(id, IB_CM_REJ_RECEIVED);
	KUNIT_EXPECT_EQ(test, rig_state(id), CM_ID_IDLE);
}

/* The REP names a QPN that another connection has: that one's peer has restarted, and it parts. */
void rows_stale_rep_ends_the_old(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct rig_id *old = bring(rig, CM_ID_ESTABLISHED, true);
	struct rig_id *new = bring(rig, CM_ID_REQ_SENT, true);
	const struct rig_event *event;
	u8 mad[MAD_BYTES];

	rig_make(new, ATTR_REP, mad);
	mad_set(mad, "local_qpn", old->peer_qpn);
	rig_peer_send(rig, mad);
	event = wire_event(new, IB_CM_REJ_RECEIVED);
	if (event)
		KUNIT_EXPECT_EQ(test, event->raw.param.rej_rcvd.reason, IB_CM_REJ_STALE_CONN);
	wire_expect(rig, ATTR_DREQ, mad);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "local_comm_id"), be32_to_cpu(old->cm->local_id));
	KUNIT_EXPECT_EQ(test, mad_get(mad, "remote_comm_id"), old->peer_id);
	KUNIT_EXPECT_EQ(test, rig_state(old), CM_ID_DREQ_SENT);
}

/* The same request id with another TID is the next attempt's question, also while the last one is open. */
void rows_sidr_request_id_again(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct rig_id *listener = rig_listen(rig, RIG_SERVICE), *first, *second;
	u8 mad[MAD_BYTES];

	rig_make_sidr_req(rig, RIG_SERVICE, mad);
	rig_peer_send(rig, mad);
	first = rig_accepted(listener);
	KUNIT_ASSERT_NOT_NULL(test, first);

	mad_set(mad, F_MAD_TID, mad_get(mad, F_MAD_TID) + 0x100);
	rig_peer_send(rig, mad);
	second = rig_accepted(listener);
	KUNIT_ASSERT_NOT_NULL_MSG(test, second, "while the first is pending");
	KUNIT_EXPECT_PTR_NE(test, second, first);
}

/* A message that this side never gets is counted as such. */
void rows_mra_of_what_was_not_sent(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct rig_id *id = bring(rig, CM_ID_REQ_RCVD, false);
	long before = rig_look_number(rig, "counters", "rx_wrong_role");
	u8 mad[MAD_BYTES];

	rig_make(id, ATTR_MRA, mad);
	mad_set(mad, "remote_comm_id", be32_to_cpu(id->cm->local_id));
	mad_set(mad, "message_mraed", 0);	/* the REQ, which is the peer's */
	rig_peer_send(rig, mad);
	KUNIT_EXPECT_TRUE(test,
			  rig_until(rig_look_number(rig, "counters", "rx_wrong_role") == before + 1));
	KUNIT_EXPECT_EQ(test, rig_state(id), CM_ID_REQ_RCVD);
}

/* A record in timewait recognises its own request and yields to any other: comm id and QPN are free for the peer. */
void rows_timewait_yields(struct kunit *test)
{
	struct rig *rig = slow_rig(test);
	struct rig_id *listener, *id, *next;
	u8 mad[MAD_BYTES];

	rig->life_time = 20;
	rig->ack_time = 20;
	listener = rig_listen(rig, RIG_SERVICE);
	id = wire_connect_passive(rig, listener);
	memcpy(mad, id->request, MAD_BYTES);
	rig_id_destroy(id);
	rig_settle(rig);
	wire_drain(rig);

	rig_peer_send(rig, mad);
	rig_settle(rig);
	KUNIT_EXPECT_EQ(test, wire_count(rig, 0, 50), 0);

	mad_set(mad, F_MAD_TID, mad_get(mad, F_MAD_TID) + 0x100);
	rig_peer_send(rig, mad);
	next = rig_accepted(listener);
	KUNIT_ASSERT_NOT_NULL_MSG(test, next, "the next attempt is not taken");
	wire_event(next, IB_CM_REQ_RECEIVED);
}
