// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ids of the rig: their making, their handler, which records events, their end.
 *
 * Owns: struct rig_id. Locks: rig.lock -> rig_id.lock. A record of an event is
 * complete before it is counted in delivered.
 */
#include <linux/delay.h>
#include <linux/export.h>
#include <linux/slab.h>
#include <linux/wait.h>

#include "rig_local.h"

/**
 * rig_sleep - let a handler take its time
 * @ms: at least so long, by ktime_get(): what msleep() counts are ticks, which may
 *	lag behind
 *
 * Context: sleeps.
 */
void rig_sleep(unsigned int ms)
{
	usleep_range(ms * 1000UL, ms * 1000UL + 1000);
}
EXPORT_SYMBOL_GPL(rig_sleep);

static struct rig_id *rig_id_alloc(struct rig *rig)
{
	struct rig_id *id = kzalloc(sizeof(*id), GFP_KERNEL);

	if (!id)
		return NULL;
	id->rig = rig;
	spin_lock_init(&id->lock);
	init_waitqueue_head(&id->wait);
	INIT_LIST_HEAD(&id->node);
	return id;
}

static void rig_id_add(struct rig_id *id)
{
	struct rig *rig = id->rig;

	spin_lock(&rig->lock);
	list_add_tail(&id->node, &rig->ids);
	spin_unlock(&rig->lock);
}

static struct rig_id *rig_child(struct rig_id *listener, struct ib_cm_id *cm, bool sidr)
{
	struct rig_id *id = rig_id_alloc(listener->rig);

	if (!id)
		return NULL;
	id->cm = cm;
	id->listener = listener;
	id->local_id = be32_to_cpu(cm->local_id);
	id->peer_id = be32_to_cpu(cm->remote_id);
	rig_child_request(listener->rig, id, sidr);
	cm->context = id;
	return id;
}

static unsigned int rig_data_size(enum ib_cm_event_type type)
{
	switch (type) {
	case IB_CM_REQ_RECEIVED:
		return IB_CM_REQ_PRIVATE_DATA_SIZE;
	case IB_CM_REP_RECEIVED:
		return IB_CM_REP_PRIVATE_DATA_SIZE;
	case IB_CM_RTU_RECEIVED:
		return IB_CM_RTU_PRIVATE_DATA_SIZE;
	case IB_CM_DREQ_RECEIVED:
		return IB_CM_DREQ_PRIVATE_DATA_SIZE;
	case IB_CM_DREP_RECEIVED:
		return IB_CM_DREP_PRIVATE_DATA_SIZE;
	case IB_CM_MRA_RECEIVED:
		return IB_CM_MRA_PRIVATE_DATA_SIZE;
	case IB_CM_REJ_RECEIVED:
		return IB_CM_REJ_PRIVATE_DATA_SIZE;
	case IB_CM_LAP_RECEIVED:
		return IB_CM_LAP_PRIVATE_DATA_SIZE;
	case IB_CM_APR_RECEIVED:
		return IB_CM_APR_PRIVATE_DATA_SIZE;
	case IB_CM_SIDR_REQ_RECEIVED:
		return IB_CM_SIDR_REQ_PRIVATE_DATA_SIZE;
	case IB_CM_SIDR_REP_RECEIVED:
		return IB_CM_SIDR_REP_PRIVATE_DATA_SIZE;
	default:
		return 0;
	}
}

static void rig_copy(struct rig_event *to, const struct ib_cm_event *from)
{
	const struct ib_cm_req_event_param *req = &from->param.req_rcvd;
	const void *info = NULL;
	u8 len = 0;

	to->type = from->event;
	to->raw = *from;
	to->has_data = from->private_data;
	if (to->has_data)
		memcpy(to->data, from->private_data, rig_data_size(from->event));
	switch (from->event) {
	case IB_CM_REQ_RECEIVED:
		to->primary = *req->primary_path;
		to->has_alternate = req->alternate_path;
		if (to->has_alternate)
			to->alternate = *req->alternate_path;
		break;
	case IB_CM_LAP_RECEIVED:
		to->has_alternate = true;
		to->alternate = *from->param.lap_rcvd.alternate_path;
		break;
	case IB_CM_REJ_RECEIVED:
		info = from->param.rej_rcvd.ari;
		len = from->param.rej_rcvd.ari_length;
		break;
	case IB_CM_APR_RECEIVED:
		info = from->param.apr_rcvd.apr_info;
		len = from->param.apr_rcvd.info_len;
		break;
	case IB_CM_SIDR_REP_RECEIVED:
		info = from->param.sidr_rep_rcvd.info;
		len = from->param.sidr_rep_rcvd.info_len;
		break;
	default:
		break;
	}
	if (info)
		memcpy(to->info, info, min_t(size_t, len, sizeof(to->info)));
}

/* The consumer. A request is its listener's business until this returns. */
static int rig_handler(struct ib_cm_id *cm, const struct ib_cm_event *event)
{
	struct rig_id *owner = cm->context, *id = owner;
	const struct rig_event *record = NULL;
	int answer = 0;

	if (event->event == IB_CM_REQ_RECEIVED || event->event == IB_CM_SIDR_REQ_RECEIVED)
		id = rig_child(owner, cm, event->event == IB_CM_SIDR_REQ_RECEIVED);
	if (!id)
		return -ENOMEM;

	spin_lock(&id->lock);
	if (id->delivered < RIG_EVENTS) {
		rig_copy(&id->events[id->delivered], event);
		id->events[id->delivered].state = cm->state;
		record = &id->events[id->delivered];
		/* The record is complete: pairs with the readers of delivered */
		smp_store_release(&id->delivered, id->delivered + 1);
	}
	id->running++;
	spin_unlock(&id->lock);
	wake_up_all(&id->wait);
	wake_up_all(&owner->wait);

	if (READ_ONCE(owner->sleep_ms))
		rig_sleep(owner->sleep_ms);
	if (record && READ_ONCE(owner->hook))
		answer = owner->hook(id, record);
	if (!answer)
		answer = READ_ONCE(owner->answer);

	spin_lock(&id->lock);
	if (answer)
		WRITE_ONCE(id->cm, NULL);
	id->running--;
	spin_unlock(&id->lock);
	wake_up_all(&id->wait);
	return answer;
}

