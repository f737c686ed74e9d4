#pragma once

#include "base/progress.h"
#include "base/result.h"

#include <mutex>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

namespace fusescope {

// A file that appears whole under its name, or not at all: a temporary one beside it is written,
// synced and renamed. What is not committed is removed. Errors are notWritten and name the file.
class AtomicFile
{
public:
    // Fails where the folder does not take files, or has less than `bytes` free.
    static Result<AtomicFile> create(const std::string& path, std::uint64_t bytes);
    AtomicFile(AtomicFile&& other) noexcept;
    AtomicFile& operator=(AtomicFile&&) = delete;
    ~AtomicFile();

    Result<void> write(std::string_view bytes);
    std::uint64_t written() const { return m_written; }
    // On disk, still under the temporary name.
    Result<void> sync();
    Result<void> rename();
    // A model and its data, both or neither: data that stood there comes back when the model cannot
    // follow.
    static Result<void> renameBoth(AtomicFile& data, AtomicFile& model);

private:
    AtomicFile() = default;
    tl::unexpected<Error> failed(int error) const;

    std::string m_path, m_temporary;
    int m_fd = -1;
    std::uint64_t m_written = 0;
    std::uint64_t m_expected = 0;
};

// The path that writing to `path` really reaches: links followed where it exists. Fails where the
// folder does not exist, the path is a folder, or a file exists that may not be replaced.
Result<std::string> resolveTarget(const std::string& path, bool overwrite);

// Notes a file or folder that is to go, whatever happens; until it is forgotten. For programs that end
// in the middle: removeUnfinished() takes away what is noted, from any thread.
void noteUnfinished(const std::string& path);
void forgetUnfinished(const std::string& path);
void removeUnfinished();
// While it is held nothing is removed: files are changing places.
std::unique_lock<std::mutex> holdUnfinished();

// Writes a whole small file atomically.
Result<void> writeFile(const std::string& path, std::string_view bytes);

} // namespace fusescope
