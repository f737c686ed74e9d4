#include "support/test_class.h"
#include "ui/actions.h"
#include "ui/open_model.h"
#include "ui/recent_files.h"
#include "ui/settings_folder.h"
#include "ui/start/example_card.h"
#include "ui/start/recent_row.h"
#include "ui/start/start_page.h"
#include "ui/theme/theme.h"

#include <QFile>
#include <QSignalSpy>
#include <QToolButton>

using namespace fusescope;
using namespace fusescope::test;

class StartPageTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<SettingsFolder> m_settings;
    QTemporaryDir m_folder;

    QString touch(const QString& name) const
    {
        const QString path = m_folder.path() + QLatin1Char('/') + name;
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write("12345") == 5 ? path : QString();
    }

private Q_SLOTS:
    void initTestCase() { theme().install(); }
    void init() { m_settings = std::make_unique<SettingsFolder>(); }

    void remembersTheNewestFirst()
    {
        RecentFiles recent;
        QVERIFY(recent.files().isEmpty());
        for (int i = 0; i < RecentFiles::most + 3; ++i)
            recent.add(touch(QStringLiteral("f%1.onnx").arg(i)));
        const auto files = RecentFiles().files();
        QCOMPARE(files.size(), RecentFiles::most);
        QVERIFY(files.front().path.endsWith(QStringLiteral("f11.onnx")));
        QCOMPARE(files.front().bytes, 5);
        QCOMPARE(files.front().blocked, -1);
        recent.add(files[4].path);
        QCOMPARE(recent.files().front().path, files[4].path);
        QCOMPARE(recent.files().size(), RecentFiles::most);
    }

    void keepsVerdicts()
    {
        RecentFiles recent;
        const QString path = touch(QStringLiteral("v.onnx"));
        recent.add(path);
        recent.setBlocked(path, 6);
        recent.setDiffers(path, true);
        recent.add(path); // opened again: the last verdict stands until there is a new one
        QCOMPARE(recent.files().front().blocked, 6);
        QVERIFY(recent.files().front().differs);
        recent.remove(path);
        QVERIFY(recent.files().isEmpty());
    }

    void brokenSettingsDoNoHarm()
    {
        QSettings().setValue(QStringLiteral("x"), 1);
        QSettings().sync();
        QFile file(m_settings->file());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("\x01\x02[recent\n1\\path=@Invalid(\nsize=99999999\n=\n[[[");
        file.close();
        RecentFiles recent;
        QVERIFY(recent.files().size() <= RecentFiles::most);
        recent.add(touch(QStringLiteral("after.onnx")));
        QVERIFY(!recent.files().isEmpty());
    }

    void showsRecentFilesAndSaysWhichWasChosen()
    {
        RecentFiles recent;
        const QString here = touch(QStringLiteral("模型 v2 & <b>.onnx"));
        const QString gone = touch(QStringLiteral("gone.onnx"));
        recent.add(here);
        recent.add(gone);
        QVERIFY(QFile::remove(gone));
        Actions actions(nullptr);
        StartPage page(actions, recent);
        page.resize(1000, 700);
        page.show();
        QCOMPARE(page.recentRows().size(), 2);
        QSignalSpy chosen(&page, &StartPage::fileChosen);
        page.recentRows()[0]->click(); // it is gone: nothing to open
        QCOMPARE(chosen.size(), 0);
        page.recentRows()[1]->click();
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toString(), here);
        QVERIFY(!page.grab().isNull());

        auto* remove = page.recentRows()[0]->findChild<QToolButton*>();
        QVERIFY(remove);
        remove->click();
        QVERIFY(QTest::qWaitFor([&] { return page.recentRows().size() == 1; }));
        QCOMPARE(page.recentRows()[0]->file().path, here);
    }

    // A long folder is cut in its middle and has its ends; what is left out stands in the tooltip.
    void longFoldersAreCutInTheMiddle()
    {
        RecentFile file;
        file.path = QStringLiteral("/first/") + QString(60, u'x') + QStringLiteral("/last/net.onnx");
        file.bytes = 426;
        file.exists = true;
        const RecentRow row(file, 1);
        const QFontMetrics metrics(theme().font(TextScale::small));
        const QString wide = row.details(2000);
        QVERIFY(wide.startsWith(QStringLiteral("/first/xxx")));
        QVERIFY2(wide.endsWith(QStringLiteral("/last · 426 B")), qPrintable(wide));
        const QString narrow = row.details(150);
        QVERIFY2(narrow.startsWith(QStringLiteral("/fi")) && narrow.endsWith(QStringLiteral("st"))
                     && narrow.contains(u'…'), qPrintable(narrow));
        QVERIFY(metrics.horizontalAdvance(narrow) <= 150);
        QVERIFY(row.toolTip().contains(QStringLiteral("/last/net.onnx")));
        QVERIFY2(row.toolTip().contains(QStringLiteral("426")), qPrintable(row.toolTip()));
    }

    // What the index says, not what the name of a rule lets guess.
    void thumbnailsFollowTheirLayout()
    {
        const auto& all = examples();
        const auto found = std::ranges::find_if(all, [](const Example& example) {
            return example.resource.endsWith(QStringLiteral("/merge-parallel-conv.onnx"));
        });
        QVERIFY(found != all.end());
        QCOMPARE(found->cards, (QStringList{QStringLiteral("-conv|-conv"), QStringLiteral("+conv")}));
        for (const Example& example : all)
            QVERIFY2(!example.cards.isEmpty(), qPrintable(example.resource));
    }

    void everyCardHasAName()
    {
        RecentFiles recent;
        Actions actions(nullptr);
        StartPage page(actions, recent);
        for (const ExampleCard* card : page.exampleCards())
            QVERIFY(!card->accessibleName().isEmpty());
        for (const auto* button : page.findChildren<QAbstractButton*>())
            QVERIFY2(!button->accessibleName().isEmpty() || !button->text().isEmpty(),
                     button->metaObject()->className());
    }
};

FUSESCOPE_TEST(StartPageTest, start_page_test)
#include "start_page_test.moc"
