// SPDX-License-Identifier: GPL-2.0-only
/*
 * A crowd: many ids of a sequence that have no names. Owns them, the threads that
 * destroy them, and the numbers in which the trace speaks of them.
 *
 * Counters are atomic: handlers, threads and the script write them.
 */
#include <linux/delay.h>
#include <linux/slab.h>

#include "script.h"

#define THREADS		8
#define EVENTS		32		/* more than there are kinds */
#define CROWD_QPN	0x600000
#define PEER_COMM	0x20000000
#define ASSIGN_MS	20000		/* at most, for two threads to be given the same service id */
#define STALE_MS	60000		/* at most, for the peer to refuse them all */

struct thread {
	struct work_struct work;
	struct sc_crowd *crowd;
	unsigned int first;
	/* assign: what was given, and what failed */
	__be64 *services;
	u64 latest;
	int error;
};

struct sc_crowd {
	struct sc_seq *seq;
	struct ib_cm_id **ids;
	u32 *local_ids;
	unsigned int count;
	struct thread threads[THREADS];
	u64 service;
	atomic_t running;		/* threads that destroy */
	atomic_t awaited;		/* the crowd counts in sc_running */
	bool doomed;			/* destroy was begun */
	bool said;			/* that it waits */
	bool done, told;		/* it has ended; the trace knows */
	ktime_t doomed_at;
	s64 took_ms;
	bool assigned;			/* service ids were, in took_ms */
	bool doubled;			/* one of them twice */
	atomic_t events[EVENTS];
	unsigned int mads[SC_KINDS];
};

static int crowd_handler(struct ib_cm_id *cm, const struct ib_cm_event *event)
{
	struct sc_crowd *crowd = cm->context;

	atomic_inc(&crowd->events[event->event % EVENTS]);
	atomic_inc(&sc_activity);
	return 0;
}

static struct sc_crowd *crowd_of(struct sc_seq *seq)
{
	unsigned int i;

	if (seq->crowd)
		return seq->crowd;
	seq->crowd = kvzalloc(sizeof(*seq->crowd), GFP_KERNEL);
	if (!seq->crowd)
		return NULL;
	seq->crowd->seq = seq;
	for (i = 0; i < THREADS; i++) {
		seq->crowd->threads[i].crowd = seq->crowd;
		seq->crowd->threads[i].first = i;
	}
	return seq->crowd;
}

static int crowd_room(struct sc_crowd *crowd, unsigned int count)
{
	if (crowd->ids || !count)
		return -EINVAL;
	crowd->ids = kvcalloc(count, sizeof(*crowd->ids), GFP_KERNEL);
	crowd->local_ids = kvcalloc(count, sizeof(*crowd->local_ids), GFP_KERNEL);
	if (!crowd->ids || !crowd->local_ids)
		return -ENOMEM;
	crowd->count = count;
	return 0;
}

static int crowd_create(struct sc_crowd *crowd, unsigned int count)
{
	struct ib_cm_id *cm;
	unsigned int i;
	int ret;

	ret = crowd_room(crowd, count);
	for (i = 0; !ret && i < count; i++) {
		cm = ib_create_cm_id(crowd->seq->dev, crowd_handler, crowd);
		if (IS_ERR(cm))
			return PTR_ERR(cm);
		crowd->ids[i] = cm;
		crowd->local_ids[i] = be32_to_cpu(cm->local_id);
	}
	return ret;
}

static int crowd_req(struct sc_crowd *crowd, const struct sc_step *step)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < crowd->count; i++)
		ret = sc_send_req(crowd->seq, crowd->ids[i], CROWD_QPN | i, step);
	return ret;
}

/* All threads, one after the other or at once, and wait for them. */
static void crowd_run(struct sc_crowd *crowd, unsigned int threads, work_func_t what)
{
	unsigned int i;

	for (i = 0; i < threads; i++) {
		INIT_WORK(&crowd->threads[i].work, what);
		queue_work(sc_wq, &crowd->threads[i].work);
	}
	for (i = 0; i < threads; i++)
		flush_work(&crowd->threads[i].work);
}

static void insert_work(struct work_struct *work)
{
	struct thread *thread = container_of(work, struct thread, work);
	struct sc_crowd *crowd = thread->crowd;
	struct ib_cm_id *cm;
	unsigned int i;

	for (i = thread->first; i < crowd->count; i += THREADS) {
		cm = ib_cm_insert_listen(crowd->seq->dev, sc_handler, cpu_to_be64(crowd->service));
		if (IS_ERR(cm))
			thread->error = PTR_ERR(cm);
		else
			crowd->ids[i] = cm;
	}
}

static int crowd_insert(struct sc_crowd *crowd, unsigned int count, unsigned int service)
{
	unsigned int i;
	int ret;

	ret = crowd_room(crowd, count);
	if (ret)
		return ret;
	crowd->service = sc_service(crowd->seq, service);
	crowd_run(crowd, THREADS, insert_work);
	for (i = 0; i < THREADS; i++)
		ret = ret ? ret : crowd->threads[i].error;
	return ret;
}

