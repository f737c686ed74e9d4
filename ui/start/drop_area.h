#pragma once

#include <QAbstractButton>

namespace fusescope {

class Actions;

// "Drop an ONNX model here, or open a file": the window takes the drop, a click opens the dialog.
class DropArea final : public QAbstractButton
{
    Q_OBJECT

public:
    explicit DropArea(Actions& actions, QWidget* parent = nullptr);

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_key;
};

} // namespace fusescope
