// SPDX-License-Identifier: GPL-2.0-only
//
// mutate SRC MODEL.json OUT: every mutant of cm_core and of its tables, in one set of sources.
//
// Writes OUT/cm_core/*: the sources of SRC/cm_core, in which each place to be broken asks whether its number is the one that the
// module's parameter `mutant` names, and OUT/mutants.tsv: number, class, file, line, what, focus. One build serves all; 0 breaks nothing.
// Class, file and what name a mutant in every version of the sources.
// OUT/kunit/rig_mutant.c lets the test rig say which case is on. With the parameter `watch`, the parameter `met` shows a case, its ms, and
// the places that it came by, as hexadecimal digits, the lowest number's bit the last one's lowest; the case's number is written to it before.
//
// Classes, by rule:
//   verb   one verb of one row is not done
//   next   a handled cell enters another state than its row says (or stays, where it should not)
//   put    one call that drops a reference or frees is not made
//   get    one call that takes a reference is not made
//   check  one condition of an `if` never holds; it is looked at all the same
//   width  the lowest bit of one field of a message is lost, on the way out or in; a mask lets one bit less through
#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace fs = std::filesystem;

namespace {

struct Mutant {
	std::string kind, file, what;
	int line;
	std::string focus;	// the suite of cells' parameter `only`: where it is to look first, "+" for a blank
};

std::vector<Mutant> mutants{{"none", "-", "nothing is broken", 0, "-"}};

// A number for a place; its C expression is true while that mutant is the one chosen.
std::string mark(std::string_view kind, const fs::path &file, int line, std::string what,
		 const std::string &focus = "-")
{
	static std::map<std::string, int> seen;

	for (char &c : what)
		if (c == '\t' || c == '\n')
			c = ' ';
	if (const int n = ++seen[std::string(kind) + file.filename().string() + what]; n > 1)
		what += " #" + std::to_string(n);
	mutants.push_back({std::string(kind), file.filename().string(), what, line, focus});
	return "cm_mutant(" + std::to_string(mutants.size() - 1) + ")";
}

[[noreturn]] void die(const std::string &what)
{
	std::cerr << "mutate: " << what << '\n';
	std::exit(1);
}

std::string read(const fs::path &path)
{
	std::ifstream in(path);
	if (!in)
		die("cannot read " + path.string());
	std::ostringstream text;
	text << in.rdbuf();
	return text.str();
}

std::set<fs::path> written;

// Left alone if it says the same already, so that make builds what changed.
void write(const fs::path &path, const std::string &text)
{
	written.insert(path);
	fs::create_directories(path.parent_path());
	if (fs::exists(path) && read(path) == text)
		return;
	std::ofstream out(path);
	if (!(out << text))
		die("cannot write " + path.string());
}

int line_of(const std::string &text, size_t at)
{
	return 1 + std::count(text.begin(), text.begin() + at, '\n');
}

// Comments, strings and preprocessor lines, blanked: what is found in the result is code, at the same place.
std::string code_only(const std::string &text)
{
	std::string out = text;
	enum { code, line_comment, comment, string, character, directive } state = code;
	bool fresh = true;

	for (size_t i = 0; i < text.size(); i++) {
		const char c = text[i];
		const char next = i + 1 < text.size() ? text[i + 1] : '\0';
		auto blank = [&](size_t n) {
			for (size_t k = i; k < i + n; k++)
				if (out[k] != '\n')
					out[k] = ' ';
		};

		switch (state) {
		case code:
			if (c == '/' && next == '*')
				state = comment;
			else if (c == '/' && next == '/')
				state = line_comment;
			else if (c == '"')
				state = string;
			else if (c == '\'')
				state = character;
			else if (c == '#' && fresh)
				state = directive;
			if (state != code)
				blank(1);
			break;
		case line_comment:
			if (c == '\n')
				state = code;
			else
				blank(1);
			break;
		case comment:
			blank(1);
			if (c == '*' && next == '/') {
				blank(2);
				i++;
				state = code;
			}
			break;
		case string:
		case character:
			blank(1);
			if (c == '\\') {
				i++;
				blank(1);
			} else if (c == (state == string ? '"' : '\'')) {
				state = code;
			}
			break;
		case directive:
			blank(1);
			if (c == '\\' && next == '\n')
				i++;
			else if (c == '\n')
				state = code;
			break;
		}
		if (i < text.size() && text[i] == '\n')
			fresh = true;
		else if (!std::isspace(static_cast<unsigned char>(text[i])))
			fresh = false;
	}
	return out;
}

// The place after the parenthesis that closes the one at `open`.
size_t closing(const std::string &code, size_t open)
{
	int depth = 0;
	for (size_t i = open; i < code.size(); i++) {
		if (code[i] == '(')
			depth++;
		else if (code[i] == ')' && --depth == 0)
			return i;
	}
	return std::string::npos;
}

// The function that a place is in: its body opens with a brace of its own line, its name is on the last line before that starts with a word.
std::string function_at(const std::string &code, size_t at)
{
	static const std::regex name(R"((\w+)\()");
	size_t brace = code.rfind("\n{", at);
	std::smatch match;

	while (brace != std::string::npos && brace > 0) {
		const size_t begin = code.rfind('\n', brace - 1);
		const std::string line = code.substr(begin + 1, brace - begin - 1);

		if (!line.empty() && !std::isspace(static_cast<unsigned char>(line[0])))
			return std::regex_search(line, match, name) ? match[1].str() + "(): " : "";
		brace = begin;
	}
	return "";
}

// What a file's text becomes: replacements at places, made from the back.
struct Edit {
	size_t from, to;
	std::string before, after;	// around what is there
};

std::string squeeze(std::string text)
{
	return std::regex_replace(text, std::regex(R"(\s+)"), " ");
}

void statements(const fs::path &file, const std::string &text, const std::string &code, std::vector<Edit> &edits)
{
	static const std::regex call(R"((^|\n)[ \t]+((\w+)\())");
	static const std::regex puts(R"(cm_\w*put|cm_\w*_(dispose|free|clear|abandon|forget|unlink_rec|remove_rec|discard|cancel)|kfree(_rcu)?|kref_put|ib_free_recv_mad|ib_free_send_mad|rdma_destroy_ah_attr|rdma_put_gid_attr|call_rcu|cm_local_remove)");
	static const std::regex gets(R"(cm_\w*_(get|hold)|kref_get|refcount_inc|rdma_hold_gid_attr)");

	for (std::sregex_iterator it(code.begin(), code.end(), call), end; it != end; ++it) {
		const std::string name = (*it)[3];
		const bool put = std::regex_match(name, puts), get = std::regex_match(name, gets);
		const size_t from = it->position(2), open = from + name.size();
		const size_t close = closing(code, open);

		if ((!put && !get) || close == std::string::npos || code[close + 1] != ';')
			continue;
		const std::string m = mark(put ? "put" : "get", file, line_of(text, from), function_at(code, from) + squeeze(text.substr(from, close + 1 - from)));
		edits.push_back({from, close + 1, "do { if (!" + m + ") ", "; } while (0)"});
	}
}

void checks(const fs::path &file, const std::string &text, const std::string &code, std::vector<Edit> &edits)
{
	static const std::regex keyword(R"(\bif \()");

	for (std::sregex_iterator it(code.begin(), code.end(), keyword), end; it != end; ++it) {
		const size_t open = it->position() + it->length() - 1, close = closing(code, open);

		if (close == std::string::npos)
			continue;
		const std::string m = mark("check", file, line_of(text, open), function_at(code, open) + squeeze(text.substr(open, close + 1 - open)));
		// Who finds that the condition does not hold has not come by.
		edits.push_back({open + 1, close, "(", ") && !" + m});
	}
}

void widths(const fs::path &file, const std::string &text, const std::string &code, std::vector<Edit> &edits)
{
	static const std::regex field(R"(\bIBA_(SET|GET)\()");
	static const std::regex mask(R"(& (0x[0-9a-f]+)\b)");

	for (std::sregex_iterator it(code.begin(), code.end(), field), end; it != end; ++it) {
		const bool set = (*it)[1] == "SET";
		const size_t from = it->position(), open = from + it->length() - 1, close = closing(code, open);

		if (close == std::string::npos)
			continue;
		const std::string m = mark("width", file, line_of(text, from), function_at(code, from) + squeeze(text.substr(from, close + 1 - from)));
		if (!set) {
			edits.push_back({from, close + 1, "(", " & ~(" + m + " ? 1ULL : 0ULL))"});
			continue;
		}
		// The value is what follows the second comma of this level.
		int depth = 0, commas = 0;
		size_t value = open;
		for (; value < close && commas < 2; value++) {
			if (code[value] == '(')
				depth++;
			else if (code[value] == ')')
				depth--;
			else if (code[value] == ',' && depth == 1)
				commas++;
		}
		if (commas == 2)
			edits.push_back({value, close, " (", ") & ~(" + m + " ? 1ULL : 0ULL)"});
	}
	for (std::sregex_iterator it(code.begin(), code.end(), mask), end; it != end; ++it) {
		const std::string number = (*it)[1];
		const unsigned long long bits = std::stoull(number, nullptr, 16);
		const size_t from = it->position(1);
		std::ostringstream less;

		less << "0x" << std::hex << (bits >> 1);
		const std::string m = mark("width", file, line_of(text, from), function_at(code, from) + "& " + number);
		edits.push_back({from, from + number.size(), "(" + m + " ? " + less.str() + " : ", ")"});
	}
}

// Edits nest (a width inside a check): each inserts at two places, the outer one's text outside.
std::string with_edits(const std::string &text, const std::vector<Edit> &edits)
{
	struct Insertion {
		size_t at;
		bool closing;
		size_t other, nth;
		std::string what;
	};
	std::vector<Insertion> all;
	for (size_t i = 0; i < edits.size(); i++) {
		all.push_back({edits[i].from, false, edits[i].to, i, edits[i].before});
		all.push_back({edits[i].to, true, edits[i].from, i, edits[i].after});
	}
	// At one place: what closes comes before what opens; of two that open, the longer first; of two that close, the shorter first. Of two that
	// are alike, the later is inside.
	std::sort(all.begin(), all.end(), [](const Insertion &a, const Insertion &b) {
		if (a.at != b.at)
			return a.at < b.at;
		if (a.closing != b.closing)
			return a.closing;
		if (a.other != b.other)
			return a.other > b.other;
		return a.closing ? a.nth > b.nth : a.nth < b.nth;
	});
	std::string out;
	size_t at = 0;
	for (const Insertion &i : all) {
		out += text.substr(at, i.at - at) + i.what;
		at = i.at;
	}
	return out + text.substr(at);
}

std::string upper(std::string text)
{
	for (char &c : text)
		c = std::toupper(static_cast<unsigned char>(c));
	return text;
}

// Mutants of the tables: an array that the row look-ups of fsm.h consult.
std::string tables(const nlohmann::json &model)
{
	std::ostringstream c;

	c << "\nconst struct cm_table_mutant cm_table_mutants[] = {\n";
	for (const auto &machine : model["machines"]) {
		const std::string name = machine["name"], prefix = machine["prefix"];
		std::map<std::string, bool> reserved;

		for (const auto &s : machine["states"])
			reserved[s["name"]] = !s["reserved"].get<std::string>().empty();
		for (const auto &row : machine["rows"]) {
			const std::string verdict = row["verdict"], file = row["file"];
			const std::string states = row["in"].dump(), events = row["on"].dump();
			std::string focus;
			bool all_reserved = true;

			for (const auto &s : row["in"])
				all_reserved = all_reserved && reserved[s];
			if (verdict == "never" || all_reserved)
				continue;
			// As much as a module's parameter holds.
			for (const auto &s : row["in"])
				for (const auto &e : row["on"])
					if (focus.size() < 900 && !reserved[s])
						focus += (focus.empty() ? "" : ",") + e.get<std::string>() + "+in+" + s.get<std::string>();
			for (const char *stage : {"locked", "post"}) {
				int position = 0;
				for (const auto &verb : row[stage]) {
					mark("verb", file, row["line"], name + " " + events + " in " + states + ": no " + verb.get<std::string>(), focus);
					c << "\t{ " << mutants.size() - 1 << ", CM_MACHINE_" << upper(name) << ", CM_MUTATE_" << upper(stage)
					  << ", .row = " << row["number"] << ", .value = " << position++ << " },\n";
				}
			}
			if (verdict != "handle" && verdict != "resend" && verdict != "reject")
				continue;
			for (const auto &e : row["on"])
				for (const auto &s : row["in"]) {
					if (reserved[s])
						continue;
					const bool stays = row["next"].is_null() || row["next"] == s;
					const std::string idle = machine["idle"].get<std::string>().empty() ? std::string(machine["states"][0]["name"])
													     : machine["idle"].get<std::string>();
					std::string other = idle;
					if (stays && s == idle)
						other = machine["states"].back()["name"];
					const std::string state = s, event = e;
					mark("next", file, row["line"],
					     name + " " + event + " in " + state + ": " + (stays ? "to " + other : "stays"),
					     event + "+in+" + state);
					c << "\t{ " << mutants.size() - 1 << ", CM_MACHINE_" << upper(name) << ", CM_MUTATE_NEXT, .event = " << prefix << "_ON_"
					  << event << ", .state = " << prefix << "_" << state << ", .value = "
					  << (stays ? prefix + "_" + other : std::string("CM_STAY")) << " },\n";
				}
		}
	}
	c << "};\nconst unsigned int cm_table_mutant_count = ARRAY_SIZE(cm_table_mutants);\n";
	return c.str();
}

constexpr std::string_view header = R"(#ifndef CM_MUTANT_H
#define CM_MUTANT_H
#ifdef __KERNEL__
#include <linux/bitops.h>
extern unsigned int cm_mutant_chosen;
extern bool cm_mutant_watch;
extern unsigned long cm_mutant_met[];
static inline bool cm_mutant(unsigned int n)
{
	if (unlikely(cm_mutant_watch) && !test_bit(n, cm_mutant_met))
		set_bit(n, cm_mutant_met);
	return cm_mutant_chosen == n;
}
struct cm_row;
const struct cm_row *cm_mutant_row(unsigned int machine, unsigned char event, unsigned char state, const struct cm_row *rows, unsigned int row);
#endif
#endif
)";

