/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Rendered by codegen from codegen/model; make regen */
/*
 * The rule of holders: the exact ones that are seen are those of the state.
 * What is seen comes from facts that the owning files keep, never from a cell.
 */
#ifndef CM_GENERATED_HOLDERS_H
#define CM_GENERATED_HOLDERS_H

#include "../fsm.h"
#include "cm_tables.h"

/**
 * cm_id_holders_ok - are the exact holders those of the state?
 * @state: the state after the transition
 * @seen: CM_ID_HOLD_* that are there; free ones do not matter
 */
static inline bool cm_id_holders_ok(u8 state, u32 seen)
{
	return (seen & CM_ID_EXACT_MASK) == cm_id_want[state];
}

/**
 * cm_id_holders_counted - how many references the exact holders own
 * @state: the state after the transition
 */
static inline unsigned int cm_id_holders_counted(u8 state)
{
	return cm_id_counted[state];
}

/**
 * cm_share_holders_ok - are the exact holders those of the state?
 * @state: the state after the transition
 * @seen: CM_SHARE_HOLD_* that are there; free ones do not matter
 */
static inline bool cm_share_holders_ok(u8 state, u32 seen)
{
	return (seen & CM_SHARE_EXACT_MASK) == cm_share_want[state];
}

/**
 * cm_share_holders_counted - how many references the exact holders own
 * @state: the state after the transition
 */
static inline unsigned int cm_share_holders_counted(u8 state)
{
	return cm_share_counted[state];
}

/**
 * cm_tw_holders_ok - are the exact holders those of the state?
 * @state: the state after the transition
 * @seen: CM_TW_HOLD_* that are there; free ones do not matter
 */
static inline bool cm_tw_holders_ok(u8 state, u32 seen)
{
	return (seen & CM_TW_EXACT_MASK) == cm_tw_want[state];
}

/**
 * cm_tw_holders_counted - how many references the exact holders own
 * @state: the state after the transition
 */
static inline unsigned int cm_tw_holders_counted(u8 state)
{
	return cm_tw_counted[state];
}

#endif /* CM_GENERATED_HOLDERS_H */
