#include "passes/optimizer.h"

#include "exec/executor.h"
#include "model/origins.h"
#include "ops/cost.h"
#include "passes/differentiated.h"
#include "passes/fix_trial.h"
#include "passes/references.h"
#include "passes/rule_support.h"
#include "passes/worklist.h"
#include "report/texts.h"

#include <algorithm>

namespace fusescope {

namespace {

constexpr int maxRounds = 10;
constexpr std::int64_t foldingMemory = std::int64_t{4} << 30;

std::int64_t storedBytesOf(const Value* value)
{
    return value && value->constant ? value->constant->byteSize() : 0;
}

std::int64_t storedBytesOf(const Node* node)
{
    if (!node || !node->is("Constant"))
        return 0;
    const TensorPtr tensor = node->attributes.getTensor("value");
    return tensor ? tensor->byteSize() : 8;
}

std::int64_t parametersOf(const Value* value)
{
    return value && value->constant && isFloatingPoint(value->constant->dtype())
               ? value->constant->elementCount()
               : 0;
}

// What the records that a patch takes away (or, after it was applied, brings) cost.
Cost costOf(const Graph& graph, const GraphPatch& patch, bool after, const SymbolSizes& sizes)
{
    const auto sizeOf = [&sizes](const Dim& dim) -> std::optional<std::int64_t> {
        const auto found = sizes.find(dim);
        return found == sizes.end() ? std::nullopt : std::optional(found->second);
    };
    Cost cost;
    double flops = 0, activationBytes = 0;
    cost.nodes = static_cast<std::int64_t>(graph.nodeCount());
    for (const auto& slot : patch.values) {
        const Value* value = (after ? slot.after : slot.before).get();
        cost.storedBytes += storedBytesOf(value);
        cost.parameters += parametersOf(value);
    }
    for (const auto& slot : patch.nodes) {
        const Node* node = (after ? slot.after : slot.before).get();
        cost.storedBytes += storedBytesOf(node);
        const Body* body = node ? graph.body(node->body) : nullptr;
        if (!body || body->kind == Body::Kind::region)
            continue;
        flops += flopsOf(graph, slot.id, sizeOf).value_or(0);
        if (node->is("Constant"))
            continue;
        for (const ValueId output : node->outputs) {
            if (const Value* value = graph.value(output))
                activationBytes += static_cast<double>(bytesOf(*value, sizeOf).value_or(0));
        }
    }
    cost.flops = countedSum(flops);
    cost.activationBytes = countedSum(activationBytes);
    return cost;
}

Cost difference(const Cost& a, const Cost& b)
{
    Cost cost;
    cost.nodes = a.nodes - b.nodes;
    cost.storedBytes = a.storedBytes - b.storedBytes;
    cost.parameters = a.parameters - b.parameters;
    cost.flops = a.flops - b.flops;
    cost.activationBytes = a.activationBytes - b.activationBytes;
    return cost;
}

MissReason buildFailure(RuleId rule, NodeId root, const Error& error)
{
    return {rule, root, 0, {root},
            {makeReason(ReasonCode::evaluationFailed, {root}, Message("headline.rewrite-refused"),
                        error.message, Message("unblock.rewrite-refused"))}};
}

} // namespace

const Evaluate& evaluateForFolding()
{
    static const Evaluate evaluate = [](const Graph& graph, NodeId node, std::stop_token stop) {
        return ReferenceExecutor::evaluate(graph, node, foldingMemory, stop);
    };
    return evaluate;
}

std::int64_t constantBytes(const Graph& graph)
{
    std::int64_t bytes = 0;
    for (std::uint32_t i = 1; i < graph.valueLimit(); ++i)
        bytes += storedBytesOf(graph.value(ValueId{i}));
    for (std::uint32_t i = 1; i < graph.nodeLimit(); ++i)
        bytes += storedBytesOf(graph.node(NodeId{i}));
    return bytes;
}

Message nameOf(RuleId rule)
{
    Message message;
    if (const TextRow* row = findText("rule." + std::string(rule)))
        message.text.key = row->key;
    else
        message.text.key = rule;
    return message;
}

struct Optimizer::State
{
    Graph graph;
    Plan plan;
    Differentiated differentiated;
    Policy asked; // without what is only differentiated
    std::shared_ptr<IdPool> pool;
    SymbolSizes sizes;
    std::vector<const Pass*> passes;
    Worklist worklist;
    CallSizes calls;
    CallCounts callers;

