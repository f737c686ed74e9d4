#include "ui/panels/profile_panel.h"

#include "ui/widgets/empty_state.h"

#include <QVBoxLayout>

namespace fusescope {

ProfilePanel::ProfilePanel(AppState& state, Actions& actions, QWidget* parent)
    : Panel(state, actions, parent), m_empty(new EmptyState(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_empty);
    m_empty->setContent(QStringLiteral("profile"), tr("Not profiled yet"), tr("Press Ctrl+F9 to time the model before and after."));
}

} // namespace fusescope
