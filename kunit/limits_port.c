// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ports that come, change and go, for the suite ib_cm_limits.
 *
 * Owns: these cases; a client of ib_core's that is told of a device's removal
 * before ib_cm is; a network device that plays the upper half of a bond.
 */
#include <linux/delay.h>
#include <linux/etherdevice.h>
#include <linux/rtnetlink.h>
#include <linux/umh.h>
#include <trace/events/printk.h>

#include "limits.h"

#define SERVICE		(RIG_SERVICE + 0x9000)
#define MANY		1000000		/* more allocations than a device makes */
#define REMOVAL_MS	11000		/* ib_cm mentions what takes more than 10 s */

/* ---- a client that is told of a device after ib_cm, and of its removal before: it was registered after ---- */

static struct {
	struct ib_device *dev;
	struct rig_id *ids[LIMITS_BUDGET + 2];
	struct delayed_work release;
	atomic_t said;
	int failed;
	unsigned int left;	/* until the allocation that was to fail, when it was told */
} limits_late;

static int limits_late_add(struct ib_device *dev)
{
	unsigned int left = rig_fail_here(0);

	rig_fail_here(left);
	limits_late.left = left;
	return 0;
}

static void limits_late_remove(struct ib_device *dev, void *data)
{
	const struct loop_rule each = { .nth = 1 };
	unsigned int i;

	if (dev != limits_late.dev)
		return;
	loop_fault_set(dev, 1, LOOP_SEND_NEVER, &each);
	for (i = 0; i < ARRAY_SIZE(limits_late.ids); i++)
		limits_late.failed += !!rig_send_req(limits_late.ids[i]);
	schedule_delayed_work(&limits_late.release, msecs_to_jiffies(REMOVAL_MS));
}

static struct ib_client limits_client = {
	.name = "cm_limits_test",
	.add = limits_late_add,
	.remove = limits_late_remove,
};

/* ---- ports that do not come ---- */

static int limits_no_event(struct ib_cm_id *cm, const struct ib_cm_event *event)
{
	return 0;
}

/* What a listen on the device says; no listener stays. */
static int limits_listen(struct ib_device *dev)
{
	struct ib_cm_id *cm = ib_cm_insert_listen(dev, limits_no_event, cpu_to_be64(SERVICE));

	if (IS_ERR(cm))
		return PTR_ERR(cm);
	ib_destroy_cm_id(cm);
	return 0;
}

/* The device is there, and does not speak CM; nor does it say so to the fabric. */
static void limits_is_mute(struct kunit *test, struct rig *rig)
{
	struct cm_probe_totals totals;
	struct ib_port_attr attr;
	struct rig_id *id;
	u32 num;

	KUNIT_EXPECT_EQ(test, limits_listen(rig->dev), -ENODEV);
	id = rig_id_create(rig);
	KUNIT_EXPECT_EQ(test, rig_send_req(id), -ENODEV);
	KUNIT_EXPECT_EQ(test, rig_state(id), CM_ID_IDLE);
	rig_id_destroy(id);
	for (num = 1; num <= rig->dev->phys_port_cnt; num++) {
		KUNIT_ASSERT_EQ(test, ib_query_port(rig->dev, num, &attr), 0);
		KUNIT_EXPECT_FALSE_MSG(test, attr.port_cap_flags & IB_PORT_CM_SUP, "port %u", num);
	}
	KUNIT_EXPECT_EQ(test, loop_hca_handles(rig->dev), 0);
	cm_probe_totals(&totals);
	KUNIT_EXPECT_EQ(test, totals.listeners, 0);
}

/* A port that cannot announce itself: the device is as if it had no CM, also those ports that had come before. */
LIMITS_CASE(limits_port_fails_to_come)
{
	u32 num;

	for (num = 1; num <= 2; num++) {
		const struct loop_config config = {
			.layer = IB_LINK_LAYER_INFINIBAND,
			.ports = 2,
			.fault = LOOP_MODIFY_FAIL,
			.rule = { .nth = 1, .times = 1 },
			.fault_port = num,
		};
		struct rig *rig = rig_create_with(test, &config);

		KUNIT_EXPECT_EQ(test, loop_fault_hits(rig->dev, num, LOOP_MODIFY_FAIL), 1);
		limits_is_mute(test, rig);
	}
}

static void limits_no_send(struct ib_mad_agent *agent, struct ib_mad_send_wc *wc)
{
}

