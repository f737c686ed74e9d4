#include "io/model_writer.h"

#include "io/annotations.h"
#include "io/attribute_message.h"
#include "io/kept_records.h"
#include "io/tensor_message.h"
#include "io/type_message.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

namespace fusescope {

namespace {

constexpr std::uint64_t externalAlignment = 4096; // lets readers map tensors on their own

class ModelWriter
{
public:
    ModelWriter(const OpenedModel& opened, const Graph& graph, const std::string& dataFile,
                std::stop_token stop)
        : m_opened(opened), m_old(opened.graph), m_new(graph), m_dataFile(dataFile),
          m_kept(opened, graph, !dataFile.empty()), m_stop(std::move(stop))
    {
    }

    Result<WrittenModel> write()
    {
        for (const NodeId id : m_new.allNodes()) {
            if (m_new.node(id)->region)
                return fail(ErrorCode::failed, Message("io.region-not-lowered"), id);
        }
        m_written.message = modelMessage();
        if (m_stop.stop_requested())
            return cancelled();
        return std::move(m_written);
    }

private:
    // Names

    const std::string& nameOf(ValueId id)
    {
        static const std::string absent;
        const Value* value = m_new.value(id);
        if (!value)
            return absent;
        if (!value->name.empty())
            return value->name;
        const auto [at, isNew] = m_names.try_emplace(id);
        if (isNew) {
            if (m_taken.empty()) {
                for (std::uint32_t i = 1; i < m_new.valueLimit(); ++i) {
                    if (const Value* v = m_new.value(ValueId{i}))
                        m_taken.insert(v->name);
                }
            }
            at->second = fmt::format("value_{}", id.value);
            while (!m_taken.insert(at->second).second)
                at->second += '_';
        }
        return at->second;
    }

    // Values

    // A value as an input or output: its declared type is public and stays unless it became wrong.
    void addInfo(WireMessage& out, std::uint32_t field, ValueId id, std::string_view original)
    {
        const Value* value = m_new.value(id);
        const Value* before = m_old.value(id);
        const std::string& name = nameOf(id);
        if (!original.empty() && before && m_kept.isInfoKept(id)) {
            out.keptBytes(field, original);
            return;
        }
        const bool keepType = !original.empty() && before && value &&
                              !contradict(before->type, value->type);
        out.message(field, valueInfoMessage(original, name, value ? value->type : Type(), keepType,
                                       value ? value->docString : std::string()));
    }

    // The original message of an entry of a list: the same place, else the first with this id.
    static std::string_view originalOf(ValueId id, std::size_t index,
                                       const std::vector<ValueId>& ids,
                                       const std::vector<std::string_view>& messages)
    {
        if (index < ids.size() && ids[index] == id && index < messages.size())
            return messages[index];
        const auto at = std::find(ids.begin(), ids.end(), id);
        const auto place = static_cast<std::size_t>(at - ids.begin());
        return place < messages.size() ? messages[place] : std::string_view();
    }

    // Where each initializer of a body of the old graph stands in its list.
    const std::unordered_map<ValueId, std::size_t>& placesIn(const Body& before)
    {
        if (m_placesOf != &before) {
            m_placesOf = &before;
            m_places.clear();
            for (const ValueId id : before.initializers)
                m_places.emplace(id, m_places.size());
        }
        return m_places;
    }

    void addInitializer(WireMessage& out, ValueId id, const BodyRecord* record, const Body* before)
    {
        const Value& value = *m_new.value(id);
        std::string_view original;
        std::size_t index = 0;
        if (record && before) {
            const auto& places = placesIn(*before);
            const auto at = places.find(id);
            if (at != places.end()) {
                index = at->second;
                original = record->initializers[index];
            }
        }
        const Value* was = m_old.value(id);
        if (!original.empty() && m_kept.isInitializerKept(*record, id, index)) {
            out.keptBytes(value.constant ? 5 : 15, original);
            return;
        }
        const bool sameContents = !original.empty() && was && was->name == value.name &&
                                  was->constant == value.constant;
        if (value.sparse) {
            out.message(15, sparseMessage(*value.sparse, nameOf(id)));
        } else if (m_kept.goesOutside(value.constant)) {
            out.message(5, outsideMessage(sameContents ? original : std::string_view(),
                                          value.constant, nameOf(id)));
        } else if (sameContents) {
            out.message(5, inlinedMessage(original, *value.constant));
        } else {
            out.message(5, tensorMessage(*value.constant, nameOf(id)));
        }
    }

