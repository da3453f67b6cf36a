/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * RDMA FLUSH came with "RDMA: Extend RDMA kernel verbs ABI to
 * support flush", 6.3: before, no device can have it and nothing is granted.
 */
#ifndef CM_COMPAT_RDMA_IB_VERBS_H
#define CM_COMPAT_RDMA_IB_VERBS_H

#include_next <rdma/ib_verbs.h>

#ifndef CM_HAVE_IB_FLUSH
#define IB_DEVICE_FLUSH_GLOBAL		0
#define IB_DEVICE_FLUSH_PERSISTENT	0
#define IB_ACCESS_FLUSH_GLOBAL		0
#define IB_ACCESS_FLUSH_PERSISTENT	0
#endif

#endif /* CM_COMPAT_RDMA_IB_VERBS_H */
