// SPDX-License-Identifier: GPL-2.0-only
/*
 * A consumer of rdma_cm that listens on two addresses and one port, so that both
 * listeners share one of ib_cm's, and destroys the first while a handler of its
 * sleeps and other requests come. What rdma_cm does then is the subject: see
 * Documentation/lifetime.rst.
 *
 * The sleep is under the listener's handler mutex: the destroy waits for it
 * first, the handlers of later requests behind that.
 */
#include <linux/delay.h>
#include <linux/inet.h>
#include <linux/module.h>
#include <linux/workqueue.h>
#include <rdma/rdma_cm.h>

#define LEAVER_PORT	7471
#define LEAVER_NAP_MS	1000

static char *leaves = "";
module_param(leaves, charp, 0444);
MODULE_PARM_DESC(leaves, "Address of the listener that is destroyed");

static char *stays = "";
module_param(stays, charp, 0444);
MODULE_PARM_DESC(stays, "Address of the one that shares with it; empty: it is alone");

static struct rdma_cm_id *leaver, *stayer;
static atomic_t requests = ATOMIC_INIT(0);

static void leaver_goes(struct work_struct *work)
{
	rdma_destroy_id(leaver);
	pr_info("leaver: destroyed after %d requests\n", atomic_read(&requests));
}
static DECLARE_WORK(leaver_work, leaver_goes);

static int leaver_handler(struct rdma_cm_id *id, struct rdma_cm_event *event)
{
	if (event->event != RDMA_CM_EVENT_CONNECT_REQUEST)
		return 0;
	if (atomic_inc_return(&requests) == 1) {
		schedule_work(&leaver_work);
		msleep(LEAVER_NAP_MS);
	}
	return -ECONNREFUSED;
}

static struct rdma_cm_id *leaver_listen(const char *address)
{
	struct sockaddr_in addr = { .sin_family = AF_INET, .sin_port = htons(LEAVER_PORT) };
	struct rdma_cm_id *id;
	int err;

	if (!in4_pton(address, -1, (u8 *)&addr.sin_addr.s_addr, -1, NULL))
		return ERR_PTR(-EINVAL);
	id = rdma_create_id(&init_net, leaver_handler, NULL, RDMA_PS_TCP, IB_QPT_RC);
	if (IS_ERR(id))
		return id;
	err = rdma_bind_addr(id, (struct sockaddr *)&addr);
	if (!err)
		err = rdma_listen(id, 128);
	if (!err)
		return id;
	rdma_destroy_id(id);
	return ERR_PTR(err);
}

static int __init leaver_init(void)
{
	if (*stays) {
		stayer = leaver_listen(stays);
		if (IS_ERR(stayer))
			return PTR_ERR(stayer);
	}
	leaver = leaver_listen(leaves);
	if (!IS_ERR(leaver))
		return 0;
	if (stayer)
		rdma_destroy_id(stayer);
	return PTR_ERR(leaver);
}
module_init(leaver_init);

static void __exit leaver_exit(void)
{
	flush_work(&leaver_work);
	if (!atomic_read(&requests))
		rdma_destroy_id(leaver);
	if (stayer)
		rdma_destroy_id(stayer);
}
module_exit(leaver_exit);

MODULE_DESCRIPTION("A listener of rdma_cm that leaves while it is asked");
MODULE_LICENSE("GPL");
