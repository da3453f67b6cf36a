/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One connection id, as cm_core acts: what the verbs do to it, and what must hold
 * after each row.
 *
 * Owns: the abstract id, the abstract record, act(), the properties of a row. Who
 * raises events, and what becomes of a message, is in the file that includes this
 * one. It defines, before: IDS (array size; 0 is nobody), RETRIES, and the hooks
 *	SENT	the message in (ok, ov) leaves the id w; oreq: it is a copy of its request
 *	REPLIED	the message in (rk, rv) answers the one in hand, without an id
 *	TOLD	the id w's consumer is told of tk
 *	ATTEMPT, TAKEN, TOOK_MRA, REJECTED	in the verbs of those names
 *	HOOK_END	after a row and its checks
 *	MORE_REFS	+ references that it counts itself
 *
 * Generations are kept as what they decide: whether a timer, a completion or a
 * record speaks of the request or attempt of now.
 */

/* Messages. */
#define REQ		1
#define MRA		2
#define REJ		3
#define REP		4
#define RTU		5
#define DREQ		6
#define DREP		7
#define LAP		8
#define APR		9
#define SIDR_REQ	10
#define SIDR_REP	11

/* What an MRA is about. */
#define ABOUT_REQ	0
#define ABOUT_REP	1
#define ABOUT_LAP	2

/* Why a REJ: 10, 4, 6 or another reason. */
#define WHY_OTHER	0
#define WHY_STALE	1
#define WHY_TIMEOUT	2
#define WHY_UNKNOWN	3
#define WHY_OF_REQ	4	/* another reason, about a REQ: says our comm id only if the peer has it */

/* Events of the consumer. */
#define TOLD_REQ	1
#define TOLD_OTHER	2
#define TOLD_ERROR	3	/* REQ_ERROR, REP_ERROR, SIDR_REQ_ERROR, SIDR_REP */
#define TOLD_REJ	4
#define TOLD_EXIT	5	/* TIMEWAIT_EXIT */

/* Of what somebody speaks: nothing, the request or attempt of now, one that is over. */
#define NOTHING		0
#define NOW		1
#define OVER		2

/* Where the runner is. */
#define RUN_NONE	0
#define RUN_QUEUED	1	/* a work item */
#define RUN_BETWEEN	2	/* runs, not in the handler */
#define RUN_HANDLER	3
#define RUN_CLAIMED	4	/* a claimed request: resolves, or waits for a turn */

/* Properties, in the order of the names in c_decl below. */
#define P_NEVER		1
#define P_HOLDERS	2
#define P_TIMER		3
#define P_RING		4
#define P_PARTING	5
#define P_TERMINAL	6
#define P_REFS		7
#define P_REST		8
#define P_AGREE		9
#define P_SHARES	10	/* as many shares as owners */
#define P_QUIET		11	/* no handler once destroy has returned */
#define P_FREED		12	/* no use of what is freed */
#define P_OWNER		13	/* no handler without an owner whose destroy has not returned */
#define P_CALLER	14	/* no use of what an owner has given up */

c_decl {
	static const char *const property_name[] = {
		"", "never-cell", "holders", "timer", "ring", "parting", "terminal", "references", "rest", "agreement",
		"shares", "quiet", "freed", "owner", "caller"
	};
	static const char *const message_name[] = {
		"-", "REQ", "MRA", "REJ", "REP", "RTU", "DREQ", "DREP", "LAP", "APR", "SIDR_REQ", "SIDR_REP"
	};
};

