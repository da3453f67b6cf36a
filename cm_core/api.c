// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * The sixteen exports.
 *
 * Owns: the checks of their arguments, which come before anything is looked at.
 * No state is read or written here. What is included is frozen: see kabi.h.
 */
#include "kabi.h"

#include "apply.h"
#include "id.h"
#include "listen.h"
#include "reason.h"
#include "verbs.h"

/* As stock takes it: private data that is not there has no length. */
static int cm_check_data(const void *data, u8 *len, unsigned int max)
{
	if (!data)
		*len = 0;
	return *len > max ? -EINVAL : 0;
}

/* Prepares for the event that the call will most likely be, then lets it happen. */
static int cm_call(struct cm_act *act, u8 event)
{
	struct cm_hold hold = {};
	int err;

	if (act->list == CM_ACT_DIRECT)
		act->event = event;
	cm_id_get(act->id, CM_REF_LOOKUP, &hold);
	err = cm_act_prepare(act, event);
	if (err) {
		err = cm_act_forbidden(act, event) ? : err;
		cm_act_abandon(act);
	} else {
		err = cm_act_run(act);
	}
	cm_id_put(act->id, CM_REF_LOOKUP, &hold);
	return err;
}

/**
 * ib_create_cm_id - make a connection id
 * @device: all its traffic goes through this device
 * @cm_handler: gets its events
 * @context: kept for the handler
 *
 * Context: may sleep.
 * Return: the id, or an ERR_PTR().
 */
struct ib_cm_id *ib_create_cm_id(struct ib_device *device, ib_cm_handler cm_handler,
				 void *context)
{
	struct cm_id *id = cm_id_create(device, cm_handler, context);

	return IS_ERR(id) ? ERR_CAST(id) : &id->pub;
}
EXPORT_SYMBOL(ib_create_cm_id);

/**
 * ib_destroy_cm_id - destroy a connection id
 * @cm_id: the id; of a shared listener: the caller's share
 *
 * On return no handler of the id runs or will run, and nothing reaches its
 * memory. Of a shared listener that others still have, it returns at once.
 *
 * Context: may sleep, as long as a handler of the id runs; never for the peer,
 * the device or a timer.
 */
void ib_destroy_cm_id(struct ib_cm_id *cm_id)
{
	cm_id_destroy(to_cm_id(cm_id));
}
EXPORT_SYMBOL(ib_destroy_cm_id);

/**
 * ib_cm_listen - listen on a service id, alone
 * @cm_id: the id, idle
 * @service_id: network order; IB_CM_ASSIGN_SERVICE_ID: one that nobody has
 *
 * Context: any.
 * Return: 0, -EINVAL, -EBUSY, -ENODEV, -ENOMEM.
 */
int ib_cm_listen(struct ib_cm_id *cm_id, __be64 service_id)
{
	return cm_listen_exclusive(to_cm_id(cm_id), service_id);
}
EXPORT_SYMBOL(ib_cm_listen);

/**
 * ib_cm_insert_listen - listen on a service id, together with others
 * @device: the device
 * @cm_handler: gets the requests; sharers have the same
 * @service_id: network order; IB_CM_ASSIGN_SERVICE_ID: one that nobody has
 *
 * Each caller destroys what it got, as if it were alone.
 *
 * Context: may sleep.
 * Return: the id, or an ERR_PTR(): -EINVAL if the listener that is there has
 * another handler or a context.
 */
struct ib_cm_id *ib_cm_insert_listen(struct ib_device *device, ib_cm_handler cm_handler,
				     __be64 service_id)
{
	struct cm_id *id = cm_listen_shared(device, cm_handler, service_id);

	return IS_ERR(id) ? ERR_CAST(id) : &id->pub;
}
EXPORT_SYMBOL(ib_cm_insert_listen);

static int cm_check_req(const struct ib_cm_req_param *param)
{
	const struct sa_path_rec *primary = param->primary_path;
	const struct sa_path_rec *alternate = param->alternate_path;

	if (!primary)
		return -EINVAL;
	switch (param->qp_type) {
	case IB_QPT_RC:
	case IB_QPT_UC:
	case IB_QPT_XRC_INI:
		break;
	default:
		return -EINVAL;
	}
	/* One connection has one P_Key and one MTU, whichever path it takes (12.7.11, 12.7.12) */
	if (alternate && (alternate->pkey != primary->pkey || alternate->mtu != primary->mtu))
		return -EINVAL;
	return 0;
}

