// SPDX-License-Identifier: GPL-2.0-only
//
// Owns: creation, listening, and how a claimed request gets to a listener's
// consumer. What a listener's shares do is the machine "share".
#include "rows.h"

namespace cepheus::model::id {

void listen(std::vector<Row> &rows)
{
	const States others = at_rest + listening + req_awaited + req_pending + rep_awaited + rep_pending + connected +
			      dreq_sent + dreq_rcvd + timewait + timewait_stale + sidr_awaited + sidr_pending + gone;

	add(rows, {
		{.on = {CREATE}, .in = nobody, .next = IDLE, .does = {OWN},
		 .source = kernel("ib_create_cm_id")},
		{.on = {CREATE}, .in = others + unclaimed + dead, .verdict = never("an id is created once")},

		{.on = {CALL_LISTEN}, .in = at_rest, .next = LISTEN, .does = {ENTRY_ADD},
		 .source = stock("6: listen, IDLE -> LISTEN")},
		{.on = {CALL_LISTEN_TAKEN}, .in = at_rest, .verdict = invalid("EBUSY"), .source = stock("6: listen: -EBUSY")},
		{.on = {CALL_LISTEN, CALL_LISTEN_TAKEN},
		 .in = listening + req_awaited + req_pending + rep_awaited + rep_pending + connected + dreq_sent + dreq_rcvd +
		       timewait + timewait_stale + sidr_awaited + sidr_pending,
		 .verdict = invalid("EINVAL"), .source = stock("6: listen, other states")},

		// The turn of a request that a listener's handler has not seen.
		{.on = {HAND_OVER}, .in = req_unclaimed, .next = REQ_RCVD, .does = {TELL_REQ, KICK},
		 .source = stock("6: rx REQ, -> REQ_RCVD +E")},
		{.on = {HAND_OVER}, .in = sidr_unclaimed, .next = SIDR_REQ_RCVD, .does = {TELL_SIDR_REQ, KICK},
		 .source = stock("6: rx SIDR_REQ, SIDR_REQ_RCVD +E")},
		{.on = {LISTENER_GONE}, .in = req_unclaimed, .next = DEAD, .verdict = reject(),
		 .does = {SAY_REJ_SERVICE, UNLINK_QPN, UNLINK_PEER, RELEASE, DISOWN, SEND, PUT},
		 .source = field("23: listener destroyed with REQs queued: each gets REJ")},
		{.on = {LISTENER_GONE}, .in = sidr_unclaimed, .next = DEAD, .verdict = reject(),
		 .does = {UNLINK_SIDR, RELEASE, DISOWN, REPLY_SIDR_UNSUPPORTED, PUT},
		 .source = field("26: unknown service: status 1 at once")},
		{.on = {UNREACHABLE}, .in = req_unclaimed, .next = DEAD, .verdict = reject(),
		 .does = {UNLINK_QPN, UNLINK_PEER, RELEASE, DISOWN, REPLY_REJ_GID, PUT},
		 .source = stock("6: rx REQ, bad primary path: REJ 12, ARI own GID")},
		{.on = {UNREACHABLE_ALT}, .in = req_unclaimed, .next = DEAD, .verdict = reject(),
		 .does = {UNLINK_QPN, UNLINK_PEER, RELEASE, DISOWN, REPLY_REJ_ALT_GID, PUT},
		 .source = stock("6: rx REQ, bad alternate: REJ 18")},
		{.on = {UNREACHABLE}, .in = sidr_unclaimed, .next = DEAD,
		 .does = {UNLINK_SIDR, RELEASE, DISOWN, PUT},
		 .source = contract("Receive context: resolution of a new request"), .reason = "nobody can be answered"},
		{.on = {UNREACHABLE_ALT}, .in = sidr_unclaimed, .verdict = never("a SIDR_REQ has one path")},
		{.on = {HAND_OVER, LISTENER_GONE, UNREACHABLE, UNREACHABLE_ALT}, .in = dead, .verdict = ignore(late),
		 .source = contract("Removal, and REJ before delivery: the id may have ended while it waited for its turn")},
		{.on = {HAND_OVER, LISTENER_GONE, UNREACHABLE, UNREACHABLE_ALT}, .in = others + nobody,
		 .verdict = never("only a claimed request waits for a turn")},
	});
}

} // namespace cepheus::model::id
