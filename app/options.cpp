#include "app/options.h"

#include <QCoreApplication>

#include <algorithm>

namespace fusescope {

namespace {

constexpr std::int64_t mostSteps = std::numeric_limits<int>::max();

OptionValue whole(std::int64_t least, std::int64_t most = std::numeric_limits<std::int64_t>::max())
{
    return {OptionValue::Kind::whole, least, most, {}};
}

OptionValue oneOf(QStringList choices)
{
    return {OptionValue::Kind::choice, 0, 0, std::move(choices)};
}

const OptionValue real{OptionValue::Kind::real, 0, 0, {}};
const OptionValue anyText{};
constexpr bool repeated = true;

QString tr(const char* text)
{
    return QCoreApplication::translate("Arguments", text);
}

// The words of a text in lines of at most `width`.
QStringList wrapped(const QString& text, qsizetype width)
{
    QStringList lines{QString()};
    for (const QString& word : text.split(QLatin1Char(' '))) {
        QString& line = lines.back();
        if (!line.isEmpty() && line.size() + 1 + word.size() > width)
            lines << word;
        else
            line += (line.isEmpty() ? QString() : QStringLiteral(" ")) + word;
    }
    return lines;
}

} // namespace

const std::vector<OptionRow>& optionRows()
{
    static const std::vector<OptionRow> rows = {
        {"all", {"json"}, "", QT_TRANSLATE_NOOP("Arguments", "Write one JSON document to stdout.")},
        {"all",
         {"quiet"},
         "",
         QT_TRANSLATE_NOOP("Arguments", "Say nothing but errors and warnings; list no steps.")},
        {"all",
         {"progress"},
         "WHEN",
         QT_TRANSLATE_NOOP("Arguments", "Show progress on stderr: auto, always or never."),
         oneOf({"auto", "always", "never"})},
        {"all",
         {"lang"},
         "LANGUAGE",
         QT_TRANSLATE_NOOP("Arguments", "Language of messages, for example en or zh_CN.")},
        {"all", {"version"}, "", QT_TRANSLATE_NOOP("Arguments", "Show the program's version.")},
        {"all", {"h", "help"}, "", QT_TRANSLATE_NOOP("Arguments", "Show this help.")},
        {"inputs",
         {"inputs"},
         "SOURCE",
         QT_TRANSLATE_NOOP("Arguments",
                           "A folder, FILE.npz, NAME=FILE.npy or NAME=FILE.pb; may be repeated."),
         anyText,
         repeated},
        {"inputs",
         {"seed"},
         "N",
         QT_TRANSLATE_NOOP("Arguments", "Seed of random inputs (1)."),
         whole(0)},
        {"inputs",
         {"shape"},
         "NAME=1x3x224x224",
         QT_TRANSLATE_NOOP("Arguments", "Shape of an input; may be repeated."),
         anyText,
         repeated},
        {"inputs",
         {"dim"},
         "NAME=VALUE",
         QT_TRANSLATE_NOOP("Arguments", "Size of a symbolic dimension; may be repeated."),
         anyText,
         repeated},
        {"tolerance",
         {"rtol"},
         "X",
         QT_TRANSLATE_NOOP("Arguments", "Tolerance relative to the largest value of an output."),
         real},
        {"tolerance",
         {"atol"},
         "X",
         QT_TRANSLATE_NOOP("Arguments", "Absolute tolerance (0)."),
         real},
        {"passes",
         {"passes"},
         "ID,…",
         QT_TRANSLATE_NOOP("Arguments", "Only these stages or rules; their order stays."),
         anyText,
         repeated},
        {"passes",
         {"disable"},
         "ID,…",
         QT_TRANSLATE_NOOP("Arguments", "Stages or rules to leave out."),
         anyText,
         repeated},
        {"passes",
         {"list-passes"},
         "",
         QT_TRANSLATE_NOOP("Arguments", "List stages and rules, and end.")},
        {"passes",
         {"max-steps"},
         "N",
         QT_TRANSLATE_NOOP("Arguments", "Stop after this many steps."),
         whole(0, mostSteps)},
        {"passes", {"skip"}, "N,…", QT_TRANSLATE_NOOP("Arguments", "Numbers of steps to skip."),
         anyText,
         repeated},
        {"passes",
         {"plan"},
         "FILE",
         QT_TRANSLATE_NOOP("Arguments",
                           "Fixes, skips, pins and options as the window saves them.")},
        {"passes",
         {"pin"},
         "NAME",
         QT_TRANSLATE_NOOP("Arguments", "A node or value that must stay; may be repeated."),
         anyText,
         repeated},
        {"passes",
         {"fix"},
         "ID[@NAME],…",
         QT_TRANSLATE_NOOP("Arguments",
                           "Fixes to apply first: freeze-initializers, inference-batchnorm, "
                           "inference-dropout, drop-noop, duplicate-producer, drop-output."),
         anyText,
         repeated},
        {"passes",
         {"target"},
         "ID",
         QT_TRANSLATE_NOOP("Arguments", "What the model is meant for (generic).")},
        {"passes", {"list-targets"}, "", QT_TRANSLATE_NOOP("Arguments", "List targets, and end.")},
        {"passes",
         {"keep-quantization"},
         "",
         QT_TRANSLATE_NOOP("Arguments", "Keep quantization nodes as they are (the default).")},
        {"passes",
         {"fold-quantization"},
         "",
         QT_TRANSLATE_NOOP("Arguments", "Fold DequantizeLinear of constants.")},
        {"passes",
         {"pure"},
         "DOMAIN:OP",
         QT_TRANSLATE_NOOP("Arguments", "An operator without side effects; may be repeated."),
         anyText,
         repeated},
        {"passes",
         {"max-growth"},
         "BYTES",
         QT_TRANSLATE_NOOP("Arguments", "Bytes that folding may add to the model (1 GiB)."),
         whole(0)},
        {"passes",
         {"fail-on-blocked"},
         "",
         QT_TRANSLATE_NOOP("Arguments", "Exit with 1 when a fusion is blocked.")},
        {"export", {"o", "output"}, "FILE", QT_TRANSLATE_NOOP("Arguments", "The file to write.")},
        {"export",
         {"form"},
         "FORM",
         QT_TRANSLATE_NOOP("Arguments",
                           "Fused nodes as standard operators, functions or contrib operators."),
         oneOf({"standard", "functions", "contrib"})},
        {"export",
         {"external-data"},
         "WHEN",
         QT_TRANSLATE_NOOP("Arguments", "Weights beside the model: auto, always or never."),
         oneOf({"auto", "always", "never"})},
        {"export",
         {"force"},
         "",
         QT_TRANSLATE_NOOP("Arguments", "Replace an existing file; never the source.")},
        {"export", {"no-verify"}, "", QT_TRANSLATE_NOOP("Arguments", "Do not run both models.")},
        {"output", {"o", "output"}, "FILE", QT_TRANSLATE_NOOP("Arguments", "The file to write.")},
        {"output",
         {"force"},
         "",
         QT_TRANSLATE_NOOP("Arguments", "Replace an existing file; never the source.")},
        {"explain",
         {"node"},
         "NAME",
         QT_TRANSLATE_NOOP("Arguments", "Only candidates that this node takes part in.")},
        {"explain",
         {"between"},
         "A B",
         QT_TRANSLATE_NOOP("Arguments", "Why these two nodes are not fused."),
         anyText,
         repeated},
        {"compare",
         {"bisect"},
         "",
         QT_TRANSLATE_NOOP("Arguments", "Name the first step after which outputs differ.")},
        {"diff",
         {"steps"},
         "I..J",
         QT_TRANSLATE_NOOP("Arguments", "The states of the model to compare.")},
        {"executor",
         {"executor"},
         "NAME",
         QT_TRANSLATE_NOOP("Arguments", "reference or fused."),
         oneOf({"reference", "fused"})},
        {"threads",
         {"threads"},
         "N",
         QT_TRANSLATE_NOOP("Arguments", "Number of threads (1)."),
         whole(1, 256)},
        {"bench",
         {"repeat"},
         "N",
         QT_TRANSLATE_NOOP("Arguments", "Number of timed runs (20)."),
         whole(1, 1'000'000)},
        {"bench", {"profile"}, "", QT_TRANSLATE_NOOP("Arguments", "Times for each node.")},
        {"step",
         {"step"},
         "N",
         QT_TRANSLATE_NOOP("Arguments", "The model after this many steps."),
         whole(0, mostSteps)},
        {"layout",
         {"union"},
         "",
         QT_TRANSLATE_NOOP("Arguments", "The window's drawing of all steps: equal blocks of a large "
                                        "model are closed.")},
        {"render",
         {"overlay"},
         "",
         QT_TRANSLATE_NOOP("Arguments", "With what the steps removed, as ghosts.")},
        {"render",
         {"theme"},
         "NAME",
         QT_TRANSLATE_NOOP("Arguments", "light or dark."),
         oneOf({"light", "dark"})},
    };
    return rows;
}

const std::vector<Command>& commands()
{
    static const std::vector<Command> table = {
        {"optimize",
         "MODEL -o OUT",
         "optimize model.onnx -o optimized.onnx",
         QT_TRANSLATE_NOOP("Arguments", "Optimize a model and export it, proved by running both."),
         1,
         1,
         {"inputs", "tolerance", "passes", "export"}},
        {"explain",
         "MODEL [--node NAME | --between A B]",
         "explain model.onnx --between conv1 relu1",
         QT_TRANSLATE_NOOP("Arguments", "Why each candidate was fused, or was not."),
         1,
         1,
         {"passes", "explain"}},
        {"compare",
         "MODEL [OTHER]",
         "compare model.onnx --bisect",
         QT_TRANSLATE_NOOP("Arguments", "Run both on the same inputs."),
         1,
         2,
         {"inputs", "tolerance", "passes", "compare"}},
        {"diff",
         "MODEL --steps I..J | A B",
         "diff model.onnx --steps 3..7",
         QT_TRANSLATE_NOOP("Arguments", "What was added, removed and changed."),
         1,
         2,
         {"passes", "diff"}},
        {"run",
         "MODEL",
         "run model.onnx --inputs x=x.npy -o outputs.npz",
         QT_TRANSLATE_NOOP("Arguments", "Run once and print or write the outputs."),
         1,
         1,
         {"inputs", "passes", "executor", "threads", "step", "output"}},
        {"bench",
         "MODEL",
         "bench model.onnx --threads 4 --repeat 50",
         QT_TRANSLATE_NOOP("Arguments", "Time the unfused and the fused plan in turn."),
         1,
         1,
         {"inputs", "passes", "threads", "bench"}},
        {"info",
         "MODEL",
         "info model.onnx --json",
         QT_TRANSLATE_NOOP("Arguments", "What the file holds, and problems found."),
         1,
         1,
         {}},
        {"layout",
         "MODEL",
         "layout model.onnx --step 3 --json",
         QT_TRANSLATE_NOOP("Arguments", "The drawing's positions."),
         1,
         1,
         {"passes", "step", "layout"},
         true},
        {"render",
         "MODEL -o FILE",
         "render model.onnx -o model.svg --overlay",
         QT_TRANSLATE_NOOP("Arguments", "A picture: .svg, .png or .pdf."),
         1,
         1,
         {"passes", "step", "render", "output"},
         true},
        {"report",
         "MODEL -o FILE",
         "report model.onnx -o report.html",
         QT_TRANSLATE_NOOP("Arguments", "The whole story: .html, .md or .json. With --threads both plans are timed."),
         1,
         1,
         {"inputs", "tolerance", "passes", "output", "threads"}},
        {"conformance",
         "DIR…",
         "conformance node-tests --executor fused",
         QT_TRANSLATE_NOOP("Arguments", "Run folders of operator tests."),
         1,
         -1,
         {"executor"}},
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

QStringList commandNames()
{
    QStringList names;
    for (const Command& command : commands())
        names << QLatin1String(command.name);
    return names;
}

bool takes(const Command& command, const OptionRow& option)
{
    const QString group = QLatin1String(option.group);
    return group == QLatin1String("all") || command.groups.contains(group);
}

QString helpOf(const Command& command)
{
    constexpr qsizetype indent = 28, width = 98;
    QString text = tr("Usage: fusescope %1 %2")
                       .arg(QLatin1String(command.name), QString::fromUtf8(command.operands)) +
                   QStringLiteral(" […]\n\n%1\n\n").arg(tr(command.description)) +
                   tr("Example: fusescope %1").arg(QLatin1String(command.example)) +
                   QStringLiteral("\n\n") + tr("Options:");
    for (const OptionRow& row : optionRows()) {
        if (!takes(command, row))
            continue;
        QStringList spelled;
        for (const QString& name : row.names)
            spelled << (name.size() == 1 ? QStringLiteral("-") : QStringLiteral("--")) + name;
        QString left = QStringLiteral("  ") + spelled.join(QStringLiteral(", "));
        if (*row.valueName != '\0')
            left += QStringLiteral(" ") + QString::fromUtf8(row.valueName);
        const QStringList right = wrapped(tr(row.description), width - indent);
        text += QLatin1Char('\n');
        text += left.size() + 2 <= indent
                    ? left.leftJustified(indent)
                    : left + QLatin1Char('\n') + QString(indent, QLatin1Char(' '));
        text += right.join(QLatin1Char('\n') + QString(indent, QLatin1Char(' ')));
    }
    return text;
}

} // namespace fusescope
