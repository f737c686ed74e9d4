#include "pass_run.h"

#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

// First states of recurrent nodes that are zero in every run.
class ZeroStateTest : public QObject
{
    Q_OBJECT

    // The nodes that are left, after both graphs gave the same.
    static std::string left(const std::string& node, const std::string& state,
                            const std::string& header = {}, Plan plan = {})
    {
        const PassRun run = runPasses(
            fmt::format(R"(<ir_version: 8, opset_import: ["" : 17]>
                g (float[5, N, 4] x{}) => (float[] y)
                <float[1, 12, 4] W4 = random(1), float[1, 12, 3] R4 = random(2),
                 float[1, 9, 4] W3 = random(3), float[1, 9, 3] R3 = random(4), float[1, 3, 4] W1 = random(5),
                 float[1, 3, 3] R1 = random(6), float[1, 24] B = random(7), float[1, 24] B0 = fill(0),
                 int64[1] one = {{1}}, int64[1] three = {{3}}, float zero = {{0}}, float minus = {{-0.0}},
                 float half = {{0.5}}>
                {{ s = Shape (x) n = Gather (s, one) z = Concat <axis = 0> (one, n, three) {} {} }})",
                        header, state, node),
            std::move(plan));
        if (!run.problem.empty())
            return run.problem;
        if (const std::string differs = runProblem(run.opened, run.graph, 0); !differs.empty())
            return differs;
        return operatorsOf(run.graph);
    }

private Q_SLOTS:
    void leftOut_data()
    {
        QTest::addColumn<QString>("node");
        QTest::addColumn<QString>("state");
        QTest::addColumn<QString>("operators");
        const QString lstm = QStringLiteral("y, a = LSTM <hidden_size = 3> (x, W4, R4, B, , h, h)");
        QTest::newRow("a filled tensor") << lstm << "h = ConstantOfShape (z)" << "LSTM";
        QTest::newRow("an expanded zero") << lstm << "h = Expand (zero, z)" << "LSTM";
        QTest::newRow("laid out anew")
            << lstm << "e = Expand (zero, z) c = Cast <to = 11> (e) h = Cast <to = 1> (c)" << "LSTM";
        QTest::newRow("joined")
            << lstm
            << "e = Expand (zero, n) q = Concat <axis = 0> (e, e, e) r = Reshape (q, z) h = Identity (r)"
            << "LSTM";
        QTest::newRow("GRU") << "y, a = GRU <hidden_size = 3> (x, W3, R3, , , h)"
                             << "h = ConstantOfShape (z)" << "GRU";
        QTest::newRow("RNN") << "y, a = RNN <hidden_size = 3> (x, W1, R1, , , h)"
                             << "h = ConstantOfShape (z)" << "RNN";
        QTest::newRow("one of two")
            << "y, a = LSTM <hidden_size = 3> (x, W4, R4, B, , h, k)"
            << "h = Expand (zero, z) k = Expand (half, z)" << "Shape Gather Concat Expand LSTM";
        QTest::newRow("a bias of zeros") << "y, a = LSTM <hidden_size = 3> (x, W4, R4, B0)" << "" << "LSTM";
    }
    void leftOut()
    {
        QFETCH(QString, node);
        QFETCH(QString, state);
        QFETCH(QString, operators);
        QCOMPARE(QString::fromStdString(left(node.toStdString(), state.toStdString())), operators);
    }

    void kept_data()
    {
        QTest::addColumn<QString>("state");
        QTest::newRow("−0") << "h = Expand (minus, z)";
        QTest::newRow("not zero") << "h = Expand (half, z)";
        QTest::newRow("a sum, whose terms may be no numbers")
            << "e = Expand (zero, z) m = ReduceMax <keepdims = 1> (x) h = Mul (e, m)";
    }
    void kept()
    {
        QFETCH(QString, state);
        const std::string lstm = "y, a = LSTM <hidden_size = 3> (x, W4, R4, B, , h, h)";
        QVERIFY2(left(lstm, state.toStdString()).find("Concat") != std::string::npos,
                 left(lstm, state.toStdString()).c_str());
    }

    // A caller may give other states; and a pinned node stays as it is, with its reason.
    void whatOthersDecide()
    {
        const PassRun open = runPasses(R"(<ir_version: 8, opset_import: ["" : 17]>
            g (float[5, 1, 4] x, float[1, 1, 3] h) => (float[] y)
            <float[1, 12, 4] W = random(1), float[1, 12, 3] R = random(2), float[1, 1, 3] h = fill(0)>
            { [lstm] y, a = LSTM <hidden_size = 3> (x, W, R, , , h, h) })");
        QCOMPARE(open.problem, std::string());
        QCOMPARE(open.rules().find("zero-state"), std::string::npos);
        Plan plan;
        plan.policy.pinnedNodes.insert(nodeNamed(open.opened, "lstm"));
        const PassRun pinned = runPasses(R"(<ir_version: 8, opset_import: ["" : 17]>
            g (float[5, 1, 4] x) => (float[] y)
            <float[1, 12, 4] W = random(1), float[1, 12, 3] R = random(2), float[1, 1, 3] h = fill(0)>
            { [lstm] y, a = LSTM <hidden_size = 3> (x, W, R, , , h, h) })",
                                         plan);
        QCOMPARE(pinned.rules().find("zero-state"), std::string::npos);
        QVERIFY(pinned.refusals("zero-state").starts_with("pinned"));
    }
};

FUSESCOPE_TEST(ZeroStateTest, zero_state_test)
#include "zero_state_test.moc"
