// SPDX-License-Identifier: GPL-2.0-only
//
// Owns: the facts, and the lists that turn what arrived into an event. The
// first rule whose conditions all hold decides.
#include "names.h"

namespace cepheus::model {

std::vector<Fact> facts()
{
	return {
		{KNOWN,          "the message names an id"},
		{ACTIVE,         "that id sent the REQ"},
		{PEER_KNOWN,     "the id knows the peer's comm id"},
		{IDS_MATCH,      "the message carries both comm ids of the id"},
		{TID_MATCH,      "it carries the TID of the id's exchange"},
		{QPN_MATCH,      "it names the id's local QPN"},
		{SOURCE_OK,      "it came from the id's primary or alternate path, or that is not insisted on"},
		{ROOM,           "the id's event queue has room for what it would deliver"},
		{TRIED,          "its keys were tried before the lock"},
		{CLAIMED,        "its keys are in the tables"},
		{CLAIM_REPEATED, "the tables have the same request already"},
		{CLAIM_STALE,    "the tables have another connection with its keys"},
		{SUPPORTED,      "its transport is served"},
		{SERVICE_KNOWN,  "somebody listens on its service id"},
		{BACKLOG_ROOM,   "the listener's backlog has room, and there is memory"},
		{ABOUT_REQ,      "it is about a REQ"},
		{ABOUT_REP,      "it is about a REP"},
		{REASON_STALE,   "its reason is 10, stale connection"},
		{LAP_PATH,       "its path leads through the id's device"},
		{HAS_ALTERNATE,  "the id has an alternate path"},
		{CURRENT,        "the request or record is the one that it was for"},
		{SENDS_LEFT,     "repetitions are left"},
		{ERRORS_LEFT,    "fewer sends in a row have failed than end the wait"},
		{DELAYED,        "the caller wants the MRA sent on repetition only"},
		{XRC_TARGET,     "the id is of an XRC target"},
		{NOMEM,          "the handler returned -ENOMEM"},
		{SERVICE_TAKEN,  "the service id has a listener that cannot be shared with the caller"},
		{SAME_OWNER,     "same handler, and no context"},
		{EXCLUSIVE,      "the caller does not share"},
		{LAST_SHARE,     "it is the only share"},
		{LAST_BUT_ONE,   "there are two shares"},
	};
}

std::vector<DecisionList> decisions()
{
	using namespace id;
	const auto identity = contract("Identity");
	const auto receive = contract("Receive context");
	const auto retries = contract("Retries");
	const auto events_said = contract("Events");

	return {
		{.id = "REQ", .machine = "id", .meaning = "a REQ; facts are gathered in this order", .rules = {
			{{no(SUPPORTED)},                    REQ_UNSUPPORTED, kernel("IB_CM_REJ_INVALID_TRANSPORT_TYPE")},
			{{is(CLAIM_REPEATED)},               REQ_REPEATED,    identity},
			{{is(CLAIM_STALE)},                  REQ_STALE,       ibta("12.9.8.3.1")},
			{{no(SERVICE_KNOWN)},                REQ_NO_LISTENER, receive},
			{{no(BACKLOG_ROOM)},                 LOST,            receive},
			{{is(CLAIMED)},                      REQ_FRESH,       receive},
			{{},                                 LOST,            receive},
		}},
		{.id = "STALE", .machine = "id", .meaning = "a stale REQ or REP, seen from the old id", .rules = {
			{{no(KNOWN)},                        FOREIGN,         identity},
			{{},                                 PEER_RESTARTED,  ibta("12.9.8.3.1")},
		}},
		{.id = "MRA", .machine = "id", .meaning = "an MRA", .rules = {
			{{no(KNOWN)},                        FOREIGN,         identity},
			{{no(SOURCE_OK)},                    FOREIGN,         identity},
			{{is(PEER_KNOWN), no(IDS_MATCH)},    FOREIGN,         identity},
			{{no(PEER_KNOWN), no(TID_MATCH)},    FOREIGN,         identity},
			{{is(ABOUT_REQ), no(ACTIVE)},        WRONG_ROLE,      identity},
			{{is(ABOUT_REP), is(ACTIVE)},        WRONG_ROLE,      identity},
			{{no(ROOM)},                         LOST,            events_said},
			{{is(ABOUT_REQ)},                    MRA_REQ,         stock("6: rx MRA")},
			{{is(ABOUT_REP)},                    MRA_REP,         stock("6: rx MRA")},
			{{},                                 MRA_LAP,         stock("6: rx MRA")},
		}},
		{.id = "REP", .machine = "id", .meaning = "a REP; its keys are tried before the lock if the id awaits it", .rules = {
			{{no(KNOWN)},                        REP_UNKNOWN,     field("22")},
			{{no(SOURCE_OK)},                    FOREIGN,         identity},
			{{is(PEER_KNOWN), no(IDS_MATCH)},    FOREIGN,         identity},
			{{is(PEER_KNOWN), no(ACTIVE)},       WRONG_ROLE,      identity},
			{{is(PEER_KNOWN)},                   REP_REPEATED,    field("24")},
			{{no(TID_MATCH)},                    FOREIGN,         identity},
			{{no(TRIED)},                        REP_UNKNOWN,     field("22")},
			{{is(CLAIM_REPEATED)},               REP_REPEATED,    identity},
			{{no(ROOM)},                         LOST,            events_said},
			{{is(CLAIM_STALE)},                  REP_STALE,       ibta("12.9.8.3.1")},
			{{is(CLAIMED)},                      REP,             stock("6: rx REP")},
			{{},                                 LOST,            receive},
		}},
		{.id = "RTU", .machine = "id", .meaning = "an RTU", .rules = {
			{{no(KNOWN)},                        FOREIGN,         identity},
			{{no(SOURCE_OK)},                    FOREIGN,         identity},
			{{no(IDS_MATCH)},                    FOREIGN,         identity},
			{{is(ACTIVE)},                       WRONG_ROLE,      identity},
			{{no(ROOM)},                         LOST,            events_said},
			{{},                                 RTU,             stock("6: rx RTU")},
		}},
		{.id = "REJ", .machine = "id", .meaning = "a REJ; with remote comm id 0 and reason 4 its id was found by the CA GUID in it", .rules = {
			{{no(KNOWN)},                        FOREIGN,         identity},
			{{no(SOURCE_OK)},                    FOREIGN,         identity},
			{{is(PEER_KNOWN), no(IDS_MATCH)},    FOREIGN,         field("21: forged remote id: ignored")},
			{{no(PEER_KNOWN), no(TID_MATCH)},    FOREIGN,         identity},
			{{no(ROOM)},                         LOST,            events_said},
			{{is(REASON_STALE)},                 REJ_STALE,       stock("6: rx REJ")},
			{{},                                 REJ,             stock("6: rx REJ")},
		}},
		{.id = "DREQ", .machine = "id", .meaning = "a DREQ", .rules = {
			{{no(KNOWN)},                        DREQ_UNKNOWN,    field("11")},
			{{no(SOURCE_OK)},                    FOREIGN,         identity},
			{{no(PEER_KNOWN)},                   DREQ_UNKNOWN,    field("11")},
			{{no(IDS_MATCH)},                    FOREIGN,         identity},
			{{no(QPN_MATCH)},                    FOREIGN,         stock("6: rx DREQ, local QPN mismatch: -")},
			{{no(ROOM)},                         LOST,            events_said},
			{{},                                 DREQ,            stock("6: rx DREQ")},
		}},
		{.id = "DREP", .machine = "id", .meaning = "a DREP", .rules = {
			{{no(KNOWN)},                        FOREIGN,         identity},
			{{no(SOURCE_OK)},                    FOREIGN,         identity},
			{{no(IDS_MATCH)},                    FOREIGN,         identity},
			{{no(ROOM)},                         LOST,            events_said},
			{{},                                 DREP,            stock("6: rx DREP")},
		}},
		{.id = "LAP", .machine = "id", .meaning = "a LAP", .rules = {
			{{no(KNOWN)},                        FOREIGN,         identity},
			{{no(SOURCE_OK)},                    FOREIGN,         identity},
			{{no(IDS_MATCH)},                    FOREIGN,         identity},
			{{no(QPN_MATCH)},                    FOREIGN,         identity},
			{{no(LAP_PATH)},                     FOREIGN,         field("19: alternate path on another device: refused")},
			{{no(ROOM)},                         LOST,            events_said},
			{{},                                 LAP,             stock("6: rx LAP")},
		}},
		{.id = "APR", .machine = "id", .meaning = "an APR", .rules = {
			{{no(KNOWN)},                        FOREIGN,         identity},
			{{no(SOURCE_OK)},                    FOREIGN,         identity},
			{{no(IDS_MATCH)},                    FOREIGN,         identity},
			{{no(ROOM)},                         LOST,            events_said},
			{{},                                 APR,             stock("6: rx APR")},
		}},
		{.id = "SIDR_REQ", .machine = "id", .meaning = "a SIDR_REQ; facts are gathered in this order", .rules = {
			{{is(CLAIM_REPEATED)},               SIDR_REQ_REPEATED, field("26")},
			{{no(SERVICE_KNOWN)},                SIDR_REQ_NO_LISTENER, stock("6: rx SIDR_REQ")},
			{{no(BACKLOG_ROOM)},                 LOST,            receive},
			{{is(CLAIMED)},                      SIDR_REQ_FRESH,  receive},
			{{},                                 LOST,            receive},
		}},
		{.id = "SIDR_REP", .machine = "id", .meaning = "a SIDR_REP", .rules = {
			{{no(KNOWN)},                        FOREIGN,         identity},
			{{no(TID_MATCH)},                    FOREIGN,         identity},
			{{no(SOURCE_OK)},                    FOREIGN,         identity},
			{{no(ROOM)},                         LOST,            events_said},
			{{},                                 SIDR_REP,        stock("6: rx SIDR_REP")},
		}},
		{.id = "TIMEOUT", .machine = "id", .meaning = "the request's timer", .rules = {
			{{no(CURRENT)},                      OVERTAKEN,       contract("4: generations")},
			{{is(SENDS_LEFT)},                   TIMEOUT,         retries},
			{{no(ROOM)},                         POSTPONED,       events_said},
			{{},                                 EXPIRED,         retries},
		}},
		{.id = "SEND_ERROR", .machine = "id", .meaning = "a copy of the request completed with an error", .rules = {
			{{no(CURRENT)},                      OVERTAKEN,       contract("4: generations")},
			{{is(ERRORS_LEFT)},                  SEND_LOST,       retries},
			{{no(ROOM)},                         POSTPONED,       events_said},
			{{},                                 SEND_FAILED,     retries},
		}},
		{.id = "REFUSED", .machine = "id", .meaning = "the MAD layer refused a call's request", .rules = {
			{{no(CURRENT)},                      OVERTAKEN,       contract("4: generations")},
			{{},                                 SEND_REFUSED,    stock("6")},
		}},
		{.id = "TW_EXPIRY", .machine = "id", .meaning = "the time of the id's record is over", .rules = {
			{{no(CURRENT)},                      OVERTAKEN,       contract("4: generations")},
			{{no(ROOM)},                         POSTPONED,       events_said},
			{{},                                 TW_EXPIRED,      contract("Timewait")},
		}},
		{.id = "CALL_LISTEN", .machine = "id", .meaning = "the caller wants to listen", .rules = {
			{{is(SERVICE_TAKEN)},                CALL_LISTEN_TAKEN, stock("6: listen: -EBUSY")},
			{{},                                 CALL_LISTEN,     stock("6: listen")},
		}},
		{.id = "CALL_MRA", .machine = "id", .meaning = "the caller asks for time", .rules = {
			{{is(DELAYED)},                      CALL_MRA_DELAYED, kernel("3: MRA export")},
			{{},                                 CALL_MRA,        kernel("3: MRA export")},
		}},
		{.id = "CALL_COMM_EST", .machine = "id", .meaning = "the consumer saw data before the RTU", .rules = {
			{{no(ROOM)},                         POSTPONED,       events_said},
			{{},                                 CALL_COMM_EST,   stock("6: notify COMM_EST")},
		}},
		{.id = "CALL_PATH_MIG", .machine = "id", .meaning = "the HCA migrated the path", .rules = {
			{{no(HAS_ALTERNATE)},                CALL_PATH_MIG_NONE, contract("5")},
			{{},                                 CALL_PATH_MIG,   stock("6: notify PATH_MIG")},
		}},
		{.id = "DESTROY", .machine = "id", .meaning = "ib_destroy_cm_id()", .rules = {
			{{is(XRC_TARGET)},                   DESTROY_XRC,     stock("5.5: XRC_TGT -> nothing")},
			{{},                                 DESTROY,         contract("Destroy")},
		}},
		{.id = "HANDLER", .machine = "id", .meaning = "the handler returned non-zero", .rules = {
			{{is(NOMEM), is(XRC_TARGET)},        HANDLER_NOMEM_XRC, field("30")},
			{{is(NOMEM)},                        HANDLER_NOMEM,   field("30")},
			{{is(XRC_TARGET)},                   HANDLER_REFUSED_XRC, kernel("4.1: non-zero: the CM destroys the id")},
			{{},                                 HANDLER_REFUSED, kernel("4.1: non-zero: the CM destroys the id")},
		}},
		{.id = "SHARE", .machine = "share", .meaning = "a call that wants a listener", .rules = {
			{{is(EXCLUSIVE)},                    share::LISTEN,   kernel("ib_cm_listen")},
			{{is(SAME_OWNER)},                   share::INSERT,   contract("Shared listen")},
			{{},                                 share::INSERT_OTHER, field("29")},
		}},
		{.id = "UNSHARE", .machine = "share", .meaning = "destroy of an id that listens", .rules = {
			{{is(LAST_SHARE)},                   share::DROP_LAST, contract("Shared listen")},
			{{is(LAST_BUT_ONE)},                 share::DROP_TO_ONE, contract("Shared listen")},
			{{},                                 share::DROP,     contract("Shared listen")},
		}},
	};
}

} // namespace cepheus::model
