/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the suite ib_cm_wire share: the list of its cases, and the
 * steps that most scenarios begin with.
 *
 * A scenario has one rig (a device and a station that plays its peer) or two
 * (two devices, each with a CM of its own behind it). Expected values are those
 * of IBTA volume 1, chapter 12, and of the field's faults; the number in a
 * case's name is that of the fault.
 */
#ifndef WIRE_H
#define WIRE_H

#include <linux/completion.h>
#include <linux/kthread.h>
#include <linux/ktime.h>

#include "rig.h"
#include "../cm_core/generated/cm_model.h"

/* Times as the messages carry them: 4.096 us * 2^n. */
#define WIRE_QUICK	14	/* 67 ms: for what is to be repeated or to expire */
#define WIRE_SLOW	20	/* 4.3 s: for what is not */
#define WIRE_ACK	9	/* local ACK time-out of a path: 2 ms */
#define WIRE_PROMPT_MS	2000	/* a call that waits for nobody, on a busy machine */
#define WIRE_QUIET_MS	220	/* nothing comes for so long: three waits of WIRE_QUICK */

/* How many ids, connections or datagrams a test about many of them makes. */
extern unsigned int wire_many;

/* A generator that the table of cases in another file can name. */
#define WIRE_GEN(name, array) \
	KUNIT_ARRAY_PARAM_DESC(name, array, desc); \
	const void *name##_gen(struct kunit *test, const void *prev, char *desc) \
	{ \
		return name##_gen_params(test, prev, desc); \
	}

#define WIRE_CASE(name)		void name(struct kunit *test)
#define WIRE_CASE_PARAM(name) \
	WIRE_CASE(name); \
	const void *name##_gen(struct kunit *test, const void *prev, char *desc)

/* wire_setup.c: what goes wrong while a connection is made */
WIRE_CASE_PARAM(fault_04_dreq_instead_of_rtu);
WIRE_CASE(fault_05_handler_sleeps);
WIRE_CASE(fault_05_listener_handler_sleeps);
WIRE_CASE_PARAM(fault_05_unresolvable_peer);
WIRE_CASE(fault_06_req_black_hole);
WIRE_CASE(fault_07_create_ah_slow);
WIRE_CASE(fault_08_two_hosts_post_windows);
WIRE_CASE_PARAM(fault_09_mra_long);
WIRE_CASE_PARAM(fault_09_mra_stretches_once);
WIRE_CASE(fault_10_slow_consumers);
WIRE_CASE_PARAM(fault_13_peer_rebooted);
WIRE_CASE_PARAM(fault_14_comm_id_again);
WIRE_CASE_PARAM(fault_14_repetition);
WIRE_CASE(fault_14_other_peer);
WIRE_CASE_PARAM(fault_15_zero_guid_req);
WIRE_CASE_PARAM(fault_15_zero_guid_rep);
WIRE_CASE_PARAM(fault_21_rej_timeout_by_guid);
WIRE_CASE(fault_21_rej_timeout_other_guid);
WIRE_CASE(fault_21_rej_timeout_earlier_attempt);
WIRE_CASE(fault_21_rej_timeout_after_mra_sent);
WIRE_CASE(fault_21_rej_timeout_after_mra_received);
WIRE_CASE_PARAM(fault_21_rej_forged);
WIRE_CASE(fault_22_rep_unknown);
WIRE_CASE(fault_22_rep_of_destroyed_id);
WIRE_CASE(fault_24_rtu_lost_notify);
WIRE_CASE(fault_24_rtu_lost_silent);
WIRE_CASE(fault_24_rep_again_established);
WIRE_CASE(fault_24_rep_again_with_data);
WIRE_CASE(fault_24_rep_again_dreq_sent);
WIRE_CASE(fault_24_all_rtus_lost_two_ends);
WIRE_CASE(fault_27_time_fields_from_peer);
WIRE_CASE(fault_27_time_fields_from_api);
WIRE_CASE(fault_27_retry_counts);
WIRE_CASE(fault_27_max_cm_retries_counts);
WIRE_CASE_PARAM(fault_27_qpn_over_24_bits);
WIRE_CASE(fault_30_handler_nomem);
WIRE_CASE(fault_30_handler_refuses);
WIRE_CASE(fault_31_rej_while_req_in_handler);
WIRE_CASE(fault_31_rej_before_handler);
WIRE_CASE_PARAM(fault_33_pkey);
WIRE_CASE(fault_33_pkey_index_moves);
WIRE_CASE_PARAM(fault_34_event_port);
WIRE_CASE_PARAM(fault_34_sidr_event_port);
WIRE_CASE_PARAM(fault_35_flood);

