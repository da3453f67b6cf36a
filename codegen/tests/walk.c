// SPDX-License-Identifier: GPL-2.0-only
/*
 * Walks over the compiled tables of the small model and prints every cell, every
 * set of holders and every rule by name; cells.py prints the same of the model.
 */
#include <stdio.h>

#include "fsm.h"
#include "generated/cm_tables.h"
#include "generated/cm_holders.h"

/* The trace enums have to be well formed too. */
#include "generated/cm_trace_enums.h"
#define TRACE_DEFINE_ENUM(e) _Static_assert((e) >= 0, #e)
CM_ID_STATE_ENUMS
CM_ID_EVENT_ENUMS
CM_VERDICT_ENUMS

static const struct {
	int value;
	const char *name;
} symbols[] = { CM_ID_STATE_SYMBOLS };

static void print_verbs(const u8 *verbs, int n)
{
	for (int i = 0; i < n && verbs[i]; i++)
		printf("%s%s", i ? " " : "", cm_verb_names[verbs[i]]);
}

static void print_row(const struct cm_row *row, const char *next, const char *where, const char *source)
{
	printf(" -> %s: %s [%s] %d: ", next, cm_verdict_names[row->verdict], cm_why_names[row->why], row->error);
	print_verbs(row->locked, CM_ROW_LOCKED);
	printf(" | ");
	print_verbs(row->post, CM_ROW_POST);
	printf(" (%s; %s)\n", where, source);
}

static void print_holders(const char *machine, const char *state, u32 want, const char *const *names, int n, int counted)
{
	printf("%s: %s holds ", machine, state);
	for (int i = 0, some = 0; i < n; i++)
		if (want & (1u << i))
			printf("%s%s", some++ ? " " : "", names[i]);
	printf(" (%d counted)\n", counted);
}

static const char *const no_names[1];

#define WALK(c, P, name, holder_names, holders)							\
	do {											\
		for (int e = 0; e < P##_EVENTS; e++)						\
			for (int s = 0; s < P##_STATES; s++) {					\
				int n = c##_cells[e][s];					\
				const struct cm_row *row = &c##_rows[n];			\
												\
				printf(name ": %s in %s", c##_event_names[e], c##_state_names[s]); \
				print_row(row, row->next == CM_STAY ? "-" : c##_state_names[row->next], \
					  c##_row_where[n], c##_row_sources[n]);		\
			}									\
		for (int s = 0; s < P##_STATES; s++) {						\
			assert(c##_holders_ok(s, c##_want[s]));					\
			assert(c##_holders_ok(s, c##_want[s] | ~P##_EXACT_MASK));		\
			assert(!P##_EXACT_MASK || !c##_holders_ok(s, c##_want[s] ^ (P##_EXACT_MASK & -P##_EXACT_MASK))); \
			print_holders(name, c##_state_names[s], c##_want[s], holder_names, holders, \
				      c##_holders_counted(s));					\
		}										\
	} while (0)

int main(void)
{
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++)
		assert(symbols[i].value == (int)i && symbols[i].name);

	WALK(cm_id, CM_ID, "id", cm_id_holder_names, CM_ID_HOLDERS);
	WALK(cm_share, CM_SHARE, "share", no_names, CM_SHARE_HOLDERS);
	WALK(cm_tw, CM_TW, "tw", cm_tw_holder_names, CM_TW_HOLDERS);

	for (int d = 0; d < CM_DECISIONS; d++) {
		static const char *const machines[] = { "id", "share", "tw" };
		const struct cm_rule *rule = cm_decisions[d];

		do {
			printf("%s: %s: ", machines[cm_decision_machine[d]], cm_decision_names[d]);
			for (int f = 0, some = 0; f < CM_FACTS; f++)
				if (rule->mask & (1ull << f))
					printf("%s%s%s", some++ ? " " : "", rule->want & (1ull << f) ? "" : "!", cm_fact_names[f]);
			printf(" -> %s\n", cm_decision_machine[d] == CM_MACHINE_TW ? cm_tw_event_names[rule->event]
										  : cm_id_event_names[rule->event]);
		} while (rule++->mask);
	}
	return 0;
}
