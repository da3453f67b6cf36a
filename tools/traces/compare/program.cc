// SPDX-License-Identifier: GPL-2.0-only
#include "program.hh"

#include <iostream>

namespace traces {

std::ifstream open(const std::string &name)
{
	std::ifstream in(name);
	if (!in)
		throw Error("cannot read " + name);
	return in;
}

std::vector<Sequence> trace(const std::string &name)
{
	auto in = open(name);
	return read_trace(in, name);
}

Words without_flags(const Words &words, const std::map<std::string, bool *> &flags)
{
	Words rest;
	for (const auto &word : words) {
		if (const auto flag = flags.find(word); flag != flags.end())
			*flag->second = true;
		else
			rest.push_back(word);
	}
	return rest;
}

int program(const std::string &name, int argc, char **argv, int (*run)(const Words &))
{
	try {
		return run({argv + 1, argv + argc});
	} catch (const Error &error) {
		std::cerr << name << ": " << error.what() << "\n";
		return 2;
	}
}

}
