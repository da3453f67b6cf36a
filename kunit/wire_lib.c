// SPDX-License-Identifier: GPL-2.0-only
/*
 * Steps that scenarios share: of ib_cm_wire, and of ib_cm_life. Part of cm_rig.ko.
 *
 * Owns: nothing that outlives a test. Datagrams are read from the station with
 * their addresses; what rig.h takes from it is only the MAD.
 */
#include <linux/delay.h>
#include <linux/export.h>
#include <rdma/ib_cache.h>

#include "wire.h"

bool wire_recv(struct loop_station *station, u16 attr, struct loop_packet *packet,
	       unsigned int timeout_ms)
{
	ktime_t end = ktime_add_ms(ktime_get(), timeout_ms);
	s64 left = timeout_ms;

	do {
		if (loop_station_recv(station, packet, max_t(s64, left, 0)))
			return false;
		if (!attr || mad_attr(packet->mad) == attr)
			return true;
		left = ktime_ms_delta(end, ktime_get());
	} while (left > 0 || loop_station_waiting(station));
	return false;
}
EXPORT_SYMBOL_GPL(wire_recv);

unsigned int wire_count_at(struct loop_station *station, u16 attr, unsigned int quiet_ms)
{
	struct loop_packet packet;
	unsigned int n = 0;

	while (wire_recv(station, attr, &packet, quiet_ms))
		n++;
	return n;
}
EXPORT_SYMBOL_GPL(wire_count_at);

unsigned int wire_count(struct rig *rig, u16 attr, unsigned int quiet_ms)
{
	u8 mad[MAD_BYTES];
	unsigned int n = 0;

	while (rig_peer_recv(rig, attr, mad, quiet_ms))
		n++;
	return n;
}
EXPORT_SYMBOL_GPL(wire_count);

void wire_expect(struct rig *rig, u16 attr, u8 *mad)
{
	KUNIT_ASSERT_TRUE_MSG(rig->test, rig_peer_recv(rig, attr, mad, RIG_WAIT_MS),
			      "the peer gets no %s", mad_name(attr));
}
EXPORT_SYMBOL_GPL(wire_expect);

void wire_drain(struct rig *rig)
{
	u8 mad[MAD_BYTES];

	while (rig_peer_recv(rig, 0, mad, 0))
		;
}
EXPORT_SYMBOL_GPL(wire_drain);

struct wire_was {
	struct rig *rig;
	struct loop_station *peer;
};

static void wire_peer_back(void *arg)
{
	struct wire_was *was = arg;

	was->rig->peer = was->peer;
}

struct loop_station *wire_peer(struct rig *rig, struct loop_station *station)
{
	struct wire_was *was = kunit_kzalloc(rig->test, sizeof(*was), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(rig->test, was);
	was->rig = rig;
	was->peer = rig->peer;
	rig->peer = station;
	/* The station goes before the rig does. */
	KUNIT_ASSERT_EQ(rig->test, kunit_add_action(rig->test, wire_peer_back, was), 0);
	return was->peer;
}
EXPORT_SYMBOL_GPL(wire_peer);

/*
 * Devices take a third of a second to come and go: plain ones are kept from test
 * to test, unless a test failed or something of it stays.
 */
#define WIRE_KEPT	2

static struct rig *wire_kept[WIRE_KEPT][2];	/* RoCE's second */

struct wire_rigs {
	struct rig **rigs;
	unsigned int n;
	bool kept;
};

static bool wire_nothing(struct cm_probe_totals *left)
{
	cm_probe_totals(left);
	return !left->ids && !left->records && !left->timewait && !left->listeners &&
	       !left->posted && !left->queued;
}

/* A rig checks when it goes that nothing is left anywhere: all must be empty before the first goes. */
static void wire_rigs_down(void *arg)
{
	struct wire_rigs *all = arg;
	struct cm_probe_totals left;
	struct kunit *test = all->rigs[0]->test;
	unsigned int i;
	bool stay;

	for (i = 0; i < all->n; i++)
		rig_clear(all->rigs[i]);
	rcu_barrier();
	/* What may stay is timewait. */
	stay = all->kept && READ_ONCE(test->status) != KUNIT_FAILURE && wire_nothing(&left);
	for (i = 0; i < all->n && !stay; i++)
		rig_unplug(all->rigs[i]);
	if (all->kept && !rig_until(wire_nothing(&left)))
		KUNIT_FAIL(test,
			   "left behind: %lu ids, %lu records, %lu in timewait, %lu listeners, %lu posted, %lu queued",
			   left.ids, left.records, left.timewait, left.listeners, left.posted, left.queued);
}

static struct rig *wire_keep(struct kunit *test, const struct loop_config *config, unsigned int i)
{
	struct rig **kept = &wire_kept[i][config->layer == IB_LINK_LAYER_ETHERNET];
	struct rig *rig = *kept;

