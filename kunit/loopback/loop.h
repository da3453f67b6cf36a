/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * loop_hca: a fake HCA whose ports are joined by an in-memory wire that carries
 * QP1 datagrams and nothing else.
 *
 * This header is what tests in the kernel use; the same knobs are in debugfs.
 * Whoever sits on the wire is either a port of a device, with ib_core, ib_mad
 * and a CM behind it, or a station: an address without a device, by which a test
 * is a peer of its own making.
 */
#ifndef LOOP_H
#define LOOP_H

#include <linux/if_ether.h>
#include <linux/types.h>
#include <rdma/ib_verbs.h>

#define LOOP_MAD_SIZE	256
#define LOOP_MAX_PKEYS	16
#define LOOP_MAX_PORTS	255

/* What can go wrong, at the port that sends. All off by default. */
enum loop_fault {
	LOOP_DROP,		/* the datagram is lost; the send completes */
	LOOP_DUPLICATE,		/* it arrives twice */
	LOOP_DELAY,		/* it arrives arg ms later */
	LOOP_REORDER,		/* it arrives after the port's next one (or after 100 ms) */
	LOOP_CORRUPT,		/* byte arg of the MAD is inverted */
	LOOP_SEND_ERROR,	/* not on the wire; completes with IB_WC_RETRY_EXC_ERR, or arg if that is not 0 */
	LOOP_SEND_LATE,		/* on the wire at once, completes arg ms later */
	LOOP_SEND_NEVER,	/* on the wire, completes at loop_hca_release() or a flush */
	LOOP_SEND_REFUSED,	/* post_send returns -EIO */
	LOOP_AH_SLOW,		/* create_ah takes arg ms, less if the rule goes; busy-waits where it may not sleep */
	LOOP_AH_FAIL,		/* create_ah returns -ENOMEM */
	LOOP_QUERY_SLOW,	/* query_port, query_gid, query_pkey take arg ms, less if the rule goes */
	LOOP_QUERY_FAIL,	/* they return -EIO */
	LOOP_MODIFY_SLOW,	/* modify_port takes arg ms, less if the rule goes */
	LOOP_MODIFY_FAIL,	/* it returns -EIO */
	LOOP_FAULTS
};

/**
 * struct loop_rule - when a fault strikes
 * @attr_id: only MADs of this attribute, host order; 0: any (and what is not a MAD)
 * @nth: every nth that matches; 0: off, 1: each
 * @times: strike at most so often; 0: no limit
 * @arg: ms, byte or status, see enum loop_fault
 */
struct loop_rule {
	u16 attr_id;
	u32 nth;
	u32 times;
	u32 arg;
};

/**
 * struct loop_config - a device to be
 * @layer: of all its ports: IB_LINK_LAYER_INFINIBAND or IB_LINK_LAYER_ETHERNET (RoCE v2)
 * @ports: 1 to LOOP_MAX_PORTS; 0 means 1
 * @lid: base LID of port 1 (InfiniBand); 0: the next free ones. Each port takes 1 << @lmc
 * @lmc: 0 to 7
 * @node_guid: of the CA; host order. 0 with @zero_guid: none, as some virtual functions
 * @zero_guid: @node_guid is meant to be 0, not to be chosen
 * @pkeys: table of every port, host order; all 0: one entry, 0xffff
 * @recv_depth: datagrams that wait at most for the MAD layer to take them from the CQ, whatever
 *	is posted; more are lost. 0: no limit but what is posted
 * @opa: the ports' addresses are OPA's, with GIDs that have LIDs in them (InfiniBand)
 * @no_cm: bit n: port n + 1 does not speak CM
 * @no_header_type: receive completions do not say what network header there is, as some HCAs' (RoCE)
 * @fault: that strikes from the beginning, while the device's clients get to know it
 * @rule: when; off if nth is 0
 * @fault_port: where; 0: all ports
 */
struct loop_config {
	enum rdma_link_layer layer;
	u32 ports;
	u16 lid;
	u8 lmc;
	u64 node_guid;
	bool zero_guid;
	u16 pkeys[LOOP_MAX_PKEYS];
	u32 recv_depth;
	bool opa;
	u32 no_cm;
	bool no_header_type;
	enum loop_fault fault;
	struct loop_rule rule;
	u32 fault_port;
};