/**
 * rig_id_create - an id of our own, IDLE
 * @rig: the rig
 *
 * Context: sleeps.
 * Return: the id; the test ends if there is none.
 */
struct rig_id *rig_id_create(struct rig *rig)
{
	struct rig_id *id = rig_id_alloc(rig);
	struct ib_cm_id *cm;

	KUNIT_ASSERT_NOT_NULL(rig->test, id);
	cm = ib_create_cm_id(rig->dev, rig_handler, id);
	if (IS_ERR(cm))
		kfree(id);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(rig->test, cm);
	id->cm = cm;
	id->local_id = be32_to_cpu(cm->local_id);
	id->service_id = RIG_SERVICE;
	rig_id_add(id);
	return id;
}
EXPORT_SYMBOL_GPL(rig_id_create);

/**
 * rig_listen - a listener
 * @rig: the rig
 * @service_id: host order
 *
 * Context: sleeps.
 * Return: the id; the test ends if there is none.
 */
struct rig_id *rig_listen(struct rig *rig, u64 service_id)
{
	struct rig_id *id = rig_id_create(rig);

	id->service_id = service_id;
	KUNIT_ASSERT_EQ(rig->test, ib_cm_listen(id->cm, cpu_to_be64(service_id)), 0);
	return id;
}
EXPORT_SYMBOL_GPL(rig_listen);

/**
 * rig_id_destroy - ib_destroy_cm_id(), once
 * @id: the id
 *
 * Context: sleeps.
 */
void rig_id_destroy(struct rig_id *id)
{
	struct ib_cm_id *cm;

	spin_lock(&id->lock);
	cm = id->cm;
	WRITE_ONCE(id->cm, NULL);
	spin_unlock(&id->lock);
	if (cm)
		ib_destroy_cm_id(cm);
}
EXPORT_SYMBOL_GPL(rig_id_destroy);

static unsigned int rig_delivered(struct rig_id *id)
{
	/* Pairs with the release in rig_handler() */
	return smp_load_acquire(&id->delivered);
}

static struct rig_id *rig_accept(struct rig_id *listener)
{
	struct rig *rig = listener->rig;
	struct rig_id *id, *found = NULL;

	spin_lock(&rig->lock);
	list_for_each_entry(id, &rig->ids, node) {
		if (id->listener != listener || id->accepted || !rig_delivered(id))
			continue;
		id->accepted = true;
		found = id;
		break;
	}
	spin_unlock(&rig->lock);
	return found;
}

/**
 * rig_accepted - the id that the next request of a listener made
 * @listener: the listener
 *
 * Context: sleeps.
 * Return: the id; NULL if none comes.
 */
struct rig_id *rig_accepted(struct rig_id *listener)
{
	struct rig_id *id;

	wait_event_timeout(listener->wait, (id = rig_accept(listener)),
			   msecs_to_jiffies(RIG_WAIT_MS));
	return id;
}
EXPORT_SYMBOL_GPL(rig_accepted);

/**
 * rig_event - the next event of an id
 * @id: the id
 * @timeout_ms: how long to wait for one
 *
 * Context: sleeps.
 * Return: the event; NULL if none comes.
 */
const struct rig_event *rig_event(struct rig_id *id, unsigned int timeout_ms)
{
	wait_event_timeout(id->wait, rig_delivered(id) > id->taken,
			   msecs_to_jiffies(timeout_ms));
	if (rig_delivered(id) <= id->taken)
		return NULL;
	return &id->events[id->taken++];
}
EXPORT_SYMBOL_GPL(rig_event);

/**
 * rig_state - the state of an id now
 * @id: not destroyed
 *
 * Context: any.
 * Return: CM_ID_*
 */
unsigned int rig_state(struct rig_id *id)
{
	struct cm_probe_view view;

	cm_probe_view(id->cm, &view);
	return view.state;
}
EXPORT_SYMBOL_GPL(rig_state);

static bool rig_rests(struct rig_id *id, unsigned int state)
{
	struct cm_probe_view view;

	cm_probe_view(id->cm, &view);
	return view.state == state && !view.runner && !view.events;
}

/**
 * rig_reaches - wait for a state of an id, and until its handler has returned
 * @id: not destroyed
 * @state: CM_ID_*
 *
 * Context: sleeps.
 * Return: false if it does not get there.
 */
bool rig_reaches(struct rig_id *id, unsigned int state)
{
	return rig_until(rig_rests(id, state));
}
EXPORT_SYMBOL_GPL(rig_reaches);

/**
 * rig_is_last - does this event end an attempt?
 * @type: the event
 *
 * Context: any.
 * Return: whether none may follow it
 */
bool rig_is_last(enum ib_cm_event_type type)
{
	switch (type) {
	case IB_CM_REQ_ERROR:
	case IB_CM_REP_ERROR:
	case IB_CM_REJ_RECEIVED:
	case IB_CM_SIDR_REQ_ERROR:
	case IB_CM_SIDR_REP_RECEIVED:
	case IB_CM_TIMEWAIT_EXIT:
		return true;
	default:
		return false;
	}
}
EXPORT_SYMBOL_GPL(rig_is_last);
