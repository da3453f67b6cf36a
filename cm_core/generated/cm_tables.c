// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* Rendered by codegen from codegen/model; make regen */
#ifdef __KERNEL__
#include <linux/errno.h>
#include <rdma/ib_cm.h>
#else
#include <errno.h>
#endif

#include "../fsm.h"
#include "cm_tables.h"

/* ---- The machine "id": a connection id ---- */

#define CM_ID_LINE(NONE, IDLE, LISTEN, REQ_NEW, REQ_SENT, REQ_RCVD, MRA_REQ_SENT, MRA_REQ_RCVD, REP_SENT, REP_RCVD, \
		MRA_REP_SENT, MRA_REP_RCVD, ESTABLISHED, EST_LAP_IDLE, EST_LAP_SENT, EST_LAP_RCVD, EST_MRA_LAP_SENT, \
		EST_MRA_LAP_RCVD, DREQ_SENT, DREQ_RCVD, TIMEWAIT, TIMEWAIT_STALE, SIDR_NEW, SIDR_REQ_SENT, \
		SIDR_REQ_RCVD, GONE, DEAD) { \
	[CM_ID_NONE] = NONE, \
	[CM_ID_IDLE] = IDLE, \
	[CM_ID_LISTEN] = LISTEN, \
	[CM_ID_REQ_NEW] = REQ_NEW, \
	[CM_ID_REQ_SENT] = REQ_SENT, \
	[CM_ID_REQ_RCVD] = REQ_RCVD, \
	[CM_ID_MRA_REQ_SENT] = MRA_REQ_SENT, \
	[CM_ID_MRA_REQ_RCVD] = MRA_REQ_RCVD, \
	[CM_ID_REP_SENT] = REP_SENT, \
	[CM_ID_REP_RCVD] = REP_RCVD, \
	[CM_ID_MRA_REP_SENT] = MRA_REP_SENT, \
	[CM_ID_MRA_REP_RCVD] = MRA_REP_RCVD, \
	[CM_ID_ESTABLISHED] = ESTABLISHED, \
	[CM_ID_EST_LAP_IDLE] = EST_LAP_IDLE, \
	[CM_ID_EST_LAP_SENT] = EST_LAP_SENT, \
	[CM_ID_EST_LAP_RCVD] = EST_LAP_RCVD, \
	[CM_ID_EST_MRA_LAP_SENT] = EST_MRA_LAP_SENT, \
	[CM_ID_EST_MRA_LAP_RCVD] = EST_MRA_LAP_RCVD, \
	[CM_ID_DREQ_SENT] = DREQ_SENT, \
	[CM_ID_DREQ_RCVD] = DREQ_RCVD, \
	[CM_ID_TIMEWAIT] = TIMEWAIT, \
	[CM_ID_TIMEWAIT_STALE] = TIMEWAIT_STALE, \
	[CM_ID_SIDR_NEW] = SIDR_NEW, \
	[CM_ID_SIDR_REQ_SENT] = SIDR_REQ_SENT, \
	[CM_ID_SIDR_REQ_RCVD] = SIDR_REQ_RCVD, \
	[CM_ID_GONE] = GONE, \
	[CM_ID_DEAD] = DEAD, \
}

/*
 * Which row answers an event (line) in a state (column).
 *
 *                                                  NONE
 *                                                  |   IDLE
 *                                                  |   |   LISTEN
 *                                                  |   |   |   REQ_NEW
 *                                                  |   |   |   |   REQ_SENT
 *                                                  |   |   |   |   |   REQ_RCVD
 *                                                  |   |   |   |   |   |   MRA_REQ_SENT
 *                                                  |   |   |   |   |   |   |   MRA_REQ_RCVD
 *                                                  |   |   |   |   |   |   |   |   REP_SENT
 *                                                  |   |   |   |   |   |   |   |   |   REP_RCVD
 *                                                  |   |   |   |   |   |   |   |   |   |   MRA_REP_SENT
 *                                                  |   |   |   |   |   |   |   |   |   |   |   MRA_REP_RCVD
 *                                                  |   |   |   |   |   |   |   |   |   |   |   |   ESTABLISHED
 *                                                  |   |   |   |   |   |   |   |   |   |   |   |   |   EST_LAP_IDLE
 *                                                  |   |   |   |   |   |   |   |   |   |   |   |   |   |   EST_LAP_SENT
 *                                                  |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   EST_LAP_RCVD
 *                                                  |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   EST_MRA_LAP_SENT
 *                                                  |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   EST_MRA_LAP_RCVD
 *                                                  |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   DREQ_SENT
 *                                                  |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   DREQ_RCVD
 *                                                  |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   TIMEWAIT
 *                                                  |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   TIMEWAIT_STALE
 *                                                  |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   SIDR_NEW
 *                                                  |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   SIDR_REQ_SENT
 *                                                  |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   SIDR_REQ_RCVD
 *                                                  |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   GONE
 *                                                  |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |   DEAD
 */
const u8 cm_id_cells[CM_ID_EVENTS][CM_ID_STATES] = {
	[CM_ID_ON_CREATE]               = CM_ID_LINE(  1,  2,  2,  2,  2,  2,  2,  2,  2,  2,  2,  2,  2,  2,  2,  2,  2,  2,  2,  2,  2,  2,  2,  2,  2,  2,  2),
	[CM_ID_ON_CALL_LISTEN]          = CM_ID_LINE(186,  3,  5,186,  5,  5,  5,  5,  5,  5,  5,  5,  5,  5,  5,  5,  5,  5,  5,  5,  5,  5,186,  5,  5,187,188),
	[CM_ID_ON_CALL_LISTEN_TAKEN]    = CM_ID_LINE(186,  4,  5,186,  5,  5,  5,  5,  5,  5,  5,  5,  5,  5,  5,  5,  5,  5,  5,  5,  5,  5,186,  5,  5,187,188),
	[CM_ID_ON_CALL_REQ]             = CM_ID_LINE(186, 16, 17,186, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17,186, 17, 17,187,188),
	[CM_ID_ON_CALL_REP]             = CM_ID_LINE(186, 55, 55,186, 55, 54, 54, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55,186, 55, 55,187,188),
	[CM_ID_ON_CALL_RTU]             = CM_ID_LINE(186, 37, 37,186, 37, 37, 37, 37, 37, 36, 36, 37, 37, 37, 37, 37, 37, 37, 37, 37, 37, 37,186, 37, 37,187,188),
	[CM_ID_ON_CALL_DREQ]            = CM_ID_LINE(186, 95, 95,186, 95, 95, 95, 95, 95, 95, 95, 95, 94, 94, 94, 94, 94, 94, 95, 95, 95, 95,186, 95, 95,187,188),
	[CM_ID_ON_CALL_DREP]            = CM_ID_LINE(186, 98, 98,186, 98, 98, 98, 98, 98, 98, 98, 98, 98, 98, 98, 98, 98, 98, 98, 97, 98, 98,186, 98, 98,187,188),
	[CM_ID_ON_CALL_REJ]             = CM_ID_LINE(186, 74, 74,186, 70, 71, 71, 70, 73, 72, 72, 73, 74, 74, 74, 74, 74, 74, 74, 74, 74, 74,186, 74, 74,187,188),
	[CM_ID_ON_CALL_MRA]             = CM_ID_LINE(186, 93, 93,186, 93, 87, 93, 93, 93, 89, 93, 93, 93, 93, 93, 91, 93, 93, 93, 93, 93, 93,186, 93, 93,187,188),
	[CM_ID_ON_CALL_MRA_DELAYED]     = CM_ID_LINE(186, 93, 93,186, 93, 88, 93, 93, 93, 90, 93, 93, 93, 93, 93, 92, 93, 93, 93, 93, 93, 93,186, 93, 93,187,188),
	[CM_ID_ON_CALL_SIDR_REQ]        = CM_ID_LINE(186,137,138,186,138,138,138,138,138,138,138,138,138,138,138,138,138,138,138,138,138,138,186,138,138,187,188),
	[CM_ID_ON_CALL_SIDR_REP]        = CM_ID_LINE(186,141,141,186,141,141,141,141,141,141,141,141,141,141,141,141,141,141,141,141,141,141,186,141,140,187,188),
	[CM_ID_ON_CALL_QP_INIT]         = CM_ID_LINE(186,133,133,186,132,132,132,132,132,132,132,132,132,132,132,132,132,132,133,133,133,133,186,133,133,187,188),
	[CM_ID_ON_CALL_QP_RTR]          = CM_ID_LINE(186,136,136,186,136,134,134,136,134,134,134,134,134,134,134,134,134,134,136,136,136,136,186,136,136,187,188),
	[CM_ID_ON_CALL_QP_RTS]          = CM_ID_LINE(186,136,136,186,136,135,135,136,135,135,135,135,135,135,135,135,135,135,136,136,136,136,186,136,136,187,188),
	[CM_ID_ON_CALL_COMM_EST]        = CM_ID_LINE(186, 67, 67,186, 67, 67, 67, 67, 65, 67, 67, 65, 66, 66, 66, 66, 66, 66, 67, 67, 67, 67,186, 67, 67,187,188),
	[CM_ID_ON_CALL_PATH_MIG]        = CM_ID_LINE(186,130,130,186,130,130,130,130,130,130,130,130,129,129,130,130,130,130,130,130,130,130,186,130,130,187,188),
	[CM_ID_ON_CALL_PATH_MIG_NONE]   = CM_ID_LINE(186,131,131,186,131,131,131,131,131,131,131,131,131,131,131,131,131,131,131,131,131,131,186,131,131,187,188),
	[CM_ID_ON_SEND_REFUSED]         = CM_ID_LINE(190,189,189,190, 18,189,189, 18, 56,189,189, 56,189,189,189,189,189,189, 96,189,189,189,190,139,189,189,189),
	[CM_ID_ON_REQ_FRESH]            = CM_ID_LINE( 41, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45),
	[CM_ID_ON_REQ_REPEATED]         = CM_ID_LINE( 49, 49, 50, 46, 50, 46, 47, 50, 48, 49, 49, 49, 49, 49, 49, 49, 49, 49, 49, 49, 49, 50, 50, 50, 50, 49, 49),
	[CM_ID_ON_REQ_STALE]            = CM_ID_LINE( 42, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45),
	[CM_ID_ON_REQ_UNSUPPORTED]      = CM_ID_LINE( 43, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45),
	[CM_ID_ON_REQ_NO_LISTENER]      = CM_ID_LINE( 44, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45),
	[CM_ID_ON_PEER_RESTARTED]       = CM_ID_LINE( 53, 53, 53, 52, 53, 52, 52, 53, 52, 52, 52, 52, 51, 51, 51, 51, 51, 51, 53, 53, 53, 53, 52, 53, 53, 53, 53),
	[CM_ID_ON_MRA_REQ]              = CM_ID_LINE(191, 21, 22, 22, 19, 22, 22, 20, 22, 21, 21, 22, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 22, 22, 22, 21, 21),
	[CM_ID_ON_MRA_REP]              = CM_ID_LINE(191, 59, 60, 60, 60, 60, 60, 60, 57, 60, 60, 58, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 60, 60, 60, 59, 59),
	[CM_ID_ON_MRA_LAP]              = CM_ID_LINE(191,128,128,128,128,128,128,128,128,128,128,128,128,128,126,128,128,127,128,128,128,128,128,128,128,128,128),
	[CM_ID_ON_REP]                  = CM_ID_LINE(191, 24, 24, 24, 23, 24, 24, 23, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24),
	[CM_ID_ON_REP_REPEATED]         = CM_ID_LINE(191, 28, 29, 29, 27, 29, 29, 27, 29, 27, 25, 29, 26, 26, 26, 26, 26, 26, 26, 28, 28, 28, 29, 29, 29, 28, 28),
	[CM_ID_ON_REP_STALE]            = CM_ID_LINE(191, 31, 31, 31, 30, 31, 31, 30, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31),
	[CM_ID_ON_REP_UNKNOWN]          = CM_ID_LINE( 32, 32, 32, 35, 34, 35, 35, 34, 35, 35, 35, 35, 35, 35, 35, 35, 35, 35, 35, 35, 35, 33, 32, 32, 32, 32, 32),
	[CM_ID_ON_RTU]                  = CM_ID_LINE(191, 63, 64, 64, 64, 64, 64, 64, 61, 64, 64, 61, 62, 62, 62, 62, 62, 62, 63, 63, 63, 63, 64, 64, 64, 63, 63),
	[CM_ID_ON_REJ]                  = CM_ID_LINE(191, 85, 86, 84, 75, 77, 77, 75, 78, 81, 81, 78, 82, 82, 82, 82, 82, 82, 83, 85, 85, 85, 86, 86, 86, 85, 85),
	[CM_ID_ON_REJ_STALE]            = CM_ID_LINE(191, 85, 86, 84, 76, 79, 79, 76, 80, 81, 81, 80, 82, 82, 82, 82, 82, 82, 83, 85, 85, 85, 86, 86, 86, 85, 85),
	[CM_ID_ON_DREQ]                 = CM_ID_LINE(191,106,106,105,106,105,105,106, 99,101,101, 99,100,100,100,100,100,100,102,104,103,106,106,106,106,106,106),
	[CM_ID_ON_DREQ_UNKNOWN]         = CM_ID_LINE(108,107,107,109,107,109,109,107,109,109,109,109,109,109,109,109,109,109,109,109,109,107,108,107,107,107,107),
	[CM_ID_ON_DREP]                 = CM_ID_LINE(191,113,113,113,113,113,113,113,113,113,113,113,113,113,113,113,113,113,110,111,112,113,113,113,113,113,113),
	[CM_ID_ON_LAP]                  = CM_ID_LINE(191,123,123,123,123,123,123,123,123,123,123,123,119,119,122,121,120,122,123,123,123,123,123,123,123,123,123),
	[CM_ID_ON_APR]                  = CM_ID_LINE(191,125,125,125,125,125,125,125,125,125,125,125,125,125,124,125,125,124,125,125,125,125,125,125,125,125,125),
	[CM_ID_ON_SIDR_REQ_FRESH]       = CM_ID_LINE(142,144,144,144,144,144,144,144,144,144,144,144,144,144,144,144,144,144,144,144,144,144,144,144,144,144,144),
	[CM_ID_ON_SIDR_REQ_REPEATED]    = CM_ID_LINE(145,145,145,145,145,145,145,145,145,145,145,145,145,145,145,145,145,145,145,145,145,145,145,145,145,145,145),
	[CM_ID_ON_SIDR_REQ_NO_LISTENER] = CM_ID_LINE(143,144,144,144,144,144,144,144,144,144,144,144,144,144,144,144,144,144,144,144,144,144,144,144,144,144,144),
	[CM_ID_ON_SIDR_REP]             = CM_ID_LINE(191,147,148,148,148,148,148,148,148,148,148,148,148,148,148,148,148,148,148,148,148,148,148,146,148,147,147),
	[CM_ID_ON_FOREIGN]              = CM_ID_LINE(192,192,192,192,192,192,192,192,192,192,192,192,192,192,192,192,192,192,192,192,192,192,192,192,192,192,192),
	[CM_ID_ON_WRONG_ROLE]           = CM_ID_LINE(193,193,193,193,193,193,193,193,193,193,193,193,193,193,193,193,193,193,193,193,193,193,193,193,193,193,193),
	[CM_ID_ON_LOST]                 = CM_ID_LINE(194,194,194,194,194,194,194,194,194,194,194,194,194,194,194,194,194,194,194,194,194,194,194,194,194,194,194),
	[CM_ID_ON_HAND_OVER]            = CM_ID_LINE( 15, 15, 15,  6, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,  7, 15, 15, 15, 14),
	[CM_ID_ON_LISTENER_GONE]        = CM_ID_LINE( 15, 15, 15,  8, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,  9, 15, 15, 15, 14),
	[CM_ID_ON_UNREACHABLE]          = CM_ID_LINE( 15, 15, 15, 10, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 12, 15, 15, 15, 14),
	[CM_ID_ON_UNREACHABLE_ALT]      = CM_ID_LINE( 15, 15, 15, 11, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 13, 15, 15, 15, 14),
	[CM_ID_ON_TIMEOUT]              = CM_ID_LINE(195,195,195,195, 38,195,195, 38, 38,195,195, 38,195,195,195,195,195,195, 38,195,195,195,195, 38,195,195,195),
	[CM_ID_ON_EXPIRED]              = CM_ID_LINE(195,195,195,195, 39,195,195, 39, 68,195,195, 68,195,195,195,195,195,195,114,195,195,195,195,149,195,195,195),
	[CM_ID_ON_TW_EXPIRED]           = CM_ID_LINE(118,118,118,118,118,118,118,118,118,118,118,118,118,118,118,118,118,118,118,118,116,117,118,118,118,118,118),
	[CM_ID_ON_OVERTAKEN]            = CM_ID_LINE(197,197,197,197,197,197,197,197,197,197,197,197,197,197,197,197,197,197,197,197,197,197,197,197,197,197,197),
	[CM_ID_ON_POSTPONED]            = CM_ID_LINE(198,198,198,198,198,198,198,198,198,198,198,198,198,198,198,198,198,198,198,198,198,198,198,198,198,198,198),
	[CM_ID_ON_SEND_LOST]            = CM_ID_LINE(195,195,195,195,196,195,195,196,196,195,195,196,195,195,195,195,195,195,196,195,195,195,195,196,195,195,195),
	[CM_ID_ON_SEND_FAILED]          = CM_ID_LINE(195,195,195,195, 40,195,195, 40, 69,195,195, 69,195,195,195,195,195,195,115,195,195,195,195,149,195,195,195),
	[CM_ID_ON_REMOVED]              = CM_ID_LINE(185,171,172,173,175,176,176,175,177,176,176,177,178,178,178,178,178,178,179,180,180,181,174,182,183,184,184),
	[CM_ID_ON_DESTROY]              = CM_ID_LINE(170,150,151,152,154,155,157,154,158,159,159,158,160,160,160,160,160,160,162,163,164,165,153,166,167,150,168),
	[CM_ID_ON_DESTROY_XRC]          = CM_ID_LINE(170,150,151,152,154,155,157,154,158,159,159,158,161,161,161,161,161,161,162,163,164,165,153,166,167,150,168),
	[CM_ID_ON_HANDLER_REFUSED]      = CM_ID_LINE(170,150,151,169,154,155,157,154,158,159,159,158,160,160,160,160,160,160,162,163,164,165,169,166,167,150,168),
	[CM_ID_ON_HANDLER_REFUSED_XRC]  = CM_ID_LINE(170,150,151,169,154,155,157,154,158,159,159,158,161,161,161,161,161,161,162,163,164,165,169,166,167,150,168),
	[CM_ID_ON_HANDLER_NOMEM]        = CM_ID_LINE(170,150,151,169,154,156,157,154,158,159,159,158,160,160,160,160,160,160,162,163,164,165,169,166,167,150,168),
	[CM_ID_ON_HANDLER_NOMEM_XRC]    = CM_ID_LINE(170,150,151,169,154,156,157,154,158,159,159,158,161,161,161,161,161,161,162,163,164,165,169,166,167,150,168),
};

