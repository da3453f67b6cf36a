// SPDX-License-Identifier: GPL-2.0-only
// Common part of the integration tests: RAII over librdmacm, named and timed steps, patterns for private data.
// Owns nothing globally; every object frees what it made, events before ids, ids before channels.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>

namespace itest {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using namespace std::chrono_literals;

// What a consumer sees of private data over rdma_cm: the CM's size less the 36 bytes that rdma_cm puts in front of REQ and SIDR_REQ.
inline constexpr std::size_t req_data_max = 56;
inline constexpr std::size_t rep_data_max = 196;
inline constexpr std::size_t rej_data_max = 148;
inline constexpr std::size_t sidr_req_data_max = 180;
inline constexpr std::size_t sidr_rep_data_max = 136;

// Reasons and statuses as the standard numbers them.
inline constexpr int rej_timeout = 4;
inline constexpr int rej_invalid_service_id = 8;
inline constexpr int rej_consumer = 28;
inline constexpr int sidr_unsupported = 1;
inline constexpr int sidr_reject = 2;

// No event of a handshake between two ends of one host may take longer than this.
inline constexpr milliseconds event_limit = 20s;

struct Failure : std::runtime_error {
	using std::runtime_error::runtime_error;
};

struct Usage : std::runtime_error {
	using std::runtime_error::runtime_error;
};

template <class... Part>
std::string cat(const Part &...part)
{
	std::ostringstream out;
	(out << ... << part);
	return out.str();
}

template <class... Part>
[[noreturn]] void fail(const Part &...part)
{
	throw Failure(cat(part...));
}

template <class... Part>
void require(bool held, const Part &...part)
{
	if (!held)
		fail(part...);
}

std::string errno_text(int error);

template <class... Part>
void require_call(int result, const Part &...part)
{
	if (result) {
		const int error = errno;
		fail(part..., ": ", errno_text(error));
	}
}

double ms_since(Clock::time_point start);

// Deterministic bytes: the same (seed, length) gives the same bytes on both ends; never zero, so that a zero tail is recognised.
std::vector<std::byte> pattern(std::uint32_t seed, std::size_t length);

// The received data are `sent` followed by zeros, and the whole has the length that the message format gives.
void check_data(std::string_view what, std::span<const std::byte> got, std::span<const std::byte> sent, std::size_t full_length);

class Event {
public:
	explicit Event(rdma_cm_event *event) : event_(event) {}

	rdma_cm_event_type type() const { return event_->event; }
	int status() const { return event_->status; }
	rdma_cm_id *id() const { return event_->id; }
	rdma_cm_id *listen_id() const { return event_->listen_id; }
	const rdma_conn_param &conn() const { return event_->param.conn; }
	const rdma_ud_param &ud() const { return event_->param.ud; }
	std::span<const std::byte> data() const;
	std::span<const std::byte> ud_data() const;
	std::string text() const;

private:
	struct Ack {
		void operator()(rdma_cm_event *event) const { rdma_ack_cm_event(event); }
	};
	std::unique_ptr<rdma_cm_event, Ack> event_;
};

class Channel {
public:
	Channel();

	rdma_event_channel *get() const { return channel_.get(); }
	int fd() const { return channel_->fd; }

	std::optional<Event> poll(milliseconds limit) const;
	Event next(milliseconds limit = event_limit) const;
	// The next event must be of this type; anything else fails with both names.
	Event expect(rdma_cm_event_type type, milliseconds limit = event_limit) const;

private:
	struct Destroy {
		void operator()(rdma_event_channel *channel) const { rdma_destroy_event_channel(channel); }
	};
	std::unique_ptr<rdma_event_channel, Destroy> channel_;
};

// Waits until one of two channels has an event.
void wait_either(const Channel &a, const Channel &b, milliseconds limit);

// One completion queue for all queue pairs of a test: it never carries data, only lets rdma_cm drive real queue pairs.
class SharedCq {
public:
	~SharedCq();
	SharedCq() = default;
	SharedCq(const SharedCq &) = delete;
	SharedCq &operator=(const SharedCq &) = delete;

