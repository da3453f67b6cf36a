// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of loop_hca itself: every kind of address and every knob, with MAD agents
 * of a vendor class and stations; no CM takes part.
 */
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/etherdevice.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <rdma/ib_cache.h>
#include <rdma/ib_mad.h>

#include "loop.h"

#define LT_CLASS	0x09	/* of a vendor, no RMPP */
#define LT_ATTR		0x0100
#define LT_OTHER_ATTR	0x0200
#define LT_WAIT_MS	2000
/* How long nothing has to happen before it is believed that nothing will. */
#define LT_SILENCE_MS	60
/* Where the tests write a number that tells datagrams apart. */
#define LT_SERIAL	60

/* What an agent received. */
struct lt_arrival {
	struct list_head entry;
	struct ib_wc wc;
	struct ib_grh grh;
	u8 mad[LOOP_MAD_SIZE];
};

struct lt_agent {
	struct ib_mad_agent *agent;
	spinlock_t lock;	/* guards arrived, completed, last_status */
	struct list_head arrived;
	unsigned int completed;
	enum ib_wc_status last_status;
	bool hold;		/* the receive handler waits until it is false */
	wait_queue_head_t wait;
};

/* One device, an agent on its port 1, a station. */
struct lt {
	struct ib_device *dev;
	struct loop_station *station;
	struct lt_agent peer;
};

static void lt_sent(struct ib_mad_agent *agent, struct ib_mad_send_wc *wc)
{
	struct lt_agent *peer = agent->context;

	rdma_destroy_ah(wc->send_buf->ah, RDMA_DESTROY_AH_SLEEPABLE);
	ib_free_send_mad(wc->send_buf);
	spin_lock(&peer->lock);
	peer->completed++;
	peer->last_status = wc->status;
	spin_unlock(&peer->lock);
	wake_up(&peer->wait);
}

static void lt_received(struct ib_mad_agent *agent, struct ib_mad_send_buf *send,
			struct ib_mad_recv_wc *wc)
{
	struct lt_agent *peer = agent->context;
	struct lt_arrival *arrival = kzalloc(sizeof(*arrival), GFP_KERNEL);

	if (arrival) {
		arrival->wc = *wc->wc;
		arrival->grh = *wc->recv_buf.grh;
		memcpy(arrival->mad, wc->recv_buf.mad, LOOP_MAD_SIZE);
		spin_lock(&peer->lock);
		list_add_tail(&arrival->entry, &peer->arrived);
		spin_unlock(&peer->lock);
		wake_up(&peer->wait);
	}
	ib_free_recv_mad(wc);
	wait_event(peer->wait, !READ_ONCE(peer->hold));
}

static void lt_agent_open(struct kunit *test, struct lt_agent *peer, struct ib_device *dev,
			  u32 port)
{
	struct ib_mad_reg_req req = { .mgmt_class = LT_CLASS, .mgmt_class_version = 1 };

	spin_lock_init(&peer->lock);
	INIT_LIST_HEAD(&peer->arrived);
	init_waitqueue_head(&peer->wait);
	set_bit(IB_MGMT_METHOD_SEND, req.method_mask);
	peer->agent = ib_register_mad_agent(dev, port, IB_QPT_GSI, &req, 0, lt_sent, lt_received,
					    peer, 0);
	if (IS_ERR(peer->agent))
		peer->agent = NULL;
	KUNIT_ASSERT_NOT_NULL(test, peer->agent);
}

static void lt_agent_close(struct lt_agent *peer)
{
	struct lt_arrival *arrival, *next;

	if (!peer->agent)
		return;
	wake_up(&peer->wait);
	ib_unregister_mad_agent(peer->agent);
	peer->agent = NULL;
	list_for_each_entry_safe(arrival, next, &peer->arrived, entry)
		kfree(arrival);
}

/* The oldest arrival, NULL: none came. The test's until it ends. */
static struct lt_arrival *lt_take(struct kunit *test, struct lt_agent *peer, unsigned int ms)
{
	struct lt_arrival *arrival, *copy;

	wait_event_timeout(peer->wait, !list_empty_careful(&peer->arrived), msecs_to_jiffies(ms));
	spin_lock(&peer->lock);
	arrival = list_first_entry_or_null(&peer->arrived, struct lt_arrival, entry);
	if (arrival)
		list_del(&arrival->entry);
	spin_unlock(&peer->lock);
	if (!arrival)
		return NULL;
	copy = kunit_kzalloc(test, sizeof(*copy), GFP_KERNEL);
	if (copy)
		*copy = *arrival;
	kfree(arrival);
	return copy;
}

static void lt_mad(u8 *mad, u16 attr, u8 serial)
{
	struct ib_mad_hdr *hdr = (struct ib_mad_hdr *)mad;

	hdr->base_version = IB_MGMT_BASE_VERSION;
	hdr->mgmt_class = LT_CLASS;
	hdr->class_version = 1;
	hdr->method = IB_MGMT_METHOD_SEND;
	hdr->attr_id = cpu_to_be16(attr);
	mad[LT_SERIAL] = serial;
}

/* Consumes the address handle also if it fails. */
static int lt_post_qpn(struct lt_agent *peer, struct ib_ah *ah, u32 qpn, u16 pkey_index, u16 attr,
		       u8 serial)
{
	struct ib_mad_send_buf *send;
	int ret;

	if (IS_ERR(ah))
		return PTR_ERR(ah);
	send = ib_create_send_mad(peer->agent, qpn, pkey_index, 0, IB_MGMT_MAD_HDR,
				  IB_MGMT_MAD_DATA, GFP_KERNEL, IB_MGMT_BASE_VERSION);
	if (IS_ERR(send)) {
		rdma_destroy_ah(ah, RDMA_DESTROY_AH_SLEEPABLE);
		return PTR_ERR(send);
	}
	lt_mad(send->mad, attr, serial);
	send->ah = ah;
	ret = ib_post_send_mad(send, NULL);
	if (ret) {
		rdma_destroy_ah(ah, RDMA_DESTROY_AH_SLEEPABLE);
		ib_free_send_mad(send);
	}
	return ret;
}

static int lt_post(struct lt_agent *peer, struct ib_ah *ah, u16 pkey_index, u16 attr, u8 serial)
{
	return lt_post_qpn(peer, ah, 1, pkey_index, attr, serial);
}

