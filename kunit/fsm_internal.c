// SPDX-License-Identifier: GPL-2.0-only
/*
 * What nobody sends and nobody calls, for the suite ib_cm_fsm: timers, sends
 * that fail, turns of claimed requests, removal, destroy, a handler's verdict.
 *
 * Owns: how each is provoked. Times are short where one has to pass.
 */
#include <linux/delay.h>

#include "fsm.h"

#define FSM_SHORT	15	/* 4.096 us x 2^15: 0.13 s */
#define FSM_SHORTER	12	/* 17 ms, where several have to pass */
#define FSM_SL		5	/* of no other path */
#define FSM_FULL	7	/* events that a timer's finds no room behind */

static const struct loop_rule fsm_once = { .nth = 1, .times = 1 };
static const struct loop_rule fsm_always = { .nth = 1 };

/* What the id has outstanding in a state */
static u16 fsm_request(unsigned int state)
{
	switch (state) {
	case CM_ID_REQ_SENT:
	case CM_ID_MRA_REQ_RCVD:
		return ATTR_REQ;
	case CM_ID_REP_SENT:
	case CM_ID_MRA_REP_RCVD:
		return ATTR_REP;
	case CM_ID_DREQ_SENT:
		return ATTR_DREQ;
	default:
		return ATTR_SIDR_REQ;
	}
}

/* The state from which a call sends the request */
static unsigned int fsm_before(unsigned int state)
{
	switch (state) {
	case CM_ID_REP_SENT:
		return CM_ID_REQ_RCVD;
	case CM_ID_DREQ_SENT:
		return CM_ID_ESTABLISHED;
	default:
		return CM_ID_IDLE;
	}
}

static int fsm_send(struct fsm *f)
{
	switch (f->want->state) {
	case CM_ID_REQ_SENT:
		return rig_send_req(f->id);
	case CM_ID_REP_SENT:
		return rig_send_rep(f->id);
	case CM_ID_DREQ_SENT:
		return ib_send_cm_dreq(f->cm, NULL, 0);
	default:
		return rig_send_sidr_req(f->id);
	}
}

static void fsm_fault(struct fsm *f, enum loop_fault fault, const struct loop_rule *rule)
{
	struct loop_rule of_attr = *rule;

	of_attr.attr_id = fsm_request(f->want->state);
	loop_fault_set(f->rig->dev, 1, fault, &of_attr);
}

static void fsm_times(struct fsm *f, u8 exponent, u8 retries)
{
	f->rig->response_time = exponent;
	f->rig->life_time = 8;
	f->rig->retries = retries;
}

/* ---- timers ---- */

/* On the passive side a short time-out goes with a long timewait. */
static unsigned int fsm_side(struct fsm *f)
{
	return f->want->state == CM_ID_DREQ_SENT ? 0 : FSM_ACTIVE;
}

static bool fsm_timeout(struct fsm *f)
{
	fsm_times(f, FSM_SHORT, 2);
	if (!fsm_bring(f, f->want->state, fsm_side(f)))
		return false;
	fsm_begin(f);
	return fsm_hit(f);
}

static bool fsm_expired(struct fsm *f)
{
	fsm_times(f, FSM_SHORT, 0);
	if (!fsm_bring(f, f->want->state, fsm_side(f)))
		return false;
	fsm_begin(f);
	return fsm_hit(f);
}

static bool fsm_tw_expired(struct fsm *f)
{
	f->rig->life_time = FSM_SHORT;
	if (!fsm_bring(f, f->want->state, FSM_ACTIVE))
		return false;
	fsm_begin(f);
	return fsm_hit(f);
}

/* ---- sends that fail ---- */

static bool fsm_refused(struct fsm *f)
{
	if (!fsm_bring(f, fsm_before(f->want->state), FSM_ACTIVE))
		return false;
	fsm_fault(f, LOOP_SEND_REFUSED, &fsm_once);
	fsm_begin(f);
	f->result = fsm_send(f);
	KUNIT_EXPECT_LT_MSG(f->test, f->result, 0, "the call does not fail");
	return fsm_hit(f);
}

/* After an MRA it is a repetition that fails: the first copy was answered. */
static bool fsm_is_stretched(unsigned int state)
{
	return state == CM_ID_MRA_REQ_RCVD || state == CM_ID_MRA_REP_RCVD;
}

