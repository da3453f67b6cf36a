// SPDX-License-Identifier: GPL-2.0-only
/*
 * Receiving at its bounds, for the suite ib_cm_limits: answers that cannot be
 * made or kept, copies of a request that come in at once, turns that nobody has a
 * worker for, requests that come while the device goes.
 *
 * Owns: these cases.
 */
#include <linux/delay.h>

#include "limits.h"

#define SERVICE		(RIG_SERVICE + 0x8000)
#define NOBODY		(RIG_SERVICE + 0x8888)
#define KEPT		1024	/* answers to SIDR_REQs of a port */
#define WORKERS		2048	/* handlers that run at once: WQ_UNBOUND_MAX_ACTIVE */
#define MANY		2000
#define ROUNDS		200
#define ALLOCATIONS	24	/* of a worker that takes in a datagram, and more */

static DECLARE_COMPLETION(limits_gate);
static atomic_t limits_inside;

static int limits_count(struct rig_id *id, const struct rig_event *event)
{
	atomic_inc(&limits_inside);
	return 0;
}

static struct rig_id *limits_asked(struct rig *rig, struct rig_id *listener, bool sidr)
{
	u8 *mad = limits_mad(rig->test);
	struct rig_id *id;

	if (sidr)
		rig_make_sidr_req(rig, listener->service_id, mad);
	else
		rig_make_req(rig, listener->service_id, mad);
	rig_peer_send(rig, mad);
	id = rig_accepted(listener);
	KUNIT_ASSERT_NOT_NULL(rig->test, id);
	return id;
}

/* ---- answers without an id ---- */

/* A datagram that came to a GID that the port has not: there is no address to answer from. */
LIMITS_CASE(limits_reply_without_a_way)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct loop_packet *packet = kunit_kzalloc(test, sizeof(*packet), GFP_KERNEL);
	struct rig_id *listener;
	u8 *mad = limits_mad(test);
	long dropped = rig_counter(rig, "reply_dropped");

	KUNIT_ASSERT_NOT_NULL(test, packet);
	rig_make_req(rig, NOBODY, mad);
	rig_peer_packet(rig, mad, packet);
	packet->grh = true;
	packet->dgid.raw[15] ^= 0x55;
	packet->hop_limit = 64;
	KUNIT_ASSERT_EQ(test, loop_station_send(rig->peer, packet), 0);
	rig_settle(rig);
	KUNIT_EXPECT_FALSE(test, rig_peer_recv(rig, 0, NULL, 0));
	KUNIT_EXPECT_EQ(test, rig_counter(rig, "reply_dropped") - dropped, 1);
	/* Nor is there one for a request that has a listener, who does not hear of it. */
	listener = rig_listen(rig, NOBODY);
	mad_set(packet->mad, F_MAD_TID, ++rig->tid);
	mad_set(packet->mad, "local_comm_id", rig->peer_comm_id++);
	KUNIT_ASSERT_EQ(test, loop_station_send(rig->peer, packet), 0);
	rig_settle(rig);
	KUNIT_EXPECT_FALSE(test, rig_peer_recv(rig, 0, NULL, 0));
	KUNIT_EXPECT_EQ(test, listener->delivered, 0);
	KUNIT_EXPECT_EQ(test, rig_counter(rig, "reply_dropped") - dropped, 2);
	rig_id_destroy(listener);
	/* To its own GID: answered. */
	rig_peer_packet(rig, mad, packet);
	packet->grh = true;
	packet->hop_limit = 64;
	KUNIT_ASSERT_EQ(test, loop_station_send(rig->peer, packet), 0);
	KUNIT_EXPECT_TRUE(test, rig_peer_recv(rig, ATTR_REJ, NULL, RIG_WAIT_MS));
}

/* A datagram, and the nth allocation of who takes it in fails. What comes of it has come. */
static void limits_send_short(struct rig *rig, const u8 *mad, unsigned int n)
{
	rig_fail_workers(n);
	rig_peer_send(rig, mad);
	if (n)
		msleep(50);
	rig_fail_workers(0);
	rig_settle(rig);
}

