// SPDX-License-Identifier: GPL-2.0-only
//
// Owns: the life of a connection record after the connection: linked to its id,
// or an orphan.
#include "rows.h"

namespace cepheus::model::tw {

Machine machine()
{
	using K = Event::Kind;
	Machine m{
		.id = {"tw"}, .prefix = "CM_TW", .meaning = "a connection record",
		.states = {
			{.id = FREE, .meaning = "no record", .initial = true},
			{.id = RESERVED, .meaning = "the id's keys and its reservation", .holders = {ID}},
			{.id = LINKED, .meaning = "in timewait, the id waits for its end", .holders = {ID, QUEUE}},
			{.id = EXPIRING, .meaning = "its time is over, its id is being told", .holders = {ID}},
			{.id = ORPHAN, .meaning = "in timewait, without an id", .holders = {QUEUE}},
		},
		.events = {
			{RESERVE, K::call, "an id takes it"},
			{START, K::call, "the id enters TIMEWAIT"},
			{ON_ORPHAN, K::call, "the id goes while its connection must be remembered"},
			{ANSWERED, K::call, "a SIDR_REQ was answered and the answer kept"},
			{RELEASE, K::call, "the id has no need of it any more"},
			{EXPIRED, K::timer, "its time is over"},
			{POSTPONED, K::timer, "the id has no room for the event: later again"},
			{DREQ, K::message, "a DREQ of its connection"},
			{REPEATED, K::message, "its REQ or SIDR_REQ again"},
			{OTHER, K::message, "another message of its connection"},
			{REMOVED, K::removal, "the device is being removed"},
		},
		.holders = {
			{.id = ID, .exact = true, .counted = false, .meaning = "an id points at it"},
			{.id = QUEUE, .exact = true, .counted = false, .meaning = "in a queue of its port"},
		},
		.idle_state = FREE.text,
	};
	const auto said = contract("Timewait");

	add(m.rows, {
		{.on = {RESERVE}, .in = {FREE}, .next = RESERVED, .does = {TW_BIND}, .source = said},
		{.on = {RESERVE}, .in = {RESERVED, LINKED, EXPIRING, ORPHAN}, .verdict = never("a record is taken once")},
		{.on = {START}, .in = {RESERVED}, .next = LINKED, .does = {TW_QUEUE}, .source = said},
		{.on = {START}, .in = {FREE, LINKED, EXPIRING, ORPHAN}, .verdict = never("an id enters TIMEWAIT with a reserved record")},
		{.on = {ON_ORPHAN}, .in = {RESERVED}, .next = ORPHAN, .does = {TW_UNBIND, TW_HAND_OVER, TW_QUEUE}, .source = said},
		{.on = {ON_ORPHAN}, .in = {LINKED}, .next = ORPHAN, .does = {TW_UNBIND, TW_HAND_OVER}, .source = said},
		{.on = {ON_ORPHAN}, .in = {EXPIRING}, .next = FREE, .does = {TW_UNBIND, TW_FREE}, .source = said,
		 .reason = "its time was over when the id went"},
		{.on = {ON_ORPHAN}, .in = {FREE, ORPHAN}, .verdict = never("only an id makes an orphan")},
		{.on = {ANSWERED}, .in = {RESERVED}, .next = ORPHAN, .does = {TW_UNBIND, TW_QUEUE},
		 .source = field("26: a duplicate after the reply")},
		{.on = {ANSWERED}, .in = {FREE, LINKED, EXPIRING, ORPHAN}, .verdict = never("a SIDR record is never in timewait before")},
		{.on = {RELEASE}, .in = {RESERVED, EXPIRING}, .next = FREE, .does = {TW_UNBIND, TW_FREE}, .source = said},
		{.on = {RELEASE}, .in = {LINKED}, .next = FREE, .does = {TW_UNQUEUE, TW_UNBIND, TW_FREE}, .source = contract("Removal")},
		{.on = {RELEASE}, .in = {FREE, ORPHAN}, .verdict = never("only an id releases")},
		{.on = {EXPIRED}, .in = {LINKED}, .next = EXPIRING, .does = {TW_UNQUEUE, TW_TELL_ID}, .source = said},
		{.on = {EXPIRED}, .in = {ORPHAN}, .next = FREE, .does = {TW_UNQUEUE, TW_FREE_ID, TW_FREE}, .source = said},
		{.on = {EXPIRED}, .in = {FREE, RESERVED, EXPIRING}, .verdict = never("not in a queue")},
		{.on = {POSTPONED}, .in = {EXPIRING}, .next = LINKED, .does = {TW_QUEUE}, .source = contract("Events")},
		{.on = {POSTPONED}, .in = {FREE, RESERVED, LINKED, ORPHAN}, .verdict = never("only what expires is postponed")},
		{.on = {DREQ}, .in = {ORPHAN}, .verdict = resend(), .does = {TW_ANSWER}, .source = field("11: DREP lost, or the id already destroyed")},
		{.on = {REPEATED}, .in = {ORPHAN}, .verdict = resend(), .does = {TW_ANSWER},
		 .source = field("26: reply re-sent"), .reason = "a REQ has no answer kept: nothing is sent"},
		{.on = {OTHER}, .in = {ORPHAN}, .verdict = ignore(late), .source = said},
		{.on = {DREQ, REPEATED, OTHER}, .in = {FREE, RESERVED, LINKED, EXPIRING},
		 .verdict = never("while there is an id, it gets the message")},
		{.on = {REMOVED}, .in = {ORPHAN}, .next = FREE, .does = {TW_UNQUEUE, TW_FREE_ID, TW_FREE}, .source = contract("Removal")},
		{.on = {REMOVED}, .in = {FREE, RESERVED, LINKED, EXPIRING}, .verdict = never("every id of the device has let go of its record before")},
	});
	return m;
}

} // namespace cepheus::model::tw
