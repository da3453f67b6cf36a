// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite ib_cm_life: destroy in every state, on both sides and link layers, under
 * every circumstance.
 *
 * Owns: what must be true of a fact (see life.h), and the list of cases: one for
 * each circumstance, state and link layer.
 *
 * That destroy waits for a handler is judged by order; that it waits for nothing
 * else by a bound that is far below every time-out of a peer.
 */
#include <linux/module.h>

#include "life.h"

static const enum rdma_link_layer life_layers[] = {
	IB_LINK_LAYER_INFINIBAND, IB_LINK_LAYER_ETHERNET,
};

/* ---- cases ---- */

struct life_case {
	enum life_how how;
	enum rdma_link_layer layer;
	unsigned int state;
};

static struct life_case life_cases[LIFE_HOWS][ARRAY_SIZE(life_layers) * 32];

static const char *const life_how_names[LIFE_HOWS] = {
	[LIFE_LIVE]	 = "live peer",
	[LIFE_SILENT]	 = "silent peer",
	[LIFE_ANSWERS]	 = "peer answers",
	[LIFE_NEVER]	 = "sends never complete",
	[LIFE_ERROR]	 = "sends fail",
	[LIFE_LATE]	 = "sends complete late",
	[LIFE_REMOVED]	 = "device removed",
	[LIFE_SLEEPS]	 = "handler sleeps",
	[LIFE_QUEUED]	 = "events queued",
	[LIFE_STRANGERS] = "strangers' handlers",
	[LIFE_TIMER]	 = "timer fires",
	[LIFE_NOTIFY]	 = "notify in hardirq",
	[LIFE_OWN]	 = "by its handler",
	[LIFE_OTHER]	 = "by another's handler",
	[LIFE_NOMEM]	 = "handler: -ENOMEM",
	[LIFE_REFUSED]	 = "handler refuses",
	[LIFE_TWICE]	 = "twice",
};

/* The next case of a circumstance after prev. */
static const void *life_gen(enum life_how how, const void *prev, char *desc)
{
	struct life_case *all = life_cases[how];
	const struct life_case *last = prev;
	unsigned int i;

	static_assert(ARRAY_SIZE(life_cases[0]) >= 2 * 32);
	for (i = last ? last - all + 1 : 0; i < ARRAY_SIZE(life_layers) * life_nstates; i++) {
		const struct life_state *state = &life_states[i % life_nstates];
		enum rdma_link_layer layer = life_layers[i / life_nstates];

		if (!life_applies(how, state, layer))
			continue;
		all[i] = (struct life_case){ how, layer, i % life_nstates };
		snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s, %s: %s",
			 life_how_names[how], layer == IB_LINK_LAYER_ETHERNET ? "RoCE" : "IB",
			 state->name);
		return &all[i];
	}
	return NULL;
}

/* ---- what must be true ---- */

static s64 life_ms(ktime_t from, ktime_t to)
{
	return ktime_ms_delta(to, from);
}

/* Does the state want its destroy to be heard of? -ENOMEM to a REQ: the peer is to try again (field fault 30). */
static bool life_parts(const struct life_fact *f, const struct life_state *state)
{
	return state->attr && !(f->how == LIFE_NOMEM && state->state == CM_ID_REQ_RCVD);
}

#define LIFE_FIELD(test, f, name, want) \
	KUNIT_EXPECT_EQ_MSG(test, mad_get((f)->mad, name), want, "%s of the %s", name, \
			    mad_name(mad_attr((f)->mad)))

static void life_check_rej(struct kunit *test, const struct life_fact *f,
			   const struct life_state *state)
{
	bool unknown = state->state == CM_ID_REQ_SENT;
	/* A REJ of a REQ names no comm id of ours that the peer has not been told (12.6.7) */
	bool untold = state->rejected == REJ_OF_REQ;
	u64 guid = cpu_to_be64(f->guid);

	LIFE_FIELD(test, f, "reason", state->reason);
	LIFE_FIELD(test, f, "message_rejected", state->rejected);
	LIFE_FIELD(test, f, "local_comm_id", untold ? 0 : f->local_id);
	LIFE_FIELD(test, f, "remote_comm_id", unknown ? 0 : f->peer_id);
	LIFE_FIELD(test, f, F_MAD_TID, f->tid);
	if (state->reason != IB_CM_REJ_TIMEOUT)
		return;
	LIFE_FIELD(test, f, "rejected_info_length", sizeof(guid));
	KUNIT_EXPECT_MEMEQ(test, mad_bytes(f->mad, "ari"), &guid, sizeof(guid));
}

