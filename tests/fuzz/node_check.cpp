#include "fuzz/node_check.h"

#include "exec/compare.h"
#include "fuzz/message_check.h"
#include "ops/inference.h"
#include "passes/optimizer.h"
#include "report/render.h"

#include <fmt/format.h>

#include <exception>

namespace fusescope::test {

namespace {

// How the shapes of values that are given at run time are declared.
enum class Style { constants, sizes, symbols, sharedSymbols, unknownSizes, unranked, untyped, firstOnly };
constexpr Style allStyles[] = {Style::constants,    Style::sizes,    Style::symbols,
                               Style::sharedSymbols, Style::unknownSizes, Style::unranked,
                               Style::untyped,      Style::firstOnly};
constexpr std::string_view styleNames[] = {"constants",     "sizes",    "symbols", "shared symbols",
                                           "unknown sizes", "unranked", "untyped", "first only"};

using SizeOf = std::map<std::string, std::int64_t, std::less<>>;

struct Variant
{
    Graph graph;
    RunInputs inputs;
    SizeOf sizes; // of the symbols
};

Type declared(const Tensor& tensor, Style style, std::size_t input, SizeOf& sizes)
{
    if (style == Style::untyped)
        return {};
    if (style == Style::unranked)
        return Type::tensor(tensor.dtype());
    std::vector<Dim> dims;
    for (std::size_t i = 0; i < tensor.rank(); ++i) {
        const std::int64_t size = tensor.shape()[i];
        if (style == Style::sizes) {
            dims.emplace_back(size);
        } else if (style == Style::unknownSizes) {
            dims.push_back(Dim::unknown(1'000'000 + 100 * input + i));
        } else {
            const std::string name = style == Style::sharedSymbols
                                         ? fmt::format("s{}", size)
                                         : fmt::format("a{}_{}", input, i);
            sizes[name] = size;
            dims.push_back(Dim::symbol(name));
        }
    }
    return Type::tensor(tensor.dtype(), Shape::of(std::move(dims)));
}

// The same graph with its initializers (the first of them) as inputs.
Variant variantOf(const NodeCase& nodeCase, Style style)
{
    Variant variant{nodeCase.graph, nodeCase.inputs, {}};
    if (style == Style::constants)
        return variant;
    const Graph& graph = nodeCase.graph;
    std::vector<BodyPtr> bodies;
    std::vector<ValuePtr> values;
    std::vector<NodePtr> nodes;
    for (std::uint32_t i = 1; i < graph.bodyLimit(); ++i)
        bodies.push_back(graph.bodyPtr(BodyId{i}));
    for (std::uint32_t i = 1; i < graph.valueLimit(); ++i)
        values.push_back(graph.valuePtr(ValueId{i}));
    for (std::uint32_t i = 1; i < graph.nodeLimit(); ++i)
        nodes.push_back(graph.nodePtr(NodeId{i}));
    auto main = std::make_shared<Body>(*graph.body(graph.mainBody()));
    std::vector<ValueId> left;
    for (const ValueId id : main->initializers) {
        const Value& value = *graph.value(id);
        if (!value.constant || !value.constant->isAvailable() ||
            (style == Style::firstOnly && !variant.sizes.empty())) {
            left.push_back(id);
            continue;
        }
        auto input = std::make_shared<Value>(value);
        input->constant = nullptr;
        input->isInput = true;
        input->type = declared(*value.constant, style, main->inputs.size(), variant.sizes);
        if (style == Style::firstOnly)
            variant.sizes.emplace("", 0);
        variant.inputs[value.name] = value.constant;
        main->inputs.push_back(id);
        values[id.value - 1] = std::move(input);
    }
    main->initializers = std::move(left);
    bodies[graph.mainBody().value - 1] = std::move(main);
    variant.graph = Graph::build(graph.headerPtr(), bodies, values, nodes);
    return variant;
}

class Checker
{
public:
    Checker(const NodeCase& nodeCase, const CheckOptions& options)
        : m_case(nodeCase), m_options(options)
    {
    }

    CheckResult run()
    {
        try {
            runPlain();
            for (const Style style : allStyles) {
                m_style = styleNames[static_cast<std::size_t>(style)];
                Variant variant = variantOf(m_case, style);
                checkInference(variant);
                if (style == Style::constants || style == Style::firstOnly ||
                    style == Style::symbols)
                    checkOptimizer(variant);
                if (m_options.fused && (style == Style::sizes || style == Style::firstOnly))
                    checkFused(variant);
            }
        } catch (const std::exception& e) {
            find(fmt::format("an exception escapes: {}", e.what()));
        }
        return std::move(m_result);
    }

private:
    // The first of its words only: most hold however the shapes are declared.
    void find(std::string_view what)
    {
        for (const std::string& earlier : m_result.findings) {
            if (earlier.starts_with(what))
                return;
        }
        m_result.findings.push_back(m_style.empty() ? std::string(what)
                                                    : fmt::format("{} ({})", what, m_style));
    }