constexpr std::string_view body = R"(// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <linux/bitmap.h>
#include <linux/module.h>
#include "mutant.h"
#include "fsm.h"
#include "generated/cm_tables.h"

enum { CM_MUTATE_LOCKED, CM_MUTATE_POST, CM_MUTATE_NEXT };
struct cm_table_mutant { unsigned int number; u8 machine, how; u8 event, state; u16 row; u8 value; };
extern const struct cm_table_mutant cm_table_mutants[];
extern const unsigned int cm_table_mutant_count;

unsigned int cm_mutant_chosen;
bool cm_mutant_watch;
unsigned long cm_mutant_met[BITS_TO_LONGS(CM_MUTANTS)];
static const struct cm_table_mutant *found;
static struct cm_row broken;

static bool hits(const struct cm_table_mutant *m, unsigned int machine, u8 event, u8 state, unsigned int row)
{
	return m->machine == machine &&
	       (m->how == CM_MUTATE_NEXT ? m->event == event && m->state == state : m->row == row);
}

static void leave_out(u8 *verbs, unsigned int count, unsigned int at)
{
	memmove(verbs + at, verbs + at + 1, count - 1 - at);
	verbs[count - 1] = CM_DO_NOTHING;
}

/* Nothing has run yet: the row is complete before anybody asks for it. */
static int choose(const char *text, const struct kernel_param *param)
{
	int err = param_set_uint(text, param);
	const struct cm_table_mutant *m;
	const struct cm_row *rows[] = {
		[CM_MACHINE_ID] = cm_id_rows, [CM_MACHINE_SHARE] = cm_share_rows, [CM_MACHINE_TW] = cm_tw_rows,
	};
	unsigned int row;

	for (m = cm_table_mutants; !err && m < cm_table_mutants + cm_table_mutant_count; m++) {
		if (m->number != cm_mutant_chosen)
			continue;
		row = m->row;
		if (m->how == CM_MUTATE_NEXT)
			row = m->machine == CM_MACHINE_ID ? cm_id_cells[m->event][m->state] :
			      m->machine == CM_MACHINE_SHARE ? cm_share_cells[m->event][m->state] :
			      cm_tw_cells[m->event][m->state];
		broken = rows[m->machine][row];
		if (m->how == CM_MUTATE_NEXT)
			broken.next = m->value;
		else if (m->how == CM_MUTATE_LOCKED)
			leave_out(broken.locked, CM_ROW_LOCKED, m->value);
		else
			leave_out(broken.post, CM_ROW_POST, m->value);
		found = m;
	}
	return err;
}

