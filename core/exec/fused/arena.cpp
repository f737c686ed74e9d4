#include "exec/fused/builder.h"

#include <algorithm>

namespace fusescope::fused {

namespace {

constexpr std::int64_t alignment = 128;

struct Root
{
    int buffer;
    std::int64_t offset;
};

Root rootOf(const std::vector<Buffer>& buffers, int index)
{
    Root root{index, 0};
    for (const Buffer* b = &buffers[static_cast<std::size_t>(index)]; b->inside != root.buffer;
         b = &buffers[static_cast<std::size_t>(root.buffer)]) {
        root.offset += b->offset;
        root.buffer = b->inside;
    }
    return root;
}

void findLifetimes(std::vector<Buffer>& buffers, const std::vector<Step>& steps)
{
    const auto touch = [&](int buffer, int step) {
        Buffer& root = buffers[static_cast<std::size_t>(rootOf(buffers, buffer).buffer)];
        if (root.first < 0)
            root.first = step;
        root.last = std::max(root.last, step);
    };
    for (std::size_t i = 0; i < steps.size(); ++i) {
        for (const int buffer : steps[i].writes)
            touch(buffer, static_cast<int>(i));
        for (const int buffer : steps[i].reads)
            touch(buffer, static_cast<int>(i));
    }
}

// Lets results lie where operands die.
void mergeInPlace(std::vector<Buffer>& buffers, const std::vector<Step>& steps)
{
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const int step = static_cast<int>(i);
        for (const auto& [from, to] : steps[i].inPlace) {
            Buffer& written = buffers[static_cast<std::size_t>(to)];
            const Root root = rootOf(buffers, from);
            Buffer& read = buffers[static_cast<std::size_t>(root.buffer)];
            if (written.inside != to || written.first != step || root.buffer == to ||
                root.offset != 0 || read.bytes != written.bytes || read.last != step)
                continue;
            // A convolution may read its residual as its source as well.
            const auto readings = std::ranges::count_if(steps[i].reads, [&](int other) {
                return rootOf(buffers, other).buffer == root.buffer;
            });
            if (readings != 1)
                continue;
            written.inside = root.buffer;
            written.offset = 0;
            read.last = written.last;
            break;
        }
    }
}

} // namespace

std::int64_t planArena(std::vector<Buffer>& buffers, std::vector<Step>& steps)
{
    findLifetimes(buffers, steps);
    mergeInPlace(buffers, steps);
    std::vector<int> order;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        if (buffers[i].inside == static_cast<int>(i) && buffers[i].first >= 0)
            order.push_back(static_cast<int>(i));
    }
    std::ranges::stable_sort(order, [&](int a, int b) {
        return buffers[static_cast<std::size_t>(a)].bytes >
               buffers[static_cast<std::size_t>(b)].bytes;
    });
    std::vector<int> placed;
    std::vector<std::pair<std::int64_t, std::int64_t>> taken;
    std::int64_t total = 0;
    for (const int index : order) {
        Buffer& buffer = buffers[static_cast<std::size_t>(index)];
        taken.clear();
        for (const int other : placed) {
            const Buffer& b = buffers[static_cast<std::size_t>(other)];
            if (b.first <= buffer.last && buffer.first <= b.last)
                taken.emplace_back(b.place, b.place + b.bytes);
        }
        std::ranges::sort(taken);
        std::int64_t at = 0;
        for (const auto& [begin, end] : taken) {
            if (begin - at >= buffer.bytes)
                break;
            at = std::max(at, (end + alignment - 1) / alignment * alignment);
        }
        buffer.place = at;
        total = std::max(total, at + buffer.bytes);
        placed.push_back(index);
    }
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        const Root root = rootOf(buffers, static_cast<int>(i));
        const Buffer& holder = buffers[static_cast<std::size_t>(root.buffer)];
        if (holder.place >= 0)
            buffers[i].place = holder.place + root.offset;
    }
    return (total + alignment - 1) / alignment * alignment;
}

} // namespace fusescope::fused
