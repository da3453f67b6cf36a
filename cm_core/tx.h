/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Outgoing messages.
 *
 * Owns: posting of datagrams and their completions, the budget of uncompleted
 * sends per port, the one outstanding request of an id (struct cm_request), its
 * timer and repetitions, the window of unanswered fresh requests per port.
 *
 * A send never pins an id: the MAD layer gets a copy, and its completion carries
 * the local comm id and the request's generation. The timer of a request and its
 * place in a queue hold a reference each, TIMER and PLACE, dropped by whoever takes
 * them away.
 *
 * Locks: id.lock -> cm_tx_port.lock (irq-safe). Neither is held when a datagram is posted.
 */
#ifndef CM_TX_H
#define CM_TX_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/workqueue.h>
#include <rdma/ib_mad.h>

#include "hold.h"
#include "msg.h"
#include "path.h"

struct cm_act;
struct cm_id;
struct cm_port;

/**
 * struct cm_tx_port - what a port has on its way out
 * @posted: datagrams handed to the MAD layer and not completed
 * @window: fresh requests on the wire that have neither been answered nor timed out
 * @lock: guards the queues
 * @due: ids whose timer has fired, by cm_id.req.node
 * @fresh: ids whose request waits for a place in the window, by cm_id.req.node
 * @deferred: datagrams that wait for the budget
 * @nwaiting: their number
 * @ndeferred: datagrams that wait for the budget or, as work items, for an address handle
 * @resolving: work items that make an address handle
 * @work: serves the queues in process context
 * @stopped: the port is going away
 */
struct cm_tx_port {
	atomic_t posted;
	atomic_t window;
	spinlock_t lock;
	struct list_head due;
	struct list_head fresh;
	struct list_head deferred;
	unsigned int nwaiting;
	unsigned int ndeferred;
	atomic_t resolving;
	struct work_struct work;
	bool stopped;
};

#define CM_PKEY_LOOKUP	0xffff

/**
 * struct cm_out - one datagram, by value
 * @av: where to; owns its GID reference; av.port NULL: nothing to send
 * @kind: for the counters
 * @retry: a repetition by the timer
 * @request: it is a request of @local_id: its completion is reported to the id
 * @local_id: host of the request, or 0
 * @gen: the request's generation
 * @pkey_index: for replies: the index it came in with; CM_PKEY_LOOKUP: look av.pkey up
 * @remote_qpn: the peer's CM queue pair, where it redirected us; 0: QP 1
 * @image: the datagram
 */
struct cm_out {
	struct cm_av av;
	enum cm_msg_kind kind;
	bool retry;
	bool request;
	__be32 local_id;
	u32 gen;
	u16 pkey_index;
	u32 remote_qpn;
	u8 image[CM_MAD_SIZE] __aligned(8);
};

/**
 * struct cm_request - the one request of an id that waits for its answer
 * @timer: fires when the answer is overdue; holds a reference while pending
 * @node: in cm_tx_port.due or .fresh (reference held); in REQ_NEW: in the listener's queue
 * @hold: REQUEST's receipt; with @active
 * @timed: TIMER's
 * @late: TIMER's of a callback that has not noticed yet that its timer was renewed
 * @placed: PLACE's; with @node in a queue of the port, under cm_tx_port.lock
 * @image: what to repeat, CM_MAD_SIZE bytes; NULL for a DREQ, rebuilt from the id
 * @gen: counts the requests of the id
 * @wait_ms: how long to wait for an answer
 * @port: number of the port in whose queue @node may be
 * @sends_left: repetitions left
 * @errors: sends in a row that completed with an error
 * @kind: the message
 * @active: the REQUEST holder: one reference
 * @queued: in .fresh, not on the wire yet
 * @windowed: occupies a place in the window
 * @uncompleted: the previous copy has not been completed by the HCA
 * @listed: @node may be in .due or .fresh; look under cm_tx_port.lock
 * All guarded by the id's lock, @node by cm_tx_port.lock.
 */
struct cm_request {
	struct timer_list timer;
	struct list_head node;
	struct cm_hold hold;
	struct cm_hold timed;
	struct cm_hold late;
	struct cm_hold placed;
	u8 *image;
	u32 gen;
	u32 wait_ms;
	u32 port;
	u8 sends_left;
	u8 errors;
	u8 kind;
	bool active : 1;
	bool queued : 1;
	bool windowed : 1;
	bool uncompleted : 1;
	bool listed : 1;
};

#define CM_SEND_ERRORS	3	/* sends in a row that fail before the request is given up */

/* Under the id's lock: */
/*
 * Starts the request whose first copy is in act->out: arms or queues it;
 * act->out.av is cleared when queued.
 */
void cm_req_begin(struct cm_act *act, enum cm_msg_kind kind, u8 *image, u8 retries, u32 wait_ms);
/* Ends it: answered or given up. References go to act->puts, the image to act->dead_image. */
void cm_req_end(struct cm_act *act);
/* Timer: spends a repetition, re-arms; fills act->out unless the last copy is uncompleted. */
void cm_req_repeat(struct cm_act *act);
/* Another copy now, in act->out, unless the last one is uncompleted; nothing is spent. */
void cm_req_again(struct cm_act *act);
/* MRA: this one wait lasts until now + ms. */
void cm_req_stretch(struct cm_id *id, u32 ms);
void cm_req_completed(struct cm_id *id, bool ok);
/* Is its answer overdue? False if the wait was ended, renewed or stretched meanwhile. */
bool cm_req_due(const struct cm_id *id, u32 gen);
/* Is request gen the outstanding one? */
bool cm_req_current(const struct cm_id *id, u32 gen);
/* May the request be sent again after a send error that is not counted yet? */
bool cm_req_errors_left(const struct cm_id *id);

/* Without locks: */
/*
 * Posts or defers. The AV in out is consumed. may_sleep: an address handle may be made here.
 * Returns 0; -ENOMEM: lost for want of memory or budget; other: refused.
 */
int cm_tx_post(struct cm_out *out, bool may_sleep);
void cm_tx_send_handler(struct ib_mad_agent *agent, struct ib_mad_send_wc *wc);

void cm_request_init(struct cm_id *id);
void cm_tx_port_init(struct cm_port *port);
void cm_tx_port_stop(struct cm_port *port);	/* may sleep; drops what is queued */
int cm_tx_init(void);
void cm_tx_exit(void);

#endif /* CM_TX_H */
