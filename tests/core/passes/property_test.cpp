#include "pass_run.h"
#include "report/render.h"
#include "seeds.h"
#include "support/random_graph.h"
#include "support/same_graph.h"
#include "support/test_class.h"

#include <fmt/format.h>

#include <set>

using namespace fusescope;
using namespace fusescope::test;

// What holds for every model, on random ones. A longer run, of other seeds too:
// FUSESCOPE_SEEDS=1000-20999 test_core_passes property_test
class PropertyTest : public QObject
{
    Q_OBJECT

    // The refusals, one a line; with `all` unset, only those of nodes that no region swallowed.
    static std::set<std::string> refusals(const PassRun& run, bool all)
    {
        std::set<std::string> lines;
        for (const Blocked& row : run.blocked) {
            std::vector<NodeId> nodes = row.miss.nodes;
            nodes.push_back(row.miss.root);
            const bool swallowed = std::ranges::any_of(nodes, [&run](NodeId id) {
                const Node* node = run.graph.node(id);
                const Body* body = node ? run.graph.body(node->body) : nullptr;
                return !body || body->kind == Body::Kind::region;
            });
            if (swallowed && !all)
                continue;
            std::string line = fmt::format("{} {}", row.miss.rule, row.miss.root.value);
            for (const Reason& reason : row.miss.reasons)
                line += " " + std::string(idOf(reason.code));
            lines.insert(std::move(line));
        }
        return lines;
    }

    // Puts what a FusedConv of com.microsoft means in its place: Conv, Add, activation. Gives how many.
    static int takeFusedConvsApart(Graph& graph)
    {
        int count = 0;
        IdPool pool(graph);
        for (const NodeId id : graph.allNodes()) {
            const Node fused = *graph.node(id);
            if (fused.op.type != "FusedConv")
                continue;
            ++count;
            PatchBuilder builder(graph, pool, "apart", id);
            std::vector<Node> nodes(1);
            nodes[0].op.type = "Conv";
            nodes[0].inputs = fused.inputs;
            nodes[0].inputs.resize(std::min<std::size_t>(3, fused.inputs.size()));
            while (!nodes[0].inputs.back())
                nodes[0].inputs.pop_back();
            nodes[0].attributes = fused.attributes;
            nodes[0].attributes.remove("activation");
            nodes[0].attributes.remove("activation_params");
            const auto follow = [&](const std::string& type) -> Node& {
                const ValueId between = builder.addValue(fused.body);
                nodes.back().outputs = {between};
                nodes.emplace_back();
                nodes.back().op.type = type;
                nodes.back().inputs = {between};
                return nodes.back();
            };
            if (fused.input(3))
                follow("Add").inputs.push_back(fused.input(3));
            const std::string type = fused.attributes.getString("activation", "");
            const auto numbers = fused.attributes.getFloats("activation_params");
            if (!type.empty()) {
                Node& activation = follow(type);
                for (std::size_t i = 0; numbers && i < numbers->size(); ++i) {
                    if (type == "Clip")
                        activation.inputs.push_back(
                            builder.addConstant({}, "bound", Tensor::scalar((*numbers)[i])));
                    else
                        activation.attributes.set({i == 0 ? "alpha" : "beta", (*numbers)[i]});
                }
            }
            nodes.back().outputs = {fused.output(0)};
            builder.removeNode(id);
            for (Node& node : nodes)
                builder.addNode(std::move(node));
            const auto patch = builder.finish();
            if (!patch || !graph.apply(*patch))
                QTest::qFail("a FusedConv cannot be taken apart", __FILE__, __LINE__);
        }
        return count;
    }

private Q_SLOTS:
    // Graph::check() after every step, equal outputs at the end, and the bytes back at the start.
    void everyStepIsValidAndKeepsTheOutputs()
    {
        std::set<std::string> seen;
        const Seeds range = seeds(400);
        for (std::uint64_t seed = range.first; seed <= range.last; ++seed) {
            const std::string text = randomGraph(seed);
            const PassRun run = runPasses(text);
            const auto where = [&] { return fmt::format("seed {}\n{}", seed, text); };
            QVERIFY2(run.problem.empty(), (run.problem + "\n" + where()).c_str());
            const std::string differs = conditionedProblem(
                run.opened, run.graph, toleranceFor(text), seed);
            QVERIFY2(differs.empty(), (differs + "\n" + where()).c_str());
            Graph back = run.graph;
            for (auto step = run.steps.rbegin(); step != run.steps.rend(); ++step) {
                QVERIFY(back.apply(step->patch.inverse()));
                seen.insert(std::string(step->rule));
            }
            QCOMPARE(support::differenceOf(back, run.opened), std::string());
        }
        if (range.asked)
            return;
        // The generator reaches what it is for.
        for (const char* rule :
             {"fold-if", "fold-constant", "remove-identity", "remove-dropout", "remove-noop",
              "remove-dead", "merge-duplicates", "reshape-chain", "transpose-chain",
              "cast-chain", "conv-batchnorm", "conv-activation",
              "conv-add-activation", "concat-conv", "pad-conv", "conv-scale", "conv-bias",
              "merge-initializers", "batchnorm-chain", "silu", "mish", "hard-swish", "gelu",
              "layer-normalization", "transpose-normalization"})
            QVERIFY2(seen.contains(rule), rule);
    }

