// SPDX-License-Identifier: GPL-2.0-only
/*
 * The peer: a station on the wire that says what the script wants it to say. It
 * knows of a connection what it read on the wire, and the public local_id of the
 * id, so that messages can arrive in states in which no honest peer sends them.
 */
#include <linux/slab.h>
#include <linux/unaligned.h>

#include "script.h"

static u64 fresh_tid(struct sc_id *id, u16 attr)
{
	struct sc_seq *seq = id->seq;
	u64 tid = 0x7ee2000000000000ULL | (u64)seq->number << 16 | ++seq->tids << 8;

	sc_name_add(seq, SC_TID, tid, "p%s.%c", mad_name(attr), sc_letter(id));
	return tid;
}

static void new_peer(struct sc_id *id)
{
	struct sc_seq *seq = id->seq;
	unsigned int slot = id - seq->ids;

	id->attempts++;
	id->peer_comm = 0x40000000 | seq->number << 8 | slot << 5 | (id->attempts & 31);
	id->peer_qpn = 0x400000 | ((seq->number << 6 | slot << 3 | (id->attempts & 7)) & 0x3fffff);
	sc_name_add(seq, SC_COMM, id->peer_comm, "p%c", sc_letter(id));
	sc_name_add(seq, SC_QPN, id->peer_qpn, "r%c", sc_letter(id));
}

static void put_data(struct sc_id *id, u8 *mad, const struct sc_step *step, bool request)
{
	u8 *data = mad_bytes_w(mad, "private_data");
	unsigned int i;

	for (i = 0; i < 8; i++)
		data[i] = 0x61 + i;
	if (request) {
		data[0] = sc_letter(id);
		put_unaligned_be16(id->seq->index, data + 1);
	}
}

static void put_path(struct sc_seq *seq, u8 *mad, const char *which, const struct sc_step *step, bool alternate)
{
	bool roce = seq->layer == IB_LINK_LAYER_ETHERNET;
	bool foreign = sc_num(step, alternate ? "badalt" : "badpath", 0);
	char key[40];
	u8 *gid;

#define KEY(name) (snprintf(key, sizeof(key), "%s_" name, which), key)
	mad_set(mad, KEY("local_port_lid"), roce ? 0xffff : seq->peer.slid + alternate);
	mad_set(mad, KEY("remote_port_lid"), roce ? 0xffff : seq->address.slid + alternate);
	memcpy(mad_bytes_w(mad, KEY("local_port_gid")), &seq->peer.sgid, 16);
	gid = mad_bytes_w(mad, KEY("remote_port_gid"));
	memcpy(gid, &seq->address.sgid, 16);
	if (foreign)
		gid[15] ^= 0x55;
	mad_set(mad, KEY("flow_label"), sc_num(step, "flow_label", 0));
	mad_set(mad, KEY("packet_rate"), IB_RATE_10_GBPS);
	mad_set(mad, KEY("traffic_class"), sc_num(step, "traffic_class", 0));
	mad_set(mad, KEY("hop_limit"), sc_num(step, "hop_limit", roce ? 64 : 0));
	mad_set(mad, KEY("sl"), sc_num(step, "sl", 0));
	mad_set(mad, KEY("subnet_local"), !roce);
	mad_set(mad, KEY("local_ack_timeout"), sc_num(step, "lifetime", seq->lifetime));
#undef KEY
}

