#pragma once

#include "session/drawing_union.h"

namespace fusescope::drawing {

// A card in the order of the model: what equal blocks are looked for in.
struct Unit
{
    NodeId node;
    std::string_view name;
    std::string_view type;
};

struct Block
{
    std::string key;
    std::string title;
    std::vector<std::size_t> units; // indices
};

// Scopes whose names differ in numbers only (layer.0 … layer.11), or, where names say nothing,
// stretches of operators that repeat. Blocks do not overlap; none has fewer than four units.
std::vector<Block> findBlocks(const std::vector<Unit>& units);

} // namespace fusescope::drawing