const struct cm_row cm_id_rows[CM_ID_ROWS] = {
	/* a cell that nobody wrote */
	[0] = { .next = CM_STAY, .verdict = CM_NEVER },
	/* CREATE: listen.cc, interface: ib_create_cm_id */
	[1] = {
		.next = CM_ID_IDLE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_OWN },
	},
	/* CREATE: listen.cc */
	[2] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* CALL_LISTEN: listen.cc, stock: 6: listen, IDLE -> LISTEN */
	[3] = {
		.next = CM_ID_LISTEN,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_ENTRY_ADD },
	},
	/* CALL_LISTEN_TAKEN: listen.cc, stock: 6: listen: -EBUSY */
	[4] = {
		.next = CM_STAY,
		.verdict = CM_INVALID,
		.error = EBUSY,
	},
	/* CALL_LISTEN, CALL_LISTEN_TAKEN: listen.cc, stock: 6: listen, other states */
	[5] = {
		.next = CM_STAY,
		.verdict = CM_INVALID,
		.error = EINVAL,
	},
	/* HAND_OVER: listen.cc, stock: 6: rx REQ, -> REQ_RCVD +E */
	[6] = {
		.next = CM_ID_REQ_RCVD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_TELL_REQ },
		.post = { CM_DO_KICK },
	},
	/* HAND_OVER: listen.cc, stock: 6: rx SIDR_REQ, SIDR_REQ_RCVD +E */
	[7] = {
		.next = CM_ID_SIDR_REQ_RCVD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_TELL_SIDR_REQ },
		.post = { CM_DO_KICK },
	},
	/* LISTENER_GONE: listen.cc, field: 23: listener destroyed with REQs queued: each gets REJ */
	[8] = {
		.next = CM_ID_DEAD,
		.verdict = CM_REJECT,
		.locked = { CM_DO_SAY_REJ_SERVICE, CM_DO_UNLINK_QPN, CM_DO_UNLINK_PEER, CM_DO_RELEASE, CM_DO_DISOWN },
		.post = { CM_DO_SEND, CM_DO_PUT },
	},
	/* LISTENER_GONE: listen.cc, field: 26: unknown service: status 1 at once */
	[9] = {
		.next = CM_ID_DEAD,
		.verdict = CM_REJECT,
		.locked = { CM_DO_UNLINK_SIDR, CM_DO_RELEASE, CM_DO_DISOWN },
		.post = { CM_DO_REPLY_SIDR_UNSUPPORTED, CM_DO_PUT },
	},
	/* UNREACHABLE: listen.cc, stock: 6: rx REQ, bad primary path: REJ 12, ARI own GID */
	[10] = {
		.next = CM_ID_DEAD,
		.verdict = CM_REJECT,
		.locked = { CM_DO_UNLINK_QPN, CM_DO_UNLINK_PEER, CM_DO_RELEASE, CM_DO_DISOWN },
		.post = { CM_DO_REPLY_REJ_GID, CM_DO_PUT },
	},
	/* UNREACHABLE_ALT: listen.cc, stock: 6: rx REQ, bad alternate: REJ 18 */
	[11] = {
		.next = CM_ID_DEAD,
		.verdict = CM_REJECT,
		.locked = { CM_DO_UNLINK_QPN, CM_DO_UNLINK_PEER, CM_DO_RELEASE, CM_DO_DISOWN },
		.post = { CM_DO_REPLY_REJ_ALT_GID, CM_DO_PUT },
	},
	/* UNREACHABLE: listen.cc, contract: Receive context: resolution of a new request */
	[12] = {
		.next = CM_ID_DEAD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_UNLINK_SIDR, CM_DO_RELEASE, CM_DO_DISOWN },
		.post = { CM_DO_PUT },
	},
	/* UNREACHABLE_ALT: listen.cc */
	[13] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* HAND_OVER, LISTENER_GONE, UNREACHABLE, UNREACHABLE_ALT: listen.cc, contract: Removal, and REJ before delivery: the id may have ended while it waited for its turn */
	[14] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_LATE,
	},
	/* HAND_OVER, LISTENER_GONE, UNREACHABLE, UNREACHABLE_ALT: listen.cc */
	[15] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* CALL_REQ: connect.cc, stock: 6: send_req, IDLE -> REQ_SENT */
	[16] = {
		.next = CM_ID_REQ_SENT,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SET_REQ, CM_DO_RESERVE, CM_DO_SAY_REQ, CM_DO_BEGIN },
		.post = { CM_DO_SEND },
	},
	/* CALL_REQ: connect.cc, stock: 6: send_req, other states */
	[17] = {
		.next = CM_STAY,
		.verdict = CM_INVALID,
		.error = EINVAL,
	},
	/* SEND_REFUSED: connect.cc, stock: 7.6: the call fails, the id stays usable */
	[18] = {
		.next = CM_ID_IDLE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_END, CM_DO_RELEASE },
		.post = { CM_DO_PUT },
	},
	/* MRA_REQ: connect.cc, stock: 6: rx MRA, REQ_SENT -> MRA_REQ_RCVD +E */
	[19] = {
		.next = CM_ID_MRA_REQ_RCVD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_STRETCH, CM_DO_TAKE_MRA, CM_DO_TELL_MRA },
		.post = { CM_DO_KICK },
	},
	/* MRA_REQ: connect.cc, stock: 6: rx MRA, MRA_REQ_RCVD: count duplicate */
	[20] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_DUPLICATE,
	},
	/* MRA_REQ: connect.cc, stock: 6: rx MRA, others: - */
	[21] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_LATE,
	},
	/* MRA_REQ: connect.cc, stock: 6: rx MRA, others: - */
	[22] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_WRONG_ROLE,
	},
	/* REP: connect.cc, stock: 6: rx REP, REQ_SENT, MRA_REQ_RCVD -> REP_RCVD +E */
	[23] = {
		.next = CM_ID_REP_RCVD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_END, CM_DO_TAKE_REP, CM_DO_SWAP_RECORD, CM_DO_LINK_PEER, CM_DO_LINK_QPN, CM_DO_TELL_REP },
		.post = { CM_DO_KICK, CM_DO_PUT },
	},
	/* REP: connect.cc, contract: the id moved on between claim and lock; the claim is undone */
	[24] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_LATE,
	},
	/* REP_REPEATED: connect.cc, stock: 6: rx REP, MRA_REP_SENT: send MRA */
	[25] = {
		.next = CM_STAY,
		.verdict = CM_RESEND,
		.locked = { CM_DO_SAY_MRA_REP },
		.post = { CM_DO_SEND },
	},
	/* REP_REPEATED: connect.cc, field: 24: each duplicate REP gets an RTU, also in DREQ_SENT */
	[26] = {
		.next = CM_STAY,
		.verdict = CM_RESEND,
		.locked = { CM_DO_SAY_RTU_AGAIN },
		.post = { CM_DO_SEND },
	},
	/* REP_REPEATED: connect.cc, stock: 6: rx REP, others: - */
	[27] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_DUPLICATE,
	},
	/* REP_REPEATED: connect.cc, stock: 6: rx REP, others: - */
	[28] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_LATE,
	},
	/* REP_REPEATED: connect.cc, stock: 6: rx REP, others: - */
	[29] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_WRONG_ROLE,
	},
	/* REP_STALE: connect.cc, stock: 7.13: a stale REP must not leave the id in REQ_SENT */
	[30] = {
		.next = CM_ID_IDLE,
		.verdict = CM_REJECT,
		.locked = { CM_DO_SAY_REJ_STALE_REP, CM_DO_END, CM_DO_RELEASE, CM_DO_TELL_REJ_STALE },
		.post = { CM_DO_SEND, CM_DO_KICK, CM_DO_PUT },
	},
	/* REP_STALE: connect.cc, contract: the id moved on between claim and lock */
	[31] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_LATE,
	},
	/* REP_UNKNOWN: connect.cc, field: 22: REP for a comm id nobody has: REJ 6, not silence */
	[32] = {
		.next = CM_STAY,
		.verdict = CM_REJECT,
		.post = { CM_DO_REPLY_REJ_UNKNOWN },
	},
	/* REP_UNKNOWN: connect.cc, contract: Identity: REJ 6 for a comm id that neither an id nor a record has */
	[33] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_LATE,
	},
	/* REP_UNKNOWN: connect.cc, contract: the request began after the REP was looked at: the peer repeats it */
	[34] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_BUSY,
	},
	/* REP_UNKNOWN: connect.cc */
	[35] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* CALL_RTU: connect.cc, stock: 6: send_rtu, REP_RCVD, MRA_REP_SENT -> ESTABLISHED */
	[36] = {
		.next = CM_ID_ESTABLISHED,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_KEEP_DATA, CM_DO_SAY_RTU },
		.post = { CM_DO_SEND },
	},
	/* CALL_RTU: connect.cc, stock: 6: send_rtu, other states */
	[37] = {
		.next = CM_STAY,
		.verdict = CM_INVALID,
		.error = EINVAL,
	},
	/* TIMEOUT: connect.cc, contract: Retries */
	[38] = {
		.next = CM_STAY,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_REPEAT },
		.post = { CM_DO_SEND },
	},
	/* EXPIRED: connect.cc, stock: 6: send failure, REQ_SENT, MRA_REQ_RCVD -> IDLE, REQ_ERROR */
	[39] = {
		.next = CM_ID_IDLE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SAY_REJ_TIMEOUT, CM_DO_END, CM_DO_RELEASE, CM_DO_TELL_REQ_ERROR },
		.post = { CM_DO_SEND, CM_DO_KICK, CM_DO_PUT },
	},
	/* SEND_FAILED: connect.cc, stock: 6: send failure, REQ_SENT, MRA_REQ_RCVD -> IDLE, REQ_ERROR */
	[40] = {
		.next = CM_ID_IDLE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_END, CM_DO_RELEASE, CM_DO_TELL_REQ_ERROR },
		.post = { CM_DO_KICK, CM_DO_PUT },
	},
	/* REQ_FRESH: accept.cc, contract: Receive context */
	[41] = {
		.next = CM_ID_REQ_NEW,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_TAKE_REQ, CM_DO_OWN, CM_DO_RESERVE, CM_DO_LINK_PEER, CM_DO_LINK_QPN },
		.post = { CM_DO_START },
	},
	/* REQ_STALE: accept.cc, field: 13: REJ 10 on the new one */
	[42] = {
		.next = CM_STAY,
		.verdict = CM_REJECT,
		.post = { CM_DO_REPLY_REJ_STALE },
	},
	/* REQ_UNSUPPORTED: accept.cc, interface: IB_CM_REJ_INVALID_TRANSPORT_TYPE */
	[43] = {
		.next = CM_STAY,
		.verdict = CM_REJECT,
		.post = { CM_DO_REPLY_REJ_TRANSPORT },
	},
	/* REQ_NO_LISTENER: accept.cc, stock: 6: rx REQ, no listener: REJ 8 */
	[44] = {
		.next = CM_STAY,
		.verdict = CM_REJECT,
		.post = { CM_DO_REPLY_REJ_SERVICE },
	},
	/* REQ_FRESH, REQ_STALE, REQ_UNSUPPORTED, REQ_NO_LISTENER: accept.cc */
	[45] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* REQ_REPEATED: accept.cc, contract: Receive context: an automatic MRA as a mere reply: the state stays */
	[46] = {
		.next = CM_STAY,
		.verdict = CM_RESEND,
		.locked = { CM_DO_SAY_AUTO_MRA },
		.post = { CM_DO_SEND },
	},
	/* REQ_REPEATED: accept.cc, stock: 6: rx REQ, MRA_REQ_SENT: send MRA */
	[47] = {
		.next = CM_STAY,
		.verdict = CM_RESEND,
		.locked = { CM_DO_SAY_MRA_REQ },
		.post = { CM_DO_SEND },
	},
	/* REQ_REPEATED: accept.cc, contract: Receive context: duplicates are answered from state */
	[48] = {
		.next = CM_STAY,
		.verdict = CM_RESEND,
		.locked = { CM_DO_SAY_REP_AGAIN },
		.post = { CM_DO_SEND },
	},
	/* REQ_REPEATED: accept.cc, stock: 6: rx REQ, remote-id hit, else: - */
	[49] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_DUPLICATE,
	},
	/* REQ_REPEATED: accept.cc, contract: the id was reused between look-up and lock */
	[50] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_LATE,
	},
	/* PEER_RESTARTED: accept.cc, standard: 12.9.8.3.1 */
	[51] = {
		.next = CM_ID_DREQ_SENT,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SAY_DREQ, CM_DO_UNLINK_QPN, CM_DO_BEGIN },
		.post = { CM_DO_SEND },
	},
	/* PEER_RESTARTED: accept.cc, stock: 6: rx REQ, QPN hit: ib_send_cm_dreq on the old */
	[52] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_LATE,
	},
	/* PEER_RESTARTED: accept.cc, contract: the connection ended by itself meanwhile */
	[53] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_LATE,
	},
	/* CALL_REP: accept.cc, stock: 6: send_rep, REQ_RCVD, MRA_REQ_SENT -> REP_SENT */
	[54] = {
		.next = CM_ID_REP_SENT,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SET_REP, CM_DO_SAY_REP, CM_DO_BEGIN },
		.post = { CM_DO_SEND },
	},
	/* CALL_REP: accept.cc, stock: 6: send_rep, other states */
	[55] = {
		.next = CM_STAY,
		.verdict = CM_INVALID,
		.error = EINVAL,
	},
	/* SEND_REFUSED: accept.cc, stock: 6: send_rep: the call fails, the REQ can still be rejected */
	[56] = {
		.next = CM_ID_REQ_RCVD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_END },
		.post = { CM_DO_PUT },
	},
	/* MRA_REP: accept.cc, stock: 6: rx MRA, REP_SENT -> MRA_REP_RCVD +E */
	[57] = {
		.next = CM_ID_MRA_REP_RCVD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_STRETCH, CM_DO_TELL_MRA },
		.post = { CM_DO_KICK },
	},
	/* MRA_REP: accept.cc, stock: 6: rx MRA, MRA_REP_RCVD: count duplicate */
	[58] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_DUPLICATE,
	},
	/* MRA_REP: accept.cc, stock: 6: rx MRA, others: - */
	[59] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_LATE,
	},
	/* MRA_REP: accept.cc, stock: 6: rx MRA, others: - */
	[60] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_WRONG_ROLE,
	},
	/* RTU: accept.cc, stock: 6: rx RTU, REP_SENT, MRA_REP_RCVD -> ESTABLISHED +E */
	[61] = {
		.next = CM_ID_ESTABLISHED,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_END, CM_DO_TELL_RTU },
		.post = { CM_DO_KICK, CM_DO_PUT },
	},
	/* RTU: accept.cc, stock: 6: rx RTU, others: count duplicate */
	[62] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_DUPLICATE,
	},
	/* RTU: accept.cc, stock: 6: rx RTU, others: count duplicate */
	[63] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_LATE,
	},
	/* RTU: accept.cc, stock: 6: rx RTU, others: count duplicate */
	[64] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_WRONG_ROLE,
	},
	/* CALL_COMM_EST: accept.cc, stock: 6: notify COMM_EST */
	[65] = {
		.next = CM_ID_ESTABLISHED,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_END, CM_DO_TELL_USER_ESTABLISHED },
		.post = { CM_DO_KICK, CM_DO_PUT },
	},
	/* CALL_COMM_EST: accept.cc, stock: 6: notify COMM_EST */
	[66] = {
		.next = CM_STAY,
		.verdict = CM_INVALID,
		.error = EISCONN,
	},
	/* CALL_COMM_EST: accept.cc, stock: 6: notify COMM_EST */
	[67] = {
		.next = CM_STAY,
		.verdict = CM_INVALID,
		.error = EINVAL,
	},
	/* EXPIRED: accept.cc, stock: 6: send failure, REP_SENT, MRA_REP_RCVD -> IDLE, REP_ERROR */
	[68] = {
		.next = CM_ID_IDLE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SAY_REJ_TIMEOUT, CM_DO_END, CM_DO_UNLINK_QPN, CM_DO_UNLINK_PEER, CM_DO_RELEASE,
			    CM_DO_TELL_REP_ERROR },
		.post = { CM_DO_SEND, CM_DO_KICK, CM_DO_PUT },
	},
	/* SEND_FAILED: accept.cc, stock: 6: send failure, REP_SENT, MRA_REP_RCVD -> IDLE, REP_ERROR */
	[69] = {
		.next = CM_ID_IDLE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_END, CM_DO_UNLINK_QPN, CM_DO_UNLINK_PEER, CM_DO_RELEASE, CM_DO_TELL_REP_ERROR },
		.post = { CM_DO_KICK, CM_DO_PUT },
	},
	/* CALL_REJ: accept.cc, stock: 7.17: the REQ's repetitions must stop */
	[70] = {
		.next = CM_ID_IDLE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SAY_REJ_OTHER, CM_DO_END, CM_DO_RELEASE },
		.post = { CM_DO_SEND, CM_DO_PUT },
	},
	/* CALL_REJ: accept.cc, stock: 6: send_rej, -> IDLE, then send */
	[71] = {
		.next = CM_ID_IDLE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SAY_REJ_REQ, CM_DO_UNLINK_QPN, CM_DO_UNLINK_PEER, CM_DO_RELEASE },
		.post = { CM_DO_SEND },
	},
	/* CALL_REJ: accept.cc, stock: 6: send_rej, -> IDLE, then send */
	[72] = {
		.next = CM_ID_IDLE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SAY_REJ_REP, CM_DO_UNLINK_QPN, CM_DO_UNLINK_PEER, CM_DO_RELEASE },
		.post = { CM_DO_SEND },
	},
	/* CALL_REJ: accept.cc, stock: 6: send_rej, REP_SENT, MRA_REP_RCVD -> TIMEWAIT */
	[73] = {
		.next = CM_ID_TIMEWAIT,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SAY_REJ_OTHER, CM_DO_END, CM_DO_UNLINK_QPN, CM_DO_ENTER_TW },
		.post = { CM_DO_SEND, CM_DO_PUT },
	},
	/* CALL_REJ: accept.cc, stock: 6: send_rej, other states */
	[74] = {
		.next = CM_STAY,
		.verdict = CM_INVALID,
		.error = EINVAL,
	},
	/* REJ: accept.cc, stock: 6: rx REJ, -> IDLE +E */
	[75] = {
		.next = CM_ID_IDLE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_END, CM_DO_RELEASE, CM_DO_TELL_REJ },
		.post = { CM_DO_KICK, CM_DO_PUT },
	},
	/* REJ_STALE: accept.cc, stock: 6: rx REJ, reason 10 -> TIMEWAIT +E */
	[76] = {
		.next = CM_ID_TIMEWAIT_STALE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_END, CM_DO_ENTER_TW, CM_DO_TELL_REJ },
		.post = { CM_DO_KICK, CM_DO_PUT },
	},
	/* REJ: accept.cc, stock: 6: rx REJ, REQ_RCVD, MRA_REQ_SENT */
	[77] = {
		.next = CM_ID_IDLE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_UNLINK_QPN, CM_DO_UNLINK_PEER, CM_DO_RELEASE, CM_DO_TELL_REJ },
		.post = { CM_DO_KICK },
	},
	/* REJ: accept.cc, stock: 6: rx REJ, REP_SENT, MRA_REP_RCVD */
	[78] = {
		.next = CM_ID_IDLE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_END, CM_DO_UNLINK_QPN, CM_DO_UNLINK_PEER, CM_DO_RELEASE, CM_DO_TELL_REJ },
		.post = { CM_DO_KICK, CM_DO_PUT },
	},
	/* REJ_STALE: accept.cc, stock: 6: rx REJ, reason 10 -> TIMEWAIT +E */
	[79] = {
		.next = CM_ID_TIMEWAIT,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_UNLINK_QPN, CM_DO_ENTER_TW, CM_DO_TELL_REJ },
		.post = { CM_DO_KICK },
	},
	/* REJ_STALE: accept.cc, stock: 6: rx REJ, reason 10 -> TIMEWAIT +E */
	[80] = {
		.next = CM_ID_TIMEWAIT,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_END, CM_DO_UNLINK_QPN, CM_DO_ENTER_TW, CM_DO_TELL_REJ },
		.post = { CM_DO_KICK, CM_DO_PUT },
	},
	/* REJ, REJ_STALE: accept.cc, stock: 6: rx REJ, REP_RCVD, MRA_REP_SENT -> TIMEWAIT +E */
	[81] = {
		.next = CM_ID_TIMEWAIT,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_UNLINK_QPN, CM_DO_ENTER_TW, CM_DO_TELL_REJ },
		.post = { CM_DO_KICK },
	},
	/* REJ, REJ_STALE: accept.cc, stock: 6: rx REJ, ESTABLISHED -> TIMEWAIT +E */
	[82] = {
		.next = CM_ID_TIMEWAIT,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_UNLINK_QPN, CM_DO_ENTER_TW, CM_DO_TELL_REJ },
		.post = { CM_DO_KICK },
	},
	/* REJ, REJ_STALE: accept.cc, stock: 6: rx REJ, DREQ_SENT -> TIMEWAIT +E */
	[83] = {
		.next = CM_ID_TIMEWAIT,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_END, CM_DO_ENTER_TW, CM_DO_TELL_REJ },
		.post = { CM_DO_KICK, CM_DO_PUT },
	},
	/* REJ, REJ_STALE: accept.cc, field: 31: REJ reaches the id before the consumer has seen its REQ */
	[84] = {
		.next = CM_ID_DEAD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_UNLINK_QPN, CM_DO_UNLINK_PEER, CM_DO_RELEASE, CM_DO_DISOWN },
		.post = { CM_DO_PUT },
	},
	/* REJ, REJ_STALE: accept.cc, stock: 6: rx REJ, others: - */
	[85] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_LATE,
	},
	/* REJ, REJ_STALE: accept.cc, stock: 6: rx REJ, others: - */
	[86] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_WRONG_ROLE,
	},
	/* CALL_MRA: accept.cc, stock: 6: prepare_mra, REQ_RCVD -> MRA_REQ_SENT */
	[87] = {
		.next = CM_ID_MRA_REQ_SENT,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SET_MRA, CM_DO_KEEP_DATA, CM_DO_SAY_MRA_REQ },
		.post = { CM_DO_SEND },
	},
	/* CALL_MRA_DELAYED: accept.cc, stock: 6: prepare_mra, REQ_RCVD -> MRA_REQ_SENT */
	[88] = {
		.next = CM_ID_MRA_REQ_SENT,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SET_MRA, CM_DO_KEEP_DATA },
	},
	/* CALL_MRA: accept.cc, stock: 6: prepare_mra, REP_RCVD -> MRA_REP_SENT */
	[89] = {
		.next = CM_ID_MRA_REP_SENT,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SET_MRA, CM_DO_KEEP_DATA, CM_DO_SAY_MRA_REP },
		.post = { CM_DO_SEND },
	},
	/* CALL_MRA_DELAYED: accept.cc, stock: 6: prepare_mra, REP_RCVD -> MRA_REP_SENT */
	[90] = {
		.next = CM_ID_MRA_REP_SENT,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SET_MRA, CM_DO_KEEP_DATA },
	},
	/* CALL_MRA: accept.cc, stock: 6: prepare_mra, ESTABLISHED + LAP_RCVD -> lap MRA_LAP_SENT */
	[91] = {
		.next = CM_ID_EST_MRA_LAP_SENT,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SET_MRA, CM_DO_KEEP_DATA, CM_DO_SAY_MRA_LAP },
		.post = { CM_DO_SEND },
	},
	/* CALL_MRA_DELAYED: accept.cc, stock: 6: prepare_mra, ESTABLISHED + LAP_RCVD -> lap MRA_LAP_SENT */
	[92] = {
		.next = CM_ID_EST_MRA_LAP_SENT,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SET_MRA, CM_DO_KEEP_DATA },
	},
	/* CALL_MRA, CALL_MRA_DELAYED: accept.cc, stock: 6: prepare_mra, else -EINVAL */
	[93] = {
		.next = CM_STAY,
		.verdict = CM_INVALID,
		.error = EINVAL,
	},
	/* CALL_DREQ: disconnect.cc, stock: 6: send_dreq, ESTABLISHED -> DREQ_SENT */
	[94] = {
		.next = CM_ID_DREQ_SENT,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SAY_DREQ, CM_DO_UNLINK_QPN, CM_DO_BEGIN },
		.post = { CM_DO_SEND },
	},
	/* CALL_DREQ: disconnect.cc, interface: 4.2 rdma_disconnect: non-zero when not ESTABLISHED */
	[95] = {
		.next = CM_STAY,
		.verdict = CM_INVALID,
		.error = EINVAL,
	},
	/* SEND_REFUSED: disconnect.cc, stock: 6: send_dreq, alloc or post failure -> TIMEWAIT and error return */
	[96] = {
		.next = CM_ID_TIMEWAIT,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_END, CM_DO_ENTER_TW },
		.post = { CM_DO_PUT },
	},
	/* CALL_DREP: disconnect.cc, stock: 6: send_drep, DREQ_RCVD -> TIMEWAIT */
	[97] = {
		.next = CM_ID_TIMEWAIT,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_KEEP_DATA, CM_DO_SAY_DREP, CM_DO_ENTER_TW },
		.post = { CM_DO_SEND },
	},
	/* CALL_DREP: disconnect.cc, stock: 6: send_drep, other states */
	[98] = {
		.next = CM_STAY,
		.verdict = CM_INVALID,
		.error = EINVAL,
	},
	/* DREQ: disconnect.cc, field: 4: DREQ instead of RTU: REP retries stop */
	[99] = {
		.next = CM_ID_DREQ_RCVD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_END, CM_DO_UNLINK_QPN, CM_DO_TAKE_DREQ, CM_DO_TELL_DREQ },
		.post = { CM_DO_KICK, CM_DO_PUT },
	},
	/* DREQ: disconnect.cc, stock: 6: rx DREQ, ESTABLISHED -> DREQ_RCVD +E */
	[100] = {
		.next = CM_ID_DREQ_RCVD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_UNLINK_QPN, CM_DO_TAKE_DREQ, CM_DO_TELL_DREQ },
		.post = { CM_DO_KICK },
	},
	/* DREQ: disconnect.cc, contract: 2: Spin: both sides agree unless the parting DREQ was lost */
	[101] = {
		.next = CM_ID_DREQ_RCVD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_UNLINK_QPN, CM_DO_TAKE_DREQ, CM_DO_TELL_DREQ },
		.post = { CM_DO_KICK },
	},
	/* DREQ: disconnect.cc, field: 11: crossing DREQs end without a retry */
	[102] = {
		.next = CM_ID_DREQ_RCVD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_END, CM_DO_TAKE_DREQ, CM_DO_TELL_DREQ },
		.post = { CM_DO_KICK, CM_DO_PUT },
	},
	/* DREQ: disconnect.cc, field: 11: each repeated DREQ gets the same DREP with its own TID */
	[103] = {
		.next = CM_STAY,
		.verdict = CM_RESEND,
		.locked = { CM_DO_SAY_DREP_AGAIN },
		.post = { CM_DO_SEND },
	},
	/* DREQ: disconnect.cc, stock: 6: rx DREQ, DREQ_RCVD: - */
	[104] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_DUPLICATE,
	},
	/* DREQ: disconnect.cc, stock: 6: rx DREQ, others: - */
	[105] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_LATE,
	},
	/* DREQ: disconnect.cc */
	[106] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* DREQ_UNKNOWN: disconnect.cc, field: 11: unknown id: stateless DREP */
	[107] = {
		.next = CM_STAY,
		.verdict = CM_REJECT,
		.post = { CM_DO_REPLY_DREP },
	},
	/* DREQ_UNKNOWN: disconnect.cc, stock: 6: rx DREQ, no id: stateless DREP */
	[108] = {
		.next = CM_STAY,
		.verdict = CM_REJECT,
		.post = { CM_DO_REPLY_DREP },
	},
	/* DREQ_UNKNOWN: disconnect.cc */
	[109] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* DREP: disconnect.cc, stock: 6: rx DREP, DREQ_SENT -> TIMEWAIT +E */
	[110] = {
		.next = CM_ID_TIMEWAIT,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_END, CM_DO_ENTER_TW, CM_DO_TELL_DREP },
		.post = { CM_DO_KICK, CM_DO_PUT },
	},
	/* DREP: disconnect.cc, stock: 6: rx DREP, DREQ_RCVD -> TIMEWAIT +E */
	[111] = {
		.next = CM_ID_TIMEWAIT,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_ENTER_TW, CM_DO_TELL_DREP },
		.post = { CM_DO_KICK },
	},
	/* DREP: disconnect.cc, stock: 6: rx DREP, others: - */
	[112] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_DUPLICATE,
	},
	/* DREP: disconnect.cc, stock: 6: rx DREP, others: - */
	[113] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_LATE,
	},
	/* EXPIRED: disconnect.cc, field: 12: DREQ_ERROR, then TIMEWAIT_EXIT, exactly once each */
	[114] = {
		.next = CM_ID_TIMEWAIT,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_END, CM_DO_ENTER_TW, CM_DO_TELL_DREQ_ERROR },
		.post = { CM_DO_KICK, CM_DO_PUT },
	},
	/* SEND_FAILED: disconnect.cc, stock: 6: send failure, DREQ_SENT -> TIMEWAIT, DREQ_ERROR */
	[115] = {
		.next = CM_ID_TIMEWAIT,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_END, CM_DO_ENTER_TW, CM_DO_TELL_DREQ_ERROR },
		.post = { CM_DO_KICK, CM_DO_PUT },
	},
	/* TW_EXPIRED: disconnect.cc, stock: 6: timewait expiry -> IDLE, TIMEWAIT_EXIT */
	[116] = {
		.next = CM_ID_IDLE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_UNLINK_PEER, CM_DO_RELEASE, CM_DO_TELL_TIMEWAIT_EXIT },
		.post = { CM_DO_KICK },
	},
	/* TW_EXPIRED: disconnect.cc, stock: 6: timewait expiry -> IDLE, TIMEWAIT_EXIT */
	[117] = {
		.next = CM_ID_IDLE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_RELEASE, CM_DO_TELL_TIMEWAIT_EXIT },
		.post = { CM_DO_KICK },
	},
	/* TW_EXPIRED: disconnect.cc */
	[118] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* LAP: migrate.cc, stock: 6: rx LAP, lap UNINIT/IDLE -> LAP_RCVD +E */
	[119] = {
		.next = CM_ID_EST_LAP_RCVD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_TAKE_LAP, CM_DO_TELL_LAP },
		.post = { CM_DO_KICK },
	},
	/* LAP: migrate.cc, stock: 6: rx LAP, MRA_LAP_SENT -> MRA */
	[120] = {
		.next = CM_STAY,
		.verdict = CM_RESEND,
		.locked = { CM_DO_SAY_MRA_LAP },
		.post = { CM_DO_SEND },
	},
	/* LAP: migrate.cc, stock: 6: rx LAP, LAP_RCVD -> - */
	[121] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_DUPLICATE,
	},
	/* LAP: migrate.cc, stock: 6: rx LAP, other lap states: - */
	[122] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_WRONG_ROLE,
	},
	/* LAP: migrate.cc, stock: 6: rx LAP, ESTABLISHED only */
	[123] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_LATE,
	},
	/* APR: migrate.cc, stock: 6: rx APR, lap LAP_SENT/MRA_LAP_RCVD -> IDLE +E */
	[124] = {
		.next = CM_ID_EST_LAP_IDLE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_TELL_APR },
		.post = { CM_DO_KICK },
	},
	/* APR: migrate.cc, stock: 6: rx APR, others: - */
	[125] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_WRONG_ROLE,
	},
	/* MRA_LAP: migrate.cc, stock: 6: rx MRA, lap LAP_SENT -> MRA_LAP_RCVD +E */
	[126] = {
		.next = CM_ID_EST_MRA_LAP_RCVD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_TELL_MRA },
		.post = { CM_DO_KICK },
	},
	/* MRA_LAP: migrate.cc, stock: 6: rx MRA, others: - */
	[127] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_DUPLICATE,
	},
	/* MRA_LAP: migrate.cc, stock: 6: rx MRA, others: - */
	[128] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_WRONG_ROLE,
	},
	/* CALL_PATH_MIG: migrate.cc, stock: 6: notify PATH_MIG */
	[129] = {
		.next = CM_ID_EST_LAP_IDLE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_MIGRATE },
	},
	/* CALL_PATH_MIG: migrate.cc, stock: 6: notify PATH_MIG, else -EINVAL */
	[130] = {
		.next = CM_STAY,
		.verdict = CM_INVALID,
		.error = EINVAL,
	},
	/* CALL_PATH_MIG_NONE: migrate.cc, contract: 5: no error path may leave an id without a primary path */
	[131] = {
		.next = CM_STAY,
		.verdict = CM_INVALID,
		.error = EINVAL,
	},
	/* CALL_QP_INIT: migrate.cc, stock: 6: init_qp_attr INIT */
	[132] = {
		.next = CM_STAY,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_FILL_INIT },
	},
	/* CALL_QP_INIT: migrate.cc, stock: 6: init_qp_attr, else -EINVAL */
	[133] = {
		.next = CM_STAY,
		.verdict = CM_INVALID,
		.error = EINVAL,
	},
	/* CALL_QP_RTR: migrate.cc, stock: 6: init_qp_attr RTR */
	[134] = {
		.next = CM_STAY,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_FILL_RTR },
	},
	/* CALL_QP_RTS: migrate.cc, interface: 4.3 ipoib: RTS before REP */
	[135] = {
		.next = CM_STAY,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_FILL_RTS },
	},
	/* CALL_QP_RTR, CALL_QP_RTS: migrate.cc, stock: 6: init_qp_attr, else -EINVAL */
	[136] = {
		.next = CM_STAY,
		.verdict = CM_INVALID,
		.error = EINVAL,
	},
	/* CALL_SIDR_REQ: sidr.cc, stock: 6: sidr_req, IDLE -> SIDR_REQ_SENT */
	[137] = {
		.next = CM_ID_SIDR_REQ_SENT,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SET_SIDR_REQ, CM_DO_SAY_SIDR_REQ, CM_DO_BEGIN },
		.post = { CM_DO_SEND },
	},
	/* CALL_SIDR_REQ: sidr.cc, stock: 6: sidr_req, other states */
	[138] = {
		.next = CM_STAY,
		.verdict = CM_INVALID,
		.error = EINVAL,
	},
	/* SEND_REFUSED: sidr.cc, stock: 6: sidr_req: the call fails, the id stays usable */
	[139] = {
		.next = CM_ID_IDLE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_END },
		.post = { CM_DO_PUT },
	},
	/* CALL_SIDR_REP: sidr.cc, stock: 6: sidr_rep, SIDR_REQ_RCVD -> IDLE */
	[140] = {
		.next = CM_ID_IDLE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SAY_SIDR_REP, CM_DO_KEEP_SIDR_ANSWER },
		.post = { CM_DO_SEND },
	},
	/* CALL_SIDR_REP: sidr.cc, stock: 6: sidr_rep, other states */
	[141] = {
		.next = CM_STAY,
		.verdict = CM_INVALID,
		.error = EINVAL,
	},
	/* SIDR_REQ_FRESH: sidr.cc, contract: Receive context */
	[142] = {
		.next = CM_ID_SIDR_NEW,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_TAKE_SIDR_REQ, CM_DO_OWN, CM_DO_RESERVE, CM_DO_LINK_SIDR },
		.post = { CM_DO_START },
	},
	/* SIDR_REQ_NO_LISTENER: sidr.cc, stock: 6: rx SIDR_REQ, no listener: SIDR_REP unsupported */
	[143] = {
		.next = CM_STAY,
		.verdict = CM_REJECT,
		.post = { CM_DO_REPLY_SIDR_UNSUPPORTED },
	},
	/* SIDR_REQ_FRESH, SIDR_REQ_NO_LISTENER: sidr.cc */
	[144] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* SIDR_REQ_REPEATED: sidr.cc, field: 26: a duplicate while pending: one event */
	[145] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_DUPLICATE,
	},
	/* SIDR_REP: sidr.cc, stock: 6: rx SIDR_REP, SIDR_REQ_SENT -> IDLE +E */
	[146] = {
		.next = CM_ID_IDLE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_END, CM_DO_TELL_SIDR_REP },
		.post = { CM_DO_KICK, CM_DO_PUT },
	},
	/* SIDR_REP: sidr.cc, stock: 6: rx SIDR_REP, others: - */
	[147] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_LATE,
	},
	/* SIDR_REP: sidr.cc, stock: 6: rx SIDR_REP, others: - */
	[148] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_WRONG_ROLE,
	},
	/* EXPIRED, SEND_FAILED: sidr.cc, stock: 6: send failure, SIDR_REQ_SENT -> IDLE, SIDR_REQ_ERROR */
	[149] = {
		.next = CM_ID_IDLE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_END, CM_DO_TELL_SIDR_REQ_ERROR },
		.post = { CM_DO_KICK, CM_DO_PUT },
	},
	/* DESTROY, DESTROY_XRC, HANDLER_REFUSED, HANDLER_REFUSED_XRC, HANDLER_NOMEM, HANDLER_NOMEM_XRC: destroy.cc, contract: Destroy */
	[150] = {
		.next = CM_ID_DEAD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_DISCARD, CM_DO_DISOWN },
		.post = { CM_DO_CANCEL, CM_DO_PUT },
	},
	/* DESTROY, DESTROY_XRC, HANDLER_REFUSED, HANDLER_REFUSED_XRC, HANDLER_NOMEM, HANDLER_NOMEM_XRC: destroy.cc, contract: Shared listen: the last one is a full synchronous destroy */
	[151] = {
		.next = CM_ID_DEAD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_ENTRY_REMOVE, CM_DO_DISCARD, CM_DO_DISOWN },
		.post = { CM_DO_REJECT_QUEUED, CM_DO_CANCEL, CM_DO_PUT },
	},
	/* DESTROY, DESTROY_XRC: destroy.cc, contract: Destroy */
	[152] = {
		.next = CM_ID_DEAD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_UNLINK_QPN, CM_DO_UNLINK_PEER, CM_DO_RELEASE, CM_DO_DISOWN },
		.post = { CM_DO_PUT },
	},
	/* DESTROY, DESTROY_XRC: destroy.cc, contract: Destroy */
	[153] = {
		.next = CM_ID_DEAD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_UNLINK_SIDR, CM_DO_RELEASE, CM_DO_DISOWN },
		.post = { CM_DO_PUT },
	},
	/* DESTROY, DESTROY_XRC, HANDLER_REFUSED, HANDLER_REFUSED_XRC, HANDLER_NOMEM, HANDLER_NOMEM_XRC: destroy.cc, contract: Destroy */
	[154] = {
		.next = CM_ID_DEAD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SAY_REJ_TIMEOUT, CM_DO_END, CM_DO_RELEASE, CM_DO_DISCARD, CM_DO_DISOWN },
		.post = { CM_DO_SEND, CM_DO_CANCEL, CM_DO_PUT },
	},
	/* DESTROY, DESTROY_XRC, HANDLER_REFUSED, HANDLER_REFUSED_XRC: destroy.cc, contract: Destroy */
	[155] = {
		.next = CM_ID_DEAD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SAY_REJ_CONSUMER_REQ, CM_DO_UNLINK_QPN, CM_DO_UNLINK_PEER, CM_DO_RELEASE, CM_DO_DISCARD,
			    CM_DO_DISOWN },
		.post = { CM_DO_SEND, CM_DO_CANCEL, CM_DO_PUT },
	},
	/* HANDLER_NOMEM, HANDLER_NOMEM_XRC: destroy.cc, field: 30: -ENOMEM: silence, so that the peer retries */
	[156] = {
		.next = CM_ID_DEAD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_UNLINK_QPN, CM_DO_UNLINK_PEER, CM_DO_RELEASE, CM_DO_DISCARD, CM_DO_DISOWN },
		.post = { CM_DO_CANCEL, CM_DO_PUT },
	},
	/* DESTROY, DESTROY_XRC, HANDLER_REFUSED, HANDLER_REFUSED_XRC, HANDLER_NOMEM, HANDLER_NOMEM_XRC: destroy.cc, contract: Destroy */
	[157] = {
		.next = CM_ID_DEAD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SAY_REJ_CONSUMER_REQ, CM_DO_UNLINK_QPN, CM_DO_UNLINK_PEER, CM_DO_RELEASE, CM_DO_DISCARD,
			    CM_DO_DISOWN },
		.post = { CM_DO_SEND, CM_DO_CANCEL, CM_DO_PUT },
	},
	/* DESTROY, DESTROY_XRC, HANDLER_REFUSED, HANDLER_REFUSED_XRC, HANDLER_NOMEM, HANDLER_NOMEM_XRC: destroy.cc, contract: Destroy */
	[158] = {
		.next = CM_ID_DEAD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SAY_REJ_CONSUMER_OTHER, CM_DO_END, CM_DO_UNLINK_QPN, CM_DO_ORPHAN, CM_DO_DISCARD, CM_DO_DISOWN },
		.post = { CM_DO_SEND, CM_DO_CANCEL, CM_DO_PUT },
	},
	/* DESTROY, DESTROY_XRC, HANDLER_REFUSED, HANDLER_REFUSED_XRC, HANDLER_NOMEM, HANDLER_NOMEM_XRC: destroy.cc, contract: Destroy */
	[159] = {
		.next = CM_ID_DEAD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SAY_REJ_CONSUMER_REP, CM_DO_UNLINK_QPN, CM_DO_UNLINK_PEER, CM_DO_RELEASE, CM_DO_DISCARD,
			    CM_DO_DISOWN },
		.post = { CM_DO_SEND, CM_DO_CANCEL, CM_DO_PUT },
	},
	/* DESTROY, HANDLER_REFUSED, HANDLER_NOMEM: destroy.cc, contract: Destroy */
	[160] = {
		.next = CM_ID_DEAD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SAY_DREQ_ONCE, CM_DO_UNLINK_QPN, CM_DO_ORPHAN, CM_DO_DISCARD, CM_DO_DISOWN },
		.post = { CM_DO_SEND, CM_DO_CANCEL, CM_DO_PUT },
	},
	/* DESTROY_XRC, HANDLER_REFUSED_XRC, HANDLER_NOMEM_XRC: destroy.cc, stock: 5.5: XRC_TGT -> nothing */
	[161] = {
		.next = CM_ID_DEAD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_UNLINK_QPN, CM_DO_UNLINK_PEER, CM_DO_RELEASE, CM_DO_DISCARD, CM_DO_DISOWN },
		.post = { CM_DO_CANCEL, CM_DO_PUT },
	},
	/* DESTROY, DESTROY_XRC, HANDLER_REFUSED, HANDLER_REFUSED_XRC, HANDLER_NOMEM, HANDLER_NOMEM_XRC: destroy.cc, contract: Destroy */
	[162] = {
		.next = CM_ID_DEAD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_END, CM_DO_ORPHAN, CM_DO_DISCARD, CM_DO_DISOWN },
		.post = { CM_DO_CANCEL, CM_DO_PUT },
	},
	/* DESTROY, DESTROY_XRC, HANDLER_REFUSED, HANDLER_REFUSED_XRC, HANDLER_NOMEM, HANDLER_NOMEM_XRC: destroy.cc, contract: Destroy */
	[163] = {
		.next = CM_ID_DEAD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SAY_DREP, CM_DO_ORPHAN, CM_DO_DISCARD, CM_DO_DISOWN },
		.post = { CM_DO_SEND, CM_DO_CANCEL, CM_DO_PUT },
	},
	/* DESTROY, DESTROY_XRC, HANDLER_REFUSED, HANDLER_REFUSED_XRC, HANDLER_NOMEM, HANDLER_NOMEM_XRC: destroy.cc, contract: Timewait: the consumer's memory is free at once */
	[164] = {
		.next = CM_ID_DEAD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_ORPHAN, CM_DO_DISCARD, CM_DO_DISOWN },
		.post = { CM_DO_CANCEL, CM_DO_PUT },
	},
	/* DESTROY, DESTROY_XRC, HANDLER_REFUSED, HANDLER_REFUSED_XRC, HANDLER_NOMEM, HANDLER_NOMEM_XRC: destroy.cc, contract: Destroy */
	[165] = {
		.next = CM_ID_DEAD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_RELEASE, CM_DO_DISCARD, CM_DO_DISOWN },
		.post = { CM_DO_CANCEL, CM_DO_PUT },
	},
	/* DESTROY, DESTROY_XRC, HANDLER_REFUSED, HANDLER_REFUSED_XRC, HANDLER_NOMEM, HANDLER_NOMEM_XRC: destroy.cc, contract: Destroy */
	[166] = {
		.next = CM_ID_DEAD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_END, CM_DO_DISCARD, CM_DO_DISOWN },
		.post = { CM_DO_CANCEL, CM_DO_PUT },
	},
	/* DESTROY, DESTROY_XRC, HANDLER_REFUSED, HANDLER_REFUSED_XRC, HANDLER_NOMEM, HANDLER_NOMEM_XRC: destroy.cc, contract: Destroy */
	[167] = {
		.next = CM_ID_DEAD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SAY_SIDR_REJECT, CM_DO_UNLINK_SIDR, CM_DO_RELEASE, CM_DO_DISCARD, CM_DO_DISOWN },
		.post = { CM_DO_SEND, CM_DO_CANCEL, CM_DO_PUT },
	},
	/* DESTROY, DESTROY_XRC, HANDLER_REFUSED, HANDLER_REFUSED_XRC, HANDLER_NOMEM, HANDLER_NOMEM_XRC: destroy.cc, contract: Destroy: DEAD ignores a handler's return value */
	[168] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_LATE,
	},
	/* HANDLER_REFUSED, HANDLER_REFUSED_XRC, HANDLER_NOMEM, HANDLER_NOMEM_XRC: destroy.cc */
	[169] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* DESTROY, DESTROY_XRC, HANDLER_REFUSED, HANDLER_REFUSED_XRC, HANDLER_NOMEM, HANDLER_NOMEM_XRC: destroy.cc */
	[170] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* REMOVED: destroy.cc, contract: Removal: every affected id has had its terminal event and is GONE */
	[171] = {
		.next = CM_ID_GONE,
		.verdict = CM_HANDLE,
	},
	/* REMOVED: destroy.cc, contract: Removal: every affected id has had its terminal event and is GONE */
	[172] = {
		.next = CM_ID_GONE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_ENTRY_REMOVE },
		.post = { CM_DO_REJECT_QUEUED },
	},
	/* REMOVED: destroy.cc, contract: Removal: every affected id has had its terminal event and is GONE */
	[173] = {
		.next = CM_ID_DEAD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_UNLINK_QPN, CM_DO_UNLINK_PEER, CM_DO_RELEASE, CM_DO_DISOWN },
		.post = { CM_DO_PUT },
	},
	/* REMOVED: destroy.cc, contract: Removal: every affected id has had its terminal event and is GONE */
	[174] = {
		.next = CM_ID_DEAD,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_UNLINK_SIDR, CM_DO_RELEASE, CM_DO_DISOWN },
		.post = { CM_DO_PUT },
	},
	/* REMOVED: destroy.cc, contract: Removal: every affected id has had its terminal event and is GONE */
	[175] = {
		.next = CM_ID_GONE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_END, CM_DO_RELEASE, CM_DO_TELL_REQ_ERROR },
		.post = { CM_DO_KICK, CM_DO_PUT },
	},
	/* REMOVED: destroy.cc, contract: Removal: every affected id has had its terminal event and is GONE */
	[176] = {
		.next = CM_ID_GONE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_UNLINK_QPN, CM_DO_UNLINK_PEER, CM_DO_RELEASE, CM_DO_TELL_REJ_REMOVED },
		.post = { CM_DO_KICK },
	},
	/* REMOVED: destroy.cc, contract: Removal: every affected id has had its terminal event and is GONE */
	[177] = {
		.next = CM_ID_GONE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_END, CM_DO_UNLINK_QPN, CM_DO_UNLINK_PEER, CM_DO_RELEASE, CM_DO_TELL_REP_ERROR },
		.post = { CM_DO_KICK, CM_DO_PUT },
	},
	/* REMOVED: destroy.cc, field: 20: TIMEWAIT_EXIT is delivered */
	[178] = {
		.next = CM_ID_GONE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_UNLINK_QPN, CM_DO_UNLINK_PEER, CM_DO_RELEASE, CM_DO_TELL_TIMEWAIT_EXIT },
		.post = { CM_DO_KICK },
	},
	/* REMOVED: destroy.cc, field: 20: TIMEWAIT_EXIT is delivered */
	[179] = {
		.next = CM_ID_GONE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_END, CM_DO_UNLINK_PEER, CM_DO_RELEASE, CM_DO_TELL_TIMEWAIT_EXIT },
		.post = { CM_DO_KICK, CM_DO_PUT },
	},
	/* REMOVED: destroy.cc, field: 20: TIMEWAIT_EXIT is delivered */
	[180] = {
		.next = CM_ID_GONE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_UNLINK_PEER, CM_DO_RELEASE, CM_DO_TELL_TIMEWAIT_EXIT },
		.post = { CM_DO_KICK },
	},
	/* REMOVED: destroy.cc, contract: Removal: every affected id has had its terminal event and is GONE */
	[181] = {
		.next = CM_ID_GONE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_RELEASE, CM_DO_TELL_TIMEWAIT_EXIT },
		.post = { CM_DO_KICK },
	},
	/* REMOVED: destroy.cc, contract: Removal: every affected id has had its terminal event and is GONE */
	[182] = {
		.next = CM_ID_GONE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_END, CM_DO_TELL_SIDR_REQ_ERROR },
		.post = { CM_DO_KICK, CM_DO_PUT },
	},
	/* REMOVED: destroy.cc, contract: Removal: every affected id has had its terminal event and is GONE */
	[183] = {
		.next = CM_ID_GONE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_UNLINK_SIDR, CM_DO_RELEASE, CM_DO_TELL_SIDR_REQ_ERROR },
		.post = { CM_DO_KICK },
	},
	/* REMOVED: destroy.cc, contract: Removal: every affected id has had its terminal event and is GONE */
	[184] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_LATE,
	},
	/* REMOVED: destroy.cc */
	[185] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* CALL_LISTEN, CALL_LISTEN_TAKEN, CALL_REQ, CALL_REP, CALL_RTU, CALL_DREQ, CALL_DREP, CALL_REJ, CALL_MRA, CALL_MRA_DELAYED, CALL_SIDR_REQ, CALL_SIDR_REP, CALL_QP_INIT, CALL_QP_RTR, CALL_QP_RTS, CALL_COMM_EST, CALL_PATH_MIG, CALL_PATH_MIG_NONE: anywhere.cc */
	[186] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* CALL_LISTEN, CALL_LISTEN_TAKEN, CALL_REQ, CALL_REP, CALL_RTU, CALL_DREQ, CALL_DREP, CALL_REJ, CALL_MRA, CALL_MRA_DELAYED, CALL_SIDR_REQ, CALL_SIDR_REP, CALL_QP_INIT, CALL_QP_RTR, CALL_QP_RTS, CALL_COMM_EST, CALL_PATH_MIG, CALL_PATH_MIG_NONE: anywhere.cc, contract: 2: GONE: calls get -ENODEV */
	[187] = {
		.next = CM_STAY,
		.verdict = CM_INVALID,
		.error = ENODEV,
	},
	/* CALL_LISTEN, CALL_LISTEN_TAKEN, CALL_REQ, CALL_REP, CALL_RTU, CALL_DREQ, CALL_DREP, CALL_REJ, CALL_MRA, CALL_MRA_DELAYED, CALL_SIDR_REQ, CALL_SIDR_REP, CALL_QP_INIT, CALL_QP_RTR, CALL_QP_RTS, CALL_COMM_EST, CALL_PATH_MIG, CALL_PATH_MIG_NONE: anywhere.cc, contract: 2: DEAD: calls get -EINVAL */
	[188] = {
		.next = CM_STAY,
		.verdict = CM_INVALID,
		.error = EINVAL,
	},
	/* SEND_REFUSED: anywhere.cc */
	[189] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* SEND_REFUSED: anywhere.cc */
	[190] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* MRA_REQ, MRA_REP, MRA_LAP, REP, REP_REPEATED, REP_STALE, RTU, REJ, REJ_STALE, DREQ, DREP, LAP, APR, SIDR_REP: anywhere.cc */
	[191] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* FOREIGN: anywhere.cc, field: 35: counters move, nothing else */
	[192] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_FOREIGN,
	},
	/* WRONG_ROLE: anywhere.cc, field: 35: counters move, nothing else */
	[193] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_WRONG_ROLE,
	},
	/* LOST: anywhere.cc, contract: Events: the ring has a fixed depth; the peer repeats it */
	[194] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_BUSY,
	},
	/* TIMEOUT, EXPIRED, SEND_LOST, SEND_FAILED: anywhere.cc */
	[195] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* SEND_LOST: anywhere.cc, contract: Retries: a send error counts as a loss */
	[196] = {
		.next = CM_STAY,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_NOTE_ERROR },
	},
	/* OVERTAKEN: anywhere.cc, contract: 4: timers and completions carry the generation of the request */
	[197] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_LATE,
	},
	/* POSTPONED: anywhere.cc, contract: Events: delivery never depends on an allocation */
	[198] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_BUSY,
	},
};

