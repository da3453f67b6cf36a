// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whole lives of connections: each event once and in order, the most private data
 * and none, ids that serve again, and calls with interrupts off.
 */
#include <linux/delay.h>

#include "kapi.h"

static void kapi_connect_life(struct kapi *t)
{
	struct kapi_pair *pair = kapi_pair_make(t);

	if (!pair)
		return;
	if (kapi_reach(pair, KAPI_EXIT)) {
		/* Whatever was late shows now. */
		msleep(200);
		kapi_quiet(t, &pair->a);
		kapi_quiet(t, &pair->p);
		kapi_quiet(t, &pair->l);
	}
	kapi_pair_free(pair);
}

/* NULL is no private data, whatever length comes with it; the peer sees zeroes. */
static void kapi_connect_bare(struct kapi *t)
{
	struct kapi_pair *pair = kapi_pair_make(t);

	if (!pair)
		return;
	pair->no_data = true;
	kapi_reach(pair, KAPI_EXIT);
	kapi_pair_free(pair);
}

/* Asks three times with one id; then the ids that had been asked ask in their turn. */
static void kapi_connect_again(struct kapi *t)
{
	struct kapi_pair *pair = kapi_pair_make(t);
	struct ib_cm_id *asked;
	int i;

	if (!pair)
		return;
	for (i = 0; i < 4 && !t->failed; i++) {
		pair->no_mra = i & 1;
		pair->at = KAPI_START;
		pair->a_qpn = kapi_qpn();
		pair->p_qpn = kapi_qpn();
		if (!kapi_reach(pair, KAPI_EXIT))
			break;
		asked = pair->p.id;
		if (i < 2) {
			ib_destroy_cm_id(asked);
			pair->p.id = NULL;
		} else if (i == 2) {
			/* What was asked asks now, under a's name */
			ib_destroy_cm_id(pair->a.id);
			asked->context = &pair->a;
			pair->a.id = asked;
			pair->p.id = NULL;
		}
	}
	kapi_pair_free(pair);
}

/* The end that did not ask ends it. */
static void kapi_connect_other_end(struct kapi *t)
{
	struct kapi_pair *pair = kapi_pair_make(t);

	if (!pair)
		return;
	pair->no_mra = true;
	if (!kapi_reach(pair, KAPI_RTU))
		goto out;
	kapi_want(t, "send_dreq", ib_send_cm_dreq(pair->p.id, NULL, 0), 0);
	kapi_state(t, &pair->p, IB_CM_DREQ_SENT);
	if (!kapi_take(t, &pair->a, IB_CM_DREQ_RECEIVED))
		goto out;
	kapi_want(t, "send_drep", ib_send_cm_drep(pair->a.id, NULL, 0), 0);
	if (kapi_take(t, &pair->p, IB_CM_DREP_RECEIVED))
		kapi_step(pair, KAPI_EXIT);
out:
	kapi_pair_free(pair);
}

/* An end that was told of a disconnect is told of its end once, and at most once before that the other agreed. */
static bool kapi_connect_over(struct kapi *t, struct kapi_end *end)
{
	bool agreed = false;

	while (!t->failed) {
		if (!wait_event_timeout(end->wait, READ_ONCE(end->seen) > end->taken, KAPI_WAIT))
			break;
		if (end->notes[end->taken % KAPI_NOTES].event.event == IB_CM_DREP_RECEIVED && !agreed) {
			agreed = true;
			end->taken++;
			continue;
		}
		return kapi_take(t, end, IB_CM_TIMEWAIT_EXIT) && kapi_returned(t, end) &&
		       kapi_state(t, end, IB_CM_IDLE);
	}
	return kapi_take(t, end, IB_CM_TIMEWAIT_EXIT);
}

/* Both disconnect before either knows of the other. */
static void kapi_connect_crossing_once(struct kapi *t)
{
	struct kapi_pair *pair = kapi_pair_make(t);
	int a, p;

	if (!pair)
		return;
	pair->no_mra = true;
	if (!kapi_reach(pair, KAPI_RTU))
		goto out;
	local_irq_disable();
	a = ib_send_cm_dreq(pair->a.id, NULL, 0);
	p = ib_send_cm_dreq(pair->p.id, NULL, 0);
	local_irq_enable();
	kapi_want(t, "a's send_dreq", a, 0);
	if (p)	/* It knew already */
		kapi_want(t, "p's send_dreq", p, -EINVAL);
	if (!kapi_take(t, &pair->p, IB_CM_DREQ_RECEIVED))
		goto out;
	if (!p && !kapi_take(t, &pair->a, IB_CM_DREQ_RECEIVED))
		goto out;
	/* The first to agree may end it for the other, too. */
	a = p ? 0 : ib_send_cm_drep(pair->a.id, NULL, 0);
	p = ib_send_cm_drep(pair->p.id, NULL, 0);
	if ((a && a != -EINVAL) || (p && p != -EINVAL))
		kapi_fail(t, "send_drep: got %d and %d want 0 or -EINVAL", a, p);
	if (!kapi_connect_over(t, &pair->a) || !kapi_connect_over(t, &pair->p))
		goto out;
	msleep(100);
	kapi_quiet(t, &pair->a);
	kapi_quiet(t, &pair->p);
out:
	kapi_pair_free(pair);
}

