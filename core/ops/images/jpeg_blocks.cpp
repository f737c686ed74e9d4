#include "ops/images/jpeg_blocks.h"

#include <algorithm>

namespace fusescope::images {

int JpegBits::bit()
{
    if (m_left == 0) {
        const bool ended = m_at >= m_file.size() ||
                           (m_file[m_at] == 0xff &&
                            (m_at + 1 >= m_file.size() || m_file[m_at + 1] != 0));
        if (ended) {
            ++m_missing;
            m_byte = 0;
        } else {
            m_byte = m_file[m_at];
            m_at += m_byte == 0xff ? 2 : 1;
        }
        m_left = 8;
    }
    --m_left;
    return m_byte >> m_left & 1;
}

int JpegBits::number(int count)
{
    int value = 0;
    for (int i = 0; i < count; ++i)
        value = value << 1 | bit();
    return count > 0 && value < 1 << (count - 1) ? value - (1 << count) + 1 : value;
}

std::optional<int> JpegBits::symbol(const HuffmanTable& table)
{
    int code = 0, first = 0, index = 0;
    for (std::size_t length = 1; length <= 16; ++length) {
        code |= bit();
        const int count = table.counts[length];
        if (code - first < count)
            return table.symbols[static_cast<std::size_t>(index + code - first)];
        index += count;
        first = (first + count) << 1;
        code <<= 1;
    }
    return std::nullopt;
}

void JpegBits::restart()
{
    m_left = 0;
    while (m_at + 1 < m_file.size()) {
        if (m_file[m_at] == 0xff && m_file[m_at + 1] >= 0xd0 && m_file[m_at + 1] <= 0xd7) {
            m_at += 2;
            return;
        }
        if (m_file[m_at] == 0xff && m_file[m_at + 1] != 0 && m_file[m_at + 1] != 0xff)
            return;
        ++m_at;
    }
}

namespace {

// The inverse cosine transform of 8 numbers, scaled by 2^13 and √8: row k holds what coefficient k
// gives to the first four results; the last four mirror them, with the sign of odd k changed. The
// numbers are those that the factors of Loeffler, Ligtenberg and Moschytz's transform ("Practical
// fast 1-D DCT algorithms with 11 multiplications", 1989) make when each is rounded, which decoders
// have agreed upon; only so do all give the same pixels.
constexpr int basis[8][4] = {
    {8192, 8192, 8192, 8192},      {11363, 9633, 6437, 2260},
    {10703, 4433, -4433, -10703},  {9633, -2259, -11362, -6436},
    {8192, -8192, -8192, 8192},    {6437, -11362, 2261, 9633},
    {4433, -10704, 10704, -4433},  {2260, -6436, 9633, -11363},
};

// One pass: 8 numbers at `step`, rounded after the shift.
void transformLine(const int* from, int* to, int step, int shift)
{
    for (int i = 0; i < 4; ++i) {
        std::int64_t even = 0, odd = 0;
        for (int k = 0; k < 8; k += 2) {
            even += std::int64_t{basis[k][i]} * from[k * step];
            odd += std::int64_t{basis[k + 1][i]} * from[(k + 1) * step];
        }
        const std::int64_t half = std::int64_t{1} << (shift - 1);
        to[i * step] = static_cast<int>((even + odd + half) >> shift);
        to[(7 - i) * step] = static_cast<int>((even - odd + half) >> shift);
    }
}

int nearest(std::int64_t index, std::int64_t size)
{
    return static_cast<int>(std::clamp<std::int64_t>(index, 0, size - 1));
}

} // namespace

void inverseTransform(const JpegBlock& coefficients, std::uint8_t* to, std::int64_t stride)
{
    JpegBlock columns, rows;
    for (int i = 0; i < 8; ++i)
        transformLine(coefficients.data() + i, columns.data() + i, 8, 11);
    for (int i = 0; i < 8; ++i)
        transformLine(columns.data() + i * 8, rows.data() + i * 8, 1, 18);
    for (std::size_t i = 0; i < 64; ++i)
        to[static_cast<std::int64_t>(i / 8) * stride + static_cast<std::int64_t>(i % 8)] =
            static_cast<std::uint8_t>(std::clamp(rows[i] + 128, 0, 255));
}

void upsampleRow(const JpegPlane& plane, int across, int down, std::int64_t row,
                 std::span<std::uint8_t> to)
{
    const std::int64_t near = std::min(row / down, plane.height - 1);
    // Very narrow planes and other ratios repeat their samples.
    const bool smoothAcross = across == 2 && plane.width > 2 && down <= 2;
    const bool smoothDown = down == 2 && (smoothAcross || across == 1);
    const std::int64_t other =
        smoothDown ? nearest(row % 2 == 0 ? near - 1 : near + 1, plane.height) : near;
    // The sum over the two rows: weights 3 and 1, or 1 alone.
    const auto column = [&](std::int64_t i) {
        const std::int64_t c = nearest(i, plane.width);
        return smoothDown ? 3 * plane.at(near, c) + plane.at(other, c) : plane.at(near, c);
    };
    for (std::size_t i = 0; i < to.size(); ++i) {
        const auto x = static_cast<std::int64_t>(i);
        int value = 0;
        if (smoothAcross) {
            // Alternating rounding keeps the mean; the ends of a row have no neighbour.
            const bool right = x % 2 == 1;
            const std::int64_t c = x / 2;
            const int sum = 3 * column(c) + column(right ? c + 1 : c - 1);
            value = smoothDown ? (sum + (right ? 7 : 8)) >> 4 : (sum + (right ? 2 : 1)) >> 2;
        } else if (smoothDown) {
            value = (column(x) + (row % 2 == 0 ? 1 : 2)) >> 2;
        } else {
            value = column(x / across);
        }
        to[i] = static_cast<std::uint8_t>(value);
    }
}

} // namespace fusescope::images
