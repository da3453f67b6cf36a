// SPDX-License-Identifier: GPL-2.0-only
/*
 * The devices that the actors use: whatever ib_core has under the names wanted.
 *
 * Owns: struct soak_dev. A device that leaves is no longer chosen, and its memory
 * stays for the ids that were made on it: they outlive it, and are to be told.
 * A client that is registered after ib_cm's is removed before it, so nothing is
 * expected of an id when soak_remove() runs, but all of it when
 * soak_dev_enter() fails: every client has returned by then.
 */
#include <linux/etherdevice.h>
#include <linux/slab.h>
#include <rdma/ib_cache.h>
#include <rdma/ib_sa.h>

#include "soak.h"

#define SOAK_GIDS	16

static DEFINE_SPINLOCK(soak_devices_lock);
static LIST_HEAD(soak_devices);
static LIST_HEAD(soak_devices_all);
static const char *soak_prefix;

static void soak_dev_free(struct kref *ref)
{
	struct soak_dev *dev = container_of(ref, struct soak_dev, ref);

	list_del(&dev->all);
	spin_unlock(&soak_devices_lock);
	put_device(&dev->ibdev->dev);
	kfree(dev);
}

void soak_dev_put(struct soak_dev *dev)
{
	kref_put_lock(&dev->ref, soak_dev_free, &soak_devices_lock);
}

struct soak_dev *soak_dev_choose(struct soak_dice *dice)
{
	struct soak_dev *dev, *found = NULL;
	unsigned int n = 0;

	/* One pass: each of n is kept with probability 1/n. */
	spin_lock(&soak_devices_lock);
	list_for_each_entry(dev, &soak_devices, node)
		if (!soak_roll(dice, ++n))
			found = dev;
	if (found)
		kref_get(&found->ref);
	spin_unlock(&soak_devices_lock);
	return found;
}

struct soak_dev *soak_dev_of(struct ib_device *ibdev)
{
	struct soak_dev *dev, *found = NULL;

	spin_lock(&soak_devices_lock);
	list_for_each_entry(dev, &soak_devices_all, all)
		if (dev->ibdev == ibdev && kref_get_unless_zero(&dev->ref)) {
			found = dev;
			break;
		}
	spin_unlock(&soak_devices_lock);
	return found;
}

bool soak_dev_enter(struct soak_dev *dev)
{
	return ib_device_try_get(dev->ibdev);
}

void soak_dev_leave(struct soak_dev *dev)
{
	ib_device_put(dev->ibdev);
}

static struct ib_client soak_client;

static int soak_add(struct ib_device *ibdev)
{
	struct soak_dev *dev;

	if (strncmp(dev_name(&ibdev->dev), soak_prefix, strlen(soak_prefix)))
		return -EOPNOTSUPP;
	dev = kzalloc(sizeof(*dev), GFP_KERNEL);
	if (!dev)
		return -ENOMEM;
	kref_init(&dev->ref);
	dev->ibdev = ibdev;
	get_device(&ibdev->dev);
	ib_set_client_data(ibdev, &soak_client, dev);
	spin_lock(&soak_devices_lock);
	list_add_tail(&dev->node, &soak_devices);
	list_add_tail(&dev->all, &soak_devices_all);
	spin_unlock(&soak_devices_lock);
	return 0;
}

static void soak_remove(struct ib_device *ibdev, void *data)
{
	struct soak_dev *dev = data;

	spin_lock(&soak_devices_lock);
	list_del_init(&dev->node);
	spin_unlock(&soak_devices_lock);
	soak_dev_put(dev);
	soak_count(SOAK_REMOVED, 1);
}

static struct ib_client soak_client = {
	.name = "cm_soak",
	.add = soak_add,
	.remove = soak_remove,
};

/**
 * soak_devices_init - take the devices that there are, and those to come
 * @prefix: how their names begin; stays
 *
 * Context: sleeps.
 * Return: 0 or a negative errno.
 */
