#include "ui/panels/verdict_strip.h"

#include <QPainter>

namespace fusescope {

VerdictStrip::VerdictStrip(QWidget* parent) : QWidget(parent)
{
    connect(&theme(), &Theme::changed, this, [this] { update(); });
}

void VerdictStrip::setVerdict(Mark mark, Tone tone, const QString& headline)
{
    m_mark = mark;
    m_tone = tone;
    setAccessibleName(headline);
    update();
}

void VerdictStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), m_tone == Tone::neutral ? theme().color(Token::window)
                                                     : theme().fill(m_tone));
    if (m_line) {
        const qreal middle = m_line->geometry().center().y();
        paintMark(painter, QRectF(space::section, middle - 8, 16, 16), m_mark);
    }
}

} // namespace fusescope
