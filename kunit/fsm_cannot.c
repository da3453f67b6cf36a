// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cells that no call, no message and no knob leads to, and why.
 *
 * Owns: this table. The suite fails if a cell of it is met after all. They are
 * asked for directly, at a real id or listener that was brought into the state in
 * the usual way: what follows is compared as elsewhere.
 */
#include "fsm.h"

#define S(_state)	(1u << CM_ID_##_state)

/* States whose id knows the peer's comm id */
#define KNOWS_PEER	(S(REQ_NEW) | S(REQ_RCVD) | S(MRA_REQ_SENT) | S(REP_SENT) | S(MRA_REP_RCVD) | \
			 S(REP_RCVD) | S(MRA_REP_SENT) | CONNECTED | S(DREQ_SENT) | S(DREQ_RCVD) | \
			 S(TIMEWAIT))
#define CONNECTED	(S(ESTABLISHED) | S(EST_LAP_IDLE) | S(EST_LAP_RCVD) | S(EST_MRA_LAP_SENT))
#define ONLY_ACTIVE	(S(REQ_SENT) | S(MRA_REQ_RCVD) | S(REP_RCVD) | S(MRA_REP_SENT) | \
			 S(TIMEWAIT_STALE))
#define ONLY_PASSIVE	(S(REQ_NEW) | S(REQ_RCVD) | S(MRA_REQ_SENT) | S(REP_SENT) | S(MRA_REP_RCVD) | \
			 S(SIDR_NEW) | S(SIDR_REQ_RCVD))
#define CLAIMED		(S(REQ_NEW) | S(SIDR_NEW))
#define ANY		(~0u)

static const char of_peer[] =
	"the message must carry the peer's comm id, which the id does not know in this state";
static const char looked_up[] =
	"a destroyed id is not found: it would have to be destroyed between look-up and lock";
static const char moved_on[] =
	"a REP's keys are claimed for an id that awaits it: it would have to move on before the lock";
static const char is_passive[] =
	"the peer's MRA of a REQ that we have not sent is of the wrong role";
static const char is_active[] =
	"the peer's message about a REP that we have not sent is of the wrong role";
static const char no_keys[] =
	"the peer's request finds no key of the id: it would have to lose it before the lock";
static const char no_call[] = "this kernel has no ib_send_cm_mra()";
static const char no_id[] = "the decision needs an id";
static const char race[] =
	"what a request that is over has left is taken back or recognised: a race of processors";
static const char answered[] =
	"a refused datagram was not sent: only another processor can have ended its request";
static const char room[] =
	"so many events cannot wait for an id in this state: few lead there, and need the room";
static const char no_handle[] = "nobody was given the id";
static const char once[] = "removal takes an id once";
static const char destroyed[] = "a second destroy is caught before";
static const char no_xrc[] = "an XRC target never sends a REQ or answers a SIDR_REQ";
static const char table_gone[] = "the listeners of a device that is gone are gone";
static const char no_alternate[] = "a SIDR exchange has no alternate path";
static const char has_alternate[] = "in this state there is an alternate path";
static const char resolved[] =
	"resolution on InfiniBand does not wait: the request would have to end within it";

static const char single[] = "a listener whose state is so is not found by a removal";

struct fsm_reason {
	u8 event;
	u32 states;
	const char *reason;
};

