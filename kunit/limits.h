/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the suite ib_cm_limits share: requests to peers of one's own,
 * a device whose sends do not complete, calls on another thread.
 */
#ifndef LIMITS_H
#define LIMITS_H

#include <linux/workqueue.h>

#include "wire.h"
#include "../cm_core/generated/cm_model.h"

#define LIMITS_BUDGET	8	/* the least that the parameter takes */
#define LIMITS_LONG	22	/* a time-out of 17 s: nothing is repeated here */

#define LIMITS_CASE(name)	void name(struct kunit *test)

u8 *limits_mad(struct kunit *test);
/* ib_send_cm_req(), to the rig's peer or, if there is one, to that station; with this P_Key (host order). */
int limits_req(struct rig_id *id, struct loop_station *to, u16 pkey);
/* Does the station get such a datagram within the rig's patience? Others are lost. */
bool limits_arrives(struct loop_station *at, u16 attr, struct loop_packet *packet);
/* From now on a port takes LIMITS_BUDGET sends, and as many have not completed. */
void limits_fill(struct kunit *test, struct rig *rig);
void limits_release(struct rig *rig);

/* A call that takes its time, on a thread of its own. */
struct limits_call {
	struct work_struct work;
	struct rig_id *id;
	struct loop_station *to;
	int result;
	struct completion done;
};

void limits_start(struct limits_call *call, struct rig_id *id, struct loop_station *to);
/* Waits for its end. */
int limits_join(struct limits_call *call);
/* A handle is being made, and comes when the removal has begun, which waits for it. id: of the device. */
void limits_unplug_meets_slow_handle(struct kunit *test, struct rig *rig, struct rig_id *id);
/* Something of one's own on a thread of its own: flush_work() waits for it. */
void limits_queue(struct work_struct *work);

/* limits_tx.c: the budget, the window, address handles */
LIMITS_CASE(limits_repetition_over_budget);
LIMITS_CASE(limits_caller_allocates_as_before);
LIMITS_CASE(limits_as_many_as_may_wait);
LIMITS_CASE(limits_no_memory_to_wait);
LIMITS_CASE(limits_waits_and_fails);
LIMITS_CASE(limits_handle_fails_late);
LIMITS_CASE(limits_handles_are_bounded);
LIMITS_CASE(limits_handle_in_use_is_passed_over);
LIMITS_CASE(limits_handles_grow_old);
LIMITS_CASE(limits_handles_all_in_use);
LIMITS_CASE(limits_handle_made_twice);
LIMITS_CASE(limits_idle_handle_out_of_date);
LIMITS_CASE(limits_handle_without_memory);
LIMITS_CASE(limits_want_of_memory_is_no_send_error);
LIMITS_CASE(limits_unknown_pkey_does_not_wait);
LIMITS_CASE(limits_handle_comes_to_a_full_queue);
LIMITS_CASE(limits_handle_out_of_date);
LIMITS_CASE(limits_call_meets_removal);
LIMITS_CASE(limits_parting_messages_are_bounded);

/* limits_rx.c: answers, turns, want of memory */
LIMITS_CASE(limits_reply_without_a_way);
LIMITS_CASE(limits_reply_without_memory);
LIMITS_CASE(limits_rep_without_memory);
LIMITS_CASE(limits_request_without_memory);
LIMITS_CASE(limits_answer_without_memory);
LIMITS_CASE(limits_answers_are_bounded);
LIMITS_CASE(limits_two_ports_one_request);
LIMITS_CASE(limits_reject_in_atomic_context);
LIMITS_CASE(limits_destroyed_twice);
LIMITS_CASE(limits_request_of_an_orphan);
LIMITS_CASE(limits_turn_is_taken_back);
LIMITS_CASE(limits_requests_meet_removal);
LIMITS_CASE(limits_requests_meet_removal_of_shares);
LIMITS_CASE(limits_waiting_request_meets_removal);
LIMITS_CASE(limits_slow_handle_meets_removal);
LIMITS_CASE(limits_slow_reply_meets_removal);
LIMITS_CASE(limits_number_of_a_lost_request);

/* limits_port.c: ports that come, change and go */
LIMITS_CASE(limits_port_fails_to_come);
LIMITS_CASE(limits_device_without_memory);
LIMITS_CASE(limits_port_without_cm);
LIMITS_CASE(limits_device_without_cm);
LIMITS_CASE(limits_bond_changes);
LIMITS_CASE(limits_device_is_renamed);
LIMITS_CASE(limits_removal_with_sends_out);

#endif /* LIMITS_H */
