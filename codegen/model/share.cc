// SPDX-License-Identifier: GPL-2.0-only
//
// Owns: the sharing of a listener. Lock order: the table of listeners, then the
// id. A share is a count under the table's lock, not a reference.
#include "rows.h"

namespace cepheus::model::share {

Machine machine()
{
	using K = Event::Kind;
	Machine m{
		.id = {"share"}, .prefix = "CM_SHARE", .meaning = "who has a listener",
		.states = {
			{.id = FREE, .meaning = "not listened on", .initial = true},
			{.id = SINGLE, .meaning = "one owner", .holders = {TABLE}},
			{.id = SHARED, .meaning = "several owners", .holders = {TABLE}},
			{.id = SINGLE_OUT, .meaning = "the device is gone, one owner has yet to destroy it"},
			{.id = SHARED_OUT, .meaning = "the device is gone, several owners have yet to destroy it"},
		},
		.events = {
			{LISTEN, K::call, "ib_cm_listen()"},
			{INSERT, K::call, "ib_cm_insert_listen() with the listener's own handler, and it has no context"},
			{INSERT_OTHER, K::call, "ib_cm_insert_listen() with another handler, or it has a context"},
			{DROP, K::call, "destroy of a share, more than two remain"},
			{DROP_TO_ONE, K::call, "destroy of a share, one remains"},
			{DROP_LAST, K::call, "destroy of the last share"},
			{REMOVED, K::removal, "the device is being removed"},
		},
		.holders = {{.id = TABLE, .exact = true, .counted = false, .meaning = "found by (device, service id)"}},
		.idle_state = FREE.text,
	};
	const auto said = contract("Shared listen");

	add(m.rows, {
		{.on = {LISTEN, INSERT}, .in = {FREE}, .next = SINGLE, .does = {SHARE_PUBLISH}, .source = stock("6: listen, insert_listen: IDLE -> LISTEN")},
		{.on = {LISTEN}, .in = {SINGLE, SHARED}, .verdict = invalid("EBUSY"), .source = stock("6: listen: -EBUSY")},
		{.on = {INSERT}, .in = {SINGLE}, .next = SHARED, .does = {SHARE_ADD}, .source = said},
		{.on = {INSERT}, .in = {SHARED}, .does = {SHARE_ADD}, .source = said},
		{.on = {INSERT_OTHER}, .in = {SINGLE, SHARED}, .verdict = invalid("EINVAL"), .source = field("29: same id, other handler")},
		{.on = {LISTEN, INSERT, INSERT_OTHER}, .in = {SINGLE_OUT, SHARED_OUT}, .verdict = never("what is out of the table is not found")},
		{.on = {INSERT_OTHER}, .in = {FREE}, .verdict = never("nobody else listens")},
		{.on = {DROP}, .in = {SHARED, SHARED_OUT}, .does = {SHARE_DROP}, .source = said},
		{.on = {DROP_TO_ONE}, .in = {SHARED}, .next = SINGLE, .does = {SHARE_DROP}, .source = said},
		{.on = {DROP_TO_ONE}, .in = {SHARED_OUT}, .next = SINGLE_OUT, .does = {SHARE_DROP}, .source = said},
		{.on = {DROP_LAST}, .in = {SINGLE}, .next = FREE, .does = {SHARE_DROP, SHARE_RETRACT}, .source = said},
		{.on = {DROP_LAST}, .in = {SINGLE_OUT}, .next = FREE, .does = {SHARE_DROP}, .source = said},
		{.on = {DROP, DROP_TO_ONE}, .in = {SINGLE, SINGLE_OUT}, .verdict = never("one owner has one share")},
		{.on = {DROP_LAST}, .in = {SHARED, SHARED_OUT}, .verdict = never("several owners have several shares")},
		{.on = {DROP, DROP_TO_ONE, DROP_LAST}, .in = {FREE}, .verdict = never("nothing is shared")},
		{.on = {REMOVED}, .in = {SINGLE}, .next = SINGLE_OUT, .does = {SHARE_RETRACT}, .source = contract("Removal")},
		{.on = {REMOVED}, .in = {SHARED}, .next = SHARED_OUT, .does = {SHARE_RETRACT}, .source = contract("Removal"),
		 .reason = "create and destroy stay paired: every share is still destroyed by its owner"},
		{.on = {REMOVED}, .in = {FREE, SINGLE_OUT, SHARED_OUT}, .verdict = ignore(late), .source = contract("Removal")},
	});
	return m;
}

} // namespace cepheus::model::share
