/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The wire format of the eleven messages (IBTA vol. 1, 12.6 - 12.11), over the
 * kernel's public field accessors.
 *
 * Owns: every byte of an outgoing message, and reading what the classifier and
 * the delivery need from an incoming one. An outgoing image is 256 bytes and is
 * zeroed first, so that no tail carries stale memory.
 */
#ifndef CM_MSG_H
#define CM_MSG_H

#include <rdma/ib_cm.h>
#include <rdma/ib_mad.h>
#include <rdma/ibta_vol1_c12.h>

#include "stats.h"

#define CM_CLASS_VERSION	2
#define CM_MAD_SIZE		256

/* Table 106: the alternate path's fields of a REQ repeat the primary path's, so many bytes further on. */
#define CM_REQ_PATH_STRIDE	44

/*
 * The longest wait that a peer may choose for us (4.096 us x 2^n: 8.6 s), so
 * that a REQ cannot keep our REP going for hours; with 15 retries, 2.3 minutes.
 */
#define CM_PEER_TIMEOUT_MAX	21

struct cm_id;

/* MsgRejected and MessageMRAed, tables of 12.6.6 and 12.6.7 */
enum cm_msg_about { CM_ABOUT_REQ, CM_ABOUT_REP, CM_ABOUT_OTHER };

/* Additional reject information and private data, as a caller gave them. */
struct cm_rej_args {
	u16 reason;		/* enum ib_cm_rej_reason */
	const void *ari;
	const void *data;
	u8 ari_len;
	u8 data_len;
};

/*
 * Formatting: image is CM_MAD_SIZE bytes. The id's lock is held; the id's
 * fields (tid, comm ids, QPNs, AV, ...) are what goes in. Nothing is validated here: api.c did.
 */
void cm_msg_req(void *image, const struct cm_id *id, const struct ib_cm_req_param *p);
void cm_msg_rep(void *image, const struct cm_id *id, const struct ib_cm_rep_param *p);
void cm_msg_rtu(void *image, const struct cm_id *id, const void *data, u8 len);
void cm_msg_mra(void *image, const struct cm_id *id, enum cm_msg_about about,
		u8 service_timeout, const void *data, u8 len, __be64 tid);
void cm_msg_rej(void *image, const struct cm_id *id, enum cm_msg_about about,
		const struct cm_rej_args *args);
void cm_msg_dreq(void *image, const struct cm_id *id, const void *data, u8 len);
void cm_msg_drep(void *image, const struct cm_id *id, __be64 tid, const void *data, u8 len);
void cm_msg_sidr_req(void *image, const struct cm_id *id, const struct ib_cm_sidr_req_param *p);
void cm_msg_sidr_rep(void *image, const struct cm_id *id, const struct ib_cm_sidr_rep_param *p);

/* Answers without an id, made from the datagram they answer. */
void cm_msg_reply_rej(void *image, const struct ib_mad *in, const struct cm_rej_args *args);
void cm_msg_reply_drep(void *image, const struct ib_mad *in, const void *data, u8 len);
void cm_msg_reply_sidr_rep(void *image, const struct ib_mad *in, enum ib_cm_sidr_status status);

/* Reading. Network order stays network order, as in the field names' types. */
bool cm_msg_known(const struct ib_mad *in, enum cm_msg_kind *kind);	/* attribute id -> kind */
__be32 cm_msg_local_comm_id(const struct ib_mad *in);	/* the sender's; SIDR: the request id */
__be32 cm_msg_remote_comm_id(const struct ib_mad *in);	/* ours; 0 where the message has none */
enum ib_qp_type cm_req_qp_type(const struct ib_mad *in);	/* IB_QPT_MAX: unsupported transport */
u32 cm_req_qpn(const struct ib_mad *in);		/* host order; XRC: the EECN or QPN as the standard says */
u32 cm_rep_qpn(const struct ib_mad *in, enum ib_qp_type qp_type);
u32 cm_dreq_qpn(const struct ib_mad *in);		/* DREQ and LAP: the recipient's QPN, host order */
__be64 cm_msg_ca_guid(const struct ib_mad *in);		/* REQ, REP: the sender's CA GUID; else 0 */
__be64 cm_msg_service_id(const struct ib_mad *in);	/* REQ, SIDR_REQ; else 0 */
u8 cm_msg_about(const struct ib_mad *in);		/* MRA: enum cm_msg_about, or 3 */
u16 cm_rej_reason(const struct ib_mad *in);		/* enum ib_cm_rej_reason */
__be64 cm_rej_ca_guid(const struct ib_mad *in);		/* of a REJ "time-out"; 0: it names none */
u8 cm_mra_service_timeout(const struct ib_mad *in);	/* 4.096 us x 2^n */

/* Stores what a REQ (or a REP) says of the peer in the id's fields. Under the id's lock, or before publication. */
void cm_id_take_req(struct cm_id *id, const struct ib_mad *in);
void cm_id_take_rep(struct cm_id *id, const struct ib_mad *in);
void cm_id_take_sidr_req(struct cm_id *id, const struct ib_mad *in);

/* Stores what a call's parameters say of us in the id's fields; the tid and the AVs are the caller's. Same locks. */
void cm_id_give_req(struct cm_id *id, const struct ib_cm_req_param *p);
void cm_id_give_rep(struct cm_id *id, const struct ib_cm_rep_param *p);
void cm_id_give_sidr_req(struct cm_id *id, const struct ib_cm_sidr_req_param *p);

/*
 * Builds the consumer's event from the datagram, kinds REQ to SIDR_REP. ev is zeroed by the caller.
 * ev->private_data points into the datagram. REQ: path pointers and listen_id are event.c's business.
 * GID attributes are borrowed from id->av: event.c holds them while the handler runs.
 */
void cm_event_from_msg(struct ib_cm_event *ev, const struct cm_id *id,
		       const struct ib_mad_recv_wc *wc);

#endif /* CM_MSG_H */
