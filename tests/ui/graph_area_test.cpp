#include "open_model.h"
#include "open_window.h"
#include "settings_folder.h"
#include "support/test_class.h"
#include "ui/examples.h"
#include "ui/graph/error_scale.h"
#include "ui/graph/graph_area.h"
#include "ui/panels/changes_panel.h"
#include "ui/theme/roles.h"
#include "ui/theme/theme.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/notice_bar.h"

#include <QCheckBox>
#include <QMenu>
#include <QTemporaryDir>
#include <QTreeView>

using namespace fusescope;
using namespace fusescope::test;

class GraphAreaTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<SettingsFolder> m_settings;
    QTemporaryDir m_folder;

    std::unique_ptr<MainWindow> opened(std::string_view text = twoConvText())
    {
        auto window = makeWindow();
        window->openFiles({modelFile(text, m_folder.path(), QStringLiteral("net.onnx"))});
        return waitForPasses(window->state()) && drawn(*window) ? std::move(window) : nullptr;
    }

    static GraphArea& area(const MainWindow& window) { return *window.findChild<GraphArea*>(); }

    static bool drawn(const MainWindow& window)
    {
        return QTest::qWaitFor([&] { return area(window).scene() != nullptr; }, 20000);
    }

    static Chip* chipOf(const MainWindow& window, Mark mark)
    {
        for (Chip* one : area(window).findChildren<Chip*>()) {
            if (one->pill().mark == mark)
                return one;
        }
        return nullptr;
    }

    static int chip(const MainWindow& window, Mark mark)
    {
        const Chip* one = chipOf(window, mark);
        return one ? one->property("count").toInt() : -1;
    }

    // Whether the card of a node lies in the view.
    static bool isInView(const GraphCanvas& view, NodeId node)
    {
        const int item = view.scene() ? view.scene()->visibleItem(node) : -1;
        if (item < 0)
            return false;
        const QRectF box = toRect(view.scene()->drawing->items[static_cast<std::size_t>(item)].rect);
        return view.visibleArea().contains(box.center());
    }