static_assert(CM_ID_STATES < CM_STAY, "a state fits in a row");
static_assert(CM_ID_EVENTS <= 0xff, "an event fits in a rule");
static_assert(CM_ID_ROWS <= 0x100, "a row number fits in a cell");
static_assert(sizeof(cm_id_rows) == 16 * CM_ID_ROWS, "every row is there");

const u8 cm_id_prep[CM_ID_EVENTS][CM_EVENT_PREP] = {
	[CM_ID_ON_CALL_LISTEN] = { CM_DO_PREP_LISTENER },
	[CM_ID_ON_CALL_LISTEN_TAKEN] = { CM_DO_PREP_LISTENER },
	[CM_ID_ON_CALL_REQ] = { CM_DO_PREP_PATH, CM_DO_PREP_RECORD, CM_DO_PREP_IMAGE },
	[CM_ID_ON_CALL_REP] = { CM_DO_PREP_IMAGE },
	[CM_ID_ON_CALL_RTU] = { CM_DO_PREP_COPY },
	[CM_ID_ON_CALL_DREQ] = { CM_DO_PREP_IMAGE },
	[CM_ID_ON_CALL_DREP] = { CM_DO_PREP_COPY },
	[CM_ID_ON_CALL_MRA] = { CM_DO_PREP_COPY },
	[CM_ID_ON_CALL_MRA_DELAYED] = { CM_DO_PREP_COPY },
	[CM_ID_ON_CALL_SIDR_REQ] = { CM_DO_PREP_PATH, CM_DO_PREP_IMAGE },
	[CM_ID_ON_LAP] = { CM_DO_PREP_LAP },
};

