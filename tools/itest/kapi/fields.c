// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fields: values that are too long for their field on the wire. The peer sees them
 * cut or at their most, and every other field as it was given.
 */
#include "kapi.h"

/* A value that may have been cut to its field or set to the most that fits. */
static void kapi_fits(struct kapi *t, const char *what, u32 got, u32 given, u32 mask)
{
	if (got != (given & mask) && got != min(given, mask))
		kapi_fail(t, "%s of %#x: got %#x want %#x or %#x", what, given, got, given & mask, min(given, mask));
}

static void kapi_fields_check_req(struct kapi *t, const struct kapi_note *note, const struct ib_cm_req_param *given)
{
	const struct ib_cm_req_event_param *got = &note->event.param.req_rcvd;

	kapi_fits(t, "QPN", got->remote_qpn, given->qp_num, 0xffffff);
	kapi_fits(t, "PSN", got->starting_psn, given->starting_psn, 0xffffff);
	kapi_want(t, "QP type", got->qp_type, given->qp_type);
	kapi_want(t, "responder resources", got->initiator_depth, given->responder_resources);
	kapi_want(t, "initiator depth", got->responder_resources, given->initiator_depth);
	kapi_fits(t, "remote time-out", got->local_cm_response_timeout, given->remote_cm_response_timeout, 31);
	kapi_fits(t, "local time-out", got->remote_cm_response_timeout, given->local_cm_response_timeout, 31);
	kapi_want(t, "flow control", got->flow_control, given->flow_control & 1);
	kapi_fits(t, "retry count", got->retry_count, given->retry_count, 7);
	kapi_fits(t, "RNR retry count", got->rnr_retry_count, given->rnr_retry_count, 7);
	kapi_want(t, "SRQ", got->srq, given->srq & 1);
	kapi_want(t, "port", got->port, 1);
	kapi_want(t, "P_Key", got->bth_pkey, 0xffff);
	kapi_want(t, "service id", be64_to_cpu(note->service_id), be64_to_cpu(given->service_id));
	kapi_want(t, "CA GUID", be64_to_cpu(got->remote_ca_guid), be64_to_cpu(t->dev->node_guid));
	kapi_want(t, "path's P_Key", be16_to_cpu(note->path.pkey), 0xffff);
	kapi_want(t, "path's MTU", note->path.mtu, given->primary_path->mtu);
	kapi_want(t, "path's rate", note->path.rate, given->primary_path->rate);
	kapi_want(t, "path's hop limit", note->path.hop_limit, given->primary_path->hop_limit);
	kapi_want(t, "path's destination", memcmp(&note->path.dgid, &t->gid->gid, sizeof(union ib_gid)), 0);
	kapi_want(t, "path's source", memcmp(&note->path.sgid, &t->gid->gid, sizeof(union ib_gid)), 0);
}

#define KAPI_FIELD(type, f, v)	{ #f " " #v, offsetof(struct type, f), sizeof_field(struct type, f), v }
#define KAPI_REQ_FIELD(f, v)	KAPI_FIELD(ib_cm_req_param, f, v)
#define KAPI_REP_FIELD(f, v)	KAPI_FIELD(ib_cm_rep_param, f, v)

static const struct kapi_field {
	const char *name;
	size_t at, size;
	u32 value;
} kapi_req_fields[] = {
	{ "nothing" },
	KAPI_REQ_FIELD(qp_num, 0xffa50001),
	KAPI_REQ_FIELD(qp_num, 0x01a50002),
	KAPI_REQ_FIELD(starting_psn, 0xff123456),
	KAPI_REQ_FIELD(responder_resources, 255),
	KAPI_REQ_FIELD(initiator_depth, 255),
	KAPI_REQ_FIELD(retry_count, 7),
	KAPI_REQ_FIELD(retry_count, 8),
	KAPI_REQ_FIELD(retry_count, 255),
	KAPI_REQ_FIELD(rnr_retry_count, 7),
	KAPI_REQ_FIELD(rnr_retry_count, 8),
	KAPI_REQ_FIELD(rnr_retry_count, 255),
	KAPI_REQ_FIELD(remote_cm_response_timeout, 31),
	KAPI_REQ_FIELD(remote_cm_response_timeout, 32),
	KAPI_REQ_FIELD(remote_cm_response_timeout, 255),
	KAPI_REQ_FIELD(local_cm_response_timeout, 0),
	KAPI_REQ_FIELD(local_cm_response_timeout, 31),
	KAPI_REQ_FIELD(local_cm_response_timeout, 32),
	KAPI_REQ_FIELD(local_cm_response_timeout, 255),
	KAPI_REQ_FIELD(max_cm_retries, 0),
	KAPI_REQ_FIELD(max_cm_retries, 16),
	KAPI_REQ_FIELD(max_cm_retries, 255),
	KAPI_REQ_FIELD(flow_control, 0),
	KAPI_REQ_FIELD(flow_control, 255),
	KAPI_REQ_FIELD(srq, 1),
	KAPI_REQ_FIELD(srq, 255),
};

