// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fixtures of the suite ib_cm_fsm.
 *
 * Owns: how a subject gets into a state that calls and messages alone do not
 * lead to: a request whose listener's handlers all run (REQ_NEW, SIDR_NEW), a
 * device that is gone (GONE), a destroy that waits for a handler (DEAD), a
 * handler that runs while its id moves on.
 *
 * Whatever waits at a gate is let go by fsm_let_go() and fsm_crowd_go(), which
 * the suite's exit calls, so that no case can leave it behind.
 */
#include <linux/delay.h>

#include "fsm.h"

#define FSM_BUSY_SERVICE	(RIG_SERVICE + 0x2000)
#define FSM_CROWD_SERVICE	(RIG_SERVICE + 0x3000)

/**
 * fsm_state_of - the state of an id
 * @cm: there
 *
 * Context: any.
 * Return: CM_ID_*
 */
unsigned int fsm_state_of(struct ib_cm_id *cm)
{
	struct cm_probe_view view;

	cm_probe_view(cm, &view);
	return view.state;
}

/* ---- gates ---- */

static int fsm_gate_wait(struct fsm_gate *gate)
{
	complete(&gate->entered);
	wait_for_completion(&gate->go);
	return gate->answer;
}

/* The first event's handler waits; the others' do not. */
static int fsm_busy_hook(struct rig_id *id, const struct rig_event *event)
{
	struct fsm_gate *gate = id->hook_data ? : id->listener->hook_data;

	if (gate->used)
		return 0;
	gate->used = true;
	return fsm_gate_wait(gate);
}

static int fsm_crowd_hook(struct rig_id *id, const struct rig_event *event)
{
	struct fsm_gate *gate = id->listener->hook_data;

	return fsm_gate_wait(gate);
}

/**
 * fsm_let_go - the subject's handler returns
 * @f: the cell
 * @answer: what it returns
 *
 * Context: any.
 */
void fsm_let_go(struct fsm *f, int answer)
{
	if (!f->gate.used)
		return;
	f->gate.answer = answer;
	complete_all(&f->gate.go);
}

static bool fsm_entered(struct fsm *f, struct fsm_gate *gate)
{
	bool entered = wait_for_completion_timeout(&gate->entered, msecs_to_jiffies(RIG_WAIT_MS));

	KUNIT_EXPECT_TRUE_MSG(f->test, entered, "the handler is not called");
	return entered;
}

/* ---- listeners with more requests than handlers ---- */

/**
 * fsm_crowd - a listener whose handlers all run
 * @f: the cell
 *
 * Context: sleeps.
 * Return: false, and the test has failed, if they do not.
 */
bool fsm_crowd(struct fsm *f)
{
	struct rig *rig = f->rig;
	u8 mad[MAD_BYTES];
	unsigned int i;

	f->listener = rig_listen(rig, FSM_CROWD_SERVICE);
	f->listener->hook = fsm_crowd_hook;
	f->listener->hook_data = &f->crowd;
	for (i = 0; i < FSM_CROWD - 1; i++) {
		rig_make_req(rig, FSM_CROWD_SERVICE, mad);
		rig_peer_send(rig, mad);
		if (!fsm_entered(f, &f->crowd) || !rig_accepted(f->listener))
			return false;
	}
	return true;
}

/**
 * fsm_crowd_go - a handler of the crowd's returns, or all do
 * @f: the cell
 * @all: all, also those to come
 *
 * Context: any.
 */
void fsm_crowd_go(struct fsm *f, bool all)
{
	if (!f->listener)
		return;
	if (all)
		complete_all(&f->crowd.go);
	else
		complete(&f->crowd.go);
}

/**
 * fsm_guess - find an id that nobody was given
 * @before: the number of the id that was made before it
 * @state: the state that it is in
 *
 * Numbers go round, behind an operand that is not known: the next one differs
 * by the bits that a step of one carries over.
 *
 * Context: sleeps.
 * Return: the id with a LOOKUP reference, or NULL.
 */
struct ib_cm_id *fsm_guess(u32 before, unsigned int state)
{
	__be32 wire = cpu_to_be32(before);
	unsigned long end = jiffies + msecs_to_jiffies(RIG_WAIT_MS);
	unsigned int step, bits;

	do {
		for (step = 1; step <= 2; step++)
			for (bits = 1; bits <= 32; bits++) {
				u32 flip = bits == 32 ? ~0u : (1u << bits) - 1;
				struct cm_probe_view view;
				struct ib_cm_id *cm;

				/* Two steps are two carries */
				if (step > 1)
					flip ^= step - 1;
				cm = cm_probe_find(be32_to_cpu(wire ^ (__force __be32)flip));
				if (!cm)
					continue;
				cm_probe_view(cm, &view);
				if (view.state == state)
					return cm;
				cm_probe_put(cm);
			}
		usleep_range(200, 500);
	} while (time_before(jiffies, end));
	return NULL;
}

