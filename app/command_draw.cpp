#include "app/command_runner.h"

#include "session/report.h"
#include "session/timeline_walk.h"
#include "ui/graph/graph_picture.h"
#include "ui/text.h"

#include <QFileInfo>

#include <cmath>
#include <filesystem>
#include <map>
#include <unordered_map>

namespace fusescope {

namespace {

QString tr(const char* text, int count = -1)
{
    return QCoreApplication::translate("CommandDraw", text, nullptr, count);
}

// Every node has a place, unless it is to be as the window draws it: that closes equal blocks of large
// models.
DrawingOptions drawingOptions(BlockMode blocks = BlockMode::none)
{
    DrawingOptions options;
    options.blocks = blocks;
    options.layout.rankGap = 32;
    return options;
}

// What is drawn: the model as opened, one step, or all steps in one drawing.
struct Drawn
{
    std::shared_ptr<Session> session;
    TimelinePtr timeline;
    int step = 0;
};

Result<Drawn> subjectOf(const CommandContext& context, bool allSteps)
{
    const Arguments& arguments = context.arguments();
    const bool steps = allSteps || arguments.has(QStringLiteral("step")) ||
                       arguments.has(QStringLiteral("fail-on-blocked"));
    if (!steps) {
        FUSESCOPE_ASSIGN(auto session, context.open(0));
        FUSESCOPE_TRY(arguments.plan(*session)); // runs no rule here, but names must be right
        const TimelinePtr timeline = session->timeline();
        return Drawn{session, timeline, 0};
    }
    FUSESCOPE_ASSIGN(auto done, context.optimize());
    const int last = done.timeline->size();
    const int step = arguments.number(QStringLiteral("step"), allSteps ? last : 0);
    if (step < 0 || step > last)
        return usageError(tr("There are %1 steps: --step takes 0 to %1.").arg(last));
    return Drawn{done.session, done.timeline, step};
}

Json pointsOf(const LayoutPath& path)
{
    Json points = Json::array();
    for (const LayoutPoint& point : path.points)
        points.push_back(Json::array({point.x, point.y}));
    return points;
}

// What is said of the nodes that are drawn: each as it stood last.
class DrawnNodes
{
public:
    // `graph` must outlive it.
    DrawnNodes(const Timeline& timeline, const Graph& graph, const Drawing& drawing,
               const JsonWriter& json)
        : m_graph(graph), m_json(json)
    {
        std::multimap<int, NodeId> gone; // by the last state that they stood in
        for (const DrawItem& item : drawing.items) {
            if (item.kind != DrawItem::Kind::node || m_graph.node(item.node))
                continue;
            if (const Lifespan* span = timeline.unionGraph.lifespan(item.node))
                gone.emplace(span->last, item.node);
        }
        TimelineWalk walk(timeline);
        for (const auto& [state, id] : gone) {
            while (m_walked <= state && walk.next())
                ++m_walked;
            Json entry = json.node(walk.before(), id);
            entry["until"] = state;
            m_gone[id] = {std::move(entry), displayName(&walk.before(), id)};
        }
    }