typedef Id {
	unsigned st : 5;	/* ID_* */
	bit owned;
	bit asked;		/* it sent the REQ or SIDR_REQ */
	bit xrc;
	bit alt;
	bit entry;		/* a listener that is not closed */
	bit number;		/* the local comm id finds it */
	/* the record */
	unsigned rec : 3;	/* TW_* */
	bit bound;		/* the id has it */
	bit inq;		/* in the queue of its duration */
	bit kept;		/* another, with the answer to a SIDR_REQ, is nobody's */
	bit orphan;		/* the local comm id finds the record */
	bit lpeer;
	bit lqpn;
	bit lsidr;
	unsigned telling : 2;	/* its expiry is being told: of NOW, OVER */
	/* the request */
	bit req;		/* the REQUEST holder */
	unsigned kind : 4;	/* what is repeated */
	unsigned sends : 2;
	unsigned errors : 2;
	bit queued;		/* waits for a place in the window */
	bit armed;		/* the timer is pending */
	bit call;		/* its callback runs */
	bit due;		/* in the queue of those that are due */
	unsigned pop : 2;	/* the worker has taken it from a queue: NOW, OVER */
	bit uncompleted;	/* a copy is with the HCA */
	unsigned failed : 2;	/* a completion with error is being told */
	unsigned refused : 2;	/* a refusal is being told */
	bit late;		/* a copy of a request that is over is with the HCA */
	/* delivery */
	unsigned ev : 4;	/* events in the ring */
	unsigned runner : 3;	/* RUN_* */
	bit claimed;		/* REQ_NEW, SIDR_NEW: the datagram waits */
	unsigned dying : 2;	/* a destroyer has a reference: 1 before, 2 after its row */
	/* what the properties need */
	bit owes;		/* an attempt whose end has not been told */
	bit bye;		/* in it, a DREQ or REJ has left */
	unsigned refs : 4;
#ifdef ID_MORE
	ID_MORE
#endif
};

Id id[IDS];

/* The arguments of act(); all 0 between two of them. */
byte w;				/* which id; 0: nobody */
byte list;			/* D_*, or DIRECT: raise has the event */
byte raise;
int fx;				/* F_*: what only the caller can know */
bit go;				/* something happens */
bit wfull;			/* the window for fresh requests is full; no room for a kept answer */
bit stopped;			/* the caller is told -EAGAIN */

hidden byte ev, from, row, verb, vi, te, te2, trow, verdict, nxt;
hidden byte ok, ov, oreq, rk, rv, tk, gone_out, ended, drops, lvi;
hidden byte kick, answered;
hidden short seen;
hidden byte broken;		/* P_* */
hidden byte sum;

#define I	id[w]

c_code {
	extern int readtrail;
	static unsigned char id_hits[ID_EVENTS][ID_STATES];
	static unsigned char tw_hits[TW_EVENTS][TW_STATES];
	static unsigned char share_hits[SHARE_EVENTS][SHARE_STATES];

	/* Which cells a search has met: for the runner, which adds the searches up. */
	static void say_hits(void)
	{
		int e, s;

		if (readtrail)
			return;
		for (e = 0; e < ID_EVENTS; e++)
			for (s = 0; s < ID_STATES; s++)
				if (id_hits[e][s])
					printf("hit id %d %d\n", e, s);
		for (e = 0; e < TW_EVENTS; e++)
			for (s = 0; s < TW_STATES; s++)
				if (tw_hits[e][s])
					printf("hit tw %d %d\n", e, s);
		for (e = 0; e < SHARE_EVENTS; e++)
			for (s = 0; s < SHARE_STATES; s++)
				if (share_hits[e][s])
					printf("hit share %d %d\n", e, s);
	}

	static void count_hits(void)
	{
		static int done;

		if (!done++)
			atexit(say_hits);
	}

	static void say_act(void)
	{
		count_hits();
		id_hits[ev][from] = 1;
		if (!readtrail)
			return;
		printf("  %-4s %-20s in %-16s", who_name[now.w], id_event_name[ev], id_state_name[from]);
		if (id_next[row] != 255)
			printf(" -> %s", id_state_name[id_next[row]]);
		printf("\n");
	}

	static void say_tw(void)
	{
		count_hits();
		tw_hits[te][now.id[now.w].rec] = 1;
		if (readtrail)
			printf("  %-4s   record: %s in %s\n", who_name[now.w], tw_event_name[te], tw_state_name[now.id[now.w].rec]);
	}

	static void say_broken(void)
	{
		if (readtrail)
			printf("property %s is violated\n", property_name[broken]);
	}
};

