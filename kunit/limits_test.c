// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite ib_cm_limits: what happens at the edge: bounds that are reached, memory
 * that runs out, ports that do not come, change, or go while something is under way.
 *
 * Owns: the list of cases; requests, stations and threads for them.
 */
#include <linux/module.h>

#include "limits.h"

static struct workqueue_struct *limits_wq;

u8 *limits_mad(struct kunit *test)
{
	u8 *mad = kunit_kzalloc(test, MAD_BYTES, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, mad);
	return mad;
}

int limits_req(struct rig_id *id, struct loop_station *to, u16 pkey)
{
	struct loop_packet there = {};
	struct ib_cm_req_param param;
	struct sa_path_rec path, twin;

	rig_attempt(id);
	rig_req_param(id, &param, &path, &twin);
	path.pkey = cpu_to_be16(pkey);
	if (to) {
		loop_station_address(to, &there);
		path.dgid = there.sgid;
		if (id->rig->layer == IB_LINK_LAYER_ETHERNET)
			sa_path_set_dmac(&path, there.smac);
		else
			sa_path_set_dlid(&path, there.slid);
	}
	return ib_send_cm_req(id->cm, &param);
}

bool limits_arrives(struct loop_station *at, u16 attr, struct loop_packet *packet)
{
	while (!loop_station_recv(at, packet, RIG_WAIT_MS))
		if (mad_attr(packet->mad) == attr)
			return true;
	return false;
}

void limits_fill(struct kunit *test, struct rig *rig)
{
	const struct loop_rule each = { .nth = 1 };
	u8 response_time = rig->response_time;
	unsigned int i;

	/* There is a handle for the peer. */
	rig->response_time = LIMITS_LONG;
	KUNIT_ASSERT_NOT_NULL(test, rig_bring(rig, CM_ID_REQ_SENT, true));
	rig_settle(rig);
	KUNIT_ASSERT_TRUE(test, rig_until(!rig_counter(rig, "posted")));
	KUNIT_ASSERT_TRUE(test, rig_param(test, "send_budget", LIMITS_BUDGET));
	loop_fault_set(rig->dev, 1, LOOP_SEND_NEVER, &each);
	for (i = 0; i < LIMITS_BUDGET; i++) {
		KUNIT_ASSERT_EQ(test, rig_send_req(rig_id_create(rig)), 0);
		KUNIT_ASSERT_TRUE(test, rig_peer_recv(rig, ATTR_REQ, NULL, RIG_WAIT_MS));
	}
	KUNIT_ASSERT_EQ(test, rig_counter(rig, "posted"), LIMITS_BUDGET);
	rig->response_time = response_time;
}

void limits_release(struct rig *rig)
{
	loop_faults_clear(rig->dev);
	loop_hca_release(rig->dev);
}

static void limits_call_run(struct work_struct *work)
{
	struct limits_call *call = container_of(work, struct limits_call, work);

	call->result = limits_req(call->id, call->to, 0xffff);
	complete(&call->done);
}

void limits_start(struct limits_call *call, struct rig_id *id, struct loop_station *to)
{
	call->id = id;
	call->to = to;
	init_completion(&call->done);
	INIT_WORK_ONSTACK(&call->work, limits_call_run);
	limits_queue(&call->work);
}

int limits_join(struct limits_call *call)
{
	flush_work(&call->work);
	destroy_work_on_stack(&call->work);
	return call->result;
}

void limits_queue(struct work_struct *work)
{
	queue_work(limits_wq, work);
}

static int limits_suite_init(struct kunit_suite *suite)
{
	limits_wq = alloc_workqueue("cm_limits_test", WQ_UNBOUND, 0);
	return limits_wq ? 0 : -ENOMEM;
}

static void limits_suite_exit(struct kunit_suite *suite)
{
	if (limits_wq)
		destroy_workqueue(limits_wq);
}

static struct kunit_case limits_cases[] = {
	KUNIT_CASE(limits_repetition_over_budget),
	KUNIT_CASE(limits_caller_allocates_as_before),
	KUNIT_CASE_SLOW(limits_as_many_as_may_wait),
	KUNIT_CASE(limits_no_memory_to_wait),
	KUNIT_CASE(limits_waits_and_fails),
	KUNIT_CASE(limits_handle_fails_late),
	KUNIT_CASE(limits_handles_are_bounded),
	KUNIT_CASE(limits_handle_in_use_is_passed_over),
	KUNIT_CASE_SLOW(limits_handles_grow_old),
	KUNIT_CASE(limits_handles_all_in_use),
	KUNIT_CASE(limits_handle_made_twice),
	KUNIT_CASE(limits_idle_handle_out_of_date),
	KUNIT_CASE(limits_handle_without_memory),
	KUNIT_CASE(limits_want_of_memory_is_no_send_error),
	KUNIT_CASE(limits_unknown_pkey_does_not_wait),
	KUNIT_CASE(limits_handle_out_of_date),
	KUNIT_CASE(limits_call_meets_removal),
	KUNIT_CASE_SLOW(limits_parting_messages_are_bounded),
	KUNIT_CASE(limits_reply_without_a_way),
	KUNIT_CASE(limits_reply_without_memory),
	KUNIT_CASE(limits_rep_without_memory),
	KUNIT_CASE(limits_request_without_memory),
	KUNIT_CASE(limits_answer_without_memory),
	KUNIT_CASE_SLOW(limits_answers_are_bounded),
	KUNIT_CASE_SLOW(limits_two_ports_one_request),
	KUNIT_CASE(limits_reject_in_atomic_context),
	KUNIT_CASE(limits_destroyed_twice),
	KUNIT_CASE(limits_request_of_an_orphan),
	KUNIT_CASE_SLOW(limits_turn_is_taken_back),
	KUNIT_CASE_SLOW(limits_requests_meet_removal),
	KUNIT_CASE_SLOW(limits_requests_meet_removal_of_shares),
	KUNIT_CASE(limits_waiting_request_meets_removal),
	KUNIT_CASE(limits_port_fails_to_come),
	KUNIT_CASE_SLOW(limits_device_without_memory),
	KUNIT_CASE(limits_port_without_cm),
	KUNIT_CASE(limits_device_without_cm),
	KUNIT_CASE(limits_bond_changes),
	KUNIT_CASE(limits_device_is_renamed),
	KUNIT_CASE_SLOW(limits_removal_with_sends_out),
	KUNIT_CASE(limits_slow_handle_meets_removal),
	KUNIT_CASE(limits_slow_reply_meets_removal),
	KUNIT_CASE(limits_number_of_a_lost_request),
	KUNIT_CASE(limits_handle_comes_to_a_full_queue),
	{}
};

static struct kunit_suite limits_suite = {
	.name = "ib_cm_limits",
	.suite_init = limits_suite_init,
	.suite_exit = limits_suite_exit,
	.init = rig_case,
	.test_cases = limits_cases,
};
kunit_test_suite(limits_suite);

MODULE_DESCRIPTION("Tests of ib_cm: bounds, want of memory, ports that come and go");
MODULE_LICENSE("GPL");
