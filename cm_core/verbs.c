// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * The verbs of the table, sorted by stage.
 *
 * PREP runs before the lock and may sleep and fail. LOCKED runs under the id's
 * lock, cannot fail, sleeps never; messages are formatted here, before the state
 * is written. POST runs after the lock.
 *
 * References: see apply.c; POST verbs use the caller's.
 */
#include <linux/random.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <rdma/ib_cache.h>

#include "apply.h"
#include "event.h"
#include "listen.h"
#include "lookup.h"
#include "reply.h"
#include "timewait.h"
#include "trace.h"
#include "verbs.h"

/*
 * A service time that we ask for, or grant a peer, is never longer than this:
 * 4.096 us x 2^21 = 8.6 s.
 */
#define CM_SERVICE_TIME_MAX	21

static const struct ib_mad *cm_in(const struct cm_act *act)
{
	return (const struct ib_mad *)act->wc->recv_buf.mad;
}

/* ---- PREP ---- */

static gfp_t cm_act_gfp(const struct cm_act *act)
{
	return (act->may_sleep ? GFP_NOIO : GFP_ATOMIC) | __GFP_NOWARN;
}

/* A DREQ without private data is made anew for each repetition: it needs no memory, so that it cannot fail. */
static int cm_prep_image(struct cm_act *act, u8 event)
{
	if (event == CM_ID_ON_CALL_DREQ && !act->len)
		return 0;
	act->image = kmalloc(CM_MAD_SIZE, cm_act_gfp(act));
	return act->image ? 0 : -ENOMEM;
}

static int cm_prep_record(struct cm_act *act)
{
	if (!act->av.port)
		return -ENODEV;
	act->rec = cm_rec_alloc(act->av.port, cm_act_gfp(act));
	return act->rec ? 0 : -ENOMEM;
}

static int cm_prep_copy(struct cm_act *act)
{
	if (!act->data || !act->len)
		return 0;
	act->copy = kmemdup(act->data, act->len, cm_act_gfp(act));
	return act->copy ? 0 : -ENOMEM;
}

static int cm_prep_listener(struct cm_act *act)
{
	act->listener = cm_listener_alloc(cm_act_gfp(act));
	return act->listener ? 0 : -ENOMEM;
}

static int cm_prep_alternate(struct cm_act *act, const struct sa_path_rec *path)
{
	act->alt = kzalloc(sizeof(*act->alt), cm_act_gfp(act));
	if (!act->alt)
		return -ENOMEM;
	return cm_av_from_path(act->alt, act->id->dev, path, NULL);
}

/* The paths of a REQ that we send: the requester may have found out the two directions separately. */
static int cm_prep_req_path(struct cm_act *act, const struct ib_cm_req_param *p)
{
	int err;

	err = cm_av_from_path(&act->av, act->id->dev, p->primary_path, p->ppath_sgid_attr);
	if (err)
		return err;
	if (p->primary_path_outbound)
		act->av.dlid_datapath = be16_to_cpu(p->primary_path_outbound->ib.dlid);
	return p->alternate_path ? cm_prep_alternate(act, p->alternate_path) : 0;
}

static int cm_prep_path(struct cm_act *act, u8 event)
{
	const struct ib_cm_sidr_req_param *sidr = act->call;

	if (!act->id->dev)
		return -ENODEV;
	if (event == CM_ID_ON_CALL_REQ)
		return cm_prep_req_path(act, act->call);
	return cm_av_from_path(&act->av, act->id->dev, sidr->path, sidr->sgid_attr);
}

/* A LAP arrives on InfiniBand only: resolving its path asks caches. */
static int cm_prep_lap(struct cm_act *act)
{
	struct sa_path_rec path;

	cm_path_from_lap(&path, act->id, act->wc);
	return cm_prep_alternate(act, &path);
}

/**
 * cm_act_prepare - run the PREP verbs of an event
 * @act: what is going to happen; act->id is set
 * @event: CM_ID_ON_*
 *
 * Context: may sleep if act->may_sleep says so.
 * Return: 0, or the errno of the first that failed. The products are in act
 * either way; cm_act_run() or cm_act_abandon() frees them.
 */