/* The exact holders of each state, and how many of them own a reference. */
const u32 cm_id_want[CM_ID_STATES] = {
	[CM_ID_NONE] = 0,
	[CM_ID_IDLE] = CM_ID_HOLD_OWNER,
	[CM_ID_LISTEN] = CM_ID_HOLD_OWNER | CM_ID_HOLD_ENTRY,
	[CM_ID_REQ_NEW] = CM_ID_HOLD_OWNER | CM_ID_HOLD_PEER | CM_ID_HOLD_QPN | CM_ID_HOLD_RECORD,
	[CM_ID_REQ_SENT] = CM_ID_HOLD_OWNER | CM_ID_HOLD_REQUEST | CM_ID_HOLD_RECORD,
	[CM_ID_REQ_RCVD] = CM_ID_HOLD_OWNER | CM_ID_HOLD_PEER | CM_ID_HOLD_QPN | CM_ID_HOLD_RECORD,
	[CM_ID_MRA_REQ_SENT] = CM_ID_HOLD_OWNER | CM_ID_HOLD_PEER | CM_ID_HOLD_QPN | CM_ID_HOLD_RECORD,
	[CM_ID_MRA_REQ_RCVD] = CM_ID_HOLD_OWNER | CM_ID_HOLD_REQUEST | CM_ID_HOLD_RECORD,
	[CM_ID_REP_SENT] = CM_ID_HOLD_OWNER | CM_ID_HOLD_REQUEST | CM_ID_HOLD_PEER | CM_ID_HOLD_QPN | CM_ID_HOLD_RECORD,
	[CM_ID_REP_RCVD] = CM_ID_HOLD_OWNER | CM_ID_HOLD_PEER | CM_ID_HOLD_QPN | CM_ID_HOLD_RECORD,
	[CM_ID_MRA_REP_SENT] = CM_ID_HOLD_OWNER | CM_ID_HOLD_PEER | CM_ID_HOLD_QPN | CM_ID_HOLD_RECORD,
	[CM_ID_MRA_REP_RCVD] = CM_ID_HOLD_OWNER | CM_ID_HOLD_REQUEST | CM_ID_HOLD_PEER | CM_ID_HOLD_QPN | CM_ID_HOLD_RECORD,
	[CM_ID_ESTABLISHED] = CM_ID_HOLD_OWNER | CM_ID_HOLD_PEER | CM_ID_HOLD_QPN | CM_ID_HOLD_RECORD,
	[CM_ID_EST_LAP_IDLE] = CM_ID_HOLD_OWNER | CM_ID_HOLD_PEER | CM_ID_HOLD_QPN | CM_ID_HOLD_RECORD,
	[CM_ID_EST_LAP_SENT] = CM_ID_HOLD_OWNER | CM_ID_HOLD_PEER | CM_ID_HOLD_QPN | CM_ID_HOLD_RECORD,
	[CM_ID_EST_LAP_RCVD] = CM_ID_HOLD_OWNER | CM_ID_HOLD_PEER | CM_ID_HOLD_QPN | CM_ID_HOLD_RECORD,
	[CM_ID_EST_MRA_LAP_SENT] = CM_ID_HOLD_OWNER | CM_ID_HOLD_PEER | CM_ID_HOLD_QPN | CM_ID_HOLD_RECORD,
	[CM_ID_EST_MRA_LAP_RCVD] = CM_ID_HOLD_OWNER | CM_ID_HOLD_PEER | CM_ID_HOLD_QPN | CM_ID_HOLD_RECORD,
	[CM_ID_DREQ_SENT] = CM_ID_HOLD_OWNER | CM_ID_HOLD_REQUEST | CM_ID_HOLD_PEER | CM_ID_HOLD_RECORD,
	[CM_ID_DREQ_RCVD] = CM_ID_HOLD_OWNER | CM_ID_HOLD_PEER | CM_ID_HOLD_RECORD,
	[CM_ID_TIMEWAIT] = CM_ID_HOLD_OWNER | CM_ID_HOLD_PEER | CM_ID_HOLD_RECORD,
	[CM_ID_TIMEWAIT_STALE] = CM_ID_HOLD_OWNER | CM_ID_HOLD_RECORD,
	[CM_ID_SIDR_NEW] = CM_ID_HOLD_OWNER | CM_ID_HOLD_SIDR | CM_ID_HOLD_RECORD,
	[CM_ID_SIDR_REQ_SENT] = CM_ID_HOLD_OWNER | CM_ID_HOLD_REQUEST,
	[CM_ID_SIDR_REQ_RCVD] = CM_ID_HOLD_OWNER | CM_ID_HOLD_SIDR | CM_ID_HOLD_RECORD,
	[CM_ID_GONE] = CM_ID_HOLD_OWNER,
	[CM_ID_DEAD] = 0,
};

