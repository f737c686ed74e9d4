#include <QTemporaryDir>

#include <cmath>

#include "support/test_class.h"
#include "ui/open_model.h"
#include "ui/panels/explain_batchnorm.h"
#include "ui/panels/inspector_explain_page.h"

using namespace fusescope;

namespace {

const char* const layerNorm = R"(
<ir_version: 8, opset_import: ["" : 17]>
net (float[N, 4] x) => (float[N, 4] y)
<float[4] gamma = {1.5, 0.5, 2.0, 1.0}, float[4] beta = {0.1, -0.2, 0.3, 0.4},
 float epsilon = {0.001}, float two = {2.0}>
{
    mean = ReduceMean <axes = [-1], keepdims = 1> (x)
    d = Sub (x, mean)
    square = Pow (d, two)
    var = ReduceMean <axes = [-1], keepdims = 1> (square)
    safe = Add (var, epsilon)
    root = Sqrt (safe)
    n = Div (d, root)
    scaled = Mul (n, gamma)
    y = Add (scaled, beta)
}
)";

const char* const rmsNorm = R"(
<ir_version: 8, opset_import: ["" : 17]>
net (float[N, 4] x) => (float[N, 4] y)
<float[4] gamma = {1.5, 0.5, 2.0, 1.0}, float epsilon = {0.5}, float two = {2.0}>
{
    square = Pow (x, two)
    mean = ReduceMean <axes = [-1], keepdims = 1> (square)
    safe = Add (mean, epsilon)
    root = Sqrt (safe)
    n = Div (x, root)
    y = Mul (n, gamma)
}
)";

const char* const gelu = R"(
<ir_version: 8, opset_import: ["" : 20]>
net (float[N, 4] x) => (float[N, 4] y)
<float root2 = {1.41421356}, float one = {1.0}, float half = {0.5}>
{
    a = Div (x, root2)
    e = Erf (a)
    s = Add (e, one)
    m = Mul (x, s)
    y = Mul (m, half)
}
)";

const char* const convSilu = R"(
<ir_version: 8, opset_import: ["" : 17]>
net (float[N, 2, 4, 4] x) => (float[N, 3, 4, 4] y)
<float[3, 2, 1, 1] W = random(1)>
{
    [conv] c = Conv (x, W)
    [gate] s = Sigmoid (c)
    [mul] y = Mul (c, s)
}
)";

const char* const gemm = R"(
<ir_version: 8, opset_import: ["" : 17]>
net (float[N, 3] x) => (float[N, 2] y)
<float[3, 2] B = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, float[2] C = {1.0, -1.0},
 float[2] gamma = {3.0, 0.5}, float[2] beta = {0.25, -0.25}, float[2] mean = {0.5, 0.0},
 float[2] var = {4.0, 1.0}>
{
    [gemm] g = Gemm <beta = 2.0> (x, B, C)
    [bn] y = BatchNormalization <epsilon = 0.0> (g, gamma, beta, mean, var)
}
)";

const char* const joined = R"(
<ir_version: 8, opset_import: ["" : 17]>
net (float[N, 1, 4, 4] a, float[N, 2, 4, 4] b) => (float[N, 2, 4, 4] y)
<float[2, 3, 1, 1] W = {1.0, -2.0, 1.0, 0.5, 0.5, 0.0}, float[2] B = {0.5, 1.5}>
{
    [concat] c = Concat <axis = 1> (a, b)
    [conv] y = Conv (c, W, B)
}
)";

} // namespace

class StepFormulaTest : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::unique_ptr<AppState> m_state;
    std::unique_ptr<ExplainPage> m_page;

    // Opens the model, and the page at the first step of the rule.
    bool open(std::string_view model, std::string_view rule)
    {
        m_page.reset();
        m_state = std::make_unique<AppState>();
        m_state->open(test::modelFile(model, m_folder.path(), QStringLiteral("net.onnx")));
        if (!test::waitForPasses(*m_state))
            return false;
        const int step = test::stepOf(*m_state, rule);
        m_page = std::make_unique<ExplainPage>(*m_state);
        m_page->resize(530, 900);
        m_page->show(step);
        return step > 0 && m_page->step() == step && m_page->formula().has_value();
    }

