// SPDX-License-Identifier: GPL-2.0-only
/*
 * loop_hca: what does not happen at once. Owns the delayed datagrams of a port,
 * the one that waits to be overtaken, and the send completions to come.
 *
 * One delayed work per port brings whatever is due; the lists are in order of
 * time and, for the same time, of arrival. loop_port.lock guards all of it.
 */
#include <linux/jiffies.h>
#include <linux/slab.h>

#include "local.h"

#define LOOP_HELD_MS	100

/* A send completion to come. */
struct loop_receipt {
	struct list_head entry;
	unsigned long due;
	bool never;
	struct loop_qp *qp;
	struct ib_wc wc;
};

/* Not before ms have passed: the current tick does not count. */
static unsigned long loop_due(u32 ms)
{
	return jiffies + msecs_to_jiffies(ms) + 1;
}

static void loop_later_arm(struct loop_port *port)
{
	struct loop_parcel *parcel;
	struct loop_receipt *receipt;
	unsigned long due = jiffies + MAX_JIFFY_OFFSET, now = jiffies;
	bool any = false;

	lockdep_assert_held(&port->lock);
	parcel = list_first_entry_or_null(&port->parcels, struct loop_parcel, entry);
	if (parcel) {
		due = parcel->due;
		any = true;
	}
	receipt = list_first_entry_or_null(&port->receipts, struct loop_receipt, entry);
	if (receipt && !receipt->never && (!any || time_before(receipt->due, due))) {
		due = receipt->due;
		any = true;
	}
	if (port->held && (!any || time_before(port->held->due, due))) {
		due = port->held->due;
		any = true;
	}
	if (any)
		mod_delayed_work(loop_wq, &port->later, time_after(due, now) ? due - now : 0);
}

static struct loop_parcel *loop_parcel_make(const struct loop_packet *packet, unsigned int copies,
					    u32 ms)
{
	struct loop_parcel *parcel = kmalloc(sizeof(*parcel), GFP_ATOMIC);

	if (parcel) {
		parcel->packet = *packet;
		parcel->copies = copies;
		parcel->due = loop_due(ms);
	}
	return parcel;
}

/**
 * loop_later_packet - put a datagram on the wire after some time
 * @port: sender
 * @packet: complete
 * @copies: how often it is to arrive
 * @ms: how much later
 *
 * It is lost, and counted, if too many are on their way.
 *
 * Context: any.
 */
void loop_later_packet(struct loop_port *port, const struct loop_packet *packet,
		       unsigned int copies, u32 ms)
{
	struct loop_parcel *parcel = loop_parcel_make(packet, copies, ms), *before;
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	if (!parcel || port->parcel_count >= LOOP_MAX_LATE) {
		port->lost_late++;
		spin_unlock_irqrestore(&port->lock, flags);
		kfree(parcel);
		return;
	}
	list_for_each_entry_reverse(before, &port->parcels, entry)
		if (!time_after(before->due, parcel->due))
			break;
	list_add(&parcel->entry, &before->entry);
	port->parcel_count++;
	loop_later_arm(port);
	spin_unlock_irqrestore(&port->lock, flags);
}

/**
 * loop_later_hold - keep a datagram until the next one has been sent
 * @port: sender
 * @packet: complete
 * @copies: how often it is to arrive
 *
 * Context: any.
 * Return: false if it cannot be kept: send it
 */
bool loop_later_hold(struct loop_port *port, const struct loop_packet *packet, unsigned int copies)
{
	struct loop_parcel *parcel = loop_parcel_make(packet, copies, LOOP_HELD_MS);
	unsigned long flags;
	bool kept;

	spin_lock_irqsave(&port->lock, flags);
	kept = parcel && !port->held;
	if (kept) {
		port->held = parcel;
		loop_later_arm(port);
	}
	spin_unlock_irqrestore(&port->lock, flags);
	if (!kept)
		kfree(parcel);
	return kept;
}

/**
 * loop_later_overtaken - take the datagram that loop_later_hold() keeps
 * @port: sender
 *
 * Context: any.
 * Return: the caller's, to send after its own and to free; or NULL
 */
struct loop_parcel *loop_later_overtaken(struct loop_port *port)
{
	struct loop_parcel *parcel;
	unsigned long flags;

	if (!READ_ONCE(port->held))
		return NULL;
	spin_lock_irqsave(&port->lock, flags);
	parcel = port->held;
	port->held = NULL;
	spin_unlock_irqrestore(&port->lock, flags);
	return parcel;
}

/**
 * loop_later_complete - let a send complete after some time, or when it is released
 * @qp: of QP1
 * @wc: the completion
 * @ms: how much later
 * @never: not before it is released or the QP flushed
 *
 * Context: any.
 * Return: false if it is not to be remembered (no memory, QP in error, the fault's end
 * came meanwhile, after which nothing is released): complete it at once
 */
