#include "ui/widgets/key_values.h"

#include <QGridLayout>
#include <QPainter>

#include "ui/theme/icons.h"
#include "ui/widgets/labels.h"

namespace fusescope {

namespace {

class Pictogram final : public QWidget
{
public:
    Pictogram(Category category, QWidget* parent) : QWidget(parent), m_icon(icon(category))
    {
        setFixedSize(14, 14);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        m_icon.paint(&painter, rect());
    }

private:
    QIcon m_icon;
};

} // namespace

KeyValues::KeyValues(QWidget* parent) : QWidget(parent), m_layout(new QGridLayout(this))
{
    m_layout->setContentsMargins(space::section, 0, space::section, 0);
    m_layout->setHorizontalSpacing(space::section);
    m_layout->setVerticalSpacing(1);
    m_layout->setColumnStretch(2, 1);
}

QWidget* KeyValues::makeText(const QString& text, const QString& link, bool mono, Token token)
{
    if (!link.isEmpty()) {
        auto* label = new LinkLabel(text, mono, this);
        connect(label, &QAbstractButton::clicked, this,
                [this, link] { Q_EMIT linkActivated(link); });
        return label;
    }
    auto* label = new ElidedLabel(text, this);
    label->setLook(mono ? TextScale::small : TextScale::normal, false, mono);
    label->setToken(token);
    return label;
}

void KeyValues::setRows(const QList<KeyValue>& rows)
{
    m_rows = rows;
    while (QLayoutItem* item = m_layout->takeAt(0)) {
        if (item->widget()) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
    const int height = rowHeight(Row::dense, QFontMetrics(theme().font()));
    for (int row = 0; row < rows.size(); ++row) {
        const KeyValue& one = rows[row];
        if (one.category != Category::count)
            m_layout->addWidget(new Pictogram(one.category, this), row, 0);
        auto* key = new ElidedLabel(one.key, this);
        key->setLook(TextScale::normal, one.strongKey, false);
        key->setToken(one.strongKey || one.category != Category::count ? Token::text
                                                                       : Token::text2);
        m_layout->addWidget(key, row, 1);
        QWidget* value = makeText(one.value, one.link, one.mono, Token::text);
        m_layout->addWidget(value, row, 2);
        value->setAccessibleName(tr("%1: %2").arg(one.key, one.value.left(1000)));
        if (!one.aside.isEmpty()) {
            QWidget* aside =
                makeText(one.aside, one.asideLink, one.asideLink.isEmpty(), Token::text2);
            m_layout->addWidget(aside, row, 3, Qt::AlignRight);
        }
        m_layout->setRowMinimumHeight(row, height);
    }
    for (int row = static_cast<int>(rows.size()); row < m_layout->rowCount(); ++row)
        m_layout->setRowMinimumHeight(row, 0);
    updateGeometry();
}

} // namespace fusescope
