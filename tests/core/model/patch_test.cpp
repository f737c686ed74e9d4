#include "model/graph_text.h"
#include "model/id_pool.h"
#include "model/patch.h"
#include "report/render.h"
#include "support/same_graph.h"
#include "support/test_class.h"

using namespace fusescope;

namespace {

constexpr std::string_view chain =
    "g (float[2] x) => (float[2] d) { a = Neg (x) b = Abs (a) c = Exp (b) d = Log (c) }";

Graph parsed(std::string_view text)
{
    return parseGraph(text).value_or(Graph());
}

template <class Id, class Record, class Edit>
void edit(std::vector<Slot<Id, Record>>& slots, Id id, const std::shared_ptr<const Record>& before,
          Edit change)
{
    auto after = std::make_shared<Record>(*before);
    change(*after);
    slots.push_back({id, before, after});
}

// Takes Abs (node 2, value 3) out: Exp reads `a`.
GraphPatch withoutAbs(const Graph& g)
{
    GraphPatch patch;
    patch.nodes.push_back({NodeId{2}, g.nodePtr(NodeId{2}), nullptr});
    patch.values.push_back({ValueId{3}, g.valuePtr(ValueId{3}), nullptr});
    edit(patch.nodes, NodeId{3}, g.nodePtr(NodeId{3}), [](Node& n) { n.inputs[0] = ValueId{2}; });
    return patch;
}

TextId reasonOf(const Graph& graph, const GraphPatch& patch)
{
    Graph copy = graph;
    const auto applied = copy.apply(patch);
    // Refused as a whole: nothing moved.
    if (!applied && support::differenceOf(copy, graph).empty() &&
        copy.nodePtr(NodeId{1}) == graph.nodePtr(NodeId{1}) && copy.check())
        return applied.error().message.text;
    return applied ? TextId("applied") : TextId("changed");
}

} // namespace

class PatchTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void inverseRestoresThePointers()
    {
        const Graph before = parsed(chain);
        Graph graph = before;
        const GraphPatch patch = withoutAbs(graph);
        QVERIFY(graph.apply(patch).has_value());
        QVERIFY(graph.check().has_value());
        QCOMPARE(graph.nodeCount(), std::size_t{3});
        QVERIFY(graph.apply(patch.inverse()).has_value());
        for (std::uint32_t i = 1; i <= 4; ++i) {
            QCOMPARE(graph.nodePtr(NodeId{i}), before.nodePtr(NodeId{i}));
            QCOMPARE(graph.valuePtr(ValueId{i}), before.valuePtr(ValueId{i}));
        }
        QVERIFY(graph.check().has_value());
        QCOMPARE(graph.nodeCount(), std::size_t{4});
        QCOMPARE(graph.uses(ValueId{2}).size(), std::size_t{1});
    }

    void stalePatchesAreRefused()
    {
        Graph graph = parsed(chain);
        const GraphPatch patch = withoutAbs(graph);
        QVERIFY(graph.apply(patch).has_value());
        QVERIFY(reasonOf(graph, patch) == TextId("model.stale-patch"));
        GraphPatch header;
        header.header = {std::make_shared<const Header>(), std::make_shared<const Header>()};
        QVERIFY(reasonOf(graph, header) == TextId("model.stale-patch"));
        // Equal contents are not enough: what stands there is meant.
        GraphPatch equal;
        edit(equal.nodes, NodeId{1}, std::make_shared<const Node>(*graph.node(NodeId{1})),
             [](Node&) {});
        QVERIFY(reasonOf(graph, equal) == TextId("model.stale-patch"));
    }

    void incompletePatchesAreRefused()
    {
        const Graph g = parsed(chain);
        GraphPatch reader = withoutAbs(g);
        reader.nodes.pop_back(); // Exp still reads what is gone
        QVERIFY(reasonOf(g, reader) == TextId("model.undefined-input"));
        GraphPatch value;
        value.values.push_back({ValueId{3}, g.valuePtr(ValueId{3}), nullptr});
        QVERIFY(reasonOf(g, value) == TextId("model.undefined-input"));
        GraphPatch producer;
        producer.nodes.push_back({NodeId{2}, g.nodePtr(NodeId{2}), nullptr});
        QVERIFY(reasonOf(g, producer) == TextId("model.no-producer"));
        GraphPatch twice;
        edit(twice.nodes, NodeId{3}, g.nodePtr(NodeId{3}),
             [](Node& n) { n.outputs[0] = ValueId{3}; });
        QVERIFY(reasonOf(g, twice) == TextId("model.assigned-twice"));
        GraphPatch early;
        edit(early.nodes, NodeId{2}, g.nodePtr(NodeId{2}), [](Node& n) { n.order = orderGap / 2; });
        QVERIFY(reasonOf(g, early) == TextId("model.not-sorted"));
        GraphPatch late;
        edit(late.nodes, NodeId{2}, g.nodePtr(NodeId{2}), [](Node& n) { n.order = 9 * orderGap; });
        QVERIFY(reasonOf(g, late) == TextId("model.not-sorted"));
        GraphPatch homeless;
        edit(homeless.nodes, NodeId{2}, g.nodePtr(NodeId{2}), [](Node& n) { n.body = BodyId{9}; });
        QVERIFY(reasonOf(g, homeless) == TextId("model.no-body"));
        GraphPatch unknown;
        edit(unknown.nodes, NodeId{2}, g.nodePtr(NodeId{2}),
             [](Node& n) { n.inputs[0] = ValueId{99}; });
        QVERIFY(reasonOf(g, unknown) == TextId("model.undefined-input"));
        GraphPatch output;
        edit(output.bodies, BodyId{1}, g.bodyPtr(BodyId{1}),
             [](Body& b) { b.outputs[0] = ValueId{77}; });
        QVERIFY(reasonOf(g, output) == TextId("model.undefined-input"));
    }

    void innerValuesDoNotLeaveTheirBody()
    {
        const Graph g = parsed(R"(g (bool b, float x) => (y) {
            y = If (b) <then_branch = t () => (p) { p = Abs (x) }, else_branch = e () => (x) { }>
            z = Neg (x) })");
        GraphPatch patch;
        const ValueId p = g.body(BodyId{2})->outputs[0];
        edit(patch.nodes, NodeId{3}, g.nodePtr(NodeId{3}), [p](Node& n) { n.inputs[0] = p; });
        QVERIFY(reasonOf(g, patch) == TextId("model.out-of-scope"));
    }

    void chainedPatchesAreOne()
    {
        const Graph before = parsed(chain);
        Graph graph = before;
        const GraphPatch first = withoutAbs(graph);
        QVERIFY(graph.apply(first).has_value());
        GraphPatch second;
        edit(second.nodes, NodeId{3}, graph.nodePtr(NodeId{3}), [](Node& n) { n.name = "named"; });
        QVERIFY(graph.apply(second).has_value());
        const GraphPatch both = first.then(second);
        QCOMPARE(both.nodes.size(), std::size_t{2});
        Graph again = before;
        QVERIFY(again.apply(both).has_value());
        QCOMPARE(again.nodePtr(NodeId{3}), graph.nodePtr(NodeId{3}));
        QVERIFY(first.then(first.inverse()).empty());
        QVERIFY(again.apply(both.inverse()).has_value());
        QCOMPARE(again.nodePtr(NodeId{2}), before.nodePtr(NodeId{2}));
    }

    void orderFollowsMoves()
    {
        Graph g = parsed("g (float x) => (a, b, c) { a = Neg (x) b = Abs (x) c = Exp (x) }");
        const std::vector<NodeId> before = {NodeId{1}, NodeId{2}, NodeId{3}};
        QCOMPARE(*g.nodes(BodyId{1}), before);
        GraphPatch patch;
        edit(patch.nodes, NodeId{3}, g.nodePtr(NodeId{3}), [](Node& n) { n.order = 1; });
        QVERIFY(g.apply(patch).has_value());
        const std::vector<NodeId> after = {NodeId{3}, NodeId{1}, NodeId{2}};
        QCOMPARE(*g.nodes(BodyId{1}), after);
    }

    void poolGivesTheSameIdsAgain()
    {
        const Graph graph = parsed(chain);
        IdPool pool(graph);
        const NodeId first = pool.node("rule", NodeId{1}, 0);
        QVERIFY(first.value >= graph.nodeLimit());
        const NodeId other = pool.node("rule", NodeId{1}, 1);
        QVERIFY(first != other);
        QVERIFY(pool.node("other-rule", NodeId{1}, 0) != first);
        QVERIFY(pool.node("rule", NodeId{2}, 0) != first);
        QCOMPARE(pool.node("rule", NodeId{1}, 0), first);
        QCOMPARE(pool.value("rule", NodeId{1}, 0), pool.value("rule", NodeId{1}, 0));
        QVERIFY(pool.body("rule", NodeId{1}, 0) != pool.body("rule", NodeId{1}, 1));
    }
};

FUSESCOPE_TEST(PatchTest, patch_test)
#include "patch_test.moc"
