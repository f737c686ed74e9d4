#include "support/test_class.h"
#include "ui/graph/graph_area.h"
#include "ui/language.h"
#include "ui/main_window.h"
#include "ui/open_model.h"
#include "ui/panels/inspector_panel.h"
#include "ui/panels/steps_panel.h"
#include "ui/settings_folder.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/breadcrumb.h"
#include "ui/widgets/channel_bars.h"
#include "ui/widgets/segmented_switch.h"
#include "ui/widgets/step_slider.h"

#include <QAccessible>
#include <QBuffer>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QPainter>
#include <QSignalSpy>
#include <QSvgGenerator>
#include <QToolButton>

using namespace fusescope;
using namespace fusescope::test;

namespace {

constexpr std::string_view scoped = R"(<ir_version: 8, opset_import: ["" : 17]>
    net (float[1, 3, 8, 8] x) => (float[1, 4, 8, 8] y)
    <float[4, 3, 3, 3] W = random(1), float[4, 4, 3, 3] V = random(2),
     float[4] scale = random(3, 0.5, 2), float[4] shift = random(4), float[4] mean = random(5),
     float[4] var = random(6, 0.5, 2)>
    {
        ["/stem/conv/Conv"] c = Conv <pads = [1, 1, 1, 1]> (x, W)
        ["/stem/bn/BatchNormalization"] n = BatchNormalization (c, scale, shift, mean, var)
        ["/stem/relu/Relu"] r = Relu (n)
        ["/layer1/layer1.0/conv/Conv"] d = Conv <pads = [1, 1, 1, 1]> (r, V)
        ["/layer1/layer1.0/tanh/Tanh"] y = Tanh (d)
    })";

} // namespace

// The window against its description: what is read, what fits, what keeps its place.
class WindowLookTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<SettingsFolder> m_settings;
    QTemporaryDir m_folder;

    std::unique_ptr<MainWindow> openWindow(std::string_view text = scoped)
    {
        auto window = std::make_unique<MainWindow>();
        window->setAttribute(Qt::WA_DeleteOnClose, false);
        window->resize(1440, 900);
        window->show();
        window->openFiles({modelFile(text, m_folder.path(), QStringLiteral("net.onnx"))});
        if (!waitForPasses(window->state())
            || !QTest::qWaitFor([&] { return window->graphArea().hasDrawing(); }, 10000))
            qFatal("a test's model was not drawn");
        return window;
    }

