// SPDX-License-Identifier: GPL-2.0-only
/*
 * The fence: how the rig knows that what the peer sent has arrived.
 *
 * Owns: a MAD of a vendor's class that the peer sends and an agent of our own
 * receives. Whatever the peer sent before has then been handed up, and ib_cm has
 * seen none of it. A client of ib_core's makes the agent, so that it comes and
 * goes with the device, whoever removes it.
 */
#include <linux/export.h>
#include <linux/slab.h>
#include <linux/wait.h>
#include <rdma/ib_mad.h>

#include "rig_local.h"

#define RIG_FENCE_CLASS	0x09

struct rig_fence {
	struct ib_mad_agent *agent;
	atomic64_t seen;	/* TID of the latest */
};

static DECLARE_WAIT_QUEUE_HEAD(rig_fence_wait);
static atomic64_t rig_fence_tid = ATOMIC64_INIT(0);

static void rig_fence_recv(struct ib_mad_agent *agent, struct ib_mad_send_buf *sent,
			   struct ib_mad_recv_wc *wc)
{
	struct rig_fence *fence = agent->context;

	atomic64_set(&fence->seen, be64_to_cpu(wc->recv_buf.mad->mad_hdr.tid));
	ib_free_recv_mad(wc);
	wake_up_all(&rig_fence_wait);
}

static void rig_fence_sent(struct ib_mad_agent *agent, struct ib_mad_send_wc *wc)
{
}

static struct ib_client rig_client;

static int rig_client_add(struct ib_device *dev)
{
	struct ib_mad_reg_req req = { .mgmt_class = RIG_FENCE_CLASS, .mgmt_class_version = 1 };
	struct rig_fence *fence;

	if (!rdma_cap_ib_mad(dev, 1))
		return -EOPNOTSUPP;
	fence = kzalloc(sizeof(*fence), GFP_KERNEL);
	if (!fence)
		return -ENOMEM;
	set_bit(IB_MGMT_METHOD_SEND, req.method_mask);
	fence->agent = ib_register_mad_agent(dev, 1, IB_QPT_GSI, &req, 0, rig_fence_sent,
					     rig_fence_recv, fence, 0);
	if (IS_ERR(fence->agent)) {
		int err = PTR_ERR(fence->agent);

		kfree(fence);
		return err;
	}
	ib_set_client_data(dev, &rig_client, fence);
	return 0;
}

static void rig_client_remove(struct ib_device *dev, void *data)
{
	struct rig_fence *fence = data;

	if (!fence)
		return;
	ib_unregister_mad_agent(fence->agent);
	kfree(fence);
}

static struct ib_client rig_client = {
	.name = "cm_rig",
	.add = rig_client_add,
	.remove = rig_client_remove,
};

/**
 * rig_flush - wait until the device has handed up what the peer sent
 * @rig: the rig
 *
 * Context: sleeps.
 */
void rig_flush(struct rig *rig)
{
	struct loop_packet *packet;
	struct rig_fence *fence;
	u64 tid;

	if (!rig->dev)
		return;
	fence = ib_get_client_data(rig->dev, &rig_client);
	packet = kzalloc(sizeof(*packet), GFP_KERNEL);
	if (!fence || !packet)
		goto out;

	tid = atomic64_inc_return(&rig_fence_tid);
	mad_init(packet->mad, ATTR_CLASS_PORT_INFO, tid);
	mad_set(packet->mad, F_MAD_CLASS, RIG_FENCE_CLASS);
	mad_set(packet->mad, F_MAD_CLASS_VERSION, 1);
	rig_peer_packet(rig, packet->mad, packet);
	if (!rig_until(!loop_station_send(rig->peer, packet)))
		goto out;
	if (!wait_event_timeout(rig_fence_wait, atomic64_read(&fence->seen) >= tid,
				msecs_to_jiffies(RIG_WAIT_MS)))
		KUNIT_FAIL(rig->test, "the device does not hand up what it receives");
out:
	kfree(packet);
}
EXPORT_SYMBOL_GPL(rig_flush);

/**
 * rig_settle - wait until nothing of ours is under way
 * @rig: the rig
 *
 * Context: sleeps.
 */
void rig_settle(struct rig *rig)
{
	rig_flush(rig);
	KUNIT_EXPECT_TRUE_MSG(rig->test, cm_probe_settle(), "ib_cm does not come to rest");
	/* What was sent meanwhile has completed when this one is through. */
	rig_flush(rig);
}
EXPORT_SYMBOL_GPL(rig_settle);

int rig_fence_init(void)
{
	return ib_register_client(&rig_client);
}

void rig_fence_exit(void)
{
	ib_unregister_client(&rig_client);
}
