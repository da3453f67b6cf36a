// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Reasons of a REJ in words.
 *
 * Owns: the words. They are an interface: consumers print them, and scripts
 * look for them.
 */
#include <linux/kernel.h>
#include <rdma/ib_cm.h>

#include "reason.h"

#define CM_REASON(name, words)	[IB_CM_REJ_##name] = words

static const char *const cm_reasons[] = {
	CM_REASON(NO_QP, "no QP"),
	CM_REASON(NO_EEC, "no EEC"),
	CM_REASON(NO_RESOURCES, "no resources"),
	CM_REASON(TIMEOUT, "timeout"),
	CM_REASON(UNSUPPORTED, "unsupported"),
	CM_REASON(INVALID_COMM_ID, "invalid comm ID"),
	CM_REASON(INVALID_COMM_INSTANCE, "invalid comm instance"),
	CM_REASON(INVALID_SERVICE_ID, "invalid service ID"),
	CM_REASON(INVALID_TRANSPORT_TYPE, "invalid transport type"),
	CM_REASON(STALE_CONN, "stale conn"),
	CM_REASON(RDC_NOT_EXIST, "RDC not exist"),
	CM_REASON(INVALID_GID, "invalid GID"),
	CM_REASON(INVALID_LID, "invalid LID"),
	CM_REASON(INVALID_SL, "invalid SL"),
	CM_REASON(INVALID_TRAFFIC_CLASS, "invalid traffic class"),
	CM_REASON(INVALID_HOP_LIMIT, "invalid hop limit"),
	CM_REASON(INVALID_PACKET_RATE, "invalid packet rate"),
	CM_REASON(INVALID_ALT_GID, "invalid alt GID"),
	CM_REASON(INVALID_ALT_LID, "invalid alt LID"),
	CM_REASON(INVALID_ALT_SL, "invalid alt SL"),
	CM_REASON(INVALID_ALT_TRAFFIC_CLASS, "invalid alt traffic class"),
	CM_REASON(INVALID_ALT_HOP_LIMIT, "invalid alt hop limit"),
	CM_REASON(INVALID_ALT_PACKET_RATE, "invalid alt packet rate"),
	CM_REASON(PORT_CM_REDIRECT, "port CM redirect"),
	CM_REASON(PORT_REDIRECT, "port redirect"),
	CM_REASON(INVALID_MTU, "invalid MTU"),
	CM_REASON(INSUFFICIENT_RESP_RESOURCES, "insufficient resp resources"),
	CM_REASON(CONSUMER_DEFINED, "consumer defined"),
	CM_REASON(INVALID_RNR_RETRY, "invalid RNR retry"),
	CM_REASON(DUPLICATE_LOCAL_COMM_ID, "duplicate local comm ID"),
	CM_REASON(INVALID_CLASS_VERSION, "invalid class version"),
	CM_REASON(INVALID_FLOW_LABEL, "invalid flow label"),
	CM_REASON(INVALID_ALT_FLOW_LABEL, "invalid alt flow label"),
	CM_REASON(VENDOR_OPTION_NOT_SUPPORTED, "vendor option is not supported"),
};

/**
 * cm_reject_text - a reason in words
 * @reason: enum ib_cm_rej_reason, or any number
 *
 * Context: any.
 * Return: a constant string.
 */
const char *cm_reject_text(int reason)
{
	const char *words = NULL;

	if (reason >= 0 && reason < ARRAY_SIZE(cm_reasons))
		words = cm_reasons[reason];
	return words ? : "unrecognized reason";
}
