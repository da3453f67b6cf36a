// SPDX-License-Identifier: GPL-2.0-only
#include "compare.hh"

#include <algorithm>
#include <istream>

namespace traces {

namespace {

const std::string none = "-";

// The step without the name of its id: what happened, not to whom.
std::string event_of(const std::string &step)
{
	const auto all = words(step);
	const bool peer = !all.empty() && (all[0] == "peer" || all[0] == "repeat");
	std::string out;
	for (size_t i = 0; i < all.size(); i++) {
		if (i == (peer ? 2U : 1U) && subject(step))
			continue;
		out += (out.empty() ? "" : " ") + all[i];
	}
	return out;
}

// A value's names of ids: the one concerned is "id", others stay.
std::string value_of(const std::string &value, char who)
{
	if (!who || value.empty())
		return value;
	// REQ.A, pREQ.A, A, pA, qA, rA, each with -old perhaps
	const size_t dot = value.rfind('.');
	size_t at = dot == std::string::npos ? 0 : dot + 1;
	std::string lead = value.substr(0, at);
	if (dot == std::string::npos && value.size() > 1 && std::string("pqr").find(value[0]) != std::string::npos) {
		lead = value.substr(0, 1) + ".";
		at = 1;
	}
	if (at >= value.size() || value[at] != who)
		return value;
	const std::string rest = value.substr(at + 1);
	if (rest != "" && rest != "-old")
		return value;
	return lead + "id" + rest;
}

std::string label(const Item &item)
{
	if (item.name != "REJ")
		return item.name;
	const auto at = item.fields.find("reason");
	return item.name + " " + (at == item.fields.end() ? "0" : at->second);
}

class Step_compare {
public:
	Step_compare(const Step &stock, const Step &ours, const std::map<char, std::string> &before)
	    : stock_(stock), ours_(ours), before_(before), event_(event_of(stock.text)), subject_(subject(stock.text))
	{
		const auto all = words(stock.text);
		for (const auto &word : all)
			if (word.starts_with("like=") && word.size() == 6 && !before.contains(subject_))
				subject_ = word[5];
	}

	std::vector<Difference> run()
	{
		if (stock_.result != ours_.result)
			add(subject_, "return", stock_.result.empty() ? none : stock_.result,
			    ours_.result.empty() ? none : ours_.result);
		fields(subject_, "attr", stock_.attributes, ours_.attributes);
		events();
		mads();
		states("state", stock_.states, ours_.states);
		states("lap_state", stock_.laps, ours_.laps);
		std::sort(found_.begin(), found_.end());
		found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
		return found_;
	}

private:
	void add(char who, const std::string &field, const std::string &stock, const std::string &ours)
	{
		const auto at = before_.find(who);
		found_.push_back({event_, at == before_.end() ? "none" : at->second, field, value_of(stock, who), value_of(ours, who)});
	}

	void fields(char who, const std::string &name, const Fields &stock, const Fields &ours)
	{
		auto get = [](const Fields &from, const std::string &key) {
			const auto at = from.find(key);
			return at == from.end() ? std::string("0") : at->second;
		};
		std::set<std::string> keys;
		for (const auto *side : {&stock, &ours})
			for (const auto &field : *side)
				keys.insert(field.first);
		for (const auto &key : keys)
			if (get(stock, key) != get(ours, key))
				add(who, name + "." + key, get(stock, key), get(ours, key));
	}

	// By id, in order: the longest common row of events is compared field by field, the rest is there on one side only.
	void events()
	{
		for (char who = 'A'; who <= 'H'; who++) {
			std::vector<const Item *> a, b;
			for (const auto &item : stock_.events)
				if (item.who == who)
					a.push_back(&item);
			for (const auto &item : ours_.events)
				if (item.who == who)
					b.push_back(&item);
			align(who, a, b);
		}
	}

