#include "app/arguments.h"

#include "session/catalog.h"
#include "ui/nearest.h"
#include "ui/plan_file.h"
#include "ui/raw_text.h"

#include <QRegularExpression>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace fusescope {

namespace {

std::optional<std::vector<std::int64_t>> shapeFrom(const QString& text)
{
    std::vector<std::int64_t> shape;
    if (text.isEmpty())
        return shape;
    for (const QString& part : text.split(QRegularExpression(QStringLiteral("[x×,]")))) {
        bool ok = false;
        const qlonglong size = part.trimmed().toLongLong(&ok);
        if (!ok || size < 0)
            return std::nullopt;
        shape.push_back(size);
    }
    return shape;
}

QStringList listOf(const QStringList& values)
{
    QStringList all;
    for (const QString& value : values)
        all += value.split(QLatin1Char(','), Qt::SkipEmptyParts);
    return all;
}

QStringList rulesAndStages()
{
    QStringList names;
    for (const RuleInfo& info : ruleCatalog()) {
        names << QString::fromUtf8(info.rule.data(), qsizetype(info.rule.size()));
        const std::string_view stage = idOf(info.stage);
        names << QString::fromUtf8(stage.data(), qsizetype(stage.size()));
    }
    return names;
}

QStringList targetNames()
{
    QStringList names;
    for (const TargetInfo& info : targetCatalog())
        names << QString::fromUtf8(info.id.data(), qsizetype(info.id.size()));
    return names;
}

// The operators of other domains than ONNX's own, as --pure takes them.
QStringList operatorNames(const Graph& graph)
{
    QStringList names;
    for (const NodeId id : graph.allNodes()) {
        const OpKey& op = graph.node(id)->op;
        const QString name = QString::fromStdString(op.domain + ":" + op.type);
        if (!op.isStandard() && !names.contains(name))
            names << name;
    }
    return names;
}

// The named sizes of the public inputs.
QStringList symbolNames(const Graph& graph)
{
    QStringList names;
    for (const ValueId id : graph.body(graph.mainBody())->inputs) {
        const Value& value = *graph.value(id);
        for (std::size_t axis = 0; axis < value.type.shape.rank(); ++axis) {
            const Dim& dim = value.type.shape.dims()[axis];
            if (dim.isSymbol())
                names << QString::fromStdString(std::string(dim.symbolName()));
            else if (!dim.isConstant()) // as it is called where it is assumed
                names << QStringLiteral("%1[%2]").arg(QString::fromStdString(value.name)).arg(axis);
        }
    }
    names.removeDuplicates();
    return names;
}

QString didYouMean(const QString& name, const QStringList& known)
{
    const QString nearest = nearestOf(name, known);
    return nearest.isEmpty()
               ? QString()
               : QStringLiteral(" ") + Arguments::tr("Did you mean \"%1\"?").arg(nearest);
}

bool isThere(const std::string& path)
{
    std::error_code none; // what cannot be asked for is not there
    return std::filesystem::exists(path, none);
}

Result<std::string> contentsOf(const std::string& path)
{
    std::error_code error;
    if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error))
        return fail(ErrorCode::unreadable, Message("io.not-a-file", {{"file", path}}), {}, path);
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf()))
        return fail(
            ErrorCode::unreadable,
            Message("io.cannot-open", {{"file", path}, {"why", std::string(std::strerror(errno))}}),
            {}, path);
    return text.str();
}

} // namespace

tl::unexpected<Error> usageError(const QString& text)
{
    return fail(ErrorCode::invalidArgument, Message("app.usage", {{"text", text.toStdString()}}));
}

std::optional<Arguments> Arguments::parse(const Command& command, const QStringList& args,
                                          QString* error)
{
    Arguments arguments;
    arguments.m_command = &command;
    arguments.m_parser = std::make_shared<QCommandLineParser>();
    QCommandLineParser& parser = *arguments.m_parser;
    std::vector<const OptionRow*> rows;
    for (const OptionRow& row : optionRows()) {
        if (!takes(command, row))
            continue;
        rows.push_back(&row);
        arguments.m_known += row.names;
        parser.addOption(QCommandLineOption(row.names, {}, QString::fromUtf8(row.valueName)));
    }
    // "--between A B" takes two names, the parser one for each option.
    QStringList spread = args;
    const auto between = spread.indexOf(QStringLiteral("--between"));
    if (between >= 0 && between + 2 < spread.size() &&
        !spread[between + 2].startsWith(QLatin1String("--")))
        spread.insert(between + 2, QStringLiteral("--between"));
    if (!parser.parse(QStringList{QStringLiteral("fusescope")} + spread)) {
        *error = parser.errorText();
        QStringList known;
        for (const OptionRow* row : rows)
            known << QStringLiteral("--") + row->names.back();
        for (const QString& name : parser.unknownOptionNames()) {
            const QString nearest = nearestOf(QStringLiteral("--") + name, known);
            if (!nearest.isEmpty())
                *error += QStringLiteral(" ") + tr("Did you mean \"%1\"?").arg(nearest);
        }
        return std::nullopt;
    }
    arguments.m_operands = parser.positionalArguments();
    if (arguments.informs())
        return arguments;
    const auto count = arguments.m_operands.size();
    if (count < command.minOperands || (command.maxOperands >= 0 && count > command.maxOperands)) {
        *error = tr("Usage: fusescope %1 %2")
                     .arg(QLatin1String(command.name), QString::fromUtf8(command.operands));
        return std::nullopt;
    }
    for (const OptionRow* row : rows) {
        const QStringList values = parser.values(row->names.back());
        if (values.size() > 1 && !row->repeats) {
            *error = tr("--%1 is given more than once.").arg(row->names.back());
            return std::nullopt;
        }
        for (const QString& value : values) {
            *error = arguments.wrongValue(*row, value);
            if (!error->isEmpty())
                return std::nullopt;
        }
    }
    if (arguments.has(QStringLiteral("keep-quantization")) &&
        arguments.has(QStringLiteral("fold-quantization"))) {
        *error = tr("--keep-quantization and --fold-quantization contradict each other.");
        return std::nullopt;
    }
    return arguments;
}

