#pragma once

#include "ui/actions.h"

#include <QDialog>

namespace fusescope {

class ShortcutsDialog final : public QDialog
{
    Q_OBJECT

public:
    ShortcutsDialog(Actions& actions, QWidget* parent = nullptr);
};

} // namespace fusescope
