// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite ib_cm_removal: the device goes, whatever its ids are at.
 *
 * Owns: a crowd of four threads that create, ask, listen and destroy on a device
 * until it is gone, and afterwards call on what is left; the count of last events
 * that each of their ids gets; removal with records in timewait, and with an HCA
 * that does not complete what was posted.
 *
 * The last event of each state is that of Documentation/design.rst, "Removal".
 * Upper bounds are for a machine that is busy with other things: what they tell
 * apart is waiting for a device, a peer or a timer, which takes minutes here.
 */
#include <linux/delay.h>
#include <linux/kmsg_dump.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/rcupdate.h>

#include "rig.h"
#include "../cm_core/generated/cm_model.h"

#define REMOVAL_MS	20000	/* no peer answers and no timer fires for that long */
#define CROWD		4
#define CROWD_IDS	8	/* of each thread */

/* Records in timewait: what a kernel without sanitizers makes in a minute. */
#if IS_ENABLED(CONFIG_KASAN) || IS_ENABLED(CONFIG_DEBUG_KMEMLEAK)
static unsigned int removal_records = 2000;
#else
static unsigned int removal_records = 100000;
#endif
module_param_named(records, removal_records, uint, 0444);
MODULE_PARM_DESC(records, "how many records in timewait a device goes with");

/* ---- what ends an attempt ---- */

#define NO_EVENT	(-1)

struct place {
	const char *desc;
	u8 state;
	bool active;
	int last;	/* the event that removal brings */
	bool ib;	/* not on RoCE: no LAP there */
};

static const struct place places[] = {
	{ "IDLE",		CM_ID_IDLE, true, NO_EVENT },
	{ "LISTEN",		CM_ID_LISTEN, false, NO_EVENT },
	{ "REQ_SENT",		CM_ID_REQ_SENT, true, IB_CM_REQ_ERROR },
	{ "MRA_REQ_RCVD",	CM_ID_MRA_REQ_RCVD, true, IB_CM_REQ_ERROR },
	{ "REQ_RCVD",		CM_ID_REQ_RCVD, false, IB_CM_REJ_RECEIVED },
	{ "MRA_REQ_SENT",	CM_ID_MRA_REQ_SENT, false, IB_CM_REJ_RECEIVED },
	{ "REP_RCVD",		CM_ID_REP_RCVD, true, IB_CM_REJ_RECEIVED },
	{ "MRA_REP_SENT",	CM_ID_MRA_REP_SENT, true, IB_CM_REJ_RECEIVED },
	{ "REP_SENT",		CM_ID_REP_SENT, false, IB_CM_REP_ERROR },
	{ "MRA_REP_RCVD",	CM_ID_MRA_REP_RCVD, false, IB_CM_REP_ERROR },
	{ "ESTABLISHED, active", CM_ID_ESTABLISHED, true, IB_CM_TIMEWAIT_EXIT },
	{ "ESTABLISHED, passive", CM_ID_ESTABLISHED, false, IB_CM_TIMEWAIT_EXIT },
	{ "EST_LAP_IDLE",	CM_ID_EST_LAP_IDLE, true, IB_CM_TIMEWAIT_EXIT, .ib = true },
	{ "EST_LAP_RCVD",	CM_ID_EST_LAP_RCVD, false, IB_CM_TIMEWAIT_EXIT, .ib = true },
	{ "EST_MRA_LAP_SENT",	CM_ID_EST_MRA_LAP_SENT, false, IB_CM_TIMEWAIT_EXIT, .ib = true },
	{ "DREQ_SENT, active",	CM_ID_DREQ_SENT, true, IB_CM_TIMEWAIT_EXIT },
	{ "DREQ_SENT, passive",	CM_ID_DREQ_SENT, false, IB_CM_TIMEWAIT_EXIT },
	{ "DREQ_RCVD, active",	CM_ID_DREQ_RCVD, true, IB_CM_TIMEWAIT_EXIT },
	{ "DREQ_RCVD, passive",	CM_ID_DREQ_RCVD, false, IB_CM_TIMEWAIT_EXIT },
	{ "TIMEWAIT, active",	CM_ID_TIMEWAIT, true, IB_CM_TIMEWAIT_EXIT },
	{ "TIMEWAIT, passive",	CM_ID_TIMEWAIT, false, IB_CM_TIMEWAIT_EXIT },
	{ "TIMEWAIT_STALE",	CM_ID_TIMEWAIT_STALE, true, IB_CM_TIMEWAIT_EXIT },
	{ "SIDR_REQ_SENT",	CM_ID_SIDR_REQ_SENT, true, IB_CM_SIDR_REQ_ERROR },
	{ "SIDR_REQ_RCVD",	CM_ID_SIDR_REQ_RCVD, false, IB_CM_SIDR_REQ_ERROR },
};

