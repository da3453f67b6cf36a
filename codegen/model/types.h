// SPDX-License-Identifier: GPL-2.0-only
//
// The vocabulary in which the protocol is written down.
//
// Owns: the types of a model and nothing else. A Model is plain data, so that
// tests can build small bad ones; the protocol itself is in the other files of
// this folder, one per phase, and is put together by protocol().
#pragma once

#include <cstdint>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

namespace cepheus::model {

// A name of one kind. Distinct types, so that a state is never taken for an
// event; values are names, so that a test can invent its own.
template <class Tag> struct Name {
	std::string_view text;
	friend constexpr bool operator==(Name, Name) = default;
	friend constexpr auto operator<=>(Name, Name) = default;
	constexpr explicit operator bool() const { return !text.empty(); }
};

using MachineId = Name<struct MachineTag>;
using StateId = Name<struct StateTag>;
using EventId = Name<struct EventTag>;
using VerbId = Name<struct VerbTag>;
using HolderId = Name<struct HolderTag>;
using FactId = Name<struct FactTag>;

// Inside a list of rows the compiler gives every row the place of the list. What is
// made by a call knows its own place, and so tells that of its row.
using Place = std::source_location;

// Where a statement was read. An empty one is counted and listed.
struct Source {
	enum class Kind { none, standard, stock, field, contract, interface };
	Kind kind = Kind::none;
	std::string_view where;
	Place at = {};
};

constexpr Source ibta(std::string_view s, Place at = Place::current()) { return {Source::Kind::standard, s, at}; }
constexpr Source stock(std::string_view s, Place at = Place::current()) { return {Source::Kind::stock, s, at}; }
constexpr Source field(std::string_view s, Place at = Place::current()) { return {Source::Kind::field, s, at}; }
constexpr Source contract(std::string_view s, Place at = Place::current()) { return {Source::Kind::contract, s, at}; }
constexpr Source kernel(std::string_view s, Place at = Place::current()) { return {Source::Kind::interface, s, at}; }

// Who may hold an object. Exact holders are declared per state; free ones may
// come and go in every state. A counted holder owns one reference; the others
// are links that the object can be found by.
struct Holder {
	HolderId id;
	bool exact = true;
	bool counted = false;
	std::string_view meaning;
};

struct State {
	StateId id;
	std::string_view meaning;
	std::string_view public_state = {};	// enum ib_cm_state; empty: not visible
	std::string_view lap_state = {};	// enum ib_cm_lap_state
	std::vector<HolderId> holders = {};	// the exact set
	bool awaits_peer = false;	// a timer must be running
	bool connection = false;	// an attempt is under way: leaving it is an end
	bool exempt_from_idle = false;	// may stay for ever (LISTEN, final states)
	bool initial = false;
	bool final = false;
	std::string_view reserved = {};	// why no row reaches it yet
};

struct Event {
	enum class Kind { call, message, timer, failure, removal, destroy, handler, internal };
	EventId id;
	Kind kind;
	std::string_view meaning;
	std::vector<VerbId> prep = {};	// PREP verbs, run before the lock
	bool direct = false;		// message, timer: raised as such, no decision list names it
	bool other_timer = false;	// timer: not that of the outstanding request, which runs on
};

struct Verb {
	enum class Stage { prep, locked, post };
	VerbId id;
	Stage stage;
	std::string_view meaning;
	std::vector<HolderId> acquires = {};
	std::vector<HolderId> releases = {};
	std::string_view sends = {};	// the message that it formats
	std::string_view delivers = {};	// the consumer's event, enum ib_cm_event_type
	bool terminal = false;		// that event may end an attempt
	bool arms = false;		// starts the timer of the outstanding request
	bool disarms = false;		// stops it
	bool allocates = false;		// legal in PREP only
	bool may_sleep = false;		// legal in PREP only
	VerbId needs = {};		// a POST verb that must follow in the row
	bool last = false;		// nothing may follow it in its stage (the owner's put)
};

struct Verdict {
	enum class Kind { handle, resend, reject, ignore, invalid, never };
	enum class Why { none, duplicate, late, foreign, wrong_role, busy };
	Kind kind = Kind::handle;
	Why why = Why::none;
	std::string_view error = {};	// invalid: the errno's name, "EINVAL"
	std::string_view reason = {};	// never: why it cannot be
	Place at = {};
};

constexpr Verdict handle(Place at = Place::current()) { return {Verdict::Kind::handle, {}, {}, {}, at}; }
constexpr Verdict resend(Place at = Place::current()) { return {Verdict::Kind::resend, {}, {}, {}, at}; }
constexpr Verdict reject(Place at = Place::current()) { return {Verdict::Kind::reject, {}, {}, {}, at}; }
constexpr Verdict ignore(Verdict::Why w, Place at = Place::current()) { return {Verdict::Kind::ignore, w, {}, {}, at}; }
constexpr Verdict invalid(std::string_view e, Place at = Place::current()) { return {Verdict::Kind::invalid, {}, e, {}, at}; }
constexpr Verdict never(std::string_view why, Place at = Place::current()) { return {Verdict::Kind::never, {}, {}, why, at}; }

inline constexpr auto duplicate = Verdict::Why::duplicate;
inline constexpr auto late = Verdict::Why::late;
inline constexpr auto foreign = Verdict::Why::foreign;
inline constexpr auto wrong_role = Verdict::Why::wrong_role;
inline constexpr auto busy = Verdict::Why::busy;	// no room or memory: a lost datagram, or "later"

// One line of the protocol. No next state: the state stays.
struct Row {
	std::vector<EventId> on;
	std::vector<StateId> in;
	StateId next = {};
	Verdict verdict = {};
	std::vector<VerbId> does = {};
	Source source = {};
	std::string_view reason = {};
	Place at = Place::current();
};

struct Fact {
	FactId id;
	std::string_view meaning;
};

// A fact that a rule wants to be true, or false.
struct Condition {
	FactId fact;
	bool want = true;
	Place at = {};
};
constexpr Condition is(FactId f, Place at = Place::current()) { return {f, true, at}; }
constexpr Condition no(FactId f, Place at = Place::current()) { return {f, false, at}; }

// The first rule whose conditions all hold names the event.
struct Rule {
	std::vector<Condition> when;
	EventId event;
	Source source = {};
	Place at = Place::current();
};

struct DecisionList {
	std::string_view id;		// what arrived: "REP", "TIMEOUT", "CALL_MRA"
	std::string_view machine;	// whose events it names
	std::string_view meaning;
	std::vector<Rule> rules;
};

struct Machine {
	MachineId id;			// "id", "share", "tw"
	std::string_view prefix;	// of the C names: "CM_ID", "CM_SHARE", "CM_TW"
	std::string_view meaning;
	std::vector<State> states;
	std::vector<Event> events;
	std::vector<Holder> holders;
	std::vector<Row> rows;
	std::string_view idle_state = {};	// the owned, reusable state that every other must lead to
};

struct Model {
	std::vector<Machine> machines;
	std::vector<Verb> verbs;	// shared by the machines
	std::vector<Fact> facts;
	std::vector<DecisionList> decisions;
};

// The whole protocol, checked by the tests and rendered by cmgen.
Model protocol();

} // namespace cepheus::model
