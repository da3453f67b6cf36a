// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls in every state, for the suite ib_cm_fsm.
 *
 * Owns: which call an event of the model stands for. The arguments are the
 * rig's: sane, so that only the state decides.
 */
#include "fsm.h"

#define FSM_REASON	IB_CM_REJ_NO_RESOURCES

static int fsm_listen(struct fsm *f, bool taken)
{
	u64 service_id = RIG_SERVICE + 0x4000;

	if (taken) {
		struct rig_id *other = f->rig->dev ? rig_listen(f->rig, service_id) : NULL;

		KUNIT_ASSERT_NOT_NULL(f->test, other);
		fsm_begin(f);
	}
	return ib_cm_listen(f->cm, cpu_to_be64(service_id));
}

static int fsm_qp_attr(struct fsm *f, enum ib_qp_state state)
{
	struct ib_qp_attr attr = { .qp_state = state };
	int mask = 0, err;

	err = ib_cm_init_qp_attr(f->cm, &attr, &mask);
	if (!err)
		KUNIT_EXPECT_NE_MSG(f->test, mask, 0, "no attribute is filled");
	return err;
}

static int fsm_create(struct fsm *f)
{
	f->id = rig_id_create(f->rig);
	f->cm = f->id->cm;
	return 0;
}

/**
 * fsm_call - make the call that the event stands for
 * @f: the cell
 *
 * Context: sleeps.
 * Return: false, and the test has failed, if there is no such call.
 */
bool fsm_call(struct fsm *f)
{
	unsigned int state = f->want->state;
	unsigned int how = FSM_ACTIVE;

	/* Whoever has both sides is what it is by history */
	if (f->want->event == CM_ID_ON_CALL_PATH_MIG)
		how |= FSM_ALTERNATE | FSM_HISTORY | (state == CM_ID_GONE ? FSM_BUSY : 0);
	if (!fsm_bring(f, state, how))
		return false;
	fsm_begin(f);

	switch (f->want->event) {
	case CM_ID_ON_CREATE:
		f->result = fsm_create(f);
		break;
	case CM_ID_ON_CALL_LISTEN:
		f->result = fsm_listen(f, false);
		break;
	case CM_ID_ON_CALL_LISTEN_TAKEN:
		f->result = fsm_listen(f, true);
		break;
	case CM_ID_ON_CALL_REQ:
		f->result = rig_send_req(f->id);
		break;
	case CM_ID_ON_CALL_REP:
		f->result = rig_send_rep(f->id);
		break;
	case CM_ID_ON_CALL_RTU:
		f->result = ib_send_cm_rtu(f->cm, NULL, 0);
		break;
	case CM_ID_ON_CALL_DREQ:
		f->result = ib_send_cm_dreq(f->cm, NULL, 0);
		break;
	case CM_ID_ON_CALL_DREP:
		f->result = ib_send_cm_drep(f->cm, NULL, 0);
		break;
	case CM_ID_ON_CALL_REJ:
		f->result = ib_send_cm_rej(f->cm, FSM_REASON, NULL, 0, NULL, 0);
		break;
	case CM_ID_ON_CALL_MRA_DELAYED:
		f->result = ib_prepare_cm_mra(f->cm);
		break;
	case CM_ID_ON_CALL_SIDR_REQ:
		f->result = rig_send_sidr_req(f->id);
		break;
	case CM_ID_ON_CALL_SIDR_REP:
		f->result = rig_send_sidr_rep(f->id);
		break;
	case CM_ID_ON_CALL_QP_INIT:
		f->result = fsm_qp_attr(f, IB_QPS_INIT);
		break;
	case CM_ID_ON_CALL_QP_RTR:
		f->result = fsm_qp_attr(f, IB_QPS_RTR);
		break;
	case CM_ID_ON_CALL_QP_RTS:
		f->result = fsm_qp_attr(f, IB_QPS_RTS);
		break;
	case CM_ID_ON_CALL_COMM_EST:
		f->result = ib_cm_notify(f->cm, IB_EVENT_COMM_EST);
		break;
	case CM_ID_ON_CALL_PATH_MIG:
	case CM_ID_ON_CALL_PATH_MIG_NONE:
		f->result = ib_cm_notify(f->cm, IB_EVENT_PATH_MIG);
		break;
	default:
		KUNIT_FAIL(f->test, "nobody knows how to make this call");
		return false;
	}
	return true;
}
