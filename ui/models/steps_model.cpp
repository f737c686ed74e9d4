#include "ui/models/steps_model.h"

#include "session/catalog.h"
#include "ui/models/steps_item.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>

namespace fusescope {

StepsModel::StepsModel(AppState& state, QObject* parent)
    : QAbstractItemModel(parent), m_state(state), m_root(std::make_unique<Item>())
{
    int order = 0;
    for (const RuleInfo& rule : ruleCatalog()) {
        m_order[rule.rule] = order++;
        m_stageOf[rule.rule] = rule.stage;
    }
    connect(&state, &AppState::sessionChanged, this, [this] {
        m_generation = -1;
        grow();
    });
    connect(&state, &AppState::timelineChanged, this, &StepsModel::grow);
    connect(&state, &AppState::cursorChanged, this, &StepsModel::cursorMoved);
    connect(&state, &AppState::predictChanged, this, [this] {
        for (const auto& stage : m_root->children) {
            emitChanged(stage.get());
            for (const auto& rule : stage->children) {
                emitChanged(rule.get());
                if (!rule->children.empty())
                    Q_EMIT dataChanged(indexOf(rule->children.front().get()),
                                       indexOf(rule->children.back().get()));
            }
        }
    });
    connect(&state, &AppState::compareChanged, this,
            [this] { emitSteps(1, static_cast<int>(m_steps.size())); });
    grow();
}

StepsModel::~StepsModel() = default;

void StepsModel::reset()
{
    beginResetModel();
    m_root = std::make_unique<Item>();
    m_steps.clear();
    m_empty.clear();
    m_current = nullptr;
    m_finished = false;
    m_a = m_state.a().value_or(0);
    m_b = m_state.b();
    endResetModel();
}

// Long runs of one rule come in one insertion, so that views do their work once.
void StepsModel::grow()
{
    const auto timeline = m_state.timeline();
    if (!m_state.hasModel() || timeline->generation != m_generation ||
        timeline->size() < static_cast<int>(m_steps.size()) || (m_finished && !timeline->finished)) {
        reset();
        m_generation = m_state.hasModel() ? timeline->generation : -1;
    }
    if (!m_state.hasModel())
        return;
    std::size_t at = m_steps.size();
    const auto& steps = timeline->steps;
    while (at < steps.size()) {
        std::size_t end = at + 1;
        while (end < steps.size() && steps[end]->rule == steps[at]->rule &&
               steps[end]->round == steps[at]->round && steps[end]->stage == steps[at]->stage)
            ++end;
        Item* stage = stageItem(steps[at]->stage);
        Item* rule = ruleItem(stage, steps[at]->rule, steps[at]->round);
        const int row = static_cast<int>(rule->children.size());
        beginInsertRows(indexOf(rule), row, row + static_cast<int>(end - at) - 1);
        for (; at < end; ++at) {
            auto item = std::make_unique<Item>();
            item->kind = Kind::step;
            item->parent = rule;
            item->row = static_cast<int>(rule->children.size());
            item->stage = steps[at]->stage;
            item->rule = rule->rule;
            item->round = rule->round;
            item->step = static_cast<int>(at) + 1;
            m_steps.push_back(item.get());
            for (Item* above : {rule, stage}) {
                ++above->steps;
                above->step = item->step;
                if (!above->first)
                    above->first = item->step;
            }
            rule->children.push_back(std::move(item));
        }
        endInsertRows();
        emitChanged(rule);
        emitChanged(stage);
    }
    if (timeline->finished && !m_finished) {
        m_finished = true;
        takeBlocked();
        if (m_showEmpty)
            addEmptyRules();
    }
}

StepsModel::Item* StepsModel::insert(Item* parent, std::size_t at, std::unique_ptr<Item> item)
{
    Item* added = item.get();
    std::vector<std::unique_ptr<Item>> one;
    one.push_back(std::move(item));
    insert(parent, at, std::move(one));
    return added;
}

void StepsModel::insert(Item* parent, std::size_t at, std::vector<std::unique_ptr<Item>> items)
{
    beginInsertRows(indexOf(parent), static_cast<int>(at),
                    static_cast<int>(at + items.size()) - 1);
    for (const auto& item : items)
        item->parent = parent;
    parent->children.insert(parent->children.begin() + static_cast<std::ptrdiff_t>(at),
                            std::make_move_iterator(items.begin()),
                            std::make_move_iterator(items.end()));
    for (std::size_t i = at; i < parent->children.size(); ++i)
        parent->children[i]->row = static_cast<int>(i);
    endInsertRows();
}

StepsModel::Item* StepsModel::stageItem(Stage stage)
{
    std::size_t at = 0;
    for (; at < m_root->children.size(); ++at) {
        Item* item = m_root->children[at].get();
        if (item->stage == stage)
            return item;
        if (item->stage > stage)
            break;
    }
    auto item = std::make_unique<Item>();
    item->kind = Kind::stage;
    item->stage = stage;
    return insert(m_root.get(), at, std::move(item));
}

StepsModel::Item* StepsModel::ruleItem(Item* stage, RuleId rule, int round, bool canMake)
{
    const auto place = [this](RuleId id) {
        const auto found = m_order.find(id);
        return found == m_order.end() ? -1 : found->second;
    };
    std::size_t at = 0;
    for (; at < stage->children.size(); ++at) {
        Item* item = stage->children[at].get();
        if (item->rule == rule && item->round == round)
            return item;
        if (std::pair(item->round, place(item->rule)) > std::pair(round, place(rule)))
            break;
    }
    if (!canMake)
        return nullptr;
    auto item = std::make_unique<Item>();
    item->kind = Kind::rule;
    item->stage = stage->stage;
    item->rule = rule;
    item->round = round;
    return insert(stage, at, std::move(item));
}

// A refusal stands in its rule's last round, between the rewrites where it became final. Those of one
// place come in one insertion, the last place first, so that the others stay where they are.
void StepsModel::takeBlocked()
{
    const auto timeline = m_state.timeline();
    std::map<RuleId, std::vector<int>> byRule;
    std::vector<RuleId> order; // as they come first
    for (std::size_t i = 0; i < timeline->blocked.size(); ++i) {
        const Blocked& blocked = timeline->blocked[i];
        const RuleId id = m_order.contains(blocked.pass) ? blocked.pass : blocked.miss.rule;
        std::vector<int>& rows = byRule[id];
        if (rows.empty())
            order.push_back(id);
        rows.push_back(static_cast<int>(i));
    }
    for (const RuleId id : order)
        insertBlocked(id, byRule[id]);
}

void StepsModel::insertBlocked(RuleId id, const std::vector<int>& rows)
{
    const auto timeline = m_state.timeline();
    const auto known = m_stageOf.find(id);
    Item* stage = stageItem(known == m_stageOf.end() ? Stage::fusion : known->second);
    Item* rule = nullptr;
    for (const auto& child : stage->children) {
        if (child->rule == id)
            rule = child.get();
    }
    if (!rule)
        rule = ruleItem(stage, id, 1);
    std::map<std::size_t, std::vector<int>, std::greater<>> byPlace;
    for (const int row : rows) {
        const Blocked& blocked = timeline->blocked[static_cast<std::size_t>(row)];
        const auto after = std::upper_bound(
            rule->children.begin(), rule->children.end(), blocked.finalAt,
            [](int step, const std::unique_ptr<Item>& child) { return step < child->step; });
        byPlace[static_cast<std::size_t>(after - rule->children.begin())].push_back(row);
        const ReasonKind kind = blocked.miss.reasons.empty() ? ReasonKind::legality
                                                             : blocked.miss.reasons.front().kind();
        for (Item* above : {rule, stage}) {
            ++(kind == ReasonKind::legality ? above->legality : above->others);
            above->profit += kind == ReasonKind::profit;
        }
    }
    for (const auto& [place, run] : byPlace) {
        std::vector<std::unique_ptr<Item>> items;
        for (const int row : run) {
            auto item = std::make_unique<Item>();
            item->kind = Kind::blocked;
            item->stage = stage->stage;
            item->rule = id;
            item->blocked = row;
            items.push_back(std::move(item));
        }
        insert(rule, place, std::move(items));
    }
    emitChanged(rule);
    emitChanged(stage);
}

int StepsModel::emptyCount() const
{
    if (!m_finished)
        return 0;
    std::set<RuleId> busy;
    for (const auto& stage : m_root->children) {
        for (const auto& rule : stage->children) {
            if (!rule->children.empty())
                busy.insert(rule->rule);
        }
    }
    return static_cast<int>(std::count_if(m_order.begin(), m_order.end(), [&](const auto& rule) {
        return !busy.contains(rule.first);
    }));
}

void StepsModel::setShowEmpty(bool show)
{
    if (show == m_showEmpty)
        return;
    m_showEmpty = show;
    if (!m_finished)
        return;
    if (show)
        addEmptyRules();
    else
        removeEmptyRules();
}

void StepsModel::addEmptyRules()
{
    for (const auto& [rule, order] : m_order) {
        Item* stage = stageItem(m_stageOf.at(rule));
        const bool known = std::any_of(stage->children.begin(), stage->children.end(),
                                       [&](const auto& child) { return child->rule == rule; });
        if (!known)
            m_empty.push_back(ruleItem(stage, rule, 1));
    }
}

void StepsModel::removeEmptyRules()
{
    for (Item* item : m_empty) {
        Item* parent = item->parent;
        if (m_current == item)
            m_current = nullptr;
        const int row = item->row;
        beginRemoveRows(indexOf(parent), row, row);
        parent->children.erase(parent->children.begin() + row);
        for (std::size_t i = static_cast<std::size_t>(row); i < parent->children.size(); ++i)
            parent->children[i]->row = static_cast<int>(i);
        endRemoveRows();
        if (parent->children.empty()) {
            const int stageRow = parent->row;
            beginRemoveRows({}, stageRow, stageRow);
            m_root->children.erase(m_root->children.begin() + stageRow);
            for (std::size_t i = static_cast<std::size_t>(stageRow); i < m_root->children.size(); ++i)
                m_root->children[i]->row = static_cast<int>(i);
            endRemoveRows();
        }
    }
    m_empty.clear();
}

void StepsModel::cursorMoved()
{
    const int a = m_state.a().value_or(0);
    const int b = m_state.b();
    if (a == m_a && b == m_b)
        return;
    const int from = std::min({a ? a : b, m_a ? m_a : m_b, b, m_b});
    const int to = std::max(b, m_b);
    m_a = a;
    m_b = b;
    emitSteps(std::max(1, from), to);
}

// Rows that stand together are told of in one signal, then the rules and stages around them.
void StepsModel::emitSteps(int from, int to)
{
    to = std::min(to, static_cast<int>(m_steps.size()));
    std::set<Item*> above;
    for (int step = from; step <= to;) {
        Item* first = m_steps[static_cast<std::size_t>(step - 1)];
        Item* last = first;
        while (step <= to && m_steps[static_cast<std::size_t>(step - 1)]->parent == first->parent) {
            last = m_steps[static_cast<std::size_t>(step - 1)];
            ++step;
        }
        Q_EMIT dataChanged(indexOf(first), indexOf(last));
        above.insert(first->parent);
        above.insert(first->parent->parent);
    }
    for (Item* item : above)
        emitChanged(item);
}

void StepsModel::emitChanged(Item* item)
{
    const QModelIndex index = indexOf(item);
    if (index.isValid())
        Q_EMIT dataChanged(index, index);
}

void StepsModel::setCurrent(const QModelIndex& index)
{
    Item* item = index.isValid() ? itemOf(index) : nullptr;
    if (item == m_current)
        return;
    Item* before = m_current;
    m_current = item;
    if (before)
        emitChanged(before);
    if (item)
        emitChanged(item);
}

StepsModel::Item* StepsModel::itemOf(const QModelIndex& index) const
{
    return index.isValid() ? static_cast<Item*>(index.internalPointer()) : m_root.get();
}

QModelIndex StepsModel::indexOf(const Item* item) const
{
    return item == m_root.get() ? QModelIndex() : createIndex(item->row, 0, item);
}

QModelIndex StepsModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, itemOf(parent)->children[static_cast<std::size_t>(row)].get());
}

