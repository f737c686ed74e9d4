#include "io/file_writer.h"
#include "ops/registry.h"
#include "passes/lowering.h"
#include "session/session_state.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>

namespace fusescope {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

Document::SaveOptions saveOptions(const ExportOptions& options)
{
    Document::SaveOptions save;
    using From = ExportOptions::ExternalData;
    using To = Document::SaveOptions::ExternalData;
    save.externalData = options.externalData == From::always  ? To::always
                        : options.externalData == From::never ? To::never
                                                              : To::automatic;
    save.overwrite = options.overwrite;
    return save;
}

// A folder beside the target where the model is written and proved; what is in it goes with it.
class Workshop
{
public:
    static Result<Workshop> beside(const fs::path& target)
    {
        std::error_code error;
        const fs::path parent = fs::absolute(target, error).parent_path();
        if (!fs::is_directory(parent, error))
            return fail(ErrorCode::notWritten, Message("session.no-folder"), {}, target.string());
        std::string pattern = (parent / ".fusescope-XXXXXX").string();
        if (!::mkdtemp(pattern.data()))
            return fail(ErrorCode::notWritten,
                        Message("session.cannot-write", {{"cause", std::string(std::strerror(errno))}}),
                        {}, target.string());
        noteUnfinished(pattern);
        return Workshop(pattern);
    }
    explicit Workshop(fs::path folder) : m_folder(std::move(folder)) {}
    ~Workshop()
    {
        std::error_code ignored; // there is nothing more to do when even this fails
        if (m_folder.empty())
            return;
        fs::remove_all(m_folder, ignored);
        forgetUnfinished(m_folder.string());
    }
    Workshop(Workshop&& other) noexcept : m_folder(std::exchange(other.m_folder, {})) {}
    Workshop& operator=(Workshop&&) = delete;

