#include "core/session/official_tests.h"

#include "exec/executor.h"
#include "io/data_files.h"
#include "io/document.h"
#include "ops/inference.h"
#include "report/render.h"
#include "session/conformance.h"
#include "session/conformance_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace fusescope::test {

namespace {

namespace fs = std::filesystem;

std::string nameOfFolder(const std::string& path)
{
    return path.substr(path.rfind('/') + 1);
}

// Operators whose outputs have sizes that depend on the contents of tensors.
const std::set<std::string, std::less<>> sizedByContents = {
    "NonZero",     "Unique",           "Compress",     "NonMaxSuppression",
    "StringSplit", "StringNormalizer", "ImageDecoder", "Loop",
    "SequenceAt",  "ConcatFromSequence",
};

// A graph of which inference knows only what it may, with the sizes its symbols stand for.
class Forgetful
{
public:
    Forgetful(const Graph& graph, const RunInputs& inputs, Knowledge knowledge)
        : m_graph(graph), m_inputs(inputs), m_knowledge(knowledge)
    {
    }

    Result<Graph> run()
    {
        GraphPatch patch;
        std::vector<ValueId> known;
        for (std::uint32_t i = 1; i < m_graph.valueLimit(); ++i) {
            const ValueId id{i};
            const Value* value = m_graph.value(id);
            if (!value)
                continue;
            auto changed = std::make_shared<Value>(*value);
            if (value->isInput && value->body == m_graph.mainBody()) {
                if (forgetInput(*changed))
                    known.push_back(id);
            } else if (m_graph.producer(id)) {
                changed->type = {};
            } else {
                continue;
            }
            patch.values.push_back({id, m_graph.valuePtr(id), std::move(changed)});
        }
        const BodyId main = m_graph.mainBody();
        auto body = std::make_shared<Body>(*m_graph.body(main));
        for (const ValueId id : known) {
            std::erase(body->inputs, id);
            body->initializers.push_back(id);
        }
        patch.bodies.push_back({main, m_graph.bodyPtr(main), std::move(body)});
        Graph graph = m_graph;
        FUSESCOPE_TRY(graph.apply(patch));
        return graph;
    }

    std::optional<std::int64_t> sizeOf(const Dim& leaf) const
    {
        const auto found = m_sizes.find(leaf);
        return found == m_sizes.end() ? std::nullopt : std::optional(found->second);
    }

private:
    // Sizes, axes, scales and the like; data in floating point are matrices or come first.
    bool isArgument(const Tensor& tensor) const
    {
        if (isInteger(tensor.dtype()) || tensor.dtype() == DType::boolean || tensor.rank() == 0)
            return true;
        const auto first = m_inputs.find(
            m_graph.value(m_graph.body(m_graph.mainBody())->inputs.front())->name);
        return tensor.rank() <= 1 && isFloatingPoint(tensor.dtype()) &&
               (first == m_inputs.end() || first->second.tensor() != &tensor);
    }

    // Whether the input became a constant.
    bool forgetInput(Value& value)
    {
        const auto given = m_inputs.find(value.name);
        if (given == m_inputs.end() || value.isInitializer())
            return false;
        const TensorPtr tensor = given->second.tensorPtr();
        if (!tensor)
            return false;
        const bool shared = m_knowledge == Knowledge::equalities;
        if ((m_knowledge == Knowledge::contents || shared) && isArgument(*tensor)) {
            value.isInput = false;
            value.constant = tensor;
            return true;
        }
        if (m_knowledge == Knowledge::symbols || shared) {
            std::vector<Dim> dims;
            for (std::size_t axis = 0; axis < tensor->rank(); ++axis) {
                const std::int64_t size = tensor->shape()[axis];
                dims.push_back(!shared    ? Dim::symbol(fmt::format("{}_{}", value.name, axis))
                               : size > 1 ? Dim::symbol(fmt::format("s{}", size))
                                          : Dim(size));
            }
            value.type = Type::tensor(tensor->dtype(), Shape::of(std::move(dims)));
        }
        const Shape& shape = value.type.shape;
        for (std::size_t axis = 0; axis < shape.rank() && axis < tensor->rank(); ++axis) {
            if (!shape[axis].isConstant())
                m_sizes[shape[axis]] = tensor->shape()[axis];
        }
        return false;
    }

    const Graph& m_graph;
    const RunInputs& m_inputs;
    Knowledge m_knowledge;
    std::map<Dim, std::int64_t> m_sizes;
};

// What a comparison found: a contradiction in words, or that something stayed unknown.
struct Finding
{
    std::string fault;
    bool isUnknown = false;
};

class Agreement
{
public:
    explicit Agreement(const Forgetful& sizes) : m_sizes(sizes) {}

