#include "core/exec/fused_support.h"

#include "support/test_class.h"

using namespace fusescope;
using namespace fusescope::test;

// Each kind of step against the reference kernels, on small graphs.
class FusedStepsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void agrees_data();
    void agrees();
};

void FusedStepsTest::agrees_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("kernels"); // of the fused plan; empty: not checked
    const auto row = [](const char* name, const char* text, const char* kernels = "") {
        QTest::newRow(name) << QString::fromUtf8(text) << QString::fromLatin1(kernels);
    };
    row("conv, odd channels",
        R"(g (float[1, 5, 9, 11] x) => (float[1, 19, 9, 11] y)
           <float[19, 5, 3, 3] W = random(1), float[19] B = random(2)>
           { y = Conv <pads = [1, 1, 1, 1]> (x, W, B) })");
    row("conv, batch 2, stride 2, dilation",
        R"(g (float[2, 20, 13, 12] x) => (float[2, 18, 5, 4] y)
           <float[18, 20, 3, 3] W = random(1)>
           { y = Conv <strides = [2, 2], dilations = [2, 2], pads = [0, 0, 0, 0]> (x, W) })",
        "reorder, conv3x3 direct");
    row("conv, groups",
        R"(g (float[1, 24, 8, 8] x) => (float[1, 36, 8, 8] y)
           <float[36, 6, 3, 3] W = random(1)>
           { y = Conv <group = 4, pads = [1, 1, 1, 1]> (x, W) })",
        "reorder, conv3x3 grouped");
    row("conv, depthwise",
        R"(g (float[2, 19, 8, 9] x) => (float[2, 19, 4, 5] y)
           <float[19, 1, 3, 3] W = random(1), float[19] B = random(2)>
           { y = Conv <group = 19, strides = [2, 2], pads = [1, 1, 1, 1]> (x, W, B) })",
        "reorder, conv3x3 depthwise");
    row("conv, winograd",
        R"(g (float[1, 40, 30, 31] x) => (float[1, 33, 30, 31] y)
           <float[33, 40, 3, 3] W = random(1)>
           { y = Conv <pads = [1, 1, 1, 1]> (x, W) })",
        "reorder, conv3x3 winograd-f4");
    row("conv, one axis and three axes",
        R"(g (float[2, 6, 17] x, float[1, 3, 5, 6, 7] v)
             => (float[2, 7, 15] y, float[1, 4, 4, 5, 6] w)
           <float[7, 6, 3] W = random(1), float[4, 3, 2, 2, 2] V = random(2)>
           { y = Conv (x, W) w = Conv (v, V) })");
    row("conv, SAME_UPPER",
        R"(g (float[1, 3, 10, 10] x) => (float[1, 8, 5, 5] y)
           <float[8, 3, 4, 3] W = random(1)>
           { y = Conv <auto_pad = "SAME_UPPER", strides = [2, 2]> (x, W) })");
    row("conv, weights computed in the run",
        R"(g (float[1, 17, 6, 6] x, float[20, 17, 1, 1] W) => (float[1, 20, 6, 6] y)
           { y = Conv (x, W) })",
        "reorder, conv1x1 direct");
    row("convtranspose",
        R"(g (float[1, 18, 5, 6] x) => (float[1, 7, 10, 12] y)
           <float[18, 7, 3, 3] W = random(1), float[7] B = random(2)>
           { y = ConvTranspose <strides = [2, 2], pads = [1, 1, 1, 1],
                                output_padding = [1, 1]> (x, W, B) })",
        "reorder, convtranspose3x3 direct");
    row("convtranspose, groups, kernel smaller than stride",
        R"(g (float[2, 6, 4, 4] x) => (float[2, 4, 12, 12] y)
           <float[6, 2, 2, 2] W = random(1)>
           { y = ConvTranspose <strides = [3, 3], group = 2, output_padding = [1, 1]> (x, W) })");
    row("chain of convolutions, batchnorm, relu, pools",
        R"(g (float[1, 3, 32, 32] x) => (float[1, 24] y)
           <float[20, 3, 3, 3] W = random(1), float[20] s = random(2), float[20] b = random(3),
            float[20] m = random(4), float[20] v = random(5, 0.5, 2),
            float[24, 20, 3, 3] V = random(6)>
           { a = Conv <pads = [1, 1, 1, 1]> (x, W)
             c = BatchNormalization (a, s, b, m, v)
             d = Relu (c)
             e = MaxPool <kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]> (d)
             f = Conv <pads = [1, 1, 1, 1]> (e, V)
             h = AveragePool <kernel_shape = [2, 2], strides = [2, 2]> (f)
             i = GlobalAveragePool (h)
             y = Flatten (i) })");
    row("slopes before version 7, one for each channel",
        R"(<ir_version: 3, opset_import: ["" : 6]>
           g (float[1, 4, 4, 4] x, float[4] s, float[1] t) => (float[1, 4, 4, 4] y, float[1, 4, 4, 4] z)
           { y = PRelu (x, s)
             z = PRelu (x, t) })");
    row("residual and gate",
        R"(g (float[2, 18, 7, 7] x) => (float[2, 18, 7, 7] y)
           <float[18, 18, 1, 1] W = random(1), float[18, 18, 1, 1] V = random(2)>
           { a = Conv (x, W)
             p = GlobalAveragePool (a)
             q = Conv (p, V)
             s = Sigmoid (q)
             t = Mul (a, s)
             y = Add (t, x) })");
    row("concat in place, split in place, shuffled readers",
        R"(g (float[1, 16, 6, 6] x) => (float[1, 16, 6, 6] y, float[1, 19, 6, 6] z)
           <float[32, 16, 1, 1] W = random(1), float[19, 32, 1, 1] V = random(2), int64[3] sizes = {32, 32, 19}, int64[2] halves = {16, 16}>
           { a = Conv (x, W)
             b = Relu (a)
             c = Conv (b, V)
             d = Concat <axis = 1> (b, a, c)
             e, f, z = Split <axis = 1> (d, sizes)
             h, i = Split <axis = 1> (e, halves)
             y = Add (h, i) })");
    row("dense block",
        R"(g (float[1, 16, 6, 6] x) => (float[1, 64, 6, 6] y)
           <float[16, 16, 3, 3] W = random(1), float[16, 32, 3, 3] V = random(2),
            float[16, 48, 3, 3] U = random(3)>
           { a = Conv <pads = [1, 1, 1, 1]> (x, W)
             r = Relu (a)
             c = Concat <axis = 1> (r, a)
             d = Conv <pads = [1, 1, 1, 1]> (c, V)
             e = Concat <axis = 1> (c, d)
             f = Conv <pads = [1, 1, 1, 1]> (e, U)
             y = Concat <axis = 1> (e, f) })");
    row("concat of odd channels, batch 2",
        R"(g (float[2, 5, 4, 4] x) => (float[2, 17, 4, 4] y)
           <float[7, 5, 1, 1] W = random(1)>
           { a = Conv (x, W) y = Concat <axis = 1> (x, a, x) })");
    row("elementwise with broadcasting",
        R"(g (float[2, 3, 4] x, float[4] a, float[3, 1] b, float s) => (float[2, 3, 4] y)
           <float two = {2}, float low = {-0.5}, float high = {0.75}>
           { c = Add (x, a) d = Mul (c, b) e = Sub (s, d) f = Abs (e) h = Sqrt (f)
             i = Pow (h, two) j = Erf (i) k = Clip (j, low, high) y = Max (k, x, a) })");
    row("activations",
        R"(g (float[1, 5, 3, 7] x) => (float[1, 5, 3, 7] y)
           <float[5, 1, 1] slope = random(1)>
           { a = LeakyRelu (x) b = HardSigmoid (a) c = HardSwish (b) d = Elu (c) e = Softplus (d)
             f = Tanh (e) h = PRelu (f, slope) i = Softsign (h) j = Neg (i) y = Exp (j) })");
    row("special values",
        R"(g (float[4, 2] x) => (float[4, 2] y, float[4, 2] z)
           <float[4, 2] c = {nan, -inf, inf, -0.0, 1e-40, 0.0, 1.0, -1.0}, float zero = {0}>
           { a = Mul (x, zero) b = Add (a, c) y = Relu (b) z = Max (b, zero) })");
    row("where and comparisons",
        R"(g (float[3, 4] x, float[3, 4] y) => (float[3, 4] z, bool[3, 4] m)
           <bool[4] c = {1, 0, 1, 0}>
           { m = Greater (x, y) a = Where (m, x, y) z = Where (c, a, x) })");
    row("products",
        R"(g (float[3, 5] a, float[2, 4, 3, 5] b, float[4, 5, 6] c, float[5] v)
             => (float[3, 7] y, float[2, 4, 3, 6] z, float[2, 4, 3, 7] w, float[2, 4, 3] u)
           <float[5, 7] W = random(1), float[7] B = random(2)>
           { y = Gemm <alpha = 0.5, beta = 2.0> (a, W, B)
             z = MatMul (b, c) w = MatMul (b, W) u = MatMul (b, v) })",
        "gemm, matmul batched, matmul, matmul");
    row("gemm forms",
        R"(g (float[5, 3] a, float[7, 5] b, float[3, 1] r, float[3, 7] f)
             => (float[3, 7] x, float[3, 7] y, float[3, 7] z)
           { x = Gemm <transA = 1, transB = 1> (a, b, r)
             y = Gemm <transA = 1, transB = 1> (a, b, f)
             z = Gemm <transA = 1, transB = 1> (a, b) })",
        "gemm, gemm, gemm");
    row("attention",
        R"(g (float[1, 6, 8] x) => (float[1, 6, 8] y)
           <float[8, 8] Q = random(1), float[8, 8] K = random(2), float[8, 8] V = random(3),
            int64[4] heads = {1, 6, 2, 4}, int64[3] joined = {1, 6, 8}, float scale = {0.5}>
           { q = MatMul (x, Q) k = MatMul (x, K) v = MatMul (x, V)
             q1 = Reshape (q, heads) k1 = Reshape (k, heads) v1 = Reshape (v, heads)
             q2 = Transpose <perm = [0, 2, 1, 3]> (q1)
             k2 = Transpose <perm = [0, 2, 3, 1]> (k1)
             v2 = Transpose <perm = [0, 2, 1, 3]> (v1)
             s = MatMul (q2, k2) t = Mul (s, scale) p = Softmax (t) o = MatMul (p, v2)
             o2 = Transpose <perm = [0, 2, 1, 3]> (o)
             y = Reshape (o2, joined) })");
    row("softmax of old opsets",
        R"(<ir_version: 7, opset_import: ["" : 11]>
           g (float[2, 3, 4] x) => (float[2, 3, 4] y, float[2, 3, 4] z)
           { y = Softmax (x) z = LogSoftmax <axis = 2> (x) })",
        "softmax, logsoftmax");
    row("normalizations",
        R"(g (float[2, 6, 5] x) => (float[2, 6, 5] y, float[2, 6, 5] z, float[2, 6, 5] w)
           <float[5] s = random(1), float[5] b = random(2), float[6] t = random(3),
            float[6] c = random(4)>
           { y = LayerNormalization (x, s, b) z = InstanceNormalization (x, t, c)
             w = LRN <size = 3> (x) })",
        "layer-normalization, instance-normalization, lrn");
    row("reductions",
        R"(g (float[2, 18, 5, 4] x)
             => (float[2, 18] y, float[2, 18, 5, 1] z, float[1, 1, 1, 1] w, float[2, 5] v)
           <int64[1] last = {-1}>
           { y = ReduceMean <axes = [2, 3], keepdims = 0> (x) z = ReduceSum (x, last)
             w = ReduceMax (x) v = ReduceMin <axes = [1, 3], keepdims = 0> (x) })",
        "global averagepool, reduce, reduce, reference");
    row("moving elements",
        R"(g (float[2, 8, 4, 6] x, int64[3, 4] i)
             => (float[2, 2, 8, 12] a, float[2, 32, 2, 3] b, float[2, 8, 2, 3] c,
                 float[2, 8, 6, 8] d, int64[4, 3] e, float[3, 2, 8, 4, 6] f)
           <int64[3] starts = {3, -1, 0}, int64[3] ends = {-9, 0, 9}, int64[3] axes = {2, 3, 1},
            int64[3] steps = {-2, -2, 1}, int64[8] pads = {0, 0, 1, 2, 0, 0, 1, 0},
            int64[5] wide = {3, 2, 8, 4, 6}>
           { a = DepthToSpace <blocksize = 2> (x)
             b = SpaceToDepth <blocksize = 2> (x)
             c = Slice (x, starts, ends, axes, steps)
             d = Pad (x, pads)
             e = Transpose (i)
             f = Expand (x, wide) })");
    row("nearest",
        R"(g (float[1, 5, 3, 4] x) => (float[1, 20, 6, 12] y)
           <float[20, 5, 1, 1] W = random(1), float[4] scales = {1, 1, 2, 3}>
           { a = Conv (x, W) y = Resize <mode = "nearest", nearest_mode = "floor",
               coordinate_transformation_mode = "asymmetric"> (a, "", scales) })",
        "conv1x1 first-layer, nearest");
    row("no elements",
        R"(g (float[0, 3, 8, 8] x, float[2, 0] a) => (float[0, 4, 8, 8] y, float[2, 5] z)
           <float[4, 3, 3, 3] W = random(1), float[0, 5] B = {}>
           { c = Conv <pads = [1, 1, 1, 1]> (x, W) y = Relu (c) z = MatMul (a, B) })");
    row("double, half and integers",
        R"(g (double[2, 3] x, float16[2, 3] h, int32[2, 3] i)
             => (double[2, 3] y, float16[2, 3] k, int32[2, 3] j)
           { y = Relu (x) k = Mul (h, h) j = Add (i, i) })");
    row("sizes known only in the run",
        R"(g (float[3, 4] x) => (float[K] y, int64[2, N] z)
           <float zero = {0}, int64[1] flat = {-1}>
           { b = Greater (x, zero) z = NonZero (b) f = Reshape (x, flat)
             c = Reshape (b, flat) d = Compress (f, c) y = Neg (d) })");
    row("an If on a value of the run, an If on a constant",
        R"(g (float[2, 3] x, bool c) => (float[2, 3] y, float[2, 3] z)
           <bool yes = {1}>
           { r = Relu (x)
             y = If (c) <then_branch = t () => (float[2, 3] u) { u = Add (r, x) },
                         else_branch = e () => (float[2, 3] v) { v = Neg (r) }>
             z = If (yes) <then_branch = p () => (float[2, 3] s) { s = Mul (r, x) },
                           else_branch = q () => (float[2, 3] w) { w = Neg (x) }> })");
    row("a function of the model",
        R"(<ir_version: 8, opset_import: ["" : 17, "f" : 1]>
           g (float[2, 3] x) => (float[2, 3] y) { a = f.act <alpha = 0.5> (x) y = f.act (a) }
           <domain: "f", opset_import: ["" : 17]> act <alpha: float = 0.1> (v) => (w)
           { u = LeakyRelu <alpha: float = @alpha> (v) w = Sigmoid (u) })",
        "elementwise, elementwise, elementwise, elementwise");
    row("layer normalization written out, with a sum",
        R"(<ir_version: 8, opset_import: ["" : 17, "fusescope" : 1]>
           g (float[2, 3, 20] x, float[2, 3, 20] r) => (float[2, 3, 20] y, float[2, 3, 20] s)
           <float[20] S = random(1), float[20] B = random(2), float e = {1e-5}, float two = {2}>
           { y, s = fusescope.layernorm <kind = "layer-normalization",
               roles = ["residual", "part", "part", "part", "part", "part", "part", "main", "part",
                        "bias"],
               body = (float[2, 3, 20] a, float[2, 3, 20] b, float[20] S1, float[20] B1, float e1,
                       float t) => (float[2, 3, 20] o, float[2, 3, 20] c)
               { c = Add (a, b) m = ReduceMean <axes = [-1]> (c) d = Sub (c, m) q = Pow (d, t)
                 v = ReduceMean <axes = [-1]> (q) w = Add (v, e1) h = Sqrt (w) n = Div (d, h)
                 k = Mul (n, S1) o = Add (k, B1) }> (x, r, S, B, e, two) })",
        "add layer-normalization");
    row("layer normalization of a sum with what repeats",
        R"(<ir_version: 8, opset_import: ["" : 17, "fusescope" : 1]>
           g (float[2, 3, 20] x, float[1, 3, 20] r) => (float[2, 3, 20] y, float[2, 3, 20] s)
           <float[20] S = random(1), float[20] B = random(2), float e = {1e-5}, float two = {2}>
           { y, s = fusescope.layernorm <kind = "layer-normalization",
               roles = ["residual", "part", "part", "part", "part", "part", "part", "main", "part",
                        "bias"],
               body = (float[2, 3, 20] a, float[1, 3, 20] b, float[20] S1, float[20] B1, float e1,
                       float t) => (float[2, 3, 20] o, float[2, 3, 20] c)
               { c = Add (a, b) m = ReduceMean <axes = [-1]> (c) d = Sub (c, m) q = Pow (d, t)
                 v = ReduceMean <axes = [-1]> (q) w = Add (v, e1) h = Sqrt (w) n = Div (d, h)
                 k = Mul (n, S1) o = Add (k, B1) }> (x, r, S, B, e, two) })",
        "add layer-normalization");
    row("layer normalization of the channels of an image",
        R"(<ir_version: 8, opset_import: ["" : 17, "fusescope" : 1]>
           g (float[2, 5, 3, 7] x) => (float[2, 5, 3, 7] y)
           <float[5, 1, 1] S = random(1), float[5, 1, 1] B = random(2), float e = {1e-5},
            float two = {2}>
           { y = fusescope.layernorm <kind = "layer-normalization",
               roles = ["part", "part", "part", "part", "part", "part", "main", "part", "bias"],
               body = (float[2, 5, 3, 7] c, float[5, 1, 1] S1, float[5, 1, 1] B1, float e1,
                       float t) => (float[2, 5, 3, 7] o)
               { m = ReduceMean <axes = [1]> (c) d = Sub (c, m) q = Pow (d, t)
                 v = ReduceMean <axes = [1]> (q) w = Add (v, e1) h = Sqrt (w) n = Div (d, h)
                 k = Mul (n, S1) o = Add (k, B1) }> (x, S, B, e, two) })",
        "layer-normalization");
    row("root-mean-square normalization written out",
        R"(<ir_version: 8, opset_import: ["" : 17, "fusescope" : 1]>
           g (float[2, 3, 20] x) => (float[2, 3, 20] y)
           <float[20] S = random(1), float e = {1e-5}>
           { y = fusescope.rms <kind = "rms-normalization",
               roles = ["part", "part", "part", "part", "part", "main", "part"],
               body = (float[2, 3, 20] a, float[20] S1, float e1) => (float[2, 3, 20] o)
               { q = Mul (a, a) v = ReduceMean <axes = [-1]> (q) w = Add (v, e1) h = Sqrt (w)
                 i = Reciprocal (h) n = Mul (a, i) o = Mul (S1, n) }> (x, S, e) })",
        "rms-normalization");
    row("concat-conv in a region",
        R"(<ir_version: 8, opset_import: ["" : 17, "fusescope" : 1]>
           g (float[1, 16, 5, 5] x) => (float[1, 7, 5, 5] y)
           <float[32, 16, 1, 1] V = random(2), float[7, 48, 3, 3] W1 = random(1)>
           { p = Conv (x, V) q = Relu (x)
             y = fusescope."concat-conv" <kind = "concat-conv", roles = ["concat", "main"],
               body = (float[1, 32, 5, 5] a, float[1, 16, 5, 5] b, float[7, 48, 3, 3] w)
                      => (float[1, 7, 5, 5] o)
               { c = Concat <axis = 1> (a, b) o = Conv <pads = [1, 1, 1, 1]> (c, w) }>
               (p, q, W1) })",
        "reorder, conv1x1 direct, elementwise, conv3x3 direct");
    row("product with a gate that the epilogue cannot hold",
        R"(<ir_version: 8, opset_import: ["" : 17, "fusescope" : 1]>
           g (float[3, 5] x) => (float[3, 7] y)
           <float[5, 7] W1 = random(1), float[7] B1 = random(2), float half = {0.5}>
           { y = fusescope.gelu <kind = "matmul-gelu", roles = ["main", "bias", "part", "activation"],
               body = (float[3, 5] a, float[5, 7] w, float[7] b, float h) => (float[3, 7] o)
               { c = MatMul (a, w) d = Add (c, b) e = Erf (d) f = Mul (e, d) o = Add (f, h) }>
               (x, W1, B1, half) })",
        "matmul");
    row("per-channel constants become one pass",
        R"(<ir_version: 8, opset_import: ["" : 17, "fusescope" : 1]>
           g (float[2, 5, 4, 4] x) => (float[2, 5, 4, 4] y, float[2, 5, 4, 4] z)
           <float[5, 1, 1] a = random(1), float[5, 1, 1] b = random(2), float[1, 5, 1, 1] c = random(3),
            float h = {0.5}>
           { y = fusescope.chain <kind = "elementwise", roles = ["part", "part", "part", "part", "part"],
               body = (float[2, 5, 4, 4] p, float[5, 1, 1] q, float[5, 1, 1] r, float[1, 5, 1, 1] s,
                       float t) => (float[2, 5, 4, 4] o)
               { d = Mul (p, q) e = Add (r, d) f = Sub (e, s) i = Mul (f, t) o = Relu (i) }>
               (x, a, b, c, h)
             z = Mul (a, x) })",
        "affine, affine");
    row("outputs that are inputs or constants",
        R"(g (float[2, 3] x) => (float[2, 3] y, float[2] z, float[3, 2] w)
           <float[2] c = {1, 2}, int64[2] turned = {3, 2}>
           { y = Identity (x) z = Neg (c) w = Reshape (x, turned) })");
}

void FusedStepsTest::agrees()
{
    QFETCH(QString, text);
    QFETCH(QString, kernels);
    const Graph graph = graphOf(text.toStdString());
    const RunInputs inputs = inputsOf(graph);
    QCOMPARE(differences(graph, inputs), QString());
    if (!kernels.isEmpty()) {
        const auto executor = FusedExecutor::plan(graph, inputs, {});
        QVERIFY(executor.has_value());
        QCOMPARE(kernelsOf(*executor), kernels);
    }
}

FUSESCOPE_TEST(FusedStepsTest, fused_steps_test)
#include "fused_steps_test.moc"