/* ---- the record's machine ---- */

inline tw_verb()
{
	if
	:: verb == V_TW_BIND -> I.bound = 1
	:: verb == V_TW_UNBIND -> I.bound = 0; I.telling = (I.telling -> OVER : NOTHING)
	:: verb == V_TW_QUEUE -> I.inq = 1
	:: verb == V_TW_UNQUEUE -> I.inq = 0
	:: verb == V_TW_HAND_OVER -> I.number = 0; I.orphan = 1
	:: verb == V_TW_TELL_ID -> I.telling = NOW
	:: verb == V_TW_FREE_ID -> I.orphan = 0
	:: verb == V_TW_FREE -> I.lpeer = 0; I.lqpn = 0; I.lsidr = 0
	:: verb == V_TW_ANSWER -> answered = 1
	fi
}

/* An event te of the record of id w. */
inline tw_apply()
{
	trow = c_expr { tw_cell[te][now.id[now.w].rec] };
	c_code { say_tw(); };
	if
	:: c_expr { tw_verdict[trow] == 5 } -> broken = P_NEVER
	:: else
	fi;
	vi = 0;
	do
	:: c_expr { tw_locked[trow][vi] } -> verb = c_expr { tw_locked[trow][vi] }; tw_verb(); vi++
	:: else -> break
	od;
	vi = 0;
	do
	:: c_expr { tw_post[trow][vi] } -> verb = c_expr { tw_post[trow][vi] }; tw_verb(); vi++
	:: else -> break
	od;
	if
	:: c_expr { tw_next[trow] != 255 } -> I.rec = c_expr { tw_next[trow] }
	:: else
	fi;
	if
	:: c_expr { (now.id[now.w].bound | now.id[now.w].inq << 1) != tw_want[now.id[now.w].rec] } -> broken = P_HOLDERS
	:: else
	fi;
	if
	/* The id may have a new one at once. */
	:: te == TW_ON_ANSWERED && I.rec == TW_ORPHAN -> I.kept = 1; I.rec = TW_FREE; I.inq = 0; I.lsidr = 0
	:: else
	fi;
	trow = 0; vi = 0; verb = 0
}

/* An event te of the record that id w left behind with an answer. */
inline kept_apply()
{
	te2 = w;
	w = 0;
	I.rec = TW_ORPHAN;
	I.inq = 1;
	tw_apply();
	if
	:: I.rec == TW_FREE -> id[te2].kept = 0
	:: else
	fi;
	I.rec = TW_FREE;
	I.inq = 0;
	w = te2;
	te2 = 0
}

/* ---- the request ---- */

/* The request is over: references that it had become the act's. */
inline request_end()
{
	if
	:: I.req ->
		I.req = 0;
		I.kind = 0;
		drops = drops + 1 + I.armed + I.due + (I.queued && I.pop != NOW);
		I.armed = 0;
		I.due = 0;
		I.queued = 0;
		I.late = I.late || I.uncompleted;
		I.uncompleted = 0;
		I.sends = 0;
		I.errors = 0;
		I.pop = (I.pop -> OVER : NOTHING);
		I.failed = (I.failed -> OVER : NOTHING);
		I.refused = (I.refused -> OVER : NOTHING)
	:: else
	fi
}

inline request_begin()
{
	request_end();
	I.req = 1;
	I.kind = ok;
	I.refs++;
	I.sends = RETRIES;
	I.errors = 0;
	I.refs++;
	if
	:: wfull && (ok == REQ || ok == SIDR_REQ) -> I.queued = 1; ok = 0
	:: else -> I.armed = 1; I.uncompleted = 1; oreq = 1
	fi
}

/* The timer is set anew; it may be due already. */
inline request_rearm()
{
	if
	:: I.armed || I.due -> I.due = 0
	:: else -> I.refs++
	fi;
	I.armed = 1
}

/* ---- the consumer's events ---- */

inline tell(what)
{
	if
	:: I.ev == CM_EVENT_RING -> broken = P_RING
	:: else -> I.ev++
	fi;
	if
	:: I.runner == RUN_NONE -> I.runner = RUN_QUEUED; I.refs++
	:: else
	fi;
	tk = what;
	TOLD
}

