#include "app/start.h"

#include "app/exit_status.h"
#include "ui/dialogs/settings_dialog.h"
#include "ui/main_window.h"
#include "ui/raw_text.h"
#include "ui/retired.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QSettings>

#include <cstdio>
#include <cstdlib>

namespace fusescope {

namespace {

constexpr int patience = 2000; // ms for what was stopped to end
constexpr auto wrongUsage = static_cast<int>(ExitStatus::wrongUsage);

// Qt ends the program when it finds no display; this says so in a sentence first.
bool hasDisplay(int argc, char** argv)
{
#if defined(Q_OS_UNIX) && !defined(Q_OS_MACOS)
    for (int i = 1; i < argc; ++i) {
        const QByteArrayView argument(argv[i]);
        if (argument == "-platform" || argument == "--platform")
            return true;
    }
    return !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM") || !qEnvironmentVariableIsEmpty("DISPLAY") ||
           !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
#else
    return true;
#endif
}

void setMetadata()
{
    QCoreApplication::setOrganizationName(QStringLiteral("fusescope"));
    QCoreApplication::setApplicationName(QStringLiteral("fusescope"));
    QCoreApplication::setApplicationVersion(QStringLiteral(FUSESCOPE_VERSION));
    QGuiApplication::setApplicationDisplayName(QString());
    QGuiApplication::setDesktopFileName(QStringLiteral("io.github.fusescope.Fusescope"));
}

ThemeChoice savedTheme()
{
    const int saved = QSettings().value(QStringLiteral("theme"), 0).toInt();
    return saved >= 0 && saved <= static_cast<int>(ThemeChoice::highContrast)
               ? static_cast<ThemeChoice>(saved)
               : ThemeChoice::system;
}

} // namespace

int runWindow(int argc, char** argv)
{
    if (!hasDisplay(argc, argv)) {
        std::fprintf(stderr, "fusescope: there is no display for a window; "
                             "\"fusescope --help\" lists what works without one.\n");
        return wrongUsage;
    }
    QGuiApplication::setHighDpiScaleFactorRoundingPolicy(
        Qt::HighDpiScaleFactorRoundingPolicy::PassThrough);
    const QApplication application(argc, argv);
    setMetadata();

    QCommandLineParser parser;
    parser.setOptionsAfterPositionalArgumentsMode(QCommandLineParser::ParseAsOptions);
    const QCommandLineOption language(QStringLiteral("lang"),
                                      QCoreApplication::translate("Start", "Language of the window."),
                                      QStringLiteral("LANGUAGE"));
    parser.addOption(language);
    // What Qt has left of the arguments, byte for byte.
    if (!parser.parse(QStringList{QStringLiteral("fusescope")} + argumentsOf(argc, argv))) {
        std::fprintf(stderr, "fusescope: %s\n", qUtf8Printable(parser.errorText()));
        return wrongUsage;
    }
    QString chosen = parser.value(language);
    if (const QString wrong = wrongLanguage(chosen); !wrong.isEmpty()) {
        std::fprintf(stderr, "fusescope: %s\n", qUtf8Printable(wrong));
        return wrongUsage;
    }
    if (chosen.isEmpty())
        chosen = chosenLanguage();
    installTranslations(chosen);

    theme().install();
    theme().setChoice(savedTheme());
    theme().setReducedMotion(SettingsDialog::reduceMotion());
    QGuiApplication::setWindowIcon(applicationIcon());
    auto* window = new MainWindow;
    window->show();
    window->openFiles(parser.positionalArguments());
    const int status = QApplication::exec();
    // The windows are closed; what does not hear that it was stopped is not waited for.
    if (!waitForRetired(patience)) {
        QSettings().sync();
        std::_Exit(status);
    }
    return status;
}

} // namespace fusescope
