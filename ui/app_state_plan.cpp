#include "ui/app_state.h"

#include "session/safe_fixes.h"
#include "ui/names.h"
#include "ui/skips.h"

#include <QUndoCommand>

namespace fusescope {

namespace {

// One change of the plan; undo puts the former plan back.
class PlanCommand final : public QUndoCommand
{
public:
    PlanCommand(const QString& name, Plan before, Plan after, std::function<void(Plan)> set)
        : QUndoCommand(name), m_before(std::move(before)), m_after(std::move(after)),
          m_set(std::move(set))
    {
    }
    void undo() override { m_set(m_before); }
    void redo() override { m_set(m_after); }

private:
    Plan m_before, m_after;
    std::function<void(Plan)> m_set;
};

} // namespace

void AppState::changePlan(Plan plan, const QString& name)
{
    if (plan == m_plan)
        return;
    m_undo->push(new PlanCommand(name, m_plan, std::move(plan), [this](Plan p) { setPlan(std::move(p)); }));
}

void AppState::setPlan(Plan plan)
{
    m_plan = std::move(plan);
    keepPlan();
    dropResults();
    if (m_session)
        m_session->setPlan(m_plan);
    Q_EMIT planChanged();
}

void AppState::applyFix(const Fix& fix)
{
    m_applied = AppliedFix{fix, m_timeline->blocked.size()};
    Plan plan = m_plan;
    addFix(plan, fix);
    changePlan(std::move(plan), tr("Fix of %1").arg(names::target(*this, fix)));
}

// What a fix has done, once the passes have ended on its plan.
void AppState::tellFix()
{
    if (!m_applied || !m_timeline->finished || !(m_timeline->plan == m_plan))
        return;
    const AppliedFix applied = *std::exchange(m_applied, std::nullopt);
    if (std::ranges::find(m_plan.fixes, applied.fix) == m_plan.fixes.end())
        return; // undone meanwhile
    const auto* target = std::get_if<NodeId>(&applied.fix.target);
    const auto& steps = m_timeline->steps;
    const auto at = std::ranges::find_if(steps, [&](const auto& step) {
        return step->stage == Stage::fixes && step->rule == idOf(applied.fix.kind) &&
               step->root == (target ? *target : NodeId{});
    });
    if (at == steps.end())
        return; // it found nothing to fix
    const Step& made = **at;
    LogEntry entry;
    entry.text = tr("Applied as step %1: %2. Blocked: %3 before, %4 now.")
                     .arg(made.number)
                     .arg(sentence(made.title, graphAt(made.number - 1).get()))
                     .arg(applied.blockedBefore)
                     .arg(m_timeline->blocked.size());
    entry.node = made.root;
    notify(std::move(entry));
}

std::shared_ptr<const std::vector<Fix>> AppState::safeFixes() const
{
    if (m_safeFixesOf != m_timeline) {
        m_safeFixesOf = m_timeline;
        m_safeFixes =
            std::make_shared<const std::vector<Fix>>(fusescope::safeFixes(*m_timeline));
    }
    return m_safeFixes;
}

void AppState::applyEdit(const Edit& edit)
{
    if (!m_session)
        return;
    if (const auto possible = m_session->check(*m_timeline, edit); !possible) {
        notifyError(possible.error());
        return;
    }
    Plan plan = m_plan;
    plan.edits.push_back(edit);
    changePlan(std::move(plan), tr("Edit of %1").arg(nameOf(edit.node)));
}

void AppState::skipStep(int number)
{
    if (number < 1 || number > stepCount())
        return;
    const Step& step = *m_timeline->steps[static_cast<std::size_t>(number - 1)];
    Plan plan = m_plan;
    if (step.stage == Stage::fixes) {
        // The number counts in the plan of the steps that are shown; a newer one may have begun.
        if (const int at = numberIn(plan, m_timeline->plan, number))
            plan.skipNumbers.insert(at);
    } else {
        plan.skips.insert(m_timeline->rewriteOf(number));
    }
    changePlan(std::move(plan), tr("Skip of %1").arg(nameOf(step.root)));
}

void AppState::unskip(const RewriteKey& key)
{
    Plan plan = m_plan;
    plan.skips.erase(key);
    changePlan(std::move(plan), tr("Apply Again"));
}

void AppState::setPinned(NodeId node, bool pinned)
{
    Plan plan = m_plan;
    if (pinned)
        plan.policy.pinnedNodes.insert(node);
    else
        plan.policy.pinnedNodes.erase(node);
    changePlan(std::move(plan), pinned ? tr("Pin of %1").arg(nameOf(node))
                                       : tr("Unpin of %1").arg(nameOf(node)));
}

void AppState::markPure(const QString& name)
{
    Plan plan = m_plan;
    plan.policy.pure.insert(name.toStdString());
    changePlan(std::move(plan), tr("Mark %1 as pure").arg(name));
}

void AppState::setDisabled(const std::set<std::string>& ids)
{
    Plan plan = m_plan;
    plan.policy.disabled = ids;
    changePlan(std::move(plan), tr("Choice of passes"));
}

} // namespace fusescope
