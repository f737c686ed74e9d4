#include "ui/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QSettings>
#include <QTranslator>

namespace fusescope {

namespace {

QString& spoken()
{
    static QString name = QStringLiteral("en");
    return name;
}

} // namespace

QString spokenLanguage()
{
    return spoken();
}

void installTranslations(const QString& language)
{
    const QString mine = QStringLiteral("fusescope-texts");
    for (auto* old : QCoreApplication::instance()->findChildren<QTranslator*>(mine)) {
        QCoreApplication::removeTranslator(old);
        delete old;
    }
    // A batch command speaks English unless asked: its output is read by programs.
    const QLocale asked(language);
    const bool english = language.isEmpty() || asked.language() == QLocale::C;
    const QLocale locale = english ? QLocale(QLocale::English) : asked;
    spoken() = english ? QStringLiteral("en") : locale.name();
    const auto install = [&](const QString& file, const QString& folder) {
        auto* texts = new QTranslator(QCoreApplication::instance());
        texts->setObjectName(mine);
        if (texts->load(locale, file, QStringLiteral("_"), folder))
            QCoreApplication::installTranslator(texts);
    };
    install(QStringLiteral("fusescope"), QStringLiteral(":/i18n"));
    install(QStringLiteral("qt"), QLibraryInfo::path(QLibraryInfo::TranslationsPath));
}

QString chosenLanguage()
{
    const QString chosen = QSettings().value(QStringLiteral("language")).toString();
    return chosen.isEmpty() ? QLocale::system().name() : chosen;
}

} // namespace fusescope