int soak_devices_init(const char *prefix)
{
	soak_prefix = prefix;
	return ib_register_client(&soak_client);
}

/**
 * soak_devices_exit - let go of all devices
 *
 * Context: sleeps. No id is left.
 */
void soak_devices_exit(void)
{
	ib_unregister_client(&soak_client);
}

/* ---- addresses ---- */

struct soak_address {
	union ib_gid gid;
	u16 lid;
	u8 mac[ETH_ALEN];
};

/* The GID that a RoCE port is asked at: an IPv4 one if it has any, for that is what rxe routes. */
static int soak_roce_address(struct ib_device *dev, u32 port, struct soak_address *address)
{
	const struct ib_gid_attr *attr;
	struct net_device *ndev;
	int found = -EADDRNOTAVAIL;
	bool ipv4 = false;
	int i;

	for (i = 0; i < SOAK_GIDS && !ipv4; i++) {
		attr = rdma_get_gid_attr(dev, port, i);
		if (IS_ERR(attr))
			continue;
		if (attr->gid_type == IB_GID_TYPE_ROCE_UDP_ENCAP) {
			ipv4 = ipv6_addr_v4mapped((const struct in6_addr *)&attr->gid);
			rcu_read_lock();
			ndev = rdma_read_gid_attr_ndev_rcu(attr);
			if (!IS_ERR(ndev) && (ipv4 || found)) {
				ether_addr_copy(address->mac, ndev->dev_addr);
				address->gid = attr->gid;
				found = 0;
			}
			rcu_read_unlock();
		}
		rdma_put_gid_attr(attr);
	}
	return found;
}

static int soak_address(struct ib_device *dev, u32 port, struct soak_address *address)
{
	const struct ib_gid_attr *attr;
	struct ib_port_attr port_attr;
	int err;

	if (rdma_protocol_roce(dev, port))
		return soak_roce_address(dev, port, address);
	attr = rdma_get_gid_attr(dev, port, 0);
	if (IS_ERR(attr))
		return PTR_ERR(attr);
	address->gid = attr->gid;
	rdma_put_gid_attr(attr);
	err = ib_query_port(dev, port, &port_attr);
	address->lid = port_attr.lid;
	return err;
}

int soak_path(struct soak_dice *dice, struct ib_device *from, struct ib_device *to,
	      struct sa_path_rec *path)
{
	u32 port = 1 + soak_roll(dice, from->phys_port_cnt);
	u32 there = 1 + soak_roll(dice, to->phys_port_cnt);
	bool roce = rdma_protocol_roce(from, port);
	struct soak_address here = {}, peer = {};
	int err;

	if (roce != rdma_protocol_roce(to, there))
		return -EHOSTUNREACH;
	err = soak_address(from, port, &here) ?: soak_address(to, there, &peer);
	if (err)
		return err;
	*path = (struct sa_path_rec) {
		.rec_type = roce ? SA_PATH_REC_TYPE_ROCE_V2 : SA_PATH_REC_TYPE_IB,
		.sgid = here.gid,
		.dgid = peer.gid,
		.pkey = cpu_to_be16(0xffff),
		.reversible = 1,
		.numb_path = 1,
		.mtu_selector = IB_SA_EQ,
		.mtu = IB_MTU_1024,
		.rate_selector = IB_SA_EQ,
		.rate = IB_RATE_10_GBPS,
		.packet_life_time_selector = IB_SA_EQ,
		.packet_life_time = 10 + soak_roll(dice, 5),	/* 4 to 67 ms */
		.hop_limit = roce ? 64 : 0,
	};
	if (roce) {
		sa_path_set_dmac(path, peer.mac);
		path->roce.route_resolved = true;
	} else {
		sa_path_set_slid(path, here.lid);
		/* Now and then one that nobody has */
		sa_path_set_dlid(path, soak_chance(dice, 3) ? 0xbfff : peer.lid);
	}
	return 0;
}
