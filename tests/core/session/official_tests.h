#pragma once

#include <string>
#include <vector>

// ONNX's own tests of operators and small models: what each folder proves here.
namespace fusescope::test {

// A line of a list of folders that cannot pass: "SET FOLDER reason".
struct NotPossible
{
    std::string set, folder, reason;
};
std::vector<NotPossible> readNotPossible(const std::string& file);

// The models below a folder that have data sets, in the order of their paths.
std::vector<std::string> modelsBelow(const std::string& root);

// Runs all folders below `root`. A line for each that does not pass and is not listed for the set,
// and for each that is listed, is there, and passes. Empty when all is well; `passed` counts.
std::string conformanceFaults(const std::string& root, const std::string& set,
                              const std::vector<NotPossible>& listed, int& passed);

// What is known while types are inferred.
enum class Knowledge {
    declared, // the inputs' types as the model declares them
    contents, // the contents of all integer inputs besides
    symbols,  // of the inputs' sizes only that they are sizes
    equalities, // as contents, but of the sizes only which are 0, 1 or equal
};

// Compares inferred types, shapes and shape data of every value of the main graph with what the
// kernels made. Contradictions are faults; with `contents` and `equalities` it is also one when a size stays unknown
// that does not depend on the contents of other tensors.
std::string inferenceFaults(const std::string& root, Knowledge knowledge, int& values);

} // namespace fusescope::test