/**
 * ib_send_cm_req - ask a peer for a connection
 * @cm_id: the id, idle
 * @param: what for, and over which path
 *
 * Context: may sleep; allocates without starting I/O.
 * Return: 0: an event will tell how it ended; -EINVAL, -ENODEV, -ENOMEM, or
 * what the address resolution or the MAD layer said.
 */
int ib_send_cm_req(struct ib_cm_id *cm_id, struct ib_cm_req_param *param)
{
	struct cm_act act = {
		.id = to_cm_id(cm_id),
		.list = CM_ACT_DIRECT,
		.call = param,
		.may_sleep = true,
		.sync = true,
	};
	u8 len = param->private_data_len;
	int err;

	err = cm_check_req(param);
	if (!err)
		err = cm_check_data(param->private_data, &len, IB_CM_REQ_PRIVATE_DATA_SIZE);
	return err ? : cm_call(&act, CM_ID_ON_CALL_REQ);
}
EXPORT_SYMBOL(ib_send_cm_req);

/**
 * ib_send_cm_rep - accept a peer's request
 * @cm_id: the id that came with the request
 * @param: how
 *
 * Context: any.
 * Return: 0, -EINVAL, -ENODEV, -ENOMEM, or what the MAD layer said.
 */
int ib_send_cm_rep(struct ib_cm_id *cm_id, struct ib_cm_rep_param *param)
{
	struct cm_act act = {
		.id = to_cm_id(cm_id),
		.list = CM_ACT_DIRECT,
		.call = param,
		.sync = true,
	};
	u8 len = param->private_data_len;

	if (cm_check_data(param->private_data, &len, IB_CM_REP_PRIVATE_DATA_SIZE))
		return -EINVAL;
	return cm_call(&act, CM_ID_ON_CALL_REP);
}
EXPORT_SYMBOL(ib_send_cm_rep);

/**
 * ib_send_cm_rtu - tell the peer that its reply was accepted
 * @cm_id: the id
 * @private_data: for the peer, or NULL
 * @private_data_len: its length
 *
 * Context: any without, may sleep with private data.
 * Return: 0, -EINVAL, -ENODEV, -ENOMEM.
 */
int ib_send_cm_rtu(struct ib_cm_id *cm_id, const void *private_data, u8 private_data_len)
{
	struct cm_act act = {
		.id = to_cm_id(cm_id),
		.list = CM_ACT_DIRECT,
		.kind = CM_MSG_RTU,
		.data = private_data,
		.len = private_data_len,
		.may_sleep = private_data && private_data_len,
	};

	if (cm_check_data(act.data, &act.len, IB_CM_RTU_PRIVATE_DATA_SIZE))
		return -EINVAL;
	return cm_call(&act, CM_ID_ON_CALL_RTU);
}
EXPORT_SYMBOL(ib_send_cm_rtu);

/**
 * ib_send_cm_dreq - ask the peer to disconnect
 * @cm_id: the id
 * @private_data: for the peer, or NULL
 * @private_data_len: its length
 *
 * Context: any.
 * Return: 0, -EINVAL (also when not connected), -ENODEV, -ENOMEM.
 */
int ib_send_cm_dreq(struct ib_cm_id *cm_id, const void *private_data, u8 private_data_len)
{
	struct cm_act act = {
		.id = to_cm_id(cm_id),
		.list = CM_ACT_DIRECT,
		.data = private_data,
		.len = private_data_len,
		.sync = true,
	};

	if (cm_check_data(act.data, &act.len, IB_CM_DREQ_PRIVATE_DATA_SIZE))
		return -EINVAL;
	return cm_call(&act, CM_ID_ON_CALL_DREQ);
}
EXPORT_SYMBOL(ib_send_cm_dreq);

/**
 * ib_send_cm_drep - agree to disconnect
 * @cm_id: the id
 * @private_data: for the peer, or NULL
 * @private_data_len: its length
 *
 * Context: any without, may sleep with private data.
 * Return: 0, -EINVAL, -ENODEV, -ENOMEM.
 */
