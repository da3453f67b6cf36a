// SPDX-License-Identifier: GPL-2.0-only
#include "check.h"

namespace cepheus {

namespace {

constexpr Check all[] = {
	{"vocabulary", "verbs, facts and machines are declared once, and used", nullptr, check_vocabulary},
	{"names", "what a row names is declared, and once", check_names, nullptr},
	{"cells", "every (event, state) cell is written, and once", check_cells, nullptr},
	{"reachable", "every state is reached, but for the reserved ones", check_reachable, nullptr},
	{"idle", "every state finds its way to the idle one without the peer and without destroy", check_idle, nullptr},
	{"timers", "a timer runs exactly where the peer is awaited", check_timers, nullptr},
	{"stages", "LOCKED before POST, lengths, needs, nothing after the last verb", check_stages, nullptr},
	{"holders", "the exact holders before, plus acquired, minus released, are those after", check_holders, nullptr},
	{"verdicts", "a row does no more than its verdict allows", check_verdicts, nullptr},
	{"destroy", "destroy is legal everywhere and speaks to the peer at most once", check_destroy, nullptr},
	{"terminal", "an attempt ends with exactly one terminal event, and no call delivers one", check_terminal, nullptr},
	{"puts", "no last put under the lock", check_puts, nullptr},
	{"decisions", "decision lists are total and every rule can be met", nullptr, check_decisions},
};

} // namespace

std::span<const Check> checks()
{
	return all;
}

std::string text(const Finding &f)
{
	std::string out = f.where + ": ";
	if (!f.machine.empty())
		out += f.machine + ": ";
	return out + f.subject + ": " + f.cause + "; " + f.mend;
}

void Report::machine(std::string subject, std::string cause, std::string mend)
{
	out_.push_back({check_, machine_, "codegen/model", std::move(subject), std::move(cause), std::move(mend)});
}

void Report::verb(const model::Verb &v, std::string cause, std::string mend)
{
	out_.push_back({check_, "", "codegen/model", "verb " + std::string(v.id.text), std::move(cause), std::move(mend)});
}

void Report::row(const model::Row &row, std::string subject, std::string cause, std::string mend)
{
	out_.push_back({check_, machine_, where_of(row), std::move(subject), std::move(cause), std::move(mend)});
}

void Report::row(const model::Row &r, std::string cause, std::string mend)
{
	row(r, row_text(r), std::move(cause), std::move(mend));
}

void Report::row(const model::Row &r, const model::State &state, std::string cause, std::string mend)
{
	row(r, join(r.on) + " in " + std::string(state.id.text), std::move(cause), std::move(mend));
}

namespace {

// Stops after the first check that finds something, if asked to.
Findings check(const model::Model &model, bool all_checks)
{
	Findings out;
	std::vector<View> views;
	views.reserve(model.machines.size());
	for (const model::Machine &machine : model.machines)
		views.emplace_back(model, machine);

	for (const Check &one : all) {
		if (one.whole)
			one.whole(model, out);
		for (const View &view : views) {
			if (!one.machine)
				continue;
			Report report(std::string(one.id), view, out);
			one.machine(view, report);
		}
		if (!all_checks && !out.empty())
			break;
	}
	return out;
}

} // namespace

Findings check(const model::Model &model)
{
	return check(model, true);
}

bool is_clean(const model::Model &model)
{
	return check(model, false).empty();
}

} // namespace cepheus
