// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sending at its bounds, for the suite ib_cm_limits: more datagrams than may be
 * out, more peers than handles may be kept, handles that are slow to come.
 *
 * Owns: these cases. A datagram that is dropped is counted, and what repeats it
 * is its timer; one that waits leaves when there is room.
 */
#include <linux/delay.h>
#include <linux/sched/mm.h>

#include "limits.h"

#define MAY_WAIT	1024	/* datagrams of a port that wait, but DREQs and REJs */
#define MORE		16	/* of them than may */
#define HANDLES		16	/* the least that the parameter takes */
#define STATIONS	24
#define PARTING		65536	/* DREQs and REJs that may wait (differences.rst) */
#define SLOW_MS		60000	/* until the test has done something else, and takes the rule back */

static const struct loop_rule once = { .nth = 1, .times = 1 };
static const struct loop_rule counted = { .nth = 1 };	/* slow by nothing */

/* ---- the budget ---- */

/* A repetition does not wait: the timer will have another. */
LIMITS_CASE(limits_repetition_over_budget)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	u8 *mad = limits_mad(test);
	struct rig_id *id;
	long dropped;

	rig->life_time = 8;
	rig->response_time = 17;
	rig->retries = 15;
	id = rig_bring(rig, CM_ID_REQ_SENT, true);
	KUNIT_ASSERT_NOT_NULL(test, id);
	limits_fill(test, rig);
	while (rig_peer_recv(rig, 0, NULL, 0))
		;
	dropped = rig_counter(rig, "tx_dropped");
	KUNIT_EXPECT_TRUE(test, rig_until(rig_counter(rig, "tx_dropped") > dropped));
	KUNIT_EXPECT_EQ_MSG(test, rig_counter(rig, "deferred"), 0, "a repetition waits");
	KUNIT_EXPECT_FALSE(test, rig_peer_recv(rig, ATTR_REQ, NULL, 0));
	limits_release(rig);
	KUNIT_ASSERT_TRUE(test, rig_peer_recv(rig, ATTR_REQ, mad, RIG_WAIT_MS));
	KUNIT_EXPECT_EQ(test, mad_get(mad, "local_comm_id"), id->local_id);
}

/* Calls allocate without I/O. What their caller may allocate is afterwards what it was before. */
LIMITS_CASE(limits_caller_allocates_as_before)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	unsigned int saved, i;

	for (i = 0; i < 2; i++) {
		struct rig_id *id = rig_id_create(rig), *answered;

		saved = i ? memalloc_noio_save() : 0;
		KUNIT_EXPECT_EQ(test, rig_send_req(id), 0);
		KUNIT_EXPECT_EQ(test, !!(current->flags & PF_MEMALLOC_NOIO), i);
		if (i)
			memalloc_noio_restore(saved);
		answered = rig_bring(rig, CM_ID_REQ_RCVD, false);
		KUNIT_ASSERT_NOT_NULL(test, answered);
		saved = i ? memalloc_noio_save() : 0;
		KUNIT_EXPECT_EQ(test, rig_send_rep(answered), 0);
		KUNIT_EXPECT_EQ(test, !!(current->flags & PF_MEMALLOC_NOIO), i);
		if (i)
			memalloc_noio_restore(saved);
	}
}

