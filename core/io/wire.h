#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fusescope {

// The protobuf wire format (protobuf.dev/programming-guides/encoding), read where it lies and
// written around what is kept as it was.

enum class WireType : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, group = 3, fixed32 = 5 };

struct WireField
{
    std::uint32_t number = 0;
    WireType type = WireType::varint;
    std::uint64_t value = 0;  // varint, fixed64, fixed32
    std::string_view bytes;   // bytes: the payload
    std::string_view whole;   // tag and payload

    bool is(std::uint32_t n, WireType t) const { return number == n && type == t; }
    bool isBytes(std::uint32_t n) const { return is(n, WireType::bytes); }
};

// The fields of one message in order. Groups are passed over as a whole.
class WireReader
{
public:
    explicit WireReader(std::string_view message)
        : m_at(message.data()), m_end(message.data() + message.size())
    {
    }

    // False at the end, and where the message is malformed.
    bool next(WireField& field);
    bool isMalformed() const { return m_malformed; }
    // How many bytes at least the malformed field wants beyond the end; 0 if it is malformed otherwise.
    std::uint64_t missing() const { return m_missing; }
    const char* position() const { return m_at; }

private:
    bool varint(std::uint64_t& value);
    bool fixed(std::size_t size, std::uint64_t& value);
    bool payload(WireField& field, std::uint32_t type);
    bool skipGroup(std::uint32_t number);

    const char* m_at;
    const char* m_end;
    std::uint64_t m_missing = 0;
    bool m_malformed = false;
};

// Repeated numbers, packed or one by one, are appended. False where they are malformed.
bool appendVarints(const WireField& field, std::vector<std::uint64_t>& values);
// The payload of packed fixed-size numbers, or of one.
std::string_view fixedBytes(const WireField& field);

// A message that is put together: strings of its own and pieces of memory that others keep alive.
class WireMessage
{
public:
    struct Piece
    {
        std::string own;        // used when `view` is null
        const char* view = nullptr;
        std::size_t size = 0;
        std::uint64_t times = 1; // the piece is written so many times
    };

    void varint(std::uint32_t number, std::uint64_t value);
    void fixed32(std::uint32_t number, std::uint32_t bits);
    void bytes(std::uint32_t number, std::string_view copied);
    void message(std::uint32_t number, WireMessage child);
    // Without a copy: the memory must live until the message is written.
    void kept(std::string_view whole);
    // Field `number` with `times` copies of the viewed bytes as its contents.
    void keptBytes(std::uint32_t number, std::string_view view, std::uint64_t times = 1);

    std::uint64_t size() const { return m_size; }
    const std::vector<Piece>& pieces() const { return m_pieces; }
    std::string text() const;

private:
    std::string& tail();
    void tag(std::uint32_t number, WireType type);
    void raw(std::uint64_t value);

    std::vector<Piece> m_pieces;
    std::uint64_t m_size = 0;
};

} // namespace fusescope