    Finding of(const Value& value, const RuntimeValue& made)
    {
        m_finding = {};
        compare(value.type, made);
        if (value.data)
            compareData(*value.data, made);
        return m_finding;
    }

private:
    void contradict(const std::string& inferred, const std::string& made)
    {
        if (m_finding.fault.empty())
            m_finding.fault = fmt::format("inferred {}, made {}", inferred, made);
    }

    std::optional<std::int64_t> evaluate(const Dim& dim) const
    {
        return dim.evaluate([this](const Dim& leaf) { return m_sizes.sizeOf(leaf); });
    }

    void compare(const Type& type, const RuntimeValue& made)
    {
        const Type found = made.type();
        if (!type.isKnown()) {
            m_finding.isUnknown = true;
            return;
        }
        if (type.kind != found.kind)
            return contradict(type.text(), found.text());
        if (const SequenceValue* sequence = made.sequence()) {
            for (const auto& element : sequence->elements)
                compareElement(type, *element);
            return;
        }
        if (const OptionalValue* optional = made.optional()) {
            if (optional->held)
                compareElement(type, *optional->held);
            return;
        }
        if (type.dtype == DType::undefined)
            m_finding.isUnknown = true;
        else if (type.dtype != found.dtype)
            return contradict(type.text(), found.text());
        if (made.tensor())
            compareShape(type, made);
    }

    // Elements may differ in their sizes: those stay unknown by right.
    void compareElement(const Type& type, const RuntimeValue& made)
    {
        const bool before = m_finding.isUnknown;
        compare(type.element ? *type.element : Type(), made);
        m_finding.isUnknown = before || !type.element || !type.element->isKnown();
    }

    void compareShape(const Type& type, const RuntimeValue& made)
    {
        const std::vector<std::int64_t>& sizes = made.tensor()->shape();
        if (!type.shape.hasRank()) {
            m_finding.isUnknown = true;
            return;
        }
        if (type.shape.rank() != sizes.size())
            return contradict(type.text(), made.type().text());
        for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
            const auto size = evaluate(type.shape[axis]);
            if (!size)
                m_finding.isUnknown = true;
            else if (*size != sizes[axis])
                contradict(type.text(), made.type().text());
        }
    }

    void compareData(const std::vector<Dim>& data, const RuntimeValue& made)
    {
        const Tensor* tensor = made.tensor();
        if (!tensor || tensor->elementCount() != static_cast<std::int64_t>(data.size()))
            return contradict(fmt::format("{} elements", data.size()), made.type().text());
        for (std::size_t i = 0; i < data.size(); ++i) {
            const auto value = evaluate(data[i]);
            const double element = tensor->asDouble(static_cast<std::int64_t>(i));
            if (value && static_cast<double>(*value) != element)
                contradict("content " + data[i].text(), std::to_string(element));
        }
    }

    const Forgetful& m_sizes;
    Finding m_finding;
};

// Whether what a node makes depends, with symbols, on more than they say: on sizes that are equal in
// this run alone (in inner bodies too, which declare numbers), on a content that is not known, on the
// sign of an end of a slice, or on the rounding of a scale.
bool isUndecided(const Graph& graph, const Node& node, const Forgetful& sizes)
{
    if (node.op.type == "Resize" || node.op.type == "Upsample" || !node.bodies.empty())
        return true;
    const auto evaluate = [&](const Dim& dim) {
        return dim.evaluate([&](const Dim& leaf) { return sizes.sizeOf(leaf); });
    };
    const auto meet = [&](const std::vector<Dim>& a, const std::vector<Dim>& b) {
        for (std::size_t i = 1; i <= std::min(a.size(), b.size()); ++i) {
            const Dim& x = a[a.size() - i];
            const Dim& y = b[b.size() - i];
            if (!x.isConstant() && x != y && evaluate(x) == evaluate(y))
                return true;
        }
        return false;
    };
    for (const ValueId first : node.inputs) {
        const Value* one = graph.value(first);
        const std::vector<Dim> data = one && one->data ? *one->data : std::vector<Dim>();
        for (const Dim& dim : data) {
            if (dim.hasUnknown() || (node.op.type == "Slice" && !provablyNonNegative(dim)))
                return true;
        }
        for (const ValueId second : node.inputs) {
            const Value* other = graph.value(second);
            if (one && other &&
                (meet(one->type.shape.dims(), other->type.shape.dims()) ||
                 meet(data, other->type.shape.dims()) || meet(other->type.shape.dims(), data)))
                return true;
        }
    }
    return false;
}

std::string inputsOf(const Graph& graph, const Node& node)
{
    std::string text;
    for (const ValueId input : node.inputs) {
        const Value* value = graph.value(input);
        text += " " + (value ? value->type.text() : "-");
        if (!value || !value->data)
            continue;
        for (const Dim& dim : *value->data)
            text += (&dim == value->data->data() ? " {" : ", ") + dim.text();
        text += "}";
    }
    return text;
}

