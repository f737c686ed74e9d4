#include "io/model_reader.h"

#include "io/attribute_fields.h"
#include "io/type_message.h"

#include <set>

namespace fusescope {

namespace {

// Both give nothing where the message is damaged.
std::optional<std::pair<std::string, std::string>> readEntry(std::string_view message)
{
    std::pair<std::string, std::string> result;
    WireReader reader(message);
    for (WireField f; reader.next(f);) {
        if (f.isBytes(1))
            result.first = f.bytes;
        else if (f.isBytes(2))
            result.second = f.bytes;
    }
    return reader.isMalformed() ? std::nullopt : std::optional(std::move(result));
}

std::optional<std::pair<std::string, std::int64_t>> readOpset(std::string_view message)
{
    std::pair<std::string, std::int64_t> result;
    WireReader reader(message);
    for (WireField f; reader.next(f);) {
        if (f.isBytes(1))
            result.first = f.bytes;
        else if (f.is(2, WireType::varint))
            result.second = static_cast<std::int64_t>(f.value);
    }
    return reader.isMalformed() ? std::nullopt : std::optional(std::move(result));
}

class ModelReader
{
public:
    ModelReader(const std::shared_ptr<const MappedFile>& file, ExternalData& external,
                const LoadLimits& limits, std::stop_token stop, const Progress& progress)
        : m_file(file), m_limits(limits), m_stop(std::move(stop)), m_progress(progress)
    {
        m_context.owner = file;
        m_context.external = &external;
        m_context.problem = [this](const Message& why) {
            // A file that is not there is named once, not for each of its tensors.
            const bool missing = why.text == TextId("io.cannot-open");
            const bool ofFile = missing || why.text == TextId("io.external-leaves-folder");
            if (ofFile && !m_missing.insert(std::get<std::string>(why.args.at(0).second)).second)
                return;
            m_problems.push_back({Severity::error, ofFile ? NodeId{} : m_node,
                                  missing ? Message("io.weights-missing", why.args) : why});
        };
    }

    Result<ReadModel> read()
    {
        m_records.model = m_file->bytes();
        m_records.nodes.emplace_back();
        m_records.nodeHasExternal.push_back(false);
        m_records.bodies.emplace_back();
        std::optional<std::string_view> graph;
        std::vector<std::string_view> functions;
        Header& header = m_source.header;
        WireReader reader(m_records.model);
        WireField f;
        while (reader.next(f)) {
            FUSESCOPE_TRY(readHeaderField(f, header));
            if (f.isBytes(7))
                graph = f.bytes;
            else if (f.isBytes(25))
                functions.push_back(f.bytes);
        }
        // What begins with a version or a graph and ends inside a record lacks its end.
        if ((header.irVersion > 0 || graph) && reader.missing() > 0 &&
            reader.missing() < (std::uint64_t{1} << 40))
            return fail(ErrorCode::unreadable,
                        Message("io.cut-off",
                                {{"size", static_cast<std::int64_t>(m_records.model.size())},
                                 {"missing", std::to_string(reader.missing())}}));
        if (reader.isMalformed())
            return fail(ErrorCode::unreadable,
                        Message("io.not-a-model", {{"offset", offsetOf(reader)}}));
        if (!graph)
            return fail(ErrorCode::invalidModel, Message("io.no-graph"));
        if (header.opsets.empty() && header.irVersion < 3)
            header.opsets.emplace_back("", 1); // before IR 3 there were no other versions
        m_source.main.body.kind = Body::Kind::main;
        FUSESCOPE_TRY(readGraph(*graph, m_source.main, 0));
        for (const std::string_view function : functions) {
            m_source.functions.emplace_back();
            FUSESCOPE_TRY(readFunction(function, m_source.functions.back()));
        }
        return ReadModel{std::move(m_source), std::move(m_records), std::move(m_problems)};
    }

private:
    std::int64_t offsetOf(const WireReader& reader) const
    {
        return reader.position() - m_records.model.data();
    }

