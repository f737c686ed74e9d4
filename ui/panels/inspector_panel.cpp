#include "ui/panels/inspector_panel.h"

#include "ui/widgets/empty_state.h"

#include <QVBoxLayout>

namespace fusescope {

InspectorPanel::InspectorPanel(AppState& state, Actions& actions, QWidget* parent)
    : Panel(state, actions, parent), m_empty(new EmptyState(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_empty);
    m_empty->setContent(QStringLiteral("info"), tr("Nothing selected"), tr("Select a node to see its operator, attributes and tensors."));
}

} // namespace fusescope
