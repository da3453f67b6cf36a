// SPDX-License-Identifier: GPL-2.0-only
// Scripts: from the files a person writes, or a seed, to the plain sequences that cm_script.ko plays.
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

#include "trace.hh"

namespace traces {

struct Script {
	std::string name, options;		// options: of the line "sequence"
	std::vector<std::string> steps;

	bool own_port() const { return options.find("own=1") != std::string::npos; }
	bool solo() const { return options.find("solo=1") != std::string::npos; }	// nothing is played beside it
	bool roce() const { return options.find("layer=roce") != std::string::npos; }
	bool waits() const;			// it has a step that lasts
	size_t copies() const;
};

// Files of one run share the ways to a state: `state NAME` in one is known in those after it.
class Expander {
public:
	void read(std::istream &in, const std::string &file);
	const std::vector<Script> &scripts() const { return scripts_; }

private:
	struct Way {
		std::string name;
		std::vector<std::string> steps;
	};
	const Way *way(const std::string &name) const;
	void append(std::vector<std::string> &steps, const std::string &line) const;
	void copy();

	std::vector<Way> ways_;
	std::vector<Script> scripts_;
};

// The same for the same seed, everywhere.
std::vector<Script> random_scripts(uint64_t seed, size_t count);

// Batches: sequences that last apart from those that do not, no more than the guest has ports for.
std::vector<std::vector<Script>> batches(const std::vector<Script> &scripts);

std::string to_text(const std::vector<Script> &batch);

}
