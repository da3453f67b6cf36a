// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ends and pairs: the handler that notes, the calls with their usual arguments,
 * and the steps of a connection's life, each checked at both ends.
 *
 * An end's lock guards its notes. A note is complete before seen counts it; only
 * the test moves taken.
 */
#include <linux/delay.h>
#include <linux/slab.h>

#include "kapi.h"

const char *const kapi_verb_names[KAPI_CALLS] = {
	[KAPI_CALL_LISTEN]	= "listen",
	[KAPI_CALL_REQ]		= "send_req",
	[KAPI_CALL_REP]		= "send_rep",
	[KAPI_CALL_RTU]		= "send_rtu",
	[KAPI_CALL_DREQ]	= "send_dreq",
	[KAPI_CALL_DREP]	= "send_drep",
	[KAPI_CALL_REJ]		= "send_rej",
	[KAPI_CALL_MRA]		= "send_mra",
	[KAPI_CALL_SIDR_REQ]	= "send_sidr_req",
	[KAPI_CALL_SIDR_REP]	= "send_sidr_rep",
	[KAPI_CALL_COMM_EST]	= "notify COMM_EST",
	[KAPI_CALL_PATH_MIG]	= "notify PATH_MIG",
	[KAPI_CALL_QP_INIT]	= "init_qp_attr INIT",
	[KAPI_CALL_QP_RTR]	= "init_qp_attr RTR",
	[KAPI_CALL_QP_RTS]	= "init_qp_attr RTS",
};

const u8 kapi_verb_max[KAPI_CALLS] = {
	[KAPI_CALL_REQ]		= IB_CM_REQ_PRIVATE_DATA_SIZE,
	[KAPI_CALL_REP]		= IB_CM_REP_PRIVATE_DATA_SIZE,
	[KAPI_CALL_RTU]		= IB_CM_RTU_PRIVATE_DATA_SIZE,
	[KAPI_CALL_DREQ]	= IB_CM_DREQ_PRIVATE_DATA_SIZE,
	[KAPI_CALL_DREP]	= IB_CM_DREP_PRIVATE_DATA_SIZE,
	[KAPI_CALL_REJ]		= IB_CM_REJ_PRIVATE_DATA_SIZE,
#ifndef KAPI_PREPARE_MRA
	[KAPI_CALL_MRA]		= IB_CM_MRA_PRIVATE_DATA_SIZE,
#endif
	[KAPI_CALL_SIDR_REQ]	= IB_CM_SIDR_REQ_PRIVATE_DATA_SIZE,
	[KAPI_CALL_SIDR_REP]	= IB_CM_SIDR_REP_PRIVATE_DATA_SIZE,
};

static const u8 kapi_event_data[] = {
	[IB_CM_REQ_RECEIVED]	  = IB_CM_REQ_PRIVATE_DATA_SIZE,
	[IB_CM_REP_RECEIVED]	  = IB_CM_REP_PRIVATE_DATA_SIZE,
	[IB_CM_RTU_RECEIVED]	  = IB_CM_RTU_PRIVATE_DATA_SIZE,
	[IB_CM_DREQ_RECEIVED]	  = IB_CM_DREQ_PRIVATE_DATA_SIZE,
	[IB_CM_DREP_RECEIVED]	  = IB_CM_DREP_PRIVATE_DATA_SIZE,
	[IB_CM_MRA_RECEIVED]	  = IB_CM_MRA_PRIVATE_DATA_SIZE,
	[IB_CM_REJ_RECEIVED]	  = IB_CM_REJ_PRIVATE_DATA_SIZE,
	[IB_CM_SIDR_REQ_RECEIVED] = IB_CM_SIDR_REQ_PRIVATE_DATA_SIZE,
	[IB_CM_SIDR_REP_RECEIVED] = IB_CM_SIDR_REP_PRIVATE_DATA_SIZE,
};

