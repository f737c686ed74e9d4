#include "passes/rule_support.h"
#include "passes/rules.h"

#include <algorithm>
#include <set>

namespace fusescope {

namespace {

// before:  an initializer that nobody reads, a function that nobody calls      after:  neither
//
// Of the model as a whole, in one step without a root. What callers see stays: an initializer that
// is an input too (from IR 4 on), and pinned values.
class RemoveUnused final : public Pass
{
public:
    RuleId rule() const override { return "remove-unused"; }
    Stage stage() const override { return Stage::deadCode; }
    std::span<const std::string_view> rootTypes() const override { return {}; }
    bool isOfWholeModel() const override { return true; }
    PassAnswer examine(const PassContext& context, NodeId root) const override;
};

// The functions that a body calls, itself or through others. Calls may nest to any depth.
std::set<BodyId> functionsCalled(const Graph& graph, BodyId from)
{
    std::set<BodyId> called;
    std::vector<BodyId> open{from};
    while (!open.empty()) {
        const BodyId body = open.back();
        open.pop_back();
        for (const NodeId member : *graph.nodes(body)) {
            const Node& node = *graph.node(member);
            open.insert(open.end(), node.bodies.begin(), node.bodies.end());
            const BodyId function = graph.functionOf(node.op);
            if (function && called.insert(function).second)
                open.push_back(function);
        }
    }
    return called;
}

std::vector<BodyId> uncalledFunctions(const Graph& graph, const Policy& policy)
{
    if (graph.header().functions.empty())
        return {};
    const std::set<BodyId> called = functionsCalled(graph, graph.mainBody());
    std::vector<BodyId> result;
    for (const BodyId function : graph.header().functions) {
        if (graph.body(function) && !called.contains(function) &&
            !holdsPinned(graph, policy, function))
            result.push_back(function);
    }
    return result;
}

std::vector<ValueId> unreadInitializers(const PassContext& context)
{
    const Graph& graph = context.match.view.graph();
    const auto stays = keptInitializers(graph, context.match.policy);
    std::vector<ValueId> result;
    for (const BodyId id : graph.bodies()) {
        for (const ValueId value : graph.body(id)->initializers) {
            const Value* v = graph.value(value);
            const bool implied =
                v && v->isInput && id == graph.mainBody() && graph.header().irVersion <= 3;
            if (v && graph.uses(value).empty() && (!v->isInput || implied) &&
                !(stays && stays(value)))
                result.push_back(value);
        }
    }
    return result;
}

PassAnswer RemoveUnused::examine(const PassContext& context, NodeId) const
{
    const std::vector<BodyId> functions = uncalledFunctions(context.match.view.graph(), context.match.policy);
    const std::vector<ValueId> values = unreadInitializers(context);
    if (functions.empty() && values.empty())
        return {};
    Offer offer;
    const auto count = static_cast<std::int64_t>(functions.size() + values.size());
    offer.title = functions.empty()
                      ? Message("title.remove-unused.initializers", {{"count", count}})
                  : values.empty() ? Message("title.remove-unused.functions", {{"count", count}})
                                   : Message("title.remove-unused.both", {{"count", count}});
    offer.build = [functions, values](PatchBuilder& builder) -> Result<void> {
        for (const BodyId function : functions)
            builder.removeFunction(function);
        for (const ValueId value : values)
            builder.removeInitializer(value);
        return {};
    };
    return offer;
}

} // namespace

std::unique_ptr<const Pass> removeUnusedRule()
{
    return std::make_unique<RemoveUnused>();
}

} // namespace fusescope
