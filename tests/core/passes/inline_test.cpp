#include "pass_run.h"
#include "passes/references.h"
#include "support/test_class.h"

using namespace fusescope;
using namespace fusescope::test;

// Calls of model-local functions, and Ifs with a constant condition.
class InlineTest : public QObject
{
    Q_OBJECT

    static std::string names(const Graph& graph)
    {
        std::vector<std::string> all;
        for (std::uint32_t i = 1; i < graph.valueLimit(); ++i) {
            if (const Value* value = graph.value(ValueId{i}); value && !value->name.empty())
                all.push_back(value->name);
        }
        std::ranges::sort(all);
        return std::ranges::adjacent_find(all) == all.end() ? "" : "a name stands twice";
    }

    static constexpr std::string_view header =
        R"(<ir_version: 8, opset_import: ["" : 17, "f" : 1]>)";

    static std::string with(std::string_view rest) { return std::string(header) + std::string(rest); }

private Q_SLOTS:
    void aCallTakesTheValuesOfItsAttributes()
    {
        const std::string text = with(R"( g (float[2, 3] x) => (float[2, 3] y)
            { [a] t = f.act <alpha = 0.25> (x)
              [b] y = f.act (t) }
            <domain: "f", opset_import: ["" : 17]> act <alpha: float = 0.5> (x) => (y)
            { y = Elu <alpha: float = @alpha> (x) })");
        const PassRun run = runPasses(text, withoutFusion());
        QCOMPARE(run.problem, std::string());
        QCOMPARE(run.rules(), std::string("inline-function inline-function"));
        QCOMPARE(operatorsOf(run.graph), std::string("Elu Elu"));
        QCOMPARE(runProblem(run.opened, run.graph, 0), std::string());
        const auto nodes = *run.graph.nodes(run.graph.mainBody());
        QCOMPARE(run.graph.node(nodes[0])->attributes.getFloat("alpha", 0), 0.25F);
        QCOMPARE(run.graph.node(nodes[1])->attributes.getFloat("alpha", 0), 0.5F);
        // The function went with its last call, and the names are apart.
        QVERIFY(run.graph.header().functions.empty());
        QCOMPARE(run.graph.bodies().size(), std::size_t{1});
        QCOMPARE(names(run.graph), std::string());
    }

    // In a function that stays, an attribute of the call has no value: no rule may take its default.
    void rulesDoNotGuessAttributesOfACall_data()
    {
        QTest::addColumn<QString>("body");
        const auto row = [](const char* name, const char* body) {
            QTest::newRow(name) << QString::fromLatin1(body);
        };
        row("folding", "k = Constant <value = float[2, 2] {1, 2, 3, 4}> ()"
                       " t = Transpose <perm: ints = @p> (k) y = Mul (x, t)");
        row("a fill", "s = Constant <value_ints = [2, 2]> ()"
                      " t = ConstantOfShape <value: tensor = @f> (s) y = Add (x, t)");
        row("transposes", "t = Transpose <perm: ints = @p> (x) y = Transpose <perm = [1, 0]> (t)");
        row("a product's factor",
            "w = Constant <value = float[2, 2] {1, 2, 3, 4}> () b = Constant <value = float[2] {1, 2}> ()"
            " t = Gemm <alpha: float = @a> (x, w) y = Add (t, b)");
        row("a product's scale",
            "w = Constant <value = float[2, 2] {1, 2, 3, 4}> () k = Constant <value = float {3}> ()"
            " t = Gemm <transB: int = @b> (x, w) y = Mul (t, k)");
        row("a normalization",
            "w = Constant <value = float[2, 2, 1] {1, 2, 3, 4}> () o = Constant <value = float[2] {1, 2}> ()"
            " n = Constant <value_ints = [0]> () u = Unsqueeze (x, n) c = Conv (u, w)"
            " d = BatchNormalization <epsilon: float = @a> (c, o, o, o, o) y = Squeeze (d, n)");
    }
    void rulesDoNotGuessAttributesOfACall()
    {
        QFETCH(QString, body);
        const std::string text = with(
            R"( g (float[2, 2] x) => (float[2, 2] y)
            { y = f.F <p = [0, 1], a = 3.0, b = 1, f = float[1] {5}> (x) }
            <domain: "f", opset_import: ["" : 17]> F <p, a, b, f> (x) => (y) { )" +
            body.toStdString() + " }");
        Plan plan;
        plan.policy.disabled.insert("inline-function");
        const PassRun run = runPasses(text, plan);
        QCOMPARE(run.problem, std::string());
        QCOMPARE(runProblem(run.opened, run.graph), std::string());
        // Inlined, the values are known, and what can be done is done.
        const PassRun inlined = runPasses(text, Plan{});
        QCOMPARE(inlined.problem, std::string());
        QCOMPARE(runProblem(inlined.opened, inlined.graph), std::string());
        QVERIFY(inlined.graph.header().functions.empty());
    }