static const char *kapi_event_name(enum ib_cm_event_type event)
{
	static const char *const names[] = {
		[IB_CM_REQ_ERROR]	  = "REQ_ERROR",
		[IB_CM_REQ_RECEIVED]	  = "REQ",
		[IB_CM_REP_ERROR]	  = "REP_ERROR",
		[IB_CM_REP_RECEIVED]	  = "REP",
		[IB_CM_RTU_RECEIVED]	  = "RTU",
		[IB_CM_USER_ESTABLISHED]  = "USER_ESTABLISHED",
		[IB_CM_DREQ_ERROR]	  = "DREQ_ERROR",
		[IB_CM_DREQ_RECEIVED]	  = "DREQ",
		[IB_CM_DREP_RECEIVED]	  = "DREP",
		[IB_CM_TIMEWAIT_EXIT]	  = "TIMEWAIT_EXIT",
		[IB_CM_MRA_RECEIVED]	  = "MRA",
		[IB_CM_REJ_RECEIVED]	  = "REJ",
		[IB_CM_LAP_ERROR]	  = "LAP_ERROR",
		[IB_CM_LAP_RECEIVED]	  = "LAP",
		[IB_CM_APR_RECEIVED]	  = "APR",
		[IB_CM_SIDR_REQ_ERROR]	  = "SIDR_REQ_ERROR",
		[IB_CM_SIDR_REQ_RECEIVED] = "SIDR_REQ",
		[IB_CM_SIDR_REP_RECEIVED] = "SIDR_REP",
	};

	return event < ARRAY_SIZE(names) ? names[event] : "?";
}

__be64 kapi_service(void)
{
	static atomic_t last = ATOMIC_INIT(0);

	return cpu_to_be64(0x00cef05000000000ULL + atomic_inc_return(&last));
}

u32 kapi_qpn(void)
{
	static atomic_t last = ATOMIC_INIT(0);

	/* All bytes in use, so that one in the wrong place shows */
	return 0xa51000 + atomic_inc_return(&last);
}

void kapi_fill(u8 *data, unsigned int len, u8 seed)
{
	while (len--)
		data[len] = seed + len * 7;
}

/* Is the private data what kapi_fill() makes, and zero after len? */
bool kapi_filled(struct kapi *t, const struct kapi_note *note, unsigned int len, u8 seed)
{
	unsigned int i;
	u8 want;

	for (i = 0; i < kapi_event_data[note->event.event]; i++) {
		want = i < len ? (u8)(seed + i * 7) : 0;
		if (note->data[i] != want) {
			kapi_fail(t, "%s: private data at %u: got %02x want %02x",
				  kapi_event_name(note->event.event), i, note->data[i], want);
			return false;
		}
	}
	return true;
}

/* ---- ends ---- */

void kapi_end_init(struct kapi_end *end, const char *name)
{
	end->name = name;
	spin_lock_init(&end->lock);
	init_waitqueue_head(&end->wait);
}

int kapi_handler_fn(struct ib_cm_id *id, const struct ib_cm_event *event)
{
	struct kapi_end *end = id->context;
	struct kapi_note *note;
	unsigned long flags;
	int ret = 0;

	if (event->event == IB_CM_REQ_RECEIVED || event->event == IB_CM_SIDR_REQ_RECEIVED) {
		end = end->accepts;
		id->context = end;
		end->id = id;
	}
	note = &end->notes[end->seen % KAPI_NOTES];
	memset(note, 0, sizeof(*note));
	note->event = *event;
	note->state = id->state;
	note->service_id = id->service_id;
	note->begun = ktime_get();
	if (event->private_data && event->event < ARRAY_SIZE(kapi_event_data))
		memcpy(note->data, event->private_data, kapi_event_data[event->event]);
	if (event->event == IB_CM_REJ_RECEIVED) {
		note->info_len = event->param.rej_rcvd.ari_length;
		memcpy(note->info, event->param.rej_rcvd.ari, min_t(size_t, note->info_len, sizeof(note->info)));
	} else if (event->event == IB_CM_SIDR_REP_RECEIVED) {
		note->info_len = event->param.sidr_rep_rcvd.info_len;
		memcpy(note->info, event->param.sidr_rep_rcvd.info, min_t(size_t, note->info_len, sizeof(note->info)));
	} else if (event->event == IB_CM_REQ_RECEIVED) {
		note->path = *event->param.req_rcvd.primary_path;
	}

	spin_lock_irqsave(&end->lock, flags);
	end->seen++;
	spin_unlock_irqrestore(&end->lock, flags);
	wake_up_all(&end->wait);
	if (end->act)
		ret = end->act(end, note);
	spin_lock_irqsave(&end->lock, flags);
	end->returned++;
	/* Under the lock: the end may be freed as soon as this is seen */
	wake_up_all(&end->wait);
	spin_unlock_irqrestore(&end->lock, flags);
	return ret;
}