static struct ib_ah *lt_ah(struct lt_agent *peer, u16 dlid, u8 sl, u8 path_bits)
{
	struct rdma_ah_attr attr = { .type = RDMA_AH_ATTR_TYPE_IB };

	rdma_ah_set_port_num(&attr, peer->agent->port_num);
	rdma_ah_set_dlid(&attr, dlid);
	rdma_ah_set_sl(&attr, sl);
	rdma_ah_set_path_bits(&attr, path_bits);
	return rdma_create_ah(peer->agent->qp->pd, &attr, RDMA_CREATE_AH_SLEEPABLE);
}

/* To the station, InfiniBand. */
static int lt_send(struct lt *lt, u16 attr, u8 serial)
{
	struct loop_packet to = {};

	loop_station_address(lt->station, &to);
	return lt_post(&lt->peer, lt_ah(&lt->peer, to.slid, 0, 0), 0, attr, serial);
}

static bool lt_completed(struct lt *lt, unsigned int count, unsigned int ms)
{
	return wait_event_timeout(lt->peer.wait, READ_ONCE(lt->peer.completed) >= count,
				  msecs_to_jiffies(ms));
}

/* A datagram from the station to the device's port. */
static void lt_address(struct lt *lt, u32 port, struct loop_packet *packet)
{
	struct loop_packet to = {};

	memset(packet, 0, sizeof(*packet));
	loop_hca_address(lt->dev, port, &to);
	packet->dlid = to.slid;
	packet->dgid = to.sgid;
	lt_mad(packet->mad, LT_ATTR, 1);
}

static void lt_open(struct kunit *test, const struct loop_config *config)
{
	struct lt *lt = test->priv;
	struct ib_device *dev = loop_hca_create(config);
	struct loop_station *station;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, dev);
	lt->dev = dev;
	station = loop_station_create(config->layer, config->lmc);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, station);
	lt->station = station;
	lt_agent_open(test, &lt->peer, dev, 1);
}

static const struct loop_config lt_ib = { .layer = IB_LINK_LAYER_INFINIBAND };
static const struct loop_config lt_roce = { .layer = IB_LINK_LAYER_ETHERNET };

static int lt_init(struct kunit *test)
{
	test->priv = kunit_kzalloc(test, sizeof(struct lt), GFP_KERNEL);
	return test->priv ? 0 : -ENOMEM;
}

static void lt_exit(struct kunit *test)
{
	struct lt *lt = test->priv;

	WRITE_ONCE(lt->peer.hold, false);
	if (lt->dev) {
		loop_faults_clear(lt->dev);
		loop_hca_release(lt->dev);
	}
	lt_agent_close(&lt->peer);
	if (lt->dev)
		loop_hca_remove(lt->dev);
	if (lt->station)
		loop_station_destroy(lt->station);
}

/* Addresses ********************************************************************/

static void ib_receive(struct kunit *test)
{
	struct lt *lt = test->priv;
	struct loop_packet packet, from = {};
	struct lt_arrival *arrival;

	lt_open(test, &lt_ib);
	loop_station_address(lt->station, &from);
	lt_address(lt, 1, &packet);
	packet.sl = 5;
	KUNIT_ASSERT_EQ(test, loop_station_send(lt->station, &packet), 0);
	arrival = lt_take(test, &lt->peer, LT_WAIT_MS);
	KUNIT_ASSERT_NOT_NULL(test, arrival);
	KUNIT_EXPECT_EQ(test, arrival->wc.slid, from.slid);
	KUNIT_EXPECT_EQ(test, arrival->wc.sl, 5);
	KUNIT_EXPECT_EQ(test, arrival->wc.src_qp, 1);
	KUNIT_EXPECT_EQ(test, arrival->wc.port_num, 1);
	KUNIT_EXPECT_EQ(test, arrival->wc.pkey_index, 0);
	KUNIT_EXPECT_EQ(test, arrival->wc.dlid_path_bits, 0);
	KUNIT_EXPECT_EQ(test, arrival->wc.byte_len, 40 + 256);
	KUNIT_EXPECT_EQ(test, arrival->wc.wc_flags, 0);
	KUNIT_EXPECT_EQ(test, arrival->mad[LT_SERIAL], 1);
}

static void ib_send(struct kunit *test)
{
	struct lt *lt = test->priv;
	struct loop_packet packet, to = {}, own = {};

	lt_open(test, &lt_ib);
	loop_station_address(lt->station, &to);
	loop_hca_address(lt->dev, 1, &own);
	KUNIT_ASSERT_EQ(test, lt_post(&lt->peer, lt_ah(&lt->peer, to.slid, 3, 0), 0, LT_ATTR, 9),
			0);
	KUNIT_ASSERT_EQ(test, loop_station_recv(lt->station, &packet, LT_WAIT_MS), 0);
	KUNIT_EXPECT_EQ(test, packet.slid, own.slid);
	KUNIT_EXPECT_EQ(test, packet.dlid, to.slid);
	KUNIT_EXPECT_EQ(test, packet.sl, 3);
	KUNIT_EXPECT_EQ(test, packet.pkey, 0xffff);
	KUNIT_EXPECT_EQ(test, packet.src_qpn, 1);
	KUNIT_EXPECT_EQ(test, packet.len, 256);
	KUNIT_EXPECT_FALSE(test, packet.grh);
	KUNIT_EXPECT_EQ(test, packet.mad[LT_SERIAL], 9);
	KUNIT_EXPECT_TRUE(test, lt_completed(lt, 1, LT_WAIT_MS));
	KUNIT_EXPECT_EQ(test, lt->peer.last_status, IB_WC_SUCCESS);
	KUNIT_EXPECT_EQ(test, loop_hca_handles(lt->dev), 0);
}

/* The wire ends in QP1s. */
static void ib_other_qpn(struct kunit *test)
{
	struct lt *lt = test->priv;
	struct loop_packet packet, to = {};
	struct ib_ah *ah;

	lt_open(test, &lt_ib);
	loop_station_address(lt->station, &to);
	ah = lt_ah(&lt->peer, to.slid, 0, 0);
	KUNIT_ASSERT_EQ(test, lt_post_qpn(&lt->peer, ah, 0x123, 0, LT_ATTR, 1), 0);
	KUNIT_EXPECT_TRUE(test, lt_completed(lt, 1, LT_WAIT_MS));
	KUNIT_EXPECT_EQ(test, lt->peer.last_status, IB_WC_SUCCESS);
	KUNIT_EXPECT_EQ(test, loop_station_recv(lt->station, &packet, LT_SILENCE_MS), -ETIMEDOUT);
}

