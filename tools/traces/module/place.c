// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where sequences are played: two devices of the loopback HCA, one of each link
 * layer, with many ports. A sequence with faults has a port for itself; the others
 * share ports, few enough on each that no CM holds a request back.
 */
#include <linux/slab.h>

#include "script.h"

#define PORT_SHARE	24	/* sequences on a port: fewer than requests that a CM leaves unanswered */

/* Stations stay from batch to batch: taking one down waits for RCU. */
struct seat {
	struct list_head node;
	struct loop_station *station;
	struct work_struct work;
};

struct place {
	struct ib_device *dev;
	enum rdma_link_layer layer;
	struct list_head seats;
	struct list_head *next;	/* the first free one */
	unsigned int ports;
	unsigned int used;	/* ports taken in this batch */
	unsigned int sharers;	/* on the last shared port */
	u32 shared;
};

static struct place places[2] = {
	{ .layer = IB_LINK_LAYER_INFINIBAND, .seats = LIST_HEAD_INIT(places[0].seats) },
	{ .layer = IB_LINK_LAYER_ETHERNET, .seats = LIST_HEAD_INIT(places[1].seats) },
};

static struct place *place_of(enum rdma_link_layer layer)
{
	return &places[layer == IB_LINK_LAYER_ETHERNET];
}

int sc_places_create(unsigned int ib_ports, unsigned int roce_ports)
{
	struct loop_config config = { .layer = IB_LINK_LAYER_INFINIBAND, .ports = ib_ports, .lmc = 1 };
	struct ib_device *dev;

	dev = loop_hca_create(&config);
	if (IS_ERR(dev))
		return PTR_ERR(dev);
	places[0].dev = dev;
	places[0].ports = ib_ports;
	if (!roce_ports)
		return 0;
	config = (struct loop_config){ .layer = IB_LINK_LAYER_ETHERNET, .ports = roce_ports };
	dev = loop_hca_create(&config);
	if (IS_ERR(dev)) {
		loop_hca_remove(places[0].dev);
		return PTR_ERR(dev);
	}
	places[1].dev = dev;
	places[1].ports = roce_ports;
	return 0;
}

static void seat_work(struct work_struct *work)
{
	struct seat *seat = container_of(work, struct seat, work);

	loop_station_destroy(seat->station);
	kfree(seat);
}

void sc_places_remove(void)
{
	struct seat *seat, *next;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(places); i++)
		list_for_each_entry_safe(seat, next, &places[i].seats, node)
			queue_work(sc_wq, &seat->work);
	flush_workqueue(sc_wq);
	for (i = 0; i < ARRAY_SIZE(places); i++)
		if (places[i].dev)
			loop_hca_remove(places[i].dev);
}

static int take_port(struct place *place, bool own, u32 *port)
{
	if (!own && place->shared && place->sharers < PORT_SHARE) {
		place->sharers++;
		*port = place->shared;
		return 0;
	}
	if (place->used == place->ports) {
		pr_err("cm_script: the batch needs more than %u ports\n", place->ports);
		return -EUSERS;
	}
	*port = ++place->used;
	if (!own) {
		place->shared = *port;
		place->sharers = 1;
	}
	return 0;
}

static int take_seat(struct place *place, struct sc_seq *seq, struct loop_station **station)
{
	struct seat *seat;

	if (place->next == &place->seats) {
		seat = kzalloc(sizeof(*seat), GFP_KERNEL);
		if (!seat)
			return -ENOMEM;
		seat->station = loop_station_create(place->layer, place->layer == IB_LINK_LAYER_INFINIBAND);
		if (IS_ERR(seat->station)) {
			int ret = PTR_ERR(seat->station);

			kfree(seat);
			return ret;
		}
		INIT_WORK(&seat->work, seat_work);
		list_add_tail(&seat->node, &place->seats);
	} else {
		seat = list_entry(place->next, struct seat, node);
	}
	place->next = seat->node.next;
	*station = seat->station;
	/* What came for whom had it before */
	while (!loop_station_recv(*station, &seq->scrap, 0))
		;
	return 0;
}

