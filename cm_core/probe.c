// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * The tests' view of the inside: see probe.h. In builds with CM_DEBUG=y only.
 *
 * Owns: the counters of cells, the sink of failed assertions, the lies.
 *
 * Lock order: cm_probe_lock is a leaf, inside cm_id.lock. References: those of
 * the caller; cm_probe_find() hands out a LOOKUP.
 */
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/export.h>
#include <linux/jiffies.h>
#include <linux/seq_file.h>
#include <linux/spinlock.h>

#include "apply.h"
#include "generated/cm_tables.h"
#include "id.h"
#include "listen.h"
#include "lookup.h"
#include "port.h"
#include "probe.h"
#include "probe_hook.h"
#include "stats.h"
#include "timewait.h"

/* The model's sizes differ by machine: the largest serves all. */
#define CM_PROBE_EVENTS	128
#define CM_PROBE_STATES	64
#define CM_PROBE_LIES	8
#define CM_PROBE_NONE	0xff

static_assert(CM_ID_EVENTS <= CM_PROBE_EVENTS && CM_ID_STATES <= CM_PROBE_STATES);
static_assert(CM_SHARE_EVENTS <= CM_PROBE_EVENTS && CM_SHARE_STATES <= CM_PROBE_STATES);
static_assert(CM_TW_EVENTS <= CM_PROBE_EVENTS && CM_TW_STATES <= CM_PROBE_STATES);

static DEFINE_SPINLOCK(cm_probe_lock);
/* Since the load, and how much of it cm_probe_hits() leaves out. */
static atomic_long_t cm_probe_hit[CM_MACHINES][CM_PROBE_EVENTS][CM_PROBE_STATES];
static long cm_probe_forgotten[CM_MACHINES][CM_PROBE_EVENTS][CM_PROBE_STATES];
static u16 cm_probe_latest[CM_MACHINES] = { 0xffff, 0xffff, 0xffff };
static cm_probe_sink_t cm_probe_sink_fn;
static void *cm_probe_sink_context;
static struct cm_id *cm_probe_dead;
static atomic_long_t cm_probe_violated = ATOMIC_LONG_INIT(0);
static atomic_long_t cm_probe_ids = ATOMIC_LONG_INIT(0);
static atomic_long_t cm_probe_records = ATOMIC_LONG_INIT(0);

static struct {
	const struct cm_id *id;
	u32 flip;
} cm_probe_lies[CM_PROBE_LIES];

/* ---- hooks ---- */

/**
 * cm_probe_cell - a machine was asked for a cell
 * @machine: which
 * @event: column
 * @state: row
 *
 * Context: any.
 */
void cm_probe_cell(enum cm_machine machine, u8 event, u8 state)
{
	atomic_long_inc(&cm_probe_hit[machine][event][state]);
	WRITE_ONCE(cm_probe_latest[machine], event << 8 | state);
}

/**
 * cm_probe_lied - what an assertion is to see
 * @id: of whom
 * @seen: the truth
 *
 * Context: any; the id's lock is held.
 * Return: @seen, with what a test asked to be lied about.
 */
u32 cm_probe_lied(const struct cm_id *id, u32 seen)
{
	unsigned int i;

	for (i = 0; i < CM_PROBE_LIES; i++)
		if (READ_ONCE(cm_probe_lies[i].id) == id)
			seen ^= cm_probe_lies[i].flip;
	return seen;
}

/**
 * cm_probe_told - an assertion of holders failed
 * @id: of whom
 * @seen: what it saw
 *
 * Context: any; the id's lock is held.
 * Return: true if a test's sink took it, so that nothing is to be logged.
 */
bool cm_probe_told(const struct cm_id *id, u32 seen)
{
	cm_probe_sink_t sink;
	void *context;
	unsigned long flags;

	atomic_long_inc(&cm_probe_violated);
	spin_lock_irqsave(&cm_probe_lock, flags);
	sink = cm_probe_sink_fn;
	context = cm_probe_sink_context;
	if (sink)
		sink(context, id->state, cm_id_want[id->state], seen);
	spin_unlock_irqrestore(&cm_probe_lock, flags);
	return sink;
}

