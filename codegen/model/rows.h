// SPDX-License-Identifier: GPL-2.0-only
//
// Owns: nothing but the way in which a phase adds its rows.
#pragma once

#include "names.h"

namespace cepheus::model {

inline void add(std::vector<Row> &rows, std::initializer_list<Row> more)
{
	rows.insert(rows.end(), more);
}

} // namespace cepheus::model