static int take_dev(struct sc_seq *seq)
{
	struct loop_config config = { .layer = seq->layer, .ports = 1, .lmc = seq->layer == IB_LINK_LAYER_INFINIBAND };
	struct ib_device *dev;

	dev = loop_hca_create(&config);
	if (IS_ERR(dev))
		return PTR_ERR(dev);
	/* Ids and names look at it after it has gone. */
	get_device(&dev->dev);
	seq->dev = dev;
	seq->port = 1;
	return 0;
}

void sc_unplug_not_awaited(struct sc_seq *seq)
{
	if (atomic_xchg(&seq->removal_awaited, 0))
		atomic_dec(&sc_running);
}

void sc_unplug_work(struct work_struct *work)
{
	struct sc_seq *seq = container_of(work, struct sc_seq, removal);

	loop_hca_remove(seq->dev);
	mutex_lock(&seq->lock);
	seq->removal_ms = ktime_ms_delta(ktime_get(), seq->unplugged_at);
	mutex_unlock(&seq->lock);
	WRITE_ONCE(seq->unplugs, false);
	atomic_inc(&sc_activity);
	sc_unplug_not_awaited(seq);
}

int sc_unplug(struct sc_seq *seq)
{
	if (!seq->own_dev || seq->unplugged)
		return -EINVAL;
	seq->unplugged = true;
	seq->unplugs = true;
	seq->unplugged_at = ktime_get();
	atomic_set(&seq->removal_awaited, 1);
	atomic_inc(&sc_running);
	queue_work(sc_wq, &seq->removal);
	return 0;
}

void sc_dev_put(struct sc_seq *seq)
{
	if (!seq->own_dev || !seq->dev)
		return;
	flush_work(&seq->removal);
	if (!seq->unplugged)
		loop_hca_remove(seq->dev);
	put_device(&seq->dev->dev);
}

int sc_place(struct sc_batch *batch)
{
	struct place *place;
	struct sc_seq *seq;
	unsigned int i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		places[i].used = 0;
		places[i].shared = 0;
		places[i].next = places[i].seats.next;
	}
	for (i = 0; i < batch->count; i++) {
		seq = batch->seqs[i];
		place = place_of(seq->layer);
		if (!place->dev)
			return -ENODEV;
		if (seq->own_dev) {
			ret = take_dev(seq);
		} else {
			seq->dev = place->dev;
			ret = take_port(place, seq->own_port, &seq->port);
		}
		if (ret)
			return ret;
		loop_hca_address(seq->dev, seq->port, &seq->address);
		ret = take_seat(place, seq, &seq->station);
		if (!ret && seq->second)
			ret = take_seat(place, seq, &seq->other);
		if (ret)
			return ret;
		loop_station_address(seq->station, &seq->peer);
	}
	return 0;
}

void sc_place_quiet(struct sc_batch *batch)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		if (!places[i].dev)
			continue;
		loop_faults_clear(places[i].dev);
		loop_hca_release(places[i].dev);
	}
	for (i = 0; i < batch->count; i++) {
		if (!batch->seqs[i]->own_dev || batch->seqs[i]->unplugged)
			continue;
		loop_faults_clear(batch->seqs[i]->dev);
		loop_hca_release(batch->seqs[i]->dev);
	}
}

/* fault KIND [attr=MESSAGE] [nth=N] [times=N] [arg=N], fault KIND off */
int sc_place_fault(struct sc_seq *seq, const struct sc_step *step)
{
	struct loop_rule rule = {
		.nth = sc_num(step, "nth", 1),
		.times = sc_num(step, "times", 0),
		.arg = sc_num(step, "arg", 0),
	};
	const char *attr = sc_opt(step, "attr");
	int fault;

	if (step->count < 2 || !seq->own_port)
		return -EINVAL;
	fault = loop_fault_by_name(step->words[1]);
	if (fault < 0)
		return fault;
	if (step->count > 2 && !strcmp(step->words[2], "off")) {
		loop_fault_set(seq->dev, seq->port, fault, NULL);
		return 0;
	}
	if (attr) {
		rule.attr_id = sc_attr(attr);
		if (!rule.attr_id)
			return -EINVAL;
	}
	loop_fault_set(seq->dev, seq->port, fault, &rule);
	return 0;
}
