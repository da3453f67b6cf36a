// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bringing an id into a state, through the API and the wire.
 *
 * Owns: the way to each state. Every step checks that it succeeded, so that a
 * test that begins in a state knows that it does.
 */
#include <linux/export.h>

#include "../cm_core/generated/cm_model.h"
#include "rig.h"

#define RIG_BRING_SERVICE	(RIG_SERVICE + 0xff)

/* What a message of the peer's leads to: an event, or where a handler is busy, the state. */
static bool rig_told(struct rig_id *id, enum ib_cm_event_type type, unsigned int to, bool busy)
{
	const struct rig_event *event;

	if (busy)
		return rig_until(rig_state(id) == to);
	event = rig_event(id, RIG_WAIT_MS);
	KUNIT_EXPECT_NOT_NULL_MSG(id->rig->test, event, "event %d is not delivered", type);
	if (event)
		KUNIT_EXPECT_EQ(id->rig->test, event->type, type);
	return event && event->type == type;
}

static bool rig_sent(struct rig_id *id, u16 attr)
{
	bool sent = rig_peer_recv(id->rig, attr, NULL, RIG_WAIT_MS);

	KUNIT_EXPECT_TRUE_MSG(id->rig->test, sent, "no %s comes", mad_name(attr));
	return sent;
}

static bool rig_called(struct rig_id *id, const char *what, int err)
{
	KUNIT_EXPECT_EQ_MSG(id->rig->test, err, 0, "%s", what);
	return !err;
}

/* The peer's message for the connection, and what it makes of it. */
static bool rig_says(struct rig_id *id, enum cm_attr attr, const char *field, u64 value,
		     enum ib_cm_event_type type, unsigned int to, bool busy)
{
	u8 mad[MAD_BYTES];

	rig_make(id, attr, mad);
	if (field)
		mad_set(mad, field, value);
	rig_peer_send(id->rig, mad);
	return rig_told(id, type, to, busy);
}

static struct rig_id *rig_bring_listener(struct rig *rig)
{
	struct rig_id *id;

	list_for_each_entry(id, &rig->ids, node)
		if (id->cm && !id->listener && id->service_id == RIG_BRING_SERVICE)
			return id;
	return rig_listen(rig, RIG_BRING_SERVICE);
}

/* The peer asks: REQ_RCVD or SIDR_REQ_RCVD. */
static struct rig_id *rig_bring_asked(struct rig *rig, enum cm_attr attr,
				      enum ib_cm_event_type type)
{
	struct rig_id *listener = rig_bring_listener(rig), *id;
	u8 mad[MAD_BYTES];

	if (attr == ATTR_REQ)
		rig_make_req(rig, listener->service_id, mad);
	else
		rig_make_sidr_req(rig, listener->service_id, mad);
	rig_peer_send(rig, mad);
	id = rig_accepted(listener);
	KUNIT_EXPECT_NOT_NULL_MSG(rig->test, id, "no %s is delivered", mad_name(attr));
	return id && rig_told(id, type, CM_ID_NONE, false) ? id : NULL;
}

static bool rig_bring_call(struct rig_id *id, unsigned int to)
{
	switch (to) {
	case CM_ID_REQ_SENT:
		return rig_called(id, "ib_send_cm_req", rig_send_req(id)) &&
		       rig_sent(id, ATTR_REQ);
	case CM_ID_SIDR_REQ_SENT:
		return rig_called(id, "ib_send_cm_sidr_req", rig_send_sidr_req(id)) &&
		       rig_sent(id, ATTR_SIDR_REQ);
	case CM_ID_REP_SENT:
		return rig_called(id, "ib_send_cm_rep", rig_send_rep(id)) &&
		       rig_sent(id, ATTR_REP);
	case CM_ID_MRA_REQ_SENT:
	case CM_ID_MRA_REP_SENT:
	case CM_ID_EST_MRA_LAP_SENT:
		return rig_called(id, "ib_prepare_cm_mra", ib_prepare_cm_mra(id->cm));
	case CM_ID_ESTABLISHED:
		return rig_called(id, "ib_send_cm_rtu", ib_send_cm_rtu(id->cm, NULL, 0)) &&
		       rig_sent(id, ATTR_RTU);
	case CM_ID_EST_LAP_IDLE:
		return rig_called(id, "ib_cm_notify",
				  ib_cm_notify(id->cm, IB_EVENT_PATH_MIG));
	case CM_ID_DREQ_SENT:
		return rig_called(id, "ib_send_cm_dreq", ib_send_cm_dreq(id->cm, NULL, 0)) &&
		       rig_sent(id, ATTR_DREQ);
	case CM_ID_TIMEWAIT:
		return rig_called(id, "ib_send_cm_drep", ib_send_cm_drep(id->cm, NULL, 0)) &&
		       rig_sent(id, ATTR_DREP);
	case CM_ID_LISTEN:
		id->service_id = RIG_SERVICE + 0x1000 + id->rig->listeners++;
		return rig_called(id, "ib_cm_listen",
				  ib_cm_listen(id->cm, cpu_to_be64(id->service_id)));
	case CM_ID_IDLE:
		return rig_called(id, "ib_send_cm_rej",
				  ib_send_cm_rej(id->cm, IB_CM_REJ_CONSUMER_DEFINED, NULL, 0,
						 NULL, 0)) &&
		       rig_sent(id, ATTR_REJ);
	default:
		return false;
	}
}

