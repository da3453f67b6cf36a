// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite ib_cm_share: one listener, several owners.
 *
 * Owns: the consumer; what a share's destroy waits for; who may share with whom.
 *
 * That a destroy returned early, or did not, is judged by order: a handler that
 * waits at the gate runs until the test opens it.
 */
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/sort.h>
#include <linux/workqueue.h>

#include "share.h"
#include "../cm_core/generated/cm_model.h"

#define SHARE_LEAVERS	100
#define SHARE_AT_ONCE	32	/* handlers that a listener runs, by default */
#define SHARE_WAITING	8	/* requests that wait besides */
#define SHARE_REFUSALS	100

struct share_consumer share;
struct workqueue_struct *share_wq;

/* ---- the consumer ---- */

/**
 * share_handler - the handler of all sharers
 * @cm: of the request
 * @event: REQ
 *
 * Context: sleeps, if it is told to.
 * Return: -EBUSY: the request is refused.
 */
int share_handler(struct ib_cm_id *cm, const struct ib_cm_event *event)
{
	struct ib_cm_id *leave;

	if (event->event != IB_CM_REQ_RECEIVED)
		return 0;
	atomic_inc(&share.calls);
	atomic_inc(&share.running);
	if (READ_ONCE(share.busy))
		atomic_inc(&share.meanwhile);
	leave = xchg(&share.leave, NULL);
	if (leave)
		ib_destroy_cm_id(leave);
	complete(&share.entered);
	if (READ_ONCE(share.gated))
		wait_for_completion(&share.go);
	if (READ_ONCE(share.over))
		atomic_inc(&share.late);
	atomic_dec(&share.running);
	return -EBUSY;
}

/**
 * share_other_handler - another consumer's
 * @cm: of the request
 * @event: any
 *
 * Context: any.
 * Return: 0
 */
int share_other_handler(struct ib_cm_id *cm, const struct ib_cm_event *event)
{
	return 0;
}

/**
 * share_insert - one share more
 * @rig: whose device
 *
 * Context: sleeps.
 * Return: what ib_cm_insert_listen() returns.
 */
struct ib_cm_id *share_insert(struct rig *rig)
{
	return ib_cm_insert_listen(rig->dev, share_handler, cpu_to_be64(SHARE_SERVICE));
}

/**
 * share_ask - the peer sends a REQ
 * @rig: the rig
 *
 * Context: sleeps.
 */
void share_ask(struct rig *rig)
{
	u8 mad[MAD_BYTES];

	rig_make_req(rig, SHARE_SERVICE, mad);
	rig_peer_send(rig, mad);
}

/**
 * share_answer - what the peer is answered
 * @rig: the rig
 * @timeout_ms: how long to wait for it
 *
 * Context: sleeps, if @timeout_ms is not 0.
 * Return: the reason of the next REJ; 0: none comes.
 */
u16 share_answer(struct rig *rig, unsigned int timeout_ms)
{
	u8 mad[MAD_BYTES];

	return rig_peer_recv(rig, ATTR_REJ, mad, timeout_ms) ? mad_get(mad, "reason") : 0;
}

static bool share_rests(struct ib_cm_id *cm, struct cm_probe_view *view, unsigned int refs)
{
	cm_probe_view(cm, view);
	return view->refs == refs;
}

/**
 * share_expect - the count of a listener's shares, and its references
 * @test: the test
 * @cm: the listener
 * @shares: how many
 * @more: references besides the one that the owners have together
 *
 * Context: sleeps.
 */
void share_expect(struct kunit *test, struct ib_cm_id *cm, unsigned int shares, unsigned int more)
{
	struct cm_probe_view view;

	/* Who has just looked it up lets go of it soon. */
	KUNIT_EXPECT_TRUE_MSG(test, rig_until(share_rests(cm, &view, 1 + more)),
			      "%u references want %u", view.refs, 1 + more);
	KUNIT_EXPECT_EQ(test, view.state, CM_ID_LISTEN);
	KUNIT_EXPECT_EQ(test, view.shares, shares);
}

