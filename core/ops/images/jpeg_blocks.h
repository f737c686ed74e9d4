#pragma once

#include "ops/images/images.h"

#include <array>

// The parts of a JPEG decoder that know nothing of markers.
namespace fusescope::images {

// A Huffman table of a DHT segment, by length of code.
struct HuffmanTable
{
    std::array<std::uint8_t, 17> counts = {}; // codes of each length, 1 to 16
    std::vector<std::uint8_t> symbols;
};

// Reads the bits of a scan up to the next marker; past it come zeros, as other readers have it.
class JpegBits
{
public:
    JpegBits(Bytes file, std::size_t at) : m_file(file), m_at(at) {}

    int bit();
    // `count` bits as JPEG extends them: a leading 0 says that the number is negative.
    int number(int count);
    // Nothing when no code fits.
    std::optional<int> symbol(const HuffmanTable& table);
    // Drops what is left of the byte and goes past the marker of a restart.
    void restart();
    // Whether more zeros were read than an interrupted file explains.
    bool isExhausted() const { return m_missing > 1024; }

private:
    Bytes m_file;
    std::size_t m_at;
    int m_byte = 0, m_left = 0, m_missing = 0;
};

using JpegBlock = std::array<int, 64>; // in rows

// A block of coefficients to 8 by 8 samples.
void inverseTransform(const JpegBlock& coefficients, std::uint8_t* to, std::int64_t stride);

// One component of a picture, with the rows that complete its last blocks.
struct JpegPlane
{
    std::int64_t width = 0, height = 0; // of what belongs to the picture
    std::int64_t stride = 0;
    std::vector<std::uint8_t> samples;

    int at(std::int64_t row, std::int64_t column) const
    {
        return samples[static_cast<std::size_t>(row * stride + column)];
    }
};

// A row of the whole picture from a plane that has 1/across of its columns and 1/down of its rows,
// `width` samples. Chroma at half size is interpolated by 3/4 and 1/4, as the operator demands.
void upsampleRow(const JpegPlane& plane, int across, int down, std::int64_t row,
                 std::span<std::uint8_t> to);

} // namespace fusescope::images
