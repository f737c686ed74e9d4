#include "pass_run.h"

#include "passes/fix_trial.h"

#include "support/test_class.h"

using namespace fusescope;
using namespace fusescope::test;

// A fix is offered only where it lifts the refusal: what a caller may override is read by nobody, and
// may be as wrong as any constant once it is frozen.
class FixTrialTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void obstaclesBehindTheFix_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("rule");
        QTest::addColumn<QString>("refusals");
        QTest::newRow("a negative variance")
            << R"(g (float[1, 2, 4, 4] x, float[2] v) => (float[1, 2, 4, 4] y)
                <float[2, 2, 1, 1] W = random(1), float[2] s = random(2), float[2] b = random(3),
                 float[2] m = random(4), float[2] v = {-2, -1}>
                { c = Conv (x, W) y = BatchNormalization (c, s, b, m, v) })"
            << "conv-batchnorm" << "overridable-initializer [v] not-finite [y]";
        QTest::newRow("a scale that is no number")
            << R"(g (float[1, 2, 4, 4] x, float[1] k) => (float[] y)
                <float[2, 2, 1, 1] W = random(1), float[1] k = {inf}>
                { c = Conv (x, W) y = Mul (c, k) })"
            << "conv-scale" << "overridable-initializer [k] not-finite [k]";
        QTest::newRow("pads of the channels")
            << R"(g (float[1, 3, 4, 4] x, int64[8] p) => (float[] y)
                <float[4, 3, 1, 1] W = random(1), int64[8] p = {1, 0, 1, 1, 0, 0, 1, 1}>
                { t = Pad (x, p) y = Conv (t, W) })"
            << "pad-conv" << "overridable-initializer [p] pads-other-axis [t]";
        QTest::newRow("another divisor")
            << R"(g (float[2, 4] x, float r) => (float[2, 4] y)
                <float r = {1.5}, float one = {1}, float half = {0.5}>
                { d = Div (x, r) e = Erf (d) a = Add (e, one) m = Mul (x, a) y = Mul (m, half) })"
            << "gelu" << "overridable-initializer [r]";
        QTest::newRow("an epsilon for each row")
            << R"(g (float[2, 4] x, float[2, 1] eps) => (float[2, 4] y)
                <float[4] ga = random(1), float[2, 1] eps = {0.1, 0.2}>
                { mu = ReduceMean <axes = [-1]> (x) d = Sub (x, mu) q = Mul (d, d)
                  va = ReduceMean <axes = [-1]> (q) ve = Add (va, eps) sd = Sqrt (ve) n = Div (d, sd)
                  y = Mul (n, ga) })"
            << "layer-normalization" << "overridable-initializer [eps]";
    }
    void obstaclesBehindTheFix()
    {
        QFETCH(QString, text);
        QFETCH(QString, rule);
        QFETCH(QString, refusals);
        const PassRun run = runPasses(text.toStdString());
        QCOMPARE(run.problem, std::string());
        QCOMPARE(QString::fromStdString(run.refusals(rule.toStdString())), refusals);
        for (const Blocked& row : run.blocked) {
            for (const Reason& reason : row.miss.reasons)
                QVERIFY(!reason.fix);
        }
    }

    // Thousands of refusals may have the same fix.
    void equalFixesAreMadeOnce()
    {
        const PassRun run = runPasses(
            R"(g (float[1, 2, 4, 4] x, float[2, 2, 1, 1] W, float[2] s) => (float[1, 2, 4, 4] y)
               <float[2, 2, 1, 1] W = random(1), float[2] s = random(2), float[2] b = random(3),
                float[2] m = random(4), float[2] v = {2, 1}>
               { c = Conv (x, W) n = BatchNormalization (c, s, b, m, v)
                 d = Conv (n, W) y = BatchNormalization (d, s, b, m, v) })");
        QCOMPARE(run.problem, std::string());
        const CallSizes calls(run.graph);
        const Plan plan;
        FixTrial trial(run.graph, plan, calls, 0);
        int tried = 0;
        for (Blocked row : run.blocked) {
            const std::vector<Reason> before = row.miss.reasons;
            if (!before.front().fix)
                continue;
            ++tried;
            trial.examine(*findPass(row.pass), row.miss);
            QCOMPARE(row.miss.reasons.size(), before.size());
            QVERIFY(row.miss.reasons.front().fix == before.front().fix);
        }
        QCOMPARE(tried, 2);
        QCOMPARE(trial.preparations(), 1);
    }
};

FUSESCOPE_TEST(FixTrialTest, fix_trial_test)
#include "fix_trial_test.moc"