/* Whatever there is no memory for: the stranger gets its answer, or gets it when it asks again. */
static unsigned int limits_replies_lost(struct kunit *test, struct rig *rig)
{
	u8 *mad = limits_mad(test);
	unsigned int n, tries, lost = 0;
	bool answered;

	for (n = 1; n <= ALLOCATIONS; n++) {
		rig_make_sidr_req(rig, NOBODY, mad);
		for (answered = false, tries = 0; !answered && tries < 3; tries++) {
			limits_send_short(rig, mad, tries ? 0 : n);
			answered = rig_peer_recv(rig, ATTR_SIDR_REP, NULL, 0);
			lost += !answered;
		}
		KUNIT_EXPECT_TRUE_MSG(test, answered, "allocation %u", n);
		while (rig_peer_recv(rig, 0, NULL, 0))
			;
	}
	return lost;
}

LIMITS_CASE(limits_reply_without_memory)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	unsigned int round, lost = 0;
	long told = 0;

	if (!rig_failslab(test))
		kunit_skip(test, "failslab is not there, or spares allocations that may sleep");
	for (round = 0; round < RIG_SHORT_ROUNDS && !told; round++) {
		lost += limits_replies_lost(test, rig);
		told = rig_counter(rig, "reply_dropped") + rig_counter(rig, "tx_nomem");
	}
	KUNIT_EXPECT_GE(test, lost, 1);
	KUNIT_EXPECT_GE(test, told, 1);
}

/* A REP that there is no memory for is lost, no more: its repetition is taken. */
static unsigned int limits_reps_lost(struct kunit *test, struct rig *rig)
{
	u8 *mad = limits_mad(test);
	unsigned int n, tries, lost = 0;

	for (n = 1; n <= ALLOCATIONS; n++) {
		struct rig_id *id = rig_bring(rig, CM_ID_REQ_SENT, true);
		const struct rig_event *event = NULL;

		KUNIT_ASSERT_NOT_NULL(test, id);
		rig_make(id, ATTR_REP, mad);
		for (tries = 0; !event && tries < 3; tries++) {
			limits_send_short(rig, mad, tries ? 0 : n);
			event = rig_event(id, 0);
			lost += !event;
		}
		KUNIT_ASSERT_NOT_NULL_MSG(test, event, "allocation %u", n);
		KUNIT_EXPECT_EQ(test, (int)event->type, (int)IB_CM_REP_RECEIVED);
		KUNIT_EXPECT_TRUE(test, rig_reaches(id, CM_ID_REP_RCVD));
		rig_id_destroy(id);
	}
	return lost;
}

LIMITS_CASE(limits_rep_without_memory)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	unsigned int round, lost = 0;

	if (!rig_failslab(test))
		kunit_skip(test, "failslab is not there, or spares allocations that may sleep");
	for (round = 0; round < RIG_SHORT_ROUNDS && !lost; round++)
		lost = limits_reps_lost(test, rig);
	KUNIT_EXPECT_GE(test, lost, 1);
}

/* The same of a REQ with two paths on its way to the listener. */
static unsigned int limits_reqs_lost(struct kunit *test, struct rig *rig, struct rig_id *listener)
{
	u8 *mad = limits_mad(test);
	unsigned int n, tries, lost = 0;
	struct rig_id *id;
	int taken = atomic_read(&limits_inside);

	for (n = 1; n <= ALLOCATIONS; n++) {
		rig_make_req(rig, SERVICE, mad);
		for (id = NULL, tries = 0; !id && tries < 3; tries++) {
			limits_send_short(rig, mad, tries ? 0 : n);
			if (atomic_read(&limits_inside) > taken) {
				id = rig_accepted(listener);
				taken++;
			}
			lost += !id;
		}
		KUNIT_ASSERT_NOT_NULL_MSG(test, id, "allocation %u", n);
		KUNIT_EXPECT_TRUE(test, id->events[0].has_alternate);
		KUNIT_EXPECT_FALSE_MSG(test, rig_peer_recv(rig, ATTR_REJ, NULL, 0),
				       "want of memory is no reason to refuse");
		rig_id_destroy(id);
		KUNIT_EXPECT_TRUE(test, rig_peer_recv(rig, ATTR_REJ, NULL, RIG_WAIT_MS));
	}
	return lost;
}