    const fs::path& folder() const { return m_folder; }

private:
    fs::path m_folder;
};

// An error in writing a draft, by the name that the file was to have.
Error ofTarget(Error error, const fs::path& draft, const fs::path& target)
{
    const std::string inside = (draft.parent_path() / "").string();
    const auto rename = [&](std::string& text) {
        if (text.starts_with(inside))
            text = (target.parent_path() / text.substr(inside.size())).string();
    };
    rename(error.file);
    for (auto& [name, value] : error.message.args) {
        if (auto* text = std::get_if<std::string>(&value))
            rename(*text);
    }
    return error;
}

// Whether a file is one that the source consists of, by whatever path.
bool isOfSource(const Document& source, const fs::path& file)
{
    std::error_code error;
    if (!fs::exists(file, error) || source.path().empty())
        return false;
    const fs::path folder = fs::path(source.path()).parent_path();
    if (fs::equivalent(file, source.path(), error))
        return true;
    for (const std::string& external : source.externalFiles()) {
        if (fs::equivalent(file, folder / external, error))
            return true;
    }
    return false;
}

// Puts the proved files in their place, the model last. What stood there waits in the workshop and
// comes back when one of them cannot be placed.
Result<void> deliver(const Document& source, const Document::Saved& saved, const fs::path& target,
                     bool overwrite)
{
    const fs::path from = fs::path(saved.path).parent_path();
    std::vector<std::pair<fs::path, fs::path>> moves;
    for (const std::string& external : saved.externalFiles)
        moves.emplace_back(from / external, target.parent_path() / external);
    moves.emplace_back(saved.path, target);
    std::error_code error;
    for (const auto& [file, place] : moves) {
        if (isOfSource(source, place))
            return fail(ErrorCode::notWritten, Message("session.is-source"), {}, place.string());
        if (!overwrite && fs::exists(place, error))
            return fail(ErrorCode::notWritten, Message("session.exists"), {}, place.string());
    }
    // What stood there lies in the workshop for a moment, which an interrupt would take away.
    const auto held = holdUnfinished();
    std::vector<std::pair<fs::path, fs::path>> done; // from, to
    const auto move = [&done, &error](const fs::path& file, const fs::path& place) {
        fs::rename(file, place, error);
        if (!error)
            done.emplace_back(file, place);
        return !error;
    };
    for (const auto& [file, place] : moves) {
        std::error_code missing;
        const bool stood = fs::is_regular_file(fs::symlink_status(place, missing));
        const fs::path aside = from / ("replaced-" + std::to_string(done.size()));
        if ((stood && !move(place, aside)) || !move(file, place)) {
            const std::string cause = error.message();
            std::error_code back;
            for (auto it = done.rbegin(); it != done.rend(); ++it)
                fs::rename(it->second, it->first, back);
            return fail(ErrorCode::notWritten, Message("session.cannot-write", {{"cause", cause}}), {},
                        place.string());
        }
    }
    return {};
}

// Random operators draw by node, and nodes without a kernel are cut by value: such a model is proved
// with the ids that it has here, since those of the file read back are others.
bool needsItsIds(const Graph& graph)
{
    if (!ReferenceExecutor::nodesWithoutKernel(graph).empty())
        return true;
    const auto nodes = graph.allNodes();
    return std::any_of(nodes.begin(), nodes.end(), [&graph](NodeId id) {
        return isNonDeterministic(graph, *graph.node(id));
    });
}

// The operators of that domain that lowering made; those of the file are none.
std::int64_t contribNodesMade(const Graph& lowered, const Graph& fused)
{
    const auto isContrib = [](const Node* node) { return node && node->op.domain == contribDomain; };
    const auto nodes = lowered.allNodes();
    return std::ranges::count_if(nodes, [&](NodeId id) {
        return isContrib(lowered.node(id)) && !isContrib(fused.node(id));
    });
}

// The parts of the public interface that a rewrite must leave alone: names, order, types, and the
// sizes as far as both sides know them.
Result<void> checkInterface(const Graph& base, const Graph& read)
{
    using Ids = std::vector<ValueId>;
    // At IR ≤ 3 initializers are listed among the inputs without being public.
    const auto publicOnes = [](const Graph& graph, const Ids& ids) {
        Ids list;
        std::ranges::copy_if(ids, std::back_inserter(list), [&graph](ValueId id) {
            const Value* value = graph.value(id);
            return value && (graph.header().irVersion >= 4 || !value->isInitializer());
        });
        return list;
    };
    const auto sameSizes = [](const Shape& a, const Shape& b) {
        if (!a.hasRank() || !b.hasRank())
            return true;
        return std::ranges::equal(a.dims(), b.dims(), [](const Dim& x, const Dim& y) {
            return !x.isConstant() || !y.isConstant() || x == y;
        });
    };
    const auto same = [&](ValueId a, ValueId b) {
        const Value& x = *base.value(a);
        const Value& y = *read.value(b);
        return x.name == y.name && x.type.kind == y.type.kind &&
               (x.type.dtype == y.type.dtype || !isKnown(x.type.dtype)) &&
               sameSizes(x.type.shape, y.type.shape);
    };
    const auto changed = [&](const Ids& before, const Ids& after) -> std::optional<std::string> {
        for (std::size_t i = 0; i < std::max(before.size(), after.size()); ++i) {
            if (i >= before.size() || i >= after.size() || !same(before[i], after[i]))
                return i < before.size() ? base.value(before[i])->name : read.value(after[i])->name;
        }
        return std::nullopt;
    };
    const Body& before = *base.body(base.mainBody());
    const Body& after = *read.body(read.mainBody());
    auto name = changed(publicOnes(base, before.inputs), publicOnes(read, after.inputs));
    if (!name)
        name = changed(before.outputs, after.outputs);
    if (name)
        return fail(ErrorCode::failed, Message("session.interface-changed", {{"name", *name}}));
    return {};
}

constexpr std::uintmax_t checkerLimit = 256 << 20; // bytes: the checker takes a copy of the file

// ONNX's own checker on the file written; a complaint that the source draws too is none of ours.
Result<void> askChecker(const Document& source, const std::string& file)
{
    std::error_code error;
    if (const auto size = fs::file_size(file, error); error || size > checkerLimit)
        return {};
    std::ifstream stream(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    const auto complaint = onnxCheckerComplaint(bytes);
    if (!complaint)
        return {};
    FUSESCOPE_ASSIGN(const std::string before, source.serialize(source.graph()));
    if (onnxCheckerComplaint(before))
        return {};
    return fail(ErrorCode::failed, Message("session.checker-complains", {{"cause", *complaint}}), {},
                file);
}

} // namespace

Result<ExportResult> Session::exportModel(const Timeline& timeline, const std::string& path,
                                          const ExportOptions& options, std::stop_token stop,
                                          const Progress& progress)
{
    ExportResult result;
    const int upTo = options.upTo < 0 ? timeline.size() : options.upTo;
    auto start = Clock::now();
    const Graph fused = timeline.at(upTo);
    result.fusedNodes = fused.nodeCount();
    Graph lowered = fused;
    IdPool pool(fused);
    FUSESCOPE_ASSIGN(const GraphPatch patch, lower(fused, pool, options.form, &m_state->opened));
    FUSESCOPE_TRY(lowered.apply(patch));
    auto sound = std::async(std::launch::async, [&lowered] { return lowered.check(); });
    std::error_code error;
    if (isOfSource(*m_state->document, path))
        return fail(ErrorCode::notWritten, Message("session.is-source"), {}, path);
    if (!options.overwrite && fs::exists(path, error))
        return fail(ErrorCode::notWritten, Message("session.exists"), {}, path);
    if (fs::exists(path, error) && !fs::is_regular_file(path, error))
        return fail(ErrorCode::notWritten, Message("session.not-a-file"), {}, path);
    // A link stays one: the file that it leads to is written.
    FUSESCOPE_ASSIGN(const fs::path target, resolveTarget(path, options.overwrite));
    FUSESCOPE_ASSIGN(const Workshop workshop, Workshop::beside(target));
    const fs::path draft = workshop.folder() / target.filename();
    progress(0.1, Message("session.writing"));
    auto written =
        m_state->document->save(lowered, draft.string(), saveOptions(options), stop, progress);
    if (!written)
        return tl::unexpected(ofTarget(std::move(written).error(), draft, target));
    const Document::Saved saved = *std::move(written);
    FUSESCOPE_TRY(sound.get());
    result.milliseconds["export"] = since(start);

    progress(0.4, Message("session.reading-back"));
    start = Clock::now();
    auto secondOpinion = std::async(std::launch::async, [this, file = draft.string()] {
        return askChecker(*m_state->document, file);
    });
    FUSESCOPE_ASSIGN(const auto document, Document::open(draft.string(), {}, stop));
    Graph read = document->graph();
    FUSESCOPE_ASSIGN(const InferredGraph inferred, inferGraph(read, stop));
    FUSESCOPE_TRY(read.apply(inferred.patch));
    FUSESCOPE_TRY(validateForSaving(read, &m_state->opened));
    FUSESCOPE_ASSIGN(const Graph base, proofBase(timeline));
    FUSESCOPE_TRY(checkInterface(base, read));
    FUSESCOPE_TRY(secondOpinion.get());
    result.path = path;
    result.bytes = saved.bytes;
    result.nodes = read.nodeCount();
    if (options.verify) {
        progress(0.5, Message("session.proving"));
        const std::int64_t contrib = contribNodesMade(lowered, fused);
        Graph proved = needsItsIds(lowered) ? lowered : read;
        if (contrib > 0) {
            // No kernel here runs those operators: what they stand for is run in their place.
            proved = fused;
            IdPool others(fused);
            FUSESCOPE_ASSIGN(const GraphPatch plain,
                             lower(fused, others, ExportForm::standard, nullptr));
            FUSESCOPE_TRY(proved.apply(plain));
        }
        FUSESCOPE_ASSIGN(result.verification,
                         proveGraph(*this, timeline, proved,
                                    ProofOptions{options.inputs, options.rtol, options.atol}, stop,
                                    progress));
        if (contrib > 0 && result.verification.status == VerificationStatus::pass) {
            result.verification.status = VerificationStatus::partial;
            result.verification.why = Message(
                "session.contrib-not-run", {{"count", contrib}});
        }
    } else {
        result.verification.why = Message("session.not-asked");
    }
    result.milliseconds["verify"] = since(start);
    FUSESCOPE_TRY(m_state->document->checkUnchanged());
    if (result.verification.status != VerificationStatus::fail)
        FUSESCOPE_TRY(deliver(*m_state->document, saved, target, options.overwrite));
    return result;
}

} // namespace fusescope
