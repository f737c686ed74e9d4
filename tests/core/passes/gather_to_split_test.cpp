#include "pass_run.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

namespace {

// Slices of x along its second axis, 6 long, and an Add of each with a value of its own.
std::string slices(std::string_view bounds, int opset = 13, std::string_view shape = "2, 6, N")
{
    return fmt::format(R"(<ir_version: 8, opset_import: ["" : {0}]>
        g (float[{1}] x) => (float[2, A, N] y, float[2, B, N] z)
        <int64[1] zero = {{0}}, int64[1] one = {{1}}, int64[1] two = {{2}}, int64[1] three = {{3}},
         int64[1] six = {{6}}, int64[1] minus = {{-4}}, int64[1] far = {{9223372036854775807}},
         int64[2] both = {{1, 2}}, int64[2] zeros = {{0, 0}}, int64[2] ends = {{2, 2147483647}}>
        {{ {2} y = Relu (a) z = Relu (b) }})",
                       opset, shape, bounds);
}

// Gathers of x along its first axis, 3 long.
std::string gathers(std::string_view body, int opset = 17,
                    std::string_view outputs = "float[N, 4] y")
{
    return fmt::format(R"(<ir_version: 8, opset_import: ["" : {0}]>
        g (float[3, N, 4] x, int64 at) => ({1})
        <int64[2] row = {{1, -1}}, int64[2] four = {{-1, 4}}, int64 i0 = {{0}}, int64 i1 = {{1}},
         int64 i2 = {{-1}}, int64[2] v01 = {{0, 1}},
         int64[2] v10 = {{1, 0}}, int64[1] v2 = {{2}}, int64[1, 1] m2 = {{2}}>
        {{ {2} }})",
                       opset, outputs, body);
}

// Neither fusions nor the removal of the constants that a text does not read.
Plan alone()
{
    Plan plan = withoutFusion();
    plan.policy.disabled.insert("remove-unused");
    return plan;
}

std::string refusals(std::string_view text)
{
    return runPasses(text, alone()).refusals("gather-to-split");
}

} // namespace

class GatherToSplitTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void slicesThatCover_data()
    {
        QTest::addColumn<QString>("body");
        QTest::newRow("plain") << "a = Slice (x, zero, two, one) b = Slice (x, two, six, one)";
        QTest::newRow("to the end") << "a = Slice (x, zero, two, one) b = Slice (x, two, far, one)";
        QTest::newRow("turned") << "b = Slice (x, two, six, one) a = Slice (x, zero, two, one)";
        QTest::newRow("from the end") << "a = Slice (x, zero, minus, one) "
                                         "b = Slice (x, minus, far, one, one)";
        QTest::newRow("a whole axis too") << "a = Slice (x, zeros, ends, both) "
                                             "b = Slice (x, two, six, one)";
    }
    void slicesThatCover()
    {
        QFETCH(QString, body);
        QCOMPARE(optimized(slices(body.toStdString())), std::string("Split Relu Relu"));
    }

    void theSizesStandInTheOrderOfTheAxis()
    {
        const PassRun run =
            runPasses(slices("b = Slice (x, two, six, one) a = Slice (x, zero, two, one)"),
                      alone());
        QCOMPARE(run.rules(), std::string("gather-to-split"));
        const Node& split = *run.graph.node(run.graph.producer(
            run.graph.node(nodeNamed(run.graph, "y"))->input(0)));
        QCOMPARE(run.graph.constant(split.input(1))->asInts(), (std::vector<std::int64_t>{2, 4}));
        QCOMPARE(split.attributes.getInt("axis", 0), std::int64_t{1});
        QCOMPARE(split.origins.size(), std::size_t{2});
        QCOMPARE(run.graph.node(run.steps.front().root), nullptr);
    }

    void slicesByAttributes()
    {
        QCOMPARE(optimized(slices("a = Slice <axes = [-2], starts = [0], ends = [2]> (x) "
                                  "b = Slice <axes = [1], starts = [2], ends = [6]> (x)",
                                  9)),
                 std::string("Split Relu Relu"));
    }

    void gathersThatCover_data()
    {
        QTest::addColumn<int>("opset");
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("expected");
        const QString single = "a = Gather (x, i0) b = Gather (x, i1) c = Gather (x, i2) "
                               "p = Add (a, b) y = Add (p, c)";
        for (const int opset : {11, 13, 18})
            QTest::addRow("single numbers, opset %d", opset)
                << opset << single << "Gather Gather Gather Add Add";
        QTest::newRow("runs") << 17
                              << "a = Gather (x, v01) b = Gather (x, v2) "
                                 "p = Add (a, b) y = ReduceMax <axes = [0], keepdims = 0> (p)"
                              << "Split Add ReduceMax";
        // Each Squeeze becomes one with the view behind it.
        QTest::newRow("single numbers, reshaped")
            << 17
            << "a = Gather (x, i0) b = Gather (x, i1) c = Gather (x, i2) d = Reshape (a, row) "
               "e = Reshape (b, row) f = Flatten <axis = 0> (c) p = Add (d, e) q = Add (p, f) "
               "y = Reshape (q, four)"
            << "Split Reshape Reshape Reshape Add Add Reshape";
        QTest::newRow("one of them reshaped")
            << 17
            << "a = Gather (x, i0) b = Gather (x, i1) c = Gather (x, i2) d = Reshape (c, row) "
               "e = Reshape (d, four) p = Add (a, b) q = Exp (p) y = Mul (q, e)"
            << "Gather Gather Gather Add Exp Mul";
        QTest::newRow("own Constant nodes")
            << 17
            << "k0 = Constant <value_int = 0> () k1 = Constant <value_int = 1> () "
               "k2 = Constant <value_int = 2> () a = Gather (x, k0) b = Gather (x, k1) "
               "c = Gather (x, k2) p = Add (a, b) y = Add (p, c)"
            << "Split Squeeze Squeeze Squeeze Add Add";
        QTest::newRow("a Constant node of others")
            << 17
            << "k0 = Constant <value_int = 0> () a = Gather (x, k0) b = Gather (x, i1) "
               "c = Gather (x, i2) p = Add (a, b) q = Add (p, c) r = Gather (q, k0) y = Add (q, r)"
            << "Constant Gather Gather Gather Add Add Gather Add";
        QTest::newRow("two, alone") << 17
                                    << "h = Gather (x, v01) a = Gather (h, i0) "
                                       "b = Gather (h, i1) y = Add (a, b)"
                                    << "Gather Gather Gather Add";
        QTest::newRow("mixed") << 17
                               << "a = Gather (x, v01) b = Gather (x, i2) "
                                  "p = Add (a, b) y = ReduceMax <axes = [0], keepdims = 0> (p)"
                               << "Split Squeeze Add ReduceMax";
    }
    void gathersThatCover()
    {
        QFETCH(int, opset);
        QFETCH(QString, body);
        QFETCH(QString, expected);
        QCOMPARE(optimized(gathers(body.toStdString(), opset)), expected.toStdString());
    }

    void partsThatAreOutputsStay()
    {
        const PassRun run = runPasses(gathers("a = Gather (x, i0) b = Gather (x, i1) "
                                              "c = Gather (x, i2)",
                                              17, "float[N, 4] a, float[N, 4] b, float[N, 4] c"),
                                      withoutFusion());
        QCOMPARE(run.problem, std::string());
        QCOMPARE(runProblem(run.opened, run.graph, 0), std::string());
        QCOMPARE(operatorsOf(run.graph), std::string("Gather Gather Gather"));
        QCOMPARE(run.refusals("gather-to-split"), std::string("not-profitable [x]"));
    }

    void refused_data()
    {
        QTest::addColumn<QString>("body");
        QTest::newRow("gap") << "a = Slice (x, zero, two, one) b = Slice (x, three, six, one)";
        QTest::newRow("overlap") << "a = Slice (x, zero, three, one) b = Slice (x, two, six, one)";
        QTest::newRow("no end") << "a = Slice (x, zero, two, one) b = Slice (x, two, three, one)";
        QTest::newRow("no beginning")
            << "a = Slice (x, one, two, one) b = Slice (x, two, six, one)";
    }
    void refused()
    {
        QFETCH(QString, body);
        QCOMPARE(refusals(slices(body.toStdString())), std::string("incomplete-cover [x]"));
    }

    void pinned()
    {
        const Graph graph = graphOf(slices("a = Slice (x, zero, two, one) "
                                           "b = Slice (x, two, six, one)"));
        Plan plan = withoutFusion();
        plan.policy.pinnedNodes.insert(nodeNamed(graph, "a"));
        QCOMPARE(runPasses(graph, plan).refusals("gather-to-split"), std::string("pinned [a]"));
    }

    void silent_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("one part") << QString::fromStdString(
            slices("a = Slice (x, zero, two, one) b = Neg (x)"));
        QTest::newRow("two axes") << QString::fromStdString(
            slices("a = Slice (x, zero, two, one) b = Slice (x, one, two, zero)"));
        QTest::newRow("steps") << QString::fromStdString(
            slices("a = Slice (x, zero, six, one, two) b = Slice (x, one, six, one, two)"));
        QTest::newRow("size not known") << QString::fromStdString(
            slices("a = Slice (x, zero, two, one) b = Slice (x, two, six, one)", 13, "2, C, N"));
        QTest::newRow("index computed") << QString::fromStdString(
            gathers("a = Gather (x, i0) b = Gather (x, at) y = Add (a, b)"));
        QTest::newRow("order turned") << QString::fromStdString(
            gathers("a = Gather (x, v10) b = Gather (x, v2) p = Add (a, b) "
                    "y = ReduceMax <axes = [0], keepdims = 0> (p)"));
        QTest::newRow("matrix of indices") << QString::fromStdString(
            gathers("a = Gather (x, v01) b = Gather (x, m2) p = Add (a, b) "
                    "y = ReduceMax <axes = [0, 1], keepdims = 0> (p)"));
    }
    void silent()
    {
        QFETCH(QString, text);
        const PassRun run = runPasses(text.toStdString(), alone());
        QCOMPARE(run.problem, std::string());
        QCOMPARE(run.rules(), std::string());
        QCOMPARE(run.refusals("gather-to-split"), std::string());
    }

    void inABody()
    {
        const PassRun run = runPasses(R"(<ir_version: 8, opset_import: ["" : 13]>
            g (float[2, 4] x, bool c) => (float[2, 2] y)
            <int64[1] zero = {0}, int64[1] one = {1}, int64[1] two = {2}, int64[1] four = {4}>
            { y = If (c) <then_branch = t () => (float[2, 2] u)
                              { a = Slice (x, zero, two, one) b = Slice (x, two, four, one)
                                u = Add (a, b) },
                          else_branch = e () => (float[2, 2] w)
                              { w = Slice (x, zero, two, one) }> })",
                                      alone());
        QCOMPARE(run.problem, std::string());
        QCOMPARE(run.rules(), std::string("gather-to-split"));
        QVERIFY(run.graph.node(nodeNamed(run.graph, "a"))->is("Split"));
        QVERIFY(run.graph.node(nodeNamed(run.graph, "w"))->is("Slice"));
        QCOMPARE(runProblem(run.opened, run.graph, 0), std::string());
    }
};

FUSESCOPE_TEST(GatherToSplitTest, gather_to_split_test)
#include "gather_to_split_test.moc"
