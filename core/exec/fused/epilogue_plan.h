#pragma once

#include "exec/fused/program.h"

namespace fusescope::fused {

// What follows a convolution or product, put into the form that its kernel applies to each result
// while it is in registers, and the rest, which is one more pass over the result.
struct EpiloguePlan
{
    int bias = -1, residual = -1; // Vars
    kernels::ActivationSpec activation;
    struct Step
    {
        kernels::EpilogueStep step;
        int var = -1;
    };
    std::vector<Step> steps;
    Program rest; // its result input is `main`
    int main = -1;

    bool hasRest() const { return !rest.code.empty(); }
};

// The axis of the result that per-channel operands run along.
EpiloguePlan planEpilogue(const Builder& builder, Program program, int main, std::size_t axis,
                          int ownBias);

// Where the operands lie; bound to pointers for each run.
class BoundEpilogue
{
public:
    BoundEpilogue(Draft& draft, const EpiloguePlan& plan, Layout layout);
    const Operand& residual() const { return m_residual; }

    kernels::Epilogue bind(RunState& state, std::vector<kernels::EpilogueStep>& storage) const;

private:
    Operand m_bias, m_residual;
    kernels::ActivationSpec m_activation;
    std::vector<std::pair<kernels::EpilogueStep, Operand>> m_steps;
};

// The nodes of a region that follow its main one.
struct Tail
{
    Program program;
    int main = -1;   // the main operator's result
    int output = -1; // of the region
};

Why buildConvolution(Builder& builder, const Unit& unit);
// `parts` are read where they lie, behind each other on the channel axis.
Why emitConvolution(Builder& builder, const Unit& reported, const Unit& convolution,
                    const std::vector<int>& parts, const Tail& tail);
Why buildProduct(Builder& builder, const Unit& unit);
Why emitProduct(Builder& builder, const Unit& reported, const Unit& product, const Tail& tail);

} // namespace fusescope::fused
