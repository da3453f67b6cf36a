// SPDX-License-Identifier: GPL-2.0-only
//
// A protocol in miniature: the three machines, a handful of states each, every
// feature of the model once. It has no finding, so that a test changes one
// thing and reads what the checks say.
#pragma once

#include "../model/types.h"

namespace cepheus {

model::Model mini();

} // namespace cepheus
