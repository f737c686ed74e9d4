#include "ui/panels/steps_tree.h"

#include <QKeyEvent>
#include <QMouseEvent>

namespace fusescope {

StepsTree::StepsTree(QWidget* parent) : QTreeView(parent)
{
    setHeaderHidden(true);
    setUniformRowHeights(true);
    setIndentation(14);
    setExpandsOnDoubleClick(false);
    setSelectionMode(QAbstractItemView::NoSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setAutoScroll(false);
}

void StepsTree::dataChanged(const QModelIndex& topLeft, const QModelIndex& bottomRight,
                            const QList<int>& roles)
{
    QTreeView::dataChanged(topLeft, bottomRight, roles);
    // The range bar and the fill of the current row reach into the gutter, which is no item's.
    viewport()->update();
}

void StepsTree::keyPressEvent(QKeyEvent* event)
{
    const auto modifiers = event->modifiers() & ~Qt::KeypadModifier;
    if (modifiers == Qt::NoModifier || (modifiers == Qt::ShiftModifier && event->key() != Qt::Key_Tab &&
                                        event->key() != Qt::Key_Backtab)) {
        switch (event->key()) {
        case Qt::Key_Right:
        case Qt::Key_N:
            Q_EMIT forwardRequested();
            return;
        case Qt::Key_Left:
        case Qt::Key_B:
            Q_EMIT backRequested();
            return;
        case Qt::Key_Home:
            Q_EMIT firstRequested();
            return;
        case Qt::Key_End:
            Q_EMIT lastRequested();
            return;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (currentIndex().isValid())
                Q_EMIT rowChosen(currentIndex(), modifiers == Qt::ShiftModifier);
            return;
        case Qt::Key_Plus:
            expand(currentIndex());
            return;
        case Qt::Key_Minus:
            collapse(currentIndex());
            return;
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_PageUp:
        case Qt::Key_PageDown:
            setAutoScroll(true);
            QTreeView::keyPressEvent(event);
            setAutoScroll(false);
            scrollTo(currentIndex());
            return;
        default:
            break;
        }
    }
    // No type-ahead: letters are commands.
    event->ignore();
}

void StepsTree::mouseReleaseEvent(QMouseEvent* event)
{
    QTreeView::mouseReleaseEvent(event);
    const QModelIndex index = indexAt(event->pos());
    // Left of the row's own place is the arrow that opens it.
    if (event->button() == Qt::LeftButton && index.isValid() &&
        event->pos().x() >= visualRect(index).left())
        Q_EMIT rowChosen(index, event->modifiers() & Qt::ShiftModifier);
}

} // namespace fusescope
