// SPDX-License-Identifier: GPL-2.0-only
// What cm_script.ko wrote down, read back: sequences of steps, each with what was seen.
#pragma once

#include <istream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace traces {

struct Error : std::runtime_error {
	using std::runtime_error::runtime_error;
};

using Fields = std::map<std::string, std::string>;

// An event or a datagram. who is the letter of the id that it belongs to, 0 if there is none.
struct Item {
	std::string name;
	char who = 0;
	Fields fields;
};

struct Step {
	std::string text;
	std::string result;		// "" where a step has none
	Fields attributes;		// of init_qp_attr
	std::vector<Item> events;	// in order for each id
	std::vector<Item> mads;
	std::map<char, std::string> states;	// after the step
	std::map<char, std::string> laps;	// what is left of a load in states that have none
	// Of sequences that are played alone:
	std::vector<std::string> facts;		// sentences
	std::map<std::string, long> took;	// "destroy A", "unplug -": ms
};

struct Sequence {
	std::string name;
	std::vector<Step> steps;
};

// Throws Error with the line's number.
std::vector<Sequence> read_trace(std::istream &in, const std::string &file);

std::vector<std::string> words(const std::string &line);
// What tabs separate in a line of a list; empty ones, too.
std::vector<std::string> columns(const std::string &line);
// The id that a step is about: the letter after its verb (and message). 0: none.
char subject(const std::string &step);

}
