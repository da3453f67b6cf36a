/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two hosts and the wire between them. Host A asks, host B listens. The wire loses,
 * duplicates and reorders; both consumers call what their id allows at any time;
 * timers fire at any time.
 *
 * Bounds, given by the runner: NA ids of A, NB ids of B, TIDS attempts, RETRIES
 * repetitions of a request, WIRE datagrams under way (what finds no place is lost),
 * LOSSES, DUPS, FAULTS (a copy that is refused or fails, an address that is not
 * resolved, a handler that says no).
 * And what takes part: WITH_CONNECT, WITH_SIDR, WITH_MRA, WITH_LAP, WITH_REMOVAL,
 * WITH_RESTART, WITH_CLOSE, POLITE; XRC: the ids of B are XRC targets.
 */
#define IDS	(1 + NA + NB)

#define ID_MORE \
	unsigned tid : 3;	/* of its exchange */ \
	unsigned rid : 3;	/* the peer's comm id, as far as it is known */ \
	unsigned rqpn : 3;	/* the peer's QPN */ \
	bit tpeer;		/* the record is in the table of comm ids */ \
	bit tqpn;		/* and in that of QPNs */ \
	bit told;		/* the peer has our comm id */ \
	bit deaf;		/* a parting message to it was lost, or never sent */

#define SENT		send()
#define REPLIED		answer()
#define TOLD		skip
#define ATTEMPT		tids++; I.tid = tids; I.rid = 0; I.told = 0; I.deaf = 0
#define TAKEN		I.rid = msrc; I.tid = mtid; I.rqpn = mqpn; I.tpeer = 1; I.tqpn = 1; I.told = (ev == ID_ON_REP -> I.told : 0); I.deaf = (ev == ID_ON_REP && I.deaf)
#define TOOK_MRA	I.rid = msrc
#define REJECTED	skip
#define HOOK_END	tidy()
#define MORE_REFS

c_decl {
#if NA == 1
	static const char *const who_name[] = { "-", "A1", "B1", "B2", "B3" };
#else
	static const char *const who_name[] = { "-", "A1", "A2", "B1", "B2" };
#endif
};

/* A message: kind, comm id of the sender, of the receiver, transaction, what else it says. */
#define M(k, s, d, t, v)	((k) | (s) << 4 | (d) << 7 | (t) << 10 | (v) << 13)
#define KIND(m)		((m) & 15)
#define SRC(m)		((m) >> 4 & 7)
#define DST(m)		((m) >> 7 & 7)
#define TID(m)		((m) >> 10 & 7)
#define VAR(m)		((m) >> 13 & 3)

short wire[WIRE];	/* sorted: a bag; 0 at the end */
byte tids;
byte losses = LOSSES;
byte dups = DUPS;
byte faults = FAULTS;
bit listening = 1;
byte laps = LAPS;
byte stale;		/* whose peer has restarted: it learns of it next */
bit leaving_a;		/* the device of host A is being removed */
bit leaving_b;
bit crashed;		/* host A has started again, and knows of nothing */
bit faulty;		/* the copy that is about to be sent is refused */

hidden byte msrc, mdst, mtid, mvar, mqpn, mkind;
hidden short out;
byte pick;		/* which datagram */
hidden byte wi, wj, owner, slot;
hidden int claim;

#include "cm_model.pml"
#include "id.pml"

#define I1	id[1]
#define IS_A(x)		((x) <= NA)
#define CONNECTED(s)	((s) >= ID_ESTABLISHED && (s) <= ID_EST_MRA_LAP_RCVD)

c_code {
	static void say_wire(const char *what, int m)
	{
		if (readtrail)
			printf("%-12s %-9s from %s to %s, transaction %d, %d\n", what, message_name[m & 15], who_name[m >> 4 & 7],
			       who_name[m >> 7 & 7], m >> 10 & 7, m >> 13 & 3);
	}
};

/* A parting message that does not arrive: its receiver may stay connected. */
inline note_lost()
{
	if
	:: KIND(out) == DREQ || KIND(out) == REJ ->
		if
		:: DST(out) -> id[DST(out)].deaf = 1
		:: else ->
			slot = 1;
			do
			:: slot < IDS ->
				if
				:: id[slot].rid == SRC(out) && IS_A(slot) != IS_A(SRC(out)) -> id[slot].deaf = 1
				:: else
				fi;
				slot++
			:: else -> break
			od
		fi
	:: else
	fi
}

