#pragma once

#include <QTreeView>

namespace fusescope {

// The tree of the Steps dock. Its keys are not those of other trees: Right and Left step, Up and
// Down move the focus only, Enter goes to the row, letters are commands.
class StepsTree final : public QTreeView
{
    Q_OBJECT

public:
    explicit StepsTree(QWidget* parent = nullptr);

    void dataChanged(const QModelIndex& topLeft, const QModelIndex& bottomRight,
                     const QList<int>& roles) override;

Q_SIGNALS:
    void forwardRequested();
    void backRequested();
    void firstRequested();
    void lastRequested();
    void rowChosen(const QModelIndex& index, bool asA);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
};

} // namespace fusescope
