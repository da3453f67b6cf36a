// SPDX-License-Identifier: GPL-2.0-only
/*
 * loop_hca: the data path of QP1. Owns what is in receive queues and CQs.
 *
 * A datagram arrives in the context of who sends it. A CQ's handler is called
 * without a lock; the CQ is kept by a count, so that its destruction waits.
 */
#include <linux/etherdevice.h>
#include <linux/ip.h>
#include <linux/slab.h>
#include <linux/wait_bit.h>
#include <net/checksum.h>
#include <rdma/ib_mad.h>
#include <rdma/ib_pack.h>

#include "local.h"

static struct loop_cq *to_loop_cq(struct ib_cq *ibcq)
{
	return container_of(ibcq, struct loop_cq, ibcq);
}

static struct loop_qp *to_loop_qp(struct ib_qp *ibqp)
{
	return container_of(ibqp, struct loop_qp, ibqp);
}

/**
 * loop_cq_init - set up a CQ
 * @cq: zeroed
 * @size: completions it takes
 *
 * Context: process, sleeps.
 * Return: 0 or -ENOMEM
 */
int loop_cq_init(struct loop_cq *cq, u32 size)
{
	spin_lock_init(&cq->lock);
	cq->size = size;
	cq->ring = kvcalloc(size, sizeof(*cq->ring), GFP_KERNEL);
	return cq->ring ? 0 : -ENOMEM;
}

/*
 * Waits for the calls of a CQ's handler that have begun: without it a handler could
 * follow the QP's destruction, and the CQ's owner no longer expects that.
 */
static void loop_cq_quiesce(struct ib_cq *ibcq)
{
	struct loop_cq *cq = to_loop_cq(ibcq);

	wait_var_event(&cq->calls, !atomic_read(&cq->calls));
}

/* What has arrived for this QP, and nobody has taken. */
static void loop_cq_forget(struct loop_cq *cq, const struct ib_qp *ibqp)
{
	u32 n, kept = 0;

	spin_lock_irq(&cq->lock);
	for (n = 0; n < cq->count; n++) {
		struct loop_cqe cqe = cq->ring[(cq->head + n) % cq->size];

		if (cqe.wc.qp == ibqp && cqe.wc.opcode == IB_WC_RECV)
			atomic_dec(cqe.credit);
		else
			cq->ring[(cq->head + kept++) % cq->size] = cqe;
	}
	cq->count = kept;
	spin_unlock_irq(&cq->lock);
}

/**
 * loop_cq_part - a QP is about to go: its receives are not heard of any more
 * @ibcq: its CQ
 * @ibqp: the QP; nothing arrives for it
 *
 * ib_mad posts another receive for each that has completed, and destroys its QP
 * without waiting for completions that are being handled: that is waited for here.
 *
 * Context: process, sleeps.
 */
void loop_cq_part(struct ib_cq *ibcq, const struct ib_qp *ibqp)
{
	loop_cq_quiesce(ibcq);
	loop_cq_forget(to_loop_cq(ibcq), ibqp);
	if (ibcq->poll_ctx == IB_POLL_WORKQUEUE || ibcq->poll_ctx == IB_POLL_UNBOUND_WORKQUEUE)
		flush_work(&ibcq->work);
}

/**
 * loop_cq_fini - the CQ is about to go; its handler does not run when this returns
 * @cq: no QP uses it
 *
 * Context: process, sleeps.
 */
void loop_cq_fini(struct loop_cq *cq)
{
	loop_cq_quiesce(&cq->ibcq);
	for (; cq->count; cq->count--) {
		atomic_dec(cq->ring[cq->head].credit);
		cq->head = (cq->head + 1) % cq->size;
	}
	kvfree(cq->ring);
}

/**
 * loop_cq_push - add a completion
 * @ibcq: where
 * @wc: what
 * @solicited: wakes who asked for solicited ones only
 * @credit: goes down when the completion is taken
 *
 * Context: the lock of the QP's port is held: the CQ cannot go.
 * Return: the CQ, for loop_cq_notify() after that lock; NULL: nobody wants to know
 */
