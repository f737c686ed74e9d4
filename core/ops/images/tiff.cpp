#include "ops/images/images.h"

#include <algorithm>

// TIFF 6.0, the baseline parts that pictures of 8 bits a sample need.
namespace fusescope::images {

namespace {

class Reader
{
public:
    Reader(Bytes file, bool little) : m_file(file), m_little(little) {}

    std::uint32_t number(std::size_t at, int size) const
    {
        return m_little ? littleEndian(m_file, at, size) : bigEndian(m_file, at, size);
    }

    // The values of a tag of the first directory (types: byte, short, long); empty if there is none.
    std::vector<std::uint32_t> values(std::uint32_t tag) const
    {
        const std::size_t directory = number(4, 4);
        const std::uint32_t count = number(directory, 2);
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::size_t entry = directory + 2 + std::size_t{i} * 12;
            if (entry + 12 > m_file.size())
                break;
            if (number(entry, 2) != tag)
                continue;
            const std::uint32_t type = number(entry + 2, 2);
            const std::uint32_t length = number(entry + 4, 4);
            const int size = type == 3 ? 2 : type == 4 ? 4 : type == 1 ? 1 : 0;
            if (size == 0 || length > m_file.size() / static_cast<std::size_t>(size))
                return {};
            const std::size_t bytes = std::size_t{length} * static_cast<std::size_t>(size);
            const std::size_t first = bytes <= 4 ? entry + 8 : number(entry + 8, 4);
            std::vector<std::uint32_t> result;
            for (std::uint32_t k = 0; k < length; ++k)
                result.push_back(number(first + std::size_t{k} * static_cast<std::size_t>(size),
                                        size));
            return result;
        }
        return {};
    }

    std::uint32_t value(std::uint32_t tag, std::uint32_t otherwise) const
    {
        const auto all = values(tag);
        return all.empty() ? otherwise : all.front();
    }

private:
    Bytes m_file;
    bool m_little;
};

std::optional<std::vector<std::uint8_t>> unpackBits(Bytes packed, std::size_t size)
{
    std::vector<std::uint8_t> result;
    result.reserve(size);
    for (std::size_t at = 0; at < packed.size() && result.size() < size;) {
        const auto control = static_cast<std::int8_t>(packed[at++]);
        if (control >= 0) {
            const std::size_t count = std::min<std::size_t>(static_cast<std::size_t>(control) + 1,
                                                            packed.size() - at);
            const Bytes literal = packed.subspan(at, count);
            result.insert(result.end(), literal.begin(), literal.end());
            at += count;
        } else if (control != -128 && at < packed.size()) {
            result.insert(result.end(), static_cast<std::size_t>(1 - control), packed[at++]);
        }
    }
    if (result.size() < size)
        return std::nullopt;
    result.resize(size);
    return result;
}

std::optional<std::vector<std::uint8_t>> unpackStrip(Bytes strip, std::uint32_t compression,
                                                     std::size_t size)
{
    if (compression == 32773)
        return unpackBits(strip, size);
    if (compression == 8 || compression == 32946)
        return unpackZlib(strip, size, true);
    if (compression != 1 || strip.size() < size)
        return std::nullopt;
    return std::vector<std::uint8_t>(strip.begin(),
                                     strip.begin() + static_cast<std::ptrdiff_t>(size));
}

} // namespace

std::optional<Picture> decodeTiff(Bytes file, std::int64_t mostPixels)
{
    if (file.size() < 8)
        return std::nullopt;
    const bool little = file[0] == 'I' && file[1] == 'I';
    if (!little && (file[0] != 'M' || file[1] != 'M'))
        return std::nullopt;
    const Reader reader(file, little);
    if (reader.number(2, 2) != 42)
        return std::nullopt;
    const std::int64_t width = reader.value(256, 0) & 0x7fffffffU;
    const std::int64_t height = reader.value(257, 0) & 0x7fffffffU;
    const std::uint32_t photometric = reader.value(262, 1);
    const std::int64_t samples = reader.value(277, 1);
    const std::uint32_t predictor = reader.value(317, 1);
    const auto palette = reader.values(320);
    const bool isColour = photometric == 2 && samples >= 3;
    const bool isIndexed = photometric == 3 && samples == 1 && palette.size() == 768;
    const bool isGray = photometric <= 1 && samples >= 1;
    for (const std::uint32_t bits : reader.values(258)) {
        if (bits != 8)
            return std::nullopt;
    }
    if ((!isColour && !isIndexed && !isGray) || samples > 16 || reader.values(258).empty() ||
        reader.value(284, 1) != 1 || (predictor != 1 && predictor != 2))
        return std::nullopt;
    if (width * height / 1100 > static_cast<std::int64_t>(file.size()))
        return std::nullopt;
    auto picture = makePicture(width, height, mostPixels);
    const auto offsets = reader.values(273), lengths = reader.values(279);
    const std::int64_t rowsPerStrip = reader.value(278, 0xffffffffU);
    if (!picture || rowsPerStrip < 1 || offsets.size() != lengths.size())
        return std::nullopt;
    std::int64_t row = 0;
    for (std::size_t i = 0; i < offsets.size() && row < height; ++i) {
        const std::int64_t rows = std::min(rowsPerStrip, height - row);
        if (offsets[i] > file.size() || lengths[i] > file.size() - offsets[i])
            return std::nullopt;
        auto strip = unpackStrip(file.subspan(offsets[i], lengths[i]), reader.value(259, 1),
                                 static_cast<std::size_t>(rows * width * samples));
        if (!strip)
            return std::nullopt;
        for (std::int64_t p = 0; p < rows * width; ++p) {
            std::uint8_t* at = strip->data() + p * samples;
            for (std::int64_t s = 0; predictor == 2 && p % width > 0 && s < samples; ++s)
                at[s] = static_cast<std::uint8_t>(at[s] + (at - samples)[s]);
        }
        for (std::int64_t p = 0; p < rows * width; ++p) {
            const std::uint8_t* at = strip->data() + p * samples;
            const std::int64_t to = row * width + p;
            const auto colour = [&](std::size_t k) {
                return static_cast<std::uint8_t>(palette[k * 256 + at[0]] >> 8);
            };
            const auto gray = static_cast<std::uint8_t>(photometric == 0 ? 255 - at[0] : at[0]);
            if (isColour)
                setPixel(*picture, to, at[0], at[1], at[2]);
            else if (isIndexed)
                setPixel(*picture, to, colour(0), colour(1), colour(2));
            else
                setPixel(*picture, to, gray, gray, gray);
        }
        row += rows;
    }
    return row == height ? picture : std::nullopt;
}

} // namespace fusescope::images