    WireMessage outsideMessage(std::string_view original, const TensorPtr& tensor,
                               std::string_view name)
    {
        const auto size = static_cast<std::uint64_t>(tensor->byteSize());
        const std::uint64_t offset =
            (m_written.externalBytes + externalAlignment - 1) / externalAlignment * externalAlignment;
        m_written.external.push_back({tensor, offset});
        m_written.externalBytes = offset + size;
        return externalMessage(original, *tensor, name, m_dataFile, offset, size);
    }

    // Graphs

    const std::unordered_set<std::string>& presentNames()
    {
        if (m_present.empty()) {
            for (std::uint32_t i = 1; i < m_new.valueLimit(); ++i) {
                if (m_new.value(ValueId{i}))
                    m_present.insert(nameOf(ValueId{i}));
            }
        }
        return m_present;
    }

    WireMessage graphMessage(BodyId id)
    {
        WireMessage out;
        const BodyRecord* record = m_kept.recordOf(id);
        if (m_kept.isUnchanged(id)) {
            out.kept(record->message);
            return out;
        }
        const Body& body = *m_new.body(id);
        const Body* before = record ? m_old.body(id) : nullptr;
        static const BodyRecord none;
        const BodyRecord& r = record && before ? *record : none;
        const bool sameName = before && before->name == body.name;
        const bool sameMetadata = before && before->metadata == body.metadata;
        std::vector<std::uint32_t> replaced{1, 5, 11, 12, 13, 15};
        if (!sameName)
            replaced.insert(replaced.begin() + 1, 2);
        if (!sameMetadata)
            replaced.push_back(16);
        const std::vector<std::string_view> annotations = annotationsOf(r.message);
        if (!annotations.empty())
            replaced.insert(std::find(replaced.begin(), replaced.end(), 15U), 14);
        rewrite(out, r.message, replaced, [&](std::uint32_t number) {
            switch (number) {
            case 1:
                addNodes(out, 1, id);
                break;
            case 2:
                out.bytes(2, body.name);
                break;
            case 5:
            case 15:
                for (const ValueId value : body.initializers) {
                    if ((number == 15) == (m_new.value(value)->sparse != nullptr))
                        addInitializer(out, value, record, before);
                }
                break;
            case 11:
                addInputs(out, body, before, r);
                break;
            case 12:
                for (std::size_t i = 0; i < body.outputs.size(); ++i)
                    addInfo(out, 12, body.outputs[i],
                            before ? originalOf(body.outputs[i], i, before->outputs, r.outputs)
                                   : std::string_view());
                break;
            case 13:
                addValueInfos(out, 13, id, r);
                break;
            case 14:
                for (const std::string_view annotation : annotations) {
                    if (namesAreAmong(annotation, presentNames()))
                        out.keptBytes(14, annotation);
                }
                break;
            case 16:
                for (const auto& [key, value] : body.metadata)
                    out.message(16, entryMessage(key, value));
                break;
            default:
                break;
            }
        });
        return out;
    }

    void addInputs(WireMessage& out, const Body& body, const Body* before, const BodyRecord& record)
    {
        for (std::size_t i = 0; i < body.inputs.size(); ++i)
            addInfo(out, 11, body.inputs[i],
                    before ? originalOf(body.inputs[i], i, before->inputs, record.inputs)
                           : std::string_view());
        // Up to IR 3 every initializer is an input too.
        if (body.kind != Body::Kind::main || m_new.header().irVersion > 3)
            return;
        for (const ValueId id : body.initializers) {
            const bool isOld = before && placesIn(*before).contains(id);
            if (!isOld && !m_new.value(id)->isInput)
                addInfo(out, 11, id, {});
        }
    }

