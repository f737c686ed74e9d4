#include "model/graph_text.h"
#include "ops/patch_builder.h"
#include "report/render.h"
#include "support/test_class.h"


using namespace fusescope;

namespace {

Graph parsed(std::string_view text)
{
    auto graph = parseGraph(text);
    if (!graph)
        qFatal("%s", render(graph.error().message, nullptr).c_str());
    return *std::move(graph);
}

ValueId named(const Graph& graph, std::string_view name)
{
    for (std::uint32_t i = 1; i < graph.valueLimit(); ++i) {
        if (graph.value(ValueId{i}) && graph.value(ValueId{i})->name == name)
            return ValueId{i};
    }
    return {};
}

NodeId makerOf(const Graph& graph, std::string_view name)
{
    return graph.producer(named(graph, name));
}

std::string whyNot(const Result<void>& result)
{
    return result ? std::string() : render(result.error().message, nullptr);
}

// Applies, checks the whole graph, and that the inverse leads back to the same records.
Graph applied(const Graph& before, PatchBuilder& builder)
{
    const auto patch = builder.finish();
    if (!patch)
        qFatal("%s", render(patch.error().message, &before).c_str());
    Graph after = before;
    const auto result = after.apply(*patch);
    if (!result)
        qFatal("apply: %s", whyNot(result).c_str());
    if (const auto checked = after.check(); !checked)
        qFatal("check: %s", whyNot(checked).c_str());
    Graph back = after;
    if (const auto undone = back.apply(patch->inverse()); !undone)
        qFatal("undo: %s", whyNot(undone).c_str());
    for (std::uint32_t i = 1; i < before.nodeLimit(); ++i) {
        if (back.nodePtr(NodeId{i}) != before.nodePtr(NodeId{i}))
            qFatal("undo leaves another node %u", i);
    }
    return after;
}

constexpr std::string_view convBn = R"(
<ir_version: 8, opset_import: ["" : 17]>
main (float[N, 3, 8, 8] x) => (float[N, 4, 8, 8] z)
<float[4, 3, 3, 3] W = random(7), float[4] s = random(1), float[4] b = random(2),
 float[4] m = random(3), float[4] v = fill(1)>
{
    c = Conv <pads = [1, 1, 1, 1]> (x, W)
    n = BatchNormalization (c, s, b, m, v)
    z = Relu (n)
}
)";

} // namespace

class PatchBuilderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void replacementTakesOverTheValueAndWhatDiesGoes()
    {
        const Graph graph = parsed(convBn);
        IdPool pool(graph);
        const NodeId root = makerOf(graph, "n");
        const NodeId conv = makerOf(graph, "c");
        PatchBuilder builder(graph, pool, "conv-batchnorm", root);
        const ValueId weight = builder.addConstant({}, "W", Tensor::allocate(DType::float32, {4, 3, 3, 3}));
        const ValueId bias = builder.addConstant({}, "bias", Tensor::allocate(DType::float32, {4}));
        Node fused = *graph.node(conv);
        fused.name = "fused";
        fused.inputs = {named(graph, "x"), weight, bias};
        fused.outputs = {named(graph, "n")};
        builder.removeNode(root);
        builder.removeNode(conv);
        const NodeId id = builder.addNode(std::move(fused));
        const Graph after = applied(graph, builder);
        QCOMPARE(after.nodeCount(), std::size_t{2});
        QCOMPARE(makerOf(after, "n"), id);
        QCOMPARE(after.node(id)->order, graph.node(root)->order);
        for (const char* gone : {"W", "s", "b", "m", "v", "c"})
            QVERIFY2(!named(after, gone), gone);
        QVERIFY(named(after, "W_1"));
        QCOMPARE(after.body(after.mainBody())->initializers.size(), std::size_t{2});
        QCOMPARE(after.node(id)->origins, (std::vector<NodeId>{conv, root}));
    }

    void sharedConstantsAndPinnedNodesStay()
    {
        const Graph graph = parsed(R"(
main (float[4] x) => (float[4] y, float[4] w)
<float[4] k = random(1)>
{
    a = Add (x, k)
    p = Neg (x)
    b = Add (p, k)
    y = Relu (b)
    w = Abs (a)
}
)");
        IdPool pool(graph);
        const NodeId root = makerOf(graph, "b");
        const auto rewire = [&](PatchBuilder& builder) {
            builder.rewire(named(graph, "b"), named(graph, "x"));
            builder.removeNode(root);
        };
        PatchBuilder builder(graph, pool, "test", root);
        rewire(builder);
        const Graph after = applied(graph, builder);
        QVERIFY(named(after, "k"));
        QVERIFY(!named(after, "p"));
        PatchBuilder pinned(graph, pool, "test", root,
                            [&](NodeId id) { return id == makerOf(graph, "p"); });
        rewire(pinned);
        QVERIFY(named(applied(graph, pinned), "p"));
    }

    void sideEffectsAreNeverRemoved()
    {
        const Graph graph = parsed(R"(
<ir_version: 8, opset_import: ["" : 17, "com.acme" : 1]>
main (float[4] x) => (float[4] y)
{
    p = com.acme.Print (x)
    b = Add (p, x)
    y = Relu (b)
}
)");
        IdPool pool(graph);
        PatchBuilder builder(graph, pool, "test", makerOf(graph, "b"));
        builder.rewire(named(graph, "b"), named(graph, "x"));
        builder.removeNode(makerOf(graph, "b"));
        QVERIFY(makerOf(applied(graph, builder), "p"));
    }

    // Whatever a rule forgot to ask: a value that another node takes over keeps its type.
    void refusesAnotherType()
    {
        const Graph graph = parsed(R"(<ir_version: 8, opset_import: ["" : 17]>
            main (float[2, 3] x, float[1, 1, 1] one) => (float[1, 2, 3] y)
            { y = Mul (x, one) })");
        const auto inferred = inferGraph(graph);
        Graph known = graph;
        QVERIFY(known.apply(inferred->patch));
        for (const bool inPlace : {false, true}) {
            IdPool pool(known);
            const NodeId root = makerOf(known, "y");
            PatchBuilder builder(known, pool, "test", root);
            Node relu;
            relu.op.type = "Relu";
            relu.inputs = {named(known, "x")};
            relu.outputs = {named(known, "y")};
            if (inPlace) {
                builder.editNode(root, [&](Node& node) {
                    node.op = relu.op;
                    node.inputs = relu.inputs;
                });
            } else {
                builder.removeNode(root);
                builder.addNode(relu);
            }
            const auto patch = builder.finish();
            QVERIFY(!patch);
            QCOMPARE(render(patch.error().message, &known),
                     std::string("`y` is float[1, 2, 3], but a rewrite would have made it "
                                 "float[2, 3]."));
        }
    }

    void takeOverKeepsThePublicName()
    {
        const Graph graph = parsed(R"(
main (float[4] x) => (float[4] y, float[4] z)
{
    a = Neg (x)
    y = Identity (a)
    z = Abs (a)
}
)");
        IdPool pool(graph);
        const NodeId root = makerOf(graph, "y");
        PatchBuilder builder(graph, pool, "identity", root);
        builder.takeOver(named(graph, "y"), named(graph, "a"));
        const Graph after = applied(graph, builder);
        QCOMPARE(after.nodeCount(), std::size_t{2});
        QCOMPARE(makerOf(after, "y"), makerOf(graph, "a"));
        QCOMPARE(after.node(makerOf(after, "z"))->inputs.front(), named(after, "y"));
        QVERIFY(!named(after, "a"));
    }

    void regionHoldsItsNodesAndGrows()
    {
        const Graph graph = parsed(convBn);
        IdPool pool(graph);
        const NodeId conv = makerOf(graph, "c"), norm = makerOf(graph, "n");
        const NodeId relu = makerOf(graph, "z");
        PatchBuilder builder(graph, pool, "first", norm);
        const NodeId region = builder.makeRegion("first", {conv, norm}, {{conv, Role::main}});
        const Graph one = applied(graph, builder);
        QCOMPARE(one.nodeCount(), std::size_t{2});
        const Node& node = *one.node(region);
        QCOMPARE(node.outputs, std::vector<ValueId>{named(graph, "n")});
        QCOMPARE(node.inputs, (std::vector<ValueId>{named(graph, "x"), named(graph, "W"),
                                                    named(graph, "s"), named(graph, "b"),
                                                    named(graph, "m"), named(graph, "v")}));
        QCOMPARE(one.node(conv)->body, node.bodies.front());
        QCOMPARE(one.value(named(graph, "c"))->body, node.bodies.front());
        QCOMPARE(node.origins, (std::vector<NodeId>{conv, norm}));

        PatchBuilder grow(one, pool, "second", relu);
        const NodeId grown =
            grow.makeRegion("second", {region, relu}, {{relu, Role::activation}});
        const Graph two = applied(one, grow);
        QCOMPARE(two.nodeCount(), std::size_t{1});
        QVERIFY(!two.node(region));
        QCOMPARE(two.node(grown)->region->roles.size(), std::size_t{3});
        QCOMPARE(two.node(grown)->region->nodeOf(Role::main), conv);
        QCOMPARE(two.node(grown)->region->nodeOf(Role::activation), relu);
        QCOMPARE(two.node(grown)->inputs.size(), std::size_t{6});

        PatchBuilder dissolve(two, pool, "lower", grown);
        QCOMPARE(dissolve.dissolveRegion(grown), (std::vector<NodeId>{conv, norm, relu}));
        const Graph back = applied(two, dissolve);
        // The rewrites inferred what lies between; apart from that all is as it was.
        Graph inferred = graph;
        QVERIFY(inferred.apply(inferGraph(graph)->patch));
        QCOMPARE(QString::fromStdString(printGraph(back)),
                 QString::fromStdString(printGraph(inferred)));
    }

    void functionsHoldTheirConstantsInNodes()
    {
        const Graph graph = parsed(R"(
<ir_version: 8, opset_import: ["" : 17, "f" : 1]>
main (float[4] x) => (float[4] y)
{
    y = f.twice (x)
}
<domain: "f", opset_import: ["" : 17]> twice (x) => (y)
{ y = Add (x, x) }
)");
        IdPool pool(graph);
        NodeId add;
        for (const NodeId id : graph.allNodes()) {
            if (graph.node(id)->is("Add"))
                add = id;
        }
        PatchBuilder builder(graph, pool, "test", add);
        const BodyId body = graph.node(add)->body;
        const ValueId two = builder.addConstant(body, "two", Tensor::scalar(2.0F));
        builder.editNode(add, [&](Node& node) {
            node.op.type = "Mul";
            node.inputs[1] = two;
        });
        const Graph after = applied(graph, builder);
        QVERIFY(after.body(body)->initializers.empty());
        QVERIFY(after.node(after.producer(two))->is("Constant"));
        QVERIFY(after.constant(two));
    }

    void oldModelsListConstantsAmongTheInputs()
    {
        const Graph graph = parsed(R"(
<ir_version: 3, opset_import: ["" : 9]>
main (float[4] x, float[4] k) => (float[4] y)
<float[4] k = random(1)>
{
    y = Add (x, k)
}
)");
        IdPool pool(graph);
        PatchBuilder builder(graph, pool, "test", makerOf(graph, "y"));
        const ValueId twin = builder.addConstant({}, "k", Tensor::allocate(DType::float32, {4}));
        builder.editNode(makerOf(graph, "y"), [&](Node& node) { node.inputs[1] = twin; });
        const Graph after = applied(graph, builder);
        QCOMPARE(after.body(after.mainBody())->inputs,
                 (std::vector<ValueId>{named(graph, "x"), twin}));
        QVERIFY(!named(after, "k"));
    }

    void domainsAreImportedWhenFirstUsed()
    {
        const Graph graph = parsed("main (float[4] x) => (float[4] y) { y = Relu (x) }");
        IdPool pool(graph);
        const NodeId root = makerOf(graph, "y");
        PatchBuilder builder(graph, pool, "test", root);
        Node node;
        node.op = {"com.microsoft", "QuickGelu", ""};
        node.inputs = {named(graph, "x")};
        node.outputs = {named(graph, "y")};
        builder.removeNode(root);
        builder.addNode(std::move(node));
        QCOMPARE(applied(graph, builder).header().opset("com.microsoft"), std::int64_t{1});
    }

    void manyNodesBeforeOneRootStaySorted()
    {
        Graph graph = parsed("main (float[4] x) => (float[4] y) { a = Abs (x) y = Relu (a) }");
        IdPool pool(graph);
        const NodeId root = makerOf(graph, "y");
        // Each round puts nodes between the last one and the root until no keys are left.
        for (int round = 0; round < 6; ++round) {
            PatchBuilder builder(graph, pool, "round" + std::to_string(round), root);
            ValueId last = graph.node(root)->inputs.front();
            for (int i = 0; i < 300; ++i) {
                Node node;
                node.op.type = "Neg";
                node.inputs = {last};
                last = builder.addValue(graph.mainBody());
                node.outputs = {last};
                builder.addNode(std::move(node));
            }
            builder.editNode(root, [&](Node& node) { node.inputs = {last}; });
            graph = applied(graph, builder);
        }
        QCOMPARE(graph.nodeCount(), std::size_t{1802});
        QCOMPARE(graph.nodes(graph.mainBody())->back(), root);
    }

    void sameRewriteGetsTheSameIdsAndNames()
    {
        const Graph graph = parsed(convBn);
        IdPool pool(graph);
        const auto rewrite = [&] {
            PatchBuilder builder(graph, pool, "test", makerOf(graph, "z"));
            const ValueId id = builder.addConstant({}, "k", Tensor::scalar(1.0F));
            return std::pair{id, builder.value(id)->name};
        };
        QCOMPARE(rewrite(), rewrite());
    }
};

FUSESCOPE_TEST(PatchBuilderTest, patch_builder_test)
#include "patch_builder_test.moc"
