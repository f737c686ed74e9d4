#pragma once

#include "ui/app_state.h"
#include "ui/theme/badges.h"

#include <QAbstractItemModel>

#include <map>
#include <memory>
#include <vector>

namespace fusescope {

// The steps of a timeline as a tree: stage > rule (and round) > rewrite. Refused candidates stand in
// line with the rewrites of the pass that refused them last. Rows are added while the timeline
// grows; only a new generation makes the tree anew.
class StepsModel final : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum class Kind { stage, rule, step, blocked };
    enum Role { FilterRole = Qt::UserRole };

    explicit StepsModel(AppState& state, QObject* parent = nullptr);
    ~StepsModel() override;

    // Rules that found nothing are rows only while they are asked for.
    void setShowEmpty(bool show);
    int emptyCount() const; // rules that found nothing; 0 until the passes have ended

    Kind kindOf(const QModelIndex& index) const;
    int stepOf(const QModelIndex& index) const; // 0: no step
    const Blocked* blockedOf(const QModelIndex& index) const;
    // The last step of the rows below; the step itself of a rewrite.
    int lastStepBelow(const QModelIndex& index) const;
    QModelIndex indexOfStep(int step) const;
    // What is filled as the current row: the row of B, or the closed one that holds it.
    void setCurrent(const QModelIndex& index);

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    struct Item;

    void reset();
    void grow();
    void takeBlocked();
    void insertBlocked(RuleId rule, const std::vector<int>& rows);
    void addEmptyRules();
    void removeEmptyRules();
    void cursorMoved();
    Item* itemOf(const QModelIndex& index) const;
    QModelIndex indexOf(const Item* item) const;
    Item* stageItem(Stage stage);
    Item* ruleItem(Item* stage, RuleId rule, int round, bool canMake = true);
    Item* insert(Item* parent, std::size_t at, std::unique_ptr<Item> item);
    void insert(Item* parent, std::size_t at, std::vector<std::unique_ptr<Item>> items);
    void emitChanged(Item* item);
    void emitSteps(int from, int to);

    QVariant stageData(const Item& item, int role) const;
    QVariant ruleData(const Item& item, int role) const;
    QVariant stepData(const Item& item, int role) const;
    QVariant blockedData(const Item& item, int role) const;
    QList<Pill> pillsOf(const Item& item) const;
    QString countOf(const Item& item) const;
    bool inRange(const Item& item) const;
    bool isHidden(const Item& item) const; // Predict: beyond B
    const Step& step(int number) const;

    AppState& m_state;
    std::unique_ptr<Item> m_root;
    std::vector<Item*> m_steps; // [number − 1]
    std::vector<Item*> m_empty;
    Item* m_current = nullptr;
    std::map<RuleId, int> m_order; // place of a rule in the list of passes
    std::map<RuleId, Stage> m_stageOf;
    int m_generation = -1;
    bool m_finished = false;
    bool m_showEmpty = false;
    int m_a = 0, m_b = 0;
};

} // namespace fusescope
