// SPDX-License-Identifier: GPL-2.0-only
/*
 * A batch, step by step: all sequences take theirs, then quiet is waited for, then
 * what was seen is written down. They end together, so that those that wait at their
 * end wait together.
 *
 * Quiet is eight looks in a row, with every CPU having done other work between
 * them, at which nothing had come since the one before: no event, no datagram, no
 * handler at work. A destroy that does not return is given up after many looks, and
 * its sequence goes to limbo until it does.
 */
#include <linux/delay.h>
#include <linux/slab.h>

#include "script.h"

#define LOOKS		8
#define LOOK_US		1500
#define LOOKS_DESTROY	40	/* then a destroy that has not returned is one that waits */
#define LOOKS_FACTS	400	/* the same where that is what the sequence is about */
#define QUIET_MS	90000	/* at most */

static LIST_HEAD(limbo);

atomic_t sc_activity = ATOMIC_INIT(0);
atomic_t sc_running = ATOMIC_INIT(0);

static DEFINE_PER_CPU(struct work_struct, cpu_work);

static void cpu_noop(struct work_struct *work)
{
}

/* Every CPU has come to run something that was queued now. */
static void all_cpus(void)
{
	int cpu;

	cpus_read_lock();
	for_each_online_cpu(cpu) {
		struct work_struct *work = per_cpu_ptr(&cpu_work, cpu);

		INIT_WORK(work, cpu_noop);
		queue_work_on(cpu, system_percpu_wq, work);
	}
	for_each_online_cpu(cpu)
		flush_work(per_cpu_ptr(&cpu_work, cpu));
	cpus_read_unlock();
}

static unsigned long activity(struct sc_batch *batch)
{
	unsigned long seen = atomic_read(&sc_activity);
	unsigned int i;

	for (i = 0; i < batch->count; i++) {
		seen += loop_station_waiting(batch->seqs[i]->station);
		if (batch->seqs[i]->other)
			seen += loop_station_waiting(batch->seqs[i]->other);
	}
	return seen;
}

static void give_up(struct sc_batch *batch)
{
	unsigned int i, k;

	for (i = 0; i < batch->count; i++) {
		for (k = 0; k < SC_IDS; k++)
			sc_not_awaited(&batch->seqs[i]->ids[k]);
		sc_unplug_not_awaited(batch->seqs[i]);
		sc_crowd_not_awaited(batch->seqs[i]);
	}
}

static void settle(struct sc_batch *batch, unsigned int quiet_ms)
{
	unsigned long start = jiffies, seen, now;
	unsigned int i, patience = LOOKS_DESTROY, looks = 0;
	ktime_t since = ktime_get();

	for (i = 0; i < batch->count; i++)
		if (batch->seqs[i]->facts)
			patience = LOOKS_FACTS;
	seen = activity(batch);
	while (time_before(jiffies, start + msecs_to_jiffies(QUIET_MS))) {
		all_cpus();
		usleep_range(LOOK_US, LOOK_US + 500);
		now = activity(batch);
		if (now != seen) {
			seen = now;
			looks = 0;
			since = ktime_get();
			continue;
		}
		looks++;
		if (atomic_read(&sc_running)) {
			if (looks >= patience)
				give_up(batch);
			continue;
		}
		if (looks >= LOOKS && ktime_ms_delta(ktime_get(), since) >= quiet_ms)
			return;
	}
	pr_err("cm_script: no end of it\n");
}

static struct sc_id *id_named(struct sc_seq *seq, const struct sc_step *step, unsigned int word)
{
	const char *name = word < step->count ? step->words[word] : "";

	if (name[0] < 'A' || name[0] >= 'A' + SC_IDS || name[1]) {
		pr_err("cm_script: %s: '%s' is not an id\n", seq->name, name);
		return NULL;
	}
	return &seq->ids[name[0] - 'A'];
}

