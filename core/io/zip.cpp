#include "io/zip.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

#include <zlib.h>

namespace fusescope {

namespace {

constexpr std::uint32_t localSignature = 0x04034b50;
constexpr std::uint32_t centralSignature = 0x02014b50;
constexpr std::uint32_t endSignature = 0x06054b50;
constexpr std::uint32_t end64Signature = 0x06064b50;
constexpr std::uint32_t locatorSignature = 0x07064b50;
constexpr std::uint64_t in64 = 0xFFFFFFFF;      // the value stands in the 64-bit field
constexpr std::uint64_t largestRatio = 1040;    // deflate reaches 1032

template <class T>
std::optional<T> at(std::string_view bytes, std::uint64_t offset)
{
    if (offset > bytes.size() || bytes.size() - offset < sizeof(T))
        return std::nullopt;
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return value;
}

struct Directory
{
    std::uint64_t count = 0;
    std::uint64_t offset = 0;
};

std::optional<Directory> findDirectory(std::string_view bytes)
{
    if (bytes.size() < 22)
        return std::nullopt;
    const std::size_t lowest = bytes.size() > 65557 ? bytes.size() - 65557 : 0;
    for (std::size_t end = bytes.size() - 22 + 1; end-- > lowest;) {
        if (at<std::uint32_t>(bytes, end) != endSignature)
            continue;
        Directory directory{*at<std::uint16_t>(bytes, end + 10), *at<std::uint32_t>(bytes, end + 16)};
        if (end >= 20 && at<std::uint32_t>(bytes, end - 20) == locatorSignature) {
            const auto record = *at<std::uint64_t>(bytes, end - 12);
            if (at<std::uint32_t>(bytes, record) != end64Signature)
                return std::nullopt;
            const auto count = at<std::uint64_t>(bytes, record + 32);
            const auto offset = at<std::uint64_t>(bytes, record + 48);
            if (!count || !offset)
                return std::nullopt;
            directory = {*count, *offset};
        }
        return directory;
    }
    return std::nullopt;
}

struct Entry
{
    std::string name;
    std::uint16_t flags = 0, method = 0;
    std::uint32_t crc = 0;
    std::uint64_t packed = 0, size = 0, offset = 0;
};

// Sizes and offset of the zip64 extra field, where the plain ones say so.
bool readExtra(std::string_view extra, Entry& entry)
{
    while (extra.size() >= 4) {
        const auto id = *at<std::uint16_t>(extra, 0);
        const std::size_t size = *at<std::uint16_t>(extra, 2);
        if (size > extra.size() - 4)
            return false;
        if (id == 1) {
            const auto fields = extra.substr(4, size);
            std::uint64_t place = 0;
            for (std::uint64_t* value : {&entry.size, &entry.packed, &entry.offset}) {
                if (*value != in64)
                    continue;
                const auto wide = at<std::uint64_t>(fields, place);
                if (!wide)
                    return false;
                *value = *wide;
                place += 8;
            }
        }
        extra.remove_prefix(4 + size);
    }
    return true;
}

std::optional<std::uint64_t> readEntry(std::string_view bytes, std::uint64_t place, Entry& entry)
{
    if (at<std::uint32_t>(bytes, place) != centralSignature ||
        !at<std::uint32_t>(bytes, place + 42))
        return std::nullopt;
    entry.flags = *at<std::uint16_t>(bytes, place + 8);
    entry.method = *at<std::uint16_t>(bytes, place + 10);
    entry.crc = *at<std::uint32_t>(bytes, place + 16);
    entry.packed = *at<std::uint32_t>(bytes, place + 20);
    entry.size = *at<std::uint32_t>(bytes, place + 24);
    const std::uint64_t name = *at<std::uint16_t>(bytes, place + 28);
    const std::uint64_t extra = *at<std::uint16_t>(bytes, place + 30);
    const std::uint64_t comment = *at<std::uint16_t>(bytes, place + 32);
    entry.offset = *at<std::uint32_t>(bytes, place + 42);
    if (bytes.size() - place < 46 + name + extra + comment)
        return std::nullopt;
    entry.name = bytes.substr(place + 46, name);
    if (!readExtra(bytes.substr(place + 46 + name, extra), entry))
        return std::nullopt;
    return place + 46 + name + extra + comment;
}

std::shared_ptr<const std::string> inflated(std::string_view packed, std::uint64_t size)
{
    if (size > packed.size() * largestRatio + 64 ||
        packed.size() > std::numeric_limits<uInt>::max() || size > std::numeric_limits<uInt>::max())
        return nullptr;
    std::shared_ptr<std::string> result;
    try {
        result = std::make_shared<std::string>(size, '\0');
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        return nullptr;
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(result->data());
    stream.avail_out = static_cast<uInt>(size);
    const int status = inflate(&stream, Z_FINISH);
    const bool whole = status == Z_STREAM_END && stream.total_out == size;
    inflateEnd(&stream);
    return whole ? result : nullptr;
}

std::uint32_t crcOf(std::string_view bytes)
{
    return static_cast<std::uint32_t>(
        crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::optional<ZipEntry> unpack(const std::shared_ptr<const MappedFile>& file, const Entry& entry)
{
    const std::string_view bytes = file->bytes();
    if (at<std::uint32_t>(bytes, entry.offset) != localSignature)
        return std::nullopt;
    const auto name = at<std::uint16_t>(bytes, entry.offset + 26);
    const auto extra = at<std::uint16_t>(bytes, entry.offset + 28);
    if (!name || !extra || (entry.flags & 1) != 0)
        return std::nullopt;
    const std::uint64_t start = entry.offset + 30 + *name + *extra;
    if (start > bytes.size() || entry.packed > bytes.size() - start)
        return std::nullopt;
    const std::string_view packed = bytes.substr(start, entry.packed);
    ZipEntry result{entry.name, packed, file};
    if (entry.method == 8) {
        const auto unpacked = inflated(packed, entry.size);
        if (!unpacked)
            return std::nullopt;
        result.bytes = *unpacked;
        result.owner = unpacked;
    } else if (entry.method != 0 || entry.packed != entry.size) {
        return std::nullopt;
    }
    if (crcOf(result.bytes) != entry.crc)
        return std::nullopt;
    return result;
}

} // namespace

Result<std::vector<ZipEntry>> readZip(const std::shared_ptr<const MappedFile>& file,
                                      const std::string& path)
{
    const std::string_view bytes = file->bytes();
    const auto wrong = [&path](TextId text) {
        return fail(ErrorCode::unreadable,
                    Message(text, {{"file", path}, {"format", std::string(".npz")}}), {}, path);
    };
    const auto directory = findDirectory(bytes);
    if (!directory)
        return wrong("io.data-unknown");
    std::vector<ZipEntry> result;
    std::uint64_t place = directory->offset;
    std::uint64_t packed = 0;
    for (std::uint64_t i = 0; i < directory->count; ++i) {
        Entry entry;
        const auto next = place < bytes.size() ? readEntry(bytes, place, entry) : std::nullopt;
        if (!next)
            return wrong("io.data-truncated");
        place = *next;
        if (entry.name.ends_with('/'))
            continue;
        // Entries that share bytes would make more of a file than its size allows.
        packed += std::min<std::uint64_t>(entry.packed, bytes.size());
        if (packed > bytes.size())
            return wrong("io.data-truncated");
        auto unpacked = unpack(file, entry);
        if (!unpacked)
            return wrong("io.data-truncated");
        result.push_back(*std::move(unpacked));
    }
    return result;
}

namespace {

template <class T>
void put(std::string& text, T value)
{
    text.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// What the local header and the directory have in common.
void putCommon(std::string& text, std::uint32_t crc, std::uint32_t size, std::size_t name)
{
    put<std::uint16_t>(text, 20);     // version needed
    put<std::uint16_t>(text, 0x0800); // names are UTF-8
    put<std::uint16_t>(text, 0);      // stored
    put<std::uint16_t>(text, 0);      // time
    put<std::uint16_t>(text, 0x21);   // 1 January 1980
    put<std::uint32_t>(text, crc);
    put<std::uint32_t>(text, size);
    put<std::uint32_t>(text, size);
    put<std::uint16_t>(text, static_cast<std::uint16_t>(name));
    put<std::uint16_t>(text, 0);
}

} // namespace

Result<std::string> zipBytes(const std::vector<std::pair<std::string, std::string>>& entries,
                             const std::string& path)
{
    std::uint64_t total = 22;
    for (const auto& [name, bytes] : entries)
        total += bytes.size() + 2 * name.size() + 76;
    if (total >= in64 || entries.size() >= 0xFFFF)
        return fail(ErrorCode::unsupported,
                    Message("io.archive-too-large", {{"file", path}}), {}, path);
    std::string archive;
    std::string directory;
    for (const auto& [name, bytes] : entries) {
        const auto offset = static_cast<std::uint32_t>(archive.size());
        const auto size = static_cast<std::uint32_t>(bytes.size());
        const std::uint32_t crc = crcOf(bytes);
        put(archive, localSignature);
        putCommon(archive, crc, size, name.size());
        archive += name;
        archive += bytes;
        put(directory, centralSignature);
        put<std::uint16_t>(directory, 20);
        putCommon(directory, crc, size, name.size());
        directory.append(10, '\0'); // comment, disk, attributes
        put(directory, offset);
        directory += name;
    }
    const auto start = static_cast<std::uint32_t>(archive.size());
    archive += directory;
    put(archive, endSignature);
    put<std::uint32_t>(archive, 0);
    put(archive, static_cast<std::uint16_t>(entries.size()));
    put(archive, static_cast<std::uint16_t>(entries.size()));
    put(archive, static_cast<std::uint32_t>(directory.size()));
    put(archive, start);
    put<std::uint16_t>(archive, 0);
    return archive;
}

} // namespace fusescope
