#pragma once

#include "base/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace fusescope {

// What tells one file from another whatever its path: device and inode.
struct FileIdentity
{
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    bool operator==(const FileIdentity&) const = default;
};

// A regular file in memory: read where it is small, else mapped for reading. Where another process
// shortens a mapped file, zeros are read, and isIntact() tells.
class MappedFile
{
public:
    // Errors (unreadable) name the file. `folder`, when given, is a resolved path that the file must
    // lie in after all links are followed.
    static Result<std::shared_ptr<const MappedFile>> open(const std::string& path,
                                                          const std::string& folder = {});
    // Bytes that are held instead.
    static std::shared_ptr<const MappedFile> ofBytes(std::string bytes);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::string_view bytes() const { return {m_data, m_size}; }
    const FileIdentity& identity() const { return m_identity; } // zero for held bytes
    const std::string& path() const { return m_path; }
    // Whether the bytes are those that were there at opening: a mapped file shows what is written
    // into it. A new file in its place does no harm.
    bool isIntact() const;

private:
    MappedFile() = default;
    std::string m_held;
    const char* m_data = nullptr;
    std::size_t m_size = 0;
    void* m_mapping = nullptr;
    FileIdentity m_identity;
    std::string m_path;
    std::int64_t m_modified = 0; // ns
    int m_watched = -1;          // its place among the mappings that may fault
};

// Nothing where there is no such file.
std::optional<FileIdentity> identityOf(const std::string& path);
// What the system says of an error number, without the number.
std::string systemReason(int error);

} // namespace fusescope
