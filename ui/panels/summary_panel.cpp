#include "ui/panels/summary_panel.h"

#include "ui/widgets/empty_state.h"

#include <QVBoxLayout>

namespace fusescope {

SummaryPanel::SummaryPanel(AppState& state, Actions& actions, QWidget* parent)
    : Panel(state, actions, parent), m_empty(new EmptyState(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_empty);
    m_empty->setContent(QStringLiteral("info"), tr("No model"), tr("Open a model to see its figures before and after."));
}

} // namespace fusescope
