// SPDX-License-Identifier: GPL-2.0-only
/*
 * loop_hca: a device and its ports. Owns their life, and answers what ib_core
 * asks about them.
 *
 * A port is on the wire before ib_core knows the device, and leaves it after
 * ib_core has let go: what is under way meanwhile finds no QP.
 */
#include <linux/etherdevice.h>
#include <linux/idr.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <rdma/ib_addr.h>
#include <rdma/ib_mad.h>

#include "local.h"

/* 02:4c is locally administered and not a station's. */
#define LOOP_GUID_BASE	0x024c000000000000ULL
#define LOOP_MAX_CQE	(4 * LOOP_MAX_WR)

/* N of loopN: the lowest that is free. */
static DEFINE_IDA(loop_numbers);

static bool loop_is_roce(const struct loop_device *dev)
{
	return dev->config.layer == IB_LINK_LAYER_ETHERNET;
}

static int loop_query_struck(struct loop_port *port)
{
	loop_dawdle(port, LOOP_QUERY_SLOW, true);
	return loop_strike(port, LOOP_QUERY_FAIL, NULL, NULL) ? -EIO : 0;
}

static int loop_query_device(struct ib_device *ibdev, struct ib_device_attr *attr,
			     struct ib_udata *udata)
{
	memset(attr, 0, sizeof(*attr));
	attr->sys_image_guid = cpu_to_be64(to_loop(ibdev)->guid);
	attr->max_mr_size = U64_MAX;
	attr->page_size_cap = PAGE_SIZE;
	attr->vendor_id = 0x4c;
	attr->max_qp = 65536;
	attr->max_qp_wr = LOOP_MAX_WR;
	attr->max_send_sge = 4;
	attr->max_recv_sge = 1;
	attr->max_cq = 65536;
	attr->max_cqe = LOOP_MAX_CQE;
	attr->max_mr = 65536;
	attr->max_pd = 65536;
	attr->max_ah = INT_MAX;
	attr->max_qp_rd_atom = 16;
	attr->max_qp_init_rd_atom = 16;
	attr->max_pkeys = LOOP_MAX_PKEYS;
	attr->local_ca_ack_delay = 15;
	attr->kernel_cap_flags = IBK_LOCAL_DMA_LKEY;
	return 0;
}

static int loop_query_port(struct ib_device *ibdev, u32 num, struct ib_port_attr *attr)
{
	struct loop_port *port = loop_port(ibdev, num);
	int ret = loop_query_struck(port);

	if (ret)
		return ret;
	attr->max_mtu = IB_MTU_4096;
	attr->active_mtu = IB_MTU_4096;
	attr->phys_mtu = 4096;
	attr->gid_tbl_len = loop_is_roce(port->dev) ? LOOP_GIDS : 1;
	attr->max_msg_sz = LOOP_MAD_SIZE;
	attr->lid = port->end.lid;
	attr->lmc = port->end.lmc;
	attr->max_vl_num = 1;
	attr->subnet_timeout = 18;
	attr->active_width = IB_WIDTH_4X;
	attr->active_speed = IB_SPEED_EDR;
	attr->ip_gids = loop_is_roce(port->dev);
	spin_lock_irq(&port->lock);
	attr->state = port->state;
	attr->phys_state = port->state == IB_PORT_DOWN ? IB_PORT_PHYS_STATE_DISABLED :
							 IB_PORT_PHYS_STATE_LINK_UP;
	attr->port_cap_flags = port->caps;
	attr->pkey_tbl_len = port->pkey_count;
	attr->bad_pkey_cntr = port->pkey_violations;
	spin_unlock_irq(&port->lock);
	return 0;
}

static int loop_modify_port(struct ib_device *ibdev, u32 num, int mask,
			    struct ib_port_modify *change)
{
	struct loop_port *port = loop_port(ibdev, num);

	loop_dawdle(port, LOOP_MODIFY_SLOW, true);
	if (loop_strike(port, LOOP_MODIFY_FAIL, NULL, NULL))
		return -EIO;
	spin_lock_irq(&port->lock);
	port->caps |= change->set_port_cap_mask;
	port->caps &= ~change->clr_port_cap_mask;
	spin_unlock_irq(&port->lock);
	return 0;
}

