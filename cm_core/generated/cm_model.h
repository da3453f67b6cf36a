/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Rendered by codegen from codegen/model; make regen */
/*
 * Every name of the protocol. Plain C, so that user space compiles it too.
 */
#ifndef CM_GENERATED_MODEL_H
#define CM_GENERATED_MODEL_H

/* SHA-256 of codegen/protocol.txt without its first two lines. */
#define CM_MODEL_HASH "997d929ff132a4bfaee843a875fa5525e0edcb3b9c7f7a91d4d19666b4e12622"

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
	CM_DO_PREP_RECORD,              /* PREP: allocate a connection record */
	CM_DO_PREP_IMAGE,               /* PREP: allocate memory for the request's image */
	CM_DO_PREP_PATH,                /* PREP: resolve the paths to address vectors */
	CM_DO_PREP_COPY,                /* PREP: copy the private data */
	CM_DO_PREP_LISTENER,            /* PREP: allocate the listener */
	CM_DO_PREP_LAP,                 /* PREP: resolve the alternate path of a LAP */
	CM_DO_SET_REQ,                  /* LOCKED: store what the caller said of the connection */
	CM_DO_SET_REP,                  /* LOCKED: store what the caller said in its REP */
	CM_DO_SET_SIDR_REQ,             /* LOCKED: store what the caller said of the resolution */
	CM_DO_SET_MRA,                  /* LOCKED: store the service time that the caller asks for */
	CM_DO_TAKE_REQ,                 /* LOCKED: store what the REQ says of the peer */
	CM_DO_TAKE_MRA,                 /* LOCKED: remember the comm id that the MRA gives: a REJ of ours names it */
	CM_DO_TAKE_REP,                 /* LOCKED: store what the REP says of the peer */
	CM_DO_TAKE_DREQ,                /* LOCKED: remember the DREQ's TID for its DREP */
	CM_DO_TAKE_LAP,                 /* LOCKED: the LAP's path becomes the alternate */
	CM_DO_TAKE_SIDR_REQ,            /* LOCKED: store what the SIDR_REQ says of the peer */
	CM_DO_KEEP_DATA,                /* LOCKED: keep the private data for repetitions */
	CM_DO_MIGRATE,                  /* LOCKED: the alternate path becomes the primary, and the reverse */
	CM_DO_FILL_INIT,                /* LOCKED: fill the attributes for INIT */
	CM_DO_FILL_RTR,                 /* LOCKED: fill the attributes for RTR */
	CM_DO_FILL_RTS,                 /* LOCKED: fill the attributes for RTS */
	CM_DO_SAY_REQ,                  /* LOCKED: format the caller's REQ */
	CM_DO_SAY_REP,                  /* LOCKED: format the caller's REP */
	CM_DO_SAY_REP_AGAIN,            /* LOCKED: the REP again, unless its last copy has not been completed; no repetition is spent */
	CM_DO_SAY_RTU,                  /* LOCKED: format the caller's RTU */
	CM_DO_SAY_RTU_AGAIN,            /* LOCKED: format the RTU again, with the data that was kept */
	CM_DO_SAY_MRA_REQ,              /* LOCKED: format an MRA of the REQ, with the consumer's service time */
	CM_DO_SAY_MRA_REP,              /* LOCKED: format an MRA of the REP, with the consumer's service time */
	CM_DO_SAY_MRA_LAP,              /* LOCKED: format an MRA of the LAP, with the consumer's service time */
	CM_DO_SAY_AUTO_MRA,             /* LOCKED: format an MRA of the REQ on our own account: time at least the REQ's response time-out, at most 2^21 */
	CM_DO_SAY_REJ_REQ,              /* LOCKED: format the caller's REJ of the REQ */
	CM_DO_SAY_REJ_REP,              /* LOCKED: format the caller's REJ of the REP */
	CM_DO_SAY_REJ_OTHER,            /* LOCKED: format the caller's REJ of no message in particular */
	CM_DO_SAY_REJ_TIMEOUT,          /* LOCKED: format REJ 4 with our CA GUID */
	CM_DO_SAY_REJ_SERVICE,          /* LOCKED: format REJ 8 of the REQ */
	CM_DO_SAY_REJ_STALE_REP,        /* LOCKED: format REJ 10 of the REP */
	CM_DO_SAY_REJ_CONSUMER_REQ,     /* LOCKED: format REJ 28 of the REQ */
	CM_DO_SAY_REJ_CONSUMER_REP,     /* LOCKED: format REJ 28 of the REP */
	CM_DO_SAY_REJ_CONSUMER_OTHER,   /* LOCKED: format REJ 28 of no message in particular */
	CM_DO_SAY_DREQ,                 /* LOCKED: format the DREQ, to be repeated */
	CM_DO_SAY_DREQ_ONCE,            /* LOCKED: format a DREQ that nobody waits for */
	CM_DO_SAY_DREP,                 /* LOCKED: format the DREP */
	CM_DO_SAY_DREP_AGAIN,           /* LOCKED: format the DREP again, with its data, the repeated DREQ's TID */
	CM_DO_SAY_SIDR_REQ,             /* LOCKED: format the caller's SIDR_REQ */
	CM_DO_SAY_SIDR_REP,             /* LOCKED: format the caller's SIDR_REP */
	CM_DO_SAY_SIDR_REJECT,          /* LOCKED: format a SIDR_REP with status reject */
	CM_DO_OWN,                      /* LOCKED: the id has an owner */
	CM_DO_DISOWN,                   /* LOCKED: the owner leaves */
	CM_DO_BEGIN,                    /* LOCKED: the formatted request begins to wait for its answer */
	CM_DO_END,                      /* LOCKED: the outstanding request is over: its timer and queue entry are taken back */
	CM_DO_REPEAT,                   /* LOCKED: format the request again and spend a repetition */
	CM_DO_STRETCH,                  /* LOCKED: this one wait lasts as long as the MRA asks, capped */
	CM_DO_NOTE_ERROR,               /* LOCKED: count a send that completed with an error */
	CM_DO_RESERVE,                  /* LOCKED: the prepared record is the id's */
	CM_DO_SWAP_RECORD,              /* LOCKED: the record with the claimed keys takes the place of the reserved one */
	CM_DO_RELEASE,                  /* LOCKED: the record goes */
	CM_DO_LINK_PEER,                /* LOCKED: found by (peer, remote comm id) */
	CM_DO_LINK_QPN,                 /* LOCKED: found by (peer, remote QPN) */
	CM_DO_LINK_SIDR,                /* LOCKED: found by (peer, request id) */
	CM_DO_UNLINK_PEER,              /* LOCKED: no longer found by (peer, remote comm id) */
	CM_DO_UNLINK_QPN,               /* LOCKED: the QPN is no longer considered connected */
	CM_DO_UNLINK_SIDR,              /* LOCKED: no longer found by (peer, request id) */
	CM_DO_ENTER_TW,                 /* LOCKED: the record begins its timewait */
	CM_DO_ORPHAN,                   /* LOCKED: the record goes on alone in timewait, with its key and the local comm id */
	CM_DO_KEEP_SIDR_ANSWER,         /* LOCKED: the record goes on alone, with the SIDR_REP for repeated requests */
	CM_DO_ENTRY_ADD,                /* LOCKED: found by service id */
	CM_DO_ENTRY_REMOVE,             /* LOCKED: no longer found by service id */
	CM_DO_DISCARD,                  /* LOCKED: events that wait for delivery are dropped */
	CM_DO_TELL_REQ,                 /* LOCKED: the REQ */
	CM_DO_TELL_REQ_ERROR,           /* LOCKED: the REQ got no answer */
	CM_DO_TELL_REP,                 /* LOCKED: the REP */
	CM_DO_TELL_REP_ERROR,           /* LOCKED: the REP got no answer */
	CM_DO_TELL_RTU,                 /* LOCKED: the RTU */
	CM_DO_TELL_USER_ESTABLISHED,    /* LOCKED: established by the consumer's word */
	CM_DO_TELL_MRA,                 /* LOCKED: the MRA */
	CM_DO_TELL_REJ,                 /* LOCKED: the REJ */
	CM_DO_TELL_REJ_STALE,           /* LOCKED: a REJ of our own making, reason 10 */
	CM_DO_TELL_REJ_REMOVED,         /* LOCKED: a REJ of our own making, reason 3: the device is gone */
	CM_DO_TELL_DREQ,                /* LOCKED: the DREQ */
	CM_DO_TELL_DREQ_ERROR,          /* LOCKED: the DREQ got no answer */
	CM_DO_TELL_DREP,                /* LOCKED: the DREP */
	CM_DO_TELL_TIMEWAIT_EXIT,       /* LOCKED: the connection is over for good */
	CM_DO_TELL_LAP,                 /* LOCKED: the LAP */
	CM_DO_TELL_APR,                 /* LOCKED: the APR */
	CM_DO_TELL_SIDR_REQ,            /* LOCKED: the SIDR_REQ */
	CM_DO_TELL_SIDR_REQ_ERROR,      /* LOCKED: the SIDR_REQ got no answer */
	CM_DO_TELL_SIDR_REP,            /* LOCKED: the SIDR_REP */
	CM_DO_SEND,                     /* POST: post the formatted message */
	CM_DO_KICK,                     /* POST: queue the runner of the event queue */
	CM_DO_START,                    /* POST: resolve the way back, then deliver to the listener's handler */
	CM_DO_CANCEL,                   /* POST: take back a queued runner */
	CM_DO_REJECT_QUEUED,            /* POST: requests that wait for the listener's handler learn that it is gone */
	CM_DO_REPLY_REJ_UNKNOWN,        /* POST: answer with REJ 6, without an id */
	CM_DO_REPLY_REJ_SERVICE,        /* POST: answer with REJ 8, without an id */
	CM_DO_REPLY_REJ_STALE,          /* POST: answer with REJ 10, without an id */
	CM_DO_REPLY_REJ_TRANSPORT,      /* POST: answer with REJ 9, without an id */
	CM_DO_REPLY_REJ_GID,            /* POST: answer with REJ 12 and our GID, without an id */
	CM_DO_REPLY_REJ_ALT_GID,        /* POST: answer with REJ 18 and our GID, without an id */
	CM_DO_REPLY_DREP,               /* POST: answer with a DREP, without an id */
	CM_DO_REPLY_SIDR_UNSUPPORTED,   /* POST: answer with SIDR_REP, status unsupported, without an id */
	CM_DO_PUT,                      /* POST: drop the references that the row released */
	CM_DO_SHARE_PUBLISH,            /* LOCKED: into the table of listeners, one share */
	CM_DO_SHARE_ADD,                /* LOCKED: one share more */
	CM_DO_SHARE_DROP,               /* LOCKED: one share less */
	CM_DO_SHARE_RETRACT,            /* LOCKED: out of the table, no share */
	CM_DO_TW_BIND,                  /* LOCKED: an id has it */
	CM_DO_TW_UNBIND,                /* LOCKED: no id has it */
	CM_DO_TW_QUEUE,                 /* LOCKED: into the queue of its duration */
	CM_DO_TW_UNQUEUE,               /* LOCKED: out of the queue */
	CM_DO_TW_HAND_OVER,             /* LOCKED: the local comm id is the record's */
	CM_DO_TW_TELL_ID,               /* POST: its id learns that its time is over */
	CM_DO_TW_FREE_ID,               /* POST: the local comm id is free */
	CM_DO_TW_FREE,                  /* POST: out of every table, freed after a grace period */
	CM_DO_TW_ANSWER,                /* POST: answer with what was kept */
	CM_VERBS
};

