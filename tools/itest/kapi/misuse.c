// SPDX-License-Identifier: GPL-2.0-only
/*
 * Misuse: every call in every state that a pair can be put into. A call that the
 * state does not allow says so and changes nothing, which the rest of the same
 * connection's life then shows.
 */
#include "kapi.h"

#define KAPI_QP		(BIT(KAPI_CALL_QP_INIT) | BIT(KAPI_CALL_QP_RTR) | BIT(KAPI_CALL_QP_RTS))

/* Calls that do what they are for, by state; kernel-interface, section 6. */
static const u32 kapi_allowed[] = {
	[IB_CM_IDLE]	      = BIT(KAPI_CALL_LISTEN) | BIT(KAPI_CALL_REQ) | BIT(KAPI_CALL_SIDR_REQ),
	[IB_CM_LISTEN]	      = 0,
	[IB_CM_REQ_SENT]      = BIT(KAPI_CALL_REJ) | BIT(KAPI_CALL_QP_INIT),
	[IB_CM_MRA_REQ_RCVD]  = BIT(KAPI_CALL_REJ) | BIT(KAPI_CALL_QP_INIT),
	[IB_CM_REQ_RCVD]      = BIT(KAPI_CALL_REP) | BIT(KAPI_CALL_REJ) | BIT(KAPI_CALL_MRA) | KAPI_QP,
	[IB_CM_MRA_REQ_SENT]  = BIT(KAPI_CALL_REP) | BIT(KAPI_CALL_REJ) | KAPI_QP,
	[IB_CM_REP_SENT]      = BIT(KAPI_CALL_REJ) | BIT(KAPI_CALL_COMM_EST) | KAPI_QP,
	[IB_CM_MRA_REP_RCVD]  = BIT(KAPI_CALL_REJ) | BIT(KAPI_CALL_COMM_EST) | KAPI_QP,
	[IB_CM_REP_RCVD]      = BIT(KAPI_CALL_RTU) | BIT(KAPI_CALL_REJ) | BIT(KAPI_CALL_MRA) | KAPI_QP,
	[IB_CM_MRA_REP_SENT]  = BIT(KAPI_CALL_RTU) | BIT(KAPI_CALL_REJ) | KAPI_QP,
	[IB_CM_ESTABLISHED]   = BIT(KAPI_CALL_DREQ) | KAPI_QP,
	[IB_CM_DREQ_SENT]     = 0,
	[IB_CM_DREQ_RCVD]     = BIT(KAPI_CALL_DREP),
	[IB_CM_TIMEWAIT]      = 0,
	[IB_CM_SIDR_REQ_SENT] = 0,
	[IB_CM_SIDR_REQ_RCVD] = BIT(KAPI_CALL_SIDR_REP),
};

static void kapi_misuse_call(struct kapi_pair *pair, struct kapi_end *end, enum kapi_verb verb, int want,
			     const void *data, u8 len)
{
	const enum ib_cm_state before = end->id->state;
	struct kapi *t = pair->t;
	int got;

	got = kapi_call(pair, end, verb, data, len);
	if (got != want)
		kapi_fail(t, "%s in %s, %u bytes: got %d want %d", kapi_verb_names[verb], cm_state_name(before), len,
			  got, want);
	if (end->id->state != before)
		kapi_fail(t, "%s in %s: got state %s want it unchanged", kapi_verb_names[verb], cm_state_name(before),
			  cm_state_name(end->id->state));
}

/* All calls that the state does not allow, and too much data for those that it does. */
static void kapi_misuse_end(struct kapi_pair *pair, struct kapi_end *end)
{
	const enum ib_cm_state state = end->id->state;
	const u32 allowed = kapi_allowed[state];
	static const u8 data[KAPI_DATA + 1];
	enum kapi_verb verb;

	for (verb = 0; verb < KAPI_CALLS; verb++) {
		if (BIT(verb) & allowed & KAPI_QP) {
			kapi_misuse_call(pair, end, verb, 0, NULL, 0);
			continue;
		}
		if (kapi_verb_max[verb])
			kapi_misuse_call(pair, end, verb, -EINVAL, data, kapi_verb_max[verb] + 1);
		if (BIT(verb) & allowed)
			continue;
		/* Stock then goes on with an address that never was. */
		if (pair->t->stock && verb == KAPI_CALL_PATH_MIG && state == IB_CM_ESTABLISHED)
			continue;
		kapi_misuse_call(pair, end, verb, verb == KAPI_CALL_COMM_EST && state == IB_CM_ESTABLISHED ? -EISCONN :
				 -EINVAL, NULL, 0);
	}
	if (ib_cm_notify(end->id, IB_EVENT_QP_FATAL) != -EINVAL)
		kapi_fail(pair->t, "notify QP_FATAL in %s: want -EINVAL", cm_state_name(state));
}