LIMITS_CASE(limits_request_without_memory)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *listener = rig_listen(rig, SERVICE);
	unsigned int round, lost = 0;
	long told = 0;

	if (!rig_failslab(test))
		kunit_skip(test, "failslab is not there, or spares allocations that may sleep");
	atomic_set(&limits_inside, 0);
	listener->hook = limits_count;
	rig->alternate = true;
	for (round = 0; round < RIG_SHORT_ROUNDS && !told; round++) {
		lost += limits_reqs_lost(test, rig, listener);
		told = rig_counter(rig, "rx_nomem");
	}
	KUNIT_EXPECT_GE(test, lost, 1);
	KUNIT_EXPECT_GE(test, told, 1);
}

/* A request that is lost for want of memory keeps no comm id: it is anybody's again. */
LIMITS_CASE(limits_number_of_a_lost_request)
{
	const u32 number = 0x5a5a5a01;
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *listener = rig_listen(rig, SERVICE);
	u8 *mad = limits_mad(test);
	unsigned int i, lost = 0;

	if (!rig_failslab(test))
		kunit_skip(test, "failslab is not there, or spares allocations that may sleep");
	atomic_set(&limits_inside, 0);
	listener->hook = limits_count;
	for (i = 0; i < RIG_SHORT_ROUNDS * ALLOCATIONS; i++) {
		int taken = atomic_read(&limits_inside);
		unsigned int n = i % ALLOCATIONS + 1;
		struct rig_id *id;

		rig_make_req(rig, SERVICE, mad);
		cm_probe_next_local(number);
		limits_send_short(rig, mad, n);
		if (atomic_read(&limits_inside) > taken) {
			rig_id_destroy(rig_accepted(listener));
			rig_settle(rig);
			continue;
		}
		lost++;
		cm_probe_next_local(number);
		id = rig_id_create(rig);
		KUNIT_EXPECT_EQ_MSG(test, id->local_id, number, "allocation %u", n);
		rig_id_destroy(id);
	}
	KUNIT_EXPECT_GE(test, lost, 1);
}

/* ---- answers that are kept ---- */

/* An answer that there is no memory to keep is sent all the same; asked again, the consumer is. */
LIMITS_CASE(limits_answer_without_memory)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *listener = rig_listen(rig, SERVICE), *id, *again;
	unsigned int nth, left, round, forgotten = 0;
	bool before = false;

	if (!rig_failslab(test))
		kunit_skip(test, "failslab is not there, or spares allocations that may sleep");
	for (round = 0; round < RIG_SHORT_ROUNDS && !forgotten; round++) {
		for (nth = 1, left = 0; nth < 32 && left < 2; nth++) {
			int err;

			id = limits_asked(rig, listener, true);
			rig_settle(rig);
			rig_fail_here(nth);
			err = rig_send_sidr_rep(id);
			left = rig_fail_here(0);
			KUNIT_EXPECT_TRUE(test, !err || err == -ENOMEM);
			if (err)
				KUNIT_EXPECT_EQ(test, rig_send_sidr_rep(id), 0);
			rig_settle(rig);
			while (rig_peer_recv(rig, 0, NULL, 0))
				;
			/* The question again: its answer again, or a new question. */
			rig_peer_send(rig, id->request);
			rig_settle(rig);
			if (rig_peer_recv(rig, ATTR_SIDR_REP, NULL, 0)) {
				before = false;
				continue;
			}
			again = rig_accepted(listener);
			KUNIT_ASSERT_NOT_NULL(test, again);
			KUNIT_EXPECT_EQ(test, again->peer_id, id->peer_id);
			KUNIT_EXPECT_EQ(test, rig_send_sidr_rep(again), 0);
			KUNIT_EXPECT_TRUE(test, rig_peer_recv(rig, ATTR_SIDR_REP, NULL, RIG_WAIT_MS));
			/* One allocation is for it; it may be the nth now and the next then. */
			forgotten += !before;
			before = true;
		}
	}
	KUNIT_EXPECT_EQ(test, forgotten, 1);
}

