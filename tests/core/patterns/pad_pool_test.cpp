#include "support/rewrite_check.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

namespace {

constexpr std::string_view rule = "pad-pool";

std::string model(std::string_view pads, std::string_view body, int opset = 17,
                  std::string_view outputs = "float[1, 2, A, B] y")
{
    return fmt::format(R"(<ir_version: 8, opset_import: ["" : {}]>
        g (float[1, 2, 5, 5] x) => ({})
        <int64[8] p = {{ {} }}, float half = {{0.5}}, float low = {{-3.4028234663852886e38}},
         float never = {{-inf}},
         float zero = {{0}}, float one = {{1}}, float below = {{-1}}>
        {{ {} }})",
                       opset, outputs, pads, body);
}

constexpr std::string_view even = "0, 0, 1, 1, 0, 0, 1, 1";

} // namespace

class PadPoolTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void merges_data()
    {
        QTest::addColumn<QString>("pads");
        QTest::addColumn<QString>("body");
        const QString both = "0, 0, 1, 1, 0, 0, 1, 1";
        QTest::newRow("MaxPool, −∞")
            << both << "z = Pad (x, p, never) [pool] y = MaxPool <kernel_shape = [3, 3]> (z)";
        QTest::newRow("MaxPool behind Relu")
            << both << "r = Relu (x) z = Pad (r, p) [pool] y = MaxPool <kernel_shape = [2, 2], "
                       "strides = [2, 2]> (z)";
        QTest::newRow("MaxPool behind Tanh, lowest")
            << both << "t = Tanh (x) z = Pad (t, p, low) [pool] y = MaxPool <kernel_shape = "
                       "[3, 3]> (z)";
        QTest::newRow("MaxPool behind Tanh, −1")
            << both << "t = Tanh (x) z = Pad (t, p, below) [pool] y = MaxPool <kernel_shape = "
                       "[3, 3]> (z)";
        QTest::newRow("MaxPool behind Abs")
            << both << "a = Abs (x) z = Pad (a, p) [pool] y = MaxPool <kernel_shape = [3, 3]> (z)";
        QTest::newRow("MaxPool behind Clip")
            << both << "r = Clip (x, zero, one) z = Pad (r, p) [pool] y = MaxPool <kernel_shape = "
                       "[3, 3], pads = [1, 1, 1, 1]> (z)";
        QTest::newRow("AveragePool")
            << both << "z = Pad (x, p) [pool] y = AveragePool <kernel_shape = [3, 3]> (z)";
        QTest::newRow("AveragePool, one side")
            << "0, 0, 1, 1, 0, 0, 0, 0"
            << "z = Pad (x, p) [pool] y = AveragePool <kernel_shape = [3, 3], strides = [3, 3]> (z)";
        QTest::newRow("AveragePool, pads that count")
            << both << "z = Pad (x, p) [pool] y = AveragePool <kernel_shape = [3, 3], pads = [1, 0, "
                       "1, 0], count_include_pad = 1> (z)";
        QTest::newRow("LpPool")
            << both << "z = Pad (x, p) [pool] y = LpPool <kernel_shape = [2, 2], p = 2> (z)";
    }
    void merges()
    {
        QFETCH(QString, pads);
        QFETCH(QString, body);
        Graph graph = graphOf(model(pads.toStdString(), body.toStdString()));
        QCOMPARE(rewriteProblem(graph, rule, "pool"), std::string());
        QVERIFY(operatorsOf(graph).find("Pad") == std::string::npos);
        const Node* pool = graph.node(nodeNamed(graph, "pool"));
        QCOMPARE(pool->attributes.getInt("count_include_pad", 0),
                 std::int64_t{pool->is("AveragePool") ? 1 : 0});
    }

    // Zeros are real cells for a MaxPool of negative data.
    void refusesZerosBeforeMaxPool()
    {
        QCOMPARE(refusalOf(graphOf(model(even, "t = Tanh (x) [pad] z = Pad (t, p) "
                                               "[pool] y = MaxPool <kernel_shape = [3, 3]> (z)")),
                           rule, "pool"),
                 std::string("padding-value [pad] MaxPool ignores what it pads | `pool` ignores "
                             "padded cells, `pad` adds real ones; negative data would give another "
                             "result. | Pad with −∞ or the lowest integer, or after a Relu with 0."));
        // The lowest number is a real cell where the data is −∞.
        QCOMPARE(codesOf(graphOf(model(even, "z = Pad (x, p, low) "
                                             "[pool] y = MaxPool <kernel_shape = [3, 3]> (z)")),
                         rule, "pool"),
                 std::string("padding-value"));
    }

    // Abs of the lowest integer is that integer itself.
    void integers()
    {
        const auto of = [](std::string_view body) {
            return graphOf(fmt::format(R"(<ir_version: 8, opset_import: ["" : 17]>
                g (int8[1, 1, 4, 4] x) => (int8[1, 1, A, B] y)
                <int64[8] p = {{0, 0, 1, 1, 0, 0, 1, 1}}, int8 low = {{-128}}>
                {{ {} y = MaxPool <kernel_shape = [2, 2]> (z) }})",
                                       body));
        };
        QCOMPARE(codesOf(of("a = Abs (x) z = Pad (a, p)"), rule, "y"),
                 std::string("padding-value"));
        for (const char* body : {"r = Relu (x) z = Pad (r, p)", "a = Abs (x) z = Pad (a, p, low)"}) {
            Graph graph = of(body);
            QCOMPARE(rewriteProblem(graph, rule, "y"), std::string());
        }
    }

    void refusesOtherValues()
    {
        QCOMPARE(codesOf(graphOf(model(even, "z = Pad (x, p, half) [pool] y = AveragePool "
                                             "<kernel_shape = [3, 3]> (z)")),
                         rule, "pool"),
                 std::string("padding-value"));
        QCOMPARE(codesOf(graphOf(model(even, "z = Pad (x, p, half) [pool] y = LpPool "
                                             "<kernel_shape = [3, 3]> (z)")),
                         rule, "pool"),
                 std::string("padding-value"));
    }

    // The last window may start in the padding and is then dropped: another shape.
    void refusesCeilMode()
    {
        for (const char* op : {"AveragePool", "LpPool"}) {
            QCOMPARE(refusalOf(graphOf(model("0, 0, 0, 0, 0, 0, 2, 2",
                                             fmt::format("z = Pad (x, p) [pool] y = {} "
                                                         "<kernel_shape = [3, 3], strides = [2, 2], "
                                                         "ceil_mode = 1> (z)",
                                                         op),
                                             18)),
                               rule, "pool"),
                     std::string("unsupported-attribute [pool] An attribute does not fit | `pool` "
                                 "has ceil_mode=1; this fusion needs 0. | Export with ceil_mode=0."));
        }
    }

    void refusesWidePadsUncountedPadsAndIndices()
    {
        QCOMPARE(codesOf(graphOf(model("0, 0, 0, 0, 0, 0, 2, 2",
                                       "z = Pad (x, p) [pool] y = AveragePool <kernel_shape = [2, "
                                       "2], strides = [3, 3]> (z)")),
                         rule, "pool"),
                 std::string("unsupported-attribute"));
        QCOMPARE(refusalOf(graphOf(model(even, "z = Pad (x, p) [pool] y = AveragePool <kernel_shape "
                                               "= [3, 3], pads = [1, 1, 1, 1]> (z)")),
                           rule, "pool"),
                 std::string("unsupported-attribute [pool] An attribute does not fit | `pool` has "
                             "count_include_pad=0; this fusion needs 1. | Export with "
                             "count_include_pad=1."));
        QCOMPARE(codesOf(graphOf(model(even,
                                       "r = Relu (x) z = Pad (r, p) [pool] y, i = MaxPool "
                                       "<kernel_shape = [3, 3]> (z)",
                                       17, "float[1, 2, A, B] y, int64[1, 2, C, D] i")),
                         rule, "pool"),
                 std::string("optional-output-used"));
        QCOMPARE(codesOf(graphOf(model(even, "r = Relu (x) z = Pad (r, p) [pool] y = MaxPool "
                                             "<kernel_shape = [2, 2], dilations = [2, 2]> (z)")),
                         rule, "pool"),
                 std::string("unsupported-attribute"));
    }

    void refusesOldForms()
    {
        QCOMPARE(codesOf(graphOf(R"(<ir_version: 8, opset_import: ["" : 6]>
            g (float[1, 2, 5, 5] x) => (float[1, 2, A, B] y)
            { z = Pad <pads = [0, 0, 1, 1, 0, 0, 1, 1]> (x)
              y = AveragePool <kernel_shape = [3, 3]> (z) })"),
                         rule, "y"),
                 std::string("operator-version"));
    }

    // Where the bounds of a Clip cross, the upper one wins: everything is −1, and 0 is not the lowest.
    void refusesBehindAClipWhoseBoundsCross()
    {
        const char* body = "r = Clip (x, zero, below) z = Pad (r, p) "
                           "[pool] y = MaxPool <kernel_shape = [3, 3]> (z)";
        QCOMPARE(codesOf(graphOf(model(even, body)), rule, "pool"), std::string("padding-value"));
        const char* old = "r = Clip <min = 0.0, max = -1.0> (x) z = Pad <pads = [0, 0, 1, 1, 0, 0, 1, "
                          "1]> (r) [pool] y = MaxPool <kernel_shape = [3, 3]> (z)";
        QCOMPARE(codesOf(graphOf(model(even, old, 10)), rule, "pool"),
                 std::string("padding-value"));
    }

    // What a lower bound of Clip is worth behind an operator before the Pad.
    void boundsBehindOperators_data()
    {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* body, const char* expected) {
            QTest::newRow(name) << QString::fromUtf8(body) << expected;
        };
        row("zeros counted by an average",
            "a = AveragePool <kernel_shape = [3, 3], pads = [1, 1, 1, 1], count_include_pad = 1> (c) "
            "z = Pad (a, p, one)",
            "padding-value");
        row("an average is rounded",
            "a = AveragePool <kernel_shape = [3, 3]> (c) z = Pad (a, p, one)", "padding-value");
        row("an average of what is never negative",
            "a = AveragePool <kernel_shape = [3, 3], pads = [1, 1, 1, 1], count_include_pad = 1> (c) "
            "z = Pad (a, p, zero)",
            "match");
        row("an average of what may be negative",
            "t = Tanh (x) a = GlobalAveragePool (t) z = Pad (a, p, zero)", "padding-value");
        row("the greatest of windows",
            "a = MaxPool <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (c) z = Pad (a, p, one)",
            "match");
        row("windows that may see padding alone",
            "a = MaxPool <kernel_shape = [2, 2], dilations = [3, 3], pads = [1, 1, 1, 1]> (c) "
            "z = Pad (a, p, one)",
            "padding-value");
        row("windows behind the end",
            "a = MaxPool <kernel_shape = [1, 1], strides = [3, 3], ceil_mode = 1> (c) "
            "z = Pad (a, p, one)",
            "padding-value");
        row("places are no elements",
            "v, i = MaxPool <kernel_shape = [2, 2]> (c) a = Cast <to = 1> (i) z = Pad (a, p, one)",
            "padding-value");
        row("Dropout in training",
            "t = Tanh (x) a = Dropout (t, half, train) z = Pad (a, p, below)", "padding-value");
        row("the same joined often", "a = Concat <axis = 1> (c, c, c) z = Pad (a, p, one)", "match");
        row("one of those joined is unknown",
            "a = Concat <axis = 1> (c, x, c) z = Pad (a, p, one)", "padding-value");
        row("a Clip without a lower bound",
            "a = Clip (x, \"\", one) z = Pad (a, p, lowest)", "match");
        row("a bound that is no number",
            "a = Clip (x, nan, one) z = Pad (a, p, lowest)", "padding-value");
    }
    void boundsBehindOperators()
    {
        QFETCH(QString, body);
        QFETCH(QString, expected);
        std::string text = model(even,
                                 "c = Clip (x, one, six) " + body.toStdString() +
                                     " [pool] y = MaxPool <kernel_shape = [2, 2]> (z)",
                                 17, "float[] y");
        text.insert(text.find("float half"), "bool train = {1}, float six = {6}, float nan = {nan}, "
                                             "float lowest = {-3.4028234663852886e38}, ");
        QCOMPARE(codesOf(graphOf(text), rule, "pool"), expected.toStdString());
    }

    // Each Concat reads the one before many times: the paths to x are 8^20.
    void concatsOfOneValueAreReadOnce()
    {
        std::string body = "a0 = Relu (x) ";
        for (int i = 0; i < 20; ++i) {
            const std::string from = "a" + std::to_string(i);
            body += fmt::format("a{} = Concat <axis = 1> ({}", i + 1, from);
            for (int k = 1; k < 8; ++k)
                body += ", " + from;
            body += ") ";
        }
        body += "z = Pad (a20, p) [pool] y = MaxPool <kernel_shape = [2, 2]> (z)";
        QCOMPARE(codesOf(graphOf(model(even, body, 17, "float[] y")), rule, "pool"),
                 std::string("match"));
    }
};

FUSESCOPE_TEST(PadPoolTest, pad_pool_test)
#include "pad_pool_test.moc"
