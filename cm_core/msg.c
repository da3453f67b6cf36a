// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * The wire format of the eleven messages (IBTA vol. 1, 12.6 - 12.11).
 *
 * Owns: every byte of an outgoing message; the reading of an incoming one; the
 * id's fields that repeat what a REQ, a REP or a call's parameters said.
 *
 * Locks: none taken. Whoever passes an id holds its lock or has not published
 * it; cm_event_from_msg() alone does without.
 *
 * References: none held. Nothing here is kept beyond the call, except that an
 * event points into the datagram and at GID attributes of the id's AV.
 *
 * What comes from a peer is data: lengths are clamped, times are bounded, and
 * no value of any field leads to a warning.
 */
#include <linux/build_bug.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <rdma/ib_cache.h>
#include <rdma/opa_addr.h>

#include "id.h"
#include "msg.h"
#include "path.h"
#include "port.h"
#include "timewait.h"

/* The attribute ids stand in a row, and enum cm_msg_kind follows them. */
#define ATTR_FIRST	0x0010

/* Widths of fields that a caller's larger value must not wrap in. */
#define MAX_TIME	31	/* 5 bits: 4.096 us x 2^n */
#define MAX_RETRY	7	/* 3 bits: retry counts of a queue pair, 7 of RNR: for ever */
#define MAX_CM_RETRY	15	/* 4 bits */
#define QPN_MASK	0xffffffu
#define PSN_MASK	0xffffffu

/* Transport Service Type, and its extension (Table 106; annex A14 for XRC) */
enum { TRANSPORT_RC, TRANSPORT_UC, TRANSPORT_RD, TRANSPORT_EXTENDED };
enum { EXTENDED_XRC = 1 };

static_assert(sizeof(struct cm_req_msg) == CM_MAD_SIZE);
static_assert(sizeof(struct cm_rej_msg) == CM_MAD_SIZE);
static_assert(sizeof(struct cm_sidr_rep_msg) == CM_MAD_SIZE);

/* ------------------------------------------------------------------------ *
 * Writing
 */

static void start(void *image, enum cm_msg_kind kind, __be64 tid)
{
	struct ib_mad_hdr *hdr = image;

	memset(image, 0, CM_MAD_SIZE);
	hdr->base_version = IB_MGMT_BASE_VERSION;
	hdr->mgmt_class = IB_MGMT_CLASS_CM;
	hdr->class_version = CM_CLASS_VERSION;
	hdr->method = IB_MGMT_METHOD_SEND;
	hdr->attr_id = cpu_to_be16(ATTR_FIRST + kind);
	hdr->tid = tid;
}

/* ECE: the vendor's attribute goes where 13.4.2 has the attribute modifier. */
static void put_ece_attr(void *image, const struct rdma_ucm_ece *ece)
{
	struct ib_mad_hdr *hdr = image;

	hdr->attr_mod = cpu_to_be32(ece->attr_mod);
}

/* Every message with two comm ids has them in the same place: the sender's, then the recipient's. */
static void put_ids(void *image, __be32 ours, __be32 theirs)
{
	IBA_SET(CM_RTU_LOCAL_COMM_ID, image, be32_to_cpu(ours));
	IBA_SET(CM_RTU_REMOTE_COMM_ID, image, be32_to_cpu(theirs));
}

static void put_bytes(void *field, size_t room, const void *data, size_t len)
{
	if (data && len)
		memcpy(field, data, min(len, room));
}

/*
 * One of a REQ's two paths; req points CM_REQ_PATH_STRIDE further for the second.
 * 12.6.5 with the LIDs' meaning in 12.7: LIDs that only the routers know are permissive.
 */
static void put_req_path(void *req, const struct sa_path_rec *path,
			 const struct sa_path_rec *inbound, u8 ack_delay)
{
	union ib_gid local = path->sgid, remote = path->dgid;
	bool on_subnet = path->hop_limit <= 1;
	u32 local_lid = 0, remote_lid = 0;

	if (path->rec_type == SA_PATH_REC_TYPE_OPA &&
	    opa_is_extended_lid(path->opa.dlid, path->opa.slid)) {
		/* LIDs over 16 bits travel in the GIDs. */
		local.global.interface_id = OPA_MAKE_ID(be32_to_cpu(path->opa.slid));
		remote.global.interface_id = OPA_MAKE_ID(be32_to_cpu(path->opa.dlid));
	} else if (path->rec_type == SA_PATH_REC_TYPE_OPA) {
		local_lid = be32_to_cpu(path->opa.slid);
		remote_lid = be32_to_cpu(path->opa.dlid);
	} else if (path->rec_type == SA_PATH_REC_TYPE_IB) {
		local_lid = be16_to_cpu(path->ib.slid);
		remote_lid = be16_to_cpu(path->ib.dlid);
	}

	if (!on_subnet) {
		local_lid = be16_to_cpu(inbound ? inbound->ib.dlid : IB_LID_PERMISSIVE);
		remote_lid = be16_to_cpu(IB_LID_PERMISSIVE);
	}

	IBA_SET(CM_REQ_PRIMARY_LOCAL_PORT_LID, req, local_lid);
	IBA_SET(CM_REQ_PRIMARY_REMOTE_PORT_LID, req, remote_lid);
	put_bytes(IBA_GET_MEM_PTR(CM_REQ_PRIMARY_LOCAL_PORT_GID, req), sizeof(local),
		  &local, sizeof(local));
	put_bytes(IBA_GET_MEM_PTR(CM_REQ_PRIMARY_REMOTE_PORT_GID, req), sizeof(remote),
		  &remote, sizeof(remote));
	IBA_SET(CM_REQ_PRIMARY_SUBNET_LOCAL, req, on_subnet);
	IBA_SET(CM_REQ_PRIMARY_FLOW_LABEL, req, be32_to_cpu(path->flow_label));
	IBA_SET(CM_REQ_PRIMARY_TRAFFIC_CLASS, req, path->traffic_class);
	IBA_SET(CM_REQ_PRIMARY_HOP_LIMIT, req, path->hop_limit);
	IBA_SET(CM_REQ_PRIMARY_PACKET_RATE, req, path->rate);
	IBA_SET(CM_REQ_PRIMARY_SL, req, path->sl);
	IBA_SET(CM_REQ_PRIMARY_LOCAL_ACK_TIMEOUT, req,
		cm_ack_time(ack_delay, path->packet_life_time));
}

