// SPDX-License-Identifier: GPL-2.0-only
#include "cli.h"

#include <iostream>
#include <vector>

int main(int argc, char **argv)
{
	std::vector<std::string_view> args(argv + 1, argv + argc);
	int status = cepheus::run(args, cepheus::model::protocol(), std::cout, std::cerr);
	if (!std::cout.flush()) {
		std::cerr << "cmgen: cannot write the output\n";
		return 2;
	}
	return status;
}
