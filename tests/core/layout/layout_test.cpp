#include "layout/layout.h"

#include "core/layout/checks.h"
#include "core/layout/families.h"
#include "support/test_class.h"

#include <cmath>
#include <limits>

using namespace fusescope;
using checks::draw;
using checks::graphOf;
using checks::problemsOf;

class LayoutTest : public QObject
{
    Q_OBJECT

    using Edges = QList<QPair<int, int>>;

    static void drawnWell(const LayoutGraph& graph, LayoutOptions options = {})
    {
        for (const bool graphviz : {true, false}) {
            for (const auto direction :
                 {LayoutDirection::topToBottom, LayoutDirection::leftToRight}) {
                options.useGraphviz = graphviz;
                options.direction = direction;
                const LayoutResult result = draw(graph, options);
                QCOMPARE(problemsOf(graph, result, direction), QString());
                QVERIFY(!result.deadlineMissed);
            }
        }
    }

private Q_SLOTS:
    void nothing()
    {
        const LayoutResult result = draw({});
        QVERIFY(result.boxes.empty());
        QCOMPARE(result.width, 0.0);
        QCOMPARE(result.height, 0.0);
    }

    void oneBoxIsTheWhole()
    {
        const LayoutResult result = draw(graphOf(1, {}));
        QCOMPARE(result.boxes[0], (LayoutRect{0, 0, 100, 40}));
        QCOMPARE(result.width, 100.0);
        QCOMPARE(result.height, 40.0);
    }

    void chainGoesStraightDown()
    {
        const LayoutGraph graph = graphOf(3, {{0, 1}, {1, 2}});
        const LayoutResult result = draw(graph);
        QCOMPARE(result.boxes[0].centre().x, result.boxes[2].centre().x);
        QCOMPARE(result.boxes[1].y, result.boxes[0].bottom() + LayoutOptions().rankGap);
        QCOMPARE(result.edges[0].points.front(),
                 (LayoutPoint{result.boxes[0].centre().x, result.boxes[0].bottom()}));
        QCOMPARE(result.edges[0].points.back().y, result.boxes[1].y);
        LayoutOptions options;
        options.direction = LayoutDirection::leftToRight;
        const LayoutResult turned = draw(graph, options);
        QCOMPARE(turned.boxes[1].x, turned.boxes[0].right() + options.rankGap);
        QCOMPARE(turned.boxes[1].centre().y, turned.boxes[0].centre().y);
        QCOMPARE(turned.boxes[1].width, 120.0);
    }

    void edgesPointDown()
    {
        const LayoutGraph graph = families::make("bert", 200);
        for (const bool graphviz : {true, false}) {
            LayoutOptions options;
            options.useGraphviz = graphviz;
            const LayoutResult result = draw(graph, options);
            for (const LayoutEdge& edge : graph.edges)
                QVERIFY(result.boxes[edge.from].bottom() < result.boxes[edge.to].y);
        }
    }

    void oddGraphs_data()
    {
        QTest::addColumn<int>("boxes");
        QTest::addColumn<Edges>("edges");
        QTest::newRow("loop") << 1 << Edges{{0, 0}};
        QTest::newRow("loop in a chain") << 3 << Edges{{0, 1}, {1, 1}, {1, 2}};
        QTest::newRow("twice the same edge") << 2 << Edges{{0, 1}, {0, 1}};
        QTest::newRow("cycle of two") << 2 << Edges{{0, 1}, {1, 0}};
        QTest::newRow("cycle of three and a tail") << 4 << Edges{{0, 1}, {1, 2}, {2, 0}, {2, 3}};
        QTest::newRow("backwards in the list") << 3 << Edges{{2, 1}, {1, 0}};
        QTest::newRow("two parts") << 5 << Edges{{0, 1}, {2, 3}, {3, 4}};
        QTest::newRow("only boxes") << 40 << Edges{};
        QTest::newRow("star") << 30 << [] {
            Edges edges;
            for (int i = 1; i < 30; ++i)
                edges.append({0, i});
            return edges;
        }();
        QTest::newRow("all to all later") << 12 << [] {
            Edges edges;
            for (int i = 0; i < 12; ++i) {
                for (int j = i + 1; j < 12; ++j)
                    edges.append({i, j});
            }
            return edges;
        }();
        QTest::newRow("two ends, one of them early")
            << 6 << Edges{{0, 1}, {0, 2}, {2, 3}, {3, 4}, {4, 5}};
    }

