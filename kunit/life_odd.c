// SPDX-License-Identifier: GPL-2.0-only
/*
 * Listeners that are destroyed while handlers run on their behalf, and destroys
 * that should not be.
 *
 * Owns: struct odd, a listener of its own making whose handler is held until the
 * test opens it, and then sleeps, destroys, or does nothing. They outlive tests,
 * for their handlers may.
 */
#include <linux/delay.h>
#include <linux/ratelimit.h>

#include "life.h"

#define ODDS		3
#define ODD_SERVICE	(RIG_SERVICE + 0x80)

/**
 * struct odd - a listener
 * @cm: its id
 * @service_id: host order
 * @open: handlers go on
 * @entered: handlers that came
 * @left: handlers that have ended
 * @end: when the latest did
 * @sleep_ms: how long they sleep when they go on
 * @act: what they do then
 * @acted: it is done
 * @ret: what they return
 */
struct odd {
	struct ib_cm_id *cm;
	u64 service_id;
	struct completion open;
	atomic_t entered;
	atomic_t left;
	ktime_t end;
	unsigned int sleep_ms;
	void (*act)(struct odd *odd, struct ib_cm_id *child);
	struct completion acted;
	int ret;
};

static struct odd odds[ODDS];

static void odd_hold(struct odd *odd)
{
	atomic_inc(&odd->entered);
	wait_for_completion_timeout(&odd->open, msecs_to_jiffies(6 * RIG_WAIT_MS));
	rig_sleep(odd->sleep_ms);
}

static void odd_leave(struct odd *odd)
{
	WRITE_ONCE(odd->end, ktime_get());
	atomic_inc(&odd->left);
}

static struct odd *odd_of(const struct ib_cm_id *cm)
{
	unsigned int i;

	for (i = 0; i < ODDS; i++)
		if (be64_to_cpu(cm->service_id) == odds[i].service_id)
			return &odds[i];
	return NULL;
}

static int odd_handler(struct ib_cm_id *cm, const struct ib_cm_event *event)
{
	const struct ib_cm_id *listener = event->event == IB_CM_REQ_RECEIVED ?
		event->param.req_rcvd.listen_id : event->param.sidr_req_rcvd.listen_id;
	struct odd *odd = odd_of(listener);
	int ret;

	if (!odd)
		return -EINVAL;
	odd_hold(odd);
	ret = odd->ret;
	if (odd->act) {
		odd->act(odd, cm);
		complete(&odd->acted);
	}
	odd_leave(odd);
	return ret;
}

/* A handler of the rig's, held likewise. */
static int odd_hook(struct rig_id *id, const struct rig_event *event)
{
	struct odd *odd = id->hook_data;

	odd_hold(odd);
	odd_leave(odd);
	return 0;
}

static void odd_open_all(void *arg)
{
	unsigned int i;

	for (i = 0; i < ODDS; i++)
		complete_all(&odds[i].open);
}

static struct rig *odd_rig(struct kunit *test)
{
	const enum rdma_link_layer *layer = test->param_value;
	struct rig *rig = rig_create(test, *layer);
	unsigned int i;

	rig->response_time = LIFE_TIME;
	for (i = 0; i < ODDS; i++) {
		odds[i] = (struct odd){ .service_id = ODD_SERVICE + i, .ret = -ECONNREFUSED };
		init_completion(&odds[i].open);
		init_completion(&odds[i].acted);
	}
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, odd_open_all, NULL), 0);
	return rig;
}

static struct odd *odd_listen(struct rig *rig, unsigned int i)
{
	struct odd *odd = &odds[i];

	odd->cm = ib_create_cm_id(rig->dev, odd_handler, odd);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(rig->test, odd->cm);
	KUNIT_ASSERT_EQ(rig->test, ib_cm_listen(odd->cm, cpu_to_be64(odd->service_id)), 0);
	return odd;
}

static struct odd *odd_share(struct rig *rig, unsigned int i, unsigned int shares)
{
	struct odd *odd = &odds[i];

	while (shares--) {
		odd->cm = ib_cm_insert_listen(rig->dev, odd_handler, cpu_to_be64(odd->service_id));
		KUNIT_ASSERT_NOT_ERR_OR_NULL(rig->test, odd->cm);
	}
	return odd;
}

