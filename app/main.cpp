#include "app/command_runner.h"
#include "app/interrupt.h"
#include "app/start.h"

#include <QCoreApplication>

#include <cstdio>
#include <cstring>

using namespace fusescope;

int main(int argc, char** argv)
{
    const QString first = argc > 1 ? QString::fromLocal8Bit(argv[1]) : QString();
    const Command* command = findCommand(first);
    const bool needsPainter = command && (first == QLatin1String("layout") ||
                                          first == QLatin1String("render") ||
                                          first == QLatin1String("report"));
    if (!command && first != QLatin1String("--help") && first != QLatin1String("--version"))
        return runWindow(argc, argv);
    const Interrupt interrupt;
    const auto application = makeBatchApplication(argc, argv, needsPainter);
    const QStringList args = QCoreApplication::arguments();
    installTranslations(languageFrom(args));
    if (!command) {
        std::printf("%s\n", qUtf8Printable(first == QLatin1String("--version") ? versionText()
                                                                               : usageText()));
        return 0;
    }
    return static_cast<int>(runCommand(*command, args.mid(2), interrupt.token()));
}
