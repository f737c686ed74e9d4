#pragma once

#include "ui/app_state.h"

#include <QDialog>

namespace fusescope {

class PropertiesDialog final : public QDialog
{
    Q_OBJECT

public:
    PropertiesDialog(AppState& state, QWidget* parent = nullptr);
};

} // namespace fusescope
