// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Finding things by what a message carries.
 *
 * Owns: the xarray of local comm ids and the three rhashtables of records.
 *
 * Locks: the lock of the xarray is the innermost of ours, irq-safe; it is taken
 * under cm_id.lock and cm_tw_port.lock. The bucket locks of the rhashtables are
 * not irq-safe on every kernel: the tables are changed with interrupts on only.
 *
 * References: none. A local comm id's entry is an id, which a look-up pins with
 * get-unless-zero, or an orphaned record, tagged, which the RCU read lock keeps.
 * A record in a table is taken out by cm_rec_dispose() before its grace period.
 *
 * A record in a table counts only as far as its links say so. The tables may
 * lag behind the links, never the other way round: a key is looked at under RCU,
 * so a link is cleared by one store, and who meets the remainder removes it.
 */
#include <linux/jhash.h>
#include <linux/random.h>
#include <linux/rhashtable.h>
#include <linux/xarray.h>

#include "id.h"
#include "lookup.h"
#include "probe_hook.h"

/* How often a claim may find its key taken by a record that does not count. */
#define CM_CLAIM_TRIES	64

#define CM_TAG_REC	1

/* A key in the order of its hash; all of it, there is no padding. */
struct cm_key {
	u64 a, b;
	u32 number;		/* comm id, request id or QPN */
	u32 kind;
};

static struct rhashtable cm_by_peer;		/* (peer, remote comm id) */
static struct rhashtable cm_by_request;		/* (peer, SIDR request id) */
static struct rhashtable cm_by_qpn;		/* (peer, remote QPN) */

static DEFINE_XARRAY_FLAGS(cm_local, XA_FLAGS_ALLOC | XA_FLAGS_LOCK_IRQ);
static u32 cm_local_cursor;
static u32 cm_local_operand;	/* index XOR operand is what peers see */

/* ---- keys of records ---- */

static struct cm_key cm_key_of(const struct cm_rec *rec, u32 number)
{
	return (struct cm_key) {
		.a = rec->peer_a,
		.b = rec->peer_b,
		.number = number,
		.kind = rec->peer_kind,
	};
}

static struct cm_key cm_key_by_id(const struct cm_rec *rec)
{
	return cm_key_of(rec, (__force u32)rec->remote_id);
}

static struct cm_key cm_key_by_qpn(const struct cm_rec *rec)
{
	return cm_key_of(rec, rec->remote_qpn);
}

static bool cm_key_differs(const struct cm_key *x, const struct cm_key *y)
{
	return x->number != y->number || x->a != y->a || x->b != y->b || x->kind != y->kind;
}

static u32 cm_key_hash(const void *data, u32 len, u32 seed)
{
	return jhash2(data, sizeof(struct cm_key) / sizeof(u32), seed);
}

static u32 cm_rec_hash_id(const void *data, u32 len, u32 seed)
{
	struct cm_key key = cm_key_by_id(data);

	return cm_key_hash(&key, sizeof(key), seed);
}

static int cm_rec_cmp_id(struct rhashtable_compare_arg *arg, const void *obj)
{
	struct cm_key key = cm_key_by_id(obj);

	return cm_key_differs(&key, arg->key);
}

static u32 cm_rec_hash_qpn(const void *data, u32 len, u32 seed)
{
	struct cm_key key = cm_key_by_qpn(data);

	return cm_key_hash(&key, sizeof(key), seed);
}

static int cm_rec_cmp_qpn(struct rhashtable_compare_arg *arg, const void *obj)
{
	struct cm_key key = cm_key_by_qpn(obj);

	return cm_key_differs(&key, arg->key);
}

static const struct rhashtable_params cm_id_params = {
	.key_len = sizeof(struct cm_key),
	.head_offset = offsetof(struct cm_rec, by_id),
	.hashfn = cm_key_hash,
	.obj_hashfn = cm_rec_hash_id,
	.obj_cmpfn = cm_rec_cmp_id,
	.automatic_shrinking = true,
};

static const struct rhashtable_params cm_qpn_params = {
	.key_len = sizeof(struct cm_key),
	.head_offset = offsetof(struct cm_rec, by_qpn),
	.hashfn = cm_key_hash,
	.obj_hashfn = cm_rec_hash_qpn,
	.obj_cmpfn = cm_rec_cmp_qpn,
	.automatic_shrinking = true,
};

