#pragma once

#include "report/reason_code.h"
#include "ui/panel.h"

#include <QTimer>

#include <map>

class QLabel;
class QSplitter;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace fusescope {

class BlockedDetails;
class BlockedFilter;
class BlockedModel;
class Chip;
class EmptyState;
class FilterEdit;

// The Blocked table, and the details of the row that is open.
class BlockedPanel final : public Panel
{
    Q_OBJECT

public:
    BlockedPanel(AppState& state, Actions& actions, QWidget* parent = nullptr);

    QTableView& table() const { return *m_table; }
    BlockedDetails& details() const { return *m_details; }
    // Opens the row of a root and rule, if there is one.
    bool openRow(const Blocked& row);
    // Applies the fix of the open row, else of the current one.
    bool applyFix();

Q_SIGNALS:
    void helpRequested(const QString& code);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void open(const QModelIndex& proxyIndex);
    void closeDetails();
    void followShown();
    void jumpToCulprit(const QModelIndex& proxyIndex);
    void arrangeColumns();
    void chooseKind(ReasonKind kind, bool on);
    void copyRow();
    const Blocked* rowAt(const QModelIndex& proxyIndex) const;

    BlockedModel* m_model;
    BlockedFilter* m_filter;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    FilterEdit* m_words;
    QTimer m_late;
    std::map<ReasonKind, Chip*> m_chips;
    QLabel* m_summary;
    QToolButton* m_group = nullptr;
    QSplitter* m_splitter;
    QTableView* m_table;
    BlockedDetails* m_details;
    QString m_openKey;
};

} // namespace fusescope
