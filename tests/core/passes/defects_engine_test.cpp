#include "defect.h"
#include "support/test_class.h"

using namespace fusescope;
using namespace fusescope::test;

// Quantized neighbours (83 to 88) and what was seen in one engine alone (R6 to R15), by number.
//
// Not here: R1 to R5, R8, R9, R11, numbers without a graph.
class DefectsEngineTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void quantized_data()
    {
        addDefectColumns();
        addDefect("83 MaxPool between numbers of a negative scale",
                  R"(g (float[1, 1, 4, 4] x) => (float[1, 1, 3, 3] y)
            <float s = {-0.1}, int8 z = {0}>
            { q = QuantizeLinear (x, s, z)
              d = DequantizeLinear (q, s, z)
              m = MaxPool <kernel_shape = [2, 2]> (d)
              r = QuantizeLinear (m, s, z)
              y = DequantizeLinear (r, s, z) })",
                  "QuantizeLinear DequantizeLinear MaxPool QuantizeLinear DequantizeLinear", "", 0);
        addDefect("84 a bias of 32 bits is no activation",
                  R"(g (float[2, 2] x) => (float[2, 2] y)
            <int32[4] b = {100, -200, 300, 50}, float s = {0.01}, int64[2] k = {2, 2}>
            { d = DequantizeLinear (b, s)
              r = Reshape (d, k)
              y = Add (x, r) })",
                  "DequantizeLinear Reshape Add", "fold-constant quantized-neighbour", 0);
        addDefect("85 a Transpose behind a DequantizeLinear without a zero point",
                  R"(g (float[1, 3, 4, 2] x) => (float[1, 3, 4, 2] y)
            <int8[1, 2, 3, 4] w = random(1, -100, 100), float s = {0.1}>
            { d = DequantizeLinear (w, s)
              t = Transpose <perm = [0, 2, 3, 1]> (d)
              e = Relu (t)
              y = Add (x, e) })",
                  "DequantizeLinear Transpose region(Relu Add)", "fold-constant quantized-neighbour", 0);
        addDefect("86 Resize stays a float operator",
                  R"(g (int8[1, 1, 2, 2] x) => (int8[1, 1, 4, 4] y)
            <float s = {0.1}, int8 z = {0}, float[4] by = {1, 1, 2, 2}>
            { d = DequantizeLinear (x, s, z)
              r = Resize <mode = "linear"> (d, , by)
              y = QuantizeLinear (r, s, z) })",
                  "DequantizeLinear Resize QuantizeLinear", "", 0);
        addDefect("87 a quantized Conv is left as it is",
                  R"(g (float[1, 1, 4, 4] x) => (float[1, 2, 4, 4] y)
            <int8[2, 1, 1, 1] w = {3, -5}, float s = {0.5}, int8 z = {0}>
            { q = QuantizeLinear (x, s, z)
              d = DequantizeLinear (q, s, z)
              v = DequantizeLinear (w, s, z)
              c = Conv (d, v)
              r = QuantizeLinear (c, s, z)
              y = DequantizeLinear (r, s, z) })",
                  "QuantizeLinear DequantizeLinear DequantizeLinear Conv QuantizeLinear "
                  "DequantizeLinear",
                  "", 0);
        addDefect("88 a quantized weight of a MatMul",
                  R"(g (float[2, 4] x) => (float[2, 4] y)
            <int8[4, 4] w = random(1, -100, 100), float s = {0.5}>
            { d = DequantizeLinear (w, s)
              y = MatMul (x, d) })",
                  "DequantizeLinear MatMul", "fold-constant quantized-neighbour", 0);
    }
    void quantized() { QCOMPARE(wrongWithRow(), std::string()); }

    void oneEngine_data()
    {
        addDefectColumns();
        addDefect("R6 ceil_mode and a merged Pad",
                  R"(<ir_version: 8, opset_import: ["" : 13]>
            g (float[1, 1, 5, 5] x) => (float[1, 1, A, B] y)
            <int64[8] p = {0, 0, 1, 1, 0, 0, 2, 2}>
            { z = Pad (x, p)
              y = AveragePool <kernel_shape = [3, 3], strides = [2, 2], ceil_mode = 1> (z) })",
                  "Pad AveragePool", "pad-pool unsupported-attribute");
        addDefect("R7 a pad as wide as the kernel",
                  R"(<ir_version: 8, opset_import: ["" : 13]>
            g (float[1, 1, 4, 4] x) => (float[1, 1, A, B] y)
            <int64[8] p = {0, 0, 0, 0, 0, 0, 2, 2}>
            { z = Pad (x, p)
              y = AveragePool <kernel_shape = [2, 2], strides = [3, 3], ceil_mode = 1> (z) })",
                  "Pad AveragePool", "pad-pool unsupported-attribute");
        addDefect("R10 nearly one, in double",
                  R"(g (double[3] x) => (double[3] y) <double k = {1.00000001}>
            { a = Abs (x)
              b = Mul (a, k)
              y = Reciprocal (b) })",
                  "region(Abs Mul Reciprocal)", "", 0);
        addDefect("R10 nearly nothing, in double",
                  R"(g (double[3] x) => (double[3] y) <double k = {1e-50}, double h = {1e50}>
            { z = Sub (x, x)
              a = Abs (z)
              b = Add (a, k)
              y = Mul (b, h) })",
                  "region(Sub Abs Add Mul)", "", 0);
        addDefect("R12 a division of whole numbers",
                  R"(g (int32[3] x) => (int32[3] y)
            <int32 one = {1}, int32[3] k = {6, 6, 6}, int32[3] three = {1, 1, 1}>
            { p = Add (x, three)
              d = Div (one, p)
              y = Mul (d, k) })",
                  "Add Div Mul", "", 0);
        addDefect("R13 ones of more dimensions",
                  R"(g (float[3] x, float[3] k) => (float[1, 1, 3] y) <float[1, 1, 1] one = {1}>
            { d = Div (one, x)
              y = Mul (d, k) })",
                  "region(Div Mul)");
        addDefect("R14 a scale wider than the data",
                  R"(g (float[1, 1] x) => (float[1, 2] y)
            <float two = {2}, float eps = {0.01}, float[2] gamma = {1, 2}, float[2] beta = {0, 1}>
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
        addDefect("R15 dead code goes",
                  R"(g (float[3] x) => (float[3] y)
            { a = Exp (x)
              b = RandomNormal <shape = [3]> ()
              y = Relu (x) })",
                  "Relu", "", 0);
    }
    void oneEngine() { QCOMPARE(wrongWithRow(), std::string()); }

    // 83: the largest number of a negative scale is the smallest code.
    void aNegativeScaleTurnsTheOrder()
    {
        const Graph graph = graphOf(R"(g (float[1, 1, 1, 4] x) => (float[1, 1, 1, 2] y)
            <float s = {-0.5}, int8 z = {0}>
            { q = QuantizeLinear (x, s, z)
              d = DequantizeLinear (q, s, z)
              y = MaxPool <kernel_shape = [1, 2], strides = [1, 2]> (d) })");
        QCOMPARE(outputsOf(graph, "x", {1, 1, 1, 4}, {1, -1, 2, 3}), std::string("y: 1 3"));
    }

    // 87: halves are rounded to even.
    void halvesAreRoundedToEven()
    {
        const Graph graph = graphOf(R"(g (float[4] x) => (float[4] y) <float s = {1}, int8 z = {0}>
            { q = QuantizeLinear (x, s, z)
              y = DequantizeLinear (q, s, z) })");
        QCOMPARE(outputsOf(graph, "x", {4}, {0.5, 1.5, 2.5, -2.5}), std::string("y: 0 2 2 -2"));
    }
};

FUSESCOPE_TEST(DefectsEngineTest, defects_engine_test)
#include "defects_engine_test.moc"