    void carriersOfAttributesAreRules()
    {
        for (const std::string_view rule : referenceCarriers())
            QVERIFY2(findPass(rule), std::string(rule).c_str());
    }

    // Two copies of one function with a Constant once got equal names in another engine.
    void twoCallsKeepTheirNamesApart()
    {
        const std::string text = with(R"( g (float[2] x) => (float[2] y)
            { t = f.half (x)
              y = f.half (t) }
            <domain: "f", opset_import: ["" : 17]> half (x) => (y)
            { c = Constant <value = float {0.5}> ()
              y = Mul (x, c) })");
        const PassRun run = runPasses(text, withoutFusion());
        QCOMPARE(run.problem, std::string());
        QCOMPARE(operatorsOf(run.graph), std::string("Constant Mul Constant Mul"));
        QCOMPARE(names(run.graph), std::string());
        QCOMPARE(runProblem(run.opened, run.graph, 0), std::string());
    }

    void nestedCallsOpenFromTheOutside()
    {
        const std::string text = with(R"( g (float[2, 3] x) => (float[2, 3] y)
            { y = f.outer <k = 3.0> (x) }
            <domain: "f", opset_import: ["" : 17, "f" : 1]> outer <k> (x) => (z)
            { t = f.inner <alpha: float = @k> (x)
              z = f.inner (t) }
            <domain: "f", opset_import: ["" : 17]> inner <alpha: float = 0.5> (x) => (y)
            { y = Elu <alpha: float = @alpha> (x) })");
        const PassRun run = runPasses(text, withoutFusion());
        QCOMPARE(run.problem, std::string());
        QCOMPARE(run.rules(), std::string("inline-function inline-function inline-function"));
        QCOMPARE(operatorsOf(run.graph), std::string("Elu Elu"));
        QVERIFY(run.graph.header().functions.empty());
        QCOMPARE(runProblem(run.opened, run.graph, 0), std::string());
    }

    // Every copied node is told apart by what it stands for, so that one of them can be skipped.
    void originsTellTheCopiesApart()
    {
        const std::string text = with(R"( g (float[2] x) => (float[2] y)
            { t = f.two (x)
              y = f.two (t) }
            <domain: "f", opset_import: ["" : 17]> two (x) => (y)
            { a = Relu (x)
              y = Neg (a) })");
        const PassRun run = runPasses(text, withoutFusion());
        std::set<std::vector<NodeId>> origins;
        for (const NodeId id : run.graph.allNodes())
            origins.insert(run.graph.node(id)->origins);
        QCOMPARE(origins.size(), std::size_t{4});
    }

    void bodiesInsideAFunctionAreCopied()
    {
        const std::string text = with(R"( g (float[2] x, bool c) => (float[2] y)
            { t = f.pick (x, c)
              y = f.pick (t, c) }
            <domain: "f", opset_import: ["" : 17]> pick (x, c) => (y)
            { y = If (c) <then_branch = a () => (float[2] p) { p = Neg (x) },
                          else_branch = b () => (float[2] q) { q = Relu (x) }> })");
        const PassRun run = runPasses(text, withoutFusion());
        QCOMPARE(run.problem, std::string());
        QCOMPARE(operatorsOf(run.graph), std::string("If If"));
        QCOMPARE(names(run.graph), std::string());
        QCOMPARE(runProblem(run.opened, run.graph, 0), std::string());
    }

    void anInputThatIsTheOutput()
    {
        const std::string text = with(R"( g (float[2] x) => (float[2] y)
            { y = f.same (x) }
            <domain: "f", opset_import: ["" : 17]> same (x) => (x) { })");
        const PassRun run = runPasses(text, withoutFusion());
        QCOMPARE(run.problem, std::string());
        QCOMPARE(operatorsOf(run.graph), std::string("Identity"));
        QCOMPARE(runProblem(run.opened, run.graph, 0), std::string());
    }

    void aFunctionThatCallsItselfStays()
    {
        const std::string text = with(R"( g (float[2] x) => (float[2] y)
            { y = f.loop (x) }
            <domain: "f", opset_import: ["" : 17, "f" : 1]> loop (x) => (y)
            { y = f.loop (x) })");
        const auto parsed = parseGraph(text);
        QVERIFY(parsed);
        const PassRun run = runPasses(*parsed, withoutFusion());
        QCOMPARE(run.problem, std::string());
        QCOMPARE(run.rules(), std::string());
        QVERIFY(run.refusals("inline-function").starts_with("would-create-cycle"));
    }

