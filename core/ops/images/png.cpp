#include "ops/images/images.h"

#include <algorithm>
#include <cstdlib>

// Portable Network Graphics (W3C recommendation, second edition).
namespace fusescope::images {

namespace {

struct Header
{
    std::int64_t width = 0, height = 0;
    int depth = 0, colour = 0, samples = 0;
    bool interlaced = false;

    std::int64_t rowBytes(std::int64_t columns) const { return (columns * depth * samples + 7) / 8; }
};

// Where the pixels of a pass lie: first row and column, and the steps.
struct Pass
{
    int row, column, rowStep, columnStep;
};
constexpr Pass interlacing[] = {{0, 0, 8, 8}, {0, 4, 8, 8}, {4, 0, 8, 4}, {0, 2, 4, 4},
                                {2, 0, 4, 2}, {0, 1, 2, 2}, {1, 0, 2, 1}};
constexpr Pass whole[] = {{0, 0, 1, 1}};

std::int64_t countFrom(std::int64_t size, int first, int step)
{
    return size > first ? (size - first + step - 1) / step : 0;
}

std::optional<Header> readHeader(Bytes file)
{
    Header h;
    h.width = bigEndian(file, 16, 4);
    h.height = bigEndian(file, 20, 4);
    h.depth = file[24];
    h.colour = file[25];
    h.interlaced = file[28] == 1;
    const bool whole8 = h.depth == 8 || h.depth == 16;
    const bool low = h.depth == 1 || h.depth == 2 || h.depth == 4;
    const bool fits = h.colour == 0   ? whole8 || low
                      : h.colour == 3 ? h.depth == 8 || low
                                      : whole8;
    h.samples = h.colour == 2 ? 3 : h.colour == 4 ? 2 : h.colour == 6 ? 4 : 1;
    if (!fits || file[26] != 0 || file[27] != 0 || file[28] > 1 ||
        (h.colour != 0 && h.colour != 2 && h.colour != 3 && h.colour != 4 && h.colour != 6))
        return std::nullopt;
    return h;
}

// Undoes the filter of a row; `above` is the row before, or empty.
bool unfilter(int filter, std::span<std::uint8_t> row, Bytes above, std::size_t step)
{
    for (std::size_t i = 0; i < row.size(); ++i) {
        const int left = i >= step ? row[i - step] : 0;
        const int up = above.empty() ? 0 : above[i];
        const int corner = i >= step && !above.empty() ? above[i - step] : 0;
        int predicted = 0;
        switch (filter) {
        case 0: break;
        case 1: predicted = left; break;
        case 2: predicted = up; break;
        case 3: predicted = (left + up) / 2; break;
        case 4: {
            const int a = std::abs(up - corner), b = std::abs(left - corner);
            const int c = std::abs(left + up - 2 * corner);
            predicted = a <= b && a <= c ? left : b <= c ? up : corner;
            break;
        }
        default: return false;
        }
        row[i] = static_cast<std::uint8_t>(row[i] + predicted);
    }
    return true;
}

// A sample of a row, brought to 8 bits but for an index into the palette.
std::uint8_t sampleAt(Bytes row, const Header& h, std::int64_t i)
{
    if (h.depth == 16)
        return row[static_cast<std::size_t>(i) * 2];
    if (h.depth == 8)
        return row[static_cast<std::size_t>(i)];
    const std::int64_t bit = i * h.depth;
    const int most = (1 << h.depth) - 1;
    const int value = row[static_cast<std::size_t>(bit / 8)] >> (8 - h.depth - bit % 8) & most;
    return static_cast<std::uint8_t>(h.colour == 3 ? value : value * 255 / most);
}

bool drawPass(Picture& picture, const Header& h, const Pass& pass, Bytes palette,
              std::span<std::uint8_t>& data)
{
    const std::int64_t columns = countFrom(h.width, pass.column, pass.columnStep);
    const std::int64_t rows = countFrom(h.height, pass.row, pass.rowStep);
    if (columns == 0)
        return true;
    const auto length = static_cast<std::size_t>(h.rowBytes(columns));
    const auto step = static_cast<std::size_t>(std::max(1, h.depth * h.samples / 8));
    Bytes above;
    for (std::int64_t row = 0; row < rows; ++row) {
        const std::span<std::uint8_t> line = data.subspan(1, length);
        if (!unfilter(data[0], line, above, step))
            return false;
        for (std::int64_t column = 0; column < columns; ++column) {
            const std::int64_t at = (pass.row + row * pass.rowStep) * h.width + pass.column +
                                    column * pass.columnStep;
            const std::uint8_t first = sampleAt(line, h, column * h.samples);
            if (h.colour == 3) {
                const std::size_t entry = std::size_t{first} * 3;
                if (entry + 3 > palette.size())
                    return false;
                setPixel(picture, at, palette[entry], palette[entry + 1], palette[entry + 2]);
            } else if (h.samples < 3) {
                setPixel(picture, at, first, first, first);
            } else {
                setPixel(picture, at, first, sampleAt(line, h, column * h.samples + 1),
                         sampleAt(line, h, column * h.samples + 2));
            }
        }
        above = line;
        data = data.subspan(length + 1);
    }
    return true;
}

} // namespace

std::optional<Picture> decodePng(Bytes file, std::int64_t mostPixels)
{
    if (file.size() < 45 || bigEndian(file, 0, 4) != 0x89504e47 ||
        bigEndian(file, 4, 4) != 0x0d0a1a0a || bigEndian(file, 12, 4) != 0x49484452)
        return std::nullopt;
    const auto header = readHeader(file);
    if (!header || header->height < 1 || header->width > mostPixels / header->height)
        return std::nullopt;
    Bytes palette;
    std::vector<std::uint8_t> packed;
    for (std::size_t at = 8; at + 12 <= file.size();) {
        const std::uint32_t length = bigEndian(file, at, 4);
        const std::uint32_t kind = bigEndian(file, at + 4, 4);
        if (length > file.size() - at - 12)
            return std::nullopt;
        const Bytes chunk = file.subspan(at + 8, length);
        if (kind == 0x504c5445) // PLTE
            palette = chunk;
        else if (kind == 0x49444154) // IDAT
            packed.insert(packed.end(), chunk.begin(), chunk.end());
        else if (kind == 0x49454e44) // IEND
            break;
        at += std::size_t{length} + 12;
    }
    const std::span<const Pass> passes =
        header->interlaced ? std::span<const Pass>(interlacing) : std::span<const Pass>(whole);
    std::int64_t size = 0;
    for (const Pass& pass : passes) {
        const std::int64_t columns = countFrom(header->width, pass.column, pass.columnStep);
        if (columns > 0)
            size += countFrom(header->height, pass.row, pass.rowStep) *
                    (header->rowBytes(columns) + 1);
    }
    // Nothing deflates to less than a thousandth.
    if (size / 1100 > static_cast<std::int64_t>(packed.size()))
        return std::nullopt;
    auto picture = makePicture(header->width, header->height, mostPixels);
    auto data = !picture ? std::nullopt : unpackZlib(packed, static_cast<std::size_t>(size), true);
    if (!data)
        return std::nullopt;
    std::span<std::uint8_t> left = *data;
    for (const Pass& pass : passes) {
        if (!drawPass(*picture, *header, pass, palette, left))
            return std::nullopt;
    }
    return picture;
}

} // namespace fusescope::images