static void loop_port_gid(const struct loop_port *port, union ib_gid *gid)
{
	if (loop_is_roce(port->dev)) {
		loop_mac_to_gid(port->mac, gid);
		return;
	}
	gid->global.subnet_prefix = cpu_to_be64(0xfe80000000000000ULL);
	gid->global.interface_id = cpu_to_be64(port->guid);
}

static int loop_query_gid(struct ib_device *ibdev, u32 num, int index, union ib_gid *gid)
{
	struct loop_port *port = loop_port(ibdev, num);
	int ret = loop_query_struck(port);

	if (ret)
		return ret;
	if (index)
		return -EINVAL;
	loop_port_gid(port, gid);
	return 0;
}

static int loop_query_pkey(struct ib_device *ibdev, u32 num, u16 index, u16 *pkey)
{
	struct loop_port *port = loop_port(ibdev, num);
	int ret = loop_query_struck(port);

	if (ret)
		return ret;
	spin_lock_irq(&port->lock);
	if (index < port->pkey_count)
		*pkey = port->pkeys[index];
	else
		ret = -EINVAL;
	spin_unlock_irq(&port->lock);
	return ret;
}

static int loop_add_gid(const struct ib_gid_attr *attr, void **context)
{
	*context = loop_wire_add_gid(&loop_port(attr->device, attr->port_num)->end, &attr->gid);
	return *context ? 0 : -ENOMEM;
}

static int loop_del_gid(const struct ib_gid_attr *attr, void **context)
{
	loop_wire_del_gid(*context);
	return 0;
}

static enum rdma_link_layer loop_get_link_layer(struct ib_device *ibdev, u32 num)
{
	return to_loop(ibdev)->config.layer;
}

static int loop_get_port_immutable(struct ib_device *ibdev, u32 num,
				   struct ib_port_immutable *immutable)
{
	const struct loop_config *config = &to_loop(ibdev)->config;

	immutable->pkey_tbl_len = LOOP_MAX_PKEYS;
	immutable->max_mad_size = LOOP_MAD_SIZE;
	immutable->core_cap_flags = RDMA_CORE_CAP_IB_MAD | RDMA_CORE_CAP_AF_IB;
	if (num > 32 || !(config->no_cm & BIT(num - 1)))
		immutable->core_cap_flags |= RDMA_CORE_CAP_IB_CM;
	if (config->opa)
		immutable->core_cap_flags |= RDMA_CORE_CAP_OPA_AH;
	if (loop_is_roce(to_loop(ibdev))) {
		immutable->gid_tbl_len = LOOP_GIDS;
		immutable->core_cap_flags |= RDMA_CORE_CAP_PROT_ROCE_UDP_ENCAP |
					     RDMA_CORE_CAP_ETH_AH;
	} else {
		immutable->gid_tbl_len = 1;
		immutable->core_cap_flags |= RDMA_CORE_CAP_PROT_IB;
	}
	return 0;
}

static const struct ib_device_ops loop_device_ops = {
	.owner = THIS_MODULE,
	.driver_id = RDMA_DRIVER_UNKNOWN,
	.query_device = loop_query_device,
	.query_port = loop_query_port,
	.modify_port = loop_modify_port,
	.query_gid = loop_query_gid,
	.query_pkey = loop_query_pkey,
	.get_link_layer = loop_get_link_layer,
	.get_port_immutable = loop_get_port_immutable,
};

static const struct ib_device_ops loop_roce_ops = {
	.add_gid = loop_add_gid,
	.del_gid = loop_del_gid,
};

static void loop_port_set_pkeys(struct loop_port *port, const u16 *pkeys, u32 count)
{
	lockdep_assert_held(&port->lock);
	memset(port->pkeys, 0, sizeof(port->pkeys));
	memcpy(port->pkeys, pkeys, count * sizeof(*pkeys));
	port->pkey_count = count;
}

static u32 loop_pkeys_given(const u16 *pkeys)
{
	u32 i, count = 0;

	for (i = 0; i < LOOP_MAX_PKEYS; i++)
		if (pkeys[i])
			count = i + 1;
	return count;
}