    void anotherOpsetThatMeansSomethingElseStays()
    {
        const std::string text = with(R"( g (float[2, 3, 4] x) => (float[2, 3, 4] y)
            { y = f.soft (x) }
            <domain: "f", opset_import: ["" : 11]> soft (x) => (y)
            { y = Softmax (x) })");
        const PassRun run = runPasses(text, withoutFusion());
        QCOMPARE(run.rules(), std::string());
        QVERIFY(run.refusals("inline-function").starts_with("operator-version"));
    }

    void anotherOpsetOfTheSameOperatorsOpens()
    {
        const std::string text = with(R"( g (float[2, 3, 4] x) => (float[2, 3, 4] y)
            { y = f.act (x) }
            <domain: "f", opset_import: ["" : 16]> act (x) => (y)
            { y = Relu (x) })");
        QCOMPARE(optimized(text), std::string("Relu"));
    }

    void switchedOffCallsStay()
    {
        Plan plan = withoutFusion();
        plan.policy.disabled.insert("inline-function");
        const std::string text = with(R"( g (float[2] x) => (float[2] y)
            { y = f.act (x) }
            <domain: "f", opset_import: ["" : 17]> act (x) => (y) { y = Relu (x) }
            <domain: "f", opset_import: ["" : 17]> idle (x) => (y) { y = Neg (x) })");
        const PassRun run = runPasses(text, plan);
        QCOMPARE(run.problem, std::string());
        QCOMPARE(run.rules(), std::string("remove-unused"));
        QVERIFY(!run.steps[0].root);
        QCOMPARE(run.graph.header().functions.size(), std::size_t{1});
        QCOMPARE(operatorsOf(run.graph), std::string("act"));
    }

    void convAndBatchnormOfDifferentFunctionsMeet()
    {
        const std::string text = with(R"( g (float[1, 2, 4, 4] x) => (float[1, 3, 4, 4] y)
            <float[3, 2, 1, 1] W = random(1), float[3] s = random(2), float[3] b = random(3),
             float[3] m = random(4), float[3] v = random(5, 0.5, 2)>
            { t = f.conv (x, W)
              y = f.norm (t, s, b, m, v) }
            <domain: "f", opset_import: ["" : 17]> conv (x, w) => (y) { y = Conv (x, w) }
            <domain: "f", opset_import: ["" : 17]> norm (x, s, b, m, v) => (y)
            { y = BatchNormalization (x, s, b, m, v) })");
        const PassRun run = runPasses(text);
        QCOMPARE(run.problem, std::string());
        QCOMPARE(run.rules(), std::string("inline-function inline-function conv-batchnorm"));
        QCOMPARE(operatorsOf(run.graph), std::string("Conv"));
    }

    void theChosenBranchMovesOut()
    {
        QCOMPARE(optimized(R"(g (float[2] x) => (float[2] y) <bool c = {1}>
            { y = If (c) <then_branch = a () => (float[2] p) { q = Neg (x) p = Relu (q) },
                          else_branch = b () => (float[2] p) { p = Abs (x) }> })"),
                 std::string("Neg Relu"));
        QCOMPARE(optimized(R"(g (float[2] x) => (float[2] y) <bool[1] c = {0}>
            { y = If (c) <then_branch = a () => (float[2] p) { q = Neg (x) p = Relu (q) },
                          else_branch = b () => (float[2] p) { p = Abs (x) }> })"),
                 std::string("Abs"));
    }

