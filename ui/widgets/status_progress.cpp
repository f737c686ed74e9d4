#include "ui/widgets/status_progress.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

#include "ui/text.h"
#include "ui/theme/theme.h"

namespace fusescope {

StatusProgress::StatusProgress(QWidget* parent)
    : QWidget(parent), m_text(new QLabel(this)), m_bar(new QProgressBar(this)),
      m_cancel(new QToolButton(this))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(space::control, 0, space::control, 0);
    layout->setSpacing(space::control);
    m_text->setTextFormat(Qt::PlainText);
    m_bar->setFixedSize(120, 10);
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Progress"));
    m_cancel->setText(tr("Cancel"));
    m_cancel->setToolTip(tr("Cancel (Esc)"));
    m_cancel->setFocusPolicy(Qt::TabFocus);
    layout->addWidget(m_text);
    layout->addWidget(m_bar);
    layout->addWidget(m_cancel);
    m_words.setSingleShot(true);
    m_late.setSingleShot(true);
    connect(&m_words, &QTimer::timeout, this, &QWidget::show);
    connect(&m_late, &QTimer::timeout, m_bar, &QWidget::show);
    connect(m_cancel, &QToolButton::clicked, this, [this] {
        m_cancel->setEnabled(false);
        Q_EMIT cancelRequested();
    });
    m_bar->hide();
    hide();
}

void StatusProgress::begin(const QString& text, bool cancellable)
{
    setText(text);
    m_cancel->setVisible(cancellable);
    m_cancel->setEnabled(true);
    setFraction(-1);
    if (m_running)
        return;
    m_running = true;
    m_bar->hide();
    m_words.start(wordsAfter);
    m_late.start(barAfter);
}

void StatusProgress::setText(const QString& text)
{
    m_text->setText(text::oneLine(text.left(300)));
    setAccessibleName(m_text->text());
}

void StatusProgress::setFraction(double fraction)
{
    if (!(fraction >= 0)) {
        m_bar->setRange(0, 0);
        return;
    }
    m_bar->setRange(0, 1000);
    m_bar->setValue(static_cast<int>(std::min(fraction, 1.0) * 1000));
}

void StatusProgress::end()
{
    m_running = false;
    m_words.stop();
    m_late.stop();
    m_bar->hide();
    hide();
}

} // namespace fusescope
