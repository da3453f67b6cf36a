// SPDX-License-Identifier: GPL-2.0-only
/*
 * The two small machines, for the suite ib_cm_fsm: who has a listener, and what
 * becomes of a connection record.
 *
 * Owns: how each event is brought about, and how the state that follows is seen:
 * a share's by the state that its next event meets, a record's by its id or, of
 * an orphan, by who takes a late message.
 */
#include <linux/delay.h>

#include "fsm.h"

#define FSM_SHARED_SERVICE	(RIG_SERVICE + 0x6000)
#define FSM_SHARES		4
#define FSM_BATCH		16	/* records that expire in one go */
#define FSM_TRIES		200

/* ---- shares ---- */

struct fsm_shares {
	struct ib_cm_id *of[FSM_SHARES];
	unsigned int count;
};

static int fsm_handler(struct ib_cm_id *cm, const struct ib_cm_event *event)
{
	return 0;
}

static int fsm_other_handler(struct ib_cm_id *cm, const struct ib_cm_event *event)
{
	return 0;
}

static int fsm_insert(struct fsm *f, struct fsm_shares *shares, ib_cm_handler handler)
{
	struct ib_cm_id *cm = ib_cm_insert_listen(f->rig->dev, handler,
						  cpu_to_be64(FSM_SHARED_SERVICE));

	if (IS_ERR(cm))
		return PTR_ERR(cm);
	if (shares->count)
		KUNIT_EXPECT_PTR_EQ_MSG(f->test, cm, shares->of[0], "a share of another listener");
	shares->of[shares->count++] = cm;
	return 0;
}

static void fsm_drop(struct fsm_shares *shares)
{
	ib_destroy_cm_id(shares->of[--shares->count]);
}

/* Owners that there are before the event */
static unsigned int fsm_owners(const struct fsm_expected *want)
{
	switch (want->state) {
	case CM_SHARE_FREE:
		return 0;
	case CM_SHARE_SINGLE:
	case CM_SHARE_SINGLE_OUT:
		return 1;
	default:
		return want->event == CM_SHARE_ON_DROP ? 3 : 2;
	}
}

static bool fsm_is_out(unsigned int state)
{
	return state == CM_SHARE_SINGLE_OUT || state == CM_SHARE_SHARED_OUT;
}

/* A removal finds no listener whose last share is gone, or that it has found before: unless it is told to. */
static void fsm_retract(struct fsm *f, struct fsm_shares *shares)
{
	struct ib_cm_id *cm;

	if (f->want->state != CM_SHARE_FREE) {
		cm_probe_retract(shares->of[0]);
		return;
	}
	/* Its destroy has dropped the share, and waits for our reference. */
	KUNIT_ASSERT_EQ(f->test, fsm_insert(f, shares, fsm_handler), 0);
	cm = shares->of[--shares->count];
	cm_probe_get(cm);
	f->cm = cm;
	fsm_destroy_later(f);
	KUNIT_EXPECT_TRUE(f->test, rig_until(fsm_state_of(cm) == CM_ID_DEAD));
	cm_probe_retract(cm);
	cm_probe_put(cm);
	fsm_finish(f);
	f->cm = NULL;
}

static int fsm_share_event(struct fsm *f, struct fsm_shares *shares)
{
	struct rig_id *id;

	switch (f->want->event) {
	case CM_SHARE_ON_LISTEN:
		id = rig_id_create(f->rig);
		return ib_cm_listen(id->cm, cpu_to_be64(FSM_SHARED_SERVICE));
	case CM_SHARE_ON_INSERT:
		return fsm_insert(f, shares, fsm_handler);
	case CM_SHARE_ON_INSERT_OTHER:
		return fsm_insert(f, shares, fsm_other_handler);
	case CM_SHARE_ON_REMOVED:
		if (fsm_cannot(f->want))
			fsm_retract(f, shares);
		else
			rig_unplug(f->rig);
		return 0;
	default:
		fsm_drop(shares);
		return 0;
	}
}

