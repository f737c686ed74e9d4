#include "ui/widgets/formula.h"

#include <algorithm>

#include <QClipboard>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>

#include "ui/text.h"
#include "ui/theme/badges.h"

namespace fusescope {

namespace {

using Kind = Expression::Kind;

constexpr qreal smaller = 0.72;
constexpr qreal barPad = 5; // a fraction bar reaches this far past its parts

QFont scaledFont(QFont font, qreal factor)
{
    if (font.pixelSize() > 0)
        font.setPixelSize(std::max(1, qRound(font.pixelSize() * factor)));
    else
        font.setPointSizeF(font.pointSizeF() * factor);
    return font;
}

QFont nodeFont(QFont font, const Expression::Node& node)
{
    font.setWeight(node.bold ? QFont::DemiBold : QFont::Normal);
    return font;
}

// Where signs of a line have their middle, above the base line.
qreal axis(const QFontMetricsF& metrics)
{
    return metrics.xHeight() * 0.55;
}

qreal ruleWidth(const QFontMetricsF& metrics)
{
    return std::max<qreal>(1, metrics.height() / 16);
}

qreal rootWidth(const QFontMetricsF& metrics)
{
    return metrics.height() * 0.5;
}

FormulaSize measure(const Expression& formula, const QFont& font);
void draw(QPainter& painter, const QPointF& at, const Expression& formula, const QFont& font);

struct FractionPlaces
{
    FormulaSize above, below, whole;
    qreal bar = 0;       // above the base line
    qreal aboveBase = 0; // base line of the upper part, above ours
    qreal belowBase = 0; // base line of the lower part, below ours
};

FractionPlaces fractionPlaces(const Expression::Node& node, const QFont& font)
{
    const QFontMetricsF metrics(font);
    FractionPlaces places;
    places.above = measure(node.parts[0], font);
    places.below = measure(node.parts[1], font);
    places.bar = axis(metrics);
    const qreal gap = std::max<qreal>(2, metrics.height() * 0.08);
    places.aboveBase = places.bar + gap + places.above.descent;
    places.belowBase = gap + places.below.ascent - places.bar;
    places.whole.width = std::max(places.above.width, places.below.width) + 2 * barPad + 4;
    places.whole.ascent = places.aboveBase + places.above.ascent;
    places.whole.descent = places.belowBase + places.below.descent;
    return places;
}

FormulaSize measure(const Expression& formula, const QFont& font)
{
    FormulaSize size;
    const Expression::Node* node = formula.node();
    if (!node)
        return size;
    const QFontMetricsF metrics(font);
    switch (node->kind) {
    case Kind::text: {
        const QFontMetricsF own(nodeFont(font, *node));
        // Tight above, so that bars sit close to what they cover.
        return {own.horizontalAdvance(node->text), own.capHeight() + own.height() * 0.1,
                own.descent() * 0.8};
    }
    case Kind::row:
        for (const Expression& part : node->parts) {
            const FormulaSize one = measure(part, font);
            size.width += one.width;
            size.ascent = std::max(size.ascent, one.ascent);
            size.descent = std::max(size.descent, one.descent);
        }
        return size;
    case Kind::fraction:
        return fractionPlaces(*node, font).whole;
    case Kind::root: {
        const FormulaSize inside = measure(node->parts[0], font);
        return {inside.width + rootWidth(metrics) + 3, inside.ascent + 3 + ruleWidth(metrics),
                inside.descent};
    }
    case Kind::superscript:
    case Kind::subscript: {
        const FormulaSize base = measure(node->parts[0], font);
        const FormulaSize small = measure(node->parts[1], scaledFont(font, smaller));
        const bool up = node->kind == Kind::superscript;
        const qreal shift = up ? base.ascent - small.ascent * 0.5 : metrics.descent() * 0.6;
        size.width = base.width + small.width + 1;
        size.ascent = std::max(base.ascent, up ? shift + small.ascent : small.ascent - shift);
        size.descent = std::max(base.descent, up ? small.descent - shift : small.descent + shift);
        return size;
    }
    }
    return size;
}

void drawRoot(QPainter& painter, const QPointF& at, const Expression::Node& node, const QFont& font)
{
    const QFontMetricsF metrics(font);
    const FormulaSize inside = measure(node.parts[0], font);
    const qreal sign = rootWidth(metrics);
    const qreal top = at.y() - inside.ascent - 2;
    const qreal bottom = at.y() + inside.descent * 0.8;
    const qreal middle = bottom - (bottom - top) * 0.45;
    painter.setPen(QPen(theme().color(Token::text), ruleWidth(metrics), Qt::SolidLine, Qt::FlatCap,
                        Qt::MiterJoin));
    painter.setBrush(Qt::NoBrush);
    QPainterPath path(QPointF(at.x() + 1, middle + 1.5));
    path.lineTo(at.x() + sign * 0.25, middle);
    path.lineTo(at.x() + sign * 0.55, bottom);
    path.lineTo(at.x() + sign, top);
    path.lineTo(at.x() + sign + inside.width + 3, top);
    painter.drawPath(path);
    draw(painter, at + QPointF(sign + 1, 0), node.parts[0], font);
}

void draw(QPainter& painter, const QPointF& at, const Expression& formula, const QFont& font)
{
    const Expression::Node* node = formula.node();
    if (!node)
        return;
    const QFontMetricsF metrics(font);
    switch (node->kind) {
    case Kind::text:
        painter.setFont(nodeFont(font, *node));
        painter.setPen(theme().color(node->token));
        painter.drawText(at, node->text);
        return;
    case Kind::row: {
        qreal x = at.x();
        for (const Expression& part : node->parts) {
            draw(painter, QPointF(x, at.y()), part, font);
            x += measure(part, font).width;
        }
        return;
    }
    case Kind::fraction: {
        const FractionPlaces places = fractionPlaces(*node, font);
        const qreal width = places.whole.width;
        painter.setPen(QPen(theme().color(Token::text), ruleWidth(metrics)));
        const qreal bar = at.y() - places.bar;
        painter.drawLine(QPointF(at.x() + 2, bar), QPointF(at.x() + width - 2, bar));
        draw(painter, QPointF(at.x() + (width - places.above.width) / 2, at.y() - places.aboveBase),
             node->parts[0], font);
        draw(painter, QPointF(at.x() + (width - places.below.width) / 2, at.y() + places.belowBase),
             node->parts[1], font);
        return;
    }
    case Kind::root:
        drawRoot(painter, at, *node, font);
        return;
    case Kind::superscript:
    case Kind::subscript: {
        const FormulaSize base = measure(node->parts[0], font);
        const QFont tiny = scaledFont(font, smaller);
        const FormulaSize small = measure(node->parts[1], tiny);
        const qreal shift = node->kind == Kind::superscript ? base.ascent - small.ascent * 0.5
                                                            : -metrics.descent() * 0.6;
        draw(painter, at, node->parts[0], font);
        draw(painter, at + QPointF(base.width + 1, -shift), node->parts[1], tiny);
        return;
    }
    }
}

bool isLong(const Expression& part)
{
    return part.node() && part.node()->kind == Kind::row && part.node()->parts.size() > 1;
}

QString grouped(const Expression& part)
{
    return isLong(part) ? QStringLiteral("(%1)").arg(part.plain()) : part.plain();
}

} // namespace

Expression Expression::leaf(const QString& text, Token token, bool bold)
{
    Expression made;
    made.m_node = std::make_shared<const Node>(
        Node{Kind::text, text::oneLine(text.left(200)), token, bold, {}});
    return made;
}

Expression Expression::inner(Kind kind, std::vector<Expression> parts)
{
    Expression made;
    made.m_node =
        std::make_shared<const Node>(Node{kind, {}, Token::text, false, std::move(parts)});
    return made;
}

Expression Expression::text(const QString& text)
{
    return leaf(text, Token::text, false);
}

Expression Expression::strong(const QString& text)
{
    return leaf(text, Token::text, true);
}

Expression Expression::result(const QString& text)
{
    return leaf(text, Token::accent, true);
}

Expression Expression::secondary(const QString& text)
{
    return leaf(text, Token::text2, false);
}

Expression Expression::row(std::vector<Expression> parts)
{
    return inner(Kind::row, std::move(parts));
}

Expression Expression::fraction(Expression above, Expression below)
{
    return inner(Kind::fraction, {std::move(above), std::move(below)});
}

Expression Expression::squareRoot(Expression inside)
{
    return inner(Kind::root, {std::move(inside)});
}

Expression Expression::sup(Expression base, Expression raised)
{
    return inner(Kind::superscript, {std::move(base), std::move(raised)});
}

Expression Expression::sub(Expression base, Expression lowered)
{
    return inner(Kind::subscript, {std::move(base), std::move(lowered)});
}

QString Expression::plain() const
{
    if (!m_node)
        return {};
    switch (m_node->kind) {
    case Kind::text:
        return m_node->text;
    case Kind::row: {
        QString all;
        for (const Expression& part : m_node->parts)
            all += part.plain();
        return all;
    }
    case Kind::fraction:
        return QStringLiteral("%1 / %2").arg(grouped(m_node->parts[0]), grouped(m_node->parts[1]));
    case Kind::root:
        return QStringLiteral("√%1").arg(grouped(m_node->parts[0]));
    case Kind::superscript:
        return QStringLiteral("%1^%2").arg(grouped(m_node->parts[0]), grouped(m_node->parts[1]));
    case Kind::subscript:
        return QStringLiteral("%1_%2").arg(grouped(m_node->parts[0]), grouped(m_node->parts[1]));
    }
    return {};
}

FormulaSize measureFormula(const Expression& formula, const QFont& font)
{
    return measure(formula, font);
}

void paintFormula(QPainter& painter, const QPointF& origin, const Expression& formula,
                  const QFont& font)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    draw(painter, origin, formula, font);
    painter.restore();
}

Formula::Formula(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::ClickFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&theme(), &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void Formula::setExpression(const Expression& expression)
{
    m_expression = expression;
    setAccessibleName(expression.plain());
    setToolTip(text::toolTip(expression.plain()));
    updateGeometry();
    update();
}

void Formula::setScale(TextScale scale)
{
    m_scale = scale;
    updateGeometry();
    update();
}

QSize Formula::sizeHint() const
{
    const FormulaSize size = measure(m_expression, formulaFont());
    return {qCeil(size.width) + 6, qCeil(size.ascent + size.descent) + 6};
}

void Formula::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const FormulaSize size = measure(m_expression, formulaFont());
    // Where the dock is narrow it is drawn smaller rather than cut.
    const qreal fit = std::clamp((width() - 6) / std::max<qreal>(1, size.width), 0.5, 1.0);
    painter.save();
    painter.translate(3, (height() + (size.ascent - size.descent) * fit) / 2);
    painter.scale(fit, fit);
    paintFormula(painter, {}, m_expression, formulaFont());
    painter.restore();
    if (hasFocus())
        paintFocus(painter, rect());
}

void Formula::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy)) {
        QGuiApplication::clipboard()->setText(m_expression.plain());
        event->accept();
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace fusescope
