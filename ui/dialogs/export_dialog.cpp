#include "ui/dialogs/export_dialog.h"

#include <QDialogButtonBox>
#include <QVBoxLayout>

namespace fusescope {

ExportDialog::ExportDialog(AppState&, QWidget* parent) : QDialog(parent)
{
    setWindowTitle(tr("Export Optimized Model"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(buttons);
}

} // namespace fusescope
