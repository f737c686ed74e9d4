// needs: models
// label: slow
#include "support/test_class.h"
#include "ui/app_state.h"
#include "ui/retired.h"
#include "ui/settings_folder.h"
#include "ui/theme/theme.h"

#include <QDirIterator>

using namespace fusescope;
using namespace fusescope::test;

// One window, all odd files one after the other, each opened while the passes of the last still run.
class OddFilesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneAfterTheOtherInOneWindow()
    {
        const SettingsFolder settings;
        theme().install();
        QStringList files;
        QDirIterator each(QStringLiteral(FUSESCOPE_MODELS "/odd"), {QStringLiteral("*.onnx")},
                          QDir::Files, QDirIterator::Subdirectories);
        while (each.hasNext())
            files << each.next();
        files.sort();
        QVERIFY(files.size() > 20);
        AppState state;
        int opened = 0;
        for (const QString& file : files) {
            const auto before = state.session();
            const std::size_t messages = state.log().size();
            bool ended = false;
            const auto connection =
                connect(&state.jobs(), &Jobs::finished, this, [&ended](JobKind kind) {
                    ended = ended || kind == JobKind::open;
                });
            state.open(file);
            QTRY_VERIFY2_WITH_TIMEOUT(ended, qPrintable(file), 60000);
            disconnect(connection);
            if (state.session() != before) {
                ++opened;
                QCOMPARE(state.title(), QFileInfo(file).fileName());
                continue;
            }
            // One clear error, and what was open stays.
            QVERIFY2(state.log().size() == messages + 1, qPrintable(file));
            QCOMPARE(state.log().back().level, NoticeLevel::error);
            QVERIFY(!state.log().back().text.isEmpty());
            QCOMPARE(state.hasModel(), before != nullptr);
        }
        QVERIFY(opened > files.size() / 2);
        state.close();
        QVERIFY(waitForRetired(60000));
    }
};

FUSESCOPE_TEST(OddFilesTest, odd_files_test)
#include "odd_files_test.moc"