    void checkMessage(const Message& message, bool hasNode, const Graph& graph, std::string_view where)
    {
        const std::string text = render(message, &graph);
        if (text.empty() || text == message.text.key)
            find(fmt::format("{}: no text for `{}`", where, message.text.key));
        if (contradictsItself(message))
            find(fmt::format("{}: `{}` contradicts itself: {}", where, message.text.key, text));
        for (const auto& [name, value] : message.args)
            hasNode = hasNode || std::holds_alternative<ValueId>(value) ||
                      std::holds_alternative<NodeId>(value);
        if (!hasNode)
            find(fmt::format("{}: an error names no node and no value: {}", where, text));
    }

    RunOptions runOptions() const
    {
        RunOptions options;
        options.memoryLimit = m_options.memoryLimit;
        options.maxTrips = m_options.maxTrips;
        options.seed = 5;
        return options;
    }

    void runPlain()
    {
        Graph graph = m_case.graph;
        if (const auto inferred = inferGraph(graph))
            (void)graph.apply(inferred->patch).has_value();
        auto result = ReferenceExecutor(std::move(graph)).run(m_case.inputs, runOptions());
        if (!result) {
            const Error& error = result.error();
            checkMessage(error.message, static_cast<bool>(error.node), m_case.graph, "run");
            m_result.error = render(error.message, &m_case.graph);
            m_result.errorKey = std::string(error.message.text.key);
            return;
        }
        m_result.ran = true;
        m_outputs = std::move(result->outputs);
    }

    void checkInference(Variant& variant)
    {
        const Graph& graph = variant.graph;
        const auto inferred = inferGraph(graph);
        if (!inferred) {
            find("inference fails as a whole: " + render(inferred.error().message, &graph));
            return;
        }
        for (const InferenceProblem& problem : inferred->problems)
            checkMessage(problem.message, static_cast<bool>(problem.node), graph, "inference");
        // A body that never ran has not shown what its nodes would have said.
        const auto refused = std::ranges::find_if(inferred->problems, [&](const auto& problem) {
            const Node* node = graph.node(problem.node);
            return !node || node->body == graph.mainBody();
        });
        if (m_case.tame && m_result.ran && refused != inferred->problems.end())
            find("inference refuses what runs: " + render(refused->message, &graph));
        if (const auto applied = variant.graph.apply(inferred->patch); !applied) {
            find("the inferred types cannot be applied: " +
                 render(applied.error().message, &graph));
            return;
        }
        for (const auto& [name, value] : m_outputs)
            checkValue(variant, name, value);
    }

    void checkValue(const Variant& variant, const std::string& name, const RuntimeValue& found)
    {
        const Graph& graph = variant.graph;
        for (const ValueId id : graph.body(graph.mainBody())->outputs) {
            const Value& value = *graph.value(id);
            if (value.name != name)
                continue;
            const Type actual = found.type();
            if (!admits(value.type, actual, variant.sizes))
                find(fmt::format("`{}` is inferred as {}, and is {}", name, value.type.text(),
                                 actual.text()));
            else if (value.data && found.tensor())
                checkData(name, *value.data, *found.tensor(), variant.sizes);
        }
    }

    static std::optional<std::int64_t> valueOf(const Dim& dim, const SizeOf& sizes)
    {
        return dim.evaluate([&](const Dim& leaf) -> std::optional<std::int64_t> {
            const auto known = sizes.find(leaf.symbolName());
            return leaf.isSymbol() && known != sizes.end() ? std::optional(known->second)
                                                           : std::nullopt;
        });
    }

    static bool admits(const Type& type, const Type& actual, const SizeOf& sizes)
    {
        if (!type.isKnown())
            return true;
        if (type.kind != actual.kind)
            return false;
        // Of an empty sequence or optional nothing is known at run time.
        if (type.dtype != DType::undefined && actual.dtype != DType::undefined &&
            type.dtype != actual.dtype)
            return false;
        if (type.element && actual.element && actual.element->isKnown())
            return admits(*type.element, *actual.element, sizes);
        if (!type.shape.hasRank() || !actual.shape.hasRank())
            return true;
        if (type.shape.rank() != actual.shape.rank())
            return false;
        for (std::size_t i = 0; i < type.shape.rank(); ++i) {
            const auto expected = valueOf(type.shape[i], sizes);
            const auto size = actual.shape[i].constant();
            if (expected && size && expected != size)
                return false;
        }
        return true;
    }

