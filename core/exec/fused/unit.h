#pragma once

#include "exec/executor.h"
#include "ops/broadcast.h"
#include "ops/inference.h"

#include <deque>
#include <memory>
#include <utility>
#include <vector>

namespace fusescope::fused {

// What is known of one value before anything runs. Calls of functions and chosen branches of an If
// are written out, so that one ValueId may stand for several of these.
struct Var
{
    ValueId id;
    KnownValue known;      // for inference; sizes are numbers where they are known
    bool isStatic = false; // a tensor whose sizes are all known
    DType dtype = DType::undefined;
    Sizes shape;
    TensorPtr constant;   // the same in every run on inputs of these sizes
    bool isInput = false; // given for each run
};

// One node to run, with its attributes bound and its operands as indices of Vars (−1: absent).
struct Unit
{
    NodeId id;
    NodeId reported; // the node that a reader of the graph knows: the one that holds it
    std::shared_ptr<const Node> node;
    int since = 1;
    std::vector<int> inputs, outputs;
    std::vector<std::pair<ValueId, int>> captures; // what its bodies read from around it
    bool isRegion = false;
    std::vector<Unit> body; // of a region
};

// A graph written out for inputs of known sizes: what depends on nothing else is computed already.
struct Walked
{
    std::deque<Var> vars; // more are added while others are looked at
    std::vector<Unit> units;
    std::vector<int>
        arguments; // the main body's inputs, in order; −1: not given, its default holds
    std::vector<int> outputs;                     // the main body's outputs
    std::vector<std::pair<ValueId, int>> given;   // cut values
    std::vector<std::pair<ValueId, int>> visible; // values of the main body
};

// `arguments`: the types of the main body's inputs, undefined for a default that stands. With
// `fused` false regions are written out as well.
struct WalkRequest
{
    std::vector<Type> arguments;
    std::vector<std::pair<ValueId, Type>> given;
    bool fused = true;
    std::set<ValueId> keep;
    std::set<ValueId> distrusted; // whose types turned out otherwise than the file and inference say
    std::int64_t memoryLimit = 0;
    std::stop_token stop;
};
Result<Walked> walk(const Graph& graph, const WalkRequest& request);

} // namespace fusescope::fused
