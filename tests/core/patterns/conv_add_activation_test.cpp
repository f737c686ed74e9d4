#include "support/rewrite_check.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

namespace {

constexpr std::string_view rule = "conv-add-activation";

std::string model(std::string_view body, std::string_view inputs = "float[N, 3, H, W] x",
                  std::string_view outputs = "float[N, 3, A, B] y", std::string_view more = "")
{
    return fmt::format(R"(g ({}) => ({})
        <float[3, 3, 3, 3] V = random(1), float[3] b = random(2), float[3, 3, 1, 1] S = random(3){}>
        {{ {} }})",
                       inputs, outputs, more, body);
}

const Node* regionOf(const Graph& graph)
{
    return graph.node(graph.producer(graph.body(graph.mainBody())->outputs[0]));
}

} // namespace

class ConvAddActivationTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Both sides have the same sizes by the same arithmetic on symbols.
    void fusesUnderSymbolicSizes()
    {
        Graph graph = graphOf(model("[conv] c = Conv <pads = [1, 1, 1, 1]> (x, V, b) "
                                    "[add] a = Add (c, x) [relu] y = Relu (a)"));
        QCOMPARE(rewriteProblem(graph, rule, "relu"), std::string());
        QCOMPARE(operatorsOf(graph), std::string("region(Conv Add Relu)"));
        const Region& region = *regionOf(graph)->region;
        QCOMPARE(region.kind, std::string("conv-add-activation"));
        QCOMPARE(region.nodeOf(Role::main), nodeNamed(graph, "conv"));
        QCOMPARE(region.nodeOf(Role::residual), nodeNamed(graph, "add"));
        QCOMPARE(region.nodeOf(Role::activation), nodeNamed(graph, "relu"));
    }

    void fusesStridedSides()
    {
        Graph graph = graphOf(model("s = Conv <strides = [2, 2]> (x, S) "
                                    "c = Conv <pads = [1, 1, 1, 1], strides = [2, 2]> (x, V, b) "
                                    "a = Add (s, c) y = Clip (a)"));
        QCOMPARE(rewriteProblem(graph, rule, "y"), std::string());
        // The later of two convolutions is taken.
        QCOMPARE(operatorsOf(graph), std::string("Conv region(Conv Add Clip)"));
    }

    void takesTheSideThatMayGo()
    {
        Graph graph = graphOf(model("[early] s = Conv (x, S) [late] c = Conv (x, S, b) "
                                    "a = Add (s, c) y = Relu (a) z = Neg (c)",
                                    "float[N, 3, H, W] x", "float[N, 3, A, B] y, float[N, 3, C, D] z"));
        QCOMPARE(rewriteProblem(graph, rule, "y"), std::string());
        QCOMPARE(regionOf(graph)->region->nodeOf(Role::main), nodeNamed(graph, "early"));
    }

    void fusesWithoutActivation()
    {
        Graph graph = graphOf(model("c = Conv (x, S, b) [add] y = Add (x, c)"));
        QCOMPARE(rewriteProblem(graph, rule, "add"), std::string());
        QCOMPARE(operatorsOf(graph), std::string("region(Conv Add)"));
        QVERIFY(!regionOf(graph)->region->nodeOf(Role::activation));
    }

    void takesSumsOfTwoAndConvTranspose()
    {
        Graph sum = graphOf(model("c = Conv (x, S, b) a = Sum (x, c) y = Relu (a)"));
        QCOMPARE(rewriteProblem(sum, rule, "y"), std::string());
        QCOMPARE(operatorsOf(sum), std::string("region(Conv Sum Relu)"));
        Graph up = graphOf(model("c = ConvTranspose (x, S, b) [add] y = Add (c, x)"));
        QCOMPARE(rewriteProblem(up, rule, "add"), std::string());
        QCOMPARE(codesOf(graphOf(model("c = Conv (x, S, b) y = Sum (x, c, x)")), rule, "y"),
                 std::string("no candidate"));
    }

    void theActivationAnswersForItsAdd()
    {
        const Graph plain = graphOf(model("c = Conv (x, S, b) [add] a = Add (x, c) y = Relu (a)"));
        QCOMPARE(codesOf(plain, rule, "add"), std::string("no candidate"));
        QCOMPARE(codesOf(plain, rule, "y"), std::string("match"));
        // Where the activation itself is in the way, the Add goes alone, then it.
        Graph graph = graphOf(model("c = Conv (x, S, b) [add] a = Add (x, c) y = Relu (a) "
                                    "z = Neg (a)",
                                    "float[N, 3, H, W] x",
                                    "float[N, 3, A, B] y, float[N, 3, C, D] z"));
        QCOMPARE(codesOf(graph, rule, "y"), std::string("multi-consumer"));
        QCOMPARE(rewriteProblem(graph, rule, "add"), std::string());
        QCOMPARE(operatorsOf(graph), std::string("region(Conv Add) Relu Neg"));
        QCOMPARE(codesOf(graph, rule, "y"), std::string("no candidate"));
    }

    void growsRegions()
    {
        Graph graph = graphOf(model("j = Concat <axis = 1> (x, x) c = Conv (j, D, b) "
                                    "a = Add (c, x) y = Tanh (a)",
                                    "float[N, 3, H, W] x", "float[N, 3, A, B] y",
                                    ", float[3, 6, 1, 1] D = random(4)"));
        QCOMPARE(rewriteProblem(graph, "concat-conv", "c"), std::string());
        QCOMPARE(rewriteProblem(graph, rule, "y"), std::string());
        QCOMPARE(operatorsOf(graph), std::string("region(Concat Conv Add Tanh)"));
        QVERIFY(regionOf(graph)->region->nodeOf(Role::concat));

        // A region without an activation takes the one that follows.
        Graph two = graphOf(model("c = Conv (x, S, b) [add] a = Add (c, x) y = Relu (a)"));
        Policy none;
        none.pinnedNodes.insert(nodeNamed(two, "y"));
        QCOMPARE(rewriteProblem(two, rule, "add", {.policy = none}), std::string());
        QCOMPARE(rewriteProblem(two, "conv-activation", "y"), std::string());
        QCOMPARE(regionOf(two)->region->kind, std::string("conv-add-activation"));
    }

    // A full constant of the same shape is a residual, of another shape a bias or nothing.
    void takesConstantsOfTheSameShape()
    {
        Graph graph = graphOf(R"(g (float[1, 3, 4, 4] x) => (float[1, 3, 4, 4] y)
            <float[3, 3, 1, 1] S = random(1), float[1, 3, 4, 4] k = random(2)>
            { c = Conv (x, S)
              y = Add (c, k) })");
        QCOMPARE(rewriteProblem(graph, rule, "y"), std::string());
        QCOMPARE(codesOf(graphOf(model("c = Conv (x, S, b) y = Add (c, k)", "float[1, 3, 4, 4] x",
                                       "float[1, 3, 4, 4] y", ", float[3, 1, 1] k = random(5)")),
                         rule, "y"),
                 std::string("no candidate"));
    }

    // One number a channel, a row, a shortcut for all of a batch: none of them makes the sum larger.
    void broadcasts_data()
    {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("inputs");
        QTest::addColumn<QString>("expected");
        QTest::newRow("a channel") << "p = GlobalAveragePool (x) c = Conv (x, S, b) "
                                      "a = Add (c, p) y = Relu (a)"
                                   << "float[N, 3, H, W] x"
                                   << "GlobalAveragePool region(Conv Add Relu)";
        QTest::newRow("a row, in front") << "c = Conv (x, S, b) a = Add (z, c) y = Relu (a)"
                                         << "float[N, 3, H, W] x, float[W] z"
                                         << "region(Conv Add Relu)";
        QTest::newRow("a batch") << "c = Conv (x, S, b) a = Add (c, z) y = Relu (a)"
                                 << "float[N, 3, H, W] x, float[1, 3, H, W] z"
                                 << "region(Conv Add Relu)";
        QTest::newRow("the larger of two Convs")
            << "p = GlobalAveragePool (x) s = Conv (x, S) c = Conv (p, S, b) "
               "a = Add (s, c) y = Relu (a)"
            << "float[N, 3, H, W] x" << "GlobalAveragePool Conv region(Conv Add Relu)";
    }
    void broadcasts()
    {
        QFETCH(QString, body);
        QFETCH(QString, inputs);
        QFETCH(QString, expected);
        Graph graph = graphOf(model(body.toStdString(), inputs.toStdString()));
        QCOMPARE(rewriteProblem(graph, rule, "y"), std::string());
        QCOMPARE(operatorsOf(graph), expected.toStdString());
    }

    void refusesShapes()
    {
        QCOMPARE(refusalOf(graphOf(model("p = GlobalAveragePool (x) [conv] c = Conv (p, S, b) "
                                         "[add] y = Add (c, x)",
                                         "float[1, 3, 4, 4] x", "float[1, 3, 4, 4] y")),
                           rule, "add"),
                 std::string("broadcast-enlarges [x] Broadcasting would enlarge the result | `x` has "
                             "shape [1, 3, 4, 4], which makes the result larger than [1, 3, 1, 1]. | "
                             "Give `x` at most the shape of the result."));
        QCOMPARE(codesOf(graphOf(model("c = Conv (x, S, b) [add] y = Add (c, z)",
                                       "float[1, 3, 4, 4] x, float[2, 1, 3, 4, 4] z",
                                       "float[2, 1, 3, 4, 4] y")),
                         rule, "add"),
                 std::string("broadcast-enlarges"));
        QCOMPARE(refusalOf(graphOf(model("[conv] c = Conv (x, S, b) [add] y = Add (c, z)",
                                         "float[N, 3, H, W] x, float[N, 3, P, W] z")),
                           rule, "add"),
                 std::string("unknown-shape [z] Shapes are not shown to be equal | `z` is [N, 3, P, "
                             "W] and `c` is [N, 3, H, W]; nothing shows that they are equal. | "
                             "Declare the shape in the file, or give the free dimensions a size."));
        QCOMPARE(refusalOf(graphOf(model("[conv] c = Conv (x, S, b) [view] r = Reshape (z, s) "
                                         "[add] y = Add (c, r)",
                                         "float[N, 3, 7, 7] x, float[2, 147] z", "float[] y",
                                         ", int64[4] s = {2, 3, 7, 7}")),
                           rule, "add"),
                 std::string("shape-operator-between [view] The shortcut is reshaped | The shortcut "
                             "passes `view`, Reshape, to [2, 3, 7, 7], but `conv` gives [N, 3, 7, "
                             "7]. | Export without the Reshape there, or give the free dimensions a "
                             "size."));
    }

    void namesWhatStandsBetween()
    {
        QCOMPARE(codesOf(graphOf(model("c = Conv (x, S, b) r = Transpose <perm = [0, 1, 3, 2]> (c) "
                                       "a = Add (r, x) y = Relu (a)",
                                       "float[1, 3, 4, 4] x", "float[1, 3, 4, 4] y")),
                         rule, "y"),
                 std::string("shape-operator-between"));
        QCOMPARE(codesOf(graphOf(model("c = Conv (x, S) n = BatchNormalization (c, b, b, b, v) "
                                       "a = Add (n, x) y = Relu (a)",
                                       "float[1, 3, 4, 4] x", "float[1, 3, 4, 4] y",
                                       ", float[3] v = {1, 2, 3}")),
                         rule, "y"),
                 std::string("operator-between"));
        QCOMPARE(codesOf(graphOf(model("c = Conv (x, S) r = Relu (c) a = Add (r, x) y = Relu (a)")),
                         rule, "y"),
                 std::string("no candidate"));
    }

    void refusesReadersAndCycles()
    {
        // Add(c, c) reads one convolution twice.
        QCOMPARE(refusalOf(graphOf(model("[conv] c = Conv (x, S, b) [add] y = Add (c, c)")), rule,
                           "add"),
                 std::string("multi-consumer [add] One node reads the result twice | `add` reads "
                             "`conv` 2 times; fusing would take one away. | Give each reading a "
                             "producer of its own."));
        // The other side is computed from the convolution itself.
        const Graph cycle = graphOf(model("[conv] c = Conv (x, S, b) s = Sigmoid (c) t = Neg (s) "
                                          "[add] y = Add (c, t)"));
        QCOMPARE(codesOf(cycle, rule, "add"), std::string("multi-consumer would-create-cycle"));
        QVERIFY(refusalOf(cycle, rule, "add")
                    .find("`t` is computed from `conv`, so it cannot be its input too.") !=
                std::string::npos);
    }
};

FUSESCOPE_TEST(ConvAddActivationTest, conv_add_activation_test)
#include "conv_add_activation_test.moc"
