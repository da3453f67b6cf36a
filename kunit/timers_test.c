// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite ib_cm_timers: what is repeated, how often, how long, and what ends it.
 *
 * Owns: the bounds of REQ, REP, DREQ and SIDR_REQ, timewait, MRAs, the race of
 * an old timer with a new request, the 5-bit times, send errors, the window.
 *
 * Only lower bounds of time are asserted, each with one tick per wait for the
 * part of a tick that has passed when a timer is armed; a slow machine fails
 * nothing. Longer bounds than a test may take are read off the armed timer.
 */
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/random.h>

#include "rig.h"
#include "../cm_core/generated/cm_model.h"

#define TICK_MS		(MSEC_PER_SEC / HZ)
#define QUIET_MS	150	/* several times the time-outs of the tests that wait for nothing */
#define WINDOW		128	/* unanswered fresh requests of a port */
#define CAP_TIME	21u	/* no peer's word makes us wait longer: 8.6 s */

/* 4.096 us x 2^n in ms: as time-outs are computed (stock), and rounded up */
static u32 time_ms(unsigned int n)
{
	return n > 8 ? 1u << (n - 8) : 0;
}

static u32 time_max_ms(unsigned int n)
{
	return (4096ull << n) / 1000000 + 1;
}

/* The wait for a REP (stock): twice the packet life time, and the peer's response time. */
static u32 req_ms(unsigned int life, unsigned int response)
{
	return 2 * time_ms(life) + time_ms(response);
}

static u32 req_max_ms(unsigned int life, unsigned int response)
{
	return 2 * time_max_ms(life) + time_max_ms(response);
}

/* By the ticks that timers count, which may lag behind the clock on a busy machine. */
static s64 ms_since(unsigned long start)
{
	return jiffies_to_msecs(jiffies - start);
}

/* Not sooner than n waits of ms each; each timer may have lost a part of a tick. */
#define EXPECT_WAITED(test, start, n, ms)						\
	KUNIT_EXPECT_GE_MSG(test, ms_since(start),					\
			    (s64)(n) * max_t(s64, (s64)(ms) - TICK_MS, 0), "too early")

static u8 *timers_mad(struct kunit *test)
{
	u8 *mad = kunit_kzalloc(test, MAD_BYTES, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, mad);
	return mad;
}

/* Copies of a message that are there, or come within quiet_ms of each other. */
static unsigned int copies(struct rig *rig, u16 attr, unsigned int quiet_ms)
{
	unsigned int n = 0;

	while (rig_peer_recv(rig, attr, NULL, quiet_ms))
		n++;
	return n;
}

/* All copies of a request are one datagram. */
static unsigned int same_copies(struct kunit *test, struct rig *rig, u16 attr)
{
	u8 *first = timers_mad(test), *next = timers_mad(test);
	unsigned int n = 1;

	if (!rig_peer_recv(rig, attr, first, RIG_WAIT_MS))
		return 0;
	while (rig_peer_recv(rig, attr, next, 0)) {
		KUNIT_EXPECT_MEMEQ(test, next, first, MAD_BYTES);
		n++;
	}
	return n;
}

static bool expect_event(struct kunit *test, struct rig_id *id, enum ib_cm_event_type type,
			 unsigned int timeout_ms)
{
	const struct rig_event *event = rig_event(id, timeout_ms);

	KUNIT_EXPECT_NOT_NULL_MSG(test, event, "event %d does not come", type);
	if (event)
		KUNIT_EXPECT_EQ(test, (int)event->type, (int)type);
	return event && event->type == type;
}

static void expect_quiet(struct kunit *test, struct rig_id *id, unsigned int ms)
{
	const struct rig_event *event = rig_event(id, ms);

	KUNIT_EXPECT_NULL_MSG(test, event, "event %d out of the blue", event ? event->type : 0);
}

static struct rig_id *bring(struct kunit *test, struct rig *rig, u8 state, bool active)
{
	struct rig_id *id = rig_bring(rig, state, active);

	KUNIT_ASSERT_NOT_NULL_MSG(test, id, "%s is out of reach",
				  cm_probe_state_name(CM_MACHINE_ID, state));
	return id;
}

static void answer(struct rig_id *id, enum cm_attr attr, u8 *mad)
{
	rig_make(id, attr, mad);
	rig_peer_send(id->rig, mad);
}

/* ---- nobody answers ---- */

/*
 * One request, nobody answers: as many copies as the caller's retries allow, as
 * long as its time-out says, then its error event, once, and the state after it.
 */
struct bound {
	const char *name;
	u8 state;		/* before the request */
	bool active;
	int (*call)(struct rig_id *id);
	u16 attr;
	enum ib_cm_event_type event;
	u8 after;
};

static int call_dreq(struct rig_id *id)
{
	return ib_send_cm_dreq(id->cm, NULL, 0);
}

static const struct bound bounds[] = {
	{ "REQ", CM_ID_IDLE, true, rig_send_req, ATTR_REQ, IB_CM_REQ_ERROR, CM_ID_IDLE },
	{ "REP", CM_ID_REQ_RCVD, false, rig_send_rep, ATTR_REP, IB_CM_REP_ERROR, CM_ID_IDLE },
	{ "REP after an MRA", CM_ID_MRA_REQ_SENT, false, rig_send_rep, ATTR_REP,
	  IB_CM_REP_ERROR, CM_ID_IDLE },
	{ "SIDR_REQ", CM_ID_IDLE, true, rig_send_sidr_req, ATTR_SIDR_REQ,
	  IB_CM_SIDR_REQ_ERROR, CM_ID_IDLE },
	{ "DREQ, active side", CM_ID_ESTABLISHED, true, call_dreq, ATTR_DREQ,
	  IB_CM_DREQ_ERROR, CM_ID_TIMEWAIT },
	{ "DREQ, passive side", CM_ID_ESTABLISHED, false, call_dreq, ATTR_DREQ,
	  IB_CM_DREQ_ERROR, CM_ID_TIMEWAIT },
};

static void timers_bound(struct kunit *test, struct rig *rig, const struct bound *b, u8 retries)
{
	const struct rig_event *event;
	struct cm_probe_view view;
	struct rig_id *id;
	unsigned long start;
	u32 wait;

	/*
	 * The way to ESTABLISHED is under the same time-out: there the peer has to be quick enough.
	 * And a copy that is not completed in that time takes the place of the next.
	 */
	if (b->state == CM_ID_ESTABLISHED)
		rig->response_time = 17;
	else if (rig->response_time)
		rig->response_time = 13;
	wait = b->attr == ATTR_REQ ? req_ms(rig->life_time, rig->response_time) :
				     time_ms(rig->response_time);
	rig->retries = retries;
	id = bring(test, rig, b->state, b->active);
	rig_settle(rig);
	start = jiffies;
	KUNIT_ASSERT_EQ_MSG(test, b->call(id), 0, "%s", b->name);

	event = rig_event(id, RIG_WAIT_MS + (retries + 1) * wait);
	KUNIT_ASSERT_NOT_NULL_MSG(test, event, "%s, %u retries", b->name, retries);
	EXPECT_WAITED(test, start, retries + 1, wait);
	KUNIT_EXPECT_EQ_MSG(test, (int)event->type, (int)b->event, "%s", b->name);
	KUNIT_EXPECT_EQ_MSG(test, (int)event->raw.param.send_status, (int)IB_WC_RESP_TIMEOUT_ERR,
			    "%s", b->name);
	KUNIT_EXPECT_EQ_MSG(test, same_copies(test, rig, b->attr), retries + 1,
			    "%s, %u retries", b->name, retries);

	if (b->after == CM_ID_IDLE) {
		KUNIT_EXPECT_EQ(test, (int)event->state, (int)IB_CM_IDLE);
		expect_quiet(test, id, 2 * TICK_MS);
		cm_probe_view(id->cm, &view);
		KUNIT_EXPECT_EQ_MSG(test, view.state, CM_ID_IDLE, "%s", b->name);
		KUNIT_EXPECT_FALSE(test, view.request || view.armed || view.queued);
	}
	rig_id_destroy(id);
}

