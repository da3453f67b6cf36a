/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* <linux/unaligned.h> is <asm/unaligned.h> before 5f60d5f6bbc1 ("move asm/unaligned.h to linux/unaligned.h"), 6.12 */
#ifndef CM_COMPAT_LINUX_UNALIGNED_H
#define CM_COMPAT_LINUX_UNALIGNED_H

#ifdef CM_HAVE_LINUX_UNALIGNED
#include_next <linux/unaligned.h>
#else
#include <asm/unaligned.h>
#endif

#endif /* CM_COMPAT_LINUX_UNALIGNED_H */