	if (!rig)
		rig = *kept = rig_open(test, config);
	rig->test = test;
	if (!rig->dev)
		rig_plug(rig);
	rig->peer_guid = RIG_PEER_GUID;
	rig->qp_type = IB_QPT_RC;
	rig->alternate = false;
	return rig;
}

void wire_rigs(struct kunit *test, const struct loop_config *config, struct rig **rigs,
	       unsigned int n)
{
	const struct loop_config plain = { .layer = config->layer };
	struct wire_rigs *all = kunit_kzalloc(test, sizeof(*all), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, all);
	all->rigs = kunit_kcalloc(test, n, sizeof(*rigs), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, all->rigs);
	all->n = n;
	all->kept = n <= WIRE_KEPT && !memcmp(config, &plain, sizeof(plain));
	for (i = 0; i < n; i++) {
		rigs[i] = all->kept ? wire_keep(test, config, i) : rig_create_with(test, config);
		all->rigs[i] = rigs[i];
		wire_times(rigs[i], WIRE_SLOW);
	}
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, wire_rigs_down, all), 0);
}
EXPORT_SYMBOL_GPL(wire_rigs);

struct rig *wire_rig(struct kunit *test, enum rdma_link_layer layer, u8 time)
{
	const struct loop_config config = { .layer = layer };
	struct rig *rig;

	wire_rigs(test, &config, &rig, 1);
	wire_times(rig, time);
	return rig;
}
EXPORT_SYMBOL_GPL(wire_rig);

void wire_keep_no_more(void)
{
	unsigned int i;

	for (i = 0; i < 2 * WIRE_KEPT; i++) {
		rig_close(wire_kept[i / 2][i % 2], NULL);
		wire_kept[i / 2][i % 2] = NULL;
	}
}
EXPORT_SYMBOL_GPL(wire_keep_no_more);

static void wire_station_gone(void *station)
{
	loop_station_destroy(station);
}

struct loop_station *wire_station(struct kunit *test, enum rdma_link_layer layer)
{
	struct loop_station *station = loop_station_create(layer, 0);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, station);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, wire_station_gone, station), 0);
	return station;
}
EXPORT_SYMBOL_GPL(wire_station);

const struct rig_event *wire_event(struct rig_id *id, enum ib_cm_event_type type)
{
	const struct rig_event *event = rig_event(id, RIG_WAIT_MS);

	KUNIT_ASSERT_NOT_NULL_MSG(id->rig->test, event, "no event instead of %d", type);
	KUNIT_ASSERT_EQ(id->rig->test, event->type, type);
	return event;
}
EXPORT_SYMBOL_GPL(wire_event);

void wire_quiet(struct rig_id *id, unsigned int ms)
{
	const struct rig_event *event = rig_event(id, ms);

	if (event)
		KUNIT_FAIL(id->rig->test, "event %d where none is due", event->type);
}
EXPORT_SYMBOL_GPL(wire_quiet);

void wire_reaches(struct rig_id *id, unsigned int state)
{
	KUNIT_ASSERT_TRUE_MSG(id->rig->test, rig_reaches(id, state), "%s instead of %s",
			      cm_probe_state_name(CM_MACHINE_ID, rig_state(id)),
			      cm_probe_state_name(CM_MACHINE_ID, state));
}
EXPORT_SYMBOL_GPL(wire_reaches);

void wire_destroy(struct rig_id *id)
{
	struct kunit *test = id->rig->test;
	ktime_t begin = ktime_get();

	rig_id_destroy(id);
	KUNIT_EXPECT_LT(test, ktime_ms_delta(ktime_get(), begin), WIRE_PROMPT_MS);
}
EXPORT_SYMBOL_GPL(wire_destroy);

void wire_times(struct rig *rig, u8 time)
{
	rig->response_time = time;
	rig->life_time = WIRE_ACK - 1;
	rig->ack_time = WIRE_ACK;
	rig->retries = 15;
}
EXPORT_SYMBOL_GPL(wire_times);

void wire_path(struct rig *from, struct rig *to, struct sa_path_rec *path)
{
	struct loop_packet there = {};

	rig_path(from, path);
	loop_hca_address(to->dev, 1, &there);
	path->dgid = there.sgid;
	if (from->layer == IB_LINK_LAYER_ETHERNET)
		memcpy(path->roce.dmac, there.smac, ETH_ALEN);
	else
		path->ib.dlid = htons(there.slid);
}
EXPORT_SYMBOL_GPL(wire_path);

void wire_req_init(struct wire_req *req, struct rig_id *id)
{
	memset(req, 0, sizeof(*req));
	rig_attempt(id);
	rig_req_param(id, &req->param, &req->path, &req->twin);
	req->param.primary_path = &req->path;
	req->param.service_id = cpu_to_be64(RIG_SERVICE);
}
EXPORT_SYMBOL_GPL(wire_req_init);