int cm_act_prepare(struct cm_act *act, u8 event)
{
	unsigned int noio = 0, i;
	int err = 0;

	/* Also what the RDMA core allocates for us: a consumer may sit in the way of write-back */
	if (act->may_sleep)
		noio = memalloc_noio_save();
	for (i = 0; i < CM_EVENT_PREP && cm_id_prep[event][i] && !err; i++) {
		switch (cm_id_prep[event][i]) {
		case CM_DO_PREP_PATH:
			err = cm_prep_path(act, event);
			break;
		case CM_DO_PREP_RECORD:
			err = cm_prep_record(act);
			break;
		case CM_DO_PREP_IMAGE:
			err = cm_prep_image(act, event);
			break;
		case CM_DO_PREP_COPY:
			err = cm_prep_copy(act);
			break;
		case CM_DO_PREP_LISTENER:
			err = cm_prep_listener(act);
			break;
		case CM_DO_PREP_LAP:
			err = cm_prep_lap(act);
			break;
		}
	}
	if (act->may_sleep)
		memalloc_noio_restore(noio);
	return err;
}

/**
 * cm_act_forbidden - would the call have failed anyway?
 * @act: a call whose preparation failed
 * @event: CM_ID_ON_*
 *
 * Context: any.
 * Return: the negative errno that the id's state gives the call, or 0.
 */
int cm_act_forbidden(const struct cm_act *act, u8 event)
{
	const struct cm_row *row = cm_id_row(event, READ_ONCE(act->id->state));

	return row->verdict == CM_INVALID ? -row->error : 0;
}

/* ---- LOCKED: fields ---- */

/*
 * Every attempt gets a TID of its own, so that a peer can tell a repetition
 * from the next attempt of a reused id. The upper half is the agent's, as the
 * MAD layer wants it.
 */
static __be64 cm_fresh_tid(const struct cm_port *port)
{
	struct ib_mad_agent *agent;
	u32 hi = 0;

	rcu_read_lock();
	agent = rcu_dereference(port->agent);
	if (agent)
		hi = agent->hi_tid;
	rcu_read_unlock();
	return cpu_to_be64((u64)hi << 32 | get_random_u32());
}

/* The paths that were resolved before the lock become the id's. */
static void cm_take_paths(struct cm_act *act)
{
	struct cm_id *id = act->id;

	act->dead_av = id->av;
	id->av = act->av;
	memset(&act->av, 0, sizeof(act->av));
	act->dead_alt = id->alt;
	id->alt = act->alt;
	act->alt = NULL;
}

static void cm_set_req(struct cm_act *act)
{
	struct cm_id *id = act->id;

	cm_take_paths(act);
	id->active = true;
	id->gen++;
	id->pub.remote_id = 0;
	id->tid = cm_fresh_tid(id->av.port);
	cm_id_give_req(id, act->call);
}

static void cm_set_rep(struct cm_act *act)
{
	cm_id_give_rep(act->id, act->call);
}

static void cm_set_sidr_req(struct cm_act *act)
{
	struct cm_id *id = act->id;

	cm_take_paths(act);
	id->active = true;
	id->gen++;
	id->tid = cm_fresh_tid(id->av.port);
	cm_id_give_sidr_req(id, act->call);
}

static void cm_set_mra(struct cm_act *act)
{
	act->id->service_timeout = act->service_timeout;
}

static void cm_take_req(struct cm_act *act)
{
	struct cm_id *id = act->id;

	id->active = false;
	id->told = false;
	id->gen++;
	cm_id_take_req(id, cm_in(act));
}

/* Not a key: what connects the two is the REP. */
static void cm_take_mra(struct cm_act *act)
{
	act->id->pub.remote_id = cm_msg_local_comm_id(cm_in(act));
}

static void cm_take_rep(struct cm_act *act)
{
	cm_id_take_rep(act->id, cm_in(act));
}

static void cm_take_sidr_req(struct cm_act *act)
{
	struct cm_id *id = act->id;

	id->active = false;
	id->gen++;
	cm_id_take_sidr_req(id, cm_in(act));
}

static void cm_take_dreq(struct cm_act *act)
{
	act->id->drep_tid = cm_in(act)->mad_hdr.tid;
}

static void cm_take_lap(struct cm_act *act)
{
	struct cm_id *id = act->id;

	id->lap_tid = cm_in(act)->mad_hdr.tid;
	act->dead_alt = id->alt;
	id->alt = act->alt;
	act->alt = NULL;
}

static void cm_keep_data(struct cm_act *act)
{
	struct cm_id *id = act->id;

	act->dead_data = id->data;
	id->data = act->copy;
	id->data_kind = act->kind;
	id->data_len = act->copy ? act->len : 0;
	act->copy = NULL;
}

