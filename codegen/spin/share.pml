/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sharing of a listener: consumers that listen on one service id and destroy
 * what they got, the requests that take turns in its handler, the removal of the
 * device; in the steps of cm_core/listen.c, a step being what happens under a lock.
 *
 * Consumers share who have the same handler; the third may have another, or listens
 * alone (ALONE).
 *
 * An early exit waits for no handler. So a handler may find what belongs to a sharer
 * who leaves meanwhile, and must pin it: the sharer gives it up, after his destroy,
 * when nobody uses it. That is the guarantee that callers give; who does not is
 * FAULT_PINS_NOTHING.
 *
 * Bounds: three consumers, ROUNDS rounds each, REQUESTS claimed requests, HANDLERS
 * turns at once, one removal.
 */
#define CONSUMERS	3
#define IDS		(1 + CONSUMERS + REQUESTS)
#define RETRIES		1

#define ID_MORE \
	unsigned more : 4;	/* references of those who look it up, and of turns */

#define SENT	skip
#define REPLIED	skip
#define TOLD	skip
#define ATTEMPT	skip
#define TAKEN	skip
#define TOOK_MRA skip
#define REJECTED skip
#define HOOK_END skip
#define MORE_REFS + I.more

c_decl {
	static const char *const who_name[] = { "-", "C1", "C2", "C3", "R1", "R2", "R3" };
};

#include "cm_model.pml"
#include "id.pml"

/* A listener is part of the id that opened it. */
typedef Listener {
	unsigned st : 3;	/* SHARE_* */
	bit found;		/* in the table */
	unsigned shares : 2;
	bit opened;		/* the id has it */
	bit other;		/* its handler */
	bit closed;
	unsigned running : 2;
	unsigned leaving : 2;	/* the removal: 1 has begun, 2 rejects, 3 has passed */
	bit returned;		/* the last destroy has */
};

/* Where a consumer is. */
#define C_IDLE		0
#define C_CREATED	1
#define C_EXTRA		2	/* its own id was not needed */
#define C_HAS		3
#define C_LAST		4	/* its share was the last */
#define C_REJECTS	5
#define C_WAITS		6
#define C_OVER		7

/* Where a request is. */
#define R_NONE		0
#define R_CLAIMED	1
#define R_FOUND		2	/* the listener, not yet in its queue */
#define R_QUEUED	3
#define R_GIVEN		4	/* its turn has come */
#define R_TURN		5
#define R_HANDLER	6
#define R_OVER		7

Listener ls[CONSUMERS + 1];
typedef Consumer {
	unsigned at : 3;
	unsigned has : 2;	/* the listener that it was given */
	unsigned rounds : 2;
	bit other;		/* has another handler */
};
typedef Request {
	unsigned at : 3;
	unsigned who : 2;	/* its listener */
	unsigned uses : 2;	/* whose things its handler has found: a consumer */
};
Consumer cs[CONSUMERS + 1];
Request rs[REQUESTS + 1];
bit removing;
byte c, r, l;			/* in the step of now; else 0, as what and then */
byte what, then;

#define DO_INSERT	1
#define DO_GIVE_UP	2
#define DO_DROP		3
#define DO_LAST		4
#define DO_REJECT	5
#define DO_RETRACT	6
#define DO_ARRIVE	7
#define DO_LOOK		8
#define DO_ENTER	9
#define DO_LEAVE	10
#define DO_FORGET	11
#define DO_REMOVE	12

#define THEN_OPENED	1
#define THEN_GIVEN_UP	2
#define THEN_CLOSED	3
#define THEN_REFUSED	4
#define THEN_TOLD	5

hidden byte srow, se, si, sn, found;
hidden int taken;

#define DO(L, FACTS)	list = L; fx = FACTS; go = 1
#define RAISE(E)	list = DIRECT; raise = ID_ON_##E; go = 1

c_code {
	static void say_share(void)
	{
		count_hits();
		share_hits[se][now.ls[sn].st] = 1;
		if (readtrail)
			printf("  %-4s   listener of %s: %s in %s\n", now.c ? who_name[now.c] : "-", who_name[sn], share_event_name[se],
			       share_state_name[now.ls[sn].st]);
	}
};