private Q_SLOTS:
    // Where the words of the transport do not fit, pictures stand alone.
    void noWordOfTheTransportIsCut()
    {
        const auto window = openWindow();
        auto* steps = window->findChild<StepsPanel*>();
        QVERIFY(steps);
        for (const int width : {240, 262, 280, 296, 340, 420}) {
            window->resizeDocks({window->dock(QStringLiteral("steps"))}, {width}, Qt::Horizontal);
            QTest::qWait(20);
            int words = 0;
            const int slack = 4 * steps->fontMetrics().horizontalAdvance(QLatin1Char(' '));
            for (const auto* button : steps->findChildren<QToolButton*>()) {
                if (!button->isVisible() || button->toolButtonStyle() != Qt::ToolButtonTextBesideIcon)
                    continue;
                QTRY_VERIFY2(button->toolButtonStyle() == Qt::ToolButtonIconOnly ||
                                 button->width() + slack >= button->sizeHint().width(),
                             qPrintable(QStringLiteral("%1 at %2").arg(button->text()).arg(width)));
                ++words;
            }
            if (width == 420)
                QVERIFY(words >= 3); // Pass, All, Changed
        }
    }

    void theTransportHasItsWordsInChineseToo()
    {
        installTranslations(QStringLiteral("zh_CN"));
        const auto window = openWindow();
        window->resizeDocks({window->dock(QStringLiteral("steps"))}, {296}, Qt::Horizontal);
        const auto worded = [&](Act act) {
            for (const auto* button : window->stepsPanel().findChildren<QToolButton*>()) {
                if (button->defaultAction() == window->actions()[act])
                    return button->toolButtonStyle() == Qt::ToolButtonTextBesideIcon
                           && button->width() >= 32 + button->fontMetrics().horizontalAdvance(
                                                          button->defaultAction()->iconText());
            }
            return false;
        };
        const bool pass = QTest::qWaitFor([&] { return worded(Act::runPass); }, 5000);
        const bool all = worded(Act::runAll);
        installTranslations(QStringLiteral("en"));
        QString widths = QStringLiteral("panel %1:").arg(window->stepsPanel().width());
        for (const auto* button : window->stepsPanel().findChildren<QToolButton*>())
            widths += QStringLiteral(" %1/%2").arg(button->width()).arg(button->sizeHint().width());
        QVERIFY2(pass && all, qPrintable(widths));
    }

    void initTestCase() { theme().install(); }
    void init() { m_settings = std::make_unique<SettingsFolder>(); }

    void pathShowsTheScopesOfTheSelection()
    {
        const auto window = openWindow();
        auto* path = window->graphArea().findChild<Breadcrumb*>();
        QCOMPARE(path->parts(), QStringList{QStringLiteral("net.onnx")});
        window->state().select(named(window->state(), "/layer1/layer1.0/conv/Conv"));
        QCOMPARE(path->parts(), (QStringList{QStringLiteral("net.onnx"), QStringLiteral("layer1"),
                                             QStringLiteral("layer1.0")}));
        // A part frames what stands in it, and the last one the innermost scope.
        const qreal before = window->graphArea().zoom();
        Q_EMIT path->partClicked(2);
        const std::set<NodeId>& framed = window->graphArea().view()->marks().more;
        QVERIFY(framed.contains(named(window->state(), "/layer1/layer1.0/tanh/Tanh")));
        QVERIFY(!framed.contains(named(window->state(), "/stem/relu/Relu")));
        Q_EMIT path->partClicked(0);
        QVERIFY(window->graphArea().zoom() <= std::max(before, 1.0));
        window->state().select({});
        QCOMPARE(path->parts().size(), 1);
    }

    void switchIsNeverCut()
    {
        const auto window = openWindow();
        GraphArea& area = window->graphArea();
        auto* modes = area.findChild<SegmentedSwitch*>();
        window->state().setMode(GraphMode::split);
        for (const int width : {1400, 1000, 800}) {
            window->resize(width, 700);
            QTest::qWait(20);
            const QRect box(modes->mapTo(&area, QPoint(0, 0)), modes->size());
            QVERIFY2(area.rect().contains(box), qPrintable(QString::number(width)));
            for (const QToolButton* one : modes->findChildren<QToolButton*>())
                QVERIFY2(one->width() >= one->minimumWidth(), qPrintable(one->text()));
        }
    }

    void splitKeepsTheMiddle()
    {
        const auto window = openWindow();
        GraphCanvas* view = window->graphArea().mainView();
        QVERIFY(view->goTo(named(window->state(), "/layer1/layer1.0/conv/Conv"), false));
        const QPointF middle = view->visibleArea().center();
        window->state().setMode(GraphMode::split);
        QTest::qWait(50);
        QVERIFY(view->width() < window->graphArea().width() * 2 / 3);
        const QPointF after = view->visibleArea().center();
        QVERIFY2(QLineF(middle, after).length() * view->zoom() < 20,
                 qPrintable(QStringLiteral("%1 %2").arg(after.x() - middle.x()).arg(after.y() - middle.y())));
        const QPointF other = window->graphArea().beforeView()->visibleArea().center();
        QVERIFY(QLineF(after, other).length() * view->zoom() < 20);
    }

    void formulaHasAWidthOfItsOwn()
    {
        const auto window = openWindow();
        QDockWidget* dock = window->dock(QStringLiteral("inspector"));
        auto* inspector = dock->findChild<InspectorPanel*>();
        QTRY_COMPARE(dock->width(), 328);
        window->state().select(named(window->state(), "/stem/conv/Conv"));
        QVERIFY(inspector->hasPage(InspectorPanel::explain));
        inspector->showPage(InspectorPanel::explain);
        QTRY_COMPARE(dock->width(), 530);
        window->resizeDocks({dock}, {480}, Qt::Horizontal);
        QTRY_COMPARE(dock->width(), 480);
        inspector->showPage(InspectorPanel::node);
        QTRY_COMPARE(dock->width(), 328);
        inspector->showPage(InspectorPanel::explain);
        QTRY_COMPARE(dock->width(), 480);
    }

    void fusedCardNamesWhatWasFolded()
    {
        const auto window = openWindow();
        window->state().last();
        const auto scene = window->graphArea().scene();
        QVERIFY(scene);
        QStringList names;
        for (int i = 0; i < static_cast<int>(scene->items.size()); ++i) {
            if (scene->isVisible(i) && scene->drawing->items[static_cast<std::size_t>(i)].region)
                names << QString::fromStdString(faceOf(*scene, i).content.name);
        }
        QCOMPARE(names, (QStringList{QStringLiteral("stem/conv + bn + relu"),
                                     QStringLiteral("layer1.0/conv + tanh")}));
    }

    void slidersAndChartsHaveValues()
    {
        StepSlider slider;
        slider.setLast(40);
        slider.setThumbs(7, 7);
        QSignalSpy moved(&slider, &StepSlider::thumbsMoved);
        QAccessibleInterface* spoken = QAccessible::queryAccessibleInterface(&slider);
        QVERIFY(spoken && spoken->valueInterface());
        QCOMPARE(spoken->valueInterface()->currentValue().toInt(), 7);
        QCOMPARE(spoken->valueInterface()->maximumValue().toInt(), 40);
        spoken->valueInterface()->setCurrentValue(12);
        QCOMPARE(slider.b(), 12);
        QCOMPARE(moved.size(), 1);
        ChannelBars bars;
        bars.setValues({1, 2, 3});
        QAccessibleInterface* channels = QAccessible::queryAccessibleInterface(&bars);
        QVERIFY(channels && channels->valueInterface());
        channels->valueInterface()->setCurrentValue(2);
        QCOMPARE(bars.chosen(), 2);
        QVERIFY(channels->text(QAccessible::Value).contains(QLatin1Char('2')));
    }

    void pictogramsAreLinesInPicturesOfLines()
    {
        QBuffer buffer;
        QSvgGenerator picture;
        picture.setOutputDevice(&buffer);
        picture.setSize({64, 64});
        QPainter painter(&picture);
        paintIcon(painter, QRectF(8, 8, 32, 32), QStringLiteral("category-conv"), QColor(1, 2, 3));
        painter.end();
        QVERIFY(!buffer.data().contains("<image"));
        QVERIFY(buffer.data().contains("<path"));
        QVERIFY(buffer.data().contains("#010203"));
    }

    void profileStandsBesideCompare()
    {
        const auto window = openWindow();
        QAction* beside = nullptr;
        for (QAction* menu : window->menuBar()->actions()) {
            for (QAction* one : menu->menu()->actions()) {
                if (one->text().contains(QStringLiteral("beside Compare")))
                    beside = one;
            }
        }
        QVERIFY(beside);
        QDockWidget* profile = window->dock(QStringLiteral("profile"));
        QDockWidget* compare = window->dock(QStringLiteral("compare"));
        beside->trigger();
        QTRY_VERIFY(profile->geometry().left() > compare->geometry().right());
        QCOMPARE(profile->geometry().bottom(), compare->geometry().bottom());
        beside->trigger();
        QVERIFY(window->tabifiedDockWidgets(compare).contains(profile));
    }

    void theGraphHasTheKeysAtOnce()
    {
        const auto window = openWindow();
        QVERIFY(window->focusWidget() == window->graphArea().mainView());
    }
};

FUSESCOPE_TEST(WindowLookTest, window_look_test)
#include "window_look_test.moc"