/* Identity: that of another id where the step says like=, but what it says to be new. */
static void put_req(struct sc_id *id, u8 *mad, const struct sc_step *step)
{
	struct sc_seq *seq = id->seq;
	const char *like = sc_opt(step, "like");
	struct sc_id *model = like ? &seq->ids[(like[0] - 'A') % SC_IDS] : NULL;
	u64 tid;

	new_peer(id);
	if (model && model->peer_comm) {
		if (!sc_num(step, "newcomm", 0))
			id->peer_comm = model->peer_comm;
		if (!sc_num(step, "newqpn", 0))
			id->peer_qpn = model->peer_qpn;
	}
	tid = model && !sc_num(step, "newtid", 0) ? model->peer_tid : 0;
	if (!tid)
		tid = fresh_tid(id, ATTR_REQ);
	id->peer_tid = tid;
	mad_set(mad, F_MAD_TID, tid);
	mad_set(mad, F_MAD_MODIFIER, sc_num(step, "options", 0));
	mad_set(mad, "local_comm_id", id->peer_comm);
	mad_set(mad, "vendor_id", sc_num(step, "vendor", 0));
	mad_set(mad, "service_id", sc_service(seq, sc_num(step, "sid", 1)));
	mad_set(mad, "local_ca_guid", sc_num(step, "guid", seq->guid));
	mad_set(mad, "local_qkey", sc_num(step, "qkey", 0));
	mad_set(mad, "local_qpn", id->peer_qpn);
	mad_set(mad, "responder_resources", sc_num(step, "responder_resources", 7));
	mad_set(mad, "initiator_depth", sc_num(step, "initiator_depth", 8));
	mad_set(mad, "remote_cm_response_timeout", sc_num(step, "timeout", seq->timeout));
	mad_set(mad, "transport_service_type", sc_num(step, "transport", 0));
	mad_set(mad, "extended_transport_type", sc_num(step, "extended", 0));
	mad_set(mad, "end_to_end_flow_control", sc_num(step, "flow_control", 1));
	mad_set(mad, "starting_psn", 0xabcdef);
	mad_set(mad, "local_cm_response_timeout", sc_num(step, "timeout", seq->timeout));
	mad_set(mad, "retry_count", sc_num(step, "retry_count", 4));
	mad_set(mad, "partition_key", sc_num(step, "pkey", 0xffff));
	mad_set(mad, "path_packet_payload_mtu", sc_num(step, "mtu", IB_MTU_2048));
	mad_set(mad, "rnr_retry_count", sc_num(step, "rnr_retry_count", 5));
	mad_set(mad, "max_cm_retries", sc_num(step, "retries", seq->retries));
	mad_set(mad, "srq", sc_num(step, "srq", 0));
	put_path(seq, mad, "primary", step, false);
	if (sc_num(step, "alt", 0) || sc_num(step, "badalt", 0))
		put_path(seq, mad, "alternate", step, true);
	put_data(id, mad, step, true);
}

static void put_sidr_req(struct sc_id *id, u8 *mad, const struct sc_step *step)
{
	struct sc_seq *seq = id->seq;
	const char *like = sc_opt(step, "like");
	struct sc_id *model = like ? &seq->ids[(like[0] - 'A') % SC_IDS] : NULL;

	new_peer(id);
	if (model && model->peer_comm)
		id->peer_comm = model->peer_comm;
	id->peer_tid = model && !sc_num(step, "newtid", 0) ? model->peer_tid : 0;
	if (!id->peer_tid)
		id->peer_tid = fresh_tid(id, ATTR_SIDR_REQ);
	mad_set(mad, F_MAD_TID, id->peer_tid);
	mad_set(mad, "request_id", id->peer_comm);
	mad_set(mad, "partition_key", sc_num(step, "pkey", 0xffff));
	mad_set(mad, "service_id", sc_service(seq, sc_num(step, "sid", 1)));
	put_data(id, mad, step, true);
}

/* from=wrong|0: the sender's comm id; to=wrong|0: the receiver's */
static void put_comm_ids(struct sc_id *id, u8 *mad, const struct sc_step *step)
{
	const char *from = sc_opt(step, "from"), *to = sc_opt(step, "to");

	if (!id->peer_comm)
		new_peer(id);
	mad_set(mad, "local_comm_id", !from ? id->peer_comm : *from == '0' ? 0 : SC_WRONG_COMM);
	mad_set(mad, "remote_comm_id", !to ? id->local_id : *to == '0' ? 0 : SC_WRONG_COMM);
}

/* Of the exchange that sets the connection up, whoever began it */
static u64 request_tid(struct sc_id *id, u16 attr)
{
	u64 tid = id->active ? id->req_tid : id->peer_tid;

	return tid ? tid : fresh_tid(id, attr);
}

