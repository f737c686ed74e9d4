#include "core/layout/checks.h"
#include "support/test_class.h"

using namespace fusescope;
using checks::draw;
using checks::graphOf;
using checks::problemsOf;

// Frames: bodies of control flow, opened blocks and regions.
class FramesTest : public QObject
{
    Q_OBJECT

    static void drawnWell(const LayoutGraph& graph)
    {
        for (const bool graphviz : {true, false}) {
            for (const auto direction :
                 {LayoutDirection::topToBottom, LayoutDirection::leftToRight}) {
                LayoutOptions options;
                options.useGraphviz = graphviz;
                options.direction = direction;
                QCOMPARE(problemsOf(graph, draw(graph, options), direction), QString());
            }
        }
    }

    // 0 -> If 1 (then 2: 4 -> 5; else 3: 6) -> 7, and 0 is read inside both.
    static LayoutGraph branches()
    {
        LayoutGraph graph = graphOf(8, {{0, 1}, {1, 7}, {4, 5}, {0, 4}, {0, 6}});
        graph.boxes[1].height = 24;
        graph.boxes[2] = {60, 22, 1};
        graph.boxes[3] = {60, 22, 1};
        graph.boxes[4].parent = graph.boxes[5].parent = 2;
        graph.boxes[6].parent = 3;
        return graph;
    }

private Q_SLOTS:
    void frameGrowsAroundWhatItHolds()
    {
        LayoutGraph graph = graphOf(3, {{1, 2}});
        graph.boxes[0] = {50, 22};
        graph.boxes[1].parent = graph.boxes[2].parent = 0;
        const LayoutResult result = draw(graph);
        const LayoutOptions options;
        QCOMPARE(result.boxes[0], (LayoutRect{0, 0, result.width, result.height}));
        QCOMPARE(result.boxes[1].y, 22 + options.framePadding);
        QCOMPARE(result.boxes[0].bottom() - result.boxes[2].bottom(), options.framePadding);
        drawnWell(graph);
    }

    void leastWidthIsKept()
    {
        LayoutGraph graph = graphOf(2, {});
        graph.boxes[0] = {500, 22};
        graph.boxes[1].parent = 0;
        const LayoutResult result = draw(graph);
        QVERIFY(result.boxes[0].width >= 500);
        QVERIFY(std::abs(result.boxes[1].centre().x - result.boxes[0].centre().x) < 1);
        drawnWell(graph);
    }

    void branchesOfAnIf() { drawnWell(branches()); }

    void captureEntersThroughTheBorder()
    {
        const LayoutGraph graph = branches();
        const LayoutResult result = draw(graph);
        const LayoutRect frame = result.boxes[2];
        const auto& points = result.edges[3].points;
        QVERIFY(points.front().y < result.boxes[1].y);
        // It crosses the upper border of the frame and comes in by no other side.
        bool entered = false;
        for (std::size_t i = 3; i < points.size(); i += 3) {
            const bool inside = points[i].y > frame.y + 0.5;
            if (inside) {
                QVERIFY(points[i].x > frame.x && points[i].x < frame.right());
                entered = true;
            } else {
                QVERIFY(!entered);
            }
        }
        QVERIFY(entered);
    }

    void openedBlockInAChain()
    {
        // 0 -> [2 -> 3 -> 4] -> 5, with a skip 0 -> 4 and a second way 2 -> 5 out of the block 1.
        LayoutGraph graph = graphOf(6, {{0, 2}, {2, 3}, {3, 4}, {4, 5}, {0, 4}, {2, 5}});
        graph.boxes[1] = {60, 22};
        for (const int i : {2, 3, 4})
            graph.boxes[i].parent = 1;
        drawnWell(graph);
        const LayoutResult result = draw(graph);
        QVERIFY(result.boxes[0].bottom() < result.boxes[1].y);
        QVERIFY(result.boxes[1].bottom() < result.boxes[5].y);
    }

    void edgesBetweenAFrameAndItsOwn()
    {
        LayoutGraph graph = graphOf(4, {{0, 1}, {1, 2}, {2, 0}, {0, 3}});
        graph.boxes[0] = {60, 22};
        graph.boxes[1].parent = graph.boxes[2].parent = 0;
        const LayoutResult result = draw(graph);
        QVERIFY(result.edges[0].points.front().y >= result.boxes[0].y + 22);
        QCOMPARE(result.edges[2].points.back().y, result.boxes[0].bottom());
        drawnWell(graph);
    }

    void framesInFrames()
    {
        LayoutGraph graph = graphOf(12, {});
        for (int i = 1; i < 12; ++i) {
            graph.boxes[i - 1].height = 20;
            graph.boxes[i].parent = i - 1;
        }
        graph.boxes.push_back({80, 30});
        graph.edges.push_back({12, 11});
        graph.edges.push_back({11, 12});
        drawnWell(graph);
    }

    void cycleOnlyByFrames()
    {
        // 1 -> 3 -> 2 goes out of the frame 0 and back into it.
        LayoutGraph graph = graphOf(4, {{1, 3}, {3, 2}, {1, 2}});
        graph.boxes[0] = {60, 22};
        graph.boxes[1].parent = graph.boxes[2].parent = 0;
        drawnWell(graph);
    }

    void manyCapturesOfALongBody()
    {
        LayoutGraph graph = graphOf(2, {{0, 1}});
        graph.boxes[1] = {60, 22};
        int last = -1;
        for (int i = 0; i < 120; ++i) {
            const int box = static_cast<int>(graph.boxes.size());
            graph.boxes.push_back({90, 30, 1});
            if (last >= 0)
                graph.edges.push_back({last, box});
            if (i % 10 == 0)
                graph.edges.push_back({0, box});
            last = box;
        }
        drawnWell(graph);
        const LayoutResult result = draw(graph);
        int stubs = 0;
        for (const LayoutPath& path : result.edges)
            stubs += path.stub;
        QVERIFY(stubs >= 9); // the far readers of one value
    }

    void fewCapturesOfALongBodyAreLines()
    {
        LayoutGraph graph = graphOf(2, {});
        graph.boxes[1] = {60, 22};
        for (int i = 0; i < 200; ++i) {
            graph.boxes.push_back({90, 30, 1});
            if (i > 0)
                graph.edges.push_back({i + 1, i + 2});
        }
        graph.edges.push_back({0, 150});
        graph.edges.push_back({0, 190});
        graph.edges.push_back({60, 0});
        drawnWell(graph);
    }

    void tooDeepIsRefused()
    {
        LayoutGraph graph = graphOf(3000, {});
        for (int i = 1; i < 3000; ++i)
            graph.boxes[i].parent = i - 1;
        QVERIFY(!layoutGraph(graph, {}, {}, {}));
    }
};

FUSESCOPE_TEST(FramesTest, frames_test)
#include "frames_test.moc"
