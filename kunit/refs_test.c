// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite ib_cm_refs: who holds an id, and what destroy waits for.
 *
 * Owns: the seeded violations of the holders' rule, its silence on every legal
 * path, references taken and dropped in task, softirq and hardirq context while
 * destroy runs.
 *
 * That destroy does not return early is judged by order, not by time: whoever
 * gives a reference back says so first, and destroy's return must see it.
 */
#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/timer.h>
#include <linux/workqueue.h>
#include <trace/events/printk.h>

#include "rig.h"
#include "../cm_core/generated/cm_model.h"

#define RACES		1000
#define HELD_MS		50	/* so long a destroy that has to wait is seen not to return */

static struct workqueue_struct *helpers;

/* ---- the sink of failed assertions ---- */

struct sink {
	unsigned int calls;
	unsigned int state;
	u32 want;
	u32 seen;
};

static struct sink sink;

/* Runs under the id's lock. */
static void sink_take(void *context, unsigned int state, u32 want, u32 seen)
{
	struct sink *s = context;

	s->calls++;
	s->state = state;
	s->want = want;
	s->seen = seen;
}

static int refs_init(struct kunit *test)
{
	memset(&sink, 0, sizeof(sink));
	cm_probe_sink(sink_take, &sink);
	return rig_case(test);
}

static void refs_exit(struct kunit *test)
{
	cm_probe_sink(NULL, NULL);
}

/* ---- states, and how to leave them by a call ---- */

struct place {
	u8 state;
	bool active;
	bool ib;	/* not on RoCE: no LAP there */
};

static const struct place places[] = {
	{ CM_ID_IDLE },
	{ CM_ID_LISTEN },
	{ CM_ID_REQ_SENT,		.active = true },
	{ CM_ID_REQ_RCVD },
	{ CM_ID_MRA_REQ_SENT },
	{ CM_ID_MRA_REQ_RCVD,		.active = true },
	{ CM_ID_REP_SENT },
	{ CM_ID_REP_RCVD,		.active = true },
	{ CM_ID_MRA_REP_SENT,		.active = true },
	{ CM_ID_MRA_REP_RCVD },
	{ CM_ID_ESTABLISHED,		.active = true },
	{ CM_ID_ESTABLISHED },
	{ CM_ID_EST_LAP_RCVD,		.ib = true },
	{ CM_ID_EST_MRA_LAP_SENT,	.ib = true },
	{ CM_ID_DREQ_SENT,		.active = true },
	{ CM_ID_DREQ_SENT },
	{ CM_ID_DREQ_RCVD,		.active = true },
	{ CM_ID_DREQ_RCVD },
	{ CM_ID_TIMEWAIT,		.active = true },
	{ CM_ID_TIMEWAIT },
	{ CM_ID_TIMEWAIT_STALE,		.active = true },
	{ CM_ID_SIDR_REQ_SENT,		.active = true },
	{ CM_ID_SIDR_REQ_RCVD },
};

static const char *place_name(const struct place *place)
{
	return cm_probe_state_name(CM_MACHINE_ID, place->state);
}

static int call_listen(struct rig_id *id)
{
	return ib_cm_listen(id->cm, cpu_to_be64(RIG_SERVICE + 0x77));
}

static int call_rtu(struct rig_id *id)
{
	return ib_send_cm_rtu(id->cm, NULL, 0);
}

static int call_dreq(struct rig_id *id)
{
	return ib_send_cm_dreq(id->cm, NULL, 0);
}

static int call_drep(struct rig_id *id)
{
	return ib_send_cm_drep(id->cm, NULL, 0);
}

static int call_rej(struct rig_id *id)
{
	return ib_send_cm_rej(id->cm, IB_CM_REJ_CONSUMER_DEFINED, NULL, 0, NULL, 0);
}

static int call_sidr_rep(struct rig_id *id)
{
	struct ib_cm_sidr_rep_param param = { .status = IB_SIDR_REJECT };

	return ib_send_cm_sidr_rep(id->cm, &param);
}

struct step {
	u8 from;
	bool active;
	int (*call)(struct rig_id *id);
	const char *name;
};

