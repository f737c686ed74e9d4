#include "exec/reference_run.h"

#include "exec/bind_inputs.h"
#include "exec/gradient.h"
#include "ops/graph_reader.h"
#include "ops/input_checks.h"
#include "report/node_form.h"
#include "ops/registry.h"

#include <algorithm>
#include <new>

namespace fusescope::reference {

namespace {

constexpr int depthLimit = 100;

double millisecondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
}

// A tensor among the attributes whose contents are missing.
const Tensor* unavailableAttribute(const Node& node)
{
    const auto missing = [](const TensorPtr& tensor) { return tensor && !tensor->isAvailable(); };
    for (const Attribute& attribute : node.attributes) {
        if (const auto* tensor = std::get_if<TensorPtr>(&attribute.value); tensor && missing(*tensor))
            return tensor->get();
        const auto* sparse = std::get_if<SparseTensorPtr>(&attribute.value);
        if (!sparse || !*sparse)
            continue;
        for (const TensorPtr& part : {(*sparse)->values, (*sparse)->indices}) {
            if (missing(part))
                return part.get();
        }
    }
    return nullptr;
}

} // namespace

Run::Run(const Graph& graph, const RunOptions& options, RunResult& result)
    : m_graph(graph), m_options(options), m_result(result)
{
}

Result<std::vector<RuntimeValue>> Run::main(std::vector<RuntimeValue> arguments)
{
    m_result.profile.name = "reference";
    m_result.profile.runs = 1;
    const auto start = std::chrono::steady_clock::now();
    Frame frame;
    FUSESCOPE_ASSIGN(std::vector<RuntimeValue> outputs,
                     body(m_graph.mainBody(), std::move(arguments), frame));
    const double ms = millisecondsSince(start);
    m_result.profile.minMs = m_result.profile.medianMs = m_result.profile.p90Ms = ms;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        FUSESCOPE_TRY(checkOutput(m_graph.body(m_graph.mainBody())->outputs[i], outputs[i]));
    }
    return outputs;
}

Result<std::vector<RuntimeValue>> Run::alone(NodeId id)
{
    const Node* n = m_graph.node(id);
    if (!n)
        return fail(ErrorCode::failed, Message("model.no-body"), id);
    Frame frame;
    // CastLike reads nothing of its second input but the type.
    const Value* like = n->is("CastLike") ? m_graph.value(n->input(1)) : nullptr;
    if (like && like->type.dtype != DType::undefined && !m_graph.constant(n->input(1)))
        frame.values.emplace(n->input(1), RuntimeValue(Tensor::allocate(like->type.dtype, {0})));
    return node(id, *n, frame);
}

Result<std::vector<RuntimeValue>>
Run::withInputs(NodeId id, const Node& n, std::vector<RuntimeValue> inputs,
                const std::vector<std::pair<ValueId, RuntimeValue>>& captures)
{
    Frame frame;
    for (const auto& [value, captured] : captures)
        frame.values.emplace(value, captured);
    return dispatched(id, n, std::move(inputs), frame);
}

NodeId Run::readerIn(BodyId body, const Use& use) const
{
    NodeId id = use.node;
    if (!id) {
        const Body* b = m_graph.body(use.body);
        id = b && use.body != body ? b->owner : NodeId{};
    }
    for (const Node* n = m_graph.node(id); n; n = m_graph.node(id)) {
        if (n->body == body)
            return id;
        const Body* b = m_graph.body(n->body);
        id = b ? b->owner : NodeId{};
    }
    return {};
}

const Run::Plan& Run::planOf(BodyId id)
{
    const auto [at, isNew] = m_plans.try_emplace(id);
    Plan& plan = at->second;
    if (!isNew)
        return plan;
    plan.nodes = m_graph.nodes(id);
    plan.lastReadBy.resize(plan.nodes->size());
    std::unordered_map<NodeId, std::size_t> positions;
    for (std::size_t i = 0; i < plan.nodes->size(); ++i)
        positions.emplace((*plan.nodes)[i], i);
    const Body& body = *m_graph.body(id);
    const auto place = [&](ValueId value, std::optional<std::size_t> made) {
        std::optional<std::size_t> last = made;
        for (const Use& use : m_graph.uses(value)) {
            if (use.isBodyOutput() && use.body == id)
                return;
            const auto found = positions.find(readerIn(id, use));
            if (found != positions.end() && (!last || found->second > *last))
                last = found->second;
        }
        if (last)
            plan.lastReadBy[*last].push_back(value);
        else
            plan.unread.push_back(value);
    };
    for (const ValueId input : body.inputs)
        place(input, std::nullopt);
    for (std::size_t i = 0; i < plan.nodes->size(); ++i) {
        for (const ValueId output : m_graph.node((*plan.nodes)[i])->outputs) {
            if (output)
                place(output, i);
        }
    }
    return plan;
}

