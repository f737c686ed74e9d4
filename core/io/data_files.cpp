#include "io/data_files.h"

#include "io/file_writer.h"
#include "io/mapped_file.h"
#include "io/npy.h"
#include "io/tensor_message.h"
#include "io/zip.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace fusescope {

namespace {

constexpr int maxDepth = 64;

tl::unexpected<Error> damaged(const std::string& path)
{
    return fail(ErrorCode::unreadable, Message("io.data-truncated", {{"file", path}}), {}, path);
}

class ProtoReader
{
public:
    ProtoReader(std::shared_ptr<const MappedFile> file, const std::string& path) : m_path(path)
    {
        m_context.owner = std::move(file);
    }

    Result<FileValue> read(std::string_view message, Type::Kind kind, int depth)
    {
        if (depth > maxDepth)
            return damaged(m_path);
        switch (kind) {
        case Type::Kind::sequence:
            return readList(message, FileValue::Kind::sequence, depth);
        case Type::Kind::optional:
            return readList(message, FileValue::Kind::optional, depth);
        case Type::Kind::map:
            return readMap(message, depth);
        case Type::Kind::sparseTensor:
            return readSparse(message);
        default:
            return readTensor(message);
        }
    }

private:
    Result<FileValue> readTensor(std::string_view message)
    {
        auto read = readTensorMessage(message, m_context);
        if (!read)
            return damaged(m_path);
        if (!read->tensor->isAvailable())
            return fail(ErrorCode::unreadable, read->tensor->whyUnavailable(), {}, m_path);
        FileValue value;
        value.name = std::move(read->name);
        value.tensor = std::move(read->tensor);
        value.elementType =
            Type::tensor(value.tensor->dtype(), Shape::ofSizes(value.tensor->shape()));
        return value;
    }

    Result<FileValue> readSparse(std::string_view message)
    {
        auto read = readSparseMessage(message, m_context);
        if (!read)
            return damaged(m_path);
        for (const TensorPtr& part : {read->tensor->values, read->tensor->indices}) {
            if (!part->isAvailable())
                return fail(ErrorCode::unreadable, part->whyUnavailable(), {}, m_path);
        }
        FileValue value;
        value.kind = FileValue::Kind::sparse;
        value.name = std::move(read->name);
        value.sparse = std::move(read->tensor);
        return value;
    }

    // SequenceProto and OptionalProto: name 1, element type 2, elements by kind 3 … 7.
    Result<FileValue> readList(std::string_view message, FileValue::Kind kind, int depth)
    {
        FileValue value;
        value.kind = kind;
        WireReader reader(message);
        for (WireField f; reader.next(f);) {
            constexpr Type::Kind kinds[] = {Type::Kind::tensor, Type::Kind::sparseTensor,
                                            Type::Kind::sequence, Type::Kind::map,
                                            Type::Kind::optional};
            if (f.isBytes(1)) {
                value.name = f.bytes;
            } else if (f.type == WireType::bytes && f.number >= 3 && f.number <= 7) {
                FUSESCOPE_ASSIGN(FileValue element, read(f.bytes, kinds[f.number - 3], depth + 1));
                if (!value.elementType.isKnown())
                    value.elementType = typeOf(element);
                value.elements.push_back(std::move(element));
            }
        }
        if (reader.isMalformed())
            return damaged(m_path);
        return value;
    }

    static Type typeOf(const FileValue& value)
    {
        switch (value.kind) {
        case FileValue::Kind::tensor:
            return Type::tensor(value.tensor->dtype());
        case FileValue::Kind::sequence:
            return Type::sequence(value.elementType);
        case FileValue::Kind::optional:
            return Type::optional(value.elementType);
        case FileValue::Kind::map:
            return Type::map(value.tensor->dtype(), value.elementType);
        case FileValue::Kind::sparse:
            break;
        }
        return {};
    }

    // MapProto: name 1, key type 2, keys 3 or 4, the values as a SequenceProto 5.
    Result<FileValue> readMap(std::string_view message, int depth)
    {
        FileValue value;
        value.kind = FileValue::Kind::map;
        std::uint64_t keyType = 0;
        std::vector<std::uint64_t> keys;
        std::vector<std::string> strings;
        WireReader reader(message);
        for (WireField f; reader.next(f);) {
            if (f.isBytes(1)) {
                value.name = f.bytes;
            } else if (f.is(2, WireType::varint)) {
                keyType = f.value;
            } else if (f.number == 3) {
                if (!appendVarints(f, keys))
                    return damaged(m_path);
            } else if (f.isBytes(4)) {
                strings.emplace_back(f.bytes);
            } else if (f.isBytes(5)) {
                FUSESCOPE_ASSIGN(FileValue list,
                                 readList(f.bytes, FileValue::Kind::sequence, depth + 1));
                value.elementType = list.elementType;
                value.elements = std::move(list.elements);
            }
        }
        if (reader.isMalformed())
            return damaged(m_path);
        if (keyType == static_cast<std::uint64_t>(DType::string)) {
            const auto count = static_cast<std::int64_t>(strings.size());
            value.tensor =
                std::make_shared<const Tensor>(Tensor::strings({count}, std::move(strings)));
            return value;
        }
        const DType type = keyType < 0x7FFFFFFF && isInteger(static_cast<DType>(keyType))
                               ? static_cast<DType>(keyType)
                               : DType::int64;
        Tensor tensor = Tensor::allocate(type, {static_cast<std::int64_t>(keys.size())});
        for (std::size_t i = 0; i < keys.size(); ++i)
            tensor.storeInt(static_cast<std::int64_t>(i), static_cast<std::int64_t>(keys[i]));
        value.tensor = std::make_shared<const Tensor>(std::move(tensor));
        return value;
    }

