#include "ui/dialogs/form.h"

#include "ui/panels/panel_parts.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QPushButton>

namespace fusescope::form {

void addRow(QFormLayout* layout, const QString& words, QWidget* field)
{
    field->setAccessibleName(words);
    auto* label = new QLabel(words);
    label->setTextFormat(Qt::PlainText);
    label->setBuddy(field);
    layout->addRow(label, field);
}

QLabel* note(const QString& words, QWidget* parent, bool warning)
{
    return new PlainLabel(words, warning ? Token::changedInk : Token::text2, TextScale::normal,
                          false, parent);
}

QDialogButtonBox* buttons(QDialog* dialog, const QString& okText)
{
    auto* box = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, dialog);
    box->button(QDialogButtonBox::Ok)->setText(okText);
    QObject::connect(box, &QDialogButtonBox::accepted, dialog, &QDialog::accept);
    QObject::connect(box, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    return box;
}

} // namespace fusescope::form