/* No more are kept than have their place; who has none is asked again. */
LIMITS_CASE(limits_answers_are_bounded)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *listener = rig_listen(rig, SERVICE), *id = NULL, *first = NULL;
	struct cm_probe_totals totals;
	unsigned int i;

	KUNIT_ASSERT_TRUE(test, rig_param(test, "send_budget", 1024));
	for (i = 0; i <= KEPT; i++) {
		id = limits_asked(rig, listener, true);
		if (!i)
			first = id;
		KUNIT_ASSERT_EQ(test, rig_send_sidr_rep(id), 0);
		KUNIT_ASSERT_TRUE(test, rig_peer_recv(rig, ATTR_SIDR_REP, NULL, RIG_WAIT_MS));
		/* They are kept for 4 s: a machine that slow sees no bound. */
		cm_probe_totals(&totals);
		if (i == KEPT - 1 && totals.timewait < KEPT)
			kunit_skip(test, "too slow: %lu are kept", totals.timewait);
	}
	KUNIT_EXPECT_LE(test, totals.timewait, KEPT);
	rig_peer_send(rig, id->request);
	KUNIT_EXPECT_NOT_NULL_MSG(test, rig_accepted(listener), "it was kept all the same");
	KUNIT_EXPECT_NOT_NULL(test, first);

	/* When their time is over, there is room again. */
	for (i = 0; i < 4 && !rig_until((cm_probe_totals(&totals), !totals.timewait)); i++)
		;
	KUNIT_ASSERT_EQ(test, totals.timewait, 0);
	id = limits_asked(rig, listener, true);
	KUNIT_ASSERT_EQ(test, rig_send_sidr_rep(id), 0);
	KUNIT_ASSERT_TRUE(test, rig_peer_recv(rig, ATTR_SIDR_REP, NULL, RIG_WAIT_MS));
	rig_peer_send(rig, id->request);
	KUNIT_EXPECT_TRUE(test, rig_peer_recv(rig, ATTR_SIDR_REP, NULL, RIG_WAIT_MS));
}

/* ---- one request, twice ---- */

struct limits_sender {
	struct work_struct work;
	struct loop_station *station;
	struct loop_packet packet;
	atomic_t *ready;
	int result;
};

static void limits_sender_run(struct work_struct *work)
{
	struct limits_sender *sender = container_of(work, struct limits_sender, work);

	atomic_dec(sender->ready);
	while (atomic_read(sender->ready))
		cpu_relax();
	sender->result = loop_station_send(sender->station, &sender->packet);
}

/* REQs that were taken in, and those of them that were new */
static unsigned long limits_met(unsigned long *fresh)
{
	unsigned long met;
	unsigned int state;

	*fresh = cm_probe_hits(CM_MACHINE_ID, CM_ID_ON_REQ_FRESH, CM_ID_NONE);
	met = *fresh;
	for (state = 0; cm_probe_state_name(CM_MACHINE_ID, state); state++)
		met += cm_probe_hits(CM_MACHINE_ID, CM_ID_ON_REQ_REPEATED, state);
	return met;
}

/* Copies of a REQ that come in at two ports at once are one request. */
LIMITS_CASE(limits_two_ports_one_request)
{
	const struct loop_config config = { .layer = IB_LINK_LAYER_INFINIBAND, .ports = 2 };
	struct rig *rig = rig_create_with(test, &config);
	struct rig_id *listener = rig_listen(rig, SERVICE), *id;
	unsigned long met = 0, fresh;
	struct limits_sender *senders = kunit_kcalloc(test, 2, sizeof(*senders), GFP_KERNEL);
	struct loop_packet there = {};
	u8 *mad = limits_mad(test);
	unsigned int round, i;
	atomic_t ready;

	KUNIT_ASSERT_NOT_NULL(test, senders);
	if (num_online_cpus() < 2)
		kunit_skip(test, "two threads that spin need two CPUs");
	cm_probe_hits_clear();
	for (round = 0; round < ROUNDS; round++) {
		rig_make_req(rig, SERVICE, mad);
		atomic_set(&ready, 2);
		for (i = 0; i < 2; i++) {
			loop_hca_address(rig->dev, i + 1, &there);
			rig_peer_packet(rig, mad, &senders[i].packet);
			senders[i].packet.dlid = there.slid;
			memcpy(mad_bytes_w(senders[i].packet.mad, "primary_remote_port_gid"),
			       there.sgid.raw, sizeof(there.sgid));
			mad_set(senders[i].packet.mad, "primary_remote_port_lid", there.slid);
			senders[i].station = rig->peer;
			senders[i].ready = &ready;
			INIT_WORK(&senders[i].work, limits_sender_run);
			limits_queue(&senders[i].work);
		}
		for (i = 0; i < 2; i++) {
			flush_work(&senders[i].work);
			KUNIT_EXPECT_EQ(test, senders[i].result, 0);
		}
		id = rig_accepted(listener);
		KUNIT_ASSERT_NOT_NULL(test, id);
		KUNIT_EXPECT_TRUE_MSG(test, rig_until(limits_met(&fresh) == met + 2), "a copy is lost");
		met += 2;
		KUNIT_ASSERT_EQ_MSG(test, fresh, round + 1, "one request became two");
		rig_settle(rig);
		rig_id_destroy(id);
	}
}

