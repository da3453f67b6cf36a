// SPDX-License-Identifier: GPL-2.0-only
//
// Owns: the checks of the matrix and of the graph that it draws: cells,
// reachable, idle.
#include "check.h"

#include <functional>

namespace cepheus {

using namespace model;

void check_cells(const View &view, Report &report)
{
	std::map<std::pair<EventId, StateId>, const Row *> seen;
	for (const Row &row : view.machine.rows) {
		for (EventId e : row.on) {
			for (StateId s : row.in) {
				auto [it, fresh] = seen.try_emplace({e, s}, &row);
				if (fresh)
					continue;
				report.row(row, std::string(e.text) + " in " + std::string(s.text),
					   it->second == &row ? "the row names this cell twice"
							      : "this cell is already written at " + where_of(*it->second),
					   "keep one of the two");
			}
		}
	}

	for (const Event &e : view.machine.events) {
		std::vector<StateId> missing;
		for (const State &s : view.machine.states)
			if (!seen.contains({e.id, s.id}))
				missing.push_back(s.id);
		if (!missing.empty())
			report.machine(std::string(e.id.text) + " in " + join(missing), "no row says what happens",
				       "write one: handle, resend, reject, ignore, invalid or never");
	}
}

namespace {

using Follow = std::function<bool(const Row &)>;

// Every state that rows accepted by `follow` lead to from `start`, with the row that got there first.
std::map<const State *, const Row *> flood(const View &view, const State *start, const Follow &follow)
{
	std::map<const State *, const Row *> reached;
	std::vector<const State *> todo;
	if (start) {
		reached[start] = nullptr;
		todo.push_back(start);
	}
	while (!todo.empty()) {
		const State *from = todo.back();
		todo.pop_back();
		for (const Row &row : view.machine.rows) {
			if (!row.next || !follow(row))
				continue;
			bool here = false;
			for (StateId s : row.in)
				here |= s == from->id;
			const State *next = view.state(row.next);
			if (here && next && reached.try_emplace(next, &row).second)
				todo.push_back(next);
		}
	}
	return reached;
}

} // namespace

void check_reachable(const View &view, Report &report)
{
	const State *start = view.initial();
	if (!start)
		return;
	auto reached = flood(view, start, [](const Row &) { return true; });
	for (const State &s : view.machine.states) {
		auto it = reached.find(&s);
		if (it == reached.end() && s.reserved.empty())
			report.machine("state " + std::string(s.id.text),
				       "no row leads to it from " + std::string(start->id.text),
				       "write the row that does, or mark the state reserved and say why");
		if (it != reached.end() && it->second && !s.reserved.empty())
			report.row(*it->second, "the row leads to " + std::string(s.id.text) + ", which is reserved ("
				   + std::string(s.reserved) + ")",
				   "drop `reserved` from the state, or the row's next state");
	}
}

void check_idle(const View &view, Report &report)
{
	const State *idle = view.state({view.machine.idle_state});
	if (!idle)
		return;
	// A row with several events is a way if one of them suffices.
	Follow ours = [&](const Row &row) {
		for (const Event *e : view.events(row))
			if (e->kind == Event::Kind::call || e->kind == Event::Kind::timer || e->kind == Event::Kind::failure)
				return true;
		return false;
	};
	for (const State &s : view.machine.states) {
		if (s.exempt_from_idle || s.final)
			continue;
		if (!flood(view, &s, ours).contains(idle))
			report.machine("state " + std::string(s.id.text),
				       "no calls, timers or failures lead from it to " + std::string(idle->id.text),
				       "write a row that does without the peer and without destroy, or exempt the state");
	}
}

} // namespace cepheus
