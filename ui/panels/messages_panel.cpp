#include "ui/panels/messages_panel.h"

#include "ui/models/messages_model.h"
#include "ui/text.h"
#include "ui/theme/row_delegate.h"
#include "ui/widgets/empty_state.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QListView>
#include <QMenu>
#include <QShortcut>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace fusescope {

MessagesPanel::MessagesPanel(AppState& state, Actions& actions, QWidget* parent)
    : Panel(state, actions, parent), m_model(new MessagesModel(state, this)),
      m_pages(new QStackedWidget(this)), m_empty(new EmptyState(this)), m_list(new QListView(this))
{
    setAccessibleName(tr("Messages"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_list->setAccessibleName(tr("Messages"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setAlternatingRowColors(true);
    m_list->setUniformItemSizes(true);
    m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setContextMenuPolicy(Qt::CustomContextMenu);
    m_list->setItemDelegate(new RowDelegate(Row::table, m_list));
    m_list->setModel(m_model);
    m_empty->setContent(QStringLiteral("info"), tr("No messages"),
                        tr("What goes wrong, and what was exported, stands here."));
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_list);
    layout->addWidget(m_pages);

    auto* copyKey = new QShortcut(QKeySequence::Copy, m_list);
    copyKey->setContext(Qt::WidgetShortcut);
    connect(copyKey, &QShortcut::activated, this, &MessagesPanel::copy);
    connect(m_list, &QListView::activated, this, &MessagesPanel::jump);
    connect(m_list, &QListView::clicked, this, &MessagesPanel::jump);
    connect(m_list, &QWidget::customContextMenuRequested, this, &MessagesPanel::fillMenu);
    connect(m_model, &QAbstractItemModel::rowsInserted, this, &MessagesPanel::refresh);
    connect(m_model, &QAbstractItemModel::modelReset, this, &MessagesPanel::refresh);
    refresh();
}

void MessagesPanel::refresh()
{
    const int rows = m_model->rowCount();
    m_pages->setCurrentIndex(rows ? 1 : 0);
    bool errors = false;
    for (const LogEntry& entry : state().log())
        errors = errors || entry.level == NoticeLevel::error;
    Q_EMIT badgeChanged(rows ? QString::number(rows) : QString(),
                        errors ? Tone::removed : Tone::neutral);
    m_list->scrollToBottom();
}

void MessagesPanel::jump(const QModelIndex& index)
{
    if (index.isValid() && static_cast<std::size_t>(index.row()) < state().log().size()) {
        const NodeId node = state().log()[static_cast<std::size_t>(index.row())].node;
        if (node)
            state().goTo(node);
    }
}

void MessagesPanel::copy()
{
    QModelIndexList rows = m_list->selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end());
    QStringList lines;
    for (const QModelIndex& row : rows)
        lines << row.data().toString();
    if (!lines.isEmpty())
        QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

void MessagesPanel::fillMenu(const QPoint& at)
{
    const QModelIndex index = m_list->indexAt(at);
    if (!index.isValid() || static_cast<std::size_t>(index.row()) >= state().log().size())
        return;
    const LogEntry entry = state().log()[static_cast<std::size_t>(index.row())];
    QMenu menu(this);
    menu.addAction(tr("Copy"), this, &MessagesPanel::copy);
    if (entry.node)
        menu.addAction(tr("Go to Node"), this, [this, entry] { state().goTo(entry.node); });
    if (entry.action && !entry.actionText.isEmpty())
        menu.addAction(text::label(entry.actionText), this, entry.action);
    menu.exec(m_list->viewport()->mapToGlobal(at));
}

} // namespace fusescope
