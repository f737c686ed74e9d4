#include "ops/inference.h"

#include "ops/graph_reader.h"
#include "ops/kernel_support.h"
#include "ops/registry.h"
#include "report/node_form.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace fusescope {

namespace {

// Files may nest calls so that following them all would take forever: beyond either limit the
// outputs stay unknown.
constexpr int depthLimit = 64;
constexpr std::int64_t nodeBudget = 2'000'000;
constexpr std::int64_t callBudget = 200'000; // nodes of one call with all that it calls

struct Call
{
    const Attributes* attributes = nullptr; // of the function call around a node; null outside
    const FunctionInfo* info = nullptr;
};

// Whether a type holds these numbers exactly: what overflows wraps at run time, or is rounded.
bool fit(DType type, const std::vector<Dim>& data)
{
    if (type == DType::undefined || type == DType::boolean)
        return true;
    const int bits = type == DType::float64   ? 54
                     : type == DType::float32 ? 25
                                              : bitsOf(type) + (isSigned(type) ? 0 : 1);
    if (bits < 1 || bits > 63)
        return true;
    const std::int64_t limit = std::int64_t{1} << (bits - 1);
    return std::ranges::all_of(data, [limit](const Dim& dim) {
        const auto number = dim.constant();
        return !number || (*number >= -limit && *number < limit);
    });
}

class Inference
{
public:
    Inference(const GraphReader& reader, const RecordKnown& record)
        : m_reader(reader), m_record(record)
    {
    }

    Result<std::vector<KnownValue>> node(NodeId id, const Node& written, const KnownOf& known,
                                         const Call& call, int depth)
    {
        if (++m_inferred > nodeBudget || depth > depthLimit)
            return fail(ErrorCode::invalidModel, Message("ops.inference-limit"), id);
        if (call.info && hasReferences(written)) {
            const Node bound = bindAttributes(written, *call.attributes, *call.info);
            return boundNode(id, bound, known, call, depth);
        }
        return boundNode(id, written, known, call, depth);
    }

private:
    Result<std::vector<KnownValue>> boundNode(NodeId id, const Node& node, const KnownOf& known,
                                              const Call& call, int depth)
    {
        std::vector<KnownValue> inputs;
        inputs.reserve(node.inputs.size());
        for (const ValueId input : node.inputs)
            inputs.push_back(input ? known(input) : KnownValue{});
        if (node.region && !node.bodies.empty())
            return body(node.bodies.front(), inputs, known, call, depth + 1, true);
        if (const BodyId function = m_reader.functionOf(node.op))
            return functionCall(id, node, function, inputs, depth);

        std::vector<KnownValue> nothing(node.outputs.size());
        const OpSchema* schema = m_reader.schema(node);
        const OpEntry* entry =
            schema ? findOp(node.op.domain, node.op.type, schema->sinceVersion) : nullptr;
        if (!entry || !entry->infer)
            return nothing;
        if (auto wrong = wrongForm(*schema, node))
            return fail(ErrorCode::invalidModel, std::move(*wrong), id);
        InferenceContext context(
            node, id, schema->sinceVersion, std::move(inputs),
            [&](BodyId inner, const std::vector<KnownValue>& arguments) {
                return body(inner, arguments, known, call, depth + 1, false);
            });
        FUSESCOPE_TRY(entry->infer(context));
        std::vector<KnownValue> outputs = context.outputs();
        outputs.resize(node.outputs.size());
        for (KnownValue& output : outputs) {
            const auto sizes = output.type.shape.staticDims();
            if (output.data && sizes &&
                elementCountOf(*sizes) != static_cast<std::int64_t>(output.data->size()))
                output.data.reset();
            else if (output.data && !fit(output.type.dtype, *output.data))
                output.data.reset();
        }
        if (outputs.size() == 1) {
            if (TensorPtr constant = constantOf(node)) {
                outputs[0].type = Type::tensor(constant->dtype(), Shape::ofSizes(constant->shape()));
                if (constant->isAvailable())
                    outputs[0].constant = std::move(constant);
            }
        }
        return outputs;
    }

