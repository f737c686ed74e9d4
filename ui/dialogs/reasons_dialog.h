#pragma once

#include "ui/app_state.h"

#include <QDialog>

namespace fusescope {

class ReasonsDialog final : public QDialog
{
    Q_OBJECT

public:
    ReasonsDialog(AppState& state, QWidget* parent = nullptr);
};

} // namespace fusescope
