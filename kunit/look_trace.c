// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the trace events say of trouble: one situation for each of them.
 *
 * Owns: an instance of tracefs of its own, by which it reads. Which events a
 * situation raises is stock's (cm.c of 7.3), but where differences.rst and
 * counters.rst say otherwise.
 */
#include <linux/string.h>

#include "look.h"
#include "../cm_core/generated/cm_model.h"

#define TRACE_DIR	"/sys/kernel/tracing/instances/cm_look"
#define TRACE_MAX	8
#define NOBODY		0x7fedcba9u	/* a comm id that no id has */

struct trouble {
	const char *desc;
	u8 state;
	bool active;
	int (*call)(struct rig_id *id);			/* returns an error, or */
	void (*peer)(struct rig_id *id, u8 *mad);	/* what arrives, or */
	void (*other)(struct rig_id *id);
	const char *want;	/* in any order; "" none */
};

/* ---- calls that the state forbids ---- */

static int trace_call_rtu(struct rig_id *id)
{
	return ib_send_cm_rtu(id->cm, NULL, 0);
}

static int trace_call_dreq(struct rig_id *id)
{
	return ib_send_cm_dreq(id->cm, NULL, 0);
}

static int trace_call_drep(struct rig_id *id)
{
	return ib_send_cm_drep(id->cm, NULL, 0);
}

static int trace_call_rej(struct rig_id *id)
{
	return ib_send_cm_rej(id->cm, IB_CM_REJ_CONSUMER_DEFINED, NULL, 0, NULL, 0);
}

static int trace_call_mra(struct rig_id *id)
{
	return ib_prepare_cm_mra(id->cm);
}

static int trace_call_notify(struct rig_id *id)
{
	return ib_cm_notify(id->cm, IB_EVENT_COMM_EST);
}

static int trace_qp_attr(struct rig_id *id, enum ib_qp_state state)
{
	struct ib_qp_attr attr = { .qp_state = state };
	int mask;

	return ib_cm_init_qp_attr(id->cm, &attr, &mask);
}

static int trace_qp_init(struct rig_id *id)
{
	return trace_qp_attr(id, IB_QPS_INIT);
}

static int trace_qp_rtr(struct rig_id *id)
{
	return trace_qp_attr(id, IB_QPS_RTR);
}

static int trace_qp_rts(struct rig_id *id)
{
	return trace_qp_attr(id, IB_QPS_RTS);
}

/* ---- messages ---- */

static void trace_req_again(struct rig_id *id, u8 *mad)
{
	memcpy(mad, id->request, MAD_BYTES);
}

static void trace_req_unserved(struct rig_id *id, u8 *mad)
{
	rig_make_req(id->rig, RIG_SERVICE + 0x80, mad);
}

static void trace_sidr_unserved(struct rig_id *id, u8 *mad)
{
	rig_make_sidr_req(id->rig, RIG_SERVICE + 0x80, mad);
}

static void trace_rep(struct rig_id *id, u8 *mad)
{
	rig_make(id, ATTR_REP, mad);
}

static void trace_rep_of_nobody(struct rig_id *id, u8 *mad)
{
	rig_make(id, ATTR_REP, mad);
	mad_set(mad, "remote_comm_id", NOBODY);
}

static void trace_mra(struct rig_id *id, u8 *mad)
{
	rig_make(id, ATTR_MRA, mad);
}

static void trace_rej(struct rig_id *id, u8 *mad)
{
	rig_make(id, ATTR_REJ, mad);
}

static void trace_dreq(struct rig_id *id, u8 *mad)
{
	rig_make(id, ATTR_DREQ, mad);
}

static void trace_dreq_of_nobody(struct rig_id *id, u8 *mad)
{
	rig_make(id, ATTR_DREQ, mad);
	mad_set(mad, "remote_comm_id", NOBODY);
}

/* The peer's queue pair belongs to a connection of ours: its host has started anew. */
static void trace_rep_stale(struct rig_id *id, u8 *mad)
{
	struct rig_id *asks = rig_bring(id->rig, CM_ID_REQ_SENT, true);

	KUNIT_ASSERT_NOT_NULL(id->rig->test, asks);
	rig_make(asks, ATTR_REP, mad);
	mad_set(mad, "local_qpn", id->peer_qpn);
}

