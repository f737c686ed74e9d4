#include "support/rewrite_check.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

namespace {

constexpr std::string_view rule = "merge-parallel-conv";

std::string model(std::string_view body, std::string_view outputs = "float[N, 5, A, B] y",
                  std::string_view inputs = "float[N, 2, 5, 5] x")
{
    return fmt::format(R"(g ({}) => ({})
        <float[3, 2, 3, 3] V = random(1), float[2, 2, 3, 3] W = random(2), float[3] b = random(3),
         float[2, 1, 3, 3] G = random(4), float[2, 2, 1, 1] S = random(5)>
        {{ {} }})",
                       inputs, outputs, body);
}

} // namespace

class MergeParallelConvTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void merges_data()
    {
        QTest::addColumn<QString>("body");
        QTest::newRow("one bias") << "p = Conv (x, V, b) q = Conv (x, W) "
                                     "[cat] y = Concat <axis = 1> (p, q)";
        QTest::newRow("no bias, negative axis, VALID")
            << "p = Conv <auto_pad = \"VALID\"> (x, V) q = Conv <pads = [0, 0, 0, 0]> (x, W) "
               "[cat] y = Concat <axis = -3> (p, q)";
        QTest::newRow("strides") << "p = Conv <strides = [2, 2], pads = [1, 1, 1, 1]> (x, V) "
                                    "q = Conv <pads = [1, 1, 1, 1], strides = [2, 2]> (x, W) "
                                    "[cat] y = Concat <axis = 1> (p, q)";
    }
    void merges()
    {
        QFETCH(QString, body);
        Graph graph = graphOf(model(body.toStdString()));
        QCOMPARE(rewriteProblem(graph, rule, "cat"), std::string());
        QCOMPARE(operatorsOf(graph), std::string("Conv"));
        const Node* conv = graph.node(nodeNamed(graph, "y"));
        QCOMPARE(conv->origins.size(), std::size_t{3});
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("expected");
        const QString tail = " [cat] y = Concat <axis = 1> (p, q)";
        QTest::newRow("kernels") << "p = Conv (x, V) q = Conv (x, S)" + tail
                                 << "unsupported-attribute [q] An attribute does not fit | `Conv #2` has "
                                    "kernel_shape=[2, 2, 1, 1]; this fusion needs [3, 2, 3, 3]. | "
                                    "Export with kernel_shape=[3, 2, 3, 3].";
        QTest::newRow("pads") << "p = Conv (x, V) q = Conv <pads = [1, 1, 1, 1]> (x, W)" + tail
                              << "unsupported-attribute [q] An attribute does not fit | `Conv #2` has "
                                 "pads=[1, 1, 1, 1]; this fusion needs [0, 0, 0, 0]. | Export with "
                                 "pads=[0, 0, 0, 0].";
        QTest::newRow("axis") << "p = Conv (x, W) q = Conv (x, W) [cat] y = Concat <axis = 2> (p, q)"
                              << "axis-mismatch [cat] Works along another axis | `cat` works along "
                                 "axis 2; this fusion needs axis 1. | Export with axis 1.";
        QTest::newRow("groups") << "p = Conv <group = 2> (x, G) q = Conv <group = 2> (x, G)" + tail
                                << "unsupported-attribute [p] An attribute does not fit | `Conv #1` has "
                                   "group=2; this fusion needs 1. | Export with group=1.";
        QTest::newRow("twice") << "p = Conv (x, V) [cat] y = Concat <axis = 1> (p, p)"
                               << "no candidate";
        QTest::newRow("other data") << "n = Neg (x) p = Conv (x, V) q = Conv (n, W)" + tail
                                    << "no candidate";
    }
    void refuses()
    {
        QFETCH(QString, body);
        QFETCH(QString, expected);
        const std::string refusal = refusalOf(graphOf(model(body.toStdString(), "float[] y")), rule,
                                              "cat");
        QCOMPARE(refusal.substr(0, refusal.find('\n')), expected.toStdString());
    }

    // One copy of a weight for each part that had it: what they come to counts, not each alone.
    void growthIsThatOfAllParts()
    {
        const auto parts = [](std::string_view last) {
            return graphOf(model(fmt::format("a = Conv (x, W) b2 = Conv (x, W) c = Conv (x, W) {} "
                                             "[cat] y = Concat <axis = 1> (a, b2, c)",
                                             last),
                                 last.empty() ? "float[N, 6, A, B] y"
                                              : "float[N, 6, A, B] y, float[N, 2, C, D] z"));
        };
        const std::int64_t weight = 2 * 2 * 3 * 3 * 4;
        Policy policy;
        policy.maxGrowth = 2 * weight; // three copies for one that goes
        Graph own = parts("");
        QCOMPARE(std::get<Match>(matchAt(own, rule, "cat", policy)).remarks.size(), std::size_t{0});
        QCOMPARE(rewriteProblem(own, rule, "cat", {.policy = policy}), std::string());
        QCOMPARE(codesOf(parts("z = Conv (x, W)"), rule, "cat", policy),
                 std::string("growth-limit"));
        policy.maxGrowth = 2 * weight - 1;
        QCOMPARE(codesOf(parts(""), rule, "cat", policy), std::string("growth-limit"));
        policy.maxGrowth = 3 * weight;
        Graph shared = parts("z = Conv (x, W)");
        QCOMPARE(rewriteProblem(shared, rule, "cat", {.policy = policy}), std::string());
    }

    void refusesReaders()
    {
        QCOMPARE(codesOf(graphOf(model("p = Conv (x, V) q = Conv (x, W) z = Relu (p) "
                                       "[cat] y = Concat <axis = 1> (p, q)",
                                       "float[N, 5, A, B] y, float[N, 3, C, D] z")),
                         rule, "cat"),
                 std::string("multi-consumer"));
    }
};

FUSESCOPE_TEST(MergeParallelConvTest, merge_parallel_conv_test)
#include "merge_parallel_conv_test.moc"