    void addValueInfos(WireMessage& out, std::uint32_t field, BodyId id, const BodyRecord& record)
    {
        for (std::size_t i = 0; i < record.valueInfos.size(); ++i) {
            const ValueId value = m_opened.valueInfos[id.value][i];
            if (!value)
                out.keptBytes(field, record.valueInfos[i]);
            else if (m_new.value(value))
                addInfo(out, field, value, record.valueInfos[i]);
        }
    }

    void addNodes(WireMessage& out, std::uint32_t field, BodyId id)
    {
        const auto nodes = m_new.nodes(id);
        for (const NodeId node : *nodes) {
            if (m_kept.isUnchanged(node))
                out.keptBytes(field, m_opened.records.nodes[node.value]);
            else
                out.message(field, nodeMessage(node));
        }
    }

    WireMessage nodeMessage(NodeId id)
    {
        WireMessage out;
        const Node& node = *m_new.node(id);
        const Node* before =
            id.value < m_opened.records.nodes.size() ? m_old.node(id) : nullptr;
        const std::string_view original =
            before ? m_opened.records.nodes[id.value] : std::string_view();
        std::vector<std::uint32_t> replaced = changedNodeFields(before, node);
        replaced.insert(replaced.end(), {1, 2, 5});
        std::sort(replaced.begin(), replaced.end());
        rewrite(out, original, replaced, [&](std::uint32_t number) {
            switch (number) {
            case 1:
                for (const ValueId input : node.inputs)
                    out.bytes(1, nameOf(input));
                break;
            case 2:
                for (const ValueId output : node.outputs)
                    out.bytes(2, nameOf(output));
                break;
            case 5:
                addAttributes(out, node, before, original,
                              before && m_opened.records.nodeHasExternal[id.value]);
                break;
            default:
                addNodeField(out, number, node);
            }
        });
        return out;
    }

    // Attributes

    static bool holdsGraph(const Attribute& a)
    {
        return std::holds_alternative<BodyId>(a.value) ||
               std::holds_alternative<std::vector<BodyId>>(a.value);
    }

    void addAttributes(WireMessage& out, const Node& node, const Node* before,
                       std::string_view original, bool hasExternal)
    {
        std::unordered_map<std::string_view, std::string_view> messages;
        WireReader reader(original);
        for (WireField f; reader.next(f);) {
            if (f.isBytes(5))
                messages[attributeName(f.bytes)] = f.bytes;
        }
        for (const Attribute& attribute : node.attributes) {
            const Attribute* was = before ? before->attributes.find(attribute.name) : nullptr;
            const auto at = messages.find(attribute.name);
            const bool same = was && at != messages.end() && *was == attribute;
            const auto* tensor = std::get_if<TensorPtr>(&attribute.value);
            if (same && holdsGraph(attribute)) {
                WireMessage message;
                rewrite(message, at->second, {6, 11}, [&](std::uint32_t number) {
                    addGraphs(message, attribute, number);
                });
                out.message(5, std::move(message));
            } else if (same && hasExternal && tensor && *tensor && (*tensor)->isAvailable()) {
                out.message(5, inlinedAttribute(at->second, **tensor));
            } else if (same) {
                out.keptBytes(5, at->second);
            } else {
                out.message(5, attributeMessage(attribute));
            }
        }
    }

    void addGraphs(WireMessage& out, const Attribute& attribute, std::uint32_t number)
    {
        const auto* one = std::get_if<BodyId>(&attribute.value);
        const auto* many = std::get_if<std::vector<BodyId>>(&attribute.value);
        if (one && number == 6 && m_new.body(*one))
            out.message(6, graphMessage(*one));
        for (std::size_t i = 0; many && number == 11 && i < many->size(); ++i) {
            if (m_new.body((*many)[i]))
                out.message(11, graphMessage((*many)[i]));
        }
    }

