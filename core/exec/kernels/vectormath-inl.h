// Elementary functions on vectors of float, within about two units in the last place; NaN goes
// through, infinities and denormals are handled. Polynomials are least-maximum fits made for this
// file. Per-target include guard:
#if defined(FUSESCOPE_VECTORMATH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef FUSESCOPE_VECTORMATH_INL_H
#undef FUSESCOPE_VECTORMATH_INL_H
#else
#define FUSESCOPE_VECTORMATH_INL_H
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fusescope::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::ScalableTag<float>;
using IntTag = hn::RebindToSigned<FloatTag>;
using FloatVec = hn::Vec<FloatTag>;

HWY_INLINE FloatVec splat(float value)
{
    return hn::Set(FloatTag(), value);
}

template <std::size_t kTerms>
HWY_INLINE FloatVec polynomial(FloatVec x, const float (&terms)[kTerms])
{
    FloatVec sum = splat(terms[kTerms - 1]);
    for (std::size_t i = kTerms - 1; i-- > 0;)
        sum = hn::MulAdd(sum, x, splat(terms[i]));
    return sum;
}

HWY_INLINE FloatVec reluOf(FloatVec x)
{
    return hn::IfThenZeroElse(hn::Lt(x, hn::Zero(FloatTag())), x);
}
HWY_INLINE FloatVec clampOf(FloatVec x, FloatVec low, FloatVec high)
{
    x = hn::IfThenElse(hn::Lt(x, low), low, x);
    return hn::IfThenElse(hn::Lt(high, x), high, x);
}
// NaN in either operand wins. (Highway's Ne(x, x) is false for NaN on some targets.)
HWY_INLINE FloatVec maxOf(FloatVec a, FloatVec b)
{
    return hn::IfThenElse(hn::Or(hn::Lt(a, b), hn::IsNaN(b)), b, a);
}
HWY_INLINE FloatVec minOf(FloatVec a, FloatVec b)
{
    return hn::IfThenElse(hn::Or(hn::Lt(b, a), hn::IsNaN(b)), b, a);
}

// 2^n for whole n in [-126, 127]
HWY_INLINE FloatVec powerOfTwo(hn::Vec<IntTag> n)
{
    return hn::BitCast(FloatTag(), hn::ShiftLeft<23>(hn::Add(n, hn::Set(IntTag(), 127))));
}

// (exp(r) - 1 - r) / r^2 for |r| <= ln(2) / 2
HWY_INLINE FloatVec exponentialTail(FloatVec r)
{
    constexpr float kTerms[] = {0.5F,           0.1666666716F,   0.0416662693F,
                                0.00833326485F, 0.001394619001F, 0.0001991797326F};
    return polynomial(r, kTerms);
}

HWY_INLINE FloatVec expOf(FloatVec x)
{
    x = clampOf(x, splat(-105.0F), splat(89.0F));
    const FloatVec n = hn::Round(hn::Mul(x, splat(1.44269504F)));
    FloatVec r = hn::NegMulAdd(n, splat(0.693359375F), x);
    r = hn::NegMulAdd(n, splat(-2.12194440e-4F), r);
    const FloatVec value = hn::Add(splat(1.0F), hn::MulAdd(hn::Mul(r, r), exponentialTail(r), r));
    // In two factors, so that denormal results are rounded once and 2^128 is reached.
    const auto whole = hn::ConvertTo(IntTag(), hn::IfThenElse(hn::Eq(n, n), n, splat(0.0F)));
    const auto half = hn::ShiftRight<1>(whole);
    return hn::Mul(hn::Mul(value, powerOfTwo(half)), powerOfTwo(hn::Sub(whole, half)));
}

// exp(x) - 1 without cancellation near 0
HWY_INLINE FloatVec expMinusOneOf(FloatVec x)
{
    const FloatVec near = hn::MulAdd(hn::Mul(x, x), exponentialTail(x), x);
    const FloatVec far = hn::Sub(expOf(x), splat(1.0F));
    return hn::IfThenElse(hn::Lt(hn::Abs(x), splat(0.3465F)), near, far);
}

HWY_INLINE FloatVec logOf(FloatVec x)
{
    constexpr float kTerms[] = {0.3333331048F,  -0.2499998659F, 0.2000222653F,
                                -0.1666925102F, 0.142186597F,   -0.1238434985F,
                                0.1187296957F,  -0.1178979799F, 0.06915370375F};
    const IntTag di;
    const auto tiny = hn::Lt(x, splat(1.17549435e-38F));
    const FloatVec scaled = hn::IfThenElse(tiny, hn::Mul(x, splat(8388608.0F)), x);
    const auto bits = hn::BitCast(di, scaled);
    // The exponent that leaves a mantissa in [sqrt(1/2), sqrt(2)).
    const auto exponent = hn::ShiftRight<23>(hn::Sub(bits, hn::Set(di, 0x3F3504F3)));
    const FloatVec r =
        hn::Sub(hn::BitCast(FloatTag(), hn::Sub(bits, hn::ShiftLeft<23>(exponent))), splat(1.0F));
    const FloatVec e =
        hn::Sub(hn::ConvertTo(FloatTag(), exponent), hn::IfThenElseZero(tiny, splat(23.0F)));
    const FloatVec r2 = hn::Mul(r, r);
    FloatVec tail = hn::Mul(hn::Mul(r2, r), polynomial(r, kTerms));
    tail = hn::MulAdd(e, splat(-2.12194440e-4F), tail);
    tail = hn::NegMulAdd(splat(0.5F), r2, tail);
    FloatVec result = hn::MulAdd(e, splat(0.693359375F), hn::Add(r, tail));
    const FloatVec infinity = splat(__builtin_inff());
    result = hn::IfThenElse(hn::Eq(x, splat(0.0F)), hn::Neg(infinity), result);
    result = hn::IfThenElse(hn::Lt(x, splat(0.0F)), splat(__builtin_nanf("")), result);
    // Infinity and NaN stay what they are.
    return hn::IfThenElse(hn::Lt(x, infinity), result, x);
}

