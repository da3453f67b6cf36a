// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* Rendered by codegen from codegen/model; make regen */
#ifdef __KERNEL__
#include <linux/errno.h>
#include <rdma/ib_cm.h>
#else
#include <errno.h>
#endif

#include "../fsm.h"
#include "cm_tables.h"

/* ---- The machine "id": one connection ---- */

#define CM_ID_LINE(NONE, IDLE, REQ_SENT, ESTABLISHED, LAP_SENT, TIMEWAIT, GONE, DEAD) { \
	[CM_ID_NONE] = NONE, \
	[CM_ID_IDLE] = IDLE, \
	[CM_ID_REQ_SENT] = REQ_SENT, \
	[CM_ID_ESTABLISHED] = ESTABLISHED, \
	[CM_ID_LAP_SENT] = LAP_SENT, \
	[CM_ID_TIMEWAIT] = TIMEWAIT, \
	[CM_ID_GONE] = GONE, \
	[CM_ID_DEAD] = DEAD, \
}

/*
 * Which row answers an event (line) in a state (column).
 *
 *                                          NONE
 *                                          |   IDLE
 *                                          |   |   REQ_SENT
 *                                          |   |   |   ESTABLISHED
 *                                          |   |   |   |   LAP_SENT
 *                                          |   |   |   |   |   TIMEWAIT
 *                                          |   |   |   |   |   |   GONE
 *                                          |   |   |   |   |   |   |   DEAD
 */
const u8 cm_id_cells[CM_ID_EVENTS][CM_ID_STATES] = {
	[CM_ID_ON_CREATE]       = CM_ID_LINE(  1,  2,  2,  2,  2,  2,  2,  2),
	[CM_ID_ON_SEND_REQ]     = CM_ID_LINE(  4,  3,  4,  4,  4,  4,  5,  4),
	[CM_ID_ON_REP]          = CM_ID_LINE(  9,  9,  6,  7,  7,  8,  9,  9),
	[CM_ID_ON_REP_AGAIN]    = CM_ID_LINE( 11, 11, 11, 10, 10,  8, 11, 11),
	[CM_ID_ON_DREQ]         = CM_ID_LINE( 15, 15, 15, 12, 13, 14, 15, 15),
	[CM_ID_ON_TIMEOUT]      = CM_ID_LINE( 19, 19, 16, 19, 16, 19, 19, 19),
	[CM_ID_ON_TIMEOUT_LAST] = CM_ID_LINE( 19, 19, 17, 19, 18, 19, 19, 19),
	[CM_ID_ON_TW_EXIT]      = CM_ID_LINE( 21, 21, 21, 21, 21, 20, 21, 21),
	[CM_ID_ON_SEND_FAILED]  = CM_ID_LINE( 23, 23, 22, 23, 23, 23, 23, 23),
	[CM_ID_ON_REMOVE]       = CM_ID_LINE( 29, 24, 25, 26, 27, 28, 29, 29),
	[CM_ID_ON_DESTROY]      = CM_ID_LINE( 34, 30, 31, 32, 33, 30, 30, 34),
	[CM_ID_ON_SAID_NO]      = CM_ID_LINE( 34, 30, 31, 32, 33, 30, 30, 34),
};