    WireMessage attributeMessage(const Attribute& attribute)
    {
        WireMessage out = plainAttribute(attribute);
        if (attribute.reference.empty()) {
            addGraphs(out, attribute, 6);
            addGraphs(out, attribute, 11);
        }
        return out;
    }

    // Functions and the model

    WireMessage functionMessage(BodyId id)
    {
        WireMessage out;
        const BodyRecord* record = m_kept.recordOf(id);
        if (m_kept.isUnchanged(id)) {
            out.kept(record->message);
            return out;
        }
        const Body& body = *m_new.body(id);
        const FunctionInfo& info = *body.function;
        const Body* before = record ? m_old.body(id) : nullptr;
        static const BodyRecord none;
        const BodyRecord& r = record && before ? *record : none;
        std::vector<std::uint32_t> replaced{4, 5, 7, 12};
        if (!before || before->function != body.function)
            replaced = {1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
        rewrite(out, r.message, replaced, [&](std::uint32_t number) {
            switch (number) {
            case 4:
                for (const ValueId input : body.inputs)
                    out.bytes(4, nameOf(input));
                break;
            case 5:
                for (const ValueId output : body.outputs)
                    out.bytes(5, nameOf(output));
                break;
            case 7:
                addNodes(out, 7, id);
                break;
            case 12:
                addValueInfos(out, 12, id, r);
                break;
            default:
                addFunctionField(out, number, info);
                break;
            }
        });
        return out;
    }

    bool isModelUnchanged()
    {
        if (m_new.headerPtr() != m_old.headerPtr() || !m_kept.isUnchanged(m_new.mainBody()))
            return false;
        const auto& functions = m_new.header().functions;
        return std::all_of(functions.begin(), functions.end(),
                           [this](BodyId id) { return m_kept.isUnchanged(id); });
    }

    WireMessage modelMessage()
    {
        WireMessage out;
        if (isModelUnchanged()) {
            out.kept(m_opened.records.model);
            return out;
        }
        const Header& before = m_old.header();
        const Header& after = m_new.header();
        std::vector<std::uint32_t> replaced{7, 25};
        const auto replaceIf = [&](bool differs, std::uint32_t number) {
            if (differs)
                replaced.push_back(number);
        };
        replaceIf(before.irVersion != after.irVersion, 1);
        replaceIf(before.producerName != after.producerName, 2);
        replaceIf(before.producerVersion != after.producerVersion, 3);
        replaceIf(before.domain != after.domain, 4);
        replaceIf(before.modelVersion != after.modelVersion, 5);
        replaceIf(before.docString != after.docString, 6);
        replaceIf(before.opsets != after.opsets, 8);
        replaceIf(before.metadata != after.metadata, 14);
        std::sort(replaced.begin(), replaced.end());
        rewrite(out, m_opened.records.model, replaced, [&](std::uint32_t number) {
            switch (number) {
            case 7:
                out.message(7, graphMessage(m_new.mainBody()));
                break;
            case 25:
                for (const BodyId function : after.functions)
                    out.message(25, functionMessage(function));
                break;
            default:
                addHeaderField(out, number, after);
                break;
            }
        });
        return out;
    }

    const OpenedModel& m_opened;
    const Graph& m_old;
    const Graph& m_new;
    const std::string& m_dataFile;
    KeptRecords m_kept;
    const Body* m_placesOf = nullptr;
    std::unordered_map<ValueId, std::size_t> m_places;
    std::stop_token m_stop;
    WrittenModel m_written;
    std::unordered_map<ValueId, std::string> m_names;
    std::unordered_set<std::string> m_present; // names of values, made when an annotation asks
    std::unordered_set<std::string> m_taken;
};

} // namespace

Result<WrittenModel> writeModel(const OpenedModel& opened, const Graph& graph,
                                const std::string& dataFile, std::stop_token stop)
{
    return ModelWriter(opened, graph, dataFile, std::move(stop)).write();
}

} // namespace fusescope
