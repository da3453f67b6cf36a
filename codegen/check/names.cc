// SPDX-License-Identifier: GPL-2.0-only
//
// Owns: the checks of what is declared: vocabulary (of the model) and names (of
// a machine and its rows).
#include "check.h"

#include <algorithm>
#include <array>

namespace cepheus {

using namespace model;

namespace {

constexpr std::array public_states = {
	"IDLE", "LISTEN", "REQ_SENT", "REQ_RCVD", "MRA_REQ_SENT", "MRA_REQ_RCVD", "REP_SENT", "REP_RCVD",
	"MRA_REP_SENT", "MRA_REP_RCVD", "ESTABLISHED", "DREQ_SENT", "DREQ_RCVD", "TIMEWAIT", "SIDR_REQ_SENT",
	"SIDR_REQ_RCVD",
};
constexpr std::array public_laps = {"UNINIT", "IDLE", "SENT", "RCVD"};
constexpr std::array public_mra_laps = {"SENT", "RCVD"};

template <class Array> bool among(const Array &list, std::string_view name)
{
	return std::any_of(list.begin(), list.end(), [&](std::string_view one) { return one == name; });
}

bool strip(std::string_view &name, std::string_view prefix)
{
	if (!name.starts_with(prefix))
		return false;
	name.remove_prefix(prefix.size());
	return true;
}

// With the prefix of <rdma/ib_cm.h> or without.
bool is_public_state(std::string_view name)
{
	strip(name, "IB_CM_");
	return among(public_states, name);
}

bool is_public_lap(std::string_view name)
{
	strip(name, "IB_CM_");
	if (strip(name, "MRA_LAP_"))
		return among(public_mra_laps, name);
	strip(name, "LAP_");
	return among(public_laps, name);
}

// What may stand in a C enumerator after the prefix.
bool is_identifier(std::string_view name)
{
	auto upper = [](char c) { return c >= 'A' && c <= 'Z'; };
	if (name.empty() || !upper(name.front()))
		return false;
	return std::all_of(name.begin(), name.end(),
			   [&](char c) { return upper(c) || (c >= '0' && c <= '9') || c == '_'; });
}

std::string quote(std::string_view name)
{
	return "'" + std::string(name) + "'";
}

constexpr auto bad_name = "the name is not upper case letters, digits and underscores";
constexpr auto mend_name = "rename it: it becomes part of a C enumerator";

// Calls say(subject, cause, mend) for each badly written or repeated name.
template <class Range, class Name, class Say>
void declare(std::string kind, const Range &list, std::size_t room, Name name, Say say)
{
	std::set<std::string_view> seen;
	for (const auto &item : list) {
		std::string_view id = name(item);
		std::string subject = kind + " " + std::string(id);
		if (!is_identifier(id))
			say(kind + " " + quote(id), std::string(bad_name), std::string(mend_name));
		if (!seen.insert(id).second)
			say(subject, std::string("declared twice"), std::string("drop or rename one of them"));
	}
	if (list.size() > room)
		say(kind + "s", std::to_string(list.size()) + " are declared and the tables have room for " + std::to_string(room),
		    std::string("declare fewer, or widen the tables"));
}

} // namespace

void check_vocabulary(const Model &model, Findings &out)
{
	auto say = [&](std::string subject, std::string cause, std::string mend) {
		out.push_back({"vocabulary", "", "codegen/model", subject, cause, mend});
	};
	auto id_of = [](const auto &x) { return x.id.text; };

	declare("verb", model.verbs, max_u8, id_of, say);
	declare("fact", model.facts, max_facts, id_of, say);
	declare("decision list", model.decisions, max_u8, [](const DecisionList &d) { return d.id; }, say);
	declare("machine prefix", model.machines, max_u8, [](const Machine &m) { return m.prefix; }, say);

	std::set<std::string_view> machines, holders;
	for (const Machine &m : model.machines) {
		if (!machines.insert(m.id.text).second)
			say("machine " + std::string(m.id.text), "declared twice", "drop or rename one of them");
		for (const Holder &h : m.holders)
			holders.insert(h.id.text);
	}

	std::set<std::string_view> verbs, used, facts;
	for (const Verb &v : model.verbs)
		verbs.insert(v.id.text);
	for (const Machine &m : model.machines) {
		for (const Row &row : m.rows)
			for (VerbId v : row.does)
				used.insert(v.text);
		for (const Event &e : m.events)
			for (VerbId v : e.prep)
				used.insert(v.text);
	}
	for (const DecisionList &d : model.decisions)
		for (const Rule &r : d.rules)
			for (const Condition &c : r.when)
				facts.insert(c.fact.text);

	for (const Verb &v : model.verbs) {
		std::string subject = "verb " + std::string(v.id.text);
		for (HolderId h : moves(v))
			if (!holders.contains(h.text))
				say(subject, "no machine declares the holder " + std::string(h.text),
				    "declare it, or correct the name");
		if (v.needs && !verbs.contains(v.needs.text))
			say(subject, "it needs the verb " + std::string(v.needs.text) + ", which is not declared",
			    "declare it, or correct the name");
		if (!used.contains(v.id.text))
			say(subject, "no row and no event uses it", "use it or drop it");
	}
	for (const Fact &f : model.facts)
		if (!facts.contains(f.id.text))
			say("fact " + std::string(f.id.text), "no decision list asks for it", "use it or drop it");
}

void check_names(const View &view, Report &report)
{
	const Machine &m = view.machine;
	auto say = [&](std::string subject, std::string cause, std::string mend) {
		report.machine(subject, cause, mend);
	};
	auto id_of = [](const auto &x) { return x.id.text; };

	declare("state", m.states, max_u8, id_of, say);
	declare("event", m.events, max_u8, id_of, say);
	declare("holder", m.holders, max_holders, id_of, say);
	if (m.rows.size() > max_u8)
		say("rows", std::to_string(m.rows.size()) + " are written and the tables have room for " + std::to_string(max_u8),
		    "merge rows that say the same");

	auto initials = std::count_if(m.states.begin(), m.states.end(), [](const State &s) { return s.initial; });
	auto finals = std::count_if(m.states.begin(), m.states.end(), [](const State &s) { return s.final; });
	if (initials != 1)
		say("states", std::to_string(initials) + " are marked initial", "mark exactly one");
	if (finals > 1)
		say("states", std::to_string(finals) + " are marked final", "mark one at most");
	if (!m.idle_state.empty() && !view.state({m.idle_state}))
		say("idle state " + std::string(m.idle_state), "no such state is declared", "declare it, or correct the name");

	for (const State &s : m.states) {
		std::string subject = "state " + std::string(s.id.text);
		std::set<HolderId> seen;
		for (HolderId id : s.holders) {
			const Holder *h = view.holder(id);
			if (!h)
				say(subject, "the holder " + std::string(id.text) + " is not declared",
				    "declare it, or correct the name");
			else if (!h->exact)
				say(subject, std::string(id.text) + " is a free holder, which may come and go in every state",
				    "drop it from the state, or declare it exact");
			if (!seen.insert(id).second)
				say(subject, "the holder " + std::string(id.text) + " is listed twice", "drop one of them");
		}
		if (!s.public_state.empty() && !is_public_state(s.public_state))
			say(subject, quote(s.public_state) + " is not one of enum ib_cm_state", "correct the name");
		if (!s.lap_state.empty() && !is_public_lap(s.lap_state))
			say(subject, quote(s.lap_state) + " is not one of enum ib_cm_lap_state", "correct the name");
	}

	for (const Event &e : m.events)
		for (VerbId v : e.prep)
			if (!view.verb(v))
				say("event " + std::string(e.id.text), "the verb " + std::string(v.text) + " is not declared",
				    "declare it, or correct the name");

	std::set<HolderId> moved;
	for (const State &s : m.states)
		moved.insert(s.holders.begin(), s.holders.end());
	for (const Holder &h : m.holders)
		if (h.exact && !moved.contains(h.id))
			say("holder " + std::string(h.id.text), "it is exact and no state has it",
			    "name it in the states that have it, or drop it");

	for (const Row &row : m.rows) {
		auto unknown = [&](std::string_view kind, std::string_view name) {
			report.row(row, "the " + std::string(kind) + " " + std::string(name) + " is not declared",
				   "declare it, or correct the name");
		};
		if (row.on.empty())
			report.row(row, "the row names no event", "name one, or drop the row");
		if (row.in.empty())
			report.row(row, "the row names no state", "name one, or drop the row");
		for (EventId e : row.on)
			if (!view.event(e))
				unknown("event", e.text);
		for (StateId s : row.in)
			if (!view.state(s))
				unknown("state", s.text);
		if (row.next && !view.state(row.next))
			unknown("state", row.next.text);
		for (VerbId id : row.does) {
			const Verb *v = view.verb(id);
			if (!v) {
				unknown("verb", id.text);
				continue;
			}
			for (HolderId h : moves(*v))
				if (!view.holder(h))
					report.row(row, std::string(id.text) + " moves the holder " + std::string(h.text)
						   + ", which this machine does not have",
						   "use a verb of this machine, or declare the holder here");
		}
	}
}

} // namespace cepheus
