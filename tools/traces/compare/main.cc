// SPDX-License-Identifier: GPL-2.0-only
// compare LIST STOCK OURS [--partial] [--suggest]: are the differences of two traces those of the list?
//   --partial   not all scripts were run: entries that were not seen are not missed
//   --suggest   print what the list lacks, in its format, with the column reason empty
#include <fstream>
#include <iostream>

#include "compare.hh"

using namespace traces;

namespace {

std::ifstream open(const std::string &name)
{
	std::ifstream in(name);
	if (!in)
		throw Error("cannot read " + name);
	return in;
}

int run(const std::vector<std::string> &args)
{
	std::vector<std::string> files;
	bool partial = false, suggest = false;
	for (const auto &arg : args) {
		if (arg == "--partial")
			partial = true;
		else if (arg == "--suggest")
			suggest = true;
		else
			files.push_back(arg);
	}
	if (files.size() != 3)
		throw Error("usage: compare LIST STOCK OURS [--partial] [--suggest]");
	auto in = open(files[0]);
	const List list = List::read(in, files[0]);
	Report report;
	auto stock = open(files[1]), ours = open(files[2]);
	compare(read_trace(stock, files[1]), read_trace(ours, files[2]), list, report);
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
try {
	return run({argv + 1, argv + argc});
} catch (const Error &error) {
	std::cerr << "compare: " << error.what() << "\n";
	return 2;
}