static void cm_migrate_path(struct cm_act *act)
{
	swap(act->id->av, *act->id->alt);
}

static void cm_fill_init(struct cm_act *act)
{
	cm_qp_attr_init(act->id, act->attr, act->attr_mask);
}

static void cm_fill_rtr(struct cm_act *act)
{
	cm_qp_attr_rtr(act->id, act->attr, act->attr_mask);
}

static void cm_fill_rts(struct cm_act *act)
{
	cm_qp_attr_rts(act->id, act->attr, act->attr_mask);
}

/* ---- LOCKED: messages ---- */

/* What is common to every message of an id: where it goes. Nothing goes where no way is known. */
static void *cm_say(struct cm_act *act, enum cm_msg_kind kind)
{
	struct cm_id *id = act->id;

	cm_av_clear(&act->out.av);
	if (id->av.port)
		cm_av_copy(&act->out.av, &id->av);
	act->out.kind = kind;
	act->out.pkey_index = CM_PKEY_LOOKUP;
	act->out.remote_qpn = id->pub.remote_cm_qpn;
	cm_trace_send(id, kind);
	return act->out.image;
}

static void cm_say_req(struct cm_act *act)
{
	cm_msg_req(cm_say(act, CM_MSG_REQ), act->id, act->call);
}

static void cm_say_rep(struct cm_act *act)
{
	cm_msg_rep(cm_say(act, CM_MSG_REP), act->id, act->call);
}

/* Kept data belongs to the message that it was given with. */
static const u8 *cm_kept(const struct cm_id *id, enum cm_msg_kind kind, u8 *len)
{
	*len = id->data && id->data_kind == kind ? id->data_len : 0;
	return *len ? id->data : NULL;
}

static void cm_say_rtu(struct cm_act *act)
{
	struct cm_id *id = act->id;
	u8 len;
	const u8 *data = cm_kept(id, CM_MSG_RTU, &len);

	cm_msg_rtu(cm_say(act, CM_MSG_RTU), id, data, len);
}

static void cm_say_mra(struct cm_act *act, enum cm_msg_about about, u8 time, __be64 tid)
{
	struct cm_id *id = act->id;
	u8 len;
	const u8 *data = cm_kept(id, CM_MSG_MRA, &len);

	id->told = true;
	cm_msg_mra(cm_say(act, CM_MSG_MRA), id, about, time, data, len, tid);
}

static void cm_say_mra_req(struct cm_act *act)
{
	cm_say_mra(act, CM_ABOUT_REQ, act->id->service_timeout, act->id->tid);
}

static void cm_say_mra_rep(struct cm_act *act)
{
	cm_say_mra(act, CM_ABOUT_REP, act->id->service_timeout, act->id->tid);
}

static void cm_say_mra_lap(struct cm_act *act)
{
	cm_say_mra(act, CM_ABOUT_OTHER, act->id->service_timeout, act->id->lap_tid);
}

static void cm_say_auto_mra(struct cm_act *act)
{
	struct cm_id *id = act->id;

	cm_say_mra(act, CM_ABOUT_REQ, min_t(u8, id->remote_timeout, CM_SERVICE_TIME_MAX), id->tid);
}

static void cm_say_rej_args(struct cm_act *act, enum cm_msg_about about,
			    const struct cm_rej_args *args)
{
	trace_icm_send_rej(&act->id->pub, args->reason);
	cm_msg_rej(cm_say(act, CM_MSG_REJ), act->id, about, args);
}

static void cm_say_rej_req(struct cm_act *act)
{
	cm_say_rej_args(act, CM_ABOUT_REQ, &act->rej);
}

static void cm_say_rej_rep(struct cm_act *act)
{
	cm_say_rej_args(act, CM_ABOUT_REP, &act->rej);
}

static void cm_say_rej_other(struct cm_act *act)
{
	cm_say_rej_args(act, CM_ABOUT_OTHER, &act->rej);
}

/* A time-out is about no message; the CA GUID lets the peer find what it is about (12.6.7.2). */
static void cm_say_rej_timeout(struct cm_act *act)
{
	struct cm_rej_args args = {
		.reason = IB_CM_REJ_TIMEOUT,
		.ari = &act->id->dev->guid,
		.ari_len = sizeof(act->id->dev->guid),
	};

	cm_say_rej_args(act, CM_ABOUT_OTHER, &args);
}

static void cm_say_rej_service(struct cm_act *act)
{
	struct cm_rej_args args = { .reason = IB_CM_REJ_INVALID_SERVICE_ID };

	cm_say_rej_args(act, CM_ABOUT_REQ, &args);
}

