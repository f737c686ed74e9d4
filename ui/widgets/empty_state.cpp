#include "ui/widgets/empty_state.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/text.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace fusescope {

EmptyState::EmptyState(QWidget* parent)
    : QWidget(parent), m_sign(new QLabel(this)), m_title(new QLabel(this)),
      m_text(new QLabel(this)), m_button(new QPushButton(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::block, space::block, space::block, space::block);
    layout->setSpacing(space::cell);
    layout->addStretch(1);
    for (QLabel* label : {m_sign, m_title, m_text}) {
        label->setTextFormat(Qt::PlainText);
        label->setAlignment(Qt::AlignCenter);
        label->setWordWrap(label != m_sign);
        layout->addWidget(label);
    }
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_button, 0, Qt::AlignHCenter);
    layout->addStretch(1);
    m_button->hide();
    connect(m_button, &QPushButton::clicked, this, &EmptyState::buttonClicked);
    connect(&theme(), &Theme::changed, this, &EmptyState::restyle);
    restyle();
}

void EmptyState::setContent(const QString& iconName, const QString& title, const QString& text,
                            const QString& button)
{
    m_icon = iconName;
    m_title->setText(title);
    m_text->setText(text);
    m_button->setText(text::label(button));
    m_button->setAccessibleName(button);
    m_button->setVisible(!button.isEmpty());
    setAccessibleName(title);
    setAccessibleDescription(text);
    restyle();
}

void EmptyState::restyle()
{
    m_sign->setPixmap(icon(m_icon, Token::text3).pixmap(QSize(24, 24), devicePixelRatioF()));
    m_sign->setVisible(!m_icon.isEmpty());
    m_title->setFont(theme().font(TextScale::normal, true));
    QPalette palette = m_text->palette();
    palette.setColor(QPalette::WindowText, theme().color(Token::text2));
    m_text->setPalette(palette);
}

} // namespace fusescope
