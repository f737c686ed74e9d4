#pragma once

#include "io/document.h"
#include "model/graph_text.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

#include <string_view>

namespace fusescope::test {

// What a command of the program answered.
struct CommandResult
{
    int status = -1;
    QByteArray out, err;

    // The one document on stdout; an empty object when it is not one.
    QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
};

inline QString program()
{
    return QStringLiteral(FUSESCOPE_BINARY_DIR "/fusescope");
}

inline CommandResult command(const QStringList& arguments, int milliseconds = 120000)
{
    QProcess process;
    process.start(program(), arguments);
    CommandResult result;
    if (!process.waitForFinished(milliseconds)) {
        process.kill();
        process.waitForFinished();
        return result;
    }
    result.status = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
    result.out = process.readAllStandardOutput();
    result.err = process.readAllStandardError();
    return result;
}

inline QString example(const char* name)
{
    return QStringLiteral(FUSESCOPE_SOURCE_DIR "/resources/examples/%1.onnx")
        .arg(QLatin1String(name));
}

// A file of the folder with these bytes; its path.
inline QString fileOf(const QByteArray& bytes, const QTemporaryDir& folder, const char* name)
{
    QFile file(folder.filePath(QLatin1String(name)));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("a test's file could not be written");
    return file.fileName();
}

// A model written as text (model/graph_text.h), as a file of the folder; its path.
inline QString modelFile(std::string_view text, const QTemporaryDir& folder, const QString& name)
{
    const auto graph = parseGraph(text);
    const auto empty = Document::parse(std::string("\x3a\x00", 2), "empty");
    const auto bytes =
        graph && empty ? (*empty)->serialize(*graph) : Result<std::string>(std::string());
    QFile file(folder.filePath(name));
    if (!bytes || bytes->empty() || !file.open(QIODevice::WriteOnly))
        qFatal("a test's model could not be written");
    file.write(bytes->data(), static_cast<qint64>(bytes->size()));
    return file.fileName();
}

// What lies in a folder, hidden files too.
inline QStringList filesIn(const QTemporaryDir& folder)
{
    return QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::System |
                                         QDir::NoDotAndDotDot);
}

} // namespace fusescope::test