static void kapi_connect_crossing(struct kapi *t)
{
	int round;

	for (round = 0; round < 5 && !t->failed; round++)
		kapi_connect_crossing_once(t);
}

/* With a lock held and interrupts off. */
static void kapi_connect_atomic(struct kapi *t)
{
	struct kapi_pair *pair = kapi_pair_make(t);

	if (!pair)
		return;
	pair->atomic = true;
	kapi_reach(pair, KAPI_EXIT);
	kapi_pair_free(pair);
}

/* The other calls that have to do without sleep: rej, sidr_rep, notify, init_qp_attr, listen. */
static void kapi_connect_atomic_others(struct kapi *t)
{
	struct kapi_pair *pair = kapi_pair_make(t);
	struct kapi_note *note;
	int err[5] = {};
	bool off;

	if (!pair)
		return;
	pair->no_mra = true;
	if (!kapi_reach(pair, KAPI_REP))
		goto out;
	preempt_disable();
	local_irq_disable();
	err[0] = kapi_call(pair, &pair->p, KAPI_CALL_QP_INIT, NULL, 0);
	err[1] = kapi_call(pair, &pair->p, KAPI_CALL_QP_RTR, NULL, 0);
	err[2] = kapi_call(pair, &pair->p, KAPI_CALL_QP_RTS, NULL, 0);
	err[3] = kapi_call(pair, &pair->p, KAPI_CALL_COMM_EST, NULL, 0);
	err[4] = kapi_call(pair, &pair->p, KAPI_CALL_COMM_EST, NULL, 0);
	off = irqs_disabled();
	local_irq_enable();
	preempt_enable();
	kapi_want(t, "interrupts off afterwards", off, true);
	kapi_want(t, "init_qp_attr INIT", err[0], 0);
	kapi_want(t, "init_qp_attr RTR", err[1], 0);
	kapi_want(t, "init_qp_attr RTS", err[2], 0);
	kapi_want(t, "notify COMM_EST", err[3], 0);
	kapi_want(t, "notify COMM_EST again", err[4], -EISCONN);
	kapi_state(t, &pair->p, IB_CM_ESTABLISHED);
	if (!kapi_take(t, &pair->p, IB_CM_USER_ESTABLISHED))
		goto out;
	kapi_want(t, "send_rtu", ib_send_cm_rtu(pair->a.id, NULL, 0), 0);
	/* The RTU comes late and tells nobody anything; what comes after it does. */
	pair->at = KAPI_RTU;
	kapi_reach(pair, KAPI_EXIT);
	kapi_pair_free(pair);

	pair = kapi_pair_make(t);
	if (!pair || !kapi_reach(pair, KAPI_REQ))
		goto out;
	preempt_disable();
	local_irq_disable();
	err[0] = kapi_call(pair, &pair->p, KAPI_CALL_REJ, "no", 2);
	off = irqs_disabled();
	local_irq_enable();
	preempt_enable();
	kapi_want(t, "interrupts off after send_rej", off, true);
	kapi_want(t, "send_rej", err[0], 0);
	note = kapi_take(t, &pair->a, IB_CM_REJ_RECEIVED);
	if (note)
		kapi_want(t, "reason", note->event.param.rej_rcvd.reason, IB_CM_REJ_CONSUMER_DEFINED);
	kapi_pair_free(pair);

	pair = kapi_pair_make(t);
	if (!pair || !kapi_step(pair, KAPI_SIDR))
		goto out;
	preempt_disable();
	local_irq_disable();
	err[0] = kapi_call(pair, &pair->p, KAPI_CALL_SIDR_REP, "yes", 3);
	off = irqs_disabled();
	local_irq_enable();
	preempt_enable();
	kapi_want(t, "interrupts off after send_sidr_rep", off, true);
	kapi_want(t, "send_sidr_rep", err[0], 0);
	if (!kapi_take(t, &pair->a, IB_CM_SIDR_REP_RECEIVED))
		goto out;
	kapi_returned(t, &pair->a);
	kapi_destroy_end(&pair->l);
	preempt_disable();
	local_irq_disable();
	err[0] = kapi_call(pair, &pair->a, KAPI_CALL_LISTEN, NULL, 0);
	off = irqs_disabled();
	local_irq_enable();
	preempt_enable();
	kapi_want(t, "interrupts off after listen", off, true);
	kapi_want(t, "listen", err[0], 0);
out:
	kapi_pair_free(pair);
}