HWY_INLINE FloatVec erfOf(FloatVec x)
{
    constexpr float kNear[] = {1.128379226F,     -0.3761263788F,   0.1128378287F,
                               -0.02686544508F,  0.005221074913F,  -0.0008484711288F,
                               0.0001127054493F, -9.680136827e-06F};
    // log(erfc(x)) on [1, 4]
    constexpr float kFar[] = {0.0001880402269F, -1.129578471F,    -0.6332198977F,
                              -0.1084185764F,   0.02520825714F,   -0.004204561934F,
                              0.000441336364F,  -2.168685023e-05F};
    const FloatVec a = hn::Abs(x);
    const FloatVec near = hn::Mul(x, polynomial(hn::Mul(x, x), kNear));
    const FloatVec bounded = hn::IfThenElse(hn::Lt(splat(4.0F), a), splat(4.0F), a);
    const FloatVec far = hn::Sub(splat(1.0F), expOf(polynomial(bounded, kFar)));
    return hn::IfThenElse(hn::Lt(a, splat(1.0F)), near, hn::CopySign(far, x));
}

HWY_INLINE FloatVec tanhOf(FloatVec x)
{
    constexpr float kNear[] = {-0.3333328068F, 0.1333135366F, -0.05373093858F, 0.02060669847F,
                               -0.005665325094F};
    const FloatVec a = hn::Abs(x);
    const FloatVec x2 = hn::Mul(x, x);
    const FloatVec near = hn::MulAdd(hn::Mul(x2, x), polynomial(x2, kNear), x);
    const FloatVec e = expOf(hn::Add(a, a));
    const FloatVec far = hn::Sub(splat(1.0F), hn::Div(splat(2.0F), hn::Add(e, splat(1.0F))));
    return hn::IfThenElse(hn::Lt(a, splat(0.625F)), near, hn::CopySign(far, x));
}

HWY_INLINE FloatVec sigmoidOf(FloatVec x)
{
    const FloatVec e = expOf(hn::Neg(hn::Abs(x)));
    const FloatVec top = hn::IfThenElse(hn::Lt(x, splat(0.0F)), e, splat(1.0F));
    return hn::Div(top, hn::Add(e, splat(1.0F)));
}

// log(1 + x) for x in [0, 1]
HWY_INLINE FloatVec logOnePlusOf(FloatVec x)
{
    const FloatVec one = splat(1.0F);
    const FloatVec u = hn::Add(x, one);
    const FloatVec exact = hn::Div(hn::Mul(logOf(u), x), hn::Sub(u, one));
    return hn::IfThenElse(hn::Eq(u, one), x, exact);
}

HWY_INLINE FloatVec softplusOf(FloatVec x)
{
    return hn::Add(reluOf(x), logOnePlusOf(expOf(hn::Neg(hn::Abs(x)))));
}

// x tanh(log(1 + e)) with e = exp(x) is x w / (w + 2) with w = e (e + 2).
HWY_INLINE FloatVec mishOf(FloatVec x)
{
    const FloatVec limit = splat(20.0F);
    const FloatVec e = expOf(hn::IfThenElse(hn::Lt(limit, x), limit, x));
    const FloatVec w = hn::Mul(e, hn::Add(e, splat(2.0F)));
    const FloatVec y = hn::Mul(x, hn::Div(w, hn::Add(w, splat(2.0F))));
    return hn::IfThenElse(hn::Lt(limit, x), x, y);
}

HWY_INLINE FloatVec geluErfOf(FloatVec x)
{
    const FloatVec e = erfOf(hn::Mul(x, splat(0.70710678F)));
    return hn::Mul(hn::Mul(splat(0.5F), x), hn::Add(e, splat(1.0F)));
}

HWY_INLINE FloatVec geluTanhOf(FloatVec x)
{
    const FloatVec x3 = hn::Mul(hn::Mul(x, x), x);
    const FloatVec t = tanhOf(hn::Mul(splat(0.79788456F), hn::MulAdd(splat(0.044715F), x3, x)));
    return hn::Mul(hn::Mul(splat(0.5F), x), hn::Add(t, splat(1.0F)));
}

} // namespace HWY_NAMESPACE
} // namespace fusescope::kernels
HWY_AFTER_NAMESPACE();

#endif
