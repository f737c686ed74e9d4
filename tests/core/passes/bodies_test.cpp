#include "pass_run.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

// What loops never change, and branches that cannot run. Each runs both graphs.
class BodiesTest : public QObject
{
    Q_OBJECT

    // A squeeze of an open size, as exporters write it.
    static std::string squeezeOf(std::string_view reader)
    {
        return fmt::format(R"(g (float[N, 8, L] x, float[8, 4] w, float[4, 8, 1] k) => (float[?] y)
            <int64[1] i0 = {{0}}, int64[1] i1 = {{1}}, int64[1] i2 = {{2}}, int64 n2 = {{2}},
             int64 one = {{1}}>
            {{ v = Slice (x, i0, i1, i2)
              s = Shape (v)
              n = Gather (s, n2)
              c = Equal (n, one)
              f = If (c) <then_branch = t () => (float[N, 8] a) {{ a = Squeeze (v, i2) }},
                          else_branch = e () => (float[N, 8, K] b) {{ b = Identity (v) }}>
              {} }})",
                           reader);
    }

private Q_SLOTS:
    void aLoopReadsWhatNeverChangesFromOutside()
    {
        const auto run = [](std::string_view outputs, std::string_view inner) {
            return runPasses(fmt::format(R"(g (float[2] x) => ({})
                <int64 n = {{3}}, bool c = {{1}}, float[2] k = {{2, 3}}>
                {{ y, z = Loop (n, c, x, k) <body = b (int64 i, bool go, float[2] a, float[2] q)
                    => (bool on, float[2] r, float[2] s)
                    {{ on = Identity (go)
                      m = Neg (q)
                      r = Mul (a, m)
                      s = {} }}> }})",
                                         outputs, inner),
                             withoutFusion());
        };
        const PassRun same = run("float[2] y", "Identity (q)");
        QCOMPARE(same.problem, std::string());
        QVERIFY(same.rules().find("hoist-invariant") != std::string::npos);
        const Node* loop = same.graph.node(nodeNamed(same.graph, "y"));
        QCOMPARE(loop->inputs.size(), std::size_t{3});
        QCOMPARE(loop->outputs.size(), std::size_t{1});
        // The Neg of the constant is folded, in the body.
        QCOMPARE(same.graph.nodes(loop->bodies.front())->size(), std::size_t{2});
        QCOMPARE(runProblem(same.opened, same.graph, 0), std::string());
        QVERIFY(run("float[2] y", "Neg (q)").rules().find("hoist-invariant") == std::string::npos);
        // A public result stays one of the Loop.
        QVERIFY(run("float[2] y, float[2] z", "Identity (q)").rules().find("hoist-invariant") ==
                std::string::npos);
    }

    // A body must not give back a value of outside as it is: runtimes refuse such a model.
    void whatABodyGivesTwiceStaysOneOfItsOwn()
    {
        const PassRun run = runPasses(R"(g (float[2] x) => (float[2] y, float[?, 2] all)
            <int64 n = {3}, bool c = {1}, float[2] k = {2, 3}>
            { y, z, all = Loop (n, c, x, k) <body = b (int64 i, bool go, float[2] a, float[2] q)
                => (bool on, float[2] r, float[2] q, float[2] q)
                { on = Identity (go)
                  r = Mul (a, q) }> })",
                                      withoutFusion());
        QCOMPARE(run.problem, std::string());
        for (const BodyId id : run.graph.bodies()) {
            for (const ValueId output : run.graph.body(id)->outputs)
                QCOMPARE(run.graph.value(output)->body, id);
        }
        QCOMPARE(runProblem(run.opened, run.graph, 0), std::string());
    }

    void aBranchThatCannotRunIsNotTaken()
    {
        QCOMPARE(optimized(squeezeOf("y = Gemm (f, w)")), std::string("Slice Squeeze Gemm"));
        QCOMPARE(optimized(squeezeOf("g = Relu (f)\n y = Gemm (g, w)")),
                 std::string("Slice Squeeze Relu Gemm"));
        QCOMPARE(optimized(squeezeOf("g = Unsqueeze (f, i2)\n y = Conv (g, k)")),
                 std::string("Slice Reshape Conv"));
    }

    void aBranchThatMayRunStays()
    {
        QCOMPARE(optimized(squeezeOf("y = Neg (f)")),
                 std::string("Slice Shape Gather Equal If Neg"));
        QCOMPARE(optimized(squeezeOf("y = MatMul (f, w)")),
                 std::string("Slice Shape Gather Equal If MatMul"));
        // The Gemm runs only if another condition holds.
        const PassRun inside = runPasses(
            R"(g (float[N, 8, L] x, bool z, float[8, 4] w) => (float[?] y)
            <int64[1] i2 = {2}, int64 n2 = {2}, int64 one = {1}>
            { s = Shape (x)
              n = Gather (s, n2)
              c = Equal (n, one)
              f = If (c) <then_branch = t () => (float[N, 8] a) { a = Squeeze (x, i2) },
                          else_branch = e () => (float[N, 8, K] b) { b = Identity (x) }>
              y = If (z) <then_branch = u () => (float[N, 4] d) { d = Gemm (f, w) },
                          else_branch = v () => (float[P, Q, R] h) { h = Neg (f) }> })",
            withoutFusion());
        QCOMPARE(inside.problem, std::string());
        QVERIFY(inside.rules().find("fold-condition") == std::string::npos);
    }
};

FUSESCOPE_TEST(BodiesTest, bodies_test)
#include "bodies_test.moc"