/* One step further than another state. */
static bool rig_bring_step(struct rig_id *id, unsigned int to, bool active, bool busy)
{
	switch (to) {
	case CM_ID_MRA_REQ_RCVD:
	case CM_ID_MRA_REP_RCVD:
		return rig_says(id, ATTR_MRA, NULL, 0, IB_CM_MRA_RECEIVED, to, busy);
	case CM_ID_REP_RCVD:
		return rig_says(id, ATTR_REP, NULL, 0, IB_CM_REP_RECEIVED, to, busy);
	case CM_ID_ESTABLISHED:
		if (active)
			break;
		return rig_says(id, ATTR_RTU, NULL, 0, IB_CM_RTU_RECEIVED, to, busy);
	case CM_ID_EST_LAP_RCVD:
		return rig_says(id, ATTR_LAP, NULL, 0, IB_CM_LAP_RECEIVED, to, busy);
	case CM_ID_DREQ_RCVD:
		return rig_says(id, ATTR_DREQ, NULL, 0, IB_CM_DREQ_RECEIVED, to, busy);
	case CM_ID_TIMEWAIT:
		if (!active)
			break;
		return rig_says(id, ATTR_DREP, NULL, 0, IB_CM_DREP_RECEIVED, to, busy);
	case CM_ID_TIMEWAIT_STALE:
		return rig_says(id, ATTR_REJ, "reason", IB_CM_REJ_STALE_CONN, IB_CM_REJ_RECEIVED,
				to, busy);
	default:
		break;
	}
	return rig_bring_call(id, to);
}

/* The state before. */
static unsigned int rig_bring_from(unsigned int to, bool active)
{
	switch (to) {
	case CM_ID_IDLE:
		return active ? CM_ID_NONE : CM_ID_REQ_RCVD;
	case CM_ID_LISTEN:
	case CM_ID_REQ_SENT:
	case CM_ID_SIDR_REQ_SENT:
		return CM_ID_IDLE;
	case CM_ID_MRA_REQ_RCVD:
	case CM_ID_REP_RCVD:
	case CM_ID_TIMEWAIT_STALE:
		return CM_ID_REQ_SENT;
	case CM_ID_MRA_REQ_SENT:
	case CM_ID_REP_SENT:
		return CM_ID_REQ_RCVD;
	case CM_ID_MRA_REP_SENT:
		return CM_ID_REP_RCVD;
	case CM_ID_MRA_REP_RCVD:
		return CM_ID_REP_SENT;
	case CM_ID_ESTABLISHED:
		return active ? CM_ID_REP_RCVD : CM_ID_REP_SENT;
	case CM_ID_EST_LAP_IDLE:
	case CM_ID_EST_LAP_RCVD:
	case CM_ID_DREQ_SENT:
	case CM_ID_DREQ_RCVD:
		return CM_ID_ESTABLISHED;
	case CM_ID_EST_MRA_LAP_SENT:
		return CM_ID_EST_LAP_RCVD;
	case CM_ID_TIMEWAIT:
		return active ? CM_ID_DREQ_SENT : CM_ID_DREQ_RCVD;
	default:
		return CM_ID_NONE;
	}
}

static struct rig_id *rig_bring_first(struct rig *rig, unsigned int state)
{
	switch (state) {
	case CM_ID_IDLE:
		return rig_id_create(rig);
	case CM_ID_REQ_RCVD:
		return rig_bring_asked(rig, ATTR_REQ, IB_CM_REQ_RECEIVED);
	case CM_ID_SIDR_REQ_RCVD:
		return rig_bring_asked(rig, ATTR_SIDR_REQ, IB_CM_SIDR_REQ_RECEIVED);
	default:
		return NULL;
	}
}

/**
 * rig_bring_on - bring an id on into a state
 * @id: in a state before it on its side
 * @state: CM_ID_*
 * @active: which side it plays where both can be there
 * @busy: its handler is running: events are not waited for
 *
 * Context: sleeps.
 * Return: false, and the test has failed, if it does not get there.
 */
bool rig_bring_on(struct rig_id *id, unsigned int state, bool active, bool busy)
{
	unsigned int from;

	if (rig_state(id) == state)
		return true;
	from = rig_bring_from(state, active);
	if (from != CM_ID_NONE && rig_bring_on(id, from, active, busy) &&
	    rig_bring_step(id, state, active, busy) &&
	    (busy ? rig_state(id) == state : rig_reaches(id, state)))
		return true;
	KUNIT_FAIL(id->rig->test, "%s cannot be reached, it is %s", cm_probe_state_name(0, state),
		   cm_probe_state_name(0, rig_state(id)));
	return false;
}
EXPORT_SYMBOL_GPL(rig_bring_on);

/* Where the way to a state begins. */
static unsigned int rig_bring_root(unsigned int state, bool active)
{
	unsigned int from;

	while ((from = rig_bring_from(state, active)) != CM_ID_NONE) {
		state = from;
		/* Before a request of ours: an id that never was anything else */
		if (state == CM_ID_IDLE)
			active = true;
	}
	return state;
}

/**
 * rig_bring - bring a new id into a state
 * @rig: the rig
 * @state: CM_ID_*
 * @active: which side it plays where both can be there
 *
 * Context: sleeps.
 * Return: the id; NULL, and the test has failed, if it does not get there.
 */
struct rig_id *rig_bring(struct rig *rig, unsigned int state, bool active)
{
	bool alternate = rig->alternate;
	struct rig_id *id;

	/* Migration needs somewhere to go */
	if (state == CM_ID_EST_LAP_IDLE)
		rig->alternate = true;
	id = rig_bring_first(rig, rig_bring_root(state, active));
	if (!id)
		KUNIT_FAIL(rig->test, "there is no way to %s", cm_probe_state_name(0, state));
	if (id && !rig_bring_on(id, state, active, false))
		id = NULL;
	rig->alternate = alternate;
	return id;
}
EXPORT_SYMBOL_GPL(rig_bring);
