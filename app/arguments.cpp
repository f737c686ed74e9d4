#include "app/arguments.h"

#include "session/catalog.h"
#include "ui/plan_file.h"

#include <QRegularExpression>

#include <limits>

namespace fusescope {

namespace {

struct OptionRow
{
    const char* group;
    QStringList names;
    const char* valueName; // empty: a switch
    const char* description;
};

const std::vector<OptionRow>& optionRows()
{
    static const std::vector<OptionRow> rows = {
        {"all", {"json"}, "", QT_TRANSLATE_NOOP("Arguments", "Write one JSON document to stdout.")},
        {"all", {"quiet"}, "", QT_TRANSLATE_NOOP("Arguments", "Write no messages to stderr.")},
        {"all", {"progress"}, "WHEN",
         QT_TRANSLATE_NOOP("Arguments", "Show progress on stderr: auto, always or never.")},
        {"all", {"lang"}, "LANGUAGE",
         QT_TRANSLATE_NOOP("Arguments", "Language of messages, for example en or zh_CN.")},
        {"all", {"h", "help"}, "", QT_TRANSLATE_NOOP("Arguments", "Show this help.")},
        {"inputs", {"inputs"}, "SOURCE",
         QT_TRANSLATE_NOOP("Arguments", "A folder, FILE.npz, NAME=FILE.npy or NAME=FILE.pb; may be repeated.")},
        {"inputs", {"seed"}, "N", QT_TRANSLATE_NOOP("Arguments", "Seed of random inputs (1).")},
        {"inputs", {"shape"}, "NAME=1x3x224x224",
         QT_TRANSLATE_NOOP("Arguments", "Shape of an input; may be repeated.")},
        {"inputs", {"dim"}, "NAME=VALUE",
         QT_TRANSLATE_NOOP("Arguments", "Size of a symbolic dimension; may be repeated.")},
        {"tolerance", {"rtol"}, "X",
         QT_TRANSLATE_NOOP("Arguments", "Tolerance relative to the largest value of an output.")},
        {"tolerance", {"atol"}, "X", QT_TRANSLATE_NOOP("Arguments", "Absolute tolerance (0).")},
        {"passes", {"passes"}, "ID,…",
         QT_TRANSLATE_NOOP("Arguments", "Only these stages or rules; their order stays.")},
        {"passes", {"disable"}, "ID,…", QT_TRANSLATE_NOOP("Arguments", "Stages or rules to leave out.")},
        {"passes", {"list-passes"}, "", QT_TRANSLATE_NOOP("Arguments", "List stages and rules, and end.")},
        {"passes", {"max-steps"}, "N", QT_TRANSLATE_NOOP("Arguments", "Stop after this many steps.")},
        {"passes", {"skip"}, "N,…", QT_TRANSLATE_NOOP("Arguments", "Numbers of steps to skip.")},
        {"passes", {"plan"}, "FILE",
         QT_TRANSLATE_NOOP("Arguments", "Fixes, skips, pins and options as the window saves them.")},
        {"passes", {"pin"}, "NAME",
         QT_TRANSLATE_NOOP("Arguments", "A node or value that must stay; may be repeated.")},
        {"passes", {"fix"}, "ID[@NAME],…",
         QT_TRANSLATE_NOOP("Arguments",
                           "Fixes to apply first: freeze-initializers, inference-batchnorm, "
                           "inference-dropout, drop-noop, duplicate-producer, drop-output.")},
        {"passes", {"target"}, "ID",
         QT_TRANSLATE_NOOP("Arguments", "What the model is meant for (generic).")},
        {"passes", {"list-targets"}, "", QT_TRANSLATE_NOOP("Arguments", "List targets, and end.")},
        {"passes", {"keep-quantization"}, "",
         QT_TRANSLATE_NOOP("Arguments", "Keep quantization nodes as they are (the default).")},
        {"passes", {"fold-quantization"}, "",
         QT_TRANSLATE_NOOP("Arguments", "Fold DequantizeLinear of constants.")},
        {"passes", {"pure"}, "DOMAIN:OP",
         QT_TRANSLATE_NOOP("Arguments", "An operator without side effects; may be repeated.")},
        {"passes", {"max-growth"}, "BYTES",
         QT_TRANSLATE_NOOP("Arguments", "Bytes that folding may add to the model (1 GiB).")},
        {"passes", {"fail-on-blocked"}, "",
         QT_TRANSLATE_NOOP("Arguments", "Exit with 1 when a fusion is blocked.")},
        {"export", {"o", "output"}, "FILE", QT_TRANSLATE_NOOP("Arguments", "The file to write.")},
        {"export", {"form"}, "FORM",
         QT_TRANSLATE_NOOP("Arguments", "Fused nodes as standard operators, functions or contrib operators.")},
        {"export", {"external-data"}, "WHEN",
         QT_TRANSLATE_NOOP("Arguments", "Weights beside the model: auto, always or never.")},
        {"export", {"force"}, "", QT_TRANSLATE_NOOP("Arguments", "Replace an existing file; never the source.")},
        {"export", {"no-verify"}, "", QT_TRANSLATE_NOOP("Arguments", "Do not run both models.")},
        {"output", {"o", "output"}, "FILE", QT_TRANSLATE_NOOP("Arguments", "The file to write.")},
        {"output", {"force"}, "", QT_TRANSLATE_NOOP("Arguments", "Replace an existing file; never the source.")},
        {"explain", {"node"}, "NAME", QT_TRANSLATE_NOOP("Arguments", "Only candidates that this node takes part in.")},
        {"explain", {"between"}, "A B", QT_TRANSLATE_NOOP("Arguments", "Why these two nodes are not fused.")},
        {"compare", {"bisect"}, "",
         QT_TRANSLATE_NOOP("Arguments", "Name the first step after which outputs differ.")},
        {"diff", {"steps"}, "I..J", QT_TRANSLATE_NOOP("Arguments", "The states of the model to compare.")},
        {"executor", {"executor"}, "NAME", QT_TRANSLATE_NOOP("Arguments", "reference or fused.")},
        {"threads", {"threads"}, "N", QT_TRANSLATE_NOOP("Arguments", "Number of threads (1).")},
        {"bench", {"repeat"}, "N", QT_TRANSLATE_NOOP("Arguments", "Number of timed runs (20).")},
        {"bench", {"profile"}, "", QT_TRANSLATE_NOOP("Arguments", "Times for each node.")},
        {"step", {"step"}, "N", QT_TRANSLATE_NOOP("Arguments", "The model after this many steps.")},
        {"layout", {"union"}, "", QT_TRANSLATE_NOOP("Arguments", "The window's drawing of all steps.")},
        {"render", {"overlay"}, "", QT_TRANSLATE_NOOP("Arguments", "With what the steps removed, as ghosts.")},
        {"render", {"theme"}, "NAME", QT_TRANSLATE_NOOP("Arguments", "light or dark.")},
    };
    return rows;
}

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

} // namespace

const std::vector<Command>& commands()
{
    static const std::vector<Command> table = {
        {"optimize", "MODEL -o OUT", QT_TRANSLATE_NOOP("Arguments", "Optimize a model and export it, proved by running both."),
         1, 1, {"inputs", "tolerance", "passes", "export"}},
        {"explain", "MODEL", QT_TRANSLATE_NOOP("Arguments", "Why each candidate was fused, or was not."),
         1, 2, {"passes", "explain"}},
        {"compare", "MODEL [OTHER]", QT_TRANSLATE_NOOP("Arguments", "Run both on the same inputs."),
         1, 2, {"inputs", "tolerance", "passes", "compare"}},
        {"diff", "MODEL --steps I..J | A B", QT_TRANSLATE_NOOP("Arguments", "What was added, removed and changed."),
         1, 2, {"passes", "diff"}},
        {"run", "MODEL", QT_TRANSLATE_NOOP("Arguments", "Run once and print or write the outputs."),
         1, 1, {"inputs", "passes", "executor", "threads", "step", "output"}},
        {"bench", "MODEL", QT_TRANSLATE_NOOP("Arguments", "Time the unfused and the fused plan in turn."),
         1, 1, {"inputs", "passes", "threads", "bench"}},
        {"info", "MODEL", QT_TRANSLATE_NOOP("Arguments", "What the file holds, and problems found."), 1, 1, {}},
        {"layout", "MODEL", QT_TRANSLATE_NOOP("Arguments", "The drawing's positions."), 1, 1, {"passes", "step", "layout"}},
        {"render", "MODEL -o FILE", QT_TRANSLATE_NOOP("Arguments", "A picture: .svg, .png or .pdf."),
         1, 1, {"passes", "step", "render", "output"}},
        {"report", "MODEL -o FILE", QT_TRANSLATE_NOOP("Arguments", "The whole story: .html, .md or .json."),
         1, 1, {"inputs", "tolerance", "passes", "output", "threads"}},
        {"conformance", "DIR…", QT_TRANSLATE_NOOP("Arguments", "Run folders of operator tests."), 1, -1, {"executor"}},
    };
    return table;
}

const Command* findCommand(const QString& name)
{
    for (const Command& command : commands()) {
        if (name == QLatin1String(command.name))
            return &command;
    }
    return nullptr;
}

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
    parser.setApplicationDescription(tr(command.description));
    for (const OptionRow& row : optionRows()) {
        const QString group = QLatin1String(row.group);
        if (group != QLatin1String("all") && !command.groups.contains(group))
            continue;
        parser.addOption(QCommandLineOption(row.names, tr(row.description),
                                            QString::fromUtf8(row.valueName)));
    }
    // "--between A B" takes two names, the parser one for each option.
    QStringList spread = args;
    const auto between = spread.indexOf(QStringLiteral("--between"));
    if (between >= 0 && between + 2 < spread.size())
        spread.insert(between + 2, QStringLiteral("--between"));
    if (!parser.parse(QStringList{QStringLiteral("fusescope ") + QLatin1String(command.name)} + spread)) {
        *error = parser.errorText();
        return std::nullopt;
    }
    arguments.m_operands = parser.positionalArguments();
    const bool informs = arguments.has(QStringLiteral("help")) ||
                         (command.groups.contains(QStringLiteral("passes")) &&
                          (arguments.has(QStringLiteral("list-passes")) ||
                           arguments.has(QStringLiteral("list-targets"))));
    if (informs)
        return arguments;
    const auto count = arguments.m_operands.size();
    if (count < command.minOperands || (command.maxOperands >= 0 && count > command.maxOperands)) {
        *error = tr("Usage: fusescope %1 %2").arg(QLatin1String(command.name),
                                                  QString::fromUtf8(command.operands));
        return std::nullopt;
    }
    for (const auto* option : {"seed", "max-steps", "threads", "repeat", "step", "max-growth"}) {
        const QString name = QLatin1String(option);
        if (!parser.optionNames().contains(name))
            continue;
        bool ok = false;
        const qlonglong number = parser.value(name).toLongLong(&ok);
        const qlonglong most = name == QLatin1String("max-growth") || name == QLatin1String("seed")
                                   ? std::numeric_limits<qlonglong>::max()
                               : name == QLatin1String("threads") ? qlonglong{256}
                                   : std::numeric_limits<int>::max();
        if (!ok || number < 0 || number > most) {
            *error = tr("--%1 takes a whole number, not \"%2\".").arg(name, parser.value(name));
            return std::nullopt;
        }
    }
    for (const auto* option : {"rtol", "atol"}) {
        const QString name = QLatin1String(option);
        if (!parser.optionNames().contains(name))
            continue;
        bool ok = false;
        const double number = parser.value(name).toDouble(&ok);
        if (!ok || !(number >= 0)) {
            *error = tr("--%1 takes a number of 0 or more, not \"%2\".").arg(name, parser.value(name));
            return std::nullopt;
        }
    }
    static const std::vector<std::pair<QString, QStringList>> choices = {
        {"progress", {"auto", "always", "never"}},  {"executor", {"reference", "fused"}},
        {"form", {"standard", "functions", "contrib"}}, {"external-data", {"auto", "always", "never"}},
        {"theme", {"light", "dark"}}};
    for (const auto& [name, allowed] : choices) {
        if (parser.optionNames().contains(name) && !allowed.contains(parser.value(name))) {
            *error = tr("--%1 takes one of %2, not \"%3\".")
                         .arg(name, allowed.join(QStringLiteral(", ")), parser.value(name));
            return std::nullopt;
        }
    }
    return arguments;
}