static void put_answer(struct sc_id *id, u8 *mad, u16 attr, const struct sc_step *step)
{
	struct sc_seq *seq = id->seq;
	u64 tid;

	switch (attr) {
	case ATTR_DREQ:
	case ATTR_LAP:
		tid = fresh_tid(id, attr);
		break;
	case ATTR_DREP:
		tid = id->dreq_tid ? id->dreq_tid : fresh_tid(id, attr);
		break;
	default:
		tid = request_tid(id, attr);
		break;
	}
	if (sc_num(step, "newtid", 0))
		tid = fresh_tid(id, attr);
	mad_set(mad, F_MAD_TID, tid);
	if (attr != ATTR_SIDR_REP)
		put_comm_ids(id, mad, step);
	switch (attr) {
	case ATTR_MRA:
		mad_set(mad, "message_mraed", sc_num(step, "msg", !id->active));
		mad_set(mad, "service_timeout", sc_num(step, "service", seq->timeout));
		break;
	case ATTR_REJ:
		mad_set(mad, "message_rejected", sc_num(step, "msg", !id->active));
		mad_set(mad, "reason", sc_num(step, "reason", 28));
		if (sc_num(step, "ari", 0)) {
			mad_set(mad, "rejected_info_length", 8);
			put_unaligned_be64(seq->guid, mad_bytes_w(mad, "ari"));
		}
		break;
	case ATTR_REP:
		mad_set(mad, "local_qkey", 0);
		mad_set(mad, "local_qpn", id->peer_qpn);
		if (sc_opt(step, "like"))
			mad_set(mad, "local_qpn", seq->ids[(sc_opt(step, "like")[0] - 'A') % SC_IDS].peer_qpn);
		mad_set(mad, "starting_psn", 0xfedcba);
		mad_set(mad, "responder_resources", 6);
		mad_set(mad, "initiator_depth", 5);
		mad_set(mad, "target_ack_delay", sc_num(step, "ack_delay", 4));
		mad_set(mad, "failover_accepted", sc_num(step, "failover", 0));
		mad_set(mad, "end_to_end_flow_control", 1);
		mad_set(mad, "rnr_retry_count", 3);
		mad_set(mad, "local_ca_guid", seq->guid);
		break;
	case ATTR_DREQ:
		mad_set(mad, "remote_qpn_eecn", sc_num(step, "wrongqpn", 0) ? SC_WRONG_QPN : id->local_qpn);
		break;
	case ATTR_LAP:
		mad_set(mad, "remote_qpn_eecn", sc_num(step, "wrongqpn", 0) ? SC_WRONG_QPN : id->local_qpn);
		mad_set(mad, "remote_cm_response_timeout", seq->timeout);
		put_path(seq, mad, "alternate", step, true);
		break;
	case ATTR_APR:
		mad_set(mad, "ap_status", sc_num(step, "status", 0));
		break;
	case ATTR_SIDR_REP:
		mad_set(mad, "request_id", sc_opt(step, "to") ? SC_WRONG_COMM :
			id->request_id ? id->request_id : id->local_id);
		mad_set(mad, "status", sc_num(step, "status", 0));
		mad_set(mad, "qpn", 0x555);
		mad_set(mad, "qkey", 0x4321);
		mad_set(mad, "service_id", sc_service(seq, 1));
		break;
	}
	put_data(id, mad, step, false);
}

int sc_peer_put(struct sc_seq *seq, struct loop_station *station, struct loop_packet *packet)
{
	packet->pkey = 0xffff;
	packet->src_qpn = 1;
	packet->vlan = 0xffff;
	packet->dlid = seq->address.slid;
	packet->dgid = seq->address.sgid;
	packet->grh = seq->layer == IB_LINK_LAYER_ETHERNET;
	packet->hop_limit = 64;
	return loop_station_send(station, packet);
}

static int put_on_wire(struct sc_seq *seq, struct loop_station *station, const u8 *mad)
{
	struct loop_packet *packet;
	int ret;

	packet = kzalloc(sizeof(*packet), GFP_KERNEL);
	if (!packet)
		return -ENOMEM;
	memcpy(packet->mad, mad, MAD_BYTES);
	ret = sc_peer_put(seq, station, packet);
	kfree(packet);
	return ret;
}

/* peer MESSAGE ID options... */
int sc_peer_send(struct sc_id *id, const struct sc_step *step)
{
	struct sc_seq *seq = id->seq;
	u16 attr = sc_attr(step->words[1]);
	u8 **last, *mad;

	if (!attr)
		return -EINVAL;
	last = &id->last[attr - ATTR_REQ];
	if (!*last)
		*last = kzalloc(MAD_BYTES, GFP_KERNEL);
	mad = *last;
	if (!mad)
		return -ENOMEM;
	mutex_lock(&seq->lock);
	mad_init(mad, attr, 0);
	if (attr == ATTR_REQ)
		put_req(id, mad, step);
	else if (attr == ATTR_SIDR_REQ)
		put_sidr_req(id, mad, step);
	else
		put_answer(id, mad, attr, step);
	mutex_unlock(&seq->lock);
	return put_on_wire(seq, seq->other && sc_num(step, "station", 1) == 2 ? seq->other : seq->station, mad);
}

