#include "pass_run.h"

#include "exec/inputs.h"
#include "patterns/constants.h"
#include "passes/explain.h"
#include "report/render.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

// A size that a file declares for what a node makes is a hint: where running decides it, no rule may
// lean on it. And sizes that are beyond what a file can hold.
class DeclaredSizesTest : public QObject
{
    Q_OBJECT

    // The outputs of both graphs when `s` is [3, 2]; the file says [2, 3].
    static std::string differsAt32(const PassRun& run) { return differsAt(run, {3, 2}); }

    static std::string differsAt(const PassRun& run, std::vector<std::int64_t> sizes)
    {
        if (!run.problem.empty())
            return run.problem;
        InputRecipe recipe;
        recipe.dims["U"] = static_cast<std::int64_t>(sizes.size());
        auto made = makeInputs(run.opened, recipe);
        if (!made)
            return "inputs: " + render(made.error().message, &run.opened);
        RunInputs inputs = std::move(made->inputs);
        inputs["s"] = RuntimeValue(Tensor::vector(sizes));
        std::vector<RunResult> results;
        for (const Graph* graph : {&run.opened, &run.graph}) {
            const ReferenceExecutor executor(*graph);
            auto result = executor.run(inputs, {});
            if (!result)
                return "run: " + render(result.error().message, graph);
            results.push_back(std::move(*result));
        }
        for (std::size_t i = 0; i < results[0].outputs.size(); ++i) {
            if (!results[0].outputs[i].second.tensor()->bitwiseEquals(
                    *results[1].outputs[i].second.tensor()))
                return "output " + std::to_string(i);
        }
        return {};
    }

private Q_SLOTS:
    void staysAsRunningDecides_data()
    {
        QTest::addColumn<QString>("body");
        QTest::newRow("Shape") << "t = Reshape (x, s) n = Shape (t) y = Cast <to = 1> (n)";
        QTest::newRow("Shape behind another operator")
            << "t = Reshape (x, s) e = Relu (t) n = Shape (e) y = Cast <to = 1> (n)";
        QTest::newRow("a size taken from a Shape")
            << "t = Reshape (x, s) n = Shape (t) d = Gather (n, one) y = Cast <to = 1> (d)";
        QTest::newRow("a pair that would cancel")
            << "r = Relu (x) f = Reshape (r, flat) t = Reshape (f, s) y = Neg (t)";
        QTest::newRow("a Reshape to the declared sizes")
            << "t = Reshape (x, s) e = Relu (t) r = Reshape (e, two3) y = Neg (r)";
        QTest::newRow("a Reshape that would be none")
            << "r = Relu (x) t = Reshape (r, s) y = Neg (t)";
    }
    void staysAsRunningDecides()
    {
        QFETCH(QString, body);
        const std::string text = "g (float[2, 3] x, int64[2] s) => (float[] y) <float[2, 3] t, int64 one "
                                 "= {1}, int64[1] flat = {-1}, int64[2] two3 = {2, 3}> { " +
                                 body.toStdString() + " }";
        QCOMPARE(differsAt32(runPasses(text, withoutFusion())), std::string());
    }

    // Nor is anything taken away for a rank that running decides.
    void noRankIsBelieved_data()
    {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("declared");
        QTest::newRow("a Reshape that would be none")
            << "r = Relu (x) t = Reshape (r, s) y = Neg (t)" << "[2, 3]";
        QTest::newRow("behind another operator")
            << "t = Reshape (x, s) e = Relu (t) y = Reshape (e, two3)" << "[2, 3]";
        QTest::newRow("Shape") << "t = Reshape (x, s) n = Shape (t) y = Cast <to = 1> (n)" << "[2, 3]";
    }
    void noRankIsBelieved()
    {
        QFETCH(QString, body);
        QFETCH(QString, declared);
        const std::string text = "g (float[2, 3] x, int64[U] s) => (float[] y) <float" +
                                 declared.toStdString() +
                                 " t, int64 one = {1}, int64[2] two3 = {2, 3}, float[3, 4] w = random(1), "
                                 "float[4] b = random(2)> { " +
                                 body.toStdString() + " }";
        const PassRun run = runPasses(text);
        QCOMPARE(differsAt(run, {1, 2, 3}), std::string());
        QCOMPARE(differsAt(run, {2, 3}), std::string());
    }