/* The parting message of a state. */
static void life_check_parting(struct kunit *test, const struct life_fact *f,
			       const struct life_state *state)
{
	KUNIT_EXPECT_EQ_MSG(test, mad_attr(f->mad), state->attr, "%s instead of %s",
			    mad_name(mad_attr(f->mad)), mad_name(state->attr));
	if (mad_attr(f->mad) != state->attr)
		return;
	switch (state->attr) {
	case ATTR_REJ:
		life_check_rej(test, f, state);
		break;
	case ATTR_DREQ:
		LIFE_FIELD(test, f, "local_comm_id", f->local_id);
		LIFE_FIELD(test, f, "remote_comm_id", f->peer_id);
		LIFE_FIELD(test, f, "remote_qpn_eecn", f->peer_qpn);
		break;
	case ATTR_DREP:
		LIFE_FIELD(test, f, "local_comm_id", f->local_id);
		LIFE_FIELD(test, f, "remote_comm_id", f->peer_id);
		if (state == f->state)
			LIFE_FIELD(test, f, F_MAD_TID, f->dreq_tid);
		break;
	case ATTR_SIDR_REP:
		LIFE_FIELD(test, f, "request_id", f->peer_id);
		LIFE_FIELD(test, f, "status", IB_SIDR_REJECT);
		LIFE_FIELD(test, f, F_MAD_TID, f->tid);
		break;
	}
}

/* The state that the race may have ended in before destroy came. */
static const struct life_state *life_other_state(const struct life_fact *f)
{
	const struct life_state *state = f->state;
	unsigned int to = f->how == LIFE_ANSWERS ? state->answered : CM_ID_ESTABLISHED, i;

	for (i = 0; i < life_nstates; i++)
		if (life_states[i].state == to && life_states[i].active == state->active &&
		    life_states[i].xrc == state->xrc)
			return &life_states[i];
	for (i = 0; i < life_nstates; i++)
		if (life_states[i].state == to && life_states[i].active == state->active)
			return &life_states[i];
	return state;
}

static void life_check_partings(struct kunit *test, const struct life_fact *f)
{
	const struct life_state *state = f->state, *other = state;
	bool raced = f->how == LIFE_ANSWERS || f->notified;

	KUNIT_EXPECT_LE_MSG(test, f->partings, 1, "more than one parting message");
	if (f->how == LIFE_ERROR) {
		KUNIT_EXPECT_EQ_MSG(test, f->partings, 0, "what fails is not on the wire");
		KUNIT_EXPECT_EQ_MSG(test, f->hits, f->overdue + !!state->attr,
				    "the parting message is posted once");
		return;
	}
	if (raced)
		other = life_other_state(f);
	if (f->notified)
		state = other;
	if (!f->partings) {
		/* Removal sends nothing; DREP to a DREQ that raced counts as a reply */
		KUNIT_EXPECT_TRUE_MSG(test,
				      f->how == LIFE_REMOVED || !life_parts(f, state) ||
				      !other->attr || (other->attr == ATTR_DREP && f->replies),
				      "no %s leaves", mad_name(state->attr));
		return;
	}
	if (raced && (!life_parts(f, state) || mad_attr(f->mad) != state->attr ||
		      (state->attr == ATTR_REJ && mad_get(f->mad, "reason") != state->reason)))
		state = other;
	KUNIT_EXPECT_TRUE_MSG(test, life_parts(f, state), "%s where none is due",
			      mad_name(mad_attr(f->mad)));
	if (life_parts(f, state))
		life_check_parting(test, f, state);
}

/* Which event may have come between the calls of destroy and its return? */
static int life_may_come(const struct life_fact *f)
{
	switch (f->how) {
	case LIFE_ANSWERS:
		return f->state->told;
	case LIFE_REMOVED:
		return f->state->removed;
	case LIFE_TIMER:
		return f->state->state == CM_ID_TIMEWAIT ||
		       f->state->state == CM_ID_TIMEWAIT_STALE ? IB_CM_TIMEWAIT_EXIT :
								 LIFE_NO_EVENT;
	case LIFE_NOTIFY:
		return f->notified ? IB_CM_USER_ESTABLISHED : LIFE_NO_EVENT;
	default:
		return LIFE_NO_EVENT;
	}
}

