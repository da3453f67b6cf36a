/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Where a peer is: address vectors, path records, queue pair attributes.
 *
 * Owns: struct cm_av. An AV with a port holds a reference to the GID entry in
 * its attributes (rdma_copy/destroy_ah_attr rules), none to the port: whoever
 * stores an AV holds the device.
 */
#ifndef CM_PATH_H
#define CM_PATH_H

#include <rdma/ib_cm.h>
#include <rdma/ib_mad.h>
#include <rdma/ib_sa.h>

struct cm_device;
struct cm_id;
struct cm_port;

/**
 * struct cm_av - how to reach a peer through one of our ports
 * @port: the port, NULL: the AV is empty
 * @attr: attributes of the address handle; owns attr.grh.sgid_attr's reference
 * @dlid_datapath: destination LID of the data path, host order (routed paths: the router's)
 * @pkey: by value, host order; the index is looked up at each send
 * @timeout: packet life time and ACK delay, 4.096 us x 2^n
 */
struct cm_av {
	struct cm_port *port;
	struct rdma_ah_attr attr;
	u16 dlid_datapath;
	u16 pkey;
	u8 timeout;
};

/* From a path that a caller gave us. May sleep (route resolution). sgid_attr may be NULL. */
int cm_av_from_path(struct cm_av *av, struct cm_device *dev,
		    const struct sa_path_rec *path, const struct ib_gid_attr *sgid_attr);
/* From a datagram that came in: the way back. May sleep on RoCE. */
int cm_av_from_wc(struct cm_av *av, struct cm_port *port, const struct ib_mad_recv_wc *wc);
/* Any context. What "to" held is overwritten, not released: it is empty or raw memory. */
void cm_av_copy(struct cm_av *to, const struct cm_av *from);
void cm_av_clear(struct cm_av *av);				/* any context; idempotent */

/*
 * The paths that a REQ or LAP describes, seen from our side. Any context.
 *
 * A new REQ is resolved in this order: cm_av_from_wc() gives the way back;
 * cm_paths_from_req() with it; cm_av_from_path(primary, the way back's
 * sgid_attr) and av.dlid_datapath = cm_req_datapath_lid(); if there is one,
 * cm_av_from_path(alternate, NULL); cm_path_for_consumer() on both; the event.
 */
bool cm_req_has_alternate(const struct ib_mad_recv_wc *wc);
/* alternate may be NULL; it is zeroed if the REQ has none. */
void cm_paths_from_req(struct sa_path_rec *primary, struct sa_path_rec *alternate,
		       struct cm_port *port, const struct ib_mad_recv_wc *wc,
		       const struct cm_av *back);
/* IB: the LID that the data path is sent to, host order; 0: that of the address. */
u16 cm_req_datapath_lid(const struct cm_port *port, const struct ib_mad_recv_wc *wc);
/* Consumers know IB GIDs only: an OPA GID of ours becomes the port's first GID. */
void cm_path_for_consumer(struct sa_path_rec *path, const struct cm_port *port);
void cm_path_from_lap(struct sa_path_rec *path, const struct cm_id *id,
		      const struct ib_mad_recv_wc *wc);

/*
 * The source GID of a datagram, of whatever header its GRH area holds. false: it carries none.
 */
bool cm_source_gid(const struct cm_port *port, const struct ib_mad_recv_wc *wc,
		   union ib_gid *gid);
/* Is the datagram's source the id's primary or alternate path? RoCE: by GID; IB: LID, or GID with a GRH. */
bool cm_source_matches(const struct cm_id *id, const struct ib_mad_recv_wc *wc);

/* Queue pair attributes for INIT, RTR and RTS out of the id's fields, as ULPs expect them. Under the id's lock. */
void cm_qp_attr_init(const struct cm_id *id, struct ib_qp_attr *attr, int *mask);
void cm_qp_attr_rtr(const struct cm_id *id, struct ib_qp_attr *attr, int *mask);
void cm_qp_attr_rts(const struct cm_id *id, struct ib_qp_attr *attr, int *mask);

/* ms of a time in units of 4.096 us x 2^n; n over 31 counts as 31. At least 1 ms below n = 8. */
static inline unsigned int cm_time_ms(unsigned int n)
{
	n = n > 31 ? 31 : n;
	return n > 8 ? 1u << (n - 8) : 1;
}

/*
 * Local ACK Timeout (12.7): the time of ack_delay plus twice life_time (4.096 us x 2^n each), as an
 * exponent again: the larger of ack_delay and life_time + 1, one more if the other is that or one less.
 */
static inline u8 cm_ack_time(unsigned int ack_delay, unsigned int life_time)
{
	unsigned int twice = life_time + 1;
	unsigned int longer = twice > ack_delay ? twice : ack_delay;
	unsigned int shorter = twice > ack_delay ? ack_delay : twice;

	if (shorter + 1 >= longer)
		longer++;
	return longer > 31 ? 31 : longer;
}

#endif /* CM_PATH_H */