static unsigned int kapi_seen(struct kapi_end *end)
{
	unsigned int seen;

	spin_lock_irq(&end->lock);
	seen = end->seen;
	spin_unlock_irq(&end->lock);
	return seen;
}

static bool kapi_handlers_done(struct kapi_end *end)
{
	bool done;

	spin_lock_irq(&end->lock);
	done = end->returned == end->seen;
	spin_unlock_irq(&end->lock);
	return done;
}

/* The next event of an end, which must be of this type. NULL: it is not, or does not come. */
struct kapi_note *kapi_take(struct kapi *t, struct kapi_end *end, enum ib_cm_event_type want)
{
	struct kapi_note *note;

	if (!wait_event_timeout(end->wait, kapi_seen(end) > end->taken, KAPI_WAIT)) {
		kapi_fail(t, "%s: got no event want %s", end->name, kapi_event_name(want));
		return NULL;
	}
	note = &end->notes[end->taken++ % KAPI_NOTES];
	if (note->event.event != want) {
		kapi_fail(t, "%s: got event %s want %s", end->name, kapi_event_name(note->event.event),
			  kapi_event_name(want));
		return NULL;
	}
	return note;
}

/* No event that no test has taken. */
bool kapi_quiet(struct kapi *t, struct kapi_end *end)
{
	if (kapi_seen(end) == end->taken)
		return true;
	kapi_fail(t, "%s: got event %s want none", end->name,
		  kapi_event_name(end->notes[end->taken % KAPI_NOTES].event.event));
	return false;
}

/* No handler runs any more. */
bool kapi_returned(struct kapi *t, struct kapi_end *end)
{
	if (wait_event_timeout(end->wait, kapi_handlers_done(end), KAPI_WAIT))
		return true;
	kapi_fail(t, "%s: its handler does not return", end->name);
	return false;
}

bool kapi_state(struct kapi *t, struct kapi_end *end, enum ib_cm_state want)
{
	enum ib_cm_state got = READ_ONCE(end->id->state);

	if (got == want)
		return true;
	kapi_fail(t, "%s: got state %s want %s", end->name, cm_state_name(got), cm_state_name(want));
	return false;
}

/* For a state that comes without an event. */
bool kapi_state_soon(struct kapi *t, struct kapi_end *end, enum ib_cm_state want)
{
	unsigned long limit = jiffies + KAPI_WAIT;

	while (READ_ONCE(end->id->state) != want && time_before(jiffies, limit))
		usleep_range(1000, 2000);
	return kapi_state(t, end, want);
}

/* Milliseconds that it took. */
s64 kapi_destroy_end(struct kapi_end *end)
{
	struct ib_cm_id *id = end->id;
	ktime_t begin = ktime_get();

	end->id = NULL;
	if (!IS_ERR_OR_NULL(id))
		ib_destroy_cm_id(id);
	return ktime_ms_delta(ktime_get(), begin);
}

/* ---- calls ---- */

void kapi_path(struct kapi_pair *pair, struct sa_path_rec *path)
{
	const struct kapi *t = pair->t;

	*path = (struct sa_path_rec) {
		.rec_type = SA_PATH_REC_TYPE_ROCE_V2,
		.sgid = t->gid->gid,
		.dgid = t->gid->gid,
		.service_id = pair->service_id,
		.hop_limit = 64,
		.reversible = 1,
		.numb_path = 1,
		.pkey = cpu_to_be16(0xffff),
		.mtu_selector = IB_SA_EQ,
		.mtu = IB_MTU_1024,
		.rate_selector = IB_SA_EQ,
		.rate = IB_RATE_10_GBPS,
		.packet_life_time_selector = IB_SA_EQ,
		.packet_life_time = pair->lifetime,
		.roce.route_resolved = true,
	};
	memcpy(path->roce.dmac, t->mac, sizeof(path->roce.dmac));
}

