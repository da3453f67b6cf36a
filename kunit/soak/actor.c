// SPDX-License-Identifier: GPL-2.0-only
/*
 * The actors: threads that create, call, listen, share and destroy.
 *
 * Owns: the threads, and the harvest at the end, in which whatever has begun must
 * end by itself.
 */
#include <linux/delay.h>
#include <linux/kthread.h>

#include "soak.h"

#define SOAK_ACTORS	16

struct soak_actor {
	struct task_struct *task;
	struct soak_dice dice;
	u64 made;
	u64 number;
};

static struct soak_actor soak_actors[SOAK_ACTORS];
static unsigned int soak_nactors;

/* The stream of a new id's handler. */
static u64 soak_stream(struct soak_actor *actor)
{
	return (actor->number + 2) << 40 | actor->made++;
}

/* An id of our own. The device is entered, and the reference to it is taken. */
static void soak_make(struct soak_actor *actor, struct soak_dev *dev, enum soak_kind kind)
{
	__be64 service = cpu_to_be64(SOAK_SERVICE + soak_roll(&actor->dice, SOAK_SERVICES));
	struct soak_id *id = soak_id_alloc(dev, kind, soak_stream(actor));
	struct ib_cm_id *cm;

	if (!id) {
		soak_dev_put(dev);
		return;
	}
	if (kind == SOAK_SHARE)
		cm = ib_cm_insert_listen(dev->ibdev, soak_share_handler, service);
	else
		cm = ib_create_cm_id(dev->ibdev, soak_handler, id);
	if (IS_ERR(cm)) {
		soak_count(SOAK_ERRNOS, 1);
		soak_id_free(id);
		return;
	}
	id->cm = cm;
	if (kind == SOAK_LISTENER && soak_id_begun(id, ib_cm_listen(cm, service))) {
		soak_count(SOAK_ERRNOS, 1);
		soak_id_end(id);
		return;
	}
	if (kind == SOAK_ASKER)
		soak_ask(id, &actor->dice);
	soak_id_release(id);
}

static void soak_create(struct soak_actor *actor)
{
	struct soak_dev *dev = soak_dev_choose(&actor->dice);
	u32 what = soak_roll(&actor->dice, 100);
	enum soak_kind kind = what < 70 ? SOAK_ASKER : what < 80 ? SOAK_LISTENER : SOAK_SHARE;
	struct ib_device *ibdev;

	if (!dev)
		return;
	ibdev = dev->ibdev;
	if (!soak_dev_enter(dev)) {
		soak_dev_put(dev);
		return;
	}
	soak_make(actor, dev, kind);
	ib_device_put(ibdev);
}

/* Its device is gone, and every client has let go of it: the id has had its last event. */
static void soak_meet_gone(struct soak_id *id)
{
	bool open;

	spin_lock(&id->lock);
	open = id->open && !id->loose;
	spin_unlock(&id->lock);
	if (open)
		soak_bad("no last event at removal (kind %d, state %d, seen %#x)", id->kind,
			 id->cm->state, id->seen);
	if (id->kind != SOAK_SHARE)
		soak_call_gone(id);
	soak_count(SOAK_GONE, 1);
}

/* Something with any id. False: it is over. */
static bool soak_use(struct soak_id *id, struct soak_dice *dice)
{
	bool keep;

	if (!soak_dev_enter(id->dev)) {
		soak_meet_gone(id);
		return false;
	}
	/* Listeners live longer, so that there is somebody to talk to. */
	keep = soak_chance(dice, id->kind == SOAK_LISTENER || id->kind == SOAK_SHARE ? 90 : 70) ||
	       (id->outlives && list_empty(&id->dev->node));
	if (keep)
		soak_call(id, dice);
	soak_dev_leave(id->dev);
	return keep;
}

static void soak_step(struct soak_actor *actor)
{
	struct soak_dice *dice = &actor->dice;
	struct soak_id *id;

	if (soak_chance(dice, 30)) {
		soak_create(actor);
		return;
	}
	id = soak_id_claim(dice);
	if (!id)
		return;
	if (soak_use(id, dice))
		soak_id_release(id);
	else
		soak_id_end(id);
}

static int soak_act(void *data)
{
	struct soak_actor *actor = data;

	while (!kthread_should_stop()) {
		soak_step(actor);
		if (soak_chance(&actor->dice, 20))
			usleep_range(100, 100 + soak_roll(&actor->dice, 4000));
		cond_resched();
	}
	return 0;
}

int soak_actors_start(unsigned int n)
{
	struct soak_actor *actor;

	n = min_t(unsigned int, n, SOAK_ACTORS);
	for (soak_nactors = 0; soak_nactors < n; soak_nactors++) {
		actor = &soak_actors[soak_nactors];
		actor->number = soak_nactors;
		soak_dice_init(&actor->dice, 0x100 + soak_nactors);
		actor->task = kthread_run(soak_act, actor, "soak/%u", soak_nactors);
		if (IS_ERR(actor->task)) {
			soak_actors_stop();
			return PTR_ERR(actor->task);
		}
	}
	return 0;
}

void soak_actors_stop(void)
{
	while (soak_nactors)
		kthread_stop(soak_actors[--soak_nactors].task);
}

/* ---- the harvest ---- */

/* Whose turn is it? A consumer's: then the attempt is as good as over. */
static bool soak_is_ours(struct soak_id *id)
{
	switch (READ_ONCE(id->cm->state)) {
	case IB_CM_DREQ_RCVD:
		ib_send_cm_drep(id->cm, NULL, 0);
		return false;
	case IB_CM_ESTABLISHED:
		ib_send_cm_dreq(id->cm, NULL, 0);
		return false;
	case IB_CM_SIDR_REQ_RCVD:
	case IB_CM_MRA_REP_SENT:
	case IB_CM_REP_RCVD:
	case IB_CM_MRA_REQ_SENT:
	case IB_CM_REQ_RCVD:
		return true;
	default:
		return false;
	}
}

/* Does the id still wait for an event that must come? */
static bool soak_waits(struct soak_id *id)
{
	bool open;

	spin_lock(&id->lock);
	open = id->open && !id->loose && !id->slow;
	spin_unlock(&id->lock);
	if (!open)
		return false;
	if (!soak_dev_enter(id->dev)) {
		soak_meet_gone(id);
		soak_id_cut(id);
		return false;
	}
	open = !soak_is_ours(id);
	soak_dev_leave(id->dev);
	return open;
}

void soak_harvest(unsigned int seconds)
{
	unsigned long end = jiffies + seconds * HZ;
	struct soak_id *id;
	bool late, waits;
	int slot;

	do {
		late = time_after(jiffies, end);
		waits = false;
		for (slot = 0; (id = soak_id_next(&slot)); soak_id_release(id)) {
			if (!soak_waits(id))
				continue;
			waits = true;
			if (late)
				soak_bad("no last event in %u s (kind %d, state %d, seen %#x)", seconds,
					 id->kind, id->cm->state, id->seen);
		}
		msleep(20);
	} while (waits && !late);
}

/* Children come as long as somebody listens: those that listen go first. */
void soak_destroy_all(void)
{
	struct soak_id *id;
	bool listeners;
	int slot;

	for (listeners = true;; listeners = false) {
		for (slot = 0; (id = soak_id_next(&slot));) {
			if (listeners && id->kind != SOAK_LISTENER && id->kind != SOAK_SHARE)
				soak_id_release(id);
			else
				soak_id_end(id);
		}
		if (!listeners && !soak_ids())
			break;
		usleep_range(1000, 2000);
	}
}
