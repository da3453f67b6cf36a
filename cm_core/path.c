// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Address vectors, the paths that messages describe, queue pair attributes.
 *
 * Owns: struct cm_av; how a path record is read from a REQ or LAP.
 *
 * Locks: none taken but the RDMA core's own, for its GID and P_Key caches,
 * which are leaves and irq-safe. Whoever passes an id holds its lock.
 *
 * References: an AV with a GID entry in its attributes holds that entry.
 * Nothing holds a port: whoever stores an AV holds the device.
 *
 * The ib_device behind a port is followed here; port.h says who may.
 */
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <rdma/ib_cache.h>
#include <rdma/opa_addr.h>

#include "id.h"
#include "msg.h"
#include "path.h"
#include "port.h"

#define LID_PERMISSIVE	0xffff	/* 16 bits: whoever the router makes of it */
#define MAX_TIME	31	/* 5 bits: 4.096 us x 2^n */

/* ------------------------------------------------------------------------ *
 * Address vectors
 */

/* The port of dev that a path starts from, or an error. */
static struct cm_port *port_of_path(struct cm_device *dev, struct sa_path_rec *path,
				    const struct ib_gid_attr *sgid_attr)
{
	const struct ib_gid_attr *found = NULL;
	struct cm_port *port;

	if (!sgid_attr) {
		found = rdma_find_gid(dev->ibdev, &path->sgid,
				      sa_conv_pathrec_to_gid_type(path), NULL);
		if (IS_ERR(found))
			return ERR_PTR(-EINVAL);
		sgid_attr = found;
	}

	port = sgid_attr->device == dev->ibdev ? cm_device_port(dev, sgid_attr->port_num) : NULL;
	if (found)
		rdma_put_gid_attr(found);
	return port ?: ERR_PTR(-EINVAL);
}

/**
 * cm_av_from_path - makes an AV from a path record
 * @av: where to; what it held is overwritten, so it is empty or raw memory;
 *      untouched on failure
 * @dev: the device that the path has to start from
 * @path: the path
 * @sgid_attr: our end of it, held by the caller; NULL: found by the path's source GID
 *
 * Context: process; sleeps where a RoCE route has to be resolved.
 * Return: 0; -ENODEV: the device is going away; -EINVAL: the path starts from none
 * of the device's ports, or is of another link layer; -ENOENT: the port has not the
 * path's P_Key; or what route resolution says.
 */
int cm_av_from_path(struct cm_av *av, struct cm_device *dev,
		    const struct sa_path_rec *path, const struct ib_gid_attr *sgid_attr)
{
	struct sa_path_rec rec = *path;	/* resolution marks it as resolved */
	struct rdma_ah_attr attr;
	struct cm_port *port;
	u16 pkey, index;
	int ret;

	if (READ_ONCE(dev->gone))
		return -ENODEV;

	port = port_of_path(dev, &rec, sgid_attr);
	if (IS_ERR(port))
		return PTR_ERR(port);
	if (rdma_cap_eth_ah(dev->ibdev, port->num) != sa_path_is_roce(&rec))
		return -EINVAL;

	/* The index is looked up again at each send: a partition may move in the table. */
	pkey = be16_to_cpu(rec.pkey);
	ret = ib_find_cached_pkey(dev->ibdev, port->num, pkey, &index);
	if (ret)
		return ret;

	ret = ib_init_ah_attr_from_path(dev->ibdev, port->num, &rec, &attr, sgid_attr);
	if (ret)
		return ret;

	*av = (struct cm_av) {
		.port = port,
		.attr = attr,
		.pkey = pkey,
		.timeout = min_t(u32, rec.packet_life_time + 1, MAX_TIME),
	};
	return 0;
}

/**
 * cm_av_from_wc - makes an AV that leads back to where a datagram came from
 * @av: where to; as for cm_av_from_path()
 * @port: where the datagram came in
 * @wc: the datagram
 *
 * Context: process; on RoCE, sleeps until the peer's MAC address is known.
 * Return: 0, or why there is no way back.
 */
