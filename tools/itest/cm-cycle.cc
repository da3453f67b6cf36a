// SPDX-License-Identifier: GPL-2.0-only
// N connects and disconnects, at most W of them open at once. Every event of both ends is checked against the one that must come next,
// the private data of REQ and REP are checked at full length, and no event may come twice or too late.
#include "itest.hh"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

#include <getopt.h>

using namespace itest;

namespace {

constexpr const char *usage =
	"[-n connections] [-w window] [-q] [-t] ADDRESS\n"
	"  -n  connections in all (default 1000)\n"
	"  -w  how many may be open at once (default 1: in a row)\n"
	"  -q  with a real queue pair on both ends (default: handshake only)\n"
	"  -t  wait for TIMEWAIT_EXIT on both ends of every connection";

struct Options {
	unsigned long count = 1000, window = 1;
	bool queue_pairs = false, timewait = false;
};

// How long each part of a connection took, over all connections.
class Span {
public:
	explicit Span(const char *name) : name_(name) {}

	void add(double ms)
	{
		least_ = count_ ? std::min(least_, ms) : ms;
		most_ = std::max(most_, ms);
		sum_ += ms;
		count_++;
	}
	void print() const
	{
		std::printf("  %-12s average %8.3f ms  least %8.3f  most %9.3f\n", name_, count_ ? sum_ / count_ : 0, least_, most_);
	}

private:
	const char *name_;
	double least_ = 0, most_ = 0, sum_ = 0;
	unsigned long count_ = 0;
};

struct Connection {
	enum class Phase { resolve, route, connect, open, closing, timewait, done };

	std::uint32_t index = 0;
	Phase phase = Phase::resolve;
	Id active, passive;
	bool requested = false, active_open = false, passive_open = false;
	bool active_closed = false, passive_closed = false, active_exit = false, passive_exit = false;
	Clock::time_point start, connected, closing;
};

class Cycle {
public:
	Cycle(const Address &address, const Options &options)
		: options_(options), listener_(passive_events_, address), slots_(options.window) {}

	void run();

private:
	using Phase = Connection::Phase;

	void begin(Connection &c);
	void on_active(const Event &event);
	void on_passive(const Event &event);
	void on_request(const Event &event);
	void opened(Connection &c);
	void closed(Connection &c);
	void finish(Connection &c);
	void report() const;

	static std::vector<std::byte> request_data(std::uint32_t index);
	std::string name(const Connection &c) const { return cat("connection ", c.index, ": "); }
	[[noreturn]] void unexpected(const char *end, const Connection &c, const Event &event) const
	{
		fail(name(c), "unexpected ", event.text(), " on the ", end, " end in phase ", static_cast<int>(c.phase));
	}