static struct rhashtable *cm_id_table(u8 link)
{
	return link == CM_LINK_SIDR ? &cm_by_request : &cm_by_peer;
}

/* NULL: inserted; else who has the key already, or ERR_PTR. */
static struct cm_rec *cm_table_insert(struct cm_rec *rec, u8 link)
{
	struct cm_key key;

	if (link == CM_LINK_QPN) {
		key = cm_key_by_qpn(rec);
		return rhashtable_lookup_get_insert_key(&cm_by_qpn, &key, &rec->by_qpn,
							cm_qpn_params);
	}
	key = cm_key_by_id(rec);
	return rhashtable_lookup_get_insert_key(cm_id_table(link), &key, &rec->by_id,
						cm_id_params);
}

/* That it is not there is fine: a claim may have removed it. */
static void cm_table_remove(struct cm_rec *rec, u8 link)
{
	if (link == CM_LINK_QPN)
		rhashtable_remove_fast(&cm_by_qpn, &rec->by_qpn, cm_qpn_params);
	else
		rhashtable_remove_fast(cm_id_table(link), &rec->by_id, cm_id_params);
}

static struct cm_rec *cm_table_find(const struct cm_key *key, u8 link)
{
	struct cm_rec *rec;

	if (link == CM_LINK_QPN)
		rec = rhashtable_lookup(&cm_by_qpn, key, cm_qpn_params);
	else
		rec = rhashtable_lookup(cm_id_table(link), key, cm_id_params);
	return rec && (READ_ONCE(rec->links) & link) ? rec : NULL;
}

/* ---- claims ---- */

/*
 * Two records want one key. CM_CLAIMED: the one that has it does not count.
 *
 * 12.9.8.3.1: a connection is stale if the peer asks for a new one with a comm
 * id or QPN that we hold for connected. A record that is parting (its QPN link
 * is cut) or in timewait is not connected: it recognises the repetition of its
 * own request and yields to any other.
 */
static enum cm_claim cm_claim_meets(const struct cm_rec *rec, const struct cm_rec *other,
				    u8 link, __be32 *local_id)
{
	u8 state = READ_ONCE(other->state);
	__be32 owner = READ_ONCE(other->local_id);
	/* Free: another request, being claimed like this one. */
	u8 links = READ_ONCE(other->links);
	bool over = (state != CM_TW_RESERVED && state != CM_TW_FREE) ||
		    (links & CM_LINK_PEER && !(links & CM_LINK_QPN));

	if (!(links & link))
		return CM_CLAIMED;
	if (link == CM_LINK_QPN && over)
		return CM_CLAIMED;

	*local_id = state == CM_TW_ORPHAN ? 0 : owner;
	if (rec->local_id && rec->local_id == owner)
		return CM_CLAIM_REPEATED;
	if (rec->tid == other->tid)
		return CM_CLAIM_REPEATED;
	/* A question about a service is no connection that could be stale: it is a new one. */
	return over || link == CM_LINK_SIDR ? CM_CLAIMED : CM_CLAIM_STALE;
}

static enum cm_claim cm_claim_one(struct cm_rec *rec, u8 link, __be32 *local_id)
{
	unsigned int tries;

	for (tries = 0; tries < CM_CLAIM_TRIES; tries++) {
		struct cm_rec *other = cm_table_insert(rec, link);
		enum cm_claim met;

		if (!other)
			return CM_CLAIMED;
		if (IS_ERR(other))
			return CM_CLAIM_NOMEM;
		met = cm_claim_meets(rec, other, link, local_id);
		if (met != CM_CLAIMED)
			return met;
		cm_table_remove(other, link);
	}
	return CM_CLAIM_NOMEM;
}

/**
 * cm_claim() - atomic insert-or-find of a record's keys
 * @rec: a fresh record with its keys, its TID and, in links, the tables it
 *	 wants to be in; its links are 0 unless it is claimed
 * @local_id: set unless claimed: the local comm id that has the key; 0: nobody's
 *
 * Two copies of a request cannot both be new, on whatever CPUs they arrive.
 *
 * Context: Process context, interrupts on, no lock of an id held. Does not sleep.
 * Return: CM_CLAIMED, or what the request is instead.
 */
enum cm_claim cm_claim(struct cm_rec *rec, __be32 *local_id)
{
	u8 links = rec->links;
	u8 id_link = links & (CM_LINK_PEER | CM_LINK_SIDR);
	enum cm_claim claim = CM_CLAIMED;

