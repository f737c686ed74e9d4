#pragma once

#include <QObject>

namespace fusescope {

// While a text field has the focus, the keys that edit text are its own and no shortcut takes them:
// letters, digits, arrows, Home and End, and Ctrl with arrows, A, C, D, I, K, U, V, X, Y and Z. An open
// menu has all keys.
class TextFieldKeys final : public QObject
{
    Q_OBJECT

public:
    // Watches the fields of the application until it goes.
    explicit TextFieldKeys(QObject* parent);

protected:
    bool eventFilter(QObject* receiver, QEvent* event) override;
};

} // namespace fusescope