int ib_send_cm_drep(struct ib_cm_id *cm_id, const void *private_data, u8 private_data_len)
{
	struct cm_act act = {
		.id = to_cm_id(cm_id),
		.list = CM_ACT_DIRECT,
		.kind = CM_MSG_DREP,
		.data = private_data,
		.len = private_data_len,
		.may_sleep = private_data && private_data_len,
	};

	if (cm_check_data(act.data, &act.len, IB_CM_DREP_PRIVATE_DATA_SIZE))
		return -EINVAL;
	return cm_call(&act, CM_ID_ON_CALL_DREP);
}
EXPORT_SYMBOL(ib_send_cm_drep);

/**
 * ib_send_cm_rej - reject what the peer asked for, or give up what we asked for
 * @cm_id: the id
 * @reason: why
 * @ari: additional reject information, or NULL
 * @ari_length: its length
 * @private_data: for the peer, or NULL
 * @private_data_len: its length
 *
 * Context: any.
 * Return: 0, -EINVAL, -ENODEV.
 */
int ib_send_cm_rej(struct ib_cm_id *cm_id, enum ib_cm_rej_reason reason, void *ari,
		   u8 ari_length, const void *private_data, u8 private_data_len)
{
	struct cm_act act = {
		.id = to_cm_id(cm_id),
		.list = CM_ACT_DIRECT,
		.rej = {
			.reason = reason,
			.ari = ari,
			.ari_len = ari_length,
			.data = private_data,
			.data_len = private_data_len,
		},
	};

	if (cm_check_data(private_data, &act.rej.data_len, IB_CM_REJ_PRIVATE_DATA_SIZE) ||
	    cm_check_data(ari, &act.rej.ari_len, IB_CM_REJ_ARI_LENGTH))
		return -EINVAL;
	return cm_call(&act, CM_ID_ON_CALL_REJ);
}
EXPORT_SYMBOL(ib_send_cm_rej);

#ifdef CM_HAVE_PREPARE_MRA
/**
 * ib_prepare_cm_mra - be ready to ask the peer for time
 * @cm_id: the id
 *
 * The MRA leaves when the peer repeats itself.
 *
 * Context: any.
 * Return: 0, -EINVAL, -ENODEV.
 */
int ib_prepare_cm_mra(struct ib_cm_id *cm_id)
{
	struct cm_act act = {
		.id = to_cm_id(cm_id),
		.list = CM_DECIDE_CALL_MRA,
		.kind = CM_MSG_MRA,
		.facts = CM_FACT_DELAYED,
		.service_timeout = CM_MRA_SERVICE_TIME,
	};

	return cm_call(&act, CM_ID_ON_CALL_MRA);
}
EXPORT_SYMBOL(ib_prepare_cm_mra);
#else
/**
 * ib_send_cm_mra - ask the peer for time
 * @cm_id: the id
 * @service_timeout: how much, 4.096 us x 2^n; with IB_CM_MRA_FLAG_DELAY it
 *	leaves only when the peer repeats itself
 * @private_data: for the peer, or NULL
 * @private_data_len: its length
 *
 * Context: any.
 * Return: 0, -EINVAL, -ENODEV.
 */
int ib_send_cm_mra(struct ib_cm_id *cm_id, u8 service_timeout, const void *private_data,
		   u8 private_data_len)
{
	struct cm_act act = {
		.id = to_cm_id(cm_id),
		.list = CM_DECIDE_CALL_MRA,
		.kind = CM_MSG_MRA,
		.facts = service_timeout & IB_CM_MRA_FLAG_DELAY ? CM_FACT_DELAYED : 0,
		.service_timeout = service_timeout & 0x1f,
		.data = private_data,
		.len = private_data_len,
	};

	if (cm_check_data(act.data, &act.len, IB_CM_MRA_PRIVATE_DATA_SIZE))
		return -EINVAL;
	return cm_call(&act, CM_ID_ON_CALL_MRA);
}
EXPORT_SYMBOL(ib_send_cm_mra);
#endif

/**
 * ib_send_cm_sidr_req - ask a peer for the queue pair of a service
 * @cm_id: the id, idle
 * @param: which, and over which path
 *
 * Context: may sleep; allocates without starting I/O.
 * Return: 0: an event will tell how it ended; -EINVAL, -ENODEV, -ENOMEM, or
 * what the address resolution or the MAD layer said.
 */
