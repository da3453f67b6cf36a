// SPDX-License-Identifier: GPL-2.0-only
/*
 * The suite ib_cm_fsm: one case per cell, and what is compared in it.
 *
 * Owns: the comparison of what can be seen (return value, state, datagrams,
 * events, timer, holders) with a line of kunit/expected.tsv; the tally.
 *
 * The device stays from case to case, unless one removes it. The times are so
 * long that nothing happens of itself, except where a case makes them short.
 */
#include <linux/delay.h>
#include <linux/module.h>

#include "fsm.h"
#include "fsm_expected.h"

static char *only;
module_param(only, charp, 0444);
MODULE_PARM_DESC(only, "Cells whose name contains one of these words, e.g. \"DREQ in,REP in REQ_SENT\" (default: all)");

static const struct loop_config fsm_config = { .layer = IB_LINK_LAYER_INFINIBAND };

static struct rig *fsm_rig;	/* the subjects' */
static struct rig *fsm_second;	/* speaks to ids whose device is gone */
static struct fsm fsm_now;

static struct {
	unsigned int cells, passive, asked, columns, unknown;
} fsm_tally;

/* Cells that are said to be out of reach, and were met all the same */
static unsigned long fsm_reached[BITS_TO_LONGS(ARRAY_SIZE(fsm_expected))];

#define fsm_differs(f, column, fmt, ...)						\
	KUNIT_FAIL((f)->test, "expected.tsv:%u: %s: %s: " fmt " (%s)", (f)->want->line,	\
		   (f)->want->name, column, ##__VA_ARGS__, (f)->want->source)

/* ---- hits ---- */

/* What was met on the way counts for the table of what cannot be met. */
static void fsm_hits_clear(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(fsm_expected); i++) {
		const struct fsm_expected *want = &fsm_expected[i];

		if (fsm_cannot(want) && cm_probe_hits(want->machine, want->event, want->state))
			__set_bit(i, fsm_reached);
	}
	cm_probe_hits_clear();
}

/**
 * fsm_met - has the cell been met?
 * @f: the cell
 *
 * Context: any.
 * Return: whether it has, since fsm_begin().
 */
bool fsm_met(const struct fsm *f)
{
	return cm_probe_hits(f->want->machine, f->want->event, f->want->state);
}

/**
 * fsm_hit - wait for the cell to be met
 * @f: the cell
 *
 * Context: sleeps.
 * Return: false, and the test has failed, if it is not.
 */
bool fsm_hit(struct fsm *f)
{
	u8 event, state;

	if (rig_until(fsm_met(f)))
		return true;
	cm_probe_last(f->want->machine, &event, &state);
	KUNIT_FAIL(f->test, "%s is not met; the last was %s in %s", f->want->name,
		   cm_probe_event_name(f->want->machine, event) ? : "none",
		   cm_probe_state_name(f->want->machine, state) ? : "none");
	return false;
}

/* ---- rest ---- */

/**
 * fsm_quiet - wait until nothing happens of itself
 * @f: the cell; handlers that were running before it may go on
 *
 * Context: sleeps.
 */
void fsm_quiet(struct fsm *f)
{
	unsigned long end = jiffies + msecs_to_jiffies(RIG_WAIT_MS);
	struct cm_probe_totals totals;
	unsigned int quiet = 0;

	rig_flush(f->rig);
	if (f->via && f->via != f->rig)
		rig_flush(f->via);
	do {
		cm_probe_totals(&totals);
		quiet = totals.queued || totals.runners > f->runners ? 0 : quiet + 1;
		if (quiet < 2)
			usleep_range(100, 300);
	} while (quiet < 2 && time_before(jiffies, end));
	KUNIT_EXPECT_GE_MSG(f->test, quiet, 2u, "no rest: %lu queued, %lu running", totals.queued,
			    totals.runners);
	rig_flush(f->rig);
	if (f->via && f->via != f->rig)
		rig_flush(f->via);
}

/**
 * fsm_rest - take note of what runs
 * @f: the cell; what still runs now waits for us, or it would have ended
 *
 * Context: sleeps.
 */
void fsm_rest(struct fsm *f)
{
	struct cm_probe_totals totals;
	unsigned int i;

	f->runners = ULONG_MAX;
	fsm_quiet(f);
	f->runners = 0;
	for (i = 0; i < 20; i++) {
		cm_probe_totals(&totals);
		if (!totals.runners)
			return;
		if (f->busy || f->listener)
			break;
		usleep_range(200, 400);
	}
	f->runners = totals.runners;
}

static void fsm_drain(struct rig *rig)
{
	while (rig_peer_recv(rig, 0, NULL, 0))
		;
}

