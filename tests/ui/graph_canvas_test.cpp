#include "graph_fixture.h"
#include "ui/graph/graph_canvas.h"
#include "ui/theme/theme.h"

#include <QAccessible>
#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <QSignalSpy>

#include <cmath>

using namespace fusescope;

Q_DECLARE_METATYPE(fusescope::NodeId)
Q_DECLARE_METATYPE(fusescope::ValueId)

namespace {

// A view of a scene, 800 × 600.
struct Shown
{
    test::ResidualTale tale;
    DrawingPtr drawing;
    std::shared_ptr<const SceneIndex> index;
    GraphCanvas view;

    explicit Shown(int a = 0, int b = 3, SceneMode mode = SceneMode::overlay)
        : drawing(test::drawingOf(tale)), index(std::make_shared<const SceneIndex>(drawing))
    {
        view.resize(800, 600);
        view.show();
        view.setScene(test::sceneOf(tale, drawing, a, b, mode), index);
    }
    QRectF box(NodeId node) const
    {
        return toRect(drawing->items[static_cast<std::size_t>(drawing->item(node))].rect);
    }
    QPoint at(NodeId node) const { return view.toView(box(node).center()).toPoint(); }
    QImage image()
    {
        QImage picture(view.size(), QImage::Format_RGB32);
        view.render(&picture);
        return picture;
    }
};

void click(GraphCanvas& view, const QPoint& at, Qt::KeyboardModifiers keys = {})
{
    QTest::mouseClick(&view, Qt::LeftButton, keys, at);
}

} // namespace

class GraphCanvasTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        theme().install();
        theme().setChoice(ThemeChoice::light);
        installGraphAccessibility();
        qRegisterMetaType<NodeId>();
        qRegisterMetaType<ValueId>();
    }

    // Another drawing of the same graph: what both have slides, and ends exactly where it belongs.
    void anotherDrawingSlidesToItsPlace()
    {
        Shown shown;
        DrawingOptions across;
        across.layout.direction = LayoutDirection::leftToRight;
        const DrawingPtr other = test::drawingOf(shown.tale, across);
        const auto index = std::make_shared<const SceneIndex>(other);
        const auto scene = test::sceneOf(shown.tale, other, 0, 3, SceneMode::overlay);
        QTest::qWait(210); // not as from a key that is held
        QVERIFY(!shown.view.isSliding());
        shown.view.setScene(scene, index);
        QVERIFY(shown.view.isSliding());
        shown.image();
        QTRY_VERIFY(!shown.view.isSliding());
        const QImage ended = shown.image();
        const qreal zoom = shown.view.zoom();
        const QPointF origin = shown.view.origin();
        shown.view.setScene(nullptr, nullptr);
        shown.view.setScene(scene, index);
        QVERIFY(!shown.view.isSliding());
        shown.view.setPlace(zoom, origin);
        QCOMPARE(shown.image(), ended);

        // A second one at once, a step meanwhile, or the wish for less motion: there is nothing to
        // wait for.
        QTest::qWait(210);
        shown.view.setScene(test::sceneOf(shown.tale, shown.drawing, 0, 3, SceneMode::overlay),
                            shown.index);
        QVERIFY(shown.view.isSliding());
        shown.view.setScene(scene, index);
        QVERIFY(!shown.view.isSliding());
        QTest::qWait(210);
        shown.view.setScene(test::sceneOf(shown.tale, other, 0, 2, SceneMode::overlay), index);
        QVERIFY(!shown.view.isSliding());
        QTest::qWait(210);
        theme().setReducedMotion(true);
        shown.view.setScene(test::sceneOf(shown.tale, shown.drawing, 0, 3, SceneMode::overlay),
                            shown.index);
        QVERIFY(!shown.view.isSliding());
        theme().setReducedMotion(false);
    }

    // A pill with an error covers no text: below the rows of a card, beside a card of one line.
    void errorsStandBesideTheTextOfCards()
    {
        const QRectF box(100, 100, 160, 80);
        const QRectF rows = box.adjusted(card::rowX, card::header, -card::right, -card::foot);
        QVERIFY(!CardPainter::errorPillRect(box, false).intersects(rows));
        QVERIFY(CardPainter::errorPillRect(box, false).intersects(box));
        QVERIFY(!CardPainter::errorPillRect(box, true).intersects(box));
    }

    void toolTipsStandBelowTheirCards()
    {
        Shown shown;
        shown.view.setPlace(1, {0, 0});
        const NodeId conv = shown.tale.node("/layer1/conv1/Conv");
        const QPoint place = shown.view.mapFromGlobal(shown.view.toolTipPlace(shown.at(conv)));
        QVERIFY(place.y() >= shown.view.toView(shown.box(conv).bottomLeft()).y());
    }

    // An output that blocks a fusion is ringed where it stands, and so is a weight on its card.
    void valuesAreRingedAsCulprits()
    {
        Shown shown(0, 0, SceneMode::after);
        shown.view.setPlace(1, {0, 0});
        const Graph& graph = shown.tale.first();
        const NodeId conv = shown.tale.node("/layer1/conv1/Conv");
        const ValueId output = graph.body(graph.mainBody())->outputs.front();
        const ValueId weight = graph.node(conv)->input(1);
        GraphMarks marks;
        marks.candidate = {conv};
        marks.culpritValues = {output, weight};
        shown.view.setMarks(marks);
        const auto ringed = [&](const QRectF& box) {
            shown.view.showMiddle(1, box.center());
            const QPoint left = shown.view.toView({box.left(), box.center().y()}).toPoint();
            for (int dx = -8; dx <= 8; ++dx) {
                if (test::near(shown.image().pixelColor(left + QPoint(dx, 0)), theme().color(Token::blocked)))
                    return true;
            }
            return false;
        };
        for (const DrawItem& item : shown.drawing->items) {
            if (item.kind == DrawItem::Kind::output)
                QVERIFY(ringed(toRect(item.rect)));
        }
        const QRectF card = shown.box(conv);
        QVERIFY(ringed(QRectF(card.left(), card.top() + card::header + card::line + 1, card.width(),
                              card::line)));
        QVERIFY(!ringed(shown.box(shown.tale.node("/layer1/relu/Relu"))));
    }

    void zoomKeepsThePointUnderTheCursor()
    {
        Shown shown;
        for (const QPointF cursor : {QPointF(10, 10), QPointF(400, 300), QPointF(790, 20)}) {
            const QPointF point = shown.view.toDrawing(cursor);
            for (const qreal factor : {1.2, 1.2, 0.5, 3.0, 0.3}) {
                shown.view.setZoom(shown.view.zoom() * factor, cursor);
                const QPointF now = shown.view.toView(point);
                QVERIFY(QLineF(now, cursor).length() <= 2);
            }
        }
        // The wheel with Ctrl zooms there, alone it scrolls.
        const QPointF cursor(300, 200);
        const QPointF point = shown.view.toDrawing(cursor);
        const qreal before = shown.view.zoom();
        QWheelEvent zoom(cursor, shown.view.mapToGlobal(cursor), {}, {0, 120}, Qt::NoButton,
                         Qt::ControlModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&shown.view, &zoom);
        QVERIFY(shown.view.zoom() > before);
        QVERIFY(QLineF(shown.view.toView(point), cursor).length() <= 2);
        const qreal same = shown.view.zoom();
        const QPointF origin = shown.view.origin();
        QWheelEvent scroll(cursor, shown.view.mapToGlobal(cursor), {}, {0, -120}, Qt::NoButton,
                           Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&shown.view, &scroll);
        QCOMPARE(shown.view.zoom(), same);
        QVERIFY(shown.view.origin().y() > origin.y());
    }

    void fitShowsEverything()
    {
        Shown shown;
        shown.view.setPlace(3, {500, 500});
        shown.view.fit();
        const QRectF all(0, 0, shown.drawing->width, shown.drawing->height);
        QVERIFY(shown.view.visibleArea().contains(all));
        QVERIFY(shown.view.minimapRect().isEmpty()); // all is in sight
    }

    void coloursOfCards()
    {
        Shown shown;
        shown.view.setPlace(1, shown.box(shown.tale.whole).topLeft() - QPointF(60, 60));
        QImage picture = shown.image();
        const auto colorAt = [&](const QPointF& point) {
            return picture.pixelColor(shown.view.toView(point).toPoint());
        };
        const QRectF region = shown.box(shown.tale.whole);
        const QColor ground = colorAt({region.right() - 12, region.bottom() - 5});
        QVERIFY2(test::near(ground, theme().color(Token::addedFill)), qPrintable(ground.name()));
        QVERIFY(test::near(colorAt({region.left() + 2, region.center().y()}), theme().color(Category::conv)));
        QVERIFY(test::near(colorAt({region.right(), region.center().y() + 3}), theme().color(Token::added))
                || test::near(colorAt({region.right() - 1, region.center().y() + 3}), theme().color(Token::added)));
        QVERIFY(test::near(colorAt({region.left() - 40, region.top() - 40}), theme().color(Token::canvas)));
        theme().setChoice(ThemeChoice::dark);
        picture = shown.image();
        QVERIFY(test::near(colorAt({region.left() + 2, region.center().y()}), theme().color(Category::conv)));
        QVERIFY(test::near(colorAt({region.left() - 40, region.top() - 40}), theme().color(Token::canvas)));
        theme().setChoice(ThemeChoice::light);
    }

    void levelsOfDetail()
    {
        QCOMPARE(detailAt(1), Detail::full);
        QCOMPARE(detailAt(0.7), Detail::full);
        QCOMPARE(detailAt(0.5), Detail::medium);
        QCOMPARE(detailAt(0.2), Detail::small);
        QCOMPARE(detailAt(0.1), Detail::dot);
        // Nodes never go: at any zoom the card's place has its colour.
        Shown shown(0, 0, SceneMode::after);
        const NodeId conv = shown.tale.node("/layer1/conv1/Conv");
        for (const qreal zoom : {1.0, 0.5, 0.2, 0.08}) {
            shown.view.setPlace(zoom, shown.box(conv).center() - QPointF(400, 300) / zoom);
            const QImage picture = shown.image();
            bool found = false;
            for (int y = 290; y <= 310 && !found; ++y) {
                for (int x = 250; x <= 550 && !found; ++x)
                    found = test::near(picture.pixelColor(x, y), theme().color(Category::conv));
            }
            QVERIFY2(found, qPrintable(QString::number(zoom)));
        }
    }

    void clicksChoose()
    {
        Shown shown(0, 0, SceneMode::after);
        shown.view.fit();
        QSignalSpy nodes(&shown.view, &GraphCanvas::nodeSelected);
        QSignalSpy seconds(&shown.view, &GraphCanvas::secondSelected);
        QSignalSpy opens(&shown.view, &GraphCanvas::openRequested);
        const NodeId conv = shown.tale.node("/layer1/conv1/Conv");
        click(shown.view, shown.at(conv));
        QCOMPARE(nodes.count(), 1);
        QCOMPARE(nodes.front().front().value<NodeId>(), conv);
        click(shown.view, shown.at(shown.tale.node("/layer1/relu/Relu")), Qt::ControlModifier);
        QCOMPARE(seconds.count(), 1);
        click(shown.view, shown.at(shown.tale.node("log"))); // the closed block
        QCOMPARE(opens.count(), 1);
        QVERIFY(opens.front().at(0).toString().startsWith(QLatin1String("folded:")));
        QCOMPARE(opens.front().at(1).toBool(), true);
        click(shown.view, QPoint(3, 3));
        QVERIFY(!nodes.back().front().value<NodeId>());
    }

    void arrowsFollowTheWires()
    {
        Shown shown(0, 0, SceneMode::after);
        GraphMarks marks;
        marks.selected = shown.tale.node("/layer1/conv1/Conv");
        shown.view.setMarks(marks);
        QSignalSpy nodes(&shown.view, &GraphCanvas::nodeSelected);
        QTest::keyClick(&shown.view, Qt::Key_Down);
        QCOMPARE(nodes.count(), 1);
        QCOMPARE(nodes.back().front().value<NodeId>(), shown.tale.node("/layer1/relu/Relu"));
        marks.selected = nodes.back().front().value<NodeId>();
        shown.view.setMarks(marks);
        QTest::keyClick(&shown.view, Qt::Key_Up);
        QCOMPARE(nodes.back().front().value<NodeId>(), shown.tale.node("/layer1/conv1/Conv"));
    }

    void dragsPanSelectAndZoom()
    {
        Shown shown(0, 0, SceneMode::after);
        shown.view.setPlace(1, {-100, -100});
        const QPointF origin = shown.view.origin();
        QTest::mousePress(&shown.view, Qt::LeftButton, {}, {5, 5});
        QTest::mouseMove(&shown.view, {45, 35});
        QTest::mouseRelease(&shown.view, Qt::LeftButton, {}, {45, 35});
        QCOMPARE(shown.view.origin(), origin - QPointF(40, 30));
        shown.view.fit();
        QSignalSpy many(&shown.view, &GraphCanvas::nodesSelected);
        QTest::mousePress(&shown.view, Qt::LeftButton, Qt::ShiftModifier, {1, 1});
        QMouseEvent move(QEvent::MouseMove, QPointF(798, 598), shown.view.mapToGlobal(QPointF(798, 598)),
                         Qt::NoButton, Qt::LeftButton, Qt::ShiftModifier);
        QApplication::sendEvent(&shown.view, &move);
        QTest::mouseRelease(&shown.view, Qt::LeftButton, Qt::ShiftModifier, {798, 598});
        QCOMPARE(many.count(), 1);
        QCOMPARE(many.front().front().value<std::vector<NodeId>>().size(), std::size_t{7});
    }

    void steppingKeepsThePlace()
    {
        Shown shown(0, 1, SceneMode::after);
        shown.view.setPlace(0.9, {10, 20});
        const qreal zoom = shown.view.zoom();
        const QPointF origin = shown.view.origin();
        for (int step = 1; step <= 3; ++step) {
            shown.view.setScene(
                test::sceneOf(shown.tale, shown.drawing, step - 1, step, SceneMode::after), shown.index);
            QCOMPARE(shown.view.zoom(), zoom);
            QCOMPARE(shown.view.origin(), origin);
        }
    }

    // What is opened elsewhere does not carry the selected node away.
    void aNewDrawingKeepsTheSelectedNode()
    {
        Shown shown(0, 0, SceneMode::after);
        GraphMarks marks;
        marks.selected = shown.tale.node("/layer1/Add");
        shown.view.setMarks(marks);
        shown.view.goTo(marks.selected, false);
        const QPointF before = shown.view.toView(shown.box(marks.selected).topLeft());
        DrawingOptions options;
        options.opened = {fmt::format("folded:{}", shown.tale.node("shape").value)};
        const DrawingPtr other = test::drawingOf(shown.tale, options);
        shown.view.setScene(test::sceneOf(shown.tale, other, 0, 0, SceneMode::after),
                            std::make_shared<const SceneIndex>(other));
        const QRectF now =
            toRect(other->items[static_cast<std::size_t>(other->item(marks.selected))].rect);
        QVERIFY(QLineF(shown.view.toView(now.topLeft()), before).length() <= 2);
    }

    void goToCentres()
    {
        Shown shown;
        QVERIFY(shown.view.goTo(shown.tale.whole, false));
        QVERIFY(QLineF(shown.at(shown.tale.whole), QPointF(400, 300)).length() <= 2);
        QVERIFY(!shown.view.goTo(NodeId{9999}, false));
    }

    void traceDims()
    {
        Shown shown(0, 0, SceneMode::after);
        GraphMarks marks;
        marks.selected = shown.tale.node("log");
        marks.selected = shown.tale.node("/layer1/relu/Relu");
        shown.view.setMarks(marks);
        shown.view.setTrace(true);
        QVERIFY(shown.view.marks().traced);
        const auto lit = [&](const char* name) {
            return shown.view.marks().trace[static_cast<std::size_t>(
                       shown.drawing->item(shown.tale.node(name)))] != 0;
        };
        QVERIFY(lit("/layer1/conv1/Conv"));
        QVERIFY(lit("/layer1/Add"));
        QVERIFY(!lit("shape"));
        shown.view.setTrace(false);
        QVERIFY(!shown.view.marks().traced);
    }

    void screenReadersSeeCards()
    {
        Shown shown;
        GraphMarks marks;
        marks.selected = shown.tale.node("shape");
        shown.view.setMarks(marks);
        shown.view.setItemDescription([&](NodeId node) {
            return node == shown.tale.node("shape") ? QStringLiteral("blocked: second reader") : QString();
        });
        const QString name = shown.view.accessibleNameOf(shown.drawing->item(marks.selected));
        QCOMPARE(name, QStringLiteral("Reshape shape, changed at step 3, selected, blocked: second reader"));
        QAccessibleInterface* list = QAccessible::queryAccessibleInterface(&shown.view);
        QVERIFY(list);
        QCOMPARE(list->role(), QAccessible::List);
        QCOMPARE(list->childCount(), static_cast<int>(shown.view.readingOrder().size()));
        bool found = false;
        for (int i = 0; i < list->childCount(); ++i) {
            QAccessibleInterface* child = list->child(i);
            QVERIFY(child && !child->text(QAccessible::Name).isEmpty());
            found = found || child->text(QAccessible::Name) == name;
            QCOMPARE(list->indexOfChild(child), i);
        }
        QVERIFY(found);
    }

    void toolTipsAreWords()
    {
        Shown shown(0, 0, SceneMode::after);
        shown.view.fit();
        const QString tip = shown.view.toolTipAt(shown.box(shown.tale.node("/layer1/conv1/Conv")).center());
        QVERIFY(tip.startsWith(QLatin1String("Conv /layer1/conv1/Conv")));
        QVERIFY(tip.contains(QStringLiteral("1×4×8×8")) || !tip.contains(QLatin1String("gives")));
        QVERIFY(shown.view.toolTipAt({-500, -500}).isEmpty());
    }

    void fitShowsWhatIsVeryTall()
    {
        Shown shown;
        auto tall = std::make_shared<Drawing>(*shown.drawing);
        tall->height = 2e6;
        const auto scene = test::sceneOf(shown.tale, tall, 0, 3, SceneMode::overlay);
        shown.view.setScene(scene, std::make_shared<const SceneIndex>(tall));
        shown.view.fit();
        QVERIFY(shown.view.visibleArea().contains(QRectF(0, 0, tall->width, tall->height)));
        QVERIFY(shown.view.zoom() < 0.001);
        shown.view.setZoom(1e-9, {});
        QVERIFY(shown.view.visibleArea().height() < 2 * tall->height);
    }

    // A new region that holds what it replaces is green from afar, too.
    void whatIsAddedIsSeenFromAfar()
    {
        Shown shown(1, 2);
        shown.view.setPlace(0.12, {0, 0});
        const QRectF box = shown.box(shown.tale.small);
        const QPointF left = shown.view.toView({box.left(), box.center().y()});
        QVERIFY(test::near(shown.image().pixelColor(qRound(left.x() - 5), qFloor(left.y())),
                     theme().color(Token::added)));
    }
};

FUSESCOPE_TEST(GraphCanvasTest, graph_canvas_test)
#include "graph_canvas_test.moc"
