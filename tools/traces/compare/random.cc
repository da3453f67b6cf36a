// SPDX-License-Identifier: GPL-2.0-only
// Random sequences. A guess of where the connection is makes most steps sensible: two of three move it on, the third is anything.
#include "script.hh"

#include <array>
#include <random>

namespace traces {

namespace {

enum class Phase { IDLE, REQ_SENT, REQ_RCVD, REP_SENT, REP_RCVD, ESTABLISHED, DREQ_SENT, DREQ_RCVD, TIMEWAIT, SIDR_SENT, SIDR_RCVD, GONE };

struct Move {
	const char *step;	// of id A
	Phase to;		// if it is taken where it is expected
};

// What moves a connection on, and what is usual besides.
const std::vector<Move> &usual(Phase phase)
{
	using enum Phase;
	static const std::array<std::vector<Move>, 12> moves{{
		/* IDLE */ {{"call A req", REQ_SENT}, {"call A req alt=1", REQ_SENT}, {"destroy A", GONE}},
		/* REQ_SENT */ {{"peer REP A", REP_RCVD}, {"peer REP A", REP_RCVD}, {"peer REP A", REP_RCVD}, {"peer MRA A", REQ_SENT},
				{"peer REJ A", IDLE}, {"peer REJ A reason=10", TIMEWAIT}, {"destroy A", GONE}},
		/* REQ_RCVD */ {{"call A rep", REP_SENT}, {"call A rep", REP_SENT}, {"call A rep", REP_SENT}, {"call A mra", REQ_RCVD},
				{"repeat REQ A", REQ_RCVD}, {"call A rej", IDLE}, {"call A init", REQ_RCVD}, {"peer REJ A msg=0", IDLE},
				{"destroy A", GONE}},
		/* REP_SENT */ {{"peer RTU A", ESTABLISHED}, {"peer RTU A", ESTABLISHED}, {"call A comm_est", ESTABLISHED},
				{"peer MRA A", REP_SENT}, {"peer DREQ A", DREQ_RCVD}, {"peer REJ A", IDLE}, {"repeat REQ A", REP_SENT},
				{"call A rtr", REP_SENT}, {"destroy A", GONE}},
		/* REP_RCVD */ {{"call A rtu", ESTABLISHED}, {"call A rtu", ESTABLISHED}, {"call A mra", REP_RCVD}, {"repeat REP A", REP_RCVD},
				{"call A rts", REP_RCVD}, {"call A rej", TIMEWAIT}, {"destroy A", GONE}},
		/* ESTABLISHED */ {{"call A dreq", DREQ_SENT}, {"peer DREQ A", DREQ_RCVD}, {"call A dreq", DREQ_SENT},
				   {"peer DREQ A", DREQ_RCVD}, {"peer LAP A", ESTABLISHED}, {"call A mra", ESTABLISHED},
				   {"call A rts", ESTABLISHED}, {"peer RTU A", ESTABLISHED}, {"peer REJ A", TIMEWAIT}, {"destroy A", GONE}},
		/* DREQ_SENT */ {{"peer DREP A", TIMEWAIT}, {"peer DREP A", TIMEWAIT}, {"peer DREQ A", DREQ_RCVD}, {"destroy A", GONE}},
		/* DREQ_RCVD */ {{"call A drep", TIMEWAIT}, {"call A drep", TIMEWAIT}, {"repeat DREQ A", DREQ_RCVD}, {"destroy A", GONE}},
		/* TIMEWAIT */ {{"peer DREQ A", TIMEWAIT}, {"repeat DREQ A", TIMEWAIT}, {"destroy A", GONE}},
		/* SIDR_SENT */ {{"peer SIDR_REP A", IDLE}, {"peer SIDR_REP A status=1", IDLE}, {"destroy A", GONE}},
		/* SIDR_RCVD */ {{"call A sidr_rep", IDLE}, {"repeat SIDR_REQ A", SIDR_RCVD}, {"destroy A", GONE}},
		/* GONE */ {{"peer DREQ A", GONE}, {"repeat DREQ A", GONE}, {"peer RTU A", GONE}},
	}};
	return moves[static_cast<size_t>(phase)];
}

const std::vector<const char *> anything = {
	"peer MRA A", "peer REJ A", "peer REP A", "peer RTU A", "peer DREQ A", "peer DREP A", "peer LAP A", "peer APR A", "peer SIDR_REP A",
	"peer REJ A reason=10", "peer REJ A reason=4 ari=1", "peer MRA A msg=2", "peer REP A to=wrong", "peer DREQ A to=wrong", "peer RTU A from=wrong",
	"peer DREQ A wrongqpn=1", "repeat REQ A", "repeat REP A", "repeat DREQ A", "repeat RTU A",
	"call A req", "call A rep", "call A rtu", "call A dreq", "call A drep", "call A rej", "call A mra", "call A sidr_req", "call A sidr_rep",
	"call A init", "call A rtr", "call A rts", "call A comm_est", "call A path_mig", "call A listen sid=2",
	"answer A -12", "answer A 1", "destroy A",
};

class Source {
public:
	Source(uint64_t seed, uint64_t number) : engine_(seed * 0x9e3779b97f4a7c15ULL + number) {}
	// Not a distribution of the library: those differ between libraries.
	size_t below(size_t limit) { return engine_() % limit; }
	bool one_in(size_t n) { return below(n) == 0; }
	template <class T> const T &pick(const std::vector<T> &from) { return from[below(from.size())]; }

private:
	std::mt19937_64 engine_;
};

class Walk {
public:
	Walk(Source &source, Script &script) : source_(source), script_(script) {}

