// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Devices, their ports and the MAD agents on them; hot-unplug.
 *
 * Owns: struct cm_device, struct cm_port, the ib_client and the list of
 * devices, the handlers of RDMA and netdevice events.
 *
 * Lock order: cm_devices_lock is a leaf. Inside cm_device.ids_lock there is
 * only the lock of the local ids.
 *
 * References: the client's data hold one to the device, from add to remove;
 * who else does stands in port.h. Devices and ports are freed after a grace
 * period, so that a look-up by client data may race with removal.
 *
 * Order of removal, and why: nothing new begins (@gone, client data, events);
 * ids get their last event while answers can still be sent; then the ways out
 * are closed one by one (replies, requests, timewait, handles); the capability
 * bit tells other subnet members; the agent pointer goes, a grace period makes
 * sure that nobody is about to post with it; unregistration hands back what was
 * posted; the completions hand back the handles; then nothing is left.
 */
#include <linux/bitops.h>
#include <linux/netdevice.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <rdma/ib_cm.h>

#include "id.h"
#include "port.h"
#include "rx.h"

#define CM_DRAIN_WARN	(10 * HZ)	/* an HCA that takes longer is reported */

static struct ib_client cm_client;
static LIST_HEAD(cm_devices);
static DEFINE_SPINLOCK(cm_devices_lock);

static void cm_device_free(struct rcu_head *rcu)
{
	struct cm_device *dev = container_of(rcu, struct cm_device, rcu);
	u32 i;

	for (i = 0; i < dev->nports; i++)
		kfree(dev->port[i]);
	kfree(dev);
}

static void cm_device_release(struct kref *ref)
{
	call_rcu(&container_of(ref, struct cm_device, ref)->rcu, cm_device_free);
}

/**
 * cm_device_get - the CM's view of a device
 * @ibdev: the device
 *
 * Context: any. May race with the removal of the device.
 * Return: the device with a reference of the caller's; NULL if it does not speak
 * CM, or not any more.
 */
struct cm_device *cm_device_get(struct ib_device *ibdev)
{
	struct cm_device *dev;

	rcu_read_lock();
	dev = ib_get_client_data(ibdev, &cm_client);
	if (dev && !kref_get_unless_zero(&dev->ref))
		dev = NULL;
	rcu_read_unlock();
	return dev;
}

/**
 * cm_device_hold - one more reference
 * @dev: the device; the caller has a reference
 *
 * Context: any.
 */
void cm_device_hold(struct cm_device *dev)
{
	kref_get(&dev->ref);
}

/**
 * cm_device_put - drop a reference
 * @dev: the device
 *
 * Context: any.
 */
void cm_device_put(struct cm_device *dev)
{
	kref_put(&dev->ref, cm_device_release);
}

/**
 * cm_device_port - a port by its number
 * @dev: the device
 * @num: the number, from 1
 *
 * Context: any.
 * Return: the port, which lives as long as @dev; NULL if there is none that speaks CM.
 */
struct cm_port *cm_device_port(struct cm_device *dev, u32 num)
{
	return num && num <= dev->nports ? dev->port[num - 1] : NULL;
}

/* IB_PORT_CM_SUP of PortInfo: the port answers class CM (IBTA vol. 1, 14.2.5.6, CapabilityMask) */
static int cm_port_announce(struct cm_port *port, bool on)
{
	struct ib_port_modify modify = {};

	if (on)
		modify.set_port_cap_mask = IB_PORT_CM_SUP;
	else
		modify.clr_port_cap_mask = IB_PORT_CM_SUP;
	return ib_modify_port(port->dev->ibdev, port->num, 0, &modify);
}

static struct ib_mad_agent *cm_port_register(struct cm_port *port)
{
	struct ib_mad_reg_req class = {
		.mgmt_class = IB_MGMT_CLASS_CM,
		.mgmt_class_version = CM_CLASS_VERSION,
	};

	__set_bit(IB_MGMT_METHOD_SEND, class.method_mask);
	return ib_register_mad_agent(port->dev->ibdev, port->num, IB_QPT_GSI, &class, 0,
				     cm_tx_send_handler, cm_rx_handler, port, 0);
}

/**
 * struct cm_drain - watches an unregistration
 * @work: says so if it takes long
 * @port: whose agent it is
 */
struct cm_drain {
	struct delayed_work work;
	struct cm_port *port;
};

static void cm_drain_slow(struct work_struct *work)
{
	struct cm_drain *drain = container_of(to_delayed_work(work), struct cm_drain, work);
	struct cm_port *port = drain->port;

	pr_warn("ib_cm: %s port %u: removal waits for the device to complete %d sends\n",
		dev_name(&port->dev->ibdev->dev), port->num, atomic_read(&port->tx.posted));
}

