#pragma once

#include "exec/fused/builder.h"
#include "exec/kernels/elementwise.h"

#include <map>

namespace fusescope::fused {

// Why a kernel cannot take a node; nothing when its steps were made.
using Why = std::optional<Message>;

// An operand of an instruction: an input, a constant, or the result of an earlier instruction.
struct ProgramRef
{
    enum class Kind : std::uint8_t { input, constant, result };
    Kind kind = Kind::input;
    int index = 0;

    bool operator==(const ProgramRef&) const = default;
};

// An elementwise program over Vars, before its operands have places.
struct Program
{
    using Ref = ProgramRef;
    struct Op
    {
        kernels::ElementOp op = kernels::ElementOp::Add;
        Ref a, b, c;
        kernels::ActivationSpec activation;
    };

    std::vector<int> inputs; // Vars, each once
    std::vector<float> constants;
    std::vector<Op> code;

    Ref input(int var);
    Ref constant(float value);
    Ref push(kernels::ElementOp op, Ref a, Ref b = {}, Ref c = {});
    Ref activate(kernels::ActivationSpec activation, Ref a);
    int usesOf(Ref ref, std::size_t from = 0) const; // by instructions from there on
    kernels::ElementProgram finished() const;
    // x·sigmoid(x) and x·hardsigmoid(x) become one instruction.
    void simplify();
};

// Writes nodes as instructions. Nodes that only rename (Identity) add none.
class ProgramMaker
{
public:
    explicit ProgramMaker(Builder& builder) : m_builder(builder) {}

    Why add(const Unit& unit);
    Program::Ref of(int var);
    void set(int var, Program::Ref ref) { m_values[var] = ref; }
    bool has(int var) const { return m_values.contains(var); }
    // The last instruction makes this value, and nothing else is asked for.
    bool endsWith(int var) const;

    Program program;

private:
    Why operands(const Unit& unit) const;
    Why addClip(const Unit& unit);
    Why addChain(const Unit& unit, kernels::ElementOp op, bool mean);
    Why addBatchNormalization(const Unit& unit);
    bool addActivation(const Unit& unit);

    Builder& m_builder;
    std::map<int, Program::Ref> m_values;
};

// One step for a whole program.
Why emitProgram(Builder& builder, const Unit& unit, Program program, int output,
                const std::string& name);

// Where the operands of a program lie for one pass over a result, and how they are walked.
struct ElementPass
{
    kernels::ElementProgram program;
    std::vector<Operand> operands;
    std::vector<Sizes> strides; // empty: dense
    Sizes shape;                // as it is walked

    bool run(RunState& state, float* output) const;
};
// `resultVar` is an input that lies in the result already (−1: none); its operand stays empty.
ElementPass makePass(Builder& builder, Draft& draft, const Program& program, int output,
                     Layout layout, int resultVar = -1);

} // namespace fusescope::fused
