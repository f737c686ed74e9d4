#pragma once

#include <QLineEdit>

namespace fusescope {

// An input with a funnel or glass, a clear button, and, while empty, the key that leads to it.
class FilterEdit final : public QLineEdit
{
    Q_OBJECT

public:
    // `icon` is a name of theme/icons; `keyHint` ("Ctrl+F") is drawn at the right while empty.
    explicit FilterEdit(const QString& placeholder, const QString& icon = QStringLiteral("filter"),
                        const QString& keyHint = {}, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    // Esc clears first; an empty field lets it go on.
    void keyPressEvent(QKeyEvent* event) override;

private:
    int hintWidth() const; // 0: not drawn

    QString m_placeholder;
    QString m_keyHint;
};

} // namespace fusescope
