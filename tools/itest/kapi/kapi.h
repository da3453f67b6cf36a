/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cm_kapi: tests of ib_cm's exported interface, by a consumer in the kernel.
 *
 * A test is a function over struct kapi. It makes pairs: an end that asks (a), a
 * listener (l) and the end that the listener's requests are given to (p), all on
 * one device and in one kernel. Every event that an end gets is noted; tests take
 * the notes in order, so that an event that is missing, doubled or out of order
 * fails. Waits are for notes, with a limit, never for a time.
 *
 * Nothing here prints the words that make a lab run fail.
 */
#ifndef KAPI_H
#define KAPI_H

#include <linux/completion.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <rdma/ib_cache.h>
#include <rdma/ib_cm.h>
#include <rdma/ib_sa.h>

#include "state_name.h"

#define KAPI_NOTES	16
#define KAPI_DATA	224	/* bytes: the longest private data that there is */
#define KAPI_WAIT	(20 * HZ)
#define KAPI_NAP	500	/* ms that a sleeping handler sleeps */
#define KAPI_SWIFT	1000	/* ms: what must not wait takes less, in an emulated guest too */
#define KAPI_LONG	21	/* time-out exponent: 8.6 s, nobody repeats anything */
extern u8 kapi_timeout;		/* what is used instead, if the loader says so */
#define KAPI_LASTS	18	/* packet lifetime: timewait is longer than a test looks at it */
#define KAPI_SHORT	15	/* 134 ms */

/* A test's run. */
struct kapi {
	struct ib_device *dev;
	const struct ib_gid_attr *gid;
	u8 mac[ETH_ALEN];
	bool stock;		/* the ib_cm under test is the kernel's own */
	unsigned int copies;	/* how often the wire delivers a datagram at most */
	bool failed;
	char why[160];		/* the first failure */
};

struct kapi_case {
	const char *name;
	void (*run)(struct kapi *t);
	const char *stock;	/* why it does not hold on stock; NULL: it does */
	bool hangs;		/* stock does not come back from it */
};

extern const struct kapi_case kapi_misuse[], kapi_fields[], kapi_connect[], kapi_handler[], kapi_share[],
	kapi_destroy[];

/* Notes a failure. */
__printf(2, 3) void kapi_fail(struct kapi *t, const char *format, ...);

#define kapi_want(t, what, got, want)							\
({											\
	long long __got = (got), __want = (want);					\
	if (__got != __want)								\
		kapi_fail(t, "%s: got %lld want %lld (line %d)", what, __got, __want, __LINE__); \
	__got == __want;								\
})

/* What an end was told. Pointers of the event are dead by the time it is read. */
struct kapi_note {
	struct ib_cm_event event;
	enum ib_cm_state state;	/* of the id, as the handler saw it */
	u8 data[KAPI_DATA];
	u8 info[72];		/* additional information of REJ and SIDR_REP */
	u8 info_len;
	__be64 service_id;
	struct sa_path_rec path;
	ktime_t begun;
};

struct kapi_end {
	const char *name;
	struct ib_cm_id *id;
	struct kapi_end *accepts;	/* of a listener: whose the next request is */
	spinlock_t lock;		/* seen */
	wait_queue_head_t wait;
	unsigned int seen, taken, returned;
	struct kapi_note notes[KAPI_NOTES];
	/* What the handler does for the note of this number, before it returns answer: */
	int (*act)(struct kapi_end *end, struct kapi_note *note);
	void *arg;
};

/* Where a pair is: what both ends have reached. */
enum kapi_point {
	KAPI_START,
	KAPI_REQ,
	KAPI_MRA_REQ,
	KAPI_REP,
	KAPI_MRA_REP,
	KAPI_RTU,
	KAPI_DREQ,
	KAPI_DREP,
	KAPI_EXIT,
	KAPI_SIDR,		/* KAPI_START, then a SIDR_REQ */
	KAPI_POINTS
};

struct kapi_pair {
	struct kapi *t;
	struct kapi_end a, p, l;
	enum kapi_point at;
	__be64 service_id;
	u32 a_qpn, p_qpn;	/* two ends in one host must not have the same */
	u8 lifetime;		/* of packets: the base of timewait */
	u8 timeout;		/* exponent: how long each end waits for the other */
	u8 retries;
	bool no_mra;		/* skip both */
	bool atomic;		/* every call that may: with a lock held and interrupts off */
	bool no_data;		/* NULL with a length instead of the most private data */
};

/* Calls by number, so that tests can try all of them. */
enum kapi_verb {
	KAPI_CALL_LISTEN,
	KAPI_CALL_REQ,
	KAPI_CALL_REP,
	KAPI_CALL_RTU,
	KAPI_CALL_DREQ,
	KAPI_CALL_DREP,
	KAPI_CALL_REJ,
	KAPI_CALL_MRA,
	KAPI_CALL_SIDR_REQ,
	KAPI_CALL_SIDR_REP,
	KAPI_CALL_COMM_EST,
	KAPI_CALL_PATH_MIG,
	KAPI_CALL_QP_INIT,
	KAPI_CALL_QP_RTR,
	KAPI_CALL_QP_RTS,
	KAPI_CALLS
};

extern const char *const kapi_verb_names[KAPI_CALLS];
extern const u8 kapi_verb_max[KAPI_CALLS];	/* private data; 0: takes none */

#ifdef KAPI_PREPARE_MRA
#define KAPI_MRA_LEAVES	false
#else
#define KAPI_MRA_LEAVES	true
#endif

void kapi_path(struct kapi_pair *pair, struct sa_path_rec *path);
void kapi_req_param(struct kapi_pair *pair, struct sa_path_rec *path, struct ib_cm_req_param *param);
void kapi_rep_param(struct kapi_pair *pair, struct ib_cm_rep_param *param);
int kapi_call(struct kapi_pair *pair, struct kapi_end *end, enum kapi_verb verb, const void *data, u8 len);

int kapi_handler_fn(struct ib_cm_id *id, const struct ib_cm_event *event);
void kapi_end_init(struct kapi_end *end, const char *name);
struct kapi_pair *kapi_pair_make(struct kapi *t);
void kapi_pair_free(struct kapi_pair *pair);
bool kapi_step(struct kapi_pair *pair, enum kapi_point to);
bool kapi_reach(struct kapi_pair *pair, enum kapi_point to);
struct kapi_note *kapi_take(struct kapi *t, struct kapi_end *end, enum ib_cm_event_type want);
bool kapi_quiet(struct kapi *t, struct kapi_end *end);
bool kapi_returned(struct kapi *t, struct kapi_end *end);
bool kapi_state(struct kapi *t, struct kapi_end *end, enum ib_cm_state want);
bool kapi_state_soon(struct kapi *t, struct kapi_end *end, enum ib_cm_state want);
s64 kapi_destroy_end(struct kapi_end *end);
void kapi_fill(u8 *data, unsigned int len, u8 seed);
bool kapi_filled(struct kapi *t, const struct kapi_note *note, unsigned int len, u8 seed);
__be64 kapi_service(void);
u32 kapi_qpn(void);

#endif