    Result<std::vector<KnownValue>> functionCall(NodeId id, const Node& node, BodyId function,
                                                 const std::vector<KnownValue>& inputs, int depth)
    {
        if (callSize(function, 0) > callBudget)
            return std::vector<KnownValue>(node.outputs.size());
        const Body& callee = *m_reader.body(function);
        const Call inner{&node.attributes, callee.function.get()};
        const KnownOf nothingOutside = [](ValueId) { return KnownValue{}; };
        FUSESCOPE_ASSIGN(std::vector<KnownValue> outputs,
                         body(function, inputs, nothingOutside, inner, depth + 1, false));
        outputs.resize(node.outputs.size());
        renameUnknowns(id, node, inputs, outputs);
        return outputs;
    }

    // How many nodes a body comes to, with its inner bodies and all calls written out.
    std::int64_t callSize(BodyId body, int depth)
    {
        constexpr std::int64_t tooMany = callBudget + 1;
        if (depth > depthLimit)
            return tooMany;
        const auto [known, isNew] = m_callSizes.try_emplace(body, tooMany); // of a call of itself
        if (!isNew)
            return known->second;
        std::int64_t total = 0;
        for (const NodeId id : m_reader.nodes(body)) {
            const Node& inner = *m_reader.node(id);
            ++total;
            for (const BodyId held : inner.bodies)
                total = std::min(tooMany, total + callSize(held, depth + 1));
            if (const BodyId called = m_reader.functionOf(inner.op))
                total = std::min(tooMany, total + callSize(called, depth + 1));
        }
        return m_callSizes[body] = total;
    }

    // An unknown of the function's body is another size at every call.
    static void renameUnknowns(NodeId id, const Node& node, const std::vector<KnownValue>& inputs,
                               std::vector<KnownValue>& outputs)
    {
        std::unordered_set<Dim> given;
        const auto note = [&given](const Dim& dim) {
            for (const Dim& leaf : dim.symbols())
                given.insert(leaf);
        };
        for (const KnownValue& input : inputs) {
            for (const Dim& dim : input.type.shape.dims())
                note(dim);
            for (const Dim& dim : input.data.value_or(std::vector<Dim>{}))
                note(dim);
        }
        std::map<Dim, Dim> renamed;
        const InferenceContext names(node, id, 1, {}, {});
        const auto rename = [&](const Dim& dim) {
            if (!dim.hasUnknown())
                return dim;
            for (const Dim& leaf : dim.symbols()) {
                if (leaf.isUnknown() && !given.contains(leaf) && !renamed.contains(leaf))
                    renamed.emplace(leaf, leaf.lowerBound().value_or(-1) >= 0
                                              ? names.unknown(0, 0x8000 + renamed.size())
                                              : names.unknownElement(0, 0x8000 + renamed.size()));
            }
            return dim.substitute(renamed);
        };
        for (KnownValue& output : outputs) {
            for (std::size_t i = 0; i < output.type.shape.rank(); ++i)
                output.type.shape.set(i, rename(output.type.shape[i]));
            if (output.data)
                std::ranges::transform(*output.data, output.data->begin(), rename);
        }
    }

    // `known` answers for what the body captures.
    Result<std::vector<KnownValue>> body(BodyId id, const std::vector<KnownValue>& inputs,
                                         const KnownOf& known, const Call& call, int depth,
                                         bool region)
    {
        const Body* b = m_reader.body(id);
        if (!b)
            return fail(ErrorCode::invalidModel, Message("model.no-body"));
        if (depth > depthLimit)
            return fail(ErrorCode::invalidModel, Message("ops.inference-limit"));
        std::unordered_map<ValueId, KnownValue> local;
        const auto set = [&](ValueId value, KnownValue found) {
            const Value* v = m_reader.value(value);
            // A function's body says nothing of its own: the same one serves several types.
            if (v && !call.info)
                found.type = mergeTypes(v->type, found.type);
            if (m_record && !call.info)
                m_record(value, found);
            local[value] = std::move(found);
        };
        for (std::size_t i = 0; i < b->inputs.size(); ++i)
            set(b->inputs[i], i < inputs.size() ? inputs[i] : KnownValue{});
        const KnownOf inside = [&](ValueId value) {
            if (const auto found = local.find(value); found != local.end())
                return found->second;
            const Value* v = m_reader.value(value);
            if (v && v->body == id)
                return knownValue(m_reader, value);
            return known(value);
        };
        for (const NodeId n : m_reader.nodes(id)) {
            const Node* written = m_reader.node(n);
            auto outputs = node(n, *written, inside, call, depth);
            if (!outputs) {
                if (region)
                    return tl::unexpected(std::move(outputs).error());
                outputs = std::vector<KnownValue>();
            }
            outputs->resize(written->outputs.size());
            for (std::size_t i = 0; i < written->outputs.size(); ++i) {
                if (written->outputs[i])
                    set(written->outputs[i], std::move((*outputs)[i]));
            }
        }
        std::vector<KnownValue> results;
        for (const ValueId output : b->outputs)
            results.push_back(output ? inside(output) : KnownValue{});
        return results;
    }