	void begin(bool passive, bool sidr)
	{
		if (passive) {
			add("listen H");
			add(sidr ? "peer SIDR_REQ A" : source_.one_in(4) ? "peer REQ A alt=1" : "peer REQ A");
			phase_ = sidr ? Phase::SIDR_RCVD : Phase::REQ_RCVD;
		} else {
			add("create A");
			add(sidr ? "call A sidr_req" : source_.one_in(4) ? "call A req alt=1" : "call A req");
			phase_ = sidr ? Phase::SIDR_SENT : Phase::REQ_SENT;
		}
	}

	void move()
	{
		if (source_.below(3)) {
			const Move &move = source_.pick(usual(phase_));
			add(move.step);
			phase_ = move.to;
			return;
		}
		const std::string step = source_.pick(anything);
		add(step);
		if (step == "destroy A")
			phase_ = Phase::GONE;
	}

	void add(const std::string &step) { script_.steps.push_back(step); }

private:
	Source &source_;
	Script &script_;
	Phase phase_ = Phase::IDLE;
};

// Requests that look like one which is there already.
const std::vector<const char *> again = {
	"peer REQ B like=A newtid=1", "peer REQ B like=A newtid=1 newcomm=1", "peer REQ B like=A newcomm=1", "peer REQ B like=A newtid=1 newqpn=1",
	"peer REQ B", "peer REQ B sid=3", "peer REQ B badpath=1", "peer REQ B badalt=1",
};

const std::vector<const char *> faults = {
	"fault drop attr=REP times=1", "fault drop attr=RTU times=1", "fault drop attr=DREQ times=1",
	"fault send_late arg=20 times=3",
};

}

std::vector<Script> random_scripts(uint64_t seed, size_t count)
{
	std::vector<Script> out;
	for (size_t i = 0; i < count; i++) {
		Source source(seed, i);
		Script script{"random/" + std::to_string(seed) + "/" + std::to_string(i), "", {}};
		const size_t kind = source.below(20);
		Walk walk(source, script);
		const bool timed = kind == 0 && source.one_in(2);
		const bool fault = kind == 2;
		const bool passive = source.one_in(2);
		const size_t moves = 6 + source.below(timed ? 1 : 8);
		if (timed)
			script.options = " timeout=18 lifetime=18 retries=" + std::to_string(source.below(2));
		if (fault) {
			script.options = " own=1";
			walk.add(source.pick(faults));
		}
		walk.begin(passive, kind == 3);
		for (size_t k = 0; k < moves; k++) {
			if (passive && kind >= 17 && source.one_in(5))
				walk.add(source.pick(again));
			else
				walk.move();
		}
		if (timed)
			walk.add("wait ms=4000");
		out.push_back(script);
	}
	return out;
}

}