Arguments::Progress Arguments::progress() const
{
    const QString when = value(QStringLiteral("progress"));
    if (when == QLatin1String("always"))
        return Progress::always;
    return when == QLatin1String("never") || quiet() ? Progress::never : Progress::automatic;
}

QString Arguments::helpText() const
{
    return m_parser->helpText();
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
        spec.sources.push_back(source.toStdString());
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

Result<Plan> Arguments::plan(const Session* session) const
{
    Plan plan;
    if (has(QStringLiteral("plan"))) {
        if (!session)
            return usageError(tr("--plan needs a model."));
        FUSESCOPE_ASSIGN(plan, readPlanFile(value(QStringLiteral("plan")), *session));
    }
    const auto known = [](const QString& id) {
        return stageFromId(id.toStdString()) || isRule(id.toStdString());
    };
    const QStringList only = listOf(m_parser->values(QStringLiteral("passes")));
    const QStringList off = listOf(m_parser->values(QStringLiteral("disable")));
    for (const QString& id : only + off) {
        if (!known(id))
            return usageError(tr("There is no stage or rule \"%1\"; --list-passes names them.").arg(id));
    }
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
                                  .arg(value(QStringLiteral("target"))));
        plan.policy.target = target;
    }
    plan.policy.foldQuantization =
        plan.policy.foldQuantization || has(QStringLiteral("fold-quantization"));
    for (const QString& name : m_parser->values(QStringLiteral("pure")))
        plan.policy.pure.insert(name.toStdString());
    if (has(QStringLiteral("max-growth")))
        plan.policy.maxGrowth = value(QStringLiteral("max-growth")).toLongLong();
    const QStringList pins = m_parser->values(QStringLiteral("pin"));
    const QStringList fixes = listOf(m_parser->values(QStringLiteral("fix")));
    if ((!pins.isEmpty() || !fixes.isEmpty()) && !session)
        return usageError(tr("--pin and --fix need a model."));
    for (const QString& name : pins)
        FUSESCOPE_TRY(addPin(plan, *session, name));
    for (const QString& text : fixes)
        FUSESCOPE_TRY(addFix(plan, *session, text));
    return plan;
}

} // namespace fusescope
