/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the suite ib_cm_msg share: comparison of whole messages with
 * what the standard says they must be, the values of a walk over a field, a
 * device whose addresses and keys can be told apart.
 */
#ifndef MSG_H
#define MSG_H

#include "rig.h"
#include "../cm_core/generated/cm_model.h"

#define MSG_CASE(name)		void name(struct kunit *test)
#define MSG_CASE_PARAM(name) \
	MSG_CASE(name); \
	const void *name##_gen(struct kunit *test, const void *prev, char *desc)

/* A generator that the table of cases in another file can name. */
#define MSG_GEN(name, array) \
	KUNIT_ARRAY_PARAM_DESC(name, array, what) \
	const void *name##_gen(struct kunit *test, const void *prev, char *desc) \
	{ \
		return name##_gen_params(test, prev, desc); \
	}

#define MSG_IB		BIT(IB_LINK_LAYER_INFINIBAND)
#define MSG_ROCE	BIT(IB_LINK_LAYER_ETHERNET)
#define MSG_BOTH	(MSG_IB | MSG_ROCE)

/* A row of a table on one of its link layers */
struct msg_param {
	const void *row;
	enum rdma_link_layer layer;
};

/* Each row once for each of its layers. */
#define MSG_GEN_LAYERS(name, array) \
	const void *name##_gen(struct kunit *test, const void *prev, char *desc) \
	{ \
		static struct msg_param param; \
		typeof((array)[0]) *row = param.row; \
		if (prev && param.layer == IB_LINK_LAYER_INFINIBAND && row->layers & MSG_ROCE) { \
			param.layer = IB_LINK_LAYER_ETHERNET; \
		} else { \
			row = prev ? row + 1 : (array); \
			if (row == (array) + ARRAY_SIZE(array)) \
				return NULL; \
			param.row = row; \
			param.layer = row->layers & MSG_IB ? IB_LINK_LAYER_INFINIBAND : \
							     IB_LINK_LAYER_ETHERNET; \
		} \
		snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s (%s)", row->what, \
			 msg_layer(param.layer)); \
		return &param; \
	}

/* msg_send.c: what leaves */
MSG_CASE_PARAM(send_parameter);
MSG_CASE_PARAM(send_beyond);
MSG_CASE_PARAM(send_length);
MSG_CASE_PARAM(send_info_length);
MSG_CASE_PARAM(send_ack_timeout);
MSG_CASE(send_req_transport);
MSG_CASE(send_req_no_alternate);
MSG_CASE(send_req_routed);
MSG_CASE(send_rep_xrc);
MSG_CASE_PARAM(send_rej);
MSG_CASE_PARAM(send_mra);
MSG_CASE(send_mra_as_long_as_the_peer_waits);
MSG_CASE_PARAM(send_unasked);

/* msg_recv.c: what arrives */
MSG_CASE_PARAM(recv_field);
MSG_CASE(recv_req_service_id);
MSG_CASE_PARAM(recv_req_transport);
MSG_CASE(recv_req_no_alternate);
MSG_CASE(recv_req_routed);
MSG_CASE(recv_rep_xrc);
MSG_CASE_PARAM(recv_req_refused);
MSG_CASE_PARAM(recv_short);
MSG_CASE_PARAM(recv_header);
MSG_CASE(recv_attribute);
MSG_CASE(recv_apr);
MSG_CASE(recv_lap_roce);
MSG_CASE(recv_lap_foreign);

/* msg_path.c: paths out of the ordinary */
MSG_CASE(send_req_opa);
MSG_CASE(send_req_outbound);
MSG_CASE(recv_req_opa);
MSG_CASE(recv_lap_opa);
MSG_CASE(recv_rep_without_grh);
MSG_CASE(recv_req_alternate_roce);
MSG_CASE(recv_no_header_type);
MSG_CASE(recv_pkey_gone);
MSG_CASE(recv_req_at_another_port);
MSG_CASE(recv_other_class);
MSG_CASE(qp_attr_flush);
MSG_CASE(reason_words);

/* Of port 1 of the device of msg_rig(); walking ones under the membership bit, after the default key. */
#define MSG_PKEYS	LOOP_MAX_PKEYS
extern const u16 msg_pkeys[MSG_PKEYS];

/* Two ports, a LID, a GUID and P_Keys that cannot be taken for anything else; the same device for all cases. */
struct rig *msg_rig(struct kunit *test, enum rdma_link_layer layer);
const char *msg_layer(enum rdma_link_layer layer);
/* Every field, header and reserved bits included, is as in @want. */
bool msg_same(struct kunit *test, const u8 *got, const u8 *want, const char *what);
/* The nth value for a field so wide: up to 5 bits all, else 0, all ones, each bit alone. False past the last. */
bool msg_walk(unsigned int n, unsigned int width, u64 *value);
/* Bytes none of which is 0 and no two neighbours of which are equal. */
void msg_pattern(u8 *bytes, size_t len, u8 seed);
/* Header and comm ids of what one end of a connection says. */
void msg_init(u8 *mad, enum cm_attr attr, u64 tid, u32 local_comm_id, u32 remote_comm_id);
/* "primary_" or "alternate_" before a field of a path. */
void msg_set_path(u8 *mad, bool alternate, const char *name, u64 value);
u64 msg_get_path(const u8 *mad, bool alternate, const char *name);
u8 *msg_path_gid(u8 *mad, bool alternate, const char *name);
/* 12.7.34: twice the packet life time and the CA's delay, as a power of two, to the nearest; 5 bits. */
u8 msg_ack_timeout(u8 packet_life_time, u8 ca_ack_delay);

/* What port 1 says that it received; the test ends if it does not say. */
u64 msg_received(struct rig *rig, enum cm_attr attr);

#endif /* MSG_H */
