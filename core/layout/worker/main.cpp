// fusescope-layout: draws graphs with Graphviz for the library in core/layout, which starts it,
// keeps it warm and kills it when it takes too long. Graphviz can neither be cancelled nor trusted
// with a second thread, so it lives in a process of its own.
#include "layout/worker/dot_engine.h"

#include <cerrno>
#include <csignal>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

using namespace fusescope::layout;

namespace {

bool readAll(void* data, std::size_t size)
{
    auto* at = static_cast<char*>(data);
    while (size > 0) {
        const ssize_t got = read(STDIN_FILENO, at, size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        size -= static_cast<std::size_t>(got);
    }
    return true;
}

bool writeAll(const void* data, std::size_t size)
{
    const auto* at = static_cast<const char*>(data);
    while (size > 0) {
        const ssize_t put = write(STDOUT_FILENO, at, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        at += put;
        size -= static_cast<std::size_t>(put);
    }
    return true;
}

template <class T>
bool readVector(std::vector<T>& values, std::size_t count)
{
    values.resize(count);
    return count == 0 || readAll(values.data(), count * sizeof(T));
}

template <class T>
bool writeVector(const std::vector<T>& values)
{
    return values.empty() || writeAll(values.data(), values.size() * sizeof(T));
}

bool allBelow(const std::vector<std::uint32_t>& values, std::uint32_t limit)
{
    for (const std::uint32_t value : values) {
        if (value >= limit)
            return false;
    }
    return true;
}

bool readRequest(DotRequest& request)
{
    RequestHeader& header = request.header;
    if (!readAll(&header, sizeof header) || header.magic != requestMagic ||
        header.nodes > maxNodes || header.edges > maxEdges || header.top > header.nodes ||
        header.bottom > header.nodes)
        return false;
    return readVector(request.width, header.nodes) && readVector(request.height, header.nodes) &&
           readVector(request.from, header.edges) && readVector(request.to, header.edges) &&
           readVector(request.weight, header.edges) && readVector(request.top, header.top) &&
           readVector(request.bottom, header.bottom) && allBelow(request.from, header.nodes) &&
           allBelow(request.to, header.nodes) && allBelow(request.top, header.nodes) &&
           allBelow(request.bottom, header.nodes);
}

bool writeAnswer(bool drawn, const DotAnswer& answer)
{
    AnswerHeader header;
    header.status = drawn ? 0 : 1;
    if (!drawn)
        return writeAll(&header, sizeof header);
    header.nodes = static_cast<std::uint32_t>(answer.centres.size() / 2);
    header.edges = static_cast<std::uint32_t>(answer.pointsOfEdge.size());
    header.points = static_cast<std::uint32_t>(answer.points.size() / 2);
    return writeAll(&header, sizeof header) && writeVector(answer.centres) &&
           writeVector(answer.pointsOfEdge) && writeVector(answer.points);
}

// The default action of the signal ends the process, and the library sees the end of the pipe.
void limitCpu(std::uint32_t milliseconds)
{
    itimerval limit{};
    limit.it_value.tv_sec = milliseconds / 1000;
    limit.it_value.tv_usec = static_cast<suseconds_t>(milliseconds % 1000) * 1000;
    setitimer(ITIMER_PROF, &limit, nullptr);
}

void* serve(void*)
{
    for (;;) {
        DotRequest request;
        if (!readRequest(request))
            return nullptr;
        DotAnswer answer;
        limitCpu(request.header.cpuMilliseconds);
        const bool drawn = drawWithDot(request, answer);
        limitCpu(0);
        if (!writeAnswer(drawn, answer))
            return nullptr;
    }
}

} // namespace

int main()
{
    signal(SIGPROF, SIG_DFL);
    signal(SIGPIPE, SIG_IGN);
    const rlimit noCore{0, 0};
    setrlimit(RLIMIT_CORE, &noCore);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    const rlimit memory{rlim_t{3} << 30, rlim_t{3} << 30};
    setrlimit(RLIMIT_DATA, &memory);
#endif
    // Graphviz recurses along chains: the usual stack is too small for long ones.
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, std::size_t{128} << 20);
    pthread_t thread;
    if (pthread_create(&thread, &attributes, serve, nullptr) != 0)
        return 1;
    pthread_join(thread, nullptr);
    return 0;
}
