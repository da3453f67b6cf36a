// SPDX-License-Identifier: GPL-2.0-only
//
// Owns: service id resolution (IBTA 12.11).
#include "rows.h"

namespace cepheus::model::id {

void sidr(std::vector<Row> &rows)
{
	const States conversing = req_awaited + req_pending + rep_awaited + rep_pending + connected + dreq_sent + dreq_rcvd +
				  timewait + timewait_stale;

	add(rows, {
		{.on = {CALL_SIDR_REQ}, .in = at_rest, .next = SIDR_REQ_SENT, .does = {SET_SIDR_REQ, SAY_SIDR_REQ, BEGIN, SEND},
		 .source = stock("6: sidr_req, IDLE -> SIDR_REQ_SENT"), .reason = "7.12: nothing is written before the state is known"},
		{.on = {CALL_SIDR_REQ}, .in = listening + conversing + sidr_awaited + sidr_pending, .verdict = invalid("EINVAL"),
		 .source = stock("6: sidr_req, other states")},
		{.on = {SEND_REFUSED}, .in = sidr_awaited, .next = IDLE, .does = {END, PUT},
		 .source = stock("6: sidr_req: the call fails, the id stays usable")},
		{.on = {CALL_SIDR_REP}, .in = sidr_pending, .next = IDLE, .does = {SAY_SIDR_REP, KEEP_SIDR_ANSWER, SEND},
		 .source = stock("6: sidr_rep, SIDR_REQ_RCVD -> IDLE"), .reason = "field fault 26: a duplicate after the reply gets the reply"},
		{.on = {CALL_SIDR_REP}, .in = at_rest + listening + conversing + sidr_awaited, .verdict = invalid("EINVAL"),
		 .source = stock("6: sidr_rep, other states")},

		{.on = {SIDR_REQ_FRESH}, .in = nobody, .next = SIDR_NEW, .does = {TAKE_SIDR_REQ, OWN, RESERVE, LINK_SIDR, START},
		 .source = contract("Receive context")},
		{.on = {SIDR_REQ_NO_LISTENER}, .in = nobody, .verdict = reject(), .does = {REPLY_SIDR_UNSUPPORTED},
		 .source = stock("6: rx SIDR_REQ, no listener: SIDR_REP unsupported")},
		{.on = {SIDR_REQ_FRESH, SIDR_REQ_NO_LISTENER},
		 .in = at_rest + listening + unclaimed + conversing + sidr_awaited + sidr_pending + gone + dead,
		 .verdict = never("a SIDR_REQ carries no id of ours")},
		{.on = {SIDR_REQ_REPEATED},
		 .in = nobody + at_rest + listening + unclaimed + conversing + sidr_awaited + sidr_pending + gone + dead,
		 .verdict = ignore(duplicate), .source = field("26: a duplicate while pending: one event")},

		{.on = {SIDR_REP}, .in = sidr_awaited, .next = IDLE, .does = {END, TELL_SIDR_REP, KICK, PUT},
		 .source = stock("6: rx SIDR_REP, SIDR_REQ_SENT -> IDLE +E")},
		{.on = {SIDR_REP}, .in = at_rest + gone + dead, .verdict = ignore(late), .source = stock("6: rx SIDR_REP, others: -")},
		{.on = {SIDR_REP}, .in = listening + unclaimed + conversing + sidr_pending, .verdict = ignore(wrong_role),
		 .source = stock("6: rx SIDR_REP, others: -")},

		{.on = {EXPIRED, SEND_FAILED}, .in = sidr_awaited, .next = IDLE, .does = {END, TELL_SIDR_REQ_ERROR, KICK, PUT},
		 .source = stock("6: send failure, SIDR_REQ_SENT -> IDLE, SIDR_REQ_ERROR")},
	});
}

} // namespace cepheus::model::id
