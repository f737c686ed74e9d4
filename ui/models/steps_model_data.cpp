#include "ui/models/blocked_model.h"
#include "ui/models/steps_item.h"
#include "ui/names.h"
#include "ui/theme/roles.h"

namespace fusescope {

namespace {

QString stageName(Stage stage)
{
    switch (stage) {
    case Stage::fixes:
        return StepsModel::tr("Fixes");
    case Stage::inlining:
        return StepsModel::tr("Inline");
    case Stage::folding:
        return StepsModel::tr("Folding");
    case Stage::deadCode:
        return StepsModel::tr("Dead code");
    case Stage::fusion:
        return StepsModel::tr("Fusion");
    }
    return {};
}

} // namespace

bool StepsModel::isHidden(const Item& item) const
{
    if (!m_state.predict())
        return false;
    switch (item.kind) {
    case Kind::stage:
    case Kind::rule:
        // A name above rows that are hidden would tell what they do.
        return !item.first || item.step > m_b;
    case Kind::step:
        return item.step > m_b;
    case Kind::blocked: {
        const auto timeline = m_state.timeline();
        return timeline->blocked[static_cast<std::size_t>(item.blocked)].finalAt > m_b;
    }
    }
    return false;
}

bool StepsModel::inRange(const Item& item) const
{
    if (!m_a)
        return false;
    if (item.kind == Kind::step)
        return item.step > m_a && item.step <= m_b;
    if (item.kind == Kind::blocked)
        return false;
    for (int step = std::max(item.first, m_a + 1); step <= std::min(item.step, m_b); ++step) {
        const Item* row = m_steps[static_cast<std::size_t>(step - 1)];
        if (row->parent == &item || row->parent->parent == &item)
            return true;
    }
    return false;
}

QVariant StepsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Item& item = *itemOf(index);
    if (item.kind == Kind::blocked &&
        static_cast<std::size_t>(item.blocked) >= m_state.timeline()->blocked.size())
        return {};
    if (item.kind == Kind::step && item.step > m_state.stepCount())
        return {};
    switch (role) {
    case CurrentRole:
        return &item == m_current;
    case RangeRole:
        return inRange(item);
    case PillsRole:
        return QVariant::fromValue(pillsOf(item));
    case CountRole: {
        const QString count = countOf(item);
        return count.isEmpty() ? QVariant() : QVariant(count);
    }
    default:
        break;
    }
    switch (item.kind) {
    case Kind::stage:
        return stageData(item, role);
    case Kind::rule:
        return ruleData(item, role);
    case Kind::step:
        return stepData(item, role);
    case Kind::blocked:
        return blockedData(item, role);
    }
    return {};
}

QList<Pill> StepsModel::pillsOf(const Item& item) const
{
    QList<Pill> pills;
    const bool hidden = m_state.predict() && m_b < m_state.stepCount();
    if (item.legality && !hidden)
        pills << Pill{QString::number(item.legality), Tone::blocked, Mark::blocked, false};
    else if (item.others && !hidden)
        pills << Pill{QString::number(item.others), Tone::neutral,
                      item.profit ? Mark::profit : Mark::policy, false};
    const auto& compared = m_state.compareResult();
    if (item.kind == Kind::step && compared && compared->divergence &&
        compared->divergence->step == item.step)
        pills << Pill{tr("diverges"), Tone::removed, Mark::none, false};
    if (item.kind == Kind::step && m_a && item.step == m_a)
        pills << Pill{QStringLiteral("A"), Tone::accent, Mark::none, false};
    if (&item == m_current)
        pills << Pill{QStringLiteral("B"), Tone::accent, Mark::none, true};
    return pills;
}

QString StepsModel::countOf(const Item& item) const
{
    if (item.kind == Kind::step || item.kind == Kind::blocked)
        return {};
    if (isHidden(item))
        return QStringLiteral("?");
    if (!item.steps)
        return item.legality || item.others ? QString() : QStringLiteral("0");
    if (m_state.predict() && item.step > m_b)
        return QStringLiteral("?");
    if (item.kind == Kind::rule && item.first <= m_b && item.step > m_b) {
        int done = 0;
        for (const auto& child : item.children)
            done += child->kind == Kind::step && child->step <= m_b;
        return QStringLiteral("%1 / %2").arg(done).arg(item.steps);
    }
    return QString::number(item.steps);
}

