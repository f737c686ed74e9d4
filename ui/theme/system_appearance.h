#pragma once

#include <QDBusVariant>
#include <QObject>

namespace fusescope {

// What the desktop asks for: dark or light, and high contrast. Asks the settings portal over D-Bus
// and listens to it; until it answers, or where there is none, the platform's palette decides.
class SystemAppearance final : public QObject
{
    Q_OBJECT

public:
    explicit SystemAppearance(QObject* parent = nullptr);

    bool dark() const { return m_dark; }
    bool highContrast() const { return m_highContrast; }
    bool reducedMotion() const { return m_reducedMotion; }

Q_SIGNALS:
    void changed();

private Q_SLOTS:
    void take(const QString& group, const QString& key, const QDBusVariant& value);

private:
    void ask(const QString& key);

    bool m_dark = false;
    bool m_darkByPalette = false;
    bool m_highContrast = false;
    bool m_reducedMotion = false;
};

} // namespace fusescope