RuntimeValue Run::lookUp(ValueId id, const Frame& start) const
{
    for (const Frame* frame = &start; frame; frame = frame->parent) {
        if (const auto found = frame->values.find(id); found != frame->values.end())
            return found->second;
    }
    if (const auto cut = m_options.given.find(id); cut != m_options.given.end())
        return cut->second;
    const Value* value = m_graph.value(id);
    if (value && value->constant)
        return value->constant;
    if (value && value->sparse) {
        if (auto dense = densified(*value->sparse, m_options.memoryLimit))
            return *dense;
    }
    if (TensorPtr constant = m_graph.constant(id))
        return constant;
    return {};
}

bool Run::isGiven(const Node& node) const
{
    if (m_options.given.empty())
        return false;
    bool any = false;
    for (const ValueId output : node.outputs) {
        if (!output)
            continue;
        if (m_options.given.contains(output))
            any = true;
        else if (!m_graph.uses(output).empty() || m_options.keep.contains(output))
            return false;
    }
    return any;
}

void Run::account(const RuntimeValue& value, int sign)
{
    // Results that share storage (a Reshape and its input) count once; small ones never.
    constexpr std::int64_t small = 4096;
    if (const Tensor* tensor = value.tensor()) {
        const std::int64_t bytes = tensor->storedBytes();
        if (bytes < small || !tensor->data() || tensor->isMapped())
            return;
        int& holders = m_holders[tensor->data()];
        if (sign > 0 && holders++ == 0)
            m_liveBytes += bytes;
        if (sign < 0 && --holders == 0) {
            m_liveBytes -= bytes;
            m_holders.erase(tensor->data());
        }
    } else if (const SequenceValue* sequence = value.sequence()) {
        for (const auto& element : sequence->elements)
            account(*element, sign);
    } else if (const OptionalValue* optional = value.optional(); optional && optional->held) {
        account(*optional->held, sign);
    }
}

void Run::set(ValueId id, RuntimeValue value, Frame& frame)
{
    account(value, 1);
    if (m_options.keep.contains(id))
        m_result.kept[id] = value;
    const auto [at, isNew] = frame.values.try_emplace(id);
    if (!isNew)
        account(at->second, -1);
    at->second = std::move(value);
}

void Run::drop(ValueId id, Frame& frame)
{
    const auto found = frame.values.find(id);
    if (found == frame.values.end())
        return;
    account(found->second, -1);
    frame.values.erase(found);
}

Result<std::vector<RuntimeValue>> Run::body(BodyId id, std::vector<RuntimeValue> arguments,
                                            Frame& frame)
{
    const Body* b = m_graph.body(id);
    if (!b)
        return fail(ErrorCode::invalidModel, Message("model.no-body"));
    if (frame.depth > depthLimit)
        return fail(ErrorCode::invalidModel, Message("ops.inference-limit"));
    const Plan& plan = planOf(id);
    for (std::size_t i = 0; i < b->inputs.size() && i < arguments.size(); ++i) {
        if (arguments[i].isPresent())
            set(b->inputs[i], std::move(arguments[i]), frame);
    }
    for (const ValueId value : plan.unread)
        drop(value, frame);
    const bool isMain = id == m_graph.mainBody();
    for (std::size_t i = 0; i < plan.nodes->size(); ++i) {
        if (m_options.stop.stop_requested())
            return cancelled();
        const NodeId nodeId = (*plan.nodes)[i];
        const Node& n = *m_graph.node(nodeId);
        if (isMain && m_options.progress.report)
            m_options.progress(static_cast<double>(i) / static_cast<double>(plan.nodes->size()),
                               Message("ops.running", {{"node", nodeId}}));
        if (!isGiven(n)) {
            const auto start = std::chrono::steady_clock::now();
            auto outputs = node(nodeId, n, frame);
            if (!outputs) {
                Error error = std::move(outputs).error();
                if (!error.node)
                    error.node = nodeId;
                return tl::unexpected(std::move(error));
            }
            if (isMain)
                noteTime(nodeId, millisecondsSince(start));
            for (std::size_t k = 0; k < n.outputs.size() && k < outputs->size(); ++k) {
                if (n.outputs[k] && (*outputs)[k].isPresent())
                    set(n.outputs[k], std::move((*outputs)[k]), frame);
            }
        }
        for (const ValueId output : n.outputs) {
            const auto cut = m_options.given.find(output);
            if (output && cut != m_options.given.end())
                set(output, cut->second, frame);
        }
        for (const ValueId value : plan.lastReadBy[i])
            drop(value, frame);
    }
    std::vector<RuntimeValue> results;
    results.reserve(b->outputs.size());
    for (const ValueId output : b->outputs)
        results.push_back(output ? lookUp(output, frame) : RuntimeValue());
    for (const auto& [value, held] : frame.values)
        account(held, -1);
    return results;
}

