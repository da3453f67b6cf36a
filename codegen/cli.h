// SPDX-License-Identifier: GPL-2.0-only
//
// The commands of cmgen over any model, so that tests run them over bad ones.
#pragma once

#include "model/types.h"

#include <iosfwd>
#include <span>
#include <string_view>

namespace cepheus {

// 0: done. 1: the model has findings, or a mutant survived. 2: wrong usage.
int run(std::span<const std::string_view> args, const model::Model &model, std::ostream &out, std::ostream &err);

} // namespace cepheus
