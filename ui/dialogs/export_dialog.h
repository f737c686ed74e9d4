#pragma once

#include "ui/app_state.h"

#include <QDialog>

namespace fusescope {

class ExportDialog final : public QDialog
{
    Q_OBJECT

public:
    ExportDialog(AppState& state, QWidget* parent = nullptr);
};

} // namespace fusescope
