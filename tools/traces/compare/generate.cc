// SPDX-License-Identifier: GPL-2.0-only
// generate DIR [--random COUNT --seed SEED] [FILE...]: batches that cm_script.ko plays, as DIR/NNN.txt, from scripts and a seed.
#include <cstdio>
#include <fstream>
#include <iostream>

#include "script.hh"

using namespace traces;

namespace {

uint64_t number(const std::string &text)
{
	size_t end = 0;
	uint64_t value = 0;
	try {
		value = std::stoull(text, &end);
	} catch (const std::exception &) {
	}
	if (text.empty() || end != text.size())
		throw Error("'" + text + "' is not a number");
	return value;
}

int run(const std::vector<std::string> &args)
{
	std::string dir;
	uint64_t seed = 1, count = 0;
	Expander expander;
	for (size_t i = 0; i < args.size(); i++) {
		if (args[i] == "--random" || args[i] == "--seed") {
			if (i + 1 == args.size())
				throw Error(args[i] + " needs a value");
			(args[i] == "--seed" ? seed : count) = number(args[i + 1]);
			i++;
		} else if (dir.empty()) {
			dir = args[i];
		} else {
			std::ifstream in(args[i]);
			if (!in)
				throw Error("cannot read " + args[i]);
			expander.read(in, args[i]);
		}
	}
	if (dir.empty())
		throw Error("usage: generate DIR [--random COUNT --seed SEED] [FILE...]");
	std::vector<Script> scripts = expander.scripts();
	const size_t written = scripts.size();
	const auto random = random_scripts(seed, count);
	size_t steps = 0;
	for (const auto &script : scripts)
		steps += script.steps.size();
	scripts.insert(scripts.end(), random.begin(), random.end());
	size_t index = 0;
	for (const auto &batch : batches(scripts)) {
		char name[16];
		std::snprintf(name, sizeof(name), "/%03zu.txt", index++);
		std::ofstream out(dir + name);
		out << to_text(batch);
		if (!out.flush())
			throw Error("cannot write " + dir + name);
	}
	std::cout << written << " scripted sequences with " << steps << " steps, " << random.size() << " random ones (seed " << seed << "), "
		  << index << " batches\n";
	return 0;
}

}

int main(int argc, char **argv)
try {
	return run({argv + 1, argv + argc});
} catch (const Error &error) {
	std::cerr << "generate: " << error.what() << "\n";
	return 2;
}
