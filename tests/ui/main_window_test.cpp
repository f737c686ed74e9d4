#include "support/test_class.h"
#include "ui/blocked_places.h"
#include "ui/models/steps_model.h"
#include "ui/open_model.h"
#include "ui/open_window.h"
#include "ui/panels/blocked_details.h"
#include "ui/panels/blocked_panel.h"
#include "ui/panels/steps_panel.h"
#include "ui/panels/steps_tree.h"
#include "ui/recent_files.h"
#include "ui/settings_folder.h"
#include "ui/theme/theme.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/step_slider.h"

#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>

using namespace fusescope;
using namespace fusescope::test;

namespace {

struct LayoutCounter final : QObject
{
    int count = 0;
    bool eventFilter(QObject*, QEvent* event) override
    {
        count += event->type() == QEvent::LayoutRequest ? 1 : 0;
        return false;
    }
};

} // namespace

class MainWindowTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<SettingsFolder> m_settings;
    QTemporaryDir m_folder;

    QString file(const QString& name = QStringLiteral("net.onnx")) const
    {
        return modelFile(twoConvText(), m_folder.path(), name);
    }

    static bool open(MainWindow& window, const QString& path)
    {
        window.openFiles({path});
        return waitForPasses(window.state());
    }

    static QStackedWidget& center(const MainWindow& window)
    {
        return *qobject_cast<QStackedWidget*>(window.centralWidget());
    }

