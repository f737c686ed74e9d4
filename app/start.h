#pragma once

#include "ui/language.h"

#include <QCoreApplication>
#include <QString>
#include <QStringList>

#include <memory>

namespace fusescope {

// The window, with the model or command line options given; the exit status of the program.
int runWindow(int argc, char** argv);

// Without a display; with `painter` one that can measure text and draw (Qt's offscreen platform).
std::unique_ptr<QCoreApplication> makeBatchApplication(int& argc, char** argv, bool painter);

// The value of --lang; empty when it is not given (the system's language then).
QString languageFrom(const QStringList& args);

QString versionText();

} // namespace fusescope
