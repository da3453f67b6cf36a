// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite ib_cm_ids: the numbers by which peers and we know a connection.
 *
 * Owns: local comm ids (made by many threads, found while they come and go,
 * reserved by timewait, refused for want of memory), the keys by which a peer's
 * requests are told apart.
 */
#include <linux/bitops.h>
#include <linux/delay.h>
#include <linux/kmod.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sort.h>
#include <linux/umh.h>
#include <linux/workqueue.h>

#include "rig.h"
#include "../cm_core/generated/cm_model.h"

#define THREADS		4
#define IDS		10000

static struct workqueue_struct *helpers;

static u8 *ids_mad(struct kunit *test)
{
	u8 *mad = kunit_kzalloc(test, MAD_BYTES, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, mad);
	return mad;
}

static int ids_no_event(struct ib_cm_id *cm, const struct ib_cm_event *event)
{
	return 0;
}

static u32 number_of(const struct ib_cm_id *cm)
{
	return be32_to_cpu(cm->local_id);
}

static bool findable(u32 number)
{
	struct ib_cm_id *cm = cm_probe_find(number);

	if (cm)
		cm_probe_put(cm);
	return cm;
}

/* ---- many ids ---- */

struct maker {
	struct work_struct work;
	struct ib_device *dev;
	struct ib_cm_id **ids;
	unsigned int wanted, made, strange;
};

static void maker_run(struct work_struct *work)
{
	struct maker *maker = container_of(work, struct maker, work);
	unsigned int i;

	for (i = 0; i < maker->wanted; i++) {
		struct ib_cm_id *cm = ib_create_cm_id(maker->dev, ids_no_event, maker), *found;

		if (IS_ERR(cm))
			break;
		maker->ids[maker->made++] = cm;
		found = cm_probe_find(number_of(cm));
		if (found != cm)
			maker->strange++;
		if (found)
			cm_probe_put(found);
		cond_resched();
	}
}

static int compare_numbers(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return x < y ? -1 : x > y;
}

static void ids_unique_among_ten_thousand(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct maker *makers = kunit_kcalloc(test, THREADS, sizeof(*makers), GFP_KERNEL);
	struct ib_cm_id **ids = kunit_kcalloc(test, IDS, sizeof(*ids), GFP_KERNEL);
	u32 *numbers = kunit_kcalloc(test, IDS, sizeof(*numbers), GFP_KERNEL);
	unsigned int i, j, n = 0, zero = 0, twice = 0, still = 0;
	struct cm_probe_totals before, now;

	KUNIT_ASSERT_NOT_NULL(test, makers);
	KUNIT_ASSERT_NOT_NULL(test, ids);
	KUNIT_ASSERT_NOT_NULL(test, numbers);

	cm_probe_totals(&before);
	for (i = 0; i < THREADS; i++) {
		makers[i].dev = rig->dev;
		makers[i].wanted = IDS / THREADS;
		makers[i].ids = ids + i * (IDS / THREADS);
		INIT_WORK(&makers[i].work, maker_run);
		queue_work(helpers, &makers[i].work);
	}
	for (i = 0; i < THREADS; i++) {
		flush_work(&makers[i].work);
		KUNIT_EXPECT_EQ(test, makers[i].made, IDS / THREADS);
		KUNIT_EXPECT_EQ_MSG(test, makers[i].strange, 0, "a new id is not found");
		for (j = 0; j < makers[i].made; j++)
			numbers[n++] = number_of(makers[i].ids[j]);
	}
	cm_probe_totals(&now);
	KUNIT_EXPECT_EQ(test, now.ids - before.ids, IDS);

	sort(numbers, n, sizeof(*numbers), compare_numbers, NULL);
	for (i = 0; i < n; i++) {
		zero += !numbers[i];
		twice += i && numbers[i] == numbers[i - 1];
	}
	KUNIT_EXPECT_EQ(test, zero, 0);
	KUNIT_EXPECT_EQ(test, twice, 0);

	for (i = 0; i < THREADS; i++)
		for (j = 0; j < makers[i].made; j++)
			ib_destroy_cm_id(makers[i].ids[j]);
	for (i = 0; i < n; i++)
		still += findable(numbers[i]);
	KUNIT_EXPECT_EQ_MSG(test, still, 0, "destroyed ids are found");
	cm_probe_totals(&now);
	KUNIT_EXPECT_EQ(test, now.ids, before.ids);
}

/* 0 means "none" in messages: no id has it, also when its turn comes. */
static void ids_never_zero(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct ib_cm_id *cm[4] = {};
	unsigned int i;

	KUNIT_EXPECT_FALSE(test, findable(0));
	cm_probe_next_local(0);
	for (i = 0; i < ARRAY_SIZE(cm); i++) {
		cm[i] = ib_create_cm_id(rig->dev, ids_no_event, NULL);
		if (IS_ERR(cm[i]))
			break;
		KUNIT_EXPECT_NE(test, number_of(cm[i]), 0);
		KUNIT_EXPECT_FALSE(test, findable(0));
	}
	KUNIT_EXPECT_EQ(test, i, ARRAY_SIZE(cm));
	while (i--)
		ib_destroy_cm_id(cm[i]);
}

/*
 * A consumer may replace its id (SRP makes the new one first), or destroy one while
 * messages for it are on their way: its number is not another's for a good while.
 */
static void ids_not_used_again_at_once(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct ib_cm_id *old, *new;
	u32 *numbers = kunit_kcalloc(test, IDS, sizeof(*numbers), GFP_KERNEL);
	unsigned int i, twice = 0;

	KUNIT_ASSERT_NOT_NULL(test, numbers);
	old = ib_create_cm_id(rig->dev, ids_no_event, NULL);
	KUNIT_ASSERT_FALSE(test, IS_ERR(old));
	for (i = 0; i < IDS; i++) {
		numbers[i] = number_of(old);
		if (i & 1) {
			new = ib_create_cm_id(rig->dev, ids_no_event, NULL);
			ib_destroy_cm_id(old);
		} else {
			ib_destroy_cm_id(old);
			new = ib_create_cm_id(rig->dev, ids_no_event, NULL);
		}
		KUNIT_ASSERT_FALSE(test, IS_ERR(new));
		old = new;
	}
	ib_destroy_cm_id(old);
	sort(numbers, IDS, sizeof(*numbers), compare_numbers, NULL);
	for (i = 1; i < IDS; i++)
		twice += numbers[i] == numbers[i - 1];
	KUNIT_EXPECT_EQ(test, twice, 0);
}

