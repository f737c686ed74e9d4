#pragma once

#include <QString>
#include <QWidget>

class QDialog;
class QDialogButtonBox;
class QFormLayout;
class QLabel;

namespace fusescope {

// Parts that the dialogs share.
namespace form {

// A word before a field, as plain text, and the field's accessible name.
void addRow(QFormLayout* layout, const QString& words, QWidget* field);
// Plain text that wraps, secondary; in the ink of warnings where `warning`.
QLabel* note(const QString& words, QWidget* parent, bool warning = false);
// Ok-like and Cancel, connected to accept and reject.
QDialogButtonBox* buttons(QDialog* dialog, const QString& okText);

} // namespace form

} // namespace fusescope
