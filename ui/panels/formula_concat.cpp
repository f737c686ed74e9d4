#include "ui/panels/inspector_explain_page.h"
#include "ui/panels/panel_parts.h"
#include "ui/panels/step_formula.h"
#include "ui/text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fusescope {

namespace {

using E = Expression;
using namespace formulas;

constexpr std::size_t shownParts = 8;

struct Part
{
    ValueId id;
    std::int64_t from = -1, channels = -1; // −1: not known
};

struct Joined
{
    std::vector<Part> parts;
    ValueId value, weight, bias;
    QString shape;
    TensorPtr numbers; // of the weights
    std::vector<double> biases;
    std::int64_t groups = 1;
};

QString subscript(std::size_t number)
{
    QString words;
    for (const QChar digit : QString::number(number))
        words += QChar(0x2080 + digit.digitValue());
    return words;
}

QString range(std::int64_t from, std::int64_t count)
{
    return count == 1 ? QString::number(from)
                      : QStringLiteral("%1…%2").arg(from).arg(from + count - 1);
}

Joined read(const Graph& before, const Step& step)
{
    Joined joined;
    const Node* conv = before.node(step.root);
    const Node* concat = conv ? before.node(before.producer(conv->input(0))) : nullptr;
    if (!conv || !concat || !concat->is("Concat"))
        return joined;
    joined.value = conv->input(0);
    joined.weight = conv->input(1);
    joined.bias = conv->input(2);
    joined.groups = std::max<std::int64_t>(1, conv->attributes.getInt("group", 1));
    if (const Value* value = before.value(joined.value))
        joined.shape = parts::shapeText(value->type);
    std::int64_t from = 0;
    for (const ValueId id : concat->inputs) {
        Part part{id, from, -1};
        const Value* value = before.value(id);
        if (value && value->type.shape.rank() > 1)
            part.channels = value->type.shape[1].constant().value_or(-1);
        from = from >= 0 && part.channels >= 0 ? from + part.channels : -1;
        joined.parts.push_back(part);
    }
    joined.numbers = before.constant(joined.weight);
    joined.biases = numbers(before, joined.bias);
    return joined;
}

bool hasWeights(const Joined& joined)
{
    const TensorPtr& weights = joined.numbers;
    return weights && weights->isAvailable() && !weights->isString() && weights->rank() > 1
           && weights->elementCount() > 0;
}

// Σ|W| over the weights of output channel `channel` that read input channels from … from + count.
double magnitude(const Tensor& weights, int channel, std::int64_t from, std::int64_t count)
{
    std::int64_t kernel = 1;
    for (std::size_t i = 2; i < weights.rank(); ++i)
        kernel *= weights.shape()[i];
    const std::int64_t row = weights.shape()[1] * kernel;
    double sum = 0;
    for (std::int64_t i = from * kernel; i < (from + count) * kernel; ++i)
        sum += std::abs(weights.asDouble(channel * row + i));
    return sum;
}

E general(std::size_t count)
{
    std::vector<E> parts{E::strong(QStringLiteral("y")), E::text(QStringLiteral(" = "))};
    for (std::size_t i = 1; i <= count; ++i) {
        if (count > 4 && i == 3) {
            parts.push_back(E::text(QStringLiteral("… + ")));
            i = count;
        }
        parts.push_back(E::text(QStringLiteral("W%1 ∗ x%1 + ").arg(subscript(i))));
    }
    parts.push_back(E::text(QStringLiteral("b")));
    return E::row(parts);
}

FormulaNumbers atChannel(const Joined& joined, int channel)
{
    FormulaNumbers shown;
    // With groups an output channel reads some of the joined channels alone.
    const bool whole = joined.groups == 1 && hasWeights(joined)
                       && joined.parts.back().from >= 0 && joined.parts.back().channels >= 0
                       && joined.parts.back().from + joined.parts.back().channels
                              == joined.numbers->shape()[1];
    const double all =
        whole ? magnitude(*joined.numbers, channel, 0, joined.numbers->shape()[1]) : 0;
    for (std::size_t i = 0; i < joined.parts.size() && i < shownParts; ++i) {
        const Part& part = joined.parts[i];
        const QString x = QStringLiteral("x") + subscript(i + 1);
        std::vector<E> words{E::strong(x), E::text(QStringLiteral(": "))};
        if (part.from >= 0 && part.channels > 0)
            words.push_back(
                E::text((part.channels == 1 ? ExplainPage::tr("channel %1 of the joined value")
                                            : ExplainPage::tr("channels %1 of the joined value"))
                            .arg(range(part.from, part.channels))));
        if (whole && part.channels > 0) {
            const double own = magnitude(*joined.numbers, channel, part.from, part.channels);
            words.push_back(E::text(QStringLiteral(",  Σ|W%1| = ").arg(subscript(i + 1))));
            words.push_back(E::result(text::value(own, 4)));
            if (all > 0)
                words.push_back(E::text(QStringLiteral(" (%1 %)").arg(qRound(100 * own / all))));
        }
        shown.lines.push_back(E::row(words));
        shown.tensors.push_back({x, part.id, QString()});
    }
    const auto c = static_cast<std::size_t>(channel);
    if (joined.parts.size() > shownParts)
        shown.note = ExplainPage::tr("The first %1 of %2 parts are shown.")
                         .arg(shownParts)
                         .arg(joined.parts.size());
    shown.tensors.push_back({QStringLiteral("W"), joined.weight, QString()});
    if (c < joined.biases.size())
        shown.tensors.push_back({QStringLiteral("b"), joined.bias, text::value(joined.biases[c], 4)});
    return shown;
}

} // namespace

StepFormula concatConvFormula(const Graph& before, const Graph&, const Step& step)
{
    const Joined joined = read(before, step);
    StepFormula formula;
    formula.headline = ExplainPage::tr("The Conv reads %n part(s) where they lie", nullptr,
                                       static_cast<int>(joined.parts.size()));
    formula.words =
        ExplainPage::tr("A convolution adds up over its input channels. Split by where they come "
                        "from, the sum is one term for each part, so the Concat need not copy the "
                        "parts side by side: the joined value %1 is never written.")
            .arg(joined.shape);
    if (joined.parts.empty())
        return formula;
    formula.general.push_back(general(joined.parts.size()));
    formula.choice = ExplainPage::tr("Channel");
    if (hasWeights(joined))
        formula.count = static_cast<int>(
            std::min<std::int64_t>(joined.numbers->shape()[0], std::numeric_limits<int>::max()));
    if (joined.biases.size() == static_cast<std::size_t>(formula.count) && formula.count > 1) {
        formula.bars = QList<double>(joined.biases.begin(), joined.biases.end());
        formula.barsTitle = ExplainPage::tr("Bias b of every channel");
        formula.barsName = ExplainPage::tr("Bias of every channel");
    }
    formula.numbers = [joined](int channel) { return atChannel(joined, channel); };
    return formula;
}

} // namespace fusescope
