#include "app/start.h"

#include "app/command_runner.h"
#include "app/interrupt.h"
#include "ui/nearest.h"
#include "ui/raw_text.h"

#include <QApplication>
#include <QFileInfo>
#include <QLocale>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace fusescope {

namespace {

bool asksForHelp(const QString& first)
{
    return first == QLatin1String("--help") || first == QLatin1String("-h") ||
           first == QLatin1String("help");
}

bool asksForVersion(const QString& first)
{
    return first == QLatin1String("--version") || first == QLatin1String("-v");
}

// A word that names no file: what was meant is a command.
bool isUnknownCommand(const QString& first)
{
    static const QString ofPaths = QStringLiteral("./\\:");
    const bool isWord =
        !first.isEmpty() && !first.startsWith(QLatin1Char('-')) &&
        std::none_of(first.begin(), first.end(), [](QChar c) { return ofPaths.contains(c); });
    return isWord && !QFileInfo::exists(first);
}

// The command of arguments that begin with an option.
QString commandAfterOptions(const QStringList& args)
{
    if (!args.value(0).startsWith(QLatin1Char('-')))
        return {};
    const auto at = std::find_if(args.begin(), args.end(), findCommand);
    return at == args.end() ? QString() : *at;
}

// Qt speaks of its own affairs on stderr, which is for our messages.
void dropChatter(QtMsgType type, const QMessageLogContext& context, const QString& text)
{
    if (type == QtDebugMsg || type == QtInfoMsg ||
        text.startsWith(QLatin1String("QStandardPaths:")))
        return;
    std::fprintf(stderr, "%s\n", qUtf8Printable(qFormatLogMessage(type, context, text)));
    if (type == QtFatalMsg)
        std::abort();
}

} // namespace

bool isBatch(const QStringList& args)
{
    const QString first = args.value(0);
    return findCommand(first) || asksForHelp(first) || asksForVersion(first) ||
           isUnknownCommand(first) || !commandAfterOptions(args).isEmpty();
}

int runBatch(int argc, char** argv)
{
    const Interrupt interrupt; // before any other thread
    const QStringList args = argumentsOf(argc, argv);
    const QString first = args.value(0);
    const Command* command = findCommand(first);
    qInstallMessageHandler(dropChatter);
#ifdef __GLIBC__
    // What one thread makes another one frees: a heap of each thread's own only costs time.
    mallopt(M_ARENA_MAX, 1);
#endif
    std::unique_ptr<QCoreApplication> application;
    if (command && command->draws) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        application = std::make_unique<QApplication>(argc, argv);
    } else {
        application = std::make_unique<QCoreApplication>(argc, argv);
    }
    const QString language = languageFrom(args);
    if (const QString wrong = wrongLanguage(language); !wrong.isEmpty())
        return static_cast<int>(refuse(wrong, args));
    installTranslations(language);
    if (command) {
        const ExitStatus status = runCommand(*command, args.mid(1), interrupt.token());
        if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0)
            return static_cast<int>(status);
        std::fprintf(stderr, "fusescope: %s\n",
                     qUtf8Printable(QCoreApplication::translate(
                         "Start", "The answer could not be written to the standard output.")));
        return static_cast<int>(ExitStatus::notWritten);
    }
    if (asksForHelp(first) || asksForVersion(first)) {
        std::printf("%s\n", qUtf8Printable(asksForHelp(first) ? usageText() : versionText()));
        return 0;
    }
    if (const QString later = commandAfterOptions(args); !later.isEmpty())
        return static_cast<int>(
            refuse(QCoreApplication::translate(
                       "Start", "Options stand after the command: fusescope %1 MODEL %2")
                       .arg(later, first),
                   args));
    return static_cast<int>(refuse(
        QCoreApplication::translate("Start", "There is no command or file \"%1\".").arg(first) +
            QStringLiteral(" ") + insteadOf(first, commandNames()),
        args));
}

QString languageFrom(const QStringList& args)
{
    for (qsizetype i = 0; i < args.size(); ++i) {
        if (args[i].startsWith(QLatin1String("--lang=")))
            return args[i].mid(7);
        if (args[i] == QLatin1String("--lang"))
            return args.value(i + 1);
    }
    return {};
}

QString wrongLanguage(const QString& language)
{
    // With a country or an encoding of that country: en_GB, zh_CN.UTF-8.
    const QString name = QString(language)
                             .replace(QLatin1Char('-'), QLatin1Char('_'))
                             .section(QLatin1Char('.'), 0, 0);
    const QString known = name.section(QLatin1Char('_'), 0, 0);
    if (language.isEmpty() || known == QLatin1String("en") || name == QLatin1String("C") ||
        name == QLatin1String("POSIX") || name == QLatin1String("zh") ||
        name == QLatin1String("zh_CN") || name.startsWith(QLatin1String("zh_Hans")))
        return {};
    return QCoreApplication::translate("Start", "There is no language \"%1\": take en or zh_CN.")
        .arg(language);
}

QString versionText()
{
    return QStringLiteral("Fusescope " FUSESCOPE_VERSION);
}

} // namespace fusescope
