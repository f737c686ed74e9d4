#pragma once

#include "ui/app_state.h"

#include <QTimer>
#include <QWidget>

#include <set>

class QLabel;
class QToolButton;

namespace fusescope {

class FilterEdit;

// Finds nodes by name, operator, tensor or attribute, and chains of operators
// ("Conv>BatchNormalization>Relu"), in the model at B; says what is at other steps only.
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
    void setText(const QString& text);
    // Hides the bar and takes the marks away.
    void dismiss();

Q_SIGNALS:
    // What is to be marked, and the hit to show.
    void hitsChanged(const std::set<fusescope::NodeId>& hits, fusescope::NodeId current);

private:
    AppState& m_state;
    FilterEdit* m_edit;
};

} // namespace fusescope
