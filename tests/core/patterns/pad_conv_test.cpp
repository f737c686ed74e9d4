#include "support/rewrite_check.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

namespace {

constexpr std::string_view rule = "pad-conv";

// The amounts as an initializer; `conv` are the attributes of the Conv.
std::string model(std::string_view pads, std::string_view pad = "z = Pad (x, p)",
                  std::string_view conv = "", int opset = 17,
                  std::string_view more = "", std::string_view output = "float[1, 3, A, B] y",
                  std::string_view input = "float[1, 2, 5, 6] x")
{
    return fmt::format(R"(<ir_version: 8, opset_import: ["" : {}]> g ({}) => ({})
        <float[3, 2, 3, 3] W = random(1), int64[8] p = {{ {} }}, float half = {{0.5}},
         float minus = {{-0.0}}>
        {{ [pad] {} [conv] y = Conv {} (z, W) {} }})",
                       opset, input, output, pads, pad, conv, more);
}

} // namespace

class PadConvTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void merges_data()
    {
        QTest::addColumn<QString>("pads");
        QTest::addColumn<QString>("pad");
        QTest::addColumn<QString>("conv");
        QTest::addColumn<QString>("expected");
        const QString even = "0, 0, 1, 1, 0, 0, 1, 1";
        QTest::newRow("plain") << even << "z = Pad (x, p)" << "" << "1 1 1 1";
        QTest::newRow("one side") << "0, 0, 0, 2, 0, 0, 1, 0" << "z = Pad (x, p)" << "" << "0 2 1 0";
        QTest::newRow("added up") << even << "z = Pad (x, p)" << "<pads = [1, 0, 2, 0]>"
                                  << "2 1 3 1";
        QTest::newRow("VALID") << even << "z = Pad (x, p)" << "<auto_pad = \"VALID\">" << "1 1 1 1";
        QTest::newRow("SAME") << even << "z = Pad (x, p)" << "<auto_pad = \"SAME_UPPER\">"
                              << "2 2 2 2";
        QTest::newRow("SAME_LOWER strided")
            << even << "z = Pad (x, p)"
            << "<auto_pad = \"SAME_LOWER\", strides = [2, 2]>" << "2 2 2 1";
        QTest::newRow("-0") << even << "z = Pad (x, p, minus)" << "" << "1 1 1 1";
        QTest::newRow("strides and dilations")
            << even << "z = Pad (x, p)" << "<strides = [2, 1], dilations = [2, 2]>" << "1 1 1 1";
    }
    void merges()
    {
        QFETCH(QString, pads);
        QFETCH(QString, pad);
        QFETCH(QString, conv);
        QFETCH(QString, expected);
        Graph graph = graphOf(model(pads.toStdString(), pad.toStdString(), conv.toStdString()));
        QCOMPARE(rewriteProblem(graph, rule, "conv"), std::string());
        QCOMPARE(operatorsOf(graph), std::string("Conv"));
        const Node* node = graph.node(nodeNamed(graph, "conv"));
        QStringList amounts;
        const auto merged = node->attributes.getInts("pads").value_or(std::vector<std::int64_t>());
        for (const std::int64_t amount : merged)
            amounts << QString::number(amount);
        QCOMPARE(amounts.join(' '), expected);
        QCOMPARE(node->attributes.getString("auto_pad", "NOTSET"), std::string("NOTSET"));
    }

    void mergesEachVersion()
    {
        Graph old = graphOf(model("0, 0, 0, 0, 0, 0, 0, 0",
                                  "z = Pad <pads = [0, 0, 1, 2, 0, 0, 0, 1]> (x)", "", 10));
        QCOMPARE(rewriteProblem(old, rule, "conv", {.policy = {}, .run = false}), std::string());
        Graph first = graphOf(model("0, 0, 0, 0, 0, 0, 0, 0",
                                    "z = Pad <paddings = [0, 0, 1, 2, 0, 0, 0, 1]> (x)", "", 1));
        QCOMPARE(rewriteProblem(first, rule, "conv", {.policy = {}, .run = false}), std::string());
        // From 18 on `axes` may name the axes in any order, from the back too.
        Graph axes = graphOf(R"(<ir_version: 8, opset_import: ["" : 18]>
            g (float[1, 2, 5, 6] x) => (float[1, 3, A, B] y)
            <float[3, 2, 3, 3] W = random(1), int64[4] p = {3, 1, 2, 0}, int64[2] a = {-1, 2}>
            { z = Pad (x, p, "", a)
              y = Conv (z, W) })");
        QCOMPARE(rewriteProblem(axes, rule, "y"), std::string());
        QCOMPARE(*axes.node(nodeNamed(axes, "y"))->attributes.getInts("pads"),
                 (std::vector<std::int64_t>{1, 3, 0, 2}));
    }

    void refusesOtherPaddings()
    {
        const std::string even = "0, 0, 1, 1, 0, 0, 1, 1";
        QCOMPARE(refusalOf(graphOf(model(even, "z = Pad <mode = \"reflect\"> (x, p)")), rule, "conv"),
                 std::string("unsupported-attribute [pad] Pad does not pad with a constant | `pad` "
                             "pads by reflect, but `conv` pads with a constant. | Only "
                             "mode=constant can be merged."));
        QCOMPARE(refusalOf(graphOf(model(even, "z = Pad (x, p, half)")), rule, "conv"),
                 std::string("padding-value [pad] Pad value is not zero | `pad` pads with 0.5, but "
                             "`conv` pads with 0. | Pad with 0."));
        QCOMPARE(refusalOf(graphOf(model("0, 0, -1, 1, 0, 0, 1, 1")), rule, "conv"),
                 std::string("negative-padding [pad] Pad crops | `pad` has a negative amount on axis "
                             "2, which deletes data. | Crop with a Slice instead."));
        QCOMPARE(refusalOf(graphOf(model("0, 1, 0, 0, 0, 0, 0, 0", "z = Pad (x, p)", "", 17, "",
                                         "float[1, 3, A, B] y", "float[1, 1, 5, 6] x")),
                           rule, "conv"),
                 std::string("pads-other-axis [pad] Pad widens the batch or the channels | `pad` "
                             "pads axis 1 by 1, which is not a spatial axis. | Pad the spatial axes "
                             "only."));
    }

    void refusesReaders()
    {
        QCOMPARE(refusalOf(graphOf(model("0, 0, 1, 1, 0, 0, 1, 1", "z = Pad (x, p)", "", 17,
                                         "[relu] r = Relu (z)",
                                         "float[1, 3, A, B] y, float[1, 2, C, D] r")),
                           rule, "conv"),
                 std::string("multi-consumer [relu] Result is read elsewhere too | `pad` is also "
                             "read by `relu`, which needs the value before `conv`. | Give that "
                             "reader a producer of its own, or drop that reader. | "
                             "duplicate-producer"));
    }

    void refusesWhatIsNotKnown()
    {
        const Graph computed = graphOf(R"(g (float[1, 2, 5, 6] x, int64[8] p) =>
            (float[1, 3, A, B] y) <float[3, 2, 3, 3] W = random(1)>
            { [pad] z = Pad (x, p)
              y = Conv (z, W) })");
        QCOMPARE(codesOf(computed, rule, "y"), std::string("not-constant"));
        const Graph sizes = graphOf(model("0, 0, 1, 1, 0, 0, 1, 1", "z = Pad (x, p)",
                                          "<auto_pad = \"SAME_UPPER\">", 17, "",
                                          "float[1, 3, A, B] y", "float[1, 2, H, 6] x"));
        QCOMPARE(codesOf(sizes, rule, "conv"), std::string("unknown-shape"));
        QCOMPARE(codesOf(graphOf(model("0, 0, 1, 1, 0, 0, 1, 1",
                                       "z1 = Pad (x, p) r = Relu (z1) z = Identity (r)")),
                         rule, "conv"),
                 std::string("no candidate"));
    }
};

FUSESCOPE_TEST(PadConvTest, pad_conv_test)
#include "pad_conv_test.moc"
