// SPDX-License-Identifier: GPL-2.0-only
/*
 * A run: all states on one device, destroyed under one circumstance.
 *
 * Owns: the ways into the states with the handler free or held, the collection
 * of what was seen, the results until life_forget().
 *
 * Locks: none; handlers only write what is theirs in the fact or at the gate.
 */
#include <linux/slab.h>
#include <linux/wait.h>

#include "life.h"

#define LIFE_SERVICE	(RIG_SERVICE + 0x40)	/* of the listener whose handlers are held */

static struct life_fact *life_results[LIFE_HOWS][2];	/* RoCE's second */
static bool life_over[LIFE_HOWS][2];

/* ---- destroy ---- */

static unsigned int life_delivered(struct rig_id *id)
{
	/* Pairs with the release in rig_handler() */
	return smp_load_acquire(&id->delivered);
}

/**
 * life_destroy - destroy the fact's id
 * @fact: whose
 *
 * Context: sleeps.
 */
void life_destroy(struct life_fact *fact)
{
	struct rig_id *id = fact->id;

	fact->began = ktime_get();
	rig_id_destroy(id);
	fact->ended = ktime_get();
	fact->running = READ_ONCE(id->running);
	fact->returned = life_delivered(id);
}

/**
 * life_destroy_alone - the same, and see what it leaves
 * @fact: whose; no other id comes or goes meanwhile
 *
 * Context: sleeps.
 */
void life_destroy_alone(struct life_fact *fact)
{
	struct cm_probe_totals before, after;

	cm_probe_totals(&before);
	life_destroy(fact);
	cm_probe_totals(&after);
	fact->freed = before.ids - after.ids;
	fact->posted = after.posted;
}

/* ---- the way there ---- */

/* What the ways of some states need is said by the requests of both sides. */
static void life_dress(struct life_run *run, const struct life_state *state)
{
	run->rig->alternate = state && state->state == CM_ID_EST_LAP_IDLE;
	run->rig->qp_type = state && state->xrc ? IB_QPT_XRC_TGT : IB_QPT_RC;
}

/* The peer rejects our REQ: the id is IDLE, and an event is there. */
static bool life_rejected(struct rig_id *id)
{
	u8 mad[MAD_BYTES];

	if (rig_send_req(id) || !rig_peer_recv(id->rig, ATTR_REQ, NULL, RIG_WAIT_MS))
		return false;
	rig_make(id, ATTR_REJ, mad);
	rig_peer_send(id->rig, mad);
	return rig_until(rig_state(id) == CM_ID_IDLE);
}

/* Its first event's handler is held: of ours, the REJ of an attempt before this one. */
static struct rig_id *life_hold_active(struct life_run *run)
{
	struct rig_id *id = rig_id_create(run->rig);

	WRITE_ONCE(id->hook, life_gate_hook);
	if (!life_rejected(id) || !rig_until(life_gate_holds(id)))
		return NULL;
	if (life_recipes[run->how].behind && !life_rejected(id))
		return NULL;
	return id;
}

/* Of the peer's, its request. */
static struct rig_id *life_hold_passive(struct life_run *run, const struct life_state *state)
{
	struct rig_id *id;
	u8 mad[MAD_BYTES];

	if (state->state == CM_ID_SIDR_REQ_RCVD)
		rig_make_sidr_req(run->rig, LIFE_SERVICE, mad);
	else
		rig_make_req(run->rig, LIFE_SERVICE, mad);
	rig_peer_send(run->rig, mad);
	id = rig_accepted(run->listener);
	return id && rig_until(life_gate_holds(id)) ? id : NULL;
}

static struct rig_id *life_hold(struct life_run *run, const struct life_state *state)
{
	struct rig_id *id = state->active ? life_hold_active(run) : life_hold_passive(run, state);

	if (!id) {
		KUNIT_FAIL(run->test, "%s: its handler is not held", state->name);
		return NULL;
	}
	return rig_bring_on(id, state->state, state->active, true) ? id : NULL;
}

