// SPDX-License-Identifier: GPL-2.0-only
//
// Owns: the checks of what a row may do: verdicts, destroy, terminal.
#include "check.h"

#include <algorithm>
#include <array>

namespace cepheus {

using namespace model;

namespace {

// What a call of the CM may return; all fit in a row's byte.
constexpr std::array errnos = {"EPERM",	 "ENOENT",	 "EIO",	     "EAGAIN", "ENOMEM",       "EBUSY",	 "EEXIST",
			       "ENODEV", "EINVAL",	 "ENOSPC",   "ERANGE", "EADDRINUSE",   "ENOTCONN", "EISCONN",
			       "EALREADY", "EINPROGRESS", "ETIMEDOUT", "ECONNREFUSED", "EOPNOTSUPP", "EADDRNOTAVAIL", "ENETUNREACH"};

std::string name(std::string_view text)
{
	return std::string(text);
}

bool speaks(const std::vector<const Verb *> &verbs)
{
	return std::any_of(verbs.begin(), verbs.end(), [](const Verb *v) { return !v->sends.empty(); });
}

} // namespace

void check_verdicts(const View &view, Report &report)
{
	using Kind = Verdict::Kind;
	for (const Row &row : view.machine.rows) {
		const Verdict &v = row.verdict;
		std::vector<const Verb *> verbs = view.verbs(row);
		std::string kind(kind_text(v.kind));

		if (row.next && v.kind != Kind::handle && v.kind != Kind::reject)
			report.row(row, "the verdict " + kind + " changes the state to " + name(row.next.text),
				   "drop the next state, or handle or reject the event");
		if (!row.does.empty() && (v.kind == Kind::invalid || v.kind == Kind::never))
			report.row(row, "the verdict " + kind + " has verbs", "drop them, or handle the event");
		if (v.kind == Kind::ignore && v.why == Verdict::Why::none)
			report.row(row, "an event is ignored without a why", "say duplicate, late, foreign, wrong_role or busy");
		if (v.kind != Kind::ignore && v.why != Verdict::Why::none)
			report.row(row, "the verdict " + kind + " has a why, which only ignore has", "drop it");
		if (v.kind == Kind::ignore && speaks(verbs))
			report.row(row, "an ignored event is answered", "make it resend, reject or handle, or drop the verb that sends");
		if ((v.kind == Kind::resend || v.kind == Kind::reject) && !speaks(verbs))
			report.row(row, "the verdict " + kind + " sends nothing", "add the verb that sends, or ignore the event");
		if (v.kind == Kind::never && v.reason.empty())
			report.row(row, "it is never to happen and no reason is given", "say why it cannot be");

		bool known = std::any_of(errnos.begin(), errnos.end(), [&](std::string_view e) { return e == v.error; });
		if (v.kind == Kind::invalid && v.error.empty())
			report.row(row, "an invalid call gets no errno", "name the errno");
		else if (!v.error.empty() && !known)
			report.row(row, "'" + name(v.error) + "' is not an errno that a call returns", "correct the name");
		else if (!v.error.empty() && v.kind != Kind::invalid && v.kind != Kind::handle)
			report.row(row, "the verdict " + kind + " has an errno", "drop it: nobody is there to get it");

		for (const Event *e : view.events(row))
			if (v.kind == Kind::invalid && e->kind != Event::Kind::call && e->kind != Event::Kind::handler)
				report.row(row, "the " + name(kind_text(e->kind)) + " " + name(e->id.text) + " is called invalid, and nobody is there to be told",
					   "ignore it and say why, or call it never");
	}
}

void check_destroy(const View &view, Report &report)
{
	const State *final = view.final();
	for (const Event &e : view.machine.events) {
		if (e.kind != Event::Kind::destroy)
			continue;
		for (const State &s : view.machine.states) {
			const Row *row = view.cell(e, s);
			// Without an object there is nothing to destroy.
			bool nothing = s.final || (s.initial && s.holders.empty());
			if (!row || nothing || !s.reserved.empty())
				continue;
			if (row->verdict.kind != Verdict::Kind::handle && row->verdict.kind != Verdict::Kind::reject) {
				report.row(*row, s, "destroy is not legal here (" + name(kind_text(row->verdict.kind)) + ")",
					   "handle it: destroy is legal in every state");
				continue;
			}
			if (final && row->next != final->id)
				report.row(*row, s, "destroy does not end in " + name(final->id.text),
					   "set the next state to " + name(final->id.text));
		}
	}

	for (const Row &row : view.machine.rows) {
		auto events = view.events(row);
		if (std::none_of(events.begin(), events.end(), [](const Event *e) { return e->kind == Event::Kind::destroy; }))
			continue;
		std::vector<std::string_view> sent;
		for (const Verb *v : view.verbs(row))
			if (!v->sends.empty())
				sent.push_back(v->sends);
		if (sent.size() > 1)
			report.row(row, "destroy sends " + std::to_string(sent.size()) + " messages (" + join(sent) + ")",
				   "send one parting message at most");
	}
}

void check_terminal(const View &view, Report &report)
{
	using Kind = Event::Kind;
	for (const Row &row : view.machine.rows) {
		std::vector<std::string_view> ends;
		for (const Verb *v : view.verbs(row))
			if (v->terminal)
				ends.push_back(v->id.text);

		bool quiet = false, loud = false;
		std::string_view who;
		for (const Event *e : view.events(row)) {
			bool q = e->kind == Kind::call || e->kind == Kind::destroy || e->kind == Kind::handler;
			if (q)
				who = kind_text(e->kind);
			(q ? quiet : loud) = true;
		}
		if (quiet && !ends.empty())
			report.row(row, "a " + std::string(who) + " delivers the terminal event of " + join(ends),
				   "drop the verb: who acts himself is not told");
		if (ends.size() > 1)
			report.row(row, "several terminal events are delivered (" + join(ends) + ")", "deliver one");
		if (!loud)
			continue;
		for (const State *s : view.states(row)) {
			const State &next = view.after(row, *s);
			bool over = s->connection && !next.connection;
			if (over && ends.empty())
				report.row(row, *s, "the attempt ends in " + name(next.id.text) + " and the consumer is not told",
					   "deliver exactly one terminal event");
			if (!s->connection && !ends.empty())
				report.row(row, *s, join(ends) + " ends an attempt and none is under way in " + name(s->id.text),
					   "drop the verb, or mark " + name(s->id.text) + " as a connection");
		}
	}
}

} // namespace cepheus
