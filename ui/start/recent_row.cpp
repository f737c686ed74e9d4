#include "ui/start/recent_row.h"

#include "ui/language.h"
#include "ui/text.h"
#include "ui/theme/badges.h"
#include "ui/theme/icons.h"

#include <QDir>
#include <QFileInfo>
#include <QKeySequence>
#include <QLocale>
#include <QPainter>
#include <QToolButton>

#include <utility>

namespace fusescope {

namespace {

Pill verdictOf(const RecentFile& file)
{
    if (!file.exists)
        return {RecentRow::tr("not found"), Tone::neutral, Mark::none, false};
    if (file.differs)
        return {RecentRow::tr("differs"), Tone::removed, Mark::none, false};
    if (file.blocked > 0)
        return {RecentRow::tr("%n blocked", nullptr, file.blocked), Tone::blocked, Mark::none, false};
    return {};
}

QString folderOf(const RecentFile& file)
{
    const QString folder = QFileInfo(file.path).absolutePath();
    const QString home = QDir::homePath();
    return folder == home || folder.startsWith(home + QLatin1Char('/'))
               ? QLatin1Char('~') + folder.mid(home.size())
               : folder;
}

QString sizeOf(const RecentFile& file)
{
    return file.bytes > 0 ? text::bytes(static_cast<quint64>(file.bytes)) : QString();
}

QString timeOf(const QDateTime& time)
{
    if (!time.isValid())
        return {};
    const qint64 days = time.date().daysTo(QDate::currentDate());
    if (days == 0)
        return RecentRow::tr("today %1").arg(time.time().toString(QStringLiteral("HH:mm")));
    if (days == 1)
        return RecentRow::tr("yesterday");
    return QLocale(spokenLanguage()).toString(time.date(), QStringLiteral("d MMM"));
}

} // namespace

RecentRow::RecentRow(RecentFile file, int number, QWidget* parent)
    : QAbstractButton(parent), m_file(std::move(file)), m_number(number)
{
    setAccessibleName(QFileInfo(m_file.path).fileName());
    setAccessibleDescription(verdictOf(m_file).text);
    QStringList rest{sizeOf(m_file), timeOf(m_file.opened)};
    rest.removeAll(QString());
    setToolTip(text::toolTip(rest.isEmpty() ? m_file.path
                                            : m_file.path + QLatin1Char('\n')
                                                  + rest.join(QStringLiteral(" · "))));
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&theme(), &Theme::changed, this, qOverload<>(&QWidget::update));
    if (m_file.exists)
        return;
    m_remove = new QToolButton(this);
    m_remove->setText(tr("Remove"));
    m_remove->setToolTip(tr("Remove from this list"));
    m_remove->setAccessibleName(tr("Remove %1 from this list").arg(accessibleName()));
    connect(m_remove, &QToolButton::clicked, this, [this] { Q_EMIT removeRequested(m_file.path); });
}

QSize RecentRow::sizeHint() const
{
    return {300, 2 * QFontMetrics(theme().font()).lineSpacing() + space::control};
}

QString RecentRow::details(int width) const
{
    const QFontMetrics metrics(theme().font(TextScale::small));
    const QString folder = folderOf(m_file);
    QStringList rest{sizeOf(m_file), timeOf(m_file.opened)};
    rest.removeAll(QString());
    const auto ending = [&rest] {
        return rest.isEmpty() ? QString()
                              : QStringLiteral(" · ") + rest.join(QStringLiteral(" · "));
    };
    while (!rest.isEmpty() && metrics.horizontalAdvance(folder + ending()) > width)
        rest.removeLast();
    return text::elideMiddle(folder, metrics, width - metrics.horizontalAdvance(ending())) + ending();
}

void RecentRow::resizeEvent(QResizeEvent*)
{
    if (m_remove) {
        const QSize size = m_remove->sizeHint();
        m_remove->setGeometry(width() - size.width() - space::section, (height() - size.height()) / 2,
                              size.width(), size.height());
    }
}

void RecentRow::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (underMouse() || hasFocus()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme().color(Token::accentFill));
        painter.drawRoundedRect(rect(), radius::control, radius::control);
    }
    const QColor ink = theme().color(m_file.exists ? Token::text : Token::text3);
    paintIcon(painter, QRectF(12, (height() - 16) / 2.0, 16, 16), QStringLiteral("file"),
              theme().color(m_file.exists ? Token::text2 : Token::text3));
    qreal right = width() - space::section;
    if (m_remove) {
        right = m_remove->geometry().left() - space::control;
    } else if (m_number > 0) {
        const QString key =
            QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_0 + m_number)).toString(QKeySequence::NativeText);
        const QFont small = theme().font(TextScale::badge);
        const QFontMetricsF metrics(small);
        const QRectF box(right - metrics.horizontalAdvance(key) - 10, height() / 2.0 - 8,
                         metrics.horizontalAdvance(key) + 10, 16);
        painter.setPen(theme().pen(Token::border, 1));
        painter.setBrush(theme().color(Token::raised));
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius::tag, radius::tag);
        painter.setFont(small);
        painter.setPen(theme().color(Token::text2));
        painter.drawText(box, Qt::AlignCenter, key);
        right = box.left() - space::control;
    }
    const qreal left = 36;
    const QFont bold = theme().font(TextScale::normal, true);
    const QFontMetrics metrics(bold);
    const Pill verdict = verdictOf(m_file);
    const QFont pillFont = theme().font(TextScale::badge, true);
    const qreal pillWidth = verdict.text.isEmpty() ? 0 : pillSize(verdict, pillFont).width() + space::control;
    const QString name = text::elideMiddle(QFileInfo(m_file.path).fileName(), metrics,
                                           static_cast<int>(right - left - pillWidth));
    const qreal lineHeight = metrics.lineSpacing();
    const qreal top = (height() - 2 * lineHeight) / 2;
    painter.setFont(bold);
    painter.setPen(ink);
    painter.drawText(QRectF(left, top, right - left, lineHeight), Qt::AlignVCenter | Qt::TextSingleLine, name);
    if (!verdict.text.isEmpty())
        paintPill(painter,
                  QRectF(left + metrics.horizontalAdvance(name) + space::control, top, pillWidth, lineHeight),
                  verdict, pillFont);
    painter.setFont(theme().font(TextScale::small));
    painter.setPen(theme().color(m_file.exists ? Token::text2 : Token::text3));
    painter.drawText(QRectF(left, top + lineHeight, right - left, lineHeight),
                     Qt::AlignVCenter | Qt::TextSingleLine,
                     details(static_cast<int>(right - left)));
}

} // namespace fusescope