    // A branch is not taken away because the file says that its result has the wrong rank.
    void noBranchIsTakenAwayForADeclaredRank()
    {
        const PassRun run = runPasses(R"(<ir_version: 8, opset_import: ["" : 17]>
            g (float[2, 2, 2] x, bool k, int64[U] s) => (float[] y) <int64 zero = {0}>
            {
              n = Not (k) d = Gather <axis = 0> (x, zero)
              r = If (n) <then_branch = t () => (float[P, Q, R] p) { p = Reshape (x, s) },
                          else_branch = e () => (float[S, T] q) { q = Identity (d) }>
              y = Transpose <perm = [1, 0]> (r)
            })");
        QCOMPARE(run.problem, std::string());
        QVERIFY(operatorsOf(run.graph).find("If") != std::string::npos);
    }

    // Where inference cannot tell even the rank, what the file says is all there is.
    void anUnknownOperatorIsTakenAtItsWord()
    {
        const PassRun run = runPasses(R"(<ir_version: 8, opset_import: ["" : 17, "com.acme" : 1]>
            g (float[2, 3] x) => (int64[2] y) <float[2, 3] t>
            { t = com.acme.Op (x) e = Relu (t) y = Shape (e) })",
                                      withoutFusion());
        QCOMPARE(run.problem, std::string());
        QCOMPARE(operatorsOf(run.graph).find("Shape"), std::string::npos);
    }

    void aFillBeyondCountingIsRefused_data()
    {
        QTest::addColumn<QString>("body");
        QTest::newRow("ConstantOfShape") << "f = ConstantOfShape (k)";
        QTest::newRow("Expand") << "f = Expand (one, k)";
    }
    void aFillBeyondCountingIsRefused()
    {
        QFETCH(QString, body);
        const PassRun run = runPasses("g (int64 i) => (float[] y) <int64[4] k = {1099511627776, "
                                      "1099511627776, 1099511627776, 2}, float one = {1}> { " +
                                          body.toStdString() + " y = Gather (f, i) }",
                                      withoutFusion());
        QCOMPARE(run.problem, std::string());
        QCOMPARE(run.refusals("fold-constant").substr(0, 12), std::string("growth-limit"));
        for (std::uint32_t i = 1; i < run.graph.valueLimit(); ++i) {
            if (const Value* value = run.graph.value(ValueId{i}); value && value->constant)
                QVERIFY(elementCountOf(value->constant->shape()));
        }
    }

    // A model of 200 bytes must not make a fold hold gigabytes, one number for each channel.
    void aFillOfManyChannelsIsNotFolded_data()
    {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("rule");
        const auto row = [](const char* name, const char* body, const char* rule) {
            QTest::newRow(name) << QString(body) << QString(rule);
        };
        row("Conv, Mul", "W = ConstantOfShape (c) t = Conv (x, W) y = Mul (t, k)", "conv-scale");
        row("Conv, Add", "W = ConstantOfShape (c) t = Conv (x, W) y = Add (t, k)", "conv-bias");
        row("Mul, Conv", "W = ConstantOfShape (d) t = Mul (z, k) y = Conv (t, W)", "scale-conv");
        row("MatMul, Mul", "W = ConstantOfShape (m) t = MatMul (v, W) y = Mul (t, k)",
            "matmul-scale");
    }
    void aFillOfManyChannelsIsNotFolded()
    {
        QFETCH(QString, body);
        QFETCH(QString, rule);
        const PassRun run = runPasses(
            "g (float[1, 1, 8, 8] x, float[1, N, 8, 8] z, float[1, 1] v) => (float[?] y)"
            "<int64[4] c = {250000000, 1, 1, 1}, int64[4] d = {1, 250000000, 1, 1}, "
            "int64[2] m = {1, 260000000}, float k = {0.5}> { " +
            body.toStdString() + " }");
        QCOMPARE(run.problem, std::string());
        QVERIFY2(run.refusals(rule.toStdString()).starts_with("growth-limit"),
                 run.refusals(rule.toStdString()).c_str());
    }

    // One factor for all channels leaves a fill one; one a channel does not.
    void aFillIsFolded()
    {
        const auto folded = [](const char* factor) {
            return runPasses(fmt::format(R"(g (float[1, 2, 5, 5] x) => (float[1, 4, 3, 3] y)
                <int64[4] s = {{4, 2, 3, 3}}, float[4, 1, 1] c = {{1, 2, 3, 4}}, float k = {{0.5}}>
                {{ W = ConstantOfShape <value = float[1] {{0.25}}> (s)
                  t = Conv (x, W)
                  y = Mul (t, {}) }})",
                                         factor));
        };
        for (const bool uniform : {true, false}) {
            const PassRun run = folded(uniform ? "k" : "c");
            QCOMPARE(run.problem, std::string());
            QCOMPARE(operatorsOf(run.graph), std::string("Conv"));
            const Node* conv = run.graph.node(nodeNamed(run.graph, "y"));
            QCOMPARE(run.graph.constant(conv->inputs[1])->isSplat(), uniform);
            QCOMPARE(runProblem(run.opened, run.graph), std::string());
        }
    }

    // A fill is one element here, but 4 MB in a file.
    void aFillCountsAsItIsWritten()
    {
        const std::string text = R"(g (int64 i) => (float[] y) <int64[2] k = {1000, 1000}>
            { f = ConstantOfShape (k) y = Gather (f, i) })";
        Plan plan = withoutFusion();
        plan.policy.maxGrowth = 3'000'000;
        QCOMPARE(operatorsOf(runPasses(text, plan).graph), std::string("ConstantOfShape Gather"));
        plan.policy.maxGrowth = 5'000'000;
        const PassRun run = runPasses(text, plan);
        QCOMPARE(operatorsOf(run.graph), std::string("Gather"));
        QCOMPARE(run.steps.front().cost.storedBytes, std::int64_t{16 - 4'000'000});
        QCOMPARE(runProblem(run.opened, run.graph, 0), std::string());
    }

    // What NonZero finds may be every place, one number for each axis.
    void aResultOfUnknownSizeIsChargedBeforeItIsMade()
    {
        const std::string text = R"(g (int64 i) => (int64[] y) <int64[2] k = {1000, 1000}>
            { f = ConstantOfShape <value = int8[1] {1}> (k) n = NonZero (f)
              y = Gather <axis = 1> (n, i) })";
        Plan plan = withoutFusion();
        plan.policy.maxGrowth = 15'000'000;
        const PassRun run = runPasses(text, plan);
        QCOMPARE(operatorsOf(run.graph), std::string("NonZero Gather"));
        QVERIFY(run.refusals("fold-constant").starts_with("growth-limit [n]"));
        plan.policy.maxGrowth = 18'000'000;
        QCOMPARE(operatorsOf(runPasses(text, plan).graph), std::string("Gather"));
        // Beyond what memory holds.
        const PassRun large = runPasses(R"(g (int64 i) => (int64[] y) <int64[1] k = {1000000000}>
            { f = ConstantOfShape <value = int8[1] {1}> (k) n = NonZero (f)
              y = Gather <axis = 1> (n, i) })",
                                        withoutFusion());
        QVERIFY(large.refusals("fold-constant").starts_with("growth-limit [n]"));
    }

    // The order of the parts is a constant as long as there are channels in the result.
    void anOrderOfManyChannelsIsRefused_data()
    {
        QTest::addColumn<QString>("channels");
        QTest::addColumn<bool>("fits");
        QTest::newRow("few") << "100" << true;
        QTest::newRow("more than the limit") << "300000000" << false;
        QTest::newRow("beyond memory") << "1000000000000" << false;
        QTest::newRow("beyond counting") << "1000000000000000000" << false;
    }
    void anOrderOfManyChannelsIsRefused()
    {
        QFETCH(QString, channels);
        QFETCH(bool, fits);
        const PassRun run = runPasses("g (float[N, " + channels.toStdString() +
                                          R"(, 4, 4] x) => (float[] y)
            <int64[2] axes = {2, 3}, int64[2] ends = {4611686018427387904, 4611686018427387904},
             int64[2] steps = {2, 2}, int64[2] a = {0, 0}, int64[2] b = {1, 0}, int64[2] c = {0, 1},
             int64[2] d = {1, 1}>
            { p0 = Slice (x, a, ends, axes, steps) p1 = Slice (x, b, ends, axes, steps)
              p2 = Slice (x, c, ends, axes, steps) p3 = Slice (x, d, ends, axes, steps)
              y = Concat <axis = 1> (p0, p1, p2, p3) })",
                                      withoutFusion());
        QCOMPARE(run.problem, std::string());
        QCOMPARE(run.refusals("space-to-depth"), std::string(fits ? "" : "growth-limit [y]"));
        QCOMPARE(operatorsOf(run.graph), std::string(fits ? "SpaceToDepth Gather"
                                                          : "Slice Slice Slice Slice Concat"));
    }

    // A list of places longer than their axis takes one twice.
    void aFillOfPlacesIsNotWrittenOut()
    {
        const PassRun run = runPasses(R"(g (float[70] x) => (float[] y, float[] z)
            <int64[1] k = {60000000}, int64[1] one = {1}, int64[1] zero = {0}>
            { f = Expand (zero, k) a = Gather (x, f) y = ReduceSum (a)
              h = Expand (one, k) b = Gather (x, h) z = ReduceSum (b) })",
                                      withoutFusion());
        QCOMPARE(run.problem, std::string());
        QCOMPARE(run.refusals("gather-to-split"), std::string());
        QCOMPARE(operatorsOf(run.graph), std::string("Gather ReduceSum Gather ReduceSum"));
        const GraphView view(run.graph);
        const Node* gather = run.graph.node(nodeNamed(run.graph, "a"));
        QVERIFY(gather);
        QVERIFY(view.constant(gather->input(1)));
        QVERIFY(!integerConstant(view, gather->input(1)));
    }

    // Asked about one node, the same limits hold as for the whole run.
    void explainingCountsTheSameGrowth()
    {
        const std::string text = R"(g (int64 i) => (float[] y, float[] z) <int64[2] k = {1000, 1000}>
            { f = ConstantOfShape (k) [h] h = Neg (f) y = Gather (f, i) z = Gather (h, i) })";
        Plan plan = withoutFusion();
        plan.policy.maxGrowth = 5'000'000;
        const PassRun run = runPasses(text, plan);
        QVERIFY(run.refusals("fold-constant").starts_with("growth-limit [h]"));
        bool asked = false;
        for (const Explanation& one :
             explainNode(run.graph, plan, nodeNamed(run.opened, "h"), run.opened)) {
            if (one.rule != "fold-constant")
                continue;
            asked = true;
            QVERIFY(one.status == Explanation::Status::blocked);
            QVERIFY(one.miss->reasons.front().code == ReasonCode::growthLimit);
        }
        QVERIFY(asked);
    }
};

FUSESCOPE_TEST(DeclaredSizesTest, declared_sizes_test)
#include "declared_sizes_test.moc"
