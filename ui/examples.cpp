#include "ui/examples.h"

#include "report/reason_code.h"
#include "ui/language.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <map>

namespace fusescope {

namespace {

QString wordsOf(const QJsonValue& value)
{
    if (value.isString())
        return value.toString();
    const QJsonObject byLanguage = value.toObject();
    const QString name = spokenLanguage(); // "zh_CN"
    for (const QString& key : {name, name.section(QLatin1Char('_'), 0, 0), QStringLiteral("en")}) {
        if (byLanguage.contains(key))
            return byLanguage.value(key).toString();
    }
    return {};
}

ExampleGroup groupOf(const QStringList& topics, bool fuses)
{
    using enum ExampleGroup;
    const QString first = topics.value(0);
    const auto has = [&first](std::initializer_list<const char*> parts) {
        return std::ranges::any_of(
            parts, [&](const char* part) { return first.contains(QLatin1String(part)); });
    };
    if (!fuses) {
        if (has({"consumer", "graph-output", "capture", "public-name", "read-by-body"}))
            return readers;
        if (has({"initializer", "constant", "weight", "external", "finite", "quantized", "ir3"}))
            return constants;
        if (has({"between", "cycle", "shift", "pad", "operand-order", "bounds", "cover"}))
            return between;
        if (has({"channel", "broadcast", "shape", "type", "tensor", "rank", "dimension", "axis", "cast"}))
            return shapes;
        return modes;
    }
    if (topics.size() >= 4 && !first.startsWith(QLatin1String("fold-")))
        return whole;
    if (has({"conv", "pad-", "batchnorm-chain"}))
        return convolutions;
    if (has({"matmul", "gemm", "attention"}))
        return products;
    if (has({"normalization", "gelu", "silu", "swish", "mish", "activation", "elementwise"}))
        return activations;
    return cleanUp;
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
        QStringList topics;
        for (const QJsonValue& topic : row.value(QStringLiteral("topics")).toArray())
            topics << topic.toString();
        const QString first = topics.value(0);
        example.fuses = !reasonFromId(first.toStdString());
        example.cards =
            row.value(QStringLiteral("layout")).toString().split(QLatin1Char(' '), Qt::SkipEmptyParts);
        example.group = groupOf(topics, example.fuses);
        if (QFile::exists(example.resource))
            list << example;
    }
    return list;
}

} // namespace

QString nameOf(ExampleGroup group)
{
    const auto words = [](const char* text) { return QCoreApplication::translate("Examples", text); };
    switch (group) {
    case ExampleGroup::whole:
        return words(QT_TRANSLATE_NOOP("Examples", "Whole models"));
    case ExampleGroup::convolutions:
        return words(QT_TRANSLATE_NOOP("Examples", "Fusions: convolution"));
    case ExampleGroup::products:
        return words(QT_TRANSLATE_NOOP("Examples", "Fusions: matrix product"));
    case ExampleGroup::activations:
        return words(QT_TRANSLATE_NOOP("Examples", "Fusions: normalization and activation"));
    case ExampleGroup::cleanUp:
        return words(QT_TRANSLATE_NOOP("Examples", "Folding and clean-up"));
    case ExampleGroup::readers:
        return words(QT_TRANSLATE_NOOP("Examples", "Blocked: read elsewhere"));
    case ExampleGroup::constants:
        return words(QT_TRANSLATE_NOOP("Examples", "Blocked: constants and weights"));
    case ExampleGroup::between:
        return words(QT_TRANSLATE_NOOP("Examples", "Blocked: something in between"));
    case ExampleGroup::shapes:
        return words(QT_TRANSLATE_NOOP("Examples", "Blocked: shapes and types"));
    case ExampleGroup::modes:
        return words(QT_TRANSLATE_NOOP("Examples", "Blocked: modes and versions"));
    }
    return {};
}

const QList<Example>& examples()
{
    static QString language;
    static QList<Example> list;
    if (list.isEmpty() || language != spokenLanguage()) {
        language = spokenLanguage();
        list = read();
    }
    return list;
}

} // namespace fusescope