/* ---- contexts ---- */

/* A REJ with interrupts off: what is left of the request goes elsewhere, and its numbers are free at once. */
LIMITS_CASE(limits_reject_in_atomic_context)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = rig_bring(rig, CM_ID_REQ_RCVD, false), *again;
	struct cm_probe_totals totals;
	unsigned long flags;
	u8 *mad = limits_mad(test);
	int err;

	KUNIT_ASSERT_NOT_NULL(test, id);
	rig_settle(rig);
	cm_probe_totals(&totals);
	KUNIT_EXPECT_EQ(test, totals.records, 1);
	/* Its handle has gone for want of use: a new one is made elsewhere. */
	cm_probe_ah_age(rig->dev, 1, 31);
	cm_probe_ah_look(rig->dev, 1);
	KUNIT_ASSERT_TRUE(test, rig_until(!loop_hca_handles(rig->dev)));
	local_irq_save(flags);
	err = ib_send_cm_rej(id->cm, IB_CM_REJ_CONSUMER_DEFINED, NULL, 0, NULL, 0);
	local_irq_restore(flags);
	KUNIT_EXPECT_EQ(test, err, 0);
	KUNIT_EXPECT_TRUE(test, rig_peer_recv(rig, ATTR_REJ, NULL, RIG_WAIT_MS));
	KUNIT_EXPECT_TRUE(test, rig_until(({
		cm_probe_totals(&totals);
		!totals.records;
	})));
	/* The peer's next attempt with the same comm id and QPN is a new one. */
	memcpy(mad, id->request, MAD_BYTES);
	mad_set(mad, F_MAD_TID, ++rig->tid);
	rig_peer_send(rig, mad);
	again = rig_accepted(id->listener);
	KUNIT_ASSERT_NOT_NULL(test, again);
	KUNIT_EXPECT_EQ(test, again->peer_id, id->peer_id);
}

static void limits_destroyer(struct work_struct *work)
{
	struct limits_call *call = container_of(work, struct limits_call, work);

	ib_destroy_cm_id(call->id->cm);
	complete(&call->done);
}

static int limits_wait(struct rig_id *id, const struct rig_event *event)
{
	atomic_inc(&limits_inside);
	wait_for_completion(&limits_gate);
	return 0;
}

static void limits_gate_open(void *unused)
{
	complete_all(&limits_gate);
}

static void limits_gate_close(struct kunit *test)
{
	reinit_completion(&limits_gate);
	atomic_set(&limits_inside, 0);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, limits_gate_open, NULL), 0);
}

/* A second destroy, while the first waits for a handler, is refused. */
LIMITS_CASE(limits_destroyed_twice)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = rig_bring(rig, CM_ID_REQ_SENT, true);
	struct limits_call call = { .id = id };
	struct cm_probe_view view;
	u8 *mad = limits_mad(test);

	KUNIT_ASSERT_NOT_NULL(test, id);
	limits_gate_close(test);
	id->hook = limits_wait;
	rig_make(id, ATTR_REJ, mad);
	rig_peer_send(rig, mad);
	KUNIT_ASSERT_TRUE(test, rig_until(atomic_read(&limits_inside)));
	INIT_WORK_ONSTACK(&call.work, limits_destroyer);
	init_completion(&call.done);
	limits_queue(&call.work);
	KUNIT_EXPECT_TRUE(test, rig_until(rig_state(id) == CM_ID_DEAD));
	cm_probe_view(id->cm, &view);
	ib_destroy_cm_id(id->cm);
	cm_probe_view(id->cm, &view);
	KUNIT_EXPECT_EQ(test, view.state, CM_ID_DEAD);
	KUNIT_EXPECT_GE_MSG(test, view.refs, 1, "it took the first one's");
	limits_gate_open(NULL);
	limits_join(&call);
	id->cm = NULL;
}

