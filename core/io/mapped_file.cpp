#include "io/mapped_file.h"

#include <cerrno>
#include <climits>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fusescope {

namespace {

constexpr std::size_t largestRead = std::size_t{16} << 20;

class Descriptor
{
public:
    explicit Descriptor(int fd) : m_fd(fd) {}
    ~Descriptor()
    {
        if (m_fd >= 0)
            ::close(m_fd);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return m_fd; }

private:
    int m_fd;
};

// Where an open file really lies; empty where the system does not tell.
std::string realPathOf(int fd)
{
    char buffer[PATH_MAX];
    const auto size =
        ::readlink(fmt::format("/proc/self/fd/{}", fd).c_str(), buffer, sizeof buffer);
    return size > 0 ? std::string(buffer, static_cast<std::size_t>(size)) : std::string();
}

tl::unexpected<Error> unreadable(const std::string& path, int error)
{
    return fail(ErrorCode::unreadable,
                Message("io.cannot-open", {{"file", path}, {"why", systemReason(error)}}), {}, path);
}

} // namespace

std::string systemReason(int error)
{
    return std::generic_category().message(error);
}

std::optional<FileIdentity> identityOf(const std::string& path)
{
    struct stat info;
    if (::stat(path.c_str(), &info) != 0)
        return std::nullopt;
    return FileIdentity{info.st_dev, info.st_ino};
}

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::string& path,
                                                           const std::string& folder)
{
    // Not waiting for a writer: the path may name a pipe.
    const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (fd.get() < 0)
        return unreadable(path, errno);
    struct stat info;
    if (::fstat(fd.get(), &info) != 0)
        return unreadable(path, errno);
    if (S_ISDIR(info.st_mode))
        return unreadable(path, EISDIR);
    if (!S_ISREG(info.st_mode))
        return fail(ErrorCode::unreadable, Message("io.not-a-file", {{"file", path}}), {}, path);
    if (!folder.empty()) {
        const std::string real = realPathOf(fd.get());
        const std::string inside = folder == "/" ? folder : folder + "/";
        if (!real.starts_with(inside))
            return fail(ErrorCode::unreadable, Message("io.external-leaves-folder", {{"file", path}}),
                        {}, path);
    }
    std::shared_ptr<MappedFile> file(new MappedFile);
    file->m_identity = {info.st_dev, info.st_ino};
    file->m_size = static_cast<std::size_t>(info.st_size);
    if (file->m_size > 0 && file->m_size <= largestRead) {
        file->m_held.resize(file->m_size);
        std::size_t at = 0;
        while (at < file->m_size) {
            const auto got = ::pread(fd.get(), file->m_held.data() + at, file->m_size - at,
                                     static_cast<off_t>(at));
            if (got < 0 && errno == EINTR)
                continue;
            if (got < 0)
                return unreadable(path, errno);
            if (got == 0)
                break; // shortened since
            at += static_cast<std::size_t>(got);
        }
        file->m_held.resize(at);
        file->m_data = file->m_held.data();
        file->m_size = at;
    } else if (file->m_size > 0) {
        void* mapping = ::mmap(nullptr, file->m_size, PROT_READ, MAP_PRIVATE, fd.get(), 0);
        if (mapping == MAP_FAILED)
            return unreadable(path, errno);
        file->m_mapping = mapping;
        file->m_data = static_cast<const char*>(mapping);
    }
    return file;
}

std::shared_ptr<const MappedFile> MappedFile::ofBytes(std::string bytes)
{
    std::shared_ptr<MappedFile> file(new MappedFile);
    file->m_held = std::move(bytes);
    file->m_data = file->m_held.data();
    file->m_size = file->m_held.size();
    return file;
}

MappedFile::~MappedFile()
{
    if (m_mapping)
        ::munmap(m_mapping, m_size);
}

} // namespace fusescope
