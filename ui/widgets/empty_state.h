#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace fusescope {

// What an empty panel says about itself: sign, title, text and, where something can be done, a
// button.
class EmptyState final : public QWidget
{
    Q_OBJECT

public:
    explicit EmptyState(QWidget* parent = nullptr);

    // `icon` is a name of theme/icons; without `button` there is none.
    void setContent(const QString& icon, const QString& title, const QString& text,
                    const QString& button = {});

Q_SIGNALS:
    void buttonClicked();

private:
    void restyle();

    QString m_icon;
    QLabel* m_sign;
    QLabel* m_title;
    QLabel* m_text;
    QPushButton* m_button;
};

} // namespace fusescope
