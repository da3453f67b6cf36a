/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Counters of a port.
 *
 * Owns: the four groups of sysfs counters that stock has, and our own counters
 * of what peers and the fabric did to us (debugfs). All are plain atomics; a
 * count is never a decision.
 */
#ifndef CM_STATS_H
#define CM_STATS_H

#include <linux/atomic.h>
#include <linux/types.h>

struct attribute_group;
struct cm_port;

/* The groups in sysfs, under ports/N/ */
enum cm_stat_group {
	CM_STAT_TX,		/* cm_tx_msgs: datagrams handed to the MAD layer */
	CM_STAT_TX_RETRIES,	/* cm_tx_retries: of these, repetitions by our timer */
	CM_STAT_RX,		/* cm_rx_msgs */
	CM_STAT_RX_DUPLICATES,	/* cm_rx_duplicates */
	CM_STAT_GROUPS
};

/* Message classes, in the order of their attribute ids from 0x0010 on */
enum cm_msg_kind {
	CM_MSG_REQ, CM_MSG_MRA, CM_MSG_REJ, CM_MSG_REP, CM_MSG_RTU, CM_MSG_DREQ,
	CM_MSG_DREP, CM_MSG_SIDR_REQ, CM_MSG_SIDR_REP, CM_MSG_LAP, CM_MSG_APR,
	CM_MSG_KINDS
};

/* What has no place in stock's counters */
enum cm_count {
	CM_COUNT_RX_LENGTH,	/* datagrams too short or too long */
	CM_COUNT_RX_VERSION,	/* base or class version unknown */
	CM_COUNT_RX_ATTR,	/* attribute or method unknown */
	CM_COUNT_RX_FOREIGN,	/* comm ids, TID or source that are not the id's */
	CM_COUNT_RX_LATE,	/* for a request that is over */
	CM_COUNT_RX_WRONG_ROLE,	/* a message this role never gets */
	CM_COUNT_RX_NEVER,	/* a cell that the model says cannot be reached */
	CM_COUNT_RX_NOMEM,	/* dropped for want of memory or queue space */
	CM_COUNT_RX_SOURCE,	/* IB: source LID or GID is not the id's path */
	CM_COUNT_RX_BACKLOG,	/* REQs beyond a listener's backlog */
	CM_COUNT_TX_DROPPED,	/* answers over the budget of uncompleted sends */
	CM_COUNT_TX_ERRORS,	/* sends that completed with an error */
	CM_COUNT_TX_NOMEM,	/* sends lost for want of memory */
	CM_COUNT_REPLY_DROPPED,	/* replies without an id over their rate or bound */
	CM_COUNT_STALLED,	/* ids destroyed while the device completed nothing */
	CM_COUNT_HOLDERS,	/* holder assertions that failed (module-wide kind) */
	CM_COUNTS
};

struct cm_stats {
	atomic_long_t group[CM_STAT_GROUPS][CM_MSG_KINDS];
	atomic_long_t count[CM_COUNTS];
};

void cm_stat(struct cm_port *port, enum cm_stat_group group, enum cm_msg_kind kind);
void cm_stat_count(struct cm_port *port, enum cm_count what);
const char *cm_count_name(enum cm_count what);
const char *cm_kind_name(enum cm_msg_kind kind);	/* lower case */

/* The attribute groups for ib_port_register_client_groups(). */
extern const struct attribute_group *cm_stat_groups[];
void cm_stats_init(void);	/* before the first port */

#endif /* CM_STATS_H */