/* Two ids, the first with this number if that is free: what differs in their numbers. 0: it is not free. */
static u32 flipped_after(struct rig *rig, u32 number)
{
	struct ib_cm_id *first, *second;
	u32 flipped = 0;

	cm_probe_next_local(number);
	first = ib_create_cm_id(rig->dev, ids_no_event, NULL);
	if (IS_ERR(first))
		return 0;
	second = ib_create_cm_id(rig->dev, ids_no_event, NULL);
	if (!IS_ERR(second)) {
		if (number_of(first) == number)
			flipped = number ^ number_of(second);
		ib_destroy_cm_id(second);
	}
	ib_destroy_cm_id(first);
	return flipped;
}

/* What adding 1 to a counter flips: low bits without a gap */
static bool is_carry(u32 flipped)
{
	return flipped && !(flipped & (flipped + 1));
}

/* A counter may count in either byte order of the number. */
static u32 in_order(u32 x, bool swapped)
{
	return swapped ? swab32(x) : x;
}

/*
 * What peers see is a counter under a secret: the secret's bits are found one by
 * one, as the carries of the counter tell them. All 0 would be a bare counter.
 */
static void ids_counted_under_a_secret(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	u32 secret = 0, flipped;
	bool swapped;
	unsigned int k;

	flipped = flipped_after(rig, 0x11223344);
	swapped = !is_carry(flipped);
	KUNIT_ASSERT_TRUE_MSG(test, is_carry(in_order(flipped, swapped)), "no counter: %#x",
			      flipped);
	for (k = 0; k < 30; k++) {
		/* All bits below k of the counter are 1: adding 1 carries to bit k, and on if that is 1. */
		u32 low = (BIT(k) - 1) ^ (secret & (BIT(k) - 1));

		flipped = in_order(flipped_after(rig, in_order(low | BIT(31), swapped)), swapped);
		KUNIT_ASSERT_TRUE_MSG(test, is_carry(flipped), "bit %u: %#x", k, flipped);
		if (flipped & BIT(k + 1))
			secret |= BIT(k);
	}
	/* For the lab, which can compare two loads of the module */
	kunit_info(test, "secret of this load: %08x", secret);
	KUNIT_EXPECT_NE(test, secret, 0);
}

/* ---- visible when complete, and not after destroy ---- */

struct prober {
	struct work_struct work;
	u32 latest;		/* the number made last */
	bool stop;
	unsigned int looked, seen, strange;
};

static void prober_look(struct prober *prober, u32 number)
{
	struct ib_cm_id *cm = cm_probe_find(number);
	struct cm_probe_view view;

	prober->looked++;
	if (!cm)
		return;
	prober->seen++;
	cm_probe_view(cm, &view);
	/* Destroy may run meanwhile; before it, it is all there. */
	if (number_of(cm) != number || cm->cm_handler != ids_no_event || !cm->device ||
	    (view.state != CM_ID_IDLE && view.state != CM_ID_DEAD))
		prober->strange++;
	cm_probe_put(cm);
}

static void prober_run(struct work_struct *work)
{
	struct prober *prober = container_of(work, struct prober, work);
	unsigned int k;

	while (!READ_ONCE(prober->stop)) {
		u32 latest = READ_ONCE(prober->latest);

		/* One of these is the next number, whatever the secret is: see is_carry(). */
		prober_look(prober, latest);
		for (k = 1; k <= 8; k++) {
			prober_look(prober, latest ^ (BIT(k) - 1));
			prober_look(prober, latest ^ swab32(BIT(k) - 1));
		}
		cond_resched();
	}
}

static void ids_found_complete_or_not_at_all(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct prober *prober = kunit_kzalloc(test, sizeof(*prober), GFP_KERNEL);
	unsigned long end = jiffies + msecs_to_jiffies(RIG_WAIT_MS);
	unsigned int i, still = 0;

	KUNIT_ASSERT_NOT_NULL(test, prober);
	if (num_online_cpus() < 2)
		kunit_skip(test, "look-ups meet a destroy where there are two CPUs");
	INIT_WORK(&prober->work, prober_run);
	queue_work(helpers, &prober->work);
	/* On a busy machine they may miss each other for long. */
	for (i = 0; i < IDS / 2 || (!READ_ONCE(prober->seen) && time_before(jiffies, end)); i++) {
		struct ib_cm_id *cm = ib_create_cm_id(rig->dev, ids_no_event, NULL);

		if (IS_ERR(cm))
			break;
		WRITE_ONCE(prober->latest, number_of(cm));
		ib_destroy_cm_id(cm);
		still += findable(READ_ONCE(prober->latest));
	}
	WRITE_ONCE(prober->stop, true);
	flush_work(&prober->work);
	KUNIT_EXPECT_GE(test, i, IDS / 2);
	KUNIT_EXPECT_EQ_MSG(test, still, 0, "ids are found after their destroy");
	KUNIT_EXPECT_EQ(test, prober->strange, 0);
	KUNIT_EXPECT_GT_MSG(test, prober->seen, 0, "nothing raced");
	kunit_info(test, "%u of %u look-ups found an id", prober->seen, prober->looked);
}

/* Field fault 35: guessed numbers, while ids are made: nobody hears of them. */
struct guesser {
	struct work_struct work;
	struct loop_station *station;
	struct loop_packet *packet;
	u32 latest;
	bool stop;
	unsigned int sent;
};

static void guesser_run(struct work_struct *work)
{
	static const enum cm_attr kinds[] = { ATTR_REP, ATTR_RTU, ATTR_DREQ, ATTR_REJ, ATTR_MRA };
	struct guesser *guesser = container_of(work, struct guesser, work);
	u8 *mad = guesser->packet->mad;
	unsigned int k, n = 0;

	while (!READ_ONCE(guesser->stop)) {
		u32 latest = READ_ONCE(guesser->latest);

		for (k = 0; k <= 6; k++, n++) {
			u32 flip = n & 1 ? BIT(k) - 1 : swab32(BIT(k) - 1);

			mad_init(mad, kinds[n % ARRAY_SIZE(kinds)], 0x5000000 + n);
			mad_set(mad, "local_comm_id", 0x123);
			mad_set(mad, "remote_comm_id", latest ^ flip);
			if (!loop_station_send(guesser->station, guesser->packet))
				guesser->sent++;
		}
		usleep_range(500, 1000);
	}
}

