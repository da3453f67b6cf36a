// SPDX-License-Identifier: GPL-2.0-only
//
// Owns: look-ups by name over one machine of a model. Names that are not
// declared give null, so that every check survives a model that another check
// already complains about.
#pragma once

#include "../model/types.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace cepheus {

// Where a row stands: the file from codegen/ on, whatever folder it was compiled in.
std::string where_of(const model::Row &row);	// "codegen/model/accept.cc:42"
std::string where_of(const model::Rule &rule);
std::string base_of(const model::Row &row);	// "accept.cc"
unsigned line_of(const model::Row &row);

template <class Range> std::string join(const Range &names, std::string_view glue = ", ")
{
	std::string out;
	for (const auto &name : names) {
		if (!out.empty())
			out += glue;
		if constexpr (requires { name.text; })
			out += name.text;
		else
			out += name;
	}
	return out;
}

std::string row_text(const model::Row &row);		// "REP, REJ in REQ_SENT", abridged
std::string rule_text(const model::Rule &rule);		// "ids match, not duplicate -> REP"
// The holders that a verb moves, acquired and released.
std::vector<model::HolderId> moves(const model::Verb &verb);
std::string_view kind_text(model::Event::Kind kind);
std::string_view kind_text(model::Verdict::Kind kind);
std::string_view stage_text(model::Verb::Stage stage);
std::string_view why_text(model::Verdict::Why why);
std::string source_text(const model::Source &source);	// "ibta 12.10.4"; empty: none

class View {
public:
	View(const model::Model &model, const model::Machine &machine);

	const model::Model &model;
	const model::Machine &machine;

	const model::State *state(model::StateId id) const { return find(states_, id); }
	const model::Event *event(model::EventId id) const { return find(events_, id); }
	const model::Holder *holder(model::HolderId id) const { return find(holders_, id); }
	const model::Verb *verb(model::VerbId id) const { return find(verbs_, id); }

	// The declared ones of a row, in its order.
	std::vector<const model::State *> states(const model::Row &row) const;
	std::vector<const model::Event *> events(const model::Row &row) const;
	std::vector<const model::Verb *> verbs(const model::Row &row) const;

	// Of which the states' sets speak; and which of those own a reference.
	bool is_exact(model::HolderId id) const
	{
		const model::Holder *h = holder(id);
		return h && h->exact;
	}
	bool is_counted(model::HolderId id) const
	{
		const model::Holder *h = holder(id);
		return h && h->exact && h->counted;
	}

	// The state after the row, which is the one before if it names none.
	const model::State &after(const model::Row &row, const model::State &before) const;

	const model::State *initial() const;
	const model::State *final() const;
	// The row of a cell; null if none is written.
	const model::Row *cell(const model::Event &event, const model::State &state) const;

private:
	template <class T, class Id>
	static const T *find(const std::map<Id, const T *> &map, Id id)
	{
		auto it = map.find(id);
		return it == map.end() ? nullptr : it->second;
	}

	std::map<model::StateId, const model::State *> states_;
	std::map<model::EventId, const model::Event *> events_;
	std::map<model::HolderId, const model::Holder *> holders_;
	std::map<model::VerbId, const model::Verb *> verbs_;
	std::map<std::pair<model::EventId, model::StateId>, const model::Row *> cells_;
};

} // namespace cepheus