    void oddGraphs()
    {
        QFETCH(int, boxes);
        QFETCH(Edges, edges);
        LayoutGraph graph = graphOf(boxes, {});
        for (const auto& [from, to] : edges)
            graph.edges.push_back({from, to});
        drawnWell(graph);
    }

    void equalEdgesAreTwoLines()
    {
        LayoutGraph graph = graphOf(2, {{0, 1}, {0, 1}});
        graph.edges[1].toPort = 1;
        const LayoutResult result = draw(graph);
        QVERIFY(result.edges[0].points.back().x + 5 < result.edges[1].points.back().x);
    }

    void edgesIntoABoxKeepTheirOrder()
    {
        LayoutGraph graph = graphOf(4, {{0, 3}, {1, 3}, {2, 3}});
        const LayoutResult result = draw(graph);
        std::vector<std::pair<double, double>> ends;
        for (int e = 0; e < 3; ++e)
            ends.emplace_back(result.boxes[e].centre().x, result.edges[e].points.back().x);
        std::sort(ends.begin(), ends.end());
        QVERIFY(ends[0].second + 5 < ends[1].second);
        QVERIFY(ends[1].second + 5 < ends[2].second);
    }

    void oddSizes()
    {
        LayoutGraph graph = graphOf(6, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {3, 5}});
        graph.boxes[0] = {0, 0};
        graph.boxes[1] = {-5, -1};
        graph.boxes[2] = {std::numeric_limits<double>::quiet_NaN(), 20};
        graph.boxes[3] = {200'000, 30};
        graph.boxes[4] = {3, 90'000};
        graph.boxes[5] = {std::numeric_limits<double>::infinity(), 5};
        for (const bool graphviz : {true, false}) {
            LayoutOptions options;
            options.useGraphviz = graphviz;
            const LayoutResult result = draw(graph, options);
            QVERIFY(std::isfinite(result.width) && std::isfinite(result.height));
            for (std::size_t i = 0; i < 6; ++i) {
                QVERIFY(result.boxes[i].width >= 1 && result.boxes[i].height >= 1);
                for (std::size_t j = i + 1; j < 6; ++j) {
                    const LayoutRect &a = result.boxes[i], &b = result.boxes[j];
                    QVERIFY(a.right() <= b.x || b.right() <= a.x || a.bottom() <= b.y ||
                            b.bottom() <= a.y);
                }
            }
        }
    }

    void families_data()
    {
        QTest::addColumn<QString>("name");
        for (const std::string& name : families::names())
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }

    void families()
    {
        QFETCH(QString, name);
        drawnWell(families::make(name.toStdString(), 120));
        LayoutOptions options;
        options.stubFanOut = 0;
        drawnWell(families::make(name.toStdString(), 400), options);
    }

    void equalInputEqualDrawing()
    {
        for (const char* name : {"bert", "unet", "random", "detect"}) {
            const LayoutGraph graph = families::make(name, 300);
            LayoutOptions cold;
            cold.useCache = false;
            const LayoutResult a = draw(graph, cold);
            for (int run = 0; run < 3; ++run) {
                const LayoutResult b = draw(graph, run == 0 ? cold : LayoutOptions());
                QVERIFY(a.boxes == b.boxes);
                QVERIFY(a.edges == b.edges);
            }
        }
    }

    void longFanOutsAreStubs()
    {
        const LayoutGraph graph = families::make("bert", 900);
        const LayoutResult result = draw(graph);
        std::map<int, std::pair<int, int>> lines; // of each box: lines, stubs
        for (std::size_t e = 0; e < graph.edges.size(); ++e) {
            auto& [normal, stubs] = lines[graph.edges[e].from];
            ++(result.edges[e].stub ? stubs : normal);
        }
        int stubbed = 0;
        for (const auto& [box, count] : lines) {
            if (count.second == 0)
                continue;
            ++stubbed;
            QVERIFY(count.first >= 1); // the nearest reader has a line
            QVERIFY(count.first + count.second >= LayoutOptions().stubFanOut);
        }
        QCOMPARE(stubbed, 1); // the mask
        QCOMPARE(problemsOf(graph, result, LayoutDirection::topToBottom), QString());
        LayoutOptions options;
        options.stubFanOut = 0;
        for (const LayoutPath& path : draw(graph, options).edges)
            QVERIFY(!path.stub);
    }

    void stubsOnRequest()
    {
        LayoutGraph graph = graphOf(3, {{0, 2}, {1, 2}});
        graph.edges[1].kind = LayoutEdgeKind::stub;
        graph.edges[1].stubWidth = 90;
        for (const auto direction : {LayoutDirection::topToBottom, LayoutDirection::leftToRight}) {
            LayoutOptions options;
            options.direction = direction;
            const LayoutResult result = draw(graph, options);
            QVERIFY(result.edges[1].stub && !result.edges[0].stub);
            QCOMPARE(result.edges[1].pill.width, 90.0);
            QCOMPARE(result.edges[1].pill.height, options.stubHeight);
            QCOMPARE(problemsOf(graph, result, direction), QString());
            const LayoutPoint start = result.edges[1].points.front();
            const LayoutRect pill = result.edges[1].pill;
            if (direction == LayoutDirection::topToBottom)
                QCOMPARE(start.y, pill.bottom());
            else
                QCOMPARE(start.x, pill.right());
        }
    }

    void chainWithStubsGoesStraightDown()
    {
        // Twelve boxes below each other that all read one value by a stub.
        LayoutGraph graph = graphOf(13, {});
        for (int i = 1; i < 13; ++i) {
            graph.boxes[i].width = 280;
            if (i > 1)
                graph.edges.push_back({i - 1, i});
            graph.edges.push_back({0, i, 0, 1, LayoutEdgeKind::stub});
        }
        const LayoutResult result = draw(graph);
        for (int i = 2; i < 13; ++i)
            QVERIFY2(std::abs(result.boxes[i].centre().x - result.boxes[i - 1].centre().x) < 2,
                     qPrintable(QString::number(i)));
        QCOMPARE(problemsOf(graph, result, LayoutDirection::topToBottom), QString());
    }

    void manyStubsOfOneReader()
    {
        LayoutGraph graph = graphOf(12, {});
        for (int i = 0; i < 11; ++i) {
            graph.edges.push_back({i, 11});
            graph.edges.back().kind = LayoutEdgeKind::stub;
            graph.edges.back().toPort = i;
        }
        drawnWell(graph);
    }

    void enginesAreNamed()
    {
        LayoutOptions options;
        QCOMPARE(draw(families::make("random", 60), options).engine, LayoutEngine::dot);
        QCOMPARE(draw(families::make("bert", 1000), options).engine, LayoutEngine::segmentedDot);
        options.useGraphviz = false;
        QCOMPARE(draw(families::make("bert", 1000), options).engine, LayoutEngine::fallback);
        QCOMPARE(layoutEngineName(LayoutEngine::segmentedDot), std::string_view("segmented-dot"));
        QCOMPARE(layoutEngineName(LayoutEngine::dot), std::string_view("dot"));
        QCOMPARE(layoutEngineName(LayoutEngine::fallback), std::string_view("fallback"));
    }

    void notAGraph()
    {
        const auto refused = [](const LayoutGraph& graph) {
            const auto result = layoutGraph(graph, {}, {}, {});
            return !result && result.error().code == ErrorCode::invalidArgument;
        };
        QVERIFY(refused(graphOf(2, {{0, 2}})));
        QVERIFY(refused(graphOf(2, {{-1, 0}})));
        LayoutGraph graph = graphOf(3, {});
        graph.boxes[0].parent = 3;
        QVERIFY(refused(graph));
        graph.boxes[0].parent = 1;
        graph.boxes[1].parent = 2;
        graph.boxes[2].parent = 0;
        QVERIFY(refused(graph));
        graph.boxes[2].parent = 2;
        QVERIFY(refused(graph));
    }
};

FUSESCOPE_TEST(LayoutTest, layout_test)
#include "layout_test.moc"
