// SPDX-License-Identifier: GPL-2.0-only
#include "mini.h"

cepheus::model::Model cepheus::model::protocol()
{
	return mini();
}