static void cm_say_rej_consumer(struct cm_act *act, enum cm_msg_about about)
{
	struct cm_rej_args args = { .reason = IB_CM_REJ_CONSUMER_DEFINED };

	cm_say_rej_args(act, about, &args);
}

static void cm_say_rej_consumer_req(struct cm_act *act)
{
	cm_say_rej_consumer(act, CM_ABOUT_REQ);
}

static void cm_say_rej_consumer_rep(struct cm_act *act)
{
	cm_say_rej_consumer(act, CM_ABOUT_REP);
}

static void cm_say_rej_consumer_other(struct cm_act *act)
{
	cm_say_rej_consumer(act, CM_ABOUT_OTHER);
}

/* The peer's comm id stands in its REP only: the id has not taken it. */
static void cm_say_rej_stale_rep(struct cm_act *act)
{
	struct cm_rej_args args = { .reason = IB_CM_REJ_STALE_CONN };

	cm_trace_reply(CM_MSG_REJ, cm_in(act));
	cm_msg_reply_rej(cm_say(act, CM_MSG_REJ), cm_in(act), &args);
}

static void cm_say_dreq(struct cm_act *act)
{
	cm_msg_dreq(cm_say(act, CM_MSG_DREQ), act->id, act->data, act->len);
}

static void cm_say_drep_tid(struct cm_act *act, __be64 tid)
{
	struct cm_id *id = act->id;
	u8 len;
	const u8 *data = cm_kept(id, CM_MSG_DREP, &len);

	cm_msg_drep(cm_say(act, CM_MSG_DREP), id, tid, data, len);
}

static void cm_say_drep(struct cm_act *act)
{
	cm_say_drep_tid(act, act->id->drep_tid);
}

static void cm_say_drep_again(struct cm_act *act)
{
	cm_say_drep_tid(act, cm_in(act)->mad_hdr.tid);
}

static void cm_say_sidr_req(struct cm_act *act)
{
	cm_msg_sidr_req(cm_say(act, CM_MSG_SIDR_REQ), act->id, act->call);
}

static void cm_say_sidr_rep(struct cm_act *act)
{
	cm_msg_sidr_rep(cm_say(act, CM_MSG_SIDR_REP), act->id, act->call);
}

static void cm_say_sidr_reject(struct cm_act *act)
{
	static const struct ib_cm_sidr_rep_param reject = { .status = IB_SIDR_REJECT };

	cm_msg_sidr_rep(cm_say(act, CM_MSG_SIDR_REP), act->id, &reject);
}

/* ---- LOCKED: holders and timers ---- */

static void cm_own(struct cm_act *act)
{
	act->id->owned = true;
}

static void cm_disown(struct cm_act *act)
{
	act->id->owned = false;
	cm_later_put(act, CM_REF_OWNER, &act->id->owner);
	cm_id_forget(act->id);
}

/* The formatted request waits for its answer. A DREQ without data needs no memory: it is made anew. */
static void cm_begin(struct cm_act *act)
{
	struct cm_id *id = act->id;
	u8 *image = act->image;

	act->image = NULL;
	if (image)
		memcpy(image, act->out.image, CM_MAD_SIZE);
	cm_req_begin(act, act->out.kind, image, id->max_retries, id->timeout_ms);
}

static void cm_end(struct cm_act *act)
{
	cm_req_end(act);
}

static void cm_repeat(struct cm_act *act)
{
	cm_req_repeat(act);
}

static void cm_stretch(struct cm_act *act)
{
	struct cm_id *id = act->id;
	u8 time = min_t(u8, cm_mra_service_timeout(cm_in(act)), CM_SERVICE_TIME_MAX);

	/* The path's time may be the peer's word, too */
	cm_req_stretch(id, cm_time_ms(time) +
		       cm_time_ms(min_t(u8, id->av.timeout, CM_SERVICE_TIME_MAX)));
}

static void cm_note_error(struct cm_act *act)
{
	cm_req_completed(act->id, false);
}

static void cm_reserve(struct cm_act *act)
{
	struct cm_id *id = act->id;

	id->rec = act->rec;
	act->rec = NULL;
	cm_tw_reserve(id);
}

static void cm_swap_record(struct cm_act *act)
{
	struct cm_rec *rec = act->rec;

	cm_tw_release(act);
	act->rec = rec;
	cm_reserve(act);
}

