// SPDX-License-Identifier: GPL-2.0-only
//
// cmspin: what tools/model-check does to the model, and asks of it.
//
//   cmspin verbs MODEL.json PML...           does the hand-written part know every verb?
//   cmspin seed MODEL.json FAULTS NAME OUT   the model with that fault, to OUT; prints the bounds that are part of the fault
//   cmspin rows MODEL.json UNEXECUTED all|some LOG...
//                                            the rows that the searches of LOG... executed. With `all`, each row that can be
//                                            executed must have been.
//
// Exit status: 0, or 1 with what is wrong on stderr (rows: on stdout).
#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace {

using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

struct Failure : std::runtime_error {
	using std::runtime_error::runtime_error;
};

std::string read(const std::string &path)
{
	std::ifstream in(path);
	if (!in)
		throw Failure("cannot read " + path);
	return {std::istreambuf_iterator<char>(in), {}};
}

Words words(const std::string &text)
{
	std::istringstream in(text);
	return {std::istream_iterator<std::string>(in), {}};
}

std::string join(const Words &parts, const std::string &by)
{
	std::string out;
	for (const auto &part : parts)
		out += (out.empty() ? "" : by) + part;
	return out;
}

// The lines of a list, without comments.
Words lines(const std::string &path)
{
	Words out;
	std::istringstream in(read(path));
	for (std::string line; std::getline(in, line);)
		if (const auto w = words(line); !w.empty() && w[0][0] != '#')
			out.push_back(line);
	return out;
}

// What is before the first colon, and after.
std::pair<Words, std::string> entry(const std::string &line)
{
	const auto colon = line.find(':');
	if (colon == std::string::npos)
		throw Failure("no colon in: " + line);
	return {words(line.substr(0, colon)), line.substr(colon + 1)};
}

std::size_t index_of(const Json &list, const std::string &name)
{
	for (std::size_t i = 0; i < list.size(); i++)
		if (list[i]["name"] == name)
			return i;
	throw Failure("the model has no " + name);
}

Json &named(Json &list, const std::string &name)
{
	return list[index_of(list, name)];
}

bool contains(const Json &list, const std::string &name)
{
	return std::find(list.begin(), list.end(), name) != list.end();
}

// ---- verbs ----

int verbs(const Json &model, const Words &sources)
{
	static const std::regex use("\\bV_([A-Z_]+)\\b");
	std::set<std::string> known;
	Words missing;

	for (const auto &path : sources) {
		const auto text = read(path);
		for (std::sregex_iterator it(text.begin(), text.end(), use), end; it != end; ++it)
			known.insert((*it)[1]);
	}
	for (const auto &verb : model["verbs"])
		if (verb["stage"] != "PREP" && !known.count(verb["name"]))
			missing.push_back(verb["name"]);
	if (!missing.empty())
		throw Failure("codegen/spin does not say what these verbs do: " + join(missing, ", "));
	return 0;
}

// ---- seeded faults ----

// A machine, an event, a state: the row of that cell.
Json &cell_row(Json &model, const Words &args)
{
	Json &machine = named(model["machines"], args.at(1));
	const auto event = index_of(machine["events"], args.at(2)), state = index_of(machine["states"], args.at(3));
	return machine["rows"][machine["cells"][event][state].get<std::size_t>() - 1];
}

// A decision list, an event: the rules of the list, and which of them names the event.
std::pair<Json *, std::size_t> rule_of(Json &model, const Words &args)
{
	Json &rules = named(model["decisions"], args.at(1))["rules"];
	for (std::size_t i = 0; i < rules.size(); i++)
		if (rules[i]["event"] == args.at(2))
			return {&rules, i};
	throw Failure(args[1] + " has no rule for " + args[2]);
}

void drop_verb(Json &row, const std::string &verb)
{
	for (const char *stage : {"locked", "post"}) {
		Json &list = row[stage];
		if (const auto it = std::find(list.begin(), list.end(), verb); it != list.end()) {
			list.erase(it);
			return;
		}
	}
	throw Failure("the row does not do " + verb);
}

void change(Json &model, const Words &args)
{
	const auto &what = args.at(0);

	if (what == "drop") {
		for (std::size_t i = 4; i < args.size(); i++)
			drop_verb(cell_row(model, args), args[i]);
	} else if (what == "add") {
		Json &list = cell_row(model, args).at(args.at(4));
		list.insert(list.begin(), args.at(5));
	} else if (what == "next") {
		cell_row(model, args)["next"] = args.at(4);
	} else if (what == "verdict") {
		Json &row = cell_row(model, args);
		row["verdict"] = args.at(4);
		row["why"] = "none";
		row["next"] = nullptr;
		row["locked"] = row["post"] = Json::array();
	} else if (what == "unrule") {
		const auto [rules, i] = rule_of(model, args);
		rules->erase(i);
	} else if (what == "unfact") {
		const auto [rules, i] = rule_of(model, args);
		Json &when = (*rules)[i]["when"];
		Json kept = Json::array();
		for (const auto &condition : when)
			if (condition["fact"] != args.at(3))
				kept.push_back(condition);
		when = kept;
	} else if (what == "define") {
		for (std::size_t i = 1; i < args.size(); i++)
			std::cout << args[i] << '\n';
	} else {
		throw Failure("no change is called " + what);
	}
}