    tl::unexpected<Error> malformed(const WireReader& reader) const
    {
        return fail(ErrorCode::invalidModel,
                    Message("io.malformed", {{"offset", offsetOf(reader)}}), m_node);
    }
    tl::unexpected<Error> malformed(std::string_view message) const
    {
        return fail(ErrorCode::invalidModel,
                    Message("io.malformed", {{"offset", message.data() - m_records.model.data()}}),
                    m_node);
    }

    // Appends an entry that `read` makes of the field; an error where the message is damaged.
    template <class List, class Read>
    Result<void> append(List& list, const WireField& f, const Read& read) const
    {
        auto entry = f.type == WireType::bytes ? read(f.bytes) : std::nullopt;
        if (!entry)
            return f.type == WireType::bytes ? Result<void>(malformed(f.bytes)) : Result<void>();
        list.push_back(std::move(*entry));
        return {};
    }

    Result<void> readHeaderField(const WireField& f, Header& header) const
    {
        const bool isVarint = f.type == WireType::varint;
        switch (f.number) {
        case 1:
            header.irVersion = isVarint ? static_cast<std::int64_t>(f.value) : header.irVersion;
            break;
        case 2:
            header.producerName = f.bytes;
            break;
        case 3:
            header.producerVersion = f.bytes;
            break;
        case 4:
            header.domain = f.bytes;
            break;
        case 5:
            header.modelVersion = isVarint ? static_cast<std::int64_t>(f.value) : 0;
            break;
        case 6:
            header.docString = f.bytes;
            break;
        case 8:
            return append(header.opsets, f, readOpset);
        case 14:
            return append(header.metadata, f, readEntry);
        default:
            break;
        }
        return {};
    }

    Result<ValueSource> readValueInfo(std::string_view message)
    {
        ValueSource value;
        WireReader reader(message);
        for (WireField f; reader.next(f);) {
            if (f.isBytes(1)) {
                value.name = f.bytes;
            } else if (f.isBytes(2)) {
                auto type = readTypeMessage(f.bytes, m_limits.maxDepth);
                if (!type)
                    return malformed(f.bytes);
                value.type = *std::move(type);
            } else if (f.isBytes(3)) {
                value.docString = f.bytes;
            }
        }
        if (reader.isMalformed())
            return malformed(reader);
        return value;
    }

    std::size_t addBody(std::string_view message)
    {
        m_records.bodies.emplace_back();
        m_records.bodies.back().message = message;
        return m_records.bodies.size() - 1;
    }

    Result<void> readGraph(std::string_view message, BodySource& source, int depth)
    {
        if (depth > m_limits.maxDepth)
            return fail(ErrorCode::invalidModel, Message("io.too-deep"), m_node);
        const std::size_t id = addBody(message);
        WireReader reader(message);
        for (WireField f; reader.next(f);) {
            if (f.type != WireType::bytes)
                continue;
            switch (f.number) {
            case 1:
                FUSESCOPE_TRY(readNode(f.bytes, source, depth));
                break;
            case 2:
                source.body.name = f.bytes;
                break;
            case 5:
            case 15:
                FUSESCOPE_TRY(readInitializer(f, source, id));
                break;
            case 10:
                source.body.docString = f.bytes;
                break;
            case 11:
                FUSESCOPE_TRY(readValue(f.bytes, source.inputs, m_records.bodies[id].inputs));
                break;
            case 12:
                FUSESCOPE_TRY(readValue(f.bytes, source.outputs, m_records.bodies[id].outputs));
                break;
            case 13:
                FUSESCOPE_TRY(readValue(f.bytes, source.valueInfos, m_records.bodies[id].valueInfos));
                break;
            case 16:
                FUSESCOPE_TRY(append(source.body.metadata, f, readEntry));
                break;
            default:
                break;
            }
        }
        if (reader.isMalformed())
            return malformed(reader);
        return {};
    }

    Result<void> readValue(std::string_view message, std::vector<ValueSource>& values,
                           std::vector<std::string_view>& records)
    {
        FUSESCOPE_ASSIGN(ValueSource value, readValueInfo(message));
        values.push_back(std::move(value));
        records.push_back(message);
        return {};
    }

