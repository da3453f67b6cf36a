// SPDX-License-Identifier: GPL-2.0-only
//
// Owns: the passive side of establishment: REQ in, REP out, RTU in; REJ and MRA
// calls of both sides, since they meet the same states (IBTA 12.9.7, passive peer).
#include "rows.h"

namespace cepheus::model::id {

static void requests(std::vector<Row> &rows)
{
	const States somebody = at_rest + listening + req_awaited + req_pending + rep_awaited + rep_pending + connected +
				dreq_sent + dreq_rcvd + timewait + timewait_stale + sidr_awaited + sidr_pending + gone;

	add(rows, {
		{.on = {REQ_FRESH}, .in = nobody, .next = REQ_NEW,
		 .does = {TAKE_REQ, OWN, RESERVE, LINK_PEER, LINK_QPN, START}, .source = contract("Receive context")},
		{.on = {REQ_STALE}, .in = nobody, .verdict = reject(), .does = {REPLY_REJ_STALE},
		 .source = field("13: REJ 10 on the new one")},
		{.on = {REQ_UNSUPPORTED}, .in = nobody, .verdict = reject(), .does = {REPLY_REJ_TRANSPORT},
		 .source = kernel("IB_CM_REJ_INVALID_TRANSPORT_TYPE")},
		{.on = {REQ_NO_LISTENER}, .in = nobody, .verdict = reject(), .does = {REPLY_REJ_SERVICE},
		 .source = stock("6: rx REQ, no listener: REJ 8")},
		{.on = {REQ_FRESH, REQ_STALE, REQ_UNSUPPORTED, REQ_NO_LISTENER}, .in = somebody + unclaimed + dead,
		 .verdict = never("a REQ carries no comm id of ours")},

		// The same REQ again.
		{.on = {REQ_REPEATED}, .in = req_unclaimed + States{REQ_RCVD}, .verdict = resend(), .does = {SAY_AUTO_MRA, SEND},
		 .source = contract("Receive context: an automatic MRA as a mere reply: the state stays")},
		{.on = {REQ_REPEATED}, .in = {MRA_REQ_SENT}, .verdict = resend(), .does = {SAY_MRA_REQ, SEND},
		 .source = stock("6: rx REQ, MRA_REQ_SENT: send MRA")},
		{.on = {REQ_REPEATED}, .in = {REP_SENT}, .verdict = resend(), .does = {SAY_REP_AGAIN, SEND},
		 .source = contract("Receive context: duplicates are answered from state"),
		 .reason = "the peer asks again because the REP was lost; stock lets it wait for the REP's own timer"},
		{.on = {REQ_REPEATED},
		 .in = nobody + at_rest + States{MRA_REP_RCVD} + rep_pending + connected + dreq_sent + dreq_rcvd + timewait + gone + dead,
		 .verdict = ignore(duplicate), .source = stock("6: rx REQ, remote-id hit, else: -")},
		{.on = {REQ_REPEATED},
		 .in = listening + sidr_unclaimed + req_awaited + timewait_stale + sidr_awaited + sidr_pending,
		 .verdict = ignore(late), .source = contract("the id was reused between look-up and lock")},

		// The peer does not know this connection any more.
		{.on = {PEER_RESTARTED}, .in = connected, .next = DREQ_SENT, .does = {SAY_DREQ, UNLINK_QPN, BEGIN, SEND},
		 .source = ibta("12.9.8.3.1"), .reason = "field fault 13: DREQ on the old; its consumer sees it end"},
		{.on = {PEER_RESTARTED}, .in = unclaimed + req_pending + rep_awaited + rep_pending, .verdict = ignore(late),
		 .source = stock("6: rx REQ, QPN hit: ib_send_cm_dreq on the old"),
		 .reason = "not connected yet: its timer or its consumer ends it, the peer repeats its REQ"},
		{.on = {PEER_RESTARTED},
		 .in = nobody + at_rest + listening + req_awaited + dreq_sent + dreq_rcvd + timewait + timewait_stale +
		       sidr_awaited + sidr_pending + gone + dead,
		 .verdict = ignore(late), .source = contract("the connection ended by itself meanwhile")},
	});
}

static void answers(std::vector<Row> &rows)
{
	add(rows, {
		{.on = {CALL_REP}, .in = req_pending, .next = REP_SENT, .does = {SET_REP, SAY_REP, BEGIN, SEND},
		 .source = stock("6: send_rep, REQ_RCVD, MRA_REQ_SENT -> REP_SENT")},
		{.on = {CALL_REP},
		 .in = at_rest + listening + req_awaited + rep_awaited + rep_pending + connected + dreq_sent + dreq_rcvd +
		       timewait + timewait_stale + sidr_awaited + sidr_pending,
		 .verdict = invalid("EINVAL"), .source = stock("6: send_rep, other states")},
		{.on = {SEND_REFUSED}, .in = rep_awaited, .next = REQ_RCVD, .does = {END, PUT},
		 .source = stock("6: send_rep: the call fails, the REQ can still be rejected")},

		{.on = {MRA_REP}, .in = {REP_SENT}, .next = MRA_REP_RCVD, .does = {STRETCH, TELL_MRA, KICK},
		 .source = stock("6: rx MRA, REP_SENT -> MRA_REP_RCVD +E"), .reason = "field fault 9: one wait only, capped"},
		{.on = {MRA_REP}, .in = {MRA_REP_RCVD}, .verdict = ignore(duplicate),
		 .source = stock("6: rx MRA, MRA_REP_RCVD: count duplicate")},
		{.on = {MRA_REP}, .in = at_rest + connected + dreq_sent + dreq_rcvd + timewait + timewait_stale + gone + dead,
		 .verdict = ignore(late), .source = stock("6: rx MRA, others: -")},
		{.on = {MRA_REP},
		 .in = listening + unclaimed + req_awaited + req_pending + rep_pending + sidr_awaited + sidr_pending,
		 .verdict = ignore(wrong_role), .source = stock("6: rx MRA, others: -")},

		{.on = {RTU}, .in = rep_awaited, .next = ESTABLISHED, .does = {END, TELL_RTU, KICK, PUT},
		 .source = stock("6: rx RTU, REP_SENT, MRA_REP_RCVD -> ESTABLISHED +E")},
		{.on = {RTU}, .in = connected, .verdict = ignore(duplicate), .source = stock("6: rx RTU, others: count duplicate")},
		{.on = {RTU}, .in = at_rest + dreq_sent + dreq_rcvd + timewait + timewait_stale + gone + dead,
		 .verdict = ignore(late), .source = stock("6: rx RTU, others: count duplicate")},
		{.on = {RTU}, .in = listening + unclaimed + req_awaited + req_pending + rep_pending + sidr_awaited + sidr_pending,
		 .verdict = ignore(wrong_role), .source = stock("6: rx RTU, others: count duplicate")},

		{.on = {CALL_COMM_EST}, .in = rep_awaited, .next = ESTABLISHED,
		 .does = {END, TELL_USER_ESTABLISHED, KICK, PUT}, .source = stock("6: notify COMM_EST")},
		{.on = {CALL_COMM_EST}, .in = connected, .verdict = invalid("EISCONN"), .source = stock("6: notify COMM_EST")},
		{.on = {CALL_COMM_EST},
		 .in = at_rest + listening + req_awaited + req_pending + rep_pending + dreq_sent + dreq_rcvd + timewait +
		       timewait_stale + sidr_awaited + sidr_pending,
		 .verdict = invalid("EINVAL"), .source = stock("6: notify COMM_EST")},

		{.on = {EXPIRED}, .in = rep_awaited, .next = IDLE,
		 .does = {SAY_REJ_TIMEOUT, END, UNLINK_QPN, UNLINK_PEER, RELEASE, TELL_REP_ERROR, SEND, KICK, PUT},
		 .source = stock("6: send failure, REP_SENT, MRA_REP_RCVD -> IDLE, REP_ERROR"),
		 .reason = "REJ 4 tells a peer whose RTUs were all lost"},
		{.on = {SEND_FAILED}, .in = rep_awaited, .next = IDLE,
		 .does = {END, UNLINK_QPN, UNLINK_PEER, RELEASE, TELL_REP_ERROR, KICK, PUT},
		 .source = stock("6: send failure, REP_SENT, MRA_REP_RCVD -> IDLE, REP_ERROR")},
	});
}

static void rejections(std::vector<Row> &rows)
{
	add(rows, {
		{.on = {CALL_REJ}, .in = req_awaited, .next = IDLE, .does = {SAY_REJ_OTHER, END, RELEASE, SEND, PUT},
		 .source = stock("7.17: the REQ's repetitions must stop")},
		{.on = {CALL_REJ}, .in = req_pending, .next = IDLE, .does = {SAY_REJ_REQ, UNLINK_QPN, UNLINK_PEER, RELEASE, SEND},
		 .source = stock("6: send_rej, -> IDLE, then send")},
		{.on = {CALL_REJ}, .in = rep_pending, .next = IDLE, .does = {SAY_REJ_REP, UNLINK_QPN, UNLINK_PEER, RELEASE, SEND},
		 .source = stock("6: send_rej, -> IDLE, then send")},
		{.on = {CALL_REJ}, .in = rep_awaited, .next = TIMEWAIT,
		 .does = {SAY_REJ_OTHER, END, UNLINK_QPN, ENTER_TW, SEND, PUT}, .source = stock("6: send_rej, REP_SENT, MRA_REP_RCVD -> TIMEWAIT")},
		{.on = {CALL_REJ},
		 .in = at_rest + listening + connected + dreq_sent + dreq_rcvd + timewait + timewait_stale + sidr_awaited +
		       sidr_pending,
		 .verdict = invalid("EINVAL"), .source = stock("6: send_rej, other states")},

		{.on = {REJ}, .in = req_awaited, .next = IDLE, .does = {END, RELEASE, TELL_REJ, KICK, PUT},
		 .source = stock("6: rx REJ, -> IDLE +E")},
		{.on = {REJ_STALE}, .in = req_awaited, .next = TIMEWAIT_STALE, .does = {END, ENTER_TW, TELL_REJ, KICK, PUT},
		 .source = stock("6: rx REJ, reason 10 -> TIMEWAIT +E")},
		{.on = {REJ}, .in = req_pending, .next = IDLE, .does = {UNLINK_QPN, UNLINK_PEER, RELEASE, TELL_REJ, KICK},
		 .source = stock("6: rx REJ, REQ_RCVD, MRA_REQ_SENT")},
		{.on = {REJ}, .in = rep_awaited, .next = IDLE,
		 .does = {END, UNLINK_QPN, UNLINK_PEER, RELEASE, TELL_REJ, KICK, PUT}, .source = stock("6: rx REJ, REP_SENT, MRA_REP_RCVD")},
		{.on = {REJ_STALE}, .in = req_pending, .next = TIMEWAIT, .does = {UNLINK_QPN, ENTER_TW, TELL_REJ, KICK},
		 .source = stock("6: rx REJ, reason 10 -> TIMEWAIT +E")},
		{.on = {REJ_STALE}, .in = rep_awaited, .next = TIMEWAIT, .does = {END, UNLINK_QPN, ENTER_TW, TELL_REJ, KICK, PUT},
		 .source = stock("6: rx REJ, reason 10 -> TIMEWAIT +E")},
		{.on = {REJ, REJ_STALE}, .in = rep_pending, .next = TIMEWAIT, .does = {UNLINK_QPN, ENTER_TW, TELL_REJ, KICK},
		 .source = stock("6: rx REJ, REP_RCVD, MRA_REP_SENT -> TIMEWAIT +E")},
		{.on = {REJ, REJ_STALE}, .in = connected, .next = TIMEWAIT, .does = {UNLINK_QPN, ENTER_TW, TELL_REJ, KICK},
		 .source = stock("6: rx REJ, ESTABLISHED -> TIMEWAIT +E"),
		 .reason = "field fault 18: a pending LAP ends with the connection"},
		{.on = {REJ, REJ_STALE}, .in = dreq_sent, .next = TIMEWAIT, .does = {END, ENTER_TW, TELL_REJ, KICK, PUT},
		 .source = stock("6: rx REJ, DREQ_SENT -> TIMEWAIT +E")},
		{.on = {REJ, REJ_STALE}, .in = req_unclaimed, .next = DEAD,
		 .does = {UNLINK_QPN, UNLINK_PEER, RELEASE, DISOWN, PUT},
		 .source = field("31: REJ reaches the id before the consumer has seen its REQ"),
		 .reason = "nobody was told of the REQ: nobody needs to hear of its end"},
		{.on = {REJ, REJ_STALE}, .in = at_rest + dreq_rcvd + timewait + timewait_stale + gone + dead,
		 .verdict = ignore(late), .source = stock("6: rx REJ, others: -")},
		{.on = {REJ, REJ_STALE}, .in = listening + sidr_unclaimed + sidr_awaited + sidr_pending,
		 .verdict = ignore(wrong_role), .source = stock("6: rx REJ, others: -")},

		{.on = {CALL_MRA}, .in = {REQ_RCVD}, .next = MRA_REQ_SENT, .does = {SET_MRA, KEEP_DATA, SAY_MRA_REQ, SEND},
		 .source = stock("6: prepare_mra, REQ_RCVD -> MRA_REQ_SENT")},
		{.on = {CALL_MRA_DELAYED}, .in = {REQ_RCVD}, .next = MRA_REQ_SENT, .does = {SET_MRA, KEEP_DATA},
		 .source = stock("6: prepare_mra, REQ_RCVD -> MRA_REQ_SENT")},
		{.on = {CALL_MRA}, .in = {REP_RCVD}, .next = MRA_REP_SENT, .does = {SET_MRA, KEEP_DATA, SAY_MRA_REP, SEND},
		 .source = stock("6: prepare_mra, REP_RCVD -> MRA_REP_SENT")},
		{.on = {CALL_MRA_DELAYED}, .in = {REP_RCVD}, .next = MRA_REP_SENT, .does = {SET_MRA, KEEP_DATA},
		 .source = stock("6: prepare_mra, REP_RCVD -> MRA_REP_SENT")},
		{.on = {CALL_MRA}, .in = {EST_LAP_RCVD}, .next = EST_MRA_LAP_SENT, .does = {SET_MRA, KEEP_DATA, SAY_MRA_LAP, SEND},
		 .source = stock("6: prepare_mra, ESTABLISHED + LAP_RCVD -> lap MRA_LAP_SENT")},
		{.on = {CALL_MRA_DELAYED}, .in = {EST_LAP_RCVD}, .next = EST_MRA_LAP_SENT, .does = {SET_MRA, KEEP_DATA},
		 .source = stock("6: prepare_mra, ESTABLISHED + LAP_RCVD -> lap MRA_LAP_SENT")},
		{.on = {CALL_MRA, CALL_MRA_DELAYED},
		 .in = at_rest + listening + req_awaited + States{MRA_REQ_SENT} + rep_awaited + States{MRA_REP_SENT} +
		       States{ESTABLISHED, EST_LAP_IDLE, EST_LAP_SENT, EST_MRA_LAP_SENT, EST_MRA_LAP_RCVD} + dreq_sent +
		       dreq_rcvd + timewait + timewait_stale + sidr_awaited + sidr_pending,
		 .verdict = invalid("EINVAL"), .source = stock("6: prepare_mra, else -EINVAL")},
	});
}

void accept(std::vector<Row> &rows)
{
	requests(rows);
	answers(rows);
	rejections(rows);
}

} // namespace cepheus::model::id