/**
 * cm_probe_looked_up - whom a look-up finds that began before
 * @local_id: the number, which nobody has now
 * @hold: of the reference
 *
 * Context: any.
 * Return: the id that a test has chosen, once, with a LOOKUP reference; NULL: nobody.
 */
struct cm_id *cm_probe_looked_up(__be32 local_id, struct cm_hold *hold)
{
	struct cm_id *id;
	unsigned long flags;

	if (!READ_ONCE(cm_probe_dead))
		return NULL;
	spin_lock_irqsave(&cm_probe_lock, flags);
	id = cm_probe_dead;
	if (id && id->pub.local_id == local_id &&
	    cm_id_get_live(id, CM_REF_LOOKUP, hold))
		cm_probe_dead = NULL;
	else
		id = NULL;
	spin_unlock_irqrestore(&cm_probe_lock, flags);
	return id;
}

/**
 * cm_probe_live - objects come and go
 * @ids: ids more
 * @records: records more
 *
 * Context: any.
 */
void cm_probe_live(long ids, long records)
{
	atomic_long_add(ids, &cm_probe_ids);
	atomic_long_add(records, &cm_probe_records);
}

/* ---- what tests call ---- */

static u32 cm_probe_left_ms(unsigned long expires)
{
	return time_after(expires, jiffies) ? jiffies_to_msecs(expires - jiffies) : 1;
}

static unsigned int cm_probe_shares(const struct cm_id *id)
{
	const struct cm_listener *listener = READ_ONCE(id->listener);
	unsigned int shares;
	unsigned long flags;

	if (!listener)
		return 0;
	spin_lock_irqsave(&id->dev->listeners.lock, flags);
	shares = listener->shares;
	spin_unlock_irqrestore(&id->dev->listeners.lock, flags);
	return shares;
}

/**
 * cm_probe_view - copy what an id is like
 * @cm_id: the caller's
 * @view: filled
 *
 * Context: any.
 */
void cm_probe_view(struct ib_cm_id *cm_id, struct cm_probe_view *view)
{
	struct cm_id *id = to_cm_id(cm_id);
	struct cm_rec *rec;
	unsigned long flags;

	memset(view, 0, sizeof(*view));
	view->shares = cm_probe_shares(id);
	spin_lock_irqsave(&id->lock, flags);
	view->state = id->state;
	view->holders = cm_id_holders(id);
	view->want = cm_id_want[id->state];
	view->refs = refcount_read(&id->refs);
	view->events = id->ev.count;
	view->runner = id->ev.runner;
	view->request = id->req.active;
	view->queued = id->req.queued;
	view->armed = timer_pending(&id->req.timer);
	view->kind = id->req.kind;
	view->sends_left = id->req.active ? id->req.sends_left : 0;
	if (view->armed)
		view->wait_ms = cm_probe_left_ms(id->req.timer.expires);
	view->gen = id->req.gen;
	view->local_id = be32_to_cpu(id->pub.local_id);
	view->remote_id = be32_to_cpu(id->pub.remote_id);
	view->remote_qpn = id->remote_qpn;
	rec = id->rec;
	if (rec) {
		spin_lock(&rec->port->tw.lock);
		view->timewait = !list_empty(&rec->expiry);
		/* Records keep the low half of jiffies: enough for the difference */
		if (view->timewait)
			view->timewait_ms = max_t(s32, 1, rec->expires - (u32)jiffies) * MSEC_PER_SEC / HZ;
		spin_unlock(&rec->port->tw.lock);
	}
	spin_unlock_irqrestore(&id->lock, flags);
}
EXPORT_SYMBOL_GPL(cm_probe_view);

/* What the model calls the states and events of each machine. */
static const struct {
	const char *const *states, *const *events;
	unsigned int nstates, nevents;
} cm_probe_names[CM_MACHINES] = {
	[CM_MACHINE_ID]	   = { cm_id_state_names, cm_id_event_names, CM_ID_STATES, CM_ID_EVENTS },
	[CM_MACHINE_SHARE] = { cm_share_state_names, cm_share_event_names, CM_SHARE_STATES,
			       CM_SHARE_EVENTS },
	[CM_MACHINE_TW]	   = { cm_tw_state_names, cm_tw_event_names, CM_TW_STATES, CM_TW_EVENTS },
};

