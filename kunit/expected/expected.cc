// SPDX-License-Identifier: GPL-2.0-only
//
// expected EXPECTED.tsv FIELDS.c MODEL.json: the table of expectations, checked, as JSON for fsm_expected.h.j2.
//
// Owns: the meaning of the columns. The list of cells is the model's, the expectations are the table's: a cell without a line, a line
// without a cell, or a name that nobody has (messages and their fields are those of FIELDS.c), ends the build.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace fs = std::filesystem;
using nlohmann::ordered_json;

namespace {

constexpr std::size_t shown = 40;

enum Column { MACHINE, EVENT, STATE, RESULT, NEXT, MADS, EVENTS, TIMER, HOLDERS, SOURCE, COLUMNS };

using Cell = std::array<std::string, 3>;
using Names = std::set<std::string, std::less<>>;
using Wire = std::map<std::string, Names, std::less<>>;

// A line that means nothing.
struct Bad : std::runtime_error {
	using std::runtime_error::runtime_error;
};

// What an event's expectation may name: what fsm_test.c knows how to find.
const Names event_fields = {"reason", "status", "service_timeout", "qpn"};

const std::map<std::string, std::string, std::less<>> timers = {
	{"-", "none"}, {"response", "response"}, {"timewait", "timewait"}};

std::string contents(const fs::path &path)
{
	std::ifstream in(path, std::ios::binary);
	std::ostringstream text;
	if (!in || !(text << in.rdbuf()))
		throw std::runtime_error("cannot read " + path.string());
	return text.str();
}

// As many parts as separators, and one.
std::vector<std::string> split(std::string_view text, char separator)
{
	std::vector<std::string> parts;
	for (;;) {
		std::size_t end = text.find(separator);
		parts.emplace_back(text.substr(0, end));
		if (end == text.npos)
			return parts;
		text.remove_prefix(end + 1);
	}
}

std::string strip(const std::string &text)
{
	constexpr const char *blank = " \t\r\n\v\f";
	std::size_t begin = text.find_first_not_of(blank);
	return begin == text.npos ? "" : text.substr(begin, text.find_last_not_of(blank) + 1 - begin);
}

std::string words(const Cell &cell) { return cell[MACHINE] + " " + cell[EVENT] + " " + cell[STATE]; }

struct Machine {
	std::string prefix;
	Names states, holders;	// the holders whose set the table gives exactly
};

struct Model {
	std::map<std::string, Machine, std::less<>> machines;
	std::set<Cell> cells;	// those that something may ask for: not "never", no reserved state
};

Model read_model(const fs::path &path)
{
	Model model;
	const ordered_json json = ordered_json::parse(contents(path));
	for (const ordered_json &m : json.at("machines")) {
		const std::string name = m.at("name");
		Machine &machine = model.machines[name];
		Names reserved;
		machine.prefix = m.at("prefix");
		for (const ordered_json &s : m.at("states")) {
			machine.states.insert(s.at("name"));
			if (s.at("reserved") != "")
				reserved.insert(s.at("name"));
		}
		for (const ordered_json &h : m.at("holders"))
			if (h.at("exact"))
				machine.holders.insert(h.at("name"));
		for (const ordered_json &row : m.at("rows")) {
			if (row.at("verdict") == "never")
				continue;
			for (const std::string event : row.at("on"))
				for (const std::string state : row.at("in"))
					if (!reserved.contains(state))
						model.cells.insert({name, event, state});
		}
	}
	return model;
}

// Message -> its fields.
Wire read_wire(const fs::path &path)
{
	static const std::regex row(R"(\tROW\((\w+), (\w+),.*)");
	Wire wire;
	std::smatch match;
	for (const std::string &line : split(contents(path), '\n'))
		if (std::regex_match(line, match, row))
			wire[match[1]].insert(match[2]);
	return wire;
}

unsigned long long number(std::string_view text)
{
	bool hex = text.starts_with("0x") || text.starts_with("0X");
	unsigned long long value = 0;
	if (hex)
		text.remove_prefix(2);
	auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
	if (error != std::errc())
		throw Bad("too large: '" + std::string(text) + "'");
	return value;
}

// `NAME`, `NAME{field=value,...}`, and, of several copies, `NAME*`; separated by semicolons.
ordered_json items(const std::string &text, bool may_repeat)
{
	static const std::regex item(R"((\w+)(?:\{([^{}]*)\})?(\*?))");
	static const std::regex assignment(R"((\w+)=(0[xX][0-9a-fA-F]+|0|[1-9][0-9]*))");
	ordered_json found = ordered_json::array();
	if (text == "-")
		return found;
	for (const std::string &part : split(text, ';')) {
		const std::string bare = strip(part);
		std::smatch match, field;
		if (!std::regex_match(bare, match, item) || (match[3].length() && !may_repeat))
			throw Bad("cannot read '" + part + "'");
		ordered_json fields = ordered_json::array();
		if (match[2].length())
			for (const std::string &one : split(match[2].str(), ',')) {
				const std::string both = strip(one);
				if (!std::regex_match(both, field, assignment))
					throw Bad("cannot read '" + one + "' of '" + part + "'");
				fields.push_back({{"name", field[1].str()}, {"value", number(field[2].str())}});
			}
		found.push_back({{"name", match[1].str()}, {"many", match[3].length() > 0}, {"fields", fields}});
	}
	return found;
}

// Each list of messages or of events once.
class Lists {
public:
	// Where the entries are; null of none.
	ordered_json place(const ordered_json &entries)
	{
		if (entries.empty())
			return nullptr;
		auto [found, added] = number_.try_emplace(entries.dump(), number_.size());
		if (added)
			all_.push_back(entries);
		return {{"list", found->second}, {"count", entries.size()}};
	}
	const ordered_json &all() const { return all_; }

private:
	std::map<std::string, std::size_t> number_;
	ordered_json all_ = ordered_json::array();
};

// By its first name: of EAGAIN and EWOULDBLOCK, which are one value, the table says EAGAIN.
bool is_errno(std::string_view name)
{
	for (int value = 1; value < 256; value++) {
		const char *known = strerrorname_np(value);
		if (known && name == known)
			return true;
	}
	return false;
}

class Table {
public:
	Table(const Model &model, const Wire &wire) : model_(model), wire_(wire) {}

