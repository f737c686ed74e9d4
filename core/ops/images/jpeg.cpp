#include "ops/images/jpeg_blocks.h"

#include <algorithm>

// JPEG (ITU-T T.81): sequential pictures, Huffman coded.
namespace fusescope::images {

namespace {

// The order in which a block's coefficients are stored, as places in rows.
constexpr std::uint8_t zigzag[64] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
    41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
    30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

struct Component
{
    int id = 0, across = 1, down = 1, quantization = 0; // samples of a unit; a table's number
    const HuffmanTable* dc = nullptr;
    const HuffmanTable* ac = nullptr;
    int predicted = 0;
    std::int64_t columns = 0, rows = 0; // of whole blocks
    JpegPlane plane;
    bool isRead = false;
};

class Decoder
{
public:
    Decoder(Bytes file, std::int64_t mostPixels) : m_file(file), m_mostPixels(mostPixels) {}

    std::optional<Picture> run()
    {
        if (bigEndian(m_file, 0, 2) != 0xffd8)
            return std::nullopt;
        std::size_t at = 2;
        while (at + 4 <= m_file.size()) {
            if (m_file[at] != 0xff || m_file[at + 1] == 0xff || m_file[at + 1] == 0) {
                ++at; // what follows a scan, or padding
                continue;
            }
            const int marker = m_file[at + 1];
            if (marker == 0xd9)
                break;
            if (marker == 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
                at += 2;
                continue;
            }
            const std::size_t length = bigEndian(m_file, at + 2, 2);
            if (length < 2 || length > m_file.size() - at - 2)
                return std::nullopt;
            if (!segment(marker, m_file.subspan(at + 4, length - 2), at + 2 + length))
                return std::nullopt;
            at += 2 + length;
        }
        return finish();
    }

private:
    bool segment(int marker, Bytes body, std::size_t next)
    {
        switch (marker) {
        case 0xdb: return readQuantization(body);
        case 0xc4: return readHuffman(body);
        case 0xc0:
        case 0xc1: return readFrame(body);
        case 0xda: return readScan(body, next);
        case 0xdd: m_restartInterval = static_cast<int>(bigEndian(body, 0, 2)); return true;
        case 0xee: // Adobe says whether three components are red, green and blue
            if (body.size() >= 12 && body[0] == 'A' && body[1] == 'd')
                m_isRgb = body[11] == 0;
            return true;
        default: return marker < 0xc2 || marker > 0xcf; // other ways of coding
        }
    }

    bool readQuantization(Bytes body)
    {
        while (!body.empty()) {
            const int size = body[0] >> 4 == 0 ? 1 : 2;
            const std::size_t length = 1 + 64 * static_cast<std::size_t>(size);
            if ((body[0] & 15) > 3 || body.size() < length)
                return false;
            auto& table = m_quantization[body[0] & 15U];
            for (std::size_t i = 0; i < 64; ++i)
                table[zigzag[i]] = static_cast<int>(
                    bigEndian(body, 1 + i * static_cast<std::size_t>(size), size));
            body = body.subspan(length);
        }
        return true;
    }

    bool readHuffman(Bytes body)
    {
        while (body.size() >= 17) {
            const std::size_t kind = body[0] >> 4, number = body[0] & 15U;
            HuffmanTable table;
            std::size_t total = 0;
            int room = 1; // codes left of each length
            for (std::size_t length = 1; length <= 16; ++length) {
                table.counts[length] = body[length];
                total += body[length];
                room = room * 2 - body[length];
                if (room < 0)
                    return false;
            }
            if (kind > 1 || number > 3 || body.size() < 17 + total)
                return false;
            const Bytes symbols = body.subspan(17, total);
            table.symbols.assign(symbols.begin(), symbols.end());
            m_huffman[kind][number] = std::move(table);
            body = body.subspan(17 + total);
        }
        return body.empty();
    }

    bool readFrame(Bytes body)
    {
        if (!m_components.empty() || body.size() < 6 || body[0] != 8)
            return false;
        m_height = bigEndian(body, 1, 2);
        m_width = bigEndian(body, 3, 2);
        const std::size_t count = body[5];
        // Of 64 pixels at least two bits are stored.
        if ((count != 1 && count != 3) || body.size() < 6 + count * 3 || m_height < 1 ||
            m_width < 1 || m_width > m_mostPixels / m_height ||
            m_width * m_height / 1024 > static_cast<std::int64_t>(m_file.size()))
            return false;
        for (std::size_t i = 0; i < count; ++i) {
            Component c;
            c.id = body[6 + i * 3];
            c.across = body[7 + i * 3] >> 4;
            c.down = body[7 + i * 3] & 15;
            c.quantization = body[8 + i * 3];
            if (c.across < 1 || c.across > 4 || c.down < 1 || c.down > 4 || c.quantization > 3)
                return false;
            if (count == 1)
                c.across = c.down = 1;
            m_across = std::max(m_across, c.across);
            m_down = std::max(m_down, c.down);
            m_components.push_back(std::move(c));
        }
        const auto share = [](std::int64_t size, std::int64_t part, std::int64_t whole) {
            return (size * part + whole - 1) / whole;
        };
        for (Component& c : m_components) {
            if (m_across % c.across != 0 || m_down % c.down != 0)
                return false;
            c.plane.width = share(m_width, c.across, m_across);
            c.plane.height = share(m_height, c.down, m_down);
            c.columns = share(m_width, 1, std::int64_t{8} * m_across) * c.across;
            c.rows = share(m_height, 1, std::int64_t{8} * m_down) * c.down;
            c.plane.stride = c.columns * 8;
            c.plane.samples.resize(static_cast<std::size_t>(c.columns * c.rows * 64));
        }
        return true;
    }

