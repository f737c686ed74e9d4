#include "pass_run.h"
#include "report/render.h"
#include "support/random_graph.h"
#include "support/same_graph.h"
#include "support/test_class.h"

#include <fmt/format.h>

#include <set>

using namespace fusescope;
using namespace fusescope::test;

// What holds for every model, on random ones.
class PropertyTest : public QObject
{
    Q_OBJECT

    static constexpr std::uint64_t count = 200;

private Q_SLOTS:
    // Graph::check() after every step, equal outputs at the end, and the bytes back at the start.
    void everyStepIsValidAndKeepsTheOutputs()
    {
        std::set<std::string> seen;
        for (std::uint64_t seed = 1; seed <= count; ++seed) {
            const std::string text = randomGraph(seed);
            const PassRun run = runPasses(text);
            const auto where = [&] { return fmt::format("seed {}\n{}", seed, text); };
            QVERIFY2(run.problem.empty(), (run.problem + "\n" + where()).c_str());
            const std::string differs = runProblem(run.opened, run.graph, 1e-4, seed);
            QVERIFY2(differs.empty(), (differs + "\n" + where()).c_str());
            Graph back = run.graph;
            for (auto step = run.steps.rbegin(); step != run.steps.rend(); ++step) {
                QVERIFY(back.apply(step->patch.inverse()));
                seen.insert(std::string(step->rule));
            }
            QCOMPARE(support::differenceOf(back, run.opened), std::string());
        }
        // The generator reaches what it is for.
        for (const char* rule :
             {"fold-if", "fold-constant", "remove-identity", "remove-dropout", "remove-noop",
              "remove-dead", "merge-duplicates", "reshape-chain", "transpose-chain",
              "cast-chain", "conv-batchnorm", "conv-activation",
              "conv-add-activation", "concat-conv", "pad-conv", "conv-scale", "conv-bias"})
            QVERIFY2(seen.contains(rule), rule);
    }

    // The first prefix whose outputs differ would be the culprit: none is.
    void everyPrefixKeepsTheOutputs()
    {
        for (std::uint64_t seed = 1; seed <= 40; ++seed) {
            const PassRun run = runPasses(randomGraph(seed));
            Graph graph = run.opened;
            for (const Step& step : run.steps) {
                QVERIFY(graph.apply(step.patch));
                const std::string differs = runProblem(run.opened, graph, 1e-4, seed);
                QVERIFY2(differs.empty(), fmt::format("seed {} step {} {}: {}", seed, step.number,
                                                      step.rule, differs)
                                              .c_str());
            }
        }
    }

    void runningAgainFindsNothing()
    {
        for (std::uint64_t seed = 1; seed <= count; ++seed) {
            const PassRun run = runPasses(randomGraph(seed));
            const PassRun again = runPasses(run.graph);
            QVERIFY2(again.steps.empty(), fmt::format("seed {}: {}", seed, again.rules()).c_str());
        }
    }

    // The worklist may change nothing: the refusals are those of asking every root of every pass.
    void theWorklistSaysWhatAFreshScanSays()
    {
        for (std::uint64_t seed = 1; seed <= count; ++seed) {
            const PassRun run = runPasses(randomGraph(seed));
            const PassRun fresh = runPasses(run.graph);
            const auto rows = [](const PassRun& r) {
                std::set<std::string> lines;
                for (const Blocked& row : r.blocked) {
                    // What a region swallowed, or took the partners of, keeps its refusal; a fresh
                    // scan does not look inside.
                    std::vector<NodeId> nodes = row.miss.nodes;
                    nodes.push_back(row.miss.root);
                    if (std::ranges::any_of(nodes, [&r](NodeId id) {
                            const Node* node = r.graph.node(id);
                            const Body* body = node ? r.graph.body(node->body) : nullptr;
                            return !body || body->kind == Body::Kind::region;
                        }))
                        continue;
                    std::string line =
                        fmt::format("{} {}", row.miss.rule, row.miss.root.value);
                    for (const Reason& reason : row.miss.reasons)
                        line += " " + std::string(idOf(reason.code));
                    lines.insert(std::move(line));
                }
                return lines;
            };
            QVERIFY2(rows(run) == rows(fresh), fmt::format("seed {}", seed).c_str());
        }
    }

    void theSameTwice()
    {
        for (std::uint64_t seed = 1; seed <= 50; ++seed) {
            const Graph opened = graphOf(randomGraph(seed));
            const PassRun first = runPasses(opened);
            const PassRun second = runPasses(opened);
            QCOMPARE(first.log(), second.log());
            QCOMPARE(support::differenceOf(first.graph, second.graph), std::string());
        }
    }

    // Lowered, the graph holds standard operators alone, is valid, and computes the same.
    void loweringKeepsTheOutputs()
    {
        for (std::uint64_t seed = 1; seed <= 100; ++seed) {
            const PassRun run = runPasses(randomGraph(seed));
            for (const ExportForm form : {ExportForm::standard, ExportForm::functions}) {
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
                const std::string differs = runProblem(run.opened, lowered, 1e-4, seed);
                QVERIFY2(differs.empty(), fmt::format("seed {}: {}", seed, differs).c_str());
            }
        }
    }
};

FUSESCOPE_TEST(PropertyTest, property_test)
#include "property_test.moc"
