#include "pass_run.h"
#include "support/test_class.h"

using namespace fusescope;
using namespace fusescope::test;

// Equal initializers become one, and nothing else does.
class MergeInitializersTest : public QObject
{
    Q_OBJECT

    static Plan only()
    {
        Plan plan;
        for (const Pass* pass : allPasses()) {
            if (pass->rule() != "merge-initializers")
                plan.policy.disabled.insert(std::string(pass->rule()));
        }
        return plan;
    }

    // The names of the initializers of all graphs, in their order.
    static std::string initializers(const Graph& graph)
    {
        std::string names;
        for (const BodyId body : graph.bodies()) {
            for (const ValueId id : graph.body(body)->initializers)
                names += (names.empty() ? "" : " ") + graph.value(id)->name;
        }
        return names;
    }

    static std::string left(std::string_view text, Plan plan = only())
    {
        const PassRun run = runPasses(text, std::move(plan));
        if (!run.problem.empty())
            return run.problem;
        const std::string differs = runProblem(run.opened, run.graph, 0);
        return differs.empty() ? initializers(run.graph) : differs;
    }

private Q_SLOTS:
    void merges_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("left");
        QTest::newRow("three of one kind")
            << R"(g (float[2, 2] x) => (float[2, 2] y, float[2, 2] z)
                <float[2, 2] a = random(1), float[2, 2] b = random(2), float[2, 2] c = random(1),
                 float[2, 2] d = random(1)>
                { p = Add (x, a)
                  q = Mul (p, b)
                  y = Sub (q, c)
                  z = Div (q, d) })"
            << "a b";
        QTest::newRow("other bits, shapes and types")
            << R"(g (float[2, 2] x, int32[2, 2] i) => (float[2, 2] y, int32[2, 2] z)
                <float[2] a = {0, 1}, float[2] b = {-0.0, 1}, float[1, 2] c = {0, 1},
                 int32[2] d = {0, 1065353216}>
                { p = Add (x, a)
                  q = Mul (p, b)
                  y = Sub (q, c)
                  z = Add (i, d) })"
            << "a b c d";
        QTest::newRow("equal at the start alone")
            << R"(g (float[3] x) => (float[3] y)
                <float[3] a = {1, 2, 3}, float[3] b = {1, 2, 4}>
                { p = Add (x, a)
                  y = Mul (p, b) })"
            << "a b";
        QTest::newRow("one node reads both")
            << R"(g (float[2] x) => (float[2] y)
                <float a = {2}, float b = {2}>
                { y = Clip (x, a, b) })"
            << "a";
        QTest::newRow("an output keeps its name")
            << R"(g (float[2] x) => (float[2] y, float[2] b)
                <float[2] a = {1, 2}, float[2] b = {1, 2}>
                { y = Add (x, a) })"
            << "a b";
        QTest::newRow("the first may be the output")
            << R"(g (float[2] x) => (float[2] y, float[2] a)
                <float[2] a = {1, 2}, float[2] b = {1, 2}>
                { y = Add (x, b) })"
            << "a";
        QTest::newRow("a caller may replace it")
            << R"(<ir_version: 8, opset_import: ["" : 17]>
                g (float[2] x, float[2] a) => (float[2] y)
                <float[2] a = {1, 2}, float[2] b = {1, 2}, float[2] c = {1, 2}>
                { p = Add (x, a)
                  q = Mul (p, b)
                  y = Sub (q, c) })"
            << "a b";
        QTest::newRow("IR 3 lists them as inputs")
            << R"(<ir_version: 3, opset_import: ["" : 9]>
                g (float[2] x, float[2] a, float[2] b) => (float[2] y)
                <float[2] a = {1, 2}, float[2] b = {1, 2}>
                { p = Add (x, a)
                  y = Mul (p, b) })"
            << "a";
    }
    void merges()
    {
        QFETCH(QString, text);
        QFETCH(QString, left);
        QCOMPARE(MergeInitializersTest::left(text.toStdString()), left.toStdString());
    }

    // What a body reads from outside it sees by its name: another of that name gets a new one.
    void namesOfBodies()
    {
        const std::string text = R"(g (bool c, float[2] x) => (float[2] y)
            <float[2] a = {1, 2}, float[2] b = {3, 4}>
            { p = Add (x, a)
              q = Mul (p, b)
              y = If (c) <
                then_branch = t () => (float[2] t1) <float[2] d = {1, 2}> { t1 = Add (q, d) },
                else_branch = e () => (float[2] e1) <float[2] NAME = {5, 6}, float[2] f = {1, 2}>
                { e0 = Sub (q, NAME)
                  e1 = Mul (e0, f) }> })";
        const auto with = [&text](const char* name) {
            return QString::fromStdString(text).replace("NAME", name).toStdString();
        };
        QCOMPARE(left(with("g")), std::string("a b g"));
        // `f` equals the outer `a`, but there that name means the local one.
        QCOMPARE(left(with("a")), std::string("a b a_1"));
    }

    void pinsHold()
    {
        const std::string text = R"(g (float[2] x) => (float[2] y)
            <float[2] a = {1, 2}, float[2] b = {1, 2}, float[2] c = {1, 2}>
            { p = Add (x, a)
              q = Mul (p, b)
              y = Sub (q, c) })";
        const Graph graph = graphOf(text);
        Plan plan = only();
        plan.policy.pinnedValues = {graph.body(graph.mainBody())->initializers[1]};
        QCOMPARE(left(text, plan), std::string("a b"));
    }

    // Long ones that differ in their last byte only, and ones stored in two ways.
    void largeOnes()
    {
        const auto filled = [](float last) {
            std::vector<float> numbers(5000, 0.5F);
            numbers.back() = last;
            return Tensor::of<float>({5000}, numbers);
        };
        const float half = 0.5F;
        Graph graph = graphOf(R"(g (float[5000] x) => (float[5000] y)
            <float[5000] a = random(1), float[5000] b = random(2), float[5000] c = random(3),
             float[5000] d = random(4)>
            { p = Add (x, a)
              q = Add (p, b)
              r = Add (q, c)
              y = Add (r, d) })");
        const std::vector<Tensor> tensors{filled(0.5F), filled(0.25F),
                                          Tensor::splat(DType::float32, {5000}, &half),
                                          filled(0.25F)};
        GraphPatch patch;
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            const ValueId id = graph.body(graph.mainBody())->initializers[i];
            auto next = std::make_shared<Value>(*graph.value(id));
            next->constant = std::make_shared<const Tensor>(tensors[i]);
            patch.values.push_back({id, graph.valuePtr(id), next});
        }
        QVERIFY(graph.apply(patch));
        const PassRun run = runPasses(graph, only());
        QCOMPARE(run.problem, std::string());
        QCOMPARE(initializers(run.graph), std::string("a b"));
        QCOMPARE(runProblem(run.opened, run.graph, 0), std::string());
        // Two of 5,000 numbers are saved, in one step.
        QCOMPARE(run.steps.size(), std::size_t{1});
        QCOMPARE(run.steps.front().cost.parameters, std::int64_t{10000});
    }

    // Sharing comes last: folding needs no private copies, and says nothing of them.
    void fusionsComeFirst()
    {
        const PassRun run = runPasses(R"(g (float[1, 3, 8, 8] x) => (float[1, 4, 8, 8] y, float[1, 4, 8, 8] z)
            <float[4, 3, 1, 1] W = random(1), float[4, 3, 1, 1] V = random(1),
             float[4] s = random(2, 0.5, 2), float[4] b = random(3), float[4] m = random(4),
             float[4] v = random(5, 0.5, 2)>
            { c = Conv (x, W)
              y = BatchNormalization (c, s, b, m, v)
              z = Conv <strides = [1, 1]> (x, V) })");
        QCOMPARE(run.problem, std::string());
        QCOMPARE(run.rules(), std::string("conv-batchnorm"));
        QVERIFY(run.steps.front().remarks.empty());
        QCOMPARE(runProblem(run.opened, run.graph), std::string());
    }
};

FUSESCOPE_TEST(MergeInitializersTest, merge_initializers_test)
#include "merge_initializers_test.moc"