inline tell_end(what)
{
	tell(what);
	ended++
}

/* A REJ is the end, unless timewait comes first. */
inline tell_rej()
{
	tell(TOLD_REJ);
	ended = ended + (c_expr { id_next[row] } == ID_IDLE || c_expr { id_next[row] } == ID_GONE)
}

/* ---- verbs ---- */

inline say(kind, var)
{
	ok = kind;
	ov = var
}

inline reply(kind, var)
{
	rk = kind;
	rv = var;
	gone_out++;
	REPLIED
}

inline locked_verb()
{
	if
	:: verb == V_END -> request_end()
	:: verb == V_BEGIN -> request_begin()
	:: verb == V_UNLINK_QPN -> I.lqpn = 0
	:: verb == V_UNLINK_PEER -> I.lpeer = 0
	:: verb == V_RELEASE -> te = TW_ON_RELEASE; te2 = 0; trow = 1
	:: verb == V_DISCARD -> I.ev = 0
	:: verb == V_DISOWN -> I.owned = 0; drops++; I.number = 0
	:: verb == V_TELL_REJ -> tell_rej()
	:: verb == V_TELL_REP -> tell(TOLD_OTHER)
	:: verb == V_TELL_RTU -> tell(TOLD_OTHER)
	:: verb == V_TELL_DREQ -> tell(TOLD_OTHER)
	:: verb == V_TELL_DREP -> tell(TOLD_OTHER)
	:: verb == V_TELL_MRA -> tell(TOLD_OTHER)
	:: verb == V_TELL_LAP -> tell(TOLD_OTHER)
	:: verb == V_TELL_APR -> tell(TOLD_OTHER)
	:: verb == V_TELL_USER_ESTABLISHED -> tell(TOLD_OTHER)
	:: verb == V_TELL_DREQ_ERROR -> tell(TOLD_OTHER)
	:: verb == V_TELL_TIMEWAIT_EXIT -> tell_end(TOLD_EXIT)
	:: verb == V_TELL_REQ_ERROR -> tell_end(TOLD_ERROR)
	:: verb == V_TELL_REP_ERROR -> tell_end(TOLD_ERROR)
	:: verb == V_TELL_SIDR_REQ_ERROR -> tell_end(TOLD_ERROR)
	:: verb == V_TELL_SIDR_REP -> tell_end(TOLD_ERROR)
	:: verb == V_TELL_REJ_STALE -> tell_rej()
	:: verb == V_TELL_REJ_REMOVED -> tell_rej()
	:: verb == V_TELL_REQ -> I.claimed = 0; I.ev++; tk = TOLD_REQ; TOLD
	:: verb == V_TELL_SIDR_REQ -> I.claimed = 0; I.ev++; tk = TOLD_REQ; TOLD
	:: verb == V_SAY_REQ -> say(REQ, 0)
	:: verb == V_SAY_REP -> say(REP, 0)
	:: verb == V_SAY_REP_AGAIN ->
		if
		:: I.req && !I.queued && !I.uncompleted -> I.uncompleted = 1; oreq = 1; ok = I.kind
		:: else
		fi
	:: verb == V_SAY_RTU -> say(RTU, 0)
	:: verb == V_SAY_RTU_AGAIN -> say(RTU, 0)
	:: verb == V_SAY_MRA_REQ -> say(MRA, ABOUT_REQ)
	:: verb == V_SAY_MRA_REP -> say(MRA, ABOUT_REP)
	:: verb == V_SAY_MRA_LAP -> say(MRA, ABOUT_LAP)
	:: verb == V_SAY_AUTO_MRA -> say(MRA, ABOUT_REQ)
	:: verb == V_SAY_REJ_REQ -> say(REJ, WHY_OF_REQ)
	:: verb == V_SAY_REJ_REP -> say(REJ, WHY_OTHER)
	:: verb == V_SAY_REJ_OTHER -> say(REJ, WHY_OTHER)
	:: verb == V_SAY_REJ_TIMEOUT -> say(REJ, WHY_TIMEOUT)
	:: verb == V_SAY_REJ_SERVICE -> say(REJ, WHY_OF_REQ)
	:: verb == V_SAY_REJ_STALE_REP -> say(REJ, WHY_STALE)
	:: verb == V_SAY_REJ_CONSUMER_REQ -> say(REJ, WHY_OF_REQ)
	:: verb == V_SAY_REJ_CONSUMER_REP -> say(REJ, WHY_OTHER)
	:: verb == V_SAY_REJ_CONSUMER_OTHER -> say(REJ, WHY_OTHER)
	:: verb == V_SAY_DREQ -> say(DREQ, 0)
	:: verb == V_SAY_DREQ_ONCE -> say(DREQ, 0)
	:: verb == V_SAY_DREP -> say(DREP, 0)
	:: verb == V_SAY_DREP_AGAIN -> say(DREP, 0)
	:: verb == V_SAY_SIDR_REQ -> say(SIDR_REQ, 0)
	:: verb == V_SAY_SIDR_REP -> say(SIDR_REP, 0)
	:: verb == V_SAY_SIDR_REJECT -> say(SIDR_REP, 1)
	:: verb == V_ORPHAN -> te = TW_ON_ORPHAN; te2 = 0; trow = 1
	:: verb == V_ENTER_TW -> te = TW_ON_START; te2 = 0; trow = 1
	:: verb == V_RESERVE -> te = TW_ON_RESERVE; te2 = 0; trow = 1
	:: verb == V_SWAP_RECORD -> te = TW_ON_RELEASE; te2 = TW_ON_RESERVE; trow = 2
	:: verb == V_KEEP_SIDR_ANSWER -> te = (wfull -> TW_ON_RELEASE : TW_ON_ANSWERED); te2 = 0; trow = 1
	:: verb == V_LINK_PEER -> I.lpeer = 1
	:: verb == V_LINK_QPN -> I.lqpn = 1
	:: verb == V_LINK_SIDR -> I.lsidr = 1
	:: verb == V_UNLINK_SIDR -> I.lsidr = 0
	:: verb == V_OWN -> I.owned = 1
	:: verb == V_REPEAT ->
		if
		:: I.req && !I.queued ->
			I.sends = (I.sends -> I.sends - 1 : 0);
			request_rearm();
			if
			:: !I.uncompleted -> I.uncompleted = 1; oreq = 1; ok = I.kind
			:: else
			fi
		:: else
		fi
	:: verb == V_STRETCH ->
		if
		:: I.req && !I.queued -> request_rearm()
		:: else
		fi
	:: verb == V_NOTE_ERROR -> I.uncompleted = 0; I.errors++
	:: verb == V_SET_REQ -> I.asked = 1; ATTEMPT
	:: verb == V_SET_SIDR_REQ -> I.asked = 1; ATTEMPT
	:: verb == V_TAKE_REQ -> I.asked = 0; TAKEN
	:: verb == V_TAKE_SIDR_REQ -> I.asked = 0; TAKEN
	:: verb == V_TAKE_MRA -> TOOK_MRA
	:: verb == V_TAKE_REP -> TAKEN
	:: verb == V_TAKE_LAP -> I.alt = 1
	:: verb == V_ENTRY_ADD -> I.entry = 1
	:: verb == V_ENTRY_REMOVE -> I.entry = 0
	/* What the model does not look at. */
	:: verb == V_SET_REP || verb == V_SET_MRA || verb == V_TAKE_DREQ || verb == V_KEEP_DATA || verb == V_MIGRATE ||
	   verb == V_FILL_INIT || verb == V_FILL_RTR || verb == V_FILL_RTS
	fi
}

