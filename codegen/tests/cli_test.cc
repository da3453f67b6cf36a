// SPDX-License-Identifier: GPL-2.0-only
//
// The commands of cmgen: what they print, and their exit codes.
#include "mini.h"

#include "../cli.h"
#include "../emit/emit.h"
#include "../mutate.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

namespace cepheus {

using namespace model;

namespace {

struct Case {
	const char *sentence;
	std::vector<std::string_view> args;
	int status;
	const char *out, *err;
};

const Case usage[] = {
	{"no command", {}, 2, "", "cmgen: no command (cmgen --help lists them)\n"},
	{"an unknown command", {"chekc"}, 2, "", "cmgen: unknown command 'chekc' (cmgen --help lists them)\n"},
	{"two commands", {"check", "json"}, 2, "", "cmgen: one command at a time (cmgen --help lists them)\n"},
	{"an unknown option", {"--all"}, 2, "", "cmgen: unknown command '--all' (cmgen --help lists them)\n"},
	{"counts", {"stats"}, 0,
	 "machine       states    events   holders      rows     cells no source\n"
	 "id                 8        12         4        34        96         9\n"
	 "share              2         3         0         4         6         1\n"
	 "tw                 3         4         1         8        12         4\n"
	 "all               13        19         5        46       114        14\n"
	 "20 verbs, 3 facts, 4 decision lists, 7 rules (5 without a source)\n", ""},
	{"all mutants of the small model are caught", {"mutate"}, 0,
	 "row dropped                     46 made    46 caught\n"
	 "row doubled                     46 made    46 caught\n"
	 "holder of a state dropped       12 made    12 caught\n"
	 "holder verb dropped             17 made    17 caught\n"
	 "holder verb doubled             17 made    17 caught\n"
	 "link verb dropped                7 made     7 caught\n"
	 "link verb doubled                7 made     7 caught\n"
	 "rule doubled                     7 made     7 caught\n"
	 "last rule dropped                4 made     4 caught\n"
	 "all                            163 made   163 caught\n", ""},
};

std::pair<int, std::pair<std::string, std::string>> cmgen(const Model &model, std::vector<std::string_view> args)
{
	std::ostringstream out, err;
	int status = run(args, model, out, err);
	return {status, {out.str(), err.str()}};
}

TEST(Cli, AnswersEachCommand)
{
	for (const Case &c : usage) {
		auto [status, text] = cmgen(mini(), c.args);
		EXPECT_EQ(status, c.status) << c.sentence;
		EXPECT_EQ(text.first, c.out) << c.sentence;
		EXPECT_EQ(text.second, c.err) << c.sentence;
	}
}

TEST(Cli, HelpNamesEveryCommand)
{
	auto [status, text] = cmgen(mini(), {"--help"});
	EXPECT_EQ(status, 0);
	for (const char *name : {"check", "dump", "json", "mutate", "stats", "sources"})
		EXPECT_NE(text.first.find("\n  " + std::string(name) + " "), std::string::npos) << name;
}

TEST(Cli, SourcesEndWithTheCount)
{
	auto [status, text] = cmgen(mini(), {"sources"});
	EXPECT_EQ(status, 0);
	EXPECT_EQ(std::count(text.first.begin(), text.first.end(), '\n'), 14 + 5 + 1);
	EXPECT_TRUE(text.first.ends_with("\n14 rows and 5 rules without a source\n")) << text.first;
}

// Nothing is rendered from, and no mutant judged by, a model that has findings.
TEST(Cli, RefusesAModelWithFindings)
{
	Model bad = mini();
	bad.machines[0].rows.erase(bad.machines[0].rows.begin());
	const std::string said = "codegen/model: id: CREATE in NONE: no row says what happens; "
				 "write one: handle, resend, reject, ignore, invalid or never\n";
	for (const char *command : {"check", "json", "mutate"}) {
		auto [status, text] = cmgen(bad, {command});
		EXPECT_EQ(status, 1) << command;
		EXPECT_EQ(text.first, "") << command;
		EXPECT_NE(text.second.find(said), std::string::npos) << command << ": " << text.second;
	}
}

// A fault that no check sees is named: the holders of a state that no row enters or leaves.
TEST(Mutate, NamesSurvivors)
{
	const std::vector<HolderId> both = {{"H"}, {"G"}};
	Model model{
		.machines = {{.id = {"one"}, .prefix = "ONE",
			      .states = {{.id = {"A"}, .holders = both, .exempt_from_idle = true, .initial = true},
					 {.id = {"B"}, .holders = both, .exempt_from_idle = true, .reserved = "later"}},
			      .holders = {{.id = {"H"}}, {.id = {"G"}}}}},
	};
	auto [status, text] = cmgen(model, {"mutate"});
	EXPECT_EQ(status, 1);
	EXPECT_NE(text.first.find("  survived: one: state A: H\n"), std::string::npos) << text.first;
	EXPECT_NE(text.first.find("4 made     0 caught\n"), std::string::npos) << text.first;
}

TEST(Emit, SameModelSameBytes)
{
	EXPECT_EQ(dump(mini()), dump(mini()));
	EXPECT_EQ(json(mini()), json(mini()));
}

// Moving a row to another line, or adding one before it, changes no other line of the text.
TEST(Emit, DumpKnowsNoNumbers)
{
	Model model = mini();
	std::string before = dump(model);
	Row added{.on = {{"CREATE"}}, .in = {{"NONE"}}, .verdict = never("again")};
	model.machines[0].rows.insert(model.machines[0].rows.begin(), added);
	std::string after = dump(model);
	const std::string lines = "\tCREATE in NONE\n\t\tnever (again)\n";
	auto at = after.find(lines);
	ASSERT_NE(at, std::string::npos);
	EXPECT_EQ(after.erase(at, lines.size()), before);
	EXPECT_EQ(before.find("mini.cc"), std::string::npos);
}

TEST(Emit, JsonCarriesTheDump)
{
	auto parsed = nlohmann::json::parse(json(mini()));
	EXPECT_EQ(parsed["dump"], dump(mini()));
	EXPECT_EQ(parsed["machines"].size(), 3u);
	for (const auto &machine : parsed["machines"])
		for (const auto &line : machine["cells"])
			for (const auto &cell : line)
				EXPECT_GT(cell.get<int>(), 0);
}

} // namespace
} // namespace cepheus