/* What classification may know when it decides. */
#define CM_FACT_KNOWN                   (1ull << 0 ) /* the message names an id */
#define CM_FACT_ACTIVE                  (1ull << 1 ) /* that id sent the REQ */
#define CM_FACT_PEER_KNOWN              (1ull << 2 ) /* the id knows the peer's comm id */
#define CM_FACT_IDS_MATCH               (1ull << 3 ) /* the message carries both comm ids of the id */
#define CM_FACT_TID_MATCH               (1ull << 4 ) /* it carries the TID of the id's exchange */
#define CM_FACT_QPN_MATCH               (1ull << 5 ) /* it names the id's local QPN */
#define CM_FACT_SOURCE_OK               (1ull << 6 ) /* it came from the id's primary or alternate path, or that is not insisted on */
#define CM_FACT_ROOM                    (1ull << 7 ) /* the id's event queue has room for what it would deliver */
#define CM_FACT_TRIED                   (1ull << 8 ) /* its keys were tried before the lock */
#define CM_FACT_CLAIMED                 (1ull << 9 ) /* its keys are in the tables */
#define CM_FACT_CLAIM_REPEATED          (1ull << 10) /* the tables have the same request already */
#define CM_FACT_CLAIM_STALE             (1ull << 11) /* the tables have another connection with its keys */
#define CM_FACT_SUPPORTED               (1ull << 12) /* its transport is served */
#define CM_FACT_SERVICE_KNOWN           (1ull << 13) /* somebody listens on its service id */
#define CM_FACT_BACKLOG_ROOM            (1ull << 14) /* the listener's backlog has room, and there is memory */
#define CM_FACT_ABOUT_REQ               (1ull << 15) /* it is about a REQ */
#define CM_FACT_ABOUT_REP               (1ull << 16) /* it is about a REP */
#define CM_FACT_REASON_STALE            (1ull << 17) /* its reason is 10, stale connection */
#define CM_FACT_LAP_PATH                (1ull << 18) /* its path leads through the id's device */
#define CM_FACT_HAS_ALTERNATE           (1ull << 19) /* the id has an alternate path */
#define CM_FACT_CURRENT                 (1ull << 20) /* the request or record is the one that it was for */
#define CM_FACT_SENDS_LEFT              (1ull << 21) /* repetitions are left */
#define CM_FACT_ERRORS_LEFT             (1ull << 22) /* fewer sends in a row have failed than end the wait */
#define CM_FACT_DELAYED                 (1ull << 23) /* the caller wants the MRA sent on repetition only */
#define CM_FACT_XRC_TARGET              (1ull << 24) /* the id is of an XRC target */
#define CM_FACT_NOMEM                   (1ull << 25) /* the handler returned -ENOMEM */
#define CM_FACT_SERVICE_TAKEN           (1ull << 26) /* the service id has a listener that cannot be shared with the caller */
#define CM_FACT_SAME_OWNER              (1ull << 27) /* same handler, and no context */
#define CM_FACT_EXCLUSIVE               (1ull << 28) /* the caller does not share */
#define CM_FACT_LAST_SHARE              (1ull << 29) /* it is the only share */
#define CM_FACT_LAST_BUT_ONE            (1ull << 30) /* there are two shares */
#define CM_FACTS 31

