#pragma once

#include "ui/examples.h"

#include <QAbstractButton>

namespace fusescope {

// An example in the gallery: a painted thumbnail, a title, at most two lines.
class ExampleCard final : public QAbstractButton
{
    Q_OBJECT

public:
    explicit ExampleCard(Example example, QWidget* parent = nullptr);

    const Example& example() const { return m_example; }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Example m_example;
};

} // namespace fusescope