    void checkData(const std::string& name, const std::vector<Dim>& data, const Tensor& tensor,
                   const SizeOf& sizes)
    {
        if (static_cast<std::int64_t>(data.size()) != tensor.elementCount()) {
            find(fmt::format("`{}` has {} elements, and shape data of {}", name,
                             tensor.elementCount(), data.size()));
            return;
        }
        for (std::size_t i = 0; i < data.size(); ++i) {
            const auto expected = valueOf(data[i], sizes);
            const double found = tensor.asDouble(static_cast<std::int64_t>(i));
            if (expected && static_cast<double>(*expected) != found)
                find(fmt::format("element {} of `{}` is inferred as {}, and is {}", i, name, *expected,
                                 found));
        }
    }

    void checkOptimizer(const Variant& variant)
    {
        Plan plan;
        plan.policy.maxGrowth = m_options.memoryLimit;
        Optimizer optimizer(variant.graph, std::move(plan));
        for (int i = 0; i < 100; ++i) {
            auto step = optimizer.next();
            if (!step) {
                find("the optimizer fails: " + render(step.error().message, &variant.graph));
                return;
            }
            if (!*step)
                break;
            if (const auto whole = optimizer.graph().check(); !whole) {
                find("a rewrite breaks the graph: " +
                     render(whole.error().message, &optimizer.graph()));
                return;
            }
        }
        for (const Blocked& blocked : optimizer.blocked()) {
            for (const Reason& reason : blocked.miss.reasons) {
                if (render(reason.message, &optimizer.graph()) == reason.message.text.key)
                    find(fmt::format("no text for the reason `{}`", reason.message.text.key));
            }
        }
        if (!m_result.ran)
            return;
        const auto after = ReferenceExecutor(optimizer.graph()).run(variant.inputs, runOptions());
        if (!after)
            find("what is optimized does not run: " +
                 render(after.error().message, &optimizer.graph()));
        else
            compare(after->outputs, "optimized", false);
    }

    void checkFused(const Variant& variant)
    {
        PlanOptions options;
        // What the plain kernels run has to run here, too. Channels are rounded up to whole vectors:
        // one of them may take the room of sixteen.
        options.memoryLimit = m_options.memoryLimit * (m_result.ran ? 16 : 1);
        auto plan = FusedExecutor::plan(variant.graph, variant.inputs, options);
        RunOptions run = runOptions();
        run.memoryLimit = options.memoryLimit;
        auto result = plan ? plan->run(variant.inputs, run)
                           : Result<RunResult>(tl::unexpected(plan.error()));
        if (!result) {
            checkMessage(result.error().message, static_cast<bool>(result.error().node),
                         variant.graph, "fast run");
            if (m_result.ran)
                find("the fast plan does not run: " +
                     render(result.error().message, &variant.graph));
        } else if (!m_result.ran) {
            if (m_case.tame)
                find("the fast plan runs, and the reference says: " + m_result.error);
        } else {
            compare(result->outputs, "fast", true);
        }
    }

    void compare(const std::vector<std::pair<std::string, RuntimeValue>>& found,
                 std::string_view what, bool loose)
    {
        if (found.size() != m_outputs.size()) {
            find(fmt::format("{}: other outputs", what));
            return;
        }
        for (std::size_t i = 0; i < found.size(); ++i) {
            const RuntimeValue& before = m_outputs[i].second;
            const Type type = found[i].second.type();
            // What is known of the elements of a sequence depends on what was inferred.
            if (before.type().isTensor() ? before.type() != type : before.type().kind != type.kind) {
                find(fmt::format("{}: `{}` is {} instead of {}", what, found[i].first,
                                 type.text(), before.type().text()));
                continue;
            }
            if (!m_case.plain)
                continue;
            // Fast kernels add up in another order, narrow floats round in between.
            const bool narrow = before.tensor() && bitsOf(before.tensor()->dtype()) <= 16;
            const auto rtol = loose ? std::optional(narrow ? 0.05 : 1e-4) : std::nullopt;
            const auto atol = loose ? std::optional(narrow ? 0.05 : 1e-5) : std::nullopt;
            const TensorComparison comparison =
                compareValues(before, found[i].second, rtol, atol);
            if (!comparison.pass)
                find(fmt::format("{}: `{}` differs: {}", what, found[i].first,
                                 render(comparison.why, nullptr)));
        }
    }

    const NodeCase& m_case;
    const CheckOptions& m_options;
    CheckResult m_result;
    std::string_view m_style;
    std::vector<std::pair<std::string, RuntimeValue>> m_outputs;
};

} // namespace

CheckResult checkNode(const NodeCase& nodeCase, const CheckOptions& options)
{
    return Checker(nodeCase, options).run();
}

} // namespace fusescope::test
