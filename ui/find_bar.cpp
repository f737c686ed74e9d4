#include "ui/find_bar.h"

#include "ui/widgets/filter_edit.h"

#include <QHBoxLayout>

namespace fusescope {

FindBar::FindBar(AppState& state, QWidget* parent)
    : QWidget(parent), m_state(state),
      m_edit(new FilterEdit(tr("Find node, tensor, attribute, Conv>Relu"),
                            QStringLiteral("find"), {}, this))
{
    auto* layout = new QHBoxLayout(this);
    layout->addWidget(m_edit);
    hide();
    connect(&m_state, &AppState::sessionChanged, this, &FindBar::dismiss);
}

void FindBar::activate()
{
    show();
    m_edit->setFocus();
    m_edit->selectAll();
}

void FindBar::next()
{
    const auto found = m_state.hasModel()
                           ? m_state.session()->findNodes(*m_state.graphAt(m_state.b()),
                                                          m_edit->text().toStdString())
                           : std::vector<NodeId>{};
    Q_EMIT hitsChanged({found.begin(), found.end()}, found.empty() ? NodeId{} : found.front());
}

void FindBar::previous()
{
    next();
}

QString FindBar::text() const
{
    return m_edit->text();
}

void FindBar::setText(const QString& text)
{
    m_edit->setText(text);
}

void FindBar::dismiss()
{
    hide();
    Q_EMIT hitsChanged({}, {});
}

} // namespace fusescope
