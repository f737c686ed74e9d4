#include <QDir>
#include <QPainter>

#include "support/test_class.h"
#include "ui/theme/badges.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

using namespace fusescope;

// Draws every icon and sign on one sheet per theme. With FUSESCOPE_PICTURES naming a folder, the
// sheets are saved there for people to look at.
class IconsTest : public QObject
{
    Q_OBJECT

private:
    static QImage sheet()
    {
        const QStringList files = QDir(QStringLiteral(":/icons")).entryList();
        constexpr int columns = 10;
        constexpr QSize cell(98, 62);
        const auto rows = (static_cast<int>(files.size()) + columns - 1) / columns + 2;
        QImage image(QSize(columns * cell.width(), rows * cell.height()) * 2,
                     QImage::Format_ARGB32_Premultiplied);
        image.setDevicePixelRatio(2);
        image.fill(theme().color(Token::base));
        QPainter painter(&image);
        painter.setFont(theme().font(TextScale::badge));
        const auto box = [&](int index) {
            return QRect(QPoint(index % columns * cell.width(), index / columns * cell.height()),
                         cell);
        };
        int index = 0;
        for (const QString& file : files) {
            const QRect area = box(index++);
            const QString name = file.chopped(4);
            const QIcon made =
                name == QLatin1String("fusescope") ? applicationIcon() : icon(name);
            made.paint(&painter, QRect(area.left() + 8, area.top() + 14, 16, 16));
            made.paint(&painter, QRect(area.left() + 36, area.top() + 6, 32, 32));
            painter.setPen(theme().color(Token::text2));
            painter.drawText(area.adjusted(2, 42, -2, 0), Qt::AlignLeft, name);
        }
        index = (index + columns - 1) / columns * columns;
        for (int i = 0; i < static_cast<int>(Category::count); ++i)
            icon(Category(i)).paint(&painter, QRect(box(index++).topLeft() + QPoint(8, 8),
                                                    QSize(26, 26)));
        int x = 8;
        const int y = box(index).top() + 8;
        for (int i = 1; i <= static_cast<int>(Mark::predicted); ++i, x += 26)
            paintMark(painter, QRectF(x, y, 18, 18), Mark(i));
        paintOctagon(painter, QPointF(x + 9, y + 9), octagonSide, true);
        paintOctagon(painter, QPointF(x + 32, y + 9), octagonSmall);
        x += 48;
        for (int i = 0; i < 6; ++i) {
            const Pill pill{QString::number(i * 7), Tone(i),
                            i == 5 ? Mark::blocked : Mark::none};
            const QRectF covered = paintPill(painter, QRectF(x, y, 90, 18), pill,
                                             theme().font(TextScale::badge, true));
            x += static_cast<int>(covered.width()) + 6;
        }
        return image;
    }

private Q_SLOTS:
    void initTestCase() { theme().install(); }

    void sheets()
    {
        QList<QImage> images;
        for (const ThemeChoice choice : {ThemeChoice::light, ThemeChoice::dark}) {
            theme().setChoice(choice);
            images.append(sheet());
            const QByteArray folder = qgetenv("FUSESCOPE_PICTURES");
            if (!folder.isEmpty())
                QVERIFY(images.last().save(
                    QDir(QString::fromLocal8Bit(folder))
                        .filePath(choice == ThemeChoice::dark ? QStringLiteral("icons-dark.png")
                                                              : QStringLiteral("icons-light.png"))));
        }
        QCOMPARE(images[0].size(), images[1].size());
        QVERIFY(images[0] != images[1]);
        theme().setChoice(ThemeChoice::light);
    }
};

FUSESCOPE_TEST(IconsTest, icons_test)
#include "icons_test.moc"
