#pragma once

#include "base/result.h"
#include "model/graph.h"
#include "ops/runtime_value.h"

#include <functional>
#include <span>
#include <stop_token>
#include <vector>

namespace fusescope {

// One execution of one node by its reference kernel. Kernels are plain and exact: arithmetic of the
// declared type, long sums in double, rounded once.
// Bytes that a tensor takes in memory at least, a text of its own for each string; nothing beyond
// counting.
std::optional<std::int64_t> memoryOf(DType type, std::int64_t count);

class KernelContext
{
public:
    // Runs an inner body: arguments for its inputs, gives its outputs. Captures resolve by the
    // executor above.
    using RunBody = std::function<Result<std::vector<RuntimeValue>>(
        BodyId, const std::vector<RuntimeValue>&)>;

    KernelContext(const Node& node, NodeId id, int sinceVersion,
                  std::span<const RuntimeValue> inputs, RunBody runBody, std::uint64_t seed,
                  std::stop_token stop, std::int64_t memoryLeft = std::int64_t{8} << 30);

    const Node& node() const { return m_node; }
    NodeId nodeId() const { return m_id; }
    int sinceVersion() const { return m_since; }
    const Attributes& attributes() const { return m_node.attributes; }

    std::size_t inputCount() const { return m_inputs.size(); }
    bool hasInput(std::size_t i) const { return i < m_inputs.size() && m_inputs[i].isPresent(); }
    const RuntimeValue& input(std::size_t i) const { return m_inputs[i]; }
    // An input that must be a tensor: an error names the input and what was found.
    Result<const Tensor*> tensor(std::size_t i) const;
    // Null when it is absent.
    const Tensor* optionalTensor(std::size_t i) const;
    TensorPtr tensorPtr(std::size_t i) const { return m_inputs[i].tensorPtr(); }

    std::size_t outputCount() const { return m_outputs.size(); }
    bool wantsOutput(std::size_t i) const
    {
        return i < m_outputs.size() && static_cast<bool>(m_node.outputs[i]);
    }
    void setOutput(std::size_t i, RuntimeValue value);
    std::vector<RuntimeValue>& outputs() { return m_outputs; }

    // Allocates a result; refuses sizes that do not fit or pass the run's memory limit.
    Result<Tensor> allocate(DType type, std::vector<std::int64_t> shape) const;

    Result<std::vector<RuntimeValue>> runBody(BodyId body, const std::vector<RuntimeValue>& inputs);
    // What an inner body declares or was inferred to make; undefined where the caller knows nothing.
    Type bodyOutputType(BodyId body, std::size_t output) const
    {
        return m_bodyOutputType ? m_bodyOutputType(body, output) : Type();
    }
    void setBodyOutputType(std::function<Type(BodyId, std::size_t)> of)
    {
        m_bodyOutputType = std::move(of);
    }
    // Random operators draw from (seed, node).
    std::uint64_t seed() const { return m_seed; }
    bool stopRequested() const { return m_stop.stop_requested(); }
    std::stop_token stopToken() const { return m_stop; }
    // Bytes that results may still take; trips that a Loop may make.
    std::int64_t memoryLeft() const { return m_memoryLeft; }
    std::int64_t maxTrips() const { return m_maxTrips; }
    void setMaxTrips(std::int64_t trips) { m_maxTrips = trips; }

    tl::unexpected<Error> wrong(Message message) const
    {
        return fail(ErrorCode::failed, std::move(message), m_id);
    }

private:
    const Node& m_node;
    NodeId m_id;
    int m_since;
    std::span<const RuntimeValue> m_inputs;
    std::vector<RuntimeValue> m_outputs;
    RunBody m_runBody;
    std::function<Type(BodyId, std::size_t)> m_bodyOutputType;
    std::uint64_t m_seed;
    std::stop_token m_stop;
    std::int64_t m_memoryLeft;
    std::int64_t m_maxTrips = 10'000'000;
};

using KernelFunction = Result<void> (*)(KernelContext&);

} // namespace fusescope
