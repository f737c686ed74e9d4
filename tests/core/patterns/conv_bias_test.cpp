#include "support/rewrite_check.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

namespace {

constexpr std::string_view rule = "conv-bias";

std::string model(std::string_view constant, std::string_view body, int opset = 17,
                  std::string_view input = "float[N, 2, 5, 5] x",
                  std::string_view output = "float[N, 3, A, B] y")
{
    return fmt::format(R"(<ir_version: 8, opset_import: ["" : {}, "com.acme" : 1]> g ({}) => ({})
        <float[3, 2, 3, 3] W = random(1), float[3] B = random(2), {}> {{ {} }})",
                       opset, input, output, constant, body);
}

} // namespace

class ConvBiasTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void folds_data()
    {
        QTest::addColumn<QString>("constant");
        QTest::addColumn<QString>("body");
        const QString channel = "float[3, 1, 1] k = {1, -2, 3}";
        QTest::newRow("bias") << channel << "c = Conv (x, W, B) y = Add (c, k)";
        QTest::newRow("no bias") << channel << "c = Conv (x, W) y = Add (c, k)";
        QTest::newRow("constant first") << channel << "c = Conv (x, W, B) y = Add (k, c)";
        QTest::newRow("full rank") << "float[1, 3, 1, 1] k = {1, -2, 3}"
                                   << "c = Conv (x, W, B) y = Add (c, k)";
        QTest::newRow("scalar") << "float k = {0.5}" << "c = Conv (x, W, B) y = Add (c, k)";
        QTest::newRow("one element") << "float[1] k = {0.5}" << "c = Conv (x, W) y = Add (c, k)";
        QTest::newRow("Sub") << channel << "c = Conv (x, W, B) y = Sub (c, k)";
        QTest::newRow("Sub from") << channel << "c = Conv (x, W, B) y = Sub (k, c)";
        QTest::newRow("Sub from, no bias") << channel << "c = Conv (x, W) y = Sub (k, c)";
        QTest::newRow("groups") << "float[3, 1, 1] k = {1, -2, 3}, float[3, 1, 3, 3] G = random(5)"
                                << "s = Slice (x, i0, i1, i1) t = Concat <axis = 1> (x, s) "
                                   "c = Conv <group = 3> (t, G, B) y = Add (c, k)";
    }
    void folds()
    {
        QFETCH(QString, constant);
        QFETCH(QString, body);
        Graph graph = graphOf(model(
            constant.toStdString() + ", int64[1] i0 = {0}, int64[1] i1 = {1}", body.toStdString()));
        QCOMPARE(rewriteProblem(graph, rule, "y"), std::string());
        QVERIFY(operatorsOf(graph).ends_with("Conv"));
    }

    void foldsConvTranspose()
    {
        Graph graph = graphOf(R"(g (float[1, 4, 3, 3] x) => (float[1, 6, A, B] y)
            <float[4, 3, 2, 2] W = random(1), float[6, 1, 1] k = {1, 2, 3, 4, 5, 6}>
            { c = ConvTranspose <group = 2, strides = [2, 2]> (x, W)
              y = Sub (k, c) })");
        QCOMPARE(rewriteProblem(graph, rule, "y"), std::string());
        QCOMPARE(operatorsOf(graph), std::string("ConvTranspose"));
    }

    // Another Conv keeps W; only a weight that changes is copied, counted and told of.
    void aSharedWeightIsCopiedOnlyIfItChanges()
    {
        const auto shared = [](std::string_view add) {
            return graphOf(fmt::format(R"(<ir_version: 8, opset_import: ["" : 17]>
                g (float[1, 2, 5, 5] x, float[1, 2, 5, 5] x2)
                => (float[1, 3, A, B] y, float[1, 3, C, D] z)
                <float[3, 2, 3, 3] W = random(1), float[3, 1, 1] k = {{1, -2, 3}}>
                {{ c = Conv (x, W) y = {} z = Conv (x2, W) }})",
                                       add));
        };
        Policy none;
        none.maxGrowth = 0;
        Graph plain = shared("Add (c, k)");
        const auto match = std::get<Match>(matchAt(plain, rule, "y", none));
        QVERIFY(match.remarks.empty());
        QCOMPARE(rewriteProblem(plain, rule, "y", {.policy = none}), std::string());
        QCOMPARE(codesOf(shared("Sub (k, c)"), rule, "y", none), std::string("growth-limit"));
        Graph turned = shared("Sub (k, c)");
        QCOMPARE(std::get<Match>(matchAt(turned, rule, "y")).remarks.size(), std::size_t{1});
        QCOMPARE(rewriteProblem(turned, rule, "y"), std::string());
    }

    // Groups that come to more channels than can be counted are none.
    void refusesHugeGroups()
    {
        for (const char* op : {"Conv", "ConvTranspose"}) {
            const Graph graph = graphOf(fmt::format(R"(<ir_version: 8, opset_import: ["" : 17]>
                g (float[1, 4, 8, 8] x) => (float[?] y)
                <float[4, 4, 3, 3] W = random(1), float k = {{1}}>
                {{ c = {} <group = 4611686018427387904> (x, W) y = Add (c, k) }})",
                                                    op));
            QCOMPARE(codesOf(graph, rule, "y"), std::string("no candidate"));
        }
    }

    void foldsOldBroadcast()
    {
        const std::string good = "c = Conv (x, W, B) "
                                 "[add] y = Add <broadcast = 1, axis = 1> (c, k)";
        Graph graph = graphOf(model("float[3] k = {1, 2, 3}", good, 6));
        QCOMPARE(rewriteProblem(graph, rule, "add", {.policy = {}, .run = false}), std::string());
        const Graph bad = graphOf(model("float[3] k = {1, 2, 3}",
                                        "c = Conv (x, W, B) [add] y = Add <broadcast = 1> (c, k)",
                                        6));
        QCOMPARE(codesOf(bad, rule, "add"), std::string("operator-version"));
    }

    // [C] is applied along the width, whatever C and W are.
    void refusesRowVectors()
    {
        const Graph graph =
            graphOf(model("float[3] k = {1, 2, 3}", "c = Conv (x, W, B) [add] y = Add (c, k)"));
        QCOMPARE(refusalOf(graph, rule, "add"),
                 std::string("not-per-channel [k] Constant does not act per channel | `k` has shape "
                             "[3], which acts along axis 3, not along the channels alone. | Reshape "
                             "it to [1, 3, 1, 1] if that is meant."));
    }

    void refusesFullConstants()
    {
        const Graph graph = graphOf(R"(g (float[1, 4, 4, 4] x) => (float[1, 8, 4, 4] y)
            <float[8, 2, 1, 1] W = random(1), float[1, 8, 4, 4] k = random(2)>
            { c = Conv <group = 2> (x, W)
              y = Add (c, k) })");
        QCOMPARE(codesOf(graph, rule, "y"), std::string("not-per-channel"));
    }

    void refusesWhatEnlarges()
    {
        const Graph one = graphOf(R"(g (float[1, 2, 4, 4] x) => (float[1, 3, 4, 4] y)
            <float[1, 2, 1, 1] W = random(1), float[3, 1, 1] k = {1, 2, 3}>
            { c = Conv (x, W)
              y = Add (c, k) })");
        QCOMPARE(codesOf(one, rule, "y"), std::string("broadcast-enlarges"));
        const Graph rank = graphOf(model("float[1, 1, 3, 1, 1] k = {1, 2, 3}",
                                         "c = Conv (x, W, B) y = Add (c, k)", 17,
                                         "float[N, 2, 5, 5] x", "float[1, N, 3, A, B] y"));
        QCOMPARE(codesOf(rank, rule, "y"), std::string("broadcast-enlarges"));
    }

    // [1, C, 1, 1, 1] fits a 3-D convolution; [1, 1, C, 1, 1] acts along the depth.
    void readsShapesByRank()
    {
        const auto at = [](std::string_view shape) {
            return graphOf(fmt::format(R"(g (float[1, 2, 3, 2, 2] x) => (float[1, 3, 3, 2, 2] y)
                <float[3, 2, 1, 1, 1] W = random(1), float[{}] k = {{1, 2, 3}}>
                {{ c = Conv (x, W)
                   y = Add (c, k) }})",
                                       shape));
        };
        Graph good = at("1, 3, 1, 1, 1");
        QCOMPARE(rewriteProblem(good, rule, "y"), std::string());
        QCOMPARE(codesOf(at("1, 1, 3, 1, 1"), rule, "y"), std::string("not-per-channel"));
    }

    void leavesResidualsAlone()
    {
        const std::string inputs = "float[N, 2, 5, 5] x, float[N, 3, 3, 3] z";
        QCOMPARE(codesOf(graphOf(model("float k = {1}", "c = Conv (x, W, B) y = Add (c, z)", 17,
                                       inputs)),
                         rule, "y"),
                 std::string("no candidate"));
        QCOMPARE(codesOf(graphOf(model("float k = {1}", "c = Conv (x, W, B) y = Add (c, c)")), rule,
                         "y"),
                 std::string("no candidate"));
    }

    void refusesReadersBetweenAndDomains()
    {
        const std::string outputs = "float[N, 3, A, B] y, float[N, 3, C, D] z";
        QCOMPARE(codesOf(graphOf(model("float k = {1}",
                                       "c = Conv (x, W, B) y = Add (c, k) z = Relu (c)", 17,
                                       "float[N, 2, 5, 5] x", outputs)),
                         rule, "y"),
                 std::string("multi-consumer"));
        QCOMPARE(codesOf(graphOf(model("float k = {1}, int64[4] s = {0, 3, 3, -1}",
                                       "c = Conv (x, W, B) r = Reshape (c, s) y = Add (r, k)")),
                         rule, "y"),
                 std::string("shape-operator-between"));
        QCOMPARE(codesOf(graphOf(model("float k = {1}",
                                       "c = Conv (x, W, B) y = com.acme.Add (c, k)")),
                         rule, "y"),
                 std::string("custom-domain"));
        QCOMPARE(codesOf(graphOf(model("float k = {1}", "c = Conv (x, W, B) r = Relu (c) "
                                                        "y = Add (r, k)")),
                         rule, "y"),
                 std::string("activation-between"));
    }

    void refusesOverridableOperands()
    {
        const Graph graph = graphOf(model("float[3, 1, 1] k = {1, 2, 3}",
                                          "c = Conv (x, W, B) y = Add (c, k)", 17,
                                          "float[N, 2, 5, 5] x, float[3, 1, 1] k"));
        QCOMPARE(refusalOf(graph, rule, "y"),
                 std::string("overridable-initializer [k] Initializer is also a model input | `k` is "
                             "an initializer and also a model input, so a caller may replace it. | "
                             "Freeze the initializer. | freeze-initializers"));
    }
};

FUSESCOPE_TEST(ConvBiasTest, conv_bias_test)
#include "conv_bias_test.moc"
