#include "model/schema.h"
#include "support/test_class.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <climits>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace fusescope;

namespace {

QString text(std::string_view value)
{
    return QString::fromUtf8(value.data(), static_cast<qsizetype>(value.size()));
}

QJsonObject readJson(const char* name)
{
    QFile file(QStringLiteral(FUSESCOPE_SOURCE_DIR "/core/model/schemas/") + name);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QJsonDocument::fromJson(file.readAll()).object();
}

QJsonArray toJson(std::span<const std::string_view> values)
{
    QJsonArray result;
    for (const std::string_view value : values)
        result.append(text(value));
    return result;
}

QJsonArray toJson(std::span<const FormalParameter> parameters)
{
    QJsonArray result;
    for (const FormalParameter& parameter : parameters) {
        QJsonObject object{{"name", text(parameter.name)}, {"type", text(parameter.typeName)}};
        if (parameter.option == ParamOption::optional)
            object["option"] = "optional";
        if (parameter.option == ParamOption::variadic)
            object["option"] = "variadic";
        if (!parameter.homogeneous)
            object["homogeneous"] = false;
        if (parameter.minArity != 1)
            object["min_arity"] = parameter.minArity;
        result.append(object);
    }
    return result;
}

// The default of a schema's attribute as JSON. Floats are widened: two of them are equal if and
// only if the numbers of the file, rounded to single precision, are.
QJsonValue toJson(const AttributeDefault& value)
{
    if (const auto* integer = std::get_if<std::int64_t>(&value))
        return QJsonValue(static_cast<qint64>(*integer));
    if (const auto* number = std::get_if<float>(&value))
        return QJsonValue(static_cast<double>(*number));
    if (const auto* string = std::get_if<std::string_view>(&value))
        return QJsonValue(text(*string));
    if (const auto* strings = std::get_if<std::span<const std::string_view>>(&value))
        return toJson(*strings);
    QJsonArray array;
    if (const auto* integers = std::get_if<std::span<const std::int64_t>>(&value))
        for (const std::int64_t integer : *integers)
            array.append(static_cast<qint64>(integer));
    if (const auto* numbers = std::get_if<std::span<const float>>(&value))
        for (const float number : *numbers)
            array.append(static_cast<double>(number));
    return array;
}

QJsonArray toJson(std::span<const SchemaAttribute> attributes)
{
    QJsonArray result;
    for (const SchemaAttribute& attribute : attributes) {
        QJsonObject object{{"name", text(attribute.name)},
                           {"type", text(attributeTypeName(attribute.type))}};
        if (attribute.required)
            object["required"] = true;
        if (attribute.hasDefault())
            object["default"] = toJson(attribute.defaultValue);
        result.append(object);
    }
    return result;
}

QJsonValue limitToJson(int limit)
{
    return limit == INT_MAX ? QJsonValue(QJsonValue::Null) : QJsonValue(limit);
}

QJsonObject toJson(const OpSchema& schema)
{
    QJsonObject object{{"name", text(schema.name)},
                       {"domain", text(schema.domain)},
                       {"since_version", schema.sinceVersion},
                       {"min_input", schema.minInputs},
                       {"max_input", limitToJson(schema.maxInputs)},
                       {"min_output", schema.minOutputs},
                       {"max_output", limitToJson(schema.maxOutputs)}};
    if (schema.deprecated)
        object["deprecated"] = true;
    if (schema.hasFunctionBody)
        object["has_function"] = true;
    if (!schema.deterministic)
        object["determinism"] = "non-deterministic";
    if (!schema.inputs.empty())
        object["inputs"] = toJson(schema.inputs);
    if (!schema.outputs.empty())
        object["outputs"] = toJson(schema.outputs);
    if (!schema.attributes.empty())
        object["attributes"] = toJson(schema.attributes);
    QJsonArray constraints;
    for (const TypeConstraint& constraint : schema.typeConstraints)
        constraints.append(
            QJsonObject{{"name", text(constraint.name)}, {"types", toJson(constraint.types)}});
    if (!constraints.isEmpty())
        object["type_constraints"] = constraints;
    return object;
}

// Rounds the float defaults of a file's schema to single precision and drops what the table does
// not keep: that the standard leaves the determinism of an operator open.
QJsonObject asTable(QJsonObject schema)
{
    if (schema.value("determinism") == QJsonValue("unknown"))
        schema.remove("determinism");
    QJsonArray attributes = schema.value("attributes").toArray();
    for (auto&& entry : attributes) {
        QJsonObject attribute = entry.toObject();
        const double value = attribute.value("default").toDouble();
        if (attribute.value("type") == QJsonValue("FLOAT") && attribute.contains("default"))
            attribute["default"] = static_cast<double>(static_cast<float>(value));
        entry = attribute;
    }
    if (!attributes.isEmpty())
        schema["attributes"] = attributes;
    return schema;
}

std::vector<int> sinceVersions(std::string_view name, std::string_view domain = {})
{
    std::vector<int> result;
    for (const OpSchema& schema : schemaVersions(domain, name))
        result.push_back(schema.sinceVersion);
    return result;
}

template <class T>
T defaultOf(std::string_view name, int opset, std::string_view attribute)
{
    return std::get<T>(findSchema({}, name, opset)->findAttribute(attribute)->defaultValue);
}

} // namespace

class SchemaTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void countsOfTheStandard()
    {
        std::map<std::string_view, std::set<std::string_view>> operators;
        std::map<std::string_view, int> versions;
        for (const OpSchema& schema : allSchemas()) {
            operators[schema.domain].insert(schema.name);
            ++versions[schema.domain];
        }
        QCOMPARE(allSchemas().size(), 659U);
        QCOMPARE(operators.size(), 4U);
        QCOMPARE(operators[""].size(), 203U);
        QCOMPARE(versions[""], 629);
        QCOMPARE(operators["ai.onnx.ml"].size(), 19U);
        QCOMPARE(versions["ai.onnx.ml"], 25);
        QCOMPARE(operators["ai.onnx.preview"].size(), 1U);
        QCOMPARE(versions["ai.onnx.preview"], 1);
        QCOMPARE(operators["ai.onnx.preview.training"].size(), 4U);
        QCOMPARE(versions["ai.onnx.preview.training"], 4);
    }

    void latestOpsets()
    {
        QCOMPARE(latestOpset(""), 28);
        QCOMPARE(latestOpset("ai.onnx"), 28);
        QCOMPARE(latestOpset("ai.onnx.ml"), 5);
        QCOMPARE(latestOpset("ai.onnx.preview"), 1);
        QCOMPARE(latestOpset("ai.onnx.preview.training"), 1);
        QCOMPARE(latestOpset("com.microsoft"), 0);
    }

    void sinceVersionsOfOperators()
    {
        using Versions = std::vector<int>;
        QCOMPARE(sinceVersions("Conv"), (Versions{1, 11, 22}));
        QCOMPARE(sinceVersions("BatchNormalization"), (Versions{1, 6, 7, 9, 14, 15}));
        QCOMPARE(sinceVersions("Clip"), (Versions{1, 6, 11, 12, 13}));
        QCOMPARE(sinceVersions("Softmax"), (Versions{1, 11, 13}));
        QCOMPARE(sinceVersions("ReduceSum"), (Versions{1, 11, 13}));
        QCOMPARE(sinceVersions("ReduceMean"), (Versions{1, 11, 13, 18}));
        QCOMPARE(sinceVersions("Reshape"), (Versions{1, 5, 13, 14, 19, 21, 23, 24, 25}));
        QCOMPARE(sinceVersions("Attention"), (Versions{23, 24, 25}));
        QCOMPARE(sinceVersions("SwiGLU"), (Versions{28}));
        QCOMPARE(sinceVersions("LabelEncoder", "ai.onnx.ml"), (Versions{1, 2, 4}));
        QVERIFY(sinceVersions("LabelEncoder").empty());
        QVERIFY(sinceVersions("Conv", "ai.onnx.ml").empty());
        QVERIFY(sinceVersions("NoSuchOperator").empty());
    }

    void findsTheVersionOfAnOpset()
    {
        const auto since = [](const char* domain, const char* name, int opset) {
            const OpSchema* schema = findSchema(domain, name, opset);
            return schema ? schema->sinceVersion : 0;
        };
        QCOMPARE(since("", "Clip", 5), 1);
        QCOMPARE(since("", "Clip", 6), 6);
        QCOMPARE(since("", "Clip", 10), 6);
        QCOMPARE(since("ai.onnx", "Clip", 12), 12);
        QCOMPARE(since("", "Clip", 28), 13);
        QCOMPARE(since("", "Conv", 29), 22);
        QCOMPARE(since("", "Conv", INT_MAX), 22);
        QCOMPARE(since("", "Conv", 1), 1);
        QCOMPARE(since("", "Conv", 0), 0);
        QCOMPARE(since("", "Conv", INT_MIN), 0);
        QCOMPARE(since("", "Gelu", 19), 0);
        QCOMPARE(since("", "Gelu", 20), 20);
        QCOMPARE(since("ai.onnx.ml", "TreeEnsemble", 4), 0);
        QCOMPARE(since("ai.onnx.ml", "TreeEnsemble", 5), 5);
        QCOMPARE(since("ai.onnx.preview.training", "Adam", 1), 1);
        QCOMPARE(since("com.microsoft", "Gelu", 1), 0);
        QCOMPARE(since("", "", 28), 0);
        QCOMPARE(since("zzz", "Conv", 28), 0);
    }

    void everyVersionIsFoundAtItsOwnOpset()
    {
        for (const OpSchema& schema : allSchemas()) {
            QCOMPARE(findSchema(schema.domain, schema.name, schema.sinceVersion), &schema);
            QVERIFY(schema.sinceVersion <= latestOpset(schema.domain));
        }
    }

    void defaults()
    {
        QCOMPARE(defaultOf<float>("LeakyRelu", 16, "alpha"), 0.01F);
        QCOMPARE(defaultOf<float>("BatchNormalization", 15, "epsilon"), 1e-5F);
        QCOMPARE(defaultOf<float>("BatchNormalization", 15, "momentum"), 0.9F);
        QCOMPARE(defaultOf<std::int64_t>("Softmax", 11, "axis"), 1);
        QCOMPARE(defaultOf<std::int64_t>("Softmax", 13, "axis"), -1);
        QCOMPARE(defaultOf<std::int64_t>("Conv", 22, "group"), 1);
        QCOMPARE(defaultOf<std::string_view>("Conv", 22, "auto_pad"), std::string_view("NOTSET"));
        QVERIFY(defaultOf<float>("Clip", 6, "max") == std::numeric_limits<float>::max());
        QVERIFY(defaultOf<float>("Clip", 6, "min") == std::numeric_limits<float>::lowest());
        const auto names = defaultOf<std::span<const std::string_view>>("RNN", 22, "activations");
        QCOMPARE(toJson(names), (QJsonArray{"Tanh", "Tanh"}));
        const OpSchema* lrn = findSchema({}, "LRN", 13);
        QVERIFY(lrn->findAttribute("size")->required);
        QVERIFY(!lrn->findAttribute("size")->hasDefault());
        QVERIFY(!lrn->findAttribute("bias")->required);
        QCOMPARE(lrn->findAttribute("no_such"), nullptr);
        QCOMPARE(lrn->findAttribute(""), nullptr);
    }

    void parameters()
    {
        const OpSchema* conv = findSchema({}, "Conv", 11);
        QCOMPARE(conv->inputs.size(), 3U);
        QCOMPARE(conv->input(1)->name, std::string_view("W"));
        QVERIFY(conv->input(1)->option == ParamOption::single);
        QVERIFY(conv->input(2)->option == ParamOption::optional);
        QCOMPARE(conv->input(3), nullptr);
        QCOMPARE(conv->output(1), nullptr);
        QCOMPARE(conv->minInputs, 2);
        QCOMPARE(conv->maxInputs, 3);

        const OpSchema* loop = findSchema({}, "Loop", 13);
        QVERIFY(loop->input(2)->option == ParamOption::variadic);
        QVERIFY(!loop->input(2)->homogeneous);
        QCOMPARE(loop->input(2)->minArity, 0);
        QCOMPARE(loop->input(40), loop->input(2));
        QCOMPARE(loop->output(40), loop->output(0));
        QCOMPARE(loop->maxInputs, INT_MAX);
        QVERIFY(findSchema({}, "Concat", 13)->input(7)->homogeneous);
        QCOMPARE(findSchema({}, "Constant", 13)->input(0), nullptr);
    }

    void allowedTypes()
    {
        const OpSchema* conv = findSchema({}, "Conv", 11);
        const QJsonArray floats{"tensor(float16)", "tensor(float)", "tensor(double)"};
        QCOMPARE(toJson(conv->allowedTypes("T")), floats);
        QCOMPARE(toJson(conv->input(0)->types), floats);
        QVERIFY(conv->allowedTypes("T1").empty());
        QVERIFY(conv->allowedTypes("tensor(float)").empty());
        const OpSchema* reshape = findSchema({}, "Reshape", 13);
        QCOMPARE(toJson(reshape->allowedTypes("tensor(int64)")), (QJsonArray{"tensor(int64)"}));
    }

    void everyParameterHasTypes()
    {
        for (const OpSchema& schema : allSchemas())
            for (const auto& list : {schema.inputs, schema.outputs})
                for (const FormalParameter& parameter : list) {
                    QVERIFY2(!parameter.types.empty(), schema.name.data());
                    QVERIFY(std::ranges::equal(parameter.types,
                                               schema.allowedTypes(parameter.typeName)));
                }
    }

    void variadicIsLastAndAgreesWithTheCounts()
    {
        for (const OpSchema& schema : allSchemas())
            for (const bool input : {true, false}) {
                const auto list = input ? schema.inputs : schema.outputs;
                const int most = input ? schema.maxInputs : schema.maxOutputs;
                const auto variadic =
                    std::ranges::find(list, ParamOption::variadic, &FormalParameter::option);
                const bool endless = variadic != list.end();
                QVERIFY2(!endless || &*variadic == &list.back(), schema.name.data());
                QCOMPARE(most, endless ? INT_MAX : static_cast<int>(list.size()));
            }
    }

    void flags()
    {
        QVERIFY(findSchema({}, "Upsample", 10)->deprecated);
        QVERIFY(!findSchema({}, "Upsample", 9)->deprecated);
        QVERIFY(findSchema({}, "GroupNormalization", 18)->deprecated);
        QVERIFY(!findSchema({}, "GroupNormalization", 21)->deprecated);
        QVERIFY(findSchema({}, "Gelu", 20)->hasFunctionBody);
        QVERIFY(findSchema({}, "SoftmaxCrossEntropyLoss", 13)->hasFunctionBody);
        QVERIFY(!findSchema({}, "Conv", 22)->hasFunctionBody);
        QVERIFY(!findSchema({}, "RandomNormal", 22)->deterministic);
        QVERIFY(!findSchema({}, "If", 25)->deterministic);
        QVERIFY(findSchema({}, "Conv", 22)->deterministic);
        QVERIFY(findSchema({}, "DepthToSpace", 28)->deterministic);
    }

    void everyOperatorIsDescribed()
    {
        const QJsonObject descriptions = readJson("descriptions.json");
        std::set<std::string_view> names;
        std::set<std::string_view> sentences;
        for (const OpSchema& schema : allSchemas()) {
            QCOMPARE(text(schema.description), descriptions[text(schema.name)].toString());
            QVERIFY2(schema.description.size() > 15, schema.name.data());
            QVERIFY2(schema.description.ends_with('.'), schema.name.data());
            names.insert(schema.name);
            sentences.insert(schema.description);
        }
        QCOMPARE(descriptions.size(), static_cast<qsizetype>(names.size()));
        QCOMPARE(sentences.size(), names.size());
    }

    void tableEqualsTheFile()
    {
        const QJsonObject file = readJson("schemas.json");
        const QJsonArray schemas = file["schemas"].toArray();
        QCOMPARE(static_cast<std::size_t>(schemas.size()), allSchemas().size());
        for (qsizetype i = 0; i < schemas.size(); ++i) {
            const QJsonObject expected = asTable(schemas[i].toObject());
            const QJsonObject actual = toJson(allSchemas()[static_cast<std::size_t>(i)]);
            QVERIFY2(actual == expected,
                     QJsonDocument(actual).toJson() + QJsonDocument(expected).toJson());
        }
        const QJsonObject domains = file["domains"].toObject();
        QCOMPARE(domains.size(), 4);
        for (const QString& domain : domains.keys())
            QCOMPARE(latestOpset(domain.toStdString()), domains[domain].toInt());
    }

    void attributeTypeNames()
    {
        QCOMPARE(attributeTypeName(AttributeType::floating), std::string_view("FLOAT"));
        QCOMPARE(attributeTypeName(AttributeType::typeProtos), std::string_view("TYPE_PROTOS"));
        QCOMPARE(attributeTypeName(static_cast<AttributeType>(200)), std::string_view("UNDEFINED"));
    }
};

FUSESCOPE_TEST(SchemaTest, schema_test)
#include "schema_test.moc"