static void timers_retries_bound_all_requests(struct kunit *test)
{
	static const u8 retries[] = { 0, 1, 3 };
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	unsigned int i, j;

	rig->life_time = 10;
	rig->response_time = 13;
	for (i = 0; i < ARRAY_SIZE(bounds); i++)
		for (j = 0; j < ARRAY_SIZE(retries); j++)
			timers_bound(test, rig, &bounds[i], retries[j]);
}

static void timers_retries_bound_roce(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_ETHERNET);
	unsigned int i;

	rig->life_time = 10;
	rig->response_time = 13;
	for (i = 0; i < ARRAY_SIZE(bounds); i++)
		timers_bound(test, rig, &bounds[i], 2);
}

/* Time-out 0 is the shortest one, not for ever, and not no request at all. */
static void timers_time_out_zero(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	unsigned int i;

	rig->life_time = 0;
	rig->response_time = 0;
	for (i = 0; i < ARRAY_SIZE(bounds); i++) {
		/* These are brought to their state by messages that have to be answered in time. */
		if (bounds[i].state != CM_ID_IDLE)
			continue;
		timers_bound(test, rig, &bounds[i], 0);
		timers_bound(test, rig, &bounds[i], 2);
	}
}

/* The greatest number of repetitions that fits into the REQ's 4 bits */
static void timers_fifteen_retries(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);

	rig->life_time = 0;
	rig->response_time = 12;
	timers_bound(test, rig, &bounds[0], 15);
}

/* ---- DREQ and timewait ---- */

/* Field fault 12: a DREQ that nobody answers: DREQ_ERROR, then TIMEWAIT_EXIT, once each. */
static void timers_dreq_unanswered(struct kunit *test, enum rdma_link_layer layer)
{
	struct rig *rig = rig_create(test, layer);
	unsigned int active;

	rig->response_time = 15;
	rig->life_time = 13;
	rig->ack_time = 14;
	rig->retries = 2;
	for (active = 0; active < 2; active++) {
		struct rig_id *id = bring(test, rig, CM_ID_ESTABLISHED, active);
		const struct rig_event *event;

		KUNIT_ASSERT_EQ(test, call_dreq(id), 0);
		event = rig_event(id, RIG_WAIT_MS);
		KUNIT_ASSERT_NOT_NULL(test, event);
		KUNIT_EXPECT_EQ(test, (int)event->type, (int)IB_CM_DREQ_ERROR);
		KUNIT_EXPECT_EQ(test, (int)event->state, (int)IB_CM_TIMEWAIT);
		event = rig_event(id, RIG_WAIT_MS);
		KUNIT_ASSERT_NOT_NULL(test, event);
		KUNIT_EXPECT_EQ(test, (int)event->type, (int)IB_CM_TIMEWAIT_EXIT);
		KUNIT_EXPECT_EQ(test, (int)event->state, (int)IB_CM_IDLE);
		expect_quiet(test, id, QUIET_MS);
		KUNIT_EXPECT_EQ(test, copies(rig, ATTR_DREQ, 0), 3);
	}
}

static void timers_field_12_dreq_unanswered_infiniband(struct kunit *test)
{
	timers_dreq_unanswered(test, IB_LINK_LAYER_INFINIBAND);
}

static void timers_field_12_dreq_unanswered_roce(struct kunit *test)
{
	timers_dreq_unanswered(test, IB_LINK_LAYER_ETHERNET);
}

struct timewait_time {
	const char *name;
	bool active;
	u8 life;	/* packet life time of our path */
	u8 delay;	/* target ACK delay of the peer's REP */
	u8 ack;		/* local ACK time-out of the peer's REQ */
	u8 expected;	/* what must have passed at least, 4.096 us x 2^n */
};

/* Twice the life time of a packet, and the ACK delay (12.9.8.4). */
static const struct timewait_time timewait_times[] = {
	{ "twice the path's life time", .active = true, .life = 15, .delay = 8, .expected = 16 },
	{ "the peer's ACK delay", .active = true, .life = 9, .delay = 16, .expected = 16 },
	{ "the least", .active = true, .life = 0, .delay = 0, .expected = 0 },
	{ "the peer's local ACK time-out", .ack = 16, .expected = 16 },
};

static struct rig_id *established(struct kunit *test, struct rig *rig,
				  const struct timewait_time *t, u8 *mad)
{
	struct rig_id *id;

	rig->life_time = t->life;
	rig->ack_time = t->ack;
	if (!t->active)
		return bring(test, rig, CM_ID_ESTABLISHED, false);

	id = bring(test, rig, CM_ID_REQ_SENT, true);
	rig_make(id, ATTR_REP, mad);
	mad_set(mad, "target_ack_delay", t->delay);
	rig_peer_send(rig, mad);
	KUNIT_ASSERT_TRUE(test, expect_event(test, id, IB_CM_REP_RECEIVED, RIG_WAIT_MS));
	KUNIT_ASSERT_EQ(test, ib_send_cm_rtu(id->cm, NULL, 0), 0);
	return id;
}

static void timers_timewait(struct kunit *test, struct rig *rig, const struct timewait_time *t,
			    bool peer_asks)
{
	u8 *mad = timers_mad(test);
	struct rig_id *id = established(test, rig, t, mad);
	struct cm_probe_view view;
	unsigned long start;
	s64 passed;

	if (peer_asks) {
		answer(id, ATTR_DREQ, mad);
		KUNIT_ASSERT_TRUE(test, expect_event(test, id, IB_CM_DREQ_RECEIVED, RIG_WAIT_MS));
		start = jiffies;
		KUNIT_ASSERT_EQ(test, ib_send_cm_drep(id->cm, NULL, 0), 0);
	} else {
		KUNIT_ASSERT_EQ(test, call_dreq(id), 0);
		rig_make(id, ATTR_DREP, mad);
		start = jiffies;
		rig_peer_send(rig, mad);
		KUNIT_ASSERT_TRUE(test, expect_event(test, id, IB_CM_DREP_RECEIVED, RIG_WAIT_MS));
	}

	if (t->expected) {
		cm_probe_view(id->cm, &view);
		passed = ms_since(start);
		if (passed < time_ms(t->expected)) {
			KUNIT_EXPECT_EQ_MSG(test, view.state, CM_ID_TIMEWAIT, "%s", t->name);
			KUNIT_EXPECT_TRUE(test, view.timewait);
		}
	}
	KUNIT_ASSERT_TRUE_MSG(test, expect_event(test, id, IB_CM_TIMEWAIT_EXIT, RIG_WAIT_MS),
			      "%s", t->name);
	KUNIT_EXPECT_GE_MSG(test, ms_since(start), time_ms(t->expected), "%s", t->name);
	cm_probe_view(id->cm, &view);
	KUNIT_EXPECT_EQ(test, view.state, CM_ID_IDLE);
	KUNIT_EXPECT_FALSE(test, view.timewait);
	expect_quiet(test, id, 2 * TICK_MS);
	rig_id_destroy(id);
}

static void timers_timewait_length(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(timewait_times); i++) {
		timers_timewait(test, rig, &timewait_times[i], false);
		timers_timewait(test, rig, &timewait_times[i], true);
	}
}

/* Each timewait ends in its own time, whoever begins first: nobody waits for a longer one. */
static void timers_timewait_each_its_own(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *shorter, *longer;
	u8 *mad = timers_mad(test);

	rig->life_time = 17;
	shorter = bring(test, rig, CM_ID_DREQ_SENT, true);
	rig->life_time = 23;
	longer = bring(test, rig, CM_ID_DREQ_SENT, true);
	answer(shorter, ATTR_DREP, mad);
	answer(longer, ATTR_DREP, mad);
	KUNIT_EXPECT_TRUE(test, rig_reaches(longer, CM_ID_TIMEWAIT));
	KUNIT_EXPECT_TRUE(test, expect_event(test, shorter, IB_CM_DREP_RECEIVED, RIG_WAIT_MS));
	KUNIT_EXPECT_TRUE(test, expect_event(test, shorter, IB_CM_TIMEWAIT_EXIT, RIG_WAIT_MS));
	KUNIT_EXPECT_EQ(test, rig_state(longer), CM_ID_TIMEWAIT);
}

