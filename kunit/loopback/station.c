// SPDX-License-Identifier: GPL-2.0-only
/*
 * loop_hca: stations, the peers without a device. Owns their queues.
 */
#include <linux/etherdevice.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/wait.h>
#include <rdma/ib_mad.h>

#include "local.h"

struct loop_station {
	struct loop_end end;
	u8 mac[ETH_ALEN];
	union ib_gid gid;
	struct loop_gid *gid_entry;
	spinlock_t lock;		/* guards arrived and waiting */
	struct list_head arrived;
	unsigned int waiting;
	wait_queue_head_t wait;
};

static int loop_station_deliver(struct loop_end *end, const struct loop_packet *packet)
{
	struct loop_station *station = container_of(end, struct loop_station, end);
	struct loop_parcel *parcel = kmalloc(sizeof(*parcel), GFP_ATOMIC);
	unsigned long flags;
	bool full;

	if (!parcel)
		return -ENOBUFS;
	parcel->packet = *packet;
	spin_lock_irqsave(&station->lock, flags);
	full = station->waiting >= LOOP_MAX_WAITING;
	if (!full) {
		list_add_tail(&parcel->entry, &station->arrived);
		station->waiting++;
	}
	spin_unlock_irqrestore(&station->lock, flags);
	if (full) {
		kfree(parcel);
		return -ENOBUFS;
	}
	wake_up(&station->wait);
	return 0;
}

struct loop_station *loop_station_create(enum rdma_link_layer layer, u8 lmc)
{
	struct loop_station *station;
	u32 serial = loop_wire_serial();
	int ret;

	if ((layer != IB_LINK_LAYER_INFINIBAND && layer != IB_LINK_LAYER_ETHERNET) || lmc > 7)
		return ERR_PTR(-EINVAL);
	station = kzalloc(sizeof(*station), GFP_KERNEL);
	if (!station)
		return ERR_PTR(-ENOMEM);
	spin_lock_init(&station->lock);
	INIT_LIST_HEAD(&station->arrived);
	init_waitqueue_head(&station->wait);
	/* Locally administered; port numbers begin at 1, so a port's MAC never ends in 0. */
	station->mac[0] = 0x02;
	station->mac[1] = 'S';
	station->mac[3] = serial >> 8;
	station->mac[4] = serial;
	loop_mac_to_gid(station->mac, &station->gid);
	station->end.layer = layer;
	station->end.lmc = layer == IB_LINK_LAYER_INFINIBAND ? lmc : 0;
	station->end.deliver = loop_station_deliver;
	ret = loop_wire_attach(&station->end);
	if (!ret && layer == IB_LINK_LAYER_ETHERNET) {
		station->gid_entry = loop_wire_add_gid(&station->end, &station->gid);
		if (!station->gid_entry)
			ret = -ENOMEM;
	}
	if (ret) {
		kfree(station);
		return ERR_PTR(ret);
	}
	return station;
}
EXPORT_SYMBOL_GPL(loop_station_create);

void loop_station_destroy(struct loop_station *station)
{
	struct loop_parcel *parcel, *next;

	if (station->gid_entry)
		loop_wire_del_gid(station->gid_entry);
	loop_wire_detach(&station->end);
	synchronize_rcu();
	list_for_each_entry_safe(parcel, next, &station->arrived, entry)
		kfree(parcel);
	kfree(station);
}
EXPORT_SYMBOL_GPL(loop_station_destroy);

void loop_station_address(const struct loop_station *station, struct loop_packet *from)
{
	from->slid = station->end.lid;
	from->sgid = station->gid;
	from->pkey = IB_DEFAULT_PKEY_FULL;
	from->src_qpn = LOOP_QP1;
	from->vlan = LOOP_NO_VLAN;
	ether_addr_copy(from->smac, station->mac);
}
EXPORT_SYMBOL_GPL(loop_station_address);

static const union ib_gid loop_no_gid;

int loop_station_send(struct loop_station *station, struct loop_packet *packet)
{
	if (!packet->len)
		packet->len = LOOP_MAD_SIZE;
	if (packet->len > LOOP_MAD_SIZE)
		return -EMSGSIZE;
	if (station->end.layer == IB_LINK_LAYER_ETHERNET)
		packet->grh = true;
	else if (!packet->slid)
		packet->slid = station->end.lid;
	if (packet->grh && !memcmp(&packet->sgid, &loop_no_gid, sizeof(loop_no_gid)))
		packet->sgid = station->gid;
	if (!packet->pkey)
		packet->pkey = IB_DEFAULT_PKEY_FULL;
	if (!packet->src_qpn)
		packet->src_qpn = LOOP_QP1;
	if (is_zero_ether_addr(packet->smac))
		ether_addr_copy(packet->smac, station->mac);
	if (!packet->vlan)
		packet->vlan = LOOP_NO_VLAN;
	if (packet->grh && !packet->hop_limit)
		packet->hop_limit = 64;
	return loop_wire_send(station->end.layer, packet);
}
EXPORT_SYMBOL_GPL(loop_station_send);

static struct loop_parcel *loop_station_take(struct loop_station *station)
{
	struct loop_parcel *parcel;
	unsigned long flags;

	spin_lock_irqsave(&station->lock, flags);
	parcel = list_first_entry_or_null(&station->arrived, struct loop_parcel, entry);
	if (parcel) {
		list_del(&parcel->entry);
		station->waiting--;
	}
	spin_unlock_irqrestore(&station->lock, flags);
	return parcel;
}

int loop_station_recv(struct loop_station *station, struct loop_packet *packet,
		      unsigned int timeout_ms)
{
	struct loop_parcel *parcel = loop_station_take(station);

	if (!parcel && timeout_ms)
		wait_event_timeout(station->wait, (parcel = loop_station_take(station)),
				   msecs_to_jiffies(timeout_ms));
	if (!parcel)
		return -ETIMEDOUT;
	*packet = parcel->packet;
	kfree(parcel);
	return 0;
}
EXPORT_SYMBOL_GPL(loop_station_recv);

unsigned int loop_station_waiting(struct loop_station *station)
{
	return READ_ONCE(station->waiting);
}
EXPORT_SYMBOL_GPL(loop_station_waiting);
