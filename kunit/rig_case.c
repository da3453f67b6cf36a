// SPDX-License-Identifier: GPL-2.0-only
/*
 * Case after case: where a suite is, what it leaves out, and where it need go no
 * further.
 *
 * Owns: the parameters `first`, `only` and `at` of cm_rig. KUnit runs one case at a
 * time.
 */
#include <linux/bitmap.h>
#include <linux/module.h>

#include "rig_local.h"

static bool rig_first;
module_param_named(first, rig_first, bool, 0644);
MODULE_PARM_DESC(first, "Skip the cases after the first one that failed (default: no)");

static char rig_at[KUNIT_PARAM_DESC_SIZE];
module_param_string(at, rig_at, sizeof(rig_at), 0444);
MODULE_PARM_DESC(at, "How many cases have begun, and the last one's name");

#define RIG_CASES	4096

static unsigned int rig_begun;
static bool rig_failed;
static bool rig_all = true;
static DECLARE_BITMAP(rig_only, RIG_CASES);

static int rig_only_set(const char *text, const struct kernel_param *param)
{
	int err = bitmap_parselist(text, rig_only, RIG_CASES);

	rig_begun = 0;
	rig_all = err || bitmap_empty(rig_only, RIG_CASES);
	return err;
}

static int rig_only_get(char *text, const struct kernel_param *param)
{
	return scnprintf(text, PAGE_SIZE, "%*pbl\n", RIG_CASES, rig_only);
}

static const struct kernel_param_ops rig_only_ops = {
	.set = rig_only_set,
	.get = rig_only_get,
};

module_param_cb(only, &rig_only_ops, NULL, 0644);
MODULE_PARM_DESC(only, "Skip the cases but these, e.g. 3,7-9, counted from 1 as from when this is written (default: none)");

/**
 * rig_case_mark - for builds that watch what a case does: another definition takes the place of this one
 * @nth: the case
 * @over: it has ended, else it begins
 *
 * Context: sleeps.
 */
void __weak rig_case_mark(unsigned int nth, bool over)
{
}

/* The case's last action: what its own actions found counts, too. */
static void rig_case_over(void *data)
{
	struct kunit *test = data;

	if (READ_ONCE(test->status) == KUNIT_FAILURE)
		rig_failed = true;
	rig_case_mark(rig_begun, true);
}

/**
 * rig_case - a case begins
 * @test: the case, or one parameter of it
 *
 * Context: sleeps. The test ends if it is to be skipped.
 * Return: 0 or -ENOMEM.
 */
int rig_case(struct kunit *test)
{
	rig_begun++;
	if (rig_first && rig_failed)
		kunit_skip(test, "one has failed");
	if (!rig_all && (rig_begun >= RIG_CASES || !test_bit(rig_begun, rig_only)))
		kunit_skip(test, "not asked for");
	snprintf(rig_at, sizeof(rig_at), "%u %s", rig_begun, test->name);
	rig_case_mark(rig_begun, false);
	return kunit_add_action(test, rig_case_over, test);
}
EXPORT_SYMBOL_GPL(rig_case);
