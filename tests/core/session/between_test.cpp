#include "passes/explain.h"
#include "passes/optimizer.h"
#include "report/render.h"
#include "session/session.h"
#include "support/model_bytes.h"
#include "support/rewrite_check.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

// Why two nodes were not fused: always something concrete, the same in either order.
class BetweenTest : public QObject
{
    Q_OBJECT

    static std::string idOf(PairExplanation::Answer answer)
    {
        switch (answer) {
        case PairExplanation::Answer::blocked:
            return "blocked";
        case PairExplanation::Answer::legal:
            return "legal";
        case PairExplanation::Answer::disabled:
            return "disabled";
        case PairExplanation::Answer::noPattern:
            break;
        }
        return "no-pattern";
    }

    // "answer rule code | sentence", after making sure that the order does not matter.
    static std::string told(std::string_view text, std::string_view a, std::string_view b,
                            const Plan& plan = {})
    {
        const Graph graph = graphOf(text);
        const auto ask = [&](std::string_view first, std::string_view second) {
            const PairExplanation pair =
                explainPair(graph, plan, nodeNamed(graph, first), nodeNamed(graph, second));
            std::string line = idOf(pair.answer) + " " + std::string(pair.nearest.rule);
            if (pair.nearest.miss)
                line += " " + std::string(fusescope::idOf(pair.nearest.miss->reasons.front().code));
            line += " | " + render(pair.message, &graph);
            return pair.note ? line + " " + render(pair.note, &graph) : line;
        };
        const std::string one = ask(a, b), other = ask(b, a);
        return one == other ? one : "either order differs: " + one + " / " + other;
    }

    static constexpr std::string_view network = R"(
        g (float[1, 3, 8, 8] x, float[1, 3, 8, 8] u) => (float[1, 4, 8, 8] y, float[1, 4, 4, 4] p,
                                                         float[1, 3, 8, 8] w, float[1, 4, 8, 8] t)
        <float[4, 3, 1, 1] W = random(1), float[4] s = random(2, 0.5, 2), float[4] b = random(3),
         float[4] m = random(4), float[4] v = random(5, 0.5, 2)>
        { [conv] c = Conv (x, W)
          [bn] n = BatchNormalization (c, s, b, m, v)
          [relu] y = Relu (n)
          [pool] p = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (n)
          [alone] w = Softmax (u)
          [sort] t = Transpose <perm = [0, 1, 3, 2]> (n) })";

