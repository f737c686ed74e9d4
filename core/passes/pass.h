#pragma once

#include "ops/call_sizes.h"
#include "ops/runtime_value.h"
#include "patterns/pattern.h"
#include "report/step.h"

#include <functional>
#include <span>
#include <string_view>
#include <variant>

namespace fusescope {

// A legal rewrite that a pass offers.
struct Offer
{
    NodeId root;
    Message title;
    std::function<Result<void>(PatchBuilder&)> build;
    std::vector<Reason> remarks;
    std::vector<NodeId> nodes; // all that take part
};

// Evaluates one node whose inputs are all constant: its outputs, or why not.
using Evaluate =
    std::function<Result<std::vector<RuntimeValue>>(const Graph&, NodeId, std::stop_token)>;

struct PassContext
{
    MatchContext match;
    const Evaluate& evaluate;
    const CallSizes& calls; // of the model as opened: what opening some of them leaves is no more
    const CallCounts& callers; // of the model as it is
    std::stop_token stop;
};

// What a pass says of one node: nothing, a rewrite, a refusal, or a remark ("kept").
using PassAnswer = std::variant<std::monostate, Offer, MissReason, Remark>;

// One rule. Passes have no state: the same graph gives the same answer. Failing to evaluate is an
// answer, not an error.
class Pass
{
public:
    virtual ~Pass() = default;
    virtual RuleId rule() const = 0;
    virtual Stage stage() const = 0;
    // Operators of the roots, standard domain; empty: any node may be one.
    virtual std::span<const std::string_view> rootTypes() const = 0;
    // Of no node but the model: examine() is asked with NodeId{}, once in every round.
    virtual bool isOfWholeModel() const { return false; }
    virtual PassAnswer examine(const PassContext& context, NodeId root) const = 0;
};

// The one ordered list: inlining, folding, dead code, then the fusion patterns in their order.
std::span<const Pass* const> allPasses();
const Pass* findPass(RuleId rule);

// The rule as people read it, "Conv + BatchNormalization": the text "rule." + id.
Message nameOf(RuleId rule);

} // namespace fusescope