/* Where strangers have the workers: as far as the id gets without an event, then the rest of the way. */
static struct rig_id *life_root(struct life_run *run, const struct life_state *state)
{
	if (state->active)
		return rig_id_create(run->rig);
	return rig_bring(run->rig, state->state == CM_ID_SIDR_REQ_RCVD ? CM_ID_SIDR_REQ_RCVD :
			 CM_ID_REQ_RCVD, false);
}

static bool life_go_on(struct rig_id *id, const struct life_state *state)
{
	if (state->active && !life_rejected(id))
		return false;
	return rig_bring_on(id, state->state, state->active, true);
}

static void life_bring(struct life_run *run)
{
	const struct life_recipe *recipe = &life_recipes[run->how];
	struct life_fact *f;

	life_each(run, f) {
		life_dress(run, f->state);
		if (recipe->busy)
			f->id = life_hold(run, f->state);
		else if (run->how == LIFE_STRANGERS)
			f->id = life_root(run, f->state);
		else
			f->id = rig_bring(run->rig, f->state->state, f->state->active);
		f->dreq_tid = run->rig->tid;
	}
	if (run->how != LIFE_STRANGERS)
		return;
	rig_settle(run->rig);
	life_strangers(run);
	life_each(run, f) {
		life_dress(run, f->state);
		if (f->id && !life_go_on(f->id, f->state))
			f->id = NULL;
		f->dreq_tid = run->rig->tid;
	}
}

/* ---- what is seen ---- */

static void life_look_before(struct life_fact *f)
{
	struct rig_id *id = f->id;
	struct cm_probe_view view;

	cm_probe_view(id->cm, &view);
	f->ready = view.state == f->state->state;
	f->sound = cm_probe_assert(id->cm) && view.holders == view.want;
	f->queued = view.events;
	f->local_id = id->local_id;
	f->peer_id = id->peer_id;
	f->peer_qpn = id->peer_qpn;
	f->tid = id->tid;
	f->guid = be64_to_cpu(id->rig->dev->node_guid);
	f->before = life_delivered(id);
	f->freed = 1;
}

static void life_look_after(const struct life_run *run, struct life_fact *f)
{
	struct rig_id *id = f->id;
	struct ib_cm_id *found = cm_probe_find(f->local_id);
	unsigned int i;

	f->found = found;
	if (found)
		cm_probe_put(found);
	f->after = life_delivered(id);
	f->opened = run->opened;
	/* Ended by what its handler returned */
	if (!f->began)
		f->returned = f->before;
	f->handler_end = life_gate_left(id);
	for (i = 0; i < LIFE_EVENTS; i++)
		f->types[i] = f->before + i < f->after ?
			      (int)id->events[f->before + i].type : LIFE_NO_EVENT;
}

/* Whose datagram is it? By our comm id, or where it names none, by the peer's. */
static struct life_fact *life_whose(struct life_run *run, const u8 *mad)
{
	struct life_fact *f;
	u32 local, peer = 0;

	switch (mad_attr(mad)) {
	case ATTR_SIDR_REQ:
		local = mad_get(mad, "request_id");
		break;
	case ATTR_SIDR_REP:
		local = 0;
		peer = mad_get(mad, "request_id");
		break;
	case ATTR_REQ:
		local = mad_get(mad, "local_comm_id");
		break;
	default:
		local = mad_get(mad, "local_comm_id");
		peer = mad_get(mad, "remote_comm_id");
		break;
	}
	life_each(run, f)
		if (f->id && (local ? f->local_id == local : f->peer_id == peer))
			return f;
	return NULL;
}

/* Not a parting message: the answer of whoever hears the peer's last words, id or not. */
static bool life_is_reply(const struct life_fact *f, const u8 *mad)
{
	switch (mad_attr(mad)) {
	case ATTR_REJ:
		return mad_get(mad, "reason") == IB_CM_REJ_INVALID_COMM_ID ||
		       mad_get(mad, "reason") == IB_CM_REJ_INVALID_SERVICE_ID;
	case ATTR_DREP:
		return f->answer_tid && mad_get(mad, F_MAD_TID) == f->answer_tid;
	default:
		return false;
	}
}

