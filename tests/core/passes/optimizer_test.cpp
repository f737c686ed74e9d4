#include "pass_run.h"

#include "passes/rule_support.h"
#include "support/same_graph.h"
#include "support/test_class.h"

using namespace fusescope;
using namespace fusescope::test;

// Numbers, skips, limits, rounds, fixes, refusals over time, and the way back.
class OptimizerTest : public QObject
{
    Q_OBJECT

    static constexpr std::string_view two = R"(g (float[1, 2, 4, 4] x) => (float[1, 2, 4, 4] y)
        <float[2, 2, 1, 1] W = random(1), float[2] s = random(2, 0.5, 2), float[2] b = random(3),
         float[2] m = random(4), float[2] v = random(5, 0.5, 2)>
        { i = Identity (x)
          [conv1] c1 = Conv (i, W)
          [bn1] n1 = BatchNormalization (c1, s, b, m, v)
          [relu1] r1 = Relu (n1)
          [conv2] c2 = Conv (r1, W)
          [bn2] n2 = BatchNormalization (c2, s, b, m, v)
          [relu2] y = Relu (n2) })";

    // Three Conv + BatchNormalization whose weight of 1024 bytes is one: two copies are needed.
    static constexpr std::string_view shared = R"(g (float[1, 16, 4, 4] x)
        => (float[1, 16, 4, 4] y)
        <float[16, 16, 1, 1] W = random(1), float[16] s = random(2, 0.5, 2), float[16] b = random(3),
         float[16] m = random(4), float[16] v = random(5, 0.5, 2)>
        { c1 = Conv (x, W, b) [bn1] n1 = BatchNormalization (c1, s, b, m, v)
          c2 = Conv (n1, W, b) [bn2] n2 = BatchNormalization (c2, s, b, m, v)
          c3 = Conv (n2, W, b) [bn3] y = BatchNormalization (c3, s, b, m, v) })";

    static std::string refusedUnder(std::int64_t limit)
    {
        Plan plan;
        plan.policy.maxGrowth = limit;
        const PassRun run = runPasses(shared, plan);
        return run.problem.empty() ? run.refusals("conv-batchnorm") : run.problem;
    }

    static Fix fixOf(const PassRun& run, std::string_view rule)
    {
        for (const Blocked& row : run.blocked) {
            for (const Reason& reason : row.miss.reasons) {
                if (row.miss.rule == rule && reason.fix)
                    return *reason.fix;
            }
        }
        return {};
    }

    static Plan withFix(const Fix& fix)
    {
        Plan plan;
        plan.fixes = {fix};
        return plan;
    }

    // Applies the fix that a rule's refusal offers: the rules of the steps that then happen.
    static std::string rulesAfterFix(std::string_view text, std::string_view rule)
    {
        const Graph opened = graphOf(text);
        const PassRun before = runPasses(opened);
        const PassRun after = runPasses(opened, withFix(fixOf(before, rule)));
        return after.problem.empty() ? after.rules() : after.problem;
    }

