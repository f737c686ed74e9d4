#include "patterns/conditions.h"
#include "patterns/reasons.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace fusescope {

namespace {

// A second copy of one of these costs little beside what a fusion saves.
bool isCheap(const Node& node)
{
    constexpr std::array<std::string_view, 22> cheap = {
        "Add",       "Sub",       "Mul",     "Div",       "Relu",  "Clip",
        "Sigmoid",   "Tanh",      "Cast",    "Pad",       "BatchNormalization",
        "Reshape",   "Transpose", "Squeeze", "Unsqueeze", "Slice", "Identity",
        "LeakyRelu", "Neg",       "Flatten", "Expand",    "Concat"};
    return node.op.isStandard() && node.outputs.size() == 1 &&
           std::find(cheap.begin(), cheap.end(), node.op.type) != cheap.end();
}

// A sentence names a few and counts the others; every refused reader of one value has such a list.
constexpr std::size_t mostNamed = 8;

} // namespace

Readers readersOf(const MatchContext& context, ValueId value, BodyId body,
                  std::span<const NodeId> inside)
{
    const Graph& graph = context.view.graph();
    Readers readers;
    NodeId last;
    for (const Use& use : context.view.uses(value)) {
        if (use.isBodyOutput()) {
            readers.outputsOf.push_back(use.body);
            continue;
        }
        if (std::find(inside.begin(), inside.end(), use.node) != inside.end()) {
            readers.reader = use.node;
            ++readers.times;
            continue;
        }
        // The readings of one node stand together. A change of a reader is one of the value's uses.
        const Node* other = graph.node(use.node);
        if (!other || std::exchange(last, use.node) == use.node)
            continue;
        std::vector<BodyId>& capturing = readers.capturing;
        if (body && other->body != body) {
            if (capturing.size() < mostNamed &&
                std::find(capturing.begin(), capturing.end(), other->body) == capturing.end())
                capturing.push_back(other->body);
        } else if (++readers.count <= static_cast<std::int64_t>(mostNamed)) {
            readers.others.push_back(use.node);
        }
    }
    return readers;
}

std::vector<Reason> otherReaders(const MatchContext& context, ValueId value, NodeId reader)
{
    const GraphView& view = context.view;
    const Node* readerNode = view.node(reader);
    const NodeId producerId = view.producer(value);
    const NodeId inside[] = {reader};
    const Readers readers =
        readersOf(context, value, readerNode ? readerNode->body : BodyId{}, inside);
    std::vector<Reason> found;
    for (const BodyId body : readers.outputsOf)
        found.push_back(reasons::graphOutput(view.graph(), value, body));
    for (const BodyId body : readers.capturing)
        found.push_back(reasons::subgraphCapture(view.graph(), value, body));
    if (readers.times > 1)
        found.push_back(reasons::readTwice(value, producerId, reader, readers.times));
    if (readers.count > 0) {
        Reason reason =
            reasons::multiConsumer(value, producerId, reader, readers.others, readers.count);
        const Node* producer = view.node(producerId);
        // A fix acts on the file, which must have that very node, and its readers beside it.
        if (producer && isCheap(*producer) && producer->origins.empty() && found.empty() &&
            producer->body == view.graph().mainBody())
            reason.fix = Fix{FixKind::duplicateProducer, producerId};
        found.push_back(std::move(reason));
    }
    if (context.policy.pinnedValues.contains(value))
        found.push_back(reasons::pinnedValue(value));
    return found;
}

bool hasOtherReaders(const GraphView& view, ValueId value, NodeId reader)
{
    const auto uses = view.uses(value);
    return uses.size() != 1 || uses.front().node != reader;
}

std::int64_t copyBytes(const GraphView& view, ValueId constant, std::span<const NodeId> readers)
{
    for (const Use& use : view.uses(constant)) {
        if (use.isBodyOutput() ||
            std::find(readers.begin(), readers.end(), use.node) == readers.end()) {
            const TensorPtr tensor = view.constant(constant);
            return tensor ? tensor->byteSize() : 0;
        }
    }
    return 0;
}

void remarkConstant(const MatchContext& context, ValueId constant, std::span<const NodeId> readers,
                    std::vector<Reason>& remarks)
{
    const GraphView& view = context.view;
    const Value* value = view.value(constant);
    if (value && value->isInput && value->isInitializer())
        remarks.push_back(reasons::irThreeInput(constant));
    const Node* reader = readers.empty() ? nullptr : view.node(readers.front());
    if (value && reader && value->body != reader->body) {
        remarks.push_back(reasons::outerScope(constant));
        return;
    }
    for (const Use& use : view.uses(constant)) {
        if (!use.isBodyOutput() &&
            std::find(readers.begin(), readers.end(), use.node) == readers.end()) {
            remarks.push_back(reasons::sharedWeight(constant, use.node,
                                                    copyBytes(view, constant, readers)));
            return;
        }
    }
}

} // namespace fusescope
