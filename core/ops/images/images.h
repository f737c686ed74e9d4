#pragma once

#include "ops/registry.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// Readers of picture files for the operator ImageDecoder. Each gives nothing for bytes that are
// not of its format or are damaged, and checks the picture's size against `mostPixels` before it takes
// memory for it.
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

// The rest by the libraries of their formats (compressed_formats.cpp). Transparency is left out.
std::optional<Picture> decodePng(Bytes file, std::int64_t mostPixels);
std::optional<Picture> decodeJpeg(Bytes file, std::int64_t mostPixels); // no CMYK
std::optional<Picture> decodeWebp(Bytes file, std::int64_t mostPixels); // no animation
std::optional<Picture> decodeTiff(Bytes file, std::int64_t mostPixels); // the first page
// Grey or three colours, all planes of one size.
std::optional<Picture> decodeJpeg2000(Bytes file, std::int64_t mostPixels);

} // namespace fusescope::images
