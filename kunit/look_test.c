// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite ib_cm_look: what an operator sees of ids, ports and trouble.
 *
 * Owns: the columns of debugfs' "ids" in known states, read through the file; that
 * it can be read at any time; counters and log lines that no other suite looks at.
 *
 * Times: a line is between what passed at least and at most, by the clock that the
 * file uses, which counts in steps of 2^24 ns.
 */
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/ktime.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "look.h"
#include "../cm_core/generated/cm_model.h"

#define STEP_MS		34	/* two steps of the file's clock, one at each end */
#define HOLD_MS		300

static struct workqueue_struct *helpers;

/* ---- the file ---- */

static char *look_ids(struct rig *rig)
{
	char path[100];

	snprintf(path, sizeof(path), "/sys/kernel/debug/ib_cm/%s/ids", dev_name(&rig->dev->dev));
	return rig_look(rig->test, path);
}

/* Text that lives as long as the test. */
static __printf(2, 3) const char *look_text(struct kunit *test, const char *format, ...)
{
	char text[200];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return kunit_kstrdup(test, text, GFP_KERNEL);
}

/* The nth word of a line. */
static const char *look_word(struct kunit *test, const char *line, int n)
{
	const char *end;

	while (n--) {
		line += strcspn(line, "\n ");
		line += *line == ' ';
	}
	end = line + strcspn(line, "\n ");
	return look_text(test, "%.*s", (int)(end - line), line);
}

/* Where a column stands; the heading's first word is #. */
static int look_column(struct kunit *test, const char *text, const char *name)
{
	const char *word;
	int n;

	for (n = 1; *(word = look_word(test, text, n)); n++)
		if (!strcmp(word, name))
			return n - 1;
	KUNIT_FAIL_AND_ABORT(test, "no column %s", name);
	return 0;
}

/* What the file says of an id, NULL: nothing. */
static const char *look_field(struct kunit *test, const char *text, u32 local_id, const char *name)
{
	int column = look_column(test, text, name);
	const char *line;
	u32 number;

	for (line = strchr(text, '\n'); line && line[1]; line = strchr(line + 1, '\n'))
		if (!kstrtou32(look_word(test, line + 1, 0), 10, &number) && number == local_id)
			return look_word(test, line + 1, column);
	return NULL;
}

static const char *look_at(struct rig_id *id, const char *name)
{
	const char *value = look_field(id->rig->test, look_ids(id->rig), id->local_id, name);

	KUNIT_ASSERT_NOT_NULL_MSG(id->rig->test, value, "the id is not in the file");
	return value;
}

static u64 look_number(struct rig_id *id, const char *name)
{
	u64 value = 0;

	KUNIT_EXPECT_EQ_MSG(id->rig->test, kstrtou64(look_at(id, name), 0, &value), 0, "%s", name);
	return value;
}

/* ---- known states ---- */

struct sight {
	u8 state;
	bool active;
	bool ib;
	const char *name, *role, *request, *holders;
	bool peer;	/* an address is known */
	bool remote;	/* the peer's comm id is */
};