/* The peer asks the listener for something, and its handler is there. */
static void odd_ask(struct rig *rig, struct odd *odd, enum cm_attr attr)
{
	int n = atomic_read(&odd->entered) + 1;
	u8 mad[MAD_BYTES];

	if (attr == ATTR_REQ)
		rig_make_req(rig, odd->service_id, mad);
	else
		rig_make_sidr_req(rig, odd->service_id, mad);
	rig_peer_send(rig, mad);
	KUNIT_ASSERT_TRUE(rig->test, rig_until(atomic_read(&odd->entered) >= n));
}

/* Nobody listens there: REJ 8. */
static void odd_gone(struct rig *rig, const struct odd *odd)
{
	u8 mad[MAD_BYTES];

	wire_drain(rig);
	rig_make_req(rig, odd->service_id, mad);
	rig_peer_send(rig, mad);
	wire_expect(rig, ATTR_REJ, mad);
	KUNIT_EXPECT_EQ(rig->test, mad_get(mad, "reason"), IB_CM_REJ_INVALID_SERVICE_ID);
}

struct odd_destroy {
	struct wire_job job;
	struct ib_cm_id *cm;
	bool began;
	ktime_t ended;
};

static void odd_destroy_job(void *arg)
{
	struct odd_destroy *d = arg;

	WRITE_ONCE(d->began, true);
	ib_destroy_cm_id(d->cm);
	WRITE_ONCE(d->ended, ktime_get());
}

static void odd_destroy(struct kunit *test, struct odd_destroy *d, struct ib_cm_id *cm)
{
	*d = (struct odd_destroy){ .cm = cm };
	wire_start(test, &d->job, odd_destroy_job, d);
	KUNIT_ASSERT_TRUE(test, rig_until(READ_ONCE(d->began)));
}

/* Destroy returns without a handler's having ended. */
static void odd_prompt(struct kunit *test, struct odd_destroy *d)
{
	KUNIT_ASSERT_TRUE_MSG(test, wire_join(&d->job, LIFE_BOUND_MS), "destroy waits");
}

/* It returns when the handlers have ended, not before, and not for anything else. */
static void odd_waits(struct kunit *test, struct odd_destroy *d, struct odd *odd, int handlers)
{
	KUNIT_ASSERT_TRUE_MSG(test, wire_join(&d->job, LIFE_SLEEP_MS + 3 * RIG_WAIT_MS),
			      "destroy never returns");
	KUNIT_EXPECT_EQ(test, atomic_read(&odd->left), handlers);
	KUNIT_EXPECT_FALSE_MSG(test, ktime_before(d->ended, odd->end),
			       "destroy returns before the handler ends");
	KUNIT_EXPECT_LE(test, ktime_ms_delta(d->ended, odd->end), LIFE_BOUND_MS);
}

/* For requests' handlers, connections' and services', of an own listener and of the last share. */
void life_listener_waits_for_its_handlers(struct kunit *test)
{
	struct rig *rig = odd_rig(test);
	struct odd_destroy d[ODDS];
	struct odd *odd[ODDS];
	ktime_t opened;
	unsigned int i;

	odd[0] = odd_listen(rig, 0);
	odd_ask(rig, odd[0], ATTR_REQ);
	odd_ask(rig, odd[0], ATTR_REQ);
	odd[1] = odd_listen(rig, 1);
	odd_ask(rig, odd[1], ATTR_SIDR_REQ);
	odd[2] = odd_share(rig, 2, 1);
	odd_ask(rig, odd[2], ATTR_REQ);
	for (i = 0; i < ODDS; i++) {
		odd[i]->sleep_ms = LIFE_SLEEP_MS;
		odd_destroy(test, &d[i], odd[i]->cm);
	}
	msleep(LIFE_NAP_MS);
	opened = ktime_get();
	odd_open_all(NULL);
	for (i = 0; i < ODDS; i++) {
		odd_waits(test, &d[i], odd[i], i ? 1 : 2);
		KUNIT_EXPECT_GE(test, ktime_ms_delta(d[i].ended, opened), LIFE_SLEEP_MS);
		odd_gone(rig, odd[i]);
	}
}