private Q_SLOTS:
    void initTestCase() { theme().install(); }
    void init() { m_settings = std::make_unique<SettingsFolder>(); }

    void startsOnTheStartPage()
    {
        const auto window = makeWindow();
        QCOMPARE(center(*window).currentIndex(), 0);
        QCOMPARE(window->windowTitle(), QStringLiteral("Fusescope"));
        QCOMPARE(window->statusText(), QStringLiteral("Ready"));
        QVERIFY(!window->actions()[Act::exportModel]->isEnabled());
        QVERIFY(window->actions()[Act::exportModel]->statusTip().contains(QStringLiteral("no model is open")));
    }

    // Whatever answers a layout by asking for another one would never let the window rest.
    void restsWhenNothingHappens()
    {
        const auto window = makeWindow();
        QVERIFY(open(*window, file()));
        window->show();
        QTest::qWait(500);
        LayoutCounter counter;
        window->installEventFilter(&counter);
        QTest::qWait(300);
        QCOMPARE(counter.count, 0);
    }

    void opensAndStepsWithKeys()
    {
        const auto window = makeWindow();
        QVERIFY(open(*window, file()));
        QCOMPARE(center(*window).currentIndex(), 1);
        AppState& state = window->state();
        QCOMPARE(state.b(), 0);
        QVERIFY(window->windowTitle().startsWith(QStringLiteral("net.onnx — step 0 of ")));
        StepsTree& tree = window->stepsPanel().tree();
        tree.setFocus();
        QTest::keyClick(&tree, Qt::Key_Right);
        QCOMPARE(state.b(), 1);
        QTest::keyClick(&tree, Qt::Key_N);
        QCOMPARE(state.b(), 2);
        QTest::keyClick(&tree, Qt::Key_Left);
        QCOMPARE(state.b(), 1);
        QTest::keyClick(&tree, Qt::Key_End);
        QCOMPARE(state.b(), state.stepCount());
        QTest::keyClick(&tree, Qt::Key_Home);
        QCOMPARE(state.b(), 0);
        QTest::keyClick(&tree, Qt::Key_Down);
        QTest::keyClick(&tree, Qt::Key_Down);
        QCOMPARE(state.b(), 0); // the focus moves, the step does not
        QCOMPARE(window->stepsPanel().slider().last(), state.stepCount());
        window->actions()[Act::forward]->trigger();
        QCOMPARE(window->stepsPanel().slider().b(), 1);
        QVERIFY(window->windowTitle().contains(QStringLiteral("step 1 of")));
    }

    void rowsOfTheTreeGoToTheirStep()
    {
        const auto window = makeWindow();
        QVERIFY(open(*window, file()));
        AppState& state = window->state();
        StepsTree& tree = window->stepsPanel().tree();
        Q_EMIT tree.rowChosen(tree.model()->index(0, 0, tree.model()->index(0, 0, tree.model()->index(0, 0))),
                              false);
        QCOMPARE(state.b(), 1);
        state.setB(state.stepCount());
        Q_EMIT tree.rowChosen(tree.model()->index(0, 0, tree.model()->index(0, 0, tree.model()->index(0, 0))),
                              true);
        QCOMPARE(state.a().value_or(-1), 1);
    }

    // The whole way of the debugger: a row, its culprit, its conditions, its fix, and back.
    void explainsAndFixesABlockedRow()
    {
        const auto window = makeWindow();
        QVERIFY(open(*window, file()));
        AppState& state = window->state();
        BlockedPanel& panel = window->blockedPanel();
        QTableView& table = panel.table();
        int row = -1;
        for (int i = 0; i < table.model()->rowCount(); ++i) {
            if (table.model()->index(i, 4).data().toString() == QLatin1String("bn2"))
                row = i;
        }
        QVERIFY(row >= 0);
        Q_EMIT table.clicked(table.model()->index(row, 3));
        QVERIFY(state.shownBlocked().has_value());
        QCOMPARE(state.nameOf(state.selected()), QStringLiteral("bn2"));
        QVERIFY(!panel.details().isHidden());
        QVERIFY(QTest::qWaitFor([&] { return !panel.details().conditionTexts().isEmpty(); }, 5000));
        QVERIFY(panel.details().conditionTexts().front().startsWith(QStringLiteral("✗")));

        const std::size_t blocked = state.timeline()->blocked.size();
        QVERIFY(window->actions()[Act::applyFix]->isEnabled());
        window->actions()[Act::applyFix]->trigger();
        QCOMPARE(state.plan().fixes.size(), std::size_t{1});
        QVERIFY(QTest::qWaitFor(
            [&] { return state.isFinished() && state.timeline()->blocked.size() < blocked; }, 20000));
        QCOMPARE(state.timeline()->steps.front()->stage, Stage::fixes);
        QVERIFY(window->actions()[Act::undo]->isEnabled());
        QVERIFY(window->actions()[Act::undo]->text().contains(QStringLiteral("bn2")));
        window->actions()[Act::undo]->trigger();
        QVERIFY(state.plan().fixes.empty());
        QVERIFY(QTest::qWaitFor(
            [&] { return state.isFinished() && state.timeline()->blocked.size() == blocked; }, 20000));
    }

    // The keys reach the rows as the mouse does: details, culprit and selection follow.
    void blockedRowsFollowTheKeys()
    {
        const auto window = makeWindow();
        QVERIFY(open(*window, fusescope::test::modelFile(R"(
<ir_version: 8, opset_import: ["" : 17]>
two (float[1, 2, 4, 4] x) => (float[1, 2, 4, 4] y, float[1, 2, 4, 4] c, float[1, 2, 4, 4] e)
<float[2, 2, 1, 1] W = random(1), float[2] s = {1, 2}>
{
    [conv1] c = Conv (x, W)
    [bn1] d = BatchNormalization (c, s, s, s, s)
    [act] r = Sin (d)
    [conv2] e = Conv (r, W)
    [bn2] y = BatchNormalization (e, s, s, s, s)
}
)",
                                                         m_folder.path(), QStringLiteral("two.onnx"))));
        QTableView& table = window->blockedPanel().table();
        QVERIFY(table.model()->rowCount() >= 2);
        Q_EMIT table.clicked(table.model()->index(0, 3));
        table.setCurrentIndex(table.model()->index(0, 3));
        const auto first = window->state().shownBlocked();
        QVERIFY(first);
        window->activateWindow();
        table.setFocus();
        QTRY_VERIFY(table.hasFocus());
        QTest::keyClick(&table, Qt::Key_Down);
        const auto second = window->state().shownBlocked();
        QVERIFY(second);
        QVERIFY(second->miss.root != first->miss.root || second->miss.rule != first->miss.rule);
    }

    void errorsStandInTheBar()
    {
        const auto window = makeWindow();
        window->openFiles({m_folder.path() + QStringLiteral("/no such file.onnx")});
        QVERIFY(QTest::qWaitFor([&] { return window->noticeBar().count() == 1; }, 10000));
        QCOMPARE(window->noticeBar().shown().level, NoticeLevel::error);
        QVERIFY(window->noticeBar().isVisible());
        QVERIFY(!window->state().hasModel());
        QVERIFY(open(*window, file()));
        QCOMPARE(window->noticeBar().count(), 0);
    }

    void dropsOpenTheFirst()
    {
        const auto window = makeWindow();
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(file(QStringLiteral("dropped.onnx")))});
        QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(window.get(), &drop);
        QVERIFY(waitForPasses(window->state()));
        QCOMPARE(window->state().title(), QStringLiteral("dropped.onnx"));
        QCOMPARE(RecentFiles().files().size(), 1);
        QVERIFY(RecentFiles().files().front().blocked >= 1);
    }

    void docksStandAsDesigned()
    {
        const auto window = makeWindow();
        const auto width = [&](const char* id) { return window->dock(QString::fromLatin1(id))->width(); };
        QTRY_COMPARE(width("steps"), 296);
        QTRY_COMPARE(width("inspector"), 328);
        QTRY_COMPARE(window->dock(QStringLiteral("changes"))->height(), 160);
        QCOMPARE(window->dock(QStringLiteral("blocked"))->geometry().right(),
                 window->dock(QStringLiteral("inspector"))->geometry().right());
        const QRect steps = window->dock(QStringLiteral("steps"))->geometry();
        const QRect changes = window->dock(QStringLiteral("changes"))->geometry();
        QVERIFY(changes.top() > steps.bottom());
        QCOMPARE(window->tabifiedDockWidgets(window->dock(QStringLiteral("blocked"))).size(), 4);
        QCOMPARE(window->tabifiedDockWidgets(window->dock(QStringLiteral("inspector"))).size(), 1);
    }

    void layoutSurvivesAndCanBeReset()
    {
        {
            const auto window = makeWindow();
            window->dock(QStringLiteral("changes"))->hide();
            window->close();
        }
        const auto window = makeWindow();
        QVERIFY(window->dock(QStringLiteral("changes"))->isHidden());
        window->actions()[Act::resetLayout]->trigger();
        QVERIFY(!window->dock(QStringLiteral("changes"))->isHidden());
        QVERIFY(window->statusText().contains(QStringLiteral("reset")));
    }

    void garbageLayoutDoesNoHarm()
    {
        QSettings().setValue(QStringLiteral("window/state"), QByteArray("garbage"));
        QSettings().setValue(QStringLiteral("window/geometry"), QByteArray("more garbage"));
        QSettings().setValue(QStringLiteral("theme"), QStringLiteral("no number"));
        const auto window = makeWindow();
        QTest::qWait(20);
        QVERIFY(!window->dock(QStringLiteral("steps"))->isHidden());
        QCOMPARE(window->tabifiedDockWidgets(window->dock(QStringLiteral("blocked"))).size(), 4);
    }

    // Two actions with one key fire neither; letters must not be taken from text fields.
    void keysAreUniqueAndLettersAreNotTheWindows()
    {
        const auto window = makeWindow();
        std::map<QString, QString> seen;
        for (const QAction* action : window->findChildren<QAction*>()) {
            if (action->shortcutContext() != Qt::WindowShortcut)
                continue;
            for (const QKeySequence& key : action->shortcuts()) {
                if (key.isEmpty())
                    continue;
                const QString text = key.toString();
                QVERIFY2(!seen.contains(text), qPrintable(text + QLatin1Char(' ') + action->text()));
                seen[text] = action->text();
                QVERIFY2(text.contains(QLatin1String("Ctrl")) || text.contains(QLatin1String("Alt")) ||
                             text.contains(QLatin1Char('F')),
                         qPrintable(text));
            }
        }
        QVERIFY(seen.contains(QStringLiteral("Ctrl+O")));
        QVERIFY(seen.contains(QStringLiteral("Alt+1")));
        QVERIFY(seen.contains(QStringLiteral("Ctrl+1")));
    }

    void escapeClearsTheSelectionLast()
    {
        const auto window = makeWindow();
        QVERIFY(open(*window, file()));
        AppState& state = window->state();
        QVERIFY(QTest::qWaitFor([&] { return !state.jobs().anyRunning(); }, 20000));
        state.goTo(state.session()->findNodes(state.session()->opened(), "bn2").front());
        QVERIFY(state.selected());
        window->actions()[Act::fullScreen]->trigger();
        QVERIFY(window->isFullScreen());
        QVERIFY(window->dock(QStringLiteral("steps"))->isHidden());
        QTest::keyClick(window.get(), Qt::Key_Escape);
        QVERIFY(!window->isFullScreen());
        QVERIFY(!window->dock(QStringLiteral("steps"))->isHidden());
        QVERIFY(state.selected());
        QTest::keyClick(window.get(), Qt::Key_Escape);
        QVERIFY(!state.selected());
    }

    void escapeEndsTheWaitForTheLastStep()
    {
        std::string text = R"(<ir_version: 8, opset_import: ["" : 17]>
            net (float[4] x) => (float[4] y) { a0 = Identity (x))";
        for (int i = 1; i < 6000; ++i)
            text += " a" + std::to_string(i) + " = Identity (a" + std::to_string(i - 1) + ")";
        const QString path =
            modelFile(text + " y = Sin (a5999) }", m_folder.path(), QStringLiteral("long.onnx"));
        const auto window = makeWindow();
        AppState& state = window->state();
        bool waited = false;
        bool waitsStill = false;
        connect(&state, &AppState::sessionChanged, this, [&] {
            if (!state.hasModel())
                return;
            state.last();
            waited = state.isWaitingForLast();
            if (waited && !state.jobs().anyRunning())
                QTest::keyClick(window.get(), Qt::Key_Escape);
            waitsStill = state.isWaitingForLast();
        });
        // The passes may have ended before anybody could wait for them.
        for (int attempt = 0; attempt < 20 && !waited; ++attempt)
            QVERIFY(open(*window, path));
        QVERIFY(waited);
        QVERIFY(!waitsStill);
        QCOMPARE(state.b(), 0);
    }

    // A row whose culprit stands at another step only goes there, and says so, wherever it is chosen.
    void aBlockedRowSaysWhereItWent()
    {
        AppState state;
        state.open(file());
        QVERIFY(waitForPasses(state));
        const NodeId gone = state.session()->findNodes(state.session()->opened(), "bn1").front();
        Blocked row = state.timeline()->blocked.front();
        row.miss.root = gone;
        row.miss.reasons.resize(1);
        row.miss.reasons.front().culprits = {gone};
        for (const auto go : {&goToBlocked, &goToCulprit}) {
            state.last();
            QCOMPARE(state.b(), state.stepCount());
            const std::size_t told = state.log().size();
            go(state, row);
            QVERIFY(state.b() < state.stepCount());
            QCOMPARE(state.selected(), gone);
            QVERIFY(state.shownBlocked().has_value());
            QCOMPARE(state.log().size(), told + 1);
            QCOMPARE(state.log().back().text,
                     QStringLiteral("bn1 stands at step %1: went there. Alt+Left returns.").arg(state.b()));
            go(state, row);
            QCOMPARE(state.log().size(), told + 1);
        }
    }

    void predictHidesTheOutcome()
    {
        const auto window = makeWindow();
        QVERIFY(open(*window, file()));
        window->actions()[Act::predict]->trigger();
        QVERIFY(window->state().predict());
        QVERIFY(window->statusText().contains(QLatin1Char('?')));
        window->state().last();
        QVERIFY(!window->statusText().contains(QLatin1Char('?')));
    }

    void smallWindowsLoseTextsNotCommands()
    {
        auto window = std::make_unique<MainWindow>();
        window->setAttribute(Qt::WA_DeleteOnClose, false);
        window->resize(1024, 768);
        window->show();
        window->resetLayout();
        QTest::qWait(200);
        QVERIFY2(window->width() <= 1024, qPrintable(QString::number(window->width())));
        QVERIFY(window->tabifiedDockWidgets(window->dock(QStringLiteral("blocked")))
                    .contains(window->dock(QStringLiteral("inspector"))));
        QVERIFY(center(*window).width() >= 320);
        QVERIFY(center(*window).height() >= 240);
    }

    void everyControlHasAName()
    {
        const auto window = makeWindow();
        QVERIFY(open(*window, file()));
        for (const auto* button : window->findChildren<QAbstractButton*>()) {
            // Qt's own buttons inside a line edit have no names.
            if (!button->isVisible() || qobject_cast<QLineEdit*>(button->parentWidget()))
                continue;
            QVERIFY2(!button->accessibleName().isEmpty() || !button->text().isEmpty() ||
                         !button->toolTip().isEmpty(),
                     qPrintable(QLatin1String(button->metaObject()->className()) + QLatin1String(" in ") +
                                QLatin1String(button->parentWidget()->metaObject()->className())));
        }
        for (const auto* edit : window->findChildren<QLineEdit*>()) {
            if (edit->isVisible() && !qobject_cast<QComboBox*>(edit->parentWidget()))
                QVERIFY(!edit->accessibleName().isEmpty());
        }
        for (const auto* view : window->findChildren<QAbstractItemView*>()) {
            if (view->isVisible() && !qobject_cast<const QHeaderView*>(view))
                QVERIFY2(!view->accessibleName().isEmpty(),
                         qPrintable(view->parentWidget()->metaObject()->className()));
        }
    }

    void closesAndOpensAgain()
    {
        const auto window = makeWindow();
        QVERIFY(open(*window, file(QStringLiteral("one.onnx"))));
        window->state().setB(2);
        window->actions()[Act::closeModel]->trigger();
        QVERIFY(!window->state().hasModel());
        QCOMPARE(center(*window).currentIndex(), 0);
        QVERIFY(open(*window, file(QStringLiteral("two.onnx"))));
        QCOMPARE(window->state().b(), 0);
        QCOMPARE(RecentFiles().files().size(), 2);
    }

    // A scratch copy is of one model: closing it closes its window, another file opens beside it.
    void aScratchCopyStaysOne()
    {
        const auto window = makeWindow();
        const QString path = modelFile(twoConvText(), m_folder.path(), QStringLiteral("net.onnx"));
        window->openFiles({path});
        QVERIFY(waitForPasses(window->state()));
        const auto others = [&window](bool scratch) {
            QList<MainWindow*> found;
            for (QWidget* widget : QApplication::topLevelWidgets()) {
                auto* other = qobject_cast<MainWindow*>(widget);
                if (other && other != window.get() && other->isVisible() &&
                    other->state().isScratch() == scratch)
                    found << other;
            }
            return found;
        };
        AppState& state = window->state();
        state.select(state.session()->findNodes(state.session()->opened(), "conv1").front());
        QTRY_VERIFY(window->actions()[Act::scratch]->isEnabled());
        window->actions()[Act::scratch]->trigger();
        QTRY_COMPARE(others(true).size(), 1);
        MainWindow* scratch = others(true).front();
        QTRY_VERIFY(scratch->state().hasModel());
        scratch->openFiles({modelFile(twoConvText(), m_folder.path(), QStringLiteral("other.onnx"))});
        QTRY_COMPARE(others(false).size(), 1);
        MainWindow* beside = others(false).front();
        QTRY_VERIFY(beside->state().hasModel());
        QVERIFY(beside->windowTitle().startsWith(QStringLiteral("other.onnx")));
        QVERIFY(scratch->windowTitle().contains(QStringLiteral("net.onnx")));
        beside->close();
        scratch->actions()[Act::closeModel]->trigger();
        QTRY_VERIFY(others(true).isEmpty());
    }
};

FUSESCOPE_TEST(MainWindowTest, main_window_test)
#include "main_window_test.moc"
