#pragma once

#include "patterns/pattern.h"

#include <functional>
#include <span>

// What conditions saw when they hold, for Conditions::check: asked for only when somebody listens.
namespace fusescope::saw {

using Saw = std::function<Message()>;

Saw version(const MatchContext& context, NodeId node);    // "`conv1` is Conv-11."
Saw attributes(const MatchContext& context, NodeId node); // "`conv1` sets pads, strides."
Saw outputs(NodeId id, const Node& node);                 // "`bn1` has one output."
Saw type(const MatchContext& context, ValueId value);     // "`x` is float32."

} // namespace fusescope::saw