/* What arrived, and so which list decides. */
enum cm_decision {
	CM_DECIDE_REQ,                  /* id: a REQ; facts are gathered in this order */
	CM_DECIDE_STALE,                /* id: a stale REQ or REP, seen from the old id */
	CM_DECIDE_MRA,                  /* id: an MRA */
	CM_DECIDE_REP,                  /* id: a REP; its keys are tried before the lock if the id awaits it */
	CM_DECIDE_RTU,                  /* id: an RTU */
	CM_DECIDE_REJ,                  /* id: a REJ; with remote comm id 0 and reason 4 its id was found by the CA GUID in it */
	CM_DECIDE_DREQ,                 /* id: a DREQ */
	CM_DECIDE_DREP,                 /* id: a DREP */
	CM_DECIDE_LAP,                  /* id: a LAP */
	CM_DECIDE_APR,                  /* id: an APR */
	CM_DECIDE_SIDR_REQ,             /* id: a SIDR_REQ; facts are gathered in this order */
	CM_DECIDE_SIDR_REP,             /* id: a SIDR_REP */
	CM_DECIDE_TIMEOUT,              /* id: the request's timer */
	CM_DECIDE_SEND_ERROR,           /* id: a copy of the request completed with an error */
	CM_DECIDE_REFUSED,              /* id: the MAD layer refused a call's request */
	CM_DECIDE_TW_EXPIRY,            /* id: the time of the id's record is over */
	CM_DECIDE_CALL_LISTEN,          /* id: the caller wants to listen */
	CM_DECIDE_CALL_MRA,             /* id: the caller asks for time */
	CM_DECIDE_CALL_COMM_EST,        /* id: the consumer saw data before the RTU */
	CM_DECIDE_CALL_PATH_MIG,        /* id: the HCA migrated the path */
	CM_DECIDE_DESTROY,              /* id: ib_destroy_cm_id() */
	CM_DECIDE_HANDLER,              /* id: the handler returned non-zero */
	CM_DECIDE_SHARE,                /* share: a call that wants a listener */
	CM_DECIDE_UNSHARE,              /* share: destroy of an id that listens */
	CM_DECISIONS
};