static void life_check_events(struct kunit *test, const struct life_fact *f)
{
	int due = life_may_come(f);
	unsigned int i;

	KUNIT_EXPECT_EQ_MSG(test, f->after, f->returned,
			    "a handler is called after destroy has returned");
	KUNIT_EXPECT_LE_MSG(test, f->returned - f->before, due == LIFE_NO_EVENT ? 0 : 1,
			    "an event more than is due");
	for (i = 0; i < LIFE_EVENTS; i++)
		if (f->types[i] != LIFE_NO_EVENT)
			KUNIT_EXPECT_EQ_MSG(test, f->types[i], due, "event %d", f->types[i]);
	if (f->how != LIFE_OWN && f->how != LIFE_NOMEM && f->how != LIFE_REFUSED)
		KUNIT_EXPECT_EQ_MSG(test, f->running, 0,
				    "a handler runs when destroy has returned");
}

static void life_check_time(struct kunit *test, const struct life_fact *f)
{
	ktime_t from = f->began;

	if (!f->began)
		return;
	switch (f->how) {
	case LIFE_SLEEPS:
		KUNIT_EXPECT_GE(test, life_ms(f->opened, f->handler_end), LIFE_SLEEP_MS);
		fallthrough;
	case LIFE_QUEUED:
	case LIFE_TWICE:
		/* Exactly for its own handler, the lower bound exact */
		KUNIT_EXPECT_TRUE(test, ktime_before(f->began, f->opened));
		KUNIT_EXPECT_NE(test, f->handler_end, 0);
		KUNIT_EXPECT_FALSE_MSG(test, ktime_before(f->ended, f->handler_end),
				       "destroy returns before the handler ends");
		from = f->handler_end;
		break;
	default:
		break;
	}
	KUNIT_EXPECT_LE_MSG(test, life_ms(from, f->ended), LIFE_BOUND_MS,
			    "destroy waits for something else");
}

static void life_check_how(struct kunit *test, const struct life_fact *f)
{
	bool waits = f->state->state == CM_ID_REP_SENT || f->state->state == CM_ID_MRA_REP_RCVD;

	switch (f->how) {
	case LIFE_QUEUED:
	case LIFE_STRANGERS:
		if (!f->state->alone)
			KUNIT_EXPECT_GE_MSG(test, f->queued, 1, "no event is queued");
		break;
	case LIFE_REMOVED:
		KUNIT_EXPECT_LE_MSG(test, f->side_ms, LIFE_BOUND_MS, "removal waits");
		break;
	case LIFE_NOTIFY:
		KUNIT_EXPECT_EQ_MSG(test, f->notify_odd, 0, "ib_cm_notify() returns what is not due");
		KUNIT_EXPECT_LE(test, f->notified, waits);
		break;
	case LIFE_TWICE:
		KUNIT_EXPECT_EQ_MSG(test, f->early, 1, "one call returns, the other one waits");
		break;
	default:
		break;
	}
}

/* Sends that nobody completes, of the state's way or of destroy, do not keep the id. */
static bool life_has_sent(const struct life_state *state)
{
	return state->state != CM_ID_IDLE && state->state != CM_ID_LISTEN;
}

static void life_check(struct kunit *test, const struct life_fact *f)
{
	KUNIT_EXPECT_TRUE_MSG(test, f->ready, "it was not brought into the state");
	if (!f->ready)
		return;
	KUNIT_EXPECT_TRUE_MSG(test, f->sound, "holders before destroy");
	life_check_time(test, f);
	life_check_partings(test, f);
	if (f->how != LIFE_TIMER && f->how != LIFE_ERROR)
		KUNIT_EXPECT_EQ_MSG(test, f->requests, 0, "its request is repeated");
	life_check_events(test, f);
	life_check_how(test, f);
	KUNIT_EXPECT_FALSE_MSG(test, f->found, "a look-up finds it");
	KUNIT_EXPECT_EQ_MSG(test, f->freed, 1, "it is still there");
	if ((f->how == LIFE_NEVER || f->how == LIFE_LATE) && life_has_sent(f->state) &&
	    f->state->attr)
		KUNIT_EXPECT_GE_MSG(test, f->posted, 1, "nothing is withheld");
}

static void life_run_case(struct kunit *test)
{
	const struct life_case *c = test->param_value;
	const struct life_fact *facts = life_facts(test, c->how, c->layer);
	unsigned int i;

	for (i = 0; i < life_recipes[c->how].rounds; i++)
		life_check(test, &facts[i * life_nstates + c->state]);
}

#define LIFE_CIRCUMSTANCE(name, how)						\
static const void *life_##name##_gen(struct kunit *test, const void *prev, char *desc) \
{										\
	return life_gen(how, prev, desc);					\
}										\
static void life_##name(struct kunit *test)					\
{										\
	life_run_case(test);							\
}

