#include "exec/kernels/elements.h"

#include "exec/kernels/hwytargets.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/kernels/elements.cpp"
#include <hwy/foreach_target.h>

#include "exec/kernels/vectormath-inl.h"
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fusescope::kernels {
namespace HWY_NAMESPACE {

struct Operands
{
    const float* a;
    const float* b;
    const float* c;
    float* out;
    std::int64_t count;
};

template <class Fn>
HWY_INLINE void unary(const Operands& o, Fn fn)
{
    const FloatTag d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t i = 0; i < o.count; i += lanes)
        hn::StoreU(fn(hn::LoadU(d, o.a + i)), d, o.out + i);
}

template <class Fn>
HWY_INLINE void binary(const Operands& o, Fn fn)
{
    const FloatTag d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t i = 0; i < o.count; i += lanes)
        hn::StoreU(fn(hn::LoadU(d, o.a + i), hn::LoadU(d, o.b + i)), d, o.out + i);
}

template <class Mask>
HWY_INLINE FloatVec oneIf(Mask mask)
{
    return hn::IfThenElseZero(mask, splat(1.0F));
}

// General powers go through double; the exponents that models have are done in vectors.
void power(const Operands& o)
{
    bool same = true;
    for (std::int64_t i = 1; i < o.count && same; ++i)
        same = o.b[i] == o.b[0];
    const float exponent = o.count > 0 ? o.b[0] : 0.0F;
    if (same && exponent == 2.0F)
        return unary(o, [](FloatVec x) HWY_ATTR { return hn::Mul(x, x); });
    if (same && exponent == 3.0F)
        return unary(o, [](FloatVec x) HWY_ATTR { return hn::Mul(hn::Mul(x, x), x); });
    if (same && exponent == 1.0F)
        return unary(o, [](FloatVec x) HWY_ATTR { return x; });
    if (same && exponent == -1.0F)
        return unary(o, [](FloatVec x) HWY_ATTR { return hn::Div(splat(1.0F), x); });
    for (std::int64_t i = 0; i < o.count; ++i)
        o.out[i] =
            static_cast<float>(std::pow(static_cast<double>(o.a[i]), static_cast<double>(o.b[i])));
}

void activate(const ActivationSpec& spec, const Operands& o)
{
    const FloatVec alpha = splat(spec.alpha);
    const FloatVec beta = splat(spec.beta);
    const FloatVec zero = splat(0.0F);
    const FloatVec one = splat(1.0F);
    switch (spec.kind) {
    case Activation::None:
        return unary(o, [](FloatVec x) HWY_ATTR { return x; });
    case Activation::Relu:
        return unary(o, [](FloatVec x) HWY_ATTR { return reluOf(x); });
    case Activation::Clip:
        return unary(o, [=](FloatVec x) HWY_ATTR { return clampOf(x, alpha, beta); });
    case Activation::Sigmoid:
        return unary(o, [](FloatVec x) HWY_ATTR { return sigmoidOf(x); });
    case Activation::Tanh:
        return unary(o, [](FloatVec x) HWY_ATTR { return tanhOf(x); });
    case Activation::LeakyRelu:
        return unary(o, [=](FloatVec x) HWY_ATTR {
            return hn::IfThenElse(hn::Lt(x, zero), hn::Mul(x, alpha), x);
        });
    case Activation::HardSigmoid:
        return unary(o, [=](FloatVec x)
                            HWY_ATTR { return clampOf(hn::MulAdd(x, alpha, beta), zero, one); });
    case Activation::HardSwish:
        return unary(o, [=](FloatVec x) HWY_ATTR {
            const FloatVec gate = hn::MulAdd(x, splat(1.0F / 6.0F), splat(0.5F));
            return hn::Mul(x, clampOf(gate, zero, one));
        });
    case Activation::Silu:
        return unary(o,
                     [=](FloatVec x) HWY_ATTR { return hn::Mul(x, sigmoidOf(hn::Mul(x, alpha))); });
    case Activation::Elu:
        return unary(o, [=](FloatVec x) HWY_ATTR {
            return hn::IfThenElse(hn::Lt(x, zero), hn::Mul(alpha, expMinusOneOf(x)), x);
        });
    case Activation::GeluErf:
        return unary(o, [](FloatVec x) HWY_ATTR { return geluErfOf(x); });
    case Activation::GeluTanh:
        return unary(o, [](FloatVec x) HWY_ATTR { return geluTanhOf(x); });
    case Activation::Mish:
        return unary(o, [](FloatVec x) HWY_ATTR { return mishOf(x); });
    case Activation::Softplus:
        return unary(o, [](FloatVec x) HWY_ATTR { return softplusOf(x); });
    }
}

