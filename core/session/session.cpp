#include "session/session.h"

#include "base/out_of_memory.h"
#include "session/cut_nodes.h"
#include "session/session_state.h"

#include <algorithm>
#include <chrono>
#include <set>

namespace fusescope {

namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

ModelProblem::Severity severityOf(Severity severity)
{
    switch (severity) {
    case Severity::note:
        return ModelProblem::Severity::note;
    case Severity::warning:
        return ModelProblem::Severity::warning;
    case Severity::error:
        break;
    }
    return ModelProblem::Severity::error;
}

ModelInfo infoOf(const Document& document, const Graph& graph)
{
    ModelInfo info;
    const Header& header = graph.header();
    info.path = document.path();
    info.fileBytes = document.fileBytes();
    info.irVersion = header.irVersion;
    info.opsets = header.opsets;
    info.producer = header.producerName;
    info.producerVersion = header.producerVersion;
    info.metadata = header.metadata;
    info.externalFiles = document.externalFiles();
    const Body& main = *graph.body(graph.mainBody());
    for (const ValueId id : main.inputs) {
        const Value& value = *graph.value(id);
        info.inputs.push_back({value.name, value.type.text(), value.isInitializer()});
    }
    for (const ValueId id : main.outputs) {
        const Value* value = graph.value(id);
        info.outputs.push_back({value ? value->name : "", value ? value->type.text() : "?", false});
    }
    for (const BodyId id : header.functions) {
        const OpKey& key = graph.body(id)->function->key;
        info.functions.push_back(key.domain.empty() ? key.type : key.domain + "." + key.type);
    }
    for (const Problem& problem : document.problems())
        info.problems.push_back({severityOf(problem.severity), problem.node, problem.message});
    return info;
}

bool hasOpenInputs(const Graph& graph)
{
    const auto& inputs = graph.body(graph.mainBody())->inputs;
    return std::ranges::any_of(inputs, [&graph](ValueId id) {
        const Value& value = *graph.value(id);
        return !value.isInitializer() && !value.type.shape.isStatic();
    });
}

Result<std::shared_ptr<const Document>> withFile(Result<std::shared_ptr<const Document>> document,
                                                 const std::string& path)
{
    if (!document && document.error().file.empty())
        document.error().file = path;
    return document;
}

} // namespace

Session::Session(std::shared_ptr<State> state) : m_state(std::move(state)) {}

Session::~Session() = default;

Session::State::~State()
{
    worker.request_stop();
}

static Result<std::shared_ptr<Session::State>> prepare(std::shared_ptr<const Document> document,
                                                       SessionOptions options,
                                                       std::stop_token stop)
{
    auto state = std::make_shared<Session::State>();
    state->document = std::move(document);
    state->opened = state->document->graph();
    FUSESCOPE_ASSIGN(InferredGraph inferred, inferGraph(state->opened, stop));
    state->annotated = state->document->annotated();
    FUSESCOPE_TRY(state->opened.apply(inferred.patch));
    state->info = infoOf(*state->document, state->opened); // with the sizes that files leave out
    std::set<std::pair<NodeId, std::string_view>> told; // what reading found inferring may find too
    for (const ModelProblem& problem : state->info.problems)
        told.emplace(problem.node, problem.message.text.key);
    for (InferenceProblem& problem : inferred.problems) {
        if (!told.contains({problem.node, problem.message.text.key}))
            state->info.problems.push_back(
                {ModelProblem::Severity::warning, problem.node, std::move(problem.message)});
    }
    state->pool = std::make_shared<IdPool>(state->opened);
    state->plan = std::move(options.plan);
    auto first = std::make_shared<Timeline>();
    first->plan = state->plan;
    first->history = std::make_shared<const History>(state->opened);
    first->unionGraph.extend(*first->history);
    first->nodeCounts = {state->opened.nodeCount()};
    state->timeline = std::move(first);
    if (options.runInBackground) {
        const std::scoped_lock lock(state->mutex);
        state->start();
    }
    return state;
}

Result<std::shared_ptr<Session>> Session::open(const std::string& path, SessionOptions options,
                                               std::stop_token stop, const Progress& progress)
{
    const auto start = Clock::now();
    FUSESCOPE_ASSIGN(auto document, withFile(Document::open(path, {}, stop, progress), path));
    FUSESCOPE_ASSIGN(auto state, prepare(std::move(document), std::move(options), stop));
    state->info.loadMs = millisecondsSince(start);
    return std::shared_ptr<Session>(new Session(std::move(state)));
}

Result<std::shared_ptr<Session>> Session::openBytes(std::string bytes, std::string name,
                                                    SessionOptions options)
{
    const auto start = Clock::now();
    FUSESCOPE_ASSIGN(auto document, Document::parse(std::move(bytes), std::move(name)));
    FUSESCOPE_ASSIGN(auto state, prepare(std::move(document), std::move(options), {}));
    state->info.loadMs = millisecondsSince(start);
    return std::shared_ptr<Session>(new Session(std::move(state)));
}

const std::string& Session::path() const
{
    return m_state->info.path;
}

const ModelInfo& Session::info() const
{
    return m_state->info;
}

const Graph& Session::opened() const
{
    return m_state->opened;
}

