#pragma once

#include <QButtonGroup>
#include <QWidget>

class QToolButton;

namespace fusescope {

// A row of buttons of which one is on; Left and Right move it.
class SegmentedSwitch final : public QWidget
{
    Q_OBJECT

public:
    explicit SegmentedSwitch(QWidget* parent = nullptr);

    // The first one added is on. `icon` is a name of theme/icons or empty.
    int addSegment(const QString& text, const QString& icon = {});
    void setSegmentText(int index, const QString& text);
    void setSegmentEnabled(int index, bool enabled, const QString& why = {});

    int count() const { return static_cast<int>(m_buttons.size()); }
    int current() const { return m_group->checkedId(); }
    // Says nothing: `chosen` is for people's choices only.
    void setCurrent(int index);
    QToolButton* button(int index) const { return m_buttons.value(index); }

Q_SIGNALS:
    void chosen(int index);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void shape();

    QButtonGroup* m_group;
    QList<QToolButton*> m_buttons;
};

} // namespace fusescope