/* Destroy in TIMEWAIT: the record goes on alone, and to its end; nobody is told. */
static void timers_timewait_outlives_the_id(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct cm_probe_totals totals;
	struct rig_id *id;
	unsigned long start;

	rig->life_time = 15;
	start = jiffies;
	id = bring(test, rig, CM_ID_TIMEWAIT, true);
	rig_id_destroy(id);
	cm_probe_totals(&totals);
	if (ms_since(start) < time_ms(16))
		KUNIT_EXPECT_EQ(test, totals.timewait, 1);
	KUNIT_EXPECT_EQ(test, totals.ids, 0);
	KUNIT_EXPECT_TRUE(test, rig_until((cm_probe_totals(&totals), !totals.timewait)));
	KUNIT_EXPECT_GE(test, ms_since(start), time_ms(16));
	expect_quiet(test, id, 0);
}

/* ---- MRA ---- */

/*
 * Field fault 9: one MRA stretches the wait that it meets; the waits after it are
 * as before, and the number of copies is the same.
 */
static void timers_mra_one_wait(struct kunit *test, u8 state, bool active, u16 attr,
				enum ib_cm_event_type error)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	u8 *mad = timers_mad(test);
	struct cm_probe_view view;
	struct rig_id *id;
	unsigned long start;
	u32 usual;

	/* Long enough for the MRA to meet the first wait */
	rig->response_time = 18;
	rig->life_time = 8;
	rig->retries = 2;
	usual = active ? req_max_ms(8, 18) : time_max_ms(18);
	id = bring(test, rig, state, active);
	cm_probe_view(id->cm, &view);
	KUNIT_EXPECT_LE(test, view.wait_ms, usual + TICK_MS);

	start = jiffies;
	rig_make(id, ATTR_MRA, mad);
	mad_set(mad, "service_timeout", 19);
	rig_peer_send(rig, mad);
	KUNIT_ASSERT_TRUE(test, expect_event(test, id, IB_CM_MRA_RECEIVED, RIG_WAIT_MS));
	cm_probe_view(id->cm, &view);
	KUNIT_EXPECT_GE(test, view.wait_ms + ms_since(start) + TICK_MS, time_ms(19));

	/* The first repetition after the stretched wait, the second after the usual one */
	KUNIT_ASSERT_TRUE(test, rig_peer_recv(rig, attr, mad, 2 * RIG_WAIT_MS));
	EXPECT_WAITED(test, start, 1, time_ms(19));
	cm_probe_view(id->cm, &view);
	KUNIT_EXPECT_LE_MSG(test, view.wait_ms, usual + TICK_MS, "a later wait is stretched, too");
	KUNIT_ASSERT_TRUE(test, rig_peer_recv(rig, attr, mad, RIG_WAIT_MS));
	cm_probe_view(id->cm, &view);
	KUNIT_EXPECT_LE_MSG(test, view.wait_ms, usual + TICK_MS, "a later wait is stretched, too");
	KUNIT_EXPECT_TRUE(test, expect_event(test, id, error, RIG_WAIT_MS));
	KUNIT_EXPECT_EQ_MSG(test, copies(rig, attr, 0), 0, "more than two repetitions");
}

static void timers_field_9_mra_of_req_stretches_one_wait(struct kunit *test)
{
	timers_mra_one_wait(test, CM_ID_REQ_SENT, true, ATTR_REQ, IB_CM_REQ_ERROR);
}

static void timers_field_9_mra_of_rep_stretches_one_wait(struct kunit *test)
{
	timers_mra_one_wait(test, CM_ID_REP_SENT, false, ATTR_REP, IB_CM_REP_ERROR);
}

/* Any service time-out, 24 (68.7 s) and 31 (2.4 h) among them: at least as asked, at most the cap. */
static void timers_field_9_mra_is_capped(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	u8 *mad = timers_mad(test);
	unsigned int n;
	u32 limit;

	rig->life_time = 8;
	for (n = 0; n < 64; n++) {
		unsigned int service = n % 32;
		bool active = n < 32;
		struct rig_id *id = bring(test, rig, active ? CM_ID_REQ_SENT : CM_ID_REP_SENT,
					  active);
		struct cm_probe_view before, view;
		unsigned long start = jiffies;

		cm_probe_view(id->cm, &before);
		rig_make(id, ATTR_MRA, mad);
		mad_set(mad, "service_timeout", service);
		rig_peer_send(rig, mad);
		KUNIT_ASSERT_TRUE(test, expect_event(test, id, IB_CM_MRA_RECEIVED, RIG_WAIT_MS));
		cm_probe_view(id->cm, &view);
		/* Its own time may be over already if it is short. */
		if (service > 16) {
			KUNIT_EXPECT_TRUE(test, view.armed);
			KUNIT_EXPECT_GE_MSG(test, view.wait_ms + ms_since(start) + TICK_MS,
					    time_ms(min(service, CAP_TIME)), "service time-out %u",
					    service);
		}
		/*
		 * And the time of the path, which on the passive side the peer's REQ
		 * tells. A short one may be over, and the next wait be the usual one.
		 */
		limit = time_max_ms(min(service, CAP_TIME)) + 2 * time_max_ms(16) + TICK_MS;
		if (view.sends_left == before.sends_left)
			KUNIT_EXPECT_LE_MSG(test, view.wait_ms, limit, "service time-out %u",
					    service);
		rig_id_destroy(id);
	}
}

/* A second MRA is a duplicate: nobody waits for ever by being told so again and again. */
static void timers_second_mra_stretches_nothing(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	u8 *mad = timers_mad(test);
	struct cm_probe_view first, second;
	struct rig_id *id;

	rig->life_time = 8;
	id = bring(test, rig, CM_ID_REQ_SENT, true);
	rig_make(id, ATTR_MRA, mad);
	mad_set(mad, "service_timeout", 19);
	rig_peer_send(rig, mad);
	KUNIT_ASSERT_TRUE(test, expect_event(test, id, IB_CM_MRA_RECEIVED, RIG_WAIT_MS));
	cm_probe_view(id->cm, &first);
	mad_set(mad, "service_timeout", 21);
	rig_peer_send(rig, mad);
	rig_settle(rig);
	cm_probe_view(id->cm, &second);
	if (second.state == CM_ID_MRA_REQ_RCVD && second.sends_left == first.sends_left)
		KUNIT_EXPECT_LE(test, second.wait_ms, first.wait_ms);
	expect_quiet(test, id, 2 * TICK_MS);
}

/* ---- an answer ends the timer ---- */

struct ending {
	const char *name;
	u8 state;
	bool active;
	enum cm_attr answer;
	u16 request;
	enum ib_cm_event_type event;
	u8 after;
};

static const struct ending endings[] = {
	{ "REP for a REQ", CM_ID_REQ_SENT, true, ATTR_REP, ATTR_REQ,
	  IB_CM_REP_RECEIVED, CM_ID_REP_RCVD },
	{ "REJ for a REQ", CM_ID_REQ_SENT, true, ATTR_REJ, ATTR_REQ,
	  IB_CM_REJ_RECEIVED, CM_ID_IDLE },
	{ "REP after an MRA", CM_ID_MRA_REQ_RCVD, true, ATTR_REP, ATTR_REQ,
	  IB_CM_REP_RECEIVED, CM_ID_REP_RCVD },
	{ "RTU for a REP", CM_ID_REP_SENT, false, ATTR_RTU, ATTR_REP,
	  IB_CM_RTU_RECEIVED, CM_ID_ESTABLISHED },
	{ "RTU after an MRA", CM_ID_MRA_REP_RCVD, false, ATTR_RTU, ATTR_REP,
	  IB_CM_RTU_RECEIVED, CM_ID_ESTABLISHED },
	{ "REJ for a REP", CM_ID_REP_SENT, false, ATTR_REJ, ATTR_REP,
	  IB_CM_REJ_RECEIVED, CM_ID_IDLE },
	{ "DREQ instead of an RTU (field fault 4)", CM_ID_REP_SENT, false, ATTR_DREQ, ATTR_REP,
	  IB_CM_DREQ_RECEIVED, CM_ID_DREQ_RCVD },
	{ "DREP for a DREQ", CM_ID_DREQ_SENT, true, ATTR_DREP, ATTR_DREQ,
	  IB_CM_DREP_RECEIVED, CM_ID_TIMEWAIT },
	{ "DREP for a DREQ, passive side", CM_ID_DREQ_SENT, false, ATTR_DREP, ATTR_DREQ,
	  IB_CM_DREP_RECEIVED, CM_ID_TIMEWAIT },
	{ "DREQ crossing ours (field fault 11)", CM_ID_DREQ_SENT, true, ATTR_DREQ, ATTR_DREQ,
	  IB_CM_DREQ_RECEIVED, CM_ID_DREQ_RCVD },
	{ "SIDR_REP for a SIDR_REQ", CM_ID_SIDR_REQ_SENT, true, ATTR_SIDR_REP, ATTR_SIDR_REQ,
	  IB_CM_SIDR_REP_RECEIVED, CM_ID_IDLE },
};

