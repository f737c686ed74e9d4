#include "passes/pass.h"

#include "passes/rule_support.h"
#include "passes/rules.h"
#include "patterns/conditions.h"
#include "patterns/target.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace fusescope {

namespace {

// A fusion pattern as a pass of the fusion stage.
class PatternPass final : public Pass
{
public:
    explicit PatternPass(const FusionPattern& pattern) : m_pattern(pattern) {}

    RuleId rule() const override { return m_pattern.rule(); }
    Stage stage() const override { return Stage::fusion; }
    std::span<const std::string_view> rootTypes() const override { return m_pattern.rootTypes(); }

    PassAnswer examine(const PassContext& context, NodeId root) const override
    {
        return ask(context.match, root);
    }

private:
    PassAnswer ask(const MatchContext& context, NodeId root) const
    {
        MatchResult result = m_pattern.match(context, root);
        if (auto* match = std::get_if<Match>(&result)) {
            Conditions conditions(context, rule(), root);
            conditions.check("condition.target", leftToTarget(context, rule(), *match));
            std::vector<NodeId> nodes;
            for (const auto& [role, id] : match->nodes)
                nodes.push_back(id);
            conditions.check("condition.valid", notValid(context.view, nodes));
            if (!conditions.allHold()) {
                const int depth = static_cast<int>(nodes.size());
                return std::move(conditions).miss(depth, std::move(nodes));
            }
            Offer offer;
            offer.root = match->root;
            offer.title = match->title;
            offer.remarks = match->remarks;
            offer.nodes = std::move(nodes);
            offer.build = [this, match = std::move(*match)](PatchBuilder& builder) {
                return m_pattern.rewrite(match, builder);
            };
            return offer;
        }
        if (auto* miss = std::get_if<MissReason>(&result))
            return std::move(*miss);
        return {};
    }

    const FusionPattern& m_pattern;
};

std::vector<std::unique_ptr<const Pass>> makePasses()
{
    // The order matters: inlining opens calls, folding makes constants and removes false readers,
    // dead code and clean-up bring partners together, the patterns come in their own order. What is
    // left over is shared last: a fusion would need a copy of what others read too.
    std::vector<std::unique_ptr<const Pass>> passes = cleanupRules();
    passes.push_back(reshapeProductRule()); // a product of many axes meets what follows it
    for (const FusionPattern* pattern : allPatterns())
        passes.push_back(std::make_unique<PatternPass>(*pattern));
    passes.push_back(mergeInitializersRule());
    return passes;
}

} // namespace

std::span<const Pass* const> allPasses()
{
    static const auto owned = makePasses();
    static const auto list = [] {
        std::vector<const Pass*> pointers;
        for (const auto& pass : owned)
            pointers.push_back(pass.get());
        return pointers;
    }();
    return list;
}

const Pass* findPass(RuleId rule)
{
    for (const Pass* pass : allPasses()) {
        if (pass->rule() == rule)
            return pass;
    }
    return nullptr;
}

} // namespace fusescope
