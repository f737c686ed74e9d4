#include <QDBusVariant>
#include <QSignalSpy>

#include "support/test_class.h"
#include "ui/theme/system_appearance.h"

using namespace fusescope;

class SystemAppearanceTest : public QObject
{
    Q_OBJECT

private:
    static void send(SystemAppearance& system, const char* key, const QVariant& value,
                     const char* group = "org.freedesktop.appearance")
    {
        QVERIFY(QMetaObject::invokeMethod(
            &system, "take", Q_ARG(QString, QString::fromLatin1(group)),
            Q_ARG(QString, QString::fromLatin1(key)), Q_ARG(QDBusVariant, QDBusVariant(value))));
    }

private Q_SLOTS:
    void followsThePortal()
    {
        SystemAppearance system;
        const bool byPalette = system.dark();
        QSignalSpy changed(&system, &SystemAppearance::changed);
        send(system, "color-scheme", 1U);
        QVERIFY(system.dark());
        send(system, "color-scheme", 2U);
        QVERIFY(!system.dark());
        send(system, "color-scheme", 0U);
        QCOMPARE(system.dark(), byPalette);
        send(system, "contrast", 1U);
        QVERIFY(system.highContrast());
        QCOMPARE(changed.count(), 4);
    }

    void takesAnswersThatAreWrappedTwice()
    {
        SystemAppearance system;
        send(system, "color-scheme", QVariant::fromValue(QDBusVariant(1U)));
        QVERIFY(system.dark());
    }

    void leavesTheRestAlone()
    {
        SystemAppearance system;
        const bool before = system.dark();
        QSignalSpy changed(&system, &SystemAppearance::changed);
        send(system, "color-scheme", before ? 2U : 1U, "org.example.other");
        send(system, "accent-color", 1U);
        send(system, "color-scheme", QStringLiteral("</b>"));
        QCOMPARE(system.dark(), before);
        QCOMPARE(changed.count(), 1); // the nonsense reads as "no preference"
    }
};

FUSESCOPE_TEST(SystemAppearanceTest, system_appearance_test)
#include "system_appearance_test.moc"