static const struct kernel_param_ops choice = { .set = choose, .get = param_get_uint };
module_param_cb(mutant, &choice, &cm_mutant_chosen, 0444);
module_param_named(watch, cm_mutant_watch, bool, 0444);

#define CASES 2048
static struct { unsigned long met[BITS_TO_LONGS(CM_MUTANTS)]; ktime_t begun; unsigned int ms; } cases[CASES];
static unsigned int shown;

/* What happens between two cases is nobody's. */
void cm_mutant_case(unsigned int nth, bool over)
{
	unsigned int i;

	if (!cm_mutant_watch || nth >= CASES)
		return;
	for (i = 0; i < BITS_TO_LONGS(CM_MUTANTS); i++)
		cases[nth].met[i] = xchg(&cm_mutant_met[i], 0);
	if (over)
		cases[nth].ms = ktime_ms_delta(ktime_get(), cases[nth].begun);
	else
		cases[nth].begun = ktime_get();
}
EXPORT_SYMBOL_GPL(cm_mutant_case);

/* A case, to show it next; all are forgotten for number 0, which no case has. */
static int choose_case(const char *text, const struct kernel_param *param)
{
	int err = kstrtouint(text, 0, &shown);

	if (!err && shown >= CASES)
		err = -EINVAL;
	if (!err && !shown)
		memset(cases, 0, sizeof(cases));
	return err;
}