/**
 * cm_msg_req - formats a REQ
 * @image: CM_MAD_SIZE bytes
 * @id: its tid, comm id and AV are filled in
 * @p: the caller's parameters, validated
 *
 * Context: any; under the id's lock.
 * Return: nothing.
 */
void cm_msg_req(void *image, const struct cm_id *id, const struct ib_cm_req_param *p)
{
	const struct cm_device *dev = id->av.port->dev;
	bool xrc = p->qp_type == IB_QPT_XRC_INI;

	start(image, CM_MSG_REQ, id->tid);
	put_ece_attr(image, &p->ece);
	IBA_SET(CM_REQ_VENDOR_ID, image, p->ece.vendor_id);

	IBA_SET(CM_REQ_LOCAL_COMM_ID, image, be32_to_cpu(id->pub.local_id));
	IBA_SET(CM_REQ_SERVICE_ID, image, be64_to_cpu(p->service_id));
	IBA_SET(CM_REQ_LOCAL_CA_GUID, image, be64_to_cpu(dev->guid));
	IBA_SET(CM_REQ_PARTITION_KEY, image, be16_to_cpu(p->primary_path->pkey));

	/* What the CM itself has to wait and to repeat. */
	IBA_SET(CM_REQ_LOCAL_CM_RESPONSE_TIMEOUT, image,
		min_t(u32, p->local_cm_response_timeout, MAX_TIME));
	IBA_SET(CM_REQ_REMOTE_CM_RESPONSE_TIMEOUT, image,
		min_t(u32, p->remote_cm_response_timeout, MAX_TIME));
	IBA_SET(CM_REQ_MAX_CM_RETRIES, image, min_t(u32, p->max_cm_retries, MAX_CM_RETRY));

	/* The queue pair. RDC exists, EECNs and Q_Key concern transports that no consumer has: 0. */
	if (xrc) {
		IBA_SET(CM_REQ_TRANSPORT_SERVICE_TYPE, image, TRANSPORT_EXTENDED);
		IBA_SET(CM_REQ_EXTENDED_TRANSPORT_TYPE, image, EXTENDED_XRC);
	} else {
		IBA_SET(CM_REQ_TRANSPORT_SERVICE_TYPE, image,
			p->qp_type == IB_QPT_UC ? TRANSPORT_UC : TRANSPORT_RC);
	}
	IBA_SET(CM_REQ_LOCAL_QPN, image, p->qp_num);
	IBA_SET(CM_REQ_STARTING_PSN, image, p->starting_psn);
	IBA_SET(CM_REQ_PATH_PACKET_PAYLOAD_MTU, image, p->primary_path->mtu);
	IBA_SET(CM_REQ_INITIATOR_DEPTH, image, p->initiator_depth);
	IBA_SET(CM_REQ_END_TO_END_FLOW_CONTROL, image, p->flow_control ? 1 : 0);
	/* An XRC initiator receives nothing, and its target sends nothing. */
	if (!xrc) {
		IBA_SET(CM_REQ_RESPONDER_RESOURCES, image, p->responder_resources);
		IBA_SET(CM_REQ_RETRY_COUNT, image, min_t(u32, p->retry_count, MAX_RETRY));
		IBA_SET(CM_REQ_RNR_RETRY_COUNT, image, min_t(u32, p->rnr_retry_count, MAX_RETRY));
		IBA_SET(CM_REQ_SRQ, image, p->srq ? 1 : 0);
	}

	put_req_path(image, p->primary_path, p->primary_path_inbound, dev->ack_delay);
	if (p->alternate_path)
		put_req_path(image + CM_REQ_PATH_STRIDE, p->alternate_path, NULL, dev->ack_delay);

	put_bytes(IBA_GET_MEM_PTR(CM_REQ_PRIVATE_DATA, image), IB_CM_REQ_PRIVATE_DATA_SIZE,
		  p->private_data, p->private_data_len);
}

/**
 * cm_msg_rep - formats a REP
 * @image: CM_MAD_SIZE bytes
 * @id: the id that got the REQ: comm ids, tid, AV and qp_type are filled in
 * @p: the caller's parameters, validated
 *
 * Context: any; under the id's lock.
 * Return: nothing.
 */
void cm_msg_rep(void *image, const struct cm_id *id, const struct ib_cm_rep_param *p)
{
	const struct cm_device *dev = id->av.port->dev;

	start(image, CM_MSG_REP, id->tid);
	put_ids(image, id->pub.local_id, id->pub.remote_id);
	IBA_SET(CM_REP_LOCAL_CA_GUID, image, be64_to_cpu(dev->guid));
	IBA_SET(CM_REP_TARGET_ACK_DELAY, image, min_t(u32, dev->ack_delay, MAX_TIME));

	put_ece_attr(image, &p->ece);
	IBA_SET(CM_REP_VENDOR_ID_H, image, p->ece.vendor_id >> 16);
	IBA_SET(CM_REP_VENDOR_ID_M, image, p->ece.vendor_id >> 8);
	IBA_SET(CM_REP_VENDOR_ID_L, image, p->ece.vendor_id);

	IBA_SET(CM_REP_STARTING_PSN, image, p->starting_psn);
	IBA_SET(CM_REP_RESPONDER_RESOURCES, image, p->responder_resources);
	IBA_SET(CM_REP_FAILOVER_ACCEPTED, image, p->failover_accepted);
	IBA_SET(CM_REP_RNR_RETRY_COUNT, image, min_t(u32, p->rnr_retry_count, MAX_RETRY));
	if (id->qp_type == IB_QPT_XRC_TGT) {
		/* A target's QPN stands in the EECN, and it always receives from an SRQ. */
		IBA_SET(CM_REP_LOCAL_EE_CONTEXT_NUMBER, image, p->qp_num);
		IBA_SET(CM_REP_SRQ, image, 1);
	} else {
		IBA_SET(CM_REP_LOCAL_QPN, image, p->qp_num);
		IBA_SET(CM_REP_SRQ, image, p->srq ? 1 : 0);
		IBA_SET(CM_REP_INITIATOR_DEPTH, image, p->initiator_depth);
		IBA_SET(CM_REP_END_TO_END_FLOW_CONTROL, image, p->flow_control ? 1 : 0);
	}

	put_bytes(IBA_GET_MEM_PTR(CM_REP_PRIVATE_DATA, image), IB_CM_REP_PRIVATE_DATA_SIZE,
		  p->private_data, p->private_data_len);
}