/* What ib_core makes of a completion leads back to the sender. */
static void lt_reply(struct kunit *test, struct lt_arrival *arrival, struct loop_packet *packet)
{
	struct lt *lt = test->priv;
	struct ib_ah *ah = ib_create_ah_from_wc(lt->peer.agent->qp->pd, &arrival->wc, &arrival->grh,
						1);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, ah);
	KUNIT_EXPECT_EQ(test, loop_hca_handles(lt->dev), 1);
	KUNIT_ASSERT_EQ(test, lt_post(&lt->peer, ah, 0, LT_ATTR, 2), 0);
	KUNIT_ASSERT_EQ(test, loop_station_recv(lt->station, packet, LT_WAIT_MS), 0);
}

static void ib_grh(struct kunit *test)
{
	struct lt *lt = test->priv;
	struct loop_packet packet, from = {};
	struct lt_arrival *arrival;

	lt_open(test, &lt_ib);
	loop_station_address(lt->station, &from);
	lt_address(lt, 1, &packet);
	packet.grh = true;
	packet.hop_limit = 7;
	packet.flow_label = 0x12345;
	packet.traffic_class = 0xab;
	KUNIT_ASSERT_EQ(test, loop_station_send(lt->station, &packet), 0);
	arrival = lt_take(test, &lt->peer, LT_WAIT_MS);
	KUNIT_ASSERT_NOT_NULL(test, arrival);
	KUNIT_EXPECT_EQ(test, arrival->wc.wc_flags, IB_WC_GRH);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(arrival->grh.version_tclass_flow), 0x6ab12345);
	KUNIT_EXPECT_EQ(test, arrival->grh.next_hdr, 0x1b);
	KUNIT_EXPECT_EQ(test, arrival->grh.hop_limit, 7);
	KUNIT_EXPECT_MEMEQ(test, &arrival->grh.sgid, &from.sgid, 16);
	KUNIT_EXPECT_MEMEQ(test, &arrival->grh.dgid, &packet.dgid, 16);
	lt_reply(test, arrival, &packet);
	KUNIT_EXPECT_TRUE(test, packet.grh);
	KUNIT_EXPECT_MEMEQ(test, &packet.dgid, &from.sgid, 16);
	KUNIT_EXPECT_EQ(test, packet.flow_label, 0x12345);
	KUNIT_EXPECT_EQ(test, packet.traffic_class, 0xab);
}

static void ib_lmc(struct kunit *test)
{
	static const struct loop_config config = { .layer = IB_LINK_LAYER_INFINIBAND, .lmc = 2,
		.lid = 0x100, .ports = 2 };
	struct lt *lt = test->priv;
	struct loop_packet packet, own = {};
	struct lt_arrival *arrival;
	struct ib_port_attr attr;

	lt_open(test, &config);
	KUNIT_ASSERT_EQ(test, ib_query_port(lt->dev, 2, &attr), 0);
	KUNIT_EXPECT_EQ(test, attr.lid, 0x104);
	KUNIT_EXPECT_EQ(test, attr.lmc, 2);
	loop_hca_address(lt->dev, 1, &own);
	KUNIT_EXPECT_EQ(test, own.slid, 0x100);
	lt_address(lt, 1, &packet);
	packet.dlid = 0x103;
	KUNIT_ASSERT_EQ(test, loop_station_send(lt->station, &packet), 0);
	arrival = lt_take(test, &lt->peer, LT_WAIT_MS);
	KUNIT_ASSERT_NOT_NULL(test, arrival);
	KUNIT_EXPECT_EQ(test, arrival->wc.dlid_path_bits, 3);
	lt_reply(test, arrival, &packet);
	KUNIT_EXPECT_EQ(test, packet.slid, 0x103);
	packet = (struct loop_packet){ .dlid = 0xff };
	KUNIT_EXPECT_EQ(test, loop_station_send(lt->station, &packet), -EHOSTUNREACH);
}

static void ib_pkeys(struct kunit *test)
{
	static const struct loop_config config = {
		.layer = IB_LINK_LAYER_INFINIBAND, .pkeys = { 0xffff, 0x8001, 0x0002 },
	};
	static const u16 other[] = { 0xffff, 0x8003 };
	struct lt *lt = test->priv;
	struct loop_packet packet, to = {};
	struct lt_arrival *arrival;
	struct ib_port_attr attr;
	u16 index;

	lt_open(test, &config);
	lt_address(lt, 1, &packet);
	/* A limited member of partition 1 is let in by the full one. */
	packet.pkey = 0x0001;
	KUNIT_ASSERT_EQ(test, loop_station_send(lt->station, &packet), 0);
	arrival = lt_take(test, &lt->peer, LT_WAIT_MS);
	KUNIT_ASSERT_NOT_NULL(test, arrival);
	KUNIT_EXPECT_EQ(test, arrival->wc.pkey_index, 1);
	/* Two limited members do not talk; nor do partitions that do not exist. */
	packet.pkey = 0x0002;
	KUNIT_EXPECT_EQ(test, loop_station_send(lt->station, &packet), 0);
	packet.pkey = 0x8003;
	KUNIT_EXPECT_EQ(test, loop_station_send(lt->station, &packet), 0);
	KUNIT_EXPECT_NULL(test, lt_take(test, &lt->peer, LT_SILENCE_MS));
	KUNIT_ASSERT_EQ(test, ib_query_port(lt->dev, 1, &attr), 0);
	KUNIT_EXPECT_EQ(test, attr.bad_pkey_cntr, 2);
	/* The sender's index picks the key. */
	loop_station_address(lt->station, &to);
	KUNIT_ASSERT_EQ(test, lt_post(&lt->peer, lt_ah(&lt->peer, to.slid, 0, 0), 1, LT_ATTR, 1),
			0);
	KUNIT_ASSERT_EQ(test, loop_station_recv(lt->station, &packet, LT_WAIT_MS), 0);
	KUNIT_EXPECT_EQ(test, packet.pkey, 0x8001);
	/* Another table is known to ib_core and to the wire at once. */
	loop_hca_pkeys(lt->dev, 1, other, ARRAY_SIZE(other));
	KUNIT_EXPECT_EQ(test, ib_find_cached_pkey(lt->dev, 1, 0x8003, &index), 0);
	KUNIT_EXPECT_EQ(test, index, 1);
	KUNIT_EXPECT_NE(test, ib_find_cached_pkey(lt->dev, 1, 0x8001, &index), 0);
	lt_address(lt, 1, &packet);
	packet.pkey = 0x8003;
	KUNIT_ASSERT_EQ(test, loop_station_send(lt->station, &packet), 0);
	KUNIT_EXPECT_NOT_NULL(test, lt_take(test, &lt->peer, LT_WAIT_MS));
}

