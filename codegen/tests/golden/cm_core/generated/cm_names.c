// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* Rendered by codegen from codegen/model; make regen */
/* Cold: for traces, debugfs and tests. */
#include "../fsm.h"
#include "cm_tables.h"

const char *const cm_id_state_names[CM_ID_STATES] = {
	[CM_ID_NONE] = "NONE",
	[CM_ID_IDLE] = "IDLE",
	[CM_ID_REQ_SENT] = "REQ_SENT",
	[CM_ID_ESTABLISHED] = "ESTABLISHED",
	[CM_ID_LAP_SENT] = "LAP_SENT",
	[CM_ID_TIMEWAIT] = "TIMEWAIT",
	[CM_ID_GONE] = "GONE",
	[CM_ID_DEAD] = "DEAD",
};

const char *const cm_id_event_names[CM_ID_EVENTS] = {
	[CM_ID_ON_CREATE] = "CREATE",
	[CM_ID_ON_SEND_REQ] = "SEND_REQ",
	[CM_ID_ON_REP] = "REP",
	[CM_ID_ON_REP_AGAIN] = "REP_AGAIN",
	[CM_ID_ON_DREQ] = "DREQ",
	[CM_ID_ON_TIMEOUT] = "TIMEOUT",
	[CM_ID_ON_TIMEOUT_LAST] = "TIMEOUT_LAST",
	[CM_ID_ON_TW_EXIT] = "TW_EXIT",
	[CM_ID_ON_SEND_FAILED] = "SEND_FAILED",
	[CM_ID_ON_REMOVE] = "REMOVE",
	[CM_ID_ON_DESTROY] = "DESTROY",
	[CM_ID_ON_SAID_NO] = "SAID_NO",
};

/* By the number of the bit. */
const char *const cm_id_holder_names[CM_ID_HOLDERS] = {
	[0] = "OWNER",
	[1] = "REQUEST",
	[2] = "REMOTE",
	[3] = "LOOKUP",
};

/* Where in codegen/model/ a row is written. */
const char *const cm_id_row_where[CM_ID_ROWS] = {
	[0] = "",
	[1] = "mini.cc:90",
	[2] = "mini.cc:93",
	[3] = "mini.cc:96",
	[4] = "mini.cc:98",
	[5] = "mini.cc:99",
	[6] = "mini.cc:102",
	[7] = "mini.cc:103",
	[8] = "mini.cc:105",
	[9] = "mini.cc:106",
	[10] = "mini.cc:107",
	[11] = "mini.cc:109",
	[12] = "mini.cc:112",
	[13] = "mini.cc:114",
	[14] = "mini.cc:115",
	[15] = "mini.cc:117",
	[16] = "mini.cc:119",
	[17] = "mini.cc:121",
	[18] = "mini.cc:89",
	[19] = "mini.cc:124",
	[20] = "mini.cc:126",
	[21] = "mini.cc:129",
	[22] = "mini.cc:132",
	[23] = "mini.cc:135",
	[24] = "mini.cc:137",
	[25] = "mini.cc:139",
	[26] = "mini.cc:141",
	[27] = "mini.cc:143",
	[28] = "mini.cc:144",
	[29] = "mini.cc:145",
	[30] = "mini.cc:148",
	[31] = "mini.cc:150",
	[32] = "mini.cc:152",
	[33] = "mini.cc:154",
	[34] = "mini.cc:155",
};

const char *const cm_id_row_sources[CM_ID_ROWS] = {
	[0] = "",
	[1] = "interface: ib_create_cm_id",
	[2] = "",
	[3] = "standard: 12.9.2",
	[4] = "stock: send_req",
	[5] = "contract: removal",
	[6] = "standard: 12.9.3",
	[7] = "field: 14",
	[8] = "stock: rx REP",
	[9] = "field: 22",
	[10] = "field: 24",
	[11] = "",
	[12] = "standard: 12.9.5",
	[13] = "field: 18",
	[14] = "field: 11",
	[15] = "",
	[16] = "standard: 12.9.8.4",
	[17] = "stock: send failure",
	[18] = "",
	[19] = "",
	[20] = "contract: timewait",
	[21] = "",
	[22] = "stock: send failure",
	[23] = "",
	[24] = "contract: removal",
	[25] = "contract: removal",
	[26] = "contract: removal",
	[27] = "contract: removal",
	[28] = "contract: removal",
	[29] = "",
	[30] = "contract: destroy",
	[31] = "contract: destroy",
	[32] = "contract: destroy",
	[33] = "contract: destroy",
	[34] = "",
};

const char *const cm_id_row_reasons[CM_ID_ROWS] = {
	[0] = "no row is written for this cell",
	[1] = "",
	[2] = "create makes the object",
	[3] = "",
	[4] = "",
	[5] = "",
	[6] = "",
	[7] = "another connection's",
	[8] = "",
	[9] = "",
	[10] = "",
	[11] = "",
	[12] = "",
	[13] = "",
	[14] = "",
	[15] = "",
	[16] = "",
	[17] = "",
	[18] = "",
	[19] = "no timer runs",
	[20] = "",
	[21] = "the id has moved on",
	[22] = "",
	[23] = "",
	[24] = "",
	[25] = "",
	[26] = "",
	[27] = "",
	[28] = "",
	[29] = "",
	[30] = "",
	[31] = "",
	[32] = "",
	[33] = "",
	[34] = "nobody holds it",
};

const char *const cm_share_state_names[CM_SHARE_STATES] = {
	[CM_SHARE_ALONE] = "ALONE",
	[CM_SHARE_SHARED] = "SHARED",
};

