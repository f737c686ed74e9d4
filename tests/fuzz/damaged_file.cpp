#include "fuzz/damaged_file.h"

#include "fuzz/dice.h"
#include "io/wire.h"
#include "model/schema.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace fusescope::test {

namespace {

enum class Kind {
    leaf, model, graph, node, attribute, tensor, sparse, valueInfo, type, tensorType, shape, dim,
    sequence, map, function, opset, entry
};

// Which fields of a message are messages again (onnx.proto).
Kind kindOf(Kind owner, std::uint32_t field)
{
    struct Row
    {
        Kind owner;
        std::uint32_t field;
        Kind kind;
    };
    static constexpr Row rows[] = {
        {Kind::model, 7, Kind::graph},        {Kind::model, 8, Kind::opset},
        {Kind::model, 14, Kind::entry},       {Kind::model, 25, Kind::function},
        {Kind::graph, 1, Kind::node},         {Kind::graph, 5, Kind::tensor},
        {Kind::graph, 11, Kind::valueInfo},   {Kind::graph, 12, Kind::valueInfo},
        {Kind::graph, 13, Kind::valueInfo},   {Kind::graph, 15, Kind::sparse},
        {Kind::node, 5, Kind::attribute},     {Kind::attribute, 5, Kind::tensor},
        {Kind::attribute, 6, Kind::graph},    {Kind::attribute, 10, Kind::tensor},
        {Kind::attribute, 11, Kind::graph},   {Kind::attribute, 14, Kind::type},
        {Kind::attribute, 22, Kind::sparse},  {Kind::tensor, 13, Kind::entry},
        {Kind::sparse, 1, Kind::tensor},      {Kind::sparse, 2, Kind::tensor},
        {Kind::valueInfo, 2, Kind::type},     {Kind::type, 1, Kind::tensorType},
        {Kind::type, 4, Kind::sequence},      {Kind::type, 5, Kind::map},
        {Kind::type, 8, Kind::tensorType},    {Kind::type, 9, Kind::sequence},
        {Kind::tensorType, 2, Kind::shape},   {Kind::shape, 1, Kind::dim},
        {Kind::sequence, 1, Kind::type},      {Kind::map, 2, Kind::type},
        {Kind::function, 7, Kind::node},      {Kind::function, 9, Kind::opset},
        {Kind::function, 11, Kind::attribute}};
    for (const Row& row : rows) {
        if (row.owner == owner && row.field == field)
            return row.kind;
    }
    return Kind::leaf;
}

struct Field
{
    std::uint32_t number = 0;
    WireType type = WireType::varint;
    Kind owner = Kind::leaf, kind = Kind::leaf;
    std::uint64_t value = 0;
    std::string bytes; // the payload, or of a group all of it
    std::vector<Field> fields;
};

std::vector<Field> read(std::string_view message, Kind owner)
{
    std::vector<Field> fields;
    WireReader reader(message);
    WireField found;
    while (reader.next(found)) {
        Field field{found.number, found.type, owner, Kind::leaf, found.value, {}, {}};
        field.bytes = found.type == WireType::bytes ? found.bytes : found.whole;
        if (found.type == WireType::bytes)
            field.kind = kindOf(owner, found.number);
        if (field.kind != Kind::leaf)
            field.fields = read(found.bytes, field.kind);
        fields.push_back(std::move(field));
    }
    return fields;
}

WireMessage written(const std::vector<Field>& fields)
{
    WireMessage message;
    for (const Field& field : fields) {
        if (field.kind != Kind::leaf)
            message.message(field.number, written(field.fields));
        else if (field.type == WireType::varint)
            message.varint(field.number, field.value);
        else if (field.type == WireType::fixed32)
            message.fixed32(field.number, static_cast<std::uint32_t>(field.value));
        else if (field.type == WireType::bytes)
            message.bytes(field.number, field.bytes);
        else
            message.kept(field.bytes);
    }
    return message;
}

struct Place
{
    std::vector<Field>* list = nullptr;
    std::size_t at = 0;

