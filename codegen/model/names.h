// SPDX-License-Identifier: GPL-2.0-only
//
// The names of the protocol: states, events, verbs, holders, facts.
//
// Owns: every name, once. What a name means is said where it is declared:
// verbs.cc, states.cc, events.cc, decide.cc.
#pragma once

#include "types.h"

#define CM_NAME(type, name) inline constexpr type name{#name}

namespace cepheus::model {

using States = std::vector<StateId>;
using Events = std::vector<EventId>;

States operator+(const States &a, const States &b);

namespace id {

// No object; owned and reusable; listening.
CM_NAME(StateId, NONE);
CM_NAME(StateId, IDLE);
CM_NAME(StateId, LISTEN);
// Connection establishment (IBTA 12.9.7).
CM_NAME(StateId, REQ_NEW);
CM_NAME(StateId, REQ_SENT);
CM_NAME(StateId, REQ_RCVD);
CM_NAME(StateId, MRA_REQ_SENT);
CM_NAME(StateId, MRA_REQ_RCVD);
CM_NAME(StateId, REP_SENT);
CM_NAME(StateId, REP_RCVD);
CM_NAME(StateId, MRA_REP_SENT);
CM_NAME(StateId, MRA_REP_RCVD);
// Established, by the state of alternate path loading.
CM_NAME(StateId, ESTABLISHED);
CM_NAME(StateId, EST_LAP_IDLE);
CM_NAME(StateId, EST_LAP_SENT);
CM_NAME(StateId, EST_LAP_RCVD);
CM_NAME(StateId, EST_MRA_LAP_SENT);
CM_NAME(StateId, EST_MRA_LAP_RCVD);
// Release.
CM_NAME(StateId, DREQ_SENT);
CM_NAME(StateId, DREQ_RCVD);
CM_NAME(StateId, TIMEWAIT);
CM_NAME(StateId, TIMEWAIT_STALE);
// Service id resolution (IBTA 12.11).
CM_NAME(StateId, SIDR_NEW);
CM_NAME(StateId, SIDR_REQ_SENT);
CM_NAME(StateId, SIDR_REQ_RCVD);
// The end.
CM_NAME(StateId, GONE);
CM_NAME(StateId, DEAD);

// Sets that rows speak of. Together they are every state.
extern const States nobody;		// NONE
extern const States at_rest;		// IDLE
extern const States listening;		// LISTEN
extern const States unclaimed;		// REQ_NEW, SIDR_NEW: the consumer does not know of it yet
extern const States req_unclaimed;	// REQ_NEW
extern const States sidr_unclaimed;	// SIDR_NEW
extern const States req_awaited;	// a REQ of ours waits for its REP
extern const States req_pending;	// a REQ of the peer waits for our consumer
extern const States rep_awaited;	// a REP of ours waits for its RTU
extern const States rep_pending;	// a REP of the peer waits for our consumer
extern const States connected;		// ESTABLISHED, whatever the alternate path
extern const States dreq_sent;
extern const States dreq_rcvd;
extern const States timewait;
extern const States timewait_stale;	// after REJ 10: no comm id of the peer is known
extern const States sidr_awaited;
extern const States sidr_pending;
extern const States gone;
extern const States dead;

// Calls of the API.
CM_NAME(EventId, CREATE);
CM_NAME(EventId, CALL_LISTEN);
CM_NAME(EventId, CALL_LISTEN_TAKEN);
CM_NAME(EventId, CALL_REQ);
CM_NAME(EventId, CALL_REP);
CM_NAME(EventId, CALL_RTU);
CM_NAME(EventId, CALL_DREQ);
CM_NAME(EventId, CALL_DREP);
CM_NAME(EventId, CALL_REJ);
CM_NAME(EventId, CALL_MRA);
CM_NAME(EventId, CALL_MRA_DELAYED);
CM_NAME(EventId, CALL_SIDR_REQ);
CM_NAME(EventId, CALL_SIDR_REP);
CM_NAME(EventId, CALL_QP_INIT);
CM_NAME(EventId, CALL_QP_RTR);
CM_NAME(EventId, CALL_QP_RTS);
CM_NAME(EventId, CALL_COMM_EST);
CM_NAME(EventId, CALL_PATH_MIG);
CM_NAME(EventId, CALL_PATH_MIG_NONE);
// A call's first copy was refused by the MAD layer.
CM_NAME(EventId, SEND_REFUSED);
// Messages, as classified.
CM_NAME(EventId, REQ_FRESH);
CM_NAME(EventId, REQ_REPEATED);
CM_NAME(EventId, REQ_STALE);
CM_NAME(EventId, REQ_UNSUPPORTED);
CM_NAME(EventId, REQ_NO_LISTENER);
CM_NAME(EventId, PEER_RESTARTED);
CM_NAME(EventId, MRA_REQ);
CM_NAME(EventId, MRA_REP);
CM_NAME(EventId, MRA_LAP);
CM_NAME(EventId, REP);
CM_NAME(EventId, REP_REPEATED);
CM_NAME(EventId, REP_STALE);
CM_NAME(EventId, REP_UNKNOWN);
CM_NAME(EventId, RTU);
CM_NAME(EventId, REJ);
CM_NAME(EventId, REJ_STALE);
CM_NAME(EventId, DREQ);
CM_NAME(EventId, DREQ_UNKNOWN);
CM_NAME(EventId, DREP);
CM_NAME(EventId, LAP);
CM_NAME(EventId, APR);
CM_NAME(EventId, SIDR_REQ_FRESH);
CM_NAME(EventId, SIDR_REQ_REPEATED);
CM_NAME(EventId, SIDR_REQ_NO_LISTENER);
CM_NAME(EventId, SIDR_REP);
CM_NAME(EventId, FOREIGN);
CM_NAME(EventId, WRONG_ROLE);
CM_NAME(EventId, LOST);
// Delivery of a claimed request to the listener's consumer.
CM_NAME(EventId, HAND_OVER);
CM_NAME(EventId, LISTENER_GONE);
CM_NAME(EventId, UNREACHABLE);
CM_NAME(EventId, UNREACHABLE_ALT);
// Timers and failures.
CM_NAME(EventId, TIMEOUT);
CM_NAME(EventId, EXPIRED);
CM_NAME(EventId, TW_EXPIRED);
CM_NAME(EventId, OVERTAKEN);
CM_NAME(EventId, POSTPONED);
CM_NAME(EventId, SEND_LOST);
CM_NAME(EventId, SEND_FAILED);
// The device leaves; the owner leaves.
CM_NAME(EventId, REMOVED);
CM_NAME(EventId, DESTROY);
CM_NAME(EventId, DESTROY_XRC);
CM_NAME(EventId, HANDLER_REFUSED);
CM_NAME(EventId, HANDLER_REFUSED_XRC);
CM_NAME(EventId, HANDLER_NOMEM);
CM_NAME(EventId, HANDLER_NOMEM_XRC);

CM_NAME(HolderId, OWNER);
CM_NAME(HolderId, REQUEST);
CM_NAME(HolderId, PEER);
CM_NAME(HolderId, QPN);
CM_NAME(HolderId, SIDR);
CM_NAME(HolderId, ENTRY);
CM_NAME(HolderId, RECORD);
CM_NAME(HolderId, EVENT);
CM_NAME(HolderId, LISTENER);
CM_NAME(HolderId, LOOKUP);

// The vectors that protocol() puts together, one function per file.
void listen(std::vector<Row> &);
void connect(std::vector<Row> &);
void accept(std::vector<Row> &);
void disconnect(std::vector<Row> &);
void migrate(std::vector<Row> &);
void sidr(std::vector<Row> &);
void destroy(std::vector<Row> &);
void anywhere(std::vector<Row> &);
std::vector<State> states();
std::vector<Event> events();
std::vector<Holder> holders();

} // namespace id

namespace share {

CM_NAME(StateId, FREE);
CM_NAME(StateId, SINGLE);
CM_NAME(StateId, SHARED);
CM_NAME(StateId, SINGLE_OUT);
CM_NAME(StateId, SHARED_OUT);

CM_NAME(EventId, LISTEN);
CM_NAME(EventId, INSERT);
CM_NAME(EventId, INSERT_OTHER);
CM_NAME(EventId, DROP);
CM_NAME(EventId, DROP_TO_ONE);
CM_NAME(EventId, DROP_LAST);
CM_NAME(EventId, REMOVED);

CM_NAME(HolderId, TABLE);

Machine machine();

} // namespace share

namespace tw {

CM_NAME(StateId, FREE);
CM_NAME(StateId, RESERVED);
CM_NAME(StateId, LINKED);
CM_NAME(StateId, EXPIRING);
CM_NAME(StateId, ORPHAN);

CM_NAME(EventId, RESERVE);
CM_NAME(EventId, START);
inline constexpr EventId ON_ORPHAN{"ORPHAN"};
CM_NAME(EventId, ANSWERED);
CM_NAME(EventId, RELEASE);
CM_NAME(EventId, EXPIRED);
CM_NAME(EventId, POSTPONED);
CM_NAME(EventId, DREQ);
CM_NAME(EventId, REPEATED);
CM_NAME(EventId, OTHER);
CM_NAME(EventId, REMOVED);

CM_NAME(HolderId, ID);
CM_NAME(HolderId, QUEUE);

Machine machine();

} // namespace tw

// PREP: before the lock.
CM_NAME(VerbId, PREP_RECORD);
CM_NAME(VerbId, PREP_IMAGE);
CM_NAME(VerbId, PREP_PATH);
CM_NAME(VerbId, PREP_COPY);
CM_NAME(VerbId, PREP_LISTENER);
CM_NAME(VerbId, PREP_LAP);
// LOCKED: fields.
CM_NAME(VerbId, SET_REQ);
CM_NAME(VerbId, SET_REP);
CM_NAME(VerbId, SET_SIDR_REQ);
CM_NAME(VerbId, SET_MRA);
CM_NAME(VerbId, TAKE_REQ);
CM_NAME(VerbId, TAKE_MRA);
CM_NAME(VerbId, TAKE_REP);
CM_NAME(VerbId, TAKE_DREQ);
CM_NAME(VerbId, TAKE_LAP);
CM_NAME(VerbId, TAKE_SIDR_REQ);
CM_NAME(VerbId, KEEP_DATA);
CM_NAME(VerbId, MIGRATE);
CM_NAME(VerbId, FILL_INIT);
CM_NAME(VerbId, FILL_RTR);
CM_NAME(VerbId, FILL_RTS);
// LOCKED: messages.
CM_NAME(VerbId, SAY_REQ);
CM_NAME(VerbId, SAY_REP);
CM_NAME(VerbId, SAY_RTU);
CM_NAME(VerbId, SAY_REP_AGAIN);
CM_NAME(VerbId, SAY_RTU_AGAIN);
CM_NAME(VerbId, SAY_MRA_REQ);
CM_NAME(VerbId, SAY_MRA_REP);
CM_NAME(VerbId, SAY_MRA_LAP);
CM_NAME(VerbId, SAY_AUTO_MRA);
CM_NAME(VerbId, SAY_REJ_REQ);
CM_NAME(VerbId, SAY_REJ_REP);
CM_NAME(VerbId, SAY_REJ_OTHER);
CM_NAME(VerbId, SAY_REJ_TIMEOUT);
CM_NAME(VerbId, SAY_REJ_SERVICE);
CM_NAME(VerbId, SAY_REJ_STALE_REP);
CM_NAME(VerbId, SAY_REJ_CONSUMER_REQ);
CM_NAME(VerbId, SAY_REJ_CONSUMER_REP);
CM_NAME(VerbId, SAY_REJ_CONSUMER_OTHER);
CM_NAME(VerbId, SAY_DREQ);
CM_NAME(VerbId, SAY_DREQ_ONCE);
CM_NAME(VerbId, SAY_DREP);
CM_NAME(VerbId, SAY_DREP_AGAIN);
CM_NAME(VerbId, SAY_SIDR_REQ);
CM_NAME(VerbId, SAY_SIDR_REP);
CM_NAME(VerbId, SAY_SIDR_REJECT);
// LOCKED: holders and timers.
CM_NAME(VerbId, OWN);
CM_NAME(VerbId, DISOWN);
CM_NAME(VerbId, BEGIN);
CM_NAME(VerbId, END);
CM_NAME(VerbId, REPEAT);
CM_NAME(VerbId, STRETCH);
CM_NAME(VerbId, NOTE_ERROR);
CM_NAME(VerbId, RESERVE);
CM_NAME(VerbId, SWAP_RECORD);
CM_NAME(VerbId, RELEASE);
CM_NAME(VerbId, LINK_PEER);
CM_NAME(VerbId, LINK_QPN);
CM_NAME(VerbId, LINK_SIDR);
CM_NAME(VerbId, UNLINK_PEER);
CM_NAME(VerbId, UNLINK_QPN);
CM_NAME(VerbId, UNLINK_SIDR);
CM_NAME(VerbId, ENTER_TW);
CM_NAME(VerbId, ORPHAN);
CM_NAME(VerbId, KEEP_SIDR_ANSWER);
CM_NAME(VerbId, ENTRY_ADD);
CM_NAME(VerbId, ENTRY_REMOVE);
CM_NAME(VerbId, DISCARD);
// LOCKED: the consumer's events.
CM_NAME(VerbId, TELL_REQ);
CM_NAME(VerbId, TELL_REQ_ERROR);
CM_NAME(VerbId, TELL_REP);
CM_NAME(VerbId, TELL_REP_ERROR);
CM_NAME(VerbId, TELL_RTU);
CM_NAME(VerbId, TELL_USER_ESTABLISHED);
CM_NAME(VerbId, TELL_MRA);
CM_NAME(VerbId, TELL_REJ);
CM_NAME(VerbId, TELL_REJ_STALE);
CM_NAME(VerbId, TELL_REJ_REMOVED);
CM_NAME(VerbId, TELL_DREQ);
CM_NAME(VerbId, TELL_DREQ_ERROR);
CM_NAME(VerbId, TELL_DREP);
CM_NAME(VerbId, TELL_TIMEWAIT_EXIT);
CM_NAME(VerbId, TELL_LAP);
CM_NAME(VerbId, TELL_APR);
CM_NAME(VerbId, TELL_SIDR_REQ);
CM_NAME(VerbId, TELL_SIDR_REQ_ERROR);
CM_NAME(VerbId, TELL_SIDR_REP);
// POST: after the lock.
CM_NAME(VerbId, SEND);
CM_NAME(VerbId, KICK);
CM_NAME(VerbId, START);
CM_NAME(VerbId, CANCEL);
CM_NAME(VerbId, REJECT_QUEUED);
CM_NAME(VerbId, REPLY_REJ_UNKNOWN);
CM_NAME(VerbId, REPLY_REJ_SERVICE);
CM_NAME(VerbId, REPLY_REJ_STALE);
CM_NAME(VerbId, REPLY_REJ_TRANSPORT);
CM_NAME(VerbId, REPLY_REJ_GID);
CM_NAME(VerbId, REPLY_REJ_ALT_GID);
CM_NAME(VerbId, REPLY_DREP);
CM_NAME(VerbId, REPLY_SIDR_UNSUPPORTED);
CM_NAME(VerbId, PUT);
// The machines "share" and "tw".
CM_NAME(VerbId, SHARE_PUBLISH);
CM_NAME(VerbId, SHARE_ADD);
CM_NAME(VerbId, SHARE_DROP);
CM_NAME(VerbId, SHARE_RETRACT);
CM_NAME(VerbId, TW_BIND);
CM_NAME(VerbId, TW_UNBIND);
CM_NAME(VerbId, TW_QUEUE);
CM_NAME(VerbId, TW_UNQUEUE);
CM_NAME(VerbId, TW_HAND_OVER);
CM_NAME(VerbId, TW_TELL_ID);
CM_NAME(VerbId, TW_FREE_ID);
CM_NAME(VerbId, TW_FREE);
CM_NAME(VerbId, TW_ANSWER);

// Facts that decision lists may ask for.
CM_NAME(FactId, KNOWN);
CM_NAME(FactId, ACTIVE);
CM_NAME(FactId, PEER_KNOWN);
CM_NAME(FactId, IDS_MATCH);
CM_NAME(FactId, TID_MATCH);
CM_NAME(FactId, QPN_MATCH);
CM_NAME(FactId, SOURCE_OK);
CM_NAME(FactId, ROOM);
CM_NAME(FactId, TRIED);
CM_NAME(FactId, CLAIMED);
CM_NAME(FactId, CLAIM_REPEATED);
CM_NAME(FactId, CLAIM_STALE);
CM_NAME(FactId, SUPPORTED);
CM_NAME(FactId, SERVICE_KNOWN);
CM_NAME(FactId, BACKLOG_ROOM);
CM_NAME(FactId, ABOUT_REQ);
CM_NAME(FactId, ABOUT_REP);
CM_NAME(FactId, REASON_STALE);
CM_NAME(FactId, LAP_PATH);
CM_NAME(FactId, HAS_ALTERNATE);
CM_NAME(FactId, CURRENT);
CM_NAME(FactId, SENDS_LEFT);
CM_NAME(FactId, ERRORS_LEFT);
CM_NAME(FactId, DELAYED);
CM_NAME(FactId, XRC_TARGET);
CM_NAME(FactId, NOMEM);
CM_NAME(FactId, SERVICE_TAKEN);
CM_NAME(FactId, SAME_OWNER);
CM_NAME(FactId, EXCLUSIVE);
CM_NAME(FactId, LAST_SHARE);
CM_NAME(FactId, LAST_BUT_ONE);

std::vector<Verb> verbs();
std::vector<Fact> facts();
std::vector<DecisionList> decisions();

} // namespace cepheus::model
