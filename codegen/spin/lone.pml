/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One id against the world: any message at any time with any content, any call, every
 * failure, attempts without end. Timer, worker, completion, runner and destroyer act
 * in steps of their own, as in cm_core.
 *
 * Bounds: RETRIES repetitions, one id at a time; nothing else. CM_EVENT_RING is the
 * depth of the ring. COARSE: no send fails and timers act in one step, so that the
 * ring may be as deep as it is.
 */
#define IDS	2

#define SENT	skip
#define REPLIED	skip
#define TOLD	skip
#define ATTEMPT	skip
#define TAKEN	skip
#define TOOK_MRA skip
#define REJECTED skip
#define HOOK_END skip
#define MORE_REFS

c_decl {
	static const char *const who_name[] = { "-", "id" };
};

#include "cm_model.pml"
#include "id.pml"

#define X	id[1]

/* What is left to do after act(). */
#define THEN_POPPED	1	/* the worker drops the reference of the queue */
#define THEN_TOLD	2	/* of the record's expiry */
#define THEN_FAILED	3
#define THEN_REFUSED	4
#define THEN_DYING	5	/* the destroyer waits */
#define THEN_TURN	6	/* the claimed request had its turn: handed over, or refused */
#define THEN_HANDLED	7	/* the handler has returned */
#define THEN_GONE	8	/* the device has left */
#define THEN_BORN	9	/* look-ups find it */
#define THEN_SENT	10	/* a caller may be refused its first copy */

byte then;
bit removed;		/* the device has left during this life */

#define DO(L, FACTS)	list = L; fx = FACTS; go = 1
#define RAISE(E)	list = DIRECT; raise = ID_ON_##E; go = 1

/* The consumer knows the id; or it has destroyed it, and calls nevertheless. */
#define KNOWN_TO_CONSUMER (X.st != ID_NONE && X.st != ID_REQ_NEW && X.st != ID_SIDR_NEW)
/* A message finds it, or found it before it went. */
#define FINDABLE	(X.number || X.st == ID_DEAD)

inline do_call()
{
	w = 1;
	if
	:: X.st == ID_IDLE && !removed ->
		if
		:: X.alt = 0
		:: X.alt = 1
		fi;
#ifndef COARSE
		if
		:: wfull = 0
		:: wfull = 1
		fi;
#endif
		if
		:: RAISE(CALL_REQ)
		:: RAISE(CALL_SIDR_REQ)
		fi
	:: X.st != ID_IDLE -> RAISE(CALL_REQ)
	:: X.st != ID_IDLE -> RAISE(CALL_SIDR_REQ)
	:: !removed || X.st != ID_IDLE -> DO(D_CALL_LISTEN, 0)
	:: DO(D_CALL_LISTEN, F_SERVICE_TAKEN)
	:: RAISE(CALL_REP)
	:: RAISE(CALL_RTU)
	:: RAISE(CALL_DREQ)
	:: RAISE(CALL_DREP)
	:: RAISE(CALL_REJ)
	:: DO(D_CALL_MRA, 0)
	:: DO(D_CALL_MRA, F_DELAYED)
	:: RAISE(CALL_SIDR_REP)
	:: RAISE(CALL_SIDR_REP); wfull = 1
	:: RAISE(CALL_QP_INIT)
	:: RAISE(CALL_QP_RTR)
	:: RAISE(CALL_QP_RTS)
	:: DO(D_CALL_COMM_EST, 0)
	:: DO(D_CALL_PATH_MIG, 0)
	fi;
	then = THEN_SENT
}

#define OURS	(F_SOURCE_OK | F_IDS_MATCH | F_TID_MATCH)

/* What a message may amount to: everything else is FOREIGN as well. */
inline message()
{
	if
	:: DO(D_MRA, 0)
	:: DO(D_MRA, OURS)
	:: DO(D_MRA, OURS | F_ABOUT_REQ)
	:: DO(D_MRA, OURS | F_ABOUT_REP)
	:: DO(D_REP, OURS)
	:: DO(D_REP, OURS | F_TRIED)
	:: DO(D_REP, OURS | F_TRIED | F_CLAIM_REPEATED)
	:: DO(D_REP, OURS | F_TRIED | F_CLAIM_STALE)
	:: DO(D_REP, OURS | F_TRIED | F_CLAIMED)
	:: DO(D_RTU, OURS)
	:: DO(D_REJ, OURS)
	:: DO(D_REJ, OURS | F_REASON_STALE)
	:: DO(D_DREQ, OURS | F_QPN_MATCH)
	:: DO(D_DREP, OURS)
	:: DO(D_LAP, OURS | F_QPN_MATCH | F_LAP_PATH)
	:: DO(D_APR, OURS)
	:: DO(D_SIDR_REP, OURS)
	fi
}

