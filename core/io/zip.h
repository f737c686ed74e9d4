#pragma once

#include "io/mapped_file.h"

#include <utility>
#include <vector>

namespace fusescope {

struct ZipEntry
{
    std::string name;
    std::string_view bytes;
    std::shared_ptr<const void> owner; // of the bytes: the file, or what was unpacked
};

// The entries of an archive (PKWARE's APPNOTE), stored or deflated, checked by size and CRC.
Result<std::vector<ZipEntry>> readZip(const std::shared_ptr<const MappedFile>& file,
                                      const std::string& path);

// An archive of stored entries; fails beyond the 4 GiB of the plain format.
Result<std::string> zipBytes(const std::vector<std::pair<std::string, std::string>>& entries,
                             const std::string& path);

} // namespace fusescope
