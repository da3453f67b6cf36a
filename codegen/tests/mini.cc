// SPDX-License-Identifier: GPL-2.0-only
#include "mini.h"

namespace cepheus {

using namespace model;

namespace {

using Stage = Verb::Stage;
using Kind = Event::Kind;

void add(std::vector<Row> &rows, std::initializer_list<Row> more)
{
	rows.insert(rows.end(), more);
}

std::vector<Verb> verbs()
{
	return {
		{.id = {"MAKE_BUFFER"}, .stage = Stage::prep, .meaning = "take a send buffer", .allocates = true},

		{.id = {"OWN"}, .stage = Stage::locked, .meaning = "the consumer has it", .acquires = {{"OWNER"}}},
		{.id = {"ARM"}, .stage = Stage::locked, .meaning = "start the request", .acquires = {{"REQUEST"}}, .arms = true},
		{.id = {"REARM"}, .stage = Stage::locked, .meaning = "wait once more", .arms = true},
		{.id = {"CANCEL"}, .stage = Stage::locked, .meaning = "end the request", .releases = {{"REQUEST"}}, .disarms = true,
		 .needs = {"PUT"}},
		{.id = {"DISOWN"}, .stage = Stage::locked, .meaning = "the consumer leaves", .releases = {{"OWNER"}}, .needs = {"PUT"}},
		{.id = {"LINK_REMOTE"}, .stage = Stage::locked, .meaning = "findable by the peer's id", .acquires = {{"REMOTE"}}},
		{.id = {"UNLINK_REMOTE"}, .stage = Stage::locked, .meaning = "no longer", .releases = {{"REMOTE"}}},
		{.id = {"FORMAT_REQ"}, .stage = Stage::locked, .meaning = "write the REQ", .sends = "REQ", .needs = {"POST_MSG"}},
		{.id = {"FORMAT_RTU"}, .stage = Stage::locked, .meaning = "write the RTU", .sends = "RTU", .needs = {"POST_MSG"}},
		{.id = {"FORMAT_DREP"}, .stage = Stage::locked, .meaning = "write the DREP", .sends = "DREP", .needs = {"POST_MSG"}},
		{.id = {"FORMAT_REJ"}, .stage = Stage::locked, .meaning = "write the REJ", .sends = "REJ", .needs = {"POST_MSG"}},
		{.id = {"RESERVE"}, .stage = Stage::locked, .meaning = "keep the comm id", .acquires = {{"RECORD"}}},

		{.id = {"POST_MSG"}, .stage = Stage::post, .meaning = "hand the message to the MAD layer"},
		{.id = {"TELL_REP"}, .stage = Stage::post, .meaning = "deliver", .delivers = "REP_RECEIVED"},
		{.id = {"TELL_DREQ"}, .stage = Stage::post, .meaning = "deliver", .delivers = "DREQ_RECEIVED"},
		{.id = {"TELL_REQ_ERROR"}, .stage = Stage::post, .meaning = "deliver", .delivers = "REQ_ERROR", .terminal = true},
		{.id = {"TELL_EXIT"}, .stage = Stage::post, .meaning = "deliver", .delivers = "TIMEWAIT_EXIT", .terminal = true},
		{.id = {"PUT"}, .stage = Stage::post, .meaning = "drop what the row released", .last = true},
		{.id = {"FREE_RECORD"}, .stage = Stage::post, .meaning = "the record goes", .releases = {{"RECORD"}}, .last = true},
	};
}

Machine id()
{
	Machine m{.id = {"id"}, .prefix = "CM_ID", .meaning = "one connection", .idle_state = "IDLE"};

	m.holders = {
		{.id = {"OWNER"}, .counted = true, .meaning = "the consumer, from create to destroy"},
		{.id = {"REQUEST"}, .counted = true, .meaning = "a request that waits for its answer"},
		{.id = {"REMOTE"}, .meaning = "the key of the peer's id"},
		{.id = {"LOOKUP"}, .exact = false, .counted = true, .meaning = "whoever is looking"},
	};
	m.states = {
		{.id = {"NONE"}, .meaning = "no object", .initial = true},
		{.id = {"IDLE"}, .meaning = "owned and reusable", .public_state = "IDLE", .holders = {{"OWNER"}}},
		{.id = {"REQ_SENT"}, .meaning = "a REQ is out", .public_state = "REQ_SENT", .holders = {{"OWNER"}, {"REQUEST"}},
		 .awaits_peer = true, .connection = true},
		{.id = {"ESTABLISHED"}, .meaning = "connected", .public_state = "ESTABLISHED", .lap_state = "UNINIT",
		 .holders = {{"OWNER"}, {"REMOTE"}}, .connection = true, .exempt_from_idle = true},
		{.id = {"LAP_SENT"}, .meaning = "a LAP is out", .public_state = "ESTABLISHED", .lap_state = "SENT",
		 .holders = {{"OWNER"}, {"REMOTE"}, {"REQUEST"}}, .awaits_peer = true, .connection = true,
		 .exempt_from_idle = true, .reserved = "no call sends a LAP"},
		{.id = {"TIMEWAIT"}, .meaning = "the packets die out", .public_state = "TIMEWAIT", .holders = {{"OWNER"}},
		 .connection = true},
		{.id = {"GONE"}, .meaning = "the device was removed", .holders = {{"OWNER"}}, .exempt_from_idle = true},
		{.id = {"DEAD"}, .meaning = "destroy has run", .exempt_from_idle = true, .final = true},
	};
	m.events = {
		{.id = {"CREATE"}, .kind = Kind::call, .meaning = "create an id"},
		{.id = {"SEND_REQ"}, .kind = Kind::call, .meaning = "connect", .prep = {{"MAKE_BUFFER"}}},
		{.id = {"REP"}, .kind = Kind::message, .meaning = "the answer to our REQ"},
		{.id = {"REP_AGAIN"}, .kind = Kind::message, .meaning = "the same once more"},
		{.id = {"DREQ"}, .kind = Kind::message, .meaning = "the peer disconnects"},
		{.id = {"TIMEOUT"}, .kind = Kind::timer, .meaning = "no answer, sends are left"},
		{.id = {"TIMEOUT_LAST"}, .kind = Kind::timer, .meaning = "no answer, no sends are left"},
		{.id = {"TW_EXIT"}, .kind = Kind::timer, .meaning = "the record of this id expired", .direct = true,
		 .other_timer = true},
		{.id = {"SEND_FAILED"}, .kind = Kind::failure, .meaning = "the MAD layer refused"},
		{.id = {"REMOVE"}, .kind = Kind::removal, .meaning = "the device goes"},
		{.id = {"DESTROY"}, .kind = Kind::destroy, .meaning = "the consumer is done"},
		{.id = {"SAID_NO"}, .kind = Kind::handler, .meaning = "the handler returned an error"},
	};

	const std::vector<StateId> silent = {{"NONE"}, {"IDLE"}, {"GONE"}, {"DEAD"}};
	add(m.rows, {
		{.on = {{"CREATE"}}, .in = {{"NONE"}}, .next = {"IDLE"}, .does = {{"OWN"}}, .source = kernel("ib_create_cm_id")},
		{.on = {{"CREATE"}},
		 .in = {{"IDLE"}, {"REQ_SENT"}, {"ESTABLISHED"}, {"LAP_SENT"}, {"TIMEWAIT"}, {"GONE"}, {"DEAD"}},
		 .verdict = never("create makes the object")},

		{.on = {{"SEND_REQ"}}, .in = {{"IDLE"}}, .next = {"REQ_SENT"}, .does = {{"FORMAT_REQ"}, {"ARM"}, {"POST_MSG"}},
		 .source = ibta("12.9.2")},
		{.on = {{"SEND_REQ"}}, .in = {{"NONE"}, {"REQ_SENT"}, {"ESTABLISHED"}, {"LAP_SENT"}, {"TIMEWAIT"}, {"DEAD"}},
		 .verdict = invalid("EINVAL"), .source = stock("send_req")},
		{.on = {{"SEND_REQ"}}, .in = {{"GONE"}}, .verdict = invalid("ENODEV"), .source = contract("removal")},

		{.on = {{"REP"}}, .in = {{"REQ_SENT"}}, .next = {"ESTABLISHED"},
		 .does = {{"CANCEL"}, {"LINK_REMOTE"}, {"FORMAT_RTU"}, {"POST_MSG"}, {"TELL_REP"}, {"PUT"}}, .source = ibta("12.9.3")},
		{.on = {{"REP"}}, .in = {{"ESTABLISHED"}, {"LAP_SENT"}}, .verdict = ignore(foreign), .source = field("14"),
		 .reason = "another connection's"},
		{.on = {{"REP"}, {"REP_AGAIN"}}, .in = {{"TIMEWAIT"}}, .verdict = ignore(late), .source = stock("rx REP")},
		{.on = {{"REP"}}, .in = silent, .verdict = reject(), .does = {{"FORMAT_REJ"}, {"POST_MSG"}}, .source = field("22")},
		{.on = {{"REP_AGAIN"}}, .in = {{"ESTABLISHED"}, {"LAP_SENT"}}, .verdict = resend(),
		 .does = {{"FORMAT_RTU"}, {"POST_MSG"}}, .source = field("24")},
		{.on = {{"REP_AGAIN"}}, .in = {{"NONE"}, {"IDLE"}, {"REQ_SENT"}, {"GONE"}, {"DEAD"}}, .verdict = ignore(duplicate)},

		{.on = {{"DREQ"}}, .in = {{"ESTABLISHED"}}, .next = {"TIMEWAIT"},
		 .does = {{"UNLINK_REMOTE"}, {"FORMAT_DREP"}, {"POST_MSG"}, {"TELL_DREQ"}}, .source = ibta("12.9.5")},
		{.on = {{"DREQ"}}, .in = {{"LAP_SENT"}}, .next = {"TIMEWAIT"},
		 .does = {{"CANCEL"}, {"UNLINK_REMOTE"}, {"FORMAT_DREP"}, {"POST_MSG"}, {"TELL_DREQ"}, {"PUT"}}, .source = field("18")},
		{.on = {{"DREQ"}}, .in = {{"TIMEWAIT"}}, .verdict = resend(), .does = {{"FORMAT_DREP"}, {"POST_MSG"}},
		 .source = field("11")},
		{.on = {{"DREQ"}}, .in = {{"NONE"}, {"IDLE"}, {"REQ_SENT"}, {"GONE"}, {"DEAD"}}, .verdict = ignore(wrong_role)},

		{.on = {{"TIMEOUT"}}, .in = {{"REQ_SENT"}, {"LAP_SENT"}}, .does = {{"REARM"}, {"POST_MSG"}}, .source = ibta("12.9.8.4")},
		{.on = {{"TIMEOUT_LAST"}}, .in = {{"REQ_SENT"}}, .next = {"IDLE"}, .does = {{"CANCEL"}, {"TELL_REQ_ERROR"}, {"PUT"}},
		 .source = stock("send failure")},
		{.on = {{"TIMEOUT_LAST"}}, .in = {{"LAP_SENT"}}, .next = {"ESTABLISHED"}, .does = {{"CANCEL"}, {"PUT"}}},
		{.on = {{"TIMEOUT"}, {"TIMEOUT_LAST"}}, .in = {{"NONE"}, {"IDLE"}, {"ESTABLISHED"}, {"TIMEWAIT"}, {"GONE"}, {"DEAD"}},
		 .verdict = never("no timer runs")},

		{.on = {{"TW_EXIT"}}, .in = {{"TIMEWAIT"}}, .next = {"IDLE"}, .does = {{"TELL_EXIT"}}, .source = contract("timewait")},
		{.on = {{"TW_EXIT"}},
		 .in = {{"NONE"}, {"IDLE"}, {"REQ_SENT"}, {"ESTABLISHED"}, {"LAP_SENT"}, {"GONE"}, {"DEAD"}},
		 .verdict = ignore(late), .reason = "the id has moved on"},

		{.on = {{"SEND_FAILED"}}, .in = {{"REQ_SENT"}}, .next = {"IDLE"}, .does = {{"CANCEL"}, {"TELL_REQ_ERROR"}, {"PUT"}},
		 .source = stock("send failure")},
		{.on = {{"SEND_FAILED"}},
		 .in = {{"NONE"}, {"IDLE"}, {"ESTABLISHED"}, {"LAP_SENT"}, {"TIMEWAIT"}, {"GONE"}, {"DEAD"}},
		 .verdict = ignore(late)},

		{.on = {{"REMOVE"}}, .in = {{"IDLE"}}, .next = {"GONE"}, .source = contract("removal")},
		{.on = {{"REMOVE"}}, .in = {{"REQ_SENT"}}, .next = {"GONE"}, .does = {{"CANCEL"}, {"TELL_REQ_ERROR"}, {"PUT"}},
		 .source = contract("removal")},
		{.on = {{"REMOVE"}}, .in = {{"ESTABLISHED"}}, .next = {"GONE"}, .does = {{"UNLINK_REMOTE"}, {"TELL_EXIT"}},
		 .source = contract("removal")},
		{.on = {{"REMOVE"}}, .in = {{"LAP_SENT"}}, .next = {"GONE"}, .does = {{"CANCEL"}, {"UNLINK_REMOTE"}, {"TELL_EXIT"}, {"PUT"}},
		 .source = contract("removal")},
		{.on = {{"REMOVE"}}, .in = {{"TIMEWAIT"}}, .next = {"GONE"}, .does = {{"TELL_EXIT"}}, .source = contract("removal")},
		{.on = {{"REMOVE"}}, .in = {{"NONE"}, {"GONE"}, {"DEAD"}}, .verdict = ignore(late)},

		{.on = {{"DESTROY"}, {"SAID_NO"}}, .in = {{"IDLE"}, {"TIMEWAIT"}, {"GONE"}}, .next = {"DEAD"}, .does = {{"DISOWN"}, {"PUT"}},
		 .source = contract("destroy")},
		{.on = {{"DESTROY"}, {"SAID_NO"}}, .in = {{"REQ_SENT"}}, .next = {"DEAD"},
		 .does = {{"CANCEL"}, {"FORMAT_REJ"}, {"DISOWN"}, {"POST_MSG"}, {"PUT"}}, .source = contract("destroy")},
		{.on = {{"DESTROY"}, {"SAID_NO"}}, .in = {{"ESTABLISHED"}}, .next = {"DEAD"}, .does = {{"UNLINK_REMOTE"}, {"DISOWN"}, {"PUT"}},
		 .source = contract("destroy")},
		{.on = {{"DESTROY"}, {"SAID_NO"}}, .in = {{"LAP_SENT"}}, .next = {"DEAD"},
		 .does = {{"CANCEL"}, {"UNLINK_REMOTE"}, {"DISOWN"}, {"PUT"}}, .source = contract("destroy")},
		{.on = {{"DESTROY"}, {"SAID_NO"}}, .in = {{"NONE"}, {"DEAD"}}, .verdict = never("nobody holds it")},
	});
	return m;
}

Machine share()
{
	Machine m{.id = {"share"}, .prefix = "CM_SHARE", .meaning = "the sharing of a listener"};

	m.states = {
		{.id = {"ALONE"}, .meaning = "one caller has it", .initial = true},
		{.id = {"SHARED"}, .meaning = "several have it"},
	};
	m.events = {
		{.id = {"SHARE"}, .kind = Kind::call, .meaning = "the same listen again"},
		{.id = {"DROP"}, .kind = Kind::call, .meaning = "one of several leaves"},
		{.id = {"DROP_LAST_BUT_ONE"}, .kind = Kind::call, .meaning = "one of two leaves"},
	};
	add(m.rows, {
		{.on = {{"SHARE"}}, .in = {{"ALONE"}, {"SHARED"}}, .next = {"SHARED"}, .source = contract("shared listen")},
		{.on = {{"DROP"}}, .in = {{"SHARED"}}, .source = contract("shared listen")},
		{.on = {{"DROP_LAST_BUT_ONE"}}, .in = {{"SHARED"}}, .next = {"ALONE"}, .source = contract("shared listen")},
		{.on = {{"DROP"}, {"DROP_LAST_BUT_ONE"}}, .in = {{"ALONE"}}, .verdict = never("the last share is a destroy")},
	});
	return m;
}

Machine tw()
{
	Machine m{.id = {"tw"}, .prefix = "CM_TW", .meaning = "a timewait record"};

	m.holders = {{.id = {"RECORD"}, .counted = true, .meaning = "the reserved comm id"}};
	m.states = {
		{.id = {"NONE"}, .meaning = "no record", .initial = true},
		{.id = {"LINKED"}, .meaning = "its id lives", .holders = {{"RECORD"}}},
		{.id = {"ORPHAN"}, .meaning = "its id is gone", .holders = {{"RECORD"}}},
	};
	m.events = {
		{.id = {"ENTER"}, .kind = Kind::internal, .meaning = "the id entered timewait"},
		{.id = {"LEAVE"}, .kind = Kind::internal, .meaning = "the id was destroyed"},
		{.id = {"TW_DREQ"}, .kind = Kind::message, .meaning = "a repeated DREQ"},
		{.id = {"EXPIRE"}, .kind = Kind::timer, .meaning = "its time is over", .direct = true},
	};
	add(m.rows, {
		{.on = {{"ENTER"}}, .in = {{"NONE"}}, .next = {"LINKED"}, .does = {{"RESERVE"}}, .source = contract("timewait")},
		{.on = {{"ENTER"}}, .in = {{"LINKED"}, {"ORPHAN"}}, .verdict = never("a record is entered once")},
		{.on = {{"LEAVE"}}, .in = {{"LINKED"}}, .next = {"ORPHAN"}, .source = contract("timewait")},
		{.on = {{"LEAVE"}}, .in = {{"NONE"}, {"ORPHAN"}}, .verdict = ignore(late)},
		{.on = {{"TW_DREQ"}}, .in = {{"LINKED"}, {"ORPHAN"}}, .verdict = resend(), .does = {{"FORMAT_DREP"}, {"POST_MSG"}},
		 .source = field("11")},
		{.on = {{"TW_DREQ"}}, .in = {{"NONE"}}, .verdict = ignore(late)},
		{.on = {{"EXPIRE"}}, .in = {{"LINKED"}, {"ORPHAN"}}, .next = {"NONE"}, .does = {{"FREE_RECORD"}},
		 .source = contract("timewait")},
		{.on = {{"EXPIRE"}}, .in = {{"NONE"}}, .verdict = never("its timer is deleted with it")},
	});
	return m;
}

} // namespace

Model mini()
{
	return {
		.machines = {id(), share(), tw()},
		.verbs = verbs(),
		.facts = {{.id = {"REPEATED"}, .meaning = "comm ids and TID are those of the message before"},
			  {.id = {"IDS_MATCH"}, .meaning = "both comm ids are ours"},
			  {.id = {"SENDS_LEFT"}, .meaning = "fewer sends than the caller allowed"}},
		.decisions = {
			{.id = "REP", .machine = "id", .meaning = "a REP arrived",
			 .rules = {{.when = {is({"REPEATED"}), is({"IDS_MATCH"})}, .event = {"REP_AGAIN"}, .source = field("24")},
				   {.when = {no({"IDS_MATCH"})}, .event = {"REP"}},
				   {.when = {}, .event = {"REP"}, .source = ibta("12.9.3")}}},
			{.id = "DREQ", .machine = "id", .meaning = "a DREQ arrived", .rules = {{.when = {}, .event = {"DREQ"}}}},
			{.id = "TIMEOUT", .machine = "id", .meaning = "the request's timer fired",
			 .rules = {{.when = {is({"SENDS_LEFT"})}, .event = {"TIMEOUT"}}, {.when = {}, .event = {"TIMEOUT_LAST"}}}},
			{.id = "TW_DREQ", .machine = "tw", .meaning = "a DREQ for a record", .rules = {{.when = {}, .event = {"TW_DREQ"}}}},
		},
	};
}

} // namespace cepheus
