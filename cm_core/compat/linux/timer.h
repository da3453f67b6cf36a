/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* timer_container_of() is from_timer() before 41cb08555c41 ("treewide, timers: Rename from_timer()"), 6.16 */
#ifndef CM_COMPAT_LINUX_TIMER_H
#define CM_COMPAT_LINUX_TIMER_H

#include_next <linux/timer.h>

#ifndef timer_container_of
#define timer_container_of(var, timer, field) container_of(timer, typeof(*(var)), field)
#endif

#endif /* CM_COMPAT_LINUX_TIMER_H */