private Q_SLOTS:
    void pairs_data()
    {
        QTest::addColumn<QString>("a");
        QTest::addColumn<QString>("b");
        QTest::addColumn<QString>("answer");
        const auto row = [](const char* a, const char* b, const char* answer) {
            QTest::newRow(qPrintable(QStringLiteral("%1 %2").arg(QLatin1String(a), QLatin1String(b))))
                << a << b << answer;
        };
        row("conv", "bn", "legal conv-batchnorm | conv and bn can be fused: conv-batchnorm applies.");
        row("c", "n", "legal conv-batchnorm | conv and bn can be fused: conv-batchnorm applies.");
        row("conv", "alone",
            "no-pattern");
        row("pool", "sort", "no-pattern");
        row("conv", "pool", "no-pattern");
        row("bn", "pool", "no-pattern");
    }

    void pairs()
    {
        QFETCH(QString, a);
        QFETCH(QString, b);
        QFETCH(QString, answer);
        const QString found =
            QString::fromStdString(told(network, a.toStdString(), b.toStdString()));
        QVERIFY2(found.startsWith(answer), qPrintable(found));
        QVERIFY2(!found.contains(QLatin1Char('{')), qPrintable(found));
    }

    // What stands between, and how far, is told.
    void whatDiffersIsTold()
    {
        const std::string unconnected = told(network, "conv", "alone");
        QVERIFY2(unconnected.find("neither is computed from the other") != std::string::npos,
                 unconnected.c_str());
        const std::string far = told(network, "conv", "pool");
        QVERIFY2(far.find("one node stands between them, bn") != std::string::npos, far.c_str());
        const std::string near = told(network, "bn", "pool");
        QVERIFY2(near.find("(BatchNormalization) and pool (MaxPool), which reads it") !=
                     std::string::npos,
                 near.c_str());
        for (const std::string& sentence : {unconnected, far, near})
            QVERIFY2(sentence.find("The nearest rule is ") != std::string::npos, sentence.c_str());
    }

    void aBlockedPairHasItsConditions()
    {
        const Graph graph = graphOf(R"(g (float[1, 3, 8, 8] x) => (float[1, 4, 8, 8] y, float[1, 4, 8, 8] z)
            <float[4, 3, 1, 1] W = random(1), float[4] s = random(2, 0.5, 2), float[4] b = random(3),
             float[4] m = random(4), float[4] v = random(5, 0.5, 2)>
            { [conv] c = Conv (x, W)
              [bn] y = BatchNormalization (c, s, b, m, v)
              [other] z = Sin (c) })");
        const PairExplanation pair =
            explainPair(graph, {}, nodeNamed(graph, "bn"), nodeNamed(graph, "conv"));
        QCOMPARE(idOf(pair.answer), std::string("blocked"));
        QVERIFY(pair.nearest.conditions.size() > 8);
        int failing = 0;
        for (const ConditionRecord& condition : pair.nearest.conditions) {
            if (condition.holds)
                continue;
            ++failing;
            QVERIFY(render(condition.saw, &graph).find("other") != std::string::npos);
        }
        QCOMPARE(failing, 1);
    }

    // The growth limit counts from the model as opened, as it does in the run.
    void growthCountsFromTheOpenedModel()
    {
        const auto graph = [](std::string_view more) {
            return graphOf(fmt::format(R"(g (float[1, 2, 5, 5] x) => (float[1, 2, A, B] y,
                                                                   float[1, 2, C, D] z)
                <float[2, 2, 3, 3] W = random(1), float[2, 1, 1] k = {{2, 3}}, {}>
                {{ [conv] c = Conv (x, W) [mul] y = Mul (c, k) z = Conv (x, W) }})",
                                       more));
        };
        Plan plan;
        plan.policy.maxGrowth = 2000;
        const Graph grown = graph("float[500] unread = random(2)");
        const NodeId conv = nodeNamed(grown, "conv"), mul = nodeNamed(grown, "mul");
        QCOMPARE(idOf(explainPair(grown, plan, conv, mul).answer), std::string("legal"));
        QCOMPARE(idOf(explainPair(grown, plan, conv, mul, graph("float unread = {1}")).answer),
                 std::string("blocked"));
    }

    void aRuleThatIsOff()
    {
        Plan plan;
        plan.policy.disabled = {"conv-batchnorm"};
        QVERIFY(told(network, "conv", "bn", plan)
                    .starts_with("disabled conv-batchnorm | conv-batchnorm would fuse conv and bn"));
        plan.policy.disabled = {"fusion"};
        QVERIFY(told(network, "conv", "bn", plan).starts_with("disabled conv-batchnorm"));
    }

    void acrossGraphs()
    {
        const std::string found = told(R"(g (float[1, 3, 8, 8] x, bool k) => (float[1, 4, 8, 8] y)
            <float[4, 3, 1, 1] W = random(1), float[4] s = random(2, 0.5, 2), float[4] b = random(3),
             float[4] m = random(4), float[4] v = random(5, 0.5, 2)>
            { [conv] c = Conv (x, W)
              y = If (k) <then_branch = t () => (float[1, 4, 8, 8] p)
                              { [bn] p = BatchNormalization (c, s, b, m, v) },
                          else_branch = e () => (float[1, 4, 8, 8] q) { q = Neg (c) }> })",
                                       "conv", "bn");
        QVERIFY2(found.starts_with("blocked conv-batchnorm different-scope"), found.c_str());
        const std::string functions = told(R"(<ir_version: 8, opset_import: ["" : 17, "f" : 1]>
            g (float[1, 3, 8, 8] x, float[4, 3, 1, 1] W) => (float[1, 4, 8, 8] y)
            { c = f.conv (x, W)
              y = f.act (c) }
            <domain: "f", opset_import: ["" : 17]> conv (a, w) => (o) { [inner] o = Conv (a, w) }
            <domain: "f", opset_import: ["" : 17]> act (a) => (o) { [relu] o = Relu (a) })",
                                           "inner", "relu");
        QVERIFY2(functions.starts_with("blocked") || functions.starts_with("no-pattern"),
                 functions.c_str());
        QVERIFY2(functions.find("different") != std::string::npos ||
                     functions.find("neither is computed") != std::string::npos,
                 functions.c_str());
    }

    // Node name, output name and number name the same node.
    void namesAndNumbers()
    {
        const auto session = Session::openBytes(modelBytes(network), "names");
        QVERIFY(session);
        const Graph& graph = (*session)->opened();
        const auto byName = (*session)->findNodes(graph, "bn");
        QCOMPARE(byName.size(), std::size_t{1});
        QVERIFY((*session)->findNodes(graph, "n") == byName);
        QVERIFY((*session)->findNodes(graph, "#" + std::to_string(byName[0].value)) == byName);
        QVERIFY((*session)->findNodes(graph, "#9999").empty());
    }
};

FUSESCOPE_TEST(BetweenTest, between_test)
#include "between_test.moc"
