// SPDX-License-Identifier: GPL-2.0-only
/*
 * What handlers may do: say no, destroy their own id, change whom the next event
 * goes to.
 */
#include <linux/delay.h>
#include <linux/jiffies.h>

#include "kapi.h"

/* Non-zero: the CM destroys the id. The test must not. */
static int kapi_refuse(struct kapi_end *end, struct kapi_note *note)
{
	if (end->arg && note->event.event != (uintptr_t)end->arg - 1)
		return 0;
	end->id = NULL;
	return -ECONNABORTED;
}

static int kapi_destroy_self(struct kapi_end *end, struct kapi_note *note)
{
	if (end->arg && note->event.event != (uintptr_t)end->arg - 1)
		return 0;
	kapi_destroy_end(end);
	return 0;
}

/* And then says no, about an id that is gone. */
static int kapi_destroy_self_refuse(struct kapi_end *end, struct kapi_note *note)
{
	if (end->arg && note->event.event != (uintptr_t)end->arg - 1)
		return 0;
	kapi_destroy_end(end);
	return -ECONNABORTED;
}

struct kapi_ends {
	const char *name;
	bool passive;			/* who ends it */
	enum ib_cm_event_type at;	/* from the handler of this event */
	enum kapi_point before;		/* a pair that far, then the next step's call */
	enum kapi_verb verb;		/* which the other end makes; KAPI_CALLS: nothing, a timer does it */
	enum ib_cm_event_type event;	/* what the other is told */
	unsigned int reason;		/* of a REJ */
	bool silent;			/* nothing is said */
};

/* The contract on destroy, as seen by the other end. */
static const struct kapi_ends kapi_ends[] = {
	{ "REQ",  true,	 IB_CM_REQ_RECEIVED,  KAPI_START, KAPI_CALL_REQ,  IB_CM_REJ_RECEIVED,
	  IB_CM_REJ_CONSUMER_DEFINED },
	{ "REP",  false, IB_CM_REP_RECEIVED,  KAPI_REQ,	  KAPI_CALL_REP,  IB_CM_REJ_RECEIVED,
	  IB_CM_REJ_CONSUMER_DEFINED },
	{ "RTU",  true,	 IB_CM_RTU_RECEIVED,  KAPI_REP,	  KAPI_CALL_RTU,  IB_CM_DREQ_RECEIVED },
	{ "DREQ", true,	 IB_CM_DREQ_RECEIVED, KAPI_RTU,	  KAPI_CALL_DREQ, IB_CM_DREP_RECEIVED },
	{ "DREP", false, IB_CM_DREP_RECEIVED, KAPI_DREQ,  KAPI_CALL_DREP, IB_CM_TIMEWAIT_EXIT },
	{ "REJ",  false, IB_CM_REJ_RECEIVED,  KAPI_REQ,	  KAPI_CALL_REJ,  .silent = true },
	{ "TIMEWAIT_EXIT", false, IB_CM_TIMEWAIT_EXIT, KAPI_DREP, KAPI_CALLS, IB_CM_TIMEWAIT_EXIT },
	{ "SIDR_REQ", true, IB_CM_SIDR_REQ_RECEIVED, KAPI_START, KAPI_CALL_SIDR_REQ, IB_CM_SIDR_REP_RECEIVED },
	{ "SIDR_REP", false, IB_CM_SIDR_REP_RECEIVED, KAPI_SIDR, KAPI_CALL_SIDR_REP, .silent = true },
};

static void kapi_handler_ends_one(struct kapi *t, const struct kapi_ends *ends,
				  int (*act)(struct kapi_end *end, struct kapi_note *note))
{
	struct kapi_pair *pair = kapi_pair_make(t);
	struct kapi_end *who, *other;
	struct kapi_note *note;

	if (!pair)
		return;
	pair->no_mra = true;
	who = ends->passive ? &pair->p : &pair->a;
	other = ends->passive ? &pair->a : &pair->p;
	who->arg = (void *)(uintptr_t)(ends->at + 1);
	who->act = act;
	if (ends->before != KAPI_START && !kapi_reach(pair, ends->before))
		goto out;
	if (ends->verb != KAPI_CALLS &&
	    !kapi_want(t, kapi_verb_names[ends->verb], kapi_call(pair, other, ends->verb, NULL, 0), 0))
		goto out;
	if (!kapi_take(t, who, ends->at) || !kapi_returned(t, who))
		goto out;
	if (who->id)
		kapi_fail(t, "the handler did not do what it should");
	if (!ends->silent) {
		note = kapi_take(t, other, ends->event);
		if (note && ends->event == IB_CM_REJ_RECEIVED)
			kapi_want(t, "reason", note->event.param.rej_rcvd.reason, ends->reason);
		if (note && ends->event == IB_CM_SIDR_REP_RECEIVED)
			kapi_want(t, "SIDR status", note->event.param.sidr_rep_rcvd.status, IB_SIDR_REJECT);
	}
	msleep(50);
	/* A REJ or the end of timewait may have ended it for the other, too; more it is not told. */
	if (other->seen > other->taken && ends->event != IB_CM_REQ_RECEIVED &&
	    other->notes[other->taken % KAPI_NOTES].event.event == IB_CM_TIMEWAIT_EXIT)
		other->taken++;
	kapi_quiet(t, other);
	kapi_quiet(t, who);
out:
	if (t->failed)
		pr_info("cm_kapi: # that was the handler of %s\n", ends->name);
	kapi_pair_free(pair);
}

