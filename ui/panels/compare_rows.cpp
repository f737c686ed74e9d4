#include "ui/panels/compare_rows.h"

#include "model/shape.h"
#include "model/type.h"
#include "ui/panels/panel_parts.h"
#include "ui/text.h"
#include "ui/theme/row_delegate.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace fusescope {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("ComparePanel", text);
}

// NaN counts as the largest.
double rank(double error)
{
    return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

QString indexText(const std::optional<std::vector<std::int64_t>>& index)
{
    if (!index)
        return {};
    QStringList parts;
    for (const std::int64_t i : *index)
        parts << QString::number(i);
    return QStringLiteral("[%1]").arg(parts.join(QStringLiteral(", ")));
}

} // namespace

void sortWorstFirst(std::vector<TensorComparison>& tensors)
{
    std::stable_sort(tensors.begin(), tensors.end(),
                     [](const TensorComparison& a, const TensorComparison& b) {
                         if (a.pass != b.pass)
                             return !a.pass;
                         if (rank(a.maxAbs) != rank(b.maxAbs))
                             return rank(a.maxAbs) > rank(b.maxAbs);
                         return a.name < b.name;
                     });
}

QStringList compareHeader()
{
    return {QString(),       tr("Tensor"), tr("Shape"),        QStringLiteral("max |Δ|"),
            tr("max rel"),   tr("cosine"), tr("worst element"), tr("before"),
            tr("after"),     tr("NaN, Inf")};
}

QList<QStandardItem*> compareRow(const TensorComparison& tensor, const QString& why)
{
    QStandardItem* verdict = parts::item();
    verdict->setData(QVariant::fromValue(tensor.pass ? Mark::tick : Mark::cross), MarkRole);
    verdict->setData(tensor.pass ? tr("pass") : tr("fail"), Qt::AccessibleTextRole);
    if (!tensor.pass)
        verdict->setToolTip(text::toolTip(why));
    QStandardItem* name = parts::item(parts::str(tensor.name));
    name->setData(true, MonoRole);
    name->setData(static_cast<bool>(tensor.value), LinkRole);
    name->setData(tensor.pass || why.isEmpty() ? name->text()
                                               : QStringLiteral("%1: %2").arg(name->text(), why),
                  WholeTextRole);
    QStandardItem* shape = parts::item(
        parts::shapeText(Type::tensor(tensor.dtype, Shape::ofSizes(tensor.shape))));
    shape->setData(true, MonoRole);
    shape->setData(true, MutedRole);
    QStandardItem* bar = parts::item(text::scientific(tensor.maxAbs));
    bar->setData(true, MonoRole);
    RowBars bars;
    bars.first = logFraction(tensor.maxAbs);
    const int level = Theme::heatLevel(tensor.maxAbs, std::max(tensor.tolerance.atol,
                                                               tensor.tolerance.rtol));
    bars.color = theme().heat(level);
    bar->setData(QVariant::fromValue(bars), BarsRole);
    const std::int64_t nan = tensor.nanBefore + tensor.nanAfter;
    const std::int64_t inf = tensor.infBefore + tensor.infAfter;
    QStandardItem* special =
        parts::number(nan + inf == 0 ? QStringLiteral("0")
                                     : QStringLiteral("%1/%2, %3/%4")
                                           .arg(tensor.nanBefore)
                                           .arg(tensor.nanAfter)
                                           .arg(tensor.infBefore)
                                           .arg(tensor.infAfter));
    special->setData(nan + inf == 0 ? QString()
                                    : tr("NaN before/after, Inf before/after"), WholeTextRole);
    if (tensor.nanBefore != tensor.nanAfter)
        special->setData(QVariant::fromValue(Tone::removed), ToneRole);
    QStandardItem* worst = parts::item(indexText(tensor.worstIndex));
    worst->setData(true, MonoRole);
    const bool compared = tensor.worstIndex.has_value();
    QList<QStandardItem*> row{
        verdict, name, shape, bar, parts::number(text::scientific(tensor.maxRel)),
        parts::number(QString::number(tensor.cosine, 'f', 5)), worst,
        parts::number(compared ? text::value(tensor.worstBefore) : QString()),
        parts::number(compared ? text::value(tensor.worstAfter) : QString()), special};
    for (QStandardItem* item : row)
        item->setData(tensor.value.value, ValueOfRow);
    return row;
}

} // namespace fusescope
