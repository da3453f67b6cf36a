/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the suites share: a loopback HCA with ib_cm on it, a peer that is a
 * station on its wire, ids whose events are recorded.
 *
 * Owns: struct rig and struct rig_id. A rig is a resource of its test: all that
 * was made by it is taken down when the test ends, in the right order, also
 * after a failed assertion; then it is checked that nothing of ours is left.
 *
 * Locks: rig.lock guards its lists; rig_id.lock, inside it, an id's record.
 * Datagrams for the peer are taken off its station by rig_peer_recv() only:
 * the rig reads them on their way to learn TIDs.
 */
#ifndef RIG_H
#define RIG_H

#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/workqueue.h>
#include <rdma/ib_cm.h>

#include "fields.h"
#include "loopback/loop.h"
#include "../cm_core/probe.h"

#define RIG_SERVICE	0x1122334455667700ULL	/* host order; each listener adds its number */
#define RIG_WAIT_MS	5000			/* a thing that must happen; never an assertion about speed */
#define RIG_EVENTS	16
#define RIG_PEER_GUID	0x00c0ffee00000001ULL	/* the CA GUID that the peer gives, host order */

struct rig {
	struct kunit *test;
	enum rdma_link_layer layer;
	struct ib_device *dev;		/* NULL once it is unplugged */
	struct loop_station *peer;
	struct list_head ids;
	u64 tid;		/* of the peer's last request, host order */
	u32 peer_comm_id;	/* the peer's next comm id, host order */
	u32 peer_qpn;		/* the peer's next QPN */
	/* What calls and messages made from now on say; the tests may change them. */
	u64 peer_guid;
	u32 qpn;		/* our next QPN */
	u8 response_time;	/* 4.096 us x 2^n: of both sides; 20: 4.3 s */
	u8 life_time;		/* packet life time of our path; time in timewait is twice that; 15: 0.27 s */
	u8 ack_time;		/* local ACK time-out in the peer's REQs, its time in timewait; 16: 0.27 s */
	u8 retries;		/* max CM retries of both sides */
	enum ib_qp_type qp_type;	/* of both sides' REQs; IB_QPT_XRC_TGT: the peer's are XRC, ours RC */
	bool alternate;		/* REQs of both sides name an alternate path, the primary's twin (InfiniBand) */
	unsigned int foreign;	/* datagrams that rig_peer_recv() passed over */
	/* The rig's own */
	struct loop_packet here;	/* the address of the device's port 1 */
	spinlock_t lock;
	struct list_head requests;	/* the peer's REQs and SIDR_REQs */
	struct list_head inbox;		/* datagrams for the peer */
	u32 listeners;
};

/* One delivered event, copied in the handler. */
struct rig_event {
	enum ib_cm_event_type type;
	struct ib_cm_event raw;		/* pointers in it are dead, the values live */
	u8 data[IB_CM_REQ_PRIVATE_DATA_SIZE > 224 ? IB_CM_REQ_PRIVATE_DATA_SIZE : 224];
	bool has_data;
	u8 info[IB_CM_REJ_ARI_LENGTH];	/* ARI of a REJ, info of an APR or SIDR_REP */
	struct sa_path_rec primary, alternate;	/* of a REQ; alternate: of a LAP, too */
	bool has_alternate;
	enum ib_cm_state state;		/* of the id, seen in the handler */
};

struct rig_id {
	struct rig *rig;
	struct ib_cm_id *cm;		/* NULL once destroyed */
	struct rig_id *listener;	/* whose REQ or SIDR_REQ made it */
	struct list_head node;
	spinlock_t lock;		/* guards what follows */
	wait_queue_head_t wait;
	struct rig_event events[RIG_EVENTS];
	unsigned int delivered, taken;
	unsigned int running;		/* handlers of it that run now */
	int answer;			/* what the handler returns; a listener's: for the requests that it gets */
	unsigned int sleep_ms;		/* and how long it takes */
	/* Runs in the handler; its value is returned if not 0. */
	int (*hook)(struct rig_id *id, const struct rig_event *event);
	void *hook_data;
	/* What the peer knows of this connection, host order. */
	u32 local_id;			/* our comm id */
	u64 service_id;