void kapi_req_param(struct kapi_pair *pair, struct sa_path_rec *path, struct ib_cm_req_param *param)
{
	kapi_path(pair, path);
	*param = (struct ib_cm_req_param) {
		.primary_path = path,
		.ppath_sgid_attr = pair->t->gid,
		.service_id = pair->service_id,
		.qp_num = pair->a_qpn,
		.qp_type = IB_QPT_RC,
		.starting_psn = 0x654321,
		.responder_resources = 5,
		.initiator_depth = 9,
		.remote_cm_response_timeout = pair->timeout,
		.local_cm_response_timeout = pair->timeout,
		.flow_control = 1,
		.retry_count = 5,
		.rnr_retry_count = 2,
		.max_cm_retries = pair->retries,
	};
}

void kapi_rep_param(struct kapi_pair *pair, struct ib_cm_rep_param *param)
{
	*param = (struct ib_cm_rep_param) {
		.qp_num = pair->p_qpn,
		.starting_psn = 0x765432,
		.responder_resources = 3,
		.initiator_depth = 11,
		.failover_accepted = 0,
		.flow_control = 1,
		.rnr_retry_count = 2,
	};
}

static int kapi_call_req(struct kapi_pair *pair, struct kapi_end *end, const void *data, u8 len)
{
	struct ib_cm_req_param param;
	struct sa_path_rec path;

	kapi_req_param(pair, &path, &param);
	param.private_data = data;
	param.private_data_len = len;
	return ib_send_cm_req(end->id, &param);
}

static int kapi_call_rep(struct kapi_pair *pair, struct kapi_end *end, const void *data, u8 len)
{
	struct ib_cm_rep_param param;

	kapi_rep_param(pair, &param);
	param.private_data = data;
	param.private_data_len = len;
	return ib_send_cm_rep(end->id, &param);
}

static int kapi_call_mra(struct kapi_end *end, const void *data, u8 len)
{
#ifdef KAPI_PREPARE_MRA
	return ib_prepare_cm_mra(end->id);
#else
	return ib_send_cm_mra(end->id, 20, data, len);
#endif
}

static int kapi_call_sidr_req(struct kapi_pair *pair, struct kapi_end *end, const void *data, u8 len)
{
	struct sa_path_rec path;
	struct ib_cm_sidr_req_param param = {
		.path = &path,
		.sgid_attr = pair->t->gid,
		.service_id = pair->service_id,
		.timeout_ms = 4096 >> (KAPI_LONG - pair->timeout),
		.private_data = data,
		.private_data_len = len,
		.max_cm_retries = pair->retries,
	};

	kapi_path(pair, &path);
	return ib_send_cm_sidr_req(end->id, &param);
}

static int kapi_call_sidr_rep(struct kapi_pair *pair, struct kapi_end *end, const void *data, u8 len)
{
	struct ib_cm_sidr_rep_param param = {
		.qp_num = pair->p_qpn,
		.qkey = 0x12345678,
		.status = IB_SIDR_SUCCESS,
		.private_data = data,
		.private_data_len = len,
	};

	return ib_send_cm_sidr_rep(end->id, &param);
}

static int kapi_call_qp(struct kapi_end *end, enum ib_qp_state state)
{
	struct ib_qp_attr attr = { .qp_state = state };
	int mask = 0, err;

	err = ib_cm_init_qp_attr(end->id, &attr, &mask);
	if (!err && !(mask & IB_QP_STATE))
		return -EPROTO;
	return err;
}

int kapi_call(struct kapi_pair *pair, struct kapi_end *end, enum kapi_verb verb, const void *data, u8 len)
{
	switch (verb) {
	case KAPI_CALL_LISTEN:
		return ib_cm_listen(end->id, kapi_service());
	case KAPI_CALL_REQ:
		return kapi_call_req(pair, end, data, len);
	case KAPI_CALL_REP:
		return kapi_call_rep(pair, end, data, len);
	case KAPI_CALL_RTU:
		return ib_send_cm_rtu(end->id, data, len);
	case KAPI_CALL_DREQ:
		return ib_send_cm_dreq(end->id, data, len);
	case KAPI_CALL_DREP:
		return ib_send_cm_drep(end->id, data, len);
	case KAPI_CALL_REJ:
		return ib_send_cm_rej(end->id, IB_CM_REJ_CONSUMER_DEFINED, NULL, 0, data, len);
	case KAPI_CALL_MRA:
		return kapi_call_mra(end, data, len);
	case KAPI_CALL_SIDR_REQ:
		return kapi_call_sidr_req(pair, end, data, len);
	case KAPI_CALL_SIDR_REP:
		return kapi_call_sidr_rep(pair, end, data, len);
	case KAPI_CALL_COMM_EST:
		return ib_cm_notify(end->id, IB_EVENT_COMM_EST);
	case KAPI_CALL_PATH_MIG:
		return ib_cm_notify(end->id, IB_EVENT_PATH_MIG);
	case KAPI_CALL_QP_INIT:
		return kapi_call_qp(end, IB_QPS_INIT);
	case KAPI_CALL_QP_RTR:
		return kapi_call_qp(end, IB_QPS_RTR);
	case KAPI_CALL_QP_RTS:
		return kapi_call_qp(end, IB_QPS_RTS);
	default:
		return -EOPNOTSUPP;
	}
}