inline post_verb()
{
	if
	:: verb == V_SEND ->
		if
		:: ok ->
			gone_out++;
			if
			:: (ok == DREQ || ok == REJ) && ev != ID_ON_TIMEOUT -> gone_out = gone_out + I.bye; I.bye = 1
			:: else
			fi;
			SENT
		:: else
		fi
	:: verb == V_PUT -> I.refs = I.refs - drops; drops = 0
	:: verb == V_KICK -> kick = 1
	:: verb == V_CANCEL ->
		if
		:: I.runner == RUN_QUEUED -> I.runner = RUN_NONE; I.refs--
		:: else
		fi
	:: verb == V_START -> I.runner = RUN_CLAIMED; I.claimed = 1; I.number = 1; I.refs++
	:: verb == V_REJECT_QUEUED -> REJECTED
	:: verb == V_REPLY_REJ_UNKNOWN -> reply(REJ, WHY_UNKNOWN)
	:: verb == V_REPLY_REJ_SERVICE -> reply(REJ, WHY_OTHER)
	:: verb == V_REPLY_REJ_STALE -> reply(REJ, WHY_STALE)
	:: verb == V_REPLY_REJ_TRANSPORT -> reply(REJ, WHY_OTHER)
	:: verb == V_REPLY_REJ_GID -> reply(REJ, WHY_OTHER)
	:: verb == V_REPLY_REJ_ALT_GID -> reply(REJ, WHY_OTHER)
	:: verb == V_REPLY_DREP -> reply(DREP, 0)
	:: verb == V_REPLY_SIDR_UNSUPPORTED -> reply(SIDR_REP, 1)
	fi
}

