#pragma once

#include "patterns/conditions.h"
#include "patterns/convolution.h"

#include <optional>
#include <string>
#include <vector>

namespace fusescope {

// A Pad of any version in one form: an amount for the begin and the end of each axis of the data.
struct Padding
{
    NodeId id;
    const Node* node = nullptr;
    std::string mode;
    bool known = false;                   // amounts and axes are constants that fit the rank
    std::vector<std::int64_t> begin, end; // by axis
    std::optional<double> value;          // nothing while it is no constant
    std::vector<ValueId> operands;        // amounts, value and axes that are inputs
};
// `rank` is the data's where it is known from elsewhere (a weight), else 0.
std::optional<Padding> paddingAt(const GraphView& view, NodeId id, std::size_t rank);

// The Pad that `value` comes from, directly or behind quantization and the like.
struct FoundPad
{
    Found found;
    Padding pad;
};
std::optional<FoundPad> findPad(const GraphView& view, NodeId root, ValueId value,
                                std::size_t rank);

// What merging into any reader needs: constant padding by constants, of spatial axes only, none
// negative; one reader; nothing pinned.
void checkPad(Conditions& conditions, const FoundPad& found, NodeId root);

// The refusal. Behind an operator that may matter, it is worth a word only where that is all.
MatchResult missOfPad(Conditions&& conditions, const FoundPad& found, NodeId root);

// The reader's own padding by axis, resolved; a condition of its own.
std::optional<std::vector<std::int64_t>> checkOwnPads(Conditions& conditions, NodeId root,
                                                      std::span<const std::int64_t> kernel);

// The rewrite: the reader pads by both, reads what the Pad read, and the Pad goes.
void mergePad(PatchBuilder& builder, const Padding& pad, NodeId root,
              const std::vector<std::int64_t>& own);

} // namespace fusescope