private Q_SLOTS:
    // Each copy alone is within the limit, their sum is not: the first one takes what there is, and the
    // weight stays shared by the others.
    void growthCountsEveryCopy()
    {
        QCOMPARE(refusedUnder(1 << 20), std::string());
        QCOMPARE(refusedUnder(1500), std::string("growth-limit [W] growth-limit [W]"));
        QCOMPARE(refusedUnder(500),
                 std::string("growth-limit [W] growth-limit [W] growth-limit [W]"));
    }

    void stepsAreNumberedAndOrdered()
    {
        const PassRun run = runPasses(two);
        QCOMPARE(run.problem, std::string());
        QCOMPARE(run.rules(), std::string("remove-identity conv-batchnorm conv-batchnorm "
                                          "conv-activation conv-activation "
                                          "merge-initializers"));
        for (std::size_t i = 0; i < run.steps.size(); ++i)
            QCOMPARE(run.steps[i].number, static_cast<int>(i) + 1);
        QCOMPARE(run.steps[1].root, nodeNamed(run.opened, "bn1"));
        QCOMPARE(run.steps[2].root, nodeNamed(run.opened, "bn2"));
        QCOMPARE(run.steps[1].cost.nodes, std::int64_t{1});
    }

    void aSkippedStepKeepsItsNumber()
    {
        const PassRun all = runPasses(two);
        Plan plan;
        plan.skipNumbers = {2};
        const PassRun run = runPasses(two, plan);
        QCOMPARE(run.problem, std::string());
        QCOMPARE(run.steps[1].state, StepState::skipped);
        QCOMPARE(run.steps[1].number, 2);
        QVERIFY(run.steps[1].patch.empty());
        QCOMPARE(run.steps[2].number, 3);
        QCOMPARE(run.steps[2].root, all.steps[2].root);
        QCOMPARE(run.rules(), std::string("remove-identity conv-batchnorm conv-activation"));
    }

    void aSkipByKeyGivesTheSameIds()
    {
        const Graph opened = graphOf(two);
        const auto pool = std::make_shared<IdPool>(opened);
        const auto runWith = [&](Plan plan) {
            Optimizer optimizer(opened, std::move(plan), pool);
            std::vector<Step> steps;
            for (auto step = optimizer.next(); step && *step; step = optimizer.next())
                steps.push_back(std::move(**step));
            return steps;
        };
        const auto all = runWith({});
        Plan plan;
        plan.skips = {{"conv-batchnorm", {nodeNamed(opened, "bn1")}}};
        const auto some = runWith(plan);
        QCOMPARE(some[1].state, StepState::skipped);
        QCOMPARE(some[2].state, StepState::applied);
        const auto made = [](const Step& step) {
            std::vector<ValueId> ids;
            for (const auto& slot : step.patch.values) {
                if (!slot.before)
                    ids.push_back(slot.id);
            }
            return ids;
        };
        QVERIFY(!made(some[2]).empty());
        QVERIFY(made(some[2]) == made(all[2]));
    }

    void theLimitCountsSkippedStepsToo()
    {
        Plan plan;
        plan.maxSteps = 3;
        plan.skipNumbers = {1};
        const PassRun run = runPasses(two, plan);
        QCOMPARE(run.steps.size(), std::size_t{3});
        QCOMPARE(run.rules(), std::string("conv-batchnorm conv-batchnorm"));
        plan.maxSteps = 0;
        QVERIFY(runPasses(two, plan).steps.empty());
    }

    void aDisabledStageAndRule()
    {
        Plan plan;
        plan.policy.disabled = {"conv-batchnorm", "dead-code"};
        QCOMPARE(runPasses(two, plan).rules(), std::string());
    }

    void aPinnedNodeStaysAndSaysSo()
    {
        const Graph opened = graphOf(two);
        Plan plan;
        plan.policy.pinnedNodes = {nodeNamed(opened, "i")};
        const PassRun run = runPasses(opened, plan);
        QVERIFY(run.refusals("remove-identity").starts_with("pinned"));
        QVERIFY(run.graph.node(nodeNamed(opened, "i")));
    }

    // What a later rule frees is taken up in the next round: a Dropout that drops nothing is no
    // constant until it is gone.
    void roundsRepeatWhileSomethingChanges()
    {
        const PassRun run = runPasses(R"(g (float[2] x) => (float[2] y)
            <float[2] k = {1, 2}, float z = {0}, bool t = {1}>
            { d = Dropout (k, z, t)
              n = Neg (d)
              y = Add (x, n) })",
                                      withoutFusion());
        QCOMPARE(run.problem, std::string());
        QCOMPARE(run.rules(), std::string("remove-dropout fold-constant"));
        QCOMPARE(run.steps.front().round, 1);
        QCOMPARE(run.steps.back().round, 2);
        QCOMPARE(runProblem(run.opened, run.graph, 0), std::string());
    }

    // A fold that the growth limit refuses is legal once dead code has made room.
    void aRefusalThatALaterStepLifts()
    {
        Plan plan = withoutFusion();
        plan.policy.maxGrowth = 0;
        const PassRun run = runPasses(R"(g (int64 i, float[8000] z) => (float y)
            <float[1] one = {1}, int64[1] r = {2000}, float[8000] big = random(1)>
            { t = Tile (one, r)
              y = Gather (t, i)
              d = Add (z, big) })",
                                      plan);
        QCOMPARE(run.problem, std::string());
        QCOMPARE(run.rules(), std::string("remove-dead fold-constant"));
        QCOMPARE(run.steps.back().round, 2);
        QCOMPARE(run.lifted.size(), std::size_t{1});
        const Lifted& lifted = run.lifted.front();
        QVERIFY(lifted.miss.reasons.front().code == ReasonCode::growthLimit);
        QCOMPARE(lifted.until, 2);
        QCOMPARE(run.refusals("fold-constant"), std::string());
        QCOMPARE(runProblem(run.opened, run.graph, 0), std::string());
    }

    void fixesComeFirstAndAreNumbered()
    {
        const PassRun blocked = runPasses(R"(g (float[1, 2, 4, 4] x, float[2, 2, 1, 1] W)
            => (float[1, 2, 4, 4] y)
            <float[2, 2, 1, 1] W = random(1), float[2] s = random(2, 0.5, 2), float[2] b = random(3),
             float[2] m = random(4), float[2] v = random(5, 0.5, 2)>
            { c = Conv (x, W)
              y = BatchNormalization (c, s, b, m, v) })");
        QCOMPARE(blocked.rules(), std::string());
        QCOMPARE(blocked.refusals("conv-batchnorm"), std::string("overridable-initializer [W]"));
        const Fix fix = fixOf(blocked, "conv-batchnorm");
        QVERIFY(fix.kind == FixKind::freezeInitializers);
        QVERIFY(fix.changesInterface && !fix.changesMeaning);
        const PassRun run = runPasses(blocked.opened, withFix(fix));
        QCOMPARE(run.problem, std::string());
        QCOMPARE(run.rules(), std::string("freeze-initializers conv-batchnorm"));
        QVERIFY(run.steps[0].stage == Stage::fixes);
        QCOMPARE(run.steps[0].number, 1);
        QCOMPARE(run.graph.body(run.graph.mainBody())->inputs.size(), std::size_t{1});
        QCOMPARE(runProblem(run.graph, blocked.opened, 1e-5), std::string());
        // Skipped by its number, it changes nothing.
        Plan plan = withFix(fix);
        plan.skipNumbers = {1};
        QCOMPARE(runPasses(blocked.opened, plan).rules(), std::string());
    }

    void batchnormToInference()
    {
        QCOMPARE(rulesAfterFix(R"(g (float[1, 2, 4, 4] x) => (float[1, 2, 4, 4] y)
            <float[2, 2, 1, 1] W = random(1), float[2] s = random(2, 0.5, 2), float[2] b = random(3),
             float[2] m = random(4), float[2] v = random(5, 0.5, 2)>
            { c = Conv (x, W)
              y, rm, rv = BatchNormalization <training_mode = 1> (c, s, b, m, v) })",
                               "conv-batchnorm"),
                 std::string("inference-batchnorm conv-batchnorm"));
    }

    void dropoutToInference()
    {
        QCOMPARE(rulesAfterFix(R"(g (float[2, 3] x) => (float[2, 3] y)
            <float r = {0.5}, bool t = {1}>
            { d = Relu (x)
              e = Dropout (d, r, t)
              y = Neg (e) })",
                               "remove-dropout"),
                 std::string("inference-dropout remove-dropout elementwise-chain"));
    }

    void aProducerForEachReader()
    {
        const std::string text = R"(g (float[1, 2, 4, 4] x) => (float[1, 2, 4, 4] y, float[1, 2, 4, 4] z)
            <float[2, 2, 1, 1] W = random(1), int64[8] p = {0, 0, 1, 1, 0, 0, 1, 1},
             float[2, 2, 3, 3] V = random(2)>
            { q = Pad (x, p)
              y = Conv (q, V)
              t = Slice (q, st, en, ax)
              z = Conv (t, W) }
            )";
        std::string whole = text;
        whole.replace(whole.find("float[2, 2, 3, 3] V"), 0,
                      "int64[2] st = {1, 1}, int64[2] en = {5, 5}, int64[2] ax = {2, 3}, ");
        const Graph opened = graphOf(whole);
        const PassRun before = runPasses(opened);
        QVERIFY(before.refusals("pad-conv").starts_with("multi-consumer"));
        const Fix fix = fixOf(before, "pad-conv");
        QVERIFY(fix.kind == FixKind::duplicateProducer);
        QVERIFY(!fix.changesMeaning && !fix.changesInterface);
        Plan plan = withFix(fix);
        plan.policy.disabled = {"merge-duplicates"};
        const PassRun after = runPasses(opened, plan);
        QCOMPARE(after.problem, std::string());
        QVERIFY(after.rules().find("pad-conv") != std::string::npos);
        QCOMPARE(runProblem(opened, after.graph, 1e-5), std::string());
    }

    void aFixWithAnotherTargetIsRefused()
    {
        const Graph opened = graphOf(two);
        IdPool pool(opened);
        const NodeId relu = nodeNamed(opened, "relu1");
        for (const FixKind kind :
             {FixKind::freezeInitializers, FixKind::inferenceBatchnorm, FixKind::inferenceDropout,
              FixKind::duplicateProducer, FixKind::dropOutput})
            QVERIFY(!fixPatch(opened, pool, {kind, relu, false, false}, {}));
    }

    // Lowered, the records that stood before stand again, by pointer.
    void loweringRestoresTheRecords()
    {
        const Graph opened = graphOf(R"(g (float[1, 2, 4, 4] x) => (float[1, 2, 4, 4] y)
            <float[2, 2, 1, 1] W = random(1)>
            { [c] c = Conv (x, W)
              [a] a = Add (c, x)
              [r] y = Relu (a) })");
        const PassRun run = runPasses(opened);
        QCOMPARE(operatorsOf(run.graph), std::string("region(Conv Add Relu)"));
        Graph lowered = run.graph;
        IdPool pool(opened);
        const auto patch = lower(lowered, pool, ExportForm::standard, &opened);
        QVERIFY(patch);
        QVERIFY(lowered.apply(*patch));
        QVERIFY(lowered.check());
        for (const NodeId id : opened.allNodes())
            QVERIFY(lowered.nodePtr(id) == opened.nodePtr(id));
        QVERIFY(lowered.bodyPtr(lowered.mainBody()) == opened.bodyPtr(opened.mainBody()));
        QCOMPARE(support::differenceOf(lowered, opened), std::string());
    }

    void contribFormIsValid()
    {
        const PassRun run = runPasses(two);
        Graph lowered = run.graph;
        IdPool pool(run.opened);
        const auto patch = lower(lowered, pool, ExportForm::contrib, &run.opened);
        QVERIFY(patch);
        QVERIFY(lowered.apply(*patch));
        QVERIFY(lowered.check());
        QCOMPARE(operatorsOf(lowered), std::string("FusedConv FusedConv"));
        QVERIFY(lowered.header().opset("com.microsoft") > 0);
    }

    void steppingToTheEndAndBackRestoresEveryPointer()
    {
        const PassRun run = runPasses(two);
        Graph graph = run.graph;
        for (auto step = run.steps.rbegin(); step != run.steps.rend(); ++step)
            QVERIFY(graph.apply(step->patch.inverse()));
        for (std::uint32_t i = 1; i < graph.nodeLimit(); ++i)
            QVERIFY(graph.nodePtr(NodeId{i}) == run.opened.nodePtr(NodeId{i}));
        for (std::uint32_t i = 1; i < graph.valueLimit(); ++i)
            QVERIFY(graph.valuePtr(ValueId{i}) == run.opened.valuePtr(ValueId{i}));
        for (std::uint32_t i = 1; i < graph.bodyLimit(); ++i)
            QVERIFY(graph.bodyPtr(BodyId{i}) == run.opened.bodyPtr(BodyId{i}));
        QVERIFY(graph.headerPtr() == run.opened.headerPtr());
    }
};

FUSESCOPE_TEST(OptimizerTest, optimizer_test)
#include "optimizer_test.moc"
