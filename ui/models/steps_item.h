#pragma once

#include "ui/models/steps_model.h"

namespace fusescope {

// A row of the tree: a stage, a rule of one round, a rewrite or a refused candidate.
struct StepsModel::Item
{
    Kind kind = Kind::stage;
    Item* parent = nullptr;
    int row = 0;
    std::vector<std::unique_ptr<Item>> children;
    Stage stage = Stage::fusion;
    RuleId rule;
    int round = 1;
    int step = 0;    // step: its number; else the largest below
    int first = 0;   // else the smallest below
    int steps = 0;   // below
    int blocked = -1; // index in the timeline's list
    int legality = 0, others = 0; // blocked below
    int profit = 0;               // of the others; the rest is policy
};

} // namespace fusescope
