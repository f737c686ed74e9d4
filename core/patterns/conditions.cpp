#include "patterns/conditions.h"

#include "patterns/reasons.h"
#include "report/make_reason.h"

#include <algorithm>
#include <array>

namespace fusescope {

namespace {

// What a person should hear first: what the candidate is not, then what it reads, then its
// constants (what is computed before what freezing would mend) and numbers, then who else reads it,
// then policy.
constexpr std::array obstacleOrder = {
    ReasonCode::customDomain,          ReasonCode::differentScope,
    ReasonCode::trainingModeBatchnorm, ReasonCode::trainingModeDropout,
    ReasonCode::batchStatistics,       ReasonCode::sideEffect,
    ReasonCode::quantizedNeighbour,    ReasonCode::shapeOperatorBetween,
    ReasonCode::castBetween,           ReasonCode::activationBetween,
    ReasonCode::alreadyHasActivation,  ReasonCode::operatorBetween,
    ReasonCode::operatorVersion,       ReasonCode::operandOrder,
    ReasonCode::missingExternalData,   ReasonCode::notConstant,
    ReasonCode::overridableInitializer, ReasonCode::unsupportedAttribute,
    ReasonCode::paddingValue,          ReasonCode::negativePadding,
    ReasonCode::padsOtherAxis,         ReasonCode::paddingSeesShift,
    ReasonCode::unsupportedRank,       ReasonCode::channelMismatch,
    ReasonCode::broadcastEnlarges,     ReasonCode::notPerChannel,
    ReasonCode::shapeMismatch,         ReasonCode::axisMismatch,
    ReasonCode::unexpectedConstant,    ReasonCode::subgraphCapture,
    ReasonCode::multiConsumer,         ReasonCode::graphOutput,
    ReasonCode::wouldCreateCycle,      ReasonCode::optionalOutputUsed,
    ReasonCode::unknownShape};

std::size_t rankOf(ReasonCode code)
{
    return static_cast<std::size_t>(
        std::find(obstacleOrder.begin(), obstacleOrder.end(), code) - obstacleOrder.begin());
}

} // namespace

Conditions::Conditions(const MatchContext& context, RuleId rule, NodeId root)
    : m_context(context), m_rule(rule), m_root(root)
{
}

void Conditions::check(TextId name, std::optional<Reason> failure,
                       const std::function<Message()>& saw)
{
    std::vector<Reason> failures;
    if (failure)
        failures.push_back(std::move(*failure));
    check(name, std::move(failures), saw);
}

void Conditions::check(TextId name, std::vector<Reason> failures,
                       const std::function<Message()>& saw)
{
    if (m_context.sink) {
        ConditionRecord record{name, failures.empty(), Message()};
        if (!failures.empty())
            record.saw = failures.front().message;
        else if (saw)
            record.saw = saw();
        m_context.sink->record(std::move(record));
    }
    std::move(failures.begin(), failures.end(), std::back_inserter(m_reasons));
}

void Conditions::checkSingleReader(ValueId value, NodeId reader)
{
    check("condition.single-reader", otherReaders(m_context, value, reader),
          [value] { return Message("saw.single-reader", {{"value", value}}); });
}

void Conditions::checkConstants(TextId name, std::span<const ValueId> values)
{
    std::vector<ValueId> overridable;
    std::vector<Reason> failures;
    for (const ValueId value : values) {
        if (!value)
            continue;
        std::optional<Reason> failure = isConstant(m_context, value);
        if (!failure)
            continue;
        if (failure->code == ReasonCode::overridableInitializer) {
            if (std::find(overridable.begin(), overridable.end(), value) == overridable.end())
                overridable.push_back(value);
            continue;
        }
        const auto same = std::find_if(failures.begin(), failures.end(), [&](const Reason& r) {
            return r.code == failure->code;
        });
        if (same == failures.end())
            failures.push_back(std::move(*failure));
        else
            same->culprits.insert(same->culprits.end(), failure->culprits.begin(),
                                  failure->culprits.end());
    }
    if (!overridable.empty())
        failures.insert(failures.begin(), reasons::overridable(std::move(overridable)));
    check(name, std::move(failures), [&]() -> Message {
        std::int64_t count = 0;
        ValueId first;
        for (const ValueId value : values) {
            if (!value)
                continue;
            first = first ? first : value;
            ++count;
        }
        return count == 0 ? Message()
                          : Message("saw.constants",
                                    {{"value", first}, {"count", count}, {"more", count - 1}});
    });
}

void Conditions::checkNotPinned(std::span<const NodeId> nodes)
{
    std::vector<Reason> failures;
    for (const NodeId node : nodes) {
        if (auto failure = notPinned(m_context, node))
            failures.push_back(std::move(*failure));
    }
    check("condition.not-pinned", std::move(failures));
}

bool Conditions::failed(ReasonCode code) const
{
    return std::any_of(m_reasons.begin(), m_reasons.end(),
                       [code](const Reason& r) { return r.code == code; });
}

MissReason Conditions::miss(int depth, std::vector<NodeId> nodes) &&
{
    std::stable_sort(m_reasons.begin(), m_reasons.end(), [](const Reason& a, const Reason& b) {
        return rankOf(a.code) < rankOf(b.code);
    });
    keepFixesThatUnblock(m_reasons);
    return MissReason{m_rule, m_root, depth, std::move(nodes), std::move(m_reasons)};
}

std::optional<Reason> isConstant(const MatchContext& context, ValueId id)
{
    const GraphView& view = context.view;
    if (const TensorPtr tensor = view.constant(id)) {
        if (!tensor->isAvailable())
            return reasons::missingExternalData(id, tensor->whyUnavailable());
        return std::nullopt;
    }
    if (view.graph().isOverridable(id))
        return reasons::overridable({id});
    const NodeId producerId = view.producer(id);
    const Node* producer = view.node(producerId);
    if (!producer)
        return reasons::notConstantInput(view.graph(), id);
    if (producer->is("DequantizeLinear"))
        return reasons::quantizedConstant(id, producerId);
    return reasons::notConstantComputed(id, producerId);
}

std::optional<Reason> sameScope(const MatchContext& context, NodeId a, NodeId b)
{
    const Node* first = context.view.node(a);
    const Node* second = context.view.node(b);
    if (first && second && first->body != second->body)
        return reasons::differentScope(a, b);
    return std::nullopt;
}

std::optional<Reason> notPinned(const MatchContext& context, NodeId node)
{
    if (context.policy.pinnedNodes.contains(node))
        return reasons::pinned(node);
    return std::nullopt;
}

std::optional<Reason> knownVersion(const MatchContext& context, NodeId id,
                                   std::span<const int> known)
{
    const Node* node = context.view.node(id);
    const int version = node ? context.view.sinceVersion(*node) : 0;
    if (node && std::find(known.begin(), known.end(), version) == known.end())
        return reasons::operatorVersion(id, node->op.type, version, known);
    return std::nullopt;
}

std::optional<Reason> knownAttributes(const MatchContext& context, NodeId id)
{
    const Node* node = context.view.node(id);
    const OpSchema* schema = node ? context.view.graph().schema(*node) : nullptr;
    if (!schema)
        return std::nullopt; // knownVersion says so
    for (const Attribute& attribute : node->attributes) {
        if (!schema->findAttribute(attribute.name))
            return reasons::unknownAttribute(id, attribute.name, node->op.type);
    }
    return std::nullopt;
}

std::optional<Reason> standardDomain(const MatchContext& context, NodeId id)
{
    const Node* node = context.view.node(id);
    if (node && !node->op.isStandard())
        return reasons::customDomain(id, node->op);
    return std::nullopt;
}

std::optional<Reason> hasType(const MatchContext& context, ValueId value,
                              std::span<const DType> types)
{
    const DType type = context.view.dtype(value);
    if (std::find(types.begin(), types.end(), type) != types.end())
        return std::nullopt;
    const Node* producer = context.view.producerNode(value);
    return reasons::unsupportedType(value, producer ? producer->op.type : std::string(), type);
}

std::optional<Reason> sameType(const MatchContext& context, ValueId a, ValueId b)
{
    const DType first = context.view.dtype(a);
    const DType second = context.view.dtype(b);
    if (first == second || first == DType::undefined || second == DType::undefined)
        return std::nullopt;
    return reasons::mixedTypes(a, first, b, second);
}

std::optional<Reason> outputUnused(const MatchContext& context, NodeId id, std::size_t output)
{
    const Node* node = context.view.node(id);
    const ValueId value = node ? node->output(output) : ValueId{};
    if (value && !context.view.uses(value).empty())
        return reasons::optionalOutputUsed(id, output, value);
    return std::nullopt;
}

std::optional<Reason> sameShape(const MatchContext& context, ValueId a, ValueId b)
{
    const Shape& first = context.view.shape(a);
    const Shape& second = context.view.shape(b);
    if (!first.hasRank())
        return reasons::unknownShape(a, first);
    if (!second.hasRank())
        return reasons::unknownShape(b, second);
    if (provablyEqual(first, second))
        return std::nullopt;
    if (first.rank() != second.rank())
        return reasons::shapeMismatch(a, first, b, second);
    for (std::size_t i = 0; i < first.rank(); ++i) {
        if (provablyDifferent(first[i], second[i]))
            return reasons::shapeMismatch(a, first, b, second);
    }
    return reasons::notShownEqual(a, first, b, second);
}

std::optional<Reason> channelOnly(const MatchContext& context, ValueId constant, ValueId data,
                                  std::size_t channelAxis)
{
    const Shape& shape = context.view.shape(data);
    if (!shape.hasRank())
        return reasons::unknownShape(data, shape);
    if (channelAxis >= shape.rank())
        return reasons::unsupportedRank(data, shape, std::to_string(channelAxis + 1));
    const auto channels = shape[channelAxis].constant();
    if (!channels)
        return reasons::unknownShape(data, shape);
    return channelOnly(context, constant, shape.rank(), *channels, channelAxis);
}

std::optional<Reason> channelOnly(const MatchContext& context, ValueId constant, std::size_t rank,
                                  std::int64_t channels, std::size_t channelAxis)
{
    const TensorPtr tensor = context.view.constant(constant);
    if (!tensor)
        return std::nullopt; // isConstant says so
    const Shape shape = Shape::ofSizes(tensor->shape());
    std::vector<Dim> wanted(rank, Dim(1));
    wanted[channelAxis] = Dim(channels);
    if (tensor->rank() > rank) {
        wanted[0] = Dim::symbol("N");
        return reasons::broadcastEnlarges(constant, shape, Shape::of(wanted));
    }
    const std::size_t missing = rank - tensor->rank();
    for (std::size_t i = 0; i < tensor->rank(); ++i) {
        const std::size_t axis = i + missing;
        const std::int64_t size = tensor->shape()[i];
        if (size == 1 || (axis == channelAxis && size == channels))
            continue;
        if (axis == channelAxis && channels == 1)
            return reasons::broadcastEnlarges(constant, shape, Shape::of(wanted));
        return reasons::notPerChannel(constant, shape, static_cast<std::int64_t>(axis),
                                      Shape::of(wanted).text());
    }
    return std::nullopt;
}

std::optional<Reason> withinGrowth(const MatchContext& context, Subject subject,
                                   std::int64_t bytes)
{
    if (bytes > context.growthLeft())
        return reasons::growthLimit(subject, bytes, context.growthLeft());
    return std::nullopt;
}

} // namespace fusescope
