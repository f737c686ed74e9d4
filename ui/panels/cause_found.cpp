#include "ui/panels/cause_found.h"

#include "ui/panels/explain_batchnorm.h"
#include "ui/panels/panel_parts.h"
#include "ui/text.h"
#include "ui/verdict.h"
#include "ui/widgets/channel_bars.h"
#include "ui/widgets/key_values.h"

#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace fusescope {

namespace {

// NaN stands above every number.
double height(double error)
{
    return std::isnan(error) ? HUGE_VAL : error;
}

QString errorText(double error)
{
    return std::isnan(error) ? QStringLiteral("NaN") : text::scientific(error);
}

std::size_t worstChannel(const std::vector<double>& channels)
{
    const auto worst = std::ranges::max_element(channels, {}, height);
    return static_cast<std::size_t>(worst - channels.begin());
}

// "Channel 71 has variance 3.1e-9, so its scale is 1.9e+2."
QString foldSentence(const AppState& state, int step, std::size_t channel)
{
    const auto before = state.graphAt(step - 1);
    const auto after = state.graphAt(step);
    const Step& rewrite = *state.timeline()->steps[static_cast<std::size_t>(step - 1)];
    const auto fold = batchnormFold(*before, *after, rewrite);
    if (!fold || channel >= fold->scale.size())
        return {};
    return CauseFound::tr("Channel %1 has variance %2, so its scale is %3.")
        .arg(channel)
        .arg(text::scientific(fold->v[channel]), text::scientific(fold->scale[channel]));
}

QString causeSentence(const AppState& state, int step, const DivergenceCause& cause)
{
    const QString moved = errorText(cause.tensor.maxAbs);
    if (cause.channels.size() < 2)
        return cause.tensor.maxAbs != 0
                   ? CauseFound::tr("The rewrite moves this value by up to %1.").arg(moved)
                   : state.sentence(cause.tensor.why, nullptr);
    const std::size_t worst = worstChannel(cause.channels);
    double second = 0;
    for (std::size_t i = 0; i < cause.channels.size(); ++i) {
        if (i != worst)
            second = std::max(second, height(cause.channels[i]));
    }
    QStringList lines;
    if (const QString why = foldSentence(state, step, worst); !why.isEmpty())
        lines << why;
    lines << CauseFound::tr("The rewrite moves channel %1 by up to %2.")
                 .arg(worst)
                 .arg(errorText(cause.channels[worst]));
    const int others = static_cast<int>(cause.channels.size()) - 1;
    lines << (std::isinf(second)
                  ? CauseFound::tr("Others are not finite either.")
                  : second == 0
                      ? CauseFound::tr("It leaves %n other channel(s) as before.", nullptr, others)
                      : CauseFound::tr("It moves %n other channel(s) by %1 at most.", nullptr, others)
                            .arg(text::scientific(second)));
    return lines.join(QLatin1Char(' '));
}

QString indexText(const std::vector<std::int64_t>& index)
{
    QStringList parts;
    for (const std::int64_t at : index)
        parts << QString::number(at);
    return QStringLiteral("[%1]").arg(parts.join(QStringLiteral(", ")));
}

} // namespace

CauseFound::CauseFound(AppState& state, const AppState::CompareResult& result, QWidget* parent)
    : QWidget(parent), m_sentence(new PlainLabel({}, Token::text, TextScale::normal, false, this))
{
    const DivergenceCause& cause = *causeOf(result);
    const int step = *result.divergence->step;
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::section, space::glyph, space::section, space::cell);
    layout->setSpacing(space::control);
    m_sentence->setText(causeSentence(state, step, cause));
    layout->addWidget(m_sentence);
    auto* buttons = new QHBoxLayout;
    auto* skip = new QPushButton(text::label(tr("Skip Step %1").arg(step)), this);
    skip->setAccessibleName(tr("Skip Step %1").arg(step));
    connect(skip, &QPushButton::clicked, &state, [&state, step] { state.skipStep(step); });
    buttons->addWidget(skip);
    buttons->addStretch(1);
    layout->addLayout(buttons);
    if (cause.channels.size() > 1) {
        layout->addWidget(new PlainLabel(tr("Error per channel, log scale"), Token::text,
                                         TextScale::normal, true, this));
        m_bars = new ChannelBars(this);
        m_bars->setAccessibleName(tr("Error per channel"));
        m_bars->setDeadShare(0);
        m_bars->setLogarithmic(true);
        m_bars->setLimit(cause.limit > 0 ? cause.limit : std::nan(""), tr("tolerance"));
        m_bars->setValues(QList<double>(cause.channels.begin(), cause.channels.end()));
        m_bars->setChosen(static_cast<int>(worstChannel(cause.channels)));
        connect(m_bars, &ChannelBars::chosenByUser, m_bars, &ChannelBars::setChosen);
        layout->addWidget(m_bars);
    }
    auto* values = new KeyValues(this);
    const TensorComparison& tensor = cause.tensor;
    QList<KeyValue> rows;
    if (tensor.worstIndex) {
        rows.push_back({tr("worst element"), indexText(*tensor.worstIndex)});
        rows.push_back({tr("before, after"),
                        QStringLiteral("%1, %2").arg(text::value(tensor.worstBefore, 6),
                                                     text::value(tensor.worstAfter, 6))});
    }
    rows.push_back({tr("NaN, Inf"), tr("%1, %2 before; %3, %4 after")
                                        .arg(tensor.nanBefore)
                                        .arg(tensor.infBefore)
                                        .arg(tensor.nanAfter)
                                        .arg(tensor.infAfter)});
    values->setRows(rows);
    layout->addWidget(values);
}

QString CauseFound::sentence() const
{
    return m_sentence->text();
}

} // namespace fusescope
