// SPDX-License-Identifier: GPL-2.0-only
#include "cases.hh"

#include <algorithm>
#include <istream>
#include <optional>

namespace traces {

namespace {

// What no outcome of ours may say.
const char *const unclean[] = {"not back", "two handlers at once", "while a handler runs", "WARNING", "BUG", "leak", "one service id twice",
			       "hangs", "threads block", "cannot be unloaded"};

std::string label(const Item &mad)
{
	const auto at = mad.fields.find("reason");
	return mad.name == "REJ" ? "REJ " + (at == mad.fields.end() ? "0" : at->second) : mad.name;
}

// "name/12" and "name/3/12" -> "name"
std::string base(const std::string &name)
{
	const size_t at = name.rfind('/');
	if (at == std::string::npos || at + 1 == name.size() || name.find_first_not_of("0123456789", at + 1) != std::string::npos)
		return name;
	return base(name.substr(0, at));
}

// What was begun, as the trace names it: "unplug -" is about nobody.
std::string plain(const std::string &what)
{
	return what.ends_with(" -") ? what.substr(0, what.size() - 2) : what;
}

class Teller {
public:
	explicit Teller(const Sequence &sequence) : sequence_(sequence) {}

	std::string tell()
	{
		bool marked = false;
		for (const auto &step : sequence_.steps) {
			if (step.text == "mark")
				marked = true;
			else if (marked)
				take(step);
		}
		for (const auto &[what, step] : pending_)
			say(plain(what) + ": not back");
		return text_.empty() ? "nothing" : text_;
	}

private:
	void say(const std::string &what) { text_ += (text_.empty() ? "" : "; ") + what; }

	void take(const Step &step)
	{
		const auto all = words(step.text);
		if (!step.result.empty() && step.result != "0")
			say(step.text + ": " + step.result);
		if (all[0] == "destroy" && all.size() > 1)
			pending_["destroy " + all[1]] = step.text;
		if (all[0] == "unplug" || step.text.ends_with("with=unplug"))
			pending_["unplug -"] = step.text;
		for (const auto &[what, ms] : step.took) {
			const auto at = pending_.find(what);
			if (at == pending_.end())
				continue;
			// Which of two waits it was is a matter of the machine's speed.
			say(plain(what) + (at->second == step.text ? ": at once" : all[0] == "wait" ? ": back later" :
					   ": back in '" + step.text + "'"));
			pending_.erase(at);
		}
		// A wait of seconds that is over has outlived what is still to come.
		for (auto &[what, begun] : pending_)
			if (begun != step.text && all[0] == "wait" && step.text.ends_with("000"))
				waited(what, step.text);
		std::set<std::string> told;
		// Which of two that race came first decides what is said then.
		if (step.text.ends_with("with=unplug")) {
			for (const auto &fact : step.facts)
				say(fact);
			return;
		}
		for (const auto &item : step.events)
			if (told.insert(std::string(1, item.who) + item.name).second)
				say(std::string(1, item.who) + " gets " + item.name);
		for (const auto &mad : step.mads)
			if (told.insert("mad " + label(mad)).second)
				say("sends " + label(mad));
		for (const auto &fact : step.facts)
			if (told.insert("fact " + fact).second)
				say(fact);
	}

	void waited(const std::string &what, const std::string &step)
	{
		if (waits_.insert(what + step).second)
			say(plain(what) + ": not back after '" + step + "'");
	}

	const Sequence &sequence_;
	std::map<std::string, std::string> pending_;	// what was begun and has not returned, and the step that did
	std::set<std::string> waits_;
	std::string text_;
};

}

std::string outcome(const Sequence &sequence)
{
	return Teller(sequence).tell();
}

std::map<std::string, std::set<std::string>> outcomes(const std::vector<Sequence> &trace)
{
	std::map<std::string, std::set<std::string>> out;
	for (const auto &sequence : trace)
		out[base(sequence.name)].insert(outcome(sequence));
	return out;
}

std::vector<Case> read_cases(std::istream &in, const std::string &file)
{
	std::vector<Case> out;
	std::set<std::string> names;
	std::string line;
	size_t number = 0;
	while (std::getline(in, line)) {
		number++;
		if (line.empty() || line[0] == '#')
			continue;
		const auto cells = columns(line);
		auto bad = [&](const std::string &why) { return Error(file + ":" + std::to_string(number) + ": " + why); };
		if (cells.size() != 5)
			throw bad(std::to_string(cells.size()) + " columns, want group, sequence, stock, ours, reason");
		for (size_t i = 0; i < cells.size(); i++)
			if (cells[i].empty())
				throw bad("column " + std::to_string(i + 1) + " is empty");
		for (const char *word : unclean)
			if (cells[3].find(word) != std::string::npos)
				throw bad("ours must not say '" + std::string(word) + "'");
		if (cells[2] != cells[3] && cells[4] == "-")
			throw bad("a difference without a reason");
		if (!names.insert(cells[1]).second)
			throw bad("'" + cells[1] + "' twice");
		out.push_back({cells[0], cells[1], cells[2], cells[3], cells[4], number});
	}
	return out;
}

std::vector<std::string> check_cases(const std::vector<Case> &cases, const std::vector<Sequence> &stock,
				     const std::vector<Sequence> &ours, const std::vector<std::string> &only)
{
	std::vector<std::string> out;
	const auto theirs = outcomes(stock), mine = outcomes(ours);
	auto played = [&](const std::string &name) {
		return only.empty() || std::any_of(only.begin(), only.end(), [&](const auto &each) { return name.starts_with(each + "/"); });
	};
	auto joined = [](const std::set<std::string> &all) {
		std::string text;
		for (const auto &each : all)
			text += (text.empty() ? "" : " | ") + each;
		return text;
	};
	std::set<std::string> listed;
	for (const auto &entry : cases) {
		if (!played(entry.name))
			continue;
		listed.insert(entry.name);
		const auto a = theirs.find(entry.name), b = mine.find(entry.name);
		if (a == theirs.end() || b == mine.end()) {
			out.push_back("line " + std::to_string(entry.line) + ": " + entry.name + " was not played by " +
				      (a == theirs.end() ? "stock" : "ours"));
			continue;
		}
		// Of copies, stock need not lose each race; ours has none to lose.
		if (!a->second.contains(entry.stock))
			out.push_back(entry.name + ": stock: want '" + entry.stock + "', got '" + joined(a->second) + "'");
		if (b->second != std::set<std::string>{entry.ours})
			out.push_back(entry.name + ": ours: want '" + entry.ours + "', got '" + joined(b->second) + "'");
	}
	for (const auto *side : {&theirs, &mine})
		for (const auto &[name, all] : *side)
			if (!listed.contains(name) && listed.insert(name).second)
				out.push_back(name + " is not in the list: stock '" + joined(theirs.contains(name) ? theirs.at(name) : all) +
					      "', ours '" + joined(mine.contains(name) ? mine.at(name) : all) + "'");
	return out;
}

}