static const struct fsm_reason of_ids[] = {
	{ CM_ID_ON_RTU,			~KNOWS_PEER,				of_peer },
	{ CM_ID_ON_RTU,			ONLY_ACTIVE,				is_active },
	{ CM_ID_ON_DREP,		~KNOWS_PEER,				of_peer },
	{ CM_ID_ON_LAP,			~KNOWS_PEER,				of_peer },
	{ CM_ID_ON_APR,			~KNOWS_PEER,				of_peer },
	{ CM_ID_ON_MRA_REQ,		ONLY_PASSIVE,				is_passive },
	{ CM_ID_ON_MRA_REQ,		S(DEAD),				looked_up },
	{ CM_ID_ON_MRA_REP,		ONLY_ACTIVE | S(SIDR_REQ_SENT),		is_active },
	{ CM_ID_ON_MRA_REP,		S(DEAD),				looked_up },
	{ CM_ID_ON_MRA_LAP,		S(DEAD),				looked_up },
	{ CM_ID_ON_REP,			~(S(REQ_SENT) | S(MRA_REQ_RCVD)),	moved_on },
	{ CM_ID_ON_REP_STALE,		~(S(REQ_SENT) | S(MRA_REQ_RCVD)),	moved_on },
	{ CM_ID_ON_REP_REPEATED,	ONLY_PASSIVE,				is_active },
	{ CM_ID_ON_REP_REPEATED,	S(IDLE) | S(LISTEN) | S(TIMEWAIT_STALE) | S(SIDR_REQ_SENT) |
					S(GONE),				moved_on },
	{ CM_ID_ON_REP_REPEATED,	S(DEAD),				looked_up },
	{ CM_ID_ON_REP_UNKNOWN,		S(REQ_SENT) | S(MRA_REQ_RCVD),		moved_on },
	{ CM_ID_ON_REP_UNKNOWN,		S(DEAD),				looked_up },
	{ CM_ID_ON_REJ,			S(DEAD),				looked_up },
	{ CM_ID_ON_REJ_STALE,		S(DEAD),				looked_up },
	{ CM_ID_ON_DREQ_UNKNOWN,	S(DEAD),				looked_up },
	{ CM_ID_ON_SIDR_REP,		S(DEAD),				looked_up },
	{ CM_ID_ON_FOREIGN,		S(DEAD),				looked_up },
	{ CM_ID_ON_WRONG_ROLE,		S(DEAD),				looked_up },
	{ CM_ID_ON_WRONG_ROLE,		S(NONE),				no_id },
	{ CM_ID_ON_LOST,		S(DEAD),				looked_up },
	{ CM_ID_ON_LOST,		ONLY_PASSIVE,				room },
	{ CM_ID_ON_PEER_RESTARTED,	S(NONE),				no_id },
	{ CM_ID_ON_PEER_RESTARTED,	~(KNOWS_PEER | S(NONE)) | S(DREQ_SENT) | S(DREQ_RCVD) |
					S(TIMEWAIT),				no_keys },
	{ CM_ID_ON_REQ_REPEATED,	~KNOWS_PEER,				no_keys },
	{ CM_ID_ON_SIDR_REQ_REPEATED,	~(S(SIDR_NEW) | S(SIDR_REQ_RCVD)),	no_keys },
	{ CM_ID_ON_CALL_MRA,		ANY,					no_call },
	{ CM_ID_ON_CALL_LISTEN_TAKEN,	S(GONE),				table_gone },
	{ CM_ID_ON_CALL_PATH_MIG,	S(SIDR_REQ_SENT) | S(SIDR_REQ_RCVD),	no_alternate },
	{ CM_ID_ON_CALL_PATH_MIG_NONE,	S(EST_LAP_IDLE) | S(EST_LAP_RCVD) | S(EST_MRA_LAP_SENT),
										has_alternate },
	{ CM_ID_ON_OVERTAKEN,		ANY,					race },
	{ CM_ID_ON_SEND_REFUSED,	~(S(REQ_SENT) | S(REP_SENT) | S(DREQ_SENT) | S(SIDR_REQ_SENT)),
										answered },
	{ CM_ID_ON_POSTPONED,		~(S(IDLE) | S(LISTEN) | S(REQ_SENT) | S(SIDR_REQ_SENT) |
					  S(TIMEWAIT) | S(GONE)),		room },
	{ CM_ID_ON_UNREACHABLE,		S(DEAD),				resolved },
	{ CM_ID_ON_UNREACHABLE_ALT,	S(DEAD),				resolved },
	{ CM_ID_ON_REMOVED,		S(GONE) | S(DEAD),			once },
	{ CM_ID_ON_DESTROY,		CLAIMED,				no_handle },
	{ CM_ID_ON_DESTROY,		S(DEAD),				destroyed },
	{ CM_ID_ON_DESTROY_XRC,		CLAIMED,				no_handle },
	{ CM_ID_ON_DESTROY_XRC,		S(DEAD),				destroyed },
	{ CM_ID_ON_DESTROY_XRC,		ONLY_ACTIVE | S(SIDR_REQ_RCVD),		no_xrc },
	{ CM_ID_ON_HANDLER_REFUSED_XRC,	ONLY_ACTIVE | S(SIDR_REQ_RCVD),		no_xrc },
	{ CM_ID_ON_HANDLER_NOMEM_XRC,	ONLY_ACTIVE | S(SIDR_REQ_RCVD),		no_xrc },
};

