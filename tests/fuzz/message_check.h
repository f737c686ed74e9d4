#pragma once

#include "base/message.h"

namespace fusescope::test {

// Whether what a sentence about an operator says was found is just what it says was expected: a number
// inside the limits that it names, equal shapes or types, shapes that do fit together.
bool contradictsItself(const Message& message);

} // namespace fusescope::test
