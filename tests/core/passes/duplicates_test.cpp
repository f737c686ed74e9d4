#include "pass_run.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

// Which equal nodes become one, and which stay two.
class DuplicatesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void equalConstantsAreOneOperand()
    {
        QCOMPARE(optimized(R"(g (float[2, 3] x) => (float[2, 3] y)
            <float[3] a = {1, 2, 3}, float[3] b = {1, 2, 3}>
            { c = Mul (x, a)
              d = Mul (b, x)
              e = Neg (c)
              f = Abs (d)
              y = Add (e, f) })"),
                 std::string("Mul Neg Abs Add"));
        // +0 and -0 differ; so do operands in another order, where that counts.
        QCOMPARE(optimized(R"(g (float[2, 3] x) => (float[2, 3] y)
            <float[3] a = {0, 2, 3}, float[3] b = {-0.0, 2, 3}>
            { c = Mul (x, a)
              d = Mul (x, b)
              e = Neg (c)
              f = Abs (d)
              y = Add (e, f) })"),
                 std::string("Mul Mul Neg Abs Add"));
        QCOMPARE(optimized(R"(g (float[3] x, float[3] z) => (float[3] y)
            { c = Sub (x, z)
              d = Sub (z, x)
              e = Neg (c)
              f = Abs (d)
              y = Mul (e, f) })"),
                 std::string("Sub Sub Neg Abs Mul"));
    }

    // Two equal convolutions that other scales follow stay two: each takes its own scale.
    void equalWeightsBeforeDifferentScalesStay()
    {
        const auto left = [](const char* second, bool shares = false) {
            Plan plan = withoutFusion();
            if (!shares)
                plan.policy.disabled.insert("merge-initializers");
            return optimized(fmt::format(R"(g (float[1, 2, 4, 4] x) => (float[1, 2, 4, 4] y)
                <float[2, 2, 1, 1] v = {{1, 2, 3, 4}}, float[2, 2, 1, 1] w = {{1, 2, 3, 4}},
                 float[1, 2, 1, 1] s = {{2, 3}}, float[1, 2, 1, 1] t = {{{}}}>
                {{ a = Conv (x, v)
                  b = Conv (x, w)
                  c = Mul (a, s)
                  d = Mul (b, t)
                  e = Neg (c)
                  f = Abs (d)
                  y = Add (e, f) }})",
                                         second),
                             plan);
        };
        QCOMPARE(left("2, 3"), std::string("Conv Mul Neg Abs Add"));
        QCOMPARE(left("2, 4"), std::string("Conv Conv Mul Mul Neg Abs Add"));
        // Once what could fold is folded, the weights are one, and so are the nodes.
        QCOMPARE(left("2, 4", true), std::string("Conv Mul Mul Neg Abs Add"));
    }

    // What a node gives follows from what it reads, also where the sizes depend on the data.
    void equalNodesOfUnknownSizesAreOne()
    {
        QCOMPARE(optimized(R"(g (float[N] x) => (int64[A, B] y, int64[C, D] z)
            { m = Abs (x)
              a = NonZero (m)
              b = NonZero (m)
              y = Neg (a)
              z = Abs (b) })"),
                 std::string("Abs NonZero Neg Abs"));
    }

    // However many read the value: each finds its equal.
    void manyReadersOfOneValue()
    {
        std::string text = "g (float[4] x) => (float[4] y) { s0 = Exp (x) ";
        for (int i = 0; i < 200; ++i)
            text += fmt::format("e{0} = Exp (x) s{1} = Sub (s{0}, e{0}) ", i, i + 1);
        const PassRun run = runPasses(text + "y = Neg (s200) }", withoutFusion());
        QCOMPARE(run.problem, std::string());
        std::size_t exps = 0;
        for (const NodeId id : run.graph.allNodes())
            exps += run.graph.node(id)->is("Exp") ? 1 : 0;
        QCOMPARE(exps, std::size_t{2}); // s0 and e0 are read by one node
        QCOMPARE(runProblem(run.opened, run.graph, 0), std::string());
    }

    // What must stay is no duplicate to take away: it says so.
    void aPinnedDuplicateStays()
    {
        const std::string text = R"(g (float[3] x) => (float[3] y, float[3] z)
            { [first] a = Exp (x) [second] b = Exp (x) y = Neg (a) z = Abs (b) })";
        for (const char* name : {"first", "second"}) {
            Plan plan = withoutFusion();
            plan.policy.pinnedNodes.insert(nodeNamed(graphOf(text), name));
            const PassRun run = runPasses(text, plan);
            QCOMPARE(operatorsOf(run.graph), std::string("Exp Exp Neg Abs"));
            QCOMPARE(run.refusals("merge-duplicates"), std::string("pinned [") + name + "]");
        }
    }

    // A recurrent node may start with one value as both its states; a sum keeps its two terms.
    void equalNodesThatOneNodeReads()
    {
        QCOMPARE(optimized(R"(g (float[T, B, 2] x) => (float[T, 1, B, 3] y)
            <float[1, 12, 2] w = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2,
                                  -0.1, -0.2, -0.3, -0.4, -0.5, -0.6, -0.7, -0.8, -0.9, -1, 0, 1},
             float[1, 12, 3] r = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2,
                                  -0.1, -0.2, -0.3, -0.4, -0.5, -0.6, -0.7, -0.8, -0.9, -1, 0, 1,
                                  0.5, 0.4, 0.3, 0.2, 0.1, 0, -0.1, -0.2, -0.3, -0.4, -0.5, -0.6},
             int64[1] one = {1}, int64[1] three = {3}>
            { s = Shape <start = 1, end = 2> (x)
              t = Concat <axis = 0> (one, s, three)
              h = ConstantOfShape <value = float[1] {0.5}> (t)
              c = ConstantOfShape <value = float[1] {0.5}> (t)
              y = LSTM <hidden_size = 3> (x, w, r, , , h, c) })"),
                 std::string("Shape Concat ConstantOfShape LSTM"));
        QCOMPARE(optimized(R"(g (float[3] x) => (float[3] y)
            { a = Exp (x)
              b = Exp (x)
              y = Add (a, b) })"),
                 std::string("Exp Exp Add"));
    }

    // The later one of two is an output of the model: the earlier takes its name.
    void aDuplicateGivesItsPublicName()
    {
        QCOMPARE(optimized(R"(g (float[3] x) => (float[3] y, float[3] z)
            { a = Exp (x)
              z = Neg (a)
              y = Exp (x) })"),
                 std::string("Exp Neg"));
        QCOMPARE(optimized(R"(g (float[3] x) => (float[3] y, float[3] z)
            { y = Exp (x)
              z = Exp (x) })"),
                 std::string("Exp Exp"));
    }
};

FUSESCOPE_TEST(DuplicatesTest, duplicates_test)
#include "duplicates_test.moc"