static const struct fsm_reason of_shares[] = {
	{ CM_SHARE_ON_REMOVED,	1 << CM_SHARE_FREE | 1 << CM_SHARE_SINGLE_OUT | 1 << CM_SHARE_SHARED_OUT,
				single },
};

static const char *fsm_find(const struct fsm_reason *table, unsigned int count,
			    const struct fsm_expected *want)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (table[i].event == want->event && table[i].states & (1u << want->state))
			return table[i].reason;
	return NULL;
}

/**
 * fsm_cannot - why a cell cannot be brought about
 * @want: the cell
 *
 * Context: any.
 * Return: the reason; NULL: it can.
 */
const char *fsm_cannot(const struct fsm_expected *want)
{
	switch (want->machine) {
	case CM_MACHINE_ID:
		return fsm_find(of_ids, ARRAY_SIZE(of_ids), want);
	case CM_MACHINE_SHARE:
		return fsm_find(of_shares, ARRAY_SIZE(of_shares), want);
	default:
		return NULL;
	}
}

/**
 * fsm_unseen - is the cell decided before the table is asked?
 * @want: the cell
 *
 * What can be seen is compared all the same.
 *
 * Context: any.
 * Return: true if the table is not asked for it.
 */
bool fsm_unseen(const struct fsm_expected *want)
{
	/* There is no path to resolve any more, which comes first. */
	return want->machine == CM_MACHINE_ID && want->state == CM_ID_GONE &&
	       (want->event == CM_ID_ON_CALL_REQ || want->event == CM_ID_ON_CALL_SIDR_REQ);
}

/* The answer is made from the datagram that is answered: it finds the id as if it had looked before. */
static bool fsm_needs_datagram(const struct fsm_expected *want)
{
	return want->event == CM_ID_ON_DREQ_UNKNOWN || want->event == CM_ID_ON_REP_UNKNOWN;
}

static bool fsm_ask_datagram(struct fsm *f)
{
	u8 mad[MAD_BYTES];

	rig_make(f->id, f->want->event == CM_ID_ON_REP_UNKNOWN ? ATTR_REP : ATTR_DREQ, mad);
	fsm_begin(f);
	cm_probe_find_dead(f->cm);
	rig_peer_send(f->rig, mad);
	rig_flush(f->rig);
	cm_probe_find_dead(NULL);
	return fsm_hit(f);
}

/**
 * fsm_ask - ask for a cell that nothing leads to
 * @f: the cell, of the machine of ids
 *
 * Context: sleeps.
 * Return: false, and the test has failed, if it is not met.
 */
bool fsm_ask(struct fsm *f)
{
	bool dies = f->want->next == CM_ID_DEAD;

	if (!fsm_bring(f, f->want->state, FSM_ACTIVE))
		return false;
	if (f->want->state == CM_ID_DEAD && fsm_needs_datagram(f->want))
		return fsm_ask_datagram(f);
	fsm_begin(f);
	f->result = cm_probe_happen(f->cm, f->want->event);
	if (dies && !f->found) {
		f->id->cm = NULL;
		f->cm = NULL;
	}
	return true;
}
