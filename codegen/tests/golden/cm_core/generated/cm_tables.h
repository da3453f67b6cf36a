/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Rendered by codegen from codegen/model; make regen */
#ifndef CM_GENERATED_TABLES_H
#define CM_GENERATED_TABLES_H

#include "../fsm.h"

/* The machine "id": one connection */
extern const u8 cm_id_cells[CM_ID_EVENTS][CM_ID_STATES];
extern const struct cm_row cm_id_rows[CM_ID_ROWS];
extern const u8 cm_id_prep[CM_ID_EVENTS][CM_EVENT_PREP];
extern const u32 cm_id_want[CM_ID_STATES];
extern const u8 cm_id_counted[CM_ID_STATES];
extern const u8 cm_id_public_state[CM_ID_STATES];
extern const u8 cm_id_public_lap[CM_ID_STATES];
extern const char *const cm_id_state_names[CM_ID_STATES];
extern const char *const cm_id_event_names[CM_ID_EVENTS];
extern const char *const cm_id_holder_names[CM_ID_HOLDERS];
extern const char *const cm_id_row_where[CM_ID_ROWS];
extern const char *const cm_id_row_sources[CM_ID_ROWS];
extern const char *const cm_id_row_reasons[CM_ID_ROWS];

/* The machine "share": the sharing of a listener */
extern const u8 cm_share_cells[CM_SHARE_EVENTS][CM_SHARE_STATES];
extern const struct cm_row cm_share_rows[CM_SHARE_ROWS];
extern const u8 cm_share_prep[CM_SHARE_EVENTS][CM_EVENT_PREP];
extern const u32 cm_share_want[CM_SHARE_STATES];
extern const u8 cm_share_counted[CM_SHARE_STATES];
extern const char *const cm_share_state_names[CM_SHARE_STATES];
extern const char *const cm_share_event_names[CM_SHARE_EVENTS];
extern const char *const cm_share_row_where[CM_SHARE_ROWS];
extern const char *const cm_share_row_sources[CM_SHARE_ROWS];
extern const char *const cm_share_row_reasons[CM_SHARE_ROWS];

/* The machine "tw": a timewait record */
extern const u8 cm_tw_cells[CM_TW_EVENTS][CM_TW_STATES];
extern const struct cm_row cm_tw_rows[CM_TW_ROWS];
extern const u8 cm_tw_prep[CM_TW_EVENTS][CM_EVENT_PREP];
extern const u32 cm_tw_want[CM_TW_STATES];
extern const u8 cm_tw_counted[CM_TW_STATES];
extern const char *const cm_tw_state_names[CM_TW_STATES];
extern const char *const cm_tw_event_names[CM_TW_EVENTS];
extern const char *const cm_tw_holder_names[CM_TW_HOLDERS];
extern const char *const cm_tw_row_where[CM_TW_ROWS];
extern const char *const cm_tw_row_sources[CM_TW_ROWS];
extern const char *const cm_tw_row_reasons[CM_TW_ROWS];

/* Each list ends with a rule that always holds. */
extern const struct cm_rule *const cm_decisions[CM_DECISIONS];
extern const u8 cm_decision_machine[CM_DECISIONS];

extern const char *const cm_verb_names[CM_VERBS];
extern const char *const cm_verdict_names[CM_VERDICTS];
extern const char *const cm_why_names[CM_WHYS];
extern const char *const cm_decision_names[CM_DECISIONS];
extern const char *const cm_fact_names[CM_FACTS];

#endif /* CM_GENERATED_TABLES_H */
