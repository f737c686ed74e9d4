#include "ui/dialogs/reasons_dialog.h"

#include <QDialogButtonBox>
#include <QVBoxLayout>

namespace fusescope {

ReasonsDialog::ReasonsDialog(AppState&, QWidget* parent) : QDialog(parent)
{
    setWindowTitle(tr("Fusions and Reasons"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(buttons);
}

} // namespace fusescope
