#include "ui/panels/operator_texts.h"

#include "ui/language.h"
#include "ui/panels/panel_parts.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

namespace fusescope {

namespace {

// By the names of the operators; empty for English, whose sentences are those of the schemas.
QJsonObject sentencesOf(const QString& language)
{
    QFile file(QStringLiteral(":/operators/%1.json").arg(language));
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object()
                                          : QJsonObject();
}

} // namespace

QString operatorText(const OpSchema& schema)
{
    static QString language;
    static QJsonObject sentences;
    if (const QString spoken = spokenLanguage(); spoken != language) {
        language = spoken;
        sentences = sentencesOf(language);
    }
    return sentences.value(parts::str(schema.name)).toString(parts::str(schema.description));
}

} // namespace fusescope
