// SPDX-License-Identifier: GPL-2.0-only
//
// Owns: the release of a connection: DREQ, DREP, timewait.
#include "rows.h"

namespace cepheus::model::id {

void disconnect(std::vector<Row> &rows)
{

	add(rows, {
		{.on = {CALL_DREQ}, .in = connected, .next = DREQ_SENT, .does = {SAY_DREQ, UNLINK_QPN, BEGIN, SEND},
		 .source = stock("6: send_dreq, ESTABLISHED -> DREQ_SENT")},
		{.on = {CALL_DREQ},
		 .in = at_rest + listening + req_awaited + req_pending + rep_awaited + rep_pending + dreq_sent + dreq_rcvd +
		       timewait + timewait_stale + sidr_awaited + sidr_pending,
		 .verdict = invalid("EINVAL"), .source = kernel("4.2 rdma_disconnect: non-zero when not ESTABLISHED")},
		{.on = {SEND_REFUSED}, .in = dreq_sent, .next = TIMEWAIT, .does = {END, ENTER_TW, PUT},
		 .source = stock("6: send_dreq, alloc or post failure -> TIMEWAIT and error return")},

		{.on = {CALL_DREP}, .in = dreq_rcvd, .next = TIMEWAIT, .does = {KEEP_DATA, SAY_DREP, ENTER_TW, SEND},
		 .source = stock("6: send_drep, DREQ_RCVD -> TIMEWAIT")},
		{.on = {CALL_DREP},
		 .in = at_rest + listening + req_awaited + req_pending + rep_awaited + rep_pending + connected + dreq_sent +
		       timewait + timewait_stale + sidr_awaited + sidr_pending,
		 .verdict = invalid("EINVAL"), .source = stock("6: send_drep, other states")},

		{.on = {DREQ}, .in = rep_awaited, .next = DREQ_RCVD, .does = {END, UNLINK_QPN, TAKE_DREQ, TELL_DREQ, KICK, PUT},
		 .source = field("4: DREQ instead of RTU: REP retries stop")},
		{.on = {DREQ}, .in = connected, .next = DREQ_RCVD, .does = {UNLINK_QPN, TAKE_DREQ, TELL_DREQ, KICK},
		 .source = stock("6: rx DREQ, ESTABLISHED -> DREQ_RCVD +E")},
		{.on = {DREQ}, .in = rep_pending, .next = DREQ_RCVD, .does = {UNLINK_QPN, TAKE_DREQ, TELL_DREQ, KICK},
		 .source = contract("2: Spin: both sides agree unless the parting DREQ was lost"),
		 .reason = "the passive side was told of data before the RTU and left: if its one DREQ is ignored, an RTU makes a connection with nobody"},
		{.on = {DREQ}, .in = dreq_sent, .next = DREQ_RCVD, .does = {END, TAKE_DREQ, TELL_DREQ, KICK, PUT},
		 .source = field("11: crossing DREQs end without a retry")},
		{.on = {DREQ}, .in = timewait, .verdict = resend(), .does = {SAY_DREP_AGAIN, SEND},
		 .source = field("11: each repeated DREQ gets the same DREP with its own TID")},
		{.on = {DREQ}, .in = dreq_rcvd, .verdict = ignore(duplicate), .source = stock("6: rx DREQ, DREQ_RCVD: -")},
		{.on = {DREQ}, .in = req_unclaimed + req_pending, .verdict = ignore(late),
		 .source = stock("6: rx DREQ, others: -"), .reason = "nothing of ours has made it a connection yet"},
		{.on = {DREQ},
		 .in = at_rest + listening + sidr_unclaimed + req_awaited + timewait_stale + sidr_awaited + sidr_pending + gone + dead,
		 .verdict = never("its peer is not known: DREQ_UNKNOWN")},
		{.on = {DREQ_UNKNOWN},
		 .in = at_rest + listening + req_awaited + timewait_stale + sidr_awaited + sidr_pending + gone + dead,
		 .verdict = reject(), .does = {REPLY_DREP}, .source = field("11: unknown id: stateless DREP")},
		{.on = {DREQ_UNKNOWN}, .in = nobody + sidr_unclaimed, .verdict = reject(), .does = {REPLY_DREP},
		 .source = stock("6: rx DREQ, no id: stateless DREP")},
		{.on = {DREQ_UNKNOWN},
		 .in = req_unclaimed + req_pending + rep_awaited + rep_pending + connected + dreq_sent + dreq_rcvd + timewait,
		 .verdict = never("its peer is known")},

		{.on = {DREP}, .in = dreq_sent, .next = TIMEWAIT, .does = {END, ENTER_TW, TELL_DREP, KICK, PUT},
		 .source = stock("6: rx DREP, DREQ_SENT -> TIMEWAIT +E")},
		{.on = {DREP}, .in = dreq_rcvd, .next = TIMEWAIT, .does = {ENTER_TW, TELL_DREP, KICK},
		 .source = stock("6: rx DREP, DREQ_RCVD -> TIMEWAIT +E")},
		{.on = {DREP}, .in = timewait, .verdict = ignore(duplicate), .source = stock("6: rx DREP, others: -")},
		{.on = {DREP},
		 .in = at_rest + listening + unclaimed + req_awaited + req_pending + rep_awaited + rep_pending + connected +
		       timewait_stale + sidr_awaited + sidr_pending + gone + dead,
		 .verdict = ignore(late), .source = stock("6: rx DREP, others: -")},

		{.on = {EXPIRED}, .in = dreq_sent, .next = TIMEWAIT, .does = {END, ENTER_TW, TELL_DREQ_ERROR, KICK, PUT},
		 .source = field("12: DREQ_ERROR, then TIMEWAIT_EXIT, exactly once each")},
		{.on = {SEND_FAILED}, .in = dreq_sent, .next = TIMEWAIT, .does = {END, ENTER_TW, TELL_DREQ_ERROR, KICK, PUT},
		 .source = stock("6: send failure, DREQ_SENT -> TIMEWAIT, DREQ_ERROR")},

		{.on = {TW_EXPIRED}, .in = timewait, .next = IDLE, .does = {UNLINK_PEER, RELEASE, TELL_TIMEWAIT_EXIT, KICK},
		 .source = stock("6: timewait expiry -> IDLE, TIMEWAIT_EXIT")},
		{.on = {TW_EXPIRED}, .in = timewait_stale, .next = IDLE, .does = {RELEASE, TELL_TIMEWAIT_EXIT, KICK},
		 .source = stock("6: timewait expiry -> IDLE, TIMEWAIT_EXIT")},
		{.on = {TW_EXPIRED},
		 .in = nobody + at_rest + listening + unclaimed + req_awaited + req_pending + rep_awaited + rep_pending +
		       connected + dreq_sent + dreq_rcvd + sidr_awaited + sidr_pending + gone + dead,
		 .verdict = never("the record in timewait is the id's only there")},
	});
}

} // namespace cepheus::model::id