static void cm_release(struct cm_act *act)
{
	cm_tw_release(act);
}

static void cm_link(struct cm_act *act, u8 link)
{
	struct cm_rec *rec = act->id->rec;

	WRITE_ONCE(rec->links, rec->links | link);
}

static void cm_unlink(struct cm_act *act, u8 link)
{
	struct cm_rec *rec = act->id->rec;

	WRITE_ONCE(rec->links, rec->links & ~link);
}

static void cm_link_peer(struct cm_act *act)
{
	cm_link(act, CM_LINK_PEER);
}

static void cm_link_qpn(struct cm_act *act)
{
	cm_link(act, CM_LINK_QPN);
}

static void cm_link_sidr(struct cm_act *act)
{
	cm_link(act, CM_LINK_SIDR);
}

static void cm_unlink_peer(struct cm_act *act)
{
	cm_unlink(act, CM_LINK_PEER);
}

static void cm_unlink_qpn(struct cm_act *act)
{
	cm_unlink(act, CM_LINK_QPN);
}

static void cm_unlink_sidr(struct cm_act *act)
{
	cm_unlink(act, CM_LINK_SIDR);
}

static void cm_enter_tw(struct cm_act *act)
{
	cm_tw_start(act->id);
}

static void cm_entry_add(struct cm_act *act)
{
	act->id->listener = act->listener;
	act->listener = NULL;
}

/* ---- LOCKED: the consumer's events ---- */

/* A claimed request: its datagram is where the runner left it. */
static void cm_tell_new(struct cm_act *act, enum ib_cm_event_type type)
{
	cm_event_queue_first(act->id, type);
}

static void cm_tell_req(struct cm_act *act)
{
	cm_tell_new(act, IB_CM_REQ_RECEIVED);
}

static void cm_tell_sidr_req(struct cm_act *act)
{
	cm_tell_new(act, IB_CM_SIDR_REQ_RECEIVED);
}

static void cm_tell_rep(struct cm_act *act)
{
	cm_event_queue(act, IB_CM_REP_RECEIVED, true, 0);
}

static void cm_tell_rtu(struct cm_act *act)
{
	cm_event_queue(act, IB_CM_RTU_RECEIVED, true, 0);
}

static void cm_tell_mra(struct cm_act *act)
{
	cm_event_queue(act, IB_CM_MRA_RECEIVED, true, 0);
}

static void cm_tell_rej(struct cm_act *act)
{
	cm_event_queue(act, IB_CM_REJ_RECEIVED, true, 0);
}

static void cm_tell_dreq(struct cm_act *act)
{
	cm_event_queue(act, IB_CM_DREQ_RECEIVED, true, 0);
}

static void cm_tell_drep(struct cm_act *act)
{
	cm_event_queue(act, IB_CM_DREP_RECEIVED, true, 0);
}

static void cm_tell_lap(struct cm_act *act)
{
	cm_event_queue(act, IB_CM_LAP_RECEIVED, true, 0);
}

static void cm_tell_apr(struct cm_act *act)
{
	cm_event_queue(act, IB_CM_APR_RECEIVED, true, 0);
}

static void cm_tell_sidr_rep(struct cm_act *act)
{
	cm_event_queue(act, IB_CM_SIDR_REP_RECEIVED, true, 0);
}

/* Why a wait ended: a time-out, unless a completion said otherwise. */
static void cm_tell_error(struct cm_act *act, enum ib_cm_event_type type)
{
	cm_event_queue(act, type, false, act->status ? act->status : IB_WC_RESP_TIMEOUT_ERR);
}

static void cm_tell_req_error(struct cm_act *act)
{
	cm_tell_error(act, IB_CM_REQ_ERROR);
}

static void cm_tell_rep_error(struct cm_act *act)
{
	cm_tell_error(act, IB_CM_REP_ERROR);
}

static void cm_tell_dreq_error(struct cm_act *act)
{
	cm_tell_error(act, IB_CM_DREQ_ERROR);
}

static void cm_tell_sidr_req_error(struct cm_act *act)
{
	cm_tell_error(act, IB_CM_SIDR_REQ_ERROR);
}

static void cm_tell_user_established(struct cm_act *act)
{
	cm_event_queue(act, IB_CM_USER_ESTABLISHED, false, 0);
}

static void cm_tell_timewait_exit(struct cm_act *act)
{
	cm_event_queue(act, IB_CM_TIMEWAIT_EXIT, false, 0);
}