static void ib_guid(struct kunit *test)
{
	static const struct loop_config given = { .layer = IB_LINK_LAYER_INFINIBAND,
		.node_guid = 0x1122334455667788 };
	static const struct loop_config none = { .layer = IB_LINK_LAYER_INFINIBAND,
		.zero_guid = true };
	struct lt *lt = test->priv;
	struct ib_device *other;

	lt_open(test, &given);
	KUNIT_EXPECT_EQ(test, be64_to_cpu(lt->dev->node_guid), 0x1122334455667788);
	other = loop_hca_create(&none);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, other);
	KUNIT_EXPECT_EQ(test, be64_to_cpu(other->node_guid), 0);
	loop_hca_remove(other);
	other = loop_hca_create(&lt_ib);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, other);
	KUNIT_EXPECT_NE(test, be64_to_cpu(other->node_guid), 0);
	loop_hca_remove(other);
}

/* From one device to another, and through a port of many. */
static void ib_two_devices(struct kunit *test)
{
	static const struct loop_config config = { .layer = IB_LINK_LAYER_INFINIBAND, .ports = 3 };
	struct lt *lt = test->priv;
	struct lt_agent other = {};
	struct ib_device *dev;
	struct loop_packet to = {}, own = {};
	struct lt_arrival *arrival;

	lt_open(test, &lt_ib);
	dev = loop_hca_create(&config);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, dev);
	lt_agent_open(test, &other, dev, 3);
	loop_hca_address(dev, 3, &to);
	loop_hca_address(lt->dev, 1, &own);
	KUNIT_EXPECT_EQ(test, lt_post(&lt->peer, lt_ah(&lt->peer, to.slid, 0, 0), 0, LT_ATTR, 4),
			0);
	arrival = lt_take(test, &other, LT_WAIT_MS);
	KUNIT_EXPECT_NOT_NULL(test, arrival);
	if (arrival) {
		KUNIT_EXPECT_EQ(test, arrival->wc.slid, own.slid);
		KUNIT_EXPECT_EQ(test, arrival->wc.port_num, 3);
	}
	/* And a port talks to itself. */
	KUNIT_EXPECT_EQ(test, lt_post(&other, lt_ah(&other, to.slid, 0, 0), 0, LT_ATTR, 4), 0);
	KUNIT_EXPECT_NOT_NULL(test, lt_take(test, &other, LT_WAIT_MS));
	lt_agent_close(&other);
	loop_hca_remove(dev);
}

static void ib_many_ports(struct kunit *test)
{
	static const struct loop_config config = { .layer = IB_LINK_LAYER_INFINIBAND,
		.ports = LOOP_MAX_PORTS, .lmc = 1 };
	static const struct loop_config too_many = { .layer = IB_LINK_LAYER_INFINIBAND,
		.ports = LOOP_MAX_PORTS + 1 };
	struct lt *lt = test->priv;
	struct lt_agent last = {};
	struct loop_packet packet;
	struct lt_arrival *arrival;

	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(loop_hca_create(&too_many)), -EINVAL);
	lt_open(test, &config);
	lt_agent_open(test, &last, lt->dev, LOOP_MAX_PORTS);
	lt_address(lt, LOOP_MAX_PORTS, &packet);
	KUNIT_EXPECT_EQ(test, loop_station_send(lt->station, &packet), 0);
	arrival = lt_take(test, &last, LT_WAIT_MS);
	KUNIT_EXPECT_NOT_NULL(test, arrival);
	if (arrival)
		KUNIT_EXPECT_EQ(test, arrival->wc.port_num, LOOP_MAX_PORTS);
	lt_agent_close(&last);
}

static void roce_both_ways(struct kunit *test)
{
	struct lt *lt = test->priv;
	struct loop_packet packet, from = {}, own = {};
	const struct ib_gid_attr *gid;
	struct lt_arrival *arrival;

	lt_open(test, &lt_roce);
	loop_station_address(lt->station, &from);
	loop_hca_address(lt->dev, 1, &own);
	gid = rdma_find_gid(lt->dev, &own.sgid, IB_GID_TYPE_ROCE_UDP_ENCAP, NULL);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, gid);
	rdma_put_gid_attr(gid);
	lt_address(lt, 1, &packet);
	KUNIT_ASSERT_EQ(test, loop_station_send(lt->station, &packet), 0);
	arrival = lt_take(test, &lt->peer, LT_WAIT_MS);
	KUNIT_ASSERT_NOT_NULL(test, arrival);
	KUNIT_EXPECT_EQ(test, arrival->wc.wc_flags,
			IB_WC_GRH | IB_WC_WITH_SMAC | IB_WC_WITH_NETWORK_HDR_TYPE);
	KUNIT_EXPECT_EQ(test, arrival->wc.network_hdr_type, RDMA_NETWORK_IPV6);
	KUNIT_EXPECT_MEMEQ(test, arrival->wc.smac, from.smac, ETH_ALEN);
	KUNIT_EXPECT_MEMEQ(test, &arrival->grh.sgid, &from.sgid, 16);
	KUNIT_EXPECT_EQ(test, arrival->grh.next_hdr, IPPROTO_UDP);
	lt_reply(test, arrival, &packet);
	KUNIT_EXPECT_MEMEQ(test, &packet.sgid, &own.sgid, 16);
	KUNIT_EXPECT_MEMEQ(test, &packet.dgid, &from.sgid, 16);
	KUNIT_EXPECT_MEMEQ(test, packet.smac, own.smac, ETH_ALEN);
	KUNIT_EXPECT_EQ(test, packet.vlan, 0xffff);
	packet.dgid.raw[15] ^= 0xff;
	KUNIT_EXPECT_EQ(test, loop_station_send(lt->station, &packet), -EHOSTUNREACH);
}