/* ---- the crowd ---- */

struct crowd_id {
	struct ib_cm_id *cm;	/* NULL: none now */
	bool asked;		/* an attempt has begun */
	atomic_t last;		/* events that end it */
};

struct crowd;

struct crowd_member {
	struct crowd *crowd;
	struct task_struct *task;
	unsigned int which;
	unsigned long rounds;
	bool over;		/* a call said that there is no device: what there is stays for the end */
	struct crowd_id ids[CROWD_IDS];
};

struct crowd {
	struct rig *rig;
	struct ib_device *ibdev;	/* its memory is held; its registration for the time of a call */
	struct sa_path_rec path;	/* to the rig's peer, which stays silent */
	struct crowd_member members[CROWD];
};

static int crowd_handler(struct ib_cm_id *cm, const struct ib_cm_event *event)
{
	struct crowd_id *id = cm->context;

	if (id && rig_is_last(event->event))
		atomic_inc(&id->last);
	return 0;
}

static int crowd_send_req(struct crowd *crowd, struct ib_cm_id *cm, u32 qpn)
{
	struct ib_cm_req_param param = {
		.primary_path = &crowd->path,
		.service_id = cpu_to_be64(RIG_SERVICE),
		.qp_num = qpn,
		.qp_type = IB_QPT_RC,
		.remote_cm_response_timeout = 20,
		.local_cm_response_timeout = 20,
		.max_cm_retries = 15,
	};

	return ib_send_cm_req(cm, &param);
}

static int crowd_send_sidr_req(struct crowd *crowd, struct ib_cm_id *cm)
{
	struct ib_cm_sidr_req_param param = {
		.path = &crowd->path,
		.service_id = cpu_to_be64(RIG_SERVICE),
		.timeout_ms = 4000,
		.max_cm_retries = 15,
	};

	return ib_send_cm_sidr_req(cm, &param);
}

static void crowd_create(struct crowd_member *m, struct crowd_id *id)
{
	struct ib_cm_id *cm = ib_create_cm_id(m->crowd->ibdev, crowd_handler, id);

	id->asked = false;
	atomic_set(&id->last, 0);
	id->cm = IS_ERR(cm) ? NULL : cm;
}

static void crowd_destroy(struct crowd_id *id)
{
	if (id->cm)
		ib_destroy_cm_id(id->cm);
	id->cm = NULL;
}

/* The device is registered. One is left in its place for the next turn, or for the end. */
static void crowd_turn(struct crowd_member *m, struct crowd_id *id)
{
	u64 service = RIG_SERVICE + 0x2000 + m->rounds % 4;
	struct ib_cm_id *cm;
	int err = 0;

	crowd_destroy(id);
	switch (m->which) {
	case 0:
		crowd_create(m, id);
		break;
	case 1:
		crowd_create(m, id);
		if (id->cm)
			err = crowd_send_req(m->crowd, id->cm, 0x40000 + m->rounds % 0x40000);
		id->asked = id->cm && !err;
		break;
	case 2:
		if (m->rounds & 1) {
			cm = ib_cm_insert_listen(m->crowd->ibdev, crowd_handler,
						 cpu_to_be64(service + 8));
			err = PTR_ERR_OR_ZERO(cm);
			id->cm = err ? NULL : cm;
			id->asked = false;
		} else {
			crowd_create(m, id);
			if (id->cm)
				err = ib_cm_listen(id->cm, cpu_to_be64(service));
		}
		break;
	default:
		crowd_create(m, id);
		if (id->cm)
			err = crowd_send_sidr_req(m->crowd, id->cm);
		id->asked = id->cm && !err;
		if (!err && m->rounds & 1)
			crowd_destroy(id);
		break;
	}
	m->over = err == -ENODEV;
}

