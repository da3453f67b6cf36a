// SPDX-License-Identifier: GPL-2.0-only
/*
 * loop_hca: the knobs as files, in /sys/kernel/debug/loop_hca. Owns the folder.
 *
 *	create			write the words of a device (main.c has them)
 *	remove			write the name of a device
 *	DEVICE/handles		address handles that exist
 *	DEVICE/release		write anything: withheld sends complete
 *	DEVICE/PORT/state	active, down, ... ; write one
 *	DEVICE/PORT/port	its addresses and what it lost
 *	DEVICE/PORT/FAULT/	attr nth times arg: the rule; writing nth arms it, 0 clears it
 *				hits: how often it struck
 *	DEVICE/all/FAULT/	the same for all ports at once; hits: their sum
 *
 * Ports after the 16th are reached by all only.
 */
#include <linux/debugfs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "local.h"

#define LOOP_SHOWN_PORTS	16
#define LOOP_WORDS_MAX		256

/* A fault's folder: the rule that writing nth arms. Port 0: all. */
struct loop_draft {
	struct loop_device *dev;
	u32 port;
	enum loop_fault fault;
	struct loop_rule rule;
};

static struct dentry *loop_debugfs_root;
static struct dentry *loop_debugfs_create;
static struct dentry *loop_debugfs_remove;

static const char * const loop_state_names[] = {
	[IB_PORT_DOWN]	 = "down",
	[IB_PORT_INIT]	 = "init",
	[IB_PORT_ARMED]	 = "armed",
	[IB_PORT_ACTIVE] = "active",
};

static int loop_copy_words(char *words, size_t size, const char __user *from, size_t count)
{
	if (count >= size)
		return -E2BIG;
	if (copy_from_user(words, from, count))
		return -EFAULT;
	words[count] = 0;
	return 0;
}

static ssize_t loop_create_write(struct file *file, const char __user *from, size_t count,
				 loff_t *pos)
{
	char words[LOOP_WORDS_MAX];
	int ret = loop_copy_words(words, sizeof(words), from, count);

	if (!ret)
		ret = loop_create_all(words);
	return ret ?: count;
}

static ssize_t loop_remove_write(struct file *file, const char __user *from, size_t count,
				 loff_t *pos)
{
	char words[LOOP_WORDS_MAX];
	int ret = loop_copy_words(words, sizeof(words), from, count);

	if (!ret)
		ret = loop_remove_named(strim(words));
	return ret ?: count;
}

static ssize_t loop_release_write(struct file *file, const char __user *from, size_t count,
				  loff_t *pos)
{
	struct loop_device *dev = file->private_data;

	loop_hca_release(&dev->ibdev);
	return count;
}

#define LOOP_WRITE_FILE(name) \
	static const struct file_operations loop_##name##_fops = { \
		.owner = THIS_MODULE, .open = simple_open, .write = loop_##name##_write, \
	}

LOOP_WRITE_FILE(create);
LOOP_WRITE_FILE(remove);
LOOP_WRITE_FILE(release);

