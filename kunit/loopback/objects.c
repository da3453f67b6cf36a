// SPDX-License-Identifier: GPL-2.0-only
/*
 * loop_hca: the objects of a device: protection domains, address handles, CQs,
 * QPs, memory regions. Only a QP of type GSI carries anything; the others exist,
 * change their state and refuse work.
 *
 * loop_port.lock guards a QP's state and which one is the port's GSI.
 */
#include <linux/etherdevice.h>
#include <linux/slab.h>
#include <rdma/ib_cache.h>

#include "local.h"

#define LOOP_FIRST_QPN	0x100

static int loop_alloc_pd(struct ib_pd *ibpd, struct ib_udata *udata)
{
	return 0;
}

static int loop_dealloc_pd(struct ib_pd *ibpd, struct ib_udata *udata)
{
	return 0;
}

/* What of a datagram is known once the address is. */
static int loop_ah_fill(struct loop_ah *ah, const struct loop_port *port)
{
	const struct ib_global_route *grh = rdma_ah_read_grh(&ah->attr);
	struct loop_packet *to = &ah->to;
	bool roce = port->end.layer == IB_LINK_LAYER_ETHERNET;

	to->src_qpn = LOOP_QP1;
	to->vlan = LOOP_NO_VLAN;
	to->sl = rdma_ah_get_sl(&ah->attr);
	to->grh = rdma_ah_get_ah_flags(&ah->attr) & IB_AH_GRH;
	if (to->grh) {
		if (!grh->sgid_attr)
			return -EINVAL;
		to->sgid = grh->sgid_attr->gid;
		to->dgid = grh->dgid;
		to->hop_limit = grh->hop_limit;
		to->traffic_class = grh->traffic_class;
		to->flow_label = grh->flow_label;
	}
	if (roce && !to->grh)
		return -EINVAL;
	if (roce)
		return rdma_read_gid_l2_fields(grh->sgid_attr, &to->vlan, to->smac);
	to->dlid = rdma_ah_get_dlid(&ah->attr);
	to->slid = port->end.lid | (rdma_ah_get_path_bits(&ah->attr) & ((1 << port->end.lmc) - 1));
	return 0;
}

static int loop_create_ah(struct ib_ah *ibah, struct rdma_ah_init_attr *init,
			  struct ib_udata *udata)
{
	struct loop_ah *ah = container_of(ibah, struct loop_ah, ibah);
	struct loop_port *port = loop_port(ibah->device, rdma_ah_get_port_num(init->ah_attr));
	int ret;

	loop_dawdle(port, LOOP_AH_SLOW, init->flags & RDMA_CREATE_AH_SLEEPABLE);
	if (loop_strike(port, LOOP_AH_FAIL, NULL, NULL))
		return -ENOMEM;
	ah->attr = *init->ah_attr;
	ret = loop_ah_fill(ah, port);
	if (!ret)
		atomic_inc(&port->dev->handles);
	return ret;
}

static int loop_query_ah(struct ib_ah *ibah, struct rdma_ah_attr *attr)
{
	*attr = container_of(ibah, struct loop_ah, ibah)->attr;
	attr->grh.sgid_attr = ibah->sgid_attr;
	return 0;
}

static int loop_destroy_ah(struct ib_ah *ibah, u32 flags)
{
	atomic_dec(&to_loop(ibah->device)->handles);
	return 0;
}

static int loop_make_cq(struct ib_cq *ibcq, const struct ib_cq_init_attr *attr)
{
	if (attr->flags || !attr->cqe || attr->cqe > ibcq->device->attrs.max_cqe)
		return -EINVAL;
	ibcq->cqe = attr->cqe;
	return loop_cq_init(container_of(ibcq, struct loop_cq, ibcq), attr->cqe);
}

#ifdef LOOP_CQ_BUNDLE
static int loop_create_cq(struct ib_cq *ibcq, const struct ib_cq_init_attr *attr,
			  struct uverbs_attr_bundle *attrs)
#else
static int loop_create_cq(struct ib_cq *ibcq, const struct ib_cq_init_attr *attr,
			  struct ib_udata *udata)
#endif
{
	return loop_make_cq(ibcq, attr);
}

static int loop_destroy_cq(struct ib_cq *ibcq, struct ib_udata *udata)
{
	loop_cq_fini(container_of(ibcq, struct loop_cq, ibcq));
	return 0;
}

static int loop_create_gsi(struct loop_qp *qp)
{
	struct loop_port *port = qp->port;
	int ret = 0;

	qp->rq_size = qp->cap.max_recv_wr;
	qp->rq = kvcalloc(max(qp->rq_size, 1U), sizeof(*qp->rq), GFP_KERNEL);
	if (!qp->rq)
		return -ENOMEM;
	spin_lock_irq(&port->lock);
	if (port->gsi)
		ret = -EBUSY;
	else
		port->gsi = qp;
	spin_unlock_irq(&port->lock);
	if (ret)
		kvfree(qp->rq);
	return ret;
}

