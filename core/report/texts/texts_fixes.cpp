#include "report/texts.h"

namespace fusescope::texts {

namespace {

constexpr TextRow rows[] = {
    {"fix.wrong-target", CORE_TEXT("Fix", "The fix {fix} does not apply to what it names.")},
    {"fix.freeze-all", CORE_TEXT("Fix", "Freeze all initializers")},
    {"fix.freeze", CORE_TEXT("Fix", "Freeze the initializer {value}")},
    {"fix.inference", CORE_TEXT("Fix", "Set {node} to inference mode")},
    {"fix.drop-noop", CORE_TEXT("Fix", "Remove {node}, which changes nothing")},
    {"fix.duplicate", CORE_TEXT("Fix", "Give each reader of {node} its own copy")},
    {"fix.drop-output", CORE_TEXT("Fix", "Drop the model output {value}")},
    {"edit.attribute", CORE_TEXT("Edit", "Set {name} of {node} to {text}")},
    {"edit.attribute-default", CORE_TEXT("Edit", "Take {name} of {node} away")},
    {"edit.input", CORE_TEXT("Edit", "Let {node} read {value} as input {index}")},
    {"edit.input-none", CORE_TEXT("Edit", "Take input {index} of {node} away")},
    {"edit.reader", CORE_TEXT("Edit", "Drop {node} and all that needs it")},
    {"edit.no-node", CORE_TEXT("Edit", "{node} is no node of the file.")},
    {"edit.wrong-attribute", CORE_TEXT("Edit", "{text} is no value for the attribute {name}.")},
    {"edit.wrong-input",
     CORE_TEXT("Edit", "Input {index} of {node} cannot read that value: it does not stand before "
                       "the node.")},
    {"edit.wrong-reader",
     CORE_TEXT("Edit", "{node} cannot be dropped: no output would be left, or a node with side "
                       "effects needs it.")},
};

} // namespace

std::span<const TextRow> fixes()
{
    return rows;
}

} // namespace fusescope::texts
