#pragma once

#include <QAbstractButton>
#include <QWidget>

#include "ui/theme/theme.h"

namespace fusescope {

// One line of plain text that is cut in the middle where it does not fit; the whole text is then
// its tool tip. Copied with Ctrl+C while focused.
class ElidedLabel final : public QWidget
{
    Q_OBJECT

public:
    explicit ElidedLabel(const QString& text = {}, QWidget* parent = nullptr);

    QString text() const { return m_text; }
    void setText(const QString& text);
    void setToken(Token token);
    void setLook(TextScale scale, bool bold, bool mono);
    void setAlignment(Qt::Alignment alignment);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    QFont lookFont() const;

    QString m_text;
    Token m_token = Token::text;
    TextScale m_scale = TextScale::normal;
    Qt::Alignment m_alignment = Qt::AlignLeft;
    bool m_bold = false;
    bool m_mono = false;
};

// A name that jumps.
class LinkLabel final : public QAbstractButton
{
    Q_OBJECT

public:
    explicit LinkLabel(const QString& text = {}, bool mono = true, QWidget* parent = nullptr);

    // The text is a model's, so & stands for itself.
    void setLinkText(const QString& text);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QFont linkFont() const;

    QString m_text;
    bool m_mono;
};

} // namespace fusescope