    Result<void> readInitializer(const WireField& f, BodySource& source, std::size_t body)
    {
        InitializerSource initializer;
        bool isExternal = false;
        const NodeId outside = std::exchange(m_node, NodeId{});
        if (f.number == 5) {
            auto read = readTensorMessage(f.bytes, m_context);
            if (!read)
                return malformed(f.bytes);
            isExternal = read->isExternal;
            initializer.name = std::move(read->name);
            initializer.docString = std::move(read->docString);
            initializer.tensor = std::move(read->tensor);
        } else {
            auto read = readSparseMessage(f.bytes, m_context);
            if (!read)
                return malformed(f.bytes);
            initializer.name = std::move(read->name);
            initializer.sparse = std::move(read->tensor);
        }
        m_node = outside;
        source.initializers.push_back(std::move(initializer));
        m_records.bodies[body].initializers.push_back(f.bytes);
        m_records.bodies[body].isExternal.push_back(isExternal);
        return {};
    }

    Result<void> readNode(std::string_view message, BodySource& body, int depth)
    {
        if (m_stop.stop_requested())
            return cancelled();
        if (static_cast<std::int64_t>(m_records.nodes.size()) > m_limits.maxNodes)
            return fail(ErrorCode::invalidModel,
                        Message("io.too-many-nodes", {{"limit", m_limits.maxNodes}}));
        if (m_records.nodes.size() % 4096 == 0)
            m_progress(static_cast<double>(message.data() - m_records.model.data()) /
                           static_cast<double>(m_records.model.size()),
                       Message("io.reading"));
        const NodeId id{static_cast<std::uint32_t>(m_records.nodes.size())};
        const NodeId outside = std::exchange(m_node, id);
        m_records.nodes.push_back(message);
        m_records.nodeHasExternal.push_back(false);
        body.nodes.emplace_back();
        NodeSource& source = body.nodes.back();
        WireReader reader(message);
        for (WireField f; reader.next(f);) {
            if (f.type == WireType::bytes)
                FUSESCOPE_TRY(readNodeField(f, source, depth));
        }
        if (reader.isMalformed())
            return malformed(reader);
        if (source.node.op.domain == "ai.onnx")
            source.node.op.domain.clear();
        m_node = outside;
        return {};
    }

    Result<void> readNodeField(const WireField& f, NodeSource& source, int depth)
    {
        Node& node = source.node;
        switch (f.number) {
        case 1:
            source.inputs.emplace_back(f.bytes);
            break;
        case 2:
            source.outputs.emplace_back(f.bytes);
            break;
        case 3:
            node.name = f.bytes;
            break;
        case 4:
            node.op.type = f.bytes;
            break;
        case 5: {
            FUSESCOPE_ASSIGN(Attribute attribute, readAttribute(f.bytes, &source, depth));
            if (node.attributes.has(attribute.name))
                m_problems.push_back({Severity::error, m_node,
                                      Message("io.attribute-twice", {{"name", attribute.name}})});
            node.attributes.set(std::move(attribute));
            break;
        }
        case 6:
            node.docString = f.bytes;
            break;
        case 7:
            node.op.domain = f.bytes;
            break;
        case 8:
            node.op.overload = f.bytes;
            break;
        case 9:
            FUSESCOPE_TRY(append(node.metadata, f, readEntry));
            break;
        default:
            break;
        }
        return {};
    }

    Result<void> readGraphInto(std::string_view message, AttributeFields& into, NodeSource* node,
                               const std::string& name, int depth)
    {
        if (!node)
            return fail(ErrorCode::invalidModel, Message("io.graph-as-default"));
        // `node->bodies` may grow while the inner graph is read: it is filled first.
        BodySource inner;
        inner.body.kind = Body::Kind::inner;
        inner.body.attributeName = name;
        FUSESCOPE_TRY(readGraph(message, inner, depth + 1));
        node->bodies.push_back(std::move(inner));
        into.graphs.push_back(BodyId{static_cast<std::uint32_t>(node->bodies.size())});
        return {};
    }