const struct cm_row cm_id_rows[CM_ID_ROWS] = {
	/* a cell that nobody wrote */
	[0] = { .next = CM_STAY, .verdict = CM_NEVER },
	/* CREATE: mini.cc, interface: ib_create_cm_id */
	[1] = {
		.next = CM_ID_IDLE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_OWN },
	},
	/* CREATE: mini.cc */
	[2] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* SEND_REQ: mini.cc, standard: 12.9.2 */
	[3] = {
		.next = CM_ID_REQ_SENT,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_FORMAT_REQ, CM_DO_ARM },
		.post = { CM_DO_POST_MSG },
	},
	/* SEND_REQ: mini.cc, stock: send_req */
	[4] = {
		.next = CM_STAY,
		.verdict = CM_INVALID,
		.error = EINVAL,
	},
	/* SEND_REQ: mini.cc, contract: removal */
	[5] = {
		.next = CM_STAY,
		.verdict = CM_INVALID,
		.error = ENODEV,
	},
	/* REP: mini.cc, standard: 12.9.3 */
	[6] = {
		.next = CM_ID_ESTABLISHED,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_CANCEL, CM_DO_LINK_REMOTE, CM_DO_FORMAT_RTU },
		.post = { CM_DO_POST_MSG, CM_DO_TELL_REP, CM_DO_PUT },
	},
	/* REP: mini.cc, field: 14 */
	[7] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_FOREIGN,
	},
	/* REP, REP_AGAIN: mini.cc, stock: rx REP */
	[8] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_LATE,
	},
	/* REP: mini.cc, field: 22 */
	[9] = {
		.next = CM_STAY,
		.verdict = CM_REJECT,
		.locked = { CM_DO_FORMAT_REJ },
		.post = { CM_DO_POST_MSG },
	},
	/* REP_AGAIN: mini.cc, field: 24 */
	[10] = {
		.next = CM_STAY,
		.verdict = CM_RESEND,
		.locked = { CM_DO_FORMAT_RTU },
		.post = { CM_DO_POST_MSG },
	},
	/* REP_AGAIN: mini.cc */
	[11] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_DUPLICATE,
	},
	/* DREQ: mini.cc, standard: 12.9.5 */
	[12] = {
		.next = CM_ID_TIMEWAIT,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_UNLINK_REMOTE, CM_DO_FORMAT_DREP },
		.post = { CM_DO_POST_MSG, CM_DO_TELL_DREQ },
	},
	/* DREQ: mini.cc, field: 18 */
	[13] = {
		.next = CM_ID_TIMEWAIT,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_CANCEL, CM_DO_UNLINK_REMOTE, CM_DO_FORMAT_DREP },
		.post = { CM_DO_POST_MSG, CM_DO_TELL_DREQ, CM_DO_PUT },
	},
	/* DREQ: mini.cc, field: 11 */
	[14] = {
		.next = CM_STAY,
		.verdict = CM_RESEND,
		.locked = { CM_DO_FORMAT_DREP },
		.post = { CM_DO_POST_MSG },
	},
	/* DREQ: mini.cc */
	[15] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_WRONG_ROLE,
	},
	/* TIMEOUT: mini.cc, standard: 12.9.8.4 */
	[16] = {
		.next = CM_STAY,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_REARM },
		.post = { CM_DO_POST_MSG },
	},
	/* TIMEOUT_LAST: mini.cc, stock: send failure */
	[17] = {
		.next = CM_ID_IDLE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_CANCEL },
		.post = { CM_DO_TELL_REQ_ERROR, CM_DO_PUT },
	},
	/* TIMEOUT_LAST: mini.cc */
	[18] = {
		.next = CM_ID_ESTABLISHED,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_CANCEL },
		.post = { CM_DO_PUT },
	},
	/* TIMEOUT, TIMEOUT_LAST: mini.cc */
	[19] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* TW_EXIT: mini.cc, contract: timewait */
	[20] = {
		.next = CM_ID_IDLE,
		.verdict = CM_HANDLE,
		.post = { CM_DO_TELL_EXIT },
	},
	/* TW_EXIT: mini.cc */
	[21] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_LATE,
	},
	/* SEND_FAILED: mini.cc, stock: send failure */
	[22] = {
		.next = CM_ID_IDLE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_CANCEL },
		.post = { CM_DO_TELL_REQ_ERROR, CM_DO_PUT },
	},
	/* SEND_FAILED: mini.cc */
	[23] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_LATE,
	},
	/* REMOVE: mini.cc, contract: removal */
	[24] = {
		.next = CM_ID_GONE,
		.verdict = CM_HANDLE,
	},
	/* REMOVE: mini.cc, contract: removal */
	[25] = {
		.next = CM_ID_GONE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_CANCEL },
		.post = { CM_DO_TELL_REQ_ERROR, CM_DO_PUT },
	},
	/* REMOVE: mini.cc, contract: removal */
	[26] = {
		.next = CM_ID_GONE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_UNLINK_REMOTE },
		.post = { CM_DO_TELL_EXIT },
	},
	/* REMOVE: mini.cc, contract: removal */
	[27] = {
		.next = CM_ID_GONE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_CANCEL, CM_DO_UNLINK_REMOTE },
		.post = { CM_DO_TELL_EXIT, CM_DO_PUT },
	},
	/* REMOVE: mini.cc, contract: removal */
	[28] = {
		.next = CM_ID_GONE,
		.verdict = CM_HANDLE,
		.post = { CM_DO_TELL_EXIT },
	},
	/* REMOVE: mini.cc */
	[29] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_LATE,
	},
	/* DESTROY, SAID_NO: mini.cc, contract: destroy */
	[30] = {
		.next = CM_ID_DEAD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_DISOWN },
		.post = { CM_DO_PUT },
	},
	/* DESTROY, SAID_NO: mini.cc, contract: destroy */
	[31] = {
		.next = CM_ID_DEAD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_CANCEL, CM_DO_FORMAT_REJ, CM_DO_DISOWN },
		.post = { CM_DO_POST_MSG, CM_DO_PUT },
	},
	/* DESTROY, SAID_NO: mini.cc, contract: destroy */
	[32] = {
		.next = CM_ID_DEAD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_UNLINK_REMOTE, CM_DO_DISOWN },
		.post = { CM_DO_PUT },
	},
	/* DESTROY, SAID_NO: mini.cc, contract: destroy */
	[33] = {
		.next = CM_ID_DEAD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_CANCEL, CM_DO_UNLINK_REMOTE, CM_DO_DISOWN },
		.post = { CM_DO_PUT },
	},
	/* DESTROY, SAID_NO: mini.cc */
	[34] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
};

