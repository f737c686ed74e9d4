#include "ui/recent_files.h"

#include <QFileInfo>
#include <QSettings>

namespace fusescope {

namespace {

constexpr QLatin1String group("recent");

} // namespace

RecentFiles::RecentFiles(QObject* parent) : QObject(parent)
{
}

QList<RecentFile> RecentFiles::files() const
{
    QSettings settings;
    QList<RecentFile> files;
    const int size = std::clamp(settings.beginReadArray(QString(group)), 0, most);
    for (int i = 0; i < size; ++i) {
        settings.setArrayIndex(i);
        RecentFile file;
        file.path = settings.value(QStringLiteral("path")).toString();
        if (file.path.isEmpty() || !QFileInfo(file.path).isAbsolute())
            continue;
        file.opened = settings.value(QStringLiteral("opened")).toDateTime();
        file.bytes = settings.value(QStringLiteral("bytes")).toLongLong();
        file.blocked = settings.value(QStringLiteral("blocked"), -1).toInt();
        file.differs = settings.value(QStringLiteral("differs")).toBool();
        file.exists = QFileInfo::exists(file.path);
        files << file;
    }
    settings.endArray();
    return files;
}

void RecentFiles::write(const QList<RecentFile>& files)
{
    QSettings settings;
    settings.remove(QString(group));
    settings.beginWriteArray(QString(group), static_cast<int>(files.size()));
    for (int i = 0; i < files.size(); ++i) {
        settings.setArrayIndex(i);
        settings.setValue(QStringLiteral("path"), files[i].path);
        settings.setValue(QStringLiteral("opened"), files[i].opened);
        settings.setValue(QStringLiteral("bytes"), files[i].bytes);
        settings.setValue(QStringLiteral("blocked"), files[i].blocked);
        settings.setValue(QStringLiteral("differs"), files[i].differs);
    }
    settings.endArray();
    Q_EMIT changed();
}

void RecentFiles::add(const QString& path)
{
    const QFileInfo info(path);
    QList<RecentFile> list = files();
    RecentFile file;
    file.path = info.absoluteFilePath();
    for (const RecentFile& other : list) {
        if (other.path == file.path)
            file = other;
    }
    file.opened = QDateTime::currentDateTime();
    file.bytes = info.size();
    list.removeIf([&](const RecentFile& other) { return other.path == file.path; });
    list.prepend(file);
    while (list.size() > most)
        list.removeLast();
    write(list);
}

void RecentFiles::remove(const QString& path)
{
    QList<RecentFile> list = files();
    if (list.removeIf([&](const RecentFile& file) { return file.path == path; }))
        write(list);
}

void RecentFiles::setBlocked(const QString& path, int blocked)
{
    QList<RecentFile> list = files();
    for (RecentFile& file : list) {
        if (file.path == path && file.blocked != blocked) {
            file.blocked = blocked;
            write(list);
            return;
        }
    }
}

void RecentFiles::setDiffers(const QString& path, bool differs)
{
    QList<RecentFile> list = files();
    for (RecentFile& file : list) {
        if (file.path == path && file.differs != differs) {
            file.differs = differs;
            write(list);
            return;
        }
    }
}

} // namespace fusescope
