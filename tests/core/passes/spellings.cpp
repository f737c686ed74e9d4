#include "spellings.h"

#include <fmt/format.h>

#include <QString>

namespace fusescope::test {

void addSpellingColumns()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("left");
    QTest::addColumn<QString>("refused");
}

void addSpelling(const char* name, int opset, const char* graph, const char* constants,
                 const char* body, const char* left, const char* refused)
{
    const std::string ports(graph);
    const std::size_t arrow = ports.find(" => ");
    const std::string text =
        fmt::format("<ir_version: 10, opset_import: [\"\" : {}]> g ({}) => ({}) <{}> {{ {} }}",
                    opset, ports.substr(0, arrow), ports.substr(arrow + 4), constants, body);
    QTest::newRow(name) << QString::fromStdString(text) << QString::fromUtf8(left)
                        << QString::fromUtf8(refused);
}

std::string wrongWithSpelling()
{
    QFETCH(QString, text);
    QFETCH(QString, left);
    QFETCH(QString, refused);
    const PassRun run = runPasses(text.toStdString());
    if (!run.problem.empty())
        return run.problem;
    if (const std::string operators = operatorsOf(run.graph); operators != left.toStdString())
        return fmt::format("ends as \"{}\", by {}", operators, run.rules());
    std::string told;
    for (const Blocked& row : run.blocked) {
        for (const Reason& reason : row.miss.reasons)
            told += fmt::format("{} {}; ", row.miss.rule, idOf(reason.code));
    }
    if (refused.isEmpty() ? !told.empty() : !QString::fromStdString(told).contains(refused + "; "))
        return "refused: " + told;
    return runProblem(run.opened, run.graph);
}

} // namespace fusescope::test