/**
 * fsm_begin - what happened so far was the way to the state
 * @f: the cell
 *
 * Context: sleeps.
 */
void fsm_begin(struct fsm *f)
{
	struct cm_probe_view view = {};

	if (f->cm)
		cm_probe_view(f->cm, &view);
	f->local_id = view.local_id;
	fsm_keep(f);
}

/**
 * fsm_keep - the same, of a subject that is gone
 * @f: the cell; what is known of the subject is kept
 *
 * Context: sleeps.
 */
void fsm_keep(struct fsm *f)
{
	struct cm_probe_view view = {};

	if (!f->via) {
		if (!fsm_second)
			fsm_second = rig_open(f->test, &fsm_config);
		fsm_second->test = f->test;
		f->via = fsm_second;
	}
	fsm_rest(f);
	fsm_drain(f->rig);
	fsm_drain(f->via);
	if (f->cm)
		cm_probe_view(f->cm, &view);
	f->queued = view.events;
	f->seen = f->id ? f->id->delivered : 0;
	fsm_hits_clear();
}

/* ---- comparison ---- */

static bool fsm_fixed(struct fsm *f, u8 column)
{
	bool fixed = !(f->want->unknown & column);

	fsm_tally.columns++;
	if (!fixed)
		fsm_tally.unknown++;
	return fixed;
}

static const char *fsm_state_name(const struct fsm *f, unsigned int state)
{
	return cm_probe_state_name(f->want->machine, state) ? : "nothing";
}

/* Other ids of the case may have their own say. */
static bool fsm_is_others(struct fsm *f, const u8 *mad)
{
	const char *name = mad_attr(mad) == ATTR_SIDR_REQ ? "request_id" : "local_comm_id";
	const struct rig_id *id;
	u32 local_id;

	if (mad_attr(mad) == ATTR_SIDR_REP)
		return false;
	if (f->stranger && mad_attr(mad) == ATTR_REJ &&
	    mad_get(mad, "remote_comm_id") == f->stranger)
		return true;
	local_id = mad_get(mad, name);
	list_for_each_entry(id, &f->rig->ids, node)
		if (id != f->id && id->local_id == local_id && local_id != f->local_id)
			return true;
	return false;
}

static void fsm_collect(struct fsm *f, struct rig *rig)
{
	u8 mad[MAD_BYTES];

	while (f->nmads < ARRAY_SIZE(f->mads) && rig_peer_recv(rig, 0, mad, 0))
		if (!fsm_is_others(f, mad))
			memcpy(f->mads[f->nmads++], mad, MAD_BYTES);
}

static void fsm_compare_fields(struct fsm *f, const struct fsm_mad *want, const u8 *mad)
{
	const struct fsm_field *field;

	for (field = want->fields; field < want->fields + FSM_FIELDS && field->name; field++)
		if (mad_get(mad, field->name) != field->value)
			fsm_differs(f, "mads", "%s of %s is %llu instead of %llu", field->name,
				    mad_name(want->attr), mad_get(mad, field->name), field->value);
}

static void fsm_compare_mads(struct fsm *f)
{
	const struct fsm_expected *want = f->want;
	unsigned int i, at = 0;

	for (i = 0; i < want->nmads; i++) {
		const struct fsm_mad *mad = &want->mads[i];

		if (at == f->nmads || mad_attr(f->mads[at]) != mad->attr) {
			fsm_differs(f, "mads", "%s instead of %s",
				    at == f->nmads ? "nothing" : mad_name(mad_attr(f->mads[at])),
				    mad_name(mad->attr));
			return;
		}
		do
			fsm_compare_fields(f, mad, f->mads[at++]);
		while (mad->many && at < f->nmads && mad_attr(f->mads[at]) == mad->attr);
	}
	for (; at < f->nmads; at++)
		fsm_differs(f, "mads", "%s besides", mad_name(mad_attr(f->mads[at])));
}

static u64 fsm_event_value(const struct ib_cm_event *event, const char *name)
{
	if (!strcmp(name, "reason"))
		return event->param.rej_rcvd.reason;
	if (!strcmp(name, "service_timeout"))
		return event->param.mra_rcvd.service_timeout;
	if (event->event == IB_CM_SIDR_REP_RECEIVED)
		return strcmp(name, "qpn") ? event->param.sidr_rep_rcvd.status :
					     event->param.sidr_rep_rcvd.qpn;
	return event->param.send_status;
}

