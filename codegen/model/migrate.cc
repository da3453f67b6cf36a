// SPDX-License-Identifier: GPL-2.0-only
//
// Owns: alternate paths: LAP and APR, path migration; queue pair attributes,
// which depend on the same states.
#include "rows.h"

namespace cepheus::model::id {

void migrate(std::vector<Row> &rows)
{
	const States no_path = at_rest + listening + req_awaited + req_pending + rep_awaited + rep_pending + dreq_sent +
			       dreq_rcvd + timewait + timewait_stale + sidr_awaited + sidr_pending;

	add(rows, {
		{.on = {LAP}, .in = {ESTABLISHED, EST_LAP_IDLE}, .next = EST_LAP_RCVD, .does = {TAKE_LAP, TELL_LAP, KICK},
		 .source = stock("6: rx LAP, lap UNINIT/IDLE -> LAP_RCVD +E"), .reason = "7.8: nothing is overwritten before the state is known"},
		{.on = {LAP}, .in = {EST_MRA_LAP_SENT}, .verdict = resend(), .does = {SAY_MRA_LAP, SEND},
		 .source = stock("6: rx LAP, MRA_LAP_SENT -> MRA")},
		{.on = {LAP}, .in = {EST_LAP_RCVD}, .verdict = ignore(duplicate), .source = stock("6: rx LAP, LAP_RCVD -> -")},
		{.on = {LAP}, .in = {EST_LAP_SENT, EST_MRA_LAP_RCVD}, .verdict = ignore(wrong_role),
		 .source = stock("6: rx LAP, other lap states: -")},
		{.on = {LAP}, .in = no_path + unclaimed + gone + dead, .verdict = ignore(late),
		 .source = stock("6: rx LAP, ESTABLISHED only")},

		{.on = {APR}, .in = {EST_LAP_SENT, EST_MRA_LAP_RCVD}, .next = EST_LAP_IDLE, .does = {TELL_APR, KICK},
		 .source = stock("6: rx APR, lap LAP_SENT/MRA_LAP_RCVD -> IDLE +E")},
		{.on = {APR},
		 .in = no_path + unclaimed + States{ESTABLISHED, EST_LAP_IDLE, EST_LAP_RCVD, EST_MRA_LAP_SENT} + gone + dead,
		 .verdict = ignore(wrong_role), .source = stock("6: rx APR, others: -")},

		{.on = {MRA_LAP}, .in = {EST_LAP_SENT}, .next = EST_MRA_LAP_RCVD, .does = {TELL_MRA, KICK},
		 .source = stock("6: rx MRA, lap LAP_SENT -> MRA_LAP_RCVD +E")},
		{.on = {MRA_LAP}, .in = {EST_MRA_LAP_RCVD}, .verdict = ignore(duplicate), .source = stock("6: rx MRA, others: -")},
		{.on = {MRA_LAP},
		 .in = no_path + unclaimed + States{ESTABLISHED, EST_LAP_IDLE, EST_LAP_RCVD, EST_MRA_LAP_SENT} + gone + dead,
		 .verdict = ignore(wrong_role), .source = stock("6: rx MRA, others: -")},

		{.on = {CALL_PATH_MIG}, .in = {ESTABLISHED, EST_LAP_IDLE}, .next = EST_LAP_IDLE, .does = {MIGRATE},
		 .source = stock("6: notify PATH_MIG"), .reason = "7.9: the paths are swapped, references with them"},
		{.on = {CALL_PATH_MIG}, .in = no_path + States{EST_LAP_SENT, EST_LAP_RCVD, EST_MRA_LAP_SENT, EST_MRA_LAP_RCVD},
		 .verdict = invalid("EINVAL"), .source = stock("6: notify PATH_MIG, else -EINVAL")},
		{.on = {CALL_PATH_MIG_NONE}, .in = no_path + connected, .verdict = invalid("EINVAL"),
		 .source = contract("5: no error path may leave an id without a primary path")},

		{.on = {CALL_QP_INIT}, .in = req_awaited + req_pending + rep_awaited + rep_pending + connected,
		 .does = {FILL_INIT}, .source = stock("6: init_qp_attr INIT")},
		{.on = {CALL_QP_INIT},
		 .in = at_rest + listening + dreq_sent + dreq_rcvd + timewait + timewait_stale + sidr_awaited + sidr_pending,
		 .verdict = invalid("EINVAL"), .source = stock("6: init_qp_attr, else -EINVAL")},
		{.on = {CALL_QP_RTR}, .in = req_pending + rep_awaited + rep_pending + connected, .does = {FILL_RTR},
		 .source = stock("6: init_qp_attr RTR")},
		{.on = {CALL_QP_RTS}, .in = req_pending + rep_awaited + rep_pending + connected, .does = {FILL_RTS},
		 .source = kernel("4.3 ipoib: RTS before REP")},
		{.on = {CALL_QP_RTR, CALL_QP_RTS},
		 .in = at_rest + listening + req_awaited + dreq_sent + dreq_rcvd + timewait + timewait_stale + sidr_awaited +
		       sidr_pending,
		 .verdict = invalid("EINVAL"), .source = stock("6: init_qp_attr, else -EINVAL")},
	});
}

} // namespace cepheus::model::id
