#include "exec/fused/unit.h"
#include "exec/reference_run.h"
#include "ops/axes.h"
#include "ops/graph_reader.h"
#include "ops/input_checks.h"
#include "ops/registry.h"

#include <algorithm>
#include <unordered_map>

namespace fusescope::fused {

namespace {

constexpr int depthLimit = 100;
constexpr std::int64_t tooMany = 1'000'000; // units of one call
// Integer vectors longer than this are not rebuilt from the terms of inference.
constexpr std::size_t longestShapeVector = 64;

class Walk
{
public:
    Walk(const Graph& graph, const WalkRequest& request) : m_graph(graph), m_request(request) {}

    Result<Walked> run();

private:
    struct Frame
    {
        const Frame* parent = nullptr;
        const Attributes* attributes = nullptr;
        const FunctionInfo* info = nullptr;
        NodeId reported; // set inside regions, functions and branches
        int depth = 0;
        std::unordered_map<ValueId, int> vars;
    };

    Result<std::vector<int>> body(BodyId id, const std::vector<int>& arguments, Frame& frame,
                                  std::vector<Unit>& to);
    Result<void> node(NodeId id, Frame& frame, std::vector<Unit>& to);
    Result<bool> expand(const Unit& unit, Frame& frame, std::vector<Unit>& to);
    Result<bool> fold(const Unit& unit, Frame& frame);
    void infer(const Unit& unit, const Frame& frame);
    void findCaptures(Unit& unit, const Frame& frame) const;
    void captureBody(BodyId id, Unit& unit, const Frame& frame) const;
    std::int64_t plainSize(BodyId id, int depth);
    bool isCut(const Node& node) const;

    int newVar(ValueId id);
    int constantVar(ValueId id, TensorPtr tensor);
    int find(ValueId id, const Frame& frame) const;
    int lookUp(ValueId id, const Frame& frame);
    void setKnown(int var, const Type& type);
    void setConstant(int var, TensorPtr tensor);

