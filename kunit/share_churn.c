// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite ib_cm_share: eight threads that take and drop shares while requests come.
 *
 * Owns: the threads, their dice, the peer that asks. A round ends when all
 * threads have come to rest; what they hold then is what the listener counts.
 *
 * No locks: a thread's record is its own until its work is flushed.
 */
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/moduleparam.h>
#include <linux/prandom.h>
#include <linux/workqueue.h>

#include "share.h"
#include "../cm_core/generated/cm_model.h"

#define CHURNERS	8
#define CHURN_ROUNDS	25
#define CHURN_TAKES	5	/* each in a round: 1,000 in all */
#define CHURN_RACES	100

static unsigned int seed = 1;
module_param(seed, uint, 0444);
MODULE_PARM_DESC(seed, "Of the order in which shares are taken and dropped");

struct churner {
	struct work_struct work;
	struct rig *rig;
	struct rnd_state dice;
	struct ib_cm_id *held[CHURN_ROUNDS * CHURN_TAKES];
	unsigned int count;
	unsigned int takes;	/* to be done in this round */
	bool shy;		/* holds few shares, and none for a while */
	bool none;		/* keeps none at the end of this round */
	unsigned int taken;
	long error;		/* of a take that was refused */
};

struct asker {
	struct rig *rig;
	struct task_struct *task;
	unsigned int asked;
	unsigned int served;	/* REJ 28: a handler had it */
	unsigned int unserved;	/* REJ 8: nobody listened */
	unsigned int strange;	/* another answer, or none */
};

/* ---- the peer ---- */

static int asker_run(void *data)
{
	struct asker *asker = data;

	/* After the first odd answer there is nothing to learn. */
	while (!kthread_should_stop() && !asker->strange) {
		share_ask(asker->rig);
		asker->asked++;
		switch (share_answer(asker->rig, RIG_WAIT_MS)) {
		case IB_CM_REJ_CONSUMER_DEFINED:
			asker->served++;
			break;
		case IB_CM_REJ_INVALID_SERVICE_ID:
			asker->unserved++;
			/* Strangers get so many answers in a second and no more. */
			usleep_range(500, 1000);
			break;
		default:
			asker->strange++;
			break;
		}
	}
	while (!kthread_should_stop())
		usleep_range(1000, 2000);
	return 0;
}

static void asker_start(struct kunit *test, struct asker *asker, struct rig *rig)
{
	asker->rig = rig;
	asker->task = kthread_run(asker_run, asker, "share/peer");
	KUNIT_ASSERT_FALSE(test, IS_ERR(asker->task));
}

/* ---- the threads ---- */

static u32 churn_dice(struct churner *c, u32 below)
{
	return prandom_u32_state(&c->dice) % below;
}

static void churn_take(struct churner *c)
{
	struct ib_cm_id *cm = share_insert(c->rig);

	c->takes--;
	if (IS_ERR(cm)) {
		c->error = PTR_ERR(cm);
		return;
	}
	c->taken++;
	c->held[c->count++] = cm;
}

static void churn_drop(struct churner *c)
{
	swap(c->held[churn_dice(c, c->count)], c->held[c->count - 1]);
	ib_destroy_cm_id(c->held[--c->count]);
}

static void churn_run(struct work_struct *work)
{
	struct churner *c = container_of(work, struct churner, work);
	unsigned int keep;

	while (c->takes) {
		if (!c->count || churn_dice(c, 3) > c->shy)
			churn_take(c);
		else
			churn_drop(c);
		if (!churn_dice(c, 2))
			usleep_range(20, 200);
		if (c->shy && !c->count)
			usleep_range(100, 1000);
	}
	keep = c->none ? 0 : churn_dice(c, c->count + 1);
	while (c->count > keep)
		churn_drop(c);
}

/* One round: returns when all threads are at rest. */
static void churn_round(struct churner *churners, bool none)
{
	unsigned int i;

	WRITE_ONCE(share.busy, true);
	for (i = 0; i < CHURNERS; i++) {
		churners[i].takes = CHURN_TAKES;
		churners[i].none = none;
		queue_work(share_wq, &churners[i].work);
	}
	for (i = 0; i < CHURNERS; i++)
		flush_work(&churners[i].work);
	WRITE_ONCE(share.busy, false);
}