/* Holders as kunit/expected.tsv has them by state; roles and requests as 12.9 of the standard. */
static const struct sight sights[] = {
	{ CM_ID_IDLE, .name = "IDLE", .role = "-", .request = "-", .holders = "OWNER" },
	{ CM_ID_LISTEN, .name = "LISTEN", .role = "listener", .request = "-",
	  .holders = "OWNER+ENTRY" },
	{ CM_ID_REQ_SENT, true, .name = "REQ_SENT", .role = "active", .request = "req",
	  .holders = "OWNER+REQUEST+RECORD", .peer = true },
	{ CM_ID_MRA_REQ_RCVD, true, .name = "MRA_REQ_RCVD", .role = "active", .request = "req",
	  .holders = "OWNER+REQUEST+RECORD", .peer = true, .remote = true },
	{ CM_ID_REQ_RCVD, .name = "REQ_RCVD", .role = "passive", .request = "-",
	  .holders = "OWNER+PEER+QPN+RECORD", .peer = true, .remote = true },
	{ CM_ID_MRA_REQ_SENT, .name = "MRA_REQ_SENT", .role = "passive", .request = "-",
	  .holders = "OWNER+PEER+QPN+RECORD", .peer = true, .remote = true },
	{ CM_ID_REP_SENT, .name = "REP_SENT", .role = "passive", .request = "rep",
	  .holders = "OWNER+REQUEST+PEER+QPN+RECORD", .peer = true, .remote = true },
	{ CM_ID_REP_RCVD, true, .name = "REP_RCVD", .role = "active", .request = "-",
	  .holders = "OWNER+PEER+QPN+RECORD", .peer = true, .remote = true },
	{ CM_ID_ESTABLISHED, true, .name = "ESTABLISHED", .role = "active", .request = "-",
	  .holders = "OWNER+PEER+QPN+RECORD", .peer = true, .remote = true },
	{ CM_ID_ESTABLISHED, .name = "ESTABLISHED", .role = "passive", .request = "-",
	  .holders = "OWNER+PEER+QPN+RECORD", .peer = true, .remote = true },
	{ CM_ID_EST_LAP_RCVD, .ib = true, .name = "EST_LAP_RCVD", .role = "passive", .request = "-",
	  .holders = "OWNER+PEER+QPN+RECORD", .peer = true, .remote = true },
	{ CM_ID_DREQ_SENT, true, .name = "DREQ_SENT", .role = "active", .request = "dreq",
	  .holders = "OWNER+REQUEST+PEER+RECORD", .peer = true, .remote = true },
	{ CM_ID_DREQ_RCVD, .name = "DREQ_RCVD", .role = "passive", .request = "-",
	  .holders = "OWNER+PEER+RECORD", .peer = true, .remote = true },
	{ CM_ID_TIMEWAIT, true, .name = "TIMEWAIT", .role = "active", .request = "-",
	  .holders = "OWNER+PEER+RECORD", .peer = true, .remote = true },
	{ CM_ID_SIDR_REQ_SENT, true, .name = "SIDR_REQ_SENT", .role = "active",
	  .request = "sidr_req", .holders = "OWNER+REQUEST", .peer = true },
	{ CM_ID_SIDR_REQ_RCVD, .name = "SIDR_REQ_RCVD", .role = "passive", .request = "-",
	  .holders = "OWNER+SIDR+RECORD", .peer = true, .remote = true },
};

static void look_expect(struct rig_id *id, const char *text, const char *column, const char *want)
{
	const char *got = look_field(id->rig->test, text, id->local_id, column);

	KUNIT_EXPECT_NOT_NULL_MSG(id->rig->test, got, "no line, column %s", column);
	if (got)
		KUNIT_EXPECT_STREQ_MSG(id->rig->test, got, want, "column %s", column);
}

static void look_expect_number(struct rig_id *id, const char *text, const char *column, u64 want)
{
	const char *got = look_field(id->rig->test, text, id->local_id, column);
	u64 value;

	KUNIT_EXPECT_NOT_NULL_MSG(id->rig->test, got, "no line, column %s", column);
	if (!got)
		return;
	KUNIT_EXPECT_EQ_MSG(id->rig->test, kstrtou64(got, 0, &value), 0, "%s: %s", column, got);
	KUNIT_EXPECT_EQ_MSG(id->rig->test, value, want, "column %s", column);
}

/* The peer's address, as the station itself gives it. */
static const char *look_peer(struct rig *rig, const struct sight *sight)
{
	struct loop_packet peer = {};

	if (!sight->peer)
		return "-";
	loop_station_address(rig->peer, &peer);
	if (rig->layer == IB_LINK_LAYER_ETHERNET)
		return look_text(rig->test, "%pI6c", peer.sgid.raw);
	return look_text(rig->test, "lid:%u", peer.slid);
}

static bool look_rests(struct rig_id *id)
{
	struct cm_probe_view view;

	cm_probe_view(id->cm, &view);
	return !view.runner && !view.events;
}

