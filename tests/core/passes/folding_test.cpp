#include "pass_run.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

// Folding, dead code, identities, duplicates and chains; with the defects
// that other engines had there.
class FoldingTest : public QObject
{
    Q_OBJECT

    static std::string refusals(std::string_view text, std::string_view rule)
    {
        return runPasses(text, withoutFusion()).refusals(rule);
    }

private Q_SLOTS:
    void constantsFold()
    {
        QCOMPARE(optimized(R"(g (float[2] x) => (float[2] y) <float[2] a = {1, 2}, float[2] b = {3, 4}>
            { c = Mul (a, b)
              d = Neg (c)
              y = Add (x, d) })"),
                 std::string("Add"));
    }

    // A chain of views of one constant must not read freed memory.
    void chainsOfViewsOfAConstant()
    {
        QCOMPARE(optimized(R"(g (float[2, 2] x) => (float[2, 2] y)
            <float[4] k = {1, 2, 3, 4}, int64[3] s = {1, 2, 2}, int64[1] a = {0}>
            { r = Reshape (k, s)
              q = Squeeze (r, a)
              u = Unsqueeze (q, a)
              y = Add (x, u) })"),
                 std::string("Add"));
    }

    void aSymbolicSizeIsNeverFrozen()
    {
        QCOMPARE(optimized(R"(g (float[N, 6] x) => (float[A, B] y)
            <int64[1] zero = {0}, int64[1] half = {-1}, int64 i = {0}>
            { s = Shape (x)
              n = Gather (s, i)
              u = Unsqueeze (n, zero)
              t = Concat <axis = 0> (u, half)
              e = Relu (x)
              y = Reshape (e, t) })"),
                 std::string("Relu"));
        QCOMPARE(optimized(R"(g (float[N, 6] x) => (float[A, 3] y)
            <int64[1] zero = {0}, int64[1] three = {3}, int64[1] minus = {-1}, int64 i = {0}>
            { s = Shape (x)
              n = Gather (s, i)
              u = Unsqueeze (n, zero)
              d = Add (u, u)
              t = Concat <axis = 0> (d, three)
              e = Relu (x)
              y = Reshape (e, t) })"),
                 std::string("Relu Reshape"));
    }

    void aKnownSizeBesideASymbolFolds()
    {
        QCOMPARE(optimized(R"(g (float[N, 4] x) => (int64 y) <int64 i = {1}>
            { s = Shape (x)
              y = Gather (s, i) })"),
                 std::string());
    }