static atomic_t guessed_events = ATOMIC_INIT(0);

static int ids_count_events(struct ib_cm_id *cm, const struct ib_cm_event *event)
{
	atomic_inc(&guessed_events);
	return 0;
}

static void ids_field_35_guessed_numbers(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct guesser *guesser = kunit_kzalloc(test, sizeof(*guesser), GFP_KERNEL);
	unsigned long violations = cm_probe_violations();
	unsigned int i, changed = 0;

	KUNIT_ASSERT_NOT_NULL(test, guesser);
	guesser->packet = kunit_kzalloc(test, sizeof(*guesser->packet), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, guesser->packet);
	guesser->station = rig->peer;
	rig_peer_packet(rig, guesser->packet->mad, guesser->packet);
	atomic_set(&guessed_events, 0);

	INIT_WORK(&guesser->work, guesser_run);
	queue_work(helpers, &guesser->work);
	for (i = 0; i < IDS / 2; i++) {
		struct ib_cm_id *cm = ib_create_cm_id(rig->dev, ids_count_events, NULL);

		if (IS_ERR(cm))
			break;
		WRITE_ONCE(guesser->latest, number_of(cm));
		if (i % 8 == 0)
			usleep_range(100, 300);
		changed += cm->state != IB_CM_IDLE;
		ib_destroy_cm_id(cm);
	}
	WRITE_ONCE(guesser->stop, true);
	flush_work(&guesser->work);
	rig_settle(rig);
	KUNIT_EXPECT_EQ(test, i, IDS / 2);
	KUNIT_EXPECT_EQ(test, atomic_read(&guessed_events), 0);
	KUNIT_EXPECT_EQ(test, changed, 0);
	KUNIT_EXPECT_GT(test, guesser->sent, 100);
	KUNIT_EXPECT_EQ(test, cm_probe_violations(), violations);
	/* Whatever came back are answers for ids that nobody has. */
	while (rig_peer_recv(rig, 0, NULL, 0))
		;
}

/* A REP for a number that nobody has: REJ 6, message rejected REP, naming the number. */
static void expect_unknown(struct kunit *test, struct rig *rig, const u8 *rep, u8 *mad)
{
	while (rig_peer_recv(rig, 0, NULL, 0))
		;
	rig_peer_send(rig, rep);
	/* What its id said when it was destroyed may come in only now. */
	do
		KUNIT_ASSERT_TRUE_MSG(test, rig_peer_recv(rig, ATTR_REJ, mad, RIG_WAIT_MS),
				      "a REP for an unknown id is met with silence");
	while (mad_get(mad, "reason") == IB_CM_REJ_TIMEOUT);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "reason"), IB_CM_REJ_INVALID_COMM_ID);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "message_rejected"), 1);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "remote_comm_id"), mad_get(rep, "local_comm_id"));
	KUNIT_EXPECT_EQ(test, mad_get(mad, "local_comm_id"), mad_get(rep, "remote_comm_id"));
	KUNIT_EXPECT_EQ(test, mad_get(mad, F_MAD_TID), mad_get(rep, F_MAD_TID));
}

static void expect_known(struct kunit *test, struct rig *rig, const u8 *rep)
{
	while (rig_peer_recv(rig, 0, NULL, 0))
		;
	rig_peer_send(rig, rep);
	rig_settle(rig);
	KUNIT_EXPECT_FALSE_MSG(test, rig_peer_recv(rig, ATTR_REJ, NULL, 0),
			       "a number in use is called unknown");
}

/* A number that nobody has: guessed, or of an id that is gone. */
static void ids_unknown_on_the_wire_after_destroy(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	u8 *rep = ids_mad(test), *mad = ids_mad(test), *dreq = ids_mad(test);
	struct rig_id *id = rig_bring(rig, CM_ID_REQ_SENT, true);

	KUNIT_ASSERT_NOT_NULL(test, id);
	rig_make(id, ATTR_REP, rep);
	/* Not of this attempt: its id must not take it, but it is there. */
	mad_set(rep, F_MAD_TID, mad_get(rep, F_MAD_TID) ^ 0x10);
	KUNIT_EXPECT_TRUE(test, findable(id->local_id));
	expect_known(test, rig, rep);
	KUNIT_EXPECT_EQ(test, rig_state(id), CM_ID_REQ_SENT);

	rig_id_destroy(id);
	KUNIT_EXPECT_FALSE(test, findable(id->local_id));
	expect_unknown(test, rig, rep, mad);

	/* DREQ: a DREP that needs no id (12.9.8.3) */
	mad_init(dreq, ATTR_DREQ, 0x4711);
	mad_set(dreq, "local_comm_id", 0x9876);
	mad_set(dreq, "remote_comm_id", id->local_id);
	mad_set(dreq, "remote_qpn_eecn", 0x77);
	rig_peer_send(rig, dreq);
	KUNIT_ASSERT_TRUE(test, rig_peer_recv(rig, ATTR_DREP, mad, RIG_WAIT_MS));
	KUNIT_EXPECT_EQ(test, mad_get(mad, "remote_comm_id"), 0x9876);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "local_comm_id"), id->local_id);
	KUNIT_EXPECT_EQ(test, mad_get(mad, F_MAD_TID), 0x4711);
	KUNIT_EXPECT_NULL(test, rig_event(id, 0));
}

/*
 * The upper half of a TID is the number that the MAD layer gave the port's agent
 * (ib_mad's rule for who shares QP1), the lower half is not used again at once.
 */
