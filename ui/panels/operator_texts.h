#pragma once

#include "model/schema.h"

#include <QString>

namespace fusescope {

// What an operator does, in one sentence of the language that is spoken.
QString operatorText(const OpSchema& schema);

} // namespace fusescope
