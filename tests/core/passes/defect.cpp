#include "defect.h"

#include <fmt/format.h>

namespace fusescope::test {

namespace {

std::vector<std::string> split(std::string_view text, std::string_view by)
{
    std::vector<std::string> parts;
    while (!text.empty()) {
        const std::size_t at = text.find(by);
        if (at != 0)
            parts.emplace_back(text.substr(0, at));
        text = at == std::string_view::npos ? std::string_view() : text.substr(at + by.size());
    }
    return parts;
}

// What a rule says: the headlines of its rows at the end, or of one root of the model as opened.
std::string refusalsOf(const PassRun& run, const Plan& plan, const std::vector<std::string>& asked)
{
    const std::string& rule = asked.front();
    if (asked.size() > 2) {
        const std::string codes = codesOf(run.opened, rule, asked[1], plan.policy);
        return codes.substr(0, codes.find(' '));
    }
    std::string codes;
    for (const Blocked& row : run.blocked) {
        if (row.miss.rule == rule)
            codes += (codes.empty() ? "" : " ") +
                     std::string(idOf(row.miss.reasons.front().code));
    }
    return codes;
}

} // namespace

std::string wrongWith(const Defect& defect)
{
    const PassRun run = runPasses(defect.text, defect.plan);
    if (!run.problem.empty())
        return run.problem;
    const std::string operators = operatorsOf(run.graph);
    if (operators != defect.operators)
        return fmt::format("ends as {}, by {}", operators, run.rules());
    for (const std::string& one : split(defect.refused, "; ")) {
        const std::vector<std::string> asked = split(one, " ");
        const std::string found = refusalsOf(run, defect.plan, asked);
        if (found != asked.back())
            return fmt::format("{}: refused by {}", one, found.empty() ? "nothing" : found);
    }
    if (std::string differs = runProblem(run.opened, run.graph, defect.rtol); !differs.empty())
        return differs;
    Graph lowered = run.graph;
    IdPool pool(run.opened);
    const auto patch = lower(lowered, pool, ExportForm::standard, &run.opened);
    if (!patch || !lowered.apply(*patch) || !lowered.check())
        return "does not lower";
    return runProblem(run.opened, lowered, defect.rtol);
}

void addDefectColumns()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("operators");
    QTest::addColumn<QString>("refused");
    QTest::addColumn<double>("rtol");
}

void addDefect(const char* number, const char* text, const char* operators, const char* refused,
               double rtol)
{
    QTest::newRow(number) << QString::fromUtf8(text) << QString::fromUtf8(operators)
                          << QString::fromUtf8(refused) << rtol;
}

std::string wrongWithRow()
{
    QFETCH(QString, text);
    QFETCH(QString, operators);
    QFETCH(QString, refused);
    QFETCH(double, rtol);
    const std::string t = text.toStdString(), o = operators.toStdString(),
                      r = refused.toStdString();
    return wrongWith({t, o, r, rtol, {}});
}

std::string outputsOf(const Graph& graph, const std::string& input,
                      const std::vector<std::int64_t>& shape, const std::vector<float>& numbers)
{
    const RunInputs inputs{{input, RuntimeValue(Tensor::of<float>(shape, numbers))}};
    const auto ran = ReferenceExecutor(graph).run(inputs, {});
    if (!ran)
        return "error";
    std::string text;
    for (const auto& [name, value] : ran->outputs) {
        const Tensor* tensor = value.tensor();
        text += (text.empty() ? "" : "; ") + name + ":";
        for (std::int64_t i = 0; tensor && i < tensor->elementCount(); ++i)
            text += fmt::format(" {:.4g}", tensor->load<float>(i));
    }
    return text;
}

} // namespace fusescope::test
