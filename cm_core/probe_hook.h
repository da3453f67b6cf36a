/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Where the core tells the tests' probe what it does: nothing in a build for use.
 *
 * Owns: the hooks. They decide nothing; where a test asked for it, cm_probe_lied()
 * changes what an assertion sees, and cm_probe_looked_up() whom a message finds.
 */
#ifndef CM_PROBE_HOOK_H
#define CM_PROBE_HOOK_H

#include "fsm.h"

struct cm_id;
struct dentry;

#ifdef CM_DEBUG
void cm_local_begin(__be32 local_id);
void cm_ah_port_age(struct cm_port *port, unsigned int seconds, bool look);
void cm_event_workers(unsigned int n);
void cm_probe_cell(enum cm_machine machine, u8 event, u8 state);
u32 cm_probe_lied(const struct cm_id *id, u32 seen);
bool cm_probe_told(const struct cm_id *id, u32 seen);
struct cm_id *cm_probe_looked_up(__be32 local_id, struct cm_hold *hold);
void cm_probe_live(long ids, long records);
void cm_probe_show(struct dentry *dir);
#else
static inline void cm_probe_cell(enum cm_machine machine, u8 event, u8 state) { }
static inline u32 cm_probe_lied(const struct cm_id *id, u32 seen) { return seen; }
static inline bool cm_probe_told(const struct cm_id *id, u32 seen) { return false; }
static inline struct cm_id *cm_probe_looked_up(__be32 local_id, struct cm_hold *hold) { return NULL; }
static inline void cm_probe_live(long ids, long records) { }
static inline void cm_probe_show(struct dentry *dir) { }
#endif

#endif /* CM_PROBE_HOOK_H */
