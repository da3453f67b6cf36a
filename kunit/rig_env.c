// SPDX-License-Identifier: GPL-2.0-only
/*
 * What lies around ib_cm: its parameters and counters, which are files, and
 * memory that runs out.
 *
 * Owns: the way to a file from a kernel thread; which allocation of whom fails.
 */
#include <linux/fs.h>
#include <linux/fs_struct.h>
#include <linux/pid_namespace.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "rig_local.h"

/**
 * rig_file - open a file as the guest's programs see it
 * @path: from the root
 * @flags: as of open(2)
 *
 * A kernel thread's own root may be an empty one: the file system is that of the
 * first process.
 *
 * Context: sleeps.
 * Return: the file, or an ERR_PTR().
 */
struct file *rig_file(const char *path, int flags)
{
	struct file *file = ERR_PTR(-ENOENT);
	struct task_struct *init;
	struct path root = {};

	rcu_read_lock();
	init = get_pid_task(find_pid_ns(1, &init_pid_ns), PIDTYPE_PID);
	rcu_read_unlock();
	if (!init)
		return file;
	task_lock(init);
	if (init->fs)
		get_fs_root(init->fs, &root);
	task_unlock(init);
	put_task_struct(init);
	if (root.mnt) {
		file = file_open_root(&root, path, flags, 0);
		path_put(&root);
	}
	return file;
}
EXPORT_SYMBOL_GPL(rig_file);

/**
 * rig_read - read a small file
 * @test: the test; it ends if there is nothing to read, and frees the text
 * @path: from the root
 *
 * Files in memory have no size: what one read gives is all.
 *
 * Context: sleeps.
 * Return: the text.
 */
char *rig_read(struct kunit *test, const char *path)
{
	char *text = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	struct file *file = rig_file(path, O_RDONLY);
	ssize_t len;
	loff_t at = 0;

	KUNIT_ASSERT_NOT_NULL(test, text);
	KUNIT_ASSERT_NOT_ERR_OR_NULL_MSG(test, file, "%s", path);
	len = kernel_read(file, text, PAGE_SIZE - 1, &at);
	filp_close(file, NULL);
	KUNIT_ASSERT_GT_MSG(test, len, 0, "%s", path);
	return text;
}
EXPORT_SYMBOL_GPL(rig_read);

static bool rig_write(const char *path, const char *text)
{
	struct file *file = rig_file(path, O_WRONLY);
	loff_t at = 0;
	ssize_t n;

	if (IS_ERR(file))
		return false;
	n = kernel_write(file, text, strlen(text), &at);
	filp_close(file, NULL);
	return n == strlen(text);
}

/* ---- parameters and counters ---- */

struct rig_saved {
	char path[80];
	char *text;
};

static void rig_put_back(void *arg)
{
	struct rig_saved *saved = arg;

	rig_write(saved->path, saved->text);
}

/**
 * rig_param - set a parameter of ib_cm
 * @test: when it ends, what it was is put back
 * @name: which
 * @value: what to set
 *
 * Context: sleeps.
 * Return: false if it cannot be set.
 */
bool rig_param(struct kunit *test, const char *name, unsigned int value)
{
	struct rig_saved *saved = kunit_kzalloc(test, sizeof(*saved), GFP_KERNEL);
	char text[16];

	KUNIT_ASSERT_NOT_NULL(test, saved);
	snprintf(saved->path, sizeof(saved->path), "/sys/module/ib_cm/parameters/%s", name);
	saved->text = rig_read(test, saved->path);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, rig_put_back, saved), 0);
	snprintf(text, sizeof(text), "%u", value);
	return rig_write(saved->path, text);
}
EXPORT_SYMBOL_GPL(rig_param);

/**
 * rig_counter - what port 1 of the device counts
 * @rig: the rig
 * @name: as for cm_probe_counter()
 *
 * Context: any.
 * Return: the number; the test fails if there is none.
 */
long rig_counter(struct rig *rig, const char *name)
{
	long value = cm_probe_counter(rig->dev, 1, name);

	KUNIT_EXPECT_GE_MSG(rig->test, value, 0, "%s", name);
	return value;
}
EXPORT_SYMBOL_GPL(rig_counter);

/* ---- memory ---- */

#ifdef CONFIG_FAILSLAB
static void rig_workers_do_not_fail(void *unused)
{
	rig_fail_workers(0);
}
#endif

/**
 * rig_failslab - can the kernel make allocations fail?
 * @test: when it ends, none of a worker does
 *
 * failslab spares allocations that may sleep unless told otherwise, by its file ignore-gfp-wait.
 *
 * Context: sleeps.
 * Return: whether it can.
 */
bool rig_failslab(struct kunit *test)
{
#ifdef CONFIG_FAILSLAB
	void *memory;

	current->fail_nth = 1;
	memory = kmalloc(64, GFP_KERNEL);
	current->fail_nth = 0;
	kfree(memory);
	return !memory && !kunit_add_action_or_reset(test, rig_workers_do_not_fail, NULL);
#else
	return false;
#endif
}
EXPORT_SYMBOL_GPL(rig_failslab);

/**
 * rig_fail_here - the nth allocation of this task from now on fails
 * @nth: which; 0: none
 *
 * Context: process.
 * Return: how many are left until the one that was asked for last; 0: it has failed.
 */
unsigned int rig_fail_here(unsigned int nth)
{
	unsigned int left = 0;
#ifdef CONFIG_FAILSLAB
	left = READ_ONCE(current->fail_nth);
	WRITE_ONCE(current->fail_nth, nth);
#endif
	return left;
}
EXPORT_SYMBOL_GPL(rig_fail_here);

/**
 * rig_fail_workers - the nth allocation from now on of each worker of a workqueue fails
 * @nth: which; 0: none
 *
 * Context: any.
 */
void rig_fail_workers(unsigned int nth)
{
#ifdef CONFIG_FAILSLAB
	struct task_struct *task;

	rcu_read_lock();
	for_each_process(task)
		if (task->flags & PF_WQ_WORKER)
			WRITE_ONCE(task->fail_nth, nth);
	rcu_read_unlock();
#endif
}
EXPORT_SYMBOL_GPL(rig_fail_workers);
