#pragma once

#include "ui/panel.h"

class QListView;
class QStackedWidget;

namespace fusescope {

class EmptyState;
class MessagesModel;

// All that was said since the model was opened; Enter jumps to the node, Ctrl+C copies.
class MessagesPanel final : public Panel
{
    Q_OBJECT

public:
    MessagesPanel(AppState& state, Actions& actions, QWidget* parent = nullptr);

private:
    void refresh();
    void jump(const QModelIndex& index);
    void copy();
    void fillMenu(const QPoint& at);

    MessagesModel* m_model;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QListView* m_list;
};

} // namespace fusescope
