// SPDX-License-Identifier: GPL-2.0-only
//
// Owns: the verbs, by stage, and what each does to holders, wire and timer.
#include "names.h"

namespace cepheus::model {

using Stage = Verb::Stage;

static Verb prep(VerbId id, std::string_view meaning)
{
	return {.id = id, .stage = Stage::prep, .meaning = meaning, .allocates = true, .may_sleep = true};
}

static Verb locked(VerbId id, std::string_view meaning)
{
	return {.id = id, .stage = Stage::locked, .meaning = meaning};
}

static Verb say(VerbId id, std::string_view message, std::string_view meaning)
{
	return {.id = id, .stage = Stage::locked, .meaning = meaning, .sends = message, .needs = SEND};
}

static Verb tell(VerbId id, std::string_view event, std::string_view meaning, bool terminal = false)
{
	return {.id = id, .stage = Stage::locked, .meaning = meaning, .delivers = event, .terminal = terminal, .needs = KICK};
}

static Verb post(VerbId id, std::string_view meaning, std::string_view message = {})
{
	return {.id = id, .stage = Stage::post, .meaning = meaning, .sends = message};
}

std::vector<Verb> verbs()
{
	using namespace id;
	constexpr bool terminal = true;

	return {
		prep(PREP_RECORD, "allocate a connection record"),
		prep(PREP_IMAGE, "allocate memory for the request's image"),
		prep(PREP_PATH, "resolve the paths to address vectors"),
		prep(PREP_COPY, "copy the private data"),
		prep(PREP_LISTENER, "allocate the listener"),
		prep(PREP_LAP, "resolve the alternate path of a LAP"),

		locked(SET_REQ, "store what the caller said of the connection"),
		locked(SET_REP, "store what the caller said in its REP"),
		locked(SET_SIDR_REQ, "store what the caller said of the resolution"),
		locked(SET_MRA, "store the service time that the caller asks for"),
		locked(TAKE_REQ, "store what the REQ says of the peer"),
		locked(TAKE_MRA, "remember the comm id that the MRA gives: a REJ of ours names it"),
		locked(TAKE_REP, "store what the REP says of the peer"),
		locked(TAKE_DREQ, "remember the DREQ's TID for its DREP"),
		locked(TAKE_LAP, "the LAP's path becomes the alternate"),
		locked(TAKE_SIDR_REQ, "store what the SIDR_REQ says of the peer"),
		locked(KEEP_DATA, "keep the private data for repetitions"),
		locked(MIGRATE, "the alternate path becomes the primary, and the reverse"),
		locked(FILL_INIT, "fill the attributes for INIT"),
		locked(FILL_RTR, "fill the attributes for RTR"),
		locked(FILL_RTS, "fill the attributes for RTS"),

		say(SAY_REQ, "REQ", "format the caller's REQ"),
		say(SAY_REP, "REP", "format the caller's REP"),
		say(SAY_REP_AGAIN, "REP", "the REP again, unless its last copy has not been completed; no repetition is spent"),
		say(SAY_RTU, "RTU", "format the caller's RTU"),
		say(SAY_RTU_AGAIN, "RTU", "format the RTU again, with the data that was kept"),
		say(SAY_MRA_REQ, "MRA", "format an MRA of the REQ, with the consumer's service time"),
		say(SAY_MRA_REP, "MRA", "format an MRA of the REP, with the consumer's service time"),
		say(SAY_MRA_LAP, "MRA", "format an MRA of the LAP, with the consumer's service time"),
		say(SAY_AUTO_MRA, "MRA", "format an MRA of the REQ on our own account: time at least the REQ's response time-out, at most 2^21"),
		say(SAY_REJ_REQ, "REJ", "format the caller's REJ of the REQ"),
		say(SAY_REJ_REP, "REJ", "format the caller's REJ of the REP"),
		say(SAY_REJ_OTHER, "REJ", "format the caller's REJ of no message in particular"),
		say(SAY_REJ_TIMEOUT, "REJ", "format REJ 4 with our CA GUID"),
		say(SAY_REJ_SERVICE, "REJ", "format REJ 8 of the REQ"),
		say(SAY_REJ_STALE_REP, "REJ", "format REJ 10 of the REP"),
		say(SAY_REJ_CONSUMER_REQ, "REJ", "format REJ 28 of the REQ"),
		say(SAY_REJ_CONSUMER_REP, "REJ", "format REJ 28 of the REP"),
		say(SAY_REJ_CONSUMER_OTHER, "REJ", "format REJ 28 of no message in particular"),
		say(SAY_DREQ, "DREQ", "format the DREQ, to be repeated"),
		say(SAY_DREQ_ONCE, "DREQ", "format a DREQ that nobody waits for"),
		say(SAY_DREP, "DREP", "format the DREP"),
		say(SAY_DREP_AGAIN, "DREP", "format the DREP again, with its data, the repeated DREQ's TID"),
		say(SAY_SIDR_REQ, "SIDR_REQ", "format the caller's SIDR_REQ"),
		say(SAY_SIDR_REP, "SIDR_REP", "format the caller's SIDR_REP"),
		say(SAY_SIDR_REJECT, "SIDR_REP", "format a SIDR_REP with status reject"),

		{.id = OWN, .stage = Stage::locked, .meaning = "the id has an owner", .acquires = {OWNER}},
		{.id = DISOWN, .stage = Stage::locked, .meaning = "the owner leaves", .releases = {OWNER}, .needs = PUT},
		{.id = BEGIN, .stage = Stage::locked, .meaning = "the formatted request begins to wait for its answer", .acquires = {REQUEST}, .arms = true, .needs = SEND},
		{.id = END, .stage = Stage::locked, .meaning = "the outstanding request is over: its timer and queue entry are taken back", .releases = {REQUEST}, .disarms = true, .needs = PUT},
		{.id = REPEAT, .stage = Stage::locked, .meaning = "format the request again and spend a repetition", .sends = "request", .arms = true, .needs = SEND},
		{.id = STRETCH, .stage = Stage::locked, .meaning = "this one wait lasts as long as the MRA asks, capped", .arms = true},
		locked(NOTE_ERROR, "count a send that completed with an error"),
		{.id = RESERVE, .stage = Stage::locked, .meaning = "the prepared record is the id's", .acquires = {RECORD}},
		locked(SWAP_RECORD, "the record with the claimed keys takes the place of the reserved one"),
		{.id = RELEASE, .stage = Stage::locked, .meaning = "the record goes", .releases = {RECORD}},
		{.id = LINK_PEER, .stage = Stage::locked, .meaning = "found by (peer, remote comm id)", .acquires = {PEER}},
		{.id = LINK_QPN, .stage = Stage::locked, .meaning = "found by (peer, remote QPN)", .acquires = {QPN}},
		{.id = LINK_SIDR, .stage = Stage::locked, .meaning = "found by (peer, request id)", .acquires = {SIDR}},
		{.id = UNLINK_PEER, .stage = Stage::locked, .meaning = "no longer found by (peer, remote comm id)", .releases = {PEER}},
		{.id = UNLINK_QPN, .stage = Stage::locked, .meaning = "the QPN is no longer considered connected", .releases = {QPN}},
		{.id = UNLINK_SIDR, .stage = Stage::locked, .meaning = "no longer found by (peer, request id)", .releases = {SIDR}},
		locked(ENTER_TW, "the record begins its timewait"),
		{.id = ORPHAN, .stage = Stage::locked, .meaning = "the record goes on alone in timewait, with its key and the local comm id", .releases = {PEER, RECORD}},
		{.id = KEEP_SIDR_ANSWER, .stage = Stage::locked, .meaning = "the record goes on alone, with the SIDR_REP for repeated requests", .releases = {SIDR, RECORD}},
		{.id = ENTRY_ADD, .stage = Stage::locked, .meaning = "found by service id", .acquires = {ENTRY}},
		{.id = ENTRY_REMOVE, .stage = Stage::locked, .meaning = "no longer found by service id", .releases = {ENTRY}, .needs = REJECT_QUEUED},
		locked(DISCARD, "events that wait for delivery are dropped"),

		tell(TELL_REQ, "IB_CM_REQ_RECEIVED", "the REQ"),
		tell(TELL_REQ_ERROR, "IB_CM_REQ_ERROR", "the REQ got no answer", terminal),
		tell(TELL_REP, "IB_CM_REP_RECEIVED", "the REP"),
		tell(TELL_REP_ERROR, "IB_CM_REP_ERROR", "the REP got no answer", terminal),
		tell(TELL_RTU, "IB_CM_RTU_RECEIVED", "the RTU"),
		tell(TELL_USER_ESTABLISHED, "IB_CM_USER_ESTABLISHED", "established by the consumer's word"),
		tell(TELL_MRA, "IB_CM_MRA_RECEIVED", "the MRA"),
		tell(TELL_REJ, "IB_CM_REJ_RECEIVED", "the REJ", terminal),
		tell(TELL_REJ_STALE, "IB_CM_REJ_RECEIVED", "a REJ of our own making, reason 10", terminal),
		tell(TELL_REJ_REMOVED, "IB_CM_REJ_RECEIVED", "a REJ of our own making, reason 3: the device is gone", terminal),
		tell(TELL_DREQ, "IB_CM_DREQ_RECEIVED", "the DREQ"),
		tell(TELL_DREQ_ERROR, "IB_CM_DREQ_ERROR", "the DREQ got no answer"),
		tell(TELL_DREP, "IB_CM_DREP_RECEIVED", "the DREP"),
		tell(TELL_TIMEWAIT_EXIT, "IB_CM_TIMEWAIT_EXIT", "the connection is over for good", terminal),
		tell(TELL_LAP, "IB_CM_LAP_RECEIVED", "the LAP"),
		tell(TELL_APR, "IB_CM_APR_RECEIVED", "the APR"),
		tell(TELL_SIDR_REQ, "IB_CM_SIDR_REQ_RECEIVED", "the SIDR_REQ"),
		tell(TELL_SIDR_REQ_ERROR, "IB_CM_SIDR_REQ_ERROR", "the SIDR_REQ got no answer", terminal),
		tell(TELL_SIDR_REP, "IB_CM_SIDR_REP_RECEIVED", "the SIDR_REP", terminal),

		post(SEND, "post the formatted message"),
		post(KICK, "queue the runner of the event queue"),
		post(START, "resolve the way back, then deliver to the listener's handler"),
		post(CANCEL, "take back a queued runner"),
		post(REJECT_QUEUED, "requests that wait for the listener's handler learn that it is gone"),
		post(REPLY_REJ_UNKNOWN, "answer with REJ 6, without an id", "REJ"),
		post(REPLY_REJ_SERVICE, "answer with REJ 8, without an id", "REJ"),
		post(REPLY_REJ_STALE, "answer with REJ 10, without an id", "REJ"),
		post(REPLY_REJ_TRANSPORT, "answer with REJ 9, without an id", "REJ"),
		post(REPLY_REJ_GID, "answer with REJ 12 and our GID, without an id", "REJ"),
		post(REPLY_REJ_ALT_GID, "answer with REJ 18 and our GID, without an id", "REJ"),
		post(REPLY_DREP, "answer with a DREP, without an id", "DREP"),
		post(REPLY_SIDR_UNSUPPORTED, "answer with SIDR_REP, status unsupported, without an id", "SIDR_REP"),
		{.id = PUT, .stage = Stage::post, .meaning = "drop the references that the row released", .last = true},

		{.id = SHARE_PUBLISH, .stage = Stage::locked, .meaning = "into the table of listeners, one share", .acquires = {share::TABLE}},
		locked(SHARE_ADD, "one share more"),
		locked(SHARE_DROP, "one share less"),
		{.id = SHARE_RETRACT, .stage = Stage::locked, .meaning = "out of the table, no share", .releases = {share::TABLE}},

		{.id = TW_BIND, .stage = Stage::locked, .meaning = "an id has it", .acquires = {tw::ID}},
		{.id = TW_UNBIND, .stage = Stage::locked, .meaning = "no id has it", .releases = {tw::ID}},
		{.id = TW_QUEUE, .stage = Stage::locked, .meaning = "into the queue of its duration", .acquires = {tw::QUEUE}},
		{.id = TW_UNQUEUE, .stage = Stage::locked, .meaning = "out of the queue", .releases = {tw::QUEUE}},
		locked(TW_HAND_OVER, "the local comm id is the record's"),
		post(TW_TELL_ID, "its id learns that its time is over"),
		post(TW_FREE_ID, "the local comm id is free"),
		{.id = TW_FREE, .stage = Stage::post, .meaning = "out of every table, freed after a grace period", .last = true},
		post(TW_ANSWER, "answer with what was kept", "answer"),
	};
}

} // namespace cepheus::model
