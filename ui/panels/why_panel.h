#pragma once

#include "ui/panel.h"

namespace fusescope {

class EmptyState;

class WhyPanel final : public Panel
{
    Q_OBJECT

public:
    WhyPanel(AppState& state, Actions& actions, QWidget* parent = nullptr);

private:
    EmptyState* m_empty;
};

} // namespace fusescope
