// SPDX-License-Identifier: GPL-2.0-only
/*
 * The consumer's side: every call of ib_cm, with usual arguments unless the step
 * says otherwise. Nothing here looks at a state before it calls.
 */
#include <linux/slab.h>
#include <rdma/ib_cache.h>

#include "script.h"

#define DATA_SIZE	256

static u8 data_bytes[DATA_SIZE];

static const void *private_data(const struct sc_step *step, u8 *len)
{
	unsigned int i;

	*len = sc_num(step, "len", 8);
	for (i = 0; i < DATA_SIZE; i++)
		data_bytes[i] = 0x41 + i;
	return sc_num(step, "null", 0) ? NULL : data_bytes;
}

static void make_path(struct sc_seq *seq, const struct sc_step *step, struct sa_path_rec *path, bool alternate)
{
	*path = (struct sa_path_rec){
		.reversible = 1,
		.numb_path = 1,
		.pkey = cpu_to_be16(sc_num(step, "pkey", 0xffff)),
		.sl = sc_num(step, "sl", 0),
		.traffic_class = sc_num(step, "traffic_class", 0),
		.flow_label = cpu_to_be32(sc_num(step, "flow_label", 0)),
		.hop_limit = sc_num(step, "hop_limit", seq->layer == IB_LINK_LAYER_ETHERNET ? 64 : 0),
		.mtu_selector = IB_SA_EQ,
		.mtu = sc_num(step, "mtu", IB_MTU_2048),
		.rate_selector = IB_SA_EQ,
		.rate = IB_RATE_10_GBPS,
		.packet_life_time_selector = IB_SA_EQ,
		.packet_life_time = sc_num(step, "lifetime", seq->lifetime),
	};
	path->sgid = seq->address.sgid;
	path->dgid = seq->peer.sgid;
	if (sc_num(step, "foreign", 0))
		path->sgid.raw[15] ^= 0x55;
	if (seq->layer == IB_LINK_LAYER_ETHERNET) {
		path->rec_type = SA_PATH_REC_TYPE_ROCE_V2;
		path->roce.route_resolved = true;
		memcpy(path->roce.dmac, seq->peer.smac, ETH_ALEN);
		return;
	}
	path->rec_type = SA_PATH_REC_TYPE_IB;
	path->ib.slid = cpu_to_be16(seq->address.slid + alternate);
	path->ib.dlid = cpu_to_be16(seq->peer.slid + alternate);
}

static const struct ib_gid_attr *gid_attr(struct sc_seq *seq)
{
	const struct ib_gid_attr *attr;

	if (seq->layer != IB_LINK_LAYER_ETHERNET)
		return NULL;
	attr = rdma_find_gid_by_port(seq->dev, &seq->address.sgid, IB_GID_TYPE_ROCE_UDP_ENCAP, seq->port, NULL);
	return IS_ERR(attr) ? NULL : attr;
}

static enum ib_qp_type qp_type(const struct sc_step *step)
{
	const char *type = sc_opt(step, "type");

	if (!type || !strcmp(type, "rc"))
		return IB_QPT_RC;
	if (!strcmp(type, "uc"))
		return IB_QPT_UC;
	if (!strcmp(type, "xrc"))
		return IB_QPT_XRC_INI;
	return IB_QPT_UD;
}

static void own_qpn(struct sc_id *id)
{
	struct sc_seq *seq = id->seq;

	id->local_qpn = (0x800000 | seq->number << 3 | (id - seq->ids)) & 0xffffff;
	mutex_lock(&seq->lock);
	sc_name_add(seq, SC_QPN, id->local_qpn, "q%c", sc_letter(id));
	mutex_unlock(&seq->lock);
}

