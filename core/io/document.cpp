#include "io/document.h"

#include "io/annotations.h"
#include "io/file_writer.h"
#include "io/model_writer.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <unordered_map>

namespace fusescope {

struct Document::State
{
    std::string path;
    std::shared_ptr<const MappedFile> file;
    ExternalData external;
    OpenedModel opened;
    std::vector<Problem> problems;
    std::uint64_t hash = 0;

    explicit State(std::string folder) : external(std::move(folder)) {}
};

namespace {

constexpr std::uint64_t protoLimit = 0x7FFFFFFF; // what readers of protobuf take

std::string folderOf(const std::string& path)
{
    return std::filesystem::path(path).parent_path().string();
}

// Without the contents of tensors of 64 bytes and more.
std::uint64_t hashOf(const Graph& graph, std::string_view file)
{
    std::vector<std::pair<std::size_t, std::size_t>> tensors; // begin, end
    const auto leaveOut = [&](const Tensor* tensor) {
        if (!tensor || !tensor->isMapped() || tensor->byteSize() < 64)
            return;
        const char* data = reinterpret_cast<const char*>(tensor->data());
        if (std::less_equal<>()(file.data(), data) &&
            std::less<>()(data, file.data() + file.size())) {
            const auto begin = static_cast<std::size_t>(data - file.data());
            tensors.emplace_back(begin, begin + static_cast<std::size_t>(tensor->byteSize()));
        }
    };
    for (std::uint32_t i = 1; i < graph.valueLimit(); ++i) {
        if (const Value* value = graph.value(ValueId{i}))
            leaveOut(value->constant.get());
    }
    for (const NodeId id : graph.allNodes()) {
        for (const Attribute& attribute : graph.node(id)->attributes) {
            if (const auto* tensor = std::get_if<TensorPtr>(&attribute.value))
                leaveOut(tensor->get());
        }
    }
    std::sort(tensors.begin(), tensors.end());
    std::uint64_t hash = file.size();
    const auto mix = [&hash](std::string_view bytes) {
        while (!bytes.empty()) {
            std::uint64_t word = 0;
            const std::size_t size = std::min<std::size_t>(bytes.size(), 8);
            std::memcpy(&word, bytes.data(), size);
            hash = (hash ^ word) * 0x9E3779B97F4A7C15ULL;
            hash ^= hash >> 29;
            bytes.remove_prefix(size);
        }
    };
    std::size_t at = 0;
    for (const auto& [begin, end] : tensors) {
        if (begin > at)
            mix(file.substr(at, begin - at));
        at = std::max(at, end);
    }
    mix(file.substr(at));
    return hash;
}

Error named(Error error, const std::string& path)
{
    if (error.file.empty())
        error.file = path;
    return error;
}

Result<void> writeMessage(AtomicFile& file, const WireMessage& message, std::uint64_t total,
                          const std::stop_token& stop, const Progress& progress)
{
    constexpr std::size_t step = 8U << 20;
    const auto write = [&](std::string_view bytes) -> Result<void> {
        while (!bytes.empty()) {
            if (stop.stop_requested())
                return cancelled();
            const auto part = bytes.substr(0, step);
            FUSESCOPE_TRY(file.write(part));
            bytes.remove_prefix(part.size());
            if (file.written() > step)
                progress(static_cast<double>(file.written()) / static_cast<double>(total),
                         Message("io.writing"));
        }
        return {};
    };
    std::string buffer;
    for (const WireMessage::Piece& piece : message.pieces()) {
        if (!piece.view) {
            buffer += piece.own;
        } else if (piece.times == 1 && piece.size < step) {
            buffer.append(piece.view, piece.size);
        } else {
            FUSESCOPE_TRY(write(buffer));
            buffer.clear();
            for (std::uint64_t i = 0; i < piece.times; ++i) {
                if (piece.times == 1) {
                    FUSESCOPE_TRY(write({piece.view, piece.size}));
                    continue;
                }
                buffer.append(piece.view, piece.size);
                if (buffer.size() >= step) {
                    FUSESCOPE_TRY(write(buffer));
                    buffer.clear();
                }
            }
        }
        if (buffer.size() >= step) {
            FUSESCOPE_TRY(write(buffer));
            buffer.clear();
        }
    }
    return write(buffer);
}

// Written out in stretches: it may be larger than the memory.
Result<void> writeSplat(AtomicFile& file, const Tensor& tensor)
{
    const auto size = static_cast<std::size_t>(bitsOf(tensor.dtype())) / 8;
    const std::string_view element(static_cast<const char*>(tensor.splatElement()), size);
    constexpr std::size_t longest = 1U << 20;
    std::string stretch;
    while (stretch.size() + size <= longest)
        stretch += element;
    for (auto left = static_cast<std::uint64_t>(tensor.byteSize()); left > 0;) {
        const auto now = std::min<std::uint64_t>(left, stretch.size());
        FUSESCOPE_TRY(file.write(std::string_view(stretch).substr(0, now)));
        left -= now;
    }
    return {};
}

Result<void> writeExternal(AtomicFile& file, const WrittenModel& written,
                           const std::stop_token& stop, const Progress& progress)
{
    for (const ExternalTensor& entry : written.external) {
        FUSESCOPE_TRY(file.write(std::string(entry.offset - file.written(), '\0')));
        WireMessage contents;
        const Tensor& tensor = *entry.tensor;
        if (tensor.isSplat()) {
            FUSESCOPE_TRY(writeSplat(file, tensor));
            continue;
        }
        contents.kept({reinterpret_cast<const char*>(tensor.data()),
                       static_cast<std::size_t>(tensor.byteSize())});
        FUSESCOPE_TRY(writeMessage(file, contents, written.externalBytes, stop, progress));
    }
    return {};
}

} // namespace

Document::Document(std::shared_ptr<State> state) : m_state(std::move(state)) {}
Document::~Document() = default;

namespace {

Result<void> load(const std::shared_ptr<const MappedFile>& file, ExternalData& external,
                  OpenedModel& opened, std::vector<Problem>& problems, const LoadLimits& limits,
                  std::stop_token stop, const Progress& progress)
{
    FUSESCOPE_ASSIGN(ReadModel read, readModel(file, external, limits, std::move(stop), progress));
    FUSESCOPE_ASSIGN(MadeGraph made, makeGraph(std::move(read.source)));
    opened.graph = std::move(made.graph);
    opened.records = std::move(read.records);
    opened.valueInfos = std::move(made.valueInfos);
    opened.valueInfos.insert(opened.valueInfos.begin(), std::vector<ValueId>());
    problems = std::move(read.problems);
    for (MakeProblem& problem : made.problems)
        problems.push_back({Severity::warning, problem.node, std::move(problem.message)});
    for (Problem& problem : validate(opened.graph))
        problems.push_back(std::move(problem));
    return {};
}

} // namespace

Result<std::shared_ptr<const Document>> Document::open(const std::string& path,
                                                       const LoadLimits& limits,
                                                       std::stop_token stop,
                                                       const Progress& progress)
{
    auto state = std::make_shared<State>(folderOf(path));
    state->path = path;
    FUSESCOPE_ASSIGN(state->file, MappedFile::open(path));
    if (auto loaded = load(state->file, state->external, state->opened, state->problems, limits,
                           std::move(stop), progress);
        !loaded)
        return tl::unexpected(named(std::move(loaded).error(), path));
    state->hash = hashOf(state->opened.graph, state->file->bytes());
    return std::shared_ptr<const Document>(new Document(std::move(state)));
}

Result<std::shared_ptr<const Document>> Document::parse(std::string bytes, std::string name,
                                                        std::string folder,
                                                        const LoadLimits& limits)
{
    auto state = std::make_shared<State>(std::move(folder));
    state->path = std::move(name);
    state->file = MappedFile::ofBytes(std::move(bytes));
    if (auto loaded = load(state->file, state->external, state->opened, state->problems, limits, {},
                           {});
        !loaded)
        return tl::unexpected(named(std::move(loaded).error(), state->path));
    state->hash = hashOf(state->opened.graph, state->file->bytes());
    return std::shared_ptr<const Document>(new Document(std::move(state)));
}

const Graph& Document::graph() const
{
    return m_state->opened.graph;
}

const std::string& Document::path() const
{
    return m_state->path;
}

std::int64_t Document::fileBytes() const
{
    return static_cast<std::int64_t>(m_state->file->bytes().size()) + m_state->external.bytes();
}

const std::vector<Problem>& Document::problems() const
{
    return m_state->problems;
}

std::vector<std::string> Document::externalFiles() const
{
    return m_state->external.files();
}

Result<void> Document::checkUnchanged() const
{
    std::optional<std::string> changed = m_state->external.changed();
    if (!m_state->file->isIntact())
        changed = m_state->path;
    if (!changed)
        return {};
    return fail(ErrorCode::unreadable, Message("io.changed-since", {{"file", *changed}}), {}, *changed);
}

std::uint64_t Document::contentHash() const
{
    return m_state->hash;
}

std::map<ValueId, std::vector<ValueId>> Document::annotated() const
{
    const OpenedModel& opened = m_state->opened;
    std::map<ValueId, std::vector<ValueId>> result;
    for (std::uint32_t b = 1; b < opened.records.bodies.size(); ++b) {
        const Body* body = opened.graph.body(BodyId{b});
        if (!body || body->kind == Body::Kind::function)
            continue;
        const auto annotations = annotationsOf(opened.records.bodies[b].message);
        if (annotations.empty())
            continue;
        std::unordered_map<std::string_view, ValueId> ids;
        for (std::uint32_t i = 1; i < opened.graph.valueLimit(); ++i) {
            const Value* value = opened.graph.value(ValueId{i});
            if (value && value->body == BodyId{b})
                ids.emplace(value->name, ValueId{i});
        }
        for (const std::string_view annotation : annotations) {
            for (const std::string_view tensor : annotatedTensor(annotation)) {
                for (const std::string_view parameter : parametersOf(annotation)) {
                    if (ids.contains(tensor) && ids.contains(parameter))
                        result[ids.at(parameter)].push_back(ids.at(tensor));
                }
            }
        }
    }
    return result;
}

Result<Document::Saved> Document::save(const Graph& graph, const std::string& path,
                                       const SaveOptions& options, std::stop_token stop,
                                       const Progress& progress) const
{
    // The source, or a file that its weights come from, by whatever path.
    const auto isSource = [&](const std::string& target) {
        std::error_code error;
        const auto identity = identityOf(target);
        if (identity) {
            const auto used = m_state->external.identities();
            if (*identity == m_state->file->identity() ||
                std::find(used.begin(), used.end(), *identity) != used.end())
                return true;
        }
        const auto a = std::filesystem::weakly_canonical(target, error);
        const auto b = std::filesystem::weakly_canonical(m_state->path, error);
        return m_state->file->identity() != FileIdentity() && a == b;
    };
    const auto targetOf = [&](const std::string& wanted) -> Result<std::string> {
        if (isSource(wanted))
            return fail(ErrorCode::notWritten, Message("io.is-source", {{"file", wanted}}), {},
                        wanted);
        return resolveTarget(wanted, options.overwrite);
    };
    FUSESCOPE_ASSIGN(const std::string target, targetOf(path));
    using External = SaveOptions::ExternalData;
    const std::string dataName = std::filesystem::path(target).filename().string() + ".data";
    const bool always = options.externalData == External::always;
    FUSESCOPE_ASSIGN(WrittenModel written,
                     writeModel(m_state->opened, graph, always ? dataName : std::string(), stop));
    if (written.message.size() > protoLimit && options.externalData == External::automatic) {
        FUSESCOPE_ASSIGN(written, writeModel(m_state->opened, graph, dataName, stop));
    }
    if (written.message.size() > protoLimit)
        return fail(ErrorCode::unsupported,
                    Message("io.too-large",
                            {{"size", static_cast<std::int64_t>(written.message.size())}}),
                    {}, path);
    Saved saved;
    saved.path = target;
    saved.bytes = static_cast<std::int64_t>(written.message.size() + written.externalBytes);
    std::optional<AtomicFile> data;
    if (!written.external.empty()) {
        const std::string dataPath =
            (std::filesystem::path(target).parent_path() / dataName).string();
        FUSESCOPE_ASSIGN(const std::string dataTarget, targetOf(dataPath));
        FUSESCOPE_ASSIGN(AtomicFile file,
                         AtomicFile::create(dataTarget, static_cast<std::uint64_t>(saved.bytes)));
        data.emplace(std::move(file));
        FUSESCOPE_TRY(writeExternal(*data, written, stop, progress));
        FUSESCOPE_TRY(data->sync());
        saved.externalFiles.push_back(dataName);
    }
    FUSESCOPE_ASSIGN(AtomicFile file, AtomicFile::create(target, written.message.size()));
    FUSESCOPE_TRY(writeMessage(file, written.message, written.message.size(), stop, progress));
    FUSESCOPE_TRY(file.sync());
    if (stop.stop_requested())
        return cancelled();
    if (data)
        FUSESCOPE_TRY(AtomicFile::renameBoth(*data, file));
    else
        FUSESCOPE_TRY(file.rename());
    return saved;
}

Result<std::string> Document::serialize(const Graph& graph) const
{
    FUSESCOPE_ASSIGN(const WrittenModel written, writeModel(m_state->opened, graph, {}));
    if (written.message.size() > protoLimit)
        return fail(ErrorCode::unsupported,
                    Message("io.too-large",
                            {{"size", static_cast<std::int64_t>(written.message.size())}}));
    return written.message.text();
}

} // namespace fusescope
