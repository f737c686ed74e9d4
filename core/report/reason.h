#pragma once

#include "base/message.h"
#include "report/reason_code.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fusescope {

// Ids of rules and passes are literals of the one pass table: "conv-batchnorm".
using RuleId = std::string_view;

// A node or a value: what a sentence is about.
using Subject = std::variant<NodeId, ValueId>;

// What a fix does, as a recipe (cli.md names them; "pure" and "pin" edits are no fixes).
enum class FixKind {
    freezeInitializers, // drop overridable initializers from the inputs
    inferenceBatchnorm, // training_mode=0, extra outputs dropped
    inferenceDropout,
    dropNoop,          // remove a Reshape, Transpose, … that changes nothing
    duplicateProducer, // a cheap producer of its own for each reader
    dropOutput         // a debugging output of the model
};
std::string_view idOf(FixKind kind); // "freeze-initializers"
std::optional<FixKind> fixFromId(std::string_view id);

// A fix is applied to the model as opened, as a numbered step before all passes; its target is a
// node or value of the file, so it survives every other change of the plan.
struct Fix
{
    FixKind kind = FixKind::dropNoop;
    Subject target;
    bool changesMeaning = false;   // the model then computes something else
    bool changesInterface = false; // public inputs or outputs change

    bool operator==(const Fix&) const = default;
};

// One failed condition.
struct Reason
{
    ReasonCode code = ReasonCode::notConstant;
    std::vector<Subject> culprits; // the first is the one to show
    Message headline;              // at most 40 characters when rendered without names; may be empty
    Message message;               // what is so
    Message unblock;               // what would unblock it
    std::optional<Fix> fix;

    ReasonKind kind() const { return kindOf(code); }
};

// What a condition saw, collected only when somebody asks.
struct ConditionRecord
{
    TextId name; // the sentence of the condition: "The value has one reader"
    bool holds = true;
    Message saw;
};

// A candidate that matched by its operators and was not applied. The reasons are all failed
// conditions, the true first obstacle as headline in front.
struct MissReason
{
    RuleId rule;
    NodeId root;   // the last node of the pattern
    int depth = 0; // how many of the pattern's nodes were bound; the deepest miss is kept
    std::vector<NodeId> nodes; // what was bound: would have become one node
    std::vector<Reason> reasons;
};

// The same data for something that blocks nothing: a node that was kept, a private copy (G17).
struct Remark
{
    RuleId rule;
    NodeId root;
    Reason reason;
};

} // namespace fusescope
