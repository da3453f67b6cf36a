// SPDX-License-Identifier: GPL-2.0-only
/*
 * Destroy: in every state, bounded while the other end says nothing, with at most
 * one parting message; it waits for the id's handler and for nothing else.
 */
#include <linux/delay.h>

#include "kapi.h"

struct kapi_parting {
	const char *name;
	enum kapi_point at;
	bool passive;			/* who goes */
	bool silent;			/* the other is told nothing */
	enum ib_cm_event_type event;	/* what the other is told */
	unsigned int reason;
};

static const struct kapi_parting kapi_partings[] = {
	{ "IDLE",	   KAPI_START,	 false, true },
	{ "REQ_SENT",	   KAPI_REQ,	 false, false, IB_CM_REJ_RECEIVED, IB_CM_REJ_TIMEOUT },
	{ "MRA_REQ_RCVD",  KAPI_MRA_REQ, false, false, IB_CM_REJ_RECEIVED, IB_CM_REJ_TIMEOUT },
	{ "REP_RCVD",	   KAPI_REP,	 false, false, IB_CM_REJ_RECEIVED, IB_CM_REJ_CONSUMER_DEFINED },
	{ "MRA_REP_SENT",  KAPI_MRA_REP, false, false, IB_CM_REJ_RECEIVED, IB_CM_REJ_CONSUMER_DEFINED },
	{ "ESTABLISHED",   KAPI_RTU,	 false, false, IB_CM_DREQ_RECEIVED },
	{ "DREQ_SENT",	   KAPI_DREQ,	 false, true },
	{ "TIMEWAIT",	   KAPI_DREP,	 false, true },
	{ "IDLE again",	   KAPI_EXIT,	 false, true },
	{ "REQ_RCVD",	   KAPI_REQ,	 true,	false, IB_CM_REJ_RECEIVED, IB_CM_REJ_CONSUMER_DEFINED },
	{ "MRA_REQ_SENT",  KAPI_MRA_REQ, true,	false, IB_CM_REJ_RECEIVED, IB_CM_REJ_CONSUMER_DEFINED },
	{ "REP_SENT",	   KAPI_REP,	 true,	false, IB_CM_REJ_RECEIVED, IB_CM_REJ_CONSUMER_DEFINED },
	{ "MRA_REP_RCVD",  KAPI_MRA_REP, true,	false, IB_CM_REJ_RECEIVED, IB_CM_REJ_CONSUMER_DEFINED },
	{ "ESTABLISHED/p", KAPI_RTU,	 true,	false, IB_CM_DREQ_RECEIVED },
	{ "DREQ_RCVD",	   KAPI_DREQ,	 true,	false, IB_CM_DREP_RECEIVED },
	{ "TIMEWAIT/p",	   KAPI_DREP,	 true,	true },
	{ "SIDR_REQ_SENT", KAPI_SIDR,	 false, true },
	{ "SIDR_REQ_RCVD", KAPI_SIDR,	 true,	false, IB_CM_SIDR_REP_RECEIVED },
};

static void kapi_destroy_one(struct kapi *t, const struct kapi_parting *parting)
{
	const u64 guid = be64_to_cpu(t->dev->node_guid);
	struct kapi_pair *pair = kapi_pair_make(t);
	struct kapi_end *who, *other;
	struct kapi_note *note;
	u64 ari;
	s64 ms;

	if (!pair)
		return;
	/* Long enough that the end of timewait is no part of it */
	pair->lifetime = parting->at == KAPI_EXIT ? 14 : KAPI_LASTS;
	who = parting->passive ? &pair->p : &pair->a;
	other = parting->passive ? &pair->a : &pair->p;
	if (parting->at != KAPI_START && !kapi_reach(pair, parting->at))
		goto out;
	ms = kapi_destroy_end(who);
	if (ms >= KAPI_SWIFT)
		kapi_fail(t, "destroy: got %lld ms want less than %u", ms, KAPI_SWIFT);
	if (!parting->silent) {
		note = kapi_take(t, other, parting->event);
		if (!note)
			goto out;
		if (parting->event == IB_CM_REJ_RECEIVED)
			kapi_want(t, "reason", note->event.param.rej_rcvd.reason, parting->reason);
		if (parting->event == IB_CM_SIDR_REP_RECEIVED)
			kapi_want(t, "SIDR status", note->event.param.sidr_rep_rcvd.status, IB_SIDR_REJECT);
		if (parting->reason == IB_CM_REJ_TIMEOUT) {
			kapi_want(t, "length of information", note->info_len, sizeof(ari));
			memcpy(&ari, note->info, sizeof(ari));
			kapi_want(t, "CA GUID", be64_to_cpu((__force __be64)ari), guid);
		}
	}
	msleep(100);
	kapi_quiet(t, other);
	kapi_quiet(t, who);
out:
	if (t->failed)
		pr_info("cm_kapi: # that was destroy in %s\n", parting->name);
	kapi_pair_free(pair);
}