/* ---- classification ---- */

#define ROOM(rank)	(I.ev + 2 - (rank) < CM_EVENT_RING)
#define HOLDS(cond, fact)	(fx | ((cond) -> (fact) : 0))

/* The facts that the id itself has; what the caller said of a message that nobody can say is dropped. */
inline classify()
{
	if
	:: list == D_TIMEOUT ->
		fx = HOLDS(I.req && I.pop == NOW && !I.queued && !I.armed, F_CURRENT);
		fx = HOLDS(I.sends, F_SENDS_LEFT);
		fx = HOLDS(ROOM(1), F_ROOM)
	:: list == D_SEND_ERROR ->
		fx = HOLDS(I.req && I.failed == NOW, F_CURRENT);
		fx = HOLDS(I.errors < CM_SEND_ERRORS - 1, F_ERRORS_LEFT);
		fx = HOLDS(ROOM(1), F_ROOM)
	:: list == D_REFUSED -> fx = HOLDS(I.req && I.refused == NOW, F_CURRENT)
	:: list == D_TW_EXPIRY ->
		fx = HOLDS(I.bound && I.telling == NOW, F_CURRENT);
		fx = HOLDS(ROOM(1), F_ROOM)
	:: list == D_CALL_COMM_EST -> fx = HOLDS(ROOM(1), F_ROOM)
	:: list == D_CALL_PATH_MIG -> fx = HOLDS(I.alt, F_HAS_ALTERNATE)
	:: list == D_DESTROY || list == D_HANDLER -> fx = HOLDS(I.xrc, F_XRC_TARGET)
	:: list == D_REQ || list == D_SIDR_REQ || list == D_CALL_LISTEN || list == D_CALL_MRA
	:: list == D_STALE -> fx = HOLDS(w, F_KNOWN)
	:: else ->
		if
		:: w ->
			fx = fx | F_KNOWN;
			fx = HOLDS(I.asked, F_ACTIVE);
			fx = HOLDS(I.bound && I.lpeer, F_PEER_KNOWN);
			fx = (I.bound && I.lpeer -> fx : fx & ~F_IDS_MATCH);
			fx = HOLDS(ROOM(0), F_ROOM)
		:: else
		fi
	fi
}

/* ---- a row ---- */

/* A request that somebody else speaks of is over once a new one begins; see request_end(). */

