// SPDX-License-Identifier: GPL-2.0-only
//
// Owns: the ends of an id: destroy, a handler that said no, device removal.
// At most one parting message; what it is, state by state, is the contract
// "Destroy" of the design.
#include "rows.h"

namespace cepheus::model::id {

void destroy(std::vector<Row> &rows)
{
	const Events any{DESTROY, DESTROY_XRC, HANDLER_REFUSED, HANDLER_REFUSED_XRC, HANDLER_NOMEM, HANDLER_NOMEM_XRC};
	const Events plain{DESTROY, HANDLER_REFUSED, HANDLER_NOMEM};
	const Events xrc{DESTROY_XRC, HANDLER_REFUSED_XRC, HANDLER_NOMEM_XRC};
	const Events loud{DESTROY, DESTROY_XRC, HANDLER_REFUSED, HANDLER_REFUSED_XRC};
	const Events silent{HANDLER_NOMEM, HANDLER_NOMEM_XRC};
	const Events destroys{DESTROY, DESTROY_XRC};
	const Events handlers{HANDLER_REFUSED, HANDLER_REFUSED_XRC, HANDLER_NOMEM, HANDLER_NOMEM_XRC};
	const auto said = contract("Destroy");

	add(rows, {
		{.on = any, .in = at_rest + gone, .next = DEAD, .does = {DISCARD, DISOWN, CANCEL, PUT}, .source = said},
		{.on = any, .in = listening, .next = DEAD, .does = {ENTRY_REMOVE, DISCARD, DISOWN, REJECT_QUEUED, CANCEL, PUT},
		 .source = contract("Shared listen: the last one is a full synchronous destroy")},
		{.on = destroys, .in = req_unclaimed, .next = DEAD, .does = {UNLINK_QPN, UNLINK_PEER, RELEASE, DISOWN, PUT},
		 .source = said, .reason = "its owner is the CM itself"},
		{.on = destroys, .in = sidr_unclaimed, .next = DEAD, .does = {UNLINK_SIDR, RELEASE, DISOWN, PUT}, .source = said,
		 .reason = "its owner is the CM itself"},
		{.on = any, .in = req_awaited, .next = DEAD,
		 .does = {SAY_REJ_TIMEOUT, END, RELEASE, DISCARD, DISOWN, SEND, CANCEL, PUT}, .source = said},
		{.on = loud, .in = {REQ_RCVD}, .next = DEAD,
		 .does = {SAY_REJ_CONSUMER_REQ, UNLINK_QPN, UNLINK_PEER, RELEASE, DISCARD, DISOWN, SEND, CANCEL, PUT}, .source = said},
		{.on = silent, .in = {REQ_RCVD}, .next = DEAD,
		 .does = {UNLINK_QPN, UNLINK_PEER, RELEASE, DISCARD, DISOWN, CANCEL, PUT},
		 .source = field("30: -ENOMEM: silence, so that the peer retries")},
		{.on = any, .in = {MRA_REQ_SENT}, .next = DEAD,
		 .does = {SAY_REJ_CONSUMER_REQ, UNLINK_QPN, UNLINK_PEER, RELEASE, DISCARD, DISOWN, SEND, CANCEL, PUT}, .source = said},
		{.on = any, .in = rep_awaited, .next = DEAD,
		 .does = {SAY_REJ_CONSUMER_OTHER, END, UNLINK_QPN, ORPHAN, DISCARD, DISOWN, SEND, CANCEL, PUT}, .source = said,
		 .reason = "the peer may hold the QPN for connected: timewait"},
		{.on = any, .in = rep_pending, .next = DEAD,
		 .does = {SAY_REJ_CONSUMER_REP, UNLINK_QPN, UNLINK_PEER, RELEASE, DISCARD, DISOWN, SEND, CANCEL, PUT}, .source = said},
		{.on = plain, .in = connected, .next = DEAD,
		 .does = {SAY_DREQ_ONCE, UNLINK_QPN, ORPHAN, DISCARD, DISOWN, SEND, CANCEL, PUT}, .source = said,
		 .reason = "field fault 3: exactly one DREQ, unreferenced, never retried"},
		{.on = xrc, .in = connected, .next = DEAD, .does = {UNLINK_QPN, UNLINK_PEER, RELEASE, DISCARD, DISOWN, CANCEL, PUT},
		 .source = stock("5.5: XRC_TGT -> nothing")},
		{.on = any, .in = dreq_sent, .next = DEAD, .does = {END, ORPHAN, DISCARD, DISOWN, CANCEL, PUT}, .source = said,
		 .reason = "the DREQ is out already"},
		{.on = any, .in = dreq_rcvd, .next = DEAD, .does = {SAY_DREP, ORPHAN, DISCARD, DISOWN, SEND, CANCEL, PUT}, .source = said},
		{.on = any, .in = timewait, .next = DEAD, .does = {ORPHAN, DISCARD, DISOWN, CANCEL, PUT},
		 .source = contract("Timewait: the consumer's memory is free at once")},
		{.on = any, .in = timewait_stale, .next = DEAD, .does = {RELEASE, DISCARD, DISOWN, CANCEL, PUT}, .source = said},
		{.on = any, .in = sidr_awaited, .next = DEAD, .does = {END, DISCARD, DISOWN, CANCEL, PUT}, .source = said},
		{.on = any, .in = sidr_pending, .next = DEAD,
		 .does = {SAY_SIDR_REJECT, UNLINK_SIDR, RELEASE, DISCARD, DISOWN, SEND, CANCEL, PUT}, .source = said},
		{.on = any, .in = dead, .verdict = ignore(late), .source = contract("Destroy: DEAD ignores a handler's return value"),
		 .reason = "a second destroy is reported by its caller's side"},
		{.on = handlers, .in = unclaimed, .verdict = never("no handler has been called for it")},
		{.on = any, .in = nobody, .verdict = never("a destroy has an id")},
	});

	const auto left = contract("Removal: every affected id has had its terminal event and is GONE");
	add(rows, {
		{.on = {REMOVED}, .in = at_rest, .next = GONE, .source = left},
		{.on = {REMOVED}, .in = listening, .next = GONE, .does = {ENTRY_REMOVE, REJECT_QUEUED}, .source = left},
		{.on = {REMOVED}, .in = req_unclaimed, .next = DEAD, .does = {UNLINK_QPN, UNLINK_PEER, RELEASE, DISOWN, PUT}, .source = left},
		{.on = {REMOVED}, .in = sidr_unclaimed, .next = DEAD, .does = {UNLINK_SIDR, RELEASE, DISOWN, PUT}, .source = left},
		{.on = {REMOVED}, .in = req_awaited, .next = GONE, .does = {END, RELEASE, TELL_REQ_ERROR, KICK, PUT}, .source = left},
		{.on = {REMOVED}, .in = req_pending + rep_pending, .next = GONE,
		 .does = {UNLINK_QPN, UNLINK_PEER, RELEASE, TELL_REJ_REMOVED, KICK}, .source = left},
		{.on = {REMOVED}, .in = rep_awaited, .next = GONE,
		 .does = {END, UNLINK_QPN, UNLINK_PEER, RELEASE, TELL_REP_ERROR, KICK, PUT}, .source = left},
		{.on = {REMOVED}, .in = connected, .next = GONE, .does = {UNLINK_QPN, UNLINK_PEER, RELEASE, TELL_TIMEWAIT_EXIT, KICK},
		 .source = field("20: TIMEWAIT_EXIT is delivered")},
		{.on = {REMOVED}, .in = dreq_sent, .next = GONE, .does = {END, UNLINK_PEER, RELEASE, TELL_TIMEWAIT_EXIT, KICK, PUT},
		 .source = field("20: TIMEWAIT_EXIT is delivered")},
		{.on = {REMOVED}, .in = dreq_rcvd + timewait, .next = GONE, .does = {UNLINK_PEER, RELEASE, TELL_TIMEWAIT_EXIT, KICK},
		 .source = field("20: TIMEWAIT_EXIT is delivered")},
		{.on = {REMOVED}, .in = timewait_stale, .next = GONE, .does = {RELEASE, TELL_TIMEWAIT_EXIT, KICK}, .source = left},
		{.on = {REMOVED}, .in = sidr_awaited, .next = GONE, .does = {END, TELL_SIDR_REQ_ERROR, KICK, PUT}, .source = left},
		{.on = {REMOVED}, .in = sidr_pending, .next = GONE, .does = {UNLINK_SIDR, RELEASE, TELL_SIDR_REQ_ERROR, KICK}, .source = left},
		{.on = {REMOVED}, .in = gone + dead, .verdict = ignore(late), .source = left},
		{.on = {REMOVED}, .in = nobody, .verdict = never("a removal goes through the device's ids")},
	});
}

} // namespace cepheus::model::id
