#pragma once

#include "base/ids.h"
#include "ui/theme/theme.h"

#include <QString>

#include <map>
#include <set>
#include <vector>

namespace fusescope {

// What a view marks in a scene beside the changes: selection, hits, errors. By node, so that it
// holds from step to step.
struct GraphMarks
{
    NodeId selected, second;
    std::set<NodeId> more;       // further selected ones
    std::set<NodeId> successors; // of the selected one, or what became it: a dashed ring
    ValueId value;               // selected: its wires in accent
    std::set<NodeId> hits;
    NodeId hit;                  // the current one
    std::set<NodeId> culprits;
    std::set<ValueId> culpritValues; // inputs, outputs and weights: where they stand
    std::vector<NodeId> candidate; // would have become one node
    QString candidateText;
    Token blockedInk = Token::blocked; // of the culprits and the candidate
    int blockedRow = -1;           // its octagon has a tag
    QString blockedTag;
    std::map<NodeId, double> errors; // largest |Δ| of the outputs; NaN where one is not finite
    double tolerance = 1e-3;
    NodeId divergence; // where the numbers first go apart, with a tag and a line below it
    QString divergenceTag, divergenceNote;
    bool traced = false;           // all but these items are dimmed
    std::vector<char> trace;       // by item

    bool isSelected(NodeId node) const
    {
        return node && (node == selected || node == second || more.contains(node));
    }
};

} // namespace fusescope
