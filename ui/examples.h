#pragma once

#include <QList>
#include <QString>

namespace fusescope {

// One small model that the program carries inside itself.
struct Example
{
    QString resource; // ":/examples/conv_batchnorm.onnx"
    QString title;
    QString text;     // what it shows, at most two lines
    QString kind;     // "fusion", "blocked", "kept"
    QString layout;   // its thumbnail: a word for each card, top to bottom ("conv -norm ~act")
};

// In the order of :/examples/index.json: an array of {file, title, text, kind, layout} in which
// title and text may be objects by language. Empty where there are none.
const QList<Example>& examples();

} // namespace fusescope
