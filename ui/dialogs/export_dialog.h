#pragma once

#include "ui/app_state.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace fusescope {

// Where and how the optimized model is written. The result comes as a notice of the window.
class ExportDialog final : public QDialog
{
    Q_OBJECT

public:
    ExportDialog(AppState& state, QWidget* parent = nullptr);

    void setPath(const QString& path);
    ExportOptions options() const;
    void accept() override;

private:
    void browse();
    void refresh();

    AppState& m_state;
    QLineEdit* m_path;
    QCheckBox* m_replace;
    QLabel* m_pathNote;
    QComboBox* m_upTo;
    QComboBox* m_form;
    QLabel* m_formCount;
    QLabel* m_formNote;
    QComboBox* m_external;
    QCheckBox* m_verify;
    QPushButton* m_ok;
};

} // namespace fusescope