void Run::noteTime(NodeId id, double ms)
{
    NodeProfile profile;
    profile.node = id;
    profile.kernel = "reference";
    profile.layout = "plain";
    profile.minMs = profile.medianMs = profile.p90Ms = ms;
    profile.originals = m_graph.node(id)->origins;
    m_result.profile.nodes.push_back(std::move(profile));
}

Result<std::vector<RuntimeValue>> Run::node(NodeId id, const Node& written, Frame& frame)
{
    if (frame.call.info && hasReferences(written)) {
        const Node bound = bindAttributes(written, *frame.call.attributes, *frame.call.info);
        return boundNode(id, bound, frame);
    }
    return boundNode(id, written, frame);
}

Result<std::vector<RuntimeValue>> Run::boundNode(NodeId id, const Node& n, Frame& frame)
{
    std::vector<RuntimeValue> inputs;
    inputs.reserve(n.inputs.size());
    for (const ValueId input : n.inputs) {
        inputs.push_back(input ? lookUp(input, frame) : RuntimeValue());
        const Tensor* tensor = inputs.back().tensor();
        if (tensor && !tensor->isAvailable())
            return fail(ErrorCode::unreadable, tensor->whyUnavailable(), id);
    }
    return dispatched(id, n, std::move(inputs), frame);
}

Result<std::vector<RuntimeValue>> Run::dispatched(NodeId id, const Node& n,
                                                  std::vector<RuntimeValue> inputs, Frame& frame)
{
    if (n.region && !n.bodies.empty()) {
        Frame inner;
        inner.parent = &frame;
        inner.call = frame.call;
        inner.depth = frame.depth + 1;
        return body(n.bodies.front(), std::move(inputs), inner);
    }
    if (const BodyId function = m_graph.functionOf(n.op)) {
        const auto limit = m_graph.body(function)->inputs.size();
        if (inputs.size() > limit)
            return fail(ErrorCode::invalidModel,
                        Message("io.too-many-inputs",
                                {{"op", n.op.type},
                                 {"found", static_cast<std::int64_t>(inputs.size())},
                                 {"limit", static_cast<std::int64_t>(limit)}}),
                        id);
        Frame inner;
        inner.call = {&n.attributes, m_graph.body(function)->function.get()};
        inner.depth = frame.depth + 1;
        return body(function, std::move(inputs), inner);
    }
    return kernel(id, n, inputs, frame);
}

Result<std::vector<RuntimeValue>> Run::kernel(NodeId id, const Node& n,
                                              const std::vector<RuntimeValue>& inputs, Frame& frame)
{
    if (isGradient(n))
        return differentiate(m_graph, id, n, inputs,
                             [&](NodeId inner, const Node& node,
                                 const std::vector<RuntimeValue>& arguments) {
                                 return dispatched(inner, node, arguments, frame);
                             });
    const OpSchema* schema = m_graph.schema(n);
    const OpEntry* entry =
        schema ? findOp(n.op.domain, n.op.type, schema->sinceVersion) : nullptr;
    if (!entry || !entry->kernel) {
        if (m_options.standIn && n.body == m_graph.mainBody())
            return m_options.standIn(id, inputs);
        Message none("ops.no-kernel",
                     {{"op", (n.op.domain.empty() ? "" : n.op.domain + ".") + n.op.type}});
        return fail(ErrorCode::unsupported, unknownOperator(m_graph, n).value_or(std::move(none)),
                    id);
    }
    if (auto wrong = wrongForm(*schema, n))
        return fail(ErrorCode::invalidModel, std::move(*wrong), id);
    if (const Tensor* missing = unavailableAttribute(n))
        return fail(ErrorCode::unreadable, missing->whyUnavailable(), id);
    if (auto differ = differingBranches(m_graph, n))
        return fail(ErrorCode::invalidModel, *std::move(differ), id);
    // What is required and never made (a value that a failed branch left out) is said by its name.
    for (std::size_t i = 0; i < n.inputs.size(); ++i) {
        const FormalParameter* parameter = schema->input(i);
        if (n.inputs[i] && !inputs[i].isPresent() && parameter &&
            parameter->option == ParamOption::single)
            return fail(ErrorCode::failed, Message("ops.input-missing", {{"value", n.inputs[i]}}),
                        id);
    }
    FUSESCOPE_TRY(checkInputs(*schema, n, id, inputs));
    std::uint64_t seed = m_options.seed;
    if (frame.depth > 0)
        seed += 0x9E3779B97F4A7C15ULL * m_runsOf[id]++;
    KernelContext context(
        n, id, schema->sinceVersion, inputs,
        [&](BodyId inner, const std::vector<RuntimeValue>& arguments)
            -> Result<std::vector<RuntimeValue>> {
            // Loops within loops count together, and other bodies that run again.
            if (!n.is("If") && ++m_trips > m_options.maxTrips)
                return fail(ErrorCode::failed,
                            Message("ops.too-many-trips", {{"limit", m_options.maxTrips}}), id);
            Frame child;
            child.parent = &frame;
            child.call = frame.call;
            child.depth = frame.depth + 1;
            return body(inner, arguments, child);
        },
        seed, m_options.stop, std::max<std::int64_t>(0, m_options.memoryLimit - m_liveBytes));
    context.setMaxTrips(m_options.maxTrips);
    context.setBodyOutputType([&](BodyId inner, std::size_t output) {
        return resultType(id, n, inputs, frame, inner, output);
    });
    try {
        if (auto done = entry->kernel(context); !done)
            return tl::unexpected(withValueName(std::move(done).error(), n));
    } catch (const std::bad_alloc&) { // a kernel's own working copies
        return fail(ErrorCode::failed, Message("exec.out-of-memory", {{"op", n.op.type}}), id);
    }
    if (m_options.stop.stop_requested())
        return cancelled();
    return std::move(context.outputs());
}

