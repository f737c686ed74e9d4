#pragma once

#include "ui/actions.h"
#include "ui/open_model.h"

#include <QTemporaryDir>

#include <memory>

class QWidget;

namespace fusescope::test {

// A Conv, its BatchNormalization and a Relu over an open batch: two rewrites.
std::string_view networkText();

// Pictures for people, where the variable FUSESCOPE_PICTURES names a folder.
void picture(QWidget& widget, const QString& name);

// Whether a label of the panel holds these words.
bool tells(const QWidget& panel, const QString& words);

// A state with that network opened, for panels and dialogs without a window.
class PanelFixture
{
protected:
    static void installTheme();
    bool openNetwork(); // true when its passes have ended

    QTemporaryDir m_folder;
    std::unique_ptr<AppState> m_state;
    std::unique_ptr<Actions> m_actions;
};

} // namespace fusescope::test