QModelIndex StepsModel::parent(const QModelIndex& index) const
{
    return index.isValid() ? indexOf(itemOf(index)->parent) : QModelIndex();
}

int StepsModel::rowCount(const QModelIndex& parent) const
{
    return parent.column() > 0 ? 0 : static_cast<int>(itemOf(parent)->children.size());
}

int StepsModel::columnCount(const QModelIndex&) const
{
    return 1;
}

StepsModel::Kind StepsModel::kindOf(const QModelIndex& index) const
{
    return itemOf(index)->kind;
}

int StepsModel::stepOf(const QModelIndex& index) const
{
    if (!index.isValid() || itemOf(index)->kind != Kind::step)
        return 0;
    return itemOf(index)->step;
}

int StepsModel::lastStepBelow(const QModelIndex& index) const
{
    return index.isValid() ? itemOf(index)->step : 0;
}

const Blocked* StepsModel::blockedOf(const QModelIndex& index) const
{
    if (!index.isValid() || itemOf(index)->kind != Kind::blocked)
        return nullptr;
    return &m_state.timeline()->blocked[static_cast<std::size_t>(itemOf(index)->blocked)];
}

QModelIndex StepsModel::indexOfStep(int step) const
{
    if (step < 1 || step > static_cast<int>(m_steps.size()))
        return {};
    return indexOf(m_steps[static_cast<std::size_t>(step - 1)]);
}

const Step& StepsModel::step(int number) const
{
    return *m_state.timeline()->steps[static_cast<std::size_t>(number - 1)];
}

} // namespace fusescope