/* What the step returned is written down here; how long to be quiet for, in ms, is returned. */
static unsigned int take_step(struct sc_seq *seq, const struct sc_step *step)
{
	static const char *const simple[] = { "wait", "fault", "release", "port", "mark", "unplug", "crowd" };
	const char *verb = step->words[0];
	unsigned int quiet = 0;
	struct sc_id *id;
	int which, ret = 0;

	which = match_string(simple, ARRAY_SIZE(simple), verb);
	if (which >= 1 && which <= 3 && seq->unplugged) {
		pr_err("cm_script: %s: %s: there is no device any more\n", seq->name, verb);
		return 0;
	}
	switch (which) {
	case 0:
		return sc_num(step, "ms", 1000);
	case 1:
		ret = sc_place_fault(seq, step);
		if (ret)
			pr_err("cm_script: %s: bad fault\n", seq->name);
		return 0;
	case 2:
		loop_hca_release(seq->dev);
		return 0;
	case 3:
		loop_hca_port_state(seq->dev, seq->port, step->count > 1 && !strcmp(step->words[1], "up") ?
				    IB_PORT_ACTIVE : IB_PORT_DOWN);
		return 0;
	case 4:
		return 0;
	case 5:
		ret = sc_unplug(seq);
		sc_print(&seq->note, "return %d\n", ret);
		return 0;
	case 6:
		ret = sc_crowd_step(seq, step);
		sc_print(&seq->note, "return %d\n", ret);
		return 0;
	}
	id = id_named(seq, step, !strcmp(verb, "peer") || !strcmp(verb, "repeat") ? 2 : 1);
	if (!id)
		return 0;
	if (!strcmp(verb, "create")) {
		ret = sc_create(id);
	} else if (!strcmp(verb, "listen")) {
		ret = sc_listen(id, step, false);
	} else if (!strcmp(verb, "insert")) {
		ret = sc_listen(id, step, true);
	} else if (!strcmp(verb, "call") && step->count > 2) {
		ret = sc_call(id, step);
	} else if (!strcmp(verb, "peer")) {
		ret = sc_peer_send(id, step);
	} else if (!strcmp(verb, "repeat")) {
		ret = sc_peer_repeat(id, step);
	} else if (!strcmp(verb, "answer") && step->count > 2) {
		ret = kstrtoint(step->words[2], 0, &id->answer);
	} else if (!strcmp(verb, "nap")) {
		id->nap_ms = sc_num(step, "ms", 1000);
		id->nap_always = sc_num(step, "always", 0);
	} else if (!strcmp(verb, "destroy")) {
		if (id->cm && !id->doomed)
			sc_destroy(id);
		else
			ret = -ESTALE;
		if (sc_opt(step, "with"))
			ret = sc_unplug(seq);
	} else {
		pr_err("cm_script: %s: no step '%s'\n", seq->name, verb);
		ret = -EOPNOTSUPP;
	}
	sc_print(&seq->note, "return %d\n", ret);
	return quiet;
}

/* What is not compared step by step. The seq's lock is held. */
static void write_facts(struct sc_seq *seq)
{
	struct sc_text *t = &seq->trace;
	struct sc_id *id;

	for (id = seq->ids; id < seq->ids + SC_IDS; id++) {
		if (id->returned)
			sc_print(t, "took destroy %c %lld\n", sc_letter(id), id->took_ms);
		if (id->overlapped)
			sc_print(t, "fact %c: two handlers at once\n", sc_letter(id));
		if (id->late)
			sc_print(t, "fact %c: destroy returns while a handler runs\n", sc_letter(id));
		id->returned = false;
		id->overlapped = false;
		id->late = false;
	}
	if (seq->removal_ms >= 0)
		sc_print(t, "took unplug - %lld\n", seq->removal_ms);
	seq->removal_ms = -1;
	if (seq->crowd)
		sc_crowd_facts(seq, t);
}

static void write_down(struct sc_seq *seq, struct loop_packet *packet)
{
	struct sc_text *t = &seq->trace;
	struct sc_id *id;

	mutex_lock(&seq->lock);
	if (seq->note.len)
		sc_append(t, seq->note.data, seq->note.len);
	seq->note.len = 0;
	for (id = seq->ids; id < seq->ids + SC_IDS; id++) {
		if (id->events.len)
			sc_append(t, id->events.data, id->events.len);
		t->lost |= id->events.lost;
		id->events.len = 0;
	}
	while (!loop_station_recv(seq->station, packet, 0) ||
	       (seq->other && !loop_station_recv(seq->other, packet, 0)))
		if (!seq->crowd || !sc_crowd_take(seq, packet))
			sc_peer_take(seq, packet, t);
	if (seq->facts)
		write_facts(seq);
	sc_print(t, "states");
	for (id = seq->ids; id < seq->ids + SC_IDS; id++) {
		if (id->doomed)
			sc_print(t, " %c=WAITS", sc_letter(id));
		if (id->cm)
			sc_print_state(t, (char[]){ sc_letter(id), 0 }, id->cm);
	}
	sc_print(t, "\n");
	mutex_unlock(&seq->lock);
}

static void destroy_all(struct sc_batch *batch)
{
	struct sc_seq *seq;
	unsigned int i, k;

	for (i = 0; i < batch->count; i++) {
		seq = batch->seqs[i];
		for (k = 0; k < SC_IDS; k++) {
			if (!seq->ids[k].cm)
				continue;
			if (!seq->ids[k].doomed)
				sc_destroy(&seq->ids[k]);
		}
		sc_crowd_end(seq);
	}
}

