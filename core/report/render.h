#pragma once

#include "base/message.h"
#include "model/graph.h"

#include <functional>
#include <string>

namespace fusescope {

// Gives the translation of an English text of a context; the identity gives English.
using Translate = std::function<std::string(const char* context, const char* text)>;

// How a sentence sets off names: the texts have them between backticks, which reports turn into code.
enum class NameMarks { backticks, plainQuotes, quotes };

// The sentence in full. Nodes appear by name (without one by operator and id: "Conv #17"),
// values by name; `graph` may be null, ids are then written as #17. An unknown key or
// argument is shown as it is, so that it is seen.
std::string render(const Message& message, const Graph* graph, const Translate& translate = {},
                   NameMarks marks = NameMarks::backticks);

// A headline in at most four words, for the tag beside an octagon; its own text where it is that short.
Message tagOf(const Message& headline);

// How a node or a value is named in sentences, tables and JSON messages.
std::string displayName(const Graph* graph, NodeId node);
std::string displayName(const Graph* graph, ValueId value);

} // namespace fusescope
