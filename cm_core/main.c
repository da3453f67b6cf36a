// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Module init and exit, parameters.
 *
 * Owns: the order in which the parts come and go. Tables before queues, queues
 * before ports, which bring the first messages; the way back in reverse. No
 * locks, no references.
 */
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/rcupdate.h>

#include "ah.h"
#include "event.h"
#include "generated/cm_model.h"
#include "lookup.h"
#include "params.h"
#include "port.h"
#include "reply.h"
#include "stats.h"
#include "timewait.h"
#include "tx.h"

#define CM_VERSION "0.1.0"

MODULE_AUTHOR("The Cepheus authors");
MODULE_DESCRIPTION("InfiniBand and RoCE connection manager, generated from a checked model");
MODULE_LICENSE("Dual BSD/GPL");
MODULE_VERSION(CM_VERSION);

/* A number within limits: what lies outside is taken as the limit. */
struct cm_param {
	unsigned int *value;
	unsigned int min;
	unsigned int max;
};

static int cm_param_set(const char *text, const struct kernel_param *kp)
{
	const struct cm_param *param = kp->arg;
	unsigned int value;
	int err;

	err = kstrtouint(text, 0, &value);
	if (err)
		return err;
	WRITE_ONCE(*param->value, clamp(value, param->min, param->max));
	return 0;
}

static int cm_param_get(char *buf, const struct kernel_param *kp)
{
	const struct cm_param *param = kp->arg;

	return sysfs_emit(buf, "%u\n", READ_ONCE(*param->value));
}

static const struct kernel_param_ops cm_param_ops = {
	.set = cm_param_set,
	.get = cm_param_get,
};

#define CM_PARAM(_name, _min, _max, _text)					\
	static struct cm_param cm_param_##_name = { &cm_##_name, _min, _max };	\
	module_param_cb(_name, &cm_param_ops, &cm_param_##_name, 0644);		\
	__MODULE_PARM_TYPE(_name, "uint");					\
	MODULE_PARM_DESC(_name, _text)

unsigned int cm_listen_handlers = 32;
CM_PARAM(listen_handlers, 1, 1024,
	 "REQ handlers that one listener runs at once (1 - 1024, default 32)");

unsigned int cm_backlog = 4096;
CM_PARAM(backlog, 1, 1 << 20,
	 "REQs that wait for their turn on one listener (1 - 1048576, default 4096)");

unsigned int cm_send_budget = 64;
CM_PARAM(send_budget, 8, 1024,
	 "Datagrams of one port that the device has not completed (8 - 1024, default 64)");

unsigned int cm_window = 128;
CM_PARAM(window, 1, 65536,
	 "Fresh requests of one port on the wire without an answer (1 - 65536, default 128)");

unsigned int cm_reply_rate = 2000;
CM_PARAM(reply_rate, 1, 1000000,
	 "Answers of one port to strangers, per second (1 - 1000000, default 2000)");

unsigned int cm_ah_limit = 4096;
CM_PARAM(ah_limit, 16, 65536,
	 "Shared address handles of one port (16 - 65536, default 4096)");

bool cm_strict_source;
module_param_named(strict_source, cm_strict_source, bool, 0644);
MODULE_PARM_DESC(strict_source,
		 "InfiniBand: drop messages that come from elsewhere than the connection's path (default off: count them)");

/* Says which model the tables were made from; cannot be set. */
static int cm_model_hash_set(const char *text, const struct kernel_param *kp)
{
	return -EPERM;
}

static int cm_model_hash_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%s\n", CM_MODEL_HASH);
}

static const struct kernel_param_ops cm_model_hash_ops = {
	.set = cm_model_hash_set,
	.get = cm_model_hash_get,
};

module_param_cb(model_hash, &cm_model_hash_ops, NULL, 0444);
MODULE_PARM_DESC(model_hash, "SHA-256 of the protocol model (read only)");
MODULE_INFO(model_hash, CM_MODEL_HASH);

static int __init cm_init(void)
{
	int err;

	cm_stats_init();
	err = cm_lookup_init();
	if (err)
		return err;
	err = cm_tw_init();
	if (err)
		goto lookup;
	err = cm_ah_init();
	if (err)
		goto tw;
	err = cm_tx_init();
	if (err)
		goto ah;
	err = cm_event_init();
	if (err)
		goto tx;
	err = cm_reply_init();
	if (err)
		goto event;
	cm_debugfs_init();
	err = cm_port_init();
	if (err)
		goto debugfs;
	return 0;

debugfs:
	cm_debugfs_exit();
	cm_reply_exit();
event:
	cm_event_exit();
tx:
	cm_tx_exit();
ah:
	cm_ah_exit();
tw:
	cm_tw_exit();
lookup:
	cm_lookup_exit();
	rcu_barrier();
	return err;
}

static void __exit cm_exit(void)
{
	cm_port_exit();
	cm_debugfs_exit();
	cm_reply_exit();
	cm_event_exit();
	cm_tx_exit();
	cm_ah_exit();
	cm_tw_exit();
	cm_lookup_exit();
	/* Ids, records, listeners and devices are freed by callbacks that are code of ours */
	rcu_barrier();
}

module_init(cm_init);
module_exit(cm_exit);