    // A tiny model that would ask for 40 GB.
    void aHugeFillCostsNothing()
    {
        const PassRun run = runPasses(R"(g (float[2] x) => (int64[2] s, float[2] y)
            <int64[2] k = {100000, 100000}>
            { z = ConstantOfShape (k)
              s = Shape (z)
              y = Relu (x) })",
                                      withoutFusion());
        QCOMPARE(run.problem, std::string());
        QCOMPARE(operatorsOf(run.graph), std::string("Relu"));
    }

    void aHugeResultIsRefusedBeforeItIsComputed()
    {
        QVERIFY(refusals(R"(g (int64[1] i) => (float[A, B] y)
            <float[2] e = {1, 2}, int64[2] r = {100000, 50000}, int64[1] zero = {0}>
            { u = Unsqueeze (e, zero)
              t = Tile (u, r)
              y = Gather <axis = 0> (t, i) })",
                         "fold-constant")
                    .starts_with("growth-limit"));
    }

    void bodyOutputsStayProducedInTheBody()
    {
        const PassRun run = runPasses(R"(g (float x) => (float y) <int64 n = {3}, bool c = {1}>
            { y = Loop (n, c, x) <body = b (int64 i, bool k, float a) => (bool ko, float ao)
                <bool t = {1}, float two = {2}>
                { ko = And (t, t)
                  ao = Add (two, two) }> })",
                                      withoutFusion());
        QCOMPARE(run.problem, std::string());
        const BodyId body = run.graph.node(nodeNamed(run.graph, "y"))->bodies.front();
        for (const ValueId output : run.graph.body(body)->outputs)
            QVERIFY(run.graph.producer(output));
        QCOMPARE(runProblem(run.opened, run.graph, 0), std::string());
    }

    void quantizationStays()
    {
        const std::string text = R"(g (float[2, 2] x) => (float[2, 2] y)
            <int8[4] w = {12, -45, 7, -3}, float s = {0.02}, int64[2] k = {2, 2}>
            { d = DequantizeLinear (w, s)
              r = Reshape (d, k)
              y = Add (x, r) })";
        QVERIFY(refusals(text, "fold-constant").starts_with("quantized-neighbour"));
        Plan plan = withoutFusion();
        plan.policy.foldQuantization = true;
        QCOMPARE(optimized(text, plan), std::string("Add"));
    }

    void constantsInAFunctionBecomeNodes()
    {
        Plan plan = withoutFusion();
        plan.policy.disabled.insert("inline-function");
        const PassRun run = runPasses(R"(<ir_version: 8, opset_import: ["" : 17, "f" : 1]>
            g (float[2] x) => (float[2] y) { y = f.plus (x) }
            <domain: "f", opset_import: ["" : 17]> plus (a) => (y)
            { one = Constant <value = float {1}> ()
              two = Add (one, one)
              y = Add (a, two) })",
                                      plan);
        QCOMPARE(run.problem, std::string());
        const BodyId function = run.graph.header().functions.front();
        QVERIFY(run.graph.body(function)->initializers.empty());
        QCOMPARE(run.graph.nodes(function)->size(), std::size_t{2});
        QCOMPARE(runProblem(run.opened, run.graph, 0), std::string());
    }

    void rangeFoldsAndBernoulliStays()
    {
        const PassRun run = runPasses(R"(g (int64[5] x) => (int64[5] y, float[2] z)
            <int64 a = {0}, int64 b = {5}, int64 d = {1}, float[2] p = {0.5, 0.5}>
            { r = Range (a, b, d)
              y = Add (x, r)
              z = Bernoulli (p) })",
                                      withoutFusion());
        QCOMPARE(operatorsOf(run.graph), std::string("Add Bernoulli"));
        QVERIFY(run.refusals("fold-constant").starts_with("non-deterministic"));
    }

    void whatCannotBeComputedStaysInPlace()
    {
        const PassRun run = runPasses(R"(<ir_version: 8, opset_import: ["" : 17, "acme" : 1]>
            g (float[2] x) => (float[2] y) <float[2] a = {1, 2}>
            { b = acme.Mystery (a)
              y = Add (x, b) })",
                                      withoutFusion());
        QCOMPARE(run.problem, std::string());
        QCOMPARE(operatorsOf(run.graph), std::string("Mystery Add"));
        QVERIFY(run.steps.empty());
    }

    void divisionByZeroStays()
    {
        const PassRun run = runPasses(R"(g (int32[1] x) => (int32[1] y)
            <int32[1] a = {1}, int32[1] z = {0}>
            { q = Div (a, z)
              y = Add (x, q) })",
                                      withoutFusion());
        QCOMPARE(operatorsOf(run.graph), std::string("Div Add"));
        QVERIFY(run.refusals("fold-constant").starts_with("evaluation-failed"));
    }

    void castLikeReadsOnlyTheType()
    {
        QCOMPARE(optimized(R"(g (float[2] x) => (float[2] y) <double[1] h = {0.5}>
            { c = CastLike (h, x)
              y = Add (x, c) })"),
                 std::string("Add"));
    }

    void deadNodesGo()
    {
        QCOMPARE(optimized(R"(g (float[2] x) => (float[2] y) <float[2] w = {1, 2}>
            { d = Exp (x)
              e = Add (d, w)
              y = Relu (x) })"),
                 std::string("Relu"));
        const PassRun run = runPasses(R"(<ir_version: 8, opset_import: ["" : 17, "acme" : 1]>
            g (float[2] x) => (float[2] y)
            { p = acme.Print (x)
              y = Relu (x) })",
                                      withoutFusion());
        QCOMPARE(operatorsOf(run.graph), std::string("Print Relu"));
        QVERIFY(run.refusals("remove-dead").starts_with("side-effect"));
    }

    void deadNodesInsideABranch()
    {
        const PassRun run = runPasses(R"(g (float[2] x, bool c) => (float[2] y)
            { y = If (c) <then_branch = a () => (float[2] p) { d = Exp (x) p = Neg (x) },
                          else_branch = b () => (float[2] p) { p = Abs (x) }> })",
                                      withoutFusion());
        QCOMPARE(run.problem, std::string());
        QCOMPARE(run.rules(), std::string("remove-dead"));
        QCOMPARE(runProblem(run.opened, run.graph, 0), std::string());
    }

    void unreadInitializersGoInOneStep()
    {
        const PassRun run = runPasses(R"(g (float[2] x, float k) => (float[2] y)
            <float a = {1}, float b = {2}, float k = {3}> { y = Relu (x) })",
                                      withoutFusion());
        QCOMPARE(run.problem, std::string());
        QCOMPARE(run.rules(), std::string("remove-unused"));
        QVERIFY(!run.steps[0].root);
        QCOMPARE(run.steps[0].cost.parameters, std::int64_t{2});
        // What a caller may give stays.
        QCOMPARE(run.graph.body(run.graph.mainBody())->initializers.size(), std::size_t{1});
        QCOMPARE(run.graph.body(run.graph.mainBody())->inputs.size(), std::size_t{2});
    }

    void identitiesBetweenPublicNamesStay()
    {
        QCOMPARE(optimized(R"(g (float[2] x) => (float[2] y) { y = Identity (x) })"),
                 std::string("Identity"));
        // Two names for one value: one Identity has to stay.
        QCOMPARE(optimized(R"(g (float[2] x) => (float[2] y, float[2] z)
            { q = Relu (x)
              y = Identity (q)
              z = Identity (q) })"),
                 std::string("Relu Identity"));
    }

    void duplicatesMergeOnlyWhenEqualBitByBit()
    {
        QCOMPARE(optimized(R"(g (float[2] x) => (float[2] y)
            { a = Exp (x)
              b = Exp (x)
              c = Neg (a)
              d = Abs (b)
              y = Add (c, d) })"),
                 std::string("Exp Neg Abs Add"));
        QCOMPARE(optimized(R"(g (float[2] x) => (float[2] y)
            { a = Elu <alpha = 0.0> (x)
              b = Elu <alpha = -0.0> (x)
              c = Neg (a)
              d = Abs (b)
              y = Add (c, d) })"),
                 std::string("Elu Elu Neg Abs Add"));
        const PassRun random = runPasses(R"(g (float[2] x) => (float[2] y)
            { a = RandomUniformLike <seed = 1.0> (x)
              b = RandomUniformLike <seed = 1.0> (x)
              c = Neg (a)
              d = Abs (b)
              y = Add (c, d) })",
                                         withoutFusion());
        QCOMPARE(operatorsOf(random.graph),
                 std::string("RandomUniformLike RandomUniformLike Neg Abs Add"));
    }

    void aDuplicateWithOneMoreOutputStays()
    {
        QCOMPARE(optimized(R"(g (float[1, 1, 4, 4] x) => (float[1, 1, 2, 2] y, int64[1, 1, 2, 2] i)
            { a = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (x)
              b, i = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (x)
              c = Neg (a)
              d = Abs (b)
              y = Add (c, d) })"),
                 std::string("MaxPool MaxPool Neg Abs Add"));
    }

    // What one block pads is known once the sizes of the block before are: as long as folding finds
    // more, no fusion takes the nodes that compute it.
    void foldingEndsBeforeFusionBegins()
    {
        const PassRun run = runPasses(R"(g (float[1, 1, 6] x) => (float[A, B, C] y)
            <int64 two = {2}, int64 one = {1}, int64[2] none = {0, 0}, int64[1] first = {0},
             float half = {0.5}>
            { s1 = Shape (x)
              n1 = Gather (s1, two)
              f1 = Cast <to = 1> (n1)
              h1 = Mul (f1, half)
              c1 = Ceil (h1)
              i1 = Cast <to = 7> (c1)
              v1 = Unsqueeze (i1, first)
              q1 = Concat <axis = 0> (none, v1, none, first)
              a = Pad (x, q1)
              r = Relu (a)
              s2 = Shape (r)
              n2 = Gather (s2, two)
              f2 = Cast <to = 1> (n2)
              h2 = Mul (f2, half)
              c2 = Ceil (h2)
              i2 = Cast <to = 7> (c2)
              v2 = Unsqueeze (i2, first)
              q2 = Concat <axis = 0> (none, v2, none, first)
              y = Pad (r, q2) })");
        QCOMPARE(run.problem, std::string());
        QCOMPARE(run.rules().find("elementwise-chain"), std::string::npos);
        QCOMPARE(operatorsOf(run.graph), std::string("Pad Relu Pad"));
    }

    void transposesCompose()
    {
        const PassRun run = runPasses(R"(g (float[2, 3, 4] x) => (float[A, B, C] y)
            { a = Transpose <perm = [1, 2, 0]> (x)
              b = Transpose <perm = [0, 2, 1]> (a)
              y = Neg (b) })",
                                      withoutFusion());
        QCOMPARE(operatorsOf(run.graph), std::string("Transpose Neg"));
        QCOMPARE(runProblem(run.opened, run.graph, 0), std::string());
        QCOMPARE(optimized(R"(g (float[2, 3, 4] x) => (float[2, 3, 4] y)
            { a = Transpose (x)
              b = Transpose (a)
              y = Neg (b) })"),
                 std::string("Neg"));
    }

    void reshapesChain()
    {
        QCOMPARE(optimized(R"(g (float[2, 3, 4] x) => (float[6, 4] y)
            <int64[2] s = {3, 8}, int64[2] t = {6, -1}>
            { a = Reshape (x, s)
              y = Reshape (a, t) })"),
                 std::string("Reshape"));
        // The 0 copies 3, the size of the value between, where x has 2.
        const PassRun run = runPasses(R"(g (float[2, 3, 4] x) => (float[3, 2, 4] y)
            <int64[2] s = {3, 8}, int64[3] t = {0, 2, 4}>
            { a = Reshape (x, s)
              y = Reshape (a, t) })",
                                      withoutFusion());
        QCOMPARE(run.problem, std::string());
        QCOMPARE(operatorsOf(run.graph), std::string("Reshape"));
        QCOMPARE(runProblem(run.opened, run.graph, 0), std::string());
        // A symbol cannot be written into the constant.
        QVERIFY(refusals(R"(g (float[N, M] x) => (float[A, B, C, D] y)
            <int64[1] first = {0}, int64[4] t = {0, 0, 0, 1}>
            { a = Unsqueeze (x, first)
              y = Reshape (a, t) })",
                         "reshape-chain")
                    .starts_with("zero-copies-dimension"));
    }

    void castsChainOnlyWhereNothingIsLost()
    {
        QCOMPARE(optimized(R"(g (float[2] x) => (float[2] y)
            { a = Cast <to = 11> (x)
              b = Cast <to = 1> (a)
              y = Neg (b) })"),
                 std::string("Neg"));
        QCOMPARE(optimized(R"(g (int32[2] x) => (float[2] y)
            { a = Cast <to = 7> (x)
              y = Cast <to = 1> (a) })"),
                 std::string("Cast"));
        const std::string lossy = R"(g (int64[2] x) => (int64[2] y)
            { a = Cast <to = 1> (x)
              b = Cast <to = 7> (a)
              y = Neg (b) })";
        QCOMPARE(optimized(lossy), std::string("Cast Cast Neg"));
        QVERIFY(refusals(lossy, "cast-chain").starts_with("lossy-cast"));
    }

    void dropoutGoesOnlyInInference()
    {
        QCOMPARE(optimized(R"(g (float[2] x) => (float[2] y)
            { a = Relu (x)
              b = Dropout (a)
              y = Neg (b) })"),
                 std::string("Relu Neg"));
        QVERIFY(refusals(R"(g (float[2] x) => (float[2] y) <float r = {0.5}, bool t = {1}>
            { a = Relu (x)
              b = Dropout (a, r, t)
              y = Neg (b) })",
                         "remove-dropout")
                    .starts_with("training-mode-dropout"));
    }
};

FUSESCOPE_TEST(FoldingTest, folding_test)
#include "folding_test.moc"
