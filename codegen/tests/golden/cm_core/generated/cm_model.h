/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Rendered by codegen from codegen/model; make regen */
/*
 * Every name of the protocol. Plain C, so that user space compiles it too.
 */
#ifndef CM_GENERATED_MODEL_H
#define CM_GENERATED_MODEL_H

/* SHA-256 of codegen/protocol.txt without its first two lines. */
#define CM_MODEL_HASH "8648f9c14103df2f7ae4cd9c54a927102738c6a6efa820213658b43742352e62"

/* A row's next state where the state stays; a public state where there is none. */
#define CM_STAY 0xff

enum cm_machine {
	CM_MACHINE_ID,
	CM_MACHINE_SHARE,
	CM_MACHINE_TW,
	CM_MACHINES
};

enum cm_verdict {
	CM_HANDLE,
	CM_RESEND,
	CM_REJECT,
	CM_IGNORE,
	CM_INVALID,
	CM_NEVER,
	CM_VERDICTS
};

enum cm_why {
	CM_WHY_NONE,
	CM_WHY_DUPLICATE,
	CM_WHY_LATE,
	CM_WHY_FOREIGN,
	CM_WHY_WRONG_ROLE,
	CM_WHY_BUSY,
	CM_WHYS
};

/* What a row does, in the order of a row's lists. */
enum cm_verb {
	CM_DO_NOTHING,
	CM_DO_MAKE_BUFFER,              /* PREP: take a send buffer */
	CM_DO_OWN,                      /* LOCKED: the consumer has it */
	CM_DO_ARM,                      /* LOCKED: start the request */
	CM_DO_REARM,                    /* LOCKED: wait once more */
	CM_DO_CANCEL,                   /* LOCKED: end the request */
	CM_DO_DISOWN,                   /* LOCKED: the consumer leaves */
	CM_DO_LINK_REMOTE,              /* LOCKED: findable by the peer's id */
	CM_DO_UNLINK_REMOTE,            /* LOCKED: no longer */
	CM_DO_FORMAT_REQ,               /* LOCKED: write the REQ */
	CM_DO_FORMAT_RTU,               /* LOCKED: write the RTU */
	CM_DO_FORMAT_DREP,              /* LOCKED: write the DREP */
	CM_DO_FORMAT_REJ,               /* LOCKED: write the REJ */
	CM_DO_RESERVE,                  /* LOCKED: keep the comm id */
	CM_DO_POST_MSG,                 /* POST: hand the message to the MAD layer */
	CM_DO_TELL_REP,                 /* POST: deliver */
	CM_DO_TELL_DREQ,                /* POST: deliver */
	CM_DO_TELL_REQ_ERROR,           /* POST: deliver */
	CM_DO_TELL_EXIT,                /* POST: deliver */
	CM_DO_PUT,                      /* POST: drop what the row released */
	CM_DO_FREE_RECORD,              /* POST: the record goes */
	CM_VERBS
};

/* What classification may know when it decides. */
#define CM_FACT_REPEATED                (1ull << 0 ) /* comm ids and TID are those of the message before */
#define CM_FACT_IDS_MATCH               (1ull << 1 ) /* both comm ids are ours */
#define CM_FACT_SENDS_LEFT              (1ull << 2 ) /* fewer sends than the caller allowed */
#define CM_FACTS 3

/* What arrived, and so which list decides. */
enum cm_decision {
	CM_DECIDE_REP,                  /* id: a REP arrived */
	CM_DECIDE_DREQ,                 /* id: a DREQ arrived */
	CM_DECIDE_TIMEOUT,              /* id: the request's timer fired */
	CM_DECIDE_TW_DREQ,              /* tw: a DREQ for a record */
	CM_DECISIONS
};

/* The machine "id": one connection */

enum cm_id_state {
	CM_ID_NONE,                     /* no object */
	CM_ID_IDLE,                     /* owned and reusable */
	CM_ID_REQ_SENT,                 /* a REQ is out */
	CM_ID_ESTABLISHED,              /* connected */
	CM_ID_LAP_SENT,                 /* a LAP is out */
	CM_ID_TIMEWAIT,                 /* the packets die out */
	CM_ID_GONE,                     /* the device was removed */
	CM_ID_DEAD,                     /* destroy has run */
	CM_ID_STATES
};

