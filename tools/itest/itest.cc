// SPDX-License-Identifier: GPL-2.0-only
// Common part of the integration tests; see itest.hh.
#include "itest.hh"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>

namespace itest {

std::string errno_text(int error)
{
	return std::strerror(error);
}

double ms_since(Clock::time_point start)
{
	return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

std::vector<std::byte> pattern(std::uint32_t seed, std::size_t length)
{
	std::vector<std::byte> bytes(length);
	std::uint32_t x = seed * 2654435761U + 12345U;

	for (auto &byte : bytes) {
		x = x * 1664525U + 1013904223U;
		byte = static_cast<std::byte>(1 + (x >> 16) % 255);
	}
	return bytes;
}

void check_data(std::string_view what, std::span<const std::byte> got, std::span<const std::byte> sent, std::size_t full_length)
{
	require(got.size() == full_length, what, ": private data of ", got.size(), " bytes instead of ", full_length);
	require(std::equal(sent.begin(), sent.end(), got.begin()), what, ": private data differ from what was sent");
	for (std::size_t at = sent.size(); at < got.size(); at++)
		require(got[at] == std::byte{0}, what, ": byte ", at, " behind ", sent.size(), " bytes of private data is ",
			std::to_integer<int>(got[at]), ", not zero");
}

std::span<const std::byte> Event::data() const
{
	return {static_cast<const std::byte *>(conn().private_data), conn().private_data ? conn().private_data_len : std::size_t{0}};
}

std::span<const std::byte> Event::ud_data() const
{
	return {static_cast<const std::byte *>(ud().private_data), ud().private_data ? ud().private_data_len : std::size_t{0}};
}

std::string Event::text() const
{
	return cat(rdma_event_str(type()), " (status ", status(), ")");
}

Channel::Channel() : channel_(rdma_create_event_channel())
{
	require(channel_ != nullptr, "cannot create an event channel: ", errno_text(errno), " (is rdma_ucm loaded?)");
	const int flags = fcntl(fd(), F_GETFL);
	require(flags >= 0 && fcntl(fd(), F_SETFL, flags | O_NONBLOCK) == 0, "fcntl: ", errno_text(errno));
}

std::optional<Event> Channel::poll(milliseconds limit) const
{
	const auto until = Clock::now() + limit;

	for (;;) {
		rdma_cm_event *event = nullptr;
		if (rdma_get_cm_event(get(), &event) == 0)
			return Event(event);
		require(errno == EAGAIN, "rdma_get_cm_event: ", errno_text(errno));
		const auto left = std::chrono::duration_cast<milliseconds>(until - Clock::now());
		if (left <= 0ms)
			return std::nullopt;
		pollfd waiting{fd(), POLLIN, 0};
		require(::poll(&waiting, 1, static_cast<int>(left.count())) >= 0 || errno == EINTR, "poll: ", errno_text(errno));
	}
}

Event Channel::next(milliseconds limit) const
{
	auto event = poll(limit);
	require(event.has_value(), "no event within ", limit.count(), " ms");
	return std::move(*event);
}

Event Channel::expect(rdma_cm_event_type type, milliseconds limit) const
{
	auto event = poll(limit);
	require(event.has_value(), "no ", rdma_event_str(type), " within ", limit.count(), " ms");
	require(event->type() == type, "expected ", rdma_event_str(type), ", got ", event->text());
	return std::move(*event);
}

void wait_either(const Channel &a, const Channel &b, milliseconds limit)
{
	pollfd waiting[] = {{a.fd(), POLLIN, 0}, {b.fd(), POLLIN, 0}};
	const int ready = ::poll(waiting, 2, static_cast<int>(limit.count()));
	require(ready >= 0 || errno == EINTR, "poll: ", errno_text(errno));
}

SharedCq::~SharedCq()
{
	if (cq_)
		ibv_destroy_cq(cq_);
}

ibv_cq *SharedCq::on(ibv_context *context)
{
	if (!cq_) {
		cq_ = ibv_create_cq(context, 64, nullptr, nullptr, 0);
		require(cq_ != nullptr, "ibv_create_cq: ", errno_text(errno));
	}
	require(cq_->context == context, "a test spans two devices");
	return cq_;
}

Id::Id(const Channel &channel, rdma_port_space space)
{
	require_call(rdma_create_id(channel.get(), &id_, nullptr, space), "rdma_create_id");
}

Id Id::adopt(rdma_cm_id *id)
{
	Id adopted;
	adopted.id_ = id;
	return adopted;
}

Id::~Id()
{
	destroy();
}

Id &Id::operator=(Id &&other) noexcept
{
	if (this != &other) {
		destroy();
		id_ = std::exchange(other.id_, nullptr);
	}
	return *this;
}

void Id::create_qp(SharedCq &cq, ibv_qp_type type) const
{
	ibv_qp_init_attr attr{};

	attr.send_cq = attr.recv_cq = cq.on(id_->verbs);
	attr.qp_type = type;
	attr.cap = {.max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1, .max_inline_data = 0};
	require_call(rdma_create_qp(id_, nullptr, &attr), "rdma_create_qp");
}

double Id::destroy()
{
	if (!id_)
		return 0;
	const auto start = Clock::now();
	if (id_->qp)
		rdma_destroy_qp(id_);
	rdma_destroy_id(std::exchange(id_, nullptr));
	return ms_since(start);
}

Address::Address(const std::string &text, std::uint16_t port)
{
	auto *v4 = reinterpret_cast<sockaddr_in *>(&address_);
	auto *v6 = reinterpret_cast<sockaddr_in6 *>(&address_);

	if (inet_pton(AF_INET, text.c_str(), &v4->sin_addr) == 1) {
		v4->sin_family = AF_INET;
		v4->sin_port = htons(port);
	} else if (inet_pton(AF_INET6, text.c_str(), &v6->sin6_addr) == 1) {
		v6->sin6_family = AF_INET6;
		v6->sin6_port = htons(port);
	} else {
		throw Usage(cat("'", text, "' is neither an IPv4 nor an IPv6 address"));
	}
}

Address Address::with_port(std::uint16_t port) const
{
	Address other = *this;

	if (address_.ss_family == AF_INET)
		reinterpret_cast<sockaddr_in *>(&other.address_)->sin_port = htons(port);
	else
		reinterpret_cast<sockaddr_in6 *>(&other.address_)->sin6_port = htons(port);
	return other;
}

Listener::Listener(const Channel &channel, const Address &address, rdma_port_space space, int backlog)
	: id_(channel, space), address_(address)
{
	require_call(rdma_bind_addr(id_.get(), address.get()), "rdma_bind_addr (is the address that of an RDMA device?)");
	require_call(rdma_listen(id_.get(), backlog), "rdma_listen");
	port_ = ntohs(rdma_get_src_port(id_.get()));
	address_ = address.with_port(port_);
}

std::uint32_t fresh_qpn()
{
	// Above what rxe hands out. The clock advances the start faster than any program uses numbers up.
	constexpr std::uint32_t base = 0x400000, span = 0xb00000;
	static std::uint32_t next = static_cast<std::uint32_t>(
		std::chrono::duration_cast<std::chrono::microseconds>(Clock::now().time_since_epoch()).count() / 64 % span);

	return base + next++ % span;
}

rdma_conn_param conn_param(std::span<const std::byte> data, std::uint32_t qpn)
{
	rdma_conn_param param{};

	param.private_data = data.empty() ? nullptr : data.data();
	param.private_data_len = static_cast<std::uint8_t>(data.size());
	param.responder_resources = 1;
	param.initiator_depth = 1;
	param.retry_count = 7;
	param.rnr_retry_count = 7;
	param.qp_num = qpn;
	return param;
}

Id resolved(const Channel &channel, const Address &to, rdma_port_space space)
{
	Id id(channel, space);

	require_call(rdma_resolve_addr(id.get(), nullptr, to.get(), 5000), "rdma_resolve_addr");
	channel.expect(RDMA_CM_EVENT_ADDR_RESOLVED);
	require_call(rdma_resolve_route(id.get(), 5000), "rdma_resolve_route");
	channel.expect(RDMA_CM_EVENT_ROUTE_RESOLVED);
	return id;
}

void Pair::connect()
{
	active = resolved(active_events, listener->address());
	auto param = conn_param({}, fresh_qpn());
	require_call(rdma_connect(active.get(), &param), "rdma_connect");
}

void Pair::request()
{
	const Event event = passive_events.expect(RDMA_CM_EVENT_CONNECT_REQUEST);
	require(event.listen_id() == listener->get(), "CONNECT_REQUEST names another listener");
	passive = Id::adopt(event.id());
}

void Pair::accept()
{
	auto param = conn_param({}, fresh_qpn());
	require_call(rdma_accept(passive.get(), &param), "rdma_accept");
}

void Pair::response()
{
	active_events.expect(RDMA_CM_EVENT_CONNECT_RESPONSE);
}

void Pair::establish()
{
	require_call(rdma_establish(active.get()), "rdma_establish");
}

void Pair::established()
{
	passive_events.expect(RDMA_CM_EVENT_ESTABLISHED);
}

void Pair::close()
{
	require_call(rdma_disconnect(active.get()), "rdma_disconnect");
	passive_events.expect(RDMA_CM_EVENT_DISCONNECTED);
	require_call(rdma_disconnect(passive.get()), "rdma_disconnect (answer)");
	active_events.expect(RDMA_CM_EVENT_DISCONNECTED);
	active.destroy();
	passive.destroy();
}

void check_fresh_connection(const Address &address)
{
	try {
		Pair pair(address);
		pair.open();
		pair.close();
	} catch (const Failure &failure) {
		fail("afterwards a fresh connection does not work: ", failure.what());
	}
}

void Steps::run(const std::string &name, const std::function<std::string()> &body)
{
	const auto start = Clock::now();
	std::string remark;
	bool held = true;

	try {
		remark = body();
		ok_++;
	} catch (const Failure &failure) {
		remark = failure.what();
		held = false;
		failed_++;
	}
	std::printf("%-9s %-34s %9.1f ms  %s\n", held ? "ok" : "FAILED", name.c_str(), ms_since(start), remark.c_str());
	std::fflush(stdout);
}

int Steps::finish() const
{
	std::printf("%s: %s: %u steps ok, %u failed, connections=%lu\n", program_.c_str(), failed_ ? "FAILED" : "ok", ok_, failed_, connections_);
	return failed_ ? 1 : 0;
}

unsigned long parse_number(std::string_view option, const char *text, unsigned long min, unsigned long max)
{
	unsigned long value = 0;
	const char *end = text + std::strlen(text);
	const auto [stopped, error] = std::from_chars(text, end, value);

	if (error != std::errc{} || stopped != end || value < min || value > max)
		throw Usage(cat(option, " wants a number from ", min, " to ", max, ", not '", text, "'"));
	return value;
}

int guarded_main(const char *program, const char *usage, const std::function<int()> &body)
{
	try {
		return body();
	} catch (const Usage &wrong) {
		std::fprintf(stderr, "%s: %s\nusage: %s %s\n", program, wrong.what(), program, usage);
		return 2;
	} catch (const std::exception &failure) {
		std::fflush(stdout);
		std::fprintf(stderr, "%s: FAILED: %s\n", program, failure.what());
		return 1;
	}
}

} // namespace itest