const char *const cm_share_event_names[CM_SHARE_EVENTS] = {
	[CM_SHARE_ON_SHARE] = "SHARE",
	[CM_SHARE_ON_DROP] = "DROP",
	[CM_SHARE_ON_DROP_LAST_BUT_ONE] = "DROP_LAST_BUT_ONE",
};

/* Where in codegen/model/ a row is written. */
const char *const cm_share_row_where[CM_SHARE_ROWS] = {
	[0] = "",
	[1] = "mini.cc:174",
	[2] = "mini.cc:175",
	[3] = "mini.cc:176",
	[4] = "mini.cc:177",
};

const char *const cm_share_row_sources[CM_SHARE_ROWS] = {
	[0] = "",
	[1] = "contract: shared listen",
	[2] = "contract: shared listen",
	[3] = "contract: shared listen",
	[4] = "",
};

const char *const cm_share_row_reasons[CM_SHARE_ROWS] = {
	[0] = "no row is written for this cell",
	[1] = "",
	[2] = "",
	[3] = "",
	[4] = "the last share is a destroy",
};

const char *const cm_tw_state_names[CM_TW_STATES] = {
	[CM_TW_NONE] = "NONE",
	[CM_TW_LINKED] = "LINKED",
	[CM_TW_ORPHAN] = "ORPHAN",
};

const char *const cm_tw_event_names[CM_TW_EVENTS] = {
	[CM_TW_ON_ENTER] = "ENTER",
	[CM_TW_ON_LEAVE] = "LEAVE",
	[CM_TW_ON_TW_DREQ] = "TW_DREQ",
	[CM_TW_ON_EXPIRE] = "EXPIRE",
};

/* By the number of the bit. */
const char *const cm_tw_holder_names[CM_TW_HOLDERS] = {
	[0] = "RECORD",
};

/* Where in codegen/model/ a row is written. */
const char *const cm_tw_row_where[CM_TW_ROWS] = {
	[0] = "",
	[1] = "mini.cc:199",
	[2] = "mini.cc:200",
	[3] = "mini.cc:201",
	[4] = "mini.cc:202",
	[5] = "mini.cc:203",
	[6] = "mini.cc:205",
	[7] = "mini.cc:207",
	[8] = "mini.cc:208",
};

const char *const cm_tw_row_sources[CM_TW_ROWS] = {
	[0] = "",
	[1] = "contract: timewait",
	[2] = "",
	[3] = "contract: timewait",
	[4] = "",
	[5] = "field: 11",
	[6] = "",
	[7] = "contract: timewait",
	[8] = "",
};

const char *const cm_tw_row_reasons[CM_TW_ROWS] = {
	[0] = "no row is written for this cell",
	[1] = "",
	[2] = "a record is entered once",
	[3] = "",
	[4] = "",
	[5] = "",
	[6] = "",
	[7] = "",
	[8] = "its timer is deleted with it",
};

const char *const cm_verb_names[CM_VERBS] = {
	[CM_DO_NOTHING] = "NOTHING",
	[CM_DO_MAKE_BUFFER] = "MAKE_BUFFER",
	[CM_DO_OWN] = "OWN",
	[CM_DO_ARM] = "ARM",
	[CM_DO_REARM] = "REARM",
	[CM_DO_CANCEL] = "CANCEL",
	[CM_DO_DISOWN] = "DISOWN",
	[CM_DO_LINK_REMOTE] = "LINK_REMOTE",
	[CM_DO_UNLINK_REMOTE] = "UNLINK_REMOTE",
	[CM_DO_FORMAT_REQ] = "FORMAT_REQ",
	[CM_DO_FORMAT_RTU] = "FORMAT_RTU",
	[CM_DO_FORMAT_DREP] = "FORMAT_DREP",
	[CM_DO_FORMAT_REJ] = "FORMAT_REJ",
	[CM_DO_RESERVE] = "RESERVE",
	[CM_DO_POST_MSG] = "POST_MSG",
	[CM_DO_TELL_REP] = "TELL_REP",
	[CM_DO_TELL_DREQ] = "TELL_DREQ",
	[CM_DO_TELL_REQ_ERROR] = "TELL_REQ_ERROR",
	[CM_DO_TELL_EXIT] = "TELL_EXIT",
	[CM_DO_PUT] = "PUT",
	[CM_DO_FREE_RECORD] = "FREE_RECORD",
};

const char *const cm_verdict_names[CM_VERDICTS] = {
	[CM_HANDLE] = "handle",
	[CM_RESEND] = "resend",
	[CM_REJECT] = "reject",
	[CM_IGNORE] = "ignore",
	[CM_INVALID] = "invalid",
	[CM_NEVER] = "never",
};

const char *const cm_why_names[CM_WHYS] = {
	[CM_WHY_NONE] = "",
	[CM_WHY_DUPLICATE] = "duplicate",
	[CM_WHY_LATE] = "late",
	[CM_WHY_FOREIGN] = "foreign",
	[CM_WHY_WRONG_ROLE] = "wrong role",
	[CM_WHY_BUSY] = "busy",
};

const char *const cm_decision_names[CM_DECISIONS] = {
	[CM_DECIDE_REP] = "REP",
	[CM_DECIDE_DREQ] = "DREQ",
	[CM_DECIDE_TIMEOUT] = "TIMEOUT",
	[CM_DECIDE_TW_DREQ] = "TW_DREQ",
};

/* By the number of the bit. */
const char *const cm_fact_names[CM_FACTS] = {
	[0] = "REPEATED",
	[1] = "IDS_MATCH",
	[2] = "SENDS_LEFT",
};