private Q_SLOTS:
    void initTestCase() { theme().install(); }
    void init() { m_settings = std::make_unique<SettingsFolder>(); }

    // A row of what the step removed shows it as it was; the step stays.
    void aRemovedRowStaysAtItsStep()
    {
        const auto window = opened();
        QVERIFY(window);
        AppState& state = window->state();
        int fold = 0;
        for (const auto& step : state.timeline()->steps)
            fold = step->rule == "conv-batchnorm" ? step->number : fold;
        QVERIFY(fold > 0);
        state.setB(fold);
        QTRY_VERIFY(state.isCurrentDiff());
        const auto removed = std::ranges::find_if(state.diff()->nodes, [](const NodeChange& change) {
            return change.kind == ChangeKind::removed;
        });
        QVERIFY(removed != state.diff()->nodes.end());
        const NodeId node = removed->node;
        state.goToChange(node);
        QCOMPARE(state.b(), fold);
        QCOMPARE(state.mode(), GraphMode::overlay);
        QCOMPARE(state.selected(), node);
        GraphCanvas& view = *area(*window).findChild<GraphCanvas*>();
        QTRY_VERIFY(view.scene() && view.scene()->visibleItem(node) >= 0 && isInView(view, node));
    }

    // Ctrl+click on a chip leaves the changes of its kind in the list; again, or Show all, brings the
    // others back.
    void chipsFilterTheListOfChanges()
    {
        const auto window = opened();
        QVERIFY(window);
        AppState& state = window->state();
        state.setA(0);
        state.setB(state.stepCount());
        auto* panel = window->findChild<ChangesPanel*>();
        QVERIFY(panel);
        const QTreeView& tree = panel->tree();
        const auto rows = [&tree](std::optional<Mark> only) {
            int count = 0;
            const QAbstractItemModel& model = *tree.model();
            const std::function<void(const QModelIndex&)> walk = [&](const QModelIndex& parent) {
                for (int i = 0; i < model.rowCount(parent); ++i) {
                    const QModelIndex index = model.index(i, 0, parent);
                    const QVariant mark = index.data(MarkRole);
                    count += mark.isValid() && (!only || mark.value<Mark>() == *only) ? 1 : 0;
                    walk(index);
                }
            };
            walk({});
            return count;
        };
        QTRY_VERIFY(state.isCurrentDiff() && rows(std::nullopt) > 0);
        const int all = rows(std::nullopt), removed = rows(Mark::removed);
        QVERIFY(removed > 0 && removed < all);
        Chip* chip = chipOf(*window, Mark::removed);
        QVERIFY(chip && !chip->isChecked());
        QTest::mouseClick(chip, Qt::LeftButton, Qt::ControlModifier);
        QCOMPARE(rows(std::nullopt), removed);
        QCOMPARE(rows(Mark::removed), removed);
        QVERIFY(chip->isChecked());
        QTest::keyClick(chip, Qt::Key_Space, Qt::ControlModifier);
        QCOMPARE(rows(std::nullopt), all);
        QVERIFY(!chip->isChecked());
        QTest::mouseClick(chip, Qt::LeftButton, Qt::ControlModifier);
        LinkLabel* showAll = nullptr;
        for (LinkLabel* link : panel->findChildren<LinkLabel*>()) {
            if (link->isVisible())
                showAll = link;
        }
        QVERIFY(showAll);
        QCOMPARE(showAll->accessibleName(), QStringLiteral("Show all, %1 more").arg(all - removed));
        showAll->click();
        QCOMPARE(rows(std::nullopt), all);
        // A plain click jumps, and changes no filter.
        QTest::mouseClick(chip, Qt::LeftButton);
        QVERIFY(!state.changeFilter());
    }

    // A fix takes the selected node away, its undo brings it back to where it stood.
    void aNodeThatComesBackStandsWhereItStood()
    {
        const auto window = opened();
        QVERIFY(window);
        AppState& state = window->state();
        state.setB(state.stepCount());
        const Blocked* blocked = nullptr;
        for (const Blocked& row : state.timeline()->blocked) {
            if (!row.miss.reasons.empty() && row.miss.reasons.front().fix)
                blocked = &row;
        }
        QVERIFY(blocked);
        const NodeId culprit = std::get<NodeId>(blocked->miss.reasons.front().culprits.front());
        GraphCanvas& view = *area(*window).findChild<GraphCanvas*>();
        state.select(culprit);
        const auto shows = [&](bool wanted) {
            return QTest::qWaitFor([&] {
                return state.isFinished() && state.timeline()->plan == state.plan() &&
                       area(*window).hasDrawing() && view.scene() && !view.isSliding() &&
                       (view.scene()->visibleItem(culprit) >= 0) == wanted;
            }, 20000);
        };
        QVERIFY(shows(true));
        const auto corner = [&] {
            const int item = view.scene()->visibleItem(culprit);
            return view.toView(
                toRect(view.scene()->drawing->items[static_cast<std::size_t>(item)].rect).topLeft());
        };
        state.goTo(culprit);
        QTest::qWait(300);
        const QPointF stood = corner();
        state.applyFix(Fix(*blocked->miss.reasons.front().fix));
        QVERIFY(shows(false));
        for (int round = 0; round < 3; ++round) {
            state.undoStack().undo();
            QVERIFY(shows(true));
            QTest::qWait(200); // the drawing of the plan
            QVERIFY2(QLineF(stood, corner()).length() < 0.5,
                     qPrintable(QStringLiteral("%1, %2").arg(corner().x() - stood.x()).arg(corner().y() - stood.y())));
            state.undoStack().redo();
            QVERIFY(shows(false));
            QTest::qWait(200);
        }
    }

    // The chips say what the list of changes says, whatever is drawn.
    void chipsCountAsTheListOfChanges()
    {
        std::string text = "<ir_version: 8, opset_import: [\"\" : 17]>\n"
                           "g (float[4] x) => (float[4] y)\n{\n";
        std::string last = "x";
        for (int block = 0; block < 6; ++block) {
            int number = 0;
            for (const char* type : {"Softmax", "Identity", "LogSoftmax", "Hardmax", "Softmax"}) {
                const std::string place = std::to_string(block) + "/op" + std::to_string(number++);
                const std::string out = "v" + std::to_string(block) + "_" + std::to_string(number);
                text += std::string("[") + '"' + "/net/layer." + place + "/" + type + '"' + "] " + out
                        + " = " + type + " (" + last + ")\n";
                last = out;
            }
        }
        text += "y = Neg (" + last + ")\n}\n";
        const auto window = opened(text);
        QVERIFY(window);
        AppState& state = window->state();
        QVERIFY(state.stepCount() > 0);
        state.setB(state.stepCount());
        state.setA(0);
        QVERIFY(QTest::qWaitFor([&] { return state.isCurrentDiff(); }, 20000));
        const int removed = state.diff()->count(ChangeKind::removed);
        QVERIFY(removed >= 6);
        QCOMPARE(chip(*window, Mark::removed), removed);
        QCOMPARE(chip(*window, Mark::added), state.diff()->count(ChangeKind::added));
        window->actions()[Act::collapseAll]->trigger();
        QVERIFY(QTest::qWaitFor([&] { return area(*window).scene()->drawing->blocksClosed; }, 20000));
        QCOMPARE(chip(*window, Mark::removed), removed);
    }

    // Each page does what it speaks of and shows it.
    void theTourShowsWhatItSpeaksOf()
    {
        const auto window = makeWindow();
        window->actions()[Act::tour]->trigger();
        AppState& state = window->state();
        QVERIFY(waitForPasses(state) && drawn(*window));
        theme().setReducedMotion(true);
        auto* bar = window->findChild<NoticeBar*>();
        const auto next = [&] { Q_EMIT bar->actionTriggered(QStringLiteral("tour"), QStringLiteral("next")); };
        QCOMPARE(state.b(), 0);
        next();
        QCOMPARE(state.b(), 1);
        const auto diff = state.diff();
        const auto& changes = diff->nodes;
        const auto stands = std::ranges::find_if(
            changes, [](const NodeChange& change) { return change.kind != ChangeKind::removed; });
        QVERIFY(stands != changes.end());
        const NodeId changed = stands->node;
        QVERIFY(isInView(*area(*window).mainView(), changed));
        next();
        QCOMPARE(state.mode(), GraphMode::overlay);
        QVERIFY(isInView(*area(*window).mainView(), changed));
        next();
        QCOMPARE(state.b(), state.stepCount());
        next();
        QVERIFY(state.shownBlocked());
        const Reason reason = state.shownBlocked()->miss.reasons.front();
        QVERIFY(!reason.culprits.empty());
        if (const NodeId* node = std::get_if<NodeId>(&reason.culprits.front()))
            QVERIFY(isInView(*area(*window).mainView(), *node));
        theme().setReducedMotion(false);
    }

    // In Split no minimap covers a card, and what became the selected node is ringed before.
    void splitShowsWhatBecameTheSelectedNode()
    {
        const auto window = opened();
        QVERIFY(window);
        AppState& state = window->state();
        const int step = stepOf(state, "conv-activation");
        QVERIFY(step > 0);
        state.setB(step);
        state.setMode(GraphMode::split);
        QVERIFY(QTest::qWaitFor([&] { return state.isCurrentDiff(); }, 20000));
        NodeId fused;
        for (const NodeChange& change : state.diff()->nodes)
            fused = change.kind == ChangeKind::added ? change.node : fused;
        QVERIFY(fused);
        state.select(fused);
        const GraphCanvas& before = *area(*window).beforeView();
        for (const NodeChange& change : state.diff()->nodes)
            QCOMPARE(before.marks().successors.contains(change.node), change.kind == ChangeKind::removed);
        QVERIFY(area(*window).mainView()->marks().successors.empty());
        area(*window).mainView()->setZoom(3, {});
        QVERIFY(before.minimapRect().isEmpty());
        QVERIFY(area(*window).mainView()->minimapRect().isEmpty());
        state.setMode(GraphMode::after);
        QVERIFY(!area(*window).mainView()->minimapRect().isEmpty());
    }

    // The scale of errors stands below the graph.
    void theScaleOfErrorsCoversNothing()
    {
        const auto window = opened();
        QVERIFY(window);
        auto* scale = window->findChild<ErrorScale*>();
        QVERIFY(scale->isHidden());
        window->actions()[Act::compare]->trigger();
        QVERIFY(QTest::qWaitFor([&] { return window->state().compareResult().has_value(); }, 30000));
        QVERIFY(QTest::qWaitFor([&] { return scale->isVisible(); }, 5000));
        GraphCanvas* view = area(*window).mainView();
        const QRect canvas(view->mapTo(window.get(), QPoint()), view->size());
        const QRect bar(scale->mapTo(window.get(), QPoint()), scale->size());
        QVERIFY(!canvas.intersects(bar));
        QCOMPARE(ErrorScale::boundText(0, 1e-3), QStringLiteral("≤ 2e-4"));
        QCOMPARE(ErrorScale::boundText(1, 1e-3), QStringLiteral("1e-3"));
    }

    // A menu of them fits on a small screen.
    void examplesAreGrouped()
    {
        const auto window = makeWindow();
        const QMenu* menu = window->actions()[Act::examples]->menu<QMenu*>();
        QVERIFY(menu);
        int listed = 0;
        for (const QAction* group : menu->actions()) {
            const QMenu* inner = group->menu<QMenu*>();
            QVERIFY(inner);
            QVERIFY(inner->actions().size() >= 1);
            QVERIFY2(inner->actions().size() <= 20, qPrintable(group->text()));
            listed += static_cast<int>(inner->actions().size());
        }
        QCOMPARE(listed, static_cast<int>(examples().size()));
        QVERIFY(menu->actions().size() <= 12);
    }

    // An empty box has an outline that is seen.
    void emptyBoxesAreSeen_data()
    {
        QTest::addColumn<ThemeChoice>("choice");
        QTest::newRow("light") << ThemeChoice::light;
        QTest::newRow("dark") << ThemeChoice::dark;
    }

    void emptyBoxesAreSeen()
    {
        QFETCH(const ThemeChoice, choice);
        theme().setChoice(choice);
        QCheckBox box;
        box.resize(20, 20);
        const QImage image = box.grab().toImage();
        double most = 1;
        for (int x = 0; x < image.width() / 2; ++x)
            most = std::max(most, contrastRatio(image.pixelColor(x, image.height() / 2),
                                                theme().color(Token::window)));
        QVERIFY2(most >= 3, qPrintable(QString::number(most)));
        theme().setChoice(ThemeChoice::light);
    }
};

FUSESCOPE_TEST(GraphAreaTest, graph_area_test)
#include "graph_area_test.moc"