static void share_expect_listeners(struct kunit *test, unsigned long want)
{
	struct cm_probe_totals totals;

	cm_probe_totals(&totals);
	KUNIT_EXPECT_EQ(test, totals.listeners, want);
}

/* So many shares of one id; the test ends if it is not so. */
static struct ib_cm_id *share_open(struct kunit *test, struct rig *rig, unsigned int shares)
{
	struct ib_cm_id *cm = share_insert(rig), *again;
	struct cm_probe_view view;
	unsigned int i;

	KUNIT_ASSERT_FALSE(test, IS_ERR(cm));
	for (i = 1; i < shares; i++) {
		again = share_insert(rig);
		KUNIT_ASSERT_PTR_EQ(test, again, cm);
	}
	share_expect(test, cm, shares, 0);
	/* Not so, and to destroy what there is would not come to an end. */
	cm_probe_view(cm, &view);
	KUNIT_ASSERT_EQ(test, view.shares, shares);
	return cm;
}

/* A request whose handler waits at the gate. */
static void share_occupy(struct kunit *test, struct rig *rig)
{
	share_ask(rig);
	KUNIT_ASSERT_TRUE_MSG(test, wait_for_completion_timeout(&share.entered,
								msecs_to_jiffies(RIG_WAIT_MS)),
			      "no handler is called");
}

/* ---- the early exit ---- */

static int share_by_time(const void *a, const void *b)
{
	const u64 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Shares go while a handler runs: each at once, the last when the handler has returned. */
static void share_early_exit(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct ib_cm_id *cm = share_open(test, rig, SHARE_LEAVERS + 2);
	u64 *ns = kunit_kcalloc(test, SHARE_LEAVERS, sizeof(*ns), GFP_KERNEL);
	struct rig_destroyer d;
	unsigned int i;
	bool early;

	KUNIT_ASSERT_NOT_NULL(test, ns);
	share.gated = true;
	share_occupy(test, rig);
	/* One on another thread first: should it wait, this one is there to end it. */
	rig_destroyer_start(&d, cm);
	early = rig_destroyer_ends(&d, RIG_WAIT_MS);
	if (!early)
		complete_all(&share.go);
	rig_destroyer_join(&d);
	KUNIT_ASSERT_TRUE_MSG(test, early, "a share's destroy waits for a handler");
	for (i = 0; i < SHARE_LEAVERS; i++) {
		ns[i] = ktime_get_ns();
		ib_destroy_cm_id(cm);
		ns[i] = ktime_get_ns() - ns[i];
		KUNIT_EXPECT_EQ(test, atomic_read(&share.running), 1);
		/* The turn is a reference. Who waits for it in vain does so once. */
		if (test->status != KUNIT_FAILURE)
			share_expect(test, cm, SHARE_LEAVERS - i, 1);
	}
	rig_destroyer_start(&d, cm);
	KUNIT_EXPECT_FALSE_MSG(test, rig_destroyer_ends(&d, SHARE_HELD_MS),
			       "the last destroy did not wait for the handler");
	KUNIT_EXPECT_EQ(test, atomic_read(&share.running), 1);
	share_expect_listeners(test, 0);
	complete_all(&share.go);
	KUNIT_EXPECT_TRUE(test, rig_destroyer_ends(&d, RIG_WAIT_MS));
	KUNIT_EXPECT_EQ(test, atomic_read(&share.running), 0);
	rig_destroyer_join(&d);
	KUNIT_EXPECT_EQ(test, share_answer(rig, RIG_WAIT_MS), IB_CM_REJ_CONSUMER_DEFINED);
	sort(ns, SHARE_LEAVERS, sizeof(*ns), share_by_time, NULL);
	kunit_info(test, "early exit, handler running: %llu ns at least, %llu ns median, %llu ns at most, of %u",
		   ns[0], ns[SHARE_LEAVERS / 2], ns[SHARE_LEAVERS - 1], SHARE_LEAVERS);
}

/* A sharer may leave from a handler that runs on its own listener's behalf. */
static void share_leaves_in_the_handler(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct ib_cm_id *cm = share_open(test, rig, 2);

	share.leave = cm;
	share_ask(rig);
	KUNIT_ASSERT_EQ(test, share_answer(rig, RIG_WAIT_MS), IB_CM_REJ_CONSUMER_DEFINED);
	share_expect(test, cm, 1, 0);
	ib_destroy_cm_id(cm);
	share_expect_listeners(test, 0);
}

/* ---- the last share, with requests in every place ---- */

/* So many requests run or wait for their turn, and none is on its way there. */
static bool share_under_way(unsigned long requests)
{
	struct cm_probe_totals totals;

	cm_probe_totals(&totals);
	return totals.runners == requests && !totals.queued;
}

static void share_crowd(struct kunit *test, struct rig *rig)
{
	unsigned int i;

	share.gated = true;
	for (i = 0; i < SHARE_AT_ONCE; i++)
		share_occupy(test, rig);
	for (i = 0; i < SHARE_WAITING; i++)
		share_ask(rig);
	KUNIT_ASSERT_TRUE(test, rig_until(share_under_way(SHARE_AT_ONCE + SHARE_WAITING)));
	KUNIT_EXPECT_FALSE(test, try_wait_for_completion(&share.entered));
}

/* Others leave, and nothing changes for who runs and who waits. */
static void share_early_exit_rejects_nobody(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct ib_cm_id *cm = share_open(test, rig, 3);
	unsigned int i;

	share_crowd(test, rig);
	ib_destroy_cm_id(cm);
	ib_destroy_cm_id(cm);
	KUNIT_EXPECT_EQ(test, share_answer(rig, SHARE_HELD_MS), 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&share.running), SHARE_AT_ONCE);
	/* Who waits is served for the owner that stays. */
	complete_all(&share.go);
	for (i = 0; i < SHARE_AT_ONCE + SHARE_WAITING; i++)
		KUNIT_ASSERT_EQ(test, share_answer(rig, RIG_WAIT_MS), IB_CM_REJ_CONSUMER_DEFINED);
	KUNIT_EXPECT_EQ(test, atomic_read(&share.calls), SHARE_AT_ONCE + SHARE_WAITING);
	share_expect(test, cm, 1, 0);
	ib_destroy_cm_id(cm);
}