int sc_send_req(struct sc_seq *seq, struct ib_cm_id *cm, u32 qpn, const struct sc_step *step)
{
	struct sa_path_rec primary, alternate;
	const struct ib_gid_attr *attr = gid_attr(seq);
	struct ib_cm_req_param param = {
		.primary_path = &primary,
		.ppath_sgid_attr = attr,
		.service_id = cpu_to_be64(sc_service(seq, sc_num(step, "sid", 1))),
		.qp_type = qp_type(step),
		.starting_psn = 0x123456,
		.responder_resources = sc_num(step, "responder_resources", 4),
		.initiator_depth = sc_num(step, "initiator_depth", 3),
		.remote_cm_response_timeout = sc_num(step, "timeout", seq->timeout),
		.local_cm_response_timeout = sc_num(step, "timeout", seq->timeout),
		.flow_control = sc_num(step, "flow_control", 1),
		.retry_count = sc_num(step, "retry_count", 5),
		.rnr_retry_count = sc_num(step, "rnr_retry_count", 6),
		.max_cm_retries = sc_num(step, "retries", seq->retries),
		.srq = sc_num(step, "srq", 0),
		.ece.vendor_id = sc_num(step, "vendor", 0),
		.ece.attr_mod = sc_num(step, "options", 0),
	};
	int ret;

	param.qp_num = qpn;
	param.private_data = private_data(step, &param.private_data_len);
	make_path(seq, step, &primary, false);
	if (sc_num(step, "alt", 0)) {
		make_path(seq, step, &alternate, true);
		param.alternate_path = &alternate;
	}
	ret = ib_send_cm_req(cm, &param);
	if (attr)
		rdma_put_gid_attr(attr);
	return ret;
}

static int call_req(struct sc_id *id, const struct sc_step *step)
{
	int ret;

	own_qpn(id);
	ret = sc_send_req(id->seq, id->cm, id->local_qpn, step);
	if (!ret)
		id->active = true;
	return ret;
}

static int call_rep(struct sc_id *id, const struct sc_step *step)
{
	struct ib_cm_rep_param param = {
		.starting_psn = 0x654321,
		.responder_resources = sc_num(step, "responder_resources", 3),
		.initiator_depth = sc_num(step, "initiator_depth", 4),
		.failover_accepted = sc_num(step, "failover", 0),
		.flow_control = sc_num(step, "flow_control", 1),
		.rnr_retry_count = sc_num(step, "rnr_retry_count", 5),
		.srq = sc_num(step, "srq", 0),
		.ece.vendor_id = sc_num(step, "vendor", 0),
		.ece.attr_mod = sc_num(step, "options", 0),
	};

	if (!id->active)
		own_qpn(id);
	param.qp_num = id->local_qpn;
	param.private_data = private_data(step, &param.private_data_len);
	return ib_send_cm_rep(id->cm, &param);
}

static int call_sidr_req(struct sc_id *id, const struct sc_step *step)
{
	struct sc_seq *seq = id->seq;
	struct sa_path_rec path;
	const struct ib_gid_attr *attr = gid_attr(seq);
	struct ib_cm_sidr_req_param param = {
		.path = &path,
		.sgid_attr = attr,
		.service_id = cpu_to_be64(sc_service(seq, sc_num(step, "sid", 1))),
		.timeout_ms = sc_num(step, "timeout_ms", seq->timeout >= 8 ? 1UL << (seq->timeout - 8) : 1),
		.max_cm_retries = sc_num(step, "retries", seq->retries),
	};
	int ret;

	param.private_data = private_data(step, &param.private_data_len);
	make_path(seq, step, &path, false);
	ret = ib_send_cm_sidr_req(id->cm, &param);
	if (!ret)
		id->active = true;
	if (attr)
		rdma_put_gid_attr(attr);
	return ret;
}

static int call_sidr_rep(struct sc_id *id, const struct sc_step *step)
{
	struct ib_cm_sidr_rep_param param = {
		.qp_num = 0x777,
		.qkey = 0x1234,
		.status = sc_num(step, "status", 0),
		.info_length = sc_num(step, "info", 0),
		.info = data_bytes,
		.ece.vendor_id = sc_num(step, "vendor", 0),
		.ece.attr_mod = sc_num(step, "options", 0),
	};

	param.private_data = private_data(step, &param.private_data_len);
	return ib_send_cm_sidr_rep(id->cm, &param);
}

static int call_rej(struct sc_id *id, const struct sc_step *step)
{
	const void *data;
	u8 len;

	data = private_data(step, &len);
	return ib_send_cm_rej(id->cm, sc_num(step, "reason", IB_CM_REJ_CONSUMER_DEFINED),
			      sc_num(step, "ari", 0) ? data_bytes : NULL, sc_num(step, "ari", 0), data, len);
}

