// SPDX-License-Identifier: GPL-2.0-only
#include "mutate.h"

#include "check/check.h"

namespace cepheus {

using namespace model;

namespace {

class Bench {
public:
	explicit Bench(const Model &model) : mutant_(model) {}

	// Runs the checks over the present mutant.
	void judge(MutantClass &into, std::string name)
	{
		++into.made;
		if (is_clean(mutant_))
			into.survivors.push_back(std::move(name));
	}

	Model &mutant() { return mutant_; }

private:
	Model mutant_;
};

// One list with one item left out or repeated, then as it was.
template <class T, class Judge> void drop(std::vector<T> &list, std::size_t i, Judge judge)
{
	std::vector<T> whole = list;
	list.erase(list.begin() + i);
	judge();
	list = std::move(whole);
}

template <class T, class Judge> void repeat(std::vector<T> &list, std::size_t i, Judge judge)
{
	std::vector<T> whole = list;
	T item = list[i];
	list.insert(list.begin() + i, std::move(item));
	judge();
	list = std::move(whole);
}

} // namespace

std::vector<MutantClass> mutate(const Model &model)
{
	std::vector<MutantClass> classes;
	classes.reserve(16);
	auto klass = [&](std::string what) -> MutantClass & { return classes.emplace_back(MutantClass{std::move(what)}); };

	MutantClass &row_dropped = klass("row dropped"), &row_doubled = klass("row doubled");
	MutantClass &state_holder = klass("holder of a state dropped");
	MutantClass &holder_dropped = klass("holder verb dropped"), &holder_doubled = klass("holder verb doubled");
	MutantClass &link_dropped = klass("link verb dropped"), &link_doubled = klass("link verb doubled");
	MutantClass &rule_doubled = klass("rule doubled"), &last_dropped = klass("last rule dropped");

	Bench bench(model);
	for (std::size_t i = 0; i < model.machines.size(); ++i) {
		const Machine &original = model.machines[i];
		View view(model, original);
		Machine &m = bench.mutant().machines[i];
		std::string prefix = std::string(m.id.text) + ": ";

		for (std::size_t r = 0; r < m.rows.size(); ++r) {
			std::string name = where_of(m.rows[r]) + ": " + prefix + row_text(m.rows[r]);
			drop(m.rows, r, [&] { bench.judge(row_dropped, name); });
			repeat(m.rows, r, [&] { bench.judge(row_doubled, name); });

			std::vector<VerbId> &does = m.rows[r].does;
			for (std::size_t v = 0; v < does.size(); ++v) {
				const Verb *verb = view.verb(does[v]);
				// Free holders come and go in every state: no set shows their loss.
				bool exact = false, counted = false;
				for (HolderId id : moves(*verb)) {
					exact |= view.is_exact(id);
					counted |= view.is_counted(id);
				}
				if (!exact)
					continue;
				std::string which = name + ": " + std::string(verb->id.text);
				drop(does, v, [&] { bench.judge(counted ? holder_dropped : link_dropped, which); });
				repeat(does, v, [&] { bench.judge(counted ? holder_doubled : link_doubled, which); });
			}
		}
		for (State &s : m.states)
			for (std::size_t h = 0; h < s.holders.size(); ++h) {
				std::string name = prefix + "state " + std::string(s.id.text) + ": " + std::string(s.holders[h].text);
				drop(s.holders, h, [&] { bench.judge(state_holder, name); });
			}
	}
	for (DecisionList &d : bench.mutant().decisions) {
		for (std::size_t r = 0; r < d.rules.size(); ++r) {
			std::string name = where_of(d.rules[r]) + ": decision " + std::string(d.id) + ", " + rule_text(d.rules[r]);
			repeat(d.rules, r, [&] { bench.judge(rule_doubled, name); });
		}
		drop(d.rules, d.rules.size() - 1, [&] { bench.judge(last_dropped, "decision " + std::string(d.id)); });
	}
	return classes;
}

} // namespace cepheus