/* Waits for the handlers of the agent and for everything that was posted (ib_mad's rule). */
static void cm_port_unregister(struct cm_port *port)
{
	struct cm_drain drain = { .port = port };

	INIT_DELAYED_WORK_ONSTACK(&drain.work, cm_drain_slow);
	schedule_delayed_work(&drain.work, CM_DRAIN_WARN);
	ib_unregister_mad_agent(port->retired);
	port->retired = NULL;
	cancel_delayed_work_sync(&drain.work);
	destroy_delayed_work_on_stack(&drain.work);
}

/* Ends what a port does by itself. Each step refuses newcomers and drops or waits for the rest. */
static void cm_port_stop(struct cm_port *port)
{
	cm_reply_port_stop(port);
	cm_tx_port_stop(port);
	cm_tw_port_stop(port);
	cm_ah_port_stop(port);
	cm_stall_stop(port);
}

static void cm_ports_remove(struct cm_device *dev)
{
	struct cm_port *port;
	u32 i;

	for (i = 0; i < dev->nports; i++)
		if (dev->port[i])
			cm_port_stop(dev->port[i]);
	for (i = 0; i < dev->nports; i++) {
		port = dev->port[i];
		if (!port)
			continue;
		cm_port_announce(port, false);
		port->retired = rcu_replace_pointer(port->agent, NULL, true);
	}
	synchronize_rcu();
	for (i = 0; i < dev->nports; i++) {
		port = dev->port[i];
		if (!port)
			continue;
		cm_port_unregister(port);
		ib_port_unregister_client_groups(dev->ibdev, port->num, cm_stat_groups);
		cm_ah_port_exit(port);
	}
}

/*
 * On failure without an agent nothing of the port is left. A port whose
 * announcement fails has met the fabric already: it stays in @dev, and the
 * caller removes it in the same way as one that worked.
 */
static int cm_port_add(struct cm_device *dev, u32 num)
{
	struct ib_mad_agent *agent;
	struct cm_port *port;
	int err;

	port = kzalloc(sizeof(*port), GFP_KERNEL);
	if (!port)
		return -ENOMEM;
	port->dev = dev;
	port->num = num;
	cm_stall_init(port);
	cm_tx_port_init(port);
	cm_tw_port_init(port);
	cm_reply_port_init(port);
	err = cm_ah_port_init(port);
	if (err)
		goto free;
	err = ib_port_register_client_groups(dev->ibdev, num, cm_stat_groups);
	if (err)
		goto stop;

	/* In place first: the agent may be told of a message before we know of the agent */
	dev->port[num - 1] = port;
	agent = cm_port_register(port);
	if (IS_ERR(agent)) {
		dev->port[num - 1] = NULL;
		err = PTR_ERR(agent);
		goto groups;
	}
	rcu_assign_pointer(port->agent, agent);
	return cm_port_announce(port, true);

groups:
	ib_port_unregister_client_groups(dev->ibdev, num, cm_stat_groups);
stop:
	cm_port_stop(port);
	cm_ah_port_exit(port);
free:
	kfree(port);
	return err;
}

/* Begins the end: who adds an id to the device from now on is refused. */
static void cm_device_shut(struct cm_device *dev)
{
	spin_lock_irq(&dev->ids_lock);
	WRITE_ONCE(dev->gone, true);
	spin_unlock_irq(&dev->ids_lock);
	cm_id_remove_all(dev);
}

static void cm_device_invalidate(struct cm_device *dev, u32 num)
{
	struct cm_port *port = cm_device_port(dev, num);

	if (port)
		cm_ah_port_invalidate(port);
}

/*
 * A handle is a function of its attributes, of the GID entry and of what the
 * driver drew from the port when it was made. So these make handles anew: a GID
 * that is gone or has another device behind it; a changed LID, which a driver
 * may have put into the handle; a port that went down, behind which the fabric
 * may look different when it is back; a subnet manager that asks to start over.
 * P_Keys and the subnet manager's own address are not part of a handle.
 */
static void cm_ib_event(struct ib_event_handler *handler, struct ib_event *event)
{
	struct cm_device *dev = container_of(handler, struct cm_device, event_handler);

	switch (event->event) {
	case IB_EVENT_GID_CHANGE:
	case IB_EVENT_LID_CHANGE:
	case IB_EVENT_PORT_ERR:
	case IB_EVENT_CLIENT_REREGISTER:
		cm_device_invalidate(dev, event->element.port_num);
		break;
	default:
		break;
	}
}

/* On RoCE over a bond a handle names the member that it leaves through. */
static bool cm_bond_changed(unsigned long event, struct net_device *ndev, void *info)
{
	const struct netdev_notifier_changeupper_info *upper = info;

	switch (event) {
	case NETDEV_BONDING_FAILOVER:
		return true;
	case NETDEV_CHANGELOWERSTATE:
		return netif_is_lag_port(ndev);
	case NETDEV_CHANGEUPPER:
		return netif_is_lag_master(upper->upper_dev);
	default:
		return false;
	}
}

