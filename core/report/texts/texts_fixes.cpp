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
};

} // namespace

std::span<const TextRow> fixes()
{
    return rows;
}

} // namespace fusescope::texts
