/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of the suite ib_cm_look share. */
#ifndef LOOK_H
#define LOOK_H

#include "rig.h"

/* look_trace.c: the trace events of trouble */
void look_trace_of_trouble(struct kunit *test);
const void *look_trouble_gen(struct kunit *test, const void *prev, char *desc);

#endif /* LOOK_H */
