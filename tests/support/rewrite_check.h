#pragma once

#include "exec/executor.h"
#include "model/graph_text.h"
#include "patterns/pattern.h"

#include <QTest>

#include <string>
#include <string_view>

namespace QTest {

template <>
inline char* toString(const std::string& text)
{
    return qstrdup(text.c_str());
}

} // namespace QTest

namespace fusescope::test {

// A graph from its text, with its types inferred. Ends the program on an error in the text.
Graph graphOf(std::string_view text);

// The node of that name, or the one that makes the value of that name, in any body; none if absent.
NodeId nodeNamed(const Graph& graph, std::string_view name);

MatchResult matchAt(const Graph& graph, RuleId rule, std::string_view root,
                    const Policy& policy = {});

// Matches at the root, applies the rewrite, checks the whole graph, and, unless told not to, runs
// both on seeded inputs. Gives nothing when all is well, else what is not.
struct RewriteCheck
{
    Policy policy;
    bool run = true;
    double rtol = 1e-5; // times the largest absolute value of the output
    std::uint64_t seed = 7;
};
std::string rewriteProblem(Graph& graph, RuleId rule, std::string_view root,
                           const RewriteCheck& how = {});

// Runs both on the same seeded inputs: nothing when the outputs agree.
std::string runProblem(const Graph& before, const Graph& after, double rtol = 1e-5,
                       std::uint64_t seed = 7);

// The same, but a difference is none while it is below eight times what the outputs of `before` move
// by when its inputs change by a few units in their last place, or below eight times what `before`
// itself is off from its run in double: chains of random operators may leave outputs hardly a digit
// (the normalization of equal numbers is what their mean was rounded by, over the root of epsilon).
std::string conditionedProblem(const Graph& before, const Graph& after, double rtol,
                               std::uint64_t seed);

// The refusal in lines, one a reason: "multi-consumer [relu2] Result is read elsewhere too | `conv`
// is also read by … | fix". "match" or "no candidate" otherwise.
std::string refusalOf(const Graph& graph, RuleId rule, std::string_view root,
                      const Policy& policy = {});

// The reason codes of a refusal, separated by blanks.
std::string codesOf(const Graph& graph, RuleId rule, std::string_view root,
                    const Policy& policy = {});

// The operators of the main body in order, separated by blanks; a region as "region(Conv Relu)".
std::string operatorsOf(const Graph& graph);

} // namespace fusescope::test
