// SPDX-License-Identifier: GPL-2.0-only
/*
 * The handler of every id: writes the event down and answers as the script wants.
 *
 * A new id is told to its sequence and name by the peer, in the request's private
 * data: letter, index in the batch; a shared listener has no context to tell it.
 */
#include <linux/delay.h>
#include <linux/unaligned.h>

#include "script.h"

void sc_print_path(struct sc_seq *seq, struct sc_text *text, const char *prefix, const struct sa_path_rec *path)
{
	struct sc_text *t = text;
	char key[40];

#define KEY(name) (snprintf(key, sizeof(key), "%s." name, prefix), key)
	sc_print(t, " %s=%s", KEY("type"), path->rec_type == SA_PATH_REC_TYPE_IB ? "ib" : "roce");
	sc_print_gid(seq, t, KEY("sgid"), path->sgid.raw);
	sc_print_gid(seq, t, KEY("dgid"), path->dgid.raw);
	if (path->rec_type == SA_PATH_REC_TYPE_IB) {
		sc_print_lid(seq, t, KEY("slid"), be16_to_cpu(path->ib.slid));
		sc_print_lid(seq, t, KEY("dlid"), be16_to_cpu(path->ib.dlid));
	} else {
		sc_print_data(t, KEY("dmac"), path->roce.dmac, sizeof(path->roce.dmac));
	}
	sc_print_service(seq, t, KEY("service_id"), be64_to_cpu(path->service_id));
	sc_print_num(t, KEY("flow_label"), be32_to_cpu(path->flow_label));
	sc_print_num(t, KEY("hop_limit"), path->hop_limit);
	sc_print_num(t, KEY("traffic_class"), path->traffic_class);
	sc_print_num(t, KEY("reversible"), path->reversible);
	sc_print_num(t, KEY("pkey"), be16_to_cpu(path->pkey));
	sc_print_num(t, KEY("qos"), be16_to_cpu(path->qos_class));
	sc_print_num(t, KEY("sl"), path->sl);
	sc_print_num(t, KEY("mtu_selector"), path->mtu_selector);
	sc_print_num(t, KEY("mtu"), path->mtu);
	sc_print_num(t, KEY("rate_selector"), path->rate_selector);
	sc_print_num(t, KEY("rate"), path->rate);
	sc_print_num(t, KEY("life_selector"), path->packet_life_time_selector);
	sc_print_num(t, KEY("life"), path->packet_life_time);
	sc_print_num(t, KEY("preference"), path->preference);
#undef KEY
}

static void print_sgid_attr(struct sc_seq *seq, struct sc_text *t, const struct ib_gid_attr *attr)
{
	if (!attr)
		return;
	sc_print_gid(seq, t, "sgid_attr.gid", attr->gid.raw);
	sc_print_num(t, "sgid_attr.index", attr->index);
	sc_print_num(t, "sgid_attr.type", attr->gid_type);
}

static char listener_of(struct sc_seq *seq, const struct ib_cm_id *listen_id)
{
	unsigned int i;

	for (i = 0; i < SC_IDS; i++)
		if (seq->ids[i].cm == listen_id || seq->ids[i].doomed == listen_id)
			return 'A' + i;
	return '?';
}

static void print_req(struct sc_seq *seq, struct sc_text *t, const struct ib_cm_req_event_param *p)
{
	sc_print(t, " listener=%c", listener_of(seq, p->listen_id));
	sc_print(t, " port=%s", p->port == seq->port ? "own" : "other");
	sc_print_num(t, "bth_pkey", p->bth_pkey);
	sc_print_guid(seq, t, "ca_guid", be64_to_cpu(p->remote_ca_guid));
	sc_print_num(t, "qkey", p->remote_qkey);
	sc_print(t, " qpn=%s", sc_name(seq, SC_QPN, p->remote_qpn));
	sc_print_num(t, "qp_type", p->qp_type);
	sc_print_num(t, "psn", p->starting_psn);
	sc_print_num(t, "responder_resources", p->responder_resources);
	sc_print_num(t, "initiator_depth", p->initiator_depth);
	sc_print_num(t, "local_cm_response_timeout", p->local_cm_response_timeout);
	sc_print_num(t, "flow_control", p->flow_control);
	sc_print_num(t, "remote_cm_response_timeout", p->remote_cm_response_timeout);
	sc_print_num(t, "retry_count", p->retry_count);
	sc_print_num(t, "rnr_retry_count", p->rnr_retry_count);
	sc_print_num(t, "srq", p->srq);
	sc_print_num(t, "ece.vendor_id", p->ece.vendor_id);
	sc_print_num(t, "ece.options", p->ece.attr_mod);
	print_sgid_attr(seq, t, p->ppath_sgid_attr);
	if (p->primary_path)
		sc_print_path(seq, t, "primary", p->primary_path);
	if (p->alternate_path)
		sc_print_path(seq, t, "alternate", p->alternate_path);
}