inline put()
{
	c_code { say_wire("    sends", out); };
	wi = 0;
	do
	:: wi < WIRE && wire[wi] > out -> wi++
	:: else -> break
	od;
	if
	:: wire[WIRE - 1] -> c_code { say_wire("    no room", out); }; note_lost()
	:: else ->
		wj = WIRE - 1;
		do
		:: wj > wi -> wire[wj] = wire[wj - 1]; wj--
		:: else -> break
		od;
		wire[wi] = out
	fi;
	out = 0
}

/* Takes datagram wi off the wire. */
inline take()
{
	do
	:: wi < WIRE - 1 -> wire[wi] = wire[wi + 1]; wi++
	:: else -> wire[wi] = 0; break
	od
}

inline send()
{
	I.uncompleted = 0;
	out = M(ok, (ov == WHY_OF_REQ && ok == REJ && !I.told -> 0 : w), I.rid, I.tid, ov & 3);
	if
	:: ok == MRA -> I.told = 1
	:: ok == REQ || ok == SIDR_REQ -> out = M(ok, w, 0, I.tid, 0)
	:: else
	fi;
	if
	:: faulty -> c_code { say_wire("    fails", out); }; note_lost(); I.refused = (oreq -> NOW : NOTHING); out = 0
	:: else -> put()
	fi
}

inline answer()
{
	out = M(rk, mdst, msrc, mtid, rv & 3);
	put()
}

/* Fields that nobody reads any more, so that states that differ in them only are one. */
inline tidy()
{
	if
	:: w ->
		/* What is told is delivered. */
		I.ev = 0;
		if
		:: I.runner == RUN_QUEUED -> I.runner = RUN_NONE; I.refs--
		:: else
		fi;
		if
		:: ev == ID_ON_HAND_OVER || ev == ID_ON_LISTENER_GONE || ev == ID_ON_UNREACHABLE ->
			I.claimed = 0;
			I.runner = RUN_NONE;
			I.refs--
		:: else
		fi;
		if
		:: I.rec == TW_FREE -> I.tpeer = 0; I.tqpn = 0; I.rqpn = 0
		:: else
		fi;
		/* Its peer has heard of the end. */
		if
		:: from == ID_DREQ_SENT && (ev == ID_ON_DREQ || ev == ID_ON_DREP) && I.rid && id[I.rid].rid == w && id[I.rid].tid == I.tid ->
			id[I.rid].deaf = 0
		:: ev == ID_ON_REMOVED && I.rid -> id[I.rid].deaf = 1
		:: I.xrc && I.st == ID_DEAD && I.rid -> id[I.rid].deaf = 1
		:: else
		fi;
		if
		:: I.st == ID_IDLE || I.st == ID_GONE || (I.st == ID_DEAD && I.rec == TW_FREE) -> I.tid = 0; I.rid = 0; I.told = 0; I.deaf = 0; I.asked = 0; I.alt = 0; I.xrc = 0
		:: else
		fi
	:: else
	fi
}

/*
 * Who has the keys (msrc, mqpn) on the side of ids lo to hi? For a request with the
 * transaction mtid, or a REP that id own waits for.
 */
inline claim_keys(lo, hi, own)
{
	claim = F_CLAIMED;
	owner = 0;
	slot = lo;
	do
	:: slot <= hi && claim == F_CLAIMED ->
		if
		:: id[slot].rec != TW_FREE && id[slot].lpeer && id[slot].tpeer && id[slot].rid == msrc ->
			if
			:: slot == own || id[slot].tid == mtid -> claim = F_CLAIM_REPEATED; owner = slot
			:: else ->
				if
				:: id[slot].rec != TW_RESERVED || !id[slot].lqpn -> id[slot].tpeer = 0
				:: else -> claim = F_CLAIM_STALE; owner = slot
				fi
			fi
		:: else
		fi;
		slot++
	:: else -> break
	od;
	slot = lo;
	do
	:: slot <= hi && claim == F_CLAIMED ->
		if
		:: id[slot].rec == TW_RESERVED && id[slot].lqpn && id[slot].tqpn && id[slot].rqpn == mqpn ->
			if
			:: slot == own || id[slot].tid == mtid -> claim = F_CLAIM_REPEATED; owner = slot
			:: else -> claim = F_CLAIM_STALE; owner = slot
			fi
		:: else
		fi;
		slot++
	:: else -> break
	od
}

