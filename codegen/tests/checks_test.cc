// SPDX-License-Identifier: GPL-2.0-only
//
// Bad models, at least one per check: the small model with one thing spoilt.
// Pins the whole output of `cmgen check`, and its exit code.
#include "mini.h"

#include "../check/check.h"
#include "../cli.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <sstream>

namespace cepheus {

using namespace model;

namespace {

struct Output {
	int status;
	std::string out, err;
};

Output cmgen(const Model &model, std::vector<std::string_view> args)
{
	std::ostringstream out, err;
	int status = run(args, model, out, err);
	return {status, out.str(), err.str()};
}

Machine &machine(Model &m, std::string_view name)
{
	return *std::find_if(m.machines.begin(), m.machines.end(), [&](Machine &x) { return x.id.text == name; });
}

Machine &id(Model &m)
{
	return machine(m, "id");
}

template <class List> auto &named(List &list, std::string_view name)
{
	return *std::find_if(list.begin(), list.end(), [&](auto &x) { return x.id.text == name; });
}

State &state(Model &m, std::string_view name)
{
	return named(id(m).states, name);
}

Event &event(Model &m, std::string_view name)
{
	return named(id(m).events, name);
}

Verb &verb(Model &m, std::string_view name)
{
	return named(m.verbs, name);
}

DecisionList &decision(Model &m, std::string_view name)
{
	return *std::find_if(m.decisions.begin(), m.decisions.end(), [&](DecisionList &d) { return d.id == name; });
}

// The row of a cell of the machine "id".
Row &row(Model &m, std::string_view on, std::string_view in)
{
	return *std::find_if(id(m).rows.begin(), id(m).rows.end(), [&](Row &r) {
		return std::count(r.on.begin(), r.on.end(), EventId{on}) && std::count(r.in.begin(), r.in.end(), StateId{in});
	});
}

void drop(Row &r, std::string_view name)
{
	std::erase(r.does, VerbId{name});
}

void drop(State &s, std::string_view name)
{
	std::erase(s.holders, HolderId{name});
}

void insert(Row &r, std::size_t at, std::string_view name)
{
	r.does.insert(r.does.begin() + at, VerbId{name});
}

struct Case {
	const char *check;	// the check that is to speak
	const char *sentence;
	// Spoils the model; returns where the culprit stands.
	std::function<std::string(Model &)> spoil;
	// A line per finding. @ stands for where the culprit stands, [REP in IDLE] for
	// where the row of that cell does, [decision REP, 2] for a rule counted from 0.
	std::vector<std::string> expected;
};

std::ostream &operator<<(std::ostream &out, const Case &c)
{
	return out << c.check << ": " << c.sentence;
}

const Case cases[] = {
	// vocabulary
	{"vocabulary", "a verb is declared twice",
	 [](Model &m) { m.verbs.push_back(m.verbs.front()); return ""; },
	 {"codegen/model: verb MAKE_BUFFER: declared twice; drop or rename one of them"}},
	{"vocabulary", "a fact has a name that C cannot use",
	 [](Model &m) {
		 m.facts[0].id = {"Repeated"};
		 decision(m, "REP").rules[0].when[0].fact = {"Repeated"};
		 return "";
	 },
	 {"codegen/model: fact 'Repeated': the name is not upper case letters, digits and underscores; "
	  "rename it: it becomes part of a C enumerator"}},
	{"vocabulary", "a verb is used nowhere",
	 [](Model &m) { m.verbs.push_back({.id = {"IDLE_HAND"}, .stage = Verb::Stage::post}); return ""; },
	 {"codegen/model: verb IDLE_HAND: no row and no event uses it; use it or drop it"}},
	{"vocabulary", "a fact is asked for nowhere",
	 [](Model &m) { m.facts.push_back({.id = {"MOON_FULL"}}); return ""; },
	 {"codegen/model: fact MOON_FULL: no decision list asks for it; use it or drop it"}},
	{"vocabulary", "a verb needs one that is not declared",
	 [](Model &m) { verb(m, "REARM").needs = {"PSOT"}; return where_of(row(m, "TIMEOUT", "REQ_SENT")); },
	 {"codegen/model: verb REARM: it needs the verb PSOT, which is not declared; declare it, or correct the name",
	  "@: id: TIMEOUT in REQ_SENT, LAP_SENT: REARM is not followed by PSOT, which it needs; add it after REARM"}},
	{"vocabulary", "two machines have one name",
	 [](Model &m) { m.machines.push_back(machine(m, "share")); m.machines.back().prefix = "CM_OTHER"; return ""; },
	 {"codegen/model: machine share: declared twice; drop or rename one of them"}},

	// names
	{"names", "a row is in a state that is not declared",
	 [](Model &m) { auto &r = row(m, "REP_AGAIN", "IDLE"); r.in.push_back({"IDEL"}); return where_of(r); },
	 {"@: id: REP_AGAIN in NONE, IDLE, REQ_SENT, GONE and 2 more: the state IDEL is not declared; "
	  "declare it, or correct the name"}},
	{"names", "a row is on an event that is not declared",
	 [](Model &m) { auto &r = row(m, "CREATE", "NONE"); r.on.push_back({"MAKE"}); return where_of(r); },
	 {"@: id: CREATE, MAKE in NONE: the event MAKE is not declared; declare it, or correct the name"}},
	{"names", "a row's next state is not declared",
	 [](Model &m) { auto &r = row(m, "TW_EXIT", "TIMEWAIT"); r.next = {"IDLING"}; return where_of(r); },
	 {"@: id: TW_EXIT in TIMEWAIT: the state IDLING is not declared; declare it, or correct the name",
	  "codegen/model: id: state TIMEWAIT: no calls, timers or failures lead from it to IDLE; "
	  "write a row that does without the peer and without destroy, or exempt the state"}},
	{"names", "a row does what is not declared",
	 [](Model &m) { auto &r = row(m, "DREQ", "TIMEWAIT"); insert(r, 0, "DANCE"); return where_of(r); },
	 {"@: id: DREQ in TIMEWAIT: the verb DANCE is not declared; declare it, or correct the name"}},
	{"names", "a row names no state",
	 [](Model &m) { id(m).rows.push_back({.on = {{"REP"}}, .verdict = never("x")}); return where_of(id(m).rows.back()); },
	 {"@: id: REP in : the row names no state; name one, or drop the row"}},
	{"names", "a state has a holder that is not declared",
	 [](Model &m) { state(m, "GONE").holders.push_back({"GHOST"}); return ""; },
	 {"codegen/model: id: state GONE: the holder GHOST is not declared; declare it, or correct the name"}},
	{"names", "a state has a free holder",
	 [](Model &m) { state(m, "GONE").holders.push_back({"LOOKUP"}); return ""; },
	 {"codegen/model: id: state GONE: LOOKUP is a free holder, which may come and go in every state; "
	  "drop it from the state, or declare it exact"}},
	{"names", "a public state that the kernel does not have",
	 [](Model &m) { state(m, "IDLE").public_state = "IB_CM_IDEL"; return ""; },
	 {"codegen/model: id: state IDLE: 'IB_CM_IDEL' is not one of enum ib_cm_state; correct the name"}},
	{"names", "a machine without an initial state",
	 [](Model &m) { machine(m, "tw").states[0].initial = false; return ""; },
	 {"codegen/model: tw: states: 0 are marked initial; mark exactly one"}},
	{"names", "a verb moves a holder that the machine does not have",
	 [](Model &m) { auto &r = row(m, "REMOVE", "IDLE"); insert(r, 0, "RESERVE"); return where_of(r); },
	 {"@: id: REMOVE in IDLE: RESERVE moves the holder RECORD, which this machine does not have; "
	  "use a verb of this machine, or declare the holder here"}},

	// cells
	{"cells", "a row forgets two states",
	 [](Model &m) {
		 auto &r = row(m, "REP_AGAIN", "IDLE");
		 std::erase(r.in, StateId{"IDLE"});
		 std::erase(r.in, StateId{"GONE"});
		 return "";
	 },
	 {"codegen/model: id: REP_AGAIN in IDLE, GONE: no row says what happens; "
	  "write one: handle, resend, reject, ignore, invalid or never"}},
	{"cells", "two rows answer the same event in the same state",
	 [](Model &m) {
		 id(m).rows.push_back({.on = {{"REP"}}, .in = {{"REQ_SENT"}}, .verdict = ignore(late)});
		 return where_of(id(m).rows.back());
	 },
	 {"@: id: REP in REQ_SENT: this cell is already written at [REP in REQ_SENT]; keep one of the two"}},
	{"cells", "a row names a state twice",
	 [](Model &m) { auto &r = row(m, "REMOVE", "IDLE"); r.in.push_back(r.in[0]); return where_of(r); },
	 {"@: id: REMOVE in IDLE: the row names this cell twice; keep one of the two"}},

	// reachable
	{"reachable", "no row leads to a state",
	 [](Model &m) { state(m, "LAP_SENT").reserved = {}; return ""; },
	 {"codegen/model: id: state LAP_SENT: no row leads to it from NONE; "
	  "write the row that does, or mark the state reserved and say why"}},
	{"reachable", "a row leads to a reserved state",
	 [](Model &m) { state(m, "GONE").reserved = "no hot-unplug yet"; return where_of(row(m, "REMOVE", "IDLE")); },
	 {"@: id: REMOVE in IDLE: the row leads to GONE, which is reserved (no hot-unplug yet); "
	  "drop `reserved` from the state, or the row's next state"}},

	// idle
	{"idle", "only the peer or destroy lead out of a state",
	 [](Model &m) { state(m, "ESTABLISHED").exempt_from_idle = false; return ""; },
	 {"codegen/model: id: state ESTABLISHED: no calls, timers or failures lead from it to IDLE; "
	  "write a row that does without the peer and without destroy, or exempt the state"}},

	// timers
	{"timers", "a request is sent and no timer started",
	 [](Model &m) {
		 verb(m, "ARM").arms = false;
		 return where_of(row(m, "SEND_REQ", "IDLE"));
	 },
	 {"@: id: SEND_REQ in IDLE: no timer runs and REQ_SENT awaits the peer; "
	  "add a verb that arms it, or do not mark REQ_SENT as awaiting the peer"}},
	{"timers", "the timer fires and nobody starts it again",
	 [](Model &m) { auto &r = row(m, "TIMEOUT", "REQ_SENT"); drop(r, "REARM"); return where_of(r); },
	 {"codegen/model: verb REARM: no row and no event uses it; use it or drop it",
	  "@: id: TIMEOUT in REQ_SENT: the timer has fired and REQ_SENT awaits the peer without one; "
	  "add a verb that arms it, or leave for a state that awaits nobody",
	  "@: id: TIMEOUT in LAP_SENT: the timer has fired and LAP_SENT awaits the peer without one; "
	  "add a verb that arms it, or leave for a state that awaits nobody"}},
	{"timers", "a timer is left running",
	 [](Model &m) { auto &r = row(m, "TIMEOUT_LAST", "REQ_SENT"); insert(r, 1, "REARM"); return where_of(r); },
	 {"@: id: TIMEOUT_LAST in REQ_SENT: a timer is left running and IDLE awaits nobody; "
	  "add a verb that stops it, or mark IDLE as awaiting the peer"}},
	{"timers", "a timer of another kind finds the request's still running, one of the request does not",
	 [](Model &m) { event(m, "TW_EXIT").other_timer = false; return where_of(row(m, "TW_EXIT", "REQ_SENT")); },
	 {"@: id: TW_EXIT in REQ_SENT: the timer has fired and REQ_SENT awaits the peer without one; "
	  "add a verb that arms it, or leave for a state that awaits nobody",
	  "@: id: TW_EXIT in LAP_SENT: the timer has fired and LAP_SENT awaits the peer without one; "
	  "add a verb that arms it, or leave for a state that awaits nobody"}},

	// stages
	{"stages", "a LOCKED verb after a POST verb",
	 [](Model &m) {
		 auto &r = row(m, "REMOVE", "ESTABLISHED");
		 std::swap(r.does[0], r.does[1]);
		 return where_of(r);
	 },
	 {"@: id: REMOVE in ESTABLISHED: the LOCKED verb UNLINK_REMOTE stands after the POST verb TELL_EXIT; "
	  "list LOCKED verbs first"}},
	{"stages", "a PREP verb in a row",
	 [](Model &m) { auto &r = row(m, "REMOVE", "IDLE"); insert(r, 0, "MAKE_BUFFER"); return where_of(r); },
	 {"@: id: REMOVE in IDLE: MAKE_BUFFER is a PREP verb, which runs before the cell is known; "
	  "list it in the event's prep"}},
	{"stages", "a row of nine LOCKED verbs",
	 [](Model &m) {
		 m.verbs.push_back({.id = {"NOTE"}, .stage = Verb::Stage::locked});
		 auto &r = row(m, "REMOVE", "IDLE");
		 r.does.assign(9, VerbId{"NOTE"});
		 return where_of(r);
	 },
	 {"@: id: REMOVE in IDLE: 9 LOCKED verbs, and a row has room for 8; join verbs that always go together"}},
	{"stages", "a row of five POST verbs",
	 [](Model &m) {
		 m.verbs.push_back({.id = {"NOTE"}, .stage = Verb::Stage::post});
		 auto &r = row(m, "REMOVE", "IDLE");
		 r.does.assign(5, VerbId{"NOTE"});
		 return where_of(r);
	 },
	 {"@: id: REMOVE in IDLE: 5 POST verbs, and a row has room for 4; join verbs that always go together"}},
	{"stages", "a message is formatted and not posted",
	 [](Model &m) { auto &r = row(m, "DREQ", "TIMEWAIT"); drop(r, "POST_MSG"); return where_of(r); },
	 {"@: id: DREQ in TIMEWAIT: FORMAT_DREP is not followed by POST_MSG, which it needs; add it after FORMAT_DREP"}},
	{"stages", "something follows the owner's put",
	 [](Model &m) {
		 auto &r = row(m, "DESTROY", "REQ_SENT");
		 std::swap(r.does[3], r.does[4]);
		 return where_of(r);
	 },
	 {"@: id: DESTROY, SAID_NO in REQ_SENT: POST_MSG stands after PUT, which must be the last of its stage; "
	  "move PUT to the end"}},
	{"stages", "a timer that prepares",
	 [](Model &m) { event(m, "TIMEOUT").prep = {{"MAKE_BUFFER"}}; return ""; },
	 {"codegen/model: id: event TIMEOUT: a timer has no time to prepare; "
	  "PREP verbs belong to calls and messages; drop its prep"}},
	{"stages", "a LOCKED verb among the prepared",
	 [](Model &m) { event(m, "REP").prep = {{"REARM"}}; return ""; },
	 {"codegen/model: id: event REP: REARM is a LOCKED verb; list it in the rows; prep holds PREP verbs only"}},
	{"stages", "a LOCKED verb allocates",
	 [](Model &m) { verb(m, "FORMAT_REJ").allocates = true; return ""; },
	 {"codegen/model: verb FORMAT_REJ: a LOCKED verb allocates; allocate in a PREP verb and hand over"}},
	{"stages", "a POST verb sleeps",
	 [](Model &m) { verb(m, "POST_MSG").may_sleep = true; return ""; },
	 {"codegen/model: verb POST_MSG: a POST verb may sleep; sleep in a PREP verb only"}},

	// holders
	{"holders", "nobody releases a link",
	 [](Model &m) { auto &r = row(m, "REMOVE", "ESTABLISHED"); drop(r, "UNLINK_REMOTE"); return where_of(r); },
	 {"@: id: REMOVE in ESTABLISHED: nothing releases REMOTE, which GONE does not have; "
	  "add a verb that releases it, or give it to GONE"}},
	{"holders", "nobody acquires a link",
	 [](Model &m) {
		 auto &r = row(m, "REP", "REQ_SENT");
		 drop(r, "LINK_REMOTE");
		 std::erase_if(m.verbs, [](Verb &v) { return v.id.text == "LINK_REMOTE"; });
		 return where_of(r);
	 },
	 {"@: id: REP in REQ_SENT: ESTABLISHED has the holder REMOTE and nothing acquires it; "
	  "add a verb that acquires it, or drop it from ESTABLISHED"}},
	{"holders", "what is not held is released",
	 [](Model &m) { auto &r = row(m, "REMOVE", "IDLE"); insert(r, 0, "UNLINK_REMOTE"); return where_of(r); },
	 {"@: id: REMOVE in IDLE: UNLINK_REMOTE releases REMOTE, which is not held here; "
	  "drop the verb, or give the holder to IDLE"}},
	{"holders", "what is held is acquired again",
	 [](Model &m) { auto &r = row(m, "REP", "REQ_SENT"); insert(r, 2, "LINK_REMOTE"); return where_of(r); },
	 {"@: id: REP in REQ_SENT: LINK_REMOTE acquires REMOTE, which is held already; "
	  "drop the verb, or release the holder before"}},
	{"holders", "a state forgets a holder",
	 [](Model &m) { drop(state(m, "TIMEWAIT"), "OWNER"); return where_of(row(m, "DREQ", "ESTABLISHED")); },
	 {"@: id: DREQ in ESTABLISHED: nothing releases OWNER, which TIMEWAIT does not have; "
	  "add a verb that releases it, or give it to TIMEWAIT",
	  "[DREQ in LAP_SENT]: id: DREQ in LAP_SENT: nothing releases OWNER, which TIMEWAIT does not have; "
	  "add a verb that releases it, or give it to TIMEWAIT",
	  "[TW_EXIT in TIMEWAIT]: id: TW_EXIT in TIMEWAIT: IDLE has the holder OWNER and nothing acquires it; "
	  "add a verb that acquires it, or drop it from IDLE",
	  "[REMOVE in TIMEWAIT]: id: REMOVE in TIMEWAIT: GONE has the holder OWNER and nothing acquires it; "
	  "add a verb that acquires it, or drop it from GONE",
	  "[DESTROY in TIMEWAIT]: id: DESTROY, SAID_NO in TIMEWAIT: DISOWN releases OWNER, which is not held here; "
	  "drop the verb, or give the holder to TIMEWAIT"}},
	{"holders", "a PREP verb moves an exact holder",
	 [](Model &m) { verb(m, "MAKE_BUFFER").acquires = {{"REMOTE"}}; return ""; },
	 {"codegen/model: id: event SEND_REQ: MAKE_BUFFER moves the exact holder REMOTE before the cell is known; "
	  "move it in a LOCKED verb of the rows"}},

	// verdicts
	{"verdicts", "an ignored event changes the state",
	 [](Model &m) { auto &r = row(m, "REP", "TIMEWAIT"); r.next = {"TIMEWAIT"}; return where_of(r); },
	 {"@: id: REP, REP_AGAIN in TIMEWAIT: the verdict ignore changes the state to TIMEWAIT; "
	  "drop the next state, or handle or reject the event"}},
	{"verdicts", "an event is ignored without a why",
	 [](Model &m) { auto &r = row(m, "REP", "TIMEWAIT"); r.verdict.why = {}; return where_of(r); },
	 {"@: id: REP, REP_AGAIN in TIMEWAIT: an event is ignored without a why; say duplicate, late, foreign, wrong_role or busy"}},
	{"verdicts", "an ignored event is answered",
	 [](Model &m) { auto &r = row(m, "DREQ", "TIMEWAIT"); r.verdict = ignore(duplicate); return where_of(r); },
	 {"@: id: DREQ in TIMEWAIT: an ignored event is answered; make it resend, reject or handle, or drop the verb that sends"}},
	{"verdicts", "a handled event has a why",
	 [](Model &m) { auto &r = row(m, "REMOVE", "IDLE"); r.verdict.why = late; return where_of(r); },
	 {"@: id: REMOVE in IDLE: the verdict handle has a why, which only ignore has; drop it"}},
	{"verdicts", "nothing is sent again",
	 [](Model &m) { auto &r = row(m, "DREQ", "TIMEWAIT"); r.does = {}; return where_of(r); },
	 {"@: id: DREQ in TIMEWAIT: the verdict resend sends nothing; add the verb that sends, or ignore the event"}},
	{"verdicts", "the peer is rejected without a word",
	 [](Model &m) { auto &r = row(m, "REMOVE", "IDLE"); r.verdict = reject(); return where_of(r); },
	 {"@: id: REMOVE in IDLE: the verdict reject sends nothing; add the verb that sends, or ignore the event"}},
	{"verdicts", "an invalid call without an errno",
	 [](Model &m) { auto &r = row(m, "SEND_REQ", "GONE"); r.verdict.error = {}; return where_of(r); },
	 {"@: id: SEND_REQ in GONE: an invalid call gets no errno; name the errno"}},
	{"verdicts", "an errno that does not exist",
	 [](Model &m) { auto &r = row(m, "SEND_REQ", "GONE"); r.verdict.error = "ENOLUCK"; return where_of(r); },
	 {"@: id: SEND_REQ in GONE: 'ENOLUCK' is not an errno that a call returns; correct the name"}},
	{"verdicts", "an invalid call does something",
	 [](Model &m) { auto &r = row(m, "SEND_REQ", "GONE"); r.does = {{"TELL_REP"}}; return where_of(r); },
	 {"@: id: SEND_REQ in GONE: the verdict invalid has verbs; drop them, or handle the event"}},
	{"verdicts", "a message is called invalid",
	 [](Model &m) { auto &r = row(m, "DREQ", "IDLE"); r.verdict = invalid("EINVAL"); return where_of(r); },
	 {"@: id: DREQ in NONE, IDLE, REQ_SENT, GONE, DEAD: the message DREQ is called invalid, and nobody is there to be told; "
	  "ignore it and say why, or call it never"}},
	{"verdicts", "it is never to happen and nobody says why",
	 [](Model &m) { auto &r = row(m, "CREATE", "IDLE"); r.verdict = never(""); r.in.resize(1); r.in.insert(r.in.end(), {{"REQ_SENT"},
			{"ESTABLISHED"}, {"LAP_SENT"}, {"TIMEWAIT"}, {"GONE"}, {"DEAD"}}); return where_of(r); },
	 {"@: id: CREATE in IDLE, REQ_SENT, ESTABLISHED, LAP_SENT and 3 more: "
	  "it is never to happen and no reason is given; say why it cannot be"}},

	// destroy
	{"destroy", "destroy is refused",
	 [](Model &m) {
		 auto &r = row(m, "DESTROY", "ESTABLISHED");
		 r = {.on = r.on, .in = r.in, .verdict = never("too busy")};
		 return where_of(r);
	 },
	 {"@: id: DESTROY, SAID_NO in ESTABLISHED: destroy is not legal here (never); handle it: destroy is legal in every state"}},
	{"destroy", "destroy leaves the object alive",
	 [](Model &m) { auto &r = row(m, "DESTROY", "IDLE"); std::erase(r.in, StateId{"IDLE"});
		 id(m).rows.push_back({.on = r.on, .in = {{"IDLE"}}}); return where_of(id(m).rows.back()); },
	 {"@: id: DESTROY, SAID_NO in IDLE: destroy does not end in DEAD; set the next state to DEAD"}},
	{"destroy", "destroy sends two messages",
	 [](Model &m) { auto &r = row(m, "DESTROY", "REQ_SENT"); insert(r, 2, "FORMAT_DREP"); return where_of(r); },
	 {"@: id: DESTROY, SAID_NO in REQ_SENT: destroy sends 2 messages (REJ, DREP); send one parting message at most"}},

	// terminal
	{"terminal", "an attempt ends and the consumer is not told",
	 [](Model &m) { auto &r = row(m, "SEND_FAILED", "REQ_SENT"); drop(r, "TELL_REQ_ERROR"); return where_of(r); },
	 {"@: id: SEND_FAILED in REQ_SENT: the attempt ends in IDLE and the consumer is not told; deliver exactly one terminal event"}},
	{"terminal", "the consumer's object dies under its hands",
	 [](Model &m) {
		 auto &r = row(m, "TW_EXIT", "TIMEWAIT");
		 r.next = {"DEAD"};
		 r.does = {{"DISOWN"}, {"PUT"}};
		 return where_of(r);
	 },
	 {"codegen/model: id: state TIMEWAIT: no calls, timers or failures lead from it to IDLE; "
	  "write a row that does without the peer and without destroy, or exempt the state",
	  "@: id: TW_EXIT in TIMEWAIT: the attempt ends in DEAD and the consumer is not told; deliver exactly one terminal event"}},
	{"terminal", "an attempt ends twice",
	 [](Model &m) { auto &r = row(m, "REMOVE", "TIMEWAIT"); insert(r, 0, "TELL_REQ_ERROR"); return where_of(r); },
	 {"@: id: REMOVE in TIMEWAIT: several terminal events are delivered (TELL_REQ_ERROR, TELL_EXIT); deliver one"}},
	{"terminal", "a call is told what it did itself",
	 [](Model &m) { auto &r = row(m, "DESTROY", "TIMEWAIT"); insert(r, 1, "TELL_EXIT");
		 r.in = {{"TIMEWAIT"}}; id(m).rows.push_back({.on = r.on, .in = {{"IDLE"}, {"GONE"}}, .next = {"DEAD"},
		 .does = {{"DISOWN"}, {"PUT"}}}); return where_of(row(m, "DESTROY", "TIMEWAIT")); },
	 {"@: id: DESTROY, SAID_NO in TIMEWAIT: a handler delivers the terminal event of TELL_EXIT; "
	  "drop the verb: who acts himself is not told"}},
	{"terminal", "an end where nothing was begun",
	 [](Model &m) { auto &r = row(m, "REMOVE", "IDLE"); insert(r, 0, "TELL_EXIT"); return where_of(r); },
	 {"@: id: REMOVE in IDLE: TELL_EXIT ends an attempt and none is under way in IDLE; "
	  "drop the verb, or mark IDLE as a connection"}},

	// puts
	{"puts", "a reference is dropped under the lock",
	 [](Model &m) { verb(m, "CANCEL").needs = {}; return where_of(row(m, "REP", "REQ_SENT")); },
	 {"@: id: REP in REQ_SENT: CANCEL releases REQUEST under the lock, and no verb that puts its reference must follow; "
	  "name the last POST verb in `needs` of CANCEL"}},
	{"puts", "the last put is LOCKED",
	 [](Model &m) {
		 m.verbs.push_back({.id = {"FREE_NOW"}, .stage = Verb::Stage::locked, .last = true});
		 row(m, "REMOVE", "IDLE").does = {{"FREE_NOW"}};
		 return "";
	 },
	 {"codegen/model: verb FREE_NOW: the last put is made in the LOCKED stage; make it a POST verb: what it frees holds the lock"}},

	// decisions
	{"decisions", "some facts name no event",
	 [](Model &m) { decision(m, "TIMEOUT").rules.pop_back(); return where_of(decision(m, "TIMEOUT").rules[0]); },
	 {"@: id: decision TIMEOUT, SENDS_LEFT -> TIMEOUT: the last rule has conditions, so that some facts name no event; "
	  "add a last rule without conditions",
	  "codegen/model: id: event TIMEOUT_LAST: no decision list names this timer; name it in one, mark it direct, or drop it"}},
	{"decisions", "a rule is hidden by an earlier one",
	 [](Model &m) {
		 auto &rules = decision(m, "REP").rules;
		 rules.insert(rules.begin(), Rule{.when = {is({"IDS_MATCH"})}, .event = {"REP"}});
		 return where_of(rules[1]);
	 },
	 {"@: id: decision REP, REPEATED, IDS_MATCH -> REP_AGAIN: no facts are left to it by the rules before; move it up, or drop it",
	  "[decision REP, 3]: id: decision REP, otherwise -> REP: no facts are left to it by the rules before; move it up, or drop it"}},
	{"decisions", "a rule is hidden by two earlier ones together",
	 [](Model &m) {
		 auto &rules = decision(m, "TIMEOUT").rules;
		 rules.insert(rules.begin() + 1, Rule{.when = {no({"SENDS_LEFT"})}, .event = {"TIMEOUT_LAST"}});
		 return where_of(rules[2]);
	 },
	 {"@: id: decision TIMEOUT, otherwise -> TIMEOUT_LAST: no facts are left to it by the rules before; move it up, or drop it"}},
	{"decisions", "a rule contradicts itself",
	 [](Model &m) {
		 auto &rules = decision(m, "TIMEOUT").rules;
		 rules.insert(rules.begin(), Rule{.when = {is({"SENDS_LEFT"}), no({"SENDS_LEFT"})}, .event = {"TIMEOUT"}});
		 return where_of(rules[0]);
	 },
	 {"@: id: decision TIMEOUT, SENDS_LEFT, not SENDS_LEFT -> TIMEOUT: it wants a fact to be both true and false; "
	  "drop one of the conditions"}},
	{"decisions", "a rule asks for a fact that is not declared",
	 [](Model &m) {
		 decision(m, "DREQ").rules.insert(decision(m, "DREQ").rules.begin(), Rule{.when = {is({"MOON_FULL"})}, .event = {"DREQ"}});
		 return where_of(decision(m, "DREQ").rules[0]);
	 },
	 {"@: id: decision DREQ, MOON_FULL -> DREQ: the fact MOON_FULL is not declared; declare it, or correct the name"}},
	{"decisions", "a rule names an event of another machine",
	 [](Model &m) { decision(m, "DREQ").rules[0].event = {"TW_DREQ"}; return where_of(decision(m, "DREQ").rules[0]); },
	 {"@: id: decision DREQ, otherwise -> TW_DREQ: the event TW_DREQ is not declared; declare it, or correct the name",
	  "codegen/model: id: event DREQ: no decision list names this message; name it in one, mark it direct, or drop it"}},
	{"decisions", "a list decides for a machine that is not there",
	 [](Model &m) { decision(m, "TW_DREQ").machine = "timewait"; return ""; },
	 {"codegen/model: timewait: decision TW_DREQ: its machine is not declared; correct the name"}},
	{"decisions", "a list without a rule",
	 [](Model &m) { m.decisions.push_back({.id = "NOTHING", .machine = "id"}); return ""; },
	 {"codegen/model: id: decision NOTHING: it has no rule; write at least the one without conditions"}},
	{"decisions", "a timer that no list names",
	 [](Model &m) { event(m, "TW_EXIT").direct = false; return ""; },
	 {"codegen/model: id: event TW_EXIT: no decision list names this timer; name it in one, mark it direct, or drop it"}},
};

// Replaces the stand-ins of an expected line by file and line.
std::string with_places(std::string line, Model &m, const std::string &culprit)
{
	if (line.starts_with("@"))
		line.replace(0, 1, culprit);
	auto open = line.find('['), close = line.find(']');
	if (open == line.npos)
		return line;
	std::string inner = line.substr(open + 1, close - open - 1), place;
	if (inner.starts_with("decision ")) {
		auto comma = inner.find(", ");
		place = where_of(decision(m, inner.substr(9, comma - 9)).rules.at(std::stoul(inner.substr(comma + 2))));
	} else {
		auto in = inner.find(" in ");
		place = where_of(row(m, inner.substr(0, in), inner.substr(in + 4)));
	}
	return line.replace(open, close - open + 1, place);
}

class Bad : public testing::TestWithParam<Case> {};

TEST_P(Bad, SaysRowCauseAndMend)
{
	const Case &c = GetParam();
	Model model = mini();
	std::string where = c.spoil(model);
	Output o = cmgen(model, {"check"});

	std::string expected;
	for (const std::string &line : c.expected)
		expected += with_places(line, model, where) + "\n";
	std::size_t n = c.expected.size();
	expected += "cmgen: " + std::to_string(n) + (n == 1 ? " finding\n" : " findings\n");

	EXPECT_EQ(o.err, expected) << c;
	EXPECT_EQ(o.out, "");
	EXPECT_EQ(o.status, 1);
	Findings findings = check(model);
	EXPECT_TRUE(std::any_of(findings.begin(), findings.end(), [&](const Finding &f) { return f.check == c.check; })) << c;
}

INSTANTIATE_TEST_SUITE_P(Model, Bad, testing::ValuesIn(cases));

TEST(Checks, EachHasABadModel)
{
	for (const Check &one : checks())
		EXPECT_TRUE(std::any_of(std::begin(cases), std::end(cases), [&](const Case &c) { return c.check == one.id; }))
			<< one.id;
}

// File and line are those of the row, from codegen/ on.
TEST(Checks, PointAtTheRow)
{
	Model model = mini();
	auto replace = [&](std::initializer_list<Row> rows) { row(model, "REMOVE", "IDLE") = *rows.begin(); };
	replace({
		{.on = {{"REMOVE"}}, .in = {{"IDLE"}}, .next = {"GONE"}, .verdict = resend(),
		 .source = stock("nowhere")},
	});
	std::string here = "codegen/tests/checks_test.cc:" + std::to_string(__LINE__ - 3);

	Findings findings = check(model);
	ASSERT_EQ(findings.size(), 2u);
	EXPECT_EQ(text(findings[0]), here + ": id: REMOVE in IDLE: the verdict resend changes the state to GONE; "
					    "drop the next state, or handle or reject the event");
	EXPECT_EQ(findings[1].where, here);
}

TEST(Checks, SmallModelIsClean)
{
	Output o = cmgen(mini(), {"check"});
	EXPECT_EQ(o.err, "");
	EXPECT_EQ(o.out, "cmgen: 3 machines, 46 rows, 114 cells, 13 checks: ok\n");
	EXPECT_EQ(o.status, 0);
}

} // namespace
} // namespace cepheus
