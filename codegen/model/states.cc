// SPDX-License-Identifier: GPL-2.0-only
//
// Owns: the states of the id, the sets that rows speak of, its holders.
#include "names.h"

namespace cepheus::model {

States operator+(const States &a, const States &b)
{
	States sum = a;
	sum.insert(sum.end(), b.begin(), b.end());
	return sum;
}

namespace id {

const States nobody{NONE};
const States at_rest{IDLE};
const States listening{LISTEN};
const States unclaimed{REQ_NEW, SIDR_NEW};
const States req_unclaimed{REQ_NEW};
const States sidr_unclaimed{SIDR_NEW};
const States req_awaited{REQ_SENT, MRA_REQ_RCVD};
const States req_pending{REQ_RCVD, MRA_REQ_SENT};
const States rep_awaited{REP_SENT, MRA_REP_RCVD};
const States rep_pending{REP_RCVD, MRA_REP_SENT};
const States connected{ESTABLISHED,  EST_LAP_IDLE,     EST_LAP_SENT,
		       EST_LAP_RCVD, EST_MRA_LAP_SENT, EST_MRA_LAP_RCVD};
const States dreq_sent{DREQ_SENT};
const States dreq_rcvd{DREQ_RCVD};
const States timewait{TIMEWAIT};
const States timewait_stale{TIMEWAIT_STALE};
const States sidr_awaited{SIDR_REQ_SENT};
const States sidr_pending{SIDR_REQ_RCVD};
const States gone{GONE};
const States dead{DEAD};

std::vector<Holder> holders()
{
	return {
		{.id = OWNER,    .exact = true,  .counted = true,  .meaning = "creation to destroy: the consumer, or the CM while a request is unclaimed"},
		{.id = REQUEST,  .exact = true,  .counted = true,  .meaning = "a request that waits for its answer, queued or armed"},
		{.id = PEER,     .exact = true,  .counted = false, .meaning = "found by (peer, remote comm id)"},
		{.id = QPN,      .exact = true,  .counted = false, .meaning = "found by (peer, remote QPN): the QPN is considered connected"},
		{.id = SIDR,     .exact = true,  .counted = false, .meaning = "found by (peer, SIDR request id)"},
		{.id = ENTRY,    .exact = true,  .counted = false, .meaning = "found by service id in the device's table of listeners"},
		{.id = RECORD,   .exact = true,  .counted = false, .meaning = "a connection record: keys and timewait reservation"},
		{.id = EVENT,    .exact = false, .counted = true,  .meaning = "a runner of the event queue, queued or running"},
		{.id = LISTENER, .exact = false, .counted = true,  .meaning = "a delivery that runs a handler on the listener's behalf"},
		{.id = LOOKUP,   .exact = false, .counted = true,  .meaning = "transient: whoever found it, an armed timer, a place in a queue"},
	};
}

std::vector<State> states()
{
	using V = std::vector<HolderId>;
	const V found{OWNER, PEER, QPN, RECORD};		// by comm id and by QPN
	const V waits{OWNER, REQUEST, PEER, QPN, RECORD};
	const V parting{OWNER, PEER, RECORD};			// the QPN is no longer connected
	const std::string_view lap_pending = "no call of today's API sends LAP";

	std::vector<State> all{
		{.id = NONE, .meaning = "no such id", .exempt_from_idle = true, .initial = true},
		{.id = IDLE, .meaning = "owned and reusable", .public_state = "IB_CM_IDLE", .holders = {OWNER}},
		{.id = LISTEN, .meaning = "listens on a service id", .public_state = "IB_CM_LISTEN", .holders = {OWNER, ENTRY}, .exempt_from_idle = true},
		{.id = REQ_NEW, .meaning = "a REQ has been claimed, its consumer not been called", .public_state = "IB_CM_REQ_RCVD", .holders = found, .exempt_from_idle = true},
		{.id = REQ_SENT, .meaning = "REQ sent, REP awaited", .public_state = "IB_CM_REQ_SENT", .holders = {OWNER, REQUEST, RECORD}, .awaits_peer = true, .connection = true},
		{.id = REQ_RCVD, .meaning = "the consumer has the REQ", .public_state = "IB_CM_REQ_RCVD", .holders = found, .connection = true},
		{.id = MRA_REQ_SENT, .meaning = "the consumer asked for time before its REP", .public_state = "IB_CM_MRA_REQ_SENT", .holders = found, .connection = true},
		{.id = MRA_REQ_RCVD, .meaning = "the peer asked for time before its REP", .public_state = "IB_CM_MRA_REQ_RCVD", .holders = {OWNER, REQUEST, RECORD}, .awaits_peer = true, .connection = true},
		{.id = REP_SENT, .meaning = "REP sent, RTU awaited", .public_state = "IB_CM_REP_SENT", .holders = waits, .awaits_peer = true, .connection = true},
		{.id = REP_RCVD, .meaning = "the consumer has the REP", .public_state = "IB_CM_REP_RCVD", .holders = found, .connection = true},
		{.id = MRA_REP_SENT, .meaning = "the consumer asked for time before its RTU", .public_state = "IB_CM_MRA_REP_SENT", .holders = found, .connection = true},
		{.id = MRA_REP_RCVD, .meaning = "the peer asked for time before its RTU", .public_state = "IB_CM_MRA_REP_RCVD", .holders = waits, .awaits_peer = true, .connection = true},
		{.id = ESTABLISHED, .meaning = "connected, no alternate path was ever loaded", .public_state = "IB_CM_ESTABLISHED", .lap_state = "IB_CM_LAP_UNINIT", .holders = found, .connection = true},
		{.id = EST_LAP_IDLE, .meaning = "connected, migration done or no load pending", .public_state = "IB_CM_ESTABLISHED", .lap_state = "IB_CM_LAP_IDLE", .holders = found, .connection = true},
		{.id = EST_LAP_SENT, .meaning = "LAP sent, APR awaited", .public_state = "IB_CM_ESTABLISHED", .lap_state = "IB_CM_LAP_SENT", .holders = found, .connection = true, .reserved = lap_pending},
		{.id = EST_LAP_RCVD, .meaning = "the consumer has a LAP", .public_state = "IB_CM_ESTABLISHED", .lap_state = "IB_CM_LAP_RCVD", .holders = found, .connection = true},
		{.id = EST_MRA_LAP_SENT, .meaning = "the consumer asked for time before its APR", .public_state = "IB_CM_ESTABLISHED", .lap_state = "IB_CM_MRA_LAP_SENT", .holders = found, .connection = true},
		{.id = EST_MRA_LAP_RCVD, .meaning = "the peer asked for time before its APR", .public_state = "IB_CM_ESTABLISHED", .lap_state = "IB_CM_MRA_LAP_RCVD", .holders = found, .connection = true, .reserved = lap_pending},
		{.id = DREQ_SENT, .meaning = "DREQ sent, DREP awaited", .public_state = "IB_CM_DREQ_SENT", .holders = {OWNER, REQUEST, PEER, RECORD}, .awaits_peer = true, .connection = true},
		{.id = DREQ_RCVD, .meaning = "the consumer has the DREQ", .public_state = "IB_CM_DREQ_RCVD", .holders = parting, .connection = true},
		{.id = TIMEWAIT, .meaning = "over; datagrams of the connection may still come in", .public_state = "IB_CM_TIMEWAIT", .holders = parting, .connection = true},
		{.id = TIMEWAIT_STALE, .meaning = "the same after REJ 10 of our REQ: the peer named no comm id", .public_state = "IB_CM_TIMEWAIT", .holders = {OWNER, RECORD}, .connection = true},
		{.id = SIDR_NEW, .meaning = "a SIDR_REQ has been claimed, its consumer not been called", .public_state = "IB_CM_SIDR_REQ_RCVD", .holders = {OWNER, SIDR, RECORD}, .exempt_from_idle = true},
		{.id = SIDR_REQ_SENT, .meaning = "SIDR_REQ sent, SIDR_REP awaited", .public_state = "IB_CM_SIDR_REQ_SENT", .holders = {OWNER, REQUEST}, .awaits_peer = true, .connection = true},
		{.id = SIDR_REQ_RCVD, .meaning = "the consumer has the SIDR_REQ", .public_state = "IB_CM_SIDR_REQ_RCVD", .holders = {OWNER, SIDR, RECORD}, .connection = true},
		{.id = GONE, .meaning = "the device was removed", .public_state = "IB_CM_IDLE", .holders = {OWNER}, .exempt_from_idle = true},
		{.id = DEAD, .meaning = "destroyed: look-ups see NONE", .public_state = "IB_CM_IDLE", .exempt_from_idle = true, .final = true},
	};
	// Alternate paths are a matter of established connections: elsewhere none is loaded.
	for (State &state : all)
		if (state.lap_state.empty())
			state.lap_state = "IB_CM_LAP_UNINIT";
	return all;
}

} // namespace id
} // namespace cepheus::model