struct loop_cq *loop_cq_push(struct ib_cq *ibcq, const struct ib_wc *wc, bool solicited,
			     atomic_t *credit)
{
	struct loop_cq *cq = to_loop_cq(ibcq);
	struct loop_cqe *cqe;
	bool notify;

	spin_lock(&cq->lock);
	if (WARN_ONCE(cq->count == cq->size, "loop_hca: CQ overrun\n")) {
		spin_unlock(&cq->lock);
		atomic_dec(credit);
		return NULL;
	}
	cqe = &cq->ring[(cq->head + cq->count++) % cq->size];
	cqe->wc = *wc;
	cqe->credit = credit;
	notify = cq->armed && (!cq->solicited_only || solicited || wc->status != IB_WC_SUCCESS);
	if (notify) {
		cq->armed = false;
		atomic_inc(&cq->calls);
	}
	spin_unlock(&cq->lock);
	return notify ? cq : NULL;
}

/**
 * loop_cq_notify - call a CQ's handler
 * @cq: from loop_cq_push(), or NULL
 *
 * Context: any; no lock of ours is held.
 */
void loop_cq_notify(struct loop_cq *cq)
{
	if (!cq)
		return;
	cq->ibcq.comp_handler(&cq->ibcq, cq->ibcq.cq_context);
	/* Whoever waits may free the CQ from here on; the wake-up needs its address only. */
	if (atomic_dec_and_test(&cq->calls))
		wake_up_var(&cq->calls);
}

/* ib_device_ops: take completions. */
int loop_poll_cq(struct ib_cq *ibcq, int num, struct ib_wc *wc)
{
	struct loop_cq *cq = to_loop_cq(ibcq);
	unsigned long flags;
	int taken;

	spin_lock_irqsave(&cq->lock, flags);
	for (taken = 0; taken < num && cq->count; taken++) {
		wc[taken] = cq->ring[cq->head].wc;
		atomic_dec(cq->ring[cq->head].credit);
		cq->head = (cq->head + 1) % cq->size;
		cq->count--;
	}
	spin_unlock_irqrestore(&cq->lock, flags);
	return taken;
}

/* ib_device_ops: ask for a call of the CQ's handler. */
int loop_req_notify_cq(struct ib_cq *ibcq, enum ib_cq_notify_flags flags)
{
	struct loop_cq *cq = to_loop_cq(ibcq);
	unsigned long irq;
	bool solicited_only = (flags & IB_CQ_SOLICITED_MASK) == IB_CQ_SOLICITED;
	int missed;

	spin_lock_irqsave(&cq->lock, irq);
	/* Asking for all is not undone by asking for some. */
	cq->solicited_only = solicited_only && (!cq->armed || cq->solicited_only);
	cq->armed = true;
	missed = (flags & IB_CQ_REPORT_MISSED_EVENTS) && cq->count;
	spin_unlock_irqrestore(&cq->lock, irq);
	return missed;
}

/* ib_device_ops: give QP1 room for datagrams. */
int loop_post_recv(struct ib_qp *ibqp, const struct ib_recv_wr *wr, const struct ib_recv_wr **bad)
{
	struct loop_qp *qp = to_loop_qp(ibqp);
	struct loop_recv *recv;
	unsigned long flags;
	int ret = 0;

	if (ibqp->qp_type != IB_QPT_GSI) {
		*bad = wr;
		return -EOPNOTSUPP;
	}
	spin_lock_irqsave(&qp->port->lock, flags);
	/* What is posted last is never completed. */
	for (; wr && !qp->parting; wr = wr->next) {
		if (wr->num_sge != 1 || qp->state == IB_QPS_RESET)
			ret = -EINVAL;
		else if (qp->rq_count == qp->rq_size)
			ret = -ENOMEM;
		if (ret) {
			*bad = wr;
			break;
		}
		recv = &qp->rq[(qp->rq_head + qp->rq_count++) % qp->rq_size];
		recv->wr_id = wr->wr_id;
		recv->addr = wr->sg_list[0].addr;
		recv->length = wr->sg_list[0].length;
	}
	spin_unlock_irqrestore(&qp->port->lock, flags);
	if (qp->state == IB_QPS_ERR && !qp->parting)
		loop_qp_flush(qp, true);
	return ret;
}

static struct loop_recv loop_recv_take(struct loop_qp *qp)
{
	struct loop_recv recv = qp->rq[qp->rq_head];