static void roce_vlan_arrives(struct kunit *test)
{
	struct lt *lt = test->priv;
	struct loop_packet packet;
	struct lt_arrival *arrival;

	lt_open(test, &lt_roce);
	lt_address(lt, 1, &packet);
	packet.vlan = 42;
	KUNIT_ASSERT_EQ(test, loop_station_send(lt->station, &packet), 0);
	arrival = lt_take(test, &lt->peer, LT_WAIT_MS);
	KUNIT_ASSERT_NOT_NULL(test, arrival);
	KUNIT_EXPECT_TRUE(test, arrival->wc.wc_flags & IB_WC_WITH_VLAN);
	KUNIT_EXPECT_EQ(test, arrival->wc.vlan_id, 42);
}

/* Order, limits, states *********************************************************/

static void order_is_kept(struct kunit *test)
{
	struct lt *lt = test->priv;
	struct loop_packet packet;
	unsigned int i;

	lt_open(test, &lt_ib);
	for (i = 0; i < 100; i++)
		KUNIT_ASSERT_EQ(test, lt_send(lt, LT_ATTR, i), 0);
	for (i = 0; i < 100; i++) {
		KUNIT_ASSERT_EQ(test, loop_station_recv(lt->station, &packet, LT_WAIT_MS), 0);
		KUNIT_ASSERT_EQ(test, packet.mad[LT_SERIAL], i);
	}
	KUNIT_EXPECT_TRUE(test, lt_completed(lt, 100, LT_WAIT_MS));
}

/* A handler that does not return keeps the MAD layer from taking more. */
static void recv_depth_limits(struct kunit *test)
{
	static const struct loop_config config = { .layer = IB_LINK_LAYER_INFINIBAND,
		.recv_depth = 3 };
	struct lt *lt = test->priv;
	struct loop_packet packet;
	int i;

	lt_open(test, &config);
	lt_address(lt, 1, &packet);
	WRITE_ONCE(lt->peer.hold, true);
	KUNIT_ASSERT_EQ(test, loop_station_send(lt->station, &packet), 0);
	KUNIT_EXPECT_NOT_NULL(test, lt_take(test, &lt->peer, LT_WAIT_MS));
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_EQ(test, loop_station_send(lt->station, &packet), 0);
	KUNIT_EXPECT_EQ(test, loop_station_send(lt->station, &packet), -ENOBUFS);
	WRITE_ONCE(lt->peer.hold, false);
	wake_up(&lt->peer.wait);
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_NOT_NULL(test, lt_take(test, &lt->peer, LT_WAIT_MS));
	KUNIT_EXPECT_EQ(test, loop_station_send(lt->station, &packet), 0);
}

static void port_down_is_silent(struct kunit *test)
{
	struct lt *lt = test->priv;
	struct loop_packet packet;
	struct ib_port_attr attr;

	lt_open(test, &lt_ib);
	loop_hca_port_state(lt->dev, 1, IB_PORT_DOWN);
	KUNIT_ASSERT_EQ(test, ib_query_port(lt->dev, 1, &attr), 0);
	KUNIT_EXPECT_EQ(test, attr.state, IB_PORT_DOWN);
	lt_address(lt, 1, &packet);
	KUNIT_EXPECT_EQ(test, loop_station_send(lt->station, &packet), -EHOSTUNREACH);
	KUNIT_EXPECT_EQ(test, lt_send(lt, LT_ATTR, 1), 0);
	KUNIT_EXPECT_TRUE(test, lt_completed(lt, 1, LT_WAIT_MS));
	KUNIT_EXPECT_EQ(test, loop_station_recv(lt->station, &packet, LT_SILENCE_MS), -ETIMEDOUT);
	loop_hca_port_state(lt->dev, 1, IB_PORT_ACTIVE);
	KUNIT_EXPECT_EQ(test, lt_send(lt, LT_ATTR, 2), 0);
	KUNIT_EXPECT_EQ(test, loop_station_recv(lt->station, &packet, LT_WAIT_MS), 0);
	KUNIT_EXPECT_EQ(test, packet.mad[LT_SERIAL], 2);
}

static void port_caps_change(struct kunit *test)
{
	struct ib_port_modify set = { .set_port_cap_mask = IB_PORT_VENDOR_CLASS_SUP };
	struct ib_port_modify clear = { .clr_port_cap_mask = IB_PORT_VENDOR_CLASS_SUP };
	struct lt *lt = test->priv;
	struct ib_port_attr attr;

	lt_open(test, &lt_ib);
	KUNIT_ASSERT_EQ(test, ib_modify_port(lt->dev, 1, 0, &set), 0);
	KUNIT_ASSERT_EQ(test, ib_query_port(lt->dev, 1, &attr), 0);
	KUNIT_EXPECT_TRUE(test, attr.port_cap_flags & IB_PORT_VENDOR_CLASS_SUP);
	KUNIT_ASSERT_EQ(test, ib_modify_port(lt->dev, 1, 0, &clear), 0);
	KUNIT_ASSERT_EQ(test, ib_query_port(lt->dev, 1, &attr), 0);
	KUNIT_EXPECT_FALSE(test, attr.port_cap_flags & IB_PORT_VENDOR_CLASS_SUP);
}

/* Faults ************************************************************************/

static void lt_arm(struct lt *lt, enum loop_fault fault, u32 nth, u32 times, u32 arg)
{
	struct loop_rule rule = { .nth = nth, .times = times, .arg = arg };

	loop_fault_set(lt->dev, 1, fault, &rule);
}

/* The serial numbers that arrive at the station, in order, until it is silent. */
static unsigned int lt_drain(struct lt *lt, u8 *serials, unsigned int max)
{
	struct loop_packet packet;
	unsigned int count = 0;

	while (count < max && !loop_station_recv(lt->station, &packet, LT_SILENCE_MS))
		serials[count++] = packet.mad[LT_SERIAL];
	return count;
}