static void look_sight(struct kunit *test, struct rig *rig, const struct sight *sight)
{
	struct rig_id *id;
	bool asks = strcmp(sight->request, "-");
	char *text;

	/* Time enough to look at TIMEWAIT. */
	rig->life_time = 20;
	rig->ack_time = 20;
	/* What has been through an attempt shows its traces: a new one. */
	id = sight->state == CM_ID_IDLE ? rig_id_create(rig) :
					  rig_bring(rig, sight->state, sight->active);
	KUNIT_ASSERT_NOT_NULL_MSG(test, id, "%s is out of reach", sight->name);
	rig_settle(rig);
	KUNIT_EXPECT_TRUE(test, rig_until(look_rests(id)));
	id->local_id = be32_to_cpu(id->cm->local_id);
	text = look_ids(rig);

	kunit_info(test, "%s %s", sight->name, sight->role);
	look_expect(id, text, "state", sight->name);
	look_expect(id, text, "role", sight->role);
	look_expect(id, text, "request", sight->request);
	look_expect(id, text, "holders", sight->holders);
	look_expect(id, text, "events", "0");
	look_expect(id, text, "peer", look_peer(rig, sight));
	look_expect_number(id, text, "port", sight->peer ? 1 : 0);
	look_expect_number(id, text, "remote_id", sight->remote ? id->peer_id : 0);
	look_expect_number(id, text, "sends_left", asks ? rig->retries : 0);
	if (sight->state != CM_ID_IDLE)
		look_expect_number(id, text, "service_id", id->service_id);
	if (sight->state == CM_ID_ESTABLISHED) {
		look_expect_number(id, text, "local_qpn", id->local_qpn);
		look_expect_number(id, text, "remote_qpn", id->peer_qpn);
	}
	if (!asks)
		look_expect_number(id, text, "request_ms", 0);
	/* At rest: the owner's, and while an answer is awaited, the request's and its timer's. */
	look_expect_number(id, text, "refs", asks ? 3 : 1);

	rig_id_destroy(id);
	KUNIT_EXPECT_NULL_MSG(test, look_field(test, look_ids(rig), id->local_id, "state"),
			      "%s: an id that is destroyed is shown", sight->name);
}

static void look_ids_in_states(struct kunit *test, enum rdma_link_layer layer)
{
	struct rig *rig = rig_create(test, layer);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sights); i++)
		if (layer == IB_LINK_LAYER_INFINIBAND || !sights[i].ib)
			look_sight(test, rig, &sights[i]);
}

static void look_ids_in_states_infiniband(struct kunit *test)
{
	look_ids_in_states(test, IB_LINK_LAYER_INFINIBAND);
}

static void look_ids_in_states_roce(struct kunit *test)
{
	look_ids_in_states(test, IB_LINK_LAYER_ETHERNET);
}

/* The columns are an interface, Documentation/ABI/testing/debugfs-ib_cm. */
static void look_ids_heading(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);

	KUNIT_EXPECT_STREQ(test, look_ids(rig),
			   "# local_id remote_id state state_ms role service_id local_qpn remote_qpn port peer request request_ms sends_left events holders refs\n");
}

/* ---- time ---- */

static u64 look_ms(ktime_t then)
{
	return ktime_to_ms(ktime_sub(ktime_get_coarse_boottime(), then));
}

static void look_between(struct kunit *test, u64 value, u64 least, u64 most, const char *what)
{
	KUNIT_EXPECT_GE_MSG(test, value + STEP_MS, least, "%s", what);
	KUNIT_EXPECT_LE_MSG(test, value, most + STEP_MS, "%s", what);
}

/* How long in its state, and how old its request is: a state that changes does not make the request younger. */
static void look_ids_times(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = rig_id_create(rig);
	ktime_t before = ktime_get_coarse_boottime(), asked, told;
	u64 in_state, age, least_state, least_age;
	char *text;
	u8 mad[MAD_BYTES];

	KUNIT_ASSERT_EQ(test, rig_send_req(id), 0);
	asked = ktime_get_coarse_boottime();
	KUNIT_ASSERT_TRUE(test, rig_peer_recv(rig, ATTR_REQ, mad, RIG_WAIT_MS));
	msleep(HOLD_MS);
	least_age = look_ms(asked);
	id->local_id = be32_to_cpu(id->cm->local_id);
	in_state = look_number(id, "state_ms");
	age = look_number(id, "request_ms");
	look_between(test, in_state, least_age, look_ms(before), "in REQ_SENT");
	look_between(test, age, least_age, look_ms(before), "age of the REQ");

	told = ktime_get_coarse_boottime();
	rig_make(id, ATTR_MRA, mad);
	rig_peer_send(rig, mad);
	KUNIT_ASSERT_TRUE(test, rig_reaches(id, CM_ID_MRA_REQ_RCVD));
	least_state = 0;
	least_age = look_ms(asked);
	text = look_ids(rig);
	look_expect(id, text, "state", "MRA_REQ_RCVD");
	KUNIT_ASSERT_EQ(test, kstrtou64(look_field(test, text, id->local_id, "state_ms"), 10,
					&in_state), 0);
	KUNIT_ASSERT_EQ(test, kstrtou64(look_field(test, text, id->local_id, "request_ms"), 10,
					&age), 0);
	look_between(test, in_state, least_state, look_ms(told), "in MRA_REQ_RCVD");
	look_between(test, age, least_age, look_ms(before), "age of the REQ after the MRA");
	KUNIT_EXPECT_GE(test, age, in_state + HOLD_MS - STEP_MS);
}

