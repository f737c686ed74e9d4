#pragma once

#include "model/tensor.h"
#include "ui/panels/tensor_figures.h"

#include <QString>
#include <QWidget>

#include <vector>

class QVBoxLayout;

namespace fusescope {

class AppState;

// The constants that a node reads, or the selected value: statistics, histogram, first elements.
class TensorsPage final : public QWidget
{
    Q_OBJECT

public:
    explicit TensorsPage(AppState& state, QWidget* parent = nullptr);

    // False where there is no constant to show.
    bool hasContent(NodeId node, ValueId value) const;
    void show(NodeId node, ValueId value);

private:
    struct Shown
    {
        QString role, name;
        TensorPtr tensor;
    };
    std::vector<Shown> collect(NodeId node, ValueId value) const;
    void fill(const std::vector<Shown>& shown,
              const std::vector<std::optional<TensorFigures>>& figures);

    AppState& m_state;
    QVBoxLayout* m_layout;
};

} // namespace fusescope
