#pragma once

#include "patterns/conditions.h"
#include "patterns/walk.h"

#include <optional>
#include <vector>

namespace fusescope {

// A Conv or ConvTranspose that has data, weight and output, and what its weight says of it.
struct Convolution
{
    NodeId id;
    const Node* node = nullptr;
    ValueId weight, bias, output;
    bool transposed = false;
    std::int64_t group = 1;
    std::int64_t channels = 0; // of the output; 0 while the weight's shape is not known
    std::int64_t inputs = 0;   // channels of the data, likewise
    std::size_t rank = 0;      // of data and weight; 0 while not known
};
// Nothing where the node is none, or its groups cannot be: below 1, or more than can be counted.
std::optional<Convolution> convolutionAt(const GraphView& view, NodeId id);

enum class ConvolutionKind { conv, transposed, any };

// The convolution that a value comes from through noops or one kind of chain, plain or as the main
// node of a region.
struct FoundConvolution
{
    Found found;
    Convolution conv; // inside the region, where found.node is one
    bool inRegion = false;
};
std::optional<FoundConvolution> findConvolution(const GraphView& view, NodeId root, ValueId value,
                                                ConvolutionKind kind,
                                                std::span<const std::string_view> through = {});

// What every fold into a convolution's weights needs: it stands directly before the root and is no
// region, its operands are constants of fitting shapes (`others` are the root's own constants), its
// version is known, and nothing else reads its result.
void checkFoldable(Conditions& conditions, const FoundConvolution& found, NodeId root,
                   std::span<const ValueId> others);

// The weight has a rank and groups that convolutions have; nothing while it is no constant.
std::optional<Reason> fittingWeight(const GraphView& view, const Convolution& conv);

// The pads that auto_pad and pads come to, [begins, ends]; nothing where they depend on sizes that
// are not known. `size` gives the data's spatial sizes, which only SAME_* reads.
std::optional<std::vector<std::int64_t>> resolvedPads(
    const Node& node, std::span<const std::int64_t> kernel,
    const std::vector<std::optional<std::int64_t>>& size);

// Larger amounts are no padding that any data could have.
inline constexpr std::int64_t largestAmount = std::int64_t{1} << 30;

// Attributes of one entry an axis, 1 where there is none.
std::vector<std::int64_t> spatialAttribute(const Node& node, std::string_view name,
                                           std::size_t axes);
// The spatial sizes of a weight's or a value's shape, nothing for those that are no numbers.
std::vector<std::optional<std::int64_t>> spatialSizes(const Shape& shape);

// A body of a function holds constants as nodes, which stand before the rewrite's root: a node that
// is edited there moves to the root's place.
void placeAt(PatchBuilder& builder, NodeId edited, NodeId root);

} // namespace fusescope