/**
 * cm_device_for_each - do something with every device
 * @do_one: what; may not sleep
 * @context: handed to it
 *
 * Context: process. The devices stay for as long.
 */
void cm_device_for_each(void (*do_one)(struct cm_device *dev, void *context), void *context)
{
	struct cm_device *dev;

	spin_lock(&cm_devices_lock);
	list_for_each_entry(dev, &cm_devices, node)
		do_one(dev, context);
	spin_unlock(&cm_devices_lock);
}

static void cm_device_bond_changed(struct cm_device *dev, void *context)
{
	u32 num;

	for (num = 1; num <= dev->nports; num++)
		if (rdma_protocol_roce(dev->ibdev, num))
			cm_device_invalidate(dev, num);
}

static int cm_netdev_event(struct notifier_block *nb, unsigned long event, void *ptr)
{
	struct net_device *ndev = netdev_notifier_info_to_dev(ptr);

	/* Which bond belongs to which device is the driver's knowledge: all of them */
	if (cm_bond_changed(event, ndev, ptr))
		cm_device_for_each(cm_device_bond_changed, NULL);
	return NOTIFY_DONE;
}

static struct notifier_block cm_netdev_block = {
	.notifier_call = cm_netdev_event,
};

static int cm_client_add(struct ib_device *ibdev)
{
	u32 nports = ibdev->phys_port_cnt;
	struct cm_device *dev;
	unsigned int usable = 0;
	int err;
	u32 i;

	dev = kzalloc(struct_size(dev, port, nports), GFP_KERNEL);
	if (!dev)
		return -ENOMEM;
	kref_init(&dev->ref);
	dev->ibdev = ibdev;
	dev->guid = ibdev->node_guid;
	dev->ack_delay = ibdev->attrs.local_ca_ack_delay;
	spin_lock_init(&dev->ids_lock);
	INIT_LIST_HEAD(&dev->ids);
	INIT_LIST_HEAD(&dev->gone_ids);
	INIT_LIST_HEAD(&dev->node);
	cm_listeners_init(&dev->listeners);
	dev->nports = nports;

	for (i = 0; i < nports; i++) {
		if (!rdma_cap_ib_cm(ibdev, i + 1))
			continue;
		err = cm_port_add(dev, i + 1);
		if (err)
			goto undo;
		usable++;
	}
	if (!usable) {
		cm_device_put(dev);
		return -EOPNOTSUPP;
	}

	INIT_IB_EVENT_HANDLER(&dev->event_handler, ibdev, cm_ib_event);
	ib_register_event_handler(&dev->event_handler);
	spin_lock(&cm_devices_lock);
	list_add_tail(&dev->node, &cm_devices);
	spin_unlock(&cm_devices_lock);
	/* What the handlers were too late to hear of */
	for (i = 1; i <= nports; i++)
		cm_device_invalidate(dev, i);
	cm_debugfs_add(dev);
	ib_set_client_data(ibdev, &cm_client, dev);
	return 0;

undo:
	cm_device_shut(dev);
	cm_ports_remove(dev);
	cm_device_put(dev);
	return err;
}

static void cm_client_remove(struct ib_device *ibdev, void *data)
{
	struct cm_device *dev = data;

	/* The core keeps the pointer until this returns: too long for a look-up under RCU */
	ib_set_client_data(ibdev, &cm_client, NULL);
	cm_debugfs_del(dev);
	spin_lock(&cm_devices_lock);
	list_del(&dev->node);
	spin_unlock(&cm_devices_lock);
	ib_unregister_event_handler(&dev->event_handler);

	cm_device_shut(dev);
	cm_ports_remove(dev);
	cm_device_put(dev);
}

static void cm_client_rename(struct ib_device *ibdev, void *data)
{
	struct cm_device *dev = data;

	cm_debugfs_del(dev);
	cm_debugfs_add(dev);
}

static struct ib_client cm_client = {
	.name	= "cm",
	.add	= cm_client_add,
	.remove	= cm_client_remove,
	.rename	= cm_client_rename,
};

/**
 * cm_port_init - take every device that speaks CM, now and later
 *
 * Context: process; may sleep.
 * Return: 0 or a negative errno.
 */
int cm_port_init(void)
{
	int err;

	err = register_netdevice_notifier(&cm_netdev_block);
	if (err)
		return err;
	err = ib_register_client(&cm_client);
	if (err)
		unregister_netdevice_notifier(&cm_netdev_block);
	return err;
}

/**
 * cm_port_exit - give every device back
 *
 * Context: process; sleeps until all removals are done.
 */
void cm_port_exit(void)
{
	ib_unregister_client(&cm_client);
	unregister_netdevice_notifier(&cm_netdev_block);
}
