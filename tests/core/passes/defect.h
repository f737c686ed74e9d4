#pragma once

#include "pass_run.h"

#include <QString>

#include <string>
#include <string_view>

namespace fusescope::test {

// A defect that an engine had, as a row of a table: the graph, what must stand in the main body when
// all passes have ended, and what must have been refused on the way.
struct Defect
{
    std::string_view text;
    std::string_view operators;
    // "rule code", of the rows that are blocked at the end, or "rule root code", asked of the model
    // as opened; several are separated by "; ". The code is the headline's.
    std::string_view refused;
    double rtol = 1e-5;
    Plan plan;
};

// Nothing when operators and refusals are as they must be, every step leaves a valid graph, what is
// lowered again is valid, and all of them give the same outputs; else what is wrong.
std::string wrongWith(const Defect& defect);

// One row of a table of defects: the columns text, operators, refused, rtol.
void addDefectColumns();
void addDefect(const char* number, const char* text, const char* operators,
               const char* refused = "", double rtol = 1e-5);
// What is wrong with the row that the test is at.
std::string wrongWithRow();

// One run of the reference executor on one float input: "y: 1 2 3" for each output.
std::string outputsOf(const Graph& graph, const std::string& input,
                      const std::vector<std::int64_t>& shape, const std::vector<float>& numbers);

} // namespace fusescope::test
