// SPDX-License-Identifier: GPL-2.0-only
/*
 * debugfs cm_script/: a batch is written to script, anything written to play
 * plays it, trace is what was seen; anything written to rest waits for what has
 * not ended. One user at a time.
 */
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "script.h"

static unsigned int ib_ports = 144;
module_param(ib_ports, uint, 0444);
MODULE_PARM_DESC(ib_ports, "Ports of the InfiniBand device (1 - 255, default 144)");

static unsigned int roce_ports = 16;
module_param(roce_ports, uint, 0444);
MODULE_PARM_DESC(roce_ports, "Ports of the RoCE device (0 - 255, default 16)");

struct sc_batch sc_batch;
struct workqueue_struct *sc_wq;

static struct dentry *folder;
static DEFINE_MUTEX(user);	/* guards script and trace */
static struct sc_text script, trace;

static ssize_t script_write(struct file *file, const char __user *from, size_t len, loff_t *pos)
{
	char *copy;

	copy = vmemdup_user(from, len);
	if (IS_ERR(copy))
		return PTR_ERR(copy);
	mutex_lock(&user);
	sc_append(&script, copy, len);
	mutex_unlock(&user);
	kvfree(copy);
	return script.lost ? -ENOMEM : len;
}

static const struct file_operations script_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = script_write,
};

static ssize_t play_write(struct file *file, const char __user *from, size_t len, loff_t *pos)
{
	int ret;

	mutex_lock(&user);
	sc_text_free(&trace);
	ret = script.data ? sc_batch_parse(&sc_batch, script.data) : -ENODATA;
	if (!ret)
		ret = sc_batch_play(&sc_batch, &trace);
	sc_text_free(&script);
	mutex_unlock(&user);
	return ret ? ret : len;
}

static const struct file_operations play_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = play_write,
};

/* Anything written: wait until every destroy has returned. */
static ssize_t rest_write(struct file *file, const char __user *from, size_t len, loff_t *pos)
{
	int left;

	mutex_lock(&user);
	left = sc_limbo_empty();
	mutex_unlock(&user);
	return left ? -ETIMEDOUT : len;
}

static const struct file_operations rest_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = rest_write,
};

static ssize_t trace_read(struct file *file, char __user *to, size_t len, loff_t *pos)
{
	ssize_t ret;

	mutex_lock(&user);
	ret = simple_read_from_buffer(to, len, pos, trace.data, trace.len);
	mutex_unlock(&user);
	return ret;
}

static const struct file_operations trace_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.read = trace_read,
};

static int __init script_init(void)
{
	int ret;

	if (!ib_ports || ib_ports > LOOP_MAX_PORTS || roce_ports > LOOP_MAX_PORTS)
		return -EINVAL;
	sc_wq = alloc_workqueue("cm_script", WQ_UNBOUND, 0);
	if (!sc_wq)
		return -ENOMEM;
	ret = sc_places_create(ib_ports, roce_ports);
	if (ret) {
		destroy_workqueue(sc_wq);
		return ret;
	}
	folder = debugfs_create_dir("cm_script", NULL);
	debugfs_create_file("script", 0200, folder, NULL, &script_fops);
	debugfs_create_file("play", 0200, folder, NULL, &play_fops);
	debugfs_create_file("rest", 0200, folder, NULL, &rest_fops);
	debugfs_create_file("trace", 0400, folder, NULL, &trace_fops);
	return 0;
}

static void __exit script_exit(void)
{
	debugfs_remove(folder);
	sc_limbo_empty();
	sc_places_remove();
	destroy_workqueue(sc_wq);
	sc_text_free(&script);
	sc_text_free(&trace);
}

module_init(script_init);
module_exit(script_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Plays scripts against the ib_cm that is loaded and writes down what can be seen");