static void share_last_rejects_who_waits(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct ib_cm_id *cm = share_open(test, rig, 2);
	struct rig_destroyer d;
	unsigned int i;

	share_crowd(test, rig);
	ib_destroy_cm_id(cm);
	rig_destroyer_start(&d, cm);
	/* While all handlers still run: */
	for (i = 0; i < SHARE_WAITING; i++)
		KUNIT_EXPECT_EQ(test, share_answer(rig, RIG_WAIT_MS), IB_CM_REJ_INVALID_SERVICE_ID);
	KUNIT_EXPECT_FALSE(test, rig_destroyer_ends(&d, SHARE_HELD_MS));
	KUNIT_EXPECT_EQ(test, atomic_read(&share.running), SHARE_AT_ONCE);
	for (i = 0; i < SHARE_AT_ONCE - 1; i++)
		complete(&share.go);
	KUNIT_EXPECT_FALSE_MSG(test, rig_destroyer_ends(&d, SHARE_HELD_MS),
			       "the last destroy did not wait for the last handler");
	complete_all(&share.go);
	KUNIT_EXPECT_TRUE(test, rig_destroyer_ends(&d, RIG_WAIT_MS));
	WRITE_ONCE(share.over, true);
	KUNIT_EXPECT_EQ(test, atomic_read(&share.running), 0);
	rig_destroyer_join(&d);
	for (i = 0; i < SHARE_AT_ONCE; i++)
		KUNIT_EXPECT_EQ(test, share_answer(rig, RIG_WAIT_MS), IB_CM_REJ_CONSUMER_DEFINED);
	KUNIT_EXPECT_EQ(test, share_answer(rig, 0), 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&share.calls), SHARE_AT_ONCE);
	KUNIT_EXPECT_EQ(test, atomic_read(&share.late), 0);
}