/**
 * cm_msg_rtu - formats an RTU
 * @image: CM_MAD_SIZE bytes
 * @id: the id that got the REP
 * @data: private data, or NULL
 * @len: its length
 *
 * Context: any; under the id's lock.
 * Return: nothing.
 */
void cm_msg_rtu(void *image, const struct cm_id *id, const void *data, u8 len)
{
	start(image, CM_MSG_RTU, id->tid);
	put_ids(image, id->pub.local_id, id->pub.remote_id);
	put_bytes(IBA_GET_MEM_PTR(CM_RTU_PRIVATE_DATA, image), IB_CM_RTU_PRIVATE_DATA_SIZE,
		  data, len);
}

/**
 * cm_msg_mra - formats an MRA
 * @image: CM_MAD_SIZE bytes
 * @id: the id that got the message
 * @about: which message is acknowledged
 * @service_timeout: how long its answer may still take, 4.096 us x 2^n
 * @data: private data, or NULL
 * @len: its length
 * @tid: of the message
 *
 * Context: any; under the id's lock.
 * Return: nothing.
 */
void cm_msg_mra(void *image, const struct cm_id *id, enum cm_msg_about about,
		u8 service_timeout, const void *data, u8 len, __be64 tid)
{
	start(image, CM_MSG_MRA, tid);
	put_ids(image, id->pub.local_id, id->pub.remote_id);
	IBA_SET(CM_MRA_MESSAGE_MRAED, image, about);
	IBA_SET(CM_MRA_SERVICE_TIMEOUT, image, min_t(u32, service_timeout, MAX_TIME));
	put_bytes(IBA_GET_MEM_PTR(CM_MRA_PRIVATE_DATA, image), IB_CM_MRA_PRIVATE_DATA_SIZE,
		  data, len);
}

static void put_rej(void *image, enum cm_msg_about about, const struct cm_rej_args *args)
{
	IBA_SET(CM_REJ_MESSAGE_REJECTED, image, about);
	IBA_SET(CM_REJ_REASON, image, args->reason);
	if (args->ari && args->ari_len) {
		IBA_SET(CM_REJ_REJECTED_INFO_LENGTH, image,
			min_t(u32, args->ari_len, IB_CM_REJ_ARI_LENGTH));
		put_bytes(IBA_GET_MEM_PTR(CM_REJ_ARI, image), IB_CM_REJ_ARI_LENGTH,
			  args->ari, args->ari_len);
	}
	put_bytes(IBA_GET_MEM_PTR(CM_REJ_PRIVATE_DATA, image), IB_CM_REJ_PRIVATE_DATA_SIZE,
		  args->data, args->data_len);
}

/**
 * cm_msg_rej - formats a REJ of an id
 * @image: CM_MAD_SIZE bytes
 * @id: the id
 * @about: which message is rejected
 * @args: why; a time-out (12.6.7) comes with our CA GUID as additional information
 *
 * Context: any; under the id's lock.
 * Return: nothing.
 */
void cm_msg_rej(void *image, const struct cm_id *id, enum cm_msg_about about,
		const struct cm_rej_args *args)
{
	__be32 ours = id->pub.local_id;

	/* 12.6.7: no comm id of ours unless the peer has been told of it, by an MRA. */
	if (about == CM_ABOUT_REQ && !id->told)
		ours = 0;

	start(image, CM_MSG_REJ, id->tid);
	put_ids(image, ours, id->pub.remote_id);
	put_rej(image, about, args);
}

/**
 * cm_msg_dreq - formats a DREQ, the same for every repetition
 * @image: CM_MAD_SIZE bytes
 * @id: the id of the connection
 * @data: private data, or NULL
 * @len: its length
 *
 * Context: any; under the id's lock.
 * Return: nothing.
 */
void cm_msg_dreq(void *image, const struct cm_id *id, const void *data, u8 len)
{
	/* A transaction of its own, so not the REQ's TID, but one that can be told from it. */
	start(image, CM_MSG_DREQ, cpu_to_be64(be64_to_cpu(id->tid) + 1));
	put_ids(image, id->pub.local_id, id->pub.remote_id);
	IBA_SET(CM_DREQ_REMOTE_QPN_EECN, image, id->remote_qpn);
	put_bytes(IBA_GET_MEM_PTR(CM_DREQ_PRIVATE_DATA, image), IB_CM_DREQ_PRIVATE_DATA_SIZE,
		  data, len);
}

/**
 * cm_msg_drep - formats a DREP
 * @image: CM_MAD_SIZE bytes
 * @id: the id of the connection
 * @tid: of the DREQ
 * @data: private data, or NULL
 * @len: its length
 *
 * Context: any; under the id's lock.
 * Return: nothing.
 */
void cm_msg_drep(void *image, const struct cm_id *id, __be64 tid, const void *data, u8 len)
{
	start(image, CM_MSG_DREP, tid);
	put_ids(image, id->pub.local_id, id->pub.remote_id);
	put_bytes(IBA_GET_MEM_PTR(CM_DREP_PRIVATE_DATA, image), IB_CM_DREP_PRIVATE_DATA_SIZE,
		  data, len);
}

/**
 * cm_msg_sidr_req - formats a SIDR_REQ
 * @image: CM_MAD_SIZE bytes
 * @id: the id; its comm id serves as request id
 * @p: the caller's parameters, validated
 *
 * Context: any; under the id's lock.
 * Return: nothing.
 */