/* Each is one transition: one assertion. */
static const struct step steps[] = {
	{ CM_ID_IDLE,		false, call_listen,	"listen" },
	{ CM_ID_REQ_SENT,	true,  call_rej,	"reject one's own request" },
	{ CM_ID_REQ_RCVD,	false, rig_send_rep,	"reply" },
	{ CM_ID_REQ_RCVD,	false, call_rej,	"reject a request" },
	{ CM_ID_MRA_REQ_SENT,	false, rig_send_rep,	"reply after an MRA" },
	{ CM_ID_REP_RCVD,	true,  call_rtu,	"ready to use" },
	{ CM_ID_REP_RCVD,	true,  call_rej,	"reject a reply" },
	{ CM_ID_ESTABLISHED,	true,  call_dreq,	"disconnect, active side" },
	{ CM_ID_ESTABLISHED,	false, call_dreq,	"disconnect, passive side" },
	{ CM_ID_DREQ_RCVD,	true,  call_drep,	"answer a disconnect" },
	{ CM_ID_SIDR_REQ_RCVD,	false, call_sidr_rep,	"answer a resolution" },
};

static const u32 exact[] = {
	CM_ID_HOLD_OWNER,
	CM_ID_HOLD_REQUEST,
	CM_ID_HOLD_PEER,
	CM_ID_HOLD_QPN,
	CM_ID_HOLD_SIDR,
	CM_ID_HOLD_ENTRY,
	CM_ID_HOLD_RECORD,
};

/* ---- the assertion ---- */

/* A holder that is missing, or one too many, is told once, with the set that was seen. */
static void refs_seeded(struct kunit *test, struct rig *rig, const struct place *place)
{
	struct rig_id *id = rig_bring(rig, place->state, place->active);
	struct cm_probe_view view;
	unsigned long before;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL_MSG(test, id, "%s is out of reach", place_name(place));
	rig_settle(rig);
	cm_probe_view(id->cm, &view);
	before = cm_probe_violations();

	for (i = 0; i < ARRAY_SIZE(exact); i++) {
		memset(&sink, 0, sizeof(sink));

		cm_probe_lie(id->cm, exact[i]);
		KUNIT_EXPECT_FALSE_MSG(test, cm_probe_assert(id->cm), "%s, holder %#x",
				       place_name(place), exact[i]);
		KUNIT_EXPECT_EQ_MSG(test, sink.calls, 1, "%s, holder %#x", place_name(place),
				    exact[i]);
		KUNIT_EXPECT_EQ(test, sink.state, view.state);
		KUNIT_EXPECT_EQ(test, sink.want & CM_ID_EXACT_MASK, view.want & CM_ID_EXACT_MASK);
		KUNIT_EXPECT_EQ(test, (sink.seen ^ sink.want) & CM_ID_EXACT_MASK, exact[i]);
		KUNIT_EXPECT_EQ(test, cm_probe_violations(), before + i + 1);

		cm_probe_lie(id->cm, 0);
		KUNIT_EXPECT_TRUE_MSG(test, cm_probe_assert(id->cm), "%s, after holder %#x",
				      place_name(place), exact[i]);
		KUNIT_EXPECT_EQ(test, sink.calls, 1);
	}
	rig_id_destroy(id);
}

static void refs_violation_is_told_once(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(places); i++)
		refs_seeded(test, rig, &places[i]);
}

/* The same as part of a transition: every build asserts there. */
static void refs_transition(struct kunit *test, struct rig *rig, const struct step *step, u32 flip)
{
	struct rig_id *id = rig_bring(rig, step->from, step->active);
	struct cm_probe_view view;
	unsigned long before;
	long counted;

	KUNIT_ASSERT_NOT_NULL_MSG(test, id, "%s", step->name);
	rig_settle(rig);
	memset(&sink, 0, sizeof(sink));
	before = cm_probe_violations();
	counted = rig_counter(rig, "holders");

	cm_probe_lie(id->cm, flip);
	KUNIT_EXPECT_EQ_MSG(test, step->call(id), 0, "%s", step->name);
	cm_probe_lie(id->cm, 0);

	cm_probe_view(id->cm, &view);
	KUNIT_EXPECT_NE_MSG(test, view.state, step->from, "%s", step->name);
	KUNIT_EXPECT_EQ_MSG(test, cm_probe_violations() - before, flip ? 1 : 0,
			    "%s, holder %#x", step->name, flip);
	KUNIT_EXPECT_EQ_MSG(test, sink.calls, flip ? 1 : 0, "%s, holder %#x", step->name, flip);
	KUNIT_EXPECT_EQ_MSG(test, rig_counter(rig, "holders") - counted, flip ? 1 : 0,
			    "%s, holder %#x", step->name, flip);
	if (flip) {
		KUNIT_EXPECT_EQ(test, sink.state, view.state);
		KUNIT_EXPECT_EQ(test, (sink.seen ^ sink.want) & CM_ID_EXACT_MASK, flip);
	}
	rig_id_destroy(id);
}