/* The machine "id": a connection id */

enum cm_id_state {
	CM_ID_NONE,                     /* no such id */
	CM_ID_IDLE,                     /* owned and reusable */
	CM_ID_LISTEN,                   /* listens on a service id */
	CM_ID_REQ_NEW,                  /* a REQ has been claimed, its consumer not been called */
	CM_ID_REQ_SENT,                 /* REQ sent, REP awaited */
	CM_ID_REQ_RCVD,                 /* the consumer has the REQ */
	CM_ID_MRA_REQ_SENT,             /* the consumer asked for time before its REP */
	CM_ID_MRA_REQ_RCVD,             /* the peer asked for time before its REP */
	CM_ID_REP_SENT,                 /* REP sent, RTU awaited */
	CM_ID_REP_RCVD,                 /* the consumer has the REP */
	CM_ID_MRA_REP_SENT,             /* the consumer asked for time before its RTU */
	CM_ID_MRA_REP_RCVD,             /* the peer asked for time before its RTU */
	CM_ID_ESTABLISHED,              /* connected, no alternate path was ever loaded */
	CM_ID_EST_LAP_IDLE,             /* connected, migration done or no load pending */
	CM_ID_EST_LAP_SENT,             /* LAP sent, APR awaited */
	CM_ID_EST_LAP_RCVD,             /* the consumer has a LAP */
	CM_ID_EST_MRA_LAP_SENT,         /* the consumer asked for time before its APR */
	CM_ID_EST_MRA_LAP_RCVD,         /* the peer asked for time before its APR */
	CM_ID_DREQ_SENT,                /* DREQ sent, DREP awaited */
	CM_ID_DREQ_RCVD,                /* the consumer has the DREQ */
	CM_ID_TIMEWAIT,                 /* over; datagrams of the connection may still come in */
	CM_ID_TIMEWAIT_STALE,           /* the same after REJ 10 of our REQ: the peer named no comm id */
	CM_ID_SIDR_NEW,                 /* a SIDR_REQ has been claimed, its consumer not been called */
	CM_ID_SIDR_REQ_SENT,            /* SIDR_REQ sent, SIDR_REP awaited */
	CM_ID_SIDR_REQ_RCVD,            /* the consumer has the SIDR_REQ */
	CM_ID_GONE,                     /* the device was removed */
	CM_ID_DEAD,                     /* destroyed: look-ups see NONE */
	CM_ID_STATES
};