static void kapi_handler_refuses(struct kapi *t)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kapi_ends) && !t->failed; i++)
		kapi_handler_ends_one(t, &kapi_ends[i], kapi_refuse);
}

static void kapi_handler_destroys(struct kapi *t)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kapi_ends) && !t->failed; i++)
		kapi_handler_ends_one(t, &kapi_ends[i], kapi_destroy_self);
}

static void kapi_handler_destroys_refuses(struct kapi *t)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kapi_ends) && !t->failed; i++)
		kapi_handler_ends_one(t, &kapi_ends[i], kapi_destroy_self_refuse);
}

/* -ENOMEM, twice, then room: the asking end notices nothing but time. */
static int kapi_full_twice(struct kapi_end *end, struct kapi_note *note)
{
	if (note->event.event != IB_CM_REQ_RECEIVED || end->seen > 2)
		return 0;
	end->id = NULL;
	return -ENOMEM;
}

static void kapi_handler_nomem(struct kapi *t)
{
	struct kapi_pair *pair = kapi_pair_make(t);

	if (!pair)
		return;
	pair->timeout = 17;
	pair->retries = 15;
	pair->no_mra = true;
	pair->p.act = kapi_full_twice;
	if (!kapi_want(t, "send_req", kapi_call(pair, &pair->a, KAPI_CALL_REQ, NULL, 0), 0))
		goto out;
	if (!kapi_take(t, &pair->p, IB_CM_REQ_RECEIVED) || !kapi_take(t, &pair->p, IB_CM_REQ_RECEIVED) ||
	    !kapi_take(t, &pair->p, IB_CM_REQ_RECEIVED) || !kapi_returned(t, &pair->p))
		goto out;
	kapi_quiet(t, &pair->a);
	kapi_state(t, &pair->a, IB_CM_REQ_SENT);
	pair->at = KAPI_REQ;
	kapi_reach(pair, KAPI_EXIT);
out:
	kapi_pair_free(pair);
}

/* Answers from inside handlers, as consumers do. */
static int kapi_answer(struct kapi_end *end, struct kapi_note *note)
{
	struct kapi_pair *pair = end->arg;

	switch (note->event.event) {
	case IB_CM_REQ_RECEIVED:
		kapi_want(pair->t, "send_rep in the handler", kapi_call(pair, end, KAPI_CALL_REP, NULL, 0), 0);
		break;
	case IB_CM_REP_RECEIVED:
		kapi_want(pair->t, "send_mra in the handler", kapi_call(pair, end, KAPI_CALL_MRA, NULL, 0), 0);
		kapi_want(pair->t, "send_rtu in the handler", kapi_call(pair, end, KAPI_CALL_RTU, NULL, 0), 0);
		kapi_want(pair->t, "send_dreq in the handler", kapi_call(pair, end, KAPI_CALL_DREQ, NULL, 0), 0);
		break;
	case IB_CM_DREQ_RECEIVED:
		kapi_want(pair->t, "send_drep in the handler", kapi_call(pair, end, KAPI_CALL_DREP, NULL, 0), 0);
		break;
	default:
		break;
	}
	return 0;
}

static void kapi_handler_answers(struct kapi *t)
{
	struct kapi_pair *pair = kapi_pair_make(t);

	if (!pair)
		return;
	pair->a.act = kapi_answer;
	pair->p.act = kapi_answer;
	pair->a.arg = pair;
	pair->p.arg = pair;
	kapi_want(t, "send_req", kapi_call(pair, &pair->a, KAPI_CALL_REQ, NULL, 0), 0);
	if (!kapi_take(t, &pair->p, IB_CM_REQ_RECEIVED) || !kapi_take(t, &pair->a, IB_CM_REP_RECEIVED))
		goto out;
	if (KAPI_MRA_LEAVES && !kapi_take(t, &pair->p, IB_CM_MRA_RECEIVED))
		goto out;
	if (!kapi_take(t, &pair->p, IB_CM_RTU_RECEIVED) || !kapi_take(t, &pair->p, IB_CM_DREQ_RECEIVED) ||
	    !kapi_take(t, &pair->a, IB_CM_DREP_RECEIVED))
		goto out;
	kapi_step(pair, KAPI_EXIT);
out:
	kapi_pair_free(pair);
}

/* Each event goes where the one before said: context and handler change with every event. */
static struct kapi_end *kapi_second, *kapi_third;
static unsigned int kapi_second_calls, kapi_third_calls;

static int kapi_third_fn(struct ib_cm_id *id, const struct ib_cm_event *event)
{
	kapi_third_calls++;
	return kapi_handler_fn(id, event);
}

