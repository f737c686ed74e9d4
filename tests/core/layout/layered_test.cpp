#include "core/layout/families.h"
#include "layout/layered.h"
#include "layout/quality.h"
#include "support/test_class.h"

using namespace fusescope;
using namespace fusescope::layout;

// The layout of our own, on whole graphs.
class LayeredTest : public QObject
{
    Q_OBJECT

    static Limits noLimits() { return {{}, Clock::now() + std::chrono::minutes(5)}; }

    static Piece pieceOf(const LayoutGraph& graph)
    {
        Piece piece;
        for (const LayoutBox& box : graph.boxes) {
            piece.width.push_back(static_cast<float>(box.width));
            piece.height.push_back(static_cast<float>(box.height));
        }
        for (const LayoutEdge& edge : graph.edges)
            piece.edges.emplace_back(edge.from, edge.to);
        return piece;
    }

    static Piece boxes(int count, EdgeList edges)
    {
        Piece piece;
        piece.width.assign(static_cast<std::size_t>(count), 100);
        piece.height.assign(static_cast<std::size_t>(count), 40);
        piece.edges = std::move(edges);
        return piece;
    }

private Q_SLOTS:
    void crossingIsFoundAndUndone()
    {
        // Two pairs whose order must be turned round.
        const Piece piece = boxes(6, {{0, 2}, {1, 3}, {2, 5}, {3, 4}, {0, 3}});
        const Drawing drawing = drawLayered(piece, {}, noLimits());
        QCOMPARE(measure(piece, drawing).crossings, std::int64_t(0));
    }

    void boxesKeepTheirGap()
    {
        const Piece piece = boxes(5, {{0, 1}, {0, 2}, {0, 3}, {0, 4}});
        const Drawing drawing = drawLayered(piece, {30, 50}, noLimits());
        for (int v = 1; v < 4; ++v)
            QVERIFY(drawing.centre[v + 1].x - drawing.centre[v].x >= 130 - 1e-6);
        QCOMPARE(drawing.centre[1].y - drawing.centre[0].y, 90.0);
        // The parent stands over the middle of its children.
        QVERIFY(std::abs(drawing.centre[0].x - (drawing.centre[1].x + drawing.centre[4].x) / 2) <
                1);
    }

    void longEdgesGoAroundBoxes()
    {
        const Piece piece = boxes(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {0, 5}, {1, 4}});
        const Drawing drawing = drawLayered(piece, {}, noLimits());
        const Quality quality = measure(piece, drawing);
        QCOMPARE(quality.hits, std::int64_t(0));
        QCOMPARE(quality.overlaps, std::int64_t(0));
    }

    void rowsOfTheirOwn()
    {
        Piece piece = boxes(7, {{0, 2}, {1, 3}, {2, 4}, {3, 5}, {2, 6}});
        piece.top = {1, 0};
        piece.bottom = {6, 5};
        const Drawing drawing = drawLayered(piece, {}, noLimits());
        QCOMPARE(drawing.centre[0].y, drawing.centre[1].y);
        QVERIFY(drawing.centre[1].x < drawing.centre[0].x);
        QVERIFY(drawing.centre[6].x < drawing.centre[5].x);
        for (int v = 2; v <= 4; ++v) {
            QVERIFY(drawing.centre[v].y > drawing.centre[0].y);
            QVERIFY(drawing.centre[v].y < drawing.centre[5].y);
        }
    }

    void heavyEdgesAreStraight()
    {
        Piece piece = pieceOf(families::make("inception", 60));
        const Adjacency out = Adjacency::outgoing(piece.size(), piece.edges);
        piece.weight.assign(piece.edges.size(), 1);
        std::vector<int> way{0};
        while (out.degree(way.back()) > 0) {
            const int e = out.of(way.back()).front();
            piece.weight[e] = 50;
            way.push_back(piece.edges[e].second);
        }
        const Drawing drawing = drawLayered(piece, {}, noLimits());
        for (const int v : way)
            QVERIFY(std::abs(drawing.centre[v].x - drawing.centre[0].x) < 1);
    }

    void veryLongEdgesRunBeside()
    {
        // So many long edges that there is no room for all of them in every row.
        EdgeList edges;
        for (int v = 0; v + 1 < 3000; ++v) {
            edges.emplace_back(v, v + 1);
            if (v + 1500 < 3000)
                edges.emplace_back(v, v + 1500);
        }
        const Piece piece = boxes(3000, edges);
        const Drawing drawing = drawLayered(piece, {}, noLimits());
        for (std::size_t e = 0; e < edges.size(); ++e) {
            const Curve& curve = drawing.curves[e];
            const auto [u, v] = edges[e];
            QCOMPARE(curve.front().y, drawing.centre[u].y + 20);
            QCOMPARE(curve.back().y, drawing.centre[v].y - 20);
        }
        double right = 0;
        for (const LayoutPoint& c : drawing.centre)
            right = std::max(right, c.x);
        QVERIFY(drawing.curves[1][6].x > right);
    }

    void noBoxIsHit_data()
    {
        QTest::addColumn<QString>("name");
        for (const std::string& name : families::names())
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }

    void noBoxIsHit()
    {
        QFETCH(QString, name);
        const Piece piece = pieceOf(families::make(name.toStdString(), 300));
        const Quality quality = measure(piece, drawLayered(piece, {}, noLimits()));
        QCOMPARE(quality.overlaps, std::int64_t(0));
        QCOMPARE(quality.hits, std::int64_t(0));
    }

    void finishesPastItsLimits()
    {
        const Piece piece = pieceOf(families::make("random", 500));
        const Limits past{{}, Clock::now() - std::chrono::seconds(1)};
        const Quality quality = measure(piece, drawLayered(piece, {}, past));
        QCOMPARE(quality.overlaps, std::int64_t(0));
    }
};

FUSESCOPE_TEST(LayeredTest, layered_test)
#include "layered_test.moc"
