// label: slow
#include "core/layout/checks.h"
#include "core/layout/families.h"
#include "layout/quality.h"
#include "layout/worker_pool.h"
#include "support/test_class.h"

using namespace fusescope;
using namespace fusescope::layout;

// The measure itself, and the drawings in segments against dot on the whole.
class QualityTest : public QObject
{
    Q_OBJECT

    static Quality qualityOf(const LayoutGraph& graph, const LayoutResult& result)
    {
        std::vector<Wire> wires;
        for (std::size_t e = 0; e < graph.edges.size(); ++e)
            wires.push_back(
                {graph.edges[e].from, graph.edges[e].to, flattened(result.edges[e].points)});
        return measure(result.boxes, wires);
    }

    static std::vector<LayoutRect> twoBoxes(double x, double y)
    {
        return {{0, 0, 20, 10}, {x, y, 20, 10}};
    }

private Q_SLOTS:
    void measuresWhatIsThere()
    {
        const std::vector<LayoutRect> boxes{{0, 0, 20, 10},
                                            {200, 0, 20, 10},
                                            {0, 200, 20, 10},
                                            {200, 200, 20, 10},
                                            {90, 60, 20, 10}};
        const Wire down{0, 3, {{10, 10}, {210, 200}}};
        const Wire up{1, 2, {{210, 10}, {10, 200}}};
        const Wire through{0, 1, {{10, 10}, {100, 65}, {210, 10}}};
        Quality quality = measure(boxes, {down, up});
        QCOMPARE(quality.crossings, std::int64_t(1));
        QCOMPARE(quality.hits, std::int64_t(0));
        QCOMPARE(quality.overlaps, std::int64_t(0));
        QVERIFY(std::abs(quality.length - 2 * std::hypot(200, 190)) < 1e-9);
        QCOMPARE(quality.width, 220.0);
        QCOMPARE(quality.height, 210.0);
        // Edges of one tail never cross; two that lie on each other use their ink once.
        quality = measure(boxes, {down, {0, 3, down.points}});
        QCOMPARE(quality.crossings, std::int64_t(0));
        QVERIFY(std::abs(quality.ink * 2 - quality.length) < 1e-9);
        QCOMPARE(measure(boxes, {through}).hits, std::int64_t(1));
        QCOMPARE(measure(twoBoxes(15, 5), {}).overlaps, std::int64_t(1));
        QCOMPARE(measure(twoBoxes(20, 0), {}).overlaps, std::int64_t(0));
    }

    void asGoodAsDotOnTheWhole_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"resnet", "inception", "bert", "encdec"})
            QTest::newRow(name) << name;
    }

    void asGoodAsDotOnTheWhole()
    {
        QFETCH(QString, name);
        const LayoutGraph graph = families::make(name.toStdString(), 1000);
        Piece piece;
        for (const LayoutBox& box : graph.boxes) {
            piece.width.push_back(static_cast<float>(box.width));
            piece.height.push_back(static_cast<float>(box.height));
        }
        for (const LayoutEdge& edge : graph.edges)
            piece.edges.emplace_back(edge.from, edge.to);
        const Limits limits{{}, Clock::now() + std::chrono::minutes(5)};
        Drawing whole;
        QCOMPARE(WorkerPool::of({})->draw({piece, {}, 0, 120'000}, limits, whole),
                 DrawOutcome::drawn);
        const Quality dot = measure(piece, whole);
        LayoutOptions options;
        options.stubFanOut = 0; // the same edges as dot has
        const Quality own = qualityOf(graph, checks::draw(graph, options));
        qInfo("crossings %lld, dot %lld; length %.0f, dot %.0f; width %.0f, dot %.0f",
              static_cast<long long>(own.crossings), static_cast<long long>(dot.crossings),
              own.length, dot.length, own.width, dot.width);
        QCOMPARE(own.overlaps, std::int64_t(0));
        QCOMPARE(own.hits, std::int64_t(0));
        QVERIFY(own.crossings <= dot.crossings);
        QVERIFY(own.length <= 1.1 * dot.length);
        QVERIFY(own.width <= 1.1 * dot.width);
    }

    // A block that is repeated a thousand times stands below itself.
    void doesNotWalkSideways_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("graphviz");
        for (const char* name : {"bert", "gpt", "encdec", "nasnet", "unet", "inception"}) {
            QTest::addRow("%s", name) << name << true;
            QTest::addRow("%s without Graphviz", name) << name << false;
        }
    }

    void doesNotWalkSideways()
    {
        QFETCH(QString, name);
        QFETCH(bool, graphviz);
        LayoutOptions options;
        options.useGraphviz = graphviz;
        const double small = checks::draw(families::make(name.toStdString(), 1600), options).width;
        const double large = checks::draw(families::make(name.toStdString(), 10000), options).width;
        QVERIFY2(large < 2 * small + 400, qPrintable(QString("%1, %2").arg(small).arg(large)));
    }
};

FUSESCOPE_TEST(QualityTest, quality_test)
#include "quality_test.moc"
