// SPDX-License-Identifier: GPL-2.0-only
/*
 * The circumstances of ib_cm_life: how the ids of a run are destroyed.
 *
 * Owns: the recipes. Threads that race start from one completion; none spins.
 */
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/preempt.h>
#include <linux/slab.h>

#include "life.h"

#define LIFE_WORKERS	4	/* that deliver events, where strangers are to have them all */
#define LIFE_NOTIFIES	64
#define LIFE_NOTIFY_NS	20000

/**
 * struct life_thread - a thread of a race
 * @job: runs it
 * @go: when to begin
 * @run: the run
 * @fact: whose id it is about
 * @cm: the same, where rig_id must not say so
 * @mad: what to send
 */
struct life_thread {
	struct wire_job job;
	struct completion *go;
	struct life_run *run;
	struct life_fact *fact;
	struct ib_cm_id *cm;
	u8 mad[MAD_BYTES];
};

static struct life_thread *life_threads(struct life_run *run, unsigned int each,
					struct completion *go)
{
	unsigned int n = each * life_nstates, i;
	struct life_thread *threads = kunit_kcalloc(run->test, n, sizeof(*threads), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(run->test, threads);
	for (i = 0; i < n; i++)
		threads[i] = (struct life_thread){
			.go = go,
			.run = run,
			.fact = &run->facts[i % life_nstates],
		};
	return threads;
}

static void life_join(struct life_run *run, struct life_thread *thread)
{
	if (thread->job.call)
		KUNIT_ASSERT_TRUE_MSG(run->test,
				      wire_join(&thread->job, LIFE_SLEEP_MS + 3 * RIG_WAIT_MS),
				      "%s: never returns", thread->fact->state->name);
}

static void life_destroy_job(void *arg)
{
	struct life_thread *thread = arg;

	wait_for_completion(thread->go);
	life_destroy(thread->fact);
}

/* A thread for each, all at once when go is completed. */
static struct life_thread *life_start_destroys(struct life_run *run, struct completion *go)
{
	struct life_thread *threads = life_threads(run, 1, go);
	struct life_fact *f;

