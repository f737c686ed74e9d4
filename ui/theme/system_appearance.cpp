#include "ui/theme/system_appearance.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QGuiApplication>
#include <QPalette>
#include <QStyleHints>

namespace fusescope {

namespace {

const auto service = QStringLiteral("org.freedesktop.portal.Desktop");
const auto path = QStringLiteral("/org/freedesktop/portal/desktop");
const auto interface = QStringLiteral("org.freedesktop.portal.Settings");
const auto appearance = QStringLiteral("org.freedesktop.appearance");

} // namespace

SystemAppearance::SystemAppearance(QObject* parent) : QObject(parent)
{
    m_darkByPalette = QGuiApplication::palette().color(QPalette::Window).lightness() < 128;
    m_dark = m_darkByPalette;
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    bus.connect(service, path, interface, QStringLiteral("SettingChanged"), this,
                SLOT(take(QString, QString, QDBusVariant)));
    ask(QStringLiteral("color-scheme"));
    ask(QStringLiteral("contrast"));
    ask(QStringLiteral("reduced-motion"));
}

void SystemAppearance::ask(const QString& key)
{
    QDBusMessage call =
        QDBusMessage::createMethodCall(service, path, interface, QStringLiteral("Read"));
    call << appearance << key;
    auto* watcher =
        new QDBusPendingCallWatcher(QDBusConnection::sessionBus().asyncCall(call, 2000), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, key, watcher] {
        watcher->deleteLater();
        const QDBusPendingReply<QDBusVariant> reply = *watcher;
        if (reply.isValid())
            take(appearance, key, reply.value());
    });
}

void SystemAppearance::take(const QString& group, const QString& key, const QDBusVariant& value)
{
    if (group != appearance)
        return;
    QVariant inner = value.variant();
    if (inner.canConvert<QDBusVariant>()) // Read wraps its answer twice
        inner = inner.value<QDBusVariant>().variant();
    const uint number = inner.toUInt();
    if (key == QLatin1String("color-scheme")) // 0 no preference, 1 dark, 2 light
        m_dark = number == 0 ? m_darkByPalette : number == 1;
    else if (key == QLatin1String("contrast"))
        m_highContrast = number == 1;
    else if (key == QLatin1String("reduced-motion"))
        m_reducedMotion = number == 1;
    else
        return;
    Q_EMIT changed();
}

} // namespace fusescope
