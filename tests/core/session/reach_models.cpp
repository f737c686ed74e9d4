#include "reach_models.h"

namespace fusescope::test {

std::span<const ReachModel> reachModels()
{
    static constexpr ReachModel models[] = {
        {"condition.auto-pad", R"(g (float[1, 2, H, 4] x) => (float[] y)
            <float[2, 2, 3, 3] W = random(1), int64[8] p = {0, 0, 1, 1, 0, 0, 1, 1}>
            { t = Pad (x, p) y = Conv <auto_pad = "SAME_UPPER", strides = [2, 2]> (t, W) })"},
        {"condition.channel-axis", R"(g (float[1, 2, 4, 4] x, float[1, 2, 4, 4] z) => (float[] y)
            <float[2, 2, 1, 1] W = random(1)> { c = Concat <axis = 2> (x, z) y = Conv (c, W) })"},
        {"condition.columns", R"(g (float[3, 4] x) => (float[] y)
            <float[4, 4] W = random(1), float[3, 1] c = random(2), float[4] s = random(3),
             float[4] b = random(4), float[4] m = random(5), float[4] v = random(6, 0.5, 2)>
            { t = Gemm (x, W, c) y = BatchNormalization (t, s, b, m, v) })"},
        {"condition.constant-operand", R"(g (float[3, 4] x) => (float[] y)
            <float[4, 4] W = random(1), float[3, 1] c = random(2), float[4] k = random(3)>
            { t = Gemm (x, W, c) y = Mul (t, k) })"},
        {"condition.constant-padding", R"(g (float[1, 2, 4, 4] x) => (float[] y)
            <float[2, 2, 3, 3] W = random(1), int64[8] p = {0, 0, 1, 1, 0, 0, 1, 1}>
            { t = Pad <mode = "reflect"> (x, p) y = Conv (t, W) })"},
        {"condition.constant-shape", R"(g (float[2, 6] x, int64[2] s) => (float[] y)
            <int64[2] k = {3, 4}> { t = Reshape (x, k) y = Reshape (t, s) })"},
        {"condition.count-include-pad", R"(g (float[1, 2, 4, 4] x) => (float[] y)
            <int64[8] p = {0, 0, 1, 1, 0, 0, 1, 1}>
            { t = Pad (x, p) y = AveragePool <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (t) })"},
        {"condition.element-type", R"(g (int32[1, 2, 4, 4] x) => (int32[] y)
            <int64[2] a = {0, 0}, int64[2] b = {1, 0}, int64[2] c = {0, 1}, int64[2] d = {1, 1},
             int64[2] e = {4, 4}, int64[2] w = {2, 3}, int64[2] s = {2, 2}>
            { p = Slice (x, a, e, w, s) q = Slice (x, b, e, w, s) r = Slice (x, c, e, w, s)
              t = Slice (x, d, e, w, s) y = Concat <axis = 1> (p, q, r, t) })"},
        {"condition.epsilon", R"(g (float[2, 4] x) => (float[] y) <float eps = {-0.001}>
            { m = ReduceMean <axes = [-1]> (x) d = Sub (x, m) q = Mul (d, d)
              v = ReduceMean <axes = [-1]> (q) u = Add (v, eps) r = Sqrt (u) y = Div (d, r) })"},
        {"condition.exponent", R"(g (float[2, 4] x) => (float[] y) <float eps = {0.001}, float k = {4}>
            { m = ReduceMean <axes = [-1]> (x) d = Sub (x, m) q = Pow (d, k)
              v = ReduceMean <axes = [-1]> (q) u = Add (v, eps) r = Sqrt (u) y = Div (d, r) })"},
        {"condition.finite", R"(g (float[1, 2, 4, 4] x) => (float[] y)
            <float[2, 2, 1, 1] W = random(1), float[2, 1, 1] k = {1, inf}>
            { t = Conv (x, W) y = Mul (t, k) })"},
        {"condition.finite-number", R"(g (float[2, 3, 4] x, float[2, 4, 4] z) => (float[] y)
            <float k = {inf}> { t = MatMul (x, z) y = Mul (t, k) })"},
        {"condition.group", R"(g (float[1, 2, 4, 4] x) => (float[] y)
            <float[2, 1, 1, 1] W = random(1), float[2, 1, 1, 1] V = random(2)>
            { a = Conv <group = 2> (x, W) b = Conv <group = 2> (x, V) y = Concat <axis = 1> (a, b) })"},
        {"condition.keeps-axes", R"(g (float[4, 4, 4] x) => (float[] y) <float eps = {0.001}>
            { m = ReduceMean <axes = [-1], keepdims = 0> (x) d = Sub (x, m) q = Mul (d, d)
              v = ReduceMean <axes = [-1], keepdims = 0> (q) u = Add (v, eps) r = Sqrt (u)
              y = Div (d, r) })"},
        {"condition.known-activation", R"(<ir_version: 8, opset_import: ["" : 17]>
            g (float[1, 2, 4, 4] x) => (float[] y)
            <float[2, 2, 1, 1] W = random(1)> { t = Conv (x, W) y = Mish (t) })"},
        {"condition.known-attributes", R"(g (float[1, 2, 4, 4] x) => (float[] y)
            <float[2, 2, 1, 1] W = random(1), float[2] s = random(2), float[2] b = random(3),
             float[2] m = random(4), float[2] v = random(5, 0.5, 2)>
            { t = Conv <shuffle = 1> (x, W) y = BatchNormalization (t, s, b, m, v) })"},
        {"condition.known-channels", R"(g (float[1, C, 4, 4] x) => (float[] y)
            <int64[2] a = {0, 0}, int64[2] b = {1, 0}, int64[2] c = {0, 1}, int64[2] d = {1, 1},
             int64[2] e = {4, 4}, int64[2] w = {2, 3}, int64[2] s = {2, 2}>
            { p = Slice (x, a, e, w, s) q = Slice (x, b, e, w, s) r = Slice (x, c, e, w, s)
              t = Slice (x, d, e, w, s) y = Concat <axis = 1> (p, q, r, t) })"},
        {"condition.last-axis", R"(g (float[2, 3, 3] q, float[2, 3, 3] k, float[2, 3, 3] v) => (float[] y)
            { t = Transpose <perm = [0, 2, 1]> (k) s = MatMul (q, t) w = Softmax <axis = 1> (s)
              y = MatMul (w, v) })"},
        {"condition.no-dilation", R"(g (float[1, 2, 6, 6] x) => (float[] y)
            <int64[8] p = {0, 0, 1, 1, 0, 0, 1, 1}, float low = {-inf}>
            { t = Pad (x, p, low) y = MaxPool <kernel_shape = [2, 2], dilations = [2, 2]> (t) })"},
        {"condition.keeps-leading-axes", R"(g (float[N, 5, 4] x, int64[3] s) => (float[] y)
            <float[4, 3] W = random(1), int64[2] f = {-1, 4}>
            { a = Reshape (x, f) p = MatMul (a, W) y = Reshape (p, s) })"},
        {"condition.no-more-nodes", R"(g (float[2, 4] x) => (float[] y) <int64 i = {0}, int64 j = {1}>
            { a = Gather (x, i) b = Gather (x, j) y = Sub (a, b) })"},
        {"condition.no-more-axes", R"(g (float[2, 4] x) => (float[] y)
            <float root = {1.4142135}, float[1, 1, 1] one = {1}, float half = {0.5}>
            { d = Div (x, root) e = Erf (d) a = Add (e, one) m = Mul (x, a) y = Mul (m, half) })"},
        {"condition.one-number", R"(g (float[2, 4] x) => (float[] y)
            <float root = {1.4142135}, float one = {1}, float[4] half = {0.5, 0.5, 0.5, 0.6}>
            { d = Div (x, root) e = Erf (d) a = Add (e, one) m = Mul (x, a) y = Mul (m, half) })"},
        {"condition.outer-numbers", R"(g (float[2, 4] x) => (float[] y)
            <float root = {1.4142135}, float one = {1}, float half = {0.6}>
            { d = Div (x, root) e = Erf (d) a = Add (e, one) m = Mul (x, a) y = Mul (m, half) })"},
        {"condition.outputs-unused", R"(g (float[2, 4] x, float[2, 4] z) => (float[] y, float[] w)
            <float[4] k = random(1)>
            { s = Add (x, z) y, m = LayerNormalization (s, k) w = Neg (m) })"},
        {"condition.pad-amounts", R"(g (float[1, 2, 4, 4] x, int64[8] p) => (float[] y)
            <float[2, 2, 3, 3] W = random(1)> { t = Pad (x, p) y = Conv (t, W) })"},
        {"condition.pad-below-kernel", R"(g (float[1, 2, 4, 4] x) => (float[] y)
            <int64[8] p = {0, 0, 3, 3, 0, 0, 3, 3}, float low = {-inf}>
            { t = Pad (x, p, low) y = MaxPool <kernel_shape = [2, 2]> (t) })"},
        {"condition.pad-rank", R"(g (float[] x) => (float[] y)
            <float[2, 2, 3, 3] W = random(1), int64[6] p = {0, 0, 1, 0, 0, 1}>
            { t = Pad (x, p) y = Conv (t, W) })"},
        {"condition.public-name", R"(g (float[2, 4] x) => (float[2, 4] y)
            { t = Neg (x) y = Neg (t) })"},
        {"condition.read-inside", R"(g (float[2, 4] x) => (float[] y, float[] z)
            { t = Sigmoid (x) y = Mul (x, t) z = Neg (t) })"},
        {"condition.same-axes", R"(g (float[2, 4, 4] x) => (float[] y) <float eps = {0.001}>
            { m = ReduceMean <axes = [2]> (x) d = Sub (x, m) q = Mul (d, d)
              v = ReduceMean <axes = [1, 2]> (q) u = Add (v, eps) r = Sqrt (u) y = Div (d, r) })"},
        {"condition.fewer-transposes", R"(g (float[2, 3, 4] x, float[2, 4, 3] w) => (float[] y, float[] z)
            <float[3] k = random(1)>
            { a = Transpose <perm = [0, 2, 1]> (x) c = Add (a, w) z = MatMul (c, k)
              y = Transpose <perm = [0, 2, 1]> (c) })"},
        {"condition.same-geometry", R"(g (float[1, 2, 4, 4] x) => (float[] y)
            <float[2, 2, 1, 1] W = random(1), float[2, 2, 3, 3] V = random(2)>
            { a = Conv (x, W) b = Conv <pads = [1, 1, 1, 1]> (x, V) y = Concat <axis = 1> (a, b) })"},
        {"condition.scalar-bounds", R"(g (float[2, 4] x) => (float[] y)
            <float[2] low = {0, 0}, float high = {6}> { t = Clip (x, low, high) y = Clip (t, low, high) })"},
        {"condition.spatial", R"(<ir_version: 3, opset_import: ["" : 7]>
            g (float[1, 2, 4, 4] x) => (float[] y)
            <float[2, 2, 1, 1] W = random(1), float[2] s = random(2), float[2] b = random(3),
             float[2] m = random(4), float[2] v = random(5, 0.5, 2)>
            { t = Conv (x, W) y = BatchNormalization <spatial = 0> (t, s, b, m, v) })"},
        {"condition.swaps-last-axes", R"(g (float[4, 4] x, float[4, 4] z) => (float[] y)
            { t = Transpose <perm = [0, 1]> (x) y = MatMul (t, z) })"},
    };
    return models;
}

} // namespace fusescope::test
