#include "io/document.h"

#include "io/validate_node.h"
#include "report/render.h"

#include <algorithm>
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