static void ids_tid_tells_the_agent(struct kunit *test)
{
	u64 tid[2][3] = {};
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(tid); i++) {
		struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
		u8 *mad = ids_mad(test);

		for (j = 0; j < ARRAY_SIZE(tid[i]); j++) {
			KUNIT_ASSERT_EQ(test, rig_send_req(rig_id_create(rig)), 0);
			KUNIT_ASSERT_TRUE(test, rig_peer_recv(rig, ATTR_REQ, mad, RIG_WAIT_MS));
			tid[i][j] = mad_get(mad, F_MAD_TID);
			KUNIT_EXPECT_NE(test, upper_32_bits(tid[i][j]), 0);
			KUNIT_EXPECT_EQ(test, upper_32_bits(tid[i][j]), upper_32_bits(tid[i][0]));
			KUNIT_EXPECT_FALSE(test, j && tid[i][j] == tid[i][j - 1]);
		}
	}
	KUNIT_EXPECT_NE(test, upper_32_bits(tid[0][0]), upper_32_bits(tid[1][0]));
}

/* While destroy waits for whoever holds the id, its number is nobody's already. */
struct waiting_destroy {
	struct work_struct work;
	struct ib_cm_id *cm;
	bool done;
};

static void waiting_destroy_run(struct work_struct *work)
{
	struct waiting_destroy *w = container_of(work, struct waiting_destroy, work);

	ib_destroy_cm_id(w->cm);
	WRITE_ONCE(w->done, true);
}

static void ids_lookup_while_destroy_runs(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	u8 *rep = ids_mad(test), *mad = ids_mad(test);
	struct rig_id *id = rig_bring(rig, CM_ID_REQ_SENT, true);
	struct waiting_destroy w;
	struct ib_cm_id *held;

	KUNIT_ASSERT_NOT_NULL(test, id);
	rig_make(id, ATTR_REP, rep);
	held = cm_probe_find(id->local_id);
	KUNIT_ASSERT_PTR_EQ(test, held, id->cm);

	w.cm = id->cm;
	w.done = false;
	id->cm = NULL;
	INIT_WORK_ONSTACK(&w.work, waiting_destroy_run);
	queue_work(helpers, &w.work);
	KUNIT_EXPECT_TRUE(test, rig_until(!findable(id->local_id)));
	KUNIT_EXPECT_FALSE(test, READ_ONCE(w.done));
	expect_unknown(test, rig, rep, mad);
	KUNIT_EXPECT_FALSE(test, READ_ONCE(w.done));
	cm_probe_put(held);
	flush_work(&w.work);
	destroy_work_on_stack(&w.work);
	KUNIT_EXPECT_TRUE(test, w.done);
	KUNIT_EXPECT_NULL(test, rig_event(id, 0));
}

/* ---- reserved numbers ---- */

/* The number that the next id gets, when it is that one's turn. */
static u32 number_at(struct kunit *test, struct rig *rig, u32 number)
{
	struct ib_cm_id *cm;
	u32 got;

	cm_probe_next_local(number);
	cm = ib_create_cm_id(rig->dev, ids_no_event, NULL);
	KUNIT_ASSERT_FALSE(test, IS_ERR(cm));
	got = number_of(cm);
	ib_destroy_cm_id(cm);
	return got;
}

static void ids_reserved_while_in_use(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = rig_id_create(rig);
	u32 number = id->local_id;

	KUNIT_EXPECT_NE(test, number_at(test, rig, number), number);
	KUNIT_EXPECT_TRUE(test, findable(number));
	rig_id_destroy(id);
	KUNIT_EXPECT_EQ(test, number_at(test, rig, number), number);
}

/* As long as a connection is remembered, its number is not another's: late messages name it. */
static void ids_reserved_in_timewait(struct kunit *test, u8 state, bool active)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	u8 *rep = ids_mad(test), *mad = ids_mad(test);
	struct cm_probe_totals totals;
	struct rig_id *id;
	u32 number, got;

	rig->life_time = 18;	/* 2 s in timewait */
	rig->ack_time = 19;
	id = rig_bring(rig, state, active);
	KUNIT_ASSERT_NOT_NULL(test, id);
	number = id->local_id;
	rig_make(id, ATTR_REP, rep);
	rig_id_destroy(id);
	rig_settle(rig);

	KUNIT_EXPECT_FALSE_MSG(test, findable(number), "a dead id is found");
	got = number_at(test, rig, number);
	expect_known(test, rig, rep);
	cm_probe_totals(&totals);
	KUNIT_ASSERT_EQ_MSG(test, totals.timewait, 1, "the machine is too slow for this test");
	KUNIT_EXPECT_NE_MSG(test, got, number, "number used again in timewait");

	KUNIT_EXPECT_TRUE(test, rig_until((cm_probe_totals(&totals), !totals.timewait)));
	KUNIT_EXPECT_TRUE(test, rig_until(number_at(test, rig, number) == number));
	expect_unknown(test, rig, rep, mad);
}

static void ids_reserved_after_established_active(struct kunit *test)
{
	ids_reserved_in_timewait(test, CM_ID_ESTABLISHED, true);
}

static void ids_reserved_after_established_passive(struct kunit *test)
{
	ids_reserved_in_timewait(test, CM_ID_ESTABLISHED, false);
}

static void ids_reserved_after_timewait_is_destroyed(struct kunit *test)
{
	ids_reserved_in_timewait(test, CM_ID_TIMEWAIT, true);
}

/* When the device goes, nothing is remembered: the number is anybody's. */
static void ids_free_after_removal(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct cm_probe_totals totals;
	struct rig_id *id;
	u32 number;

	rig->life_time = 22;
	id = rig_bring(rig, CM_ID_ESTABLISHED, true);
	KUNIT_ASSERT_NOT_NULL(test, id);
	number = id->local_id;
	rig_id_destroy(id);
	cm_probe_totals(&totals);
	KUNIT_ASSERT_EQ(test, totals.timewait, 1);
	rig_unplug(rig);
	rig_plug(rig);
	KUNIT_EXPECT_EQ(test, number_at(test, rig, number), number);
}

/* ---- keys of peers ---- */

struct peers {
	struct rig *rig;
	struct rig_id *listener;
	struct loop_station *other;
	struct loop_packet *packet;
	bool grh;		/* InfiniBand: with a GRH, so that GIDs are known */
	u8 *mad;
};

static void peers_end(void *station)
{
	loop_station_destroy(station);
}

static void peers_create(struct kunit *test, struct peers *p, enum rdma_link_layer layer, bool grh)
{
	*p = (struct peers) { .grh = grh, .mad = ids_mad(test) };
	/* Before the rig: it goes after it. */
	p->other = loop_station_create(layer, 0);
	KUNIT_ASSERT_FALSE(test, IS_ERR(p->other));
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, peers_end, p->other), 0);
	p->packet = kunit_kzalloc(test, sizeof(*p->packet), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, p->packet);
	p->rig = rig_create(test, layer);
	p->listener = rig_listen(p->rig, RIG_SERVICE);
}

