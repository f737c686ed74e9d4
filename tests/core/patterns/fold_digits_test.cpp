#include "support/rewrite_check.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

// Factors that leave a type's smallest normal number behind: half precision ends at 6e-5, and below
// that a weight keeps a few bits, or one.
class FoldDigitsTest : public QObject
{
    Q_OBJECT

    static Graph model(std::string_view type, std::string_view body, std::string_view factor,
                       std::string_view variance)
    {
        return graphOf(fmt::format(R"(g ({0}[1, 4, 6, 6] x, {0}[3, 4] m) => ({0}[?] y)
            <{0}[4, 4, 3, 3] W = random(1, 0.005, 0.03), {0}[4, 4] B = random(2, 0.005, 0.03),
             {0}[4] b = {{0, 0, 0, 0}}, {0}[4] one = {{1, 1, 1, 1}}, {0}[4] c = {{1, {2}, 1, 1}},
             {0}[4] s = {{{2}, {2}, {2}, {2}}}, {0}[4] v = {{{3}, {3}, {3}, {3}}}, {0} k = {{{2}}},
             {0}[1] large = {{1000}}>
            {{ {1} }})",
                                   type, body, factor, variance));
    }

private Q_SLOTS:
    void folds_data()
    {
        QTest::addColumn<QString>("rule");
        QTest::addColumn<QString>("body");
        const auto row = [](const char* name, const char* rule, const char* body) {
            QTest::newRow(name) << QString(rule) << QString(body);
        };
        row("Conv, BN", "conv-batchnorm",
            "t = Conv (x, W) y = BatchNormalization (t, s, b, b, v)");
        row("ConvTranspose, BN", "convtranspose-batchnorm",
            "t = ConvTranspose (x, W) y = BatchNormalization (t, s, b, b, v)");
        row("BN, Conv", "batchnorm-conv",
            "t = BatchNormalization (x, s, b, b, v) y = Conv (t, W)");
        row("Mul, Conv", "scale-conv", "t = Mul (x, k) y = Conv (t, W)");
        row("Conv, Mul", "conv-scale", "t = Conv (x, W) y = Mul (t, k)");
        row("Gemm, BN", "gemm-batchnorm",
            "t = Gemm (m, B) y = BatchNormalization (t, s, b, b, v)");
        row("MatMul, Mul", "matmul-scale", "t = MatMul (m, B) y = Mul (t, k)");
        row("Mul, MatMul", "matmul-scale", "t = Mul (m, k) y = MatMul (t, B)");
        row("MatMul, Mul of one a column", "matmul-scale", "t = MatMul (m, B) y = Mul (t, c)");
        row("BN, BN", "batchnorm-chain",
            "t = BatchNormalization (x, s, b, b, v) y = BatchNormalization (t, s, b, b, one)");
    }
    void folds()
    {
        QFETCH(QString, rule);
        QFETCH(QString, body);
        const std::string id = rule.toStdString();
        const auto with = [&](const char* type, const char* factor, const char* variance) {
            return model(type, body.toStdString(), factor, variance);
        };
        // 1e-3 and, with a variance, 1e-3/100: products of 5e-6 at most.
        QCOMPARE(codesOf(with("float16", "0.001", "10000"), id, "y"), std::string("not-finite"));
        QCOMPARE(codesOf(with("float16", "0.5", "1"), id, "y"), std::string("match"));
        // The exponents of float32 reach far below.
        QCOMPARE(codesOf(with("bfloat16", "0.001", "10000"), id, "y"), std::string("match"));
        Graph wide = with("float", "0.001", "10000");
        QCOMPARE(rewriteProblem(wide, id, "y"), std::string());
    }

    // What is no normal number already may keep its few bits, but not lose them all.
    // A channel that training left as good as dead keeps no other from being folded.
    void deadChannelsAreFolded()
    {
        Graph graph = graphOf(R"(g (float16[1, 4, 6, 6] x) => (float16[?] y)
            <float16[4, 4, 3, 3] W = random(1, 0.005, 0.03), float16[4] b = {0, 0.5, 0, 0},
             float16[4] s = {1, 0.000001, 0.5, 1}, float16[4] v = {1, 1, 1, 1}>
            { t = Conv (x, W) [y] y = BatchNormalization (t, s, b, b, v) })");
        QCOMPARE(rewriteProblem(graph, "conv-batchnorm", "y"), std::string());
        QCOMPARE(operatorsOf(graph), std::string("Conv"));
    }

    void smallNumbersStay()
    {
        const auto codes = [](const char* weight, const char* factor) {
            return codesOf(graphOf(fmt::format(R"(g (float16[2, 2] m) => (float16[2, 2] y)
                <float16[2, 2] B = {{{0}, {0}, 0, 0}}, float16 k = {{{1}}}>
                {{ t = MatMul (m, B) y = Mul (t, k) }})",
                                               weight, factor)),
                           "matmul-scale", "y");
        };
        QCOMPARE(codes("0.00003", "0.5"), std::string("match"));
        QCOMPARE(codes("0.00003", "0.0005"), std::string("not-finite"));
        QCOMPARE(codes("0.0001", "0.5"), std::string("not-finite"));
        QCOMPARE(codes("0.0002", "0.5"), std::string("match"));
        QCOMPARE(codes("0.0001", "2"), std::string("match"));
        QCOMPARE(codes("0.0001", "0"), std::string("match"));
    }
};

FUSESCOPE_TEST(FoldDigitsTest, fold_digits_test)
#include "fold_digits_test.moc"
