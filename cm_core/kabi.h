/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What the exporting unit (api.c) has to see, so that the exports get the
 * symbol versions that the kernel's own module gives them.
 *
 * A symbol version is a hash over every type that can be reached from the
 * prototype. struct ib_device reaches types that stand in private headers of
 * the RDMA core: each has to be visible here, from a header file, exactly where
 * the kernel's module sees it, and no other may be. api.c therefore includes
 * this file first, and after it only headers that pass the comparison with the
 * target's Module.symvers. linux/rhashtable.h, linux/trace_events.h and
 * linux/perf_event.h do not pass (15 of 16 versions change): headers that api.c
 * includes use linux/rhashtable-types.h, and trace.h is not among them.
 */
#ifndef CM_KABI_H
#define CM_KABI_H

#include <linux/tracepoint.h>
#include <linux/xarray.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>
#include <rdma/ib_verbs.h>
#include <rdma/ib_cm.h>

/* The layout that the RDMA core keeps to itself; checked by the version comparison, used by nobody. */
struct rdma_restrack_root {
	struct xarray xa;
	u32 next_id;
};

#endif /* CM_KABI_H */