	void align(char who, const std::vector<const Item *> &a, const std::vector<const Item *> &b)
	{
		std::vector<std::vector<size_t>> common(a.size() + 1, std::vector<size_t>(b.size() + 1, 0));
		for (size_t i = a.size(); i-- > 0;)
			for (size_t k = b.size(); k-- > 0;)
				common[i][k] = a[i]->name == b[k]->name ? common[i + 1][k + 1] + 1 :
					       std::max(common[i + 1][k], common[i][k + 1]);
		std::map<std::string, std::pair<size_t, size_t>> single;
		size_t i = 0, k = 0;
		while (i < a.size() || k < b.size()) {
			if (i < a.size() && k < b.size() && a[i]->name == b[k]->name) {
				fields(who, a[i]->name, a[i]->fields, b[k]->fields);
				i++;
				k++;
			} else if (k == b.size() || (i < a.size() && common[i + 1][k] >= common[i][k + 1])) {
				single[a[i++]->name].first++;
			} else {
				single[b[k++]->name].second++;
			}
		}
		for (const auto &[name, count] : single)
			add(who, "event " + name, count.first ? std::to_string(count.first) : none,
			    count.second ? std::to_string(count.second) : none);
	}

	// Datagrams of one kind and one id are compared in the order in which they came; kinds have no order among themselves.
	void mads()
	{
		std::map<std::pair<char, std::string>, std::pair<std::vector<const Item *>, std::vector<const Item *>>> kinds;
		for (const auto &item : stock_.mads)
			kinds[{owner(item), label(item)}].first.push_back(&item);
		for (const auto &item : ours_.mads)
			kinds[{owner(item), label(item)}].second.push_back(&item);
		// One side may know the id where the other does not name it.
		for (auto &[key, both] : kinds) {
			if (key.first == subject_ || both.second.size() <= both.first.size())
				continue;
			auto other = kinds.find({subject_, key.second});
			if (other != kinds.end() && other->second.first.size() > other->second.second.size()) {
				other->second.second.push_back(both.second.back());
				both.second.pop_back();
			}
		}
		for (auto &[key, both] : kinds) {
			if (key.first == subject_ || both.first.size() <= both.second.size())
				continue;
			auto other = kinds.find({subject_, key.second});
			if (other != kinds.end() && other->second.second.size() > other->second.first.size()) {
				other->second.first.push_back(both.first.back());
				both.first.pop_back();
			}
		}
		for (const auto &[key, both] : kinds) {
			const auto &[a, b] = both;
			const size_t count = std::min(a.size(), b.size());
			for (size_t i = 0; i < count; i++)
				fields(key.first, a[i]->name, a[i]->fields, b[i]->fields);
			if (a.size() != b.size())
				add(key.first, "mad " + key.second, a.empty() ? none : std::to_string(a.size()),
				    b.empty() ? none : std::to_string(b.size()));
		}
	}

	// A datagram that names no id of ours belongs to whom the step is about.
	char owner(const Item &item) const { return item.who ? item.who : subject_; }

	void states(const std::string &field, const std::map<char, std::string> &stock, const std::map<char, std::string> &ours)
	{
		for (char who = 'A'; who <= 'H'; who++) {
			const auto a = stock.find(who), b = ours.find(who);
			const std::string x = a == stock.end() ? none : a->second;
			const std::string y = b == ours.end() ? none : b->second;
			if (x != y)
				add(who, field, x, y);
		}
	}

