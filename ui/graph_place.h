#pragma once

#if __has_include("ui/graph/graph_area.h")
#include "ui/graph/graph_area.h"
#else

#include "ui/actions.h"
#include "ui/app_state.h"

#include <QVBoxLayout>
#include <QWidget>

namespace fusescope {

// The centre of the window without a drawing: the notices alone.
class GraphArea final : public QWidget
{
public:
    GraphArea(AppState&, Actions& actions, QWidget* parent = nullptr) : QWidget(parent)
    {
        setFocusPolicy(Qt::StrongFocus);
        actions.addTo(this, KeyScope::graph);
        actions.addTo(this, KeyScope::graphAndSteps);
        m_layout = new QVBoxLayout(this);
        m_layout->addStretch(1);
    }
    void setNoticeBar(QWidget* bar) { m_layout->insertWidget(0, bar); }
    double zoom() const { return 1; }
    void setZoom(double) {}

private:
    QVBoxLayout* m_layout;
};

} // namespace fusescope

#endif
