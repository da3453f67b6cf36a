// SPDX-License-Identifier: GPL-2.0-only
/*
 * A destroy on another thread, for tests of what it waits for.
 *
 * Owns: struct rig_destroyer. No locks: the completion orders its return before
 * what the test does next.
 */
#include <linux/export.h>

#include "rig_local.h"

static void rig_destroyer_run(struct work_struct *work)
{
	struct rig_destroyer *d = container_of(work, struct rig_destroyer, work);

	ib_destroy_cm_id(d->cm);
	complete(&d->done);
}

/**
 * rig_destroyer_start - begin a destroy
 * @d: on the caller's stack
 * @cm: whom
 *
 * Context: sleeps.
 */
void rig_destroyer_start(struct rig_destroyer *d, struct ib_cm_id *cm)
{
	d->cm = cm;
	init_completion(&d->done);
	INIT_WORK_ONSTACK(&d->work, rig_destroyer_run);
	queue_work(system_unbound_wq, &d->work);
}
EXPORT_SYMBOL_GPL(rig_destroyer_start);

/**
 * rig_destroyer_ends - does the destroy return?
 * @d: begun
 * @ms: how long to wait for it
 *
 * Context: sleeps.
 * Return: false if it does not; true once only.
 */
bool rig_destroyer_ends(struct rig_destroyer *d, unsigned int ms)
{
	return wait_for_completion_timeout(&d->done, msecs_to_jiffies(ms));
}
EXPORT_SYMBOL_GPL(rig_destroyer_ends);

/**
 * rig_destroyer_join - wait for its end, however long it takes
 * @d: begun
 *
 * Context: sleeps.
 */
void rig_destroyer_join(struct rig_destroyer *d)
{
	flush_work(&d->work);
	destroy_work_on_stack(&d->work);
}
EXPORT_SYMBOL_GPL(rig_destroyer_join);
