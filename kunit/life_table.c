// SPDX-License-Identifier: GPL-2.0-only
/*
 * The states in which ids are destroyed, and what the peer must hear of it.
 *
 * Owns: the table. Its parting messages are typed from the contract "Destroy"
 * (one message at most, no handle made for it) and from what these stand on:
 *
 *  - REJ 4 (time-out) with the CA GUID as ARI, where the peer may not know our
 *    comm id to be over: IBTA 12.6.7.2, 12.9.7; stock does the same.
 *  - REJ 28 (consumer) of the REQ or REP that waits for its answer, of nothing
 *    where ours waits: IBTA 12.6.7; stock does the same.
 *  - one DREQ of a connection, not repeated: IBTA 12.6.10, field fault 3; none
 *    of an XRC target, which has no QP to disconnect: stock.
 *  - DREP to a DREQ: IBTA 12.6.11: the DREQ is out and waits.
 *  - SIDR_REP, status 2 (reject): IBTA 12.11.2.
 *  - nothing where the peer waits for nothing of ours: stock.
 *
 * What a message of the peer's leads to is stock's table of states (the facts
 * about the kernel interface, section 6); the events of removal are the contract
 * "Removal": the terminal event of the attempt.
 */
#include "life.h"

#define CONSUMER	.attr = ATTR_REJ, .reason = IB_CM_REJ_CONSUMER_DEFINED
#define TIME_OUT	.attr = ATTR_REJ, .reason = IB_CM_REJ_TIMEOUT, .rejected = REJ_OF_NOTHING
#define SAYS(_attr, _state, _event) \
	.answer = ATTR_##_attr, .answered = CM_ID_##_state, .told = _event
#define SAYS_NOTHING	.told = LIFE_NO_EVENT

