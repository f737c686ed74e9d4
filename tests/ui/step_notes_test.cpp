#include "support/test_class.h"
#include "ui/open_model.h"
#include "ui/panels/changes_panel.h"
#include "ui/panels/inspector_panel.h"
#include "ui/panels/step_notes.h"
#include "ui/theme/theme.h"

#include <QLabel>
#include <QTemporaryDir>

using namespace fusescope;
using namespace fusescope::test;

// What blocks nothing, and what no longer does, is told where the step or the node is.
class StepNotesTest : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::unique_ptr<AppState> m_state;
    std::unique_ptr<Actions> m_actions;

    bool open(std::string_view text)
    {
        m_state->open(modelFile(text, m_folder.path(), QStringLiteral("notes.onnx")));
        return waitForPasses(*m_state);
    }

    static bool says(const QWidget& panel, const QString& words)
    {
        const auto labels = panel.findChildren<QLabel*>();
        return std::ranges::any_of(labels, [&](const QLabel* label) {
            return !label->isHidden() && label->text().contains(words);
        });
    }

private Q_SLOTS:
    void initTestCase() { theme().install(); }

    void init()
    {
        m_state = std::make_unique<AppState>();
        m_actions = std::make_unique<Actions>(nullptr);
    }

    void aStepSaysWhichRefusalItLifted()
    {
        QVERIFY(open(R"(<ir_version: 8, opset_import: ["" : 17]>
            g (int64 i, float[8000] z) => (float y)
            <float[1] one = {1}, int64[1] r = {2000}, float[8000] big = random(1)>
            { t = Tile (one, r)
              y = Gather (t, i)
              d = Add (z, big) })"));
        Plan plan = m_state->plan();
        plan.policy.maxGrowth = 0;
        ChangesPanel panel(*m_state, *m_actions);
        m_state->changePlan(plan, QStringLiteral("no growth"));
        QTRY_VERIFY_WITH_TIMEOUT(m_state->isFinished() && !m_state->timeline()->lifted.empty(), 20000);
        const int until = m_state->timeline()->lifted.front().until;
        const QStringList notes = notesOfStep(*m_state, until);
        QVERIFY(!notes.isEmpty());
        QVERIFY2(notes.front().startsWith(QStringLiteral("Blocked until step %1: ").arg(until)),
                 qPrintable(notes.front()));
        QVERIFY(notesOfStep(*m_state, until - 1).isEmpty());
        m_state->setB(until);
        QVERIFY(says(panel, notes.front()));
        m_state->setB(until - 1);
        QVERIFY(!says(panel, notes.front()));
    }

    // A node that an inner graph alone reads is kept, and says so.
    void aNodeSaysWhyItWasKept()
    {
        QVERIFY(open(R"(<ir_version: 8, opset_import: ["" : 17]>
            g (bool c, float[2, 3] x) => (float[2, 3] y)
            { [kept] r = Sin (x)
              y = If (c) <then_branch = t () => (float[2, 3] u) { u = Add (r, x) },
                          else_branch = e () => (float[2, 3] w) { w = Sub (r, x) }> })"));
        const NodeId kept = m_state->session()->findNodes(m_state->session()->opened(), "kept").front();
        const QStringList notes = notesOfNode(*m_state, kept);
        QCOMPARE(notes.size(), 1);
        QVERIFY2(notes.front().contains(QStringLiteral("stays")), qPrintable(notes.front()));
        InspectorPanel panel(*m_state, *m_actions);
        panel.show();
        QVERIFY(!says(panel, notes.front()));
        m_state->select(kept);
        QVERIFY(says(panel, notes.front()));
        m_state->setPredict(true);
        QCOMPARE(notesOfNode(*m_state, kept).isEmpty(), m_state->b() < m_state->stepCount());
    }
};

FUSESCOPE_TEST(StepNotesTest, step_notes_test)
#include "step_notes_test.moc"