static void cm_tell_rej_stale(struct cm_act *act)
{
	cm_event_queue(act, IB_CM_REJ_RECEIVED, false, IB_CM_REJ_STALE_CONN);
}

static void cm_tell_rej_removed(struct cm_act *act)
{
	cm_event_queue(act, IB_CM_REJ_RECEIVED, false, IB_CM_REJ_NO_RESOURCES);
}

typedef void (*cm_verb_fn)(struct cm_act *act);

static const cm_verb_fn cm_locked_verbs[CM_VERBS] = {
	[CM_DO_SET_REQ]			= cm_set_req,
	[CM_DO_SET_REP]			= cm_set_rep,
	[CM_DO_SET_SIDR_REQ]		= cm_set_sidr_req,
	[CM_DO_SET_MRA]			= cm_set_mra,
	[CM_DO_TAKE_REQ]		= cm_take_req,
	[CM_DO_TAKE_MRA]		= cm_take_mra,
	[CM_DO_TAKE_REP]		= cm_take_rep,
	[CM_DO_TAKE_DREQ]		= cm_take_dreq,
	[CM_DO_TAKE_LAP]		= cm_take_lap,
	[CM_DO_TAKE_SIDR_REQ]		= cm_take_sidr_req,
	[CM_DO_KEEP_DATA]		= cm_keep_data,
	[CM_DO_MIGRATE]			= cm_migrate_path,
	[CM_DO_FILL_INIT]		= cm_fill_init,
	[CM_DO_FILL_RTR]		= cm_fill_rtr,
	[CM_DO_FILL_RTS]		= cm_fill_rts,

	[CM_DO_SAY_REQ]			= cm_say_req,
	[CM_DO_SAY_REP]			= cm_say_rep,
	[CM_DO_SAY_REP_AGAIN]		= cm_req_again,
	[CM_DO_SAY_RTU]			= cm_say_rtu,
	[CM_DO_SAY_RTU_AGAIN]		= cm_say_rtu,
	[CM_DO_SAY_MRA_REQ]		= cm_say_mra_req,
	[CM_DO_SAY_MRA_REP]		= cm_say_mra_rep,
	[CM_DO_SAY_MRA_LAP]		= cm_say_mra_lap,
	[CM_DO_SAY_AUTO_MRA]		= cm_say_auto_mra,
	[CM_DO_SAY_REJ_REQ]		= cm_say_rej_req,
	[CM_DO_SAY_REJ_REP]		= cm_say_rej_rep,
	[CM_DO_SAY_REJ_OTHER]		= cm_say_rej_other,
	[CM_DO_SAY_REJ_TIMEOUT]		= cm_say_rej_timeout,
	[CM_DO_SAY_REJ_SERVICE]		= cm_say_rej_service,
	[CM_DO_SAY_REJ_STALE_REP]	= cm_say_rej_stale_rep,
	[CM_DO_SAY_REJ_CONSUMER_REQ]	= cm_say_rej_consumer_req,
	[CM_DO_SAY_REJ_CONSUMER_REP]	= cm_say_rej_consumer_rep,
	[CM_DO_SAY_REJ_CONSUMER_OTHER]	= cm_say_rej_consumer_other,
	[CM_DO_SAY_DREQ]		= cm_say_dreq,
	[CM_DO_SAY_DREQ_ONCE]		= cm_say_dreq,
	[CM_DO_SAY_DREP]		= cm_say_drep,
	[CM_DO_SAY_DREP_AGAIN]		= cm_say_drep_again,
	[CM_DO_SAY_SIDR_REQ]		= cm_say_sidr_req,
	[CM_DO_SAY_SIDR_REP]		= cm_say_sidr_rep,
	[CM_DO_SAY_SIDR_REJECT]		= cm_say_sidr_reject,

	[CM_DO_OWN]			= cm_own,
	[CM_DO_DISOWN]			= cm_disown,
	[CM_DO_BEGIN]			= cm_begin,
	[CM_DO_END]			= cm_end,
	[CM_DO_REPEAT]			= cm_repeat,
	[CM_DO_STRETCH]			= cm_stretch,
	[CM_DO_NOTE_ERROR]		= cm_note_error,
	[CM_DO_RESERVE]			= cm_reserve,
	[CM_DO_SWAP_RECORD]		= cm_swap_record,
	[CM_DO_RELEASE]			= cm_release,
	[CM_DO_LINK_PEER]		= cm_link_peer,
	[CM_DO_LINK_QPN]		= cm_link_qpn,
	[CM_DO_LINK_SIDR]		= cm_link_sidr,
	[CM_DO_UNLINK_PEER]		= cm_unlink_peer,
	[CM_DO_UNLINK_QPN]		= cm_unlink_qpn,
	[CM_DO_UNLINK_SIDR]		= cm_unlink_sidr,
	[CM_DO_ENTER_TW]		= cm_enter_tw,
	[CM_DO_ORPHAN]			= cm_tw_orphan,
	[CM_DO_KEEP_SIDR_ANSWER]	= cm_tw_keep_answer,
	[CM_DO_ENTRY_ADD]		= cm_entry_add,
	[CM_DO_ENTRY_REMOVE]		= cm_listen_detach,
	[CM_DO_DISCARD]			= cm_event_discard,

	[CM_DO_TELL_REQ]		= cm_tell_req,
	[CM_DO_TELL_REQ_ERROR]		= cm_tell_req_error,
	[CM_DO_TELL_REP]		= cm_tell_rep,
	[CM_DO_TELL_REP_ERROR]		= cm_tell_rep_error,
	[CM_DO_TELL_RTU]		= cm_tell_rtu,
	[CM_DO_TELL_USER_ESTABLISHED]	= cm_tell_user_established,
	[CM_DO_TELL_MRA]		= cm_tell_mra,
	[CM_DO_TELL_REJ]		= cm_tell_rej,
	[CM_DO_TELL_REJ_STALE]		= cm_tell_rej_stale,
	[CM_DO_TELL_REJ_REMOVED]	= cm_tell_rej_removed,
	[CM_DO_TELL_DREQ]		= cm_tell_dreq,
	[CM_DO_TELL_DREQ_ERROR]		= cm_tell_dreq_error,
	[CM_DO_TELL_DREP]		= cm_tell_drep,
	[CM_DO_TELL_TIMEWAIT_EXIT]	= cm_tell_timewait_exit,
	[CM_DO_TELL_LAP]		= cm_tell_lap,
	[CM_DO_TELL_APR]		= cm_tell_apr,
	[CM_DO_TELL_SIDR_REQ]		= cm_tell_sidr_req,
	[CM_DO_TELL_SIDR_REQ_ERROR]	= cm_tell_sidr_req_error,
	[CM_DO_TELL_SIDR_REP]		= cm_tell_sidr_rep,
};