static void refs_transition_asserts_once(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		refs_transition(test, rig, &steps[i], 0);
		for (j = 0; j < ARRAY_SIZE(exact); j++)
			refs_transition(test, rig, &steps[i], exact[j]);
	}
}

/* What nobody asserts is not told: a call that the state forbids changes nothing. */
static void refs_forbidden_call_is_no_violation(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = rig_bring(rig, CM_ID_IDLE, true);
	unsigned long before = cm_probe_violations();

	KUNIT_ASSERT_NOT_NULL(test, id);
	KUNIT_EXPECT_EQ(test, call_rtu(id), -EINVAL);
	KUNIT_EXPECT_EQ(test, call_dreq(id), -EINVAL);
	KUNIT_EXPECT_EQ(test, call_drep(id), -EINVAL);
	KUNIT_EXPECT_EQ(test, call_rej(id), -EINVAL);
	KUNIT_EXPECT_EQ(test, cm_probe_violations(), before);
	KUNIT_EXPECT_EQ(test, sink.calls, 0);
}

/* At rest every reference has a holder that can be named. */
static unsigned int refs_at_rest(const struct cm_probe_view *view)
{
	unsigned int refs = 0;

	if (view->holders & CM_ID_HOLD_OWNER)
		refs++;
	if (view->request)
		refs++;
	if (view->armed || view->queued)
		refs++;
	if (view->runner)
		refs++;
	return refs;
}

/* A completion may be on its way yet, which looks its id up. */
static bool refs_rests(struct rig_id *id, struct cm_probe_view *view)
{
	cm_probe_view(id->cm, view);
	return view->refs == refs_at_rest(view);
}

/* The holders may be those of the state, and yet one reference be missing. */
static void refs_missing_reference_is_told(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = rig_bring(rig, CM_ID_REQ_SENT, true);
	struct cm_probe_view view;

	KUNIT_ASSERT_NOT_NULL(test, id);
	rig_settle(rig);
	/* The owner's, the request's, the timer's: two of them may be taken for a while. */
	KUNIT_ASSERT_TRUE(test, rig_until(refs_rests(id, &view)));
	KUNIT_ASSERT_EQ(test, view.refs, 3);
	KUNIT_ASSERT_GT(test, view.wait_ms, 100);
	KUNIT_EXPECT_TRUE(test, cm_probe_assert(id->cm));

	cm_probe_put(id->cm);
	cm_probe_put(id->cm);
	KUNIT_EXPECT_FALSE(test, cm_probe_assert(id->cm));
	cm_probe_get(id->cm);
	cm_probe_get(id->cm);

	KUNIT_EXPECT_EQ(test, sink.calls, 1);
	KUNIT_EXPECT_EQ(test, sink.seen & CM_ID_EXACT_MASK, sink.want & CM_ID_EXACT_MASK);
	KUNIT_EXPECT_TRUE(test, cm_probe_assert(id->cm));
}

/* ---- legal paths ---- */

static void refs_legal_paths(struct kunit *test, enum rdma_link_layer layer)
{
	struct rig *rig = rig_create(test, layer);
	unsigned long before = cm_probe_violations();
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		const struct place *place = &places[i];
		struct cm_probe_view view;
		struct rig_id *id;

		if (place->ib && layer != IB_LINK_LAYER_INFINIBAND)
			continue;
		id = rig_bring(rig, place->state, place->active);
		KUNIT_ASSERT_NOT_NULL_MSG(test, id, "%s is out of reach", place_name(place));
		rig_settle(rig);

		KUNIT_EXPECT_TRUE_MSG(test, rig_until(refs_rests(id, &view)),
				      "%s: %u references, %u holders", place_name(place),
				      view.refs, refs_at_rest(&view));
		KUNIT_EXPECT_EQ_MSG(test, view.state, place->state, "%s", place_name(place));
		KUNIT_EXPECT_EQ_MSG(test, view.holders & CM_ID_EXACT_MASK, view.want, "%s",
				    place_name(place));
		KUNIT_EXPECT_TRUE_MSG(test, cm_probe_assert(id->cm), "%s", place_name(place));

		rig_id_destroy(id);
		rig_settle(rig);
		KUNIT_EXPECT_EQ_MSG(test, cm_probe_violations(), before, "%s",
				    place_name(place));
	}
	KUNIT_EXPECT_EQ(test, sink.calls, 0);
}

static void refs_legal_paths_infiniband(struct kunit *test)
{
	refs_legal_paths(test, IB_LINK_LAYER_INFINIBAND);
}