const u8 cm_id_counted[CM_ID_STATES] = {
	[CM_ID_NONE] = 0,
	[CM_ID_IDLE] = 1,
	[CM_ID_LISTEN] = 1,
	[CM_ID_REQ_NEW] = 1,
	[CM_ID_REQ_SENT] = 2,
	[CM_ID_REQ_RCVD] = 1,
	[CM_ID_MRA_REQ_SENT] = 1,
	[CM_ID_MRA_REQ_RCVD] = 2,
	[CM_ID_REP_SENT] = 2,
	[CM_ID_REP_RCVD] = 1,
	[CM_ID_MRA_REP_SENT] = 1,
	[CM_ID_MRA_REP_RCVD] = 2,
	[CM_ID_ESTABLISHED] = 1,
	[CM_ID_EST_LAP_IDLE] = 1,
	[CM_ID_EST_LAP_SENT] = 1,
	[CM_ID_EST_LAP_RCVD] = 1,
	[CM_ID_EST_MRA_LAP_SENT] = 1,
	[CM_ID_EST_MRA_LAP_RCVD] = 1,
	[CM_ID_DREQ_SENT] = 2,
	[CM_ID_DREQ_RCVD] = 1,
	[CM_ID_TIMEWAIT] = 1,
	[CM_ID_TIMEWAIT_STALE] = 1,
	[CM_ID_SIDR_NEW] = 1,
	[CM_ID_SIDR_REQ_SENT] = 2,
	[CM_ID_SIDR_REQ_RCVD] = 1,
	[CM_ID_GONE] = 1,
	[CM_ID_DEAD] = 0,
};