/* What waits leaves when there is room, what may not wait is counted, and comes with its timer. */
LIMITS_CASE(limits_as_many_as_may_wait)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id **ids = kunit_kcalloc(test, MAY_WAIT + MORE, sizeof(*ids), GFP_KERNEL);
	unsigned int i, found = 0;
	u8 *mad = limits_mad(test);
	u8 *seen = kunit_kzalloc(test, MAY_WAIT + MORE, GFP_KERNEL);
	long dropped;

	KUNIT_ASSERT_NOT_NULL(test, ids);
	KUNIT_ASSERT_NOT_NULL(test, seen);
	KUNIT_ASSERT_TRUE(test, rig_param(test, "window", 65536));
	limits_fill(test, rig);
	dropped = rig_counter(rig, "tx_dropped");
	for (i = 0; i < MAY_WAIT + MORE; i++) {
		rig->response_time = i < MAY_WAIT ? LIMITS_LONG : 19;
		ids[i] = rig_id_create(rig);
		KUNIT_ASSERT_EQ(test, rig_send_req(ids[i]), 0);
	}
	KUNIT_EXPECT_EQ(test, rig_counter(rig, "deferred"), MAY_WAIT);
	KUNIT_EXPECT_GE(test, rig_counter(rig, "tx_dropped") - dropped, MORE);
	KUNIT_EXPECT_FALSE(test, rig_peer_recv(rig, ATTR_REQ, NULL, 0));
	limits_release(rig);
	while (found < MAY_WAIT + MORE && rig_peer_recv(rig, ATTR_REQ, mad, RIG_WAIT_MS)) {
		u32 whose = mad_get(mad, "local_comm_id");

		for (i = 0; i < MAY_WAIT + MORE && ids[i]->local_id != whose; i++)
			;
		if (i < MAY_WAIT + MORE && !seen[i]) {
			seen[i] = 1;
			found++;
		}
	}
	KUNIT_EXPECT_EQ(test, found, MAY_WAIT + MORE);
	KUNIT_EXPECT_EQ(test, rig_counter(rig, "deferred"), 0);
}

/* Whichever allocation fails: the call says so, or the request comes with its timer. */
LIMITS_CASE(limits_no_memory_to_wait)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	unsigned int nth, left, round, sent = 0;
	u8 *mad = limits_mad(test);
	long nomem, lost = 0;

	if (!rig_failslab(test))
		kunit_skip(test, "failslab is not there, or spares allocations that may sleep");
	limits_fill(test, rig);
	nomem = rig_counter(rig, "tx_nomem");
	rig->alternate = true;
	rig->response_time = 17;
	rig->retries = 15;
	for (round = 0; round < RIG_SHORT_ROUNDS && !lost; round++) {
		for (nth = 1, left = 0; nth < 64 && left < 2; nth++) {
			struct rig_id *id = rig_id_create(rig);
			int err;

			rig_fail_here(nth);
			err = rig_send_req(id);
			left = rig_fail_here(0);
			if (err) {
				KUNIT_EXPECT_EQ(test, err, -ENOMEM);
				KUNIT_EXPECT_EQ(test, rig_state(id), CM_ID_IDLE);
				continue;
			}
			KUNIT_EXPECT_EQ(test, rig_state(id), CM_ID_REQ_SENT);
			sent++;
		}
		lost = rig_counter(rig, "tx_nomem") - nomem;
	}
	KUNIT_EXPECT_GE(test, lost, 1);
	limits_release(rig);
	for (; sent; sent--)
		KUNIT_EXPECT_TRUE(test, rig_peer_recv(rig, ATTR_REQ, mad, RIG_WAIT_MS));
}

/* What has waited and cannot be sent counts as a send that failed: so many in a row end the attempt. */
LIMITS_CASE(limits_waits_and_fails)
{
	const struct loop_config config = { .layer = IB_LINK_LAYER_INFINIBAND,
					    .pkeys = { 0xffff, 0x8001 } };
	const u16 one = 0xffff;
	struct rig *rig = rig_create_with(test, &config);
	const struct rig_event *event;
	struct rig_id *id;
	long errors;

	limits_fill(test, rig);
	id = rig_id_create(rig);
	rig->life_time = 8;
	rig->response_time = 14;
	rig->retries = 15;
	KUNIT_ASSERT_EQ(test, limits_req(id, NULL, 0x8001), 0);
	KUNIT_ASSERT_EQ(test, rig_counter(rig, "deferred"), 1);
	errors = rig_counter(rig, "tx_errors");
	loop_hca_pkeys(rig->dev, 1, &one, 1);
	limits_release(rig);
	event = rig_event(id, RIG_WAIT_MS);
	KUNIT_ASSERT_NOT_NULL(test, event);
	KUNIT_EXPECT_EQ(test, (int)event->type, (int)IB_CM_REQ_ERROR);
	KUNIT_EXPECT_EQ(test, (int)event->raw.param.send_status, (int)IB_WC_GENERAL_ERR);
	KUNIT_EXPECT_GT(test, rig_counter(rig, "tx_errors"), errors);
	KUNIT_EXPECT_FALSE(test, rig_peer_recv(rig, ATTR_REQ, NULL, 0));
}

