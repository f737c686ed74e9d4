#include <cmath>
#include <limits>

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

#include "odd_names.h"
#include "support/test_class.h"
#include "ui/theme/theme.h"
#include "ui/widgets/axis.h"
#include "ui/widgets/breadcrumb.h"
#include "ui/widgets/channel_bars.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/compare_bars.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/filter_edit.h"
#include "ui/widgets/formula.h"
#include "ui/widgets/histogram.h"
#include "ui/widgets/kernel_slice.h"
#include "ui/widgets/key_values.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/log_chart.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/section.h"
#include "ui/widgets/segmented_switch.h"
#include "ui/widgets/status_progress.h"

using namespace fusescope;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

// Painting must survive whatever stands in a file.
void paint(QWidget& widget)
{
    widget.resize(widget.sizeHint().boundedTo(QSize(400, 400)));
    widget.grab();
    widget.resize(3, 3);
    widget.grab();
}

} // namespace

class WidgetsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { theme().install(); }

    void chipAnswersClickAndKey()
    {
        Chip chip({QStringLiteral("28"), Tone::removed, Mark::removed});
        chip.resize(chip.sizeHint());
        QSignalSpy activated(&chip, &Chip::activated);
        QTest::mouseClick(&chip, Qt::LeftButton);
        QCOMPARE(activated.count(), 1);
        QTest::keyClick(&chip, Qt::Key_Space);
        QCOMPARE(activated.count(), 2);
        QCOMPARE(chip.accessibleName(), QStringLiteral("28 removed"));
        QVERIFY(chip.sizeHint().height() >= 20);
    }

    void segmentsAreExclusive()
    {
        SegmentedSwitch modes;
        for (const char* name : {"Before", "After", "Overlay", "Split"})
            modes.addSegment(QString::fromLatin1(name));
        QCOMPARE(modes.current(), 0);
        QSignalSpy chosen(&modes, &SegmentedSwitch::chosen);
        modes.setCurrent(2);
        QCOMPARE(modes.current(), 2);
        QCOMPARE(chosen.count(), 0);
        QTest::mouseClick(modes.button(1), Qt::LeftButton);
        QCOMPARE(chosen.takeFirst().at(0).toInt(), 1);
        QVERIFY(!modes.button(2)->isChecked());
        modes.setSegmentEnabled(2, false, QStringLiteral("Only one <side>"));
        QVERIFY(modes.button(2)->toolTip().contains(QLatin1String("&lt;side")));
        QTest::keyClick(modes.button(1), Qt::Key_Right);
        QCOMPARE(modes.current(), 3);
        QTest::keyClick(modes.button(3), Qt::Key_Right);
        QCOMPARE(modes.current(), 3);
        QCOMPARE(modes.button(0)->property("segment").toString(), QStringLiteral("first"));
        QCOMPARE(modes.button(3)->property("segment").toString(), QStringLiteral("last"));
    }

    void escapeClearsTheFilterFirst()
    {
        QWidget window;
        FilterEdit edit(QStringLiteral("Filter steps"), QStringLiteral("filter"),
                        QStringLiteral("Ctrl+F"), &window);
        QCOMPARE(edit.accessibleName(), QStringLiteral("Filter steps"));
        edit.setText(QStringLiteral("conv"));
        QTest::keyClick(&edit, Qt::Key_Escape);
        QVERIFY(edit.text().isEmpty());
        paint(edit);
    }

    void breadcrumbElidesFromTheLeft()
    {
        Breadcrumb crumbs;
        const QStringList parts = {QStringLiteral("resnet18_aux.onnx"), QStringLiteral("layer2"),
                                   QStringLiteral("layer2.0"), QStringLiteral("downsample")};
        crumbs.setParts(parts);
        crumbs.resize(crumbs.sizeHint());
        crumbs.show();
        QCOMPARE(crumbs.hidden(), 0);
        crumbs.resize(crumbs.sizeHint().width() - 60, 24);
        QCOMPARE(crumbs.hidden(), 1);
        QVERIFY(!crumbs.button(0)->isVisible());
        QVERIFY(crumbs.button(3)->isVisible());
        QVERIFY(crumbs.button(3)->geometry().right() < crumbs.width());
        crumbs.resize(90, 24);
        QCOMPARE(crumbs.hidden(), 3);
        QVERIFY(crumbs.button(3)->isVisible());
        QSignalSpy clicked(&crumbs, &Breadcrumb::partClicked);
        QTest::mouseClick(crumbs.button(3), Qt::LeftButton);
        QCOMPARE(clicked.takeFirst().at(0).toInt(), 3);
        crumbs.resize(800, 24);
        QCOMPARE(crumbs.hidden(), 0);
        QVERIFY(crumbs.button(3)->font().weight() > crumbs.button(0)->font().weight());
    }

    void breadcrumbTakesOddNames()
    {
        Breadcrumb crumbs;
        for (const QString& name : oddNames()) {
            crumbs.setParts({name, name});
            crumbs.resize(300, 24);
            crumbs.grab();
            QVERIFY(!crumbs.button(1)->toolTip().contains(QLatin1String("<img")));
            QVERIFY(!crumbs.button(1)->text().contains(u'\n'));
        }
        crumbs.setParts({QStringLiteral("a&b")});
        QCOMPARE(crumbs.button(0)->text(), QStringLiteral("a&&b"));
    }

    void noticeBarShowsTheWorst()
    {
        QWidget window;
        NoticeBar bar(&window);
        QVERIFY(bar.isHidden());
        bar.post({QStringLiteral("a"),
                  NoticeLevel::error,
                  QStringLiteral("<b>broken</b>"),
                  {{QStringLiteral("set"), QStringLiteral("Set & go")}}});
        bar.post({QStringLiteral("b"), NoticeLevel::info, QStringLiteral("note"), {}});
        bar.post({QStringLiteral("c"), NoticeLevel::warning, QStringLiteral("careful"), {}});
        QCOMPARE(bar.count(), 3);
        QCOMPARE(bar.shown().id, QStringLiteral("a"));
        QVERIFY(!bar.isHidden());
        QCOMPARE(bar.accessibleName(), QStringLiteral("Error: <b>broken</b>"));
        for (const QLabel* label : bar.findChildren<QLabel*>())
            if (!label->text().isEmpty())
                QCOMPARE(label->textFormat(), Qt::PlainText);
        QSignalSpy actions(&bar, &NoticeBar::actionTriggered);
        auto* button = bar.findChild<QPushButton*>();
        QCOMPARE(button->text(), QStringLiteral("Set && go"));
        button->click();
        QCOMPARE(actions.takeFirst().at(1).toString(), QStringLiteral("set"));
        bar.post({QStringLiteral("a"), NoticeLevel::info, QStringLiteral("mended"), {}});
        QCOMPARE(bar.count(), 3);
        QCOMPARE(bar.shown().id, QStringLiteral("c"));
        bar.withdraw(QStringLiteral("c"));
        QCOMPARE(bar.shown().id, QStringLiteral("a"));
        bar.clear();
        QVERIFY(bar.isHidden());
    }

    void progressWaitsBeforeItSpeaks()
    {
        QWidget window;
        window.show();
        StatusProgress progress(&window);
        progress.begin(QStringLiteral("Running"));
        QVERIFY(!progress.isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(progress.isVisible(), 600);
        QVERIFY(!progress.findChild<QProgressBar*>()->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(progress.findChild<QProgressBar*>()->isVisible(), 1500);
        QSignalSpy cancelled(&progress, &StatusProgress::cancelRequested);
        progress.findChild<QToolButton*>()->click();
        progress.findChild<QToolButton*>()->click();
        QCOMPARE(cancelled.count(), 1);
        progress.end();
        QVERIFY(!progress.isVisible());
        progress.begin(QStringLiteral("Quick"));
        progress.end();
        QTest::qWait(200);
        QVERIFY(!progress.isVisible());
    }

    void emptyStateTakesTextAsText()
    {
        EmptyState state;
        state.setContent(QStringLiteral("find"), QStringLiteral("No match"),
                         QStringLiteral("Nothing is named \"</b><img src=x>\"."),
                         QStringLiteral("Search & more"));
        QSignalSpy clicked(&state, &EmptyState::buttonClicked);
        state.findChild<QPushButton*>()->click();
        QCOMPARE(clicked.count(), 1);
        for (const QLabel* label : state.findChildren<QLabel*>())
            QCOMPARE(label->textFormat(), Qt::PlainText);
        paint(state);
    }

    void sectionFolds()
    {
        Section section(QStringLiteral("Body"));
        auto* inside = new QLabel(QStringLiteral("x"));
        section.setContent(inside);
        section.show();
        QVERIFY(inside->isVisible());
        auto* heading = section.findChild<QAbstractButton*>();
        QSignalSpy toggled(&section, &Section::toggled);
        QTest::keyClick(heading, Qt::Key_Space);
        QVERIFY(!inside->isVisible());
        QCOMPARE(toggled.takeFirst().at(0).toBool(), false);
        section.setOpen(true);
        QVERIFY(inside->isVisible());
        QCOMPARE(toggled.count(), 0);
    }

    void keyValuesLinkAndTakeOddNames()
    {
        KeyValues values;
        QSignalSpy links(&values, &KeyValues::linkActivated);
        QList<KeyValue> rows;
        for (const QString& name : oddNames())
            rows.append({name, name, QStringLiteral("node 7"), name});
        values.setRows(rows);
        values.resize(300, 400);
        values.grab();
        values.findChild<LinkLabel*>()->click();
        QCOMPARE(links.takeFirst().at(0).toString(), QStringLiteral("node 7"));
        values.setRows({});
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QVERIFY(!values.findChild<LinkLabel*>());
    }

    void labelsCopyTheWholeText()
    {
        ElidedLabel label(QString(5000, u'y'));
        label.resize(100, 20);
        label.grab();
        QTest::keyClick(&label, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), label.text());
    }

    void formulaMeasuresWhatItPaints()
    {
        using E = Expression;
        const QFont font = theme().font(TextScale::title);
        const E gamma = E::text(QStringLiteral("γ"));
        const E root = E::squareRoot(E::text(QStringLiteral("σ² + ε")));
        const E whole = E::row({E::strong(QStringLiteral("W′")), E::text(QStringLiteral(" = W · ")),
                                E::fraction(gamma, root)});
        QCOMPARE(whole.plain(), QStringLiteral("W′ = W · γ / √σ² + ε"));
        const FormulaSize plain = measureFormula(gamma, font);
        const FormulaSize stacked = measureFormula(E::fraction(gamma, root), font);
        QVERIFY(stacked.width > measureFormula(root, font).width);
        QVERIFY(stacked.ascent > plain.ascent && stacked.descent > plain.descent);
        const FormulaSize raised = measureFormula(E::sup(gamma, gamma), font);
        QVERIFY(raised.ascent > plain.ascent);
        QVERIFY(measureFormula(E::sub(gamma, gamma), font).descent > plain.descent);
        QCOMPARE(measureFormula(E(), font).width, 0.0);

        // Nothing is painted outside the measured box.
        QImage image(400, 200, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        paintFormula(painter, QPointF(50, 100), whole, font);
        painter.end();
        const FormulaSize size = measureFormula(whole, font);
        const QRectF box(48, 98 - size.ascent, size.width + 4, size.ascent + size.descent + 4);
        int inside = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (qAlpha(image.pixel(x, y)) > 60) {
                    QVERIFY2(box.contains(x, y),
                             qPrintable(QStringLiteral("%1, %2").arg(x).arg(y)));
                    ++inside;
                }
        QVERIFY(inside > 100);
    }

    void channelsAreChosen()
    {
        ChannelBars bars;
        QList<double> values(128, 0.8);
        values[90] = 0.0027;
        bars.setValues(values);
        bars.resize(530, 110);
        QCOMPARE(bars.median(), 0.8);
        QCOMPARE(bars.dead(), 90);
        QSignalSpy chosen(&bars, &ChannelBars::chosenByUser);
        for (const int channel : {0, 37, 127})
            QCOMPARE(bars.channelAt(bars.bar(channel).center().x()), channel);
        QTest::mouseClick(&bars, Qt::LeftButton, {}, bars.bar(37).center().toPoint());
        QCOMPARE(bars.chosen(), 37);
        QCOMPARE(chosen.count(), 1);
        QTest::keyClick(&bars, Qt::Key_Right);
        QCOMPARE(bars.chosen(), 38);
        QTest::keyClick(&bars, Qt::Key_End);
        QTest::keyClick(&bars, Qt::Key_Right);
        QCOMPARE(bars.chosen(), 127);
        QVERIFY(bars.accessibleName().contains(QLatin1String("127 of 128")));
        QVERIFY(bars.bar(5).height() > 4 * bars.bar(90).height());
        bars.setValues({1});
        QCOMPARE(bars.chosen(), -1);
    }

    void chartsSurviveAnyNumber()
    {
        const QList<QList<double>> all = {{},
                                          {notANumber},
                                          {notANumber, infinite, -infinite},
                                          {0, 0, 0},
                                          {-1, -2, -3},
                                          {1e308, -1e308},
                                          {5e-324, 1},
                                          QList<double>(20000, 0.5)};
        for (const QList<double>& values : all) {
            for (const bool logarithmic : {false, true}) {
                ChannelBars bars;
                bars.setLogarithmic(logarithmic);
                bars.setLimit(logarithmic ? 1e-3 : notANumber, QStringLiteral("tolerance"));
                bars.setValues(values);
                bars.setChosen(0);
                paint(bars);
            }
            LogChart chart;
            QList<LogChart::Point> points;
            for (qsizetype i = 0; i < std::min<qsizetype>(50, values.size()); ++i)
                points.append({static_cast<int>(i), values[i], false});
            chart.setPoints(points, 50, 1e-3, values.isEmpty() ? -1 : 0);
            paint(chart);
            KernelSlice slice;
            const KernelSlice::Matrix matrix{QStringLiteral("W"), 1,
                                             static_cast<int>(values.size()), values};
            slice.setMatrices(matrix, QStringLiteral("× 1"), matrix);
            paint(slice);
            CompareBars compared;
            QList<CompareBars::Bar> rows;
            for (qsizetype i = 0; i < std::min<qsizetype>(5, values.size()); ++i)
                rows.append(
                    {QStringLiteral("x"), values[i], QStringLiteral("1 ms"), Token::accent});
            compared.setBars(rows);
            paint(compared);
        }
        Histogram histogram;
        histogram.setCounts({}, notANumber, infinite);
        paint(histogram);
        histogram.setCounts({0, -5, std::numeric_limits<qint64>::max()}, 0, 0);
        paint(histogram);
    }

    void logChartPlacesPowersOfTen()
    {
        LogChart chart;
        chart.resize(400, 150);
        chart.setPoints({{0, 1e-6, true}, {10, 1e-3, true}, {20, 1, false}}, 20, 1e-3, 20);
        QCOMPARE(chart.lowestPower(), -6);
        QCOMPARE(chart.highestPower(), 0);
        const QRectF area = chart.plot();
        QCOMPARE(chart.place({0, 1e-6, true}), area.bottomLeft());
        QVERIFY(std::abs(chart.place({10, 1e-3, true}).y() - area.center().y()) < 1e-6);
        QVERIFY(std::abs(chart.place({10, 1e-3, true}).x() - area.center().x()) < 1e-6);
        QCOMPARE(chart.place({20, notANumber, false}).y(), area.top());
        QSignalSpy clicked(&chart, &LogChart::stepClicked);
        QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.place({20, 1, false}).toPoint());
        QCOMPARE(clicked.takeFirst().at(0).toInt(), 20);
        QTest::keyClick(&chart, Qt::Key_Left);
        QTest::keyClick(&chart, Qt::Key_Return);
        QCOMPARE(clicked.takeFirst().at(0).toInt(), 10);
    }

    void compareBarsAreInProportion()
    {
        CompareBars bars;
        bars.setBars({{QStringLiteral("before"), 4, QStringLiteral("4 ms"), Token::cardLine},
                      {QStringLiteral("after"), 1, QStringLiteral("1 ms"), Token::accent}});
        bars.resize(300, 40);
        QVERIFY(std::abs(bars.bar(0).width() - 4 * bars.bar(1).width()) < 1e-9);
        QCOMPARE(bars.accessibleName(), QStringLiteral("before: 4 ms, after: 1 ms"));
    }

    void kernelCellsReadInBothThemes()
    {
        for (const ThemeChoice choice : {ThemeChoice::light, ThemeChoice::dark}) {
            theme().setChoice(choice);
            for (int i = -20; i <= 20; ++i) {
                const QColor fill = KernelSlice::cellColor(i / 20.0, 1);
                QVERIFY2(contrastRatio(fill, theme().readableOn(fill)) >= 4.5,
                         qPrintable(QString::number(i)));
            }
            QVERIFY(KernelSlice::cellColor(-1, 1) != KernelSlice::cellColor(1, 1));
        }
        theme().setChoice(ThemeChoice::light);
    }

    void ticksAreRound()
    {
        QCOMPARE(niceTicks(0, 1.6, 4), (QList<double>{0, 0.5, 1, 1.5}));
        QCOMPARE(niceTicks(0, 0, 4), (QList<double>{0}));
        QVERIFY(niceTicks(-1e308, 1e308, 5).size() <= 6);
        QVERIFY(niceTicks(0, 7, 3).size() <= 4);
    }
};

FUSESCOPE_TEST(WidgetsTest, widgets_test)
#include "widgets_test.moc"
