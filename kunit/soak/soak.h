/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cm_soak: consumers of ib_cm that do whatever they please, on devices that come
 * and go and that lose, delay and refuse; and what must hold all the same.
 *
 *	main.c		parameters, counts, the module's beginning and its end
 *	device.c	the devices that there are, their addresses
 *	weather.c	the thread that makes and removes loopback devices and turns their knobs
 *	id.c		ids, their handler, the rules that events must keep
 *	call.c		calls with random arguments
 *	actor.c		the threads that create, call and destroy
 *
 * Each thread, and each id's handler, draws from a sequence of its own, made from
 * the seed: the same seed makes the same choices, not the same interleaving.
 *
 * Lock order: soak_pool_lock -> soak_id.lock; soak_devices_lock is a leaf.
 */
#ifndef SOAK_H
#define SOAK_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <rdma/ib_cm.h>
#include <rdma/ib_verbs.h>

#define SOAK_SERVICES	4
#define SOAK_SERVICE	0x50a4000000000000ULL	/* host order; and the next ones */

/* ---- the sequence of a seed ---- */

struct soak_dice {
	u64 state;
};

void soak_dice_init(struct soak_dice *dice, u64 stream);
/* 0 to below - 1 */
u32 soak_roll(struct soak_dice *dice, u32 below);

/* percent of the time */
static inline bool soak_chance(struct soak_dice *dice, u32 percent)
{
	return soak_roll(dice, 100) < percent;
}

/* ---- counts ---- */

enum soak_count {
	SOAK_CONNECTED,		/* an end that asked is told RTU's time has come: REP */
	SOAK_RESOLVED,		/* SIDR_REP */
	SOAK_FAILED,		/* an attempt ended by REQ_ERROR, REP_ERROR, REJ, SIDR_REQ_ERROR */
	SOAK_OVER,		/* TIMEWAIT_EXIT */
	SOAK_DESTROYED,		/* ids and shares */
	SOAK_REFUSED,		/* by a handler's return value, or destroyed inside it */
	SOAK_CALLS,		/* calls that returned 0 */
	SOAK_ERRNOS,		/* calls that did not */
	SOAK_NOMEM,		/* of these: -ENOMEM */
	SOAK_REMOVED,		/* devices */
	SOAK_GONE,		/* ids met after their device's removal */
	SOAK_FAULTS,		/* faults that struck */
	SOAK_BAD,		/* rules that were broken */
	SOAK_COUNTS
};

void soak_count(enum soak_count what, unsigned int n);
/* A rule was broken: counts and says so. */
__printf(1, 2) void soak_bad(const char *format, ...);

/* ---- devices ---- */

/**
 * struct soak_dev - a device that the actors use
 * @node: in the list of those that may be chosen; empty once it is leaving
 * @all: in the list of those that ids may still belong to
 * @ref: the lists' one, and one for each id
 * @ibdev: its memory is held, its registration is not
 */
struct soak_dev {
	struct list_head node;
	struct list_head all;
	struct kref ref;
	struct ib_device *ibdev;
};

int soak_devices_init(const char *prefix);
void soak_devices_exit(void);
/* One of those that are there, with a reference; NULL: none. */
struct soak_dev *soak_dev_choose(struct soak_dice *dice);
/* Whose device is this? With a reference. */
struct soak_dev *soak_dev_of(struct ib_device *ibdev);
void soak_dev_put(struct soak_dev *dev);
/* It stays registered until soak_dev_leave(). False: all its clients have let go of it. */
bool soak_dev_enter(struct soak_dev *dev);
void soak_dev_leave(struct soak_dev *dev);
/* From one device to another that is on the same wire. Both are entered. */
int soak_path(struct soak_dice *dice, struct ib_device *from, struct ib_device *to,
	      struct sa_path_rec *path);

int soak_weather_start(unsigned int devices);
void soak_weather_calm(void);	/* no faults from now on, nothing comes or goes */
void soak_weather_stop(void);	/* the devices go */

/* ---- ids ---- */

enum soak_kind {
	SOAK_ASKER,		/* ib_create_cm_id(); it sends requests */
	SOAK_LISTENER,		/* ib_create_cm_id(), ib_cm_listen() */
	SOAK_SHARE,		/* ib_cm_insert_listen(): cm may be that of others, too */
	SOAK_CHILD,		/* came with a request */
};

/**
 * struct soak_id - an id, or a share of one
 * @cm: the id
 * @dev: its device
 * @kind: where it comes from
 * @slot: in the pool
 * @busy: an actor uses it, or its handler is about to give it up. Guarded by soak_pool_lock
 * @outlives: no actor destroys it between the beginning and the end of its device's removal
 * @dice: the handler's
 * @lock: guards what follows
 * @open: an attempt has begun, and its last event has not come
 * @loose: a call has ended an attempt: events may have been on their way, nothing is sure
 * @rejected: told REJ; only TIMEWAIT_EXIT may follow
 * @slow: told MRA: the wait may be long
 * @known: a request or listen of it has succeeded, so that ib_cm has its device
 * @seen: bit per event type, in this attempt
 */
struct soak_id {
	struct ib_cm_id *cm;
	struct soak_dev *dev;
	enum soak_kind kind;
	int slot;
	bool busy;
	bool outlives;
	struct soak_dice dice;
	spinlock_t lock;
	bool open;
	bool loose;
	bool rejected;
	bool slow;
	bool known;
	u32 seen;
};

int soak_handler(struct ib_cm_id *cm, const struct ib_cm_event *event);
int soak_share_handler(struct ib_cm_id *cm, const struct ib_cm_event *event);
/* Takes the reference to dev. Not in the pool. NULL: no memory, or the pool is full. */
struct soak_id *soak_id_alloc(struct soak_dev *dev, enum soak_kind kind, u64 stream);
void soak_id_free(struct soak_id *id);
/* Into the pool, for others to find. */
void soak_id_release(struct soak_id *id);
/* Any that nobody uses; it is the caller's until soak_id_release() or soak_id_end(). */
struct soak_id *soak_id_claim(struct soak_dice *dice);
/* The first that nobody uses, from slot on, which is moved past it; NULL: none. */
struct soak_id *soak_id_next(int *slot);
/* Destroys a claimed id. */
void soak_id_end(struct soak_id *id);
/* An attempt begins. False: this id is not for another. */
bool soak_id_begin(struct soak_id *id);
/* The call that began it succeeded; err: it failed, and nothing has begun. */
int soak_id_begun(struct soak_id *id, int err);
/* A call ended the attempt. */
void soak_id_cut(struct soak_id *id);
/* No handler runs. */
bool soak_handlers_gone(void);
unsigned int soak_ids(void);

/* ---- calls ---- */

/* Any call that the id's kind allows. The id is claimed, its device entered. */
void soak_call(struct soak_id *id, struct soak_dice *dice);
/* A request of ours, if the id is free for one. */
void soak_ask(struct soak_id *id, struct soak_dice *dice);
int soak_send_rep(struct ib_cm_id *cm);
int soak_send_sidr_rep(struct ib_cm_id *cm, bool yes);
int soak_mra(struct ib_cm_id *cm);
/* Every call that an id whose device is gone is asked must say so. */
void soak_call_gone(struct soak_id *id);

int soak_actors_start(unsigned int n);
void soak_actors_stop(void);
/* After the actors: what has begun ends by itself. */
void soak_harvest(unsigned int seconds);
void soak_destroy_all(void);

#endif /* SOAK_H */