/* The device goes at any point of this; until it has gone, ids come and go. */
static int crowd_member(void *data)
{
	struct crowd_member *m = data;
	struct ib_device *ibdev = m->crowd->ibdev;

	while (!kthread_should_stop()) {
		if (!m->over && ib_device_try_get(ibdev)) {
			crowd_turn(m, &m->ids[m->rounds % CROWD_IDS]);
			ib_device_put(ibdev);
		}
		m->rounds++;
		usleep_range(20, 200);
	}
	return 0;
}

static void crowd_stop(void *data)
{
	struct crowd *crowd = data;
	struct crowd_member *m;
	unsigned int i;

	for (m = crowd->members; m < crowd->members + CROWD; m++)
		if (m->task)
			kthread_stop(m->task);
	for (m = crowd->members; m < crowd->members + CROWD; m++) {
		m->task = NULL;
		for (i = 0; i < CROWD_IDS; i++)
			crowd_destroy(&m->ids[i]);
	}
	if (crowd->ibdev)
		put_device(&crowd->ibdev->dev);
	crowd->ibdev = NULL;
}

static struct crowd *crowd_start(struct kunit *test, struct rig *rig)
{
	struct crowd *crowd = kunit_kzalloc(test, sizeof(*crowd), GFP_KERNEL);
	struct task_struct *task;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, crowd);
	crowd->rig = rig;
	crowd->ibdev = rig->dev;
	get_device(&rig->dev->dev);
	rig_path(rig, &crowd->path);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, crowd_stop, crowd), 0);
	for (i = 0; i < CROWD; i++) {
		crowd->members[i].crowd = crowd;
		crowd->members[i].which = i;
		task = kthread_run(crowd_member, &crowd->members[i], "crowd/%u", i);
		KUNIT_ASSERT_FALSE(test, IS_ERR(task));
		crowd->members[i].task = task;
	}
	return crowd;
}

/* Every thread has filled its places at least once. */
static bool crowd_is_there(const struct crowd *crowd)
{
	unsigned int i;

	for (i = 0; i < CROWD; i++)
		if (READ_ONCE(crowd->members[i].rounds) < CROWD_IDS)
			return false;
	return true;
}

/* ---- what is left ---- */

/*
 * Each call. What was made when ib_cm had let go of the device already is IDLE and
 * stays so: there a call that IDLE forbids is invalid.
 */
static void expect_no_device(struct kunit *test, struct ib_cm_id *cm, struct crowd *crowd)
{
	struct ib_cm_sidr_rep_param sidr_rep = { .status = IB_SIDR_SUCCESS };
	struct ib_qp_attr attr = { .qp_state = IB_QPS_INIT };
	struct ib_cm_rep_param rep = { .qp_num = 0x99 };
	struct cm_probe_view view;
	int mask;
	const int ret[] = {
		crowd_send_req(crowd, cm, 0x98),
		crowd_send_sidr_req(crowd, cm),
		ib_cm_listen(cm, cpu_to_be64(RIG_SERVICE + 0x3000)),
		ib_send_cm_rep(cm, &rep),
		ib_send_cm_rtu(cm, NULL, 0),
		ib_send_cm_dreq(cm, NULL, 0),
		ib_send_cm_drep(cm, NULL, 0),
		ib_send_cm_rej(cm, IB_CM_REJ_CONSUMER_DEFINED, NULL, 0, NULL, 0),
		ib_prepare_cm_mra(cm),
		ib_cm_notify(cm, IB_EVENT_COMM_EST),
		ib_cm_notify(cm, IB_EVENT_PATH_MIG),
		ib_cm_init_qp_attr(cm, &attr, &mask),
		ib_send_cm_sidr_rep(cm, &sidr_rep),
	};
	unsigned int i;

	cm_probe_view(cm, &view);
	if (view.state != CM_ID_GONE)
		KUNIT_EXPECT_EQ(test, view.state, CM_ID_IDLE);
	for (i = 0; i < ARRAY_SIZE(ret); i++)
		KUNIT_EXPECT_EQ_MSG(test, ret[i],
				    i < 3 || view.state == CM_ID_GONE ? -ENODEV : -EINVAL,
				    "call %u", i);
}

