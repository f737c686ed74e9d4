#pragma once

#include <QIcon>
#include <QString>

#include "ui/theme/tokens.h"

namespace fusescope {

// The icon :/icons/NAME.svg in a colour of the theme, asked for at paint time. A switched-on button
// shows it in `on`; a disabled one in text3. A name that is not there gives a null icon.
QIcon icon(const QString& name, Token normal = Token::text, Token on = Token::count);

// The pictogram of a category, in the category's colour.
QIcon icon(Category category);
QIcon fusedIcon(Category category);
QString iconName(Category category);

// The application's own icon, in its own colours.
QIcon applicationIcon();

// Paints without a QIcon, in any colour; does nothing for a name that is not there.
void paintIcon(QPainter& painter, const QRectF& rect, const QString& name, const QColor& color);

} // namespace fusescope
