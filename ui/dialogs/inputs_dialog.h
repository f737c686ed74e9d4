#pragma once

#include "ui/app_state.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QSpinBox;

namespace fusescope {

// What runs are fed with: seeded random values, one constant, files, a picture; sizes of symbols.
class InputsDialog final : public QDialog
{
    Q_OBJECT

public:
    InputsDialog(AppState& state, QWidget* parent = nullptr);

    InputSpec spec() const;
    void addSource(const QString& source);
    // Reads a picture for the chosen input; false, with a note, where that cannot be.
    bool setImage(const QString& path);
    void accept() override;

private:
    QWidget* makeValues();
    QWidget* makeSizes();
    QWidget* makeFiles();
    QWidget* makeImage();

    AppState& m_state;
    QSpinBox* m_seed;
    QCheckBox* m_constant;
    QDoubleSpinBox* m_fill;
    QSpinBox* m_low;
    QSpinBox* m_high;
    QCheckBox* m_dataSet;
    QListWidget* m_sources;
    std::map<std::string, QLineEdit*> m_sizes; // by symbol
    QComboBox* m_imageInput;
    QLineEdit* m_mean;
    QLineEdit* m_scale;
    QLabel* m_imageNote;
    std::map<std::string, TensorPtr> m_tensors;
};

} // namespace fusescope