Type Run::resultType(NodeId id, const Node& n, const std::vector<RuntimeValue>& inputs,
                     const Frame& frame, BodyId inner, std::size_t output) const
{
    const Body* b = m_graph.body(inner);
    const ValueId wanted = b && output < b->outputs.size() ? b->outputs[output] : ValueId{};
    const Value* value = m_graph.value(wanted);
    if (!value)
        return {};
    const auto known = [&](ValueId of) {
        const auto at = std::ranges::find(n.inputs, of);
        const RuntimeValue found =
            at == n.inputs.end() ? lookUp(of, frame)
                                 : inputs[static_cast<std::size_t>(at - n.inputs.begin())];
        KnownValue result;
        if (found.isPresent())
            result.type = found.type();
        if (const Tensor* tensor = found.tensor(); tensor && tensor->isAvailable())
            result.constant = found.tensorPtr();
        return result;
    };
    Type type = value->body == inner ? value->type : known(wanted).type;
    const auto record = [&](ValueId of, const KnownValue& made) {
        if (of == wanted)
            type = made.type;
    };
    // The type of a result that nothing made: where nothing can be inferred, what the model says of
    // it stays. What is wrong with a node that runs is told by running it.
    (void)inferNode(PlainGraphReader(m_graph), id, n, known, record);
    return type;
}

Result<TensorPtr> densified(const SparseTensor& sparse, std::int64_t memoryLimit)
{
    const auto wrong = [] {
        return fail(ErrorCode::invalidModel, Message("ops.sparse"));
    };
    const auto count = elementCountOf(sparse.shape);
    if (!sparse.values || !sparse.indices || !count || !sparse.values->isAvailable() ||
        !sparse.indices->isAvailable())
        return wrong();
    const DType type = sparse.values->dtype();
    const auto bytes = bytesOf(type, *count);
    if (!bytes || *bytes > memoryLimit || bitsOf(type) < 8)
        return wrong();
    Tensor dense = Tensor::allocate(type, sparse.shape);
    const Tensor values = sparse.values->materialized();
    const auto size = static_cast<std::size_t>(bitsOf(type) / 8);
    const std::int64_t rank =
        sparse.indices->rank() == 2 ? static_cast<std::int64_t>(sparse.shape.size()) : 1;
    if (sparse.indices->elementCount() != values.elementCount() * rank)
        return wrong();
    for (std::int64_t i = 0; i < values.elementCount(); ++i) {
        std::int64_t at = 0;
        for (std::int64_t k = 0; k < rank; ++k) {
            const std::int64_t index = sparse.indices->asInt(i * rank + k);
            const std::int64_t extent =
                sparse.indices->rank() == 2 ? sparse.shape[static_cast<std::size_t>(k)] : *count;
            if (index < 0 || index >= extent)
                return wrong();
            at = at * extent + index;
        }
        std::memcpy(dense.mutableData() + static_cast<std::size_t>(at) * size,
                    values.data() + static_cast<std::size_t>(i) * size, size);
    }
    return std::make_shared<const Tensor>(std::move(dense));
}

} // namespace fusescope::reference