    // What float32 cannot hold on the way (here a square) is no difference where the rewrite comes
    // nearer to the result in double; another result is.
    void overflowIsToldFromOtherResults()
    {
        constexpr std::string_view written = R"(g (float[2, 3] x) => (float[2, 3] y)
            <float[2, 3] third = {1e20, 2e20, 3e20, 7e20, 8e20, 1e20}, float none = {0},
             float tiny = {1e-20}, float[3] k = {KKK}>
            { z = Mul (x, none) c = Add (z, third) m = ReduceMean <axes = [-1]> (c)
              d = Sub (c, m) p = Mul (d, d) v = ReduceMean <axes = [-1]> (p) e = Add (v, tiny)
              s = Sqrt (e) q = Div (d, s) y = Mul (q, k) })";
        const auto with = [&](const char* k) {
            std::string text(written);
            return graphOf(text.replace(text.find("KKK"), 3, k));
        };
        const PassRun run = runPasses(with("1, 2, 3"));
        QVERIFY(run.rules().starts_with("layer-normalization"));
        QVERIFY(!runProblem(run.opened, run.graph, 1e-4, 1).empty());
        QCOMPARE(conditionedProblem(run.opened, run.graph, 1e-4, 1), std::string());
        // The same graph, but for the numbers that it multiplies by.
        constexpr std::string_view plain = R"(g (float[2, 3] x) => (float[2, 3] y)
            <float[3] k = {KKK}> { y = Mul (x, k) })";
        const auto scaled = [&](const char* k) {
            std::string text(plain);
            return graphOf(text.replace(text.find("KKK"), 3, k));
        };
        QVERIFY(!conditionedProblem(scaled("1, 2, 3"), scaled("1, 2, 3.01"), 1e-4, 1).empty());
    }

    // The first prefix whose outputs differ would be the culprit: none is.
    void everyPrefixKeepsTheOutputs()
    {
        const Seeds range = seeds(100);
        for (std::uint64_t seed = range.first; seed <= range.last; ++seed) {
            const std::string text = randomGraph(seed);
            const PassRun run = runPasses(text);
            Graph graph = run.opened;
            for (const Step& step : run.steps) {
                QVERIFY(graph.apply(step.patch));
                const std::string differs = conditionedProblem(
                    run.opened, graph, toleranceFor(text), seed);
                QVERIFY2(differs.empty(), fmt::format("seed {} step {} {}: {}", seed, step.number,
                                                      step.rule, differs)
                                              .c_str());
            }
        }
    }

    void runningAgainFindsNothing()
    {
        const Seeds range = seeds(200);
        for (std::uint64_t seed = range.first; seed <= range.last; ++seed) {
            const PassRun run = runPasses(randomGraph(seed));
            const PassRun again = runPasses(run.graph);
            QVERIFY2(again.steps.empty(), fmt::format("seed {}: {}", seed, again.rules()).c_str());
        }
    }

    // The worklist may change nothing: what asking every root of every pass refuses, it refuses, and
    // nothing else but for nodes that a region swallowed since. Those keep their refusals, for people
    // ask of them; a fresh scan does not look inside regions.
    void theWorklistSaysWhatAFreshScanSays()
    {
        const Seeds range = seeds(200);
        for (std::uint64_t seed = range.first; seed <= range.last; ++seed) {
            const PassRun run = runPasses(randomGraph(seed));
            const PassRun fresh = runPasses(run.graph);
            const auto missingIn = [](const std::set<std::string>& lines,
                                      const std::set<std::string>& other) {
                std::string missing;
                for (const std::string& line : lines) {
                    if (!other.contains(line))
                        missing += "\n" + line;
                }
                return missing;
            };
            const std::string lost = missingIn(refusals(fresh, true), refusals(run, true));
            QVERIFY2(lost.empty(), fmt::format("seed {}, not kept:{}", seed, lost).c_str());
            const std::string stale = missingIn(refusals(run, false), refusals(fresh, true));
            QVERIFY2(stale.empty(), fmt::format("seed {}, stale:{}", seed, stale).c_str());
        }
    }

    void theSameTwice()
    {
        const Seeds range = seeds(50);
        for (std::uint64_t seed = range.first; seed <= range.last; ++seed) {
            const Graph opened = graphOf(randomGraph(seed));
            const PassRun first = runPasses(opened);
            const PassRun second = runPasses(opened);
            QCOMPARE(first.log(), second.log());
            QCOMPARE(support::differenceOf(first.graph, second.graph), std::string());
        }
    }

    // Lowered, the graph holds no region, is valid, and computes the same.
    void loweringKeepsTheOutputs()
    {
        int contrib = 0;
        const Seeds range = seeds(200);
        for (std::uint64_t seed = range.first; seed <= range.last; ++seed) {
            const std::string text = randomGraph(seed);
            const PassRun run = runPasses(text);
            for (const ExportForm form :
                 {ExportForm::standard, ExportForm::functions, ExportForm::contrib}) {
                Graph lowered = run.graph;
                IdPool pool(run.graph);
                const auto patch = lower(lowered, pool, form, &run.opened);
                QVERIFY(patch);
                QVERIFY(lowered.apply(*patch));
                const auto checked = lowered.check();
                const std::string broken =
                    checked ? std::string() : render(checked.error().message, &lowered);
                QVERIFY2(broken.empty(), fmt::format("seed {} form {}: {}", seed,
                                                     static_cast<int>(form), broken)
                                             .c_str());
                for (const NodeId id : lowered.allNodes())
                    QVERIFY(!lowered.node(id)->region);
                if (form == ExportForm::contrib)
                    contrib += takeFusedConvsApart(lowered);
                const std::string differs = conditionedProblem(
                    run.opened, lowered, toleranceFor(text), seed);
                QVERIFY2(differs.empty(), fmt::format("seed {} form {}: {}", seed,
                                                      static_cast<int>(form), differs)
                                              .c_str());
            }
        }
        QVERIFY2(range.asked || contrib > 10, std::to_string(contrib).c_str());
    }
};

FUSESCOPE_TEST(PropertyTest, property_test)
#include "property_test.moc"