static void timers_answer_ends_the_request(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	u8 *mad = timers_mad(test);
	unsigned int i;

	rig->life_time = 16;
	rig->ack_time = 17;
	rig->response_time = 14;
	rig->retries = 15;
	for (i = 0; i < ARRAY_SIZE(endings); i++) {
		const struct ending *e = &endings[i];
		struct rig_id *id = bring(test, rig, e->state, e->active);
		struct cm_probe_view view;

		answer(id, e->answer, mad);
		if (!expect_event(test, id, e->event, RIG_WAIT_MS))
			KUNIT_FAIL_AND_ABORT(test, "%s", e->name);
		cm_probe_view(id->cm, &view);
		KUNIT_EXPECT_EQ_MSG(test, view.state, e->after, "%s", e->name);
		KUNIT_EXPECT_FALSE_MSG(test, view.request || view.armed || view.queued, "%s",
				       e->name);
		KUNIT_EXPECT_EQ_MSG(test, view.sends_left, 0, "%s", e->name);
		/* What left before the answer came has arrived. */
		rig_settle(rig);
		copies(rig, e->request, 0);
		KUNIT_EXPECT_FALSE_MSG(test, rig_peer_recv(rig, e->request, mad, QUIET_MS), "%s",
				       e->name);
		KUNIT_EXPECT_EQ_MSG(test, rig_state(id), e->after, "%s", e->name);
		rig_id_destroy(id);
	}
}

/*
 * The answer comes when the time is over, or just before: either the answer or the
 * error is delivered, never both, and the state is that of the one delivered.
 */
struct late {
	const char *name;
	u8 state;
	bool active;
	int (*call)(struct rig_id *id);
	enum cm_attr answer;
	enum ib_cm_event_type good, bad;
	u8 after_good, after_bad;
};

static const struct late lates[] = {
	{ "REP", CM_ID_IDLE, true, rig_send_req, ATTR_REP, IB_CM_REP_RECEIVED, IB_CM_REQ_ERROR,
	  CM_ID_REP_RCVD, CM_ID_IDLE },
	{ "REJ", CM_ID_IDLE, true, rig_send_req, ATTR_REJ, IB_CM_REJ_RECEIVED, IB_CM_REQ_ERROR,
	  CM_ID_IDLE, CM_ID_IDLE },
	{ "RTU", CM_ID_REQ_RCVD, false, rig_send_rep, ATTR_RTU, IB_CM_RTU_RECEIVED,
	  IB_CM_REP_ERROR, CM_ID_ESTABLISHED, CM_ID_IDLE },
	{ "DREP", CM_ID_ESTABLISHED, false, call_dreq, ATTR_DREP, IB_CM_DREP_RECEIVED,
	  IB_CM_DREQ_ERROR, CM_ID_TIMEWAIT, CM_ID_TIMEWAIT },
	{ "SIDR_REP", CM_ID_IDLE, true, rig_send_sidr_req, ATTR_SIDR_REP,
	  IB_CM_SIDR_REP_RECEIVED, IB_CM_SIDR_REQ_ERROR, CM_ID_IDLE, CM_ID_IDLE },
};

#define LATE_IDS	24

static void timers_late(struct kunit *test, struct rig *rig, const struct late *l)
{
	struct rig_id *ids[LATE_IDS];
	u8 *mad = timers_mad(test);
	unsigned int i, good = 0, bad = 0;

	for (i = 0; i < LATE_IDS; i++)
		ids[i] = bring(test, rig, l->state, l->active);
	rig_settle(rig);
	for (i = 0; i < LATE_IDS; i++)
		KUNIT_ASSERT_EQ(test, l->call(ids[i]), 0);
	/* The answers are spread around the end of the time-out. */
	msleep(time_ms(rig->response_time) - 24);
	for (i = 0; i < LATE_IDS; i++) {
		answer(ids[i], l->answer, mad);
		usleep_range(1500, 2000);
	}

	for (i = 0; i < LATE_IDS; i++) {
		const struct rig_event *event = rig_event(ids[i], RIG_WAIT_MS);
		bool was_good;

		KUNIT_ASSERT_NOT_NULL_MSG(test, event, "%s: neither answer nor error", l->name);
		was_good = event->type == l->good;
		if (!was_good)
			KUNIT_EXPECT_EQ_MSG(test, (int)event->type, (int)l->bad, "%s", l->name);
		was_good ? good++ : bad++;
		KUNIT_EXPECT_EQ_MSG(test, rig_state(ids[i]),
				    was_good ? l->after_good : l->after_bad, "%s", l->name);
	}
	rig_settle(rig);
	for (i = 0; i < LATE_IDS; i++) {
		expect_quiet(test, ids[i], 0);
		rig_id_destroy(ids[i]);
	}
	rig_settle(rig);
	copies(rig, 0, 0);
	kunit_info(test, "%s: %u in time, %u late", l->name, good, bad);
}

static void timers_answer_races_with_the_last_time_out(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	unsigned int i;

	/* Timewait outlasts the test: TIMEWAIT_EXIT is not looked at here. */
	rig->ack_time = 22;
	rig->retries = 0;
	for (i = 0; i < ARRAY_SIZE(lates); i++) {
		/* Only what is timed is short: a REQ's time has the path's in it; connecting takes a while. */
		rig->life_time = lates[i].call == rig_send_req ? 8 : 21;
		rig->response_time = lates[i].call == call_dreq ? 17 : 14;
		timers_late(test, rig, &lates[i]);
	}
}

/* ---- back to back ---- */

#define BACK_IDS	32
#define BACK_ROUNDS	8

/*
 * A request ends by a call while its last time-out runs or has just fired, and the
 * id asks again at once: the old time-out ends nothing of the new attempt.
 */
static void timers_old_timer_leaves_the_new_request_alone(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *ids[BACK_IDS];
	unsigned int round, i, expired = 0;

	for (i = 0; i < BACK_IDS; i++)
		ids[i] = rig_id_create(rig);

	rig->retries = 0;
	for (round = 0; round < BACK_ROUNDS; round++) {
		struct cm_probe_view view;
		bool gone[BACK_IDS];
		u32 gen[BACK_IDS];

		rig->life_time = 8;
		rig->response_time = 12;
		for (i = 0; i < BACK_IDS; i++) {
			cm_probe_view(ids[i]->cm, &view);
			gen[i] = view.gen;
			KUNIT_ASSERT_EQ(test, rig_send_req(ids[i]), 0);
		}
		rig->response_time = 20;
		rig->life_time = 15;
		usleep_range(1000, 1000 + get_random_u32_below(20000));
		for (i = 0; i < BACK_IDS; i++) {
			/* The state forbids it once the time-out has been dealt with. */
			gone[i] = ib_send_cm_rej(ids[i]->cm, IB_CM_REJ_CONSUMER_DEFINED,
						 NULL, 0, NULL, 0);
			expired += gone[i];
			KUNIT_ASSERT_EQ(test, rig_send_req(ids[i]), 0);
			if (i % 4 == 3)
				usleep_range(500, 1500);
		}

		/* Longer than the first attempts' time-out, and all queues are through. */
		msleep(4 * TICK_MS);
		rig_settle(rig);
		for (i = 0; i < BACK_IDS; i++) {
			cm_probe_view(ids[i]->cm, &view);
			KUNIT_EXPECT_EQ(test, view.state, CM_ID_REQ_SENT);
			KUNIT_EXPECT_TRUE(test, view.request && view.armed);
			KUNIT_EXPECT_EQ(test, view.gen, gen[i] + 2);
			if (gone[i])
				expect_event(test, ids[i], IB_CM_REQ_ERROR, RIG_WAIT_MS);
			expect_quiet(test, ids[i], 0);
			KUNIT_EXPECT_EQ(test, ib_send_cm_rej(ids[i]->cm, IB_CM_REJ_CONSUMER_DEFINED,
							     NULL, 0, NULL, 0), 0);
		}
		copies(rig, 0, 0);
	}
	kunit_info(test, "%u of %u first attempts had expired", expired,
		   BACK_IDS * BACK_ROUNDS);
}