/**
 * cm_probe_state_name - name a state
 * @machine: 0 id, 1 share, 2 timewait record
 * @state: its number
 *
 * Context: any.
 * Return: the name, NULL past the end.
 */
const char *cm_probe_state_name(unsigned int machine, unsigned int state)
{
	return machine < CM_MACHINES && state < cm_probe_names[machine].nstates ?
	       cm_probe_names[machine].states[state] : NULL;
}
EXPORT_SYMBOL_GPL(cm_probe_state_name);

/**
 * cm_probe_event_name - name an event
 * @machine: 0 id, 1 share, 2 timewait record
 * @event: its number
 *
 * Context: any.
 * Return: the name, NULL past the end.
 */
const char *cm_probe_event_name(unsigned int machine, unsigned int event)
{
	return machine < CM_MACHINES && event < cm_probe_names[machine].nevents ?
	       cm_probe_names[machine].events[event] : NULL;
}
EXPORT_SYMBOL_GPL(cm_probe_event_name);

/**
 * cm_probe_hits - how often a cell was asked for
 * @machine: 0 id, 1 share, 2 timewait record
 * @event: column
 * @state: row
 *
 * Context: any.
 * Return: the count since the load of the module or cm_probe_hits_clear().
 */
unsigned long cm_probe_hits(unsigned int machine, unsigned int event, unsigned int state)
{
	if (machine >= CM_MACHINES || event >= CM_PROBE_EVENTS || state >= CM_PROBE_STATES)
		return 0;
	return atomic_long_read(&cm_probe_hit[machine][event][state]) -
	       cm_probe_forgotten[machine][event][state];
}
EXPORT_SYMBOL_GPL(cm_probe_hits);

/**
 * cm_probe_hits_clear - forget hits and latest cells
 *
 * What debugfs shows goes on.
 *
 * Context: any; one caller at a time.
 */
void cm_probe_hits_clear(void)
{
	unsigned int machine, event, state;

	for (machine = 0; machine < CM_MACHINES; machine++) {
		for (event = 0; event < CM_PROBE_EVENTS; event++)
			for (state = 0; state < CM_PROBE_STATES; state++)
				cm_probe_forgotten[machine][event][state] =
					atomic_long_read(&cm_probe_hit[machine][event][state]);
		WRITE_ONCE(cm_probe_latest[machine], 0xffff);
	}
}
EXPORT_SYMBOL_GPL(cm_probe_hits_clear);

/**
 * cm_probe_last - the cell asked for last
 * @machine: 0 id, 1 share, 2 timewait record
 * @event: filled; 0xff: none
 * @state: filled
 *
 * Context: any.
 */
void cm_probe_last(unsigned int machine, u8 *event, u8 *state)
{
	u16 latest = machine < CM_MACHINES ? READ_ONCE(cm_probe_latest[machine]) : 0xffff;

	*event = latest >> 8;
	*state = latest & 0xff;
}
EXPORT_SYMBOL_GPL(cm_probe_last);

/**
 * cm_probe_sink - send failed assertions elsewhere
 * @sink: called under the id's lock; NULL: the log
 * @context: handed to it
 *
 * Context: any; the former sink is not running any more on return.
 */
void cm_probe_sink(cm_probe_sink_t sink, void *context)
{
	unsigned long flags;

	spin_lock_irqsave(&cm_probe_lock, flags);
	cm_probe_sink_fn = sink;
	cm_probe_sink_context = context;
	spin_unlock_irqrestore(&cm_probe_lock, flags);
}
EXPORT_SYMBOL_GPL(cm_probe_sink);

/**
 * cm_probe_violations - failed assertions
 *
 * Context: any.
 * Return: their number since the load of the module.
 */
unsigned long cm_probe_violations(void)
{
	return atomic_long_read(&cm_probe_violated);
}
EXPORT_SYMBOL_GPL(cm_probe_violations);