	life_each(run, f)
		if (f->id)
			wire_start(run->test, &threads[f - run->facts].job, life_destroy_job,
				   &threads[f - run->facts]);
	return threads;
}

static void life_join_all(struct life_run *run, struct life_thread *threads, unsigned int each)
{
	unsigned int i;

	for (i = 0; i < each * life_nstates; i++)
		life_join(run, &threads[i]);
}

/* ---- a peer that is silent, alive, quick ---- */

static void life_in_turn(struct life_run *run)
{
	struct life_fact *f;

	life_each(run, f)
		if (f->id)
			life_destroy_alone(f);
}

static void life_last_words(struct life_fact *f, u8 *mad)
{
	rig_make(f->id, f->state->answer, mad);
	f->answer_tid = mad_get(mad, F_MAD_TID);
}

static void life_live(struct life_run *run)
{
	struct life_fact *f;
	u8 mad[MAD_BYTES];

	life_in_turn(run);
	rig_settle(run->rig);
	life_read_wire(run);
	life_each(run, f) {
		if (!f->id)
			continue;
		if (f->partings && mad_attr(f->mad) == ATTR_DREQ) {
			rig_make(f->id, ATTR_DREP, mad);
			rig_peer_send(run->rig, mad);
		}
		if (f->state->answer) {
			life_last_words(f, mad);
			rig_peer_send(run->rig, mad);
		}
	}
}

static void life_answer_job(void *arg)
{
	struct life_thread *thread = arg;

	wait_for_completion(thread->go);
	rig_peer_send(thread->run->rig, thread->mad);
}

static void life_answers(struct life_run *run)
{
	struct life_thread *threads = life_threads(run, 1, NULL), *thread;
	struct completion go;
	struct life_fact *f;

	life_each(run, f) {
		if (!f->id)
			continue;
		thread = &threads[f - run->facts];
		thread->go = &go;
		init_completion(&go);
		life_last_words(f, thread->mad);
		wire_start(run->test, &thread->job, life_answer_job, thread);
		complete_all(&go);
		/* The peer's thread has to wake up first: it comes earlier in each round */
		if (run->round)
			usleep_range(run->round * 30, run->round * 60);
		life_destroy(f);
		life_join(run, thread);
	}
}

/* ---- a device that does not complete ---- */

static void life_withhold(struct life_run *run)
{
	KUNIT_ASSERT_TRUE(run->test, rig_param(run->test, "send_budget", 1024));
	wire_fault(run->rig, LOOP_SEND_NEVER, 0, 0, 0);
}

static void life_late(struct life_run *run)
{
	struct life_fact *f;

	life_each(run, f) {
		if (!f->id)
			continue;
		life_destroy_alone(f);
		loop_hca_release(run->rig->dev);
	}
}

/* A copy of a request fails while its id is destroyed, and so does the parting message. */
static void life_error(struct life_run *run)
{
	struct cm_probe_view view;
	struct life_fact *f;

	life_each(run, f) {
		if (!f->id)
			continue;
		cm_probe_view(f->id->cm, &view);
		wire_fault(run->rig, LOOP_SEND_ERROR, 0, 0, 0);
		if (view.armed) {
			f->overdue = 1;
			cm_probe_happen(f->id->cm, CM_ID_ON_TIMEOUT);
		}
		life_destroy_alone(f);
		rig_flush(run->rig);
		f->hits = loop_fault_hits(run->rig->dev, 1, LOOP_SEND_ERROR);
	}
}

/* ---- a device that goes ---- */

static void life_unplug_job(void *arg)
{
	struct life_thread *thread = arg;

	wait_for_completion(thread->go);
	rig_unplug(thread->run->rig);
}

static void life_removed(struct life_run *run)
{
	struct life_thread *threads, *unplug = kunit_kzalloc(run->test, sizeof(*unplug), GFP_KERNEL);
	struct completion go, go_unplug;
	struct life_fact *f;

	KUNIT_ASSERT_NOT_NULL(run->test, unplug);
	init_completion(&go);
	init_completion(&go_unplug);
	threads = life_start_destroys(run, &go);
	*unplug = (struct life_thread){ .go = &go_unplug, .run = run, .fact = threads->fact };
	wire_start(run->test, &unplug->job, life_unplug_job, unplug);

	/* All at once; the device a little earlier; a little later */
	if (run->round == 2)
		complete_all(&go);
	complete_all(&go_unplug);
	if (run->round == 1)
		usleep_range(100, 200);
	complete_all(&go);

	life_join_all(run, threads, 1);
	life_join(run, unplug);
	life_each(run, f)
		f->side_ms = unplug->job.ms;
}

/* ---- handlers that run ---- */

/* Destroys begin while all handlers are held; nobody may return before the gate is open. */
static void life_sleeps(struct life_run *run)
{
	struct life_thread *threads;
	struct completion go;
	struct life_fact *f;

	init_completion(&go);
	threads = life_start_destroys(run, &go);
	complete_all(&go);
	life_each(run, f)
		if (f->id)
			KUNIT_EXPECT_TRUE(run->test, rig_until(READ_ONCE(f->began)));
	msleep(LIFE_NAP_MS);
	life_gate_open(run);
	life_join_all(run, threads, 1);
}

static void life_workers_back(void *arg)
{
	cm_probe_workers(0);
}

void life_strangers(struct life_run *run)
{
	struct rig_id *id;
	unsigned int i;
	u8 mad[MAD_BYTES];

	KUNIT_ASSERT_EQ(run->test,
			kunit_add_action_or_reset(run->test, life_workers_back, NULL), 0);
	cm_probe_workers(LIFE_WORKERS);
	for (i = 0; i < LIFE_WORKERS; i++) {
		id = rig_id_create(run->rig);
		WRITE_ONCE(id->hook, life_gate_hook);
		KUNIT_ASSERT_EQ(run->test, rig_send_req(id), 0);
		wire_expect(run->rig, ATTR_REQ, mad);
		rig_make(id, ATTR_REJ, mad);
		rig_peer_send(run->rig, mad);
		KUNIT_ASSERT_TRUE(run->test, rig_until(life_gate_holds(id)));
	}
}

static void life_behind_strangers(struct life_run *run)
{
	life_in_turn(run);
	life_gate_open(run);
	cm_probe_workers(0);
}

/* What the handlers do is done at the gate. */
static void life_by_handler(struct life_run *run)
{
	life_gate_open(run);
}

static int life_other_hook(struct rig_id *id, const struct rig_event *event)
{
	struct life_thread *thread = READ_ONCE(id->listener->hook_data);

	life_destroy_alone(thread->fact);
	complete(thread->go);
	return 0;
}

static void life_other(struct life_run *run)
{
	struct life_thread *threads = life_threads(run, 1, NULL), *thread;
	struct rig_id *other = rig_listen(run->rig, RIG_SERVICE + 0x41);
	struct completion done;
	struct life_fact *f;
	u8 mad[MAD_BYTES];

	WRITE_ONCE(other->hook, life_other_hook);
	life_each(run, f) {
		if (!f->id)
			continue;
		thread = &threads[f - run->facts];
		thread->go = &done;
		init_completion(&done);
		WRITE_ONCE(other->hook_data, thread);
		rig_make_sidr_req(run->rig, other->service_id, mad);
		rig_peer_send(run->rig, mad);
		KUNIT_ASSERT_TRUE_MSG(run->test,
				      wait_for_completion_timeout(&done,
								  msecs_to_jiffies(3 * RIG_WAIT_MS)),
				      "%s: never returns", f->state->name);
	}
}

/* ---- twice ---- */

static void life_twice_job(void *arg)
{
	struct life_thread *thread = arg;
	struct life_fact *f = thread->fact;

	wait_for_completion(thread->go);
	ib_destroy_cm_id(thread->cm);
	if (!life_gate_left(f->id))
		__atomic_fetch_add(&f->early, 1, __ATOMIC_RELAXED);
}

static void life_twice(struct life_run *run)
{
	struct completion go;
	struct life_thread *threads = life_threads(run, 2, &go), *thread;
	struct life_fact *f;
	unsigned int i;

	init_completion(&go);
	for (i = 0; i < 2 * life_nstates; i++) {
		thread = &threads[i];
		f = thread->fact;
		if (!f->state || !f->id)
			continue;
		thread->cm = f->id->cm;
		wire_start(run->test, &thread->job, life_twice_job, thread);
	}
	life_each(run, f) {
		if (!f->id)
			continue;
		WRITE_ONCE(f->id->cm, NULL);
		f->began = ktime_get();
	}
	complete_all(&go);
	/* The one that is a mistake returns at once; the gate waits for it */
	life_each(run, f)
		if (f->id)
			rig_until(READ_ONCE(f->early));
	msleep(LIFE_NAP_MS);
	life_gate_open(run);
	life_join_all(run, threads, 2);
	life_each(run, f) {
		if (!f->id)
			continue;
		f->ended = ktime_get();
		f->returned = f->id->delivered;
		f->running = f->id->running;
	}
}

/* ---- timers, interrupts ---- */

/* Its timer is due when destroy is called: a moment before, at the same moment, a moment later. */
static void life_timer_job(void *arg)
{
	struct life_thread *thread = arg;
	struct cm_probe_view view;
	unsigned long due;

	cm_probe_view(thread->fact->id->cm, &view);
	due = jiffies + msecs_to_jiffies(view.timewait ? view.timewait_ms : view.wait_ms);
	while (time_before(jiffies + 1, due))
		usleep_range(500, 1000);
	/* Timers fire on a tick: the destroy begins on the same one, on another CPU, or a little later. */
	while (time_before(jiffies, due))
		cpu_relax();
	udelay(thread->run->round * 20);
	life_destroy(thread->fact);
}

static void life_timer(struct life_run *run)
{
	struct life_thread *threads = life_threads(run, 1, NULL);
	struct life_fact *f;

	life_each(run, f)
		if (f->id)
			wire_start(run->test, &threads[f - run->facts].job, life_timer_job,
				   &threads[f - run->facts]);
	life_join_all(run, threads, 1);
}

struct life_notifier {
	struct hrtimer timer;
	struct life_fact *fact;
	unsigned int left;
};

static bool life_connected(unsigned int state)
{
	switch (state) {
	case CM_ID_ESTABLISHED:
	case CM_ID_EST_LAP_IDLE:
	case CM_ID_EST_LAP_RCVD:
	case CM_ID_EST_MRA_LAP_SENT:
		return true;
	default:
		return false;
	}
}

/* As a QP's event would. Whoever calls has a reference, as the consumer has its own. */
static enum hrtimer_restart life_notify_fires(struct hrtimer *timer)
{
	struct life_notifier *n = container_of(timer, struct life_notifier, timer);
	struct life_fact *f = n->fact;
	struct ib_cm_id *cm = n->left ? cm_probe_find(f->local_id) : NULL;
	bool waits = f->state->state == CM_ID_REP_SENT || f->state->state == CM_ID_MRA_REP_RCVD;
	int ret;