    Json json(NodeId id) const
    {
        const auto found = m_gone.find(id);
        return found == m_gone.end() ? m_json.node(m_graph, id) : found->second.first;
    }
    std::string name(NodeId id) const
    {
        const auto found = m_gone.find(id);
        return found == m_gone.end() ? displayName(&m_graph, id) : found->second.second;
    }

private:
    const Graph& m_graph;
    const JsonWriter& m_json;
    int m_walked = 0;
    std::unordered_map<NodeId, std::pair<Json, std::string>> m_gone;
};

Json documentOf(const Drawing& drawing, const DrawnNodes& nodes)
{
    Json document{{"schema", 1},
                  {"engine", layoutEngineName(drawing.engine)},
                  {"milliseconds", drawing.milliseconds},
                  {"width", drawing.width},
                  {"height", drawing.height},
                  {"deadline_missed", drawing.deadlineMissed},
                  {"nodes", Json::array()},
                  {"edges", Json::array()},
                  {"ports", Json::array()},
                  {"blocks", Json::array()}};
    const auto place = [](Json entry, const DrawItem& item) {
        entry["x"] = item.rect.x;
        entry["y"] = item.rect.y;
        entry["width"] = item.rect.width;
        entry["height"] = item.rect.height;
        return entry;
    };
    for (const DrawItem& item : drawing.items) {
        if (item.kind == DrawItem::Kind::node) {
            document["nodes"].push_back(place(nodes.json(item.node), item));
        } else if (item.kind == DrawItem::Kind::input || item.kind == DrawItem::Kind::output) {
            document["ports"].push_back(
                place({{"kind", item.kind == DrawItem::Kind::input ? "input" : "output"},
                       {"name", item.title}}, item));
        } else {
            Json entry{{"title", item.title}, {"nodes", Json::array()}};
            for (const NodeId node : item.nodes)
                entry["nodes"].push_back(node.value);
            document["blocks"].push_back(place(std::move(entry), item));
        }
    }
    const auto end = [&](int index, NodeId node) {
        const DrawItem& item = drawing.items[static_cast<std::size_t>(index)];
        if (node)
            return Json(node.value);
        return Json(item.title);
    };
    for (const DrawUse& use : drawing.uses) {
        const DrawWire& wire = drawing.wires[static_cast<std::size_t>(use.wire)];
        const LayoutPath& path = drawing.paths[static_cast<std::size_t>(wire.path)];
        document["edges"].push_back({{"from", end(wire.from, use.from)},
                                     {"to", end(wire.to, use.to)},
                                     {"points", pointsOf(path)},
                                     {"stub", path.stub}});
    }
    return document;
}

} // namespace

ExitStatus command::layout(const CommandContext& context)
{
    const bool all = context.arguments().has(QStringLiteral("union"));
    const auto subject = subjectOf(context, all);
    if (!subject)
        return context.fail(subject.error());
    const Graph graph = subject->timeline->at(subject->step);
    const MeasureCard measure = cardMeasure(CardFonts::current());
    const DrawingOptions options = drawingOptions(all ? BlockMode::automatic : BlockMode::none);
    const auto drawing =
        all ? makeDrawing(*subject->timeline, options, measure, context.stop(), context.progress())
            : makeDrawing(graph, options, measure, context.stop(), context.progress());
    if (!drawing)
        return context.fail(drawing.error(), &graph);
    const DrawnNodes nodes(*subject->timeline, graph, **drawing, context.json());
    if (context.arguments().json()) {
        context.print(documentOf(**drawing, nodes));
        return context.blockedStatus(*subject->timeline);
    }
    context.print(tr("%1 × %2, %3 in %4")
                      .arg(std::lround((*drawing)->width))
                      .arg(std::lround((*drawing)->height))
                      .arg(QString::fromLatin1(layoutEngineName((*drawing)->engine).data()))
                      .arg(text::milliseconds((*drawing)->milliseconds)));
    for (const DrawItem& item : (*drawing)->items) {
        if (item.kind != DrawItem::Kind::node)
            continue;
        context.print(QStringLiteral("%1 %2 %3 %4  %5")
                          .arg(item.rect.x, 9, 'f', 1)
                          .arg(item.rect.y, 9, 'f', 1)
                          .arg(item.rect.width, 6, 'f', 0)
                          .arg(item.rect.height, 5, 'f', 0)
                          .arg(QString::fromStdString(nodes.name(item.node))));
    }
    return context.blockedStatus(*subject->timeline);
}

ExitStatus command::render(const CommandContext& context)
{
    const Arguments& arguments = context.arguments();
    const std::string path = arguments.file(QStringLiteral("output"));
    if (path.empty())
        return context.misused(tr("render needs -o FILE."));
    const QFileInfo shown(QString::fromStdString(path));
    const QString kind = shown.suffix().toLower();
    if (kind != QLatin1String("svg") && kind != QLatin1String("png") && kind != QLatin1String("pdf"))
        return context.fail(Error{ErrorCode::invalidArgument,
                                  Message("session.picture-kind", {{"file", path}}), {}, {}});
    std::error_code none; // what is not there is not the same
    if (std::filesystem::equivalent(path, arguments.operand(0), none))
        return context.fail(Error{ErrorCode::notWritten, Message("session.is-source"), path, {}});
    const bool replace = arguments.has(QStringLiteral("force"));
    if (std::filesystem::exists(path, none) && !replace)
        return context.fail(Error{ErrorCode::notWritten, Message("session.exists"), path, {}});
    const QString chosen = arguments.value(QStringLiteral("theme"));
    theme().setChoice(chosen == QLatin1String("dark") ? ThemeChoice::dark : ThemeChoice::light);

    const bool overlay = arguments.has(QStringLiteral("overlay"));
    const auto subject = subjectOf(context, overlay);
    if (!subject)
        return context.fail(subject.error());
    const auto graph = std::make_shared<const Graph>(subject->timeline->at(subject->step));
    const MeasureCard measure = cardMeasure(CardFonts::current());
    const DrawingOptions options = drawingOptions();
    const auto drawing =
        overlay ? makeDrawing(*subject->timeline, options, measure, context.stop(), context.progress())
                : makeDrawing(*graph, options, measure, context.stop(), context.progress());
    if (!drawing)
        return context.fail(drawing.error(), graph.get());
    SceneRequest request;
    request.drawing = *drawing;
    request.b = graph;
    request.a = overlay ? std::make_shared<const Graph>(subject->timeline->at(0)) : graph;
    request.stepB = subject->step;
    request.stepA = overlay ? 0 : subject->step;
    request.mode = overlay ? SceneMode::overlay : SceneMode::after;
    request.marks = overlay;
    if (overlay)
        request.blocked = blockedOf(subject->timeline);
    const auto scene = std::make_shared<const GraphScene>(makeScene(request));
    const auto written = drawPicture(kind, shown.completeBaseName(), scene, {},
                                     context.stop(), context.progress());
    if (!written)
        return context.fail(written.error(), graph.get());
    if (const auto done =
            writeReport(*subject->session, path, written->bytes.toStdString(), replace);
        !done)
        return context.fail(done.error(), graph.get());
    if (written->scale < written->asked)
        context.warn(tr("The picture is scaled to %1 % to stay within %2 × %3 pixels.")
                        .arg(text::value(written->scale * 100, 3))
                        .arg(written->pixels.width())
                        .arg(written->pixels.height()));
    if (arguments.json()) {
        const QSizeF size = pictureSize(*scene);
        Json document{{"schema", 1},
                      {"path", path},
                      {"bytes", written->bytes.size()},
                      {"step", subject->step},
                      {"width", size.width()},
                      {"height", size.height()},
                      {"scale", written->scale}};
        context.print(document);
    } else {
        context.say(tr("Wrote %1.").arg(QString::fromStdString(path)));
    }
    return context.blockedStatus(*subject->timeline);
}

} // namespace fusescope
