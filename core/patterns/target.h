#pragma once

#include "patterns/pattern.h"

#include <span>
#include <string_view>
#include <vector>

namespace fusescope {

// A fusion that a runtime makes itself when it loads a model.
struct NativeFusion
{
    std::string_view rule;
    std::vector<std::string_view> activations; // those that it can end in; empty: any
    // Whether it has a kernel for this match; null: for each.
    bool (*takes)(const GraphView& view, const Match& match) = nullptr;
};

// A runtime that the optimized model is for. What it fuses natively is left to it.
struct Target
{
    std::string_view id;
    std::string_view name; // as its makers write it
    TextId description;
    std::vector<NativeFusion> native;
};

// The one table of targets, "generic" first: it fuses nothing itself.
std::span<const Target> allTargets();
// Null when no target has this id.
const Target* findTarget(std::string_view id);

// Whether the target of the policy makes this fusion itself, with the activation of the match, or one
// that the match would spoil.
std::optional<Reason> leftToTarget(const MatchContext& context, RuleId rule, const Match& match);

// Whether a node takes part in a fusion that is left to the target and that comes before `rule` in
// the order of patterns: a later rule that took the node would spoil it.
bool isHeldForTarget(const MatchContext& context, NodeId node, RuleId rule);

} // namespace fusescope
