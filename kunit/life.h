/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the suite ib_cm_life share: destroy in every state, under
 * every circumstance.
 *
 * The ids of all states are brought there side by side on one device and
 * destroyed under one circumstance; what was seen of each is a struct life_fact.
 * A case looks at one of them: a circumstance is run once for each link layer,
 * when its first case asks. So 2 s of a sleeping handler are slept once, and
 * that nobody waits for strangers is seen on the way.
 *
 * Owns: the tables (life_table.c), the runs (life_run.c, life_strike.c,
 * life_gate.c), what is expected of a fact (life_test.c). life_odd.c and life_many.c are about single
 * stories: listeners, calls that should not be, thousands of ids.
 */
#ifndef LIFE_H
#define LIFE_H

#include <linux/ktime.h>

#include "wire.h"

/*
 * Time-outs of peers and of timewait are 4.096 us * 2^21 (8.6 s) and more, a
 * request is given up after 16 of them: a destroy that waits for one of these is
 * seen not to return within LIFE_BOUND_MS, on a busy machine either.
 */
#define LIFE_TIME	21
#define LIFE_BOUND_MS	4000
#define LIFE_SLEEP_MS	2000	/* of a handler */
#define LIFE_NAP_MS	60	/* the same, where its length is not the point */
#define LIFE_EVENTS	4
#define LIFE_NO_EVENT	(-1)
/* As enum cm_ref of cm_core/id.h numbers it */

/* Circumstances */
enum life_how {
	LIFE_LIVE,		/* the peer answers the parting message, and says what it had to say */
	LIFE_SILENT,		/* it says nothing */
	LIFE_ANSWERS,		/* its message comes in at the same moment */
	LIFE_NEVER,		/* no send of the id's life completes */
	LIFE_ERROR,		/* sends complete with an error */
	LIFE_LATE,		/* all complete when destroy has returned */
	LIFE_REMOVED,		/* the device goes at the same moment */
	LIFE_SLEEPS,		/* its handler runs for LIFE_SLEEP_MS */
	LIFE_QUEUED,		/* events are queued behind the handler that runs */
	LIFE_STRANGERS,		/* events wait for a worker, which strangers' handlers have */
	LIFE_TIMER,		/* its timer fires */
	LIFE_NOTIFY,		/* ib_cm_notify(COMM_EST) in hardirq context */
	LIFE_OWN,		/* by its own handler */
	LIFE_OTHER,		/* by another id's handler */
	LIFE_NOMEM,		/* the handler returns -ENOMEM */
	LIFE_REFUSED,		/* or something else but 0 */
	LIFE_TWICE,		/* twice at once, by mistake, while its handler runs */
	LIFE_HOWS
};

/**
 * struct life_state - a way for an id to be
 * @name: of the public state, and what distinguishes it
 * @state: CM_ID_*
 * @active: which side it plays
 * @infiniband: not on RoCE, which has no alternate paths
 * @xrc: the target of an XRC connection
 * @alone: no event can be queued behind a running handler: the first event's leads here
 * @attr: the parting message; 0: none
 * @reason: of a REJ
 * @rejected: of a REJ: REJ_OF_*
 * @answer: what the peer says next; 0: nothing
 * @answered: where that leads, CM_ID_*
 * @told: its event, or LIFE_NO_EVENT
 * @removed: the event of removal, or LIFE_NO_EVENT
 */
struct life_state {
	const char *name;
	unsigned int state;
	bool active;
	bool infiniband;
	bool xrc;
	bool alone;
	u16 attr;
	u16 reason;
	u8 rejected;
	u16 answer;
	unsigned int answered;
	int told;
	int removed;
};

extern const struct life_state life_states[];
extern const unsigned int life_nstates;

/**
 * struct life_fact - what was seen of one id
 * @state: how it was
 * @how: and the circumstance
 * @id: valid during the run
 * @ready: it got there
 * @sound: the holders were those of the state
 * @began: destroy was called; 0: what the handler returned ends the id
 * @ended: it returned
 * @opened: the gate was opened
 * @handler_end: its handler ended; 0: none ran
 * @running: a handler ran when destroy had returned
 * @before: events delivered before destroy was called
 * @returned: and when it returned
 * @after: and in the end
 * @types: of those that came after @before
 * @queued: events that waited when destroy was called
 * @found: a look-up finds it afterwards
 * @freed: ids fewer when destroy returned; where others come and go: 1
 * @posted: sends of the device uncompleted when it returned
 * @hits: sends that the fault struck since destroy was called
 * @overdue: of these, one was a repetition that the run asked for
 * @partings: messages that destroy sent
 * @replies: messages that answer the peer's last words
 * @requests: repetitions of the id's own request
 * @mad: the first parting message
 * @local_id: comm ids, numbers and TIDs of the connection
 * @peer_id: the peer's
 * @peer_qpn: the peer's
 * @tid: of the request
 * @dreq_tid: of the peer's DREQ that waits for its answer
 * @answer_tid: of the peer's last words
 * @guid: of the device, network order
 * @notified: ib_cm_notify() succeeded so often
 * @notify_odd: and returned a value that is not due so often
 * @notify_irq: and was called in hardirq context so often
 * @early: calls of destroy that returned while the handler ran
 * @side_ms: how long the other party of the race took
 */
