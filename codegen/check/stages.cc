// SPDX-License-Identifier: GPL-2.0-only
//
// Owns: the checks of the order of verbs: stages, and puts.
#include "check.h"

namespace cepheus {

using namespace model;

namespace {

std::string name(const Verb &v)
{
	return std::string(v.id.text);
}

void check_list(const View &view, const Row &row, Report &report)
{
	std::vector<const Verb *> verbs = view.verbs(row);
	std::size_t locked = 0, post = 0;
	const Verb *first_post = nullptr, *last[2] = {};

	for (const Verb *v : verbs) {
		bool is_post = v->stage == Verb::Stage::post;
		if (v->stage == Verb::Stage::prep) {
			report.row(row, name(*v) + " is a PREP verb, which runs before the cell is known",
				   "list it in the event's prep");
			continue;
		}
		++(is_post ? post : locked);
		if (is_post && !first_post)
			first_post = v;
		if (!is_post && first_post)
			report.row(row, "the LOCKED verb " + name(*v) + " stands after the POST verb " + name(*first_post),
				   "list LOCKED verbs first");
		if (last[is_post])
			report.row(row, name(*v) + " stands after " + name(*last[is_post]) + ", which must be the last of its stage",
				   "move " + name(*last[is_post]) + " to the end");
		if (v->last)
			last[is_post] = v;
	}
	if (locked > max_locked)
		report.row(row, std::to_string(locked) + " LOCKED verbs, and a row has room for " + std::to_string(max_locked),
			   "join verbs that always go together");
	if (post > max_post)
		report.row(row, std::to_string(post) + " POST verbs, and a row has room for " + std::to_string(max_post),
			   "join verbs that always go together");

	for (std::size_t i = 0; i < verbs.size(); ++i) {
		if (!verbs[i]->needs)
			continue;
		bool found = false;
		for (std::size_t j = i + 1; j < verbs.size(); ++j)
			found |= verbs[j]->id == verbs[i]->needs;
		if (!found)
			report.row(row, name(*verbs[i]) + " is not followed by " + std::string(verbs[i]->needs.text) + ", which it needs",
				   "add it after " + name(*verbs[i]));
	}
}

} // namespace

void check_stages(const View &view, Report &report)
{
	for (const Event &e : view.machine.events) {
		std::string subject = "event " + std::string(e.id.text);
		if (!e.prep.empty() && e.kind != Event::Kind::call && e.kind != Event::Kind::message)
			report.machine(subject, "a " + std::string(kind_text(e.kind)) + " has no time to prepare",
				       "PREP verbs belong to calls and messages; drop its prep");
		if (e.prep.size() > max_prep)
			report.machine(subject, std::to_string(e.prep.size()) + " PREP verbs, and an event has room for "
				       + std::to_string(max_prep), "join verbs that always go together");
		for (VerbId id : e.prep)
			if (const Verb *v = view.verb(id); v && v->stage != Verb::Stage::prep)
				report.machine(subject, name(*v) + " is a " + std::string(stage_text(v->stage)) + " verb",
					       "list it in the rows; prep holds PREP verbs only");
	}
	for (const Row &row : view.machine.rows)
		check_list(view, row, report);

	// Verbs are shared: only the first machine speaks about them.
	if (&view.machine != &view.model.machines.front())
		return;
	for (const Verb &v : view.model.verbs) {
		if (v.stage == Verb::Stage::prep) {
			if (v.arms || v.disarms)
				report.verb(v, "a PREP verb moves the timer before the cell is known",
					       "make it a LOCKED verb");
			continue;
		}
		if (v.allocates)
			report.verb(v, "a " + std::string(stage_text(v.stage)) + " verb allocates",
				       "allocate in a PREP verb and hand over");
		if (v.may_sleep)
			report.verb(v, "a " + std::string(stage_text(v.stage)) + " verb may sleep",
				       "sleep in a PREP verb only");
	}
}

void check_puts(const View &view, Report &report)
{
	if (&view.machine == &view.model.machines.front())
		for (const Verb &v : view.model.verbs)
			if (v.last && v.stage != Verb::Stage::post)
				report.verb(v, "the last put is made in the " + std::string(stage_text(v.stage)) + " stage",
					    "make it a POST verb: what it frees holds the lock");

	// That the needed verb stands in the row is checked with the stages.
	std::set<const Verb *> told;
	for (const Row &row : view.machine.rows) {
		for (const Verb *v : view.verbs(row)) {
			if (v->stage != Verb::Stage::locked || !told.insert(v).second)
				continue;
			const Verb *needed = v->needs ? view.verb(v->needs) : nullptr;
			if (needed && needed->stage == Verb::Stage::post && needed->last)
				continue;
			for (HolderId h : v->releases)
				if (view.is_counted(h))
					report.row(row, name(*v) + " releases " + std::string(h.text)
						   + " under the lock, and no verb that puts its reference must follow",
						   "name the last POST verb in `needs` of " + name(*v));
		}
	}
}

} // namespace cepheus
