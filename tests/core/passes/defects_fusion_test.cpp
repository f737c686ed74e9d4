#include "defect.h"
#include "support/test_class.h"

using namespace fusescope;
using namespace fusescope::test;

// Fusions that other engines got wrong, by the number that the project gives each of them (1 to 45).
//
// Not here: 5, 6, 17, 31, numbers without a graph. Of 45, a list inside another engine that was read
// past its end, the row is an operator with fewer inputs than it may have.
class DefectsFusionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void convolutions_data()
    {
        addDefectColumns();
        addDefect("1 a full constant behind a grouped Conv",
                  R"(g (float[1, 136, 4, 4] x) => (float[1, 136, 4, 4] y)
            <float[136, 34, 1, 1] W = random(1), float[136] B = random(2),
             float[1, 136, 4, 4] k = random(3)>
            { c = Conv <group = 4> (x, W, B)
              y = Add (c, k) })",
                  "region(Conv Add)", "conv-bias y not-per-channel");
        addDefect("2 Pad into AveragePool counts the padding",
                  R"(g (float[1, 1, 4, 4] x) => (float[1, 1, 2, 2] y)
            <int64[8] p = {0, 0, 1, 1, 0, 0, 1, 1}>
            { z = Pad (x, p)
              y = AveragePool <kernel_shape = [3, 3], strides = [3, 3]> (z) })",
                  "AveragePool");
        addDefect("24 auto_pad goes with merged pads",
                  R"(g (float[1, 1, 4, 4] x) => (float[1, 2, 4, 4] y)
            <int64[8] p = {0, 0, 1, 1, 0, 0, 1, 1}, float[2, 1, 3, 3] W = random(1)>
            { z = Pad (x, p)
              y = Conv <auto_pad = "VALID"> (z, W) })",
                  "Conv");
        addDefect("25 ConvTranspose is scaled along axis 1",
                  R"(<ir_version: 8, opset_import: ["" : 15]>
            g (float[1, 4, 3, 3] x) => (float[1, 3, 4, 4] y)
            <float[4, 3, 2, 2] W = random(1), float[3] s = random(2, 0.5, 2), float[3] b = random(3),
             float[3] m = random(4), float[3] v = random(5, 0.5, 2)>
            { c = ConvTranspose (x, W)
              y = BatchNormalization (c, s, b, m, v) })",
                  "ConvTranspose");
        addDefect("25 ConvTranspose of two groups",
                  R"(<ir_version: 8, opset_import: ["" : 15]>
            g (float[1, 4, 3, 3] x) => (float[1, 4, 4, 4] y)
            <float[4, 2, 2, 2] W = random(1), float[4] s = random(2, 0.5, 2), float[4] b = random(3),
             float[4] m = random(4), float[4] v = random(5, 0.5, 2)>
            { c = ConvTranspose <group = 2> (x, W)
              y = BatchNormalization (c, s, b, m, v) })",
                  "ConvTranspose");
        addDefect("26 ConvTranspose with strides and output_padding",
                  R"(<ir_version: 8, opset_import: ["" : 15]>
            g (float[1, 4, 3, 3] x) => (float[1, 3, A, B] y)
            <float[4, 3, 2, 2] W = random(1), float[3] s = random(2, 0.5, 2), float[3] b = random(3),
             float[3] m = random(4), float[3] v = random(5, 0.5, 2)>
            { c = ConvTranspose <strides = [2, 2], output_padding = [1, 1]> (x, W)
              y = BatchNormalization (c, s, b, m, v) })",
                  "ConvTranspose");
        addDefect("27 the bias is scaled too",
                  R"(g (float[1, 2, 4, 4] x) => (float[1, 3, 4, 4] y)
            <float[3, 2, 1, 1] W = random(1), float[3] B = {5, -5, 1}, float[3] s = {2, 3, 4},
             float[3] b = random(3), float[3] m = random(4), float[3] v = random(5, 0.5, 2)>
            { c = Conv (x, W, B)
              y = BatchNormalization (c, s, b, m, v) })",
                  "Conv");
        addDefect("28 a weight that two convolutions share",
                  R"(<ir_version: 8, opset_import: ["" : 15]>
            g (float[1, 2, 4, 4] x) => (float[1, 3, 4, 4] y, float[1, 3, 6, 6] y2)
            <float[3, 2, 1, 1] W = random(1), float[3] s = random(2, 0.5, 2), float[3] b = random(3),
             float[3] m = random(4), float[3] v = random(5, 0.5, 2)>
            { c = Conv (x, W)
              y = BatchNormalization (c, s, b, m, v)
              y2 = Conv <pads = [1, 1, 1, 1]> (x, W) })",
                  "Conv Conv");
        addDefect("36 a bias of five dimensions",
                  R"(g (float[1, 2, 2, 2, 2] x) => (float[1, 3, 2, 2, 2] y)
            <float[3, 2, 1, 1, 1] W = random(1), float[1, 3, 1, 1, 1] k = random(2)>
            { c = Conv (x, W)
              y = Add (c, k) })",
                  "Conv");
        addDefect("36 a row of as many numbers as channels",
                  R"(g (float[1, 2, 3, 3, 3] x) => (float[1, 3, 3, 3, 3] y)
            <float[3, 2, 1, 1, 1] W = random(1), float[1, 1, 3, 1, 1] k = random(2)>
            { c = Conv (x, W)
              y = Add (c, k) })",
                  "Conv Add", "conv-bias not-per-channel");
        addDefect("37 a Pad that two nodes read",
                  R"(g (float[1, 1, 4, 4] x) => (float[1, 2, 4, 4] y1, float[1, 1, 6, 6] y2)
            <int64[8] p = {0, 0, 1, 1, 0, 0, 1, 1}, float[2, 1, 3, 3] W = random(1)>
            { z = Pad (x, p)
              y1 = Conv (z, W)
              y2 = Relu (z) })",
                  "Pad Conv Relu", "pad-conv multi-consumer");
        addDefect("39 nodes without names are told apart",
                  R"(g (float[1, 2, 4, 4] x) => (float[1, 3, 4, 4] y, float[1, 3, 4, 4] z)
            <float[3, 2, 1, 1] W = random(1), float[3, 2, 1, 1] V = random(2),
             float[3, 1, 1] k = random(3, 0.5, 2), float[3, 1, 1] h = random(4, 0.5, 2)>
            { c = Conv (x, W)
              d = Conv (x, V)
              y = Mul (c, k)
              z = Mul (d, h) })",
                  "Conv Conv");
        addDefect("39 nodes of one name are told apart",
                  R"(g (float[1, 2, 4, 4] x) => (float[1, 3, 4, 4] y, float[1, 3, 4, 4] z)
            <float[3, 2, 1, 1] W = random(1), float[3, 2, 1, 1] V = random(2),
             float[3, 1, 1] k = random(3, 0.5, 2), float[3, 1, 1] h = random(4, 0.5, 2)>
            { [n] c = Conv (x, W)
              [n] d = Conv (x, V)
              [n] y = Mul (c, k)
              [n] z = Mul (d, h) })",
                  "Conv Conv");
        addDefect("40 nothing is left behind",
                  R"(<ir_version: 4, opset_import: ["" : 9]>
            g (float[1, 2, 4, 4] x) => (float[1, 3, 4, 4] y)
            <float[3, 2, 1, 1] W = random(1), float[3] s = random(2, 0.5, 2), float[3] b = random(3),
             float[3] m = random(4), float[3] v = random(5, 0.5, 2)>
            { c = Conv (x, W)
              n = BatchNormalization (c, s, b, m, v)
              y = Relu (n) })",
                  "region(Conv Relu)");
    }
    void convolutions() { QCOMPARE(wrongWithRow(), std::string()); }

    void products_data()
    {
        addDefectColumns();
        addDefect("13 a Transpose that changes nothing before Gemm",
                  R"(g (float[4, 4] x) => (float[4, 4] y)
            <float[4, 4] B = random(1), float[4] c = random(2)>
            { t = Transpose <perm = [0, 1]> (x)
              y = Gemm (t, B, c) })",
                  "Gemm");
        addDefect("14 an Add that enlarges the product",
                  R"(g (float[3, 3] x) => (float[3, 4] y)
            <float[3, 1] B = random(1), float[1, 4] c = random(2)>
            { m = MatMul (x, B)
              y = Add (m, c) })",
                  "MatMul Add", "matmul-add-gemm broadcast-enlarges");
        addDefect("15 BatchNormalization over the rows",
                  R"(<ir_version: 8, opset_import: ["" : 15]>
            g (float[2, 4, 4] x) => (float[2, 4, 4] y)
            <float[4, 4] B = random(1), float[4] s = random(2, 0.5, 2), float[4] b = random(3),
             float[4] m = random(4), float[4] v = random(5, 0.5, 2)>
            { p = MatMul (x, B)
              y = BatchNormalization (p, s, b, m, v) })",
                  "MatMul BatchNormalization", "gemm-batchnorm axis-mismatch");
        addDefect("16 a scale that adds dimensions",
                  R"(g (float[3] x) => (float[1, 1] y)
            <float[3] B = random(1), float[1, 1] k = {2}>
            { m = MatMul (x, B)
              y = Mul (m, k) })",
                  "MatMul Mul", "matmul-scale broadcast-enlarges");
        addDefect("21 Gemm's alpha and the activation's",
                  R"(g (float[4, 4] x) => (float[4, 4] y)
            <float[4, 4] B = random(1), float[4] c = random(2)>
            { g1 = Gemm <alpha = 0.5, beta = 2.0> (x, B, c)
              y = LeakyRelu <alpha = 0.3> (g1) })",
                  "region(Gemm LeakyRelu)");
        addDefect("29 both bounds of a Clip stay",
                  R"(g (float[4, 4] x) => (float[4, 4] y)
            <float[4, 4] B = random(1, -40, 40), float[4] c = random(2), float lo = {0},
             float hi = {6}>
            { m = MatMul (x, B)
              a = Add (m, c)
              y = Clip (a, lo, hi) })",
                  "region(Gemm Clip)");
        addDefect("30 what is added to a Gemm whose beta is 0",
                  R"(g (float[3, 4] x) => (float[3, 4] y)
            <float[4, 4] B = random(1), float[4] c = random(2), float[4] d = random(3)>
            { g1 = Gemm <beta = 0.0> (x, B, c)
              y = Add (g1, d) })",
                  "Gemm");
        addDefect("32 alpha and beta of a Gemm before BatchNormalization",
                  R"(<ir_version: 8, opset_import: ["" : 15]>
            g (float[3, 4] x) => (float[3, 4] y)
            <float[4, 4] B = random(1), float[4] c = random(2), float[4] s = random(3, 0.5, 2),
             float[4] b = random(4), float[4] m = random(5), float[4] v = random(6, 0.5, 2)>
            { g1 = Gemm <alpha = 0.5, beta = 2.0> (x, B, c)
              y = BatchNormalization (g1, s, b, m, v) })",
                  "Gemm");
        addDefect("34 a MatMul that two nodes read",
                  R"(g (float[4, 4] x) => (float[4, 4] y, float[4, 4] y2)
            <float[4, 4] B = random(1), float[4] c = random(2)>
            { m = MatMul (x, B)
              y = Add (c, m)
              y2 = Neg (m) })",
                  "MatMul Add Neg", "matmul-add-gemm multi-consumer");
        addDefect("35 what is added is wider than the Gemm",
                  R"(g (float[1, 4] x) => (float[3, 4] y)
            <float[4, 4] B = random(1), float[4] c = random(2), float[3, 4] d = random(3)>
            { g1 = Gemm (x, B, c)
              y = Add (g1, d) })",
                  "Gemm Add", "gemm-bias broadcast-enlarges");
    }
    void products() { QCOMPARE(wrongWithRow(), std::string()); }

    void normalizations_data()
    {
        addDefectColumns();
        addDefect("7 operands by their role, not their place",
                  R"(g (float[4] x) => (float[4] y)
            <float two = {2}, float eps = {0.01}, float[4] gamma = random(1, 0.5, 2),
             float[4] beta = random(2)>
            { m = ReduceMean <axes = [-1]> (x)
              d = Sub (x, m)
              p = Pow (d, two)
              v = ReduceMean <axes = [-1]> (p)
              e = Add (v, eps)
              s = Sqrt (e)
              n = Div (d, s)
              h = Mul (gamma, n)
              y = Add (beta, h) })",
                  "LayerNormalization");
        addDefect("8 a scale wider than the data stays outside",
                  R"(g (float[1, 1] x) => (float[1, 2] y)
            <float two = {2}, float eps = {0.01}, float[2] gamma = {1, 2}>
            { p = Pow (x, two)
              m = ReduceMean <axes = [-1]> (p)
              e = Add (m, eps)
              r = Sqrt (e)
              n = Div (x, r)
              y = Mul (n, gamma) })",
                  "region(Pow ReduceMean Add Sqrt Div) Mul");
        addDefect("9 a scale of more dimensions than the data",
                  R"(g (float[2, 4] x) => (float[3, 2, 4] y)
            <float two = {2}, float eps = {0.01}, float[3, 2, 4] gamma = random(1, 0.5, 2),
             float[3, 2, 4] beta = random(2)>
            { m = ReduceMean <axes = [-1]> (x)
              d = Sub (x, m)
              p = Pow (d, two)
              v = ReduceMean <axes = [-1]> (p)
              e = Add (v, eps)
              s = Sqrt (e)
              n = Div (d, s)
              h = Mul (n, gamma)
              y = Add (h, beta) })",
                  "LayerNormalization region(Mul Add)");
        addDefect("10 two axes",
                  R"(g (float[2, 3, 4] x) => (float[2, 3, 4] y)
            <float two = {2}, float eps = {0.01}, float[3, 4] gamma = random(1, 0.5, 2),
             float[3, 4] beta = random(2)>
            { m = ReduceMean <axes = [1, 2]> (x)
              d = Sub (x, m)
              p = Pow (d, two)
              v = ReduceMean <axes = [1, 2]> (p)
              e = Add (v, eps)
              s = Sqrt (e)
              n = Div (d, s)
              h = Mul (n, gamma)
              y = Add (h, beta) })",
                  "LayerNormalization");
        addDefect("10 axes that are not the last ones",
                  R"(g (float[2, 3, 4] x) => (float[2, 3, 4] y)
            <float two = {2}, float eps = {0.01}, float[4] gamma = random(1, 0.5, 2),
             float[4] beta = random(2)>
            { m = ReduceMean <axes = [0, 2]> (x)
              d = Sub (x, m)
              p = Pow (d, two)
              v = ReduceMean <axes = [0, 2]> (p)
              e = Add (v, eps)
              s = Sqrt (e)
              n = Div (d, s)
              h = Mul (n, gamma)
              y = Add (h, beta) })",
                  "ReduceMean Sub Pow ReduceMean region(Add Sqrt) region(Div Mul Add)",
                  "layer-normalization axis-mismatch");
        addDefect("43 negative axes in another order",
                  R"(g (float[2, 3, 4] x) => (float[2, 3, 4] y)
            <float two = {2}, float eps = {0.01}>
            { m = ReduceMean <axes = [-1, -2]> (x)
              d = Sub (x, m)
              p = Pow (d, two)
              v = ReduceMean <axes = [2, 1]> (p)
              e = Add (v, eps)
              s = Sqrt (e)
              y = Div (d, s) })",
                  "LayerNormalization");
        addDefect("11 a scale of two dimensions behind a skip",
                  R"(g (float[2, 3, 4] x, float[2, 3, 4] s) => (float[2, 3, 4] y)
            <float[3, 4] gamma = random(1, 0.5, 2), float[3, 4] beta = random(2)>
            { a = Add (x, s)
              y = LayerNormalization <axis = 1> (a, gamma, beta) })",
                  "region(Add LayerNormalization)");
        addDefect("12 the sum is an output too",
                  R"(g (float[2, 3, 4] x, float[2, 3, 4] s) => (float[2, 3, 4] y, float[2, 3, 4] a)
            <float[4] gamma = random(1, 0.5, 2), float[4] beta = random(2)>
            { a = Add (x, s)
              y = LayerNormalization (a, gamma, beta) })",
                  "region(Add LayerNormalization)");
        addDefect("44 half precision is accumulated alike",
                  R"(g (float16[1, 2, 768] x, float16[1, 2, 768] s) => (float16[1, 2, 768] y)
            <float16[768] gamma = random(1, 0.5, 2), float16[768] beta = random(2)>
            { a = Add (x, s)
              y = LayerNormalization (a, gamma, beta) })",
                  "region(Add LayerNormalization)", "", 2e-3);
    }
    void normalizations() { QCOMPARE(wrongWithRow(), std::string()); }

    void others_data()
    {
        addDefectColumns();
        addDefect("18 places in a Concat of shapes are counted by element",
                  R"(g (float[N, 6] x) => (float[2, 3, M, 1] y)
            <int64[2] k = {2, 3}, int64[1] one = {1}, int64 i = {0}, int64[1] zero = {0}>
            { s = Shape (x)
              n = Gather (s, i)
              u = Unsqueeze (n, zero)
              c = Concat <axis = 0> (k, u, one)
              y = Reshape (x, c) })",
                  "Reshape");
        addDefect("19 a one that is computed, behind an Identity",
                  R"(g (float[4, 4] x) => (float[4, 4] y) <float one = {1}, float zero = {0}>
            { mid = Identity (x)
              f = Div (one, one)
              w = Mul (mid, f)
              y = Add (w, zero) })",
                  "Add");
        addDefect("19 behind a Dropout",
                  R"(g (float[4, 4] x) => (float[4, 4] y) <float one = {1}, float zero = {0}>
            { mid = Dropout (x)
              f = Div (one, one)
              w = Mul (mid, f)
              y = Add (w, zero) })",
                  "Add");
        addDefect("19 behind a Cast",
                  R"(g (float[4, 4] x) => (float[4, 4] y) <float one = {1}, float zero = {0}>
            { mid = Cast <to = 1> (x)
              f = Div (one, one)
              w = Mul (mid, f)
              y = Add (w, zero) })",
                  "Add");
        addDefect("20 Relu and Clip of doubles",
                  R"(<ir_version: 8, opset_import: ["" : 14]>
            g (double[4] x) => (double[4] y) <double lo = {-1}, double hi = {1}>
            { r = Relu (x)
              y = Clip (r, lo, hi) })",
                  "Clip", "", 0);
        addDefect("20 Relu and Clip of whole numbers",
                  R"(<ir_version: 8, opset_import: ["" : 14]>
            g (int32[4] x) => (int32[4] y) <int32 lo = {-1}>
            { r = Relu (x)
              y = Clip (r, lo) })",
                  "Relu Clip", "clip-chain unsupported-type", 0);
        addDefect("22 the inner value of a Gelu is an output",
                  R"(g (float[4, 4] x) => (float[4, 4] y, float[4, 4] e) <float k = {1.702}>
            { d = Mul (x, k)
              e = Sigmoid (d)
              y = Mul (x, e) })",
                  "region(Mul Sigmoid) Mul", "quick-gelu graph-output");
        addDefect("23 the order of two Transposes",
                  R"(g (float[2, 3, 4] x) => (float[3, 4, 2] y)
            { t = Transpose <perm = [1, 0, 2]> (x)
              y = Transpose <perm = [0, 2, 1]> (t) })",
                  "Transpose", "", 0);
        addDefect("33 Dropout in training",
                  R"(g (float[4, 4] x) => (float[4, 4] y) <float r = {0.5}, bool t = {1}>
            { d = Dropout <seed = 3> (x, r, t)
              y = Neg (d) })",
                  "Dropout Neg", "remove-dropout training-mode-dropout", 0);
        addDefect("38 a weight that callers may replace is not cast beforehand",
                  R"(g (float[2, 4] x, float16[4, 4] W) => (float[2, 4] y)
            <float16[4, 4] W = random(1)>
            { w = Cast <to = 1> (W)
              y = MatMul (x, w) })",
                  "Cast MatMul", "", 0);
        addDefect("41 a second part without elements",
                  R"(g (float[3] x) => (float[3] y) <float[0] e = {}>
            { c = Concat <axis = 0> (x, e)
              y = Neg (c) })",
                  "Concat Neg", "", 0);
        addDefect("41 two Casts to different types",
                  R"(g (float[3] x) => (double[3] y, float16[3] z)
            { a = Cast <to = 11> (x)
              b = Cast <to = 10> (x)
              y = Neg (a)
              z = Neg (b) })",
                  "Cast Cast Neg Neg", "", 0);
        addDefect("42 a column and a row of as many numbers",
                  R"(g (float[2, 2] x) => (float[2, 2] y)
            <float[2, 1] k = {1, 2}, float[1, 2] h = {1, 2}>
            { a = Add (x, k)
              b = Add (x, h)
              y = MatMul (a, b) })",
                  "Add Add MatMul", "", 0);
        addDefect("45 an attention with fewer inputs than there could be",
                  R"(g (float[2, 4] x) => (float[2, 4] y)
            { s = Softmax (x)
              m = Sum (s)
              y = Clip (m) })",
                  "Softmax Clip", "", 0);
    }
    void others() { QCOMPARE(wrongWithRow(), std::string()); }

    // 3: cells beyond the padding never count; with count_include_pad the padded ones do.
    void averagesOfUnevenPadding()
    {
        const std::vector<float> ones(25, 1.0F);
        const auto run = [&ones](const char* count) {
            std::string text = R"(g (float[1, 1, 5, 5] x) => (float[1, 1, 3, 3] y)
                { y = AveragePool <kernel_shape = [3, 3], strides = [2, 2], pads = [0, 0, 2, 2],
                                   count_include_pad = COUNT> (x) })";
            text.replace(text.find("COUNT"), 5, count);
            return outputsOf(graphOf(text), "x", {1, 1, 5, 5}, ones);
        };
        QCOMPARE(run("0"), std::string("y: 1 1 1 1 1 1 1 1 1"));
        QCOMPARE(run("1"), std::string("y: 1 1 0.3333 1 1 0.3333 0.3333 0.3333 0.1111"));
    }

    // 4: the odd cell of SAME_LOWER goes to the beginning.
    void averagesOfLowerPadding()
    {
        const Graph graph = graphOf(R"(<ir_version: 9, opset_import: ["" : 19]>
            g (float[1, 1, 3, 3] x) => (float[1, 1, 3, 3] y)
            { y = AveragePool <kernel_shape = [2, 2], auto_pad = "SAME_LOWER"> (x) })");
        QCOMPARE(outputsOf(graph, "x", {1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}),
                 std::string("y: 1 1.5 2.5 2.5 3 4 5.5 6 7"));
    }

    // 2, 24: the attributes that keep the meaning are written.
    void whatMergedPadsWrite()
    {
        const PassRun pool = runPasses(R"(g (float[1, 1, 4, 4] x) => (float[1, 1, 2, 2] y)
            <int64[8] p = {0, 0, 1, 1, 0, 0, 1, 1}>
            { z = Pad (x, p)
              y = AveragePool <kernel_shape = [3, 3], strides = [3, 3]> (z) })");
        const Node& average = *pool.graph.node(nodeNamed(pool.graph, "y"));
        QCOMPARE(average.attributes.getInt("count_include_pad", 0), std::int64_t{1});
        const PassRun conv = runPasses(R"(g (float[1, 1, 4, 4] x) => (float[1, 2, 4, 4] y)
            <int64[8] p = {0, 0, 1, 1, 0, 0, 1, 1}, float[2, 1, 3, 3] W = random(1)>
            { z = Pad (x, p)
              y = Conv <auto_pad = "VALID"> (z, W) })");
        const Node& merged = *conv.graph.node(nodeNamed(conv.graph, "y"));
        QCOMPARE(merged.attributes.getString("auto_pad", "NOTSET"), std::string("NOTSET"));
        QCOMPARE(*merged.attributes.getInts("pads"), (std::vector<std::int64_t>{1, 1, 1, 1}));
    }

    // 28: the private copy is told.
    void aPrivateCopyIsRemarked()
    {
        const PassRun run = runPasses(R"(g (float[1, 2, 4, 4] x) => (float[1, 3, 4, 4] y, float[1, 3, 6, 6] z)
            <float[3, 2, 1, 1] W = random(1), float[3] s = random(2, 0.5, 2), float[3] b = random(3),
             float[3] m = random(4), float[3] v = random(5, 0.5, 2)>
            { c = Conv (x, W)
              y = BatchNormalization (c, s, b, m, v)
              z = Conv <pads = [1, 1, 1, 1]> (x, W) })");
        QCOMPARE(run.steps.size(), std::size_t{1});
        QVERIFY(!run.steps[0].remarks.empty());
        QCOMPARE(std::string(idOf(run.steps[0].remarks[0].reason.code)),
                 std::string("shared-weight"));
    }

    // 21: whatever the form, each alpha stays with its own operator.
    void alphaOfTheActivationStaysItsOwn()
    {
        const PassRun run = runPasses(R"(g (float[4, 4] x) => (float[4, 4] y)
            <float[4, 4] B = random(1), float[4] c = random(2)>
            { h = Gemm <alpha = 0.5, beta = 2.0> (x, B, c)
              y = LeakyRelu <alpha = 0.3> (h) })");
        for (const ExportForm form : {ExportForm::standard, ExportForm::contrib}) {
            Graph lowered = run.graph;
            IdPool pool(run.opened);
            const auto patch = lower(lowered, pool, form, &run.opened);
            QVERIFY(patch && lowered.apply(*patch));
            const Node& gemm = *lowered.node(nodeNamed(lowered, "h"));
            QCOMPARE(gemm.op.type, std::string("Gemm"));
            QCOMPARE(gemm.attributes.getFloat("alpha", 1), 0.5F);
            QCOMPARE(gemm.attributes.getFloat("beta", 1), 2.0F);
            const Node& leaky = *lowered.node(nodeNamed(lowered, "y"));
            QCOMPARE(leaky.attributes.getFloat("alpha", 1), 0.3F);
        }
    }

    // 12: the sum that is an output too is the region's second one.
    void aSumThatIsAnOutputStaysOne()
    {
        const PassRun run = runPasses(R"(g (float[2, 3, 4] x, float[2, 3, 4] s)
            => (float[2, 3, 4] y, float[2, 3, 4] a)
            <float[4] gamma = random(1, 0.5, 2), float[4] beta = random(2)>
            { a = Add (x, s)
              y = LayerNormalization (a, gamma, beta) })");
        const Body& main = *run.graph.body(run.graph.mainBody());
        QCOMPARE(main.outputs.size(), std::size_t{2});
        QCOMPARE(run.graph.producer(main.outputs[0]), run.graph.producer(main.outputs[1]));
    }
};

FUSESCOPE_TEST(DefectsFusionTest, defects_fusion_test)
#include "defects_fusion_test.moc"
