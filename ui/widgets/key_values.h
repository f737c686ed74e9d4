#pragma once

#include <QWidget>

#include "ui/theme/theme.h"

class QGridLayout;

namespace fusescope {

// One row of a list of properties.
struct KeyValue
{
    QString key;
    QString value;
    QString link = {};     // where the value leads; empty: plain text
    QString aside = {};    // at the right, mono, secondary ("N×128×28×28")
    QString asideLink = {};
    Category category = Category::count; // a pictogram before the key
    bool strongKey = false;
    bool mono = true;
};

// Rows of key, value and aside; values that lead somewhere are links.
class KeyValues final : public QWidget
{
    Q_OBJECT

public:
    explicit KeyValues(QWidget* parent = nullptr);

    void setRows(const QList<KeyValue>& rows);
    const QList<KeyValue>& rows() const { return m_rows; }

Q_SIGNALS:
    void linkActivated(const QString& link);

private:
    QWidget* makeText(const QString& text, const QString& link, bool mono, Token token);

    QGridLayout* m_layout;
    QList<KeyValue> m_rows;
};

} // namespace fusescope