/* wire_end.c: what goes wrong when one ends */
WIRE_CASE_PARAM(fault_01_withheld);
WIRE_CASE(fault_01_withheld_many);
WIRE_CASE(fault_01_link_down_after_error);
WIRE_CASE(fault_01_address_resolves);
WIRE_CASE_PARAM(fault_02_answer_withheld);
WIRE_CASE_PARAM(fault_03_one_dreq);
WIRE_CASE(fault_03_dreq_over_budget);
WIRE_CASE(fault_11_drep_lost);
WIRE_CASE(fault_11_drep_lost_id_destroyed);
WIRE_CASE(fault_11_drep_lost_timewait_over);
WIRE_CASE(fault_11_dreq_unknown);
WIRE_CASE(fault_11_crossing_dreqs);
WIRE_CASE_PARAM(fault_11_crossing_dreqs_two_ends);
WIRE_CASE_PARAM(fault_11_drep_has_tid_of_dreq);
WIRE_CASE_PARAM(fault_12_dreq_unanswered);
WIRE_CASE(fault_16_alloc_req_send);
WIRE_CASE(fault_16_alloc_req_receive);
WIRE_CASE_PARAM(fault_17_reject);
WIRE_CASE_PARAM(fault_17_destroy);
WIRE_CASE_PARAM(fault_17_rejected);
WIRE_CASE_PARAM(fault_18_lap_pending);
WIRE_CASE(fault_19_lap_of_other_device);
WIRE_CASE(fault_19_req_of_other_device);
WIRE_CASE(fault_19_migration_races_removal);
WIRE_CASE_PARAM(fault_20_removal);
WIRE_CASE_PARAM(fault_20_removal_and_calls);
WIRE_CASE(fault_20_removal_waits_for_handler);
WIRE_CASE(fault_23_listener_destroyed);
WIRE_CASE(fault_23_listener_of_sidr_destroyed);
WIRE_CASE_PARAM(fault_25_private_data);
WIRE_CASE(fault_25_information);
WIRE_CASE(fault_25_mra_tail);
WIRE_CASE_PARAM(fault_26_same_request_id);
WIRE_CASE(fault_26_repeated_while_pending);
WIRE_CASE(fault_26_repeated_after_reply);
WIRE_CASE(fault_26_unknown_service);
WIRE_CASE(fault_26_xrc_target_is_silent);
WIRE_CASE(fault_28_timewait_and_removal);
WIRE_CASE(fault_29_same_handler);
WIRE_CASE(fault_29_other_handler);
WIRE_CASE(fault_29_early_exit);
WIRE_CASE(fault_29_many_shares);
WIRE_CASE(fault_29_shares_come_and_go);
WIRE_CASE(fault_32_destroy_between_events);
WIRE_CASE_PARAM(fault_32_destroy_drops_what_waits);