static void kapi_field_set(void *param, const struct kapi_field *field)
{
	if (field->size == sizeof(u32))
		*(u32 *)(param + field->at) = field->value;
	else if (field->size)
		*(u8 *)(param + field->at) = field->value;
}

static void kapi_fields_one_req(struct kapi *t, const struct kapi_field *field)
{
	struct kapi_pair *pair = kapi_pair_make(t);
	u8 data[IB_CM_REQ_PRIVATE_DATA_SIZE];
	struct ib_cm_req_param param;
	struct sa_path_rec path;
	struct kapi_note *note;
	int err;

	if (!pair)
		return;
	kapi_fill(data, sizeof(data), 3);
	kapi_req_param(pair, &path, &param);
	param.private_data = data;
	param.private_data_len = sizeof(data);
	kapi_field_set(&param, field);
	err = ib_send_cm_req(pair->a.id, &param);
	if (err) {
		kapi_fail(t, "send_req with %s: got %d want 0", field->name, err);
	} else {
		note = kapi_take(t, &pair->p, IB_CM_REQ_RECEIVED);
		if (note) {
			kapi_fields_check_req(t, note, &param);
			kapi_filled(t, note, sizeof(data), 3);
		}
	}
	if (t->failed)
		pr_info("cm_kapi: # that was with %s\n", field->name);
	kapi_pair_free(pair);
}

static void kapi_fields_req(struct kapi *t)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kapi_req_fields) && !t->failed; i++)
		kapi_fields_one_req(t, &kapi_req_fields[i]);
}

/* All 32 values of both: the REQ leaves whatever time it is that they ask for. */
static void kapi_fields_times(struct kapi *t)
{
	struct kapi_field field = { "a time", .size = 1 };
	unsigned int i;

	for (i = 0; i < 64 && !t->failed; i++) {
		field.value = i % 32;
		field.at = i < 32 ? offsetof(struct ib_cm_req_param, remote_cm_response_timeout) :
				    offsetof(struct ib_cm_req_param, local_cm_response_timeout);
		kapi_fields_one_req(t, &field);
		if (t->failed)
			pr_info("cm_kapi: # that was time %u\n", i);
	}
}

static const struct kapi_field kapi_rep_fields[] = {
	{ "nothing" },
	KAPI_REP_FIELD(qp_num, 0xffa50003),
	KAPI_REP_FIELD(starting_psn, 0xff654321),
	KAPI_REP_FIELD(responder_resources, 255),
	KAPI_REP_FIELD(initiator_depth, 255),
	KAPI_REP_FIELD(failover_accepted, 3),
	KAPI_REP_FIELD(failover_accepted, 4),
	KAPI_REP_FIELD(failover_accepted, 255),
	KAPI_REP_FIELD(flow_control, 255),
	KAPI_REP_FIELD(rnr_retry_count, 8),
	KAPI_REP_FIELD(rnr_retry_count, 255),
	KAPI_REP_FIELD(srq, 255),
};

static void kapi_fields_one_rep(struct kapi *t, const struct kapi_field *field)
{
	struct kapi_pair *pair = kapi_pair_make(t);
	const struct ib_cm_rep_event_param *got;
	u8 data[IB_CM_REP_PRIVATE_DATA_SIZE];
	struct ib_cm_rep_param param;
	struct kapi_note *note;

	if (!pair)
		return;
	if (!kapi_reach(pair, KAPI_REQ))
		goto out;
	kapi_fill(data, sizeof(data), 4);
	kapi_rep_param(pair, &param);
	param.private_data = data;
	param.private_data_len = sizeof(data);
	kapi_field_set(&param, field);
	kapi_want(t, "send_rep", ib_send_cm_rep(pair->p.id, &param), 0);
	note = kapi_take(t, &pair->a, IB_CM_REP_RECEIVED);
	if (!note)
		goto out;
	kapi_filled(t, note, sizeof(data), 4);
	got = &note->event.param.rep_rcvd;
	kapi_fits(t, "QPN", got->remote_qpn, param.qp_num, 0xffffff);
	kapi_fits(t, "PSN", got->starting_psn, param.starting_psn, 0xffffff);
	kapi_want(t, "responder resources", got->initiator_depth, param.responder_resources);
	kapi_want(t, "initiator depth", got->responder_resources, param.initiator_depth);
	kapi_want(t, "target's delay", got->target_ack_delay, t->dev->attrs.local_ca_ack_delay);
	kapi_fits(t, "failover accepted", got->failover_accepted, param.failover_accepted, 3);
	kapi_want(t, "flow control", got->flow_control, param.flow_control & 1);
	kapi_fits(t, "RNR retry count", got->rnr_retry_count, param.rnr_retry_count, 7);
	kapi_want(t, "SRQ", got->srq, param.srq & 1);
	kapi_want(t, "CA GUID", be64_to_cpu(got->remote_ca_guid), be64_to_cpu(t->dev->node_guid));
out:
	if (t->failed)
		pr_info("cm_kapi: # that was with %s\n", field->name);
	kapi_pair_free(pair);
}

