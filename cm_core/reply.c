// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Answers without an id.
 *
 * Owns: the replies in preparation.
 *
 * Lock order: cm_reply_port.lock is a leaf, irq-safe.
 *
 * References: a reply in preparation holds the device and owns its datagram;
 * cm_reply_port.pending counts it until both are given back, so that the
 * ib_device is there as long as a reply needs it.
 *
 * The way back is resolved here and not where the datagram came in, because on
 * RoCE that may sleep. A peer gets at most one answer per datagram of its own,
 * and all peers of a port together no more than rate and bound allow.
 */
#include <linux/jiffies.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "params.h"
#include "path.h"
#include "port.h"
#include "trace.h"
#include "tx.h"

struct cm_reply {
	struct work_struct work;
	struct cm_port *port;
	struct ib_mad_recv_wc *wc;
	struct cm_out out;
};

static struct workqueue_struct *cm_reply_wq;

/* May one more be prepared? Counts it in if so. */
static bool cm_reply_admit(struct cm_reply_port *rp)
{
	unsigned long flags, now;
	bool ok = false;
	u64 max;

	spin_lock_irqsave(&rp->lock, flags);
	now = jiffies;
	max = (u64)CM_REPLY_BURST * HZ;
	rp->credit = min(rp->credit + (u64)(now - rp->stamp) * READ_ONCE(cm_reply_rate), max);
	rp->stamp = now;
	if (!rp->stopped && rp->pending < CM_REPLY_PENDING && rp->credit >= HZ) {
		rp->credit -= HZ;
		rp->pending++;
		ok = true;
	}
	spin_unlock_irqrestore(&rp->lock, flags);
	return ok;
}

static void cm_reply_done(struct cm_port *port)
{
	struct cm_reply_port *rp = &port->reply;
	unsigned long flags;

	spin_lock_irqsave(&rp->lock, flags);
	if (!--rp->pending)
		wake_up(&rp->idle);
	spin_unlock_irqrestore(&rp->lock, flags);
}

static void cm_reply_work(struct work_struct *work)
{
	struct cm_reply *reply = container_of(work, struct cm_reply, work);
	struct cm_port *port = reply->port;
	int err = -ENODEV;

	if (!READ_ONCE(port->reply.stopped))
		err = cm_av_from_wc(&reply->out.av, port, reply->wc);
	reply->out.pkey_index = reply->wc->wc->pkey_index;
	ib_free_recv_mad(reply->wc);
	if (err)
		cm_stat_count(port, CM_COUNT_REPLY_DROPPED);
	else
		cm_tx_post(&reply->out, true);	/* counts what it drops */
	kfree(reply);
	cm_reply_done(port);
	cm_device_put(port->dev);
}

/**
 * cm_reply - answer a datagram that no id answers
 * @port: where it came in
 * @wc: the datagram; taken
 * @kind: what the answer is
 * @image: the answer, CM_MAD_SIZE bytes; copied
 *
 * Context: any. The caller holds the device or is a MAD handler of the port.
 */
void cm_reply(struct cm_port *port, struct ib_mad_recv_wc *wc, enum cm_msg_kind kind,
	      const void *image)
{
	struct cm_reply *reply;

	if (!cm_reply_admit(&port->reply))
		goto drop;
	reply = kzalloc(sizeof(*reply), GFP_ATOMIC | __GFP_NOWARN);
	if (!reply) {
		cm_reply_done(port);
		goto drop;
	}
	INIT_WORK(&reply->work, cm_reply_work);
	reply->port = port;
	reply->wc = wc;
	reply->out.kind = kind;
	memcpy(reply->out.image, image, CM_MAD_SIZE);
	cm_trace_reply(kind, (const struct ib_mad *)wc->recv_buf.mad);
	cm_device_hold(port->dev);
	queue_work(cm_reply_wq, &reply->work);
	return;
drop:
	ib_free_recv_mad(wc);
	cm_stat_count(port, CM_COUNT_REPLY_DROPPED);
}

/**
 * cm_reply_port_init - prepare a port
 * @port: the port
 *
 * Context: any.
 */
void cm_reply_port_init(struct cm_port *port)
{
	struct cm_reply_port *rp = &port->reply;

	spin_lock_init(&rp->lock);
	init_waitqueue_head(&rp->idle);
	rp->credit = (u64)CM_REPLY_BURST * HZ;
	rp->stamp = jiffies;
}

/**
 * cm_reply_port_stop - no more replies
 * @port: the port; its ib_device is still there
 *
 * Context: process; sleeps until replies in preparation are posted or dropped,
 * which an address resolution (RoCE, about a second) may delay.
 */
void cm_reply_port_stop(struct cm_port *port)
{
	struct cm_reply_port *rp = &port->reply;
	unsigned long flags;

	spin_lock_irqsave(&rp->lock, flags);
	WRITE_ONCE(rp->stopped, true);
	spin_unlock_irqrestore(&rp->lock, flags);
	wait_event(rp->idle, !READ_ONCE(rp->pending));
}

/**
 * cm_reply_init - prepare the module's part
 *
 * Context: process; may sleep.
 * Return: 0 or -ENOMEM.
 */
int cm_reply_init(void)
{
	cm_reply_wq = alloc_workqueue("ib_cm_reply", WQ_UNBOUND, 0);
	return cm_reply_wq ? 0 : -ENOMEM;
}

/**
 * cm_reply_exit - undo cm_reply_init()
 *
 * Context: process; may sleep. Every port is stopped.
 */
void cm_reply_exit(void)
{
	destroy_workqueue(cm_reply_wq);
}
