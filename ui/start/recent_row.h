#pragma once

#include "ui/recent_files.h"

#include <QAbstractButton>

class QToolButton;

namespace fusescope {

// A file opened before: name, last verdict, folder, size and time, and its key. One that is gone
// stays, greyed, with Remove.
class RecentRow final : public QAbstractButton
{
    Q_OBJECT

public:
    RecentRow(RecentFile file, int number, QWidget* parent = nullptr);

    const RecentFile& file() const { return m_file; }
    QSize sizeHint() const override;
    // Folder, size and time in so many pixels: where they do not fit the time goes first, then the
    // size, and the folder is cut in its middle. The tooltip has all.
    QString details(int width) const;

Q_SIGNALS:
    void removeRequested(const QString& path);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    RecentFile m_file;
    int m_number;
    QToolButton* m_remove = nullptr;
};

} // namespace fusescope
