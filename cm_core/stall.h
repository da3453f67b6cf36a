/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A device that completes nothing.
 *
 * Owns: struct cm_stall_port: when a port's sends last made progress, and which
 * ids were destroyed while they made none. Destroy does not wait for such a
 * device; that it is there is worth a line in the log, one for all of them.
 *
 * Locks: cm_stall_port.lock is a leaf. References: none; the work item ends with
 * the port.
 */
#ifndef CM_STALL_H
#define CM_STALL_H

#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include "generated/cm_model.h"

struct cm_port;

/**
 * struct cm_stall_port - of a port
 * @progress: jiffies of the last completion, or of the first send that had none before it
 * @lock: guards the rest
 * @work: reports
 * @reported: jiffies of the last report, 0: none
 * @first: jiffies of the first of the ids that are to be reported
 * @longest: jiffies without a completion, when one of them was destroyed
 * @fresh: there are more of them than a moment ago
 * @pending: a report is due
 * @stopped: the port is going
 * @ended: ids destroyed since the last report, by the state that destroy met
 */
struct cm_stall_port {
	unsigned long progress;
	spinlock_t lock;
	struct delayed_work work;
	unsigned long reported;
	unsigned long first;
	unsigned long longest;
	bool fresh;
	bool pending;
	bool stopped;
	unsigned int ended[CM_ID_STATES];
};

/* A send is about to be posted; the first of those that are uncompleted if there is none. */
void cm_stall_posting(struct cm_port *port);
void cm_stall_completed(struct cm_port *port);
/* An id whose path leaves through the port was destroyed in a state. */
void cm_stall_destroyed(struct cm_port *port, u8 state);
void cm_stall_init(struct cm_port *port);
void cm_stall_stop(struct cm_port *port);	/* sleeps; what was not reported is */

#endif /* CM_STALL_H */
