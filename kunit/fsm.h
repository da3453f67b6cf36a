/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The suite ib_cm_fsm: every cell of the three tables, against kunit/expected.tsv.
 *
 * Owns: struct fsm, the cell under test. A cell's test brings a subject into the
 * state (fsm_state.c), lets the event happen (fsm_call.c, fsm_message.c,
 * fsm_internal.c; fsm_other.c for listeners' shares and records), and compares
 * what can be seen with what is expected (fsm_test.c). What cannot be brought
 * about is in a table with the reason (fsm_cannot.c).
 */
#ifndef FSM_H
#define FSM_H

#include <linux/completion.h>
#include <linux/workqueue.h>

#include "../cm_core/generated/cm_model.h"
#include "rig.h"

#define FSM_FIELDS	4

/* What the table of expectations is rendered to. */
struct fsm_field {
	const char *name;
	u64 value;
};

struct fsm_mad {
	u16 attr;
	bool many;		/* at least one copy */
	struct fsm_field fields[FSM_FIELDS];
};

struct fsm_told {
	enum ib_cm_event_type type;
	struct fsm_field fields[FSM_FIELDS];
};

enum fsm_timer { FSM_TIMER_NONE, FSM_TIMER_RESPONSE, FSM_TIMER_TIMEWAIT };

/* Columns that no source fixes */
#define FSM_RESULT	BIT(0)
#define FSM_NEXT	BIT(1)
#define FSM_MADS	BIT(2)
#define FSM_EVENTS	BIT(3)
#define FSM_TIMER	BIT(4)
#define FSM_HOLDERS	BIT(5)

#define FSM_NO_RESULT	1	/* the event is no call */

struct fsm_expected {
	const char *name;
	u16 line;		/* of expected.tsv */
	u8 machine, event, state;
	u8 unknown;
	int result;
	u8 next;		/* CM_STAY: the same */
	const struct fsm_mad *mads;
	const struct fsm_told *events;
	u8 nmads, nevents;
	u8 timer;
	u32 holders;
	const char *source;
};

/* A handler that runs until it is let go. */
struct fsm_gate {
	struct completion entered, go;
	bool used;
	int answer;
};

#define FSM_CROWD	33	/* more handlers than a listener runs at once */

/**
 * struct fsm - the cell under test
 * @test: its case
 * @rig: device and peer
 * @via: the rig whose peer speaks to the subject: another device's where the subject's is gone
 * @want: what is expected
 * @id: the subject; one without a consumer: a record of our own that only knows its numbers
 * @ghost: that record
 * @cm: the subject; NULL: there is none, or it may be freed
 * @found: @cm was found by its number and a LOOKUP reference is ours
 * @busy: its handler runs
 * @passive: it plays the passive side, where the case does not care
 * @gate: and waits here
 * @destroyer: destroys @cm, or removes the device, while it does
 * @closer: destroys @listener
 * @destroying: @destroyer is to destroy
 * @local_id: of the subject, host order
 * @listener: of the crowd: its handlers all run
 * @crowd: they wait here
 * @result: of the call
 * @seen: events of the subject that were delivered before
 * @queued: and that wait behind the running handler
 * @runners: how many run of themselves
 * @stranger: comm id of the peer's whose answers are not the subject's
 * @mads: what the peer, or peers, got
 * @nmads: their number
 */
struct fsm {
	struct kunit *test;
	struct rig *rig, *via;
	const struct fsm_expected *want;
	struct rig_id *id, *ghost;
	struct ib_cm_id *cm;
	bool found;
	bool busy;
	bool passive;
	struct fsm_gate gate;
	struct work_struct destroyer, closer;
	bool destroying;
	struct rig_id *listener;
	struct fsm_gate crowd;
	u32 local_id;
	int result;
	unsigned int seen;
	unsigned int queued;
	unsigned long runners;
	u32 stranger;
	u8 mads[16][MAD_BYTES];
	unsigned int nmads;
};

#define FSM_ACTIVE	BIT(0)	/* it plays the active side where it can be either */
#define FSM_HISTORY	BIT(1)	/* it had an attempt before: its TID is known */
#define FSM_BUSY	BIT(2)	/* its handler runs */
#define FSM_XRC		BIT(3)	/* of an XRC target */
#define FSM_ALTERNATE	BIT(4)	/* with an alternate path */
#define FSM_BEHIND	BIT(5)	/* it is busy, and another event waits behind: where we play the active side */

bool fsm_bring(struct fsm *f, unsigned int state, unsigned int how);
bool fsm_crowd(struct fsm *f);				/* a listener whose handlers all run */
void fsm_crowd_go(struct fsm *f, bool all);		/* one handler returns, or all */
bool fsm_fill(struct fsm *f, unsigned int events);	/* of a busy subject in IDLE: so many wait */
/* The id that was made after the one with this number */
struct ib_cm_id *fsm_guess(u32 before, unsigned int state);
void fsm_let_go(struct fsm *f, int answer);		/* the subject's handler returns */
void fsm_destroy_later(struct fsm *f);
void fsm_unplug_later(struct fsm *f);
void fsm_finish(struct fsm *f);				/* and wait for it */
bool fsm_hit(struct fsm *f);				/* wait for the cell */
void fsm_begin(struct fsm *f);				/* what happened so far was the way there */
void fsm_rest(struct fsm *f);				/* from now on only what newly runs is waited for */
void fsm_quiet(struct fsm *f);				/* wait until nothing happens of itself */
void fsm_keep(struct fsm *f);				/* the same; what is known of the subject stays */
unsigned int fsm_state_of(struct ib_cm_id *cm);
bool fsm_met(const struct fsm *f);			/* has the cell been met? */
void fsm_check(struct fsm *f, const char *column, long seen, long expected);
void fsm_compare_wire(struct fsm *f);			/* what left, with the column mads */
bool fsm_bring_postponed(struct fsm *f);		/* a record whose id has no room for the news */
bool fsm_unseen(const struct fsm_expected *want);	/* the code does not ask the table for the cell */

/* Each lets the event happen; false: the test has failed. */
bool fsm_call(struct fsm *f);
bool fsm_message(struct fsm *f);
bool fsm_internal(struct fsm *f);
void fsm_share(struct fsm *f);
void fsm_record(struct fsm *f);
unsigned int fsm_message_side(unsigned int event, unsigned int state);

/* Why a cell cannot be brought about; NULL: it can. */
const char *fsm_cannot(const struct fsm_expected *want);
/* Asks for such a cell of an id, all the same; fsm_share() does so of a listener. */
bool fsm_ask(struct fsm *f);

#endif /* FSM_H */