static void print_ah(struct sc_seq *seq, struct sc_text *t, const char *which, const struct rdma_ah_attr *ah)
{
	const struct ib_global_route *grh = rdma_ah_read_grh(ah);
	unsigned int bits;
	char key[32];

#define KEY(name) (snprintf(key, sizeof(key), "%s." name, which), key)
	if (ah->type == RDMA_AH_ATTR_TYPE_IB) {
		sc_print_lid(seq, t, KEY("dlid"), rdma_ah_get_dlid(ah));
		bits = rdma_ah_get_path_bits(ah);
		if (bits && (bits - seq->address.slid) % 128 < 2)
			sc_print(t, " %s=dev+%u", KEY("path_bits"), (bits - seq->address.slid) % 128);
		else
			sc_print_num(t, KEY("path_bits"), bits);
	}
	sc_print_num(t, KEY("sl"), rdma_ah_get_sl(ah));
	sc_print_num(t, KEY("rate"), rdma_ah_get_static_rate(ah));
	sc_print(t, " %s=%s", KEY("port"), !ah->port_num ? "0" : ah->port_num == seq->port ? "own" : "other");
	if (rdma_ah_get_ah_flags(ah) & IB_AH_GRH) {
		sc_print_gid(seq, t, KEY("dgid"), grh->dgid.raw);
		sc_print_num(t, KEY("flow_label"), grh->flow_label);
		sc_print_num(t, KEY("sgid_index"), grh->sgid_index);
		sc_print_num(t, KEY("hop_limit"), grh->hop_limit);
		sc_print_num(t, KEY("traffic_class"), grh->traffic_class);
	}
#undef KEY
}

static int call_qp(struct sc_id *id, enum ib_qp_state state)
{
	struct sc_seq *seq = id->seq;
	struct sc_text *t = &seq->note;
	struct ib_qp_attr attr = { .qp_state = state };
	int mask = 0, ret;

	ret = ib_cm_init_qp_attr(id->cm, &attr, &mask);
	if (ret)
		return ret;
	mutex_lock(&seq->lock);
	sc_print(t, "attr %c mask=0x%x", sc_letter(id), mask);
	if (mask & IB_QP_ACCESS_FLAGS)
		sc_print_num(t, "access", attr.qp_access_flags);
	if (mask & IB_QP_PKEY_INDEX)
		sc_print_num(t, "pkey_index", attr.pkey_index);
	if (mask & IB_QP_PORT)
		sc_print(t, " port=%s", attr.port_num == seq->port ? "own" : "other");
	if (mask & IB_QP_AV)
		print_ah(seq, t, "av", &attr.ah_attr);
	if (mask & IB_QP_PATH_MTU)
		sc_print_num(t, "path_mtu", attr.path_mtu);
	if (mask & IB_QP_DEST_QPN)
		sc_print(t, " dest_qpn=%s", sc_name(seq, SC_QPN, attr.dest_qp_num));
	if (mask & IB_QP_RQ_PSN)
		sc_print_num(t, "rq_psn", attr.rq_psn);
	if (mask & IB_QP_MAX_DEST_RD_ATOMIC)
		sc_print_num(t, "max_dest_rd_atomic", attr.max_dest_rd_atomic);
	if (mask & IB_QP_MIN_RNR_TIMER)
		sc_print_num(t, "min_rnr_timer", attr.min_rnr_timer);
	if (mask & IB_QP_ALT_PATH) {
		print_ah(seq, t, "alt", &attr.alt_ah_attr);
		sc_print_num(t, "alt_timeout", attr.alt_timeout);
		sc_print_num(t, "alt_pkey_index", attr.alt_pkey_index);
	}
	if (mask & IB_QP_SQ_PSN)
		sc_print_num(t, "sq_psn", attr.sq_psn);
	if (mask & IB_QP_TIMEOUT)
		sc_print_num(t, "timeout", attr.timeout);
	if (mask & IB_QP_RETRY_CNT)
		sc_print_num(t, "retry_cnt", attr.retry_cnt);
	if (mask & IB_QP_RNR_RETRY)
		sc_print_num(t, "rnr_retry", attr.rnr_retry);
	if (mask & IB_QP_MAX_QP_RD_ATOMIC)
		sc_print_num(t, "max_rd_atomic", attr.max_rd_atomic);
	if (mask & IB_QP_PATH_MIG_STATE)
		sc_print_num(t, "path_mig_state", attr.path_mig_state);
	sc_print(t, "\n");
	mutex_unlock(&seq->lock);
	return 0;
}

