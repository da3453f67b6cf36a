/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Which reference to an id is whose.
 *
 * Owns: struct cm_hold, the receipt that cm_id_get() gives and cm_id_put() wants
 * back. It lies where its holder lies, and moves when the reference does. In a
 * kernel with CONFIG_REF_TRACKER it remembers the place that took the reference,
 * so that one that is never dropped can be named; elsewhere it is empty.
 *
 * Locks: those of the place where a receipt lies. References: none of its own.
 */
#ifndef CM_HOLD_H
#define CM_HOLD_H

#include <linux/types.h>
#ifdef CM_TRACK
#include <linux/bug.h>
#include <linux/ref_tracker.h>
#endif

/* Whose. The first five are those of the model; the last two are its LOOKUP, where something waits. */
enum cm_ref {
	CM_REF_OWNER,
	CM_REF_REQUEST,
	CM_REF_EVENT,
	CM_REF_LISTENER,
	CM_REF_LOOKUP,
	CM_REF_TIMER,		/* a pending timer, or its callback */
	CM_REF_PLACE,		/* a place in a port's queue */
};

#ifdef CM_TRACK

struct cm_hold {
	struct ref_tracker *tracker;
	u8 why;
	bool taken;
};

/* Of an id: what is held. */
struct cm_holds {
	struct ref_tracker_dir dir;
};

#define CM_HOLDS_DROPPED	16	/* dropped ones that are remembered, so that a second drop can be told */

/* Shows the id in debugfs, too: may sleep. */
static inline void cm_holds_init(struct cm_holds *holds)
{
	ref_tracker_dir_init(&holds->dir, CM_HOLDS_DROPPED, "ib_cm_id");
}

/* The last reference is gone: warns of receipts that are not. */
static inline void cm_holds_exit(struct cm_holds *holds)
{
	ref_tracker_dir_exit(&holds->dir);
}

static inline void cm_hold_take(struct cm_holds *holds, struct cm_hold *hold, enum cm_ref why)
{
	WARN_ON_ONCE(hold->taken);
	hold->why = why;
	hold->taken = true;
	ref_tracker_alloc(&holds->dir, &hold->tracker, GFP_ATOMIC);
}

static inline void cm_hold_drop(struct cm_holds *holds, struct cm_hold *hold, enum cm_ref why)
{
	WARN_ON_ONCE(!hold->taken || hold->why != why);
	hold->taken = false;
	ref_tracker_free(&holds->dir, &hold->tracker);
}

/* The reference goes from one holder to another: why is what it was, to what it is. */
static inline void cm_hold_pass(struct cm_hold *from, struct cm_hold *to, enum cm_ref why)
{
	WARN_ON_ONCE(!from->taken || to->taken);
	*to = *from;
	to->why = why;
	from->taken = false;
}

static inline bool cm_hold_taken(const struct cm_hold *hold)
{
	return hold->taken;
}

static inline bool cm_holds_tracked(void)
{
	return true;
}

/* To the log: by how many, and where, it is held. */
static inline void cm_holds_print(struct cm_holds *holds)
{
	ref_tracker_dir_print(&holds->dir, 16);
}

/* The same as text; its length. */
static inline int cm_holds_text(struct cm_holds *holds, char *text, size_t size)
{
	return ref_tracker_dir_snprint(&holds->dir, text, size);
}

#else /* CM_TRACK */

struct cm_hold { };
struct cm_holds { };

static inline void cm_holds_init(struct cm_holds *holds) { }
static inline void cm_holds_exit(struct cm_holds *holds) { }
static inline void cm_hold_take(struct cm_holds *holds, struct cm_hold *hold, enum cm_ref why) { }
static inline void cm_hold_drop(struct cm_holds *holds, struct cm_hold *hold, enum cm_ref why) { }
static inline void cm_hold_pass(struct cm_hold *from, struct cm_hold *to, enum cm_ref why) { }
static inline bool cm_hold_taken(const struct cm_hold *hold) { return false; }
static inline bool cm_holds_tracked(void) { return false; }
static inline void cm_holds_print(struct cm_holds *holds) { }
static inline int cm_holds_text(struct cm_holds *holds, char *text, size_t size) { return 0; }

#endif /* CM_TRACK */

#endif /* CM_HOLD_H */