static void fsm_compare_events(struct fsm *f)
{
	const struct fsm_expected *want = f->want;
	unsigned int i, at = f->seen;

	for (i = 0; i < want->nevents; i++, at++) {
		const struct fsm_told *told = &want->events[i];
		const struct fsm_field *field;
		const struct rig_event *event;

		if (!f->id || at >= f->id->delivered) {
			fsm_differs(f, "events", "no event instead of %d", told->type);
			return;
		}
		event = &f->id->events[at];
		if (event->type != told->type) {
			fsm_differs(f, "events", "%d instead of %d", event->type, told->type);
			return;
		}
		for (field = told->fields; field < told->fields + FSM_FIELDS && field->name; field++)
			if (fsm_event_value(&event->raw, field->name) != field->value)
				fsm_differs(f, "events", "%s of %d is %llu instead of %llu",
					    field->name, told->type,
					    fsm_event_value(&event->raw, field->name), field->value);
	}
	for (; f->id && at < f->id->delivered; at++)
		fsm_differs(f, "events", "event %d besides", f->id->events[at].type);
}

static unsigned int fsm_next(const struct fsm *f)
{
	return f->want->next == CM_STAY ? f->want->state : f->want->next;
}

static void fsm_compare_view(struct fsm *f)
{
	const struct fsm_expected *want = f->want;
	unsigned int timer = FSM_TIMER_NONE;
	struct cm_probe_view view;

	cm_probe_view(f->cm, &view);
	if (view.armed || view.queued)
		timer = FSM_TIMER_RESPONSE;
	else if (view.timewait)
		timer = FSM_TIMER_TIMEWAIT;
	if (fsm_fixed(f, FSM_NEXT) && view.state != fsm_next(f))
		fsm_differs(f, "next", "%s instead of %s", fsm_state_name(f, view.state),
			    fsm_state_name(f, fsm_next(f)));
	if (fsm_fixed(f, FSM_TIMER) && timer != want->timer)
		fsm_differs(f, "timer", "%u instead of %u", timer, want->timer);
	if (fsm_fixed(f, FSM_HOLDERS) && view.holders != want->holders)
		fsm_differs(f, "holders", "%#x instead of %#x", view.holders, want->holders);
	if (f->busy && view.events != f->queued)
		fsm_differs(f, "events", "%u wait instead of %u", view.events, f->queued);
}

/* Of an id that is gone nothing is found any more, nor of its service. */
static void fsm_compare_gone(struct fsm *f)
{
	struct ib_cm_id *still = cm_probe_find(f->local_id);
	unsigned long met = cm_probe_hits(CM_MACHINE_ID, CM_ID_ON_REQ_NO_LISTENER, CM_ID_NONE);
	u8 mad[MAD_BYTES];

	if (still) {
		cm_probe_put(still);
		fsm_differs(f, "next", "the id is still found");
	}
	if (f->want->state != CM_ID_LISTEN || !f->rig->dev)
		return;
	rig_make_req(f->rig, f->id->service_id, mad);
	rig_peer_send(f->rig, mad);
	rig_flush(f->rig);
	if (cm_probe_hits(CM_MACHINE_ID, CM_ID_ON_REQ_NO_LISTENER, CM_ID_NONE) == met)
		fsm_differs(f, "next", "its service id still has a listener");
}

/**
 * fsm_compare_wire - compare what the peer got
 * @f: the cell
 *
 * Context: sleeps.
 */
void fsm_compare_wire(struct fsm *f)
{
	fsm_collect(f, f->rig);
	if (f->via != f->rig)
		fsm_collect(f, f->via);
	if (fsm_fixed(f, FSM_MADS))
		fsm_compare_mads(f);
}

/**
 * fsm_check - compare a number
 * @f: the cell
 * @column: of the table
 * @seen: what is there
 * @expected: what should be
 *
 * Context: any.
 */
void fsm_check(struct fsm *f, const char *column, long seen, long expected)
{
	fsm_tally.columns++;
	if (seen != expected)
		fsm_differs(f, column, "%ld instead of %ld", seen, expected);
}

static void fsm_compare(struct fsm *f)
{
	const struct fsm_expected *want = f->want;

	/* A timer that repeats will strike again: no time to lose */
	if (want->event != CM_ID_ON_TIMEOUT)
		fsm_quiet(f);
	else
		KUNIT_EXPECT_TRUE(f->test, rig_until(rig_peer_waiting(f->rig)));
	if (f->cm)
		fsm_compare_view(f);
	if (fsm_fixed(f, FSM_RESULT) && want->result != FSM_NO_RESULT && f->result != want->result)
		fsm_differs(f, "result", "%d instead of %d", f->result, want->result);
	if (fsm_fixed(f, FSM_EVENTS))
		fsm_compare_events(f);
	fsm_compare_wire(f);
	if (fsm_next(f) == CM_ID_DEAD)
		fsm_compare_gone(f);
}