/**
 * cm_probe_assert - assert the holders of an id now
 * @cm_id: the caller's
 *
 * Context: any.
 * Return: true if they are what its state declares.
 */
bool cm_probe_assert(struct ib_cm_id *cm_id)
{
	struct cm_act act = { .id = to_cm_id(cm_id) };
	struct cm_hold hold = {};
	unsigned long flags;
	bool held;

	cm_id_get(act.id, CM_REF_LOOKUP, &hold);
	spin_lock_irqsave(&act.id->lock, flags);
	held = cm_act_assert(&act);
	spin_unlock_irqrestore(&act.id->lock, flags);
	cm_id_put(act.id, CM_REF_LOOKUP, &hold);
	return held;
}
EXPORT_SYMBOL_GPL(cm_probe_assert);

/* A test's reference has no receipt between its get and its put: it may be dropped before it is taken. */

/**
 * cm_probe_get - cm_id_get()
 * @cm_id: the caller has a reference
 *
 * Context: any.
 */
void cm_probe_get(struct ib_cm_id *cm_id)
{
	struct cm_id *id = to_cm_id(cm_id);
	struct cm_hold hold = {};

	cm_id_get(id, CM_REF_LOOKUP, &hold);
	cm_hold_drop(&id->holds, &hold, CM_REF_LOOKUP);
}
EXPORT_SYMBOL_GPL(cm_probe_get);

/**
 * cm_probe_get_live - cm_id_get_live()
 * @cm_id: under RCU, or known not to be freed yet
 *
 * Context: any.
 * Return: true if there is a reference now.
 */
bool cm_probe_get_live(struct ib_cm_id *cm_id)
{
	struct cm_id *id = to_cm_id(cm_id);
	struct cm_hold hold = {};

	if (!cm_id_get_live(id, CM_REF_LOOKUP, &hold))
		return false;
	cm_hold_drop(&id->holds, &hold, CM_REF_LOOKUP);
	return true;
}
EXPORT_SYMBOL_GPL(cm_probe_get_live);

/**
 * cm_probe_put - cm_id_put()
 * @cm_id: may be gone on return
 *
 * Context: any.
 */
void cm_probe_put(struct ib_cm_id *cm_id)
{
	struct cm_id *id = to_cm_id(cm_id);
	struct cm_hold hold = {};

	cm_hold_take(&id->holds, &hold, CM_REF_LOOKUP);
	cm_id_put(id, CM_REF_LOOKUP, &hold);
}
EXPORT_SYMBOL_GPL(cm_probe_put);

static struct cm_hold cm_probe_held;

/**
 * cm_probe_hold - a reference with a receipt, which the core takes for a leak
 * @cm_id: the caller has a reference
 *
 * Context: any; one at a time.
 */
noinline void cm_probe_hold(struct ib_cm_id *cm_id)
{
	cm_id_get(to_cm_id(cm_id), CM_REF_LOOKUP, &cm_probe_held);
}
EXPORT_SYMBOL_GPL(cm_probe_hold);

/**
 * cm_probe_unhold - drop it
 * @cm_id: may be gone on return
 *
 * Context: any.
 */
void cm_probe_unhold(struct ib_cm_id *cm_id)
{
	cm_id_put(to_cm_id(cm_id), CM_REF_LOOKUP, &cm_probe_held);
}
EXPORT_SYMBOL_GPL(cm_probe_unhold);

/**
 * cm_probe_holders - by whom an id is held, as the kernel reports it
 * @cm_id: the caller's
 * @text: how many references each place took, and its stack
 * @size: of @text
 *
 * Context: any.
 * Return: the length; -EOPNOTSUPP: this kernel does not track references.
 */
int cm_probe_holders(struct ib_cm_id *cm_id, char *text, size_t size)
{
	if (!cm_holds_tracked())
		return -EOPNOTSUPP;
	return cm_holds_text(&to_cm_id(cm_id)->holds, text, size);
}
EXPORT_SYMBOL_GPL(cm_probe_holders);

