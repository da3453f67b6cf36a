// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* Owns: the bodies of the trace points of trace_points.h. No locks, no references. */
#include "id.h"
#include "stats.h"

#define CREATE_TRACE_POINTS
#include "trace.h"
