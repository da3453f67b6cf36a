/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Delivery of events to an id's consumer.
 *
 * Owns: the ring of an id (cm_id.ev), its runner, the call of the handler.
 *
 * One runner per id at most; it holds one EVENT reference from the moment that
 * it is queued to its end. The handler runs without locks, one event at a time,
 * in order. A non-zero return applies the HANDLER_* rows.
 */
#ifndef CM_EVENT_H
#define CM_EVENT_H

#include <linux/workqueue.h>
#include <rdma/ib_cm.h>
#include <rdma/ib_mad.h>

#include "hold.h"

struct cm_act;
struct cm_id;
struct cm_port;

/*
 * Slots: a datagram is taken only while it leaves two free, a timer's event
 * only while it leaves one, removal takes the last.
 */
#define CM_EVENT_RING	8


/**
 * struct cm_events - the ring
 * @work: the runner; in REQ_NEW and SIDR_NEW it resolves the peer first
 * @task: the task that runs the handler now
 * @hold: EVENT's receipt; with @runner
 * @turn_hold: LISTENER's, of @turn
 * @turn: the listener (LISTENER reference) whose handler the claimed request gets
 * @wc: the datagrams; NULL: made from the id alone
 * @type: enum ib_cm_event_type of each
 * @aux: send status, or reject reason of an event without datagram
 * @port: of a claimed request's datagram
 * @head: the oldest
 * @count: how many
 * @runner: a runner is queued or running
 * @claimed: a request that its listener's consumer has not got: its datagram is wc[0], count is 0
 * @resolved: and its way back is known
 */
struct cm_events {
	struct work_struct work;
	struct cm_hold hold;
	struct cm_hold turn_hold;
	struct task_struct *task;
	struct cm_id *turn;
	struct ib_mad_recv_wc *wc[CM_EVENT_RING];
	u8 type[CM_EVENT_RING];
	u8 aux[CM_EVENT_RING];
	u32 port;
	u8 head;
	u8 count;
	bool runner;
	bool claimed;
	bool resolved;
};

void cm_events_init(struct cm_id *id);
/* Under the id's lock: room for an event of that priority? */
enum cm_event_rank { CM_EVENT_MESSAGE, CM_EVENT_TIMER, CM_EVENT_REMOVAL };
bool cm_event_room(const struct cm_id *id, enum cm_event_rank rank);
/* Under the id's lock: takes act->wc if with_wc. */
void cm_event_queue(struct cm_act *act, enum ib_cm_event_type type, bool with_wc, u8 aux);
/* Under the id's lock: takes what is queued away (datagrams to act, freed after the lock). */
void cm_event_discard(struct cm_act *act);
/* After the lock. */
void cm_event_kick(struct cm_id *id);
/* After the lock, on destroy: takes back a queued runner; drops its reference. */
void cm_event_cancel(struct cm_id *id);
/*
 * Receive path: publishes a claimed request, starts its resolution and delivery;
 * takes wc. false: its device is leaving.
 */
bool cm_event_start(struct cm_id *id, struct cm_port *port, struct ib_mad_recv_wc *wc);
/* Under the id's lock: the datagram of a claimed request becomes the first event. */
void cm_event_queue_first(struct cm_id *id, enum ib_cm_event_type type);
/* A claimed request's turn has come (listen.c): queues its runner again. */
void cm_event_turn(struct cm_id *id, struct cm_id *listener);
/* And is taken back, unless its runner has begun. */
bool cm_event_take_back(struct cm_id *id);
/* A claimed request will not be delivered: ends it, and its runner's reference. */
void cm_event_refuse(struct cm_id *id, u8 event);

int cm_event_init(void);
void cm_event_exit(void);

#endif /* CM_EVENT_H */
