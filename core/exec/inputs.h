#pragma once

#include "exec/executor.h"
#include "model/graph.h"

#include <map>
#include <string>
#include <vector>

namespace fusescope {

// How inputs that nobody gave are made: seeded; floats uniform in [−1, 1), integers in a range,
// bools by coin, strings short.
struct InputRecipe
{
    std::uint64_t seed = 0;
    std::map<std::string, std::vector<std::int64_t>> shapes; // by input name: wins over dims
    std::map<std::string, std::int64_t> dims;                // by symbol
    std::int64_t integerLow = 0, integerHigh = 2;            // [low, high), when nothing says more
    bool distinctDims = false; // proof: symbols get different sizes, no two alike and none 1
    int variant = 0;           // the second run of a proof uses other sizes
    bool onlySizes = false;    // shapes without values: for what only asks how large things are
};

struct MadeInputs
{
    RunInputs inputs;
    std::vector<std::pair<std::string, std::int64_t>> assumed; // symbols nobody gave: name, size
    std::string dataSet; // a folder that gave sizes or values; the caller's to set
};

// Values for every required input. Symbols that nobody gave: batch 1, image 224, sequence 16,
// others 1 (ux.md, Dimensions), or distinct sizes. Integer inputs that only index an axis (Gather,
// Embedding) get a range that fits it.
Result<MadeInputs> makeInputs(const Graph& graph, const InputRecipe& recipe,
                              const RunInputs& given = {});

// One value of this type, as makeInputs makes it, for a shape that the caller gives.
Result<RuntimeValue> makeValue(const Value& value, std::vector<std::int64_t> shape,
                               const InputRecipe& recipe);

} // namespace fusescope
