#include "app/command_runner.h"

#include "app/start.h"
#include "base/out_of_memory.h"
#include "session/catalog.h"

#include <QElapsedTimer>

#include <algorithm>
#include <set>

#include <unistd.h>

namespace fusescope {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("CommandRunner", text);
}

QString textOf(std::string_view text)
{
    return QString::fromUtf8(text.data(), int(text.size()));
}

using Handler = ExitStatus (*)(const CommandContext&);

Handler handlerOf(const Command& command)
{
    static const std::vector<std::pair<std::string_view, Handler>> table = {
        {"optimize", command::optimize}, {"explain", command::explain},
        {"compare", command::compare},   {"diff", command::diff},
        {"run", command::run},           {"bench", command::bench},
        {"info", command::info},         {"layout", command::layout},
        {"render", command::render},     {"report", command::report},
        {"conformance", command::conformance}};
    for (const auto& [name, handler] : table) {
        if (name == command.name)
            return handler;
    }
    return nullptr;
}

void listPasses(const CommandContext& context)
{
    if (context.arguments().json()) {
        Json document{{"schema", 1}, {"rules", Json::array()}};
        for (const RuleInfo& rule : ruleCatalog())
            document["rules"].push_back({{"stage", idOf(rule.stage)},
                                         {"rule", rule.rule},
                                         {"name", context.json().text(rule.name, nullptr)}});
        context.print(document);
        return;
    }
    std::optional<Stage> stage;
    for (const RuleInfo& rule : ruleCatalog()) {
        if (stage != rule.stage)
            context.print(textOf(idOf(rule.stage)));
        stage = rule.stage;
        context.print(QStringLiteral("    %1  %2").arg(textOf(rule.rule), -26)
                          .arg(context.sentence(rule.name, nullptr)));
    }
}

void listTargets(const CommandContext& context)
{
    Json document{{"schema", 1}, {"targets", Json::array()}};
    for (const TargetInfo& target : targetCatalog()) {
        document["targets"].push_back(
            {{"id", target.id}, {"description", context.json().text(target.description, nullptr)}});
        if (!context.arguments().json())
            context.print(QStringLiteral("%1  %2").arg(textOf(target.id), -16)
                              .arg(context.sentence(target.description, nullptr)));
    }
    if (context.arguments().json())
        context.print(document);
}

// Taking a deep model apart takes a tenth of the command's time, and the process ends with it.
void keepUntilExit(std::shared_ptr<const void> object)
{
    static auto* const kept = new std::vector<std::shared_ptr<const void>>;
    kept->push_back(std::move(object));
}

} // namespace

CommandContext::CommandContext(const Arguments& arguments, std::stop_token stop)
    : m_arguments(arguments), m_stop(std::move(stop)),
      m_translate([](const char* context, const char* text) {
          return QCoreApplication::translate(context, text).toStdString();
      }),
      m_json(m_translate)
{
}

Progress CommandContext::progress() const
{
    const auto when = m_arguments.progress();
    const bool shown = when == Arguments::Progress::always ||
                       (when == Arguments::Progress::automatic && ::isatty(STDERR_FILENO) == 1);
    if (!shown)
        return {};
    return {[this, last = std::make_shared<QElapsedTimer>()](double fraction, const Message& doing) {
        if (last->isValid() && last->elapsed() < 100)
            return;
        last->start();
        const QString text = sentence(doing, nullptr);
        const QString share =
            fraction >= 0 ? QStringLiteral("%1 % ").arg(int(fraction * 100), 3) : QString();
        std::fprintf(stderr, "%s%s\n", qUtf8Printable(share), qUtf8Printable(text));
    }};
}

void CommandContext::print(const QString& line) const
{
    std::fprintf(stdout, "%s\n", line.toUtf8().constData());
}

void CommandContext::print(const Json& document) const
{
    // Names of a file need not be valid UTF-8: what is not is replaced.
    const std::string text = document.dump(2, ' ', false, Json::error_handler_t::replace);
    std::fprintf(stdout, "%s\n", text.c_str());
}

void CommandContext::say(const QString& line) const
{
    if (!m_arguments.quiet())
        warn(line);
}

void CommandContext::warn(const QString& line) const
{
    std::fprintf(stderr, "%s\n", line.toUtf8().constData());
}

QString CommandContext::sentence(const Message& message, const Graph* graph) const
{
    return QString::fromStdString(fusescope::render(message, graph, m_translate, NameMarks::plainQuotes));
}

