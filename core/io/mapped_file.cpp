#include "io/mapped_file.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <mutex>
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

// Reading what another process cut off a mapped file raises SIGBUS. For the mappings listed here a
// page of zeros takes the place, and the mapping is marked; other faults go on as they would.
struct Watched
{
    std::atomic<std::uintptr_t> begin = 0, end = 0;
    std::atomic<bool> shortened = false;
};
std::array<Watched, 256> watchedMappings;
struct sigaction otherFaults;

void onFault(int signal, siginfo_t* info, void*)
{
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    for (Watched& one : watchedMappings) {
        if (address < one.begin || address >= one.end)
            continue;
        const auto size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
        void* page = reinterpret_cast<void*>(address / size * size);
        one.shortened = true;
        if (::mmap(page, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == page)
            return;
    }
    ::sigaction(signal, &otherFaults, nullptr); // the read is tried again, and ends as it would have
}

// A free place, or −1: then the mapping is not watched.
int watch(const void* data, std::size_t size)
{
    static std::once_flag once;
    std::call_once(once, [] {
        struct sigaction action = {};
        action.sa_sigaction = onFault;
        action.sa_flags = SA_SIGINFO;
        sigemptyset(&action.sa_mask);
        ::sigaction(SIGBUS, &action, &otherFaults);
    });
    const auto begin = reinterpret_cast<std::uintptr_t>(data);
    for (std::size_t i = 0; i < watchedMappings.size(); ++i) {
        std::uintptr_t none = 0;
        if (!watchedMappings[i].begin.compare_exchange_strong(none, begin))
            continue;
        watchedMappings[i].shortened = false;
        watchedMappings[i].end = begin + size;
        return static_cast<int>(i);
    }
    return -1;
}

std::int64_t modifiedAt(const struct stat& info)
{
    return std::int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec;
}

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
    file->m_path = path;
    file->m_modified = modifiedAt(info);
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
        file->m_watched = watch(mapping, file->m_size);
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
    if (m_watched >= 0) {
        Watched& place = watchedMappings[static_cast<std::size_t>(m_watched)];
        place.end = 0;
        place.begin = 0;
    }
    if (m_mapping)
        ::munmap(m_mapping, m_size);
}

bool MappedFile::isIntact() const
{
    if (!m_mapping)
        return true;
    if (m_watched >= 0 && watchedMappings[static_cast<std::size_t>(m_watched)].shortened)
        return false;
    struct stat info;
    if (::stat(m_path.c_str(), &info) != 0 || FileIdentity{info.st_dev, info.st_ino} != m_identity)
        return true; // gone or replaced: the mapping keeps the old one
    return static_cast<std::size_t>(info.st_size) == m_size && modifiedAt(info) == m_modified;
}

} // namespace fusescope
