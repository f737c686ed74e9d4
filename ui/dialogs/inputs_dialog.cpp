#include "ui/dialogs/inputs_dialog.h"

#include <QDialogButtonBox>
#include <QVBoxLayout>

namespace fusescope {

InputsDialog::InputsDialog(AppState&, QWidget* parent) : QDialog(parent)
{
    setWindowTitle(tr("Inputs"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(buttons);
}

} // namespace fusescope