// What is wrong with a value, in a sentence; empty: nothing.
QString Arguments::wrongValue(const OptionRow& row, const QString& value) const
{
    const QString name = row.names.back();
    bool ok = false;
    switch (row.value.kind) {
    case OptionValue::Kind::text:
        break;
    case OptionValue::Kind::whole: {
        const qlonglong number = value.toLongLong(&ok);
        if (ok && number >= row.value.least && number <= row.value.most)
            break;
        if (row.value.most == std::numeric_limits<std::int64_t>::max())
            return tr("--%1 takes a whole number of %2 or more, not \"%3\".")
                .arg(name)
                .arg(row.value.least)
                .arg(value);
        return tr("--%1 takes a whole number from %2 to %3, not \"%4\".")
            .arg(name)
            .arg(row.value.least)
            .arg(row.value.most)
            .arg(value);
    }
    case OptionValue::Kind::real: {
        const double number = value.toDouble(&ok);
        if (!ok || !(number >= 0) || std::isinf(number))
            return tr("--%1 takes a number of 0 or more, not \"%2\".").arg(name, value);
        break;
    }
    case OptionValue::Kind::choice:
        if (!row.value.choices.contains(value))
            return tr("--%1 takes one of %2, not \"%3\".")
                .arg(name, row.value.choices.join(QStringLiteral(", ")), value);
        break;
    }
    return {};
}

bool Arguments::has(const QString& option) const
{
    return m_known.contains(option) && m_parser->isSet(option);
}

bool Arguments::informs() const
{
    if (has(QStringLiteral("help")) || has(QStringLiteral("version")))
        return true;
    return m_command->groups.contains(QStringLiteral("passes")) &&
           (has(QStringLiteral("list-passes")) || has(QStringLiteral("list-targets")));
}

Arguments::Progress Arguments::progress() const
{
    const QString when = value(QStringLiteral("progress"));
    if (when == QLatin1String("always"))
        return Progress::always;
    return when == QLatin1String("never") || quiet() ? Progress::never : Progress::automatic;
}

std::string Arguments::operand(int i) const
{
    return bytesOf(m_operands.value(i));
}

QString Arguments::firstOf(const QString& group) const
{
    for (const OptionRow& row : optionRows()) {
        if (group == QLatin1String(row.group) && has(row.names.back()))
            return row.names.back();
    }
    return {};
}

std::string Arguments::file(const QString& option) const
{
    return bytesOf(value(option));
}

QStringList Arguments::values(const QString& option) const
{
    return m_parser->values(option);
}

int Arguments::number(const QString& option, int fallback) const
{
    return has(option) ? value(option).toInt() : fallback;
}

std::optional<double> Arguments::real(const QString& option) const
{
    return has(option) ? std::optional<double>(value(option).toDouble()) : std::nullopt;
}

Result<InputSpec> Arguments::inputs() const
{
    InputSpec spec;
    for (const QString& source : m_parser->values(QStringLiteral("inputs")))
        spec.sources.push_back(bytesOf(source));
    if (has(QStringLiteral("seed")))
        spec.seed = value(QStringLiteral("seed")).toULongLong();
    for (const QString& text : m_parser->values(QStringLiteral("shape"))) {
        const auto equals = text.lastIndexOf(QLatin1Char('='));
        const auto shape = shapeFrom(text.mid(equals + 1));
        if (equals <= 0 || !shape)
            return usageError(tr("--shape takes NAME=1x3x224x224, not \"%1\".").arg(text));
        spec.shapes[text.left(equals).toStdString()] = *shape;
    }
    for (const QString& text : m_parser->values(QStringLiteral("dim"))) {
        const auto equals = text.lastIndexOf(QLatin1Char('='));
        bool ok = false;
        const qlonglong size = text.mid(equals + 1).toLongLong(&ok);
        if (equals <= 0 || !ok || size < 0)
            return usageError(tr("--dim takes NAME=VALUE, not \"%1\".").arg(text));
        spec.dims[text.left(equals).toStdString()] = size;
    }
    return spec;
}