/**
 * cm_probe_happen - let an event happen to an id
 * @cm_id: there on return, or gone if the row says so; NULL: none
 * @event: CM_ID_ON_*, of a row whose verbs need no datagram
 *
 * Context: may sleep.
 * Return: what cm_act_run() returns.
 */
int cm_probe_happen(struct ib_cm_id *cm_id, unsigned int event)
{
	struct cm_act act = {
		.id = cm_id ? to_cm_id(cm_id) : NULL,
		.list = CM_ACT_DIRECT,
		.event = event,
		.may_sleep = true,
	};
	struct cm_hold hold = {};
	int err;

	if (cm_id)
		cm_id_get(act.id, CM_REF_LOOKUP, &hold);
	err = cm_act_run(&act);
	if (cm_id)
		cm_id_put(act.id, CM_REF_LOOKUP, &hold);
	return err;
}
EXPORT_SYMBOL_GPL(cm_probe_happen);

/**
 * cm_probe_overdue - deal with a time-out, timely or not
 * @cm_id: the caller's
 * @gen: the request whose timer it is of
 *
 * Context: process.
 */
void cm_probe_overdue(struct ib_cm_id *cm_id, u32 gen)
{
	struct cm_act act = {
		.id = to_cm_id(cm_id),
		.list = CM_DECIDE_TIMEOUT,
		.gen = gen,
	};
	struct cm_hold hold = {};

	cm_id_get(act.id, CM_REF_LOOKUP, &hold);
	cm_act_run(&act);
	cm_id_put(act.id, CM_REF_LOOKUP, &hold);
}
EXPORT_SYMBOL_GPL(cm_probe_overdue);

/**
 * cm_probe_find - look a local comm id up
 * @local_id: host order
 *
 * Context: any.
 * Return: the id with a LOOKUP reference, or NULL.
 */
struct ib_cm_id *cm_probe_find(u32 local_id)
{
	struct cm_hold hold = {};
	struct cm_id *id = cm_local_get(cpu_to_be32(local_id), &hold);

	if (!id)
		return NULL;
	cm_hold_drop(&id->holds, &hold, CM_REF_LOOKUP);
	return &id->pub;
}
EXPORT_SYMBOL_GPL(cm_probe_find);

/**
 * cm_probe_find_dead - let the next message for an id's number find it
 * @cm_id: the caller has a reference; NULL: no more
 *
 * Context: any.
 */
void cm_probe_find_dead(struct ib_cm_id *cm_id)
{
	unsigned long flags;

	spin_lock_irqsave(&cm_probe_lock, flags);
	WRITE_ONCE(cm_probe_dead, cm_id ? to_cm_id(cm_id) : NULL);
	spin_unlock_irqrestore(&cm_probe_lock, flags);
}
EXPORT_SYMBOL_GPL(cm_probe_find_dead);

/**
 * cm_probe_retract - let a removal come upon the listener of an id
 * @cm_id: the caller has a reference
 *
 * Context: any.
 */
void cm_probe_retract(struct ib_cm_id *cm_id)
{
	cm_listen_retract(to_cm_id(cm_id));
}
EXPORT_SYMBOL_GPL(cm_probe_retract);

/**
 * cm_probe_next_local - choose the number of the next id
 * @local_id: host order
 *
 * Context: any.
 */
void cm_probe_next_local(u32 local_id)
{
	cm_local_begin(cpu_to_be32(local_id));
}
EXPORT_SYMBOL_GPL(cm_probe_next_local);

/**
 * cm_probe_workers - let so many handlers run at once
 * @n: of all ids together; 0: as many as they get
 *
 * Context: process; may sleep.
 */
void cm_probe_workers(unsigned int n)
{
	cm_event_workers(n);
}
EXPORT_SYMBOL_GPL(cm_probe_workers);

/**
 * cm_probe_stall - let a device look as if it had completed nothing for a while
 * @ibdev: the device
 * @port: its port
 * @seconds: so much longer than it really is; negative: shorter
 *
 * Context: any.
 */
