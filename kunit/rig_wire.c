// SPDX-License-Identifier: GPL-2.0-only
/*
 * The peer's side of the wire: its messages, and what it gets.
 *
 * Owns: rig.requests, what the peer has asked, by which an id's TID and numbers
 * are known; rig.inbox, what was sent to it; the messages with sane contents.
 *
 * Locks: rig.lock -> rig_id.lock.
 */
#include <linux/export.h>
#include <linux/slab.h>

#include "rig_local.h"

struct rig_request {
	struct list_head node;
	u8 mad[MAD_BYTES];
};

struct rig_datagram {
	struct list_head node;
	struct loop_packet packet;
};

static const char *rig_id_field(u16 attr)
{
	return attr == ATTR_SIDR_REQ || attr == ATTR_SIDR_REP ? "request_id" : "local_comm_id";
}

/* A request of ours tells the peer a TID. */
static void rig_learn(struct rig *rig, const u8 *mad)
{
	u16 attr = mad_attr(mad);
	struct rig_id *id;
	u32 local_id;

	if (attr != ATTR_REQ && attr != ATTR_SIDR_REQ && attr != ATTR_DREQ)
		return;
	local_id = mad_get(mad, rig_id_field(attr));
	spin_lock(&rig->lock);
	list_for_each_entry(id, &rig->ids, node) {
		if (id->local_id != local_id)
			continue;
		if (attr == ATTR_DREQ)
			id->dreq_tid = mad_get(mad, F_MAD_TID);
		else
			id->tid = mad_get(mad, F_MAD_TID);
	}
	spin_unlock(&rig->lock);
}

/* Takes a datagram off the station. */
static bool rig_pull(struct rig *rig, unsigned int timeout_ms)
{
	struct rig_datagram *d = kzalloc(sizeof(*d), GFP_KERNEL);

	if (!d || loop_station_recv(rig->peer, &d->packet, timeout_ms)) {
		kfree(d);
		return false;
	}
	rig_learn(rig, d->packet.mad);
	list_add_tail(&d->node, &rig->inbox);
	return true;
}

/**
 * rig_peer_recv - the next datagram for the peer
 * @rig: the rig
 * @attr_id: of that attribute; 0: any
 * @mad: filled, 256 bytes; NULL: not wanted
 * @timeout_ms: how long to wait
 *
 * Context: sleeps, if @timeout_ms is not 0.
 * Return: false if there is none.
 */
bool rig_peer_recv(struct rig *rig, u16 attr_id, u8 *mad, unsigned int timeout_ms)
{
	unsigned long end = jiffies + msecs_to_jiffies(timeout_ms);
	struct rig_datagram *d;
	bool found;

	for (;;) {
		while ((d = list_first_entry_or_null(&rig->inbox, struct rig_datagram, node))) {
			list_del(&d->node);
			found = !attr_id || mad_attr(d->packet.mad) == attr_id;
			if (found && mad)
				memcpy(mad, d->packet.mad, MAD_BYTES);
			kfree(d);
			if (found)
				return true;
			rig->foreign++;
		}
		if (rig_pull(rig, 0))
			continue;
		if (!time_before(jiffies, end) ||
		    !rig_pull(rig, jiffies_to_msecs(end - jiffies)))
			return false;
	}
}
EXPORT_SYMBOL_GPL(rig_peer_recv);

/**
 * rig_peer_waiting - how many datagrams wait for the peer
 * @rig: the rig
 *
 * Context: sleeps.
 * Return: their number.
 */
unsigned int rig_peer_waiting(struct rig *rig)
{
	while (rig_pull(rig, 0))
		;
	return list_count_nodes(&rig->inbox);
}
EXPORT_SYMBOL_GPL(rig_peer_waiting);

/**
 * rig_peer_packet - address a datagram from the peer to the device
 * @rig: the rig
 * @mad: what it carries
 * @packet: filled
 *
 * Context: any.
 */
void rig_peer_packet(struct rig *rig, const u8 *mad, struct loop_packet *packet)
{
	if (mad != packet->mad) {
		memset(packet, 0, sizeof(*packet));
		memcpy(packet->mad, mad, MAD_BYTES);
	}
	loop_station_address(rig->peer, packet);
	packet->dlid = rig->here.slid;
	packet->dgid = rig->here.sgid;
	packet->src_qpn = 1;
	packet->pkey = RIG_PKEY;
	packet->len = MAD_BYTES;
	packet->vlan = 0xffff;
	packet->grh = rig->layer == IB_LINK_LAYER_ETHERNET;
	if (packet->grh)
		packet->hop_limit = RIG_HOPS;
}
EXPORT_SYMBOL_GPL(rig_peer_packet);

static void rig_remember(struct rig *rig, const u8 *mad)
{
	struct rig_request *request = kmalloc(sizeof(*request), GFP_KERNEL);

	if (!request)
		return;
	memcpy(request->mad, mad, MAD_BYTES);
	spin_lock(&rig->lock);
	list_add(&request->node, &rig->requests);
	spin_unlock(&rig->lock);
}

