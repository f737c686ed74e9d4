#include <cmath>

#include <QPicture>
#include <QSignalSpy>

#include "support/test_class.h"
#include "ui/theme/theme.h"
#include "ui/widgets/step_slider.h"

using namespace fusescope;

class StepSliderTest : public QObject
{
    Q_OBJECT

private:
    static void prepare(StepSlider& slider, int last = 41)
    {
        slider.setLast(last);
        slider.resize(276, slider.sizeHint().height());
    }
    static QPoint onTrack(const StepSlider& slider, int position)
    {
        return {qRound(slider.xOf(position)), qRound(slider.track().center().y())};
    }

private Q_SLOTS:
    void initTestCase() { theme().install(); }

    void geometry()
    {
        StepSlider slider;
        prepare(slider);
        QVERIFY(slider.sizeHint().height() >= 54);
        QCOMPARE(slider.xOf(0), slider.track().left());
        QVERIFY(std::abs(slider.xOf(41) - slider.track().right()) < 1e-9);
        for (int position = 0; position <= 41; ++position)
            QCOMPARE(slider.positionAt(slider.xOf(position)), position);
        QCOMPARE(slider.positionAt(-50), 0);
        QCOMPARE(slider.positionAt(5000), 41);
        slider.setThumbs(6, 28);
        QVERIFY(slider.flagB().bottom() < slider.track().top());
        QVERIFY(slider.flagA().top() > slider.track().bottom());
        QVERIFY(slider.flagA().bottom() <= slider.height());
        QVERIFY(slider.flagB().top() >= 0);
        QVERIFY(std::abs(slider.flagB().center().x() - slider.xOf(28)) < 1);
        for (const int end : {0, 41}) {
            slider.setThumbs(end, end);
            QVERIFY(slider.flagB().left() >= 0 && slider.flagB().right() <= slider.width());
            QVERIFY(slider.flagA().isNull());
        }
    }

    void positionsAreClamped()
    {
        StepSlider slider;
        prepare(slider);
        slider.setThumbs(-3, 99);
        QCOMPARE(slider.a(), 0);
        QCOMPARE(slider.b(), 41);
        slider.setLast(10);
        QCOMPARE(slider.b(), 10);
        slider.setLast(-4);
        QCOMPARE(slider.last(), 0);
        QCOMPARE(slider.b(), 0);
        slider.grab();
    }

    void programsMoveSilently()
    {
        StepSlider slider;
        prepare(slider);
        QSignalSpy moved(&slider, &StepSlider::thumbsMoved);
        slider.setThumbs(3, 9);
        QCOMPARE(moved.count(), 0);
    }

    void clickMovesB()
    {
        StepSlider slider;
        prepare(slider);
        QSignalSpy moved(&slider, &StepSlider::thumbsMoved);
        QTest::mouseClick(&slider, Qt::LeftButton, {}, onTrack(slider, 20));
        QCOMPARE(slider.a(), 20);
        QCOMPARE(slider.b(), 20);
        QCOMPARE(moved.count(), 1);
        slider.setThumbs(6, 28);
        QTest::mouseClick(&slider, Qt::LeftButton, {}, onTrack(slider, 12));
        QCOMPARE(slider.a(), 6);
        QCOMPARE(slider.b(), 12);
    }

    void shiftClickSetsA()
    {
        StepSlider slider;
        prepare(slider);
        slider.setThumbs(28, 28);
        QTest::mouseClick(&slider, Qt::LeftButton, Qt::ShiftModifier, onTrack(slider, 6));
        QCOMPARE(slider.a(), 6);
        QCOMPARE(slider.b(), 28);
        QVERIFY(slider.twoThumbs());
        QTest::mouseClick(&slider, Qt::LeftButton, Qt::ShiftModifier, onTrack(slider, 28));
        QVERIFY(!slider.twoThumbs());
    }

    void draggingAOntoBMerges()
    {
        StepSlider slider;
        prepare(slider);
        slider.setThumbs(6, 28);
        QTest::mousePress(&slider, Qt::LeftButton, {}, slider.flagA().center().toPoint());
        QCOMPARE(slider.a(), 6); // taking hold moves nothing
        QTest::mouseMove(&slider, onTrack(slider, 15));
        QCOMPARE(slider.a(), 15);
        QCOMPARE(slider.b(), 28);
        QTest::mouseMove(&slider, onTrack(slider, 28));
        QVERIFY(!slider.twoThumbs());
        QTest::mouseRelease(&slider, Qt::LeftButton, {}, onTrack(slider, 28));
        QTest::mouseMove(&slider, onTrack(slider, 3));
        QCOMPARE(slider.b(), 28);
    }