/* What they hold is one id, and its count is theirs. */
static void churn_expect(struct kunit *test, struct churner *churners, struct ib_cm_id *base)
{
	struct cm_probe_totals totals;
	struct cm_probe_view view;
	struct ib_cm_id *cm = base;
	unsigned int i, j, held = base ? 1 : 0;

	for (i = 0; i < CHURNERS; i++) {
		KUNIT_ASSERT_EQ_MSG(test, churners[i].error, 0, "thread %u", i);
		for (j = 0; j < churners[i].count; j++) {
			if (!cm)
				cm = churners[i].held[j];
			KUNIT_ASSERT_PTR_EQ_MSG(test, churners[i].held[j], cm, "thread %u", i);
		}
		held += churners[i].count;
	}
	cm_probe_totals(&totals);
	KUNIT_EXPECT_EQ(test, totals.listeners, held ? 1 : 0);
	if (!held)
		return;
	cm_probe_view(cm, &view);
	KUNIT_EXPECT_EQ(test, view.shares, held);
}

/* Listeners whose last share has gone. */
static unsigned long churn_lives(void)
{
	return cm_probe_hits(CM_MACHINE_SHARE, CM_SHARE_ON_DROP_LAST, CM_SHARE_SINGLE);
}

/* with_base: one share stays throughout, so that every request is served, by one id. */
static void share_churn(struct kunit *test, bool with_base)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct churner *churners = kunit_kcalloc(test, CHURNERS, sizeof(*churners), GFP_KERNEL);
	struct asker asker = {};
	struct ib_cm_id *base = NULL;
	unsigned long lives = churn_lives();
	unsigned int i, taken = 0;

	KUNIT_ASSERT_NOT_NULL(test, churners);
	for (i = 0; i < CHURNERS; i++) {
		INIT_WORK(&churners[i].work, churn_run);
		churners[i].rig = rig;
		churners[i].shy = !with_base;
		prandom_seed_state(&churners[i].dice, seed * CHURNERS + i);
	}
	if (with_base) {
		base = share_insert(rig);
		KUNIT_ASSERT_FALSE(test, IS_ERR(base));
	}
	asker_start(test, &asker, rig);
	for (i = 0; i < CHURN_ROUNDS; i++) {
		churn_round(churners, i == CHURN_ROUNDS - 1 || (!with_base && i & 1));
		churn_expect(test, churners, base);
	}
	kthread_stop(asker.task);
	for (i = 0; i < CHURNERS; i++)
		taken += churners[i].taken;

	KUNIT_EXPECT_EQ(test, taken, CHURNERS * CHURN_ROUNDS * CHURN_TAKES);
	KUNIT_EXPECT_EQ(test, asker.strange, 0);
	KUNIT_EXPECT_EQ(test, asker.served, atomic_read(&share.calls));
	KUNIT_EXPECT_GT(test, atomic_read(&share.meanwhile), 0);
	if (with_base) {
		KUNIT_EXPECT_EQ(test, asker.unserved, 0);
		share_expect(test, base, 1, 0);
		ib_destroy_cm_id(base);
	}
	WRITE_ONCE(share.over, true);
	share_ask(rig);
	KUNIT_EXPECT_EQ(test, share_answer(rig, RIG_WAIT_MS), IB_CM_REJ_INVALID_SERVICE_ID);
	KUNIT_EXPECT_EQ(test, atomic_read(&share.late), 0);
	lives = churn_lives() - lives;
	KUNIT_EXPECT_GE(test, lives, with_base ? 1 : CHURN_ROUNDS / 2);
	kunit_info(test, "seed %u: %u shares of %lu listeners, %u requests: %u served (%u while shares came and went), %u unserved",
		   seed, taken, lives, asker.asked, asker.served, atomic_read(&share.meanwhile),
		   asker.unserved);
}

/**
 * share_thousand - one share stays while a thousand come and go
 * @test: the test
 *
 * Context: sleeps.
 */
void share_thousand(struct kunit *test)
{
	share_churn(test, true);
}

/**
 * share_thousand_come_and_go - the listener itself goes and comes, too
 * @test: the test
 *
 * Context: sleeps.
 */
void share_thousand_come_and_go(struct kunit *test)
{
	share_churn(test, false);
}

