// SPDX-License-Identifier: GPL-2.0-only
// compare LIST STOCK OURS [--partial] [--suggest]: are the differences of two traces those of the list?
//   --partial   not all scripts were run: entries that were not seen are not missed
//   --suggest   print what the list lacks, in its format, with the column reason empty
#include <iostream>

#include "compare.hh"
#include "program.hh"

using namespace traces;

namespace {

int run(const Words &args)
{
	bool partial = false, suggest = false;
	const auto files = without_flags(args, {{"--partial", &partial}, {"--suggest", &suggest}});
	if (files.size() != 3)
		throw Error("usage: compare LIST STOCK OURS [--partial] [--suggest]");
	auto in = open(files[0]);
	const List list = List::read(in, files[0]);
	Report report;
	compare(trace(files[1]), trace(files[2]), list, report);
	if (suggest) {
		for (const auto &[what, found] : report.unlisted)
			std::cout << to_tsv(what) << "\ton\t" << (found.shown.empty() ? found.example : *found.shown.begin()) << "\t\n";
		return 0;
	}
	const auto wrong = verdict(report, list, partial);
	for (const auto &line : wrong)
		std::cout << "# " << line << "\n";
	size_t seen = 0;
	for (const auto &[what, found] : report.listed)
		seen += found.count;
	std::cout << (wrong.empty() ? "same" : "different") << ": " << report.sequences << " sequences, " << report.compared << " of "
		  << report.steps << " steps compared, " << report.ended << " sequences ended at a difference; " << list.entries().size()
		  << " differences listed, " << report.listed.size() << " seen (" << seen << " times), " << report.unlisted.size()
		  << " not listed\n";
	return wrong.empty() ? 0 : 1;
}

}

int main(int argc, char **argv)
{
	return program("compare", argc, argv, run);
}
