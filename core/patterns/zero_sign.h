#pragma once

#include "patterns/graph_view.h"

namespace fusescope {

// The sign of zero, as IEEE 754-2019 (6.3) has it when rounding to nearest: a sum is −0 only where
// every summand is −0. So what a bias without −0 was added to holds none, and who adds such a bias
// gives the same, bit for bit, for −0 as for +0. Each product and each sum counts as rounded.

// Whether it is shown that no element of a value is −0; looks some steps back.
bool isNeverNegativeZero(const GraphView& view, ValueId value);

// Whether it is shown that all that read a value give the same for −0 as for +0. False for an output
// of the model or of a body.
bool isSignOfZeroUnseen(const GraphView& view, ValueId value);

} // namespace fusescope