enum cm_id_event {
	CM_ID_ON_CREATE,                /* call: ib_create_cm_id() */
	CM_ID_ON_CALL_LISTEN,           /* call: ib_cm_listen(), ib_cm_insert_listen(): a new listener */
	CM_ID_ON_CALL_LISTEN_TAKEN,     /* call: ib_cm_listen() on a service id that has a listener */
	CM_ID_ON_CALL_REQ,              /* call: ib_send_cm_req() */
	CM_ID_ON_CALL_REP,              /* call: ib_send_cm_rep() */
	CM_ID_ON_CALL_RTU,              /* call: ib_send_cm_rtu() */
	CM_ID_ON_CALL_DREQ,             /* call: ib_send_cm_dreq() */
	CM_ID_ON_CALL_DREP,             /* call: ib_send_cm_drep() */
	CM_ID_ON_CALL_REJ,              /* call: ib_send_cm_rej() */
	CM_ID_ON_CALL_MRA,              /* call: ib_send_cm_mra(): send it now */
	CM_ID_ON_CALL_MRA_DELAYED,      /* call: ib_prepare_cm_mra(), or ib_send_cm_mra() with the delay flag: send it when the peer repeats itself */
	CM_ID_ON_CALL_SIDR_REQ,         /* call: ib_send_cm_sidr_req() */
	CM_ID_ON_CALL_SIDR_REP,         /* call: ib_send_cm_sidr_rep() */
	CM_ID_ON_CALL_QP_INIT,          /* call: ib_cm_init_qp_attr(), IB_QPS_INIT */
	CM_ID_ON_CALL_QP_RTR,           /* call: ib_cm_init_qp_attr(), IB_QPS_RTR */
	CM_ID_ON_CALL_QP_RTS,           /* call: ib_cm_init_qp_attr(), IB_QPS_RTS */
	CM_ID_ON_CALL_COMM_EST,         /* call: ib_cm_notify(), IB_EVENT_COMM_EST */
	CM_ID_ON_CALL_PATH_MIG,         /* call: ib_cm_notify(), IB_EVENT_PATH_MIG */
	CM_ID_ON_CALL_PATH_MIG_NONE,    /* call: the same, of an id without an alternate path */
	CM_ID_ON_SEND_REFUSED,          /* call: the first copy of a call's request was refused: the call fails */
	CM_ID_ON_REQ_FRESH,             /* message: a REQ with a listener, its keys claimed */
	CM_ID_ON_REQ_REPEATED,          /* message: the REQ of this very attempt again */
	CM_ID_ON_REQ_STALE,             /* message: a REQ whose peer lost a connection that an id still has */
	CM_ID_ON_REQ_UNSUPPORTED,       /* message: a REQ for a transport that is not served */
	CM_ID_ON_REQ_NO_LISTENER,       /* message: a REQ for a service that nobody listens on */
	CM_ID_ON_PEER_RESTARTED,        /* message: a stale REQ or REP told that the peer lost this connection */
	CM_ID_ON_MRA_REQ,               /* message: MRA of our REQ */
	CM_ID_ON_MRA_REP,               /* message: MRA of our REP */
	CM_ID_ON_MRA_LAP,               /* message: MRA of our LAP */
	CM_ID_ON_REP,                   /* message: the REP that we wait for, its keys claimed */
	CM_ID_ON_REP_REPEATED,          /* message: the REP of this connection again */
	CM_ID_ON_REP_STALE,             /* message: a REP whose peer lost a connection that an id still has */
	CM_ID_ON_REP_UNKNOWN,           /* message: a REP for a comm id that nobody has */
	CM_ID_ON_RTU,                   /* message: RTU */
	CM_ID_ON_REJ,                   /* message: REJ, any reason but stale connection */
	CM_ID_ON_REJ_STALE,             /* message: REJ, reason 10: the peer still had a connection of the QPN */
	CM_ID_ON_DREQ,                  /* message: DREQ */
	CM_ID_ON_DREQ_UNKNOWN,          /* message: DREQ for a connection that nobody has */
	CM_ID_ON_DREP,                  /* message: DREP */
	CM_ID_ON_LAP,                   /* message: LAP with a path of the id's device */
	CM_ID_ON_APR,                   /* message: APR */
	CM_ID_ON_SIDR_REQ_FRESH,        /* message: a SIDR_REQ with a listener, its key claimed */
	CM_ID_ON_SIDR_REQ_REPEATED,     /* message: the SIDR_REQ again while its answer is pending */
	CM_ID_ON_SIDR_REQ_NO_LISTENER,  /* message: a SIDR_REQ for a service that nobody listens on */
	CM_ID_ON_SIDR_REP,              /* message: the SIDR_REP that we wait for */
	CM_ID_ON_FOREIGN,               /* message: comm ids, TID or source are not the id's */
	CM_ID_ON_WRONG_ROLE,            /* message: a message that this side of a connection never gets */
	CM_ID_ON_LOST,                  /* message: no memory or no room: as if it had been lost on the wire */
	CM_ID_ON_HAND_OVER,             /* internal: a listener's handler is about to get the claimed request */
	CM_ID_ON_LISTENER_GONE,         /* internal: nobody listens any more when the claimed request's turn comes */
	CM_ID_ON_UNREACHABLE,           /* internal: the way back, or the primary path of the REQ, cannot be resolved */
	CM_ID_ON_UNREACHABLE_ALT,       /* internal: the alternate path of the REQ cannot be resolved */
	CM_ID_ON_TIMEOUT,               /* timer: the answer is overdue, repetitions are left */
	CM_ID_ON_EXPIRED,               /* timer: the answer is overdue, none is left */
	CM_ID_ON_TW_EXPIRED,            /* timer: the record's time is over */
	CM_ID_ON_OVERTAKEN,             /* internal: a timer or completion of a request that is over */
	CM_ID_ON_POSTPONED,             /* internal: no room for the event that it would deliver: later again */
	CM_ID_ON_SEND_LOST,             /* failure: a copy completed with an error: as a loss */
	CM_ID_ON_SEND_FAILED,           /* failure: several copies in a row completed with an error */
	CM_ID_ON_REMOVED,               /* removal: the device is being removed */
	CM_ID_ON_DESTROY,               /* destroy: ib_destroy_cm_id() */
	CM_ID_ON_DESTROY_XRC,           /* destroy: the same, of an XRC target */
	CM_ID_ON_HANDLER_REFUSED,       /* handler: the handler returned non-zero */
	CM_ID_ON_HANDLER_REFUSED_XRC,   /* handler: the same, of an XRC target */
	CM_ID_ON_HANDLER_NOMEM,         /* handler: the handler returned -ENOMEM */
	CM_ID_ON_HANDLER_NOMEM_XRC,     /* handler: the same, of an XRC target */
	CM_ID_EVENTS
};