static void kapi_destroy_states(struct kapi *t)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kapi_partings) && !t->failed; i++)
		kapi_destroy_one(t, &kapi_partings[i]);
}

/* Nothing on the way: the other end's id is gone, and its answer with it. */
static void kapi_destroy_alone(struct kapi *t)
{
	static const enum kapi_point points[] = {
		KAPI_REQ, KAPI_MRA_REQ, KAPI_REP, KAPI_MRA_REP, KAPI_RTU, KAPI_DREQ,
	};
	struct kapi_pair *pair;
	unsigned int i;
	s64 ms;

	for (i = 0; i < 2 * ARRAY_SIZE(points) && !t->failed; i++) {
		pair = kapi_pair_make(t);
		if (!pair)
			return;
		kapi_reach(pair, points[i / 2]);
		ms = kapi_destroy_end(i & 1 ? &pair->p : &pair->a);
		ms = max(ms, kapi_destroy_end(i & 1 ? &pair->a : &pair->p));
		ms = max(ms, kapi_destroy_end(&pair->l));
		if (ms >= KAPI_SWIFT)
			kapi_fail(t, "destroy at point %u: got %lld ms want less than %u", points[i / 2], ms,
				  KAPI_SWIFT);
		kapi_pair_free(pair);
	}
}

static void kapi_destroy_listener(struct kapi *t)
{
	struct kapi_pair *pair = kapi_pair_make(t);
	struct kapi_note *note;
	s64 ms;

	if (!pair)
		return;
	ms = kapi_destroy_end(&pair->l);
	if (ms >= KAPI_SWIFT)
		kapi_fail(t, "destroy: got %lld ms want less than %u", ms, KAPI_SWIFT);
	kapi_want(t, "send_req", kapi_call(pair, &pair->a, KAPI_CALL_REQ, NULL, 0), 0);
	note = kapi_take(t, &pair->a, IB_CM_REJ_RECEIVED);
	if (note)
		kapi_want(t, "reason", note->event.param.rej_rcvd.reason, IB_CM_REJ_INVALID_SERVICE_ID);
	kapi_returned(t, &pair->a);
	kapi_want(t, "send_sidr_req", kapi_call(pair, &pair->a, KAPI_CALL_SIDR_REQ, NULL, 0), 0);
	note = kapi_take(t, &pair->a, IB_CM_SIDR_REP_RECEIVED);
	if (note)
		kapi_want(t, "SIDR status", note->event.param.sidr_rep_rcvd.status, IB_SIDR_UNSUPPORTED);
	kapi_pair_free(pair);
}

static int kapi_nap_at(struct kapi_end *end, struct kapi_note *note)
{
	if (note->event.event == (uintptr_t)end->arg)
		msleep(KAPI_NAP);
	return 0;
}

/* The passive end's handler has begun to sleep in its RTU event, which is returned; NULL: it has not. */
static struct kapi_note *kapi_nap_in_rtu(struct kapi *t, struct kapi_pair *pair)
{
	pair->no_mra = true;
	pair->p.act = kapi_nap_at;
	pair->p.arg = (void *)(uintptr_t)IB_CM_RTU_RECEIVED;
	if (!kapi_reach(pair, KAPI_REP))
		return NULL;
	kapi_want(t, "send_rtu", ib_send_cm_rtu(pair->a.id, NULL, 0), 0);
	return kapi_take(t, &pair->p, IB_CM_RTU_RECEIVED);
}