void evaluateOne(const ElementInstruction& instruction, const float* a, const float* b,
                 const float* c, float* out, std::int64_t count)
{
    using V = FloatVec;
    const FloatTag d;
    const Operands o{a, b, c, out, count};
    switch (instruction.op) {
    case ElementOp::Add:
        return binary(o, [](V x, V y) HWY_ATTR { return hn::Add(x, y); });
    case ElementOp::Sub:
        return binary(o, [](V x, V y) HWY_ATTR { return hn::Sub(x, y); });
    case ElementOp::Mul:
        return binary(o, [](V x, V y) HWY_ATTR { return hn::Mul(x, y); });
    case ElementOp::Div:
        return binary(o, [](V x, V y) HWY_ATTR { return hn::Div(x, y); });
    case ElementOp::Min:
        return binary(o, [](V x, V y) HWY_ATTR { return minOf(x, y); });
    case ElementOp::Max:
        return binary(o, [](V x, V y) HWY_ATTR { return maxOf(x, y); });
    case ElementOp::Pow:
        return power(o);
    case ElementOp::Less:
        return binary(o, [](V x, V y) HWY_ATTR { return oneIf(hn::Lt(x, y)); });
    case ElementOp::LessEqual:
        return binary(o, [](V x, V y) HWY_ATTR { return oneIf(hn::Le(x, y)); });
    case ElementOp::Greater:
        return binary(o, [](V x, V y) HWY_ATTR { return oneIf(hn::Lt(y, x)); });
    case ElementOp::GreaterEqual:
        return binary(o, [](V x, V y) HWY_ATTR { return oneIf(hn::Le(y, x)); });
    case ElementOp::Equal:
        return binary(o, [](V x, V y) HWY_ATTR { return oneIf(hn::Eq(x, y)); });
    case ElementOp::Where: {
        const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
        for (std::int64_t i = 0; i < count; i += lanes) {
            const auto isZero = hn::Eq(hn::LoadU(d, a + i), splat(0.0F));
            const V value = hn::IfThenElse(isZero, hn::LoadU(d, c + i), hn::LoadU(d, b + i));
            hn::StoreU(value, d, out + i);
        }
        return;
    }
    case ElementOp::Neg:
        return unary(o, [](V x) HWY_ATTR { return hn::Neg(x); });
    case ElementOp::Abs:
        return unary(o, [](V x) HWY_ATTR { return hn::Abs(x); });
    case ElementOp::Sqrt:
        return unary(o, [](V x) HWY_ATTR { return hn::Sqrt(x); });
    case ElementOp::Reciprocal:
        return unary(o, [](V x) HWY_ATTR { return hn::Div(splat(1.0F), x); });
    case ElementOp::Exp:
        return unary(o, [](V x) HWY_ATTR { return expOf(x); });
    case ElementOp::Log:
        return unary(o, [](V x) HWY_ATTR { return logOf(x); });
    case ElementOp::Erf:
        return unary(o, [](V x) HWY_ATTR { return erfOf(x); });
    case ElementOp::Floor:
        return unary(o, [](V x) HWY_ATTR { return hn::Floor(x); });
    case ElementOp::Ceil:
        return unary(o, [](V x) HWY_ATTR { return hn::Ceil(x); });
    case ElementOp::Round:
        return unary(o, [](V x) HWY_ATTR { return hn::Round(x); });
    case ElementOp::Sign:
        return unary(o, [](V x) HWY_ATTR {
            const V zero = splat(0.0F);
            const V below = hn::IfThenElse(hn::Lt(x, zero), splat(-1.0F), x);
            return hn::IfThenElse(hn::Lt(zero, x), splat(1.0F), below);
        });
    case ElementOp::Activate:
        return activate(instruction.activation, o);
    }
}

} // namespace HWY_NAMESPACE
} // namespace fusescope::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fusescope::kernels {

HWY_EXPORT(evaluateOne);

void evaluate(const ElementInstruction& instruction, const float* a, const float* b, const float* c,
              float* out, std::int64_t count)
{
    HWY_DYNAMIC_DISPATCH(evaluateOne)(instruction, a, b, c, out, count);
}

int operandCount(ElementOp op)
{
    if (op == ElementOp::Where)
        return 3;
    return op <= ElementOp::Equal ? 2 : 1;
}

} // namespace fusescope::kernels
#endif