int cm_av_from_wc(struct cm_av *av, struct cm_port *port, const struct ib_mad_recv_wc *wc)
{
	struct ib_device *ibdev = port->dev->ibdev;
	struct rdma_ah_attr attr;
	u16 pkey;
	int ret;

	ret = ib_get_cached_pkey(ibdev, port->num, wc->wc->pkey_index, &pkey);
	if (ret)
		return ret;

	ret = ib_init_ah_attr_from_wc(ibdev, port->num, wc->wc, wc->recv_buf.grh, &attr);
	if (ret)
		return ret;

	*av = (struct cm_av) { .port = port, .attr = attr, .pkey = pkey };
	return 0;
}

/**
 * cm_av_copy - copies an AV, with a reference of its own
 * @to: overwritten: empty or raw memory
 * @from: may be empty
 *
 * Context: any.
 * Return: nothing.
 */
void cm_av_copy(struct cm_av *to, const struct cm_av *from)
{
	*to = *from;
	rdma_copy_ah_attr(&to->attr, &from->attr);
}

/**
 * cm_av_clear - empties an AV
 * @av: zeroed or valid
 *
 * Context: any.
 * Return: nothing.
 */
void cm_av_clear(struct cm_av *av)
{
	rdma_destroy_ah_attr(&av->attr);
	memset(av, 0, sizeof(*av));
}

/* ------------------------------------------------------------------------ *
 * Paths out of messages. The sender's "local" is our destination.
 */

static const void *req_of(const struct ib_mad_recv_wc *wc)
{
	return wc->recv_buf.mad;
}

static union ib_gid gid_at(const void *field)
{
	union ib_gid gid;

	/* Not always where an aligned GID would be. */
	memcpy(&gid, field, sizeof(gid));
	return gid;
}

static union ib_gid req_sender_gid(const void *req)
{
	return gid_at(IBA_GET_MEM_PTR(CM_REQ_PRIMARY_LOCAL_PORT_GID, (void *)req));
}

/* What a path says about who is on the other end of the cable: an IB path, or one with OPA's long LIDs. */
static enum sa_path_rec_type cable_type(const struct cm_port *port, const union ib_gid *peer)
{
	if (port && rdma_cap_opa_ah(port->dev->ibdev, port->num) && ib_is_opa_gid(peer))
		return SA_PATH_REC_TYPE_OPA;
	return SA_PATH_REC_TYPE_IB;
}

/*
 * The LIDs of a REQ's path. A path through routers has permissive ones where its
 * sender could not know better (12.7); then the datagram, which came that way, tells.
 */
struct req_lids {
	u32 peer;	/* the sender's: our destination */
	u32 ours;
	u8 sl;
};

static struct req_lids req_lids(const void *req, const struct ib_wc *wc)
{
	struct req_lids lids = {
		.peer = IBA_GET(CM_REQ_PRIMARY_LOCAL_PORT_LID, req),
		.ours = IBA_GET(CM_REQ_PRIMARY_REMOTE_PORT_LID, req),
		.sl = IBA_GET(CM_REQ_PRIMARY_SL, req),
	};

	if (IBA_GET(CM_REQ_PRIMARY_SUBNET_LOCAL, req))
		return lids;
	if (lids.peer == LID_PERMISSIVE) {
		lids.peer = (u16)wc->slid;
		lids.sl = wc->sl;
	}
	if (lids.ours == LID_PERMISSIVE)
		lids.ours = wc->dlid_path_bits;	/* only these bits matter of our own LID */
	return lids;
}

/* What primary and alternate path, REQ and LAP have in common. */
static void set_selectors(struct sa_path_rec *path, unsigned int ack_timeout)
{
	path->reversible = 1;
	path->mtu_selector = IB_SA_EQ;
	path->rate_selector = IB_SA_EQ;
	path->packet_life_time_selector = IB_SA_EQ;
	path->packet_life_time = ack_timeout ? ack_timeout - 1 : 0;
}