/* Is the MAD layer, which comes to a device before the CM does, there? */
static bool limits_has_mad(struct ib_device *dev)
{
	struct ib_mad_agent *agent = ib_register_mad_agent(dev, 1, IB_QPT_GSI, NULL, 0,
							   limits_no_send, NULL, NULL, 0);

	if (IS_ERR(agent))
		return false;
	ib_unregister_mad_agent(agent);
	return true;
}

/*
 * Whichever allocation fails while the CM comes to a device: it is one without a CM, or all is well. From the last one
 * back to the MAD layer's.
 */
LIMITS_CASE(limits_device_without_memory)
{
	const struct loop_config config = { .layer = IB_LINK_LAYER_INFINIBAND };
	unsigned int total, n, mute = 0, well = 0;
	struct cm_probe_totals totals;
	struct ib_device *dev;
	bool ours = true;
	char path[100];
	int err;

	if (!rig_failslab(test))
		kunit_skip(test, "failslab is not there, or spares allocations that may sleep");
	memset(&limits_late, 0, sizeof(limits_late));
	KUNIT_ASSERT_EQ(test, ib_register_client(&limits_client), 0);
	rig_fail_here(MANY);
	dev = loop_hca_create(&config);
	rig_fail_here(0);
	total = MANY - limits_late.left;
	ib_unregister_client(&limits_client);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, dev);
	loop_hca_remove(dev);
	for (n = total; n && ours; n--) {
		rig_fail_here(n);
		dev = loop_hca_create(&config);
		rig_fail_here(0);
		KUNIT_ASSERT_NOT_ERR_OR_NULL_MSG(test, dev, "allocation %u", n);
		err = limits_listen(dev);
		ours = !err || limits_has_mad(dev);
		KUNIT_EXPECT_TRUE_MSG(test, !err || err == -ENODEV, "allocation %u: %d", n, err);
		if (err) {
			mute++;
		} else {
			well++;
			/* All of it is there. */
			snprintf(path, sizeof(path), "/sys/class/infiniband/%s/ports/1/cm_tx_msgs/req",
				 dev_name(&dev->dev));
			rig_read(test, path);
		}
		loop_hca_remove(dev);
	}
	KUNIT_EXPECT_GE(test, well, 1);
	KUNIT_EXPECT_GE(test, mute, 3);
	rcu_barrier();
	cm_probe_totals(&totals);
	KUNIT_EXPECT_EQ(test, totals.ids + totals.records + totals.listeners, 0);
	kunit_info(test, "%u allocations, the last: %u without a CM, %u well", total, mute, well);
}

/* One port of two speaks CM. */
LIMITS_CASE(limits_port_without_cm)
{
	const struct loop_config config = {
		.layer = IB_LINK_LAYER_INFINIBAND,
		.ports = 2,
		.no_cm = BIT(1),
	};
	struct rig *rig = rig_create_with(test, &config);
	struct loop_packet other = {};
	struct ib_cm_req_param param;
	struct ib_port_attr attr;
	struct sa_path_rec path, twin;
	struct rig_id *id;
	char script[120];

	/* PortInfo's CapabilityMask says so (14.2.5.6). */
	KUNIT_ASSERT_EQ(test, ib_query_port(rig->dev, 1, &attr), 0);
	KUNIT_EXPECT_TRUE(test, attr.port_cap_flags & IB_PORT_CM_SUP);
	KUNIT_ASSERT_EQ(test, ib_query_port(rig->dev, 2, &attr), 0);
	KUNIT_EXPECT_FALSE(test, attr.port_cap_flags & IB_PORT_CM_SUP);

	KUNIT_EXPECT_NOT_NULL(test, rig_bring(rig, CM_ID_ESTABLISHED, true));
	id = rig_id_create(rig);
	rig_attempt(id);
	rig_req_param(id, &param, &path, &twin);
	loop_hca_address(rig->dev, 2, &other);
	path.sgid = other.sgid;
	sa_path_set_slid(&path, other.slid);
	KUNIT_EXPECT_EQ(test, ib_send_cm_req(id->cm, &param), -EINVAL);
	KUNIT_EXPECT_EQ(test, rig_state(id), CM_ID_IDLE);

	/* Nor is it shown. */
	snprintf(script, sizeof(script), "cd /sys/kernel/debug/ib_cm/%s && [ -d 1 ] && [ ! -e 2 ]",
		 dev_name(&rig->dev->dev));
	KUNIT_EXPECT_EQ_MSG(test, rig_shell(script), 0, "%s", script);
}

