/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the rig's own files know of each other.
 */
#ifndef RIG_LOCAL_H
#define RIG_LOCAL_H

#include "rig.h"

#define RIG_PKEY	0xffff
#define RIG_PSN		0x123456
#define RIG_QKEY	0x11111111
#define RIG_HOPS	64

void rig_case_mark(unsigned int nth, bool over);
int rig_fence_init(void);
void rig_fence_exit(void);
void rig_child_request(struct rig *rig, struct rig_id *id, bool sidr);
void rig_forget(struct rig *rig);

#endif /* RIG_LOCAL_H */