static int loop_port_init(struct loop_device *dev, u32 num)
{
	struct loop_port *port = &dev->ports[num - 1];
	const u16 pkey = IB_DEFAULT_PKEY_FULL;
	u32 pkeys = loop_pkeys_given(dev->config.pkeys);

	port->dev = dev;
	port->num = num;
	port->guid = dev->guid | num;
	u64_to_ether_addr(dev->guid >> 16 | num, port->mac);
	spin_lock_init(&port->lock);
	port->state = IB_PORT_ACTIVE;
	loop_later_init(port);
	spin_lock_irq(&port->lock);
	if (pkeys)
		loop_port_set_pkeys(port, dev->config.pkeys, pkeys);
	else
		loop_port_set_pkeys(port, &pkey, 1);
	spin_unlock_irq(&port->lock);
	port->end.layer = dev->config.layer;
	port->end.deliver = loop_port_deliver;
	if (!loop_is_roce(dev)) {
		port->end.lmc = dev->config.lmc;
		if (dev->config.lid)
			port->end.lid = dev->config.lid + ((num - 1) << dev->config.lmc);
	}
	return loop_wire_attach(&port->end);
}

/* The first count ports leave the wire. */
static void loop_ports_fini(struct loop_device *dev, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++)
		loop_wire_detach(&dev->ports[i].end);
	synchronize_rcu();
	for (i = 0; i < count; i++)
		loop_later_fini(&dev->ports[i]);
	kvfree(dev->ports);
}

static int loop_ports_init(struct loop_device *dev)
{
	u32 count = dev->config.ports, i;
	int ret = 0;

	dev->ports = kvcalloc(count, sizeof(*dev->ports), GFP_KERNEL);
	if (!dev->ports)
		return -ENOMEM;
	for (i = 0; !ret && i < count; i++)
		ret = loop_port_init(dev, i + 1);
	if (ret)
		loop_ports_fini(dev, i - 1);
	return ret;
}

/* ib_core does not know the device, or no longer. */
static void loop_netdevs_destroy(struct loop_device *dev)
{
	u32 i;

	for (i = 0; i < dev->config.ports; i++) {
		if (!dev->ports[i].ndev)
			continue;
		ib_device_set_netdev(&dev->ibdev, NULL, i + 1);
		loop_netdev_destroy(&dev->ports[i]);
	}
}

static int loop_netdevs_create(struct loop_device *dev)
{
	char name[IFNAMSIZ];
	u32 i;
	int ret;

	if (!loop_is_roce(dev))
		return 0;
	for (i = 0; i < dev->config.ports; i++) {
		snprintf(name, sizeof(name), "loop%dp%u", dev->number, i + 1);
		ret = loop_netdev_create(&dev->ports[i], name);
		if (!ret)
			ret = ib_device_set_netdev(&dev->ibdev, dev->ports[i].ndev, i + 1);
		if (ret)
			return ret;
	}
	return 0;
}

static int loop_register(struct loop_device *dev)
{
	char name[IB_DEVICE_NAME_MAX];
	int ret;

	snprintf(name, sizeof(name), "loop%d", dev->number);
	dev->ibdev.node_type = RDMA_NODE_IB_CA;
	dev->ibdev.phys_port_cnt = dev->config.ports;
	dev->ibdev.num_comp_vectors = num_possible_cpus();
	if (!dev->config.zero_guid)
		dev->ibdev.node_guid = cpu_to_be64(dev->config.node_guid ?: dev->guid);
	strscpy(dev->ibdev.node_desc, "loop_hca", sizeof(dev->ibdev.node_desc));
	ib_set_device_ops(&dev->ibdev, &loop_device_ops);
	ib_set_device_ops(&dev->ibdev, &loop_object_ops);
	if (loop_is_roce(dev))
		ib_set_device_ops(&dev->ibdev, &loop_roce_ops);
	if (dev->config.rule.nth)
		loop_fault_set(&dev->ibdev, dev->config.fault_port, dev->config.fault,
			       &dev->config.rule);
	ret = loop_netdevs_create(dev);
	if (!ret)
		ret = ib_register_device(&dev->ibdev, name, NULL);
	return ret;
}

struct ib_device *loop_hca_create(const struct loop_config *config)
{
	struct loop_device *dev;
	int ret;