static void print_rep(struct sc_seq *seq, struct sc_text *t, const struct ib_cm_rep_event_param *p)
{
	sc_print_guid(seq, t, "ca_guid", be64_to_cpu(p->remote_ca_guid));
	sc_print_num(t, "qkey", p->remote_qkey);
	sc_print(t, " qpn=%s", sc_name(seq, SC_QPN, p->remote_qpn));
	sc_print_num(t, "psn", p->starting_psn);
	sc_print_num(t, "responder_resources", p->responder_resources);
	sc_print_num(t, "initiator_depth", p->initiator_depth);
	sc_print_num(t, "target_ack_delay", p->target_ack_delay);
	sc_print_num(t, "failover_accepted", p->failover_accepted);
	sc_print_num(t, "flow_control", p->flow_control);
	sc_print_num(t, "rnr_retry_count", p->rnr_retry_count);
	sc_print_num(t, "srq", p->srq);
	sc_print_num(t, "ece.vendor_id", p->ece.vendor_id);
	sc_print_num(t, "ece.options", p->ece.attr_mod);
}

static size_t data_size(enum ib_cm_event_type type)
{
	switch (type) {
	case IB_CM_REQ_RECEIVED:	return IB_CM_REQ_PRIVATE_DATA_SIZE;
	case IB_CM_REP_RECEIVED:	return IB_CM_REP_PRIVATE_DATA_SIZE;
	case IB_CM_RTU_RECEIVED:	return IB_CM_RTU_PRIVATE_DATA_SIZE;
	case IB_CM_DREQ_RECEIVED:	return IB_CM_DREQ_PRIVATE_DATA_SIZE;
	case IB_CM_DREP_RECEIVED:	return IB_CM_DREP_PRIVATE_DATA_SIZE;
	case IB_CM_MRA_RECEIVED:	return IB_CM_MRA_PRIVATE_DATA_SIZE;
	case IB_CM_REJ_RECEIVED:	return IB_CM_REJ_PRIVATE_DATA_SIZE;
	case IB_CM_LAP_RECEIVED:	return IB_CM_LAP_PRIVATE_DATA_SIZE;
	case IB_CM_APR_RECEIVED:	return IB_CM_APR_PRIVATE_DATA_SIZE;
	case IB_CM_SIDR_REQ_RECEIVED:	return IB_CM_SIDR_REQ_PRIVATE_DATA_SIZE;
	case IB_CM_SIDR_REP_RECEIVED:	return IB_CM_SIDR_REP_PRIVATE_DATA_SIZE;
	default:			return 0;
	}
}

static void print_event(struct sc_id *id, const struct ib_cm_id *cm, const struct ib_cm_event *event)
{
	struct sc_seq *seq = id->seq;
	struct sc_text *t = &id->events;
	size_t size = data_size(event->event);

	sc_print(t, "event %c %s", sc_letter(id), sc_event_name(event->event));
	sc_print_state(t, "seen", cm);
	switch (event->event) {
	case IB_CM_REQ_RECEIVED:
		print_req(seq, t, &event->param.req_rcvd);
		break;
	case IB_CM_REP_RECEIVED:
		print_rep(seq, t, &event->param.rep_rcvd);
		break;
	case IB_CM_REJ_RECEIVED:
		sc_print_num(t, "reason", event->param.rej_rcvd.reason);
		sc_print_num(t, "ari_length", event->param.rej_rcvd.ari_length);
		if (event->param.rej_rcvd.ari_length >= 8)
			sc_print_ari(seq, t, "ari", event->param.rej_rcvd.ari,
				     min_t(size_t, 72, event->param.rej_rcvd.ari_length));
		break;
	case IB_CM_MRA_RECEIVED:
		sc_print_num(t, "service_timeout", event->param.mra_rcvd.service_timeout);
		break;
	case IB_CM_LAP_RECEIVED:
		if (event->param.lap_rcvd.alternate_path)
			sc_print_path(seq, t, "alternate", event->param.lap_rcvd.alternate_path);
		break;
	case IB_CM_APR_RECEIVED:
		sc_print_num(t, "status", event->param.apr_rcvd.ap_status);
		break;
	case IB_CM_SIDR_REQ_RECEIVED:
		sc_print(t, " listener=%c", listener_of(seq, event->param.sidr_req_rcvd.listen_id));
		sc_print(t, " port=%s", event->param.sidr_req_rcvd.port == seq->port ? "own" : "other");
		sc_print_service(seq, t, "service_id", be64_to_cpu(event->param.sidr_req_rcvd.service_id));
		sc_print_num(t, "bth_pkey", event->param.sidr_req_rcvd.bth_pkey);
		sc_print_num(t, "pkey", event->param.sidr_req_rcvd.pkey);
		print_sgid_attr(seq, t, event->param.sidr_req_rcvd.sgid_attr);
		break;
	case IB_CM_SIDR_REP_RECEIVED:
		sc_print_num(t, "status", event->param.sidr_rep_rcvd.status);
		sc_print_num(t, "qkey", event->param.sidr_rep_rcvd.qkey);
		sc_print(t, " qpn=%s", sc_name(seq, SC_QPN, event->param.sidr_rep_rcvd.qpn));
		sc_print_num(t, "info_len", event->param.sidr_rep_rcvd.info_len);
		sc_print_data(t, "info", event->param.sidr_rep_rcvd.info,
			      min_t(size_t, 72, event->param.sidr_rep_rcvd.info_len));
		print_sgid_attr(seq, t, event->param.sidr_rep_rcvd.sgid_attr);
		break;
	case IB_CM_REQ_ERROR:
	case IB_CM_REP_ERROR:
	case IB_CM_DREQ_ERROR:
	case IB_CM_LAP_ERROR:
	case IB_CM_SIDR_REQ_ERROR:
		sc_print_num(t, "send_status", event->param.send_status);
		break;
	default:
		break;
	}
	if (size && event->private_data)
		sc_print_data(t, "private_data", event->private_data, size);
}

