// SPDX-License-Identifier: GPL-2.0-only
// cases LIST STOCK OURS [--suggest] [--times] [FILE...]: did what was played alone end as the list says?
//   FILE...     only these files of alone/ were played, by their names
//   --suggest   print the list as this run would have it, with the column reason as it is or empty
//   --times     print how long destroy and removal took on either side, in ms
#include <iostream>

#include "cases.hh"
#include "program.hh"

using namespace traces;

namespace {

void suggest(const std::vector<Case> &cases, const std::vector<Sequence> &stock, const std::vector<Sequence> &ours)
{
	const auto theirs = outcomes(stock), mine = outcomes(ours);
	for (const auto &[name, all] : theirs) {
		std::string reason = "-", group = name.substr(0, name.find('/'));
		for (const auto &entry : cases)
			if (entry.name == name) {
				reason = entry.reason;
				group = entry.group;
			}
		for (const auto &each : all)
			std::cout << group << "\t" << name << "\t" << each << "\t" << (mine.contains(name) ? *mine.at(name).begin() : "?") << "\t"
				  << reason << "\n";
	}
}

void times(const std::string &side, const std::vector<Sequence> &trace)
{
	for (const auto &sequence : trace)
		for (const auto &step : sequence.steps)
			for (const auto &[what, ms] : step.took)
				std::cout << side << "\t" << sequence.name << "\t" << what << "\t" << step.text << "\t" << ms << "\n";
}

int run(const Words &args)
{
	bool suggests = false, tells_times = false;
	const auto files = without_flags(args, {{"--suggest", &suggests}, {"--times", &tells_times}});
	if (files.size() < 3)
		throw Error("usage: cases LIST STOCK OURS [--suggest] [--times] [FILE...]");
	auto in = open(files[0]);
	const auto cases = read_cases(in, files[0]);
	const auto stock = trace(files[1]), ours = trace(files[2]);
	if (suggests)
		suggest(cases, stock, ours);
	if (tells_times) {
		times("stock", stock);
		times("ours", ours);
	}
	if (suggests || tells_times)
		return 0;
	const auto wrong = check_cases(cases, stock, ours, {files.begin() + 3, files.end()});
	for (const auto &line : wrong)
		std::cout << "# " << line << "\n";
	size_t same = 0;
	for (const auto &entry : cases)
		same += entry.stock == entry.ours;
	std::cout << (wrong.empty() ? "as listed" : "not as listed") << ": " << cases.size() << " cases, " << cases.size() - same
		  << " with another end in stock\n";
	return wrong.empty() ? 0 : 1;
}

}

int main(int argc, char **argv)
{
	return program("cases", argc, argv, run);
}