enum cm_id_event {
	CM_ID_ON_CREATE,                /* call: create an id */
	CM_ID_ON_SEND_REQ,              /* call: connect */
	CM_ID_ON_REP,                   /* message: the answer to our REQ */
	CM_ID_ON_REP_AGAIN,             /* message: the same once more */
	CM_ID_ON_DREQ,                  /* message: the peer disconnects */
	CM_ID_ON_TIMEOUT,               /* timer: no answer, sends are left */
	CM_ID_ON_TIMEOUT_LAST,          /* timer: no answer, no sends are left */
	CM_ID_ON_TW_EXIT,               /* timer: the record of this id expired */
	CM_ID_ON_SEND_FAILED,           /* failure: the MAD layer refused */
	CM_ID_ON_REMOVE,                /* removal: the device goes */
	CM_ID_ON_DESTROY,               /* destroy: the consumer is done */
	CM_ID_ON_SAID_NO,               /* handler: the handler returned an error */
	CM_ID_EVENTS
};

#define CM_ID_HOLD_OWNER           (1u << 0 ) /* exact, counted: the consumer, from create to destroy */
#define CM_ID_HOLD_REQUEST         (1u << 1 ) /* exact, counted: a request that waits for its answer */
#define CM_ID_HOLD_REMOTE          (1u << 2 ) /* exact: the key of the peer's id */
#define CM_ID_HOLD_LOOKUP          (1u << 3 ) /* free, counted: whoever is looking */
#define CM_ID_HOLDERS 4
#define CM_ID_EXACT_MASK (CM_ID_HOLD_OWNER | CM_ID_HOLD_REQUEST | CM_ID_HOLD_REMOTE)
#define CM_ID_COUNTED_MASK (CM_ID_HOLD_OWNER | CM_ID_HOLD_REQUEST | CM_ID_HOLD_LOOKUP)

/* Rows are numbered from 1. Row 0 stands for a cell that nobody wrote. */
#define CM_ID_ROWS 35

/* The machine "share": the sharing of a listener */

enum cm_share_state {
	CM_SHARE_ALONE,                 /* one caller has it */
	CM_SHARE_SHARED,                /* several have it */
	CM_SHARE_STATES
};

enum cm_share_event {
	CM_SHARE_ON_SHARE,              /* call: the same listen again */
	CM_SHARE_ON_DROP,               /* call: one of several leaves */
	CM_SHARE_ON_DROP_LAST_BUT_ONE,  /* call: one of two leaves */
	CM_SHARE_EVENTS
};

#define CM_SHARE_HOLDERS 0
#define CM_SHARE_EXACT_MASK (0)
#define CM_SHARE_COUNTED_MASK (0)

/* Rows are numbered from 1. Row 0 stands for a cell that nobody wrote. */
#define CM_SHARE_ROWS 5

/* The machine "tw": a timewait record */

enum cm_tw_state {
	CM_TW_NONE,                     /* no record */
	CM_TW_LINKED,                   /* its id lives */
	CM_TW_ORPHAN,                   /* its id is gone */
	CM_TW_STATES
};

enum cm_tw_event {
	CM_TW_ON_ENTER,                 /* internal: the id entered timewait */
	CM_TW_ON_LEAVE,                 /* internal: the id was destroyed */
	CM_TW_ON_TW_DREQ,               /* message: a repeated DREQ */
	CM_TW_ON_EXPIRE,                /* timer: its time is over */
	CM_TW_EVENTS
};

#define CM_TW_HOLD_RECORD          (1u << 0 ) /* exact, counted: the reserved comm id */
#define CM_TW_HOLDERS 1
#define CM_TW_EXACT_MASK (CM_TW_HOLD_RECORD)
#define CM_TW_COUNTED_MASK (CM_TW_HOLD_RECORD)

/* Rows are numbered from 1. Row 0 stands for a cell that nobody wrote. */
#define CM_TW_ROWS 9

#endif /* CM_GENERATED_MODEL_H */
