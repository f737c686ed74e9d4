#pragma once

#include "pass_run.h"

#include <string>

namespace fusescope::test {

// One row of a table of what exporters write for a piece of code: the graph, and the verdict.
void addSpellingColumns();
// `graph` is "inputs => outputs", `constants` the initializers. What all passes leave of the main
// body, and "rule code" of a refusal that has to be told, or nothing.
void addSpelling(const char* name, int opset, const char* graph, const char* constants,
                 const char* body, const char* left, const char* refused = "");
// What is wrong with the row that the test is at: the operators, the refusal, or an output, before
// and after.
std::string wrongWithSpelling();

} // namespace fusescope::test