/**
 * rig_peer_send - the peer sends a message to port 1 of the device
 * @rig: the rig
 * @mad: 256 bytes
 *
 * Context: sleeps.
 */
void rig_peer_send(struct rig *rig, const u8 *mad)
{
	struct loop_packet *packet = kzalloc(sizeof(*packet), GFP_KERNEL);
	u16 attr = mad_attr(mad);

	KUNIT_ASSERT_NOT_NULL(rig->test, packet);
	if (attr == ATTR_REQ || attr == ATTR_SIDR_REQ)
		rig_remember(rig, mad);
	rig_peer_packet(rig, mad, packet);
	KUNIT_EXPECT_EQ_MSG(rig->test, loop_station_send(rig->peer, packet), 0,
			    "%s cannot be put on the wire", mad_name(attr));
	kfree(packet);
}
EXPORT_SYMBOL_GPL(rig_peer_send);

/* Makes a child known, with the peer's request that made it: the latest that has its comm id. */
void rig_child_request(struct rig *rig, struct rig_id *id, bool sidr)
{
	struct rig_request *request;
	u16 attr = sidr ? ATTR_SIDR_REQ : ATTR_REQ;

	spin_lock(&rig->lock);
	list_for_each_entry(request, &rig->requests, node) {
		if (mad_attr(request->mad) != attr ||
		    mad_get(request->mad, rig_id_field(attr)) != id->peer_id)
			continue;
		memcpy(id->request, request->mad, MAD_BYTES);
		id->tid = mad_get(request->mad, F_MAD_TID);
		id->service_id = mad_get(request->mad, "service_id");
		if (!sidr)
			id->peer_qpn = mad_get(request->mad, "local_qpn");
		break;
	}
	list_add_tail(&id->node, &rig->ids);
	spin_unlock(&rig->lock);
}

/* ---- messages ---- */

static void rig_put_gid(u8 *mad, const char *name, const union ib_gid *gid)
{
	memcpy(mad_bytes_w(mad, name), gid->raw, sizeof(gid->raw));
}

/* A path of a REQ or LAP, from the peer to the device; prefix "primary" or "alternate". */
static void rig_put_path(struct rig *rig, u8 *mad, const char *prefix)
{
	struct loop_packet peer = {};
	char name[48];

	loop_station_address(rig->peer, &peer);

#define FIELD(_name) (scnprintf(name, sizeof(name), "%s_" _name, prefix), name)
	if (rig->layer == IB_LINK_LAYER_INFINIBAND) {
		mad_set(mad, FIELD("local_port_lid"), peer.slid);
		mad_set(mad, FIELD("remote_port_lid"), rig->here.slid);
		mad_set(mad, FIELD("subnet_local"), 1);
	} else {
		/* As RoCE's requesters do: there are no LIDs (annex A16). */
		mad_set(mad, FIELD("local_port_lid"), 0xffff);
		mad_set(mad, FIELD("remote_port_lid"), 0xffff);
		mad_set(mad, FIELD("hop_limit"), RIG_HOPS);
	}
	rig_put_gid(mad, FIELD("local_port_gid"), &peer.sgid);
	rig_put_gid(mad, FIELD("remote_port_gid"), &rig->here.sgid);
	mad_set(mad, FIELD("packet_rate"), IB_RATE_10_GBPS);
	mad_set(mad, FIELD("local_ack_timeout"), rig->ack_time);
#undef FIELD
}

/**
 * rig_make_req - a new request of the peer's
 * @rig: the rig
 * @service_id: host order
 * @mad: filled
 *
 * Context: any.
 */
void rig_make_req(struct rig *rig, u64 service_id, u8 *mad)
{
	mad_init(mad, ATTR_REQ, ++rig->tid);
	mad_set(mad, "local_comm_id", rig->peer_comm_id++);
	mad_set(mad, "service_id", service_id);
	mad_set(mad, "local_ca_guid", rig->peer_guid);
	mad_set(mad, "local_qpn", rig->peer_qpn++);
	mad_set(mad, "responder_resources", 4);
	mad_set(mad, "initiator_depth", 3);
	mad_set(mad, "remote_cm_response_timeout", rig->response_time);
	mad_set(mad, "local_cm_response_timeout", rig->response_time);
	mad_set(mad, "end_to_end_flow_control", 1);
	mad_set(mad, "starting_psn", RIG_PSN + 2);
	mad_set(mad, "retry_count", 6);
	mad_set(mad, "partition_key", RIG_PKEY);
	mad_set(mad, "path_packet_payload_mtu", IB_MTU_2048);
	mad_set(mad, "rnr_retry_count", 5);
	mad_set(mad, "max_cm_retries", rig->retries);
	switch (rig->qp_type) {
	case IB_QPT_UC:
		mad_set(mad, "transport_service_type", 1);
		break;
	case IB_QPT_XRC_INI:
	case IB_QPT_XRC_TGT:
		mad_set(mad, "transport_service_type", 3);
		mad_set(mad, "extended_transport_type", 1);
		break;
	default:
		break;
	}
	rig_put_path(rig, mad, "primary");
	if (rig->alternate)
		rig_put_path(rig, mad, "alternate");
}
EXPORT_SYMBOL_GPL(rig_make_req);

