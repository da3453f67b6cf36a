// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ids, their handler, and the rules that events must keep.
 *
 * Owns: struct soak_id, the pool. An id is used by one actor at a time, beside its
 * handler. Its memory goes at once when destroy has returned, or when the handler
 * says no: whoever touches it later is caught.
 *
 * The rules: an attempt begins with a request of ours, or with the peer's. Each
 * event but MRA, LAP and APR comes once at most. It ends with one event: REQ_ERROR,
 * REP_ERROR, SIDR_REQ_ERROR, SIDR_REP, TIMEWAIT_EXIT, or REJ, which TIMEWAIT_EXIT
 * may follow. Nothing comes before, and nothing after.
 */
#include <linux/delay.h>
#include <linux/slab.h>

#include "soak.h"

#define SOAK_IDS	256

static DEFINE_SPINLOCK(soak_pool_lock);
static struct soak_id *soak_pool[SOAK_IDS];
static unsigned int soak_npool;		/* allocated ids, in the pool or on their way into it */
static atomic_t soak_running = ATOMIC_INIT(0);
static atomic64_t soak_children = ATOMIC64_INIT(0);

unsigned int soak_ids(void)
{
	return READ_ONCE(soak_npool);
}

bool soak_handlers_gone(void)
{
	return !atomic_read(&soak_running);
}

struct soak_id *soak_id_alloc(struct soak_dev *dev, enum soak_kind kind, u64 stream)
{
	struct soak_id *id = kzalloc(sizeof(*id), GFP_KERNEL);
	bool room;

	if (!id)
		return NULL;
	spin_lock(&soak_pool_lock);
	room = soak_npool < SOAK_IDS;
	soak_npool += room;
	spin_unlock(&soak_pool_lock);
	if (!room) {
		kfree(id);
		return NULL;
	}
	id->dev = dev;
	id->kind = kind;
	id->slot = -1;
	id->busy = true;
	spin_lock_init(&id->lock);
	soak_dice_init(&id->dice, stream);
	id->outlives = soak_chance(&id->dice, 50);
	return id;
}

void soak_id_free(struct soak_id *id)
{
	spin_lock(&soak_pool_lock);
	if (id->slot >= 0)
		soak_pool[id->slot] = NULL;
	soak_npool--;
	spin_unlock(&soak_pool_lock);
	soak_dev_put(id->dev);
	/* Whoever comes too late shall not find it as it was. */
	memset(id, 0x5a, sizeof(*id));
	kfree(id);
}

void soak_id_release(struct soak_id *id)
{
	int i;

	spin_lock(&soak_pool_lock);
	for (i = 0; id->slot < 0 && i < SOAK_IDS; i++)
		if (!soak_pool[i]) {
			soak_pool[i] = id;
			id->slot = i;
		}
	id->busy = false;
	spin_unlock(&soak_pool_lock);
}

/* Under soak_pool_lock. */
static struct soak_id *soak_take(int slot)
{
	struct soak_id *id = soak_pool[slot];

	if (!id || id->busy)
		return NULL;
	id->busy = true;
	return id;
}

struct soak_id *soak_id_claim(struct soak_dice *dice)
{
	unsigned int from = soak_roll(dice, SOAK_IDS), i;
	struct soak_id *id = NULL;

	spin_lock(&soak_pool_lock);
	for (i = 0; i < SOAK_IDS && !id; i++)
		id = soak_take((from + i) % SOAK_IDS);
	spin_unlock(&soak_pool_lock);
	return id;
}

struct soak_id *soak_id_next(int *slot)
{
	struct soak_id *id = NULL;

	spin_lock(&soak_pool_lock);
	while (*slot < SOAK_IDS && !id)
		id = soak_take((*slot)++);
	spin_unlock(&soak_pool_lock);
	return id;
}

