#include "ui/dialogs/tolerance_dialog.h"

#include <QDialogButtonBox>
#include <QVBoxLayout>

namespace fusescope {

ToleranceDialog::ToleranceDialog(AppState&, QWidget* parent) : QDialog(parent)
{
    setWindowTitle(tr("Tolerance"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(buttons);
}

} // namespace fusescope
