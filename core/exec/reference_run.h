#pragma once

#include "exec/executor.h"

#include <chrono>
#include <functional>
#include <unordered_map>

namespace fusescope::reference {

// One run of a graph by the reference kernels: frames of values, one a body that runs.
class Run
{
public:
    Run(const Graph& graph, const RunOptions& options, RunResult& result);

    Result<std::vector<RuntimeValue>> main(std::vector<RuntimeValue> arguments);
    // One node whose inputs and captures are constants.
    Result<std::vector<RuntimeValue>> alone(NodeId node);
    // One node on these operands; `captures` are the values around it that its bodies read.
    Result<std::vector<RuntimeValue>>
    withInputs(NodeId id, const Node& node, std::vector<RuntimeValue> inputs,
               const std::vector<std::pair<ValueId, RuntimeValue>>& captures);

private:
    struct Call
    {
        const Attributes* attributes = nullptr;
        const FunctionInfo* info = nullptr;
    };
    struct Frame
    {
        const Frame* parent = nullptr; // of the body around an inner body or region
        Call call;
        int depth = 0;
        std::unordered_map<ValueId, RuntimeValue> values;
    };
    // What a body's nodes leave behind: which values nobody reads after each node.
    struct Plan
    {
        std::shared_ptr<const std::vector<NodeId>> nodes;
        std::vector<std::vector<ValueId>> lastReadBy; // by position
        std::vector<ValueId> unread;                  // arguments that no node reads
    };

    Result<std::vector<RuntimeValue>> body(BodyId id, std::vector<RuntimeValue> arguments,
                                           Frame& frame);
    Result<std::vector<RuntimeValue>> node(NodeId id, const Node& node, Frame& frame);
    Result<std::vector<RuntimeValue>> boundNode(NodeId id, const Node& node, Frame& frame);
    Result<std::vector<RuntimeValue>> dispatched(NodeId id, const Node& node,
                                                 std::vector<RuntimeValue> inputs, Frame& frame);
    Result<std::vector<RuntimeValue>> kernel(NodeId id, const Node& node,
                                             const std::vector<RuntimeValue>& inputs, Frame& frame);
    // What `output` of an inner body of the node would be, for these inputs.
    Type resultType(NodeId id, const Node& node, const std::vector<RuntimeValue>& inputs,
                    const Frame& frame, BodyId inner, std::size_t output) const;
    const Plan& planOf(BodyId id);
    // The node of `body` that a use belongs to: itself or the owner around it; none for others.
    NodeId readerIn(BodyId body, const Use& use) const;
    RuntimeValue lookUp(ValueId id, const Frame& frame) const;
    bool isGiven(const Node& node) const;
    void set(ValueId id, RuntimeValue value, Frame& frame);
    void drop(ValueId id, Frame& frame);
    void account(const RuntimeValue& value, int sign);
    void noteTime(NodeId id, double ms);

    const Graph& m_graph;
    const RunOptions& m_options;
    RunResult& m_result;
    std::unordered_map<BodyId, Plan> m_plans;
    std::unordered_map<NodeId, std::uint64_t> m_runsOf;       // of nodes in bodies that run again
    std::unordered_map<const void*, int> m_holders;           // storage that is alive, by address
    std::int64_t m_liveBytes = 0;
    std::int64_t m_trips = 0; // of Loop, Scan and SequenceMap
    std::size_t m_done = 0;
};

// A sparse initializer as the dense tensor that it stands for.
Result<TensorPtr> densified(const SparseTensor& sparse, std::int64_t memoryLimit);

} // namespace fusescope::reference