inline request_for_nobody()
{
	if
	:: DO(D_REQ, 0)
	:: DO(D_REQ, F_SUPPORTED | F_CLAIM_REPEATED)
	:: DO(D_REQ, F_SUPPORTED | F_CLAIM_STALE)
	:: DO(D_REQ, F_SUPPORTED)
	:: DO(D_REQ, F_SUPPORTED | F_SERVICE_KNOWN)
	:: DO(D_REQ, F_SUPPORTED | F_SERVICE_KNOWN | F_BACKLOG_ROOM)
	:: DO(D_SIDR_REQ, F_CLAIM_REPEATED)
	:: DO(D_SIDR_REQ, 0)
	:: DO(D_SIDR_REQ, F_SERVICE_KNOWN)
	:: DO(D_SIDR_REQ, F_SERVICE_KNOWN | F_BACKLOG_ROOM)
	:: DO(D_STALE, 0)
	fi
}

inline turn()
{
	w = 1;
	if
	:: RAISE(HAND_OVER)
	:: RAISE(LISTENER_GONE)
	:: RAISE(UNREACHABLE)
	:: X.st != ID_SIDR_NEW -> RAISE(UNREACHABLE_ALT)
	:: RAISE(DESTROY)
	fi;
	then = THEN_TURN
}

inline follow()
{
	if
	:: then == THEN_POPPED ->
		if
#ifndef FAULT_FORGETS_POSTPONED
		:: stopped && X.req && X.pop == NOW && !X.queued && !X.armed -> X.armed = 1; X.refs++
#endif
		:: else
		fi;
		X.pop = NOTHING;
		X.refs--
	:: then == THEN_TOLD ->
		if
		:: stopped && X.bound && X.telling == NOW && X.rec == TW_EXPIRING -> w = 1; te = TW_ON_POSTPONED; tw_apply(); w = 0
		:: else
		fi;
		X.telling = NOTHING
	:: then == THEN_FAILED -> X.failed = NOTHING
	:: then == THEN_REFUSED -> X.refused = NOTHING
	:: then == THEN_DYING -> X.dying = NOTHING; X.refs--
	:: then == THEN_TURN ->
		if
		:: X.claimed || X.st == ID_DEAD -> X.claimed = 0; X.runner = RUN_NONE; X.refs--
		:: else -> X.runner = RUN_BETWEEN
		fi
	:: then == THEN_HANDLED -> X.runner = RUN_BETWEEN
	:: then == THEN_GONE -> removed = 1
	:: then == THEN_BORN -> X.number = 1
	:: else
	fi;
	then = 0
}

