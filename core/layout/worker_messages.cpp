#include "layout/worker_messages.h"

#include "layout/worker_protocol.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <poll.h>
#include <sys/socket.h>

namespace fusescope::layout {

namespace {

// Waits until the socket is ready; false at the limits.
bool await(int socket, short events, const Limits& limits)
{
    while (!limits.late()) {
        pollfd entry{socket, events, 0};
        const int ready = poll(&entry, 1, 50); // so often the limits are looked at
        if (ready > 0)
            return true;
        if (ready < 0 && errno != EINTR)
            return false;
    }
    return false;
}

bool receiveAll(int socket, void* data, std::size_t size, const Limits& limits)
{
    auto* at = static_cast<char*>(data);
    while (size > 0) {
        const ssize_t got = recv(socket, at, size, 0);
        if (got > 0) {
            at += got;
            size -= static_cast<std::size_t>(got);
        } else if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            if (!await(socket, POLLIN, limits))
                return false;
        } else if (got == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

template <class T>
bool receiveVector(int socket, std::vector<T>& values, std::size_t count, const Limits& limits)
{
    values.resize(count);
    return count == 0 || receiveAll(socket, values.data(), count * sizeof(T), limits);
}

bool allFinite(const std::vector<double>& values)
{
    return std::ranges::all_of(values, [](double v) { return std::abs(v) < 1e8; });
}

// dot leaves out the curve of an edge that it gave up on, and may draw from head to tail.
void complete(const Piece& piece, Drawing& drawing)
{
    for (std::size_t e = 0; e < piece.edges.size(); ++e) {
        const auto [from, to] = piece.edges[e];
        Curve& curve = drawing.curves[e];
        const LayoutPoint a = drawing.centre[from];
        const LayoutPoint b = drawing.centre[to];
        if (curve.size() < 4 || curve.size() % 3 != 1) {
            curve = {{a.x, a.y + piece.height[from] / 2}};
            lineTo(curve, {b.x, b.y - piece.height[to] / 2});
        } else if (std::abs(curve.front().y - a.y) > std::abs(curve.back().y - a.y)) {
            std::ranges::reverse(curve);
        }
    }
}

} // namespace

std::string encodeRequest(const DrawRequest& request)
{
    const Piece& piece = request.piece;
    RequestHeader header;
    header.nodes = static_cast<std::uint32_t>(piece.size());
    header.edges = static_cast<std::uint32_t>(piece.edges.size());
    header.top = static_cast<std::uint32_t>(piece.top.size());
    header.bottom = static_cast<std::uint32_t>(piece.bottom.size());
    header.ordered = piece.ordered ? 1 : 0;
    header.cpuMilliseconds = static_cast<std::uint32_t>(request.cpuMilliseconds);
    header.boxGap = static_cast<float>(request.gaps.box);
    header.rankGap = static_cast<float>(request.gaps.rank);
    header.searchLimit = request.searchLimit;
    std::string bytes;
    bytes.reserve(sizeof header + piece.width.size() * 8 + piece.edges.size() * 12);
    const auto put = [&bytes](const auto& value) {
        bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    put(header);
    for (const float value : piece.width)
        put(value);
    for (const float value : piece.height)
        put(value);
    for (const auto& edge : piece.edges)
        put(static_cast<std::uint32_t>(edge.first));
    for (const auto& edge : piece.edges)
        put(static_cast<std::uint32_t>(edge.second));
    for (std::size_t e = 0; e < piece.edges.size(); ++e)
        put(static_cast<std::int32_t>(piece.weight.empty() ? 1 : piece.weight[e]));
    for (const int node : piece.top)
        put(static_cast<std::uint32_t>(node));
    for (const int node : piece.bottom)
        put(static_cast<std::uint32_t>(node));
    return bytes;
}

bool sendAll(int socket, const std::string& bytes, const Limits& limits)
{
    std::size_t sent = 0;
    while (sent < bytes.size()) {
        const ssize_t put = send(socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
        if (put > 0) {
            sent += static_cast<std::size_t>(put);
        } else if (put < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            if (!await(socket, POLLOUT, limits))
                return false;
        } else if (put == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

bool receiveAnswer(int socket, const Piece& piece, const Limits& limits, Drawing& drawing)
{
    AnswerHeader header;
    if (!receiveAll(socket, &header, sizeof header, limits) || header.magic != answerMagic ||
        header.status != 0 || header.nodes != piece.width.size() ||
        header.edges != piece.edges.size() || header.points > maxPoints)
        return false;
    std::vector<double> centres;
    std::vector<std::uint32_t> counts;
    if (!receiveVector(socket, centres, std::size_t{header.nodes} * 2, limits) ||
        !receiveVector(socket, counts, header.edges, limits))
        return false;
    std::uint64_t total = 0;
    for (const std::uint32_t count : counts)
        total += count;
    std::vector<double> points;
    if (total != header.points ||
        !receiveVector(socket, points, std::size_t{header.points} * 2, limits) ||
        !allFinite(centres) || !allFinite(points))
        return false;

    drawing.centre.clear();
    for (std::size_t i = 0; i < centres.size(); i += 2)
        drawing.centre.push_back({centres[i], centres[i + 1]});
    drawing.curves.assign(piece.edges.size(), {});
    std::size_t next = 0;
    for (std::size_t e = 0; e < counts.size(); ++e) {
        for (std::uint32_t i = 0; i < counts[e]; ++i, next += 2)
            drawing.curves[e].push_back({points[next], points[next + 1]});
    }
    complete(piece, drawing);
    return true;
}

} // namespace fusescope::layout