/* What the next event meets; it changes nothing, or drops what has to be dropped anyway. */
static unsigned int fsm_share_now(struct fsm *f, struct fsm_shares *shares, bool listening)
{
	struct rig_id *id;
	u8 event, state;

	cm_probe_hits_clear();
	if (!f->rig->dev && shares->count) {
		fsm_drop(shares);
	} else if (f->rig->dev && (shares->count || listening)) {
		struct ib_cm_id *cm = ib_cm_insert_listen(f->rig->dev, fsm_other_handler,
							  cpu_to_be64(FSM_SHARED_SERVICE));

		/* The same handler as the first's: then it was let in. */
		if (!IS_ERR(cm))
			ib_destroy_cm_id(cm);
		if (!cm_probe_hits(CM_MACHINE_SHARE, CM_SHARE_ON_INSERT_OTHER, CM_SHARE_SHARED) &&
		    cm_probe_hits(CM_MACHINE_SHARE, CM_SHARE_ON_INSERT, CM_SHARE_SINGLE))
			return CM_SHARE_SINGLE;
	} else if (f->rig->dev) {
		id = rig_id_create(f->rig);
		KUNIT_EXPECT_EQ_MSG(f->test, ib_cm_listen(id->cm, cpu_to_be64(FSM_SHARED_SERVICE)),
				    0, "the service id is not free");
	} else {
		return CM_SHARE_FREE;
	}
	cm_probe_last(CM_MACHINE_SHARE, &event, &state);
	return state;
}

/**
 * fsm_share - a cell of the machine of listeners' shares
 * @f: the cell
 *
 * Context: sleeps.
 */
void fsm_share(struct fsm *f)
{
	const struct fsm_expected *want = f->want;
	struct fsm_shares shares = {};
	bool listening;
	unsigned int now, next = want->next == CM_STAY ? want->state : want->next;
	unsigned int owners = fsm_owners(want);

	while (shares.count < owners)
		KUNIT_ASSERT_EQ(f->test, fsm_insert(f, &shares, fsm_handler), 0);
	if (fsm_is_out(want->state))
		rig_unplug(f->rig);
	fsm_begin(f);
	f->result = fsm_share_event(f, &shares);
	listening = want->event == CM_SHARE_ON_LISTEN && !f->result;
	KUNIT_EXPECT_TRUE_MSG(f->test, cm_probe_hits(CM_MACHINE_SHARE, want->event, want->state),
			      "%s is not met", want->name);
	if (want->result != FSM_NO_RESULT)
		fsm_check(f, "result", f->result, want->result);
	now = fsm_share_now(f, &shares, listening);
	fsm_check(f, "next", now, next);
	fsm_check(f, "holders",
		  now == CM_SHARE_SINGLE || now == CM_SHARE_SHARED ? CM_SHARE_HOLD_TABLE : 0,
		  want->holders);
	while (shares.count)
		fsm_drop(&shares);
}

/* ---- records ---- */

/* A message that only a record takes */
static bool fsm_orphan(struct fsm *f)
{
	unsigned long met = cm_probe_hits(CM_MACHINE_TW, CM_TW_ON_OTHER, CM_TW_ORPHAN);
	u8 mad[MAD_BYTES];

	mad_init(mad, ATTR_RTU, 0);
	mad_set(mad, "remote_comm_id", f->local_id);
	rig_peer_send(f->rig, mad);
	rig_flush(f->rig);
	return cm_probe_hits(CM_MACHINE_TW, CM_TW_ON_OTHER, CM_TW_ORPHAN) > met;
}

/* The record of an answered SIDR_REQ has no comm id of ours: the question, again. */
static bool fsm_orphan_sidr(struct fsm *f)
{
	unsigned long met = cm_probe_hits(CM_MACHINE_TW, CM_TW_ON_REPEATED, CM_TW_ORPHAN);

	rig_peer_send(f->rig, f->id->request);
	rig_flush(f->rig);
	return cm_probe_hits(CM_MACHINE_TW, CM_TW_ON_REPEATED, CM_TW_ORPHAN) > met;
}