private Q_SLOTS:
    void layerNormalizationHasItsScaleAndEpsilon()
    {
        QVERIFY(open(layerNorm, "layer-normalization"));
        const StepFormula& formula = *m_page->formula();
        QVERIFY(formula.headline.startsWith(QStringLiteral("9 ")));
        QCOMPARE(formula.general.front().plain(),
                 QStringLiteral("y = (x − mean(x)) / √(var(x) + ε) · γ + β"));
        QCOMPARE(formula.count, 4);
        QCOMPARE(formula.bars, (QList<double>{1.5, 0.5, 2.0, 1.0}));
        QVERIFY2(formula.check.startsWith(QStringLiteral("✓")), qPrintable(formula.check));
        m_page->choose(1);
        // 0.5 / √1.001 − 0.2
        QCOMPARE(m_page->lines().size(), 2);
        QVERIFY2(m_page->lines().front().contains(QStringLiteral("0.001")),
                 qPrintable(m_page->lines().front()));
        QVERIFY2(m_page->lines().back().endsWith(QStringLiteral("· 0.5 + (−0.2) = 0.29975")),
                 qPrintable(m_page->lines().back()));
    }

    void rootMeanSquareHasNoMeanAndNoShift()
    {
        QVERIFY(open(rmsNorm, "rms-normalization"));
        QCOMPARE(m_page->formula()->general.front().plain(),
                 QStringLiteral("y = x / √(mean(x²) + ε) · γ"));
        m_page->choose(2);
        // 2 / √1.5
        QVERIFY2(m_page->lines().back().endsWith(QStringLiteral("· 2 = 1.633")),
                 qPrintable(m_page->lines().back()));
    }

    void geluIsComputedOperatorByOperator()
    {
        QVERIFY(open(gelu, "gelu"));
        const StepFormula& formula = *m_page->formula();
        QVERIFY(formula.isFunction);
        QVERIFY2(formula.check.startsWith(QStringLiteral("✓")), qPrintable(formula.check));
        // At x = 1, where the page opens.
        const QStringList lines = m_page->lines();
        QCOMPARE(lines.size(), 5);
        QVERIFY2(lines[0].endsWith(QStringLiteral("1 / 1.4142 = 0.70711")), qPrintable(lines[0]));
        QVERIFY2(lines[1].endsWith(QStringLiteral("erf(0.70711) = 0.68269")), qPrintable(lines[1]));
        QVERIFY2(lines[4].endsWith(QStringLiteral("= 0.84134")), qPrintable(lines[4]));
        m_page->choose(0); // x = −6
        QVERIFY2(m_page->lines().front().contains(QStringLiteral("−6 / 1.4142")),
                 qPrintable(m_page->lines().front()));
        QVERIFY(std::abs(formula.bars[24]) < 1e-12); // x = 0
    }

    void aWrongConstantOfACurveIsSaid()
    {
        const auto session = std::make_unique<AppState>();
        session->open(test::modelFile(gelu, m_folder.path(), QStringLiteral("net.onnx")));
        QVERIFY(test::waitForPasses(*session));
        Step step = *session->timeline()->steps[static_cast<std::size_t>(
            test::stepOf(*session, "gelu") - 1)];
        step.rule = "silu"; // what was matched is no SiLU
        const auto formula = stepFormula(*session->graphAt(step.number - 1),
                                         *session->graphAt(step.number), step);
        QVERIFY(formula && !formula->holds);
        QVERIFY2(formula->check.startsWith(QStringLiteral("!")), qPrintable(formula->check));
    }

    void siluIsExplainedInsideTheConvolutionThatTookIt()
    {
        QVERIFY(open(convSilu, "silu"));
        QCOMPARE(m_page->lines().size(), 2);
        QVERIFY2(m_page->lines().front().endsWith(QStringLiteral("σ(1) = 0.73106")),
                 qPrintable(m_page->lines().front()));
        m_state->setB(m_state->stepCount());
        const NodeId conv = m_state->session()->findNodes(m_state->session()->opened(), "conv").front();
        const NodeId region =
            m_state->timeline()->unionGraph.standsForAt(conv, m_state->stepCount()).front();
        QCOMPARE(m_page->stepFor(region), test::stepOf(*m_state, "silu"));
    }

    void gemmFoldsItsColumns()
    {
        QVERIFY(open(gemm, "gemm-batchnorm"));
        QCOMPARE(m_page->formula()->headline,
                 QStringLiteral("BatchNormalization disappears into the Gemm"));
        QCOMPARE(m_page->formula()->bars, (QList<double>{1.5, 0.5}));
        QVERIFY2(m_page->formula()->check.startsWith(QStringLiteral("✓")),
                 qPrintable(m_page->formula()->check));
        const FormulaNumbers shown = m_page->formula()->numbers(0);
        QVERIFY(shown.slice);
        QCOMPARE(shown.slice->before.values, (QList<double>{1.0, 3.0, 5.0}));
        QCOMPARE(shown.slice->after.values, (QList<double>{1.5, 4.5, 7.5}));
        // (2 · 1 − 0.5) · 1.5 + 0.25
        QVERIFY2(m_page->lines().back().endsWith(QStringLiteral("= 2.5")),
                 qPrintable(m_page->lines().back()));
    }

    void eachPartOfAConcatHasItsShareOfTheWeights()
    {
        QVERIFY(open(joined, "concat-conv"));
        QCOMPARE(m_page->formula()->general.front().plain(),
                 QStringLiteral("y = W₁ ∗ x₁ + W₂ ∗ x₂ + b"));
        QCOMPARE(m_page->formula()->bars, (QList<double>{0.5, 1.5}));
        m_page->choose(0);
        QCOMPARE(m_page->lines(),
                 (QStringList{QStringLiteral("x₁: channel 0 of the joined value,  Σ|W₁| = 1 (25 %)"),
                              QStringLiteral("x₂: channels 1…2 of the joined value,  Σ|W₂| = 3 (75 %)")}));
        m_page->choose(1);
        QVERIFY(m_page->lines().back().endsWith(QStringLiteral("Σ|W₂| = 0.5 (50 %)")));
    }
};

FUSESCOPE_TEST(StepFormulaTest, step_formula_test)
#include "step_formula_test.moc"
