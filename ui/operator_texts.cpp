#include "ui/operator_texts.h"

#include "ui/language.h"

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
    const auto view = [](std::string_view text) {
        return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    };
    return sentences.value(view(schema.name)).toString(view(schema.description));
}

} // namespace fusescope