inline check_id()
{
	seen = I.owned | (I.req << 1) | ((I.bound && I.lpeer) << 2) | ((I.bound && I.lqpn) << 3) |
	       ((I.bound && I.lsidr) << 4) | (I.entry << 5) | (I.bound << 6);
	if
	:: c_expr { seen != id_want[now.id[now.w].st] } -> broken = P_HOLDERS
	:: else
	fi;
	if
	:: c_expr { id_awaits[now.id[now.w].st] } && !(I.req && (I.armed || I.queued || I.due || I.call || I.pop == NOW)) -> broken = P_TIMER
	:: else
	fi;
	if
	:: I.ev && I.runner == RUN_NONE -> broken = P_RING
	:: else
	fi;
	sum = I.owned + I.req + I.armed + I.call + I.due + (I.queued && I.pop != NOW) + (I.pop != NOTHING) + (I.runner != RUN_NONE) +
	      (I.dying -> 1 : 0) MORE_REFS;
	if
	:: I.refs != sum -> broken = P_REFS
	:: else
	fi
}

/* One terminal event per attempt; an end that the owner asked for tells nothing. */
inline check_attempt()
{
	if
	:: !c_expr { id_connection[from] } && c_expr { id_connection[now.id[now.w].st] } ->
		if
		:: I.owes || ended -> broken = P_TERMINAL
		:: else -> I.owes = 1; I.bye = 0
		fi
	:: c_expr { id_connection[from] } && I.st != from && (I.st == ID_IDLE || I.st == ID_GONE) ->
		if
		:: c_expr { id_asked[ev] } && ended -> broken = P_TERMINAL
		:: !c_expr { id_asked[ev] } && ended != 1 -> broken = P_TERMINAL
		:: !I.owes -> broken = P_TERMINAL
		:: else -> I.owes = 0
		fi
	:: else ->
		if
		:: ended && I.st != ID_DEAD -> broken = P_TERMINAL
		:: else
		fi
	fi;
	if
	:: I.st == ID_DEAD || I.st == ID_IDLE || I.st == ID_GONE -> I.owes = 0; I.bye = 0
	:: else
	fi
}

/*
 * What act() does, in one step: list, fx (or raise) to id w. The locked and the
 * posted verbs are one step, but for what a refused copy leads to: what the
 * wire, the runner and the destroyer may do in between is theirs to do later.
 */
inline act()
{
	from = (w -> I.st : ID_NONE);
	if
	:: list == DIRECT -> ev = raise
	:: else -> classify(); decide()
	fi;
	row = c_expr { id_cell[ev][from] };
	c_code { say_act(); };
	verdict = c_expr { id_verdict[row] };
	if
	:: verdict == NEVER -> broken = P_NEVER
	:: else
	fi;
	do
	:: c_expr { id_locked[row][lvi] } ->
		verb = c_expr { id_locked[row][lvi] };
		trow = 0;
		locked_verb();
		lvi++;
		if
		:: trow == 0
		:: trow == 1 -> tw_apply()
		:: trow == 2 -> tw_apply(); te = te2; tw_apply()
		fi
	:: else -> break
	od;
	lvi = 0;
	nxt = c_expr { id_next[row] };
	if
	:: nxt != 255 -> I.st = nxt
	:: else
	fi;
	do
	:: c_expr { id_post[row][lvi] } ->
		verb = c_expr { id_post[row][lvi] };
		post_verb();
		lvi++
	:: else -> break
	od;
	lvi = 0;
	stopped = verdict == IGNORE && c_expr { id_why[row] } == BUSY;
	if
	:: gone_out > 1 || (from == ID_DEAD && gone_out && !rk) -> broken = P_PARTING
	:: else
	fi;
	if
	:: w -> check_id(); check_attempt()
	:: else
	fi;
	HOOK_END;
	go = 0; list = 0; raise = 0; fx = 0; wfull = 0;
	ev = 0; row = 0; verb = 0; te = 0; te2 = 0; trow = 0; verdict = 0; nxt = 0;
	ok = 0; ov = 0; oreq = 0; rk = 0; rv = 0; tk = 0; gone_out = 0; answered = 0; ended = 0; drops = 0; kick = 0; from = 0; seen = 0; sum = 0
}

/* A broken property ends the search; its name is printed when the trail is replayed. */
inline judge()
{
	if
	:: broken -> c_code { say_broken(); }; assert(false)
	:: else
	fi
}