/*
 * The same, made to happen: the time-out of a request that is over, or whose wait
 * was renewed, is dealt with late, and changes nothing.
 */
static void timers_late_time_out_is_overtaken(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = rig_id_create(rig);
	struct cm_probe_view old, before, now;

	rig->retries = 0;
	KUNIT_ASSERT_EQ(test, rig_send_req(id), 0);
	cm_probe_view(id->cm, &old);
	/* It has been answered, and the id is free. */
	KUNIT_ASSERT_EQ(test, ib_send_cm_rej(id->cm, IB_CM_REJ_CONSUMER_DEFINED, NULL, 0, NULL, 0),
			0);
	cm_probe_overdue(id->cm, old.gen);
	KUNIT_EXPECT_EQ(test, rig_state(id), CM_ID_IDLE);

	/* It has been answered, and the id asks again. */
	KUNIT_ASSERT_EQ(test, rig_send_req(id), 0);
	cm_probe_view(id->cm, &before);
	KUNIT_EXPECT_NE(test, before.gen, old.gen);
	cm_probe_overdue(id->cm, old.gen);
	cm_probe_view(id->cm, &now);
	KUNIT_EXPECT_EQ(test, now.state, CM_ID_REQ_SENT);
	KUNIT_EXPECT_TRUE(test, now.request && now.armed);

	/* Its wait was renewed meanwhile: the timer runs. */
	cm_probe_overdue(id->cm, before.gen);
	cm_probe_view(id->cm, &now);
	KUNIT_EXPECT_EQ(test, now.state, CM_ID_REQ_SENT);
	KUNIT_EXPECT_TRUE(test, now.request && now.armed);
	rig_settle(rig);
	expect_quiet(test, id, 0);
	KUNIT_EXPECT_EQ(test, copies(rig, ATTR_REQ, 0), 2);
}

/* The same by the peer: a late REJ, and the consumer's next attempt from its handler. */
static int ask_again(struct rig_id *id, const struct rig_event *event)
{
	if (event->type != IB_CM_REJ_RECEIVED && event->type != IB_CM_REQ_ERROR)
		return 0;
	/* Once: the second attempt has a long time-out. */
	if (id->hook_data)
		return 0;
	id->hook_data = id;
	return rig_send_req(id) ? -EIO : 0;
}

static void timers_next_attempt_from_the_handler(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *ids[BACK_IDS];
	u8 *rejs = kunit_kcalloc(test, BACK_IDS, MAD_BYTES, GFP_KERNEL);
	struct cm_probe_view view;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, rejs);
	rig->retries = 0;
	rig->life_time = 8;
	rig->response_time = 14;
	for (i = 0; i < BACK_IDS; i++) {
		ids[i] = rig_id_create(rig);
		ids[i]->hook = ask_again;
		KUNIT_ASSERT_EQ(test, rig_send_req(ids[i]), 0);
		rig_make(ids[i], ATTR_REJ, rejs + i * MAD_BYTES);
	}
	rig->response_time = 20;
	rig->life_time = 15;
	for (i = 0; i < BACK_IDS; i++) {
		rig_peer_send(rig, rejs + i * MAD_BYTES);
		usleep_range(1500, 2500);
	}
	for (i = 0; i < BACK_IDS; i++) {
		const struct rig_event *event = rig_event(ids[i], RIG_WAIT_MS);

		KUNIT_ASSERT_NOT_NULL(test, event);
		if (event->type != IB_CM_REJ_RECEIVED)
			KUNIT_EXPECT_EQ(test, (int)event->type, (int)IB_CM_REQ_ERROR);
	}
	msleep(QUIET_MS);
	rig_settle(rig);
	for (i = 0; i < BACK_IDS; i++) {
		cm_probe_view(ids[i]->cm, &view);
		KUNIT_EXPECT_EQ(test, view.state, CM_ID_REQ_SENT);
		KUNIT_EXPECT_TRUE(test, view.armed);
		expect_quiet(test, ids[i], 0);
		WRITE_ONCE(ids[i]->hook, NULL);
	}
}

/* ---- field fault 27: the 5-bit times ---- */

/* No combination of times wraps: what is waited is what they say. */
static void timers_field_27_req_times(struct kunit *test)
{
	static const u8 lives[] = { 0, 18, 31 };
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = rig_id_create(rig);
	unsigned int i, response;

	for (i = 0; i < ARRAY_SIZE(lives); i++) {
		for (response = 0; response < 32; response++) {
			struct cm_probe_view view;
			unsigned long start = jiffies;

			rig->life_time = lives[i];
			rig->response_time = response;
			KUNIT_ASSERT_EQ(test, rig_send_req(id), 0);
			cm_probe_view(id->cm, &view);
			KUNIT_EXPECT_LE_MSG(test, view.wait_ms,
					    req_max_ms(lives[i], response) + TICK_MS,
					    "life time %u, response time-out %u", lives[i],
					    response);
			/* One may have expired while we looked: then it was not too long. */
			if (view.armed || req_ms(lives[i], response) > 1000)
				KUNIT_EXPECT_GE_MSG(test,
						    view.wait_ms + ms_since(start) + TICK_MS,
						    req_ms(lives[i], response),
						    "life time %u, response time-out %u",
						    lives[i], response);
			ib_send_cm_rej(id->cm, IB_CM_REJ_CONSUMER_DEFINED, NULL, 0, NULL, 0);
			KUNIT_ASSERT_TRUE(test, rig_reaches(id, CM_ID_IDLE));
			/* The record holds 16 events; the short ones may each have left one. */
			rig_settle(rig);
			if (id->delivered > RIG_EVENTS / 2) {
				rig_id_destroy(id);
				id = rig_id_create(rig);
			}
		}
	}
}

/* From the API, values that no field holds: refused, or no more than the field's greatest. */
static void timers_field_27_values_out_of_range(struct kunit *test)
{
	static const u8 values[] = { 32, 33, 63, 64, 127, 128, 255 };
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	unsigned int i, what;

	for (i = 0; i < ARRAY_SIZE(values); i++) {
		for (what = 0; what < 4; what++) {
			struct rig_id *id = rig_id_create(rig);
			struct ib_cm_req_param param;
			struct sa_path_rec path, twin;
			struct cm_probe_view view;
			int err;

			rig_req_param(id, &param, &path, &twin);
			if (what == 0)
				param.remote_cm_response_timeout = values[i];
			else if (what == 1)
				param.local_cm_response_timeout = values[i];
			else if (what == 2)
				param.max_cm_retries = values[i];
			else
				path.packet_life_time = values[i];
			err = ib_send_cm_req(id->cm, &param);
			cm_probe_view(id->cm, &view);
			if (err) {
				KUNIT_EXPECT_EQ(test, err, -EINVAL);
				KUNIT_EXPECT_EQ(test, view.state, CM_ID_IDLE);
				KUNIT_EXPECT_FALSE(test, view.request);
			} else {
				KUNIT_EXPECT_TRUE(test, view.armed);
				KUNIT_EXPECT_LE(test, view.sends_left, 15);
				KUNIT_EXPECT_GT_MSG(test, view.wait_ms, 1000, "%u of %u",
						    values[i], what);
				KUNIT_EXPECT_LE(test, view.wait_ms,
						req_max_ms(31, 31) + TICK_MS);
			}
			rig_id_destroy(id);
		}
	}
}

