#pragma once

#include "model/patch.h"
#include "report/reason.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace fusescope {

enum class Stage { fixes, inlining, folding, deadCode, fusion };
std::string_view idOf(Stage stage); // "fixes", "inline", "folding", "dead-code", "fusion"
std::optional<Stage> stageFromId(std::string_view id);

enum class StepState { applied, skipped };

// What a rewrite saves (negative: costs). FLOPs and activation bytes at the sizes that are assumed
// for symbols; values of unknown size count nothing.
struct Cost
{
    std::int64_t nodes = 0;
    std::int64_t parameters = 0;
    std::int64_t storedBytes = 0;
    std::int64_t activationBytes = 0;
    std::int64_t flops = 0;
};

// One rewrite. Numbers start at 1 and count every offer, skipped ones too.
struct Step
{
    int number = 0;
    int round = 1;
    StepState state = StepState::applied;
    Stage stage = Stage::fusion;
    RuleId rule;
    NodeId root;         // the last node of what was matched
    std::vector<NodeId> taken; // what the rule matched, the root among them; none for a fix
    Message title;       // "Fuse {root} with its BatchNormalization"
    GraphPatch patch;    // empty when skipped
    Cost cost;
    std::vector<Remark> remarks;
};

} // namespace fusescope