/* The handler wants to give its own id up: only if nobody else has it. */
static bool soak_give_up(struct soak_id *id)
{
	bool mine;

	spin_lock(&soak_pool_lock);
	mine = !id->busy;
	id->busy = true;
	spin_unlock(&soak_pool_lock);
	return mine;
}

void soak_id_end(struct soak_id *id)
{
	ib_destroy_cm_id(id->cm);
	soak_count(SOAK_DESTROYED, 1);
	soak_id_free(id);
}

/* ---- the rules ---- */

bool soak_id_begin(struct soak_id *id)
{
	bool free;

	spin_lock(&id->lock);
	free = !id->open && !id->loose && !id->rejected;
	if (free) {
		id->open = true;
		id->slow = false;
		id->seen = 0;
	}
	spin_unlock(&id->lock);
	return free;
}

int soak_id_begun(struct soak_id *id, int err)
{
	u32 seen;

	spin_lock(&id->lock);
	seen = id->seen;
	if (err)
		id->open = false;
	else
		id->known = true;
	spin_unlock(&id->lock);
	if (err && seen)
		soak_bad("a request that failed (%d) had events %#x", err, seen);
	return err;
}

void soak_id_cut(struct soak_id *id)
{
	spin_lock(&id->lock);
	id->loose = true;
	id->open = false;
	spin_unlock(&id->lock);
}

static bool soak_may_repeat(enum ib_cm_event_type type)
{
	return type == IB_CM_MRA_RECEIVED || type == IB_CM_LAP_RECEIVED ||
	       type == IB_CM_APR_RECEIVED || type == IB_CM_LAP_ERROR;
}

/* Under the id's lock. What is wrong with this event, or NULL. */
static const char *soak_judge(struct soak_id *id, enum ib_cm_event_type type)
{
	const char *wrong = NULL;

	if (!id->open && !(id->rejected && type == IB_CM_TIMEWAIT_EXIT))
		wrong = "outside an attempt";
	else if (id->rejected && type != IB_CM_TIMEWAIT_EXIT)
		wrong = "after a REJ";
	else if ((id->seen & BIT(type)) && !soak_may_repeat(type))
		wrong = "twice";
	id->seen |= BIT(type);
	return wrong;
}

static void soak_note(struct soak_id *id, const struct ib_cm_event *event)
{
	enum ib_cm_state state = READ_ONCE(id->cm->state);
	enum ib_cm_event_type type = event->event;
	const char *wrong = NULL;
	u32 seen;

	spin_lock(&id->lock);
	seen = id->seen;
	if (!id->loose)
		wrong = soak_judge(id, type);
	switch (type) {
	case IB_CM_REJ_RECEIVED:
		id->rejected = true;
		/* In timewait something is still to come. */
		if (state != IB_CM_TIMEWAIT)
			id->open = false;
		break;
	case IB_CM_REQ_ERROR:
	case IB_CM_REP_ERROR:
	case IB_CM_SIDR_REQ_ERROR:
	case IB_CM_SIDR_REP_RECEIVED:
	case IB_CM_TIMEWAIT_EXIT:
		id->open = false;
		break;
	case IB_CM_MRA_RECEIVED:
		id->slow = true;
		break;
	default:
		break;
	}
	spin_unlock(&id->lock);
	if (wrong)
		soak_bad("event %d %s (kind %d, state %d, seen before %#x)", type, wrong, id->kind,
			 state, seen);
}

/* ---- the handler ---- */

static void soak_count_event(enum ib_cm_event_type type)
{
	switch (type) {
	case IB_CM_REP_RECEIVED:
		soak_count(SOAK_CONNECTED, 1);
		break;
	case IB_CM_SIDR_REP_RECEIVED:
		soak_count(SOAK_RESOLVED, 1);
		break;
	case IB_CM_REQ_ERROR:
	case IB_CM_REP_ERROR:
	case IB_CM_REJ_RECEIVED:
	case IB_CM_SIDR_REQ_ERROR:
		soak_count(SOAK_FAILED, 1);
		break;
	case IB_CM_TIMEWAIT_EXIT:
		soak_count(SOAK_OVER, 1);
		break;
	default:
		break;
	}
}