static void refs_legal_paths_roce(struct kunit *test)
{
	refs_legal_paths(test, IB_LINK_LAYER_ETHERNET);
}

/* The whole life of a connection, both roles, both link layers: no state is skipped. */
static void refs_whole_life(struct kunit *test, enum rdma_link_layer layer, bool active)
{
	struct rig *rig = rig_create(test, layer);
	unsigned long before = cm_probe_violations();
	struct rig_id *id = rig_bring(rig, CM_ID_ESTABLISHED, active);
	const struct rig_event *event;
	u8 *mad = kunit_kzalloc(test, LOOP_MAD_SIZE, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, id);
	KUNIT_ASSERT_NOT_NULL(test, mad);
	KUNIT_ASSERT_EQ(test, call_dreq(id), 0);
	KUNIT_ASSERT_TRUE(test, rig_peer_recv(rig, ATTR_DREQ, mad, RIG_WAIT_MS));
	id->tid = mad_get(mad, F_MAD_TID);
	rig_make(id, ATTR_DREP, mad);
	rig_peer_send(rig, mad);

	do {
		event = rig_event(id, RIG_WAIT_MS);
	} while (event && event->type != IB_CM_DREP_RECEIVED);
	KUNIT_ASSERT_NOT_NULL(test, event);
	event = rig_event(id, 2 * RIG_WAIT_MS);
	KUNIT_ASSERT_NOT_NULL(test, event);
	KUNIT_EXPECT_EQ(test, (int)event->type, (int)IB_CM_TIMEWAIT_EXIT);
	KUNIT_EXPECT_EQ(test, (int)event->state, (int)IB_CM_IDLE);

	rig_id_destroy(id);
	rig_settle(rig);
	KUNIT_EXPECT_EQ(test, cm_probe_violations(), before);
	KUNIT_EXPECT_EQ(test, sink.calls, 0);
}

static void refs_whole_life_active_infiniband(struct kunit *test)
{
	refs_whole_life(test, IB_LINK_LAYER_INFINIBAND, true);
}

static void refs_whole_life_passive_infiniband(struct kunit *test)
{
	refs_whole_life(test, IB_LINK_LAYER_INFINIBAND, false);
}

static void refs_whole_life_active_roce(struct kunit *test)
{
	refs_whole_life(test, IB_LINK_LAYER_ETHERNET, true);
}

static void refs_whole_life_passive_roce(struct kunit *test)
{
	refs_whole_life(test, IB_LINK_LAYER_ETHERNET, false);
}

/* ---- destroy, while others hold the id ---- */

static int refs_no_event(struct ib_cm_id *cm, const struct ib_cm_event *event)
{
	return 0;
}

static struct ib_cm_id *refs_id(struct kunit *test, struct rig *rig, ib_cm_handler handler,
				void *context)
{
	struct ib_cm_id *cm = ib_create_cm_id(rig->dev, handler, context);

	KUNIT_ASSERT_FALSE(test, IS_ERR(cm));
	return cm;
}

/* One reference each, given back in the context that the name says. */
enum giver { GIVER_TASK, GIVER_SOFTIRQ, GIVER_HARDIRQ, GIVERS };

struct round {
	struct ib_cm_id *cm;
	atomic_t left;		/* references of ours that nobody has begun to give back */
	atomic_t strange;	/* givers that ran elsewhere than they should */
	struct work_struct task;
	struct tasklet_struct softirq;
	struct hrtimer hardirq;
};

static void round_give(struct round *r, bool right_place)
{
	unsigned int i;

	if (!right_place)
		atomic_inc(&r->strange);

	for (i = 0; i < 4; i++) {
		cm_probe_get(r->cm);
		cm_probe_put(r->cm);
		/* It is ours: it cannot be dead. */
		if (!cm_probe_get_live(r->cm))
			atomic_inc(&r->strange);
		else
			cm_probe_put(r->cm);
	}
	atomic_dec(&r->left);
	cm_probe_put(r->cm);
}

static void round_task(struct work_struct *work)
{
	round_give(container_of(work, struct round, task), in_task());
}

static void round_softirq(struct tasklet_struct *tasklet)
{
	round_give(container_of(tasklet, struct round, softirq), in_serving_softirq());
}

static enum hrtimer_restart round_hardirq(struct hrtimer *timer)
{
	round_give(container_of(timer, struct round, hardirq), in_hardirq());
	return HRTIMER_NORESTART;
}

