#include "ops/images/images.h"

#include <algorithm>

namespace fusescope::images {

std::optional<Picture> makePicture(std::int64_t width, std::int64_t height, std::int64_t mostPixels)
{
    if (width < 1 || height < 1 || width > mostPixels / height)
        return std::nullopt;
    Picture picture{width, height, {}};
    picture.pixels.resize(static_cast<std::size_t>(width * height * 3));
    return picture;
}

std::uint32_t littleEndian(Bytes bytes, std::size_t at, int size)
{
    std::uint32_t value = 0;
    for (int i = size; i-- > 0;) {
        const std::size_t place = at + static_cast<std::size_t>(i);
        value = value << 8 | (place < bytes.size() ? bytes[place] : 0U);
    }
    return value;
}

std::uint32_t bigEndian(Bytes bytes, std::size_t at, int size)
{
    std::uint32_t value = 0;
    for (int i = 0; i < size; ++i) {
        const std::size_t place = at + static_cast<std::size_t>(i);
        value = value << 8 | (place < bytes.size() ? bytes[place] : 0U);
    }
    return value;
}

namespace {

// The numbers of a header, between blanks and comments.
class PnmReader
{
public:
    explicit PnmReader(Bytes bytes) : m_bytes(bytes) {}

    std::optional<std::int64_t> number()
    {
        skipBlanks();
        std::int64_t value = 0;
        const std::size_t start = m_at;
        while (m_at < m_bytes.size() && m_bytes[m_at] >= '0' && m_bytes[m_at] <= '9' &&
               value < 1'000'000'000)
            value = value * 10 + (m_bytes[m_at++] - '0');
        return m_at > start ? std::optional(value) : std::nullopt;
    }

    // A digit of a bitmap in text, which may stand without a blank.
    std::optional<int> bit()
    {
        skipBlanks();
        if (m_at >= m_bytes.size() || (m_bytes[m_at] != '0' && m_bytes[m_at] != '1'))
            return std::nullopt;
        return m_bytes[m_at++] - '0';
    }

    // One blank ends the header of a binary picture.
    Bytes rest() const { return m_bytes.subspan(std::min(m_at + 1, m_bytes.size())); }

private:
    void skipBlanks()
    {
        while (m_at < m_bytes.size()) {
            const std::uint8_t c = m_bytes[m_at];
            if (c == '#') {
                while (m_at < m_bytes.size() && m_bytes[m_at] != '\n')
                    ++m_at;
            } else if (c != ' ' && (c < '\t' || c > '\r')) {
                return;
            } else {
                ++m_at;
            }
        }
    }

    Bytes m_bytes;
    std::size_t m_at = 2;
};

} // namespace

std::optional<Picture> decodePnm(Bytes file, std::int64_t mostPixels)
{
    if (file.size() < 3 || file[0] != 'P' || file[1] < '1' || file[1] > '6')
        return std::nullopt;
    const int kind = file[1] - '0';
    const bool isBits = kind == 1 || kind == 4;
    const int samples = kind == 3 || kind == 6 ? 3 : 1;
    PnmReader reader(file);
    const auto width = reader.number();
    const auto height = reader.number();
    const auto most = isBits ? std::optional<std::int64_t>(1) : reader.number();
    if (!width || !height || !most || *most < 1 || *most > 65535 || *width > mostPixels ||
        *height > mostPixels)
        return std::nullopt;
    const Bytes binary = reader.rest();
    const std::int64_t size = *most > 255 ? 2 : 1;
    const std::int64_t rowBytes = isBits ? (*width + 7) / 8 : *width * samples * size;
    // Text takes a byte a sample at least.
    const std::int64_t least = kind >= 4 ? *height * rowBytes : *width * *height * samples;
    if (static_cast<std::int64_t>(binary.size()) + (kind >= 4 ? 0 : 1) < least)
        return std::nullopt;
    auto picture = makePicture(*width, *height, mostPixels);
    if (!picture)
        return std::nullopt;
    const auto sample = [&](std::int64_t row, std::int64_t i) -> std::optional<std::int64_t> {
        if (kind == 1) {
            const auto bit = reader.bit();
            return bit ? std::optional<std::int64_t>(1 - *bit) : std::nullopt;
        }
        if (kind < 4)
            return reader.number();
        const auto at = static_cast<std::size_t>(row * rowBytes + (isBits ? i / 8 : i * size));
        if (isBits)
            return 1 - (binary[at] >> (7 - i % 8) & 1);
        return bigEndian(binary, at, static_cast<int>(size));
    };
    for (std::int64_t row = 0; row < *height; ++row) {
        for (std::int64_t column = 0; column < *width; ++column) {
            std::uint8_t rgb[3] = {};
            for (int s = 0; s < samples; ++s) {
                const auto value = sample(row, column * samples + s);
                if (!value)
                    return std::nullopt;
                rgb[s] = static_cast<std::uint8_t>(
                    (std::min(*value, *most) * 255 + *most / 2) / *most);
            }
            if (samples == 1)
                rgb[1] = rgb[2] = rgb[0];
            setPixel(*picture, row * *width + column, rgb[0], rgb[1], rgb[2]);
        }
    }
    return picture;
}

std::optional<Picture> decodeBmp(Bytes file, std::int64_t mostPixels)
{
    if (file.size() < 54 || file[0] != 'B' || file[1] != 'M')
        return std::nullopt;
    const std::uint32_t header = littleEndian(file, 14, 4);
    const std::uint32_t first = littleEndian(file, 10, 4);
    const auto width = static_cast<std::int32_t>(littleEndian(file, 18, 4));
    const auto signedHeight = static_cast<std::int32_t>(littleEndian(file, 22, 4));
    const int bits = static_cast<int>(littleEndian(file, 28, 2));
    // Compression 3 with the usual masks is how some writers store 32 bits.
    const std::uint32_t compression = littleEndian(file, 30, 4);
    const bool usualMasks = compression == 3 && bits == 32 && littleEndian(file, 54, 4) == 0xff0000;
    if (header < 40 || header > 1024 || (compression != 0 && !usualMasks) ||
        (bits != 1 && bits != 4 && bits != 8 && bits != 24 && bits != 32) || signedHeight == INT32_MIN)
        return std::nullopt;
    const std::int64_t height = std::abs(signedHeight);
    const std::int64_t rowBytes = (std::int64_t{width} * bits + 31) / 32 * 4;
    if (width < 1 || height < 1 ||
        rowBytes > (static_cast<std::int64_t>(file.size()) - first) / height)
        return std::nullopt;
    auto picture = makePicture(width, height, mostPixels);
    if (!picture)
        return std::nullopt;
    const std::uint32_t named = littleEndian(file, 46, 4);
    const std::uint32_t colours = bits > 8 ? 0 : named == 0 ? 1U << bits : named;
    for (std::int64_t row = 0; row < height; ++row) {
        const std::int64_t from = signedHeight > 0 ? height - 1 - row : row;
        const std::size_t start = first + static_cast<std::size_t>(from * rowBytes);
        for (std::int64_t column = 0; column < width; ++column) {
            std::size_t at = start + static_cast<std::size_t>(column * bits / 8);
            if (bits <= 8) {
                const auto shift = 8 - bits - static_cast<int>(column * bits % 8);
                const std::uint32_t index = file[at] >> shift & ((1U << bits) - 1);
                if (index >= colours)
                    return std::nullopt;
                at = std::size_t{14} + header + std::size_t{index} * 4;
            }
            if (at + 3 > file.size())
                return std::nullopt;
            setPixel(*picture, row * width + column, file[at + 2], file[at + 1], file[at]);
        }
    }
    return picture;
}

} // namespace fusescope::images