LIFE_CIRCUMSTANCE(peer_is_live, LIFE_LIVE)
LIFE_CIRCUMSTANCE(peer_is_silent, LIFE_SILENT)
LIFE_CIRCUMSTANCE(peer_answers_meanwhile, LIFE_ANSWERS)
LIFE_CIRCUMSTANCE(sends_never_complete, LIFE_NEVER)
LIFE_CIRCUMSTANCE(sends_fail, LIFE_ERROR)
LIFE_CIRCUMSTANCE(sends_complete_afterwards, LIFE_LATE)
LIFE_CIRCUMSTANCE(device_is_removed, LIFE_REMOVED)
LIFE_CIRCUMSTANCE(handler_sleeps, LIFE_SLEEPS)
LIFE_CIRCUMSTANCE(events_are_queued, LIFE_QUEUED)
LIFE_CIRCUMSTANCE(strangers_have_the_workers, LIFE_STRANGERS)
LIFE_CIRCUMSTANCE(timer_fires, LIFE_TIMER)
LIFE_CIRCUMSTANCE(notify_in_hardirq, LIFE_NOTIFY)
LIFE_CIRCUMSTANCE(by_its_own_handler, LIFE_OWN)
LIFE_CIRCUMSTANCE(by_another_handler, LIFE_OTHER)
LIFE_CIRCUMSTANCE(handler_returns_nomem, LIFE_NOMEM)
LIFE_CIRCUMSTANCE(handler_refuses, LIFE_REFUSED)
LIFE_CIRCUMSTANCE(twice_at_once, LIFE_TWICE)

static void life_layer_desc(const enum rdma_link_layer *layer, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s",
		 *layer == IB_LINK_LAYER_ETHERNET ? "RoCE" : "IB");
}

KUNIT_ARRAY_PARAM(life_layer, life_layers, life_layer_desc);

#define LIFE_LAYERS(name)	KUNIT_CASE_PARAM(name, life_layer_gen_params)

static struct kunit_case life_list[] = {
	KUNIT_CASE_PARAM(life_peer_is_live, life_peer_is_live_gen),
	KUNIT_CASE_PARAM(life_peer_is_silent, life_peer_is_silent_gen),
	KUNIT_CASE_PARAM(life_peer_answers_meanwhile, life_peer_answers_meanwhile_gen),
	KUNIT_CASE_PARAM(life_sends_never_complete, life_sends_never_complete_gen),
	KUNIT_CASE_PARAM(life_sends_fail, life_sends_fail_gen),
	KUNIT_CASE_PARAM(life_sends_complete_afterwards, life_sends_complete_afterwards_gen),
	KUNIT_CASE_PARAM(life_device_is_removed, life_device_is_removed_gen),
	KUNIT_CASE_PARAM(life_handler_sleeps, life_handler_sleeps_gen),
	KUNIT_CASE_PARAM(life_events_are_queued, life_events_are_queued_gen),
	KUNIT_CASE_PARAM(life_strangers_have_the_workers, life_strangers_have_the_workers_gen),
	KUNIT_CASE_PARAM(life_timer_fires, life_timer_fires_gen),
	KUNIT_CASE_PARAM(life_notify_in_hardirq, life_notify_in_hardirq_gen),
	KUNIT_CASE_PARAM(life_by_its_own_handler, life_by_its_own_handler_gen),
	KUNIT_CASE_PARAM(life_by_another_handler, life_by_another_handler_gen),
	KUNIT_CASE_PARAM(life_handler_returns_nomem, life_handler_returns_nomem_gen),
	KUNIT_CASE_PARAM(life_handler_refuses, life_handler_refuses_gen),
	KUNIT_CASE_PARAM(life_twice_at_once, life_twice_at_once_gen),
	LIFE_LAYERS(life_listener_waits_for_its_handlers),
	LIFE_LAYERS(life_share_returns_at_once),
	LIFE_LAYERS(life_listener_leaves_children),
	LIFE_LAYERS(life_listener_turns),
	LIFE_LAYERS(life_listener_by_its_handler),
	LIFE_LAYERS(life_share_by_its_handler),
	LIFE_LAYERS(life_own_handler_again),
	LIFE_LAYERS(life_listener_twice),
	KUNIT_CASE(life_many_completed),
	KUNIT_CASE(life_many_completed_just_now),
	KUNIT_CASE(life_many_first_send),
	KUNIT_CASE(life_many),
	{}
};

static void life_exit(struct kunit_suite *suite)
{
	life_forget();
}

static struct kunit_suite life_suite = {
	.name = "ib_cm_life",
	.suite_exit = life_exit,
	.init = rig_case,
	.test_cases = life_list,
};
kunit_test_suites(&life_suite);

MODULE_DESCRIPTION("KUnit: destroy of the InfiniBand CM's ids, in every state and circumstance");
MODULE_LICENSE("GPL");
