#pragma once

#include "base/result.h"
#include "ops/patch_builder.h"
#include "patterns/graph_view.h"
#include "patterns/policy.h"
#include "report/reason.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fusescope {

// Takes down what each condition saw. Without a sink nothing is formatted.
class ConditionSink
{
public:
    virtual ~ConditionSink() = default;
    virtual void record(ConditionRecord condition) = 0;
};

struct MatchContext
{
    GraphView view;
    const Policy& policy;
    ConditionSink* sink = nullptr;
    std::int64_t grown = 0; // stored bytes that the model has more than when it was opened

    // What a private copy of a constant may add: it counts with all that was added before it.
    std::int64_t growthLeft() const
    {
        return std::max<std::int64_t>(0, policy.maxGrowth - std::max<std::int64_t>(0, grown));
    }
};

// A legal candidate: the bound nodes and values by role, for rewrite() and for the title.
struct Match
{
    NodeId root;
    std::vector<std::pair<std::string_view, NodeId>> nodes;
    std::vector<std::pair<std::string_view, ValueId>> values;
    Message title;               // "Fuse {conv} with {bn}"
    std::vector<Reason> remarks; // G06, G17, …

    NodeId node(std::string_view role) const;
    ValueId value(std::string_view role) const;
};

struct NotCandidate
{
};

using MatchResult = std::variant<NotCandidate, Match, MissReason>;

// One fusion. Operators are matched loosely, by type; then ALL conditions are evaluated, so that a
// person sees every obstacle, the true first one in front. Every condition stands in match(), none
// in rewrite(). Implementations have no state.
class FusionPattern
{
public:
    virtual ~FusionPattern() = default;

    virtual RuleId rule() const = 0;
    // The operators of the last node of the pattern, by type alone: a node of another domain that
    // shares the name is asked too (custom-domain), and a region by its kind ("silu").
    virtual std::span<const std::string_view> rootTypes() const = 0;
    virtual MatchResult match(const MatchContext& context, NodeId root) const = 0;
    // Builds the change; the graph is the one that was matched.
    virtual Result<void> rewrite(const Match& match, PatchBuilder& builder) const = 0;
};

// All patterns in the order of the fusion stage (legality 1): padding, batch normalization, scale
// and bias, parallel convolutions, normalizations and activations written out, attention, products,
// clip chains, Concat, residuals, activations, elementwise chains.
std::span<const FusionPattern* const> allPatterns();

// Null when no pattern has this id.
const FusionPattern* findPattern(RuleId rule);

} // namespace fusescope
