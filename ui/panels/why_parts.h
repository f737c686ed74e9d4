#pragma once

#include "ui/panels/panel_parts.h"

namespace fusescope {

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

PlainLabel* paddedLabel(const QString& text, Token token, QWidget* parent, bool bold = false);
QWidget* verdictBox(Mark mark, Tone tone, const QString& headline, const QString& sentence,
                    QWidget* parent);
QWidget* ruleLine(const QString& name, const QString& id, QWidget* parent);

} // namespace fusescope