int wire_req_send(struct wire_req *req, struct rig_id *id)
{
	const struct ib_gid_attr *attr = NULL;
	int ret;

	if (id->rig->layer == IB_LINK_LAYER_ETHERNET) {
		attr = rdma_find_gid(id->cm->device, &req->path.sgid, IB_GID_TYPE_ROCE_UDP_ENCAP,
				     NULL);
		if (IS_ERR(attr))
			return PTR_ERR(attr);
	}
	req->param.ppath_sgid_attr = attr;
	ret = ib_send_cm_req(id->cm, &req->param);
	if (attr)
		rdma_put_gid_attr(attr);
	return ret;
}
EXPORT_SYMBOL_GPL(wire_req_send);

struct rig_id *wire_accept(struct rig *rig, struct rig_id *listener, const u8 *mad)
{
	struct rig_id *id;

	rig_peer_send(rig, mad);
	id = rig_accepted(listener);
	KUNIT_ASSERT_NOT_NULL_MSG(rig->test, id, "no event of the peer's REQ");
	wire_event(id, IB_CM_REQ_RECEIVED);
	return id;
}
EXPORT_SYMBOL_GPL(wire_accept);

void wire_answer(struct rig_id *id, enum cm_attr attr)
{
	u8 mad[MAD_BYTES];

	rig_make(id, attr, mad);
	rig_peer_send(id->rig, mad);
}
EXPORT_SYMBOL_GPL(wire_answer);

void wire_answer_rej(struct rig_id *id, u16 reason, u8 rejected)
{
	u8 mad[MAD_BYTES];

	rig_make(id, ATTR_REJ, mad);
	mad_set(mad, "reason", reason);
	mad_set(mad, "message_rejected", rejected);
	rig_peer_send(id->rig, mad);
}
EXPORT_SYMBOL_GPL(wire_answer_rej);

struct rig_id *wire_connect_active(struct rig *rig)
{
	struct rig_id *id = rig_bring(rig, CM_ID_ESTABLISHED, true);

	KUNIT_ASSERT_NOT_NULL(rig->test, id);
	return id;
}
EXPORT_SYMBOL_GPL(wire_connect_active);

struct rig_id *wire_connect_passive(struct rig *rig, struct rig_id *listener)
{
	struct rig_id *id;
	u8 mad[MAD_BYTES];

	rig_make_req(rig, RIG_SERVICE, mad);
	id = wire_accept(rig, listener, mad);
	KUNIT_ASSERT_EQ(rig->test, rig_send_rep(id), 0);
	wire_expect(rig, ATTR_REP, mad);
	wire_answer(id, ATTR_RTU);
	wire_event(id, IB_CM_RTU_RECEIVED);
	return id;
}
EXPORT_SYMBOL_GPL(wire_connect_passive);

void wire_call_pair(struct rig *a, struct rig *b, struct rig_id *listener, struct wire_pair *pair)
{
	struct kunit *test = a->test;
	struct wire_req req;

	pair->a = rig_id_create(a);
	wire_req_init(&req, pair->a);
	wire_path(a, b, &req.path);
	KUNIT_ASSERT_EQ(test, wire_req_send(&req, pair->a), 0);
	pair->b = rig_accepted(listener);
	KUNIT_ASSERT_NOT_NULL(test, pair->b);
	wire_event(pair->b, IB_CM_REQ_RECEIVED);
}
EXPORT_SYMBOL_GPL(wire_call_pair);

void wire_connect_pair(struct rig *a, struct rig *b, struct rig_id *listener,
		       struct wire_pair *pair)
{
	struct kunit *test = a->test;

	wire_call_pair(a, b, listener, pair);
	KUNIT_ASSERT_EQ(test, rig_send_rep(pair->b), 0);
	wire_event(pair->a, IB_CM_REP_RECEIVED);
	KUNIT_ASSERT_EQ(test, ib_send_cm_rtu(pair->a->cm, NULL, 0), 0);
	wire_event(pair->b, IB_CM_RTU_RECEIVED);
}
EXPORT_SYMBOL_GPL(wire_connect_pair);

int wire_sidr_send(struct rig_id *id, struct sa_path_rec *path, const void *data, u8 len)
{
	struct ib_cm_sidr_req_param param = {
		.path = path,
		.service_id = cpu_to_be64(RIG_SERVICE),
		.timeout_ms = 67,
		.private_data = data,
		.private_data_len = len,
		.max_cm_retries = 3,
	};
	const struct ib_gid_attr *attr = NULL;
	int ret;

	if (id->rig->layer == IB_LINK_LAYER_ETHERNET) {
		attr = rdma_find_gid(id->cm->device, &path->sgid, IB_GID_TYPE_ROCE_UDP_ENCAP, NULL);
		if (IS_ERR(attr))
			return PTR_ERR(attr);
	}
	param.sgid_attr = attr;
	ret = ib_send_cm_sidr_req(id->cm, &param);
	if (attr)
		rdma_put_gid_attr(attr);
	return ret;
}
EXPORT_SYMBOL_GPL(wire_sidr_send);

