#include "model/graph.h"
#include "model/graph_maker.h"
#include "model/graph_text.h"
#include "report/render.h"
#include "support/test_class.h"

using namespace fusescope;

namespace {

Graph parsed(std::string_view text)
{
    const auto graph = parseGraph(text);
    if (!graph)
        QTest::qFail(render(graph.error().message, nullptr).c_str(), __FILE__, __LINE__);
    return graph.value_or(Graph());
}

ValueId named(const Graph& graph, std::string_view name)
{
    for (std::uint32_t i = 1; i < graph.valueLimit(); ++i) {
        if (graph.value(ValueId{i}) && graph.value(ValueId{i})->name == name)
            return ValueId{i};
    }
    return {};
}

constexpr std::string_view branches = R"(
    g (bool b, float[2] x) => (float[2] y, float[2] n) {
        n = Neg (x)
        y = If (b) <then_branch = t () => (p) { q = Abs (n) p = Add (q, n) },
                    else_branch = e () => (n) { }>
        z = Exp (n)
    })";

} // namespace

class GraphTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void idsAreStrongAndZeroIsAbsent()
    {
        static_assert(!std::is_convertible_v<NodeId, ValueId>);
        static_assert(!std::is_convertible_v<std::uint32_t, NodeId>);
        static_assert(!std::is_convertible_v<NodeId, std::uint32_t>);
        const Graph graph = parsed(branches);
        QVERIFY(!NodeId{});
        QVERIFY(!graph.node(NodeId{}));
        QVERIFY(!graph.value(ValueId{}));
        QVERIFY(!graph.node(NodeId{100000}));
        QVERIFY(graph.uses(ValueId{}).empty());
    }

    void usesAreInOrderCapturesIncluded()
    {
        const Graph graph = parsed(branches);
        const ValueId n = named(graph, "n");
        // The graph output and that of the else branch, then Abs, Add and Exp.
        const std::vector<Use> expected = {{NodeId{}, BodyId{1}, 1},
                                           {NodeId{}, BodyId{3}, 0},
                                           {NodeId{3}, BodyId{}, 0},
                                           {NodeId{4}, BodyId{}, 1},
                                           {NodeId{5}, BodyId{}, 0}};
        const auto uses = graph.uses(n);
        QVERIFY(std::equal(uses.begin(), uses.end(), expected.begin(), expected.end()));
        QVERIFY(graph.isBodyOutput(n));
        QVERIFY(!graph.isBodyOutput(named(graph, "q")));
        QCOMPARE(graph.producer(n), NodeId{1});
        QVERIFY(!graph.producer(named(graph, "x")));
        QVERIFY(graph.uses(named(graph, "z")).empty());
    }

    void bodiesEncloseEachOther()
    {
        const Graph graph = parsed(branches);
        QVERIFY(graph.encloses(BodyId{1}, BodyId{3}));
        QVERIFY(graph.encloses(BodyId{3}, BodyId{3}));
        QVERIFY(!graph.encloses(BodyId{3}, BodyId{1}));
        QVERIFY(!graph.encloses(BodyId{2}, BodyId{3}));
        const std::vector<BodyId> all = {BodyId{1}, BodyId{2}, BodyId{3}};
        QCOMPARE(graph.bodies(), all);
        QCOMPARE(graph.allNodes().size(), std::size_t{5});
        QCOMPARE(graph.nodes(BodyId{2})->size(), std::size_t{2});
    }

    void constantsFollowTheIr()
    {
        const auto with = [](const char* ir) {
            return parsed(std::string("<ir_version: ") + ir + ", opset_import: [\"\" : 13]>" +
                          "g (float[1] x, float[1] w) => (y) <float[1] w = {1}, float[1] v = {2}>"
                          "{ c = Constant <value_ints = [1, 2]> () p = Add (w, v) y = Add (p, x) }");
        };
        const Graph old = with("3");
        const Graph current = with("7");
        QVERIFY(old.constant(named(old, "w")) != nullptr);
        QVERIFY(!old.isOverridable(named(old, "w")));
        QVERIFY(!current.constant(named(current, "w")));
        QVERIFY(current.isOverridable(named(current, "w")));
        QVERIFY(current.constant(named(current, "v")) != nullptr);
        const TensorPtr made = current.constant(named(current, "c"));
        QVERIFY(made && made->dtype() == DType::int64);
        QCOMPARE(made->asInt(1), std::int64_t{2});
    }

    void opsetsHoldByBody()
    {
        const Graph graph = parsed(R"(
            <ir_version: 8, opset_import: ["ai.onnx" : 13, "f" : 1]>
            g (float[2] x) => (y) { y = f.F (x) }
            <domain: "f", opset_import: ["" : 18]> F (a) => (r) { r = Relu (a) })");
        QCOMPARE(graph.opset(BodyId{1}, ""), std::int64_t{13});
        QCOMPARE(graph.opset(BodyId{2}, ""), std::int64_t{18});
        QCOMPARE(graph.opset(BodyId{2}, "f"), std::int64_t{0});
        QCOMPARE(graph.schema(*graph.node(NodeId{2}))->sinceVersion, 14);
        QVERIFY(!graph.schema(*graph.node(NodeId{1})));
    }

    void checkNamesTheBreach()
    {
        // An undefined domain is the one breach that a text can hold.
        const auto graph = parseGraph("g (x) => (y) { y = other.Op (x) }");
        const auto checked = graph->check();
        QVERIFY(!checked);
        QVERIFY(checked.error().message.text == TextId("model.domain-not-imported"));
    }

    // Names are written once; inputs and initializers of one name can be told apart, the last counts.
    void duplicateNames()
    {
        ModelSource source;
        source.header.opsets = {{"", 17}};
        source.main.inputs = {{"x", {}, {}}, {"x", {}, {}}};
        const auto add = [&source](const char* type, const char* in, const char* out) {
            NodeSource node;
            node.node.op.type = type;
            node.inputs = {in};
            node.outputs = {out};
            source.main.nodes.push_back(node);
        };
        add("Neg", "x", "a");
        add("Abs", "a", "b");
        source.main.outputs = {{"a", {}, {}}, {"a", {}, {}}, {"x", {}, {}}};
        const auto made = makeGraph(source);
        QVERIFY(made.has_value());
        QCOMPARE(made->problems.size(), std::size_t{1});
        const Graph& g = made->graph;
        QVERIFY(g.check().has_value());
        const Body& main = *g.body(g.mainBody());
        QCOMPARE(g.node(NodeId{1})->inputs[0], main.inputs[1]);
        QCOMPARE(main.outputs[0], main.outputs[1]);
        QCOMPARE(main.outputs[2], main.inputs[1]);
        add("Exp", "b", "a");
        const auto twice = makeGraph(source);
        QVERIFY(!twice);
        QCOMPARE(twice.error().code, ErrorCode::invalidModel);
        QVERIFY(twice.error().message.text == TextId("model.written-twice"));
    }

    void unsortedCapturesAreSorted()
    {
        const Graph g = parsed(R"(g (bool b, float x) => (y) {
            y = If (b) <then_branch = t () => (p) { p = Abs (late) }, else_branch = e () => (x) { }>
            late = Neg (x) })");
        QVERIFY(g.check().has_value());
        QCOMPARE((*g.nodes(g.mainBody()))[0], NodeId{3});
    }

    void copiesAreIndependent()
    {
        Graph graph = parsed(branches);
        const Graph copy = graph;
        GraphPatch patch;
        patch.nodes.push_back({NodeId{5}, graph.nodePtr(NodeId{5}), nullptr});
        const ValueId z = named(graph, "z");
        patch.values.push_back({z, graph.valuePtr(z), nullptr});
        QVERIFY(graph.apply(patch).has_value());
        QVERIFY(!graph.node(NodeId{5}));
        QVERIFY(copy.node(NodeId{5}) != nullptr);
        QCOMPARE(graph.uses(named(graph, "n")).size() + 1, copy.uses(named(copy, "n")).size());
        QCOMPARE(graph.nodes(BodyId{1})->size() + 1, copy.nodes(BodyId{1})->size());
        QVERIFY(copy.check().has_value() && graph.check().has_value());
    }

    void fiftyThousandNodesAtOnce()
    {
        ModelSource source;
        source.header.opsets = {{"", 17}};
        source.main.inputs = {{"v0", {}, {}}};
        for (int i = 1; i <= 50000; ++i) {
            NodeSource node;
            node.node.op.type = "Add";
            node.inputs = {"v" + std::to_string(i - 1), "v0"};
            node.outputs = {"v" + std::to_string(i)};
            source.main.nodes.push_back(std::move(node));
        }
        source.main.outputs = {{"v50000", {}, {}}};
        QElapsedTimer timer;
        timer.start();
        const auto made = makeGraph(std::move(source));
        qInfo("50,000 nodes built in %.1f ms", static_cast<double>(timer.nsecsElapsed()) / 1e6);
        QVERIFY(made.has_value());
        QCOMPARE(made->graph.nodeCount(), std::size_t{50000});
        timer.start();
        QVERIFY(made->graph.check().has_value());
        qInfo("and checked in %.1f ms", static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
};

FUSESCOPE_TEST(GraphTest, graph_test)
#include "graph_test.moc"