	lockdep_assert_held(&qp->port->lock);
	qp->rq_head = (qp->rq_head + 1) % qp->rq_size;
	qp->rq_count--;
	return recv;
}

/**
 * loop_qp_flush - complete what is outstanding, as flushed
 * @qp: no longer sending or receiving
 * @receives: also the posted receives
 *
 * Context: any; the port's lock is not held.
 */
void loop_qp_flush(struct loop_qp *qp, bool receives)
{
	struct loop_port *port = qp->port;
	struct ib_wc wc = { .status = IB_WC_WR_FLUSH_ERR, .opcode = IB_WC_RECV, .qp = &qp->ibqp };
	struct loop_cq *cq;
	unsigned long flags;

	while (loop_later_flush_one(port, qp))
		;
	while (receives) {
		spin_lock_irqsave(&port->lock, flags);
		if (!qp->rq_count) {
			spin_unlock_irqrestore(&port->lock, flags);
			break;
		}
		wc.wr_id = loop_recv_take(qp).wr_id;
		atomic_inc(&port->rq_unpolled);
		cq = loop_cq_push(qp->ibqp.recv_cq, &wc, true, &port->rq_unpolled);
		spin_unlock_irqrestore(&port->lock, flags);
		loop_cq_notify(cq);
	}
}

/* QP1 takes any P_Key of its table: same partition, and one of the two is a full member. */
static int loop_pkey_index(const struct loop_port *port, u16 pkey)
{
	u32 i;

	for (i = 0; i < port->pkey_count; i++)
		if (((port->pkeys[i] ^ pkey) & 0x7fff) == 0 && (pkey & 0x7fff) &&
		    ((port->pkeys[i] | pkey) & 0x8000))
			return i;
	return -ENOENT;
}

static bool loop_is_ipv4(const struct loop_packet *packet)
{
	return ipv6_addr_v4mapped((const struct in6_addr *)packet->dgid.raw);
}

/* The first 40 bytes of a receive. */
static void loop_fill_grh(union rdma_network_hdr *hdr, const struct loop_packet *packet, bool roce)
{
	u32 payload = IB_BTH_BYTES + IB_DETH_BYTES + packet->len + 4;
	struct iphdr *ip = &hdr->roce4grh;

	if (!packet->grh) {
		/* A real one leaves here what was: no zeroes to rely on. */
		memset(hdr, 0xa5, sizeof(struct ib_grh));
	} else if (roce && loop_is_ipv4(packet)) {
		memset(hdr, 0, sizeof(*hdr));
		ip->version = 4;
		ip->ihl = 5;
		ip->tos = packet->traffic_class;
		ip->tot_len = htons(sizeof(*ip) + 8 + payload);
		ip->ttl = packet->hop_limit;
		ip->protocol = IPPROTO_UDP;
		memcpy(&ip->saddr, packet->sgid.raw + 12, 4);
		memcpy(&ip->daddr, packet->dgid.raw + 12, 4);
		ip->check = ip_fast_csum(ip, ip->ihl);
	} else {
		hdr->ibgrh.version_tclass_flow = cpu_to_be32(6 << 28 | packet->traffic_class << 20 |
							     (packet->flow_label & 0xfffff));
		hdr->ibgrh.paylen = cpu_to_be16(payload + (roce ? 8 : 0));
		hdr->ibgrh.next_hdr = roce ? IPPROTO_UDP : 0x1b;
		hdr->ibgrh.hop_limit = packet->hop_limit;
		hdr->ibgrh.sgid = packet->sgid;
		hdr->ibgrh.dgid = packet->dgid;
	}
}

