// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * What operators and tests may look at: /sys/kernel/debug/ib_cm.
 *
 *   DEVICE/ids             live ids, one per line
 *   DEVICE/PORT/counters   what peers and the fabric did to us
 *   DEVICE/PORT/now        what is under way
 *
 * Owns: the folder. Reading takes one id at a time, copies under its lock what
 * is shown, and lets go of it before anything is printed: a reader that stops
 * in the middle holds up nobody's destroy. The place in the table of local ids
 * is the position in the file.
 *
 * Lock order: cm_id.lock, nothing inside. References: a LOOKUP on the id that is
 * being copied. cm_debugfs_del() waits for readers, so a file needs none to the device.
 */
#include <linux/debugfs.h>
#include <linux/sched.h>
#include <linux/seq_file.h>

#include "generated/cm_tables.h"
#include "id.h"
#include "lookup.h"
#include "port.h"
#include "probe_hook.h"

static struct dentry *cm_debugfs_root;

/* One line of the list */
struct cm_id_line {
	struct cm_device *dev;
	u32 local_id;
	u32 remote_id;
	u64 service_id;
	u32 holders;
	u32 local_qpn;
	u32 remote_qpn;
	unsigned int refs;
	u64 state_ms;
	u64 request_ms;
	const char *role;
	union ib_gid dgid;
	u32 dlid;
	u32 port;
	bool grh;
	u8 state;
	u8 kind;
	u8 sends_left;
	u8 events;
	bool request;
	bool queued;
	bool runner;
};

/* Which side of its attempt it is. Without one it has none. */
static const char *cm_id_role(const struct cm_id *id)
{
	if (id->listener)
		return "listener";
	if (!id->rec && !id->req.active)
		return "-";
	return id->active ? "active" : "passive";
}

/* Where its messages go. */
static void cm_id_line_peer(struct cm_id_line *line, const struct cm_av *av)
{
	line->port = av->port ? av->port->num : 0;
	if (!av->port)
		return;
	line->grh = rdma_ah_get_ah_flags(&av->attr) & IB_AH_GRH;
	if (line->grh)
		line->dgid = rdma_ah_read_grh(&av->attr)->dgid;
	else
		line->dlid = rdma_ah_get_dlid(&av->attr);
}

static void cm_id_line_take(struct cm_id_line *line, struct cm_id *id)
{
	spin_lock_irq(&id->lock);
	line->local_id = be32_to_cpu(id->pub.local_id);
	line->remote_id = be32_to_cpu(id->pub.remote_id);
	line->service_id = be64_to_cpu(id->pub.service_id);
	line->holders = cm_id_holders(id);
	line->local_qpn = id->local_qpn;
	line->remote_qpn = id->remote_qpn;
	line->state = id->state;
	line->state_ms = cm_ms_since(id->since);
	line->role = cm_id_role(id);
	cm_id_line_peer(line, &id->av);
	line->request_ms = cm_ms_since(id->asked);
	line->request = id->req.active;
	line->queued = id->req.queued;
	line->kind = id->req.kind;
	line->sends_left = id->req.sends_left;
	line->events = id->ev.count;
	line->runner = id->ev.runner;
	line->refs = refcount_read(&id->refs) - 1;	/* without ours */
	spin_unlock_irq(&id->lock);
}

/* Position 0 is the heading, n + 1 the place n of the table. */
static void *cm_ids_from(struct seq_file *seq, loff_t *pos)
{
	struct cm_id_line *line = seq->private;
	struct cm_hold hold = {};
	unsigned long index;
	struct cm_id *id;
	bool found;

	if (!*pos)
		return SEQ_START_TOKEN;
	for (index = *pos - 1; (id = cm_local_next(&index, &hold)); index++) {
		found = id->dev == line->dev;
		if (found)
			cm_id_line_take(line, id);
		cm_id_put(id, CM_REF_LOOKUP, &hold);
		if (found) {
			*pos = (loff_t)index + 1;
			return line;
		}
		cond_resched();
	}
	return NULL;
}

static void *cm_ids_start(struct seq_file *seq, loff_t *pos)
{
	return cm_ids_from(seq, pos);
}

static void *cm_ids_next(struct seq_file *seq, void *v, loff_t *pos)
{
	++*pos;
	return cm_ids_from(seq, pos);
}

static void cm_ids_stop(struct seq_file *seq, void *v)
{
}

static void cm_show_peer(struct seq_file *seq, const struct cm_id_line *line)
{
	if (!line->port)
		seq_puts(seq, "-");
	else if (line->grh)
		seq_printf(seq, "%pI6c", line->dgid.raw);
	else
		seq_printf(seq, "lid:%u", line->dlid);
}

static void cm_show_request(struct seq_file *seq, const struct cm_id_line *line)
{
	if (!line->request || line->kind >= CM_MSG_KINDS)
		seq_puts(seq, " - 0 0");
	else
		seq_printf(seq, " %s%s %llu %u", cm_kind_name(line->kind),
			   line->queued ? "(queued)" : "", line->request_ms, line->sends_left);
}

