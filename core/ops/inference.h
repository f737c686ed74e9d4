#pragma once

#include "base/result.h"
#include "model/graph.h"

#include <functional>
#include <stop_token>
#include <vector>

namespace fusescope {

// What is known of one value where a node reads it.
struct KnownValue
{
    Type type;
    ShapeData data;     // contents of a shape vector, in terms
    TensorPtr constant; // contents, when they are the same in every run
};

// One node to infer. Inputs that are absent have an undefined type and `present` false. An inference
// function sets what it can prove and leaves the rest undefined; it fails only when the inputs
// contradict the operator (wrong rank, type or value), naming what was expected and found.
class InferenceContext
{
public:
    // Infers an inner body with these types for its inputs; gives its outputs.
    using InferBody =
        std::function<Result<std::vector<KnownValue>>(BodyId, const std::vector<KnownValue>&)>;

    InferenceContext(const Node& node, NodeId id, int sinceVersion, std::vector<KnownValue> inputs,
                     InferBody inferBody);

    const Node& node() const { return m_node; }
    NodeId nodeId() const { return m_id; }
    int sinceVersion() const { return m_since; }
    const Attributes& attributes() const { return m_node.attributes; }

    std::size_t inputCount() const { return m_inputs.size(); }
    bool hasInput(std::size_t i) const;
    const KnownValue& input(std::size_t i) const; // an empty one past the end
    DType dtype(std::size_t i) const { return input(i).type.dtype; }
    const Shape& shape(std::size_t i) const { return input(i).type.shape; }
    // The contents of an integer input of rank 0 or 1: from the constant, else from the terms.
    ShapeData integers(std::size_t i) const;

    std::size_t outputCount() const { return m_node.outputs.size(); }
    bool wantsOutput(std::size_t i) const { return static_cast<bool>(m_node.output(i)); }
    void setOutput(std::size_t i, Type type);
    void setTensor(std::size_t i, DType dtype, Shape shape)
    {
        setOutput(i, Type::tensor(dtype, std::move(shape)));
    }
    void setData(std::size_t i, std::vector<Dim> data);
    const std::vector<KnownValue>& outputs() const { return m_outputs; }

    // An unknown size that is the same at every inference of this node: keyed by node, output, axis.
    Dim unknown(std::size_t output, std::size_t axis) const;
    Shape unknownShape(std::size_t output, std::size_t rank) const;
    // The same for an element of shape data, which may be negative.
    Dim unknownElement(std::size_t output, std::size_t index) const;

    Result<std::vector<KnownValue>> inferBody(BodyId body, const std::vector<KnownValue>& inputs);

    // An error at this node.
    tl::unexpected<Error> wrong(Message message) const
    {
        return fail(ErrorCode::invalidModel, std::move(message), m_id);
    }

private:
    std::uint64_t keyOf(std::size_t output, std::size_t index) const;

    const Node& m_node;
    NodeId m_id;
    int m_since;
    std::vector<KnownValue> m_inputs;
    std::vector<KnownValue> m_outputs;
    InferBody m_inferBody;
};

using InferFunction = Result<void> (*)(InferenceContext&);

// Infers one node against what `known` gives for its inputs. Types of the declaration are merged by
// the caller. A node without a schema, or whose inference fails, gives undefined outputs and the
// error. Calls of model functions and regions infer their bodies.
Result<std::vector<KnownValue>> inferNode(const Graph& graph, NodeId id, const Node& node,
                                          const std::function<KnownValue(ValueId)>& known);

// Merges what a file declares with what was inferred: the sharper of both, dimension by dimension.
// `contradiction` is set when they cannot both be true; the inferred one then wins.
Type mergeTypes(const Type& declared, const Type& inferred, bool* contradiction = nullptr);

struct InferenceProblem
{
    NodeId node;
    ValueId value;
    Message message;
};

// Step 0 of a model: infers all bodies in order and gives the patch that sharpens the values, with
// the problems found (a failing node, a declared type that contradicts). Never fails as a whole but
// when stopped.
struct InferredGraph
{
    GraphPatch patch;
    std::vector<InferenceProblem> problems;
};
Result<InferredGraph> inferGraph(const Graph& graph, std::stop_token stop = {});

} // namespace fusescope
