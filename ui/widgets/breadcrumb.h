#pragma once

#include <QList>
#include <QStringList>
#include <QWidget>

class QToolButton;

namespace fusescope {

// Where the graph stands: file, scopes, bodies. Each part is a button; where they do not fit, parts
// go into a menu behind "…" from the left. The last part is bold and never goes.
class Breadcrumb final : public QWidget
{
    Q_OBJECT

public:
    explicit Breadcrumb(QWidget* parent = nullptr);

    void setParts(const QStringList& parts);
    const QStringList& parts() const { return m_parts; }
    // How many parts are behind "…".
    int hidden() const { return m_hidden; }
    QToolButton* button(int part) const { return m_buttons.value(part); }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void partClicked(int part);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void arrange();
    int separatorWidth() const;

    QStringList m_parts;
    QList<QToolButton*> m_buttons;
    QToolButton* m_home;
    QToolButton* m_rest;
    QList<int> m_separators;
    int m_hidden = 0;
    int m_wholeWidth = 120; // of all parts uncut
};

} // namespace fusescope