#ifdef __KERNEL__
/* What the consumer sees; CM_STAY where it sees nothing. */
const u8 cm_id_public_state[CM_ID_STATES] = {
	[CM_ID_NONE] = CM_STAY,
	[CM_ID_IDLE] = IB_CM_IDLE,
	[CM_ID_LISTEN] = IB_CM_LISTEN,
	[CM_ID_REQ_NEW] = IB_CM_REQ_RCVD,
	[CM_ID_REQ_SENT] = IB_CM_REQ_SENT,
	[CM_ID_REQ_RCVD] = IB_CM_REQ_RCVD,
	[CM_ID_MRA_REQ_SENT] = IB_CM_MRA_REQ_SENT,
	[CM_ID_MRA_REQ_RCVD] = IB_CM_MRA_REQ_RCVD,
	[CM_ID_REP_SENT] = IB_CM_REP_SENT,
	[CM_ID_REP_RCVD] = IB_CM_REP_RCVD,
	[CM_ID_MRA_REP_SENT] = IB_CM_MRA_REP_SENT,
	[CM_ID_MRA_REP_RCVD] = IB_CM_MRA_REP_RCVD,
	[CM_ID_ESTABLISHED] = IB_CM_ESTABLISHED,
	[CM_ID_EST_LAP_IDLE] = IB_CM_ESTABLISHED,
	[CM_ID_EST_LAP_SENT] = IB_CM_ESTABLISHED,
	[CM_ID_EST_LAP_RCVD] = IB_CM_ESTABLISHED,
	[CM_ID_EST_MRA_LAP_SENT] = IB_CM_ESTABLISHED,
	[CM_ID_EST_MRA_LAP_RCVD] = IB_CM_ESTABLISHED,
	[CM_ID_DREQ_SENT] = IB_CM_DREQ_SENT,
	[CM_ID_DREQ_RCVD] = IB_CM_DREQ_RCVD,
	[CM_ID_TIMEWAIT] = IB_CM_TIMEWAIT,
	[CM_ID_TIMEWAIT_STALE] = IB_CM_TIMEWAIT,
	[CM_ID_SIDR_NEW] = IB_CM_SIDR_REQ_RCVD,
	[CM_ID_SIDR_REQ_SENT] = IB_CM_SIDR_REQ_SENT,
	[CM_ID_SIDR_REQ_RCVD] = IB_CM_SIDR_REQ_RCVD,
	[CM_ID_GONE] = IB_CM_IDLE,
	[CM_ID_DEAD] = IB_CM_IDLE,
};

/* CM_STAY where the alternate path does not matter. */
const u8 cm_id_public_lap[CM_ID_STATES] = {
	[CM_ID_NONE] = IB_CM_LAP_UNINIT,
	[CM_ID_IDLE] = IB_CM_LAP_UNINIT,
	[CM_ID_LISTEN] = IB_CM_LAP_UNINIT,
	[CM_ID_REQ_NEW] = IB_CM_LAP_UNINIT,
	[CM_ID_REQ_SENT] = IB_CM_LAP_UNINIT,
	[CM_ID_REQ_RCVD] = IB_CM_LAP_UNINIT,
	[CM_ID_MRA_REQ_SENT] = IB_CM_LAP_UNINIT,
	[CM_ID_MRA_REQ_RCVD] = IB_CM_LAP_UNINIT,
	[CM_ID_REP_SENT] = IB_CM_LAP_UNINIT,
	[CM_ID_REP_RCVD] = IB_CM_LAP_UNINIT,
	[CM_ID_MRA_REP_SENT] = IB_CM_LAP_UNINIT,
	[CM_ID_MRA_REP_RCVD] = IB_CM_LAP_UNINIT,
	[CM_ID_ESTABLISHED] = IB_CM_LAP_UNINIT,
	[CM_ID_EST_LAP_IDLE] = IB_CM_LAP_IDLE,
	[CM_ID_EST_LAP_SENT] = IB_CM_LAP_SENT,
	[CM_ID_EST_LAP_RCVD] = IB_CM_LAP_RCVD,
	[CM_ID_EST_MRA_LAP_SENT] = IB_CM_MRA_LAP_SENT,
	[CM_ID_EST_MRA_LAP_RCVD] = IB_CM_MRA_LAP_RCVD,
	[CM_ID_DREQ_SENT] = IB_CM_LAP_UNINIT,
	[CM_ID_DREQ_RCVD] = IB_CM_LAP_UNINIT,
	[CM_ID_TIMEWAIT] = IB_CM_LAP_UNINIT,
	[CM_ID_TIMEWAIT_STALE] = IB_CM_LAP_UNINIT,
	[CM_ID_SIDR_NEW] = IB_CM_LAP_UNINIT,
	[CM_ID_SIDR_REQ_SENT] = IB_CM_LAP_UNINIT,
	[CM_ID_SIDR_REQ_RCVD] = IB_CM_LAP_UNINIT,
	[CM_ID_GONE] = IB_CM_LAP_UNINIT,
	[CM_ID_DEAD] = IB_CM_LAP_UNINIT,
};

static_assert((0
	       | (1u << IB_CM_IDLE)
	       | (1u << IB_CM_LISTEN)
	       | (1u << IB_CM_REQ_RCVD)
	       | (1u << IB_CM_REQ_SENT)
	       | (1u << IB_CM_MRA_REQ_SENT)
	       | (1u << IB_CM_MRA_REQ_RCVD)
	       | (1u << IB_CM_REP_SENT)
	       | (1u << IB_CM_REP_RCVD)
	       | (1u << IB_CM_MRA_REP_SENT)
	       | (1u << IB_CM_MRA_REP_RCVD)
	       | (1u << IB_CM_ESTABLISHED)
	       | (1u << IB_CM_DREQ_SENT)
	       | (1u << IB_CM_DREQ_RCVD)
	       | (1u << IB_CM_TIMEWAIT)
	       | (1u << IB_CM_SIDR_REQ_RCVD)
	       | (1u << IB_CM_SIDR_REQ_SENT)
	      ) == (1u << (IB_CM_SIDR_REQ_RCVD + 1)) - 1, "every public state is some state of ours");
static_assert(IB_CM_SIDR_REQ_RCVD == 15, "enum ib_cm_state is the one that the model knows");
#endif

/* ---- The machine "share": who has a listener ---- */

#define CM_SHARE_LINE(FREE, SINGLE, SHARED, SINGLE_OUT, SHARED_OUT) { \
	[CM_SHARE_FREE] = FREE, \
	[CM_SHARE_SINGLE] = SINGLE, \
	[CM_SHARE_SHARED] = SHARED, \
	[CM_SHARE_SINGLE_OUT] = SINGLE_OUT, \
	[CM_SHARE_SHARED_OUT] = SHARED_OUT, \
}

/*
 * Which row answers an event (line) in a state (column).
 *
 *                                                FREE
 *                                                |   SINGLE
 *                                                |   |   SHARED
 *                                                |   |   |   SINGLE_OUT
 *                                                |   |   |   |   SHARED_OUT
 */
const u8 cm_share_cells[CM_SHARE_EVENTS][CM_SHARE_STATES] = {
	[CM_SHARE_ON_LISTEN]       = CM_SHARE_LINE(  1,  2,  2,  6,  6),
	[CM_SHARE_ON_INSERT]       = CM_SHARE_LINE(  1,  3,  4,  6,  6),
	[CM_SHARE_ON_INSERT_OTHER] = CM_SHARE_LINE(  7,  5,  5,  6,  6),
	[CM_SHARE_ON_DROP]         = CM_SHARE_LINE( 15, 13,  8, 13,  8),
	[CM_SHARE_ON_DROP_TO_ONE]  = CM_SHARE_LINE( 15, 13,  9, 13, 10),
	[CM_SHARE_ON_DROP_LAST]    = CM_SHARE_LINE( 15, 11, 14, 12, 14),
	[CM_SHARE_ON_REMOVED]      = CM_SHARE_LINE( 18, 16, 17, 18, 18),
};

const struct cm_row cm_share_rows[CM_SHARE_ROWS] = {
	/* a cell that nobody wrote */
	[0] = { .next = CM_STAY, .verdict = CM_NEVER },
	/* LISTEN, INSERT: share.cc, stock: 6: listen, insert_listen: IDLE -> LISTEN */
	[1] = {
		.next = CM_SHARE_SINGLE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SHARE_PUBLISH },
	},
	/* LISTEN: share.cc, stock: 6: listen: -EBUSY */
	[2] = {
		.next = CM_STAY,
		.verdict = CM_INVALID,
		.error = EBUSY,
	},
	/* INSERT: share.cc, contract: Shared listen */
	[3] = {
		.next = CM_SHARE_SHARED,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SHARE_ADD },
	},
	/* INSERT: share.cc, contract: Shared listen */
	[4] = {
		.next = CM_STAY,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SHARE_ADD },
	},
	/* INSERT_OTHER: share.cc, field: 29: same id, other handler */
	[5] = {
		.next = CM_STAY,
		.verdict = CM_INVALID,
		.error = EINVAL,
	},
	/* LISTEN, INSERT, INSERT_OTHER: share.cc */
	[6] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* INSERT_OTHER: share.cc */
	[7] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* DROP: share.cc, contract: Shared listen */
	[8] = {
		.next = CM_STAY,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SHARE_DROP },
	},
	/* DROP_TO_ONE: share.cc, contract: Shared listen */
	[9] = {
		.next = CM_SHARE_SINGLE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SHARE_DROP },
	},
	/* DROP_TO_ONE: share.cc, contract: Shared listen */
	[10] = {
		.next = CM_SHARE_SINGLE_OUT,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SHARE_DROP },
	},
	/* DROP_LAST: share.cc, contract: Shared listen */
	[11] = {
		.next = CM_SHARE_FREE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SHARE_DROP, CM_DO_SHARE_RETRACT },
	},
	/* DROP_LAST: share.cc, contract: Shared listen */
	[12] = {
		.next = CM_SHARE_FREE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SHARE_DROP },
	},
	/* DROP, DROP_TO_ONE: share.cc */
	[13] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* DROP_LAST: share.cc */
	[14] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* DROP, DROP_TO_ONE, DROP_LAST: share.cc */
	[15] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* REMOVED: share.cc, contract: Removal */
	[16] = {
		.next = CM_SHARE_SINGLE_OUT,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SHARE_RETRACT },
	},
	/* REMOVED: share.cc, contract: Removal */
	[17] = {
		.next = CM_SHARE_SHARED_OUT,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_SHARE_RETRACT },
	},
	/* REMOVED: share.cc, contract: Removal */
	[18] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_LATE,
	},
};

