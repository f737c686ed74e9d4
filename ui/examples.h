#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace fusescope {

// What an example is about, in the order in which menus show them.
enum class ExampleGroup {
    whole, // several fusions and obstacles in one
    convolutions, products, activations, cleanUp,
    readers, constants, between, shapes, modes // what stands in the way
};
QString nameOf(ExampleGroup group);

// One small model that the program carries inside itself.
struct Example
{
    QString resource; // ":/examples/conv_batchnorm.onnx"
    QString title;
    QString text;     // what it shows, at most two lines
    bool fuses = true; // false: it shows what stands in the way
    // The rows of its thumbnail, top to bottom, cards side by side with | between: "~conv",
    // "-norm", "!act|pool".
    QStringList cards;
    ExampleGroup group = ExampleGroup::whole;
};

// In the order of :/examples/index.json: an array of {file, topics, title, text}, in which
// topics are ids of rules and reasons, and title and text may be objects by language. Empty where there are none.
const QList<Example>& examples();

} // namespace fusescope