/* What a peer's REQ says of our wait for its RTU: no wrap, and not for hours. */
static void timers_field_27_rep_times(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *listener = rig_listen(rig, RIG_SERVICE);
	u8 *mad = timers_mad(test);
	unsigned int n;

	for (n = 0; n < 32; n++) {
		struct cm_probe_view view;
		struct rig_id *id;
		unsigned long start;

		rig_make_req(rig, RIG_SERVICE, mad);
		mad_set(mad, "local_cm_response_timeout", n);
		mad_set(mad, "max_cm_retries", 15);
		rig_peer_send(rig, mad);
		id = rig_accepted(listener);
		KUNIT_ASSERT_NOT_NULL(test, id);
		KUNIT_ASSERT_TRUE(test, expect_event(test, id, IB_CM_REQ_RECEIVED, 0));
		start = jiffies;
		KUNIT_ASSERT_EQ(test, rig_send_rep(id), 0);
		cm_probe_view(id->cm, &view);
		KUNIT_EXPECT_LE_MSG(test, view.wait_ms,
				    time_max_ms(min(n, CAP_TIME)) + TICK_MS, "time-out %u", n);
		if (view.armed || n > 17)
			KUNIT_EXPECT_GE_MSG(test, view.wait_ms + ms_since(start) + TICK_MS,
					    time_ms(min(n, CAP_TIME)), "time-out %u", n);
		rig_id_destroy(id);
	}
}

static void timers_field_27_sidr_times(struct kunit *test)
{
	static const unsigned long times[] = {
		0, 1, 10000, INT_MAX, UINT_MAX, (unsigned long)UINT_MAX + 1, ULONG_MAX,
	};
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(times); i++) {
		struct rig_id *id = rig_id_create(rig);
		struct ib_cm_sidr_req_param param;
		struct sa_path_rec path;
		struct cm_probe_view view;
		unsigned long start = jiffies;

		rig_path(rig, &path);
		param = (struct ib_cm_sidr_req_param) {
			.path = &path,
			.service_id = cpu_to_be64(RIG_SERVICE),
			.timeout_ms = times[i],
			.max_cm_retries = 0,
		};
		KUNIT_ASSERT_EQ(test, ib_send_cm_sidr_req(id->cm, &param), 0);
		cm_probe_view(id->cm, &view);
		if (times[i] > 1000)
			KUNIT_EXPECT_GE_MSG(test, view.wait_ms + ms_since(start) + TICK_MS,
					    min_t(unsigned long, times[i], INT_MAX), "%lu ms",
					    times[i]);
		else
			KUNIT_EXPECT_TRUE(test, expect_event(test, id, IB_CM_SIDR_REQ_ERROR,
							     RIG_WAIT_MS));
		rig_id_destroy(id);
	}
}

/* ---- what the HCA does with the copies ---- */

/* They are repeated as what the wire loses. */
static void sends_are_lost(struct kunit *test, u32 status, u32 times)
{
	const struct loop_rule rule = { .attr_id = ATTR_REQ, .nth = 1, .times = times, .arg = status };
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	u8 *mad = timers_mad(test);
	struct rig_id *id = rig_id_create(rig);

	rig->life_time = 8;
	rig->response_time = 14;
	rig->retries = 15;
	loop_fault_set(rig->dev, 1, LOOP_SEND_ERROR, &rule);
	KUNIT_ASSERT_EQ(test, rig_send_req(id), 0);
	KUNIT_ASSERT_TRUE_MSG(test, rig_peer_recv(rig, ATTR_REQ, mad, RIG_WAIT_MS),
			      "%u of them are the end", times);
	KUNIT_EXPECT_EQ(test, loop_fault_hits(rig->dev, 1, LOOP_SEND_ERROR), times);
	answer(id, ATTR_REP, mad);
	KUNIT_EXPECT_TRUE(test, expect_event(test, id, IB_CM_REP_RECEIVED, RIG_WAIT_MS));
}

static void timers_send_error_is_a_loss(struct kunit *test)
{
	sends_are_lost(test, 0, 1);
}

/* It says nothing of the peer, however often it comes. */
static void timers_flushes_are_losses(struct kunit *test)
{
	sends_are_lost(test, IB_WC_WR_FLUSH_ERR, 5);
}

static void timers_send_errors_in_a_row_end_the_wait(struct kunit *test)
{
	const struct loop_rule each = { .attr_id = ATTR_REQ, .nth = 1 };
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = rig_id_create(rig);
	const struct rig_event *event;

	rig->life_time = 8;
	rig->response_time = 14;
	rig->retries = 15;
	loop_fault_set(rig->dev, 1, LOOP_SEND_ERROR, &each);
	KUNIT_ASSERT_EQ(test, rig_send_req(id), 0);
	event = rig_event(id, RIG_WAIT_MS);
	KUNIT_ASSERT_NOT_NULL(test, event);
	KUNIT_EXPECT_EQ(test, (int)event->type, (int)IB_CM_REQ_ERROR);
	KUNIT_EXPECT_EQ(test, (int)event->state, (int)IB_CM_IDLE);
	KUNIT_EXPECT_GE(test, loop_fault_hits(rig->dev, 1, LOOP_SEND_ERROR), 2);
	KUNIT_EXPECT_LT(test, loop_fault_hits(rig->dev, 1, LOOP_SEND_ERROR), 16);
	expect_quiet(test, id, QUIET_MS);
}

/* Two errors, one success, two errors: nothing in a row. */
static void timers_send_errors_are_counted_in_a_row(struct kunit *test)
{
	const struct loop_rule twice = { .attr_id = ATTR_REQ, .nth = 1, .times = 2 };
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	u8 *mad = timers_mad(test);
	struct rig_id *id = rig_id_create(rig);
	unsigned int i;

	rig->life_time = 8;
	rig->response_time = 15;
	rig->retries = 15;
	loop_fault_set(rig->dev, 1, LOOP_SEND_ERROR, &twice);
	KUNIT_ASSERT_EQ(test, rig_send_req(id), 0);
	for (i = 0; i < 2; i++) {
		KUNIT_ASSERT_TRUE(test, rig_peer_recv(rig, ATTR_REQ, mad, RIG_WAIT_MS));
		loop_fault_set(rig->dev, 1, LOOP_SEND_ERROR, &twice);
	}
	KUNIT_ASSERT_TRUE(test, rig_peer_recv(rig, ATTR_REQ, mad, RIG_WAIT_MS));
	answer(id, ATTR_REP, mad);
	KUNIT_EXPECT_TRUE(test, expect_event(test, id, IB_CM_REP_RECEIVED, RIG_WAIT_MS));
}

/* A copy that does not complete is not followed by another, and yet the wait has its end. */
static void timers_uncompleted_copy_is_not_repeated(struct kunit *test)
{
	const struct loop_rule each = { .attr_id = ATTR_REQ, .nth = 1 };
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	u8 *mad = timers_mad(test);
	struct rig_id *bounded, *released;
	unsigned long start = jiffies;

	rig->life_time = 8;
	rig->response_time = 13;
	loop_fault_set(rig->dev, 1, LOOP_SEND_NEVER, &each);

	rig->retries = 3;
	bounded = rig_id_create(rig);
	KUNIT_ASSERT_EQ(test, rig_send_req(bounded), 0);
	KUNIT_EXPECT_TRUE(test, expect_event(test, bounded, IB_CM_REQ_ERROR, RIG_WAIT_MS));
	EXPECT_WAITED(test, start, 4, req_ms(8, 13));
	KUNIT_EXPECT_EQ_MSG(test, copies(rig, ATTR_REQ, 0), 1, "re-sent before it was completed");

	rig->response_time = 15;
	rig->retries = 15;
	released = rig_id_create(rig);
	KUNIT_ASSERT_EQ(test, rig_send_req(released), 0);
	msleep(300);
	KUNIT_EXPECT_EQ_MSG(test, copies(rig, ATTR_REQ, 0), 1, "re-sent before it was completed");
	loop_faults_clear(rig->dev);
	loop_hca_release(rig->dev);
	KUNIT_EXPECT_TRUE_MSG(test, rig_peer_recv(rig, ATTR_REQ, mad, RIG_WAIT_MS),
			      "not repeated once it was completed");
	rig_settle(rig);
	expect_quiet(test, bounded, 0);
}