void cm_probe_stall(struct ib_device *ibdev, u32 port, int seconds)
{
	struct cm_device *dev = cm_device_get(ibdev);

	if (!dev)
		return;
	cm_device_port(dev, port)->stall.progress -= seconds * HZ;
	cm_device_put(dev);
}
EXPORT_SYMBOL_GPL(cm_probe_stall);

static void cm_probe_ah(struct ib_device *ibdev, u32 port, unsigned int seconds, bool look)
{
	struct cm_device *dev = cm_device_get(ibdev);

	if (!dev)
		return;
	cm_ah_port_age(cm_device_port(dev, port), seconds, look);
	cm_device_put(dev);
}

/**
 * cm_probe_ah_age - let address handles look as if they had not been used for a while
 * @ibdev: the device
 * @port: its port
 * @seconds: so much longer ago than it really was
 *
 * Context: process.
 */
void cm_probe_ah_age(struct ib_device *ibdev, u32 port, unsigned int seconds)
{
	cm_probe_ah(ibdev, port, seconds, false);
}
EXPORT_SYMBOL_GPL(cm_probe_ah_age);

/**
 * cm_probe_ah_look - look for idle address handles now, not only when it is time
 * @ibdev: the device
 * @port: its port
 *
 * Context: process; does not wait for it.
 */
void cm_probe_ah_look(struct ib_device *ibdev, u32 port)
{
	cm_probe_ah(ibdev, port, 0, true);
}
EXPORT_SYMBOL_GPL(cm_probe_ah_look);

/**
 * cm_probe_count - read a counter
 * @ibdev: the device
 * @port: its port
 * @name: as debugfs calls it
 *
 * Context: any.
 * Return: its value; -1 if there is none.
 */
long cm_probe_count(struct ib_device *ibdev, u32 port, const char *name)
{
	struct cm_device *dev = cm_device_get(ibdev);
	unsigned int i;
	long n = -1;

	if (!dev)
		return n;
	for (i = 0; i < CM_COUNTS; i++)
		if (!strcmp(cm_count_name(i), name))
			n = atomic_long_read(&cm_device_port(dev, port)->stats.count[i]);
	cm_device_put(dev);
	return n;
}
EXPORT_SYMBOL_GPL(cm_probe_count);

/**
 * cm_probe_lie - let assertions see something else than there is
 * @cm_id: of whom; only compared, never followed later
 * @flip: CM_ID_HOLD_* to turn round; 0: the truth again
 *
 * Context: any.
 */
void cm_probe_lie(struct ib_cm_id *cm_id, u32 flip)
{
	const struct cm_id *id = to_cm_id(cm_id);
	unsigned long flags;
	unsigned int i;
	int place = -1;

	spin_lock_irqsave(&cm_probe_lock, flags);
	for (i = 0; i < CM_PROBE_LIES; i++)
		if (cm_probe_lies[i].id == id || (place < 0 && !cm_probe_lies[i].id))
			place = i;
	if (place >= 0) {
		cm_probe_lies[place].flip = flip;
		WRITE_ONCE(cm_probe_lies[place].id, flip ? id : NULL);
	}
	spin_unlock_irqrestore(&cm_probe_lock, flags);
}
EXPORT_SYMBOL_GPL(cm_probe_lie);

static void cm_probe_add_port(struct cm_port *port, void *context)
{
	struct cm_probe_totals *totals = context;

	totals->timewait += READ_ONCE(port->tw.count);
	totals->posted += atomic_read(&port->tx.posted);
	totals->queued += READ_ONCE(port->tx.ndeferred) + READ_ONCE(port->tx.nwaiting) +
			  READ_ONCE(port->reply.pending) + atomic_read(&port->resolving) +
			  atomic_read(&port->tx.resolving);
}

static void cm_probe_add_listeners(struct cm_device *dev, struct cm_probe_totals *totals)
{
	struct cm_listener *listener;
	unsigned int i;

	rcu_read_lock();
	for (i = 0; i < ARRAY_SIZE(dev->listeners.hash); i++)
		hlist_for_each_entry_rcu(listener, &dev->listeners.hash[i], node)
			totals->listeners++;
	rcu_read_unlock();
}