static int show(char *buffer, const struct kernel_param *param)
{
	unsigned int i;
	int n = scnprintf(buffer, PAGE_SIZE, "%u\t%u\t", shown, cases[shown].ms);

	for (i = BITS_TO_LONGS(CM_MUTANTS); i--;)
		n += scnprintf(buffer + n, PAGE_SIZE - n, "%0*lx", BITS_PER_LONG / 4, cases[shown].met[i]);
	return n + scnprintf(buffer + n, PAGE_SIZE - n, "\n");
}

static const struct kernel_param_ops met = { .set = choose_case, .get = show };
module_param_cb(met, &met, NULL, 0644);

const struct cm_row *cm_mutant_row(unsigned int machine, u8 event, u8 state, const struct cm_row *rows, unsigned int row)
{
	const struct cm_table_mutant *m;

	if (unlikely(cm_mutant_watch))
		for (m = cm_table_mutants; m < cm_table_mutants + cm_table_mutant_count; m++)
			if (hits(m, machine, event, state, row))
				set_bit(m->number, cm_mutant_met);
	return found && hits(found, machine, event, state, row) ? &broken : &rows[row];
}
)";

// The test rig's part: tells which case is on.
constexpr std::string_view rig = R"(// SPDX-License-Identifier: GPL-2.0-only
#include "rig_local.h"

