/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hand-shake of runner, timer, worker, completion and destroyer of one id, each
 * a process, a step being what happens under one lock; LOCKED and POST are apart, and
 * generations are the counters of cm_core. The id asks for services: its state comes
 * back with every answer, and what is left of an old request meets the new one.
 *
 * What the rows do is read from the tables: DOES(event, verb).
 *
 * Bounds: REQUESTS requests, RETRIES repetitions of each, one answer and one
 * completion with error per request, one destroy, and handlers that destroy or refuse.
 */
#define P_OLD		1	/* what is left of a request does not end another */
#define P_FREED		2	/* no use of what is freed */
#define P_QUIET		3	/* no handler once destroy has returned */
#define P_BOUNDED	4	/* destroy waits for nothing that is merely queued */
#define P_ORDER		5	/* one handler at a time, and nothing is queued twice */
#define P_REFS		6

c_decl {
	static const char *const property_name[] = { "", "old-timer", "freed", "quiet", "bounded", "order", "references" };
};

#include "cm_model.pml"

c_code {
	extern int readtrail;
	static unsigned char id_hits[ID_EVENTS][ID_STATES];

	static void say_hits(void)
	{
		int e, s;

		for (e = 0; e < ID_EVENTS && !readtrail; e++)
			for (s = 0; s < ID_STATES; s++)
				if (id_hits[e][s])
					printf("hit id %d %d\n", e, s);
	}

	/* Of each row: which verbs it has; of each cell: the state that follows. */
	static unsigned char has[ID_ROWS][256], after[ID_EVENTS][ID_STATES];

	static void __attribute__((constructor)) spread(void)
	{
		const unsigned char *v;
		int e, s, row;

		for (row = 0; row < ID_ROWS; row++) {
			for (v = id_locked[row]; *v; v++)
				has[row][*v] = 1;
			for (v = id_post[row]; *v; v++)
				has[row][*v] = 1;
		}
		for (e = 0; e < ID_EVENTS; e++)
			for (s = 0; s < ID_STATES; s++) {
				row = id_cell[e][s];
				after[e][s] = id_next[row] == 255 ? s : id_next[row];
			}
	}

	static const char *const actor[] = { "", "consumer", "timer", "worker", "receiver", "completion", "runner", "handler" };

	static void say(int who, int event, int state)
	{
		static int done;
		int next = id_next[id_cell[event][state]];

		if (!done++)
			atexit(say_hits);
		id_hits[event][state] = 1;
		if (readtrail)
			printf("  %-10s %-20s in %-14s%s%s\n", actor[who], id_event_name[event], id_state_name[state], next != 255 ? " -> " : "",
			       next != 255 ? id_state_name[next] : "");
	}

	static void step(int who, const char *what)
	{
		if (readtrail)
			printf("  %-10s %s\n", actor[who], what);
	}

	static void say_broken(int property)
	{
		if (readtrail)
			printf("property %s is violated\n", property_name[property]);
	}
};

#define CONSUMER        1
#define TIMER           2
#define WORKER          3
#define RECEIVER        4
#define COMPLETION      5
#define RUNNER          6
#define HANDLER         7

byte st = ID_IDLE;
byte refs = 1;
bit owned = 1;
bit gone;			/* a destroyer waits, or will */
bit done;			/* its completion */
bit freed;
bit returned;			/* from destroy */
byte broken;

/* the request */
bit req;
byte gen;
byte sends;
byte errors;
bit armed;
bit listed;			/* in the queue of those that are due */
bit overdue;			/* the timer of this very request has fired: for the property only */
byte due_gen;			/* what the worker read with the node */

/* delivery */
byte count;
bit runner;
bit queued;			/* the work item waits for a worker */
byte task;			/* in the handler */

/* what is on its way */
byte answers;			/* of requests that the peer has */
byte failures;			/* a bit for each generation: its completion will be an error */
byte asked;

hidden byte ev;
hidden int fx;

#define BREAK(P)	broken = P
#define USE		if :: freed -> BREAK(P_FREED) :: else fi
#define DOES(E, V)	c_expr { has[id_cell[E][now.st]][V] }
#define JUDGE		if :: broken -> c_code { say_broken(now.broken); }; assert(false) :: else fi

inline put_ref()
{
	USE;
	refs--;
	if
	:: refs == 0 && gone -> done = 1
	:: refs == 0 && !gone -> freed = 1
	:: else
	fi
}

/* END: the references go to the caller's drops. */
inline end_request(drops)
{
	if
	:: req ->
		req = 0;
		drops++;
		drops = drops + armed + listed;
		armed = 0;
		listed = 0;
		overdue = 0;
		sends = 0
	:: else
	fi
}

inline begin_request()
{
	req = 1;
	gen++;
	sends = RETRIES;
	errors = 0;
	armed = 1;
	overdue = 0;
#ifdef FAULT_TIMER_HOLDS_NOTHING
	refs = refs + 1
#else
	refs = refs + 2
#endif
}

