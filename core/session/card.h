#pragma once

#include "model/graph.h"
#include "report/node_names.h"

#include <string>
#include <string_view>
#include <vector>

namespace fusescope {

// What an operator is, for colour and pictogram; in the order of the theme's categories.
enum class OperatorCategory {
    conv, // and products
    normalization,
    activation,
    pooling,
    shape,
    elementwise,
    reduction,
    controlFlow,
    quantization,
    custom // and unknown
};
OperatorCategory categoryOf(const Graph& graph, const Node& node);

struct CardRow
{
    std::string label; // "W", "group"
    std::string text;  // "128×64×3×3", "0.125"
    ValueId value;     // of a weight
    bool operator==(const CardRow&) const = default;
};

struct CardOptions
{
    std::string scope; // names are shown relative to it: "/layer2/layer2.0"
    bool attributes = true;
    bool weights = true;
    bool names = true;
    bool operator==(const CardOptions&) const = default;
};

// What stands on a node's card: measured for the layout and painted from the same record.
struct CardContent
{
    std::string title;     // "Conv", "ConvAddRelu", "com.acme.Op"
    std::string name;      // relative to the scope; empty where names are off or it repeats the title
    std::string wholeName; // as in the file; may be empty
    std::string key;       // "3×3 /2", "axis −1", "× 0.125"
    std::vector<CardRow> rows;
    int moreRows = 0;      // that did not fit in the five
    OperatorCategory category = OperatorCategory::custom;
    bool nameless = false; // the name is made up: "Conv #17"
    bool fused = false;    // a region
    bool opens = false;    // holds bodies, or calls a function
    bool operator==(const CardContent&) const = default;
};
inline constexpr int maxCardRows = 5;

CardContent cardContent(const Graph& graph, NodeId id, const CardOptions& options = {});
// With a record that need not stand in the graph any more; values are looked up in the graph.
CardContent cardContent(const Graph& graph, NodeId id, const Node& node, const CardOptions& options);

// "N×128×28×28", "scalar", "?" where the rank is unknown; what is no tensor as its type's text.
std::string shapeLabel(const Shape& shape);
// The shape; before it the element type where that is not float32.
std::string typeLabel(const Type& type);

// `/layer2/layer2.0/conv1/Conv` is `conv1` for a Conv in `/layer2/layer2.0`.
std::string nameInScope(std::string_view name, std::string_view scope, std::string_view op);
// "layer2.0/conv2 + bn2 + relu": names of what stands for one node, the scope of the first said once;
// at most four.
std::string jointName(const std::vector<std::string>& names);
// The parts of a name between slashes, without the last one that names the operator.
std::vector<std::string> scopeParts(std::string_view name, std::string_view op);

} // namespace fusescope
