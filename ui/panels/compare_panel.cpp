#include "ui/panels/compare_panel.h"

#include "ui/widgets/empty_state.h"

#include <QVBoxLayout>

namespace fusescope {

ComparePanel::ComparePanel(AppState& state, Actions& actions, QWidget* parent)
    : Panel(state, actions, parent), m_empty(new EmptyState(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_empty);
    m_empty->setContent(QStringLiteral("run"), tr("Not compared yet"), tr("Press F9 to run the model before and after on the same inputs."));
}

} // namespace fusescope
