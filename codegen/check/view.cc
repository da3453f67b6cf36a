// SPDX-License-Identifier: GPL-2.0-only
#include "view.h"

#include <span>

namespace cepheus {

using namespace model;

namespace {

// Of the places that the parts of a row tell, the first that is not before the
// row's list: a part may also have been made earlier, and used by many rows.
Place place_of(Place list, std::initializer_list<Place> parts)
{
	Place out = list;
	for (const Place &part : parts)
		if (part.line() >= list.line() && (out.line() == list.line() || part.line() < out.line()))
			out = part;
	return out;
}

Place place_of(const Row &row)
{
	return place_of(row.at, {row.verdict.at, row.source.at});
}

Place place_of(const Rule &rule)
{
	return rule.when.empty() ? place_of(rule.at, {rule.source.at}) : rule.when.front().at;
}

std::string where_of(const Place &at)
{
	std::string_view path = at.file_name();
	while (path.starts_with("../"))
		path.remove_prefix(3);
	auto pos = path.rfind("codegen/");
	std::string out = pos == path.npos ? "codegen/" + std::string(path) : std::string(path.substr(pos));
	return out + ":" + std::to_string(at.line());
}

} // namespace

std::string where_of(const Row &row)
{
	return where_of(place_of(row));
}

std::string where_of(const Rule &rule)
{
	return where_of(place_of(rule));
}

std::string base_of(const Row &row)
{
	std::string_view path = row.at.file_name();
	return std::string(path.substr(path.rfind('/') + 1));
}

unsigned line_of(const Row &row)
{
	return place_of(row).line();
}

namespace {

// The first few, so that a row of every state is still one line.
template <class Range> std::string first_few(const Range &names)
{
	constexpr std::size_t few = 4;
	if (names.size() <= few + 1)
		return join(names);
	return join(std::span(names).first(few)) + " and " + std::to_string(names.size() - few) + " more";
}

} // namespace

std::string row_text(const Row &row)
{
	return first_few(row.on) + " in " + first_few(row.in);
}

std::string rule_text(const Rule &rule)
{
	std::string out;
	for (const Condition &c : rule.when) {
		if (!out.empty())
			out += ", ";
		if (!c.want)
			out += "not ";
		out += c.fact.text;
	}
	if (out.empty())
		out = "otherwise";
	return out + " -> " + std::string(rule.event.text);
}

std::vector<HolderId> moves(const Verb &verb)
{
	std::vector<HolderId> out = verb.acquires;
	out.insert(out.end(), verb.releases.begin(), verb.releases.end());
	return out;
}

std::string_view kind_text(Event::Kind kind)
{
	switch (kind) {
	case Event::Kind::call: return "call";
	case Event::Kind::message: return "message";
	case Event::Kind::timer: return "timer";
	case Event::Kind::failure: return "failure";
	case Event::Kind::removal: return "removal";
	case Event::Kind::destroy: return "destroy";
	case Event::Kind::handler: return "handler";
	case Event::Kind::internal: return "internal";
	}
	return "?";
}

std::string_view kind_text(Verdict::Kind kind)
{
	switch (kind) {
	case Verdict::Kind::handle: return "handle";
	case Verdict::Kind::resend: return "resend";
	case Verdict::Kind::reject: return "reject";
	case Verdict::Kind::ignore: return "ignore";
	case Verdict::Kind::invalid: return "invalid";
	case Verdict::Kind::never: return "never";
	}
	return "?";
}

std::string_view stage_text(Verb::Stage stage)
{
	switch (stage) {
	case Verb::Stage::prep: return "PREP";
	case Verb::Stage::locked: return "LOCKED";
	case Verb::Stage::post: return "POST";
	}
	return "?";
}

std::string_view why_text(Verdict::Why why)
{
	switch (why) {
	case Verdict::Why::none: return "none";
	case Verdict::Why::duplicate: return "duplicate";
	case Verdict::Why::late: return "late";
	case Verdict::Why::foreign: return "foreign";
	case Verdict::Why::wrong_role: return "wrong_role";
	case Verdict::Why::busy: return "busy";
	}
	return "?";
}

std::string source_text(const Source &source)
{
	std::string_view kind;
	switch (source.kind) {
	case Source::Kind::none: return {};
	case Source::Kind::standard: kind = "standard"; break;
	case Source::Kind::stock: kind = "stock"; break;
	case Source::Kind::field: kind = "field"; break;
	case Source::Kind::contract: kind = "contract"; break;
	case Source::Kind::interface: kind = "interface"; break;
	}
	return std::string(kind) + ": " + std::string(source.where);
}

View::View(const Model &whole, const Machine &one) : model(whole), machine(one)
{
	for (const State &s : machine.states)
		states_.try_emplace(s.id, &s);
	for (const Event &e : machine.events)
		events_.try_emplace(e.id, &e);
	for (const Holder &h : machine.holders)
		holders_.try_emplace(h.id, &h);
	for (const Verb &v : model.verbs)
		verbs_.try_emplace(v.id, &v);
	for (const Row &row : machine.rows)
		for (EventId e : row.on)
			for (StateId s : row.in)
				cells_.try_emplace({e, s}, &row);
}

std::vector<const State *> View::states(const Row &row) const
{
	std::vector<const State *> out;
	for (StateId id : row.in)
		if (const State *s = state(id))
			out.push_back(s);
	return out;
}

std::vector<const Event *> View::events(const Row &row) const
{
	std::vector<const Event *> out;
	for (EventId id : row.on)
		if (const Event *e = event(id))
			out.push_back(e);
	return out;
}

std::vector<const Verb *> View::verbs(const Row &row) const
{
	std::vector<const Verb *> out;
	for (VerbId id : row.does)
		if (const Verb *v = verb(id))
			out.push_back(v);
	return out;
}

const State &View::after(const Row &row, const State &before) const
{
	const State *next = row.next ? state(row.next) : nullptr;
	return next ? *next : before;
}

const State *View::initial() const
{
	for (const State &s : machine.states)
		if (s.initial)
			return &s;
	return nullptr;
}

const State *View::final() const
{
	for (const State &s : machine.states)
		if (s.final)
			return &s;
	return nullptr;
}

const Row *View::cell(const Event &event, const State &state) const
{
	auto it = cells_.find({event.id, state.id});
	return it == cells_.end() ? nullptr : it->second;
}

} // namespace cepheus