	struct_group_tagged(rig_side, side,
		u32 peer_id;		/* the peer's comm id; of a SIDR exchange: the request id */
		u32 local_qpn, peer_qpn;
		u64 tid;		/* of the request to be answered: REQ or SIDR_REQ */
		u64 dreq_tid;		/* of our DREQ */
		bool active;		/* we asked */
	);
	bool accepted;			/* rig_accepted() has had it */
	u8 request[MAD_BYTES];		/* the peer's REQ or SIDR_REQ that made it */
};

/*
 * First thing of every case: a suite's init. With cm_rig's parameter `first`, the
 * cases after the first one that failed are skipped.
 */
int rig_case(struct kunit *test);

/* ASSERTs on failure: the test ends there. */
struct rig *rig_create(struct kunit *test, enum rdma_link_layer layer);
struct rig *rig_create_with(struct kunit *test, const struct loop_config *config);
/* The same for a suite: outlives the test; rig_close() is the caller's. */
struct rig *rig_open(struct kunit *test, const struct loop_config *config);
void rig_close(struct rig *rig, struct kunit *test);
/* Destroys what ids there are, forgets requests and datagrams; the device stays. */
void rig_clear(struct rig *rig);
/* Removes the device; ids are GONE, and still to be destroyed. */
void rig_unplug(struct rig *rig);
/* Another device on the same wire in its place; also after rig_unplug(). */
void rig_plug(struct rig *rig);

struct rig_id *rig_id_create(struct rig *rig);				/* ib_create_cm_id(), IDLE */
struct rig_id *rig_listen(struct rig *rig, u64 service_id);		/* host order; LISTEN */
void rig_id_destroy(struct rig_id *id);			/* ib_destroy_cm_id(); its events stay readable */
/* ib_destroy_cm_id() on another thread. d is on the stack; join it before it goes. ends: true once. */
struct rig_destroyer {
	struct work_struct work;
	struct ib_cm_id *cm;
	struct completion done;
};

void rig_destroyer_start(struct rig_destroyer *d, struct ib_cm_id *cm);
bool rig_destroyer_ends(struct rig_destroyer *d, unsigned int ms);
void rig_destroyer_join(struct rig_destroyer *d);
/* The id that the next REQ or SIDR_REQ of this listener made. NULL after RIG_WAIT_MS. */
struct rig_id *rig_accepted(struct rig_id *listener);
/* An attempt ends with one such event. */
bool rig_is_last(enum ib_cm_event_type type);
/* The next event not yet taken; NULL if none comes within timeout_ms. */
const struct rig_event *rig_event(struct rig_id *id, unsigned int timeout_ms);
/*
 * Wait until nothing of ours is under way: queues empty, no runner, no unposted
 * message. Armed timers are not waited for.
 */
void rig_settle(struct rig *rig);
/* Wait until the device has handed up what came before, without waiting for the rest. */
void rig_flush(struct rig *rig);
/* Poll for a condition that must come true; false after RIG_WAIT_MS. */
#define rig_until(condition)						\
({									\
	unsigned long _end = jiffies + msecs_to_jiffies(RIG_WAIT_MS);	\
	bool _ok;							\
	while (!(_ok = (condition)) && time_before(jiffies, _end))	\
		usleep_range(200, 500);					\
	_ok || (condition);						\
})
/* Of an id: CM_ID_*, its state now. Waits until it is that one; false after RIG_WAIT_MS. */
unsigned int rig_state(struct rig_id *id);
bool rig_reaches(struct rig_id *id, unsigned int state);