Result<Plan> Arguments::plan(const Session& session) const
{
    Plan plan;
    if (has(QStringLiteral("plan"))) {
        const std::string path = file(QStringLiteral("plan"));
        FUSESCOPE_ASSIGN(const std::string text, contentsOf(path));
        FUSESCOPE_ASSIGN(plan, planFromText(text, path, session));
    }
    const auto known = [](const QString& id) {
        return stageFromId(id.toStdString()) || isRule(id.toStdString());
    };
    const QStringList only = listOf(m_parser->values(QStringLiteral("passes")));
    const QStringList off = listOf(m_parser->values(QStringLiteral("disable")));
    for (const QString& id : only + off) {
        if (!known(id))
            return usageError(
                tr("There is no stage or rule \"%1\"; --list-passes names them.").arg(id) +
                didYouMean(id, rulesAndStages()));
    }
    if (has(QStringLiteral("passes")) && only.isEmpty())
        return usageError(tr("--passes names no stage and no rule; --list-passes names them."));
    for (const QString& id : off)
        plan.policy.disabled.insert(id.toStdString());
    if (has(QStringLiteral("passes"))) {
        for (const RuleInfo& info : ruleCatalog()) {
            const std::string rule(info.rule);
            const std::string stage(idOf(info.stage));
            if (!only.contains(QString::fromStdString(rule)) &&
                !only.contains(QString::fromStdString(stage)))
                plan.policy.disabled.insert(rule);
        }
    }
    // Before --skip: its numbers are those of the run, those of a plan file move on with a fix.
    for (const QString& text : listOf(m_parser->values(QStringLiteral("fix"))))
        FUSESCOPE_TRY(addFix(plan, session, text));
    plan.maxSteps = number(QStringLiteral("max-steps"), plan.maxSteps);
    for (const QString& text : listOf(m_parser->values(QStringLiteral("skip")))) {
        bool ok = false;
        const int step = text.toInt(&ok);
        if (!ok || step < 1)
            return usageError(tr("--skip takes numbers of steps, not \"%1\".").arg(text));
        plan.skipNumbers.insert(step);
    }
    if (has(QStringLiteral("target"))) {
        const std::string target = value(QStringLiteral("target")).toStdString();
        const auto targets = targetCatalog();
        if (std::none_of(targets.begin(), targets.end(),
                         [&target](const TargetInfo& info) { return info.id == target; }))
            return usageError(tr("There is no target \"%1\"; --list-targets names them.")
                                  .arg(value(QStringLiteral("target"))) +
                              didYouMean(value(QStringLiteral("target")), targetNames()));
        plan.policy.target = target;
    }
    if (has(QStringLiteral("fold-quantization")) || has(QStringLiteral("keep-quantization")))
        plan.policy.foldQuantization = has(QStringLiteral("fold-quantization"));
    for (const QString& name : m_parser->values(QStringLiteral("pure"))) {
        const QStringList operators = operatorNames(session.opened());
        if (!operators.contains(name))
            return usageError(
                tr("--pure takes DOMAIN:OP, and the model has no operator \"%1\".").arg(name) +
                QStringLiteral(" ") + insteadOf(name, operators));
        plan.policy.pure.insert(name.toStdString());
    }
    if (has(QStringLiteral("max-growth")))
        plan.policy.maxGrowth = value(QStringLiteral("max-growth")).toLongLong();
    for (const QString& name : m_parser->values(QStringLiteral("pin")))
        FUSESCOPE_TRY(addPin(plan, session, name));
    return plan;
}

Result<void> Arguments::checkInputs(const Session& session) const
{
    FUSESCOPE_ASSIGN(const InputSpec spec, inputs());
    QStringList names;
    for (const ModelPort& port : session.info().inputs)
        names << QString::fromStdString(port.name);
    const auto unknownInput = [&names](const QString& name) {
        return usageError(tr("The model has no input \"%1\".").arg(name) + QStringLiteral(" ") +
                          insteadOf(name, names));
    };
    for (const std::string& source : spec.sources) {
        const QString text = textOfBytes(source);
        const auto equals = text.indexOf(QLatin1Char('='));
        if (equals > 0 && !names.contains(text.left(equals)) && !isThere(source))
            return unknownInput(text.left(equals));
    }
    for (const auto& [name, shape] : spec.shapes) {
        if (!names.contains(QString::fromStdString(name)))
            return unknownInput(QString::fromStdString(name));
    }
    const QStringList symbols = symbolNames(session.opened());
    for (const auto& [name, size] : spec.dims) {
        const QString text = QString::fromStdString(name);
        if (!symbols.contains(text))
            return usageError(tr("No input of the model has a size \"%1\".").arg(text) +
                              QStringLiteral(" ") + insteadOf(text, symbols));
    }
    return {};
}

Result<void> Arguments::checkSkips(const Timeline& timeline) const
{
    for (const QString& text : listOf(m_parser->values(QStringLiteral("skip")))) {
        if (text.toInt() > timeline.size())
            return usageError(tr("--skip %1: there are %2 steps.").arg(text).arg(timeline.size()));
    }
    return {};
}

} // namespace fusescope