static void loop_fill_wc(struct ib_wc *wc, const struct loop_port *port,
			 const struct loop_packet *packet)
{
	wc->opcode = IB_WC_RECV;
	wc->qp = &port->gsi->ibqp;
	wc->byte_len = sizeof(struct ib_grh) + packet->len;
	wc->src_qp = packet->src_qpn;
	wc->sl = packet->sl;
	wc->port_num = port->num;
	if (packet->grh)
		wc->wc_flags |= IB_WC_GRH;
	if (port->end.layer == IB_LINK_LAYER_INFINIBAND) {
		wc->slid = packet->slid;
		wc->dlid_path_bits = packet->dlid & ((1 << port->end.lmc) - 1);
		return;
	}
	wc->wc_flags |= IB_WC_WITH_SMAC;
	ether_addr_copy(wc->smac, packet->smac);
	if (!port->dev->config.no_header_type) {
		wc->wc_flags |= IB_WC_WITH_NETWORK_HDR_TYPE;
		wc->network_hdr_type = loop_is_ipv4(packet) ? RDMA_NETWORK_IPV4 : RDMA_NETWORK_IPV6;
	}
	if (packet->vlan != LOOP_NO_VLAN) {
		wc->wc_flags |= IB_WC_WITH_VLAN;
		wc->vlan_id = packet->vlan;
	}
}

static bool loop_qp_receives(const struct loop_port *port)
{
	const struct loop_qp *qp = port->gsi;

	return qp && port->state == IB_PORT_ACTIVE && qp->state >= IB_QPS_RTR &&
	       qp->state != IB_QPS_ERR;
}

/* loop_end.deliver of a port. */
int loop_port_deliver(struct loop_end *end, const struct loop_packet *packet)
{
	struct loop_port *port = container_of(end, struct loop_port, end);
	u32 depth = port->dev->config.recv_depth;
	struct loop_cq *cq = NULL;
	struct ib_wc wc = {};
	struct loop_recv recv;
	unsigned long flags;
	int ret = 0, index;
	void *buffer;

	spin_lock_irqsave(&port->lock, flags);
	index = loop_pkey_index(port, packet->pkey);
	if (!loop_qp_receives(port)) {
		ret = -EHOSTUNREACH;
	} else if (index < 0) {
		port->pkey_violations++;
	} else if (!port->gsi->rq_count || (depth && atomic_read(&port->rq_unpolled) >= depth)) {
		port->overruns++;
		ret = -ENOBUFS;
	} else {
		recv = loop_recv_take(port->gsi);
		loop_fill_wc(&wc, port, packet);
		wc.wr_id = recv.wr_id;
		wc.pkey_index = index;
		if (recv.length < wc.byte_len) {
			wc.status = IB_WC_LOC_LEN_ERR;
		} else {
			/* Without a DMA device the address is a kernel pointer. */
			buffer = (void *)(uintptr_t)recv.addr;
			loop_fill_grh(buffer, packet, port->end.layer == IB_LINK_LAYER_ETHERNET);
			memcpy(buffer + sizeof(struct ib_grh), packet->mad, packet->len);
		}
		atomic_inc(&port->rq_unpolled);
		cq = loop_cq_push(port->gsi->ibqp.recv_cq, &wc, false, &port->rq_unpolled);
	}
	spin_unlock_irqrestore(&port->lock, flags);
	loop_cq_notify(cq);
	return ret;
}

static int loop_gather(struct loop_packet *packet, const struct ib_send_wr *wr)
{
	int i;

	packet->len = 0;
	for (i = 0; i < wr->num_sge; i++) {
		const struct ib_sge *sge = &wr->sg_list[i];

		if (sge->length > LOOP_MAD_SIZE - packet->len)
			return -EMSGSIZE;
		memcpy(packet->mad + packet->len, (void *)(uintptr_t)sge->addr, sge->length);
		packet->len += sge->length;
	}
	return 0;
}

static void loop_carry(struct loop_port *port, const struct loop_packet *packet,
		       unsigned int copies, bool delayed, u32 ms)
{
	if (delayed) {
		loop_later_packet(port, packet, copies, ms);
		return;
	}
	while (copies--)
		loop_wire_send(port->end.layer, packet);
}

static void loop_transmit(struct loop_port *port, struct loop_packet *packet)
{
	struct loop_parcel *overtaken;
	unsigned int copies = 1;
	u32 byte, ms = 0;
	bool delayed;

	if (loop_strike(port, LOOP_DROP, packet, NULL))
		return;
	if (loop_strike(port, LOOP_CORRUPT, packet, &byte) && byte < packet->len)
		packet->mad[byte] ^= 0xff;
	if (loop_strike(port, LOOP_DUPLICATE, packet, NULL))
		copies = 2;
	delayed = loop_strike(port, LOOP_DELAY, packet, &ms);
	/* Whoever overtakes is not held itself. */
	overtaken = loop_later_overtaken(port);
	if (!overtaken && loop_strike(port, LOOP_REORDER, packet, NULL) &&
	    loop_later_hold(port, packet, copies))
		return;
	loop_carry(port, packet, copies, delayed, ms);
	if (overtaken) {
		loop_carry(port, &overtaken->packet, overtaken->copies, delayed, ms);
		kfree(overtaken);
	}
}