static void trace_req_stale(struct rig_id *id, u8 *mad)
{
	rig_make_req(id->rig, id->listener->service_id, mad);
	mad_set(mad, "local_qpn", id->peer_qpn);
}

/* ---- the rest ---- */

static void trace_send_fails(struct rig_id *id)
{
	const struct loop_rule once = { .attr_id = ATTR_REQ, .nth = 1, .times = 1 };
	struct rig *rig = id->rig;

	loop_fault_set(rig->dev, 1, LOOP_SEND_ERROR, &once);
	KUNIT_ASSERT_EQ(rig->test, rig_send_req(id), 0);
	KUNIT_EXPECT_TRUE(rig->test, rig_until(loop_fault_hits(rig->dev, 1, LOOP_SEND_ERROR)));
}

static void trace_handler_refuses(struct rig_id *id)
{
	struct rig *rig = id->rig;
	u8 mad[MAD_BYTES];

	id->answer = -EINVAL;
	rig_make_req(rig, id->service_id, mad);
	rig_peer_send(rig, mad);
	KUNIT_EXPECT_NOT_NULL(rig->test, rig_accepted(id));
}

static const struct trouble troubles[] = {
	{ "REP", CM_ID_IDLE, .call = rig_send_rep, .want = "icm_send_rep_err" },
	{ "RTU", CM_ID_IDLE, .call = trace_call_rtu, .want = "icm_send_cm_rtu_err" },
	{ "DREQ", CM_ID_IDLE, .call = trace_call_dreq, .want = "icm_dreq_skipped" },
	{ "DREP", CM_ID_IDLE, .call = trace_call_drep, .want = "icm_send_drep_err" },
	{ "REJ", CM_ID_IDLE, .call = trace_call_rej, .want = "icm_send_unknown_rej_err" },
	{ "MRA", CM_ID_IDLE, .call = trace_call_mra, .want = "icm_prepare_mra_unknown_err" },
	{ "INIT", CM_ID_IDLE, .call = trace_qp_init, .want = "icm_qp_init_err" },
	{ "RTR", CM_ID_IDLE, .call = trace_qp_rtr, .want = "icm_qp_rtr_err" },
	{ "RTS", CM_ID_IDLE, .call = trace_qp_rts, .want = "icm_qp_rts_err" },
	{ "established, in IDLE", CM_ID_IDLE, .call = trace_call_notify,
	  .want = "icm_establish_err" },
	{ "established, once more", CM_ID_ESTABLISHED, .call = trace_call_notify, .want = "" },

	{ "REQ again, after an MRA", CM_ID_MRA_REQ_SENT, .peer = trace_req_again,
	  .want = "icm_send_dup_req" },
	{ "REP again", CM_ID_ESTABLISHED, true, .peer = trace_rep, .want = "icm_send_dup_rep" },
	{ "REQ for nobody's service", CM_ID_IDLE, .peer = trace_req_unserved,
	  .want = "icm_no_listener_err icm_issue_rej" },
	{ "SIDR_REQ for nobody's service", CM_ID_IDLE, .peer = trace_sidr_unserved,
	  .want = "icm_no_listener_err" },
	{ "REP for nobody", CM_ID_REQ_SENT, true, .peer = trace_rep_of_nobody,
	  .want = "icm_remote_no_priv_err icm_issue_rej" },	/* field fault 22: the REJ */
	{ "REP for who did not ask", CM_ID_ESTABLISHED, .peer = trace_rep,
	  .want = "icm_rep_unknown_err" },
	{ "MRA for who waits for nothing", CM_ID_ESTABLISHED, true, .peer = trace_mra,
	  .want = "icm_mra_unknown_err" },
	{ "REJ after the end", CM_ID_TIMEWAIT, true, .peer = trace_rej,
	  .want = "icm_rej_unknown_err" },
	{ "DREQ before a connection", CM_ID_REQ_RCVD, .peer = trace_dreq,
	  .want = "icm_dreq_unknown_err" },
	{ "DREQ for nobody", CM_ID_ESTABLISHED, true, .peer = trace_dreq_of_nobody,
	  .want = "icm_no_priv_err icm_issue_drep" },
	{ "stale REP", CM_ID_ESTABLISHED, true, .peer = trace_rep_stale,
	  .want = "icm_staleconn_err icm_issue_rej" },
	{ "stale REQ", CM_ID_ESTABLISHED, .peer = trace_req_stale,
	  .want = "icm_staleconn_err icm_issue_rej" },

	{ "a send fails", CM_ID_IDLE, .other = trace_send_fails, .want = "icm_mad_send_err" },
	{ "the handler refuses", CM_ID_LISTEN, .other = trace_handler_refuses,
	  .want = "icm_handler_err" },
};