void cm_msg_sidr_req(void *image, const struct cm_id *id, const struct ib_cm_sidr_req_param *p)
{
	start(image, CM_MSG_SIDR_REQ, id->tid);
	IBA_SET(CM_SIDR_REQ_REQUESTID, image, be32_to_cpu(id->pub.local_id));
	IBA_SET(CM_SIDR_REQ_PARTITION_KEY, image, be16_to_cpu(p->path->pkey));
	IBA_SET(CM_SIDR_REQ_SERVICEID, image, be64_to_cpu(p->service_id));
	put_bytes(IBA_GET_MEM_PTR(CM_SIDR_REQ_PRIVATE_DATA, image),
		  IB_CM_SIDR_REQ_PRIVATE_DATA_SIZE, p->private_data, p->private_data_len);
}

static void start_sidr_rep(void *image, __be64 tid, __be32 request_id, __be64 service_id,
			   enum ib_cm_sidr_status status)
{
	start(image, CM_MSG_SIDR_REP, tid);
	IBA_SET(CM_SIDR_REP_REQUESTID, image, be32_to_cpu(request_id));
	IBA_SET(CM_SIDR_REP_SERVICEID, image, be64_to_cpu(service_id));
	IBA_SET(CM_SIDR_REP_STATUS, image, status);
}

/**
 * cm_msg_sidr_rep - formats a SIDR_REP of an id
 * @image: CM_MAD_SIZE bytes
 * @id: the id that got the SIDR_REQ
 * @p: the caller's parameters, validated
 *
 * Context: any; under the id's lock.
 * Return: nothing.
 */
void cm_msg_sidr_rep(void *image, const struct cm_id *id, const struct ib_cm_sidr_rep_param *p)
{
	start_sidr_rep(image, id->tid, id->pub.remote_id, id->pub.service_id, p->status);
	put_ece_attr(image, &p->ece);
	IBA_SET(CM_SIDR_REP_VENDOR_ID_H, image, p->ece.vendor_id >> 8);
	IBA_SET(CM_SIDR_REP_VENDOR_ID_L, image, p->ece.vendor_id);
	IBA_SET(CM_SIDR_REP_QPN, image, p->qp_num);
	IBA_SET(CM_SIDR_REP_Q_KEY, image, p->qkey);
	if (p->info && p->info_length) {
		IBA_SET(CM_SIDR_REP_ADDITIONAL_INFORMATION_LENGTH, image,
			min_t(u32, p->info_length, IB_CM_SIDR_REP_INFO_LENGTH));
		put_bytes(IBA_GET_MEM_PTR(CM_SIDR_REP_ADDITIONAL_INFORMATION, image),
			  IB_CM_SIDR_REP_INFO_LENGTH, p->info, p->info_length);
	}
	put_bytes(IBA_GET_MEM_PTR(CM_SIDR_REP_PRIVATE_DATA, image),
		  IB_CM_SIDR_REP_PRIVATE_DATA_SIZE, p->private_data, p->private_data_len);
}

/**
 * cm_msg_reply_rej - formats a REJ that no id stands behind
 * @image: CM_MAD_SIZE bytes
 * @in: the message that is rejected
 * @args: why
 *
 * The comm id that the peer addressed, if its message has one, comes back as the
 * sender's: that is how the peer finds what the REJ is about (12.6.7).
 *
 * Context: any.
 * Return: nothing.
 */
void cm_msg_reply_rej(void *image, const struct ib_mad *in, const struct cm_rej_args *args)
{
	enum cm_msg_about about = CM_ABOUT_OTHER;
	enum cm_msg_kind kind;

	if (cm_msg_known(in, &kind)) {
		if (kind == CM_MSG_REQ)
			about = CM_ABOUT_REQ;
		else if (kind == CM_MSG_REP)
			about = CM_ABOUT_REP;
	}

	start(image, CM_MSG_REJ, in->mad_hdr.tid);
	put_ids(image, cm_msg_remote_comm_id(in), cm_msg_local_comm_id(in));
	put_rej(image, about, args);
}

/**
 * cm_msg_reply_drep - formats a DREP that no id stands behind
 * @image: CM_MAD_SIZE bytes
 * @in: the DREQ
 * @data: private data of the DREP that was lost, or NULL
 * @len: its length
 *
 * Context: any.
 * Return: nothing.
 */
void cm_msg_reply_drep(void *image, const struct ib_mad *in, const void *data, u8 len)
{
	start(image, CM_MSG_DREP, in->mad_hdr.tid);
	put_ids(image, cm_msg_remote_comm_id(in), cm_msg_local_comm_id(in));
	put_bytes(IBA_GET_MEM_PTR(CM_DREP_PRIVATE_DATA, image), IB_CM_DREP_PRIVATE_DATA_SIZE,
		  data, len);
}

/**
 * cm_msg_reply_sidr_rep - formats a SIDR_REP that no id stands behind
 * @image: CM_MAD_SIZE bytes
 * @in: the SIDR_REQ
 * @status: why there is no queue pair
 *
 * Context: any.
 * Return: nothing.
 */
void cm_msg_reply_sidr_rep(void *image, const struct ib_mad *in, enum ib_cm_sidr_status status)
{
	start_sidr_rep(image, in->mad_hdr.tid, cm_msg_local_comm_id(in),
		       cm_msg_service_id(in), status);
}

/* ------------------------------------------------------------------------ *
 * Reading: IBA_GET() wants the message's type, so a datagram is seen as bytes.
 */

/**
 * cm_msg_known - which message is it?
 * @in: the datagram
 * @kind: filled in, if it is one
 *
 * Context: any.
 * Return: whether the attribute id is one of the eleven.
 */
bool cm_msg_known(const struct ib_mad *in, enum cm_msg_kind *kind)
{
	u16 nth = be16_to_cpu(in->mad_hdr.attr_id) - ATTR_FIRST;

	BUILD_BUG_ON(CM_MSG_KINDS != 11 || CM_MSG_SIDR_REP != 8 || CM_MSG_APR != 10);
	if (nth >= CM_MSG_KINDS)
		return false;
	*kind = nth;
	return true;
}