static void round_init(struct round *r)
{
	INIT_WORK(&r->task, round_task);
	tasklet_setup(&r->softirq, round_softirq);
	hrtimer_setup(&r->hardirq, round_hardirq, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	atomic_set(&r->strange, 0);
}

static void round_start(struct round *r, struct ib_cm_id *cm)
{
	unsigned int i;

	r->cm = cm;
	atomic_set(&r->left, GIVERS);
	for (i = 0; i < GIVERS; i++)
		cm_probe_get(cm);
	hrtimer_start(&r->hardirq, ns_to_ktime(get_random_u32_below(100000)),
		      HRTIMER_MODE_REL_HARD);
	queue_work(helpers, &r->task);
	tasklet_schedule(&r->softirq);
}

static void round_end(struct round *r)
{
	hrtimer_cancel(&r->hardirq);
	flush_work(&r->task);
	tasklet_kill(&r->softirq);
}

/* Task, softirq and hardirq give their references back while destroy runs, a thousand times. */
static void refs_destroy_races_with_all_contexts(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct round *r = kunit_kzalloc(test, sizeof(*r), GFP_KERNEL);
	unsigned int i, early = 0, waited = 0;

	KUNIT_ASSERT_NOT_NULL(test, r);
	round_init(r);
	for (i = 0; i < RACES; i++) {
		struct ib_cm_id *cm = ib_create_cm_id(rig->dev, refs_no_event, NULL);

		if (IS_ERR(cm)) {
			KUNIT_FAIL(test, "round %u: no id", i);
			break;
		}
		round_start(r, cm);
		if (i & 1)
			udelay(get_random_u32_below(100));
		if (atomic_read(&r->left))
			waited++;
		ib_destroy_cm_id(cm);
		if (atomic_read(&r->left))
			early++;
		round_end(r);
	}
	KUNIT_EXPECT_EQ_MSG(test, early, 0, "destroy returned before the last put");
	KUNIT_EXPECT_EQ(test, atomic_read(&r->strange), 0);
	KUNIT_EXPECT_GT_MSG(test, waited, RACES / 10, "too few rounds raced");
}

/* The hand-shake of destroy and one other thread's put, as tight as it gets. */
struct racer {
	struct work_struct work;
	struct ib_cm_id *cm;
	atomic_t *go;
	bool given;
};

static void racer_run(struct work_struct *work)
{
	struct racer *racer = container_of(work, struct racer, work);

	atomic_dec(racer->go);
	while (atomic_read(racer->go))
		cpu_relax();
	/* Ordered before the put by the put itself */
	WRITE_ONCE(racer->given, true);
	cm_probe_put(racer->cm);
}

static void refs_destroy_meets_the_last_put(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct racer *racer = kunit_kzalloc(test, sizeof(*racer), GFP_KERNEL);
	unsigned int i, early = 0;
	atomic_t go;

	KUNIT_ASSERT_NOT_NULL(test, racer);
	if (num_online_cpus() < 2)
		kunit_skip(test, "two threads that spin need two CPUs");

	INIT_WORK(&racer->work, racer_run);
	racer->go = &go;
	for (i = 0; i < RACES; i++) {
		struct ib_cm_id *cm = ib_create_cm_id(rig->dev, refs_no_event, NULL);

		if (IS_ERR(cm)) {
			KUNIT_FAIL(test, "round %u: no id", i);
			break;
		}
		cm_probe_get(cm);
		racer->cm = cm;
		racer->given = false;
		atomic_set(&go, 2);
		queue_work(helpers, &racer->work);
		atomic_dec(&go);
		while (atomic_read(&go))
			cond_resched();
		ndelay(get_random_u32_below(2000));
		ib_destroy_cm_id(cm);
		if (!READ_ONCE(racer->given))
			early++;
		flush_work(&racer->work);
	}
	KUNIT_EXPECT_EQ_MSG(test, early, 0, "destroy returned before the last put");
}

/* As long as a reference is held, from any context, destroy does not return. */
static void refs_destroy_waits_for_all_puts(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct ib_cm_id *cm = refs_id(test, rig, refs_no_event, NULL);
	u32 local_id = be32_to_cpu(cm->local_id);
	struct ib_cm_id *found;
	struct rig_destroyer d;
	unsigned int i;

	for (i = 0; i < 3; i++)
		cm_probe_get(cm);
	rig_destroyer_start(&d, cm);
	for (i = 0; i < 3; i++) {
		KUNIT_EXPECT_FALSE_MSG(test, rig_destroyer_ends(&d, HELD_MS), "%u puts are missing",
				       3 - i);
		found = cm_probe_find(local_id);
		KUNIT_EXPECT_NULL_MSG(test, found, "a dead id was found");
		if (found)
			cm_probe_put(found);
		cm_probe_put(cm);
	}
	KUNIT_EXPECT_TRUE(test, rig_destroyer_ends(&d, RIG_WAIT_MS));
	rig_destroyer_join(&d);
}

/* Nor while its handler runs; and the handler's return is seen by destroy's. */
struct slow_handler {
	struct completion entered, leave;
	bool left;
};

static int refs_slow(struct ib_cm_id *cm, const struct ib_cm_event *event)
{
	struct slow_handler *slow = cm->context;

	complete(&slow->entered);
	wait_for_completion(&slow->leave);
	WRITE_ONCE(slow->left, true);
	return 0;
}

/* A request that nobody answers and nobody repeats: its one event comes soon. */
static int refs_lost_req(struct rig *rig, struct ib_cm_id *cm)
{
	struct sa_path_rec path;
	struct ib_cm_req_param param = {
		.primary_path = &path,
		.service_id = cpu_to_be64(RIG_SERVICE),
		.qp_num = 0x123456,
		.qp_type = IB_QPT_RC,
		.retry_count = 7,
		.rnr_retry_count = 7,
		.remote_cm_response_timeout = 12,
		.local_cm_response_timeout = 12,
	};

	rig_path(rig, &path);
	path.packet_life_time = 8;
	return ib_send_cm_req(cm, &param);
}

static void refs_destroy_waits_for_the_handler(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct slow_handler slow = {};
	struct ib_cm_id *cm;
	struct rig_destroyer d;
	bool entered;

	init_completion(&slow.entered);
	init_completion(&slow.leave);
	cm = refs_id(test, rig, refs_slow, &slow);

	KUNIT_EXPECT_EQ(test, refs_lost_req(rig, cm), 0);
	entered = wait_for_completion_timeout(&slow.entered, msecs_to_jiffies(RIG_WAIT_MS));
	KUNIT_EXPECT_TRUE_MSG(test, entered, "no REQ_ERROR");

	rig_destroyer_start(&d, cm);
	if (entered) {
		KUNIT_EXPECT_FALSE(test, rig_destroyer_ends(&d, HELD_MS));
		KUNIT_EXPECT_FALSE(test, READ_ONCE(slow.left));
	}
	complete(&slow.leave);
	KUNIT_EXPECT_TRUE(test, rig_destroyer_ends(&d, RIG_WAIT_MS));
	if (entered)
		KUNIT_EXPECT_TRUE(test, READ_ONCE(slow.left));
	rig_destroyer_join(&d);
}

/* From its own handler destroy does not wait; the id goes with the last reference. */
static int refs_suicide(struct ib_cm_id *cm, const struct ib_cm_event *event)
{
	struct completion *done = cm->context;

	ib_destroy_cm_id(cm);
	complete(done);
	return 0;
}

static void refs_destroy_from_the_handler(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	DECLARE_COMPLETION_ONSTACK(done);
	struct cm_probe_totals before, now;
	struct ib_cm_id *cm, *found;
	u32 local_id;

	cm_probe_totals(&before);
	cm = refs_id(test, rig, refs_suicide, &done);
	local_id = be32_to_cpu(cm->local_id);
	cm_probe_get(cm);
	KUNIT_EXPECT_EQ(test, refs_lost_req(rig, cm), 0);
	KUNIT_ASSERT_TRUE_MSG(test,
			      wait_for_completion_timeout(&done, msecs_to_jiffies(RIG_WAIT_MS)),
			      "destroy did not return inside the handler");

	found = cm_probe_find(local_id);
	KUNIT_EXPECT_NULL(test, found);
	if (found)
		cm_probe_put(found);
	/* Ours is the last one, or the runner's is: whoever is last frees it. */
	cm_probe_put(cm);
	rig_settle(rig);
	cm_probe_totals(&now);
	KUNIT_EXPECT_EQ(test, now.ids, before.ids);
	KUNIT_EXPECT_EQ(test, sink.calls, 0);
}

/* A reference to an id whose last one is gone cannot be had, while RCU keeps its memory. */
struct funeral {
	struct work_struct work;
	struct ib_cm_id *cm;
	bool begin, over;
};

static void funeral_run(struct work_struct *work)
{
	struct funeral *f = container_of(work, struct funeral, work);

	while (!READ_ONCE(f->begin))
		cpu_relax();
	ib_destroy_cm_id(f->cm);
	smp_store_release(&f->over, true); /* pairs with refs_dead_id_gives_no_reference() */
}

static void refs_dead_id_gives_no_reference(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct ib_cm_id *cm = refs_id(test, rig, refs_no_event, NULL);
	struct funeral f = { .cm = cm };
	u64 limit = ktime_get_ns() + 2 * NSEC_PER_SEC;
	bool alive, over, dead;

	if (num_online_cpus() < 2) {
		ib_destroy_cm_id(cm);
		kunit_skip(test, "a reader that spins needs a CPU of its own");
	}
	alive = cm_probe_get_live(cm);
	KUNIT_EXPECT_TRUE(test, alive);
	if (alive)
		cm_probe_put(cm);

	INIT_WORK_ONSTACK(&f.work, funeral_run);
	queue_work(helpers, &f.work);
	rcu_read_lock();
	WRITE_ONCE(f.begin, true);
	do {
		cpu_relax();
		over = smp_load_acquire(&f.over); /* pairs with funeral_run() */
	} while (!over && ktime_get_ns() < limit);
	dead = over && !cm_probe_get_live(cm);
	rcu_read_unlock();
	flush_work(&f.work);
	destroy_work_on_stack(&f.work);

	KUNIT_EXPECT_TRUE_MSG(test, over, "destroy waits for readers");
	KUNIT_EXPECT_TRUE_MSG(test, dead, "a dead id gave a reference");
}

/* Ids in every state, held by another thread while they are destroyed. */
static void refs_destroy_waits_in_every_state(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		struct rig_id *id = rig_bring(rig, places[i].state, places[i].active);
		struct rig_destroyer d;
		struct ib_cm_id *cm;

		KUNIT_ASSERT_NOT_NULL_MSG(test, id, "%s", place_name(&places[i]));
		cm = id->cm;
		cm_probe_get(cm);
		id->cm = NULL;
		rig_destroyer_start(&d, cm);
		KUNIT_EXPECT_FALSE_MSG(test, rig_destroyer_ends(&d, HELD_MS), "%s",
				       place_name(&places[i]));
		cm_probe_put(cm);
		KUNIT_EXPECT_TRUE_MSG(test, rig_destroyer_ends(&d, RIG_WAIT_MS), "%s",
				      place_name(&places[i]));
		rig_destroyer_join(&d);
		rig_settle(rig);
	}
	KUNIT_EXPECT_EQ(test, sink.calls, 0);
}