/* At each point of a life, at both ends; then the life goes on. */
static void kapi_misuse_connection(struct kapi *t)
{
	struct kapi_pair *pair = kapi_pair_make(t);
	enum kapi_point next;

	if (!pair)
		return;
	pair->lifetime = KAPI_LASTS;
	kapi_misuse_end(pair, &pair->a);
	kapi_misuse_end(pair, &pair->l);
	for (next = KAPI_REQ; next <= KAPI_EXIT; next++) {
		if (!kapi_step(pair, next))
			break;
		kapi_misuse_end(pair, &pair->a);
		kapi_misuse_end(pair, &pair->p);
	}
	kapi_pair_free(pair);
}

static void kapi_misuse_sidr(struct kapi *t)
{
	struct kapi_pair *pair = kapi_pair_make(t);
	u8 data[IB_CM_SIDR_REP_PRIVATE_DATA_SIZE];
	struct kapi_note *note;

	if (!pair)
		return;
	if (!kapi_step(pair, KAPI_SIDR))
		goto out;
	kapi_misuse_end(pair, &pair->a);
	kapi_misuse_end(pair, &pair->p);
	kapi_fill(data, sizeof(data), 9);
	kapi_want(t, "send_sidr_rep", kapi_call(pair, &pair->p, KAPI_CALL_SIDR_REP, data, sizeof(data)), 0);
	note = kapi_take(t, &pair->a, IB_CM_SIDR_REP_RECEIVED);
	if (!note)
		goto out;
	kapi_filled(t, note, sizeof(data), 9);
	kapi_want(t, "SIDR status", note->event.param.sidr_rep_rcvd.status, IB_SIDR_SUCCESS);
	kapi_returned(t, &pair->a);
	kapi_state(t, &pair->a, IB_CM_IDLE);
	kapi_state(t, &pair->p, IB_CM_IDLE);
	kapi_misuse_end(pair, &pair->a);
	kapi_misuse_end(pair, &pair->p);
out:
	kapi_pair_free(pair);
}

/* Arguments that are wrong in any state. */
static void kapi_misuse_arguments(struct kapi *t)
{
	struct kapi_pair *pair = kapi_pair_make(t);
	static const u8 info[73];
	struct ib_cm_sidr_rep_param sidr_rep = { .info = info, .info_length = sizeof(info) };
	struct ib_cm_sidr_req_param sidr_req = {};
	struct sa_path_rec path, alternate;
	struct ib_cm_req_param param;

	if (!pair)
		return;
	kapi_req_param(pair, &path, &param);
	param.primary_path = NULL;
	kapi_want(t, "send_req without a path", ib_send_cm_req(pair->a.id, &param), -EINVAL);
	param.primary_path = &path;
	param.qp_type = IB_QPT_UD;
	kapi_want(t, "send_req of a UD", ib_send_cm_req(pair->a.id, &param), -EINVAL);
	param.qp_type = IB_QPT_RC;
	param.alternate_path = &alternate;
	alternate = path;
	alternate.mtu = IB_MTU_256;
	kapi_want(t, "send_req with two MTUs", ib_send_cm_req(pair->a.id, &param), -EINVAL);
	alternate = path;
	alternate.pkey = cpu_to_be16(0x7fff);
	kapi_want(t, "send_req with two P_Keys", ib_send_cm_req(pair->a.id, &param), -EINVAL);
	kapi_want(t, "send_sidr_req without a path", ib_send_cm_sidr_req(pair->a.id, &sidr_req), -EINVAL);
	kapi_state(t, &pair->a, IB_CM_IDLE);
	if (kapi_reach(pair, KAPI_REQ)) {
		kapi_want(t, "send_rej with 73 bytes of information",
			  ib_send_cm_rej(pair->p.id, IB_CM_REJ_CONSUMER_DEFINED, (void *)info, sizeof(info), NULL, 0),
			  -EINVAL);
		kapi_state(t, &pair->p, IB_CM_REQ_RCVD);
		kapi_reach(pair, KAPI_RTU);
	}
	kapi_pair_free(pair);

	pair = kapi_pair_make(t);
	if (pair && kapi_step(pair, KAPI_SIDR)) {
		kapi_want(t, "send_sidr_rep with 73 bytes of information", ib_send_cm_sidr_rep(pair->p.id, &sidr_rep),
			  -EINVAL);
		kapi_state(t, &pair->p, IB_CM_SIDR_REQ_RCVD);
	}
	kapi_pair_free(pair);
}