	*local_id = 0;
	rec->tables = links;

	rcu_read_lock();
	if (id_link)
		claim = cm_claim_one(rec, id_link, local_id);
	if (claim != CM_CLAIMED) {
		id_link = 0;
	} else if (links & CM_LINK_QPN) {
		/* Comm id changed, TID and QPN did not: a proxy's repetition. */
		claim = cm_claim_one(rec, CM_LINK_QPN, local_id);
	}
	if (claim != CM_CLAIMED) {
		WRITE_ONCE(rec->links, 0);
		if (id_link)
			cm_table_remove(rec, id_link);
		rec->tables = 0;
	}
	rcu_read_unlock();

	if (claim == CM_CLAIM_NOMEM)
		*local_id = 0;
	return claim;
}

/* What met is a key to: a look-up only, nothing is displaced. */
static enum cm_claim cm_claim_ask_one(const struct cm_rec *rec, u8 link, __be32 *local_id)
{
	struct cm_key key = link == CM_LINK_QPN ? cm_key_by_qpn(rec) : cm_key_by_id(rec);
	struct cm_rec *other = cm_table_find(&key, link);

	return other ? cm_claim_meets(rec, other, link, local_id) : CM_CLAIMED;
}

/**
 * cm_claim_ask() - what cm_claim() would say, without a claim
 * @rec: keys, TID and links as for cm_claim(); need not be allocated
 * @local_id: as for cm_claim()
 *
 * Most repetitions are recognised here, before anything is allocated for them.
 *
 * Context: Any.
 * Return: As cm_claim(); CM_CLAIMED: nothing has the keys now.
 */
enum cm_claim cm_claim_ask(const struct cm_rec *rec, __be32 *local_id)
{
	u8 id_link = rec->links & (CM_LINK_PEER | CM_LINK_SIDR);
	enum cm_claim claim;

	*local_id = 0;
	rcu_read_lock();
	claim = cm_claim_ask_one(rec, id_link, local_id);
	if (claim == CM_CLAIMED && rec->links & CM_LINK_QPN)
		claim = cm_claim_ask_one(rec, CM_LINK_QPN, local_id);
	rcu_read_unlock();
	return claim;
}

/**
 * cm_find_peer() - which of our comm ids a peer's comm id is connected with
 * @peer: the peer
 * @remote_id: its comm id
 * @tid: of the REQ: a peer uses a comm id again for its next attempt
 *
 * Context: Any.
 * Return: The local comm id, 0: none.
 */
__be32 cm_find_peer(const struct cm_peer *peer, __be32 remote_id, __be64 tid)
{
	struct cm_key key = {
		.a = peer->a,
		.b = peer->b,
		.number = (__force u32)remote_id,
		.kind = peer->kind,
	};
	struct cm_rec *rec;
	__be32 local_id = 0;

	rcu_read_lock();
	rec = cm_table_find(&key, CM_LINK_PEER);
	if (rec && rec->tid == tid)
		local_id = READ_ONCE(rec->local_id);
	rcu_read_unlock();
	return local_id;
}

/**
 * cm_find_twin() - the record that has the comm id or request id that another wanted
 * @rec: the other, not in a table
 * @kind: CM_MSG_SIDR_REQ: by request id, else by comm id
 *
 * Context: Any; inside an RCU read-side section, which keeps the result.
 * Return: The record, or NULL.
 */
struct cm_rec *cm_find_twin(const struct cm_rec *rec, enum cm_msg_kind kind)
{
	struct cm_key key = cm_key_by_id(rec);

	return cm_table_find(&key, kind == CM_MSG_SIDR_REQ ? CM_LINK_SIDR : CM_LINK_PEER);
}

/**
 * cm_unlink_rec() - makes a record invisible to claims and look-ups
 * @rec: the record
 *
 * Context: Interrupts are on. No id has the record any more.
 */
void cm_unlink_rec(struct cm_rec *rec)
{
	WRITE_ONCE(rec->links, 0);
	if (rec->tables & CM_LINK_SIDR)
		cm_table_remove(rec, CM_LINK_SIDR);
	if (rec->tables & CM_LINK_PEER)
		cm_table_remove(rec, CM_LINK_PEER);
	if (rec->tables & CM_LINK_QPN)
		cm_table_remove(rec, CM_LINK_QPN);
}