/* ---- ib_cm_listen() and ib_cm_insert_listen() at once ---- */

struct rival {
	struct work_struct work;
	struct rig *rig;
	bool alone;		/* ib_cm_listen() */
	void *context;
	struct ib_cm_id *cm;	/* what listens, and is ours to destroy */
	int error;
};

static void rival_run(struct work_struct *work)
{
	struct rival *r = container_of(work, struct rival, work);
	struct ib_cm_id *cm;

	cm = r->alone ? ib_create_cm_id(r->rig->dev, share_handler, r->context) :
			share_insert(r->rig);
	r->error = PTR_ERR_OR_ZERO(cm);
	if (!r->error && r->alone)
		r->error = ib_cm_listen(cm, cpu_to_be64(SHARE_SERVICE));
	if (!r->error) {
		r->cm = cm;
		return;
	}
	r->cm = NULL;
	if (!IS_ERR(cm))
		ib_destroy_cm_id(cm);
}

static void rival_end(struct work_struct *work)
{
	struct rival *r = container_of(work, struct rival, work);

	if (r->cm)
		ib_destroy_cm_id(r->cm);
}

static void rivals_do(struct rival *rivals, work_func_t fn)
{
	unsigned int i;

	for (i = 0; i < CHURNERS; i++) {
		INIT_WORK(&rivals[i].work, fn);
		queue_work(share_wq, &rivals[i].work);
	}
	for (i = 0; i < CHURNERS; i++)
		flush_work(&rivals[i].work);
}

static void rivals_expect(struct kunit *test, struct rival *rivals, unsigned int *alone)
{
	struct cm_probe_view view = {};
	unsigned int i, won = 0, won_alone = 0;
	struct ib_cm_id *cm = NULL;

	for (i = 0; i < CHURNERS; i++) {
		if (!rivals[i].cm)
			continue;
		if (!cm)
			cm = rivals[i].cm;
		KUNIT_EXPECT_PTR_EQ(test, rivals[i].cm, cm);
		won++;
		won_alone += rivals[i].alone;
	}
	KUNIT_ASSERT_NOT_NULL(test, cm);
	cm_probe_view(cm, &view);
	KUNIT_EXPECT_EQ(test, view.shares, won);
	KUNIT_EXPECT_LE(test, won_alone, 1);
	for (i = 0; i < CHURNERS; i++) {
		if (rivals[i].alone && !rivals[i].cm)
			KUNIT_EXPECT_EQ(test, rivals[i].error, -EBUSY);
		/* Shared is a listener that has no context, whoever opened it. */
		if (!rivals[i].alone)
			KUNIT_EXPECT_EQ(test, rivals[i].error,
					won_alone && rivals[i].context ? -EINVAL : 0);
	}
	*alone += won_alone;
}

static void share_race(struct kunit *test, void *context)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rival *rivals = kunit_kcalloc(test, CHURNERS, sizeof(*rivals), GFP_KERNEL);
	struct cm_probe_totals totals;
	unsigned int i, alone = 0;

	KUNIT_ASSERT_NOT_NULL(test, rivals);
	for (i = 0; i < CHURNERS; i++) {
		rivals[i].rig = rig;
		rivals[i].context = context;
	}
	for (i = 0; i < CHURN_RACES; i++) {
		unsigned int j;

		/* Who is first in the queue changes from round to round. */
		for (j = 0; j < CHURNERS; j++)
			rivals[j].alone = (i + j) & 1;
		rivals_do(rivals, rival_run);
		rivals_expect(test, rivals, &alone);
		rivals_do(rivals, rival_end);
		cm_probe_totals(&totals);
		KUNIT_ASSERT_EQ(test, totals.listeners, 0);
	}
	kunit_info(test, "%u times ib_cm_listen() came first, %u times ib_cm_insert_listen()",
		   alone, CHURN_RACES - alone);
}

/**
 * share_races_with_listen - eight threads want one service id, in both ways
 * @test: the test
 *
 * Context: sleeps.
 */
void share_races_with_listen(struct kunit *test)
{
	share_race(test, NULL);
}

/**
 * share_races_with_listen_in_context - and a listener with a context is not shared
 * @test: the test
 *
 * Context: sleeps.
 */
void share_races_with_listen_in_context(struct kunit *test)
{
	share_race(test, &share);
}