/* ---- the cases ---- */

static bool fsm_happens(struct fsm *f)
{
	unsigned int event = f->want->event;

	if (event <= CM_ID_ON_CALL_PATH_MIG_NONE)
		return fsm_call(f);
	if (event >= CM_ID_ON_REQ_FRESH && event <= CM_ID_ON_LOST)
		return fsm_message(f);
	return fsm_internal(f);
}

static void fsm_cell(struct kunit *test)
{
	const struct fsm_expected *want = test->param_value;
	unsigned long violations = cm_probe_violations();
	struct fsm *f = &fsm_now;

	f->want = want;
	if (fsm_cannot(want)) {
		fsm_tally.asked++;
		if (want->machine == CM_MACHINE_SHARE)
			fsm_share(f);
		else if (fsm_ask(f))
			fsm_compare(f);
		cm_probe_hits_clear();
		goto out;
	}
	fsm_tally.cells++;
	if (want->machine == CM_MACHINE_SHARE) {
		fsm_share(f);
	} else if (want->machine == CM_MACHINE_TW) {
		fsm_record(f);
	} else if (fsm_happens(f)) {
		/* What the call decides itself, the table has to say as well. */
		if (fsm_unseen(want))
			fsm_check(f, "result", cm_probe_happen(f->cm, want->event), want->result);
		KUNIT_EXPECT_TRUE_MSG(test, fsm_met(f), "%s is not met", want->name);
		fsm_compare(f);
	}
out:
	KUNIT_EXPECT_EQ_MSG(test, cm_probe_violations(), violations,
			    "an assertion of holders failed");
}

/* Can an id be in this state on either side, and does the event not ask for one? */
static bool fsm_has_sides(const struct fsm_expected *want)
{
	if (want->machine != CM_MACHINE_ID)
		return false;
	switch (want->state) {
	case CM_ID_IDLE:
	case CM_ID_LISTEN:
	case CM_ID_ESTABLISHED:
	case CM_ID_EST_LAP_IDLE:
	case CM_ID_EST_LAP_RCVD:
	case CM_ID_EST_MRA_LAP_SENT:
	case CM_ID_DREQ_SENT:
	case CM_ID_DREQ_RCVD:
	case CM_ID_TIMEWAIT:
	case CM_ID_GONE:
	case CM_ID_DEAD:
		break;
	default:
		return false;
	}
	switch (want->event) {
	case CM_ID_ON_CALL_LISTEN ... CM_ID_ON_CALL_PATH_MIG_NONE:
	case CM_ID_ON_PEER_RESTARTED:
	case CM_ID_ON_MRA_LAP:
	case CM_ID_ON_REP_UNKNOWN:
	case CM_ID_ON_REJ ... CM_ID_ON_APR:
	case CM_ID_ON_SIDR_REP ... CM_ID_ON_WRONG_ROLE:
	case CM_ID_ON_REMOVED:
	case CM_ID_ON_DESTROY:
	case CM_ID_ON_HANDLER_REFUSED:
	case CM_ID_ON_HANDLER_NOMEM:
		return true;
	default:
		return false;
	}
}

static bool fsm_wanted(const struct fsm_expected *want)
{
	const char *word = only, *end, *at;

	for (; word; word = *end ? end + 1 : NULL) {
		end = strchrnul(word, ',');
		for (at = want->name; *at; at++)
			if (!strncmp(at, word, end - word))
				return true;
	}
	return !only;
}

/* The same on the passive side. */
static void fsm_passive_cell(struct kunit *test)
{
	fsm_now.passive = true;
	fsm_cell(test);
	fsm_tally.cells--;
	fsm_tally.passive++;
}

static const void *fsm_passive_params(struct kunit *test, const void *last, char *desc)
{
	const struct fsm_expected *want = last ? (const struct fsm_expected *)last + 1 :
						 fsm_expected;

	for (; want < fsm_expected + ARRAY_SIZE(fsm_expected); want++) {
		if (fsm_cannot(want) || !fsm_has_sides(want) || !fsm_wanted(want))
			continue;
		snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s, passive", want->name);
		return want;
	}
	return NULL;
}

static const void *fsm_params(struct kunit *test, const void *last, char *desc)
{
	const struct fsm_expected *want = last ? (const struct fsm_expected *)last + 1 :
						 fsm_expected;

	for (; want < fsm_expected + ARRAY_SIZE(fsm_expected); want++) {
		if (!fsm_wanted(want))
			continue;
		strscpy(desc, want->name, KUNIT_PARAM_DESC_SIZE);
		return want;
	}
	return NULL;
}