#define DO(L, FACTS)	list = L; fx = FACTS; go = 1
#define RAISE(E)	list = DIRECT; raise = ID_ON_##E; go = 1

/* The first id of B that was never used. */
inline new_id()
{
	slot = NA + 1;
	do
	:: slot < IDS && id[slot].st != ID_NONE -> slot++
	:: else -> break
	od
}

inline receive_req()
{
	claim_keys(NA + 1, NA + NB, 0);
	fx = F_SUPPORTED | (claim == F_CLAIMED -> 0 : claim);
	if
	:: claim == F_CLAIM_REPEATED ->
		if
		:: id[owner].number -> w = owner
		:: id[owner].orphan -> w = owner; te = TW_ON_REPEATED; tw_apply(); te = 0; answered = 0; w = 0; go = 0
		:: else
		fi
	:: claim == F_CLAIM_STALE -> stale = owner
	:: else ->
		new_id();
		if
		:: listening ->
			fx = fx | F_SERVICE_KNOWN;
			if
			:: slot < IDS -> fx = fx | F_BACKLOG_ROOM | F_CLAIMED; w = slot; I.refs = 1; I.xrc = XRC
			:: else
			fi
		:: else
		fi
	fi
}

/* The SIDR_REQ of an id is known by its transaction. */
inline receive_sidr_req()
{
	owner = 0;
	slot = NA + 1;
	fx = 0;
	do
	:: slot < IDS ->
		if
		:: (id[slot].lsidr || id[slot].kept) && id[slot].rid == msrc && id[slot].tid == mtid -> owner = slot; fx = F_CLAIM_REPEATED
		:: else
		fi;
		slot++
	:: else -> break
	od;
	if
	:: owner && id[owner].kept ->
		w = owner; te = TW_ON_REPEATED; kept_apply(); te = 0; w = 0; go = 0;
		out = M(SIDR_REP, 0, msrc, mtid, 0);
		answered = 0;
		put()
	:: owner && id[owner].number -> w = owner
	:: else ->
		new_id();
		if
		:: listening && !owner ->
			fx = F_SERVICE_KNOWN;
			if
			:: slot < IDS -> fx = fx | F_BACKLOG_ROOM | F_CLAIMED; w = slot; I.refs = 1
			:: else
			fi
		:: else
		fi
	fi
}

/* Datagram out has arrived. */
inline receive()
{
	c_code { say_wire("arrives", out); };
	mkind = KIND(out); msrc = SRC(out); mdst = DST(out); mtid = TID(out); mvar = VAR(out);
	mqpn = (IS_A(msrc) -> 1 : msrc);
	out = 0;
	w = mdst;
	go = 1;
	/* A REJ of who never had an answer is found by its sender and its transaction. */
	if
	:: mkind == REJ && !mdst && mvar == WHY_TIMEOUT ->
		slot = (IS_A(msrc) -> NA + 1 : 1);
		do
		:: slot < (IS_A(msrc) -> IDS : NA + 1) && !(id[slot].rec != TW_FREE && id[slot].lpeer && id[slot].tpeer && id[slot].rid == msrc && id[slot].tid == mtid) -> slot++
		:: else -> break
		od;
		w = (slot < (IS_A(msrc) -> IDS : NA + 1) -> slot : 0)
	:: else
	fi;
	if
	:: w && !I.number ->
		if
		:: I.orphan && mkind != REQ ->
			te = (mkind == DREQ && msrc == I.rid -> TW_ON_DREQ : TW_ON_OTHER);
			tw_apply();
			te = 0;
			w = 0;
			go = 0;
			if
			:: answered -> answered = 0; out = M(DREP, mdst, msrc, mtid, 0); put()
			:: else
			fi
		:: else -> w = 0
		fi
	:: else
	fi;
	if
	:: !go
	:: else ->
		fx = F_SOURCE_OK | F_QPN_MATCH | F_LAP_PATH | (w && msrc == I.rid -> F_IDS_MATCH : 0) | (w && mtid == I.tid -> F_TID_MATCH : 0);
		if
		:: mkind == REQ -> list = D_REQ; receive_req()
		:: mkind == SIDR_REQ -> list = D_SIDR_REQ; receive_sidr_req()
		:: mkind == MRA -> list = D_MRA; fx = fx | (mvar == ABOUT_REQ -> F_ABOUT_REQ : (mvar == ABOUT_REP -> F_ABOUT_REP : 0))
		:: mkind == REJ -> list = D_REJ; fx = fx | (mvar == WHY_STALE -> F_REASON_STALE : 0)
		:: mkind == REP ->
			list = D_REP;
			if
			:: w && I.req && I.kind == REQ && I.tid == mtid ->
				claim_keys(1, NA, w);
				fx = fx | F_TRIED | claim;
				stale = (claim == F_CLAIM_STALE -> owner : 0)
			:: else
			fi
		:: mkind == RTU -> list = D_RTU
		:: mkind == DREQ -> list = D_DREQ
		:: mkind == DREP -> list = D_DREP
		:: mkind == LAP -> list = D_LAP
		:: mkind == APR -> list = D_APR
		:: mkind == SIDR_REP -> list = D_SIDR_REP
		fi
	fi
}

