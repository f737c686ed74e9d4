#pragma once

#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;
class QToolButton;

namespace fusescope {

// What runs, in the status bar: nothing for 150 ms, then words and Cancel, a bar after 1 s.
class StatusProgress final : public QWidget
{
    Q_OBJECT

public:
    static constexpr int wordsAfter = 150;
    static constexpr int barAfter = 1000;

    explicit StatusProgress(QWidget* parent = nullptr);

    // A new job takes the place of the old one; the clock starts anew only if none was running.
    void begin(const QString& text, bool cancellable = true);
    void setText(const QString& text);
    // Fraction of 0 to 1; below 0 the end is not known.
    void setFraction(double fraction);
    void end();

    bool running() const { return m_running; }

Q_SIGNALS:
    void cancelRequested();

private:
    QLabel* m_text;
    QProgressBar* m_bar;
    QToolButton* m_cancel;
    QTimer m_words;
    QTimer m_late;
    bool m_running = false;
};

} // namespace fusescope