/**
 * rig_make_sidr_req - a new question of the peer's
 * @rig: the rig
 * @service_id: host order
 * @mad: filled
 *
 * Context: any.
 */
void rig_make_sidr_req(struct rig *rig, u64 service_id, u8 *mad)
{
	mad_init(mad, ATTR_SIDR_REQ, ++rig->tid);
	mad_set(mad, "request_id", rig->peer_comm_id++);
	mad_set(mad, "partition_key", RIG_PKEY);
	mad_set(mad, "service_id", service_id);
}
EXPORT_SYMBOL_GPL(rig_make_sidr_req);

/* The TID of our request is known from the wire only. */
static u64 rig_tid(struct rig_id *id)
{
	while (rig_pull(id->rig, 0))
		;
	if (!id->tid && id->active)
		while (!id->tid && rig_pull(id->rig, 1000))
			;
	return id->tid;
}

static void rig_begin(struct rig_id *id, enum cm_attr attr, u64 tid, u8 *mad)
{
	mad_init(mad, attr, tid);
	mad_set(mad, "local_comm_id", id->peer_id);
	mad_set(mad, "remote_comm_id", id->local_id);
}

/**
 * rig_make - a message of the peer's, for a connection
 * @id: the connection
 * @attr: which message
 * @mad: filled
 *
 * Context: sleeps.
 */
void rig_make(struct rig_id *id, enum cm_attr attr, u8 *mad)
{
	struct rig *rig = id->rig;

	switch (attr) {
	case ATTR_REQ:
		if (mad_attr(id->request) == ATTR_REQ)
			memcpy(mad, id->request, MAD_BYTES);
		else
			rig_make_req(rig, id->service_id, mad);
		break;
	case ATTR_SIDR_REQ:
		if (mad_attr(id->request) == ATTR_SIDR_REQ)
			memcpy(mad, id->request, MAD_BYTES);
		else
			rig_make_sidr_req(rig, id->service_id, mad);
		break;
	case ATTR_MRA:
		rig_begin(id, attr, rig_tid(id), mad);
		mad_set(mad, "message_mraed", id->active ? 0 : 1);
		mad_set(mad, "service_timeout", rig->response_time);
		break;
	case ATTR_REJ:
		rig_begin(id, attr, rig_tid(id), mad);
		mad_set(mad, "message_rejected", id->active ? 0 : 1);
		mad_set(mad, "reason", IB_CM_REJ_CONSUMER_DEFINED);
		break;
	case ATTR_REP:
		rig_begin(id, attr, rig_tid(id), mad);
		mad_set(mad, "local_qpn", id->peer_qpn);
		mad_set(mad, "local_eecn", id->peer_qpn);
		mad_set(mad, "starting_psn", RIG_PSN + 3);
		mad_set(mad, "responder_resources", 3);
		mad_set(mad, "initiator_depth", 4);
		mad_set(mad, "end_to_end_flow_control", 1);
		mad_set(mad, "rnr_retry_count", 5);
		mad_set(mad, "local_ca_guid", rig->peer_guid);
		break;
	case ATTR_RTU:
		rig_begin(id, attr, rig_tid(id), mad);
		break;
	case ATTR_DREQ:
		rig_begin(id, attr, ++rig->tid, mad);
		mad_set(mad, "remote_qpn_eecn", id->local_qpn);
		break;
	case ATTR_DREP:
		rig_tid(id);
		rig_begin(id, attr, id->dreq_tid, mad);
		break;
	case ATTR_LAP:
		rig_begin(id, attr, ++rig->tid, mad);
		mad_set(mad, "remote_qpn_eecn", id->local_qpn);
		mad_set(mad, "remote_cm_response_timeout", rig->response_time);
		rig_put_path(rig, mad, "alternate");
		break;
	case ATTR_APR:
		rig_begin(id, attr, ++rig->tid, mad);
		break;
	case ATTR_SIDR_REP:
		mad_init(mad, attr, rig_tid(id));
		mad_set(mad, "request_id", id->local_id);
		mad_set(mad, "qpn", rig->peer_qpn);
		mad_set(mad, "service_id", id->service_id);
		mad_set(mad, "qkey", RIG_QKEY);
		break;
	default:
		KUNIT_FAIL_AND_ABORT(rig->test, "no message has attribute %#x", attr);
	}
}
EXPORT_SYMBOL_GPL(rig_make);

/* What the peer has asked and was sent is forgotten. */
void rig_forget(struct rig *rig)
{
	struct rig_request *request, *next_request;
	struct rig_datagram *d, *next_d;

	while (rig->peer && rig_pull(rig, 0))
		;
	list_for_each_entry_safe(d, next_d, &rig->inbox, node) {
		list_del(&d->node);
		kfree(d);
	}
	spin_lock(&rig->lock);
	list_for_each_entry_safe(request, next_request, &rig->requests, node) {
		list_del(&request->node);
		kfree(request);
	}
	spin_unlock(&rig->lock);
}
