#include "ui/dialogs/shortcuts_dialog.h"

#include "ui/panels/panel_parts.h"
#include "ui/theme/row_delegate.h"
#include "ui/widgets/filter_edit.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QSortFilterProxyModel>
#include <QStandardItemModel>
#include <QTreeView>
#include <QVBoxLayout>

namespace fusescope {

ShortcutsDialog::ShortcutsDialog(Actions& actions, QWidget* parent) : QDialog(parent)
{
    setWindowTitle(tr("Shortcuts"));
    auto* model = new QStandardItemModel(this);
    model->setHorizontalHeaderLabels({tr("Command"), tr("Keys")});
    for (const auto& [name, keys] : actions.shortcuts()) {
        QStandardItem* key = parts::item(keys);
        key->setData(true, MonoRole);
        model->appendRow({parts::item(name), key});
    }
    auto* proxy = new QSortFilterProxyModel(this);
    proxy->setSourceModel(model);
    proxy->setFilterKeyColumn(-1);
    proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
    auto* filter = new FilterEdit(tr("Filter commands and keys"), QStringLiteral("find"), {}, this);
    connect(filter, &QLineEdit::textChanged, proxy, &QSortFilterProxyModel::setFilterFixedString);
    QTreeView* view = parts::makeRows(proxy, true, tr("Shortcuts"), this).view;
    view->header()->setStretchLastSection(true);
    view->header()->resizeSection(0, 240);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(filter);
    layout->addWidget(view, 1);
    layout->addWidget(buttons);
    resize(480, 560);
}

} // namespace fusescope