/* A repetition takes one from what may still be sent, and the request stays as old as it is. */
static void look_ids_sends_left(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = rig_bring(rig, CM_ID_REQ_SENT, true);
	struct cm_probe_view view;
	u8 mad[MAD_BYTES];

	KUNIT_ASSERT_NOT_NULL(test, id);
	rig_settle(rig);
	KUNIT_EXPECT_EQ(test, look_number(id, "sends_left"), rig->retries);

	/* The peer's patience of a short MRA ends at once. */
	rig_make(id, ATTR_MRA, mad);
	mad_set(mad, "service_timeout", 0);
	rig_peer_send(rig, mad);
	KUNIT_ASSERT_TRUE(test, rig_reaches(id, CM_ID_MRA_REQ_RCVD));
	KUNIT_ASSERT_TRUE(test, rig_peer_recv(rig, ATTR_REQ, mad, RIG_WAIT_MS));
	cm_probe_view(id->cm, &view);
	KUNIT_EXPECT_EQ(test, look_number(id, "sends_left"), rig->retries - 1);
	KUNIT_EXPECT_STREQ(test, look_at(id, "request"), "req");
}

/* A request that waits for a place in the window has not been sent. */
static void look_ids_queued_request(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *first = rig_id_create(rig), *second = rig_id_create(rig);

	rig_param(test, "window", 1);
	KUNIT_ASSERT_EQ(test, rig_send_req(first), 0);
	KUNIT_ASSERT_EQ(test, rig_send_req(second), 0);
	first->local_id = be32_to_cpu(first->cm->local_id);
	second->local_id = be32_to_cpu(second->cm->local_id);
	KUNIT_EXPECT_STREQ(test, look_at(first, "request"), "req");
	KUNIT_EXPECT_STREQ(test, look_at(second, "request"), "req(queued)");
	KUNIT_EXPECT_EQ(test, rig_look_number(rig, "now", "window"), 1);
	/* The owner's, the request's, that of the place. */
	KUNIT_EXPECT_EQ(test, look_number(second, "refs"), 3);
}

/* ---- events ---- */

struct look_gate {
	struct completion entered, go;
};

static int look_gate_hook(struct rig_id *id, const struct rig_event *event)
{
	struct look_gate *gate = id->hook_data;

	if (event->type != IB_CM_DREQ_RECEIVED)
		return 0;
	complete(&gate->entered);
	wait_for_completion(&gate->go);
	return 0;
}

/* A consumer that does not come back from its handler: what waits behind it is counted. */
static void look_ids_events(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct look_gate *gate = kunit_kzalloc(test, sizeof(*gate), GFP_KERNEL);
	struct rig_id *id;
	u8 mad[MAD_BYTES];

	KUNIT_ASSERT_NOT_NULL(test, gate);
	init_completion(&gate->entered);
	init_completion(&gate->go);
	id = rig_bring(rig, CM_ID_ESTABLISHED, true);
	KUNIT_ASSERT_NOT_NULL(test, id);
	rig_settle(rig);
	id->local_id = be32_to_cpu(id->cm->local_id);
	id->hook_data = gate;
	id->hook = look_gate_hook;
	KUNIT_EXPECT_STREQ(test, look_at(id, "events"), "0");

	rig_make(id, ATTR_DREQ, mad);
	rig_peer_send(rig, mad);
	KUNIT_EXPECT_TRUE(test, wait_for_completion_timeout(&gate->entered,
							    msecs_to_jiffies(RIG_WAIT_MS)));
	KUNIT_EXPECT_STREQ(test, look_at(id, "events"), "0(running)");
	/* Timewait ends behind the handler's back. */
	KUNIT_EXPECT_EQ(test, ib_send_cm_drep(id->cm, NULL, 0), 0);
	KUNIT_EXPECT_TRUE(test, rig_until(rig_state(id) == CM_ID_IDLE));
	KUNIT_EXPECT_STREQ(test, look_at(id, "events"), "1(running)");
	/* The owner's and the runner's. */
	KUNIT_EXPECT_EQ(test, look_number(id, "refs"), 2);
	complete_all(&gate->go);
	KUNIT_EXPECT_TRUE(test, rig_until(look_rests(id)));
	KUNIT_EXPECT_STREQ(test, look_at(id, "events"), "0");
}

