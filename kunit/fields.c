// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tables of IBTA volume 1, chapter 12, typed by hand.
 *
 * Owns: fields[], and the only code that knows how a row becomes bits. A field
 * is moved one bit at a time, most significant first, which is how the standard
 * draws it and shares nothing with masks, byte orders or structures.
 *
 * Vendor ids (enhanced connection establishment, in later releases) lie in bits
 * that were reserved before; REP and SIDR_REP have them in pieces, high to low.
 */
#include "fields.h"

#ifdef __KERNEL__
#include <kunit/test.h>
#include <kunit/test-bug.h>
#include <linux/export.h>
#include <linux/string.h>
#else
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define EXPORT_SYMBOL_GPL(symbol)
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#endif

#define HEADER(_name, _byte, _bit, _width) \
	{ .attr = 0, .name = _name, .byte = _byte, .bit = _bit, .width = _width }
#define ROW(_attr, _name, _byte, _bit, _width) \
	{ .attr = ATTR_##_attr, .name = #_name, .byte = _byte, .bit = _bit, .width = _width }

const struct field fields[] = {
	/* 13.4.3: what all MADs begin with; bytes of the MAD */
	HEADER(F_MAD_BASE_VERSION,	 0, 0,   8),
	HEADER(F_MAD_CLASS,		 1, 0,   8),
	HEADER(F_MAD_CLASS_VERSION,	 2, 0,   8),
	HEADER(F_MAD_RESPONSE,		 3, 0,   1),
	HEADER(F_MAD_METHOD,		 3, 1,   7),
	HEADER(F_MAD_STATUS,		 4, 0,  16),
	HEADER(F_MAD_CLASS_SPECIFIC,	 6, 0,  16),
	HEADER(F_MAD_TID,		 8, 0,  64),
	HEADER(F_MAD_ATTRIBUTE,		16, 0,  16),
	HEADER(F_MAD_RESERVED,		18, 0,  16),
	HEADER(F_MAD_MODIFIER,		20, 0,  32),

	/* 12.6.5 REQ, request for communication; from here on bytes of the MAD's data */
	ROW(REQ, local_comm_id,			  0, 0,  32),
	ROW(REQ, reserved_0,			  4, 0,   8),
	ROW(REQ, vendor_id,			  5, 0,  24),
	ROW(REQ, service_id,			  8, 0,  64),
	ROW(REQ, local_ca_guid,			 16, 0,  64),
	ROW(REQ, reserved_1,			 24, 0,  32),
	ROW(REQ, local_qkey,			 28, 0,  32),
	ROW(REQ, local_qpn,			 32, 0,  24),
	ROW(REQ, responder_resources,		 35, 0,   8),
	ROW(REQ, local_eecn,			 36, 0,  24),
	ROW(REQ, initiator_depth,		 39, 0,   8),
	ROW(REQ, remote_eecn,			 40, 0,  24),
	ROW(REQ, remote_cm_response_timeout,	 43, 0,   5),
	ROW(REQ, transport_service_type,	 43, 5,   2),
	ROW(REQ, end_to_end_flow_control,	 43, 7,   1),
	ROW(REQ, starting_psn,			 44, 0,  24),
	ROW(REQ, local_cm_response_timeout,	 47, 0,   5),
	ROW(REQ, retry_count,			 47, 5,   3),
	ROW(REQ, partition_key,			 48, 0,  16),
	ROW(REQ, path_packet_payload_mtu,	 50, 0,   4),
	ROW(REQ, rdc_exists,			 50, 4,   1),
	ROW(REQ, rnr_retry_count,		 50, 5,   3),
	ROW(REQ, max_cm_retries,		 51, 0,   4),
	ROW(REQ, srq,				 51, 4,   1),
	ROW(REQ, extended_transport_type,	 51, 5,   3),
	ROW(REQ, primary_local_port_lid,	 52, 0,  16),
	ROW(REQ, primary_remote_port_lid,	 54, 0,  16),
	ROW(REQ, primary_local_port_gid,	 56, 0, 128),
	ROW(REQ, primary_remote_port_gid,	 72, 0, 128),
	ROW(REQ, primary_flow_label,		 88, 0,  20),
	ROW(REQ, reserved_2,			 90, 4,   6),
	ROW(REQ, primary_packet_rate,		 91, 2,   6),
	ROW(REQ, primary_traffic_class,		 92, 0,   8),
	ROW(REQ, primary_hop_limit,		 93, 0,   8),
	ROW(REQ, primary_sl,			 94, 0,   4),
	ROW(REQ, primary_subnet_local,		 94, 4,   1),
	ROW(REQ, reserved_3,			 94, 5,   3),
	ROW(REQ, primary_local_ack_timeout,	 95, 0,   5),
	ROW(REQ, reserved_4,			 95, 5,   3),
	ROW(REQ, alternate_local_port_lid,	 96, 0,  16),
	ROW(REQ, alternate_remote_port_lid,	 98, 0,  16),
	ROW(REQ, alternate_local_port_gid,	100, 0, 128),
	ROW(REQ, alternate_remote_port_gid,	116, 0, 128),
	ROW(REQ, alternate_flow_label,		132, 0,  20),
	ROW(REQ, reserved_5,			134, 4,   6),
	ROW(REQ, alternate_packet_rate,		135, 2,   6),
	ROW(REQ, alternate_traffic_class,	136, 0,   8),
	ROW(REQ, alternate_hop_limit,		137, 0,   8),
	ROW(REQ, alternate_sl,			138, 0,   4),
	ROW(REQ, alternate_subnet_local,	138, 4,   1),
	ROW(REQ, reserved_6,			138, 5,   3),
	ROW(REQ, alternate_local_ack_timeout,	139, 0,   5),
	ROW(REQ, sap_supported,			139, 5,   1),
	ROW(REQ, reserved_7,			139, 6,   2),
	ROW(REQ, private_data,			140, 0, 736),

	/* 12.6.6 MRA, message receipt acknowledgement */
	ROW(MRA, local_comm_id,			  0, 0,   32),
	ROW(MRA, remote_comm_id,		  4, 0,   32),
	ROW(MRA, message_mraed,			  8, 0,    2),
	ROW(MRA, reserved_0,			  8, 2,    6),
	ROW(MRA, service_timeout,		  9, 0,    5),
	ROW(MRA, reserved_1,			  9, 5,    3),
	ROW(MRA, private_data,			 10, 0, 1776),

	/* 12.6.7 REJ, reject */
	ROW(REJ, local_comm_id,			  0, 0,   32),
	ROW(REJ, remote_comm_id,		  4, 0,   32),
	ROW(REJ, message_rejected,		  8, 0,    2),
	ROW(REJ, reserved_0,			  8, 2,    6),
	ROW(REJ, rejected_info_length,		  9, 0,    7),
	ROW(REJ, reserved_1,			  9, 7,    1),
	ROW(REJ, reason,			 10, 0,   16),
	ROW(REJ, ari,				 12, 0,  576),
	ROW(REJ, private_data,			 84, 0, 1184),

	/* 12.6.8 REP, reply to request for communication */
	ROW(REP, local_comm_id,			  0, 0,   32),
	ROW(REP, remote_comm_id,		  4, 0,   32),
	ROW(REP, local_qkey,			  8, 0,   32),
	ROW(REP, local_qpn,			 12, 0,   24),
	ROW(REP, vendor_id_high,		 15, 0,    8),
	ROW(REP, local_eecn,			 16, 0,   24),
	ROW(REP, vendor_id_middle,		 19, 0,    8),
	ROW(REP, starting_psn,			 20, 0,   24),
	ROW(REP, vendor_id_low,			 23, 0,    8),
	ROW(REP, responder_resources,		 24, 0,    8),
	ROW(REP, initiator_depth,		 25, 0,    8),
	ROW(REP, target_ack_delay,		 26, 0,    5),
	ROW(REP, failover_accepted,		 26, 5,    2),
	ROW(REP, end_to_end_flow_control,	 26, 7,    1),
	ROW(REP, rnr_retry_count,		 27, 0,    3),
	ROW(REP, srq,				 27, 3,    1),
	ROW(REP, reserved_0,			 27, 4,    4),
	ROW(REP, local_ca_guid,			 28, 0,   64),
	ROW(REP, private_data,			 36, 0, 1568),

	/* 12.6.9 RTU, ready to use */
	ROW(RTU, local_comm_id,			  0, 0,   32),
	ROW(RTU, remote_comm_id,		  4, 0,   32),
	ROW(RTU, private_data,			  8, 0, 1792),

	/* 12.6.10 DREQ, request for communication release */
	ROW(DREQ, local_comm_id,		  0, 0,   32),
	ROW(DREQ, remote_comm_id,		  4, 0,   32),
	ROW(DREQ, remote_qpn_eecn,		  8, 0,   24),
	ROW(DREQ, reserved_0,			 11, 0,    8),
	ROW(DREQ, private_data,			 12, 0, 1760),

	/* 12.6.11 DREP, reply to request for communication release */
	ROW(DREP, local_comm_id,		  0, 0,   32),
	ROW(DREP, remote_comm_id,		  4, 0,   32),
	ROW(DREP, private_data,			  8, 0, 1792),

	/* 12.11.1.1 SIDR_REQ, service id resolution request */
	ROW(SIDR_REQ, request_id,		  0, 0,   32),
	ROW(SIDR_REQ, partition_key,		  4, 0,   16),
	ROW(SIDR_REQ, reserved_0,		  6, 0,   16),
	ROW(SIDR_REQ, service_id,		  8, 0,   64),
	ROW(SIDR_REQ, private_data,		 16, 0, 1728),

	/* 12.11.1.2 SIDR_REP, service id resolution response */
	ROW(SIDR_REP, request_id,		  0, 0,   32),
	ROW(SIDR_REP, status,			  4, 0,    8),
	ROW(SIDR_REP, additional_information_length, 5, 0, 8),
	ROW(SIDR_REP, vendor_id_high,		  6, 0,   16),
	ROW(SIDR_REP, qpn,			  8, 0,   24),
	ROW(SIDR_REP, vendor_id_low,		 11, 0,    8),
	ROW(SIDR_REP, service_id,		 12, 0,   64),
	ROW(SIDR_REP, qkey,			 20, 0,   32),
	ROW(SIDR_REP, additional_information,	 24, 0,  576),
	ROW(SIDR_REP, private_data,		 96, 0, 1088),

	/* 12.8.1 LAP, load alternate path */
	ROW(LAP, local_comm_id,			  0, 0,   32),
	ROW(LAP, remote_comm_id,		  4, 0,   32),
	ROW(LAP, reserved_0,			  8, 0,   32),
	ROW(LAP, remote_qpn_eecn,		 12, 0,   24),
	ROW(LAP, remote_cm_response_timeout,	 15, 0,    5),
	ROW(LAP, reserved_1,			 15, 5,    3),
	ROW(LAP, reserved_2,			 16, 0,   32),
	ROW(LAP, alternate_local_port_lid,	 20, 0,   16),
	ROW(LAP, alternate_remote_port_lid,	 22, 0,   16),
	ROW(LAP, alternate_local_port_gid,	 24, 0,  128),
	ROW(LAP, alternate_remote_port_gid,	 40, 0,  128),
	ROW(LAP, alternate_flow_label,		 56, 0,   20),
	ROW(LAP, reserved_3,			 58, 4,    4),
	ROW(LAP, alternate_traffic_class,	 59, 0,    8),
	ROW(LAP, alternate_hop_limit,		 60, 0,    8),
	ROW(LAP, reserved_4,			 61, 0,    2),
	ROW(LAP, alternate_packet_rate,		 61, 2,    6),
	ROW(LAP, alternate_sl,			 62, 0,    4),
	ROW(LAP, alternate_subnet_local,	 62, 4,    1),
	ROW(LAP, reserved_5,			 62, 5,    3),
	ROW(LAP, alternate_local_ack_timeout,	 63, 0,    5),
	ROW(LAP, reserved_6,			 63, 5,    3),
	ROW(LAP, private_data,			 64, 0, 1344),

	/* 12.8.2 APR, alternate path response */
	ROW(APR, local_comm_id,			  0, 0,   32),
	ROW(APR, remote_comm_id,		  4, 0,   32),
	ROW(APR, additional_information_length,	  8, 0,    8),
	ROW(APR, ap_status,			  9, 0,    8),
	ROW(APR, reserved_0,			 10, 0,   16),
	ROW(APR, additional_information,	 12, 0,  576),
	ROW(APR, private_data,			 84, 0, 1184),

	{ }
};
EXPORT_SYMBOL_GPL(fields);

static const char *const names[] = {
	[ATTR_REQ]	= "REQ",
	[ATTR_MRA]	= "MRA",
	[ATTR_REJ]	= "REJ",
	[ATTR_REP]	= "REP",
	[ATTR_RTU]	= "RTU",
	[ATTR_DREQ]	= "DREQ",
	[ATTR_DREP]	= "DREP",
	[ATTR_SIDR_REQ]	= "SIDR_REQ",
	[ATTR_SIDR_REP]	= "SIDR_REP",
	[ATTR_LAP]	= "LAP",
	[ATTR_APR]	= "APR",
};

/* A misspelt name is a fault of the test: it must not pass for a zero field. */
static void no_such_field(const u8 *mad, const char *name)
{
#ifdef __KERNEL__
	struct kunit *test = kunit_get_current_test();

	if (test)
		KUNIT_FAIL_AND_ABORT(test, "%s has no field %s", mad_name(mad_attr(mad)), name);
	panic("%s has no field %s", mad_name(mad_attr(mad)), name);
#else
	fprintf(stderr, "%s has no field %s\n", mad_name(mad_attr(mad)), name);
	abort();
#endif
}

static bool mad_bit(const u8 *mad, u32 bit)
{
	return mad[bit / 8] & (0x80 >> bit % 8);
}

const struct field *field_find(u16 attr, const char *name)
{
	const struct field *field;

	for (field = fields; field->name; field++)
		if ((!field->attr || field->attr == attr) && !strcmp(field->name, name))
			return field;
	return NULL;
}
EXPORT_SYMBOL_GPL(field_find);

bool field_reserved(const struct field *field)
{
	return strstr(field->name, "reserved");
}
EXPORT_SYMBOL_GPL(field_reserved);

u32 field_start(const struct field *field)
{
	return 8 * (field->byte + (field->attr ? MAD_HEADER : 0)) + field->bit;
}
EXPORT_SYMBOL_GPL(field_start);

u64 field_read(const struct field *field, const u8 *mad)
{
	u32 start = field_start(field);
	u64 value = 0;
	u32 i;

	for (i = 0; i < field->width; i++)
		value = value << 1 | mad_bit(mad, start + i);
	return value;
}
EXPORT_SYMBOL_GPL(field_read);

void field_write(const struct field *field, u8 *mad, u64 value)
{
	u32 last = field_start(field) + field->width - 1;
	u32 i;

	for (i = 0; i < field->width; i++, value >>= 1) {
		u8 mask = 0x80 >> (last - i) % 8;
		u8 *byte = &mad[(last - i) / 8];

		*byte = value & 1 ? *byte | mask : *byte & ~mask;
	}
}
EXPORT_SYMBOL_GPL(field_write);

static const struct field *find(const u8 *mad, const char *name, bool bytes)
{
	const struct field *field = field_find(mad_attr(mad), name);

	if (!field || (field->width > 64) != bytes)
		no_such_field(mad, name);
	return field;
}

u64 mad_get(const u8 *mad, const char *name)
{
	return field_read(find(mad, name, false), mad);
}
EXPORT_SYMBOL_GPL(mad_get);

void mad_set(u8 *mad, const char *name, u64 value)
{
	field_write(find(mad, name, false), mad, value);
}
EXPORT_SYMBOL_GPL(mad_set);

const u8 *mad_bytes(const u8 *mad, const char *name)
{
	return mad + field_start(find(mad, name, true)) / 8;
}
EXPORT_SYMBOL_GPL(mad_bytes);

u8 *mad_bytes_w(u8 *mad, const char *name)
{
	return mad + field_start(find(mad, name, true)) / 8;
}
EXPORT_SYMBOL_GPL(mad_bytes_w);

u16 mad_attr(const u8 *mad)
{
	return mad[16] << 8 | mad[17];
}
EXPORT_SYMBOL_GPL(mad_attr);

void mad_init(u8 *mad, enum cm_attr attr, u64 tid)
{
	memset(mad, 0, MAD_BYTES);
	mad_set(mad, F_MAD_BASE_VERSION, 1);
	mad_set(mad, F_MAD_CLASS, 7);
	mad_set(mad, F_MAD_CLASS_VERSION, 2);
	mad_set(mad, F_MAD_METHOD, 3);
	mad_set(mad, F_MAD_TID, tid);
	mad_set(mad, F_MAD_ATTRIBUTE, attr);
}
EXPORT_SYMBOL_GPL(mad_init);

const char *mad_name(u16 attr)
{
	if (attr >= ARRAY_SIZE(names) || !names[attr])
		return "message";
	return names[attr];
}
EXPORT_SYMBOL_GPL(mad_name);