/* Event se of the listener sn. */
inline share_apply()
{
	srow = c_expr { share_cell[se][now.ls[sn].st] };
	c_code { say_share(); };
	if
	:: c_expr { share_verdict[srow] == 5 } -> broken = P_NEVER
	:: else
	fi;
	si = 0;
	do
	:: c_expr { share_locked[srow][si] } ->
		verb = c_expr { share_locked[srow][si] };
		if
		:: verb == V_SHARE_PUBLISH -> ls[sn].shares = 1; ls[sn].found = 1
		:: verb == V_SHARE_ADD -> ls[sn].shares++
		:: verb == V_SHARE_DROP -> ls[sn].shares--
		:: verb == V_SHARE_RETRACT -> ls[sn].found = 0
		fi;
		si++
	:: else -> break
	od;
	if
	:: c_expr { share_next[srow] != 255 } -> ls[sn].st = c_expr { share_next[srow] }
	:: else
	fi;
	if
	:: c_expr { now.ls[sn].found != share_want[now.ls[sn].st] } -> broken = P_HOLDERS
	:: else
	fi;
	si = 0; verb = 0
}

/* Who is in the table? */
inline find()
{
	found = 1;
	do
	:: found <= CONSUMERS && !ls[found].found -> found++
	:: else -> break
	od;
	if
	:: found > CONSUMERS -> found = 0
	:: else
	fi
}

/* Puts the id of consumer c into the table: under the table's lock, then the id's. */
inline open(facts)
{
	w = c;
	then = THEN_OPENED;
	DO(D_CALL_LISTEN, facts)
}

inline insert()
{
	find();
	if
#ifdef ALONE
	:: c == 3 ->
		fx = F_EXCLUSIVE;
		decide_share();
		se = ev;
		fx = 0;
		/* Asked, not applied: the row says whether there may be another. */
		if
		:: found -> sn = found; share_apply(); taken = (c_expr { share_verdict[srow] == 4 } -> F_SERVICE_TAKEN : 0); open(taken)
		:: else -> open(0)
		fi
#endif
	:: found ->
		fx = (cs[c].other == ls[found].other -> F_SAME_OWNER : 0);
		decide_share();
		se = ev;
		fx = 0;
		sn = found;
		share_apply();
		if
		:: c_expr { share_verdict[srow] == 4 }
		:: else -> cs[c].has = found
		fi;
		cs[c].at = C_EXTRA
	:: else -> se = SHARE_ON_INSERT; open(0)
	fi
}

/* Destroy begins: of a listener it drops a share. */
inline drop()
{
	sn = cs[c].has;
	if
	:: ls[sn].returned || id[sn].refs == 0 -> broken = P_FREED
	:: else
	fi;
	fx = (ls[sn].shares == 1 -> F_LAST_SHARE : (ls[sn].shares == 2 -> F_LAST_BUT_ONE : 0));
#ifdef FAULT_LAST_EXITS_EARLY
	cs[c].at = C_OVER;
#else
	cs[c].at = (ls[sn].shares <= 1 -> C_LAST : C_OVER);
#endif
	decide_unshare();
	se = ev;
	fx = 0;
	share_apply();
	if
	:: cs[c].at == C_OVER -> cs[c].has = 0
	:: else
	fi
}

/* DESTROY or REMOVED has a reference of its own. */
inline end_listener(x, what)
{
	w = x;
	I.more++;
	I.refs++;
	then = what
}

/* A turn is a reference to the listener. */
#ifdef FAULT_TURN_HOLDS_NOTHING
#define HOLD(x)		skip
#define LET_GO(x)	skip
#else
#define HOLD(x)		id[x].more++; id[x].refs++
#define LET_GO(x)	id[x].more--; id[x].refs--
#endif

/* A request is refused: who waits in a queue first, then a turn whose runner has not begun. */
inline reject_one(x)
{
	r = 1;
	do
	:: r <= REQUESTS && !(rs[r].who == x && rs[r].at == R_QUEUED) -> r++
	:: else -> break
	od;
	if
	:: r > REQUESTS ->
		r = 1;
		do
		:: r <= REQUESTS && !(rs[r].who == x && rs[r].at == R_GIVEN) -> r++
		:: else -> break
		od;
		if
		:: r <= REQUESTS -> ls[x].running--; LET_GO(x)
		:: else
		fi
	:: else
	fi;
	if
	:: r <= REQUESTS -> refuse_request()
	:: else
	fi
}