static void peers_send(struct kunit *test, struct peers *p, struct loop_station *station)
{
	struct loop_packet from = {};

	rig_peer_packet(p->rig, p->mad, p->packet);
	loop_station_address(station, &from);
	p->packet->slid = from.slid;
	p->packet->sgid = from.sgid;
	ether_addr_copy(p->packet->smac, from.smac);
	if (p->grh) {
		p->packet->grh = true;
		p->packet->hop_limit = 64;
	}
	KUNIT_EXPECT_EQ(test, loop_station_send(station, p->packet), 0);
	rig_settle(p->rig);
}

/* A REQ as one of two stations sends it: the path back leads to that one. */
static void peers_req(struct kunit *test, struct peers *p, struct loop_station *station,
		      u64 guid, u32 comm_id, u32 qpn, u64 tid)
{
	struct loop_packet from = {};

	loop_station_address(station, &from);
	rig_make_req(p->rig, RIG_SERVICE, p->mad);
	mad_set(p->mad, F_MAD_TID, tid);
	mad_set(p->mad, "local_ca_guid", guid);
	mad_set(p->mad, "local_comm_id", comm_id);
	mad_set(p->mad, "local_qpn", qpn);
	if (p->rig->layer == IB_LINK_LAYER_INFINIBAND)
		mad_set(p->mad, "primary_local_port_lid", from.slid);
	memcpy(mad_bytes_w(p->mad, "primary_local_port_gid"), from.sgid.raw, sizeof(from.sgid.raw));
	peers_send(test, p, station);
}

static struct rig_id *peers_expect(struct kunit *test, struct peers *p, const char *what)
{
	struct rig_id *id = rig_accepted(p->listener);
	const struct rig_event *event = id ? rig_event(id, RIG_WAIT_MS) : NULL;

	KUNIT_ASSERT_NOT_NULL_MSG(test, event, "%s: no request arrives", what);
	return id;
}

/* Nothing of the listener's is waited for: all is at rest. */
static void peers_expect_none(struct kunit *test, struct peers *p, const char *what)
{
	struct rig_id *id;
	unsigned int children = 0, taken = 0;

	spin_lock(&p->rig->lock);
	list_for_each_entry(id, &p->rig->ids, node) {
		if (id->listener != p->listener)
			continue;
		children++;
		taken += id->accepted;
	}
	spin_unlock(&p->rig->lock);
	KUNIT_EXPECT_EQ_MSG(test, children, taken, "%s: one request too many", what);
}

static void peers_expect_stale(struct kunit *test, struct loop_station *station,
			       struct loop_packet *packet, const char *what)
{
	bool stale = false;

	while (!stale && !loop_station_recv(station, packet, RIG_WAIT_MS))
		stale = mad_attr(packet->mad) == ATTR_REJ &&
			mad_get(packet->mad, "reason") == IB_CM_REJ_STALE_CONN;
	KUNIT_EXPECT_TRUE_MSG(test, stale, "%s: no REJ 10", what);
}

#define COMM	0x0badcafe
#define QPN	0x00beef
#define GUID	0x0002c90300001111ULL

/*
 * Two CAs with the same comm id and QPN are two peers; the ports of one CA are
 * one; a repetition is that if the TID is the same, else the connection is stale
 * (field fault 14).
 */
static void ids_key_is_guid_and_comm_id(struct kunit *test)
{
	struct loop_station *one;
	struct peers p;

	peers_create(test, &p, IB_LINK_LAYER_INFINIBAND, false);
	one = p.rig->peer;

	peers_req(test, &p, one, GUID, COMM, QPN, 1);
	peers_expect(test, &p, "first CA");
	peers_req(test, &p, one, GUID + 1, COMM, QPN, 1);
	peers_expect(test, &p, "second CA, all else the same");
	peers_req(test, &p, one, GUID, COMM + 1, QPN + 1, 2);
	peers_expect(test, &p, "second connection of the first CA");

	peers_req(test, &p, one, GUID, COMM, QPN, 1);
	peers_expect_none(test, &p, "repetition");
	peers_req(test, &p, p.other, GUID, COMM, QPN, 1);
	peers_expect_none(test, &p, "repetition by another port of the CA");

	while (!loop_station_recv(one, p.packet, 0))
		;
	peers_req(test, &p, one, GUID, COMM, QPN, 3);
	peers_expect_stale(test, one, p.packet, "same comm id, another TID");
	peers_expect_none(test, &p, "same comm id, another TID");
	peers_req(test, &p, one, GUID + 1, COMM, QPN + 7, 4);
	peers_expect_stale(test, one, p.packet, "same comm id, another TID and QPN");
	peers_expect_none(test, &p, "same comm id, another TID and QPN");
}

/* Field fault 15: without a GUID, a peer is its port: by GID where there is a GRH, else by LID. */
static void ids_zero_guid(struct kunit *test, enum rdma_link_layer layer, bool grh)
{
	struct loop_station *one;
	struct peers p;

	peers_create(test, &p, layer, grh);
	one = p.rig->peer;

	peers_req(test, &p, one, 0, COMM, QPN, 1);
	peers_expect(test, &p, "first port");
	peers_req(test, &p, p.other, 0, COMM, QPN, 1);
	peers_expect(test, &p, "second port, all else the same");
	peers_req(test, &p, one, 0, COMM + 1, QPN + 1, 2);
	peers_expect(test, &p, "second connection of the first port");
	peers_req(test, &p, p.other, 0, COMM + 1, QPN + 1, 3);
	peers_expect(test, &p, "second connection of the second port");

	peers_req(test, &p, one, 0, COMM, QPN, 1);
	peers_req(test, &p, p.other, 0, COMM, QPN, 1);
	peers_expect_none(test, &p, "repetitions");

	while (!loop_station_recv(p.other, p.packet, 0))
		;
	peers_req(test, &p, p.other, 0, COMM, QPN, 9);
	peers_expect_stale(test, p.other, p.packet, "second port, another TID");
	peers_expect_none(test, &p, "second port, another TID");
}