/* Nothing that is said to be out of reach was met by the way. */
static void fsm_out_of_reach(struct kunit *test)
{
	const char *reasons[32] = {};
	unsigned int counts[32] = {}, i, k;

	fsm_hits_clear();
	for (i = 0; i < ARRAY_SIZE(fsm_expected); i++) {
		const struct fsm_expected *want = &fsm_expected[i];
		const char *reason = fsm_cannot(want);

		if (!reason)
			continue;
		KUNIT_EXPECT_FALSE_MSG(test, test_bit(i, fsm_reached),
				       "%s can be met: take it off fsm_cannot.c", want->name);
		for (k = 0; k < ARRAY_SIZE(reasons) && reasons[k] && reasons[k] != reason; k++)
			;
		KUNIT_ASSERT_LT(test, k, (unsigned int)ARRAY_SIZE(reasons));
		reasons[k] = reason;
		counts[k]++;
	}
	for (k = 0; k < ARRAY_SIZE(reasons) && reasons[k]; k++)
		kunit_info(test, "nothing leads to %u cells: %s", counts[k], reasons[k]);
	kunit_info(test,
		   "of %u cells %u were brought about, %u of them on both sides, %u asked for directly; %u of %u columns have no source",
		   (unsigned int)ARRAY_SIZE(fsm_expected), fsm_tally.cells, fsm_tally.passive,
		   fsm_tally.asked, fsm_tally.unknown, fsm_tally.columns);
}

static void fsm_nothing_left(struct kunit *test)
{
	struct rig *rig = fsm_rig, *second = fsm_second;

	fsm_rig = NULL;
	fsm_second = NULL;
	rig_close(second, NULL);
	rig_close(rig, test);
}

static int fsm_init(struct kunit *test)
{
	struct fsm *f = &fsm_now;
	struct rig_id *ghost;
	int err = rig_case(test);

	if (err)
		return err;
	if (!fsm_rig)
		fsm_rig = rig_open(test, &fsm_config);
	fsm_rig->test = test;
	if (!fsm_rig->dev)
		rig_plug(fsm_rig);
	fsm_rig->response_time = 20;
	fsm_rig->life_time = 19;
	fsm_rig->ack_time = 20;
	fsm_rig->retries = 3;

	memset(f, 0, sizeof(*f));
	ghost = kunit_kzalloc(test, sizeof(*ghost), GFP_KERNEL);
	if (!ghost)
		return -ENOMEM;
	f->test = test;
	f->rig = fsm_rig;
	f->via = fsm_rig;
	f->ghost = ghost;
	init_completion(&f->gate.entered);
	init_completion(&f->gate.go);
	init_completion(&f->crowd.entered);
	init_completion(&f->crowd.go);
	return 0;
}

static void fsm_exit(struct kunit *test)
{
	struct fsm *f = &fsm_now;

	if (!fsm_rig || !f->rig)
		return;
	fsm_let_go(f, 0);
	fsm_crowd_go(f, true);
	fsm_finish(f);
	if (f->destroying && f->id)
		f->id->cm = NULL;
	if (f->found)
		cm_probe_put(f->cm);
	rig_clear(f->rig);
	if (fsm_second)
		rig_clear(fsm_second);
	f->rig = NULL;
}

/* What other suites met, by races of theirs, is not this one's. */
static int fsm_suite_init(struct kunit_suite *suite)
{
	cm_probe_hits_clear();
	return 0;
}

static void fsm_suite_exit(struct kunit_suite *suite)
{
	rig_close(fsm_second, NULL);
	rig_close(fsm_rig, NULL);
	fsm_rig = NULL;
	fsm_second = NULL;
}

static struct kunit_case fsm_cases[] = {
	KUNIT_CASE_PARAM(fsm_cell, fsm_params),
	KUNIT_CASE_PARAM(fsm_passive_cell, fsm_passive_params),
	KUNIT_CASE(fsm_out_of_reach),
	KUNIT_CASE(fsm_nothing_left),
	{}
};

static struct kunit_suite fsm_suite = {
	.name = "ib_cm_fsm",
	.init = fsm_init,
	.exit = fsm_exit,
	.suite_init = fsm_suite_init,
	.suite_exit = fsm_suite_exit,
	.test_cases = fsm_cases,
};

kunit_test_suite(fsm_suite);

MODULE_DESCRIPTION("Every cell of ib_cm's state machines");
MODULE_LICENSE("GPL");