/* CM_MSG_KINDS: none. */
static enum cm_msg_kind kind_of(const struct ib_mad *in)
{
	enum cm_msg_kind kind;

	return cm_msg_known(in, &kind) ? kind : CM_MSG_KINDS;
}

/**
 * cm_msg_local_comm_id - the sender's comm id
 * @in: the datagram
 *
 * Context: any.
 * Return: the comm id; of SIDR_REQ and SIDR_REP, the request id.
 */
__be32 cm_msg_local_comm_id(const struct ib_mad *in)
{
	const void *msg = in;

	/* First in all eleven, request ids included. */
	return cpu_to_be32(IBA_GET(CM_RTU_LOCAL_COMM_ID, msg));
}

/**
 * cm_msg_remote_comm_id - the recipient's comm id
 * @in: the datagram
 *
 * Context: any.
 * Return: the comm id; of a SIDR_REP, the request id, which was the requester's
 * comm id; 0 of a REQ or SIDR_REQ, which address a service.
 */
__be32 cm_msg_remote_comm_id(const struct ib_mad *in)
{
	const void *msg = in;

	switch (kind_of(in)) {
	case CM_MSG_REQ:
	case CM_MSG_SIDR_REQ:
		return 0;
	case CM_MSG_SIDR_REP:
		return cpu_to_be32(IBA_GET(CM_SIDR_REP_REQUESTID, msg));
	default:
		return cpu_to_be32(IBA_GET(CM_RTU_REMOTE_COMM_ID, msg));
	}
}

/**
 * cm_req_qp_type - which kind of queue pair a REQ asks for
 * @in: the REQ
 *
 * Context: any.
 * Return: the type on our side; IB_QPT_MAX for a transport that we do not
 * have (to be rejected, reason 9).
 */
enum ib_qp_type cm_req_qp_type(const struct ib_mad *in)
{
	const void *msg = in;

	switch (IBA_GET(CM_REQ_TRANSPORT_SERVICE_TYPE, msg)) {
	case TRANSPORT_RC:
		return IB_QPT_RC;
	case TRANSPORT_UC:
		return IB_QPT_UC;
	case TRANSPORT_EXTENDED:
		if (IBA_GET(CM_REQ_EXTENDED_TRANSPORT_TYPE, msg) == EXTENDED_XRC)
			return IB_QPT_XRC_TGT;
		break;
	}
	return IB_QPT_MAX;
}

/**
 * cm_req_qpn - the queue pair that a REQ speaks for
 * @in: the REQ
 *
 * Context: any.
 * Return: its number; an XRC initiator gives it in the same place as others.
 */
u32 cm_req_qpn(const struct ib_mad *in)
{
	const void *msg = in;

	return IBA_GET(CM_REQ_LOCAL_QPN, msg);
}

/**
 * cm_rep_qpn - the queue pair that a REP speaks for
 * @in: the REP
 * @qp_type: ours
 *
 * Context: any.
 * Return: its number; an XRC target gives it as EECN.
 */
u32 cm_rep_qpn(const struct ib_mad *in, enum ib_qp_type qp_type)
{
	const void *msg = in;

	if (qp_type == IB_QPT_XRC_INI)
		return IBA_GET(CM_REP_LOCAL_EE_CONTEXT_NUMBER, msg);
	return IBA_GET(CM_REP_LOCAL_QPN, msg);
}

/**
 * cm_dreq_qpn - the queue pair of ours that a DREQ or LAP names
 * @in: the DREQ or LAP
 *
 * Context: any.
 * Return: its number.
 */
u32 cm_dreq_qpn(const struct ib_mad *in)
{
	const void *msg = in;

	if (kind_of(in) == CM_MSG_LAP)
		return IBA_GET(CM_LAP_REMOTE_QPN_EECN, msg);
	return IBA_GET(CM_DREQ_REMOTE_QPN_EECN, msg);
}

/**
 * cm_msg_ca_guid - who sent a REQ or REP
 * @in: the datagram
 *
 * Context: any.
 * Return: the CA GUID; 0 of any other message.
 */
__be64 cm_msg_ca_guid(const struct ib_mad *in)
{
	const void *msg = in;

	switch (kind_of(in)) {
	case CM_MSG_REQ:
		return cpu_to_be64(IBA_GET(CM_REQ_LOCAL_CA_GUID, msg));
	case CM_MSG_REP:
		return cpu_to_be64(IBA_GET(CM_REP_LOCAL_CA_GUID, msg));
	default:
		return 0;
	}
}

/**
 * cm_msg_service_id - the service that a message is about
 * @in: the datagram
 *
 * Context: any.
 * Return: the service id of a REQ, SIDR_REQ or SIDR_REP; 0 of any other message.
 */
__be64 cm_msg_service_id(const struct ib_mad *in)
{
	const void *msg = in;

	switch (kind_of(in)) {
	case CM_MSG_REQ:
		return cpu_to_be64(IBA_GET(CM_REQ_SERVICE_ID, msg));
	case CM_MSG_SIDR_REQ:
		return cpu_to_be64(IBA_GET(CM_SIDR_REQ_SERVICEID, msg));
	default:
		return 0;
	}
}

/**
 * cm_msg_about - which message an MRA acknowledges
 * @in: the MRA
 *
 * Context: any.
 * Return: enum cm_msg_about, or 3, which has no meaning.
 */
u8 cm_msg_about(const struct ib_mad *in)
{
	const void *msg = in;

	return IBA_GET(CM_MRA_MESSAGE_MRAED, msg);
}

/**
 * cm_rej_reason - why a REJ rejects
 * @in: the REJ
 *
 * Context: any.
 * Return: the code, which need not be one of enum ib_cm_rej_reason.
 */
u16 cm_rej_reason(const struct ib_mad *in)
{
	const void *msg = in;

	return IBA_GET(CM_REJ_REASON, msg);
}

/**
 * cm_rej_ca_guid - who gave up, of a REJ with reason "time-out"
 * @in: the REJ
 *
 * Context: any.
 * Return: the sender's CA GUID, or 0 if it does not name one.
 */