    bool readScan(Bytes body, std::size_t next)
    {
        const std::size_t count = body.empty() ? 0 : body[0];
        if (count < 1 || count > m_components.size() || body.size() < 4 + count * 2)
            return false;
        std::vector<Component*> scanned;
        for (std::size_t i = 0; i < count; ++i) {
            const int id = body[1 + i * 2];
            const auto found = std::ranges::find(m_components, id, &Component::id);
            const std::size_t dc = body[2 + i * 2] >> 4, ac = body[2 + i * 2] & 15U;
            if (found == m_components.end() || dc > 3 || ac > 3 ||
                std::ranges::find(scanned, &*found) != scanned.end())
                return false;
            found->dc = &m_huffman[0][dc];
            found->ac = &m_huffman[1][ac];
            found->predicted = 0;
            found->isRead = true;
            scanned.push_back(&*found);
        }
        JpegBits bits(m_file, next);
        // A scan of one component has its blocks in rows, without those that only fill a unit.
        const bool single = count == 1;
        const Component& first = *scanned.front();
        const std::int64_t columns = single ? (first.plane.width + 7) / 8
                                            : first.columns / first.across;
        const std::int64_t rows = single ? (first.plane.height + 7) / 8 : first.rows / first.down;
        for (std::int64_t unit = 0; unit < columns * rows; ++unit) {
            if (m_restartInterval > 0 && unit > 0 && unit % m_restartInterval == 0) {
                bits.restart();
                for (Component* c : scanned)
                    c->predicted = 0;
            }
            for (Component* c : scanned) {
                const int across = single ? 1 : c->across, down = single ? 1 : c->down;
                for (int block = 0; block < across * down; ++block) {
                    const std::int64_t row = unit / columns * down + block / across;
                    const std::int64_t column = unit % columns * across + block % across;
                    if (!readBlock(bits, *c, row, column))
                        return false;
                }
            }
            if (bits.isExhausted())
                return false;
        }
        return true;
    }

    bool readBlock(JpegBits& bits, Component& c, std::int64_t row, std::int64_t column)
    {
        const auto& steps = m_quantization[static_cast<std::size_t>(c.quantization)];
        // Damaged files may hold anything: the bound keeps the sums small.
        const auto scaled = [](int value, int step) {
            constexpr std::int64_t bound = 1 << 20;
            return static_cast<int>(std::clamp(std::int64_t{value} * step, -bound, bound));
        };
        JpegBlock block = {};
        const auto size = bits.symbol(*c.dc);
        if (!size || *size > 15)
            return false;
        c.predicted = std::clamp(c.predicted + bits.number(*size), -(1 << 20), 1 << 20);
        block[0] = scaled(c.predicted, steps[0]);
        for (std::size_t k = 1; k < 64; ++k) {
            const auto symbol = bits.symbol(*c.ac);
            if (!symbol)
                return false;
            const int length = *symbol & 15;
            const std::size_t zeros = static_cast<std::size_t>(*symbol >> 4);
            if (length == 0 && zeros != 15)
                break;
            k += zeros;
            if (k > 63)
                return false;
            const std::size_t place = zigzag[k];
            block[place] = scaled(bits.number(length), steps[place]);
        }
        inverseTransform(block, c.plane.samples.data() + (row * c.plane.stride + column) * 8,
                         c.plane.stride);
        return true;
    }

    std::optional<Picture> finish() const
    {
        const bool all = std::ranges::all_of(m_components, &Component::isRead);
        auto picture = all && !m_components.empty() ? makePicture(m_width, m_height, m_mostPixels)
                                                    : std::nullopt;
        if (!picture)
            return std::nullopt;
        const auto width = static_cast<std::size_t>(m_width);
        std::vector<std::uint8_t> lines[3];
        for (std::int64_t row = 0; row < m_height; ++row) {
            for (std::size_t i = 0; i < m_components.size(); ++i) {
                const Component& c = m_components[i];
                lines[i].resize(width);
                upsampleRow(c.plane, m_across / c.across, m_down / c.down, row, lines[i]);
            }
            for (std::size_t x = 0; x < width; ++x) {
                const std::int64_t at = row * m_width + static_cast<std::int64_t>(x);
                if (m_components.size() == 1)
                    setPixel(*picture, at, lines[0][x], lines[0][x], lines[0][x]);
                else if (m_isRgb)
                    setPixel(*picture, at, lines[0][x], lines[1][x], lines[2][x]);
                else
                    setYcc(*picture, at, lines[0][x], lines[1][x] - 128, lines[2][x] - 128);
            }
        }
        return picture;
    }

    // The inverse of JFIF's luminance and chrominance, in steps of 2^-16.
    static void setYcc(Picture& picture, std::int64_t at, int y, int cb, int cr)
    {
        constexpr int half = 1 << 15;
        const auto clamped = [](int value) {
            return static_cast<std::uint8_t>(std::clamp(value, 0, 255));
        };
        setPixel(picture, at, clamped(y + ((91881 * cr + half) >> 16)),
                 clamped(y + ((-22554 * cb - 46802 * cr + half) >> 16)),
                 clamped(y + ((116130 * cb + half) >> 16)));
    }

    Bytes m_file;
    std::int64_t m_mostPixels, m_width = 0, m_height = 0;
    int m_across = 1, m_down = 1, m_restartInterval = 0;
    bool m_isRgb = false;
    std::array<std::array<int, 64>, 4> m_quantization = {};
    std::array<std::array<HuffmanTable, 4>, 2> m_huffman;
    std::vector<Component> m_components;
};

} // namespace

std::optional<Picture> decodeJpeg(Bytes file, std::int64_t mostPixels)
{
    return Decoder(file, mostPixels).run();
}

} // namespace fusescope::images
