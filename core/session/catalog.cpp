#include "session/catalog.h"

#include "passes/pass.h"
#include "patterns/target.h"

namespace fusescope {

std::vector<RuleInfo> ruleCatalog()
{
    std::vector<RuleInfo> rules;
    for (const Pass* pass : allPasses())
        rules.push_back({pass->rule(), pass->stage(), nameOf(pass->rule())});
    return rules;
}

bool isRule(std::string_view id)
{
    return findPass(id) != nullptr;
}

Message ruleName(std::string_view rule)
{
    return nameOf(rule);
}

std::vector<TargetInfo> targetCatalog()
{
    std::vector<TargetInfo> targets;
    for (const Target& target : allTargets())
        targets.push_back({target.id, std::string(target.name), Message(target.description)});
    return targets;
}

} // namespace fusescope
