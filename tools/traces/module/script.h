/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cm_script: plays scripts of calls, messages and faults against the ib_cm that
 * is loaded, and writes down what could be seen: return values, events, datagrams,
 * states. Only exported interfaces are used, so that any ib_cm will do.
 *
 * A batch is some sequences that do not touch each other: each has a peer, comm
 * ids, QPNs and service ids of its own. All take their first step, then the wire
 * and the handlers are waited for until they are quiet, then all take the second:
 * the time of quiet is paid once for all.
 *
 * Values that an ib_cm draws at random are written as names: comm ids "A" (the id
 * of that name) and "pA" (its peer's), TIDs by the message that had them first;
 * "new" is a TID that no message had before.
 *
 * A sequence with facts=1 is not compared step by step: what took how long, what ran
 * at the same time, and what a crowd did are lines of its trace, too.
 *
 * Locks: sc_seq.lock (a mutex) guards an sc_seq's names and records, against
 * handlers; it is not held in calls of ib_cm.
 */
#ifndef SCRIPT_H
#define SCRIPT_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>
#include <rdma/ib_cm.h>

#include "fields.h"
#include "loop.h"

#define SC_IDS		8		/* A to H */
#define SC_WORDS	24		/* of a step */
#define SC_KINDS	16		/* messages whose last copy is kept, by attribute id - 0x10 */
#define SC_SERVICE	0x10cef00000000000ULL
#define SC_GUID		0x02cef00000000000ULL
#define SC_WRONG_COMM	0x0badc0deU
#define SC_WRONG_QPN	0xbad00dU

/* Text that grows. A failed allocation cuts it; lost says so. */
struct sc_text {
	char *data;
	size_t len, size;
	bool lost;
};

__printf(2, 3) void sc_print(struct sc_text *text, const char *format, ...);
void sc_append(struct sc_text *text, const char *data, size_t len);
void sc_text_free(struct sc_text *text);

enum sc_kind { SC_COMM, SC_TID, SC_QPN };

/* What a value is called in the trace. */
struct sc_name {
	struct list_head node;
	enum sc_kind kind;
	u64 value;
	char name[24];
};

struct sc_seq;
struct sc_crowd;

/* An id of a sequence, and what its peer knows of the connection. Host order. */
struct sc_id {
	struct sc_seq *seq;
	struct ib_cm_id *cm;		/* NULL: none, or no longer */
	bool ours;			/* it was created by the script */
	u32 local_id;			/* of the last id of this name */
	u32 local_qpn;
	u32 peer_comm, peer_qpn;
	u64 peer_tid;			/* of the peer's last REQ or SIDR_REQ */
	u64 req_tid, dreq_tid;		/* of ours */
	u32 request_id;			/* SIDR, ours */
	bool active;			/* its last request was ours */
	unsigned int attempts;		/* of the peer: numbers its comm ids */
	int answer;			/* of its handler, once */
	unsigned int service;		/* number of its service id */
	struct sc_text events;		/* of this step */
	u8 *last[SC_KINDS];		/* the peer's last message of each kind */
	/* its handler */
	unsigned int nap_ms;		/* how long it sleeps */
	bool nap_always;		/* more often than once */
	atomic_t inside;		/* handlers that run now */
	/* destroy */
	struct work_struct work;
	struct ib_cm_id *doomed;
	atomic_t awaited;		/* it counts in sc_running */
	ktime_t doomed_at;
	/* facts of this step */
	bool returned;			/* destroy did, after took_ms */
	s64 took_ms;
	bool overlapped;		/* two handlers ran at once */
	bool late;			/* a handler ran when destroy returned */
};

struct sc_seq {
	struct mutex lock;		/* names, events, note */
	struct list_head limbo;
	unsigned int number;		/* of all that were ever played */
	unsigned int index;		/* in the batch */
	char *name;
	char **steps;			/* lines of the batch's text */
	unsigned int count;
	enum rdma_link_layer layer;
	bool own_port;
	bool own_dev;			/* a device of its own, which it may unplug */
	bool facts;			/* the trace says more than that of a comparison */
	bool second;			/* it has two stations */
	u8 timeout, lifetime, retries;	/* where a step does not say */
	struct ib_device *dev;
	u32 port;
	struct loop_packet address;	/* of the port */
	struct loop_station *station;
	struct loop_packet peer;	/* address of the station */
	struct loop_station *other;	/* the second one */
	struct work_struct removal;	/* of its own device */
	bool unplugged, unplugs;	/* it was begun; it has not ended */
	atomic_t removal_awaited;	/* it counts in sc_running */
	ktime_t unplugged_at;
	s64 removal_ms;			/* -1: nothing to say */
	struct sc_crowd *crowd;
	struct loop_packet scrap;
	u64 guid;
	u64 tids;			/* that the peer has used */
	struct sc_id ids[SC_IDS];
	struct list_head names;
	struct sc_text trace;
	struct sc_text note;		/* what the step printed itself */
};

/* A step, in words; "key=value" words are options. */
struct sc_step {
	char *words[SC_WORDS];
	unsigned int count;
	char buffer[400];
};

struct sc_batch {
	struct sc_seq **seqs;
	unsigned int count, size;
};

extern struct sc_batch sc_batch;
extern atomic_t sc_activity;		/* moves whenever something is seen */
extern atomic_t sc_running;		/* handlers that run, ids that are being destroyed */
extern struct workqueue_struct *sc_wq;

/* parse.c */
int sc_batch_parse(struct sc_batch *batch, char *text);
void sc_step_split(struct sc_step *step, const char *line);
const char *sc_opt(const struct sc_step *step, const char *key);
s64 sc_num(const struct sc_step *step, const char *key, s64 none);
u16 sc_attr(const char *name);		/* 0: no message of that name */

/* play.c */
int sc_batch_play(struct sc_batch *batch, struct sc_text *trace);
int sc_limbo_empty(void);

/* place.c: devices, ports, stations */
int sc_places_create(unsigned int ib_ports, unsigned int roce_ports);
void sc_places_remove(void);
int sc_place(struct sc_batch *batch);
int sc_place_fault(struct sc_seq *seq, const struct sc_step *step);
void sc_place_quiet(struct sc_batch *batch);
/* Take the sequence's own device away; removal does it. */
int sc_unplug(struct sc_seq *seq);
void sc_unplug_work(struct work_struct *work);
void sc_unplug_not_awaited(struct sc_seq *seq);
void sc_dev_put(struct sc_seq *seq);

/* crowd.c: ids without names, many of them */
int sc_crowd_step(struct sc_seq *seq, const struct sc_step *step);
/* A datagram came from one of them: it is counted. False: it is not theirs. */
bool sc_crowd_take(struct sc_seq *seq, const struct loop_packet *packet);
void sc_crowd_facts(struct sc_seq *seq, struct sc_text *text);
bool sc_crowd_pending(const struct sc_seq *seq);
void sc_crowd_not_awaited(struct sc_seq *seq);
/* Destroy what is left; it need not have returned. */
void sc_crowd_end(struct sc_seq *seq);
void sc_crowd_free(struct sc_seq *seq);

/* calls.c: the consumer. Return what the call did. */
int sc_call(struct sc_id *id, const struct sc_step *step);
int sc_send_req(struct sc_seq *seq, struct ib_cm_id *cm, u32 qpn, const struct sc_step *step);
int sc_create(struct sc_id *id);
int sc_listen(struct sc_id *id, const struct sc_step *step, bool insert);
void sc_destroy(struct sc_id *id);
void sc_destroy_work(struct work_struct *work);
void sc_not_awaited(struct sc_id *id);

/* peer.c */
int sc_peer_send(struct sc_id *id, const struct sc_step *step);
/* Complete the packet, whose datagram is there, and send it from the station. */
int sc_peer_put(struct sc_seq *seq, struct loop_station *station, struct loop_packet *packet);
int sc_peer_repeat(struct sc_id *id, const struct sc_step *step);
/* A datagram came for the peer: what it learns from it, and the trace's line. */
void sc_peer_take(struct sc_seq *seq, const struct loop_packet *packet, struct sc_text *text);

/* names.c */
char sc_letter(const struct sc_id *id);
void sc_name_add(struct sc_seq *seq, enum sc_kind kind, u64 value, const char *format, ...) __printf(4, 5);
const char *sc_name(struct sc_seq *seq, enum sc_kind kind, u64 value);
bool sc_known(struct sc_seq *seq, enum sc_kind kind, u64 value);
void sc_names_free(struct sc_seq *seq);
void sc_print_gid(struct sc_seq *seq, struct sc_text *text, const char *key, const u8 *gid);
void sc_print_lid(struct sc_seq *seq, struct sc_text *text, const char *key, u32 lid);
void sc_print_service(struct sc_seq *seq, struct sc_text *text, const char *key, u64 service);
void sc_print_guid(struct sc_seq *seq, struct sc_text *text, const char *key, u64 guid);
void sc_print_data(struct sc_text *text, const char *key, const void *data, size_t len);
void sc_print_ari(struct sc_seq *seq, struct sc_text *text, const char *key, const void *ari, size_t len);
void sc_print_num(struct sc_text *text, const char *key, u64 value);
void sc_print_state(struct sc_text *text, const char *key, const struct ib_cm_id *cm);
const char *sc_event_name(enum ib_cm_event_type type);

/* events.c */
int sc_handler(struct ib_cm_id *cm, const struct ib_cm_event *event);
void sc_print_path(struct sc_seq *seq, struct sc_text *text, const char *prefix, const struct sa_path_rec *path);
u64 sc_service(const struct sc_seq *seq, unsigned int number);

#endif /* SCRIPT_H */