static void expect_nothing_left(struct kunit *test)
{
	struct cm_probe_totals totals;

	cm_probe_totals(&totals);
	KUNIT_EXPECT_EQ(test, totals.timewait, 0);
	KUNIT_EXPECT_EQ(test, totals.posted, 0);
	KUNIT_EXPECT_EQ(test, totals.queued, 0);
	KUNIT_EXPECT_EQ(test, totals.listeners, 0);
	KUNIT_EXPECT_EQ(test, totals.runners, 0);
}

/* Their attempts have ended, each with one event, whatever removal met them at. */
static void expect_crowd_told(struct kunit *test, struct crowd *crowd)
{
	unsigned int i, j, asked = 0;

	for (i = 0; i < CROWD; i++) {
		kthread_stop(crowd->members[i].task);
		crowd->members[i].task = NULL;
	}
	for (i = 0; i < CROWD; i++) {
		for (j = 0; j < CROWD_IDS; j++) {
			struct crowd_id *id = &crowd->members[i].ids[j];

			if (!id->cm)
				continue;
			KUNIT_EXPECT_EQ_MSG(test, atomic_read(&id->last), id->asked,
					    "thread %u, id %u", i, j);
			asked += id->asked;
			expect_no_device(test, id->cm, crowd);
		}
	}
	KUNIT_EXPECT_GT(test, asked, 0);
}

static s64 timed_unplug(struct rig *rig)
{
	ktime_t begin = ktime_get();

	rig_unplug(rig);
	return ktime_us_delta(ktime_get(), begin);
}

/* ---- every state ---- */

static void removal_in_state(struct kunit *test, const struct place *place,
			     enum rdma_link_layer layer, bool withheld)
{
	static const struct loop_rule each = { .nth = 1 };
	struct rig *rig = rig_create(test, layer);
	const struct rig_event *event;
	struct crowd *crowd;
	struct rig_id *id;
	unsigned int last = 0;

	/* Timewait outlasts the test. */
	rig->life_time = 22;
	rig->ack_time = 22;
	if (withheld)
		loop_fault_set(rig->dev, 0, LOOP_SEND_NEVER, &each);
	id = rig_bring(rig, place->state, place->active);
	KUNIT_ASSERT_NOT_NULL(test, id);
	crowd = crowd_start(test, rig);
	KUNIT_ASSERT_TRUE(test, rig_until(crowd_is_there(crowd)));

	KUNIT_EXPECT_LT(test, timed_unplug(rig), REMOVAL_MS * 1000);
	while ((event = rig_event(id, 0))) {
		if (place->last != NO_EVENT)
			KUNIT_EXPECT_EQ(test, (int)event->type, place->last);
		last++;
	}
	KUNIT_EXPECT_EQ(test, last, place->last != NO_EVENT);
	KUNIT_EXPECT_EQ(test, rig_state(id), CM_ID_GONE);
	expect_no_device(test, id->cm, crowd);
	expect_crowd_told(test, crowd);
	expect_nothing_left(test);
	KUNIT_EXPECT_NULL(test, rig_event(id, 0));
}

KUNIT_ARRAY_PARAM_DESC(place, places, desc);

static void removal_infiniband(struct kunit *test)
{
	removal_in_state(test, test->param_value, IB_LINK_LAYER_INFINIBAND, false);
}

static void removal_roce(struct kunit *test)
{
	const struct place *place = test->param_value;

	if (place->ib)
		kunit_skip(test, "no LAP on RoCE");
	removal_in_state(test, place, IB_LINK_LAYER_ETHERNET, false);
}

/* An HCA that completes nothing until it goes: it flushes then, and nobody waits for more. */
static void removal_sends_withheld(struct kunit *test)
{
	removal_in_state(test, test->param_value, IB_LINK_LAYER_INFINIBAND, true);
}

/* ---- afterwards ---- */

/* What is created on a device that ib_cm has let go of is an id that gets nowhere. */
static void removal_then_new_ids(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct crowd *crowd = crowd_start(test, rig);
	struct ib_cm_id *cm;

	rig_unplug(rig);
	cm = ib_create_cm_id(crowd->ibdev, crowd_handler, NULL);
	KUNIT_ASSERT_FALSE(test, IS_ERR(cm));
	expect_no_device(test, cm, crowd);
	ib_destroy_cm_id(cm);
	cm = ib_cm_insert_listen(crowd->ibdev, crowd_handler, cpu_to_be64(RIG_SERVICE));
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(cm), -ENODEV);
	if (!IS_ERR(cm))
		ib_destroy_cm_id(cm);
}