__be64 cm_rej_ca_guid(const struct ib_mad *in)
{
	const void *msg = in;
	__be64 guid = 0;

	if (cm_rej_reason(in) == IB_CM_REJ_TIMEOUT &&
	    IBA_GET(CM_REJ_REJECTED_INFO_LENGTH, msg) >= sizeof(guid))
		memcpy(&guid, IBA_GET_MEM_PTR(CM_REJ_ARI, (void *)msg), sizeof(guid));
	return guid;
}

/**
 * cm_mra_service_timeout - how much longer an answer may take
 * @in: the MRA
 *
 * Context: any.
 * Return: exponent of 4.096 us x 2^n, 0 to 31: capping it is the caller's.
 */
u8 cm_mra_service_timeout(const struct ib_mad *in)
{
	const void *msg = in;

	return IBA_GET(CM_MRA_SERVICE_TIMEOUT, msg);
}

/* ------------------------------------------------------------------------ *
 * The id's fields. Where the peer says what it can initiate and answer, ours is the other way round.
 * A starting PSN (12.7) is where the recipient's send queue starts, so ours starts at the peer's.
 */

static void ece_of_req(struct rdma_ucm_ece *ece, const struct ib_mad *in)
{
	const void *msg = in;

	ece->vendor_id = IBA_GET(CM_REQ_VENDOR_ID, msg);
	ece->attr_mod = be32_to_cpu(in->mad_hdr.attr_mod);
}

static void ece_of_rep(struct rdma_ucm_ece *ece, const struct ib_mad *in)
{
	const void *msg = in;

	ece->vendor_id = (u32)IBA_GET(CM_REP_VENDOR_ID_H, msg) << 16 |
			 (u32)IBA_GET(CM_REP_VENDOR_ID_M, msg) << 8 |
			 IBA_GET(CM_REP_VENDOR_ID_L, msg);
	ece->attr_mod = be32_to_cpu(in->mad_hdr.attr_mod);
}

/**
 * cm_id_take_req - stores what a REQ says
 * @id: the id that stands for the request
 * @in: the REQ
 *
 * Context: any; under the id's lock, or before its publication.
 * Return: nothing.
 */
void cm_id_take_req(struct cm_id *id, const struct ib_mad *in)
{
	const void *msg = in;

	id->tid = in->mad_hdr.tid;
	id->pub.remote_id = cm_msg_local_comm_id(in);
	id->pub.service_id = cm_msg_service_id(in);

	/* How long our REP waits for its RTU is the peer's choice, within reason. */
	id->timeout_ms = cm_time_ms(min_t(u32, IBA_GET(CM_REQ_LOCAL_CM_RESPONSE_TIMEOUT, msg),
					  CM_PEER_TIMEOUT_MAX));
	id->max_retries = IBA_GET(CM_REQ_MAX_CM_RETRIES, msg);
	id->remote_timeout = IBA_GET(CM_REQ_REMOTE_CM_RESPONSE_TIMEOUT, msg);

	id->qp_type = cm_req_qp_type(in);
	id->remote_qpn = cm_req_qpn(in);
	id->sq_psn = IBA_GET(CM_REQ_STARTING_PSN, msg);
	id->path_mtu = IBA_GET(CM_REQ_PATH_PACKET_PAYLOAD_MTU, msg);
	id->initiator_depth = IBA_GET(CM_REQ_RESPONDER_RESOURCES, msg);
	id->responder_resources = IBA_GET(CM_REQ_INITIATOR_DEPTH, msg);
	id->retry_count = IBA_GET(CM_REQ_RETRY_COUNT, msg);
	id->rnr_retry_count = IBA_GET(CM_REQ_RNR_RETRY_COUNT, msg);
	ece_of_req(&id->ece, in);
}

/* What the peer adds to the ACK time-out of a path; life time + 1 stood there before. */
static void add_target_delay(struct cm_av *av, u8 delay)
{
	if (av->port)
		av->timeout = cm_ack_time(delay, max_t(u32, av->timeout, 1) - 1);
}

/**
 * cm_id_take_rep - stores what a REP says
 * @id: the id whose REQ it answers
 * @in: the REP
 *
 * Once per attempt: the ACK time-outs of the paths grow by the peer's delay.
 *
 * Context: any; under the id's lock.
 * Return: nothing.
 */
void cm_id_take_rep(struct cm_id *id, const struct ib_mad *in)
{
	const void *msg = in;

	id->pub.remote_id = cm_msg_local_comm_id(in);

	id->remote_qpn = cm_rep_qpn(in, id->qp_type);
	id->sq_psn = IBA_GET(CM_REP_STARTING_PSN, msg);
	id->initiator_depth = IBA_GET(CM_REP_RESPONDER_RESOURCES, msg);
	id->responder_resources = IBA_GET(CM_REP_INITIATOR_DEPTH, msg);
	id->rnr_retry_count = IBA_GET(CM_REP_RNR_RETRY_COUNT, msg);
	ece_of_rep(&id->ece, in);

	id->target_ack_delay = IBA_GET(CM_REP_TARGET_ACK_DELAY, msg);
	add_target_delay(&id->av, id->target_ack_delay);
	if (id->alt)
		add_target_delay(id->alt, id->target_ack_delay);
}

/**
 * cm_id_take_sidr_req - stores what a SIDR_REQ says
 * @id: the id that stands for the request
 * @in: the SIDR_REQ
 *
 * Context: any; under the id's lock, or before its publication.
 * Return: nothing.
 */
void cm_id_take_sidr_req(struct cm_id *id, const struct ib_mad *in)
{
	id->tid = in->mad_hdr.tid;
	id->pub.remote_id = cm_msg_local_comm_id(in);
	id->pub.service_id = cm_msg_service_id(in);
}

/**
 * cm_id_give_req - stores what a consumer asks for with a REQ
 * @id: the id
 * @p: the caller's parameters, validated
 *
 * Context: any; under the id's lock.
 * Return: nothing.
 */
