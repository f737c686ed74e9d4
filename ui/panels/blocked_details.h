#pragma once

#include "ui/app_state.h"

#include <QScrollArea>

class QGridLayout;
class QLabel;
class QToolButton;
class QVBoxLayout;

namespace fusescope {

class Actions;
struct ConditionText;

// One refused candidate in full: headline and code, the sentence, what would unblock it, every
// condition with what it saw, and the fixes.
class BlockedDetails final : public QWidget
{
    Q_OBJECT

public:
    BlockedDetails(AppState& state, Actions& actions, QWidget* parent = nullptr);

    void show(const Blocked& row);
    // The conditions as they are shown, failed ones first: "✗ name saw".
    QStringList conditionTexts() const { return m_conditionTexts; }

Q_SIGNALS:
    void closeRequested();
    void helpRequested(const QString& code);

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void fillHead(const Blocked& row);
    void fillFixes(const Blocked& row);
    void askConditions(const Blocked& row);
    void showConditions(const QList<ConditionText>& conditions);
    void restyle();

    AppState& m_state;
    Actions& m_actions;
    QWidget* m_head;
    QLabel* m_sign;
    QLabel* m_headline;
    QLabel* m_code;
    QLabel* m_sentences;
    QLabel* m_unblockTitle;
    QLabel* m_unblock;
    QScrollArea* m_scroll;
    QVBoxLayout* m_content;
    QWidget* m_conditions = nullptr;
    QWidget* m_fixes;
    QVBoxLayout* m_fixLayout;
    QStringList m_conditionTexts;
    ReasonKind m_kind = ReasonKind::legality; // of the row that is shown
    QString m_codeText;
};

} // namespace fusescope
