// SPDX-License-Identifier: GPL-2.0-only
/*
 * Thousands of ids on a device that completes nothing.
 *
 * Owns: nothing.
 */
#include <linux/moduleparam.h>

#include "life.h"

#define MANY_THREADS	8

static unsigned int life_ids = 4000;
module_param_named(ids, life_ids, uint, 0444);
MODULE_PARM_DESC(ids, "ids that are destroyed on a device that completes nothing");

struct many_thread {
	struct wire_job job;
	struct rig_id **ids;
	unsigned int n;
	s64 longest;	/* ms, of one destroy */
};

static void many_job(void *arg)
{
	struct many_thread *t = arg;
	unsigned int i;

	for (i = 0; i < t->n; i++) {
		ktime_t began = ktime_get();

		rig_id_destroy(t->ids[i]);
		t->longest = max(t->longest, ktime_ms_delta(ktime_get(), began));
	}
}

/* In what state destroy meets the i-th. The first ones need a peer, and are made before the device dies. */
static unsigned int many_state(unsigned int i)
{
	static const unsigned int brought[] = {
		CM_ID_ESTABLISHED, CM_ID_REP_SENT, CM_ID_REQ_RCVD, CM_ID_REP_RCVD,
	};

	if (i < 20)
		return brought[i % ARRAY_SIZE(brought)];
	return i % 4 ? CM_ID_REQ_SENT : CM_ID_SIDR_REQ_SENT;
}

static struct rig_id *many_make(struct rig *rig, unsigned int state)
{
	struct rig_id *id;
	int err;

	switch (state) {
	case CM_ID_REQ_SENT:
	case CM_ID_SIDR_REQ_SENT:
		id = rig_id_create(rig);
		err = state == CM_ID_REQ_SENT ? rig_send_req(id) : rig_send_sidr_req(id);
		KUNIT_ASSERT_EQ(rig->test, err, 0);
		return id;
	default:
		id = rig_bring(rig, state, state == CM_ID_REP_RCVD);
		KUNIT_ASSERT_NOT_NULL(rig->test, id);
		return id;
	}
}

/* "12 ESTABLISHED": so many are in the line. */
static void many_expect(struct kunit *test, const char *line, unsigned int state)
{
	unsigned int n = 0, i;
	char text[48];

	for (i = 0; i < life_ids; i++)
		n += many_state(i) == state;
	snprintf(text, sizeof(text), " %u %s", n, cm_probe_state_name(CM_MACHINE_ID, state));
	KUNIT_EXPECT_NOT_NULL_MSG(test, strstr(line, text), "no '%s' in: %s", text, line);
}

/*
 * None of them waits, all are gone when destroy returns; one line says that the device is dead and what they were, not
 * one for each of them (field fault 1).
 */
void life_many(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct many_thread threads[MANY_THREADS] = {};
	struct cm_probe_totals before, after;
	struct rig_id **ids;
	static char line[1024];
	unsigned int i, n, said;
	char text[64];

	ids = kunit_kcalloc(test, life_ids, sizeof(*ids), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, ids);
	rig->response_time = LIFE_TIME;
	for (i = 0; i < life_ids; i++) {
		if (i == 20)
			wire_fault(rig, LOOP_SEND_NEVER, 0, 0, 0);
		ids[i] = many_make(rig, many_state(i));
	}
	snprintf(text, sizeof(text), "; %u ids destroyed meanwhile", life_ids);
	said = life_log(text, NULL, 0);
	cm_probe_stall(rig->dev, 1, 3600);

	/* Those of a state are of all threads */
	n = life_ids / MANY_THREADS;
	cm_probe_totals(&before);
	for (i = 0; i < MANY_THREADS; i++) {
		threads[i].ids = ids + i * n;
		threads[i].n = i == MANY_THREADS - 1 ? life_ids - i * n : n;
		wire_start(test, &threads[i].job, many_job, &threads[i]);
	}
	for (i = 0; i < MANY_THREADS; i++)
		KUNIT_ASSERT_TRUE(test, wire_join(&threads[i].job, 12 * RIG_WAIT_MS));
	cm_probe_totals(&after);
	for (i = 0; i < MANY_THREADS; i++)
		KUNIT_EXPECT_LE(test, threads[i].longest, LIFE_BOUND_MS);
	KUNIT_EXPECT_EQ(test, before.ids - after.ids, life_ids);
	KUNIT_EXPECT_GE_MSG(test, after.posted, 64, "the device completes");
	KUNIT_EXPECT_EQ(test, cm_probe_count(rig->dev, 1, "destroyed_stalled"), life_ids);

	KUNIT_EXPECT_TRUE_MSG(test, rig_until(life_log(text, line, sizeof(line)) > said),
			      "the log says nothing");
	KUNIT_EXPECT_EQ_MSG(test, life_log(text, line, sizeof(line)), said + 1, "more than a line");
	many_expect(test, line, CM_ID_REQ_SENT);
	many_expect(test, line, CM_ID_SIDR_REQ_SENT);
	many_expect(test, line, CM_ID_ESTABLISHED);
	many_expect(test, line, CM_ID_REP_SENT);
	many_expect(test, line, CM_ID_REQ_RCVD);
	many_expect(test, line, CM_ID_REP_RCVD);

	/* Who comes later is counted, and in the next line, which is not due for a minute. */
	said = life_log("destroyed meanwhile", NULL, 0);
	rig_id_destroy(many_make(rig, CM_ID_REQ_SENT));
	KUNIT_EXPECT_EQ(test, cm_probe_count(rig->dev, 1, "destroyed_stalled"), life_ids + 1);
	msleep(3000);
	KUNIT_EXPECT_EQ_MSG(test, life_log("destroyed meanwhile", NULL, 0), said,
			    "the log is flooded");
}

/* A device that completes: nothing is counted and nothing said, whatever is destroyed. */
void life_many_completed(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	unsigned int said = life_log("destroyed meanwhile", NULL, 0), i;

	for (i = 0; i < 20; i++)
		rig_id_destroy(many_make(rig, many_state(i)));
	/* Nothing is uncompleted, however long ago the last one was */
	rig_settle(rig);
	cm_probe_stall(rig->dev, 1, 3600);
	rig_id_destroy(many_make(rig, CM_ID_REQ_RCVD));
	KUNIT_EXPECT_EQ(test, cm_probe_count(rig->dev, 1, "destroyed_stalled"), 0);
	rig_unplug(rig);
	KUNIT_EXPECT_EQ(test, life_log("destroyed meanwhile", NULL, 0), said);
}

/* Long after the last completion, a send begins: the device has not had the time to complete it. */
void life_many_first_send(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = many_make(rig, CM_ID_REQ_RCVD);

	rig_settle(rig);
	cm_probe_stall(rig->dev, 1, 3600);
	wire_fault(rig, LOOP_SEND_NEVER, 0, 0, 0);
	many_make(rig, CM_ID_REQ_SENT);
	rig_id_destroy(id);
	KUNIT_EXPECT_EQ(test, cm_probe_count(rig->dev, 1, "destroyed_stalled"), 0);
}

/* A completion that comes while destroy looks at the clock is no stall of 2^64 ticks. */
void life_many_completed_just_now(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = many_make(rig, CM_ID_REQ_RCVD);

	wire_fault(rig, LOOP_SEND_NEVER, 0, 0, 0);
	many_make(rig, CM_ID_REQ_SENT);
	cm_probe_stall(rig->dev, 1, -60);
	rig_id_destroy(id);
	KUNIT_EXPECT_EQ(test, cm_probe_count(rig->dev, 1, "destroyed_stalled"), 0);
}