void cm_id_give_req(struct cm_id *id, const struct ib_cm_req_param *p)
{
	id->pub.service_id = p->service_id;
	id->pub.remote_id = 0;

	/* There and back, and what the peer takes to answer. */
	id->timeout_ms = 2 * cm_time_ms(p->primary_path->packet_life_time) +
			 cm_time_ms(p->remote_cm_response_timeout);
	id->max_retries = min_t(u32, p->max_cm_retries, MAX_CM_RETRY);
	id->remote_timeout = min_t(u32, p->remote_cm_response_timeout, MAX_TIME);

	id->qp_type = p->qp_type;
	id->local_qpn = p->qp_num & QPN_MASK;
	id->remote_qpn = 0;
	id->rq_psn = p->starting_psn & PSN_MASK;
	id->path_mtu = p->primary_path->mtu;
	id->initiator_depth = p->initiator_depth;
	id->responder_resources = p->responder_resources;
	id->retry_count = min_t(u32, p->retry_count, MAX_RETRY);
	id->rnr_retry_count = min_t(u32, p->rnr_retry_count, MAX_RETRY);
}

/**
 * cm_id_give_rep - stores what a consumer grants with a REP
 * @id: the id
 * @p: the caller's parameters, validated
 *
 * Context: any; under the id's lock.
 * Return: nothing.
 */
void cm_id_give_rep(struct cm_id *id, const struct ib_cm_rep_param *p)
{
	id->local_qpn = p->qp_num & QPN_MASK;
	id->rq_psn = p->starting_psn & PSN_MASK;
	id->initiator_depth = p->initiator_depth;
	id->responder_resources = p->responder_resources;
}

/**
 * cm_id_give_sidr_req - stores what a consumer asks for with a SIDR_REQ
 * @id: the id
 * @p: the caller's parameters, validated
 *
 * Context: any; under the id's lock.
 * Return: nothing.
 */
void cm_id_give_sidr_req(struct cm_id *id, const struct ib_cm_sidr_req_param *p)
{
	id->pub.service_id = p->service_id;
	id->pub.remote_id = 0;
	id->timeout_ms = min_t(unsigned long, p->timeout_ms, INT_MAX);
	id->max_retries = p->max_cm_retries;
}

/* ------------------------------------------------------------------------ *
 * Events
 */

/*
 * Where the request came in. The id's record knows, until the peer or the caller
 * ends the attempt: then nobody needs it any more, and the path's port will do.
 */
static const struct cm_port *arrival_port(const struct cm_id *id)
{
	const struct cm_port *port = NULL;
	const struct cm_rec *rec;

	rcu_read_lock();
	rec = READ_ONCE(id->rec);
	if (rec)
		port = READ_ONCE(rec->port);
	rcu_read_unlock();

	return port ?: READ_ONCE(id->av.port);
}

/* The P_Key of the packet itself; 0, which no packet can have, if the table has changed since. */
static u16 bth_pkey(const struct cm_port *port, const struct ib_mad_recv_wc *wc)
{
	u16 pkey;

	if (!port ||
	    ib_get_cached_pkey(port->dev->ibdev, port->num, wc->wc->pkey_index, &pkey))
		return 0;
	return pkey;
}

static void req_event(struct ib_cm_event *ev, const struct cm_id *id,
		      const struct ib_mad_recv_wc *wc)
{
	struct ib_cm_req_event_param *param = &ev->param.req_rcvd;
	const struct cm_port *port = READ_ONCE(id->av.port);
	void *msg = wc->recv_buf.mad;

	param->port = port ? port->num : 0;
	param->bth_pkey = bth_pkey(arrival_port(id), wc);
	param->ppath_sgid_attr = id->av.attr.grh.sgid_attr;

	param->remote_ca_guid = cm_msg_ca_guid(msg);
	param->remote_qkey = IBA_GET(CM_REQ_LOCAL_Q_KEY, msg);
	param->remote_qpn = cm_req_qpn(msg);
	param->qp_type = cm_req_qp_type(msg);
	param->starting_psn = IBA_GET(CM_REQ_STARTING_PSN, msg);
	/* Seen from our side, like the id's fields. */
	param->responder_resources = IBA_GET(CM_REQ_INITIATOR_DEPTH, msg);
	param->initiator_depth = IBA_GET(CM_REQ_RESPONDER_RESOURCES, msg);
	param->local_cm_response_timeout = IBA_GET(CM_REQ_REMOTE_CM_RESPONSE_TIMEOUT, msg);
	param->remote_cm_response_timeout = IBA_GET(CM_REQ_LOCAL_CM_RESPONSE_TIMEOUT, msg);
	param->flow_control = IBA_GET(CM_REQ_END_TO_END_FLOW_CONTROL, msg);
	param->retry_count = IBA_GET(CM_REQ_RETRY_COUNT, msg);
	param->rnr_retry_count = IBA_GET(CM_REQ_RNR_RETRY_COUNT, msg);
	param->srq = IBA_GET(CM_REQ_SRQ, msg);
	ece_of_req(&param->ece, msg);

	ev->private_data = IBA_GET_MEM_PTR(CM_REQ_PRIVATE_DATA, msg);
}

static void rep_event(struct ib_cm_event *ev, const struct cm_id *id, void *msg)
{
	struct ib_cm_rep_event_param *param = &ev->param.rep_rcvd;

	param->remote_ca_guid = cm_msg_ca_guid(msg);
	param->remote_qkey = IBA_GET(CM_REP_LOCAL_Q_KEY, msg);
	param->remote_qpn = cm_rep_qpn(msg, id->qp_type);
	param->starting_psn = IBA_GET(CM_REP_STARTING_PSN, msg);
	param->responder_resources = IBA_GET(CM_REP_INITIATOR_DEPTH, msg);
	param->initiator_depth = IBA_GET(CM_REP_RESPONDER_RESOURCES, msg);
	param->target_ack_delay = IBA_GET(CM_REP_TARGET_ACK_DELAY, msg);
	param->failover_accepted = IBA_GET(CM_REP_FAILOVER_ACCEPTED, msg);
	param->flow_control = IBA_GET(CM_REP_END_TO_END_FLOW_CONTROL, msg);
	param->rnr_retry_count = IBA_GET(CM_REP_RNR_RETRY_COUNT, msg);
	param->srq = IBA_GET(CM_REP_SRQ, msg);
	ece_of_rep(&param->ece, msg);

	ev->private_data = IBA_GET_MEM_PTR(CM_REP_PRIVATE_DATA, msg);
}