static void loop_sent(struct loop_qp *qp, const struct ib_wc *wc)
{
	struct loop_port *port = qp->port;
	struct loop_cq *cq;
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	cq = loop_cq_push(qp->ibqp.send_cq, wc, true, &port->sq_used);
	spin_unlock_irqrestore(&port->lock, flags);
	loop_cq_notify(cq);
}

/* A place in the send queue, and what depends on the port. */
static int loop_send_claim(struct loop_qp *qp, struct loop_packet *packet, u16 pkey_index, bool *up,
			   struct ib_wc *wc)
{
	struct loop_port *port = qp->port;
	unsigned long flags;
	int ret = 0;

	spin_lock_irqsave(&port->lock, flags);
	if (qp->state == IB_QPS_ERR || qp->state == IB_QPS_SQE)
		wc->status = IB_WC_WR_FLUSH_ERR;
	else if (qp->state != IB_QPS_RTS || pkey_index >= port->pkey_count)
		ret = -EINVAL;
	if (!ret && atomic_read(&port->sq_used) >= qp->cap.max_send_wr)
		ret = -ENOMEM;
	if (!ret) {
		atomic_inc(&port->sq_used);
		packet->pkey = port->pkeys[min(pkey_index, LOOP_MAX_PKEYS - 1)];
		*up = port->state == IB_PORT_ACTIVE;
	}
	spin_unlock_irqrestore(&port->lock, flags);
	return ret;
}

static int loop_send_one(struct loop_qp *qp, const struct ib_send_wr *wr)
{
	const struct ib_ud_wr *ud = ud_wr(wr);
	struct loop_port *port = qp->port;
	struct loop_packet packet;
	struct ib_wc wc = {
		.wr_id = wr->wr_id, .opcode = IB_WC_SEND, .qp = &qp->ibqp, .port_num = port->num,
	};
	bool up = false, never;
	u32 ms = 0, status = 0;
	int ret;

	if (qp->ibqp.qp_type != IB_QPT_GSI || wr->opcode != IB_WR_SEND)
		return -EOPNOTSUPP;
	packet = container_of(ud->ah, struct loop_ah, ibah)->to;
	ret = loop_gather(&packet, wr);
	if (ret)
		return ret;
	if (loop_strike(port, LOOP_SEND_REFUSED, &packet, NULL))
		return -EIO;
	ret = loop_send_claim(qp, &packet, ud->pkey_index, &up, &wc);
	if (ret)
		return ret;
	if (wc.status == IB_WC_SUCCESS && loop_strike(port, LOOP_SEND_ERROR, &packet, &status))
		wc.status = status ? : IB_WC_RETRY_EXC_ERR;
	else if (wc.status == IB_WC_SUCCESS && up && ud->remote_qpn == LOOP_QP1)
		loop_transmit(port, &packet);

	if (!qp->signal_all && !(wr->send_flags & IB_SEND_SIGNALED)) {
		atomic_dec(&port->sq_used);
		return 0;
	}
	never = loop_strike(port, LOOP_SEND_NEVER, &packet, NULL);
	if ((never || loop_strike(port, LOOP_SEND_LATE, &packet, &ms)) &&
	    loop_later_complete(qp, &wc, ms, never))
		return 0;
	loop_sent(qp, &wc);
	return 0;
}

/* ib_device_ops: put datagrams on the wire. */
int loop_post_send(struct ib_qp *ibqp, const struct ib_send_wr *wr, const struct ib_send_wr **bad)
{
	int ret;

	for (; wr; wr = wr->next) {
		ret = loop_send_one(to_loop_qp(ibqp), wr);
		if (ret) {
			*bad = wr;
			return ret;
		}
	}
	return 0;
}
