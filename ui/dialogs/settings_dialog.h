#pragma once

#include "ui/app_state.h"

#include <QDialog>

namespace fusescope {

class SettingsDialog final : public QDialog
{
    Q_OBJECT

public:
    SettingsDialog(AppState& state, QWidget* parent = nullptr);
};

} // namespace fusescope