    TensorContext m_context;
    const std::string& m_path;
};

FileValue ofArray(std::string name, TensorPtr tensor)
{
    FileValue value;
    value.name = std::move(name);
    value.elementType = Type::tensor(tensor->dtype(), Shape::ofSizes(tensor->shape()));
    value.tensor = std::move(tensor);
    return value;
}

// With the path in place of an empty file name.
template <class T>
Result<T> named(Result<T> result, const std::string& path)
{
    if (!result && result.error().file.empty())
        result.error().file = path;
    return result;
}

} // namespace

Result<FileValue> readDataFile(const std::string& path, const Type& expected)
{
    FUSESCOPE_ASSIGN(auto file, MappedFile::open(path));
    if (file->bytes().starts_with(npyMagic)) {
        FUSESCOPE_ASSIGN(TensorPtr tensor,
                         readNpy(file->bytes(), file, path,
                                 expected.isTensor() ? expected.dtype : DType::undefined));
        return ofArray({}, std::move(tensor));
    }
    if (path.ends_with(".npy"))
        return fail(ErrorCode::unreadable,
                    Message("io.data-unknown", {{"file", path}, {"format", std::string(".npy")}}),
                    {}, path);
    const std::string_view bytes = file->bytes();
    auto value = named(ProtoReader(file, path).read(bytes, expected.kind, 0), path);
    const bool mayHold = expected.kind == Type::Kind::optional;
    if (!mayHold || (value && !value->elements.empty()))
        return value;
    // What an optional holds may lie in the file alone; an empty optional is no tensor.
    auto held = ProtoReader(file, path).read(bytes, Type::Kind::tensor, 0);
    if (!held || !held->tensor)
        return value;
    FileValue optional;
    optional.kind = FileValue::Kind::optional;
    optional.name = held->name;
    optional.elementType = Type::tensor(held->tensor->dtype());
    optional.elements.push_back(*std::move(held));
    return optional;
}

Result<std::vector<FileValue>> readNpz(const std::string& path)
{
    FUSESCOPE_ASSIGN(auto file, MappedFile::open(path));
    FUSESCOPE_ASSIGN(const auto entries, readZip(file, path));
    std::vector<FileValue> values;
    for (const ZipEntry& entry : entries) {
        FUSESCOPE_ASSIGN(TensorPtr tensor,
                         readNpy(entry.bytes, entry.owner, path, DType::undefined));
        std::string name = entry.name;
        if (name.ends_with(".npy"))
            name.resize(name.size() - 4);
        values.push_back(ofArray(std::move(name), std::move(tensor)));
    }
    return values;
}

Result<void> writeNpy(const std::string& path, const Tensor& tensor)
{
    return writeFile(path, npyBytes(tensor));
}

Result<void> writeNpz(const std::string& path,
                      const std::vector<std::pair<std::string, TensorPtr>>& arrays)
{
    std::vector<std::pair<std::string, std::string>> entries;
    for (const auto& [name, tensor] : arrays)
        entries.emplace_back(name + ".npy", npyBytes(*tensor));
    FUSESCOPE_ASSIGN(const std::string bytes, zipBytes(entries, path));
    return writeFile(path, bytes);
}

Result<void> writeTensorProto(const std::string& path, const std::string& name,
                              const Tensor& tensor)
{
    return writeFile(path, tensorMessage(tensor, name).text());
}

std::vector<std::string> testDataSets(const std::string& modelPath)
{
    constexpr std::string_view prefix = "test_data_set_";
    std::vector<std::pair<unsigned, std::string>> found;
    const std::string folder = std::filesystem::path(modelPath).parent_path().string();
    std::error_code error;
    for (std::filesystem::directory_iterator it(folder.empty() ? "." : folder, error), end;
         !error && it != end; it.increment(error)) {
        const std::string name = it->path().filename().string();
        unsigned number = 0;
        const char* last = name.data() + name.size();
        if (!name.starts_with(prefix) || !it->is_directory(error))
            continue;
        const auto [at, wrong] = std::from_chars(name.data() + prefix.size(), last, number);
        if (wrong == std::errc() && at == last)
            found.emplace_back(number, it->path().string());
    }
    std::sort(found.begin(), found.end());
    std::vector<std::string> result;
    for (auto& [number, path] : found)
        result.push_back(std::move(path));
    return result;
}

} // namespace fusescope
