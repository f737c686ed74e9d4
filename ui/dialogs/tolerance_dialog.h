#pragma once

#include "ui/app_state.h"

#include <QDialog>

class QCheckBox;
class QLineEdit;

namespace fusescope {

// How far outputs may be apart: by element type, or the same for all.
class ToleranceDialog final : public QDialog
{
    Q_OBJECT

public:
    ToleranceDialog(AppState& state, QWidget* parent = nullptr);

    void accept() override;

private:
    AppState& m_state;
    QCheckBox* m_own;
    QLineEdit* m_rtol;
    QLineEdit* m_atol;
};

} // namespace fusescope