/* ---- under load ---- */

#define LOAD_ROUNDS	100	/* of a reader that reads all of it each time */
#define LOAD_IDS	64

struct reader {
	struct work_struct work;
	char script[400];
	int status;
	bool done;
};

static void reader_run(struct work_struct *work)
{
	struct reader *reader = container_of(work, struct reader, work);

	reader->status = rig_shell(reader->script);
	smp_store_release(&reader->done, true);	/* pairs with look_ids_under_load() */
}

/* Ids that come, connect, part and go while somebody reads: each line is whole, nothing is touched late. */
static void look_ids_under_load(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct reader *reader = kunit_kzalloc(test, sizeof(*reader), GFP_KERNEL);
	const char *dev = dev_name(&rig->dev->dev);
	unsigned int made = 0, i;
	struct rig_id *ids[LOAD_IDS] = {};

	KUNIT_ASSERT_NOT_NULL(test, reader);
	/* 16 columns, or it fails; at least one line is seen in a round but the first. */
	snprintf(reader->script, sizeof(reader->script),
		 "i=0; while [ $i -lt %u ]; do cat /sys/kernel/debug/ib_cm/%s/ids; i=$((i+1)); done | awk '$1 == \"#\" { heads++; bad += NF != 17; next } { lines++; bad += NF != 16 } END { exit bad || heads < %u || lines < heads }'",
		 LOAD_ROUNDS, dev, LOAD_ROUNDS);
	INIT_WORK(&reader->work, reader_run);
	queue_work(helpers, &reader->work);

	rig->life_time = 8;
	rig->ack_time = 8;
	/* pairs with reader_run() */
	for (i = 0; !smp_load_acquire(&reader->done) && !READ_ONCE(test->status); i++) {
		struct rig_id **place = &ids[i % LOAD_IDS];

		if (*place)
			rig_id_destroy(*place);
		*place = rig_bring(rig, i & 1 ? CM_ID_ESTABLISHED : CM_ID_REQ_SENT, true);
		if (!*place)
			break;
		made++;
		if (i % LOAD_IDS == LOAD_IDS - 1)
			rig_settle(rig);
	}
	flush_work(&reader->work);
	KUNIT_EXPECT_EQ_MSG(test, reader->status, 0, "the reader's status");
	KUNIT_EXPECT_GT(test, made, LOAD_IDS);
	kunit_info(test, "%u reads of the file, %u ids", LOAD_ROUNDS, made);
}

/* Who waits out a connection's timewait without an id is no id: the others are shown, it is not. */
static void look_ids_without_orphans(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct cm_probe_totals totals;
	struct rig_id *gone, *ids[2];
	char *text;

	rig->life_time = 22;
	ids[0] = rig_bring(rig, CM_ID_ESTABLISHED, true);
	gone = rig_bring(rig, CM_ID_ESTABLISHED, true);
	ids[1] = rig_bring(rig, CM_ID_ESTABLISHED, true);
	KUNIT_ASSERT_TRUE(test, ids[0] && gone && ids[1]);
	rig_id_destroy(gone);
	cm_probe_totals(&totals);
	KUNIT_ASSERT_EQ(test, totals.timewait, 1);
	text = look_ids(rig);
	KUNIT_EXPECT_NOT_NULL(test, look_field(test, text, ids[0]->local_id, "state"));
	KUNIT_EXPECT_NULL(test, look_field(test, text, gone->local_id, "state"));
	KUNIT_EXPECT_NOT_NULL(test, look_field(test, text, ids[1]->local_id, "state"));
}

