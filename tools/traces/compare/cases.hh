// SPDX-License-Identifier: GPL-2.0-only
// Sequences that are played alone: what came of each on either side, in words, and whether the list of cases says so.
#pragma once

#include <iosfwd>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "trace.hh"

namespace traces {

// What the sequence did after its step "mark". The same for the same behaviour: no figures that depend on time.
std::string outcome(const Sequence &sequence);

// All outcomes of a name; copies ("name/N", "name/N/M", both numbers) count as one.
std::map<std::string, std::set<std::string>> outcomes(const std::vector<Sequence> &trace);

// An entry of defects.tsv.
struct Case {
	std::string group, name, stock, ours, reason;
	size_t line = 0;
};

// Throws Error: columns, doubles, an outcome of ours that must not be.
std::vector<Case> read_cases(std::istream &in, const std::string &file);

// Lines of "not ok"; empty: all is as the list says. Names begin with one of only, if there is any: the others were not played.
std::vector<std::string> check_cases(const std::vector<Case> &cases, const std::vector<Sequence> &stock,
				     const std::vector<Sequence> &ours, const std::vector<std::string> &only);

}