static void lt_send_many(struct kunit *test, unsigned int count)
{
	unsigned int i;

	for (i = 1; i <= count; i++)
		KUNIT_ASSERT_EQ(test, lt_send(test->priv, LT_ATTR, i), 0);
}

static void fault_drop(struct kunit *test)
{
	static const u8 expected[] = { 1, 3, 5, 6 };
	struct lt *lt = test->priv;
	u8 serials[8] = {};

	lt_open(test, &lt_ib);
	lt_arm(lt, LOOP_DROP, 2, 2, 0);
	lt_send_many(test, 6);
	KUNIT_EXPECT_EQ(test, lt_drain(lt, serials, 8), 4);
	KUNIT_EXPECT_MEMEQ(test, serials, expected, 4);
	KUNIT_EXPECT_EQ(test, loop_fault_hits(lt->dev, 1, LOOP_DROP), 2);
	KUNIT_EXPECT_TRUE(test, lt_completed(lt, 6, LT_WAIT_MS));
	KUNIT_EXPECT_EQ(test, lt->peer.last_status, IB_WC_SUCCESS);
	loop_fault_set(lt->dev, 1, LOOP_DROP, NULL);
	KUNIT_EXPECT_EQ(test, loop_fault_hits(lt->dev, 0, LOOP_DROP), 0);
}

static void fault_of_attribute(struct kunit *test)
{
	struct loop_rule rule = { .attr_id = LT_OTHER_ATTR, .nth = 1 };
	struct lt *lt = test->priv;
	u8 serials[4] = {};

	lt_open(test, &lt_ib);
	/* port 0: all of them */
	loop_fault_set(lt->dev, 0, LOOP_DROP, &rule);
	KUNIT_ASSERT_EQ(test, lt_send(lt, LT_OTHER_ATTR, 1), 0);
	KUNIT_ASSERT_EQ(test, lt_send(lt, LT_ATTR, 2), 0);
	KUNIT_EXPECT_EQ(test, lt_drain(lt, serials, 4), 1);
	KUNIT_EXPECT_EQ(test, serials[0], 2);
	/* What is no MAD has no attribute. */
	loop_fault_set(lt->dev, 0, LOOP_AH_FAIL, &rule);
	KUNIT_EXPECT_EQ(test, lt_send(lt, LT_ATTR, 3), 0);
	KUNIT_EXPECT_EQ(test, loop_fault_hits(lt->dev, 1, LOOP_AH_FAIL), 0);
}

static void fault_duplicate(struct kunit *test)
{
	static const u8 expected[] = { 1, 1, 2 };
	struct lt *lt = test->priv;
	u8 serials[8] = {};

	lt_open(test, &lt_ib);
	lt_arm(lt, LOOP_DUPLICATE, 1, 1, 0);
	lt_send_many(test, 2);
	KUNIT_EXPECT_EQ(test, lt_drain(lt, serials, 8), 3);
	KUNIT_EXPECT_MEMEQ(test, serials, expected, 3);
}

static void fault_delay(struct kunit *test)
{
	static const u8 expected[] = { 3, 1, 2 };
	struct lt *lt = test->priv;
	struct loop_packet packet;
	ktime_t began;
	int i;

	lt_open(test, &lt_ib);
	lt_arm(lt, LOOP_DELAY, 1, 2, 200);
	began = ktime_get();
	lt_send_many(test, 3);
	KUNIT_EXPECT_TRUE(test, lt_completed(lt, 3, LT_WAIT_MS));
	for (i = 0; i < 3; i++) {
		KUNIT_ASSERT_EQ(test, loop_station_recv(lt->station, &packet, LT_WAIT_MS), 0);
		KUNIT_EXPECT_EQ(test, packet.mad[LT_SERIAL], expected[i]);
	}
	KUNIT_EXPECT_GE(test, ktime_ms_delta(ktime_get(), began), 200);
	/* What is delayed when the device goes is lost, and does no harm. */
	lt_arm(lt, LOOP_DELAY, 1, 0, 1500);
	lt_send_many(test, 3);
	lt_agent_close(&lt->peer);
	loop_hca_remove(lt->dev);
	lt->dev = NULL;
	KUNIT_EXPECT_EQ(test, loop_station_recv(lt->station, &packet, LT_WAIT_MS), -ETIMEDOUT);
}

/* Again until the five take less time than a datagram is held: the machine may be busy. */
static bool lt_send_five_fast(struct kunit *test)
{
	struct lt *lt = test->priv;
	struct loop_packet packet;
	ktime_t began;
	int attempt;

	for (attempt = 0; attempt < 20; attempt++) {
		lt_arm(lt, LOOP_REORDER, 1, 0, 0);
		began = ktime_get();
		lt_send_many(test, 5);
		if (ktime_ms_delta(ktime_get(), began) < 80)
			return true;
		msleep(200);
		while (!loop_station_recv(lt->station, &packet, 0))
			;
	}
	return false;
}

static void fault_reorder(struct kunit *test)
{
	static const u8 expected[] = { 2, 1, 4, 3, 5 };
	struct lt *lt = test->priv;
	struct loop_packet packet;
	int i;

	lt_open(test, &lt_ib);
	KUNIT_ASSERT_TRUE(test, lt_send_five_fast(test));
	/* Nothing follows the fifth: it comes by itself. */
	for (i = 0; i < 5; i++) {
		KUNIT_ASSERT_EQ(test, loop_station_recv(lt->station, &packet, LT_WAIT_MS), 0);
		KUNIT_EXPECT_EQ(test, packet.mad[LT_SERIAL], expected[i]);
	}
	KUNIT_EXPECT_EQ(test, loop_fault_hits(lt->dev, 1, LOOP_REORDER), 3);
}

static void fault_corrupt(struct kunit *test)
{
	struct lt *lt = test->priv;
	u8 serials[4] = {};

	lt_open(test, &lt_ib);
	lt_arm(lt, LOOP_CORRUPT, 1, 1, LT_SERIAL);
	lt_send_many(test, 2);
	KUNIT_EXPECT_EQ(test, lt_drain(lt, serials, 4), 2);
	KUNIT_EXPECT_EQ(test, serials[0], 0xfe);
	KUNIT_EXPECT_EQ(test, serials[1], 2);
}