/* A record for a subject that no consumer has. */
static void fsm_ghost(struct fsm *f, const u8 *mad)
{
	struct rig_id *ghost = f->ghost;

	ghost->rig = f->rig;
	ghost->local_id = f->cm ? be32_to_cpu(f->cm->local_id) : 0xdeadbeef;
	ghost->service_id = FSM_CROWD_SERVICE;
	ghost->active = false;
	if (mad) {
		memcpy(ghost->request, mad, MAD_BYTES);
		ghost->tid = mad_get(mad, F_MAD_TID);
		ghost->peer_id = mad_get(mad, mad_attr(mad) == ATTR_REQ ? "local_comm_id" :
									  "request_id");
		if (mad_attr(mad) == ATTR_REQ)
			ghost->peer_qpn = mad_get(mad, "local_qpn");
	} else {
		ghost->tid = ++f->rig->tid;
		ghost->peer_id = f->rig->peer_comm_id++;
		ghost->peer_qpn = f->rig->peer_qpn++;
	}
	f->id = ghost;
}

static bool fsm_bring_claimed(struct fsm *f, unsigned int state)
{
	struct rig_id *before;
	u8 mad[MAD_BYTES];

	if (!fsm_crowd(f))
		return false;
	before = rig_id_create(f->rig);
	if (state == CM_ID_REQ_NEW)
		rig_make_req(f->rig, FSM_CROWD_SERVICE, mad);
	else
		rig_make_sidr_req(f->rig, FSM_CROWD_SERVICE, mad);
	rig_peer_send(f->rig, mad);
	f->cm = fsm_guess(before->local_id, state);
	f->found = f->cm;
	KUNIT_EXPECT_NOT_NULL_MSG(f->test, f->cm, "no id is in %s", cm_probe_state_name(0, state));
	fsm_ghost(f, mad);
	/* It is resolved, and waits for its turn. */
	return f->cm && rig_until(({
		struct cm_probe_totals totals;

		cm_probe_totals(&totals);
		!totals.queued;
	}));
}

/* ---- what happens behind a handler's back ---- */

static void fsm_destroyer(struct work_struct *work)
{
	struct fsm *f = container_of(work, struct fsm, destroyer);

	if (f->destroying)
		ib_destroy_cm_id(f->cm);
	else
		rig_unplug(f->rig);
}

/**
 * fsm_destroy_later - destroy the subject, which waits for its handler
 * @f: the cell
 *
 * Context: any.
 */
void fsm_destroy_later(struct fsm *f)
{
	f->destroying = true;
	INIT_WORK(&f->destroyer, fsm_destroyer);
	schedule_work(&f->destroyer);
}

/**
 * fsm_unplug_later - remove the device, which waits for the handlers
 * @f: the cell
 *
 * Context: any.
 */
void fsm_unplug_later(struct fsm *f)
{
	f->destroying = false;
	INIT_WORK(&f->destroyer, fsm_destroyer);
	schedule_work(&f->destroyer);
}

/**
 * fsm_finish - wait for what was started behind the handler's back
 * @f: the cell; its gates are open
 *
 * Context: sleeps.
 */
void fsm_finish(struct fsm *f)
{
	if (f->destroyer.func)
		flush_work(&f->destroyer);
	if (f->closer.func)
		flush_work(&f->closer);
}

/* ---- the way to a state ---- */

static bool fsm_active_only(unsigned int state)
{
	switch (state) {
	case CM_ID_REQ_SENT:
	case CM_ID_MRA_REQ_RCVD:
	case CM_ID_REP_RCVD:
	case CM_ID_MRA_REP_SENT:
	case CM_ID_TIMEWAIT_STALE:
		return true;
	default:
		return false;
	}
}

static bool fsm_passive_only(unsigned int state)
{
	switch (state) {
	case CM_ID_REQ_RCVD:
	case CM_ID_MRA_REQ_SENT:
	case CM_ID_REP_SENT:
	case CM_ID_MRA_REP_RCVD:
	case CM_ID_SIDR_REQ_RCVD:
		return true;
	default:
		return false;
	}
}

/* An attempt that the peer refuses: the id is as before, and has been told. */
static bool fsm_attempt(struct fsm *f, struct rig_id *id)
{
	u8 mad[MAD_BYTES];

	if (!rig_bring_on(id, CM_ID_REQ_SENT, true, id->hook))
		return false;
	rig_make(id, ATTR_REJ, mad);
	rig_peer_send(f->rig, mad);
	if (!rig_until(rig_state(id) == CM_ID_IDLE))
		return false;
	if (!id->hook)
		return rig_reaches(id, CM_ID_IDLE);
	return true;
}

static struct rig_id *fsm_root_active(struct fsm *f, unsigned int how)
{
	struct rig_id *id = rig_id_create(f->rig);

	if (how & FSM_BUSY) {
		id->hook = fsm_busy_hook;
		id->hook_data = &f->gate;
	}
	if (how & (FSM_BUSY | FSM_HISTORY) && !fsm_attempt(f, id))
		return NULL;
	if (how & FSM_BUSY && !fsm_entered(f, &f->gate))
		return NULL;
	if (how & FSM_BEHIND && !fsm_attempt(f, id))
		return NULL;
	return id;
}

