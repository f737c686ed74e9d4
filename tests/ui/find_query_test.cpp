#include "support/test_class.h"
#include "ui/find_query.h"

#include "model/graph_text.h"

using namespace fusescope;

namespace {

Graph parsed(const std::string& text)
{
    const auto graph = parseGraph(text);
    if (!graph)
        qFatal("a test's model is wrong");
    return *graph;
}

// Layers of which each node is read by all of the next: ways multiply with every layer.
Graph layers(int count, int width)
{
    std::string text = "g (float[2] x) => (float[2] y) {\n";
    const auto name = [](int layer, int i) {
        return "v" + std::to_string(layer) + "_" + std::to_string(i);
    };
    for (int layer = 0; layer < count; ++layer) {
        for (int i = 0; i < width; ++i) {
            text += name(layer, i) + " = Sum (";
            for (int from = 0; from < (layer == 0 ? 1 : width); ++from)
                text += (from > 0 ? ", " : "") + (layer == 0 ? "x" : name(layer - 1, from));
            text += ")\n";
        }
    }
    return parsed(text + "y = Neg (" + name(count - 1, 0) + ") }");
}

QStringList words(const Graph& graph, const Found& found)
{
    QStringList lines;
    for (const auto& hit : found.hits) {
        QStringList types;
        for (const NodeId id : hit)
            types << QString::fromStdString(graph.node(id)->op.type);
        lines << types.join(u'>');
    }
    return lines;
}

} // namespace

class FindQueryTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void chainsAndNearMisses()
    {
        const Graph graph = parsed(R"(g (float[2] x) => (float[2] y, float[2] z)
            { a = Exp (x) b = Neg (a) y = Abs (b) c = Sin (a) d = Neg (c) z = Abs (d) })");
        const auto found = [&](const char* text) {
            return findIn(graph, FindQuery(QString::fromLatin1(text), false));
        };
        QCOMPARE(words(graph, found("exp > neg > abs")),
                 (QStringList{"Exp>Neg>Abs", "Exp>Sin>Neg>Abs"}));
        QCOMPARE(found("exp > neg > abs").near, std::size_t{1});
        QCOMPARE(words(graph, found("*>abs")),
                 (QStringList{"Neg>Abs", "Neg>Abs", "Exp>Neg>Abs", "Sin>Neg>Abs"}));
        QVERIFY(found("abs>neg").hits.empty());
        QCOMPARE(words(graph, found("sin")), QStringList{"Sin"});
    }

    // Ways multiply, places do not: each is asked once, for both kinds of chains.
    void waysToNowhereAreNotWalked()
    {
        constexpr int width = 20, depth = 30;
        const Graph graph = layers(depth, width);
        const Found none = findIn(graph, FindQuery(QStringLiteral("*>*>*>*>*>Foo"), false));
        QVERIFY(none.hits.empty());
        QVERIFY(none.looked > 0);
        QVERIFY2(none.looked <= graph.nodeCount() * 6 * 2,
                 qPrintable(QString::number(none.looked)));
        // Those that are found end at the most that is asked for.
        const Found most = findIn(graph, FindQuery(QStringLiteral("*>*>*"), false), 100);
        QCOMPARE(most.hits.size() - most.near, std::size_t{100});
        QVERIFY(most.near <= 100);
    }
};

FUSESCOPE_TEST(FindQueryTest, find_query_test)
#include "find_query_test.moc"