/* All but the last share are destroyed at once, whoever's handler runs. */
void life_share_returns_at_once(struct kunit *test)
{
	struct rig *rig = odd_rig(test);
	struct odd *odd = odd_share(rig, 0, 3);
	struct odd_destroy first[2], last;
	unsigned int i;

	odd_ask(rig, odd, ATTR_REQ);
	for (i = 0; i < 2; i++) {
		odd_destroy(test, &first[i], odd->cm);
		odd_prompt(test, &first[i]);
	}
	KUNIT_EXPECT_EQ(test, atomic_read(&odd->left), 0);
	odd->sleep_ms = LIFE_NAP_MS;
	odd_destroy(test, &last, odd->cm);
	msleep(LIFE_NAP_MS);
	odd_open_all(NULL);
	odd_waits(test, &last, odd, 1);
	odd_gone(rig, odd);
}

/* What its requests became runs on its own behalf; so do other listeners' requests. */
void life_listener_leaves_children(struct kunit *test)
{
	struct rig *rig = odd_rig(test);
	struct rig_id *listener = rig_listen(rig, RIG_SERVICE), *child;
	struct odd *other = odd_listen(rig, 0), *later = &odds[1];
	struct odd_destroy d;
	u8 mad[MAD_BYTES];

	odd_ask(rig, other, ATTR_REQ);
	rig_make_req(rig, RIG_SERVICE, mad);
	child = wire_accept(rig, listener, mad);
	KUNIT_ASSERT_EQ(test, rig_send_rep(child), 0);
	wire_expect(rig, ATTR_REP, mad);
	child->hook_data = later;
	WRITE_ONCE(child->hook, odd_hook);
	wire_answer(child, ATTR_RTU);
	KUNIT_ASSERT_TRUE(test, rig_until(atomic_read(&later->entered)));

	odd_destroy(test, &d, listener->cm);
	WRITE_ONCE(listener->cm, NULL);
	odd_prompt(test, &d);
	KUNIT_EXPECT_EQ(test, atomic_read(&later->left) + atomic_read(&other->left), 0);
	odd_open_all(NULL);
	odd_destroy(test, &d, other->cm);
	odd_waits(test, &d, other, 1);
}

/* Requests that wait for a turn get none, and a REJ: destroy waits for one handler, not for a row of them. */
void life_listener_turns(struct kunit *test)
{
	struct rig *rig = odd_rig(test);
	struct odd *odd = odd_listen(rig, 0);
	unsigned int i, refused = 0, gone = 0;
	struct cm_probe_totals totals;
	struct odd_destroy d;
	u8 mad[MAD_BYTES];

	KUNIT_ASSERT_TRUE(test, rig_param(test, "listen_handlers", 1));
	odd->sleep_ms = LIFE_NAP_MS;
	odd_ask(rig, odd, ATTR_REQ);
	for (i = 0; i < 3; i++) {
		rig_make_req(rig, odd->service_id, mad);
		rig_peer_send(rig, mad);
	}
	rig_flush(rig);
	KUNIT_ASSERT_TRUE(test, rig_until((cm_probe_totals(&totals), !totals.queued)));
	odd_destroy(test, &d, odd->cm);
	msleep(LIFE_NAP_MS);
	odd_open_all(NULL);
	odd_waits(test, &d, odd, 1);
	rig_settle(rig);
	while (rig_peer_recv(rig, ATTR_REJ, mad, 0)) {
		if (mad_get(mad, "reason") == IB_CM_REJ_INVALID_SERVICE_ID)
			gone++;
		else
			refused++;
	}
	KUNIT_EXPECT_EQ(test, gone, 3);
	KUNIT_EXPECT_EQ(test, refused, 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&odd->entered), 1);
}

/* ---- what should not be ---- */

static void odd_destroys_it(struct odd *odd, struct ib_cm_id *child)
{
	ib_destroy_cm_id(odd->cm);
}

static void odd_destroys_it_twice(struct odd *odd, struct ib_cm_id *child)
{
	ib_destroy_cm_id(odd->cm);
	ib_destroy_cm_id(odd->cm);
}

static void odd_destroys_child(struct odd *odd, struct ib_cm_id *child)
{
	ib_destroy_cm_id(child);
	ib_destroy_cm_id(child);
}

