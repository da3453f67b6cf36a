// SPDX-License-Identifier: GPL-2.0-only
// Destroys one end in the middle of a handshake, at every point a consumer can reach, and kills a whole process there. The other end must
// see the end of it in bounded time, the destroy itself must not wait for the peer, and a fresh connection must work afterwards.
#include "itest.hh"

#include <algorithm>
#include <cstdio>
#include <csignal>
#include <initializer_list>
#include <random>

#include <getopt.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace itest;

namespace {

constexpr const char *usage =
	"[-n repeats] [-r random] [-s seed] [-l limit_ms] [-d destroy_ms] ADDRESS\n"
	"  -n  repeats of each step (default 5)\n"
	"  -r  connections destroyed at random points (default 100)\n"
	"  -s  seed of the random points (default 1)\n"
	"  -l  the other end must see the end within this time (default 2000)\n"
	"  -d  no destroy may take longer than this (default 1000)";

struct Options {
	unsigned long repeats = 5, random = 100, seed = 1, limit = 2000, destroy_limit = 1000;
};

class Midway {
public:
	Midway(const Address &address, const Options &options) : address_(address), options_(options) {}

	int run();

private:
	using Verdict = std::pair<rdma_cm_event_type, int>;

	template <class Body>
	void step(const std::string &name, Body body);
	void destroyed(double ms);
	void destroyed(Id &id) { destroyed(id.destroy()); }
	void saw(const std::string &text);
	void ends(const Channel &events, std::initializer_list<Verdict> allowed);

	void active_after_req();
	void active_before_rtu();
	void active_when_open();
	void passive_in_req_rcvd();
	void passive_in_rep_sent();
	void passive_when_open();
	void both_in_handshake();
	void crossing_disconnects();
	void disconnect_then_destroy();
	void listener_with_queued_requests();
	void listener_with_accepted_connection();
	void process_killed_as_active();
	void process_killed_as_passive();
	void random_point(std::mt19937 &random);