ExitStatus CommandContext::fail(const Error& error, const Graph* graph) const
{
    const QString text = sentence(error.message, graph);
    QString where = QString::fromStdString(error.file);
    if (graph && error.node)
        where += (where.isEmpty() ? QString() : QStringLiteral(": ")) +
                 QString::fromStdString(displayName(graph, error.node));
    warn(where.isEmpty() ? text : where + QStringLiteral(": ") + text);
    const ExitStatus status = statusOf(error.code);
    if (m_arguments.json()) {
        Json document{{"schema", 1},
                      {"error",
                       {{"status", static_cast<int>(status)},
                        {"code", std::string(error.message.text.key)},
                        {"message", text.toStdString()},
                        {"file", error.file},
                        {"node", graph ? m_json.node(*graph, error.node) : Json(nullptr)}}}};
        print(document);
    }
    return status;
}

ExitStatus CommandContext::misused(const QString& text) const
{
    return fail(usageError(text).value());
}

Result<std::shared_ptr<Session>> CommandContext::open(int operand) const
{
    SessionOptions options;
    options.runInBackground = false;
    return Session::open(m_arguments.operand(operand), std::move(options), m_stop, progress());
}

Result<CommandContext::Optimized> CommandContext::optimize() const
{
    Optimized result;
    FUSESCOPE_ASSIGN(result.session, open(0));
    if (m_arguments.command().groups.contains(QStringLiteral("inputs")))
        FUSESCOPE_TRY(m_arguments.checkInputs(*result.session));
    FUSESCOPE_ASSIGN(Plan plan, m_arguments.plan(*result.session));
    QElapsedTimer timer;
    timer.start();
    result.session->setPlan(std::move(plan));
    FUSESCOPE_ASSIGN(result.timeline, result.session->finish(m_stop, progress()));
    FUSESCOPE_TRY(m_arguments.checkSkips(*result.timeline));
    result.optimizeMs = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    keepUntilExit(result.session);
    keepUntilExit(result.timeline);
    return result;
}

ExitStatus CommandContext::blockedStatus(const Timeline& timeline) const
{
    const bool asked = m_arguments.has(QStringLiteral("fail-on-blocked"));
    std::set<RuleId> fusions;
    for (const RuleInfo& info : ruleCatalog()) {
        if (info.stage == Stage::fusion)
            fusions.insert(info.rule);
    }
    const bool fusionBlocked =
        std::any_of(timeline.blocked.begin(), timeline.blocked.end(), [&fusions](const Blocked& row) {
            return fusions.count(row.miss.rule) > 0 && !row.miss.reasons.empty() &&
                   row.miss.reasons.front().kind() == ReasonKind::legality;
        });
    return asked && fusionBlocked ? ExitStatus::answerIsNo : ExitStatus::allRight;
}

QString usageText()
{
    QString text = tr("Usage: fusescope [MODEL]\n       fusescope COMMAND …\n\n"
                      "Without a command the window opens. Commands:\n");
    for (const Command& command : commands()) {
        text += QStringLiteral("    %1 %2\n        %3\n")
                    .arg(QLatin1String(command.name), QString::fromUtf8(command.operands),
                         QCoreApplication::translate("Arguments", command.description));
    }
    text += tr("\n\"fusescope COMMAND --help\" lists the options of a command.");
    return text;
}

ExitStatus refuse(const QString& text, const QStringList& args)
{
    std::fprintf(stderr, "fusescope: %s\n", qUtf8Printable(text));
    const auto status = ExitStatus::wrongUsage;
    if (args.contains(QStringLiteral("--json"))) {
        const Json document{{"schema", 1},
                            {"error",
                             {{"status", static_cast<int>(status)},
                              {"code", "app.usage"},
                              {"message", text.toStdString()},
                              {"file", ""},
                              {"node", nullptr}}}};
        const auto invalid = Json::error_handler_t::replace; // names of files need not be UTF-8
        std::fprintf(stdout, "%s\n", document.dump(2, ' ', false, invalid).c_str());
    }
    return status;
}

ExitStatus runCommand(const Command& command, const QStringList& args, std::stop_token stop)
{
    QString error;
    const auto arguments = Arguments::parse(command, args, &error);
    if (!arguments)
        return refuse(error, args);
    const CommandContext context(*arguments, stop);
    const bool takesPasses = command.groups.contains(QStringLiteral("passes"));
    if (arguments->has(QStringLiteral("help"))) {
        context.print(helpOf(command));
        return ExitStatus::allRight;
    }
    if (arguments->has(QStringLiteral("version"))) {
        context.print(versionText());
        return ExitStatus::allRight;
    }
    if (takesPasses && arguments->has(QStringLiteral("list-passes"))) {
        listPasses(context);
        return ExitStatus::allRight;
    }
    if (takesPasses && arguments->has(QStringLiteral("list-targets"))) {
        listTargets(context);
        return ExitStatus::allRight;
    }
    auto ended = withinMemory(
        [&]() -> Result<ExitStatus> { return handlerOf(command)(context); });
    return ended ? *ended : context.fail(ended.error());
}

} // namespace fusescope
