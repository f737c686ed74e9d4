#include "ui/graph/card_metrics.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <QFontMetricsF>

#include "ui/text.h"
#include "ui/theme/theme.h"

namespace fusescope {

namespace {

// Widths of strings, remembered: the same ones come again and again.
class Widths
{
public:
    explicit Widths(const QFont& font) : m_metrics(font) {}

    qreal of(const std::string& text)
    {
        if (text.empty())
            return 0;
        const auto [position, isNew] = m_known.try_emplace(text, 0);
        if (isNew) {
            // What is longer is cut anyway.
            position->second =
                m_metrics.horizontalAdvance(text::oneLine(fromUtf8(text.substr(0, 160))));
        }
        return position->second;
    }

private:
    QFontMetricsF m_metrics;
    std::unordered_map<std::string, qreal> m_known;
};

struct Measures
{
    explicit Measures(const CardFonts& fonts)
        : title(fonts.title), name(fonts.name), rows(fonts.rows), key(fonts.key)
    {
    }
    Widths title, name, rows, key;
};

} // namespace

QString fromUtf8(const std::string& text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

CardFonts CardFonts::current()
{
    return {theme().font(TextScale::normal, true), theme().monoFont(), theme().monoFont(),
            theme().monoFont(), theme().monoFont(TextScale::badge), theme().font(TextScale::badge)};
}

MeasureCard cardMeasure(const CardFonts& fonts)
{
    const auto measures = std::make_shared<std::unique_ptr<Measures>>();
    return [measures, fonts](const CardContent& content) {
        if (!*measures)
            *measures = std::make_unique<Measures>(fonts);
        Measures& m = **measures;
        const qreal key = m.key.of(content.key);
        qreal width = card::textX + m.title.of(content.title) + (key > 0 ? key + 14 : 0) + card::right;
        width = std::max(width, card::rowX + m.name.of(content.name) + card::right);
        for (const CardRow& row : content.rows)
            width = std::max(width, card::rowX + m.rows.of(row.label) + 16 + m.rows.of(row.text) +
                                        card::right);
        width = std::clamp(std::ceil(width / 8) * 8, card::leastWidth, card::mostWidth);
        const auto rows = static_cast<qreal>(content.rows.size() + (content.moreRows > 0 ? 1 : 0));
        qreal height = card::header + (content.name.empty() ? 0 : card::line) + rows * card::line;
        if (rows > 0)
            height += card::foot;
        return CardSize{width, height};
    };
}

} // namespace fusescope
