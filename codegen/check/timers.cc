// SPDX-License-Identifier: GPL-2.0-only
//
// Owns: the check that a timer runs exactly where the peer is awaited.
#include "check.h"

namespace cepheus {

using namespace model;

void check_timers(const View &view, Report &report)
{
	for (const Row &row : view.machine.rows) {
		if (row.verdict.kind == Verdict::Kind::never)
			continue;
		bool fires = false, other = false;
		for (const Event *e : view.events(row)) {
			bool timer = e->kind == Event::Kind::timer && !e->other_timer;
			(timer ? fires : other) = true;
		}
		for (const State *s : view.states(row)) {
			const State &next = view.after(row, *s);
			std::string name(next.id.text);
			for (bool fired : {false, true}) {
				if (fired ? !fires : !other)
					continue;
				// The timer that has fired runs no more; any other event finds it as the state has it.
				bool runs = s->awaits_peer && !fired;
				for (const Verb *v : view.verbs(row)) {
					if (v->disarms)
						runs = false;
					if (v->arms)
						runs = true;
				}
				if (runs == next.awaits_peer)
					continue;
				if (runs)
					report.row(row, *s, "a timer is left running and " + name + " awaits nobody",
						   "add a verb that stops it, or mark " + name + " as awaiting the peer");
				else if (fired)
					report.row(row, *s, "the timer has fired and " + name + " awaits the peer without one",
						   "add a verb that arms it, or leave for a state that awaits nobody");
				else
					report.row(row, *s, "no timer runs and " + name + " awaits the peer",
						   "add a verb that arms it, or do not mark " + name + " as awaiting the peer");
			}
		}
	}
}

} // namespace cepheus
