#include "ui/panels/why_parts.h"

#include "ui/app_state.h"
#include "ui/panels/verdict_strip.h"
#include "ui/text.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace fusescope {

namespace {

constexpr int signColumn = space::section + 22;

} // namespace

LetterBadge::LetterBadge(QChar letter, QWidget* parent) : QWidget(parent), m_letter(letter)
{
    setFixedSize(18, 18);
    setAccessibleName(letter);
}

void LetterBadge::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().color(Token::accent));
    painter.drawEllipse(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    painter.setPen(theme().color(Token::onAccent));
    painter.setFont(theme().font(TextScale::badge, true));
    painter.drawText(rect(), Qt::AlignCenter, m_letter);
}

ConditionLine::ConditionLine(bool holds, const QString& sentence, const QString& saw,
                             QWidget* parent)
    : QWidget(parent), m_holds(holds)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(signColumn, 1, space::section, 1);
    layout->setSpacing(0);
    layout->addWidget(new PlainLabel(sentence, Token::text, TextScale::normal, !holds, this));
    if (!saw.isEmpty()) {
        auto* seen = new PlainLabel(tr("saw: %1").arg(saw), holds ? Token::text2 : Token::blocked,
                                    TextScale::small, !holds, this);
        seen->setMono(true);
        layout->addWidget(seen);
    }
    setAccessibleName(holds ? tr("holds: %1").arg(sentence) : tr("fails: %1").arg(sentence));
    setAccessibleDescription(saw);
}

void ConditionLine::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintMark(painter, QRectF(space::section, 3, 14, 14),
              m_holds ? Mark::tick : Mark::failedCondition);
}

QList<ConditionText> conditionsToTell(const AppState& state,
                                    const std::vector<ConditionRecord>& conditions,
                                    const Graph& graph)
{
    QList<ConditionText> texts;
    for (const ConditionRecord& one : conditions) {
        ConditionText text{one.holds, state.sentence(Message(one.name), &graph),
                           one.saw ? state.sentence(one.saw, &graph) : QString()};
        if (!texts.contains(text))
            texts << text;
    }
    std::stable_partition(texts.begin(), texts.end(),
                          [](const ConditionText& one) { return !one.holds; });
    return texts;
}

QList<ConditionText> conditionsToTell(const AppState& state, const MissReason& miss,
                                    const Graph& graph)
{
    QList<ConditionText> texts;
    for (const Reason& reason : miss.reasons) {
        const QString message = state.sentence(reason.message, &graph);
        const ConditionText text = reason.headline
                                       ? ConditionText{false, state.sentence(reason.headline, &graph), message}
                                       : ConditionText{false, message, QString()};
        if (!texts.contains(text))
            texts << text;
    }
    return texts;
}

PlainLabel* paddedLabel(const QString& text, Token token, QWidget* parent, bool bold)
{
    auto* label = new PlainLabel(text, token, TextScale::normal, bold, parent);
    label->setContentsMargins(space::section, 0, space::section, 0);
    return label;
}

QWidget* verdictBox(Mark mark, Tone tone, const QString& headline, const QString& sentence,
                    QWidget* parent)
{
    auto* box = new VerdictStrip(parent);
    auto* first = new PlainLabel(headline, Token::text, TextScale::verdict, true, box);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(signColumn, space::cell, space::section, space::cell);
    layout->setSpacing(2);
    layout->addWidget(first);
    if (!sentence.isEmpty())
        layout->addWidget(new PlainLabel(sentence, Token::text, TextScale::normal, false, box));
    box->setMarkBeside(first);
    box->setVerdict(mark, tone, headline);
    box->setAccessibleDescription(sentence);
    return box;
}

QWidget* ruleLine(const QString& name, const QString& id, QWidget* parent)
{
    auto* row = new QWidget(parent);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(space::section, space::glyph, space::section, 0);
    auto* title = new PlainLabel(name, Token::text, TextScale::normal, true, row);
    title->setWordWrap(false);
    layout->addWidget(title);
    auto* code = new PlainLabel(id, Token::text2, TextScale::small, false, row);
    code->setMono(true);
    layout->addWidget(code, 1);
    return row;
}

} // namespace fusescope