    void equalNamesInTwoBranchesStayApart()
    {
        const PassRun run = runPasses(R"(g (float[2] x) => (float[2] y) <bool c = {1}>
            { m = If (c) <then_branch = a () => (float[2] p) <float w = {2}>
                              { q = Mul (x, w) p = Relu (q) },
                          else_branch = b () => (float[2] p) { p = Abs (x) }>
              y = If (c) <then_branch = a () => (float[2] p) <float w = {3}>
                              { q = Mul (m, w) p = Relu (q) },
                          else_branch = b () => (float[2] p) { p = Abs (m) }> })",
                                      withoutFusion());
        QCOMPARE(run.problem, std::string());
        QCOMPARE(operatorsOf(run.graph), std::string("Mul Relu Mul Relu"));
        QCOMPARE(names(run.graph), std::string());
        QCOMPARE(runProblem(run.opened, run.graph, 0), std::string());
    }

    void aBranchWithoutNodes()
    {
        // Its output is its own initializer, and the If's output is public: an Identity, which then
        // is folded to an initializer of the public name.
        QCOMPARE(optimized(R"(g (float[2] x) => (float[2] y) <bool c = {1}>
            { y = If (c) <then_branch = a () => (float[2] w) <float[2] w = {1, 2}> { },
                          else_branch = b () => (float[2] p) { p = Abs (x) }> })"),
                 std::string());
        // Not public: the readers read the initializer.
        QCOMPARE(optimized(R"(g (float[2] x) => (float[2] y) <bool c = {1}>
            { t = If (c) <then_branch = a () => (float[2] w) <float[2] w = {1, 2}> { },
                          else_branch = b () => (float[2] p) { p = Abs (x) }>
              y = Add (t, x) })"),
                 std::string("Add"));
    }

    void aBranchThatGivesAnOuterValue()
    {
        QCOMPARE(optimized(R"(g (float[2] x) => (float[2] y) <bool c = {1}>
            { r = Relu (x)
              y = If (c) <then_branch = a () => (float[2] r) { },
                          else_branch = b () => (float[2] p) { p = Neg (r) }> })"),
                 std::string("Relu"));
    }

    void oneValueForTwoOutputs()
    {
        QCOMPARE(optimized(R"(g (float[2] x) => (float[2] y, float[2] z) <bool c = {1}>
            { y, z = If (c) <then_branch = a () => (float[2] p, float[2] p) { p = Neg (x) },
                  else_branch = b () => (float[2] p, float[2] q) { p = Abs (x) q = Relu (x) }> })"),
                 std::string("Neg Identity"));
    }

    void anUnusedSecondOutput()
    {
        QCOMPARE(optimized(R"(g (float[2] x) => (float[2] y) <bool c = {1}>
            { y, z = If (c) <then_branch = a () => (float[2] p, float[2] q) { p = Neg (x) q = Exp (x) },
                  else_branch = b () => (float[2] p, float[2] q) { p = Abs (x) q = Relu (x) }> })"),
                 std::string("Neg"));
    }

    // The axes of a Squeeze were once lost when the branch was opened.
    void initializersOfTheBranchMoveToo()
    {
        QCOMPARE(optimized(R"(g (float[2, 1] x) => (float[2] y) <bool c = {1}>
            { r = Relu (x)
              y = If (c) <then_branch = a () => (float[2] p) <int64[1] axes = {1}>
                              { p = Squeeze (r, axes) },
                          else_branch = b () => (float[2] p) <int64[1] s = {2}>
                              { p = Reshape (r, s) }> })"),
                 std::string("Relu Squeeze"));
    }

    void insideALoop()
    {
        const std::string text = R"(g (float[2] x) => (float[2] y) <int64 n = {3}, bool c = {1}>
            { y = Loop (n, c, x) <body = b (int64 i, bool k, float[2] a) => (bool ko, float[2] ao)
                { ko = Identity (k)
                  ao = If (c) <then_branch = t () => (float[2] p) <float[2] w = {1, 2}>
                                   { p = Add (a, w) },
                               else_branch = e () => (float[2] p) { p = Neg (a) }> }> })";
        const PassRun run = runPasses(text, withoutFusion());
        QCOMPARE(run.problem, std::string());
        QCOMPARE(run.rules(), std::string("fold-if"));
        QCOMPARE(runProblem(run.opened, run.graph, 0), std::string());
    }

    void anIfInAnIf()
    {
        QCOMPARE(optimized(R"(g (float[2] x, bool d) => (float[2] y) <bool c = {1}>
            { y = If (d) <then_branch = a () => (float[2] p)
                { p = If (c) <then_branch = aa () => (float[2] q) { q = Neg (x) },
                              else_branch = ab () => (float[2] q) { q = Relu (x) }> },
                else_branch = b () => (float[2] p) { p = Abs (x) }> })"),
                 std::string("If"));
    }

    void aConditionThatACallerMayReplaceStays()
    {
        const PassRun run = runPasses(R"(g (float[2] x, bool c) => (float[2] y) <bool c = {1}>
            { y = If (c) <then_branch = a () => (float[2] p) { p = Neg (x) },
                          else_branch = b () => (float[2] p) { p = Abs (x) }> })",
                                      withoutFusion());
        QCOMPARE(run.rules(), std::string());
        QVERIFY(run.refusals("fold-if").starts_with("overridable-initializer [c]"));
    }

    void steppingBackRestoresTheBranch()
    {
        const PassRun run = runPasses(R"(g (float[2] x) => (float[2] y) <bool c = {1}>
            { y = If (c) <then_branch = a () => (float[2] p) <float[2] w = {1, 2}>
                              { q = Add (x, w) p = Relu (q) },
                          else_branch = b () => (float[2] p) { p = Abs (x) }> })",
                                      withoutFusion());
        Graph graph = run.graph;
        for (auto step = run.steps.rbegin(); step != run.steps.rend(); ++step)
            QVERIFY(graph.apply(step->patch.inverse()));
        QVERIFY(graph.check());
        QCOMPARE(printGraph(graph), printGraph(run.opened));
    }
};

FUSESCOPE_TEST(InlineTest, inline_test)
#include "inline_test.moc"
