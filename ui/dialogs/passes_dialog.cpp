#include "ui/dialogs/passes_dialog.h"

#include <QDialogButtonBox>
#include <QVBoxLayout>

namespace fusescope {

PassesDialog::PassesDialog(AppState&, QWidget* parent) : QDialog(parent)
{
    setWindowTitle(tr("Passes"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(buttons);
}

} // namespace fusescope
