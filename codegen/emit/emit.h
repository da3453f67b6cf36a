// SPDX-License-Identifier: GPL-2.0-only
//
// The two shapes in which a model leaves this program. Both depend on the model
// alone: same model, same bytes.
#pragma once

#include "../model/types.h"

#include <string>

namespace cepheus {

// For reviewers, who diff it; the model's hash is that of this text. It has
// neither row numbers nor line numbers, so that moving a row changes that row.
std::string dump(const model::Model &model);

// For the templates: everything numbered, and the dump itself.
std::string json(const model::Model &model);

} // namespace cepheus
