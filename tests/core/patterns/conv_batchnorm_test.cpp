#include "patterns/constants.h"
#include "support/rewrite_check.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

namespace {

constexpr std::string_view rule = "conv-batchnorm";

struct Parts
{
    std::string header = R"(<ir_version: 8, opset_import: ["" : 17]>)";
    std::string inputs = "float[N, 2, 5, 6] x";
    std::string outputs = "float[N, 3, A, B] y";
    std::string type = "float";
    std::string weight = "[3, 2, 3, 3]";
    std::string channels = "3";
    std::string extra; // more initializers
    std::string body = R"(
        [conv] c = Conv (x, W, B)
        [bn] y = BatchNormalization <epsilon = 1e-3> (c, scale, shift, mean, var))";
};

std::string model(const Parts& p)
{
    return fmt::format(R"({} g ({}) => ({})
        <{} {} W = random(1), {} [{}] B = random(2), {} [{}] scale = random(3, 0.5, 2),
         {} [{}] shift = random(4), {} [{}] mean = random(5), {} [{}] var = random(6, 0.3, 3){}>
        {{ {} }})",
                       p.header, p.inputs, p.outputs, p.type, p.weight, p.type, p.channels, p.type,
                       p.channels, p.type, p.channels, p.type, p.channels, p.type, p.channels,
                       p.extra, p.body);
}

} // namespace

class ConvBatchnormTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void foldsWithBias()
    {
        Graph graph = graphOf(model({}));
        QCOMPARE(rewriteProblem(graph, rule, "bn"), std::string());
        QCOMPARE(operatorsOf(graph), std::string("Conv"));
        // The Conv keeps its id and makes the value that people know.
        const Node* conv = graph.node(nodeNamed(graph, "conv"));
        QCOMPARE(graph.value(conv->output(0))->name, std::string("y"));
        QCOMPARE(graph.value(conv->input(1))->name, std::string("W_folded"));
        QCOMPARE(graph.value(conv->input(2))->name, std::string("B_folded"));
        QCOMPARE(graph.body(graph.mainBody())->initializers.size(), std::size_t{2});
    }

    // B' = (B − μ)·s + β, to the last bit of a float (a bias that was not scaled was a real defect).
    void scalesTheBias()
    {
        Graph graph = graphOf(R"(g (float[1, 1, 1, 1] x) => (float[1, 2, 1, 1] y)
            <float[2, 1, 1, 1] W = {1, 2}, float[2] B = {5, -5}, float[2] s = {2, 3},
             float[2] b = {1, 2}, float[2] m = {1, -1}, float[2] v = {1, 4}>
            { c = Conv (x, W, B)
              y = BatchNormalization <epsilon = 0.0> (c, s, b, m, v) })");
        QCOMPARE(rewriteProblem(graph, rule, "y"), std::string());
        const Node* conv = graph.node(nodeNamed(graph, "y"));
        const GraphView view(graph);
        const DoubleTensor bias = constantAsDouble(view, conv->input(2));
        QCOMPARE(bias.at(0), (5.0 - 1.0) * 2.0 + 1.0);
        QCOMPARE(bias.at(1), (-5.0 + 1.0) * 1.5 + 2.0);
        const DoubleTensor weight = constantAsDouble(view, conv->input(1));
        QCOMPARE(weight.at(1), 3.0);
    }

    void foldsWithoutBias()
    {
        Parts p;
        p.body = R"([conv] c = Conv <pads = [1, 1, 1, 1], strides = [2, 2]> (x, W)
                    [bn] y = BatchNormalization (c, scale, shift, mean, var))";
        Graph graph = graphOf(model(p));
        QCOMPARE(rewriteProblem(graph, rule, "bn"), std::string());
        const Node* conv = graph.node(nodeNamed(graph, "conv"));
        QCOMPARE(graph.value(conv->input(2))->name, std::string("W_bias"));
    }

    void foldsGroupsAndOtherRanks_data()
    {
        QTest::addColumn<QString>("input");
        QTest::addColumn<QString>("output");
        QTest::addColumn<QString>("weight");
        QTest::addColumn<int>("channels");
        QTest::addColumn<QString>("attributes");
        QTest::newRow("groups") << "float[2, 4, 5, 5] x" << "float[2, 6, A, B] y" << "[6, 2, 3, 3]"
                                << 6 << "<group = 2>";
        QTest::newRow("depthwise") << "float[1, 4, 5, 5] x" << "float[1, 4, A, B] y"
                                   << "[4, 1, 3, 3]" << 4 << "<group = 4, pads = [1, 1, 1, 1]>";
        QTest::newRow("1-D") << "float[N, 2, 9] x" << "float[N, 3, A] y" << "[3, 2, 3]" << 3
                             << "<dilations = [2]>";
        QTest::newRow("3-D") << "float[1, 2, 4, 4, 4] x" << "float[1, 3, A, B, C] y"
                             << "[3, 2, 2, 2, 2]" << 3 << "<auto_pad = \"SAME_UPPER\">";
    }
    void foldsGroupsAndOtherRanks()
    {
        QFETCH(QString, input);
        QFETCH(QString, output);
        QFETCH(QString, weight);
        QFETCH(int, channels);
        QFETCH(QString, attributes);
        Parts p;
        p.inputs = input.toStdString();
        p.outputs = output.toStdString();
        p.weight = weight.toStdString();
        p.channels = std::to_string(channels);
        p.body = fmt::format(R"(c = Conv {} (x, W, B)
                                y = BatchNormalization (c, scale, shift, mean, var))",
                             attributes.toStdString());
        Graph graph = graphOf(model(p));
        QCOMPARE(rewriteProblem(graph, rule, "y"), std::string());
        QCOMPARE(operatorsOf(graph), std::string("Conv"));
    }

    void foldsEachVersion_data()
    {
        QTest::addColumn<int>("opset");
        QTest::addColumn<QString>("attributes");
        QTest::newRow("1") << 5 << "<is_test = 1>";
        QTest::newRow("6") << 6 << "<is_test = 1>";
        QTest::newRow("7") << 7 << "<spatial = 1>";
        QTest::newRow("9") << 9 << "<momentum = 0.5>";
        QTest::newRow("14") << 14 << "<training_mode = 0>";
        QTest::newRow("15") << 15 << "";
        QTest::newRow("Conv 22") << 22 << "";
    }
    void foldsEachVersion()
    {
        QFETCH(int, opset);
        QFETCH(QString, attributes);
        Parts p;
        p.header = fmt::format(R"(<ir_version: 8, opset_import: ["" : {}]>)", opset);
        p.body = fmt::format(R"(c = Conv (x, W, B)
                                y = BatchNormalization {} (c, scale, shift, mean, var))",
                             attributes.toStdString());
        Graph graph = graphOf(model(p));
        // Version 1 has no reference kernel worth its name; the others run.
        RewriteCheck how;
        how.run = opset >= 7;
        QCOMPARE(rewriteProblem(graph, rule, "y", how), std::string());
    }

    void roundsOnceInHalfPrecision()
    {
        Parts p;
        p.type = "float16";
        p.inputs = "float16[1, 2, 5, 6] x";
        p.outputs = "float16[1, 3, A, B] y";
        Graph graph = graphOf(model(p));
        RewriteCheck how;
        how.rtol = 4e-3; // half has 11 bits; both sides round at other places
        QCOMPARE(rewriteProblem(graph, rule, "bn", how), std::string());
        const Node* conv = graph.node(nodeNamed(graph, "conv"));
        QCOMPARE(graph.constant(conv->input(1))->dtype(), DType::float16);
    }

    // Half-precision data with float statistics.
    void foldsMixedTypes()
    {
        Graph graph = graphOf(R"(g (float16[1, 2, 5, 5] x) => (float16[1, 3, 3, 3] y)
            <float16[3, 2, 3, 3] W = random(1), float[3] s = random(2, 0.5, 2), float[3] b = random(3),
             float[3] m = random(4), float[3] v = random(5, 0.5, 2)>
            { c = Conv (x, W)
              y = BatchNormalization (c, s, b, m, v) })");
        RewriteCheck how;
        how.rtol = 4e-3;
        QCOMPARE(rewriteProblem(graph, rule, "y", how), std::string());
        const Node* conv = graph.node(nodeNamed(graph, "y"));
        QCOMPARE(graph.constant(conv->input(2))->dtype(), DType::float16);
    }

    void sharedWeightsGetACopy()
    {
        Parts p;
        p.outputs = "float[N, 3, A, B] y, float[N, 3, C, D] z";
        p.body = R"([conv] c = Conv (x, W, B)
                    [bn] y = BatchNormalization (c, scale, shift, mean, var)
                    [other] z = Conv <pads = [1, 1, 1, 1]> (x, W, B))";
        Graph graph = graphOf(model(p));
        const MatchResult result = matchAt(graph, rule, "bn");
        QVERIFY(std::holds_alternative<Match>(result));
        QCOMPARE(std::get<Match>(result).remarks.size(), std::size_t{2});
        QCOMPARE(std::get<Match>(result).remarks[0].code, ReasonCode::sharedWeight);
        QCOMPARE(rewriteProblem(graph, rule, "bn"), std::string());
        const Node* other = graph.node(nodeNamed(graph, "other"));
        QCOMPARE(graph.value(other->input(1))->name, std::string("W"));

        Policy tight;
        tight.maxGrowth = 100;
        QCOMPARE(codesOf(graphOf(model(p)), rule, "bn", tight), std::string("growth-limit"));
    }

    // Two batch normalizations share their parameters.
    void sharedParametersStay()
    {
        Parts p;
        p.outputs = "float[N, 3, A, B] y, float[N, 3, C, D] z";
        p.body = R"(c = Conv (x, W, B)
                    y = BatchNormalization (c, scale, shift, mean, var)
                    d = Conv (x, W)
                    z = BatchNormalization (d, scale, shift, mean, var))";
        Graph graph = graphOf(model(p));
        QCOMPARE(rewriteProblem(graph, rule, "y"), std::string());
        QCOMPARE(rewriteProblem(graph, rule, "z"), std::string());
        QCOMPARE(operatorsOf(graph), std::string("Conv Conv"));
    }

    void foldsConstantNodesAndInnerGraphs()
    {
        Graph graph = graphOf(R"(g (bool cond, float[1, 1, 4, 4] x) => (float[1, 2, A, B] y)
            <float[2, 1, 3, 3] W = random(1), float[2] s = random(2, 0.5, 2), float[2] m = random(3)>
            { v = Constant <value = float[2] {0.5, 2}> ()
              y = If (cond) <then_branch = t () => (float[1, 2, A, B] p) {
                    c = Conv (x, W)
                    p = BatchNormalization (c, s, m, m, v) },
                  else_branch = e () => (float[1, 2, A, B] q) { q = Conv (x, W) }> })");
        QCOMPARE(rewriteProblem(graph, rule, "p", {.policy = {}, .run = false}), std::string());
        const Node* conv = graph.node(nodeNamed(graph, "p"));
        QVERIFY(conv->is("Conv"));
        QVERIFY(graph.value(conv->input(1))->body != graph.mainBody());
    }
};

FUSESCOPE_TEST(ConvBatchnormTest, conv_batchnorm_test)
#include "conv_batchnorm_test.moc"
