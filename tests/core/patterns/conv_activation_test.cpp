#include "support/rewrite_check.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

namespace {

constexpr std::string_view rule = "conv-activation";

std::string model(std::string_view body, int opset = 20,
                  std::string_view outputs = "float[N, 3, A, B] y",
                  std::string_view inputs = "float[N, 2, 5, 5] x")
{
    return fmt::format(R"(<ir_version: 8, opset_import: ["" : {}, "com.acme" : 1]> g ({}) => ({})
        <float[3, 2, 3, 3] W = random(1), float[3] b = random(2), float[3, 1, 1] slope = random(3),
         float[3, 3] bad = random(4), float zero = {{0}}, float half = {{0.5}}, float six = {{6}},
         float[2] two = {{0, 1}}, float nan = {{nan}}>
        {{ [conv] c = Conv (x, W, b) {} }})",
                       opset, inputs, outputs, body);
}

} // namespace

class ConvActivationTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fuses_data()
    {
        QTest::addColumn<QString>("activation");
        for (const char* op : {"Relu", "Sigmoid", "Tanh", "Softplus", "Softsign", "HardSwish",
                               "Mish", "Selu", "Gelu", "Elu", "Celu"})
            QTest::newRow(op) << QStringLiteral("y = %1 (c)").arg(op);
        QTest::newRow("LeakyRelu") << "y = LeakyRelu <alpha = 0.2> (c)";
        QTest::newRow("HardSigmoid") << "y = HardSigmoid <alpha = 0.3, beta = 0.4> (c)";
        QTest::newRow("ThresholdedRelu") << "y = ThresholdedRelu <alpha = 0.3> (c)";
        QTest::newRow("tanh Gelu") << "y = Gelu <approximate = \"tanh\"> (c)";
        QTest::newRow("Clip") << "y = Clip (c, zero, six)";
        QTest::newRow("Clip, no upper") << "y = Clip (c, zero)";
        QTest::newRow("Clip, no lower") << "y = Clip (c, \"\", half)";
        QTest::newRow("Clip, none") << "y = Clip (c)";
        QTest::newRow("Clip, crossed bounds give the upper") << "y = Clip (c, six, zero)";
        QTest::newRow("Max with 0") << "y = Max (c, zero)";
        QTest::newRow("Max, 0 first") << "y = Max (zero, c)";
        QTest::newRow("PRelu, one slope") << "y = PRelu (c, half)";
        QTest::newRow("PRelu per channel") << "y = PRelu (c, slope)";
    }
    void fuses()
    {
        QFETCH(QString, activation);
        Graph graph = graphOf(model(activation.toStdString()));
        QCOMPARE(rewriteProblem(graph, rule, "y"), std::string());
        QVERIFY(operatorsOf(graph).starts_with("region(Conv "));
        const Node* region = graph.node(graph.producer(graph.body(graph.mainBody())->outputs[0]));
        QCOMPARE(region->region->kind, std::string("conv-activation"));
        const NodeId last = region->region->nodeOf(Role::activation);
        QVERIFY(graph.node(last) && !graph.node(last)->is("Conv"));
        QCOMPARE(region->region->nodeOf(Role::main), nodeNamed(graph, "conv"));
    }

    void fusesConvTranspose()
    {
        Graph graph = graphOf(R"(g (float[1, 2, 3, 3] x) => (float[1, 3, A, B] y)
            <float[2, 3, 2, 2] W = random(1)>
            { c = ConvTranspose <strides = [2, 2]> (x, W)
              y = Relu (c) })");
        QCOMPARE(rewriteProblem(graph, rule, "y"), std::string());
        QCOMPARE(operatorsOf(graph), std::string("region(ConvTranspose Relu)"));
    }

    void fusesClipWithAttributes()
    {
        Graph graph = graphOf(model("y = Clip <min = 0.0, max = 6.0> (c)", 10));
        QCOMPARE(rewriteProblem(graph, rule, "y"), std::string());
    }

    // An activation that another rule has put into a region moves in with all its nodes.
    void swallowsActivationsWrittenOut()
    {
        Graph graph = graphOf(model("s = Sigmoid (c) [mul] y = Mul (c, s)"));
        IdPool pool(graph);
        const NodeId mul = nodeNamed(graph, "mul");
        PatchBuilder builder(graph, pool, "silu", mul);
        builder.makeRegion("silu", {nodeNamed(graph, "s"), mul}, {{mul, Role::main}});
        const auto patch = builder.finish();
        QVERIFY(patch && graph.apply(*patch));
        QCOMPARE(rewriteProblem(graph, rule, "y"), std::string());
        QCOMPARE(operatorsOf(graph), std::string("region(Conv Sigmoid Mul)"));
        const Node* region = graph.node(graph.producer(graph.body(graph.mainBody())->outputs[0]));
        QCOMPARE(region->region->nodeOf(Role::activation), mul);
        QCOMPARE(region->region->nodeOf(Role::main), nodeNamed(graph, "conv"));
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("expected");
        QTest::newRow("slope")
            << "[act] y = PRelu (c, bad)"
            << "unsupported-activation [act] Activation cannot be fused | `act` has parameters that "
               "are not the same at every place. | Give it constant parameters, one for all or one "
               "a channel.";
        QTest::newRow("bound is computed")
            << "m = ReduceMax <keepdims = 0> (x) [act] y = Clip (c, zero, m)"
            << "not-constant [m] Operand is computed at run time | `m` is computed at run time by "
               "`ReduceMax #2`. | Make it a constant, or let constant folding reach it.";
        QTest::newRow("NaN") << "[act] y = Clip (c, nan, six)"
                             << "inverted-bounds [act] A bound is NaN | `act` has NaN as a bound. | "
                                "Mend the bounds.";
        QTest::newRow("Reshape between")
            << "[flat] r = Flatten (c) [act] y = Relu (r)"
            << "shape-operator-between [flat] A shape operator stands between | `flat`, Flatten, "
               "stands between `conv` and `act`. | Export without the Flatten there, or move it "
               "behind `act`.";
        QTest::newRow("custom") << "[act] y = com.acme.Relu (c)"
                                << "custom-domain [act] Custom operator that shares the name | `act` "
                                   "is com.acme.Relu, a custom operator that only shares the name "
                                   "Relu. | Use the standard Relu where it means the same.";
        QTest::newRow("Max of two tensors") << "n = Neg (c) [act] y = Max (c, n)" << "no candidate";
        QTest::newRow("behind Relu") << "r = Relu (c) [act] y = Sigmoid (r)" << "no candidate";
    }
    void refuses()
    {
        QFETCH(QString, body);
        QFETCH(QString, expected);
        const Graph graph = graphOf(model(body.toStdString(), 17, "float[] y"));
        QCOMPARE(refusalOf(graph, rule, "act"), expected.toStdString());
    }

    void refusesCrossedBoundsOfOldVersions()
    {
        QCOMPARE(codesOf(graphOf(model("y = Clip (c, six, zero)", 12)), rule, "y"),
                 std::string("inverted-bounds"));
        QCOMPARE(codesOf(graphOf(model("y = Clip <min = 6.0, max = 0.0> (c)", 10)), rule, "y"),
                 std::string("inverted-bounds"));
    }

    void refusesReadersAndSecondActivations()
    {
        QCOMPARE(codesOf(graphOf(model("y = Relu (c) z = Neg (c)", 17,
                                       "float[N, 3, A, B] y, float[N, 3, C, D] z")),
                         rule, "y"),
                 std::string("multi-consumer"));
        // x·σ(x) reads the convolution twice: Sigmoid alone must not be taken.
        QCOMPARE(codesOf(graphOf(model("s = Sigmoid (c) y = Mul (c, s)")), rule, "s"),
                 std::string("multi-consumer"));
        Graph graph = graphOf(model("[relu] r = Relu (c) [clip] y = Clip (r, zero, six)"));
        QCOMPARE(rewriteProblem(graph, rule, "relu"), std::string());
        QCOMPARE(refusalOf(graph, rule, "clip"),
                 std::string("already-has-activation [relu] Already has an activation | `conv` "
                             "already ends in `relu`, Relu. | One activation fits; merge the two "
                             "where they can be merged."));
    }
};

FUSESCOPE_TEST(ConvActivationTest, conv_activation_test)
#include "conv_activation_test.moc"