static bool fsm_send_lost(struct fsm *f)
{
	bool stretched = fsm_is_stretched(f->want->state);

	if (stretched)
		fsm_times(f, FSM_SHORT, 15);
	if (!fsm_bring(f, stretched ? f->want->state : fsm_before(f->want->state), fsm_side(f)))
		return false;
	fsm_fault(f, LOOP_SEND_ERROR, &fsm_once);
	/* The timer's next copy is another event: on a busy machine it would be seen here. */
	if (stretched)
		fsm_fault(f, LOOP_DROP, &fsm_always);
	fsm_begin(f);
	if (!stretched)
		KUNIT_EXPECT_EQ(f->test, fsm_send(f), 0);
	return fsm_hit(f);
}

static bool fsm_send_failed(struct fsm *f)
{
	bool stretched = fsm_is_stretched(f->want->state);

	fsm_times(f, stretched ? FSM_SHORT : FSM_SHORTER, 15);
	if (!fsm_bring(f, stretched ? f->want->state : fsm_before(f->want->state), fsm_side(f)))
		return false;
	fsm_fault(f, LOOP_SEND_ERROR, &fsm_always);
	fsm_begin(f);
	if (!stretched)
		KUNIT_EXPECT_EQ(f->test, fsm_send(f), 0);
	return fsm_hit(f);
}

/* ---- no room for a timer's event ---- */

/* An attempt of ours that nobody answers: the last slot that timers may take */
static bool fsm_fill_last(struct fsm *f)
{
	fsm_times(f, FSM_SHORTER, 0);
	KUNIT_EXPECT_EQ(f->test, rig_send_sidr_req(f->id), 0);
	f->queued++;
	return rig_until(({
		struct cm_probe_view view;

		cm_probe_view(f->cm, &view);
		view.state == CM_ID_IDLE && view.events == FSM_FULL;
	}));
}

/**
 * fsm_bring_postponed - a record whose id has no room for the news of its end
 * @f: the cell
 *
 * Context: sleeps.
 * Return: false, and the test has failed, if it is not met.
 */
bool fsm_bring_postponed(struct fsm *f)
{
	if (!fsm_bring(f, CM_ID_IDLE, FSM_ACTIVE | FSM_BUSY))
		return false;
	/* The REP is the sixth, DREQ_ERROR the seventh, TIMEWAIT_EXIT finds no room */
	if (!fsm_fill(f, 5))
		return false;
	fsm_times(f, FSM_SHORT, 0);
	f->rig->life_time = FSM_SHORTER;
	if (!rig_bring_on(f->id, CM_ID_REP_RCVD, true, true) ||
	    !rig_bring_on(f->id, CM_ID_DREQ_SENT, true, true) ||
	    !rig_until(rig_state(f->id) == CM_ID_TIMEWAIT))
		return false;
	fsm_begin(f);
	return fsm_hit(f);
}

static bool fsm_postponed(struct fsm *f)
{
	unsigned int state = f->want->state;

	if (state == CM_ID_TIMEWAIT)
		return fsm_bring_postponed(f);
	f->rig->life_time = 8;
	if (!fsm_bring(f, CM_ID_IDLE, FSM_ACTIVE | FSM_BUSY) || !fsm_fill(f, FSM_FULL - 1) ||
	    !fsm_fill_last(f))
		return false;
	if (state == CM_ID_GONE) {
		fsm_unplug_later(f);
		if (!rig_until(rig_state(f->id) == CM_ID_GONE))
			return false;
	} else if (!rig_bring_on(f->id, state, true, true)) {
		return false;
	}
	fsm_begin(f);
	if (state == CM_ID_IDLE || state == CM_ID_LISTEN || state == CM_ID_GONE)
		KUNIT_EXPECT_EQ(f->test, ib_cm_notify(f->cm, IB_EVENT_COMM_EST), -EAGAIN);
	return fsm_hit(f);
}

/* ---- claimed requests ---- */

/* The request dies while it waits, and nobody tells its runner. */
static bool fsm_bring_claimed_dead(struct fsm *f)
{
	u8 mad[MAD_BYTES];

	if (!fsm_bring(f, CM_ID_REQ_NEW, 0))
		return false;
	rig_make(f->id, ATTR_REJ, mad);
	rig_peer_send(f->rig, mad);
	return rig_until(fsm_state_of(f->cm) == CM_ID_DEAD);
}

