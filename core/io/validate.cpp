#include "io/document.h"

#include "io/validate_node.h"
#include "report/render.h"

#include <algorithm>
#include <map>
#include <set>

namespace fusescope {

namespace {

constexpr std::int64_t newestIr = 14;

class Validator
{
public:
    explicit Validator(const Graph& graph) : m_graph(graph) {}

    std::vector<Problem> run()
    {
        checkHeader();
        checkFunctions();
        for (const BodyId id : m_graph.bodies())
            checkBody(id);
        for (const NodeId id : m_graph.allNodes())
            validateNode(m_graph, id, m_problems);
        checkTrainMode();
        checkSparse();
        checkRecursion();
        return std::move(m_problems);
    }

private:
    void add(Severity severity, Message message, NodeId node = {})
    {
        m_problems.push_back({severity, node, std::move(message)});
    }

    void checkImports(const OpsetImports& opsets)
    {
        std::set<std::string> seen;
        for (const auto& [domain, version] : opsets) {
            const std::string name = domain.empty() ? "ai.onnx" : domain;
            if (!seen.insert(name).second)
                add(Severity::warning, Message("io.opset-twice", {{"domain", name}}));
            const int newest = latestOpset(domain);
            if (version <= 0)
                add(Severity::error,
                    Message("io.opset-invalid", {{"domain", name}, {"version", version}}));
            else if (newest > 0 && version > newest)
                add(Severity::warning, Message("io.opset-newer", {{"domain", name},
                                                                  {"version", version},
                                                                  {"known", std::int64_t{newest}}}));
        }
    }

    void checkHeader()
    {
        const Header& header = m_graph.header();
        if (header.irVersion <= 0)
            add(Severity::warning, Message("io.ir-missing"));
        else if (header.irVersion > newestIr)
            add(Severity::warning, Message("io.ir-newer", {{"version", header.irVersion},
                                                           {"known", newestIr}}));
        if (header.opsets.empty())
            add(Severity::error, Message("io.no-opsets"));
        checkImports(header.opsets);
    }

    void checkFunctions()
    {
        std::set<OpKey> keys;
        for (const BodyId id : m_graph.header().functions) {
            const FunctionInfo& info = *m_graph.body(id)->function;
            if (!keys.insert(info.key).second)
                add(Severity::error, Message("io.function-twice", {{"name", info.key.type}}));
            if (info.key.type.empty())
                add(Severity::error, Message("io.function-without-name"));
            checkImports(info.opsets);
        }
    }

    void checkBody(BodyId id)
    {
        const Body& body = *m_graph.body(id);
        if (body.kind == Body::Kind::main) {
            if (body.outputs.empty())
                add(Severity::warning, Message("io.no-outputs"));
            for (const ValueId input : body.inputs) {
                const Value& value = *m_graph.value(input);
                if (!value.type.isKnown() && !value.isInitializer())
                    add(Severity::warning, Message("io.input-without-type", {{"value", input}}));
            }
        }
        for (const ValueId input : body.inputs) {
            if (m_graph.value(input)->name.empty())
                add(Severity::error, Message("io.input-without-name"));
        }
    }

    // Indices lie within the shape and ascend (ONNX, SparseTensorProto).
    static bool isOrdered(const SparseTensor& sparse)
    {
        const Tensor& indices = *sparse.indices;
        const auto count = elementCountOf(sparse.shape);
        const std::int64_t entries = sparse.values->elementCount();
        const std::size_t width = indices.rank() == 2 ? sparse.shape.size() : 1;
        if (!count || indices.elementCount() != entries * static_cast<std::int64_t>(width))
            return false;
        std::int64_t last = -1;
        for (std::int64_t i = 0; i < entries; ++i) {
            std::int64_t at = 0;
            for (std::size_t k = 0; k < width; ++k) {
                const std::int64_t index =
                    indices.asInt(i * static_cast<std::int64_t>(width) + static_cast<std::int64_t>(k));
                const std::int64_t extent = width == 1 && indices.rank() != 2 ? *count : sparse.shape[k];
                if (index < 0 || index >= extent)
                    return false;
                at = at * extent + index;
            }
            if (at <= last)
                return false;
            last = at;
        }
        return true;
    }

