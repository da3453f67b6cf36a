/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The verbs: what the rows of the table do, one small function each.
 *
 * Owns: nothing; a verb acts on what others own, through their interfaces.
 */
#ifndef CM_VERBS_H
#define CM_VERBS_H

#include <linux/types.h>

struct cm_act;

/* What a prepared MRA asks for: 4.096 us x 2^24, 68.7 s, as the kernel's own module does */
#define CM_MRA_SERVICE_TIME	24

/* Before the lock; may sleep and fail. */
int cm_act_prepare(struct cm_act *act, u8 event);
/* What the table says of a call whose preparation failed: a wrong state comes first. 0: nothing. */
int cm_act_forbidden(const struct cm_act *act, u8 event);
/* Without a cm_act_run(): frees what was prepared. */
void cm_act_abandon(struct cm_act *act);
/* Under the id's lock; cannot fail. */
void cm_verb_locked(u8 verb, struct cm_act *act);
/* After the lock. Returns what the caller of the API has to hear, or 0. */
int cm_verb_post(u8 verb, struct cm_act *act);

#endif /* CM_VERBS_H */