/* By their names in the model, joined by +. */
static void cm_show_holders(struct seq_file *seq, u32 holders)
{
	const char *sign = "";
	unsigned int i;

	for (i = 0; i < CM_ID_HOLDERS; i++) {
		if (!(holders & BIT(i)))
			continue;
		seq_printf(seq, "%s%s", sign, cm_id_holder_names[i]);
		sign = "+";
	}
	if (!holders)
		seq_puts(seq, "-");
}

static int cm_ids_show(struct seq_file *seq, void *v)
{
	const struct cm_id_line *line = v;

	if (v == SEQ_START_TOKEN) {
		seq_puts(seq, "# local_id remote_id state state_ms role service_id local_qpn remote_qpn port peer request request_ms sends_left events holders refs\n");
		return 0;
	}
	seq_printf(seq, "%u %u %s %llu %s 0x%016llx 0x%06x 0x%06x %u ", line->local_id,
		   line->remote_id,
		   line->state < CM_ID_STATES ? cm_id_state_names[line->state] : "?",
		   line->state_ms, line->role, line->service_id, line->local_qpn, line->remote_qpn,
		   line->port);
	cm_show_peer(seq, line);
	cm_show_request(seq, line);
	seq_printf(seq, " %u%s ", line->events, line->runner ? "(running)" : "");
	cm_show_holders(seq, line->holders);
	seq_printf(seq, " %u\n", line->refs);
	return 0;
}

static const struct seq_operations cm_ids_ops = {
	.start	= cm_ids_start,
	.next	= cm_ids_next,
	.stop	= cm_ids_stop,
	.show	= cm_ids_show,
};

static int cm_ids_open(struct inode *inode, struct file *file)
{
	struct cm_id_line *line;

	line = __seq_open_private(file, &cm_ids_ops, sizeof(*line));
	if (!line)
		return -ENOMEM;
	line->dev = inode->i_private;
	return 0;
}

static const struct file_operations cm_ids_file = {
	.owner		= THIS_MODULE,
	.open		= cm_ids_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= seq_release_private,
};

static int cm_counters_show(struct seq_file *seq, void *v)
{
	struct cm_port *port = seq->private;
	enum cm_count what;

	for (what = 0; what < CM_COUNTS; what++)
		seq_printf(seq, "%s %ld\n", cm_count_name(what),
			   atomic_long_read(&port->stats.count[what]));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(cm_counters);

static int cm_now_show(struct seq_file *seq, void *v)
{
	struct cm_port *port = seq->private;

	seq_printf(seq, "posted %d\n", atomic_read(&port->tx.posted));
	seq_printf(seq, "window %d\n", atomic_read(&port->tx.window));
	seq_printf(seq, "deferred %u\n", READ_ONCE(port->tx.ndeferred));
	seq_printf(seq, "resolving %d\n", atomic_read(&port->resolving));
	seq_printf(seq, "replies %u\n", READ_ONCE(port->reply.pending));
	seq_printf(seq, "timewait %u\n", READ_ONCE(port->tw.count));
	seq_printf(seq, "ah_shared %u\n", READ_ONCE(port->ah.count));
	seq_printf(seq, "ah_all %u\n", refcount_read(&port->ah.users) - 1);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(cm_now);

/**
 * cm_debugfs_add - show a device
 * @dev: the device
 *
 * Context: process; may sleep.
 */
void cm_debugfs_add(struct cm_device *dev)
{
	struct cm_port *port;
	struct dentry *dir;
	char name[12];
	u32 num;

	dev->debugfs = debugfs_create_dir(dev_name(&dev->ibdev->dev), cm_debugfs_root);
	debugfs_create_file("ids", 0444, dev->debugfs, dev, &cm_ids_file);
	for (num = 1; num <= dev->nports; num++) {
		port = cm_device_port(dev, num);
		if (!port)
			continue;
		snprintf(name, sizeof(name), "%u", num);
		dir = debugfs_create_dir(name, dev->debugfs);
		debugfs_create_file("counters", 0444, dir, port, &cm_counters_fops);
		debugfs_create_file("now", 0444, dir, port, &cm_now_fops);
	}
}

/**
 * cm_debugfs_del - show a device no more
 * @dev: the device
 *
 * Context: process; sleeps until reads in progress are done.
 */
void cm_debugfs_del(struct cm_device *dev)
{
	debugfs_remove_recursive(dev->debugfs);
	dev->debugfs = NULL;
}

/**
 * cm_debugfs_init - make the folder
 *
 * Context: process; may sleep.
 */
void cm_debugfs_init(void)
{
	cm_debugfs_root = debugfs_create_dir("ib_cm", NULL);
	cm_probe_show(cm_debugfs_root);
}

/**
 * cm_debugfs_exit - remove the folder
 *
 * Context: process; may sleep. Every device is gone.
 */
void cm_debugfs_exit(void)
{
	debugfs_remove_recursive(cm_debugfs_root);
}
