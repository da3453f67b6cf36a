/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What an operator may tune. Values are clamped when they are set; readers use
 * READ_ONCE(), a change takes effect with the next decision.
 */
#ifndef CM_PARAMS_H
#define CM_PARAMS_H

#include <linux/types.h>

extern unsigned int cm_listen_handlers;	/* REQ handlers a listener runs at once, 1 - 1024 */
extern unsigned int cm_backlog;		/* REQs that wait for their turn on a listener, 1 - 1048576 */
extern unsigned int cm_send_budget;	/* uncompleted sends of a port, 8 - 1024 */
extern unsigned int cm_window;		/* unanswered fresh requests of a port, 1 - 65536 */
extern unsigned int cm_reply_rate;	/* replies without an id, of a port, per second, 1 - 1000000 */
extern unsigned int cm_ah_limit;	/* shared address handles of a port, 16 - 65536 */
extern bool cm_strict_source;		/* IB: drop messages from elsewhere than the id's path */

#endif /* CM_PARAMS_H */
