/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Incoming messages.
 *
 * Owns: the way of a datagram from the MAD agent to the id that it is for.
 */
#ifndef CM_RX_H
#define CM_RX_H

#include <rdma/ib_mad.h>

/* The agent's context is the struct cm_port. */
void cm_rx_handler(struct ib_mad_agent *agent, struct ib_mad_send_buf *send_buf,
		   struct ib_mad_recv_wc *wc);

#endif /* CM_RX_H */
