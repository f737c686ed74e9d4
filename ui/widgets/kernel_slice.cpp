#include "ui/widgets/kernel_slice.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QPainter>

#include "ui/text.h"

namespace fusescope {

namespace {

constexpr int mostCells = 7;
constexpr qreal gap = 1;
constexpr qreal between = 14;

QString cellText(double value)
{
    if (!std::isfinite(value) || std::abs(value) >= 1000)
        return text::value(value, 3);
    QString words = QString::number(std::abs(value), 'f', 3);
    return value < 0 ? QChar(0x2212) + words : words;
}

bool wellFormed(const KernelSlice::Matrix& matrix)
{
    return matrix.rows >= 0 && matrix.columns >= 0 &&
           matrix.values.size() == qsizetype(matrix.rows) * matrix.columns;
}

} // namespace

KernelSlice::KernelSlice(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&theme(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void KernelSlice::setMatrices(const Matrix& before, const QString& step, const Matrix& after)
{
    m_before = wellFormed(before) ? before : Matrix{};
    m_after = wellFormed(after) ? after : Matrix{};
    m_step = step;
    m_most = 0;
    QString words;
    for (const Matrix* matrix : {&m_before, &m_after}) {
        words += matrix->title + u':';
        for (const double value : matrix->values) {
            if (std::isfinite(value))
                m_most = std::max(m_most, std::abs(value));
            if (words.size() < 1000)
                words += u' ' + cellText(value);
        }
        words += QStringLiteral(". ");
    }
    setAccessibleName(words);
    updateGeometry();
    update();
}

QColor KernelSlice::cellColor(double value, double most)
{
    const Theme& t = theme();
    if (!std::isfinite(value))
        return t.color(Token::removed);
    if (t.highContrast() || !(most > 0))
        return t.color(Token::base);
    const QColor to = t.color(value < 0 ? Category::conv : Category::activation);
    // Less in the dark, where a stronger mix would leave no ink that reads.
    const double strongest = t.dark() ? 0.5 : 0.6;
    return mix(t.color(Token::base), to, strongest * std::min(1.0, std::abs(value) / most));
}

QSizeF KernelSlice::cellSize() const
{
    const QFontMetricsF metrics(theme().monoFont());
    return {metrics.horizontalAdvance(QStringLiteral("−0.000")) + 8, metrics.height() + 3};
}

qreal KernelSlice::titleHeight() const
{
    return QFontMetricsF(theme().font(TextScale::small)).height() + 4;
}

QSizeF KernelSlice::matrixSize(const Matrix& matrix) const
{
    const QSizeF cell = cellSize();
    const qreal title =
        QFontMetricsF(theme().font(TextScale::small)).horizontalAdvance(matrix.title);
    return {std::max(title, std::min(matrix.columns, mostCells) * (cell.width() + gap)),
            titleHeight() + std::min(matrix.rows, mostCells) * (cell.height() + gap)};
}

QSize KernelSlice::sizeHint() const
{
    const QSizeF one = matrixSize(m_before);
    const QSizeF two = matrixSize(m_after);
    const qreal step = QFontMetricsF(theme().font(TextScale::normal, true))
                           .horizontalAdvance(m_step + QStringLiteral(" →"));
    return {qCeil(one.width() + two.width() + step + 2 * between) + 2,
            qCeil(std::max(one.height(), two.height())) + 2};
}

void KernelSlice::paintMatrix(QPainter& painter, const QPointF& at, const Matrix& matrix) const
{
    painter.setFont(theme().font(TextScale::small));
    painter.setPen(theme().color(Token::text2));
    painter.drawText(QRectF(at, QSizeF(width() - at.x(), titleHeight())),
                     Qt::AlignLeft | Qt::AlignTop | Qt::TextSingleLine,
                     text::oneLine(matrix.title));
    painter.setFont(theme().monoFont());
    const QSizeF cell = cellSize();
    for (int row = 0; row < std::min(matrix.rows, mostCells); ++row) {
        for (int column = 0; column < std::min(matrix.columns, mostCells); ++column) {
            const double value = matrix.values[qsizetype(row) * matrix.columns + column];
            const QRectF box(QPointF(at.x() + column * (cell.width() + gap),
                                     at.y() + titleHeight() + row * (cell.height() + gap)),
                             cell);
            const QColor fill = cellColor(value, m_most);
            painter.fillRect(box, fill);
            if (theme().highContrast()) {
                painter.setPen(theme().pen(Token::border));
                painter.drawRect(box);
            }
            painter.setPen(theme().readableOn(fill));
            painter.drawText(box.adjusted(2, 0, -4, 0), Qt::AlignRight | Qt::AlignVCenter,
                             cellText(value));
        }
    }
}

void KernelSlice::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paintMatrix(painter, QPointF(0, 0), m_before);
    const QSizeF one = matrixSize(m_before);
    painter.setFont(theme().font(TextScale::normal, true));
    painter.setPen(theme().color(Token::accent));
    const QString words = m_step + QStringLiteral(" →");
    const qreal step = QFontMetricsF(painter.font()).horizontalAdvance(words);
    painter.drawText(QRectF(one.width() + between, titleHeight(), step + 1,
                            one.height() - titleHeight()),
                     Qt::AlignCenter, words);
    paintMatrix(painter, QPointF(one.width() + 2 * between + step, 0), m_after);
}

} // namespace fusescope
