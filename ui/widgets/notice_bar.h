#pragma once

#include <QList>
#include <QWidget>

class QLabel;
class QHBoxLayout;
class QPushButton;
class QToolButton;

namespace fusescope {

enum class NoticeLevel { info, success, warning, error };

struct NoticeAction
{
    QString id;
    QString text;
};

struct Notice
{
    QString id; // a notice with the id of another takes its place
    NoticeLevel level = NoticeLevel::info;
    QString text; // plain
    QList<NoticeAction> actions;
};

// One bar above the graph. It shows the worst notice, of equal ones the newest, and says how many
// more there are. It stays until closed or withdrawn; screen readers are told.
class NoticeBar final : public QWidget
{
    Q_OBJECT

public:
    explicit NoticeBar(QWidget* parent = nullptr);

    void post(const Notice& notice);
    void withdraw(const QString& id);
    void clear();

    int count() const { return static_cast<int>(m_notices.size()); }
    // The notice on show; only while count() > 0.
    const Notice& shown() const;

Q_SIGNALS:
    void actionTriggered(const QString& notice, const QString& action);
    // "2 more" was pressed.
    void moreRequested();
    void closed(const QString& notice);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    void restyle();

    QList<Notice> m_notices;
    QLabel* m_sign;
    QLabel* m_text;
    QWidget* m_actions;
    QToolButton* m_more;
    QToolButton* m_close;
    QString m_announced;
};

} // namespace fusescope
