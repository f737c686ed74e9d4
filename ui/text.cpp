#include "ui/text.h"

#include <cmath>

#include <QStringList>
#include <QTextDocument>

namespace fusescope::text {

namespace {

constexpr QChar minus(0x2212);
constexpr QChar ellipsis(0x2026);

// Columns of a character: two for the scripts and pictures that are drawn wide.
int columnsOf(char32_t c)
{
    const bool wide = (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) ||
                      (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF) ||
                      (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
                      (c >= 0xFFE0 && c <= 0xFFE6) || (c >= 0x1F000 && c <= 0x3FFFD);
    return wide ? 2 : 1;
}

bool isHighSurrogateAt(const QString& text, qsizetype at)
{
    return text.at(at).isHighSurrogate() && at + 1 < text.size() &&
           text.at(at + 1).isLowSurrogate();
}

// How many QChars of `text` from `from` on fit in one line; breaks after a space where one stands
// in the second half, else anywhere but inside a surrogate pair.
qsizetype fitting(const QString& text, qsizetype from)
{
    int columns = 0;
    qsizetype lastSpace = -1;
    for (qsizetype at = from; at < text.size();) {
        const bool pair = isHighSurrogateAt(text, at);
        const char32_t c =
            pair ? QChar::surrogateToUcs4(text.at(at), text.at(at + 1)) : text.at(at).unicode();
        columns += columnsOf(c);
        if (columns > toolTipColumns) {
            if (text.at(at) == u' ')
                return at - from;
            return lastSpace > from + toolTipColumns / 2 ? lastSpace - from : at - from;
        }
        if (c == U' ')
            lastSpace = at + 1;
        at += pair ? 2 : 1;
    }
    return text.size() - from;
}

QStringList parts(const QString& name)
{
    return name.split(u'/', Qt::SkipEmptyParts);
}

QString plainNumber(double number, char format, int precision)
{
    QString text = QString::number(number, format, precision);
    text.replace(u'-', minus);
    return text;
}

// QString::number writes 1.9e-06; people write 1.9e-6.
QString shortExponent(QString text)
{
    const qsizetype at = text.indexOf(u'e');
    if (at < 0)
        return text;
    qsizetype digit = at + 2;
    while (digit + 1 < text.size() && text.at(digit) == u'0')
        text.remove(digit, 1);
    return text;
}

QString notFinite(double number)
{
    if (std::isnan(number))
        return QStringLiteral("NaN");
    return number > 0 ? QStringLiteral("Inf") : minus + QStringLiteral("Inf");
}

// Three significant digits, no trailing zeros.
QString threeDigits(double number)
{
    const int precision = number < 10 ? 2 : number < 100 ? 1 : 0;
    return QString::number(number, 'f', precision);
}

} // namespace

QString toolTip(const QString& plain)
{
    if (plain.isEmpty())
        return {};
    QStringList lines;
    bool cut = false;
    for (const QString& paragraph : plain.split(u'\n')) {
        const QString line = oneLine(paragraph);
        qsizetype from = 0;
        do {
            if (lines.size() == toolTipLines) {
                cut = true;
                break;
            }
            const qsizetype length = fitting(line, from);
            QString piece = line.mid(from, length);
            from += length;
            while (from < line.size() && line.at(from) == u' ')
                ++from;
            while (from < line.size() && piece.endsWith(u' '))
                piece.chop(1);
            lines.append(piece);
        } while (from < line.size());
        if (cut)
            break;
    }
    if (cut) {
        QString& last = lines.last();
        while (fitting(last + ellipsis, 0) <= last.size())
            last.chop(last.back().isLowSurrogate() ? 2 : 1);
        last += ellipsis;
    }
    return Qt::convertFromPlainText(lines.join(u'\n'), Qt::WhiteSpacePre);
}

QString label(const QString& plain)
{
    return oneLine(plain).replace(u'&', QLatin1String("&&"));
}

QString title(const QString& plain)
{
    return oneLine(plain).replace(QLatin1String("[*]"), QLatin1String("[*][*]"));
}

QString oneLine(const QString& plain)
{
    QString result;
    result.reserve(plain.size());
    for (qsizetype at = 0; at < plain.size(); ++at) {
        const QChar character = plain.at(at);
        const ushort code = character.unicode();
        if (isHighSurrogateAt(plain, at)) {
            result += character;
            result += plain.at(++at);
        } else if (code == u'\n') {
            result += QLatin1String("\\n");
        } else if (code == u'\r') {
            result += QLatin1String("\\r");
        } else if (code == u'\t') {
            result += QLatin1String("\\t");
        } else if (code < 0x20 || (code >= 0x7F && code < 0xA0) || character.isSurrogate() ||
                   code == 0x2028 || code == 0x2029 || code == 0x061C || code == 0x200E ||
                   code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
                   (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF || code == 0xFFFC) {
            result += QStringLiteral("\\u%1").arg(code, 4, 16, QChar(u'0'));
        } else {
            result += character;
        }
    }
    return result;
}

QString elideMiddle(const QString& plain, const QFontMetrics& metrics, int width)
{
    // What is far too long to fit is cut before it is measured.
    constexpr qsizetype half = 400;
    QString line = plain;
    if (line.size() > 2 * half + 1) {
        qsizetype left = half;
        if (line.at(left).isLowSurrogate())
            --left;
        qsizetype right = line.size() - half;
        if (line.at(right).isLowSurrogate())
            ++right;
        line = line.left(left) + ellipsis + line.mid(right);
    }
    return metrics.elidedText(oneLine(line), Qt::ElideMiddle, width);
}

QString relativeName(const QString& name, const QString& scope, const QString& op)
{
    QString rest = name;
    QString prefix = scope;
    while (prefix.endsWith(u'/'))
        prefix.chop(1);
    bool inside = true;
    if (!prefix.isEmpty()) {
        const QString stripped = prefix.startsWith(u'/') ? prefix.mid(1) : prefix;
        const QString start = rest.startsWith(u'/') ? QStringLiteral("/") + stripped : stripped;
        inside = rest.startsWith(start) && rest.size() > start.size() + 1 &&
                 (rest.at(start.size()) == u'/' || rest.at(start.size()) == u'.');
        if (inside)
            rest = rest.mid(start.size() + 1);
    } else if (rest.startsWith(u'/') && rest.size() > 1) {
        rest = rest.mid(1);
    }
    const QString tail = QStringLiteral("/") + op;
    if (!op.isEmpty() && rest.endsWith(tail) && rest.size() > tail.size())
        rest.chop(tail.size());
    return rest;
}

QString shortPath(const QString& name, const QString& op)
{
    QStringList all = parts(name);
    if (all.size() > 1 && all.last() == op)
        all.removeLast();
    QStringList kept;
    for (qsizetype i = 0; i < all.size(); ++i) {
        const bool repeated = i + 1 < all.size() && all.at(i + 1).startsWith(all.at(i) + u'.');
        if (!repeated)
            kept.append(all.at(i));
    }
    return kept.isEmpty() ? name : kept.join(u'/');
}

QString count(qint64 number)
{
    const bool negative = number < 0;
    QString digits =
        QString::number(negative ? 0 - static_cast<quint64>(number) : static_cast<quint64>(number));
    for (qsizetype at = digits.size() - 3; at > 0; at -= 3)
        digits.insert(at, u',');
    return negative ? minus + digits : digits;
}

QString signedCount(qint64 number)
{
    return number > 0 ? u'+' + count(number) : count(number);
}

QString bytes(quint64 number)
{
    if (number < 1000)
        return QStringLiteral("%1 B").arg(number);
    constexpr const char* units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
    double size = static_cast<double>(number) / 1000;
    std::size_t unit = 0;
    while (size >= 999.5 && unit + 1 < std::size(units)) {
        size /= 1000;
        ++unit;
    }
    return threeDigits(size) + u' ' + QLatin1String(units[unit]);
}

QString scaled(double number)
{
    if (!std::isfinite(number))
        return notFinite(number);
    const double size = std::abs(number);
    if (size < 1000)
        return plainNumber(number, 'g', 3);
    constexpr const char* units[] = {"k", "M", "G", "T", "P", "E"};
    double left = size / 1000;
    std::size_t unit = 0;
    while (left >= 999.5 && unit + 1 < std::size(units)) {
        left /= 1000;
        ++unit;
    }
    const QString text = threeDigits(left) + u' ' + QLatin1String(units[unit]);
    return number < 0 ? minus + text : text;
}

QString scientific(double number, int digits)
{
    if (!std::isfinite(number))
        return notFinite(number);
    if (number == 0)
        return QStringLiteral("0");
    const QString text = shortExponent(QString::number(std::abs(number), 'e', digits - 1));
    return number < 0 ? minus + text : text;
}

QString value(double number, int digits)
{
    if (!std::isfinite(number))
        return notFinite(number);
    const QString text = shortExponent(QString::number(std::abs(number), 'g', digits));
    return number < 0 ? minus + text : text;
}

QString milliseconds(double number)
{
    if (!std::isfinite(number))
        return notFinite(number);
    if (number >= 60000)
        return QStringLiteral("%1 min").arg(number / 60000, 0, 'f', 1);
    if (number >= 999.5)
        return QStringLiteral("%1 s").arg(number / 1000, 0, 'f', 1);
    if (number >= 0.01 || number <= 0)
        return QStringLiteral("%1 ms").arg(number, 0, 'f',
                                           number >= 100  ? 0
                                           : number >= 10 ? 1
                                                          : 2);
    return QStringLiteral("%1 µs").arg(number * 1000, 0, 'f', 1);
}

QString ratio(double number)
{
    if (!std::isfinite(number))
        return notFinite(number);
    const int precision = number < 2 ? 2 : number < 10 ? 1 : 0;
    return QString::number(number, 'f', precision) + QChar(0x00D7);
}

QString percentChange(double before, double after)
{
    if (before == after)
        return QStringLiteral("0 %");
    const double percent = (after - before) / before * 100;
    if (!std::isfinite(percent))
        return notFinite(percent);
    const double size = std::abs(percent);
    const QString digits =
        size < 0.05 ? QStringLiteral("< 0.1") : QString::number(size, 'f', size < 10 ? 1 : 0);
    return (percent > 0 ? QChar(u'+') : minus) + digits + QStringLiteral(" %");
}

} // namespace fusescope::text
