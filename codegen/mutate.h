// SPDX-License-Identifier: GPL-2.0-only
//
// Makes one small fault at a time in a model that has no finding, and counts
// the faults that the checks see.
#pragma once

#include "model/types.h"

#include <string>
#include <vector>

namespace cepheus {

struct MutantClass {
	std::string what;
	std::size_t made = 0;
	std::vector<std::string> survivors = {};
};

std::vector<MutantClass> mutate(const model::Model &model);

} // namespace cepheus
