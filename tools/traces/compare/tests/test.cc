// SPDX-License-Identifier: GPL-2.0-only
// The parser, the comparison, the list and the expander: what each accepts, and that each can say no.
#include <gtest/gtest.h>

#include <sstream>

#include "cases.hh"
#include "compare.hh"
#include "script.hh"

using namespace traces;

namespace {

std::vector<Sequence> trace(const std::string &text)
{
	std::istringstream in(text);
	return read_trace(in, "t");
}

List list(const std::string &text)
{
	std::istringstream in(text);
	return List::read(in, "l");
}

std::string why(auto &&what)
{
	try {
		what();
	} catch (const Error &error) {
		return error.what();
	}
	return "";
}

const std::string begun = "sequence s\nstep create A\nreturn 0\nstates A=IDLE\nstep call A req\nreturn 0\n";
const std::string req = "mad REQ tid=new local_comm_id=A local_qpn=qA\nstates A=REQ_SENT\n";

Report report_of(const std::string &stock, const std::string &ours, const List &entries)
{
	Report report;
	compare(trace(stock), trace(ours), entries, report);
	return report;
}

TEST(Trace, ReadsAStep)
{
	const auto all = trace(begun + "event A REQ_ERROR seen=IDLE send_status=12\n" + req);
	ASSERT_EQ(all.size(), 1U);
	const Step &step = all[0].steps.at(1);
	EXPECT_EQ(step.text, "call A req");
	EXPECT_EQ(step.result, "0");
	ASSERT_EQ(step.events.size(), 1U);
	EXPECT_EQ(step.events[0].who, 'A');
	EXPECT_EQ(step.events[0].fields.at("send_status"), "12");
	ASSERT_EQ(step.mads.size(), 1U);
	EXPECT_EQ(step.mads[0].who, 'A');
	EXPECT_EQ(step.states.at('A'), "REQ_SENT");
}

TEST(Trace, RefusesWhatItDoesNotKnow)
{
	EXPECT_EQ(why([] { trace("step x\n"); }), "t:1: outside a sequence: step x");
	EXPECT_EQ(why([] { trace("sequence s\nreturn 0\n"); }), "t:2: before the first step: return 0");
	EXPECT_EQ(why([] { trace("sequence s\nstep x\nnoise\n"); }), "t:3: unknown line: noise");
	EXPECT_EQ(why([] { trace("sequence s\nstep x\nmad REQ tid\n"); }), "t:3: 'tid' is not key=value: mad REQ tid");
}

TEST(Trace, FindsTheSubject)
{
	EXPECT_EQ(subject("call A req"), 'A');
	EXPECT_EQ(subject("peer REP B to=wrong"), 'B');
	EXPECT_EQ(subject("wait ms=5"), 0);
}

TEST(Compare, SameIsSame)
{
	const auto report = report_of(begun + req, begun + req, list(""));
	EXPECT_EQ(report.compared, 2U);
	EXPECT_TRUE(verdict(report, list(""), false).empty());
}

TEST(Compare, NamesEachKind)
{
	const auto field = [](const std::string &stock, const std::string &ours) {
		const auto report = report_of(begun + stock, begun + ours, list(""));
		return report.unlisted.empty() ? "" : to_tsv(report.unlisted.begin()->first);
	};
	EXPECT_EQ(field("states A=REQ_SENT\n", "states A=IDLE\n"), "call req\tIDLE\tstate\tREQ_SENT\tIDLE");
	EXPECT_EQ(field(req, "mad REQ tid=REQ.A local_comm_id=A local_qpn=qA\nstates A=REQ_SENT\n"), "call req\tIDLE\tREQ.tid\tnew\tREQ.id");
	EXPECT_EQ(field(req, "states A=REQ_SENT\n"), "call req\tIDLE\tmad REQ\t1\t-");
	EXPECT_EQ(field("event A REJ_RECEIVED reason=28\n", ""), "call req\tIDLE\tevent REJ_RECEIVED\t1\t-");
	EXPECT_EQ(field("event A REJ_RECEIVED reason=28\n", "event A REJ_RECEIVED reason=10\n"), "call req\tIDLE\tREJ_RECEIVED.reason\t28\t10");
	EXPECT_EQ(field("mad REJ reason=4 local_comm_id=A\n", "mad REJ reason=28 local_comm_id=A\n"), "call req\tIDLE\tmad REJ 28\t-\t1");
	EXPECT_EQ(field("return 0\n", "return -22\n"), "call req\tIDLE\treturn\t0\t-22");
	EXPECT_EQ(field("attr A mask=1\n", "attr A mask=1 port=own\n"), "call req\tIDLE\tattr.port\t0\town");
	EXPECT_EQ(field("states A=IDLE A.lap=LAP_IDLE\n", "states A=IDLE\n"), "call req\tIDLE\tlap_state\tLAP_IDLE\t-");
}

TEST(Compare, OrderOfEventsCounts)
{
	const std::string a = "event A DREQ_ERROR seen=IDLE\n", b = "event A TIMEWAIT_EXIT seen=IDLE\n";
	EXPECT_TRUE(report_of(begun + a + b, begun + a + b, list("")).unlisted.empty());
	EXPECT_FALSE(report_of(begun + a + b, begun + b + a, list("")).unlisted.empty());
}

TEST(Compare, EndsWhereTheListSaysSo)
{
	const std::string more = "step destroy A\nreturn 0\nstates\n", other = "step destroy A\nreturn -1\nstates\n";
	const std::string entry = "call req\tIDLE\tmad REQ\t1\t-\t";
	auto report = report_of(begun + req + more, begun + "states A=REQ_SENT\n" + other, list(entry + "end\ts\tbecause\n"));
	EXPECT_EQ(report.compared, 2U);
	EXPECT_EQ(report.ended, 1U);
	EXPECT_TRUE(report.unlisted.empty());
	report = report_of(begun + req + more, begun + "states A=REQ_SENT\n" + other, list(entry + "on\ts\tbecause\n"));
	EXPECT_EQ(report.compared, 3U);
	EXPECT_EQ(report.unlisted.size(), 1U);
}

TEST(Compare, OtherScriptsAreAnError)
{
	EXPECT_EQ(verdict(report_of(begun + req, "sequence t\n", list("")), list(""), false).size(), 1U);
	EXPECT_EQ(verdict(report_of(begun + req, "", list("")), list(""), false).size(), 1U);
}

TEST(List, EachEntryIsUsedByItsScript)
{
	const auto used = list("call req\tIDLE\tmad REQ\t1\t-\ton\ts\tbecause\n");
	const auto elsewhere = list("call req\tIDLE\tmad REQ\t1\t-\ton\tx\tbecause\n");
	const std::string stock = begun + req, ours = begun + "states A=REQ_SENT\n";
	EXPECT_TRUE(verdict(report_of(stock, ours, used), used, false).empty());
	EXPECT_EQ(verdict(report_of(stock, ours, elsewhere), elsewhere, false).at(0),
		  "script x does not show it: l:1: call req\tIDLE\tmad REQ\t1\t-");
	EXPECT_EQ(verdict(report_of(stock, stock, used), used, false).at(0), "no run shows it: l:1: call req\tIDLE\tmad REQ\t1\t-");
	EXPECT_TRUE(verdict(report_of(stock, stock, used), used, true).empty());
}

TEST(List, RefusesBadEntries)
{
	EXPECT_EQ(why([] { list("a\tb\n"); }), "l:1: 2 columns, want event, state, field, stock, ours, then, script, reason");
	EXPECT_EQ(why([] { list("call *\tb\tc\td\te\ton\ts\tr\n"); }), "l:1: 'call *': no wildcards");
	EXPECT_EQ(why([] { list("a\tb\tc\td\te\tlater\ts\tr\n"); }), "l:1: 'later' is neither end nor on");
	EXPECT_EQ(why([] { list("a\tb\tstate\td\te\ton\ts\tr\n"); }), "l:1: another state ends the comparison");
	EXPECT_EQ(why([] { list("a\tb\tc\td\td\ton\ts\tr\n"); }), "l:1: no difference");
	EXPECT_EQ(why([] { list("a\tb\tc\td\te\ton\ts\t\n"); }), "l:1: column 8 is empty");
	EXPECT_EQ(why([] { list("a\tb\tc\td\te\ton\ts\tr\na\tb\tc\td\te\tend\tt\tr\n"); }), "l:2: the same as line 1");
}

std::string expand_error(const std::string &text)
{
	return why([&] {
		Expander expander;
		std::istringstream in(text);
		expander.read(in, "f");
	});
}

TEST(Expander, MultipliesStatesAndSteps)
{
	Expander expander;
	std::istringstream in("state X\ncreate A\nstate Y\nbring X\ncall A req\nmatrix m own=1\nin all -X X\ndo destroy A; wait\ndo peer REP A\n");
	expander.read(in, "f");
	const auto &all = expander.scripts();
	ASSERT_EQ(all.size(), 4U);
	EXPECT_EQ(all[0].name, "m/Y/destroy+wait");
	EXPECT_EQ(all[0].steps, (std::vector<std::string>{"create A", "call A req", "destroy A", "wait"}));
	EXPECT_TRUE(all[0].own_port());
	EXPECT_TRUE(all[0].waits());
	EXPECT_EQ(all[3].name, "m/X/peer-REP");
}

TEST(Expander, SaysWhatIsWrong)
{
	EXPECT_EQ(expand_error("create A\n"), "f:1: outside of a state, sequence or matrix");
	EXPECT_EQ(expand_error("sequence s\nbring X\n"), "f:2: no state 'X'");
	EXPECT_EQ(expand_error("matrix m\ndo destroy A\n"), "f:2: a matrix needs 'in STATE...' before 'do'");
	EXPECT_EQ(expand_error("sequence s\ncreate A\nsequence s\n"), "f:3: sequence 's' twice");
}

TEST(Random, IsTheSameForTheSameSeed)
{
	const auto a = random_scripts(7, 50), b = random_scripts(7, 50), c = random_scripts(8, 50);
	EXPECT_EQ(to_text(a), to_text(b));
	EXPECT_NE(to_text(a), to_text(c));
	for (const auto &script : a) {
		EXPECT_GE(script.steps.size(), 8U);
		EXPECT_LE(script.steps.size(), 17U);
	}
}

TEST(Batches, HoldAllAndKeepKindsApart)
{
	const auto scripts = random_scripts(1, 3000);
	size_t count = 0;
	for (const auto &batch : batches(scripts)) {
		count += batch.size();
		for (const auto &script : batch) {
			EXPECT_EQ(script.own_port(), batch[0].own_port());
			EXPECT_EQ(script.waits(), batch[0].waits());
		}
	}
	EXPECT_EQ(count, scripts.size());
}

std::string told(const std::string &steps)
{
	return outcome(trace("sequence s\nstep create A\nreturn -5\nstep mark\n" + steps).at(0));
}

TEST(Cases, TellsWhatCameAfterTheMark)
{
	EXPECT_EQ(told(""), "nothing");
	EXPECT_EQ(told("step call A req\nreturn -22\n"), "call A req: -22");
	EXPECT_EQ(told("step destroy A\nreturn 0\ntook destroy A 3\nmad REJ reason=4\n"), "destroy A: at once; sends REJ 4");
	EXPECT_EQ(told("step destroy A\nreturn 0\nstep wait ms=9\ntook destroy A 3\n"), "destroy A: back later");
	EXPECT_EQ(told("step destroy A\nreturn 0\nstep wait ms=9000\nstep release\ntook destroy A 3\n"),
		  "destroy A: not back after 'wait ms=9000'; destroy A: back in 'release'");
	EXPECT_EQ(told("step destroy A with=unplug\nreturn 0\ntook destroy A 3\nmad REJ reason=4\nstep wait ms=9000\nstep wait ms=9\n"),
		  "destroy A: at once; unplug: not back after 'wait ms=9000'; unplug: not back");
	EXPECT_EQ(told("step wait ms=9\nevent A REQ_ERROR seen=IDLE\nfact A: two handlers at once\nmad REQ tid=x\nmad REQ tid=x\n"),
		  "A gets REQ_ERROR; sends REQ; A: two handlers at once");
}

TEST(Cases, CopiesAreOne)
{
	const auto all = outcomes(trace("sequence a/b/1\nstep mark\nsequence a/b/2/7\nstep mark\nstep x\nreturn -1\nsequence a/c2\nstep mark\n"));
	EXPECT_EQ(all.size(), 2U);
	EXPECT_EQ(all.at("a/b"), (std::set<std::string>{"nothing", "x: -1"}));
}

std::vector<Case> cases(const std::string &text)
{
	std::istringstream in(text);
	return read_cases(in, "c");
}

std::vector<std::string> checked(const std::string &entries, const std::string &stock, const std::string &ours)
{
	return check_cases(cases(entries), trace(stock), trace(ours), {});
}

TEST(Cases, BothSidesMustEndAsListed)
{
	const std::string good = "sequence f/s\nstep mark\n", bad = good + "step x\nreturn -1\n";
	const std::string entry = "g\tf/s\tx: -1\tnothing\tbecause\n";
	EXPECT_TRUE(checked(entry, bad, good).empty());
	EXPECT_EQ(checked(entry, good, good).at(0), "f/s: stock: want 'x: -1', got 'nothing'");
	EXPECT_EQ(checked(entry, bad, bad).at(0), "f/s: ours: want 'nothing', got 'x: -1'");
	EXPECT_EQ(checked(entry, bad, "").at(0), "line 1: f/s was not played by ours");
	EXPECT_EQ(checked("", bad, good).at(0), "f/s is not in the list: stock 'x: -1', ours 'nothing'");
	// Of copies, one of stock's must; all of ours.
	const std::string copies = "sequence f/s/1\nstep mark\nsequence f/s/2\nstep mark\nstep x\nreturn -1\n";
	EXPECT_TRUE(checked(entry, copies, good).empty());
	EXPECT_EQ(checked(entry, bad, copies).at(0), "f/s: ours: want 'nothing', got 'nothing | x: -1'");
	EXPECT_TRUE(check_cases(cases(entry), {}, {}, {"other"}).empty());
}

TEST(Cases, RefusesBadEntries)
{
	EXPECT_EQ(why([] { cases("a\tb\n"); }), "c:1: 2 columns, want group, sequence, stock, ours, reason");
	EXPECT_EQ(why([] { cases("g\ts\tx\ty\t-\n"); }), "c:1: a difference without a reason");
	EXPECT_EQ(why([] { cases("g\ts\tx\tx\t-\ng\ts\tx\tx\t-\n"); }), "c:2: 's' twice");
	EXPECT_EQ(why([] { cases("g\ts\tx\tleak of y\tz\n"); }), "c:1: ours must not say 'leak'");
}

TEST(Expand, CopiesAndFirstSteps)
{
	std::istringstream in("state X\ncreate A\nmatrix f/m own=1 facts=1\nin X\nfirst fault f; wait\ndo mark; destroy A\n"
				  "sequence f/s facts=1 copies=2\nmark\n");
	Expander expander;
	expander.read(in, "f");
	const auto &all = expander.scripts();
	ASSERT_EQ(all.size(), 3U);
	EXPECT_EQ(all[0].name, "f/m/X");
	EXPECT_EQ(all[0].steps, (std::vector<std::string>{"fault f", "wait", "create A", "mark", "destroy A"}));
	EXPECT_EQ(all[2].name, "f/s/2");
	EXPECT_EQ(all[2].options, " facts=1");
}

}