/* The last leaves with a handler running, and the next consumer listens at once. */
static void share_successor(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct ib_cm_id *cm = share_open(test, rig, 1), *next;
	struct rig_destroyer d;

	share.gated = true;
	share_occupy(test, rig);
	rig_destroyer_start(&d, cm);
	KUNIT_EXPECT_FALSE(test, rig_destroyer_ends(&d, SHARE_HELD_MS));
	next = share_insert(rig);
	KUNIT_ASSERT_FALSE(test, IS_ERR(next));
	KUNIT_EXPECT_PTR_NE(test, next, cm);
	share_occupy(test, rig);
	share_expect(test, next, 1, 1);
	KUNIT_EXPECT_FALSE(test, rig_destroyer_ends(&d, 0));
	complete_all(&share.go);
	KUNIT_EXPECT_TRUE(test, rig_destroyer_ends(&d, RIG_WAIT_MS));
	rig_destroyer_join(&d);
	ib_destroy_cm_id(next);
}

/* The device goes; each owner has its share to destroy as before. */
static void share_outlives_the_device(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct ib_cm_id *cm = share_open(test, rig, 3);
	struct cm_probe_view view;
	unsigned int i;

	rig_unplug(rig);
	for (i = 0; i < 3; i++) {
		cm_probe_view(cm, &view);
		KUNIT_EXPECT_EQ(test, view.shares, 3 - i);
		ib_destroy_cm_id(cm);
	}
}

/* ---- who may share with whom ---- */

static void share_refuse(struct kunit *test, struct rig *rig, ib_cm_handler handler)
{
	struct cm_probe_totals before, after;
	struct ib_cm_id *cm;
	unsigned int i;

	rig_settle(rig);
	cm_probe_totals(&before);
	for (i = 0; i < SHARE_REFUSALS; i++) {
		cm = ib_cm_insert_listen(rig->dev, handler, cpu_to_be64(SHARE_SERVICE));
		KUNIT_ASSERT_TRUE(test, IS_ERR(cm));
		KUNIT_ASSERT_EQ(test, PTR_ERR(cm), -EINVAL);
	}
	rcu_barrier();
	cm_probe_totals(&after);
	KUNIT_EXPECT_EQ(test, after.ids, before.ids);
	KUNIT_EXPECT_EQ(test, after.listeners, before.listeners);
}

static void share_refuses_another_handler(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct ib_cm_id *cm = share_open(test, rig, 2);

	share_refuse(test, rig, share_other_handler);
	share_expect(test, cm, 2, 0);
	ib_destroy_cm_id(cm);
	share_refuse(test, rig, share_other_handler);
	share_expect(test, cm, 1, 0);
	ib_destroy_cm_id(cm);
	cm = ib_cm_insert_listen(rig->dev, share_other_handler, cpu_to_be64(SHARE_SERVICE));
	KUNIT_ASSERT_FALSE(test, IS_ERR(cm));
	share_refuse(test, rig, share_handler);
	ib_destroy_cm_id(cm);
}

static struct ib_cm_id *share_alone(struct kunit *test, struct rig *rig, void *context)
{
	struct ib_cm_id *cm = ib_create_cm_id(rig->dev, share_handler, context);

	KUNIT_ASSERT_FALSE(test, IS_ERR(cm));
	return cm;
}

static void share_refuses_a_context(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct ib_cm_id *cm = share_alone(test, rig, &share);

	KUNIT_ASSERT_EQ(test, ib_cm_listen(cm, cpu_to_be64(SHARE_SERVICE)), 0);
	share_refuse(test, rig, share_handler);
	share_refuse(test, rig, share_other_handler);
	share_expect(test, cm, 1, 0);
	ib_destroy_cm_id(cm);
}

