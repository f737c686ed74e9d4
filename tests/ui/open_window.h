#pragma once

#include "ui/main_window.h"

#include <memory>

namespace fusescope::test {

// A window as large as the pictures of it, which the test's pointer owns.
inline std::unique_ptr<MainWindow> makeWindow()
{
    auto window = std::make_unique<MainWindow>();
    window->setAttribute(Qt::WA_DeleteOnClose, false);
    window->resize(1440, 900);
    window->show();
    return window;
}

} // namespace fusescope::test
