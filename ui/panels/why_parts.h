#pragma once

#include "report/reason.h"
#include "ui/panels/panel_parts.h"

namespace fusescope {

class AppState;
class Graph;

// A letter in a disc of the accent: which of the two nodes this is.
class LetterBadge final : public QWidget
{
    Q_OBJECT

public:
    LetterBadge(QChar letter, QWidget* parent);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QChar m_letter;
};

// One condition: whether it holds, its sentence, and what it saw.
class ConditionLine final : public QWidget
{
    Q_OBJECT

public:
    ConditionLine(bool holds, const QString& sentence, const QString& saw, QWidget* parent);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    bool m_holds;
};

// Conditions in the order in which they are told: what fails first, each once.
struct ConditionText
{
    bool holds;
    QString sentence, saw;
    bool operator==(const ConditionText&) const = default;
};
QList<ConditionText> conditionsToTell(const AppState& state,
                                    const std::vector<ConditionRecord>& conditions,
                                    const Graph& graph);
// What refused where no conditions were taken down one by one: the reasons.
QList<ConditionText> conditionsToTell(const AppState& state, const MissReason& miss,
                                    const Graph& graph);

PlainLabel* paddedLabel(const QString& text, Token token, QWidget* parent, bool bold = false);
QWidget* verdictBox(Mark mark, Tone tone, const QString& headline, const QString& sentence,
                    QWidget* parent);
QWidget* ruleLine(const QString& name, const QString& id, QWidget* parent);

} // namespace fusescope