/* As kapi_call(), with a lock held and interrupts off where the pair says so. */
static int kapi_call_as_told(struct kapi_pair *pair, struct kapi_end *end, enum kapi_verb verb,
			     const void *data, u8 len)
{
	static DEFINE_SPINLOCK(held);
	unsigned long flags;
	bool off;
	int err;

	if (!pair->atomic || verb == KAPI_CALL_REQ || verb == KAPI_CALL_SIDR_REQ)
		return kapi_call(pair, end, verb, data, len);

	spin_lock_irqsave(&held, flags);
	err = kapi_call(pair, end, verb, data, len);
	off = irqs_disabled();
	spin_unlock_irqrestore(&held, flags);
	if (!off)
		kapi_fail(pair->t, "%s: came back with interrupts on", kapi_verb_names[verb]);
	return err;
}

/* ---- pairs ---- */

static const struct {
	bool passive;			/* whose call it is */
	enum kapi_verb verb;
	enum ib_cm_event_type event;	/* at the other */
	enum ib_cm_state a, p;		/* afterwards */
} kapi_steps[KAPI_POINTS] = {
	[KAPI_REQ]     = { false, KAPI_CALL_REQ,  IB_CM_REQ_RECEIVED,  IB_CM_REQ_SENT,	    IB_CM_REQ_RCVD },
	[KAPI_MRA_REQ] = { true,  KAPI_CALL_MRA,  IB_CM_MRA_RECEIVED,  IB_CM_MRA_REQ_RCVD,  IB_CM_MRA_REQ_SENT },
	[KAPI_REP]     = { true,  KAPI_CALL_REP,  IB_CM_REP_RECEIVED,  IB_CM_REP_RCVD,	    IB_CM_REP_SENT },
	[KAPI_MRA_REP] = { false, KAPI_CALL_MRA,  IB_CM_MRA_RECEIVED,  IB_CM_MRA_REP_SENT,  IB_CM_MRA_REP_RCVD },
	[KAPI_RTU]     = { false, KAPI_CALL_RTU,  IB_CM_RTU_RECEIVED,  IB_CM_ESTABLISHED,   IB_CM_ESTABLISHED },
	[KAPI_DREQ]    = { false, KAPI_CALL_DREQ, IB_CM_DREQ_RECEIVED, IB_CM_DREQ_SENT,	    IB_CM_DREQ_RCVD },
	[KAPI_DREP]    = { true,  KAPI_CALL_DREP, IB_CM_DREP_RECEIVED, IB_CM_TIMEWAIT,	    IB_CM_TIMEWAIT },
	[KAPI_SIDR]    = { false, KAPI_CALL_SIDR_REQ, IB_CM_SIDR_REQ_RECEIVED, IB_CM_SIDR_REQ_SENT,
			   IB_CM_SIDR_REQ_RCVD },
};

struct kapi_pair *kapi_pair_make(struct kapi *t)
{
	struct kapi_pair *pair = kvzalloc(sizeof(*pair), GFP_KERNEL);

