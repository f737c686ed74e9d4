#include "ui/panels/explain_batchnorm.h"
#include "ui/panels/inspector_explain_page.h"
#include "ui/panels/panel_parts.h"
#include "ui/panels/step_formula.h"
#include "ui/text.h"

#include <algorithm>
#include <cmath>

namespace fusescope {

namespace {

using E = Expression;
using formulas::inside;

const QString gammaSign = QStringLiteral("γ");
const QString betaSign = QStringLiteral("β");
const QString muSign = QStringLiteral("μ");
const QString sigmaSign = QStringLiteral("σ²");
const QString dot = QStringLiteral(" · ");
constexpr int shownKernel = 7;

E scaleFraction(const QString& above, const QString& variance, const QString& epsilon)
{
    return E::fraction(E::text(above), E::squareRoot(formulas::sum(variance, epsilon)));
}

// The channel's first kernel, or the top of its column.
FormulaNumbers::Slice sliceOf(const BatchnormFold& fold, int channel, const QString& scale)
{
    KernelSlice::Matrix before;
    const auto& shape = fold.weight->shape();
    const std::size_t rank = shape.size();
    const auto shown = [](std::int64_t size) {
        return static_cast<int>(std::min<std::int64_t>(shownKernel, size));
    };
    before.columns = shown(fold.isProduct ? fold.kernelSize() : rank > 2 ? shape[rank - 1] : 1);
    before.rows = shown(rank > 3 ? shape[rank - 2] : 1);
    QString place = QStringLiteral("[%1, 0, :, :]").arg(channel);
    if (fold.transposed)
        place = ExplainPage::tr("channel %1").arg(channel);
    else if (fold.isProduct)
        place = (fold.columnsAreRows ? QStringLiteral("[%1, :]") : QStringLiteral("[:, %1]"))
                    .arg(channel);
    before.title = ExplainPage::tr("W %1 before").arg(place);
    KernelSlice::Matrix after = before;
    after.title = ExplainPage::tr("W′ %1 after").arg(place);
    const std::int64_t start = fold.kernelStart(channel);
    const std::int64_t width = rank > 2 ? shape[rank - 1] : 1;
    for (int row = 0; row < before.rows; ++row) {
        for (int column = 0; column < before.columns; ++column) {
            const std::int64_t at = start + (row * width + column) * fold.kernelStride();
            before.values.push_back(fold.weight->asDouble(at));
            after.values.push_back(fold.newWeight->asDouble(at));
        }
    }
    return {before, QStringLiteral("× %1").arg(scale), after};
}

FormulaNumbers atChannel(const BatchnormFold& fold, int channel)
{
    FormulaNumbers shown;
    const auto c = static_cast<std::size_t>(channel);
    const QString scale = text::value(fold.scale[c], 5);
    shown.lines.push_back(E::row(
        {E::strong(QStringLiteral("s")), E::text(QStringLiteral(" = ")),
         scaleFraction(text::value(fold.g[c], 4), text::value(fold.v[c], 4),
                       text::value(fold.epsilon, 3)),
         E::text(QStringLiteral(" = ")),
         E::fraction(E::text(text::value(fold.g[c], 4)),
                     E::text(text::value(std::sqrt(fold.v[c] + fold.epsilon), 5))),
         E::text(QStringLiteral(" = ")), E::result(scale)}));
    QStringList sizes;
    for (std::size_t i = 1; !fold.isProduct && i < fold.weight->rank(); ++i)
        sizes << QString::number(fold.weight->shape()[i]);
    if (fold.isProduct)
        sizes << QString::number(fold.kernelSize());
    shown.lines.push_back(E::row(
        {E::strong(QStringLiteral("W′")), E::text(QStringLiteral(" = W") + dot), E::result(scale),
         E::text(QStringLiteral(" ")),
         E::text(fold.transposed ? ExplainPage::tr("for all weights of channel %1").arg(channel)
                                 : ExplainPage::tr("for all %1 weights of channel %2")
                                       .arg(sizes.join(QStringLiteral(" × ")))
                                       .arg(channel))}));
    shown.lines.push_back(E::row(
        {E::strong(QStringLiteral("b′")),
         E::text(QStringLiteral(" = (%1 − %2)").arg(text::value(fold.bias[c], 4),
                                                    inside(fold.m[c])) + dot),
         E::result(scale), E::text(QStringLiteral(" + %1 = ").arg(inside(fold.b[c]))),
         E::result(text::value(fold.newBias[c], 4))}));
    const QString type = parts::str(nameOf(fold.newWeight->dtype()));
    if (fold.biasBefore)
        shown.note = ExplainPage::tr("Computed in float64 and rounded once to %1.").arg(type);
    else if (fold.isProduct)
        shown.note = ExplainPage::tr("There was no bias, so b = 0. Computed in float64 and rounded "
                                     "once to %1.").arg(type);
    else
        shown.note = ExplainPage::tr("The Conv had no bias, so b = 0. Computed in float64 and rounded "
                                     "once to %1.").arg(type);
    shown.slice = sliceOf(fold, channel, scale);
    const auto add = [&shown](const QString& sign, ValueId id, std::optional<double> number) {
        if (id)
            shown.tensors.push_back({sign, id, number ? text::value(*number, 4) : QString()});
    };
    add(gammaSign, fold.gamma, fold.g[c]);
    add(betaSign, fold.beta, fold.b[c]);
    add(muSign, fold.mean, fold.m[c]);
    add(sigmaSign, fold.variance, fold.v[c]);
    add(QStringLiteral("W"), fold.weightBefore, std::nullopt);
    if (fold.weightAfter != fold.weightBefore)
        add(QStringLiteral("W′"), fold.weightAfter, std::nullopt);
    add(QStringLiteral("b"), fold.biasBefore, fold.bias[c]);
    if (fold.biasAfter != fold.biasBefore)
        add(QStringLiteral("b′"), fold.biasAfter, fold.newBias[c]);
    return shown;
}

} // namespace

StepFormula batchnormFormula(const Graph& before, const Graph& after, const Step& step)
{
    const auto read = batchnormFold(before, after, step);
    const QString host = step.rule == "gemm-batchnorm"            ? QStringLiteral("Gemm")
                         : step.rule == "convtranspose-batchnorm" ? QStringLiteral("ConvTranspose")
                                                                  : QStringLiteral("Conv");
    StepFormula formula;
    formula.headline = ExplainPage::tr("BatchNormalization disappears into the %1").arg(host);
    formula.words =
        ExplainPage::tr("In inference γ, β, μ and σ² are constants, so normalizing is one "
                        "multiplication and one addition per output channel. Both can be done to "
                        "the weights beforehand.");
    const E fraction = scaleFraction(gammaSign, sigmaSign, QStringLiteral("ε"));
    formula.general.push_back(E::row({E::strong(QStringLiteral("W′")),
                                      E::text(QStringLiteral(" = W") + dot), fraction}));
    formula.general.push_back(
        E::row({E::strong(QStringLiteral("b′")),
                E::text(QStringLiteral(" = (b − ") + muSign + QStringLiteral(")") + dot), fraction,
                E::text(QStringLiteral(" + ") + betaSign)}));
    if (!read)
        return formula;
    const BatchnormFold& fold = *read;
    formula.choice = ExplainPage::tr("Channel");
    formula.count = fold.channels();
    formula.bars = QList<double>(fold.scale.begin(), fold.scale.end());
    formula.barsTitle = ExplainPage::tr("Scale s of every channel");
    formula.barsName = ExplainPage::tr("Scale of every channel");
    const double worst = fold.largestDifference();
    formula.holds = worst <= (fold.newWeight->dtype() == DType::float16 ? 1e-2 : 1e-5);
    formula.check = (formula.holds
                         ? ExplainPage::tr("✓ Checked: the stored W′ and b′ are the formula's numbers "
                                           "for all channels, max |Δ| %1.")
                         : ExplainPage::tr("! The stored W′ and b′ differ from the formula by max "
                                           "|Δ| %1."))
                        .arg(text::scientific(worst));
    formula.numbers = [fold](int channel) { return atChannel(fold, channel); };
    return formula;
}

} // namespace fusescope
