#include "ui/dialogs/settings_dialog.h"

#include "ui/dialogs/form.h"
#include "ui/graph/graph_area.h"
#include "ui/language.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QSettings>
#include <QVBoxLayout>

namespace fusescope {

namespace {

const QString wheelKey = QStringLiteral("wheelZooms");
const QString motionKey = QStringLiteral("reduceMotion");
const QString themeKey = QStringLiteral("theme");
const QString languageKey = QStringLiteral("language");

} // namespace

SettingsDialog::SettingsDialog(AppState&, QWidget* parent)
    : QDialog(parent), m_wheel(new QComboBox(this)), m_theme(new QComboBox(this)),
      m_language(new QComboBox(this)),
      m_motion(new QCheckBox(tr("No animation, whatever the system says"), this))
{
    setWindowTitle(tr("Settings"));
    m_wheel->addItem(tr("scrolls; with Ctrl it zooms"), false);
    m_wheel->addItem(tr("zooms; with Ctrl it scrolls"), true);
    m_wheel->setCurrentIndex(wheelZooms() ? 1 : 0);
    m_theme->addItem(tr("as the system"), static_cast<int>(ThemeChoice::system));
    m_theme->addItem(tr("light"), static_cast<int>(ThemeChoice::light));
    m_theme->addItem(tr("dark"), static_cast<int>(ThemeChoice::dark));
    m_theme->addItem(tr("high contrast"), static_cast<int>(ThemeChoice::highContrast));
    m_theme->setCurrentIndex(m_theme->findData(static_cast<int>(theme().choice())));
    m_language->addItem(tr("as the system"), QString());
    m_language->addItem(QStringLiteral("English"), QStringLiteral("en"));
    m_language->addItem(QStringLiteral("简体中文"), QStringLiteral("zh_CN"));
    const int language = m_language->findData(QSettings().value(languageKey).toString());
    m_language->setCurrentIndex(std::max(0, language));
    m_motion->setChecked(reduceMotion());
    auto* fields = new QFormLayout;
    form::addRow(fields, tr("The wheel"), m_wheel);
    form::addRow(fields, tr("Theme"), m_theme);
    form::addRow(fields, tr("Language"), m_language);
    fields->addRow(QString(), m_motion);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(fields);
    layout->addStretch(1);
    layout->addWidget(form::buttons(this, tr("Use These")));
}

bool SettingsDialog::wheelZooms()
{
    return QSettings().value(wheelKey, false).toBool();
}

bool SettingsDialog::reduceMotion()
{
    return QSettings().value(motionKey, false).toBool();
}

void SettingsDialog::accept()
{
    QSettings settings;
    const bool zooms = m_wheel->currentData().toBool();
    settings.setValue(wheelKey, zooms);
    settings.setValue(themeKey, m_theme->currentData().toInt());
    const QString before = chosenLanguage();
    settings.setValue(languageKey, m_language->currentData().toString());
    settings.setValue(motionKey, m_motion->isChecked());
    theme().setChoice(static_cast<ThemeChoice>(m_theme->currentData().toInt()));
    theme().setReducedMotion(m_motion->isChecked());
    for (QWidget* widget : QApplication::allWidgets()) {
        if (auto* area = qobject_cast<GraphArea*>(widget))
            area->setWheelZooms(zooms);
    }
    QDialog::accept();
    if (chosenLanguage() != before)
        Q_EMIT languageChosen();
}

} // namespace fusescope