/* A request that has waited for the window, and gets no handle for want of memory, is lost: its timer repeats it. */
LIMITS_CASE(limits_handle_fails_late)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct loop_station *other = wire_station(test, IB_LINK_LAYER_INFINIBAND);
	struct loop_packet *packet = kunit_kzalloc(test, sizeof(*packet), GFP_KERNEL);
	struct rig_id *first, *id;
	u8 *mad = limits_mad(test);
	long nomem;

	KUNIT_ASSERT_NOT_NULL(test, packet);
	rig->response_time = LIMITS_LONG;
	KUNIT_ASSERT_TRUE(test, rig_param(test, "window", 1));
	first = rig_bring(rig, CM_ID_REQ_SENT, true);
	KUNIT_ASSERT_NOT_NULL(test, first);
	id = rig_id_create(rig);
	rig->life_time = 8;
	rig->response_time = 16;
	rig->retries = 15;
	KUNIT_ASSERT_EQ(test, limits_req(id, other, 0xffff), 0);
	KUNIT_ASSERT_NE(test, loop_station_recv(other, packet, 20), 0);
	nomem = rig_counter(rig, "tx_nomem");
	loop_fault_set(rig->dev, 1, LOOP_AH_FAIL, &once);
	rig_make(first, ATTR_REJ, mad);
	rig_peer_send(rig, mad);
	KUNIT_EXPECT_TRUE(test, rig_until(loop_fault_hits(rig->dev, 1, LOOP_AH_FAIL)));
	KUNIT_ASSERT_TRUE_MSG(test, limits_arrives(other, ATTR_REQ, packet), "it is not repeated");
	KUNIT_EXPECT_EQ(test, mad_get(packet->mad, "local_comm_id"), id->local_id);
	KUNIT_EXPECT_EQ(test, rig_counter(rig, "tx_nomem") - nomem, 1);
	KUNIT_EXPECT_EQ(test, rig_state(id), CM_ID_REQ_SENT);
}

/* How many sends fail before the request is given up. */
static unsigned int limits_errors(struct kunit *test, struct rig_id *id)
{
	const struct rig_event *event = rig_event(id, RIG_WAIT_MS);

	KUNIT_ASSERT_NOT_NULL(test, event);
	KUNIT_EXPECT_EQ(test, (int)event->type, (int)IB_CM_REQ_ERROR);
	return loop_fault_hits(id->rig->dev, 1, LOOP_SEND_ERROR);
}

