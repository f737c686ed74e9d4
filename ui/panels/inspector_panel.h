#pragma once

#include "ui/panel.h"

namespace fusescope {

class EmptyState;

class InspectorPanel final : public Panel
{
    Q_OBJECT

public:
    InspectorPanel(AppState& state, Actions& actions, QWidget* parent = nullptr);

private:
    EmptyState* m_empty;
};

} // namespace fusescope