/* The id's own request: what its state waits for an answer to. */
static bool life_is_request(const struct life_fact *f, u16 attr)
{
	switch (attr) {
	case ATTR_REQ:
	case ATTR_REP:
	case ATTR_SIDR_REQ:
		return true;
	case ATTR_DREQ:
		return f->state->state == CM_ID_DREQ_SENT;
	default:
		return false;
	}
}

/**
 * life_read_wire - what the peer has got meanwhile
 * @run: the run
 *
 * Context: sleeps.
 */
void life_read_wire(struct life_run *run)
{
	struct life_fact *f;
	u8 mad[MAD_BYTES];

	while (rig_peer_recv(run->rig, 0, mad, 0)) {
		f = life_whose(run, mad);
		if (!f)
			continue;
		if (life_is_reply(f, mad))
			f->replies++;
		else if (life_is_request(f, mad_attr(mad)))
			f->requests++;
		else if (!f->partings++)
			memcpy(f->mad, mad, MAD_BYTES);
	}
}

/* ---- a run ---- */

static void life_round(struct life_run *run, enum rdma_link_layer layer)
{
	const struct life_recipe *recipe = &life_recipes[run->how];
	unsigned long violations = cm_probe_violations();
	struct rig *rig = rig_create(run->test, layer);
	struct life_fact *f;
	unsigned int i;

	run->rig = rig;
	rig->response_time = recipe->time;
	rig->life_time = recipe->time - 1;
	rig->ack_time = recipe->time;
	rig->retries = 15;
	/* Records of the round before are still there: to them it is another peer */
	rig->peer_guid += run->round;
	for (i = 0; i < life_nstates; i++) {
		run->facts[i] = (struct life_fact){ .how = run->how };
		if (life_applies(run->how, &life_states[i], layer))
			run->facts[i].state = &life_states[i];
	}
	life_gate_close(run);
	if (recipe->busy) {
		run->listener = rig_listen(rig, LIFE_SERVICE);
		WRITE_ONCE(run->listener->hook, life_gate_hook);
	}
	if (recipe->prepare)
		recipe->prepare(run);

	life_bring(run);
	life_dress(run, NULL);
	if (recipe->busy || run->how == LIFE_STRANGERS)
		rig_flush(rig);
	else
		rig_settle(rig);
	wire_drain(rig);
	life_each(run, f)
		if (f->id)
			life_look_before(f);

	recipe->strike(run);
	life_gate_open(run);
	rig_settle(rig);
	if (rig->dev) {
		loop_faults_clear(rig->dev);
		loop_hca_release(rig->dev);
		rig_settle(rig);
	}
	life_read_wire(run);
	life_each(run, f)
		if (f->id)
			life_look_after(run, f);
	KUNIT_EXPECT_EQ(run->test, cm_probe_violations(), violations);
	life_each(run, f)
		f->id = NULL;
}

const struct life_fact *life_facts(struct kunit *test, enum life_how how,
				   enum rdma_link_layer layer)
{
	struct life_fact **facts = &life_results[how][layer == IB_LINK_LAYER_ETHERNET];
	bool *over = &life_over[how][layer == IB_LINK_LAYER_ETHERNET];
	unsigned int rounds = life_recipes[how].rounds, i;
	struct life_run *run;

	/* What a run that was given up has seen says nothing */
	KUNIT_ASSERT_EQ_MSG(test, !!*facts, *over, "the run of this circumstance failed");
	if (*facts)
		return *facts;
	run = kunit_kzalloc(test, sizeof(*run), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, run);
	*facts = kcalloc(rounds * life_nstates, sizeof(**facts), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, *facts);
	run->test = test;
	run->how = how;
	for (i = 0; i < rounds; i++) {
		run->round = i;
		run->facts = *facts + i * life_nstates;
		life_round(run, layer);
	}
	*over = true;
	return *facts;
}

/**
 * life_forget - the results are not needed any more
 *
 * Context: process.
 */
void life_forget(void)
{
	unsigned int how;

	for (how = 0; how < LIFE_HOWS; how++) {
		kfree(life_results[how][0]);
		kfree(life_results[how][1]);
	}
	memset(life_results, 0, sizeof(life_results));
	memset(life_over, 0, sizeof(life_over));
}
