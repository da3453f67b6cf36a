// SPDX-License-Identifier: GPL-2.0-only
#include "script.hh"

#include <algorithm>
#include <cstdlib>

namespace traces {

namespace {

constexpr size_t batch_shared = 700;	// sequences that share ports
constexpr size_t batch_own = 120;	// sequences with a port of their own
constexpr size_t batch_roce = 300;

std::string strip(const std::string &line)
{
	const std::string text = line.substr(0, line.find('#'));
	const size_t from = text.find_first_not_of(" \t\r");
	if (from == std::string::npos)
		return "";
	return text.substr(from, text.find_last_not_of(" \t\r") - from + 1);
}

std::vector<std::string> split(const std::string &text, char mark)
{
	std::vector<std::string> out;
	for (size_t at = 0;;) {
		const size_t end = text.find(mark, at);
		const std::string part = strip(text.substr(at, end == std::string::npos ? end : end - at));
		if (!part.empty())
			out.push_back(part);
		if (end == std::string::npos)
			return out;
		at = end + 1;
	}
}

std::string rest(const std::string &line)
{
	const size_t blank = line.find_first_of(" \t");
	return blank == std::string::npos ? "" : strip(line.substr(blank));
}

// "answer A 1; call A dreq" as a part of a name: "answer-1+call-dreq"
std::string slug(const std::string &line)
{
	std::string out;
	for (const auto &step : split(line, ';')) {
		if (!out.empty())
			out += "+";
		bool first = true;
		for (const auto &word : words(step)) {
			if (word == "A")
				continue;
			out += (first ? "" : "-") + word;
			first = false;
		}
	}
	return out;
}

}

bool Script::waits() const
{
	return std::any_of(steps.begin(), steps.end(), [](const std::string &step) { return step.starts_with("wait"); });
}

size_t Script::copies() const
{
	const size_t at = options.find(" copies=");
	const long count = at == std::string::npos ? 1 : std::atol(options.c_str() + at + 8);
	return count > 0 ? count : 1;
}

const Expander::Way *Expander::way(const std::string &name) const
{
	for (const auto &way : ways_)
		if (way.name == name)
			return &way;
	return nullptr;
}

void Expander::append(std::vector<std::string> &steps, const std::string &line) const
{
	if (!line.starts_with("bring ")) {
		steps.push_back(line);
		return;
	}
	const Way *found = way(rest(line));
	if (!found)
		throw Error("no state '" + rest(line) + "'");
	steps.insert(steps.end(), found->steps.begin(), found->steps.end());
}

// state NAME, sequence NAME options, matrix NAME options; what follows belongs to the last of them.
void Expander::read(std::istream &in, const std::string &file)
{
	enum { NOWHERE, STATE, SEQUENCE, MATRIX } where = NOWHERE;
	std::string line, name, options;
	std::vector<std::string> states, first;
	size_t number = 0;
	try {
		while (std::getline(in, line)) {
			number++;
			line = strip(line);
			if (line.empty())
				continue;
			const auto all = words(line);
			const std::string &verb = all[0];
			if (verb == "state" || verb == "sequence" || verb == "matrix") {
				if (all.size() < 2)
					throw Error(verb + " has no name");
				name = all[1];
				options = "";
				for (size_t i = 2; i < all.size(); i++)
					options += " " + all[i];
				states.clear();
				first.clear();
				where = verb == "state" ? STATE : verb == "sequence" ? SEQUENCE : MATRIX;
				if (where == STATE) {
					if (way(name))
						throw Error("state '" + name + "' twice");
					ways_.push_back({name, {}});
				} else if (where == SEQUENCE) {
					scripts_.push_back({name, options, {}});
				}
				continue;
			}
			switch (where) {
			case NOWHERE:
				throw Error("outside of a state, sequence or matrix");
			case STATE: {
				// A way may begin with another; ways_ may move while it grows.
				std::vector<std::string> steps;
				append(steps, line);
				ways_.back().steps.insert(ways_.back().steps.end(), steps.begin(), steps.end());
				break;
			}
			case SEQUENCE:
				append(scripts_.back().steps, line);
				break;
			case MATRIX:
				if (verb == "in") {
					for (size_t i = 1; i < all.size(); i++) {
						if (all[i] == "all") {
							for (const auto &each : ways_)
								states.push_back(each.name);
						} else if (all[i][0] == '-') {
							std::erase(states, all[i].substr(1));
						} else if (way(all[i])) {
							states.push_back(all[i]);
						} else {
							throw Error("no state '" + all[i] + "'");
						}
					}
				} else if (verb == "first") {
					first = split(rest(line), ';');
				} else if (verb == "do") {
					if (states.empty())
						throw Error("a matrix needs 'in STATE...' before 'do'");
					for (const auto &state : states) {
						// What is told in words has one thing to do.
						const bool plain = options.find(" facts=1") != std::string::npos;
						Script script{name + "/" + state + (plain ? "" : "/" + slug(rest(line))), options, {}};
						script.steps = first;
						append(script.steps, "bring " + state);
						for (const auto &step : split(rest(line), ';'))
							append(script.steps, step);
						scripts_.push_back(script);
					}
				} else {
					throw Error("in a matrix: 'in', 'first' or 'do', not '" + verb + "'");
				}
				break;
			}
		}
		copy();
		std::vector<std::string> names;
		for (const auto &script : scripts_)
			names.push_back(script.name);
		std::sort(names.begin(), names.end());
		const auto twice = std::adjacent_find(names.begin(), names.end());
		if (twice != names.end())
			throw Error("sequence '" + *twice + "' twice");
	} catch (const Error &error) {
		throw Error(file + ":" + std::to_string(number) + ": " + error.what());
	}
}

// copies=N, the last option: so many sequences that do the same at the same time.
void Expander::copy()
{
	std::vector<Script> out;
	for (const auto &script : scripts_) {
		const size_t count = script.copies();
		for (size_t i = 0; i < count; i++) {
			out.push_back(script);
			if (count == 1)
				continue;
			out.back().name += "/" + std::to_string(i + 1);
			out.back().options.erase(script.options.find(" copies="));
		}
	}
	scripts_ = out;
}

std::vector<std::vector<Script>> batches(const std::vector<Script> &scripts)
{
	std::vector<std::vector<Script>> out;
	for (const auto &script : scripts)
		if (script.solo())
			out.push_back({script});
	for (const bool own : {false, true})
		for (const bool waits : {false, true})
			for (const bool roce : {false, true}) {
				const size_t limit = own ? (roce ? 12 : batch_own) : roce ? batch_roce : batch_shared;
				size_t count = limit;
				for (const auto &script : scripts) {
					if (script.solo() || script.own_port() != own || script.roce() != roce || script.waits() != waits)
						continue;
					if (count == limit) {
						out.push_back({});
						count = 0;
					}
					out.back().push_back(script);
					count++;
				}
			}
	return out;
}

std::string to_text(const std::vector<Script> &batch)
{
	std::string out;
	for (const auto &script : batch) {
		out += "sequence " + script.name + script.options + "\n";
		for (const auto &step : script.steps)
			out += step + "\n";
	}
	return out;
}

}
