// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module: runs from its loading to its unloading, which waits until everything
 * has ended, and then says whether anything is left.
 *
 *	seed=	of all choices; 0: any, which is printed
 *	actors=	threads that call
 *	devices= loopback devices of its own, that come and go: 0 to 4
 *	dev=	use devices whose name begins so
 *	patience= seconds in which, at the end, everything that has begun must end, and
 *		everything be gone; 0: nothing is waited for
 *	counts	(read only) what has happened so far
 *
 * A broken rule is a line "cm_soak: FAILED: ..." in the kernel log.
 */
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/rcupdate.h>

#ifdef CM_DEBUG
#include "../../cm_core/probe.h"
#endif
#include "soak.h"

static unsigned long long seed;
module_param(seed, ullong, 0444);
MODULE_PARM_DESC(seed, "of all choices; 0: any");
static unsigned int actors = 4;
module_param(actors, uint, 0444);
MODULE_PARM_DESC(actors, "threads that call");
static unsigned int devices = 4;
module_param(devices, uint, 0444);
MODULE_PARM_DESC(devices, "loopback devices that come and go: 0 to 4");
static char *dev = "loop";
module_param(dev, charp, 0444);
MODULE_PARM_DESC(dev, "use devices whose name begins so");
static unsigned int patience = 60;
module_param(patience, uint, 0444);
MODULE_PARM_DESC(patience, "seconds in which everything that has begun must end");

/* ---- the sequence of a seed: a counter and a mixer ---- */

static u64 soak_mix(u64 x)
{
	x = (x ^ (x >> 32)) * 0x9fb21c651e98df25ULL;
	x = (x ^ (x >> 29)) * 0xd6e8feb86659fd93ULL;
	return x ^ (x >> 32);
}

void soak_dice_init(struct soak_dice *dice, u64 stream)
{
	dice->state = soak_mix(seed + soak_mix(stream));
}

u32 soak_roll(struct soak_dice *dice, u32 below)
{
	dice->state += 0xa0761d6478bd642fULL;
	return (soak_mix(dice->state) >> 32) % below;
}

/* ---- counts ---- */

static atomic_long_t soak_counts[SOAK_COUNTS];

void soak_count(enum soak_count what, unsigned int n)
{
	atomic_long_add(n, &soak_counts[what]);
}

void soak_bad(const char *format, ...)
{
	struct va_format text;
	va_list args;

	va_start(args, format);
	text.fmt = format;
	text.va = &args;
	pr_err_ratelimited("cm_soak: FAILED: %pV\n", &text);
	va_end(args);
	soak_count(SOAK_BAD, 1);
}

static const char *const soak_count_names[SOAK_COUNTS] = {
	[SOAK_CONNECTED]	= "connected",
	[SOAK_RESOLVED]		= "resolved",
	[SOAK_FAILED]		= "failed",
	[SOAK_OVER]		= "over",
	[SOAK_DESTROYED]	= "destroyed",
	[SOAK_REFUSED]		= "refused",
	[SOAK_CALLS]		= "calls",
	[SOAK_ERRNOS]		= "errnos",
	[SOAK_NOMEM]		= "nomem",
	[SOAK_REMOVED]		= "removed",
	[SOAK_GONE]		= "gone",
	[SOAK_FAULTS]		= "faults",
	[SOAK_BAD]		= "bad",
};

static int soak_counts_text(char *buf, size_t size)
{
	enum soak_count i;
	int len = 0;

	for (i = 0; i < SOAK_COUNTS; i++)
		len += scnprintf(buf + len, size - len, "%s %ld ", soak_count_names[i],
				 atomic_long_read(&soak_counts[i]));
	return len;
}

static int soak_counts_get(char *buf, const struct kernel_param *kp)
{
	int len = soak_counts_text(buf, PAGE_SIZE);

	return len + sysfs_emit_at(buf, len, "ids %u\n", soak_ids());
}

static const struct kernel_param_ops soak_counts_ops = {
	.get = soak_counts_get,
};

module_param_cb(counts, &soak_counts_ops, NULL, 0444);
MODULE_PARM_DESC(counts, "what has happened so far (read only)");

/* ---- the end ---- */

#ifdef CM_DEBUG
static bool soak_nothing(struct cm_probe_totals *left)
{
	cm_probe_totals(left);
	return !left->ids && !left->records && !left->listeners && !left->posted &&
	       !left->queued && !left->runners;
}

/* What outlives its id, outlives it by its timewait. */
static void soak_check_left(void)
{
	unsigned long end = jiffies + patience * HZ;
	struct cm_probe_totals left;

	do {
		rcu_barrier();
		if (soak_nothing(&left))
			return;
		msleep(20);
	} while (time_before(jiffies, end));
	soak_bad("left: ids %lu records %lu timewait %lu listeners %lu posted %lu queued %lu runners %lu",
		 left.ids, left.records, left.timewait, left.listeners, left.posted, left.queued,
		 left.runners);
}
#else
static void soak_check_left(void)
{
}
#endif

static void soak_end(void)
{
	char counts[512];

	soak_actors_stop();
	soak_weather_calm();
	if (patience)
		soak_harvest(patience);
	soak_destroy_all();
	/* A device's removal waits for handlers that have given their id up. */
	soak_weather_stop();
	while (!soak_handlers_gone())
		usleep_range(1000, 2000);
	synchronize_rcu();
	soak_devices_exit();
	if (patience)
		soak_check_left();
	soak_counts_text(counts, sizeof(counts));
	pr_info("cm_soak: seed %llu: %s\n", seed, counts);
}

static int __init soak_init(void)
{
	int err;

	while (!seed)
		seed = get_random_u64();
	pr_info("cm_soak: seed %llu\n", seed);
	err = soak_devices_init(dev);
	if (err)
		return err;
	err = soak_weather_start(devices);
	if (err)
		goto out;
	err = soak_actors_start(actors);
	if (!err)
		return 0;
	soak_weather_calm();
	soak_destroy_all();
	soak_weather_stop();
out:
	soak_devices_exit();
	return err;
}
module_init(soak_init);

static void __exit soak_exit(void)
{
	soak_end();
}
module_exit(soak_exit);

MODULE_DESCRIPTION("Consumers of the InfiniBand connection manager that do whatever they please");
MODULE_LICENSE("GPL");