static int loop_handles_get(void *data, u64 *value)
{
	struct loop_device *dev = data;

	*value = loop_hca_handles(&dev->ibdev);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(loop_handles_fops, loop_handles_get, NULL, "%llu\n");

static int loop_state_show(struct seq_file *seq, void *unused)
{
	struct loop_port *port = seq->private;
	enum ib_port_state state = READ_ONCE(port->state);

	seq_printf(seq, "%s\n", state < ARRAY_SIZE(loop_state_names) ? loop_state_names[state] :
		   "?");
	return 0;
}

static int loop_state_open(struct inode *inode, struct file *file)
{
	return single_open(file, loop_state_show, inode->i_private);
}

static ssize_t loop_state_write(struct file *file, const char __user *from, size_t count,
				loff_t *pos)
{
	struct loop_port *port = ((struct seq_file *)file->private_data)->private;
	char words[LOOP_WORDS_MAX], *name;
	enum ib_port_state state;
	int ret = loop_copy_words(words, sizeof(words), from, count);

	if (ret)
		return ret;
	name = strim(words);
	for (state = IB_PORT_DOWN; state < ARRAY_SIZE(loop_state_names); state++) {
		if (!strcmp(name, loop_state_names[state])) {
			loop_hca_port_state(&port->dev->ibdev, port->num, state);
			return count;
		}
	}
	return -EINVAL;
}

static const struct file_operations loop_state_fops = {
	.owner = THIS_MODULE,
	.open = loop_state_open,
	.read = seq_read,
	.write = loop_state_write,
	.llseek = seq_lseek,
	.release = single_release,
};

static int loop_port_show(struct seq_file *seq, void *unused)
{
	struct loop_port *port = seq->private;
	struct loop_packet own = {};

	loop_hca_address(&port->dev->ibdev, port->num, &own);
	seq_printf(seq, "lid %u\nlmc %u\ngid %pI6\nmac %pM\n", port->end.lid, port->end.lmc,
		   own.sgid.raw, own.smac);
	spin_lock_irq(&port->lock);
	seq_printf(seq, "overruns %u\npkey_violations %u\nlost_late %u\nunderway %u\n",
		   port->overruns, port->pkey_violations, port->lost_late, port->parcel_count);
	spin_unlock_irq(&port->lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(loop_port);

static int loop_nth_get(void *data, u64 *value)
{
	struct loop_draft *draft = data;
	struct loop_port *port;

	*value = draft->rule.nth;
	if (draft->port) {
		port = &draft->dev->ports[draft->port - 1];
		*value = READ_ONCE(port->knobs[draft->fault].rule.nth);
	}
	return 0;
}

static int loop_nth_set(void *data, u64 value)
{
	struct loop_draft *draft = data;

	if (value > U32_MAX)
		return -ERANGE;
	draft->rule.nth = value;
	loop_fault_set(&draft->dev->ibdev, draft->port, draft->fault, value ? &draft->rule : NULL);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(loop_nth_fops, loop_nth_get, loop_nth_set, "%llu\n");

static int loop_hits_get(void *data, u64 *value)
{
	struct loop_draft *draft = data;

	*value = loop_fault_hits(&draft->dev->ibdev, draft->port, draft->fault);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(loop_hits_fops, loop_hits_get, NULL, "%llu\n");

static void loop_fault_folders(struct loop_device *dev, u32 port, struct dentry *parent)
{
	enum loop_fault fault;

	for (fault = 0; fault < LOOP_FAULTS; fault++) {
		struct loop_draft *draft = &dev->drafts[port * LOOP_FAULTS + fault];
		struct dentry *folder = debugfs_create_dir(loop_fault_name(fault), parent);

		draft->dev = dev;
		draft->port = port;
		draft->fault = fault;
		debugfs_create_x16("attr", 0600, folder, &draft->rule.attr_id);
		debugfs_create_u32("times", 0600, folder, &draft->rule.times);
		debugfs_create_u32("arg", 0600, folder, &draft->rule.arg);
		debugfs_create_file_unsafe("nth", 0600, folder, draft, &loop_nth_fops);
		debugfs_create_file_unsafe("hits", 0400, folder, draft, &loop_hits_fops);
	}
}

static void loop_port_folder(struct loop_port *port, struct dentry *parent)
{
	struct dentry *folder;
	char name[12];

	snprintf(name, sizeof(name), "%u", port->num);
	folder = debugfs_create_dir(name, parent);
	debugfs_create_file("state", 0600, folder, port, &loop_state_fops);
	debugfs_create_file("port", 0400, folder, port, &loop_port_fops);
	loop_fault_folders(port->dev, port->num, folder);
}

/**
 * loop_debugfs_add - show a device
 * @dev: registered
 *
 * Context: process, sleeps.
 */
void loop_debugfs_add(struct loop_device *dev)
{
	u32 shown = min_t(u32, dev->config.ports, LOOP_SHOWN_PORTS), i;

	dev->drafts = kcalloc((shown + 1) * LOOP_FAULTS, sizeof(*dev->drafts), GFP_KERNEL);
	if (!dev->drafts)
		return;
	dev->debugfs = debugfs_create_dir(dev_name(&dev->ibdev.dev), loop_debugfs_root);
	debugfs_create_file_unsafe("handles", 0400, dev->debugfs, dev, &loop_handles_fops);
	debugfs_create_file("release", 0200, dev->debugfs, dev, &loop_release_fops);
	loop_fault_folders(dev, 0, debugfs_create_dir("all", dev->debugfs));
	for (i = 0; i < shown; i++)
		loop_port_folder(&dev->ports[i], dev->debugfs);
}

/**
 * loop_debugfs_del - the reverse; no file of it is in use when this returns
 * @dev: still registered
 *
 * Context: process, sleeps.
 */
void loop_debugfs_del(struct loop_device *dev)
{
	debugfs_remove(dev->debugfs);
	kfree(dev->drafts);
}

/**
 * loop_debugfs_init - make the folder
 *
 * Context: process, sleeps.
 */
void loop_debugfs_init(void)
{
	loop_debugfs_root = debugfs_create_dir("loop_hca", NULL);
	loop_debugfs_create = debugfs_create_file("create", 0200, loop_debugfs_root, NULL,
						  &loop_create_fops);
	loop_debugfs_remove = debugfs_create_file("remove", 0200, loop_debugfs_root, NULL,
						  &loop_remove_fops);
}

/**
 * loop_debugfs_close - no device comes or goes by debugfs any more
 *
 * Context: process, sleeps.
 */
void loop_debugfs_close(void)
{
	debugfs_remove(loop_debugfs_create);
	debugfs_remove(loop_debugfs_remove);
}

/**
 * loop_debugfs_exit - remove the folder
 *
 * Context: process, sleeps; all devices are gone.
 */
void loop_debugfs_exit(void)
{
	debugfs_remove(loop_debugfs_root);
}