/* May the consumer of id x call that, and not be told that it may not? */
#define ALLOWED(x, E)	c_expr { id_verdict[id_cell[E][now.id[x].st]] < 3 }

#define EXISTS(x)	(id[x].st != ID_NONE && id[x].st != ID_DEAD)

inline fate()
{
	if
	:: skip
	:: faults -> faults--; faulty = 1
	fi
}

#ifdef POLITE
/* Answers when it is asked to, and lets go of what is over. */
#define WAITS(x)	(id[x].st == ID_REQ_SENT || id[x].st == ID_MRA_REQ_RCVD || id[x].st == ID_REP_SENT || id[x].st == ID_MRA_REP_RCVD)
#define MAY_LEAVE(x)	(id[x].owned && (id[x].st == ID_IDLE || id[x].st == ID_GONE))
#define MAY_REJ(x)	(!WAITS(x) && ALLOWED(x, ID_ON_CALL_REJ))
#define MAY_EST(x)	0
#else
#define MAY_LEAVE(x)	(id[x].owned && id[x].st != ID_REQ_NEW && id[x].st != ID_SIDR_NEW)
#define MAY_REJ(x)	ALLOWED(x, ID_ON_CALL_REJ)
/* Data from the peer's queue pair: it has the REP. */
#define MAY_EST(x)	((id[x].st == ID_REP_SENT || id[x].st == ID_MRA_REP_RCVD) && id[id[x].rid].tid == id[x].tid && id[id[x].rid].rid == x && \
			 (CONNECTED(id[id[x].rid].st) || id[id[x].rid].st == ID_REP_RCVD || id[id[x].rid].st == ID_MRA_REP_SENT))
#endif
#define MAY_CREATE(x)	(IS_A(x) && id[x].st == ID_NONE && x == 1 + crashed && !leaving_a)
#define LEAVING(x)	(IS_A(x) -> leaving_a : leaving_b)
#define MAY_ASK(x)	(IS_A(x) && id[x].st == ID_IDLE && tids < TIDS && !leaving_a)
#define MAY_REP(x)	ALLOWED(x, ID_ON_CALL_REP)
#define MAY_RTU(x)	ALLOWED(x, ID_ON_CALL_RTU)
#define MAY_DREQ(x)	ALLOWED(x, ID_ON_CALL_DREQ)
#define MAY_DREP(x)	ALLOWED(x, ID_ON_CALL_DREP)
#define MAY_SIDR_REP(x)	ALLOWED(x, ID_ON_CALL_SIDR_REP)
#define MAY_MRA(x)	ALLOWED(x, ID_ON_CALL_MRA)
#define MAY_TURN(x)	id[x].claimed
#define MAY_FIRE(x)	id[x].armed
#define MAY_REFUSE(x)	id[x].refused
#define MAY_EXPIRE(x)	(id[x].rec == TW_LINKED || id[x].rec == TW_ORPHAN)
/* Every id of the device, then what is left of others. */
#define MAY_REMOVE(x)	(LEAVING(x) && EXISTS(x) && id[x].st != ID_GONE)
#define MAY_PURGE(x)	(LEAVING(x) && id[x].rec == TW_ORPHAN)
#define MAY_LAP(x)	(laps && !IS_A(x) && CONNECTED(id[x].st) && CONNECTED(id[id[x].rid].st))
#define MAY_MIGRATE(x)	(id[x].alt && ALLOWED(x, ID_ON_CALL_PATH_MIG))
#define MAY_REFUSED_BY_HANDLER(x) (faults && (id[x].st == ID_REQ_RCVD || id[x].st == ID_SIDR_REQ_RCVD))
#define MAY_FORGET(x)	id[x].kept

