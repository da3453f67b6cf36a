/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The pure decision: which row of the protocol's tables answers an event.
 *
 * Owns: the shape of a row and of a rule; the look-ups. No lock, no time, no
 * memory, no kernel object, so that user-space tests compile this file too.
 */
#ifndef CM_FSM_H
#define CM_FSM_H

#ifdef __KERNEL__
#include <linux/types.h>
#include <linux/build_bug.h>
#else
#include <stdint.h>
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;
#endif

#include "generated/cm_model.h"

#define CM_ROW_LOCKED	8
#define CM_ROW_POST	4
#define CM_EVENT_PREP	4

/**
 * struct cm_row - what the protocol does about one event in some states
 * @next: the state to enter, or CM_STAY
 * @verdict: enum cm_verdict
 * @why: enum cm_why, of CM_IGNORE
 * @error: positive errno for the caller, of CM_INVALID
 * @locked: verbs to run under the lock, in order, ended by CM_DO_NOTHING
 * @post: verbs to run after the lock, in order, ended by CM_DO_NOTHING
 */
struct cm_row {
	u8 next;
	u8 verdict;
	u8 why;
	u8 error;
	u8 locked[CM_ROW_LOCKED];
	u8 post[CM_ROW_POST];
};

static_assert(sizeof(struct cm_row) == 16, "a row is 16 bytes");

/**
 * struct cm_rule - one line of a decision list
 * @mask: the facts it looks at
 * @want: the values it wants them to have
 * @event: the event that it names
 */
struct cm_rule {
	u64 mask;
	u64 want;
	u8 event;
};

/* The rendered tables: generated/cm_tables.c */
extern const u8 cm_id_cells[CM_ID_EVENTS][CM_ID_STATES];
extern const struct cm_row cm_id_rows[];
extern const u8 cm_id_prep[CM_ID_EVENTS][CM_EVENT_PREP];
extern const u32 cm_id_want[CM_ID_STATES];
extern const u8 cm_id_public_state[CM_ID_STATES];
extern const u8 cm_id_public_lap[CM_ID_STATES];
extern const u8 cm_share_cells[CM_SHARE_EVENTS][CM_SHARE_STATES];
extern const struct cm_row cm_share_rows[];
extern const u8 cm_tw_cells[CM_TW_EVENTS][CM_TW_STATES];
extern const struct cm_row cm_tw_rows[];
extern const struct cm_rule *const cm_decisions[CM_DECISIONS];

/* The rendered names: generated/cm_names.c */
extern const char *const cm_id_state_names[CM_ID_STATES];
extern const char *const cm_id_event_names[CM_ID_EVENTS];
extern const char *const cm_id_row_where[];
extern const char *const cm_verb_names[CM_VERBS];

static inline const struct cm_row *cm_id_row(u8 event, u8 state)
{
	return &cm_id_rows[cm_id_cells[event][state]];
}

static inline const struct cm_row *cm_share_row(u8 event, u8 state)
{
	return &cm_share_rows[cm_share_cells[event][state]];
}

static inline const struct cm_row *cm_tw_row(u8 event, u8 state)
{
	return &cm_tw_rows[cm_tw_cells[event][state]];
}

u8 cm_decide(unsigned int list, u64 facts);

#endif /* CM_FSM_H */
