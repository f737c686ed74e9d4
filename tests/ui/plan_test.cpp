#include "support/test_class.h"
#include "ui/app_state.h"
#include "ui/graph/graph_area.h"
#include "ui/language.h"
#include "ui/main_window.h"
#include "ui/models/blocked_model.h"
#include "ui/open_model.h"
#include "ui/models/steps_model.h"
#include "ui/settings_folder.h"
#include "ui/skips.h"
#include "ui/theme/roles.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QMenuBar>

using namespace fusescope;
using namespace fusescope::test;

namespace {

int numberOf(const AppState& state, std::string_view rule, const char* root)
{
    for (const auto& step : state.timeline()->steps) {
        if (step->rule == rule && state.nameOf(step->root) == QString::fromLatin1(root))
            return step->number;
    }
    return 0;
}

// Conv, BatchNormalization and Relu in a row, `blocks` times: so many that passes show a part first.
std::string longChain(int blocks)
{
    std::string constants, nodes, last = "x";
    for (int i = 0; i < blocks; ++i) {
        const std::string n = std::to_string(i);
        constants += (i ? ", " : "") + ("float[4, 4, 1, 1] w" + n) + " = random(" + n + ")";
        for (const char* name : {"scale", "shift", "mean", "var"})
            constants += ", float[4] " + (name + n) + " = random(" + n + ", 0.5, 2)";
        nodes += "c" + n + " = Conv (" + last + ", w" + n + ")\nb" + n +
                 " = BatchNormalization (c" + n + ", scale" + n + ", shift" + n + ", mean" + n +
                 ", var" + n + ")\ny" + n + " = Relu (b" + n + ")\n";
        last = "y" + n;
    }
    return "net (float[1, 4, 4, 4] x) => (float[1, 4, 4, 4] " + last + ") <" + constants + "> { " +
           nodes + " }";
}

} // namespace

// The plan and the places of A, B and the selection when it changes.
class PlanTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<SettingsFolder> m_settings;
    QTemporaryDir m_folder;

    QString file() const { return modelFile(twoConvText(), m_folder.path(), QStringLiteral("net.onnx")); }

    // A window's state; opened.
    std::unique_ptr<AppState> opened(const QString& path, const QString& plans = {}) const
    {
        auto state = std::make_unique<AppState>();
        state->setPlanFolder(plans);
        state->open(path);
        if (!waitForPasses(*state))
            qFatal("a test's model was not opened");
        return state;
    }

