// SPDX-License-Identifier: GPL-2.0-only
/*
 * The peer's messages in every state, for the suite ib_cm_fsm.
 *
 * Owns: which datagram is classified as which event. What the peer cannot know
 * it knows here: the TID and the comm id of any id, so that a message reaches
 * the very cell, and is not dropped as a stranger's before.
 */
#include "fsm.h"

#define FSM_NOBODY	(RIG_SERVICE + 0x5000)
#define FSM_BACKLOG	4096	/* cm_backlog's default */

/**
 * fsm_message_side - which side the subject has to play
 * @event: CM_ID_ON_*
 * @state: CM_ID_*
 *
 * Context: any.
 * Return: FSM_*
 */
unsigned int fsm_message_side(unsigned int event, unsigned int state)
{
	switch (event) {
	case CM_ID_ON_MRA_REP:
	case CM_ID_ON_RTU:
	case CM_ID_ON_REQ_REPEATED:
		return 0;
	case CM_ID_ON_LOST:
		return FSM_ACTIVE | FSM_BUSY;
	default:
		return FSM_ACTIVE | FSM_HISTORY;
	}
}

/* Another connection of the peer's, whose numbers a message takes over */
static struct rig_id *fsm_other(struct fsm *f)
{
	return rig_bring(f->rig, CM_ID_REP_SENT, false);
}

static bool fsm_make_mra(struct fsm *f, unsigned int about, u8 *mad)
{
	rig_make(f->id, ATTR_MRA, mad);
	mad_set(mad, "message_mraed", about);
	return true;
}

static bool fsm_make_rej(struct fsm *f, u16 reason, u8 *mad)
{
	rig_make(f->id, ATTR_REJ, mad);
	mad_set(mad, "reason", reason);
	return true;
}

/* A request of the peer's with numbers of the subject's */
static bool fsm_make_again(struct fsm *f, u8 *mad)
{
	if (mad_attr(f->id->request) == ATTR_REQ) {
		memcpy(mad, f->id->request, MAD_BYTES);
		return true;
	}
	/* The subject asked itself: its REP brought the same keys and TID. */
	rig_make(f->id, ATTR_REP, mad);
	rig_make_req(f->rig, FSM_NOBODY, mad);
	mad_set(mad, "local_comm_id", f->id->peer_id);
	mad_set(mad, "local_qpn", f->id->peer_qpn);
	mad_set(mad, F_MAD_TID, f->id->tid);
	return true;
}

/* A new request with the QPN of a connection that there is */
static bool fsm_make_stale(struct fsm *f, u32 qpn, u8 *mad)
{
	rig_make_req(f->rig, FSM_NOBODY, mad);
	mad_set(mad, "local_qpn", qpn);
	return true;
}

/* A REP with the numbers of another connection; the same TID makes it a repetition. */
static bool fsm_make_rep_of_other(struct fsm *f, bool repeated, u8 *mad)
{
	struct rig_id *other;
	u8 req[MAD_BYTES];

	if (!repeated) {
		other = fsm_other(f);
		if (!other)
			return false;
		rig_make(f->id, ATTR_REP, mad);
		mad_set(mad, "local_comm_id", other->peer_id);
		return true;
	}
	rig_make(f->id, ATTR_REP, mad);
	f->listener = NULL;
	other = rig_listen(f->rig, FSM_NOBODY);
	rig_make_req(f->rig, FSM_NOBODY, req);
	mad_set(req, F_MAD_TID, f->id->tid);
	rig_peer_send(f->rig, req);
	other = rig_accepted(other);
	KUNIT_EXPECT_NOT_NULL(f->test, other);
	if (!other)
		return false;
	mad_set(mad, "local_comm_id", other->peer_id);
	return true;
}

static bool fsm_make_rep_again(struct fsm *f, u8 *mad)
{
	if (f->want->state == CM_ID_REQ_SENT || f->want->state == CM_ID_MRA_REQ_RCVD)
		return fsm_make_rep_of_other(f, true, mad);
	rig_make(f->id, ATTR_REP, mad);
	return true;
}

