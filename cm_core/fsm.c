// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* Owns: the walk over a decision list. See fsm.h. */
#include "fsm.h"

/**
 * cm_decide - name the event that the facts amount to
 * @list: CM_DECIDE_*
 * @facts: CM_FACT_* that hold
 *
 * Context: any; reads constant tables only.
 * Return: the event of the first rule whose conditions all hold. The generator
 * proves that the last rule of every list has none, so that the walk ends.
 */
u8 cm_decide(unsigned int list, u64 facts)
{
	const struct cm_rule *rule = cm_decisions[list];

	while ((facts & rule->mask) != rule->want)
		rule++;
	return rule->event;
}
