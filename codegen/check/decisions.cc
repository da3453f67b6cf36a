// SPDX-License-Identifier: GPL-2.0-only
//
// Owns: the check of decision lists: total, every rule can be met, known names,
// and every event that only classification can raise is raised by some list.
#include "check.h"

#include <algorithm>
#include <cstdint>

namespace cepheus {

using namespace model;

namespace {

// A rule is a cube over the facts: what it looks at, and what it wants there.
struct Cube {
	std::uint64_t mask = 0, want = 0;
	bool contradictory = false;
};

class Facts {
public:
	explicit Facts(const DecisionList &list)
	{
		for (const Rule &r : list.rules)
			for (const Condition &c : r.when)
				bits_.try_emplace(c.fact, bits_.size());
	}

	std::size_t count() const { return bits_.size(); }

	Cube cube(const Rule &rule) const
	{
		Cube out;
		for (const Condition &c : rule.when) {
			std::uint64_t bit = std::uint64_t{1} << bits_.at(c.fact);
			if ((out.mask & bit) && !(out.want & bit) == c.want)
				out.contradictory = true;
			out.mask |= bit;
			if (c.want)
				out.want |= bit;
		}
		return out;
	}

private:
	std::map<FactId, std::size_t> bits_;
};

// Is every assignment in `cube` met by one of `before`? Splits on a fact that an
// earlier cube looks at and this one does not.
bool covered(const Cube &cube, std::span<const Cube> before)
{
	std::uint64_t split = 0;
	for (const Cube &b : before) {
		if (b.contradictory || ((b.want ^ cube.want) & b.mask & cube.mask))
			continue;
		if (!(b.mask & ~cube.mask))
			return true;
		if (!split)
			split = b.mask & ~cube.mask;
	}
	split &= -split;
	if (!split)
		return false;
	Cube zero{cube.mask | split, cube.want, false}, one{cube.mask | split, cube.want | split, false};
	return covered(zero, before) && covered(one, before);
}

} // namespace

void check_decisions(const Model &model, Findings &out)
{
	std::set<FactId> facts;
	for (const Fact &f : model.facts)
		facts.insert(f.id);

	std::set<std::pair<std::string_view, EventId>> raised;
	std::set<std::string_view> decided;

	for (const DecisionList &list : model.decisions) {
		std::string id = "decision " + std::string(list.id);
		std::string machine_id(list.machine);
		auto say = [&](const Rule *rule, std::string subject, std::string cause, std::string mend) {
			out.push_back({"decisions", machine_id, rule ? where_of(*rule) : "codegen/model", subject, cause, mend});
		};
		auto machine = std::find_if(model.machines.begin(), model.machines.end(),
					    [&](const Machine &m) { return m.id.text == list.machine; });
		if (machine == model.machines.end()) {
			say(nullptr, id, "its machine is not declared", "correct the name");
			continue;
		}
		decided.insert(list.machine);
		if (list.rules.empty()) {
			say(nullptr, id, "it has no rule", "write at least the one without conditions");
			continue;
		}

		Facts used(list);
		std::vector<Cube> before;
		if (used.count() > max_facts) {
			say(nullptr, id, "it asks for more than " + std::to_string(max_facts) + " facts", "split the list");
			continue;
		}
		for (const Rule &rule : list.rules) {
			std::string subject = id + ", " + rule_text(rule);
			for (const Condition &c : rule.when)
				if (!facts.contains(c.fact))
					say(&rule, subject, "the fact " + std::string(c.fact.text) + " is not declared",
					    "declare it, or correct the name");
			if (std::none_of(machine->events.begin(), machine->events.end(),
					 [&](const Event &e) { return e.id == rule.event; }))
				say(&rule, subject, "the event " + std::string(rule.event.text) + " is not declared",
				    "declare it, or correct the name");
			raised.insert({list.machine, rule.event});

			Cube cube = used.cube(rule);
			if (cube.contradictory)
				say(&rule, subject, "it wants a fact to be both true and false", "drop one of the conditions");
			else if (covered(cube, before))
				say(&rule, subject, "no facts are left to it by the rules before", "move it up, or drop it");
			before.push_back(cube);
		}
		const Rule &last = list.rules.back();
		if (!last.when.empty())
			say(&last, id + ", " + rule_text(last), "the last rule has conditions, so that some facts name no event",
			    "add a last rule without conditions");
	}

	for (const Machine &m : model.machines) {
		if (!decided.contains(m.id.text))
			continue;
		for (const Event &e : m.events) {
			if (e.direct || (e.kind != Event::Kind::message && e.kind != Event::Kind::timer))
				continue;
			if (!raised.contains({m.id.text, e.id}))
				out.push_back({"decisions", std::string(m.id.text), "codegen/model", "event " + std::string(e.id.text),
					       "no decision list names this " + std::string(kind_text(e.kind)),
					       "name it in one, mark it direct, or drop it"});
		}
	}
}

} // namespace cepheus
