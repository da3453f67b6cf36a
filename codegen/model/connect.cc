// SPDX-License-Identifier: GPL-2.0-only
//
// Owns: the active side of establishment: REQ out, REP in, RTU out; the timer
// of the REQ (IBTA 12.9.7, active peer).
#include "rows.h"

namespace cepheus::model::id {

void connect(std::vector<Row> &rows)
{
	add(rows, {
		{.on = {CALL_REQ}, .in = at_rest, .next = REQ_SENT, .does = {SET_REQ, RESERVE, SAY_REQ, BEGIN, SEND},
		 .source = stock("6: send_req, IDLE -> REQ_SENT")},
		{.on = {CALL_REQ},
		 .in = listening + req_awaited + req_pending + rep_awaited + rep_pending + connected + dreq_sent + dreq_rcvd +
		       timewait + timewait_stale + sidr_awaited + sidr_pending,
		 .verdict = invalid("EINVAL"), .source = stock("6: send_req, other states")},
		{.on = {SEND_REFUSED}, .in = req_awaited, .next = IDLE, .does = {END, RELEASE, PUT},
		 .source = stock("7.6: the call fails, the id stays usable")},

		// MRA of our REQ.
		{.on = {MRA_REQ}, .in = {REQ_SENT}, .next = MRA_REQ_RCVD, .does = {STRETCH, TAKE_MRA, TELL_MRA, KICK},
		 .source = stock("6: rx MRA, REQ_SENT -> MRA_REQ_RCVD +E"), .reason = "field fault 9: one wait only, capped"},
		{.on = {MRA_REQ}, .in = {MRA_REQ_RCVD}, .verdict = ignore(duplicate),
		 .source = stock("6: rx MRA, MRA_REQ_RCVD: count duplicate")},
		{.on = {MRA_REQ},
		 .in = at_rest + rep_pending + connected + dreq_sent + dreq_rcvd + timewait + timewait_stale + gone + dead,
		 .verdict = ignore(late), .source = stock("6: rx MRA, others: -")},
		{.on = {MRA_REQ}, .in = listening + unclaimed + req_pending + rep_awaited + sidr_awaited + sidr_pending,
		 .verdict = ignore(wrong_role), .source = stock("6: rx MRA, others: -")},

		// REP, its keys claimed before the lock.
		{.on = {REP}, .in = req_awaited, .next = REP_RCVD,
		 .does = {END, TAKE_REP, SWAP_RECORD, LINK_PEER, LINK_QPN, TELL_REP, KICK, PUT},
		 .source = stock("6: rx REP, REQ_SENT, MRA_REQ_RCVD -> REP_RCVD +E")},
		{.on = {REP},
		 .in = at_rest + listening + unclaimed + req_pending + rep_awaited + rep_pending + connected + dreq_sent +
		       dreq_rcvd + timewait + timewait_stale + sidr_awaited + sidr_pending + gone + dead,
		 .verdict = ignore(late), .source = contract("the id moved on between claim and lock; the claim is undone")},
		{.on = {REP_REPEATED}, .in = {MRA_REP_SENT}, .verdict = resend(), .does = {SAY_MRA_REP, SEND},
		 .source = stock("6: rx REP, MRA_REP_SENT: send MRA")},
		{.on = {REP_REPEATED}, .in = connected + dreq_sent, .verdict = resend(), .does = {SAY_RTU_AGAIN, SEND},
		 .source = field("24: each duplicate REP gets an RTU, also in DREQ_SENT")},
		{.on = {REP_REPEATED}, .in = req_awaited + States{REP_RCVD}, .verdict = ignore(duplicate),
		 .source = stock("6: rx REP, others: -")},
		{.on = {REP_REPEATED},
		 .in = at_rest + dreq_rcvd + timewait + timewait_stale + gone + dead, .verdict = ignore(late),
		 .source = stock("6: rx REP, others: -")},
		{.on = {REP_REPEATED}, .in = listening + unclaimed + req_pending + rep_awaited + sidr_awaited + sidr_pending,
		 .verdict = ignore(wrong_role), .source = stock("6: rx REP, others: -")},
		{.on = {REP_STALE}, .in = req_awaited, .next = IDLE, .verdict = reject(),
		 .does = {SAY_REJ_STALE_REP, END, RELEASE, TELL_REJ_STALE, SEND, KICK, PUT},
		 .source = stock("7.13: a stale REP must not leave the id in REQ_SENT"),
		 .reason = "the consumer learns reason 10 at once instead of a time-out"},
		{.on = {REP_STALE},
		 .in = at_rest + listening + unclaimed + req_pending + rep_awaited + rep_pending + connected + dreq_sent +
		       dreq_rcvd + timewait + timewait_stale + sidr_awaited + sidr_pending + gone + dead,
		 .verdict = ignore(late), .source = contract("the id moved on between claim and lock")},
		{.on = {REP_UNKNOWN},
		 .in = nobody + at_rest + listening + sidr_unclaimed + sidr_awaited + sidr_pending + gone + dead,
		 .verdict = reject(), .does = {REPLY_REJ_UNKNOWN},
		 .source = field("22: REP for a comm id nobody has: REJ 6, not silence")},
		{.on = {REP_UNKNOWN}, .in = timewait_stale, .verdict = ignore(late),
		 .source = contract("Identity: REJ 6 for a comm id that neither an id nor a record has")},
		{.on = {REP_UNKNOWN}, .in = req_awaited, .verdict = ignore(busy),
		 .source = contract("the request began after the REP was looked at: the peer repeats it")},
		{.on = {REP_UNKNOWN},
		 .in = req_unclaimed + req_pending + rep_awaited + rep_pending + connected + dreq_sent + dreq_rcvd + timewait,
		 .verdict = never("its peer is known")},

		{.on = {CALL_RTU}, .in = rep_pending, .next = ESTABLISHED, .does = {KEEP_DATA, SAY_RTU, SEND},
		 .source = stock("6: send_rtu, REP_RCVD, MRA_REP_SENT -> ESTABLISHED")},
		{.on = {CALL_RTU},
		 .in = at_rest + listening + req_awaited + req_pending + rep_awaited + connected + dreq_sent + dreq_rcvd +
		       timewait + timewait_stale + sidr_awaited + sidr_pending,
		 .verdict = invalid("EINVAL"), .source = stock("6: send_rtu, other states")},

		// The REQ's timer.
		{.on = {TIMEOUT}, .in = req_awaited + rep_awaited + dreq_sent + sidr_awaited, .does = {REPEAT, SEND},
		 .source = contract("Retries")},
		{.on = {EXPIRED}, .in = req_awaited, .next = IDLE,
		 .does = {SAY_REJ_TIMEOUT, END, RELEASE, TELL_REQ_ERROR, SEND, KICK, PUT},
		 .source = stock("6: send failure, REQ_SENT, MRA_REQ_RCVD -> IDLE, REQ_ERROR"),
		 .reason = "REJ 4 lets the peer forget the REQ; stock leaves that to destroy"},
		{.on = {SEND_FAILED}, .in = req_awaited, .next = IDLE, .does = {END, RELEASE, TELL_REQ_ERROR, KICK, PUT},
		 .source = stock("6: send failure, REQ_SENT, MRA_REQ_RCVD -> IDLE, REQ_ERROR")},
	});
}

} // namespace cepheus::model::id