	if ((config->layer != IB_LINK_LAYER_INFINIBAND &&
	     config->layer != IB_LINK_LAYER_ETHERNET) ||
	    config->ports > LOOP_MAX_PORTS || config->lmc > 7)
		return ERR_PTR(-EINVAL);
	dev = ib_alloc_device(loop_device, ibdev);
	if (!dev)
		return ERR_PTR(-ENOMEM);
	dev->config = *config;
	dev->config.ports = config->ports ?: 1;
	dev->guid = LOOP_GUID_BASE | (u64)loop_wire_serial() << 24;
	dev->number = ida_alloc(&loop_numbers, GFP_KERNEL);
	if (dev->number < 0) {
		ret = dev->number;
		goto no_number;
	}
	ret = loop_ports_init(dev);
	if (ret)
		goto no_ports;
	ret = loop_register(dev);
	if (ret)
		goto no_device;
	loop_debugfs_add(dev);
	loop_devices_add(dev);
	return &dev->ibdev;

no_device:
	loop_netdevs_destroy(dev);
	loop_ports_fini(dev, dev->config.ports);
no_ports:
	ida_free(&loop_numbers, dev->number);
no_number:
	ib_dealloc_device(&dev->ibdev);
	return ERR_PTR(ret);
}
EXPORT_SYMBOL_GPL(loop_hca_create);

void loop_hca_remove(struct ib_device *ibdev)
{
	struct loop_device *dev = to_loop(ibdev);
	u32 i;

	/* Somebody else is at it, or was. */
	if (!loop_devices_del(dev))
		return;
	loop_debugfs_del(dev);
	loop_faults_stop(dev);
	for (i = 0; i < dev->config.ports; i++)
		loop_later_release(&dev->ports[i], true);
	ib_unregister_device(ibdev);
	loop_netdevs_destroy(dev);
	loop_ports_fini(dev, dev->config.ports);
	ida_free(&loop_numbers, dev->number);
	ib_dealloc_device(ibdev);
}
EXPORT_SYMBOL_GPL(loop_hca_remove);

void loop_hca_address(struct ib_device *ibdev, u32 num, struct loop_packet *from)
{
	struct loop_port *port = loop_port(ibdev, num);
	unsigned long flags;

	from->slid = port->end.lid;
	from->src_qpn = LOOP_QP1;
	from->vlan = LOOP_NO_VLAN;
	loop_port_gid(port, &from->sgid);
	ether_addr_copy(from->smac, port->mac);
	spin_lock_irqsave(&port->lock, flags);
	from->pkey = port->pkeys[0];
	spin_unlock_irqrestore(&port->lock, flags);
}
EXPORT_SYMBOL_GPL(loop_hca_address);

/* Handlers have run, and ib_core's cache is up to date, when it returns. */
static void loop_announce(struct ib_device *ibdev, u32 num, enum ib_event_type what)
{
	struct ib_event event = { .device = ibdev, .event = what, .element.port_num = num };

	ib_dispatch_event(&event);
	flush_workqueue(ib_wq);
}

void loop_hca_port_state(struct ib_device *ibdev, u32 num, enum ib_port_state state)
{
	struct loop_port *port = loop_port(ibdev, num);

	spin_lock_irq(&port->lock);
	port->state = state;
	spin_unlock_irq(&port->lock);
	loop_announce(ibdev, num, state == IB_PORT_ACTIVE ? IB_EVENT_PORT_ACTIVE :
		      IB_EVENT_PORT_ERR);
}
EXPORT_SYMBOL_GPL(loop_hca_port_state);

void loop_hca_pkeys(struct ib_device *ibdev, u32 num, const u16 *pkeys, u32 count)
{
	struct loop_port *port = loop_port(ibdev, num);

	spin_lock_irq(&port->lock);
	loop_port_set_pkeys(port, pkeys, min_t(u32, count, LOOP_MAX_PKEYS));
	spin_unlock_irq(&port->lock);
	loop_announce(ibdev, num, IB_EVENT_PKEY_CHANGE);
}
EXPORT_SYMBOL_GPL(loop_hca_pkeys);

int loop_hca_handles(struct ib_device *ibdev)
{
	return atomic_read(&to_loop(ibdev)->handles);
}
EXPORT_SYMBOL_GPL(loop_hca_handles);

void loop_hca_release(struct ib_device *ibdev)
{
	u32 i;

	for (i = 0; i < ibdev->phys_port_cnt; i++)
		loop_later_release(&to_loop(ibdev)->ports[i], false);
}
EXPORT_SYMBOL_GPL(loop_hca_release);