/* wire_rows.c: rows of Documentation/differences.rst that no field fault is about */
WIRE_CASE_PARAM(rows_answer_refused);
WIRE_CASE(rows_refused_too_late);
WIRE_CASE(rows_listen_nomem);
WIRE_CASE(rows_needs_no_memory);
WIRE_CASE(rows_rep_unsent);
WIRE_CASE(rows_sidr_req_unsent);
WIRE_CASE(rows_wrong_state_and_bad_path);
WIRE_CASE(rows_assigned_services_differ);
WIRE_CASE(rows_qp_attr_pkey_gone);
WIRE_CASE(rows_qp_attr_alternate_pkey_gone);
WIRE_CASE(rows_flow_label);
WIRE_CASE(rows_dreq_tid);
WIRE_CASE(rows_req_without_a_path);
WIRE_CASE(rows_private_data_lengths);
WIRE_CASE(rows_rep_in_no_partition);
WIRE_CASE(rows_gids_given_back_active);
WIRE_CASE(rows_gids_given_back_roce);
WIRE_CASE(rows_gids_given_back_passive);
WIRE_CASE(rows_gids_given_back_by_what_waits);
WIRE_CASE(rows_alternate_ack_time);
WIRE_CASE(rows_migrated);
WIRE_CASE(rows_qp_attr_of_a_lap);
WIRE_CASE(rows_qp_attr_of_an_empty_lap);
WIRE_CASE(rows_peer_times_are_capped);
WIRE_CASE(rows_tx_retries);
WIRE_CASE(rows_source_of_another);
WIRE_CASE(rows_bad_alternate_path);
WIRE_CASE(rows_backlog_while_resolving);
WIRE_CASE(rows_rej_names_what_an_mra_told);
WIRE_CASE(rows_reply_rate);
WIRE_CASE(rows_replies_in_preparation);
WIRE_CASE(rows_events_that_wait);
WIRE_CASE(rows_stale_rep_ends_the_old);
WIRE_CASE(rows_sidr_request_id_again);
WIRE_CASE(rows_mra_of_what_was_not_sent);
WIRE_CASE(rows_timewait_yields);

/*
 * Of a station of the test's own, not the rig's. A datagram with its addresses; false if none of that attribute (0:
 * any) comes.
 */
bool wire_recv(struct loop_station *station, u16 attr, struct loop_packet *packet,
	       unsigned int timeout_ms);
/* How many of that attribute come until it has been quiet for so long. */
unsigned int wire_count_at(struct loop_station *station, u16 attr, unsigned int quiet_ms);
/* The same at the rig's own station. Whatever else comes is lost. */
unsigned int wire_count(struct rig *rig, u16 attr, unsigned int quiet_ms);
/* The test fails if the peer does not get it. */
void wire_expect(struct rig *rig, u16 attr, u8 *mad);
/* Throw away what waits for the peer. */
void wire_drain(struct rig *rig);
/* Let another station, created before, be the rig's peer until the next call or the end of the test; who it was. */
struct loop_station *wire_peer(struct rig *rig, struct loop_station *station);
/*
 * Devices alike, each with its station; calls of WIRE_SLOW. When the test ends, nothing is left of it; up to two plain
 * devices are there for the next one, with the address handles that they have made.
 */
void wire_rigs(struct kunit *test, const struct loop_config *config, struct rig **rigs,
	       unsigned int n);
/* The same, one; both CM response time-outs are 2^time. */
struct rig *wire_rig(struct kunit *test, enum rdma_link_layer layer, u8 time);
/* The suite is over. */
void wire_keep_no_more(void);
/* A station that goes when the test ends. */
struct loop_station *wire_station(struct kunit *test, enum rdma_link_layer layer);

/* The event that comes next; the test fails if it is another one or none. */
const struct rig_event *wire_event(struct rig_id *id, enum ib_cm_event_type type);
/* No event comes for so long. */
void wire_quiet(struct rig_id *id, unsigned int ms);
/* It gets there, or the test ends. */
void wire_reaches(struct rig_id *id, unsigned int state);
/* As rig_id_destroy(), which must be over promptly. */
void wire_destroy(struct rig_id *id);

