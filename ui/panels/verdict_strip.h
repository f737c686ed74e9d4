#pragma once

#include "ui/theme/badges.h"

#include <QWidget>

namespace fusescope {

// The ground of a verdict: the fill of its tone, with its sign left of a line.
class VerdictStrip final : public QWidget
{
    Q_OBJECT

public:
    explicit VerdictStrip(QWidget* parent = nullptr);

    void setMarkBeside(QWidget* line) { m_line = line; }
    void setVerdict(Mark mark, Tone tone, const QString& headline);
    Tone tone() const { return m_tone; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QWidget* m_line = nullptr;
    Mark m_mark = Mark::none;
    Tone m_tone = Tone::neutral;
};

} // namespace fusescope
