#pragma once

#include "ui/app_state.h"

#include <QDialog>

namespace fusescope {

class InputsDialog final : public QDialog
{
    Q_OBJECT

public:
    InputsDialog(AppState& state, QWidget* parent = nullptr);
};

} // namespace fusescope
