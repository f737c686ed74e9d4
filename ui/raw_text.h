#pragma once

#include <QString>
#include <QStringList>

#include <string>

namespace fusescope {

// Names of files are bytes, and need not be UTF-8. A byte that is none becomes a character that no
// text has (a lone surrogate), and comes back as it was.
QString textOfBytes(std::string_view bytes);
std::string bytesOf(const QString& text);

// The program's arguments, but for its name.
QStringList argumentsOf(int argc, char** argv);

} // namespace fusescope
