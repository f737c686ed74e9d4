#pragma once

#include <QDateTime>
#include <QList>
#include <QObject>
#include <QString>

namespace fusescope {

struct RecentFile
{
    QString path; // absolute
    QDateTime opened;
    qint64 bytes = 0;
    int blocked = -1;       // −1: not known
    bool differs = false;   // the last comparison failed
    bool exists = true;
};

// The files opened last, newest first, kept over restarts. A settings file that is broken gives an
// empty list.
class RecentFiles final : public QObject
{
    Q_OBJECT

public:
    static constexpr int most = 9;

    explicit RecentFiles(QObject* parent = nullptr);

    QList<RecentFile> files() const; // read anew: other windows write too
    void add(const QString& path);
    void remove(const QString& path);
    void setBlocked(const QString& path, int blocked);
    void setDiffers(const QString& path, bool differs);

Q_SIGNALS:
    void changed();

private:
    void write(const QList<RecentFile>& files);
};

} // namespace fusescope
