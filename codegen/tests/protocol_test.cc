// SPDX-License-Identifier: GPL-2.0-only
//
// The protocol itself: it has no finding, and what the kernel module takes for
// granted about it.
#include "../check/check.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace cepheus {

using namespace model;

namespace {

const Machine &machine(const Model &m, std::string_view name)
{
	return *std::find_if(m.machines.begin(), m.machines.end(), [&](const Machine &x) { return x.id.text == name; });
}

TEST(Protocol, HasNoFinding)
{
	for (const Finding &f : check(protocol()))
		ADD_FAILURE() << text(f);
}

TEST(Protocol, HasItsThreeMachines)
{
	Model m = protocol();
	std::vector<std::string> names;
	for (const Machine &one : m.machines)
		names.push_back(std::string(one.id.text) + " " + std::string(one.prefix));
	EXPECT_EQ(names, (std::vector<std::string>{"id CM_ID", "share CM_SHARE", "tw CM_TW"}));
}

// A consumer may see each state of enum ib_cm_state.
TEST(Protocol, HasEveryPublicState)
{
	Model m = protocol();
	std::set<std::string_view> seen;
	for (const State &s : machine(m, "id").states)
		if (!s.public_state.empty())
			seen.insert(s.public_state);
	EXPECT_EQ(seen.size(), 16u) << join(seen);
}

// A state that shows something of an alternate path is an established one.
TEST(Protocol, SplitsOnlyEstablishedByLap)
{
	Model m = protocol();
	for (const State &s : machine(m, "id").states)
		if (!s.lap_state.empty() && s.lap_state != "IB_CM_LAP_UNINIT") {
			EXPECT_EQ(s.public_state, "IB_CM_ESTABLISHED") << s.id.text;
		}
}

// What a caller gets whose device or id has gone.
TEST(Protocol, AnswersCallsAtTheEnd)
{
	Model m = protocol();
	const Machine &id = machine(m, "id");
	View view(m, id);
	for (const Event &e : id.events) {
		if (!e.id.text.starts_with("CALL_"))
			continue;
		const Row *gone = view.cell(e, *view.state({"GONE"})), *dead = view.cell(e, *view.state({"DEAD"}));
		ASSERT_TRUE(gone && dead) << e.id.text;
		EXPECT_EQ(gone->verdict.error, "ENODEV") << e.id.text;
		EXPECT_EQ(dead->verdict.error, "EINVAL") << e.id.text;
	}
}

// The device is leaving: nothing can be sent.
TEST(Protocol, RemovalIsSilent)
{
	Model m = protocol();
	View view(m, machine(m, "id"));
	for (const Row &row : view.machine.rows) {
		auto events = view.events(row);
		bool removal = std::any_of(events.begin(), events.end(), [](const Event *e) { return e->kind == Event::Kind::removal; });
		for (const Verb *v : view.verbs(row))
			EXPECT_TRUE(!removal || v->sends.empty()) << where_of(row) << ": " << v->id.text;
	}
}

} // namespace
} // namespace cepheus