/* TELL: the caller is asked to kick a runner that it has begun. */
inline tell_one(kick)
{
	if
	:: count == CM_EVENT_RING -> BREAK(P_ORDER)
	:: else -> count++
	fi;
	if
#ifdef FAULT_TWO_RUNNERS
	:: runner = 1; refs++; kick = 1
#else
	:: !runner -> runner = 1; refs++; kick = 1
#endif
	:: else
	fi
}

/* A row that may end the request and tell of it: event E, told by verb V. */
#define ENDING(E, V, who, kick, drops) \
	c_code { say(who, E, now.st); }; \
	if \
	:: DOES(E, V_END) -> end_request(drops) \
	:: else \
	fi; \
	if \
	:: DOES(E, V) -> tell_one(kick) \
	:: else \
	fi; \
	st = c_expr { after[E][now.st] }

/* KICK: one that comes after the owner has left ends the runner itself. */
inline kick_runner(kick)
{
	if
	:: kick ->
		d_step {
			USE;
			kick = 0;
			if
#ifdef FAULT_KICKS_THE_DEAD
			:: 1 ->
#else
			:: owned ->
#endif
				if
				:: queued -> BREAK(P_ORDER)
				:: else -> queued = 1
				fi
			:: else -> runner = 0; put_ref()
			fi;
			JUDGE
		}
	:: else
	fi
}

inline drop_refs(drops)
{
	do
	:: drops -> d_step { put_ref(); drops--; JUDGE }
	:: else -> break
	od;
	skip
}

/* The DESTROY row, by event E, in the state of now. */
#define DESTROYING(E, who, drops) \
	c_code { say(who, E, now.st); }; \
	if \
	:: DOES(E, V_END) -> end_request(drops) \
	:: else \
	fi; \
	if \
	:: DOES(E, V_DISCARD) -> count = 0 \
	:: else \
	fi; \
	if \
	:: DOES(E, V_DISOWN) -> owned = 0; drops++ \
	:: else \
	fi; \
	st = c_expr { after[E][now.st] }

#define CANCELS(E)	c_expr { has[id_cell[E][ID_IDLE]][V_CANCEL] }

inline cancel_runner()
{
	d_step {
		USE;
		if
		:: queued -> queued = 0; runner = 0; put_ref()
		:: else
		fi;
		JUDGE
	}
}

/* The consumer: it asks, asks again when the id is idle, and destroys it. */
active proctype consumer()
{
	byte drops;
	bit mine;

	do
	:: d_step {
		asked < REQUESTS && st == ID_IDLE && owned ->
		c_code { say(CONSUMER, ID_ON_CALL_SIDR_REQ, now.st); };
		begin_request();
		st = ID_SIDR_REQ_SENT;
		asked++;
		answers++;
		failures = failures | (1 << gen)
	   }
	:: break
	od;
	skip;
	/* Unless its handler did: that it knows. */
	d_step {
		mine = owned;
		if
		:: mine -> USE; gone = 1; refs++; c_code { step(CONSUMER, "destroys it"); }
		:: else
		fi;
		JUDGE
	};
	if
	:: mine ->
		d_step {
			USE;
			if
			:: st == ID_DEAD -> c_code { say(CONSUMER, ID_ON_DESTROY, now.st); }
			:: else -> DESTROYING(ID_ON_DESTROY, CONSUMER, drops)
			fi;
			JUDGE
		};
		if
		:: CANCELS(ID_ON_DESTROY) -> cancel_runner()
		:: else
		fi;
		drop_refs(drops);
		d_step {
			put_ref();
			if
			:: !done && queued -> BREAK(P_BOUNDED)
			:: else
			fi;
			JUDGE
		};
		done;
		d_step {
			returned = 1;
			c_code { step(CONSUMER, "has destroyed it"); };
			if
			:: freed || refs || task || queued -> BREAK(P_QUIET)
			:: else -> freed = 1
			fi;
			JUDGE
		}
	:: else
	fi
}

/* The timer: detached, then its callback, which takes the lock. */
active proctype timer()
{
end:
	do
	:: d_step { armed -> armed = 0; overdue = 1; c_code { step(TIMER, "fires"); } };
		d_step {
			USE;
			if
			:: req && !armed && !listed -> listed = 1
			:: else -> put_ref()
			fi;
			JUDGE
		}
	od
}

