// SPDX-License-Identifier: GPL-2.0-only
/*
 * The gate: where handlers are held until everything is in its place.
 *
 * Owns: the gate, one for the module, and the record of who was held. A handler
 * that leaves late must find it, whatever became of the test.
 */
#include <linux/delay.h>

#include "life.h"

#define LIFE_STAYS	64

struct life_stay {
	struct rig_id *id;
	ktime_t end;
};

static struct {
	struct life_run *run;
	struct completion open;
	struct life_stay stays[LIFE_STAYS];
	atomic_t n;
} life_gate;

static void life_gate_end(void *arg)
{
	complete_all(&life_gate.open);
}

/**
 * life_gate_close - handlers that come are held
 * @run: whose; all that were held before have left
 *
 * Context: process.
 */
void life_gate_close(struct life_run *run)
{
	memset(&life_gate.stays, 0, sizeof(life_gate.stays));
	atomic_set(&life_gate.n, 0);
	life_gate.run = run;
	run->opened = 0;
	init_completion(&life_gate.open);
	KUNIT_ASSERT_EQ(run->test, kunit_add_action_or_reset(run->test, life_gate_end, NULL), 0);
}

/**
 * life_gate_open - they go on
 * @run: the run
 *
 * Context: any.
 */
void life_gate_open(struct life_run *run)
{
	if (!run->opened)
		run->opened = ktime_get();
	complete_all(&life_gate.open);
}

static struct life_fact *life_fact_of(struct life_run *run, struct rig_id *id)
{
	struct life_fact *f;

	life_each(run, f)
		if (f->id == id)
			return f;
	return NULL;
}

/* What a handler does when it goes on. */
static int life_gate_do(struct life_run *run, struct life_fact *f)
{
	switch (run->how) {
	case LIFE_SLEEPS:
		rig_sleep(LIFE_SLEEP_MS);
		return 0;
	case LIFE_QUEUED:
	case LIFE_TWICE:
		msleep(LIFE_NAP_MS);
		return 0;
	case LIFE_OWN:
		/* What the handler returns must not be what ends the id */
		life_destroy(f);
		return 0;
	case LIFE_NOMEM:
		return -ENOMEM;
	case LIFE_REFUSED:
		return (f - run->facts) % 2 ? 1 : -ECONNREFUSED;
	default:
		return 0;
	}
}

/**
 * life_gate_hook - a handler comes to the gate
 * @id: whose
 * @event: what it was called for
 *
 * Context: process; sleeps.
 * Return: what the handler returns.
 */
int life_gate_hook(struct rig_id *id, const struct rig_event *event)
{
	unsigned int n = atomic_inc_return(&life_gate.n) - 1;
	struct life_stay *stay = &life_gate.stays[min(n, LIFE_STAYS - 1U)];
	struct life_run *run = life_gate.run;
	struct life_fact *f;
	int ret = 0;

	/* Complete: pairs with life_gate_holds() */
	smp_store_release(&stay->id, id);
	wait_for_completion_timeout(&life_gate.open, msecs_to_jiffies(6 * RIG_WAIT_MS));
	f = life_fact_of(run, id);
	if (f)
		ret = life_gate_do(run, f);
	WRITE_ONCE(stay->end, ktime_get());
	return ret;
}

static struct life_stay *life_stay_of(struct rig_id *id)
{
	unsigned int i;

	for (i = 0; i < LIFE_STAYS; i++)
		/* Pairs with life_gate_hook() */
		if (smp_load_acquire(&life_gate.stays[i].id) == id)
			return &life_gate.stays[i];
	return NULL;
}

/**
 * life_gate_holds - is a handler of an id at the gate, or has it been there?
 * @id: whose
 *
 * Context: any.
 * Return: true if so.
 */
bool life_gate_holds(struct rig_id *id)
{
	return life_stay_of(id);
}

/**
 * life_gate_left - when did the handler of an id end?
 * @id: whose
 *
 * Context: any.
 * Return: the time; 0: it has not, or never came to the gate.
 */
ktime_t life_gate_left(struct rig_id *id)
{
	struct life_stay *stay = life_stay_of(id);

	return stay ? READ_ONCE(stay->end) : 0;
}
