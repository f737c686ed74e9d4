#include "exec/gradient.h"

#include "ops/broadcast.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace fusescope::reference {

namespace {

using Numbers = std::vector<double>;

// The derivative of an elementwise operator by its k-th operand, from the operands and the result.
using Partial = double (*)(const Numbers& x, double y, std::size_t k);

struct Rule
{
    std::string_view op;
    Partial partial;
};

constexpr Rule rules[] = {
    {"Abs",
     [](const Numbers& x, double, std::size_t) { return x[0] < 0 ? -1.0 : x[0] > 0 ? 1.0 : 0.0; }},
    {"Add", [](const Numbers&, double, std::size_t) { return 1.0; }},
    {"Cos", [](const Numbers& x, double, std::size_t) { return -std::sin(x[0]); }},
    {"Div",
     [](const Numbers& x, double y, std::size_t k) { return k == 0 ? 1 / x[1] : -y / x[1]; }},
    {"Exp", [](const Numbers&, double y, std::size_t) { return y; }},
    {"Identity", [](const Numbers&, double, std::size_t) { return 1.0; }},
    {"Log", [](const Numbers& x, double, std::size_t) { return 1 / x[0]; }},
    {"Mul", [](const Numbers& x, double, std::size_t k) { return x[1 - k]; }},
    {"Neg", [](const Numbers&, double, std::size_t) { return -1.0; }},
    {"Pow",
     [](const Numbers& x, double y, std::size_t k) {
         return k == 0 ? x[1] * std::pow(x[0], x[1] - 1) : y * std::log(x[0]);
     }},
    {"Reciprocal", [](const Numbers&, double y, std::size_t) { return -y * y; }},
    {"Relu", [](const Numbers& x, double, std::size_t) { return x[0] > 0 ? 1.0 : 0.0; }},
    {"Sigmoid", [](const Numbers&, double y, std::size_t) { return y * (1 - y); }},
    {"Sin", [](const Numbers& x, double, std::size_t) { return std::cos(x[0]); }},
    {"Sqrt", [](const Numbers&, double y, std::size_t) { return 0.5 / y; }},
    {"Sub", [](const Numbers&, double, std::size_t k) { return k == 0 ? 1.0 : -1.0; }},
    {"Sum", [](const Numbers&, double, std::size_t) { return 1.0; }},
    {"Tanh", [](const Numbers&, double y, std::size_t) { return 1 - y * y; }},
};

class Differentiation
{
public:
    Differentiation(const Graph& graph, NodeId id, const Node& node, const RunNode& run)
        : m_graph(graph), m_id(id), m_node(node), m_run(run)
    {
    }

    Result<std::vector<RuntimeValue>> run(const std::vector<RuntimeValue>& inputs)
    {
        const auto xs = m_node.attributes.getStrings("xs").value_or(std::vector<std::string>{});
        std::vector<std::string> names = xs;
        const auto zs = m_node.attributes.getStrings("zs").value_or(std::vector<std::string>{});
        names.insert(names.end(), zs.begin(), zs.end());
        std::vector<ValueId> sources;
        for (std::size_t i = 0; i < names.size(); ++i) {
            FUSESCOPE_ASSIGN(const ValueId value, valueNamed(names[i]));
            if (i >= inputs.size() || !inputs[i].tensor())
                return wrong(Message("ops.missing-input",
                                     {{"input", static_cast<std::int64_t>(i + 1)}}));
            m_values[value] = inputs[i].tensorPtr();
            sources.push_back(value);
        }
        FUSESCOPE_ASSIGN(const ValueId target,
                         valueNamed(m_node.attributes.getString("y", "")));
        FUSESCOPE_TRY(forward(target));
        m_slopes[target] = Numbers(static_cast<std::size_t>(m_values[target]->elementCount()), 1.0);
        for (auto id = m_between.rbegin(); id != m_between.rend(); ++id)
            FUSESCOPE_TRY(backward(*m_graph.node(*id)));
        std::vector<RuntimeValue> results(m_node.outputs.size());
        for (std::size_t i = 0; i < std::min(results.size(), xs.size()); ++i) {
            const Tensor& x = *m_values[sources[i]];
            Tensor slope = Tensor::allocate(x.dtype(), x.shape());
            const auto found = m_slopes.find(sources[i]);
            for (std::int64_t k = 0; found != m_slopes.end() && k < slope.elementCount(); ++k)
                slope.store(k, found->second[static_cast<std::size_t>(k)]);
            results[i] = RuntimeValue(std::move(slope));
        }
        return results;
    }

private:
    tl::unexpected<Error> wrong(Message message) const
    {
        return fail(ErrorCode::failed, std::move(message), m_id);
    }

    Result<ValueId> valueNamed(const std::string& name) const
    {
        const Body& body = *m_graph.body(m_node.body);
        std::vector<ValueId> all = body.inputs;
        all.insert(all.end(), body.initializers.begin(), body.initializers.end());
        for (const NodeId id : *m_graph.nodes(m_node.body)) {
            const auto& outputs = m_graph.node(id)->outputs;
            all.insert(all.end(), outputs.begin(), outputs.end());
        }
        for (const ValueId id : all) {
            if (id && !name.empty() && m_graph.value(id)->name == name)
                return id;
        }
        return wrong(Message("ops.gradient-name", {{"name", name}}));
    }

