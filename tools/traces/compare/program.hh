// SPDX-License-Identifier: GPL-2.0-only
// What the programs that read traces share: their flags, files, exit status.
#pragma once

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "trace.hh"

namespace traces {

using Words = std::vector<std::string>;

std::ifstream open(const std::string &name);
std::vector<Sequence> trace(const std::string &name);

// Says which flags were given, and returns the other words.
Words without_flags(const Words &words, const std::map<std::string, bool *> &flags);

// The exit status of run; 2, and why, if it has met an Error.
int program(const std::string &name, int argc, char **argv, int (*run)(const Words &));

}
