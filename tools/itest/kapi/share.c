// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shared listens: counted exactly, early exit for all shares but the last, and the
 * last waits for what runs on the listener's behalf.
 */
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/random.h>

#include "kapi.h"

#define KAPI_THREADS	8
#define KAPI_SHARES	125	/* per thread */

static atomic_t kapi_running, kapi_served;
static unsigned int kapi_naps;
static DECLARE_COMPLETION(kapi_entered);

static int kapi_share_fn(struct ib_cm_id *id, const struct ib_cm_event *event)
{
	if (event->event != IB_CM_REQ_RECEIVED)
		return 0;
	atomic_inc(&kapi_running);
	atomic_inc(&kapi_served);
	complete(&kapi_entered);
	if (kapi_naps)
		msleep(kapi_naps);
	atomic_dec(&kapi_running);
	return -EBUSY;
}

/* Asks the pair's service id; the reason of the REJ that must come, or 0. */
static int kapi_share_ask(struct kapi_pair *pair)
{
	struct kapi_note *note;

	pair->a_qpn = kapi_qpn();
	if (!kapi_want(pair->t, "send_req", kapi_call(pair, &pair->a, KAPI_CALL_REQ, NULL, 0), 0))
		return 0;
	note = kapi_take(pair->t, &pair->a, IB_CM_REJ_RECEIVED);
	kapi_returned(pair->t, &pair->a);
	return note ? note->event.param.rej_rcvd.reason : 0;
}

/* A pair whose own listener is not what it asks. */
static struct kapi_pair *kapi_share_pair(struct kapi *t)
{
	struct kapi_pair *pair = kapi_pair_make(t);

	if (!pair)
		return NULL;
	kapi_destroy_end(&pair->l);
	pair->service_id = kapi_service();
	kapi_naps = 0;
	atomic_set(&kapi_served, 0);
	reinit_completion(&kapi_entered);
	return pair;
}

struct kapi_sharer {
	struct kapi *t;
	struct ib_cm_id *first;
	__be64 service_id;
	struct completion done;
	unsigned int bad, held;
	int error;
};

/* Takes and drops shares in a random order until it has had all of its own, and drops the rest but one. */
static int kapi_share_thread(void *data)
{
	struct kapi_sharer *me = data;
	unsigned int left = KAPI_SHARES;
	struct ib_cm_id *id;
	u32 dice;

	while (left || me->held > 1) {
		get_random_bytes(&dice, sizeof(dice));
		if (left && (dice & 3 || !me->held)) {
			id = ib_cm_insert_listen(me->t->dev, kapi_share_fn, me->service_id);
			left--;
			if (IS_ERR(id)) {
				me->error = PTR_ERR(id);
				me->bad++;
			} else if (id != me->first) {
				me->bad++;
				ib_destroy_cm_id(id);
			} else {
				me->held++;
			}
		} else if (me->held) {
			ib_destroy_cm_id(me->first);
			me->held--;
		}
		if (!(dice & 0x300))
			usleep_range(1000, 10000);
	}
	complete(&me->done);
	return 0;
}

static void kapi_share_many(struct kapi *t)
{
	struct kapi_pair *pair = kapi_share_pair(t);
	static struct kapi_sharer sharers[KAPI_THREADS];
	unsigned int asked = 0, running = 0, i;
	struct ib_cm_id *first;

	if (!pair)
		return;
	first = ib_cm_insert_listen(t->dev, kapi_share_fn, pair->service_id);
	if (!kapi_want(t, "insert_listen", PTR_ERR_OR_ZERO(first), 0))
		goto out;
	for (i = 0; i < KAPI_THREADS; i++) {
		struct task_struct *task;

		sharers[i] = (struct kapi_sharer) { .t = t, .first = first, .service_id = pair->service_id };
		init_completion(&sharers[i].done);
		task = kthread_run(kapi_share_thread, &sharers[i], "kapi/%u", i);
		if (IS_ERR(task)) {
			kapi_fail(t, "no thread");
			break;
		}
		running++;
	}
	/* Requests all the while: with a share left each is served. */
	for (i = 0; i < running; ) {
		if (!t->failed) {
			kapi_want(t, "reason, with shares", kapi_share_ask(pair), IB_CM_REJ_CONSUMER_DEFINED);
			asked++;
		}
		if (wait_for_completion_timeout(&sharers[i].done, t->failed ? HZ : 1))
			i++;
	}
	for (i = 0; i < running; i++) {
		if (sharers[i].bad)
			kapi_fail(t, "thread %u: got %u wrong shares (%d) want 0", i, sharers[i].bad, sharers[i].error);
		while (sharers[i].held--)
			ib_destroy_cm_id(first);
	}
	kapi_want(t, "requests served", atomic_read(&kapi_served), asked);
	/* One share is left, */
	if (!t->failed)
		kapi_want(t, "reason, with the last share", kapi_share_ask(pair), IB_CM_REJ_CONSUMER_DEFINED);
	ib_destroy_cm_id(first);
	/* and now none. */
	kapi_want(t, "reason, without shares", kapi_share_ask(pair), IB_CM_REJ_INVALID_SERVICE_ID);
	pr_info("cm_kapi: # %u requests meanwhile\n", asked);
out:
	kapi_pair_free(pair);
}

