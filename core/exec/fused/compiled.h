#pragma once

#include "exec/fused/memory.h"
#include "exec/fused/unit.h"
#include "exec/kernels/threadpool.h"
#include "exec/reference_run.h"

#include <functional>
#include <string>
#include <vector>

namespace fusescope::fused {

enum class Layout : std::uint8_t {
    plain,   // row-major, as ONNX has it
    blocked, // nChwKc, K being the lanes of the instruction set
};

// A stretch of the arena, or a view into another one.
struct Buffer
{
    std::int64_t bytes = 0;
    int inside = -1;           // the buffer that it lies in, or itself
    std::int64_t offset = 0;   // within that one, in bytes
    int first = -1, last = -1; // steps; of roots
    std::int64_t place = -1;   // in the arena
};

// Where a step finds what it reads.
struct Operand
{
    enum class Kind : std::uint8_t { none, constant, boxed, buffer };
    Kind kind = Kind::none;
    int index = -1;                  // of the Var or the Buffer
    const std::byte* data = nullptr; // of a constant

    explicit operator bool() const { return kind != Kind::none; }
};

struct Compiled;

// One run of a plan.
class RunState
{
public:
    RunState(const Compiled& plan, std::byte* arenaMemory, kernels::ThreadPool& team)
        : pool(team), m_plan(plan), m_arena(arenaMemory)
    {
    }

    const std::byte* bytes(const Operand& operand);
    const float* floats(const Operand& operand)
    {
        return reinterpret_cast<const float*>(bytes(operand));
    }
    std::byte* place(int buffer);
    float* floatsAt(int buffer) { return reinterpret_cast<float*>(place(buffer)); }
    float* scratch();
    const float* weights(std::int64_t offset) const;
    bool isInArena(const std::byte* data) const;

    kernels::ThreadPool& pool;
    std::vector<RuntimeValue> boxed; // by Var
    reference::Run* reference = nullptr;
    ValueId unexpected; // a result that was not as planned

private:
    const Compiled& m_plan;
    std::byte* m_arena;
};

using StepFunction = std::function<Result<void>(RunState&)>;

inline Result<void> finished(bool whole)
{
    if (!whole)
        return cancelled();
    return {};
}

struct Step
{
    NodeId node; // as a reader of the graph knows it
    std::string kernel, layout;
    std::vector<std::pair<std::string, Message>> rejected;
    double flops = 0, bytes = 0;
    std::vector<int> reads, writes; // buffers
    std::vector<int> opens, closes; // Vars held as RuntimeValue that begin and end here
    std::vector<int> boxedReads;
    std::vector<std::pair<int, int>> inPlace; // a buffer read, the one written that may lie in it
    std::int64_t scratchBytes = 0;
    StepFunction run;
};

// What is packed once, into the memory of the weights.
struct Packing
{
    std::int64_t offset = 0, floats = 0;
    std::function<void(float*, kernels::ThreadPool&)> pack;
};

// Where a value is when its step is done.
struct Location
{
    TensorPtr constant;
    int boxed = -1;
    bool reshape = false; // the RuntimeValue has another shape
    int buffer = -1;
    Layout layout = Layout::plain;
    DType dtype = DType::undefined;
    Sizes shape;
    int readyAfter = -1; // the step that makes it; −1: before all
};

struct Compiled
{
    std::vector<Step> steps;
    std::vector<Buffer> buffers;
    std::size_t varCount = 0;
    std::vector<int> arguments;
    std::vector<std::pair<ValueId, int>> given;
    std::vector<Location> outputs;
    std::vector<std::pair<ValueId, Location>> visible; // sorted by id
    std::vector<TensorPtr> constants;                  // kept alive for the operands
    std::vector<MemoryBlock> constantBlocks;
    std::vector<Packing> packings;
    MemoryBlock weights;
    std::int64_t weightBytes = 0;
    std::int64_t scratchOffset = 0;
    std::int64_t arenaBytes = 0; // scratch included
};

// The node whose step writes most: what to name when the memory does not suffice.
NodeId largestNode(const Compiled& plan);

// The value as a tensor of its own; null if it was cut short.
Result<RuntimeValue> fetch(const Location& location, RunState& state);

} // namespace fusescope::fused
