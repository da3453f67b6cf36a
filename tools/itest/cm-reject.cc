// SPDX-License-Identifier: GPL-2.0-only
// Rejects: nobody listens, and a consumer that says no, for connections (REJ) and for datagrams (SIDR_REP). Each must arrive at once,
// with the status of the standard and the private data of the one who said no.
#include "itest.hh"

#include <cstdio>

#include <getopt.h>

using namespace itest;

namespace {

constexpr const char *usage =
	"[-n rejects] [-l limit_ms] ADDRESS\n"
	"  -n  of each kind (default 20)\n"
	"  -l  a reject must arrive within this time (default 2000)";

class Rejects {
public:
	Rejects(const Address &address, unsigned long count, milliseconds limit) : address_(address), count_(count), limit_(limit) {}

	int run();

private:
	Id connect_to(const Address &to, rdma_port_space space);
	void rejected(const Id &id, rdma_cm_event_type type, int status, std::span<const std::byte> data, std::size_t full_length);
	std::string nobody_listens(rdma_port_space space, rdma_cm_event_type type, int status);
	std::string consumer_says_no(rdma_port_space space, rdma_cm_event_type type, int status, std::size_t most, std::size_t full_length);

	Address address_;
	unsigned long count_;
	milliseconds limit_;
	Channel active_, passive_;
	Steps steps_{"cm-reject"};
};

Id Rejects::connect_to(const Address &to, rdma_port_space space)
{
	Id id = resolved(active_, to, space);
	auto param = conn_param({}, fresh_qpn());

	require_call(rdma_connect(id.get(), &param), "rdma_connect");
	return id;
}

void Rejects::rejected(const Id &id, rdma_cm_event_type type, int status, std::span<const std::byte> data, std::size_t full_length)
{
	const Event event = active_.expect(type, limit_);

	require(event.id() == id.get(), "the event is for another id");
	require(event.status() == status, "status ", event.status(), " instead of ", status);
	if (full_length)
		check_data("REJ", event.data(), data, full_length);
}

std::string Rejects::nobody_listens(rdma_port_space space, rdma_cm_event_type type, int status)
{
	// A port that was just listened on and is free again: certainly nobody's.
	std::uint16_t port;
	{
		Listener listener(passive_, address_, space);
		port = listener.port();
	}
	for (unsigned long i = 0; i < count_; i++) {
		Id id = connect_to(address_.with_port(port), space);
		rejected(id, type, status, {}, 0);
	}
	return cat(count_, " times ", rdma_event_str(type), ", status ", status);
}

std::string Rejects::consumer_says_no(rdma_port_space space, rdma_cm_event_type type, int status, std::size_t most, std::size_t full_length)
{
	Listener listener(passive_, address_, space);

	for (unsigned long i = 0; i < count_; i++) {
		Id active = connect_to(listener.address(), space);
		Id passive;
		{
			const Event event = passive_.expect(RDMA_CM_EVENT_CONNECT_REQUEST, limit_);
			passive = Id::adopt(event.id());
		}
		const auto data = pattern(static_cast<std::uint32_t>(i), i % (most + 1));
		require_call(rdma_reject(passive.get(), data.data(), static_cast<std::uint8_t>(data.size())), "rdma_reject");
		rejected(active, type, status, data, full_length);
	}
	return cat(count_, " times ", rdma_event_str(type), ", status ", status, full_length ? ", with its private data" : "");
}

int Rejects::run()
{
	steps_.run("nobody-listens", [&] { return nobody_listens(RDMA_PS_TCP, RDMA_CM_EVENT_REJECTED, rej_invalid_service_id); });
	steps_.run("consumer-says-no", [&] {
		return consumer_says_no(RDMA_PS_TCP, RDMA_CM_EVENT_REJECTED, rej_consumer, rej_data_max, rej_data_max);
	});
	steps_.run("datagram-nobody-listens", [&] { return nobody_listens(RDMA_PS_UDP, RDMA_CM_EVENT_UNREACHABLE, sidr_unsupported); });
	steps_.run("datagram-consumer-says-no", [&] {
		return consumer_says_no(RDMA_PS_UDP, RDMA_CM_EVENT_UNREACHABLE, sidr_reject, sidr_rep_data_max, 0);
	});
	steps_.run("fresh-connection", [&] { check_fresh_connection(address_); return std::string("connects and closes"); });
	steps_.connections(4 * count_ + 1);
	return steps_.finish();
}

int run(int argc, char **argv)
{
	unsigned long count = 20, limit = 2000;

	for (int option; (option = getopt(argc, argv, "n:l:")) != -1;) {
		switch (option) {
		case 'n': count = parse_number("-n", optarg, 1, 1'000'000); break;
		case 'l': limit = parse_number("-l", optarg, 1, 600'000); break;
		default: throw Usage("unknown option");
		}
	}
	if (optind + 1 != argc)
		throw Usage("one address is wanted");
	return Rejects(Address{argv[optind]}, count, milliseconds(limit)).run();
}

} // namespace

int main(int argc, char **argv)
{
	return guarded_main("cm-reject", usage, [=] { return run(argc, argv); });
}
