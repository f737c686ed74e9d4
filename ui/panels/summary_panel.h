#pragma once

#include "ui/panel.h"

namespace fusescope {

class EmptyState;

class SummaryPanel final : public Panel
{
    Q_OBJECT

public:
    SummaryPanel(AppState& state, Actions& actions, QWidget* parent = nullptr);

private:
    EmptyState* m_empty;
};

} // namespace fusescope
