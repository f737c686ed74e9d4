#include "ui/dialogs/reasons_dialog.h"

#include "report/reason_code.h"
#include "session/catalog.h"
#include "ui/dialogs/help_view.h"
#include "ui/language.h"
#include "ui/widgets/filter_edit.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QSplitter>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace fusescope {

namespace {

constexpr int IdRole = Qt::UserRole;

// The page in the language of the window where there is one.
QString pageText(const QString& id)
{
    static const QRegularExpression plain(QStringLiteral("^[a-z0-9-]+$"));
    if (!plain.match(id).hasMatch())
        return {};
    for (const QString& folder : {spokenLanguage() + u'/', QString()}) {
        QFile file(QStringLiteral(":/help/%1%2.md").arg(folder, id));
        if (file.open(QIODevice::ReadOnly))
            return QString::fromUtf8(file.readAll());
    }
    return {};
}

QString titleOf(const QString& markdown, const QString& id)
{
    const QString first = markdown.section(u'\n', 0, 0);
    return first.startsWith(QStringLiteral("# ")) ? first.mid(2).trimmed() : id;
}

} // namespace

ReasonsDialog::ReasonsDialog(AppState& state, QWidget* parent)
    : QDialog(parent), m_tree(new QTreeWidget(this)), m_view(new HelpView(this))
{
    setWindowTitle(tr("Fusions and Reasons"));
    m_tree->setHeaderHidden(true);
    m_tree->setAccessibleName(tr("Pages"));
    auto* rules = new QTreeWidgetItem(m_tree, {tr("Fusions and other rules")});
    auto* reasons = new QTreeWidgetItem(m_tree, {tr("Reasons")});
    auto* rest = new QTreeWidgetItem(m_tree, {tr("Fixes and more")});
    const QDir folder(QStringLiteral(":/help"));
    for (const QString& file : folder.entryList({QStringLiteral("*.md")}, QDir::Files, QDir::Name)) {
        const QString id = file.chopped(3);
        const std::string key = id.toStdString();
        QTreeWidgetItem* group = isRule(key) ? rules : reasonFromId(key) ? reasons : rest;
        auto* item = new QTreeWidgetItem(group, {titleOf(pageText(id), id)});
        item->setData(0, IdRole, id);
        item->setToolTip(0, id);
        m_items[id] = item;
    }
    for (QTreeWidgetItem* group : {rules, reasons, rest}) {
        group->setFlags(Qt::ItemIsEnabled);
        group->setHidden(group->childCount() == 0);
    }
    m_tree->expandAll();
    connect(m_tree, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        if (item && !item->data(0, IdRole).toString().isEmpty())
            showPage(item->data(0, IdRole).toString());
    });
    connect(m_view, &HelpView::pageRequested, this, &ReasonsDialog::showPage);
    auto* search = new FilterEdit(tr("Filter pages"), QStringLiteral("find"), {}, this);
    connect(search, &QLineEdit::textChanged, this, &ReasonsDialog::filter);
    auto* left = new QWidget(this);
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(search);
    column->addWidget(m_tree, 1);
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->addWidget(left);
    splitter->addWidget(m_view);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({280, 520});
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(splitter, 1);
    layout->addWidget(buttons);
    resize(860, 600);
    const auto blocked = state.shownBlocked();
    if (blocked && !blocked->miss.reasons.empty()) {
        const std::string_view id = idOf(blocked->miss.reasons.front().code);
        showPage(QString::fromUtf8(id.data(), static_cast<qsizetype>(id.size())));
    } else if (!m_items.empty()) {
        showPage(m_items.begin()->first);
    }
}

bool ReasonsDialog::showPage(const QString& id)
{
    const QString markdown = pageText(id);
    if (markdown.isEmpty())
        return false;
    m_page = id;
    m_view->showMarkdown(markdown);
    if (const auto found = m_items.find(id); found != m_items.end())
        m_tree->setCurrentItem(found->second);
    return true;
}

QString ReasonsDialog::shownText() const
{
    return m_view->toPlainText();
}

void ReasonsDialog::filter(const QString& words)
{
    for (const auto& [id, item] : m_items)
        item->setHidden(!id.contains(words, Qt::CaseInsensitive) &&
                        !item->text(0).contains(words, Qt::CaseInsensitive));
}

} // namespace fusescope
