#pragma once

#include "session/timeline.h"

#include <QPointer>
#include <QWidget>

#include <set>

class QPushButton;

namespace fusescope {

class AppState;
class LinkLabel;
class PlainLabel;

// What can happen to a node.
enum class Outcome { fused, folded, removed, inlined, blocked };

// What a guess about the next step is about.
struct Question
{
    NodeId node; // none: the step is about no node
    std::set<Outcome> right;
    int blocked = -1; // the row of Timeline::blocked that answers; -1: the step does
    bool operator==(const Question&) const = default;
};

// Predict: asks what will become of a node before the step is shown, then says whether the guess
// was right. Where a candidate is refused for good at the next step, it is asked about as well.
class PredictBox final : public QWidget
{
    Q_OBJECT

public:
    explicit PredictBox(AppState& state, QWidget* parent = nullptr);

    // Whether a guess about the next step is still owed; a fix hides nothing.
    bool owesGuess() const { return !m_questions.empty(); }
    const std::vector<Question>& questions() const { return m_questions; }
    void guess(Outcome outcome);
    QString verdict() const; // on the last guess: "Right. …", "Not this time: …"
    int asked() const { return m_asked; }
    int right() const { return m_right; }
    // Puts the keyboard on the choices; the widget that had it gets it back after the guess.
    void ask();

Q_SIGNALS:
    // All guesses about the next step are made, or given up.
    void answered();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    void askNext();
    void tell(const Question& question, bool gaveUp, bool right);
    QString truthOf(const Question& question) const;

    AppState& m_state;
    PlainLabel* m_verdict;
    PlainLabel* m_question;
    QWidget* m_choices;
    LinkLabel* m_giveUp;
    std::vector<std::pair<Outcome, QPushButton*>> m_buttons;
    std::vector<Question> m_questions; // not yet answered, the front is asked
    QPointer<QWidget> m_focus;
    int m_step = -1;      // the step asked about
    int m_generation = -1;
    int m_asked = 0;
    int m_right = 0;
};

// What may be guessed about step b + 1.
std::vector<Question> questionsAbout(const Timeline& timeline, int b);

} // namespace fusescope
