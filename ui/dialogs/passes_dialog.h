#pragma once

#include "ui/app_state.h"

#include <QDialog>

class QComboBox;
class QTreeWidget;
class QTreeWidgetItem;

namespace fusescope {

// Which passes run, and for which runtime: a tree of stages and rules with check boxes, a list of
// targets.
class PassesDialog final : public QDialog
{
    Q_OBJECT

public:
    PassesDialog(AppState& state, QWidget* parent = nullptr);

    std::set<std::string> disabled() const;
    std::string target() const;
    void setTarget(const std::string& id);
    void setAll(bool on);
    void accept() override;

private:
    AppState& m_state;
    QComboBox* m_target;
    QTreeWidget* m_tree;
};

} // namespace fusescope
