#pragma once

#include "ui/app_state.h"

#include <QDialog>

namespace fusescope {

class PassesDialog final : public QDialog
{
    Q_OBJECT

public:
    PassesDialog(AppState& state, QWidget* parent = nullptr);
};

} // namespace fusescope
