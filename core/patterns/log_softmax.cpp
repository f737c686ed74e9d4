#include "patterns/finite_range.h"
#include "patterns/formula.h"
#include "patterns/pattern_list.h"
#include "patterns/reasons.h"
#include "report/make_reason.h"

#include <array>

//   x ─ Softmax ─ Log ─ y
//   x ─ LogSoftmax ─ y
//
// The Log alone reads the Softmax; both work along the same axes, since they got their axis in the
// same versions. LogSoftmax is the more exact: a Softmax rounds to 0 what lies far below the
// largest element, and its Log is −∞ where LogSoftmax gives a number. So it is made only where the
// elements provably lie near enough to each other that every quotient keeps all its digits: 2^−126
// is e^−87, and an axis of 2^31 elements takes e^−21 of it; for double they are e^−708 and the
// same.
namespace fusescope {

namespace {

constexpr std::array<std::string_view, 1> roots = {"Log"};

double widestOf(DType type)
{
    return type == DType::float64 ? 680.0 : 60.0;
}

Reason mayUnderflow(NodeId softmax, ValueId data, NodeId root)
{
    return makeReason(ReasonCode::notFinite, {softmax}, "headline.softmax-underflow",
                      "reason.softmax-underflow", "unblock.softmax-underflow",
                      {{"node", softmax}, {"value", data}, {"last", root}});
}

class LogSoftmax final : public FusionPattern
{
public:
    RuleId rule() const override { return "log-softmax"; }
    std::span<const std::string_view> rootTypes() const override { return roots; }

    MatchResult match(const MatchContext& context, NodeId root) const override
    {
        const GraphView& view = context.view;
        const Node& log = *view.node(root);
        if (!log.is("Log") || !log.input(0) || !log.output(0))
            return NotCandidate{};
        const NodeId softmaxId = view.producer(log.input(0));
        const Node* softmax = view.node(softmaxId);
        if (!softmax || !softmax->is("Softmax") || !softmax->input(0))
            return NotCandidate{};
        const ValueId data = softmax->input(0);
        Conditions conditions(context, rule(), root);
        conditions.check("condition.same-scope", sameScope(context, softmaxId, root));
        constexpr std::array versions{1, 11, 13};
        conditions.check("condition.version", knownVersion(context, softmaxId, versions));
        conditions.check("condition.known-attributes", knownAttributes(context, softmaxId));
        constexpr std::array types{DType::float32, DType::float64};
        conditions.check("condition.float-type", hasType(context, data, types));
        const auto range = finiteRange(view, data);
        std::optional<Reason> underflow;
        if (!range || !(range->high - range->low <= widestOf(view.dtype(data))))
            underflow = mayUnderflow(softmaxId, data, root);
        conditions.check("condition.no-underflow", std::move(underflow));
        conditions.checkSingleReader(log.input(0), root);
        const std::array nodes{softmaxId, root};
        conditions.checkNotPinned(nodes);
        if (!conditions.allHold())
            return std::move(conditions).miss(2, {softmaxId, root});
        Match match;
        match.root = root;
        match.nodes = {{"softmax", softmaxId}, {"log", root}};
        match.title = Message("title.join-chain", {{"first", softmaxId}, {"last", root}});
        return match;
    }

    Result<void> rewrite(const Match& match, PatchBuilder& builder) const override
    {
        const Node& softmax = *builder.graph().node(match.node("softmax"));
        Node node;
        node.op.type = "LogSoftmax";
        node.attributes = softmax.attributes;
        node.inputs = softmax.inputs;
        replaceFormula(builder, match, std::move(node));
        return {};
    }
};

} // namespace

const FusionPattern& patterns::logSoftmax()
{
    static const LogSoftmax pattern;
    return pattern;
}

} // namespace fusescope