/* ib_cm_listen() first: who has its handler shares it, if it has no context. */
static void share_after_listen(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct ib_cm_id *cm = share_alone(test, rig, NULL);

	KUNIT_ASSERT_EQ(test, ib_cm_listen(cm, cpu_to_be64(SHARE_SERVICE)), 0);
	KUNIT_ASSERT_PTR_EQ(test, share_insert(rig), cm);
	share_expect(test, cm, 2, 0);
	share_refuse(test, rig, share_other_handler);
	ib_destroy_cm_id(cm);
	share_expect(test, cm, 1, 0);
	share_ask(rig);
	KUNIT_EXPECT_EQ(test, share_answer(rig, RIG_WAIT_MS), IB_CM_REJ_CONSUMER_DEFINED);
	ib_destroy_cm_id(cm);
	share_expect_listeners(test, 0);
}

/* ib_cm_insert_listen() first: ib_cm_listen() wants it alone, whatever its handler. */
static void share_before_listen(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct ib_cm_id *cm = share_open(test, rig, 2);
	struct ib_cm_id *alone = share_alone(test, rig, NULL);

	KUNIT_EXPECT_EQ(test, ib_cm_listen(alone, cpu_to_be64(SHARE_SERVICE)), -EBUSY);
	share_expect(test, cm, 2, 0);
	ib_destroy_cm_id(cm);
	KUNIT_EXPECT_EQ(test, ib_cm_listen(alone, cpu_to_be64(SHARE_SERVICE)), -EBUSY);
	share_expect(test, cm, 1, 0);
	ib_destroy_cm_id(cm);
	/* It is still IDLE, and what it asked for is free now. */
	KUNIT_EXPECT_EQ(test, ib_cm_listen(alone, cpu_to_be64(SHARE_SERVICE)), 0);
	share_expect(test, alone, 1, 0);
	ib_destroy_cm_id(alone);
}

/* ---- the suite ---- */

static int share_init(struct kunit *test)
{
	memset(&share, 0, sizeof(share));
	init_completion(&share.entered);
	init_completion(&share.go);
	return rig_case(test);
}

/* A test that has failed must not leave handlers at the gate: its rig waits for them. */
static void share_exit(struct kunit *test)
{
	complete_all(&share.go);
}

static int share_suite_init(struct kunit_suite *suite)
{
	share_wq = alloc_workqueue("cm_share_test", WQ_UNBOUND, 0);
	return share_wq ? 0 : -ENOMEM;
}

static void share_suite_exit(struct kunit_suite *suite)
{
	if (share_wq)
		destroy_workqueue(share_wq);
}

static struct kunit_case share_cases[] = {
	KUNIT_CASE(share_early_exit),
	KUNIT_CASE(share_leaves_in_the_handler),
	KUNIT_CASE(share_early_exit_rejects_nobody),
	KUNIT_CASE(share_last_rejects_who_waits),
	KUNIT_CASE(share_successor),
	KUNIT_CASE(share_outlives_the_device),
	KUNIT_CASE(share_refuses_another_handler),
	KUNIT_CASE(share_refuses_a_context),
	KUNIT_CASE(share_after_listen),
	KUNIT_CASE(share_before_listen),
	KUNIT_CASE_SLOW(share_thousand),
	KUNIT_CASE_SLOW(share_thousand_come_and_go),
	KUNIT_CASE_SLOW(share_races_with_listen),
	KUNIT_CASE_SLOW(share_races_with_listen_in_context),
	{}
};

static struct kunit_suite share_suite = {
	.name = "ib_cm_share",
	.suite_init = share_suite_init,
	.suite_exit = share_suite_exit,
	.init = share_init,
	.exit = share_exit,
	.test_cases = share_cases,
};
kunit_test_suite(share_suite);

MODULE_DESCRIPTION("Tests of ib_cm: shared listens");
MODULE_LICENSE("GPL");
