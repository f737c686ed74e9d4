#pragma once

#include "ui/app_state.h"

#include <QAbstractListModel>

namespace fusescope {

// The window's log, newest last.
class MessagesModel final : public QAbstractListModel
{
    Q_OBJECT

public:
    explicit MessagesModel(AppState& state, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    AppState& m_state;
    int m_rows = 0;
};

} // namespace fusescope