    Result<void> readAttributeField(const WireField& f, AttributeFields& a, NodeSource* node,
                                    const std::string& name, int depth)
    {
        if (f.isBytes(6) || f.isBytes(11)) {
            a.see(f.number == 6 ? AttributeType::graph : AttributeType::graphs);
            return readGraphInto(f.bytes, a, node, name, depth);
        }
        if (!a.read(f, m_context, m_limits.maxDepth))
            return malformed(f.whole);
        return {};
    }

    Result<Attribute> readAttribute(std::string_view message, NodeSource* node, int depth)
    {
        Attribute attribute;
        AttributeFields a;
        WireReader names(message);
        for (WireField f; names.next(f);) {
            if (f.isBytes(1))
                attribute.name = f.bytes;
            else if (f.isBytes(13))
                attribute.docString = f.bytes;
            else if (f.isBytes(21))
                attribute.reference = f.bytes;
            else if (f.is(20, WireType::varint) && f.value <= 14)
                attribute.type = static_cast<AttributeType>(f.value);
        }
        if (names.isMalformed())
            return malformed(names);
        WireReader reader(message);
        for (WireField f; reader.next(f);)
            FUSESCOPE_TRY(readAttributeField(f, a, node, attribute.name, depth));
        if (attribute.type == AttributeType::undefined)
            attribute.type = a.seen; // files of IR 1 name no type
        if (a.hasExternal && m_node)
            m_records.nodeHasExternal[m_node.value] = true;
        if (attribute.reference.empty())
            std::move(a).giveTo(attribute);
        return attribute;
    }

    Result<void> readFunction(std::string_view message, BodySource& source)
    {
        const std::size_t id = addBody(message);
        source.body.kind = Body::Kind::function;
        auto info = std::make_shared<FunctionInfo>();
        WireReader reader(message);
        for (WireField f; reader.next(f);) {
            if (f.type != WireType::bytes)
                continue;
            switch (f.number) {
            case 1:
                info->key.type = f.bytes;
                break;
            case 4:
                source.inputs.push_back({std::string(f.bytes), {}, {}});
                break;
            case 5:
                source.outputs.push_back({std::string(f.bytes), {}, {}});
                break;
            case 6:
                info->attributes.emplace_back(f.bytes);
                break;
            case 7:
                FUSESCOPE_TRY(readNode(f.bytes, source, 0));
                break;
            case 8:
                info->docString = f.bytes;
                break;
            case 9:
                FUSESCOPE_TRY(append(info->opsets, f, readOpset));
                break;
            case 10:
                info->key.domain = f.bytes == "ai.onnx" ? std::string_view() : f.bytes;
                break;
            case 11: {
                FUSESCOPE_ASSIGN(Attribute attribute, readAttribute(f.bytes, nullptr, 0));
                info->defaults.set(std::move(attribute));
                break;
            }
            case 12:
                FUSESCOPE_TRY(readValue(f.bytes, source.valueInfos, m_records.bodies[id].valueInfos));
                break;
            case 13:
                info->key.overload = f.bytes;
                break;
            case 14:
                FUSESCOPE_TRY(append(info->metadata, f, readEntry));
                break;
            default:
                break;
            }
        }
        if (reader.isMalformed())
            return malformed(reader);
        source.body.name = info->key.type;
        source.body.function = std::move(info);
        return {};
    }

    std::shared_ptr<const MappedFile> m_file;
    LoadLimits m_limits;
    std::stop_token m_stop;
    const Progress& m_progress;
    TensorContext m_context;
    ModelSource m_source;
    ModelRecords m_records;
    std::vector<Problem> m_problems;
    std::set<std::string> m_missing;
    NodeId m_node; // the one being read
};

} // namespace

Result<ReadModel> readModel(const std::shared_ptr<const MappedFile>& file, ExternalData& external,
                            const LoadLimits& limits, std::stop_token stop,
                            const Progress& progress)
{
    return ModelReader(file, external, limits, std::move(stop), progress).read();
}

} // namespace fusescope