/* One of a REQ's two paths; req is CM_REQ_PATH_STRIDE further on for the second. */
static void req_path(struct sa_path_rec *path, const void *req, const struct ib_wc *wc,
		     const struct cm_port *port)
{
	struct req_lids lids;

	path->dgid = req_sender_gid(req);
	path->sgid = gid_at(IBA_GET_MEM_PTR(CM_REQ_PRIMARY_REMOTE_PORT_GID, (void *)req));
	path->flow_label = cpu_to_be32(IBA_GET(CM_REQ_PRIMARY_FLOW_LABEL, req));
	path->hop_limit = IBA_GET(CM_REQ_PRIMARY_HOP_LIMIT, req);
	path->traffic_class = IBA_GET(CM_REQ_PRIMARY_TRAFFIC_CLASS, req);
	path->sl = IBA_GET(CM_REQ_PRIMARY_SL, req);
	path->rate = IBA_GET(CM_REQ_PRIMARY_PACKET_RATE, req);
	set_selectors(path, IBA_GET(CM_REQ_PRIMARY_LOCAL_ACK_TIMEOUT, req));

	if (sa_path_is_roce(path))
		return;

	lids = req_lids(req, wc);
	path->sl = lids.sl;
	path->rec_type = cable_type(port, &path->dgid);
	if (path->rec_type == SA_PATH_REC_TYPE_OPA) {
		lids.peer = opa_get_lid_from_gid(&path->dgid);
		lids.ours = opa_get_lid_from_gid(&path->sgid);
	}
	sa_path_set_dlid(path, lids.peer);
	sa_path_set_slid(path, lids.ours);
}

/* And what stands in a REQ only once. */
static void req_path_common(struct sa_path_rec *path, const void *req)
{
	path->service_id = cpu_to_be64(IBA_GET(CM_REQ_SERVICE_ID, req));
	path->pkey = cpu_to_be16(IBA_GET(CM_REQ_PARTITION_KEY, req));
	path->mtu = IBA_GET(CM_REQ_PATH_PACKET_PAYLOAD_MTU, req);
}

/**
 * cm_req_has_alternate - does a REQ describe an alternate path?
 * @wc: the REQ
 *
 * Context: any.
 * Return: whether the sender's alternate port is named, by LID or OPA GID (12.6.5).
 */
bool cm_req_has_alternate(const struct ib_mad_recv_wc *wc)
{
	const void *second = req_of(wc) + CM_REQ_PATH_STRIDE;
	union ib_gid gid = req_sender_gid(second);

	BUILD_BUG_ON(offsetof(struct cm_req_msg, _data) != sizeof(struct ib_mad_hdr));
	return IBA_GET(CM_REQ_PRIMARY_LOCAL_PORT_LID, second) || ib_is_opa_gid(&gid);
}

/**
 * cm_paths_from_req - reads the paths of a REQ, from our side
 * @primary: filled in
 * @alternate: filled in, or zeroed if the REQ has none
 * @port: where the REQ came in
 * @wc: the REQ
 * @back: the way back, of cm_av_from_wc(), or the AV made with its help: says what
 *        kind of address the REQ came with, the peer's MAC address, and whether
 *        packets need a GRH; not an AV that may change meanwhile
 *
 * Context: any.
 * Return: nothing.
 */
void cm_paths_from_req(struct sa_path_rec *primary, struct sa_path_rec *alternate,
		       struct cm_port *port, const struct ib_mad_recv_wc *wc,
		       const struct cm_av *back)
{
	const struct ib_global_route *grh = &back->attr.grh;
	const struct ib_gid_attr *ours = grh->sgid_attr;
	const void *req = req_of(wc);

	memset(primary, 0, sizeof(*primary));
	if (back->attr.type == RDMA_AH_ATTR_TYPE_ROCE && ours)
		primary->rec_type = sa_conv_gid_to_pathrec_type(ours->gid_type);
	req_path(primary, req, wc->wc, port);
	req_path_common(primary, req);
	/* 0 without a GRH: then data packets have none either. */
	primary->hop_limit = grh->hop_limit;

	if (primary->rec_type == SA_PATH_REC_TYPE_IB) {
		/* The primary path is the one that the REQ took, whatever LID it claims. */
		sa_path_set_dlid(primary, wc->wc->slid);
	} else if (sa_path_is_roce(primary)) {
		sa_path_set_dmac(primary, (u8 *)back->attr.roce.dmac);
		/* The same two addresses as on the way back: this route has just been resolved. */
		primary->roce.route_resolved =
			primary->rec_type == SA_PATH_REC_TYPE_ROCE_V2 &&
			!memcmp(&primary->dgid, &grh->dgid, sizeof(grh->dgid)) &&
			!memcmp(&primary->sgid, &ours->gid, sizeof(ours->gid));
	}

	memset(alternate, 0, sizeof(*alternate));
	if (!cm_req_has_alternate(wc))
		return;
	if (sa_path_is_roce(primary))
		alternate->rec_type = primary->rec_type;
	req_path(alternate, req + CM_REQ_PATH_STRIDE, wc->wc, port);
	req_path_common(alternate, req);
}