/* A connection is over and its id gone: the REQ again says nothing to anybody. */
LIMITS_CASE(limits_request_of_an_orphan)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id, *listener;

	rig->life_time = 19;
	rig->ack_time = 20;
	id = rig_bring(rig, CM_ID_ESTABLISHED, false);
	KUNIT_ASSERT_NOT_NULL(test, id);
	listener = id->listener;
	rig_id_destroy(id);
	KUNIT_EXPECT_TRUE(test, rig_peer_recv(rig, ATTR_DREQ, NULL, RIG_WAIT_MS));
	rig_settle(rig);
	rig_peer_send(rig, id->request);
	rig_settle(rig);
	KUNIT_EXPECT_FALSE(test, rig_peer_recv(rig, 0, NULL, 0));
	KUNIT_EXPECT_EQ_MSG(test, listener->delivered, 0, "an event of the listener's");
	KUNIT_EXPECT_GE(test, cm_probe_hits(CM_MACHINE_TW, CM_TW_ON_REPEATED, CM_TW_ORPHAN), 1);
}

/* ---- turns ---- */

static int limits_stranger(struct ib_cm_id *cm, const struct ib_cm_event *event)
{
	atomic_inc(&limits_inside);
	wait_for_completion(&limits_gate);
	return 0;
}

static DECLARE_COMPLETION(limits_turn);

static int limits_take_turn(struct rig_id *id, const struct rig_event *event)
{
	wait_for_completion_timeout(&limits_turn, msecs_to_jiffies(4 * RIG_WAIT_MS));
	return 0;
}

struct limits_crowd {
	struct ib_cm_id **ids;
	unsigned int n;
};

static void limits_crowd_end(void *context)
{
	struct limits_crowd *crowd = context;

	complete_all(&limits_gate);
	while (crowd->n)
		ib_destroy_cm_id(crowd->ids[--crowd->n]);
}

/* Handlers of strangers, which have as many workers as there are */
static void limits_crowd(struct kunit *test, struct rig *rig)
{
	struct limits_crowd *crowd = kunit_kzalloc(test, sizeof(*crowd), GFP_KERNEL);
	struct ib_cm_sidr_req_param param = {
		.service_id = cpu_to_be64(NOBODY),
		.timeout_ms = 1,
	};
	struct sa_path_rec path;
	int inside;

	KUNIT_ASSERT_NOT_NULL(test, crowd);
	crowd->ids = kunit_kcalloc(test, WORKERS, sizeof(*crowd->ids), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, crowd->ids);
	limits_gate_close(test);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, limits_crowd_end, crowd), 0);
	rig_path(rig, &path);
	param.path = &path;
	while (crowd->n < WORKERS) {
		struct ib_cm_id *cm = ib_create_cm_id(rig->dev, limits_stranger, NULL);

		KUNIT_ASSERT_FALSE(test, IS_ERR(cm));
		crowd->ids[crowd->n++] = cm;
		KUNIT_ASSERT_EQ(test, ib_send_cm_sidr_req(cm, &param), 0);
		if (crowd->n % 64 == 0)
			msleep(20);
	}
	/* So many threads take their time: as long as there are more and more. */
	do {
		inside = atomic_read(&limits_inside);
	} while (!rig_until(atomic_read(&limits_inside) == WORKERS) &&
		 atomic_read(&limits_inside) > inside);
	KUNIT_ASSERT_EQ(test, atomic_read(&limits_inside), WORKERS);
}

/*
 * The turn is given, and no worker is there to take it: the listener's destroy takes it back. It waits for no
 * stranger's handler, and the request is refused as those that wait.
 */
