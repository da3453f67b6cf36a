// SPDX-License-Identifier: GPL-2.0-only
// Opens connections, holds them, and waits for their device to be taken away: every end, open or in the middle of its handshake, and the
// listener must be told exactly once. Only requests that nobody has accepted are not: rdma_ucm delivers nothing to those, but they must be
// destroyable. The caller removes the device when the ready file appears.
#include "itest.hh"

#include <cstdio>
#include <fstream>
#include <map>

#include <getopt.h>

using namespace itest;

namespace {

constexpr const char *usage =
	"[-n open] [-m half_open] [-q] [-l limit_ms] READY_FILE ADDRESS\n"
	"  -n  connections held open (default 20)\n"
	"  -m  connections held with a request that nobody answers (default 5)\n"
	"  -q  with a real queue pair on both ends of the open ones\n"
	"  -l  how long to wait for the removal (default 30000)";

struct Options {
	unsigned long open = 20, half_open = 5, limit = 30'000;
	bool queue_pairs = false;
};

class Unplug {
public:
	Unplug(const Address &address, const Options &options) : options_(options), listener_(passive_events_, address) {}

	void hold();
	void announce(const std::string &file) const;
	void wait_for_removal();

private:
	Id request(Id &passive);
	void establish(Id &active, Id &passive);
	void told(const Event &event);

	Options options_;
	Channel active_events_, passive_events_;
	SharedCq cq_;
	Listener listener_;
	std::vector<Id> ids_;
	std::map<rdma_cm_id *, unsigned> removals_;
	unsigned long disconnects_ = 0;
};

Id Unplug::request(Id &passive)
{
	Id active = resolved(active_events_, listener_.address());

	if (options_.queue_pairs)
		active.create_qp(cq_);
	auto param = conn_param({}, fresh_qpn());
	require_call(rdma_connect(active.get(), &param), "rdma_connect");
	const Event event = passive_events_.expect(RDMA_CM_EVENT_CONNECT_REQUEST);
	passive = Id::adopt(event.id());
	return active;
}

void Unplug::establish(Id &active, Id &passive)
{
	if (options_.queue_pairs)
		passive.create_qp(cq_);
	auto param = conn_param({}, fresh_qpn());
	require_call(rdma_accept(passive.get(), &param), "rdma_accept");
	if (options_.queue_pairs) {
		active_events_.expect(RDMA_CM_EVENT_ESTABLISHED);
	} else {
		active_events_.expect(RDMA_CM_EVENT_CONNECT_RESPONSE);
		require_call(rdma_establish(active.get()), "rdma_establish");
	}
	passive_events_.expect(RDMA_CM_EVENT_ESTABLISHED);
}

void Unplug::hold()
{
	for (unsigned long i = 0; i < options_.open + options_.half_open; i++) {
		Id passive;
		Id active = request(passive);
		if (i < options_.open) {
			establish(active, passive);
			removals_[passive.get()] = 0;
		}
		removals_[active.get()] = 0;
		ids_.push_back(std::move(active));
		ids_.push_back(std::move(passive));
	}
	removals_[listener_.get()] = 0;
}

void Unplug::announce(const std::string &file) const
{
	std::ofstream out(file);

	out << ids_.size() << '\n';
	require(static_cast<bool>(out.flush()), "cannot write '", file, "'");
}

void Unplug::told(const Event &event)
{
	const auto entry = removals_.find(event.id());

	require(entry != removals_.end(), event.text(), " for an id that nobody has");
	switch (event.type()) {
	case RDMA_CM_EVENT_DEVICE_REMOVAL:
		require(++entry->second == 1, "an id was told of the removal twice");
		return;
	case RDMA_CM_EVENT_DISCONNECTED:
	case RDMA_CM_EVENT_REJECTED:
	case RDMA_CM_EVENT_UNREACHABLE:
		// The peer, which is in this process too, has gone first.
		disconnects_++;
		return;
	case RDMA_CM_EVENT_TIMEWAIT_EXIT:
		return;
	default:
		fail("unexpected ", event.text());
	}
}

void Unplug::wait_for_removal()
{
	const auto start = Clock::now();
	unsigned long told_of_it = 0;
	Clock::time_point first{};

	while (told_of_it < removals_.size()) {
		require(Clock::now() - start < milliseconds(options_.limit), "only ", told_of_it, " of ", removals_.size(),
			" ids were told of the removal within ", options_.limit, " ms");
		wait_either(active_events_, passive_events_, 200ms);
		for (const auto *events : {&active_events_, &passive_events_})
			while (auto event = events->poll(0ms)) {
				if (first == Clock::time_point{})
					first = Clock::now();
				told(*event);
			}
		told_of_it = 0;
		for (const auto &[id, count] : removals_)
			told_of_it += count;
	}
	std::printf("  %lu ids told of the removal within %.1f ms of the first, %lu ends saw their peer go first\n", told_of_it, ms_since(first),
		    disconnects_);
	double longest = 0;
	for (auto &id : ids_)
		longest = std::max(longest, id.destroy());
	longest = std::max(longest, listener_.destroy());
	std::printf("  longest destroy after the removal %.3f ms\n", longest);
}

int run(int argc, char **argv)
{
	Options options;

	for (int option; (option = getopt(argc, argv, "n:m:ql:")) != -1;) {
		switch (option) {
		case 'n': options.open = parse_number("-n", optarg, 0, 100'000); break;
		case 'm': options.half_open = parse_number("-m", optarg, 0, 100'000); break;
		case 'q': options.queue_pairs = true; break;
		case 'l': options.limit = parse_number("-l", optarg, 1, 600'000); break;
		default: throw Usage("unknown option");
		}
	}
	if (optind + 2 != argc)
		throw Usage("a ready file and an address are wanted");
	Unplug unplug(Address{argv[optind + 1]}, options);
	unplug.hold();
	unplug.announce(argv[optind]);
	unplug.wait_for_removal();
	std::printf("cm-unplug: ok: connections=%lu\n", options.open + options.half_open);
	return 0;
}

} // namespace

int main(int argc, char **argv)
{
	return guarded_main("cm-unplug", usage, [=] { return run(argc, argv); });
}
