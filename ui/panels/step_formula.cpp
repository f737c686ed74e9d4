#include "ui/panels/step_formula.h"

#include "ui/text.h"

#include <algorithm>
#include <array>

namespace fusescope {

namespace {

using Maker = StepFormula (*)(const Graph&, const Graph&, const Step&);

struct Entry
{
    std::string_view rule;
    Maker make;
};

constexpr std::array entries = {
    Entry{"conv-batchnorm", batchnormFormula},
    Entry{"convtranspose-batchnorm", batchnormFormula},
    Entry{"gemm-batchnorm", batchnormFormula},
    Entry{"layer-normalization", normalizationFormula},
    Entry{"rms-normalization", normalizationFormula},
    Entry{"gelu", gateFormula},
    Entry{"quick-gelu", gateFormula},
    Entry{"silu", gateFormula},
    Entry{"hard-swish", gateFormula},
    Entry{"mish", gateFormula},
    Entry{"concat-conv", concatConvFormula},
};

const Entry* entryOf(const Step& step)
{
    if (step.state != StepState::applied)
        return nullptr;
    const auto* found = std::ranges::find_if(
        entries, [&step](const Entry& entry) { return step.rule == entry.rule; });
    return found == entries.end() ? nullptr : found;
}

} // namespace

bool hasFormula(const Step& step)
{
    return entryOf(step) != nullptr;
}

std::optional<StepFormula> stepFormula(const Graph& before, const Graph& after, const Step& step)
{
    const Entry* entry = entryOf(step);
    if (!entry)
        return std::nullopt;
    return entry->make(before, after, step);
}

std::vector<double> formulas::numbers(const Graph& graph, ValueId id)
{
    const TensorPtr tensor = id ? graph.constant(id) : nullptr;
    std::vector<double> all;
    if (!tensor || !tensor->isAvailable() || tensor->isString())
        return all;
    all.reserve(static_cast<std::size_t>(tensor->elementCount()));
    for (std::int64_t i = 0; i < tensor->elementCount(); ++i)
        all.push_back(tensor->asDouble(i));
    return all;
}

std::optional<double> formulas::scalar(const Graph& graph, ValueId id)
{
    const TensorPtr tensor = id ? graph.constant(id) : nullptr;
    if (!tensor || !tensor->isAvailable() || tensor->isString() || tensor->elementCount() != 1)
        return std::nullopt;
    return tensor->asDouble(0);
}

std::vector<const Node*> formulas::takenNodes(const Graph& before, const Step& step)
{
    std::vector<const Node*> nodes;
    for (const NodeId id : step.taken) {
        const Node* node = before.node(id);
        if (node && node->op.isStandard() && !node->is("Constant"))
            nodes.push_back(node);
    }
    std::ranges::sort(nodes, {}, &Node::order);
    return nodes;
}

const Node* formulas::addedNode(const Step& step, std::span<const std::string_view> types)
{
    for (const auto& slot : step.patch.nodes) {
        if (!slot.after)
            continue;
        for (const std::string_view type : types) {
            if (slot.after->is(type))
                return slot.after.get();
        }
    }
    return nullptr;
}

Expression formulas::sum(const QString& a, const QString& b, const QString& sign)
{
    return Expression::row({Expression::text(a), Expression::text(QStringLiteral(" %1 ").arg(sign)),
                            Expression::text(b)});
}

QString formulas::inside(double number, int digits)
{
    const QString words = text::value(number, digits);
    return number < 0 ? QStringLiteral("(%1)").arg(words) : words;
}

} // namespace fusescope
