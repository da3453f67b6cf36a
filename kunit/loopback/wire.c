// SPDX-License-Identifier: GPL-2.0-only
/*
 * loop_hca: the wire. Owns the two address tables: LIDs (InfiniBand) and GIDs
 * (RoCE), and deals out addresses and serial numbers.
 *
 * Look-up is RCU: whoever leaves the wire waits for a grace period, and a
 * datagram under way is delivered inside one read section.
 */
#include <linux/hashtable.h>
#include <linux/jhash.h>
#include <linux/mutex.h>
#include <linux/xarray.h>
#include <net/addrconf.h>

#include "local.h"

#define LOOP_LID_MIN	0x0001
#define LOOP_LID_MAX	0xbfff	/* unicast LIDs end here */

static DEFINE_XARRAY(loop_lids);
static DEFINE_HASHTABLE(loop_gids, 9);
static DEFINE_SPINLOCK(loop_gids_lock);	/* guards changes of loop_gids */
static DEFINE_MUTEX(loop_lids_mutex);	/* guards changes of loop_lids, and the cursor */
/* New addresses follow the last ones: a late datagram does not find a newcomer. */
static u32 loop_lid_next = LOOP_LID_MIN;
static atomic_t loop_serial;

/**
 * loop_wire_serial - a number for addresses that nobody had since the module was loaded
 *
 * Context: any.
 * Return: the number, at most 16 bits long
 */
u32 loop_wire_serial(void)
{
	return atomic_inc_return(&loop_serial) & 0xffff;
}

/**
 * loop_mac_to_gid - the link-local GID that belongs to a MAC
 * @mac: address
 * @gid: result
 *
 * Context: any.
 */
void loop_mac_to_gid(const u8 *mac, union ib_gid *gid)
{
	memset(gid, 0, sizeof(*gid));
	gid->raw[0] = 0xfe;
	gid->raw[1] = 0x80;
	addrconf_addr_eui48(&gid->raw[8], mac);
}

static bool loop_lids_free(u32 lid, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++)
		if (xa_load(&loop_lids, lid + i))
			return false;
	return true;
}

static u32 loop_lid_choose(u32 count)
{
	u32 lid = ALIGN(loop_lid_next, count), tried;

	for (tried = 0; tried <= LOOP_LID_MAX; tried += count, lid += count) {
		if (lid + count - 1 > LOOP_LID_MAX)
			lid = ALIGN(LOOP_LID_MIN, count);
		if (loop_lids_free(lid, count))
			return lid;
	}
	return 0;
}

/**
 * loop_wire_attach - put an end on the wire
 * @end: layer, lmc, deliver are set; lid, if not 0, is what it wants to have
 *
 * On RoCE there is nothing to attach but GIDs: loop_wire_add_gid().
 *
 * Context: process, sleeps.
 * Return: 0, -EADDRINUSE, -EINVAL (not a base LID), -ENOSPC or -ENOMEM
 */
int loop_wire_attach(struct loop_end *end)
{
	u32 count = 1 << end->lmc, lid = end->lid, i;
	int ret = 0;

	if (end->layer != IB_LINK_LAYER_INFINIBAND)
		return 0;

	mutex_lock(&loop_lids_mutex);
	if (!lid) {
		lid = loop_lid_choose(count);
		if (!lid)
			ret = -ENOSPC;
	} else if (!IS_ALIGNED(lid, count) || lid + count - 1 > LOOP_LID_MAX) {
		ret = -EINVAL;
	} else if (!loop_lids_free(lid, count)) {
		ret = -EADDRINUSE;
	}
	for (i = 0; !ret && i < count; i++)
		ret = xa_err(xa_store(&loop_lids, lid + i, end, GFP_KERNEL));
	if (!ret) {
		end->lid = lid;
		loop_lid_next = lid + count;
	} else if (lid && i) {
		while (i--)
			xa_erase(&loop_lids, lid + i);
	}
	mutex_unlock(&loop_lids_mutex);
	return ret;
}

/**
 * loop_wire_detach - take an end's LIDs off the wire
 * @end: that loop_wire_attach() took
 *
 * The caller waits for a grace period before the end's memory goes.
 *
 * Context: process, sleeps.
 */
void loop_wire_detach(struct loop_end *end)
{
	u32 i;

	if (end->layer != IB_LINK_LAYER_INFINIBAND)
		return;
	mutex_lock(&loop_lids_mutex);
	for (i = 0; i < 1 << end->lmc; i++)
		xa_erase(&loop_lids, end->lid + i);
	mutex_unlock(&loop_lids_mutex);
}

static u32 loop_gid_hash(const union ib_gid *gid)
{
	return jhash(gid->raw, sizeof(gid->raw), 0);
}

/**
 * loop_wire_add_gid - let an end be found by a GID
 * @end: whose
 * @gid: which; several ends may have it, the latest is found
 *
 * Context: process.
 * Return: what loop_wire_del_gid() takes, or NULL
 */
struct loop_gid *loop_wire_add_gid(struct loop_end *end, const union ib_gid *gid)
{
	struct loop_gid *entry = kzalloc(sizeof(*entry), GFP_KERNEL);

	if (!entry)
		return NULL;
	entry->gid = *gid;
	entry->end = end;
	spin_lock_bh(&loop_gids_lock);
	hash_add_rcu(loop_gids, &entry->node, loop_gid_hash(gid));
	spin_unlock_bh(&loop_gids_lock);
	return entry;
}

/**
 * loop_wire_del_gid - the reverse
 * @entry: from loop_wire_add_gid()
 *
 * Context: process.
 */
void loop_wire_del_gid(struct loop_gid *entry)
{
	spin_lock_bh(&loop_gids_lock);
	hash_del_rcu(&entry->node);
	spin_unlock_bh(&loop_gids_lock);
	kfree_rcu(entry, rcu);
}

static struct loop_end *loop_wire_find(enum rdma_link_layer layer, const struct loop_packet *packet)
{
	struct loop_gid *entry;

	if (layer == IB_LINK_LAYER_INFINIBAND)
		return xa_load(&loop_lids, packet->dlid);
	hash_for_each_possible_rcu(loop_gids, entry, node, loop_gid_hash(&packet->dgid))
		if (!memcmp(&entry->gid, &packet->dgid, sizeof(entry->gid)))
			return entry->end;
	return NULL;
}

/**
 * loop_wire_send - carry a datagram to whoever has its address
 * @layer: the sender's
 * @packet: complete
 *
 * Context: any; no lock of a port is held.
 * Return: 0, -EHOSTUNREACH, or what the receiver said
 */
int loop_wire_send(enum rdma_link_layer layer, const struct loop_packet *packet)
{
	struct loop_end *end;
	int ret = -EHOSTUNREACH;

	rcu_read_lock();
	end = loop_wire_find(layer, packet);
	if (end)
		ret = end->deliver(end, packet);
	rcu_read_unlock();
	return ret;
}

/**
 * loop_wire_exit - nobody is left on the wire
 *
 * Context: process, sleeps.
 */
void loop_wire_exit(void)
{
	WARN_ON(!xa_empty(&loop_lids));
	WARN_ON(!hash_empty(loop_gids));
	xa_destroy(&loop_lids);
	rcu_barrier();
}