    const GraphReader& m_reader;
    const RecordKnown& m_record;
    std::unordered_map<BodyId, std::int64_t> m_callSizes;
    std::int64_t m_inferred = 0;
};

} // namespace

bool hasReferences(const Node& node)
{
    return std::ranges::any_of(node.attributes,
                               [](const Attribute& a) { return !a.reference.empty(); });
}

Node bindAttributes(const Node& node, const Attributes& call, const FunctionInfo& info)
{
    Node bound = node;
    for (const Attribute& written : node.attributes) {
        if (written.reference.empty())
            continue;
        const Attribute* given = call.find(written.reference);
        if (!given)
            given = info.defaults.find(written.reference);
        if (!given) {
            bound.attributes.remove(written.name);
            continue;
        }
        Attribute value = *given;
        value.name = written.name;
        bound.attributes.set(std::move(value));
    }
    return bound;
}

std::optional<Message> wrongForm(const OpSchema& schema, const Node& node)
{
    for (std::size_t i = 0; i < static_cast<std::size_t>(schema.minInputs); ++i) {
        const FormalParameter* parameter = schema.input(i);
        if (!node.input(i) && parameter && parameter->option != ParamOption::optional)
            return missingInput(i);
    }
    const auto given = [](const std::vector<ValueId>& values) {
        std::size_t count = values.size();
        while (count > 0 && !values[count - 1])
            --count;
        return static_cast<std::int64_t>(count);
    };
    const auto tooMany = [&node](TextId text, std::int64_t found, std::int64_t limit) {
        return Message(text, {{"op", node.op.type}, {"found", found}, {"limit", limit}});
    };
    if (given(node.inputs) > schema.maxInputs)
        return tooMany("io.too-many-inputs", given(node.inputs), schema.maxInputs);
    if (given(node.outputs) > schema.maxOutputs)
        return tooMany("io.too-many-outputs", given(node.outputs), schema.maxOutputs);
    if (auto wrong = wrongAttributes(schema, node); !wrong.empty())
        return std::move(wrong.front());
    return std::nullopt;
}

KnownValue knownValue(const GraphReader& reader, ValueId id)
{
    KnownValue known;
    const Value* v = reader.value(id);
    if (!v)
        return known;
    known.type = v->type;
    known.data = v->data;
    // Nobody asks a constant for its contents before knowing that they are there.
    if (TensorPtr constant = reader.constant(id); constant && constant->isAvailable())
        known.constant = std::move(constant);
    if (v->constant)
        known.type = mergeTypes(v->type, Type::tensor(v->constant->dtype(),
                                                      Shape::ofSizes(v->constant->shape())));
    else if (v->sparse && v->sparse->values)
        known.type = Type::tensor(v->sparse->values->dtype(), Shape::ofSizes(v->sparse->shape));
    return known;
}

Result<std::vector<KnownValue>> inferNode(const GraphReader& reader, NodeId id, const Node& node,
                                          const KnownOf& known, const RecordKnown& record)
{
    return Inference(reader, record).node(id, node, known, {}, 0);
}

Result<std::vector<KnownValue>> inferNode(const Graph& graph, NodeId id, const Node& node,
                                          const std::function<KnownValue(ValueId)>& known)
{
    return inferNode(PlainGraphReader(graph), id, node, known);
}

} // namespace fusescope
