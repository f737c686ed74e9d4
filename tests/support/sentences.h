#pragma once

#include "report/reason.h"

#include <string>
#include <vector>

namespace fusescope::test {

// What is wrong with a sentence as a person would read it: a key without a text, or a placeholder
// of its texts that no argument is given for. Empty when all is well.
std::string sentenceProblem(const Message& message);

// The first thing that is wrong with any sentence of these.
std::string sentenceProblem(const Reason& reason);
std::string sentenceProblem(const std::vector<Reason>& reasons);
std::string sentenceProblem(const ConditionRecord& condition);

} // namespace fusescope::test
