// SPDX-License-Identifier: GPL-2.0-only
//
// Owns: what is the same wherever it happens: calls on ids that are over,
// messages that are nobody's, timers that came too late.
#include "rows.h"

namespace cepheus::model::id {

void anywhere(std::vector<Row> &rows)
{
	const Events calls{CALL_LISTEN, CALL_LISTEN_TAKEN, CALL_REQ, CALL_REP, CALL_RTU, CALL_DREQ, CALL_DREP, CALL_REJ, CALL_MRA,
			   CALL_MRA_DELAYED, CALL_SIDR_REQ, CALL_SIDR_REP, CALL_QP_INIT, CALL_QP_RTR, CALL_QP_RTS,
			   CALL_COMM_EST, CALL_PATH_MIG, CALL_PATH_MIG_NONE};
	const Events found{MRA_REQ, MRA_REP, MRA_LAP, REP, REP_REPEATED, REP_STALE, RTU, REJ, REJ_STALE, DREQ, DREP, LAP, APR,
			   SIDR_REP};
	const States idle_timer = nobody + at_rest + listening + unclaimed + req_pending + rep_pending + connected + dreq_rcvd +
				  timewait + timewait_stale + sidr_pending + gone + dead;
	const States everywhere = nobody + at_rest + listening + unclaimed + req_awaited + req_pending + rep_awaited +
				  rep_pending + connected + dreq_sent + dreq_rcvd + timewait + timewait_stale + sidr_awaited +
				  sidr_pending + gone + dead;

	add(rows, {
		{.on = calls, .in = nobody + unclaimed, .verdict = never("a call has an id that the consumer was given")},
		{.on = calls, .in = gone, .verdict = invalid("ENODEV"), .source = contract("2: GONE: calls get -ENODEV")},
		{.on = calls, .in = dead, .verdict = invalid("EINVAL"), .source = contract("2: DEAD: calls get -EINVAL")},
		{.on = {SEND_REFUSED},
		 .in = at_rest + listening + req_pending + rep_pending + connected + dreq_rcvd + timewait + timewait_stale +
		       sidr_pending + gone + dead,
		 .verdict = never("no request is outstanding: it is OVERTAKEN")},
		{.on = {SEND_REFUSED}, .in = nobody + unclaimed, .verdict = never("a call has an id that the consumer was given")},

		{.on = found, .in = nobody, .verdict = never("without an id these are FOREIGN or UNKNOWN")},
		{.on = {FOREIGN}, .in = everywhere, .verdict = ignore(foreign),
		 .source = field("35: counters move, nothing else")},
		{.on = {WRONG_ROLE}, .in = everywhere, .verdict = ignore(wrong_role), .source = field("35: counters move, nothing else")},
		{.on = {LOST}, .in = everywhere, .verdict = ignore(busy), .source = contract("Events: the ring has a fixed depth; the peer repeats it")},

		{.on = {TIMEOUT, EXPIRED, SEND_LOST, SEND_FAILED}, .in = idle_timer,
		 .verdict = never("no request is outstanding: its timer is OVERTAKEN")},
		{.on = {SEND_LOST}, .in = req_awaited + rep_awaited + dreq_sent + sidr_awaited, .does = {NOTE_ERROR},
		 .source = contract("Retries: a send error counts as a loss")},
		{.on = {OVERTAKEN}, .in = everywhere, .verdict = ignore(late),
		 .source = contract("4: timers and completions carry the generation of the request")},
		{.on = {POSTPONED}, .in = everywhere, .verdict = ignore(busy),
		 .source = contract("Events: delivery never depends on an allocation")},
	});
}

} // namespace cepheus::model::id