/* A handler sleeps and a second event waits behind it. */
static void kapi_destroy_waits(struct kapi *t)
{
	struct kapi_pair *pair = kapi_pair_make(t);
	unsigned int seen, returned;
	struct kapi_note *note;
	s64 ms;

	if (!pair)
		return;
	note = kapi_nap_in_rtu(t, pair);
	if (!note)
		goto out;
	kapi_want(t, "send_dreq", ib_send_cm_dreq(pair->a.id, NULL, 0), 0);
	/* The DREQ is there, its event behind the handler that sleeps. */
	kapi_state_soon(t, &pair->p, IB_CM_DREQ_RCVD);
	kapi_destroy_end(&pair->p);
	ms = ktime_ms_delta(ktime_get(), note->begun);
	seen = READ_ONCE(pair->p.seen);
	returned = READ_ONCE(pair->p.returned);
	kapi_want(t, "handlers that had returned when destroy did", returned, seen);
	if (ms < KAPI_NAP || ms > KAPI_NAP + KAPI_SWIFT)
		kapi_fail(t, "destroy came back: got %lld ms after the handler began want %u", ms, KAPI_NAP);
	/* REQ and RTU; stock may deliver the DREQ, too, while destroy waits. */
	if (!t->stock)
		kapi_want(t, "events", seen, 2);
	msleep(300);
	kapi_want(t, "events after destroy", READ_ONCE(pair->p.seen), seen);
	kapi_take(t, &pair->a, IB_CM_DREP_RECEIVED);
out:
	kapi_pair_free(pair);
}

/* The handler of the other end, or of another id, is none of its business. */
static void kapi_destroy_does_not_wait(struct kapi *t)
{
	struct kapi_pair *pair = kapi_pair_make(t);
	unsigned int seen, returned;

	if (!pair)
		return;
	if (!kapi_nap_in_rtu(t, pair))
		goto out;
	kapi_destroy_end(&pair->a);
	kapi_destroy_end(&pair->l);
	seen = READ_ONCE(pair->p.seen);
	returned = READ_ONCE(pair->p.returned);
	kapi_want(t, "handlers that still ran when destroy was done", seen - returned, 1);
	kapi_take(t, &pair->p, IB_CM_DREQ_RECEIVED);
out:
	kapi_pair_free(pair);
}

/* The handler of a listener's request runs on the listener's behalf. */
static void kapi_destroy_listener_waits(struct kapi *t)
{
	struct kapi_pair *pair = kapi_pair_make(t);

	if (!pair)
		return;
	pair->p.act = kapi_nap_at;
	pair->p.arg = (void *)(uintptr_t)IB_CM_REQ_RECEIVED;
	kapi_want(t, "send_req", kapi_call(pair, &pair->a, KAPI_CALL_REQ, NULL, 0), 0);
	if (kapi_take(t, &pair->p, IB_CM_REQ_RECEIVED)) {
		kapi_destroy_end(&pair->l);
		kapi_want(t, "handlers that had returned when destroy did", READ_ONCE(pair->p.returned), 1);
		/* The request is the consumer's and outlives the listener. */
		pair->p.act = NULL;
		pair->no_mra = true;
		pair->at = KAPI_REQ;
		kapi_reach(pair, KAPI_EXIT);
	}
	kapi_pair_free(pair);
}

const struct kapi_case kapi_destroy[] = {
	{ "destroy-states", kapi_destroy_states },
	{ "destroy-alone", kapi_destroy_alone },
	{ "destroy-listener", kapi_destroy_listener },
	{ "destroy-waits", kapi_destroy_waits },
	{ "destroy-does-not-wait", kapi_destroy_does_not_wait },
	{ "destroy-listener-waits", kapi_destroy_listener_waits },
	{}
};
