#pragma once

#include "base/message.h"
#include "report/reason.h"
#include "report/step.h"

#include <string>
#include <string_view>
#include <vector>

namespace fusescope {

// What the program can do, for lists, menus and help: the rules in the order in which they run.
struct RuleInfo
{
    RuleId rule;
    Stage stage;
    Message name; // "Conv + BatchNormalization"
};
std::vector<RuleInfo> ruleCatalog();
bool isRule(std::string_view id);
Message ruleName(std::string_view rule); // also of fixes: "freeze-initializers"

struct TargetInfo
{
    std::string_view id;
    std::string name; // "ONNX Runtime"
    Message description;
};
std::vector<TargetInfo> targetCatalog();

} // namespace fusescope
