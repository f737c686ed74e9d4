#include "panel_fixture.h"
#include "support/test_class.h"
#include "ui/panels/why_panel.h"
#include "ui/widgets/labels.h"

#include <algorithm>

using namespace fusescope;
using namespace fusescope::test;

// What is told of one node, or of two, that are fused or not.
class WhyPanelTest : public QObject, PanelFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { installTheme(); }
    void init() { QVERIFY(openNetwork()); }

    void whyTellsTheStepThatFused()
    {
        WhyPanel panel(*m_state, *m_actions);
        panel.resize(330, 500);
        panel.show();
        QVERIFY(panel.verdict().isEmpty());
        m_state->select(named(*m_state, "conv"));
        m_state->selectSecond(named(*m_state, "bn"));
        QTRY_VERIFY(panel.verdict().startsWith(QStringLiteral("Fused at step")));
        QTest::qWait(50);
        picture(panel, QStringLiteral("why"));
        m_state->selectSecond(named(*m_state, "relu")); // by the rewrite after it
        QCOMPARE(panel.verdict(), QStringLiteral("Fused at step 2"));
        // Each of them alone: where it was fused, and a link that goes there.
        for (const auto& [name, step] :
             {std::pair("bn", 1), std::pair("relu", 2), std::pair("conv", 1)}) {
            m_state->setB(0);
            m_state->select(named(*m_state, name));
            QTRY_COMPARE(panel.verdict(), QStringLiteral("Fused at step %1").arg(step));
            QTest::qWait(20); // the conditions of other rules come after it
            QCOMPARE(panel.verdict(), QStringLiteral("Fused at step %1").arg(step));
            const auto links = panel.findChildren<LinkLabel*>();
            const auto link = std::ranges::find_if(links, [step = step](const LinkLabel* one) {
                return one->accessibleName() == QStringLiteral("Show step %1").arg(step);
            });
            QVERIFY(link != links.end());
            (*link)->click();
            QCOMPARE(m_state->b(), step);
        }
    }

    // A rule of an earlier stage takes the Concat that concat-conv could have taken.
    void whyTellsWhatTookANodeBefore()
    {
        m_state->open(modelFile(R"(
<ir_version: 8, opset_import: ["" : 17]>
focus (float[1, 3, 8, 8] x) => (float[1, 4, 4, 4] y)
<float[4, 12, 1, 1] W = random(1), int64[2] oo = {0, 0}, int64[2] lo = {1, 0}, int64[2] ol = {0, 1},
 int64[2] ll = {1, 1}, int64[2] ends = {2147483647, 2147483647}, int64[2] axes = {2, 3},
 int64[2] steps = {2, 2}>
{
    a = Slice (x, oo, ends, axes, steps)
    b = Slice (x, lo, ends, axes, steps)
    c = Slice (x, ol, ends, axes, steps)
    d = Slice (x, ll, ends, axes, steps)
    [join] j = Concat <axis = 1> (a, b, c, d)
    [conv] y = Conv (j, W)
}
)",
                                                 m_folder.path(), QStringLiteral("focus.onnx")));
        QTRY_VERIFY(m_state->title().contains(QStringLiteral("focus")));
        QVERIFY(waitForPasses(*m_state));
        int taken = 0;
        for (const auto& step : m_state->timeline()->steps)
            taken = step->rule == "space-to-depth" ? step->number : taken;
        QVERIFY(taken > 0);
        WhyPanel panel(*m_state, *m_actions);
        panel.show();
        for (const int state : {0, m_state->stepCount()}) {
            m_state->setB(state);
            m_state->select(named(*m_state, "join"));
            QTRY_VERIFY(tells(panel, QStringLiteral("Slices to SpaceToDepth does it at step %1").arg(taken)));
            QVERIFY(tells(panel, QStringLiteral("Concat + Conv could have done it, but step %1 took the node "
                                         "before").arg(taken)));
        }
    }

    // A refusal that later steps make possible stands in the list at once: asked of its node before
    // those steps, the panel says the same.
    void oneNodeIsToldWhatTheWholeRunRefuses()
    {
        AppState state;
        state.open(QStringLiteral(FUSESCOPE_SOURCE_DIR "/resources/examples/residual-block.onnx"));
        QVERIFY(waitForPasses(state));
        Actions actions(nullptr);
        WhyPanel panel(state, actions);
        panel.show();
        state.setB(0);
        state.select(named(state, "layer2/relu1"));
        QTRY_VERIFY(tells(panel, QStringLiteral("which needs the value before")));
        QVERIFY(!tells(panel, QStringLiteral("No pattern begins or ends here")));
        // Nobody who guesses is told what lies ahead.
        state.setPredict(true);
        state.select(named(state, "layer2/conv1"));
        state.select(named(state, "layer2/relu1"));
        QTest::qWait(200);
        QVERIFY(!tells(panel, QStringLiteral("which needs the value before")));
    }
};

FUSESCOPE_TEST(WhyPanelTest, why_panel_test)
#include "why_panel_test.moc"