static void rej_event(struct ib_cm_event *ev, void *msg)
{
	struct ib_cm_rej_event_param *param = &ev->param.rej_rcvd;

	param->reason = cm_rej_reason(msg);
	param->ari = IBA_GET_MEM_PTR(CM_REJ_ARI, msg);
	param->ari_length = min_t(u32, IBA_GET(CM_REJ_REJECTED_INFO_LENGTH, msg),
				  IB_CM_REJ_ARI_LENGTH);

	ev->private_data = IBA_GET_MEM_PTR(CM_REJ_PRIVATE_DATA, msg);
}

static void apr_event(struct ib_cm_event *ev, void *msg)
{
	struct ib_cm_apr_event_param *param = &ev->param.apr_rcvd;

	param->ap_status = IBA_GET(CM_APR_AR_STATUS, msg);
	param->apr_info = IBA_GET_MEM_PTR(CM_APR_ADDITIONAL_INFORMATION, msg);
	param->info_len = min_t(u32, IBA_GET(CM_APR_ADDITIONAL_INFORMATION_LENGTH, msg),
				IB_CM_APR_INFO_LENGTH);

	ev->private_data = IBA_GET_MEM_PTR(CM_APR_PRIVATE_DATA, msg);
}

static void sidr_req_event(struct ib_cm_event *ev, const struct cm_id *id,
			   const struct ib_mad_recv_wc *wc)
{
	struct ib_cm_sidr_req_event_param *param = &ev->param.sidr_req_rcvd;
	const struct cm_port *port = arrival_port(id);
	void *msg = wc->recv_buf.mad;

	param->port = port ? port->num : 0;
	param->bth_pkey = bth_pkey(port, wc);
	param->sgid_attr = id->av.attr.grh.sgid_attr;
	param->service_id = cm_msg_service_id(msg);
	param->pkey = IBA_GET(CM_SIDR_REQ_PARTITION_KEY, msg);

	ev->private_data = IBA_GET_MEM_PTR(CM_SIDR_REQ_PRIVATE_DATA, msg);
}

static void sidr_rep_event(struct ib_cm_event *ev, const struct cm_id *id, void *msg)
{
	struct ib_cm_sidr_rep_event_param *param = &ev->param.sidr_rep_rcvd;

	param->status = IBA_GET(CM_SIDR_REP_STATUS, msg);
	param->qkey = IBA_GET(CM_SIDR_REP_Q_KEY, msg);
	param->qpn = IBA_GET(CM_SIDR_REP_QPN, msg);
	param->info = IBA_GET_MEM_PTR(CM_SIDR_REP_ADDITIONAL_INFORMATION, msg);
	param->info_len = min_t(u32, IBA_GET(CM_SIDR_REP_ADDITIONAL_INFORMATION_LENGTH, msg),
				IB_CM_SIDR_REP_INFO_LENGTH);
	param->sgid_attr = id->av.attr.grh.sgid_attr;

	ev->private_data = IBA_GET_MEM_PTR(CM_SIDR_REP_PRIVATE_DATA, msg);
}

/**
 * cm_event_from_msg - builds the consumer's event from a datagram
 * @ev: zeroed; event.c adds path pointers and the listener, and replaces the
 *      GID attributes, borrowed from the id's AV, by ones that it holds
 * @id: the id that it is delivered on
 * @wc: the datagram, of any of the eleven kinds; it outlives @ev
 *
 * Context: any. The id's lock need not be held.
 * Return: nothing.
 */
void cm_event_from_msg(struct ib_cm_event *ev, const struct cm_id *id,
		       const struct ib_mad_recv_wc *wc)
{
	void *msg = wc->recv_buf.mad;

	switch (kind_of(msg)) {
	case CM_MSG_REQ:
		ev->event = IB_CM_REQ_RECEIVED;
		req_event(ev, id, wc);
		break;
	case CM_MSG_MRA:
		ev->event = IB_CM_MRA_RECEIVED;
		ev->param.mra_rcvd.service_timeout = cm_mra_service_timeout(msg);
		ev->private_data = IBA_GET_MEM_PTR(CM_MRA_PRIVATE_DATA, msg);
		break;
	case CM_MSG_REJ:
		ev->event = IB_CM_REJ_RECEIVED;
		rej_event(ev, msg);
		break;
	case CM_MSG_REP:
		ev->event = IB_CM_REP_RECEIVED;
		rep_event(ev, id, msg);
		break;
	case CM_MSG_RTU:
		ev->event = IB_CM_RTU_RECEIVED;
		ev->private_data = IBA_GET_MEM_PTR(CM_RTU_PRIVATE_DATA, msg);
		break;
	case CM_MSG_DREQ:
		ev->event = IB_CM_DREQ_RECEIVED;
		ev->private_data = IBA_GET_MEM_PTR(CM_DREQ_PRIVATE_DATA, msg);
		break;
	case CM_MSG_DREP:
		ev->event = IB_CM_DREP_RECEIVED;
		ev->private_data = IBA_GET_MEM_PTR(CM_DREP_PRIVATE_DATA, msg);
		break;
	case CM_MSG_SIDR_REQ:
		ev->event = IB_CM_SIDR_REQ_RECEIVED;
		sidr_req_event(ev, id, wc);
		break;
	case CM_MSG_SIDR_REP:
		ev->event = IB_CM_SIDR_REP_RECEIVED;
		sidr_rep_event(ev, id, msg);
		break;
	case CM_MSG_LAP:
		ev->event = IB_CM_LAP_RECEIVED;
		ev->private_data = IBA_GET_MEM_PTR(CM_LAP_PRIVATE_DATA, msg);
		break;
	case CM_MSG_APR:
		ev->event = IB_CM_APR_RECEIVED;
		apr_event(ev, msg);
		break;
	case CM_MSG_KINDS:
		break;
	}
}
