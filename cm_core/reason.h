/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Reasons of a REJ in words.
 */
#ifndef CM_REASON_H
#define CM_REASON_H

const char *cm_reject_text(int reason);

#endif /* CM_REASON_H */
