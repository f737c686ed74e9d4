#include "core/exec/fused_support.h"

#include "exec/compare.h"
#include "model/graph_text.h"
#include "report/render.h"

#include <QStringList>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace fusescope::test {

namespace {

PlanOptions optionsOf(int threads, bool fused, bool winograd, bool blocked)
{
    PlanOptions options;
    options.threads = threads;
    options.fused = fused;
    options.winograd = winograd;
    options.blockedLayout = blocked;
    options.poison = true;
    return options;
}

bool sameBits(const RuntimeValue& a, const RuntimeValue& b)
{
    if (!a.tensor() || !b.tensor())
        return (a.tensor() == nullptr) == (b.tensor() == nullptr);
    return a.tensor()->bitwiseEquals(*b.tensor());
}

} // namespace

Graph graphOf(std::string_view text)
{
    auto graph = parseGraph(text);
    if (!graph) {
        std::fprintf(stderr, "%s\n", render(graph.error().message, nullptr).c_str());
        std::abort();
    }
    return *std::move(graph);
}

RunInputs inputsOf(const Graph& graph, const InputRecipe& recipe)
{
    auto made = makeInputs(graph, recipe);
    if (!made) {
        std::fprintf(stderr, "%s\n", render(made.error().message, &graph).c_str());
        std::abort();
    }
    return std::move(made->inputs);
}

QString textOf(const Error& error, const Graph& graph)
{
    QString text = QString::fromStdString(render(error.message, &graph));
    if (const Node* node = graph.node(error.node))
        text += QStringLiteral(" [%1 %2]")
                    .arg(QString::fromStdString(node->op.type), QString::fromStdString(node->name));
    return text;
}

QString kernelsOf(const FusedExecutor& executor)
{
    QStringList names;
    for (const auto& step : executor.steps())
        names << QString::fromStdString(step.kernel);
    return names.join(QStringLiteral(", "));
}

QString differences(const Graph& graph, const RunInputs& inputs, double rtol)
{
    const auto expected = ReferenceExecutor(graph).run(inputs, {});
    if (!expected)
        return QStringLiteral("reference: ") + textOf(expected.error(), graph);
    struct Variant
    {
        const char* name;
        PlanOptions options;
    };
    const Variant variants[] = {{"fused", optionsOf(1, true, true, true)},
                                {"fused, two threads", optionsOf(2, true, true, true)},
                                {"unfused", optionsOf(1, false, true, true)},
                                {"direct", optionsOf(1, true, false, true)},
                                {"plain", optionsOf(1, true, true, false)}};
    std::optional<RunResult> first;
    for (const Variant& variant : variants) {
        const QString name = QString::fromLatin1(variant.name);
        auto executor = FusedExecutor::plan(graph, inputs, variant.options);
        if (!executor)
            return name + QStringLiteral(", planning: ") + textOf(executor.error(), graph);
        for (int round = 0; round < 2; ++round) {
            auto result = executor->run(inputs, {});
            if (!result)
                return name + QStringLiteral(": ") + textOf(result.error(), graph);
            for (std::size_t i = 0; i < expected->outputs.size(); ++i) {
                const TensorComparison compared =
                    compareValues(expected->outputs[i].second, result->outputs[i].second, rtol);
                if (!compared.pass)
                    return QStringLiteral("%1, output %2: %3 max abs %4, NaN %5 and %6 (%7)")
                        .arg(name, QString::fromStdString(expected->outputs[i].first),
                             QString::fromStdString(render(compared.why, &graph)))
                        .arg(compared.maxAbs)
                        .arg(compared.nanBefore)
                        .arg(compared.nanAfter)
                        .arg(kernelsOf(*executor).left(400));
                if (first && variant.options.threads == 2 &&
                    !sameBits(first->outputs[i].second, result->outputs[i].second))
                    return name + QStringLiteral(": other bits than with one thread");
            }
            if (!first)
                first = std::move(*result);
        }
    }
    return {};
}

} // namespace fusescope::test
