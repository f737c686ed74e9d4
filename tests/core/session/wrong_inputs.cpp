#include "core/session/wrong_inputs.h"

#include "core/session/official_tests.h"
#include "exec/executor.h"
#include "io/data_files.h"
#include "io/document.h"
#include "report/render.h"
#include "session/conformance_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <set>

namespace fusescope::test {

namespace {

bool isAllowed(const FormalParameter& parameter, DType type)
{
    const std::string wanted = fmt::format("tensor({})", nameOf(type));
    return std::ranges::any_of(parameter.types, [&](std::string_view allowed) {
        return allowed.find(wanted) != std::string_view::npos;
    });
}

// A type that no version of the operator takes there.
std::optional<Tensor> ofOtherType(const Tensor& tensor, const FormalParameter& parameter)
{
    if (!tensor.isString() && !isAllowed(parameter, DType::string))
        return Tensor::strings(tensor.shape(), std::vector<std::string>(static_cast<std::size_t>(
                                                   tensor.elementCount())));
    for (const DType type : {DType::boolean, DType::float32, DType::int64}) {
        if (!isAllowed(parameter, type))
            return Tensor::allocate(type, tensor.shape());
    }
    return std::nullopt;
}

std::optional<Tensor> ofOtherRank(const Tensor& tensor)
{
    if (tensor.isString())
        return std::nullopt;
    std::vector<std::int64_t> shape = tensor.shape();
    shape.insert(shape.begin(), {1, 1, 1});
    Tensor other = Tensor::allocate(tensor.dtype(), shape);
    const Tensor plain = tensor.materialized();
    std::memcpy(other.mutableData(), plain.data(), static_cast<std::size_t>(plain.byteSize()));
    return other;
}

// Whether an error says where, and what was expected and found (or the two that do not fit).
bool saysEnough(const Error& error)
{
    const std::string_view key = error.message.text.key;
    const auto has = [&](std::string_view name) {
        return std::ranges::any_of(error.message.args,
                                   [&](const auto& arg) { return arg.first == name; });
    };
    const bool expectedAndFound = has("expected") && has("found");
    const bool namesInput = has("input") && (!key.starts_with("ops.value-") || has("value"));
    // An attribute or an axis that the input does not fit, or inputs that do not fit each other.
    const bool namesOther = has("name") || has("axis") || has("what") || has("equation") || key.starts_with("ops.split-") ||
                            key == "ops.attention-shapes" || key == "ops.not-a-number";
    // Two facts that contradict each other, such as an index and a size.
    return error.node && (namesInput || namesOther) &&
           (expectedAndFound || error.message.args.size() >= 2 || key == "ops.attention-shapes" ||
            key == "ops.not-a-number");
}

class Prober
{
public:
    Prober(Graph graph, RunInputs inputs) : m_graph(std::move(graph)), m_inputs(std::move(inputs)) {}

    // The same graph, of whose inputs no type is declared: the node has to refuse.
    Result<void> undeclare()
    {
        GraphPatch patch;
        for (const ValueId id : m_graph.body(m_graph.mainBody())->inputs) {
            auto value = std::make_shared<Value>(*m_graph.value(id));
            value->type = {};
            patch.values.push_back({id, m_graph.valuePtr(id), std::move(value)});
        }
        return m_graph.apply(patch);
    }

    std::string run(const Node& node, int& refused) const
    {
        std::string text;
        const OpSchema* schema = findSchema(node.op.domain, node.op.type, INT_MAX);
        for (std::size_t i = 0; schema && i < node.inputs.size(); ++i) {
            const Value* value = m_graph.value(node.inputs[i]);
            const FormalParameter* parameter = schema->input(i);
            const auto given = value ? m_inputs.find(value->name) : m_inputs.end();
            const Tensor* tensor = given != m_inputs.end() ? given->second.tensor() : nullptr;
            if (!tensor || !parameter)
                continue;
            const auto note = [&](std::optional<Tensor> wrong, bool mustFail) {
                if (!wrong)
                    return;
                RunInputs inputs = m_inputs;
                const std::string type = RuntimeValue(*wrong).type().text();
                inputs[value->name] = RuntimeValue(*std::move(wrong));
                const auto result = ReferenceExecutor(m_graph).run(inputs, {});
                if (result && !mustFail)
                    return;
                refused += result ? 0 : 1;
                if (result || !saysEnough(result.error()))
                    text += fmt::format("{} input {} of type {}: {}\n", node.op.type, i + 1, type,
                                        result ? "is taken"
                                               : render(result.error().message, &m_graph));
            };
            note(ofOtherType(*tensor, *parameter), true);
            note(ofOtherRank(*tensor), false);
        }
        return text;
    }

private:
    Graph m_graph;
    RunInputs m_inputs;
};

} // namespace

std::string wrongInputFaults(const std::string& root, int& refused)
{
    std::string text;
    std::set<std::string> seen;
    for (const std::string& model : modelsBelow(root)) {
        const auto document = Document::open(model, {});
        if (!document || (*document)->graph().allNodes().size() != 1)
            continue;
        Graph graph = (*document)->graph();
        const Node node = *graph.node(graph.allNodes().front());
        if (!seen.insert(fmt::format("{} {}", node.op.type, node.inputs.size())).second)
            continue;
        auto inputs = readOfficialInputs(graph, testDataSets(model).front());
        if (!inputs)
            continue;
        Prober prober(std::move(graph), *std::move(inputs));
        if (prober.undeclare())
            text += prober.run(node, refused);
    }
    return text;
}

} // namespace fusescope::test