static bool fsm_bring_turn(struct fsm *f)
{
	if (f->want->state == CM_ID_DEAD)
		return fsm_bring_claimed_dead(f);
	return fsm_bring(f, f->want->state, 0);
}

static bool fsm_hand_over(struct fsm *f)
{
	if (!fsm_bring_turn(f))
		return false;
	fsm_begin(f);
	fsm_crowd_go(f, false);
	if (!fsm_hit(f))
		return false;
	if (f->want->state == CM_ID_DEAD)
		return true;
	/* From now on it is a consumer's */
	f->id = rig_accepted(f->listener);
	KUNIT_EXPECT_NOT_NULL_MSG(f->test, f->id, "the request is not delivered");
	f->seen = 0;
	fsm_crowd_go(f, true);
	return f->id;
}

static void fsm_listener_destroyer(struct work_struct *work)
{
	struct fsm *f = container_of(work, struct fsm, closer);

	rig_id_destroy(f->listener);
}

static bool fsm_listener_gone(struct fsm *f)
{
	if (!fsm_bring_turn(f))
		return false;
	fsm_begin(f);
	INIT_WORK(&f->closer, fsm_listener_destroyer);
	schedule_work(&f->closer);
	if (!fsm_hit(f))
		return false;
	fsm_crowd_go(f, true);
	fsm_finish(f);
	return true;
}

/* A path from a port that the device has not */
static bool fsm_unreachable(struct fsm *f, const char *field)
{
	struct rig_id *listener = rig_listen(f->rig, RIG_SERVICE);
	u8 mad[MAD_BYTES];

	f->rig->alternate = true;
	rig_make_req(f->rig, RIG_SERVICE, mad);
	f->rig->alternate = false;
	mad_bytes_w(mad, field)[15] ^= 0x55;
	fsm_begin(f);
	rig_peer_send(f->rig, mad);
	if (!fsm_hit(f))
		return false;
	rig_settle(f->rig);
	KUNIT_EXPECT_EQ_MSG(f->test, listener->delivered, 0, "the listener's handler was called");
	return true;
}