/* One service id after the other, and nothing else in between, until the other thread is seen to have got the same. */
static void assign_work(struct work_struct *work)
{
	struct thread *thread = container_of(work, struct thread, work);
	struct sc_crowd *crowd = thread->crowd;
	struct thread *other = &crowd->threads[!thread->first];
	unsigned long limit = jiffies + msecs_to_jiffies(ASSIGN_MS);
	struct ib_cm_id *cm;
	unsigned int i;

	for (i = 0; i < crowd->count && !thread->error && time_before(jiffies, limit); i++) {
		cm = ib_create_cm_id(crowd->seq->dev, crowd_handler, crowd);
		if (IS_ERR(cm)) {
			thread->error = PTR_ERR(cm);
			break;
		}
		thread->error = ib_cm_listen(cm, IB_CM_ASSIGN_SERVICE_ID);
		thread->services[i] = cm->service_id;
		WRITE_ONCE(thread->latest, (__force u64)cm->service_id);
		if (READ_ONCE(other->latest) == (__force u64)cm->service_id)
			WRITE_ONCE(crowd->doubled, true);
		ib_destroy_cm_id(cm);
		if (READ_ONCE(crowd->doubled))
			break;
		cond_resched();
	}
}

static bool assigned_both(const struct thread *a, const struct thread *b, unsigned int count)
{
	unsigned int i = 0, k = 0;
	u64 x, y;

	while (i < count && k < count) {
		x = be64_to_cpu(a->services[i]);
		y = be64_to_cpu(b->services[k]);
		if (x && x == y)
			return true;
		if (x < y)
			i++;
		else
			k++;
	}
	return false;
}

static int crowd_assign(struct sc_crowd *crowd, unsigned int count)
{
	struct thread *a = crowd->threads, *b = a + 1;
	int ret = -ENOMEM;

	a->services = kvcalloc(count, sizeof(*a->services), GFP_KERNEL);
	b->services = kvcalloc(count, sizeof(*b->services), GFP_KERNEL);
	if (a->services && b->services) {
		crowd->count = count;
		crowd->doomed_at = ktime_get();
		crowd_run(crowd, 2, assign_work);
		crowd->count = 0;
		crowd->took_ms = ktime_ms_delta(ktime_get(), crowd->doomed_at);
		crowd->doubled |= a->error == -EBUSY || b->error == -EBUSY || assigned_both(a, b, count);
		crowd->assigned = true;
		ret = 0;
		if ((a->error && a->error != -EBUSY) || (b->error && b->error != -EBUSY))
			ret = -EIO;
	}
	kvfree(a->services);
	kvfree(b->services);
	return ret;
}

/* Each id sends a request, and the peer says of it that it is stale, until each has heard that. */
static int crowd_stale(struct sc_crowd *crowd, const struct sc_step *step)
{
	unsigned long limit = jiffies + msecs_to_jiffies(STALE_MS);
	struct sc_seq *seq = crowd->seq;
	struct loop_packet *packet;
	unsigned int told = 0;
	u8 *req;
	int ret = -ENOMEM;

	packet = kzalloc(sizeof(*packet), GFP_KERNEL);
	req = kzalloc(MAD_BYTES, GFP_KERNEL);
	if (!packet || !req)
		goto out;
	ret = crowd_req(crowd, step);
	while (!ret && told < crowd->count) {
		if (time_after(jiffies, limit)) {
			ret = -ETIMEDOUT;
			break;
		}
		if (loop_station_recv(seq->station, packet, 1000) ||
		    mad_attr(packet->mad) != ATTR_REQ)
			continue;
		memcpy(req, packet->mad, MAD_BYTES);
		memset(packet, 0, sizeof(*packet));
		mad_init(packet->mad, ATTR_REJ, 0);
		mad_set(packet->mad, F_MAD_TID, mad_get(req, F_MAD_TID));
		mad_set(packet->mad, "local_comm_id", PEER_COMM | told);
		mad_set(packet->mad, "remote_comm_id", mad_get(req, "local_comm_id"));
		mad_set(packet->mad, "message_rejected", 0);
		mad_set(packet->mad, "reason", 10);
		if (sc_peer_put(seq, seq->station, packet))
			continue;
		told++;
	}
out:
	kfree(packet);
	kfree(req);
	return ret;
}

static void destroy_work(struct work_struct *work)
{
	struct thread *thread = container_of(work, struct thread, work);
	struct sc_crowd *crowd = thread->crowd;
	unsigned int i;

	for (i = thread->first; i < crowd->count; i += THREADS) {
		if (!IS_ERR_OR_NULL(crowd->ids[i]))
			ib_destroy_cm_id(crowd->ids[i]);
		crowd->ids[i] = NULL;
		atomic_inc(&sc_activity);
		cond_resched();
	}
	if (!atomic_dec_and_test(&crowd->running))
		return;
	crowd->took_ms = ktime_ms_delta(ktime_get(), crowd->doomed_at);
	/* took_ms before done */
	smp_store_release(&crowd->done, true);
	atomic_inc(&sc_activity);
	sc_crowd_not_awaited(crowd->seq);
}

