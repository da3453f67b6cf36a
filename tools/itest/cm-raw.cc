// SPDX-License-Identifier: GPL-2.0-only
// Sends hand-made CM MADs to the port's own QP1: malformed, unknown, guessed and extreme ones. None of them may disturb the kernel or a
// real connection; what is well-formed must be counted, what is a request must be answered.
//
// A datagram queue pair sends them, not libibumad: that always pads to 256 bytes, and the kernel's CM owns the class on the port. A
// software device lets any queue pair speak to QP1; the CM must not care which one spoke.
#include "itest.hh"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <random>
#include <thread>

#include <arpa/inet.h>
#include <getopt.h>
#include <unistd.h>

using namespace itest;

namespace {

constexpr const char *usage =
	"[-n guesses] [-s seed] [-u] ADDRESS\n"
	"  -n  MADs with guessed ids (default 4000)\n"
	"  -s  seed of what is random (default 1)\n"
	"  -u  do not insist that a message to an unknown id is answered, nor that a short one is dropped (stock does neither)";

constexpr std::size_t mad_size = 256, header_size = 24;
constexpr std::uint32_t qp1 = 1, qp1_qkey = 0x80010000;

enum Attribute : std::uint16_t {
	attr_req = 0x10, attr_mra, attr_rej, attr_rep, attr_rtu, attr_dreq, attr_drep, attr_sidr_req, attr_sidr_rep, attr_lap, attr_apr
};

constexpr std::array names = {"req", "mra", "rej", "rep", "rtu", "dreq", "drep", "sidr_req", "sidr_rep", "lap", "apr"};

// A MAD as bytes, fields by their place in the standard's tables: byte offset, first bit from the left, width.
class Mad {
public:
	explicit Mad(std::uint16_t attribute, std::uint64_t tid = 0)
	{
		bytes_[0] = 1;          // base version
		bytes_[1] = 7;          // class CM
		bytes_[2] = 2;          // class version
		bytes_[3] = 3;          // method Send
		header(8, tid, 8);
		header(16, attribute, 2);
	}

	Mad &header(std::size_t at, std::uint64_t value, std::size_t size)
	{
		for (std::size_t i = 0; i < size; i++)
			bytes_[at + i] = static_cast<std::uint8_t>(value >> 8 * (size - 1 - i));
		return *this;
	}
	Mad &body(std::size_t at, std::uint64_t value, std::size_t size) { return header(header_size + at, value, size); }
	Mad &bits(std::size_t at, unsigned shift, unsigned width, unsigned value)
	{
		auto &byte = bytes_[header_size + at];
		const auto mask = static_cast<std::uint8_t>(((1U << width) - 1) << shift);
		byte = static_cast<std::uint8_t>((byte & ~mask) | ((value << shift) & mask));
		return *this;
	}
	Mad &copy(std::size_t at, const void *from, std::size_t size)
	{
		std::memcpy(&bytes_[header_size + at], from, size);
		return *this;
	}
	Mad &random_body(std::mt19937 &random)
	{
		std::generate(bytes_.begin() + header_size, bytes_.end(), [&] { return static_cast<std::uint8_t>(random()); });
		return *this;
	}
	const std::uint8_t *data() const { return bytes_.data(); }

private:
	std::array<std::uint8_t, 1024> bytes_{};
};

// The device that has the address, and a datagram queue pair of it that sends to its own port.
class Sender {
public:
	explicit Sender(const Address &address);
	~Sender();
	Sender(const Sender &) = delete;
	Sender &operator=(const Sender &) = delete;

