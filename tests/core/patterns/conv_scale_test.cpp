#include "support/rewrite_check.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

namespace {

constexpr std::string_view rule = "conv-scale";

std::string model(std::string_view constant, std::string_view body,
                  std::string_view outputs = "float[N, 3, A, B] y")
{
    return fmt::format(R"(<ir_version: 8, opset_import: ["" : 17, "com.acme" : 1]>
        g (float[N, 2, 5, 5] x) => ({})
        <float[3, 2, 3, 3] W = random(1), float[3] B = random(2), {}> {{ {} }})",
                       outputs, constant, body);
}

} // namespace

class ConvScaleTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void folds_data()
    {
        QTest::addColumn<QString>("constant");
        QTest::addColumn<QString>("body");
        const QString channel = "float[3, 1, 1] k = {1, -2, 3}";
        QTest::newRow("Mul") << channel << "c = Conv (x, W, B) y = Mul (c, k)";
        QTest::newRow("constant first") << channel << "c = Conv (x, W, B) y = Mul (k, c)";
        QTest::newRow("no bias") << channel << "c = Conv (x, W) y = Mul (c, k)";
        QTest::newRow("scalar") << "float k = {0.5}" << "c = Conv (x, W, B) y = Mul (c, k)";
        QTest::newRow("zero") << "float k = {0}" << "c = Conv (x, W, B) y = Mul (c, k)";
        QTest::newRow("Div") << channel << "c = Conv (x, W, B) y = Div (c, k)";
    }
    void folds()
    {
        QFETCH(QString, constant);
        QFETCH(QString, body);
        Graph graph = graphOf(model(constant.toStdString(), body.toStdString()));
        QCOMPARE(rewriteProblem(graph, rule, "y"), std::string());
        QCOMPARE(operatorsOf(graph), std::string("Conv"));
    }

    // Mul then Add, as a frozen batch normalization is written: two folds, names of one length.
    void foldsAgain()
    {
        Graph graph = graphOf(model("float[3, 1, 1] k = {1, -2, 3}, float[3, 1, 1] b = {4, 5, 6}",
                                    "c = Conv (x, W, B) m = Mul (c, k) y = Add (m, b)"));
        QCOMPARE(rewriteProblem(graph, rule, "m"), std::string());
        QCOMPARE(rewriteProblem(graph, "conv-bias", "y"), std::string());
        QCOMPARE(operatorsOf(graph), std::string("Conv"));
        const Node* conv = graph.node(nodeNamed(graph, "y"));
        QCOMPARE(graph.value(conv->input(1))->name, std::string("W_folded"));
        QVERIFY(graph.value(conv->input(2))->name.starts_with("B_folded"));
    }

    void foldsConvTransposeByGroups()
    {
        Graph graph = graphOf(R"(g (float[1, 4, 3, 3] x) => (float[1, 6, A, B] y)
            <float[4, 3, 2, 2] W = random(1), float[6] B = random(2),
             float[6, 1, 1] k = {1, 2, 3, 4, 5, 6}>
            { c = ConvTranspose <group = 2, strides = [2, 2], output_padding = [1, 1]> (x, W, B)
              y = Mul (c, k) })");
        QCOMPARE(rewriteProblem(graph, rule, "y"), std::string());
    }

    void keepsSplatsSmall()
    {
        Graph graph = graphOf(R"(g (float[1, 2, 3, 3] x) => (float[1, 3, 3, 3] y)
            <float[3, 2, 1, 1] W = fill(0.25), float k = {2}>
            { c = Conv (x, W)
              y = Mul (c, k) })");
        QCOMPARE(rewriteProblem(graph, rule, "y"), std::string());
        const Node* conv = graph.node(nodeNamed(graph, "y"));
        QVERIFY(graph.constant(conv->input(1))->isSplat());
        QCOMPARE(graph.constant(conv->input(1))->asDouble(0), 0.5);
    }

    void refusesAConstantDividedByTheResult()
    {
        QCOMPARE(refusalOf(graphOf(model("float k = {2}", "c = Conv (x, W, B) [d] y = Div (k, c)")),
                           rule, "d"),
                 std::string("operand-order [d] Operands stand in another order | `d` computes c / "
                             "x, where x / c is expected. | Swap the operands if that is meant."));
    }

    void refusesNumbersThatAreNotFinite()
    {
        QCOMPARE(codesOf(graphOf(model("float[3, 1, 1] k = {1, 0, 2}",
                                       "c = Conv (x, W, B) y = Div (c, k)")),
                         rule, "y"),
                 std::string("not-finite"));
        QCOMPARE(codesOf(graphOf(R"(g (float[1, 1, 2, 2] x) => (float[1, 1, 2, 2] y)
            <float[1, 1, 1, 1] W = {10}, float k = {3e38}>
            { c = Conv (x, W)
              y = Mul (c, k) })"),
                         rule, "y"),
                 std::string("not-finite"));
    }

    // A channel of zeros, or of a few bits, where the model gives numbers of large data.
    void refusesAFactorThatLeavesNothing()
    {
        const auto codes = [](const char* factor) {
            return codesOf(graphOf(fmt::format(R"(g (float[N, 1, 2, 2] x) => (float[N, 2, 2, 2] y)
                <float[2, 1, 1, 1] W = {{1, 1e-30}}, float k = {{{}}}>
                {{ c = Conv (x, W) y = Mul (c, k) }})",
                                               factor)),
                           "conv-scale", "y");
        };
        QCOMPARE(codes("1e-30"), std::string("not-finite"));
        QCOMPARE(codes("1e-10"), std::string("not-finite"));
        QCOMPARE(codes("1e-7"), std::string("match"));
        QCOMPARE(codes("0"), std::string("match"));
    }

    void refusesRowsAndReaders()
    {
        QCOMPARE(codesOf(graphOf(model("float[3] k = {1, 2, 3}",
                                       "c = Conv (x, W, B) y = Mul (c, k)")),
                         rule, "y"),
                 std::string("not-per-channel"));
        QCOMPARE(codesOf(graphOf(model("float k = {2}",
                                       "c = Conv (x, W, B) y = Mul (c, k) z = Neg (c)",
                                       "float[N, 3, A, B] y, float[N, 3, C, D] z")),
                         rule, "y"),
                 std::string("multi-consumer"));
        QCOMPARE(codesOf(graphOf(model("float k = {2}", "c = Conv (x, W, B) y = com.acme.Mul (c, k)")),
                         rule, "y"),
                 std::string("custom-domain"));
        QCOMPARE(codesOf(graphOf(model("float k = {2}", "c = Conv (x, W, B) s = Sigmoid (c) "
                                                        "y = Mul (c, s)")),
                         rule, "y"),
                 std::string("no candidate"));
    }
};

FUSESCOPE_TEST(ConvScaleTest, conv_scale_test)
#include "conv_scale_test.moc"