/* Devices come and go under the same threads: each removal is like the first. */
static void removal_again_and_again(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_ETHERNET);
	unsigned int i;

	for (i = 0; i < 20; i++) {
		struct crowd *crowd = crowd_start(test, rig);

		KUNIT_ASSERT_TRUE(test, rig_until(crowd_is_there(crowd)));
		KUNIT_EXPECT_LT(test, timed_unplug(rig), REMOVAL_MS * 1000);
		expect_crowd_told(test, crowd);
		kunit_release_action(test, crowd_stop, crowd);
		rig_plug(rig);
	}
}

/* ---- records ---- */

struct recorder {
	struct ib_cm_rep_param rep;
	atomic_t made;
};

/* The peer accepts: connected, and over, which leaves a record and no id. */
static int recorder_handler(struct ib_cm_id *cm, const struct ib_cm_event *event)
{
	struct recorder *recorder = cm->context;

	if (event->event != IB_CM_REP_RECEIVED)
		return 0;
	ib_send_cm_rtu(cm, NULL, 0);
	atomic_inc(&recorder->made);
	return -ECONNREFUSED;
}

static unsigned long timewait_now(void)
{
	struct cm_probe_totals totals;

	cm_probe_totals(&totals);
	return totals.timewait;
}

/* One connection of ours with the peer, whose answer is made by hand: as has all the numbers. */
static void recorder_connect(struct kunit *test, struct rig *rig, struct recorder *recorder,
			     struct rig_id *as)
{
	struct sa_path_rec path, twin;
	struct ib_cm_req_param param;
	struct ib_cm_id *cm;
	u8 mad[MAD_BYTES];

	cm = ib_create_cm_id(rig->dev, recorder_handler, recorder);
	KUNIT_ASSERT_FALSE(test, IS_ERR(cm));
	as->local_id = be32_to_cpu(cm->local_id);
	rig_attempt(as);
	rig_req_param(as, &param, &path, &twin);
	KUNIT_ASSERT_EQ(test, ib_send_cm_req(cm, &param), 0);
	KUNIT_ASSERT_TRUE(test, rig_peer_recv(rig, ATTR_REQ, mad, RIG_WAIT_MS));
	as->tid = mad_get(mad, F_MAD_TID);
	rig_make(as, ATTR_REP, mad);
	rig_peer_send(rig, mad);
}

static void make_records(struct kunit *test, struct rig *rig, unsigned int n)
{
	struct recorder *recorder = kunit_kzalloc(test, sizeof(*recorder), GFP_KERNEL);
	struct rig_id *as = kunit_kzalloc(test, sizeof(*as), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, recorder);
	KUNIT_ASSERT_NOT_NULL(test, as);
	as->rig = rig;
	as->service_id = RIG_SERVICE;
	for (i = 0; i < n; i++) {
		recorder_connect(test, rig, recorder, as);
		/* So many handlers at once at most */
		KUNIT_ASSERT_TRUE(test, rig_until(i + 1 - atomic_read(&recorder->made) < 64));
		cond_resched();
	}
	KUNIT_ASSERT_TRUE(test, rig_until(timewait_now() == n));
}

static s64 unplug_with_records(struct kunit *test, unsigned int n)
{
	const struct loop_config config = { .layer = IB_LINK_LAYER_INFINIBAND };
	struct rig *rig = rig_create_with(test, &config);
	s64 us;

	/* Hours in timewait */
	rig->life_time = 29;
	make_records(test, rig, n);
	us = timed_unplug(rig);
	expect_nothing_left(test);
	return us;
}

/* Records are dropped, not waited for. How fast is for others to judge: figures are printed. */
static void removal_with_records(struct kunit *test)
{
	struct cm_probe_totals totals;
	s64 few, many;

	few = unplug_with_records(test, 0);
	many = unplug_with_records(test, removal_records);
	KUNIT_EXPECT_LT(test, many, few + REMOVAL_MS * 1000);
	rcu_barrier();
	cm_probe_totals(&totals);
	KUNIT_EXPECT_EQ(test, totals.records, 0);
	kunit_info(test, "removal: %lld us with 0 records, %lld us with %u: %lld.%02lld times",
		   few, many, removal_records, div_s64(many, few),
		   div_s64(many * 100, few) % 100);
}