#define WAITING(x, n)	(rs[n].who == x && (rs[n].at == R_QUEUED || rs[n].at == R_GIVEN))
#if REQUESTS == 1
#define SOMEBODY_WAITS(x)	WAITING(x, 1)
#elif REQUESTS == 2
#define SOMEBODY_WAITS(x)	(WAITING(x, 1) || WAITING(x, 2))
#else
#define SOMEBODY_WAITS(x)	(WAITING(x, 1) || WAITING(x, 2) || WAITING(x, 3))
#endif

/* Claimed request r gets no turn. */
inline refuse_request()
{
	w = CONSUMERS + r;
	then = THEN_REFUSED;
	RAISE(LISTENER_GONE)
}

/* It asks for a turn. */
inline enter()
{
	l = rs[r].who;
	if
	:: ls[l].closed -> refuse_request()
	:: !ls[l].closed && ls[l].running < HANDLERS -> ls[l].running++; HOLD(l); rs[r].at = R_TURN
	:: else -> rs[r].at = R_QUEUED
	fi;
	/* The look-up's reference. */
	id[l].more--;
	id[l].refs--
}

/* The turn is over: the next in the queue has it. */
inline leave()
{
	l = rs[r].who;
	rs[r].at = R_OVER;
	rs[r].who = 0;
	rs[r].uses = 0;
	si = 1;
	do
	:: si <= REQUESTS && !(rs[si].who == l && rs[si].at == R_QUEUED) -> si++
	:: else -> break
	od;
	if
	:: si <= REQUESTS && !ls[l].closed -> rs[si].at = R_GIVEN; HOLD(l)
	:: else -> ls[l].running--
	fi;
	if
	:: id[l].refs == 0 || ls[l].returned -> broken = P_QUIET
	:: else
	fi;
	LET_GO(l);
	w = CONSUMERS + r;
	I.runner = RUN_NONE;
	I.refs--;
	w = 0; si = 0
}

#define NOBODY_HAS(n)	(cs[1].has != n && cs[2].has != n && cs[3].has != n)

/* As many shares as owners; nobody runs for a listener whose destroy has returned, or that nobody has. */
inline check_shares()
{
	sn = 1;
	do
	:: sn <= CONSUMERS ->
		sum = 0;
		si = 1;
		do
		:: si <= CONSUMERS ->
			if
			:: cs[si].has == sn && (cs[si].at == C_HAS || cs[si].at == C_EXTRA) -> sum++
			:: else
			fi;
			si++
		:: else -> break
		od;
		if
		:: ls[sn].shares != sum -> broken = P_SHARES
		:: else
		fi;
		if
		:: ls[sn].running > HANDLERS -> broken = P_QUIET
		/* The removal has seen it: nobody finds it any more. */
		:: ls[sn].leaving == 3 && ls[sn].found -> broken = P_REST
		:: else
		fi;
		si = 1;
		do
		:: si <= REQUESTS ->
			if
			:: rs[si].who == sn && (rs[si].at == R_TURN || rs[si].at == R_HANDLER) && (ls[sn].returned || !id[sn].refs) -> broken = P_QUIET
			:: rs[si].who == sn && rs[si].at >= R_GIVEN && NOBODY_HAS(sn) -> broken = P_OWNER
			:: else
			fi;
			si++
		:: else -> break
		od;
		sn++
	:: else -> break
	od;
	sn = 0; si = 0; sum = 0
}

/* An id that nobody has: a new one may take its place, with what belongs to it. */
inline forget(x)
{
	if
	:: id[x].number || id[x].entry || id[x].more || ls[x].found || ls[x].shares || ls[x].running -> broken = P_REST
	:: else
	fi;
	if
	:: id[x].runner || id[x].claimed -> broken = P_REST
	:: else
	fi;
	id[x].st = ID_NONE;
	ls[x].st = SHARE_FREE;
	ls[x].opened = 0;
	ls[x].other = 0;
	cs[x].other = 0;
	ls[x].closed = 0;
	ls[x].returned = 0;
	ls[x].leaving = 0
}