/* ---- who holds it, where the kernel tracks references ---- */

#define REPORT_BYTES	8192
#define REPORT_MS	15000	/* destroy tells after 10 s */

static const char *refs_report(struct kunit *test, struct ib_cm_id *cm)
{
	char *text = kunit_kzalloc(test, REPORT_BYTES, GFP_KERNEL);
	int len;

	KUNIT_ASSERT_NOT_NULL(test, text);
	len = cm_probe_holders(cm, text, REPORT_BYTES - 1);
	if (len == -EOPNOTSUPP)
		kunit_skip(test, "a kernel without CONFIG_REF_TRACKER");
	KUNIT_ASSERT_GE(test, len, 0);
	return text;
}

/* The place that takes one and does not drop it. */
static noinline void refs_leaking_place(struct ib_cm_id *cm)
{
	cm_probe_hold(cm);
	barrier();
}

/* Each holder by the place where it took its reference; a leaked one by the place that leaked it. */
static void refs_report_names_the_places(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = rig_bring(rig, CM_ID_IDLE, true);
	const char *text;

	KUNIT_ASSERT_NOT_NULL(test, id);
	text = refs_report(test, id->cm);
	KUNIT_EXPECT_NOT_NULL_MSG(test, strstr(text, "has 1/1 users at"), "%s", text);
	KUNIT_EXPECT_NOT_NULL_MSG(test, strstr(text, " ib_create_cm_id+"), "%s", text);
	KUNIT_EXPECT_NULL_MSG(test, strstr(text, " ib_send_cm_req+"), "%s", text);

	/* The request, its timer. */
	KUNIT_ASSERT_EQ(test, rig_send_req(id), 0);
	rig_settle(rig);
	text = refs_report(test, id->cm);
	KUNIT_EXPECT_NOT_NULL_MSG(test, strstr(text, "has 1/3 users at"), "%s", text);
	KUNIT_EXPECT_NOT_NULL_MSG(test, strstr(text, " ib_create_cm_id+"), "%s", text);
	KUNIT_EXPECT_NOT_NULL_MSG(test, strstr(text, " cm_req_begin+"), "%s", text);
	KUNIT_EXPECT_NOT_NULL_MSG(test, strstr(text, " ib_send_cm_req+"), "%s", text);
	KUNIT_EXPECT_NULL_MSG(test, strstr(text, " refs_leaking_place+"), "%s", text);

	refs_leaking_place(id->cm);
	text = refs_report(test, id->cm);
	KUNIT_EXPECT_NOT_NULL_MSG(test, strstr(text, "has 1/4 users at"), "%s", text);
	KUNIT_EXPECT_NOT_NULL_MSG(test, strstr(text, " refs_leaking_place+"), "%s", text);

	cm_probe_unhold(id->cm);
	text = refs_report(test, id->cm);
	KUNIT_EXPECT_NULL_MSG(test, strstr(text, " refs_leaking_place+"), "%s", text);
}