	Address address_;
	Options options_;
	Steps steps_{"cm-midway"};
	double longest_ = 0;
	std::vector<std::string> seen_;
};

constexpr int any_status = -1;

void Midway::destroyed(double ms)
{
	longest_ = std::max(longest_, ms);
	require(ms <= static_cast<double>(options_.destroy_limit), "destroy took ", ms, " ms");
}

void Midway::saw(const std::string &text)
{
	if (std::find(seen_.begin(), seen_.end(), text) == seen_.end())
		seen_.push_back(text);
}

// The next event of this end must be one of the allowed ways to end, and it must come in time.
void Midway::ends(const Channel &events, std::initializer_list<Verdict> allowed)
{
	const Event event = events.next(milliseconds(options_.limit));

	for (const auto &[type, status] : allowed) {
		if (event.type() == type && (status == any_status || event.status() == status)) {
			saw(event.text());
			return;
		}
	}
	fail("the other end saw ", event.text());
}

template <class Body>
void Midway::step(const std::string &name, Body body)
{
	steps_.run(name, [&] {
		longest_ = 0;
		seen_.clear();
		for (unsigned long i = 0; i < options_.repeats; i++)
			body();
		check_fresh_connection(address_);
		steps_.connections(options_.repeats + 1);
		std::string remark = cat("destroy at most ", longest_, " ms");
		for (const auto &text : seen_)
			remark += ", " + text;
		return remark;
	});
}

void Midway::active_after_req()
{
	Pair pair(address_);

	pair.connect();
	destroyed(pair.active);
	// The passive consumer may be told of the request or not. If it is, its answer fails at once or meets its end in time. (rdma_ucm
	// keeps the REJ itself to itself, since the consumer has not accepted yet.)
	if (auto event = pair.passive_events.poll(milliseconds(options_.limit))) {
		require(event->type() == RDMA_CM_EVENT_CONNECT_REQUEST, "the other end saw ", event->text());
		pair.passive = Id::adopt(event->id());
		event.reset();
		usleep(50'000);
		auto param = conn_param({}, fresh_qpn());
		if (rdma_accept(pair.passive.get(), &param) == 0)
			ends(pair.passive_events, {{RDMA_CM_EVENT_REJECTED, any_status}});
		else
			saw(cat("rdma_accept: ", errno_text(errno)));
	}
	destroyed(pair.passive);
}

void Midway::active_before_rtu()
{
	Pair pair(address_);

	pair.connect();
	pair.request();
	pair.accept();
	pair.response();
	destroyed(pair.active);
	ends(pair.passive_events, {{RDMA_CM_EVENT_REJECTED, rej_consumer}});
	destroyed(pair.passive);
}

void Midway::active_when_open()
{
	Pair pair(address_);

	pair.open();
	destroyed(pair.active);
	ends(pair.passive_events, {{RDMA_CM_EVENT_DISCONNECTED, any_status}});
	destroyed(pair.passive);
}

void Midway::passive_in_req_rcvd()
{
	Pair pair(address_);

	pair.connect();
	pair.request();
	destroyed(pair.passive);
	ends(pair.active_events, {{RDMA_CM_EVENT_REJECTED, rej_consumer}});
}

void Midway::passive_in_rep_sent()
{
	Pair pair(address_);

	pair.connect();
	pair.request();
	pair.accept();
	pair.response();
	destroyed(pair.passive);
	ends(pair.active_events, {{RDMA_CM_EVENT_REJECTED, rej_consumer}});
}

void Midway::passive_when_open()
{
	Pair pair(address_);

	pair.open();
	destroyed(pair.passive);
	ends(pair.active_events, {{RDMA_CM_EVENT_DISCONNECTED, any_status}});
}

void Midway::both_in_handshake()
{
	Pair pair(address_);

	pair.connect();
	pair.request();
	pair.accept();
	destroyed(pair.passive);
	destroyed(pair.active);
}

void Midway::crossing_disconnects()
{
	Pair pair(address_);

	pair.open();
	require_call(rdma_disconnect(pair.active.get()), "rdma_disconnect");
	require_call(rdma_disconnect(pair.passive.get()), "rdma_disconnect");
	for (const auto *events : {&pair.active_events, &pair.passive_events}) {
		ends(*events, {{RDMA_CM_EVENT_DISCONNECTED, any_status}});
		const auto second = events->poll(50ms);
		require(!second || second->type() == RDMA_CM_EVENT_TIMEWAIT_EXIT, "after the disconnect came ", second ? second->text() : "");
	}
}

void Midway::disconnect_then_destroy()
{
	Pair pair(address_);

	pair.open();
	require_call(rdma_disconnect(pair.active.get()), "rdma_disconnect");
	destroyed(pair.active);
	ends(pair.passive_events, {{RDMA_CM_EVENT_DISCONNECTED, any_status}});
	destroyed(pair.passive);
}

void Midway::listener_with_queued_requests()
{
	constexpr int queued = 16;
	Channel active_events, passive_events;
	Listener listener(passive_events, address_);
	std::vector<Id> active;

	for (int i = 0; i < queued; i++) {
		active.push_back(resolved(active_events, listener.address()));
		auto param = conn_param({}, fresh_qpn());
		require_call(rdma_connect(active.back().get(), &param), "rdma_connect");
	}
	// One of them has been seen, so the others are queued in the kernel or on their way.
	Id first;
	{
		const Event event = passive_events.expect(RDMA_CM_EVENT_CONNECT_REQUEST);
		first = Id::adopt(event.id());
	}
	destroyed(listener.destroy());
	destroyed(first);
	for (int i = 0; i < queued; i++)
		ends(active_events, {{RDMA_CM_EVENT_REJECTED, rej_consumer}, {RDMA_CM_EVENT_REJECTED, rej_invalid_service_id}});
	for (auto &id : active)
		destroyed(id);
}

void Midway::listener_with_accepted_connection()
{
	Pair pair(address_);

	pair.connect();
	pair.request();
	destroyed(pair.listener->destroy());
	// The request belongs to its own id: the handshake goes on without the listener.
	pair.accept();
	pair.response();
	pair.establish();
	pair.established();
	pair.close();
}

// Runs a body in a child that kills itself at its end, as a consumer that crashes: nothing is destroyed, the kernel has to.
template <class Body>
pid_t crash_after(Body body)
{
	std::fflush(stdout);
	const pid_t child = fork();
	require(child >= 0, "fork: ", errno_text(errno));
	if (child == 0) {
		try {
			body();
		} catch (const std::exception &failure) {
			std::fprintf(stderr, "child: %s\n", failure.what());
			_exit(1);
		}
		kill(getpid(), SIGKILL);
		_exit(1);
	}
	return child;
}

void reap(pid_t child)
{
	int status = 0;

	require(waitpid(child, &status, 0) == child, "waitpid: ", errno_text(errno));
	require(WIFSIGNALED(status), "the child did not get to the point where it was to crash");
}

void Midway::process_killed_as_active()
{
	Channel passive_events;
	Listener listener(passive_events, address_);
	const std::uint32_t child_qpn = fresh_qpn();
	const pid_t child = crash_after([&] {
		Channel events;
		Id id = resolved(events, listener.address());
		auto param = conn_param({}, child_qpn);
		require_call(rdma_connect(id.get(), &param), "rdma_connect");
		events.expect(RDMA_CM_EVENT_CONNECT_RESPONSE);
	});
	Id passive;
	{
		const Event event = passive_events.expect(RDMA_CM_EVENT_CONNECT_REQUEST);
		passive = Id::adopt(event.id());
	}
	auto param = conn_param({}, fresh_qpn());
	require_call(rdma_accept(passive.get(), &param), "rdma_accept");
	ends(passive_events, {{RDMA_CM_EVENT_REJECTED, rej_consumer}});
	reap(child);
	destroyed(passive);
}

void Midway::process_killed_as_passive()
{
	int ready[2];

	require(pipe(ready) == 0, "pipe: ", errno_text(errno));
	const pid_t child = crash_after([&] {
		Channel events;
		Listener listener(events, address_);
		const std::uint16_t port = listener.port();
		require(write(ready[1], &port, sizeof(port)) == sizeof(port), "write: ", errno_text(errno));
		const Event event = events.expect(RDMA_CM_EVENT_CONNECT_REQUEST);
	});
	std::uint16_t port = 0;
	require(read(ready[0], &port, sizeof(port)) == sizeof(port), "the child did not listen");
	close(ready[0]);
	close(ready[1]);
	Channel events;
	Id active = resolved(events, address_.with_port(port));
	auto param = conn_param({}, fresh_qpn());
	require_call(rdma_connect(active.get(), &param), "rdma_connect");
	ends(events, {{RDMA_CM_EVENT_REJECTED, rej_consumer}, {RDMA_CM_EVENT_REJECTED, rej_invalid_service_id}});
	reap(child);
	destroyed(active);
}

// A handshake is taken a random number of calls forward; then one end, the other, or the listener too is destroyed in random order.
void Midway::random_point(std::mt19937 &random)
{
	Pair pair(address_);
	const unsigned calls = random() % 7;

	if (calls > 0)
		pair.connect();
	if (calls > 1)
		pair.request();
	if (calls > 2)
		pair.accept();
	if (calls > 3)
		pair.response();
	if (calls > 4)
		pair.establish();
	if (calls > 5)
		pair.established();
	if (random() % 4 == 0)
		usleep(random() % 2000);
	const unsigned order = random() % 6;
	for (unsigned i = 0; i < 3; i++) {
		switch ((order + i * (order % 2 ? 1 : 2)) % 3) {
		case 0: destroyed(pair.active); break;
		case 1: destroyed(pair.passive); break;
		default: destroyed(pair.listener->destroy()); break;
		}
	}
}

int Midway::run()
{
	step("active-end-after-connect", [&] { active_after_req(); });
	step("active-end-before-rtu", [&] { active_before_rtu(); });
	step("active-end-when-open", [&] { active_when_open(); });
	step("passive-end-with-request", [&] { passive_in_req_rcvd(); });
	step("passive-end-after-accept", [&] { passive_in_rep_sent(); });
	step("passive-end-when-open", [&] { passive_when_open(); });
	step("both-ends", [&] { both_in_handshake(); });
	step("crossing-disconnects", [&] { crossing_disconnects(); });
	step("disconnect-then-destroy", [&] { disconnect_then_destroy(); });
	step("listener-with-queued-requests", [&] { listener_with_queued_requests(); });
	step("listener-gone-before-accept", [&] { listener_with_accepted_connection(); });
	step("active-process-killed", [&] { process_killed_as_active(); });
	step("passive-process-killed", [&] { process_killed_as_passive(); });
	if (options_.random)
		steps_.run("random-points", [&] {
			std::mt19937 random(static_cast<std::mt19937::result_type>(options_.seed));
			longest_ = 0;
			for (unsigned long i = 0; i < options_.random; i++)
				random_point(random);
			check_fresh_connection(address_);
			steps_.connections(options_.random + 1);
			return cat(options_.random, " ids, seed ", options_.seed, "; destroy at most ", longest_, " ms");
		});
	return steps_.finish();
}

int run(int argc, char **argv)
{
	Options options;

	for (int option; (option = getopt(argc, argv, "n:r:s:l:d:")) != -1;) {
		switch (option) {
		case 'n': options.repeats = parse_number("-n", optarg, 1, 100'000); break;
		case 'r': options.random = parse_number("-r", optarg, 0, 1'000'000); break;
		case 's': options.seed = parse_number("-s", optarg, 0, 0xffffffff); break;
		case 'l': options.limit = parse_number("-l", optarg, 1, 600'000); break;
		case 'd': options.destroy_limit = parse_number("-d", optarg, 1, 600'000); break;
		default: throw Usage("unknown option");
		}
	}
	if (optind + 1 != argc)
		throw Usage("one address is wanted");
	return Midway(Address{argv[optind]}, options).run();
}

} // namespace

int main(int argc, char **argv)
{
	return guarded_main("cm-midway", usage, [=] { return run(argc, argv); });
}
