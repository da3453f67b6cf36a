// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rig: see rig.h.
 *
 * Owns: the order in which things are set up and taken down, and the check that
 * nothing of ours is left.
 */
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/wait.h>

#include "rig_local.h"

/* Listeners first: no id is made any more then. */
static void rig_destroy_ids(struct rig *rig)
{
	struct rig_id *id, *next;
	bool listeners;

	for (listeners = true;; listeners = false) {
		/* Only what destroys ids takes them off the list: it can be walked without the lock. */
		list_for_each_entry(id, &rig->ids, node)
			if (id->cm && listeners == (id->cm->state == IB_CM_LISTEN))
				rig_id_destroy(id);
		if (!listeners)
			break;
	}
	/* Handlers that said no may be on their way out. */
	list_for_each_entry(id, &rig->ids, node)
		wait_event_timeout(id->wait, !READ_ONCE(id->running), msecs_to_jiffies(RIG_WAIT_MS));
	cm_probe_settle();
	list_for_each_entry_safe(id, next, &rig->ids, node) {
		list_del(&id->node);
		kfree(id);
	}
}

/**
 * rig_clear - destroy what ids there are
 * @rig: the rig; its device stays
 *
 * Context: sleeps.
 */
void rig_clear(struct rig *rig)
{
	if (rig->dev) {
		loop_faults_clear(rig->dev);
		loop_hca_release(rig->dev);
	}
	rig_destroy_ids(rig);
	rig_flush(rig);
	rig_forget(rig);
}
EXPORT_SYMBOL_GPL(rig_clear);

/**
 * rig_unplug - remove the device
 * @rig: the rig
 *
 * Context: sleeps.
 */
void rig_unplug(struct rig *rig)
{
	struct ib_device *dev = rig->dev;

	rig->dev = NULL;
	if (dev)
		loop_hca_remove(dev);
}
EXPORT_SYMBOL_GPL(rig_unplug);

/**
 * rig_plug - a new device
 * @rig: the rig
 *
 * Context: sleeps. The test ends if there is none.
 */
void rig_plug(struct rig *rig)
{
	struct loop_config config = { .layer = rig->layer };
	struct ib_device *dev;

	rig_unplug(rig);
	dev = loop_hca_create(&config);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(rig->test, dev);
	rig->dev = dev;
	loop_hca_address(dev, 1, &rig->here);
}
EXPORT_SYMBOL_GPL(rig_plug);

static atomic_t rig_open_rigs = ATOMIC_INIT(0);

static bool rig_nothing(struct cm_probe_totals *totals)
{
	cm_probe_totals(totals);
	return !totals->ids && !totals->records && !totals->timewait && !totals->listeners &&
	       !totals->posted && !totals->queued;
}

/**
 * rig_close - take everything down, and check that nothing is left
 * @rig: the rig; NULL is fine
 * @test: who hears of it, from the last rig that is open; NULL: nobody
 *
 * Context: sleeps.
 */
void rig_close(struct rig *rig, struct kunit *test)
{
	struct cm_probe_totals left;

	if (!rig)
		return;
	if (test)
		rig->test = test;
	rig_clear(rig);
	rig_unplug(rig);
	if (rig->peer) {
		rig_forget(rig);
		loop_station_destroy(rig->peer);
	}
	/* Freed after a grace period. What other rigs have is not left behind. */
	rcu_barrier();
	if (atomic_dec_and_test(&rig_open_rigs) && test && !rig_until(rig_nothing(&left)))
		KUNIT_FAIL(test,
			   "left behind: %lu ids, %lu records, %lu in timewait, %lu listeners, %lu posted, %lu queued",
			   left.ids, left.records, left.timewait, left.listeners, left.posted,
			   left.queued);
	kfree(rig);
}
EXPORT_SYMBOL_GPL(rig_close);

/**
 * rig_open - a rig that outlives the test
 * @test: the test
 * @config: of its device
 *
 * Context: sleeps.
 * Return: the rig, rig_close() is the caller's. The test ends if there is none.
 */
struct rig *rig_open(struct kunit *test, const struct loop_config *config)
{
	struct rig *rig = kzalloc(sizeof(*rig), GFP_KERNEL);
	struct loop_station *peer;
	struct ib_device *dev;

	KUNIT_ASSERT_NOT_NULL(test, rig);
	*rig = (struct rig) {
		.test = test,
		.layer = config->layer,
		.peer_guid = RIG_PEER_GUID,
		.tid = 0x1000000000ULL,
		.peer_comm_id = 0x5000,
		.peer_qpn = 0x800,
		.qpn = 0x200,
		.response_time = 20,
		.life_time = 15,
		.ack_time = 16,
		.retries = 3,
		.qp_type = IB_QPT_RC,
	};
	INIT_LIST_HEAD(&rig->ids);
	INIT_LIST_HEAD(&rig->requests);
	INIT_LIST_HEAD(&rig->inbox);
	spin_lock_init(&rig->lock);

	dev = loop_hca_create(config);
	peer = IS_ERR(dev) ? ERR_CAST(dev) : loop_station_create(config->layer, 0);
	if (IS_ERR(peer)) {
		if (!IS_ERR(dev))
			loop_hca_remove(dev);
		kfree(rig);
		KUNIT_FAIL_AND_ABORT(test, "no device or no peer: %ld", PTR_ERR(peer));
	}
	rig->dev = dev;
	rig->peer = peer;
	loop_hca_address(dev, 1, &rig->here);
	atomic_inc(&rig_open_rigs);
	return rig;
}
EXPORT_SYMBOL_GPL(rig_open);

static void rig_end(void *data)
{
	struct rig *rig = data;

	rig_close(rig, rig->test);
}

/**
 * rig_create_with - a rig for one test
 * @test: the test
 * @config: of its device
 *
 * Context: sleeps.
 * Return: the rig; the test ends if there is none.
 */
struct rig *rig_create_with(struct kunit *test, const struct loop_config *config)
{
	struct rig *rig = rig_open(test, config);

	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, rig_end, rig), 0);
	return rig;
}
EXPORT_SYMBOL_GPL(rig_create_with);

/**
 * rig_create - a rig with a plain device for one test
 * @test: the test
 * @layer: of the device's port
 *
 * Context: sleeps.
 * Return: the rig; the test ends if there is none.
 */
struct rig *rig_create(struct kunit *test, enum rdma_link_layer layer)
{
	const struct loop_config config = { .layer = layer };

	return rig_create_with(test, &config);
}
EXPORT_SYMBOL_GPL(rig_create);

static int __init rig_init(void)
{
	return rig_fence_init();
}
module_init(rig_init);

static void __exit rig_exit(void)
{
	rig_fence_exit();
}
module_exit(rig_exit);

MODULE_DESCRIPTION("What the suites of ib_cm share");
MODULE_LICENSE("GPL");