static bool seq_pending(struct sc_seq *seq)
{
	unsigned int k;

	for (k = 0; k < SC_IDS; k++)
		if (READ_ONCE(seq->ids[k].doomed))
			return true;
	return READ_ONCE(seq->unplugs) || sc_crowd_pending(seq);
}

static void seq_free(struct sc_seq *seq)
{
	struct sc_id *id;
	unsigned int i;

	for (id = seq->ids; id < seq->ids + SC_IDS; id++) {
		flush_work(&id->work);
		sc_text_free(&id->events);
		for (i = 0; i < SC_KINDS; i++)
			kfree(id->last[i]);
	}
	sc_crowd_free(seq);
	sc_dev_put(seq);
	sc_names_free(seq);
	sc_text_free(&seq->trace);
	sc_text_free(&seq->note);
	kfree(seq->steps);
	kfree(seq->name);
	kvfree(seq);
}

/* Ids of the batch that could not be destroyed, an earlier one of the name being under destruction still. */
static void destroy_late(struct sc_seq *seq)
{
	struct sc_id *id;

	for (id = seq->ids; id < seq->ids + SC_IDS; id++)
		if (id->cm && !id->doomed)
			sc_destroy(id);
}

/* Waits for whatever destroy has not returned yet. The number of those that do not. */
int sc_limbo_empty(void)
{
	unsigned long limit = jiffies + 90 * HZ;
	struct sc_seq *seq, *next;

	while (!list_empty(&limbo)) {
		list_for_each_entry_safe(seq, next, &limbo, limbo) {
			destroy_late(seq);
			if (seq_pending(seq))
				continue;
			list_del(&seq->limbo);
			seq_free(seq);
		}
		if (time_after(jiffies, limit))
			break;
		msleep(20);
	}
	list_for_each_entry(seq, &limbo, limbo)
		pr_err("cm_script: %s: destroy does not return\n", seq->name);
	return list_count_nodes(&limbo);
}

/* No time-out may fire before the script waits for it: how long all the other steps may take. */
static unsigned long hurry(struct sc_batch *batch)
{
	unsigned int i, exponent = 31;

	for (i = 0; i < batch->count; i++)
		exponent = min3(exponent, batch->seqs[i]->timeout, batch->seqs[i]->lifetime);
	return exponent > 8 ? (1UL << (exponent - 8)) * 6 / 10 : 1;
}

int sc_batch_play(struct sc_batch *batch, struct sc_text *trace)
{
	unsigned int i, k, quiet, steps = 0;
	bool waited = false;
	ktime_t start = 0;
	struct loop_packet *packet;
	struct sc_step *step;
	struct sc_seq *seq;
	const char *line;
	int ret = 0;

	packet = kzalloc(sizeof(*packet), GFP_KERNEL);
	step = kzalloc(sizeof(*step), GFP_KERNEL);
	if (!packet || !step)
		ret = -ENOMEM;
	else
		ret = sc_place(batch);
	for (i = 0; i < batch->count; i++)
		steps = max(steps, batch->seqs[i]->count);
	if (!ret)
		start = ktime_get();
	for (k = 0; !ret && k < steps; k++) {
		quiet = 0;
		for (i = 0; i < batch->count; i++) {
			seq = batch->seqs[i];
			if (k < steps - seq->count)
				continue;
			line = seq->steps[k - (steps - seq->count)];
			sc_step_split(step, line);
			sc_print(&seq->trace, "step %s\n", line);
			quiet = max(quiet, take_step(seq, step));
		}
		if (!waited && ktime_ms_delta(ktime_get(), start) > hurry(batch))
			ret = -EAGAIN;
		waited |= quiet;
		settle(batch, quiet);
		for (i = 0; i < batch->count; i++)
			if (k >= steps - batch->seqs[i]->count)
				write_down(batch->seqs[i], packet);
	}
	if (start) {
		sc_place_quiet(batch);
		destroy_all(batch);
		settle(batch, 0);
	}
	for (i = 0; i < batch->count; i++) {
		seq = batch->seqs[i];
		sc_print(trace, "sequence %s\n", seq->name);
		sc_append(trace, seq->trace.data, seq->trace.len);
		if (seq->trace.lost || trace->lost)
			ret = -ENOMEM;
		destroy_late(seq);
		if (seq_pending(seq))
			list_add_tail(&seq->limbo, &limbo);
		else
			seq_free(seq);
	}
	kvfree(batch->seqs);
	*batch = (struct sc_batch){};
	kfree(packet);
	kfree(step);
	return ret;
}