#define CM_ID_HOLD_OWNER           (1u << 0 ) /* exact, counted: creation to destroy: the consumer, or the CM while a request is unclaimed */
#define CM_ID_HOLD_REQUEST         (1u << 1 ) /* exact, counted: a request that waits for its answer, queued or armed */
#define CM_ID_HOLD_PEER            (1u << 2 ) /* exact: found by (peer, remote comm id) */
#define CM_ID_HOLD_QPN             (1u << 3 ) /* exact: found by (peer, remote QPN): the QPN is considered connected */
#define CM_ID_HOLD_SIDR            (1u << 4 ) /* exact: found by (peer, SIDR request id) */
#define CM_ID_HOLD_ENTRY           (1u << 5 ) /* exact: found by service id in the device's table of listeners */
#define CM_ID_HOLD_RECORD          (1u << 6 ) /* exact: a connection record: keys and timewait reservation */
#define CM_ID_HOLD_EVENT           (1u << 7 ) /* free, counted: a runner of the event queue, queued or running */
#define CM_ID_HOLD_LISTENER        (1u << 8 ) /* free, counted: a delivery that runs a handler on the listener's behalf */
#define CM_ID_HOLD_LOOKUP          (1u << 9 ) /* free, counted: transient: whoever found it, an armed timer, a place in a queue */
#define CM_ID_HOLDERS 10
#define CM_ID_EXACT_MASK (CM_ID_HOLD_OWNER | CM_ID_HOLD_REQUEST | CM_ID_HOLD_PEER | CM_ID_HOLD_QPN | CM_ID_HOLD_SIDR | CM_ID_HOLD_ENTRY | CM_ID_HOLD_RECORD)
#define CM_ID_COUNTED_MASK (CM_ID_HOLD_OWNER | CM_ID_HOLD_REQUEST | CM_ID_HOLD_EVENT | CM_ID_HOLD_LISTENER | CM_ID_HOLD_LOOKUP)