	ibv_cq *on(ibv_context *context);

private:
	ibv_cq *cq_ = nullptr;
};

class Id {
public:
	Id() = default;
	Id(const Channel &channel, rdma_port_space space);
	static Id adopt(rdma_cm_id *id);
	~Id();
	Id(Id &&other) noexcept : id_(std::exchange(other.id_, nullptr)) {}
	Id &operator=(Id &&other) noexcept;
	Id(const Id &) = delete;
	Id &operator=(const Id &) = delete;

	rdma_cm_id *get() const { return id_; }
	explicit operator bool() const { return id_ != nullptr; }

	void context(void *value) const { id_->context = value; }
	void create_qp(SharedCq &cq, ibv_qp_type type = IBV_QPT_RC) const;
	// Returns how long the destroy took, in ms.
	double destroy();

private:
	rdma_cm_id *id_ = nullptr;
};

// An IPv4 or IPv6 address of an RDMA device of this host.
class Address {
public:
	explicit Address(const std::string &text, std::uint16_t port = 0);

	Address with_port(std::uint16_t port) const;
	sockaddr *get() const { return reinterpret_cast<sockaddr *>(const_cast<sockaddr_storage *>(&address_)); }
	const sockaddr_storage &storage() const { return address_; }

private:
	sockaddr_storage address_{};
};

class Listener {
public:
	Listener(const Channel &channel, const Address &address, rdma_port_space space = RDMA_PS_TCP, int backlog = 4096);

	rdma_cm_id *get() const { return id_.get(); }
	Address address() const { return address_; }
	std::uint16_t port() const { return port_; }
	double destroy() { return id_.destroy(); }

private:
	Id id_;
	Address address_;
	std::uint16_t port_ = 0;
};

// Queue pair numbers for connections without queue pairs: the CM keys on (CA GUID, QPN), so no two ends may share one, nor may a program
// reuse those that an earlier one has just left in timewait.
std::uint32_t fresh_qpn();

rdma_conn_param conn_param(std::span<const std::byte> data, std::uint32_t qpn = 0);

// Resolves address and route of an active id, waiting for both events on its channel.
Id resolved(const Channel &channel, const Address &to, rdma_port_space space = RDMA_PS_TCP);

// A pair of ends in one process, for the tests that look at one connection at a time. No queue pairs: the point is the handshake.
class Pair {
public:
	explicit Pair(const Address &address) : listener(std::in_place, passive_events, address), address_(address) {}

	Channel active_events, passive_events;
	std::optional<Listener> listener;
	Id active, passive;

	void connect();              // REQ is on its way
	void request();              // ... and has reached the passive consumer
	void accept();               // REP is on its way
	void response();             // ... and has reached the active consumer
	void establish();            // RTU is on its way
	void established();          // ... and has reached the passive consumer
	void open() { connect(); request(); accept(); response(); establish(); established(); }
	void close();                // clean disconnect by the active end, both ends checked
private:
	Address address_;
};

// Opens and closes one connection: what must work after every abuse.
void check_fresh_connection(const Address &address);

// Named, timed steps of one program; prints one line per step and a last line that says how it went.
class Steps {
public:
	explicit Steps(std::string program) : program_(std::move(program)) {}

	void run(const std::string &name, const std::function<std::string()> &body);
	void connections(unsigned long count) { connections_ += count; }
	int finish() const;

private:
	std::string program_;
	unsigned ok_ = 0, failed_ = 0;
	unsigned long connections_ = 0;
};

unsigned long parse_number(std::string_view option, const char *text, unsigned long min, unsigned long max);

// Turns an exception into a one-line message and an exit status: 1 failed, 2 wrong usage.
int guarded_main(const char *program, const char *usage, const std::function<int()> &body);

} // namespace itest
