#include "allocations.h"
#include "ops/call_sizes.h"
#include "pass_run.h"
#include "passes/pass.h"
#include "passes/rule_support.h"
#include "report/render.h"
#include "support/test_class.h"

#include <functional>

using namespace fusescope;
using namespace fusescope::test;

namespace {

// Constant Ifs, all of whose branches call their values the same.
std::string ifs(int count)
{
    std::string text = "g (float[2] x) => (float[2] y) <bool t = {1}> {\n";
    for (int i = 0; i < count; ++i) {
        const std::string from = i == 0 ? "x" : "v" + std::to_string(i - 1);
        const std::string to = i + 1 == count ? "y" : "v" + std::to_string(i);
        text += to + " = If (t) <then_branch = a () => (float[2] r) { s = Neg (" + from +
                ") r = Abs (s) }, else_branch = b () => (float[2] q) { q = Exp (" + from + ") }>\n";
    }
    return text + "}";
}

std::int64_t callsIn(const Graph& graph, BodyId function)
{
    std::int64_t count = 0;
    for (const NodeId id : graph.allNodes())
        count += graph.functionOf(graph.node(id)->op) == function ? 1 : 0;
    return count;
}

} // namespace

// What the passes look at grows no faster than the model.
class WorkTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Each Sum reads the one before many times: the paths to x are 24^12.
    void sumsOfOneValueAreReadOnce()
    {
        std::string text = "g (float[2] x) => (float[2] y) <float[1] zero = {0}> { s0 = Neg (x)\n";
        for (int i = 0; i < 12; ++i) {
            const std::string from = "s" + std::to_string(i);
            text += "s" + std::to_string(i + 1) + " = Sum (" + from;
            for (int k = 1; k < 24; ++k)
                text += ", " + from;
            text += ")\n";
        }
        const PassRun run = runPasses(text + "y = Add (s12, zero) }", withoutFusion());
        QCOMPARE(run.problem, std::string());
        QVERIFY(operatorsOf(run.graph).ends_with("Sum Add"));
    }

    // Every reader of a value may be the last part of a Split; the others are read for that one only.
    void partsOfASplitAreReadForOneRoot()
    {
        const Pass& pass = *findPass("gather-to-split");
        const auto asked = [&pass](int count) {
            std::string inputs, body, outputs;
            for (int i = 0; i < count; ++i) {
                const std::string n = std::to_string(i);
                inputs += (i > 0 ? ", int64[1] i" : "int64[1] i") + n + " = {" + n + "}";
                outputs += (i > 0 ? ", float[1] y" : "float[1] y") + n;
                body += "y" + n + " = Gather (x, i" + n + ")\n";
            }
            const Graph graph = graphOf("g (float[" + std::to_string(count) + "] x) => (" + outputs +
                                        ") <" + inputs + "> {\n" + body + "}");
            const Policy policy;
            const CallSizes calls(graph);
            const CallCounts callers(graph);
            const PassContext context{
                {GraphView(graph), policy, nullptr, 0}, evaluateForFolding(), calls, callers, {}};
            const std::size_t before = allocations();
            int offers = 0;
            for (const NodeId id : graph.allNodes())
                offers += std::holds_alternative<Offer>(pass.examine(context, id)) ? 1 : 0;
            return std::pair(offers, allocations() - before);
        };
        const auto few = asked(32);
        const auto many = asked(256);
        QCOMPARE(few.first, 1);
        QCOMPARE(many.first, 1);
        QVERIFY2(many.second < 24 * few.second, // eight times as many readers
                 qPrintable(QString("%1 and %2").arg(few.second).arg(many.second)));
    }

    // A model that has grown asks each question under what is left of the limit, not under a policy
    // of its own: a model of many annotations would be copied for each.
    void aGrownModelAsksUnderTheSamePolicy()
    {
        const Graph graph = graphOf(R"(g (float[1, 3, 8, 8] x) => (float[1, 4, 8, 8] y)
            <float[4, 3, 1, 1] W = random(1), float[4] s = random(2, 0.5, 2), float[4] b = random(3),
             float[4] m = random(4), float[4] v = random(5, 0.5, 2)>
            { c = Conv (x, W)
              [bn] y = BatchNormalization (c, s, b, m, v) })");
        const Pass& pass = *findPass("conv-batchnorm");
        const CallSizes calls(graph);
        const CallCounts callers(graph);
        const auto asked = [&](const Policy& policy, std::int64_t grown) {
            const PassContext context{
                {GraphView(graph), policy, nullptr, grown}, evaluateForFolding(), calls, callers, {}};
            const std::size_t before = allocations();
            const PassAnswer answer = pass.examine(context, nodeNamed(graph, "bn"));
            const std::size_t used = allocations() - before;
            return std::holds_alternative<Offer>(answer) ? used : std::size_t{0};
        };
        Policy policy;
        asked(policy, 0); // tables that are made once
        const std::size_t few = asked(policy, 0);
        QVERIFY(few > 0);
        for (std::uint32_t i = 1; i <= 4000; ++i)
            policy.annotated[ValueId{1000 + i}] = {ValueId{i}};
        QCOMPARE(asked(policy, 1), few);
        QCOMPARE(asked(policy, 1 << 20), few);
    }

    // What is left is said, and it counts from the model as opened.
    void whatIsLeftOfTheLimit()
    {
        const Graph graph;
        Policy policy;
        policy.maxGrowth = 100;
        const auto left = [&](std::int64_t grown) {
            return MatchContext{GraphView(graph), policy, nullptr, grown}.growthLeft();
        };
        QCOMPARE(left(-50), std::int64_t{100});
        QCOMPARE(left(40), std::int64_t{60});
        QCOMPARE(left(140), std::int64_t{0});
    }

    void openingAnIfAsksForItsNamesAlone()
    {
        std::vector<std::size_t> looked;
        for (const int count : {50, 200}) {
            const Graph opened = graphOf(ifs(count));
            const auto pool = std::make_shared<IdPool>(opened);
            Optimizer optimizer(opened, withoutFusion(), pool);
            int opens = 0;
            for (auto step = optimizer.next(); step && *step; step = optimizer.next())
                opens += (*step)->rule == "fold-if" ? 1 : 0;
            QCOMPARE(opens, count);
            QVERIFY(optimizer.graph().check());
            // Names stay apart, though all branches had the same.
            std::set<std::string> names;
            const Graph& graph = optimizer.graph();
            for (std::uint32_t i = 1; i < graph.valueLimit(); ++i) {
                if (const Value* value = graph.value(ValueId{i}); value && !value->name.empty())
                    QVERIFY2(names.insert(value->name).second, value->name.c_str());
            }
            looked.push_back(pool->valuesLookedAt());
        }
        QVERIFY(looked[0] >= 50);
        QVERIFY2(looked[1] <= looked[0] * 5, std::to_string(looked[1]).c_str()); // four times as many
    }

    // Each step takes one of the readers of x: the others are not asked again for it.
    void readersOfOneValueAreAskedOnce()
    {
        std::vector<std::size_t> used;
        for (const int count : {100, 400}) {
            std::string text = "g (float[2] x) => (float[2] y) <bool t = {1}> {\n";
            for (int i = 0; i < count; ++i) {
                const std::string n = std::to_string(i);
                text += "v" + n + " = If (t) <then_branch = a () => (float[2] r) { r = Neg (x) }, "
                        "else_branch = b () => (float[2] q) { q = Exp (x) }>\n" +
                        (i + 1 == count ? "y" : "s" + n) + " = MatMul (" +
                        (i == 0 ? "x" : "s" + std::to_string(i - 1)) + ", v" + n + ")\n";
            }
            const Graph opened = graphOf(text + "}");
            Optimizer optimizer(opened, withoutFusion());
            const std::size_t before = allocations();
            int steps = 0;
            for (auto step = optimizer.next(); step && *step; step = optimizer.next())
                ++steps;
            used.push_back(allocations() - before);
            QVERIFY(steps >= count);
        }
        QVERIFY2(used[1] <= used[0] * 5, std::to_string(used[1]).c_str()); // four times as many
    }

    // A function goes with its last call, which the counts know without looking for others.
    void callsAreCounted()
    {
        const Graph opened = graphOf(R"(<ir_version: 8, opset_import: ["" : 17, "f" : 1]>
            g (float[4] x, bool c) => (float[4] y) {
                a = f.one (x)
                b = If (c) <then_branch = t () => (float[4] p) { p = f.two (a) },
                            else_branch = e () => (float[4] q) { q = f.one (a) }>
                y = f.two (b) }
            <domain: "f", opset_import: ["" : 17, "f" : 1]> one (a) => (b) { b = Neg (a) }
            <domain: "f", opset_import: ["" : 17, "f" : 1]> two (a) => (b)
                { t = f.one (a) b = f.one (t) })");
        CallCounts counts(opened);
        Optimizer optimizer(opened, withoutFusion());
        const auto compare = [&](const Graph& graph) {
            for (const BodyId function : opened.header().functions) {
                if (graph.body(function))
                    QCOMPARE(counts.of(function), callsIn(graph, function));
            }
        };
        compare(opened);
        int inlined = 0;
        for (auto step = optimizer.next(); step && *step; step = optimizer.next()) {
            counts.apply(optimizer.graph(), (*step)->patch);
            compare(optimizer.graph());
            inlined += (*step)->rule == "inline-function" ? 1 : 0;
        }
        QCOMPARE(inlined, 8);
        QVERIFY(optimizer.graph().header().functions.empty());
    }

    // Neither a name of the Loop's own body, which would hide the outer value and is changed, nor the
    // same name elsewhere keeps a value from being hoisted.
    void hoistingAsksForNoNames()
    {
        const auto hoisted = [](const std::string& inside, const std::string& outside) {
            const PassRun run = runPasses(
                "g (int64 n, bool c, float[2] x, float[2] k, bool d) => (float[2] y, float[2] z) {\n"
                "y, kk = Loop (n, c, x, k) <body = b (int64 i, bool go, float[2] a, float[2] m) => "
                "(bool go2, float[2] r, float[2] m) { go2 = Identity (go) " +
                    inside + " = Neg (a) r = Add (" + inside + ", m) }>\n" +
                    "z = If (d) <then_branch = t () => (float[2] p) { " + outside +
                    " = Exp (x) p = Neg (" + outside +
                    ") }, else_branch = e () => (float[2] q) { q = Sin (x) }> }",
                withoutFusion());
            return run.problem.empty() ? run.rules() : run.problem;
        };
        QVERIFY2(hoisted("s", "u").find("hoist-invariant") != std::string::npos,
                 hoisted("s", "u").c_str());
        QVERIFY(hoisted("k", "u").find("hoist-invariant") != std::string::npos);
        QVERIFY(hoisted("s", "k").find("hoist-invariant") != std::string::npos);
    }
};

FUSESCOPE_TEST(WorkTest, work_test)
#include "work_test.moc"
