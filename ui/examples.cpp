#include "ui/examples.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>

namespace fusescope {

namespace {

QString wordsOf(const QJsonValue& value)
{
    if (value.isString())
        return value.toString();
    const QJsonObject byLanguage = value.toObject();
    const QString name = QLocale().name(); // "zh_CN"
    for (const QString& key : {name, name.section(QLatin1Char('_'), 0, 0), QStringLiteral("en")}) {
        if (byLanguage.contains(key))
            return byLanguage.value(key).toString();
    }
    return {};
}

QList<Example> read()
{
    QList<Example> list;
    QFile file(QStringLiteral(":/examples/index.json"));
    if (!file.open(QIODevice::ReadOnly))
        return list;
    const QJsonDocument document = QJsonDocument::fromJson(file.readAll());
    const QJsonArray rows = document.isArray()
                                ? document.array()
                                : document.object().value(QStringLiteral("examples")).toArray();
    for (const QJsonValue& value : rows) {
        const QJsonObject row = value.toObject();
        Example example;
        example.resource = QStringLiteral(":/examples/") + row.value(QStringLiteral("file")).toString();
        example.title = wordsOf(row.value(QStringLiteral("title")));
        example.text = wordsOf(row.value(QStringLiteral("text")));
        example.kind = row.value(QStringLiteral("kind")).toString();
        example.layout = row.value(QStringLiteral("layout")).toString();
        if (QFile::exists(example.resource))
            list << example;
    }
    return list;
}

} // namespace

const QList<Example>& examples()
{
    static const QList<Example> list = read();
    return list;
}

} // namespace fusescope
