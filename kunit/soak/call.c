// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls of ib_cm with random arguments.
 *
 * Owns: the QPNs, which no two ends may share. An id is claimed by whoever calls
 * here, or calls from its own handler.
 */
#include <linux/slab.h>
#include <rdma/ib_sa.h>

#include "soak.h"

static atomic_t soak_qpns = ATOMIC_INIT(0x1000);

static u32 soak_qpn(void)
{
	return atomic_inc_return(&soak_qpns) & 0xffffff;
}

static int soak_counted(int err)
{
	soak_count(err ? SOAK_ERRNOS : SOAK_CALLS, 1);
	if (err == -ENOMEM)
		soak_count(SOAK_NOMEM, 1);
	return err;
}

/* To any device, its own included. */
static int soak_find_path(struct soak_id *id, struct soak_dice *dice, struct sa_path_rec *path)
{
	struct soak_dev *to = soak_dev_choose(dice);
	int err = -EHOSTUNREACH;

	if (!to)
		return err;
	if (soak_dev_enter(to)) {
		err = soak_path(dice, id->dev->ibdev, to->ibdev, path);
		soak_dev_leave(to);
	}
	soak_dev_put(to);
	return err;
}

static __be64 soak_service(struct soak_dice *dice)
{
	return cpu_to_be64(SOAK_SERVICE + soak_roll(dice, SOAK_SERVICES));
}

static int soak_send_req(struct soak_id *id, struct soak_dice *dice)
{
	struct sa_path_rec path;
	u8 patience = 12 + soak_roll(dice, 6);	/* 17 to 537 ms */
	struct ib_cm_req_param param = {
		.primary_path = &path,
		.service_id = soak_service(dice),
		.qp_num = soak_qpn(),
		.qp_type = soak_chance(dice, 80) ? IB_QPT_RC : IB_QPT_UC,
		.starting_psn = soak_roll(dice, 1 << 24),
		.responder_resources = 1,
		.initiator_depth = 1,
		.remote_cm_response_timeout = patience,
		.local_cm_response_timeout = patience,
		.flow_control = 1,
		.retry_count = 7,
		.rnr_retry_count = 7,
		.max_cm_retries = soak_roll(dice, 5),
	};
	int err = soak_find_path(id, dice, &path);

	if (err || !soak_id_begin(id))
		return err;
	return soak_id_begun(id, soak_counted(ib_send_cm_req(id->cm, &param)));
}

static int soak_send_sidr_req(struct soak_id *id, struct soak_dice *dice)
{
	struct sa_path_rec path;
	struct ib_cm_sidr_req_param param = {
		.path = &path,
		.service_id = soak_service(dice),
		.timeout_ms = 10 + soak_roll(dice, 300),
		.max_cm_retries = soak_roll(dice, 4),
	};
	int err = soak_find_path(id, dice, &path);

	if (err || !soak_id_begin(id))
		return err;
	return soak_id_begun(id, soak_counted(ib_send_cm_sidr_req(id->cm, &param)));
}

void soak_ask(struct soak_id *id, struct soak_dice *dice)
{
	if (soak_chance(dice, 85))
		soak_send_req(id, dice);
	else
		soak_send_sidr_req(id, dice);
}

int soak_send_rep(struct ib_cm_id *cm)
{
	struct ib_cm_rep_param param = {
		.qp_num = soak_qpn(),
		.starting_psn = 0x1234,
		.responder_resources = 1,
		.initiator_depth = 1,
		.flow_control = 1,
		.rnr_retry_count = 7,
	};

	return soak_counted(ib_send_cm_rep(cm, &param));
}

int soak_send_sidr_rep(struct ib_cm_id *cm, bool yes)
{
	struct ib_cm_sidr_rep_param param = {
		.qp_num = soak_qpn(),
		.qkey = 0x1234,
		.status = yes ? IB_SIDR_SUCCESS : IB_SIDR_REJECT,
	};

	return soak_counted(ib_send_cm_sidr_rep(cm, &param));
}

int soak_mra(struct ib_cm_id *cm)
{
#ifdef CM_HAVE_PREPARE_MRA
	return soak_counted(ib_prepare_cm_mra(cm));
#else
	return soak_counted(ib_send_cm_mra(cm, 16, NULL, 0));
#endif
}

static int soak_qp_attr(struct ib_cm_id *cm, u32 which)
{
	static const enum ib_qp_state states[] = { IB_QPS_INIT, IB_QPS_RTR, IB_QPS_RTS };
	struct ib_qp_attr attr = { .qp_state = states[which % ARRAY_SIZE(states)] };
	int mask;

	return soak_counted(ib_cm_init_qp_attr(cm, &attr, &mask));
}

static int soak_rej(struct soak_id *id)
{
	int err = soak_counted(ib_send_cm_rej(id->cm, IB_CM_REJ_CONSUMER_DEFINED, NULL, 0, NULL, 0));

	if (!err)
		soak_id_cut(id);
	return err;
}

/* Calls of a connection, right or wrong: 0 to SOAK_VERBS - 1. */
#define SOAK_VERBS	10

static int soak_verb(struct soak_id *id, u32 verb)
{
	static const u8 data[8] = "soak";
	int err;

	switch (verb) {
	case 0:
		return soak_send_rep(id->cm);
	case 1:
		return soak_counted(ib_send_cm_rtu(id->cm, data, sizeof(data)));
	case 2:
		return soak_counted(ib_send_cm_dreq(id->cm, data, sizeof(data)));
	case 3:
		return soak_counted(ib_send_cm_drep(id->cm, data, sizeof(data)));
	case 4:
		return soak_mra(id->cm);
	case 5:
		return soak_counted(ib_cm_notify(id->cm, IB_EVENT_COMM_EST));
	case 6:
		return soak_counted(ib_cm_notify(id->cm, IB_EVENT_PATH_MIG));
	case 7:
		return soak_qp_attr(id->cm, id->seen);
	case 8:
		return soak_rej(id);
	default:
		err = soak_send_sidr_rep(id->cm, true);
		if (!err)
			soak_id_cut(id);
		return err;
	}
}

void soak_call(struct soak_id *id, struct soak_dice *dice)
{
	if (id->kind == SOAK_LISTENER || id->kind == SOAK_SHARE)
		return;
	/* One that is free again is used again. */
	if (id->kind == SOAK_ASKER && soak_chance(dice, 50)) {
		soak_ask(id, dice);
		return;
	}
	/* Rejecting is rare, so that something comes about. */
	soak_verb(id, soak_chance(dice, 10) ? 8 : soak_roll(dice, SOAK_VERBS));
}

/*
 * An id that was made when ib_cm had no place for its device, or none any more, is
 * idle and stays so: there most calls are invalid.
 */
void soak_call_gone(struct soak_id *id)
{
	u32 verb;
	int err;

	for (verb = 0; verb < SOAK_VERBS; verb++) {
		err = soak_verb(id, verb);
		if (err != -ENODEV && (id->known || err != -EINVAL))
			soak_bad("call %u after removal: %d (kind %d, seen %#x)", verb, err, id->kind,
				 id->seen);
	}
	/* Its listener is allocated before its state is looked at. */
	err = ib_cm_listen(id->cm, cpu_to_be64(SOAK_SERVICE + 0x100));
	if (err != -ENODEV && err != -ENOMEM)
		soak_bad("listen after removal: %d", err);
}
