/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The wire format as the standard prints it: message, field, byte, bit, width.
 *
 * Owns: the table of fields (fields.c), typed by hand from the tables of IBTA
 * volume 1, chapter 12, and read and written bit by bit. Nothing of it comes
 * from <rdma/iba.h>, <rdma/ibta_vol1_c12.h> or cm_core: it is what they are
 * tested against.
 *
 * No locks, no state: a MAD is 256 bytes of the caller. Compiles in user space
 * too, for programs that read traces.
 */
#ifndef FIELDS_H
#define FIELDS_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Attribute ids, host order (IBTA table 12-2 and section 16.7) */
enum cm_attr {
	ATTR_CLASS_PORT_INFO = 0x0001,
	ATTR_REQ = 0x0010,
	ATTR_MRA = 0x0011,
	ATTR_REJ = 0x0012,
	ATTR_REP = 0x0013,
	ATTR_RTU = 0x0014,
	ATTR_DREQ = 0x0015,
	ATTR_DREP = 0x0016,
	ATTR_SIDR_REQ = 0x0017,
	ATTR_SIDR_REP = 0x0018,
	ATTR_LAP = 0x0019,
	ATTR_APR = 0x001a,
};

#define MAD_BYTES	256
#define MAD_HEADER	24	/* bytes before the data */
#define MAD_DATA	232

/* Of the MAD header: valid for every message */
#define F_MAD_BASE_VERSION	"base_version"
#define F_MAD_CLASS		"mgmt_class"
#define F_MAD_CLASS_VERSION	"class_version"
#define F_MAD_RESPONSE		"response"		/* the R bit: 0, also in replies, the method being Send */
#define F_MAD_METHOD		"method"		/* 7 bits; 3: Send */
#define F_MAD_STATUS		"mad_status"
#define F_MAD_CLASS_SPECIFIC	"class_specific"
#define F_MAD_TID		"tid"
#define F_MAD_ATTRIBUTE		"attribute_id"
#define F_MAD_RESERVED		"mad_reserved"
#define F_MAD_MODIFIER		"attribute_modifier"	/* 0, or the options of enhanced connection establishment */

/**
 * struct field - one field of one message
 * @attr: the message; 0: the MAD header, which all have
 * @name: the standard's name in lower case with underscores, e.g. "local_comm_id", "remote_cm_response_timeout"
 * @byte: offset in the MAD's data (after the 24 bytes of header), or in the MAD for the header
 * @bit: 0 is the most significant bit of that byte
 * @width: bits; more than 64: a byte string
 */
struct field {
	u16 attr;
	const char *name;
	u16 byte;
	u8 bit;
	u16 width;
};

extern const struct field fields[];	/* by message, by offset; reserved bits are rows too; ended by name NULL */

/* NULL: no such field */
const struct field *field_find(u16 attr, const char *name);
/* Reserved in the standard: "reserved_0", "reserved_1" ... "mad_reserved" */
bool field_reserved(const struct field *field);
/* First bit of a field, counted from the MAD's first byte, most significant bit first. */
u32 field_start(const struct field *field);
u64 field_read(const struct field *field, const u8 *mad);
void field_write(const struct field *field, u8 *mad, u64 value);
/* Host-order value of a field of at most 64 bits; attr is read from the MAD. An unknown name panics the test. */
u64 mad_get(const u8 *mad, const char *name);
void mad_set(u8 *mad, const char *name, u64 value);
/* Byte strings: GIDs, private data. */
const u8 *mad_bytes(const u8 *mad, const char *name);
u8 *mad_bytes_w(u8 *mad, const char *name);
u16 mad_attr(const u8 *mad);
/*
 * Zero, then the MAD header of a CM message: base version 1, class 7, class version 2, method Send, TID (host order),
 * attribute.
 */
void mad_init(u8 *mad, enum cm_attr attr, u64 tid);
/* "REQ", "MRA" ... */
const char *mad_name(u16 attr);

#ifdef __cplusplus
}
#endif

#endif /* FIELDS_H */
