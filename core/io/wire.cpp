#include "io/wire.h"

#include <cstring>

namespace fusescope {

namespace {

constexpr int maxGroupDepth = 64;

} // namespace

bool WireReader::varint(std::uint64_t& value)
{
    value = 0;
    for (int shift = 0; shift < 70 && m_at != m_end; shift += 7) {
        const auto byte = static_cast<unsigned char>(*m_at++);
        if (shift < 64)
            value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
        if ((byte & 0x80) == 0)
            return true;
    }
    return false;
}

bool WireReader::fixed(std::size_t size, std::uint64_t& value)
{
    if (static_cast<std::size_t>(m_end - m_at) < size)
        return false;
    value = 0;
    std::memcpy(&value, m_at, size);
    m_at += size;
    return true;
}

bool WireReader::payload(WireField& field, std::uint32_t type)
{
    switch (type) {
    case 0:
        field.type = WireType::varint;
        return varint(field.value);
    case 1:
        field.type = WireType::fixed64;
        return fixed(8, field.value);
    case 2: {
        field.type = WireType::bytes;
        std::uint64_t length = 0;
        if (!varint(length))
            return false;
        if (const auto left = static_cast<std::uint64_t>(m_end - m_at); length > left) {
            m_missing = length - left;
            return false;
        }
        field.bytes = {m_at, static_cast<std::size_t>(length)};
        m_at += length;
        return true;
    }
    case 3:
        field.type = WireType::group;
        return skipGroup(field.number);
    case 5:
        field.type = WireType::fixed32;
        return fixed(4, field.value);
    default:
        return false;
    }
}

bool WireReader::skipGroup(std::uint32_t number)
{
    std::vector<std::uint32_t> open{number};
    while (!open.empty()) {
        std::uint64_t key = 0;
        if (open.size() > maxGroupDepth || !varint(key))
            return false;
        const auto inner = static_cast<std::uint32_t>(key >> 3);
        const auto type = static_cast<std::uint32_t>(key & 7);
        if (type == 4) {
            if (open.back() != inner)
                return false;
            open.pop_back();
        } else if (type == 3) {
            open.push_back(inner);
        } else {
            WireField passed;
            if (!payload(passed, type))
                return false;
        }
    }
    return true;
}

bool WireReader::next(WireField& field)
{
    if (m_at == m_end || m_malformed)
        return false;
    const char* start = m_at;
    std::uint64_t key = 0;
    field = {};
    if (!varint(key) || (key >> 3) == 0 || (key >> 3) > 0x1FFFFFFF) {
        m_at = start;
        m_malformed = true;
        return false;
    }
    field.number = static_cast<std::uint32_t>(key >> 3);
    if (!payload(field, static_cast<std::uint32_t>(key & 7))) {
        m_missing = m_missing == 0 && m_at == m_end ? 1 : m_missing;
        m_at = start;
        m_malformed = true;
        return false;
    }
    field.whole = {start, static_cast<std::size_t>(m_at - start)};
    return true;
}

bool appendVarints(const WireField& field, std::vector<std::uint64_t>& values)
{
    if (field.type == WireType::varint) {
        values.push_back(field.value);
        return true;
    }
    if (field.type != WireType::bytes)
        return true;
    std::uint64_t value = 0;
    int shift = 0;
    for (const char c : field.bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (shift < 64)
            value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
        if ((byte & 0x80) != 0) {
            shift += 7;
            if (shift >= 70)
                return false;
            continue;
        }
        values.push_back(value);
        value = 0;
        shift = 0;
    }
    return shift == 0;
}

std::string_view fixedBytes(const WireField& field)
{
    if (field.type == WireType::bytes)
        return field.bytes;
    const std::size_t size = field.type == WireType::fixed32   ? 4
                             : field.type == WireType::fixed64 ? 8
                                                               : 0;
    return field.whole.substr(field.whole.size() - size);
}

std::string& WireMessage::tail()
{
    if (m_pieces.empty() || m_pieces.back().view || m_pieces.back().own.size() > 65536)
        m_pieces.emplace_back();
    return m_pieces.back().own;
}

void WireMessage::raw(std::uint64_t value)
{
    std::string& text = tail();
    const std::size_t before = text.size();
    while (value >= 0x80) {
        text += static_cast<char>((value & 0x7F) | 0x80);
        value >>= 7;
    }
    text += static_cast<char>(value);
    m_size += text.size() - before;
}

void WireMessage::tag(std::uint32_t number, WireType type)
{
    raw((static_cast<std::uint64_t>(number) << 3) | static_cast<std::uint64_t>(type));
}

void WireMessage::varint(std::uint32_t number, std::uint64_t value)
{
    tag(number, WireType::varint);
    raw(value);
}

void WireMessage::fixed32(std::uint32_t number, std::uint32_t bits)
{
    tag(number, WireType::fixed32);
    tail().append(reinterpret_cast<const char*>(&bits), 4);
    m_size += 4;
}

void WireMessage::bytes(std::uint32_t number, std::string_view copied)
{
    tag(number, WireType::bytes);
    raw(copied.size());
    tail() += copied;
    m_size += copied.size();
}

void WireMessage::message(std::uint32_t number, WireMessage child)
{
    tag(number, WireType::bytes);
    raw(child.m_size);
    m_size += child.m_size;
    for (Piece& piece : child.m_pieces) {
        if (!piece.view)
            tail() += piece.own;
        else
            m_pieces.push_back(std::move(piece));
    }
}

void WireMessage::kept(std::string_view whole)
{
    if (whole.empty())
        return;
    m_size += whole.size();
    Piece* last = m_pieces.empty() ? nullptr : &m_pieces.back();
    if (last && last->view && last->times == 1 && last->view + last->size == whole.data()) {
        last->size += whole.size();
        return;
    }
    m_pieces.push_back({{}, whole.data(), whole.size(), 1});
}

void WireMessage::keptBytes(std::uint32_t number, std::string_view view, std::uint64_t times)
{
    tag(number, WireType::bytes);
    raw(view.size() * times);
    m_size += view.size() * times;
    if (!view.empty() && times > 0)
        m_pieces.push_back({{}, view.data(), view.size(), times});
}

std::string WireMessage::text() const
{
    std::string result;
    result.reserve(m_size);
    for (const Piece& piece : m_pieces) {
        if (!piece.view)
            result += piece.own;
        for (std::uint64_t i = 0; piece.view && i < piece.times; ++i)
            result.append(piece.view, piece.size);
    }
    return result;
}

} // namespace fusescope