active proctype world()
{
end:
	do
	:: atomic {
		if
		/* It comes to life. */
		:: X.st == ID_NONE && X.runner == RUN_NONE -> w = 1; X.refs = 1; RAISE(CREATE); then = THEN_BORN
		:: X.st == ID_NONE && X.runner == RUN_NONE -> w = 1; X.refs = 1; DO(D_REQ, F_SUPPORTED | F_SERVICE_KNOWN | F_BACKLOG_ROOM | F_CLAIMED);
			if
			:: X.xrc = 0
			:: X.xrc = 1
			fi;
			if
			:: X.alt = 0
			:: X.alt = 1
			fi
		:: X.st == ID_NONE && X.runner == RUN_NONE -> w = 1; X.refs = 1; DO(D_SIDR_REQ, F_SERVICE_KNOWN | F_BACKLOG_ROOM | F_CLAIMED)
		/* The world speaks. */
		:: KNOWN_TO_CONSUMER -> do_call()
		:: FINDABLE -> w = 1; message()
		:: X.st == ID_NONE -> message()
		:: X.st == ID_NONE -> request_for_nobody()
		:: FINDABLE ->
			w = 1;
			if
			:: DO(D_REQ, F_SUPPORTED | F_CLAIM_REPEATED)
			:: DO(D_SIDR_REQ, F_CLAIM_REPEATED)
			:: DO(D_STALE, 0)
			fi
		/* A message for what is left of it. */
		:: X.rec == TW_ORPHAN ->
			if
			:: te = TW_ON_DREQ
			:: te = TW_ON_REPEATED
			:: te = TW_ON_OTHER
			:: te = TW_ON_EXPIRED
			:: removed -> te = TW_ON_REMOVED
			fi;
			d_step { w = 1; tw_apply(); w = 0; te = 0; answered = 0 }
		:: X.kept ->
			if
			:: te = TW_ON_REPEATED
			:: te = TW_ON_OTHER
			:: te = TW_ON_EXPIRED
			:: removed -> te = TW_ON_REMOVED
			fi;
			d_step { w = 1; kept_apply(); w = 0; te = 0; answered = 0 }
		:: X.rec == TW_LINKED -> d_step { w = 1; te = TW_ON_EXPIRED; tw_apply(); w = 0; te = 0 }
		:: X.telling -> w = 1; DO(D_TW_EXPIRY, 0); then = THEN_TOLD
#ifdef COARSE
		:: X.armed && !X.pop -> X.armed = 0; X.pop = NOW
		:: X.uncompleted -> X.uncompleted = 0
		:: X.late -> X.late = 0
#else
		/* The request's timer, its callback, the worker. */
		:: X.armed && !X.call -> X.armed = 0; X.call = 1
		:: X.call ->
			d_step {
				X.call = 0;
				if
				:: X.req && !X.queued && !X.armed && !X.due && X.pop != NOW -> X.due = 1
				:: else -> X.refs--
				fi
			}
		:: X.due && !X.pop -> X.due = 0; X.pop = NOW
		:: X.queued && !X.pop -> X.pop = NOW
		:: X.pop == NOW && X.queued ->
			d_step { X.queued = 0; X.uncompleted = 1; X.armed = 1; X.refs++; X.pop = NOTHING; X.refs-- }
		/* What becomes of a copy. */
		:: X.uncompleted -> X.uncompleted = 0; X.errors = 0
		:: X.uncompleted -> X.uncompleted = 0
		:: X.uncompleted && !X.failed -> X.uncompleted = 0; X.failed = NOW
		:: X.late -> X.late = 0
		:: X.late && !X.failed -> X.late = 0; X.failed = OVER
		:: X.uncompleted && !X.refused -> X.uncompleted = 0; X.refused = NOW
		:: X.failed -> w = 1; DO(D_SEND_ERROR, 0); then = THEN_FAILED
		:: X.refused ->
			w = 1;
			if
			:: DO(D_REFUSED, 0)
			:: DO(D_SEND_ERROR, 0)
			fi;
			then = THEN_REFUSED
#endif
		:: X.pop && !(X.pop == NOW && X.queued) -> w = 1; DO(D_TIMEOUT, 0); then = THEN_POPPED
		/* Delivery. */
		:: X.runner == RUN_QUEUED -> X.runner = RUN_BETWEEN
		:: X.runner == RUN_BETWEEN && X.ev -> X.ev--; X.runner = RUN_HANDLER
		:: X.runner == RUN_BETWEEN && !X.ev -> X.runner = RUN_NONE; X.refs--
		:: X.runner == RUN_HANDLER -> X.runner = RUN_BETWEEN
		:: X.runner == RUN_HANDLER -> w = 1; DO(D_HANDLER, 0); then = THEN_HANDLED
		:: X.runner == RUN_HANDLER -> w = 1; DO(D_HANDLER, F_NOMEM); then = THEN_HANDLED
		:: X.runner == RUN_CLAIMED -> turn()
		/* The ends. */
		:: X.owned && !X.dying && KNOWN_TO_CONSUMER -> X.dying = 1; X.refs++
		:: X.dying == 1 -> w = 1; DO(D_DESTROY, 0); then = THEN_DYING
		:: !removed && FINDABLE -> w = 1; RAISE(REMOVED); then = THEN_GONE
		/* Nothing of it is left. */
		:: X.st == ID_DEAD && !X.refs && X.rec == TW_FREE && !X.kept && !X.telling ->
			d_step {
				removed = 0;
				if
				:: X.number || X.orphan || X.claimed || X.ev || X.lpeer || X.lqpn || X.lsidr || X.entry -> broken = P_REST
				:: else
				fi;
				X.st = ID_NONE; X.asked = 0; X.xrc = 0; X.alt = 0; X.failed = 0; X.refused = 0; X.late = 0
			}
		fi;
		d_step {
			if
			:: go -> act(); w = 0; follow()
			:: else
			fi;
			judge();
			stopped = 0
		}
	}
	od
}
