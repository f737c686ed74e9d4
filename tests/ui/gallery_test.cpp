#include <QDir>
#include <QWidget>

#include "gallery.h"
#include "support/test_class.h"
#include "ui/theme/theme.h"

using namespace fusescope;

// Shows every widget in every theme. With FUSESCOPE_PICTURES naming a folder the sheets are saved
// there, two pixels to one.
class GalleryTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { theme().install(); }
    void cleanupTestCase() { theme().setChoice(ThemeChoice::light); }

    void everyWidgetHasAName()
    {
        const auto gallery = makeGallery();
        for (const QWidget* widget : gallery->findChildren<QWidget*>()) {
            const bool ours = QByteArray(widget->metaObject()->className()).startsWith("fusescope::");
            if (ours && widget->focusPolicy() != Qt::NoFocus)
                QVERIFY2(!widget->accessibleName().isEmpty(), widget->metaObject()->className());
        }
    }

    void sheets()
    {
        const auto gallery = makeGallery();
        gallery->show();
        QTest::qWait(1100); // so that the progress bar shows
        const struct
        {
            ThemeChoice choice;
            const char* name;
        } rows[] = {{ThemeChoice::light, "gallery-light.png"},
                    {ThemeChoice::dark, "gallery-dark.png"},
                    {ThemeChoice::highContrast, "gallery-contrast.png"}};
        QList<QRgb> corners;
        for (const auto& row : rows) {
            theme().setChoice(row.choice);
            QPixmap sheet(gallery->size() * 2);
            sheet.setDevicePixelRatio(2);
            gallery->render(&sheet);
            corners.append(sheet.toImage().pixel(2, 2));
            QCOMPARE(QColor(corners.last()), theme().color(Token::window));
            const QByteArray folder = qgetenv("FUSESCOPE_PICTURES");
            if (!folder.isEmpty())
                QVERIFY(sheet.save(QDir(QString::fromLocal8Bit(folder))
                                       .filePath(QString::fromLatin1(row.name))));
        }
    }
};

FUSESCOPE_TEST(GalleryTest, gallery_test)
#include "gallery_test.moc"