/* A copy that never was sent, for want of memory, is no error of sending: as many of these have to come as without it. */
LIMITS_CASE(limits_want_of_memory_is_no_send_error)
{
	const struct loop_rule each = { .attr_id = ATTR_REQ, .nth = 1 };
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct loop_station *other = wire_station(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *first, *plain, *id;
	u8 *mad = limits_mad(test);
	unsigned int usual;

	rig->life_time = 8;
	rig->response_time = 14;
	rig->retries = 15;
	loop_fault_set(rig->dev, 1, LOOP_SEND_ERROR, &each);
	plain = rig_id_create(rig);
	KUNIT_ASSERT_EQ(test, rig_send_req(plain), 0);
	usual = limits_errors(test, plain);
	KUNIT_EXPECT_GE(test, usual, 2);
	loop_faults_clear(rig->dev);

	KUNIT_ASSERT_TRUE(test, rig_param(test, "window", 1));
	rig->response_time = LIMITS_LONG;
	first = rig_bring(rig, CM_ID_REQ_SENT, true);
	KUNIT_ASSERT_NOT_NULL(test, first);
	rig->response_time = 14;
	id = rig_id_create(rig);
	KUNIT_ASSERT_EQ(test, limits_req(id, other, 0xffff), 0);
	loop_fault_set(rig->dev, 1, LOOP_AH_FAIL, &once);
	loop_fault_set(rig->dev, 1, LOOP_SEND_ERROR, &each);
	rig_make(first, ATTR_REJ, mad);
	rig_peer_send(rig, mad);
	KUNIT_EXPECT_EQ(test, limits_errors(test, id), usual);
	KUNIT_EXPECT_EQ(test, loop_fault_hits(rig->dev, 1, LOOP_AH_FAIL), 1);
}

/* A P_Key that the port has not is refused by the call, also where the request would have to wait for the window. */
LIMITS_CASE(limits_unknown_pkey_does_not_wait)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = rig_id_create(rig);

	rig->response_time = LIMITS_LONG;
	KUNIT_ASSERT_TRUE(test, rig_param(test, "window", 1));
	KUNIT_ASSERT_NOT_NULL(test, rig_bring(rig, CM_ID_REQ_SENT, true));
	KUNIT_EXPECT_LT(test, limits_req(id, NULL, 0x1234), 0);
	KUNIT_EXPECT_EQ(test, rig_state(id), CM_ID_IDLE);
	KUNIT_EXPECT_NULL(test, rig_event(id, 0));
	KUNIT_EXPECT_EQ(test, limits_req(id, NULL, 0xffff), 0);
}

/* ---- handles ---- */

static void limits_ask(struct kunit *test, struct rig *rig, struct loop_station *station)
{
	struct loop_packet *packet = kzalloc(sizeof(*packet), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, packet);
	KUNIT_EXPECT_EQ(test, limits_req(rig_id_create(rig), station, 0xffff), 0);
	KUNIT_EXPECT_TRUE(test, limits_arrives(station, ATTR_REQ, packet));
	kfree(packet);
}

/* More peers than handles may be kept: each is reached, and the least used go. */
LIMITS_CASE(limits_handles_are_bounded)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct loop_station *stations[STATIONS];
	unsigned int i, made;

	rig->response_time = LIMITS_LONG;
	KUNIT_ASSERT_TRUE(test, rig_param(test, "ah_limit", HANDLES));
	for (i = 0; i < STATIONS; i++) {
		stations[i] = wire_station(test, IB_LINK_LAYER_INFINIBAND);
		limits_ask(test, rig, stations[i]);
		KUNIT_EXPECT_TRUE_MSG(test, rig_until(!rig_counter(rig, "posted")),
				      "the send does not complete");
		KUNIT_EXPECT_LE(test, rig_counter(rig, "ah_shared"), HANDLES);
		/* One that is used all the time stays. */
		if (i)
			limits_ask(test, rig, stations[0]);
	}
	KUNIT_EXPECT_TRUE(test, rig_until(loop_hca_handles(rig->dev) == HANDLES));
	loop_fault_set(rig->dev, 1, LOOP_AH_SLOW, &counted);
	limits_ask(test, rig, stations[0]);
	KUNIT_EXPECT_EQ_MSG(test, loop_fault_hits(rig->dev, 1, LOOP_AH_SLOW), 0,
			    "the one in use was given up");
	limits_ask(test, rig, stations[STATIONS - 1]);
	KUNIT_EXPECT_EQ_MSG(test, loop_fault_hits(rig->dev, 1, LOOP_AH_SLOW), 0,
			    "there was no place for the latest");
	for (i = 0; i < STATIONS; i++)
		limits_ask(test, rig, stations[i]);
	made = loop_fault_hits(rig->dev, 1, LOOP_AH_SLOW);
	KUNIT_EXPECT_GE(test, made, STATIONS - HANDLES);
	KUNIT_EXPECT_TRUE(test, rig_until(loop_hca_handles(rig->dev) == HANDLES));
}