	if (!pair) {
		kapi_fail(t, "no memory");
		return NULL;
	}
	pair->t = t;
	pair->service_id = kapi_service();
	pair->a_qpn = kapi_qpn();
	pair->p_qpn = kapi_qpn();
	pair->lifetime = 14;
	pair->timeout = kapi_timeout;
	pair->retries = 3;
	kapi_end_init(&pair->a, "a");
	kapi_end_init(&pair->p, "p");
	kapi_end_init(&pair->l, "l");
	pair->l.accepts = &pair->p;
	pair->a.id = ib_create_cm_id(t->dev, kapi_handler_fn, &pair->a);
	pair->l.id = ib_create_cm_id(t->dev, kapi_handler_fn, &pair->l);
	if (IS_ERR(pair->a.id) || IS_ERR(pair->l.id)) {
		kapi_fail(t, "create: no id");
		kapi_pair_free(pair);
		return NULL;
	}
	if (!kapi_want(t, "listen", ib_cm_listen(pair->l.id, pair->service_id), 0)) {
		kapi_pair_free(pair);
		return NULL;
	}
	return pair;
}

void kapi_pair_free(struct kapi_pair *pair)
{
	if (!pair)
		return;
	/* First who could still make new ids; a may tell p, and the other way round. */
	kapi_destroy_end(&pair->l);
	kapi_destroy_end(&pair->a);
	kapi_destroy_end(&pair->p);
	kvfree(pair);
}

/* From the point before to this one; both ends must be told, and be, what the protocol says. */
bool kapi_step(struct kapi_pair *pair, enum kapi_point to)
{
	const bool passive = kapi_steps[to].passive, mra = kapi_steps[to].verb == KAPI_CALL_MRA;
	struct kapi_end *who = passive ? &pair->p : &pair->a, *other = passive ? &pair->a : &pair->p;
	u8 data[KAPI_DATA + 1], len = kapi_verb_max[kapi_steps[to].verb];
	const u8 seed = 0x31 * to;
	struct kapi *t = pair->t;
	struct kapi_note *note;
	bool bare;
	int err;

	if (to == KAPI_EXIT) {
		/* Each has its own timer */
		if (!kapi_take(t, &pair->a, IB_CM_TIMEWAIT_EXIT) || !kapi_take(t, &pair->p, IB_CM_TIMEWAIT_EXIT))
			return false;
		kapi_returned(t, &pair->a);
		kapi_returned(t, &pair->p);
		if (!kapi_state(t, &pair->a, IB_CM_IDLE) || !kapi_state(t, &pair->p, IB_CM_IDLE))
			return false;
		pair->at = to;
		return kapi_quiet(t, &pair->a) && kapi_quiet(t, &pair->p) && kapi_quiet(t, &pair->l);
	}
	/* Copies of RTU's and DREP's data are made in a way that may sleep. */
	bare = pair->no_data || (pair->atomic && (to == KAPI_RTU || to == KAPI_DREP));
	kapi_fill(data, len, seed);
	err = kapi_call_as_told(pair, who, kapi_steps[to].verb, bare ? NULL : data, bare ? 0xff : len);
	if (!kapi_want(t, kapi_verb_names[kapi_steps[to].verb], err, 0))
		return false;
	if (!mra || KAPI_MRA_LEAVES) {
		note = kapi_take(t, other, kapi_steps[to].event);
		if (!note || !kapi_filled(t, note, bare ? 0 : len, seed))
			return false;
		if (to != KAPI_DREP &&
		    !kapi_want(t, "state seen by the handler", note->state,
			       passive ? kapi_steps[to].a : kapi_steps[to].p))
			return false;
		if (!kapi_returned(t, other))
			return false;
	}
	pair->at = to;
	/* Timewait may be over by now */
	if (to == KAPI_DREP && pair->lifetime < KAPI_LASTS)
		return true;
	if (mra && !KAPI_MRA_LEAVES)
		return kapi_state(t, who, passive ? kapi_steps[to].p : kapi_steps[to].a);
	return kapi_state(t, &pair->a, kapi_steps[to].a) && kapi_state(t, &pair->p, kapi_steps[to].p) &&
	       kapi_quiet(t, &pair->a) && kapi_quiet(t, &pair->p) && kapi_quiet(t, &pair->l);
}

/* All steps up to a point. */
bool kapi_reach(struct kapi_pair *pair, enum kapi_point to)
{
	enum kapi_point next;

	if (to == KAPI_SIDR)
		return kapi_step(pair, to);
	for (next = pair->at + 1; next <= to; next++) {
		if (pair->no_mra && (next == KAPI_MRA_REQ || next == KAPI_MRA_REP))
			continue;
		if (!kapi_step(pair, next))
			return false;
	}
	return true;
}