/* Whose id the peer meant it to be; if that name is in use, the last free one. The seq's lock is held. */
static struct sc_id *claim(struct sc_seq *seq, u8 letter, struct ib_cm_id *cm)
{
	struct sc_id *id = &seq->ids[(letter - 'A') % SC_IDS];

	if (id->cm) {
		for (id = &seq->ids[SC_IDS - 1]; id->cm && id > seq->ids; id--)
			;
		if (id->cm)
			return NULL;
	}
	id->cm = cm;
	id->active = false;
	id->answer = 0;
	id->local_id = be32_to_cpu(cm->local_id);
	sc_name_add(seq, SC_COMM, id->local_id, "%c", sc_letter(id));
	cm->context = id;
	return id;
}

int sc_handler(struct ib_cm_id *cm, const struct ib_cm_event *event)
{
	bool fresh = event->event == IB_CM_REQ_RECEIVED || event->event == IB_CM_SIDR_REQ_RECEIVED;
	const u8 *data = event->private_data;
	struct sc_id *id = cm->context;
	const struct ib_cm_id *listen_id;
	struct sc_seq *seq;
	unsigned int i, nap_ms;
	int answer = 0;

	atomic_inc(&sc_running);
	if (fresh) {
		if (!data || get_unaligned_be16(data + 1) >= sc_batch.count) {
			pr_err("cm_script: a request that nobody in this batch has sent\n");
			answer = -EINVAL;
			goto out;
		}
		seq = sc_batch.seqs[get_unaligned_be16(data + 1)];
	} else {
		seq = id->seq;
	}
	mutex_lock(&seq->lock);
	if (fresh) {
		id = claim(seq, data[0], cm);
		if (!id) {
			mutex_unlock(&seq->lock);
			answer = -EINVAL;
			goto out;
		}
		listen_id = event->event == IB_CM_REQ_RECEIVED ? event->param.req_rcvd.listen_id :
								  event->param.sidr_req_rcvd.listen_id;
		for (i = 0; i < SC_IDS; i++)
			if (seq->ids[i].cm == listen_id && seq->ids[i].answer) {
				answer = seq->ids[i].answer;
				seq->ids[i].answer = 0;
				break;
			}
	} else {
		/* It must not be destroyed twice. */
		answer = id->doomed == cm ? 0 : id->answer;
		id->answer = 0;
	}
	print_event(id, cm, event);
	if (answer)
		sc_print(&id->events, " answered=%d", answer);
	sc_print(&id->events, "\n");
	if (atomic_inc_return(&id->inside) > 1)
		id->overlapped = true;
	nap_ms = id->nap_ms;
	if (!id->nap_always)
		id->nap_ms = 0;
	/* The id is the CM's to destroy. */
	if (answer && id->cm == cm)
		id->cm = NULL;
	mutex_unlock(&seq->lock);
	if (nap_ms) {
		/* The script goes on meanwhile. */
		atomic_inc(&sc_activity);
		atomic_dec(&sc_running);
		msleep(nap_ms);
		atomic_inc(&sc_running);
	}
	atomic_dec(&id->inside);
out:
	atomic_inc(&sc_activity);
	atomic_dec(&sc_running);
	return answer;
}