/* A new one has to be asked for: is there still the one for that station? */
static bool limits_has_handle(struct kunit *test, struct rig *rig, struct loop_station *station)
{
	loop_fault_set(rig->dev, 1, LOOP_AH_SLOW, &counted);
	limits_ask(test, rig, station);
	return !loop_fault_hits(rig->dev, 1, LOOP_AH_SLOW);
}

/* Of those that wait for their turn to go, the one that has been used meanwhile is passed over. */
LIMITS_CASE(limits_handle_in_use_is_passed_over)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct loop_station *stations[HANDLES + 2];
	unsigned int i;

	rig->response_time = LIMITS_LONG;
	KUNIT_ASSERT_TRUE(test, rig_param(test, "ah_limit", HANDLES));
	for (i = 0; i < ARRAY_SIZE(stations); i++)
		stations[i] = wire_station(test, IB_LINK_LAYER_INFINIBAND);
	/* The one more takes the place of the first: none of the others has been used since it was looked at. */
	for (i = 0; i <= HANDLES; i++) {
		limits_ask(test, rig, stations[i]);
		KUNIT_ASSERT_TRUE(test, rig_until(!rig_counter(rig, "posted")));
	}
	KUNIT_EXPECT_TRUE(test, limits_has_handle(test, rig, stations[1]));
	KUNIT_ASSERT_TRUE(test, rig_until(!rig_counter(rig, "posted")));
	limits_ask(test, rig, stations[HANDLES + 1]);
	KUNIT_EXPECT_TRUE(test, limits_has_handle(test, rig, stations[1]));
	KUNIT_EXPECT_FALSE(test, limits_has_handle(test, rig, stations[2]));
}

/* What nobody has used for 30 s goes, and what has been used since stays until its own time. */
LIMITS_CASE(limits_handles_grow_old)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct loop_station *one = wire_station(test, IB_LINK_LAYER_INFINIBAND);
	struct loop_station *other = wire_station(test, IB_LINK_LAYER_INFINIBAND);
	unsigned int tries = 0;

	/* Nothing is repeated here, though it takes half a minute. */
	rig->response_time = LIMITS_LONG + 3;
	limits_ask(test, rig, one);
	KUNIT_ASSERT_TRUE(test, rig_until(!rig_counter(rig, "posted")));
	cm_probe_ah_age(rig->dev, 1, 31);
	while (tries++ < 6 && !rig_until(!loop_hca_handles(rig->dev)))
		;
	KUNIT_EXPECT_EQ(test, loop_hca_handles(rig->dev), 0);
	tries = 0;
	limits_ask(test, rig, one);
	limits_ask(test, rig, other);
	KUNIT_ASSERT_TRUE(test, rig_until(!rig_counter(rig, "posted")));
	KUNIT_ASSERT_EQ(test, rig_counter(rig, "ah_shared"), 2);
	cm_probe_ah_age(rig->dev, 1, 31);
	limits_ask(test, rig, one);
	KUNIT_ASSERT_TRUE(test, rig_until(!rig_counter(rig, "posted")));
	cm_probe_ah_look(rig->dev, 1);
	KUNIT_EXPECT_TRUE(test, rig_until(loop_hca_handles(rig->dev) < 2));
	KUNIT_EXPECT_EQ(test, rig_counter(rig, "ah_shared"), 1);
	KUNIT_EXPECT_TRUE(test, limits_has_handle(test, rig, one));
	/* It is looked for them every 10 s, while there are any. */
	KUNIT_ASSERT_TRUE(test, rig_until(!rig_counter(rig, "posted")));
	cm_probe_ah_age(rig->dev, 1, 31);
	while (tries++ < 6 && !rig_until(!loop_hca_handles(rig->dev)))
		;
	KUNIT_EXPECT_EQ(test, loop_hca_handles(rig->dev), 0);
	KUNIT_EXPECT_EQ(test, rig_counter(rig, "ah_shared"), 0);
}

