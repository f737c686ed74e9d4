#include "ui/plan_file.h"

#include "report/node_names.h"
#include "session/catalog.h"
#include "ui/nearest.h"
#include "ui/skips.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

#include <algorithm>
#include <limits>

#include <nlohmann/json.hpp>

namespace fusescope {

namespace {

using Json = nlohmann::ordered_json;

QString tr(const char* text)
{
    return QCoreApplication::translate("PlanFile", text);
}

tl::unexpected<Error> refused(const QString& text)
{
    return fail(ErrorCode::invalidArgument, Message("app.usage", {{"text", text.toStdString()}}));
}

QString noSuch(const Graph& graph, const QString& name)
{
    return tr("The model has no node or value \"%1\".").arg(name) + QStringLiteral(" ") +
           insteadOf(name, nodeNames(graph) + valueNames(graph));
}

QStringList fixNames()
{
    QStringList names;
    for (int i = 0; i <= static_cast<int>(FixKind::dropOutput); ++i) {
        const std::string_view id = idOf(static_cast<FixKind>(i));
        names << QString::fromUtf8(id.data(), qsizetype(id.size()));
    }
    return names;
}

std::string nameOfSubject(const Graph& graph, const Subject& subject)
{
    return std::visit(
        [&graph](auto id) { return id ? reachableName(graph, id) : std::string(); }, subject);
}

// Fixes that name values; the others name nodes.
bool namesValue(FixKind kind)
{
    return kind == FixKind::freezeInitializers || kind == FixKind::dropOutput;
}

std::vector<ValueId> valuesNamed(const Graph& graph, const std::string& name)
{
    std::vector<ValueId> found;
    for (std::uint32_t i = 1; i < graph.valueLimit(); ++i) {
        const Value* value = graph.value(ValueId{i});
        if (value && value->name == name)
            found.push_back(ValueId{i});
    }
    return found;
}

Fix fixFor(FixKind kind, Subject target)
{
    Fix fix{kind, target};
    fix.changesMeaning = kind == FixKind::inferenceBatchnorm || kind == FixKind::inferenceDropout;
    fix.changesInterface = namesValue(kind);
    return fix;
}

} // namespace

Result<void> addPin(Plan& plan, const Session& session, const QString& text)
{
    const std::string name = text.toStdString();
    const auto nodes = session.findNodes(session.opened(), name);
    plan.policy.pinnedNodes.insert(nodes.begin(), nodes.end());
    const auto values = valuesNamed(session.opened(), name);
    plan.policy.pinnedValues.insert(values.begin(), values.end());
    if (nodes.empty() && values.empty())
        return refused(noSuch(session.opened(), text));
    return {};
}

Result<void> addFix(Plan& plan, const Session& session, const QString& text)
{
    const auto at = text.indexOf(QLatin1Char('@'));
    const QString id = at < 0 ? text : text.left(at);
    const auto kind = fixFromId(id.toStdString());
    if (!kind)
        return refused(tr("There is no fix \"%1\".").arg(id) + QStringLiteral(" ") +
                       insteadOf(id, fixNames()));
    const Graph& graph = session.opened();
    std::vector<Subject> targets;
    if (at >= 0) {
        const std::string name = text.mid(at + 1).toStdString();
        if (namesValue(*kind)) {
            for (const ValueId value : valuesNamed(graph, name))
                targets.emplace_back(value);
        } else {
            for (const NodeId node : session.findNodes(graph, name))
                targets.emplace_back(node);
        }
        if (targets.empty())
            return refused(noSuch(graph, text.mid(at + 1)));
    } else if (*kind == FixKind::freezeInitializers) {
        targets.emplace_back(ValueId{});
    } else if (*kind == FixKind::inferenceBatchnorm || *kind == FixKind::inferenceDropout) {
        const std::string_view type =
            *kind == FixKind::inferenceDropout ? "Dropout" : "BatchNormalization";
        for (const NodeId node : graph.allNodes()) {
            if (graph.node(node)->is(type))
                targets.emplace_back(node);
        }
    } else {
        return refused(tr("The fix \"%1\" needs a name: %1@NAME.").arg(id));
    }
    for (const Subject& target : targets)
        addFix(plan, fixFor(*kind, target));
    return {};
}

Result<Plan> readPlanFile(const QString& path, const Session& session)
{
    if (const QFileInfo info(path); info.exists() && !info.isFile())
        return fail(ErrorCode::unreadable, Message("io.not-a-file", {{"file", path.toStdString()}}),
                    {}, path.toStdString());
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return fail(ErrorCode::unreadable,
                    Message("app.usage", {{"text", file.errorString().toStdString()}}), {},
                    path.toStdString());
    return planFromText(file.readAll().toStdString(), path.toStdString(), session);
}

Result<Plan> planFromText(const std::string& contents, const std::string& file,
                          const Session& session)
{
    const auto unreadable = [&file](const QString& why) {
        return fail(ErrorCode::unreadable, Message("app.usage", {{"text", why.toStdString()}}), {},
                    file);
    };
    const Json json = Json::parse(contents.begin(), contents.end(), nullptr, false);
    if (!json.is_object())
        return unreadable(tr("The file is not a plan."));
    Plan plan;
    const auto wrongType = [&unreadable](const char* key) {
        return unreadable(tr("\"%1\" has a value of the wrong type.").arg(QLatin1String(key)));
    };
    for (const char* key : {"fixes", "pins", "pure", "disabled"}) {
        const auto found = json.find(key);
        if (found != json.end() &&
            (!found->is_array() || !std::all_of(found->begin(), found->end(), [](const Json& entry) {
                return entry.is_string();
            })))
            return wrongType(key);
    }
    const auto strings = [&json](const char* key) {
        return json.contains(key) ? json[key].get<std::vector<std::string>>()
                                  : std::vector<std::string>();
    };
    for (const std::string& text : strings("fixes"))
        FUSESCOPE_TRY(addFix(plan, session, QString::fromStdString(text)));
    for (const std::string& name : strings("pins"))
        FUSESCOPE_TRY(addPin(plan, session, QString::fromStdString(name)));
    for (const std::string& name : strings("pure"))
        plan.policy.pure.insert(name);
    for (const std::string& id : strings("disabled")) {
        if (!stageFromId(id) && !isRule(id))
            return unreadable(tr("There is no stage or rule \"%1\"; --list-passes names them.")
                                  .arg(QString::fromStdString(id)));
        plan.policy.disabled.insert(id);
    }
    if (json.contains("skips")) {
        if (!json["skips"].is_array())
            return wrongType("skips");
        for (const Json& entry : json["skips"]) {
            if (!entry.is_object() || !entry.contains("rule") || !entry.contains("origins") ||
                !entry["rule"].is_string() || !entry["origins"].is_array())
                return unreadable(tr("The file is not a plan."));
            RewriteKey key{entry["rule"].get<std::string>(), {}};
            for (const Json& name : entry["origins"]) {
                const auto nodes = session.findNodes(
                    session.opened(), name.is_string() ? name.get<std::string>() : std::string());
                key.origins.insert(key.origins.end(), nodes.begin(), nodes.end());
            }
            plan.skips.insert(std::move(key));
        }
    }
    if (const auto found = json.find("skip_numbers"); found != json.end()) {
        if (!found->is_array() || !std::ranges::all_of(*found, [](const Json& number) {
                return number.is_number_integer();
            }))
            return wrongType("skip_numbers");
        for (const Json& number : *found)
            plan.skipNumbers.insert(static_cast<int>(std::clamp<std::int64_t>(
                number.get<std::int64_t>(), 0, std::numeric_limits<int>::max())));
    }
    if (json.contains("target")) {
        const std::string target = json["target"].is_string() ? json["target"].get<std::string>() : "";
        const auto targets = targetCatalog();
        if (std::none_of(targets.begin(), targets.end(),
                         [&target](const TargetInfo& info) { return info.id == target; }))
            return unreadable(tr("There is no target \"%1\"; --list-targets names them.")
                                  .arg(QString::fromStdString(target)));
        plan.policy.target = target;
    }
    if (const auto found = json.find("fold_quantization"); found != json.end()) {
        if (!found->is_boolean())
            return wrongType("fold_quantization");
        plan.policy.foldQuantization = found->get<bool>();
    }
    if (const auto found = json.find("max_growth"); found != json.end()) {
        if (!found->is_number_integer())
            return wrongType("max_growth");
        plan.policy.maxGrowth = found->get<std::int64_t>();
    }
    if (const auto found = json.find("max_steps"); found != json.end()) {
        if (!found->is_number_integer())
            return wrongType("max_steps");
        const auto most = found->get<std::int64_t>(); // negative: no limit
        plan.maxSteps = static_cast<int>(std::min<std::int64_t>(
            std::max<std::int64_t>(most, -1), std::numeric_limits<int>::max()));
    }
    return plan;
}

Result<void> writePlanFile(const QString& path, const Plan& plan, const Session& session)
{
    const Graph& graph = session.opened();
    Json json{{"schema", 1}, {"fixes", Json::array()}, {"skips", Json::array()},
              {"pins", Json::array()}};
    for (const Fix& fix : plan.fixes) {
        std::string target = nameOfSubject(graph, fix.target);
        // A node whose name is no other's by that, else by its number.
        if (const NodeId* node = std::get_if<NodeId>(&fix.target);
            node && *node && session.findNodes(graph, target) != std::vector<NodeId>{*node})
            target = "#" + std::to_string(node->value);
        const std::string id(idOf(fix.kind));
        json["fixes"].push_back(target.empty() ? id : id + "@" + target);
    }
    for (const RewriteKey& key : plan.skips) {
        Json origins = Json::array();
        for (const NodeId node : key.origins)
            origins.push_back("#" + std::to_string(node.value));
        json["skips"].push_back({{"rule", key.rule}, {"origins", std::move(origins)}});
    }
    json["skip_numbers"] = plan.skipNumbers;
    for (const NodeId node : plan.policy.pinnedNodes)
        json["pins"].push_back("#" + std::to_string(node.value));
    for (const ValueId value : plan.policy.pinnedValues)
        json["pins"].push_back(reachableName(graph, value));
    json["pure"] = plan.policy.pure;
    json["disabled"] = plan.policy.disabled;
    json["target"] = plan.policy.target;
    json["fold_quantization"] = plan.policy.foldQuantization;
    json["max_growth"] = plan.policy.maxGrowth;
    json["max_steps"] = plan.maxSteps;
    QSaveFile file(path);
    const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), qint64(text.size())) < 0 ||
        !file.commit())
        return fail(ErrorCode::notWritten,
                    Message("app.usage", {{"text", file.errorString().toStdString()}}), {},
                    path.toStdString());
    return {};
}

} // namespace fusescope