static void fault_send_error(struct kunit *test)
{
	struct lt *lt = test->priv;
	u8 serials[4] = {};

	lt_open(test, &lt_ib);
	lt_arm(lt, LOOP_SEND_ERROR, 1, 1, 0);
	lt_send_many(test, 1);
	KUNIT_EXPECT_TRUE(test, lt_completed(lt, 1, LT_WAIT_MS));
	KUNIT_EXPECT_EQ(test, lt->peer.last_status, IB_WC_RETRY_EXC_ERR);
	KUNIT_ASSERT_EQ(test, lt_send(lt, LT_ATTR, 2), 0);
	KUNIT_EXPECT_EQ(test, lt_drain(lt, serials, 4), 1);
	KUNIT_EXPECT_EQ(test, serials[0], 2);
	lt_arm(lt, LOOP_SEND_ERROR, 1, 1, IB_WC_WR_FLUSH_ERR);
	lt_send_many(test, 1);
	KUNIT_EXPECT_TRUE(test, lt_completed(lt, 3, LT_WAIT_MS));
	KUNIT_EXPECT_EQ(test, lt->peer.last_status, IB_WC_WR_FLUSH_ERR);
}

static void fault_send_late(struct kunit *test)
{
	struct lt *lt = test->priv;
	struct loop_packet packet;

	lt_open(test, &lt_ib);
	lt_arm(lt, LOOP_SEND_LATE, 1, 0, 500);
	lt_send_many(test, 1);
	KUNIT_EXPECT_EQ(test, loop_station_recv(lt->station, &packet, LT_WAIT_MS), 0);
	KUNIT_EXPECT_FALSE(test, lt_completed(lt, 1, 20));
	KUNIT_EXPECT_TRUE(test, lt_completed(lt, 1, LT_WAIT_MS));
	KUNIT_EXPECT_EQ(test, lt->peer.last_status, IB_WC_SUCCESS);
}

static void fault_send_never(struct kunit *test)
{
	struct lt *lt = test->priv;
	struct loop_packet packet;

	lt_open(test, &lt_ib);
	lt_arm(lt, LOOP_SEND_NEVER, 1, 2, 0);
	lt_send_many(test, 3);
	KUNIT_EXPECT_EQ(test, loop_station_recv(lt->station, &packet, LT_WAIT_MS), 0);
	KUNIT_EXPECT_TRUE(test, lt_completed(lt, 1, LT_WAIT_MS));
	KUNIT_EXPECT_FALSE(test, lt_completed(lt, 2, LT_SILENCE_MS));
	KUNIT_EXPECT_EQ(test, loop_hca_handles(lt->dev), 2);
	loop_hca_release(lt->dev);
	KUNIT_EXPECT_TRUE(test, lt_completed(lt, 3, LT_WAIT_MS));
	KUNIT_EXPECT_EQ(test, lt->peer.last_status, IB_WC_SUCCESS);
	KUNIT_EXPECT_EQ(test, loop_hca_handles(lt->dev), 0);
}

/* The agent of a client that goes with its device, as a CM's does. */
static void withheld_sends_end_with_the_qp(struct kunit *test)
{
	struct ib_qp_attr attr = { .qp_state = IB_QPS_ERR };
	struct lt *lt = test->priv;

	lt_open(test, &lt_ib);
	lt_arm(lt, LOOP_SEND_NEVER, 1, 0, 0);
	lt_send_many(test, 2);
	KUNIT_EXPECT_FALSE(test, lt_completed(lt, 1, LT_SILENCE_MS));
	KUNIT_ASSERT_EQ(test, ib_modify_qp(lt->peer.agent->qp, &attr, IB_QP_STATE), 0);
	KUNIT_EXPECT_TRUE(test, lt_completed(lt, 2, LT_WAIT_MS));
	KUNIT_EXPECT_EQ(test, lt->peer.last_status, IB_WC_WR_FLUSH_ERR);
	KUNIT_EXPECT_EQ(test, loop_hca_handles(lt->dev), 0);
}

static struct lt *lt_client_of;

static int lt_client_add(struct ib_device *dev)
{
	return 0;
}

static void lt_client_remove(struct ib_device *dev, void *data)
{
	if (lt_client_of && lt_client_of->dev == dev)
		lt_agent_close(&lt_client_of->peer);
}

static struct ib_client lt_client = { .name = "loop_hca_test", .add = lt_client_add,
	.remove = lt_client_remove };

static void withheld_sends_end_with_the_device(struct kunit *test)
{
	struct lt *lt = test->priv;

	KUNIT_ASSERT_EQ(test, ib_register_client(&lt_client), 0);
	lt_open(test, &lt_ib);
	lt_client_of = lt;
	lt_arm(lt, LOOP_SEND_NEVER, 1, 0, 0);
	lt_send_many(test, 2);
	KUNIT_EXPECT_FALSE(test, lt_completed(lt, 1, LT_SILENCE_MS));
	loop_hca_remove(lt->dev);
	KUNIT_EXPECT_EQ(test, lt->peer.completed, 2);
	KUNIT_EXPECT_NULL(test, lt->peer.agent);
	lt->dev = NULL;
	lt_client_of = NULL;
	ib_unregister_client(&lt_client);
}

static void fault_send_refused(struct kunit *test)
{
	struct lt *lt = test->priv;

	lt_open(test, &lt_ib);
	lt_arm(lt, LOOP_SEND_REFUSED, 1, 1, 0);
	KUNIT_EXPECT_EQ(test, lt_send(lt, LT_ATTR, 1), -EIO);
	KUNIT_EXPECT_EQ(test, lt_send(lt, LT_ATTR, 2), 0);
	KUNIT_EXPECT_TRUE(test, lt_completed(lt, 1, LT_WAIT_MS));
}