LIMITS_CASE(limits_turn_is_taken_back)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *listener = rig_listen(rig, SERVICE), *first;
	struct limits_call call = { .id = listener };
	u8 *mad = limits_mad(test), *req = limits_mad(test);
	bool refused;

	KUNIT_ASSERT_TRUE(test, rig_param(test, "listen_handlers", 1));
	limits_crowd(test, rig);
	reinit_completion(&limits_turn);
	listener->hook = limits_take_turn;
	first = limits_asked(rig, listener, false);
	rig_make_req(rig, SERVICE, req);
	rig_peer_send(rig, req);
	rig_flush(rig);
	KUNIT_ASSERT_TRUE(test, rig_until(!rig_counter(rig, "resolving")));
	complete_all(&limits_turn);
	KUNIT_ASSERT_TRUE(test, rig_until(!READ_ONCE(first->running)));
	msleep(50);
	while (rig_peer_recv(rig, 0, NULL, 0))
		;
	INIT_WORK_ONSTACK(&call.work, limits_destroyer);
	init_completion(&call.done);
	limits_queue(&call.work);
	KUNIT_EXPECT_TRUE_MSG(test, wait_for_completion_timeout(&call.done,
								msecs_to_jiffies(RIG_WAIT_MS)),
			      "destroy waits for strangers");
	KUNIT_EXPECT_EQ_MSG(test, atomic_read(&limits_inside), WORKERS, "there was a worker");
	refused = rig_peer_recv(rig, ATTR_REJ, mad, RIG_WAIT_MS);
	limits_gate_open(NULL);
	limits_join(&call);
	listener->cm = NULL;
	KUNIT_ASSERT_TRUE_MSG(test, refused, "nobody tells the requester");
	KUNIT_EXPECT_EQ(test, mad_get(mad, "remote_comm_id"), mad_get(req, "local_comm_id"));
	KUNIT_EXPECT_EQ(test, mad_get(mad, "reason"), IB_CM_REJ_INVALID_SERVICE_ID);
}

/* ---- removal ---- */

struct limits_flood {
	struct work_struct work;
	struct rig *rig;
	struct loop_packet packet;
	bool stop;
	unsigned int sent;
};

static void limits_flood_run(struct work_struct *work)
{
	struct limits_flood *flood = container_of(work, struct limits_flood, work);
	u8 *mad = flood->packet.mad;

	while (!READ_ONCE(flood->stop)) {
		mad_set(mad, F_MAD_TID, mad_get(mad, F_MAD_TID) + 1);
		mad_set(mad, "local_comm_id", mad_get(mad, "local_comm_id") + 1);
		mad_set(mad, "local_qpn", (mad_get(mad, "local_qpn") + 1) & 0xffffff);
		if (!loop_station_send(flood->rig->peer, &flood->packet))
			flood->sent++;
		else
			usleep_range(20, 50);
	}
}

static int limits_no_event(struct ib_cm_id *cm, const struct ib_cm_event *event)
{
	return 0;
}

static int limits_refuse(struct ib_cm_id *cm, const struct ib_cm_event *event)
{
	return event->event == IB_CM_REQ_RECEIVED ? -EBUSY : 0;
}

/* Requests come in all the time while the device goes, which has many ids to tell: none is left behind. */
static void limits_flooded_removal(struct kunit *test, unsigned int shares)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct ib_cm_id **ids = kunit_kcalloc(test, MANY, sizeof(*ids), GFP_KERNEL), *listener;
	struct limits_flood *flood = kunit_kzalloc(test, sizeof(*flood), GFP_KERNEL);
	struct cm_probe_totals totals;
	u8 *mad = limits_mad(test);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, ids);
	KUNIT_ASSERT_NOT_NULL(test, flood);
	for (i = 0; i < MANY; i++) {
		ids[i] = ib_create_cm_id(rig->dev, limits_no_event, NULL);
		KUNIT_ASSERT_FALSE(test, IS_ERR(ids[i]));
	}
	/* Removal comes to it last. */
	for (i = 0; i < shares; i++) {
		listener = ib_cm_insert_listen(rig->dev, limits_refuse, cpu_to_be64(SERVICE));
		KUNIT_ASSERT_FALSE(test, IS_ERR(listener));
	}
	rig_make_req(rig, SERVICE, mad);
	rig_peer_packet(rig, mad, &flood->packet);
	flood->rig = rig;
	INIT_WORK(&flood->work, limits_flood_run);
	limits_queue(&flood->work);
	KUNIT_EXPECT_TRUE(test, rig_until(rig_peer_waiting(rig) > 8));
	rig_unplug(rig);
	WRITE_ONCE(flood->stop, true);
	flush_work(&flood->work);
	for (i = 0; i < MANY; i++)
		ib_destroy_cm_id(ids[i]);
	for (i = 0; i < shares; i++)
		ib_destroy_cm_id(listener);
	rcu_barrier();
	KUNIT_EXPECT_TRUE(test, rig_until(({
		cm_probe_totals(&totals);
		!totals.ids && !totals.records;
	})));
	kunit_info(test, "%u requests, %lu met the removal", flood->sent,
		   cm_probe_hits(CM_MACHINE_ID, CM_ID_ON_REMOVED, CM_ID_REQ_NEW));
}