KUNIT_ARRAY_PARAM_DESC(trouble, troubles, desc);

const void *look_trouble_gen(struct kunit *test, const void *prev, char *desc)
{
	return trouble_gen_params(test, prev, desc);
}

/* Not of the ordinary course of things. */
static bool trace_is_trouble(const char *name, size_t len)
{
	static const char * const parts[] = { "_err", "_dup_", "_skipped", "_issue_" };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(parts); i++)
		if (strnstr(name, parts[i], len))
			return true;
	return false;
}

static void trace_off(void *unused)
{
	rig_shell("rmdir " TRACE_DIR);
}

/* The troubles in the text, each with a blank after it. */
static void trace_names(const char *text, char *names, size_t size)
{
	const char *at;
	size_t len;

	names[0] = '\0';
	for (at = text; (at = strstr(at, ": icm_")); at += len) {
		at += 2;
		len = strcspn(at, ":\n");
		if (trace_is_trouble(at, len))
			scnprintf(names + strlen(names), size - strlen(names), "%.*s ", (int)len, at);
	}
}

static unsigned int trace_count(const char *names)
{
	unsigned int n = 0;

	for (; *names; names++)
		n += *names == ' ';
	return n;
}

/* Each situation raises its events, once, and no others of trouble. */
void look_trace_of_trouble(struct kunit *test)
{
	const struct trouble *trouble = test->param_value;
	struct rig *rig = rig_create(test, IB_LINK_LAYER_INFINIBAND);
	char names[TRACE_MAX * 40], want[TRACE_MAX * 40], word[40];
	u8 *mad = kunit_kzalloc(test, MAD_BYTES, GFP_KERNEL);
	struct rig_id *id;
	char *text, *at;

	KUNIT_ASSERT_NOT_NULL(test, mad);
	rig->response_time = 20;
	rig->life_time = 20;
	rig->ack_time = 20;
	id = trouble->state == CM_ID_IDLE ? rig_id_create(rig) :
					    rig_bring(rig, trouble->state, trouble->active);
	KUNIT_ASSERT_NOT_NULL(test, id);
	/* The message first: what makes it may need a connection of its own. */
	if (trouble->peer)
		trouble->peer(id, mad);
	rig_settle(rig);

	KUNIT_ASSERT_EQ(test, rig_shell("mkdir " TRACE_DIR), 0);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, trace_off, NULL), 0);
	KUNIT_ASSERT_EQ(test, rig_shell("echo 1 >" TRACE_DIR "/events/ib_cma/enable"), 0);
	if (trouble->call)
		KUNIT_EXPECT_LT(test, trouble->call(id), 0);
	else if (trouble->peer)
		rig_peer_send(rig, mad);
	else
		trouble->other(id);
	rig_settle(rig);

	text = rig_look(test, TRACE_DIR "/trace");
	trace_names(text, names, sizeof(names));
	snprintf(want, sizeof(want), "%s%s", trouble->want, *trouble->want ? " " : "");
	KUNIT_EXPECT_EQ_MSG(test, trace_count(names), trace_count(want), "raised: %s", names);
	for (at = want; *at; at += strlen(word)) {
		scnprintf(word, sizeof(word), "%.*s", (int)strcspn(at, " ") + 1, at);
		KUNIT_EXPECT_TRUE_MSG(test, strstr(names, word), "%snot raised, but: %s", word, names);
	}
}
