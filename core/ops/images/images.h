#pragma once

#include "ops/registry.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// Plain readers of picture files for the operator ImageDecoder. Each gives nothing for bytes that are
// not of its format or are damaged, and takes no more memory than its picture, which has at most
// `mostPixels` pixels.
namespace fusescope::images {

using Bytes = std::span<const std::uint8_t>;

// Rows from the top, each pixel as red, green, blue.
struct Picture
{
    std::int64_t width = 0, height = 0;
    std::vector<std::uint8_t> pixels;
};

// An empty picture of this size; nothing when it is empty or too large.
std::optional<Picture> makePicture(std::int64_t width, std::int64_t height, std::int64_t mostPixels);

inline void setPixel(Picture& picture, std::int64_t at, std::uint8_t red, std::uint8_t green,
                     std::uint8_t blue)
{
    std::uint8_t* to = picture.pixels.data() + at * 3;
    to[0] = red;
    to[1] = green;
    to[2] = blue;
}

// Numbers of several bytes; 0 past the end.
std::uint32_t littleEndian(Bytes bytes, std::size_t at, int size);
std::uint32_t bigEndian(Bytes bytes, std::size_t at, int size);

// PBM, PGM and PPM, as text or binary.
std::optional<Picture> decodePnm(Bytes file, std::int64_t mostPixels);
// Uncompressed, with 1, 4, 8, 24 or 32 bits a pixel.
std::optional<Picture> decodeBmp(Bytes file, std::int64_t mostPixels);
// All colour types and depths, also interlaced. Transparency is left out.
std::optional<Picture> decodePng(Bytes file, std::int64_t mostPixels);
// The first page, in strips of 8 bits a sample: raw, PackBits or deflated.
std::optional<Picture> decodeTiff(Bytes file, std::int64_t mostPixels);
// Baseline and extended sequential, Huffman coded, 8 bits.
std::optional<Picture> decodeJpeg(Bytes file, std::int64_t mostPixels);

// zlib's format. Nothing unless it unpacks to `size` bytes; with `mayBeLonger` the rest is left out.
std::optional<std::vector<std::uint8_t>> unpackZlib(Bytes packed, std::size_t size,
                                                    bool mayBeLonger = false);


} // namespace fusescope::images
