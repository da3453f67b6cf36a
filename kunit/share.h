/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of suite ib_cm_share have in common: one consumer, whose handler
 * all sharers have. A shared listener has no context, so it is found here.
 */
#ifndef SHARE_H
#define SHARE_H

#include "rig.h"

#define SHARE_SERVICE	(RIG_SERVICE + 0x500)	/* host order */
#define SHARE_HELD_MS	50	/* so long a destroy that has to wait is seen not to return */

/**
 * struct share_consumer - what the handler does, and what it has seen
 * @gated: it waits at @go
 * @leave: it destroys this id, a share of its own listener
 * @busy: requests are counted in @meanwhile
 * @over: the last destroy has returned: no handler runs
 * @calls: requests handled
 * @running: handlers that run now
 * @late: that ran while it was @over
 * @meanwhile: handled while others were at work
 * @entered: each handler
 * @go: lets one go on; complete_all(): all
 */
struct share_consumer {
	bool gated;
	struct ib_cm_id *leave;
	bool busy;
	bool over;
	atomic_t calls;
	atomic_t running;
	atomic_t late;
	atomic_t meanwhile;
	struct completion entered;
	struct completion go;
};

extern struct share_consumer share;
extern struct workqueue_struct *share_wq;

/* The consumer's: refuses each REQ with -EBUSY, which the peer is told as REJ 28. */
int share_handler(struct ib_cm_id *cm, const struct ib_cm_event *event);
int share_other_handler(struct ib_cm_id *cm, const struct ib_cm_event *event);
/* ib_cm_insert_listen() with the consumer's handler. */
struct ib_cm_id *share_insert(struct rig *rig);
/* Exact, and no reference but the owner's and `more`, which are waited for. */
void share_expect(struct kunit *test, struct ib_cm_id *cm, unsigned int shares, unsigned int more);
/* The peer asks; the reason of the next REJ that it gets, 0: none comes. */
void share_ask(struct rig *rig);
u16 share_answer(struct rig *rig, unsigned int timeout_ms);

void share_thousand(struct kunit *test);
void share_thousand_come_and_go(struct kunit *test);
void share_races_with_listen(struct kunit *test);
void share_races_with_listen_in_context(struct kunit *test);

#endif /* SHARE_H */