int wire_reject(struct rig_id *id)
{
	return ib_send_cm_rej(id->cm, IB_CM_REJ_CONSUMER_DEFINED, NULL, 0, NULL, 0);
}
EXPORT_SYMBOL_GPL(wire_reject);

/* A completion that is late by nothing: harmless, and counted. */
void wire_tap(struct rig *rig, u16 attr)
{
	wire_fault(rig, LOOP_SEND_LATE, attr, 0, 0);
}
EXPORT_SYMBOL_GPL(wire_tap);

unsigned int wire_tapped(struct rig *rig)
{
	return loop_fault_hits(rig->dev, 1, LOOP_SEND_LATE);
}
EXPORT_SYMBOL_GPL(wire_tapped);

void wire_fault(struct rig *rig, enum loop_fault fault, u16 attr, u32 times, u32 arg)
{
	struct loop_rule rule = { .attr_id = attr, .nth = 1, .times = times, .arg = arg };

	loop_fault_set(rig->dev, 1, fault, &rule);
}
EXPORT_SYMBOL_GPL(wire_fault);

void wire_agree(struct rig_id *id, const struct rig_event *event)
{
	/* NULL once another thread destroys the id, which then waits for this handler. */
	struct ib_cm_id *cm = READ_ONCE(id->cm);
	/* Handlers of several ids run at once: theirs are not of the rig's numbers. */
	static atomic_t qpn = ATOMIC_INIT(0x100000);
	struct ib_cm_rep_param rep;

	if (!cm)
		return;
	switch (event->type) {
	case IB_CM_REQ_RECEIVED:
		id->local_qpn = atomic_inc_return(&qpn);
		rig_rep_param(id, &rep);
		ib_send_cm_rep(cm, &rep);
		break;
	case IB_CM_REP_RECEIVED:
		ib_send_cm_rtu(cm, NULL, 0);
		break;
	case IB_CM_DREQ_RECEIVED:
		ib_send_cm_drep(cm, NULL, 0);
		break;
	default:
		break;
	}
}
EXPORT_SYMBOL_GPL(wire_agree);

/* Outlives the test: its handler may be waiting there while the test is taken down. */
static struct wire_gate wire_the_gate;

static void wire_gate_end(void *arg)
{
	wire_gate_open(arg);
}

struct wire_gate *wire_gate(struct kunit *test, struct rig_id *id, unsigned int holds)
{
	struct wire_gate *gate = &wire_the_gate;

	init_completion(&gate->open);
	atomic_set(&gate->entered, 0);
	gate->holds = holds;
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, wire_gate_end, gate), 0);
	id->hook_data = gate;
	WRITE_ONCE(id->hook, wire_gate_hook);
	return gate;
}
EXPORT_SYMBOL_GPL(wire_gate);

int wire_gate_hook(struct rig_id *id, const struct rig_event *event)
{
	struct wire_gate *gate = &wire_the_gate;

	if (atomic_inc_return(&gate->entered) <= gate->holds)
		wait_for_completion_timeout(&gate->open, msecs_to_jiffies(4 * RIG_WAIT_MS));
	return 0;
}
EXPORT_SYMBOL_GPL(wire_gate_hook);

bool wire_gate_entered(struct wire_gate *gate, int n)
{
	return rig_until(atomic_read(&gate->entered) >= n);
}
EXPORT_SYMBOL_GPL(wire_gate_entered);

void wire_gate_open(struct wire_gate *gate)
{
	complete_all(&gate->open);
}
EXPORT_SYMBOL_GPL(wire_gate_open);

static int wire_job_run(void *arg)
{
	struct wire_job *job = arg;
	ktime_t begin = ktime_get();

	job->call(job->arg);
	job->ms = ktime_ms_delta(ktime_get(), begin);
	complete(&job->done);
	return 0;
}

void wire_start(struct kunit *test, struct wire_job *job, void (*call)(void *arg), void *arg)
{
	struct task_struct *task;

	job->call = call;
	job->arg = arg;
	init_completion(&job->done);
	task = kthread_run(wire_job_run, job, "wire_job");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, task);
}
EXPORT_SYMBOL_GPL(wire_start);

bool wire_join(struct wire_job *job, unsigned int timeout_ms)
{
	return wait_for_completion_timeout(&job->done, msecs_to_jiffies(timeout_ms));
}
EXPORT_SYMBOL_GPL(wire_join);