enum verb {
	REQ, REP, RTU, DREQ, DREP, REJ, MRA, SIDR_REQ, SIDR_REP, INIT, RTR, RTS, COMM_EST, PATH_MIG, LISTEN, VERBS
};

static const char *const verbs[VERBS] = {
	"req", "rep", "rtu", "dreq", "drep", "rej", "mra", "sidr_req", "sidr_rep", "init", "rtr", "rts", "comm_est",
	"path_mig", "listen",
};

/* call ID VERB options... */
int sc_call(struct sc_id *id, const struct sc_step *step)
{
	const void *data;
	u8 len;

	if (!id->cm)
		return -ESTALE;
	data = private_data(step, &len);
	switch (match_string(verbs, VERBS, step->words[2])) {
	case REQ:	return call_req(id, step);
	case REP:	return call_rep(id, step);
	case RTU:	return ib_send_cm_rtu(id->cm, data, len);
	case DREQ:	return ib_send_cm_dreq(id->cm, data, len);
	case DREP:	return ib_send_cm_drep(id->cm, data, len);
	case REJ:	return call_rej(id, step);
	case MRA:	return ib_prepare_cm_mra(id->cm);
	case SIDR_REQ:	return call_sidr_req(id, step);
	case SIDR_REP:	return call_sidr_rep(id, step);
	case INIT:	return call_qp(id, IB_QPS_INIT);
	case RTR:	return call_qp(id, IB_QPS_RTR);
	case RTS:	return call_qp(id, IB_QPS_RTS);
	case COMM_EST:	return ib_cm_notify(id->cm, IB_EVENT_COMM_EST);
	case PATH_MIG:	return ib_cm_notify(id->cm, IB_EVENT_PATH_MIG);
	case LISTEN:	return ib_cm_listen(id->cm, cpu_to_be64(sc_service(id->seq, sc_num(step, "sid", 1))));
	}
	pr_err("cm_script: no call %s\n", step->words[2]);
	return -EOPNOTSUPP;
}

int sc_create(struct sc_id *id)
{
	struct ib_cm_id *cm;

	if (id->cm)
		return -EEXIST;
	cm = ib_create_cm_id(id->seq->dev, sc_handler, id);
	if (IS_ERR(cm))
		return PTR_ERR(cm);
	id->cm = cm;
	id->active = true;
	id->answer = 0;
	mutex_lock(&id->seq->lock);
	id->local_id = be32_to_cpu(cm->local_id);
	sc_name_add(id->seq, SC_COMM, id->local_id, "%c", sc_letter(id));
	mutex_unlock(&id->seq->lock);
	return 0;
}

int sc_listen(struct sc_id *id, const struct sc_step *step, bool insert)
{
	__be64 service = cpu_to_be64(sc_service(id->seq, sc_num(step, "sid", 1)));
	struct ib_cm_id *cm;
	int ret;

	if (!insert) {
		ret = sc_create(id);
		return ret ? ret : ib_cm_listen(id->cm, service);
	}
	if (id->cm)
		return -EEXIST;
	cm = ib_cm_insert_listen(id->seq->dev, sc_handler, service);
	if (IS_ERR(cm))
		return PTR_ERR(cm);
	id->cm = cm;
	return 0;
}

void sc_not_awaited(struct sc_id *id)
{
	if (atomic_xchg(&id->awaited, 0))
		atomic_dec(&sc_running);
}

void sc_destroy_work(struct work_struct *work)
{
	struct sc_id *id = container_of(work, struct sc_id, work);

	ib_destroy_cm_id(id->doomed);
	mutex_lock(&id->seq->lock);
	id->doomed = NULL;
	id->returned = true;
	id->took_ms = ktime_ms_delta(ktime_get(), id->doomed_at);
	id->late |= atomic_read(&id->inside) > 0;
	mutex_unlock(&id->seq->lock);
	atomic_inc(&sc_activity);
	sc_not_awaited(id);
}

/* On its own: an ib_cm may wait here for what the script has yet to do. */
void sc_destroy(struct sc_id *id)
{
	mutex_lock(&id->seq->lock);
	id->doomed = id->cm;
	id->doomed_at = ktime_get();
	id->cm = NULL;
	mutex_unlock(&id->seq->lock);
	atomic_set(&id->awaited, 1);
	atomic_inc(&sc_running);
	queue_work(sc_wq, &id->work);
}
