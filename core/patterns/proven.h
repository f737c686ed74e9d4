#pragma once

#include "ops/inference.h"
#include "patterns/graph_view.h"

namespace fusescope {

// What follows of a value from the inputs of the model and the operators on the way, some steps
// back: sizes that the file only declares for what nodes make are hints and do not count, but for what
// an unknown operator, a body or a call makes.
KnownValue provenValue(const GraphView& view, ValueId value);

inline Shape provenShape(const GraphView& view, ValueId value)
{
    return provenValue(view, value).type.shape;
}

} // namespace fusescope