std::uint64_t Session::contentHash() const
{
    return m_state->document->contentHash();
}

TimelinePtr Session::timeline() const
{
    const std::scoped_lock lock(m_state->mutex);
    return m_state->timeline;
}

void Session::onTimeline(std::function<void(TimelinePtr)> callback)
{
    const std::scoped_lock lock(m_state->mutex);
    m_state->callback = std::move(callback);
}

Plan Session::plan() const
{
    const std::scoped_lock lock(m_state->mutex);
    return m_state->plan;
}

void Session::setPlan(Plan plan)
{
    const std::scoped_lock lock(m_state->mutex);
    if (plan == m_state->plan)
        return;
    m_state->plan = std::move(plan);
    m_state->start();
}

Result<void> Session::check(const Timeline& timeline, const Edit& edit) const
{
    const auto changes = static_cast<int>(timeline.plan.fixes.size() + timeline.plan.edits.size());
    Graph graph = timeline.at(std::min(changes, timeline.size()));
    IdPool pool(graph);
    FUSESCOPE_ASSIGN(const GraphPatch patch, editPatch(graph, pool, edit, timeline.plan.policy));
    return graph.apply(patch);
}

Result<TimelinePtr> Session::finish(std::stop_token stop, const Progress& progress)
{
    std::unique_lock lock(m_state->mutex);
    if (!m_state->running && !m_state->timeline->finished && !m_state->timeline->failed)
        m_state->start();
    const std::stop_callback wake(stop, [this] { m_state->changed.notify_all(); });
    while (!stop.stop_requested()) {
        const TimelinePtr now = m_state->timeline;
        if (now->generation == m_state->generation && now->failed)
            return tl::unexpected(now->error);
        if (now->generation == m_state->generation && now->finished)
            return now;
        progress(-1, Message("session.optimizing", {{"count", std::int64_t{now->size()}}}));
        m_state->changed.wait_for(lock, std::chrono::milliseconds(100));
    }
    return cancelled();
}

// The worker of the older generation is asked to stop and joined by the new one's thread, so that
// nobody waits here and the id pool has one user at a time.
void Session::State::start()
{
    ++generation;
    running = true;
    worker.request_stop();
    worker = std::jthread(
        [this, number = generation, chosen = plan,
         old = std::make_shared<std::jthread>(std::move(worker))](std::stop_token stop) mutable {
            if (old->joinable())
                old->join();
            optimize(number, std::move(chosen), stop);
        });
}

bool Session::State::publish(std::shared_ptr<Timeline> next)
{
    std::function<void(TimelinePtr)> notify;
    {
        const std::scoped_lock lock(mutex);
        if (next->generation != generation)
            return false;
        timeline = next;
        running = !next->finished && !next->failed;
        notify = callback;
    }
    changed.notify_all();
    if (notify)
        notify(std::move(next));
    return true;
}

void Session::State::optimize(int number, Plan chosen, std::stop_token stop)
{
    constexpr double interval = 30; // ms between two timelines, more when publishing is dear
    constexpr double unheard = 500; // when only finish() waits
    Timeline growing;
    growing.generation = number;
    growing.plan = chosen;
    growing.nodeCounts = {opened.nodeCount()};
    History history(opened);
    growing.unionGraph.extend(history);
    chosen.policy.annotated = annotated;
    SymbolSizes sizes;
    if (hasOpenInputs(opened)) {
        if (const auto inputs = loadInputs(opened, info.path, {}, false, 0, true)) {
            sizes = symbolSizes(opened, *inputs);
            growing.sizes = namedSizes(opened, *inputs);
        }
    }
    Optimizer optimizer(opened, std::move(chosen), pool, std::move(sizes));
    auto last = Clock::now();
    double publishing = 0;
    const auto snapshot = [&] {
        const auto begin = Clock::now();
        growing.unionGraph.extend(history, optimizer.graph());
        growing.history = std::make_shared<const History>(history.withLatest(optimizer.graph()));
        const bool current = publish(std::make_shared<Timeline>(growing));
        publishing = millisecondsSince(begin);
        last = Clock::now();
        return current;
    };
    const auto isHeard = [this] {
        const std::scoped_lock lock(mutex);
        return static_cast<bool>(callback);
    };
    while (!stop.stop_requested()) {
        Result<std::optional<Step>> next =
            withinMemory([&] { return optimizer.next(stop); });
        if (!next) {
            if (stop.stop_requested())
                return;
            growing.failed = true;
            growing.error = next.error();
            break;
        }
        if (!*next) {
            growing.finished = true;
            growing.blocked = optimizer.blocked();
            growing.lifted = optimizer.lifted();
            growing.remarks = optimizer.remarks();
            break;
        }
        auto step = std::make_shared<const Step>(std::move(**next));
        const std::shared_ptr<const GraphPatch> patch(step, &step->patch);
        history.append(patch, optimizer.graph());
        growing.steps.push_back(std::move(step));
        growing.nodeCounts.push_back(optimizer.graph().nodeCount());
        const double passed = millisecondsSince(last);
        if (passed > std::max(interval, publishing * 10) && (passed > unheard || isHeard()) &&
            !snapshot())
            return;
    }
    if (!stop.stop_requested())
        snapshot();
}

} // namespace fusescope
