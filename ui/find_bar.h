#pragma once

#include "ui/app_state.h"
#include "ui/find_query.h"

#include <QTimer>
#include <QWidget>

#include <set>

class QLabel;
class QToolButton;

namespace fusescope {

class FilterEdit;
class LinkLabel;

// Finds nodes by name, operator, tensor or attribute, and chains of operators
// ("Conv>BatchNormalization>Relu") with near misses, in the model at B; says how many are at other
// steps only.
class FindBar final : public QWidget
{
    Q_OBJECT

public:
    explicit FindBar(AppState& state, QWidget* parent = nullptr);

    // Shows the bar and puts the cursor into it.
    void activate();
    void next();
    void previous();
    QString text() const;
    void setText(const QString& text); // searches at once
    void setRegex(bool on);
    // Hides the bar and takes the marks away.
    void dismiss();

    const Found& found() const { return m_found; }
    const std::vector<NodeId>& elsewhere() const { return m_elsewhere; }
    int current() const { return m_current; } // index into found().hits; −1 for none
    QString summary() const;

Q_SIGNALS:
    // What is to be marked, and the hit to show.
    // Esc or its button put it away: the keyboard belongs to the graph again.
    void closed();
    void hitsChanged(const std::set<fusescope::NodeId>& hits, fusescope::NodeId current);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void search();
    void findElsewhere(const FindQuery& query);
    void showHit(int index, bool jump);
    void refreshWords();
    void goElsewhere();

    AppState& m_state;
    FilterEdit* m_edit;
    QToolButton* m_regex;
    QLabel* m_words;
    LinkLabel* m_other;
    QTimer m_late;
    Found m_found;
    std::vector<NodeId> m_elsewhere;
    std::size_t m_nextElsewhere = 0;
    int m_current = -1;
    bool m_broken = false;
    bool m_jumping = false;
};

} // namespace fusescope
