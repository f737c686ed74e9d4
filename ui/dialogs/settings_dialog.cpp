#include "ui/dialogs/settings_dialog.h"

#include <QDialogButtonBox>
#include <QVBoxLayout>

namespace fusescope {

SettingsDialog::SettingsDialog(AppState&, QWidget* parent) : QDialog(parent)
{
    setWindowTitle(tr("Settings"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(buttons);
}

} // namespace fusescope
