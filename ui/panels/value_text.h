#pragma once

#include "model/attribute.h"
#include "model/schema.h"

#include <QString>

namespace fusescope {

class Graph;

// Attributes and tensors in a few words; what is long is cut with "…".
QString valueText(const Attribute& attribute, const Graph& graph);
QString valueText(const AttributeDefault& value);
// "[0.1, 0.2, …]": at most `most` elements.
QString elementsText(const Tensor& tensor, std::int64_t most);

} // namespace fusescope