/* repeat MESSAGE ID: the last one, bit by bit */
int sc_peer_repeat(struct sc_id *id, const struct sc_step *step)
{
	u16 attr = sc_attr(step->words[1]);

	if (!attr || !id->last[attr - ATTR_REQ])
		return -ENOENT;
	return put_on_wire(id->seq, id->seq->station, id->last[attr - ATTR_REQ]);
}

static struct sc_id *id_of(struct sc_seq *seq, u32 local_id)
{
	unsigned int i;

	for (i = 0; i < SC_IDS; i++)
		if (local_id && seq->ids[i].local_id == local_id)
			return &seq->ids[i];
	return NULL;
}

static void print_field(struct sc_seq *seq, struct sc_text *text, const struct field *field, const u8 *mad, bool fresh)
{
	const char *name = field->name;
	size_t len = strlen(name);
	const u8 *bytes;
	u64 value;

	if (field->width > 64) {
		bytes = mad + field_start(field) / 8;
		if (field->width == 128)
			sc_print_gid(seq, text, name, bytes);
		else if (!strcmp(name, "ari"))
			sc_print_ari(seq, text, name, bytes, field->width / 8);
		else
			sc_print_data(text, name, bytes, field->width / 8);
		return;
	}
	value = field_read(field, mad);
	if (!value)
		return;
	if (!strcmp(name, F_MAD_TID))
		sc_print(text, " %s=%s", name, fresh ? "new" : sc_name(seq, SC_TID, value));
	else if (len > 8 && !strcmp(name + len - 8, "_comm_id"))
		sc_print(text, " %s=%s", name, sc_name(seq, SC_COMM, value));
	else if (!strcmp(name, "request_id"))
		sc_print(text, " %s=%s", name, sc_name(seq, SC_COMM, value));
	else if (!strcmp(name, "local_qpn") || !strcmp(name, "remote_qpn_eecn"))
		sc_print(text, " %s=%s", name, sc_name(seq, SC_QPN, value));
	else if (len > 4 && !strcmp(name + len - 4, "_lid"))
		sc_print_lid(seq, text, name, value);
	else if (!strcmp(name, "local_ca_guid"))
		sc_print_guid(seq, text, name, value);
	else if (!strcmp(name, "service_id"))
		sc_print_service(seq, text, name, value);
	else
		sc_print_num(text, name, value);
}

/* The seq's lock is held. Was the TID new? */
static bool learn(struct sc_seq *seq, const u8 *mad, u16 attr)
{
	u64 tid = mad_get(mad, F_MAD_TID);
	bool fresh = !sc_known(seq, SC_TID, tid);
	struct sc_id *id = NULL;

	if (attr == ATTR_SIDR_REQ)
		id = id_of(seq, mad_get(mad, "request_id"));
	else if (field_find(attr, "local_comm_id"))
		id = id_of(seq, mad_get(mad, "local_comm_id"));
	if (fresh)
		sc_name_add(seq, SC_TID, tid, "%s.%c", mad_name(attr), id ? sc_letter(id) : '-');
	if (!id)
		return fresh;
	if (attr == ATTR_REQ) {
		id->req_tid = tid;
	} else if (attr == ATTR_SIDR_REQ) {
		id->req_tid = tid;
		id->request_id = mad_get(mad, "request_id");
	} else if (attr == ATTR_DREQ) {
		id->dreq_tid = tid;
	}
	return fresh;
}

void sc_peer_take(struct sc_seq *seq, const struct loop_packet *packet, struct sc_text *text)
{
	u16 attr = mad_attr(packet->mad);
	bool fresh = learn(seq, packet->mad, attr);
	const struct field *field;

	sc_print(text, "mad %s", mad_name(attr));
	for (field = fields; field->name; field++) {
		if (field->attr != attr && field->attr)
			continue;
		if (!field->attr && (!strcmp(field->name, F_MAD_BASE_VERSION) || !strcmp(field->name, F_MAD_ATTRIBUTE)))
			continue;
		print_field(seq, text, field, packet->mad, fresh);
	}
	sc_print_num(text, "wire.sl", packet->sl);
	sc_print_num(text, "wire.grh", packet->grh);
	sc_print_lid(seq, text, "wire.slid", packet->slid);
	sc_print_num(text, "wire.pkey", packet->pkey);
	sc_print_num(text, "wire.qpn", packet->src_qpn);
	if (packet->grh) {
		sc_print_gid(seq, text, "wire.sgid", packet->sgid.raw);
		sc_print_num(text, "wire.hop_limit", packet->hop_limit);
		sc_print_num(text, "wire.flow_label", packet->flow_label);
	}
	sc_print(text, "\n");
}