LIMITS_CASE(limits_device_without_cm)
{
	const struct loop_config config = { .layer = IB_LINK_LAYER_INFINIBAND, .no_cm = BIT(0) };

	limits_is_mute(test, rig_create_with(test, &config));
}

/* ---- ports that change ---- */

static const struct net_device_ops limits_upper_ops = {
	.ndo_set_mac_address = eth_mac_addr,
};

static void limits_upper_setup(struct net_device *ndev)
{
	ether_setup(ndev);
	ndev->netdev_ops = &limits_upper_ops;
	ndev->needs_free_netdev = true;
	ndev->priv_flags |= IFF_TEAM;
	eth_hw_addr_random(ndev);
}

/* A handle to the peer, made now if need be. */
static void limits_handle(struct kunit *test, struct rig *rig)
{
	struct rig_id *id = rig_id_create(rig);

	/* What network devices do makes the RDMA core take the port's GIDs away for a moment. */
	KUNIT_ASSERT_TRUE(test, rig_until(!rig_send_req(id)));
	KUNIT_ASSERT_TRUE(test, rig_peer_recv(rig, ATTR_REQ, NULL, RIG_WAIT_MS));
	rig_settle(rig);
	KUNIT_ASSERT_TRUE(test, rig_until(!rig_counter(rig, "posted")));
	KUNIT_ASSERT_EQ(test, loop_hca_handles(rig->dev), 1);
}

static void limits_notify(unsigned long event, struct net_device *ndev)
{
	rtnl_lock();
	call_netdevice_notifiers(event, ndev);
	rtnl_unlock();
}

/* On RoCE a handle names the member of a bond that it leaves through: it is made anew when that may have changed. */
LIMITS_CASE(limits_bond_changes)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_ETHERNET);
	struct rig *ib = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct net_device *ndev = ib_device_get_netdev(rig->dev, 1), *upper;
	int err;

	/* The rig keeps it. */
	KUNIT_ASSERT_NOT_NULL(test, ndev);
	dev_put(ndev);
	rig->response_time = LIMITS_LONG;
	ib->response_time = LIMITS_LONG;
	limits_handle(test, ib);
	limits_handle(test, rig);
	/* What is no bond's business changes nothing. */
	limits_notify(NETDEV_CHANGELOWERSTATE, ndev);
	rtnl_lock();
	err = dev_set_mtu(ndev, ndev->mtu - 4);
	rtnl_unlock();
	KUNIT_EXPECT_EQ(test, err, 0);
	msleep(100);
	KUNIT_EXPECT_EQ(test, loop_hca_handles(rig->dev), 1);

	limits_notify(NETDEV_BONDING_FAILOVER, ndev);
	KUNIT_EXPECT_TRUE_MSG(test, rig_until(!loop_hca_handles(rig->dev)), "after a failover");

	limits_handle(test, rig);
	ndev->priv_flags |= IFF_TEAM_PORT;
	limits_notify(NETDEV_CHANGELOWERSTATE, ndev);
	ndev->priv_flags &= ~IFF_TEAM_PORT;
	KUNIT_EXPECT_TRUE_MSG(test, rig_until(!loop_hca_handles(rig->dev)), "after a change of state");

	limits_handle(test, rig);
	upper = alloc_netdev(0, "limits%d", NET_NAME_ENUM, limits_upper_setup);
	KUNIT_ASSERT_NOT_NULL(test, upper);
	err = register_netdev(upper);
	if (err)
		free_netdev(upper);
	KUNIT_ASSERT_EQ(test, err, 0);
	rtnl_lock();
	err = netdev_master_upper_dev_link(ndev, upper, NULL, NULL, NULL);
	rtnl_unlock();
	KUNIT_EXPECT_EQ(test, err, 0);
	KUNIT_EXPECT_TRUE_MSG(test, rig_until(!loop_hca_handles(rig->dev)), "after it joined a bond");
	rtnl_lock();
	netdev_upper_dev_unlink(ndev, upper);
	rtnl_unlock();
	unregister_netdev(upper);
	/* InfiniBand knows no bonds of this kind. */
	KUNIT_EXPECT_EQ(test, loop_hca_handles(ib->dev), 1);
}

