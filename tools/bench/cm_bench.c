// SPDX-License-Identifier: GPL-2.0-only
/*
 * cm_bench: how long do connections take?
 *
 * Connects and disconnects through ib_cm's exported calls alone, both ends on
 * port 1 of one InfiniBand device, and measures batches of such cycles. It runs
 * while it is loaded; what the batches took stands in its parameter "ns".
 *
 * Owns: a listener, and for each of "window" workers one connection at a time.
 * The passive end belongs to the CM: its handler refuses it once it has answered
 * the DREQ. No locks: a worker waits for its own connection's events.
 */
#include <linux/completion.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/workqueue.h>
#include <rdma/ib_cache.h>
#include <rdma/ib_cm.h>
#include <rdma/ib_sa.h>

#define BENCH_SERVICE	0x0be9c40000000001ULL
#define BENCH_TIME	20	/* 4.3 s: nothing is repeated */
#define BENCH_LIFE	6	/* packet life time: timewait is over at once */
#define BENCH_BATCHES	128
#define BENCH_WINDOW	256
#define BENCH_WAIT	(30 * HZ)

static char *dev = "loop0";
module_param(dev, charp, 0444);
MODULE_PARM_DESC(dev, "the device");

static unsigned int cycles = 100;
module_param(cycles, uint, 0444);
MODULE_PARM_DESC(cycles, "connections of a worker in a batch");

static unsigned int batches = 40;
module_param(batches, uint, 0444);
MODULE_PARM_DESC(batches, "batches, at most 128");

static unsigned int window = 1;
module_param(window, uint, 0444);
MODULE_PARM_DESC(window, "workers, each with one connection at a time, at most 256");

static ulong ns[BENCH_BATCHES];
static int measured;
module_param_array(ns, ulong, &measured, 0444);
MODULE_PARM_DESC(ns, "out: ns that each batch took");

struct bench_worker {
	struct work_struct work;
	struct completion told;		/* REP, then DREP; or what went wrong */
	enum ib_cm_event_type event;
	int err;
};

static struct ib_device *bench_dev;
static struct sa_path_rec bench_path;
static atomic_t bench_qpn = ATOMIC_INIT(0x100);
static struct bench_worker workers[BENCH_WINDOW];
static struct workqueue_struct *bench_queue;

static u32 bench_next_qpn(void)
{
	return (u32)atomic_inc_return(&bench_qpn) & 0xffffff;
}

/* The passive end. Its return value is its end: it is not ours to destroy. */
static int bench_passive(struct ib_cm_id *id, const struct ib_cm_event *event)
{
	struct ib_cm_rep_param rep = {
		.responder_resources = 1,
		.initiator_depth = 1,
		.rnr_retry_count = 7,
	};

	switch (event->event) {
	case IB_CM_REQ_RECEIVED:
		rep.qp_num = bench_next_qpn();
		return ib_send_cm_rep(id, &rep);
	case IB_CM_RTU_RECEIVED:
		return 0;
	case IB_CM_DREQ_RECEIVED:
		ib_send_cm_drep(id, NULL, 0);
		return -ECONNRESET;
	default:
		return -EPROTO;
	}
}

static int bench_active(struct ib_cm_id *id, const struct ib_cm_event *event)
{
	struct bench_worker *worker = id->context;

	if (event->event == IB_CM_TIMEWAIT_EXIT)
		return 0;
	worker->event = event->event;
	complete(&worker->told);
	return 0;
}

static int bench_await(struct bench_worker *worker, enum ib_cm_event_type event)
{
	if (!wait_for_completion_timeout(&worker->told, BENCH_WAIT))
		return -ETIMEDOUT;
	return worker->event == event ? 0 : -EPROTO;
}

static int bench_live(struct bench_worker *worker, struct ib_cm_id *id)
{
	struct ib_cm_req_param req = {
		.primary_path = &bench_path,
		.service_id = cpu_to_be64(BENCH_SERVICE),
		.qp_num = bench_next_qpn(),
		.qp_type = IB_QPT_RC,
		.responder_resources = 1,
		.initiator_depth = 1,
		.remote_cm_response_timeout = BENCH_TIME,
		.local_cm_response_timeout = BENCH_TIME,
		.retry_count = 7,
		.rnr_retry_count = 7,
		.max_cm_retries = 3,
	};
	int err;

	err = ib_send_cm_req(id, &req);
	if (!err)
		err = bench_await(worker, IB_CM_REP_RECEIVED);
	if (!err)
		err = ib_send_cm_rtu(id, NULL, 0);
	if (!err)
		err = ib_send_cm_dreq(id, NULL, 0);
	if (!err)
		err = bench_await(worker, IB_CM_DREP_RECEIVED);
	return err;
}