	void send(const Mad &mad, std::size_t length = mad_size);
	const ibv_gid &gid() const { return gid_; }
	std::uint64_t guid() const { return be64toh(ibv_get_device_guid(pd_->context->device)); }
	std::string counter_path() const { return cat("/sys/class/infiniband/", ibv_get_device_name(pd_->context->device), "/ports/1/"); }

private:
	Channel events_;
	Id id_;                         // holds the device's context
	ibv_pd *pd_ = nullptr;
	ibv_cq *cq_ = nullptr;
	ibv_qp *qp_ = nullptr;
	ibv_ah *ah_ = nullptr;
	ibv_mr *mr_ = nullptr;
	ibv_gid gid_{};
	std::array<std::uint8_t, 1024> buffer_{};
};

Sender::Sender(const Address &address) : id_(events_, RDMA_PS_UDP)
{
	require_call(rdma_bind_addr(id_.get(), address.get()), "rdma_bind_addr (is the address that of an RDMA device?)");
	ibv_context *context = id_.get()->verbs;
	require(context != nullptr, "the address belongs to no RDMA device");

	require((pd_ = ibv_alloc_pd(context)), "ibv_alloc_pd: ", errno_text(errno));
	require((cq_ = ibv_create_cq(context, 8, nullptr, nullptr, 0)), "ibv_create_cq: ", errno_text(errno));
	require((mr_ = ibv_reg_mr(pd_, buffer_.data(), buffer_.size(), IBV_ACCESS_LOCAL_WRITE)), "ibv_reg_mr: ", errno_text(errno));
	ibv_qp_init_attr init{};
	init.send_cq = init.recv_cq = cq_;
	init.qp_type = IBV_QPT_UD;
	init.cap = {.max_send_wr = 4, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1, .max_inline_data = 0};
	require((qp_ = ibv_create_qp(pd_, &init)), "ibv_create_qp: ", errno_text(errno));

	ibv_qp_attr attr{};
	attr.qp_state = IBV_QPS_INIT;
	attr.port_num = 1;
	require_call(ibv_modify_qp(qp_, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY), "ibv_modify_qp INIT");
	attr.qp_state = IBV_QPS_RTR;
	require_call(ibv_modify_qp(qp_, &attr, IBV_QP_STATE), "ibv_modify_qp RTR");
	attr.qp_state = IBV_QPS_RTS;
	require_call(ibv_modify_qp(qp_, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN), "ibv_modify_qp RTS");

	// The RoCE v2 GID of an IPv4 address is the address, mapped.
	std::memset(gid_.raw, 0, 10);
	gid_.raw[10] = gid_.raw[11] = 0xff;
	const auto &v4 = reinterpret_cast<const sockaddr_in &>(address.storage());
	require(v4.sin_family == AF_INET, "an IPv4 address is wanted");
	std::memcpy(gid_.raw + 12, &v4.sin_addr, 4);
	int index = -1;
	for (int i = 0; i < 256 && index < 0; i++) {
		ibv_gid_entry entry{};
		if (ibv_query_gid_ex(context, 1, static_cast<std::uint32_t>(i), &entry, 0) == 0 && entry.gid_type == IBV_GID_TYPE_ROCE_V2 &&
		    std::memcmp(entry.gid.raw, gid_.raw, sizeof(gid_.raw)) == 0)
			index = i;
	}
	require(index >= 0, "the device has no GID for the address");

	ibv_ah_attr ah{};
	ah.is_global = 1;
	ah.port_num = 1;
	ah.grh.dgid = gid_;
	ah.grh.sgid_index = static_cast<std::uint8_t>(index);
	ah.grh.hop_limit = 64;
	require((ah_ = ibv_create_ah(pd_, &ah)), "ibv_create_ah: ", errno_text(errno));
}

Sender::~Sender()
{
	if (ah_)
		ibv_destroy_ah(ah_);
	if (qp_)
		ibv_destroy_qp(qp_);
	if (mr_)
		ibv_dereg_mr(mr_);
	if (cq_)
		ibv_destroy_cq(cq_);
	if (pd_)
		ibv_dealloc_pd(pd_);
}

void Sender::send(const Mad &mad, std::size_t length)
{
	std::memcpy(buffer_.data(), mad.data(), length);
	ibv_sge sge{reinterpret_cast<std::uintptr_t>(buffer_.data()), static_cast<std::uint32_t>(length), mr_->lkey};
	ibv_send_wr wr{}, *bad = nullptr;
	wr.sg_list = length ? &sge : nullptr;
	wr.num_sge = length ? 1 : 0;
	wr.opcode = IBV_WR_SEND;
	wr.send_flags = IBV_SEND_SIGNALED;
	wr.wr.ud.ah = ah_;
	wr.wr.ud.remote_qpn = qp1;
	wr.wr.ud.remote_qkey = qp1_qkey;
	require_call(ibv_post_send(qp_, &wr, &bad), "ibv_post_send");
	const auto start = Clock::now();
	for (ibv_wc wc{};;) {
		const int done = ibv_poll_cq(cq_, 1, &wc);
		require(done >= 0, "ibv_poll_cq");
		if (done) {
			require(wc.status == IBV_WC_SUCCESS, "sending ", length, " bytes: ", ibv_wc_status_str(wc.status));
			return;
		}
		require(Clock::now() - start < 10s, "a send of ", length, " bytes does not complete");
		std::this_thread::yield();
	}
}

struct Options {
	unsigned long guesses = 4000, seed = 1;
	bool stock = false;
};

class Raw {
public:
	Raw(const Address &address, const Options &options)
		: address_(address), options_(options), sender_(address), random_(static_cast<std::mt19937::result_type>(options.seed)) {}