/* When all of them are in use, one more is made, and goes with its datagram. */
LIMITS_CASE(limits_handles_all_in_use)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	unsigned int i;

	rig->response_time = LIMITS_LONG;
	KUNIT_ASSERT_TRUE(test, rig_param(test, "ah_limit", HANDLES));
	loop_fault_set(rig->dev, 1, LOOP_SEND_NEVER, &counted);
	for (i = 0; i < HANDLES + 2; i++)
		limits_ask(test, rig, wire_station(test, IB_LINK_LAYER_INFINIBAND));
	KUNIT_EXPECT_EQ(test, rig_counter(rig, "ah_shared"), HANDLES);
	KUNIT_EXPECT_EQ(test, loop_hca_handles(rig->dev), HANDLES + 2);
	limits_release(rig);
	KUNIT_EXPECT_TRUE(test, rig_until(loop_hca_handles(rig->dev) == HANDLES));
	KUNIT_EXPECT_EQ(test, rig_counter(rig, "ah_shared"), HANDLES);
}

/* What handles were made of has changed: one that nobody uses goes at once, so that it does not hold a GID. */
LIMITS_CASE(limits_idle_handle_out_of_date)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct ib_event event = {
		.device = rig->dev,
		.event = IB_EVENT_CLIENT_REREGISTER,
		.element.port_num = 1,
	};

	rig->response_time = LIMITS_LONG;
	limits_ask(test, rig, wire_station(test, IB_LINK_LAYER_INFINIBAND));
	KUNIT_ASSERT_TRUE(test, rig_until(!rig_counter(rig, "posted")));
	KUNIT_ASSERT_EQ(test, loop_hca_handles(rig->dev), 1);
	ib_dispatch_event(&event);
	KUNIT_EXPECT_TRUE(test, rig_until(!loop_hca_handles(rig->dev)));
}

/* A handle that there is no memory for: the call says so, or the request comes with its timer. */
LIMITS_CASE(limits_handle_without_memory)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct loop_packet *packet = kunit_kzalloc(test, sizeof(*packet), GFP_KERNEL);
	unsigned int nth, left, failed = 0;

	KUNIT_ASSERT_NOT_NULL(test, packet);
	if (!rig_failslab(test))
		kunit_skip(test, "failslab is not there, or spares allocations that may sleep");
	rig->life_time = 8;
	rig->response_time = 17;
	rig->retries = 15;
	for (nth = 1, left = 0; nth < 64 && left < 2; nth++) {
		struct loop_station *station = wire_station(test, IB_LINK_LAYER_INFINIBAND);
		struct rig_id *id = rig_id_create(rig);
		int err;

		rig_fail_here(nth);
		err = limits_req(id, station, 0xffff);
		left = rig_fail_here(0);
		if (err) {
			KUNIT_EXPECT_EQ_MSG(test, err, -ENOMEM, "allocation %u", nth);
			KUNIT_EXPECT_EQ(test, rig_state(id), CM_ID_IDLE);
			failed++;
		} else {
			KUNIT_EXPECT_TRUE_MSG(test, limits_arrives(station, ATTR_REQ, packet),
					      "allocation %u", nth);
		}
		rig_id_destroy(id);
	}
	KUNIT_EXPECT_GE(test, failed, 1);
}

