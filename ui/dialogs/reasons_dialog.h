#pragma once

#include "ui/app_state.h"

#include <QDialog>

class QTreeWidget;
class QTreeWidgetItem;

namespace fusescope {

class HelpView;

// The help pages of fusions, reasons and fixes, from :/help.
class ReasonsDialog final : public QDialog
{
    Q_OBJECT

public:
    ReasonsDialog(AppState& state, QWidget* parent = nullptr);

    // False where there is no such page.
    bool showPage(const QString& id);
    QString page() const { return m_page; }
    int pageCount() const { return static_cast<int>(m_items.size()); }
    QString shownText() const;

private:
    void filter(const QString& words);

    QTreeWidget* m_tree;
    HelpView* m_view;
    std::map<QString, QTreeWidgetItem*> m_items;
    QString m_page;
};

} // namespace fusescope
