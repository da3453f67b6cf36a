// SPDX-License-Identifier: GPL-2.0-only
// Two traces of one script: what differs, and whether the list of differences says so.
#pragma once

#include <iosfwd>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "trace.hh"

namespace traces {

// What happened, in which state of the id concerned, and what differed then.
struct Difference {
	std::string event, state, field, stock, ours;
	auto operator<=>(const Difference &) const = default;
};

// Differences of one step. before: the states before it.
std::vector<Difference> differences(const Step &stock, const Step &ours, const std::map<char, std::string> &before);

// An entry of differences.tsv.
struct Entry {
	Difference what;
	bool end = false;	// the two sides go different ways from here: the rest of the sequence is not compared
	std::string script;	// a sequence that shows it
	std::string reason;
	size_t line = 0;
};

class List {
public:
	// Throws Error: columns, wildcards, empty reasons, doubles.
	static List read(std::istream &in, const std::string &file);

	const Entry *find(const Difference &what) const;
	const std::vector<Entry> &entries() const { return entries_; }
	std::string first_line(const Entry &entry) const;

private:
	std::vector<Entry> entries_;
	std::map<Difference, size_t> index_;
	std::string file_;
};

struct Found {
	size_t count = 0;
	std::string example;		// the first sequence that shows it, and its step
	std::set<std::string> shown;	// scripted sequences that show it
};

struct Report {
	size_t sequences = 0, steps = 0, compared = 0, ended = 0;
	std::map<Difference, Found> listed, unlisted;
	std::vector<std::string> errors;	// traces that do not belong together
};

// Sequences whose names begin with this are random: they are not examples for the list.
inline constexpr const char *random_prefix = "random/";

// Adds what it finds to the report.
void compare(const std::vector<Sequence> &stock, const std::vector<Sequence> &ours, const List &list, Report &report);

// Lines of "not ok"; empty: all is as the list says. partial: not all scripts were run, unused entries are none of our business.
std::vector<std::string> verdict(const Report &report, const List &list, bool partial);

std::string to_tsv(const Difference &what);

}
