// SPDX-License-Identifier: GPL-2.0-only
//
// Owns: the check of exact holders: before + acquired - released = after.
#include "check.h"

namespace cepheus {

using namespace model;

void check_holders(const View &view, Report &report)
{
	for (const Event &e : view.machine.events)
		for (VerbId id : e.prep)
			if (const Verb *v = view.verb(id))
				for (HolderId h : moves(*v))
					if (view.is_exact(h))
						report.machine("event " + std::string(e.id.text),
							       std::string(id.text) + " moves the exact holder " + std::string(h.text)
							       + " before the cell is known",
							       "move it in a LOCKED verb of the rows");

	for (const Row &row : view.machine.rows) {
		for (const State *s : view.states(row)) {
			const State &next = view.after(row, *s);
			std::set<HolderId> held;
			for (HolderId id : s->holders)
				if (view.is_exact(id))
					held.insert(id);

			for (const Verb *v : view.verbs(row)) {
				std::string verb(v->id.text);
				for (HolderId h : v->releases)
					if (view.is_exact(h) && !held.erase(h))
						report.row(row, *s, verb + " releases " + std::string(h.text) + ", which is not held here",
							   "drop the verb, or give the holder to " + std::string(s->id.text));
				for (HolderId h : v->acquires)
					if (view.is_exact(h) && !held.insert(h).second)
						report.row(row, *s, verb + " acquires " + std::string(h.text) + ", which is held already",
							   "drop the verb, or release the holder before");
			}

			std::string name(next.id.text);
			for (HolderId id : next.holders)
				if (view.is_exact(id) && !held.erase(id))
					report.row(row, *s, name + " has the holder " + std::string(id.text) + " and nothing acquires it",
						   "add a verb that acquires it, or drop it from " + name);
			for (HolderId id : held)
				report.row(row, *s, "nothing releases " + std::string(id.text) + ", which " + name + " does not have",
					   "add a verb that releases it, or give it to " + name);
		}
	}
}

} // namespace cepheus