/**
 * cm_verb_locked - run a verb of the LOCKED stage
 * @verb: CM_DO_*
 * @act: what happens
 *
 * Context: the id's lock is held.
 */
void cm_verb_locked(u8 verb, struct cm_act *act)
{
	cm_locked_verbs[verb](act);
}

/* ---- POST ---- */

/*
 * A request that the MAD layer did not take: the call that made it fails, or,
 * without a caller, it counts as a send that completed with an error. Want of
 * memory is neither: the datagram is lost and the timer repeats it.
 */
static int cm_refused(struct cm_act *act, int err)
{
	struct cm_act undo = {
		.id = act->id,
		.list = act->sync ? CM_DECIDE_REFUSED : CM_DECIDE_SEND_ERROR,
		.gen = act->gen,
		.status = IB_WC_GENERAL_ERR,
	};

	cm_act_run(&undo);
	/* Overtaken: the attempt has ended meanwhile, and an event has told so. */
	return act->sync && undo.row->verdict == CM_HANDLE ? err : 0;
}

static int cm_send(struct cm_act *act)
{
	bool request = act->out.request;
	int err;

	act->gen = act->out.gen;
	err = cm_tx_post(&act->out, act->may_sleep);
	if (!err || err == -ENOMEM)
		return 0;
	return request ? cm_refused(act, err) : 0;
}

static int cm_kick(struct cm_act *act)
{
	if (act->kick)
		cm_event_kick(act->id);
	return 0;
}

/* A claimed request becomes visible when it is complete; a device that is leaving gets none. */
static int cm_start(struct cm_act *act)
{
	if (cm_event_start(act->id, act->port, act->wc)) {
		act->wc = NULL;
	} else {
		struct cm_act removed = {
			.id = act->id,
			.list = CM_ACT_DIRECT,
			.event = CM_ID_ON_REMOVED,
		};

		cm_act_run(&removed);
	}
	return 0;
}

static int cm_cancel(struct cm_act *act)
{
	cm_event_cancel(act->id);
	return 0;
}

static int cm_reject_queued(struct cm_act *act)
{
	if (act->dead_listener)
		cm_listen_reject_queued(act->dead_listener);
	return 0;
}