static struct rig_id *fsm_root_passive(struct fsm *f, unsigned int how, bool sidr)
{
	struct rig_id *listener = rig_listen(f->rig, FSM_BUSY_SERVICE), *id;
	u8 mad[MAD_BYTES];

	if (how & FSM_BUSY) {
		listener->hook = fsm_busy_hook;
		listener->hook_data = &f->gate;
	}
	if (sidr)
		rig_make_sidr_req(f->rig, FSM_BUSY_SERVICE, mad);
	else
		rig_make_req(f->rig, FSM_BUSY_SERVICE, mad);
	rig_peer_send(f->rig, mad);
	id = rig_accepted(listener);
	KUNIT_EXPECT_NOT_NULL_MSG(f->test, id, "no request is delivered");
	if (id && how & FSM_BUSY && !fsm_entered(f, &f->gate))
		return NULL;
	return id;
}

static struct rig_id *fsm_root(struct fsm *f, unsigned int state, unsigned int how)
{
	bool active = !(how & FSM_XRC) && (fsm_active_only(state) || how & FSM_ACTIVE);

	if (state == CM_ID_SIDR_REQ_RCVD)
		return fsm_root_passive(f, how, true);
	if (active && !fsm_passive_only(state))
		return fsm_root_active(f, how);
	return fsm_root_passive(f, how, false);
}

/* The states that an id that is no connection can be in */
static bool fsm_is_idle(unsigned int state)
{
	return state == CM_ID_IDLE || state == CM_ID_LISTEN || state == CM_ID_SIDR_REQ_SENT ||
	       state == CM_ID_GONE || state == CM_ID_DEAD;
}

static bool fsm_bring_consumer(struct fsm *f, unsigned int state, unsigned int how)
{
	bool gone = state == CM_ID_GONE || state == CM_ID_DEAD;
	struct rig_id *id = fsm_root(f, state, how);
	bool passive;

	if (!id)
		return false;
	f->id = id;
	f->cm = id->cm;
	f->busy = how & FSM_BUSY;
	while (rig_event(id, 0))
		;
	passive = rig_state(id) == CM_ID_REQ_RCVD;
	if (fsm_is_idle(state) && passive &&
	    !rig_bring_on(id, CM_ID_IDLE, false, f->busy))
		return false;
	return rig_bring_on(id, gone ? CM_ID_IDLE : state, how & FSM_ACTIVE && !passive, f->busy);
}

static bool fsm_bring_gone(struct fsm *f)
{
	f->via = NULL;
	if (f->busy)
		fsm_unplug_later(f);
	else
		rig_unplug(f->rig);
	if (rig_until(rig_state(f->id) == CM_ID_GONE))
		return true;
	KUNIT_FAIL(f->test, "the id does not notice that its device is gone");
	return false;
}

static bool fsm_bring_dead(struct fsm *f)
{
	fsm_destroy_later(f);
	if (rig_until(rig_state(f->id) == CM_ID_DEAD))
		return true;
	KUNIT_FAIL(f->test, "the id is not destroyed");
	return false;
}

/**
 * fsm_fill - let events wait behind the running handler
 * @f: the cell; its subject is IDLE and busy
 * @events: so many
 *
 * Context: sleeps.
 * Return: false, and the test has failed, if they do not.
 */
bool fsm_fill(struct fsm *f, unsigned int events)
{
	struct cm_probe_view view;

	while (events--)
		if (!fsm_attempt(f, f->id))
			return false;
	cm_probe_view(f->cm, &view);
	f->queued = view.events;
	return true;
}

/**
 * fsm_bring - bring the subject into a state
 * @f: the cell
 * @state: CM_ID_*
 * @how: FSM_*
 *
 * Context: sleeps.
 * Return: false, and the test has failed, if it does not get there.
 */
bool fsm_bring(struct fsm *f, unsigned int state, unsigned int how)
{
	bool ok;

	if (f->passive)
		how &= ~FSM_ACTIVE;
	f->rig->qp_type = how & FSM_XRC ? IB_QPT_XRC_TGT : IB_QPT_RC;
	f->rig->alternate = how & FSM_ALTERNATE || state == CM_ID_EST_LAP_IDLE;
	switch (state) {
	case CM_ID_NONE:
		fsm_ghost(f, NULL);
		ok = true;
		break;
	case CM_ID_REQ_NEW:
	case CM_ID_SIDR_NEW:
		ok = fsm_bring_claimed(f, state);
		break;
	case CM_ID_GONE:
		ok = fsm_bring_consumer(f, state, how) && fsm_bring_gone(f);
		break;
	case CM_ID_DEAD:
		ok = fsm_bring_consumer(f, state, how | FSM_BUSY) && fsm_bring_dead(f);
		break;
	default:
		ok = fsm_bring_consumer(f, state, how);
		break;
	}
	f->rig->qp_type = IB_QPT_RC;
	f->rig->alternate = false;
	return ok;
}