/* Rows are numbered from 1. Row 0 stands for a cell that nobody wrote. */
#define CM_ID_ROWS 199

/* The machine "share": who has a listener */

enum cm_share_state {
	CM_SHARE_FREE,                  /* not listened on */
	CM_SHARE_SINGLE,                /* one owner */
	CM_SHARE_SHARED,                /* several owners */
	CM_SHARE_SINGLE_OUT,            /* the device is gone, one owner has yet to destroy it */
	CM_SHARE_SHARED_OUT,            /* the device is gone, several owners have yet to destroy it */
	CM_SHARE_STATES
};

enum cm_share_event {
	CM_SHARE_ON_LISTEN,             /* call: ib_cm_listen() */
	CM_SHARE_ON_INSERT,             /* call: ib_cm_insert_listen() with the listener's own handler, and it has no context */
	CM_SHARE_ON_INSERT_OTHER,       /* call: ib_cm_insert_listen() with another handler, or it has a context */
	CM_SHARE_ON_DROP,               /* call: destroy of a share, more than two remain */
	CM_SHARE_ON_DROP_TO_ONE,        /* call: destroy of a share, one remains */
	CM_SHARE_ON_DROP_LAST,          /* call: destroy of the last share */
	CM_SHARE_ON_REMOVED,            /* removal: the device is being removed */
	CM_SHARE_EVENTS
};

