#include "app/command_runner.h"

#include "session/conformance.h"
#include "session/report.h"

namespace fusescope {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("CommandInfo", text);
}

Json ports(const std::vector<ModelPort>& list)
{
    Json result = Json::array();
    for (const ModelPort& port : list)
        result.push_back({{"name", port.name}, {"type", port.type}, {"has_default", port.hasDefault}});
    return result;
}

} // namespace

ExitStatus command::info(const CommandContext& context)
{
    const auto session = context.open(0);
    if (!session)
        return context.fail(session.error());
    const ModelInfo& info = (*session)->info();
    const Graph& graph = (*session)->opened();
    const ModelFigures figures = (*session)->figures(*(*session)->timeline(), 0);
    if (context.arguments().json()) {
        Json document{{"schema", 1},
                      {"model", modelJson(info)},
                      {"before", figuresJson(figures)},
                      {"inputs", ports(info.inputs)},
                      {"outputs", ports(info.outputs)},
                      {"functions", info.functions},
                      {"external_files", info.externalFiles},
                      {"metadata", Json::object()},
                      {"problems", Json::array()}};
        for (const auto& [key, value] : info.metadata)
            document["metadata"][key] = value;
        for (const ModelProblem& problem : info.problems)
            document["problems"].push_back({{"severity", idOf(problem.severity)},
                                            {"node", context.json().node(graph, problem.node)},
                                            {"message", context.json().text(problem.message, &graph)}});
        context.print(document);
        return ExitStatus::allRight;
    }
    QStringList opsets;
    for (const auto& [domain, version] : info.opsets)
        opsets << QStringLiteral("%1 %2").arg(
            domain.empty() ? QStringLiteral("ai.onnx") : QString::fromStdString(domain))
                      .arg(version);
    context.print(QString::fromStdString(info.path));
    context.print(tr("IR %1, %2; made by %3")
                      .arg(info.irVersion)
                      .arg(opsets.join(QStringLiteral(", ")),
                           info.producer.empty() ? tr("unknown")
                                                 : QString::fromStdString(info.producer)));
    context.print(tr("%1 nodes, %2 initializers, %3 parameters, %4 bytes")
                      .arg(figures.nodes)
                      .arg(figures.initializers)
                      .arg(figures.parameters)
                      .arg(info.fileBytes));
    for (const auto& [name, count] : figures.operators)
        context.print(QStringLiteral("%1  %2").arg(count, 6).arg(QString::fromStdString(name)));
    for (const ModelPort& port : info.inputs)
        context.print(tr("input %1: %2").arg(QString::fromStdString(port.name),
                                             QString::fromStdString(port.type)));
    for (const ModelPort& port : info.outputs)
        context.print(tr("output %1: %2").arg(QString::fromStdString(port.name),
                                              QString::fromStdString(port.type)));
    for (const ModelProblem& problem : info.problems) {
        const QString where =
            problem.node ? QString::fromStdString(displayName(&graph, problem.node)) +
                               QStringLiteral(": ")
                         : QString();
        context.print(QStringLiteral("%1: %2%3")
                          .arg(QLatin1String(idOf(problem.severity)), where,
                               context.sentence(problem.message, &graph)));
    }
    return ExitStatus::allRight;
}

ExitStatus command::conformance(const CommandContext& context)
{
    std::vector<std::string> folders;
    for (int i = 0; i < context.arguments().operands().size(); ++i)
        folders.push_back(context.arguments().operand(i));
    const bool fused =
        context.arguments().value(QStringLiteral("executor")) == QLatin1String("fused");
    const auto result =
        fusescope::conformance(folders, fused ? RunExecutor::fused : RunExecutor::reference,
                               context.stop(), context.progress());
    if (!result)
        return context.fail(result.error());
    if (context.arguments().json()) {
        Json document{{"schema", 1},
                      {"passed", result->passed},
                      {"failed", Json::array()},
                      {"unsupported", Json::array()}};
        for (const auto& [folder, why] : result->failed)
            document["failed"].push_back({{"folder", folder}, {"why", context.json().text(why, nullptr)}});
        for (const auto& [folder, name] : result->unsupported)
            document["unsupported"].push_back({{"folder", folder}, {"operator", name}});
        context.print(document);
    } else {
        for (const auto& [folder, why] : result->failed)
            context.print(QStringLiteral("✗ %1: %2").arg(QString::fromStdString(folder),
                                                          context.sentence(why, nullptr)));
        for (const auto& [folder, name] : result->unsupported)
            context.print(QStringLiteral("– %1: %2").arg(QString::fromStdString(folder),
                                                          QString::fromStdString(name)));
        context.print(tr("%1 passed, %2 failed, %3 unsupported")
                          .arg(result->passed)
                          .arg(result->failed.size())
                          .arg(result->unsupported.size()));
    }
    return result->failed.empty() ? ExitStatus::allRight : ExitStatus::answerIsNo;
}

} // namespace fusescope
