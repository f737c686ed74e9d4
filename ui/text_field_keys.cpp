#include "ui/text_field_keys.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QTextEdit>

namespace fusescope {

namespace {

bool isTextField(const QObject* object)
{
    if (const auto* box = qobject_cast<const QComboBox*>(object))
        return box->isEditable();
    return qobject_cast<const QLineEdit*>(object) || qobject_cast<const QAbstractSpinBox*>(object)
           || qobject_cast<const QTextEdit*>(object) || qobject_cast<const QPlainTextEdit*>(object);
}

bool movesOrDeletes(int key)
{
    switch (key) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Home:
    case Qt::Key_End:
    case Qt::Key_Backspace:
    case Qt::Key_Delete:
        return true;
    default:
        return false;
    }
}

bool editsText(const QKeyEvent& event)
{
    const Qt::KeyboardModifiers held =
        event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier);
    if (!held)
        return movesOrDeletes(event.key()) || event.key() < Qt::Key_Escape; // what prints
    if (held != Qt::ControlModifier)
        return false;
    if (movesOrDeletes(event.key()) || event.key() == Qt::Key_Z)
        return true;
    constexpr QLatin1StringView letters("ACDIKUVXY");
    return !(event.modifiers() & Qt::ShiftModifier) && event.key() >= Qt::Key_A
           && event.key() <= Qt::Key_Z && letters.contains(QLatin1Char(static_cast<char>(event.key())));
}

} // namespace

TextFieldKeys::TextFieldKeys(QObject* parent) : QObject(parent)
{
    qApp->installEventFilter(this);
}

bool TextFieldKeys::eventFilter(QObject* receiver, QEvent* event)
{
    if (event->type() != QEvent::ShortcutOverride)
        return false;
    // The keys of the widget with the focus would else come before the letters of the menu.
    const bool menu = qobject_cast<QMenu*>(QApplication::activePopupWidget()) != nullptr;
    if (!menu && (!isTextField(receiver) || !editsText(*static_cast<QKeyEvent*>(event))))
        return false;
    event->accept();
    return true;
}

} // namespace fusescope
