// SPDX-License-Identifier: GPL-2.0-only
//
// report DIR CELLS UNREACHED FLOOR: what the tests reached, as DIR/index.html and in a few lines.
//
// DIR holds lines.info (lcov), model.json (cmgen) and html/ (genhtml). CELLS is debugfs ib_cm/cells. UNREACHED names what the tests
// cannot reach, tab separated, with a reason that a reader can check:
//   line   FILE      FUNCTION   reason     the unexecuted lines of a function
//   race   FILE      FUNCTION   reason     the same, where processors may meet: a run may execute them
//   cell   MACHINE   EVENT      STATE      reason
// An entry for something that was reached is an error, but for a race, as is what was neither reached nor named.
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include <nlohmann/json.hpp>

namespace {

using Cell = std::tuple<std::string, std::string, std::string>;

[[noreturn]] void die(const std::string &what)
{
	std::cerr << "coverage: " << what << '\n';
	std::exit(1);
}

std::ifstream open(const std::string &path)
{
	std::ifstream in(path);
	if (!in)
		die("cannot read " + path);
	return in;
}

std::vector<std::string> columns(const std::string &line, char by)
{
	std::vector<std::string> out;
	std::istringstream in(line);
	for (std::string word; std::getline(in, word, by);)
		out.push_back(word);
	return out;
}

std::string escape(const std::string &text)
{
	std::string out;
	for (char c : text)
		out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
	return out;
}

struct File {
	std::map<int, long> lines;		// executed how often
	std::map<int, std::string> functions;	// by first line
	std::string function_of(int line) const
	{
		auto it = functions.upper_bound(line);
		return it == functions.begin() ? "-" : std::prev(it)->second;
	}
};

std::map<std::string, File> read_lines(const std::string &path)
{
	std::map<std::string, File> files;
	File *file = nullptr;
	auto in = open(path);

	for (std::string line; std::getline(in, line);) {
		const auto colon = line.find(':');
		const std::string tag = line.substr(0, colon), rest = colon == std::string::npos ? "" : line.substr(colon + 1);
		if (tag == "SF") {
			const auto at = rest.rfind("/cm_core/");
			file = &files[rest.substr(at + 9)];
		} else if (file && tag == "FN") {
			const auto c = columns(rest, ',');
			file->functions[std::stoi(c.at(0))] = c.at(1);
		} else if (file && tag == "DA") {
			const auto c = columns(rest, ',');
			file->lines[std::stoi(c.at(0))] += std::stol(c.at(1));
		}
	}
	return files;
}

} // namespace