const struct life_state life_states[] = {
	{ .name = "IDLE, never connected", .state = CM_ID_IDLE, .active = true,
	  SAYS_NOTHING, .removed = LIFE_NO_EVENT },
	{ .name = "IDLE, has rejected", .state = CM_ID_IDLE, .alone = true,
	  SAYS_NOTHING, .removed = LIFE_NO_EVENT },
	/* The request's REJ is the request's */
	{ .name = "LISTEN", .state = CM_ID_LISTEN, .active = true,
	  SAYS(REQ, LISTEN, LIFE_NO_EVENT), .removed = LIFE_NO_EVENT },
	{ .name = "REQ_SENT", .state = CM_ID_REQ_SENT, .active = true, TIME_OUT,
	  SAYS(REP, REP_RCVD, IB_CM_REP_RECEIVED), .removed = IB_CM_REQ_ERROR },
	{ .name = "MRA_REQ_RCVD", .state = CM_ID_MRA_REQ_RCVD, .active = true, TIME_OUT,
	  SAYS(REP, REP_RCVD, IB_CM_REP_RECEIVED), .removed = IB_CM_REQ_ERROR },
	{ .name = "REP_RCVD", .state = CM_ID_REP_RCVD, .active = true,
	  CONSUMER, .rejected = REJ_OF_REP,
	  SAYS(REJ, TIMEWAIT, IB_CM_REJ_RECEIVED), .removed = IB_CM_REJ_RECEIVED },
	{ .name = "MRA_REP_SENT", .state = CM_ID_MRA_REP_SENT, .active = true,
	  CONSUMER, .rejected = REJ_OF_REP,
	  SAYS(REJ, TIMEWAIT, IB_CM_REJ_RECEIVED), .removed = IB_CM_REJ_RECEIVED },
	{ .name = "REQ_RCVD", .state = CM_ID_REQ_RCVD, .alone = true,
	  CONSUMER, .rejected = REJ_OF_REQ,
	  SAYS(REJ, IDLE, IB_CM_REJ_RECEIVED), .removed = IB_CM_REJ_RECEIVED },
	{ .name = "MRA_REQ_SENT", .state = CM_ID_MRA_REQ_SENT, .alone = true,
	  CONSUMER, .rejected = REJ_OF_REQ,
	  SAYS(REJ, IDLE, IB_CM_REJ_RECEIVED), .removed = IB_CM_REJ_RECEIVED },
	{ .name = "REP_SENT", .state = CM_ID_REP_SENT, .alone = true,
	  CONSUMER, .rejected = REJ_OF_NOTHING,
	  SAYS(RTU, ESTABLISHED, IB_CM_RTU_RECEIVED), .removed = IB_CM_REP_ERROR },
	{ .name = "MRA_REP_RCVD", .state = CM_ID_MRA_REP_RCVD,
	  CONSUMER, .rejected = REJ_OF_NOTHING,
	  SAYS(RTU, ESTABLISHED, IB_CM_RTU_RECEIVED), .removed = IB_CM_REP_ERROR },
	{ .name = "ESTABLISHED, active", .state = CM_ID_ESTABLISHED, .active = true,
	  .attr = ATTR_DREQ,
	  SAYS(DREQ, DREQ_RCVD, IB_CM_DREQ_RECEIVED), .removed = IB_CM_TIMEWAIT_EXIT },
	{ .name = "ESTABLISHED, passive", .state = CM_ID_ESTABLISHED, .attr = ATTR_DREQ,
	  SAYS(DREQ, DREQ_RCVD, IB_CM_DREQ_RECEIVED), .removed = IB_CM_TIMEWAIT_EXIT },
	{ .name = "ESTABLISHED, XRC target", .state = CM_ID_ESTABLISHED, .xrc = true,
	  SAYS(DREQ, DREQ_RCVD, IB_CM_DREQ_RECEIVED), .removed = IB_CM_TIMEWAIT_EXIT },
	{ .name = "ESTABLISHED, LAP pending (EST_LAP_RCVD)", .state = CM_ID_EST_LAP_RCVD,
	  .infiniband = true, .attr = ATTR_DREQ,
	  SAYS(DREQ, DREQ_RCVD, IB_CM_DREQ_RECEIVED), .removed = IB_CM_TIMEWAIT_EXIT },
	{ .name = "ESTABLISHED, LAP pending (MRA_LAP_SENT)", .state = CM_ID_EST_MRA_LAP_SENT,
	  .infiniband = true, .attr = ATTR_DREQ,
	  SAYS(DREQ, DREQ_RCVD, IB_CM_DREQ_RECEIVED), .removed = IB_CM_TIMEWAIT_EXIT },
	{ .name = "ESTABLISHED, migrated", .state = CM_ID_EST_LAP_IDLE,
	  .infiniband = true, .attr = ATTR_DREQ,
	  SAYS(DREQ, DREQ_RCVD, IB_CM_DREQ_RECEIVED), .removed = IB_CM_TIMEWAIT_EXIT },
	{ .name = "DREQ_SENT, active", .state = CM_ID_DREQ_SENT, .active = true,
	  SAYS(DREP, TIMEWAIT, IB_CM_DREP_RECEIVED), .removed = IB_CM_TIMEWAIT_EXIT },
	{ .name = "DREQ_SENT, passive", .state = CM_ID_DREQ_SENT,
	  SAYS(DREP, TIMEWAIT, IB_CM_DREP_RECEIVED), .removed = IB_CM_TIMEWAIT_EXIT },
	{ .name = "DREQ_RCVD, active", .state = CM_ID_DREQ_RCVD, .active = true,
	  .attr = ATTR_DREP, SAYS_NOTHING, .removed = IB_CM_TIMEWAIT_EXIT },
	{ .name = "DREQ_RCVD, passive", .state = CM_ID_DREQ_RCVD,
	  .attr = ATTR_DREP, SAYS_NOTHING, .removed = IB_CM_TIMEWAIT_EXIT },
	{ .name = "TIMEWAIT, active", .state = CM_ID_TIMEWAIT, .active = true,
	  SAYS(DREQ, TIMEWAIT, LIFE_NO_EVENT), .removed = IB_CM_TIMEWAIT_EXIT },
	{ .name = "TIMEWAIT, passive", .state = CM_ID_TIMEWAIT,
	  SAYS(DREQ, TIMEWAIT, LIFE_NO_EVENT), .removed = IB_CM_TIMEWAIT_EXIT },
	{ .name = "TIMEWAIT, our REQ was stale", .state = CM_ID_TIMEWAIT_STALE, .active = true,
	  SAYS_NOTHING, .removed = IB_CM_TIMEWAIT_EXIT },
	{ .name = "SIDR_REQ_SENT", .state = CM_ID_SIDR_REQ_SENT, .active = true,
	  SAYS(SIDR_REP, IDLE, IB_CM_SIDR_REP_RECEIVED), .removed = IB_CM_SIDR_REQ_ERROR },
	{ .name = "SIDR_REQ_RCVD", .state = CM_ID_SIDR_REQ_RCVD, .alone = true,
	  .attr = ATTR_SIDR_REP, SAYS_NOTHING, .removed = IB_CM_SIDR_REQ_ERROR },
};

const unsigned int life_nstates = ARRAY_SIZE(life_states);

/* Somebody of ours waits for the peer, or time runs. */
static bool life_timed(unsigned int state)
{
	switch (state) {
	case CM_ID_REQ_SENT:
	case CM_ID_MRA_REQ_RCVD:
	case CM_ID_REP_SENT:
	case CM_ID_MRA_REP_RCVD:
	case CM_ID_DREQ_SENT:
	case CM_ID_SIDR_REQ_SENT:
	case CM_ID_TIMEWAIT:
	case CM_ID_TIMEWAIT_STALE:
		return true;
	default:
		return false;
	}
}

/**
 * life_applies - is there such a case?
 * @how: the circumstance
 * @state: the state
 * @layer: the link layer
 *
 * Context: any.
 * Return: false: the state cannot be had there, or knows no such thing.
 */
bool life_applies(enum life_how how, const struct life_state *state, enum rdma_link_layer layer)
{
	if (state->infiniband && layer != IB_LINK_LAYER_INFINIBAND)
		return false;
	switch (how) {
	case LIFE_ANSWERS:
		return state->answer;
	case LIFE_QUEUED:
		return !state->alone;
	case LIFE_TIMER:
		return life_timed(state->state);
	default:
		return true;
	}
}
