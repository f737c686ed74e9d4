#include "exec/fused/epilogue_plan.h"

#include <algorithm>

namespace fusescope::fused {

using kernels::ElementOp;
using kernels::OperandKind;
using Ref = Program::Ref;

namespace {

// How an operand lies against the result.
OperandKind kindOf(const Builder& builder, int var, const Sizes& target, std::size_t axis)
{
    const Sizes& own = builder.shape(var);
    if (own == target)
        return OperandKind::Tensor;
    if (own.size() > target.size())
        return OperandKind::None;
    const std::size_t shift = target.size() - own.size();
    for (std::size_t i = 0; i < own.size(); ++i) {
        if (own[i] != 1 && i + shift != axis)
            return OperandKind::None;
    }
    return axis >= shift && own[axis - shift] == target[axis] ? OperandKind::Channel
                                                              : OperandKind::None;
}

// The instructions from `first` on, with the value that the kernel leaves as input `main`.
Program remainder(const Program& program, std::size_t first, Ref current, int main)
{
    Program rest;
    const Ref x = rest.input(main);
    const auto moved = [&](Ref ref) -> Ref {
        if (ref == current)
            return x;
        if (ref.kind == Ref::Kind::input)
            return rest.input(program.inputs[static_cast<std::size_t>(ref.index)]);
        if (ref.kind == Ref::Kind::constant)
            return rest.constant(program.constants[static_cast<std::size_t>(ref.index)]);
        return {Ref::Kind::result, ref.index - static_cast<int>(first)};
    };
    for (std::size_t i = first; i < program.code.size(); ++i) {
        Program::Op op = program.code[i];
        const bool binary = op.op <= ElementOp::Equal;
        const bool ternary = op.op == ElementOp::Where;
        op.a = moved(op.a);
        op.b = binary || ternary ? moved(op.b) : Ref{};
        op.c = ternary ? moved(op.c) : Ref{};
        rest.code.push_back(op);
    }
    return rest;
}

// Activations by an exponential: one vector after the other in a kernel's registers they wait for
// themselves, over the finished rows many run side by side. Measured on YOLOX-nano, whose SiLUs cost
// more in the epilogue than apart.
bool isExponential(const Program::Op& op)
{
    if (op.op != ElementOp::Activate)
        return false;
    switch (op.activation.kind) {
    case kernels::Activation::Sigmoid:
    case kernels::Activation::Tanh:
    case kernels::Activation::Silu:
    case kernels::Activation::Elu:
    case kernels::Activation::GeluErf:
    case kernels::Activation::GeluTanh:
    case kernels::Activation::Mish:
    case kernels::Activation::Softplus:
        return true;
    default:
        return false;
    }
}

} // namespace

EpiloguePlan planEpilogue(const Builder& builder, Program program, int main, std::size_t axis,
                          int ownBias)
{
    EpiloguePlan plan;
    plan.main = main;
    plan.bias = ownBias;
    program.simplify();
    const Sizes& target = builder.shape(main);
    Ref current = program.input(main);
    enum Stage { bias, residual, activation, steps };
    Stage stage = ownBias >= 0 ? residual : bias;
    std::size_t i = 0;
    for (; i < program.code.size(); ++i) {
        const Program::Op& op = program.code[i];
        const bool binary = op.op <= ElementOp::Equal;
        if (op.op == ElementOp::Where || isExponential(op) || program.usesOf(current, i) != 1)
            break;
        EpiloguePlan::Step step;
        step.step.op = op.op;
        step.step.activation = op.activation;
        if (binary) {
            step.step.swapped = op.b == current;
            if (op.a != current && op.b != current)
                break;
            const Ref other = step.step.swapped ? op.a : op.b;
            if (other.kind == Ref::Kind::constant) {
                step.step.kind = OperandKind::Scalar;
                step.step.scalar = program.constants[static_cast<std::size_t>(other.index)];
            } else if (other.kind == Ref::Kind::input) {
                step.var = program.inputs[static_cast<std::size_t>(other.index)];
                step.step.kind = kindOf(builder, step.var, target, axis);
            }
            if (step.step.kind == OperandKind::None)
                break;
        } else if (op.a != current) {
            break;
        }
        const bool adds = op.op == ElementOp::Add;
        if (stage <= bias && adds && step.step.kind == OperandKind::Channel) {
            plan.bias = step.var;
            stage = residual;
        } else if (stage <= residual && adds && step.step.kind == OperandKind::Tensor) {
            plan.residual = step.var;
            stage = activation;
        } else if (stage <= activation && op.op == ElementOp::Activate) {
            plan.activation = op.activation;
            stage = steps;
        } else {
            plan.steps.push_back(step);
            stage = steps;
        }
        current = {Ref::Kind::result, static_cast<int>(i)};
    }
    if (i < program.code.size())
        plan.rest = remainder(program, i, current, main);
    return plan;
}

BoundEpilogue::BoundEpilogue(Draft& draft, const EpiloguePlan& plan, Layout layout)
    : m_activation(plan.activation)
{
    if (plan.bias >= 0)
        m_bias = draft.read(plan.bias);
    if (plan.residual >= 0)
        m_residual = draft.read(plan.residual, layout);
    for (const EpiloguePlan::Step& step : plan.steps) {
        Operand operand;
        if (step.var >= 0)
            operand = draft.read(step.var,
                                 step.step.kind == OperandKind::Tensor ? layout : Layout::plain);
        m_steps.emplace_back(step.step, operand);
    }
}

kernels::Epilogue BoundEpilogue::bind(RunState& state,
                                      std::vector<kernels::EpilogueStep>& storage) const
{
    kernels::Epilogue epilogue;
    epilogue.bias = state.floats(m_bias);
    epilogue.residual = state.floats(m_residual);
    epilogue.activation = m_activation;
    for (const auto& [step, operand] : m_steps) {
        storage.push_back(step);
        storage.back().data = state.floats(operand);
    }
    epilogue.steps = storage;
    return epilogue;
}

} // namespace fusescope::fused