	void read(const fs::path &path);
	const std::vector<std::string> &findings() const { return findings_; }
	ordered_json json() const { return {{"mads", mads_.all()}, {"events", events_.all()}, {"cells", cells_}}; }

private:
	void line(const std::string &text, std::size_t number, const std::string &where);
	ordered_json cell(const std::vector<std::string> &row, std::size_t number, const Machine &machine);
	ordered_json result(const std::string &text) const;
	ordered_json next(const std::string &text, const Machine &machine) const;
	ordered_json mads(const std::string &text);
	ordered_json events(const std::string &text);
	ordered_json timer(const std::string &text) const;
	ordered_json holders(const std::string &text, const Machine &machine) const;

	const Model &model_;
	const Wire &wire_;
	Lists mads_, events_;
	ordered_json cells_ = ordered_json::array();
	std::map<Cell, std::size_t> seen_;
	std::vector<std::string> findings_;
};

// Null: no call meets the cell.
ordered_json Table::result(const std::string &text) const
{
	if (text == "-")
		return nullptr;
	if (text != "0" && !(text.starts_with('-') && is_errno(text.substr(1))))
		throw Bad("result '" + text + "' is no errno");
	return text;
}

// Null: the state stays.
ordered_json Table::next(const std::string &text, const Machine &machine) const
{
	if (text == "=")
		return nullptr;
	if (!machine.states.contains(text))
		throw Bad("next: no state '" + text + "'");
	return text;
}

ordered_json Table::mads(const std::string &text)
{
	const ordered_json found = items(text, true);
	for (const ordered_json &mad : found) {
		const std::string name = mad["name"];
		auto known = wire_.find(name);
		if (known == wire_.end())
			throw Bad("mads: no message '" + name + "'");
		for (const ordered_json &field : mad["fields"])
			if (const std::string of = field["name"]; !known->second.contains(of))
				throw Bad("mads: " + name + " has no field '" + of + "'");
	}
	return mads_.place(found);
}

ordered_json Table::events(const std::string &text)
{
	const ordered_json found = items(text, false);
	for (const ordered_json &event : found)
		for (const ordered_json &field : event["fields"])
			if (const std::string of = field["name"]; !event_fields.contains(of))
				throw Bad("events: nothing is known of '" + of + "'");
	return events_.place(found);
}

ordered_json Table::timer(const std::string &text) const
{
	auto found = timers.find(text);
	if (found == timers.end())
		throw Bad("timer: not '" + text + "'");
	return found->second;
}

ordered_json Table::holders(const std::string &text, const Machine &machine) const
{
	ordered_json names = ordered_json::array();
	if (text == "-")
		return names;
	for (const std::string &name : split(text, ',')) {
		if (!machine.holders.contains(name))
			throw Bad("holders: no exact holder '" + name + "'");
		names.push_back(name);
	}
	return names;
}

ordered_json Table::cell(const std::vector<std::string> &row, std::size_t number, const Machine &machine)
{
	ordered_json out = {{"machine", row[MACHINE]}, {"prefix", machine.prefix}, {"event", row[EVENT]},
			    {"state", row[STATE]},     {"line", number},	   {"unknown", ordered_json::array()}};
	// "?": no source fixes the column, so nothing is compared.
	auto add = [&](const char *name, Column column, auto meaning) {
		if (row[column] == "?")
			out["unknown"].push_back(name);
		out[name] = row[column] == "?" ? ordered_json() : meaning(row[column]);
	};
	add("result", RESULT, [&](const std::string &text) { return result(text); });
	add("next", NEXT, [&](const std::string &text) { return next(text, machine); });
	add("mads", MADS, [&](const std::string &text) { return mads(text); });
	add("events", EVENTS, [&](const std::string &text) { return events(text); });
	add("timer", TIMER, [&](const std::string &text) { return timer(text); });
	add("holders", HOLDERS, [&](const std::string &text) { return holders(text, machine); });
	if (Names{"", "-", "?", "-?"}.contains(strip(row[SOURCE])))
		throw Bad("no source");
	out["source"] = row[SOURCE];
	return out;
}

void Table::line(const std::string &text, std::size_t number, const std::string &where)
{
	const std::vector<std::string> row = split(text, '\t');
	if (row.size() != COLUMNS)
		throw Bad(where + ": " + std::to_string(row.size()) + " columns instead of " + std::to_string(COLUMNS));
	const Cell cell = {row[MACHINE], row[EVENT], row[STATE]};
	if (!model_.cells.contains(cell))
		throw Bad(where + ": the model has no cell " + words(cell));
	auto [first, added] = seen_.try_emplace(cell, number);
	if (!added)
		throw Bad(where + ": " + words(cell) + " again, see line " + std::to_string(first->second));
	try {
		cells_.push_back(this->cell(row, number, model_.machines.at(cell[MACHINE])));
	} catch (const Bad &bad) {
		throw Bad(where + ": " + words(cell) + ": " + bad.what());
	}
}

void Table::read(const fs::path &path)
{
	const std::string name = path.filename();
	std::size_t number = 0;
	for (const std::string &text : split(contents(path), '\n')) {
		number++;
		if (strip(text).empty() || text.starts_with('#'))
			continue;
		try {
			line(text, number, name + ":" + std::to_string(number));
		} catch (const Bad &bad) {
			findings_.push_back(bad.what());
		}
	}
	for (const Cell &cell : model_.cells)
		if (!seen_.contains(cell))
			findings_.push_back(name + ": no line for the model's cell " + words(cell));
}

int run(const char *table_path, const char *fields_path, const char *model_path)
{
	Model model;
	try {
		model = read_model(model_path);
	} catch (const nlohmann::json::exception &error) {
		throw std::runtime_error(std::string("cannot read the model ") + model_path + ": " + error.what());
	}
	const Wire wire = read_wire(fields_path);
	Table table(model, wire);
	table.read(table_path);

	const std::vector<std::string> &findings = table.findings();
	for (std::size_t i = 0; i < std::min(findings.size(), shown); i++)
		std::cerr << "render-expected: " << findings[i] << '\n';
	if (findings.size() > shown)
		std::cerr << "render-expected: and " << findings.size() - shown << " more\n";
	if (!findings.empty())
		return 1;
	std::cout << table.json().dump(1, '\t') << '\n';
	if (!std::cout.flush())
		throw std::runtime_error("cannot write the output");
	return 0;
}

} // namespace

int main(int argc, char **argv)
{
	if (argc != 4) {
		std::cerr << "usage: expected EXPECTED.tsv FIELDS.c MODEL.json\n";
		return 2;
	}
	try {
		return run(argv[1], argv[2], argv[3]);
	} catch (const std::exception &error) {
		std::cerr << "render-expected: " << error.what() << '\n';
		return 2;
	}
}