/**
 * struct loop_packet - a datagram on the wire
 * @mad: as it travels
 * @len: bytes of @mad that there are (256 as a rule); 0 means 256
 * @sl: service level
 * @grh: sgid, dgid, hop_limit, traffic_class and flow_label are there (always on RoCE)
 * @slid: of the sender, host order (InfiniBand)
 * @dlid: of the destination, host order (InfiniBand)
 * @pkey: in the BTH, host order
 * @src_qpn: of the sender; 1 as a rule
 * @smac: of the sender (RoCE)
 * @vlan: 0xffff: none (RoCE)
 */
struct loop_packet {
	u8 mad[LOOP_MAD_SIZE];
	u32 len;
	u8 sl;
	bool grh;
	u16 slid;
	u16 dlid;
	u16 pkey;
	u32 src_qpn;
	union ib_gid sgid;
	union ib_gid dgid;
	u8 hop_limit;
	u8 traffic_class;
	u32 flow_label;
	u8 smac[ETH_ALEN];
	u16 vlan;
};

/*
 * Registered with ib_core and on the wire when it returns; GIDs and P_Keys are in
 * ib_core's cache. Its name is loopN, N the lowest that is free. Sleeps. ERR_PTR on failure.
 */
struct ib_device *loop_hca_create(const struct loop_config *config);
/*
 * Unregisters: the device's clients have let go of it when it returns. Clears the
 * faults and lets withheld sends complete first. Sleeps.
 */
void loop_hca_remove(struct ib_device *ibdev);
/* The port's own address, as a sender would fill it in: slid, sgid, smac, pkey (index 0). */
void loop_hca_address(struct ib_device *ibdev, u32 port, struct loop_packet *from);
/*
 * Take the port down or up: state, event to ib_core, whose cache and handlers have seen
 * it when this returns. A port that is not active carries nothing; sends complete. Sleeps.
 */
void loop_hca_port_state(struct ib_device *ibdev, u32 port, enum ib_port_state state);
/* Another P_Key table, announced by IB_EVENT_PKEY_CHANGE; as above. Sleeps. */
void loop_hca_pkeys(struct ib_device *ibdev, u32 port, const u16 *pkeys, u32 count);
/* Address handles of the device that exist now. */
int loop_hca_handles(struct ib_device *ibdev);

struct loop_station;

/* A LID of its own (1 << lmc of them), a GID of its own; RoCE: the GID of a MAC. Sleeps. ERR_PTR on failure. */
struct loop_station *loop_station_create(enum rdma_link_layer layer, u8 lmc);
void loop_station_destroy(struct loop_station *station);
/* Its address, as the sender's half of a packet. */
void loop_station_address(const struct loop_station *station, struct loop_packet *from);
/*
 * Put a datagram on the wire. What the sender's half of it leaves 0 is filled in;
 * the destination is dlid (InfiniBand) or dgid (RoCE). No knob applies. Any context.
 * 0, or -EHOSTUNREACH: nobody has that address or the port is not active, -ENOBUFS: the
 * receiver's queue is full, -EMSGSIZE. A P_Key that the port does not have: 0, and it is
 * lost and counted there.
 */
int loop_station_send(struct loop_station *station, struct loop_packet *packet);
/* Take the oldest datagram that came for the station. -ETIMEDOUT. Sleeps; timeout_ms 0 does not. */
int loop_station_recv(struct loop_station *station, struct loop_packet *packet,
		      unsigned int timeout_ms);
/* Datagrams that wait to be taken. */
unsigned int loop_station_waiting(struct loop_station *station);

/* The fault that is called so in debugfs; -EINVAL: none. */
int loop_fault_by_name(const char *name);
/* Set (and start counting anew) or, with rule NULL, clear. port 0: all ports. */
void loop_fault_set(struct ib_device *ibdev, u32 port, enum loop_fault fault,
		    const struct loop_rule *rule);
/* How often it struck since it was set. */
u32 loop_fault_hits(struct ib_device *ibdev, u32 port, enum loop_fault fault);
void loop_faults_clear(struct ib_device *ibdev);
/* Let the sends complete that LOOP_SEND_NEVER withholds. Late ones stay late. */
void loop_hca_release(struct ib_device *ibdev);

#endif /* LOOP_H */