/* ---- messages by kind ---- */

/* A port's file of messages, as stock has them. */
static long look_messages(struct rig *rig, const char *group, const char *kind)
{
	long value = -1;
	char path[120];

	snprintf(path, sizeof(path), "/sys/class/infiniband/%s/ports/1/cm_%s/%s",
		 dev_name(&rig->dev->dev), group, kind);
	KUNIT_EXPECT_EQ_MSG(rig->test, kstrtol(rig_read(rig->test, path), 10, &value), 0, "%s", path);
	return value;
}

#define LOOK_EXPECT(group, kind, value) \
	KUNIT_EXPECT_EQ_MSG(test, look_messages(rig, group, kind), value, group " " kind)

/* Each message that comes or goes is counted, what came before once more. */
static void look_messages_counted(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id, *listener;
	u8 *mad = kunit_kzalloc(test, MAD_BYTES, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, mad);
	id = rig_bring(rig, CM_ID_ESTABLISHED, true);
	KUNIT_ASSERT_NOT_NULL(test, id);
	rig_settle(rig);
	LOOK_EXPECT("tx_msgs", "req", 1);
	LOOK_EXPECT("rx_msgs", "rep", 1);
	LOOK_EXPECT("tx_msgs", "rtu", 1);
	LOOK_EXPECT("rx_duplicates", "rep", 0);
	LOOK_EXPECT("tx_retries", "req", 0);

	/* The RTU was lost: it is sent again. */
	rig_make(id, ATTR_REP, mad);
	rig_peer_send(rig, mad);
	rig_settle(rig);
	LOOK_EXPECT("rx_msgs", "rep", 2);
	LOOK_EXPECT("rx_duplicates", "rep", 1);
	LOOK_EXPECT("tx_msgs", "rtu", 2);

	/* A question once more: nothing while the consumer has not answered, then the answer again. */
	listener = rig_listen(rig, RIG_SERVICE + 1);
	rig_make_sidr_req(rig, RIG_SERVICE + 1, mad);
	rig_peer_send(rig, mad);
	id = rig_accepted(listener);
	KUNIT_ASSERT_NOT_NULL(test, id);
	rig_peer_send(rig, mad);
	rig_settle(rig);
	LOOK_EXPECT("rx_msgs", "sidr_req", 2);
	LOOK_EXPECT("rx_duplicates", "sidr_req", 1);
	LOOK_EXPECT("tx_msgs", "sidr_rep", 0);
	KUNIT_EXPECT_EQ(test, rig_send_sidr_rep(id), 0);
	rig_peer_send(rig, mad);
	rig_settle(rig);
	LOOK_EXPECT("rx_duplicates", "sidr_req", 2);
	LOOK_EXPECT("tx_msgs", "sidr_rep", 2);
}

/* What is sent again is counted as sent, and as a retry. */
static void look_retries_counted(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = rig_id_create(rig);
	long sent;

	rig->life_time = 8;
	rig->response_time = 12;
	rig->retries = 3;
	KUNIT_ASSERT_EQ(test, rig_send_req(id), 0);
	KUNIT_ASSERT_TRUE(test, rig_event(id, RIG_WAIT_MS));
	rig_settle(rig);
	sent = look_messages(rig, "tx_msgs", "req");
	KUNIT_EXPECT_GE(test, sent, 2);
	KUNIT_EXPECT_LE(test, sent, 4);
	LOOK_EXPECT("tx_retries", "req", sent - 1);
	/* Of other kinds nothing was repeated. */
	LOOK_EXPECT("tx_retries", "rep", 0);
	LOOK_EXPECT("rx_msgs", "rep", 0);
}

/* ---- without memory ---- */