    const Graph& m_graph;
    const WalkRequest& m_request;
    Walked m_result;
    std::unordered_map<ValueId, int> m_constants;
    std::unordered_map<ValueId, int> m_given;
    std::unordered_map<BodyId, std::int64_t> m_plainSizes;
};

int Walk::newVar(ValueId id)
{
    Var var;
    var.id = id;
    m_result.vars.push_back(std::move(var));
    return static_cast<int>(m_result.vars.size()) - 1;
}

void Walk::setKnown(int index, const Type& type)
{
    Var& var = m_result.vars[static_cast<std::size_t>(index)];
    var.known.type = type;
    var.dtype = type.dtype;
    const auto sizes = type.isTensor() ? type.shape.staticDims() : std::nullopt;
    // What no machine holds is for the reference kernel to refuse: here all sizes can be added up.
    constexpr std::int64_t mostBytes = std::int64_t{1} << 40;
    const auto count = sizes ? elementCountOf(*sizes) : std::nullopt;
    const auto bytes = count ? bytesOf(type.dtype, *count) : std::nullopt;
    var.isStatic = bytes && *bytes <= mostBytes && type.dtype != DType::undefined;
    if (var.isStatic)
        var.shape = *sizes;
}

void Walk::setConstant(int index, TensorPtr tensor)
{
    setKnown(index, Type::tensor(tensor->dtype(), Shape::ofSizes(tensor->shape())));
    Var& var = m_result.vars[static_cast<std::size_t>(index)];
    if (isInteger(tensor->dtype()) && tensor->isAvailable() && tensor->rank() <= 1 &&
        tensor->elementCount() <= static_cast<std::int64_t>(longestShapeVector)) {
        std::vector<Dim> data;
        for (const std::int64_t value : tensor->asInts())
            data.emplace_back(value);
        var.known.data = std::move(data);
    }
    if (tensor->isAvailable())
        var.known.constant = tensor;
    var.constant = std::move(tensor);
}

int Walk::constantVar(ValueId id, TensorPtr tensor)
{
    const auto [at, isNew] = m_constants.try_emplace(id, 0);
    if (isNew) {
        at->second = newVar(id);
        setConstant(at->second, std::move(tensor));
    }
    return at->second;
}

int Walk::find(ValueId id, const Frame& start) const
{
    for (const Frame* frame = &start; frame; frame = frame->parent) {
        if (const auto found = frame->vars.find(id); found != frame->vars.end())
            return found->second;
    }
    return -1;
}

int Walk::lookUp(ValueId id, const Frame& frame)
{
    if (!id)
        return -1;
    if (const int found = find(id, frame); found >= 0)
        return found;
    if (const auto cut = m_given.find(id); cut != m_given.end())
        return cut->second;
    const Value* value = m_graph.value(id);
    if (value && value->constant)
        return constantVar(id, value->constant);
    if (value && value->sparse) {
        if (auto dense = reference::densified(*value->sparse, m_request.memoryLimit))
            return constantVar(id, *dense);
    }
    if (TensorPtr constant = m_graph.constant(id))
        return constantVar(id, std::move(constant));
    return -1;
}

bool Walk::isCut(const Node& node) const
{
    if (m_given.empty())
        return false;
    bool any = false;
    for (const ValueId output : node.outputs) {
        if (!output)
            continue;
        if (m_given.contains(output))
            any = true;
        else if (!m_graph.uses(output).empty() || m_request.keep.contains(output))
            return false;
    }
    return any;
}

// How many units a function comes to, with all that it calls; `tooMany` for one that is not written
// out: with bodies but those of regions, random nodes, calls that never end.
std::int64_t Walk::plainSize(BodyId id, int depth)
{
    if (depth > depthLimit)
        return tooMany;
    const auto [known, isNew] = m_plainSizes.try_emplace(id, tooMany); // of a call of itself
    if (!isNew)
        return known->second;
    std::int64_t total = 0;
    for (const NodeId inner : *m_graph.nodes(id)) {
        const Node& node = *m_graph.node(inner);
        const BodyId called = node.region ? node.bodies.front() : m_graph.functionOf(node.op);
        total += 1 + (called ? plainSize(called, depth + 1) : 0);
        if (total >= tooMany || (!node.bodies.empty() && !node.region) ||
            isNonDeterministic(m_graph, node))
            return tooMany;
    }
    return m_plainSizes[id] = total;
}

void Walk::captureBody(BodyId id, Unit& unit, const Frame& frame) const
{
    const Body* body = m_graph.body(id);
    if (!body)
        return;
    const auto add = [&](ValueId value) {
        const int var = value ? find(value, frame) : -1;
        if (var >= 0 &&
            std::ranges::none_of(unit.captures, [&](const auto& c) { return c.first == value; }))
            unit.captures.emplace_back(value, var);
    };
    for (const NodeId inner : *m_graph.nodes(id)) {
        const Node& node = *m_graph.node(inner);
        std::ranges::for_each(node.inputs, add);
        for (const BodyId nested : node.bodies)
            captureBody(nested, unit, frame);
    }
    std::ranges::for_each(body->outputs, add);
}

void Walk::findCaptures(Unit& unit, const Frame& frame) const
{
    if (unit.node->region)
        return;
    for (const BodyId inner : unit.node->bodies)
        captureBody(inner, unit, frame);
}

Result<bool> Walk::expand(const Unit& unit, Frame& frame, std::vector<Unit>& to)
{
    const Node& node = *unit.node;
    Frame inner;
    inner.depth = frame.depth + 1;
    inner.reported = unit.reported;
    BodyId id;
    if (node.region && !node.bodies.empty()) {
        if (m_request.fused)
            return false;
        id = node.bodies.front();
        inner.parent = &frame;
        inner.attributes = frame.attributes;
        inner.info = frame.info;
    } else if (const BodyId function = m_graph.functionOf(node.op)) {
        if (plainSize(function, frame.depth) >= tooMany)
            return false;
        id = function;
        inner.attributes = &node.attributes;
        inner.info = m_graph.body(function)->function.get();
    } else if (const OpSchema* schema = m_graph.schema(node);
               node.is("If") && schema && !wrongForm(*schema, node) &&
               !differingBranches(m_graph, node) && unit.inputs[0] >= 0) {
        const TensorPtr& condition =
            m_result.vars[static_cast<std::size_t>(unit.inputs[0])].constant;
        if (!condition || condition->elementCount() != 1 || !condition->isAvailable() ||
            condition->dtype() != DType::boolean)
            return false;
        id = node.attributes.getBody(condition->asInt(0) != 0 ? "then_branch" : "else_branch");
        if (!id)
            return false;
        inner.parent = &frame;
        inner.attributes = frame.attributes;
        inner.info = frame.info;
    } else {
        return false;
    }
    FUSESCOPE_ASSIGN(const std::vector<int> results, body(id, unit.inputs, inner, to));
    for (std::size_t i = 0; i < node.outputs.size() && i < results.size(); ++i) {
        if (node.outputs[i] && results[i] >= 0)
            frame.vars[node.outputs[i]] = results[i];
    }
    return true;
}

// Computes a node whose operands are the same in every run. Also the sizes of what is known.
Result<bool> Walk::fold(const Unit& unit, Frame& frame)
{
    const Node& node = *unit.node;
    const auto give = [&](std::size_t i, TensorPtr tensor) {
        const int var = newVar(node.outputs[i]);
        setConstant(var, std::move(tensor));
        frame.vars[node.outputs[i]] = var;
    };
    if (!node.bodies.empty() || isNonDeterministic(m_graph, node) ||
        mayHaveSideEffects(m_graph, node) || m_graph.functionOf(node.op))
        return false;
    if ((node.is("Shape") || node.is("Size")) && unit.inputs.size() == 1 && unit.inputs[0] >= 0 &&
        node.output(0)) {
        const Var& var = m_result.vars[static_cast<std::size_t>(unit.inputs[0])];
        if (var.isStatic && node.is("Size")) {
            give(0, std::make_shared<const Tensor>(
                        Tensor::scalar<std::int64_t>(*elementCountOf(var.shape))));
            return true;
        }
        if (var.isStatic) {
            const auto [start, end] = shapeRange(node.attributes, var.shape.size());
            const auto sizes = std::span(var.shape).subspan(start, end - start);
            give(0, std::make_shared<const Tensor>(
                        Tensor::vector(Sizes(sizes.begin(), sizes.end()))));
            return true;
        }
    }
    std::vector<RuntimeValue> inputs;
    for (const int input : unit.inputs) {
        if (input < 0) {
            inputs.emplace_back();
            continue;
        }
        const TensorPtr& constant = m_result.vars[static_cast<std::size_t>(input)].constant;
        if (!constant || !constant->isAvailable())
            return false;
        inputs.emplace_back(constant);
    }
    RunOptions options;
    options.memoryLimit = m_request.memoryLimit;
    options.stop = m_request.stop;
    RunResult unused;
    reference::Run run(m_graph, options, unused);
    FUSESCOPE_ASSIGN(const std::vector<RuntimeValue> outputs,
                     run.withInputs(unit.id, node, std::move(inputs), {}));
    for (std::size_t i = 0; i < node.outputs.size() && i < outputs.size(); ++i) {
        if (node.outputs[i] && outputs[i].isPresent() && !outputs[i].tensor())
            return false;
    }
    for (std::size_t i = 0; i < node.outputs.size() && i < outputs.size(); ++i) {
        if (node.outputs[i] && outputs[i].isPresent())
            give(i, outputs[i].tensorPtr());
    }
    return true;
}

void Walk::infer(const Unit& unit, const Frame& frame)
{
    const Node& node = *unit.node;
    std::unordered_map<ValueId, int> own;
    for (std::size_t i = 0; i < node.inputs.size() && i < unit.inputs.size(); ++i)
        own.emplace(node.inputs[i], unit.inputs[i]);
    const auto known = [&](ValueId id) -> KnownValue {
        const auto found = own.find(id);
        const int var = found != own.end() ? found->second : find(id, frame);
        if (var >= 0)
            return m_result.vars[static_cast<std::size_t>(var)].known;
        return knownValue(PlainGraphReader(m_graph), id);
    };
    const auto results = inferNode(m_graph, unit.id, node, known);
    for (std::size_t i = 0; i < unit.outputs.size(); ++i) {
        if (unit.outputs[i] < 0 || !results || i >= results->size() ||
            m_request.distrusted.contains(node.outputs[i]))
            continue;
        setKnown(unit.outputs[i], (*results)[i].type);
        m_result.vars[static_cast<std::size_t>(unit.outputs[i])].known.data = (*results)[i].data;
    }
}

Result<void> Walk::node(NodeId id, Frame& frame, std::vector<Unit>& to)
{
    const NodePtr& written = m_graph.nodePtr(id);
    Unit unit;
    unit.id = id;
    unit.reported = frame.reported ? frame.reported : id;
    unit.node = written;
    if (frame.info && hasReferences(*written))
        unit.node =
            std::make_shared<const Node>(bindAttributes(*written, *frame.attributes, *frame.info));
    const Node& n = *unit.node;
    if (isCut(n))
        return {};
    const OpSchema* schema = m_graph.schema(n);
    unit.since = schema ? schema->sinceVersion : 1;
    for (const ValueId input : n.inputs) {
        const int var = lookUp(input, frame);
        unit.inputs.push_back(var);
        if (var < 0)
            continue;
        const TensorPtr& constant = m_result.vars[static_cast<std::size_t>(var)].constant;
        if (constant && !constant->isAvailable())
            return fail(ErrorCode::unreadable, constant->whyUnavailable(), id);
    }
    FUSESCOPE_ASSIGN(const bool expanded, expand(unit, frame, to));
    if (expanded)
        return {};
    FUSESCOPE_ASSIGN(const bool folded, fold(unit, frame));
    if (folded)
        return {};
    for (const ValueId output : n.outputs)
        unit.outputs.push_back(output ? newVar(output) : -1);
    if (!n.region)
        infer(unit, frame);
    // A shape vector whose elements all follow from the sizes of the inputs.
    bool allKnown = !unit.outputs.empty() && n.bodies.empty();
    for (const int output : unit.outputs) {
        if (output < 0)
            continue;
        Var& var = m_result.vars[static_cast<std::size_t>(output)];
        allKnown =
            allKnown && var.isStatic && var.known.data && isInteger(var.dtype) &&
            var.shape.size() <= 1 && var.known.data->size() <= longestShapeVector &&
            elementCountOf(var.shape) == static_cast<std::int64_t>(var.known.data->size()) &&
            std::ranges::all_of(*var.known.data, [](const Dim& dim) { return dim.isConstant(); });
    }
    for (std::size_t i = 0; i < n.outputs.size(); ++i) {
        if (!n.outputs[i])
            continue;
        if (allKnown) {
            const Var& var = m_result.vars[static_cast<std::size_t>(unit.outputs[i])];
            Tensor tensor = Tensor::allocate(var.dtype, var.shape);
            for (std::size_t k = 0; k < var.known.data->size(); ++k)
                tensor.storeInt(static_cast<std::int64_t>(k), *(*var.known.data)[k].constant());
            setConstant(unit.outputs[i], std::make_shared<const Tensor>(std::move(tensor)));
        }
        // A cut value stands for what its node would make.
        const auto cut = m_given.find(n.outputs[i]);
        frame.vars[n.outputs[i]] = cut != m_given.end() ? cut->second : unit.outputs[i];
    }
    if (allKnown)
        return {};
    if (n.region && !n.bodies.empty()) {
        unit.isRegion = true;
        Frame inner;
        inner.parent = &frame;
        inner.attributes = frame.attributes;
        inner.info = frame.info;
        inner.depth = frame.depth + 1;
        inner.reported = unit.reported;
        FUSESCOPE_ASSIGN(const std::vector<int> results,
                         body(n.bodies.front(), unit.inputs, inner, unit.body));
        // The results of the body are the region's outputs.
        unit.outputs.assign(n.outputs.size(), -1);
        for (std::size_t i = 0; i < n.outputs.size() && i < results.size(); ++i) {
            if (!n.outputs[i])
                continue;
            unit.outputs[i] = results[i];
            if (!m_given.contains(n.outputs[i]))
                frame.vars[n.outputs[i]] = results[i];
        }
    }
    findCaptures(unit, frame);
    to.push_back(std::move(unit));
    return {};
}

Result<std::vector<int>> Walk::body(BodyId id, const std::vector<int>& arguments, Frame& frame,
                                    std::vector<Unit>& to)
{
    const Body* b = m_graph.body(id);
    if (!b)
        return fail(ErrorCode::invalidModel, Message("model.no-body"));
    if (frame.depth > depthLimit)
        return fail(ErrorCode::invalidModel, Message("ops.inference-limit"));
    for (std::size_t i = 0; i < b->inputs.size() && i < arguments.size(); ++i) {
        if (arguments[i] >= 0)
            frame.vars[b->inputs[i]] = arguments[i];
    }
    for (const NodeId inner : *m_graph.nodes(id)) {
        if (m_request.stop.stop_requested())
            return cancelled();
        if (auto done = node(inner, frame, to); !done) {
            Error error = std::move(done).error();
            if (!error.node)
                error.node = inner;
            return tl::unexpected(std::move(error));
        }
    }
    std::vector<int> results;
    for (const ValueId output : b->outputs)
        results.push_back(lookUp(output, frame));
    return results;
}

Result<Walked> Walk::run()
{
    const Body* main = m_graph.body(m_graph.mainBody());
    if (!main)
        return fail(ErrorCode::invalidModel, Message("model.no-body"));
    for (const auto& [id, type] : m_request.given) {
        const int var = newVar(id);
        setKnown(var, type);
        m_result.vars[static_cast<std::size_t>(var)].isInput = true;
        m_given.emplace(id, var);
        m_result.given.emplace_back(id, var);
    }
    for (std::size_t i = 0; i < main->inputs.size(); ++i) {
        const auto cut = m_given.find(main->inputs[i]);
        if (cut != m_given.end() || i >= m_request.arguments.size() ||
            !m_request.arguments[i].isKnown()) {
            m_result.arguments.push_back(cut != m_given.end() ? cut->second : -1);
            continue;
        }
        const int var = newVar(main->inputs[i]);
        setKnown(var, m_request.arguments[i]);
        m_result.vars[static_cast<std::size_t>(var)].isInput = true;
        m_result.arguments.push_back(var);
    }
    Frame frame;
    FUSESCOPE_ASSIGN(m_result.outputs,
                     body(m_graph.mainBody(), m_result.arguments, frame, m_result.units));
    for (const auto& [id, var] : frame.vars)
        m_result.visible.emplace_back(id, var);
    std::ranges::sort(m_result.visible);
    return std::move(m_result);
}

} // namespace

Result<Walked> walk(const Graph& graph, const WalkRequest& request)
{
    return Walk(graph, request).run();
}

} // namespace fusescope::fused