    std::size_t fixIndex = 0;
    std::size_t editIndex = 0;
    std::size_t pass = 0;
    int round = 1;
    int number = 0;
    bool changedThisRound = false;
    bool ended = false;
    std::set<std::size_t> askedOfWhole; // passes, in this round
    std::int64_t grown = 0; // stored bytes that the steps added
    std::set<std::pair<std::size_t, NodeId>> skipped; // (pass, root) not offered again
    std::set<std::pair<std::size_t, NodeId>> failedToBuild;
    std::vector<std::set<NodeId>> waitingForSpace; // refused by the growth limit, by pass
    std::vector<Lifted> lifted;
    std::vector<Remark> stepRemarks;
    ReadSet reads; // of the question that is asked now

    static std::vector<const Pass*> passesOf(const Plan& plan)
    {
        std::vector<const Pass*> list;
        for (const Pass* pass : allPasses()) {
            if (isOn(plan.policy, *pass))
                list.push_back(pass);
        }
        return list;
    }

    static Worklist worklistOf(const std::vector<const Pass*>& passes)
    {
        static constexpr std::string_view none[] = {""}; // no operator has this name
        std::vector<std::span<const std::string_view>> types;
        for (const Pass* pass : passes)
            types.push_back(pass->isOfWholeModel() ? none : pass->rootTypes());
        return {passes.size(), std::move(types)};
    }

    State(Graph opened, Plan p, std::shared_ptr<IdPool> ids, SymbolSizes assumed)
        : graph(std::move(opened)), plan(std::move(p)), differentiated(graph), asked(plan.policy),
          pool(std::move(ids)), sizes(std::move(assumed)), passes(passesOf(plan)), worklist(worklistOf(passes)), calls(graph),
          callers(graph), waitingForSpace(passes.size())
    {
        if (!pool)
            pool = std::make_shared<IdPool>(graph);
        plan.policy = differentiated.pinnedBeside(std::move(plan.policy));
    }

    // The pass to go on with. Folding ends before the next stage begins: a size that a late pass made
    // known may give an early one more to fold, and a fusion would take these nodes first.
    std::size_t passAfter(std::size_t done) const
    {
        const auto folds = [this](std::size_t p) {
            return p < passes.size() && passes[p]->stage() == Stage::folding;
        };
        if (folds(done) && !folds(done + 1)) {
            for (std::size_t p = 0; p <= done; ++p) {
                if (folds(p) && !worklist.isEmpty(p))
                    return p;
            }
        }
        return done + 1;
    }

    bool numbersLeft() const { return plan.maxSteps < 0 || number < plan.maxSteps; }

    bool isSkipped(RuleId rule, NodeId root, int asNumber) const
    {
        return plan.skipNumbers.count(asNumber) > 0 ||
               (!plan.skips.empty() &&
                plan.skips.count({std::string(rule), originsOf(root, graph.node(root))}) > 0);
    }

    Result<Step> applyFix(const Fix& fix)
    {
        Step step;
        step.number = ++number;
        step.round = 0;
        step.stage = Stage::fixes;
        step.rule = idOf(fix.kind);
        step.title = fixTitle(graph, fix);
        if (const auto* node = std::get_if<NodeId>(&fix.target))
            step.root = *node;
        if (plan.skipNumbers.count(step.number) > 0) {
            step.state = StepState::skipped;
            return step;
        }
        FUSESCOPE_ASSIGN(step.patch, fixPatch(graph, *pool, fix, plan.policy));
        FUSESCOPE_TRY(apply(step));
        return step;
    }

