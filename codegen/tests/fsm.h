/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The shapes of cm_core/fsm.h, for the rendered tables of the small model.
 */
#ifndef CM_TEST_FSM_H
#define CM_TEST_FSM_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;

#include "generated/cm_model.h"

#define CM_ROW_LOCKED	8
#define CM_ROW_POST	4
#define CM_EVENT_PREP	4

struct cm_row {
	u8 next;
	u8 verdict;
	u8 why;
	u8 error;
	u8 locked[CM_ROW_LOCKED];
	u8 post[CM_ROW_POST];
};

struct cm_rule {
	u64 mask;
	u64 want;
	u8 event;
};

#endif /* CM_TEST_FSM_H */
