#pragma once

#include "ui/panel.h"

namespace fusescope {

class EmptyState;

class ProfilePanel final : public Panel
{
    Q_OBJECT

public:
    ProfilePanel(AppState& state, Actions& actions, QWidget* parent = nullptr);

private:
    EmptyState* m_empty;
};

} // namespace fusescope
