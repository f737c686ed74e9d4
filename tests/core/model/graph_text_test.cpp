#include "model/graph_text.h"
#include "report/render.h"
#include "support/same_graph.h"
#include "support/test_class.h"

#include <cmath>

using namespace fusescope;
using support::differenceOf;

namespace {

constexpr std::string_view small = R"(
<ir_version: 9, opset_import: ["" : 17, "com.acme" : 1], producer_name: "p",
 metadata_props: ["k" : "v \x22quoted\x22"]>
main (float[N, 3, 8, 8] x, float y) => (float[N, 4, 8, 8] z)
<float[4, 3, 3, 3] W = random(7), float[4] B = {0.1, -2, 3e5, inf}, float[N, 4, 8, 8] c>
{
    # a comment
    [conv1] c = Conv <pads = [1, 1, 1, 1], strides = [1, 1]> (x, W, B)
    d = com.acme.Scale <alpha = 2.5, mode = "fast"> (c, , y)
    z = Relu (d)
}
)";

Graph parsed(std::string_view text)
{
    auto graph = parseGraph(text);
    if (!graph) {
        const std::string why = render(graph.error().message, nullptr);
        QTest::qFail(why.c_str(), __FILE__, __LINE__);
        return Graph();
    }
    const auto checked = graph->check();
    if (!checked)
        QTest::qFail(render(checked.error().message, &*graph).c_str(), __FILE__, __LINE__);
    return *std::move(graph);
}

std::string errorOf(std::string_view text)
{
    const auto graph = parseGraph(text);
    return graph ? "no error" : render(graph.error().message, nullptr);
}

ValueId named(const Graph& graph, std::string_view name)
{
    for (std::uint32_t i = 1; i < graph.valueLimit(); ++i) {
        if (graph.value(ValueId{i}) && graph.value(ValueId{i})->name == name)
            return ValueId{i};
    }
    return {};
}

const Node& maker(const Graph& graph, std::string_view name)
{
    return *graph.node(graph.producer(named(graph, name)));
}

void roundTrip(std::string_view text)
{
    const Graph graph = parsed(text);
    const std::string printed = printGraph(graph, {.maxElements = -1});
    const auto again = parseGraph(printed);
    QVERIFY2(again.has_value(),
             again ? "" : (render(again.error().message, nullptr) + "\n" + printed).c_str());
    const std::string difference = differenceOf(graph, *again);
    QVERIFY2(difference.empty(), difference.c_str());
    QCOMPARE(printGraph(*again, {.maxElements = -1}), printed);
}

} // namespace

class GraphTextTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsTheParts()
    {
        const Graph g = parsed(small);
        QCOMPARE(g.header().irVersion, std::int64_t{9});
        QCOMPARE(g.header().opset("com.acme"), std::int64_t{1});
        QCOMPARE(g.header().metadata[0].second, std::string("v \"quoted\""));
        QCOMPARE(g.nodeCount(), std::size_t{3});
        const Node& conv = *g.node(NodeId{1});
        QCOMPARE(conv.name, std::string("conv1"));
        QCOMPARE(conv.attributes.getInts("pads")->size(), std::size_t{4});
        const Node& scale = *g.node(NodeId{2});
        QCOMPARE(scale.op.domain, std::string("com.acme"));
        QCOMPARE(scale.op.type, std::string("Scale"));
        QCOMPARE(scale.inputs.size(), std::size_t{3});
        QVERIFY(!scale.inputs[1]);
        QCOMPARE(scale.attributes.getFloat("alpha", 0), 2.5F);
        QCOMPARE(scale.attributes.getString("mode", ""), std::string("fast"));
        const Value& b = *g.value(named(g, "B"));
        QCOMPARE(b.constant->load<float>(2), 3e5F);
        QVERIFY(std::isinf(b.constant->load<float>(3)));
        QCOMPARE(g.value(named(g, "y"))->type.shape.rank(), std::size_t{0});
        QVERIFY(g.value(named(g, "y"))->type.shape.hasRank());
        QCOMPARE(g.value(named(g, "c"))->type.text(), std::string("float[N, 4, 8, 8]"));
        QVERIFY(!g.value(named(g, "d"))->type.isKnown());
    }

    void idsAreInFileOrder()
    {
        const Graph g = parsed(R"(
            g (bool b, float[2] x) => (float[2] y) {
                n1 = Neg (x)
                i = If (b) <then_branch = t () => (tt) { tt = Abs (n1) },
                            else_branch = e () => (ee) { e1 = Neg (x) ee = fun.F (e1) }>
                y = Relu (i)
            }
            <domain: "fun", opset_import: ["" : 17]> F (a) => (r) { r = Exp (a) }
        )");
        QCOMPARE(maker(g, "n1").op.type, std::string("Neg"));
        const std::vector<std::string> types = {"Neg", "If", "Abs", "Neg", "F", "Relu", "Exp"};
        for (std::uint32_t i = 0; i < types.size(); ++i)
            QCOMPARE(g.node(NodeId{i + 1})->op.type, types[i]);
        const std::vector<Body::Kind> kinds = {Body::Kind::main, Body::Kind::inner,
                                               Body::Kind::inner, Body::Kind::function};
        for (std::uint32_t i = 0; i < kinds.size(); ++i)
            QVERIFY(g.body(BodyId{i + 1})->kind == kinds[i]);
        QCOMPARE(g.body(BodyId{3})->attributeName, std::string("else_branch"));
        QCOMPARE(g.body(BodyId{3})->owner, NodeId{2});
        QCOMPARE(g.node(NodeId{2})->attributes.getBody("else_branch"), BodyId{3});
        QCOMPARE(g.functionOf({"fun", "F", ""}), BodyId{4});
        // A capture is an ordinary use.
        QCOMPARE(g.uses(named(g, "n1")).size(), std::size_t{1});
        QCOMPARE(g.uses(named(g, "n1"))[0].node, NodeId{3});
        QCOMPARE(g.nodeCount(), std::size_t{7});
    }

    void innerNamesShadowOuterOnes()
    {
        const Graph g = parsed(R"(
            g (bool b, float[2] x) => (float[2] y) {
                v = Neg (x)
                y = If (b) <then_branch = t () => (w) { v = Abs (v) w = Exp (v) },
                            else_branch = e () => (v) { }>
            })");
        const Node& abs = *g.node(NodeId{3});
        QCOMPARE(abs.op.type, std::string("Abs"));
        QCOMPARE(g.producer(abs.inputs[0]), NodeId{1});
        QCOMPARE(g.producer(g.node(NodeId{4})->inputs[0]), NodeId{3});
        QCOMPARE(g.producer(g.body(BodyId{3})->outputs[0]), NodeId{1});
    }

    void overridableInitializersAreInputs()
    {
        const Graph g = parsed(
            "g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {1, 2}> { y = Add (x, w) }");
        const ValueId w = named(g, "w");
        QVERIFY(g.value(w)->isInput);
        QVERIFY(g.isOverridable(w));
        QVERIFY(!g.constant(w));
        const Graph old = parsed("<ir_version: 3, opset_import: [\"\" : 7]>"
                                 "g (float[2] x, float[2] w = {1, 2}) => (float[2] y)"
                                 "{ y = Add (x, w) }");
        QVERIFY(old.value(named(old, "w"))->isInput);
        QVERIFY(old.constant(named(old, "w")) != nullptr);
    }

    void unsortedNodesAreSortedStably()
    {
        const Graph g = parsed("g (float x) => (float d) {"
                               "  d = Add (c, b)  c = Neg (a)  a = Abs (x)  b = Exp (x) }");
        std::vector<std::string> order;
        for (const NodeId id : *g.nodes(g.mainBody()))
            order.push_back(g.node(id)->op.type);
        const std::vector<std::string> expected = {"Abs", "Neg", "Exp", "Add"};
        QCOMPARE(order, expected);
        QCOMPARE(g.node(NodeId{1})->op.type, std::string("Add"));
    }

    void roundTrips_data()
    {
        QTest::addColumn<QString>("text");
        const auto row = [](const char* name, std::string_view text) {
            QTest::newRow(name) << QString::fromUtf8(text.data(), static_cast<int>(text.size()));
        };
        row("small", small);
        row("literals", R"(g () => (y) <
            int64[2] a = {-9223372036854775808, 9223372036854775807}, uint64 u = {18446744073709551615},
            bool[3] b = {true, false, 1}, string[2] s = {"", "ü\n\x22\\\x01"}, float16[3] h = {1.5, -inf, 6e-8},
            bfloat16[2] bf = {1, 3e38}, float8e4m3fn[2] f8 = {0.5, 448}, int4[3] i4 = {-8, 7, 1},
            uint2[5] u2 = {0, 1, 2, 3, 1}, float4e2m1[2] f4 = {6, -0.5}, complex64[1] c = {1.5, -2},
            double[2] d = {0.1, 1e-320}, float[0] none = {}, float[2, 2] r = random(3, 0, 5),
            int8[1000] filled = fill(-3), float[5] gone = missing,
            float z = {-0.0}, float[3, 3] sp = sparse([3, 3], float[1] {5}, int64[1] {4})>
            { y = Neg (a) })");
        row("attributes", R"(<ir_version: 8, opset_import: ["" : 17, "com.acme" : 1]> g (float[2] x) => (y) {
            y = com.acme.Op <i = 1, f = 1.0, s = "1", is = [1, 2], fs = [1.0, -inf], ss = ["a"], none: ints = [],
                nofloats: floats = [], t = float[2] {1, 2}, ts = [int64 {1}, bool[1] {true}],
                tp = float[N, ?], tps = [seq(int64[]), map(int64, string)],
                sp = sparse([4], float[1] {1}, int64[1] {3}),
                g = h (float a) => (float b) { b = Neg (a) },
                gs = [k () => (float c) { c = Abs (x) }, m () => (x) { }]> (x)
            z = Elu <alpha = 1> (x)
            w = Elu <alpha: int = 1> (x) })");
        row("types", R"(<ir_version: 8, opset_import: ["" : 17, "com.acme" : 1]> g (seq(float[N, 2]) a, optional(int64[]) b, map(string, float) m,
            sparse_tensor(float[3, 3]) s, double[2*N + 1, floor(H/2), "odd name", ?] d) => (a, b)
            { com.acme.Print (a) })");
        row("names", R"(<ir_version: 8, opset_import: ["" : 17, "my-domain" : 1]> "graph name" (float "a/b:0", float "") => ("a/b:0")
            { ["node 1"] "c d", , "" = "my-domain"."Op.1":over ("a/b:0", "") })");
        row("captures", R"(g (bool b, float[2] x) => (float[2] y) {
            v = Neg (x)
            y = If (b) <then_branch = t () => (w) <float[2] k = {1, 2}> { v2 = Add (v, k) w = Exp (v2) },
                        else_branch = e () => (v) { }> })");
        row("functions", R"(<ir_version: 8, opset_import: ["" : 17, "f" : 1]>
            g (float x) => (y) { y = f.act <alpha = 2.0> (x) }
            <domain: "f", overload: "o", opset_import: ["" : 18], doc_string: "d">
            act <alpha, beta: float = 1.0> (x) => (y) { y = Elu <alpha: float = @alpha> (x) })");
        row("region", R"(<ir_version: 8, opset_import: ["" : 17]>
            g (float[1, 3, 8, 8] x, float[4, 3, 1, 1] w) => (y) {
            y = fusescope.Region <kind = "conv-activation", roles = ["main", "activation"],
                body = (x1, w1) => (r) { c = Conv (x1, w1) r = Relu (c) }> (x, w) })");
    }

    void roundTrips()
    {
        QFETCH(QString, text);
        roundTrip(text.toStdString());
    }

    void regionsAreRead()
    {
        const Graph g = parsed(R"(g (x) => (y) { y = fusescope.Region <kind = "k",
            roles = ["main", "activation"], body = (a) => (r) { c = Neg (a) r = Relu (c) }> (x) })");
        const Node& region = *g.node(NodeId{1});
        QVERIFY(region.region.has_value());
        QCOMPARE(region.region->kind, std::string("k"));
        QCOMPARE(region.region->nodeOf(Role::activation), NodeId{3});
        QVERIFY(g.body(region.bodies[0])->kind == Body::Kind::region);
        QVERIFY(region.attributes.empty());
        QCOMPARE(g.nodeCount(), std::size_t{1});
    }

    void longTensorsAreAbbreviated()
    {
        const Graph g = parsed("g () => (y) <float[100] w = random(1)> { y = Neg (w) }");
        const std::string text = printGraph(g);
        QVERIFY(text.find("100 in all}") != std::string::npos);
        QVERIFY(text.size() < 250);
    }

    void errorsSayWhere_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("error");
        QTest::newRow("bracket") << "g (float x) => (float y) {\n  y = Neg x }"
                                 << "Line 2, column 11: expected `(`, found `x`.";
        QTest::newRow("end") << "g (float x) => (float y) { y = Neg (x)"
                             << "Line 1, column 39: expected a name, found the end.";
        QTest::newRow("count") << "g () => (y) <float[2] w = {1}> { y = Neg (w) }"
                               << "Line 1, column 28: expected 2 elements, found 1.";
        QTest::newRow("dtype") << "g () => (y) <int8[1] w = {1.5}> { y = Neg (w) }"
                               << "Line 1, column 27: `1.5` is no int8.";
        QTest::newRow("name") << "g (float x) => (float y) { [n] y = Neg (q) }"
                              << "Neg n reads `q`, which nothing defines.";
        QTest::newRow("output") << "g (float x) => (float q) { y = Neg (x) }"
                                << "The graph `g` gives out `q`, which nothing defines.";
        QTest::newRow("cycle") << "g (float x) => (float a) { a = Add (x, b) b = Neg (a) }"
                               << "Add depends on its own output: the graph has a cycle.";
        QTest::newRow("huge") << "g () => (y) <float[1000000, 1000000, 1000000, 1000000] w = fill(1)> { y = Neg (w) }"
                              << "Line 1, column 58: contents need a type with a fixed shape.";
        QTest::newRow("mixed") << "g (float x) => (y) { y = Op <a = [1, \"b\"]> (x) }"
                               << "Line 1, column 34: the value of `a` does not fit its type.";
    }

    void errorsSayWhere()
    {
        QFETCH(QString, text);
        QFETCH(QString, error);
        QCOMPARE(QString::fromStdString(errorOf(text.toStdString())), error);
    }

    void deepNestingIsRefused()
    {
        std::string text = "g () => (y) {";
        for (int i = 0; i < 5000; ++i)
            text += " y = If <b = g () => (y) {";
        QVERIFY(errorOf(text).find("too many graphs") != std::string::npos);
    }

    void randomIsTheSameEverywhere()
    {
        const Tensor t = randomTensor(DType::float64, {3}, 0);
        // SplitMix64 from 0 begins e220a8397b1dcdaf 6e789e6aa1b965f4 06c45d188009454f.
        QCOMPARE(t.load<double>(0), static_cast<double>(0xe220a8397b1dcdafULL >> 11) * 0x1p-52 - 1);
        QCOMPARE(t.load<double>(1), static_cast<double>(0x6e789e6aa1b965f4ULL >> 11) * 0x1p-52 - 1);
        QCOMPARE(t.load<double>(2), static_cast<double>(0x06c45d188009454fULL >> 11) * 0x1p-52 - 1);
        const Tensor i = randomTensor(DType::int32, {1000}, 9, -2, 3);
        for (const std::int64_t v : i.asInts())
            QVERIFY(v >= -2 && v < 3);
    }

    void fiftyThousandNodes()
    {
        std::string text = "g (float[4] x) => (float[4] v50000) {\n  v0 = Neg (x)\n";
        for (int i = 1; i <= 50000; ++i)
            text += "  v" + std::to_string(i) + " = Add (v" + std::to_string(i - 1) + ", x)\n";
        text += "}";
        QElapsedTimer timer;
        timer.start();
        const auto graph = parseGraph(text);
        qInfo("50,001 nodes from text: %lld ms", static_cast<long long>(timer.elapsed()));
        QVERIFY(graph.has_value());
        QCOMPARE(graph->nodeCount(), std::size_t{50001});
        QCOMPARE(graph->uses(ValueId{1}).size(), std::size_t{50001});
    }
};

FUSESCOPE_TEST(GraphTextTest, graph_text_test)
#include "graph_text_test.moc"