/**
 * cm_peer_of() - who sent a datagram
 * @peer: filled in
 * @guid: the CA GUID that the message gives; 0: it has none (virtual functions, SIDR)
 * @port: where it came in
 * @wc: the datagram
 *
 * Context: Any.
 */
void cm_peer_of(struct cm_peer *peer, __be64 guid, const struct cm_port *port,
		const struct ib_mad_recv_wc *wc)
{
	union ib_gid gid;

	if (guid)
		*peer = (struct cm_peer) { .a = be64_to_cpu(guid), .kind = CM_PEER_GUID };
	else if (cm_source_gid(port, wc, &gid))
		*peer = (struct cm_peer) {
			.a = be64_to_cpu(gid.global.subnet_prefix),
			.b = be64_to_cpu(gid.global.interface_id),
			.kind = CM_PEER_GID,
		};
	else
		*peer = (struct cm_peer) { .a = wc->wc->slid, .kind = CM_PEER_LID };
}

/* ---- local comm ids ---- */

static __be32 cm_local_wire(u32 index)
{
	return (__force __be32)(index ^ cm_local_operand);
}

/* That of comm id 0, which is nobody's, is the operand: an index that is never handed out. */
static unsigned long cm_local_index(__be32 local_id)
{
	return (__force u32)local_id ^ cm_local_operand;
}

static void *cm_local_tagged(struct cm_rec *rec)
{
	return xa_tag_pointer(rec, CM_TAG_REC);
}

static bool cm_local_is_rec(const void *entry)
{
	return xa_pointer_tag((void *)entry) == CM_TAG_REC;
}

/**
 * cm_local_reserve() - gives an id a number that no look-up finds yet
 * @id: its pub.local_id is set
 * @gfp: for the table's node
 *
 * Numbers go round, so that one is not used again at once: a consumer may
 * destroy an id while messages for it are on their way.
 *
 * Context: As @gfp says.
 * Return: 0 or a negative errno.
 */
int cm_local_reserve(struct cm_id *id, gfp_t gfp)
{
	unsigned long flags;
	u32 index;
	int err;

	xa_lock_irqsave(&cm_local, flags);
	do {
		err = __xa_alloc_cyclic(&cm_local, &index, NULL, xa_limit_32b,
					&cm_local_cursor, gfp);
		if (err >= 0 && index == cm_local_operand)
			__xa_erase(&cm_local, index);
	} while (err >= 0 && index == cm_local_operand);
	xa_unlock_irqrestore(&cm_local, flags);
	if (err < 0)
		return err;

	id->pub.local_id = cm_local_wire(index);
	return 0;
}

#ifdef CM_DEBUG
/**
 * cm_local_begin() - where the next reservation looks first; for tests
 * @local_id: that number, if it is free
 *
 * Context: Any.
 */
void cm_local_begin(__be32 local_id)
{
	unsigned long flags;

	xa_lock_irqsave(&cm_local, flags);
	cm_local_cursor = cm_local_index(local_id);
	xa_unlock_irqrestore(&cm_local, flags);
}
#endif

/**
 * cm_local_publish() - from now on look-ups find the id by its number
 * @id: all of it is set up
 *
 * Context: Any.
 */
void cm_local_publish(struct cm_id *id)
{
	unsigned long flags;

	/*
	 * The slot is there since the reservation: nothing is allocated. The store
	 * publishes (litmus: local-id-published).
	 */
	xa_lock_irqsave(&cm_local, flags);
	__xa_store(&cm_local, cm_local_index(id->pub.local_id), id, 0);
	xa_unlock_irqrestore(&cm_local, flags);
}

/**
 * cm_local_remove() - frees the number of an id
 * @id: published or not; a number that was handed over is left alone
 *
 * Context: Any. Once for each id.
 */
void cm_local_remove(struct cm_id *id)
{
	unsigned long index = cm_local_index(id->pub.local_id);
	unsigned long flags;
	void *entry;

	if (!id->pub.local_id)
		return;
	xa_lock_irqsave(&cm_local, flags);
	entry = xa_load(&cm_local, index);
	if (!entry || entry == id)
		__xa_erase(&cm_local, index);
	xa_unlock_irqrestore(&cm_local, flags);
}

/**
 * cm_local_hand_over() - a record takes over the number of its id
 * @id: published; look-ups do not find it any more
 * @rec: found by cm_local_rec() instead
 *
 * Context: Any; usually under the locks of the id and of the record's port.
 */
