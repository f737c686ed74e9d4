#include "support/rewrite_check.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

namespace {

// What stands between two values of one shape, [1, 4, 4, 4], [2, 4, 4] or [4, 4].
struct Obstacle
{
    const char* text; // from t to u; the node in the way is named mid
    const char* code;
};

const char* const scales =
    "float half = {0.1}, int8 zero = {0}, int64[1] from = {0}, int64[1] to = {4}";

// The two partners of a rule: the first makes t, the root reads u.
struct Pair
{
    const char* rule;
    const char* shape;
    const char* first;
    const char* root;
    const char* initializers;
};

const char* const normal =
    "float[4] s = random(1, 0.5, 2), float[4] b = random(2), float[4] m = random(3), "
    "float[4] v = random(4, 0.5, 2), float[4, 4, 1, 1] W = random(5)";
const char* const weight = "float[4, 4, 1, 1] W = random(5), float k = {2}";
const char* const matrix = "float[4, 4] W = random(5), float[4] k = random(6), float two = {2}";

const Pair pairs[] = {
    {"batchnorm-conv", "1, 4, 4, 4", "t = BatchNormalization (x, s, b, m, v)", "y = Conv (u, W)",
     normal},
    {"batchnorm-chain", "1, 4, 4, 4", "t = BatchNormalization (x, s, b, m, v)",
     "y = BatchNormalization (u, s, b, m, v)", normal},
    {"scale-conv", "1, 4, 4, 4", "t = Mul (x, k)", "y = Conv (u, W)", weight},
    {"concat-conv", "1, 4, 4, 4", "t = Concat <axis = 1> (p, p)", "y = Conv (u, W)", weight},
    {"conv-scale", "1, 4, 4, 4", "t = Conv (x, W)", "y = Mul (u, k)", weight},
    {"conv-bias", "1, 4, 4, 4", "t = Conv (x, W)", "y = Add (u, k)", weight},
    {"merge-parallel-conv", "1, 4, 4, 4", "t = Conv (x, W) t2 = Conv (x, W)",
     "y = Concat <axis = 1> (u, t2)", weight},
    {"pad-conv", "1, 4, 4, 4", "t = Pad (x, pads)",
     "y = Conv (u, W)",
     "float[4, 4, 1, 1] W = random(5), int64[8] pads = {0, 0, 1, 1, 0, 0, 1, 1}"},
    {"pad-pool", "1, 4, 4, 4", "t = Pad (x, pads)", "y = AveragePool <kernel_shape = [3, 3]> (u)",
     "int64[8] pads = {0, 0, 1, 1, 0, 0, 1, 1}"},
    {"gemm-activation", "4, 4", "t = Gemm (x, W)", "y = LeakyRelu (u)", matrix},
    {"matmul-add-gemm", "4, 4", "t = MatMul (x, W)", "y = Add (u, k)", matrix},
    {"matmul-add", "2, 4, 4", "t = MatMul (x, W)", "y = Add (u, k)", matrix},
    {"matmul-scale", "4, 4", "t = MatMul (x, W)", "y = Mul (u, two)", matrix},
    {"matmul-scale", "2, 4, 4", "t = Mul (x, two)", "y = MatMul (u, W)", matrix},
    {"transpose-matmul", "2, 4, 4", "t = Transpose <perm = [0, 2, 1]> (x)", "y = MatMul (q, u)",
     matrix},
    {"skip-layer-normalization", "2, 4, 4", "t = Add (x, q)", "y = LayerNormalization (u, k)",
     matrix},
    {"silu", "4, 4", "t = Sigmoid (x)", "y = Mul (x, u)", matrix},
};

std::string model(const Pair& pair, std::string_view between)
{
    return fmt::format("g (float[{0}] x, float[{0}] q, float[1, 2, 4, 4] p) => (float[] y) <{1}, {2}> "
                       "{{ {3} {4} [root] {5} }}",
                       pair.shape, pair.initializers, scales, pair.first, between, pair.root);
}

std::string refusal(const Pair& pair, std::string_view between)
{
    return refusalOf(graphOf(model(pair, between)), pair.rule, "root");
}

} // namespace

class NearMissesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesWhatStandsBetween_data()
    {
        QTest::addColumn<int>("pair");
        for (int i = 0; i < static_cast<int>(std::size(pairs)); ++i)
            QTest::addRow("%d %s", i, pairs[i].rule) << i;
    }

    void namesWhatStandsBetween()
    {
        QFETCH(int, pair);
        constexpr Obstacle obstacles[] = {
            {"[mid] u = Slice (t, from, to)", "shape-operator-between"},
            {"[mid] u1 = Cast <to = 10> (t) u = Cast <to = 1> (u1)", "cast-between"},
            {"u1 = QuantizeLinear (t, half, zero) [mid] u = DequantizeLinear (u1, half, zero)",
             "quantized-neighbour"},
        };
        for (const Obstacle& obstacle : obstacles) {
            const std::string told = refusal(pairs[pair], obstacle.text);
            QVERIFY2(told.starts_with(obstacle.code), told.c_str());
            if (obstacle.code != std::string_view("cast-between"))
                QVERIFY2(told.find("[mid]") != std::string::npos, told.c_str());
            QVERIFY2(told.find('\n') == std::string::npos, told.c_str());
        }
    }

    void isSilentWhereMoreIsInTheWay_data() { namesWhatStandsBetween_data(); }

    // Two kinds of operators, and another reader.
    void isSilentWhereMoreIsInTheWay()
    {
        QFETCH(int, pair);
        const std::string two = "u1 = Slice (t, from, to) u2 = Sigmoid (u1) u = Neg (u2)";
        QCOMPARE(refusal(pairs[pair], two), std::string("no candidate"));
        const std::string read = model(pairs[pair], "o = Exp (t) u = Slice (t, from, to)");
        const std::string_view rule = pairs[pair].rule;
        // The normalization lets others read the sum; these two say every obstacle.
        if (rule != "skip-layer-normalization" && rule != "conv-scale" && rule != "conv-bias")
            QCOMPARE(refusalOf(graphOf(read), pairs[pair].rule, "root"),
                     std::string("no candidate"));
    }

    void activations()
    {
        for (const Pair& pair : pairs) {
            const std::string_view rule = pair.rule;
            if (rule != "scale-conv" && rule != "conv-scale" && rule != "conv-bias" &&
                rule != "pad-conv" && rule != "pad-pool")
                continue;
            const std::string told = refusal(pair, "[mid] u = Relu (t)");
            QVERIFY2(told.starts_with("activation-between [mid]"), told.c_str());
        }
    }

    void computedFactors()
    {
        const std::string inputs = "g (float[1, 4, 4, 4] x, float[1, 4, 1, 1] z) => (float[] y) "
                                   "<float[4, 4, 1, 1] W = random(5)> ";
        QCOMPARE(codesOf(graphOf(inputs + "{ [k] k = Exp (z) t = Mul (x, k) y = Conv (t, W) }"),
                         "scale-conv", "y"),
                 std::string("not-constant"));
        const std::string told =
            refusalOf(graphOf(inputs + "{ [k] k = Exp (z) t = Conv (x, W) y = Mul (t, k) }"),
                      "conv-scale", "y");
        QVERIFY2(told.starts_with("not-constant [k]"), told.c_str());
        QCOMPARE(codesOf(graphOf(inputs + "{ r = Relu (x) k = GlobalAveragePool (r) "
                                          "t = Mul (r, k) y = Conv (t, W) }"),
                         "scale-conv", "y"),
                 std::string("no candidate"));
        // Computed from the convolution: that is a gate.
        QCOMPARE(codesOf(graphOf(inputs + "{ t = Conv (x, W) k = GlobalAveragePool (t) "
                                          "y = Mul (t, k) }"),
                         "conv-scale", "y"),
                 std::string("no candidate"));
        QCOMPARE(codesOf(graphOf(inputs + "{ k = Exp (x) t = Conv (x, W) y = Mul (t, k) }"),
                         "conv-scale", "y"),
                 std::string("no candidate"));
    }

    // The gates of a cell: each activation takes its own part of the product.
    void aSplitPartsForGood()
    {
        const Graph graph = graphOf(R"(<ir_version: 8, opset_import: ["" : 18]>
            g (float[4, 4] x) => (float[4, 2] y, float[4, 2] z)
            <float[4, 4] W = random(1)>
            { t = Gemm (x, W) a, b = Split <axis = 1, num_outputs = 2> (t)
              y = Sigmoid (a) z = Tanh (b) })");
        QCOMPARE(codesOf(graph, "gemm-activation", "y"), std::string("no candidate"));
        QCOMPARE(codesOf(graph, "gemm-activation", "z"), std::string("no candidate"));
    }
};

FUSESCOPE_TEST(NearMissesTest, near_misses_test)
#include "near_misses_test.moc"