/* Nor is a REP sent again, though the peer repeats its REQ, while the copy before is still out. */
static void timers_uncompleted_rep_is_not_sent_again(struct kunit *test)
{
	const struct loop_rule each = { .attr_id = ATTR_REP, .nth = 1 };
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	u8 *mad = timers_mad(test);
	struct rig_id *id = bring(test, rig, CM_ID_REQ_RCVD, false);

	loop_fault_set(rig->dev, 1, LOOP_SEND_NEVER, &each);
	KUNIT_ASSERT_EQ(test, rig_send_rep(id), 0);
	KUNIT_ASSERT_TRUE(test, rig_peer_recv(rig, ATTR_REP, mad, RIG_WAIT_MS));
	rig_peer_send(rig, id->request);
	rig_flush(rig);
	KUNIT_EXPECT_FALSE(test, rig_peer_recv(rig, ATTR_REP, mad, 50));
	loop_faults_clear(rig->dev);
	loop_hca_release(rig->dev);
	rig_settle(rig);
	rig_peer_send(rig, id->request);
	KUNIT_EXPECT_TRUE(test, rig_peer_recv(rig, ATTR_REP, mad, RIG_WAIT_MS));
}

/*
 * The copy of an attempt that is over completes during the next one: that says
 * nothing of the next one's copy, which is still out.
 */
static void timers_old_completion_leaves_the_new_request_alone(struct kunit *test)
{
	const struct loop_rule late = { .attr_id = ATTR_REQ, .nth = 1, .arg = 300 };
	const struct loop_rule never = { .attr_id = ATTR_REQ, .nth = 1 };
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = rig_id_create(rig);
	u8 *mad = timers_mad(test);

	rig->retries = 15;
	loop_fault_set(rig->dev, 1, LOOP_SEND_LATE, &late);
	KUNIT_ASSERT_EQ(test, rig_send_req(id), 0);
	KUNIT_ASSERT_TRUE(test, rig_peer_recv(rig, ATTR_REQ, mad, RIG_WAIT_MS));
	KUNIT_ASSERT_EQ(test, ib_send_cm_rej(id->cm, IB_CM_REJ_CONSUMER_DEFINED, NULL, 0, NULL, 0),
			0);

	loop_faults_clear(rig->dev);
	loop_fault_set(rig->dev, 1, LOOP_SEND_NEVER, &never);
	rig->life_time = 8;
	rig->response_time = 14;
	KUNIT_ASSERT_EQ(test, rig_send_req(id), 0);
	KUNIT_ASSERT_TRUE(test, rig_peer_recv(rig, ATTR_REQ, mad, RIG_WAIT_MS));
	KUNIT_EXPECT_FALSE_MSG(test, rig_peer_recv(rig, ATTR_REQ, mad, 600),
			       "re-sent when another request's copy completed");
}

/* ---- the window of fresh requests ---- */

static bool is_queued(struct rig_id *id)
{
	struct cm_probe_view view;

	cm_probe_view(id->cm, &view);
	return view.request && view.queued && !view.armed;
}

static bool is_armed(struct rig_id *id)
{
	struct cm_probe_view view;

	cm_probe_view(id->cm, &view);
	return view.request && !view.queued && view.armed;
}

static struct rig_id **full_window(struct kunit *test, struct rig *rig, unsigned int more)
{
	struct rig_id **ids = kunit_kcalloc(test, WINDOW + more, sizeof(*ids), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, ids);
	for (i = 0; i < WINDOW + more; i++) {
		ids[i] = rig_id_create(rig);
		KUNIT_ASSERT_EQ(test, rig_send_req(ids[i]), 0);
	}
	return ids;
}

/* Whose REQ is the next one on the wire? 0: none comes. */
static u32 next_req(struct rig *rig, u8 *mad, unsigned int timeout_ms)
{
	return rig_peer_recv(rig, ATTR_REQ, mad, timeout_ms) ? mad_get(mad, "local_comm_id") : 0;
}

static void timers_window_holds_128(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *connected, *asked, *listener, *resolver, *next;
	u8 *mad = timers_mad(test), *rej = timers_mad(test);
	struct rig_id **ids;
	unsigned int i;

	rig->response_time = 22;	/* 17 s: none times out here */
	connected = bring(test, rig, CM_ID_ESTABLISHED, true);
	asked = bring(test, rig, CM_ID_REQ_RCVD, false);
	ids = full_window(test, rig, 4);
	rig_settle(rig);
	for (i = 0; i < WINDOW; i++)
		KUNIT_EXPECT_TRUE_MSG(test, is_armed(ids[i]), "request %u", i + 1);
	for (; i < WINDOW + 4; i++)
		KUNIT_EXPECT_TRUE_MSG(test, is_queued(ids[i]), "request %u", i + 1);
	KUNIT_EXPECT_EQ(test, copies(rig, ATTR_REQ, 0), WINDOW);

	/* Answers and DREQs pass by. */
	KUNIT_EXPECT_EQ(test, call_dreq(connected), 0);
	KUNIT_EXPECT_TRUE(test, is_armed(connected));
	KUNIT_EXPECT_TRUE(test, rig_peer_recv(rig, ATTR_DREQ, mad, RIG_WAIT_MS));
	KUNIT_EXPECT_EQ(test, rig_send_rep(asked), 0);
	KUNIT_EXPECT_TRUE(test, is_armed(asked));
	KUNIT_EXPECT_TRUE(test, rig_peer_recv(rig, ATTR_REP, mad, RIG_WAIT_MS));
	answer(connected, ATTR_DREQ, mad);
	KUNIT_EXPECT_TRUE(test, expect_event(test, connected, IB_CM_DREQ_RECEIVED, RIG_WAIT_MS));
	KUNIT_EXPECT_EQ(test, ib_send_cm_drep(connected->cm, NULL, 0), 0);
	KUNIT_EXPECT_TRUE(test, rig_peer_recv(rig, ATTR_DREP, mad, RIG_WAIT_MS));
	/* Nor does a peer's request wait for ours. */
	listener = rig_listen(rig, RIG_SERVICE + 0x200);
	rig_make_req(rig, RIG_SERVICE + 0x200, mad);
	rig_peer_send(rig, mad);
	KUNIT_EXPECT_NOT_NULL(test, rig_accepted(listener));
	/* A resolution is a fresh request, too. */
	resolver = rig_id_create(rig);
	KUNIT_ASSERT_EQ(test, rig_send_sidr_req(resolver), 0);
	KUNIT_EXPECT_TRUE(test, is_queued(resolver));
	for (i = WINDOW; i < WINDOW + 4; i++)
		KUNIT_EXPECT_TRUE_MSG(test, is_queued(ids[i]), "request %u", i + 1);

	/* Who waits and is destroyed leaves its place to the next, and says nothing. */
	rig_id_destroy(ids[WINDOW]);
	rig_settle(rig);
	KUNIT_EXPECT_EQ(test, copies(rig, ATTR_REQ, 0), 0);

	/* Each answer lets one go, in order. */
	for (i = 0; i < 3; i++) {
		answer(ids[i], ATTR_REJ, rej);
		KUNIT_EXPECT_TRUE(test, expect_event(test, ids[i], IB_CM_REJ_RECEIVED,
						     RIG_WAIT_MS));
		next = ids[WINDOW + 1 + i];
		KUNIT_EXPECT_EQ(test, next_req(rig, mad, RIG_WAIT_MS), next->local_id);
		KUNIT_EXPECT_TRUE(test, rig_until(is_armed(next)));
		KUNIT_EXPECT_EQ(test, copies(rig, ATTR_REQ, 0), 0);
	}
	answer(ids[3], ATTR_REJ, rej);
	KUNIT_EXPECT_TRUE(test, rig_peer_recv(rig, ATTR_SIDR_REQ, mad, RIG_WAIT_MS));
}

