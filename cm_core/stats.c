// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Counters of a port.
 *
 * Owns: the arithmetic on struct cm_stats, and its face in sysfs. No locks; a
 * reader of sysfs holds the device while it reads.
 */
#include <linux/cache.h>
#include <linux/init.h>
#include <linux/sysfs.h>
#include <rdma/ib_sysfs.h>

#include "port.h"

/* A file in sysfs knows which counter it shows. */
struct cm_stat_file {
	struct ib_port_attribute port;
	u8 group;
	u8 kind;
};

static const char *const cm_kind_names[] = {
	[CM_MSG_REQ]		= "req",
	[CM_MSG_MRA]		= "mra",
	[CM_MSG_REJ]		= "rej",
	[CM_MSG_REP]		= "rep",
	[CM_MSG_RTU]		= "rtu",
	[CM_MSG_DREQ]		= "dreq",
	[CM_MSG_DREP]		= "drep",
	[CM_MSG_SIDR_REQ]	= "sidr_req",
	[CM_MSG_SIDR_REP]	= "sidr_rep",
	[CM_MSG_LAP]		= "lap",
	[CM_MSG_APR]		= "apr",
};

static_assert(ARRAY_SIZE(cm_kind_names) == CM_MSG_KINDS);

/* Filled by cm_stats_init() */
static struct cm_stat_file cm_stat_files[CM_STAT_GROUPS][CM_MSG_KINDS] __ro_after_init;
static struct attribute *cm_stat_attrs[CM_STAT_GROUPS][CM_MSG_KINDS + 1] __ro_after_init;

static const struct attribute_group cm_stat_folders[CM_STAT_GROUPS] = {
	[CM_STAT_TX]		= { .name = "cm_tx_msgs", .attrs = cm_stat_attrs[CM_STAT_TX] },
	[CM_STAT_TX_RETRIES]	= { .name = "cm_tx_retries",
				    .attrs = cm_stat_attrs[CM_STAT_TX_RETRIES] },
	[CM_STAT_RX]		= { .name = "cm_rx_msgs", .attrs = cm_stat_attrs[CM_STAT_RX] },
	[CM_STAT_RX_DUPLICATES]	= { .name = "cm_rx_duplicates",
				    .attrs = cm_stat_attrs[CM_STAT_RX_DUPLICATES] },
};

const struct attribute_group *cm_stat_groups[] = {
	&cm_stat_folders[CM_STAT_TX],
	&cm_stat_folders[CM_STAT_TX_RETRIES],
	&cm_stat_folders[CM_STAT_RX],
	&cm_stat_folders[CM_STAT_RX_DUPLICATES],
	NULL,
};

static_assert(ARRAY_SIZE(cm_stat_groups) == CM_STAT_GROUPS + 1);

static ssize_t cm_stat_show(struct ib_device *ibdev, u32 num, struct ib_port_attribute *attr,
			    char *buf)
{
	const struct cm_stat_file *file = container_of(attr, struct cm_stat_file, port);
	struct cm_device *dev = cm_device_get(ibdev);
	struct cm_port *port;
	ssize_t len = -ENODEV;

	/* The files exist a little longer than the port speaks CM, on both ends */
	if (!dev)
		return len;
	port = cm_device_port(dev, num);
	if (port)
		len = sysfs_emit(buf, "%ld\n",
				 atomic_long_read(&port->stats.group[file->group][file->kind]));
	cm_device_put(dev);
	return len;
}

static const char *const cm_count_names[] = {
	[CM_COUNT_RX_LENGTH]		= "rx_length",
	[CM_COUNT_RX_VERSION]		= "rx_version",
	[CM_COUNT_RX_ATTR]		= "rx_attr",
	[CM_COUNT_RX_FOREIGN]		= "rx_foreign",
	[CM_COUNT_RX_LATE]		= "rx_late",
	[CM_COUNT_RX_WRONG_ROLE]	= "rx_wrong_role",
	[CM_COUNT_RX_NEVER]		= "rx_never",
	[CM_COUNT_RX_NOMEM]		= "rx_nomem",
	[CM_COUNT_RX_SOURCE]		= "rx_source",
	[CM_COUNT_RX_BACKLOG]		= "rx_backlog",
	[CM_COUNT_TX_DROPPED]		= "tx_dropped",
	[CM_COUNT_TX_ERRORS]		= "tx_errors",
	[CM_COUNT_TX_NOMEM]		= "tx_nomem",
	[CM_COUNT_REPLY_DROPPED]	= "reply_dropped",
	[CM_COUNT_STALLED]		= "destroyed_stalled",
	[CM_COUNT_HOLDERS]		= "holders",
};

static_assert(ARRAY_SIZE(cm_count_names) == CM_COUNTS);

/**
 * cm_stat - count a message
 * @port: where
 * @group: sent, sent again, received or received again
 * @kind: which message
 *
 * Context: any.
 */
void cm_stat(struct cm_port *port, enum cm_stat_group group, enum cm_msg_kind kind)
{
	atomic_long_inc(&port->stats.group[group][kind]);
}

/**
 * cm_stat_count - count an oddity
 * @port: where
 * @what: which
 *
 * Context: any.
 */
void cm_stat_count(struct cm_port *port, enum cm_count what)
{
	atomic_long_inc(&port->stats.count[what]);
}

/**
 * cm_kind_name - what a message is called in sysfs and debugfs
 * @kind: which
 *
 * Context: any.
 * Return: the name.
 */
const char *cm_kind_name(enum cm_msg_kind kind)
{
	return cm_kind_names[kind];
}

/**
 * cm_count_name - what a counter is called in debugfs
 * @what: which
 *
 * Context: any.
 * Return: the name.
 */
const char *cm_count_name(enum cm_count what)
{
	return cm_count_names[what];
}

/**
 * cm_stats_init - make the files of cm_stat_groups
 *
 * Context: module init, before the first port.
 */
void __init cm_stats_init(void)
{
	struct cm_stat_file *file;
	unsigned int group, kind;

	for (group = 0; group < CM_STAT_GROUPS; group++) {
		for (kind = 0; kind < CM_MSG_KINDS; kind++) {
			file = &cm_stat_files[group][kind];
			file->port.attr.name = cm_kind_names[kind];
			file->port.attr.mode = 0444;
			file->port.show = cm_stat_show;
			file->group = group;
			file->kind = kind;
			cm_stat_attrs[group][kind] = &file->port.attr;
		}
	}
}
