/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * From what happened to which event it is.
 *
 * Owns: the collection of facts. Reads the id under its lock, never writes.
 */
#ifndef CM_CLASSIFY_H
#define CM_CLASSIFY_H

#include <linux/types.h>

struct cm_act;

/* Names the event of act, by the decision list that act->list says. The id's lock is held, if there is an id. */
u8 cm_classify(struct cm_act *act);

#endif /* CM_CLASSIFY_H */