/* debugfs follows the device's name; connections do not mind. */
LIMITS_CASE(limits_device_is_renamed)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = rig_bring(rig, CM_ID_REQ_SENT, true);
	char was[IB_DEVICE_NAME_MAX], script[128];
	char *argv[4] = { "/bin/sh", "-c", script };
	char *envp[2] = { "PATH=/usr/sbin:/usr/bin:/sbin:/bin" };
	u8 *mad = limits_mad(test);

	KUNIT_ASSERT_NOT_NULL(test, id);
	strscpy(was, dev_name(&rig->dev->dev), sizeof(was));
	scnprintf(script, sizeof(script), "rdma dev set %s name limits_%s", was, was);
	KUNIT_ASSERT_EQ_MSG(test, call_usermodehelper(argv[0], argv, envp, UMH_WAIT_PROC), 0, "%s",
			    script);
	KUNIT_EXPECT_STRNEQ(test, dev_name(&rig->dev->dev), was);
	scnprintf(script, sizeof(script), "grep -q REQ_SENT /sys/kernel/debug/ib_cm/limits_%s/ids", was);
	KUNIT_EXPECT_EQ_MSG(test, call_usermodehelper(argv[0], argv, envp, UMH_WAIT_PROC), 0, "%s",
			    script);
	rig_make(id, ATTR_REP, mad);
	rig_peer_send(rig, mad);
	KUNIT_EXPECT_TRUE(test, rig_reaches(id, CM_ID_REP_RCVD));
	scnprintf(script, sizeof(script), "! test -e /sys/kernel/debug/ib_cm/%s", was);
	KUNIT_EXPECT_EQ_MSG(test, call_usermodehelper(argv[0], argv, envp, UMH_WAIT_PROC), 0, "%s",
			    script);
}

/* ---- ports that go ---- */

static void limits_late_release(struct work_struct *work)
{
	loop_hca_release(limits_late.dev);
}

static void limits_console(void *context, const char *text, size_t len)
{
	if (strnstr(text, "removal waits for the device to complete 8 sends", len))
		atomic_inc(&limits_late.said);
}

/* Sends that the device withholds are waited for, and mentioned; what has waited behind them is dropped. */
LIMITS_CASE(limits_removal_with_sends_out)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	const struct rig_event *event;
	unsigned int i, sent = 0;
	unsigned long begin;

	memset(&limits_late, 0, sizeof(limits_late));
	INIT_DELAYED_WORK(&limits_late.release, limits_late_release);
	rig->response_time = LIMITS_LONG;
	KUNIT_ASSERT_TRUE(test, rig_param(test, "send_budget", LIMITS_BUDGET));
	KUNIT_ASSERT_NOT_NULL(test, rig_bring(rig, CM_ID_REQ_SENT, true));
	for (i = 0; i < ARRAY_SIZE(limits_late.ids); i++)
		limits_late.ids[i] = rig_id_create(rig);
	limits_late.dev = rig->dev;
	KUNIT_ASSERT_EQ(test, ib_register_client(&limits_client), 0);
	KUNIT_EXPECT_EQ(test, register_trace_console(limits_console, NULL), 0);
	begin = jiffies;
	rig_unplug(rig);
	KUNIT_EXPECT_GE(test, jiffies_to_msecs(jiffies - begin), REMOVAL_MS);
	unregister_trace_console(limits_console, NULL);
	tracepoint_synchronize_unregister();
	ib_unregister_client(&limits_client);
	flush_delayed_work(&limits_late.release);
	KUNIT_EXPECT_EQ(test, limits_late.failed, 0);
	KUNIT_EXPECT_EQ_MSG(test, atomic_read(&limits_late.said), 1, "nobody says why it takes so long");
	for (i = 0; i < ARRAY_SIZE(limits_late.ids); i++) {
		event = rig_event(limits_late.ids[i], 0);
		KUNIT_ASSERT_NOT_NULL(test, event);
		KUNIT_EXPECT_EQ(test, (int)event->type, (int)IB_CM_REQ_ERROR);
		KUNIT_EXPECT_EQ(test, rig_state(limits_late.ids[i]), CM_ID_GONE);
	}
	while (rig_peer_recv(rig, ATTR_REQ, NULL, 0))
		sent++;
	KUNIT_EXPECT_EQ_MSG(test, sent, LIMITS_BUDGET, "what has waited left after all");
}