	if (!cm)
		return HRTIMER_NORESTART;
	ret = ib_cm_notify(cm, IB_EVENT_COMM_EST);
	if (in_hardirq())
		f->notify_irq++;
	if (!ret)
		f->notified++;
	/* Destroyed already: -EINVAL */
	if (!ret ? !waits || f->notified > 1 :
		   ret != -EINVAL && (ret != -EISCONN ||
				      !(life_connected(f->state->state) || f->notified)))
		f->notify_odd++;
	cm_probe_put(cm);
	WRITE_ONCE(n->left, n->left - 1);
	hrtimer_forward_now(timer, ns_to_ktime(LIFE_NOTIFY_NS));
	return HRTIMER_RESTART;
}

static void life_notify(struct life_run *run)
{
	struct life_notifier *n = kunit_kzalloc(run->test, sizeof(*n), GFP_KERNEL);
	struct life_fact *f;

	KUNIT_ASSERT_NOT_NULL(run->test, n);
	life_each(run, f) {
		if (!f->id)
			continue;
		n->fact = f;
		n->left = LIFE_NOTIFIES;
		hrtimer_setup(&n->timer, life_notify_fires, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
		hrtimer_start(&n->timer, ns_to_ktime(LIFE_NOTIFY_NS), HRTIMER_MODE_REL_HARD);
		/* First it comes for sure, then at the same moment */
		if (!run->round)
			KUNIT_EXPECT_TRUE(run->test,
					  rig_until(READ_ONCE(n->left) < LIFE_NOTIFIES));
		life_destroy(f);
		hrtimer_cancel(&n->timer);
	}
}

const struct life_recipe life_recipes[LIFE_HOWS] = {
	[LIFE_LIVE]	 = { .rounds = 1, .time = LIFE_TIME, .strike = life_live },
	[LIFE_SILENT]	 = { .rounds = 1, .time = LIFE_TIME, .strike = life_in_turn },
	[LIFE_ANSWERS]	 = { .rounds = 4, .time = LIFE_TIME, .strike = life_answers },
	[LIFE_NEVER]	 = { .rounds = 1, .time = LIFE_TIME, .prepare = life_withhold,
			     .strike = life_in_turn },
	[LIFE_ERROR]	 = { .rounds = 1, .time = LIFE_TIME, .strike = life_error },
	[LIFE_LATE]	 = { .rounds = 1, .time = LIFE_TIME, .prepare = life_withhold,
			     .strike = life_late },
	[LIFE_REMOVED]	 = { .rounds = 3, .time = LIFE_TIME, .strike = life_removed },
	[LIFE_SLEEPS]	 = { .rounds = 1, .time = LIFE_TIME, .busy = true, .strike = life_sleeps },
	[LIFE_QUEUED]	 = { .rounds = 1, .time = LIFE_TIME, .busy = true, .behind = true,
			     .strike = life_sleeps },
	[LIFE_STRANGERS] = { .rounds = 1, .time = LIFE_TIME, .strike = life_behind_strangers },
	[LIFE_TIMER]	 = { .rounds = 3, .time = 16, .strike = life_timer },
	[LIFE_NOTIFY]	 = { .rounds = 3, .time = LIFE_TIME, .strike = life_notify },
	[LIFE_OWN]	 = { .rounds = 1, .time = LIFE_TIME, .busy = true,
			     .strike = life_by_handler },
	[LIFE_OTHER]	 = { .rounds = 1, .time = LIFE_TIME, .strike = life_other },
	[LIFE_NOMEM]	 = { .rounds = 1, .time = LIFE_TIME, .busy = true,
			     .strike = life_by_handler },
	[LIFE_REFUSED]	 = { .rounds = 1, .time = LIFE_TIME, .busy = true,
			     .strike = life_by_handler },
	[LIFE_TWICE]	 = { .rounds = 1, .time = LIFE_TIME, .busy = true, .strike = life_twice },
};
