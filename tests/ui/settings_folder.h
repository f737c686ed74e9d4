#pragma once

#include <QCoreApplication>
#include <QSettings>
#include <QTemporaryDir>

namespace fusescope::test {

// Settings of a test's own, so that tests that run at once do not meet in one file.
class SettingsFolder
{
public:
    SettingsFolder()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("fusescope-test"));
        QCoreApplication::setApplicationName(QStringLiteral("fusescope-test"));
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
        QSettings().clear();
    }
    QString file() const { return QSettings().fileName(); }

private:
    QTemporaryDir m_folder;
};

} // namespace fusescope::test
