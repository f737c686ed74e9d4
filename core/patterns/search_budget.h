#pragma once

#include "model/node.h"

#include <algorithm>
#include <vector>

namespace fusescope {

// How many values one question may look at. Operators that read a value several times multiply the
// paths through a graph, so paths are not what bounds a search.
class SearchBudget
{
public:
    static constexpr int most = 64;

    // False when nothing is left.
    bool spend()
    {
        if (m_left == 0)
            return false;
        --m_left;
        return true;
    }
    int spent() const { return most - m_left; }

private:
    int m_left = most;
};

// The inputs of a node, each once; nothing where they are more than a question may look at.
inline std::vector<ValueId> distinctInputs(const Node& node)
{
    std::vector<ValueId> distinct;
    for (const ValueId input : node.inputs) {
        if (std::find(distinct.begin(), distinct.end(), input) != distinct.end())
            continue;
        if (distinct.size() == static_cast<std::size_t>(SearchBudget::most))
            return {};
        distinct.push_back(input);
    }
    return distinct;
}

} // namespace fusescope
