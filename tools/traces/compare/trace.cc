// SPDX-License-Identifier: GPL-2.0-only
#include "trace.hh"

#include <cstdlib>
#include <sstream>

namespace traces {

std::vector<std::string> words(const std::string &line)
{
	std::istringstream in(line);
	std::vector<std::string> out;
	for (std::string word; in >> word;)
		out.push_back(word);
	return out;
}

namespace {

bool is_letter(const std::string &word)
{
	return word.size() == 1 && word[0] >= 'A' && word[0] <= 'H';
}

// The letter in a comm id's name: "A", "A2". Names of peers ("pA") are not ours.
char owner(const Fields &fields)
{
	for (const char *key : {"local_comm_id", "request_id"}) {
		auto at = fields.find(key);
		if (at != fields.end() && !at->second.empty() && at->second[0] >= 'A' && at->second[0] <= 'H')
			return at->second[0];
	}
	return 0;
}

}

char subject(const std::string &step)
{
	const auto all = words(step);
	const bool peer = !all.empty() && (all[0] == "peer" || all[0] == "repeat");
	const size_t at = peer ? 2 : 1;
	return at < all.size() && is_letter(all[at]) ? all[at][0] : 0;
}

std::vector<std::string> columns(const std::string &line)
{
	std::vector<std::string> cells;
	size_t at = 0, tab;
	for (; (tab = line.find('\t', at)) != std::string::npos; at = tab + 1)
		cells.push_back(line.substr(at, tab - at));
	cells.push_back(line.substr(at));
	return cells;
}

std::vector<Sequence> read_trace(std::istream &in, const std::string &file)
{
	std::vector<Sequence> out;
	std::string line;
	size_t number = 0;
	auto bad = [&](const std::string &why) -> Error {
		return Error(file + ":" + std::to_string(number) + ": " + why + ": " + line);
	};
	auto fields = [&](const std::vector<std::string> &all, size_t from) {
		Fields found;
		for (size_t i = from; i < all.size(); i++) {
			const size_t at = all[i].find('=');
			if (at == std::string::npos)
				throw bad("'" + all[i] + "' is not key=value");
			found[all[i].substr(0, at)] = all[i].substr(at + 1);
		}
		return found;
	};
	while (std::getline(in, line)) {
		number++;
		const auto all = words(line);
		if (all.empty())
			continue;
		if (all[0] == "sequence") {
			if (all.size() != 2)
				throw bad("a sequence has a name");
			out.push_back({all[1], {}});
			continue;
		}
		if (out.empty())
			throw bad("outside a sequence");
		auto &steps = out.back().steps;
		if (all[0] == "step") {
			steps.push_back({});
			steps.back().text = line.size() > 5 ? line.substr(5) : "";
			continue;
		}
		if (steps.empty())
			throw bad("before the first step");
		Step &step = steps.back();
		if (all[0] == "return" && all.size() == 2) {
			step.result = all[1];
		} else if (all[0] == "attr" && all.size() > 2 && is_letter(all[1])) {
			step.attributes = fields(all, 2);
		} else if (all[0] == "event" && all.size() > 2 && is_letter(all[1])) {
			step.events.push_back({all[2], all[1][0], fields(all, 3)});
		} else if (all[0] == "mad" && all.size() > 1) {
			Item item{all[1], 0, fields(all, 2)};
			item.who = owner(item.fields);
			step.mads.push_back(item);
		} else if (all[0] == "states") {
			for (const auto &[key, value] : fields(all, 1))
				(key.size() == 1 ? step.states : step.laps)[key[0]] = value;
		} else if (all[0] == "fact" && all.size() > 1) {
			step.facts.push_back(line.substr(5));
		} else if (all[0] == "took" && all.size() == 4) {
			step.took[all[1] + " " + all[2]] = std::atol(all[3].c_str());
		} else {
			throw bad("unknown line");
		}
	}
	return out;
}

}