static unsigned int fsm_record_now(struct fsm *f, u32 *holders)
{
	struct cm_probe_view view = {};
	struct ib_cm_id *cm = cm_probe_find(f->local_id);

	*holders = 0;
	if (cm) {
		cm_probe_view(cm, &view);
		cm_probe_put(cm);
	}
	if (view.holders & CM_ID_HOLD_RECORD) {
		*holders = CM_TW_HOLD_ID | (view.timewait ? CM_TW_HOLD_QUEUE : 0);
		return view.timewait ? CM_TW_LINKED : CM_TW_RESERVED;
	}
	if (f->rig->dev && (mad_attr(f->id->request) == ATTR_SIDR_REQ ? fsm_orphan_sidr(f) :
									 fsm_orphan(f))) {
		*holders = CM_TW_HOLD_QUEUE;
		return CM_TW_ORPHAN;
	}
	return CM_TW_FREE;
}

static void fsm_say(struct fsm *f, enum cm_attr attr)
{
	u8 mad[MAD_BYTES];

	rig_make(f->id, attr, mad);
	rig_peer_send(f->rig, mad);
}

/* An orphan, of a connection or of an answered question */
static bool fsm_bring_orphan(struct fsm *f, bool sidr)
{
	if (sidr) {
		if (!fsm_bring(f, CM_ID_SIDR_REQ_RCVD, 0))
			return false;
		f->local_id = f->id->local_id;
		return !rig_send_sidr_rep(f->id);
	}
	if (!fsm_bring(f, CM_ID_ESTABLISHED, 0))
		return false;
	f->local_id = f->id->local_id;
	rig_id_destroy(f->id);
	f->cm = NULL;
	return true;
}

/* Its time is over and its id is about to be told: the id goes before. */
static bool fsm_orphan_expiring(struct fsm *f)
{
	struct rig_id *ids[FSM_BATCH], *last;
	struct cm_probe_view view;
	unsigned int tries, i;

	if (num_online_cpus() < 2)
		kunit_skip(f->test, "a destroy that overtakes its timer's work needs a CPU of its own");
	f->rig->life_time = 12;
	for (tries = 0; tries < FSM_TRIES && !fsm_met(f); tries++) {
		unsigned long end;

		for (i = 0; i < FSM_BATCH; i++) {
			ids[i] = rig_bring(f->rig, CM_ID_DREQ_SENT, true);
			if (!ids[i])
				return false;
		}
		for (i = 0; i < FSM_BATCH; i++) {
			f->id = ids[i];
			fsm_say(f, ATTR_DREP);
		}
		last = ids[FSM_BATCH - 1];
		if (!rig_until(rig_state(last) == CM_ID_TIMEWAIT))
			return false;
		end = jiffies + msecs_to_jiffies(RIG_WAIT_MS);
		do {
			cm_probe_view(last->cm, &view);
		} while (view.timewait && time_before(jiffies, end));
		rig_id_destroy(last);
		f->id = last;
		f->local_id = last->local_id;
		rig_settle(f->rig);
		if (!fsm_met(f))
			rig_clear(f->rig);
	}
	return fsm_hit(f);
}

