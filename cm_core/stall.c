// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * A device that completes nothing: see stall.h.
 *
 * Owns: struct cm_stall_port. A report comes when no id more was destroyed for a
 * second, or after half a minute, so that thousands of them are one line; and a
 * minute after the report before.
 */
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "generated/cm_tables.h"
#include "port.h"
#include "stall.h"

#define CM_STALL_AFTER	(10 * HZ)	/* without a completion */
#define CM_STALL_GATHER	HZ
#define CM_STALL_LATEST	(30 * HZ)
#define CM_STALL_AGAIN	(60 * HZ)

/**
 * cm_stall_posting - a send is about to be posted
 * @port: where; not counted in tx.posted yet
 *
 * Context: any.
 */
void cm_stall_posting(struct cm_port *port)
{
	if (!atomic_read(&port->tx.posted))
		WRITE_ONCE(port->stall.progress, jiffies);
}

/**
 * cm_stall_completed - the device has completed a send, one way or the other
 * @port: where
 *
 * Context: any.
 */
void cm_stall_completed(struct cm_port *port)
{
	WRITE_ONCE(port->stall.progress, jiffies);
}

/* Since when, or 0: it works. */
static unsigned long cm_stalled_for(const struct cm_port *port)
{
	long since;

	/* In this order: who posts the first one notes the time before it counts */
	if (!atomic_read(&port->tx.posted))
		return 0;
	smp_rmb(); /* pairs with the exchange that counts it, in cm_tx_take() */
	/* Negative: a completion came between the two reads */
	since = jiffies - READ_ONCE(port->stall.progress);
	return since >= CM_STALL_AFTER ? since : 0;
}

/**
 * cm_stall_destroyed - an id was destroyed
 * @port: where its path leaves
 * @state: CM_ID_*, which destroy met
 *
 * Context: any.
 */
void cm_stall_destroyed(struct cm_port *port, u8 state)
{
	struct cm_stall_port *stall = &port->stall;
	unsigned long delay = CM_STALL_GATHER, stalled = cm_stalled_for(port), since, flags;

	if (!stalled)
		return;
	cm_stat_count(port, CM_COUNT_STALLED);
	spin_lock_irqsave(&stall->lock, flags);
	stall->ended[state]++;
	stall->fresh = true;
	stall->longest = max(stall->longest, stalled);
	if (!stall->pending && !stall->stopped) {
		since = jiffies - stall->reported;
		if (stall->reported && since < CM_STALL_AGAIN)
			delay = max(delay, CM_STALL_AGAIN - since);
		stall->pending = true;
		stall->first = jiffies;
		schedule_delayed_work(&stall->work, delay);
	}
	spin_unlock_irqrestore(&stall->lock, flags);
}

static void cm_stall_report(struct cm_port *port)
{
	struct cm_stall_port *stall = &port->stall;
	unsigned int ended[CM_ID_STATES], state, n = 0;
	unsigned long longest;
	char text[320];
	int len = 0;

	spin_lock_irq(&stall->lock);
	memcpy(ended, stall->ended, sizeof(ended));
	memset(stall->ended, 0, sizeof(stall->ended));
	longest = stall->longest;
	stall->longest = 0;
	stall->pending = false;
	stall->reported = jiffies;
	spin_unlock_irq(&stall->lock);

	for (state = 0; state < CM_ID_STATES; state++) {
		if (!ended[state])
			continue;
		len += scnprintf(text + len, sizeof(text) - len, "%s%u %s", n ? ", " : "",
				 ended[state], cm_id_state_names[state]);
		n += ended[state];
	}
	if (n)
		pr_warn("ib_cm: %s port %u: the device completed no send for %u s; %u ids destroyed meanwhile: %s\n",
			dev_name(&port->dev->ibdev->dev), port->num,
			jiffies_to_msecs(longest) / 1000, n, text);
}

/* More of them are coming: they belong to the same line. */
static bool cm_stall_gathers(struct cm_stall_port *stall)
{
	bool more;

	spin_lock_irq(&stall->lock);
	more = stall->fresh && !stall->stopped &&
	       time_before(jiffies, stall->first + CM_STALL_LATEST);
	stall->fresh = false;
	if (more)
		schedule_delayed_work(&stall->work, CM_STALL_GATHER);
	spin_unlock_irq(&stall->lock);
	return more;
}

static void cm_stall_work(struct work_struct *work)
{
	struct cm_stall_port *stall = container_of(to_delayed_work(work), struct cm_stall_port,
						   work);

	if (!cm_stall_gathers(stall))
		cm_stall_report(container_of(stall, struct cm_port, stall));
}

/**
 * cm_stall_init - a new port
 * @port: the port
 *
 * Context: any.
 */
void cm_stall_init(struct cm_port *port)
{
	spin_lock_init(&port->stall.lock);
	INIT_DELAYED_WORK(&port->stall.work, cm_stall_work);
}

/**
 * cm_stall_stop - the port goes
 * @port: the port; its device is still there
 *
 * Context: sleeps.
 */
void cm_stall_stop(struct cm_port *port)
{
	struct cm_stall_port *stall = &port->stall;

	spin_lock_irq(&stall->lock);
	stall->stopped = true;
	spin_unlock_irq(&stall->lock);
	cancel_delayed_work_sync(&stall->work);
	cm_stall_report(port);
}
