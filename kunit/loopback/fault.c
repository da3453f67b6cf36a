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
		if (strikes && arg)
			*arg = knob->rule.arg;
	}
	spin_unlock_irqrestore(&port->lock, flags);
	return strikes;
}

static void loop_knob_set(struct loop_port *port, enum loop_fault fault,
			  const struct loop_rule *rule)
{
	static const struct loop_rule off;
	struct loop_knob *knob = &port->knobs[fault];
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	knob->rule = rule ? *rule : off;
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

/**
 * loop_waste - let a slow answer take its time
 * @ms: how long, by the clock: neither ticks nor udelay() are exact everywhere
 * @sleepable: whether the caller may sleep
 *
 * Context: as @sleepable says.
 */
void loop_waste(u32 ms, bool sleepable)
{
	ktime_t end = ktime_add_ms(ktime_get(), ms);

	if (sleepable)
		msleep(ms);
	while (ktime_before(ktime_get(), end))
		cpu_relax();
}
