// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls of the rig, with sane arguments.
 *
 * Owns: what they say. What one test wants otherwise it changes in the
 * parameters, or in struct rig.
 */
#include <linux/export.h>

#include "rig_local.h"

/**
 * rig_path - a path from the device to the peer
 * @rig: the rig
 * @path: filled
 *
 * Context: any.
 */
void rig_path(struct rig *rig, struct sa_path_rec *path)
{
	struct loop_packet peer = {};

	loop_station_address(rig->peer, &peer);
	memset(path, 0, sizeof(*path));
	path->rec_type = rig->layer == IB_LINK_LAYER_ETHERNET ? SA_PATH_REC_TYPE_ROCE_V2 :
								SA_PATH_REC_TYPE_IB;
	path->sgid = rig->here.sgid;
	path->dgid = peer.sgid;
	path->pkey = cpu_to_be16(RIG_PKEY);
	path->reversible = 1;
	path->numb_path = 1;
	path->mtu_selector = IB_SA_EQ;
	path->mtu = IB_MTU_2048;
	path->rate_selector = IB_SA_EQ;
	path->rate = IB_RATE_10_GBPS;
	path->packet_life_time_selector = IB_SA_EQ;
	path->packet_life_time = rig->life_time;
	if (rig->layer == IB_LINK_LAYER_ETHERNET) {
		path->hop_limit = RIG_HOPS;
		sa_path_set_dmac(path, peer.smac);
		path->roce.route_resolved = true;
	} else {
		sa_path_set_slid(path, rig->here.slid);
		sa_path_set_dlid(path, peer.slid);
	}
}
EXPORT_SYMBOL_GPL(rig_path);

/**
 * rig_req_param - what rig_send_req() says
 * @id: the id
 * @param: filled
 * @path: filled: the primary path
 * @twin: filled: the alternate path
 *
 * Context: any.
 */
void rig_req_param(struct rig_id *id, struct ib_cm_req_param *param, struct sa_path_rec *path,
		   struct sa_path_rec *twin)
{
	struct rig *rig = id->rig;

	rig_path(rig, path);
	*twin = *path;
	*param = (struct ib_cm_req_param) {
		.primary_path = path,
		.alternate_path = rig->alternate ? twin : NULL,
		.service_id = cpu_to_be64(id->service_id),
		.qp_num = id->local_qpn,
		.qp_type = rig->qp_type == IB_QPT_XRC_TGT ? IB_QPT_RC : rig->qp_type,
		.starting_psn = RIG_PSN,
		.responder_resources = 4,
		.initiator_depth = 3,
		.remote_cm_response_timeout = rig->response_time,
		.flow_control = 1,
		.local_cm_response_timeout = rig->response_time,
		.retry_count = 6,
		.rnr_retry_count = 5,
		.max_cm_retries = rig->retries,
	};
}
EXPORT_SYMBOL_GPL(rig_req_param);

/**
 * rig_attempt - a new attempt of ours begins: the peer will have new numbers
 * @id: the id
 *
 * Context: any.
 */
void rig_attempt(struct rig_id *id)
{
	struct rig *rig = id->rig;

	id->active = true;
	id->tid = 0;
	id->dreq_tid = 0;
	id->local_qpn = rig->qpn++;
	id->peer_id = rig->peer_comm_id++;
	id->peer_qpn = rig->peer_qpn++;
}
EXPORT_SYMBOL_GPL(rig_attempt);

/**
 * rig_send_req - ib_send_cm_req() to the peer
 * @id: the id
 *
 * Context: sleeps.
 * Return: what the call returns.
 */
int rig_send_req(struct rig_id *id)
{
	struct sa_path_rec path, twin;
	struct ib_cm_req_param param;
	struct rig_side was = id->side;
	int err;

	rig_attempt(id);
	rig_req_param(id, &param, &path, &twin);
	err = ib_send_cm_req(id->cm, &param);
	if (err)
		id->side = was;
	return err;
}
EXPORT_SYMBOL_GPL(rig_send_req);

/**
 * rig_rep_param - what rig_send_rep() says
 * @id: the id
 * @param: filled
 *
 * Context: any.
 */
void rig_rep_param(struct rig_id *id, struct ib_cm_rep_param *param)
{
	*param = (struct ib_cm_rep_param) {
		.qp_num = id->local_qpn,
		.starting_psn = RIG_PSN + 1,
		.responder_resources = 3,
		.initiator_depth = 4,
		.flow_control = 1,
		.rnr_retry_count = 5,
	};
}
EXPORT_SYMBOL_GPL(rig_rep_param);

/**
 * rig_send_rep - ib_send_cm_rep()
 * @id: the id
 *
 * Context: any.
 * Return: what the call returns.
 */
int rig_send_rep(struct rig_id *id)
{
	struct ib_cm_rep_param param;
	u32 qpn = id->local_qpn;
	int err;

	id->local_qpn = id->rig->qpn++;
	rig_rep_param(id, &param);
	err = ib_send_cm_rep(id->cm, &param);
	if (err)
		id->local_qpn = qpn;
	return err;
}
EXPORT_SYMBOL_GPL(rig_send_rep);

/**
 * rig_send_sidr_req - ib_send_cm_sidr_req() to the peer
 * @id: the id
 *
 * Context: sleeps.
 * Return: what the call returns.
 */
int rig_send_sidr_req(struct rig_id *id)
{
	struct rig *rig = id->rig;
	struct sa_path_rec path;
	struct ib_cm_sidr_req_param param = {
		.path = &path,
		.service_id = cpu_to_be64(id->service_id),
		.timeout_ms = rig->response_time > 8 ? 1u << (rig->response_time - 8) : 1,
		.max_cm_retries = rig->retries,
	};
	struct rig_side was = id->side;
	int err;

	rig_path(rig, &path);
	id->active = true;
	id->tid = 0;
	err = ib_send_cm_sidr_req(id->cm, &param);
	if (err)
		id->side = was;
	return err;
}
EXPORT_SYMBOL_GPL(rig_send_sidr_req);

/**
 * rig_send_sidr_rep - ib_send_cm_sidr_rep(), a QPN
 * @id: the id
 *
 * Context: any.
 * Return: what the call returns.
 */
int rig_send_sidr_rep(struct rig_id *id)
{
	struct ib_cm_sidr_rep_param param = {
		.qp_num = id->rig->qpn++,
		.qkey = RIG_QKEY,
		.status = IB_SIDR_SUCCESS,
	};

	return ib_send_cm_sidr_rep(id->cm, &param);
}
EXPORT_SYMBOL_GPL(rig_send_sidr_rep);
