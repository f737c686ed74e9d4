#pragma once

#include "diff/graph_diff.h"

#include <vector>

namespace fusescope {

// Two values of two files that correspond: by their name, else as the same output of matched nodes.
struct ValueMatch
{
    ValueId a, b;
    FileMatch::How how = FileMatch::How::name;
};
// What nodes of the main graphs compute on both sides, constants left out, in the order of `a`.
std::vector<ValueMatch> matchComputed(const Graph& a, const Graph& b, const FileDiff& diff);

// An initializer or input that stands in one file alone, one whose contents differ, or a value whose
// type differs. Without a side: not there.
struct FileValueChange
{
    ValueId a, b;
};
std::vector<FileValueChange> changedValues(const Graph& a, const Graph& b, const FileDiff& diff);

} // namespace fusescope