#if REQUESTS == 1
#define USED(n)		(rs[1].uses == n)
#elif REQUESTS == 2
#define USED(n)		(rs[1].uses == n || rs[2].uses == n)
#else
#define USED(n)		(rs[1].uses == n || rs[2].uses == n || rs[3].uses == n)
#endif
#ifdef FAULT_PINS_NOTHING
#define MAY_GO(n)	true
#else
#define MAY_GO(n)	!USED(n)
#endif

#define CONSUMER(n) \
	:: cs[n].at == C_IDLE && cs[n].rounds < ROUNDS && id[n].st == ID_NONE && !removing -> \
		d_step { c = n; cs[c].rounds++; w = c; I.refs = 1; I.number = 1; cs[c].at = C_CREATED; RAISE(CREATE) } \
	:: cs[n].at == C_CREATED -> c = n; what = DO_INSERT \
	:: cs[n].at == C_EXTRA -> c = n; what = DO_GIVE_UP \
	:: cs[n].at == C_HAS -> c = n; what = DO_DROP \
	:: cs[n].at == C_LAST -> c = n; what = DO_LAST \
	:: cs[n].at == C_REJECTS && SOMEBODY_WAITS(cs[n].has) -> l = cs[n].has; what = DO_REJECT \
	:: cs[n].at == C_REJECTS && !SOMEBODY_WAITS(cs[n].has) -> \
		d_step { id[cs[n].has].more--; id[cs[n].has].refs--; cs[n].at = C_WAITS } \
	:: cs[n].at == C_WAITS && id[cs[n].has].refs == 0 -> \
		d_step { ls[cs[n].has].returned = 1; cs[n].has = 0; cs[n].at = C_OVER } \
	:: cs[n].at == C_OVER && MAY_GO(n) -> d_step { if :: USED(n) -> broken = P_CALLER :: else fi; cs[n].at = C_IDLE }

/* What consumer n has is found, by handlers of his, until it is given up. */
#define FINDS(n, k) \
	:: rs[n].at == R_HANDLER && !rs[n].uses && cs[k].at >= C_HAS && cs[k].other == ls[rs[n].who].other -> rs[n].uses = k

#define REQUEST(n) \
	:: rs[n].at == R_NONE && !removing -> r = n; what = DO_ARRIVE \
	:: rs[n].at == R_CLAIMED -> r = n; what = DO_LOOK \
	:: rs[n].at == R_FOUND -> r = n; what = DO_ENTER \
	:: rs[n].at == R_GIVEN -> rs[n].at = R_TURN \
	:: rs[n].at == R_TURN -> d_step { w = CONSUMERS + n; rs[n].at = R_HANDLER; then = THEN_TOLD; RAISE(HAND_OVER) } \
	FINDS(n, 1) \
	FINDS(n, 2) \
	FINDS(n, 3) \
	:: rs[n].at == R_HANDLER -> r = n; what = DO_LEAVE \
	:: rs[n].at == R_OVER && id[CONSUMERS + n].st == ID_REQ_RCVD -> w = CONSUMERS + n; DO(D_DESTROY, 0)

/* What the removal does to an id, and to the listener that it has by then. */
#define REMOVAL(n) \
	:: removing && !ls[n].leaving && id[n].st != ID_NONE && id[n].refs -> l = n; what = DO_REMOVE \
	:: ls[n].leaving == 1 -> l = n; what = DO_RETRACT \
	:: ls[n].leaving == 2 && SOMEBODY_WAITS(n) -> l = n; what = DO_REJECT \
	:: ls[n].leaving == 2 && !SOMEBODY_WAITS(n) -> d_step { ls[n].leaving = 3; id[n].more--; id[n].refs-- }

/* Nobody is left, and no request waits. */
#define FREE_TO_GO(n)	(id[n].st == ID_DEAD && id[n].refs == 0 && ls[n].leaving != 1 && ls[n].leaving != 2)