	int run();

private:
	unsigned long counter(const char *group, std::uint16_t attribute) const;
	void reach(const char *group, std::uint16_t attribute, unsigned long value) const;
	Mad request(const Listener &listener);
	void answer(Channel &events, unsigned long &seen);

	std::string counted();
	std::string not_counted();
	std::string unknown_attributes();
	std::string other_classes();
	std::string lengths();
	std::string guesses();
	std::string unknown_rep();
	std::string request_by_hand();
	std::string repeated_request();
	std::string time_fields();
	std::string random_requests();

	Address address_;
	Options options_;
	Sender sender_;
	std::mt19937 random_;
	Steps steps_{"cm-raw"};
	std::uint32_t comm_id_ = 0x70000000;
};

unsigned long Raw::counter(const char *group, std::uint16_t attribute) const
{
	const std::string path = sender_.counter_path() + group + "/" + names[attribute - attr_req];
	std::ifstream in(path);
	unsigned long value = 0;

	require(static_cast<bool>(in >> value), "cannot read ", path);
	return value;
}

// Counters move when the receiver gets to it, which is soon but not at once.
void Raw::reach(const char *group, std::uint16_t attribute, unsigned long value) const
{
	const auto start = Clock::now();

	while (counter(group, attribute) < value) {
		require(Clock::now() - start < 5s, group, "/", names[attribute - attr_req], " stays at ", counter(group, attribute), ", below ", value);
		usleep(500);
	}
}

// A REQ as rdma_cm would have sent it, from an imaginary peer at our own address.
Mad Raw::request(const Listener &listener)
{
	const std::uint32_t comm_id = ++comm_id_;
	const auto &v4 = reinterpret_cast<const sockaddr_in &>(address_.storage());
	Mad mad(attr_req, (std::uint64_t{comm_id} << 32) | 1);

	mad.body(0, comm_id, 4);
	mad.body(8, 0x01060000ULL + listener.port(), 8);                // service: rdma_cm's TCP port space
	mad.body(16, sender_.guid() ^ 0x5a5a, 8);                       // CA GUID of nobody else
	mad.body(32, fresh_qpn(), 3).body(35, 1, 1);                    // QPN, responder resources
	mad.body(39, 1, 1);                                             // initiator depth
	mad.bits(43, 3, 5, 20).bits(43, 1, 2, 0);                       // remote response time-out, RC
	mad.body(44, 0x123456, 3);                                      // starting PSN
	mad.bits(47, 3, 5, 20).bits(47, 0, 3, 7);                       // local response time-out, retry count
	mad.body(48, 0xffff, 2);                                        // P_Key
	mad.bits(50, 4, 4, 3).bits(50, 0, 3, 7);                        // path MTU 1024, RNR retry count
	mad.bits(51, 4, 4, 15);                                         // CM retries
	mad.body(52, 0xffff, 2).body(54, 0xffff, 2);                    // LIDs, permissive
	mad.copy(56, sender_.gid().raw, 16).copy(72, sender_.gid().raw, 16);
	mad.bits(91, 0, 6, 2);                                          // packet rate
	mad.body(93, 64, 1);                                            // hop limit
	mad.bits(95, 3, 5, 18);                                         // local ACK time-out
	mad.body(141, 0x40, 1).body(142, 4242, 2);                      // rdma_cm's own header: IPv4, source port
	mad.copy(140 + 16, &v4.sin_addr, 4).copy(140 + 32, &v4.sin_addr, 4);
	return mad;
}

// Rejects whatever request has arrived so far.
void Raw::answer(Channel &events, unsigned long &seen)
{
	while (auto event = events.poll(0ms)) {
		if (event->type() != RDMA_CM_EVENT_CONNECT_REQUEST)
			continue;
		Id id = Id::adopt(event->id());
		event.reset();
		seen++;
		// Whether there still is someone to reject does not matter here.
		rdma_reject(id.get(), nullptr, 0);
	}
}

// Every message but the requests, to ids that nobody has.
std::string Raw::counted()
{
	for (std::uint16_t attribute = attr_mra; attribute <= attr_apr; attribute++) {
		if (attribute == attr_sidr_req)
			continue;
		const auto before = counter("cm_rx_msgs", attribute);
		for (unsigned i = 0; i < 20; i++)
			sender_.send(Mad(attribute, 0x1000 + i).body(0, 0x11111111 + i, 4).body(4, 0x22222222 + i, 4));
		reach("cm_rx_msgs", attribute, before + 20);
	}
	return "9 kinds of message to unknown ids, each counted";
}

std::string Raw::not_counted()
{
	const auto before = counter("cm_rx_msgs", attr_rep);

	for (unsigned version = 0; version < 256; version++)
		if (version != 2)
			sender_.send(Mad(attr_rep).header(2, version, 1));
	// The MAD layer logs each of these, so they are few.
	for (const unsigned version : {0U, 2U, 0x80U, 0xffU})
		sender_.send(Mad(attr_rep).header(0, version, 1));
	for (unsigned method = 0; method < 256; method++)
		if (method != 3)
			sender_.send(Mad(attr_rep).header(3, method, 1));
	// A good one behind them shows that all of them have been looked at.
	sender_.send(Mad(attr_rep));
	reach("cm_rx_msgs", attr_rep, before + 1);
	usleep(20'000);
	const auto counted = counter("cm_rx_msgs", attr_rep) - before;
	require(counted == 1, counted - 1, " of 514 MADs of a wrong version or method were taken for REPs");
	return "255 class versions, 4 base versions, 255 methods: none taken";
}

std::string Raw::unknown_attributes()
{
	for (unsigned attribute = 0; attribute < 0x10000; attribute += attribute < 0x100 ? 1 : 0x101)
		if (attribute < attr_req || attribute > attr_apr)
			sender_.send(Mad(static_cast<std::uint16_t>(attribute)).random_body(random_));
	check_fresh_connection(address_);
	return "500 attribute ids";
}

std::string Raw::other_classes()
{
	for (unsigned management_class = 0; management_class < 256; management_class++)
		if (management_class != 7)
			sender_.send(Mad(attr_req).header(1, management_class, 1).random_body(random_));
	check_fresh_connection(address_);
	return "255 management classes";
}

// Prefixes of a good REQ. A receiver that looks at the buffer instead of the length takes the rest of an earlier MAD for the missing part.
std::string Raw::lengths()
{
	constexpr std::array lengths = {std::size_t{0}, std::size_t{1}, std::size_t{23}, std::size_t{24}, std::size_t{25}, std::size_t{40},
					std::size_t{64}, std::size_t{100}, std::size_t{128}, std::size_t{164}, std::size_t{200}, std::size_t{255}};
	Channel part_events, whole_events;
	Listener part_listener(part_events, address_), whole_listener(whole_events, address_);
	unsigned long part = 0, whole = 0;

	for (unsigned round = 0; round < 50; round++)
		for (const auto length : lengths)
			sender_.send(request(part_listener), length);
	// A whole one behind them shows that they have been looked at.
	sender_.send(request(whole_listener));
	const auto start = Clock::now();
	while (!whole && Clock::now() - start < 5s) {
		answer(part_events, part);
		answer(whole_events, whole);
		usleep(1000);
	}
	usleep(200'000);
	answer(part_events, part);
	answer(whole_events, whole);
	require(whole == 1, "a whole REQ after the short ones reached its listener ", whole, " times");
	require(options_.stock || !part, part, " of 600 REQs that were cut short reached their listener");
	return cat("600 short REQs, ", part, " taken for whole ones");
}

// Ids that belong to nobody, while real connections are opened, used and closed.
std::string Raw::guesses()
{
	constexpr std::array<std::uint16_t, 9> kinds = {attr_rep, attr_rtu, attr_dreq, attr_rej, attr_drep, attr_mra, attr_lap, attr_apr, attr_sidr_rep};
	std::atomic<bool> stop = false;
	unsigned long opened = 0;
	std::string wrong;
	std::thread user([&] {
		try {
			while (!stop) {
				check_fresh_connection(address_);
				opened++;
			}
		} catch (const std::exception &failure) {
			wrong = failure.what();
		}
	});
	try {
		std::array<unsigned long, kinds.size()> expected;
		for (std::size_t i = 0; i < kinds.size(); i++)
			expected[i] = counter("cm_rx_msgs", kinds[i]);
		for (unsigned long i = 0; i < options_.guesses; i++) {
			const auto kind = i % kinds.size();
			Mad mad(kinds[kind], random_());
			mad.random_body(random_);
			// Half of them guess small numbers, as a peer that counts would have.
			if (random_() % 2)
				mad.body(0, random_() % 4096, 4).body(4, random_() % 4096, 4);
			sender_.send(mad);
			expected[kind]++;
			// QP1's receive queue is finite: no more than it can hold at once.
			if (i % 32 == 31)
				reach("cm_rx_msgs", kinds[kind], expected[kind]);
		}
	} catch (...) {
		stop = true;
		user.join();
		throw;
	}
	stop = true;
	user.join();
	require(wrong.empty(), "during the guesses: ", wrong);
	require(opened > 0, "no connection was made during the guesses");
	steps_.connections(opened);
	return cat(options_.guesses, " guesses, ", opened, " real connections meanwhile");
}

// A REP that nobody waits for is answered with a REJ, so that its sender does not repeat it for a minute: the REJ comes back to our own CM.
std::string Raw::unknown_rep()
{
	constexpr unsigned count = 10;
	auto before = counter("cm_rx_msgs", attr_rej);

	// Rejects of the steps before may still be on their way.
	for (unsigned calm = 0; calm < 10;) {
		usleep(50'000);
		const auto now = counter("cm_rx_msgs", attr_rej);
		calm = now == before ? calm + 1 : 0;
		before = now;
	}
	for (unsigned i = 0; i < count; i++)
		sender_.send(Mad(attr_rep, 77 + i).body(0, 0x33333333 + i, 4).body(4, 0x44444444 + i, 4));
	try {
		reach("cm_rx_msgs", attr_rej, before + count);
	} catch (const Failure &) {
		require(options_.stock, "of ", count, " REPs for unknown ids only ", counter("cm_rx_msgs", attr_rej) - before,
			" are answered with a REJ");
		return "silence";
	}
	return "each answered with a REJ";
}

std::string Raw::request_by_hand()
{
	Channel events;
	Listener listener(events, address_);

	sender_.send(request(listener));
	const Event event = events.expect(RDMA_CM_EVENT_CONNECT_REQUEST);
	Id id = Id::adopt(event.id());
	require(event.conn().qp_num != 0 && event.conn().retry_count == 7 && event.conn().rnr_retry_count == 7, "the REQ's fields do not arrive");
	return "reaches its listener";
}

// The same REQ again and again: one event, the rest are duplicates.
std::string Raw::repeated_request()
{
	Channel events;
	Listener listener(events, address_);
	const Mad mad = request(listener);
	const auto before = counter("cm_rx_msgs", attr_req), duplicates = counter("cm_rx_duplicates", attr_req);

	for (unsigned i = 0; i < 20; i++)
		sender_.send(mad);
	reach("cm_rx_msgs", attr_req, before + 20);
	const Event event = events.expect(RDMA_CM_EVENT_CONNECT_REQUEST);
	Id id = Id::adopt(event.id());
	reach("cm_rx_duplicates", attr_req, duplicates + 19);
	require(!events.poll(100ms), "a repeated REQ was delivered again");
	return "20 times: one event, 19 duplicates";
}

// All 32 values of the REQ's three 5-bit times, and all values of its small fields.
std::string Raw::time_fields()
{
	struct Field {
		const char *name;
		std::size_t at;
		unsigned shift, width;
	};
	constexpr std::array fields = {
		Field{"remote response time-out", 43, 3, 5}, Field{"local response time-out", 47, 3, 5}, Field{"local ACK time-out", 95, 3, 5},
		Field{"CM retries", 51, 4, 4}, Field{"path MTU", 50, 4, 4}, Field{"transport", 43, 1, 2}, Field{"extended transport", 51, 0, 3},
		Field{"packet rate", 91, 0, 6}, Field{"retry count", 47, 0, 3}, Field{"RNR retry count", 50, 0, 3},
	};
	Channel events;
	Listener listener(events, address_);
	unsigned long seen = 0, sent = 0;

	for (const auto &field : fields)
		for (unsigned value = 0; value < 1U << field.width; value++) {
			const auto before = counter("cm_rx_msgs", attr_req);
			sender_.send(request(listener).bits(field.at, field.shift, field.width, value));
			sent++;
			reach("cm_rx_msgs", attr_req, before + 1);
			answer(events, seen);
		}
	const auto start = Clock::now();
	// The three time fields, the retries and most of the others are legal in every value.
	while (seen < 4 * 32 && Clock::now() - start < 5s) {
		answer(events, seen);
		usleep(1000);
	}
	require(seen >= 4 * 32, "only ", seen, " of ", sent, " REQs with an extreme field reached the listener");
	return cat(sent, " REQs, ", seen, " reached the listener");
}

std::string Raw::random_requests()
{
	Channel events;
	Listener listener(events, address_);
	unsigned long seen = 0;

	for (unsigned i = 0; i < 500; i++) {
		const std::uint16_t attribute = random_() % 2 ? attr_req : attr_sidr_req;
		const auto before = counter("cm_rx_msgs", attribute);
		Mad mad(attribute, random_());
		mad.random_body(random_);
		if (random_() % 2) {
			// A good request with a few wrong bytes.
			mad = request(listener);
			for (unsigned wrong = 0; wrong < 3; wrong++)
				mad.body(random_() % 232, random_(), 1);
		}
		sender_.send(mad);
		if (i % 16 == 15 && attribute == attr_sidr_req)
			reach("cm_rx_msgs", attribute, before);
		usleep(200);
		answer(events, seen);
	}
	usleep(100'000);
	answer(events, seen);
	return cat("500 random requests, ", seen, " reached a listener");
}

int Raw::run()
{
	const auto step = [&](const char *name, std::string (Raw::*body)()) {
		steps_.run(name, [&, body] {
			const std::string remark = (this->*body)();
			check_fresh_connection(address_);
			steps_.connections(1);
			return remark;
		});
	};

	step("unknown-ids-are-counted", &Raw::counted);
	step("wrong-version-or-method", &Raw::not_counted);
	step("unknown-attributes", &Raw::unknown_attributes);
	step("other-classes", &Raw::other_classes);
	step("request-by-hand", &Raw::request_by_hand);
	step("repeated-request", &Raw::repeated_request);
	step("lengths", &Raw::lengths);
	step("unknown-rep-is-answered", &Raw::unknown_rep);
	step("extreme-fields", &Raw::time_fields);
	step("random-requests", &Raw::random_requests);
	step("guessed-ids", &Raw::guesses);
	return steps_.finish();
}

int run(int argc, char **argv)
{
	Options options;

	for (int option; (option = getopt(argc, argv, "n:s:u")) != -1;) {
		switch (option) {
		case 'n': options.guesses = parse_number("-n", optarg, 1, 10'000'000); break;
		case 's': options.seed = parse_number("-s", optarg, 0, 0xffffffff); break;
		case 'u': options.stock = true; break;
		default: throw Usage("unknown option");
		}
	}
	if (optind + 1 != argc)
		throw Usage("one address is wanted");
	return Raw(Address{argv[optind]}, options).run();
}

} // namespace

int main(int argc, char **argv)
{
	return guarded_main("cm-raw", usage, [=] { return run(argc, argv); });
}
