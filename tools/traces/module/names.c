// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names instead of numbers: what is drawn at random must look the same in two
 * traces. Owns the names of a sequence and everything that prints one.
 */
#include <linux/crc32.h>
#include <linux/slab.h>
#include <linux/stdarg.h>
#include <linux/unaligned.h>

#include "script.h"
#include "state_name.h"

void sc_print(struct sc_text *text, const char *format, ...)
{
	size_t room;
	va_list args;
	char *data;
	int len;

	for (;;) {
		room = text->size - text->len;
		va_start(args, format);
		len = vsnprintf(text->data ? text->data + text->len : NULL, room, format, args);
		va_end(args);
		if (len < room) {
			text->len += len;
			return;
		}
		data = kvrealloc(text->data, max_t(size_t, 2 * text->size, text->len + len + 256), GFP_KERNEL);
		if (!data) {
			text->lost = true;
			return;
		}
		text->data = data;
		text->size = max_t(size_t, 2 * text->size, text->len + len + 256);
	}
}

/* vsnprintf() takes no longer strings with a length. */
void sc_append(struct sc_text *text, const char *data, size_t len)
{
	size_t size = max(2 * text->size, text->len + len + 1);
	char *grown;

	if (text->size - text->len <= len) {
		grown = kvrealloc(text->data, size, GFP_KERNEL);
		if (!grown) {
			text->lost = true;
			return;
		}
		text->data = grown;
		text->size = size;
	}
	memcpy(text->data + text->len, data, len);
	text->len += len;
	text->data[text->len] = 0;
}

void sc_text_free(struct sc_text *text)
{
	kvfree(text->data);
	*text = (struct sc_text){};
}

char sc_letter(const struct sc_id *id)
{
	return 'A' + (id - id->seq->ids);
}

static struct sc_name *find_name(struct sc_seq *seq, enum sc_kind kind, const char *name)
{
	struct sc_name *entry;

	list_for_each_entry(entry, &seq->names, node)
		if (entry->kind == kind && !strcmp(entry->name, name))
			return entry;
	return NULL;
}

static const char *find_value(struct sc_seq *seq, enum sc_kind kind, u64 value)
{
	struct sc_name *entry;

	list_for_each_entry_reverse(entry, &seq->names, node)
		if (entry->kind == kind && entry->value == value)
			return entry->name;
	return NULL;
}

/* The seq's lock is held. Who had the name before is NAME-old from now on. */
void sc_name_add(struct sc_seq *seq, enum sc_kind kind, u64 value, const char *format, ...)
{
	struct sc_name *entry, *old;
	va_list args;

	entry = kzalloc(sizeof(*entry), GFP_KERNEL);
	if (!entry)
		return;
	va_start(args, format);
	vsnprintf(entry->name, sizeof(entry->name), format, args);
	va_end(args);
	old = find_name(seq, kind, entry->name);
	if (old)
		strlcat(old->name, "-old", sizeof(old->name));
	entry->kind = kind;
	entry->value = value;
	list_add_tail(&entry->node, &seq->names);
}

/* The seq's lock is held. */
const char *sc_name(struct sc_seq *seq, enum sc_kind kind, u64 value)
{
	const char *name;

	if (!value)
		return "0";
	if (kind == SC_COMM && value == SC_WRONG_COMM)
		return "wrong";
	if (kind == SC_QPN && value == SC_WRONG_QPN)
		return "wrong";
	name = find_value(seq, kind, value);
	return name ? name : "unknown";
}

bool sc_known(struct sc_seq *seq, enum sc_kind kind, u64 value)
{
	return find_value(seq, kind, value);
}

void sc_names_free(struct sc_seq *seq)
{
	struct sc_name *entry, *next;

	list_for_each_entry_safe(entry, next, &seq->names, node)
		kfree(entry);
	INIT_LIST_HEAD(&seq->names);
}

/* What is 0 is not printed: absent and 0 are the same to whoever compares. */
void sc_print_num(struct sc_text *text, const char *key, u64 value)
{
	if (value)
		sc_print(text, " %s=%llu", key, value);
}

void sc_print_data(struct sc_text *text, const char *key, const void *data, size_t len)
{
	const u8 *bytes = data;

	while (len && !bytes[len - 1])
		len--;
	if (len)
		sc_print(text, " %s=%zu:%08x", key, len, crc32_le(~0, bytes, len));
}

void sc_print_gid(struct sc_seq *seq, struct sc_text *text, const char *key, const u8 *gid)
{
	static const u8 none[16];

	if (!memcmp(gid, none, sizeof(none)))
		return;
	if (!memcmp(gid, &seq->address.sgid, sizeof(none)))
		sc_print(text, " %s=dev", key);
	else if (!memcmp(gid, &seq->peer.sgid, sizeof(none)))
		sc_print(text, " %s=peer", key);
	else
		sc_print(text, " %s=%pI6", key, gid);
}

