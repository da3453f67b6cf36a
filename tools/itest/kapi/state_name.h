/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Owns: how the test modules that use the exported interface only call the public states.
 */
#ifndef STATE_NAME_H
#define STATE_NAME_H

#include <rdma/ib_cm.h>

static inline const char *cm_state_name(enum ib_cm_state state)
{
	static const char *const names[] = {
		[IB_CM_IDLE]	      = "IDLE",
		[IB_CM_LISTEN]	      = "LISTEN",
		[IB_CM_REQ_SENT]      = "REQ_SENT",
		[IB_CM_REQ_RCVD]      = "REQ_RCVD",
		[IB_CM_MRA_REQ_SENT]  = "MRA_REQ_SENT",
		[IB_CM_MRA_REQ_RCVD]  = "MRA_REQ_RCVD",
		[IB_CM_REP_SENT]      = "REP_SENT",
		[IB_CM_REP_RCVD]      = "REP_RCVD",
		[IB_CM_MRA_REP_SENT]  = "MRA_REP_SENT",
		[IB_CM_MRA_REP_RCVD]  = "MRA_REP_RCVD",
		[IB_CM_ESTABLISHED]   = "ESTABLISHED",
		[IB_CM_DREQ_SENT]     = "DREQ_SENT",
		[IB_CM_DREQ_RCVD]     = "DREQ_RCVD",
		[IB_CM_TIMEWAIT]      = "TIMEWAIT",
		[IB_CM_SIDR_REQ_SENT] = "SIDR_REQ_SENT",
		[IB_CM_SIDR_REQ_RCVD] = "SIDR_REQ_RCVD",
	};

	return state < ARRAY_SIZE(names) ? names[state] : "?";
}

#endif /* STATE_NAME_H */
