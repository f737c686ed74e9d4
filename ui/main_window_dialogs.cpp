#include "ui/main_window.h"

#include "ui/graph/graph_area.h"
#include "ui/panels/blocked_panel.h"
#include "ui/start/start_page.h"
#include "ui/widgets/filter_edit.h"

namespace fusescope {

void MainWindow::connectDialogs()
{
    connect((*m_actions)[Act::find], &QAction::triggered, this, [this] { showFind(); });
}

void MainWindow::showFind(const QString& text)
{
    if (!text.isEmpty())
        m_findBox->setText(text);
    m_findBox->setFocus();
    m_findBox->selectAll();
}

bool MainWindow::closeFind()
{
    return false;
}

} // namespace fusescope