void cm_mutant_case(unsigned int nth, bool over);
void rig_case_mark(unsigned int nth, bool over)
{
	cm_mutant_case(nth, over);
}
)";

// The probe is the tests'; what a trace event says no suite can read.
bool exempt(const fs::path &file)
{
	static const std::array<std::string_view, 3> names{"probe.c", "trace.c", "trace_odd.c"};
	return std::find(names.begin(), names.end(), file.filename().string()) != names.end();
}

} // namespace

int main(int argc, char **argv)
{
	if (argc != 4)
		die("usage: mutate SRC MODEL.json OUT");
	const fs::path src = fs::path(argv[1]) / "cm_core", out = fs::path(argv[3]) / "cm_core";
	std::vector<fs::path> files;

	for (const auto &entry : fs::directory_iterator(src))
		if (entry.path().extension() == ".c")
			files.push_back(entry.path());
	std::sort(files.begin(), files.end());

	std::ifstream in(argv[2]);
	const nlohmann::json model = nlohmann::json::parse(in, nullptr, false);
	if (model.is_discarded())
		die(std::string(argv[2]) + " is not JSON");
	write(out / "mutant.h", std::string(header));
	const std::string rows = tables(model);

	for (const fs::path &file : files) {
		const std::string text = read(file), code = code_only(text);
		std::vector<Edit> edits;

		if (exempt(file))
			continue;
		statements(file, text, code, edits);
		checks(file, text, code, edits);
		widths(file, text, code, edits);
		// api.c is what the symbol versions are made from: nothing comes before its own headers.
		const std::string mutated = with_edits(text, edits);
		const size_t last = mutated.rfind("\n#include");
		const size_t line_end = mutated.find('\n', last + 1);
		write(out / file.filename(), mutated.substr(0, line_end + 1) + "#include \"mutant.h\"\n" + mutated.substr(line_end + 1));
	}

	write(out / "mutant_tables.c", "#define CM_MUTANTS " + std::to_string(mutants.size()) + "\n" + std::string(body) + rows);
	std::string fsm = read(src / "fsm.h");
	for (const char *machine : {"id", "share", "tw"}) {
		const std::string m = machine, from = "return &cm_" + m + "_rows[cm_" + m + "_cells[event][state]];";
		const size_t at = fsm.find(from);
		if (at == std::string::npos)
			die("fsm.h has another form than expected");
		fsm.replace(at, from.size(), "return cm_mutant_row(CM_MACHINE_" + upper(m) + ", event, state, cm_" + m + "_rows, cm_" + m + "_cells[event][state]);");
	}
	fsm.replace(fsm.find("#include \"generated/cm_model.h\""), 0, "#include \"mutant.h\"\n");
	write(out / "fsm.h", fsm);
	std::string kbuild = read(src / "Kbuild");
	write(out / "Kbuild", kbuild + "ib_cm-y += mutant_tables.o\n");

	for (const auto &entry : fs::directory_iterator(out))
		if (!written.count(entry.path()))
			fs::remove(entry.path());

	write(fs::path(argv[3]) / "kunit" / "rig_mutant.c", std::string(rig));
	std::ofstream list(fs::path(argv[3]) / "mutants.tsv");
	for (size_t i = 0; i < mutants.size(); i++)
		list << i << '\t' << mutants[i].kind << '\t' << mutants[i].file << '\t' << mutants[i].line << '\t' << mutants[i].what << '\t'
		     << mutants[i].focus << '\n';
	std::map<std::string, int> count;
	for (const Mutant &m : mutants)
		count[m.kind]++;
	for (const auto &[kind, n] : count)
		if (kind != "none")
			std::cout << kind << ' ' << n << '\n';
}
