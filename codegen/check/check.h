// SPDX-License-Identifier: GPL-2.0-only
//
// The checks of a model: one function each, no state, nothing printed.
#pragma once

#include "view.h"

#include <span>

namespace cepheus {

// One thing that is wrong: where, what about, why, and what to do.
struct Finding {
	std::string check;
	std::string machine;	// empty: the whole model
	std::string where;	// file:line of the row, or the folder of the model
	std::string subject;
	std::string cause;
	std::string mend;
};

using Findings = std::vector<Finding>;

// "codegen/model/accept.cc:42: id: REP in REQ_SENT: cause; mend"
std::string text(const Finding &finding);

// Collects what one check says about one machine.
class Report {
public:
	Report(std::string check, const View &view, Findings &out)
		: check_(std::move(check)), machine_(view.machine.id.text), out_(out) {}

	void machine(std::string subject, std::string cause, std::string mend);
	// About what the machines share.
	void verb(const model::Verb &verb, std::string cause, std::string mend);
	void row(const model::Row &row, std::string cause, std::string mend);
	// About a row in one of its states.
	void row(const model::Row &row, const model::State &state, std::string cause, std::string mend);
	void row(const model::Row &row, std::string subject, std::string cause, std::string mend);

private:
	std::string check_, machine_;
	Findings &out_;
};

struct Check {
	std::string_view id;
	std::string_view meaning;
	void (*machine)(const View &, Report &);		// per machine, or
	void (*whole)(const model::Model &, Findings &);	// once per model
};

std::span<const Check> checks();
Findings check(const model::Model &model);
bool is_clean(const model::Model &model);

// Per machine.
void check_names(const View &, Report &);
void check_cells(const View &, Report &);
void check_reachable(const View &, Report &);
void check_idle(const View &, Report &);
void check_timers(const View &, Report &);
void check_stages(const View &, Report &);
void check_holders(const View &, Report &);
void check_verdicts(const View &, Report &);
void check_destroy(const View &, Report &);
void check_terminal(const View &, Report &);
void check_puts(const View &, Report &);
// Per model.
void check_vocabulary(const model::Model &, Findings &);
void check_decisions(const model::Model &, Findings &);

// What the rendered C has room for.
inline constexpr std::size_t max_locked = 8, max_post = 4, max_prep = 4;
inline constexpr std::size_t max_u8 = 254, max_facts = 64, max_holders = 32;

} // namespace cepheus
