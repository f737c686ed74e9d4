#pragma once

#include "ui/app_state.h"

#include <QWidget>

namespace fusescope {

class ChannelBars;
class PlainLabel;

// What made a comparison fail, for the node at which the numbers first go apart: a sentence, the
// error of each channel, and the worst element.
class CauseFound final : public QWidget
{
    Q_OBJECT

public:
    // `result` has a cause.
    CauseFound(AppState& state, const AppState::CompareResult& result, QWidget* parent);

    QString sentence() const;
    const ChannelBars* bars() const { return m_bars; } // null where there are no channels

private:
    PlainLabel* m_sentence;
    ChannelBars* m_bars = nullptr;
};

} // namespace fusescope