/**
 * cm_req_datapath_lid - where the data packets of a connection go
 * @port: where the REQ came in
 * @wc: the REQ
 *
 * On a routed IB path this is the router that the peer was told of, while the
 * CM's own messages go back where the REQ came from.
 *
 * Context: any.
 * Return: the LID, host order; 0 where a LID has no such meaning.
 */
u16 cm_req_datapath_lid(const struct cm_port *port, const struct ib_mad_recv_wc *wc)
{
	if (rdma_ah_find_type(port->dev->ibdev, port->num) != RDMA_AH_ATTR_TYPE_IB)
		return 0;
	return req_lids(req_of(wc), wc->wc).peer;
}

/**
 * cm_path_for_consumer - makes a path fit for a consumer's eyes
 * @path: made by cm_paths_from_req(); its AV has been made
 * @port: where it starts
 *
 * Consumers compare the source GID with those that they know of the port, and
 * none of these is OPA's "GID with a LID in it".
 *
 * Context: any.
 * Return: nothing.
 */
void cm_path_for_consumer(struct sa_path_rec *path, const struct cm_port *port)
{
	struct ib_device *ibdev = port->dev->ibdev;
	union ib_gid first;

	if (rdma_cap_opa_ah(ibdev, port->num) && ib_is_opa_gid(&path->sgid) &&
	    !rdma_query_gid(ibdev, port->num, 0, &first))
		path->sgid = first;
}

/**
 * cm_path_from_lap - reads the alternate path of a LAP, from our side
 * @path: filled in
 * @id: the connection
 * @wc: the LAP
 *
 * Context: any. Without the id's lock, its fields are read once each, and what
 * they were at that moment has to be good enough.
 * Return: nothing.
 */
void cm_path_from_lap(struct sa_path_rec *path, const struct cm_id *id,
		      const struct ib_mad_recv_wc *wc)
{
	void *lap = wc->recv_buf.mad;

	memset(path, 0, sizeof(*path));
	path->dgid = gid_at(IBA_GET_MEM_PTR(CM_LAP_ALTERNATE_LOCAL_PORT_GID, lap));
	path->sgid = gid_at(IBA_GET_MEM_PTR(CM_LAP_ALTERNATE_REMOTE_PORT_GID, lap));
	path->flow_label = cpu_to_be32(IBA_GET(CM_LAP_ALTERNATE_FLOW_LABEL, lap));
	path->hop_limit = IBA_GET(CM_LAP_ALTERNATE_HOP_LIMIT, lap);
	path->traffic_class = IBA_GET(CM_LAP_ALTERNATE_TRAFFIC_CLASS, lap);
	path->sl = IBA_GET(CM_LAP_ALTERNATE_SL, lap);
	path->rate = IBA_GET(CM_LAP_ALTERNATE_PACKET_RATE, lap);
	set_selectors(path, IBA_GET(CM_LAP_ALTERNATE_LOCAL_ACK_TIMEOUT, lap));
	/* What a connection has only one of. */
	path->pkey = cpu_to_be16(id->av.pkey);
	path->mtu = id->path_mtu;

	path->rec_type = cable_type(id->av.port, &path->dgid);
	if (path->rec_type == SA_PATH_REC_TYPE_OPA) {
		sa_path_set_dlid(path, opa_get_lid_from_gid(&path->dgid));
		sa_path_set_slid(path, opa_get_lid_from_gid(&path->sgid));
	} else {
		sa_path_set_dlid(path, IBA_GET(CM_LAP_ALTERNATE_LOCAL_PORT_LID, lap));
		sa_path_set_slid(path, IBA_GET(CM_LAP_ALTERNATE_REMOTE_PORT_LID, lap));
	}
}