#define CM_SHARE_HOLD_TABLE           (1u << 0 ) /* exact: found by (device, service id) */
#define CM_SHARE_HOLDERS 1
#define CM_SHARE_EXACT_MASK (CM_SHARE_HOLD_TABLE)
#define CM_SHARE_COUNTED_MASK (0)

/* Rows are numbered from 1. Row 0 stands for a cell that nobody wrote. */
#define CM_SHARE_ROWS 19

/* The machine "tw": a connection record */

enum cm_tw_state {
	CM_TW_FREE,                     /* no record */
	CM_TW_RESERVED,                 /* the id's keys and its reservation */
	CM_TW_LINKED,                   /* in timewait, the id waits for its end */
	CM_TW_EXPIRING,                 /* its time is over, its id is being told */
	CM_TW_ORPHAN,                   /* in timewait, without an id */
	CM_TW_STATES
};

enum cm_tw_event {
	CM_TW_ON_RESERVE,               /* call: an id takes it */
	CM_TW_ON_START,                 /* call: the id enters TIMEWAIT */
	CM_TW_ON_ORPHAN,                /* call: the id goes while its connection must be remembered */
	CM_TW_ON_ANSWERED,              /* call: a SIDR_REQ was answered and the answer kept */
	CM_TW_ON_RELEASE,               /* call: the id has no need of it any more */
	CM_TW_ON_EXPIRED,               /* timer: its time is over */
	CM_TW_ON_POSTPONED,             /* timer: the id has no room for the event: later again */
	CM_TW_ON_DREQ,                  /* message: a DREQ of its connection */
	CM_TW_ON_REPEATED,              /* message: its REQ or SIDR_REQ again */
	CM_TW_ON_OTHER,                 /* message: another message of its connection */
	CM_TW_ON_REMOVED,               /* removal: the device is being removed */
	CM_TW_EVENTS
};

#define CM_TW_HOLD_ID              (1u << 0 ) /* exact: an id points at it */
#define CM_TW_HOLD_QUEUE           (1u << 1 ) /* exact: in a queue of its port */
#define CM_TW_HOLDERS 2
#define CM_TW_EXACT_MASK (CM_TW_HOLD_ID | CM_TW_HOLD_QUEUE)
#define CM_TW_COUNTED_MASK (0)

/* Rows are numbered from 1. Row 0 stands for a cell that nobody wrote. */
#define CM_TW_ROWS 25

#endif /* CM_GENERATED_MODEL_H */
