#include "ui/dialogs/shortcuts_dialog.h"

#include <QDialogButtonBox>
#include <QVBoxLayout>

namespace fusescope {

ShortcutsDialog::ShortcutsDialog(Actions&, QWidget* parent) : QDialog(parent)
{
    setWindowTitle(tr("Shortcuts"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(buttons);
}

} // namespace fusescope