static_assert(CM_SHARE_STATES < CM_STAY, "a state fits in a row");
static_assert(CM_SHARE_EVENTS <= 0xff, "an event fits in a rule");
static_assert(CM_SHARE_ROWS <= 0x100, "a row number fits in a cell");
static_assert(sizeof(cm_share_rows) == 16 * CM_SHARE_ROWS, "every row is there");

const u8 cm_share_prep[CM_SHARE_EVENTS][CM_EVENT_PREP] = {
	[0] = { CM_DO_NOTHING },
};

/* The exact holders of each state, and how many of them own a reference. */
const u32 cm_share_want[CM_SHARE_STATES] = {
	[CM_SHARE_FREE] = 0,
	[CM_SHARE_SINGLE] = CM_SHARE_HOLD_TABLE,
	[CM_SHARE_SHARED] = CM_SHARE_HOLD_TABLE,
	[CM_SHARE_SINGLE_OUT] = 0,
	[CM_SHARE_SHARED_OUT] = 0,
};

const u8 cm_share_counted[CM_SHARE_STATES] = {
	[CM_SHARE_FREE] = 0,
	[CM_SHARE_SINGLE] = 0,
	[CM_SHARE_SHARED] = 0,
	[CM_SHARE_SINGLE_OUT] = 0,
	[CM_SHARE_SHARED_OUT] = 0,
};

/* ---- The machine "tw": a connection record ---- */

#define CM_TW_LINE(FREE, RESERVED, LINKED, EXPIRING, ORPHAN) { \
	[CM_TW_FREE] = FREE, \
	[CM_TW_RESERVED] = RESERVED, \
	[CM_TW_LINKED] = LINKED, \
	[CM_TW_EXPIRING] = EXPIRING, \
	[CM_TW_ORPHAN] = ORPHAN, \
}

/*
 * Which row answers an event (line) in a state (column).
 *
 *                                       FREE
 *                                       |   RESERVED
 *                                       |   |   LINKED
 *                                       |   |   |   EXPIRING
 *                                       |   |   |   |   ORPHAN
 */
const u8 cm_tw_cells[CM_TW_EVENTS][CM_TW_STATES] = {
	[CM_TW_ON_RESERVE]   = CM_TW_LINE(  1,  2,  2,  2,  2),
	[CM_TW_ON_START]     = CM_TW_LINE(  4,  3,  4,  4,  4),
	[CM_TW_ON_ORPHAN]    = CM_TW_LINE(  8,  5,  6,  7,  8),
	[CM_TW_ON_ANSWERED]  = CM_TW_LINE( 10,  9, 10, 10, 10),
	[CM_TW_ON_RELEASE]   = CM_TW_LINE( 13, 11, 12, 11, 13),
	[CM_TW_ON_EXPIRED]   = CM_TW_LINE( 16, 16, 14, 16, 15),
	[CM_TW_ON_POSTPONED] = CM_TW_LINE( 18, 18, 18, 17, 18),
	[CM_TW_ON_DREQ]      = CM_TW_LINE( 22, 22, 22, 22, 19),
	[CM_TW_ON_REPEATED]  = CM_TW_LINE( 22, 22, 22, 22, 20),
	[CM_TW_ON_OTHER]     = CM_TW_LINE( 22, 22, 22, 22, 21),
	[CM_TW_ON_REMOVED]   = CM_TW_LINE( 24, 24, 24, 24, 23),
};

const struct cm_row cm_tw_rows[CM_TW_ROWS] = {
	/* a cell that nobody wrote */
	[0] = { .next = CM_STAY, .verdict = CM_NEVER },
	/* RESERVE: timewait.cc, contract: Timewait */
	[1] = {
		.next = CM_TW_RESERVED,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_TW_BIND },
	},
	/* RESERVE: timewait.cc */
	[2] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* START: timewait.cc, contract: Timewait */
	[3] = {
		.next = CM_TW_LINKED,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_TW_QUEUE },
	},
	/* START: timewait.cc */
	[4] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* ORPHAN: timewait.cc, contract: Timewait */
	[5] = {
		.next = CM_TW_ORPHAN,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_TW_UNBIND, CM_DO_TW_HAND_OVER, CM_DO_TW_QUEUE },
	},
	/* ORPHAN: timewait.cc, contract: Timewait */
	[6] = {
		.next = CM_TW_ORPHAN,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_TW_UNBIND, CM_DO_TW_HAND_OVER },
	},
	/* ORPHAN: timewait.cc, contract: Timewait */
	[7] = {
		.next = CM_TW_FREE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_TW_UNBIND },
		.post = { CM_DO_TW_FREE },
	},
	/* ORPHAN: timewait.cc */
	[8] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* ANSWERED: timewait.cc, field: 26: a duplicate after the reply */
	[9] = {
		.next = CM_TW_ORPHAN,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_TW_UNBIND, CM_DO_TW_QUEUE },
	},
	/* ANSWERED: timewait.cc */
	[10] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* RELEASE: timewait.cc, contract: Timewait */
	[11] = {
		.next = CM_TW_FREE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_TW_UNBIND },
		.post = { CM_DO_TW_FREE },
	},
	/* RELEASE: timewait.cc, contract: Removal */
	[12] = {
		.next = CM_TW_FREE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_TW_UNQUEUE, CM_DO_TW_UNBIND },
		.post = { CM_DO_TW_FREE },
	},
	/* RELEASE: timewait.cc */
	[13] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* EXPIRED: timewait.cc, contract: Timewait */
	[14] = {
		.next = CM_TW_EXPIRING,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_TW_UNQUEUE },
		.post = { CM_DO_TW_TELL_ID },
	},
	/* EXPIRED: timewait.cc, contract: Timewait */
	[15] = {
		.next = CM_TW_FREE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_TW_UNQUEUE },
		.post = { CM_DO_TW_FREE_ID, CM_DO_TW_FREE },
	},
	/* EXPIRED: timewait.cc */
	[16] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* POSTPONED: timewait.cc, contract: Events */
	[17] = {
		.next = CM_TW_LINKED,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_TW_QUEUE },
	},
	/* POSTPONED: timewait.cc */
	[18] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* DREQ: timewait.cc, field: 11: DREP lost, or the id already destroyed */
	[19] = {
		.next = CM_STAY,
		.verdict = CM_RESEND,
		.post = { CM_DO_TW_ANSWER },
	},
	/* REPEATED: timewait.cc, field: 26: reply re-sent */
	[20] = {
		.next = CM_STAY,
		.verdict = CM_RESEND,
		.post = { CM_DO_TW_ANSWER },
	},
	/* OTHER: timewait.cc, contract: Timewait */
	[21] = {
		.next = CM_STAY,
		.verdict = CM_IGNORE,
		.why = CM_WHY_LATE,
	},
	/* DREQ, REPEATED, OTHER: timewait.cc */
	[22] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
	/* REMOVED: timewait.cc, contract: Removal */
	[23] = {
		.next = CM_TW_FREE,
		.verdict = CM_HANDLE,
		.locked = { CM_DO_TW_UNQUEUE },
		.post = { CM_DO_TW_FREE_ID, CM_DO_TW_FREE },
	},
	/* REMOVED: timewait.cc */
	[24] = {
		.next = CM_STAY,
		.verdict = CM_NEVER,
	},
};

static_assert(CM_TW_STATES < CM_STAY, "a state fits in a row");
static_assert(CM_TW_EVENTS <= 0xff, "an event fits in a rule");
static_assert(CM_TW_ROWS <= 0x100, "a row number fits in a cell");
static_assert(sizeof(cm_tw_rows) == 16 * CM_TW_ROWS, "every row is there");

const u8 cm_tw_prep[CM_TW_EVENTS][CM_EVENT_PREP] = {
	[0] = { CM_DO_NOTHING },
};

/* The exact holders of each state, and how many of them own a reference. */
const u32 cm_tw_want[CM_TW_STATES] = {
	[CM_TW_FREE] = 0,
	[CM_TW_RESERVED] = CM_TW_HOLD_ID,
	[CM_TW_LINKED] = CM_TW_HOLD_ID | CM_TW_HOLD_QUEUE,
	[CM_TW_EXPIRING] = CM_TW_HOLD_ID,
	[CM_TW_ORPHAN] = CM_TW_HOLD_QUEUE,
};

const u8 cm_tw_counted[CM_TW_STATES] = {
	[CM_TW_FREE] = 0,
	[CM_TW_RESERVED] = 0,
	[CM_TW_LINKED] = 0,
	[CM_TW_EXPIRING] = 0,
	[CM_TW_ORPHAN] = 0,
};

/* ---- What classification decides ---- */

static const struct cm_rule cm_decide_req[] = {
	{
		.mask = CM_FACT_SUPPORTED,
		.want = 0,
		.event = CM_ID_ON_REQ_UNSUPPORTED,
	},
	{
		.mask = CM_FACT_CLAIM_REPEATED,
		.want = CM_FACT_CLAIM_REPEATED,
		.event = CM_ID_ON_REQ_REPEATED,
	},
	{
		.mask = CM_FACT_CLAIM_STALE,
		.want = CM_FACT_CLAIM_STALE,
		.event = CM_ID_ON_REQ_STALE,
	},
	{
		.mask = CM_FACT_SERVICE_KNOWN,
		.want = 0,
		.event = CM_ID_ON_REQ_NO_LISTENER,
	},
	{
		.mask = CM_FACT_BACKLOG_ROOM,
		.want = 0,
		.event = CM_ID_ON_LOST,
	},
	{
		.mask = CM_FACT_CLAIMED,
		.want = CM_FACT_CLAIMED,
		.event = CM_ID_ON_REQ_FRESH,
	},
	{
		.event = CM_ID_ON_LOST,
	},
};

static const struct cm_rule cm_decide_stale[] = {
	{
		.mask = CM_FACT_KNOWN,
		.want = 0,
		.event = CM_ID_ON_FOREIGN,
	},
	{
		.event = CM_ID_ON_PEER_RESTARTED,
	},
};

static const struct cm_rule cm_decide_mra[] = {
	{
		.mask = CM_FACT_KNOWN,
		.want = 0,
		.event = CM_ID_ON_FOREIGN,
	},
	{
		.mask = CM_FACT_SOURCE_OK,
		.want = 0,
		.event = CM_ID_ON_FOREIGN,
	},
	{
		.mask = CM_FACT_PEER_KNOWN | CM_FACT_IDS_MATCH,
		.want = CM_FACT_PEER_KNOWN,
		.event = CM_ID_ON_FOREIGN,
	},
	{
		.mask = CM_FACT_PEER_KNOWN | CM_FACT_TID_MATCH,
		.want = 0,
		.event = CM_ID_ON_FOREIGN,
	},
	{
		.mask = CM_FACT_ABOUT_REQ | CM_FACT_ACTIVE,
		.want = CM_FACT_ABOUT_REQ,
		.event = CM_ID_ON_WRONG_ROLE,
	},
	{
		.mask = CM_FACT_ABOUT_REP | CM_FACT_ACTIVE,
		.want = CM_FACT_ABOUT_REP | CM_FACT_ACTIVE,
		.event = CM_ID_ON_WRONG_ROLE,
	},
	{
		.mask = CM_FACT_ROOM,
		.want = 0,
		.event = CM_ID_ON_LOST,
	},
	{
		.mask = CM_FACT_ABOUT_REQ,
		.want = CM_FACT_ABOUT_REQ,
		.event = CM_ID_ON_MRA_REQ,
	},
	{
		.mask = CM_FACT_ABOUT_REP,
		.want = CM_FACT_ABOUT_REP,
		.event = CM_ID_ON_MRA_REP,
	},
	{
		.event = CM_ID_ON_MRA_LAP,
	},
};

static const struct cm_rule cm_decide_rep[] = {
	{
		.mask = CM_FACT_KNOWN,
		.want = 0,
		.event = CM_ID_ON_REP_UNKNOWN,
	},
	{
		.mask = CM_FACT_SOURCE_OK,
		.want = 0,
		.event = CM_ID_ON_FOREIGN,
	},
	{
		.mask = CM_FACT_PEER_KNOWN | CM_FACT_IDS_MATCH,
		.want = CM_FACT_PEER_KNOWN,
		.event = CM_ID_ON_FOREIGN,
	},
	{
		.mask = CM_FACT_PEER_KNOWN | CM_FACT_ACTIVE,
		.want = CM_FACT_PEER_KNOWN,
		.event = CM_ID_ON_WRONG_ROLE,
	},
	{
		.mask = CM_FACT_PEER_KNOWN,
		.want = CM_FACT_PEER_KNOWN,
		.event = CM_ID_ON_REP_REPEATED,
	},
	{
		.mask = CM_FACT_TID_MATCH,
		.want = 0,
		.event = CM_ID_ON_FOREIGN,
	},
	{
		.mask = CM_FACT_TRIED,
		.want = 0,
		.event = CM_ID_ON_REP_UNKNOWN,
	},
	{
		.mask = CM_FACT_CLAIM_REPEATED,
		.want = CM_FACT_CLAIM_REPEATED,
		.event = CM_ID_ON_REP_REPEATED,
	},
	{
		.mask = CM_FACT_ROOM,
		.want = 0,
		.event = CM_ID_ON_LOST,
	},
	{
		.mask = CM_FACT_CLAIM_STALE,
		.want = CM_FACT_CLAIM_STALE,
		.event = CM_ID_ON_REP_STALE,
	},
	{
		.mask = CM_FACT_CLAIMED,
		.want = CM_FACT_CLAIMED,
		.event = CM_ID_ON_REP,
	},
	{
		.event = CM_ID_ON_LOST,
	},
};

