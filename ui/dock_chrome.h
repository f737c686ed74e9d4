#pragma once

#include "ui/theme/badges.h"

#include <QHash>
#include <QObject>
#include <QWidget>

class QDockWidget;
class QMainWindow;
class QTabBar;

namespace fusescope {

class ElidedLabel;

// The title of a dock that stands alone or floats: title, a note, float and close.
class DockTitle final : public QWidget
{
    Q_OBJECT

public:
    explicit DockTitle(QDockWidget* dock);

    void setNote(const QString& note);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {60, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ElidedLabel* m_title;
    ElidedLabel* m_note;
};

// What stands around docks: a tabbed one has no title of its own but a chip on its tab, and float and
// close at the end of the tabs; a lone or floating one has a title. Qt makes tab bars anew whenever
// the layout changes, so all of this is put there again each time.
class DockChrome final : public QObject
{
    Q_OBJECT

public:
    explicit DockChrome(QMainWindow* window);

    void add(QDockWidget* dock);
    void setBadge(QDockWidget* dock, const QString& text, Tone tone);
    void sync(); // now
    QTabBar* tabBarOf(QDockWidget* dock, int* index = nullptr) const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void later();
    void dress(QTabBar* bar);
    QDockWidget* dockAt(QTabBar* bar, int index) const;

    QMainWindow* m_window;
    QList<QDockWidget*> m_docks;
    QHash<QDockWidget*, Pill> m_badges;
    bool m_pending = false;
};

} // namespace fusescope