/* Two LIDs of each side: LMC 1 */
void sc_print_lid(struct sc_seq *seq, struct sc_text *text, const char *key, u32 lid)
{
	if (!lid)
		return;
	if (seq->address.slid && lid - seq->address.slid < 2)
		sc_print(text, " %s=dev+%u", key, lid - seq->address.slid);
	else if (seq->peer.slid && lid - seq->peer.slid < 2)
		sc_print(text, " %s=peer+%u", key, lid - seq->peer.slid);
	else
		sc_print(text, " %s=0x%x", key, lid);
}

u64 sc_service(const struct sc_seq *seq, unsigned int number)
{
	return SC_SERVICE + seq->number * 16ULL + number;
}

void sc_print_service(struct sc_seq *seq, struct sc_text *text, const char *key, u64 service)
{
	u64 base = sc_service(seq, 0);

	if (service - base < 16)
		sc_print(text, " %s=s%llu", key, service - base);
	else if (service)
		sc_print(text, " %s=0x%llx", key, service);
}

void sc_print_guid(struct sc_seq *seq, struct sc_text *text, const char *key, u64 guid)
{
	if (guid == seq->guid)
		sc_print(text, " %s=peer", key);
	else if (guid == be64_to_cpu(seq->dev->node_guid))
		sc_print(text, " %s=dev", key);
	else if (guid)
		sc_print(text, " %s=0x%llx", key, guid);
}

/* A GUID or a GID, with which a REJ says what is meant */
void sc_print_ari(struct sc_seq *seq, struct sc_text *text, const char *key, const void *ari, size_t len)
{
	static const u8 none[64];
	u64 guid = get_unaligned_be64(ari);

	if (len < 16 || !memcmp(ari + 8, none, min(len - 8, sizeof(none)))) {
		if (guid == seq->guid || guid == be64_to_cpu(seq->dev->node_guid)) {
			sc_print_guid(seq, text, key, guid);
			return;
		}
	} else if (!memcmp(ari, &seq->address.sgid, 16) || !memcmp(ari, &seq->peer.sgid, 16)) {
		sc_print_gid(seq, text, key, ari);
		return;
	}
	sc_print_data(text, key, ari, len);
}

static const char *lap_name(enum ib_cm_lap_state state)
{
	static const char *const names[] = {
		[IB_CM_LAP_UNINIT]   = "",
		[IB_CM_LAP_IDLE]     = "LAP_IDLE",
		[IB_CM_LAP_SENT]     = "LAP_SENT",
		[IB_CM_LAP_RCVD]     = "LAP_RCVD",
		[IB_CM_MRA_LAP_SENT] = "MRA_LAP_SENT",
		[IB_CM_MRA_LAP_RCVD] = "MRA_LAP_RCVD",
	};

	return state < ARRAY_SIZE(names) ? names[state] : "?";
}

/* The load of an alternate path is a part of ESTABLISHED; what is left of it in other states is told apart. */
void sc_print_state(struct sc_text *text, const char *key, const struct ib_cm_id *cm)
{
	const char *lap = lap_name(cm->lap_state);

	sc_print(text, " %s=%s", key, cm_state_name(cm->state));
	if (*lap && cm->state == IB_CM_ESTABLISHED)
		sc_print(text, "/%s", lap);
	else if (*lap)
		sc_print(text, " %s.lap=%s", key, lap);
}

const char *sc_event_name(enum ib_cm_event_type type)
{
	static const char *const names[] = {
		[IB_CM_REQ_ERROR]	  = "REQ_ERROR",
		[IB_CM_REQ_RECEIVED]	  = "REQ_RECEIVED",
		[IB_CM_REP_ERROR]	  = "REP_ERROR",
		[IB_CM_REP_RECEIVED]	  = "REP_RECEIVED",
		[IB_CM_RTU_RECEIVED]	  = "RTU_RECEIVED",
		[IB_CM_USER_ESTABLISHED]  = "USER_ESTABLISHED",
		[IB_CM_DREQ_ERROR]	  = "DREQ_ERROR",
		[IB_CM_DREQ_RECEIVED]	  = "DREQ_RECEIVED",
		[IB_CM_DREP_RECEIVED]	  = "DREP_RECEIVED",
		[IB_CM_TIMEWAIT_EXIT]	  = "TIMEWAIT_EXIT",
		[IB_CM_MRA_RECEIVED]	  = "MRA_RECEIVED",
		[IB_CM_REJ_RECEIVED]	  = "REJ_RECEIVED",
		[IB_CM_LAP_ERROR]	  = "LAP_ERROR",
		[IB_CM_LAP_RECEIVED]	  = "LAP_RECEIVED",
		[IB_CM_APR_RECEIVED]	  = "APR_RECEIVED",
		[IB_CM_SIDR_REQ_ERROR]	  = "SIDR_REQ_ERROR",
		[IB_CM_SIDR_REQ_RECEIVED] = "SIDR_REQ_RECEIVED",
		[IB_CM_SIDR_REP_RECEIVED] = "SIDR_REP_RECEIVED",
	};

	return type < ARRAY_SIZE(names) ? names[type] : "?";
}
