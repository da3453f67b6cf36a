// SPDX-License-Identifier: GPL-2.0-only
//
// Owns: putting the phases together.
#include "names.h"

namespace cepheus::model {

Model protocol()
{
	Machine conn{
		.id = {"id"}, .prefix = "CM_ID", .meaning = "a connection id",
		.states = id::states(), .events = id::events(), .holders = id::holders(), .rows = {},
		.idle_state = id::IDLE.text,
	};

	id::listen(conn.rows);
	id::connect(conn.rows);
	id::accept(conn.rows);
	id::disconnect(conn.rows);
	id::migrate(conn.rows);
	id::sidr(conn.rows);
	id::destroy(conn.rows);
	id::anywhere(conn.rows);

	return {
		.machines = {std::move(conn), share::machine(), tw::machine()},
		.verbs = verbs(),
		.facts = facts(),
		.decisions = decisions(),
	};
}

} // namespace cepheus::model