LIMITS_CASE(limits_requests_meet_removal)
{
	limits_flooded_removal(test, 1);
}

LIMITS_CASE(limits_requests_meet_removal_of_shares)
{
	limits_flooded_removal(test, 2);
}

static void limits_unplug_job(void *rig)
{
	rig_unplug(rig);
}

static const struct loop_rule limits_slow = { .nth = 1, .arg = 60000 };

void limits_unplug_meets_slow_handle(struct kunit *test, struct rig *rig, struct rig_id *id)
{
	struct ib_device *dev = rig->dev;
	struct wire_job job;

	KUNIT_EXPECT_TRUE(test, rig_until(loop_fault_hits(dev, 1, LOOP_AH_SLOW)));
	wire_start(test, &job, limits_unplug_job, rig);
	KUNIT_EXPECT_TRUE(test, rig_until(rig_state(id) == CM_ID_GONE));
	rig_sleep(50);
	loop_faults_clear(dev);
	KUNIT_ASSERT_TRUE_MSG(test, wire_join(&job, 4 * RIG_WAIT_MS), "the removal does not end");
}

/* For a datagram that waits for it. */
LIMITS_CASE(limits_slow_handle_meets_removal)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct loop_station *other = wire_station(test, IB_LINK_LAYER_INFINIBAND);
	u8 *mad = limits_mad(test);
	struct rig_id *first, *id;

	rig->response_time = LIMITS_LONG;
	KUNIT_ASSERT_TRUE(test, rig_param(test, "window", 1));
	first = rig_bring(rig, CM_ID_REQ_SENT, true);
	KUNIT_ASSERT_NOT_NULL(test, first);
	id = rig_id_create(rig);
	KUNIT_ASSERT_EQ(test, limits_req(id, other, 0xffff), 0);
	loop_fault_set(rig->dev, 1, LOOP_AH_SLOW, &limits_slow);
	rig_make(first, ATTR_REJ, mad);
	rig_peer_send(rig, mad);
	limits_unplug_meets_slow_handle(test, rig, id);
}

/* For the answer to a stranger. */
LIMITS_CASE(limits_slow_reply_meets_removal)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *listener = rig_listen(rig, SERVICE);
	u8 *mad = limits_mad(test);

	loop_fault_set(rig->dev, 1, LOOP_AH_SLOW, &limits_slow);
	rig_make_sidr_req(rig, NOBODY, mad);
	rig_peer_send(rig, mad);
	limits_unplug_meets_slow_handle(test, rig, listener);
}

/* A request waits for its turn while the device goes: the listener's queue does not hold it, nor the removal. */
LIMITS_CASE(limits_waiting_request_meets_removal)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *listener = rig_listen(rig, SERVICE);
	u8 *mad = limits_mad(test);
	struct wire_job job;

	KUNIT_ASSERT_TRUE(test, rig_param(test, "listen_handlers", 1));
	reinit_completion(&limits_turn);
	listener->hook = limits_take_turn;
	limits_asked(rig, listener, false);
	rig_make_req(rig, SERVICE, mad);
	rig_peer_send(rig, mad);
	rig_flush(rig);
	KUNIT_ASSERT_TRUE(test, rig_until(!rig_counter(rig, "resolving")));
	wire_start(test, &job, limits_unplug_job, rig);
	KUNIT_EXPECT_TRUE(test, rig_until(rig_state(listener) == CM_ID_GONE));
	complete_all(&limits_turn);
	KUNIT_ASSERT_TRUE_MSG(test, wire_join(&job, 4 * RIG_WAIT_MS), "the removal does not end");
}