int ib_send_cm_sidr_req(struct ib_cm_id *cm_id, struct ib_cm_sidr_req_param *param)
{
	struct cm_act act = {
		.id = to_cm_id(cm_id),
		.list = CM_ACT_DIRECT,
		.call = param,
		.may_sleep = true,
		.sync = true,
	};
	u8 len = param->private_data_len;

	if (!param->path ||
	    cm_check_data(param->private_data, &len, IB_CM_SIDR_REQ_PRIVATE_DATA_SIZE))
		return -EINVAL;
	return cm_call(&act, CM_ID_ON_CALL_SIDR_REQ);
}
EXPORT_SYMBOL(ib_send_cm_sidr_req);

/**
 * ib_send_cm_sidr_rep - answer a peer that asked for a service
 * @cm_id: the id that came with the question
 * @param: the answer
 *
 * Context: any.
 * Return: 0, -EINVAL, -ENODEV.
 */
int ib_send_cm_sidr_rep(struct ib_cm_id *cm_id, struct ib_cm_sidr_rep_param *param)
{
	struct cm_act act = {
		.id = to_cm_id(cm_id),
		.list = CM_ACT_DIRECT,
		.call = param,
	};
	u8 data_len = param->private_data_len, info_len = param->info_length;

	if (cm_check_data(param->info, &info_len, IB_CM_SIDR_REP_INFO_LENGTH) ||
	    cm_check_data(param->private_data, &data_len, IB_CM_SIDR_REP_PRIVATE_DATA_SIZE))
		return -EINVAL;
	return cm_call(&act, CM_ID_ON_CALL_SIDR_REP);
}
EXPORT_SYMBOL(ib_send_cm_sidr_rep);

/**
 * ib_cm_notify - the device reported an event of the connection's queue pair
 * @cm_id: the id
 * @event: IB_EVENT_COMM_EST or IB_EVENT_PATH_MIG
 *
 * Context: any, interrupt handlers included.
 * Return: 0; -EISCONN if the connection is established already; -EINVAL,
 * -ENODEV; -EAGAIN if the id's consumer is so far behind that it cannot be told.
 */
int ib_cm_notify(struct ib_cm_id *cm_id, enum ib_event_type event)
{
	struct cm_act act = { .id = to_cm_id(cm_id) };

	switch (event) {
	case IB_EVENT_COMM_EST:
		act.list = CM_DECIDE_CALL_COMM_EST;
		return cm_call(&act, CM_ID_ON_CALL_COMM_EST);
	case IB_EVENT_PATH_MIG:
		act.list = CM_DECIDE_CALL_PATH_MIG;
		return cm_call(&act, CM_ID_ON_CALL_PATH_MIG);
	default:
		return -EINVAL;
	}
}
EXPORT_SYMBOL(ib_cm_notify);

/**
 * ib_cm_init_qp_attr - what the connection's queue pair has to be set to
 * @cm_id: the id
 * @qp_attr: qp_state says for which state; filled
 * @qp_attr_mask: filled
 *
 * Context: any.
 * Return: 0, -EINVAL, -ENODEV.
 */
int ib_cm_init_qp_attr(struct ib_cm_id *cm_id, struct ib_qp_attr *qp_attr, int *qp_attr_mask)
{
	struct cm_act act = {
		.id = to_cm_id(cm_id),
		.list = CM_ACT_DIRECT,
		.attr = qp_attr,
		.attr_mask = qp_attr_mask,
	};

	switch (qp_attr->qp_state) {
	case IB_QPS_INIT:
		return cm_call(&act, CM_ID_ON_CALL_QP_INIT);
	case IB_QPS_RTR:
		return cm_call(&act, CM_ID_ON_CALL_QP_RTR);
	case IB_QPS_RTS:
		return cm_call(&act, CM_ID_ON_CALL_QP_RTS);
	default:
		return -EINVAL;
	}
}
EXPORT_SYMBOL(ib_cm_init_qp_attr);

/**
 * ibcm_reject_msg - a reason in words
 * @reason: enum ib_cm_rej_reason
 *
 * Context: any.
 * Return: a constant string.
 */
const char *__attribute_const__ ibcm_reject_msg(int reason)
{
	return cm_reject_text(reason);
}
EXPORT_SYMBOL(ibcm_reject_msg);
