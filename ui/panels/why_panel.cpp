#include "ui/panels/why_panel.h"

#include "ui/widgets/empty_state.h"

#include <QVBoxLayout>

namespace fusescope {

WhyPanel::WhyPanel(AppState& state, Actions& actions, QWidget* parent)
    : Panel(state, actions, parent), m_empty(new EmptyState(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_empty);
    m_empty->setContent(QStringLiteral("why"), tr("Nothing selected"), tr("Select two nodes to ask why they were not fused."));
}

} // namespace fusescope