/* Two calls need the same handle at once: one of the two is given up, both requests leave. */
LIMITS_CASE(limits_handle_made_twice)
{
	const struct loop_rule slow = { .nth = 1, .arg = SLOW_MS };
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct loop_station *station = wire_station(test, IB_LINK_LAYER_INFINIBAND);
	struct loop_packet *packet = kunit_kzalloc(test, sizeof(*packet), GFP_KERNEL);
	struct limits_call calls[2];
	int i;

	KUNIT_ASSERT_NOT_NULL(test, packet);
	rig->response_time = LIMITS_LONG;
	loop_fault_set(rig->dev, 1, LOOP_AH_SLOW, &slow);
	for (i = 0; i < 2; i++)
		limits_start(&calls[i], rig_id_create(rig), station);
	KUNIT_EXPECT_TRUE_MSG(test, rig_until(loop_fault_hits(rig->dev, 1, LOOP_AH_SLOW) == 2),
			      "they did not need it at once");
	loop_faults_clear(rig->dev);
	for (i = 0; i < 2; i++)
		KUNIT_EXPECT_EQ(test, limits_join(&calls[i]), 0);
	for (i = 0; i < 2; i++)
		KUNIT_EXPECT_TRUE(test, limits_arrives(station, ATTR_REQ, packet));
	KUNIT_EXPECT_TRUE(test, rig_until(loop_hca_handles(rig->dev) == 1));
	KUNIT_EXPECT_EQ(test, rig_counter(rig, "ah_shared"), 1);
}

/* What it is made of changes while it is made: it is used once, and the next datagram has another. */
LIMITS_CASE(limits_handle_out_of_date)
{
	const struct loop_rule slow = { .nth = 1, .arg = SLOW_MS };
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct loop_station *station = wire_station(test, IB_LINK_LAYER_INFINIBAND);
	struct loop_packet *packet = kunit_kzalloc(test, sizeof(*packet), GFP_KERNEL);
	struct ib_event event = {
		.device = rig->dev,
		.event = IB_EVENT_CLIENT_REREGISTER,
		.element.port_num = 1,
	};
	struct limits_call call;

	KUNIT_ASSERT_NOT_NULL(test, packet);
	rig->response_time = LIMITS_LONG;
	loop_fault_set(rig->dev, 1, LOOP_AH_SLOW, &slow);
	limits_start(&call, rig_id_create(rig), station);
	KUNIT_EXPECT_TRUE(test, rig_until(loop_fault_hits(rig->dev, 1, LOOP_AH_SLOW)));
	ib_dispatch_event(&event);
	flush_workqueue(ib_wq);
	loop_faults_clear(rig->dev);
	KUNIT_EXPECT_EQ(test, limits_join(&call), 0);
	KUNIT_EXPECT_TRUE(test, limits_arrives(station, ATTR_REQ, packet));
	loop_fault_set(rig->dev, 1, LOOP_AH_SLOW, &counted);
	limits_ask(test, rig, station);
	KUNIT_EXPECT_EQ_MSG(test, loop_fault_hits(rig->dev, 1, LOOP_AH_SLOW), 1,
			    "the old one is used");
	KUNIT_EXPECT_TRUE(test, rig_until(loop_hca_handles(rig->dev) == 1));
	limits_ask(test, rig, station);
	KUNIT_EXPECT_EQ(test, loop_fault_hits(rig->dev, 1, LOOP_AH_SLOW), 1);
}