/* A queued request waits without a timer of its own, is answered by nobody, and can be taken back. */
static void timers_queued_request_can_be_ended(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	u8 *mad = timers_mad(test);
	struct rig_id **ids, *last;
	struct cm_probe_view view;

	rig->response_time = 22;
	ids = full_window(test, rig, 1);
	rig_settle(rig);
	copies(rig, 0, 0);
	last = ids[WINDOW];
	KUNIT_ASSERT_TRUE(test, is_queued(last));
	KUNIT_EXPECT_EQ(test, ib_send_cm_rej(last->cm, IB_CM_REJ_CONSUMER_DEFINED,
					     NULL, 0, NULL, 0), 0);
	cm_probe_view(last->cm, &view);
	KUNIT_EXPECT_EQ(test, view.state, CM_ID_IDLE);
	KUNIT_EXPECT_FALSE(test, view.request || view.queued || view.armed);
	KUNIT_EXPECT_EQ_MSG(test, view.refs, 1, "a place in the queue is not given back");

	/* Again, and this one goes when there is room. */
	KUNIT_ASSERT_EQ(test, rig_send_req(last), 0);
	KUNIT_EXPECT_TRUE(test, is_queued(last));
	answer(ids[0], ATTR_REJ, mad);
	KUNIT_EXPECT_EQ(test, next_req(rig, mad, RIG_WAIT_MS), last->local_id);
	KUNIT_EXPECT_TRUE(test, rig_until(is_armed(last)));
	expect_quiet(test, last, 0);
}

/* A peer that is dead delays no other's: what has timed out once leaves the window. */
static void timers_window_is_left_after_one_time_out(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	u8 *mad = timers_mad(test);
	struct rig_id **ids;
	unsigned long start;
	bool waited;
	unsigned int i, n = 0;
	u32 whose;

	rig->life_time = 8;
	rig->response_time = 19;	/* 2 s */
	rig->retries = 15;
	start = jiffies;
	ids = full_window(test, rig, 2);
	waited = is_queued(ids[WINDOW]) && is_queued(ids[WINDOW + 1]);
	KUNIT_EXPECT_TRUE_MSG(test, waited || ms_since(start) > req_ms(8, 19), "no window");

	for (i = 0; i < 4 * WINDOW && n < 2; i++) {
		whose = next_req(rig, mad, RIG_WAIT_MS);
		if (!whose)
			break;
		if (whose == ids[WINDOW + n]->local_id)
			n++;
	}
	KUNIT_EXPECT_EQ_MSG(test, n, 2, "requests behind a dead peer did not leave");
	if (waited)
		EXPECT_WAITED(test, start, 1, req_ms(8, 19));
	KUNIT_EXPECT_EQ(test, rig_state(ids[0]), CM_ID_REQ_SENT);
}

/* And so does one whose peer has asked for time: it has the request. */
static void timers_window_is_left_by_an_mra(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	u8 *mad = timers_mad(test);
	struct rig_id **ids;

	rig->response_time = 22;
	ids = full_window(test, rig, 1);
	rig_settle(rig);
	rig_make(ids[5], ATTR_MRA, mad);
	copies(rig, 0, 0);
	KUNIT_ASSERT_TRUE(test, is_queued(ids[WINDOW]));
	rig_peer_send(rig, mad);
	KUNIT_EXPECT_EQ(test, next_req(rig, mad, RIG_WAIT_MS), ids[WINDOW]->local_id);
	KUNIT_EXPECT_TRUE(test, expect_event(test, ids[5], IB_CM_MRA_RECEIVED, RIG_WAIT_MS));
}

/* A SIDR_REP is kept for a peer that did not get it, for 4.096 us x 2^20; then the consumer is asked again. */
static void timers_sidr_rep_is_kept(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *listener = rig_listen(rig, RIG_SERVICE), *id, *again = NULL;
	u8 *mad = timers_mad(test);
	unsigned int answers = 0, i;
	unsigned long start;

	rig_make_sidr_req(rig, RIG_SERVICE, mad);
	rig_peer_send(rig, mad);
	id = rig_accepted(listener);
	KUNIT_ASSERT_NOT_NULL(test, id);
	start = jiffies;
	KUNIT_ASSERT_EQ(test, rig_send_sidr_rep(id), 0);
	KUNIT_ASSERT_TRUE(test, rig_peer_recv(rig, ATTR_SIDR_REP, NULL, RIG_WAIT_MS));
	/* Asking does not make it last. */
	for (i = 0; i < 100 && !again; i++) {
		rig_sleep(200);
		rig_peer_send(rig, id->request);
		rig_settle(rig);
		if (rig_peer_recv(rig, ATTR_SIDR_REP, NULL, 0))
			answers++;
		else
			again = rig_accepted(listener);
	}
	KUNIT_ASSERT_NOT_NULL_MSG(test, again, "it is kept for ever");
	EXPECT_WAITED(test, start, 1, time_ms(20));
	KUNIT_EXPECT_EQ(test, again->peer_id, id->peer_id);
	KUNIT_EXPECT_GT(test, answers, 0);
}

static struct kunit_case timers_cases[] = {
	KUNIT_CASE_SLOW(timers_retries_bound_all_requests),
	KUNIT_CASE(timers_retries_bound_roce),
	KUNIT_CASE(timers_time_out_zero),
	KUNIT_CASE(timers_fifteen_retries),
	KUNIT_CASE_SLOW(timers_field_12_dreq_unanswered_infiniband),
	KUNIT_CASE_SLOW(timers_field_12_dreq_unanswered_roce),
	KUNIT_CASE_SLOW(timers_timewait_length),
	KUNIT_CASE(timers_timewait_each_its_own),
	KUNIT_CASE(timers_timewait_outlives_the_id),
	KUNIT_CASE_SLOW(timers_field_9_mra_of_req_stretches_one_wait),
	KUNIT_CASE_SLOW(timers_field_9_mra_of_rep_stretches_one_wait),
	KUNIT_CASE_SLOW(timers_field_9_mra_is_capped),
	KUNIT_CASE(timers_second_mra_stretches_nothing),
	KUNIT_CASE_SLOW(timers_answer_ends_the_request),
	KUNIT_CASE_SLOW(timers_answer_races_with_the_last_time_out),
	KUNIT_CASE_SLOW(timers_old_timer_leaves_the_new_request_alone),
	KUNIT_CASE(timers_late_time_out_is_overtaken),
	KUNIT_CASE(timers_next_attempt_from_the_handler),
	KUNIT_CASE(timers_field_27_req_times),
	KUNIT_CASE(timers_field_27_values_out_of_range),
	KUNIT_CASE(timers_field_27_rep_times),
	KUNIT_CASE(timers_field_27_sidr_times),
	KUNIT_CASE(timers_send_error_is_a_loss),
	KUNIT_CASE(timers_flushes_are_losses),
	KUNIT_CASE(timers_send_errors_in_a_row_end_the_wait),
	KUNIT_CASE(timers_send_errors_are_counted_in_a_row),
	KUNIT_CASE(timers_uncompleted_copy_is_not_repeated),
	KUNIT_CASE(timers_uncompleted_rep_is_not_sent_again),
	KUNIT_CASE(timers_old_completion_leaves_the_new_request_alone),
	KUNIT_CASE_SLOW(timers_window_holds_128),
	KUNIT_CASE(timers_queued_request_can_be_ended),
	KUNIT_CASE_SLOW(timers_window_is_left_after_one_time_out),
	KUNIT_CASE(timers_window_is_left_by_an_mra),
	KUNIT_CASE_SLOW(timers_sidr_rep_is_kept),
	{}
};

static struct kunit_suite timers_suite = {
	.name = "ib_cm_timers",
	.init = rig_case,
	.test_cases = timers_cases,
};
kunit_test_suite(timers_suite);

MODULE_DESCRIPTION("Tests of ib_cm: timers, repetitions, timewait, the window");
MODULE_LICENSE("GPL");