static int kapi_second_fn(struct ib_cm_id *id, const struct ib_cm_event *event)
{
	int ret;

	kapi_second_calls++;
	ret = kapi_handler_fn(id, event);
	kapi_third->id = id;
	id->context = kapi_third;
	id->cm_handler = kapi_third_fn;
	return ret;
}

static int kapi_hand_over(struct kapi_end *end, struct kapi_note *note)
{
	end->id->context = kapi_second;
	end->id->cm_handler = kapi_second_fn;
	return 0;
}

static void kapi_handler_rewrites(struct kapi *t)
{
	struct kapi_pair *pair = kapi_pair_make(t), *more = kapi_pair_make(t);

	if (!pair || !more)
		goto out;
	kapi_second = &more->p;
	kapi_third = &more->l;
	kapi_destroy_end(&more->l);
	kapi_second_calls = 0;
	kapi_third_calls = 0;
	pair->no_mra = true;
	pair->p.act = kapi_hand_over;
	if (!kapi_reach(pair, KAPI_REP))
		goto out;
	kapi_want(t, "send_rtu", ib_send_cm_rtu(pair->a.id, NULL, 0), 0);
	if (!kapi_take(t, kapi_second, IB_CM_RTU_RECEIVED) || !kapi_returned(t, kapi_second))
		goto out;
	kapi_want(t, "send_dreq", ib_send_cm_dreq(pair->a.id, NULL, 0), 0);
	if (!kapi_take(t, kapi_third, IB_CM_DREQ_RECEIVED))
		goto out;
	kapi_want(t, "send_drep", ib_send_cm_drep(pair->p.id, NULL, 0), 0);
	if (!kapi_take(t, kapi_third, IB_CM_TIMEWAIT_EXIT))
		goto out;
	kapi_quiet(t, &pair->p);
	kapi_want(t, "events at the second handler", kapi_second_calls, 1);
	kapi_want(t, "events at the third handler", kapi_third_calls, 2);
out:
	if (more)
		more->l.id = NULL;	/* that is p's */
	kapi_pair_free(pair);
	kapi_pair_free(more);
}

/*
 * Many handlers sleep; nobody else waits for them: neither those that are to sleep,
 * too, nor a connection of someone else, which lives its whole life meanwhile.
 */
#define KAPI_SLEEPERS	24

static int kapi_sleep_long(struct kapi_end *end, struct kapi_note *note)
{
	if (note->event.event == IB_CM_RTU_RECEIVED)
		msleep(8 * KAPI_NAP);
	return 0;
}

static unsigned int kapi_asleep(struct kapi_pair **pairs)
{
	unsigned int i, asleep = 0;

	for (i = 0; i < KAPI_SLEEPERS; i++)
		asleep += READ_ONCE(pairs[i]->p.seen) == 2 && READ_ONCE(pairs[i]->p.returned) == 1;
	return asleep;
}

static void kapi_handler_sleeps(struct kapi *t)
{
	struct kapi_pair *pairs[KAPI_SLEEPERS] = {}, *awake = kapi_pair_make(t);
	unsigned long limit;
	unsigned int i;

	for (i = 0; i < KAPI_SLEEPERS && !t->failed; i++) {
		pairs[i] = kapi_pair_make(t);
		if (!pairs[i])
			goto out;
		pairs[i]->no_mra = true;
		pairs[i]->p.act = kapi_sleep_long;
		kapi_reach(pairs[i], KAPI_REP);
	}
	if (t->failed || !awake)
		goto out;
	for (i = 0; i < KAPI_SLEEPERS; i++)
		kapi_want(t, "send_rtu", ib_send_cm_rtu(pairs[i]->a.id, NULL, 0), 0);
	limit = jiffies + msecs_to_jiffies(6 * KAPI_NAP);
	while (kapi_asleep(pairs) < KAPI_SLEEPERS && time_before(jiffies, limit))
		msleep(20);
	kapi_want(t, "handlers that sleep at once", kapi_asleep(pairs), KAPI_SLEEPERS);
	kapi_reach(awake, KAPI_EXIT);
	if (!t->failed && !kapi_asleep(pairs))
		kapi_fail(t, "a stranger's connection had to wait until all had slept");
out:
	for (i = 0; i < KAPI_SLEEPERS; i++)
		kapi_pair_free(pairs[i]);
	kapi_pair_free(awake);
}

const struct kapi_case kapi_handler[] = {
	{ "handler-refuses", kapi_handler_refuses },
	{ "handler-nomem", kapi_handler_nomem },
	{ "handler-answers", kapi_handler_answers },
	{ "handler-rewrites", kapi_handler_rewrites },
	{ "handler-sleeps", kapi_handler_sleeps, "a CPU runs one handler at a time" },
	{ "handler-destroys", kapi_handler_destroys, "destroy in the own handler waits for that handler", true },
	{ "handler-destroys-refuses", kapi_handler_destroys_refuses,
	  "destroy in the own handler waits for that handler", true },
	{}
};