struct life_fact {
	const struct life_state *state;
	enum life_how how;
	struct rig_id *id;
	bool ready;
	bool sound;
	ktime_t began;
	ktime_t ended;
	ktime_t opened;
	ktime_t handler_end;
	unsigned int running;
	unsigned int before;
	unsigned int returned;
	unsigned int after;
	int types[LIFE_EVENTS];
	unsigned int queued;
	bool found;
	long freed;
	unsigned long posted;
	unsigned int hits;
	unsigned int overdue;
	unsigned int partings;
	unsigned int replies;
	unsigned int requests;
	u8 mad[MAD_BYTES];
	u32 local_id;
	u32 peer_id;
	u32 peer_qpn;
	u64 tid;
	u64 dreq_tid;
	u64 answer_tid;
	u64 guid;
	unsigned int notified;
	unsigned int notify_odd;
	unsigned int notify_irq;
	unsigned int early;
	s64 side_ms;
};

/**
 * struct life_run - one device, all states, one circumstance
 * @test: who asked first
 * @rig: the device and its peer
 * @listener: whose handler meets new requests (runs with handlers that are held)
 * @how: the circumstance
 * @round: races are run several times
 * @facts: one for each state; @state NULL: it does not apply
 * @opened: the gate was opened
 */
struct life_run {
	struct kunit *test;
	struct rig *rig;
	struct rig_id *listener;
	enum life_how how;
	unsigned int round;
	struct life_fact *facts;
	ktime_t opened;
};

/* The next one whose state applies; NULL: there is none. */
static inline struct life_fact *life_next(const struct life_run *run, struct life_fact *f)
{
	for (f = f ? f + 1 : run->facts; f < run->facts + life_nstates; f++)
		if (f->state)
			return f;
	return NULL;
}

#define life_each(run, f)	for (f = life_next(run, NULL); f; f = life_next(run, f))

/* How a circumstance is run. */
struct life_recipe {
	unsigned int rounds;
	bool busy;	/* the id's handler is held at the gate */
	bool behind;	/* and events are queued behind it */
	u8 time;	/* time-outs of both sides */
	void (*prepare)(struct life_run *run);	/* before the ids are there */
	void (*strike)(struct life_run *run);	/* destroys them */
};

extern const struct life_recipe life_recipes[LIFE_HOWS];
bool life_applies(enum life_how how, const struct life_state *state, enum rdma_link_layer layer);

/* The facts of a circumstance: rounds times life_nstates. Runs it if nobody has. NULL: out of memory. */
const struct life_fact *life_facts(struct kunit *test, enum life_how how,
				   enum rdma_link_layer layer);
void life_forget(void);

/* Destroys the fact's id, in this thread. */
void life_destroy(struct life_fact *fact);
/* The same; no other id comes or goes meanwhile. */
void life_destroy_alone(struct life_fact *fact);
/* Takes what the peer has got, and tells parting messages from replies and repetitions. */
void life_read_wire(struct life_run *run);
/* Strangers' handlers take all workers until the gate opens. */
void life_strangers(struct life_run *run);

/*
 * The gate: where handlers are held. What they do when it opens is the
 * circumstance's; one run at a time.
 */
void life_gate_close(struct life_run *run);
void life_gate_open(struct life_run *run);
/* The hook of ids that are to be held there; run by rig.h. */
int life_gate_hook(struct rig_id *id, const struct rig_event *event);
bool life_gate_holds(struct rig_id *id);
/* When the handler of an id that was held had ended; 0: it has not, or was not held. */
ktime_t life_gate_left(struct rig_id *id);

/* Lines of the kernel log that say this; the last of them. life_log.c */
unsigned int life_log(const char *text, char *line, size_t size);

#define LIFE_CASE(name)	void name(struct kunit *test)

/* life_odd.c; the parameter is a link layer */
LIFE_CASE(life_listener_waits_for_its_handlers);
LIFE_CASE(life_share_returns_at_once);
LIFE_CASE(life_listener_leaves_children);
LIFE_CASE(life_listener_turns);
LIFE_CASE(life_listener_by_its_handler);
LIFE_CASE(life_share_by_its_handler);
LIFE_CASE(life_own_handler_again);
LIFE_CASE(life_listener_twice);
/* life_many.c */
LIFE_CASE(life_many);
LIFE_CASE(life_many_completed);
LIFE_CASE(life_many_completed_just_now);
LIFE_CASE(life_many_first_send);

#endif /* LIFE_H */
