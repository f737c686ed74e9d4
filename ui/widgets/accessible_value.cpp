#include "ui/widgets/accessible_value.h"

#include <QAccessible>
#include <QAccessibleWidget>

namespace fusescope {

namespace {

class ValueInterface final : public QAccessibleWidget, public QAccessibleValueInterface
{
public:
    ValueInterface(QWidget* widget, AccessibleValue* value)
        : QAccessibleWidget(widget, QAccessible::Slider), m_value(value)
    {
    }
    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ValueInterface ? static_cast<QAccessibleValueInterface*>(this)
                                                   : QAccessibleWidget::interface_cast(type);
    }
    QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Value ? m_value->spokenWords() : QAccessibleWidget::text(kind);
    }
    QVariant currentValue() const override { return m_value->spokenValue(); }
    void setCurrentValue(const QVariant& value) override
    {
        m_value->takeSpokenValue(value.toDouble());
    }
    QVariant minimumValue() const override { return m_value->spokenLeast(); }
    QVariant maximumValue() const override { return m_value->spokenMost(); }
    QVariant minimumStepSize() const override { return 1.0; }

private:
    AccessibleValue* m_value;
};

QAccessibleInterface* makeInterface(const QString&, QObject* object)
{
    auto* widget = qobject_cast<QWidget*>(object);
    auto* value = dynamic_cast<AccessibleValue*>(object);
    return widget && value ? new ValueInterface(widget, value) : nullptr;
}

} // namespace

void installValueAccessibility()
{
    static const bool once = [] {
        QAccessible::installFactory(makeInterface);
        return true;
    }();
    Q_UNUSED(once);
}

} // namespace fusescope
