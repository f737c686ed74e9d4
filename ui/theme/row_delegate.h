#pragma once

#include <QStyledItemDelegate>

#include "ui/theme/roles.h"

class QAbstractItemView;

namespace fusescope {

// Draws the rows of every tree and table from the roles of roles.h. Model text is drawn as plain
// text on one line and elided: names in the middle, sentences at the right.
class RowDelegate final : public QStyledItemDelegate
{
    Q_OBJECT

public:
    // Belongs to the view and sets its mouse tracking, so that links show a hand.
    RowDelegate(Row height, QAbstractItemView* view);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

    // Where the parts of a cell stand; empty where it has none.
    struct Places
    {
        QRectF number, mark, icon, bars, text, second, chips, count, pills, button;
        bool cut = false;
    };
    Places places(const QStyleOptionViewItem& option, const QModelIndex& index) const;

Q_SIGNALS:
    void linkActivated(const QModelIndex& index);
    void buttonActivated(const QModelIndex& index);

protected:
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                     const QModelIndex& index) override;
    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    void paintBackground(QPainter& painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const;
    QColor inkOf(const QStyleOptionViewItem& option, const QModelIndex& index) const;

    Row m_height;
    QAbstractItemView* m_view;
};

} // namespace fusescope