static_assert(CM_ID_STATES < CM_STAY, "a state fits in a row");
static_assert(CM_ID_EVENTS <= 0xff, "an event fits in a rule");
static_assert(CM_ID_ROWS <= 0x100, "a row number fits in a cell");
static_assert(sizeof(cm_id_rows) == 16 * CM_ID_ROWS, "every row is there");

const u8 cm_id_prep[CM_ID_EVENTS][CM_EVENT_PREP] = {
	[CM_ID_ON_SEND_REQ] = { CM_DO_MAKE_BUFFER },
};

/* The exact holders of each state, and how many of them own a reference. */
const u32 cm_id_want[CM_ID_STATES] = {
	[CM_ID_NONE] = 0,
	[CM_ID_IDLE] = CM_ID_HOLD_OWNER,
	[CM_ID_REQ_SENT] = CM_ID_HOLD_OWNER | CM_ID_HOLD_REQUEST,
	[CM_ID_ESTABLISHED] = CM_ID_HOLD_OWNER | CM_ID_HOLD_REMOTE,
	[CM_ID_LAP_SENT] = CM_ID_HOLD_OWNER | CM_ID_HOLD_REMOTE | CM_ID_HOLD_REQUEST,
	[CM_ID_TIMEWAIT] = CM_ID_HOLD_OWNER,
	[CM_ID_GONE] = CM_ID_HOLD_OWNER,
	[CM_ID_DEAD] = 0,
};

const u8 cm_id_counted[CM_ID_STATES] = {
	[CM_ID_NONE] = 0,
	[CM_ID_IDLE] = 1,
	[CM_ID_REQ_SENT] = 2,
	[CM_ID_ESTABLISHED] = 1,
	[CM_ID_LAP_SENT] = 2,
	[CM_ID_TIMEWAIT] = 1,
	[CM_ID_GONE] = 1,
	[CM_ID_DEAD] = 0,
};

#ifdef __KERNEL__
/* What the consumer sees; CM_STAY where it sees nothing. */
const u8 cm_id_public_state[CM_ID_STATES] = {
	[CM_ID_NONE] = CM_STAY,
	[CM_ID_IDLE] = IB_CM_IDLE,
	[CM_ID_REQ_SENT] = IB_CM_REQ_SENT,
	[CM_ID_ESTABLISHED] = IB_CM_ESTABLISHED,
	[CM_ID_LAP_SENT] = IB_CM_ESTABLISHED,
	[CM_ID_TIMEWAIT] = IB_CM_TIMEWAIT,
	[CM_ID_GONE] = CM_STAY,
	[CM_ID_DEAD] = CM_STAY,
};