/* So often was an id destroyed twice. The log takes few such lines at a time: those of before must not keep ours out. */
static unsigned int odd_said(void)
{
	unsigned int said = life_log("is destroyed twice", NULL, 0);

	if (said)
		rig_sleep(jiffies_to_msecs(DEFAULT_RATELIMIT_INTERVAL) + 100);
	return said;
}

static void odd_acts(struct rig *rig, struct odd *odd)
{
	odd_open_all(NULL);
	KUNIT_ASSERT_TRUE_MSG(rig->test,
			      wait_for_completion_timeout(&odd->acted,
							  msecs_to_jiffies(3 * RIG_WAIT_MS)),
			      "destroy waits for the handler that calls it");
	rig_settle(rig);
}

/*
 * Its own request's handler destroys the listener: it cannot be waited for; the listener is gone at once, the request
 * goes its way.
 */
void life_listener_by_its_handler(struct kunit *test)
{
	struct rig *rig = odd_rig(test);
	struct odd *odd = odd_listen(rig, 0);
	struct cm_probe_totals totals;
	u8 mad[MAD_BYTES];

	odd->act = odd_destroys_it;
	odd_ask(rig, odd, ATTR_REQ);
	odd_acts(rig, odd);
	KUNIT_EXPECT_GE(test, life_log("is destroyed by a handler that runs on its behalf", NULL, 0),
			1);
	wire_expect(rig, ATTR_REJ, mad);
	KUNIT_EXPECT_EQ(test, mad_get(mad, "reason"), IB_CM_REJ_CONSUMER_DEFINED);
	odd_gone(rig, odd);
	cm_probe_totals(&totals);
	KUNIT_EXPECT_EQ(test, totals.ids, 0);
	KUNIT_EXPECT_EQ(test, totals.listeners, 0);
}

/* The same of shares: the first one is dropped, the last one ends it. */
void life_share_by_its_handler(struct kunit *test)
{
	struct rig *rig = odd_rig(test);
	struct odd *odd = odd_share(rig, 0, 2);
	struct cm_probe_totals totals;

	odd->act = odd_destroys_it_twice;
	odd_ask(rig, odd, ATTR_SIDR_REQ);
	odd_acts(rig, odd);
	odd_gone(rig, odd);
	cm_probe_totals(&totals);
	KUNIT_EXPECT_EQ(test, totals.ids, 0);
	KUNIT_EXPECT_EQ(test, totals.listeners, 0);
}

/* The own handler's second destroy, and its return value, find nothing to do: one REJ, and a line in the log. */
void life_own_handler_again(struct kunit *test)
{
	struct rig *rig = odd_rig(test);
	struct odd *odd = odd_listen(rig, 0);
	unsigned int said = odd_said();
	struct odd_destroy d;

	odd->act = odd_destroys_child;
	odd_ask(rig, odd, ATTR_REQ);
	odd_acts(rig, odd);
	KUNIT_EXPECT_EQ(test, life_log("is destroyed twice", NULL, 0), said + 1);
	KUNIT_EXPECT_EQ(test, wire_count(rig, ATTR_REJ, 0), 1);
	odd_destroy(test, &d, odd->cm);
	odd_prompt(test, &d);
}

/* A listener twice at once: one call waits for the handler, the other is told. */
void life_listener_twice(struct kunit *test)
{
	struct rig *rig = odd_rig(test);
	struct odd *odd = odd_listen(rig, 0);
	unsigned int said = odd_said();
	struct odd_destroy d[2], *told, *waits;

	odd_ask(rig, odd, ATTR_REQ);
	odd_destroy(test, &d[0], odd->cm);
	odd_destroy(test, &d[1], odd->cm);
	KUNIT_EXPECT_TRUE(test, rig_until(READ_ONCE(d[0].ended) || READ_ONCE(d[1].ended)));
	msleep(LIFE_NAP_MS);
	told = READ_ONCE(d[0].ended) ? &d[0] : &d[1];
	waits = told == &d[0] ? &d[1] : &d[0];
	KUNIT_EXPECT_EQ(test, READ_ONCE(waits->ended), 0);
	odd_open_all(NULL);
	odd_waits(test, waits, odd, 1);
	odd_prompt(test, told);
	KUNIT_EXPECT_EQ(test, life_log("is destroyed twice", NULL, 0), said + 1);
}