static void kapi_share_waits(struct kapi *t)
{
	struct kapi_pair *pair = kapi_share_pair(t);
	struct ib_cm_id *first, *second;
	struct kapi_note *note;
	int early, late;

	if (!pair)
		return;
	first = ib_cm_insert_listen(t->dev, kapi_share_fn, pair->service_id);
	second = ib_cm_insert_listen(t->dev, kapi_share_fn, pair->service_id);
	if (!kapi_want(t, "insert_listen", PTR_ERR_OR_ZERO(first), 0) ||
	    !kapi_want(t, "two shares", first == second, true))
		goto out;
	kapi_naps = 2 * KAPI_NAP;
	kapi_want(t, "send_req", kapi_call(pair, &pair->a, KAPI_CALL_REQ, NULL, 0), 0);
	if (!wait_for_completion_timeout(&kapi_entered, KAPI_WAIT))
		kapi_fail(t, "no request came");
	ib_destroy_cm_id(first);
	early = atomic_read(&kapi_running);
	ib_destroy_cm_id(second);
	late = atomic_read(&kapi_running);
	kapi_want(t, "handlers when a share was dropped", early, 1);
	kapi_want(t, "handlers when the last share was dropped", late, 0);
	note = kapi_take(t, &pair->a, IB_CM_REJ_RECEIVED);
	if (note)
		kapi_want(t, "reason", note->event.param.rej_rcvd.reason, IB_CM_REJ_CONSUMER_DEFINED);
out:
	kapi_pair_free(pair);
}

/*
 * ib_cm_listen() first: its id has no context, so who has the handler shares it. Both owners are
 * served until the last has gone.
 */
static void kapi_share_joins(struct kapi *t)
{
	struct kapi_pair *pair = kapi_share_pair(t);
	struct ib_cm_id *first, *second;

	if (!pair)
		return;
	first = ib_create_cm_id(t->dev, kapi_share_fn, NULL);
	if (!kapi_want(t, "create", PTR_ERR_OR_ZERO(first), 0))
		goto out;
	if (!kapi_want(t, "listen", ib_cm_listen(first, pair->service_id), 0)) {
		ib_destroy_cm_id(first);
		goto out;
	}
	second = ib_cm_insert_listen(t->dev, kapi_share_fn, pair->service_id);
	kapi_want(t, "insert_listen joins", second == first, true);
	kapi_want(t, "reason, two owners", kapi_share_ask(pair), IB_CM_REJ_CONSUMER_DEFINED);
	ib_destroy_cm_id(first);
	if (!IS_ERR(second)) {
		kapi_want(t, "reason, one owner", kapi_share_ask(pair), IB_CM_REJ_CONSUMER_DEFINED);
		ib_destroy_cm_id(second);
	}
	kapi_want(t, "reason, no owner", kapi_share_ask(pair), IB_CM_REJ_INVALID_SERVICE_ID);
out:
	kapi_pair_free(pair);
}

/*
 * More requests than a listener runs at once, each with a handler that sleeps;
 * the listener goes. All get a REJ, and destroy takes one sleep, not one for each
 * that waits.
 */
#define KAPI_CROWD	48
#define KAPI_ATONCE	32	/* handlers that a listener of ours runs, by default */

static void kapi_share_crowd(struct kapi *t)
{
	struct kapi_pair *pair = kapi_share_pair(t), *crowd[KAPI_CROWD] = {};
	unsigned int i, running, served;
	struct ib_cm_id *id;
	ktime_t begin;
	s64 ms;

	if (!pair)
		return;
	id = ib_cm_insert_listen(t->dev, kapi_share_fn, pair->service_id);
	if (!kapi_want(t, "insert_listen", PTR_ERR_OR_ZERO(id), 0))
		goto out;
	kapi_naps = 8 * KAPI_NAP;
	for (i = 0; i < KAPI_CROWD; i++) {
		crowd[i] = kapi_pair_make(t);
		if (!crowd[i])
			break;
		crowd[i]->service_id = pair->service_id;
		kapi_want(t, "send_req", kapi_call(crowd[i], &crowd[i]->a, KAPI_CALL_REQ, NULL, 0), 0);
	}
	/* Until all are there that get a turn; stock says by silence how many these are. */
	while (atomic_read(&kapi_running) < KAPI_ATONCE &&
	       wait_for_completion_timeout(&kapi_entered, t->stock ? HZ / 2 : 2 * HZ))
		;
	running = atomic_read(&kapi_running);
	begin = ktime_get();
	ib_destroy_cm_id(id);
	ms = ktime_ms_delta(ktime_get(), begin);
	kapi_want(t, "handlers when the listener was gone", atomic_read(&kapi_running), 0);
	served = atomic_read(&kapi_served);
	if (ms > 8 * KAPI_NAP + KAPI_SWIFT)
		kapi_fail(t, "destroy of the listener: got %lld ms want %u", ms, 8 * KAPI_NAP);
	for (i = 0; i < KAPI_CROWD && crowd[i]; i++)
		kapi_take(t, &crowd[i]->a, IB_CM_REJ_RECEIVED);
	kapi_want(t, "handlers after the listener was gone", atomic_read(&kapi_served), served);
	if (!t->stock)
		kapi_want(t, "handlers at once", running, KAPI_ATONCE);
	pr_info("cm_kapi: # %u of %u handled, %u at once, destroy took %lld ms\n", served, KAPI_CROWD, running, ms);
out:
	for (i = 0; i < KAPI_CROWD; i++)
		kapi_pair_free(crowd[i]);
	kapi_pair_free(pair);
}

const struct kapi_case kapi_share[] = {
	{ "share-many", kapi_share_many },
	{ "share-waits", kapi_share_waits },
	{ "share-joins", kapi_share_joins },
	{ "share-crowd", kapi_share_crowd },
	{}
};