static bool fsm_make_foreign(struct fsm *f, u8 *mad)
{
	rig_make(f->id, ATTR_MRA, mad);
	mad_set(mad, "local_comm_id", f->id->peer_id ^ 0x1000000);
	mad_set(mad, F_MAD_TID, f->id->tid ^ 1);
	return true;
}

static bool fsm_make(struct fsm *f, u8 *mad)
{
	struct rig_id *other;

	switch (f->want->event) {
	case CM_ID_ON_MRA_REQ:
		return fsm_make_mra(f, 0, mad);
	case CM_ID_ON_MRA_REP:
		return fsm_make_mra(f, 1, mad);
	case CM_ID_ON_MRA_LAP:
		return fsm_make_mra(f, 2, mad);
	case CM_ID_ON_WRONG_ROLE:
		return fsm_make_mra(f, f->id->active ? 1 : 0, mad);
	case CM_ID_ON_LOST:
		return fsm_make_mra(f, f->id->active ? 0 : 1, mad);
	case CM_ID_ON_FOREIGN:
		return fsm_make_foreign(f, mad);
	case CM_ID_ON_REJ:
		return fsm_make_rej(f, IB_CM_REJ_CONSUMER_DEFINED, mad);
	case CM_ID_ON_REJ_STALE:
		return fsm_make_rej(f, IB_CM_REJ_STALE_CONN, mad);
	case CM_ID_ON_REP:
	case CM_ID_ON_REP_UNKNOWN:
		rig_make(f->id, ATTR_REP, mad);
		return true;
	case CM_ID_ON_REP_REPEATED:
		return fsm_make_rep_again(f, mad);
	case CM_ID_ON_REP_STALE:
		return fsm_make_rep_of_other(f, false, mad);
	case CM_ID_ON_RTU:
		rig_make(f->id, ATTR_RTU, mad);
		return true;
	case CM_ID_ON_DREQ:
	case CM_ID_ON_DREQ_UNKNOWN:
		rig_make(f->id, ATTR_DREQ, mad);
		return true;
	case CM_ID_ON_DREP:
		rig_make(f->id, ATTR_DREP, mad);
		return true;
	case CM_ID_ON_LAP:
		rig_make(f->id, ATTR_LAP, mad);
		return true;
	case CM_ID_ON_APR:
		rig_make(f->id, ATTR_APR, mad);
		return true;
	case CM_ID_ON_SIDR_REP:
		rig_make(f->id, ATTR_SIDR_REP, mad);
		return true;
	case CM_ID_ON_REQ_REPEATED:
		return fsm_make_again(f, mad);
	case CM_ID_ON_SIDR_REQ_REPEATED:
		rig_make(f->id, ATTR_SIDR_REQ, mad);
		return true;
	case CM_ID_ON_PEER_RESTARTED:
		fsm_make_stale(f, f->id->peer_qpn, mad);
		f->stranger = mad_get(mad, "local_comm_id");
		return true;
	case CM_ID_ON_REQ_STALE:
		other = fsm_other(f);
		return other && fsm_make_stale(f, other->peer_qpn, mad);
	case CM_ID_ON_REQ_UNSUPPORTED:
		rig_make_req(f->rig, FSM_NOBODY, mad);
		mad_set(mad, "transport_service_type", 2);
		return true;
	case CM_ID_ON_REQ_NO_LISTENER:
		rig_make_req(f->rig, FSM_NOBODY, mad);
		return true;
	case CM_ID_ON_SIDR_REQ_NO_LISTENER:
		rig_make_sidr_req(f->rig, FSM_NOBODY, mad);
		return true;
	default:
		KUNIT_FAIL(f->test, "nobody knows how to make this message");
		return false;
	}
}

