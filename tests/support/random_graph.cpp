#include "support/random_graph.h"

#include "support/random_graph_families.h"

namespace fusescope::test {

namespace {

struct Share
{
    Family add;
    int weight;
};

constexpr Share shares[] = {
    {conv, 4},       {batchnorm, 3},        {relu, 2},         {residual, 2},
    {activation, 2}, {layerNormalization, 1}, {rmsNormalization, 1}, {skipNormalization, 1},
    {plain, 1},      {clip, 1},             {smallChains, 1},  {scale, 1},        {shift, 1},
    {join, 1},       {pooling, 1},          {resize, 1},       {convTranspose, 1},
    {gemm, 1},       {matmul, 1},           {attention, 1},    {pair, 1},
    {turned, 2},     {reshapes, 1},         {parts, 1},        {casts, 1},
    {wholeNumbers, 1}, {noop, 1},           {branch, 1},       {where, 1},
    {call, 1},       {twice, 1},            {dead, 1},
};

void step(GraphWriter& w)
{
    std::uint64_t total = 0;
    for (const Share& share : shares)
        total += static_cast<std::uint64_t>(share.weight);
    const Data from = w.source();
    auto drawn = static_cast<std::int64_t>(w.below(total));
    for (const Share& share : shares) {
        drawn -= share.weight;
        if (drawn < 0)
            return share.add(w, from);
    }
}

} // namespace

std::string randomGraph(std::uint64_t seed, std::uint64_t order)
{
    GraphWriter writer(seed);
    const std::uint64_t wanted = 5 + writer.below(46);
    while (writer.count() < wanted)
        step(writer);
    return writer.text(order);
}

} // namespace fusescope::test
