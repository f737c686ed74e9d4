// label: slow
#include "core/layout/checks.h"
#include "core/layout/families.h"
#include "support/test_class.h"

#include <thread>

using namespace fusescope;
using checks::draw;
using checks::problemsOf;

// Large graphs are drawn well before the deadline, with Graphviz and without.
class LargeLayoutTest : public QObject
{
    Q_OBJECT

    // Within the program's own deadline, of which a quiet machine needs a tenth: beyond it there is a
    // coarser drawing, which is what people would see.
    static void drawnInTime(const LayoutGraph& graph, LayoutOptions options)
    {
        const LayoutResult result = draw(graph, options);
        QVERIFY(!result.deadlineMissed);
        QCOMPARE(problemsOf(graph, result, options.direction), QString());
    }

private Q_SLOTS:
    void chains()
    {
        for (const bool graphviz : {true, false}) {
            LayoutOptions options;
            options.useGraphviz = graphviz;
            options.useCache = false;
            drawnInTime(families::chain(10000, false), options);
            drawnInTime(families::chain(10000, true), options);
            drawnInTime(families::chain(50000, true), options);
        }
    }

    void families_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("nodes");
        for (const std::string& name : families::names()) {
            QTest::newRow((name + " 1000").c_str()) << QString::fromStdString(name) << 1000;
            QTest::newRow((name + " 10000").c_str()) << QString::fromStdString(name) << 10000;
        }
    }

    void families()
    {
        QFETCH(QString, name);
        QFETCH(int, nodes);
        const LayoutGraph graph = families::make(name.toStdString(), nodes);
        LayoutOptions options;
        options.useCache = false;
        drawnInTime(graph, options);
        options.useGraphviz = false;
        drawnInTime(graph, options);
    }

    // Where the deadline passes first, the coarser drawing has no faults either.
    void anyGraphIsDrawn()
    {
        for (const bool graphviz : {true, false}) {
            LayoutOptions options;
            options.useGraphviz = graphviz;
            const LayoutGraph graph = families::make("random", 50000);
            const LayoutResult result = draw(graph, options);
            QCOMPARE(problemsOf(graph, result, options.direction), QString());
        }
    }

    void starsAndCombs()
    {
        LayoutGraph star = checks::graphOf(20002, {});
        for (int i = 1; i <= 20000; ++i) {
            star.edges.push_back({0, i});
            star.edges.push_back({i, 20001});
        }
        LayoutGraph comb = families::chain(5000, false);
        for (int i = 2; i < 5000; ++i)
            comb.edges.push_back({0, i});
        for (const bool stubs : {true, false}) {
            LayoutOptions options;
            options.stubFanOut = stubs ? options.stubFanOut : 0;
            drawnInTime(star, options);
            drawnInTime(comb, options);
        }
    }

    void unconnectedBoxes()
    {
        const LayoutGraph graph = checks::graphOf(50000, {});
        LayoutOptions options;
        drawnInTime(graph, options);
        const LayoutResult result = draw(graph, options);
        QVERIFY(result.width < 10 * result.height && result.height < 10 * result.width);
    }

    void sharedConstantsAndMask()
    {
        const LayoutGraph graph = families::sharedConstants(300);
        for (const bool graphviz : {true, false}) {
            LayoutOptions options;
            options.useGraphviz = graphviz;
            options.useCache = false;
            drawnInTime(graph, options);
        }
        const LayoutResult result = draw(graph);
        int stubs = 0;
        for (const LayoutPath& path : result.edges)
            stubs += path.stub;
        QVERIFY(stubs > 50);
    }
};

FUSESCOPE_TEST(LargeLayoutTest, large_layout_test)
#include "large_layout_test.moc"
