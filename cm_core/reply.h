/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Answers without an id: REJ of an unknown service or comm id, DREP without a
 * connection, SIDR status.
 *
 * Owns: the replies in preparation, their bound and their rate.
 * An answer is a courtesy: whatever stands in its way drops it, counted.
 */
#ifndef CM_REPLY_H
#define CM_REPLY_H

#include <linux/spinlock.h>
#include <linux/wait.h>
#include <rdma/ib_mad.h>

#include "stats.h"

struct cm_port;

#define CM_REPLY_PENDING	128	/* replies of a port in preparation */
#define CM_REPLY_BURST		256	/* replies of a port that may follow at once */

/**
 * struct cm_reply_port - replies of a port
 * @lock: guards the rest; irq-safe, a leaf
 * @idle: woken when the last reply is done
 * @pending: replies in preparation
 * @credit: replies that the rate allows now, in units of 1/HZ
 * @stamp: jiffies of the last refill
 * @stopped: the port is going away: every reply is dropped
 */
struct cm_reply_port {
	spinlock_t lock;
	wait_queue_head_t idle;
	unsigned int pending;
	u64 credit;
	unsigned long stamp;
	bool stopped;
};

/* Answers the datagram wc with image (CM_MAD_SIZE bytes, copied). Any context; takes wc. */
void cm_reply(struct cm_port *port, struct ib_mad_recv_wc *wc, enum cm_msg_kind kind,
	      const void *image);

void cm_reply_port_init(struct cm_port *port);
/* Drops what comes from now on and waits for what is in preparation. */
void cm_reply_port_stop(struct cm_port *port);
int cm_reply_init(void);
void cm_reply_exit(void);

#endif /* CM_REPLY_H */
