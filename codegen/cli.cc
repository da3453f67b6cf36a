// SPDX-License-Identifier: GPL-2.0-only
#include "cli.h"

#include "check/check.h"
#include "emit/emit.h"
#include "mutate.h"

#include <iomanip>
#include <ostream>

namespace cepheus {

using namespace model;

namespace {

constexpr std::string_view usage =
	"usage: cmgen COMMAND\n"
	"  check    run the checks over the model\n"
	"  dump     the model as text, for reviewers\n"
	"  json     the model as JSON, for the templates\n"
	"  mutate   make one fault at a time and count those that the checks catch\n"
	"  stats    count states, events, facts, verbs, rows and cells\n"
	"  sources  list the rows and rules that cite no source\n";

std::string several(std::size_t n, std::string_view one)
{
	return std::to_string(n) + " " + std::string(one) + (n == 1 ? "" : "s");
}

// The models that later steps build on have no finding.
bool must_be_clean(const Model &model, std::ostream &err)
{
	Findings findings = check(model);
	for (const Finding &f : findings)
		err << text(f) << '\n';
	if (!findings.empty())
		err << "cmgen: " << several(findings.size(), "finding") << '\n';
	return findings.empty();
}

int do_check(const Model &model, std::ostream &out, std::ostream &err)
{
	if (!must_be_clean(model, err))
		return 1;
	std::size_t rows = 0, cells = 0;
	for (const Machine &m : model.machines) {
		rows += m.rows.size();
		cells += m.states.size() * m.events.size();
	}
	out << "cmgen: " << several(model.machines.size(), "machine") << ", " << several(rows, "row") << ", "
	    << several(cells, "cell") << ", " << several(checks().size(), "check") << ": ok\n";
	return 0;
}

int do_json(const Model &model, std::ostream &out, std::ostream &err)
{
	if (!must_be_clean(model, err))
		return 1;
	out << json(model);
	return 0;
}

int do_dump(const Model &model, std::ostream &out, std::ostream &)
{
	out << dump(model);
	return 0;
}

int do_mutate(const Model &model, std::ostream &out, std::ostream &err)
{
	if (!must_be_clean(model, err)) {
		err << "cmgen: mend the model first: in a model with findings every mutant looks caught\n";
		return 1;
	}
	std::size_t made = 0, survived = 0;
	for (const MutantClass &c : mutate(model)) {
		out << std::left << std::setw(28) << c.what << std::right << std::setw(6) << c.made << " made" << std::setw(6)
		    << c.made - c.survivors.size() << " caught\n";
		for (const std::string &s : c.survivors)
			out << "  survived: " << s << '\n';
		made += c.made;
		survived += c.survivors.size();
	}
	out << std::left << std::setw(28) << "all" << std::right << std::setw(6) << made << " made" << std::setw(6)
	    << made - survived << " caught\n";
	return survived ? 1 : 0;
}

struct Unsourced {
	std::string where, what;
};

std::vector<Unsourced> unsourced(const Machine &m)
{
	std::vector<Unsourced> out;
	for (const Row &row : m.rows)
		if (row.source.kind == Source::Kind::none)
			out.push_back({where_of(row), std::string(m.id.text) + ": " + row_text(row)});
	return out;
}

std::vector<Unsourced> unsourced(const DecisionList &d)
{
	std::vector<Unsourced> out;
	for (const Rule &rule : d.rules)
		if (rule.source.kind == Source::Kind::none)
			out.push_back({where_of(rule), "decision " + std::string(d.id) + ": " + rule_text(rule)});
	return out;
}

int do_sources(const Model &model, std::ostream &out, std::ostream &)
{
	std::size_t rows = 0, rules = 0;
	for (const Machine &m : model.machines)
		for (const Unsourced &u : unsourced(m)) {
			out << u.where << ": " << u.what << '\n';
			++rows;
		}
	for (const DecisionList &d : model.decisions)
		for (const Unsourced &u : unsourced(d)) {
			out << u.where << ": " << u.what << '\n';
			++rules;
		}
	out << several(rows, "row") << " and " << several(rules, "rule") << " without a source\n";
	return 0;
}

int do_stats(const Model &model, std::ostream &out, std::ostream &)
{
	out << std::left << std::setw(10) << "machine" << std::right;
	for (std::string_view title : {"states", "events", "holders", "rows", "cells", "no source"})
		out << std::setw(10) << title;
	out << '\n';
	auto line = [&](std::string_view name, std::initializer_list<std::size_t> numbers) {
		out << std::left << std::setw(10) << name << std::right;
		for (std::size_t n : numbers)
			out << std::setw(10) << n;
		out << '\n';
	};
	std::size_t states = 0, events = 0, holders = 0, rows = 0, cells = 0, without = 0;
	for (const Machine &m : model.machines) {
		std::size_t all = m.states.size() * m.events.size(), none = unsourced(m).size();
		line(m.id.text, {m.states.size(), m.events.size(), m.holders.size(), m.rows.size(), all, none});
		states += m.states.size();
		events += m.events.size();
		holders += m.holders.size();
		rows += m.rows.size();
		cells += all;
		without += none;
	}
	line("all", {states, events, holders, rows, cells, without});

	std::size_t rules = 0, bare = 0;
	for (const DecisionList &d : model.decisions) {
		rules += d.rules.size();
		bare += unsourced(d).size();
	}
	out << several(model.verbs.size(), "verb") << ", " << several(model.facts.size(), "fact") << ", "
	    << several(model.decisions.size(), "decision list") << ", " << several(rules, "rule") << " (" << bare
	    << " without a source)\n";
	return 0;
}

constexpr struct {
	std::string_view name;
	int (*run)(const Model &, std::ostream &, std::ostream &);
} commands[] = {
	{"check", do_check},   {"dump", do_dump},   {"json", do_json},
	{"mutate", do_mutate}, {"stats", do_stats}, {"sources", do_sources},
};

} // namespace

int run(std::span<const std::string_view> args, const Model &model, std::ostream &out, std::ostream &err)
{
	if (args.size() == 1 && (args[0] == "--help" || args[0] == "help")) {
		out << usage;
		return 0;
	}
	if (args.size() != 1) {
		err << "cmgen: " << (args.empty() ? "no command" : "one command at a time") << " (cmgen --help lists them)\n";
		return 2;
	}
	for (const auto &command : commands)
		if (command.name == args[0])
			return command.run(model, out, err);
	err << "cmgen: unknown command '" << args[0] << "' (cmgen --help lists them)\n";
	return 2;
}

} // namespace cepheus