	const Step &stock_, &ours_;
	const std::map<char, std::string> &before_;
	std::string event_;
	char subject_;
	std::vector<Difference> found_;
};

}

std::vector<Difference> differences(const Step &stock, const Step &ours, const std::map<char, std::string> &before)
{
	return Step_compare(stock, ours, before).run();
}

std::string to_tsv(const Difference &what)
{
	return what.event + "\t" + what.state + "\t" + what.field + "\t" + what.stock + "\t" + what.ours;
}

List List::read(std::istream &in, const std::string &file)
{
	List list;
	std::string line;
	size_t number = 0;
	list.file_ = file;
	while (std::getline(in, line)) {
		number++;
		if (line.empty() || line[0] == '#')
			continue;
		const auto cells = columns(line);
		auto bad = [&](const std::string &why) { return Error(file + ":" + std::to_string(number) + ": " + why); };
		if (cells.size() != 8)
			throw bad(std::to_string(cells.size()) + " columns, want event, state, field, stock, ours, then, script, reason");
		for (size_t i = 0; i < cells.size(); i++) {
			if (cells[i].empty())
				throw bad("column " + std::to_string(i + 1) + " is empty");
			if (i < 5 && cells[i].find_first_of("*?[]") != std::string::npos)
				throw bad("'" + cells[i] + "': no wildcards");
		}
		if (cells[5] != "end" && cells[5] != "on")
			throw bad("'" + cells[5] + "' is neither end nor on");
		Entry entry{{cells[0], cells[1], cells[2], cells[3], cells[4]}, cells[5] == "end", cells[6], cells[7], number};
		if (entry.what.field == "state" && !entry.end)
			throw bad("another state ends the comparison");
		if (entry.what.stock == entry.what.ours)
			throw bad("no difference");
		if (!list.index_.emplace(entry.what, list.entries_.size()).second)
			throw bad("the same as line " + std::to_string(list.find(entry.what)->line));
		list.entries_.push_back(entry);
	}
	return list;
}

const Entry *List::find(const Difference &what) const
{
	const auto at = index_.find(what);
	return at == index_.end() ? nullptr : &entries_[at->second];
}

std::string List::first_line(const Entry &entry) const
{
	return file_ + ":" + std::to_string(entry.line) + ": " + to_tsv(entry.what);
}

void compare(const std::vector<Sequence> &stock, const std::vector<Sequence> &ours, const List &list, Report &report)
{
	if (stock.size() != ours.size())
		report.errors.push_back("stock played " + std::to_string(stock.size()) + " sequences, ours " + std::to_string(ours.size()));
	for (size_t i = 0; i < std::min(stock.size(), ours.size()); i++) {
		const Sequence &a = stock[i], &b = ours[i];
		if (a.name != b.name || a.steps.size() != b.steps.size()) {
			report.errors.push_back("sequence " + a.name + " and " + b.name + " are not the same script");
			continue;
		}
		report.sequences++;
		report.steps += a.steps.size();
		std::map<char, std::string> before;
		for (size_t k = 0; k < a.steps.size(); k++) {
			if (a.steps[k].text != b.steps[k].text) {
				report.errors.push_back("sequence " + a.name + ": another step " + std::to_string(k + 1));
				break;
			}
			report.compared++;
			bool end = false;
			for (const auto &what : differences(a.steps[k], b.steps[k], before)) {
				const Entry *entry = list.find(what);
				Found &found = entry ? report.listed[what] : report.unlisted[what];
				if (!found.count++)
					found.example = a.name + ", step " + std::to_string(k + 1) + ": " + a.steps[k].text;
				if (!a.name.starts_with(random_prefix))
					found.shown.insert(a.name);
				end |= entry ? entry->end : true;
			}
			if (end) {
				report.ended++;
				break;
			}
			before = a.steps[k].states;
		}
	}
}

std::vector<std::string> verdict(const Report &report, const List &list, bool partial)
{
	std::vector<std::string> out = report.errors;
	for (const auto &[what, found] : report.unlisted)
		out.push_back("not in the list: " + to_tsv(what) + " (" + std::to_string(found.count) + " times, first in " + found.example + ")");
	for (const auto &entry : list.entries()) {
		const auto at = report.listed.find(entry.what);
		if (partial && at == report.listed.end())
			continue;
		if (at == report.listed.end())
			out.push_back("no run shows it: " + list.first_line(entry));
		else if (!at->second.shown.contains(entry.script) && !partial)
			out.push_back("script " + entry.script + " does not show it: " + list.first_line(entry));
	}
	return out;
}

}
