#pragma once

#include "patterns/convolution.h"

#include <span>
#include <vector>

namespace fusescope {

// How a weight's elements belong to channels: `count` runs of `inner` elements, one channel each. The
// runs go through `columns` channels, `rows` times; then come the channels of the next group.
struct ChannelRuns
{
    std::int64_t inner = 1, count = 0;
    std::int64_t columns = 1, rows = 1;

    std::size_t channel(std::int64_t run) const
    {
        return static_cast<std::size_t>(run / columns / rows * columns + run % columns);
    }
};
// By output channel: Conv's axis 0; ConvTranspose's axis 1, cut into groups.
ChannelRuns outputChannels(const Tensor& weight, const Convolution& conv);
// By input channel of a Conv: axis 1 within the group of the row.
ChannelRuns inputChannels(const Tensor& weight, const Convolution& conv);

// By column of a matrix [K, N], of a stack of such, or of a transposed one [N, K].
ChannelRuns matrixColumns(const Tensor& weight, bool transposed);

// Each element times the factor of its channel, in double, rounded once to the weight's type.
Tensor scaled(const Tensor& weight, const ChannelRuns& runs, std::span<const double> factor);

// Σ over a row's taps of weight · value[input channel], for each output channel of a Conv.
std::vector<double> tapSums(const Tensor& weight, const Convolution& conv,
                            std::span<const double> value);

// A vector of the type, each element rounded once.
Tensor vectorOf(DType type, std::span<const double> values);

// What a convolution's result becomes: result·scale + shift, per output channel.
struct ChannelScale
{
    std::vector<double> scale, shift;

    // With a scale of ones the weight stays as it is.
    bool changesWeight() const;
};
// The new bias: (old or 0)·scale + shift.
std::vector<double> foldedBias(const GraphView& view, const Convolution& conv,
                               const ChannelScale& by);

// The number as an element of the type holds it.
double rounded(DType type, double value);
// Whether a number that was finite is Inf or NaN in the type.
bool overflows(DType type, double source, double result);

// Whether normal numbers up to `largest` become subnormal ones times the factor, or all numbers 0.
bool losesDigits(DType type, double largest, double factor);
// Channels with elements that were finite and are not, or that the type cannot hold, times their
// factors.
std::vector<bool> infiniteChannels(const Tensor& weight, const ChannelRuns& runs,
                                   std::span<const double> factor);
// Whose digits count. A BatchNormalization that was learned leaves channels as good as dead: beside
// others that keep theirs, what such a channel loses is no more than rounding the others costs.
enum class Digits { ofEachChannel, ofTheLargest };
// No channel of the weight loses digits (`source` stands in the reason).
std::optional<Reason> keepsDigits(const Tensor& weight, const ChannelRuns& runs,
                                  std::span<const double> factor, Subject source,
                                  Digits digits = Digits::ofEachChannel);

// Factors whose product the type cannot hold: too small, or too large.
Reason outOfRange(Subject factor, DType type);

// A bias has one element for each output channel; nothing while one of the two is no constant.
std::optional<Reason> fittingBias(const GraphView& view, const Convolution& conv);

// G16: elements that were finite and are not after folding, or channels that would lose digits
// (`source` stands in the reason).
std::optional<Reason> staysFinite(const MatchContext& context, const Convolution& conv,
                                  const ChannelScale& by, Subject source,
                                  Digits digits = Digits::ofEachChannel);

// The rewrite that conv-batchnorm, conv-scale and conv-bias share: the convolution takes over the
// output of `root`, with folded constants.
void foldInto(PatchBuilder& builder, NodeId conv, NodeId root, const ChannelScale& by);

// "w_folded" for the constant `old`, "w_bias" for one that was not there.
std::string foldedName(const GraphView& view, ValueId old, std::string_view suffix = "_folded");

// Remarks (G06, G17) and the growth that copies of shared constants make; a weight that does not
// change is not copied.
void remarkFold(const MatchContext& context, const Convolution& conv, bool weightChanges,
                std::vector<Reason>& remarks);
std::optional<Reason> foldGrowth(const MatchContext& context, const Convolution& conv,
                                 bool weightChanges);
// The numbers that a fold holds, one a channel, while the weight stores fewer elements than that: a
// fill, or none that is known. To be asked before they are computed.
std::optional<Reason> foldMemory(const MatchContext& context, ValueId weight,
                                 std::int64_t channels);

} // namespace fusescope