static const struct cm_rule cm_decide_rtu[] = {
	{
		.mask = CM_FACT_KNOWN,
		.want = 0,
		.event = CM_ID_ON_FOREIGN,
	},
	{
		.mask = CM_FACT_SOURCE_OK,
		.want = 0,
		.event = CM_ID_ON_FOREIGN,
	},
	{
		.mask = CM_FACT_IDS_MATCH,
		.want = 0,
		.event = CM_ID_ON_FOREIGN,
	},
	{
		.mask = CM_FACT_ACTIVE,
		.want = CM_FACT_ACTIVE,
		.event = CM_ID_ON_WRONG_ROLE,
	},
	{
		.mask = CM_FACT_ROOM,
		.want = 0,
		.event = CM_ID_ON_LOST,
	},
	{
		.event = CM_ID_ON_RTU,
	},
};

static const struct cm_rule cm_decide_rej[] = {
	{
		.mask = CM_FACT_KNOWN,
		.want = 0,
		.event = CM_ID_ON_FOREIGN,
	},
	{
		.mask = CM_FACT_SOURCE_OK,
		.want = 0,
		.event = CM_ID_ON_FOREIGN,
	},
	{
		.mask = CM_FACT_PEER_KNOWN | CM_FACT_IDS_MATCH,
		.want = CM_FACT_PEER_KNOWN,
		.event = CM_ID_ON_FOREIGN,
	},
	{
		.mask = CM_FACT_PEER_KNOWN | CM_FACT_TID_MATCH,
		.want = 0,
		.event = CM_ID_ON_FOREIGN,
	},
	{
		.mask = CM_FACT_ROOM,
		.want = 0,
		.event = CM_ID_ON_LOST,
	},
	{
		.mask = CM_FACT_REASON_STALE,
		.want = CM_FACT_REASON_STALE,
		.event = CM_ID_ON_REJ_STALE,
	},
	{
		.event = CM_ID_ON_REJ,
	},
};

static const struct cm_rule cm_decide_dreq[] = {
	{
		.mask = CM_FACT_KNOWN,
		.want = 0,
		.event = CM_ID_ON_DREQ_UNKNOWN,
	},
	{
		.mask = CM_FACT_SOURCE_OK,
		.want = 0,
		.event = CM_ID_ON_FOREIGN,
	},
	{
		.mask = CM_FACT_PEER_KNOWN,
		.want = 0,
		.event = CM_ID_ON_DREQ_UNKNOWN,
	},
	{
		.mask = CM_FACT_IDS_MATCH,
		.want = 0,
		.event = CM_ID_ON_FOREIGN,
	},
	{
		.mask = CM_FACT_QPN_MATCH,
		.want = 0,
		.event = CM_ID_ON_FOREIGN,
	},
	{
		.mask = CM_FACT_ROOM,
		.want = 0,
		.event = CM_ID_ON_LOST,
	},
	{
		.event = CM_ID_ON_DREQ,
	},
};

static const struct cm_rule cm_decide_drep[] = {
	{
		.mask = CM_FACT_KNOWN,
		.want = 0,
		.event = CM_ID_ON_FOREIGN,
	},
	{
		.mask = CM_FACT_SOURCE_OK,
		.want = 0,
		.event = CM_ID_ON_FOREIGN,
	},
	{
		.mask = CM_FACT_IDS_MATCH,
		.want = 0,
		.event = CM_ID_ON_FOREIGN,
	},
	{
		.mask = CM_FACT_ROOM,
		.want = 0,
		.event = CM_ID_ON_LOST,
	},
	{
		.event = CM_ID_ON_DREP,
	},
};

static const struct cm_rule cm_decide_lap[] = {
	{
		.mask = CM_FACT_KNOWN,
		.want = 0,
		.event = CM_ID_ON_FOREIGN,
	},
	{
		.mask = CM_FACT_SOURCE_OK,
		.want = 0,
		.event = CM_ID_ON_FOREIGN,
	},
	{
		.mask = CM_FACT_IDS_MATCH,
		.want = 0,
		.event = CM_ID_ON_FOREIGN,
	},
	{
		.mask = CM_FACT_QPN_MATCH,
		.want = 0,
		.event = CM_ID_ON_FOREIGN,
	},
	{
		.mask = CM_FACT_LAP_PATH,
		.want = 0,
		.event = CM_ID_ON_FOREIGN,
	},
	{
		.mask = CM_FACT_ROOM,
		.want = 0,
		.event = CM_ID_ON_LOST,
	},
	{
		.event = CM_ID_ON_LAP,
	},
};

static const struct cm_rule cm_decide_apr[] = {
	{
		.mask = CM_FACT_KNOWN,
		.want = 0,
		.event = CM_ID_ON_FOREIGN,
	},
	{
		.mask = CM_FACT_SOURCE_OK,
		.want = 0,
		.event = CM_ID_ON_FOREIGN,
	},
	{
		.mask = CM_FACT_IDS_MATCH,
		.want = 0,
		.event = CM_ID_ON_FOREIGN,
	},
	{
		.mask = CM_FACT_ROOM,
		.want = 0,
		.event = CM_ID_ON_LOST,
	},
	{
		.event = CM_ID_ON_APR,
	},
};

static const struct cm_rule cm_decide_sidr_req[] = {
	{
		.mask = CM_FACT_CLAIM_REPEATED,
		.want = CM_FACT_CLAIM_REPEATED,
		.event = CM_ID_ON_SIDR_REQ_REPEATED,
	},
	{
		.mask = CM_FACT_SERVICE_KNOWN,
		.want = 0,
		.event = CM_ID_ON_SIDR_REQ_NO_LISTENER,
	},
	{
		.mask = CM_FACT_BACKLOG_ROOM,
		.want = 0,
		.event = CM_ID_ON_LOST,
	},
	{
		.mask = CM_FACT_CLAIMED,
		.want = CM_FACT_CLAIMED,
		.event = CM_ID_ON_SIDR_REQ_FRESH,
	},
	{
		.event = CM_ID_ON_LOST,
	},
};

static const struct cm_rule cm_decide_sidr_rep[] = {
	{
		.mask = CM_FACT_KNOWN,
		.want = 0,
		.event = CM_ID_ON_FOREIGN,
	},
	{
		.mask = CM_FACT_TID_MATCH,
		.want = 0,
		.event = CM_ID_ON_FOREIGN,
	},
	{
		.mask = CM_FACT_SOURCE_OK,
		.want = 0,
		.event = CM_ID_ON_FOREIGN,
	},
	{
		.mask = CM_FACT_ROOM,
		.want = 0,
		.event = CM_ID_ON_LOST,
	},
	{
		.event = CM_ID_ON_SIDR_REP,
	},
};

static const struct cm_rule cm_decide_timeout[] = {
	{
		.mask = CM_FACT_CURRENT,
		.want = 0,
		.event = CM_ID_ON_OVERTAKEN,
	},
	{
		.mask = CM_FACT_SENDS_LEFT,
		.want = CM_FACT_SENDS_LEFT,
		.event = CM_ID_ON_TIMEOUT,
	},
	{
		.mask = CM_FACT_ROOM,
		.want = 0,
		.event = CM_ID_ON_POSTPONED,
	},
	{
		.event = CM_ID_ON_EXPIRED,
	},
};

static const struct cm_rule cm_decide_send_error[] = {
	{
		.mask = CM_FACT_CURRENT,
		.want = 0,
		.event = CM_ID_ON_OVERTAKEN,
	},
	{
		.mask = CM_FACT_ERRORS_LEFT,
		.want = CM_FACT_ERRORS_LEFT,
		.event = CM_ID_ON_SEND_LOST,
	},
	{
		.mask = CM_FACT_ROOM,
		.want = 0,
		.event = CM_ID_ON_POSTPONED,
	},
	{
		.event = CM_ID_ON_SEND_FAILED,
	},
};

static const struct cm_rule cm_decide_refused[] = {
	{
		.mask = CM_FACT_CURRENT,
		.want = 0,
		.event = CM_ID_ON_OVERTAKEN,
	},
	{
		.event = CM_ID_ON_SEND_REFUSED,
	},
};

static const struct cm_rule cm_decide_tw_expiry[] = {
	{
		.mask = CM_FACT_CURRENT,
		.want = 0,
		.event = CM_ID_ON_OVERTAKEN,
	},
	{
		.mask = CM_FACT_ROOM,
		.want = 0,
		.event = CM_ID_ON_POSTPONED,
	},
	{
		.event = CM_ID_ON_TW_EXPIRED,
	},
};

static const struct cm_rule cm_decide_call_listen[] = {
	{
		.mask = CM_FACT_SERVICE_TAKEN,
		.want = CM_FACT_SERVICE_TAKEN,
		.event = CM_ID_ON_CALL_LISTEN_TAKEN,
	},
	{
		.event = CM_ID_ON_CALL_LISTEN,
	},
};

static const struct cm_rule cm_decide_call_mra[] = {
	{
		.mask = CM_FACT_DELAYED,
		.want = CM_FACT_DELAYED,
		.event = CM_ID_ON_CALL_MRA_DELAYED,
	},
	{
		.event = CM_ID_ON_CALL_MRA,
	},
};

static const struct cm_rule cm_decide_call_comm_est[] = {
	{
		.mask = CM_FACT_ROOM,
		.want = 0,
		.event = CM_ID_ON_POSTPONED,
	},
	{
		.event = CM_ID_ON_CALL_COMM_EST,
	},
};

static const struct cm_rule cm_decide_call_path_mig[] = {
	{
		.mask = CM_FACT_HAS_ALTERNATE,
		.want = 0,
		.event = CM_ID_ON_CALL_PATH_MIG_NONE,
	},
	{
		.event = CM_ID_ON_CALL_PATH_MIG,
	},
};

static const struct cm_rule cm_decide_destroy[] = {
	{
		.mask = CM_FACT_XRC_TARGET,
		.want = CM_FACT_XRC_TARGET,
		.event = CM_ID_ON_DESTROY_XRC,
	},
	{
		.event = CM_ID_ON_DESTROY,
	},
};

static const struct cm_rule cm_decide_handler[] = {
	{
		.mask = CM_FACT_NOMEM | CM_FACT_XRC_TARGET,
		.want = CM_FACT_NOMEM | CM_FACT_XRC_TARGET,
		.event = CM_ID_ON_HANDLER_NOMEM_XRC,
	},
	{
		.mask = CM_FACT_NOMEM,
		.want = CM_FACT_NOMEM,
		.event = CM_ID_ON_HANDLER_NOMEM,
	},
	{
		.mask = CM_FACT_XRC_TARGET,
		.want = CM_FACT_XRC_TARGET,
		.event = CM_ID_ON_HANDLER_REFUSED_XRC,
	},
	{
		.event = CM_ID_ON_HANDLER_REFUSED,
	},
};

static const struct cm_rule cm_decide_share[] = {
	{
		.mask = CM_FACT_EXCLUSIVE,
		.want = CM_FACT_EXCLUSIVE,
		.event = CM_SHARE_ON_LISTEN,
	},
	{
		.mask = CM_FACT_SAME_OWNER,
		.want = CM_FACT_SAME_OWNER,
		.event = CM_SHARE_ON_INSERT,
	},
	{
		.event = CM_SHARE_ON_INSERT_OTHER,
	},
};

static const struct cm_rule cm_decide_unshare[] = {
	{
		.mask = CM_FACT_LAST_SHARE,
		.want = CM_FACT_LAST_SHARE,
		.event = CM_SHARE_ON_DROP_LAST,
	},
	{
		.mask = CM_FACT_LAST_BUT_ONE,
		.want = CM_FACT_LAST_BUT_ONE,
		.event = CM_SHARE_ON_DROP_TO_ONE,
	},
	{
		.event = CM_SHARE_ON_DROP,
	},
};

const struct cm_rule *const cm_decisions[CM_DECISIONS] = {
	[CM_DECIDE_REQ] = cm_decide_req,
	[CM_DECIDE_STALE] = cm_decide_stale,
	[CM_DECIDE_MRA] = cm_decide_mra,
	[CM_DECIDE_REP] = cm_decide_rep,
	[CM_DECIDE_RTU] = cm_decide_rtu,
	[CM_DECIDE_REJ] = cm_decide_rej,
	[CM_DECIDE_DREQ] = cm_decide_dreq,
	[CM_DECIDE_DREP] = cm_decide_drep,
	[CM_DECIDE_LAP] = cm_decide_lap,
	[CM_DECIDE_APR] = cm_decide_apr,
	[CM_DECIDE_SIDR_REQ] = cm_decide_sidr_req,
	[CM_DECIDE_SIDR_REP] = cm_decide_sidr_rep,
	[CM_DECIDE_TIMEOUT] = cm_decide_timeout,
	[CM_DECIDE_SEND_ERROR] = cm_decide_send_error,
	[CM_DECIDE_REFUSED] = cm_decide_refused,
	[CM_DECIDE_TW_EXPIRY] = cm_decide_tw_expiry,
	[CM_DECIDE_CALL_LISTEN] = cm_decide_call_listen,
	[CM_DECIDE_CALL_MRA] = cm_decide_call_mra,
	[CM_DECIDE_CALL_COMM_EST] = cm_decide_call_comm_est,
	[CM_DECIDE_CALL_PATH_MIG] = cm_decide_call_path_mig,
	[CM_DECIDE_DESTROY] = cm_decide_destroy,
	[CM_DECIDE_HANDLER] = cm_decide_handler,
	[CM_DECIDE_SHARE] = cm_decide_share,
	[CM_DECIDE_UNSHARE] = cm_decide_unshare,
};

const u8 cm_decision_machine[CM_DECISIONS] = {
	[CM_DECIDE_REQ] = CM_MACHINE_ID,
	[CM_DECIDE_STALE] = CM_MACHINE_ID,
	[CM_DECIDE_MRA] = CM_MACHINE_ID,
	[CM_DECIDE_REP] = CM_MACHINE_ID,
	[CM_DECIDE_RTU] = CM_MACHINE_ID,
	[CM_DECIDE_REJ] = CM_MACHINE_ID,
	[CM_DECIDE_DREQ] = CM_MACHINE_ID,
	[CM_DECIDE_DREP] = CM_MACHINE_ID,
	[CM_DECIDE_LAP] = CM_MACHINE_ID,
	[CM_DECIDE_APR] = CM_MACHINE_ID,
	[CM_DECIDE_SIDR_REQ] = CM_MACHINE_ID,
	[CM_DECIDE_SIDR_REP] = CM_MACHINE_ID,
	[CM_DECIDE_TIMEOUT] = CM_MACHINE_ID,
	[CM_DECIDE_SEND_ERROR] = CM_MACHINE_ID,
	[CM_DECIDE_REFUSED] = CM_MACHINE_ID,
	[CM_DECIDE_TW_EXPIRY] = CM_MACHINE_ID,
	[CM_DECIDE_CALL_LISTEN] = CM_MACHINE_ID,
	[CM_DECIDE_CALL_MRA] = CM_MACHINE_ID,
	[CM_DECIDE_CALL_COMM_EST] = CM_MACHINE_ID,
	[CM_DECIDE_CALL_PATH_MIG] = CM_MACHINE_ID,
	[CM_DECIDE_DESTROY] = CM_MACHINE_ID,
	[CM_DECIDE_HANDLER] = CM_MACHINE_ID,
	[CM_DECIDE_SHARE] = CM_MACHINE_SHARE,
	[CM_DECIDE_UNSHARE] = CM_MACHINE_SHARE,
};
