#pragma once

#include "ui/app_state.h"

#include <QDialog>

class QCheckBox;
class QComboBox;

namespace fusescope {

// What survives a restart: what the wheel does, theme, language, motion.
class SettingsDialog final : public QDialog
{
    Q_OBJECT

public:
    SettingsDialog(AppState& state, QWidget* parent = nullptr);

    // As chosen in an earlier run; false where nothing was.
    static bool wheelZooms();
    static bool reduceMotion();
    void accept() override;

Q_SIGNALS:
    void languageChosen(); // another one than before

private:
    QComboBox* m_wheel;
    QComboBox* m_theme;
    QComboBox* m_language;
    QCheckBox* m_motion;
};

} // namespace fusescope
