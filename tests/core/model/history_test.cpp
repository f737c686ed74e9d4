#include "model/graph_text.h"
#include "model/history.h"
#include "report/render.h"
#include "support/same_graph.h"
#include "support/test_class.h"

#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

#include <unistd.h>

using namespace fusescope;

namespace {

// Blocks of Conv, BatchNormalization, Relu and Add, 4 nodes each, and one node before.
std::string residual(int blocks)
{
    std::string text = "g (float[1, 4, 8, 8] x) => (float[1, 4, 8, 8] v" + std::to_string(blocks) +
                       ")\n<float[4] p = fill(1)";
    for (int i = 1; i <= blocks; ++i)
        text += ", float[4, 4, 1, 1] w" + std::to_string(i) + " = fill(0.5)";
    text += "> {\n  v0 = Relu (x)\n";
    for (int i = 1; i <= blocks; ++i) {
        const std::string n = std::to_string(i);
        const std::string before = "v" + std::to_string(i - 1);
        text += "  c" + n + " = Conv (" + before + ", w" + n + ")\n  b" + n +
                " = BatchNormalization (c" + n + ", p, p, p, p)\n  r" + n + " = Relu (b" + n +
                ")\n  v" + n + " = Add (r" + n + ", " + before + ")\n";
    }
    return text + "}";
}

// Takes the BatchNormalization of block i out: Relu reads the Conv.
GraphPatch fold(const Graph& g, std::uint32_t block)
{
    const std::uint32_t conv = 2 + (block - 1) * 4;
    GraphPatch patch;
    const NodeId bn{conv + 1};
    const NodeId relu{conv + 2};
    const ValueId gone = g.node(bn)->outputs[0];
    patch.nodes.push_back({bn, g.nodePtr(bn), nullptr});
    patch.values.push_back({gone, g.valuePtr(gone), nullptr});
    auto reader = std::make_shared<Node>(*g.node(relu));
    reader->inputs[0] = g.node(NodeId{conv})->outputs[0];
    patch.nodes.push_back({relu, g.nodePtr(relu), reader});
    return patch;
}

double residentMegabytes()
{
    std::ifstream file("/proc/self/statm");
    long all = 0;
    long resident = 0;
    file >> all >> resident;
    return static_cast<double>(resident * ::sysconf(_SC_PAGESIZE)) / 1e6;
}

} // namespace

class HistoryTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyStateIsReached()
    {
        Graph graph = parseGraph(residual(200)).value_or(Graph());
        std::vector<Graph> states = {graph};
        History history(graph);
        for (std::uint32_t block = 1; block <= 200; ++block) {
            const auto patch = std::make_shared<const GraphPatch>(fold(history.latest(), block));
            QVERIFY(history.append(patch).has_value());
            states.push_back(history.latest());
        }
        QCOMPARE(history.size(), std::size_t{200});
        // Around the checkpoints, from below and from above.
        for (const std::size_t step : {0U, 1U, 31U, 32U, 33U, 63U, 64U, 65U, 96U, 100U, 127U, 128U,
                                       190U, 199U, 200U}) {
            const Graph at = history.at(step);
            QCOMPARE(support::differenceOf(at, states[step]), std::string());
            QCOMPARE(at.nodeCount(), 801 - step);
            for (const NodeId id : at.allNodes())
                QCOMPARE(at.nodePtr(id), states[step].nodePtr(id));
            QVERIFY(at.check().has_value());
        }
        QCOMPARE(history.at(0).nodePtr(NodeId{3}), graph.nodePtr(NodeId{3}));
    }

    // A caller that applies the patches itself: the states are the same, and the history goes on by
    // itself from there.
    void statesOfPatchesThatWereApplied()
    {
        Graph graph = parseGraph(residual(100)).value_or(Graph());
        std::vector<Graph> states = {graph};
        History history(graph);
        const auto take = [&](std::uint32_t block, bool applied) {
            const auto patch = std::make_shared<const GraphPatch>(fold(graph, block));
            QVERIFY(graph.apply(*patch).has_value());
            if (applied)
                history.append(patch, graph);
            else
                QVERIFY(history.append(patch).has_value());
            states.push_back(graph);
        };
        for (std::uint32_t block = 1; block <= 90; ++block)
            take(block, true);
        QCOMPARE(history.size(), std::size_t{90});
        for (const std::size_t step : {0U, 1U, 40U, 63U, 64U, 65U, 89U, 90U})
            QCOMPARE(support::differenceOf(history.at(step), states[step]), std::string());
        QCOMPARE(support::differenceOf(history.withLatest(graph).latest(), graph), std::string());
        for (std::uint32_t block = 91; block <= 100; ++block)
            take(block, false);
        for (const std::size_t step : {64U, 90U, 95U, 100U})
            QCOMPARE(support::differenceOf(history.at(step), states[step]), std::string());
        QCOMPARE(support::differenceOf(history.latest(), graph), std::string());
    }

    // A patch that is refused late leaves the graph as it was, also where it was written in place.
    void refusedPatchesLeaveNoTrace()
    {
        Graph graph = parseGraph(residual(2)).value_or(Graph());
        GraphPatch patch = fold(graph, 1);
        for (auto& slot : patch.nodes) {
            if (!slot.after)
                continue;
            auto wrong = std::make_shared<Node>(*slot.after);
            wrong->inputs[0] = ValueId{graph.valueLimit() + 7};
            slot.after = std::move(wrong);
            break;
        }
        const Graph before = graph;
        QVERIFY(!graph.apply(patch));
        QCOMPARE(support::differenceOf(graph, before), std::string());
        for (const NodeId id : before.allNodes())
            QCOMPARE(graph.nodePtr(id), before.nodePtr(id));
        QCOMPARE(graph.nodeCount(), before.nodeCount());
        QVERIFY(graph.check().has_value());
    }

    void patchesThatDoNotFitAreNotTaken()
    {
        const Graph graph = parseGraph(residual(2)).value_or(Graph());
        History history(graph);
        const auto patch = std::make_shared<const GraphPatch>(fold(graph, 1));
        QVERIFY(history.append(patch).has_value());
        QVERIFY(!history.append(patch));
        QCOMPARE(history.size(), std::size_t{1});
        QCOMPARE(history.latest().nodeCount(), std::size_t{8});
    }

    void twelveThousandNodes()
    {
        const Graph graph = parseGraph(residual(3000)).value_or(Graph());
        QCOMPARE(graph.nodeCount(), std::size_t{12001});
        const double before = residentMegabytes();
        QElapsedTimer timer;
        timer.start();
        const Graph copy = graph;
        qInfo("one snapshot: %.3f ms", static_cast<double>(timer.nsecsElapsed()) / 1e6);
        timer.start();
        History history(copy);
        for (std::uint32_t block = 1; block <= 3000; ++block)
            QVERIFY(history.append(std::make_shared<const GraphPatch>(fold(history.latest(), block))));
        qInfo("3,000 steps on 12,001 nodes: %.1f ms, %.1f MB",
              static_cast<double>(timer.nsecsElapsed()) / 1e6, residentMegabytes() - before);
        timer.start();
        const Graph middle = history.at(1504);
        qInfo("at(1504): %.3f ms", static_cast<double>(timer.nsecsElapsed()) / 1e6);
        QCOMPARE(middle.nodeCount(), std::size_t{12001 - 1504});
    }

    // What was published is read by others while the next steps are made of it.
    void snapshotsAreReadWhileTheHistoryGrows()
    {
        constexpr std::uint32_t blocks = 60;
        const auto opened = parseGraph(residual(blocks));
        QVERIFY(opened.has_value());
        History history(*opened);
        std::atomic<int> wrong = 0;
        {
            std::vector<std::jthread> readers;
            for (std::uint32_t block = 1; block <= blocks; ++block) {
                const Graph snapshot = history.latest();
                readers.emplace_back([snapshot, &wrong] {
                    // Behind the step, with nothing that puts the two in order: a race that a
                    // thread sanitizer sees.
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                    for (int i = 0; i < 10; ++i)
                        wrong += snapshot.nodes(snapshot.mainBody())->size() == snapshot.nodeCount()
                                     ? 0
                                     : 1;
                });
                const auto patch = std::make_shared<const GraphPatch>(fold(history.latest(), block));
                QVERIFY(history.append(patch).has_value());
            }
        }
        QCOMPARE(wrong.load(), 0);
        QCOMPARE(history.latest().nodeCount(), opened->nodeCount() - blocks);
    }
};

FUSESCOPE_TEST(HistoryTest, history_test)
#include "history_test.moc"