/* CM_STAY where the alternate path does not matter. */
const u8 cm_id_public_lap[CM_ID_STATES] = {
	[CM_ID_NONE] = CM_STAY,
	[CM_ID_IDLE] = CM_STAY,
	[CM_ID_REQ_SENT] = CM_STAY,
	[CM_ID_ESTABLISHED] = IB_CM_LAP_UNINIT,
	[CM_ID_LAP_SENT] = IB_CM_LAP_SENT,
	[CM_ID_TIMEWAIT] = CM_STAY,
	[CM_ID_GONE] = CM_STAY,
	[CM_ID_DEAD] = CM_STAY,
};

static_assert((0
	       | (1u << IB_CM_IDLE)
	       | (1u << IB_CM_REQ_SENT)
	       | (1u << IB_CM_ESTABLISHED)
	       | (1u << IB_CM_TIMEWAIT)
	      ) == (1u << (IB_CM_SIDR_REQ_RCVD + 1)) - 1, "every public state is some state of ours");
static_assert(IB_CM_SIDR_REQ_RCVD == 15, "enum ib_cm_state is the one that the model knows");
#endif

/* ---- The machine "share": the sharing of a listener ---- */

#define CM_SHARE_LINE(ALONE, SHARED) { \
	[CM_SHARE_ALONE] = ALONE, \
	[CM_SHARE_SHARED] = SHARED, \
}

/*
 * Which row answers an event (line) in a state (column).
 *
 *                                                     ALONE
 *                                                     |   SHARED
 */
const u8 cm_share_cells[CM_SHARE_EVENTS][CM_SHARE_STATES] = {
	[CM_SHARE_ON_SHARE]             = CM_SHARE_LINE(  1,  1),
	[CM_SHARE_ON_DROP]              = CM_SHARE_LINE(  4,  2),
	[CM_SHARE_ON_DROP_LAST_BUT_ONE] = CM_SHARE_LINE(  4,  3),
};

const struct cm_row cm_share_rows[CM_SHARE_ROWS] = {
	/* a cell that nobody wrote */
	[0] = { .next = CM_STAY, .verdict = CM_NEVER },
	/* SHARE: mini.cc, contract: shared listen */
	[1] = {
		.next = CM_SHARE_SHARED,
		.verdict = CM_HANDLE,
	},
	/* DROP: mini.cc, contract: shared listen */
	[2] = {
		.next = CM_STAY,
		.verdict = CM_HANDLE,
	},
	/* DROP_LAST_BUT_ONE: mini.cc, contract: shared listen */
	[3] = {
		.next = CM_SHARE_ALONE,
		.verdict = CM_HANDLE,
	},
	/* DROP, DROP_LAST_BUT_ONE: mini.cc */
	[4] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
};

static_assert(CM_SHARE_STATES < CM_STAY, "a state fits in a row");
static_assert(CM_SHARE_EVENTS <= 0xff, "an event fits in a rule");
static_assert(CM_SHARE_ROWS <= 0x100, "a row number fits in a cell");
static_assert(sizeof(cm_share_rows) == 16 * CM_SHARE_ROWS, "every row is there");

const u8 cm_share_prep[CM_SHARE_EVENTS][CM_EVENT_PREP] = {
	[0] = { CM_DO_NOTHING },
};

/* The exact holders of each state, and how many of them own a reference. */
const u32 cm_share_want[CM_SHARE_STATES] = {
	[CM_SHARE_ALONE] = 0,
	[CM_SHARE_SHARED] = 0,
};

const u8 cm_share_counted[CM_SHARE_STATES] = {
	[CM_SHARE_ALONE] = 0,
	[CM_SHARE_SHARED] = 0,
};

/* ---- The machine "tw": a timewait record ---- */

#define CM_TW_LINE(NONE, LINKED, ORPHAN) { \
	[CM_TW_NONE] = NONE, \
	[CM_TW_LINKED] = LINKED, \
	[CM_TW_ORPHAN] = ORPHAN, \
}

/*
 * Which row answers an event (line) in a state (column).
 *
 *                                     NONE
 *                                     |   LINKED
 *                                     |   |   ORPHAN
 */
const u8 cm_tw_cells[CM_TW_EVENTS][CM_TW_STATES] = {
	[CM_TW_ON_ENTER]   = CM_TW_LINE(  1,  2,  2),
	[CM_TW_ON_LEAVE]   = CM_TW_LINE(  4,  3,  4),
	[CM_TW_ON_TW_DREQ] = CM_TW_LINE(  6,  5,  5),
	[CM_TW_ON_EXPIRE]  = CM_TW_LINE(  8,  7,  7),
};