/* ------------------------------------------------------------------------ *
 * Sources
 */

/* Annex A17: the header that stands in the GRH's place of a RoCE datagram. */
static enum rdma_network_type network_of(const struct ib_wc *wc, const struct ib_grh *grh)
{
	if (wc->wc_flags & IB_WC_WITH_NETWORK_HDR_TYPE)
		return wc->network_hdr_type;
	if (ib_get_rdma_header_version((const union rdma_network_hdr *)grh) == 4)
		return RDMA_NETWORK_IPV4;
	return grh->next_hdr == IPPROTO_UDP ? RDMA_NETWORK_IPV6 : RDMA_NETWORK_ROCE_V1;
}

/**
 * cm_source_gid - the GID that a datagram came from
 * @port: where it came in
 * @wc: the datagram
 * @gid: filled in, an IPv4 address as its mapped form
 *
 * Context: any.
 * Return: whether it carries one.
 */
bool cm_source_gid(const struct cm_port *port, const struct ib_mad_recv_wc *wc,
		   union ib_gid *gid)
{
	const struct ib_grh *grh = wc->recv_buf.grh;
	enum rdma_network_type network = RDMA_NETWORK_IB;
	union ib_gid destination;

	if (!(wc->wc->wc_flags & IB_WC_GRH) || !grh)
		return false;
	if (rdma_cap_eth_ah(port->dev->ibdev, port->num))
		network = network_of(wc->wc, grh);
	return !ib_get_gids_from_rdma_hdr((const union rdma_network_hdr *)grh, network,
					  gid, &destination);
}

static bool av_has_source(const struct cm_av *av, const struct ib_mad_recv_wc *wc)
{
	union ib_gid gid;

	if (av->attr.type == RDMA_AH_ATTR_TYPE_ROCE || av->attr.ah_flags & IB_AH_GRH) {
		if (cm_source_gid(av->port, wc, &gid))
			return !memcmp(&gid, &av->attr.grh.dgid, sizeof(gid));
		if (av->attr.type == RDMA_AH_ATTR_TYPE_ROCE)
			return false;
	}
	return wc->wc->slid == rdma_ah_get_dlid(&av->attr) ||
	       (av->dlid_datapath && wc->wc->slid == av->dlid_datapath);
}

/**
 * cm_source_matches - does a datagram come from the id's peer?
 * @id: the id
 * @wc: the datagram
 *
 * Context: any; under the id's lock.
 * Return: whether the source is that of the primary or the alternate path; true
 * while the id does not know yet where its peer is.
 */
bool cm_source_matches(const struct cm_id *id, const struct ib_mad_recv_wc *wc)
{
	return !id->av.port || av_has_source(&id->av, wc) ||
	       (id->alt && av_has_source(id->alt, wc));
}

/* ------------------------------------------------------------------------ *
 * Queue pair attributes (11.2.5.2; table of 10.3.1 for what each transition needs). What the
 * current P_Key table does not hold is left out of the mask: modifying the queue pair then fails,
 * instead of putting it in another partition.
 */

static bool pkey_index_of(const struct cm_av *av, u16 *index)
{
	return av->port &&
	       !ib_find_cached_pkey(av->port->dev->ibdev, av->port->num, av->pkey, index);
}

/* An alternate path has a LID: path migration is a matter of IB and OPA. */
static const struct cm_av *alternate_of(const struct cm_id *id)
{
	return id->alt && rdma_ah_get_dlid(&id->alt->attr) ? id->alt : NULL;
}

static void set_alternate(struct ib_qp_attr *attr, int *mask, const struct cm_av *alt)
{
	if (!alt || !pkey_index_of(alt, &attr->alt_pkey_index))
		return;
	attr->alt_port_num = alt->port->num;
	attr->alt_timeout = alt->timeout;
	attr->alt_ah_attr = alt->attr;
	*mask |= IB_QP_ALT_PATH;
}

/**
 * cm_qp_attr_init - attributes of the transition to INIT
 * @id: the id
 * @attr: filled in; qp_state is the caller's
 * @mask: set
 *
 * Context: any; under the id's lock.
 * Return: nothing.
 */
