#include "support/test_class.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>

namespace {

const auto folder = QStringLiteral(FUSESCOPE_SOURCE_DIR "/resources/desktop/");
const auto application = QStringLiteral("io.github.fusescope.Fusescope");

QString contentsOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

// The tools are in .ci/packages; without them nothing was checked, so that is a failure.
class DesktopFilesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theToolsFindNothingWrong_data()
    {
        QTest::addColumn<QStringList>("command");
        QTest::newRow("desktop file") << QStringList{QStringLiteral("desktop-file-validate"),
                                                     folder + application + QStringLiteral(".desktop")};
        QTest::newRow("metainfo") << QStringList{QStringLiteral("appstreamcli"),
                                                 QStringLiteral("validate"), QStringLiteral("--no-net"),
                                                 folder + application + QStringLiteral(".metainfo.xml")};
    }

    void theToolsFindNothingWrong()
    {
        QFETCH(QStringList, command);
        const QString program = QStandardPaths::findExecutable(command.takeFirst());
        QVERIFY2(!program.isEmpty(), "the tool is not installed; .ci/packages names its package");
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(program, command);
        QVERIFY(process.waitForFinished(30'000));
        const QByteArray said = process.readAll();
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QVERIFY2(process.exitCode() == 0, said);
        QVERIFY2(!said.contains("error") && !said.contains("warning:"), said);
    }

    void allNameTheSameApplication()
    {
        const QString desktop = contentsOf(folder + application + QStringLiteral(".desktop"));
        const QString metainfo = contentsOf(folder + application + QStringLiteral(".metainfo.xml"));
        QVERIFY(desktop.contains(QStringLiteral("\nIcon=%1\n").arg(application)));
        QVERIFY(metainfo.contains(QStringLiteral("<id>%1</id>").arg(application)));
        QVERIFY(metainfo.contains(QStringLiteral(">%1.desktop</launchable>").arg(application)));
        // The window's name for its desktop file, by which a desktop finds the icon.
        QVERIFY(contentsOf(QStringLiteral(FUSESCOPE_SOURCE_DIR "/app/start_window.cpp"))
                    .contains(application));
        QVERIFY(contentsOf(QStringLiteral(FUSESCOPE_SOURCE_DIR "/resources/CMakeLists.txt"))
                    .contains(application));
    }
};

FUSESCOPE_TEST(DesktopFilesTest, desktop_files_test)
#include "desktop_files_test.moc"
