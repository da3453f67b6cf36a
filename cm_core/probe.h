/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What tests may see and touch of the inside. Built with CM_DEBUG=y only.
 *
 * Owns: the counters of cells, the sink of failed assertions, and copies of an
 * id's inside for those who hold its public handle.
 */
#ifndef CM_PROBE_H
#define CM_PROBE_H

#include <rdma/ib_cm.h>

/**
 * struct cm_probe_view - an id, as it is under its lock
 * @state: CM_ID_* of generated/cm_model.h
 * @holders: CM_ID_HOLD_*, read from the facts; counted and uncounted
 * @want: the exact set that the state declares
 * @refs: references at this moment
 * @events: queued, not yet delivered
 * @runner: a runner is queued or running
 * @request: a request awaits its answer
 * @queued: it waits for a place in the port's window, no timer runs
 * @armed: its timer runs
 * @kind: enum cm_msg_kind of the request
 * @sends_left: copies that may still be sent
 * @wait_ms: until its timer fires, rounded up; 0 if not armed
 * @gen: counts attempts
 * @local_id: host order
 * @remote_id: host order
 * @remote_qpn: host order
 * @timewait: the id's record is in timewait, its time runs
 * @timewait_ms: until it is over
 * @shares: of a listener: who own it
 */
struct cm_probe_view {
	u8 state;
	u32 holders;
	u32 want;
	unsigned int refs;
	u8 events;
	bool runner;
	bool request;
	bool queued;
	bool armed;
	u8 kind;
	u8 sends_left;
	u32 wait_ms;
	u32 gen;
	u32 local_id;
	u32 remote_id;
	u32 remote_qpn;
	bool timewait;
	u32 timewait_ms;
	unsigned int shares;
};

/* Any context; the caller owns the id. */
void cm_probe_view(struct ib_cm_id *cm_id, struct cm_probe_view *view);
/* Names of the model: machine 0 id, 1 share, 2 timewait record. NULL past the end. */
const char *cm_probe_state_name(unsigned int machine, unsigned int state);
const char *cm_probe_event_name(unsigned int machine, unsigned int event);
/* How often a cell was asked since the module was loaded or cm_probe_hits_clear(). */
unsigned long cm_probe_hits(unsigned int machine, unsigned int event, unsigned int state);
void cm_probe_hits_clear(void);
/* The event of the last cell that this machine was asked for, and the state that it met; event 0xff: none since the clear. */
void cm_probe_last(unsigned int machine, u8 *event, u8 *state);

/* What is told when an assertion of holders fails. NULL: WARN_ONCE again. Counting does not stop. */
typedef void (*cm_probe_sink_t)(void *context, unsigned int state, u32 want, u32 seen);
void cm_probe_sink(cm_probe_sink_t sink, void *context);
unsigned long cm_probe_violations(void);
/* Run the assertion now, under the id's lock, as after a transition. True: it held. */
bool cm_probe_assert(struct ib_cm_id *cm_id);

/* References of an id, as the owning files take and drop them: LOOKUPs that no report names. */
void cm_probe_get(struct ib_cm_id *cm_id);
bool cm_probe_get_live(struct ib_cm_id *cm_id);
void cm_probe_put(struct ib_cm_id *cm_id);
/* One that a report names; one at a time. */
void cm_probe_hold(struct ib_cm_id *cm_id);
void cm_probe_unhold(struct ib_cm_id *cm_id);
/* The kernel's report of who holds an id: its length; -EOPNOTSUPP: it does not track references. */
int cm_probe_holders(struct ib_cm_id *cm_id, char *text, size_t size);
/*
 * Let an event happen to an id, for cells that only a race meets; NULL: to none.
 * What cm_act_run() returns. Rows whose verbs need a datagram are not for this.
 */
int cm_probe_happen(struct ib_cm_id *cm_id, unsigned int event);
/* The time-out of request gen is dealt with now, as if its timer had fired. The caller owns the id. */
void cm_probe_overdue(struct ib_cm_id *cm_id, u32 gen);
/* Look-up by local comm id (host order); holds a LOOKUP. NULL: not visible. */
struct ib_cm_id *cm_probe_find(u32 local_id);
/*
 * The next message for the id's number finds it, as if the look-up had begun before the id was destroyed. Until then
 * the caller has a reference. NULL: no more.
 */
void cm_probe_find_dead(struct ib_cm_id *cm_id);
/* The device's removal comes upon the id's listener. The caller has a reference. */
void cm_probe_retract(struct ib_cm_id *cm_id);
/* The number (host order) that the next id gets, if it is free; also 0, which nobody gets. */
void cm_probe_next_local(u32 local_id);
/* Let so many handlers run at once, of all ids; 0: as many as they get. Sleeps. */
void cm_probe_workers(unsigned int n);
/* As if a port's latest completion had been so much earlier. */
void cm_probe_stall(struct ib_device *ibdev, u32 port, int seconds);
/* As if the address handles of a port had not been used for so much longer; and look for idle ones now. */
void cm_probe_ah_age(struct ib_device *ibdev, u32 port, unsigned int seconds);
void cm_probe_ah_look(struct ib_device *ibdev, u32 port);
/* A counter of a port by its name in debugfs; -1: none is called so. */
long cm_probe_count(struct ib_device *ibdev, u32 port, const char *name);
/* Lie about a fact until told otherwise: the id claims not to have (or to have) these holders. Seeds a violation. */
void cm_probe_lie(struct ib_cm_id *cm_id, u32 flip);

/* Of all devices; all 0 at rest. Ids and records count until their memory is given up. */
struct cm_probe_totals {
	unsigned long ids;
	unsigned long records;
	unsigned long timewait;
	unsigned long listeners;
	unsigned long posted;
	unsigned long queued;
	unsigned long runners;
};
void cm_probe_totals(struct cm_probe_totals *totals);
/*
 * Of a port: a counter by its name in debugfs, or what it has now: "posted", "deferred", "resolving" (requests),
 * "ah_shared". -ENODEV: no such port, -EINVAL: no such name.
 */
long cm_probe_counter(struct ib_device *ibdev, u32 port, const char *name);
/* Wait until no handler runs and no message is being prepared, a second at most. Sleeps. */
bool cm_probe_settle(void);

#endif /* CM_PROBE_H */
