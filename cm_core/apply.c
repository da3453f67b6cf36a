// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Applying a row of the protocol's table to an id.
 *
 * Owns: the critical section and, in it, the only assignment to a state.
 * Order: lock, collect facts, decide, run the LOCKED verbs, write the state,
 * trace, assert the holders, unlock, run the POST verbs, release what is left.
 *
 * References: the caller of cm_act_run() holds one to act->id. What the row
 * releases is dropped by its PUT, after everything else.
 */
#include <linux/module.h>
#include <linux/slab.h>

#include "apply.h"
#include "classify.h"
#include "generated/cm_holders.h"
#include "listen.h"
#include "params.h"
#include "probe_hook.h"
#include "timewait.h"
#include "trace.h"
#include "verbs.h"

/* Every build for use asserts; tools/bench compares with one that does not. */
#ifdef CM_NO_ASSERT
#define CM_ASSERTS 0
#else
#define CM_ASSERTS 1
#endif

/* The one place where a state changes. The consumer's view is mirrored with it. */
static void cm_set_state(struct cm_id *id, u8 state)
{
	if (state != id->state)
		id->since = cm_now();
	id->state = state;
	id->pub.state = cm_id_public_state[state];
	id->pub.lap_state = cm_id_public_lap[state];
}

/**
 * cm_act_assert - are the holders those that the state declares?
 * @act: of whom
 *
 * Every counted one must have its reference, besides the caller's. A violation
 * is a defect of ours, never a peer's doing.
 *
 * Context: any; the id's lock is held.
 * Return: true if so.
 */
bool cm_act_assert(const struct cm_act *act)
{
	struct cm_id *id = act->id;
	u32 seen = cm_probe_lied(id, cm_id_holders(id));
	unsigned int refs = refcount_read(&id->refs);
	unsigned int counted = hweight32(seen & CM_ID_COUNTED_MASK);

	if (likely(cm_id_holders_ok(id->state, seen) && refs > counted &&
		   (!id->ev.count || id->ev.runner)))
		return true;

	cm_holders_violated(id, seen);
	cm_trace_holders(id, cm_id_want[id->state], seen);
	return false;
}

/* What a message amounted to, where that is not an event of the id. */
static void cm_act_count(const struct cm_act *act)
{
	static const enum cm_count why_count[] = {
		[CM_WHY_LATE] = CM_COUNT_RX_LATE,
		[CM_WHY_FOREIGN] = CM_COUNT_RX_FOREIGN,
		[CM_WHY_WRONG_ROLE] = CM_COUNT_RX_WRONG_ROLE,
		[CM_WHY_BUSY] = CM_COUNT_RX_NOMEM,
	};
	const struct cm_row *row = act->row;

	if (!act->port)
		return;

	switch (row->verdict) {
	case CM_RESEND:
		cm_stat(act->port, CM_STAT_RX_DUPLICATES, act->kind);
		break;
	case CM_IGNORE:
		if (row->why == CM_WHY_DUPLICATE)
			cm_stat(act->port, CM_STAT_RX_DUPLICATES, act->kind);
		else
			cm_stat_count(act->port, why_count[row->why]);
		break;
	case CM_NEVER:
		cm_stat_count(act->port, CM_COUNT_RX_NEVER);
		break;
	default:
		break;
	}
}

/**
 * cm_act_abandon - free what was prepared and not used, and what a row took away
 * @act: it is over
 *
 * Context: any.
 */
void cm_act_abandon(struct cm_act *act)
{
	unsigned int i;

	cm_rec_dispose(act->rec);
	cm_rec_dispose(act->dead_rec);
	kfree(act->image);
	kfree(act->dead_image);
	kfree(act->copy);
	kfree(act->dead_data);
	cm_av_clear(&act->av);
	cm_av_clear(&act->dead_av);
	cm_av_clear(&act->out.av);
	if (act->alt)
		cm_av_clear(act->alt);
	kfree(act->alt);
	if (act->dead_alt)
		cm_av_clear(act->dead_alt);
	kfree(act->dead_alt);
	kfree(act->listener);
	for (i = 0; i < act->ndead_wc; i++)
		ib_free_recv_mad(act->dead_wc[i]);
	if (act->wc)
		ib_free_recv_mad(act->wc);
}

/**
 * cm_act_run - let something happen to an id
 * @act: what happens, and to whom
 *
 * Consumes the message and everything that was prepared.
 *
 * Context: any that the verbs of the rows in question allow: none of them sleeps
 * unless act->may_sleep says that it may.
 * Return: 0; the negative errno of the row for a call that the state forbids;
 * -EAGAIN for what has to be tried again later; -EINVAL for a cell that cannot
 * be; the error of a first copy that was refused.
 */
int cm_act_run(struct cm_act *act)
{
	struct cm_id *id = act->id;
	const struct cm_row *row;
	unsigned long flags = 0;
	unsigned int i;
	int err = 0;

	if (id)
		spin_lock_irqsave(&id->lock, flags);

	act->from = id ? id->state : CM_ID_NONE;
	act->event = cm_classify(act);
	row = cm_id_row(act->event, act->from);
	cm_probe_cell(CM_MACHINE_ID, act->event, act->from);
	act->row = row;
	if (unlikely(row->verdict != CM_HANDLE || act->status))
		cm_trace_odd(act);

	for (i = 0; i < CM_ROW_LOCKED && row->locked[i]; i++)
		cm_verb_locked(row->locked[i], act);
	if (id) {
		if (row->next != CM_STAY)
			cm_set_state(id, row->next);
		cm_trace_transition(id, act->event, act->from, row);
		if (CM_ASSERTS && row->verdict < CM_IGNORE)
			cm_act_assert(act);
		spin_unlock_irqrestore(&id->lock, flags);
	}

	switch (row->verdict) {
	case CM_INVALID:
		err = -row->error;
		break;
	case CM_IGNORE:
		err = row->why == CM_WHY_BUSY ? -EAGAIN : 0;
		break;
	case CM_NEVER:
		err = -EINVAL;
		break;
	default:
		break;
	}
	cm_act_count(act);

	for (i = 0; i < CM_ROW_POST && row->post[i]; i++) {
		int ret = cm_verb_post(row->post[i], act);

		if (ret)
			err = ret;
	}
	cm_act_abandon(act);
	return err;
}
