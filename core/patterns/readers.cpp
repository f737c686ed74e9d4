#include "patterns/conditions.h"
#include "patterns/reasons.h"

#include <algorithm>
#include <array>
#include <string_view>

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

} // namespace

std::vector<Reason> otherReaders(const MatchContext& context, ValueId value, NodeId reader)
{
    const GraphView& view = context.view;
    const Node* readerNode = view.node(reader);
    const NodeId producerId = view.producer(value);
    std::vector<NodeId> others;
    std::vector<BodyId> capturing;
    std::vector<Reason> found;
    std::int64_t times = 0;
    for (const Use& use : view.uses(value)) {
        if (use.isBodyOutput()) {
            found.push_back(reasons::graphOutput(view.graph(), value, use.body));
            continue;
        }
        if (use.node == reader) {
            ++times;
            continue;
        }
        const Node* other = view.node(use.node);
        if (!other)
            continue;
        if (readerNode && other->body != readerNode->body) {
            if (std::find(capturing.begin(), capturing.end(), other->body) == capturing.end())
                capturing.push_back(other->body);
        } else if (std::find(others.begin(), others.end(), use.node) == others.end()) {
            others.push_back(use.node);
        }
    }
    for (const BodyId body : capturing)
        found.push_back(reasons::subgraphCapture(view.graph(), value, body));
    if (times > 1)
        found.push_back(reasons::readTwice(value, producerId, reader, times));
    if (!others.empty()) {
        Reason reason = reasons::multiConsumer(value, producerId, reader, std::move(others));
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
