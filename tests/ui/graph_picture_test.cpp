#include "graph_fixture.h"
#include "ui/graph/graph_picture.h"
#include "ui/graph/scene_painter.h"
#include "ui/theme/theme.h"

#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QTemporaryDir>

#include <thread>

using namespace fusescope;

namespace {

// What is drawn of a residual block's first three steps.
std::shared_ptr<const GraphScene> overlay()
{
    const test::ResidualTale tale;
    return test::sceneOf(tale, test::drawingOf(tale), 0, 3, SceneMode::overlay);
}

// Conv, BatchNormalization and Relu, and the BatchNormalization goes.
struct FoldTale : test::Tale
{
    FoldTale()
        : Tale(R"(<ir_version: 8, opset_import: ["" : 17]>
            g (float[1, 2, 4, 4] x) => (float[1, 2, 4, 4] y)
            <float[2, 2, 1, 1] W = {1, 2, 3, 4}, float[2] s = {1, 2}>
            { [conv] c = Conv (x, W)
              [bn] b = BatchNormalization (c, s, s, s, s)
              [relu] y = Relu (b) })")
    {
        step(node("bn"), Stage::fusion, [this](PatchBuilder& b) {
            const Node& bn = *b.node(node("bn"));
            b.rewire(bn.output(0), bn.input(0));
            b.removeNode(node("bn"));
        });
    }
};

} // namespace

// Pictures of the graph as files: SVG, PDF and PNG.
class GraphPictureTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        theme().install();
        theme().setChoice(ThemeChoice::light);
    }

    void pictures()
    {
        QTemporaryDir folder;
        const auto scene = overlay();
        for (const char* name : {"g.svg", "g.pdf", "g.png"}) {
            const QString path = folder.filePath(QString::fromLatin1(name));
            const auto written = writePicture(path, scene);
            QVERIFY(written.has_value());
            QVERIFY(QFileInfo(path).size() > 1000);
        }
        const QImage image(folder.filePath(QStringLiteral("g.png")));
        QCOMPARE(image.size(), (pictureSize(*scene) * 2).toSize());
        QVERIFY(!writePicture(folder.filePath(QStringLiteral("g.bmp")), scene));
        QVERIFY(!writePicture(QStringLiteral("/nowhere/at/all.png"), scene));
    }

    // The drawing keeps a place for what has gone; a wire does not go round it.
    void wiresGoStraightWhereNothingStands()
    {
        const FoldTale tale;
        const auto drawing = test::drawingOf(tale);
        const auto scene = test::sceneOf(tale, drawing, 0, 1, SceneMode::after);
        QImage image(QSize(int(drawing->width) + 1, int(drawing->height) + 1), QImage::Format_RGB32);
        image.fill(theme().color(Token::canvas));
        {
            QPainter painter(&image);
            ScenePainter scenes(CardFonts::current());
            scenes.setScene(scene, std::make_shared<const SceneIndex>(drawing));
            scenes.paint(painter, QRectF(image.rect()), 1, {}, {});
        }
        const auto rect = [&](const char* name) {
            return toRect(drawing->items[std::size_t(scene->visibleItem(tale.node(name)))].rect);
        };
        const QRectF conv = rect("conv"), relu = rect("relu");
        QVERIFY(conv.bottom() + 8 < relu.top());
        const auto drawn = [&](const QPointF& p) {
            return !test::near(image.pixelColor(p.toPoint()), theme().color(Token::canvas));
        };
        // The middle of the later card, as far as the earlier one reaches.
        const qreal middle = std::min(relu.center().x(), conv.right() - 8);
        bool straight = false;
        for (int x = -2; x <= 2; ++x)
            straight = straight || drawn({middle + x, relu.top() - 12});
        QVERIFY(straight);
        bool around = false;
        for (qreal y = conv.top() + 2; y < relu.top() - 20; ++y)
            around = around || drawn({conv.right() + 8, y});
        QVERIFY(!around);
    }

    // The window goes on while a picture is made.
    void picturesAreMadeInAnyThread()
    {
        QTemporaryDir folder;
        const auto scene = overlay();
        for (const char* name : {"here.png", "here.svg"}) {
            const QString here = folder.filePath(QString::fromLatin1(name));
            const QString there = folder.filePath(QStringLiteral("there.%1").arg(QFileInfo(here).suffix()));
            QVERIFY(writePicture(here, scene).has_value());
            bool written = false;
            const PictureLook look;
            std::thread([&] { written = writePicture(there, scene, look).has_value(); }).join();
            QVERIFY(written);
            if (here.endsWith(QLatin1String("png"))) {
                QCOMPARE(QImage(there), QImage(here));
            } else {
                QFile one(here);
                QFile two(there);
                QVERIFY(one.open(QIODevice::ReadOnly) && two.open(QIODevice::ReadOnly));
                QCOMPARE(two.readAll().size() > 1000, true);
                QVERIFY(one.size() > 1000);
            }
        }
        // A change of the theme meanwhile does not reach it.
        PictureLook dark;
        dark.scheme = Scheme::dark;
        dark.scale = 1;
        const QString path = folder.filePath(QStringLiteral("dark.png"));
        QVERIFY(writePicture(path, scene, dark).has_value());
        QVERIFY(test::near(QImage(path).pixelColor(2, 2), colorsOf(Scheme::dark).of(Token::canvas)));
        QVERIFY(!theme().dark());
    }

    void stoppedPicturesLeaveTheFile()
    {
        QTemporaryDir folder;
        const auto scene = overlay();
        for (const char* name : {"g.svg", "g.pdf", "g.png"}) {
            const QString path = folder.filePath(QString::fromLatin1(name));
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write("kept") == 4);
            file.close();
            std::stop_source stop;
            stop.request_stop();
            const auto written = writePicture(path, scene, {}, stop.get_token());
            QVERIFY(!written && written.error().code == ErrorCode::cancelled);
            QCOMPARE(QFileInfo(path).size(), 4);
        }
        // Asked for while it paints.
        std::stop_source stop;
        double most = 0;
        const auto written = writePicture(
            folder.filePath(QStringLiteral("h.svg")), scene, {}, stop.get_token(),
            Progress{[&](double done, const Message&) {
                most = std::max(most, done);
                stop.request_stop();
            }});
        QVERIFY(!written);
        QVERIFY(most > 0);
        QVERIFY(!QFileInfo::exists(folder.filePath(QStringLiteral("h.svg"))));
    }

    void picturesStayWithinThePainter()
    {
        QCOMPARE(pngScale({1000, 800}, 2), 2.0);
        // A chain of 1,500 nodes: long, but its pixels are few.
        const qreal tall = pngScale({300, 100000}, 2);
        QVERIFY(tall < 1 && 100000 * tall <= 32767 && 100000 * tall > 32000);
        const qreal wide = pngScale({30000, 30000}, 1);
        QVERIFY(30000.0 * wide * 30000.0 * wide <= 1.2e8 + 1);
    }
};

FUSESCOPE_TEST(GraphPictureTest, graph_picture_test)
#include "graph_picture_test.moc"