    // Runs what lies between the sources and the target, in order.
    Result<void> forward(ValueId target)
    {
        std::set<NodeId> needed;
        std::vector<ValueId> pending = {target};
        while (!pending.empty()) {
            const ValueId value = pending.back();
            pending.pop_back();
            if (!value || m_values.contains(value))
                continue;
            if (const TensorPtr constant = m_graph.constant(value)) {
                m_values[value] = constant;
                continue;
            }
            const NodeId producer = m_graph.producer(value);
            if (!producer || producer == m_id || m_graph.node(producer)->body != m_node.body)
                return wrong(Message("ops.gradient-open", {{"value", value}}));
            if (needed.insert(producer).second) {
                const auto& inputs = m_graph.node(producer)->inputs;
                pending.insert(pending.end(), inputs.begin(), inputs.end());
            }
        }
        for (const NodeId id : *m_graph.nodes(m_node.body)) {
            if (!needed.contains(id))
                continue;
            const Node& node = *m_graph.node(id);
            // Two of them might ask each other for ever.
            if (isGradient(node))
                return unknown(node);
            std::vector<RuntimeValue> inputs;
            for (const ValueId input : node.inputs)
                inputs.push_back(input ? RuntimeValue(m_values[input]) : RuntimeValue());
            FUSESCOPE_ASSIGN(const std::vector<RuntimeValue> outputs, m_run(id, node, inputs));
            if (node.outputs.size() != 1 || outputs.size() != 1 || !outputs[0].tensor())
                return unknown(node);
            m_values[node.outputs[0]] = outputs[0].tensorPtr();
            m_between.push_back(id);
        }
        return {};
    }

    tl::unexpected<Error> unknown(const Node& node) const
    {
        return wrong(Message("ops.gradient-operator", {{"op", node.op.type}}));
    }

    Numbers& slopeOf(ValueId value)
    {
        return m_slopes
            .try_emplace(value, static_cast<std::size_t>(m_values[value]->elementCount()), 0.0)
            .first->second;
    }

    Result<void> backward(const Node& node)
    {
        const auto given = m_slopes.find(node.outputs[0]);
        if (given == m_slopes.end())
            return {};
        const Numbers slope = given->second;
        const auto rule = std::ranges::find(rules, node.op.type, &Rule::op);
        const bool standard = node.op.domain.empty() && !node.region;
        if (standard && node.is("MatMul"))
            return backwardProduct(node, slope);
        if (!standard || rule == std::end(rules) || node.attributes.has("broadcast") ||
            (node.inputs.size() > 2 && !node.is("Sum")))
            return unknown(node);
        const Tensor& y = *m_values[node.outputs[0]];
        std::vector<const Tensor*> operands;
        std::vector<Sizes> steps;
        for (const ValueId input : node.inputs) {
            operands.push_back(m_values[input].get());
            if (operands.back()->rank() > y.rank())
                return unknown(node);
            steps.push_back(broadcastStrides(operands.back()->shape(), y.shape()));
        }
        Numbers x(operands.size());
        std::vector<std::size_t> places(operands.size());
        for (std::int64_t i = 0; i < y.elementCount(); ++i) {
            for (std::size_t k = 0; k < operands.size(); ++k) {
                std::int64_t left = i, place = 0;
                for (std::size_t axis = y.rank(); axis-- > 0;) {
                    place += left % y.shape()[axis] * steps[k][axis];
                    left /= y.shape()[axis];
                }
                places[k] = static_cast<std::size_t>(place);
                x[k] = operands[k]->asDouble(place);
            }
            for (std::size_t k = 0; k < operands.size(); ++k)
                slopeOf(node.inputs[k])[places[k]] +=
                    slope[static_cast<std::size_t>(i)] * rule->partial(x, y.asDouble(i), k);
        }
        return {};
    }

    // dA = dY Bᵀ and dB = Aᵀ dY, for two matrices.
    Result<void> backwardProduct(const Node& node, const Numbers& slope)
    {
        const Tensor& a = *m_values[node.inputs[0]];
        const Tensor& b = *m_values[node.inputs[1]];
        if (a.rank() != 2 || b.rank() != 2)
            return unknown(node);
        const std::int64_t rows = a.shape()[0], inner = a.shape()[1], columns = b.shape()[1];
        Numbers& da = slopeOf(node.inputs[0]);
        Numbers& db = slopeOf(node.inputs[1]);
        for (std::int64_t i = 0; i < rows; ++i) {
            for (std::int64_t j = 0; j < columns; ++j) {
                const double s = slope[static_cast<std::size_t>(i * columns + j)];
                for (std::int64_t k = 0; k < inner; ++k) {
                    da[static_cast<std::size_t>(i * inner + k)] += s * b.asDouble(k * columns + j);
                    db[static_cast<std::size_t>(k * columns + j)] += s * a.asDouble(i * inner + k);
                }
            }
        }
        return {};
    }

    const Graph& m_graph;
    NodeId m_id;
    const Node& m_node;
    const RunNode& m_run;
    std::map<ValueId, TensorPtr> m_values;
    std::map<ValueId, Numbers> m_slopes;
    std::vector<NodeId> m_between;
};

} // namespace

bool isGradient(const Node& node)
{
    return node.op.domain == "ai.onnx.preview.training" && node.op.type == "Gradient";
}

Result<std::vector<RuntimeValue>> differentiate(const Graph& graph, NodeId id, const Node& node,
                                                const std::vector<RuntimeValue>& inputs,
                                                const RunNode& run)
{
    return Differentiation(graph, id, node, run).run(inputs);
}

} // namespace fusescope::reference
