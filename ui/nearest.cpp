#include "ui/nearest.h"

#include <QCoreApplication>

#include <algorithm>
#include <numeric>
#include <vector>

namespace fusescope {

namespace {

QString tr(const char* text, int n = -1)
{
    return QCoreApplication::translate("Nearest", text, nullptr, n);
}

constexpr qsizetype longest = 200; // of names that are compared letter by letter
constexpr qsizetype listed = 12;

// Letters to insert, drop, exchange or swap with their neighbour.
qsizetype distance(const QString& a, const QString& b)
{
    const auto width = static_cast<std::size_t>(b.size()) + 1;
    std::vector<qsizetype> before(width), last(width), row(width);
    std::iota(last.begin(), last.end(), 0);
    for (qsizetype i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (qsizetype j = 1; j <= b.size(); ++j) {
            const auto at = static_cast<std::size_t>(j);
            const bool same = a[i - 1].toLower() == b[j - 1].toLower();
            row[at] = std::min({last[at] + 1, row[at - 1] + 1, last[at - 1] + (same ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[at] = std::min(row[at], before[at - 2] + 1);
        }
        std::swap(before, last);
        std::swap(last, row);
    }
    return last[width - 1];
}

} // namespace

QString nearestOf(const QString& name, const QStringList& known)
{
    QString best;
    qsizetype least = name.size() / 3 + 1;
    if (name.isEmpty() || name.size() > longest)
        return best;
    for (const QString& one : known) {
        if (std::abs(one.size() - name.size()) > least || one.isEmpty())
            continue;
        const qsizetype here = distance(name, one);
        if (here <= least && here < std::max(one.size(), name.size())) {
            least = here - 1; // only what is nearer
            best = one;
        }
    }
    if (!best.isEmpty())
        return best;
    for (const QString& one : known) {
        if (name.size() > 2 && one.contains(name, Qt::CaseInsensitive))
            return one;
    }
    return {};
}

QString insteadOf(const QString& name, QStringList known)
{
    known.removeAll(QString());
    known.removeDuplicates();
    const QString nearest = nearestOf(name, known);
    if (!nearest.isEmpty())
        return tr("Did you mean \"%1\"?").arg(nearest);
    if (known.isEmpty())
        return tr("There are none.");
    const auto more = static_cast<int>(known.size() - listed);
    const QString list = known.mid(0, listed).join(QStringLiteral(", "));
    return more > 0 ? tr("There are: %1, and %n more.", more).arg(list)
                    : tr("There are: %1.").arg(list);
}

QStringList nodeNames(const Graph& graph)
{
    QStringList names;
    for (const NodeId id : graph.allNodes())
        names << QString::fromStdString(graph.node(id)->name);
    return names;
}

QStringList valueNames(const Graph& graph)
{
    QStringList names;
    for (std::uint32_t i = 1; i < graph.valueLimit(); ++i) {
        if (const Value* value = graph.value(ValueId{i}))
            names << QString::fromStdString(value->name);
    }
    return names;
}

} // namespace fusescope
