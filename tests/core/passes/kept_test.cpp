#include "pass_run.h"

#include "passes/rule_support.h"
#include "support/test_class.h"

using namespace fusescope;
using namespace fusescope::test;

// What must stay through all passes: the names of the model's outputs, and what is pinned. What a fix
// may do.
class KeptTest : public QObject
{
    Q_OBJECT

    static std::string outputNames(const Graph& graph)
    {
        std::string names;
        for (const ValueId output : graph.body(graph.mainBody())->outputs)
            names += (names.empty() ? "" : " ") + graph.value(output)->name;
        return names;
    }

    static Plan pinning(std::string_view text, std::string_view node, Plan plan = {})
    {
        plan.policy.pinnedNodes = {nodeNamed(graphOf(text), node)};
        return plan;
    }

    static bool stands(const PassRun& run, std::string_view node)
    {
        return run.graph.node(nodeNamed(run.opened, node)) != nullptr;
    }

private Q_SLOTS:
    void duplicatesKeepPublicNames_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("operators");
        QTest::addColumn<QString>("outputs");
        QTest::newRow("the later second output is public")
            << R"(g (float[4, 8] x) => (float[4, 3] y1, float[4, 3] y2, int64[4, 3] i2)
                <int64[1] k = {3}>
                { v1, i1 = TopK (x, k)
                  v2, i2 = TopK (x, k)
                  y1 = Relu (v1)
                  y2 = Neg (v2) })"
            << "TopK Relu Neg" << "y1 y2 i2";
        QTest::newRow("both second outputs are public")
            << R"(g (float[4, 8] x) => (float[4, 3] y1, float[4, 3] y2, int64[4, 3] i1, int64[4, 3] i2)
                <int64[1] k = {3}>
                { v1, i1 = TopK (x, k)
                  v2, i2 = TopK (x, k)
                  y1 = Relu (v1)
                  y2 = Neg (v2) })"
            << "TopK TopK Relu Neg" << "y1 y2 i1 i2";
        QTest::newRow("each has another public output")
            << R"(g (float[4, 8] x) => (float[4, 3] v1, float[4, 3] y, int64[4, 3] i2)
                <int64[1] k = {3}>
                { v1, i1 = TopK (x, k)
                  v2, i2 = TopK (x, k)
                  y = Neg (v2) })"
            << "TopK Neg" << "v1 y i2";
        QTest::newRow("the later is public")
            << R"(g (float[4] x) => (float[4] y, float[4] b)
                { a = Exp (x)
                  b = Exp (x)
                  y = Neg (a) })"
            << "Exp Neg" << "y b";
        QTest::newRow("public masks")
            << R"(g (float[4] x) => (float[4] y1, bool[4] m1, float[4] y2, bool[4] m2)
                <float r = {0.5}, bool t = {1}>
                { d1, m1 = Dropout (x, r, t)
                  d2, m2 = Dropout (x, r, t)
                  y1 = Neg (d1)
                  y2 = Exp (d2) })"
            << "Dropout Dropout Neg Exp" << "y1 m1 y2 m2";
    }
    void duplicatesKeepPublicNames()
    {
        QFETCH(QString, text);
        QFETCH(QString, operators);
        QFETCH(QString, outputs);
        const PassRun run = runPasses(text.toStdString(), withoutFusion());
        QCOMPARE(run.problem, std::string());
        QCOMPARE(operatorsOf(run.graph), operators.toStdString());
        QCOMPARE(outputNames(run.graph), outputs.toStdString());
        QCOMPARE(runProblem(run.opened, run.graph, 0), std::string());
    }

    void twoPublicDuplicatesAreRefused()
    {
        const PassRun run = runPasses(R"(g (float[4] x) => (float[4] a, float[4] b)
            { a = Exp (x)
              b = Exp (x) })",
                                      withoutFusion());
        QCOMPARE(operatorsOf(run.graph), std::string("Exp Exp"));
        QCOMPARE(run.refusals("merge-duplicates"), std::string("public-name [a]"));
    }

    void pinnedNodesSurvive_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("node");
        const auto row = [](const char* name, const char* text, const char* node) {
            QTest::newRow(name) << QString(text) << QString(node);
        };
        row("before a dead node",
            "g (float[4] x) => (float[4] y) { [keep] e = Exp (x) d = Neg (e) y = Relu (x) }", "keep");
        row("dead itself", "g (float[4] x) => (float[4] y) { [keep] e = Exp (x) y = Relu (x) }",
            "keep");
        row("of constants",
            R"(g (float[2] x) => (float[2] y) <float[2] a = {1, 2}, float[2] b = {3, 4}>
               { [keep] c = Mul (a, b) d = Neg (c) y = Add (x, d) })",
            "keep");
        row("between a shape and what it is folded into",
            R"(g (float[N, 6] x) => (float[A, 3] y)
               <int64[1] three = {3}, int64[1] minus = {-1}, int64[1] zero = {0}, int64 i = {0}>
               { s = Shape (x) [keep] n = Gather (s, i) u = Unsqueeze (n, zero)
                 t = Concat <axis = 0> (minus, three) e = Relu (x) y = Reshape (e, t) z = Neg (u) })",
            "keep");
        row("in a dead body",
            R"(g (float[4] x, bool c) => (float[4] y)
               { z = If (c) <then_branch = t () => (float[4] a) { [keep] a = Exp (x) },
                             else_branch = e () => (float[4] b) { b = Neg (x) }>
                 y = Relu (x) })",
            "keep");
        row("in the branch that a constant does not choose",
            R"(g (float[4] x) => (float[4] y) <bool c = {0}>
               { y = If (c) <then_branch = t () => (float[4] a) { [keep] a = Exp (x) },
                             else_branch = e () => (float[4] b) { b = Neg (x) }> })",
            "keep");
        row("in a function",
            R"(<ir_version: 8, opset_import: ["" : 17, "f" : 1]>
               g (float[2] x) => (float[2] y) { y = f.twice (x) }
               <domain: "f", opset_import: ["" : 17]> twice (a) => (b) { [keep] b = Add (a, a) })",
            "keep");
        row("in a function that nobody calls",
            R"(<ir_version: 8, opset_import: ["" : 17, "f" : 1]>
               g (float[2] x) => (float[2] y) { y = Neg (x) }
               <domain: "f", opset_import: ["" : 17]> twice (a) => (b) { [keep] b = Add (a, a) })",
            "keep");
        row("an activation of a convolution",
            R"(g (float[1, 2, 4, 4] x) => (float[1, 2, 4, 4] y) <float[2, 2, 1, 1] W = random(1)>
               { c = Conv (x, W) [keep] y = Relu (c) })",
            "keep");
    }
    void pinnedNodesSurvive()
    {
        QFETCH(QString, text);
        QFETCH(QString, node);
        const std::string model = text.toStdString();
        const PassRun free = runPasses(model);
        QCOMPARE(free.problem, std::string());
        const PassRun run = runPasses(model, pinning(model, node.toStdString()));
        QCOMPARE(run.problem, std::string());
        const NodeId id = nodeNamed(run.opened, node.toStdString());
        QVERIFY(run.graph.node(id));
        // Free, it goes, or moves into a fused node.
        const Node* was = free.graph.node(id);
        QVERIFY(!was || was->body != run.opened.node(id)->body);
        QCOMPARE(run.graph.node(id)->body, run.opened.node(id)->body);
        QCOMPARE(runProblem(run.opened, run.graph), std::string());
    }

    void aPinnedValueSurvives()
    {
        const std::string text = R"(g (float[4] x) => (float[4] y)
            { a = Identity (x)
              d = Exp (a)
              y = Relu (x) })";
        const Graph opened = graphOf(text);
        Plan plan;
        plan.policy.pinnedValues = {opened.node(nodeNamed(opened, "a"))->output(0)};
        const PassRun run = runPasses(text, plan);
        QCOMPARE(run.problem, std::string());
        QCOMPARE(operatorsOf(run.graph), std::string("Identity Relu"));
        QVERIFY(run.refusals("remove-identity").starts_with("pinned"));
    }

    // A chain is divided at a pin, and where nothing else is left of it, the pin is named.
    // Nothing reads the weight any more once it is folded; a pin keeps it all the same.
    void aPinnedInitializerStays()
    {
        const char* text = R"(g (float[1, 3, 8, 8] x) => (float[1, 4, 8, 8] y)
            <float[4, 3, 1, 1] W = random(1), float[4] s = random(2, 0.5, 2), float[4] b = random(3),
             float[4] m = random(4), float[4] v = random(5, 0.5, 2), float[2] spare = {1, 2}>
            { c = Conv (x, W)
              y = BatchNormalization (c, s, b, m, v) })";
        const Graph graph = graphOf(text);
        const auto& initializers = graph.body(graph.mainBody())->initializers;
        Plan plan;
        plan.policy.pinnedValues = {initializers.front(), initializers.back()};
        const PassRun run = runPasses(text, plan);
        QCOMPARE(run.problem, std::string());
        QCOMPARE(run.rules(), std::string("conv-batchnorm"));
        QVERIFY(run.graph.value(initializers.front()) && run.graph.value(initializers.back()));
        QVERIFY(!run.graph.value(initializers[1]));
        QCOMPARE(runProblem(run.opened, run.graph), std::string());
    }

    // The weights expect three channels and get two: the model fails, and is left to fail there.
    void whatIsNotValidIsNotFused()
    {
        const PassRun run = runPasses(R"(g (float[1, 2, 8, 8] x) => (float[1, 4, 8, 8] y)
            <float[4, 3, 1, 1] W = random(1), float[4] s = random(2, 0.5, 2), float[4] b = random(3),
             float[4] m = random(4), float[4] v = random(5, 0.5, 2)>
            { c = Conv (x, W)
              y = BatchNormalization (c, s, b, m, v) })");
        QCOMPARE(run.rules(), std::string());
        QCOMPARE(run.refusals("conv-batchnorm"), std::string("evaluation-failed [c]"));
    }

    // The scale of an annotation stays as long as the value that it belongs to.
    void annotatedScalesStay()
    {
        const char* text = R"(g (float[2] x) => (float[2] y)
            <float[1] s = {1}, float[1] t = {2}, float[1] u = {3}>
            { a = Identity (x)
              y = Neg (a) })";
        const Graph graph = graphOf(text);
        const auto& initializers = graph.body(graph.mainBody())->initializers;
        const ValueId a = graph.node(nodeNamed(graph, "a"))->output(0);
        const ValueId y = graph.node(nodeNamed(graph, "y"))->output(0);
        Plan plan;
        plan.policy.annotated = {{initializers[0], {y}}, {initializers[1], {a}}};
        const PassRun run = runPasses(text, plan);
        QCOMPARE(run.problem, std::string());
        QVERIFY(!run.graph.value(a));
        QVERIFY(run.graph.value(initializers[0]));
        QVERIFY(!run.graph.value(initializers[1]));
        QVERIFY(!run.graph.value(initializers[2]));
    }

    void aPinInAChainIsNamed()
    {
        const std::string text = R"(g (float[4] x) => (float[4] y)
            { a = Exp (x)
              [keep] b = Sin (a)
              y = Cos (b) })";
        const PassRun run = runPasses(text, pinning(text, "keep"));
        QCOMPARE(operatorsOf(run.graph), std::string("Exp Sin Cos"));
        QCOMPARE(run.refusals("elementwise-chain"), std::string("pinned [keep]"));
        QCOMPARE(operatorsOf(runPasses(text).graph), std::string("region(Exp Sin Cos)"));
    }

    void fixesThatAreNone_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("kind");
        const auto row = [](const char* name, FixKind kind, const char* text) {
            QTest::newRow(name) << QString(text) << static_cast<int>(kind);
        };
        row("a Relu does something", FixKind::dropNoop,
            "g (float[4] x) => (float[4] y) { n = Neg (x) [at] r = Relu (n) y = Exp (r) }");
        row("a Reshape of declared sizes", FixKind::dropNoop,
            R"(g (float[2, 3] x, int64[2] s) => (float[A, B] y) <float[2, 3] r>
               { n = Neg (x) [at] r = Reshape (n, s) y = Exp (r) })");
        row("random numbers", FixKind::duplicateProducer,
            R"(g (float[4] x) => (float[4] p, float[4] q)
               { [at] n = RandomNormal <shape = [4]> () p = Add (x, n) q = Mul (x, n) })");
        row("an operator that may do something besides", FixKind::duplicateProducer,
            R"(<ir_version: 8, opset_import: ["" : 17, "com.acme" : 1]>
               g (float[4] x) => (float[4] p, float[4] q)
               { [at] n = com.acme.Send (x) p = Add (x, n) q = Mul (x, n) })");
    }
    void fixesThatAreNone()
    {
        QFETCH(QString, text);
        QFETCH(int, kind);
        const Graph opened = graphOf(text.toStdString());
        IdPool pool(opened);
        const auto patch = fixPatch(opened, pool,
                                    {static_cast<FixKind>(kind), nodeNamed(opened, "at"), false, false},
                                    {});
        QVERIFY(!patch);
        QCOMPARE(std::string(patch.error().message.text.key), std::string("fix.wrong-target"));
    }

    void aNoopIsDropped()
    {
        Plan plan = withoutFusion();
        const std::string text = R"(g (float[2, 3] x) => (float[2, 3] y) <int64[2] s = {2, 3}>
            { n = Neg (x) [at] r = Reshape (n, s) y = Exp (r) })";
        plan.fixes = {{FixKind::dropNoop, nodeNamed(graphOf(text), "at"), false, false}};
        plan.policy.disabled.insert("remove-noop");
        const PassRun run = runPasses(text, plan);
        QCOMPARE(run.problem, std::string());
        QCOMPARE(operatorsOf(run.graph), std::string("Neg Exp"));
        QCOMPARE(runProblem(run.opened, run.graph, 0), std::string());
    }

    // The copy for a reader inside a body stands there.
    void aProducerIsDuplicatedIntoABody()
    {
        const std::string text = R"(g (float[4] x, bool c) => (float[4] y, float[4] z)
            { [relu] r = Relu (x)
              y = Exp (r)
              z = If (c) <then_branch = t () => (float[4] a) { a = Neg (r) },
                          else_branch = e () => (float[4] b) { b = Abs (r) }> })";
        Plan plan = withoutFusion();
        plan.fixes = {{FixKind::duplicateProducer, nodeNamed(graphOf(text), "relu"), false, false}};
        plan.maxSteps = 1;
        const PassRun run = runPasses(text, plan);
        QCOMPARE(run.problem, std::string());
        int copies = 0;
        for (const NodeId id : run.graph.allNodes())
            copies += run.graph.node(id)->is("Relu") ? 1 : 0;
        QCOMPARE(copies, 3);
        QCOMPARE(run.graph.uses(run.graph.node(nodeNamed(run.graph, "relu"))->output(0)).size(),
                 std::size_t{1});
        QCOMPARE(runProblem(run.opened, run.graph, 0), std::string());
    }
};

FUSESCOPE_TEST(KeptTest, kept_test)
#include "kept_test.moc"
