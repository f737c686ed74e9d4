#pragma once

#include "ui/app_state.h"

#include <QDialog>

namespace fusescope {

class ToleranceDialog final : public QDialog
{
    Q_OBJECT

public:
    ToleranceDialog(AppState& state, QWidget* parent = nullptr);
};

} // namespace fusescope
