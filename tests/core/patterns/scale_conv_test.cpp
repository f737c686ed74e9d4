#include "support/rewrite_check.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

namespace {

constexpr std::string_view rule = "scale-conv";

std::string model(std::string_view scale, std::string_view conv = "y = Conv (z, W, b)",
                  std::string_view more = "", std::string_view outputs = "float[N, 6, A, B] y",
                  std::string_view input = "float[N, 4, 5, 5] x")
{
    return fmt::format(R"(g ({}) => ({})
        <float[6, 4, 3, 3] W = random(1), float[6] b = random(2), float[6, 2, 3, 3] G = random(3),
         float k = {{0.25}}, float[1, 4, 1, 1] c = random(4, 0.5, 2), float[4, 1, 1] d = random(5, 0.5, 2),
         float[1, 1, 1, 1] one = {{3}}, float[5] row = random(6), float zero = {{0}}>
        {{ [scale] z = {} [conv] {} {} }})",
                       input, outputs, scale, conv, more);
}

} // namespace

class ScaleConvTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void folds_data()
    {
        QTest::addColumn<QString>("scale");
        QTest::addColumn<QString>("conv");
        const auto row = [](const char* name, const char* scale, const char* conv) {
            QTest::newRow(name) << QString(scale) << QString(conv);
        };
        row("one number", "Mul (x, k)", "y = Conv (z, W, b)");
        row("the number first", "Mul (k, x)", "y = Conv (z, W)");
        row("divided", "Div (x, k)", "y = Conv (z, W, b)");
        row("one a channel", "Mul (x, c)", "y = Conv (z, W, b)");
        row("one a channel, without the batch", "Div (x, d)", "y = Conv (z, W, b)");
        row("ones in every axis", "Mul (x, one)", "y = Conv (z, W, b)");
        row("groups", "Mul (x, c)", "y = Conv <group = 2> (z, G, b)");
        row("padded", "Mul (x, c)", "y = Conv <pads = [1, 2, 1, 0]> (z, W, b)");
        row("padded to the same size", "Div (x, c)",
            "y = Conv <auto_pad = \"SAME_UPPER\", strides = [2, 2]> (z, W)");
        row("nothing but zeros", "Mul (x, zero)", "y = Conv (z, W, b)");
    }
    void folds()
    {
        QFETCH(QString, scale);
        QFETCH(QString, conv);
        Graph graph = graphOf(model(scale.toStdString(), conv.toStdString()));
        QCOMPARE(rewriteProblem(graph, rule, "conv"), std::string());
        QCOMPARE(operatorsOf(graph), std::string("Conv"));
    }

    void refuses()
    {
        QCOMPARE(codesOf(graphOf(model("Div (k, x)")), rule, "conv"), std::string("operand-order"));
        QCOMPARE(codesOf(graphOf(model("Mul (x, row)")), rule, "conv"),
                 std::string("not-per-channel"));
        QCOMPARE(codesOf(graphOf(model("Div (x, zero)")), rule, "conv"), std::string("not-finite"));
        QCOMPARE(codesOf(graphOf("g (float16[N, 1, 2, 2] x) => (float16[N, 1, A, B] y)"
                                 " <float16[1, 1, 1, 1] W = {0.0001}, float16 k = {0.0001}>"
                                 " { z = Mul (x, k) [conv] y = Conv (z, W) }"),
                         rule, "conv"),
                 std::string("not-finite"));
        QCOMPARE(codesOf(graphOf(model("Mul (x, k)", "y = Conv (z, W)", "r = Relu (z)",
                                       "float[N, 6, A, B] y, float[N, 4, C, D] r")),
                         rule, "conv"),
                 std::string("multi-consumer"));
        QCOMPARE(codesOf(graphOf(model("Mul (x, k)", "y = Conv (z, W)", "",
                                       "float[N, 6, A, B] y, float[N, 4, C, D] z")),
                         rule, "conv"),
                 std::string("graph-output"));
    }

    // The scale would make four channels of one.
    void refusesWhatEnlarges()
    {
        QCOMPARE(codesOf(graphOf(model("Mul (x, c)", "y = Conv (z, W)", "", "float[N, 6, A, B] y",
                                       "float[N, 1, 5, 5] x")),
                         rule, "conv"),
                 std::string("broadcast-enlarges"));
        QCOMPARE(codesOf(graphOf(model("Mul (x, c)", "y = Conv (z, W)", "", "float[N, 6, A, B] y",
                                       "float[N, C, 5, 5] x")),
                         rule, "conv"),
                 std::string("unknown-shape"));
        QCOMPARE(codesOf(graphOf(model("Mul (x, one)", "y = Conv (z, W)", "", "float[N, 6, A, B] y",
                                       "float[4, 5, 5] x")),
                         rule, "conv"),
                 std::string("broadcast-enlarges"));
    }

    void leavesProductsOfTwoTensors()
    {
        QCOMPARE(codesOf(graphOf(model("Mul (x, g)", "y = Conv (z, W)", "", "float[N, 6, A, B] y",
                                       "float[N, 4, 5, 5] x, float[N, 4, 1, 1] g")),
                         rule, "conv"),
                 std::string("no candidate"));
        QCOMPARE(codesOf(graphOf(model("Mul (k, k)")), rule, "conv"), std::string("no candidate"));
    }
};

FUSESCOPE_TEST(ScaleConvTest, scale_conv_test)
#include "scale_conv_test.moc"
