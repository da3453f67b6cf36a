// SPDX-License-Identifier: GPL-2.0-only
// Private data of every message that rdma_cm lets a consumer fill: empty, one byte, the most that fits, and one byte more. What fits
// arrives unchanged with a zero tail of full length; what does not is refused on the spot and leaves the id usable.
#include "itest.hh"

#include <cstdio>

#include <getopt.h>

using namespace itest;

namespace {

constexpr const char *usage = "ADDRESS";

class Data {
public:
	explicit Data(const Address &address) : address_(address) {}

	int run();

private:
	void connection(std::size_t request, std::size_t reply);
	void reject(std::size_t length);
	void datagram(std::size_t request, std::size_t reply);
	void too_long();

	Address address_;
	Steps steps_{"cm-data"};
	std::uint32_t seed_ = 1;
};

void Data::connection(std::size_t request, std::size_t reply)
{
	const auto sent = pattern(seed_++, request), answer = pattern(seed_++, reply);
	Pair pair(address_);

	pair.active = resolved(pair.active_events, pair.listener->address());
	auto param = conn_param(sent, fresh_qpn());
	require_call(rdma_connect(pair.active.get(), &param), "rdma_connect with ", request, " bytes");
	{
		const Event event = pair.passive_events.expect(RDMA_CM_EVENT_CONNECT_REQUEST);
		pair.passive = Id::adopt(event.id());
		check_data(cat("REQ with ", request, " bytes"), event.data(), sent, req_data_max);
	}
	param = conn_param(answer, fresh_qpn());
	require_call(rdma_accept(pair.passive.get(), &param), "rdma_accept with ", reply, " bytes");
	{
		const Event event = pair.active_events.expect(RDMA_CM_EVENT_CONNECT_RESPONSE);
		check_data(cat("REP with ", reply, " bytes"), event.data(), answer, rep_data_max);
	}
	pair.establish();
	pair.established();
	pair.close();
}

void Data::reject(std::size_t length)
{
	const auto data = pattern(seed_++, length);
	Pair pair(address_);

	pair.connect();
	pair.request();
	require_call(rdma_reject(pair.passive.get(), data.data(), static_cast<std::uint8_t>(length)), "rdma_reject with ", length, " bytes");
	const Event event = pair.active_events.expect(RDMA_CM_EVENT_REJECTED);
	require(event.status() == rej_consumer, "status ", event.status(), " instead of ", rej_consumer);
	check_data(cat("REJ with ", length, " bytes"), event.data(), data, rej_data_max);
}

void Data::datagram(std::size_t request, std::size_t reply)
{
	const auto sent = pattern(seed_++, request), answer = pattern(seed_++, reply);
	Channel active_events, passive_events;
	SharedCq cq;
	Listener listener(passive_events, address_, RDMA_PS_UDP);
	Id active = resolved(active_events, listener.address(), RDMA_PS_UDP), passive;

	active.create_qp(cq, IBV_QPT_UD);
	auto param = conn_param(sent);
	require_call(rdma_connect(active.get(), &param), "rdma_connect with ", request, " bytes");
	{
		const Event event = passive_events.expect(RDMA_CM_EVENT_CONNECT_REQUEST);
		passive = Id::adopt(event.id());
		check_data(cat("SIDR_REQ with ", request, " bytes"), event.ud_data(), sent, sidr_req_data_max);
	}
	passive.create_qp(cq, IBV_QPT_UD);
	param = conn_param(answer, passive.get()->qp->qp_num);
	require_call(rdma_accept(passive.get(), &param), "rdma_accept with ", reply, " bytes");
	const Event event = active_events.expect(RDMA_CM_EVENT_ESTABLISHED);
	check_data(cat("SIDR_REP with ", reply, " bytes"), event.ud_data(), answer, sidr_rep_data_max);
	require(event.ud().qp_num == passive.get()->qp->qp_num, "SIDR_REP names QP ", event.ud().qp_num, " instead of ",
		passive.get()->qp->qp_num);
}

void Data::too_long()
{
	Pair pair(address_);

	pair.active = resolved(pair.active_events, pair.listener->address());
	const auto long_request = pattern(1, req_data_max + 1);
	auto param = conn_param(long_request, fresh_qpn());
	require(rdma_connect(pair.active.get(), &param) != 0 && errno == EINVAL, "rdma_connect with ", long_request.size(),
		" bytes is not refused with EINVAL");
	require(!pair.passive_events.poll(200ms), "a refused REQ has arrived");

	pair.connect();
	pair.request();
	const auto long_reply = pattern(2, rep_data_max + 1);
	param = conn_param(long_reply, fresh_qpn());
	require(rdma_accept(pair.passive.get(), &param) != 0 && errno == EINVAL, "rdma_accept with ", long_reply.size(),
		" bytes is not refused with EINVAL");
	// rdma_cm answers a failed accept with a reject of its own.
	const Event event = pair.active_events.expect(RDMA_CM_EVENT_REJECTED);
	require(event.status() == rej_consumer, "status ", event.status(), " instead of ", rej_consumer);
}

int Data::run()
{
	for (const std::size_t request : {std::size_t{0}, std::size_t{1}, req_data_max})
		for (const std::size_t reply : {std::size_t{0}, std::size_t{1}, rep_data_max})
			steps_.run(cat("req-", request, "-rep-", reply), [&] { connection(request, reply); return std::string(); });
	for (const std::size_t length : {std::size_t{0}, std::size_t{1}, rej_data_max})
		steps_.run(cat("rej-", length), [&] { reject(length); return std::string(); });
	for (const std::size_t request : {std::size_t{0}, std::size_t{1}, sidr_req_data_max})
		for (const std::size_t reply : {std::size_t{0}, std::size_t{1}, sidr_rep_data_max})
			steps_.run(cat("sidr-req-", request, "-rep-", reply), [&] { datagram(request, reply); return std::string(); });
	steps_.run("one-byte-too-long", [&] { too_long(); return std::string("EINVAL, nothing sent"); });
	steps_.run("fresh-connection", [&] { check_fresh_connection(address_); return std::string(); });
	steps_.connections(9 + 3 + 9 + 1 + 1);
	return steps_.finish();
}

} // namespace

int main(int argc, char **argv)
{
	return guarded_main("cm-data", usage, [=] {
		if (getopt(argc, argv, "") != -1 || optind + 1 != argc)
			throw Usage("one address is wanted");
		return Data(Address{argv[optind]}).run();
	});
}