static void kapi_fields_rep(struct kapi *t)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kapi_rep_fields) && !t->failed; i++) {
		/* Stock cuts it, too, but fills the kernel log. */
		if (t->stock && kapi_rep_fields[i].value > 0xffffff)
			continue;
		kapi_fields_one_rep(t, &kapi_rep_fields[i]);
	}
}

static void kapi_fields_sidr_rep(struct kapi *t)
{
	struct kapi_pair *pair = kapi_pair_make(t);
	const struct ib_cm_sidr_rep_event_param *got;
	struct ib_cm_sidr_rep_param param;
	struct kapi_note *note;
	u8 data[136], info[72];
	unsigned int i;

	if (!pair)
		return;
	kapi_fill(data, sizeof(data), 5);
	kapi_fill(info, sizeof(info), 6);
	param = (struct ib_cm_sidr_rep_param) {
		.qp_num = 0xff654321,
		.qkey = 0xfedcba98,
		.status = IB_SIDR_REDIRECT,
		.info = info,
		.info_length = sizeof(info),
		.private_data = data,
		.private_data_len = sizeof(data),
	};
	if (!kapi_step(pair, KAPI_SIDR))
		goto out;
	kapi_want(t, "send_sidr_rep", ib_send_cm_sidr_rep(pair->p.id, &param), 0);
	note = kapi_take(t, &pair->a, IB_CM_SIDR_REP_RECEIVED);
	if (!note)
		goto out;
	got = &note->event.param.sidr_rep_rcvd;
	kapi_want(t, "status", got->status, IB_SIDR_REDIRECT);
	kapi_fits(t, "QPN", got->qpn, param.qp_num, 0xffffff);
	kapi_want(t, "Q_Key", got->qkey, param.qkey);
	kapi_want(t, "length of information", note->info_len, sizeof(info));
	for (i = 0; i < sizeof(info); i++)
		if (!kapi_want(t, "information", note->info[i], info[i]))
			break;
	kapi_filled(t, note, sizeof(data), 5);
out:
	kapi_pair_free(pair);
}

static void kapi_fields_rej(struct kapi *t)
{
	struct kapi_pair *pair = kapi_pair_make(t);
	u8 data[IB_CM_REJ_PRIVATE_DATA_SIZE], info[72];
	struct kapi_note *note;
	unsigned int i;

	if (!pair)
		return;
	kapi_fill(data, sizeof(data), 7);
	kapi_fill(info, sizeof(info), 8);
	if (!kapi_reach(pair, KAPI_REQ))
		goto out;
	kapi_want(t, "send_rej", ib_send_cm_rej(pair->p.id, IB_CM_REJ_PORT_REDIRECT, info, sizeof(info), data,
						sizeof(data)), 0);
	kapi_state(t, &pair->p, IB_CM_IDLE);
	note = kapi_take(t, &pair->a, IB_CM_REJ_RECEIVED);
	if (!note)
		goto out;
	kapi_want(t, "reason", note->event.param.rej_rcvd.reason, IB_CM_REJ_PORT_REDIRECT);
	kapi_want(t, "length of information", note->info_len, sizeof(info));
	for (i = 0; i < sizeof(info); i++)
		if (!kapi_want(t, "information", note->info[i], info[i]))
			break;
	kapi_filled(t, note, sizeof(data), 7);
	kapi_returned(t, &pair->a);
	kapi_state(t, &pair->a, IB_CM_IDLE);
	kapi_quiet(t, &pair->p);
out:
	kapi_pair_free(pair);
}

static void kapi_fields_mra(struct kapi *t)
{
#ifndef KAPI_PREPARE_MRA
	static const u8 times[] = { 0, 1, 31, 32, 63, 127 };
	struct kapi_note *note;
	struct kapi_pair *pair;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(times) && !t->failed; i++) {
		pair = kapi_pair_make(t);
		if (!pair)
			return;
		if (kapi_reach(pair, KAPI_REQ)) {
			kapi_want(t, "send_mra", ib_send_cm_mra(pair->p.id, times[i], NULL, 0), 0);
			note = kapi_take(t, &pair->a, IB_CM_MRA_RECEIVED);
			if (note)
				kapi_fits(t, "service time", note->event.param.mra_rcvd.service_timeout, times[i], 31);
		}
		kapi_pair_free(pair);
	}
#endif
}

const struct kapi_case kapi_fields[] = {
	{ "fields-req", kapi_fields_req },
	{ "fields-times", kapi_fields_times },
	{ "fields-rep", kapi_fields_rep },
	{ "fields-rej", kapi_fields_rej },
	{ "fields-mra", kapi_fields_mra },
	{ "fields-sidr-rep", kapi_fields_sidr_rep, "the length of the information is never filled in" },
	{}
};