const struct cm_row cm_tw_rows[CM_TW_ROWS] = {
	/* a cell that nobody wrote */
	[0] = { .next = CM_STAY, .verdict = CM_NEVER },
	/* ENTER: mini.cc, contract: timewait */
	[1] = {
		.next = CM_TW_LINKED,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_RESERVE },
	},
	/* ENTER: mini.cc */
	[2] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* LEAVE: mini.cc, contract: timewait */
	[3] = {
		.next = CM_TW_ORPHAN,
		.verdict = CM_HANDLE,
	},
	/* LEAVE: mini.cc */
	[4] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_LATE,
	},
	/* TW_DREQ: mini.cc, field: 11 */
	[5] = {
		.next = CM_STAY,
		.verdict = CM_RESEND,
		.locked = { CM_DO_FORMAT_DREP },
		.post = { CM_DO_POST_MSG },
	},
	/* TW_DREQ: mini.cc */
	[6] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_LATE,
	},
	/* EXPIRE: mini.cc, contract: timewait */
	[7] = {
		.next = CM_TW_NONE,
		.verdict = CM_HANDLE,
		.post = { CM_DO_FREE_RECORD },
	},
	/* EXPIRE: mini.cc */
	[8] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
};

static_assert(CM_TW_STATES < CM_STAY, "a state fits in a row");
static_assert(CM_TW_EVENTS <= 0xff, "an event fits in a rule");
static_assert(CM_TW_ROWS <= 0x100, "a row number fits in a cell");
static_assert(sizeof(cm_tw_rows) == 16 * CM_TW_ROWS, "every row is there");

const u8 cm_tw_prep[CM_TW_EVENTS][CM_EVENT_PREP] = {
	[0] = { CM_DO_NOTHING },
};

/* The exact holders of each state, and how many of them own a reference. */
const u32 cm_tw_want[CM_TW_STATES] = {
	[CM_TW_NONE] = 0,
	[CM_TW_LINKED] = CM_TW_HOLD_RECORD,
	[CM_TW_ORPHAN] = CM_TW_HOLD_RECORD,
};

const u8 cm_tw_counted[CM_TW_STATES] = {
	[CM_TW_NONE] = 0,
	[CM_TW_LINKED] = 1,
	[CM_TW_ORPHAN] = 1,
};

/* ---- What classification decides ---- */

static const struct cm_rule cm_decide_rep[] = {
	{
		.mask = CM_FACT_REPEATED | CM_FACT_IDS_MATCH,
		.want = CM_FACT_REPEATED | CM_FACT_IDS_MATCH,
		.event = CM_ID_ON_REP_AGAIN,
	},
	{
		.mask = CM_FACT_IDS_MATCH,
		.want = 0,
		.event = CM_ID_ON_REP,
	},
	{
		.event = CM_ID_ON_REP,
	},
};

static const struct cm_rule cm_decide_dreq[] = {
	{
		.event = CM_ID_ON_DREQ,
	},
};

static const struct cm_rule cm_decide_timeout[] = {
	{
		.mask = CM_FACT_SENDS_LEFT,
		.want = CM_FACT_SENDS_LEFT,
		.event = CM_ID_ON_TIMEOUT,
	},
	{
		.event = CM_ID_ON_TIMEOUT_LAST,
	},
};

static const struct cm_rule cm_decide_tw_dreq[] = {
	{
		.event = CM_TW_ON_TW_DREQ,
	},
};

const struct cm_rule *const cm_decisions[CM_DECISIONS] = {
	[CM_DECIDE_REP] = cm_decide_rep,
	[CM_DECIDE_DREQ] = cm_decide_dreq,
	[CM_DECIDE_TIMEOUT] = cm_decide_timeout,
	[CM_DECIDE_TW_DREQ] = cm_decide_tw_dreq,
};

const u8 cm_decision_machine[CM_DECISIONS] = {
	[CM_DECIDE_REP] = CM_MACHINE_ID,
	[CM_DECIDE_DREQ] = CM_MACHINE_ID,
	[CM_DECIDE_TIMEOUT] = CM_MACHINE_ID,
	[CM_DECIDE_TW_DREQ] = CM_MACHINE_TW,
};