QVariant StepsModel::stageData(const Item& item, int role) const
{
    switch (role) {
    case Qt::DisplayRole:
    case FilterRole:
        return isHidden(item) ? QStringLiteral("?") : stageName(item.stage);
    case EmphasisRole:
        return true;
    case Qt::AccessibleTextRole:
        return isHidden(item) ? tr("hidden")
                              : tr("%1, %n step(s)", nullptr, item.steps).arg(stageName(item.stage));
    default:
        return {};
    }
}

QVariant StepsModel::ruleData(const Item& item, int role) const
{
    const bool done = item.steps && item.step <= m_b;
    const bool begun = item.steps && item.first <= m_b;
    switch (role) {
    case Qt::DisplayRole:
        if (isHidden(item))
            return QStringLiteral("?");
        [[fallthrough]];
    case FilterRole: {
        if (isHidden(item))
            return QString();
        const QString name = names::rule(m_state, item.rule);
        return item.round > 1 ? tr("%1, round %2").arg(name).arg(item.round) : name;
    }
    case MarkRole:
        if (isHidden(item))
            return QVariant::fromValue(Mark::predicted);
        if (done)
            return QVariant::fromValue(Mark::tick);
        if (!begun && item.steps)
            return QVariant::fromValue(Mark::coming);
        return {};
    case MutedRole:
        return !begun;
    case Qt::AccessibleTextRole: {
        const QString name = ruleData(item, Qt::DisplayRole).toString();
        return done     ? tr("%1, done, %n step(s)", nullptr, item.steps).arg(name)
               : !begun ? tr("%1, coming").arg(name)
                        : tr("%1, begun").arg(name);
    }
    default:
        return {};
    }
}

QVariant StepsModel::stepData(const Item& item, int role) const
{
    const Step& rewrite = step(item.step);
    const bool skipped = rewrite.state == StepState::skipped;
    const bool hidden = isHidden(item);
    switch (role) {
    case Qt::DisplayRole:
        return hidden ? QStringLiteral("?") : names::rootOf(m_state, rewrite);
    case FilterRole:
        return hidden ? QString() : names::wholeRootOf(m_state, rewrite);
    case WholeTextRole:
        return hidden ? QString() : names::wholeRootOf(m_state, rewrite);
    case NumberRole:
        return QString::number(item.step);
    case MonoRole:
        return true;
    case MarkRole:
        return QVariant::fromValue(hidden               ? Mark::predicted
                                   : skipped            ? Mark::skipped
                                   : item.step == m_b   ? Mark::current
                                   : item.step < m_b    ? Mark::tick
                                                        : Mark::coming);
    case MutedRole:
        return item.step > m_b;
    case StrikeRole:
        return skipped && !hidden;
    case SecondTextRole:
        return skipped && !hidden ? QVariant(tr("skipped by you")) : QVariant();
    case Qt::AccessibleTextRole: {
        const QString state = hidden             ? tr("hidden")
                              : skipped          ? tr("skipped by you")
                              : item.step == m_b ? tr("current")
                              : item.step < m_b  ? tr("done")
                                                 : tr("coming");
        return tr("Step %1, %2, %3").arg(item.step).arg(stepData(item, Qt::DisplayRole).toString(), state);
    }
    default:
        return {};
    }
}

QVariant StepsModel::blockedData(const Item& item, int role) const
{
    const auto timeline = m_state.timeline();
    const Blocked& blocked = timeline->blocked[static_cast<std::size_t>(item.blocked)];
    const bool hidden = isHidden(item);
    const ReasonKind kind = blocked.miss.reasons.empty() ? ReasonKind::legality
                                                         : blocked.miss.reasons.front().kind();
    switch (role) {
    case Qt::DisplayRole:
        return hidden ? QStringLiteral("?") : names::brief(m_state, blocked.miss.root);
    case FilterRole:
        return hidden ? QString() : names::whole(m_state, blocked.miss.root);
    case WholeTextRole:
        return hidden ? QString() : names::whole(m_state, blocked.miss.root);
    case NumberRole:
        return QStringLiteral("–");
    case MonoRole:
    case MutedRole:
        return true;
    case MarkRole:
        return QVariant::fromValue(hidden ? Mark::predicted : markOf(kind));
    case Qt::AccessibleTextRole:
        return tr("Blocked: %1").arg(blockedData(item, Qt::DisplayRole).toString());
    default:
        return {};
    }
}

} // namespace fusescope