    Result<Step> applyEdit(const Edit& edit)
    {
        Step step;
        step.number = ++number;
        step.round = 0;
        step.stage = Stage::fixes;
        step.rule = idOf(edit.kind);
        step.title = editTitle(edit);
        step.root = edit.node;
        if (plan.skipNumbers.count(step.number) > 0) {
            step.state = StepState::skipped;
            return step;
        }
        FUSESCOPE_ASSIGN(step.patch, editPatch(graph, *pool, edit, plan.policy));
        FUSESCOPE_TRY(apply(step));
        return step;
    }

    Result<void> apply(Step& step)
    {
        const Cost before = costOf(graph, step.patch, false, sizes);
        FUSESCOPE_TRY(graph.apply(step.patch));
        step.cost = difference(before, costOf(graph, step.patch, true, sizes));
        grown -= step.cost.storedBytes;
        callers.apply(graph, step.patch);
        return {};
    }

    void afterStep(const Step& step)
    {
        worklist.touch(graph, step.patch);
        if (step.cost.storedBytes > 0) {
            for (std::size_t p = 0; p < passes.size(); ++p) {
                for (const NodeId root : waitingForSpace[p])
                    worklist.askAgain(p, root, graph);
                waitingForSpace[p].clear();
            }
        }
    }

    // Asks the current pass about one root; an applied or skipped step, or nothing.
    Result<std::optional<Step>> ask(NodeId root, bool mayOffer, std::stop_token stop)
    {
        reads.clear();
        const PassContext context{{GraphView(graph, &reads), plan.policy, nullptr, grown},
                                  evaluateForFolding(),
                                  calls,
                                  callers,
                                  stop};
        const Pass& rule = *passes[pass];
        PassAnswer answer = differentiated.told(
            withoutReferences(rule, graph, root, reads, rule.examine(context, root)), asked);
        if (stop.stop_requested())
            return cancelled();
        auto* offer = std::get_if<Offer>(&answer);
        if (!offer) {
            if (const auto* miss = std::get_if<MissReason>(&answer)) {
                for (const Reason& reason : miss->reasons) {
                    if (reason.code == ReasonCode::growthLimit)
                        waitingForSpace[pass].insert(root);
                }
            }
            if (root)
                worklist.answer(pass, root, std::move(answer), number, reads);
            return std::optional<Step>();
        }
        const bool again = skipped.count({pass, root}) > 0 || failedToBuild.count({pass, root}) > 0;
        if (!mayOffer || again) {
            if (root)
                worklist.answer(pass, root, {}, number, reads);
            return std::optional<Step>();
        }
        Step step;
        step.number = number + 1;
        step.round = round;
        step.stage = rule.stage();
        step.rule = rule.rule();
        step.root = offer->root;
        step.title = offer->title;
        step.taken = offer->nodes;
        if (root && std::find(step.taken.begin(), step.taken.end(), root) == step.taken.end())
            step.taken.push_back(root);
        for (Reason& remark : offer->remarks)
            step.remarks.push_back({step.rule, step.root, std::move(remark)});
        if (isSkipped(step.rule, root, step.number)) {
            step.state = StepState::skipped;
            skipped.insert({pass, root});
            number = step.number;
            if (root)
                worklist.answer(pass, root, {}, number, reads);
            return std::optional<Step>(std::move(step));
        }
        PatchBuilder builder(graph, *pool, step.rule, root, keptByPins(graph, plan.policy),
                             keptInitializers(graph, plan.policy));
        const Result<void> built = offer->build(builder);
        Result<GraphPatch> patch = built ? builder.finish() : tl::unexpected(built.error());
        Result<void> applied;
        if (patch) {
            step.patch = std::move(*patch);
            applied = apply(step);
        }
        if (!patch || !applied) {
            failedToBuild.insert({pass, root});
            if (root)
                worklist.answer(pass, root,
                                buildFailure(step.rule, root,
                                             patch ? applied.error() : patch.error()),
                                number, reads);
            return std::optional<Step>();
        }
        number = step.number;
        changedThisRound = true;
        if (const auto* before = worklist.previous(pass, root); before && *before)
            lifted.push_back({**before, number});
        stepRemarks.insert(stepRemarks.end(), step.remarks.begin(), step.remarks.end());
        if (root)
            worklist.done(pass, root);
        afterStep(step);
        worklist.put(pass, root, graph); // a root that stays may be one again
        return std::optional<Step>(std::move(step));
    }
};

Optimizer::Optimizer(Graph opened, Plan plan, std::shared_ptr<IdPool> pool, SymbolSizes sizes)
    : m_state(std::make_unique<State>(std::move(opened), std::move(plan), std::move(pool),
                                      std::move(sizes)))
{
}

Optimizer::~Optimizer() = default;
Optimizer::Optimizer(Optimizer&&) noexcept = default;
Optimizer& Optimizer::operator=(Optimizer&&) noexcept = default;

const Graph& Optimizer::graph() const
{
    return m_state->graph;
}

Result<std::optional<Step>> Optimizer::next(std::stop_token stop)
{
    State& s = *m_state;
    if (s.ended)
        return std::optional<Step>();
    if (s.fixIndex < s.plan.fixes.size() && s.numbersLeft()) {
        FUSESCOPE_ASSIGN(Step step, s.applyFix(s.plan.fixes[s.fixIndex++]));
        return std::optional<Step>(std::move(step));
    }
    if (s.editIndex < s.plan.edits.size() && s.numbersLeft()) {
        FUSESCOPE_ASSIGN(Step step, s.applyEdit(s.plan.edits[s.editIndex++]));
        return std::optional<Step>(std::move(step));
    }
    if (s.fixIndex <= s.plan.fixes.size()) {
        s.fixIndex = s.plan.fixes.size() + 1;
        s.worklist.fill(s.graph);
    }
    while (true) {
        for (; s.pass < s.passes.size(); s.pass = s.passAfter(s.pass)) {
            if (s.passes[s.pass]->isOfWholeModel() && s.askedOfWhole.insert(s.pass).second) {
                FUSESCOPE_ASSIGN(std::optional<Step> step, s.ask({}, s.numbersLeft(), stop));
                if (step)
                    return step;
            }
            while (const auto root = s.worklist.take(s.pass, s.graph)) {
                FUSESCOPE_ASSIGN(std::optional<Step> step, s.ask(*root, s.numbersLeft(), stop));
                if (step)
                    return step;
            }
        }
        s.pass = 0;
        s.askedOfWhole.clear();
        const bool again = std::exchange(s.changedThisRound, false);
        if (again && s.round < maxRounds) {
            ++s.round;
            continue;
        }
        // The limit of rounds, or of steps, may leave roots unasked: their refusals are final too.
        const bool unasked = [&s] {
            for (std::size_t p = 0; p < s.passes.size(); ++p) {
                if (!s.worklist.isEmpty(p))
                    return true;
            }
            return false;
        }();
        if (!unasked)
            break;
        for (; s.pass < s.passes.size(); ++s.pass) {
            while (const auto root = s.worklist.take(s.pass, s.graph))
                FUSESCOPE_TRY(s.ask(*root, false, stop));
        }
        break;
    }
    s.ended = true;
    return std::optional<Step>();
}

std::vector<Blocked> Optimizer::blocked() const
{
    std::vector<Blocked> result;
    FixTrial trial(m_state->graph, m_state->plan, m_state->calls, m_state->grown);
    for (std::size_t p = 0; p < m_state->passes.size(); ++p) {
        const Pass& pass = *m_state->passes[p];
        for (const auto& [root, answered] : m_state->worklist.answers(p, m_state->graph)) {
            if (const auto* miss = std::get_if<MissReason>(&answered->answer)) {
                result.push_back({*miss, answered->step, pass.rule()});
                trial.examine(pass, result.back().miss);
            }
        }
    }
    return result;
}

std::vector<Lifted> Optimizer::lifted() const
{
    return m_state->lifted;
}

std::vector<Remark> Optimizer::remarks() const
{
    std::vector<Remark> result = m_state->stepRemarks;
    for (std::size_t p = 0; p < m_state->passes.size(); ++p) {
        for (const auto& [root, answered] : m_state->worklist.answers(p, m_state->graph)) {
            if (const auto* remark = std::get_if<Remark>(&answered->answer))
                result.push_back(*remark);
        }
    }
    return result;
}

} // namespace fusescope