/* Calls with sane arguments; the peer is the path's other end. They return what the call returned. */
int rig_send_req(struct rig_id *id);
/* What they begin with, for tests that fill in the parameters themselves. */
void rig_attempt(struct rig_id *id);
int rig_send_rep(struct rig_id *id);
int rig_send_sidr_req(struct rig_id *id);
int rig_send_sidr_rep(struct rig_id *id);
void rig_path(struct rig *rig, struct sa_path_rec *path);		/* from the device to the peer */
/* What rig_send_req() gives; path is where its primary_path points, twin the alternate's. */
void rig_req_param(struct rig_id *id, struct ib_cm_req_param *param, struct sa_path_rec *path,
		   struct sa_path_rec *twin);
void rig_rep_param(struct rig_id *id, struct ib_cm_rep_param *param);

/* The peer's messages. mad is 256 bytes; addressed to the device's port 1. */
void rig_peer_send(struct rig *rig, const u8 *mad);
/* The address of such a datagram, for those who send it themselves. */
void rig_peer_packet(struct rig *rig, const u8 *mad, struct loop_packet *packet);
/*
 * The next datagram for the peer with this attribute id (0: any); false if none
 * comes. Others met on the way are counted, not kept.
 */
bool rig_peer_recv(struct rig *rig, u16 attr_id, u8 *mad, unsigned int timeout_ms);
/* Datagrams for the peer that wait to be taken. */
unsigned int rig_peer_waiting(struct rig *rig);
/*
 * All of a message but what the test wants to set: class header, comm ids, QPNs,
 * times, the path back to the peer.
 */
void rig_make_req(struct rig *rig, u64 service_id, u8 *mad);	/* new TID, comm id and QPN of the peer */
void rig_make_sidr_req(struct rig *rig, u64 service_id, u8 *mad);	/* new TID and request id */
/*
 * The other ten, for this connection. REQ and SIDR_REQ: the one that made the id,
 * again; of a listener: a new one.
 */
void rig_make(struct rig_id *id, enum cm_attr attr, u8 *mad);

/* Run a line of shell in the guest; 0: it said so. */
int rig_shell(const char *script);
/* What a file of debugfs says. The test ends if it cannot be read. */
char *rig_look(struct kunit *test, const char *path);
/* A line of "counters" or "now" of port 1, as debugfs says it. */
long rig_look_number(struct rig *rig, const char *file, const char *name);

/*
 * Bring a new id into a state, by calls and messages only. state is CM_ID_* of
 * cm_core/generated/cm_model.h. NULL (test failed) if it cannot be reached.
 * active: which side it plays where both can be there. REQ_NEW, SIDR_NEW, NONE,
 * GONE, DEAD and the reserved states are not for this one.
 * The events and datagrams of the way there are taken.
 */
struct rig_id *rig_bring(struct rig *rig, unsigned int state, bool active);
/* The same from where the id is; busy: its handler is running, so events are not waited for. */
bool rig_bring_on(struct rig_id *id, unsigned int state, bool active, bool busy);

/* No shorter than that by ktime_get(); msleep() counts ticks, which may lag behind it. */
void rig_sleep(unsigned int ms);
/* A file as the guest's programs see it, or an ERR_PTR(). */
struct file *rig_file(const char *path, int flags);
/* A small file's text, gone with the test, which ends if there is none. */
char *rig_read(struct kunit *test, const char *path);
/* A parameter of ib_cm; what it was is put back when the test ends. False: it cannot be set. */
bool rig_param(struct kunit *test, const char *name, unsigned int value);
/* Of port 1 of the device, as cm_probe_counter(). */
long rig_counter(struct rig *rig, const char *name);
/*
 * Can allocations be made to fail, those that may sleep included? Then which of this task's, or of each worker's, is
 * chosen by its number from now on (0: none). rig_fail_here() says how many are left until the one chosen before.
 */
bool rig_failslab(struct kunit *test);
/* The slab allocator allocates for itself, now and then: what one allocation of a call has to show is looked for so often. */
#define RIG_SHORT_ROUNDS	4
unsigned int rig_fail_here(unsigned int nth);
void rig_fail_workers(unsigned int nth);

#endif /* RIG_H */
