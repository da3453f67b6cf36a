// SPDX-License-Identifier: GPL-2.0-only
/*
 * loop_hca: the network device of a RoCE port. It carries nothing: it is there
 * for its MAC, its addresses and its VLANs, from which ib_core makes GIDs.
 *
 * It is NOARP: every neighbour is reachable at once, stations included.
 */
#include <linux/etherdevice.h>
#include <linux/rtnetlink.h>

#include "local.h"

static netdev_tx_t loop_netdev_xmit(struct sk_buff *skb, struct net_device *ndev)
{
	dev_kfree_skb_any(skb);
	return NETDEV_TX_OK;
}

static const struct net_device_ops loop_netdev_ops = {
	.ndo_start_xmit = loop_netdev_xmit,
	.ndo_set_mac_address = eth_mac_addr,
	.ndo_validate_addr = eth_validate_addr,
};

static void loop_netdev_setup(struct net_device *ndev)
{
	ether_setup(ndev);
	ndev->netdev_ops = &loop_netdev_ops;
	ndev->needs_free_netdev = false;
	ndev->flags |= IFF_NOARP;
	ndev->flags &= ~IFF_MULTICAST;
	ndev->priv_flags |= IFF_NO_QUEUE;
	ndev->mtu = 4200;
	ndev->max_mtu = 9000;
}

/**
 * loop_netdev_create - make a port's network device, and bring it up
 * @port: of a device that is not registered yet
 * @name: of the network device
 *
 * Context: process, sleeps.
 * Return: 0 or an error
 */
int loop_netdev_create(struct loop_port *port, const char *name)
{
	struct net_device *ndev = alloc_netdev(0, name, NET_NAME_ENUM, loop_netdev_setup);
	int ret;

	if (!ndev)
		return -ENOMEM;
	eth_hw_addr_set(ndev, port->mac);
	rtnl_lock();
	ret = register_netdevice(ndev);
	if (!ret) {
		ret = dev_open(ndev, NULL);
		if (ret)
			unregister_netdevice(ndev);
	}
	rtnl_unlock();
	if (ret) {
		free_netdev(ndev);
		return ret;
	}
	port->ndev = ndev;
	return 0;
}

/**
 * loop_netdev_destroy - the reverse
 * @port: of a device that is no longer registered
 *
 * Context: process, sleeps.
 */
void loop_netdev_destroy(struct loop_port *port)
{
	if (!port->ndev)
		return;
	unregister_netdev(port->ndev);
	free_netdev(port->ndev);
	port->ndev = NULL;
}