/* What the kernel logs meanwhile. */
static struct {
	bool waits, place;
} told;

static void refs_hears(void *unused, const char *text, size_t len)
{
	if (strnstr(text, "destroy of id", len) && strnstr(text, "has waited for 10 s", len))
		WRITE_ONCE(told.waits, true);
	if (strnstr(text, " refs_leaking_place+", len))
		WRITE_ONCE(told.place, true);
}

/* A destroy that a leaked reference holds up says where it was taken. */
static void refs_destroy_names_the_leak(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct ib_cm_id *cm = refs_id(test, rig, refs_no_event, NULL);
	struct rig_destroyer d;

	if (cm_probe_holders(cm, NULL, 0) == -EOPNOTSUPP) {
		ib_destroy_cm_id(cm);
		kunit_skip(test, "a kernel without CONFIG_REF_TRACKER");
	}
	memset(&told, 0, sizeof(told));
	KUNIT_ASSERT_EQ(test, register_trace_console(refs_hears, NULL), 0);
	refs_leaking_place(cm);
	rig_destroyer_start(&d, cm);
	KUNIT_EXPECT_FALSE(test, rig_destroyer_ends(&d, REPORT_MS));
	KUNIT_EXPECT_TRUE_MSG(test, rig_until(READ_ONCE(told.place)), "the place is not named");
	KUNIT_EXPECT_TRUE(test, READ_ONCE(told.waits));
	unregister_trace_console(refs_hears, NULL);
	tracepoint_synchronize_unregister();

	cm_probe_unhold(cm);
	KUNIT_EXPECT_TRUE(test, rig_destroyer_ends(&d, RIG_WAIT_MS));
	rig_destroyer_join(&d);
}