    void checkSparse()
    {
        for (std::uint32_t i = 1; i < m_graph.valueLimit(); ++i) {
            const Value* value = m_graph.value(ValueId{i});
            if (!value || !value->sparse)
                continue;
            const SparseTensor& sparse = *value->sparse;
            if (sparse.values && sparse.indices && sparse.values->isAvailable() &&
                sparse.indices->isAvailable() && !isOrdered(sparse))
                add(Severity::error, Message("io.sparse-indices", {{"tensor", value->name}}));
        }
    }

    // A function that calls itself, however far around, can neither be opened nor run.
    void checkRecursion()
    {
        std::map<BodyId, std::set<BodyId>> calls;
        for (const NodeId id : m_graph.allNodes()) {
            const Node& node = *m_graph.node(id);
            const BodyId callee = m_graph.functionOf(node.op);
            if (!callee)
                continue;
            BodyId caller = node.body; // of bodies inside, the function around
            for (const Node* owner = m_graph.node(m_graph.body(caller)->owner); owner;
                 owner = m_graph.node(m_graph.body(caller)->owner))
                caller = owner->body;
            calls[caller].insert(callee);
        }
        std::map<BodyId, bool> isOpen; // of those seen: whether the walk is inside
        for (const BodyId function : m_graph.header().functions)
            walkCalls(function, calls, isOpen);
    }

    void walkCalls(BodyId from, std::map<BodyId, std::set<BodyId>>& calls,
                   std::map<BodyId, bool>& isOpen)
    {
        if (!isOpen.try_emplace(from, true).second)
            return;
        std::vector<std::pair<BodyId, std::set<BodyId>::const_iterator>> path{
            {from, calls[from].begin()}};
        while (!path.empty()) {
            auto& [function, next] = path.back();
            if (next == calls[function].end()) {
                isOpen[function] = false;
                path.pop_back();
                continue;
            }
            const BodyId callee = *next++;
            if (const auto [seen, isNew] = isOpen.try_emplace(callee, true); isNew)
                path.emplace_back(callee, calls[callee].begin());
            else if (seen->second)
                add(Severity::error,
                    Message("reason.inline-recursion",
                            {{"op", m_graph.body(callee)->function->key.type}}));
        }
    }

    // PyTorch's newer exporter writes the BatchNormalizations of a module in train mode as those of
    // an inference, and may fold them; only its Dropouts tell.
    void checkTrainMode()
    {
        const Header& header = m_graph.header();
        if (header.producerName != "pytorch" || header.irVersion < 10)
            return;
        NodeId dropout;
        for (const NodeId id : m_graph.allNodes()) {
            const Node& node = *m_graph.node(id);
            if (node.is("BatchNormalization") &&
                (node.outputs.size() > 1 || node.attributes.getInt("training_mode", 0) != 0))
                return;
            const bool drops = node.is("Dropout") && node.input(2) && !dropout;
            const TensorPtr training = drops ? m_graph.constant(node.input(2)) : nullptr;
            if (training && training->isAvailable() && training->elementCount() == 1 &&
                training->asInt(0) != 0)
                dropout = id;
        }
        if (dropout)
            add(Severity::note, Message("io.train-mode", {{"node", dropout}}), dropout);
    }

    const Graph& m_graph;
    std::vector<Problem> m_problems;
};

} // namespace

std::vector<Problem> validate(const Graph& graph)
{
    return Validator(graph).run();
}

Result<void> validateForSaving(const Graph& graph, const Graph* opened)
{
    FUSESCOPE_TRY(graph.check());
    std::vector<Problem> problems = validate(graph);
    std::erase_if(problems, [](const Problem& p) { return p.severity != Severity::error; });
    if (problems.empty())
        return {};
    // By what they say: in a file that was read back ids are others.
    std::set<std::string> before;
    if (opened) {
        for (const Problem& problem : validate(*opened))
            before.insert(render(problem.message, opened));
    }
    for (Problem& problem : problems) {
        if (!before.contains(render(problem.message, &graph)))
            return fail(ErrorCode::invalidModel, std::move(problem.message), problem.node);
    }
    return {};
}

} // namespace fusescope