static int cm_put(struct cm_act *act)
{
	struct cm_put *put;

	while (act->nputs) {
		put = &act->puts[--act->nputs];
		cm_id_put(act->id, put->why, &put->hold);
	}
	return 0;
}

/* An answer to a datagram that no id answers. out.image is free: such a row formats nothing else. */
static int cm_reply_with(struct cm_act *act, enum cm_msg_kind kind)
{
	cm_reply(act->port, act->wc, kind, act->out.image);
	act->wc = NULL;
	return 0;
}

static int cm_reply_rej(struct cm_act *act, u16 reason)
{
	struct cm_rej_args args = { .reason = reason };

	cm_msg_reply_rej(act->out.image, cm_in(act), &args);
	return cm_reply_with(act, CM_MSG_REJ);
}

static int cm_reply_rej_unknown(struct cm_act *act)
{
	return cm_reply_rej(act, IB_CM_REJ_INVALID_COMM_ID);
}

static int cm_reply_rej_service(struct cm_act *act)
{
	return cm_reply_rej(act, IB_CM_REJ_INVALID_SERVICE_ID);
}

static int cm_reply_rej_stale(struct cm_act *act)
{
	return cm_reply_rej(act, IB_CM_REJ_STALE_CONN);
}

static int cm_reply_rej_transport(struct cm_act *act)
{
	return cm_reply_rej(act, IB_CM_REJ_INVALID_TRANSPORT_TYPE);
}

/* The ARI names a GID that we do have (12.6.7.2). */
static int cm_reply_rej_with_gid(struct cm_act *act, u16 reason)
{
	struct cm_rej_args args = { .reason = reason };
	union ib_gid gid;

	if (!rdma_query_gid(act->port->dev->ibdev, act->port->num, 0, &gid)) {
		args.ari = &gid;
		args.ari_len = sizeof(gid);
	}
	cm_msg_reply_rej(act->out.image, cm_in(act), &args);
	return cm_reply_with(act, CM_MSG_REJ);
}

static int cm_reply_rej_gid(struct cm_act *act)
{
	return cm_reply_rej_with_gid(act, IB_CM_REJ_INVALID_GID);
}

static int cm_reply_rej_alt_gid(struct cm_act *act)
{
	return cm_reply_rej_with_gid(act, IB_CM_REJ_INVALID_ALT_GID);
}

static int cm_reply_drep(struct cm_act *act)
{
	cm_msg_reply_drep(act->out.image, cm_in(act), NULL, 0);
	return cm_reply_with(act, CM_MSG_DREP);
}

static int cm_reply_sidr_unsupported(struct cm_act *act)
{
	cm_msg_reply_sidr_rep(act->out.image, cm_in(act), IB_SIDR_UNSUPPORTED);
	return cm_reply_with(act, CM_MSG_SIDR_REP);
}

typedef int (*cm_post_fn)(struct cm_act *act);

static const cm_post_fn cm_post_verbs[CM_VERBS] = {
	[CM_DO_SEND]			= cm_send,
	[CM_DO_KICK]			= cm_kick,
	[CM_DO_START]			= cm_start,
	[CM_DO_CANCEL]			= cm_cancel,
	[CM_DO_REJECT_QUEUED]		= cm_reject_queued,
	[CM_DO_REPLY_REJ_UNKNOWN]	= cm_reply_rej_unknown,
	[CM_DO_REPLY_REJ_SERVICE]	= cm_reply_rej_service,
	[CM_DO_REPLY_REJ_STALE]		= cm_reply_rej_stale,
	[CM_DO_REPLY_REJ_TRANSPORT]	= cm_reply_rej_transport,
	[CM_DO_REPLY_REJ_GID]		= cm_reply_rej_gid,
	[CM_DO_REPLY_REJ_ALT_GID]	= cm_reply_rej_alt_gid,
	[CM_DO_REPLY_DREP]		= cm_reply_drep,
	[CM_DO_REPLY_SIDR_UNSUPPORTED]	= cm_reply_sidr_unsupported,
	[CM_DO_PUT]			= cm_put,
};

/**
 * cm_verb_post - run a verb of the POST stage
 * @verb: CM_DO_*
 * @act: what happened
 *
 * Context: no lock of ours is held; sleeps only if act->may_sleep says so.
 * Return: 0, or what the caller of the API has to hear.
 */
int cm_verb_post(u8 verb, struct cm_act *act)
{
	return cm_post_verbs[verb](act);
}