/* Whoever opens the file is refused, or reads all of it. */
static void look_ids_without_memory(struct kunit *test)
{
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	struct rig_id *id = rig_bring(rig, CM_ID_ESTABLISHED, true);
	unsigned int nth, refused = 0, left = 0;
	struct file *file;
	char path[100];

	KUNIT_ASSERT_NOT_NULL(test, id);
	if (!rig_failslab(test))
		kunit_skip(test, "a kernel without failslab");
	snprintf(path, sizeof(path), "/sys/kernel/debug/ib_cm/%s/ids", dev_name(&rig->dev->dev));
	for (nth = 1; !left; nth++) {
		rig_fail_here(nth);
		file = rig_file(path, O_RDONLY);
		left = rig_fail_here(0);
		if (!IS_ERR(file)) {
			filp_close(file, NULL);
			continue;
		}
		KUNIT_EXPECT_EQ(test, PTR_ERR(file), -ENOMEM);
		refused++;
	}
	KUNIT_EXPECT_GT(test, refused, 0);
	KUNIT_EXPECT_STREQ(test, look_at(id, "state"), "ESTABLISHED");
}

/* ---- parameters ---- */

/* Documentation/parameters.rst: the range; what lies outside is taken as the limit. */
static void look_parameters(struct kunit *test)
{
	static const struct {
		const char *name;
		unsigned int min, max;
	} params[] = {
		{ "listen_handlers", 1, 1024 },
		{ "backlog", 1, 1048576 },
		{ "send_budget", 8, 1024 },
		{ "window", 1, 65536 },
		{ "reply_rate", 1, 1000000 },
		{ "ah_limit", 16, 65536 },
	};
	unsigned int i, value;

	for (i = 0; i < ARRAY_SIZE(params); i++) {
		const char *name = params[i].name;
		const struct {
			unsigned int set, taken;
		} steps[] = {
			{ params[i].min - 1, params[i].min },
			{ params[i].max + 1, params[i].max },
			{ UINT_MAX, params[i].max },
			{ params[i].max, params[i].max },
			{ params[i].min, params[i].min },
		};
		unsigned int step;
		char path[80], line[100];

		snprintf(path, sizeof(path), "/sys/module/ib_cm/parameters/%s", name);
		for (step = 0; step < ARRAY_SIZE(steps); step++) {
			KUNIT_ASSERT_TRUE_MSG(test, rig_param(test, name, steps[step].set), "%s", name);
			KUNIT_ASSERT_EQ(test, kstrtouint(rig_read(test, path), 10, &value), 0);
			KUNIT_EXPECT_EQ_MSG(test, value, steps[step].taken, "%s = %u", name,
					    steps[step].set);
		}
		/* What is no number is refused, and changes nothing. */
		snprintf(line, sizeof(line), "echo 8x >%s", path);
		KUNIT_EXPECT_NE_MSG(test, rig_shell(line), 0, "%s", line);
		KUNIT_ASSERT_EQ(test, kstrtouint(rig_read(test, path), 10, &value), 0);
		KUNIT_EXPECT_EQ_MSG(test, value, params[i].min, "%s", line);
	}
}

static int look_suite_init(struct kunit_suite *suite)
{
	helpers = alloc_workqueue("cm_look_test", WQ_UNBOUND, 0);
	return helpers ? 0 : -ENOMEM;
}

static void look_suite_exit(struct kunit_suite *suite)
{
	if (helpers)
		destroy_workqueue(helpers);
}

static struct kunit_case look_cases[] = {
	KUNIT_CASE(look_ids_heading),
	KUNIT_CASE_SLOW(look_ids_in_states_infiniband),
	KUNIT_CASE_SLOW(look_ids_in_states_roce),
	KUNIT_CASE(look_ids_times),
	KUNIT_CASE(look_ids_sends_left),
	KUNIT_CASE(look_ids_queued_request),
	KUNIT_CASE(look_ids_events),
	KUNIT_CASE_SLOW(look_ids_under_load),
	KUNIT_CASE(look_ids_without_orphans),
	KUNIT_CASE(look_messages_counted),
	KUNIT_CASE(look_retries_counted),
	KUNIT_CASE(look_ids_without_memory),
	KUNIT_CASE(look_parameters),
	KUNIT_CASE_PARAM(look_trace_of_trouble, look_trouble_gen),
	{}
};

static struct kunit_suite look_suite = {
	.name = "ib_cm_look",
	.suite_init = look_suite_init,
	.suite_exit = look_suite_exit,
	.init = rig_case,
	.test_cases = look_cases,
};
kunit_test_suite(look_suite);

MODULE_DESCRIPTION("Tests of ib_cm: what can be seen of it");
MODULE_LICENSE("GPL");