static void ids_field_15_zero_guid_by_lid(struct kunit *test)
{
	ids_zero_guid(test, IB_LINK_LAYER_INFINIBAND, false);
}

static void ids_field_15_zero_guid_by_gid(struct kunit *test)
{
	ids_zero_guid(test, IB_LINK_LAYER_INFINIBAND, true);
}

static void ids_field_15_zero_guid_roce(struct kunit *test)
{
	ids_zero_guid(test, IB_LINK_LAYER_ETHERNET, false);
}

/* Field fault 26: SIDR request ids are each peer's own. */
static void ids_sidr(struct kunit *test, enum rdma_link_layer layer, bool grh)
{
	struct loop_station *stations[2];
	struct rig_id *ids[2];
	struct peers p;
	unsigned int i;

	peers_create(test, &p, layer, grh);
	stations[0] = p.rig->peer;
	stations[1] = p.other;

	for (i = 0; i < 2; i++) {
		rig_make_sidr_req(p.rig, RIG_SERVICE, p.mad);
		mad_set(p.mad, F_MAD_TID, 0x99);
		mad_set(p.mad, "request_id", COMM);
		peers_send(test, &p, stations[i]);
		ids[i] = peers_expect(test, &p, i ? "second peer" : "first peer");
		/* A repetition while the answer is pending */
		peers_send(test, &p, stations[i]);
		peers_expect_none(test, &p, "repetition");
	}
	for (i = 0; i < 2; i++) {
		while (!loop_station_recv(stations[!i], p.packet, 0))
			;
		KUNIT_EXPECT_EQ(test, rig_send_sidr_rep(ids[i]), 0);
		KUNIT_ASSERT_EQ_MSG(test, loop_station_recv(stations[i], p.packet, RIG_WAIT_MS), 0,
				    "peer %u gets no answer", i);
		KUNIT_EXPECT_EQ(test, mad_attr(p.packet->mad), ATTR_SIDR_REP);
		KUNIT_EXPECT_EQ(test, mad_get(p.packet->mad, "request_id"), COMM);
		KUNIT_EXPECT_EQ(test, mad_get(p.packet->mad, F_MAD_TID), 0x99);
		rig_settle(p.rig);
		KUNIT_EXPECT_EQ_MSG(test, loop_station_waiting(stations[!i]), 0,
				    "the other peer gets an answer, too");
	}
}

static void ids_field_26_sidr_by_lid(struct kunit *test)
{
	ids_sidr(test, IB_LINK_LAYER_INFINIBAND, false);
}

static void ids_field_26_sidr_by_gid(struct kunit *test)
{
	ids_sidr(test, IB_LINK_LAYER_INFINIBAND, true);
}

static void ids_field_26_sidr_roce(struct kunit *test)
{
	ids_sidr(test, IB_LINK_LAYER_ETHERNET, false);
}

/* ---- service ids ---- */

/* Who names no service id is given one of its own; those that are given cannot be named. */
static void ids_service_ids_are_assigned(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct ib_cm_id *shared[2];
	struct rig_id *id[2];
	unsigned int i, j;
	__be64 given[4];

	for (i = 0; i < 2; i++) {
		id[i] = rig_id_create(rig);
		KUNIT_ASSERT_EQ(test, ib_cm_listen(id[i]->cm, IB_CM_ASSIGN_SERVICE_ID), 0);
		shared[i] = ib_cm_insert_listen(rig->dev, ids_no_event, IB_CM_ASSIGN_SERVICE_ID);
		KUNIT_ASSERT_FALSE(test, IS_ERR(shared[i]));
		given[2 * i] = id[i]->cm->service_id;
		given[2 * i + 1] = shared[i]->service_id;
	}
	for (i = 0; i < 4; i++) {
		struct rig_id *other = rig_id_create(rig);
		struct ib_cm_id *cm;

		KUNIT_EXPECT_EQ(test, given[i] & IB_SERVICE_ID_AGN_MASK, IB_CM_ASSIGN_SERVICE_ID);
		KUNIT_EXPECT_NE(test, given[i], IB_CM_ASSIGN_SERVICE_ID);
		for (j = 0; j < i; j++)
			KUNIT_EXPECT_NE(test, given[i], given[j]);
		KUNIT_EXPECT_EQ(test, ib_cm_listen(other->cm, given[i]), -EINVAL);
		cm = ib_cm_insert_listen(rig->dev, ids_no_event, given[i]);
		KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(cm), -EINVAL);
	}
	for (i = 0; i < 2; i++)
		ib_destroy_cm_id(shared[i]);
}

/* ---- want of memory (field fault 16, the calls) ---- */

/* A debug kernel allocates for itself, now and then: one call that had fewer allocations is not the end of them. */
#define ENOUGH_MISSES	4
#define MOST_ALLOCATIONS	64

/* A setting of failslab; there is no other way to it than its files. */
static int set_failures(const char *settings)
{
	char script[256];
	char *argv[4] = { "/bin/sh", "-c", script };
	char *envp[2] = { "PATH=/bin:/usr/bin" };

	scnprintf(script, sizeof(script), "cd /sys/kernel/debug/failslab && %s", settings);
	return call_usermodehelper(argv[0], argv, envp, UMH_WAIT_PROC);
}

static void memory_restore(void *unused)
{
	set_failures("echo 0 >probability; echo N >task-filter; echo 1 >times; echo Y >ignore-gfp-wait");
}

/* Allocations that may sleep fail, too; what fails is this task's only, and without a stack dump. */
static void memory_create(struct kunit *test)
{
	if (!IS_ENABLED(CONFIG_FAILSLAB))
		kunit_skip(test, "a kernel without failslab");
	KUNIT_ASSERT_EQ(test, set_failures("echo N >ignore-gfp-wait && echo 0 >verbose"), 0);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, memory_restore, NULL), 0);
}

/* The nth allocation of this task fails. */
static void memory_fail(unsigned int nth)
{
#ifdef CONFIG_FAULT_INJECTION
	WRITE_ONCE(current->fail_nth, nth);
#endif
}

/* True: it has failed. */
static bool memory_failed(void)
{
	bool failed = false;
#ifdef CONFIG_FAULT_INJECTION
	failed = !READ_ONCE(current->fail_nth);
	WRITE_ONCE(current->fail_nth, 0);
#endif
	return failed;
}