#if NA + NB + 1 == 3
#define EACH(GUARD, ACTION) \
	:: GUARD(1) -> w = 1; ACTION \
	:: GUARD(2) -> w = 2; ACTION
#elif NA + NB + 1 == 4
#define EACH(GUARD, ACTION) \
	:: GUARD(1) -> w = 1; ACTION \
	:: GUARD(2) -> w = 2; ACTION \
	:: GUARD(3) -> w = 3; ACTION
#elif NA + NB + 1 == 5
#define EACH(GUARD, ACTION) \
	:: GUARD(1) -> w = 1; ACTION \
	:: GUARD(2) -> w = 2; ACTION \
	:: GUARD(3) -> w = 3; ACTION \
	:: GUARD(4) -> w = 4; ACTION
#endif

/* The datagram of the claimed request is in hand again. */
inline turn()
{
	d_step { msrc = I.rid; mdst = 0; mtid = I.tid };
	if
	:: listening -> RAISE(HAND_OVER)
	:: !listening -> RAISE(LISTENER_GONE)
	:: faults -> faults--; RAISE(UNREACHABLE)
	fi
}

inline ask()
{
	if
#ifdef WITH_CONNECT
	:: RAISE(CALL_REQ)
#endif
#ifdef WITH_SIDR
	:: RAISE(CALL_SIDR_REQ)
#endif
	fi;
	fate()
}

inline mra()
{
	if
	:: DO(D_CALL_MRA, 0)
	:: DO(D_CALL_MRA, F_DELAYED)
	fi
}

inline refuse()
{
	if
	:: DO(D_HANDLER, 0)
	:: DO(D_HANDLER, F_NOMEM)
	fi
}

/* Host A starts again: its ids are gone, the peer is not told. */
inline crash()
{
	c_code { if (readtrail) printf("  host A starts again\n"); };
	crashed = 1;
	I1.st = ID_DEAD; I1.owned = 0; I1.asked = 0; I1.alt = 0; I1.number = 0; I1.rec = TW_FREE; I1.bound = 0; I1.inq = 0;
	I1.orphan = 0; I1.lpeer = 0; I1.lqpn = 0; I1.req = 0; I1.kind = 0; I1.sends = 0; I1.armed = 0; I1.refused = 0; I1.owes = 0;
	I1.bye = 0; I1.refs = 0; I1.tid = 0; I1.rid = 0; I1.rqpn = 0; I1.tpeer = 0; I1.tqpn = 0; I1.told = 0; I1.deaf = 0;
	slot = NA + 1;
	do
	:: slot < IDS ->
		id[slot].deaf = id[slot].deaf || id[slot].rid == 1;
		slot++
	:: else -> break
	od;
	slot = 0
}

inline expire()
{
	d_step {
		te = TW_ON_EXPIRED;
		tw_apply();
		te = 0;
		if
		:: I.telling -> DO(D_TW_EXPIRY, 0)
		:: else -> tidy(); w = 0
		fi
	}
}

/* Nothing is left of anybody. */
#define NOTHING_LEFT(x)	((id[x].st == ID_NONE || id[x].st == ID_DEAD) && !id[x].refs && id[x].rec == TW_FREE && !id[x].kept)
#if NA + NB + 1 == 3
#define OVER_AND_OUT	(!wire[0] && NOTHING_LEFT(1) && NOTHING_LEFT(2) && (id[1].st == ID_DEAD || leaving_a))
#elif NA + NB + 1 == 4
#define OVER_AND_OUT	(!wire[0] && NOTHING_LEFT(1) && NOTHING_LEFT(2) && NOTHING_LEFT(3) && (id[1].st == ID_DEAD || leaving_a))
#elif NA + NB + 1 == 5
#define OVER_AND_OUT	(!wire[0] && NOTHING_LEFT(1) && NOTHING_LEFT(2) && NOTHING_LEFT(3) && NOTHING_LEFT(4) && (id[1].st == ID_DEAD || leaving_a))
#endif

