// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files that are not for readers in the kernel: those of ib_cm in debugfs.
 *
 * Owns: the shell that reads debugfs, which is not for readers in the kernel. What
 * it reads goes by way of a file in /tmp.
 */
#include <linux/export.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/umh.h>

#include "rig_local.h"

#define RIG_LOOK_BYTES	(64 * 1024)
#define RIG_LOOK_FILE	"/tmp/cm_look"

/**
 * rig_shell - run a line of shell in the guest
 * @script: the line
 *
 * Context: sleeps until it is through.
 * Return: 0, or what the kernel says of its status.
 */
int rig_shell(const char *script)
{
	/* A helper has no open files: a pipe would take the places of the standard ones. */
	char *argv[5] = { "/bin/sh", "-c", "exec </dev/null >/dev/null 2>&1; eval \"$0\"",
			 (char *)script, NULL };
	char *envp[2] = { "PATH=/bin:/usr/bin:/sbin:/usr/sbin", NULL };

	return call_usermodehelper(argv[0], argv, envp, UMH_WAIT_PROC);
}
EXPORT_SYMBOL_GPL(rig_shell);

/**
 * rig_look - read a file
 * @test: the text lives as long
 * @path: the file
 *
 * Context: sleeps.
 * Return: its text; the test ends if it cannot be read.
 */
char *rig_look(struct kunit *test, const char *path)
{
	char *text = kunit_kzalloc(test, RIG_LOOK_BYTES, GFP_KERNEL);
	char script[200];
	struct file *file;
	loff_t at = 0;
	ssize_t len;

	KUNIT_ASSERT_NOT_NULL(test, text);
	snprintf(script, sizeof(script), "cat %s >" RIG_LOOK_FILE, path);
	KUNIT_ASSERT_EQ_MSG(test, rig_shell(script), 0, "%s", script);
	file = rig_file(RIG_LOOK_FILE, O_RDONLY);
	KUNIT_ASSERT_FALSE_MSG(test, IS_ERR(file), RIG_LOOK_FILE ": %ld", PTR_ERR(file));
	len = kernel_read(file, text, RIG_LOOK_BYTES - 1, &at);
	filp_close(file, NULL);
	KUNIT_ASSERT_GE_MSG(test, len, 0, "%s", path);
	return text;
}
EXPORT_SYMBOL_GPL(rig_look);

/**
 * rig_look_number - read a counter of port 1, or a number of what is under way there
 * @rig: whose device
 * @file: counters or now
 * @name: of the line
 *
 * Context: sleeps.
 * Return: its value; the test ends if there is none.
 */
long rig_look_number(struct rig *rig, const char *file, const char *name)
{
	char path[100], *text, *line;
	long value;

	snprintf(path, sizeof(path), "/sys/kernel/debug/ib_cm/%s/1/%s", dev_name(&rig->dev->dev),
		 file);
	text = rig_look(rig->test, path);
	while ((line = strsep(&text, "\n"))) {
		char *word = strsep(&line, " ");

		if (line && !strcmp(word, name) && !kstrtol(line, 10, &value))
			return value;
	}
	KUNIT_FAIL_AND_ABORT(rig->test, "%s has no %s", path, name);
	return -1;
}
EXPORT_SYMBOL_GPL(rig_look_number);
