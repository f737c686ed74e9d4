#include "ui/app_state.h"

#include "report/render.h"

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
    Plan plan = m_plan;
    if (std::find(plan.fixes.begin(), plan.fixes.end(), fix) != plan.fixes.end())
        return;
    plan.fixes.push_back(fix);
    const QString target = std::visit(
        [this](auto id) {
            return QString::fromStdString(displayName(m_session ? &m_session->opened() : nullptr, id));
        },
        fix.target);
    changePlan(std::move(plan), tr("Fix of %1").arg(target));
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
        const auto fixes = static_cast<int>(plan.fixes.size());
        if (number <= fixes)
            plan.fixes.erase(plan.fixes.begin() + (number - 1));
        else
            plan.edits.erase(plan.edits.begin() + (number - 1 - fixes));
    } else {
        const Graph before = m_timeline->at(number - 1);
        const Node* root = before.node(step.root);
        RewriteKey key{std::string(step.rule), {step.root}};
        if (root && !root->origins.empty())
            key.origins = root->origins;
        plan.skips.insert(std::move(key));
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