    void draggingB()
    {
        StepSlider slider;
        prepare(slider);
        slider.setThumbs(6, 28);
        QTest::mousePress(&slider, Qt::LeftButton, {}, slider.flagB().center().toPoint());
        QTest::mouseMove(&slider, onTrack(slider, 35));
        QCOMPARE(slider.a(), 6);
        QCOMPARE(slider.b(), 35);
        QTest::mouseRelease(&slider, Qt::LeftButton, {}, onTrack(slider, 35));
    }

    void keyboard()
    {
        StepSlider slider;
        prepare(slider);
        QSignalSpy moved(&slider, &StepSlider::thumbsMoved);
        slider.setThumbs(5, 5);
        QTest::keyClick(&slider, Qt::Key_Right);
        QCOMPARE(slider.b(), 6);
        QCOMPARE(slider.a(), 6);
        QTest::keyClick(&slider, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(slider.a(), 5);
        QCOMPARE(slider.b(), 6);
        QTest::keyClick(&slider, Qt::Key_End);
        QCOMPARE(slider.a(), 5);
        QCOMPARE(slider.b(), 41);
        const auto before = moved.count();
        QTest::keyClick(&slider, Qt::Key_Right);
        QCOMPARE(moved.count(), before);
        QTest::keyClick(&slider, Qt::Key_PageDown);
        QCOMPARE(slider.b(), 31);
        QTest::keyClick(&slider, Qt::Key_Escape);
        QCOMPARE(slider.a(), 31);
        QTest::keyClick(&slider, Qt::Key_Home);
        QCOMPARE(slider.b(), 0);
        // Keys with Ctrl belong to the window.
        QTest::keyClick(&slider, Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(slider.b(), 0);
    }

    void tellsScreenReaders()
    {
        StepSlider slider;
        prepare(slider);
        slider.setThumbs(28, 28);
        QCOMPARE(slider.accessibleName(), QStringLiteral("Steps, at 28 of 41"));
        slider.setThumbs(6, 28);
        QCOMPARE(slider.accessibleName(),
                 QStringLiteral("Steps, B at 28 of 41, compared with A at 6"));
    }

    void trackShowsTheSelectedNode()
    {
        theme().setChoice(ThemeChoice::light);
        StepSlider slider;
        prepare(slider);
        QList<TrackState> states(42, TrackState::absent);
        states[10] = TrackState::added;
        for (int i = 11; i < 30; ++i)
            states[i] = TrackState::present;
        states[20] = TrackState::changed;
        states[30] = TrackState::removed;
        slider.setStates(states);
        slider.setThumbs(40, 40);
        const QImage image = slider.grab().toImage();
        const auto at = [&](int position) {
            return QColor(image.pixel(onTrack(slider, position) * image.devicePixelRatio()));
        };
        QCOMPARE(at(5), theme().color(Token::base));
        QCOMPARE(at(10), theme().color(Token::added));
        QCOMPARE(at(20), theme().color(Token::changed));
        QCOMPARE(at(30), theme().color(Token::removed));
        QVERIFY(at(15) != theme().color(Token::base));
        QCOMPARE(at(35), theme().color(Token::base));
        // What is to be guessed is not given away.
        slider.setHiddenBeyond(15);
        const QImage hidden = slider.grab().toImage();
        QVERIFY(QColor(hidden.pixel(onTrack(slider, 20))) != theme().color(Token::changed));
    }

    // What is painted depends on the width, not on the steps that share it.
    void thousandsOfStepsPaintWhatFits()
    {
        const auto painted = [](int steps) {
            StepSlider slider;
            prepare(slider, steps);
            QList<int> blocked;
            for (int i = 0; i < steps / 8; ++i)
                blocked.append(i * 8);
            slider.setBlocked(blocked);
            slider.setStates(QList<TrackState>(steps + 1, TrackState::present));
            QPicture picture;
            slider.render(&picture);
            return picture.size();
        };
        const auto few = painted(8000);
        const auto many = painted(80000);
        QVERIFY(few > 0);
        QVERIFY2(many < 2 * few, qPrintable(QStringLiteral("%1 %2").arg(few).arg(many)));
    }
};

FUSESCOPE_TEST(StepSliderTest, step_slider_test)
#include "step_slider_test.moc"
