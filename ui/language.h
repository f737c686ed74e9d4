#pragma once

#include <QString>

namespace fusescope {

// The texts of a language ("en", "zh_CN") in place of those installed before; empty: English.
void installTranslations(const QString& language);

// The language of the texts that are installed: "en", "zh_CN".
QString spokenLanguage();

// The one chosen in the settings, else the system's.
QString chosenLanguage();

} // namespace fusescope