bool loop_later_complete(struct loop_qp *qp, const struct ib_wc *wc, u32 ms, bool never)
{
	struct loop_receipt *receipt = kmalloc(sizeof(*receipt), GFP_ATOMIC), *before;
	struct loop_port *port = qp->port;
	unsigned long flags;

	if (!receipt)
		return false;
	receipt->due = loop_due(ms);
	receipt->never = never;
	receipt->qp = qp;
	receipt->wc = *wc;
	spin_lock_irqsave(&port->lock, flags);
	if (qp->state == IB_QPS_ERR || (never && !port->knobs[LOOP_SEND_NEVER].rule.nth)) {
		spin_unlock_irqrestore(&port->lock, flags);
		kfree(receipt);
		return false;
	}
	if (never) {
		list_add_tail(&receipt->entry, &port->receipts);
	} else {
		list_for_each_entry_reverse(before, &port->receipts, entry)
			if (!before->never && !time_after(before->due, receipt->due))
				break;
		list_add(&receipt->entry, &before->entry);
		loop_later_arm(port);
	}
	spin_unlock_irqrestore(&port->lock, flags);
	return true;
}

static struct loop_cq *loop_receipt_complete(struct loop_receipt *receipt)
{
	struct loop_qp *qp = receipt->qp;
	struct loop_cq *cq;

	lockdep_assert_held(&qp->port->lock);
	list_del(&receipt->entry);
	cq = loop_cq_push(qp->ibqp.send_cq, &receipt->wc, true, &qp->port->sq_used);
	kfree(receipt);
	return cq;
}

static bool loop_receipt_due(const struct loop_receipt *receipt)
{
	return !receipt->never && time_after_eq(jiffies, receipt->due);
}

static void loop_later_receipts(struct loop_port *port)
{
	struct loop_receipt *receipt;
	struct loop_cq *cq;
	unsigned long flags;

	for (;;) {
		spin_lock_irqsave(&port->lock, flags);
		receipt = list_first_entry_or_null(&port->receipts, struct loop_receipt, entry);
		if (!receipt || !loop_receipt_due(receipt))
			break;
		cq = loop_receipt_complete(receipt);
		spin_unlock_irqrestore(&port->lock, flags);
		loop_cq_notify(cq);
	}
	spin_unlock_irqrestore(&port->lock, flags);
}

static struct loop_parcel *loop_later_due(struct loop_port *port)
{
	struct loop_parcel *parcel;
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	parcel = list_first_entry_or_null(&port->parcels, struct loop_parcel, entry);
	if (parcel && time_after_eq(jiffies, parcel->due)) {
		list_del(&parcel->entry);
		port->parcel_count--;
	} else {
		parcel = NULL;
		if (port->held && time_after_eq(jiffies, port->held->due)) {
			parcel = port->held;
			port->held = NULL;
		}
	}
	spin_unlock_irqrestore(&port->lock, flags);
	return parcel;
}

static void loop_later_work(struct work_struct *work)
{
	struct loop_port *port = container_of(to_delayed_work(work), struct loop_port, later);
	struct loop_parcel *parcel;
	unsigned long flags;

	while ((parcel = loop_later_due(port))) {
		while (parcel->copies--)
			loop_wire_send(port->end.layer, &parcel->packet);
		kfree(parcel);
	}
	loop_later_receipts(port);
	spin_lock_irqsave(&port->lock, flags);
	loop_later_arm(port);
	spin_unlock_irqrestore(&port->lock, flags);
}

/**
 * loop_later_release - let withheld sends complete
 * @port: whose
 * @all: also those that only are late
 *
 * Context: any; the port's lock is not held.
 */
void loop_later_release(struct loop_port *port, bool all)
{
	struct loop_receipt *receipt, *found;
	struct loop_cq *cq;
	unsigned long flags;

	do {
		cq = NULL;
		found = NULL;
		spin_lock_irqsave(&port->lock, flags);
		list_for_each_entry(receipt, &port->receipts, entry) {
			if (all || receipt->never) {
				found = receipt;
				break;
			}
		}
		if (found)
			cq = loop_receipt_complete(found);
		spin_unlock_irqrestore(&port->lock, flags);
		loop_cq_notify(cq);
	} while (found);
}

/**
 * loop_later_flush_one - complete one outstanding send of a QP as flushed
 * @port: whose
 * @qp: in error, or about to go
 *
 * Context: any; the port's lock is not held.
 * Return: false if there was none
 */
bool loop_later_flush_one(struct loop_port *port, struct loop_qp *qp)
{
	struct loop_receipt *receipt, *found = NULL;
	struct loop_cq *cq = NULL;
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	list_for_each_entry(receipt, &port->receipts, entry) {
		if (receipt->qp == qp) {
			found = receipt;
			break;
		}
	}
	if (found) {
		found->wc.status = IB_WC_WR_FLUSH_ERR;
		cq = loop_receipt_complete(found);
	}
	spin_unlock_irqrestore(&port->lock, flags);
	loop_cq_notify(cq);
	return found;
}

/**
 * loop_later_init - set up a port's part
 * @port: new
 *
 * Context: any.
 */
void loop_later_init(struct loop_port *port)
{
	INIT_LIST_HEAD(&port->parcels);
	INIT_LIST_HEAD(&port->receipts);
	INIT_DELAYED_WORK(&port->later, loop_later_work);
}

/**
 * loop_later_fini - nothing comes any more
 * @port: without a QP
 *
 * Context: process, sleeps.
 */
void loop_later_fini(struct loop_port *port)
{
	struct loop_parcel *parcel, *next;

	cancel_delayed_work_sync(&port->later);
	WARN_ON(!list_empty(&port->receipts));
	list_for_each_entry_safe(parcel, next, &port->parcels, entry)
		kfree(parcel);
	kfree(port->held);
}
