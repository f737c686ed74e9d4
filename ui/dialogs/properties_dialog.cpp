#include "ui/dialogs/properties_dialog.h"

#include <QDialogButtonBox>
#include <QVBoxLayout>

namespace fusescope {

PropertiesDialog::PropertiesDialog(AppState&, QWidget* parent) : QDialog(parent)
{
    setWindowTitle(tr("Properties"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(buttons);
}

} // namespace fusescope
