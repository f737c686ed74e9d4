#include "ui/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QSettings>
#include <QTranslator>

namespace fusescope {

namespace {

// Keys are named as they are engraved, in menus as in sentences: Qt translates some of them.
class KeyNames final : public QTranslator
{
public:
    using QTranslator::QTranslator;
    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* source, const char*, int) const override
    {
        return qstrcmp(context, "QShortcut") == 0 ? QString::fromUtf8(source) : QString();
    }
};

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
    auto* keys = new KeyNames(QCoreApplication::instance());
    keys->setObjectName(mine);
    QCoreApplication::installTranslator(keys); // the last one is asked first
}

QString chosenLanguage()
{
    const QString chosen = QSettings().value(QStringLiteral("language")).toString();
    return chosen.isEmpty() ? QLocale::system().name() : chosen;
}

} // namespace fusescope