    Field& field() const { return (*list)[at]; }
};

void collect(std::vector<Field>& fields, std::vector<Place>& places)
{
    for (std::size_t i = 0; i < fields.size(); ++i) {
        places.push_back({&fields, i});
        collect(fields[i].fields, places);
    }
}

constexpr std::uint64_t oddNumbers[] = {
    0, 1, 2, 3, 7, 10, 16, 22, 127, 255, 65536, 1ULL << 31, (1ULL << 31) - 1, 1ULL << 32, 1ULL << 40,
    1ULL << 62, 1ULL << 63, (1ULL << 63) - 1, ~0ULL, ~1ULL};
constexpr std::uint32_t oddFloats[] = {0, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000,
                                       0x7F7FFFFF, 1, 0x3F800000, 0xBF800000, 0x4F000000};

void damageBytes(std::string& bytes, Dice& dice)
{
    if (bytes.empty()) {
        bytes = "x";
        return;
    }
    const auto at = static_cast<std::size_t>(dice.below(bytes.size()));
    switch (dice.below(6)) {
    case 0:
        bytes[at] = static_cast<char>(dice.next());
        break;
    case 1:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << dice.below(8)));
        break;
    case 2:
        bytes.erase(at, 1 + dice.below(8));
        break;
    case 3:
        bytes.insert(at, 1 + dice.below(4), static_cast<char>(dice.next()));
        break;
    case 4: // a piece once more, elsewhere
        bytes.insert(dice.below(bytes.size()), bytes.substr(at, 1 + dice.below(40)));
        break;
    default:
        if (dice.chance(30))
            bytes.resize(at);
        else
            std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                         bytes.begin() + static_cast<std::ptrdiff_t>(
                                             std::min(bytes.size(), at + 2 + dice.below(6))));
        break;
    }
}

void damageLeaf(Field& field, const std::vector<Place>& places, Dice& dice)
{
    if (field.type == WireType::varint) {
        field.value = dice.chance(50) ? dice.pick(oddNumbers)
                                      : field.value + static_cast<std::uint64_t>(dice.between(-3, 3));
    } else if (field.type == WireType::fixed32) {
        field.value = dice.pick(oddFloats);
    } else if (field.type == WireType::bytes) {
        if (field.owner == Kind::node && field.number == 4 && dice.chance(70)) {
            field.bytes = dice.pick(allSchemas()).name;
            return;
        }
        // The name of something else, often of the same kind.
        for (int tries = 0; tries < 30; ++tries) {
            const Field& other = dice.pick(places).field();
            const bool isName = other.type == WireType::bytes && other.kind == Kind::leaf &&
                                other.bytes.size() < 100;
            if (isName && (other.number == field.number || tries > 20)) {
                field.bytes = other.bytes;
                return;
            }
        }
        damageBytes(field.bytes, dice);
    }
}

void damageRecords(std::vector<Field>& model, Dice& dice)
{
    std::vector<Place> places;
    collect(model, places);
    if (places.empty())
        return;
    Place place = dice.pick(places);
    // Weights are most of the fields of many files: a second throw for what is none.
    if (place.field().owner == Kind::tensor && dice.chance(60))
        place = dice.pick(places);
    std::vector<Field>& list = *place.list;
    const auto at = list.begin() + static_cast<std::ptrdiff_t>(place.at);
    switch (dice.below(8)) {
    case 0:
        list.erase(at);
        break;
    case 1:
        list.insert(at, Field(*at));
        break;
    case 2:
        std::swap(*at, list[static_cast<std::size_t>(dice.below(list.size()))]);
        break;
    case 3:
        for (int tries = 0; tries < 50; ++tries) {
            const Field& other = dice.pick(places).field();
            if (other.kind == place.field().kind && other.number == place.field().number &&
                &other != &place.field()) {
                Field copy = other;
                place.field() = std::move(copy);
                break;
            }
        }
        break;
    case 4:
        place.field().number = static_cast<std::uint32_t>(dice.between(1, 26));
        break;
    default:
        if (place.field().kind == Kind::leaf)
            damageLeaf(place.field(), places, dice);
        else if (!place.field().fields.empty())
            damageRecords(place.field().fields, dice);
        break;
    }
}

} // namespace

std::string damagedFile(const std::string& good, std::uint64_t seed)
{
    Dice dice(seed);
    std::string bytes = good;
    const bool records = dice.chance(60);
    const std::uint64_t faults = 1 + dice.below(4);
    if (records) {
        std::vector<Field> model = read(good, Kind::model);
        for (std::uint64_t i = 0; i < faults; ++i)
            damageRecords(model, dice);
        bytes = written(model).text();
    }
    for (std::uint64_t i = records ? dice.below(8) / 7 : faults; i > 0; --i)
        damageBytes(bytes, dice);
    return bytes;
}

} // namespace fusescope::test