/* Nobody answers: one event says so, and the id serves again. */
static int kapi_no_memory(struct kapi_end *end, struct kapi_note *note)
{
	end->id = NULL;
	return -ENOMEM;
}

static void kapi_connect_req_unanswered(struct kapi *t)
{
	struct kapi_pair *pair = kapi_pair_make(t);
	u8 data[1] = {};

	if (!pair)
		return;
	pair->timeout = KAPI_SHORT;
	pair->retries = 2;
	pair->p.act = kapi_no_memory;
	kapi_want(t, "send_req", kapi_call(pair, &pair->a, KAPI_CALL_REQ, data, 1), 0);
	if (kapi_take(t, &pair->a, IB_CM_REQ_ERROR)) {
		kapi_returned(t, &pair->a);
		kapi_state(t, &pair->a, IB_CM_IDLE);
	}
	/* The id of each is gone when a copy of it comes: that is a request once more. */
	if (pair->p.seen < 3 || pair->p.seen > 3 * t->copies)
		kapi_fail(t, "requests seen by the listener: %u, want 3, each up to %u times", pair->p.seen, t->copies);
	pair->p.taken = pair->p.seen;
	pair->p.act = NULL;
	pair->timeout = KAPI_LONG;
	if (!t->failed)
		kapi_reach(pair, KAPI_EXIT);
	kapi_pair_free(pair);
}

static void kapi_connect_rep_unanswered(struct kapi *t)
{
	struct kapi_pair *pair = kapi_pair_make(t);
	struct kapi_note *note;

	if (!pair)
		return;
	pair->timeout = 18;
	pair->retries = 1;
	pair->no_mra = true;
	if (!kapi_reach(pair, KAPI_REP) || !kapi_take(t, &pair->p, IB_CM_REP_ERROR))
		goto out;
	kapi_returned(t, &pair->p);
	kapi_state(t, &pair->p, IB_CM_IDLE);
	if (!t->stock) {
		/* Stock leaves its peer in the dark (field fault 24). */
		note = kapi_take(t, &pair->a, IB_CM_REJ_RECEIVED);
		if (!note)
			goto out;
		kapi_want(t, "reason", note->event.param.rej_rcvd.reason, IB_CM_REJ_TIMEOUT);
		if (!kapi_take(t, &pair->a, IB_CM_TIMEWAIT_EXIT))
			goto out;
		kapi_returned(t, &pair->a);
		kapi_state(t, &pair->a, IB_CM_IDLE);
	}
	msleep(100);
	kapi_quiet(t, &pair->a);
	kapi_quiet(t, &pair->p);
out:
	kapi_pair_free(pair);
}

static void kapi_connect_dreq_unanswered(struct kapi *t)
{
	struct kapi_pair *pair = kapi_pair_make(t);

	if (!pair)
		return;
	pair->timeout = 18;
	pair->retries = 1;
	pair->no_mra = true;
	if (kapi_reach(pair, KAPI_DREQ) && kapi_take(t, &pair->a, IB_CM_DREQ_ERROR) &&
	    kapi_take(t, &pair->a, IB_CM_TIMEWAIT_EXIT)) {
		kapi_returned(t, &pair->a);
		kapi_state(t, &pair->a, IB_CM_IDLE);
		kapi_state(t, &pair->p, IB_CM_DREQ_RCVD);
		msleep(200);
		kapi_quiet(t, &pair->a);
	}
	kapi_pair_free(pair);
}

/* While the wire takes no MRA (the loopback HCA's knob): as if it were lost, and the connection comes about. */
static void kapi_refused_mra(struct kapi *t)
{
	struct kapi_pair *pair = kapi_pair_make(t);

	if (!pair)
		return;
	if (kapi_reach(pair, KAPI_REQ)) {
		kapi_want(t, "send_mra", kapi_call(pair, &pair->p, KAPI_CALL_MRA, NULL, 0), 0);
		kapi_state(t, &pair->p, IB_CM_MRA_REQ_SENT);
		msleep(200);
		kapi_quiet(t, &pair->a);
		pair->no_mra = true;
		kapi_reach(pair, KAPI_RTU);
	}
	kapi_pair_free(pair);
}

const struct kapi_case kapi_connect[] = {
	{ "connect-life", kapi_connect_life },
	{ "connect-bare", kapi_connect_bare },
	{ "connect-again", kapi_connect_again,
	  "an id keeps its first peer's comm id, and REPs to later requests do not match" },
	{ "connect-other-end", kapi_connect_other_end },
	{ "connect-crossing", kapi_connect_crossing },
	{ "connect-atomic", kapi_connect_atomic },
	{ "connect-atomic-others", kapi_connect_atomic_others },
	{ "connect-req-unanswered", kapi_connect_req_unanswered },
	{ "connect-rep-unanswered", kapi_connect_rep_unanswered },
	{ "connect-dreq-unanswered", kapi_connect_dreq_unanswered },
	{ "refused-mra", kapi_refused_mra },
	{}
};
