#pragma once

#include "ops/inference.h"
#include "patterns/graph_view.h"

namespace fusescope {

// What follows of a value from the inputs of the model and the operators on the way, some steps
// back: sizes that the file only declares for what nodes make are hints and do not count, but where
// inference cannot even tell the rank (an unknown operator, a body, a call).
KnownValue provenValue(const GraphView& view, ValueId value);

inline Shape provenShape(const GraphView& view, ValueId value)
{
    return provenValue(view, value).type.shape;
}

} // namespace fusescope
