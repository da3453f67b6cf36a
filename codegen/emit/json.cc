// SPDX-License-Identifier: GPL-2.0-only
#include "emit.h"

#include "../check/view.h"

#include <nlohmann/json.hpp>

namespace cepheus {

using namespace model;
using nlohmann::ordered_json;

namespace {

template <class Range> ordered_json names(const Range &list)
{
	ordered_json out = ordered_json::array();
	for (const auto &id : list)
		out.push_back(id.text);
	return out;
}

// Without the prefix of <rdma/ib_cm.h>; null if the state is not visible.
ordered_json enumerator(std::string_view name, std::string_view prefix)
{
	if (name.empty())
		return nullptr;
	return name.starts_with("IB_CM_") ? std::string(name) : std::string(prefix) + std::string(name);
}

ordered_json lap(std::string_view name)
{
	bool bare = !name.empty() && !name.starts_with("LAP_") && !name.starts_with("MRA_");
	return enumerator(name, bare ? "IB_CM_LAP_" : "IB_CM_");
}

ordered_json state_json(const State &s)
{
	return {
		{"name", s.id.text},
		{"meaning", s.meaning},
		{"public", enumerator(s.public_state, "IB_CM_")},
		{"lap", lap(s.lap_state)},
		{"holders", names(s.holders)},
		{"awaits_peer", s.awaits_peer},
		{"connection", s.connection},
		{"initial", s.initial},
		{"final", s.final},
		{"reserved", s.reserved},
	};
}

ordered_json event_json(const Event &e)
{
	return {
		{"name", e.id.text},
		{"kind", kind_text(e.kind)},
		{"meaning", e.meaning},
		{"prep", names(e.prep)},
	};
}

ordered_json row_json(const View &view, const Row &row, std::size_t number)
{
	ordered_json locked = ordered_json::array(), post = ordered_json::array();
	for (const Verb *v : view.verbs(row))
		(v->stage == Verb::Stage::post ? post : locked).push_back(v->id.text);
	return {
		{"number", number},
		{"on", names(row.on)},
		{"in", names(row.in)},
		{"next", row.next ? ordered_json(row.next.text) : ordered_json()},
		{"verdict", kind_text(row.verdict.kind)},
		{"why", why_text(row.verdict.why)},
		{"error", row.verdict.error},
		{"never", row.verdict.reason},
		{"locked", locked},
		{"post", post},
		{"source", source_text(row.source)},
		{"reason", row.reason},
		{"file", base_of(row)},
		{"line", line_of(row)},
	};
}

ordered_json machine_json(const Model &model, const Machine &m)
{
	View view(model, m);
	ordered_json out = {
		{"name", m.id.text},
		{"prefix", m.prefix},
		{"meaning", m.meaning},
		{"idle", m.idle_state},
		{"states", ordered_json::array()},
		{"events", ordered_json::array()},
		{"holders", ordered_json::array()},
		{"rows", ordered_json::array()},
		{"cells", ordered_json::array()},
	};
	for (const State &s : m.states)
		out["states"].push_back(state_json(s));
	for (const Event &e : m.events)
		out["events"].push_back(event_json(e));
	for (const Holder &h : m.holders)
		out["holders"].push_back({{"name", h.id.text}, {"exact", h.exact}, {"counted", h.counted}, {"meaning", h.meaning}});

	// Row 0 is the one of no cell, so that a hole in the table shows.
	std::map<const Row *, std::size_t> number;
	std::size_t next = 1;
	for (const Row &row : m.rows) {
		out["rows"].push_back(row_json(view, row, next));
		number[&row] = next++;
	}
	// By event, then by state.
	for (const Event &e : m.events) {
		ordered_json line = ordered_json::array();
		for (const State &s : m.states) {
			const Row *row = view.cell(e, s);
			line.push_back(row ? number[row] : 0);
		}
		out["cells"].push_back(line);
	}
	return out;
}

} // namespace

std::string json(const Model &model)
{
	ordered_json out = {
		{"machines", ordered_json::array()},
		{"verbs", ordered_json::array()},
		{"facts", ordered_json::array()},
		{"decisions", ordered_json::array()},
		{"dump", dump(model)},
	};
	for (const Machine &m : model.machines)
		out["machines"].push_back(machine_json(model, m));
	for (const Verb &v : model.verbs)
		out["verbs"].push_back({
			{"name", v.id.text},
			{"stage", stage_text(v.stage)},
			{"meaning", v.meaning},
			{"acquires", names(v.acquires)},
			{"releases", names(v.releases)},
			{"sends", v.sends},
			{"delivers", v.delivers},
		});
	for (const Fact &f : model.facts)
		out["facts"].push_back({{"name", f.id.text}, {"meaning", f.meaning}});
	for (const DecisionList &d : model.decisions) {
		ordered_json rules = ordered_json::array();
		for (const Rule &r : d.rules) {
			ordered_json when = ordered_json::array();
			for (const Condition &c : r.when)
				when.push_back({{"fact", c.fact.text}, {"want", c.want}});
			rules.push_back({{"when", when}, {"event", r.event.text}, {"source", source_text(r.source)}});
		}
		out["decisions"].push_back({{"name", d.id}, {"machine", d.machine}, {"meaning", d.meaning}, {"rules", rules}});
	}
	return out.dump(1, '\t') + "\n";
}

} // namespace cepheus