private Q_SLOTS:
    void initTestCase() { theme().install(); }
    void init() { m_settings = std::make_unique<SettingsFolder>(); }

    // While the passes run again there are fewer steps than the cursor stood at.
    void theCursorStaysInsideOfATimelineThatGrows()
    {
        const auto state = opened(modelFile(longChain(1500), m_folder.path(), QStringLiteral("long.onnx")));
        const int last = state->stepCount();
        state->setB(last - 1);
        state->setA(last - 3);
        int shorter = 0;
        bool inside = true;
        connect(state.get(), &AppState::timelineChanged, this, [&] {
            shorter += state->stepCount() < last - 1 ? 1 : 0;
            inside = inside && state->b() <= state->stepCount() &&
                     state->a().value_or(0) <= state->stepCount();
        });
        state->skipStep(last - 1);
        QVERIFY(waitForPlan(*state));
        QVERIFY(inside);
        QVERIFY(shorter > 0);
        QCOMPARE(state->stepCount(), last);
        QCOMPARE(state->b(), last - 1);
        QCOMPARE(state->a(), std::optional(last - 3));
    }

    // Two windows of one model: the second to keep a plan does not write over the first one's.
    void plansOfTwoWindowsAreNotLost()
    {
        const QString plans = m_folder.filePath(QStringLiteral("two"));
        const auto first = opened(file(), plans);
        const auto second = opened(file(), plans);
        second->skipStep(2);
        QVERIFY(waitForPlan(*second));
        const auto entries = [&plans] { return QDir(plans).entryList(QDir::Files); };
        QCOMPARE(entries().size(), 1);
        const QString own = entries().front();
        const auto read = [&plans](const QString& name) {
            QFile kept(QDir(plans).filePath(name));
            return kept.open(QIODevice::ReadOnly) ? kept.readAll() : QByteArray();
        };
        const QByteArray kept = read(own);
        QVERIFY(!kept.isEmpty());
        first->skipStep(1);
        QVERIFY(waitForPlan(*first));
        QCOMPARE(entries().size(), 2);
        QVERIFY(read(own) != kept);
        const QString aside = entries()[entries().front() == own ? 1 : 0];
        QCOMPARE(read(aside), kept);
        QVERIFY(std::ranges::any_of(first->log(), [&aside](const LogEntry& entry) {
            return entry.text.contains(QStringLiteral("Another window kept another plan")) &&
                   entry.text.contains(aside);
        }));
        // One window's own changes put nothing aside.
        first->skipStep(2);
        QVERIFY(waitForPlan(*first));
        first->undoStack().undo();
        QVERIFY(waitForPlan(*first));
        QCOMPARE(entries().size(), 2);
    }

    void placesGoWithTheirRewrites()
    {
        const auto state = opened(file());
        const int fold = numberOf(*state, "conv-batchnorm", "bn1");
        QVERIFY(fold > 1);
        state->setB(fold);
        state->setA(1);
        state->select(named(*state, "conv1"));
        // A fix becomes step 1: what stood at B is one further now.
        const Blocked* blocked = nullptr;
        for (const Blocked& row : state->timeline()->blocked) {
            if (!row.miss.reasons.empty() && row.miss.reasons.front().fix)
                blocked = &row;
        }
        QVERIFY(blocked);
        const std::size_t refused = state->timeline()->blocked.size();
        state->applyFix(Fix(*blocked->miss.reasons.front().fix));
        QVERIFY(waitForPlan(*state));
        const QString told = state->log().back().text;
        QVERIFY2(told.startsWith(QStringLiteral("Applied as step 1: ")) &&
                     told.endsWith(QStringLiteral("Blocked: %1 before, %2 now.")
                                       .arg(refused)
                                       .arg(state->timeline()->blocked.size())),
                 qPrintable(told));
        QCOMPARE(numberOf(*state, "conv-batchnorm", "bn1"), fold + 1);
        QCOMPARE(state->b(), fold + 1);
        QCOMPARE(state->a(), std::optional(2));
        QCOMPARE(state->selected(), named(*state, "conv1"));
        state->undoStack().undo();
        QVERIFY(waitForPlan(*state));
        QCOMPARE(state->b(), fold);
        QCOMPARE(state->a(), std::optional(1));
    }

    void whereTheStepIsGoneTheOneBeforeCounts()
    {
        const auto state = opened(file());
        const int last = state->stepCount();
        state->setB(last);
        const std::string rule(state->timeline()->steps.back()->rule);
        QCOMPARE(rule, std::string("conv-activation"));
        state->setDisabled({rule});
        QVERIFY(waitForPlan(*state));
        QVERIFY(state->stepCount() < last);
        QVERIFY(numberOf(*state, "conv-batchnorm", "bn1") > 0);
        QCOMPARE(state->b(), state->stepCount());
    }

    void reloadKeepsThePlace()
    {
        const auto state = opened(file());
        state->setB(2);
        state->setMode(GraphMode::overlay);
        state->select(named(*state, "relu1"));
        const auto before = state->session();
        state->reload();
        QTRY_VERIFY(state->session() != before);
        QVERIFY(waitForPasses(*state));
        QTRY_COMPARE(state->b(), 2);
        QCOMPARE(state->mode(), GraphMode::overlay);
        QCOMPARE(state->selected(), named(*state, "relu1"));
    }

    // The passes start without the kept plan: what they had done until then is no drawing of it.
    void aKeptPlanIsDrawnWhole()
    {
        const QString path = file();
        for (const bool again : {false, true}) {
            MainWindow window;
            window.setAttribute(Qt::WA_DeleteOnClose, false);
            window.resize(1440, 900);
            window.show();
            window.openFiles({path});
            AppState& state = window.state();
            QVERIFY(waitForPasses(state));
            QTRY_VERIFY_WITH_TIMEOUT(state.timeline()->plan == state.plan() && state.isFinished(), 20000);
            QCOMPARE(state.plan().fixes.size(), std::size_t(again ? 1 : 0));
            for (const Blocked& row : state.timeline()->blocked) {
                if (!again && !row.miss.reasons.empty() && row.miss.reasons.front().fix) {
                    state.applyFix(Fix(*row.miss.reasons.front().fix));
                    break;
                }
            }
            QTRY_VERIFY_WITH_TIMEOUT(state.timeline()->plan == state.plan() && state.isFinished(), 20000);
            state.setB(state.stepCount());
            const auto* graph = window.findChild<GraphArea*>();
            QVERIFY(graph);
            const auto missing = [&]() -> QString {
                const GraphScene* scene = graph->mainView()->scene();
                if (!scene)
                    return QStringLiteral("no scene");
                const auto shown = state.graphAt(state.stepCount());
                for (const NodeId node : *shown->nodes(shown->mainBody())) {
                    if (scene->visibleItem(node) < 0)
                        return state.nameOf(node);
                }
                return {};
            };
            QTRY_COMPARE_WITH_TIMEOUT(missing(), QString(), 20000);
        }
    }

    void plansComeBackByContent()
    {
        const QString path = file();
        const QString plans = m_folder.filePath(QStringLiteral("plans"));
        int skipped = 0;
        {
            const auto state = opened(path, plans);
            skipped = numberOf(*state, "conv-batchnorm", "bn1");
            state->skipStep(skipped);
            state->setPinned(named(*state, "relu2"), true);
        }
        // Under another name, too: the content counts.
        const QString copy = m_folder.filePath(QStringLiteral("copy.onnx"));
        QVERIFY(QFile::copy(path, copy));
        const auto state = opened(copy, plans);
        QVERIFY(waitForPlan(*state));
        QCOMPARE(state->plan().skips.size(), std::size_t{1});
        QVERIFY(state->plan().policy.pinnedNodes.contains(named(*state, "relu2")));
        QCOMPARE(state->timeline()->steps[static_cast<std::size_t>(skipped - 1)]->state, StepState::skipped);
        state->changePlan({}, QStringLiteral("none"));
        QVERIFY(opened(path, plans)->plan() == Plan{});
    }

    void brokenPlansDoNoHarm()
    {
        const QString path = file();
        const QString plans = m_folder.filePath(QStringLiteral("broken"));
        {
            const auto state = opened(path, plans);
            state->setPinned(named(*state, "relu2"), true);
        }
        const auto files = QDir(plans).entryInfoList(QDir::Files);
        QCOMPARE(files.size(), 1);
        QFile broken(files.front().filePath());
        QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("{\"pins\": [7, \"\x01") > 0);
        broken.close();
        // It is said, and what is kept next does not write over it.
        const auto state = opened(path, plans);
        QVERIFY(state->plan() == Plan{});
        QCOMPARE(state->log().size(), std::size_t{1});
        QCOMPARE(state->log().front().level, NoticeLevel::warning);
        const QString aside = files.front().filePath() + QStringLiteral(".unreadable");
        QVERIFY(state->log().front().text.contains(QDir::toNativeSeparators(aside)));
        state->setPinned(named(*state, "relu2"), true);
        QCOMPARE(QDir(plans).entryInfoList(QDir::Files).size(), 2);
        QFile kept(aside);
        QVERIFY(kept.open(QIODevice::ReadOnly));
        QVERIFY(kept.readAll().startsWith("{\"pins\": [7"));
        // Nor does a second one.
        QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("[]") > 0);
        broken.close();
        QVERIFY(opened(path, plans)->plan() == Plan{});
        QVERIFY(QFile::exists(aside + QStringLiteral("-2")));
        QVERIFY(kept.seek(0) && kept.readAll().startsWith("{\"pins\": [7"));
    }

    // S pressed twice before the steps of the new plan are there: the number counts in those shown.
    void skippingAFixTwiceTakesItOnce()
    {
        const auto state = opened(modelFile(R"(<ir_version: 8, opset_import: ["" : 17]>
            net (float[4] x) => (float[4] y, float[4] a, float[4] b)
            { [na] a = Exp (x) [nb] b = Neg (a) y = Abs (b) })", m_folder.path(), QStringLiteral("outs.onnx")));
        const auto output = [&](const char* name) {
            const Graph& graph = state->session()->opened();
            return Fix{FixKind::dropOutput, graph.node(named(*state, name))->outputs.front(), false,
                       true};
        };
        state->applyFix(output("na"));
        QVERIFY(waitForPlan(*state));
        state->skipStep(1);
        state->skipStep(1);
        QCOMPARE(state->plan().fixes, std::vector<Fix>{output("na")});
        QCOMPARE(state->plan().skipNumbers, std::set<int>{1});
        state->applyFix(output("na")); // applies it where it stands
        QVERIFY(state->plan().skipNumbers.empty());
        state->applyFix(output("nb"));
        QVERIFY(waitForPlan(*state));
        QCOMPARE(state->timeline()->plan.fixes.size(), std::size_t{2});
        state->skipStep(1);
        state->skipStep(1);
        QCOMPARE(state->plan().fixes, (std::vector<Fix>{output("na"), output("nb")}));
        QCOMPARE(state->plan().skipNumbers, std::set<int>{1});
    }

    // Its row stays, struck; the model is as if it were not there; it comes back with the file.
    void aSkippedFixKeepsItsRow()
    {
        const QString path = modelFile(R"(<ir_version: 8, opset_import: ["" : 17]>
            net (float[4] x) => (float[4] y, float[4] a, float[4] b)
            { [na] a = Exp (x) [nb] b = Neg (a) y = Abs (b) })", m_folder.path(), QStringLiteral("fix.onnx"));
        const QString plans = m_folder.filePath(QStringLiteral("fixes"));
        const auto outputs = [](const AppState& state, int step) {
            const auto graph = state.graphAt(step);
            return graph->body(graph->mainBody())->outputs.size();
        };
        {
            const auto state = opened(path, plans);
            for (const char* name : {"na", "nb"})
                state->applyFix(Fix{FixKind::dropOutput,
                                    state->session()->opened().node(named(*state, name))->outputs.front(),
                                    false, true});
            QVERIFY(waitForPlan(*state));
            QCOMPARE(outputs(*state, 2), std::size_t{1});
            state->skipStep(1);
            QVERIFY(waitForPlan(*state));
            QVERIFY(isSkipped(*state, 1) && !isSkipped(*state, 2));
            QCOMPARE(outputs(*state, 1), std::size_t{3});
            QCOMPARE(outputs(*state, 2), std::size_t{2});
            StepsModel model(*state);
            const QModelIndex row = model.indexOfStep(1);
            QVERIFY(row.data(StrikeRole).toBool());
            QCOMPARE(row.data(SecondTextRole).toString(), QStringLiteral("skipped by you"));
        }
        const auto state = opened(path, plans);
        QVERIFY(waitForPlan(*state));
        QVERIFY(isSkipped(*state, 1) && !isSkipped(*state, 2));
        applyAgain(*state, 1);
        QVERIFY(waitForPlan(*state));
        QVERIFY(!isSkipped(*state, 1));
        QCOMPARE(outputs(*state, 2), std::size_t{1});
        state->undoStack().undo();
        QVERIFY(waitForPlan(*state));
        QVERIFY(isSkipped(*state, 1));
    }

    // A timeline that comes in many parts names each of its steps once.
    void stepsAreNamedOnce()
    {
        const auto state =
            opened(modelFile(longChain(20), m_folder.path(), QStringLiteral("chain.onnx")));
        const Timeline& timeline = *state->timeline();
        const int size = timeline.size();
        QVERIFY(size >= 20);
        StepKeys keys;
        for (int count = 0; count <= size; ++count)
            keys.extend(timeline, count);
        QCOMPARE(keys.named(), static_cast<std::size_t>(size));
        for (int number = 1; number <= size; ++number) {
            QCOMPARE(keys.numberOf(keys.keys()[static_cast<std::size_t>(number - 1)]),
                     std::optional<int>(number));
        }
    }

    // Looking for the safe fixes is for a new timeline, not for each move of the cursor.
    void safeFixesAreFoundOnce()
    {
        const auto state = opened(file());
        const auto fixes = state->safeFixes();
        state->setB(2);
        state->select(named(*state, "relu2"));
        QCOMPARE(state->safeFixes(), fixes);
        state->setPinned(named(*state, "relu2"), true);
        QVERIFY(waitForPlan(*state));
        QVERIFY(state->safeFixes() != fixes);
    }

    void rowsOfOneCulpritStandTogether()
    {
        // p is read by three that could have had it alone.
        const auto state = opened(modelFile(R"(<ir_version: 8, opset_import: ["" : 17]>
            net (float[1, 3, 8, 8] x) => (float[1, 4, 8, 8] y, float[1, 4, 8, 8] z, float[1, 4, 8, 8] w)
            <float[4, 3, 3, 3] W = random(1), float[4] s = random(3, 0.5, 2), float[4] t = random(4)>
            {
                [a] c = Conv <pads = [1, 1, 1, 1]> (x, W)
                [n1] y, m1, v1 = BatchNormalization <training_mode = 1> (c, s, t, t, s)
                [b] d = Conv <pads = [1, 1, 1, 1]> (x, W)
                [r1] z = Relu (d)
                [r2] w = Tanh (d)
            })", m_folder.path(), QStringLiteral("group.onnx")));
        BlockedModel model(*state);
        BlockedFilter filter;
        filter.setSourceModel(&model);
        filter.setGrouped(true);
        QVERIFY(model.rowCount() >= 2);
        QStringList culprits;
        for (int i = 0; i < filter.rowCount(); ++i)
            culprits << filter.index(i, BlockedModel::culprit).data().toString();
        QStringList seen;
        for (int i = 0; i < culprits.size(); ++i) {
            if (i > 0 && culprits[i] == culprits[i - 1])
                continue;
            QVERIFY2(!seen.contains(culprits[i]), qPrintable(culprits.join(QLatin1Char(' '))));
            seen << culprits[i];
        }
    }

    void anotherLanguageHoldsAtOnce()
    {
        auto* window = new MainWindow;
        window->show();
        window->openFiles({file()});
        QVERIFY(waitForPasses(window->state()));
        window->state().setB(3);
        window->state().select(named(window->state(), "conv1"));
        const AppState* state = &window->state();
        const QString english = window->menuBar()->actions().front()->text();
        QSettings().setValue(QStringLiteral("language"), QStringLiteral("zh_CN"));
        QPointer<MainWindow> old = window;
        MainWindow::speakChosenLanguage();
        QVERIFY(!old);
        MainWindow* fresh = nullptr;
        for (QWidget* widget : QApplication::topLevelWidgets()) {
            if (auto* one = qobject_cast<MainWindow*>(widget))
                fresh = one;
        }
        QVERIFY(fresh && fresh->isVisible());
        QVERIFY(fresh->menuBar()->actions().front()->text() != english);
        QVERIFY(fresh->menuBar()->actions().front()->text().contains(QStringLiteral("文件")));
        QCOMPARE(&fresh->state(), state);
        QCOMPARE(fresh->state().b(), 3);
        QCOMPARE(fresh->state().selected(), named(fresh->state(), "conv1"));
        QVERIFY(fresh->statusText().contains(QStringLiteral("下一步")));
        delete fresh;
        installTranslations(QStringLiteral("en"));
    }
};

FUSESCOPE_TEST(PlanTest, plan_test)
#include "plan_test.moc"