/* When the handle that a datagram waits for has come, there is no place in the send queue: it waits for that, too. */
LIMITS_CASE(limits_handle_comes_to_a_full_queue)
{
	const struct loop_rule slow = { .nth = 1, .arg = SLOW_MS };
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct loop_station *other = wire_station(test, IB_LINK_LAYER_INFINIBAND);
	struct loop_packet *packet = kunit_kzalloc(test, sizeof(*packet), GFP_KERNEL);
	struct rig_id *first, *id;
	u8 *mad = limits_mad(test);

	KUNIT_ASSERT_NOT_NULL(test, packet);
	rig->response_time = LIMITS_LONG;
	first = rig_bring(rig, CM_ID_REQ_SENT, true);
	KUNIT_ASSERT_NOT_NULL(test, first);
	limits_fill(test, rig);
	/* A request that waits is begun by a worker, which leaves the handle to another. */
	KUNIT_ASSERT_TRUE(test, rig_param(test, "window", 1));
	id = rig_id_create(rig);
	KUNIT_ASSERT_EQ(test, limits_req(id, other, 0xffff), 0);
	KUNIT_ASSERT_TRUE(test, rig_param(test, "window", 65536));
	loop_fault_set(rig->dev, 1, LOOP_AH_SLOW, &slow);
	rig_make(first, ATTR_REJ, mad);
	rig_peer_send(rig, mad);
	KUNIT_ASSERT_TRUE(test, rig_until(loop_fault_hits(rig->dev, 1, LOOP_AH_SLOW)));
	loop_faults_clear(rig->dev);
	KUNIT_ASSERT_TRUE(test, rig_until(loop_hca_handles(rig->dev) == 2));
	rig_sleep(50);
	KUNIT_EXPECT_EQ(test, rig_counter(rig, "deferred"), 1);
	limits_release(rig);
	KUNIT_EXPECT_TRUE(test, limits_arrives(other, ATTR_REQ, packet));
	KUNIT_EXPECT_EQ(test, mad_get(packet->mad, "local_comm_id"), id->local_id);
}

/*
 * The device goes while a call waits for its handle: an event says so, hence the
 * call does not; nothing leaves, nothing is left.
 */
LIMITS_CASE(limits_call_meets_removal)
{
	const struct loop_rule slow = { .nth = 1, .arg = SLOW_MS };
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct loop_station *station = wire_station(test, IB_LINK_LAYER_INFINIBAND);
	struct loop_packet *packet = kunit_kzalloc(test, sizeof(*packet), GFP_KERNEL);
	struct rig_id *id = rig_id_create(rig);
	const struct rig_event *event;
	struct limits_call call;

	KUNIT_ASSERT_NOT_NULL(test, packet);
	rig->response_time = LIMITS_LONG;
	loop_fault_set(rig->dev, 1, LOOP_AH_SLOW, &slow);
	limits_start(&call, id, station);
	limits_unplug_meets_slow_handle(test, rig, id);
	KUNIT_EXPECT_EQ(test, limits_join(&call), 0);
	KUNIT_EXPECT_EQ(test, rig_state(id), CM_ID_GONE);
	event = rig_event(id, 0);
	KUNIT_EXPECT_NOT_NULL_MSG(test, event, "the attempt has no end");
	if (event)
		KUNIT_EXPECT_EQ(test, (int)event->type, (int)IB_CM_REQ_ERROR);
	KUNIT_EXPECT_NE(test, loop_station_recv(station, packet, 0), 0);
}

/*
 * An id that is gone repeats nothing: its REJs and DREQs wait behind a full budget where others are dropped, though not
 * without bound.
 */
LIMITS_CASE(limits_parting_messages_are_bounded)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id;
	unsigned int i;

	limits_fill(test, rig);
	rig->response_time = LIMITS_LONG;
	id = rig_id_create(rig);
	/* Its REQ, if there is room, and its REJ. */
	for (i = 0; i < PARTING; i++) {
		if (rig_send_req(id) || ib_send_cm_rej(id->cm, IB_CM_REJ_CONSUMER_DEFINED, NULL, 0, NULL, 0))
			break;
		if (!(i % 1024))
			cond_resched();
	}
	KUNIT_EXPECT_EQ_MSG(test, i, PARTING, "a call failed");
	KUNIT_EXPECT_EQ(test, rig_counter(rig, "deferred"), PARTING);
	KUNIT_EXPECT_EQ(test, rig_counter(rig, "tx_nomem"), 0);
}