int main(int argc, char **argv)
{
	if (argc != 5)
		die("usage: report DIR CELLS UNREACHED FLOOR");
	const std::string dir = argv[1];
	const double floor = std::stod(argv[4]);
	bool bad = false;

	std::map<std::pair<std::string, std::string>, std::string> named_lines;
	std::set<std::pair<std::string, std::string>> races;
	std::map<Cell, std::string> named_cells;
	{
		auto in = open(argv[3]);
		int number = 0;
		for (std::string line; std::getline(in, line);) {
			number++;
			if (line.empty() || line[0] == '#')
				continue;
			const auto c = columns(line, '\t');
			if (c.size() == 4 && (c[0] == "line" || c[0] == "race")) {
				if (!named_lines.insert({{c[1], c[2]}, c[3]}).second)
					die(std::string(argv[3]) + ":" + std::to_string(number) + ": named twice");
				if (c[0] == "race")
					races.insert({c[1], c[2]});
			} else if (c.size() == 5 && c[0] == "cell")
				named_cells[{c[1], c[2], c[3]}] = c[4];
			else
				die(std::string(argv[3]) + ":" + std::to_string(number) + ": neither a line nor a cell");
		}
	}

	// Lines
	const auto files = read_lines(dir + "/lines.info");
	long total = 0, hit = 0, named_holes = 0;
	std::ostringstream missed;
	std::set<std::pair<std::string, std::string>> used;
	std::ostringstream table;
	for (const auto &[name, file] : files) {
		long t = 0, h = 0;
		std::map<std::string, std::vector<int>> holes;
		for (const auto &[line, n] : file.lines) {
			t++;
			if (n)
				h++;
			else
				holes[file.function_of(line)].push_back(line);
		}
		total += t;
		hit += h;
		table << "<tr><td><a href=\"html/cm_core/" << name << ".gcov.html\">" << name << "</a></td><td>" << t << "</td><td>" << h << "</td><td>"
		      << (t ? 100.0 * h / t : 100) << "</td></tr>\n";
		for (const auto &[function, lines] : holes) {
			const auto reason = named_lines.find({name, function});
			std::ostringstream where;
			for (int l : lines)
				where << ' ' << l;
			missed << "<tr><td>" << name << "</td><td>" << function << "</td><td>" << where.str() << "</td><td>"
			       << (reason == named_lines.end() ? "<b>no reason given</b>" : escape(reason->second)) << "</td></tr>\n";
			if (reason == named_lines.end()) {
				std::cout << "unreached: " << name << ' ' << function << where.str() << '\n';
				bad = true;
			} else {
				used.insert({name, function});
				named_holes += lines.size();
			}
		}
	}
	for (const auto &[key, reason] : named_lines)
		if (!used.count(key) && !races.count(key)) {
			std::cout << "named but reached: " << key.first << ' ' << key.second << '\n';
			bad = true;
		}

	// Cells
	std::map<Cell, long> hits;
	{
		auto in = open(argv[2]);
		for (std::string line; std::getline(in, line);) {
			const auto c = columns(line, '\t');
			if (c.size() == 4)
				hits[{c[0], c[1], c[2]}] += std::stol(c[3]);
		}
	}
	const auto model = nlohmann::json::parse(open(dir + "/model.json"));
	long cells = 0, reached = 0, named = 0;
	std::ostringstream matrix;
	for (const auto &machine : model["machines"]) {
		std::map<std::pair<std::string, std::string>, std::string> verdict;
		std::set<std::string> reserved;
		const std::string m = machine["name"];
		for (const auto &s : machine["states"])
			if (!s["reserved"].get<std::string>().empty())
				reserved.insert(s["name"]);
		for (const auto &row : machine["rows"])
			for (const auto &e : row["on"])
				for (const auto &s : row["in"])
					verdict[{e, s}] = row["verdict"];
		matrix << "<h3>" << m << "</h3><table><tr><th></th>";
		for (const auto &s : machine["states"])
			matrix << "<th class=v>" << s["name"].get<std::string>() << "</th>";
		matrix << "</tr>\n";
		for (const auto &e : machine["events"]) {
			matrix << "<tr><td>" << e["name"].get<std::string>() << "</td>";
			for (const auto &s : machine["states"]) {
				const Cell cell{m, e["name"], s["name"]};
				const long n = hits[cell];
				const bool exempt = verdict[{e["name"], s["name"]}] == "never" || reserved.count(s["name"]);
				const auto reason = named_cells.find(cell);
				std::string kind = "hit";
				if (exempt) {
					kind = "exempt";
					if (n) {
						std::cout << "cannot be, and was: " << m << ' ' << std::get<1>(cell) << " in " << std::get<2>(cell) << '\n';
						bad = true;
					}
				} else {
					cells++;
					if (n) {
						reached++;
						if (reason != named_cells.end()) {
							std::cout << "named but reached: " << m << ' ' << std::get<1>(cell) << " in " << std::get<2>(cell) << '\n';
							bad = true;
						}
					} else if (reason != named_cells.end()) {
						named++;
						kind = "named";
					} else {
						kind = "miss";
						std::cout << "cell not reached: " << m << ' ' << std::get<1>(cell) << " in " << std::get<2>(cell) << '\n';
						bad = true;
					}
				}
				matrix << "<td class=" << kind << (kind == "named" ? " title=\"" + escape(reason->second) + "\"" : "") << '>';
				if (!exempt)
					matrix << n;
				matrix << "</td>";
			}
			matrix << "</tr>\n";
		}
		matrix << "</table>\n";
	}

	const double percent = total ? 100.0 * hit / total : 0;
	std::ofstream html(dir + "/index.html");
	html << "<!doctype html><meta charset=utf-8><title>What the tests reach</title><style>body{font:14px sans-serif}table{border-collapse:collapse}"
		"td,th{border:1px solid #ccc;padding:1px 4px}.v{writing-mode:vertical-rl}.hit{background:#cfc}.miss{background:#f88}.named{background:#fe9}"
		".exempt{background:#eee}</style><h1>What the tests reach</h1><p>"
	     << hit << " of " << total << " lines of cm_core (" << percent << " %), " << reached << " of " << cells << " cells, " << named
	     << " named as unreachable by a test. <a href=\"html/index.html\">Line by line</a></p><h2>Lines</h2><table><tr><th>file<th>lines<th>executed<th>%</tr>\n"
	     << table.str() << "</table><h2>Lines not executed</h2><table>" << missed.str() << "</table><h2>Cells</h2>" << matrix.str();
	std::printf("lines %ld of %ld (%.1f %%), %ld named with a reason; cells %ld of %ld, %ld named with a reason\n", hit, total, percent, named_holes,
		    reached, cells, named);
	std::printf("report: %s/index.html\n", dir.c_str());
	if (percent < floor) {
		std::printf("under %.0f %% of lines\n", floor);
		bad = true;
	}
	return bad;
}