static int loop_create_qp(struct ib_qp *ibqp, struct ib_qp_init_attr *attr, struct ib_udata *udata)
{
	struct loop_qp *qp = container_of(ibqp, struct loop_qp, ibqp);
	bool gsi = attr->qp_type == IB_QPT_GSI;

	if (udata || attr->qp_type == IB_QPT_SMI)
		return -EOPNOTSUPP;
	if (attr->cap.max_send_wr > LOOP_MAX_WR || attr->cap.max_recv_wr > LOOP_MAX_WR)
		return -EINVAL;
	if (gsi && !loop_port_valid(ibqp->device, attr->port_num))
		return -EINVAL;
	qp->port = loop_port(ibqp->device, gsi ? attr->port_num : 1);
	qp->state = IB_QPS_RESET;
	qp->cap = attr->cap;
	qp->signal_all = attr->sq_sig_type == IB_SIGNAL_ALL_WR;
	if (!gsi) {
		ibqp->qp_num = LOOP_FIRST_QPN + atomic_inc_return(&qp->port->dev->next_qpn);
		return 0;
	}
	ibqp->qp_num = LOOP_QP1;
	return loop_create_gsi(qp);
}

static int loop_modify_qp(struct ib_qp *ibqp, struct ib_qp_attr *attr, int mask,
			  struct ib_udata *udata)
{
	struct loop_qp *qp = container_of(ibqp, struct loop_qp, ibqp);
	struct loop_port *port = qp->port;
	enum ib_qp_state from, to;
	int ret = 0;

	spin_lock_irq(&port->lock);
	from = mask & IB_QP_CUR_STATE ? attr->cur_qp_state : qp->state;
	to = mask & IB_QP_STATE ? attr->qp_state : from;
	if (!ib_modify_qp_is_ok(from, to, ibqp->qp_type, mask)) {
		ret = -EINVAL;
	} else {
		qp->state = to;
		if (mask & IB_QP_QKEY)
			qp->qkey = attr->qkey;
		if (to == IB_QPS_RESET)
			qp->rq_count = 0;
	}
	spin_unlock_irq(&port->lock);
	if (!ret && to == IB_QPS_ERR)
		loop_qp_flush(qp, ibqp->qp_type == IB_QPT_GSI);
	return ret;
}

static int loop_query_qp(struct ib_qp *ibqp, struct ib_qp_attr *attr, int mask,
			 struct ib_qp_init_attr *init)
{
	struct loop_qp *qp = container_of(ibqp, struct loop_qp, ibqp);

	memset(attr, 0, sizeof(*attr));
	attr->qp_state = qp->state;
	attr->cur_qp_state = qp->state;
	attr->qkey = qp->qkey;
	attr->cap = qp->cap;
	attr->port_num = qp->port->num;
	memset(init, 0, sizeof(*init));
	init->qp_type = ibqp->qp_type;
	init->cap = qp->cap;
	init->sq_sig_type = qp->signal_all ? IB_SIGNAL_ALL_WR : IB_SIGNAL_REQ_WR;
	return 0;
}

static int loop_destroy_qp(struct ib_qp *ibqp, struct ib_udata *udata)
{
	struct loop_qp *qp = container_of(ibqp, struct loop_qp, ibqp);
	struct loop_port *port = qp->port;

	spin_lock_irq(&port->lock);
	qp->state = IB_QPS_ERR;
	qp->parting = true;
	if (port->gsi == qp)
		port->gsi = NULL;
	spin_unlock_irq(&port->lock);
	loop_qp_flush(qp, false);
	loop_cq_part(ibqp->send_cq, ibqp);
	loop_cq_part(ibqp->recv_cq, ibqp);
	kvfree(qp->rq);
	return 0;
}

static struct ib_mr *loop_get_dma_mr(struct ib_pd *ibpd, int access)
{
	struct ib_mr *mr = kzalloc(sizeof(*mr), GFP_KERNEL);

	return mr ?: ERR_PTR(-ENOMEM);
}

#ifdef LOOP_MR_DMAH
static struct ib_mr *loop_reg_user_mr(struct ib_pd *ibpd, u64 start, u64 length, u64 virt_addr,
				      int access, struct ib_dmah *dmah, struct ib_udata *udata)
#else
static struct ib_mr *loop_reg_user_mr(struct ib_pd *ibpd, u64 start, u64 length, u64 virt_addr,
				      int access, struct ib_udata *udata)
#endif
{
	return ERR_PTR(-EOPNOTSUPP);
}

static int loop_dereg_mr(struct ib_mr *mr, struct ib_udata *udata)
{
	kfree(mr);
	return 0;
}

const struct ib_device_ops loop_object_ops = {
	.alloc_pd = loop_alloc_pd,
	.dealloc_pd = loop_dealloc_pd,
	.create_ah = loop_create_ah,
	.query_ah = loop_query_ah,
	.destroy_ah = loop_destroy_ah,
	.create_cq = loop_create_cq,
	.destroy_cq = loop_destroy_cq,
	.poll_cq = loop_poll_cq,
	.req_notify_cq = loop_req_notify_cq,
	.create_qp = loop_create_qp,
	.modify_qp = loop_modify_qp,
	.query_qp = loop_query_qp,
	.destroy_qp = loop_destroy_qp,
	.post_send = loop_post_send,
	.post_recv = loop_post_recv,
	.get_dma_mr = loop_get_dma_mr,
	.reg_user_mr = loop_reg_user_mr,
	.dereg_mr = loop_dereg_mr,

	INIT_RDMA_OBJ_SIZE(ib_pd, loop_pd, ibpd),
	INIT_RDMA_OBJ_SIZE(ib_ah, loop_ah, ibah),
	INIT_RDMA_OBJ_SIZE(ib_cq, loop_cq, ibcq),
	INIT_RDMA_OBJ_SIZE(ib_qp, loop_qp, ibqp),
};