int seed(Json model, const std::string &faults, const std::string &name, const std::string &out)
{
	for (const auto &line : lines(faults)) {
		const auto [head, changes] = entry(line);
		if (head.at(0) != name)
			continue;
		std::istringstream in(changes);
		try {
			for (std::string one; std::getline(in, one, ';');)
				change(model, words(one));
		} catch (const std::exception &error) {
			throw Failure("FAULTS: " + name + ": " + error.what());
		}
		std::ofstream file(out);
		if (!(file << model.dump() << std::flush))
			throw Failure("cannot write " + out);
		return 0;
	}
	throw Failure("FAULTS: no fault is called " + name);
}

// ---- rows ----

using Cells = std::set<std::pair<std::size_t, std::size_t>>;	// event, state

// `hit MACHINE EVENT STATE` in the logs of the searches.
std::map<std::string, Cells> read_hits(const Words &logs)
{
	std::map<std::string, Cells> hits;

	for (const auto &path : logs) {
		std::ifstream in(path);
		if (!in)
			throw Failure("cannot read " + path);
		for (std::string line; std::getline(in, line);)
			if (line.starts_with("hit "))
				if (const auto w = words(line); w.size() == 4)
					hits[w[1]].emplace(std::stoul(w[2]), std::stoul(w[3]));
	}
	return hits;
}

std::string row_text(const Json &machine, const Json &row)
{
	Words where = row["in"];
	if (where.size() >= 5) {
		where.resize(4);
		where.push_back("...");
	}
	return machine["name"].get<std::string>() + ' ' + row["number"].dump() + ": " + join(row["on"], ", ") + " in " + join(where, ", ") +
	       " (" + row["file"].get<std::string>() + ':' + row["line"].dump() + ')';
}

// Rows that nothing can execute: MACHINE EVENT STATE: REASON.
struct Excuse {
	Words key;
	std::string reason;
};

std::vector<Excuse> read_excuses(const std::string &path)
{
	std::vector<Excuse> excuses;
	for (const auto &line : lines(path)) {
		auto [key, reason] = entry(line);
		if (key.size() != 3)
			throw Failure("UNEXECUTED: " + line);
		excuses.push_back({key, join(words(reason), " ")});
	}
	return excuses;
}

// Why the row is not executed; nothing if it should be.
std::string excuse_of(const Json &machine, const Json &row, const std::vector<Excuse> &excuses)
{
	std::string reserved;
	bool all = true;

	for (const auto &state : machine["states"]) {
		if (!contains(row["in"], state["name"]))
			continue;
		all = all && state["reserved"] != "";
		if (reserved.empty())
			reserved = state["reserved"];
	}
	if (all)
		return "reserved: " + reserved;
	for (const auto &excuse : excuses)
		if (excuse.key[0] == machine["name"] && contains(row["on"], excuse.key[1]) && contains(row["in"], excuse.key[2]))
			return excuse.reason;
	return {};
}

bool rows_of(const Json &machine, const Cells &cells, const std::vector<Excuse> &excuses, bool complete)
{
	std::set<std::size_t> seen;
	std::size_t never = 0;
	Words excused, missed;
	bool good = true;

	for (const auto &[event, state] : cells)
		seen.insert(machine["cells"].at(event).at(state).get<std::size_t>());
	for (const auto &row : machine["rows"]) {
		if (row["verdict"] == "never") {
			never++;
		} else if (!seen.count(row["number"])) {
			const auto reason = excuse_of(machine, row, excuses);
			if (reason.empty())
				missed.push_back(row_text(machine, row));
			else
				excused.push_back(row_text(machine, row) + ": " + reason);
		}
	}
	for (const auto &excuse : excuses) {
		if (excuse.key[0] != machine["name"])
			continue;
		const auto event = index_of(machine["events"], excuse.key[1]), state = index_of(machine["states"], excuse.key[2]);
		if (seen.count(machine["cells"][event][state])) {
			std::cout << "  is executed, and named in UNEXECUTED: " << join(excuse.key, " ") << '\n';
			good = false;
		}
	}
	std::cout << "rows of " << machine["name"].get<std::string>() << ": " << machine["rows"].size() << "; " << never << " never, "
		  << excused.size() << " excused, " << seen.size() << " executed of " << machine["rows"].size() - never - excused.size()
		  << "; " << cells.size() << " cells met\n";
	for (const auto &text : excused)
		std::cout << "  excused " << text << '\n';
	if (complete)
		for (const auto &text : missed)
			std::cout << "  not executed " << text << '\n';
	return good && missed.empty();
}

int rows(const Json &model, const std::string &unexecuted, bool complete, const Words &logs)
{
	const auto excuses = read_excuses(unexecuted);
	auto hits = read_hits(logs);
	bool good = true;

	for (const auto &machine : model["machines"])
		good = rows_of(machine, hits[machine["name"]], excuses, complete) && good;
	return good || !complete ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
	const Words args(argv + 1, argv + argc);
	try {
		if (args.size() >= 2) {
			const Json model = Json::parse(read(args[1]));
			if (args[0] == "verbs")
				return verbs(model, {args.begin() + 2, args.end()});
			if (args[0] == "seed" && args.size() == 5)
				return seed(model, args[2], args[3], args[4]);
			if (args[0] == "rows" && args.size() >= 4 && (args[3] == "all" || args[3] == "some"))
				return rows(model, args[2], args[3] == "all", {args.begin() + 4, args.end()});
		}
		std::cerr << "usage: cmspin verbs|seed|rows MODEL.json ...\n";
		return 2;
	} catch (const std::exception &error) {
		std::cerr << error.what() << '\n';
		return 1;
	}
}