/* A new request whose listener's handlers all run: its id stays as it was made. */
static bool fsm_fresh(struct fsm *f, enum cm_attr attr, unsigned int state)
{
	struct rig_id *before;
	u8 mad[MAD_BYTES];

	if (!fsm_crowd(f))
		return false;
	before = rig_id_create(f->rig);
	fsm_begin(f);
	if (attr == ATTR_REQ)
		rig_make_req(f->rig, f->listener->service_id, mad);
	else
		rig_make_sidr_req(f->rig, f->listener->service_id, mad);
	rig_peer_send(f->rig, mad);
	if (!fsm_hit(f))
		return false;
	/* Its runner waits for its turn. */
	f->runners++;
	f->cm = fsm_guess(before->local_id, state);
	f->found = f->cm;
	KUNIT_EXPECT_NOT_NULL_MSG(f->test, f->cm, "the request has no id");
	return f->cm;
}

/* A new request for a listener that has as many waiting as may wait */
static bool fsm_lost_request(struct fsm *f)
{
	unsigned int i;
	u8 mad[MAD_BYTES];

	if (!fsm_crowd(f))
		return false;
	for (i = 0; i < FSM_BACKLOG; i++) {
		rig_make_sidr_req(f->rig, f->listener->service_id, mad);
		rig_peer_send(f->rig, mad);
		/* Not more than the receive queue takes, nor than are resolved at once */
		if (i % 128 == 127)
			fsm_rest(f);
	}
	fsm_begin(f);
	rig_make_sidr_req(f->rig, f->listener->service_id, mad);
	rig_peer_send(f->rig, mad);
	return fsm_hit(f);
}

/* No room for what the message would tell */
static bool fsm_lost(struct fsm *f)
{
	unsigned int state = f->want->state, told;
	u8 mad[MAD_BYTES];

	if (state == CM_ID_NONE)
		return fsm_lost_request(f);
	if (!fsm_bring(f, CM_ID_IDLE, FSM_ACTIVE | FSM_BUSY))
		return false;
	/* A message is taken while it leaves two of eight slots free; those on the way count. */
	switch (state) {
	case CM_ID_REP_RCVD:
	case CM_ID_MRA_REP_SENT:
	case CM_ID_MRA_REQ_RCVD:
	case CM_ID_ESTABLISHED:
	case CM_ID_EST_LAP_IDLE:
	case CM_ID_DREQ_SENT:
	case CM_ID_TIMEWAIT_STALE:
		told = 1;
		break;
	case CM_ID_EST_LAP_RCVD:
	case CM_ID_EST_MRA_LAP_SENT:
	case CM_ID_DREQ_RCVD:
	case CM_ID_TIMEWAIT:
		told = 2;
		break;
	default:
		told = 0;
		break;
	}
	f->rig->alternate = state == CM_ID_EST_LAP_IDLE;
	if (!fsm_fill(f, 6 - told))
		return false;
	if (state == CM_ID_GONE) {
		fsm_unplug_later(f);
		f->via = NULL;
		if (!rig_until(rig_state(f->id) == CM_ID_GONE))
			return false;
	} else if (!rig_bring_on(f->id, state, true, true)) {
		return false;
	}
	f->rig->alternate = false;
	fsm_make_mra(f, 0, mad);
	fsm_begin(f);
	rig_peer_send(f->via, mad);
	return fsm_hit(f);
}

/**
 * fsm_message - let the peer send the message that is classified as the event
 * @f: the cell
 *
 * Context: sleeps.
 * Return: false, and the test has failed, if the cell is not met.
 */
bool fsm_message(struct fsm *f)
{
	u8 mad[MAD_BYTES];

	switch (f->want->event) {
	case CM_ID_ON_LOST:
		return fsm_lost(f);
	case CM_ID_ON_REQ_FRESH:
		return fsm_fresh(f, ATTR_REQ, CM_ID_REQ_NEW);
	case CM_ID_ON_SIDR_REQ_FRESH:
		return fsm_fresh(f, ATTR_SIDR_REQ, CM_ID_SIDR_NEW);
	default:
		break;
	}
	if (!fsm_bring(f, f->want->state, fsm_message_side(f->want->event, f->want->state)) ||
	    !fsm_make(f, mad))
		return false;
	fsm_begin(f);
	rig_peer_send(f->via, mad);
	return fsm_hit(f);
}
