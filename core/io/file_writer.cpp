#include "io/file_writer.h"

#include "io/mapped_file.h"

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace fusescope {

namespace {

std::string folderOf(const std::string& path)
{
    const std::string folder = std::filesystem::path(path).parent_path().string();
    return folder.empty() ? "." : folder;
}

tl::unexpected<Error> notWritten(const std::string& path, int error)
{
    return fail(ErrorCode::notWritten,
                Message("io.cannot-write", {{"file", path}, {"why", systemReason(error)}}), {}, path);
}

tl::unexpected<Error> diskFull(const std::string& path, std::uint64_t need, std::uint64_t free)
{
    return fail(ErrorCode::notWritten,
                Message("io.disk-full", {{"file", path},
                                         {"need", static_cast<std::int64_t>(need)},
                                         {"free", static_cast<std::int64_t>(free)}}),
                {}, path);
}

std::optional<std::uint64_t> freeBytes(const std::string& folder)
{
    struct statvfs info;
    if (::statvfs(folder.c_str(), &info) != 0)
        return std::nullopt;
    return static_cast<std::uint64_t>(info.f_bavail) * info.f_frsize;
}

struct Unfinished
{
    std::mutex mutex;
    std::set<std::string> paths;
};

Unfinished& unfinished()
{
    static Unfinished all;
    return all;
}

} // namespace

void noteUnfinished(const std::string& path)
{
    const std::scoped_lock lock(unfinished().mutex);
    unfinished().paths.insert(path);
}

void forgetUnfinished(const std::string& path)
{
    const std::scoped_lock lock(unfinished().mutex);
    unfinished().paths.erase(path);
}

std::unique_lock<std::mutex> holdUnfinished()
{
    return std::unique_lock(unfinished().mutex);
}

void removeUnfinished()
{
    const std::scoped_lock lock(unfinished().mutex);
    for (const std::string& path : unfinished().paths) {
        std::error_code ignored; // there is nothing more to do when even this fails
        std::filesystem::remove_all(path, ignored);
    }
}

Result<AtomicFile> AtomicFile::create(const std::string& path, std::uint64_t bytes)
{
    static std::atomic<unsigned> counter = 0;
    const std::string folder = folderOf(path);
    const auto free = freeBytes(folder);
    if (free && *free < bytes)
        return diskFull(path, bytes, *free);
    AtomicFile file;
    file.m_path = path;
    file.m_expected = bytes;
    // O_EXCL: never through a link or into a file that is there.
    for (int attempt = 0; attempt < 100 && file.m_fd < 0; ++attempt) {
        file.m_temporary = fmt::format("{}/.fusescope-{}-{}.tmp", folder, ::getpid(), counter++);
        file.m_fd = ::open(file.m_temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file.m_fd < 0 && errno != EEXIST)
            break;
    }
    if (file.m_fd < 0) {
        const int error = errno;
        file.m_temporary.clear();
        return notWritten(path, error);
    }
    noteUnfinished(file.m_temporary);
    return file;
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : m_path(std::move(other.m_path)), m_temporary(std::exchange(other.m_temporary, {})),
      m_fd(std::exchange(other.m_fd, -1)), m_written(other.m_written), m_expected(other.m_expected)
{
}

AtomicFile::~AtomicFile()
{
    if (m_fd >= 0)
        ::close(m_fd);
    if (!m_temporary.empty()) {
        ::unlink(m_temporary.c_str());
        forgetUnfinished(m_temporary);
    }
}

tl::unexpected<Error> AtomicFile::failed(int error) const
{
    const auto free = freeBytes(folderOf(m_path));
    if ((error == ENOSPC || error == EDQUOT) && free)
        return diskFull(m_path, m_expected, *free + m_written);
    return notWritten(m_path, error);
}

Result<void> AtomicFile::write(std::string_view bytes)
{
    while (!bytes.empty()) {
        const auto size = ::write(m_fd, bytes.data(), bytes.size());
        if (size < 0 && errno == EINTR)
            continue;
        if (size < 0)
            return failed(errno);
        m_written += static_cast<std::uint64_t>(size);
        bytes.remove_prefix(static_cast<std::size_t>(size));
    }
    return {};
}

Result<void> AtomicFile::sync()
{
    if (::fsync(m_fd) != 0)
        return failed(errno);
    if (::close(std::exchange(m_fd, -1)) != 0)
        return failed(errno);
    return {};
}

Result<void> AtomicFile::rename()
{
    if (::rename(m_temporary.c_str(), m_path.c_str()) != 0)
        return failed(errno);
    forgetUnfinished(std::exchange(m_temporary, {}));
    // The name itself must survive a crash; a file system that cannot do this has done its best.
    const int folder = ::open(folderOf(m_path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        ::fsync(folder);
        ::close(folder);
    }
    return {};
}

Result<void> AtomicFile::renameBoth(AtomicFile& data, AtomicFile& model)
{
    const std::string kept = data.m_temporary + ".kept";
    const bool stood = ::access(data.m_path.c_str(), F_OK) == 0;
    // A file system without links moves it, for the moment of the two renames.
    if (stood && ::link(data.m_path.c_str(), kept.c_str()) != 0 &&
        ::rename(data.m_path.c_str(), kept.c_str()) != 0)
        return data.failed(errno);
    Result<void> done = data.rename();
    const bool placed = done.has_value();
    if (placed)
        done = model.rename();
    if (done) {
        if (stood)
            ::unlink(kept.c_str());
        return done;
    }
    if (stood)
        ::rename(kept.c_str(), data.m_path.c_str());
    else if (placed)
        ::unlink(data.m_path.c_str());
    return done;
}

Result<std::string> resolveTarget(const std::string& path, bool overwrite)
{
    std::error_code error;
    struct stat info;
    if (::lstat(path.c_str(), &info) != 0) {
        if (errno != ENOENT)
            return notWritten(path, errno);
        const std::string folder = folderOf(path);
        if (!std::filesystem::is_directory(folder, error))
            return fail(ErrorCode::notWritten, Message("io.no-folder", {{"folder", folder}}), {},
                        path);
        return path;
    }
    if (std::filesystem::is_directory(path, error))
        return notWritten(path, EISDIR);
    if (!overwrite)
        return fail(ErrorCode::notWritten, Message("io.exists", {{"file", path}}), {}, path);
    const auto real = std::filesystem::canonical(path, error);
    if (error) // a link to nothing
        return notWritten(path, ENOENT);
    if (!std::filesystem::is_regular_file(real, error))
        return fail(ErrorCode::notWritten, Message("io.not-a-file", {{"file", path}}), {}, path);
    return real.string();
}

Result<void> writeFile(const std::string& path, std::string_view bytes)
{
    FUSESCOPE_ASSIGN(const std::string target, resolveTarget(path, true));
    FUSESCOPE_ASSIGN(AtomicFile file, AtomicFile::create(target, bytes.size()));
    FUSESCOPE_TRY(file.write(bytes));
    FUSESCOPE_TRY(file.sync());
    return file.rename();
}

} // namespace fusescope