void cm_local_hand_over(struct cm_id *id, struct cm_rec *rec)
{
	unsigned long flags;

	WRITE_ONCE(rec->local_id, id->pub.local_id);
	xa_lock_irqsave(&cm_local, flags);
	__xa_cmpxchg(&cm_local, cm_local_index(id->pub.local_id), id, cm_local_tagged(rec), 0);
	xa_unlock_irqrestore(&cm_local, flags);
}

/**
 * cm_local_remove_rec() - frees the number that a record has taken over
 * @rec: one that never took over a number is fine
 *
 * Context: Any.
 */
void cm_local_remove_rec(struct cm_rec *rec)
{
	unsigned long index = cm_local_index(rec->local_id);
	unsigned long flags;

	xa_lock_irqsave(&cm_local, flags);
	if (xa_load(&cm_local, index) == cm_local_tagged(rec))
		__xa_erase(&cm_local, index);
	xa_unlock_irqrestore(&cm_local, flags);
}

/**
 * cm_local_get() - finds an id by its number
 * @local_id: as in a message
 * @hold: the receipt of the reference
 *
 * Context: Any.
 * Return: The id with a LOOKUP reference, or NULL.
 */
struct cm_id *cm_local_get(__be32 local_id, struct cm_hold *hold)
{
	struct cm_id *id = NULL;
	void *entry;

	rcu_read_lock();
	entry = xa_load(&cm_local, cm_local_index(local_id));
	if (entry && !cm_local_is_rec(entry)) {
		id = entry;
		/* A reference keeps all of it, none only the memory (litmus: local-id-held) */
		if (!cm_id_get_live(id, CM_REF_LOOKUP, hold))
			id = NULL;
	}
	rcu_read_unlock();
	return id;
}

/**
 * cm_local_rec() - finds an orphan by the number that it took over
 * @local_id: as in a message
 *
 * Context: Any; inside an RCU read-side section, which keeps the result.
 * Return: The record, or NULL.
 */
struct cm_rec *cm_local_rec(__be32 local_id)
{
	void *entry = xa_load(&cm_local, cm_local_index(local_id));

	return entry && cm_local_is_rec(entry) ? xa_untag_pointer(entry) : NULL;
}

/**
 * cm_local_next() - walks over the published ids
 * @index: where to begin; set to the place of the result
 * @hold: the receipt of the reference
 *
 * Context: Any.
 * Return: The first id that is still alive from there on, with a LOOKUP reference, or NULL.
 */
struct cm_id *cm_local_next(unsigned long *index, struct cm_hold *hold)
{
	struct cm_id *id = NULL;
	void *entry;

	rcu_read_lock();
	for (entry = xa_find(&cm_local, index, ULONG_MAX, XA_PRESENT); entry;
	     entry = xa_find_after(&cm_local, index, ULONG_MAX, XA_PRESENT)) {
		if (cm_local_is_rec(entry))
			continue;
		id = entry;
		if (cm_id_get_live(id, CM_REF_LOOKUP, hold))
			break;
		id = NULL;
	}
	rcu_read_unlock();
	return id;
}

/**
 * cm_lookup_init() - makes the tables
 *
 * Context: Process context, may sleep.
 * Return: 0 or a negative errno.
 */
int cm_lookup_init(void)
{
	int err;

	static_assert(sizeof(struct cm_key) == 24);

	get_random_bytes(&cm_local_operand, sizeof(cm_local_operand));

	err = rhashtable_init(&cm_by_peer, &cm_id_params);
	if (err)
		return err;
	err = rhashtable_init(&cm_by_request, &cm_id_params);
	if (err)
		goto no_request;
	err = rhashtable_init(&cm_by_qpn, &cm_qpn_params);
	if (err)
		goto no_qpn;
	return 0;

no_qpn:
	rhashtable_destroy(&cm_by_request);
no_request:
	rhashtable_destroy(&cm_by_peer);
	return err;
}

/**
 * cm_lookup_exit() - frees the tables
 *
 * Context: Process context, may sleep; after cm_tw_exit(), when nothing is in them.
 */
void cm_lookup_exit(void)
{
	rhashtable_destroy(&cm_by_qpn);
	rhashtable_destroy(&cm_by_request);
	rhashtable_destroy(&cm_by_peer);
	xa_destroy(&cm_local);
}
