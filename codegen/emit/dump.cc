// SPDX-License-Identifier: GPL-2.0-only
#include "emit.h"

#include "../check/view.h"

namespace cepheus {

using namespace model;

namespace {

class Writer {
public:
	std::string out;

	void line(int depth, std::string_view text)
	{
		out.append(depth, '\t');
		out += text;
		out += '\n';
	}
	// Only if there is something to say.
	void field(int depth, std::string_view key, std::string_view value)
	{
		if (!value.empty())
			line(depth, std::string(key) + " " + std::string(value));
	}
};

std::string named(std::string_view kind, std::string_view id, std::string_view meaning)
{
	std::string out = std::string(kind) + " " + std::string(id);
	if (!meaning.empty())
		out += ": " + std::string(meaning);
	return out;
}

std::string flags(std::initializer_list<std::pair<bool, std::string_view>> list)
{
	std::vector<std::string_view> set;
	for (auto [on, name] : list)
		if (on)
			set.push_back(name);
	return join(set);
}

std::string verdict_text(const Verdict &v)
{
	std::string out(kind_text(v.kind));
	if (v.why != Verdict::Why::none)
		out += " " + std::string(why_text(v.why));
	if (!v.error.empty())
		out += " " + std::string(v.error);
	if (!v.reason.empty())
		out += " (" + std::string(v.reason) + ")";
	return out;
}

void write(Writer &w, const Machine &m)
{
	w.line(0, named("machine", m.id.text, m.meaning));
	w.field(1, "prefix", m.prefix);
	w.field(1, "idle", m.idle_state);
	for (const Holder &h : m.holders) {
		w.line(1, named("holder", h.id.text, h.meaning));
		w.line(2, std::string(h.exact ? "exact" : "free") + (h.counted ? ", counted" : ""));
	}
	for (const State &s : m.states) {
		w.line(1, named("state", s.id.text, s.meaning));
		w.field(2, "public", s.public_state);
		w.field(2, "lap", s.lap_state);
		w.field(2, "holders", join(s.holders));
		w.field(2, "is", flags({{s.initial, "initial"},
					{s.final, "final"},
					{s.connection, "a connection"},
					{s.awaits_peer, "awaiting the peer"},
					{s.exempt_from_idle, "exempt from idle"}}));
		w.field(2, "reserved", s.reserved);
	}
	for (const Event &e : m.events) {
		w.line(1, named("event", e.id.text, e.meaning));
		w.line(2, std::string(kind_text(e.kind)) + (e.direct ? ", direct" : "") + (e.other_timer ? ", other timer" : ""));
		w.field(2, "prepares", join(e.prep));
	}
	for (const Row &row : m.rows) {
		w.line(1, join(row.on) + " in " + join(row.in) + (row.next ? " -> " + std::string(row.next.text) : ""));
		w.line(2, verdict_text(row.verdict));
		w.field(2, "does", join(row.does));
		w.field(2, "source", source_text(row.source));
		w.field(2, "reason", row.reason);
	}
}

} // namespace

std::string dump(const Model &model)
{
	Writer w;
	for (const Machine &m : model.machines) {
		write(w, m);
		w.out += '\n';
	}
	for (const Verb &v : model.verbs) {
		w.line(0, named("verb", v.id.text, v.meaning));
		w.line(1, stage_text(v.stage));
		w.field(1, "acquires", join(v.acquires));
		w.field(1, "releases", join(v.releases));
		w.field(1, "sends", v.sends);
		w.field(1, "delivers", v.delivers);
		w.field(1, "needs", v.needs.text);
		w.field(1, "is", flags({{v.terminal, "terminal"},
					{v.arms, "arming"},
					{v.disarms, "disarming"},
					{v.allocates, "allocating"},
					{v.may_sleep, "sleeping"},
					{v.last, "last"}}));
	}
	w.out += '\n';
	for (const Fact &f : model.facts)
		w.line(0, named("fact", f.id.text, f.meaning));
	for (const DecisionList &d : model.decisions) {
		w.out += '\n';
		w.line(0, named("decision", d.id, d.meaning) + " [" + std::string(d.machine) + "]");
		for (const Rule &r : d.rules) {
			w.line(1, rule_text(r));
			w.field(2, "source", source_text(r.source));
		}
	}
	return w.out;
}

} // namespace cepheus