static int crowd_destroy(struct sc_crowd *crowd)
{
	unsigned int i;

	if (crowd->doomed || !crowd->ids)
		return -EINVAL;
	crowd->doomed = true;
	crowd->doomed_at = ktime_get();
	atomic_set(&crowd->running, THREADS);
	atomic_set(&crowd->awaited, 1);
	atomic_inc(&sc_running);
	for (i = 0; i < THREADS; i++) {
		INIT_WORK(&crowd->threads[i].work, destroy_work);
		queue_work(sc_wq, &crowd->threads[i].work);
	}
	return 0;
}

/* crowd create N | req | stale | destroy | insert N [sid=N] | assign N */
int sc_crowd_step(struct sc_seq *seq, const struct sc_step *step)
{
	static const char *const verbs[] = { "create", "req", "stale", "destroy", "insert", "assign" };
	struct sc_crowd *crowd = crowd_of(seq);
	unsigned int count = 0;

	if (!crowd)
		return -ENOMEM;
	if (step->count < 2 || !seq->facts)
		return -EINVAL;
	if (step->count > 2 && kstrtouint(step->words[2], 0, &count))
		count = 0;
	switch (match_string(verbs, ARRAY_SIZE(verbs), step->words[1])) {
	case 0: return crowd_create(crowd, count);
	case 1: return crowd_req(crowd, step);
	case 2: return crowd_stale(crowd, step);
	case 3: return crowd_destroy(crowd);
	case 4: return crowd_insert(crowd, count, sc_num(step, "sid", 1));
	case 5: return crowd_assign(crowd, count);
	}
	return -EOPNOTSUPP;
}

bool sc_crowd_take(struct sc_seq *seq, const struct loop_packet *packet)
{
	u16 attr = mad_attr(packet->mad);
	struct sc_crowd *crowd = seq->crowd;
	unsigned int i;
	u32 local_id;

	if (attr < ATTR_REQ || attr >= ATTR_REQ + SC_KINDS || !field_find(attr, "local_comm_id"))
		return false;
	local_id = mad_get(packet->mad, "local_comm_id");
	for (i = 0; i < crowd->count; i++) {
		if (crowd->local_ids && crowd->local_ids[i] == local_id) {
			crowd->mads[attr - ATTR_REQ]++;
			return true;
		}
	}
	return false;
}

static void count_fact(struct sc_crowd *crowd, struct sc_text *text, unsigned int count, const char *what)
{
	if (count && count == crowd->count)
		sc_print(text, "fact crowd: all %s\n", what);
	else if (count)
		sc_print(text, "fact crowd: %u of %u %s\n", count, crowd->count, what);
}

void sc_crowd_facts(struct sc_seq *seq, struct sc_text *text)
{
	struct sc_crowd *crowd = seq->crowd;
	unsigned int i, left = 0;

	for (i = 0; i < SC_KINDS; i++) {
		count_fact(crowd, text, crowd->mads[i], mad_name(ATTR_REQ + i));
		crowd->mads[i] = 0;
	}
	for (i = 0; i < EVENTS; i++)
		count_fact(crowd, text, atomic_xchg(&crowd->events[i], 0), sc_event_name(i));
	if (crowd->doubled)
		sc_print(text, "fact crowd: one service id twice\n");
	if (crowd->assigned)
		sc_print(text, "took assign - %lld\n", crowd->took_ms);
	crowd->doubled = false;
	crowd->assigned = false;
	if (!crowd->doomed || crowd->told)
		return;
	/* pairs with destroy_work() */
	if (smp_load_acquire(&crowd->done)) {
		crowd->told = true;
		sc_print(text, "took crowd - %lld\nfact crowd: all destroyed\n", crowd->took_ms);
		return;
	}
	for (i = 0; i < crowd->count; i++)
		left += !!READ_ONCE(crowd->ids[i]);
	sc_print(text, "took crowd-left - %u\n", left);
	if (!crowd->said)
		sc_print(text, "fact crowd: destroy waits\n");
	crowd->said = true;
}

bool sc_crowd_pending(const struct sc_seq *seq)
{
	return seq->crowd && seq->crowd->doomed && !READ_ONCE(seq->crowd->done);
}

void sc_crowd_not_awaited(struct sc_seq *seq)
{
	if (seq->crowd && atomic_xchg(&seq->crowd->awaited, 0))
		atomic_dec(&sc_running);
}

void sc_crowd_end(struct sc_seq *seq)
{
	if (seq->crowd && seq->crowd->ids && !seq->crowd->doomed)
		crowd_destroy(seq->crowd);
}

void sc_crowd_free(struct sc_seq *seq)
{
	unsigned int i;

	if (!seq->crowd)
		return;
	if (seq->crowd->doomed)
		for (i = 0; i < THREADS; i++)
			flush_work(&seq->crowd->threads[i].work);
	kvfree(seq->crowd->ids);
	kvfree(seq->crowd->local_ids);
	kvfree(seq->crowd);
}