static void cm_probe_add_device(struct cm_device *dev, void *context)
{
	struct cm_probe_totals *totals = context;
	u32 num;

	for (num = 1; num <= dev->nports; num++)
		if (cm_device_port(dev, num))
			cm_probe_add_port(cm_device_port(dev, num), totals);
	cm_probe_add_listeners(dev, totals);
	totals->runners += atomic_read(&dev->runners);
}

/**
 * cm_probe_totals - what there is, over all devices
 * @totals: filled
 *
 * Context: process.
 */
void cm_probe_totals(struct cm_probe_totals *totals)
{
	memset(totals, 0, sizeof(*totals));
	cm_device_for_each(cm_probe_add_device, totals);
	totals->ids = atomic_long_read(&cm_probe_ids);
	totals->records = atomic_long_read(&cm_probe_records);
}
EXPORT_SYMBOL_GPL(cm_probe_totals);

static long cm_probe_port_counter(struct cm_port *port, const char *name)
{
	const struct {
		const char *name;
		long value;
	} now[] = {
		{ "posted", atomic_read(&port->tx.posted) },
		{ "deferred", READ_ONCE(port->tx.ndeferred) },
		{ "resolving", atomic_read(&port->resolving) },
		{ "ah_shared", READ_ONCE(port->ah.count) },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(now); i++)
		if (!strcmp(now[i].name, name))
			return now[i].value;
	for (i = 0; i < CM_COUNTS; i++)
		if (!strcmp(cm_count_name(i), name))
			return atomic_long_read(&port->stats.count[i]);
	return -EINVAL;
}

/**
 * cm_probe_counter - a number that a port keeps
 * @ibdev: its device
 * @num: the port
 * @name: as debugfs calls it
 *
 * Context: any.
 * Return: the number, -ENODEV or -EINVAL.
 */
long cm_probe_counter(struct ib_device *ibdev, u32 num, const char *name)
{
	struct cm_device *dev = cm_device_get(ibdev);
	struct cm_port *port;
	long value = -ENODEV;

	if (!dev)
		return value;
	port = cm_device_port(dev, num);
	if (port)
		value = cm_probe_port_counter(port, name);
	cm_device_put(dev);
	return value;
}
EXPORT_SYMBOL_GPL(cm_probe_counter);

/**
 * cm_probe_settle - wait until nothing is under way
 *
 * That is: no handler runs or is queued, no answer is being prepared. A send that
 * the device withholds is not waited for, nor is an armed timer.
 *
 * Context: sleeps, for 5 s at most: a busy machine takes its time.
 * Return: true if it is so.
 */
bool cm_probe_settle(void)
{
	unsigned long end = jiffies + 5 * HZ;
	unsigned int quiet = 0;
	struct cm_probe_totals totals;

	/* Twice in a row: a datagram between two queues is in none. */
	do {
		cm_probe_totals(&totals);
		quiet = totals.runners || totals.queued ? 0 : quiet + 1;
		if (quiet > 1)
			return true;
		usleep_range(500, 1000);
	} while (time_before(jiffies, end));
	return false;
}
EXPORT_SYMBOL_GPL(cm_probe_settle);

/* ---- debugfs: ib_cm/cells ---- */

static int cm_cells_show(struct seq_file *seq, void *v)
{
	static const char *const machines[] = { "id", "share", "tw" };
	unsigned int machine, event, state;

	for (machine = 0; machine < CM_MACHINES; machine++)
		for (event = 0; cm_probe_event_name(machine, event); event++)
			for (state = 0; cm_probe_state_name(machine, state); state++)
				seq_printf(seq, "%s\t%s\t%s\t%ld\n", machines[machine],
					   cm_probe_event_name(machine, event),
					   cm_probe_state_name(machine, state),
					   atomic_long_read(&cm_probe_hit[machine][event][state]));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(cm_cells);

/**
 * cm_probe_show - show how often each cell was asked for
 * @dir: the folder of ours in debugfs
 *
 * Context: process; may sleep.
 */
void cm_probe_show(struct dentry *dir)
{
	debugfs_create_file("cells", 0444, dir, NULL, &cm_cells_fops);
}