/* ---- an HCA that takes its time ---- */

static unsigned int log_has(const char *text)
{
	static char line[512];
	struct kmsg_dump_iter iter;
	unsigned int n = 0;
	size_t len;

	kmsg_dump_rewind(&iter);
	while (kmsg_dump_get_line(&iter, true, line, sizeof(line), &len))
		n += !!strnstr(line, text, len);
	return n;
}

/*
 * While removal tells its ids, answers can still be sent: the peer asks for one,
 * and the HCA does not complete it.
 */
static int withhold_an_answer(struct rig_id *id, const struct rig_event *event)
{
	static const struct loop_rule each = { .nth = 1 };
	struct rig *rig = id->rig;
	u8 mad[MAD_BYTES];

	if (event->type != IB_CM_REQ_ERROR)
		return 0;
	loop_fault_set(id->hook_data, 0, LOOP_SEND_NEVER, &each);
	mad_init(mad, ATTR_DREQ, ++rig->tid);
	mad_set(mad, "local_comm_id", 0x7777);
	mad_set(mad, "remote_comm_id", 0x12345678);
	mad_set(mad, "remote_qpn_eecn", 0x77);
	rig_peer_send(rig, mad);
	if (!rig_until(loop_fault_hits(id->hook_data, 1, LOOP_SEND_NEVER)))
		KUNIT_FAIL(rig->test, "nothing is withheld");
	return 0;
}

struct unplug {
	struct ib_device *dev;
	struct completion done;		/* then the device is no more */
};

static int unplug_thread(void *data)
{
	struct unplug *unplug = data;

	loop_hca_remove(unplug->dev);
	complete(&unplug->done);
	return 0;
}

static void removal_reports_a_slow_device(struct kunit *test)
{
	static const char said[] = "removal waits for the device to complete 1 sends";
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = rig_bring(rig, CM_ID_REQ_SENT, true);
	struct ib_device *dev = rig->dev;
	struct unplug unplug = { .dev = dev };
	unsigned int before = log_has(said);
	unsigned long end;
	struct task_struct *task;
	unsigned long begin;

	KUNIT_ASSERT_NOT_NULL(test, id);
	id->hook_data = dev;
	id->hook = withhold_an_answer;
	begin = jiffies;
	init_completion(&unplug.done);
	task = kthread_run(unplug_thread, &unplug, "unplug");
	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	rig->dev = NULL;
	end = jiffies + msecs_to_jiffies(60000);
	while (log_has(said) == before && time_before(jiffies, end))
		msleep(100);
	KUNIT_EXPECT_EQ(test, log_has(said), before + 1);
	/* It is said when it takes long, and not before. */
	KUNIT_EXPECT_GE(test, jiffies_to_msecs(jiffies - begin), 10000);
	/* It does wait: the address handle of what was posted is the device's. */
	KUNIT_EXPECT_FALSE(test, completion_done(&unplug.done));
	if (!completion_done(&unplug.done)) {
		KUNIT_EXPECT_GT(test, loop_hca_handles(dev), 0);
		loop_hca_release(dev);
	}
	wait_for_completion(&unplug.done);
	expect_nothing_left(test);
	KUNIT_EXPECT_EQ(test, log_has(said), before + 1);
}

static struct kunit_case removal_cases[] = {
	KUNIT_CASE_PARAM_ATTR(removal_infiniband, place_gen_params, { .speed = KUNIT_SPEED_SLOW }),
	KUNIT_CASE_PARAM_ATTR(removal_roce, place_gen_params, { .speed = KUNIT_SPEED_SLOW }),
	KUNIT_CASE_PARAM_ATTR(removal_sends_withheld, place_gen_params,
			      { .speed = KUNIT_SPEED_SLOW }),
	KUNIT_CASE(removal_then_new_ids),
	KUNIT_CASE_SLOW(removal_again_and_again),
	KUNIT_CASE_SLOW(removal_with_records),
	KUNIT_CASE_SLOW(removal_reports_a_slow_device),
	{}
};

static struct kunit_suite removal_suite = {
	.name = "ib_cm_removal",
	.init = rig_case,
	.test_cases = removal_cases,
};
kunit_test_suite(removal_suite);

MODULE_DESCRIPTION("Tests of ib_cm: the device goes");
MODULE_LICENSE("GPL");