static int refs_suite_init(struct kunit_suite *suite)
{
	helpers = alloc_workqueue("cm_refs_test", WQ_UNBOUND, 0);
	return helpers ? 0 : -ENOMEM;
}

static void refs_suite_exit(struct kunit_suite *suite)
{
	if (helpers)
		destroy_workqueue(helpers);
}

static struct kunit_case refs_cases[] = {
	KUNIT_CASE_SLOW(refs_violation_is_told_once),
	KUNIT_CASE_SLOW(refs_transition_asserts_once),
	KUNIT_CASE(refs_forbidden_call_is_no_violation),
	KUNIT_CASE(refs_missing_reference_is_told),
	KUNIT_CASE_SLOW(refs_legal_paths_infiniband),
	KUNIT_CASE_SLOW(refs_legal_paths_roce),
	KUNIT_CASE(refs_whole_life_active_infiniband),
	KUNIT_CASE(refs_whole_life_passive_infiniband),
	KUNIT_CASE(refs_whole_life_active_roce),
	KUNIT_CASE(refs_whole_life_passive_roce),
	KUNIT_CASE_SLOW(refs_destroy_races_with_all_contexts),
	KUNIT_CASE_SLOW(refs_destroy_meets_the_last_put),
	KUNIT_CASE(refs_destroy_waits_for_all_puts),
	KUNIT_CASE(refs_destroy_waits_for_the_handler),
	KUNIT_CASE(refs_destroy_from_the_handler),
	KUNIT_CASE(refs_dead_id_gives_no_reference),
	KUNIT_CASE_SLOW(refs_destroy_waits_in_every_state),
	KUNIT_CASE(refs_report_names_the_places),
	KUNIT_CASE_SLOW(refs_destroy_names_the_leak),
	{}
};

static struct kunit_suite refs_suite = {
	.name = "ib_cm_refs",
	.suite_init = refs_suite_init,
	.suite_exit = refs_suite_exit,
	.init = refs_init,
	.exit = refs_exit,
	.test_cases = refs_cases,
};
kunit_test_suite(refs_suite);

MODULE_DESCRIPTION("Tests of ib_cm: references and holders");
MODULE_LICENSE("GPL");