	Options options_;
	Channel active_events_, passive_events_;
	SharedCq cq_;
	Listener listener_;
	std::vector<Connection> slots_;
	unsigned long started_ = 0, done_ = 0;
	Span resolve_{"resolve"}, connect_{"connect"}, disconnect_{"disconnect"}, destroy_{"destroy"};
};

std::vector<std::byte> Cycle::request_data(std::uint32_t index)
{
	auto data = pattern(index, req_data_max);

	std::memcpy(data.data(), &index, sizeof(index));
	return data;
}

void Cycle::begin(Connection &c)
{
	c = Connection{};
	c.index = static_cast<std::uint32_t>(started_++);
	c.start = Clock::now();
	c.active = Id(active_events_, RDMA_PS_TCP);
	c.active.context(&c);
	require_call(rdma_resolve_addr(c.active.get(), nullptr, listener_.address().get(), 5000), name(c), "rdma_resolve_addr");
}

void Cycle::on_active(const Event &event)
{
	auto &c = *static_cast<Connection *>(event.id()->context);

	switch (event.type()) {
	case RDMA_CM_EVENT_ADDR_RESOLVED:
		if (c.phase != Phase::resolve)
			unexpected("active", c, event);
		c.phase = Phase::route;
		require_call(rdma_resolve_route(c.active.get(), 5000), name(c), "rdma_resolve_route");
		return;
	case RDMA_CM_EVENT_ROUTE_RESOLVED: {
		if (c.phase != Phase::route)
			unexpected("active", c, event);
		c.phase = Phase::connect;
		resolve_.add(ms_since(c.start));
		if (options_.queue_pairs)
			c.active.create_qp(cq_);
		c.connected = Clock::now();
		const auto data = request_data(c.index);
		auto param = conn_param(data, options_.queue_pairs ? 0 : fresh_qpn());
		require_call(rdma_connect(c.active.get(), &param), name(c), "rdma_connect");
		return;
	}
	case RDMA_CM_EVENT_CONNECT_RESPONSE:
		if (c.phase != Phase::connect || options_.queue_pairs || c.active_open)
			unexpected("active", c, event);
		check_data(name(c) + "REP", event.data(), pattern(~c.index, rep_data_max), rep_data_max);
		require_call(rdma_establish(c.active.get()), name(c), "rdma_establish");
		c.active_open = true;
		return opened(c);
	case RDMA_CM_EVENT_ESTABLISHED:
		if (c.phase != Phase::connect || !options_.queue_pairs || c.active_open)
			unexpected("active", c, event);
		check_data(name(c) + "REP", event.data(), pattern(~c.index, rep_data_max), rep_data_max);
		c.active_open = true;
		return opened(c);
	case RDMA_CM_EVENT_DISCONNECTED:
		if (c.phase != Phase::closing || c.active_closed)
			unexpected("active", c, event);
		c.active_closed = true;
		if (c.index % 2)
			require_call(rdma_disconnect(c.active.get()), name(c), "rdma_disconnect (answer)");
		return closed(c);
	case RDMA_CM_EVENT_TIMEWAIT_EXIT:
		if (c.phase < Phase::closing || !c.active_closed || c.active_exit)
			unexpected("active", c, event);
		c.active_exit = true;
		return closed(c);
	default:
		unexpected("active", c, event);
	}
}

void Cycle::on_request(const Event &event)
{
	const auto data = event.data();
	std::uint32_t index;

	require(event.listen_id() == listener_.get(), "CONNECT_REQUEST names another listener");
	require(data.size() == req_data_max, "REQ with ", data.size(), " bytes of private data instead of ", req_data_max);
	std::memcpy(&index, data.data(), sizeof(index));
	const auto slot = std::find_if(slots_.begin(), slots_.end(), [&](const Connection &c) { return c.active && c.index == index; });
	require(slot != slots_.end(), "a REQ of no open connection (", index, ")");
	auto &c = *slot;
	require(!c.requested, name(c), "second CONNECT_REQUEST");
	check_data(name(c) + "REQ", data, request_data(index), req_data_max);
	c.requested = true;
	c.passive = Id::adopt(event.id());
	c.passive.context(&c);
	if (options_.queue_pairs)
		c.passive.create_qp(cq_);
	const auto answer = pattern(~index, rep_data_max);
	auto param = conn_param(answer, options_.queue_pairs ? 0 : fresh_qpn());
	require_call(rdma_accept(c.passive.get(), &param), name(c), "rdma_accept");
}

void Cycle::on_passive(const Event &event)
{
	if (event.type() == RDMA_CM_EVENT_CONNECT_REQUEST)
		return on_request(event);

	auto &c = *static_cast<Connection *>(event.id()->context);
	switch (event.type()) {
	case RDMA_CM_EVENT_ESTABLISHED:
		if (c.phase != Phase::connect || c.passive_open)
			unexpected("passive", c, event);
		c.passive_open = true;
		return opened(c);
	case RDMA_CM_EVENT_DISCONNECTED:
		if (c.phase != Phase::closing || c.passive_closed)
			unexpected("passive", c, event);
		c.passive_closed = true;
		if (c.index % 2 == 0)
			require_call(rdma_disconnect(c.passive.get()), name(c), "rdma_disconnect (answer)");
		return closed(c);
	case RDMA_CM_EVENT_TIMEWAIT_EXIT:
		if (c.phase < Phase::closing || !c.passive_closed || c.passive_exit)
			unexpected("passive", c, event);
		c.passive_exit = true;
		return closed(c);
	default:
		unexpected("passive", c, event);
	}
}

// Both ends take turns at closing: even connections are closed by the active end, odd ones by the passive one.
void Cycle::opened(Connection &c)
{
	if (!c.active_open || !c.passive_open)
		return;
	c.phase = Phase::closing;
	connect_.add(ms_since(c.connected));
	c.closing = Clock::now();
	require_call(rdma_disconnect(c.index % 2 ? c.passive.get() : c.active.get()), name(c), "rdma_disconnect");
}

void Cycle::closed(Connection &c)
{
	if (!c.active_closed || !c.passive_closed)
		return;
	if (c.phase == Phase::closing) {
		disconnect_.add(ms_since(c.closing));
		c.phase = Phase::timewait;
	}
	if (!options_.timewait || (c.active_exit && c.passive_exit))
		c.phase = Phase::done;
}

void Cycle::finish(Connection &c)
{
	destroy_.add(c.active.destroy());
	destroy_.add(c.passive.destroy());
	done_++;
}

void Cycle::run()
{
	auto progress = Clock::now();

	while (done_ < options_.count) {
		for (auto &c : slots_) {
			if (c.phase == Phase::done && c.active)
				finish(c);
			if (!c.active && started_ < options_.count)
				begin(c);
		}
		if (done_ == options_.count)
			break;
		// An event is acknowledged before its id may be destroyed, so ids are destroyed in the loop above only.
		bool any = false;
		while (auto event = passive_events_.poll(0ms)) {
			on_passive(*event);
			any = true;
		}
		while (auto event = active_events_.poll(0ms)) {
			on_active(*event);
			any = true;
		}
		if (any) {
			progress = Clock::now();
			continue;
		}
		require(Clock::now() - progress < event_limit, "nothing happened for ", event_limit.count(), " ms with ", done_, " of ",
			options_.count, " connections done");
		wait_either(active_events_, passive_events_, 1000ms);
	}
	require(!active_events_.poll(0ms) && !passive_events_.poll(0ms), "an event after the last connection was closed");
	report();
}

void Cycle::report() const
{
	for (const auto *span : {&resolve_, &connect_, &disconnect_, &destroy_})
		span->print();
}

int run(int argc, char **argv)
{
	Options options;

	for (int option; (option = getopt(argc, argv, "n:w:qt")) != -1;) {
		switch (option) {
		case 'n': options.count = parse_number("-n", optarg, 1, 10'000'000); break;
		case 'w': options.window = parse_number("-w", optarg, 1, 100'000); break;
		case 'q': options.queue_pairs = true; break;
		case 't': options.timewait = true; break;
		default: throw Usage("unknown option");
		}
	}
	if (optind + 1 != argc)
		throw Usage("one address is wanted");
	options.window = std::min(options.window, options.count);

	const Address address{argv[optind]};
	const auto start = Clock::now();
	Cycle cycle(address, options);
	cycle.run();
	const double ms = ms_since(start);
	std::printf("cm-cycle: ok: window %lu, %s, %.3f ms each, connections=%lu\n", options.window,
		    options.queue_pairs ? "queue pairs" : "handshake only", ms / static_cast<double>(options.count), options.count);
	return 0;
}

} // namespace

int main(int argc, char **argv)
{
	return guarded_main("cm-cycle", usage, [=] { return run(argc, argv); });
}