/* A SIDR_REQ that came to a GID that the port has not */
static bool fsm_unreachable_sidr(struct fsm *f)
{
	struct loop_packet *packet;
	u8 mad[MAD_BYTES];
	bool sent;

	rig_listen(f->rig, RIG_SERVICE);
	packet = kunit_kzalloc(f->test, sizeof(*packet), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(f->test, packet);
	rig_make_sidr_req(f->rig, RIG_SERVICE, mad);
	rig_peer_packet(f->rig, mad, packet);
	packet->grh = true;
	packet->dgid.raw[15] ^= 0x55;
	packet->hop_limit = 64;
	fsm_begin(f);
	sent = !loop_station_send(f->rig->peer, packet);
	KUNIT_EXPECT_TRUE(f->test, sent);
	return sent && fsm_hit(f);
}

/* ---- the end ---- */

/*
 * A claimed request that no listener has in its queue: the address handle of its
 * way back, which has a service level of its own, takes its time.
 */
static bool fsm_removed_claimed(struct fsm *f)
{
	static const struct loop_rule slow = { .nth = 1, .times = 1, .arg = 4 * RIG_WAIT_MS };
	bool sidr = f->want->state == CM_ID_SIDR_NEW, hit;
	struct loop_packet *packet;
	struct ib_device *dev;
	struct rig_id *before;
	u8 mad[MAD_BYTES];

	packet = kunit_kzalloc(f->test, sizeof(*packet), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(f->test, packet);
	rig_listen(f->rig, RIG_SERVICE);
	before = rig_id_create(f->rig);
	if (sidr)
		rig_make_sidr_req(f->rig, RIG_SERVICE, mad);
	else
		rig_make_req(f->rig, RIG_SERVICE, mad);
	if (!sidr)
		mad_set(mad, "primary_sl", FSM_SL);
	rig_peer_packet(f->rig, mad, packet);
	packet->sl = FSM_SL;
	loop_fault_set(f->rig->dev, 1, LOOP_AH_SLOW, &slow);
	fsm_begin(f);
	KUNIT_EXPECT_EQ(f->test, loop_station_send(f->rig->peer, packet), 0);
	f->cm = fsm_guess(before->local_id, f->want->state);
	f->found = f->cm;
	KUNIT_EXPECT_NOT_NULL_MSG(f->test, f->cm, "the request has no id");
	if (!f->cm)
		return false;
	f->local_id = be32_to_cpu(f->cm->local_id);
	dev = f->rig->dev;
	fsm_unplug_later(f);
	/* The device cannot go before who makes the handle is back. */
	hit = fsm_hit(f);
	loop_faults_clear(dev);
	return hit;
}

static bool fsm_removed(struct fsm *f)
{
	unsigned int state = f->want->state;

	if (state == CM_ID_REQ_NEW || state == CM_ID_SIDR_NEW)
		return fsm_removed_claimed(f);
	if (!fsm_bring(f, state, FSM_ACTIVE))
		return false;
	fsm_begin(f);
	rig_unplug(f->rig);
	return fsm_hit(f);
}

static bool fsm_destroy(struct fsm *f)
{
	if (!fsm_bring(f, f->want->state,
		       f->want->event == CM_ID_ON_DESTROY_XRC ? FSM_XRC : FSM_ACTIVE))
		return false;
	fsm_begin(f);
	rig_id_destroy(f->id);
	f->cm = NULL;
	return fsm_hit(f);
}

static bool fsm_verdict(struct fsm *f)
{
	unsigned int event = f->want->event;
	bool xrc = event == CM_ID_ON_HANDLER_REFUSED_XRC || event == CM_ID_ON_HANDLER_NOMEM_XRC;
	bool nomem = event == CM_ID_ON_HANDLER_NOMEM || event == CM_ID_ON_HANDLER_NOMEM_XRC;

	if (!fsm_bring(f, f->want->state, FSM_BUSY | FSM_BEHIND | (xrc ? FSM_XRC : FSM_ACTIVE)))
		return false;
	fsm_begin(f);
	/* The events behind it are discarded: they are not expected any more. */
	f->queued = 0;
	fsm_let_go(f, nomem ? -ENOMEM : -ECONNABORTED);
	if (!fsm_hit(f))
		return false;
	fsm_finish(f);
	f->cm = NULL;
	return true;
}

/**
 * fsm_internal - provoke the event
 * @f: the cell
 *
 * Context: sleeps.
 * Return: false, and the test has failed, if the cell is not met.
 */
bool fsm_internal(struct fsm *f)
{
	switch (f->want->event) {
	case CM_ID_ON_TIMEOUT:
		return fsm_timeout(f);
	case CM_ID_ON_EXPIRED:
		return fsm_expired(f);
	case CM_ID_ON_TW_EXPIRED:
		return fsm_tw_expired(f);
	case CM_ID_ON_SEND_REFUSED:
		return fsm_refused(f);
	case CM_ID_ON_SEND_LOST:
		return fsm_send_lost(f);
	case CM_ID_ON_SEND_FAILED:
		return fsm_send_failed(f);
	case CM_ID_ON_POSTPONED:
		return fsm_postponed(f);
	case CM_ID_ON_HAND_OVER:
		return fsm_hand_over(f);
	case CM_ID_ON_LISTENER_GONE:
		return fsm_listener_gone(f);
	case CM_ID_ON_UNREACHABLE:
		return f->want->state == CM_ID_SIDR_NEW ?
			fsm_unreachable_sidr(f) : fsm_unreachable(f, "primary_remote_port_gid");
	case CM_ID_ON_UNREACHABLE_ALT:
		return fsm_unreachable(f, "alternate_remote_port_gid");
	case CM_ID_ON_REMOVED:
		return fsm_removed(f);
	case CM_ID_ON_DESTROY:
	case CM_ID_ON_DESTROY_XRC:
		return fsm_destroy(f);
	case CM_ID_ON_HANDLER_REFUSED:
	case CM_ID_ON_HANDLER_REFUSED_XRC:
	case CM_ID_ON_HANDLER_NOMEM:
	case CM_ID_ON_HANDLER_NOMEM_XRC:
		return fsm_verdict(f);
	default:
		KUNIT_FAIL(f->test, "nobody knows how to provoke this");
		return false;
	}
}
