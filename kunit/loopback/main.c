// SPDX-License-Identifier: GPL-2.0-only
/*
 * loop_hca: a fake HCA whose ports are joined by an in-memory wire that carries
 * QP1 datagrams and nothing else. This file: module init and exit, the parameter,
 * the list of devices.
 *
 *	devices=WORDS[;WORDS...]	devices to create at load, none by default
 *
 * WORDS is the layer, ib or roce, and what differs from the default, with commas
 * between: ports=N lid=N lmc=N guid=N (0: none) depth=N pkeys=N[:N...], numbers
 * as in C. Example: devices="ib,ports=2,lmc=1;roce".
 */
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "local.h"

static char *devices;
module_param(devices, charp, 0444);
MODULE_PARM_DESC(devices,
		 "devices to create at load: ib|roce[,ports=N][,lid=N][,lmc=N][,...][;...]");

struct workqueue_struct *loop_wq;

static LIST_HEAD(loop_devices);
static DEFINE_MUTEX(loop_devices_lock);

/**
 * loop_devices_add - a device is there
 * @dev: registered
 *
 * Context: process, sleeps.
 */
void loop_devices_add(struct loop_device *dev)
{
	mutex_lock(&loop_devices_lock);
	list_add_tail(&dev->entry, &loop_devices);
	mutex_unlock(&loop_devices_lock);
}

static bool loop_device_listed(const struct loop_device *dev)
{
	struct loop_device *other;

	list_for_each_entry(other, &loop_devices, entry)
		if (other == dev)
			return true;
	return false;
}

/**
 * loop_devices_del - claim a device's removal
 * @dev: maybe no longer there
 *
 * Context: process, sleeps.
 * Return: false if somebody else removes it or has removed it
 */
bool loop_devices_del(struct loop_device *dev)
{
	bool listed;

	mutex_lock(&loop_devices_lock);
	listed = loop_device_listed(dev);
	if (listed)
		list_del(&dev->entry);
	mutex_unlock(&loop_devices_lock);
	return listed;
}

static struct loop_device *loop_device_find(const char *name)
{
	struct loop_device *dev;

	list_for_each_entry(dev, &loop_devices, entry)
		if (!name || !strcmp(dev_name(&dev->ibdev.dev), name))
			return dev;
	return NULL;
}

/**
 * loop_remove_named - remove a device by its name
 * @name: as ib_core knows it; NULL: any
 *
 * Context: process, sleeps.
 * Return: 0 or -ENODEV
 */
int loop_remove_named(const char *name)
{
	struct loop_device *dev;

	mutex_lock(&loop_devices_lock);
	dev = loop_device_find(name);
	mutex_unlock(&loop_devices_lock);
	if (!dev)
		return -ENODEV;
	loop_hca_remove(&dev->ibdev);
	return 0;
}

/**
 * loop_create_all - create devices by their words
 * @specs: one or more, with semicolons between
 *
 * Context: process, sleeps.
 * Return: 0, or why the first that failed did; those before it exist
 */
int loop_create_all(const char *specs)
{
	char *all = kstrdup(specs, GFP_KERNEL), *rest = all, *words;
	struct loop_config config;
	struct ib_device *ibdev;
	int ret = 0;

	if (!all)
		return -ENOMEM;
	while (!ret && (words = strsep(&rest, ";"))) {
		ret = loop_spec_parse(words, &config);
		if (ret)
			break;
		ibdev = loop_hca_create(&config);
		ret = PTR_ERR_OR_ZERO(ibdev);
	}
	kfree(all);
	return ret;
}

static void loop_exit(void)
{
	loop_debugfs_close();
	while (!loop_remove_named(NULL))
		;
	loop_debugfs_exit();
	loop_wire_exit();
	destroy_workqueue(loop_wq);
}

static int __init loop_init(void)
{
	int ret;

	loop_wq = alloc_workqueue("loop_hca", WQ_UNBOUND | WQ_MEM_RECLAIM | WQ_HIGHPRI, 0);
	if (!loop_wq)
		return -ENOMEM;
	loop_debugfs_init();
	ret = devices && *devices ? loop_create_all(devices) : 0;
	if (ret)
		loop_exit();
	return ret;
}

static void __exit loop_module_exit(void)
{
	loop_exit();
}

module_init(loop_init);
module_exit(loop_module_exit);

MODULE_DESCRIPTION("A fake HCA that carries QP1 datagrams only");
MODULE_LICENSE("GPL");
