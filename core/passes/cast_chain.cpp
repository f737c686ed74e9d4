#include "passes/chains.h"
#include "passes/rules.h"

#include "patterns/conditions.h"
#include "patterns/reasons.h"
#include "report/make_reason.h"

namespace fusescope {

namespace {

constexpr std::string_view roots[] = {"Cast"};

// before:  a = Cast{t1}(x); y = Cast{t2}(a)      after:  y = Cast{t2}(x), or x where that is t2
//
// Only where t1 holds every value of the type of x, so that nothing was rounded in between. An
// integer that does not fit t2 wraps around where it is cast directly, but not where it comes as a
// float: with floats between integers t2 must hold every value of x too. A string has the digits of
// the type that is written: only integers, which are written alike, may be cast before that.
class CastChain final : public Pass
{
public:
    RuleId rule() const override { return "cast-chain"; }
    Stage stage() const override { return Stage::deadCode; }
    std::span<const std::string_view> rootTypes() const override { return roots; }
    PassAnswer examine(const PassContext& context, NodeId root) const override;
};

// Bits of significand and of exponent range that hold every value of a type; none for other types.
struct Range
{
    bool isFloat = false;
    bool isSigned = false;
    int digits = 0;
    int exponent = 0;
};

std::optional<Range> rangeOf(DType type)
{
    switch (type) {
    case DType::boolean:
        return Range{false, false, 1, 0};
    case DType::uint8:
        return Range{false, false, 8, 0};
    case DType::uint16:
        return Range{false, false, 16, 0};
    case DType::uint32:
        return Range{false, false, 32, 0};
    case DType::uint64:
        return Range{false, false, 64, 0};
    case DType::int8:
        return Range{false, true, 7, 0};
    case DType::int16:
        return Range{false, true, 15, 0};
    case DType::int32:
        return Range{false, true, 31, 0};
    case DType::int64:
        return Range{false, true, 63, 0};
    case DType::float16:
        return Range{true, true, 11, 5};
    case DType::bfloat16:
        return Range{true, true, 8, 8};
    case DType::float32:
        return Range{true, true, 24, 8};
    case DType::float64:
        return Range{true, true, 53, 11};
    default:
        return std::nullopt;
    }
}

bool holdsEvery(DType wide, DType narrow)
{
    if (wide == narrow)
        return true;
    const auto w = rangeOf(wide);
    const auto n = rangeOf(narrow);
    if (!w || !n || wide == DType::boolean)
        return false;
    if (!w->isFloat && n->isFloat)
        return false;
    if (n->isSigned && !w->isSigned)
        return false;
    // float16 ends at 65504, below 2^16.
    if (w->isFloat && !n->isFloat && w->exponent == 5 && n->digits > 11)
        return false;
    return w->digits >= n->digits && w->exponent >= n->exponent;
}

bool isWhole(DType type)
{
    return isInteger(type) || type == DType::boolean;
}

// Whether the float in between decides what becomes of integers out of the last one's range.
bool cutsRange(DType source, DType between, DType target)
{
    return isWhole(source) && isFloatingPoint(between) && isInteger(target) &&
           !holdsEvery(target, source);
}

// Whether the same number is written in another way. Integers of all types have the same digits.
bool writesOtherDigits(DType source, DType between, DType target)
{
    return target == DType::string && source != between &&
           !(isInteger(source) && isInteger(between));
}

Reason castWritesDigits(NodeId cast, DType source, DType between, NodeId last)
{
    return makeReason(ReasonCode::lossyCast, {cast}, "headline.lossy-cast",
                      "reason.cast-writes-digits", "unblock.cast-writes-digits",
                      {{"node", cast},
                       {"source", std::string(nameOf(source))},
                       {"type", std::string(nameOf(between))},
                       {"last", last}});
}

PassAnswer CastChain::examine(const PassContext& context, NodeId root) const
{
    const GraphView& view = context.match.view;
    const Node* last = view.node(root);
    if (!last->is("Cast") || !last->input(0) || !last->output(0))
        return {};
    const NodeId firstId = view.producer(last->input(0));
    const Node* first = view.node(firstId);
    if (!first || !first->is("Cast") || !first->input(0))
        return {};
    const DType source = view.dtype(first->input(0));
    const DType between = view.dtype(last->input(0));
    const DType target = view.dtype(last->output(0));
    if (source == DType::undefined || between == DType::undefined || target == DType::undefined)
        return {};
    Conditions conditions(context.match, rule(), root);
    conditions.check("condition.same-scope", sameScope(context.match, firstId, root));
    std::optional<Reason> lossy;
    if (!holdsEvery(between, source))
        lossy = reasons::lossyCast(firstId, between);
    else if (cutsRange(source, between, target))
        lossy = reasons::castCutsRange(firstId, between, root, target);
    else if (writesOtherDigits(source, between, target))
        lossy = castWritesDigits(firstId, source, between, root);
    conditions.check("condition.lossless-cast", std::move(lossy));
    conditions.checkSingleReader(last->input(0), root);
    const std::array nodes{firstId, root};
    checkUnpinned(conditions, nodes);
    if (!conditions.allHold())
        return std::move(conditions).miss(2, {firstId, root});
    return joinOffer(context, firstId, root, first->input(0), source == target, {});
}

} // namespace

std::unique_ptr<const Pass> castChainRule()
{
    return std::make_unique<CastChain>();
}

} // namespace fusescope