static void fault_ah(struct kunit *test)
{
	struct rdma_ah_attr attr = { .type = RDMA_AH_ATTR_TYPE_IB };
	struct lt *lt = test->priv;
	struct ib_ah *ah;
	ktime_t began;

	lt_open(test, &lt_ib);
	lt_arm(lt, LOOP_AH_FAIL, 1, 1, 0);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(lt_ah(&lt->peer, 1, 0, 0)), -ENOMEM);
	KUNIT_EXPECT_EQ(test, loop_hca_handles(lt->dev), 0);
	lt_arm(lt, LOOP_AH_SLOW, 1, 0, 30);
	began = ktime_get();
	ah = lt_ah(&lt->peer, 1, 0, 0);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, ah);
	KUNIT_EXPECT_GE(test, ktime_ms_delta(ktime_get(), began), 30);
	rdma_destroy_ah(ah, RDMA_DESTROY_AH_SLEEPABLE);
	/* Where it may not sleep it does not: lockdep and the scheduler would say. */
	rdma_ah_set_port_num(&attr, 1);
	rdma_ah_set_dlid(&attr, 1);
	began = ktime_get();
	spin_lock(&lt->peer.lock);
	ah = rdma_create_ah(lt->peer.agent->qp->pd, &attr, 0);
	spin_unlock(&lt->peer.lock);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, ah);
	KUNIT_EXPECT_GE(test, ktime_ms_delta(ktime_get(), began), 30);
	rdma_destroy_ah(ah, RDMA_DESTROY_AH_SLEEPABLE);
	KUNIT_EXPECT_EQ(test, loop_fault_hits(lt->dev, 1, LOOP_AH_SLOW), 2);
}

struct lt_later {
	struct delayed_work work;
	struct ib_device *dev;
};

static void lt_take_back(struct work_struct *work)
{
	loop_faults_clear(container_of(to_delayed_work(work), struct lt_later, work)->dev);
}

/* What is slow comes as soon as nothing says that it should be. */
static void fault_ah_taken_back(struct kunit *test)
{
	struct lt *lt = test->priv;
	struct lt_later later;
	struct ib_ah *ah;
	ktime_t began;

	lt_open(test, &lt_ib);
	later.dev = lt->dev;
	INIT_DELAYED_WORK_ONSTACK(&later.work, lt_take_back);
	lt_arm(lt, LOOP_AH_SLOW, 1, 0, 10 * LT_WAIT_MS);
	began = ktime_get();
	schedule_delayed_work(&later.work, msecs_to_jiffies(50));
	ah = lt_ah(&lt->peer, 1, 0, 0);
	flush_delayed_work(&later.work);
	destroy_delayed_work_on_stack(&later.work);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, ah);
	KUNIT_EXPECT_GE(test, ktime_ms_delta(ktime_get(), began), 50 - 1000 / HZ);
	KUNIT_EXPECT_LT(test, ktime_ms_delta(ktime_get(), began), 5 * LT_WAIT_MS);
	rdma_destroy_ah(ah, RDMA_DESTROY_AH_SLEEPABLE);
}

static void fault_query_and_modify(struct kunit *test)
{
	struct ib_port_modify modify = { .set_port_cap_mask = IB_PORT_VENDOR_CLASS_SUP };
	struct lt *lt = test->priv;
	struct ib_port_attr attr;
	ktime_t began;
	u16 pkey;

	lt_open(test, &lt_ib);
	lt_arm(lt, LOOP_QUERY_FAIL, 1, 2, 0);
	KUNIT_EXPECT_EQ(test, ib_query_port(lt->dev, 1, &attr), -EIO);
	KUNIT_EXPECT_EQ(test, ib_query_pkey(lt->dev, 1, 0, &pkey), -EIO);
	KUNIT_EXPECT_EQ(test, ib_query_pkey(lt->dev, 1, 0, &pkey), 0);
	KUNIT_EXPECT_EQ(test, pkey, 0xffff);
	lt_arm(lt, LOOP_QUERY_SLOW, 1, 1, 30);
	began = ktime_get();
	KUNIT_EXPECT_EQ(test, ib_query_pkey(lt->dev, 1, 0, &pkey), 0);
	KUNIT_EXPECT_GE(test, ktime_ms_delta(ktime_get(), began), 30);
	lt_arm(lt, LOOP_MODIFY_FAIL, 1, 1, 0);
	KUNIT_EXPECT_EQ(test, ib_modify_port(lt->dev, 1, 0, &modify), -EIO);
	lt_arm(lt, LOOP_MODIFY_SLOW, 1, 1, 30);
	began = ktime_get();
	KUNIT_EXPECT_EQ(test, ib_modify_port(lt->dev, 1, 0, &modify), 0);
	KUNIT_EXPECT_GE(test, ktime_ms_delta(ktime_get(), began), 30);
}

static struct kunit_case lt_cases[] = {
	KUNIT_CASE(ib_receive),
	KUNIT_CASE(ib_send),
	KUNIT_CASE(ib_other_qpn),
	KUNIT_CASE(ib_grh),
	KUNIT_CASE(ib_lmc),
	KUNIT_CASE(ib_pkeys),
	KUNIT_CASE(ib_guid),
	KUNIT_CASE(ib_two_devices),
	KUNIT_CASE_SLOW(ib_many_ports),
	KUNIT_CASE(roce_both_ways),
	KUNIT_CASE(roce_vlan_arrives),
	KUNIT_CASE(order_is_kept),
	KUNIT_CASE(recv_depth_limits),
	KUNIT_CASE(port_down_is_silent),
	KUNIT_CASE(port_caps_change),
	KUNIT_CASE(fault_drop),
	KUNIT_CASE(fault_of_attribute),
	KUNIT_CASE(fault_duplicate),
	KUNIT_CASE(fault_delay),
	KUNIT_CASE(fault_reorder),
	KUNIT_CASE(fault_corrupt),
	KUNIT_CASE(fault_send_error),
	KUNIT_CASE(fault_send_late),
	KUNIT_CASE(fault_send_never),
	KUNIT_CASE(withheld_sends_end_with_the_qp),
	KUNIT_CASE(withheld_sends_end_with_the_device),
	KUNIT_CASE(fault_send_refused),
	KUNIT_CASE(fault_ah),
	KUNIT_CASE(fault_ah_taken_back),
	KUNIT_CASE(fault_query_and_modify),
	{}
};

static struct kunit_suite lt_suite = {
	.name = "loop_hca",
	.init = lt_init,
	.exit = lt_exit,
	.test_cases = lt_cases,
};
kunit_test_suite(lt_suite);

MODULE_DESCRIPTION("KUnit tests of loop_hca");
MODULE_LICENSE("GPL");