// The faults of one model, a line each.
Result<std::string> faultsOf(const std::string& model, Knowledge knowledge, int& values)
{
    FUSESCOPE_ASSIGN(const auto document, Document::open(model, {}));
    Graph graph = document->graph();
    FUSESCOPE_ASSIGN(const RunInputs inputs,
                     readOfficialInputs(graph, testDataSets(model).front()));
    RunOptions options;
    const BodyId main = graph.mainBody();
    for (std::uint32_t i = 1; i < graph.valueLimit(); ++i) {
        if (graph.value(ValueId{i}) && graph.value(ValueId{i})->body == main)
            options.keep.insert(ValueId{i});
    }
    FUSESCOPE_ASSIGN(const RunResult result, ReferenceExecutor(graph).run(inputs, options));
    Forgetful forgetful(graph, inputs, knowledge);
    FUSESCOPE_ASSIGN(Graph known, forgetful.run());
    FUSESCOPE_ASSIGN(const InferredGraph inferred, inferGraph(known));
    const std::string folder = nameOfFolder(fs::path(model).parent_path().string());
    std::string text;
    for (const InferenceProblem& problem : inferred.problems)
        text += fmt::format("{}: {}\n", folder, render(problem.message, &known));
    FUSESCOPE_TRY(known.apply(inferred.patch));
    Agreement agreement(forgetful);
    const bool wantsAll = knowledge == Knowledge::contents || knowledge == Knowledge::equalities;
    std::set<ValueId> unknown; // with what follows from them
    for (const NodeId node : *known.nodes(known.mainBody())) {
        const Node& producer = *known.node(node);
        const bool follows = std::ranges::any_of(
            producer.inputs, [&](ValueId input) { return unknown.contains(input); });
        for (const ValueId id : producer.outputs) {
            const auto made = result.kept.find(id);
            if (made == result.kept.end() || !made->second.isPresent())
                continue;
            ++values;
            const Value& value = *known.value(id);
            Finding finding = agreement.of(value, made->second);
            if (finding.isUnknown)
                unknown.insert(id);
            if (finding.fault.empty() && finding.isUnknown && wantsAll && !follows &&
                !sizedByContents.contains(producer.op.type) &&
                (knowledge == Knowledge::contents || !isUndecided(known, producer, forgetful)))
                finding.fault = fmt::format("{} says too little: {}", value.type.text(),
                                            made->second.type().text());
            if (!finding.fault.empty())
                text += fmt::format("{}: {} {}: {} (of{})\n", folder, producer.op.type, value.name,
                                    finding.fault, inputsOf(known, producer));
        }
    }
    return text;
}

} // namespace

std::vector<std::string> modelsBelow(const std::string& root)
{
    std::vector<std::string> models;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
        if (entry.path().extension() == ".onnx" && !testDataSets(entry.path().string()).empty())
            models.push_back(entry.path().string());
    }
    std::ranges::sort(models);
    return models;
}

std::vector<NotPossible> readNotPossible(const std::string& file)
{
    std::vector<NotPossible> listed;
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        std::istringstream words(line);
        NotPossible one;
        if (line.starts_with('#') || !(words >> one.set >> one.folder))
            continue;
        std::getline(words >> std::ws, one.reason);
        listed.push_back(std::move(one));
    }
    return listed;
}

std::string conformanceFaults(const std::string& root, const std::string& set,
                              const std::vector<NotPossible>& listed, int& passed)
{
    std::set<std::string> expected;
    for (const NotPossible& one : listed) {
        if (one.set == set && !one.reason.empty())
            expected.insert(one.folder);
    }
    const auto report = conformance({root}, RunExecutor::reference);
    if (!report)
        return render(report.error().message, nullptr);
    passed = report->passed;
    std::string text;
    std::set<std::string> failed;
    const auto note = [&](const std::string& path, const std::string& why) {
        const std::string folder = nameOfFolder(path);
        failed.insert(folder);
        if (!expected.contains(folder))
            text += folder + ": " + why + "\n";
    };
    for (const auto& [folder, why] : report->failed)
        note(folder, render(why, nullptr));
    for (const auto& [folder, op] : report->unsupported)
        note(folder, "no kernel runs " + op);
    std::set<std::string> there;
    for (const std::string& model : modelsBelow(root))
        there.insert(nameOfFolder(fs::path(model).parent_path().string()));
    for (const std::string& folder : expected) {
        if (there.contains(folder) && !failed.contains(folder))
            text += folder + ": is listed as not possible, but passes\n";
    }
    return text;
}

std::string inferenceFaults(const std::string& root, Knowledge knowledge, int& values)
{
    std::string text;
    for (const std::string& model : modelsBelow(root)) {
        // What does not run is for conformanceFaults() to say.
        if (const auto faults = faultsOf(model, knowledge, values))
            text += *faults;
    }
    return text;
}

} // namespace fusescope::test