/* What calls and messages of this rig say of times: 2^time for both CMs, a path of 2 ms, 15 repetitions. */
void wire_times(struct rig *rig, u8 time);
/* From the first port of a device to that of another. */
void wire_path(struct rig *from, struct rig *to, struct sa_path_rec *path);

/**
 * struct wire_req - a call of ib_send_cm_req() to be
 * @path: where param.primary_path points
 * @twin: and param.alternate_path, if there is one
 * @param: to be changed at will
 */
struct wire_req {
	struct sa_path_rec path, twin;
	struct ib_cm_req_param param;
};

/* As rig_send_req() does, for the service RIG_SERVICE. */
void wire_req_init(struct wire_req *req, struct rig_id *id);
/* Finds the GID attribute that fits the path. */
int wire_req_send(struct wire_req *req, struct rig_id *id);

/* Send the peer's REQ; what the listener makes of it, its REQ event taken. */
struct rig_id *wire_accept(struct rig *rig, struct rig_id *listener, const u8 *mad);
/* An answer of the peer: made by rig_make(), sent. */
void wire_answer(struct rig_id *id, enum cm_attr attr);
enum { REJ_OF_REQ, REJ_OF_REP, REJ_OF_NOTHING };	/* 12.6.7: message rejected */
void wire_answer_rej(struct rig_id *id, u16 reason, u8 rejected);

/* ESTABLISHED, all messages and all events taken. */
struct rig_id *wire_connect_active(struct rig *rig);
struct rig_id *wire_connect_passive(struct rig *rig, struct rig_id *listener);
/* The two ids of a connection between two devices. */
struct wire_pair {
	struct rig_id *a, *b;
};
/* The REQ only; a has sent it, b has the event. */
void wire_call_pair(struct rig *a, struct rig *b, struct rig_id *listener, struct wire_pair *pair);
void wire_connect_pair(struct rig *a, struct rig *b, struct rig_id *listener,
		       struct wire_pair *pair);

/* A SIDR_REQ for RIG_SERVICE along a path; waits of 2^14 (67 ms), three repetitions. */
int wire_sidr_send(struct rig_id *id, struct sa_path_rec *path, const void *data, u8 len);

/* ib_send_cm_rej(), consumer defined, without data. */
int wire_reject(struct rig_id *id);

/* Count from now on what a device sends of that attribute (0: all). */
void wire_tap(struct rig *rig, u16 attr);
unsigned int wire_tapped(struct rig *rig);
/* Set a fault that strikes each datagram of that attribute (0: any), times often (0: always). */
void wire_fault(struct rig *rig, enum loop_fault fault, u16 attr, u32 times, u32 arg);

/* For a hook: REP to a REQ, RTU to a REP, DREP to a DREQ. */
void wire_agree(struct rig_id *id, const struct rig_event *event);

/**
 * struct wire_gate - where handlers are held; one at a time
 * @open: they go on
 * @entered: handlers that came
 * @holds: how many of them are held, the first ones
 */
struct wire_gate {
	struct completion open;
	atomic_t entered;
	unsigned int holds;
};

/* Becomes the hook of an id. Opened when the test ends, if not before. */
struct wire_gate *wire_gate(struct kunit *test, struct rig_id *id, unsigned int holds);
int wire_gate_hook(struct rig_id *id, const struct rig_event *event);
/* So many came; false if not. */
bool wire_gate_entered(struct wire_gate *gate, int n);
void wire_gate_open(struct wire_gate *gate);

/**
 * struct wire_job - a call that may have to wait, in a thread of its own
 * @call: what to do
 * @arg: for it
 * @done: completed after it
 * @ms: how long it took
 */
struct wire_job {
	void (*call)(void *arg);
	void *arg;
	struct completion done;
	s64 ms;
};

void wire_start(struct kunit *test, struct wire_job *job, void (*call)(void *arg), void *arg);
/* False: not over after so long. */
bool wire_join(struct wire_job *job, unsigned int timeout_ms);

#endif /* WIRE_H */
