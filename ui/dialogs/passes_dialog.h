#pragma once

#include "ui/app_state.h"

#include <QDialog>

class QTreeWidget;
class QTreeWidgetItem;

namespace fusescope {

// Which passes run: a tree of stages and rules with check boxes.
class PassesDialog final : public QDialog
{
    Q_OBJECT

public:
    PassesDialog(AppState& state, QWidget* parent = nullptr);

    std::set<std::string> disabled() const;
    void setAll(bool on);
    void accept() override;

private:
    AppState& m_state;
    QTreeWidget* m_tree;
};

} // namespace fusescope
