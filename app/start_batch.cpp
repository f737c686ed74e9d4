#include "app/start.h"

#include <QApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

namespace fusescope {

std::unique_ptr<QCoreApplication> makeBatchApplication(int& argc, char** argv, bool painter)
{
    if (!painter)
        return std::make_unique<QCoreApplication>(argc, argv);
    qputenv("QT_QPA_PLATFORM", "offscreen");
    return std::make_unique<QApplication>(argc, argv);
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

QString versionText()
{
    return QStringLiteral("Fusescope " FUSESCOPE_VERSION);
}

} // namespace fusescope