static void bench_work(struct work_struct *work)
{
	struct bench_worker *worker = container_of(work, struct bench_worker, work);
	struct ib_cm_id *id;
	unsigned int i;

	for (i = 0; i < cycles && !worker->err; i++) {
		reinit_completion(&worker->told);
		id = ib_create_cm_id(bench_dev, bench_active, worker);
		if (IS_ERR(id)) {
			worker->err = PTR_ERR(id);
			return;
		}
		worker->err = bench_live(worker, id);
		ib_destroy_cm_id(id);
	}
}

static int bench_batch(ulong *took)
{
	ktime_t begin = ktime_get();
	unsigned int i;
	int err = 0;

	for (i = 0; i < window; i++)
		queue_work(bench_queue, &workers[i].work);
	for (i = 0; i < window; i++)
		flush_work(&workers[i].work);
	*took = ktime_to_ns(ktime_sub(ktime_get(), begin));
	for (i = 0; i < window; i++)
		err = err ? : workers[i].err;
	return err;
}

static int bench_run(void)
{
	ulong took;
	unsigned int i;
	int err;

	for (i = 0; i < window; i++) {
		INIT_WORK(&workers[i].work, bench_work);
		init_completion(&workers[i].told);
	}
	/* The first one warms up what is made at first use. */
	err = bench_batch(&took);
	for (i = 0; i < batches && !err; i++) {
		err = bench_batch(&ns[i]);
		measured = i + 1;
	}
	return err;
}

/* From the port to itself. */
static int bench_find_path(void)
{
	struct ib_port_attr port;
	union ib_gid gid;
	int err;

	err = ib_query_port(bench_dev, 1, &port);
	if (!err)
		err = rdma_query_gid(bench_dev, 1, 0, &gid);
	if (err)
		return err;
	bench_path = (struct sa_path_rec) {
		.rec_type = SA_PATH_REC_TYPE_IB,
		.sgid = gid,
		.dgid = gid,
		.pkey = cpu_to_be16(0xffff),
		.reversible = 1,
		.numb_path = 1,
		.mtu_selector = IB_SA_EQ,
		.mtu = IB_MTU_2048,
		.rate_selector = IB_SA_EQ,
		.rate = IB_RATE_10_GBPS,
		.packet_life_time_selector = IB_SA_EQ,
		.packet_life_time = BENCH_LIFE,
	};
	sa_path_set_slid(&bench_path, port.lid);
	sa_path_set_dlid(&bench_path, port.lid);
	return 0;
}

static int bench_add(struct ib_device *ibdev)
{
	if (!strcmp(dev_name(&ibdev->dev), dev))
		bench_dev = ibdev;
	return 0;
}

/* Keeps the device while we are there: it is asked for at load time only. */
static void bench_remove(struct ib_device *ibdev, void *data)
{
}

static struct ib_client bench_client = {
	.name = "cm_bench",
	.add = bench_add,
	.remove = bench_remove,
};

static int bench_listen_and_run(void)
{
	struct ib_cm_id *listener = ib_create_cm_id(bench_dev, bench_passive, NULL);
	int err;

	if (IS_ERR(listener))
		return PTR_ERR(listener);
	err = ib_cm_listen(listener, cpu_to_be64(BENCH_SERVICE));
	if (!err)
		err = bench_run();
	ib_destroy_cm_id(listener);
	return err;
}

static int __init bench_init(void)
{
	int err;

	if (!window || window > BENCH_WINDOW || !batches || batches > BENCH_BATCHES || !cycles)
		return -EINVAL;
	bench_queue = alloc_workqueue("cm_bench", WQ_UNBOUND, WQ_MAX_ACTIVE);
	if (!bench_queue)
		return -ENOMEM;
	err = ib_register_client(&bench_client);
	if (err)
		goto no_client;
	err = bench_dev ? bench_find_path() : -ENODEV;
	if (!err)
		err = bench_listen_and_run();
	ib_unregister_client(&bench_client);
	if (err)
		pr_err("cm_bench: failed: %d\n", err);
no_client:
	destroy_workqueue(bench_queue);
	return err;
}
module_init(bench_init);

static void __exit bench_exit(void)
{
}
module_exit(bench_exit);

MODULE_DESCRIPTION("Benchmark of the InfiniBand connection manager's kernel interface");
MODULE_LICENSE("GPL");