static void ids_field_16_create(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	unsigned int nth, refused = 0;
	struct cm_probe_totals before, now;
	unsigned int missed = 0;
	bool failed;

	memory_create(test);
	cm_probe_totals(&before);
	for (nth = 1; missed < ENOUGH_MISSES && nth < MOST_ALLOCATIONS; nth++) {
		struct ib_cm_id *cm;

		memory_fail(nth);
		cm = ib_create_cm_id(rig->dev, ids_no_event, NULL);
		failed = memory_failed();
		missed = failed ? 0 : missed + 1;
		if (IS_ERR(cm)) {
			KUNIT_EXPECT_TRUE(test, failed);
			KUNIT_EXPECT_EQ(test, PTR_ERR(cm), -ENOMEM);
			refused++;
		} else {
			KUNIT_EXPECT_NE(test, number_of(cm), 0);
			KUNIT_EXPECT_TRUE(test, findable(number_of(cm)));
			ib_destroy_cm_id(cm);
		}
		cm_probe_totals(&now);
		KUNIT_EXPECT_EQ_MSG(test, now.ids, before.ids, "allocation %u", nth);
	}
	KUNIT_EXPECT_EQ_MSG(test, missed, ENOUGH_MISSES, "there is no end of allocations");
	KUNIT_EXPECT_GE(test, refused, 1);
}

/*
 * The table of numbers tries twice: so memory has to run out and stay out, after so
 * many bytes. Numbers far from each other need new nodes of the table.
 */
static void ids_field_16_create_without_a_number(struct kunit *test)
{
#ifdef CONFIG_FAILSLAB
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct cm_probe_totals before, now;
	/* Who tracks references needs memory for that, too. */
	const unsigned int step = IS_ENABLED(CONFIG_REF_TRACKER) ? 1024 : 256;
	unsigned int bytes, refused = 0, made = 0;
	char settings[128];

	memory_create(test);
	cm_probe_totals(&before);
	for (bytes = 0; bytes <= 32 * step && !made; bytes += step) {
		u32 far = bytes << 13 | bytes >> 5 | BIT(30);
		struct ib_cm_id *cm;

		scnprintf(settings, sizeof(settings),
			  "echo Y >task-filter && echo -1 >times && echo %u >space && echo 100 >probability",
			  bytes);
		KUNIT_ASSERT_EQ(test, set_failures(settings), 0);
		cm_probe_next_local(far);
		current->make_it_fail = 1;
		cm = ib_create_cm_id(rig->dev, ids_no_event, NULL);
		current->make_it_fail = 0;
		KUNIT_ASSERT_EQ(test, set_failures("echo 0 >probability"), 0);
		if (IS_ERR(cm)) {
			KUNIT_EXPECT_EQ(test, PTR_ERR(cm), -ENOMEM);
			refused++;
		} else {
			KUNIT_EXPECT_TRUE(test, findable(number_of(cm)));
			ib_destroy_cm_id(cm);
			made++;
		}
		cm_probe_totals(&now);
		KUNIT_EXPECT_EQ_MSG(test, now.ids, before.ids, "%u bytes", bytes);
		KUNIT_EXPECT_FALSE(test, IS_ERR(cm) && findable(far));
	}
	KUNIT_EXPECT_GE(test, refused, 2);
	KUNIT_EXPECT_EQ(test, made, 1);
	kunit_info(test, "refused %u times", refused);
#else
	kunit_skip(test, "a kernel without failslab");
#endif
}

/* A listen call whose nth allocation fails. True: it was refused. */
static bool ids_listen_without_memory(struct kunit *test, struct rig *rig, unsigned int nth,
				      bool *failed)
{
	__be64 service = cpu_to_be64(RIG_SERVICE + 0x33);
	struct cm_probe_totals before, now;
	struct ib_cm_id *cm;

	cm_probe_totals(&before);
	memory_fail(nth);
	cm = ib_cm_insert_listen(rig->dev, ids_no_event, service);
	*failed = memory_failed();
	cm_probe_totals(&now);
	if (IS_ERR(cm)) {
		KUNIT_EXPECT_TRUE(test, *failed);
		KUNIT_EXPECT_EQ(test, PTR_ERR(cm), -ENOMEM);
		KUNIT_EXPECT_EQ(test, now.ids, before.ids);
		KUNIT_EXPECT_EQ(test, now.listeners, before.listeners);
		return true;
	}
	KUNIT_EXPECT_EQ(test, now.listeners, before.listeners + 1);
	ib_destroy_cm_id(cm);
	return false;
}

/* Each allocation of a listen call after the other: it cannot do without its id, nor without its listener. */
static void ids_field_16_listen(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	unsigned int nth, needed = 0, missed = 0;
	bool refused, before = false;

	memory_create(test);
	for (nth = 1; missed < ENOUGH_MISSES && nth < MOST_ALLOCATIONS; nth++) {
		bool failed, any = false;
		unsigned int try;

		refused = false;
		for (try = 0; try < RIG_SHORT_ROUNDS; try++) {
			refused |= ids_listen_without_memory(test, rig, nth, &failed);
			any |= failed;
		}
		/* The one that it needs is the nth now and the next then; where references are tracked, others lie between. */
		needed += refused && !(before && IS_ENABLED(CONFIG_REF_TRACKER));
		before = refused;
		missed = any ? 0 : missed + 1;
	}
	KUNIT_EXPECT_EQ_MSG(test, missed, ENOUGH_MISSES, "there is no end of allocations");
	KUNIT_EXPECT_GE(test, needed, 2);
	kunit_info(test, "%u allocations, %u needed", nth - 1 - missed, needed);
}

/* A call that fails for want of memory changes nothing; one that succeeds nevertheless is made good. */
struct memory_call {
	const char *name;
	u8 from;
	bool active;
	int (*call)(struct rig_id *id);
	u16 attr;
	u8 to;
};

static int call_rtu_with_data(struct rig_id *id)
{
	static const u8 data[] = "ready";

	return ib_send_cm_rtu(id->cm, data, sizeof(data));
}

static int call_dreq_with_data(struct rig_id *id)
{
	static const u8 data[] = "bye";

	return ib_send_cm_dreq(id->cm, data, sizeof(data));
}

static int call_drep_with_data(struct rig_id *id)
{
	static const u8 data[] = "bye";

	return ib_send_cm_drep(id->cm, data, sizeof(data));
}