static int kapi_other_handler(struct ib_cm_id *id, const struct ib_cm_event *event)
{
	return 0;
}

/* Who may listen where; refusals leave nothing behind. */
static void kapi_misuse_listen(struct kapi *t)
{
	const __be64 assigned = IB_CM_ASSIGN_SERVICE_ID | cpu_to_be64(0x123456);
	struct kapi_pair *pair = kapi_pair_make(t);
	struct ib_cm_id *shared, *other;
	__be64 service_id;
	int i;

	if (!pair)
		return;
	for (i = 0; i < 3; i++) {
		kapi_want(t, "listen on a taken service id", ib_cm_listen(pair->a.id, pair->service_id), -EBUSY);
		kapi_state(t, &pair->a, IB_CM_IDLE);
		other = ib_cm_insert_listen(t->dev, kapi_handler_fn, pair->service_id);
		kapi_want(t, "insert_listen where another id listens", PTR_ERR_OR_ZERO(other), -EINVAL);
	}
	kapi_want(t, "listen on an id that only we assign", ib_cm_listen(pair->a.id, assigned), -EINVAL);
	kapi_state(t, &pair->a, IB_CM_IDLE);
	other = ib_cm_insert_listen(t->dev, kapi_other_handler, assigned);
	kapi_want(t, "insert_listen on an id that only we assign", PTR_ERR_OR_ZERO(other), -EINVAL);

	service_id = kapi_service();
	shared = ib_cm_insert_listen(t->dev, kapi_other_handler, service_id);
	if (!kapi_want(t, "insert_listen", PTR_ERR_OR_ZERO(shared), 0))
		goto out;
	for (i = 0; i < 3; i++) {
		other = ib_cm_insert_listen(t->dev, kapi_handler_fn, service_id);
		kapi_want(t, "insert_listen with another handler", PTR_ERR_OR_ZERO(other), -EINVAL);
		kapi_want(t, "listen where others share", ib_cm_listen(pair->a.id, service_id), -EBUSY);
	}
	/* Had a refusal been counted as a share, this would not free the service id. */
	ib_destroy_cm_id(shared);
	kapi_want(t, "listen after the last share", ib_cm_listen(pair->a.id, service_id), 0);
	kapi_destroy_end(&pair->a);

	for (i = 0; i < 2; i++) {
		shared = ib_cm_insert_listen(t->dev, kapi_other_handler, IB_CM_ASSIGN_SERVICE_ID);
		other = ib_cm_insert_listen(t->dev, kapi_other_handler, IB_CM_ASSIGN_SERVICE_ID);
		if (!kapi_want(t, "insert_listen, assigned", PTR_ERR_OR_ZERO(shared), 0) ||
		    !kapi_want(t, "insert_listen, assigned", PTR_ERR_OR_ZERO(other), 0))
			break;
		if (shared == other || shared->service_id == other->service_id)
			kapi_fail(t, "two assigned listeners: got one service id want two");
		ib_destroy_cm_id(shared);
		ib_destroy_cm_id(other);
	}
out:
	kapi_pair_free(pair);
}

const struct kapi_case kapi_misuse[] = {
	{ "misuse-connection", kapi_misuse_connection },
	{ "misuse-sidr", kapi_misuse_sidr },
	{ "misuse-arguments", kapi_misuse_arguments },
	{ "misuse-listen", kapi_misuse_listen },
	{}
};