inline quiet()
{
	/* Nothing is under way, no timer runs, nobody has yet to be asked: do both sides agree? */
	wj = (wire[0] || stale);
	wi = 1;
	do
	:: wi < IDS ->
		if
		:: id[wi].armed || id[wi].refused || id[wi].claimed -> wj = 1
		:: else
		fi;
		wi++
	:: else -> break
	od;
	wi = 1;
	do
	:: wi < IDS && !wj ->
		slot = id[wi].rid;
		if
		:: CONNECTED(id[wi].st) && !id[wi].deaf &&
		   !(id[slot].rid == wi && id[slot].tid == id[wi].tid &&
		     (CONNECTED(id[slot].st) || id[slot].st == ID_REP_RCVD || id[slot].st == ID_MRA_REP_SENT)) -> broken = P_AGREE
		:: else
		fi;
		wi++
	:: else -> break
	od;
	wi = 0; wj = 0; slot = 0
}

active proctype world()
{
	do
	:: atomic {
		if
		:: stale -> w = stale; DO(D_STALE, 0); stale = 0; w = (I.number -> w : 0)
		:: else ->
			if
			/* A datagram arrives, is lost, or arrives and stays. */
			:: wire[0] ->
				do
				:: pick < WIRE - 1 && wire[pick + 1] && wire[pick + 1] != wire[pick] -> pick++
				:: pick < WIRE - 1 && wire[pick + 1] && wire[pick + 1] == wire[pick] -> pick++
				:: break
				od;
				if
				:: d_step { wi = pick; out = wire[wi]; take(); receive() }
				:: losses -> d_step { losses--; wi = pick; out = wire[wi]; c_code { say_wire("lost", out); }; note_lost(); take(); out = 0 }
				:: dups -> d_step { dups--; out = wire[pick]; receive() }
				fi
			/* What consumers call. */
			EACH(MAY_CREATE, I.refs = 1; I.number = 1; RAISE(CREATE))
			EACH(MAY_ASK, ask())
			EACH(MAY_REP, RAISE(CALL_REP); fate())
			EACH(MAY_RTU, RAISE(CALL_RTU))
			EACH(MAY_REJ, RAISE(CALL_REJ))
			EACH(MAY_EST, list = D_CALL_COMM_EST; go = 1)
			EACH(MAY_DREQ, RAISE(CALL_DREQ); fate())
			EACH(MAY_DREP, RAISE(CALL_DREP))
#ifdef WITH_MRA
			EACH(MAY_MRA, mra())
#endif
#ifdef WITH_SIDR
			EACH(MAY_SIDR_REP, RAISE(CALL_SIDR_REP))
			EACH(MAY_FORGET, d_step { te = TW_ON_EXPIRED; kept_apply(); te = 0; w = 0 })
#endif
			EACH(MAY_LEAVE, list = D_DESTROY; go = 1)
			EACH(MAY_REFUSED_BY_HANDLER, faults--; refuse())
#ifdef WITH_LAP
			/* Today's API sends none: it comes from another implementation. */
			EACH(MAY_LAP, d_step { laps--; out = M(LAP, I.rid, w, I.tid, 0); w = 0; put() })
			EACH(MAY_MIGRATE, list = D_CALL_PATH_MIG; go = 1)
#endif
#ifdef WITH_REMOVAL
			:: !leaving_a && !leaving_b -> leaving_a = 1
			:: !leaving_a && !leaving_b -> leaving_b = 1
			EACH(MAY_REMOVE, RAISE(REMOVED))
			EACH(MAY_PURGE, d_step { te = TW_ON_REMOVED; tw_apply(); te = 0; tidy(); w = 0 })
#endif
#ifdef WITH_RESTART
			:: EXISTS(1) && !crashed -> d_step { crash() }
#endif
#ifdef WITH_CLOSE
			:: listening -> listening = 0
#endif
			/* A claimed request gets its turn. */
			EACH(MAY_TURN, turn())
			/* Timers, and a caller that is told of a refusal. */
			EACH(MAY_FIRE, I.armed = 0; I.pop = NOW; list = D_TIMEOUT; go = 1)
			EACH(MAY_REFUSE, list = D_REFUSED; go = 1)
			EACH(MAY_EXPIRE, expire())
			:: OVER_AND_OUT -> break
			fi
		fi;
		d_step {
			if
			:: go ->
				act();
				if
				:: w ->
					if
					:: I.pop -> I.pop = NOTHING; I.refs--
					:: else
					fi;
					I.telling = NOTHING;
					I.refused = NOTHING
				:: else
				fi;
				w = 0
			:: else
			fi;
			faulty = 0;
			pick = 0;
			quiet();
			judge();
			stopped = 0
		}
	}
	od
}