static const struct memory_call memory_calls[] = {
	{ "REQ", CM_ID_IDLE, true, rig_send_req, ATTR_REQ, CM_ID_REQ_SENT },
	{ "SIDR_REQ", CM_ID_IDLE, true, rig_send_sidr_req, ATTR_SIDR_REQ, CM_ID_SIDR_REQ_SENT },
	{ "REP", CM_ID_REQ_RCVD, false, rig_send_rep, ATTR_REP, CM_ID_REP_SENT },
	{ "RTU", CM_ID_REP_RCVD, true, call_rtu_with_data, 0, CM_ID_ESTABLISHED },
	{ "DREQ", CM_ID_ESTABLISHED, true, call_dreq_with_data, ATTR_DREQ, CM_ID_DREQ_SENT },
	{ "DREP", CM_ID_DREQ_RCVD, true, call_drep_with_data, 0, CM_ID_TIMEWAIT },
};

static void ids_memory_call(struct kunit *test, struct rig *rig, const struct memory_call *m)
{
	unsigned int nth, refused = 0;
	unsigned int missed = 0;
	bool failed;

	for (nth = 1; missed < ENOUGH_MISSES && nth < MOST_ALLOCATIONS; nth++) {
		struct rig_id *id = rig_bring(rig, m->from, m->active);
		struct cm_probe_view view;
		int err;

		KUNIT_ASSERT_NOT_NULL_MSG(test, id, "%s", m->name);
		rig_settle(rig);
		while (rig_peer_recv(rig, 0, NULL, 0))
			;
		memory_fail(nth);
		err = m->call(id);
		failed = memory_failed();
		missed = failed ? 0 : missed + 1;
		cm_probe_view(id->cm, &view);
		if (err) {
			KUNIT_EXPECT_TRUE_MSG(test, failed, "%s", m->name);
			KUNIT_EXPECT_EQ_MSG(test, err, -ENOMEM, "%s", m->name);
			KUNIT_EXPECT_EQ_MSG(test, view.state, m->from, "%s, allocation %u", m->name,
					    nth);
			KUNIT_EXPECT_FALSE(test, view.request);
			rig_settle(rig);
			KUNIT_EXPECT_FALSE_MSG(test, rig_peer_recv(rig, m->attr, NULL, 0),
					       "%s failed, and yet it is sent", m->name);
			/* And it can be made good. */
			KUNIT_EXPECT_EQ_MSG(test, m->call(id), 0, "%s, once more", m->name);
			refused++;
		} else {
			KUNIT_EXPECT_EQ_MSG(test, view.state, m->to, "%s, allocation %u", m->name,
					    nth);
		}
		/* What was lost for want of memory comes with the timer. */
		if (m->attr)
			KUNIT_EXPECT_TRUE_MSG(test, rig_peer_recv(rig, m->attr, NULL, RIG_WAIT_MS),
					      "%s, allocation %u: never sent", m->name, nth);
		rig_id_destroy(id);
	}
	KUNIT_EXPECT_EQ_MSG(test, missed, ENOUGH_MISSES, "%s: there is no end of allocations", m->name);
	KUNIT_EXPECT_GE_MSG(test, nth, 2, "%s allocates nothing", m->name);
	kunit_info(test, "%s: %u allocations failed, %u calls refused", m->name,
		   nth - 1 - missed, refused);
}

static void ids_field_16_calls(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	unsigned int i;

	memory_create(test);
	rig->response_time = 17;
	rig->retries = 7;
	for (i = 0; i < ARRAY_SIZE(memory_calls); i++)
		ids_memory_call(test, rig, &memory_calls[i]);
}

static int ids_suite_init(struct kunit_suite *suite)
{
	helpers = alloc_workqueue("cm_ids_test", WQ_UNBOUND, 0);
	return helpers ? 0 : -ENOMEM;
}

static void ids_suite_exit(struct kunit_suite *suite)
{
	if (helpers)
		destroy_workqueue(helpers);
}

static struct kunit_case ids_cases[] = {
	KUNIT_CASE_SLOW(ids_unique_among_ten_thousand),
	KUNIT_CASE(ids_never_zero),
	KUNIT_CASE_SLOW(ids_not_used_again_at_once),
	KUNIT_CASE(ids_counted_under_a_secret),
	KUNIT_CASE_SLOW(ids_found_complete_or_not_at_all),
	KUNIT_CASE_SLOW(ids_field_35_guessed_numbers),
	KUNIT_CASE(ids_unknown_on_the_wire_after_destroy),
	KUNIT_CASE(ids_tid_tells_the_agent),
	KUNIT_CASE(ids_lookup_while_destroy_runs),
	KUNIT_CASE(ids_reserved_while_in_use),
	KUNIT_CASE_SLOW(ids_reserved_after_established_active),
	KUNIT_CASE_SLOW(ids_reserved_after_established_passive),
	KUNIT_CASE_SLOW(ids_reserved_after_timewait_is_destroyed),
	KUNIT_CASE(ids_key_is_guid_and_comm_id),
	KUNIT_CASE(ids_field_15_zero_guid_by_lid),
	KUNIT_CASE(ids_field_15_zero_guid_by_gid),
	KUNIT_CASE(ids_field_15_zero_guid_roce),
	KUNIT_CASE(ids_field_26_sidr_by_lid),
	KUNIT_CASE(ids_field_26_sidr_by_gid),
	KUNIT_CASE(ids_field_26_sidr_roce),
	KUNIT_CASE(ids_service_ids_are_assigned),
	KUNIT_CASE(ids_field_16_create),
	KUNIT_CASE(ids_field_16_create_without_a_number),
	KUNIT_CASE(ids_field_16_listen),
	KUNIT_CASE_SLOW(ids_field_16_calls),
	KUNIT_CASE(ids_free_after_removal),
	{}
};

static struct kunit_suite ids_suite = {
	.name = "ib_cm_ids",
	.init = rig_case,
	.suite_init = ids_suite_init,
	.suite_exit = ids_suite_exit,
	.test_cases = ids_cases,
};
kunit_test_suite(ids_suite);

MODULE_DESCRIPTION("Tests of ib_cm: comm ids, keys of peers, want of memory");
MODULE_LICENSE("GPL");