static bool fsm_record_event(struct fsm *f)
{
	switch (f->want->event) {
	case CM_TW_ON_RESERVE:
		if (!fsm_bring(f, CM_ID_IDLE, FSM_ACTIVE))
			return false;
		fsm_begin(f);
		f->result = rig_send_req(f->id);
		return true;
	case CM_TW_ON_START:
		if (!fsm_bring(f, CM_ID_DREQ_SENT, FSM_ACTIVE))
			return false;
		fsm_begin(f);
		fsm_say(f, ATTR_DREP);
		return true;
	case CM_TW_ON_ORPHAN:
		if (f->want->state == CM_TW_EXPIRING) {
			fsm_begin(f);
			return fsm_orphan_expiring(f);
		}
		if (!fsm_bring(f, f->want->state == CM_TW_LINKED ? CM_ID_TIMEWAIT : CM_ID_ESTABLISHED,
			       FSM_ACTIVE))
			return false;
		fsm_begin(f);
		rig_id_destroy(f->id);
		f->cm = NULL;
		return true;
	case CM_TW_ON_ANSWERED:
		if (!fsm_bring(f, CM_ID_SIDR_REQ_RCVD, 0))
			return false;
		fsm_begin(f);
		f->result = rig_send_sidr_rep(f->id);
		return true;
	case CM_TW_ON_RELEASE:
		switch (f->want->state) {
		case CM_TW_RESERVED:
			if (!fsm_bring(f, CM_ID_REQ_RCVD, 0))
				return false;
			fsm_begin(f);
			rig_id_destroy(f->id);
			f->cm = NULL;
			return true;
		case CM_TW_LINKED:
			if (!fsm_bring(f, CM_ID_TIMEWAIT, FSM_ACTIVE))
				return false;
			fsm_begin(f);
			rig_unplug(f->rig);
			return true;
		default:
			f->rig->life_time = 13;
			fsm_begin(f);
			return fsm_bring(f, CM_ID_TIMEWAIT, FSM_ACTIVE);
		}
	case CM_TW_ON_EXPIRED:
		if (f->want->state == CM_TW_LINKED) {
			f->rig->life_time = 13;
			fsm_begin(f);
			return fsm_bring(f, CM_ID_TIMEWAIT, FSM_ACTIVE);
		}
		f->rig->ack_time = 13;
		if (!fsm_bring_orphan(f, false))
			return false;
		return true;
	case CM_TW_ON_DREQ:
		if (!fsm_bring_orphan(f, false))
			return false;
		fsm_keep(f);
		fsm_say(f, ATTR_DREQ);
		return true;
	case CM_TW_ON_OTHER:
		if (!fsm_bring_orphan(f, false))
			return false;
		fsm_keep(f);
		fsm_say(f, ATTR_RTU);
		return true;
	case CM_TW_ON_REPEATED:
		if (!fsm_bring_orphan(f, true))
			return false;
		fsm_keep(f);
		fsm_say(f, ATTR_SIDR_REQ);
		return true;
	case CM_TW_ON_POSTPONED:
		return fsm_bring_postponed(f);
	case CM_TW_ON_REMOVED:
		if (!fsm_bring_orphan(f, false))
			return false;
		fsm_keep(f);
		rig_unplug(f->rig);
		return true;
	default:
		KUNIT_FAIL(f->test, "nobody knows how to provoke this");
		return false;
	}
}

/* What is over as soon as it is there is seen by what follows. */
static bool fsm_record_passed(struct fsm *f)
{
	return f->want->next == CM_TW_EXPIRING &&
	       rig_until(cm_probe_hits(CM_MACHINE_TW, CM_TW_ON_RELEASE, CM_TW_EXPIRING));
}

/**
 * fsm_record - a cell of the machine of connection records
 * @f: the cell
 *
 * Context: sleeps.
 */
void fsm_record(struct fsm *f)
{
	const struct fsm_expected *want = f->want;
	unsigned int next = want->next == CM_STAY ? want->state : want->next;
	unsigned int now;
	u32 holders;

	if (!fsm_record_event(f) || !fsm_hit(f))
		return;
	fsm_quiet(f);
	/* What else leaves is the id's doing, in whose cell it is compared. */
	if (want->event >= CM_TW_ON_DREQ && want->event <= CM_TW_ON_OTHER)
		fsm_compare_wire(f);
	if (want->next == CM_TW_EXPIRING) {
		KUNIT_EXPECT_TRUE_MSG(f->test, fsm_record_passed(f), "it is not released afterwards");
		return;
	}
	if (want->result != FSM_NO_RESULT)
		fsm_check(f, "result", f->result, want->result);
	now = fsm_record_now(f, &holders);
	fsm_check(f, "next", now, next);
	fsm_check(f, "holders", holders, want->holders);
}
