#include "support/same_graph.h"

#include <fmt/format.h>

namespace fusescope::support {

namespace {

bool same(const TensorPtr& a, const TensorPtr& b)
{
    if (!a || !b)
        return !a && !b;
    if (!a->isAvailable() || !b->isAvailable())
        return a->isAvailable() == b->isAvailable() && a->dtype() == b->dtype() &&
               a->shape() == b->shape();
    return a->bitwiseEquals(*b);
}

bool same(const SparseTensorPtr& a, const SparseTensorPtr& b)
{
    if (!a || !b)
        return !a && !b;
    return a->shape == b->shape && same(a->values, b->values) && same(a->indices, b->indices);
}

std::string difference(const Node& a, const Node& b)
{
    if (!(a.op == b.op))
        return "operator " + a.op.type + " and " + b.op.type;
    if (a.name != b.name)
        return "name";
    if (!(a.attributes == b.attributes))
        return "attributes";
    if (a.body != b.body || a.order != b.order)
        return "place";
    if (a.inputs != b.inputs)
        return "inputs";
    if (a.outputs != b.outputs)
        return "outputs";
    if (a.bodies != b.bodies)
        return "bodies";
    return a.region == b.region ? "" : "region";
}

std::string difference(const Value& a, const Value& b)
{
    if (a.name != b.name)
        return "name " + a.name + " and " + b.name;
    if (!(a.type == b.type))
        return "type " + a.type.text() + " and " + b.type.text();
    if (a.body != b.body || a.isInput != b.isInput)
        return "place";
    return same(a.constant, b.constant) && same(a.sparse, b.sparse) ? "" : "contents";
}

bool same(const std::shared_ptr<const FunctionInfo>& a, const std::shared_ptr<const FunctionInfo>& b)
{
    if (!a || !b)
        return !a && !b;
    return a->key == b->key && a->attributes == b->attributes && a->defaults == b->defaults &&
           a->opsets == b->opsets;
}

std::string difference(const Body& a, const Body& b)
{
    if (a.kind != b.kind || a.name != b.name || a.owner != b.owner ||
        a.attributeName != b.attributeName)
        return "kind, name or owner";
    if (a.inputs != b.inputs || a.outputs != b.outputs || a.initializers != b.initializers)
        return "inputs, outputs or initializers";
    return same(a.function, b.function) ? "" : "function";
}

template <class Record>
std::string difference(std::string_view what, std::uint32_t id, const Record* a, const Record* b)
{
    if (!a && !b)
        return {};
    const std::string text = a && b ? difference(*a, *b) : "only in one";
    return text.empty() ? text : fmt::format("{} {}: {}", what, id, text);
}

} // namespace

std::string differenceOf(const Graph& a, const Graph& b)
{
    const Header& x = a.header();
    const Header& y = b.header();
    if (x.irVersion != y.irVersion || x.opsets != y.opsets || x.metadata != y.metadata ||
        x.producerName != y.producerName || x.mainBody != y.mainBody || x.functions != y.functions)
        return "headers differ";
    for (std::uint32_t i = 1; i < std::max(a.bodyLimit(), b.bodyLimit()); ++i) {
        if (auto text = difference("body", i, a.body(BodyId{i}), b.body(BodyId{i})); !text.empty())
            return text;
    }
    for (std::uint32_t i = 1; i < std::max(a.nodeLimit(), b.nodeLimit()); ++i) {
        if (auto text = difference("node", i, a.node(NodeId{i}), b.node(NodeId{i})); !text.empty())
            return text;
    }
    for (std::uint32_t i = 1; i < std::max(a.valueLimit(), b.valueLimit()); ++i) {
        if (auto text = difference("value", i, a.value(ValueId{i}), b.value(ValueId{i}));
            !text.empty())
            return text;
    }
    return {};
}

} // namespace fusescope::support
