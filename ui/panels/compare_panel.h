#pragma once

#include "ui/panel.h"

namespace fusescope {

class EmptyState;

class ComparePanel final : public Panel
{
    Q_OBJECT

public:
    ComparePanel(AppState& state, Actions& actions, QWidget* parent = nullptr);

private:
    EmptyState* m_empty;
};

} // namespace fusescope