/* The removal has a reference while it is at an id. */
inline passing()
{
	if
	:: !ls[l].leaving -> id[l].more++; id[l].refs++
	:: else
	fi;
	ls[l].leaving++
}

/* The steps that look at several things: before act(), which is there once only. */
inline prepare()
{
	if
	:: what == DO_INSERT -> insert()
	:: what == DO_GIVE_UP -> end_listener(c, THEN_GIVEN_UP); DO(D_DESTROY, 0)
	:: what == DO_DROP -> drop()
	:: what == DO_LAST -> end_listener(cs[c].has, THEN_CLOSED); cs[c].at = C_REJECTS; DO(D_DESTROY, 0)
	:: what == DO_REJECT -> reject_one(l)
	:: what == DO_RETRACT ->
		passing();
		sn = l;
		se = SHARE_ON_REMOVED;
		if
		:: ls[l].opened -> share_apply()
		:: else -> c_code { if (readtrail) printf("  the removal finds no listener of %s\n", who_name[now.l]); }
		fi
	:: what == DO_REMOVE -> passing(); w = l; then = THEN_CLOSED; RAISE(REMOVED)
	:: what == DO_ARRIVE ->
		find();
		w = (found -> CONSUMERS + r : 0);
		rs[r].at = (found -> R_CLAIMED : R_OVER);
		DO(D_REQ, F_SUPPORTED | (found -> F_SERVICE_KNOWN | F_BACKLOG_ROOM | F_CLAIMED : 0));
		if
		:: w -> I.refs = 1
		:: else
		fi
	:: what == DO_LOOK ->
		find();
		if
		:: found && id[found].refs -> rs[r].who = found; rs[r].at = R_FOUND; id[found].more++; id[found].refs++
		:: else -> refuse_request()
		fi
	:: what == DO_ENTER -> enter()
	:: what == DO_LEAVE -> leave()
	:: what == DO_FORGET -> forget(l)
	:: else
	fi
}

inline follow()
{
	if
	:: then == THEN_OPENED ->
		sn = w;
		if
		:: I.st == ID_LISTEN -> share_apply(); cs[w].has = w; cs[w].at = C_HAS
		:: else -> cs[w].at = C_EXTRA
		fi
	:: then == THEN_GIVEN_UP -> I.more--; I.refs--; cs[w].at = (cs[w].has -> C_HAS : C_OVER)
	:: then == THEN_CLOSED -> ls[w].closed = ls[w].closed || ls[w].opened
	:: then == THEN_REFUSED ->
		I.claimed = 0;
		I.runner = RUN_NONE;
		I.refs--;
		rs[w - CONSUMERS].at = R_OVER;
		rs[w - CONSUMERS].who = 0
	:: then == THEN_TOLD -> I.ev = 0
	:: else
	fi;
	if
	:: then == THEN_OPENED && I.st == ID_LISTEN -> ls[w].opened = 1; ls[w].other = cs[w].other
	:: else
	fi
}

active proctype world()
{
end:
	do
	:: atomic {
		if
		CONSUMER(1)
		CONSUMER(2)
		CONSUMER(3)
#ifndef ALONE
		:: cs[3].at == C_CREATED && !cs[3].other -> cs[3].other = 1
#endif
		REQUEST(1)
#if REQUESTS > 1
		REQUEST(2)
#endif
#if REQUESTS > 2
		REQUEST(3)
#endif
#ifdef WITH_REMOVAL
		:: !removing -> removing = 1
		REMOVAL(1)
		REMOVAL(2)
		REMOVAL(3)
#endif
		:: FREE_TO_GO(1) && NOBODY_HAS(1) -> l = 1; what = DO_FORGET
		:: FREE_TO_GO(2) && NOBODY_HAS(2) -> l = 2; what = DO_FORGET
		:: FREE_TO_GO(3) && NOBODY_HAS(3) -> l = 3; what = DO_FORGET
		fi;
		d_step {
			prepare();
			if
			:: go -> act(); follow()
			:: else
			fi;
			check_shares();
			judge();
			w = 0; c = 0; r = 0; l = 0; what = 0; then = 0; stopped = 0
		}
	}
	od
}
