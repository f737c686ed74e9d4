#pragma once

#include <cstdint>
#include <span>

namespace fusescope::kernels {

/// All activations propagate NaN, and Relu, Clip and LeakyRelu keep -0.0.
enum class Activation : std::uint8_t {
    None,
    Relu,        ///< x < 0 ? 0 : x
    Clip,        ///< into [alpha, beta]
    Sigmoid,     ///< 1 / (1 + exp(-x))
    Tanh,        ///< tanh(x)
    LeakyRelu,   ///< x < 0 ? alpha x : x
    HardSigmoid, ///< clip(alpha x + beta, 0, 1)
    HardSwish,   ///< x clip(x / 6 + 1 / 2, 0, 1)
    Silu,        ///< x sigmoid(alpha x); alpha is 1 for SiLU
    Elu,         ///< x < 0 ? alpha (exp(x) - 1) : x
    GeluErf,     ///< x / 2 (1 + erf(x / sqrt 2))
    GeluTanh,    ///< x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))
    Mish,        ///< x tanh(softplus(x))
    Softplus,    ///< log(1 + exp(x))
};

struct ActivationSpec
{
    Activation kind = Activation::None;
    float alpha = 1.0F;
    float beta = 0.0F;
};

/// Operators of elementwise programs and of epilogue steps. Min and Max propagate NaN. Comparisons
/// give 1 or 0.
enum class ElementOp : std::uint8_t {
    // two operands
    Add,
    Sub,
    Mul,
    Div,
    Min,
    Max,
    Pow,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    // three operands: a != 0 ? b : c
    Where,
    // one operand
    Neg,
    Abs,
    Sqrt,
    Reciprocal,
    Exp,
    Log,
    Erf,
    Floor,
    Ceil,
    Round,
    Sign,
    // one operand; which one is said by an ActivationSpec
    Activate,
};

/// What the second operand of an epilogue step is, relative to the kernel's output.
enum class OperandKind : std::uint8_t {
    None,    ///< a step of one operand
    Scalar,  ///< `scalar`
    Channel, ///< data[output channel]; the output column of a matrix product
    Row,     ///< data[output row], matrix products only, counted through the batch
    Tensor,  ///< same layout as the output; may be the output buffer itself
};

/// x = op(x, operand), or op(operand, x) if swapped. `Where` and `None`-less mixes are not steps.
struct EpilogueStep
{
    ElementOp op = ElementOp::Add;
    OperandKind kind = OperandKind::None;
    bool swapped = false;
    float scalar = 0.0F;
    const float* data = nullptr;
    ActivationSpec activation;
};

/// Applied to every result in this order while it is still in registers or in the first cache:
/// x += bias[channel]; x += residual[same place]; x = activation(x); then the steps.
/// `residual` has the layout of the output and may be the output buffer itself. Per-channel arrays
/// (`bias`, `Channel` data) need exactly as many floats as there are channels.
struct Epilogue
{
    const float* bias = nullptr;
    const float* residual = nullptr;
    ActivationSpec activation;
    std::span<const EpilogueStep> steps;
};

} // namespace fusescope::kernels