void cm_qp_attr_init(const struct cm_id *id, struct ib_qp_attr *attr, int *mask)
{
	const struct cm_av *av = &id->av;

	*mask = IB_QP_STATE | IB_QP_ACCESS_FLAGS;

	attr->qp_access_flags = IB_ACCESS_REMOTE_WRITE;
	if (id->responder_resources) {
		attr->qp_access_flags |= IB_ACCESS_REMOTE_READ | IB_ACCESS_REMOTE_ATOMIC;
		if (av->port && av->port->dev->ibdev->attrs.device_cap_flags &
				(IB_DEVICE_FLUSH_GLOBAL | IB_DEVICE_FLUSH_PERSISTENT))
			attr->qp_access_flags |= IB_ACCESS_FLUSH_GLOBAL |
						 IB_ACCESS_FLUSH_PERSISTENT;
	}

	if (pkey_index_of(av, &attr->pkey_index))
		*mask |= IB_QP_PKEY_INDEX;
	if (av->port) {
		attr->port_num = av->port->num;
		*mask |= IB_QP_PORT;
	}
}

/**
 * cm_qp_attr_rtr - attributes of the transition to RTR
 * @id: the id
 * @attr: filled in; the GID entries in its AVs are borrowed from the id
 * @mask: set
 *
 * Context: any; under the id's lock.
 * Return: nothing.
 */
void cm_qp_attr_rtr(const struct cm_id *id, struct ib_qp_attr *attr, int *mask)
{
	const struct cm_av *av = &id->av;

	*mask = IB_QP_STATE | IB_QP_AV | IB_QP_PATH_MTU | IB_QP_DEST_QPN | IB_QP_RQ_PSN;
	attr->path_mtu = id->path_mtu;
	attr->dest_qp_num = id->remote_qpn;
	attr->rq_psn = id->rq_psn;
	attr->ah_attr = av->attr;
	if (av->attr.type == RDMA_AH_ATTR_TYPE_IB &&
	    av->dlid_datapath && av->dlid_datapath != LID_PERMISSIVE)
		rdma_ah_set_dlid(&attr->ah_attr, av->dlid_datapath);

	/* Only these have a responder that answers reads and RNR. */
	if (id->qp_type == IB_QPT_RC || id->qp_type == IB_QPT_XRC_TGT) {
		attr->max_dest_rd_atomic = id->responder_resources;
		attr->min_rnr_timer = 0;
		*mask |= IB_QP_MAX_DEST_RD_ATOMIC | IB_QP_MIN_RNR_TIMER;
	}

	set_alternate(attr, mask, alternate_of(id));
}

/**
 * cm_qp_attr_rts - attributes of the transition to RTS, or of loading a new
 * alternate path once the peer has offered one
 * @id: the id
 * @attr: filled in; as for cm_qp_attr_rtr()
 * @mask: set
 *
 * Context: any; under the id's lock.
 * Return: nothing.
 */
void cm_qp_attr_rts(const struct cm_id *id, struct ib_qp_attr *attr, int *mask)
{
	bool requester = id->qp_type == IB_QPT_RC || id->qp_type == IB_QPT_XRC_INI;
	const struct cm_av *alt = alternate_of(id);

	if (id->pub.lap_state != IB_CM_LAP_UNINIT) {
		*mask = IB_QP_PATH_MIG_STATE;
		attr->path_mig_state = IB_MIG_REARM;
		set_alternate(attr, mask, alt);
		return;
	}

	*mask = IB_QP_STATE | IB_QP_SQ_PSN;
	attr->sq_psn = id->sq_psn;
	if (requester) {
		attr->retry_cnt = id->retry_count;
		attr->rnr_retry = id->rnr_retry_count;
		attr->max_rd_atomic = id->initiator_depth;
		*mask |= IB_QP_RETRY_CNT | IB_QP_RNR_RETRY | IB_QP_MAX_QP_RD_ATOMIC;
	}
	if (requester || id->qp_type == IB_QPT_XRC_TGT) {
		attr->timeout = id->av.timeout;
		*mask |= IB_QP_TIMEOUT;
	}
	if (alt) {
		attr->path_mig_state = IB_MIG_REARM;
		*mask |= IB_QP_PATH_MIG_STATE;
	}
}
