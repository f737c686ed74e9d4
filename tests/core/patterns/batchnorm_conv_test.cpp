#include "support/rewrite_check.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

namespace {

constexpr std::string_view rule = "batchnorm-conv";

std::string model(std::string_view conv, std::string_view more = "",
                  std::string_view outputs = "float[N, 6, A, B] y",
                  std::string_view bn = "z = BatchNormalization <epsilon = 0.0> (x, s, t, m, v)")
{
    return fmt::format(R"(g (float[N, 4, 5, 5] x) => ({})
        <float[6, 4, 3, 3] W = random(1), float[6] b = random(2), float[4] s = random(3, 0.5, 2),
         float[4] t = random(4), float[4] m = random(5), float[4] v = random(6, 0.5, 2),
         float[6, 2, 3, 3] G = random(7), float[4] zero = {{0, 0, 0, 0}},
         float[6, 4, 1, 1] P = random(8), float[2] two = {{1, 2}}, float[1] one = {{1}},
         float[6, 1] column = random(9)>
        {{ [bn] {} [conv] {} {} }})",
                       outputs, bn, conv, more);
}

} // namespace

class BatchnormConvTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void folds_data()
    {
        QTest::addColumn<QString>("conv");
        QTest::newRow("bias") << "y = Conv (z, W, b)";
        QTest::newRow("no bias") << "y = Conv (z, W)";
        QTest::newRow("groups") << "y = Conv <group = 2> (z, G, b)";
        QTest::newRow("VALID, strides") << "y = Conv <auto_pad = \"VALID\", strides = [2, 2]> (z, W)";
        QTest::newRow("SAME of one tap") << "y = Conv <auto_pad = \"SAME_UPPER\"> (z, P)";
    }
    void folds()
    {
        QFETCH(QString, conv);
        Graph graph = graphOf(model(conv.toStdString()));
        QCOMPARE(rewriteProblem(graph, rule, "conv"), std::string());
        QCOMPARE(operatorsOf(graph), std::string("Conv"));
    }

    // Padding comes after the shift.
    void refusesPadding()
    {
        for (const char* conv : {"y = Conv <pads = [1, 1, 1, 1]> (z, W, b)",
                                 "y = Conv <auto_pad = \"SAME_UPPER\"> (z, W, b)"}) {
            QCOMPARE(refusalOf(graphOf(model(conv)), rule, "conv"),
                     std::string("padding-sees-shift [conv] Padding would see the shift | `conv` "
                                 "pads with zeros after `bn`, whose shift is not zero, so border "
                                 "pixels would change. | Pad before the BatchNormalization, or "
                                 "remove the padding."));
        }
    }

    void foldsWithPaddingWhereTheShiftIsZero()
    {
        Graph graph = graphOf(model("y = Conv <pads = [1, 1, 1, 1]> (z, W, b)", "",
                                    "float[N, 6, A, B] y",
                                    "z = BatchNormalization (x, s, zero, zero, v)"));
        QCOMPARE(rewriteProblem(graph, rule, "conv"), std::string());
    }

    void refuses()
    {
        QCOMPARE(codesOf(graphOf(model("y = Conv (z, W)", "[relu] r = Relu (z)",
                                       "float[N, 6, A, B] y, float[N, 4, C, D] r")),
                         rule, "conv"),
                 std::string("multi-consumer"));
        QCOMPARE(codesOf(graphOf(model("y = Conv (z, W)", "", "float[N, 6, A, B] y",
                                       "z, a, c = BatchNormalization <training_mode = 1> (x, s, t, "
                                       "m, v)")),
                         rule, "conv"),
                 std::string("training-mode-batchnorm"));
        QCOMPARE(codesOf(graphOf(model("y = Conv (r, W)", "", "float[N, 6, A, B] y",
                                       "z = BatchNormalization (x, s, t, m, v) r = Relu (z)")),
                         rule, "conv"),
                 std::string("no candidate"));
    }

    // Such a Conv fails when it runs, and must not be read past its bias.
    void refusesABiasOfAnotherLength()
    {
        for (const char* bias : {"two", "one", "column"}) {
            const std::string conv = fmt::format("y = Conv (z, W, {})", bias);
            QCOMPARE(codesOf(graphOf(model(conv)), rule, "conv"), std::string("channel-mismatch"));
        }
    }

    void countsTheChannelsThatOverflow()
    {
        const Graph graph = graphOf(R"(g (float16[N, 1, 2, 2] x) => (float16[N, 3, A, B] y)
            <float16[3, 1, 1, 1] W = {1, 60000, 40000}, float16[1] s = {4}, float16[1] zero = {0},
             float16[1] one = {1}>
            { [bn] z = BatchNormalization <epsilon = 0.0> (x, s, zero, zero, one)
              [conv] y = Conv (z, W) })");
        const std::string refusal = refusalOf(graph, rule, "conv");
        QVERIFY2(refusal.find("in 2 of 3 channels, first in 1.") != std::string::npos,
                 refusal.c_str());
    }
};

FUSESCOPE_TEST(BatchnormConvTest, batchnorm_conv_test)
#include "batchnorm_conv_test.moc"