active proctype worker()
{
	byte drops;
	bit kick, again;

end:
	do
	:: d_step { listed -> listed = 0; due_gen = gen; c_code { step(WORKER, "takes it from the queue"); } };
		d_step {
			USE;
			fx = (req && gen == due_gen && !armed -> F_CURRENT : 0) | (sends -> F_SENDS_LEFT : 0) | (count + 1 < CM_EVENT_RING -> F_ROOM : 0);
			decide_timeout();
			if
			:: ev == ID_ON_EXPIRED ->
				if
				:: !overdue -> BREAK(P_OLD)
				:: else
				fi;
				ENDING(ID_ON_EXPIRED, V_TELL_SIDR_REQ_ERROR, WORKER, kick, drops)
			:: ev == ID_ON_TIMEOUT ->
				if
				:: !overdue -> BREAK(P_OLD)
				:: else
				fi;
				c_code { say(WORKER, ID_ON_TIMEOUT, now.st); };
				sends--;
				if
				:: armed || listed -> listed = 0
				:: else -> refs++
				fi;
				armed = 1;
				overdue = 0
			:: ev == ID_ON_OVERTAKEN -> c_code { say(WORKER, ID_ON_OVERTAKEN, now.st); }
			:: else -> again = 1
			fi;
			ev = 0;
			fx = 0;
			JUDGE
		};
		kick_runner(kick);
		drop_refs(drops);
		d_step {
			if
			:: again && req && gen == due_gen && !armed -> armed = 1; refs++
			:: else
			fi;
			again = 0;
			due_gen = 0;
			put_ref();
			JUDGE
		}
	od
}

/* The peer's answer; a look-up finds the id as long as it is owned. */
active proctype receiver()
{
	byte drops;
	bit kick;

end:
	do
	:: d_step {
		answers ->
		answers--;
		if
		:: owned && refs -> refs++; drops = 1
		:: else
		fi
	   };
		if
		:: drops ->
			d_step {
				USE;
				drops = 0;
				if
				:: count + 2 < CM_EVENT_RING -> ENDING(ID_ON_SIDR_REP, V_TELL_SIDR_REP, RECEIVER, kick, drops)
				:: else
				fi;
				JUDGE
			};
			kick_runner(kick);
			drop_refs(drops);
			d_step { put_ref(); JUDGE }
		:: else
		fi
	od
}

/* A completion with an error: it knows the generation of its request only. */
active proctype completion()
{
	byte drops, of_gen;
	bit kick;

end:
	do
	:: d_step {
		failures ->
		of_gen = (failures & 2 -> 1 : (failures & 4 -> 2 : 3));
		failures = failures & ~(1 << of_gen);
		if
		:: owned && refs -> refs++; drops = 1
		:: else
		fi
	   };
		if
		:: drops ->
			d_step {
				USE;
				drops = 0;
				fx = (req && gen == of_gen -> F_CURRENT : 0) | (count + 1 < CM_EVENT_RING -> F_ROOM : 0);
				decide_send_error();
				if
				:: ev == ID_ON_SEND_FAILED ->
					if
					:: gen != of_gen -> BREAK(P_OLD)
					:: else
					fi;
					ENDING(ID_ON_SEND_FAILED, V_TELL_SIDR_REQ_ERROR, COMPLETION, kick, drops)
				:: ev == ID_ON_OVERTAKEN -> c_code { say(COMPLETION, ID_ON_OVERTAKEN, now.st); }
				:: else
				fi;
				ev = 0;
				fx = 0;
				JUDGE
			};
			kick_runner(kick);
			drop_refs(drops);
			d_step { put_ref(); JUDGE }
		:: else
		fi;
		of_gen = 0
	od
}

/* The event queue's worker runs the runner. */
active proctype events()
{
	byte drops;
	bit refuses;

end:
	do
	:: d_step { queued -> queued = 0 };
		do
		:: d_step {
			count ->
			USE;
			count--;
			if
			:: task || returned || st == ID_DEAD -> BREAK(P_QUIET)
			:: else
			fi;
			task = 1;
			c_code { step(RUNNER, "calls the handler"); };
			JUDGE
		   };
			/* The handler, and what it returns. */
			if
			:: skip
			:: refuses = 1
			:: d_step {
				/* It destroys the id itself: not to be waited for, from here. */
				owned && !gone ->
				USE;
				refs++;
				DESTROYING(ID_ON_DESTROY, HANDLER, drops);
				drops++;
				JUDGE
			   };
				if
				:: CANCELS(ID_ON_DESTROY) -> cancel_runner()
				:: else
				fi;
				drop_refs(drops)
			fi;
			d_step {
				if
				:: returned -> BREAK(P_QUIET)
				:: else
				fi;
				if
				:: refuses && st != ID_DEAD -> DESTROYING(ID_ON_HANDLER_REFUSED, RUNNER, drops)
				:: refuses && st == ID_DEAD -> c_code { say(RUNNER, ID_ON_HANDLER_REFUSED, now.st); }
				:: else
				fi;
				JUDGE
			};
			if
			:: refuses && CANCELS(ID_ON_HANDLER_REFUSED) -> cancel_runner()
			:: else
			fi;
			refuses = 0;
			drop_refs(drops);
			d_step { USE; task = 0; JUDGE }
		:: d_step { !count -> USE; runner = 0; JUDGE } -> break
		od;
		skip;
		d_step { put_ref(); JUDGE }
	od
}

/* What must hold at the end, when nobody has anything to do. */
active proctype audit()
{
	timeout ->
	d_step {
		if
		:: !freed || refs || owned || queued || runner || count || armed || listed -> BREAK(P_REFS)
		:: else
		fi;
		JUDGE
	}
}
