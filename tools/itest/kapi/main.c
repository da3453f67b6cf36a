// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module: finds the device, runs the cases in the loading process, prints a
 * line for each. Loading succeeds only if all of them did.
 *
 *	dev=	name of an RDMA device with a RoCE v2 GID over IPv4
 *	case=	run only cases whose name starts so
 *	timeout= how long each end waits for the other, 4.096 us x 2^n
 *	copies=	the wire delivers a datagram up to so many times
 *	stock=1	the ib_cm under test is the kernel's own: what is known not to hold
 *		there is told as a difference, what hangs there is skipped
 */
#include <linux/module.h>
#include <linux/if_ether.h>
#include <linux/netdevice.h>
#include <net/ipv6.h>

#include "kapi.h"

static char *kapi_dev = "rxe0";
module_param_named(dev, kapi_dev, charp, 0444);
MODULE_PARM_DESC(dev, "RDMA device to test on");
static char *kapi_only = "";
module_param_named(case, kapi_only, charp, 0444);
MODULE_PARM_DESC(case, "only cases whose name starts so");
u8 kapi_timeout = KAPI_LONG;
module_param_named(timeout, kapi_timeout, byte, 0444);
MODULE_PARM_DESC(timeout, "how long each end waits for the other, 4.096 us x 2^n, unless a case says otherwise");
static unsigned int kapi_copies = 1;
module_param_named(copies, kapi_copies, uint, 0444);
MODULE_PARM_DESC(copies, "the wire delivers a datagram up to so many times");
static bool kapi_stock;
module_param_named(stock, kapi_stock, bool, 0444);
MODULE_PARM_DESC(stock, "the ib_cm under test is the kernel's own");

static const struct kapi_case *const kapi_groups[] = {
	kapi_misuse, kapi_fields, kapi_connect, kapi_handler, kapi_share, kapi_destroy,
};

static struct ib_device *kapi_found;

static int kapi_add(struct ib_device *dev)
{
	if (!strcmp(dev_name(&dev->dev), kapi_dev))
		kapi_found = dev;
	return 0;
}

static void kapi_remove(struct ib_device *dev, void *data)
{
}

static struct ib_client kapi_client = {
	.name = "cm_kapi",
	.add = kapi_add,
	.remove = kapi_remove,
};

void kapi_fail(struct kapi *t, const char *format, ...)
{
	char line[sizeof(t->why)];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (!t->failed)
		strscpy(t->why, line, sizeof(t->why));
	t->failed = true;
	pr_info("cm_kapi: # %s\n", line);
}

/* The GID that the ends use at both sides, and the hardware address behind it. */
static int kapi_find_gid(struct kapi *t)
{
	const struct ib_gid_attr *attr;
	struct net_device *ndev;
	int i;

	for (i = 0; i < 64 && !t->gid; i++) {
		attr = rdma_get_gid_attr(t->dev, 1, i);
		if (IS_ERR(attr))
			continue;
		if (attr->gid_type == IB_GID_TYPE_ROCE_UDP_ENCAP &&
		    ipv6_addr_v4mapped((const struct in6_addr *)&attr->gid))
			t->gid = attr;
		else
			rdma_put_gid_attr(attr);
	}
	if (!t->gid)
		return -ENODEV;
	rcu_read_lock();
	ndev = rdma_read_gid_attr_ndev_rcu(t->gid);
	if (!IS_ERR(ndev))
		ether_addr_copy(t->mac, ndev->dev_addr);
	rcu_read_unlock();
	return PTR_ERR_OR_ZERO(ndev);
}

/* Returns whether it counts as passed. */
static bool kapi_run(struct kapi *t, const struct kapi_case *c, unsigned int number)
{
	ktime_t begin = ktime_get();
	char took[16];
	s64 ms;

	if (t->stock && c->hangs) {
		pr_info("cm_kapi: skip %u %s 0 stock: %s\n", number, c->name, c->stock);
		return true;
	}
	t->failed = false;
	pr_info("cm_kapi: # begin %s\n", c->name);
	c->run(t);
	ms = ktime_ms_delta(ktime_get(), begin);
	snprintf(took, sizeof(took), "%lld.%02lld", ms / 1000, ms % 1000 / 10);
	if (!t->failed)
		pr_info("cm_kapi: ok %u %s %s\n", number, c->name, took);
	else if (t->stock && c->stock)
		pr_info("cm_kapi: skip %u %s %s stock: %s: %s\n", number, c->name, took, c->stock, t->why);
	else
		pr_info("cm_kapi: not ok %u %s %s %s\n", number, c->name, took, t->why);
	return !t->failed || (t->stock && c->stock);
}

static int __init kapi_init(void)
{
	const struct kapi_case *c;
	struct kapi t = { .stock = kapi_stock, .copies = kapi_copies };
	unsigned int number = 0, bad = 0, i;
	int err;

	err = ib_register_client(&kapi_client);
	if (err)
		return err;
	t.dev = kapi_found;
	err = t.dev ? kapi_find_gid(&t) : -ENODEV;
	if (err) {
		pr_err("cm_kapi: no device %s with a RoCE v2 GID over IPv4\n", kapi_dev);
		goto out;
	}
	for (i = 0; i < ARRAY_SIZE(kapi_groups); i++) {
		for (c = kapi_groups[i]; c->name; c++) {
			if (strncmp(c->name, kapi_only, strlen(kapi_only)))
				continue;
			bad += !kapi_run(&t, c, ++number);
		}
	}
	if (!number)
		pr_err("cm_kapi: no case is named like %s\n", kapi_only);
	pr_info("cm_kapi: 1..%u, %u failed\n", number, bad);
	err = number && !bad ? 0 : -EINVAL;
out:
	if (t.gid)
		rdma_put_gid_attr(t.gid);
	if (err)
		ib_unregister_client(&kapi_client);
	return err;
}
module_init(kapi_init);

static void __exit kapi_exit(void)
{
	ib_unregister_client(&kapi_client);
}
module_exit(kapi_exit);

MODULE_DESCRIPTION("Tests of the InfiniBand connection manager's kernel interface");
MODULE_LICENSE("GPL");
