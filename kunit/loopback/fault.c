// SPDX-License-Identifier: GPL-2.0-only
/*
 * loop_hca: the rules of the faults, and whether one strikes. Owns the counts,
 * under the port's lock. Nothing here is random.
 */
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/string.h>
#include <rdma/ib_mad.h>

#include "local.h"

static const char * const loop_fault_names[LOOP_FAULTS] = {
	[LOOP_DROP]		= "drop",
	[LOOP_DUPLICATE]	= "duplicate",
	[LOOP_DELAY]		= "delay",
	[LOOP_REORDER]		= "reorder",
	[LOOP_CORRUPT]		= "corrupt",
	[LOOP_SEND_ERROR]	= "send_error",
	[LOOP_SEND_LATE]	= "send_late",
	[LOOP_SEND_NEVER]	= "send_never",
	[LOOP_SEND_REFUSED]	= "send_refused",
	[LOOP_AH_SLOW]		= "ah_slow",
	[LOOP_AH_FAIL]		= "ah_fail",
	[LOOP_QUERY_SLOW]	= "query_slow",
	[LOOP_QUERY_FAIL]	= "query_fail",
	[LOOP_MODIFY_SLOW]	= "modify_slow",
	[LOOP_MODIFY_FAIL]	= "modify_fail",
};

/**
 * loop_fault_name - what a fault is called in debugfs
 * @fault: which
 *
 * Context: any.
 * Return: the name
 */
const char *loop_fault_name(enum loop_fault fault)
{
	return loop_fault_names[fault];
}

/**
 * loop_fault_by_name - the fault that debugfs calls so
 * @name: its name
 *
 * Context: any.
 * Return: enum loop_fault, -EINVAL: none
 */
int loop_fault_by_name(const char *name)
{
	return match_string(loop_fault_names, LOOP_FAULTS, name);
}
EXPORT_SYMBOL_GPL(loop_fault_by_name);

static bool loop_matches(const struct loop_rule *rule, const struct loop_packet *packet)
{
	if (!rule->nth)
		return false;
	if (!rule->attr_id)
		return true;
	if (!packet || packet->len < sizeof(struct ib_mad_hdr))
		return false;
	return be16_to_cpu(((const struct ib_mad_hdr *)packet->mad)->attr_id) == rule->attr_id;
}

static bool loop_struck(struct loop_port *port, enum loop_fault fault,
			const struct loop_packet *packet, u32 *arg, u32 *sets)
{
	struct loop_knob *knob = &port->knobs[fault];
	unsigned long flags;
	bool strikes = false;

	/* Off is the common case. */
	if (!READ_ONCE(knob->rule.nth))
		return false;
	spin_lock_irqsave(&port->lock, flags);
	if (loop_matches(&knob->rule, packet) &&
	    (!knob->rule.times || knob->hits < knob->rule.times)) {
		strikes = ++knob->matched % knob->rule.nth == 0;
		knob->hits += strikes;
		*arg = knob->rule.arg;
		*sets = knob->sets;
	}
	spin_unlock_irqrestore(&port->lock, flags);
	return strikes;
}

/**
 * loop_strike - does a fault strike now?
 * @port: where
 * @fault: which
 * @packet: the datagram, NULL: it is not about one
 * @arg: the rule's, if it strikes; may be NULL
 *
 * Context: any; the port's lock is not held.
 * Return: whether it does
 */
bool loop_strike(struct loop_port *port, enum loop_fault fault, const struct loop_packet *packet,
		 u32 *arg)
{
	u32 value, sets;

	if (!loop_struck(port, fault, packet, &value, &sets))
		return false;
	if (arg)
		*arg = value;
	return true;
}

#define LOOP_NAP_MS	5LL	/* how soon it is seen that a rule is another */

/**
 * loop_dawdle - let a slow answer take its time, if that fault strikes now
 * @port: where
 * @fault: which; its rule's argument is how long, in ms, by the clock: neither ticks nor udelay()
 *	are exact everywhere. It is over when the rule is taken back, or another set
 * @sleepable: whether the caller may sleep
 *
 * Context: as @sleepable says; the port's lock is not held.
 */
void loop_dawdle(struct loop_port *port, enum loop_fault fault, bool sleepable)
{
	struct loop_knob *knob = &port->knobs[fault];
	ktime_t now, end;
	u32 ms, sets;

	if (!loop_struck(port, fault, NULL, &ms, &sets))
		return;
	end = ktime_add_ms(ktime_get(), ms);
	while (now = ktime_get(), ktime_before(now, end) && READ_ONCE(knob->sets) == sets) {
		ms = min(ktime_ms_delta(end, now), LOOP_NAP_MS);
		if (sleepable && ms)
			msleep(ms);
		else
			cpu_relax();
	}
}

/**
 * loop_faults_stop - no fault strikes any more
 * @dev: what is slow already takes its time nevertheless
 *
 * Context: any; no port's lock is held.
 */
void loop_faults_stop(struct loop_device *dev)
{
	enum loop_fault fault;
	unsigned long flags;
	u32 i;

	for (i = 0; i < dev->config.ports; i++) {
		spin_lock_irqsave(&dev->ports[i].lock, flags);
		for (fault = 0; fault < LOOP_FAULTS; fault++)
			WRITE_ONCE(dev->ports[i].knobs[fault].rule.nth, 0);
		spin_unlock_irqrestore(&dev->ports[i].lock, flags);
	}
}

static void loop_knob_set(struct loop_port *port, enum loop_fault fault,
			  const struct loop_rule *rule)
{
	static const struct loop_rule off;
	struct loop_knob *knob = &port->knobs[fault];
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	knob->rule = rule ? *rule : off;
	knob->sets++;
	knob->matched = 0;
	knob->hits = 0;
	spin_unlock_irqrestore(&port->lock, flags);
}

void loop_fault_set(struct ib_device *ibdev, u32 num, enum loop_fault fault,
		    const struct loop_rule *rule)
{
	u32 i;

	for (i = 1; i <= ibdev->phys_port_cnt; i++)
		if (!num || num == i)
			loop_knob_set(loop_port(ibdev, i), fault, rule);
}
EXPORT_SYMBOL_GPL(loop_fault_set);

u32 loop_fault_hits(struct ib_device *ibdev, u32 num, enum loop_fault fault)
{
	u32 i, hits = 0;

	for (i = 1; i <= ibdev->phys_port_cnt; i++)
		if (!num || num == i)
			hits += READ_ONCE(loop_port(ibdev, i)->knobs[fault].hits);
	return hits;
}
EXPORT_SYMBOL_GPL(loop_fault_hits);

void loop_faults_clear(struct ib_device *ibdev)
{
	enum loop_fault fault;

	for (fault = 0; fault < LOOP_FAULTS; fault++)
		loop_fault_set(ibdev, 0, fault, NULL);
}
EXPORT_SYMBOL_GPL(loop_faults_clear);