/* What a consumer does as a rule; else it leaves it to an actor, or to nobody. */
static void soak_answer(struct soak_id *id, enum ib_cm_event_type type)
{
	struct soak_dice *dice = &id->dice;

	if (soak_chance(dice, 5))
		usleep_range(500, 500 + soak_roll(dice, 5000));
	if (soak_chance(dice, 15))
		return;
	switch (type) {
	case IB_CM_REQ_RECEIVED:
		if (soak_chance(dice, 10))
			soak_mra(id->cm);
		else
			soak_send_rep(id->cm);
		break;
	case IB_CM_REP_RECEIVED:
		ib_send_cm_rtu(id->cm, NULL, 0);
		if (soak_chance(dice, 40))
			ib_send_cm_dreq(id->cm, NULL, 0);
		break;
	case IB_CM_RTU_RECEIVED:
		if (soak_chance(dice, 20))
			ib_send_cm_dreq(id->cm, NULL, 0);
		break;
	case IB_CM_DREQ_RECEIVED:
		ib_send_cm_drep(id->cm, NULL, 0);
		break;
	case IB_CM_SIDR_REQ_RECEIVED:
		if (!soak_send_sidr_rep(id->cm, soak_chance(dice, 70)))
			soak_id_cut(id);
		break;
	default:
		break;
	}
}

/* The end of a handler: as a rule 0; else the id and its memory are given up in one of two ways. */
static int soak_finish(struct soak_id *id)
{
	bool no = soak_chance(&id->dice, 4), inside = soak_chance(&id->dice, 2);
	int answer = soak_chance(&id->dice, 50) ? -ENOMEM : -ECONNREFUSED;
	struct ib_cm_id *cm = id->cm;

	if ((!no && !inside) || !soak_give_up(id))
		return 0;
	soak_id_free(id);
	soak_count(SOAK_REFUSED, 1);
	if (no)
		return answer;
	ib_destroy_cm_id(cm);
	return 0;
}

/* A request has come: its id is a consumer's from here on. */
static int soak_child(struct ib_cm_id *cm, const struct ib_cm_event *event)
{
	struct soak_dev *dev = soak_dev_of(cm->device);
	struct soak_id *id;

	if (!dev)
		return -ENODEV;
	id = soak_id_alloc(dev, SOAK_CHILD, 0x1000000 + atomic64_inc_return(&soak_children));
	if (!id) {
		soak_dev_put(dev);
		return -ENOMEM;
	}
	id->cm = cm;
	id->open = true;
	id->known = true;
	cm->context = id;
	cm->cm_handler = soak_handler;
	/* Its own actor until it is in the pool: from then on any may destroy it, and waits for us. */
	soak_note(id, event);
	soak_answer(id, event->event);
	if (soak_chance(&id->dice, 10)) {
		soak_id_free(id);
		soak_count(SOAK_REFUSED, 1);
		return -ECONNREFUSED;
	}
	soak_id_release(id);
	return 0;
}

static int soak_event(struct ib_cm_id *cm, const struct ib_cm_event *event)
{
	struct soak_id *id;

	if (event->event == IB_CM_REQ_RECEIVED || event->event == IB_CM_SIDR_REQ_RECEIVED)
		return soak_child(cm, event);
	id = cm->context;
	soak_count_event(event->event);
	soak_note(id, event);
	soak_answer(id, event->event);
	return soak_finish(id);
}

int soak_handler(struct ib_cm_id *cm, const struct ib_cm_event *event)
{
	int ret;

	atomic_inc(&soak_running);
	ret = soak_event(cm, event);
	atomic_dec(&soak_running);
	return ret;
}

/* That of shared listens, whose context nobody may set. */
int soak_share_handler(struct ib_cm_id *cm, const struct ib_cm_event *event)
{
	return soak_handler(cm, event);
}
