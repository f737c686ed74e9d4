#pragma once

#include "ui/language.h"

#include <QString>
#include <QStringList>

namespace fusescope {

// The window, with the model or command line options given; the exit status of the program.
int runWindow(int argc, char** argv);

// Everything else: a command, the help, the version, or an unknown command.
int runBatch(int argc, char** argv);
// Whether the arguments ask for it, rather than for the window.
bool isBatch(const QStringList& args);

// The value of --lang; empty when it is not given.
QString languageFrom(const QStringList& args);
// A sentence when --lang names a language that there is not; else empty.
QString wrongLanguage(const QString& language);

QString versionText();

} // namespace fusescope
